"""The ways of naming shaders."""
from __future__ import annotations

import ctypes
from typing import List, NamedTuple

from . import _c
from ._call import text_of


class IdentityKind(NamedTuple):
    """`tools` that show it, and what it is computed of."""

    id: str
    tools: str
    summary: str


def identity_kinds() -> List[IdentityKind]:
    """All kinds of Shader.identity()."""
    found: List[IdentityKind] = []
    kind = _c.IdentityKind(struct_size=ctypes.sizeof(_c.IdentityKind))
    while _c.unshade_identity_kind_at(len(found), ctypes.byref(kind)) == _c.UNSHADE_OK:
        found.append(IdentityKind(text_of(kind.id), text_of(kind.tools), text_of(kind.summary)))
    return found

"""Shaders inside other bytes."""
from __future__ import annotations

import ctypes
from typing import List, NamedTuple, Optional

from . import _c
from ._call import Data, Handle, as_bytes, made, text_of


class Hit(NamedTuple):
    """A shader in bytes. `form`: "container", "spirv", "shbin", "vbc", "bitcode", "database"; `certainty`: "certain" (its digest is right, or its structure was
    followed to the end), "likely", "possible"; `parent`: the offset of the hit that it lies in, or None."""

    offset: int
    size: int
    family: str
    form: str
    certainty: str
    parent: Optional[int]


def find(data: Data) -> List[Hit]:
    """Every shader in bytes of any kind, by offset: `unshade.open(data[hit.offset : hit.offset + hit.size])`. scan() does the same with files, and looks
    into archives."""
    raw = as_bytes(data)
    hits = Handle(made(_c.unshade_find, raw, len(raw), 0, len(raw), 1), _c.unshade_hits_free)
    found = []
    hit = _c.Hit(struct_size=ctypes.sizeof(_c.Hit))
    for number in range(_c.unshade_hit_count(hits.value)):
        _c.unshade_hit_at(hits.value, number, ctypes.byref(hit))
        parent = None if hit.parent == _c.UNSHADE_NO_PARENT else hit.parent
        found.append(Hit(hit.offset, hit.size, text_of(_c.unshade_family_name(hit.family)), text_of(hit.form), text_of(hit.certainty), parent))
    return found

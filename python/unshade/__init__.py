"""unshade: compiled shaders opened, listed, reflected, checked, edited, assembled, compared, run and drawn with.

    shader = unshade.open("shader.cso")
    print(shader.profile, shader.listing())

docs/howto/python.md has the tasks.
"""
from __future__ import annotations

import importlib.util as _util

if _util.find_spec(__name__ + "._c") is None:
    raise ImportError(
        "this is the source of the package, which lacks the modules that are made of the C header: `cmake --build build/dev --target python_package` puts the "
        "package together in build/dev/python, which is to be on PYTHONPATH instead")

from . import _c
from .commands import Found, Picture, draw, scan, test
from .difference import Difference
from .drawing import Drawing, Heat, Scene, Target
from .errors import CommandError, Error
from .finding_shaders import Fault, Hit, PackedShader, find, unpack
from .findings import AssemblyError, Finding, validate
from .frames import frame
from .graph import Graph
from .identities import IdentityKind, identity_kinds
from .indexing import Added, Index, Merged
from .listing import TOKEN_CLASSES, Line, Listing, Token
from .making import assemble, build, identify, link, make_root_signature, open, open_source, pack
from .parts import Part, Parts
from .reflection import Buffer, Element, EntryPoint, Reflection, Resource, Variable
from .running import Program, Result
from .shader import FAMILIES, Shader
from .stepping import Session
from .translating import SourceText, Translation
from .tree import KINDS, Detail, Field, Tree, Value

__version__: str = (_c.unshade_version() or b"").decode()


def diff(before: Shader, after: Shader, *, exact_text: bool = False) -> Difference:
    """What differs between two shaders by meaning. `exact_text`: listings are compared as they are printed."""
    return Difference(before, after, exact_text)


def tree(data: bytes) -> Tree:
    """The fields of any bytes, as far as they can be read: of a damaged file too, which open() refuses."""
    return Tree(data)


__all__ = [
    "Added", "AssemblyError", "Buffer", "CommandError", "Detail", "Difference", "Drawing", "Element", "EntryPoint", "Error", "FAMILIES", "Fault", "Field", "Finding",
    "Found", "Graph", "Heat", "Hit", "IdentityKind", "Index", "KINDS", "Line", "Listing", "Merged", "PackedShader", "Part", "Parts", "Picture", "Program", "Reflection",
    "Resource", "Result", "Scene", "Session", "Shader", "SourceText", "TOKEN_CLASSES", "Target", "Token", "Translation", "Tree", "Value",
    "Variable", "__version__", "assemble",
    "build", "diff", "draw", "find", "frame", "identify", "identity_kinds", "link", "make_root_signature", "open", "open_source", "pack", "scan",
    "test", "tree", "unpack", "validate",
]

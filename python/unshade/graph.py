"""The control flow of functions, as data and as pictures."""
from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Optional, Sequence

from . import _c
from ._call import name_bytes, text

if TYPE_CHECKING:
    from . import json_types
    from .shader import Shader


class Graph:
    """`shader.graph()`: blocks, edges and loops of each function as `json` (docs/reference/json/graph.schema.json), as a picture (`svg`), for Graphviz
    (`dot`), and as an outline (`str(graph)`)."""

    def __init__(self, shader: Shader, function: Optional[str] = None, folded: Sequence[int] = (), lines: int = 0) -> None:
        self._shader = shader
        self._blocks = (ctypes.c_uint32 * len(folded))(*folded)
        self._options = _c.GraphOptions(struct_size=ctypes.sizeof(_c.GraphOptions), lines=lines, folded_count=len(folded))
        self._options.folded = ctypes.addressof(self._blocks) if folded else None
        # Kept: the struct has their addresses.
        self._names = name_bytes(shader.name), None if function is None else name_bytes(function)
        self._options.file, self._options.function = self._names
        self.json: json_types.Graph = json.loads(self._made(_c.UNSHADE_GRAPH_JSON))

    def _made(self, form: int) -> str:
        return text(_c.unshade_graph, self._shader._handle.value, form, ctypes.byref(self._options))

    @property
    def svg(self) -> str:
        return self._made(_c.UNSHADE_GRAPH_SVG)

    @property
    def dot(self) -> str:
        return self._made(_c.UNSHADE_GRAPH_DOT)

    def __str__(self) -> str:
        return self._made(_c.UNSHADE_GRAPH_TEXT)

    def __repr__(self) -> str:
        functions = [function for file in self.json["files"] for function in file["functions"]]
        return f"<unshade.Graph: {len(functions)} functions, {sum(len(function['blocks']) for function in functions)} blocks>"

    def _repr_svg_(self) -> str:
        return self.svg

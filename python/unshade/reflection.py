"""What a shader reads, writes and binds."""
from __future__ import annotations

import ctypes
import html
import json
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Tuple, Type, TypeVar

from . import _c
from ._call import Handle, failure, made, text, text_of

if TYPE_CHECKING:
    from . import json_types
    from .shader import Shader

_NONE = 0xFFFF_FFFF
_Struct = TypeVar("_Struct", bound=ctypes.Structure)


class Element(NamedTuple):
    """An element of a signature. `register` (or location) is None where it has none; masks are of components, "xyz"; `used` are those read of what is
    taken in, and those that may be written of what is given out."""

    semantic: str
    semantic_index: int
    register: Optional[int]
    mask: str
    used: str
    stream: int
    system_value: str
    component_type: str


class EntryPoint(NamedTuple):
    """`thread_group` is None where the stage has none; `required_features`: D3D_SHADER_REQUIRES_* added together."""

    name: str
    stage: str
    inputs: List[Element]
    outputs: List[Element]
    patch_constants: List[Element]
    thread_group: Optional[Tuple[int, int, int]]
    required_features: int


class Variable(NamedTuple):
    """`type` as HLSL spells it, without an array's brackets; `offset` in bytes from the start of the buffer; `elements` of an array, or 0."""

    name: str
    type: str
    offset: int
    size: int
    elements: int


class Buffer(NamedTuple):
    name: str
    size: int
    variables: List[Variable]


class Resource(NamedTuple):
    """`kind`: "texture", "cbuffer", "sampler", "uav_typed" and so on. `bind_count` is 0 where it is unbounded. `buffer`: what it holds, or None."""

    name: str
    kind: str
    bind_point: int
    bind_count: int
    space: int
    buffer: Optional[Buffer]


def _filled(kind: Type[_Struct], function: Callable[..., int], *arguments: Any) -> _Struct:
    struct = kind(struct_size=ctypes.sizeof(kind))
    code = function(*arguments, ctypes.byref(struct))
    if code != _c.UNSHADE_OK:
        raise failure(code, None)
    return struct


def _mask(bits: int) -> str:
    return "".join(name for number, name in enumerate("xyzw") if bits >> number & 1)


class Reflection:
    """`shader.reflection`. `text` are tables for people, `hlsl` declarations, `json` all that is known: docs/reference/reflection.md."""

    def __init__(self, shader: Shader) -> None:
        self._handle = Handle(made(_c.unshade_reflect, shader._handle.value), _c.unshade_reflection_free)
        # The shader may be edited, which opens it anew; its bytes are borrowed.
        self._opened, self._data = shader._handle, shader.data
        handle = self._handle.value
        self.buffers: List[Buffer] = [self._buffer(number) for number in range(_c.unshade_buffer_count(handle))]
        self.resources: List[Resource] = [self._resource(number) for number in range(_c.unshade_resource_count(handle))]
        self.entry_points: List[EntryPoint] = [self._entry_point(number) for number in range(_c.unshade_entry_point_count(handle))]

    def _buffer(self, number: int) -> Buffer:
        handle = self._handle.value
        buffer = _filled(_c.Buffer, _c.unshade_buffer_at, handle, number)
        variables = []
        for place in range(buffer.variable_count):
            variable = _filled(_c.Variable, _c.unshade_variable_at, handle, number, place)
            variables.append(Variable(text_of(variable.name), text_of(variable.type), variable.offset, variable.size, variable.elements))
        return Buffer(text_of(buffer.name), buffer.size, variables)

    def _resource(self, number: int) -> Resource:
        resource = _filled(_c.Resource, _c.unshade_resource_at, self._handle.value, number)
        buffer = None if resource.buffer == _NONE else self.buffers[resource.buffer]
        return Resource(text_of(resource.name), text_of(resource.kind), resource.bind_point, resource.bind_count, resource.space, buffer)

    def _entry_point(self, number: int) -> EntryPoint:
        entry = _filled(_c.EntryPoint, _c.unshade_entry_point_at, self._handle.value, number)
        group = tuple(entry.thread_group)
        counts = ((_c.UNSHADE_INPUTS, entry.input_count), (_c.UNSHADE_OUTPUTS, entry.output_count), (_c.UNSHADE_PATCH_CONSTANTS, entry.patch_constant_count))
        inputs, outputs, patch_constants = ([self._element(number, which, place) for place in range(count)] for which, count in counts)
        return EntryPoint(text_of(entry.name), text_of(entry.stage), inputs, outputs, patch_constants,
                          (group[0], group[1], group[2]) if any(group) else None, entry.required_features)

    def _element(self, entry: int, which: int, place: int) -> Element:
        element = _filled(_c.Element, _c.unshade_element_at, self._handle.value, entry, which, place)
        register = None if element.register_index == _NONE else element.register_index
        return Element(text_of(element.semantic), element.semantic_index, register, _mask(element.component_mask), _mask(element.used_mask),
                       element.stream, text_of(element.system_value), text_of(element.component_type))

    @property
    def inputs(self) -> List[Element]:
        """Of the first entry point."""
        return self.entry_points[0].inputs if self.entry_points else []

    @property
    def outputs(self) -> List[Element]:
        """Of the first entry point."""
        return self.entry_points[0].outputs if self.entry_points else []

    def resource(self, name: str) -> Resource:
        """Raises KeyError if no resource has the name."""
        for resource in self.resources:
            if resource.name == name:
                return resource
        raise KeyError(name)

    @property
    def text(self) -> str:
        return text(_c.unshade_reflection_text, self._handle.value)

    @property
    def hlsl(self) -> str:
        return text(_c.unshade_reflection_hlsl, self._handle.value)

    @property
    def json(self) -> json_types.ReflectFile:
        """All of it."""
        document: json_types.Reflect = json.loads(text(_c.unshade_shader_json, self._opened.value, None, _c.UNSHADE_JSON_REFLECTION))
        return document["files"][0]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<unshade.Reflection: {len(self.entry_points)} entry points, {len(self.resources)} resources, {len(self.buffers)} buffers>"

    def _repr_html_(self) -> str:
        parts: List[str] = []
        rows: List[Tuple[object, ...]]
        for entry in self.entry_points:
            for title, elements in (("inputs", entry.inputs), ("outputs", entry.outputs), ("patch constants", entry.patch_constants)):
                rows = [(f"{element.semantic}{element.semantic_index or ''}", "" if element.register is None else element.register, element.mask,
                         element.used, element.component_type, element.system_value) for element in elements]
                parts.append(table(f"{entry.name} {title}".strip(), ("semantic", "register", "mask", "used", "type", "system value"), rows))
        rows = [(resource.name, resource.kind, resource.bind_point, resource.bind_count or "unbounded", resource.space) for resource in self.resources]
        parts.append(table("resources", ("name", "kind", "bind point", "count", "space"), rows))
        for buffer in self.buffers:
            rows = [(variable.offset, variable.size, variable.type, variable.name + (f"[{variable.elements}]" if variable.elements else ""))
                    for variable in buffer.variables]
            parts.append(table(f"{buffer.name}, {buffer.size} bytes", ("offset", "size", "type", "name"), rows))
        return "".join(parts)


def table(title: str, heads: Tuple[str, ...], rows: Any) -> str:
    """A table in HTML; nothing where there are no rows."""
    if not rows:
        return ""
    head = "".join(f"<th style='text-align:left'>{html.escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td style='text-align:left'>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption style='text-align:left'><b>{html.escape(title)}</b></caption><tr>{head}</tr>{body}</table>"

"""Every byte by name: the fields of a file, whose values can be set."""
from __future__ import annotations

import ctypes
import html
from typing import TYPE_CHECKING, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _c
from ._call import Data, Handle, as_bytes, made, text, text_of
from .errors import Error

if TYPE_CHECKING:
    from .shader import Shader

# A number, a name, the bytes of what has no other value, the fields of bits by name.
Value = Union[int, float, str, bytes, Dict[str, Union[int, str]], None]
KINDS = ("group", "unsigned", "signed", "hexadecimal", "offset", "real", "enumeration", "flags", "bits", "component_mask", "fourcc", "text",
         "bytes", "padding", "unknown", "custom")
_WHOLE = ("unsigned", "signed", "hexadecimal", "offset")
_RAW = ("bytes", "padding", "unknown")


class Detail(NamedTuple):
    """A part of a field's value: a field of bits, a flag, or a value that an enumeration may have."""

    name: str
    value: int
    first_bit: int
    bit_count: int
    is_set: bool
    meaning: str


class Field:
    """A field of a tree, or a group of them. It stays the field of its path when values are set."""

    __slots__ = ("_tree", "_number", "_version")

    def __init__(self, tree: Tree, number: int) -> None:
        self._tree = tree
        self._number = number
        self._version = tree._version

    def _words(self) -> Tuple[int, int, int, int, int, int]:
        tree = self._tree
        tree._refresh()
        if self._version != tree._version:
            raise Error("missing", "the field is of the file before an edit that changed its structure")
        at = self._number * _c.UNSHADE_FIELD_WORDS
        words = tree._words
        return words[at], words[at + 1], words[at + 2], words[at + 3], words[at + 4], words[at + 5]

    @property
    def parent(self) -> Optional[Field]:
        return None if self._number == 0 else Field(self._tree, self._words()[_c.UNSHADE_FIELD_PARENT])

    @property
    def offset(self) -> int:
        """Bytes from the start of the file."""
        return self._words()[_c.UNSHADE_FIELD_AT]

    @property
    def size(self) -> int:
        """Bytes; of a group, those of its own run of fields."""
        return self._words()[_c.UNSHADE_FIELD_SIZE]

    @property
    def index(self) -> Optional[int]:
        """The place in an array."""
        index = self._words()[_c.UNSHADE_FIELD_INDEX]
        return None if index == _c.UNSHADE_NO_OFFSET else index

    @property
    def name(self) -> str:
        """Its last step of the path: "register", "elements[3]"."""
        words = self._words()
        index = words[_c.UNSHADE_FIELD_INDEX]
        name = self._tree._name(words[_c.UNSHADE_FIELD_NAME])
        return name if index == _c.UNSHADE_NO_OFFSET else f"{name}[{index}]"

    @property
    def kind(self) -> str:
        """One of KINDS."""
        return KINDS[self._words()[_c.UNSHADE_FIELD_KIND]]

    @property
    def path(self) -> str:
        """ "ISGN/elements[3]/register"."""
        self._words()
        return text(_c.unshade_tree_path, self._tree._handle.value, self._number)

    @property
    def bytes(self) -> memoryview:
        """Its bytes in the file, not copied."""
        words = self._words()
        return memoryview(self._tree._data)[words[_c.UNSHADE_FIELD_AT] : words[_c.UNSHADE_FIELD_AT] + words[_c.UNSHADE_FIELD_SIZE]]

    @property
    def text(self) -> str:
        """The value as the command shows it; "" for groups."""
        self._words()
        return text(_c.unshade_tree_value, self._tree._handle.value, self._number)

    @property
    def details(self) -> List[Detail]:
        """The fields of bits; the flags; the values that an enumeration may have."""
        self._words()
        found: List[Detail] = []
        detail = _c.Detail(struct_size=ctypes.sizeof(_c.Detail))
        while _c.unshade_tree_detail_at(self._tree._handle.value, self._number, len(found), ctypes.byref(detail)) == _c.UNSHADE_OK:
            found.append(Detail(text_of(detail.name), detail.value, detail.first_bit, detail.bit_count, bool(detail.is_set), text_of(detail.meaning)))
        return found

    @property
    def value(self) -> Value:
        """A number for unsigned, signed, hexadecimal, offset and real; bytes for bytes, padding and unknown; a dict for bits, of names where values
        have them; text for the rest; None for a group. Setting it edits the shader: numbers, names, bytes, or a dict of the fields of bits that
        change."""
        kind = self.kind
        if kind in _WHOLE:
            return int.from_bytes(self.bytes, "little", signed=kind == "signed")
        if kind in _RAW:
            return self.bytes.tobytes()
        if kind == "bits":
            return {detail.name: detail.meaning or detail.value for detail in self.details}
        if kind == "group":
            return None
        if kind == "text":
            return text_of(self.bytes.tobytes().rstrip(b"\0"))
        return float(self.text) if kind == "real" else self.text

    @value.setter
    def value(self, value: Value) -> None:
        self._tree._set(self, value)

    def __iter__(self) -> Iterator[Field]:
        """The fields directly in a group."""
        tree = self._tree
        self._words()
        return (Field(tree, number) for number in tree._children().get(self._number, ()))

    def __getitem__(self, path: str) -> Field:
        """A field by its path from here."""
        return self._tree[path if self._number == 0 else f"{self.path}/{path}"]

    def __len__(self) -> int:
        """The number of fields directly in it."""
        self._words()
        return len(self._tree._children().get(self._number, ()))

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and other._tree is self._tree and other._number == self._number

    def __hash__(self) -> int:
        return hash((id(self._tree), self._number))

    def __repr__(self) -> str:
        value = "" if self.kind == "group" else f" = {self.text}"
        return f"<unshade.Field {self.path}{value} ({self.kind}, {self.size} bytes at {self.offset:#x})>"

    def _repr_html_(self) -> str:
        return self._tree._html(self._number)


def value_text(value: Value) -> str:
    """A value in the words of unshade_set_field()."""
    if isinstance(value, dict):
        return " ".join(f"{name}={one}" for name, one in value.items())
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return str(int(value))
    if value is None:
        raise TypeError("a field needs a value")
    return repr(value) if isinstance(value, float) else str(value)


class Tree:
    """The fields of a file: `tree["ISGN/elements[3]/register"]`, `tree.at(offset)`; iterating gives all of them, groups before what is in them.

    `shader.tree` follows the shader: setting a value edits it. `unshade.tree(data)` is of bytes that need not be a shader, and cannot be set.
    """

    def __init__(self, data: Data) -> None:
        self._shader: Optional[Shader] = None
        self._version = 0
        raw = as_bytes(data)
        self._load(raw, made(_c.unshade_annotate, raw, len(raw)))

    @classmethod
    def of(cls, shader: Shader) -> Tree:
        """That of a shader, which it follows."""
        tree = cls.__new__(cls)
        tree._shader = shader
        tree._version = 0
        tree._load_shader(shader)
        return tree

    def _load_shader(self, shader: Shader) -> None:
        # Its bytes are borrowed, by the shader as well: they live as long as the tree.
        self._load(shader.data, made(_c.unshade_shader_annotate, shader._handle.value))

    def _load(self, data: bytes, handle: int) -> None:
        self._data = data
        self._handle = Handle(handle, _c.unshade_tree_free)
        count = ctypes.c_uint32()
        address = _c.unshade_tree_fields(self._handle.value, ctypes.byref(count))
        self._count = count.value
        # The library's own array: it lives as long as the handle.
        self._words = (ctypes.c_uint32 * (count.value * _c.UNSHADE_FIELD_WORDS)).from_address(address or 0) if count.value else (ctypes.c_uint32 * 0)()
        self._names: Dict[int, str] = {}
        self._in_groups: Optional[Dict[int, List[int]]] = None

    def _refresh(self) -> None:
        """Reads the fields again if the shader was edited. Fields stay what they are if the structure is the same."""
        if self._shader is None or self._shader.data is self._data:
            return
        before = bytes(self._words)
        self._load_shader(self._shader)
        if bytes(self._words) != before:
            self._version += 1

    def _name(self, number: int) -> str:
        name = self._names.get(number)
        if name is None:
            name = self._names[number] = text_of(_c.unshade_tree_name(self._handle.value, number))
        return name

    def _children(self) -> Dict[int, List[int]]:
        if self._in_groups is None:
            self._in_groups = {}
            for number in range(1, self._count):
                self._in_groups.setdefault(self._words[number * _c.UNSHADE_FIELD_WORDS], []).append(number)
        return self._in_groups

    def _set(self, field: Field, value: Value) -> None:
        if self._shader is None:
            raise TypeError("the tree is of bytes, not of a shader: its values cannot be set")
        self._shader.set(field.path, value)

    @property
    def root(self) -> Field:
        """The file."""
        self._refresh()
        return Field(self, 0)

    def __getitem__(self, path: str) -> Field:
        """Raises KeyError if no field has the path."""
        self._refresh()
        number = _c.unshade_tree_find(self._handle.value, path.encode()) if "\0" not in path else 0
        if number == 0:
            raise KeyError(path)
        return Field(self, number)

    def __contains__(self, path: object) -> bool:
        self._refresh()
        return isinstance(path, str) and "\0" not in path and _c.unshade_tree_find(self._handle.value, path.encode()) != 0

    def at(self, offset: int) -> Field:
        """The field that a byte of the file belongs to. Raises IndexError beyond its end."""
        self._refresh()
        number = _c.unshade_tree_at(self._handle.value, offset) if 0 <= offset < len(self._data) else 0
        if number == 0:
            raise IndexError(f"no field has the byte {offset:#x}")
        return Field(self, number)

    def __iter__(self) -> Iterator[Field]:
        self._refresh()
        return (Field(self, number) for number in range(1, self._count))

    def __len__(self) -> int:
        """The number of fields, groups included."""
        self._refresh()
        return self._count - 1

    @property
    def errors(self) -> List[Error]:
        """The faults that ended the reading of parts; none for a file that can be read."""
        self._refresh()
        found = []
        message = _c.Message(struct_size=ctypes.sizeof(_c.Message))
        for number in range(_c.unshade_tree_error_count(self._handle.value)):
            _c.unshade_tree_error_at(self._handle.value, number, ctypes.byref(message))
            found.append(Error(text_of(message.rule), text_of(message.text), message.offset, text_of(message.path)))
        return found

    def __repr__(self) -> str:
        return f"<unshade.Tree: {len(self)} fields, {len(self._data)} bytes>"

    def _repr_html_(self) -> str:
        self._refresh()
        return self._html(0)

    def _html(self, number: int, left: Optional[List[int]] = None) -> str:
        """Groups fold. `left`: how many rows may still be written: a notebook with a million of them is of no use."""
        left = [2000] if left is None else left
        field = Field(self, number)
        name = html.escape(field.name if number else "file")
        place = f"<code style='opacity:.6'>{field.offset:#x}+{field.size}</code>"
        left[0] -= 1
        if field.kind != "group":
            return f"<div style='padding-left:1.2em'>{place} {name} = <b>{html.escape(field.text)}</b></div>"
        rows = []
        for child in self._children().get(number, ()):
            if left[0] <= 0:
                rows.append("<div style='padding-left:1.2em'>…</div>")
                break
            rows.append(self._html(child, left))
        return f"<details style='padding-left:1.2em'{' open' if number == 0 else ''}><summary>{place} {name}</summary>{''.join(rows)}</details>"

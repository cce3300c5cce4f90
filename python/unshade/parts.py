"""The parts of a file: of a container, of an SHBIN, the stages of a VBC file."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, List, Sequence, Union, overload

from . import _c
from ._call import text_of

if TYPE_CHECKING:
    from .shader import Shader


class Part:
    """A part. `bytes(part)` copies its data, `part.data` does not."""

    __slots__ = ("name", "offset", "size", "data")

    def __init__(self, name: str, offset: int, data: memoryview) -> None:
        self.name = name
        self.offset = offset
        """Of its header, bytes from the start of the file."""
        self.size = len(data)
        """Bytes of its data, without the header."""
        self.data = data

    def __bytes__(self) -> bytes:
        return self.data.tobytes()

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<unshade.Part {self.name}: {self.size} bytes at {self.offset:#x}>"


class Parts(Sequence[Part]):
    """Parts by index or, the first of several, by name: `shader.parts["ISGN"]`."""

    def __init__(self, shader: Shader) -> None:
        self._parts: List[Part] = []
        address = _c.unshade_shader_data(shader._handle.value)
        whole = memoryview(shader.data)
        if _c.unshade_shader_size(shader._handle.value) != len(shader.data):
            # The container inside of a PDB, whose blocks may be anywhere.
            whole = memoryview(ctypes.string_at(address or 0, _c.unshade_shader_size(shader._handle.value)))
        header = 8 if shader.family in ("dxbc", "dxil") else 0
        part = _c.Part(struct_size=ctypes.sizeof(_c.Part))
        for number in range(shader._summary.part_count):
            _c.unshade_part_at(shader._handle.value, number, ctypes.byref(part))
            start = part.offset + header
            self._parts.append(Part(text_of(part.name), part.offset, whole[start : start + part.size]))

    def names(self) -> List[str]:
        return [part.name for part in self._parts]

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, name: object) -> bool:
        """Whether a part has the name."""
        return name in self.names() or name in self._parts

    @overload
    def __getitem__(self, key: Union[int, str]) -> Part: ...
    @overload
    def __getitem__(self, key: slice) -> List[Part]: ...
    def __getitem__(self, key: Union[int, str, slice]) -> Union[Part, List[Part]]:
        """Raises KeyError if no part has the name."""
        if isinstance(key, str):
            for part in self._parts:
                if part.name == key:
                    return part
            raise KeyError(key)
        return self._parts[key]

    def __repr__(self) -> str:
        return f"<unshade.Parts: {' '.join(f'{part.name}:{part.size}' for part in self._parts)}>"

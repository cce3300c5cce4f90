"""Calls of the C interface: handles that are freed, blobs that become Python's, codes that become exceptions."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional, Union

from . import _c
from .errors import Error

Data = Union[bytes, bytearray, memoryview]
# Found once: each call of the library passes here.
_Pointer, _byref = ctypes.c_void_p, ctypes.byref


class Handle:
    """An object of the library, which is freed with this one."""

    __slots__ = ("value", "_free")

    def __init__(self, value: int, free: Callable[[Optional[int]], None]) -> None:
        self.value = value
        self._free = free

    def __del__(self) -> None:
        self._free(self.value)


def text_of(name: Optional[bytes]) -> str:
    """Bytes that are not UTF-8 become the characters U+0080 to U+00FF, as in the JSON that the command writes."""
    if not name:
        return ""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")


def name_bytes(name: Union[str, bytes]) -> bytes:
    """A name, for a function that takes one ending in a zero."""
    made = name.encode() if isinstance(name, str) else bytes(name)
    if b"\0" in made:
        raise ValueError("a name contains a zero")
    return made


def failure(code: int, fault: Optional[int]) -> Exception:
    """The exception for a code, and the error object if there is one, which is freed."""
    if code == _c.UNSHADE_OUT_OF_MEMORY:
        _c.unshade_error_free(fault)
        return MemoryError("unshade")
    name = text_of(_c.unshade_code_name(code))
    if not fault:
        return Error(name, "the request has no answer")
    error = Error(name, text_of(_c.unshade_error_message(fault)), _c.unshade_error_offset(fault), text_of(_c.unshade_error_path(fault)))
    _c.unshade_error_free(fault)
    return error


def made(function: Callable[..., int], *arguments: Any) -> int:
    """What a function makes whose last parameters are the object and the error."""
    value, fault = _Pointer(), _Pointer()
    code = function(*arguments, _byref(value), _byref(fault))
    found: Optional[int] = value.value
    if code or found is None:
        raise failure(code, fault.value)
    return found


def blob(function: Callable[..., int], *arguments: Any) -> bytes:
    """The bytes that a function makes."""
    return taken_blob(made(function, *arguments))


def taken_blob(value: Optional[int]) -> bytes:
    """The bytes of a blob, which is freed."""
    found = ctypes.string_at(_c.unshade_blob_data(value) or 0, _c.unshade_blob_size(value))
    _c.unshade_blob_free(value)
    return found


def text(function: Callable[..., int], *arguments: Any) -> str:
    """The text that a function makes."""
    return blob(function, *arguments).decode("utf-8", "replace")


def as_bytes(data: Data) -> bytes:
    """Without a copy where they are bytes already."""
    return data if isinstance(data, bytes) else bytes(data)

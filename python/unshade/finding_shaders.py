"""Shaders inside other bytes."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _c
from ._call import Data, Handle, as_bytes, blob, made, text_of
from .errors import Error

Path = Union[str, "os.PathLike[str]"]


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


class PackedShader(NamedTuple):
    """A shader in bytes or in what is packed in them. `layers`: the archives and streams that it lies in, outermost first: `form`, `member`, `offset`; `offset`: in the innermost;
    the rest is as in Hit. `data`: its bytes."""

    offset: int
    size: int
    family: str
    form: str
    stage: Optional[str]
    profile: Optional[str]
    certainty: str
    parent: Optional[int]
    layers: List[Dict[str, Any]]
    data: bytes


class Fault(NamedTuple):
    """What could not be unpacked: `layers` is "!textures.zip!(gzip)", `offset` in the packed bytes."""

    layers: str
    code: str
    message: str
    offset: int


def packed_shaders(packed: Handle, with_data: bool) -> Iterator[PackedShader]:
    """What the library found. The same object as `packed` must not be used by another thread meanwhile."""
    row = _c.PackedShader(struct_size=ctypes.sizeof(_c.PackedShader))
    layer = _c.Layer(struct_size=ctypes.sizeof(_c.Layer))
    for number in range(_c.unshade_packed_count(packed.value)):
        _c.unshade_packed_at(packed.value, number, ctypes.byref(row))
        layers = []
        for place in range(row.layer_count):
            _c.unshade_packed_layer_at(packed.value, number, place, ctypes.byref(layer))
            layers.append({"form": text_of(layer.form), "member": text_of(layer.member) or None, "offset": None if layer.offset == _c.UNSHADE_NO_STREAM else layer.offset})
        data = blob(_c.unshade_packed_data, packed.value, number) if with_data else b""
        parent = None if row.parent == _c.UNSHADE_NO_PARENT else row.parent
        yield PackedShader(row.offset, row.size, text_of(_c.unshade_family_name(row.family)), text_of(row.form), text_of(row.stage) or None, text_of(row.profile) or None,
                           text_of(row.certainty), parent, layers, data)


def packed_faults(packed: Handle) -> List[Fault]:
    """What could not be unpacked."""
    faults = []
    row = _c.Message(struct_size=ctypes.sizeof(_c.Message))
    for number in range(_c.unshade_packed_fault_count(packed.value)):
        _c.unshade_packed_fault_at(packed.value, number, ctypes.byref(row))
        faults.append(Fault(text_of(row.path), text_of(row.rule), text_of(row.text), row.offset))
    return faults


def files_of(path: Path) -> List[str]:
    """A file, or all files in a folder. Links to folders are not followed."""
    name = os.fspath(path)
    if not os.path.isdir(name):
        return [name]
    return sorted(os.path.join(folder, file) for folder, _, files in os.walk(name) for file in files
                  if os.path.isfile(os.path.join(folder, file)))


def unpack_file(path: str, decompress: bool) -> Handle:
    """What the library finds in a file."""
    return Handle(made(_c.unshade_unpack_file, os.fsencode(path), _c.UNSHADE_UNPACK_STREAMS if decompress else 0), _c.unshade_packed_free)


def has_unpack() -> bool:
    """Whether the library was built with the component unpack."""
    try:
        unpack(b"")
    except Error as error:
        if error.code != "unsupported":
            raise
        return False
    return True


def unpack(data: Data, *, decompress: bool = False) -> Tuple[List[PackedShader], List[Fault]]:
    """Every shader in bytes of any kind, also in archives, compressed files and files of engines, and what of these could not be unpacked. `decompress`: in compressed streams at
    any place too. Error "unsupported" if the library was built without the component unpack."""
    raw = as_bytes(data)
    packed = Handle(made(_c.unshade_unpack, raw, len(raw), _c.UNSHADE_UNPACK_STREAMS if decompress else 0), _c.unshade_packed_free)
    return list(packed_shaders(packed, True)), packed_faults(packed)

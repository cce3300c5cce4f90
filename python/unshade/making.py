"""Shaders made: opened, assembled, built of documents, taken out of source text."""
from __future__ import annotations

import ctypes
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

from . import _c
from ._call import Data, as_bytes, blob, failure, made, name_bytes, taken_blob
from .errors import Error
from .findings import AssemblyError, Finding, taken_messages
from .shader import FAMILIES, Shader

if TYPE_CHECKING:
    from . import json_types

Source = Union[str, "os.PathLike[str]", Data]


def open(source: Source, name: Optional[str] = None) -> Shader:
    """Opens a file of any family, by its path or its bytes. `name`: what errors and answers call it; its path, if it is missing."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Shader(source, name or "")
    return Shader(pathlib.Path(source).read_bytes(), os.fspath(source) if name is None else name)


def pack(modules: Sequence[Shader], like: Optional[Shader] = None) -> Shader:
    """A VBC of SPIR-V modules, each the stage of its entry point. `like`: a VBC from which what no stage declares is taken."""
    handles = (ctypes.c_void_p * len(modules))(*[module._handle.value for module in modules])
    return Shader(blob(_c.unshade_pack, handles, len(handles), None if like is None else like._handle.value))


def link(files: Sequence[Shader]) -> Shader:
    """One SHBIN of several, objects among them."""
    handles = (ctypes.c_void_p * len(files))(*[file._handle.value for file in files])
    return Shader(blob(_c.unshade_link, handles, len(handles)))


def make_root_signature(source: str) -> bytes:
    """The data of a part RTS0 of the text of [RootSignature("...")], or of HLSL with one. Raises AssemblyError."""
    raw = source.encode()
    value, messages, fault = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    code = _c.unshade_root_signature_make(raw, len(raw), ctypes.byref(value), ctypes.byref(messages), ctypes.byref(fault))
    findings = taken_messages(messages.value)
    if code == _c.UNSHADE_OK and value.value is not None:
        return taken_blob(value.value)
    raise _assembly_error(code, fault.value, findings)


def identify(data: Data) -> str:
    """The family that the first bytes tell: one of FAMILIES, or "unknown"."""
    raw = as_bytes(data)
    return (_c.unshade_family_name(_c.unshade_identify(raw, len(raw))) or b"").decode()


def open_source(text: str, name: Optional[str] = None) -> Shader:
    """Opens a shader in source text, as fxc /Fh and others write it: the array of a name, or the only one that is a shader."""
    raw = text.encode()
    value = made(_c.unshade_open_source, raw, len(raw), None if name is None else name_bytes(name))
    data = ctypes.string_at(_c.unshade_shader_data(value) or 0, _c.unshade_shader_size(value))
    _c.unshade_shader_free(value)
    return Shader(data, name or "")


def assemble(source: str, *, family: Optional[str] = None, container: bool = False, into: Union[Shader, Data, None] = None) -> Shader:
    """Assembles a listing. `family`: that of the text; None: what it looks like. DXIL: `container`: makes a container for the program, with all that
    follows from it; `into`: a container in a copy of which the program takes the place of the one that is there; without either bare bitcode comes
    out. Raises AssemblyError, which has all that is wrong with the text."""
    if family is not None and family not in FAMILIES:
        raise ValueError(f"unknown family: {family}; known are {', '.join(FAMILIES)}")
    raw = source.encode()
    kept = None if into is None else into.data if isinstance(into, Shader) else as_bytes(into)
    options = _c.AssembleOptions(struct_size=ctypes.sizeof(_c.AssembleOptions), make_container=int(container), into_size=0 if kept is None else len(kept))
    options.language = _c.UNSHADE_UNKNOWN_FAMILY if family is None else FAMILIES.index(family)
    options.into = None if kept is None else ctypes.cast(ctypes.c_char_p(kept), ctypes.c_void_p).value
    value, messages, fault = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    code = _c.unshade_assemble_with(ctypes.byref(options), raw, len(raw), ctypes.byref(value), ctypes.byref(messages), ctypes.byref(fault))
    findings = taken_messages(messages.value)
    if code == _c.UNSHADE_OK and value.value is not None:
        return Shader(taken_blob(value.value), notes=[finding.message for finding in findings])
    raise _assembly_error(code, fault.value, findings)


def _assembly_error(code: int, fault: Optional[int], findings: List[Finding]) -> Exception:
    error = failure(code, fault)
    if not isinstance(error, Error) or not findings:
        return error
    first = next((finding for finding in findings if finding.severity == "error"), findings[0])
    place = f"line {first.line}" if first.line else first.path
    return AssemblyError(error.code, f"{place}: {first.message}" if place else first.message, first.offset, findings=findings)


def build(document: Union[json_types.Document, Dict[str, Any], str]) -> Shader:
    """Makes a file of a document: what Shader.document() gives, or JSON."""
    raw = (document if isinstance(document, str) else json.dumps(document)).encode()
    return Shader(blob(_c.unshade_build, raw, len(raw)))

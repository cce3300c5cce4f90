"""Shaders in another language: SPIR-V, or source."""
from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional

from . import _c
from ._call import failure, name_bytes, taken_blob

if TYPE_CHECKING:
    from .shader import Shader


class Translation(NamedTuple):
    """What Shader.translate() gives."""

    module: Shader
    """The module."""
    bindings: List[Dict[str, Any]]
    """Where each resource is bound: "name", "kind", "space", "register" and "count" in the source; "set", "binding", of some "counter_binding"."""


class SourceText(NamedTuple):
    """What Shader.decompile() gives."""

    text: str
    language: str
    """"hlsl" or "glsl"."""
    lines: List[Dict[str, Any]]
    """What the lines of the text are written of: "line" (from 1), "function", "instruction", and "listing_line", where that is in the listing."""
    score: Dict[str, int]
    """How the text reads: "statements", "temporaries", "casts" and others."""

    def __str__(self) -> str:
        return self.text


def _text(word: Optional[str]) -> Optional[bytes]:
    return None if word is None else name_bytes(word)


def translated(shader: Shader, entry: Optional[str], target_env: Optional[str], binding_model: Optional[str], shifts: Optional[str],
               first_set: int, heap_set: Optional[int], debug_info: Optional[str], native: bool, flip_y: bool) -> Translation:
    from .shader import Shader as Opened

    options = _c.TranslateOptions(struct_size=ctypes.sizeof(_c.TranslateOptions), native=int(native), flip_y=int(flip_y),
                                  has_heap_set=int(heap_set is not None), heap_set=heap_set or 0, first_set=first_set)
    kept = name_bytes(shader.name), _text(entry), _text(target_env), _text(binding_model), _text(shifts), _text(debug_info)
    options.file, options.entry, options.target_env, options.binding_model, options.shifts, options.debug_info = kept
    module, bindings, fault = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    code = _c.unshade_translate(shader._handle.value, ctypes.byref(options), ctypes.byref(module), ctypes.byref(bindings), ctypes.byref(fault))
    if code != _c.UNSHADE_OK:
        raise failure(code, fault.value)
    document = json.loads(taken_blob(bindings.value))
    return Translation(Opened(taken_blob(module.value)), document["files"][0]["bindings"])


def decompiled(shader: Shader, entry: Optional[str], language: Optional[str], setting: Optional[str], environment: Optional[str], version: int,
               flip_y: bool) -> SourceText:
    options = _c.DecompileOptions(struct_size=ctypes.sizeof(_c.DecompileOptions), version=version, flip_y=int(flip_y))
    kept = name_bytes(shader.name), _text(entry), _text(language), _text(setting), _text(environment)
    options.file, options.entry, options.language, options.setting, options.environment = kept
    source, document, fault = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    code = _c.unshade_decompile(shader._handle.value, ctypes.byref(options), ctypes.byref(source), ctypes.byref(document), ctypes.byref(fault))
    if code != _c.UNSHADE_OK:
        raise failure(code, fault.value)
    made = json.loads(taken_blob(document.value))["files"][0]
    return SourceText(taken_blob(source.value).decode(), made["language"], made["lines"], made["score"])

#!/usr/bin/env python3
"""What a shader is, what it binds, and its listing: inspect_shader.py FILE.

Uses the C interface by ctypes alone. UNSHADE_LIBRARY names libunshade.so where the loader does not find it.
"""
import ctypes
import ctypes.util
import os
import sys

UNSHADE = ctypes.CDLL(os.environ.get("UNSHADE_LIBRARY") or ctypes.util.find_library("unshade") or "libunshade.so")


class Summary(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("family", ctypes.c_int32),
        ("instruction_count", ctypes.c_uint32),
        ("size", ctypes.c_uint64),
        ("stage", ctypes.c_char_p),
        ("profile", ctypes.c_char_p),
        ("creator", ctypes.c_char_p),
        ("digest", ctypes.c_char_p),
        ("part_count", ctypes.c_uint32),
        ("trailing", ctypes.c_uint32),
    ]


class Resource(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_char_p),
        ("bind_point", ctypes.c_uint32),
        ("bind_count", ctypes.c_uint32),
        ("space", ctypes.c_uint32),
        ("buffer", ctypes.c_uint32),
    ]


HANDLE = ctypes.c_void_p
SIGNATURES = {
    "unshade_code_name": (ctypes.c_char_p, [ctypes.c_int32]),
    "unshade_error_code": (ctypes.c_int32, [HANDLE]),
    "unshade_error_offset": (ctypes.c_uint64, [HANDLE]),
    "unshade_error_path": (ctypes.c_char_p, [HANDLE]),
    "unshade_error_message": (ctypes.c_char_p, [HANDLE]),
    "unshade_error_free": (None, [HANDLE]),
    "unshade_blob_data": (ctypes.c_void_p, [HANDLE]),
    "unshade_blob_size": (ctypes.c_size_t, [HANDLE]),
    "unshade_blob_free": (None, [HANDLE]),
    "unshade_family_name": (ctypes.c_char_p, [ctypes.c_int32]),
    "unshade_open": (ctypes.c_int32, [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(HANDLE), ctypes.POINTER(HANDLE)]),
    "unshade_shader_free": (None, [HANDLE]),
    "unshade_summarize": (ctypes.c_int32, [HANDLE, ctypes.POINTER(Summary)]),
    "unshade_reflect": (ctypes.c_int32, [HANDLE, ctypes.POINTER(HANDLE), ctypes.POINTER(HANDLE)]),
    "unshade_reflection_free": (None, [HANDLE]),
    "unshade_resource_count": (ctypes.c_uint32, [HANDLE]),
    "unshade_resource_at": (ctypes.c_int32, [HANDLE, ctypes.c_uint32, ctypes.POINTER(Resource)]),
    "unshade_disassemble": (ctypes.c_int32, [HANDLE, ctypes.c_uint32, ctypes.POINTER(HANDLE), ctypes.POINTER(HANDLE)]),
}
for name, (result, arguments) in SIGNATURES.items():
    getattr(UNSHADE, name).restype = result
    getattr(UNSHADE, name).argtypes = arguments


class Fault(Exception):
    pass


def make(function, *arguments):
    """Calls a function that makes an object: the object's handle, or Fault."""
    made, error = HANDLE(), HANDLE()
    if getattr(UNSHADE, function)(*arguments, ctypes.byref(made), ctypes.byref(error)) == 0:
        return made
    code = UNSHADE.unshade_code_name(UNSHADE.unshade_error_code(error)).decode()
    text = f"{UNSHADE.unshade_error_offset(error):#x}: error[{code}]: " + b": ".join(
        [UNSHADE.unshade_error_path(error), UNSHADE.unshade_error_message(error)]
    ).decode("utf-8", "replace")
    UNSHADE.unshade_error_free(error)
    raise Fault(text)


def main():
    if len(sys.argv) != 2:
        print("usage: inspect_shader.py FILE", file=sys.stderr)
        return 2
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        shader = make("unshade_open", data, len(data))
    except Fault as fault:
        print(f"{sys.argv[1]}:{fault}", file=sys.stderr)
        return 1
    try:
        summary = Summary(struct_size=ctypes.sizeof(Summary))
        UNSHADE.unshade_summarize(shader, ctypes.byref(summary))
        print(UNSHADE.unshade_family_name(summary.family).decode(), summary.profile.decode(), summary.stage.decode())
        reflection = make("unshade_reflect", shader)
        for index in range(UNSHADE.unshade_resource_count(reflection)):
            resource = Resource(struct_size=ctypes.sizeof(Resource))
            UNSHADE.unshade_resource_at(reflection, index, ctypes.byref(resource))
            print(f"{resource.name.decode()}: {resource.kind.decode()} {resource.bind_point}, space {resource.space}")
        UNSHADE.unshade_reflection_free(reflection)
        listing = make("unshade_disassemble", shader, 0)
        text = ctypes.string_at(UNSHADE.unshade_blob_data(listing), UNSHADE.unshade_blob_size(listing))
        UNSHADE.unshade_blob_free(listing)
        sys.stdout.write(text.decode("utf-8", "replace"))
    except Fault as fault:
        print(f"{sys.argv[1]}:{fault}", file=sys.stderr)
        return 1
    finally:
        UNSHADE.unshade_shader_free(shader)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs a vertex shader without a GPU and checks a position: run_shader.py tests/data/dxbc/lit_vs_5_0.dxbc.

Uses the C interface by ctypes alone. UNSHADE_LIBRARY names libunshade.so where the loader does not find it.
"""
import ctypes
import ctypes.util
import os
import sys

UNSHADE = ctypes.CDLL(os.environ.get("UNSHADE_LIBRARY") or ctypes.util.find_library("unshade") or "libunshade.so")
for name in ("unshade_error_message", "unshade_error_path", "unshade_result_stop"):
    getattr(UNSHADE, name).restype = ctypes.c_char_p
HANDLE = ctypes.c_void_p


def make(function, *arguments):
    """Calls a function that makes an object: its handle."""
    made, error = HANDLE(), HANDLE()
    if getattr(UNSHADE, function)(*arguments, ctypes.byref(made), ctypes.byref(error)) != 0:
        text = b": ".join([UNSHADE.unshade_error_path(error), UNSHADE.unshade_error_message(error)]).decode()
        UNSHADE.unshade_error_free(error)
        sys.exit(text)
    return made


def doubles(values):
    return (ctypes.c_double * len(values))(*values)


class Program:
    """A shader and its inputs."""

    def __init__(self, data):
        shader = make("unshade_open", data, ctypes.c_size_t(len(data)))
        self.handle = make("unshade_program_new", shader, None)
        UNSHADE.unshade_shader_free(shader)

    def constant(self, name, values):
        UNSHADE.unshade_set_constant(self.handle, name.encode(), doubles(values), ctypes.c_size_t(len(values)))

    def lane(self, lane, **inputs):
        for name, values in inputs.items():
            UNSHADE.unshade_set_input(self.handle, ctypes.c_uint32(lane), name.encode(), doubles(values), ctypes.c_size_t(len(values)))

    def run(self):
        return make("unshade_run", self.handle, None)


def output(result, lane, semantic):
    values, count = (ctypes.c_double * 4)(), ctypes.c_size_t()
    UNSHADE.unshade_result_output(result, ctypes.c_uint32(lane), semantic.encode(), values, ctypes.c_size_t(4), ctypes.byref(count))
    return list(values)[: count.value]


def main():
    if len(sys.argv) != 2:
        print("usage: run_shader.py lit_vs_5_0.dxbc", file=sys.stderr)
        return 2
    with open(sys.argv[1], "rb") as file:
        program = Program(file.read())
    program.constant("world", [2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1])
    program.constant("viewProjection", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    program.lane(0, POSITION=[1, 2, 3], NORMAL=[0, 0, 3])
    result = program.run()
    position = output(result, 0, "SV_Position")
    print(UNSHADE.unshade_result_stop(result).decode(), position)
    UNSHADE.unshade_result_free(result)
    UNSHADE.unshade_program_free(program.handle)
    return 0 if position == [3, 4, 6, 1] else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""What a call costs from Python over one from C: UNSHADE_LIBRARY=build/release/libunshade.so PYTHONPATH=build/release/python bench/python_calls.py FILE

Calls functions of the C interface that do little, in a loop of C (made with cc) and in one of Python, and prints nanoseconds of processor time a call, the
least of 50 rounds. The budget is 1,000 ns over C for each call of a C function; those marked by `*` are several, and what Python makes of them.
"""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import unshade
from unshade import _c

LOOPS = r"""
#include <stddef.h>
#include <unshade/unshade.h>
#define LOOP(name, call) void name(const unshade_shader *s, const unshade_tree *t, long n) { (void)s; (void)t; for (long i = 0; i < n; ++i) { call; } }
LOOP(shader_size, (void)unshade_shader_size(s))
LOOP(summarize, unshade_summary out = {.struct_size = sizeof out}; unshade_summarize(s, &out))
LOOP(part_at, unshade_part out = {.struct_size = sizeof out}; unshade_part_at(s, 0, &out))
LOOP(tree_at, (void)unshade_tree_at(t, 0x9d))
LOOP(tree_find, (void)unshade_tree_find(t, "ISGN/elements[0]/register"))
LOOP(tree_value, unshade_blob *out; unshade_tree_value(t, 20, &out, NULL); unshade_blob_free(out))
LOOP(open_free, unshade_shader *out; unshade_open_borrowed(unshade_shader_data(s), unshade_shader_size(s), &out, NULL); unshade_shader_free(out))
"""


def least(run, calls):
    """Nanoseconds a call."""
    rounds = []
    for _ in range(50):
        start = time.thread_time_ns()
        run(calls)
        rounds.append((time.thread_time_ns() - start) / calls)
    return min(rounds)


def repeated(call):
    def run(calls):
        for _ in range(calls):
            call()

    return run


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    include = pathlib.Path(__file__).resolve().parent.parent / "include"
    shader = unshade.open(sys.argv[1])
    tree = shader.tree
    handle, fields = shader._handle.value, tree._handle.value
    summary, part = _c.Summary(struct_size=ctypes.sizeof(_c.Summary)), _c.Part(struct_size=ctypes.sizeof(_c.Part))
    to_summary, to_part = ctypes.byref(summary), ctypes.byref(part)
    in_python = {
        "shader_size": lambda: _c.unshade_shader_size(handle),
        "summarize": lambda: _c.unshade_summarize(handle, to_summary),
        "part_at": lambda: _c.unshade_part_at(handle, 0, to_part),
        "tree_at": lambda: _c.unshade_tree_at(fields, 0x9D),
        "tree_find": lambda: _c.unshade_tree_find(fields, b"ISGN/elements[0]/register"),
        "tree_value*": lambda: unshade._call.text(_c.unshade_tree_value, fields, 20),
        "open_free*": lambda: unshade.Shader(shader.data),
    }
    with tempfile.TemporaryDirectory() as folder:
        source, made = pathlib.Path(folder, "loops.c"), pathlib.Path(folder, "loops.so")
        source.write_text(LOOPS)
        subprocess.run(["cc", "-std=c99", "-O2", "-shared", "-fPIC", f"-I{include}", source, "-o", made], check=True)
        ctypes.CDLL(os.environ["UNSHADE_LIBRARY"], mode=ctypes.RTLD_GLOBAL)
        loops = ctypes.CDLL(str(made))
        print(f"{'call':<12} {'C':>9} {'Python':>9} {'over':>9}   ns")
        for name, call in in_python.items():
            loop = getattr(loops, name.rstrip("*"))
            loop.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
            in_c = least(lambda calls: loop(handle, fields, calls), 2000)
            python = least(repeated(call), 2000)
            print(f"{name:<12} {in_c:9.0f} {python:9.0f} {python - in_c:9.0f}")


if __name__ == "__main__":
    main()

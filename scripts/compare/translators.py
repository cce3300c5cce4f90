#!/usr/bin/env python3
"""Translation of DXBC to SPIR-V beside vkd3d's: translators.py LIBUNSHADE [--vkd3d LIBRARY] [--every N] [--times N] [--optimize] [FOLDER...]

Both libraries are called in this process, one after the other for each file, N times (default: 5), of which the least time counts. LIBUNSHADE is a release
build's libunshade.so; LIBRARY is libvkd3d-shader.so.1 (Debian: libvkd3d-shader1). Ours translates as `unshade translate` does, and with --native; what
vkd3d takes has no root signature, so that it names no bindings. --optimize: sizes also after `spirv-opt -O`.

Prints, of the files that both translate, medians of times and of sizes and of their ratios; exits 77 (skipped) without vkd3d or files.
"""
import argparse
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus


class Code(ctypes.Structure):
    _fields_ = [("code", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class CompileInfo(ctypes.Structure):
    """src: vkd3d_shader.h, struct vkd3d_shader_compile_info"""
    _fields_ = [("type", ctypes.c_uint32), ("next", ctypes.c_void_p), ("source", Code), ("source_type", ctypes.c_uint32), ("target_type", ctypes.c_uint32),
                ("options", ctypes.c_void_p), ("option_count", ctypes.c_uint32), ("log_level", ctypes.c_uint32), ("source_name", ctypes.c_char_p)]


class TranslateOptions(ctypes.Structure):
    """src: unshade.h, up to the last member that is set here"""
    _fields_ = [("struct_size", ctypes.c_size_t), ("file", ctypes.c_char_p), ("entry", ctypes.c_char_p), ("target_env", ctypes.c_char_p),
                ("binding_model", ctypes.c_char_p), ("shifts", ctypes.c_char_p), ("debug_info", ctypes.c_char_p), ("native", ctypes.c_int), ("flip_y", ctypes.c_int),
                ("has_heap_set", ctypes.c_int), ("heap_set", ctypes.c_uint32), ("first_set", ctypes.c_uint32)]


class Vkd3d:
    DXBC_TPF, SPIRV_BINARY = 1, 1

    def __init__(self, path):
        os.environ.setdefault("VKD3D_SHADER_DEBUG", "none")
        self.library = ctypes.CDLL(path)

    def survives(self, data):
        """Whether a process of its own lives through it: some files end in an assertion."""
        child = os.fork()
        if child == 0:
            os.close(2)
            self.translate(data)
            os._exit(0)
        return os.waitpid(child, 0)[1] == 0

    def translate(self, data):
        """SPIR-V, or None, and the seconds that it took."""
        kept = ctypes.create_string_buffer(data, len(data))
        info = CompileInfo(type=0, source=Code(ctypes.addressof(kept), len(data)), source_type=self.DXBC_TPF, target_type=self.SPIRV_BINARY)
        out, messages = Code(), ctypes.c_char_p()
        start = time.perf_counter()
        code = self.library.vkd3d_shader_compile(ctypes.byref(info), ctypes.byref(out), ctypes.byref(messages))
        seconds = time.perf_counter() - start
        made = ctypes.string_at(out.code, out.size) if code >= 0 else None
        if made is not None:
            self.library.vkd3d_shader_free_shader_code(ctypes.byref(out))
        return made, seconds


class Unshade:
    def __init__(self, path, native):
        self.library = ctypes.CDLL(path)
        for name in ("unshade_blob_data", "unshade_blob_size"):
            getattr(self.library, name).restype = ctypes.c_void_p if name.endswith("data") else ctypes.c_size_t
            getattr(self.library, name).argtypes = [ctypes.c_void_p]
        for name in ("unshade_blob_free", "unshade_shader_free"):
            getattr(self.library, name).argtypes = [ctypes.c_void_p]
        self.options = TranslateOptions(struct_size=ctypes.sizeof(TranslateOptions), native=int(native))

    def translate(self, data):
        shader, module = ctypes.c_void_p(), ctypes.c_void_p()
        start = time.perf_counter()
        code = self.library.unshade_open(data, ctypes.c_size_t(len(data)), ctypes.byref(shader), None)
        if code == 0:
            code = self.library.unshade_translate(shader, ctypes.byref(self.options), ctypes.byref(module), None, None)
        seconds = time.perf_counter() - start
        made = ctypes.string_at(self.library.unshade_blob_data(module), self.library.unshade_blob_size(module)) if code == 0 else None
        self.library.unshade_blob_free(module)
        self.library.unshade_shader_free(shader)
        return made, seconds


def optimized(module):
    """Bytes after spirv-opt -O; None if it refuses the module."""
    with tempfile.TemporaryDirectory(prefix="unshade-translators.") as work:
        path = pathlib.Path(work) / "module.spv"
        path.write_bytes(module)
        done = subprocess.run(["spirv-opt", "-O", path, "-o", path], capture_output=True, check=False)
        return path.stat().st_size if done.returncode == 0 else None


def row(name, values, digits=2):
    if not values:
        return
    ordered = sorted(values)
    print(f"{name:46}{statistics.median(values):10.{digits}f}{ordered[len(ordered) * 9 // 10]:10.{digits}f}{ordered[-1]:10.{digits}f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--vkd3d", default="libvkd3d-shader.so.1")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--optimize", action="store_true")
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_intermixed_args()
    folders = options.folders or [corpus.folder() / "dxbc"]
    files = sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*.dxbc"))[::options.every]
    try:
        peer = Vkd3d(options.vkd3d)
    except OSError as fault:
        sys.exit(corpus.skip(f"no vkd3d: {fault} (Debian: libvkd3d-shader1)"))
    if not files:
        sys.exit(corpus.skip("no files"))
    ours = {"": Unshade(options.library, False), "--native ": Unshade(options.library, True)}
    times, sizes, smaller, alone = {name: [] for name in ours}, {name: [] for name in ours}, {name: [] for name in ours}, [0, 0]
    of_peer, ratios, refused = [], {name: [] for name in ours}, 0
    for path in files:
        data = path.read_bytes()
        theirs = [peer.translate(data) for _ in range(options.times)] if peer.survives(data) else [(None, 0)]
        made = {name: [one.translate(data) for _ in range(options.times)] for name, one in ours.items()}
        has_theirs, has_ours = theirs[0][0] is not None, made[""][0][0] is not None
        if not (has_theirs and has_ours):
            refused += not has_theirs and not has_ours
            alone[0] += has_ours and not has_theirs
            alone[1] += has_theirs and not has_ours
            continue
        seconds = min(time_ for _, time_ in theirs)
        of_peer.append(1000 * seconds)
        small = optimized(theirs[0][0]) if options.optimize else None
        for name, results in made.items():
            own = min(time_ for _, time_ in results)
            times[name].append(1000 * own)
            ratios[name].append(seconds / own)
            sizes[name].append(len(results[0][0]) / len(theirs[0][0]))
            own_small = optimized(results[0][0]) if small else None
            if own_small:
                smaller[name].append(own_small / small)
    print(f"{len(of_peer)} files that both translate; ours alone {alone[0]}, vkd3d alone {alone[1]}, neither {refused}\n")
    print(f"{'':46}{'median':>10}{'of 90 %':>10}{'most':>10}")
    row("vkd3d, ms", of_peer, 3)
    for name in ours:
        row(f"unshade {name}ms", times[name], 3)
    for name in ours:
        row(f"times that unshade {name}is faster", ratios[name])
    for name in ours:
        row(f"size of unshade {name}to vkd3d's", sizes[name])
    for name in ours:
        row(f"size of unshade {name}to vkd3d's, after spirv-opt -O", smaller[name])
    print(f"\nall of them: vkd3d {sum(of_peer):.0f} ms, unshade {sum(times['']):.0f} ms")


if __name__ == "__main__":
    main()

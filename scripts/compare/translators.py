#!/usr/bin/env python3
"""Translation to SPIR-V beside that of vkd3d and dxil-spirv: translators.py BUILD [--vkd3d LIBRARY] [--dxil-spirv LIBRARY] [--every N] [--times N] [--optimize]
[FOLDER...]

    cmake --preset release && cmake --build --preset release --target unshade_c python_package
    scripts/compare/translators.py build/release --dxil-spirv libdxil-spirv-c-shared.so

The libraries are called in this process, one after the other for each file of the folders (by default the corpus), N times (default: 5), of which the least
time of the processor counts. vkd3d's is libvkd3d-shader.so.1 (Debian: libvkd3d-shader1), which takes DXBC; dxil-spirv takes DXBC and DXIL. Ours translates
as `unshade translate` does, and with --native; vkd3d has no root signature, so that it names no bindings, and dxil-spirv is told of the features that
devices with Vulkan 1.3 have. --optimize: sizes also after `spirv-opt -O`.

Prints, of the files that both translate, medians of times and of sizes and of their ratios; exits 77 (skipped) without peers or files.
"""
import argparse
import collections
import ctypes
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus


class Code(ctypes.Structure):
    """src: vkd3d_shader.h, struct vkd3d_shader_code"""
    _fields_ = [("code", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class CompileInfo(ctypes.Structure):
    """src: vkd3d_shader.h, struct vkd3d_shader_compile_info"""
    _fields_ = [("type", ctypes.c_uint32), ("next", ctypes.c_void_p), ("source", Code), ("source_type", ctypes.c_uint32), ("target_type", ctypes.c_uint32),
                ("options", ctypes.c_void_p), ("option_count", ctypes.c_uint32), ("log_level", ctypes.c_uint32), ("source_name", ctypes.c_char_p)]


class Vkd3d:
    name, suffixes = "vkd3d", (".dxbc",)
    DXBC_TPF, SPIRV_BINARY = 1, 1

    def __init__(self, path):
        os.environ.setdefault("VKD3D_SHADER_DEBUG", "none")
        self.library = ctypes.CDLL(path)

    def translate(self, data):
        """SPIR-V, or None, and the seconds that it took."""
        kept = ctypes.create_string_buffer(data, len(data))
        info = CompileInfo(type=0, source=Code(ctypes.addressof(kept), len(data)), source_type=self.DXBC_TPF, target_type=self.SPIRV_BINARY)
        out, messages = Code(), ctypes.c_char_p()
        start = time.thread_time()
        code = self.library.vkd3d_shader_compile(ctypes.byref(info), ctypes.byref(out), ctypes.byref(messages))
        seconds = time.thread_time() - start
        made = ctypes.string_at(out.code, out.size) if code >= 0 else None
        if made is not None:
            self.library.vkd3d_shader_free_shader_code(ctypes.byref(out))
        return made, seconds


class DxilSpirv:
    """src: dxil_spirv_c.h. Without remappers, sets are spaces and bindings are registers."""
    name, suffixes = "dxil-spirv", (".dxbc", ".dxil")
    # What a structure of an option has behind its type: booleans.
    OPTIONS = {
        1: [1],  # demote to helper invocation
        10: [1],  # typed loads of storage images without a format
        14: [1],  # 16 bits in interfaces
        17: [1],  # dot products of bytes
        20: [1, 1],  # scalar block layout
        21: [1],  # barycentrics
        26: [1, 1],  # small numbers of 16 and 64 bits preserved
        29: [1],  # dead code eliminated
        40: [0, 1],  # derivatives of compute shaders, as the KHR extension has them
    }

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name in ("dxil_spv_converter_free", "dxil_spv_parsed_blob_free"):
            getattr(self.library, name).argtypes = [ctypes.c_void_p]
        self.log = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)(lambda *_: None)
        self.options = [ctypes.create_string_buffer(kind.to_bytes(4, "little") + bytes(words), 16) for kind, words in self.OPTIONS.items()]

    def translate(self, data):
        library, blob, converter, out = self.library, ctypes.c_void_p(), ctypes.c_void_p(), Code()
        library.dxil_spv_set_thread_log_callback(self.log, None)
        start = time.thread_time()
        library.dxil_spv_begin_thread_allocator_context()
        code = library.dxil_spv_parse_dxil_blob(data, ctypes.c_size_t(len(data)), ctypes.byref(blob))
        if code == 0:
            code = library.dxil_spv_create_converter(blob, ctypes.byref(converter))
        seconds = time.thread_time() - start
        for option in self.options if code == 0 else ():
            library.dxil_spv_converter_add_option(converter, option)
        start = time.thread_time()
        if code == 0:
            code = library.dxil_spv_converter_run(converter)
        if code == 0:
            code = library.dxil_spv_converter_get_compiled_spirv(converter, ctypes.byref(out))
        seconds += time.thread_time() - start
        made = ctypes.string_at(out.code, out.size) if code == 0 else None
        if converter:
            library.dxil_spv_converter_free(converter)
        if blob:
            library.dxil_spv_parsed_blob_free(blob)
        library.dxil_spv_end_thread_allocator_context()
        return made, seconds


class Unshade:
    def __init__(self, native):
        from unshade import _c, _call
        self.c, self.taken = _c, _call.taken_blob
        self.options = _c.TranslateOptions(struct_size=ctypes.sizeof(_c.TranslateOptions), native=int(native))

    def translate(self, data):
        shader, module = ctypes.c_void_p(), ctypes.c_void_p()
        start = time.thread_time()
        code = self.c.unshade_open(data, len(data), ctypes.byref(shader), None)
        if code == self.c.UNSHADE_OK:
            code = self.c.unshade_translate(shader, ctypes.byref(self.options), ctypes.byref(module), None, None)
        seconds = time.thread_time() - start
        made = self.taken(module.value) if code == self.c.UNSHADE_OK else None
        self.c.unshade_shader_free(shader)
        return made, seconds


def survives(translator, data):
    """Whether a process of its own lives through it: some files end in an assertion, or in no time that one can wait for."""
    child = os.fork()
    if child == 0:
        os.close(2)
        signal.alarm(20)
        translator.translate(data)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


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
    print(f"{name:54}{statistics.median(values):10.{digits}f}{ordered[len(ordered) * 9 // 10]:10.{digits}f}{ordered[-1]:10.{digits}f}")


def compare(peer, ours, files, options):
    """Prints a table of the files of one suffix."""
    of_peer, counts = [], collections.Counter()
    times, ratios, sizes, smaller = ({name: [] for name in ours} for _ in range(4))
    # before anything is timed: a process that has forked copies its pages anew as it writes to them
    survived = [survives(peer, path.read_bytes()) for path in files]
    for path, is_safe in zip(files, survived):
        data = path.read_bytes()
        theirs = [peer.translate(data) for _ in range(options.times)] if is_safe else [(None, 0)]
        made = {name: [one.translate(data) for _ in range(options.times)] for name, one in ours.items()}
        has_theirs, has_ours = theirs[0][0] is not None, made[""][0][0] is not None
        counts[has_ours, has_theirs] += 1
        if not (has_theirs and has_ours):
            continue
        seconds = min(taken for _, taken in theirs)
        of_peer.append(1000 * seconds)
        small = optimized(theirs[0][0]) if options.optimize else None
        for name, results in made.items():
            own = min(taken for _, taken in results)
            times[name].append(1000 * own)
            ratios[name].append(seconds / own)
            sizes[name].append(len(results[0][0]) / len(theirs[0][0]))
            own_small = optimized(results[0][0]) if small else None
            if own_small:
                smaller[name].append(own_small / small)
    print(f"{counts[True, True]} files *{files[0].suffix} that both translate; ours alone {counts[True, False]}, {peer.name} alone {counts[False, True]}, "
          f"neither {counts[False, False]}\n")
    print(f"{'':54}{'median':>10}{'of 90 %':>10}{'most':>10}")
    row(f"{peer.name}, ms", of_peer, 3)
    for name in ours:
        row(f"unshade {name}ms", times[name], 3)
    for name in ours:
        row(f"times that unshade {name}is faster", ratios[name])
    for name in ours:
        row(f"size of unshade {name}to {peer.name}'s", sizes[name])
    for name in ours:
        row(f"size of unshade {name}to {peer.name}'s, after spirv-opt -O", smaller[name])
    print(f"\nall of them: {peer.name} {sum(of_peer):.0f} ms, unshade {sum(times['']):.0f} ms\n", flush=True)


def peers_of(options):
    """Those that can be loaded."""
    for kind, path in ((Vkd3d, options.vkd3d), (DxilSpirv, options.dxil_spirv)):
        try:
            if path:
                yield kind(path)
        except OSError as fault:
            print(f"no {kind.name}: {fault}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--vkd3d", default="libvkd3d-shader.so.1", metavar="LIBRARY")
    parser.add_argument("--dxil-spirv", metavar="LIBRARY")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--times", type=int, default=5, metavar="N")
    parser.add_argument("--optimize", action="store_true")
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_intermixed_args()
    peers = list(peers_of(options))
    os.environ["UNSHADE_LIBRARY"] = str((options.build / "libunshade.so").resolve())
    sys.path.insert(0, str(options.build / "python"))
    ours = {"": Unshade(False), "--native ": Unshade(True)}
    compared = False
    for peer in peers:
        for suffix in peer.suffixes:
            files = corpus.files(suffix, options.folders or [corpus.folder()])[::options.every]
            if files:
                compare(peer, ours, files, options)
                compared = True
    if not compared:
        sys.exit(corpus.skip("no peer or no files"))


if __name__ == "__main__":
    main()

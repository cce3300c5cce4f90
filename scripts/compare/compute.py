#!/usr/bin/env python3
"""Compute shaders by unshade and by Mesa's lavapipe, in one process: compute.py --build FOLDER [--waves N,N...] [--times N] [--threads N] [--only WORD]

    sudo apt install mesa-vulkan-drivers libvulkan-dev glslang-tools clang-19 lld-19
    cmake --preset release && ninja -C build/release
    scripts/compare/compute.py --build build/release

Both run the same SPIR-V of compute/*.comp on the same inputs, one after the other, N times (7) after a first time, lavapipe with as many threads as
there are processors. Prints for each: the median of lavapipe's time, those of unshade with waves of each size (32, 64, 128), their ratios, the times until
the shaders can run, and whether all words that they leave have the same bits.

Exits 0 if they have, 1 if not, 77 (skipped) without lavapipe or glslangValidator.
"""
import argparse
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
import lavapipe
from draws import words_of

HERE = pathlib.Path(__file__).resolve().parent
WORDS = 1 << 20
SIDE = 1024


def any_words(count):
    return random.Random("words").randbytes(4 * count)


def any_floats(count):
    draw = random.Random("floats")
    return struct.pack("<%df" % count, *(draw.random() for _ in range(count)))


def sort_passes(swaps):
    """The steps of a bitonic sort."""
    made, wholes = [], [1 << k for k in range(1, WORDS.bit_length())]
    for whole in wholes:
        for apart in (1 << k for k in reversed(range(whole.bit_length() - 1))):
            made.append((0, (WORDS // 256, 1, 1), swaps and len(made) % 2 == 1, (whole, apart)))
    return made


def rows():
    """(title, shaders, what buffers or images begin with, passes)"""
    by_tiles = [(0, (SIDE // 8, SIDE // 8, 1), False, ())]
    return [
        ("sort in place, 210 dispatches", ["sort"], [any_words(WORDS)], sort_passes(False)),
        ("sort between buffers, 210 dispatches", ["sort_between"], [any_words(WORDS), bytes(4 * WORDS)], sort_passes(True)),
        ("sort in groups, group memory", ["sort_groups"], [any_words(WORDS)], [(0, (WORDS // 1024, 1, 1), False, ())]),
        ("prefix sums", ["scan_groups", "scan_sums", "scan_add"], [any_floats(WORDS), bytes(4 * 1024)],
         [(0, (WORDS // 1024, 1, 1), False, ()), (1, (1, 1, 1), False, ()), (2, (WORDS // 256, 1, 1), False, ())]),
        ("mandelbrot", ["mandelbrot"], [bytes(4 * SIDE * SIDE)], by_tiles),
        ("blur 9 x 9, images", ["blur_image"], [any_floats(SIDE * SIDE), bytes(4 * SIDE * SIDE)], by_tiles),
        ("blur 9 x 9, buffers", ["blur_buffer"], [any_floats(SIDE * SIDE), bytes(4 * SIDE * SIDE)], by_tiles),
        ("4,096 bodies", ["bodies"], [any_floats(4 * 4096), bytes(16 * 4096)], [(0, (4096 // 64, 1, 1), False, ())]),
        ("SHA-256", ["sha256"], [any_words(16 * 65536), bytes(32 * 65536)], [(0, (65536 // 64, 1, 1), False, ())]),
    ]


def job_of(arguments, folder, shaders, memory, passes):
    """The path of a job, as job.hpp has it."""
    blob, lines = lavapipe.Blob(), ["stage compute", "repeat %d" % (arguments.times + 1), "threads %d" % arguments.threads,
                                    "waves " + arguments.waves.replace(",", " ")]
    for name in shaders:
        made = os.path.join(folder, name + ".spv")
        subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.3", str(HERE / "compute" / (name + ".comp")), "-o", made], check=True,
                       stdout=subprocess.DEVNULL)
        lines.append("shader " + made)
    for binding, begin in enumerate(memory):
        at = blob.add(begin)
        lines.append("image 0 %d storage 2d R32_FLOAT %d %d 1 1 1 1 %d %d u %d 0 1" % (binding, SIDE, SIDE, at, len(begin), binding)
                     if shaders[0] == "blur_image" else "buffer 0 %d storage - %d %d u %d 0 1" % (binding, at, len(begin), binding))
    most = max(len(words) for *_, words in passes)
    if most:
        lines.append("push %d %d" % (blob.add(bytes(4 * most)), 4 * most))
    for shader, groups, swapped, words in passes:
        lines.append("pass %d %d %d %d %d %s" % (shader, *groups, swapped, " ".join(map(str, words))))
    path, data = os.path.join(folder, "job"), os.path.join(folder, "blob")
    pathlib.Path(data).write_bytes(blob.data)
    pathlib.Path(path).write_text("\n".join(["blob " + data, *lines]) + "\n")
    return path


def median(times):
    """Milliseconds, of nanoseconds of which the first does not count."""
    left = sorted(int(one) / 1e6 for one in times[1:])
    return left[len(left) // 2]


def run_row(arguments, title, *job):
    """Whether all words are the same."""
    with tempfile.TemporaryDirectory() as folder:
        made = words_of(corpus.run("timeout", "900", arguments.runner, job_of(arguments, folder, *job)))
    if "words" not in made:
        print("%-38s not run: %s" % (title, dict(made)))
        return False
    times = {who: median(rest) for who, *rest in made["time"]}
    theirs = times.pop("vulkan")
    ours = "  ".join("%s: %7.1f ms %5.2f" % (who.partition(",")[2], time, time / theirs) for who, time in times.items())
    compiled = {who: int(time) / 1e6 for who, time in made["compile"]}
    differ = max(int(of) - int(same) for _, same, of in made["words"])
    print("%-38s lavapipe %7.1f ms  unshade %s  until it runs %.1f and %.1f ms  %s" % (
        title, theirs, ours, compiled["vulkan"], compiled["unshade"], "same bits" if differ == 0 else "%d words differ" % differ), flush=True)
    return differ == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(corpus.ROOT / "build/release"))
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--runner", help="compute.cpp, built before")
    parser.add_argument("--waves", default="32,64,128")
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", help="rows with this in their title")
    arguments = parser.parse_args()
    if corpus.tool("glslangValidator") is None:
        return corpus.skip("no glslangValidator")
    if not lavapipe.is_installed():
        return corpus.skip("no lavapipe (Debian's mesa-vulkan-drivers)")
    with tempfile.TemporaryDirectory() as folder:
        arguments.runner = arguments.runner or lavapipe.build_runner(arguments, folder, "compute")
        return 0 if all([run_row(arguments, *row) for row in rows() if arguments.only is None or arguments.only in row[0]]) else 1


if __name__ == "__main__":
    sys.exit(main())

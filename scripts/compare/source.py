#!/usr/bin/env python3
"""Compiles the HLSL that `unshade decompile` writes: source.py UNSHADE [--against N] [--exact | --native] [--every N] [FILE | FOLDER...]

Every DXBC, DXIL, SHBIN and SPIR-V file below the folders (by default UNSHADE_CORPUS, else ../shared/corpus beside the checkout, and our samples)
is decompiled, and the text goes through glslangValidator. It must compile, unless it uses what that compiler does not have (LACKING, each counted
by its name) or the file is refused, which counts by the message. With --against, `unshade run --against` runs each file and what was compiled on N
generated sets of inputs (with --every, of one file of N), and what differs is counted as well; it fails nothing, since glslang rounds and lays out by rules of its own.

Prints what does not compile, then the figures. Exits 0 when all else compiles, 1 when something does not, 77 (skipped) without corpus or compiler.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus

# What HLSL has and glslang 12 has not: where a text has the words on the left.
LACKING = [(re.compile(pattern, re.MULTILINE | re.IGNORECASE), name) for pattern, name in (
    (r"\basuint\(value, low, high\)", "the words of doubles"),
    (r"^(globallycoherent )?(RW)?StructuredBuffer<.*>\s+\w+\[", "arrays of structured buffers"),
    (r"DescriptorHeap\[", "descriptor heaps"),
    (r"RasterizerOrdered", "rasterizer ordered views"),
    (r"SV_StencilRef", "SV_StencilRef"),
    (r"GetRenderTargetSample", "samples of the render target"),
    (r"SV_InnerCoverage", "inner coverage"),
    (r"SetMeshOutputCounts|DispatchMesh", "mesh shaders"),
    (r"^interface \w+ {", "classes that an application binds to interfaces"),
    (r"GetAttributeAtVertex\(", "inputs of the vertices of a primitive"),
    (r"FeedbackTexture2D", "sampler feedback"),
    (r"RWTexture2DMS", "storage images of several samples"),
    (r"SV_Start(Vertex|Instance)Location", "the first vertex and instance of a draw"),
    (r"SampleCmp(Grad|Bias)\(", "comparing at a level of gradients, or with a bias"),
    (r"WaveMatch|WaveMultiPrefix", "operations on parts of waves"),
    (r'partitioning\("pow2"\)', "tessellation by powers of two"),
    (r"SV_(Clip|Cull)Distance[2-9]|SV_(Clip|Cull)Distance(.|\n)*^\[domain", "some clip distances"),
    (r"\.SampleCmpLevel\(", "comparing at a level"),
    (r"IsHelperLane\(", "IsHelperLane"),
    (r"\b(float16_t|u?int16_t|u?int64_t)[1-4]?\b", "numbers of 16 and 64 bits"),
    (r"CheckAccessFullyMapped\(", "whether memory is mapped"),
    (r"\]\.Interlocked", "atomic operations on arrays of buffers of bytes"),
)]
STAGES = {"vertex": "vert", "pixel": "frag", "compute": "comp", "geometry": "geom", "hull": "tesc", "domain": "tese", "mesh": "mesh",
          "amplification": "task"}
SUFFIXES = (".dxbc", ".dxil", ".shbin", ".spv")


def flushed(words):
    """The words of a module that declares that small numbers are flushed to zero, as files of Direct3D do and glslang has no words for."""
    at, out, parts = 5, list(words[:5]), []
    while at < len(words):
        parts.append(words[at:at + (words[at] >> 16)])
        at += words[at] >> 16
    entry = next(part for part in parts if part[0] & 0xffff == 15)[2]
    name = b"SPV_KHR_float_controls\0\0"
    added = {17: [(2 << 16) | 17, 4464], 10: [((1 + len(name) // 4) << 16) | 10, *struct.unpack(f"<{len(name) // 4}I", name)],
             16: [(4 << 16) | 16, entry, 4460, 32]}
    order = {17: {17}, 10: {17, 10}, 16: {17, 10, 11, 14, 15, 16}}
    for part in parts:
        for kind in [kind for kind in added if part[0] & 0xffff not in order[kind]]:
            out += added.pop(kind)
        out += part
    return out


def check(unshade, glslang, path, folder, against, setting):
    """One of: refused, lacks, invalid, compiles, same, differs, not run; and why."""
    made = corpus.run(unshade, "decompile", "--to", "hlsl", "--with", "ir", *setting, path)
    if made.returncode != 0:
        message = made.stderr.decode("utf-8", "replace").strip()
        return ("refused" if made.returncode == 1 else "invalid"), message.split("]: ", 1)[-1].split("\n", 1)[0]
    text = made.stdout.decode("utf-8", "replace")
    for pattern, name in LACKING:
        if pattern.search(text):
            return "lacks", name
    ir = corpus.run(unshade, "ir", path).stdout.decode("utf-8", "replace")
    stage = re.match(r"stage (\w+)", ir)
    source = pathlib.Path(folder) / "text.hlsl"
    module = pathlib.Path(folder) / "text.spv"
    source.write_text("#define NonUniformResourceIndex(x) (x)\n" + text, encoding="utf-8")
    places = [] if path.suffix == ".spv" else ["--hlsl-iomap", "--auto-map-locations", "--shift-texture-binding", "0", "--shift-sampler-binding",
                                               "128", "--shift-cbuffer-binding", "256", "--shift-UAV-binding", "384"]
    command = [glslang, "-D", "-V", "--target-env", "vulkan1.1", "-S", STAGES[stage[1]], "-e", "main", "-fhlsl_functionality1", "--hlsl-offsets"]
    compiled = corpus.run(*command, *places, source, "-o", module)
    if compiled.returncode != 0 and b"mapped set out of range" in compiled.stdout:
        compiled = corpus.run(*command, source, "-o", module)
        if compiled.returncode == 0:
            return "compiles" if not against else "not run", "register spaces that glslang does not map"
    if compiled.returncode != 0:
        errors = [line for line in compiled.stdout.decode("utf-8", "replace").split("\n") if "ERROR" in line]
        return "invalid", errors[0] if errors else f"the compiler ends with {compiled.returncode}"
    if not against:
        return "compiles", ""
    data = module.read_bytes()
    if path.suffix != ".spv" and "denorm32 preserve" not in ir:
        words = flushed(struct.unpack(f"<{len(data) // 4}I", data))
        data = struct.pack(f"<{len(words)}I", *words)
    # constants outside of buffers are called `$Globals`, which no text can say
    module.write_bytes(re.sub(rb"(?<![A-Za-z0-9_])_(Globals|Params)\0", rb"$\1\0", data))
    ran = corpus.run(unshade, "run", "--against", module, "--random", str(against), path)
    said = (ran.stdout + ran.stderr).decode("utf-8", "replace").strip().replace(str(module), "SOURCE")
    if ran.returncode == 0:
        return "same", ""
    return ("differs" if "random set" in said else "not run"), said.split("\n", 1)[0]


def options_of(usage):
    """The options of this script, which glsl.py has too."""
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("unshade")
    parser.add_argument("--against", type=int, default=0)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("places", nargs="*", type=pathlib.Path)
    return parser


def judge(args, check, named=("refused",)):
    """Calls check(glslang, path, folder, setting) for each file, and prints the figures. `named`: kinds that count by their reasons. The exit status."""
    glslang = shutil.which("glslangValidator")
    places = args.places or [corpus.folder(), corpus.ROOT / "tests/data"]
    paths = [place for place in places if place.is_file()]
    paths += [path for suffix in SUFFIXES for path in corpus.files(suffix, [place for place in places if place.is_dir()])]
    paths = paths[:: args.every]
    if not paths or not glslang:
        return corpus.skip("no files" if not paths else "no glslangValidator (package glslang-tools)")
    setting = ["--exact"] * args.exact + ["--native"] * args.native
    counts, reasons = collections.Counter(), collections.Counter()

    def judged(path):
        with tempfile.TemporaryDirectory() as folder:
            return check(glslang, path, folder, setting)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (kind, why) in zip(paths, pool.map(judged, paths)):
            counts[kind] += 1
            if kind in named:
                reasons[kind, re.sub(r"\d+", "N", why)] += 1
            elif why:
                print(f"{path}: {kind}: {why}")
    for (kind, why), count in reasons.most_common():
        print(f"  {count:5} {kind}: {why}")
    print(f"{len(paths)} files: " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return 1 if counts["invalid"] else 0


def main():
    args = options_of(__doc__).parse_intermixed_args()
    return judge(args, lambda glslang, path, folder, setting: check(args.unshade, glslang, path, folder, args.against, setting), ("refused", "lacks"))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compiles the GLSL that `unshade decompile` writes: glsl.py UNSHADE [--for vulkan | opengl | 330 | es] [--against N] [--exact | --native] [--every N] [FILE | FOLDER...]

Every DXBC, DXIL, SHBIN and SPIR-V file below the folders (by default UNSHADE_CORPUS, else ../shared/corpus beside the checkout, and our samples)
is decompiled, and the text goes through glslangValidator. It must compile, unless it uses what that compiler does not have (LACKING) or the file is refused, which count by the name and the message. With --against,
for Vulkan, `unshade run --against` runs what was compiled and what `unshade translate` makes of the file (SPIR-V itself), which binds alike, on N
generated sets of inputs. With --every, one file of N. What differs is counted; it fails nothing, since without --exact some operations have the bits of the device.

Prints what does not compile, then the figures. Exits 0 when all else compiles, 1 when something does not, 77 (skipped) without corpus or compiler.
"""
import os
import pathlib
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
from source import STAGES, flushed, judge, options_of

# What GLSL has and glslang 12 has not.
LACKING = [("GL_EXT_texture_shadow_lod", "comparing at a level of arrays and cubes")]
TARGETS = {"vulkan": ([], ["-V", "--target-env", "vulkan1.1"]), "opengl": (["--opengl"], []),
           "330": (["--opengl", "--language-version", "330"], []), "es": (["--es", "--language-version", "310"], [])}


def check(unshade, glslang, path, folder, target, against, setting):
    """One of: refused, lacks, invalid, compiles, same, differs, not run; and why."""
    options, environment = TARGETS[target]
    made = corpus.run(unshade, "decompile", "--to", "glsl", "--with", "ir", *options, *setting, path)
    if made.returncode != 0:
        message = made.stderr.decode("utf-8", "replace").strip()
        return ("refused" if made.returncode == 1 else "invalid"), message.split("]: ", 1)[-1].split("\n", 1)[0]
    for word, name in LACKING:
        if word.encode() in made.stdout:
            return "lacks", name
    ir = corpus.run(unshade, "ir", path).stdout.decode("utf-8", "replace")
    stage = STAGES[re.match(r"stage (\w+)", ir)[1]]
    vulkan = "vulkan1.3" if stage in ("mesh", "task") else "vulkan1.1"
    source, module, other = (pathlib.Path(folder) / name for name in ("text.glsl", "text.spv", "other.spv"))
    source.write_bytes(made.stdout)
    environment = [vulkan if word == "vulkan1.1" else word for word in environment]
    compiled = corpus.run(glslang, *environment, "-S", stage, source, *(["-o", module] if environment else []))
    if compiled.returncode != 0:
        errors = [line for line in compiled.stdout.decode("utf-8", "replace").split("\n") if "ERROR" in line]
        return "invalid", errors[0] if errors else f"the compiler ends with {compiled.returncode}"
    if not against or not environment:
        return "compiles", ""
    if path.suffix == ".spv":
        other = path
    else:
        translated = corpus.run(unshade, "translate", "--target-env", vulkan, path, "-o", other)
        if translated.returncode != 0:
            return "not run", translated.stderr.decode("utf-8", "replace").split("]: ", 1)[-1].split("\n", 1)[0]
        if "denorm32 preserve" not in ir:
            data = module.read_bytes()
            words = flushed(struct.unpack(f"<{len(data) // 4}I", data))
            module.write_bytes(struct.pack(f"<{len(words)}I", *words))
    ran = corpus.run(unshade, "run", "--against", module, "--random", str(against), other)
    said = (ran.stdout + ran.stderr).decode("utf-8", "replace").strip().replace(str(module), "SOURCE")
    if ran.returncode == 0:
        return "same", ""
    return ("differs" if "random set" in said else "not run"), said.split("\n", 1)[0]


def main():
    parser = options_of(__doc__)
    parser.add_argument("--for", dest="target", choices=TARGETS, default="vulkan")
    args = parser.parse_intermixed_args()
    return judge(args, lambda glslang, path, folder, setting: check(args.unshade, glslang, path, folder, args.target, args.against, setting), ("refused", "lacks"))


if __name__ == "__main__":
    sys.exit(main())

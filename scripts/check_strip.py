#!/usr/bin/env python3
"""Compares `unshade strip` with other people's tools over a corpus: SPIR-V with spirv-opt --strip-debug and --strip-reflect, word for word
but for the bound of ids, which spirv-opt counts again; DXIL containers with obj2yaml, which must accept what it accepted before.

    check_strip.py UNSHADE [CORPUS]

Exit: 0 all agree, 1 some do not, 77 no corpus or none of the tools.
"""

import os
import struct
import sys
import tempfile
from pathlib import Path

import corpus

BOUND = slice(12, 16)
OPTIONS = {"--debug": "--strip-debug", "--reflection": "--strip-reflect"}


def output(*command):
    done = corpus.run(*command)
    return done.stdout if done.returncode == 0 else None


def without_bound(words):
    """Little-endian, bound left out."""
    if words[:4] == struct.pack(">I", 0x07230203):
        words = b"".join(words[i : i + 4][::-1] for i in range(0, len(words), 4))
    return words[: BOUND.start] + words[BOUND.stop :]


def check_spirv(unshade, paths, spirv_opt):
    same = different = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "made.spv")
        for path in paths:
            for ours, theirs in OPTIONS.items():
                if output(spirv_opt, theirs, path, "-o", made) is None:
                    refused += 1
                    continue
                stripped = output(unshade, "strip", ours, path)
                if stripped is not None and without_bound(stripped) == without_bound(Path(made).read_bytes()):
                    same += 1
                    continue
                different += 1
                print(f"{path}: {ours} is not {theirs}")
    print(f"SPIR-V: {same} the same, {different} not, {refused} that spirv-opt does not read")
    return different == 0


def check_dxil(unshade, paths, obj2yaml):
    accepted = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.dxil"
        for path in paths:
            if output(obj2yaml, path) is None:
                continue
            stripped = output(unshade, "strip", "--everything", path)
            made.write_bytes(stripped or b"")
            if output(obj2yaml, made) is None:
                lost += 1
                print(f"{path}: not read by obj2yaml once stripped")
            else:
                accepted += 1
    print(f"DXIL: {accepted} read by obj2yaml before and after, {lost} before alone")
    return lost == 0


def main():
    unshade, folders = corpus.arguments(__doc__)
    folder = corpus.folder(*folders[:1])
    spirv_opt = corpus.spirv_tool("spirv-opt")
    obj2yaml = corpus.llvm_tool("obj2yaml")
    if not folder.is_dir() or not (spirv_opt or obj2yaml):
        return corpus.skip("no corpus, or neither spirv-opt 2023.1 nor obj2yaml 19")
    agrees = True
    if spirv_opt:
        agrees = check_spirv(unshade, corpus.files(".spv", [folder / "spirv"]), spirv_opt) and agrees
    if obj2yaml:
        agrees = check_dxil(unshade, corpus.files(".dxil", [folder / "dxil"]), obj2yaml) and agrees
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())

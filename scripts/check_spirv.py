#!/usr/bin/env python3
"""Compares SPIR-V listings and assembly with SPIRV-Tools: check_spirv.py UNSHADE [FOLDER...]

For every *.spv below the folders (the corpus by default, and tests/data/spirv): `UNSHADE dis` has to print what spirv-dis prints, byte for
byte, by every set of switches; `UNSHADE as` has to give what spirv-as gives for the listings, with ids kept and with ids renumbered; and a
listing with its header has to give the file. Modules that spirv-dis refuses are counted and left out. Prints what differs and the figures;
exits 0 when all agree, 1 when not, 77 (skipped) where there are no modules, or no spirv-dis or spirv-as of version 2023.1.
"""
import itertools
import os
import sys
import tempfile

import corpus
from corpus import run

SWITCHES = [[], ["--raw-id"], ["--no-indent"], ["--offsets"], ["--comment"], ["--no-header"],
            ["--raw-id", "--no-indent", "--offsets", "--comment", "--no-header"]]


def first_difference(ours, theirs):
    for number, (a, b) in enumerate(itertools.zip_longest(ours.split(b"\n"), theirs.split(b"\n")), 1):
        if a != b:
            return "line %d\n  ours   %r\n  theirs %r" % (number, a, b)
    return "nothing"


def check(unshade, path):
    faults = []
    for switches in SWITCHES:
        theirs = run("spirv-dis", "--no-color", *switches, path)
        if theirs.returncode != 0:
            return None
        ours = run(unshade, "dis", *switches, path)
        if ours.stdout != theirs.stdout:
            faults.append("dis %s: %s%s" % (" ".join(switches), first_difference(ours.stdout, theirs.stdout), ours.stderr.decode()[:200]))
    with open(path, "rb") as file:
        original = file.read()
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "text.spvasm")
        binary = os.path.join(folder, "binary.spv")
        for dis in ([], ["--raw-id"]):
            with open(text, "wb") as file:
                file.write(run("spirv-dis", "--no-color", "--no-header", *dis, path).stdout)
            for ours, theirs in ((["--renumber-ids"], []), (["--preserve-numeric-ids"], ["--preserve-numeric-ids"])):
                made = run(unshade, "as", *ours, "-o", binary, text)
                wanted = run("spirv-as", *theirs, "-o", "-", text)
                result = open(binary, "rb").read() if made.returncode == 0 else b""
                if wanted.returncode == 0 and result != wanted.stdout:
                    faults.append("as %s: not what spirv-as gives; %s" % (" ".join(ours), made.stderr.decode()[:200]))
        for dis in (["--raw-id"], ["--exact"]):
            with open(text, "wb") as file:
                file.write(run(unshade, "dis", *dis, path).stdout)
            made = run(unshade, "as", "-o", binary, text)
            if made.returncode != 0 or open(binary, "rb").read() != original:
                faults.append("as of dis %s: not the file; %s" % (" ".join(dis), made.stderr.decode()[:200]))
    return faults


def main():
    unshade, folders = corpus.arguments(__doc__)
    count = refused = different = 0
    tools = {name + " 2023.1": corpus.spirv_tool(name) for name in ("spirv-dis", "spirv-as")}
    for path, faults in corpus.compared(".spv", "spirv", folders, tools, lambda path: check(unshade, path)):
        count += 1
        if faults is None:
            refused += 1
            continue
        different += bool(faults)
        for fault in faults:
            print("%s: %s" % (path, fault))
    print("%d modules: %d refused by spirv-dis, %d different" % (count, refused, different))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

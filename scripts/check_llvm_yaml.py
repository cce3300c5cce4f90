#!/usr/bin/env python3
"""Compares LLVM's YAML of DXContainers with obj2yaml and yaml2obj: check_llvm_yaml.py UNSHADE [FOLDER...]

For every *.dxil below the folders (the corpus by default, and tests/data/dxil):
- `UNSHADE build` of what `UNSHADE dump --format llvm` prints has to be the file;
- yaml2obj has to take what it prints;
- where obj2yaml can read the file: what that prints has to be the same text but for comments, `UNSHADE build` has to take it, and what
  yaml2obj makes of ours has to agree with the file in as many bytes, at least, as what it makes of obj2yaml's.
obj2yaml refuses some files and crashes on others: these are counted. Prints what differs and the figures; exits 0 when all agree, 1 when
not, 77 (skipped) where there are no files, or no obj2yaml or yaml2obj of LLVM 19.
"""
import os
import sys
import tempfile

import corpus
from corpus import run

MARK = b"# unshade:"
OBJ2YAML = corpus.llvm_tool("obj2yaml")
YAML2OBJ = corpus.llvm_tool("yaml2obj")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def agreement(a, b):
    return sum(x == y for x, y in zip(a, b))


def check(unshade, path):
    """Faults, whether obj2yaml reads the file, and the bytes that are right in what yaml2obj makes of ours and of obj2yaml's."""
    faults = []
    original = read(path)
    with tempfile.TemporaryDirectory() as folder:
        ours = os.path.join(folder, "ours.yaml")
        theirs = os.path.join(folder, "theirs.yaml")
        made = os.path.join(folder, "made")
        printed = run(unshade, "dump", "--format", "llvm", path, "-o", ours)
        if printed.returncode != 0:
            return ["dump: " + printed.stderr.decode()[:300]], False, 0, 0
        built = run(unshade, "build", "--no-validate", ours, "-o", made)
        if built.returncode != 0 or read(made) != original:
            faults.append("build of dump: not the file; " + built.stderr.decode()[:300])
        back = run(YAML2OBJ, ours, "-o", made)
        if back.returncode != 0:
            faults.append("yaml2obj: " + back.stderr.decode()[:300])
            return faults, False, 0, 0
        of_ours = agreement(read(made), original)
        dumped = run(OBJ2YAML, path)
        if dumped.returncode != 0:
            return faults, False, 0, 0
        with open(theirs, "wb") as file:
            file.write(dumped.stdout)
        text = b"".join(line for line in read(ours).splitlines(True) if not line.startswith(MARK))
        if text != dumped.stdout:
            pairs = zip(text.splitlines() + [b"(end)"], dumped.stdout.splitlines() + [b"(end)"])
            faults.append("text: " + next(("%r, obj2yaml has %r" % pair for pair in pairs if pair[0] != pair[1]), "ends differ"))
        built = run(unshade, "build", "--no-validate", theirs, "-o", made)
        if built.returncode != 0:
            faults.append("build of obj2yaml's: " + built.stderr.decode()[:300])
        if run(YAML2OBJ, theirs, "-o", made).returncode != 0:
            return faults, True, of_ours, 0
        of_theirs = agreement(read(made), original)
        if of_ours < of_theirs:
            faults.append("yaml2obj: %d bytes right of ours, %d of obj2yaml's" % (of_ours, of_theirs))
        return faults, True, of_ours, of_theirs


def main():
    unshade, folders = corpus.arguments(__doc__)
    count = different = readable = right = right_theirs = 0
    tools = {"obj2yaml 19": OBJ2YAML, "yaml2obj 19": YAML2OBJ}
    for path, (faults, is_readable, ours, theirs) in corpus.compared(".dxil", "dxil", folders, tools, lambda path: check(unshade, path)):
        count += 1
        readable += is_readable
        right += ours if is_readable else 0
        right_theirs += theirs
        different += bool(faults)
        for fault in faults:
            print("%s: %s" % (path, fault))
    print("%d files, %d that %s reads; %d differ" % (count, readable, OBJ2YAML, different))
    print("bytes that %s gets right in the latter: %d of ours, %d of its own" % (YAML2OBJ, right, right_theirs))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

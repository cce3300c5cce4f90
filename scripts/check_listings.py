#!/usr/bin/env python3
"""Compares `unshade dis` with the vendor tool's listings: check_listings.py [--unshade PATH] [--corpus DIR] [--compare same_listing.py] [-v]

For every NAME.asm beside a NAME.dxbc below the corpus, lists the binary with the version that the reference names (--fxc), and compares
as the comparison script does; likewise for every NAME.ll beside a NAME.dxil or NAME.bc. Prints what differs and the figures; exits 0 when all
agree, 1 when not, 77 (skipped) where there is no corpus.
A reference of fxc's that names no version was printed from a stripped file: it is also tried with other versions, and counted apart.
A reference of dxc's never names the version that printed it: it is tried with others (--dxc) where lines of PSV0 alone do not tell. Up to one
in a hundred may differ.
"""
import argparse
import concurrent.futures
import importlib.util
import os
import subprocess
import sys

import corpus

OTHERS = ["10.1.18362", "10.1.17134", "10.0.10011.16384", "6.3.9600.16384", "9.30.9200.20714", "9.29.952.3111"]
DXC_OTHERS = ["1.9", "1.8", "1.8.2502", "1.8.2407", "1.7", "1.6", "1.6.2106", "1.5", "1.4"]


def load(path):
    spec = importlib.util.spec_from_file_location("same_listing", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unshade", default=corpus.ROOT / "build/dev/unshade")
    parser.add_argument("--corpus", default=corpus.folder())
    parser.add_argument("--compare", default=corpus.ROOT.parent / "shared/tools/same_listing.py")
    parser.add_argument("-v", "--verbose", action="store_true", help="name each pair that only another version gives")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.corpus) or not os.path.exists(arguments.compare):
        return corpus.skip("no corpus at %s, or no comparison script at %s" % (arguments.corpus, arguments.compare))
    same = load(arguments.compare)

    pairs = []
    for folder, _, names in os.walk(arguments.corpus):
        for name in sorted(names):
            stem, ending = os.path.splitext(os.path.join(folder, name))
            for binary in {".asm": (".dxbc",), ".ll": (".dxil", ".bc")}.get(ending, ()):
                if os.path.exists(stem + binary):
                    pairs.append((stem + ending, stem + binary))

    def listing(binary, version, option="--fxc"):
        command = [arguments.unshade, "dis", binary] + ([option, version] if version else [])
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout

    def compare(pair):
        with open(pair[0], "rb") as file:
            reference = file.read()
        with open(pair[1], "rb") as file:
            binary = file.read()
        fxc = pair[0].endswith(".asm")
        version = same.version(reference) if fxc else None
        difference = same.first_difference(listing(pair[1], version), reference, binary)
        if difference is None:
            return "same", None
        if version is None:
            option = "--fxc" if fxc else "--dxc"
            for other in OTHERS if fxc else DXC_OTHERS:
                if same.first_difference(listing(pair[1], other, option), reference, binary) is None:
                    return "other", option + " " + other
        return "different" if fxc else "dxc_different", difference

    counts = {"same": 0, "other": 0, "different": 0, "dxc_different": 0}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for (reference, _), (result, detail) in zip(pairs, pool.map(compare, pairs)):
            counts[result] += 1
            shown = os.path.relpath(reference, arguments.corpus)
            if result in ("different", "dxc_different"):
                print("%s: line %d\n  ours      %r\n  reference %r" % ((shown,) + detail))
            elif result == "other" and arguments.verbose:
                print("%s: as %s prints it" % (shown, detail))
    dxc = sum(reference.endswith(".ll") for reference, _ in pairs)
    print("%d pairs, %d of them of dxc: %d identical, %d identical with --fxc or --dxc, which the file cannot name, %d different, %d of dxc's"
          % (len(pairs), dxc, counts["same"], counts["other"], counts["different"] + counts["dxc_different"], counts["dxc_different"]))
    return 1 if counts["different"] or counts["dxc_different"] > dxc // 100 else 0


if __name__ == "__main__":
    sys.exit(main())

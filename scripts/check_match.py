#!/usr/bin/env python3
"""Measures `unshade match` on the corpus: check_match.py UNSHADE CORPUS [--list].

Several projects keep builds of the same sources, by one name, made by other versions of source and compiler. For each pair of folders of a
family with at least ten names in common, every shader with such a name is to be found by its content among all shaders of the other folder.
A pair is right if the names are. Prints precision (of the counterparts that were given, those that are right) and recall (of those to be
found, those that were), of all and of those that are not called ambiguous, and how often the right one is among those that were printed.
"""
import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys

SUFFIXES = {".dxbc", ".dxil", ".spv"}
LEAST_COMMON = 10


def name_of(path):
    """The corpus tells files of one name apart by the first digits of a hash."""
    return re.sub(r"-[0-9a-f]{8}$", "", pathlib.Path(path).stem)


def shaders(folder):
    return {name_of(path) for path in folder.iterdir() if path.suffix in SUFFIXES}


def main():
    unshade, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    sums = collections.Counter()
    print(f"{'pair':72} {'common':>6} {'given':>6} {'right':>6} {'among':>6} {'ambig.':>6} {'sure':>6} {'right':>6}")
    for family in ("dxbc", "dxil", "spirv"):
        folders = sorted(path for path in (corpus / family).iterdir() if path.is_dir())
        for before, after in itertools.combinations(folders, 2):
            common = shaders(before) & shaders(after)
            if len(common) < LEAST_COMMON:
                continue
            ran = subprocess.run([unshade, "match", "--json", str(before), str(after)], capture_output=True, check=False)
            row = collections.Counter()
            for match in json.loads(ran.stdout)["matches"]:
                stem = name_of(match["before"])
                row["common"] += stem in common
                if stem not in common or not match["counterparts"]:
                    continue
                stems = [name_of(one["after"]) for one in match["counterparts"]]
                row["given"] += 1
                row["right"] += stems[0] == stem
                row["among"] += stem in stems
                row["ambiguous"] += match["ambiguous"]
                if not match["ambiguous"]:
                    row["sure"] += 1
                    row["sure_right"] += stems[0] == stem
                if stems[0] != stem and "--list" in sys.argv:
                    print("   ", stem, "->", [(s, one["kind"], one["percent"]) for s, one in zip(stems, match["counterparts"])])
            sums += row
            print_row(f"{before.name} -> {after.name}", row)
    print_row("all", sums)
    if not sums["given"]:
        sys.exit("nothing was compared")
    print(f"precision {sums['right'] / sums['given']:.3f}, recall {sums['right'] / sums['common']:.3f}; "
          f"not ambiguous: precision {sums['sure_right'] / max(1, sums['sure']):.3f}, {sums['sure'] / sums['given']:.3f} of all; "
          f"right one among those printed: {sums['among'] / sums['given']:.3f}")


def print_row(name, row):
    print(f"{name:72} " + " ".join(f"{row[key]:6}" for key in ("common", "given", "right", "among", "ambiguous", "sure", "sure_right")))


if __name__ == "__main__":
    main()

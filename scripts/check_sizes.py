#!/usr/bin/env python3
"""Checks how much stands together: check_sizes.py [ROOT].

A folder of the library holds at most 24 files of source, a file at most 600 lines; elsewhere 30 and 700. Tables (.def) may be longer, and the
C interface is one header.
Prints one line per fault and exits 1, or nothing and 0.
"""
import collections
import sys

from check_includes import run

FOLDERS = ("src", "include", "tests", "fuzz", "bench", "docs", "examples", "scripts", "web/page/src", "web/page/tests")
SOURCES = {".c", ".cpp", ".h", ".hpp", ".def", ".py", ".sh", ".ts", ".svelte", ".css", ".mjs"}
# Of a folder and of a file: below src and include, and elsewhere.
MOST_FILES = {"src": 24, "include": 24}
MOST_LINES = {"src": 600, "include": 600}
MOST_FILES_ELSEWHERE = 30
MOST_LINES_ELSEWHERE = 700
LONGER = {"include/unshade/unshade.h": 1000}


def faults(root):
    counts = collections.Counter()
    for base in FOLDERS:
        for file in sorted((root / base).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            path = file.relative_to(root)
            counts[path.parent] += 1
            lines = len(file.read_text(encoding="utf-8").splitlines())
            most = LONGER.get(path.as_posix(), MOST_LINES.get(base, MOST_LINES_ELSEWHERE))
            if lines > most and file.suffix != ".def":
                yield f"{path}:{most + 1}: {lines} lines, at most {most} are allowed"
    for folder, count in sorted(counts.items()):
        most = MOST_FILES.get(folder.parts[0], MOST_FILES_ELSEWHERE)
        if count > most:
            yield f"{folder}: {count} files of source, at most {most} are allowed"


if __name__ == "__main__":
    sys.exit(run(faults))

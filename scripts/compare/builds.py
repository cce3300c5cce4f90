#!/usr/bin/env python3
"""Do two builds of the command print the same? builds.py UNSHADE OTHER [--verbs VERB,...] [-j N] [FILE | FOLDER...]

    cmake --preset check && ninja -C build/check unshade_cli
    cmake --preset asan && ninja -C build/asan unshade_cli
    scripts/compare/builds.py build/check/unshade build/asan/unshade

Runs each verb of both over all files of the folders (the corpus and tests/data) and compares standard output, messages and exit statuses, byte for
byte: whatever a compiler, a C++ library or a processor may choose, such as the order in which arguments are evaluated, must not show. `again` is
what `as` makes of the listing of `dis`. OTHER may be several words, such as "qemu-aarch64-static build/arm64/unshade".

Prints each file and verb that differs, and a line for each verb; exits 0 if nothing differs, 1 if something does, 77 (skipped) without files.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import corpus

VERBS = {
    "info": ["info"],
    "dis": ["dis"],
    "reflect": ["reflect", "--json"],
    "validate": ["validate"],
    "dump": ["dump"],
    "graph": ["graph"],
    "hash": ["hash"],
    "ir": ["ir"],
    "lowered": ["ir", "-O0"],
    "translate": ["translate", "--json"],
    "hlsl": ["decompile", "--with", "ir", "--to", "hlsl"],
    "glsl": ["decompile", "--with", "ir", "--to", "glsl"],
    "again": None,
}
SOURCES = (".hlsl", ".glsl", ".md", ".txt", ".tsv", ".json", ".yaml", ".toml", ".png", ".exr")
SECONDS = 600


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unshade", type=shlex.split)
    parser.add_argument("other", type=shlex.split)
    parser.add_argument("places", nargs="*", type=pathlib.Path, help="files or folders; by default the corpus and tests/data")
    parser.add_argument("--verbs", default=",".join(VERBS), help="of " + ", ".join(VERBS))
    parser.add_argument("--some", type=int, default=1, metavar="N", help="every Nth file only")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def files_of(places):
    for place in places or (corpus.folder(), ROOT / "tests/data"):
        found = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (str(file) for file in found if file.is_file() and file.suffix not in SOURCES)


def printed(command, verb, file):
    """What one build prints for a file: output, messages and exit status."""
    if VERBS[verb] is not None:
        run = subprocess.run([*command, *VERBS[verb], file], capture_output=True, timeout=SECONDS, check=False)
        return run.stdout, run.stderr, run.returncode
    listing = subprocess.run([*command, "dis", "--exact", file], capture_output=True, timeout=SECONDS, check=False)
    if listing.returncode != 0:
        return b"", b"", listing.returncode
    run = subprocess.run([*command, "as", "-", "-o", "-"], input=listing.stdout, capture_output=True, timeout=SECONDS, check=False)
    return run.stdout, run.stderr, run.returncode


def main():
    given = arguments()
    files = list(files_of(given.places))[:: given.some]
    if not files:
        print("no files to compare")
        return 77
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for verb in given.verbs.split(","):
            first = pool.map(lambda file: printed(given.unshade, verb, file), files)
            second = pool.map(lambda file: printed(given.other, verb, file), files)
            different = [file for file, a, b in zip(files, first, second) if a != b]
            for file in different:
                print(f"{verb}: {file}")
            print(f"{verb}: {len(different)} of {len(files)} files differ", flush=True)
            wrong += len(different)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures `unshade index` and `search` on many shaders: measure_index.py UNSHADE MANY_SHADERS CORPUS COUNT [--folder FOLDER] [--bench UNSHADE_BENCH].

Makes COUNT shaders of the corpus by unshade_many_shaders (bench/), a fifth in files of their own, indexes them, searches, and prints the processor
seconds of each step (user and system), for COUNT and for a million. Beside them: grep over listings of all shaders, and the sqlite3 command where they
can do the same. With --bench, also what each step of an index costs for itself, on the shaders of the corpus, for a million of them. FOLDER keeps what
is made; without it, a temporary folder is dropped at the end. A million takes 6 GB of disk, and 1 GB for each database.
"""
import argparse
import csv
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

MILLION = 1_000_000


def run(words, **options):
    """The processor seconds, the seconds by the clock, the peak memory (MB) and the last line of a command's output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(["/usr/bin/env", "time", "-f", "%M", *words] if shutil.which("time") else words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    errors = done.stderr.decode(errors="replace").strip().splitlines()
    memory = int(errors[-1]) // 1024 if errors and errors[-1].isdigit() else 0
    if done.returncode > 1:
        sys.exit(f"{' '.join(words)}: {errors}")
    lines = done.stdout.decode(errors="replace").splitlines()
    return seconds, time.monotonic() - start, memory, lines[-1] if lines else "", len(lines)


# Benchmarks of unshade_bench, and what they are.
STEPS = {"needle_pass": "search for magic numbers", "xxh3": "XXH3-128", "digest_check": "digest of containers", "crc32": "CRC-32", "fnv1": "FNV-1",
         "summary": "container and summary", "reflection": "names and bindings", "opcodes": "opcodes", "sketch": "sketch for similarity",
         "own_identities": "hashes of code", "facts": "all that an index has of a shader", "listing": "listing (--text)"}


def steps(bench, corpus):
    """Prints what each step costs for a million shaders as those of the corpus."""
    done = subprocess.run([bench, "--benchmark_format=csv", f"--benchmark_filter=^({'|'.join(STEPS)})(/[0-9])?$"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True, env={**os.environ, "UNSHADE_CORPUS": corpus})
    lines = done.stdout.decode().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("name,"))
    rows = {}
    for row in csv.DictReader(lines[begin:]):
        name = row["name"].split("/")[0]
        # of several ways the one that is taken: the fastest that the machine has
        if row["bytes_per_second"] and (name not in rows or float(row["bytes_per_second"]) > float(rows[name]["bytes_per_second"])):
            rows[name] = row
    seconds = {name: float(row["cpu_time"]) / 1e3 for name, row in rows.items()}
    files = float(rows["facts"]["files"])
    total = float(rows["facts"]["bytes_per_second"]) * seconds["facts"]
    print(f"each step for itself: {files:.0f} shaders, {total / files / 1e3:.1f} KB on average")
    for name, what in STEPS.items():
        a_million = total / files * MILLION / float(rows[name]["bytes_per_second"])
        print(f"{what:52} {'':10} {a_million:8.2f} s/M  {float(rows[name]['bytes_per_second']) / 1e6:10.0f} MB/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unshade")
    parser.add_argument("maker")
    parser.add_argument("corpus")
    parser.add_argument("count", type=int)
    parser.add_argument("--folder")
    parser.add_argument("--bench")
    args = parser.parse_args()
    if args.folder:
        pathlib.Path(args.folder).mkdir(parents=True, exist_ok=True)
        measure(args, pathlib.Path(args.folder))
    else:
        with tempfile.TemporaryDirectory(prefix="unshade-index-") as folder:
            measure(args, pathlib.Path(folder))
    if args.bench:
        steps(args.bench, args.corpus)


def measure(args, folder):
    unshade, maker, corpus, count = args.unshade, args.maker, args.corpus, args.count
    shaders = folder / f"shaders-{count}"
    if not shaders.exists():
        print(run([maker, corpus, str(shaders), str(count)])[3])
    database = folder / f"{count}.udb"
    sample = next(iter(sorted(pathlib.Path(corpus, "dxbc").rglob("*.dxbc"))))

    def row(name, words, scale=MILLION / count, **options):
        seconds, clock, memory, last, lines = run(words, **options)
        print(f"{name:52} {seconds:8.2f} s {seconds * scale:8.1f} s/M {clock:8.2f} s clock {memory:6} MB  {lines:7} lines  {last[:90]}", flush=True)

    row("read", ["sh", "-c", 'find "$1" -type f -print0 | xargs -0 cat | wc -c', "sh", str(shaders)])
    row("scan, one thread", [unshade, "scan", "-j", "1", str(shaders)])
    for options in ([], ["--keep"], ["--text"]):
        database.unlink(missing_ok=True)
        row(" ".join(["index -j 2", *options]), [unshade, "index", "-j", "2", *options, "-o", str(database), str(shaders)])
        print(f"{'':52} {os.path.getsize(database) / 1e6:8.1f} MB of database")
        if options == ["--text"]:
            row("search --words 'sample discard_nz' --count", [unshade, "search", str(database), "--words", "sample discard_nz", "--count"])
    database.unlink()
    run([unshade, "index", "-o", str(database), str(shaders)])
    row("index --update, nothing changed", [unshade, "index", "--update", "-o", str(database), str(shaders)])
    row("rows into another database (--merge)", [unshade, "index", "--merge", str(database), "-o", str(folder / "merged.udb")])
    (folder / "merged.udb").unlink()
    row("index --check", [unshade, "index", "--check", str(database)])
    queries = {"TEXT": ["World"], "--hash": ["--hash", "0x5BA01B57"], "--binds": ["--binds", "cbuffer:*"], "--uses": ["--uses", "discard*"],
               "--where": ["--where", "size > 50000"], "--regex, a rare text": ["--regex", "firstbit_hi"], "--regex, any": ["--regex", "dp4 r[0-9]+.xyz, .*cb0\\[12\\]"],
               "--regex, narrowed": ["--uses", "discard*", "--regex", "discard_nz r1"]}
    for name, words in queries.items():
        row(f"search {name} --count", [unshade, "search", str(database), *words, *([] if "regex" in name else ["--count"])])
    row("search --like", [unshade, "search", str(database), "--like", str(sample), "-n", "10"])
    if shutil.which("sqlite3"):
        row("sqlite3: uses discard*", ["sqlite3", "-readonly", str(database),
            "select count(distinct shader) from opcodes where opcode glob 'discard*'"])
        row("sqlite3: crc32", ["sqlite3", "-readonly", str(database), "select count(*) from shader where crc32 = x'5BA01B57'"])
    # grep needs listings: of the corpus, scaled to as many shaders
    listings = folder / "listings"
    if not listings.exists():
        subprocess.run([unshade, "dis", "-d", str(listings), corpus], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    listed = sum(1 for path in listings.rglob("*") if path.is_file())
    size = sum(path.stat().st_size for path in listings.rglob("*") if path.is_file())
    print(f"{listed} listings, {size / 1e6:.1f} MB")
    for name, words in (("grep -c, a rare text", ["firstbit_hi"]), ("grep -E, any", ["-E", "dp4 r[0-9]+.xyz, .*cb0\\[12\\]"])):
        row(name, ["grep", "-rlI", *words, str(listings)], MILLION / max(1, listed), env={**os.environ, "LC_ALL": "C"})


if __name__ == "__main__":
    main()

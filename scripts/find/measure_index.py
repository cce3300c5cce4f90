#!/usr/bin/env python3
"""Measures `unshade index` and `search` on many shaders: measure_index.py UNSHADE MANY_SHADERS CORPUS COUNT [FOLDER].

Makes COUNT shaders of the corpus by unshade_many_shaders (bench/), a fifth in files of their own, indexes them, searches, and prints the processor
seconds of each step (user and system), for COUNT and for a million. Beside them: grep over listings of all shaders, and the sqlite3 command where they
can do the same. FOLDER (default: a temporary one) keeps what is made.
"""
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


def main():
    unshade, maker, corpus, count = sys.argv[1:4] + [int(sys.argv[4])]
    folder = pathlib.Path(sys.argv[5] if len(sys.argv) > 5 else tempfile.mkdtemp(prefix="unshade-index-"))
    shaders = folder / f"shaders-{count}"
    if not shaders.exists():
        print(run([maker, corpus, str(shaders), str(count)])[3])
    database = folder / f"{count}.udb"
    sample = next(iter(sorted(pathlib.Path(corpus, "dxbc").rglob("*.dxbc"))))

    def row(name, words, scale=MILLION / count, **options):
        seconds, clock, memory, last, lines = run(words, **options)
        print(f"{name:52} {seconds:8.2f} s {seconds * scale:8.1f} s/M {clock:8.2f} s clock {memory:6} MB  {lines:7} lines  {last[:90]}", flush=True)

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

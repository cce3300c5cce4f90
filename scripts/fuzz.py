#!/usr/bin/env python3
"""Runs libFuzzer on the properties of fuzz/properties.hpp, guided by seeds and words: called by scripts/fuzz.sh, which builds BUILD first.

For each property, first every seed by itself, in a process of its own: one that breaks the property is reported and left aside. Then libFuzzer,
which is started again after each find until the processor has worked on the property for SECONDS. In BUILD (build/fuzz):
  inputs/        seeds and dictionaries by the kind of what a property reads (fuzz_inputs.py)
  corpus/NAME/   what was learned of property NAME; the next run begins with it
  finds/NAME-*   what breaks it: a crash, over ten seconds, over 2 GiB (64 MB at once), or a property that does not hold
  logs/NAME.log  all that libFuzzer said
UNSHADE_FUZZ_SEEDS: a folder of files to begin with, beside tests/data.

Prints a line for each property as it ends and a table of all: runs, coverage (edges), inputs kept, finds. Exits with 1 when there is a find.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import fuzz_inputs

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_BYTES = 65536  # libFuzzer cuts longer seeds, which would leave nothing of a container
MOST_FINDS = 20    # of a property: then something is broken that has to be mended first
MALLOC_MB = 64     # of one allocation
# Decoders of zstd, xz and LZMA reserve the window that a stream states, up to 128 MiB as their encoders use at most; pages are only used as it fills.
MALLOC_MB_OF = {"unpacking": 160}
printing = threading.Lock()


def say(text):
    with printing:
        print(text, flush=True)


def digest(path):
    return hashlib.sha1(path.read_bytes()).hexdigest()


def processor_seconds(pid):
    """What a process has used of a processor, from /proc."""
    after_name = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def worked(fuzzer, seconds):
    """Waits for libFuzzer, which is asked to end once it has used SECONDS of a processor: its own -max_total_time counts what passes on a clock,
    so that on a busy machine little would be tried. Sets its return code; returns what it used."""
    asked = False
    while True:
        ended, status, usage = os.wait4(fuzzer.pid, os.WNOHANG)
        if ended:
            fuzzer.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime
        if not asked and processor_seconds(fuzzer.pid) >= seconds:
            fuzzer.send_signal(signal.SIGUSR1)  # libFuzzer ends with its final statistics, and 0
            asked = True
        time.sleep(0.5)


class Fuzzed:
    """A property while it is tried, and what came out."""

    def __init__(self, build, name, inputs, seed):
        self.name = name
        self.program = build / "fuzz/unshade_fuzz"
        self.corpus = build / "corpus" / name
        self.seeds = build / "seeds" / name
        self.finds = build / "finds"
        self.log = build / "logs" / (name + ".log")
        self.dictionary = inputs.dictionary(name)
        self.files = inputs.seeds(name)
        self.seed = seed
        self.runs = self.coverage = 0
        self.found = []
        for folder in (self.corpus, self.finds, self.log.parent):
            folder.mkdir(parents=True, exist_ok=True)

    def keep(self, path, name, reason):
        kept = self.finds / f"{self.name}-{name}"
        if path != kept:
            shutil.copyfile(path, kept)
        self.found.append(kept)
        say(f"!! {self.name}: FIND {kept}: {reason}")

    def try_seeds(self, log):
        """Fills the seed folder with those that hold, without doubles."""
        shutil.rmtree(self.seeds, ignore_errors=True)
        self.seeds.mkdir(parents=True)
        files = [path for path in [*self.files, *sorted(self.corpus.iterdir())] if path.stat().st_size <= MAX_BYTES]
        listed = self.seeds.with_suffix(".list")
        listed.write_text("".join(f"{path}\n" for path in files))
        tried = subprocess.run([self.program], env=dict(os.environ, UNSHADE_PROPERTY=self.name, UNSHADE_SEEDS=str(listed)), check=False,
                               stdout=subprocess.PIPE, stderr=log, text=True, errors="replace")
        broken = dict(line.split("\t", 1) for line in tried.stdout.splitlines() if "\t" in line)
        if tried.returncode != 0:
            raise RuntimeError(f"{self.program} could not try the seeds of {self.name}: {self.log}")
        for path in files:
            reason = broken.get(str(path))
            if reason is None:
                if path.parent != self.corpus:
                    target = self.seeds / digest(path)
                    if not target.exists():
                        shutil.copyfile(path, target)
                continue
            self.keep(path, "seed-" + path.name, f"the seed {path} is left aside: {reason}")
            if path.parent == self.corpus:
                path.unlink()

    def drop(self, find):
        """An input that is known to break is no seed."""
        known = digest(find)
        for folder in (self.seeds, self.corpus):
            for path in folder.iterdir():
                if digest(path) == known:
                    path.unlink()

    def fuzz(self, seconds):
        with open(self.log, "w", encoding="utf-8") as log:
            self.try_seeds(log)
            used = 0.0  # of a processor
            round_number = 0
            while (left := seconds - used) >= 1 and len(self.found) < MOST_FINDS:
                start = log.tell()
                options = [f"-max_len={MAX_BYTES}", "-timeout=10", "-rss_limit_mb=2048", f"-malloc_limit_mb={MALLOC_MB_OF.get(self.name, MALLOC_MB)}",
                           f"-artifact_prefix={self.finds}/{self.name}-", "-print_final_stats=1", "-reload=0"]
                if self.dictionary:
                    options.append(f"-dict={self.dictionary}")
                if self.seed:
                    options.append(f"-seed={self.seed + round_number}")
                round_number += 1
                running = subprocess.Popen([self.program, self.corpus, self.seeds, *options], env=dict(os.environ, UNSHADE_PROPERTY=self.name),
                                           stdout=log, stderr=log)
                used += worked(running, left)
                log.seek(0, os.SEEK_END)
                with open(self.log, encoding="utf-8", errors="replace") as written:
                    written.seek(start)
                    said = written.read()
                self.runs += sum(map(int, re.findall(r"stat::number_of_executed_units: *(\d+)", said)))
                self.coverage = max([self.coverage, *map(int, re.findall(r"\bcov: (\d+)", said))])
                if running.returncode == 0:
                    continue
                reason = re.search(r"property does not hold: .*|SUMMARY: .*|ERROR: libFuzzer: .*", said)
                new = [pathlib.Path(path) for path in re.findall(r"Test unit written to (.*)", said)]
                for path in new:
                    self.keep(path, path.name[len(self.name) + 1:], reason[0] if reason else "see " + str(self.log))
                    self.drop(path)
                if not new:
                    raise RuntimeError(f"libFuzzer ended with {running.returncode} and no find on {self.name}: {self.log}")
        return self


def table(rows):
    lines = [f"{'property':<22} {'seeds':>6} {'runs':>12} {'coverage':>9} {'inputs':>7} {'finds':>6}"]
    for one in rows:
        lines.append(f"{one.name:<22} {len(list(one.seeds.iterdir())):>6} {one.runs:>12,} {one.coverage:>9,} {len(list(one.corpus.iterdir())):>7,} "
                     f"{len(one.found):>6}")
    lines.append(f"{'all':<22} {'':>6} {sum(one.runs for one in rows):>12,} {'':>9} {'':>7} {sum(len(one.found) for one in rows):>6}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="scripts/fuzz.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="scripts/fuzz.sh SECONDS [PROPERTY...] | --each SECONDS [--jobs N] [--seed N] [PROPERTY...]")
    parser.add_argument("build", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--each", type=int, metavar="SECONDS", help="for each property, instead of SECONDS for all together")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="properties side by side (1)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of libFuzzer's random numbers; 0: another each time")
    parser.add_argument("words", nargs="*", metavar="SECONDS, PROPERTY")
    options = parser.parse_intermixed_args()
    words = list(options.words)
    if options.each is None and (not words or not words[0].isdigit()):
        parser.error("SECONDS or --each SECONDS expected")
    total = None if options.each is not None else int(words.pop(0))
    build = options.build.resolve()
    known = subprocess.run([build / "fuzz/unshade_fuzz"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    if unknown := sorted(set(words) - set(known)):
        parser.error(f"no property {', '.join(unknown)}; there are: {', '.join(known)}")
    names = words or known
    each = options.each if total is None else max(1, total * options.jobs // len(names))
    inputs = fuzz_inputs.Inputs(build / "unshade", build / "inputs", [ROOT / "tests/data", *filter(None, [os.environ.get("UNSHADE_FUZZ_SEEDS")])])
    say(f"seeds: {inputs.told()}")
    say(f"{len(names)} properties, {each} s each, {options.jobs} side by side; {-(-len(names) // options.jobs) * each // 60} minutes and the time "
        "that seeds take")
    faults = []

    def fuzz(number, name):
        say(f"== {name} ({number} of {len(names)})")
        one = Fuzzed(build, name, inputs, options.seed)
        try:
            one.fuzz(each)
        except RuntimeError as fault:
            faults.append(str(fault))
            say(f"!! {fault}")
        say(f"   {name}: {one.runs:,} runs, coverage {one.coverage:,}, {len(one.found)} finds")
        return one

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = list(pool.map(fuzz, range(1, len(names) + 1), names))
    print("\n" + table(done))
    for one in done:
        for path in one.found:
            print(f"find: {path}")
    for fault in faults:
        print(f"failed: {fault}")
    return 1 if faults or any(one.found for one in done) else 0


if __name__ == "__main__":
    sys.exit(main())

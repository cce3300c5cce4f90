#!/usr/bin/env python3
"""Whether two commands do the same, byte for byte: commands.py FIRST SECOND [--count N] [--verbs VERB[,VERB]...] [-j N] [FOLDER...]

    scripts/compare/commands.py build/check/unshade 'wine build/windows/unshade.exe' --count 100
    scripts/compare/commands.py build/check/unshade 'qemu-aarch64-static build/arm64/unshade'

FIRST and SECOND are commands, each maybe with what runs it in front: the build for this machine, and one for another. Each verb is given files of the folders
(the corpus and tests/data): `--count` N of each ending, those whose path has the least SHA-256, or all with `--count 0`; then the scenes and suites of
examples/ and tests/data, and an index of the files. Both commands run in the same folder, one behind the other, and standard output, standard error, exit
status and every file that was written are compared. What differs runs twice more: emulators fail to start a program now and then.

Prints a line for each difference, with its command, one for what differed once and not again, and a table of what ran; exits 0 without differences, 1 with
some, 77 (skipped) without files.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus

SHADERS = (".dxbc", ".dxil", ".bc", ".spv", ".shbin", ".vbc", ".dxcontainer", ".rts0", ".pdb")
LISTINGS = (".asm", ".ll", ".spvasm", ".pica")
BATCH = 8  # files that a command is given where it takes several
SECONDS = 600
TIMES = re.compile(rb' time="[0-9.]*"')  # of tests, in reports

# What is done with each batch of shaders: {} stands for the files.
OF_BATCHES = """
info {}
info --json {}
dis {} -d out
dump {} -d out
dump --hex {} -d out
dump --yaml {} -d out
dump --format json {} -d out
dump --format llvm {} -d out
reflect {}
reflect --json {}
reflect --hlsl {}
graph {}
graph --svg {} -d out
graph --dot {} -d out
graph --json {}
ir {} -d out
ir -O 0 {} -d out
translate {} -d out
decompile --with ir --to hlsl {} -d out
decompile --with ir --to glsl {} -d out
validate --no-spirv-val {}
validate --no-spirv-val --json {}
validate --no-spirv-val --sarif {}
hash {}
hash --json {}
embed --no-validate {} -d out
embed --no-validate --lang rust {} -d out
strip --everything {} -d out
sign {} -d out
part list {}
source list --json {}
scan {} -d out
scan --json {}
extract {} -d out
match {}
"""
# And with each shader; a line may have several commands.
OF_FILES = """
dis {} -o out/text ; as --no-validate out/text -o out/again
dump --yaml {} -o out/document.yaml ; build --no-validate out/document.yaml -o out/again
run --json {}
run {} -d out
diff {} next
rootsig show {}
pdb info {}
"""
OF_LISTINGS = """
as --no-validate {} -o out/made
as --json {}
"""
OF_SCENES = """
draw {} -o out/picture.png
draw {} -o out/picture.exr
draw {} --json
draw {} --heat instructions -o out/heat.png
"""
OF_NOTHING = """
test source/examples
test source/tests/data
test source/examples --json
test source/tests/data --junit out/report.xml
index in -o out/index.db ; search out/index.db --json ; search out/index.db --regex "mad|mul"
scan in -d out
scan --json source/tests/data
match source/tests/data in
help validate
man
schema info
validate --rules
completions powershell
version
info no-such-file
dis
"""


def lines_of(text):
    return [[shlex.split(command) for command in line.split(" ; ")] for line in text.strip().splitlines()]


def filled(commands, files, others=()):
    """The commands with the files in the place of `{}`, and the others in that of `next`."""
    made = []
    for command in commands:
        made.append([word for part in command for word in (files if part == "{}" else others if part == "next" else [part])])
    return made


def chosen(folders, endings, count):
    """Of each ending, `count` files with the least hash: (path, its name in the folder where commands run)."""
    found = []
    for number, folder in enumerate(folders):
        by_ending = collections.defaultdict(list)
        for path in sorted(folder.rglob("*")):
            if path.suffix in endings and path.is_file():
                by_ending[path.suffix].append(path.relative_to(folder).as_posix())
        for ending in sorted(by_ending):
            names = sorted(by_ending[ending], key=lambda name: hashlib.sha256(name.encode()).digest())
            found += [f"in/{number}/{name}" for name in (names[:count] if count else names)]
    return found


class Side:
    def __init__(self, command):
        self.command = shlex.split(command)
        # Only what has a folder is a path: the rest is found on the PATH.
        self.command = [str(pathlib.Path(word).resolve()) if "/" in word and os.path.exists(word) else word for word in self.command]

    def run(self, commands, folder):
        """What the commands print, their exit statuses, and what they write."""
        (folder / "out").mkdir()
        said = []
        for command in commands:
            try:
                done = subprocess.run(self.command + command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
                said += [("standard output", done.stdout), ("standard error", done.stderr), ("exit status", str(done.returncode).encode())]
            except subprocess.TimeoutExpired:
                said.append(("exit status", b"still running"))
        for path in sorted((folder / "out").rglob("*")):
            if path.is_file() and path.suffix != ".db":  # a database has the time at which it was made
                said.append((path.relative_to(folder).as_posix(), path.read_bytes()))
        shutil.rmtree(folder / "out")
        return [(name, TIMES.sub(b"", data.replace(b"file:///Z:/", b"file:///"))) for name, data in said]


def difference(first, second):
    """What differs first, or None."""
    for (name, one), (other_name, other) in zip(first, second):
        if name != other_name:
            return f"one has {name}, the other {other_name}"
        if one != other:
            lines, other_lines = one.split(b"\n"), other.split(b"\n")
            for number, (line, other_line) in enumerate(zip(lines, other_lines), 1):
                if line != other_line:
                    return f"{name}, line {number}: {line[:150]!r}, {other_line[:150]!r}"
            return f"{name}: {len(one)} and {len(other)} bytes"
    longer = first if len(first) > len(second) else second
    return None if len(first) == len(second) else f"only one has {longer[min(len(first), len(second))][0]}"


def jobs_of(options, folders):
    shaders = chosen(folders, SHADERS, options.count)
    listings = chosen(folders, LISTINGS, options.count)
    scenes = sorted("source/" + path.relative_to(corpus.ROOT).as_posix() for path in (corpus.ROOT / "examples/scenes").glob("*.toml")
                    if not path.name.endswith(".test.toml"))
    batches = [shaders[at:at + BATCH] for at in range(0, len(shaders), BATCH)]
    jobs = [filled(line, batch) for line in lines_of(OF_BATCHES) for batch in batches]
    jobs += [filled(line, [one], [other]) for line in lines_of(OF_FILES) for one, other in zip(shaders, shaders[1:] + shaders[:1])]
    jobs += [filled(line, [one]) for line in lines_of(OF_LISTINGS) for one in listings]
    jobs += [filled(line, [one]) for line in lines_of(OF_SCENES) for one in scenes]
    jobs += lines_of(OF_NOTHING)
    wanted = options.verbs.split(",") if options.verbs else None
    return shaders + listings, [job for job in jobs if wanted is None or any(command[0] in wanted for command in job)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--verbs")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_intermixed_args()
    folders = [folder.resolve() for folder in options.folders or [corpus.folder(), corpus.ROOT / "tests/data"] if folder.is_dir()]
    files, jobs = jobs_of(options, folders)
    if not files:
        sys.exit(corpus.skip("no files"))
    sides = Side(options.first), Side(options.second)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="unshade-commands.") as scratch:
        scratch = pathlib.Path(scratch)
        # Copies of what is chosen: names are the same for both, and nothing writes beside the originals.
        for name in files:
            number, rest = name.split("/", 2)[1:]
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folders[int(number)] / rest, scratch / name)

        def compared(numbered):
            number, job = numbered
            folder = scratch / str(number)
            folder.mkdir()
            (folder / "in").symlink_to(scratch / "in")
            (folder / "source").symlink_to(corpus.ROOT)
            faults = [difference(*[side.run(job, folder) for side in sides])]
            while faults[-1] and len(faults) < 3:
                faults.append(difference(*[side.run(job, folder) for side in sides]))
            shutil.rmtree(folder)
            return job, faults

        counts, different, once = collections.Counter(), collections.Counter(), 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for job, faults in pool.map(compared, enumerate(jobs)):
                for command in job:
                    counts[command[0]] += 1
                if faults[0]:
                    is_real = faults[-1] is not None
                    different[job[0][0]] += is_real
                    once += not is_real
                    print(" ; ".join(shlex.join(command) for command in job) + ("" if is_real else ": once, not again") + ": " + faults[0], flush=True)
    for verb in sorted(counts):
        print(f"{verb:12}{counts[verb]:6} commands" + (f", {different[verb]} differ" if different[verb] else ""))
    print(f"{sum(counts.values())} commands over {len(files)} files in {time.monotonic() - started:.0f} s: "
          + (f"{sum(different.values())} differ" if different.total() else "all the same") + (f", {once} differed once" if once else ""))
    sys.exit(1 if different.total() else 0)


if __name__ == "__main__":
    main()

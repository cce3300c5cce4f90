#!/usr/bin/env python3
"""Whether `unshade translate` makes valid modules that compute what their sources do: translated.py UNSHADE [--random N] [FOLDER...]

    ninja -C build/dev unshade_cli
    scripts/compare/translated.py build/dev/unshade

Takes the files of the folders (the corpus). Each is

same       the module and its source give the same bits for N generated sets of inputs
raw        they do once all whole numbers of the inputs are multiples of 16: the source accesses raw buffers at addresses that are not
           multiples of 4, which Direct3D leaves open
differs    they do not
uncompared `run --against` cannot run one of them, or match them: resources found in a heap, counters that nothing else uses
valid      with `--random 0`: nothing is run
invalid    spirv-val does not accept the module; where it is not installed, none is
refused    no module, for the reason that is printed

`--option=--native` and the like are given to `translate`. Prints a line for each that is not same, and a table; exits 0 if none differs or is invalid, 1 if
some do, 77 (skipped) without files.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus

SUFFIXES = (".dxbc", ".dxil", ".spv", ".shbin", ".cso")
WRONG = ("differs", "invalid")


def aligned(value):
    """Inputs whose whole numbers are multiples of 16."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value & ~15
    if isinstance(value, list):
        return [aligned(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: one if key in ("grid", "wave", "repeated_elements") else aligned(one) for key, one in value.items()}
    if isinstance(value.get("hex"), str):
        data = bytearray.fromhex(value["hex"])
        data[0::4] = bytes(byte & 0xf0 for byte in data[0::4])
        made["hex"] = data.hex()
    return made


class Work:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.validator = corpus.tool("spirv-val")

    def run(self, *arguments):
        return subprocess.run([str(one) for one in arguments], capture_output=True, text=True, errors="replace", timeout=self.options.timeout)

    def look(self, path):
        name = os.path.join(self.folder, hashlib.sha256(str(path).encode()).hexdigest())
        module, case = name + ".spv", name + ".json"
        try:
            return self.judge(path, module, case)
        except subprocess.TimeoutExpired:
            return "uncompared", "it takes too long"
        finally:
            for file in (module, case):
                if os.path.exists(file):
                    os.remove(file)

    def judge(self, path, module, case):
        unshade = self.options.unshade
        made = self.run(unshade, "translate", "--target-env", self.options.target_env, *self.options.option, "-o", module, path)
        if made.returncode:
            return "refused", made.stderr
        if self.validator:
            found = self.run(self.validator, "--target-env", self.options.target_env, module)
            if found.returncode:
                return "invalid", found.stdout + found.stderr
        if not self.options.random:
            return "valid", ""
        against = self.run(unshade, "run", "--json", "--against", module, "--random", self.options.random, path)
        if against.returncode == 0:
            return "same", ""
        try:
            difference = json.loads(against.stdout)["difference"]
        except (ValueError, KeyError):
            return "uncompared", against.stdout + against.stderr
        with open(case, "w") as file:
            json.dump(aligned(difference["inputs"]), file)
        again = self.run(unshade, "run", "--against", module, path, case)
        return ("raw" if again.returncode == 0 else "differs"), json.dumps({key: difference[key] for key in difference if key != "inputs"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unshade")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--random", type=int, default=8, help="sets of inputs (8)")
    parser.add_argument("--option", action="append", default=[], help="of translate")
    parser.add_argument("--target-env", default="vulkan1.3", help="what modules are for (vulkan1.3)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120)
    options = parser.parse_intermixed_args()
    files = []
    for top in options.folders or [corpus.folder()]:
        top = pathlib.Path(top)
        files += [top] if top.is_file() else sorted(path for path in top.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    if not files:
        print("skipped: no files")
        return corpus.SKIPPED
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = Work(options, folder)
        for path, (verdict, said) in zip(files, pool.map(work.look, files)):
            counts[verdict] += 1
            if said:
                print(f"{path}: {verdict}: " + " | ".join(said.strip().split("\n"))[:400], flush=True)
    print(f"\n{len(files)} files")
    for verdict, count in counts.most_common():
        print(f"{verdict:10} {count:6}")
    return 1 if any(counts[verdict] for verdict in WRONG) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Looks at what programs link that only open files and list or reflect them: neither rooms that run shaders, nor the IR, nor assemblers.

    links_no_more_test.py NM STRIP SAMPLE LISTS REFLECTS [EMULATOR...]
"""

import os
import re
import subprocess
import sys
import tempfile

UNUSED_ROOMS = ["ir", "texel", "vm", "draw", "picture", "run", "scene", "suite", "amber", "present", "find", "capi"]
UNUSED = re.compile(r"\bunshade::(?:(?:%s)::|(?:\w+::)*assembl)" % "|".join(UNUSED_ROOMS))
# An interpreter or the lowerings would not fit below it.
MOST_BYTES = 6_000_000
SHOWN = 20


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def faults_of(nm, strip, program):
    symbols = output_of(nm, "-C", "--defined-only", program).splitlines()
    if not any("unshade::shader::open(" in symbol for symbol in symbols):
        return ["nm shows no symbols of the library"]
    faults = [symbol for symbol in symbols if UNUSED.search(symbol)]
    shown = faults[:SHOWN]
    if len(faults) > SHOWN:
        shown.append(f"... {len(faults)} symbols in all")
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "stripped")
        output_of(strip, "-o", stripped, program)
        size = os.path.getsize(stripped)
    print(f"{os.path.basename(program)}: {size} bytes stripped")
    if size > MOST_BYTES:
        shown.append(f"{size} bytes stripped, expected at most {MOST_BYTES}")
    return shown


def main():
    nm, strip, sample, lists, reflects, *emulator = sys.argv[1:]
    failed = False
    for program, printed in ((lists, "ps_5_0\n"), (reflects, "albedo\n")):
        faults = faults_of(nm, strip, program)
        if printed not in output_of(*emulator, program, sample):
            faults.append(f"the output has no line {printed!r}")
        for fault in faults:
            print(f"{os.path.basename(program)}: {fault}")
        failed = failed or bool(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

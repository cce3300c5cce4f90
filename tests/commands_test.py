#!/usr/bin/env python3
"""Whether scripts/compare/commands.py says what differs between two commands, and only that: commands_test.py SOURCE"""
import pathlib
import subprocess
import sys
import tempfile

SAME = "#!/bin/sh\necho \"$@\"\n"
# Each differs from SAME in one thing.
DIFFERENT = {
    "standard output": "#!/bin/sh\necho \"$@\" | tr d x\n",
    "standard error": "#!/bin/sh\necho \"$@\"; echo fault >&2\n",
    "exit status": "#!/bin/sh\necho \"$@\"; exit 3\n",
    "out/more": "#!/bin/sh\necho \"$@\"; touch out/more\n",
}


def main():
    script = pathlib.Path(sys.argv[1]) / "scripts/compare/commands.py"
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "files").mkdir()
        (work / "files/a.dxbc").write_bytes(b"DXBC")

        def command(name, text):
            (work / name).write_text(text)
            (work / name).chmod(0o755)
            return str(work / name)

        def compared(other):
            return subprocess.run([sys.executable, script, same, other, "--verbs", "dis", str(work / "files")], capture_output=True, text=True, check=False)

        same = command("same", SAME)
        done = compared(f"sh {same}")
        assert done.returncode == 0 and "dis              3 commands" in done.stdout and "all the same" in done.stdout, done
        for what, text in DIFFERENT.items():
            done = compared(command("other", text))
            assert done.returncode == 1 and what in done.stdout and "3 differ" in done.stdout, (what, done)
        done = compared(command("other", f"#!/bin/sh\nmkdir {work}/once 2>/dev/null && exit 3\necho \"$@\"\n"))
        assert done.returncode == 0 and "once, not again" in done.stdout and "all the same, 1 differed once" in done.stdout, done
    print("ok")


if __name__ == "__main__":
    main()

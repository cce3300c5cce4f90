#!/usr/bin/env python3
"""Whether mypy, strict, has nothing to say: types_check.py PACKAGES SOURCE. Exit 77: mypy is not installed.

Also whether it does say something where a user is wrong: a package without types would pass the first check.
"""
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

USER = """
import unshade
import unshade.json_types

shader = unshade.open("a.cso")
offset: int = shader.tree["ISGN"].offset
info: unshade.json_types.Info = shader.json("info")
size: int = info["files"][0]["size"]
rules: list[str] = [finding.rule for finding in shader.findings]
"""
WRONG = ['shader.profile + 1', 'info["file"]', 'shader.nothing', 'unshade.open(3)', 'unshade.diff(shader, "b.cso")', 'size.lower()']


def mypy(folder, *words):
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", f"{folder}/cache", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    packages, source = (pathlib.Path(word) for word in sys.argv[1:])
    if importlib.util.find_spec("mypy") is None:
        print("python3-mypy is not installed: skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        status, said = mypy(folder, "--config-file", str(source / "pyproject.toml"), str(packages / "unshade"))
        if status != 0:
            print(said)
            return 1
        user = pathlib.Path(folder) / "user.py"
        user.write_text(USER + "".join(f"{line}\n" for line in WRONG))
        _, said = mypy(folder, "--strict", str(user))
        wrong = {int(line.split(":")[1]) for line in said.split("\n") if ": error: " in line}
        first = len(USER.split("\n"))
        if wrong != set(range(first, first + len(WRONG))):
            print("not as expected:", said)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

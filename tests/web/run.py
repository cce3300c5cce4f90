#!/usr/bin/env python3
"""Runs a test of the WebAssembly in Node: run.py TEST.mjs UNSHADE [ARGUMENT...]
Skips where there is no Node 20, where scripts/web.sh has built nothing, and where what it built is older than the library; with
UNSHADE_WEB_STALE it goes on with that."""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
TEST_SECONDS = 850


# Of what the WebAssembly is made.
FOLDERS = ["include", "cmake/bundled", "web/module", "web/npm"] + [
    f"src/{room}" for room in ("core", "dxcontainer", "dxbc", "dxil", "pica", "spirv", "vbc", "ir", "texel", "vm", "draw", "shader", "find", "picture", "run", "scene", "suite",
                             "present", "unpack", "index", "capi")]


def newest():
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())
    return max(files, key=lambda path: path.stat().st_mtime)


def reason_to_skip(stamp):
    node = shutil.which("node")
    if node is None:
        return "no node"
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < 20:
        return f"node is {version}, and must be 20 or later"
    if not stamp.exists():
        return "there is no build/web: run scripts/web.sh"
    source = newest()
    if source.stat().st_mtime > stamp.stat().st_mtime and "UNSHADE_WEB_STALE" not in os.environ:
        return f"build/web is older than {source.relative_to(ROOT)}: run scripts/web.sh"
    return None


def main():
    package = ROOT / "build/web/npm"
    reason = reason_to_skip(ROOT / "build/web/npm.stamp")
    if reason is not None:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    test, unshade, *arguments = sys.argv[1:]
    environment = dict(os.environ, UNSHADE_PACKAGE=str(package), UNSHADE_COMMAND=str(pathlib.Path(unshade).resolve()))
    corpus = pathlib.Path(os.environ.get("UNSHADE_CORPUS") or ROOT.parent / "shared/corpus")
    if corpus.is_dir():
        environment["UNSHADE_CORPUS"] = str(corpus)
    try:
        sys.exit(subprocess.run(["node", str(ROOT / "tests/web" / test), *arguments], env=environment, cwd=ROOT, timeout=TEST_SECONDS).returncode)
    except subprocess.TimeoutExpired:
        sys.exit(f"{test}: still running after {TEST_SECONDS} seconds")


if __name__ == "__main__":
    main()

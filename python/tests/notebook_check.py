#!/usr/bin/env python3
"""Executes examples/python/tour.ipynb, every cell of which has to show something. Exit 77: jupyter-nbconvert or python3-ipykernel is not installed."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

from support import SOURCE


def main():
    for module, package in (("nbconvert", "jupyter-nbconvert"), ("ipykernel", "python3-ipykernel")):
        if importlib.util.find_spec(module) is None:
            print(f"{package} is not installed: skipped")
            return 77
    with tempfile.TemporaryDirectory() as folder:
        words = ["--to", "notebook", "--execute", "--output-dir", folder, "--output", "done", str(SOURCE / "examples/python/tour.ipynb")]
        done = subprocess.run([sys.executable, "-m", "nbconvert", *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stderr[-3000:])
            return 1
        cells = json.loads(pathlib.Path(folder, "done.ipynb").read_text())["cells"]
    kinds = set()
    for cell in cells:
        if cell["cell_type"] == "code":
            data = cell["outputs"][-1].get("data") if cell["outputs"] else None
            if not data:
                print("a cell shows nothing:", "".join(cell["source"]))
                return 1
            kinds.update(data)
    if not {"text/html", "image/png", "image/svg+xml"} <= kinds:
        print("the notebook shows", kinds)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

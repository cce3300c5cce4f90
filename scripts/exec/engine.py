"""Runs one shader on given inputs: through the command, whose case files this writes, see docs/reference/cases.md."""
import functools
import json
import pathlib
import subprocess
import tempfile


class Unsupported(Exception):
    """The program says by name what it does not run."""


class Failed(Exception):
    """The program does not give a result."""


class Fault(str):
    """What a case expects and is not so: of components of a render target, which."""

    def __new__(cls, text, target, components):
        made = super().__new__(cls, text)
        made.target, made.components = target, components
        return made


class Command:
    """`unshade run`. Each call is a process of its own."""

    def __init__(self, program, options=()):
        self.program = str(program)
        self.options = list(options)

    def run(self, shader, case, timeout=60):
        """The result as JSON: `stop`, `resources`, `lanes`. Raises Unsupported and Failed."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.json"
            path.write_text(json.dumps(case))
            try:
                done = subprocess.run([self.program, "run", str(shader), str(path), "--json", *self.options], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, timeout=timeout, check=False)
            except subprocess.TimeoutExpired:
                raise Failed(f"no result after {timeout} s") from None
        message = done.stderr.strip().splitlines()[0] if done.stderr.strip() else ""
        if "error[unsupported]" in message:
            raise Unsupported(message.split("error[unsupported]: ", 1)[1])
        if done.returncode != 0:
            raise Failed(message or f"exit status {done.returncode}")
        result = json.loads(done.stdout)
        if result.get("stop") != "finished":
            raise Failed(f"stopped: {result.get('stop')}")
        return result

    @functools.lru_cache(maxsize=None)
    def inputs(self, shader, entry=""):
        """The input signature of an entry point, as `unshade reflect --json` has it."""
        done = subprocess.run([self.program, "reflect", "--json", str(shader)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"no reflection: {done.stderr.strip()}")
        points = json.loads(done.stdout)["files"][0]["entry_points"]
        return next((one for one in points if one["name"] == entry), points[0])["inputs"]

    @functools.lru_cache(maxsize=None)
    def lowered(self, shader):
        """The IR before any pass, in its text form."""
        done = subprocess.run([self.program, "ir", "-O0", str(shader)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        return done.stdout


def engines():
    """By name: a function from the program to what has run()."""
    return {
        "command": lambda program: Command(program),
        "O0": lambda program: Command(program, ["-O0"]),
        "scalar": lambda program: Command(program, ["--wave", "4"]),
    }

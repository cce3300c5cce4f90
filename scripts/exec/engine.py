"""Runs one shader on given inputs: through the command, whose case files this writes, see docs/reference/cases.md."""
import json
import pathlib
import subprocess
import tempfile


class Unsupported(Exception):
    """The program says by name what it does not run."""


class Failed(Exception):
    """The program does not give a result."""


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


def engines():
    """By name: a function from the program to what has run()."""
    return {
        "command": lambda program: Command(program),
        "O0": lambda program: Command(program, ["-O0"]),
        "scalar": lambda program: Command(program, ["--wave", "4"]),
    }

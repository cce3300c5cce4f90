"""Runs shaders and draws through the command, whose case and scene files this writes, see docs/reference/cases.md and scenes.md."""
import functools
import json
import pathlib
import re
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
        result = self.call(["run", str(shader)], case, self.options_for(shader), timeout)
        if result.get("stop") != "finished":
            raise Failed(f"stopped: {result.get('stop')}")
        return result

    def options_for(self, shader):
        return self.options

    def draw(self, scene, pixels, timeout=60):
        """The result as JSON: `targets`, `passes`, `pixels`, `resources`. Raises as run()."""
        return self.call(["draw"], scene, ["--resources", *self.options, *(f"--pixel={x},{y}" for x, y in pixels)], timeout)

    def call(self, before, document, after, timeout):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.json"
            path.write_text(json.dumps(document))
            try:
                done = subprocess.run([self.program, *before, str(path), *after, "--json"], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, timeout=timeout, check=False)
            except subprocess.TimeoutExpired:
                raise Failed(f"no result after {timeout} s") from None
        message = done.stderr.strip().splitlines()[0] if done.stderr.strip() else ""
        if "error[unsupported]" in message:
            raise Unsupported(message.split("error[unsupported]: ", 1)[1])
        if done.returncode != 0:
            raise Failed(message or f"exit status {done.returncode}")
        return json.loads(done.stdout)

    @functools.lru_cache(maxsize=None)
    def root_parameters(self, shader):
        """`register` and `space` of each parameter of a shader's root signature, where it has them."""
        done = subprocess.run([self.program, "dump", "--format", "json", str(shader)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        parts = json.loads(done.stdout)["parts"] if done.returncode == 0 else []
        signature = next((part["RTS0"] for part in parts if isinstance(part, dict) and "RTS0" in part), {"parameters": []})
        return [{key: one["body"].get(key, 0) for key in ("register", "space")} for one in signature["parameters"]]

    @functools.lru_cache(maxsize=None)
    def lowered(self, shader):
        """The IR before any pass, in its text form."""
        done = subprocess.run([self.program, "ir", "-O0", str(shader)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        return done.stdout


class Scalar(Command):
    """In waves of 4 lanes, or the least that the program allows."""

    def __init__(self, program):
        super().__init__(program, ["--wave", "4"])

    def options_for(self, shader):
        least = re.search(r"^modes .*\bwave_min (\d+)", self.lowered(shader), re.MULTILINE)
        return ["--wave", least.group(1)] if least and int(least.group(1)) > 4 else self.options


def engines():
    """By name: a function from the program to what has run()."""
    return {
        "command": lambda program: Command(program),
        "O0": lambda program: Command(program, ["-O0"]),
        "scalar": Scalar,
    }

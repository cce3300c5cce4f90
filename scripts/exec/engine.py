"""Runs shaders and draws through the command, whose case and scene files this writes, see docs/reference/cases.md and scenes.md."""
import functools
import itertools
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


LETTERS = {"cbuffer": "b", "sampler": "s", "texture": "t", "tbuffer": "t", "structured": "t", "byte_address": "t"}
KEY = re.compile(r"([btus])(\d+)(?:,space(\d+))?$")


class Spirv(Command):
    """Shaders translated to SPIR-V (`unshade translate`). Resources of cases get the bindings that the translation states, and those of results their
    registers again."""

    def __init__(self, program):
        super().__init__(program)
        self.folder = tempfile.TemporaryDirectory()
        self.made = {}
        self.numbers = itertools.count()

    def translated(self, shader, entry="", flips=False):
        """The module, and what `unshade translate --json` says of it. flips: y, which points down in draws of Vulkan."""
        if (shader, entry, flips) not in self.made:
            path = pathlib.Path(self.folder.name) / f"{next(self.numbers)}.spv"
            named = entry and shader.suffix != ".dxbc"  # whose one entry point has no name
            before = ["translate", "--json", "-o", str(path), *(["-e", entry] if named else []), *(["--flip-y"] if flips else [])]
            done = subprocess.run([self.program, *before, str(shader)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            message = done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"exit status {done.returncode}"
            if "error[unsupported]" in message:
                raise Unsupported(message.split("error[unsupported]: ", 1)[1])
            if done.returncode != 0:
                raise Failed("translate: " + message)
            self.made[shader, entry, flips] = path, json.loads(done.stdout)["files"][0]
        return self.made[shader, entry, flips]

    @staticmethod
    def place(key, bindings):
        """The key of a register in the module; None if nothing is bound there."""
        parts = KEY.match(key)
        for one in bindings if parts else []:
            first, count = one["register"], one["count"] or 1 << 31
            letter, number, space = parts[1], int(parts[2]), int(parts[3] or 0)
            if LETTERS.get(one["kind"], "u") != letter or one["space"] != space or not first <= number < first + count:
                continue
            index = "" if one["count"] == 1 else f"[{number - first}]"
            return f"{letter}{one['binding']},space{one['set']}{index}"
        return None

    def renamed(self, given, bindings):
        """Resources and samplers of a case with the keys of the module, and the keys of the case by these."""
        made, back = {}, {}
        for field in ("resources", "samplers"):
            made[field] = {}
            for key, one in given.get(field, {}).items():
                new = self.place(key, bindings)
                if new is None:
                    continue  # what no shader uses
                # storage buffers are bytes, whatever their elements are
                made[field][new] = {"raw": True, **{name: value for name, value in one.items() if name != "stride"}} if "stride" in one else one
                back[new] = key
        return made, back

    def run(self, shader, case, timeout=60):
        path, said = self.translated(shader, case.get("entry", ""))
        made, back = self.renamed(case, said["bindings"])
        size = ["--wave", str(said["wave_max"])] if said["wave_max"] < 32 or said["wave_min"] > 32 else []
        result = self.call(["run", str(path)], {**case, **made, "entry": "main"}, size, timeout)
        if result.get("stop") != "finished":
            raise Failed(f"stopped: {result.get('stop')}")
        found = {}
        for new, key in back.items():
            # results leave the space out where it is 0
            one = result["resources"].get(new, result["resources"].get(new.replace(",space0", "")))
            if one is not None:
                found[key] = one
        return {**result, "resources": found}

    def draw(self, scene, pixels, timeout=60):
        passes = []
        for one in scene["pass"]:
            one, bindings = {**one}, []
            last = next((field for field in ("mesh_shader", "geometry", "domain", "vertex") if field in one), "")
            for field, value in list(one.items()):
                if isinstance(value, dict) and "file" in value:
                    path, said = self.translated(pathlib.Path(value["file"]), value.get("entry", ""), field == last)
                    one[field] = {"file": str(path), "entry": "main"}
                    if any(row["name"] == "RenderTargetSampleCount" for row in said["specializations"]):
                        one["constants"] = {"RenderTargetSampleCount": scene["targets"][one["targets"][0]].get("samples", 1)}
                    bindings += [row for row in said["bindings"] if row not in bindings]
            made, _ = self.renamed(one, bindings)
            passes.append({**one, **made})
        return super().draw({**scene, "pass": passes}, pixels, timeout)


def engines():
    """By name: a function from the program to what has run()."""
    return {
        "command": lambda program: Command(program),
        "O0": lambda program: Command(program, ["-O0"]),
        "scalar": Scalar,
        "spirv": Spirv,
    }

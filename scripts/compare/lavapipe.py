#!/usr/bin/env python3
"""Compares shaders run by unshade and by Mesa's lavapipe: lavapipe.py --build FOLDER [--count N | --all] [FILE...]

    sudo apt install mesa-vulkan-drivers libvulkan-dev vkd3d-compiler spirv-tools clang-19 lld-19
    cmake --preset dev && ninja -C build/dev
    scripts/compare/lavapipe.py --build build/dev

Takes vertex, pixel and compute shaders of DXBC and SPIR-V: the files given, or N (200) of the corpus, those whose path has the least SHA-256, or all.
vkd3d-compiler makes SPIR-V of DXBC, so that a shader is run three times: the file by unshade, the SPIR-V by unshade, the SPIR-V by lavapipe.
Inputs are made up: vertices at random; pixels as planes over 8 by 8 pixels whose numbers are exact, so that derivatives are; textures of 32-bit floats
with one level, sampled by point. Prints a line for each shader and a table; exits 0 if no shader differs beyond the bounds, 1 if one does,
77 (skipped) without lavapipe, vkd3d-compiler or spirv-as.

same       all bits, where a NaN is a NaN
close      all within 4,096 ulps or 2^-12 of the largest number of the output: chained functions whose precision Vulkan leaves open
infinite   all others have an infinity or a NaN in one of the runs: Vulkan does not ask for them
derivatives, rounding to f16: SPIR-V gives the same or close here as in lavapipe, the file something else: DXBC has coarse derivatives if it does not
           say, and f32tof16 rounds toward zero
order of threads: unshade itself gives something else in waves of another size, or the elements of a buffer are the same in another order
out of bounds: accesses whose result Vulkan leaves open, such as indices beyond an array of constants
never set: values that are read before they are written
level of detail: the shader asks for it; Vulkan lets implementations approximate
differs    else; the line says how many components, in which runs, and where the first is
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
import spirv_interface as spirv
from spirv_interface import Unsupported

HERE = os.path.dirname(os.path.abspath(__file__))
SIDE = 8
FORMATS = {"float": "R32G32B32A32_FLOAT", "int": "R32G32B32A32_SINT", "uint": "R32G32B32A32_UINT"}
SIZES = {"1d": (16, 1, 1, 1), "2d": (16, 16, 1, 1), "3d": (8, 8, 8, 1), "cube": (8, 8, 1, 6), "1d_array": (16, 1, 1, 4), "2d_array": (16, 16, 1, 4),
         "cube_array": (8, 8, 1, 12)}
ROOMS = ("shader", "draw", "vm", "ir", "dxbc", "dxil", "pica", "spirv", "vbc", "khronos", "dxcontainer", "core")
CLEARED = 0x7fc0dead


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def number(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


class Blob:
    def __init__(self):
        self.data = bytearray()

    def add(self, data):
        self.data += bytes(-len(self.data) % 16)
        at = len(self.data)
        self.data += data
        return at

    def words(self, words):
        return self.add(struct.pack("<%dI" % len(words), *words))


def scalar(draw, kind, least=-512):
    if kind == "float":
        return bits(draw.choice([0.0, 1.0, 0.5, 2.0, -1.0]) if least < 0 and draw.random() < 0.15 else draw.randrange(least, 1024) / 256)
    return draw.randrange(2) if kind == "bool" else draw.randrange(8)


def filled(draw, size, kinds, default="float", step=1):
    """Bytes of a buffer: scalars where `kinds` (offset: kind) says so, `default` elsewhere. Numbers are above 0: exponents, divisors and ranges
    are among them. Integers are multiples of `step`."""
    words = []
    for at in range(size // 4):
        kind = kinds.get(4 * at, default)
        words.append(scalar(draw, kind, 1) * (step if kind in ("int", "uint") else 1))
    return struct.pack("<%dI" % len(words), *words)


def variables_of(reflection, buffer):
    """{offset: kind} of the scalars of a constant buffer, as its file describes them."""
    kinds = {}
    types = reflection["types"]

    def walk(type_id, offset):
        one = types[type_id]
        kind = {"int": "int", "uint": "uint", "bool": "bool"}.get(one["base"], "float")
        rows, columns = (one["columns"], one["rows"]) if one["class"] == "matrix_columns" else (one["rows"], one["columns"])
        for _ in range(max(one["elements"], 1)):
            for member in one["members"]:
                walk(member["type"], offset + member["offset"])
            if not one["members"]:
                kinds.update((offset + 16 * row + 4 * column, kind) for row in range(max(rows, 1)) for column in range(max(columns, 1)))
            offset += (4 * one["columns"] + 15) // 16 * 16 if one["members"] else 16 * max(rows, 1)

    for variable in buffer["variables"]:
        if variable["type"] is not None:
            walk(variable["type"], variable["offset"])
    return kinds


def reflect(unshade, path):
    made = corpus.run(unshade, "reflect", "--json", path)
    return json.loads(made.stdout)["files"][0] if made.returncode == 0 else {"resources": [], "buffers": [], "types": [], "entry_points": []}


class Case:
    """The job of one shader, and what its outputs are."""
    filters = "0 0 0"  # of samplers: point

    def filled(self, size, kinds, default="float", step=1):
        return filled(self.draw, size, kinds, default, step)

    def texel(self, kind):
        return bits(self.draw.randrange(257) / 256) if kind == "float" else self.draw.randrange(8)

    def __init__(self, unshade, path, module_path, folder):
        self.same_file = path == module_path
        self.reflection = reflect(unshade, path)
        with open(module_path, "rb") as file:
            self.module = spirv.Module(file.read())
        self.stage, _, self.entry, _ = self.module.entry()
        self.draw = random.Random(hashlib.sha256(os.path.basename(path).encode()).digest())
        self.blob, self.lines, self.folder = Blob(), [], folder
        self.kinds = {}  # output or resource: kind of its words
        self.lanes = SIDE * SIDE
        # Without a choice lavapipe takes the fine derivatives, unshade the coarse ones: modules say what they want, files of DXBC cannot.
        if self.module.opcodes & spirv.DERIVATIVES:
            module_path = os.path.join(folder, "derivatives.spv")
            with open(module_path, "wb") as file:
                file.write(self.module.with_fine_derivatives())
            path = module_path if self.same_file else path
        self.lines += ["stage " + self.stage, "file %s" % path, "module %s" % module_path, "entry " + self.entry, "blob %s" % os.path.join(folder, "blob")]
        self.vulkan = module_path
        self.descriptors()
        if self.stage == "compute":
            self.lines.append("groups 2 2 1")
        else:
            self.interface()
        self.lines.append("vulkan %s" % self.vulkan)
        with open(os.path.join(folder, "blob"), "wb") as file:
            file.write(self.blob.data)
        self.job = os.path.join(folder, "job")
        with open(self.job, "w") as file:
            file.write("\n".join(self.lines) + "\n")

    def known(self, letter, number):
        """What the file says of the resource that vkd3d-compiler calls so: by id from shader model 5.1 on, by register before."""
        by_id = self.reflection.get("shader_model", {"major": 5, "minor": 0})
        by_id = (by_id["major"], by_id["minor"]) >= (5, 1)
        for one in self.reflection["resources"]:
            register = one.get("register") or ""
            if register.rstrip("0123456789") == letter and number == (one["id"] if by_id else one["bind_point"]):
                return one
        return None

    def descriptors(self):
        compares = any(one["comparison"] for one in self.reflection["resources"])
        # raw buffers are addressed in bytes, by multiples of 4
        step = 16 if any("byte_address" in one["kind"] for one in self.reflection["resources"]) else 1
        for one in self.module.descriptors():
            if one["kind"] == "push":
                size = max((at for at, _ in one["layout"]), default=0) + 4
                data = self.filled(size, dict(one["layout"]))
                self.lines.append("push %d %d" % (self.blob.add(data), len(data)))
                continue
            known = None
            if self.same_file:
                letter, register, space = "x", one["binding"], one["set"]
                letter = {"sampler": "s", "uniform": "b", "combined": "t"}.get(one["kind"], "u" if one["kind"] == "storage" or one.get("storage") else "t")
            else:
                letter = one["name"].removesuffix("_counter").rstrip("0123456789_")
                if letter not in ("cb", "s", "t", "u"):
                    raise Unsupported("a descriptor without a register: " + one["name"])
                register, space = int(one["name"][len(letter):].split("_")[0]), 0
                known = self.known(letter, register)
                if known:
                    register, space = known["bind_point"], known["space"]
                letter = "c" if one["name"].endswith("_counter") else letter[0].replace("c", "b")
            head = "%d %d" % (one["set"], one["binding"])
            tail = "%s %d %d" % (letter, register, space)
            if one["kind"] in ("sampler", "combined"):
                comparison = 3 if compares and (self.same_file or (known or {"comparison": False})["comparison"]) else -1
                self.lines.append("sampler %s %s 0 0 0 %d 0 -1000 1000 1 %d %d" % (head, self.filters, comparison, register, space))
            if one["kind"] == "sampler":
                continue
            if one["kind"] in ("uniform", "storage"):
                kinds = dict(one["layout"])
                size = (max(kinds, default=0) + 4 + 15) // 16 * 16
                if not self.same_file:
                    if known and known["buffer"] is not None:
                        kinds = variables_of(self.reflection, self.reflection["buffers"][known["buffer"]])
                data = self.filled(size, kinds, "float", step)
                out = one["kind"] == "storage"
                self.lines.append("buffer %s %s - %d %d %s %d" % (head, one["kind"], self.blob.add(data), len(data), tail, out))
                self.kinds["%s%d,%d" % (letter, register, space)] = [kinds.get(4 * at, "float") for at in range(size // 4)]
                continue
            kind, out = one["type"], one["storage"]
            self.kinds["%s%d,%d" % (letter, register, space)] = [kind]
            if one["view"] == "buffer":
                size, pixel = 4096, one["format"] or FORMATS[kind]
                default, kinds = kind, {}
                if not self.same_file and (known is None or known["kind"] not in ("texture", "uav_typed")):
                    pixel, default = "R32_UINT", "uint" if known and "byte_address" in known["kind"] else "float"
                    if known and known["buffer"] is not None:
                        element = self.reflection["buffers"][known["buffer"]]
                        one_element = variables_of(self.reflection, element)
                        kinds = {at: one_element.get(at % element["size"], "float") for at in range(0, size, 4)}
                self.kinds["%s%d,%d" % (letter, register, space)] = [kinds.get(at, default) for at in range(0, size, 4)] if kinds else [default]
                data = bytes(size) if letter == "c" else self.filled(size, kinds, default)
                self.lines.append("buffer %s %s %s %d %d %s %d" % (head, "storage_texel" if out else "texel", pixel, self.blob.add(data), size, tail,
                                                                         out and letter != "c"))
                continue
            if one["view"] not in SIZES:
                raise Unsupported("textures of another dimension")
            width, height, depth, layers = SIZES[one["view"]]
            pixel = one["format"] or ("R32_FLOAT" if compares and one["depth"] == 1 else FORMATS[kind])
            texel = {"R8_UNORM": 1, "R8G8B8A8_UNORM": 4, "R8G8B8A8_SNORM": 4, "R16G16B16A16_FLOAT": 8}.get(pixel, 4 * sum(pixel.count(c + "32") for c in "RGBA"))
            count = width * height * depth * layers
            if "32" in pixel:
                words = [self.texel(kind) for _ in range(count * texel // 4)]
                data = struct.pack("<%dI" % len(words), *words)
            else:
                data = bytes(count * texel)
            self.lines.append("image %s %s %s %s %d %d %d %d 1 1 %d %d %s %d" % (
                head, one["kind"] if one["kind"] == "combined" else "storage" if out else "sampled", one["view"], pixel, width, height, depth, layers,
                self.blob.add(data), len(data), tail, out))

    def builtin(self, name, words):
        self.lines.append("builtin %s %d" % (name, self.blob.words(words)))

    def interface(self):
        found = self.module.interface(spirv.INPUT)
        inputs = [one for one in found if one[4] is None]
        lanes = range(self.lanes)
        self.builtin("zero", [0] * self.lanes)
        if self.stage == "vertex":
            self.lines.append("lanes %d" % self.lanes)
            self.builtin("vertex_id", lanes)
            self.builtin("instance_id", [0] * self.lanes)
            self.attributes(inputs, lambda kind, flat: [scalar(self.draw, kind) for _ in lanes], None)
            outputs = [one for one in self.module.interface(spirv.OUTPUT) if one[4] in (None, spirv.POSITION)]
            captured = [(one[0], one[1], 16 * at) for at, one in enumerate(outputs)]
            self.vulkan = os.path.join(self.folder, "feedback.spv")
            with open(self.vulkan, "wb") as file:
                file.write(self.module.with_feedback(captured, 16 * len(outputs)))
            self.lines.append("xfb %d" % (16 * len(outputs)))
            self.captured = [("position" if one[4] == spirv.POSITION else str(one[2]), one[3], one[5], one[6], at) for at, one in enumerate(outputs)]
            return
        self.pixels = [(x + dx, y + dy) for y in range(0, SIDE, 2) for x in range(0, SIDE, 2) for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1))]
        self.lines += ["lanes %d" % self.lanes, "area %d %d" % (SIDE, SIDE)]
        places = [[x + 0.5 for x, _ in self.pixels], [y + 0.5 for _, y in self.pixels], [0.25] * self.lanes, [1.0] * self.lanes]
        self.builtin("position", [bits(value) for axis in places for value in axis])
        self.builtin("front_face", [0xffffffff] * self.lanes)
        self.builtin("coverage", [1] * self.lanes)

        def planes(kind, flat):
            if kind != "float":
                return scalar(self.draw, kind), 0, 0
            base = self.draw.randrange(-64, 128) / 64
            return (base, 0, 0) if flat else (base, self.draw.randrange(-16, 32) / 128, self.draw.randrange(-16, 32) / 128)

        self.attributes(inputs, None, planes)
        corners = struct.pack("<12f", -1, -1, 0.25, 1, 3, -1, 0.25, 1, -1, 3, 0.25, 1)
        self.lines.append("attribute 31 %s %d" % (FORMATS["float"], self.blob.add(corners)))
        text, vs = os.path.join(self.folder, "vs.spvasm"), os.path.join(self.folder, "vs.spv")
        with open(text, "w") as file:
            file.write(spirv.pass_through(sorted({one[2]: one[5] for one in inputs}.items())))
        subprocess.run(["spirv-as", "--target-env", "vulkan1.3", text, "-o", vs], check=True)
        self.lines.append("vs " + vs)
        self.targets = {}
        for one in self.module.interface(spirv.OUTPUT):
            if one[4] is None:
                self.targets[one[2]] = one[5]
        for location in sorted(self.targets):
            self.lines.append("target %d %s" % (location, FORMATS[self.targets[location]]))

    def attributes(self, inputs, at_random, planes):
        """Data of each component of each location: of lanes, and of the vertices that Vulkan gets."""
        kinds = {one[2]: (one[5], one[7]) for one in inputs}
        for location, (kind, flat) in sorted(kinds.items()):
            if location >= 31:
                raise Unsupported("inputs at location 31 and more")
            columns = []
            for column in range(4):
                if at_random:
                    lane_words = vertex_words = at_random(kind, flat)
                elif kind == "float":
                    base, dx, dy = planes(kind, flat)
                    lane_words = [bits(base + dx * (x + 0.5) + dy * (y + 0.5)) for x, y in self.pixels]
                    vertex_words = [bits(base), bits(base + 2 * SIDE * dx), bits(base + 2 * SIDE * dy)]
                else:
                    base = planes(kind, flat)[0]
                    lane_words, vertex_words = [base] * self.lanes, [base] * 3
                self.lines.append("input %d %d %d" % (location, column, self.blob.words(lane_words)))
                columns.append(vertex_words)
            self.lines.append("attribute %d %s %d" % (location, FORMATS[kind], self.blob.words([word for row in zip(*columns) for word in row])))

    def outputs(self, ran):
        """{name: (kind, words)} of each run, of the same names in all."""
        result = {}
        for who, given in ran.items():
            here = {}
            for name, words in given.items():
                if name in self.kinds:
                    here[name] = (self.kinds[name], words)
            if self.stage == "vertex" and who == "vulkan":
                stride = 4 * len(self.captured)
                for name, first, kind, components, at in self.captured:
                    for column in range(components):
                        here["output,%s,%d" % (name, first + column)] = ([kind], [given["xfb"][lane * stride + 4 * at + column] for lane in range(self.lanes)])
            elif self.stage == "vertex":
                for name, first, kind, components, _ in self.captured:
                    for column in range(first, first + components):
                        name_here = "output,%s,%d" % (name, column)
                        if name_here in given:
                            here[name_here] = ([kind], given[name_here])
            elif self.stage == "fragment":
                for location, kind in self.targets.items():
                    for column in range(4):
                        name_here = "output,%d,%d" % (location, column)
                        if who == "vulkan":
                            words = given["target%d" % location]
                            here[name_here] = ([kind], [words[4 * (y * SIDE + x) + column] for x, y in self.pixels])
                        elif name_here in given:
                            here[name_here] = ([kind], [CLEARED if off else word for word, off in zip(given[name_here], given["discarded"])])
            result[who] = here
        return result


def ordered(word):
    return word if word < 0x80000000 else 0x80000000 - word


def compare(ours, theirs):
    """(same, close, infinite, different, the first difference)."""
    same = close = infinite = different = 0
    first = ""
    for name, (kinds, words) in sorted(ours.items()):
        if name not in theirs:
            continue
        floats = [number(word) for word in words]
        largest = max((abs(value) for value in floats if math.isfinite(value)), default=0)
        for at, (a, b) in enumerate(zip(words, theirs[name][1])):
            is_float = kinds[at % len(kinds)] == "float"
            if a == b or (is_float and math.isnan(number(a)) and math.isnan(number(b)) and CLEARED not in (a, b)):
                same += 1
            elif is_float and math.isfinite(number(a)) and math.isfinite(number(b)) and CLEARED not in (a, b) and (
                    abs(ordered(a) - ordered(b)) <= 4096 or abs(number(a) - number(b)) <= max(largest, 1e-30) * 2.0 ** -12):
                close += 1
            else:
                if is_float and CLEARED not in (a, b) and not (math.isfinite(number(a)) and math.isfinite(number(b))):
                    infinite += 1
                else:
                    different += 1
                    if different == 1:
                        first = ""
                first = first or "%s[%d]: %s and %s" % (name, at, *(("%r" % number(w) if is_float else "%#x" % w) for w in (a, b)))
    return same, close, infinite, different, first


def results_of(made):
    """({run: {name: words}}, {run: why it failed}) of what the program printed."""
    ran, failures = {}, {}
    for line in made.stdout.decode().split("\n"):
        who, _, rest = line.partition(" ")
        name, _, words = rest.partition(" ")
        if name == "failed":
            failures[who] = words
        elif name:
            ran.setdefault(who, {})[name] = [int(word, 16) for word in words.split()]
    return ran, failures


def reason(tools, case, outputs):
    """`differs`, or what is known to differ."""
    with open(case.job, "a") as file:
        file.write("wave 64\ncheck yes\n")
    again = results_of(corpus.run("timeout", "60", tools.runner, case.job))[0]
    if "file" not in again:
        return "differs"
    unlike = [name for name, (_, words) in outputs["file"].items() if words != outputs["vulkan"].get(name, (None, words))[1]]
    if compare(outputs["file"], case.outputs(again)["file"])[1:4] != (0, 0, 0) or all(
            name[0] == "u" and sorted(outputs["file"][name][1]) == sorted(outputs["vulkan"][name][1]) for name in unlike):
        return "order of threads"
    undefined, out_of_bounds = again["file"]["misuses"]
    if undefined or out_of_bounds:
        return "out of bounds" if out_of_bounds else "never set"
    return "level of detail" if 105 in case.module.opcodes else "differs"


class Untranslated(Exception):
    """(verdict, detail): there is no SPIR-V of a file of DXBC."""


def validate(module):
    valid = corpus.run("spirv-val", "--target-env", "vulkan1.3", "--scalar-block-layout", module)
    if valid.returncode != 0:
        raise Untranslated("not valid for Vulkan", valid.stderr.decode("latin-1").strip().split("\n")[0][-100:])


def translate(path, module):
    """Makes SPIR-V of a file of DXBC; gives what vkd3d-compiler says is missing, or ""."""
    made = corpus.run("timeout", "20", "vkd3d-compiler", "-x", "dxbc-tpf", "-b", "spirv-binary", "-o", module, path)
    said = made.stderr.decode("latin-1")
    if made.returncode != 0 or not os.path.getsize(module):
        raise Untranslated("vkd3d-compiler", (said.strip().split("\n") or [""])[-1][-100:])
    validate(module)
    return said[said.index("fixme:"):].split("\n")[0] if "fixme:" in said else ""


def check(tools, path):
    """(verdict, detail) of one file."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            module, incomplete = str(path), ""
            if path.suffix == ".dxbc":
                module = os.path.join(folder, "module.spv")
                incomplete = translate(path, module)
            else:
                validate(module)
            names = corpus.run("spirv-dis", "--no-color", module).stdout.decode("latin-1")
            case = Case(tools.unshade, str(path), module, folder)
            made = corpus.run("timeout", "60", tools.runner, case.job)
        except Untranslated as why:
            return why.args
        except Unsupported as why:
            return "harness", str(why)
        except KeyError as why:
            return "harness", "no %s" % why
        ran, failures = results_of(made)
        if "file" in failures:
            return "endless loop" if failures["file"] == "stopped: budget" else "unshade", failures["file"]
        if "vulkan" not in ran:
            return "lavapipe", failures.get("vulkan", "exit status %d" % made.returncode)
        if "file" not in ran:
            return "unshade", "exit status %d" % made.returncode
        outputs = case.outputs(ran)
        if not outputs["vulkan"]:
            return "harness", "nothing to compare"
        same, close, infinite, different, first = compare(outputs["file"], outputs["vulkan"])
        if same + close + infinite + different == 0:
            return "harness", "nothing to compare"
        verdict = "differs" if different else "infinite" if infinite else "close" if close else "same"
        if verdict in ("differs", "infinite") and "module" in outputs and compare(outputs["module"], outputs["vulkan"])[2:4] == (0, 0):
            if case.module.opcodes & spirv.DERIVATIVES:
                verdict = "derivatives"
            elif "PackHalf2x16" in names:
                verdict = "rounding to f16"
        if verdict in ("differs", "infinite") and incomplete:
            return "vkd3d-compiler", incomplete
        if verdict == "differs":
            verdict = reason(tools, case, outputs)
        detail = "%s: %d same, %d close, %d infinite, %d different" % (case.stage, same, close, infinite, different)
        if "module" in outputs and verdict != "same":
            detail += "; SPIR-V here and lavapipe %d, %d, %d, %d; file and SPIR-V here %d, %d, %d, %d" % (
                *compare(outputs["module"], outputs["vulkan"])[:4], *compare(outputs["file"], outputs["module"])[:4])
        return verdict, detail + ("; " + first if first else "")


def is_installed():
    """Whether Vulkan finds lavapipe."""
    return any("lvp" in name for folder in ("/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d") if os.path.isdir(folder) for name in os.listdir(folder))


def build(arguments, folder):
    program = os.path.join(folder, "lavapipe")
    libraries = [os.path.join(arguments.build, "libunshade_%s.a" % room) for room in ROOMS]
    subprocess.run([arguments.compiler, "-std=c++20", "-O1", "-ffp-contract=off", "-I%s" % (corpus.ROOT / "include"), os.path.join(HERE, "lavapipe.cpp"),
                    "-fuse-ld=lld", "-Wl,--start-group", *libraries, "-Wl,--end-group", "-lvulkan", "-lpthread", "-o", program], check=True)
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(corpus.ROOT / "build/dev"))
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--runner", help="lavapipe.cpp, built before")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    for name in ("vkd3d-compiler", "spirv-as", "spirv-val"):
        if corpus.tool(name) is None:
            return corpus.skip("no " + name)
    if not is_installed():
        return corpus.skip("no lavapipe (Debian's mesa-vulkan-drivers)")
    arguments.unshade = os.path.join(arguments.build, "unshade")
    import pathlib
    files = [pathlib.Path(name) for name in arguments.files]
    if not files:
        top = corpus.folder()
        files = [*corpus.files(".dxbc", [top / "dxbc"]), *corpus.files(".spv", [top / "spirv"])]
        stages = {}
        for path, stage in zip(files, concurrent.futures.ThreadPoolExecutor(2).map(lambda path: stage_of(arguments.unshade, path), files)):
            stages[path] = stage
        files = [path for path in files if stages[path] in ("vertex", "pixel", "compute")]
        files.sort(key=lambda path: hashlib.sha256(str(path.relative_to(top)).encode()).digest())
        files = files if arguments.all else files[:arguments.count]
    if not files:
        return corpus.skip("no shaders")
    verdicts = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        arguments.runner = arguments.runner or build(arguments, folder)
        for path, (verdict, detail) in zip(files, pool.map(lambda path: check(arguments, path), files)):
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
            if verdict != "same":
                print("%-20s %s: %s" % (verdict, path, detail), flush=True)
    for verdict, count in sorted(verdicts.items(), key=lambda item: -item[1]):
        print("%6d %s" % (count, verdict))
    return 1 if "differs" in verdicts or "unshade" in verdicts else 0


def stage_of(unshade, path):
    entries = reflect(unshade, path)["entry_points"]
    return entries[0]["stage"] if entries else None


if __name__ == "__main__":
    sys.exit(main())

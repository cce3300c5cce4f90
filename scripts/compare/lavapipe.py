#!/usr/bin/env python3
"""Compares shaders run by unshade and by Mesa's lavapipe: lavapipe.py --build FOLDER [--translated [OPTIONS]] [--count N] [--journal FILE] [FILE...]

    sudo apt install mesa-vulkan-drivers libvulkan-dev vkd3d-compiler spirv-tools clang-19 lld-19
    cmake --preset dev && ninja -C build/dev
    scripts/compare/lavapipe.py --build build/dev

Takes vertex, pixel and compute shaders of DXBC and SPIR-V: the files given, or those of the corpus, or N of them, whose path has the least SHA-256.
vkd3d-compiler makes SPIR-V of DXBC, so that a shader is run three times: the file by unshade, the SPIR-V by unshade, the SPIR-V by lavapipe.
Inputs are made up: vertices at random; pixels as planes over 8 by 8 pixels whose numbers are exact, so that derivatives are; textures of 32-bit floats
with one level, sampled by point. With --translated: the SPIR-V that `unshade translate OPTIONS` makes of DXBC, DXIL and SPIR-V, by unshade and by
lavapipe (scripts/compare/translated.py compares it with the file). Prints a line for each shader and a table; exits 0 if no shader differs beyond the
bounds, 1 if one does, 77 (skipped) without lavapipe, vkd3d-compiler or spirv-as.

same       all bits, where a NaN is a NaN
close      all within 4,096 ulps or 2^-12 of the largest number of the output: chained functions whose precision Vulkan leaves open
infinite   all others have an infinity or a NaN in one of the runs: Vulkan does not ask for them
derivatives, rounding to f16: SPIR-V gives the same or close here as in lavapipe, the file something else: DXBC has coarse derivatives if it does not
           say, and f32tof16 rounds toward zero
order of threads: unshade itself gives something else in waves of another size, or the elements of a buffer are the same in another order
out of bounds: accesses whose result Vulkan leaves open, such as indices beyond an array of constants
never set: values that are read before they are written; or both agree if variables begin as 0 in lavapipe
out of range: both agree if floats are clamped before they become integers, as Direct3D asks for (FS 22.13.3-4) and SPIR-V does not
level of detail: the shader asks for it; Vulkan lets implementations approximate
edge of a texel: with coordinates that are not rounded to 8 bits of fraction (src/vm/sampling/address.hpp compiled so) both agree: FS 7.18.8 asks for
           these 8 bits, Vulkan for at least subTexelPrecisionBits
no coordinates: what differs changes if NaN is sampled elsewhere (address.hpp and cube.cpp compiled so)
lavapipe alone: of the same module after spirv-opt -O lavapipe gives something else than before, unshade the same
differs    else; the line says how many components, in which runs, and where the first is
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
import journal
import spirv_interface as spirv
from spirv_interface import Unsupported

HERE = os.path.dirname(os.path.abspath(__file__))
SIDE = 8
FORMATS = {"float": "R32G32B32A32_FLOAT", "int": "R32G32B32A32_SINT", "uint": "R32G32B32A32_UINT"}
SIZES = {"1d": (16, 1, 1, 1), "2d": (16, 16, 1, 1), "3d": (8, 8, 8, 1), "cube": (8, 8, 1, 6), "1d_array": (16, 1, 1, 4), "2d_array": (16, 16, 1, 4),
         "cube_array": (8, 8, 1, 12)}
ROOMS = ("shader", "draw", "vm", "texel", "ir", "dxbc", "dxil", "pica", "spirv", "vbc", "khronos", "dxcontainer", "core")
CLEARED = 0x7fc0dead
FINER = {"address.hpp": [("kFractionBits = 8", "kFractionBits = 24"), ("0x1p40", "0x1p30"),
                         ("std::clamp(value,", "std::clamp(static_cast<double>(static_cast<float>(value)),")]}
# Sources of src/vm/sampling that are compiled with something in the place of something.
VARIANTS = {
    # coordinates as lavapipe has them: products in f32, not rounded to 8 bits of fraction
    "finer": FINER,
    # and NaN elsewhere
    "elsewhere": {"address.hpp": [*FINER["address.hpp"], ("if (std::isnan(value)) return 0;", "if (std::isnan(value)) return 3 * kOne;")],
                  "cube.cpp": [("return face_along(component, direction[component] < 0);\n}\n\nOnFace",
                                "return x + y + z == x + y + z ? face_along(component, direction[component] < 0) : 3;\n}\n\nOnFace")]},
}


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
        self.stage, function, self.entry, _ = self.module.entry()
        self.draw = random.Random(hashlib.sha256(os.path.basename(path).encode()).digest())
        self.blob, self.lines, self.folder = Blob(), [], folder
        self.kinds = {}  # output or resource: kind of its words
        self.lanes, self.wave = SIDE * SIDE, 0
        # Without a choice lavapipe takes the fine derivatives, unshade the coarse ones: modules say what they want, files of DXBC cannot.
        if self.module.opcodes & spirv.DERIVATIVES:
            module_path = os.path.join(folder, "derivatives.spv")
            with open(module_path, "wb") as file:
                file.write(self.module.with_fine_derivatives())
            path = module_path if self.same_file else path
        self.lines += ["wave 0", "stage " + self.stage, "file %s" % path, "module %s" % module_path, "entry " + self.entry, "blob %s" % os.path.join(folder, "blob")]
        self.vulkan = module_path
        self.descriptors()
        if self.stage == "compute":
            self.lines.append("groups 2 2 1")
            if spirv.NUM_WORKGROUPS not in self.module.builtins:
                self.lines.append("in_order yes")
            # lavapipe runs the threads of a row at once, and of several rows one after the other
            rows = [mode[1] for mode in self.module.modes.get(function, []) if mode[0] == spirv.LOCAL_SIZE]
            if rows == [4]:
                self.wave = 4
                self.lines.append("wave 4")
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
        every = list(self.module.descriptors())
        samplers = {(one["set"], one["binding"]) for one in every if one["kind"] == "sampler"}
        for one in every:
            # DXC makes two variables of one descriptor of [[vk::combinedImageSampler]]
            if one["kind"] == "image" and (one["set"], one["binding"]) in samplers:
                one["descriptor"] = "combined"
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
                head, "combined" if "combined" in (one["kind"], one.get("descriptor")) else "storage" if out else "sampled", one["view"], pixel, width, height, depth, layers,
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


def limited(*command):
    """Runs it for a minute: of filters with hundreds of taps LLVM takes longer."""
    return corpus.run("timeout", "-s", "KILL", "60", *command)


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
    again = results_of(limited(tools.runners[""], case.job))[0]
    if "file" not in again:
        return "differs"
    unlike = [name for name, (_, words) in outputs["file"].items() if words != outputs["vulkan"].get(name, (None, words))[1]]
    if compare(outputs["file"], case.outputs(again)["file"])[1:4] != (0, 0, 0) or all(
            name[0] == "u" and sorted(outputs["file"][name][1]) == sorted(outputs["vulkan"][name][1]) for name in unlike):
        return "order of threads"
    undefined, out_of_bounds = again["file"]["misuses"]
    if undefined or out_of_bounds:
        return "out of bounds" if out_of_bounds else "never set"
    if spirv.QUERY_LOD in case.module.opcodes:
        return "level of detail"
    found = of_samples(tools, case, outputs) if case.module.opcodes & spirv.SAMPLES else "differs"
    return of_open_rules(tools, case, outputs) if found == "differs" else found


def of_open_rules(tools, case, outputs):
    """Whether lavapipe agrees once what SPIR-V leaves open is closed as Direct3D does."""
    with open(case.vulkan, "rb") as file:
        module = spirv.Module(file.read())
    for name, changed in (("never set", module.with_zeroed_variables), ("out of range", module.with_clamped_conversions)):
        path = os.path.join(case.folder, "closed.spv")
        with open(path, "wb") as file:
            file.write(changed())
        with open(case.job, "a") as file:
            file.write("wave %d\nvulkan %s\n" % (case.wave, path))
        ran = results_of(limited(tools.runners[""], case.job))[0]
        if "vulkan" in ran and compare(outputs["file"], case.outputs({"vulkan": ran["vulkan"]})["vulkan"])[2:4] == (0, 0):
            return name
    # the same module, as spirv-opt changes it
    path = os.path.join(case.folder, "optimized.spv")
    if corpus.run("spirv-opt", "--target-env=vulkan1.3", "-O", case.vulkan, "-o", path).returncode != 0:
        return "differs"
    with open(case.job, "a") as file:
        file.write("module %s\nvulkan %s\n" % (path, path))
    ran = results_of(limited(tools.runners[""], case.job))[0]
    if not {"vulkan", "module"} <= ran.keys():
        return "differs"
    again = case.outputs(ran)
    ours, theirs = compare(outputs["file"], again["module"])[1:4], compare(outputs["vulkan"], again["vulkan"])[1:4]
    return "lavapipe alone" if ours == (0, 0, 0) and theirs != (0, 0, 0) else "differs"


def of_samples(tools, case, outputs):
    """Whether it is the coordinates: what the programs that round them otherwise give."""
    with open(case.job, "a") as file:
        file.write("wave 4\n")  # lanes one after the other, not by the functions for many
    made = {}
    for name in VARIANTS:
        ran = results_of(limited(tools.runners[name], case.job))[0]
        if "file" not in ran:
            return "differs"
        made[name] = case.outputs(ran)["file"]
    unlike = places_unlike(made["finer"], outputs["vulkan"])
    if not unlike:
        return "edge of a texel"
    return "no coordinates" if unlike <= places_unlike(made["finer"], made["elsewhere"]) else "differs"


def places_unlike(ours, theirs):
    """Lanes, or elements of resources, of which something differs."""
    return {(name if name[0] in "cu" else "", at) for name, (kinds, words) in ours.items() for at, (a, b) in enumerate(zip(words, theirs.get(name, (None, words))[1]))
            if compare({name: ([kinds[at % len(kinds)]], [a])}, {name: (None, [b])})[2:4] != (0, 0)}


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


def translate_here(tools, path, module):
    """Makes SPIR-V of a file by `unshade translate`."""
    made = corpus.run(tools.unshade, "translate", "--to", "spirv", *tools.translated.split(), str(path), "-o", module)
    if made.returncode != 0:
        raise Untranslated("not translated", made.stderr.decode().strip().split("\n")[0][-100:])
    validate(module)


def check(tools, path):
    """(verdict, detail) of one file."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            module, incomplete = str(path), ""
            if tools.translated is not None:
                module = os.path.join(folder, path.stem + ".spv")
                translate_here(tools, path, module)
                path = module
            elif path.suffix == ".dxbc":
                module = os.path.join(folder, "module.spv")
                incomplete = translate(path, module)
            else:
                validate(module)
            names = corpus.run("spirv-dis", "--no-color", module).stdout.decode("latin-1")
            case = Case(tools.unshade, str(path), module, folder)
            made = limited(tools.runners[""], case.job)
        except Untranslated as why:
            return why.args
        except Unsupported as why:
            return "harness", str(why)
        except KeyError as why:
            return "harness", "no %s" % why
        ran, failures = results_of(made)
        if "file" in failures:
            return "endless loop" if failures["file"] == "stopped: budget" else "unshade", failures["file"]
        if "vulkan" not in ran and made.returncode == 0 and "vulkan" not in failures:
            return "harness", "nothing to compare"
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
        if verdict in ("differs", "infinite"):
            known = reason(tools, case, outputs)
            verdict = verdict if known == "differs" else known
        detail = "%s: %d same, %d close, %d infinite, %d different" % (case.stage, same, close, infinite, different)
        if "module" in outputs and verdict != "same":
            detail += "; SPIR-V here and lavapipe %d, %d, %d, %d; file and SPIR-V here %d, %d, %d, %d" % (
                *compare(outputs["module"], outputs["vulkan"])[:4], *compare(outputs["file"], outputs["module"])[:4])
        return verdict, detail + ("; " + first if first else "")


def is_installed():
    """Whether Vulkan finds lavapipe."""
    return any("lvp" in name for folder in ("/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d") if os.path.isdir(folder) for name in os.listdir(folder))


def compiling(arguments):
    return [arguments.compiler, "-std=c++20", "-O1", "-ffp-contract=off", "-I%s" % (corpus.ROOT / "include")]


def link(arguments, objects, program):
    libraries = [os.path.join(arguments.build, "libunshade_%s.a" % room) for room in ROOMS]
    subprocess.run([arguments.compiler, *objects, "-fuse-ld=lld", "-Wl,--start-group", *libraries, "-Wl,--end-group", "-lvulkan", "-lpthread", "-o", program],
                   check=True)


def build_runner(arguments, folder, name):
    """The program of NAME.cpp in this folder."""
    program = os.path.join(folder, name)
    subprocess.run([*compiling(arguments), "-c", os.path.join(HERE, name + ".cpp"), "-o", program + ".o"], check=True)
    link(arguments, [program + ".o"], program)
    return program


def build(arguments, folder, variants=VARIANTS):
    """{name: program}: "" as it is, and the variants."""
    made = {}
    objects = os.path.join(folder, "lavapipe.o")
    compiler = compiling(arguments)
    subprocess.run([*compiler, "-c", os.path.join(HERE, "lavapipe.cpp"), "-o", objects], check=True)
    for name, changes in [("", {}), *variants.items()]:
        own = [objects]
        inner = os.path.join(folder, name, "vm", "sampling")
        if changes:
            shutil.copytree(corpus.ROOT / "src/vm/sampling", inner)
        for file, pairs in changes.items():
            with open(os.path.join(inner, file)) as source:
                text = source.read()
            for old, new in pairs:
                if text.count(old) != 1:
                    raise SystemExit("%s of src/vm/sampling has `%s` %d times, expected once" % (file, old, text.count(old)))
                text = text.replace(old, new)
            with open(os.path.join(inner, file), "w") as source:
                source.write(text)
        for file in ("filter", "cube", "level_of_detail") if changes else ():  # those that include address.hpp, and faces
            own.append(os.path.join(folder, name, file + ".o"))
            subprocess.run([*compiler, "-fno-rtti", "-I" + os.path.join(folder, name), "-I%s" % (corpus.ROOT / "src"), "-c",
                            os.path.join(inner, file + ".cpp"), "-o", own[-1]], check=True)
        made[name] = os.path.join(folder, "lavapipe" + name)
        link(arguments, own, made[name])
    return made


def programs(arguments, folder):
    if arguments.programs is None:
        return build(arguments, folder)
    found = {name: os.path.join(arguments.programs, "lavapipe" + name) for name in ("", *VARIANTS)}
    return found if all(map(os.path.exists, found.values())) else build(arguments, arguments.programs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(corpus.ROOT / "build/dev"))
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--programs", help="a folder to build the programs in, or that has them from before")
    parser.add_argument("--translated", nargs="?", const="")
    parser.add_argument("--count", type=int)
    journal.add_arguments(parser)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    for name in ("vkd3d-compiler", "spirv-as", "spirv-val", "spirv-opt"):
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
        if arguments.translated is not None:
            files += corpus.files(".dxil", [top / "dxil"])
        stages = {}
        for path, stage in zip(files, concurrent.futures.ThreadPoolExecutor(2).map(lambda path: stage_of(arguments.unshade, path), files)):
            stages[path] = stage
        files = [path for path in files if stages[path] in ("vertex", "pixel", "compute")]
        files.sort(key=lambda path: hashlib.sha256(str(path.relative_to(top)).encode()).digest())
        files = files[:arguments.count]
    if not files:
        return corpus.skip("no shaders")
    book = journal.Journal(arguments)
    with tempfile.TemporaryDirectory() as folder:
        arguments.runners = programs(arguments, folder)
        whole = book.run(((str(path), path) for path in files), lambda path: check(arguments, path))
    counts = book.counts()
    return 1 if counts["differs"] or counts["unshade"] else 0 if whole else 2


def stage_of(unshade, path):
    entries = reflect(unshade, path)["entry_points"]
    return entries[0]["stage"] if entries else None


if __name__ == "__main__":
    sys.exit(main())

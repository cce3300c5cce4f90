#!/usr/bin/env python3
"""Compares draws by unshade and by Mesa's lavapipe: draws.py --build FOLDER [coverage] [pairs] [speed] [--count N]

    sudo apt install mesa-vulkan-drivers libvulkan-dev vkd3d-compiler spirv-tools glslang-tools clang-19 lld-19
    cmake --preset dev && ninja -C build/dev
    scripts/compare/draws.py --build build/dev

coverage: random triangles, lines and points with a trivial shader, with 1 and 4 samples: which samples are drawn, how often, and with which depth.
pairs: N (100) pairs of vertex and pixel shaders of the corpus whose signatures match, those whose paths have the least SHA-256: the files by unshade,
the SPIR-V that vkd3d-compiler makes of them by lavapipe, with 1 and 4 samples. Constants of vertex shaders are near those of unit matrices, so that
triangles are seen; textures are smooth.
speed (only if it is named): three draws at 1920 by 1080 into 8-bit colors and 32-bit depth, both with two threads, the median of 7 runs after a first
one; FOLDER must be a release build.
Prints a line for each draw, and of pairs a table of both:

same, close, within 1/255  covered samples are the same, colors have all bits, or are within 4,096 ulps or 2^-12, or 1/255, of the largest
few samples                one in 1,000 differs
derivatives                coarse ones in DXBC if it does not say, fine ones in lavapipe

Exits 0 if no pair differs in more and coverage is as the specification has it, 1 if not, 77 (skipped) without lavapipe,
vkd3d-compiler, spirv-as or glslangValidator.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
import lavapipe
import spirv_interface as spirv
from spirv_interface import Unsupported

WIDTH = 256
CELL = 16
FLOATS = "R32G32B32A32_FLOAT"
PIXEL_SETS = 8
LIT = ("layout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 normal;\nlayout(location = 2) in vec4 place;\n",
       "layout(location = 0) in vec4 normal;\nlayout(location = 1) in vec4 place;\nlayout(location = 0) out vec4 target;\n")
SHADERS = {
    "lit.vert": "#version 450\n" + LIT[0] + "layout(location = 0) out vec4 turned;\nlayout(location = 1) out vec4 at;\nvoid main() {\n"
                "  const mat4 turn = mat4(0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);\n  gl_Position = position;\n"
                "  turned = turn * normal;\n  at = place;\n}\n",
    "lit.frag": "#version 450\n" + LIT[1] + "layout(set = 8, binding = 0) uniform sampler2D image;\nvoid main() {\n"
                "  float light = max(dot(normalize(normal.xyz), vec3(0.36, 0.48, 0.8)), 0.0);\n  vec4 color = texture(image, place.xy);\n"
                "  target = vec4(color.rgb * (light + 0.25), color.a);\n}\n",
    "long.frag": "#version 450\nlayout(location = 0) in vec4 shade;\nlayout(location = 0) out vec4 target;\nvoid main() {\n  vec4 a = shade, b = shade.wzyx, c = vec4(0.5);\n"
                 + "".join("  %s = %s;\n" % step for step in 25 * [("a", "a * b + c"), ("b", "max(b * 0.75, a)"), ("c", "c + a * 0.125"), ("a", "min(a, c - b)")])
                 + "  target = a + b + c;\n}\n",
    "pass.vert": "#version 450\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 color;\nlayout(location = 0) out vec4 shade;\n"
                 "void main() { gl_Position = position; gl_PointSize = 1.0; shade = color; }\n",
    "color.frag": "#version 450\nlayout(location = 0) in vec4 shade;\nlayout(location = 0) out vec4 target;\nvoid main() { target = shade; }\n",
    "samples.comp": "#version 450\nlayout(binding = 0) uniform sampler2DMS from;\nlayout(binding = 1) buffer To { uvec4 to[]; };\nvoid main() {\n"
                    "  ivec2 at = ivec2(gl_WorkGroupID.xy);\n  int count = textureSamples(from);\n  for (int s = 0; s < count; ++s)\n"
                    "    to[(at.y * int(gl_NumWorkGroups.x) + at.x) * count + s] = floatBitsToUint(texelFetch(from, at, s));\n}\n",
}


def compile_shaders(folder):
    made = {}
    for name, text in SHADERS.items():
        source, made[name] = os.path.join(folder, name), os.path.join(folder, name.split(".")[0] + "_" + name.split(".")[1] + ".spv")
        with open(source, "w") as file:
            file.write(text)
        subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.3", source, "-o", made[name]], check=True, stdout=subprocess.DEVNULL)
    return made


def words_of(made):
    """{first word: the lists of the others} of what the program printed."""
    result = collections.defaultdict(list)
    for line in made.stdout.decode().splitlines():
        name, *rest = line.split()
        result[name].append(rest)
    if made.returncode != 0:
        result["crashed"].append([str(made.returncode)])
    return result


def write_job(folder, lines, blob):
    path, data = os.path.join(folder, "job"), os.path.join(folder, "blob")
    with open(data, "wb") as file:
        file.write(blob.data)
    with open(path, "w") as file:
        file.write("\n".join(["stage draw", "blob " + data, *lines]) + "\n")
    return path


# --- coverage --------------------------------------------------------------------------------------------------------------------------

def cells():
    for y in range(0, WIDTH, CELL):
        for x in range(0, WIDTH, CELL):
            yield x, y


def place(draw, x, y, step, reach=CELL):
    """A place in a cell, in steps of a part of a pixel."""
    return x + draw.randrange(reach * step) / step, y + draw.randrange(reach * step) / step


def any_triangles(draw, step):
    return [[place(draw, x, y, step) for _ in range(3)] for x, y in cells()]


def thin(draw, step):
    made = []
    for x, y in cells():
        a, b = place(draw, x, y, step), place(draw, x, y, step)
        c = (b[0] + draw.randrange(-3, 4) / step, b[1] + draw.randrange(-3, 4) / step)
        made.append([a, b, c])
    return made


def degenerate(draw, step):
    made = []
    for x, y in cells():
        a, b = place(draw, x, y, step, CELL // 2), place(draw, x, y, step, CELL // 2)
        made.append(draw.choice([[a, a, b], [a, b, a], [a, a, a], [a, b, (2 * b[0] - a[0], 2 * b[1] - a[1])]]))
    return made


def fans(draw, step):
    """Around a place in a cell, triangles to places on its sides: each sample is to be covered once."""
    made = []
    for x, y in cells():
        centre = place(draw, x + 2, y + 2, step, CELL - 4)
        corners = [(x, y), (x + draw.randrange(1, CELL * step) / step, y), (x + CELL, y), (x + CELL, y + draw.randrange(1, CELL * step) / step),
                   (x + CELL, y + CELL), (x, y + CELL), (x, y + draw.randrange(1, CELL * step) / step)]
        made += [[centre, corners[k], corners[(k + 1) % len(corners)]] for k in range(len(corners))]
    return made


def huge(draw, step):
    return [[(draw.randrange(-8000 * step, 8000 * step) / step, draw.randrange(-8000 * step, 8000 * step) / step) for _ in range(3)] for _ in range(64)]


def lines(draw, step):
    return [[place(draw, x, y, step) for _ in range(2)] for x, y in cells()]


def points(draw, step):
    return [[place(draw, x, y, step)] for x, y in cells()]


def leaves_diamond(line, x, y):
    """Whether a line leaves the diamond of a pixel, exactly: what it covers. src: Direct3D 11.3 functional specification 3.4.3"""
    half = Fraction(1, 2)
    a, b = ([Fraction(round(Fraction(value) * 256), 256) for value in end] for end in line)
    along = [to - of for of, to in zip(a, b)]
    centre = (x + half, y + half)
    x_major = abs(along[0]) >= abs(along[1])

    def is_inside(t):
        dx, dy = (a[axis] + along[axis] * t - centre[axis] for axis in (0, 1))
        distance = abs(dx) + abs(dy)
        return distance < half or (distance == half and (dy > 0 or (dy == 0 and dx > 0 and not x_major)))

    times = {Fraction(0), Fraction(1)}
    for sx, sy, reach in ((1, 1, half), (1, -1, half), (-1, 1, half), (-1, -1, half), (1, 0, 0), (0, 1, 0)):
        slope = sx * along[0] + sy * along[1]
        if slope != 0:
            times.add((reach - sx * (a[0] - centre[0]) - sy * (a[1] - centre[1])) / slope)
    times = sorted(t for t in times if 0 <= t <= 1)
    times += [(t + u) / 2 for t, u in zip(times, times[1:])]
    return not is_inside(Fraction(1)) and any(map(is_inside, times))


# title, topology, makes primitives, further lines, depths
COVERAGE = [
    ("triangles", "triangles", any_triangles, [], None),
    ("triangles of any floats", "triangles", lambda draw, step: any_triangles(draw, step << 11), [], None),
    ("thin triangles", "triangles", thin, [], None),
    ("without area", "triangles", degenerate, [], None),
    ("fans", "triangles", fans, [], None),
    ("huge triangles", "triangles", huge, [], None),
    ("lines", "lines", lines, [], None),
    ("points", "points", points, [], None),
    ("scissor", "triangles", any_triangles, ["scissor 37 41 151 103"], None),
    ("viewport off a pixel", "triangles", any_triangles, ["viewport 3.25 5.5 245 240"], None),
    ("depth, 32 bits", "triangles", any_triangles, ["depth D32_FLOAT"], 1),
    ("depth, 16 bits", "triangles", any_triangles, ["depth D16_UNORM"], 1),
    ("bias, 32 bits", "triangles", any_triangles, ["depth D32_FLOAT", "bias 100 0 0"], 1),
    ("bias, 16 bits", "triangles", any_triangles, ["depth D16_UNORM", "bias 7 0 0"], 1),
    ("slope, 32 bits", "triangles", any_triangles, ["depth D32_FLOAT", "bias 0 1.5 0"], 0.0625),
    ("slope, 16 bits, clamped", "triangles", any_triangles, ["depth D16_UNORM", "bias 3 2 0.001"], 0.0625),
    ("perspective", "triangles", any_triangles, ["depth D32_FLOAT"], "w"),
    ("beyond near and far", "triangles", any_triangles, ["depth D32_FLOAT"], "planes"),
    ("depth clamped", "triangles", any_triangles, ["depth D32_FLOAT", "unclipped yes"], "planes"),
]


def coverage_row(tools, shaders, row, samples, step):
    title, topology, make, further, depths = row
    draw = random.Random("%s %d" % (title, step))
    blob = lavapipe.Blob()
    positions, colors = [], []
    primitives = make(draw, step)
    for at, primitive in enumerate(primitives):
        for x, y in primitive:
            w = draw.choice([0.5, 1.0, 2.0, 4.0]) if depths == "w" else 1.0
            z = draw.randrange(-512, 1536) / 1024 if depths == "planes" else draw.randrange(1025) / 1024 * (depths if isinstance(depths, (int, float)) else 1)
            positions += [(2 * x / WIDTH - 1) * w, (1 - 2 * y / WIDTH) * w, z * w if depths is not None else 0.5, w]
            colors += [1.0, float(at % 1024), 0.0, 0.25] if depths is None else [1.0, *place(draw, 0, 0, 64), 0.25]
    count = len(positions) // 4
    additive = [] if depths is not None else ["additive yes"]
    lines_of = ["vs_file " + shaders["pass.vert"], "vs " + shaders["pass.vert"], "vs_entry main", "file " + shaders["color.frag"],
                "vulkan " + shaders["color.frag"], "entry main", "area %d %d" % (WIDTH, WIDTH), "topology " + topology, "vertices %d" % count,
                "samples %d" % samples, "readback " + shaders["samples.comp"], "target 0 " + FLOATS,
                "attribute 0 %s %d" % (FLOATS, blob.add(struct.pack("<%df" % len(positions), *positions))),
                "attribute 1 %s %d" % (FLOATS, blob.add(struct.pack("<%df" % len(colors), *colors))), *additive, *further]
    with tempfile.TemporaryDirectory() as folder:
        made = words_of(corpus.run("timeout", "120", tools.runner, write_job(folder, lines_of, blob)))
    text = "%-24s %d samples, 1/%-4d %5d primitives: " % (title, samples, step, len(primitives))
    if "coverage" not in made:
        print(text + "not run: %s" % dict(made), flush=True)
        return False
    both, ours, theirs = map(int, made["coverage"][0])
    colors_of = " ".join(made["target"][0][1:])
    print(text + "%7d both, %d unshade alone, %d lavapipe alone; colors %s%s" % (
        both, ours, theirs, colors_of, "; depth " + " ".join(made["depth"][0]) if made["depth"] else ""), flush=True)
    agrees = ours == theirs == 0
    if title == "lines" and not agrees:
        exact = sum(any(leaves_diamond(one, int(x), int(y)) for one in primitives) == (drawn == "1") for x, y, _, drawn, _ in made["at"])
        agrees = exact == ours + theirs
        print("    computed exactly, unshade is right in %d of %d" % (exact, ours + theirs), flush=True)
    for what in ("at", "worst"):
        for one in made[what][:8 if tools.show else 0]:
            print("   ", what, *one)
    return agrees and int(made["target"][0][4]) == 0 and all(int(one[2]) == 0 for one in made["depth"])


def coverage(tools, shaders):
    rows = [(row, samples, step) for row in COVERAGE for samples in (1, 4) for step in ((256,) if row[4] is not None else (16, 256, 512))
            if tools.only is None or tools.only in row[0]]
    with concurrent.futures.ThreadPoolExecutor(tools.jobs) as pool:
        return all(list(pool.map(lambda row: coverage_row(tools, shaders, *row), rows)))


# --- pairs -----------------------------------------------------------------------------------------------------------------------------

SIDE = 64
TRIANGLES = 24
FEW = 1000  # of so many samples or components one may differ: lavapipe transforms vertices to the screen in f32, and textures have edges


class Half(lavapipe.Case):
    """One shader of a pair: what it binds goes into the job of both."""
    filters = "1 1 0"

    def __init__(self, unshade, path, module_path, first_set, pair):
        self.same_file = False
        self.reflection = lavapipe.reflect(unshade, path)
        with open(module_path, "rb") as file:
            self.module = spirv.Module(file.read())
        with open(module_path, "wb") as file:
            file.write(self.module.with_sets_from(first_set))
        with open(module_path, "rb") as file:
            self.module = spirv.Module(file.read())
        if self.module.opcodes & spirv.DERIVATIVES:
            with open(module_path, "wb") as file:
                file.write(self.module.with_fine_derivatives())
        self.stage, _, self.entry, _ = self.module.entry()
        self.draw, self.blob, self.lines, self.kinds = pair.draw, pair.blob, pair.lines, {}
        self.descriptors()

    def texel(self, kind):
        return lavapipe.bits(0.5 + self.draw.randrange(-8, 9) / 256) if kind == "float" else self.draw.randrange(8)

    def filled(self, size, kinds, default="float", step=1):
        """Of vertex shaders: what is a matrix is nearly the unit matrix."""
        if self.stage != "vertex":
            return super().filled(size, kinds, default, step)
        words = []
        for at in range(size // 4):
            near = self.draw.randrange(-8, 9) / 256
            words.append(lavapipe.bits(near + (1 if at // 4 % 4 == at % 4 else 0)) if kinds.get(4 * at, default) == "float" else 0)
        return struct.pack("<%dI" % len(words), *words)


class Pair:
    def __init__(self, tools, shaders, vertex, pixel, folder):
        modules = [os.path.join(folder, name) for name in ("vertex.spv", "pixel.spv")]
        self.missing = [lavapipe.translate(path, module) for path, module in zip((vertex, pixel), modules)]
        self.draw = random.Random(hashlib.sha256((vertex.name + pixel.name).encode()).digest())
        self.blob, self.lines, self.folder = lavapipe.Blob(), [], folder
        one = Half(tools.unshade, str(vertex), modules[0], 0, self)
        other = Half(tools.unshade, str(pixel), modules[1], PIXEL_SETS, self)
        count = 3 * TRIANGLES
        named = {one["register"]: one["semantic"].upper() for one in one.reflection["entry_points"][0]["inputs"]}
        found = {}
        for _, _, location, _, builtin, kind, _, _ in one.module.interface(spirv.INPUT):
            if builtin is None:
                found[location] = kind
        for location, kind in sorted(found.items()):
            words = []
            for _ in range(count):
                if kind != "float":
                    words += [0, 0, 0, 0]
                elif named.get(location) in ("POSITION", "SV_POSITION"):
                    words += [lavapipe.bits(self.draw.randrange(-300, 301) / 256) for _ in range(2)]
                    words += [lavapipe.bits(self.draw.randrange(64, 193) / 256), lavapipe.bits(1)]
                else:
                    words += [lavapipe.bits(self.draw.randrange(257) / 256) for _ in range(4)]
            self.lines.append("attribute %d %s %d" % (location, lavapipe.FORMATS[kind], self.blob.words(words)))
        for location, kind in sorted({one[2]: one[5] for one in other.module.interface(spirv.OUTPUT) if one[4] is None}.items()):
            self.lines.append("target %d %s" % (location, lavapipe.FORMATS[kind]))
        self.head = ["vs " + modules[0], "vs_entry " + one.entry, "vulkan " + modules[1], "entry " + other.entry, "area %d %d" % (SIDE, SIDE),
                     "topology triangles", "vertices %d" % count, "readback " + shaders["samples.comp"], "wave 32", "unclipped yes"]
        self.files, self.modules, self.derivatives = (vertex, pixel), modules, bool(other.module.opcodes & spirv.DERIVATIVES)

    def run(self, tools, samples, files):
        job = write_job(self.folder, ["vs_file %s" % files[0], "file %s" % files[1], "samples %d" % samples, *self.head, *self.lines], self.blob)
        return words_of(corpus.run("timeout", "60", tools.runner, job))


def verdict_of(made):
    if "coverage" not in made:
        return "not run", " ".join(" ".join([name, *words[0]]) for name, words in made.items())[:160] or "nothing to compare"
    both, ours, theirs = map(int, made["coverage"][0])
    totals = [sum(int(row[at]) for row in made["target"]) for at in (1, 2, 3, 4)]
    detail = "%d samples, %d and %d alone; components %d same, %d close, %d within 1/255, %d beyond" % (both, ours, theirs, *totals)
    if both + ours + theirs == 0:
        return "nothing seen", detail
    few = (ours + theirs) * FEW <= both and totals[3] * FEW <= sum(totals)
    verdict = ("differs" if not few else "few samples" if ours + theirs or totals[3] else "within 1/255" if totals[2] else "close" if totals[1] else "same")
    return verdict, detail + "".join("; worst " + " ".join(one) for one in made["worst"][:1])


def check_pair(tools, shaders, pair):
    """(verdict, detail) with 1 and with 4 samples."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = Pair(tools, shaders, *pair, folder)
        except lavapipe.Untranslated as why:
            return [why.args] * 2
        except (Unsupported, KeyError) as why:
            return [("harness", str(why))] * 2
        results = []
        for samples in (1, 4):
            verdict, detail = verdict_of(made.run(tools, samples, made.files))
            if verdict in ("differs", "few samples"):
                same_module, more = verdict_of(made.run(tools, samples, made.modules))
                detail += " | SPIR-V here: %s, %s" % (same_module, more)
                if any(made.missing):
                    verdict, detail = "vkd3d-compiler", "; ".join(filter(None, made.missing))
                elif made.derivatives and same_module in ("same", "close", "within 1/255"):
                    verdict = "derivatives"
            results.append((verdict, detail))
        return results


def signature(tools, path):
    entries = lavapipe.reflect(tools.unshade, path)["entry_points"]
    return entries[0] if entries and entries[0]["stage"] in ("vertex", "pixel") else None


def matches(vertex, pixel):
    """Whether the vertex shader gives all that the pixel shader reads, in the same registers."""
    given = {(one["semantic"].upper(), one["semantic_index"], one["register"]): one["mask"] for one in vertex["outputs"]}
    inputs = [one for one in pixel["inputs"] if one["system_value"] in ("undefined", "position") and one["used_mask"]]
    return bool(inputs) and any(one["semantic"].upper() == "SV_POSITION" for one in vertex["outputs"]) and all(
        set(one["used_mask"]) <= set(given.get((one["semantic"].upper(), one["semantic_index"], one["register"]), "")) for one in inputs)


def pairs_of(tools, count):
    top = corpus.folder()
    files = corpus.files(".dxbc", [top / "dxbc"])
    found = dict(zip(files, concurrent.futures.ThreadPoolExecutor(2).map(lambda path: signature(tools, path), files)))

    def order(paths):
        return hashlib.sha256(" ".join(str(path.relative_to(top)) for path in paths).encode()).digest()

    pairs = []
    for pixel in (path for path in files if found[path] and found[path]["stage"] == "pixel"):
        fitting = [path for path in pixel.parent.iterdir() if found.get(path) and found[path]["stage"] == "vertex" and matches(found[path], found[pixel])]
        pairs += [(min(fitting, key=lambda path: order([path, pixel])), pixel)] if fitting else []
    return sorted(pairs, key=order)[:count]


def pairs(tools, shaders):
    chosen = pairs_of(tools, tools.count)
    verdicts = [collections.Counter(), collections.Counter()]
    with concurrent.futures.ThreadPoolExecutor(tools.jobs) as pool:
        for pair, results in zip(chosen, pool.map(lambda pair: check_pair(tools, shaders, pair), chosen)):
            for number, (verdict, detail) in enumerate(results):
                verdicts[number][verdict] += 1
                if verdict not in ("same", "close") or tools.show:
                    print("%-17s %d samples, %s and %s: %s" % (verdict, (1, 4)[number], pair[0], pair[1].name, detail), flush=True)
    for verdict in sorted(set(verdicts[0]) | set(verdicts[1]), key=lambda one: -verdicts[0][one]):
        print("%6d %6d %s" % (verdicts[0][verdict], verdicts[1][verdict], verdict))
    return not any(counts["differs"] for counts in verdicts)


# --- speed -----------------------------------------------------------------------------------------------------------------------------

SCREEN = (1920, 1080)
RUNS = 7


def soup(draw, count):
    """Positions of triangles of some 40 pixels, anywhere."""
    for _ in range(count):
        x, y, z = draw.uniform(-1, 1), draw.uniform(-1, 1), draw.random()
        for _ in range(3):
            yield [x + draw.uniform(-14, 14) / SCREEN[0] * 2, y + draw.uniform(-14, 14) / SCREEN[1] * 2, z, 1.0]


def speed_row(tools, shaders, title, samples, positions, fragment, vertex):
    draw, blob = random.Random(title), lavapipe.Blob()
    count = len(positions)
    lines_of = ["vs_file " + shaders[vertex], "vs " + shaders[vertex], "vs_entry main", "file " + shaders[fragment], "vulkan " + shaders[fragment], "entry main",
                "area %d %d" % SCREEN, "topology triangles", "vertices %d" % count, "samples %d" % samples, "readback " + shaders["samples.comp"],
                "target 0 R8G8B8A8_UNORM", "depth D32_FLOAT", "wave 32", "threads 2", "repeat %d" % RUNS,
                "attribute 0 %s %d" % (FLOATS, blob.add(struct.pack("<%df" % (4 * count), *(value for one in positions for value in one))))]
    for location in (1, 2) if vertex == "lit.vert" else (1,):
        lines_of.append("attribute %d %s %d" % (location, FLOATS, blob.add(struct.pack("<%df" % (4 * count), *(draw.random() for _ in range(4 * count))))))
    if vertex == "lit.vert":
        texels = blob.add(bytes(draw.randrange(256) for _ in range(4 * 256 * 256)))
        lines_of += ["image 8 0 combined 2d R8G8B8A8_UNORM 256 256 1 1 1 1 %d %d t 0 0 0" % (texels, 4 * 256 * 256),
                     "sampler 8 0 1 1 0 0 0 0 -1 0 -1000 1000 1 0 0"]
    with tempfile.TemporaryDirectory() as folder:
        made = words_of(corpus.run("timeout", "600", tools.runner, write_job(folder, lines_of, blob)))
    if "time" not in made:
        print("%-44s not run: %s" % (title, dict(made)))
        return False
    for what in ("time", "processors"):
        times = {who: sorted(int(one) / 1e6 for one in rest) for who, *rest in made[what]}
        ours, theirs = (times[who][len(times[who]) // 2] for who in ("unshade", "vulkan"))
        print("%-44s %-10s unshade %8.1f ms (%.1f to %.1f), lavapipe %7.1f ms (%.1f to %.1f): %.1f times" % (
            title, what, ours, times["unshade"][0], times["unshade"][-1], theirs, times["vulkan"][0], times["vulkan"][-1], ours / theirs), flush=True)
    return True


def speed(tools, shaders):
    whole = [[-1.0, -1.0, 0.5, 1.0], [3.0, -1.0, 0.5, 1.0], [-1.0, 3.0, 0.5, 1.0]]
    triangles = list(soup(random.Random("soup"), 100000))
    return all([speed_row(tools, shaders, "100,000 lit textured triangles", 1, triangles, "lit.frag", "lit.vert"),
                speed_row(tools, shaders, "100 instructions for each pixel", 1, whole, "long.frag", "pass.vert"),
                speed_row(tools, shaders, "100,000 lit textured triangles, 4 samples", 4, triangles, "lit.frag", "lit.vert")])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(corpus.ROOT / "build/dev"))
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--runner", help="draws.cpp, built before")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="rows with this in their title")
    parser.add_argument("--show", action="store_true", help="print where samples differ")
    parser.add_argument("what", nargs="*", choices=["coverage", "pairs", "speed"], default=["coverage", "pairs"])
    arguments = parser.parse_args()
    for name in ("vkd3d-compiler", "spirv-as", "glslangValidator"):
        if corpus.tool(name) is None:
            return corpus.skip("no " + name)
    if not lavapipe.is_installed():
        return corpus.skip("no lavapipe (Debian's mesa-vulkan-drivers)")
    arguments.unshade = os.path.join(arguments.build, "unshade")
    agree = True
    with tempfile.TemporaryDirectory() as folder:
        arguments.runner = arguments.runner or lavapipe.build_runner(arguments, folder, "draws")
        shaders = compile_shaders(folder)
        if "coverage" in arguments.what:
            agree = coverage(arguments, shaders) and agree
        if "speed" in arguments.what:
            agree = speed(arguments, shaders) and agree
        if "pairs" in arguments.what:
            agree = pairs(arguments, shaders) and agree
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())

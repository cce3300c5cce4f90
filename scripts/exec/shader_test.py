"""Cases of wine's and vkd3d's shader tests: dispatches and draws, of which the pixels that are probed are drawn."""
import json
import math
import re
import struct

from exec.draw import draw
from exec.engine import Fault
from exec.values import ordered, pack_real

WIDTHS = {"float": "FLOAT", "uint": "UINT", "sint": "SINT", "unorm": "UNORM", "snorm": "SNORM", "typeless": "TYPELESS"}
QUAD = [(-2.0, -2.0), (-2.0, 4.0), (4.0, -2.0)]


def words_of(values):
    return struct.pack(f"<{len(values)}I", *(value & 0xffffffff for value in values)).hex()


def format_of(name):
    """`r32g32b32a32-float` as DXGI has it."""
    parts = name.split("-")
    return f"{parts[0].upper()}_{WIDTHS[parts[1]]}"


FIELDS = {"path", "kind", "source", "model", "verb", "arguments", "constants", "resources", "samplers", "layout", "options", "expect", "binaries"}
DIMENSIONS = {"2d", "2dms", "buffer", "raw_buffer", "counter_buffer"}


def reason_to_skip(document):
    if unknown := sorted(set(document) - FIELDS):
        return f"has fields that are not known: {', '.join(unknown)}"
    for one in document["resources"]:
        if one["dimension"] not in DIMENSIONS:
            return f"has a resource of dimension {one['dimension']}"
    return None


def bindings(document):
    made = {}
    if document["constants"]:
        made["b0"] = {"hex": words_of(document["constants"])}
    counters = {one["register"]: one for one in document["resources"] if one.get("dimension") == "counter_buffer"}
    for one in document["resources"]:
        if one["class"] not in ("srv", "uav") or one["dimension"] == "counter_buffer":
            continue
        given = {"hex": words_of(one["words"])}
        if one["dimension"] == "raw_buffer":
            given["raw"] = True
        elif one["format"] is None:
            given["stride"] = one["stride"]
        else:
            given["format"] = format_of(one["format"])
        if one["dimension"].startswith("2d"):
            given.update(width=one["width"], height=one["height"], levels=one["levels"], samples=one["samples"])
        elif one.get("width"):
            # elements, of which the words need not be all
            given["size"] = max(one["width"] * (texel_size(one) or one["stride"] or 4), 4 * len(one["words"]))
        if one["class"] == "uav" and one["register"] in counters:
            given["counter"] = counters[one["register"]]["words"][0] if counters[one["register"]]["words"] else 0
        made[("t" if one["class"] == "srv" else "u") + str(one["register"])] = given
    for register, one in counters.items():  # buffers of which only the counter matters
        made.setdefault(f"u{register}", {"stride": 4, "size": 4, "counter": one["words"][0] if one["words"] else 0})
    return made


def samplers(document):
    made = {}
    for one in document["samplers"]:
        given = {"filter": one["filter"], "address": one["address"], "border": [0] * 4}
        if one["comparison"]:
            given["comparison"] = one["comparison"].replace(" ", "_")
        made[f"s{one['register']}"] = given
    return made


def mesh_of(document):
    """The mesh of a pass and what is drawn of it."""
    if document["arguments"] == "quad":
        return {"vertices": [{"POSITION": [x, y, 0.0, 1.0]} for x, y in QUAD]}, {}
    topology, count, instances = re.fullmatch(r"(.*?) (\d+)(?: (\d+))?", document["arguments"]).groups()
    buffers = {one["register"]: words_of(one["words"]) for one in document["resources"] if one["class"] == "vb"}
    made = []
    for slot in sorted({element[0] for element in document["layout"]}):
        elements, offset = {}, 0
        for _, form, name, *index in (element for element in document["layout"] if element[0] == slot):
            elements[name + "".join(index)] = {"format": format_of(form), "offset": offset}
            offset += sum(int(bits) for bits in re.findall(r"[rgba](\d+)", form)) // 8
        made.append({"data": {"hex": buffers[int(slot)]}, "elements": elements})
    patch = re.fullmatch(r"(\d+) control point patch list", topology)
    topology = f"{patch[1]}_CONTROL_POINT_PATCHLIST" if patch else topology.upper().replace(" ", "")
    return {"buffers": made, "topology": topology}, {"count": int(count), "instances": int(instances or 1)}


# Of a probe's numbers by the end of its format: struct's letter. Those of 64 bits take two components of 32.
LETTERS = (("ui64", "Q"), ("i64", "q"), ("ui", "I"), ("i", "i"), ("d", "d"))


def letter_of(form):
    return next((letter for end, letter in LETTERS if form.endswith(end)), "f")


def as_probed(values, texel, form):
    """Components of a target, or of 32 bits in memory, as a probe reads them. texel: the format of the target."""
    letter = letter_of(form)
    if letter not in "Qqd" and not (letter in "Ii" and texel == "FLOAT"):
        return values
    own = {"FLOAT": "f", "UINT": "I", "SINT": "i"}[texel]
    data = struct.pack(f"<{len(values)}{own}", *values)
    return list(struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data[:len(data) // 8 * 8] if letter in "Qqd" else data))


def same(actual, text, form, ulps):
    letter = letter_of(form)
    if letter in "IiQq":
        return (int(actual) - int(text, 0)) % (1 << 8 * struct.calcsize(letter)) == 0
    expected = struct.unpack(f"<{letter}", pack_real(letter, float(text)))[0]
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    if actual == expected:
        return True
    if math.isinf(actual) or math.isinf(expected):
        return False
    form = {"f": "Float32", "d": "Float64"}[letter]
    return abs(ordered(form, actual) - ordered(form, expected)) <= max(ulps, 1)


def places(at, width, height):
    """Pixels of a probe: itself, or of a rectangle its corners and its middle."""
    if len(at) == 2:
        return [tuple(at)]
    left, top, right, bottom = at[0], at[1], min(at[2], width), min(at[3], height)
    return sorted({(left, top), (right - 1, top), (left, bottom - 1), (right - 1, bottom - 1), ((left + right) // 2, (top + bottom) // 2)})


def texel_size(one):
    return 4 * one["format"].count("32") if one["format"] else one["stride"]


def check_resources(document, result):
    for check in document["expect"]:
        if check["resource"] in ("rtv", "dsv"):
            continue
        key = ("t" if check["resource"] == "srv" else "u") + str(check["register"])
        one = next(r for r in document["resources"] if r["class"] == check["resource"] and r["register"] == check["register"])
        if one["dimension"] == "counter_buffer":
            got = [result["resources"][key].get("counter", 0)]
            if not same(got[0], check["values"][0], check["format"], check["ulps"]):
                return f"counter of {key} is {got[0]}, expected {check['values'][0]}"
            continue
        data = bytes.fromhex(result["resources"][key]["hex"])
        size = texel_size(one) or 4
        at = check["at"]
        spots = [(at if isinstance(at, int) else at[0]) * size] if one["dimension"] in ("buffer", "raw_buffer") else \
            [(y * one["width"] + x) * size for x, y in places(at, one["width"], one["height"])]
        letter = letter_of(check["format"])
        for spot in spots:
            got = struct.unpack_from("<" + letter * len(check["values"]), data, spot)
            if not all(same(a, b, check["format"], check["ulps"]) for a, b in zip(got, check["values"])):
                return f"{key} at {at} is {got}, expected {', '.join(check['values'])}"
    return None


def run(document, folder, engine, _family):
    given = {"resources": bindings(document), "samplers": samplers(document)}
    files = {binary["stage"]: folder / binary["file"] for binary in document["binaries"]}
    if document["verb"].startswith("dispatch"):
        grid = [int(word) for word in document.get("arguments", "").split() or document["verb"].split()[1:]]
        return check_resources(document, engine.run(files["compute"], {"grid": grid, **given}))
    targets = {f"target {one['register']}": one for one in sorted(document["resources"], key=lambda one: one["register"]) if one["class"] == "rtv"}
    depth = next((one for one in document["resources"] if one["class"] == "dsv"), None)
    if depth:
        targets["depth"] = depth
    first = next(iter(targets.values()), {"width": 640, "height": 480})
    size = first["width"], first["height"]

    def name_of(check):
        return "depth" if check["resource"] == "dsv" else f"target {check['register']}"

    probes = [(check, x, y) for check in document["expect"] if check["resource"] in ("rtv", "dsv") for x, y in places(check["at"], *size)]
    pixels = {(x, y) for _, x, y in probes} or {(0, 0)}
    for check in document["expect"]:  # what pixels write at their own place
        if check["resource"] == "uav" and not isinstance(check["at"], int) and len(check["at"]) > 1:
            pixels.update(places(check["at"], *size))
    scene_targets = {name: {"format": DEPTHS.get(one["format"], one["format"]) if one is depth else format_of(one["format"]), "width": one["width"],
                            "height": one["height"], "samples": one["samples"], "clear": cleared(one, one is depth)} for name, one in targets.items()}
    states = {"depth_target": "depth", "depth_stencil": {"DepthFunc": "ALWAYS"}} if depth else {}
    mesh, call = mesh_of(document)
    colours, result = draw(engine, files, given, mesh, call, scene_targets, pixels, rasterizer={"CullMode": "NONE"}, **states)
    for check, x, y in probes:
        name = name_of(check)
        got = colours.get((name, x, y))
        if got is None:  # nothing was drawn there
            got = [targets[name]["clear"][0] if targets[name].get("clear") else 1.0] if name == "depth" else \
                targets[name].get("clear") or left_before(document, check) or [0, 0, 0, 0]
        else:
            got = as_probed(got, scene_targets[name]["format"].rsplit("_", 1)[1], check["format"])
        wrong = [k for k, (a, b) in enumerate(zip(got, check["values"])) if not same(a, b, check["format"], check["ulps"])]
        if wrong:
            return Fault(f"{name} at {x}, {y} is {got}, expected {', '.join(check['values'])}", check["register"], wrong)
    return check_resources(document, result)


# A depth buffer's formats. Which test it has the files do not say: all passes.
DEPTHS = {"r32-float": "D32_FLOAT", "r32-float-shadow": "D32_FLOAT", "r32-typeless": "D32_FLOAT", "d32-float": "D32_FLOAT"}


def cleared(one, is_depth):
    given = one.get("clear")
    if is_depth:
        return given[0] if isinstance(given, list) and given else given if isinstance(given, (int, float)) else 1
    return given or [0] * 4


def left_before(document, check):
    """What the draw before, of the same test, was expected to leave in a target."""
    name, number = document["path"].stem.rsplit(".", 1)
    for before in range(int(number) - 1, -1, -1):
        path = document["path"].with_name(f"{name}.{before}.json")
        other = json.loads(path.read_text()) if path.is_file() else {"source": None}
        if other["source"] != document["source"]:
            return None
        for one in other["expect"]:
            if one["resource"] == "rtv" and (one["register"], one["at"], one["format"]) == (check["register"], check["at"], check["format"]):
                return [float(value) if "i" not in check["format"] else int(value, 0) for value in one["values"]]
    return None

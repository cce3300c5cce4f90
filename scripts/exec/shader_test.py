"""Cases of wine's and vkd3d's shader tests: dispatches and draws, of which the pixels that are probed are drawn."""
import json
import math
import re
import struct

from exec.draw import draw
from exec.engine import Fault
from exec.values import pack_real

WIDTHS = {"float": "FLOAT", "uint": "UINT", "sint": "SINT", "unorm": "UNORM", "snorm": "SNORM", "typeless": "TYPELESS"}
QUAD = [(-2.0, -2.0), (-2.0, 4.0), (4.0, -2.0)]


def words_of(values):
    return struct.pack(f"<{len(values)}I", *(value & 0xffffffff for value in values)).hex()


def format_of(name):
    """`r32g32b32a32-float` as DXGI has it."""
    parts = name.split("-")
    return f"{parts[0].upper()}_{WIDTHS[parts[1]]}"


def reason_to_skip(document):
    if document["verb"] == "draw" and any(one["class"] == "dsv" for one in document["resources"]):
        return "needs a depth buffer"
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
            given["size"] = one["width"]
        if one["class"] == "uav" and one["register"] in counters:
            given["counter"] = counters[one["register"]]["words"][0] if counters[one["register"]]["words"] else 0
        made[("t" if one["class"] == "srv" else "u") + str(one["register"])] = given
    for register, one in counters.items():  # buffers of which only the counter matters
        made.setdefault(f"u{register}", {"stride": 4, "size": 4, "counter": one["words"][0] if one["words"] else 0})
    return made


def samplers(document):
    made = {}
    for one in document["samplers"]:
        given = {"filter": one["filter"], "address": one["address"]}
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


def same(actual, text, form, ulps):
    if form.rstrip("64").endswith("i"):
        if isinstance(actual, float):  # the bits of a target of floats
            actual = struct.unpack("<I", struct.pack("<f", actual))[0]
        return (int(actual) - int(text, 0)) & 0xffffffff == 0
    expected = struct.unpack("<f", pack_real("f", float(text)))[0]
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    if actual == expected:
        return True
    if math.isinf(actual) or math.isinf(expected):
        return False
    order = [struct.unpack("<i", struct.pack("<f", value))[0] for value in (actual, expected)]
    order = [value if value >= 0 else -0x80000000 - value for value in order]
    return abs(order[0] - order[1]) <= max(ulps, 1)


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
        if check["resource"] == "rtv":
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
        letter = "I" if "ui" in check["format"] else "i" if check["format"].endswith("i") else "f"
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
    targets = {one["register"]: one for one in document["resources"] if one["class"] == "rtv"}
    first = next(iter(targets.values()), {"width": 640, "height": 480})
    size = first["width"], first["height"]
    probes = [(check, x, y) for check in document["expect"] if check["resource"] == "rtv" for x, y in places(check["at"], *size)]
    pixels = {(x, y) for _, x, y in probes} or {(0, 0)}
    for check in document["expect"]:  # what pixels write at their own place
        if check["resource"] == "uav" and not isinstance(check["at"], int) and len(check["at"]) > 1:
            pixels.update(places(check["at"], *size))
    scene_targets = {f"target {number}": {"format": format_of(one["format"]), "width": one["width"], "height": one["height"],
                                          "samples": one["samples"], "clear": one.get("clear") or [0] * 4} for number, one in sorted(targets.items())}
    mesh, call = mesh_of(document)
    colours, result = draw(engine, files, given, mesh, call, scene_targets, pixels, rasterizer={"CullMode": "NONE"})
    for check, x, y in probes:
        target = check["register"]
        got = colours.get((f"target {target}", x, y)) or targets[target].get("clear") or left_before(document, check) or [0, 0, 0, 0]
        wrong = [k for k, (a, b) in enumerate(zip(got, check["values"])) if not same(a, b, check["format"], check["ulps"])]
        if wrong:
            return Fault(f"target {target} at {x}, {y} is {got}, expected {', '.join(check['values'])}", target, wrong)
    return check_resources(document, result)


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

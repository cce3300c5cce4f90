"""Cases of wine's and vkd3d's shader tests: dispatches, and draws of a full-screen quad, whose pixels are run alone."""
import math
import re
import struct

from exec.engine import Failed
from exec.values import pack_real, real

WIDTHS = {"float": "FLOAT", "uint": "UINT", "sint": "SINT", "unorm": "UNORM", "snorm": "SNORM", "typeless": "TYPELESS"}
QUAD = [(-2.0, -2.0), (-2.0, 4.0), (4.0, -2.0)]


def words_of(values):
    return struct.pack(f"<{len(values)}I", *(value & 0xffffffff for value in values)).hex()


def format_of(name):
    """`r32g32b32a32-float` as DXGI has it."""
    parts = name.split("-")
    return f"{parts[0].upper()}_{WIDTHS[parts[1]]}"


def reason_to_skip(document):
    stages = [binary["stage"] for binary in document["binaries"]]
    if document["verb"] == "draw":
        if document["arguments"] != "quad":
            return "draws other than a full-screen quad need a rasterizer"
        if any(stage not in ("vertex", "pixel") for stage in stages):
            return "needs a rasterizer"
        if any(one["class"] == "dsv" for one in document["resources"]):
            return "needs a depth buffer"
        if any(one["samples"] > 1 and one["class"] == "rtv" for one in document["resources"]):
            return "needs multisampling"
        if "pixel" not in stages:
            return "has no pixel shader"
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
    return made


def samplers(document):
    made = {}
    for one in document["samplers"]:
        given = {"filter": one["filter"], "address": one["address"]}
        if one["comparison"]:
            given["comparison"] = one["comparison"].replace(" ", "_")
        made[f"s{one['register']}"] = given
    return made


def key_of(name):
    """A semantic without regard to case, with its index."""
    name = name.lower()
    return name if re.search(r"\d$", name) else name + "0"


class Quad:
    """The triangle that covers the target, and what its vertices give."""

    def __init__(self, vertices, width, height):
        self.vertices = [{key_of(name): [real(one) for one in value] for name, value in vertex.items()} for vertex in vertices]
        self.width, self.height = width, height
        positions = [vertex.get("sv_position0") for vertex in self.vertices]
        if any(place is None for place in positions):
            raise Failed("the vertex shader gives no SV_Position")
        self.clip = positions
        self.screen = [((x / w + 1) / 2 * width, (1 - y / w) / 2 * height) for x, y, _, w in positions]

    def at(self, x, y):
        """Inputs of the pixel whose corner is (x, y)."""
        (ax, ay), (bx, by), (cx, cy) = self.screen
        px, py = x + 0.5, y + 0.5
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        b = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area
        c = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area
        flat = (1 - b - c, b, c)
        reciprocal = sum(f / place[3] for f, place in zip(flat, self.clip))
        weights = [f / place[3] / reciprocal for f, place in zip(flat, self.clip)]
        inputs = {}
        for name in self.vertices[0]:
            if name == "sv_position0":
                depth = sum(f * place[2] / place[3] for f, place in zip(flat, self.clip))
                inputs[name] = [px, py, depth, reciprocal]
            else:
                values = [vertex[name] for vertex in self.vertices]
                inputs[name] = [values[0][k] if isinstance(values[0][k], int) or not math.isfinite(sum(v[k] for v in values))
                                else sum(w * v[k] for w, v in zip(weights, values)) for k in range(len(values[0]))]
        return inputs


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
    lanes = [{"POSITION": [x, y, 0.0, 1.0]} for x, y in QUAD]
    quad = Quad(engine.run(files["vertex"], {"lanes": lanes, **given})["lanes"], first["width"], first["height"])
    probes = [(check, x, y) for check in document["expect"] if check["resource"] == "rtv"
              for x, y in places(check["at"], first["width"], first["height"])]
    pixels = sorted({(x & ~1, y & ~1) for _, x, y in probes}) or [(0, 0)]
    lanes = [quad.at(x + dx, y + dy) for x, y in pixels for dy in (0, 1) for dx in (0, 1)]
    result = engine.run(files["pixel"], {"lanes": lanes, **given})
    for check, x, y in probes:
        lane = result["lanes"][4 * pixels.index((x & ~1, y & ~1)) + (y & 1) * 2 + (x & 1)]
        lane = {key_of(name): [real(one) for one in value] if isinstance(value, list) else value for name, value in lane.items()}
        clear = targets[check["register"]].get("clear") or [0, 0, 0, 0]
        got = clear if lane.get("discarded0") else lane.get(f"sv_target{check['register']}", clear)
        if not all(same(a, b, check["format"], check["ulps"]) for a, b in zip(got, check["values"])):
            return f"target {check['register']} at {x}, {y} is {got}, expected {', '.join(check['values'])}"
    return check_resources(document, result)

"""Draws triangles: runs the vertex shader on vertices, then the pixel shader on the quads of the pixels that are asked for.

A rasterizer as Direct3D has it, of what tests of shaders need: positions of 8 fractional bits, the top-left rule, instances, clip and cull
distances, interpolation by the pixel shader's signature. It does not clip triangles that reach behind the viewer.
src: Direct3D 11.3 functional specification 3.4, 15.
"""
import math
import re

from exec.engine import Failed, Unsupported
from exec.values import real

SUBPIXELS = 256


def key_of(name):
    """A semantic without regard to case, with its index."""
    name = name.lower()
    return name if re.search(r"\d$", name) else name + "0"


def read_values(lane):
    return {key_of(name): [real(one) for one in value] if isinstance(value, list) else value for name, value in lane.items()}


def triangles_of(topology, count):
    """Numbers of vertices; the first is the leading one, whose values are constant over the triangle."""
    if topology == "triangle list":
        return [(at, at + 1, at + 2) for at in range(0, count - 2, 3)]
    if topology == "triangle strip":
        return [(at, at + 1, at + 2) if at % 2 == 0 else (at, at + 2, at + 1) for at in range(count - 2)]
    raise Unsupported(f"needs a rasterizer for a {topology}")


class Triangle:
    def __init__(self, vertices, width, height, number, counterclockwise):
        self.vertices = vertices
        self.number = number
        self.clip = [vertex["sv_position0"] for vertex in vertices]
        if any(not place[3] > 0 for place in self.clip):
            raise Unsupported("needs a rasterizer that clips")
        self.screen = [(round((x / w + 1) / 2 * width * SUBPIXELS), round((1 - y / w) / 2 * height * SUBPIXELS)) for x, y, _, w in self.clip]
        (ax, ay), (bx, by), (cx, cy) = self.screen
        self.area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        self.clockwise = self.area > 0  # as y goes down
        self.front = self.clockwise != counterclockwise
        culled = [name for name in vertices[0] if name.startswith("sv_culldistance")]
        self.culled = self.area == 0 or any(all(vertex[name][k] < 0 for vertex in vertices) for name in culled for k in range(len(vertices[0][name])))

    def edges(self, x, y):
        """Twice the areas towards each vertex, in units of subpixels, of a pixel's middle."""
        px, py = x * SUBPIXELS + SUBPIXELS // 2, y * SUBPIXELS + SUBPIXELS // 2
        made = []
        for k in range(3):
            (ax, ay), (bx, by) = self.screen[(k + 1) % 3], self.screen[(k + 2) % 3]
            made.append((bx - ax) * (py - ay) - (px - ax) * (by - ay))
        return made

    def covers(self, x, y):
        if self.culled:
            return False
        sign = 1 if self.clockwise else -1
        for k, edge in enumerate(self.edges(x, y)):
            (ax, ay), (bx, by) = self.screen[(k + 1) % 3], self.screen[(k + 2) % 3]
            dx, dy = (bx - ax) * sign, (by - ay) * sign
            top_left = dy < 0 or (dy == 0 and dx > 0)
            if edge * sign < 0 or (edge == 0 and not top_left):
                return False
        inputs = self.at(x, y, {})
        return not any(one < 0 for name, values in inputs.items() if name.startswith("sv_clipdistance") for one in values)

    def at(self, x, y, modes):
        """Inputs of the pixel (x, y); modes: how an input is interpolated, by name."""
        flat = [edge / self.area for edge in self.edges(x, y)]
        reciprocal = sum(f / place[3] for f, place in zip(flat, self.clip))
        weights = [f / place[3] / reciprocal for f, place in zip(flat, self.clip)]
        inputs = {"front_face": self.front, "sv_isfrontface0": [0xffffffff if self.front else 0], "primitive_id": self.number,
                  "sv_primitiveid0": [self.number]}
        for name, first in self.vertices[0].items():
            mode = modes.get(name, "linear")
            if name == "sv_position0":
                inputs[name] = [x + 0.5, y + 0.5, sum(f * place[2] / place[3] for f, place in zip(flat, self.clip)), reciprocal]
            elif mode == "constant":
                inputs[name] = first
            else:
                by = flat if "noperspective" in mode else weights
                values = [vertex[name] for vertex in self.vertices]
                inputs[name] = [first[k] if isinstance(first[k], int) or not math.isfinite(sum(v[k] for v in values))
                                else sum(w * v[k] for w, v in zip(by, values)) for k in range(len(first))]
        return inputs


def draw(engine, files, given, vertices, topology, size, pixels, instances=1, entries=None, counterclockwise=False, sample=0,
         samples=1):
    """Colours of pixels by (x, y), as the pixel shader's outputs by semantic, and the result of the pixel shader.

    given: resources and samplers of a case; vertices: inputs of each vertex; pixels: those that are wanted; counterclockwise: of triangles
    that show their front; sample: of `samples` of a pixel that is covered as a whole. What no triangle covers, or is discarded, has no colour.
    """
    entries = entries or {}
    width, height = size
    triangles = []
    for instance in range(instances):
        lanes = [dict(vertex, vertex_id=at, sv_vertexid0=[at], instance_id=instance, sv_instanceid0=[instance]) for at, vertex in enumerate(vertices)]
        shaded = [read_values(one) for one in
                  engine.run(files["vertex"], {"lanes": lanes, **given, "entry": entries.get("vertex", "")})["lanes"]]
        if any("sv_position0" not in one for one in shaded):
            raise Failed("the vertex shader gives no SV_Position")
        for number, corners in enumerate(triangles_of(topology, len(shaded))):
            triangles.append(Triangle([shaded[k] for k in corners], width, height, number, counterclockwise))
    modes = {key_of(f"{one['semantic']}{one['semantic_index']}"): one["interpolation"] for one in engine.inputs(files["pixel"], entries.get("pixel", ""))}
    lanes, places = [], []
    for triangle in triangles:
        covered = {place for place in pixels if triangle.covers(*place)}
        for x, y in sorted({(x & ~1, y & ~1) for x, y in covered}):
            for place in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
                inputs = {**triangle.at(*place, modes), "sample_index": sample, "sv_sampleindex0": [sample]}
                if not triangle.covers(*place) or place[0] >= width or place[1] >= height:
                    inputs["helper"] = True
                lanes.append(inputs)
                places.append(place)
    colours = {}
    if not lanes:
        return colours, {"resources": {}}
    result = engine.run(files["pixel"], {"lanes": lanes, **given, "entry": entries.get("pixel", ""), "samples": samples})
    for place, inputs, lane in zip(places, lanes, result["lanes"]):
        if not inputs.get("helper") and not lane.get("discarded"):
            colours[place] = {**colours.get(place, {}), **read_values(lane)}
    return colours, result

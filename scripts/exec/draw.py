"""Draws by the whole pipeline: makes a scene of what a suite says, see docs/reference/scenes.md.

Where only some pixels are asked for, each has a pass of its own, whose scissor shows nothing else: a picture of 640 by 480 takes long. What a
pass drew then tells whether anything of the pixel was covered.
"""
import re
import struct

# Stages of a suite: the fields of a pass.
STAGES = {"vertex": "vertex", "hull": "hull", "domain": "domain", "geometry": "geometry", "pixel": "pixel", "mesh": "mesh_shader",
          "amplification": "amplification"}


def numbers_of(one, form):
    """Of formats of 32 bits by their bytes, which say more of a NaN."""
    if set(re.findall(r"[RGBA](\d+)", form)) == {"32"}:
        letter = {"FLOAT": "f", "UINT": "I", "SINT": "i"}[form.rsplit("_", 1)[1]]
        return list(struct.unpack(f"<{len(one['value'])}{letter}", bytes.fromhex(one["hex"])))
    return [float(n) if isinstance(n, str) else n for n in one["value"]]


def draw(engine, files, given, mesh, call, targets, pixels=None, entries=None, **states):
    """Values of pixels by (target, x, y), those of which nothing was drawn left out, and a result as `unshade run` has it.

    files: shaders by stage; given: resources and samplers of a case; mesh, call: as a pass has them, None where a mesh shader makes the
    vertices; targets: of the scene, by name, in the order of SV_Target; pixels: those that are wanted; without it all, also those of which
    nothing was drawn; states: more fields of a pass.
    """
    entries = entries or {}
    stages = {field: {"file": str(files[stage].resolve()), "entry": entries.get(stage, "")} for stage, field in STAGES.items() if stage in files}
    names = [name for name in targets if name != states.get("depth_target")]
    resources, own = {}, {}
    for key, one in given["resources"].items():
        resources[f"resource {key}"] = one
        own[key] = f"resource {key}"
    if mesh is not None:
        states.update(mesh=mesh, draw=call)
    one_pass = {**stages, "targets": names, "resources": own, "samplers": given["samplers"], **states}
    if pixels is None:
        first = next(iter(targets.values()))
        wanted = [(x, y) for y in range(first["height"]) for x in range(first["width"])]
        passes = [one_pass]
    else:
        wanted = sorted(pixels)
        passes = [{**one_pass, "scissors": [{"left": x, "top": y, "right": x + 1, "bottom": y + 1}]} for x, y in wanted]
    result = engine.draw({"targets": targets, "resources": resources, "pass": passes}, wanted)
    values = {(one["target"], one["x"], one["y"]): numbers_of(one, targets[one["target"]]["format"]) for one in result["pixels"]}
    if pixels is not None:
        covered = {place for place, one in zip(wanted, result["passes"]) if one["statistics"]["samples_passed"] != 0}
        values = {key: value for key, value in values.items() if key[1:] in covered}
    left = {one["name"].removeprefix("resource "): {"hex": one["hex"], "counter": one["counter"]} for one in result["resources"]}
    return values, {"resources": left}

#!/usr/bin/env python3
"""Compares `unshade reflect --json` with the tables of the vendor tool's listings: check_reflection.py UNSHADE [CORPUS].

CORPUS holds pairs `dxbc/**/NAME.dxbc` and `NAME.asm`; without it, UNSHADE_CORPUS or ../shared/corpus beside the checkout. Of each pair are
compared: every variable and member of the buffer definitions (type, name, offset, size, unused, default value), every resource binding,
every row of the signatures, the tessellation and class linkage tables, sample frequency, the note on features, the thread group and
the instruction count. The listing is read by itself here, by none of the code that prints ours.

Prints the first difference of each pair that has one, then a line with the figures. Exits 0 when all agree, 1 when not, 77 (skipped)
without a corpus.
"""
import re
import sys

import corpus
import listing_pairs

PROFILE = re.compile(r"[pvghdc]s_\d_\d$")
BUFFER = re.compile(r"// (cbuffer|tbuffer|interfaces|Resource bind info for) (.*)$")
DECLARATION = re.compile(r"//( +)(.*?);\s*// Offset:\s*(N/A|\d+)(?: Size:\s*(N/A|\d+)( \[unused\])?)?$")

KINDS = {
    "cbuffer": "cbuffer", "tbuffer": "tbuffer", "interface_pointers": "interfaces", "resource_bind_info": "Resource bind info for",
}
RESOURCES = {
    "cbuffer": "cbuffer", "tbuffer": "tbuffer", "texture": "texture", "sampler": "sampler", "structured": "texture",
    "byte_address": "texture",
}
DIMENSIONS = {
    "unknown": "NA", "buffer": "buf", "texture1d": "1d", "texture1d_array": "1darray", "texture2d": "2d", "texture2d_array": "2darray",
    "texture2d_ms": "2dMS", "texture2d_ms_array": "2darrayMS", "texture3d": "3d", "texture_cube": "cube",
    "texture_cube_array": "cubearray", "raw_buffer": "r/o",
}
UNTYPED = {
    "structured": ("struct", "r/o"), "byte_address": ("byte", "r/o"), "uav_structured": ("struct", "r/w"),
    "uav_byte_address": ("byte", "r/w"), "uav_append": ("struct", "append"), "uav_consume": ("struct", "consume"),
    "uav_structured_with_counter": ("struct", "r/w+cnt"),
}
SYSTEM_VALUES = {
    "undefined": "NONE", "position": "POS", "clip_distance": "CLIPDST", "cull_distance": "CULLDST", "render_target_array_index": "RTINDEX",
    "viewport_array_index": "VPINDEX", "vertex_id": "VERTID", "primitive_id": "PRIMID", "instance_id": "INSTID", "is_front_face": "FFACE",
    "sample_index": "SAMPLE", "final_quad_edge_tessfactor": "QUADEDGE", "final_quad_inside_tessfactor": "QUADINT",
    "final_tri_edge_tessfactor": "TRIEDGE", "final_tri_inside_tessfactor": "TRIINT", "final_line_detail_tessfactor": "LINEDET",
    "final_line_density_tessfactor": "LINEDEN", "target": "TARGET", "depth": "DEPTH", "coverage": "COVERAGE",
    "depth_greater_equal": "DEPTHGE", "depth_less_equal": "DEPTHLE", "stencil_ref": "STENCILREF", "inner_coverage": "INNERCOV",
}
COMPONENT_TYPES = {"float16": "fp16"}  # else as ours
MIN_PRECISIONS = {"min16float": "min16f", "min2_8float": "min2_8f", "min16int": "min16i", "min16uint": "min16u"}
INTERPOLATED = re.compile(r"dcl_input_ps(?:_siv|_sgv)? (constant|linear[a-z ]*) v(\d+)\.([xyzw]+)")
FEATURES = {
    "doubles": "Double-precision floating point", "early_depth_stencil": "Early depth-stencil",
    "uavs_at_every_stage": "UAVs at every shader stage", "64_uavs": "64 UAV slots", "minimum_precision": "Minimum-precision data types",
    "11_1_double_extensions": "Double-precision extensions for 11.1", "11_1_shader_extensions": "Shader extensions for 11.1",
    "level_9_comparison_filtering": "Comparison filtering for feature level 9", "tiled_resources": "Tiled resources",
    "stencil_ref": "PS Output Stencil Ref", "inner_coverage": "PS Inner Coverage",
    "typed_uav_load_additional_formats": "Typed UAV Load Additional Formats", "rovs": "Raster Ordered UAVs",
    "viewport_and_rt_array_index_from_any_shader_feeding_rasterizer":
        "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer",
}
DOMAINS = {"isoline": "Isoline", "triangle": "Triangle", "quad": "Quadrilateral"}
OUTPUTS = {"point": "Point", "line": "Line", "triangle_clockwise": "Clockwise Triangles", "triangle_counter_clockwise": "Counter-Clockwise Triangles"}
PARTITIONINGS = {
    "integer": "Integer", "power_of_two": "Integer Power of 2", "fractional_odd": "Odd Fractional", "fractional_even": "Even Fractional",
}


# --- what the listing says -------------------------------------------------------------------------------------------------------------


def read_buffers(lines):
    buffers, current = [], None
    for line in lines:
        if match := BUFFER.match(line):
            current = [match.group(1) + " " + match.group(2)]
            buffers.append(current)
        elif line == "// }":
            current = None
        elif current is None:
            continue
        elif match := DECLARATION.match(line):
            indent, text, offset, size, unused = match.groups()
            current.append((len(indent), text, offset, size, bool(unused)))
        elif match := re.match(r"//( +)(struct( .*)?)$", line):
            current.append((len(match.group(1)), match.group(2)))
        elif re.match(r"// +(= )?0x", line):
            values = [int(word, 16) for word in line[2:].replace("=", "").split()]
            if isinstance(current[-1], list):
                current[-1] += values
            else:
                current.append(values)
    return buffers


def table(lines, title):
    """The rows below a title, up to the `//` that ends them."""
    at = next((i for i, line in enumerate(lines) if line == title), None)
    if at is None:
        return None, []
    while at < len(lines) and not lines[at].startswith("// ---"):
        at += 1
    rows = []
    for line in lines[at + 1:]:
        if line == "//" or not line.startswith("// "):
            break
        rows.append(line[3:])
    return lines[at - 1], rows


def read_signature(lines, title):
    if title not in lines:
        return None
    heading, rows = table(lines, title)
    wide = " SysValue  Format" in heading
    result = []
    for row in rows:
        if row.startswith("no "):
            break
        name = row.split(" ")[0]
        rest = row[max(21, len(name) + 1):]
        if " N/A " in rest:
            index, _, _, value, kind, used = rest.split()
            result.append((name, int(index), None, None, value, kind, used))
            continue
        width = 7 if wide else 6
        rest = rest.ljust(60)
        mask, used = rest[8:12].replace(" ", ""), rest[34 + width:38 + width].replace(" ", "")
        result.append((name, int(rest[:5]), mask, int(rest[13:21]), rest[22:30].strip(), rest[31:31 + width].strip(), used))
    return result


def read_bindings(lines):
    heading, rows = table(lines, "// Resource Bindings:")
    if heading is None:
        return []
    count = 6 if " ID " in heading else 5
    return [tuple(row.rsplit(None, count)) for row in rows]


def read_linkage(lines):
    _, types = table(lines, "// Available Class Types:")
    _, instances = table(lines, "// Available Class Instances:")
    slots = [line for line in lines if line.startswith("// | T")]
    return [row.split() for row in types], [row.split() for row in instances], [re.split(r"[|]", line)[1:] for line in slots]


# --- the same from our reflection ------------------------------------------------------------------------------------------------------


def type_text(kind):
    if kind["class"] in ("interface_pointer", "interface_class"):
        return "interface " + (kind["name"] or "")
    text = ("row_major " if kind["class"] == "matrix_rows" else "") + str(kind["base"])
    if kind["class"] == "vector":
        text += str(kind["columns"])
    if kind["class"].startswith("matrix"):
        text += f"{kind['rows']}x{kind['columns']}"
    return text


def declare(types, rows, indent, name, index, offset, size=None, unused=False):
    kind = types[index]
    brackets = f"[{kind['elements']}]" if kind["elements"] > 1 else ""
    shown = "N/A" if offset is None else str(offset)
    if kind["class"] == "struct":
        rows.append((indent, "struct" + (" " + kind["name"] if kind["name"] else "")))
        for member in kind["members"]:
            below = None if offset is None or member["offset"] is None else offset + member["offset"]
            declare(types, rows, indent + 4, member["name"], member["type"], below)
        rows.append((indent, f"}} {name}{brackets}", shown, size, unused))
    else:
        rows.append((indent, f"{type_text(kind)} {name}{brackets}", shown, size, unused))


def our_buffers(ours):
    buffers = []
    for buffer in ours["buffers"]:
        if buffer["name"] is None:
            continue
        rows = [KINDS[buffer["kind"]] + " " + buffer["name"]]
        for variable in buffer["variables"]:
            size = str(variable["size"]) if variable["size"] else "N/A"
            declare(ours["types"], rows, 3, variable["name"], variable["type"], variable["offset"], size, not variable["used"])
            if variable["default_value"] is not None:
                rows.append(variable["default_value"])
        buffers.append(rows)
    return buffers


def our_binding(resource, columns):
    kind = resource["kind"]
    word = "sampler_c" if resource["comparison"] else RESOURCES.get(kind, "UAV")
    if kind in UNTYPED:
        form, dimension = UNTYPED[kind]
    else:
        form = "NA" if resource["return_type"] == "none" else str(resource["return_type"])
        if form != "NA" and resource["components"] > 1:
            form += str(resource["components"])
        dimension = DIMENSIONS[resource["dimension"]]
        if "_ms" in resource["dimension"] and resource["sample_count"]:
            dimension += str(resource["sample_count"])
    row = [resource["name"], word, form, dimension]
    count = "unbounded" if resource["bind_count"] is None else str(resource["bind_count"])
    if columns == "slot":
        return tuple(row + [str(resource["bind_point"]), "0" if count == "unbounded" else count])
    if columns == "id":
        row.append(re.match("[a-z]+", resource["register"]).group().upper() + str(resource["id"]))
    return tuple(row + [resource["register"] + (f",space{resource['space']}" if resource["space"] else ""), count])


def our_signature(elements):
    has_streams = any(element["stream"] for element in elements)
    rows = []
    for element in elements:
        name = (f"m{element['stream']}:" if has_streams else "") + element["semantic"]
        value = SYSTEM_VALUES.get(element["system_value"], str(element["system_value"]))
        kind = MIN_PRECISIONS.get(element["min_precision"]) or COMPONENT_TYPES.get(element["component_type"], str(element["component_type"]))
        if element["register"] is None:
            rows.append((name, element["semantic_index"], None, None, value, kind, "YES" if element["used_mask"] else "NO"))
        else:
            rows.append((name, element["semantic_index"], element["mask"], element["register"], value, kind, element["used_mask"]))
    return rows


def our_linkage(linkage):
    dash = lambda value: "-" if value is None else str(value)
    types = [[t["name"], str(i), str(t["constant_buffer_stride"]), str(t["texture_count"]), str(t["sampler_count"])] for i, t in enumerate(linkage["types"])]
    instances = [
        [i["name"] + (f"[{i['elements']}]" if i["elements"] > 1 else ""), str(i["type"])]
        + [dash(i[key]) for key in ("constant_buffer", "constant_buffer_offset", "texture", "sampler")]
        for i in linkage["instances"]
    ]
    slots = []
    for slot in linkage["slots"]:
        span = str(slot["first"]) + (f"-{slot['first'] + slot['count'] - 1}" if slot["count"] > 1 else "")
        slots.append([span] + slot["types"])
        slots.append([""] + slot["tables"])
    return types, instances, slots


# --- stripped files --------------------------------------------------------------------------------------------------------------------


DECLARED = re.compile(
    r"dcl_(constantbuffer|sampler|resource|uav)(_raw|_structured)?[_a-z0-9]*(?:\(\d+\))? (?:\([^)]*\) )?"
    r"([a-zA-Z]+)(\d+)(?:\[(\d+):\w+\])?(?:\[(\d+)\])?")


def declared(program):
    """(kind, register) of each resource that the program declares, and a buffer's registers."""
    rows = []
    for line in program:
        match = DECLARED.match(line)
        if match:
            kind, shape, letters, number, first, size = match.groups()
            is_buffer = kind == "constantbuffer"
            # 5.1: T3[7:7] is the range of id 3 at register 7; before that, cb2[5] is register 2.
            register = letters.lower() + (first or number)
            rows.append((kind + (shape or ""), register, int(size) if is_buffer else None))
    return rows


def rebuilt(ours):
    kinds = {
        "cbuffer": "constantbuffer", "texture": "resource", "structured": "resource_structured", "byte_address": "resource_raw",
        "uav_typed": "uav", "uav_structured": "uav_structured", "uav_structured_with_counter": "uav_structured", "uav_byte_address": "uav_raw",
    }
    rows = []
    for resource in ours["resources"]:
        size = ours["buffers"][resource["buffer"]]["size"] // 16 if resource["buffer"] is not None else None
        rows.append((kinds.get(resource["kind"], resource["kind"]), resource["register"], size))
    return rows


# --- comparing -------------------------------------------------------------------------------------------------------------------------


def first_difference(what, ours, reference):
    if ours == reference:
        return None
    if isinstance(ours, (list, tuple)) and isinstance(reference, (list, tuple)):
        for i, (a, b) in enumerate(zip(ours, reference)):
            if a != b:
                return first_difference(f"{what}[{i}]", a, b) if isinstance(a, list) else f"{what}[{i}]: ours {a!r}, reference {b!r}"
        return f"{what}: ours has {len(ours)} rows, the reference {len(reference)}"
    return f"{what}: ours {ours!r}, reference {reference!r}"


def differences(ours, text, counts):
    lines = [line.rstrip() for line in text.replace("\r", "").split("\n")]
    profile_at = next((i for i, line in enumerate(lines) if PROFILE.match(line)), len(lines))
    # The level 9 listing has comments of its own.
    level9_at = next((i for i, line in enumerate(lines) if line.startswith("// Level9")), len(lines))
    head = lines[:min(profile_at, level9_at)]
    entry = ours["entry_points"][0]

    def check(what, a, b, rows=None):
        counts[what] = counts.get(what, 0) + (rows if rows is not None else len(b) if isinstance(b, list) else 1)
        return first_difference(what, a, b)

    buffers = read_buffers(head)
    bindings = read_bindings(head)
    if ours["rebuilt"]:
        # The listing of a stripped file has no such tables: its declarations stand for them.
        yield check("stripped", [], buffers + bindings)
        yield check("rebuilt", rebuilt(ours), declared(lines[profile_at:]))
    else:
        yield check("buffers", our_buffers(ours), buffers, sum(len(buffer) - 1 for buffer in buffers))
        heading = "\n".join(head)
        columns = "slot" if "Slot Elements" in heading else "id" if "Dim      ID " in heading else "bind"
        yield check("resources", [our_binding(resource, columns) for resource in ours["resources"]], bindings)
    for title, key in (("Patch Constant", "patch_constants"), ("Input", "inputs"), ("Output", "outputs")):
        rows = read_signature(head, f"// {title} signature:")
        yield check(key, our_signature(entry[key]), rows or [])

    tessellation = entry["tessellation"]
    _, rows = table(head, "// Tessellation Domain   # of control points")
    if rows:
        domain, points = rows[0].rsplit(None, 1)
        ours_points = tessellation["output_control_points" if entry["stage"] == "hull" else "input_control_points"]
        yield check("tessellation", (DOMAINS[tessellation["domain"]], ours_points), (domain, int(points)))
    _, rows = table(head, "// Tessellation Output Primitive  Partitioning Type")
    if rows:
        words = (OUTPUTS[tessellation["output_primitive"]].ljust(31) + PARTITIONINGS[tessellation["partitioning"]])
        yield check("tessellation", words, rows[0])
    if entry["pixel"]:
        yield check("sample_frequency", entry["pixel"]["sample_frequency"], "// Pixel Shader runs at sample frequency" in head)
    types, instances, slots = read_linkage(head)
    if types or ours["class_linkage"]:
        our_types, our_instances, our_slots = our_linkage(ours["class_linkage"])
        reference = [[re.sub(r"\s", "", cells[1]) if "Type" in cells[0] else ""] + [int(word) for word in cells[2].split()] for cells in slots]
        yield check("class_linkage", our_types, types) or check("class_linkage", our_instances, instances) or check("class_linkage", our_slots, reference)
    # Compilers before that of Windows 8 print no note.
    if "// Note: shader requires additional functionality:" in head:
        at = head.index("// Note: shader requires additional functionality:")
        noted = []
        for line in head[at + 1:]:
            if not line.startswith("//       "):
                break
            noted.append(line[2:].strip())
        yield check("requires", [FEATURES[name] for name in entry["requires"]], noted)
    modes, declared_modes = [], []
    for match in filter(None, map(INTERPOLATED.match, lines[profile_at:])):
        mode, register, mask = match.groups()
        elements = [e for e in entry["inputs"] if e["register"] == int(register) and set(e["mask"]) & set(mask)]
        declared_modes += [(register, mask, mode.replace(" ", "_"))] * len(elements)
        modes += [(register, mask, element["interpolation"]) for element in elements]
    yield check("interpolation", modes, declared_modes)
    groups = [line for line in lines[profile_at:] if line.startswith("dcl_thread_group ")]
    yield check("thread_group", entry["thread_group"], [int(word) for word in groups[0][len("dcl_thread_group "):].split(", ")] if groups else None, len(groups))
    slots_used = [line for line in lines if line.startswith("// Approximately ")]
    if slots_used:
        stated = int(slots_used[-1].split()[2])
        yield check("instruction_count", entry["statistics"]["instruction_count"] if entry["statistics"] else 0, stated)


def main():
    unshade = sys.argv[1] if len(sys.argv) > 1 else str(corpus.ROOT / "build/dev/unshade")
    folder = corpus.folder(*sys.argv[2:3])
    pairs = [path for path in corpus.files(".dxbc", [folder / "dxbc"]) if path.with_suffix(".asm").exists()]
    if not pairs:
        return corpus.skip(f"no pairs below {folder}")
    return listing_pairs.compare(unshade, pairs, ".asm", differences)


if __name__ == "__main__":
    sys.exit(main())

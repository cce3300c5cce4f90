#!/usr/bin/env python3
"""Compares `unshade reflect --json` with the tables of dxc's listings: check_dxil_reflection.py UNSHADE [CORPUS...].

Each CORPUS holds pairs `dxil/**/NAME.dxil` and `NAME.ll`; without one, UNSHADE_CORPUS or ../shared/corpus and ../shared/samples beside the
checkout. Of each pair are compared: every row of the signatures and their interpolation, every member of the buffer definitions (type,
name, offset) and their sizes, every resource binding, what the pipeline's runtime information says of the stage, the thread group, the entry
point's name, the note on features, and the functions of a library with their kinds. The listing is read by itself here, by none of the
code that prints ours.

Prints the first difference of each pair that has one, then a line with the figures. Exits 0 when all agree, 1 when not, 77 (skipped)
without a corpus.
"""
import pathlib
import re
import sys

import corpus
import listing_pairs

from check_reflection import SYSTEM_VALUES, first_difference

BUFFER = re.compile(r"; (cbuffer|tbuffer|Resource bind info for) ?(.*)$")
DECLARATION = re.compile(r";( +)(.*?);?;? *; Offset: *(\d+)(?: Size: *(\d+))?$")
STRUCT = re.compile(r";( +)struct (.*)$")
BYTES = re.compile(r"; +\[(\d+) x i8\] \(type annotation not present\)$")

SYSTEM_VALUES = SYSTEM_VALUES | {"barycentrics": "BARYCEN", "shading_rate": "SHDINGRATE", "cull_primitive": "CULLPRIM"}
FORMATS = {"float16": "fp16"}  # else as ours
INTERPOLATIONS = {
    "undefined": "", "constant": "nointerpolation", "linear": "linear", "linear_centroid": "centroid",
    "linear_noperspective": "noperspective", "linear_noperspective_centroid": "noperspective centroid", "linear_sample": "sample",
    "linear_noperspective_sample": "noperspective sample",
}
RESOURCES = {
    "cbuffer": "cbuffer", "sampler": "sampler", "texture": "texture", "tbuffer": "texture", "structured": "texture",
    "byte_address": "texture", "acceleration_structure": "texture",
}
DIMENSIONS = {
    "buffer": "buf", "texture1d": "1d", "texture1d_array": "1darray", "texture2d": "2d", "texture2d_array": "2darray",
    "texture2d_ms": "2dMS", "texture2d_ms_array": "2darrayMS", "texture3d": "3d", "texture_cube": "cube", "texture_cube_array": "cubearray",
}
SPECIAL_DIMENSIONS = {
    "structured": "r/o", "byte_address": "r/o", "uav_structured": "r/w", "uav_byte_address": "r/w",
    "uav_structured_with_counter": "r/w+cnt", "tbuffer": "tbuffer", "acceleration_structure": "ras",
}
# What the formats of typed resources become in Direct3D; the listing tells widths, Direct3D does not.
RETURNS = {
    "i1": "mixed", "i16": "sint", "i32": "sint", "i64": "sint", "u16": "uint", "u32": "uint", "u64": "uint", "f16": "float", "f32": "float",
    "f64": "double", "invalid": "mixed", "p32i8": "mixed", "p32u8": "mixed",
}
MINIMUM = {"min16i": "min16int", "min16ui": "min16uint"}
WIDE = {"half": "float16", "int16_t": "int16", "uint16_t": "uint16", "int64_t": "int64", "uint64_t": "uint64"}
NORMALIZED = re.compile(r"^(s|u)norm_")
FEATURES = {
    "doubles": "Double-precision floating point", "uavs_at_every_stage": "UAVs at every shader stage", "64_uavs": "64 UAV slots",
    "minimum_precision": "Minimum-precision data types", "11_1_double_extensions": "Double-precision extensions for 11.1",
    "11_1_shader_extensions": "Shader extensions for 11.1",
    "level_9_comparison_filtering": "Comparison filtering for feature level 9", "tiled_resources": "Tiled resources",
    "stencil_ref": "PS Output Stencil Ref", "inner_coverage": "PS Inner Coverage",
    "typed_uav_load_additional_formats": "Typed UAV Load Additional Formats", "rovs": "Raster Ordered UAVs",
    "viewport_and_rt_array_index_from_any_shader_feeding_rasterizer":
        "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer",
    "wave_ops": "Wave level operations", "int64_ops": "64-Bit integer", "view_id": "View Instancing", "barycentrics": "Barycentrics",
    "native_16bit_ops": "Use native low precision", "shading_rate": "Shading Rate", "raytracing_tier_1_1": "Raytracing tier 1.1 features",
    "sampler_feedback": "Sampler feedback", "atomic_int64_on_typed_resource": "64-bit Atomics on Typed Resources",
    "atomic_int64_on_group_shared": "64-bit Atomics on Group Shared",
    "derivatives_in_mesh_and_amplification_shaders": "Derivatives in mesh and amplification shaders",
    "resource_descriptor_heap_indexing": "Resource descriptor heap indexing",
    "sampler_descriptor_heap_indexing": "Sampler descriptor heap indexing", "wave_mma": "Wave Matrix",
    "atomic_int64_on_descriptor_heap_resource": "64-bit Atomics on Heap Resources", "advanced_texture_ops": "Advanced Texture Ops",
    "writeable_msaa_textures": "Writeable MSAA Textures", "sample_cmp_gradient_or_bias": "SampleCmp with gradient or bias",
    1 << 32: "Extended command info", 1 << 40: "Function uses derivatives", 1 << 41: "Function requires visible group",
}
DOMAINS = {"isoline": "isoline", "triangle": "tri", "quad": "quad"}
TESSELLATOR_OUTPUTS = {
    "point": "point", "line": "line", "triangle_clockwise": "triangle_cw", "triangle_counter_clockwise": "triangle_ccw",
}
PRIMITIVES = {
    "point": "point", "line": "line", "triangle": "triangle", "line_adjacency": "lineadj", "triangle_adjacency": "triangleadj",
}
TOPOLOGIES = {"point_list": "point", "line_strip": "line", "triangle_strip": "triangle"}
STAGES = {
    "pixel": 0, "vertex": 1, "geometry": 2, "hull": 3, "domain": 4, "compute": 5, "ray_generation": 7, "intersection": 8, "any_hit": 9,
    "closest_hit": 10, "miss": 11, "callable": 12, "mesh": 13, "amplification": 14, "node": 15,
}


# --- what the listing says -------------------------------------------------------------------------------------------------------------


def table(lines, title, heading):
    """The rows below a title whose heading begins so, or None."""
    for i, line in enumerate(lines):
        if line == title and i + 3 < len(lines) and heading in lines[i + 2]:
            rows = []
            for row in lines[i + 4:]:
                if row == ";" or not row.startswith("; "):
                    break
                rows.append(row[2:])
            return rows
    return None


def split_name(row, width):
    """A name of at least `width` characters, and the columns behind it."""
    name = row.split(" ")[0]
    at = max(width, len(name))
    return name, row[at:]


def read_signature(lines, title):
    rows = table(lines, f"; {title} signature:", "Mask Register")
    result = []
    for row in rows or []:
        if row.startswith("no "):
            break
        name, rest = split_name(row, 20)
        if " N/A " in rest:
            index, value, kind, used = re.match(r" *(\d+) +N/A +[a-z][a-zA-Z]*?(?: +|(?=[A-Z]{3}))([A-Z]{3}\S*) +(\S+) +(\S+)$", rest).groups()
            result.append((name, int(index), None, None, value, kind, used))
            continue
        match = re.match(r" *(\d+)   ([xyzw ]{4}) +(\d+) *([A-Z]\S*) +(\S+)   ([xyzw ]*)$", rest.ljust(64))
        index, mask, register, value, kind, used = match.groups()
        result.append((name, int(index), mask.replace(" ", ""), int(register), value, kind, used.replace(" ", "")))
    return result


def read_interpolation(lines, titles):
    for title in titles:
        rows = table(lines, f"; {title} signature:", "InterpMode")
        if rows is None:
            continue
        result = []
        for row in rows:
            name, rest = split_name(row, 20)
            index, mode = re.match(r" *(\d+) (.{22})", rest.ljust(40)).groups()
            result.append((name, int(index), mode.strip()))
        return result
    return []


def read_buffers(lines):
    """[[heading, row...]]: (indent, declaration, offset), and for the last of a buffer its size."""
    buffers, current = [], None
    for line in lines:
        if match := BUFFER.match(line):
            current = [match.group(1) + " " + match.group(2)]
            buffers.append(current)
        elif line == "; }":
            current = None
        elif current is None:
            continue
        elif match := BYTES.match(line):
            current.append(("bytes", int(match.group(1))))
        elif match := DECLARATION.match(line):
            indent, text, offset, size = match.groups()
            current.append((len(indent), text, int(offset), int(size) if size else None))
        elif match := STRUCT.match(line):
            current.append((len(match.group(1)), "struct " + plain(match.group(2))))
    return buffers


def plain(name):
    for prefix in ("dx.alignment.legacy.", "hostlayout.", "struct."):
        name = name.removeprefix(prefix)
    return name


def read_bindings(lines):
    rows = table(lines, "; Resource Bindings:", "HLSL Bind")
    result = []
    for row in rows or []:
        match = re.match(r"(.*?) +(\S+) +(\S+) +(\S+) +(\S+?) +(\S+?) *(unbounded|(?<= )\d+)$", row)
        result.append(match.groups())
    return result


def read_metadata(lines):
    return {match.group(1): match.group(2) for match in (re.match(r"!(\S+) = (?:distinct )?!\{(.*)\}$", line) for line in lines) if match}


# --- the same from our reflection ------------------------------------------------------------------------------------------------------


def our_signature(elements):
    has_streams = any(element["stream"] for element in elements)
    rows = []
    for element in elements:
        name = (f"m{element['stream']}:" if has_streams else "") + element["semantic"]
        value = SYSTEM_VALUES.get(element["system_value"], "NONE")
        kind = FORMATS.get(element["component_type"], str(element["component_type"]))
        if element["register"] is None:
            rows.append((name, element["semantic_index"], None, None, value, kind, "YES" if element["used_mask"] else "NO"))
        else:
            rows.append((name, element["semantic_index"], element["mask"], element["register"], value, kind, element["used_mask"]))
    return rows


def our_type(kind):
    text = str(kind["base"])
    if kind["class"] == "vector":
        text += str(kind["columns"])
    if kind["class"].startswith("matrix"):
        text = ("row_major " if kind["class"] == "matrix_rows" else "column_major ") + f"{text}{kind['rows']}x{kind['columns']}"
    return text


def their_type(text):
    """A declaration's type with our words for what it is made of."""
    match = re.match(r"((?:row_major |column_major )?)([a-z0-9_]+?)(\d(?:x\d)?)?( .*)$", text)
    if not match:
        return text
    order, base, size, rest = match.groups()
    whole = base + (size or "")
    if whole in MINIMUM or whole in WIDE or whole in ("min16float", "uint64_t", "int64_t"):
        base, size = whole, ""
    base = NORMALIZED.sub("", base)
    return order + WIDE.get(base, MINIMUM.get(base, base)) + (size or "") + rest


def declare(types, rows, indent, name, index, offset):
    kind = types[index]
    brackets = f"[{kind['elements']}]" if kind["elements"] > 1 else ""
    if kind["class"] == "struct":
        rows.append((indent, "struct " + (kind["name"] or "")))
        for member in kind["members"]:
            declare(types, rows, indent + 4, member["name"], member["type"], offset + member["offset"])
        rows.append((indent, f"}} {name}{brackets}", offset))
    else:
        rows.append((indent, f"{our_type(kind)} {name}{brackets}", offset))


def our_buffer(buffer, types, heading):
    rows = [heading]
    for variable in buffer["variables"]:
        declare(types, rows, 3, variable["name"], variable["type"], variable["offset"])
    return rows


def same_struct_names(ours, theirs, listed):
    """Their rows with our names of structs where dxc could not tell them: it reads the reflection beside the program, and calls a struct by the
    name of one of the program (`listed`) that is laid out alike."""
    rows = []
    for a, b in zip(ours, theirs):
        is_struct = isinstance(b, tuple) and len(a) == len(b) == 2 and a[0] == b[0]
        rows.append(a if is_struct and a[1][7:] not in listed and b[1][7:] in listed else b)
    return rows + theirs[len(ours):]


def check_buffers(ours, buffers, listed):
    """The first difference, and how many rows were compared."""
    headings = {"cbuffer": "cbuffer", "tbuffer": "tbuffer", "resource_bind_info": "Resource bind info for"}
    resources = [r for r in ours["resources"] if r["kind"] in ("cbuffer", "tbuffer") or "structured" in r["kind"]]
    order = {"c": 0, "t": 1, "u": 2}
    resources.sort(key=lambda resource: order[resource["register"][0]])
    compared = 0
    if len(resources) != len(buffers):
        return f"buffers: ours {len(resources)}, reference {len(buffers)}", 0
    for resource, reference in zip(resources, buffers):
        kind = resource["kind"] if resource["kind"].endswith("buffer") else "resource_bind_info"
        name = reference[0][len(headings[kind]) + 1:]
        heading = f"{headings[kind]} {resource['name'] if name else ''}"
        if heading != reference[0]:
            return f"buffers: ours {heading!r}, reference {reference[0]!r}", compared
        rows = reference[1:]
        compared += len(rows)
        buffer = ours["buffers"][resource["buffer"]] if resource["buffer"] is not None else None
        if rows and rows[0][0] == "bytes":
            # Nothing is known but the size.
            if buffer is not None and buffer["size"] != (rows[0][1] + 15) // 16 * 16:
                return f"{heading}: ours {buffer['size']} bytes, reference {rows[0][1]}", compared
            continue
        if buffer is None:
            return f"{heading}: ours has no layout", compared
        size = next((row[3] for row in reversed(rows) if len(row) == 4 and row[3] is not None), 0)
        if kind == "cbuffer" or kind == "tbuffer":
            # The listing has a structure around the members; Direct3D rounds the size up.
            if buffer["size"] != (size + 15) // 16 * 16:
                return f"{heading}: ours {buffer['size']} bytes, reference {size}", compared
            rows = [(row[0] - 4, *row[1:]) for row in rows[1:-1]]
        elif buffer["size"] != size:
            return f"{heading}: ours {buffer['size']} bytes, reference {size}", compared
        theirs = [heading] + [row[:2] if len(row) == 2 else (row[0], their_type(row[1]), row[2]) for row in rows]
        rows = our_buffer(buffer, ours["types"], heading)
        fault = first_difference(heading, rows, same_struct_names(rows, theirs, listed))
        if fault:
            return fault, compared
    return None, compared


def our_binding(resource, reference):
    kind = resource["kind"]
    word = RESOURCES.get(kind, "UAV")
    form = "NA"
    if "structured" in kind:
        form = "struct"
    elif "byte_address" in kind:
        form = "byte"
    elif word in ("texture", "UAV") and kind != "tbuffer":
        form = str(resource["return_type"])
    dimension = SPECIAL_DIMENSIONS.get(kind) or DIMENSIONS.get(resource["dimension"], "NA")
    if kind == "uav_feedback":
        dimension = "fbtex2darray" if resource["dimension"].endswith("array") else "fbtex2d"
    if "_ms" in resource["dimension"] and resource["sample_count"]:
        dimension += str(resource["sample_count"])
    letters = re.match("[a-z]+", resource["register"]).group()
    name = resource["name"] if reference[0] else ""
    count = "unbounded" if resource["bind_count"] is None else str(resource["bind_count"])
    return (name, word, form, dimension, letters.upper() + str(resource["id"]),
            resource["register"] + (f",space{resource['space']}" if resource["space"] else ""), count)


def their_binding(row):
    name, word, form, *rest = row
    if word in ("texture", "UAV") and form not in ("struct", "byte"):
        form = "NA" if rest[0] == "tbuffer" else form[:5] if "norm_" in form else RETURNS.get(form, form)
    return (name, word, form, *rest)


# --- comparing -------------------------------------------------------------------------------------------------------------------------


def runtime_info(entry, info):
    """(fact, ours, reference) of each fact of the pipeline's runtime information that we tell too."""
    patch = lambda word: f"patch{word[:-len('_control_point_patch')]}" if word.endswith("_control_point_patch") else word
    pixel, geometry, tessellation, mesh = entry["pixel"], entry["geometry"], entry["tessellation"], entry["mesh"]
    facts = {
        "DepthOutput": lambda: int(pixel["writes_depth"]),
        "SampleFrequency": lambda: int(pixel["sample_frequency"]),
        "InputPrimitive": lambda: PRIMITIVES.get(geometry["input_primitive"]) or patch(str(geometry["input_primitive"])),
        "OutputTopology": lambda: TOPOLOGIES.get(geometry["output_topology"], geometry["output_topology"]),
        "OutputStreamMask": lambda: sum(1 << stream for stream in geometry["streams"]),
        "InputControlPointCount": lambda: tessellation["input_control_points"],
        "OutputControlPointCount": lambda: tessellation["output_control_points"],
        "Domain": lambda: DOMAINS[tessellation["domain"]],
        "OutputPrimitive": lambda: TESSELLATOR_OUTPUTS[tessellation["output_primitive"]],
        "MeshOutputTopology": lambda: mesh["topology"],
        "NumThreads": lambda: "(" + ",".join(map(str, entry["thread_group"])) + ")",
        "NumBytesGroupSharedMemory": lambda: entry["group_shared_bytes"],
        "UsesViewID": lambda: str(entry["uses_view_id"]).lower(),
        "EntryFunctionName": lambda: entry["name"],
        "WaveSize": lambda: entry["wave_size"]["min"],
        "MinimumExpectedWaveLaneCount": lambda: entry["wave_size"]["min"] if entry["wave_size"] else 0,
        "MaximumExpectedWaveLaneCount": lambda: entry["wave_size"]["max"] if entry["wave_size"] else 0xFFFFFFFF,
    }
    return [(name, str(facts[name]()), value) for name, value in info if name in facts]


def library(lines, metadata):
    """The kinds of a library's functions by name, as the metadata of its entry points says."""
    kinds = {}
    for reference in re.findall(r"!(\d+)", metadata.get("dx.entryPoints", "")):
        match = re.match(r'\S+ \([^@]*\* @("[^"]*"|\S+), !"([^"]*)", .*, !(\d+)$', metadata[reference])
        if match:
            properties = metadata[match.group(3)]
            kind = re.search(r"(?:^|, )i32 8, i32 (\d+)", properties)
            kinds[match.group(1).strip('"').replace("\\01", "\x01")] = int(kind.group(1)) if kind else None
    return kinds


def differences(ours, text, counts):
    lines = [line.rstrip() for line in text.replace("\r", "").split("\n")]
    module_at = next((i for i, line in enumerate(lines) if line.startswith("target ")), len(lines))
    head, body = lines[:module_at], lines[module_at:]
    metadata = read_metadata(body)

    def check(what, a, b, rows=None):
        counts[what] = counts.get(what, 0) + (rows if rows is not None else len(b) if isinstance(b, list) else 1)
        return first_difference(what, a, b)

    model = re.match(r'!"(\w+)", i32 (\d+), i32 (\d+)', metadata[re.findall(r"!(\d+)", metadata["dx.shaderModel"])[0]])
    yield check("profile", ours["profile"], "_".join(model.groups()))
    listed = {plain(match.group(1).strip('"')) for match in (re.match(r'%("[^"]*"|\S+) = type', line) for line in body) if match}
    fault, rows = check_buffers(ours, read_buffers(head), listed)
    counts["buffers"] = counts.get("buffers", 0) + rows
    yield fault
    reference = read_bindings(head)
    if len(reference) == len(ours["resources"]):
        yield check("resources", [our_binding(a, b) for a, b in zip(ours["resources"], reference)], [their_binding(row) for row in reference])
    else:
        yield f"resources: ours {len(ours['resources'])}, reference {len(reference)}"
    if model.group(1) == "lib":
        kinds = library(lines, metadata)
        found = {entry["name"]: STAGES.get(entry["stage"]) for entry in ours["entry_points"]}
        yield check("functions", [(name, found.get(name)) for name in kinds], list(kinds.items()))
        defined = {match.group(1).strip('"').replace("\\01", "\x01") for match in (re.match(r'define (?!internal)[^@]*@("[^"]*"|[^(]+)\(', line) for line in body) if match}
        yield check("functions", sorted(found), sorted(defined))
        return
    entry = ours["entry_points"][0]
    for title, key in (("Patch Constant", "patch_constants"), ("Input", "inputs"), ("Output", "outputs")):
        rows = read_signature(head, title)
        if key == "patch_constants" and entry["stage"] == "domain":
            # The mask says what is read, and the listing takes it for what is never written.
            rows = [(*row[:-1], "".join(c for c in "xyzw" if c not in row[-1]) if row[3] is not None else row[-1]) for row in rows]
        yield check(key, our_signature(entry[key]), rows)
    for titles, key in ((("Input",), "inputs"), (("Output", "Vertex Output"), "outputs"), (("Patch Constant", "Primitive Output"), "patch_constants")):
        modes = {(e["semantic"], e["semantic_index"]): INTERPOLATIONS[e["interpolation"]] for e in entry[key]}
        stated = [row for row in read_interpolation(head, titles) if (row[0], row[1]) in modes]
        yield check("interpolation", [(name, index, modes[name, index]) for name, index, _ in stated], stated)
    info = [match.groups() for match in (re.match(r"; (\w+)(?:=|: )(.*)$", line) for line in head) if match]
    for name, a, b in runtime_info(entry, info):
        yield check("runtime_info", (name, a), (name, b))
    if "; Note: shader requires additional functionality:" in head:
        noted = [line[1:].strip() for line in head if line.startswith(";       ") and "; Offset" not in line and line[1:].strip() in FEATURES.values()]
        yield check("requires", [FEATURES[name] for name in entry["requires"] if name != "early_depth_stencil"], noted)
    else:
        yield check("requires", [name for name in entry["requires"] if name != "early_depth_stencil"], [])
    threads = [metadata[number] for number in re.findall(r"i32 4, !(\d+)", " ".join(metadata.values()))] if model.group(1) == "cs" else []
    if threads:
        yield check("thread_group", entry["thread_group"], [int(number) for number in re.findall(r"i32 (\d+)", threads[0])], 1)


def main():
    unshade = sys.argv[1] if len(sys.argv) > 1 else str(corpus.ROOT / "build/dev/unshade")
    default = [corpus.ROOT.parent / "shared/samples", corpus.folder()]
    places = [pathlib.Path(place) / "dxil" for place in (sys.argv[2:] or default)]
    pairs = [path for path in corpus.files(".dxil", places) if path.with_suffix(".ll").exists()]
    if not pairs:
        return corpus.skip("no pairs below " + ", ".join(map(str, places)))
    return listing_pairs.compare(unshade, pairs, ".ll", differences)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares `unshade reflect --json` with what SPIRV-Cross says of the same modules: check_spirv_reflection.py UNSHADE [FOLDER].

FOLDER holds `**/*.spv`; without it, UNSHADE_CORPUS/spirv or ../shared/corpus/spirv beside the checkout. Of each module are compared: entry
point, stage and workgroup size; inputs and outputs with names, types, locations and components; uniform and storage buffers, push constants,
images, samplers, subpass inputs, acceleration structures with names, sets, bindings, array sizes, formats, access and block sizes; every
member of every block and struct, with type, offset, array dimensions and strides; specialization constants with ids, types and defaults.

Prints the first differences of each module that has some, then a line with the figures. Exits 0 when all agree, 1 when not, 77 (skipped)
without a folder of modules or spirv-cross.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys

import corpus

STAGES = {
    "vert": "vertex", "tesc": "hull", "tese": "domain", "geom": "geometry", "frag": "pixel", "comp": "compute", "rgen": "ray_generation",
    "rint": "intersection", "rahit": "any_hit", "rchit": "closest_hit", "rmiss": "miss", "rcall": "callable", "task": "amplification",
    "mesh": "mesh",
}
SCALARS = {
    "bool": "bool", "int": "int", "uint": "uint", "float": "float", "double": "double", "int8": "int8_t", "uint8": "uint8_t",
    "int16": "int16_t", "uint16": "uint16_t", "int64": "int64_t", "uint64": "uint64_t", "float16": "float16_t", "half": "float16_t",
}
VECTORS = {
    "bool": "bvec", "int": "ivec", "uint": "uvec", "float": "vec", "double": "dvec", "int8": "i8vec", "uint8": "u8vec", "int16": "i16vec",
    "uint16": "u16vec", "int64": "i64vec", "uint64": "u64vec", "float16": "f16vec",
}
# What SPIRV-Cross calls each kind of resource, and what we do.
KINDS = {
    "ubos": {"cbuffer"}, "ssbos": {"storage_buffer", "shader_record"}, "textures": {"combined_sampler"}, "separate_images": {"texture"},
    "separate_samplers": {"sampler"}, "images": {"uav_typed"}, "subpass_inputs": {"input_attachment"}, "push_constants": {"push_constants"},
    "acceleration_structures": {"acceleration_structure"},
}
# GLSL's words for formats that are not SPIR-V's in small letters.
FORMATS = {"rgba10_a2": "rgb10_a2", "rgba10_a2ui": "rgb10_a2ui"}


def glsl_type(kind):
    """A type of ours as GLSL spells it, or None for structs."""
    base = kind["base"]
    if kind["class"] == "struct":
        return None
    if kind["class"] == "scalar":
        return SCALARS.get(base, base)
    if kind["class"] == "vector":
        return VECTORS.get(base, base) + str(kind["columns"])
    columns, rows = kind["columns"], kind["rows"]
    prefix = {"double": "dmat", "float16": "f16mat"}.get(base, "mat")
    return f"{prefix}{columns}" if columns == rows else f"{prefix}{columns}x{rows}"


def is_transposed(module):
    """Whether compilers made a row of the source's matrices a column of SPIR-V: of HLSL (5) and Slang (11), and all that DXC (14) wrote. Then ours has
    the source's rows, and SPIRV-Cross the module's."""
    words = struct.unpack(f"<{len(module) // 4}I", module[:len(module) // 4 * 4])
    at = 5
    while at < len(words) and words[at] >> 16:
        if words[at] & 0xffff == 3:  # OpSource
            return words[at + 1] in (5, 11)
        if words[at] & 0xffff == 54:  # OpFunction
            break
        at += words[at] >> 16
    return words[2] >> 16 == 14


def plain(name):
    """A name without what SPIRV-Cross changes so that GLSL takes it."""
    name = re.sub(r"^_RESERVED_IDENTIFIER_FIXUP_", "", name)
    return re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9_]", "_", name)).strip("_")


class Comparison:
    def __init__(self, ours, theirs, transposed):
        self.ours, self.theirs, self.transposed, self.faults = ours, theirs, transposed, []

    def check(self, what, ours, theirs):
        if ours != theirs:
            self.faults.append(f"{what}: ours {ours!r}, SPIRV-Cross {theirs!r}")

    def same_name(self, what, names, theirs):
        # ids in the place of names, and numbers that make them unique, are each tool's own
        if re.fullmatch(r"_?\d+(_\d+)?", theirs) or any(plain(n) == plain(theirs) for n in names):
            return
        if any(re.fullmatch(re.escape(plain(n)) + r"_\d+", plain(theirs)) for n in names):
            return
        self.faults.append(f"{what}: ours {names}, SPIRV-Cross {theirs!r}")

    def type_of(self, index):
        kind = self.ours["types"][index]
        if not self.transposed or not kind["class"].startswith("matrix"):
            return kind
        other = "matrix_columns" if kind["class"] == "matrix_rows" else "matrix_rows"
        return {**kind, "class": other, "rows": kind["columns"], "columns": kind["rows"]}

    def compare_type(self, what, index, theirs, depth=0):
        """A type of ours against one that SPIRV-Cross names, with arrays where it gives them."""
        if index is None:
            self.faults.append(f"{what}: no type")
            return
        ours = self.type_of(index)
        name = glsl_type(ours)
        if name is None:
            members = self.theirs.get("types", {}).get(theirs, {}).get("members")
            if members is None:
                self.faults.append(f"{what}: SPIRV-Cross has no members of {theirs}")
            elif depth < 16:
                self.compare_members(what, ours["members"], members, depth + 1)
        else:
            self.check(what + " type", name, theirs)

    def compare_members(self, what, ours, theirs, depth):
        self.check(what + " members", len(ours), len(theirs))
        for mine, other in zip(ours, theirs):
            where = f"{what}.{other['name']}"
            self.same_name(where + " name", [mine["name"]], other["name"])
            if "offset" in other:
                self.check(where + " offset", mine["offset"], other["offset"])
            kind = self.type_of(mine["type"])
            # SPIRV-Cross lists the innermost dimension first; what is no literal is the id of a specialization constant
            literal = all(other.get("array_size_is_literal", [True]))
            if literal:
                self.check(where + " array", kind["dimensions"], list(reversed(other.get("array", []))))
            if len(other.get("array", [])) == 1 and "array_stride" in other:
                self.check(where + " array stride", kind["array_stride"], other["array_stride"])
            if "matrix_stride" in other:
                self.check(where + " matrix stride", kind["matrix_stride"], other["matrix_stride"])
                self.check(where + " row major", kind["class"] == "matrix_rows", other.get("row_major", False))
            self.compare_type(where, mine["type"], other["type"], depth)

    def compare_variables(self, side):
        entry = self.ours["entry_points"][0]
        ours = [e for e in entry[side] + entry["patch_constants"] if e["built_in"] is None]
        theirs = []
        for variable in self.theirs.get(side, []):
            members = self.theirs.get("types", {}).get(variable["type"], {}).get("members")
            if members is None:
                theirs.append((variable["name"], variable["type"], variable.get("location"), variable.get("component", 0), variable))
                continue
            for number, member in enumerate(members):
                location = variable.get("location", member.get("location")) if number == 0 else member.get("location")
                theirs.append((variable["name"] + "." + member["name"], member["type"], location, 0, member))
        for name, kind, location, component, variable in theirs:
            found = None
            for element in ours:
                if location is not None and element["register"] != location:
                    continue
                if location is None and plain(element["semantic"].split(".")[-1]) != plain(name.split(".")[-1]):
                    continue
                if component and "xyzw"[component] not in element["mask"][:1]:
                    continue
                if variable.get("index", 0) != element["index"]:
                    continue
                found = element
                break
            where = f"{side} {name}"
            if found is None:
                # a patch variable may stand on the other side
                if not any(e["register"] == location for e in entry["patch_constants"]):
                    self.faults.append(f"{where}: not in ours")
                continue
            ours.remove(found)
            self.same_name(where + " name", [found["semantic"], found["semantic"].split(".")[-1], found["semantic"].split(".")[0]], name)
            self.compare_type(where, found["type"], kind)
        in_patch = {id(e) for e in entry["patch_constants"]}
        for element in ours:
            if id(element) not in in_patch:
                self.faults.append(f"{side} {element['semantic']}: not in SPIRV-Cross'")

    def compare_resources(self):
        for group, kinds in KINDS.items():
            ours = [r for r in self.ours["resources"] if r["kind"] in kinds]
            theirs = list(self.theirs.get(group, []))
            self.check(group + " count", len(ours), len(theirs))
            for other in theirs:
                keys = (other.get("set", 0), other.get("binding", 0))
                fitting = [r for r in ours if (r["space"], r["bind_point"]) == keys]
                # several may share a binding
                def names(resource):
                    buffer = resource["buffer"]
                    return [resource["name"]] + ([self.ours["buffers"][buffer]["name"] or ""] if buffer is not None else [])
                fitting.sort(key=lambda r: not any(plain(n) == plain(other["name"]) for n in names(r)))
                where = f"{group} {other['name']}"
                if not fitting:
                    self.faults.append(f"{where}: none of ours at set {keys[0]}, binding {keys[1]}")
                    continue
                mine = fitting[0]
                ours.remove(mine)
                self.same_name(where + " name", names(mine), other["name"])
                count = other.get("array", [1])
                if all(other.get("array_size_is_literal", [True])):
                    product = 1
                    for n in count:
                        product *= n
                    self.check(where + " array", mine["bind_count"] or 0, product)
                if "input_attachment_index" in other:
                    self.check(where + " attachment", mine["attachment"], other["input_attachment_index"])
                if "format" in other:
                    ours_format = (mine["format"] or "").lower().replace("snorm", "_snorm")
                    ours_format = re.sub(r"^rgb10a2", "rgb10_a2", ours_format)
                    ours_format = re.sub(r"^r11fg11fb10f", "r11f_g11f_b10f", ours_format)
                    self.check(where + " format", ours_format, FORMATS.get(other["format"], other["format"]))
                if group in ("ssbos", "images"):
                    self.check(where + " readonly", mine["read_only"], other.get("readonly", False))
                    self.check(where + " writeonly", mine["write_only"], other.get("writeonly", False))
                if mine["buffer"] is not None:
                    buffer = self.ours["buffers"][mine["buffer"]]
                    if "block_size" in other:
                        self.check(where + " size", buffer["size"], other["block_size"])
                    members = self.theirs.get("types", {}).get(other["type"], {}).get("members", [])
                    self.compare_members(where, buffer["variables"], members, 0)

    def compare_constants(self):
        ours = {c["id"]: c for c in self.ours["specialization_constants"]}
        theirs = {c["id"]: c for c in self.theirs.get("specialization_constants", [])}
        self.check("specialization constants", sorted(ours), sorted(theirs))
        for number in sorted(ours.keys() & theirs.keys()):
            mine, other = ours[number], theirs[number]
            self.check(f"constant {number} type", SCALARS.get(mine["type"], mine["type"]), other["type"])
            if other["type"] in ("int", "uint"):
                self.check(f"constant {number} default", mine["default_value"] & 0xffffffff, other["default_value"] & 0xffffffff)
            elif other["type"] == "bool":
                self.check(f"constant {number} default", bool(mine["default_value"]), other["default_value"])

    def run(self):
        entries = {(e["name"], e["stage"]): e for e in self.ours["entry_points"]}
        for other in self.theirs.get("entryPoints", []):
            key = (other["name"], STAGES.get(other["mode"], other["mode"]))
            if key not in entries:
                self.faults.append(f"no entry point {key}")
            elif "workgroup_size" in other and not any(other["workgroup_size_is_spec_constant_id"]):
                self.check("workgroup size", entries[key]["thread_group"], other["workgroup_size"])
        self.check("entry points", len(entries), len(self.theirs.get("entryPoints", [])))
        for side in ("inputs", "outputs"):
            self.compare_variables(side)
        self.compare_resources()
        self.compare_constants()
        return self.faults


def main():
    unshade = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else corpus.folder() / "spirv"
    files = corpus.files(".spv", [folder])
    if not files or not corpus.tool("spirv-cross"):
        return corpus.skip("no modules, or spirv-cross is not installed")
    agree, refused, checked = 0, 0, 0
    for file in files:
        result = subprocess.run([unshade, "reflect", "--json", str(file)], capture_output=True, check=False)
        theirs = subprocess.run(["spirv-cross", str(file), "--reflect"], capture_output=True, check=False)
        if theirs.returncode != 0:
            refused += 1  # without an entry point, for one
            continue
        checked += 1
        faults = [result.stderr.decode()] if result.returncode != 0 else None
        if faults is None:
            faults = Comparison(json.loads(result.stdout)["files"][0], json.loads(theirs.stdout), is_transposed(file.read_bytes())).run()
        if faults:
            print(f"{file.relative_to(folder)}:")
            for fault in faults[:5]:
                print("   ", fault)
        else:
            agree += 1
    print(f"{agree} of {checked} modules agree; {refused} are refused by SPIRV-Cross")
    return 0 if agree == checked else 1


if __name__ == "__main__":
    sys.exit(main())

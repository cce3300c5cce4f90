#!/usr/bin/env python3
"""Makes the tables of the spirv room from the machine-readable grammar: spirv_grammar.py CLONE [--revision REVISION] [--check]

CLONE is a git clone, with its tags, of https://github.com/KhronosGroup/SPIRV-Headers. Of its newest commit, or of REVISION, reads
include/spirv/unified1/*.grammar.json and include/spirv/spir-v.xml and writes include/unshade/spirv/{opcodes,enumerants,extended,extensions}.def and
src/spirv/grammar/generators.def. Building does not need the grammar, only this script does. --check writes nothing and exits 1 when a table is not
what the grammar gives; without --revision it then reads the commit that the tables name. docs/internals/tables.md says what else is to do.

Where the grammar of REFERENCE, from which spirv-dis 2023.1 was built, has a value too, listings print the name that spirv-dis 2023.1 prints,
and newer names are others that the assembler knows besides.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The tag that spirv-dis 2023.1, the reference of scripts/check_spirv.py, was built from.
REFERENCE = "sdk-1.3.239.0"
# What it decodes for. A second name of a value is preferred there when the first needs a later version and nothing else enables it.
REFERENCE_VERSION = 15

KEYWORDS = set("""and auto bool break case catch char class const continue default delete do double else enum explicit export extern false
float for friend goto if inline int long namespace new not operator or private protected public register return short signed sizeof static
struct switch template this throw true try typedef union unsigned using virtual void volatile while xor""".split())

# Sets of extended instructions: file, name that OpExtInstImport gives, how names compare, C++ type, prefix of its operand kinds, whether
# listings name its instructions. A set of several versions has the file of the last, which has the instructions of all.
# src: SPIRV-Tools, source/ext_inst.cpp; spirv-dis knows no names of NonSemantic.DebugPrintf and NonSemantic.DebugBreak.
SETS = [
    ("glsl.std.450", "GLSL.std.450", "whole", "GlslStd450", "", "named"),
    ("opencl.std.100", "OpenCL.std", "whole", "OpenClStd", "", "named"),
    ("spv-amd-shader-explicit-vertex-parameter", "SPV_AMD_shader_explicit_vertex_parameter", "whole", "AmdExplicitVertexParameter", "", "named"),
    ("spv-amd-shader-trinary-minmax", "SPV_AMD_shader_trinary_minmax", "whole", "AmdTrinaryMinMax", "", "named"),
    ("spv-amd-gcn-shader", "SPV_AMD_gcn_shader", "whole", "AmdGcnShader", "", "named"),
    ("spv-amd-shader-ballot", "SPV_AMD_shader_ballot", "whole", "AmdShaderBallot", "", "named"),
    ("debuginfo", "DebugInfo", "whole", "DebugInfo", "", "named"),
    ("opencl.debuginfo.100", "OpenCL.DebugInfo.100", "whole", "OpenClDebugInfo100", "CL", "named"),
    ("nonsemantic.shader.debuginfo", "NonSemantic.Shader.DebugInfo.", "prefix", "ShaderDebugInfo100", "Shader", "named"),
    ("nonsemantic.clspvreflection", "NonSemantic.ClspvReflection.", "prefix", "ClspvReflection", "Clspv", "named"),
    ("nonsemantic.debugprintf", "NonSemantic.DebugPrintf", "whole", "DebugPrintf", "", "numbered"),
    ("nonsemantic.debugbreak", "NonSemantic.DebugBreak", "whole", "DebugBreak", "", "numbered"),
    ("nonsemantic.vkspreflection", "NonSemantic.VkspReflection.", "prefix", "VkspReflection", "", "named"),
    ("nonsemantic.graph.debuginfo", "NonSemantic.Graph.DebugInfo.", "prefix", "GraphDebugInfo", "", "named"),
    ("tosa.001000.1", "TOSA.001000.1", "whole", "Tosa", "", "named"),
    ("arm.motion-engine.100", "Arm.MotionEngine.100", "whole", "ArmMotionEngine", "", "named"),
    ("arm.experimental-ml-operations", "Arm.ExperimentalMLOperations.", "prefix", "ArmExperimentalMl", "", "named"),
]

OPERANDS = """// Operands, in the order of their words:
//   SPIRV_ONE(kind, "name")   always there
//   SPIRV_OPT(kind, "name")   may be missing at the end of the instruction
//   SPIRV_ANY(kind, "name")   any number of them, up to the end of the instruction
// kind is an enumerator of spirv::OperandKind; the name is what dumps call the operand."""

HEADERS = {
    "opcodes": """// The instruction set of SPIR-V: one row per mnemonic. Decoder, listing, assembler, field tree and validator are made from this table.
// Written by scripts/tables/spirv_grammar.py from spirv.core.grammar.json (%s); do not edit.
//
//   SPIRV_OP(code, id, text, group, since, capabilities, operands)
//
// code    the low half of an instruction's first word. Rows stand in the order of their codes; where several share one, the first is what
//         listings print, and the others are names that the assembler knows besides.
// id      the enumerator of spirv::Opcode, and the operation the instruction performs.
// text    how the assembly language spells it, without the leading Op.
// group   the class of the specification; `reserved` and `unlisted` are those of extensions.
// since   10 * major + minor of the first version that has it; 0: no version, only extensions.
// capabilities   SPIRV_CAP(enumerator of Capability): one of them has to be declared; none: no capability needed.
//
%s
// src: spirv.core.grammar.json
""",
    "enumerants": """// The enumerations of SPIR-V and of its sets of debug instructions: one row per name.
// Written by scripts/tables/spirv_grammar.py from the *.grammar.json (%s); do not edit.
//
//   SPIRV_KIND(id, type, category)    begins an enumeration: its enumerator of spirv::OperandKind, its C++ type,
//                                     `value` (one of them) or `bits` (any number of them, or 0)
//   SPIRV_ENUM(type, value, id, text, since, capabilities, operands)
//   SPIRV_KIND_END(type)
//
// value   rows stand in the order of values; where several share one, the first is what listings print.
// since, capabilities   as in opcodes.def; the capabilities of a Capability are those that it implies.
// operands   what follows an operand with this value, or with this bit set: in the order of bits, lowest first.
//
%s
// src: spirv.core.grammar.json, extinst.*.grammar.json
""",
    "extended": """// The sets of extended instructions: one row per instruction.
// Written by scripts/tables/spirv_grammar.py from the extinst.*.grammar.json (%s); do not edit.
//
//   SPIRV_SET(type, name, match, listing)   begins a set: its C++ type and enumerator of spirv::ExtendedSet; what OpExtInstImport calls it;
//                                           whether that is its `whole` name or a `prefix`; whether listings print its instructions as
//                                           `named` or `numbered`
//   SPIRV_EXT(type, number, id, text, operands)
//   SPIRV_SET_END(type)
//
%s
// src: extinst.*.grammar.json
""",
    "extensions": """// Extensions of SPIR-V, as OpExtension names them, that bring opcodes or enumerants.
// Written by scripts/tables/spirv_grammar.py from spirv.core.grammar.json (%s); do not edit.
//
//   SPIRV_EXTENSION(name)   sorted
//
// src: spirv.core.grammar.json
""",
    "generators": """// Who writes SPIR-V: the high half of the header's generator word.
// Written by scripts/tables/spirv_grammar.py from spir-v.xml (%s); do not edit.
//
//   SPIRV_GENERATOR(number, text)   in the order of the numbers
//
// src: spir-v.xml
""",
}


def snake(text, prefix=""):
    text = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    text = re.sub(r"([a-z])([A-Z])|([0-9])(?=[A-Z][a-z])", lambda m: m[1] + "_" + m[2] if m[1] else m[3] + "_", text)
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", text).lower()
    if text[:1].isdigit():
        text = prefix + "_" + text
    return text + "_" if text in KEYWORDS else text


KIND_IDS = {
    "IdResultType": "id_result_type", "IdResult": "id_result", "IdMemorySemantics": "id_memory_semantics", "IdScope": "id_scope",
    "IdRef": "id_ref", "LiteralInteger": "literal_integer", "LiteralString": "literal_string",
    "LiteralContextDependentNumber": "literal_number", "LiteralExtInstInteger": "extended_instruction",
    "LiteralSpecConstantOpInteger": "spec_constant_opcode", "PairLiteralIntegerIdRef": "pair_literal_id",
    "PairIdRefLiteralInteger": "pair_id_literal", "PairIdRefIdRef": "pair_id_id", "LiteralFloat": "literal_float",
}


def kind_id(kind):
    return KIND_IDS.get(kind) or snake(kind)


UNNAMED = {"IdResultType": "result_type", "IdResult": "result", "IdRef": "operand", "IdScope": "scope",
           "IdMemorySemantics": "semantics", "LiteralInteger": "literal", "LiteralString": "text"}


def name_of(operand):
    name = operand.get("name", "").replace("\n", " ").split(", +")[0].split(" +")[0].split(",")[0].strip("'.~ ")
    name = re.sub(r"<<[^,>]*,?|>>|<id>", "", name)
    name = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    name = re.sub(r"_?\d+$", "", name) or UNNAMED.get(operand["kind"], kind_id(operand["kind"]))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def operands(row, key="operands", names=None):
    words = []
    for operand in row.get(key, []):
        macro = {"": "SPIRV_ONE", "?": "SPIRV_OPT", "*": "SPIRV_ANY"}[operand.get("quantifier", "")]
        kind = operand["kind"]
        words.append('%s(%s, "%s")' % (macro, kind_id((names or {}).get(kind, kind)), name_of(operand)))
    return " ".join(words)


def since(row):
    version = row.get("version")
    return 10 if version is None else 0 if version == "None" else int(version.replace(".", ""))


def capabilities(row):
    return " ".join("SPIRV_CAP(%s)" % snake(name, "capability") for name in row.get("capabilities", []))


def available(row):
    return bool(since(row) and since(row) <= REFERENCE_VERSION) or bool(row.get("extensions")) or bool(row.get("capabilities"))


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def names_of(rows, name):
    """All names of rows that share a value, in the order of the grammar."""
    names = []
    for row in rows:
        names += [other for other in [row[name], *row.get("aliases", [])] if other not in names]
    return names


def by_value(rows, value):
    found = {}
    for row in rows:
        found.setdefault(number(row[value]), []).append(row)
    return found


def spelled(rows, names, reference):
    """A row for each name of a value: first the one that the reference prints, if it knows the value."""
    names = reference + [name for name in names if name not in reference]
    rows_of = {name: row for row in reversed(rows) for name in [*row.get("aliases", []), row.get("opname") or row.get("enumerant")]}
    return [(name, rows_of.get(name, rows[0])) for name in names]


def opcode_rows(grammar, reference):
    known = by_value(reference["instructions"], "opcode")
    for code, rows in sorted(by_value(grammar["instructions"], "opcode").items()):
        for opname, row in spelled(rows, names_of(rows, "opname"), sorted(names_of(known.get(code, []), "opname"))):
            group = "unlisted" if row["class"].startswith("@") else snake(row["class"])
            name = opname[2:]
            if any(operand["kind"] == "LiteralExtInstInteger" for operand in row.get("operands", [])):
                # what follows its number depends on the instruction
                row = dict(row, operands=[operand for operand in row["operands"] if operand.get("quantifier") != "*"])
            yield 'SPIRV_OP(%d, %s, "%s", %s, %d, %s, %s)' % (
                code, snake(name), name, group, since(row), capabilities(row), operands(row))


def reference_names(kind):
    """Of each value, the names that the reference has: first the one that it prints."""
    if kind is None:
        return {}
    # An extension that brings one name of a value brings the others.
    extended = {number(row["value"]) for row in kind["enumerants"] if row.get("extensions")}
    rows = sorted(kind["enumerants"], key=lambda row: not available(row) and number(row["value"]) not in extended)
    return {value: names_of(rows, "enumerant") for value, rows in by_value(rows, "value").items()}


def kind_rows(kind, type_name, names=None, reference=None):
    is_bits = kind["category"] == "BitEnum"
    known = reference_names(reference)
    yield ""
    yield "SPIRV_KIND(%s, %s, %s)" % (snake(type_name), type_name, "bits" if is_bits else "value")
    for value, rows in sorted(by_value(kind["enumerants"], "value").items()):
        for name, row in spelled(rows, names_of(rows, "enumerant"), known.get(value, [])):
            yield 'SPIRV_ENUM(%s, %s, %s, "%s", %d, %s, %s)' % (
                type_name, ("0x%x" if is_bits else "%d") % value, snake(name, snake(type_name)), name, since(row), capabilities(row),
                operands(row, "parameters", names))
    yield "SPIRV_KIND_END(%s)" % type_name


class Clone:
    """A revision of the headers' repository."""

    def __init__(self, folder, revision):
        self.folder, self.revision = folder, revision

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.folder, *arguments], check=True, capture_output=True, text=True).stdout

    def read(self, path):
        return self.git("show", "%s:include/spirv/%s" % (self.revision, path))

    def grammar(self, name):
        return json.loads(self.read("unified1/%s.grammar.json" % name))

    def version(self):
        core = self.grammar("spirv.core")
        commit, date = self.git("log", "-1", "--format=%H %cs", self.revision).split()
        return "SPIR-V %d.%d revision %d, SPIRV-Headers %s of %s" % (
            core["major_version"], core["minor_version"], core["revision"], commit[:12], date)


def named_revision(path):
    """The commit that a table was written from."""
    with open(path, encoding="utf-8") as file:
        found = re.search(r"SPIRV-Headers ([0-9a-f]+) of", file.read(2000))
    return found[1] if found else "HEAD"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone")
    parser.add_argument("--revision")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    public = os.path.join(ROOT, "include/unshade/spirv")
    revision = arguments.revision or (named_revision(os.path.join(public, "opcodes.def")) if arguments.check else "HEAD")
    headers = Clone(arguments.clone, revision)
    version = headers.version()
    core = headers.grammar("spirv.core")
    reference = Clone(arguments.clone, REFERENCE).grammar("spirv.core")
    reference_kinds = {kind["kind"]: kind for kind in reference["operand_kinds"]}
    enumerants = []
    for kind in core["operand_kinds"]:
        if "enumerants" in kind:
            enumerants += kind_rows(kind, kind["kind"], reference=reference_kinds.get(kind["kind"]))
    extended = []
    for file, name, match, type_name, prefix, listing in SETS:
        grammar = headers.grammar("extinst." + file)
        names = {}
        for kind in grammar.get("operand_kinds", []):
            if "enumerants" in kind:
                names[kind["kind"]] = prefix + kind["kind"]
        for kind in grammar.get("operand_kinds", []):
            if "enumerants" in kind:
                enumerants += kind_rows(kind, names[kind["kind"]], names)
        extended += ["", 'SPIRV_SET(%s, "%s", %s, %s)' % (type_name, name, match, listing)]
        for row in sorted(grammar["instructions"], key=lambda row: row["opcode"]):
            extended.append('SPIRV_EXT(%s, %d, %s, "%s", %s)' % (
                type_name, row["opcode"], snake(row["opname"]), row["opname"], operands(row, names=names)))
        extended.append("SPIRV_SET_END(%s)" % type_name)
    generators = []
    for ids in ElementTree.fromstring(headers.read("spir-v.xml")).iter("ids"):
        if ids.attrib["type"] == "vendor":
            for row in ids.iter("id"):
                text = row.attrib["vendor"] + (" " + row.attrib["tool"] if "tool" in row.attrib else "")
                generators.append((int(row.attrib["value"], 0), text.replace('"', '\\"')))
    generator_rows = ['SPIRV_GENERATOR(%d, "%s")' % row for row in sorted(generators)]

    rows = core["instructions"] + [row for kind in core["operand_kinds"] for row in kind.get("enumerants", [])]
    extensions = sorted({name for row in rows for name in row.get("extensions", [])})

    files = {
        os.path.join(public, "opcodes.def"): HEADERS["opcodes"] % (version, OPERANDS) + "\n".join(opcode_rows(core, reference)),
        os.path.join(public, "enumerants.def"): HEADERS["enumerants"] % (version, OPERANDS) + "\n".join(enumerants),
        os.path.join(public, "extended.def"): HEADERS["extended"] % (version, OPERANDS) + "\n".join(extended),
        os.path.join(ROOT, "src/spirv/grammar/generators.def"): HEADERS["generators"] % version + "\n".join(generator_rows),
        os.path.join(public, "extensions.def"): HEADERS["extensions"] % version + "\n".join(
            'SPIRV_EXTENSION("%s")' % name for name in extensions),
    }
    stale = 0
    for path, text in files.items():
        text += "\n"
        if arguments.check:
            with open(path, encoding="utf-8") as file:
                if file.read() != text:
                    print("%s is not what the grammar gives" % os.path.relpath(path, ROOT))
                    stale = 1
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return stale


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Makes the tables of the spirv room from the machine-readable grammar: spirv_grammar.py [--headers DIR] [--check]

Reads DIR/unified1/*.grammar.json and DIR/spir-v.xml (the package spirv-headers; DIR is /usr/include/spirv by default) and writes
include/unshade/spirv/{opcodes,enumerants,extended}.def and src/spirv/generators.def. Building does not need the grammar, only this script
does. --check writes nothing and exits 1 when a table is not what the grammar gives.
"""
import argparse
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What spirv-dis 2023.1 decodes for. A second name of a value is preferred when the first needs a later version and nothing else enables it.
TARGET = 15

KEYWORDS = set("""and auto bool break case catch char class const continue default delete do double else enum explicit export extern false
float for friend goto if inline int long namespace new not operator or private protected public register return short signed sizeof static
struct switch template this throw true try typedef union unsigned using virtual void volatile while xor""".split())

# Sets of extended instructions: file, name that OpExtInstImport gives, how names compare, C++ type, prefix of its operand kinds, whether
# listings name its instructions. src: spirv-dis 2023.1 knows no names of NonSemantic.DebugPrintf.
SETS = [
    ("glsl.std.450", "GLSL.std.450", "whole", "GlslStd450", "", "named"),
    ("opencl.std.100", "OpenCL.std", "whole", "OpenClStd", "", "named"),
    ("spv-amd-shader-explicit-vertex-parameter", "SPV_AMD_shader_explicit_vertex_parameter", "whole", "AmdExplicitVertexParameter", "", "named"),
    ("spv-amd-shader-trinary-minmax", "SPV_AMD_shader_trinary_minmax", "whole", "AmdTrinaryMinMax", "", "named"),
    ("spv-amd-gcn-shader", "SPV_AMD_gcn_shader", "whole", "AmdGcnShader", "", "named"),
    ("spv-amd-shader-ballot", "SPV_AMD_shader_ballot", "whole", "AmdShaderBallot", "", "named"),
    ("debuginfo", "DebugInfo", "whole", "DebugInfo", "", "named"),
    ("opencl.debuginfo.100", "OpenCL.DebugInfo.100", "whole", "OpenClDebugInfo100", "CL", "named"),
    ("nonsemantic.shader.debuginfo.100", "NonSemantic.Shader.DebugInfo.100", "whole", "ShaderDebugInfo100", "Shader", "named"),
    ("nonsemantic.clspvreflection", "NonSemantic.ClspvReflection.", "prefix", "ClspvReflection", "Clspv", "named"),
    ("nonsemantic.debugprintf", "NonSemantic.DebugPrintf", "whole", "DebugPrintf", "", "numbered"),
]

OPERANDS = """// Operands, in the order of their words:
//   SPIRV_ONE(kind, "name")   always there
//   SPIRV_OPT(kind, "name")   may be missing at the end of the instruction
//   SPIRV_ANY(kind, "name")   any number of them, up to the end of the instruction
// kind is an enumerator of spirv::OperandKind; the name is what dumps call the operand."""

HEADERS = {
    "opcodes": """// The instruction set of SPIR-V: one row per mnemonic. Decoder, listing, assembler, field tree and validator are made from this table.
// Written by scripts/spirv_grammar.py from spirv.core.grammar.json (SPIR-V %s); do not edit.
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
// Written by scripts/spirv_grammar.py from the *.grammar.json (SPIR-V %s); do not edit.
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
// Written by scripts/spirv_grammar.py from the extinst.*.grammar.json; do not edit.
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
    "generators": """// Who writes SPIR-V: the high half of the header's generator word.
// Written by scripts/spirv_grammar.py from spir-v.xml; do not edit.
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
    return bool(since(row) and since(row) <= TARGET) or bool(row.get("extensions")) or bool(row.get("capabilities"))


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def opcode_rows(grammar):
    for row in sorted(grammar["instructions"], key=lambda row: (row["opcode"], row["opname"])):
        group = "unlisted" if row["class"].startswith("@") else snake(row["class"])
        name = row["opname"][2:]
        if name == "ExtInst":  # what follows its number depends on the instruction
            row = dict(row, operands=[operand for operand in row["operands"] if operand.get("quantifier") != "*"])
        yield 'SPIRV_OP(%d, %s, "%s", %s, %d, %s, %s)' % (
            row["opcode"], snake(name), name, group, since(row), capabilities(row), operands(row))


def kind_rows(kind, type_name, names=None):
    # An extension that brings one name of a value brings the others.
    extended = {number(row["value"]) for row in kind["enumerants"] if row.get("extensions")}
    rows = sorted(kind["enumerants"], key=lambda row: (
        number(row["value"]), not available(row) and number(row["value"]) not in extended))
    is_bits = kind["category"] == "BitEnum"
    yield ""
    yield "SPIRV_KIND(%s, %s, %s)" % (snake(type_name), type_name, "bits" if is_bits else "value")
    for row in rows:
        value = ("0x%x" if is_bits else "%d") % number(row["value"])
        yield 'SPIRV_ENUM(%s, %s, %s, "%s", %d, %s, %s)' % (
            type_name, value, snake(row["enumerant"], snake(type_name)), row["enumerant"], since(row), capabilities(row),
            operands(row, "parameters", names))
    yield "SPIRV_KIND_END(%s)" % type_name


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headers", default="/usr/include/spirv")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()

    def load(name):
        with open(os.path.join(arguments.headers, "unified1", name + ".grammar.json"), encoding="utf-8") as file:
            return json.load(file)

    core = load("spirv.core")
    version = "%d.%d revision %d" % (core["major_version"], core["minor_version"], core["revision"])
    enumerants = []
    for kind in core["operand_kinds"]:
        if "enumerants" in kind:
            enumerants += kind_rows(kind, kind["kind"])
    extended = []
    for file, name, match, type_name, prefix, listing in SETS:
        grammar = load("extinst." + file)
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
    for ids in ElementTree.parse(os.path.join(arguments.headers, "spir-v.xml")).getroot().iter("ids"):
        if ids.attrib["type"] == "vendor":
            for row in ids.iter("id"):
                text = row.attrib["vendor"] + (" " + row.attrib["tool"] if "tool" in row.attrib else "")
                generators.append((int(row.attrib["value"], 0), text.replace('"', '\\"')))
    generator_rows = ['SPIRV_GENERATOR(%d, "%s")' % row for row in sorted(generators)]

    public = os.path.join(ROOT, "include/unshade/spirv")
    files = {
        os.path.join(public, "opcodes.def"): HEADERS["opcodes"] % (version, OPERANDS) + "\n".join(opcode_rows(core)),
        os.path.join(public, "enumerants.def"): HEADERS["enumerants"] % (version, OPERANDS) + "\n".join(enumerants),
        os.path.join(public, "extended.def"): HEADERS["extended"] % OPERANDS + "\n".join(extended),
        os.path.join(ROOT, "src/spirv/generators.def"): HEADERS["generators"] + "\n".join(generator_rows),
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

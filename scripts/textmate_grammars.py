#!/usr/bin/env python3
"""Makes TextMate grammars of the assembly languages from the instruction tables: textmate_grammars.py --write | --check [LISTING...]

  --write  writes packaging/textmate/*.tmLanguage.json
  --check  whether they are current; and of listings (NAME.asm, .ll, .spvasm, .pica) whether each word that the tables know has its scope

The scopes are those that colour themes know: keyword.operator.opcode, variable, constant.numeric, string, comment, keyword.control.directive.
"""
import json
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
NUMBER = r"[-+]?(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)\b"


def column(path, macro, text_before=r"[^\"]*"):
    """The first text of each row of a table."""
    found = re.findall(rf'^{macro}\({text_before}"([^"]+)"', (SOURCE / "include/unshade" / path).read_text() if not path.startswith("src/") else
                       (SOURCE / path).read_text(), flags=re.M)
    if not found:
        sys.exit(f"{path} has no rows {macro}")
    return sorted(set(found))


def alternatives(words):
    """The longest first: a word may begin as another does."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def rule(scope, match):
    return {"name": scope, "match": match}


def dxbc():
    words = column("dxbc/opcodes.def", "DXBC_(?:OP|DCL)")
    level9 = column("dxbc/level9/sm2_opcodes.def", r"[A-Z0-9_]+")
    declared = [word for word in words if word.startswith("dcl_")]
    return "dxbc", "DXBC assembly", ["asm"], [
        rule("comment.line", r"//.*$"),
        rule("keyword.control.directive", r"^\s*#.*$"),
        rule("keyword.control.profile", r"^\s*(?:[vphdgc]s|lib)_\d_(?:\d|x|sw)(?:_level_9_\d)?\b"),
        rule("string.quoted.double", r'"[^"]*"'),
        rule("storage.type.declaration", rf"^(?:\s*|.*\s)(?:{alternatives(declared)})(?:_\w+)*(?=\s|$)"),
        # What controls add is in front of the operands: mul_sat, sample_indexable(texture2d)(float,float,float,float).
        rule("keyword.operator.opcode", rf"(?<![\w.])(?:{alternatives(set(words + level9) - set(declared))})(?:_\w+)*(?=[\s(\[]|$)"),
        rule("variable.register", r"-?\|?\b(?:[a-z]+[A-Z]?[a-z]*|[A-Z]+)\d+\b(?:\.[xyzwrgba]{1,4})?|\b(?:icb|null|oDepth\w*|oMask|v[A-Z]\w+)\b(?:\.[xyzw]{1,4})?"),
        rule("constant.numeric", rf"(?<![\w.]){NUMBER}"),
    ]


def dxil():
    words = set()
    for macro in ("DXIL_OPCODE", "DXIL_PREDICATE", "DXIL_ATOMIC", "DXIL_ORDERING"):
        words.update(column("dxil/ir.def", macro))
    types = column("dxil/ir.def", "DXIL_TYPE")
    return "dxil", "DXIL listing", ["ll"], [
        rule("comment.line", r";.*$"),
        rule("string.quoted.double", r'c?"(?:[^"\\]|\\.)*"'),
        rule("entity.name.function", r"@(?:[\w.$-]+|\"[^\"]*\")"),
        rule("variable.other.metadata", r"![\w.$-]*|#\d+"),
        rule("variable.other.value", r"%[\w.$-]+"),
        rule("keyword.control.directive", r"^(?:define|declare|attributes|target|source_filename)\b"),
        rule("storage.type", rf"\b(?:i\d+|{alternatives(types)})\b"),
        rule("entity.name.label", r"^[\w.$-]+:"),
        rule("constant.language", r"\b(?:true|false|null|undef|zeroinitializer)\b"),
        rule("keyword.operator.opcode", rf"(?<![\w.])(?:{alternatives(words)})\b"),
        rule("constant.numeric", rf"(?<![\w.]){NUMBER}"),
    ]


def pica():
    words = column("pica/instructions.def", "PICA_OP")
    return "pica", "PICA200 assembly", ["pica"], [
        rule("comment.line", r"[;].*$"),
        rule("string.quoted.double", r'"[^"]*"'),
        rule("keyword.control.directive", r"^\s*\.\w+"),
        rule("entity.name.label", r"^\w+:"),
        rule("keyword.operator.opcode", rf"^\s+(?:{alternatives(words)})\b"),
        rule("variable.register", r"-?\b(?:[abciorv]\d+|aL|lcnt|cmp|cc)\b(?:\.[xyzwrgbast]{1,4})?"),
        rule("constant.numeric", rf"(?<![\w.]){NUMBER}"),
    ]


def spirv():
    # The rows that other names stand in share a code; all are words of the language.
    words = ["Op" + word for word in column("spirv/opcodes.def", "SPIRV_OP")]
    return "spirv", "SPIR-V assembly", ["spvasm"], [
        rule("comment.line", r";.*$"),
        rule("string.quoted.double", r'"(?:[^"\\]|\\.)*"'),
        rule("variable.other.value", r"%\w+"),
        rule("storage.type.declaration", rf"\b(?:{alternatives(word for word in words if word.startswith('OpType'))})\b"),
        rule("keyword.operator.opcode", rf"\b(?:{alternatives(word for word in words if not word.startswith('OpType'))})\b"),
        rule("constant.numeric", rf"(?<![\w.]){NUMBER}"),
        rule("support.constant", r"\b[A-Z]\w*\b"),
    ]


def vbc():
    _, _, _, rules = spirv()
    return "vbc", "VBC listing", [], [rule("keyword.control.directive", r"^\s*\.\w+"), *rules]


def grammar(name, title, file_types, rules):
    return {"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json", "name": title, "scopeName": f"source.unshade.{name}",
            "comment": "made of the instruction tables by scripts/textmate_grammars.py", "fileTypes": file_types,
            "patterns": [{**one, "name": f"{one['name']}.{name}"} for one in rules]}


def scopes_of(line, rules):
    """(start, end, scope) of a line, as an editor finds them: the match that begins first, of the first rule of those."""
    at, found = 0, []
    while at < len(line):
        matches = [(match.start(), number, match) for number, one in enumerate(rules) if (match := one.search(line, at)) and match.end() > match.start()]
        if not matches:
            break
        _, number, match = min(matches)
        found.append((match.start(), match.end(), number))
        at = match.end()
    return found


def check_listing(path, grammars):
    """Whether the first word of each instruction has the scope of one."""
    family = {".asm": "dxbc", ".ll": "dxil", ".spvasm": "spirv", ".pica": "pica"}[path.suffix]
    name, _, _, patterns = next(one for one in grammars if one[0] == family)
    rules = [re.compile(one["match"]) for one in patterns]
    opcode = {number for number, one in enumerate(patterns) if "opcode" in one["name"] or "declaration" in one["name"]}
    wanted = {"dxbc": r"^\s*((?!//|#|[vphdgc]s_\d|lib_)\w+)", "dxil": r"^  (?:%[\w.]+ = )?(?:tail )?([a-z]+)\b", "spirv": r"^\s*(?:%\w+ = )?(Op\w+)",
              "pica": r"^\t+([a-z]\w*)"}[family]
    words = missed = 0
    for line in path.read_text(errors="replace").split("\n"):
        if (match := re.search(wanted, line)) is None:
            continue
        words += 1
        if not any(start <= match.start(1) < end and number in opcode for start, end, number in scopes_of(line, rules)):
            missed += 1
            if missed <= 3:
                print(f"{path}: {match[1]} has no scope: {line[:100]}")
    if words == 0:
        print(f"{path}: no instruction found")
    return words != 0 and missed == 0


def main():
    grammars = [dxbc(), dxil(), pica(), spirv(), vbc()]
    if sys.argv[1:2] not in (["--write"], ["--check"]):
        sys.exit(__doc__)
    right = True
    for one in grammars:
        path = SOURCE / f"packaging/textmate/{one[0]}.tmLanguage.json"
        text = json.dumps(grammar(*one), indent=1) + "\n"
        if sys.argv[1] == "--write":
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{path.relative_to(SOURCE)}: not what the tables say; scripts/textmate_grammars.py --write rewrites it")
            right = False
    for name in sys.argv[2:]:
        right &= check_listing(pathlib.Path(name), grammars)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())

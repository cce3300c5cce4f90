#!/usr/bin/env python3
"""TypeScript types of the JSON that unshade writes and reads, from its schemas: scripts/json_types.py > web/module/json.d.ts
With --check FILE, prints nothing and fails where FILE is not what it would print."""
import json
import pathlib
import re
import sys

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "docs/reference/json"
# What functions of web/module/unshade.js return or take.
NAMES = ["case", "decompile", "diff", "document", "draw", "dump", "graph", "hash", "index-stats", "info", "reflect", "run", "scene", "search", "session", "sources", "translate", "validate"]


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def comment(text, indent):
    return f"{indent}/** {text.replace('*/', '* /')} */\n" if text else ""


def key(name):
    return name if re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", name) else json.dumps(name)


def names_of(definitions):
    """The names of their types."""
    names = {}
    for definition in definitions:
        name = pascal(definition)
        while name in names.values():
            name += "_"
        names[definition] = name
    return names


def read(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


class Schema:
    """The types of a schema; `space` is the namespace that its definitions stand in."""

    def __init__(self, space, definitions):
        self.space = space
        self.names = names_of(definitions)

    def reference(self, target):
        """A definition, of this schema or of another whose types are made."""
        file, definition = target.split("#/$defs/")
        if not file:
            return f"{self.space}.{self.names[definition]}"
        name = file.removesuffix(".schema.json")
        if name not in NAMES:
            sys.exit(f"a schema refers to {target}, whose types are not made")
        return f"{pascal(name)}.{names_of(read(name)['$defs'])[definition]}"

    def union(self, types):
        return " | ".join(dict.fromkeys(types))

    def in_brackets(self, text):
        return f"({text})" if re.search(r" [|&] ", text) and not text.startswith("{") else text

    def object(self, schema, indent):
        inside = indent + "  "
        required = set(schema.get("required", []))
        members = []
        kinds = []
        for name, value in schema.get("properties", {}).items():
            kind = self.type(value, inside)
            kinds.append(kind)
            text = value.get("description", "") if isinstance(value, dict) else ""
            members.append(f"{comment(text, inside)}{inside}{key(name)}{'' if name in required else '?'}: {kind};\n")
        rest = [schema["additionalProperties"]] if isinstance(schema.get("additionalProperties"), dict) else []
        rest += schema.get("patternProperties", {}).values()
        if not members and not rest:
            return "{ [name: string]: unknown }" if schema.get("additionalProperties", True) else "{ [name: string]: never }"
        if rest:
            others = [self.type(value, inside) for value in rest]
            if members:
                others += kinds + ["undefined"]
            members.append(f"{inside}[name: string]: {self.union(others)};\n")
        return "{\n" + "".join(members) + indent + "}"

    def type(self, schema, indent=""):
        if not isinstance(schema, dict):
            return "unknown" if schema else "never"
        if "$ref" in schema:
            return self.reference(schema["$ref"])
        if "const" in schema:
            return json.dumps(schema["const"])
        if "enum" in schema:
            return self.union(json.dumps(value) for value in schema["enum"])
        parts = []
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        types = []
        for kind in kinds or (["object"] if "properties" in schema or "patternProperties" in schema else []):
            if kind == "object":
                if "properties" in schema or "patternProperties" in schema or not any(word in schema for word in ("oneOf", "anyOf")):
                    types.append(self.object(schema, indent))
            elif kind == "array":
                items = self.type(schema["items"], indent) if "items" in schema else "unknown"
                types.append(f"{self.in_brackets(items)}[]")
            else:
                types.append({"integer": "number"}.get(kind, kind))
        if types:
            parts.append(self.union(types))
        for word in ("oneOf", "anyOf"):
            if word in schema:
                parts.append(self.union(self.type(one, indent) for one in schema[word]))
        parts = [part for part in parts if part != "unknown"]
        if len(parts) > 1:
            parts = [f"({part})" for part in parts]
        return " & ".join(parts) or "unknown"


def types_of(name):
    schema = read(name)
    definitions = schema.get("$defs", {})
    made = Schema(pascal(name), definitions)
    out = comment(schema["title"], "") + f"export type {made.space} = {made.type(schema)};\n"
    if definitions:
        out += f"export namespace {made.space} {{\n"
        for inner, definition in definitions.items():
            out += comment(definition.get("description", ""), "  ") + f"  type {made.names[inner]} = {made.type(definition, '  ')};\n"
        out += "}\n"
    return out


def main():
    text = "// Made by scripts/json_types.py of docs/reference/json.\n\n" + "\n".join(types_of(name) for name in NAMES)
    if sys.argv[1:2] == ["--check"]:
        if pathlib.Path(sys.argv[2]).read_text() != text:
            sys.exit(f"{sys.argv[2]} is not what scripts/json_types.py prints: scripts/json_types.py > web/module/json.d.ts")
        return
    sys.stdout.write(text)


if __name__ == "__main__":
    main()

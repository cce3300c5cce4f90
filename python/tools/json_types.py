#!/usr/bin/env python3
"""Makes unshade/json_types.py, the types of JSON answers and documents, of the schemas: json_types.py docs/reference/json OUTPUT

An object becomes a TypedDict named after its schema and the members that lead to it: the elements of `files` of info.schema.json are InfoFile. What a
schema says beyond types (ranges, conditions) is left to validators.
"""
import json
import keyword
import pathlib
import re
import sys

HEAD = '''"""Types of the JSON that the library and the command write and read: docs/reference/json. Made by python/tools/json_types.py.

Use them in annotations: `info: unshade.json_types.Info = shader.json("info")`.
"""
# fmt: off
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union
'''
PRIMITIVES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def pascal(text):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", text) if word)


def singular(name):
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def names_of_definitions(name, schema):
    """Of each key of $defs the name of its type: `opcode_32` and `opcode32` must differ."""
    names = {}
    for key in schema.get("$defs", {}):
        made = pascal(name) + pascal(key)
        while made in names.values():
            made += "_"
        names[key] = made
    return names


class Types:
    """The types of a schema."""

    def __init__(self, name, schemas):
        schema = schemas[name]
        self.name = name
        self.schemas = schemas
        self.prefix = pascal(name)
        self.lines = []
        self.referred_types = {}
        self.definitions = {key: names_of_definitions(key, schemas[key]) for key in schemas}
        self.names = set(self.definitions[name].values())
        for key, definition in schema.get("$defs", {}).items():
            if "$ref" not in definition:
                self.define(self.definitions[name][key], definition)
        self.define(self.prefix, schema)

    def define(self, name, schema):
        self.names.add(name)
        variants = self.variants(schema)
        if variants:
            made = []
            for variant in variants:
                own = next(key for key in variant["properties"] if key not in schema["properties"])
                made.append(self.unique(name + pascal(own)))
                self.names.add(made[-1])
                self.typed_dict(made[-1], variant)
            self.lines.append(f"{name} = {self.union(made)}")
        elif "properties" in schema:
            self.typed_dict(name, schema)
        else:
            made = self.type_of(schema, name, inside=True)
            self.lines.append(f"{name} = {made}")

    @staticmethod
    def variants(schema):
        """Of an object with members that all have and several sets of others: the objects that it may be."""
        made = []
        for variant in schema.get("oneOf", []) if "properties" in schema else []:
            own = {key: schema["properties"][key] if member is True else member for key, member in variant.get("properties", {}).items()}
            made.append({"type": "object", "properties": {**schema["properties"], **own},
                         "required": [*schema.get("required", []), *variant.get("required", [])]})
        return made

    def typed_dict(self, name, schema):
        required = schema.get("required", [])
        groups = ({}, {})
        for key, member in schema["properties"].items():
            groups[key not in required][key] = (self.type_of(member, name + pascal(key)), member.get("description") if isinstance(member, dict) else None)
        bases = []
        for optional, members in enumerate(groups):
            if not members or (not optional and not groups[1]):
                continue
            base = f"_{name}{'Optional' if optional else 'Required'}"
            if self.functional(members):
                rows = ", ".join(f"{key!r}: {self.quoted(kind)}" for key, (kind, _) in members.items())
                self.lines.append(f"{base} = TypedDict({base!r}, {{{rows}}}{', total=False' if optional else ''})")
                bases.append(base)
            elif not optional:
                self.lines += [f"class {base}(TypedDict):", *self.members(members), ""]
                bases.append(base)
        required_members, optional_members = groups
        if not optional_members:
            if self.functional(required_members):
                rows = ", ".join(f"{key!r}: {self.quoted(kind)}" for key, (kind, _) in required_members.items())
                self.lines.append(f"{name} = TypedDict({name!r}, {{{rows}}})")
            else:
                self.lines += [f"class {name}(TypedDict):", *self.members(required_members), ""]
            return
        own = [] if self.functional(optional_members) else self.members(optional_members)
        self.lines += [f"class {name}({', '.join(bases or ['TypedDict'])}, total=False):", *(own or ["    pass"]), ""]

    @staticmethod
    def functional(members):
        return any(not key.isidentifier() or keyword.iskeyword(key) for key in members)

    @staticmethod
    def quoted(kind):
        return repr(kind)

    @staticmethod
    def members(members):
        lines = []
        for key, (kind, description) in members.items():
            lines.append(f"    {key}: {kind}")
            if description:
                lines.append(f"    {json.dumps(description, ensure_ascii=False)}")
        return lines or ["    pass"]

    def unique(self, name):
        made, number = name, 2
        while made in self.names:
            made, number = f"{name}{number}", number + 1
        return made

    def union(self, kinds):
        kinds = list(dict.fromkeys(kinds))
        if "Any" in kinds:
            return "Any"
        return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"

    def referred(self, target, name, inside):
        """The type that `#`, `#/$defs/row`, `case.schema.json#/$defs/row` or a path to anything else in a schema stands for."""
        file, _, path = target.partition("#")
        other = file.removesuffix(".schema.json") or self.name
        definition = self.schemas[other]
        for word in path.split("/")[1:]:
            definition = definition[word]
        named = re.fullmatch(r"/\$defs/(\w+)", path)
        if path == "" or (named and "$ref" not in definition):
            made = self.definitions[other][named[1]] if named else pascal(other)
            return repr(made) if inside else made
        key = (other, path, inside)
        if key not in self.referred_types:
            here, self.name = self.name, other
            self.referred_types[key] = self.type_of(definition, name, inside)
            self.name = here
        return self.referred_types[key]

    def type_of(self, schema, name, inside=False):
        """`name`: what an object in it is called. `inside`: the type is assigned and not an annotation, so names in it are quoted."""
        def again(part, called=name):
            return self.type_of(part, called, inside)

        if isinstance(schema, bool) or schema == {}:
            return "Any"
        if "$ref" in schema:
            return self.referred(schema["$ref"], name, inside)
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(repr, schema['enum']))}]"
        for word in ("anyOf", "oneOf"):
            if word in schema:
                return self.union([again(part, self.unique(name) if number else name) for number, part in enumerate(schema[word])])
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.union([again({**schema, "type": one}) for one in kind])
        if kind == "array" and "prefixItems" in schema:
            rest = [schema["items"]] if isinstance(schema.get("items"), dict) else []
            return f"List[{self.union([again(part, singular(name)) for part in [*schema['prefixItems'], *rest]])}]"
        if kind == "array":
            return f"List[{again(schema.get('items', True), singular(name))}]"
        if kind == "object" or "properties" in schema:
            if "properties" in schema:
                made = self.unique(name)
                self.names.add(made)
                self.typed_dict(made, schema)
                return repr(made) if inside else made
            values = [schema["additionalProperties"]] if isinstance(schema.get("additionalProperties"), dict) else []
            values += schema.get("patternProperties", {}).values()
            return f"Dict[str, {self.union([again(value) for value in values]) if values else 'Any'}]"
        if kind in PRIMITIVES:
            return PRIMITIVES[kind]
        if kind is None:
            return "Any"
        sys.exit(f"json_types.py does not understand: {json.dumps(schema)[:200]}")


def main():
    folder, output = (pathlib.Path(word) for word in sys.argv[1:])
    lines = [HEAD]
    schemas = {path.name.removesuffix(".schema.json"): json.loads(path.read_text()) for path in sorted(folder.glob("*.schema.json"))}
    for name in schemas:
        lines += ["", f"# {name}.schema.json", *Types(name, schemas).lines]
    text = "\n".join(lines) + "\n"
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()

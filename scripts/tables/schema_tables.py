#!/usr/bin/env python3
"""The schemas of docs/reference/json against their table, include/unshade/present/schemas.def: schema_tables.py [--write] [ROOT]

Each row must have its file, each file its row, and the file's `schema` the id of the row; the verbs, and what of the C interface the rows name,
must be there. No source but the rows may spell an id. docs/reference/json.md has the rows as its index, which --write makes.

Prints what is not so, and exits 1.
"""
import ast
import json
import pathlib
import re
import sys

TEXT = r'"(?:[^"\\]|\\.)*"'
ROW = re.compile(rf"^UNSHADE_SCHEMA\((\w+), ({TEXT}), (\d+), ({TEXT}), (\w+),\s*({TEXT})\)$", re.MULTILINE)
HEADINGS = "| schema | verb | C interface | content |\n|---|---|---|---|\n"


def rows_of(table):
    """A dictionary for each row; dies if a row has another shape."""
    found = [(id_, ast.literal_eval(name), int(version), ast.literal_eval(verb), c, ast.literal_eval(summary))
             for id_, name, version, verb, c, summary in ROW.findall(table)]
    begun = len(re.findall(r"^UNSHADE_SCHEMA\(", table, re.MULTILINE))
    if len(found) != begun:
        sys.exit(f"schemas.def: {begun} rows, of which {len(found)} have the columns id, \"name\", version, \"verb\", c, \"summary\"")
    return [dict(zip(("id", "name", "version", "verb", "c", "summary"), row)) for row in found]


def index_of(rows):
    """The table of the page."""
    lines = []
    for row in rows:
        c = "" if row["c"] == "nullptr" else f"`{row['c']}`" if row["c"].isupper() else f"`{row['c']}()`"
        verb = f"`{row['verb']}`" if row["verb"] else "any"
        lines.append(f"| [{row['name']}](json/{row['name']}.schema.json) | {verb} | {c} | {row['summary']} |\n")
    return HEADINGS + "".join(lines)


def faults_of(root, rows):
    files = {path.name.removesuffix(".schema.json"): path for path in (root / "docs/reference/json").glob("*.schema.json")}
    verbs = set(re.findall(r'^UNSHADE_VERB\(\w+, \w+, "([\w-]+)"', (root / "src/cli/verbs/verbs.def").read_text(encoding="utf-8"), re.MULTILINE))
    header = (root / "include/unshade/unshade.h").read_text(encoding="utf-8")
    for name in sorted(files.keys() - {row["name"] for row in rows}):
        yield f"docs/reference/json/{name}.schema.json: no row of schemas.def"
    for row in rows:
        name, place = row["name"], f"schemas.def: {row['name']}"
        if row["verb"] and row["verb"].split()[0] not in verbs:
            yield f"{place}: no verb {row['verb'].split()[0]}"
        if row["c"] != "nullptr" and not re.search(rf"\b{row['c']}\b", header):
            yield f"{place}: unshade.h has no {row['c']}"
        # what the header says of a number is the file of its row
        said = re.search(rf"^\s*{row['c']} = \d+,? */\*.*?([\w-]+)\.schema\.json", header, re.MULTILINE)
        if said and said.group(1) != name:
            yield f"{place}: unshade.h says {said.group(1)}.schema.json of {row['c']}"
        if name not in files:
            yield f"{place}: no file docs/reference/json/{name}.schema.json"
            continue
        member = json.loads(files[name].read_text(encoding="utf-8")).get("properties", {}).get("schema", {}).get("const")
        wanted = f"unshade.{name}/{row['version']}" if row["version"] else None
        if member != wanted:
            yield f"docs/reference/json/{name}.schema.json: expected the schema {wanted}, found {member}"


ID = re.compile(r"unshade\.[a-z][a-z-]*/\d+")
# Comments may have an id, and so may worked examples of `--help`, which are raw strings that tests/help_test.py runs.
NOT_CODE = re.compile(r'R"\((?:.|\n)*?\)"|(?:^|\s)//[^\n]*|^\s*#[^\n]*', re.MULTILINE)
SOURCES = {"src": "*.[ch]pp", "include": "*.[ch]pp", "python/unshade": "*.py", "web": "*.[jt]s"}
SKIPPED = {"tests", "node_modules", "dist", "json.d.ts", "json_types.py"}  # tests, and what tools make
# `shader` reads the id; src/present/schemas.cpp asserts that it is the row's.
ELSEWHERE = {"include/unshade/shader/document.hpp"}


def spelled_ids(root):
    """Ids in the sources: only the rows spell them."""
    for base, pattern in SOURCES.items():
        for file in sorted((root / base).rglob(pattern)):
            path = file.relative_to(root)
            if path.as_posix() in ELSEWHERE or not SKIPPED.isdisjoint(path.parts):
                continue
            for id_ in ID.findall(NOT_CODE.sub("", file.read_text(encoding="utf-8"))):
                yield f"{path.as_posix()}: {id_} is spelled out: use present::schema_id() or begin_document()"


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    root = pathlib.Path(words[0]) if words else pathlib.Path(__file__).resolve().parent.parent.parent
    rows = rows_of((root / "include/unshade/present/schemas.def").read_text(encoding="utf-8"))
    faults = [*faults_of(root, rows), *spelled_ids(root)]
    page = root / "docs/reference/json.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(HEADINGS, 1)
    wanted = before + index_of(rows) + "\n" + rest.split("\n\n", 1)[1]
    if wanted != text:
        if "--write" in sys.argv:
            page.write_text(wanted, encoding="utf-8")
        else:
            faults.append("docs/reference/json.md differs from schemas.def: run scripts/tables/schema_tables.py --write")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The schemas of docs/reference/json against their table, include/unshade/present/schemas.def: schema_tables.py [--write] [ROOT]

Each row must have its file, each file its row, and the file's `schema` the id of the row; the verbs, and what of the C interface the rows name,
must be there. Ids in the sources must be those of rows. docs/reference/json.md has the rows as its index, which --write makes.

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


SPELLED = re.compile(r'"(unshade\.[a-z-]+/\d+)"')


def spelled_ids(root, rows):
    """Ids in the sources that are no row's, and in the rooms that write documents, any."""
    ids = {f"unshade.{row['name']}/{row['version']}" for row in rows if row["version"]}
    for base in ("src", "include"):
        for file in sorted((root / base).rglob("*.[ch]pp")):
            path = file.relative_to(root).as_posix()
            for found in SPELLED.findall(file.read_text(encoding="utf-8")):
                if found not in ids:
                    yield f"{path}: {found} is no row of schemas.def"
                elif path.startswith(("src/present/", "src/capi/")):
                    yield f"{path}: {found} is spelled out: use present::schema_id()"


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    root = pathlib.Path(words[0]) if words else pathlib.Path(__file__).resolve().parent.parent.parent
    rows = rows_of((root / "include/unshade/present/schemas.def").read_text(encoding="utf-8"))
    faults = [*faults_of(root, rows), *spelled_ids(root, rows)]
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

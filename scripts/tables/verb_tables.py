#!/usr/bin/env python3
"""What documents and packages say of the command's verbs, against its table of verbs: verb_tables.py [--write] UNSHADE ROOT

- docs/reference/cli.md: the tables below "## Verbs", one per group. Verbs, groups and the first two columns come out of `unshade help --json`; the
  third column is written by hand and kept.
- web/npm/verbs.json: the verbs of `npx unshade` and their options. Which there are is chosen in the file, by their names; all else comes out of
  `unshade help --json`.

Prints the files that are not so, and exits 1; with --write, writes them.
"""
import json
import pathlib
import re
import subprocess
import sys

# Verbs that a command may be built without.
OPTIONAL = {"decompile", "index", "search"}
ROW = re.compile(r"^\| `([\w-]+)` \| (.*?) \| (.*) \|$", re.MULTILINE)


def index_section(verbs, notes):
    """The tables, with a note of each verb in the third column."""
    groups = {}
    for verb in verbs:
        groups.setdefault(verb["group"]["title"], []).append(verb)
    tables = []
    for title, members in groups.items():
        rows = "".join(f"| `{verb['name']}` | {verb['summary']} | {notes.get(verb['name'], '')} |\n" for verb in members)
        tables.append(f"{title}:\n\n| verb | does | details |\n|---|---|---|\n{rows}")
    return "\n".join(tables)


def index_page(text, verbs):
    """The page with its index as it has to be."""
    before, rest = text.split("\n## Verbs\n\n", 1)
    section, after = rest.split("\n\n## ", 1)
    rows = ROW.findall(section)
    names = {verb["name"] for verb in verbs}
    missing = [name for name, _, _ in rows if name in OPTIONAL - names]
    if missing:  # a command without them says nothing of their rows
        kept = "\n".join(line for line in section.split("\n") if not any(line.startswith(f"| `{name}` |") for name in missing))
        wanted = index_section(verbs, {name: note for name, _, note in rows})
        return text if kept.strip() == wanted.strip() else None
    return f"{before}\n## Verbs\n\n{index_section(verbs, {name: note for name, _, note in rows})}\n## {after}"


def npm_verbs(chosen, verbs):
    """The verbs of the package, all that it says of them taken from the table."""
    told = []
    for one in chosen["verbs"]:
        verb = next((verb for verb in verbs if verb["name"] == one["name"]), None)
        if verb is None:
            sys.exit(f"web/npm/verbs.json: the command has no verb {one['name']}")
        names = [option["name"] for option in one["options"]]
        for name in names:
            if name not in (option["name"] for option in verb["options"]):
                sys.exit(f"web/npm/verbs.json: {one['name']} has no option --{name}")
        options = [{key: option[key] for key in ("name", "letter", "value", "summary")} for option in verb["options"] if option["name"] in names]
        told.append({key: verb[key] for key in ("name", "group", "summary")} | {"options": options})
    return json.dumps({"verbs": told}, indent=1) + "\n"


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    if len(words) != 2:
        print(__doc__)
        return 2
    root = pathlib.Path(words[1])
    verbs = json.loads(subprocess.run([words[0], "help", "--json"], capture_output=True, check=True).stdout)["verbs"]
    page, package = root / "docs/reference/cli.md", root / "web/npm/verbs.json"
    page_text, package_text = page.read_text(encoding="utf-8"), package.read_text(encoding="utf-8")
    faults = 0
    for file, text, wanted in ((page, page_text, index_page(page_text, verbs)), (package, package_text, npm_verbs(json.loads(package_text), verbs))):
        if wanted == text:
            continue
        if "--write" in sys.argv and wanted is not None:
            file.write_text(wanted, encoding="utf-8")
        else:
            print(f"{file.relative_to(root)} differs from the table of verbs: run scripts/tables/verb_tables.py --write with a command that has all verbs")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

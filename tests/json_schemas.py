#!/usr/bin/env python3
"""Checks what `unshade --json` writes against the schemas: json_schemas.py UNSHADE FILE... (run in the checkout).

Exits 0 when all agree, 1 with the first faults, 77 (skipped) without python3-jsonschema.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)


def main():
    unshade, *files = sys.argv[1:]
    root = pathlib.Path(__file__).resolve().parent.parent
    runs = {verb: [verb, *files] for verb in ("info", "dump", "dis", "reflect", "validate")}
    runs["rules"] = ["validate", "--rules"]
    runs["edit"] = ["edit", "--repair", str(root / "tests/data/vbc/subpass.vbc")]
    with tempfile.NamedTemporaryFile(suffix=".spv", delete=False) as module:
        module.write(subprocess.run([unshade, "extract", "-n", "vertex", str(root / "tests/data/vbc/minimal.vbc")], capture_output=True, check=True).stdout)
    runs["pack"] = ["pack", module.name]
    if b"\n  decompile " in subprocess.run([unshade, "help"], capture_output=True, check=True).stdout:
        runs["decompile"] = ["decompile", str(root / "tests/data/vbc/minimal.vbc")]
    runs["extract"] = ["extract", str(root / "tests/data/pica/skin_quad.shbin")]
    runs["as"] = ["as", str(root / "tests/data/pica/skin.v.pica")]
    runs["link"] = ["link", *(str(root / f"tests/data/pica/{name}.shbin") for name in ("skin.v", "quad.g"))]
    runs["diff"] = ["diff", *(str(root / f"tests/data/dxbc/lit_vs_{model}.dxbc") for model in ("4_0", "5_0"))]
    failed = False
    for name, words in runs.items():
        schema = json.loads((root / f"docs/json/{name}.schema.json").read_text())
        result = subprocess.run([unshade, *words, "--json"], capture_output=True, check=False)
        validator = jsonschema.Draft202012Validator(schema)
        for fault in list(validator.iter_errors(json.loads(result.stdout)))[:3]:
            failed = True
            print(f"{name}: {fault.json_path}: {fault.message[:300]}")
    documents = jsonschema.Draft202012Validator(json.loads((root / "docs/json/document.schema.json").read_text()))
    for file in files:
        result = subprocess.run([unshade, "dump", "--format", "json", file], capture_output=True, check=True)
        for fault in list(documents.iter_errors(json.loads(result.stdout)))[:3]:
            failed = True
            print(f"document of {file}: {fault.json_path}: {fault.message[:300]}")
    pathlib.Path(module.name).unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

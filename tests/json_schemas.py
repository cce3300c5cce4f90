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


def check(unshade, root, runs):
    failed = False
    for name, words in runs:
        schema = json.loads((root / f"docs/reference/json/{name}.schema.json").read_text())
        result = subprocess.run([unshade, *words, "--json"], capture_output=True, check=False)
        try:
            written = json.loads(result.stdout)
        except json.JSONDecodeError:
            failed = True
            print(f"{name}: {' '.join(words[:2])}: no JSON; {result.stderr.decode(errors='replace')[:300]}")
            continue
        for fault in list(jsonschema.Draft202012Validator(schema).iter_errors(written))[:3]:
            failed = True
            print(f"{name}: {' '.join(words[:2])}: {fault.json_path}: {fault.message[:300]}")
    return failed


def check_lines(unshade, root, name, words):
    """An object on each line."""
    validator = jsonschema.Draft202012Validator(json.loads((root / f"docs/reference/json/{name}.schema.json").read_text()))
    lines = subprocess.run([unshade, *words, "--json"], capture_output=True, check=True).stdout.decode().splitlines()
    faults = [fault for line in lines for fault in validator.iter_errors(json.loads(line))]
    for fault in faults[:3]:
        print(f"{name}: {' '.join(words[:2])}: {fault.json_path}: {fault.message[:300]}")
    return bool(faults) or not lines


# Cases of bitonic_cs_6_0.dxil, and whether they are right.
CASES = [
    ({}, True),
    ({"wave": 64, "grid": [2], "entry": "main", "resources": {"u0": {"words": [3, 1, 2], "size": 4096}}}, True),
    ({"resources": {"u0": {"format": "R32_UINT", "values": [1, True]}}}, True),
    ({"grids": [1]}, False),
    ({"grid": 3}, False),
    ({"grid": [1, 1, 1, 1]}, False),
    ({"wave": "wide"}, False),
    ({"wave": 3}, False),
    ({"resources": []}, False),
    ({"resources": {"u0": []}}, False),
    ({"resources": {"u0": {"sise": 16}}}, False),
    ({"resources": {"u0": {"size": -1}}}, False),
    ({"resources": {"u0": {"file": 3}}}, False),
    ({"resources": {"u0": {"words": "1 2"}}}, False),
]


def check_cases(unshade, root):
    """Whether the schema of cases says what the reader does."""
    validator = jsonschema.Draft202012Validator(json.loads((root / "docs/reference/json/case.schema.json").read_text()))
    failed = False
    for case, right in CASES:
        words = [unshade, "run", str(root / "tests/data/dxil/bitonic_cs_6_0.dxil"), "-"]
        ran = subprocess.run(words, input=json.dumps(case).encode(), capture_output=True, check=False)
        if (ran.returncode == 0) != right or validator.is_valid(case) != right:
            failed = True
            print(f"case {json.dumps(case)}: exit status {ran.returncode}, schema {validator.is_valid(case)}: {ran.stderr.decode()[:200]}")
    return failed


# Suites of lit_vs_5_0.dxbc beside the field `shader`, and whether they are right.
SUITES = [
    ({"case": []}, False),
    ({"case": [{}]}, True),
    ({"ulp": 2, "check": True, "case": [{"name": "a", "expect": {"lanes": [{"COLOR": ["any", 0.1, ">= 0", {"value": 0.3, "ulp": 9}], "o0": [0, 1, 2, 1]}]}}]}, True),
    ({"case": [{"table": [{"n": 4}], "wave": "$n", "lanes": [{}], "expect": {"operations": "> {n}"}}]}, True),
    ({"case": [{"table": {"names": ["n"], "rows": [[4], [8]]}, "wave": "$n", "expect": {"stop": "finished"}}]}, True),
    ({"cases": []}, False),
    ({}, False),
    ({"case": {}}, False),
    ({"case": [{"nane": "a"}]}, False),
    ({"case": [{"wave": "wide"}]}, False),
    ({"case": [{"scene": 3}]}, False),
    ({"case": [{"table": {"names": ["n"]}}]}, False),
    ({"case": [{"table": 3}]}, False),
    ({"case": [{"expect": []}]}, False),
    ({"case": [{"expect": {"lane": {}}}]}, False),
    ({"case": [{"expect": {"lanes": [[]]}}]}, False),
    ({"case": [{"expect": {"ulp": -1}}]}, False),
    ({"case": [{"check": 1}]}, False),
    ({"case": [{"name": ""}]}, False),
    ({"case": [{"table": []}]}, False),
    ({"case": [{"table": {"names": ["n"], "rows": []}}]}, False),
    ({"case": [{"table": {"names": ["n", "n"], "rows": [[1, 2]]}}]}, False),
]


def check_suites(unshade, root):
    """Whether the schema of suites says what the reader does."""
    schemas = [json.loads((root / f"docs/reference/json/{name}.schema.json").read_text()) for name in ("suite", "case")]
    resolver = jsonschema.RefResolver.from_schema(schemas[0], store={schema["$id"]: schema for schema in schemas})
    validator = jsonschema.Draft202012Validator(schemas[0], resolver=resolver)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "suite.test.json"
        for suite, right in SUITES:
            path.write_text(json.dumps({"shader": str(root / "tests/data/dxbc/lit_vs_5_0.dxbc"), **suite}))
            ran = subprocess.run([unshade, "test", str(path)], capture_output=True, check=False)
            if (ran.returncode == 0 or b"no test has a name" in ran.stderr) != right or validator.is_valid(suite) != right:
                failed = True
                print(f"suite {json.dumps(suite)}: exit status {ran.returncode}, schema {validator.is_valid(suite)}: {ran.stdout.decode()[:200]}")
    return failed


# Members of the pass of a scene, and whether they are right.
SCENES = [
    ({}, True),
    ({"mesh": {"built_in": "cube", "topology": "LINELIST", "names": {"POSITION": "POSITION"}}}, True),
    ({"mesh": {"vertices": [{"POSITION": [0, 0, 0], "NORMAL": [0, 0, 1], "TEXCOORD": [0, 0]}], "indices": [0, 0, -1]}}, True),
    ({"rasterizer": {"FillMode": "SOLID", "CullMode": "NONE", "DepthBias": -4}, "sample_mask": 1, "conventions": "vulkan"}, True),
    ({"depth_stencil": {"DepthFunc": "LESS_EQUAL", "FrontFace": {"StencilPassOp": "INCR_SAT"}}, "stencil_ref": 3}, True),
    ({"blend": {"RenderTarget": [{"BlendEnable": True, "SrcBlend": "SRC_ALPHA", "BlendOp": "MAX", "LogicOp": "XOR"}]}, "blend_factor": [0, 0, 0, 0.5]}, True),
    ({"viewports": [{"Width": 0, "Height": 0}], "scissors": [{"left": -3, "right": 5}]}, True),
    ({"constants": {"world": {"transform": [{"rotate_x": 3}]}}, "resources": {"t0": "texture", "t1": {"values": [1]}}}, True),
    ({"vertices": []}, False),
    ({"mesh": "cubic"}, False),
    ({"mesh": {"topology": "33_CONTROL_POINT_PATCHLIST"}}, False),
    ({"draw": {"count": -1}}, False),
    ({"rasterizer": {"CullMode": "none"}}, False),
    ({"rasterizer": {"Cull": "NONE"}}, False),
    ({"depth_stencil": {"FrontFace": {"StencilPassOp": "ADD"}}}, False),
    ({"blend": {"RenderTarget": []}}, False),
    ({"blend": {"RenderTarget": [{"RenderTargetWriteMask": 16}]}}, False),
    ({"viewports": [{"width": 0}]}, False),
    ({"stencil_ref": 256}, False),
    ({"targets": "picture"}, False),
    ({"grid": 3}, False),
]


def check_scenes(unshade, root):
    """Whether the schema of scenes says what the reader does."""
    schemas = [json.loads((root / f"docs/reference/json/{name}.schema.json").read_text()) for name in ("scene", "case")]
    resolver = jsonschema.RefResolver.from_schema(schemas[0], store={schema["$id"]: schema for schema in schemas})
    validator = jsonschema.Draft202012Validator(schemas[0], resolver=resolver)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.json"
        for given, right in SCENES:
            scene = {"targets": {"picture": {"format": "R8G8B8A8_UNORM", "width": 4, "height": 4, "clear": [0, 0, 0, 1]}},
                     "resources": {"texture": {"format": "R32_FLOAT", "width": 1, "values": [1]}},
                     "pass": [{"vertex": str(root / "examples/scenes/lit.vs.asm"), "mesh": "cube", "targets": ["picture"], **given}]}
            path.write_text(json.dumps(scene))
            ran = subprocess.run([unshade, "draw", str(path), "--json"], capture_output=True, check=False)
            if (ran.returncode == 0) != right or validator.is_valid(scene) != right:
                failed = True
                print(f"scene {json.dumps(given)}: exit status {ran.returncode}, schema {validator.is_valid(scene)}: {ran.stderr.decode()[:200]}")
    return failed


def unequal(unshade, data, folder):
    """A mesh and an amplification shader, each against one that differs."""
    runs = []
    for name, before, after in (("quad.spvasm", "OpStore %93 %91", "OpStore %93 %uint_1"), ("odd.spvasm", "OpStore %38 %36", "OpStore %38 %uint_1")):
        text = pathlib.Path(data[name]).read_text()
        files = []
        for number, listing in enumerate((text, text.replace(before, after))):
            assembly = pathlib.Path(folder) / f"{number}_{name}"
            assembly.write_text(listing)
            files.append(str(assembly.with_suffix(".spv")))
            subprocess.run([unshade, "as", str(assembly), "-o", files[-1]], check=True)
        runs.append(("run-against", ["run", "--against", *files]))
    return runs


def accepts_misspelled(validator, document):
    """Whether the last member of the last part's fields may have another name."""
    fields = next(iter(document.get("parts", [{}])[-1].values()), None)
    if not isinstance(fields, dict) or not fields:
        return False
    name = list(fields)[-1]
    fields[name + "s_"] = fields.pop(name)
    return validator.is_valid(document)


def main():
    unshade, *files = sys.argv[1:]
    root = pathlib.Path(__file__).resolve().parent.parent
    runs = {verb: [verb, *files] for verb in ("info", "dump", "dis", "reflect", "validate", "hash", "graph")}
    runs["test"] = ["test", str(root / "tests/data/amber"), str(root / "tests/data/suites")]
    runs["draw"] = ["draw", str(root / "examples/scenes/shadow.toml"), "--pixel", "3,4", "--history", "90,85", "--resources"]
    runs["rules"] = ["validate", "--rules"]
    runs["help"] = ["help"]
    runs["edit"] = ["edit", "--repair", str(root / "tests/data/vbc/subpass.vbc")]
    with tempfile.NamedTemporaryFile(suffix=".spv", delete=False) as module:
        module.write(subprocess.run([unshade, "extract", "-n", "vertex", str(root / "tests/data/vbc/minimal.vbc")], capture_output=True, check=True).stdout)
    runs["pack"] = ["pack", module.name]
    runs["match"] = ["match", str(root / "tests/data/dxbc"), str(root / "tests/data/dxil")]
    runs["decompile"] = ["decompile", "--score", str(root / "tests/data/vbc/minimal.vbc"), str(root / "tests/data/dxbc/textured_ps_5_0.dxbc")]
    several_lines = ["scan", "--identity", "crc32", str(root / "tests/data/archives"), str(root / "tests/data/vbc"), str(root / "tests/data/dxbc")]
    runs["extract"] = ["extract", str(root / "tests/data/pica/skin_quad.shbin")]
    runs["as"] = ["as", str(root / "tests/data/pica/skin.v.pica")]
    runs["link"] = ["link", *(str(root / f"tests/data/pica/{name}.shbin") for name in ("skin.v", "quad.g"))]
    runs["diff-folders"] = ["diff", str(root / "tests/data/dxbc"), str(root / "tests/data/dxil")]
    runs["sources"] = ["source", "list", str(root / "tests/data")]
    runs["diff"] = ["diff", *(str(root / f"tests/data/dxbc/lit_vs_{model}.dxbc") for model in ("4_0", "5_0"))]
    data = {path.name: str(path) for path in (root / "tests/data").rglob("*") if path.is_file()}
    signature = tempfile.NamedTemporaryFile(suffix=".rs", delete=False)
    signature.write(b"CBV(b0), SRV(t0), DescriptorTable(SRV(t1)), DescriptorTable(Sampler(s0))")
    signature.close()
    library = tempfile.NamedTemporaryFile(suffix=".dxil", delete=False).name
    subprocess.run([unshade, "build", data["subobjects.yaml"], "-o", library], check=True)
    # By schema, where a verb has several.
    several = [
        ("reflect", ["reflect", library]),
        ("edit", ["edit", "--rename", "resource:albedo=base", data["textured_ps_5_0.dxbc"]]),
        ("edit", ["edit", "--rename", "resource:nothing=base", data["textured_ps_5_0.dxbc"]]),
        ("strip", ["strip", data["textured_ps_6_6.dxil"]]),
        ("strip", ["strip", "--names", data["control.v.shbin"]]),
        ("strip", ["strip", data["control_ps_6_6_zi.pdb"]]),
        ("sign", ["sign", "--variant", "bypass", "--hash", data["textured_ps_6_6.dxil"]]),
        ("sign", ["sign", data["odd.spv"]]),
        ("part", ["part", "list", data["textured_ps_6_6.dxil"]]),
        ("part-change", ["part", "remove", data["textured_ps_5_0.dxbc"], "RDEF"]),
        ("part-change", ["part", "add", data["textured_ps_5_0.dxbc"], f"PRIV={data['numbers.inc']}"]),
        ("part-change", ["part", "remove", data["textured_ps_5_0.dxbc"], "ABCD"]),
        ("rootsig", ["rootsig", "show", data["rootsig_cs_6_0.dxil"]]),
        ("rootsig", ["rootsig", "make", signature.name]),
        ("rootsig-attach", ["rootsig", "attach", signature.name, data["textured_ps_6_6.dxil"]]),
        ("rootsig-attach", ["rootsig", "attach", signature.name, data["odd.spv"]]),
        ("rootsig-detach", ["rootsig", "detach", data["rootsig_cs_6_0.dxil"]]),
        ("rootsig-detach", ["rootsig", "detach", data["textured_ps_6_6.dxil"]]),
        ("pdb", ["pdb", "info", data["control_ps_6_6_zi.pdb"]]),
        ("source", ["source", "list", data["control_ps_6_6_zi.pdb"]]),
        ("source-embed", ["source", "embed", "-z", data["textured_ps_6_6.dxil"], data["textured.ps.hlsl"]]),
        ("source-embed", ["source", "embed", data["textured_ps_5_0.dxbc"], data["textured.ps.hlsl"]]),
        ("error", ["rootsig", "show", data["odd.spv"]]),
        ("error", ["rootsig", "make", data["subobjects.yaml"]]),
        ("error", ["pdb", "info", data["odd.spv"]]),
        ("error", ["pack", data["numbers.inc"]]),
        ("error", ["link", data["odd.spv"]]),
        ("error", ["as", str(root / "no_such_file")]),
        ("error", ["diff", data["odd.spv"], str(root / "no_such_file")]),
        ("run", ["run", data["bitonic_cs_6_0.dxil"]]),
        ("test", ["test", "--coverage", f"{library}.info", data["lit.test.toml"]]),
        ("run", ["run", "--profile", "--check", data["lit_vs_5_0.dxbc"]]),
        ("run", ["run", data["quad.g.shbin"]]),
        ("run-against", ["run", "--against", data["lit_vs_4_0.dxbc"], data["lit_vs_5_0.dxbc"]]),
        ("run-against", ["run", "--against", data["control_ps_6_0_zi.dxil"], data["control_ps_5_0.dxbc"]]),
        ("run-against", ["run", "--against", data["skin.v.shbin"], data["control.v.shbin"]]),
        ("embed", ["embed", data["textured_ps_5_0.dxbc"], data["odd.spv"]]),
        ("translate", ["translate", data["textured_ps_5_0.dxbc"], data["atomics_cs_6_6.dxil"], data["bindless_ps_6_6.dxil"]]),
    ]
    with tempfile.TemporaryDirectory() as results:
        several.extend(unequal(unshade, data, results))
        several.append(("strip", ["strip", "-d", results, str(root / "tests/data/dxbc"), str(root / "tests/data/dxil")]))
        failed = check(unshade, root, [*runs.items(), *several]) | check_cases(unshade, root) | check_suites(unshade, root) | check_scenes(unshade, root)
    failed |= check_lines(unshade, root, "scan", several_lines)
    if b"\n  index " in subprocess.run([unshade, "help"], capture_output=True, check=True).stdout:
        with tempfile.TemporaryDirectory() as folder:
            database = str(pathlib.Path(folder) / "x.udb")
            failed |= check(unshade, root, [("index", ["index", "-o", database, *several_lines[3:]]), ("index-stats", ["index", "--stats", database])])
            merged = str(pathlib.Path(folder) / "merged.udb")
            failed |= check(unshade, root, [("index-check", ["index", "--check", database]), ("index-merge", ["index", "--merge", "-o", merged, database])])
            failed |= check_lines(unshade, root, "search", ["search", database])
            failed |= check_lines(unshade, root, "search", ["search", database, "--regex", "mul", "-C", "2"])
            failed |= check_lines(unshade, root, "search", ["search", database, "--like", str(root / "tests/data/dxbc/lit_vs_4_0.dxbc")])
    for schema in (root / "docs/reference/json").glob("*.schema.json"):
        printed = subprocess.run([unshade, "schema", schema.name.removesuffix(".schema.json")], capture_output=True, check=False).stdout
        if printed != schema.read_bytes():
            failed = True
            print(f"schema {schema.name}: the command prints another")
    documents = jsonschema.Draft202012Validator(json.loads((root / "docs/reference/json/document.schema.json").read_text()))
    with tempfile.TemporaryDirectory() as built:
        for effect in sorted((root / "tests/data/effects").glob("*.yaml")):
            files.append(f"{built}/{effect.stem}.fxo")
            subprocess.run([unshade, "build", str(effect), "-o", files[-1]], check=True)
        for file in files:
            result = subprocess.run([unshade, "dump", "--format", "json", file], capture_output=True, check=True)
            document = json.loads(result.stdout)
            for fault in list(documents.iter_errors(document))[:3]:
                failed = True
                print(f"document of {file}: {fault.json_path}: {fault.message[:300]}")
            if accepts_misspelled(documents, document):
                failed = True
                print(f"document of {file}: a misspelled member is not refused")
    for made in (module.name, signature.name, library, f"{library}.info"):
        pathlib.Path(made).unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

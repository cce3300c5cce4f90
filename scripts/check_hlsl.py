#!/usr/bin/env python3
"""Compiles what `unshade reflect --hlsl` writes: check_hlsl.py UNSHADE [CORPUS].

Every distinct text of the shaders below CORPUS/dxbc (else UNSHADE_CORPUS, else ../shared/corpus beside the checkout) goes through
glslangValidator, with an entry point that reads from each constant buffer, so that the offsets the compiler gives to the buffer's variables can
be compared with those of the file. SPIR-V below CORPUS/spirv is compiled as well, without that comparison. Words that this compiler does not know are replaced (rasterizer ordered views) or counted as not
checked (interfaces, SV_StencilRef).

Prints what is refused or differs, then the figures. Exits 0 when nothing does, 1 when something does, 77 (skipped) without corpus or compiler.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import corpus

UNKNOWN_TO_GLSLANG = re.compile(r"^interface |SV_StencilRef", re.MULTILINE | re.IGNORECASE)


def reading(types, name, index):
    """An expression that reads a number from a variable, or None."""
    kind = types[index]
    if not re.fullmatch(r"\w+(\.\w+|\[0\])*", name):
        return None
    name += "[0]" if kind["elements"] else ""
    if kind["class"] == "struct":
        member = kind["members"][0] if kind["members"] else None
        return reading(types, f"{name}.{member['name']}", member["type"]) if member else None
    suffix = {"scalar": "", "vector": ".x", "matrix_rows": "[0][0]", "matrix_columns": "[0][0]"}.get(kind["class"])
    return None if suffix is None else name + suffix


def compiled(glslang, text, folder):
    source = pathlib.Path(folder) / "text.hlsl"
    source.write_text(text, encoding="utf-8")
    command = [glslang, "-D", "-e", "main", "-S", "frag", "--target-env", "vulkan1.1", "-V", "-H", "--auto-map-locations", "--auto-map-bindings",
               "--hlsl-offsets", "-o", str(pathlib.Path(folder) / "text.spv"), str(source)]
    result = subprocess.run(command, capture_output=True, check=False)
    return result.returncode == 0, result.stdout.decode("utf-8", "replace")


def offsets(dump):
    """Offsets of the members of blocks, by their names."""
    names = {(m[1], m[2]): m[3] for m in re.finditer(r'MemberName (\d+)(?:\([^)]*\))? (\d+)  "([^"]*)"', dump)}
    blocks = set(re.findall(r"Decorate (\d+)(?:\([^)]*\))? Block", dump))
    found = re.finditer(r"MemberDecorate (\d+)(?:\([^)]*\))? (\d+) Offset (\d+)", dump)
    return {names[m[1], m[2]]: int(m[3]) for m in found if m[1] in blocks and (m[1], m[2]) in names}


def main():
    unshade = sys.argv[1]
    place = corpus.folder(*sys.argv[2:3])
    glslang = os.environ.get("GLSLANG") or shutil.which("glslangValidator")
    files = corpus.files(".dxbc", [place / "dxbc"])
    if not files or not glslang:
        return corpus.skip(f"nothing below {place}" if not files else "no glslangValidator (package glslang-tools)")
    distinct = {}
    batch = 200
    for start in range(0, len(files), batch):
        result = subprocess.run([unshade, "reflect", "--json", "--hlsl", *map(str, files[start:start + batch])], capture_output=True, check=False)
        for file in json.loads(result.stdout)["files"]:
            distinct.setdefault(file["hlsl"].split("\n", 1)[1], file)
    accepted = refused = unchecked = same = different = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in distinct.values():
            text = file["hlsl"].replace("RasterizerOrdered", "RW")
            if UNKNOWN_TO_GLSLANG.search(text):
                unchecked += 1
                continue
            blocks = [b for b in file["buffers"] if b["kind"] == "cbuffer" and b["variables"] and f"cbuffer {b['name']} " in text]
            reads = [reading(file["types"], b["variables"][0]["name"], b["variables"][0]["type"]) for b in blocks]
            body = " ".join(f"r.x += (float)({read});" for read in reads if read)
            passed, dump = compiled(glslang, f"{text}\nfloat4 main() : SV_Target {{ float4 r = 0; {body} return r; }}\n", folder)
            if not passed:
                refused += 1
                errors = [line for line in dump.split("\n") if "ERROR" in line]
                print(f"{file['file']}: {errors[0] if errors else dump[-200:]}")
                continue
            accepted += 1
            given = offsets(dump)
            for block, read in zip(blocks, reads):
                for variable in block["variables"] if read else []:
                    if given.get(variable["name"]) == variable["offset"]:
                        same += 1
                    elif variable["size"]:
                        different += 1
                        print(f"{file['file']}: {block['name']}/{variable['name']} lies at {variable['offset']}, compiled at {given.get(variable['name'])}")
    modules = corpus.files(".spv", [place / "spirv"])
    passed_modules = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in modules:
            text = subprocess.run([unshade, "reflect", "--hlsl", str(path)], capture_output=True, text=True, check=False).stdout
            passed, dump = compiled(glslang, f"{text}\nfloat4 main() : SV_Target {{ return 0; }}\n", folder)
            passed_modules += passed
            if not passed or "of no known kind" in text:
                refused += not passed
                print(f"{path}: {[line for line in dump.split(chr(10)) if 'ERROR' in line][:1] or 'a resource of no known kind'}")
    print(f"{passed_modules} of {len(modules)} SPIR-V modules accepted")
    print(f"{len(distinct)} texts of {len(files)} files: {accepted} accepted, {refused} refused, {unchecked} not checked; "
          f"{same} offsets of variables the same, {different} different")
    return 1 if refused or different else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Whether file(1) and the shared MIME database know shaders by packaging/magic and packaging/mime: file_types_test.py SOURCE [CORPUS]

Of the samples, and of a corpus (UNSHADE_CORPUS, or ../shared/corpus beside the checkout) where there is one. What unshade says of a file is what its first
bytes say: nothing else may get these types. Exit 77: file is not installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

NAMESPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"
# Of the first bytes, and the dword at 20 of DXBC.
KNOWN = ((b"DXBC", "application/x-dxcontainer"), (b"DVLB", "application/x-shbin"), (b"VBC\1", "application/x-vbc"), (b"\3\2\x23\7", "application/spirv"),
         (b"\7\x23\2\3", "application/spirv"))
# file(1) has an entry of its own for SPIR-V, without a type.
OF_MAGIC = {kind for _, kind in KNOWN} - {"application/spirv"}


def expected(head):
    for magic, kind in KNOWN:
        if head.startswith(magic) and (magic != b"DXBC" or head[20:24] == b"\1\0\0\0"):
            return kind
    return None


def matches(rule, head):
    """A <match> of the database: its own bytes, and one of those inside, if there are any."""
    value, kind = rule.get("value"), rule.get("type")
    wanted = value.encode("latin-1").decode("unicode_escape").encode("latin-1") if kind == "string" else int(value, 0).to_bytes(4, kind.removesuffix("32"))
    inner = list(rule)
    at = int(rule.get("offset"))
    return head[at : at + len(wanted)] == wanted and (not inner or any(matches(one, head) for one in inner))


def by_database(path_of_xml):
    """A function from first bytes to the types whose rules match."""
    types = xml.etree.ElementTree.parse(path_of_xml).getroot().findall(f"{NAMESPACE}mime-type")
    rules = [(one.get("type"), list(one.find(f"{NAMESPACE}magic"))) for one in types]
    # The byte orders that Python calls little and big.
    for _, some in rules:
        for rule in (inner for one in some for inner in one.iter()):
            assert rule.get("type") in ("string", "little32", "big32"), rule.attrib
    return lambda head: {kind for kind, some in rules if any(matches(rule, head) for rule in some)}


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("UNSHADE_CORPUS", source.parent / "shared/corpus"))
    if shutil.which("file") is None:
        print("file is not installed: skipped")
        return 77
    paths = [path for folder in (source / "tests/data", corpus) if folder.is_dir() for path in sorted(folder.rglob("*")) if path.is_file()]
    find = by_database(source / "packaging/mime/unshade.xml")
    faults, counts = [], {}
    listed = subprocess.run(["file", "-m", source / "packaging/magic/unshade", "--mime-type", "-N", "-F", "\t", "-f", "-"], input="\n".join(map(str, paths)),
                            stdout=subprocess.PIPE, text=True, check=True).stdout.rstrip("\n").split("\n")
    for path, line in zip(paths, listed, strict=True):
        head = path.open("rb").read(24)
        kind = expected(head)
        said = line.rsplit("\t", 1)[1].strip()
        if (said if said in OF_MAGIC else None) != (kind if kind in OF_MAGIC else None):
            faults.append(f"file says {said} of {path}")
        if find(head) != ({kind} if kind else set()):
            faults.append(f"the MIME database has {find(head)} for {path}")
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
    if set(counts) != {kind for _, kind in KNOWN}:
        faults.append(f"no sample for some of the types: {counts}")
    # A line with its facts.
    text = subprocess.run(["file", "-m", source / "packaging/magic/unshade", "-b", source / "tests/data/dxil/rootsig_only.dxil"], capture_output=True, text=True, check=True).stdout
    if text != "DirectX shader container, version 1, 328 bytes, 1 parts, root signature\n":
        faults.append(f"file says: {text}")
    if shutil.which("update-mime-database"):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(f"{folder}/packages")
            shutil.copy(source / "packaging/mime/unshade.xml", f"{folder}/packages")
            done = subprocess.run(["update-mime-database", folder], env={**os.environ, "XDG_DATA_DIRS": os.path.dirname(folder)}, capture_output=True, text=True, check=False)
            made = pathlib.Path(folder, "globs2").read_text() if done.returncode == 0 else ""
            if "application/x-dxcontainer:*.cso" not in made:
                faults.append(f"update-mime-database: {done.stderr}")
    print("\n".join(faults[:20]))
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(counts.items())), f"of {len(paths)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Makes recipes of package managers for a release: recipes.py FOLDER --url URL --homepage URL --publisher NAME [-o DIR]

FOLDER has what the release page at URL holds: unshade-VERSION-windows-x86_64.zip for winget and Scoop, unshade-VERSION-source.tar.gz (or .tar.xz)
for Homebrew. Versions, checksums and the place of the command are taken from these files. The recipes are made from packaging/winget, scoop and
homebrew, and go to DIR (default: FOLDER/recipes). What has no file there has no recipe, which is said on standard error. Exits with 1 if there is
none at all.
"""
import argparse
import hashlib
import pathlib
import re
import string
import sys
import zipfile

PACKAGING = pathlib.Path(__file__).resolve().parent
RECIPES = {
    "windows": ["winget/unshade.yaml", "winget/unshade.installer.yaml", "winget/unshade.locale.en-US.yaml", "scoop/unshade.json"],
    "source": ["homebrew/unshade.rb"],
}
FILES = {"windows": r"unshade-([0-9][0-9a-z.+~-]*)-windows-x86_64\.zip", "source": r"unshade-([0-9][0-9a-z.+~-]*)-source\.tar\.(?:gz|xz)"}


class Fault(Exception):
    pass


def values_of(kind, file):
    """What recipes say of a file."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    values = {f"{kind}_file": file.name, f"{kind}_sha256": digest, f"{kind}_sha256_capital": digest.upper()}
    if kind == "windows":
        with zipfile.ZipFile(file) as archive:
            commands = [name for name in archive.namelist() if pathlib.PurePosixPath(name).name == "unshade.exe"]
            tops = {name.split("/")[0] for name in archive.namelist()}
        if len(commands) != 1 or len(tops) != 1 or "/" not in commands[0]:
            raise Fault(f"{file.name}: expected one folder with one unshade.exe, found {', '.join(commands) or 'none'} in {', '.join(sorted(tops))}")
        folder, inner = commands[0].split("/", 1)
        values |= {"windows_folder": folder, "windows_command": commands[0].replace("/", "\\"), "windows_command_in_folder": inner}
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--url", required=True)
    parser.add_argument("--homepage", required=True)
    parser.add_argument("--publisher", required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    args = parser.parse_args()
    if not re.fullmatch(r"[A-Za-z0-9]+", args.publisher):
        raise Fault(f"--publisher: expected letters and digits, found {args.publisher}")
    for option in ("url", "homepage"):
        if not re.fullmatch(r"https://[\w.:/~+-]+", getattr(args, option)):
            raise Fault(f"--{option}: expected an address that begins with https://, found {getattr(args, option)}")
    values = {"url": args.url.rstrip("/"), "homepage": args.homepage, "publisher": args.publisher}
    made = []
    for kind, pattern in FILES.items():
        found = [(match[1], file) for file in sorted(args.folder.iterdir()) if (match := re.fullmatch(pattern, file.name))]
        if not found:
            print(f"no file {pattern} in {args.folder}: no {', '.join(RECIPES[kind])}", file=sys.stderr)
            continue
        if len(found) > 1:
            raise Fault(f"several files of a kind: {', '.join(file.name for _, file in found)}")
        version, file = found[0]
        if values.setdefault("version", version) != version:
            raise Fault(f"files of different versions: {values['version']} and {version}")
        values |= values_of(kind, file)
        made += RECIPES[kind]
    if not made:
        raise Fault("no recipe was made")
    output = args.output or args.folder / "recipes"
    for recipe in made:
        text = string.Template((PACKAGING / f"{recipe}.in").read_text(encoding="utf-8")).substitute(values)
        path = output / recipe
        if path.parts[-2] == "winget":
            path = path.with_name(f"{args.publisher}.{path.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Fault, OSError, zipfile.BadZipFile) as fault:
        print(f"recipes.py: {fault}", file=sys.stderr)
        sys.exit(1)

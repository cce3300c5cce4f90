#!/usr/bin/env python3
"""Recipes of package managers for a made-up release: release_recipes_test.py SOURCE

No package manager is needed, nor run: texts are read as YAML and JSON, and have the keys that each format requires.
src: learn.microsoft.com, "Create your package manifest" (1.6.0); ScoopInstaller/Scoop, schema.json
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import yaml

WINGET = {
    "version": {"PackageIdentifier", "PackageVersion", "DefaultLocale", "ManifestType", "ManifestVersion"},
    "installer": {"PackageIdentifier", "PackageVersion", "Installers", "ManifestType", "ManifestVersion"},
    "defaultLocale": {"PackageIdentifier", "PackageVersion", "PackageLocale", "Publisher", "PackageName", "License", "ShortDescription", "ManifestType",
                      "ManifestVersion"},
}
SCOOP = {"version", "homepage", "license"}


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    faults = []

    def expect(holds, what):
        if not holds:
            faults.append(what)

    def run(folder, *more):
        return subprocess.run([sys.executable, source / "packaging/recipes.py", folder, "--url", "https://example.org/files/1.2.3/", "--homepage",
                               "https://example.org", "--publisher", "Someone", *more], capture_output=True, text=True, check=False)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        expect(run(folder).returncode == 1, "an empty folder makes recipes")
        with zipfile.ZipFile(folder / "unshade-1.2.3-windows-x86_64.zip", "w") as archive:
            archive.writestr("unshade-1.2.3-windows-x86_64/bin/unshade.exe", "MZ")
            archive.writestr("unshade-1.2.3-windows-x86_64/LICENSE", "MIT")
        (folder / "unshade-1.2.3-source.tar.xz").write_bytes(b"source")
        done = run(folder)
        expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
        made = {pathlib.Path(line).relative_to(folder / "recipes").as_posix(): pathlib.Path(line).read_text(encoding="utf-8") for line in done.stdout.split("\n") if line}
        expect(sorted(made) == ["homebrew/unshade.rb", "scoop/unshade.json", "winget/Someone.unshade.installer.yaml", "winget/Someone.unshade.locale.en-US.yaml",
                                "winget/Someone.unshade.yaml"], f"made {sorted(made)}")
        digest = hashlib.sha256((folder / "unshade-1.2.3-windows-x86_64.zip").read_bytes()).hexdigest()

        for path, text in made.items():
            expect("$" not in text.replace("$schema", ""), f"{path}: a value is missing")
            if not path.startswith("winget/"):
                continue
            manifest = yaml.safe_load(text)
            expect(WINGET[manifest["ManifestType"]] <= set(manifest), f"{path}: lacks {WINGET[manifest['ManifestType']] - set(manifest)}")
            expect((manifest["PackageIdentifier"], manifest["PackageVersion"], manifest["ManifestVersion"]) == ("Someone.unshade", "1.2.3", "1.6.0"), f"{path}: names")
            expect(f"winget-manifest.{manifest['ManifestType']}.1.6.0.schema.json" in text.split("\n")[0], f"{path}: another schema")
            if manifest["ManifestType"] == "installer":
                expect(manifest["NestedInstallerFiles"] == [{"RelativeFilePath": "unshade-1.2.3-windows-x86_64\\bin\\unshade.exe", "PortableCommandAlias": "unshade"}],
                       f"{path}: the command")
                expect(manifest["Installers"] == [{"Architecture": "x64", "InstallerUrl": "https://example.org/files/1.2.3/unshade-1.2.3-windows-x86_64.zip",
                                                   "InstallerSha256": digest.upper()}], f"{path}: the file")

        scoop = json.loads(made["scoop/unshade.json"])
        expect(SCOOP <= set(scoop) and scoop["version"] == "1.2.3" and scoop["bin"] == "bin/unshade.exe", "scoop: keys")
        expect(scoop["architecture"]["64bit"] == {"url": "https://example.org/files/1.2.3/unshade-1.2.3-windows-x86_64.zip", "hash": digest,
                                                  "extract_dir": "unshade-1.2.3-windows-x86_64"}, "scoop: the file")

        formula = made["homebrew/unshade.rb"]
        expect(hashlib.sha256(b"source").hexdigest() in formula and "files/1.2.3/unshade-1.2.3-source.tar.xz" in formula, "homebrew: the file")
        opened = len(re.findall(r"^\s*(?:class|def|test do)\b", formula, re.M))
        expect(opened == len(re.findall(r"^\s*end$", formula, re.M)), "homebrew: an end is missing")
        options = set(re.findall(r"-D(UNSHADE_\w+)", formula))
        cmake = "\n".join(path.read_text() for path in [source / "CMakeLists.txt", *source.glob("cmake/*.cmake")])
        expect(options <= set(re.findall(r"option\((UNSHADE_\w+)", cmake)), f"homebrew: no options {options}")
        named = set(re.findall(r'(?:depends_on|uses_from_macos) "([\w-]+)"', formula)) - {"cmake", "pkgconf"}
        port = json.loads((source / "packaging/vcpkg/unshade/vcpkg.json").read_text())
        ports = {one if isinstance(one, str) else one["name"] for one in port["dependencies"] + port["features"]["tools"]["dependencies"]}
        same = {"liblzma": "xz", "sqlite3": "sqlite"}
        ports = {same.get(one, one) for one in ports} - {"pkgconf", "vcpkg-cmake", "vcpkg-cmake-config"}
        expect(named == ports, f"homebrew: {named ^ ports} are not those of vcpkg")

        (folder / "unshade-1.2.4-source.tar.gz").write_bytes(b"other")
        expect(run(folder).returncode == 1, "two sources are taken")
        (folder / "unshade-1.2.3-source.tar.xz").unlink()
        expect("different versions" in run(folder).stderr, "two versions are taken")
        expect(run(folder, "--publisher", "a: b").returncode == 1, "any publisher is taken")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

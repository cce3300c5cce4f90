#!/usr/bin/env python3
"""Whether the recipes of packaging/ fit the project: recipes_test.py SOURCE. Neither vcpkg nor Conan is needed, nor run.

The version is CMake's, options exist, what a recipe copies is there, and the packages of vcpkg are those that CMake looks for.
"""
import ast
import json
import pathlib
import re
import sys


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    cmake = "\n".join(path.read_text() for path in [source / "CMakeLists.txt", *source.glob("cmake/*.cmake"), source / "src/cli/CMakeLists.txt"])
    version = re.search(r"project\(unshade VERSION (\S+)", cmake)[1]
    options = set(re.findall(r"option\((UNSHADE_\w+)", cmake))
    faults = []

    port = json.loads((source / "packaging/vcpkg/unshade/vcpkg.json").read_text())
    if port["version-semver"] != version:
        faults.append(f"vcpkg.json has version {port['version-semver']}, CMake {version}")
    portfile = (source / "packaging/vcpkg/unshade/portfile.cmake").read_text()
    if portfile.count("(") != portfile.count(")"):
        faults.append("portfile.cmake: parentheses do not match")
    named = set(re.findall(r"UNSHADE_\w+", portfile))
    tools = {one if isinstance(one, str) else one["name"] for one in port["features"]["tools"]["dependencies"]}
    for package, sign in {"cli11": "CLI11", "libyaml": "yaml.h", "libpng": "PNG", "tomlplusplus": "toml++", "zlib": "ZLIB", "libarchive": "archive.h", "pcre2": "pcre2.h", "sqlite3": "sqlite3.h"}.items():
        if package not in tools or sign not in cmake:
            faults.append(f"vcpkg.json: {package} does not fit src/cli/CMakeLists.txt")

    for name in ("conanfile.py", "test_package/conanfile.py"):
        ast.parse((source / "packaging/conan" / name).read_text(), name)
    recipe = (source / "packaging/conan/conanfile.py").read_text()
    named |= {f"UNSHADE_{name}" for name in re.search(r'for option in \((.*)\)', recipe)[1].replace('"', "").split(", ")}
    if 'text.split("project(unshade VERSION ", 1)' not in recipe:
        faults.append("conanfile.py has a version of its own")
    for pattern in re.search(r"for pattern in \((.*)\)", recipe)[1].replace('"', "").split(", "):
        if not list(source.glob(pattern)):
            faults.append(f"conanfile.py copies {pattern}, which is not there")
    faults += [f"no option {name}" for name in sorted(named - options)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

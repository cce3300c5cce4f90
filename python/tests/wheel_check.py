#!/usr/bin/env python3
"""Makes the wheel and uses it alone: wheel_check.py CMAKE BUILD VERSION. Exit 77: Debian's python3-build or one of what it needs is not installed."""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from support import TEXTURED

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from wheel_platform import platform_of_headers  # noqa: E402

USES = """
import sys, unshade
from unshade import _command, _library
assert _library.library._name.startswith(sys.argv[1]), _library.library._name
assert _command.command_path().startswith(sys.argv[1]), _command.command_path()
print(unshade.open(sys.argv[2]).profile, unshade.__version__)
"""


HEADERS = """
  Machine:                           {machine}
 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [{last}]
  0x0060:   Name: GLIBC_2.4  Flags: none  Version: 8
  0x0070:   Name: GLIBC_2.34  Flags: none  Version: 7
  0x0080:   Name: GLIBC_2.2.5  Flags: none  Version: 6
"""
PLATFORMS = [
    ("Advanced Micro Devices X86-64", "ld-linux-x86-64.so.2", "manylinux_2_34_x86_64"),
    ("AArch64", "ld-linux-aarch64.so.1", "manylinux_2_34_aarch64"),
    ("Advanced Micro Devices X86-64", "libstdc++.so.6", "linux_x86_64"),
]


def main():
    for machine, last, platform in PLATFORMS:
        if (found := platform_of_headers(HEADERS.format(machine=machine, last=last))) != platform:
            print(f"{machine}, {last}: {found}")
            return 1
    cmake, build, version = sys.argv[1:]
    for module in ("build", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            print(f"python3-{module} is not installed: skipped")
            return 77
    done = subprocess.run([cmake, "--build", build, "--target", "python_wheel"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout)
        return 1
    (wheel,) = pathlib.Path(build, "wheel").glob("*.whl")
    if not re.fullmatch(rf"unshade-{re.escape(version)}-py3-none-(many)?linux_(\d+_\d+_)?{os.uname().machine}\.whl", wheel.name):
        print("the wheel has another name:", wheel.name)
        return 1
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNSHADE")}
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as file:
            names = file.namelist()
            for member in file.infolist():
                # As pip does, which zipfile does not: the permissions.
                path = file.extract(member, folder)
                os.chmod(path, (member.external_attr >> 16) & 0o777 or 0o644)
        for name in ("unshade/py.typed", "unshade/libunshade.so", "unshade/bin/unshade", "unshade/_c.py", "unshade/json_types.py"):
            if name not in names:
                print("the wheel lacks", name)
                return 1
        (entries,) = (pathlib.Path(folder) / name for name in names if name.endswith("/entry_points.txt"))
        if "unshade = unshade._command:main" not in entries.read_text():
            print("the wheel has no entry point")
            return 1
        environment["PYTHONPATH"] = folder
        printed = subprocess.run([sys.executable, "-c", USES, folder, TEXTURED], env=environment, capture_output=True, text=True, check=True).stdout
        if printed != f"ps_5_0 {version}\n":
            print("used alone, it prints:", printed)
            return 1
        for words in (["-m", "unshade"], ["-c", "from unshade._command import main; main()"]):
            printed = subprocess.run([sys.executable, *words, "version"], env=environment, capture_output=True, text=True, check=True).stdout
            if version not in printed:
                print(f"{words}: the command prints:", printed)
                return 1
    print(f"{wheel.name}: {wheel.stat().st_size >> 20} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

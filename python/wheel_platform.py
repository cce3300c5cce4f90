"""On which systems the wheel runs, by what its library asks for: wheel_platform.py FOLDER prints the platform of its tag.

src: PEP 600: manylinux_X_Y_ARCH is a system whose glibc is at least X.Y, and only libraries of glibc may be asked for; linux_ARCH is this system.
"""
import pathlib
import re
import subprocess
import sys

# Parts of glibc; the loader has the processor's name in its own.
GLIBC = re.compile(r"(libc|libm|libdl|librt|libpthread)\.so\.\d+|ld-linux-[a-z0-9_-]+\.so\.\d+")
MACHINES = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}


def platform_of_headers(text):
    """The platform by what `readelf --file-header --dynamic --version-info --wide` prints of a library."""
    machine = MACHINES[re.search(r"^ *Machine: *(.*)$", text, re.MULTILINE).group(1)]
    if any(not GLIBC.fullmatch(name) for name in re.findall(r"\(NEEDED\).*\[(.*)\]", text)):
        return f"linux_{machine}"
    versions = [tuple(map(int, version.split("."))) for version in re.findall(r"Name: GLIBC_([0-9.]+)", text)]
    major, minor = max(versions)[:2]
    return f"manylinux_{major}_{minor}_{machine}"


def platform_of(folder):
    if (folder / "unshade.dll").exists():
        return "win_amd64"
    words = ["readelf", "--file-header", "--dynamic", "--version-info", "--wide", str(folder / "libunshade.so")]
    return platform_of_headers(subprocess.run(words, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    print(platform_of(pathlib.Path(sys.argv[1])))

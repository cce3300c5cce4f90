#!/usr/bin/env python3
"""Packs a build as an archive for those who download it: archive.py BUILD NAME [--output FOLDER] [--docs FOLDER]... [--strip PROGRAM] [--preset N]

BUILD    a build folder
NAME     of the archive, which is NAME.tar.xz, and of the folder inside: unshade-VERSION-linux-aarch64. Of a build for Windows there are two, as the
         command and the library each hold all of unshade there: NAME.zip, and NAME-library.zip with the library
--output where the archive goes (default: BUILD)
--docs   where licences of what is linked are looked for, as Debian has them: FOLDER/PACKAGE/copyright; the first that has one
--strip  what removes symbols (default: strip)
--preset how much is tried to make it small, as for xz: 0 to 9 (default: 9)

An archive has what the components `command` and `runtime` install, the C header, for Windows the import library, and the licences. It depends on nothing but
what it holds: owners, times and the order are fixed, so that the same build gives the same bytes. Times are SOURCE_DATE_EPOCH, or that of the last commit.
"""
import argparse
import datetime
import io
import lzma
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
# What the command is linked with statically, by the names of Debian's packages.
LINKED = ["libarchive-dev", "libbz2-1.0", "libc6", "libcli11-dev", "libgcc-s1", "liblz4-dev", "liblzma-dev", "libpcre2-dev", "libpng-dev", "libspirv-cross-c-shared-dev",
          "libsqlite3-dev", "libstdc++6", "libtomlplusplus-dev", "libxxhash-dev", "libyaml-dev", "libzstd-dev", "nettle-dev", "spirv-tools", "zlib1g-dev"]
# For Windows; the licences of libraries that were compiled with the rest are in a file that CMake has made.
LINKED_FOR_WINDOWS = ["gcc-mingw-w64-base", "libcli11-dev", "libtomlplusplus-dev", "libxxhash-dev", "mingw-w64-x86-64-dev"]
# To which these refer.
COMMON = pathlib.Path("/usr/share/common-licenses")
REFERRED = ["Apache-2.0", "Artistic", "GFDL-1.2", "GFDL-1.3", "GPL-1", "GPL-2", "GPL-3", "LGPL-2", "LGPL-2.1", "LGPL-3"]


def run(*words):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{words[0]} failed:\n{done.stdout[-2000:]}")
    return done.stdout


def date():
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(epoch)
    done = subprocess.run(["git", "-C", SOURCE, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
    return int(done.stdout) if done.returncode == 0 else 0


def add_licences(linked, docs, folder):
    """Copies the licences; says which are missing, as an archive must not lack one."""
    folder.mkdir(parents=True)
    missing, texts = [], ""
    for package in linked:
        found = next((file for place in docs if (file := place / package / "copyright").exists()), None)
        if found is None:
            missing.append(package)
            continue
        text = found.read_text(encoding="utf-8")
        (folder / package).write_text(text, encoding="utf-8")
        texts += text
    for name in REFERRED:
        if f"{COMMON}/{name}" in texts:
            if (COMMON / name).exists():
                (folder / name).write_bytes((COMMON / name).read_bytes())
            else:
                missing.append(name)
    return missing


def tar_of(place, name, time):
    """The bytes of a tar archive of a folder: sorted, of nobody, at one time, with rights that say only whether a file is a program."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in [place / name, *sorted((place / name).rglob("*"))]:
            entry = archive.gettarinfo(str(path), arcname=str(path.relative_to(place)))
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = time, 0, 0, "", ""
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            if entry.isfile():
                with path.open("rb") as file:
                    archive.addfile(entry, file)
            else:
                archive.addfile(entry)
    return buffer.getvalue()


def zip_of(place, name, time):
    """The bytes of a zip archive of a folder, likewise. A zip archive has no times before 1980."""
    buffer = io.BytesIO()
    stamp = datetime.datetime.fromtimestamp(max(time, 315532800), datetime.timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted((place / name).rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(place).as_posix(), stamp)
                entry.external_attr = (stat.S_IFREG | 0o644) << 16
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--docs", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--strip", default="strip")
    parser.add_argument("--preset", type=int, default=9, choices=range(10), metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        place = pathlib.Path(work)
        folder = place / options.name
        for component in ("command", "runtime"):
            run("cmake", "--install", options.build, "--prefix", folder, "--component", component)
        # Debian's packages have these of their own.
        for pattern in ("share/doc/*/changelog.gz", "share/doc/*/copyright", "share/lintian/overrides/*"):
            for path in folder.glob(pattern):
                path.unlink()
        for path in sorted(folder.rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        windows = (folder / "bin/unshade.exe").exists()
        if windows:
            programs = [folder / "bin/unshade.exe", folder / "bin/unshade.dll"]
            (folder / "lib").mkdir()
            (folder / "lib/libunshade.dll.a").write_bytes((options.build / "libunshade.dll.a").read_bytes())
        else:
            programs = [folder / "bin/unshade", *(path for path in folder.rglob("libunshade.so*") if not path.is_symlink())]
        for program in programs:
            run(options.strip, program)
        header = folder / "include/unshade/unshade.h"
        header.parent.mkdir(parents=True)
        header.write_bytes((SOURCE / "include/unshade/unshade.h").read_bytes())
        for path in folder.rglob("libunshade.so.?"):
            (path.parent / "libunshade.so").symlink_to(path.name)
        licences = folder / "share/doc/unshade/licences"
        if missing := add_licences(LINKED_FOR_WINDOWS if windows else LINKED, options.docs or [pathlib.Path("/usr/share/doc")], licences):
            sys.exit(f"no licence found of {', '.join(missing)}")
        if windows:
            (licences / "libraries").write_bytes((options.build / "LICENSE-files").read_bytes())
            library = place / (options.name + "-library")
            shutil.copytree(licences, library / licences.relative_to(folder))
            shutil.copy(licences.parent / "LICENSE", library / licences.relative_to(folder).parent)
            for name in ("bin/unshade.dll", "lib", "include"):
                (library / name).parent.mkdir(exist_ok=True)
                (folder / name).rename(library / name)
            packed = {one.name + ".zip": zip_of(place, one.name, date()) for one in (folder, library)}
        else:
            preset = options.preset | (lzma.PRESET_EXTREME if options.preset == 9 else 0)
            packed = {options.name + ".tar.xz": lzma.compress(tar_of(place, options.name, date()), preset=preset)}
        for name, data in packed.items():
            made = (options.output or options.build) / name
            made.write_bytes(data)
            print(f"{made}: {len(data):,} bytes")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Packs a build twice, and uses what the archive has: archive_test.py SOURCE BUILD STRIP DOCS [EMULATOR...]

DOCS: folders of licences, separated by `:`. Exit 77: they lack one, as where the documentation of packages is not installed.
"""
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
import zipfile

SOURCE, BUILD, STRIP, DOCS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], [place for place in sys.argv[4].split(":") if place]
EMULATOR = sys.argv[5:]
sys.path.insert(0, str(SOURCE / "packaging"))
import archive  # noqa: E402

NAME = "unshade-1.2.3-linux-test"


def pack(folder):
    words = [word for place in DOCS for word in ("--docs", place)]
    return subprocess.run([sys.executable, SOURCE / "packaging/archive.py", BUILD, NAME, "--output", folder, "--strip", STRIP, "--preset", "0", *words],
                          capture_output=True, text=True, check=False)


def debian_packages(script, variable):
    """The libraries in the first list of that name in a script."""
    words = re.search(rf"^{variable}=\(([^)]*)\)", (SOURCE / script).read_text(encoding="utf-8"), re.MULTILINE).group(1).split()
    return {word for word in words if word.endswith("-dev") or word == "spirv-tools"}


class Archive(unittest.TestCase):
    def test_has_the_same_bytes_again(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            done = pack(one)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            time.sleep(1.1)  # a time stamp of now would be another
            os.umask(0o077)
            self.assertEqual(pack(other).returncode, 0)
            file = f"{NAME}.tar.xz"
            self.assertEqual(pathlib.Path(one, file).read_bytes(), pathlib.Path(other, file).read_bytes())
            with tarfile.open(pathlib.Path(one, file)) as packed:
                self.assertEqual({(entry.uid, entry.gid, entry.uname) for entry in packed}, {(0, 0, "")})
                names = packed.getnames()
                packed.extractall(other)
            for name in ("bin/unshade", "include/unshade/unshade.h", "lib/libunshade.so", "share/man/man1/unshade.1.gz", "share/bash-completion/completions/unshade",
                         "share/doc/unshade/LICENSE", "share/doc/unshade/licences/zlib1g-dev", "share/doc/unshade/licences/libc6"):
                self.assertIn(f"{NAME}/{name}", names)
            self.assertTrue(pathlib.Path(other, NAME, "lib/libunshade.so").exists(), "the link leads nowhere")
            done = subprocess.run([*EMULATOR, pathlib.Path(other, NAME, "bin/unshade"), "dis", SOURCE / "tests/data/dxbc/textured_ps_5_0.dxbc"], capture_output=True,
                                  text=True, check=True)
            self.assertIn("\nps_5_0\n", done.stdout)

    def test_zip_has_the_same_bytes_again(self):
        made = []
        for mode in (0o644, 0o600):
            with tempfile.TemporaryDirectory() as work:
                (pathlib.Path(work) / "a/bin").mkdir(parents=True)
                for name in ("bin/unshade.exe", "LICENSE"):
                    path = pathlib.Path(work) / "a" / name
                    path.write_text(name, encoding="utf-8")
                    path.chmod(mode)
                    os.utime(path, (mode * 1000000, mode * 1000000))
                made.append(archive.zip_of(pathlib.Path(work), "a", 1700000000))
        self.assertEqual(*made)
        with zipfile.ZipFile(io.BytesIO(made[0])) as packed:
            self.assertEqual(packed.namelist(), ["a/LICENSE", "a/bin/unshade.exe"])
            self.assertEqual(packed.read("a/LICENSE"), b"LICENSE")
            self.assertEqual(packed.infolist()[0].date_time, (2023, 11, 14, 22, 13, 20))

    def test_has_the_licence_of_each_library(self):
        linked = debian_packages("scripts/bootstrap.sh", "packages")
        self.assertEqual(linked - set(archive.LINKED), {"libbz2-dev"})  # libbz2-1.0 has its licence

    def test_64_bit_arm_has_the_same_libraries(self):
        self.assertEqual(debian_packages("scripts/bootstrap.sh", "packages") - debian_packages("scripts/arm64.sh", "libraries"), set())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tried:
        outcome = pack(tried)
        if "no licence found" in outcome.stderr:
            print(f"skipped: {outcome.stderr.strip()}")
            sys.exit(77)
    unittest.main(argv=sys.argv[:1])

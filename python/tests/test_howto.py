"""The examples of docs/howto/python.md."""
import doctest
import os
import shutil
import tempfile
import unittest

from support import DATA, LIT, SOURCE, TEXTURED


class Howto(unittest.TestCase):
    def test_each_example_is_true(self):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            scene = [SOURCE / "examples/scenes" / name for name in ("triangle.toml", "color.vs.asm", "color.ps.asm")]
            for path in (TEXTURED, LIT, DATA / "archives/members.7z", *scene):
                shutil.copy(path, folder)
            os.chdir(folder)
            try:
                failed, attempted = doctest.testfile(str(SOURCE / "docs/howto/python.md"), module_relative=False, encoding="utf-8", verbose=False)
            finally:
                os.chdir(before)
        self.assertGreater(attempted, 40)
        self.assertEqual(failed, 0)

"""The made modules: whether they have all of the header, and answers fit their types."""
import ctypes
import re
import subprocess
import sys
import tempfile
import pathlib
import typing
import unittest

from unshade import _c, json_types
import unshade
from support import EACH, SOURCE, TEXTURED

TOOLS = SOURCE / "python/tools"


class Interface(unittest.TestCase):
    def test_has_every_function(self):
        header = (SOURCE / "include/unshade/unshade.h").read_text()
        declared = set(re.findall(r"^UNSHADE_API.*?(unshade_\w+)\(", header, flags=re.M))
        self.assertEqual({name for name in vars(_c) if name.startswith("unshade_")}, declared)

    def test_structs_have_the_sizes_of_the_library(self):
        # The library fills a struct only if it is as large as its own at least.
        shader = unshade.open(TEXTURED)
        summary = _c.Summary(struct_size=ctypes.sizeof(_c.Summary))
        self.assertEqual(_c.unshade_summarize(shader._handle.value, ctypes.byref(summary)), _c.UNSHADE_OK)
        self.assertEqual(summary.struct_size, ctypes.sizeof(_c.Summary))
        summary.struct_size = 8
        self.assertEqual(_c.unshade_summarize(shader._handle.value, ctypes.byref(summary)), _c.UNSHADE_INVALID_ARGUMENT)

    def test_does_not_pass_over_what_it_does_not_understand(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "header.h"
            for text in ("UNSHADE_API union thing unshade_odd(int a);", "union odd { int a; };", "UNSHADE_API int unshade_odd(void (*f)(int));"):
                header.write_text(text)
                done = subprocess.run([sys.executable, TOOLS / "interface.py", header, f"{folder}/out.py"], capture_output=True, check=False)
                self.assertNotEqual(done.returncode, 0, text)


class JsonTypes(unittest.TestCase):
    def fits(self, value, kind, path=""):
        """Whether a value is what an annotation says; for what json_types.py uses."""
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if kind is typing.Any:
            return
        if isinstance(kind, str) or isinstance(kind, typing.ForwardRef):
            name = kind if isinstance(kind, str) else kind.__forward_arg__
            self.fits(value, eval(name, vars(json_types)), path)
        elif origin is typing.Union:
            for one in arguments:
                try:
                    return self.fits(value, one, path)
                except AssertionError:
                    pass
            self.fail(f"{path}: {value!r} is none of {kind}")
        elif origin is typing.Literal:
            self.assertIn(value, arguments, path)
        elif origin is list:
            self.assertIsInstance(value, list, path)
            for number, one in enumerate(value):
                self.fits(one, arguments[0], f"{path}[{number}]")
        elif origin is dict:
            self.assertIsInstance(value, dict, path)
            for key, one in value.items():
                self.fits(one, arguments[1], f"{path}/{key}")
        elif typing.is_typeddict(kind):
            self.assertIsInstance(value, dict, path)
            self.assertLessEqual(kind.__required_keys__, set(value), path)
            hints = typing.get_type_hints(kind, vars(json_types))
            for key, one in value.items():
                self.assertIn(key, hints, path)
                self.fits(one, hints[key], f"{path}/{key}")
        else:
            self.assertIsInstance(value, (int, float) if kind is float else kind, path)

    def test_answers_fit(self):
        for path in EACH:
            shader = unshade.open(path)
            for what, kind in (("info", json_types.Info), ("reflect", json_types.Reflect), ("validate", json_types.Validate), ("hash", json_types.Hash),
                               ("dump", json_types.Dump)):
                self.fits(shader.json(what), kind, what)
        self.fits(unshade.diff(unshade.open(EACH[0]), unshade.open(EACH[1])).json, json_types.Diff)
        self.fits(unshade.open(TEXTURED).document(), json_types.Document)

    def test_what_does_not_fit_is_seen(self):
        answer = unshade.open(TEXTURED).json("info")
        answer["files"][0]["size"] = "large"
        with self.assertRaises(AssertionError):
            self.fits(answer, json_types.Info)

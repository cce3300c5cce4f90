import io
import struct
import unittest
import unittest.mock
import zipfile

import unshade
from support import DATA, EACH, LIT, TEXTURED

IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


class Runs(unittest.TestCase):
    def test_a_vertex_shader(self):
        program = unshade.open(LIT).program()
        program.constant("world", [2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]).constant("viewProjection", IDENTITY)
        result = program.lanes([{"POSITION": [1, 2, 3], "NORMAL": [0, 0, 3]}, {"POSITION": [0, 0, 0], "NORMAL": [0, 0, 1]}]).run()
        self.assertEqual((result.stop, len(result)), ("finished", 2))
        self.assertEqual(result.output("SV_Position"), [3, 4, 6, 1])
        self.assertEqual(result.output("SV_Position", lane=1), [1, 0, 0, 1])
        self.assertFalse(result.discarded(0))
        with self.assertRaises(KeyError):
            result.output("COLOR7")
        self.assertEqual(len(program.lanes([{"POSITION": [0, 0, 0]}]).run()), 1)

    def test_a_compute_shader(self):
        program = unshade.open(DATA / "dxil/bitonic_cs_6_0.dxil").program()
        program.constant("level", 2).constant("levelMask", 1024).buffer("keys", struct.pack("<512I", *reversed(range(512))))
        result = program.run(1)
        self.assertEqual(result.stop, "finished")
        values = list(struct.unpack("<512I", result.resource("u0")))
        # Pairs are in order.
        self.assertEqual(values, [value for pair in range(510, -1, -2) for value in (pair, pair + 1)])
        with self.assertRaises(unshade.Error) as caught:
            result.resource("u9")
        self.assertEqual(caught.exception.code, "missing")

    def test_a_case(self):
        answer = unshade.open(LIT).run()
        self.assertEqual((answer["schema"], answer["stop"]), ("unshade.run/1", "finished"))
        self.assertEqual(len(answer["lanes"]), 4)
        with self.assertRaises(unshade.Error):
            unshade.open(LIT).run({"wave": 3})

    def test_a_case_names_its_entry_point(self):
        shader = unshade.open(DATA / "vbc/textured.vbc")
        self.assertEqual(set(shader.run({"entry": "main:pixel"})["lanes"][0]), {"colour"})
        self.assertIn("gl_Position", shader.run({})["lanes"][0])
        self.assertIn("gl_Position", shader.run({"entry": "main:pixel"}, entry="main:vertex")["lanes"][0])
        with self.assertRaises(unshade.Error) as caught:
            shader.run({"entry": "none"})
        self.assertEqual(caught.exception.code, "missing")

    def test_a_budget_stops_it(self):
        self.assertEqual(unshade.open(DATA / "dxil/bitonic_cs_6_0.dxil").program().run(1, operations=5).stop, "budget")

    def test_textures_and_samplers(self):
        program = unshade.open(TEXTURED).program()
        program.texture("albedo", 1, 1, "R32G32B32A32_FLOAT", struct.pack("<4f", 1, 0.5, 0.25, 1)).sampler("linearWrap", "point", "clamp")
        self.assertIn(program.lanes([{}, {}, {}, {}]).run().stop, ("finished", "fault"))

    def test_tells_what_does_not_fit(self):
        program = unshade.open(LIT).program()
        program.constant("nothing", 1.0)
        with self.assertRaises(unshade.Error) as caught:
            program.lanes([{"POSITION": [0, 0, 0]}]).run()
        self.assertIn("nothing", str(caught.exception))
        with self.assertRaises(ValueError):
            program.run((1, 1, 1, 1))
        with self.assertRaises(unshade.Error):
            unshade.open(EACH[3]).program("no such entry")


class Commands(unittest.TestCase):
    def test_scan_opens_archives(self):
        found = list(unshade.scan(DATA / "archives/members.7z"))
        self.assertEqual([(one.family, one.profile, one.certainty) for one in found], [("dxbc", "vs_4_0", "certain"), ("dxbc", "ps_5_0", "certain")])
        self.assertEqual([layer["form"] for layer in found[0].layers], ["7zip"])

    def test_scan_runs_in_this_process(self):
        if not unshade.finding_shaders.has_unpack():
            self.skipTest("the library was built without the component unpack")
        with unittest.mock.patch("unshade.commands.run_command", side_effect=AssertionError("the command was run")):
            self.assertEqual(len(list(unshade.scan(DATA / "archives"))), len(list(unshade.scan(*sorted((DATA / "archives").iterdir())))))
            self.assertEqual(list(unshade.scan(DATA / "archives/members.7z", certain=True, top=True)), list(unshade.scan(DATA / "archives/members.7z")))

    def test_unpack_gives_bytes_and_faults(self):
        packed = (DATA / "archives/members.7z").read_bytes()
        shaders, faults = unshade.unpack(packed)
        self.assertEqual([unshade.open(shader.data).profile for shader in shaders], ["vs_4_0", "ps_5_0"])
        self.assertEqual(faults, [])
        _, faults = unshade.unpack(packed[: len(packed) // 2])
        self.assertEqual([(fault.layers, fault.code) for fault in faults], [("", "bad-value")])

    def test_unpack_opens_a_zip_and_a_bundle_of_unity(self):
        shader = LIT.read_bytes()
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("lit.cso", shader)
        # a bundle of one block that is stored, and a file in it: src/unpack/engines/unity.cpp
        info = bytes(16) + struct.pack(">IIIH", 1, len(shader), len(shader), 0) + struct.pack(">IQQI", 1, 0, len(shader), 4) + b"CAB-lit\0"
        bundle = b"UnityFS\0" + struct.pack(">I", 6) + b"5.x.x\0" + b"2019.2.6f1\0" + struct.pack(">QIII", 0, len(info), len(info), 0x40) + info + shader
        for file, form, member in ((made.getvalue(), "zip", "lit.cso"), (bundle, "unityfs", "CAB-lit")):
            shaders, faults = unshade.unpack(file)
            self.assertEqual([(one.layers[0]["form"], one.layers[0]["member"], one.data == shader) for one in shaders], [(form, member, True)])
            self.assertEqual(faults, [])

    def test_scan_finds_what_lies_in_no_archive(self):
        found = list(unshade.scan(LIT))
        self.assertEqual([(one.file, one.offset, one.layers) for one in found], [(str(LIT), 0, [])])

    def test_scan_of_nothing_is_empty(self):
        self.assertEqual(list(unshade.scan(DATA / "README.md")), [])

    def test_commands_that_fail_tell_why(self):
        with self.assertRaises(unshade.CommandError) as caught:
            list(unshade.scan(DATA / "no_such_folder"))
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("no_such_folder", str(caught.exception))

    def test_draws_a_scene(self):
        scenes = DATA.parent.parent / "examples/scenes"
        picture = unshade.draw(scenes / "triangle.toml")
        self.assertEqual(picture.size, (128, 128))
        self.assertEqual(picture._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(picture.png, (scenes / "triangle.png").read_bytes())
        self.assertEqual(picture.json["passes"][0]["statistics"]["primitives"], 1)
        with self.assertRaises(unshade.CommandError):
            unshade.draw(DATA / "README.md")

    def test_draws_a_dict(self):
        scene = {"targets": {"picture": {"format": "R8G8B8A8_UNORM", "width": 4, "height": 4, "clear": [0, 1, 0, 1]}},
                 "pass": [{"vertex": str(DATA.parent.parent / "examples/scenes/lit.vs.asm"), "mesh": "cube", "targets": ["picture"]}]}
        self.assertEqual(unshade.draw(scene).size, (4, 4))

    def test_runs_suites(self):
        answer = unshade.test(DATA / "suites/gain.test.toml")
        self.assertEqual({test["status"] for test in answer["tests"]}, {"passed"})
        self.assertLess(len(unshade.test(DATA / "suites/gain.test.toml", only="0 more")["tests"]), len(answer["tests"]))

import array
import shutil
import sys
import tempfile
import unittest

import unshade
from support import DATA, SOURCE

SCENES = SOURCE / "examples/scenes"
TRIANGLE = {
    "targets": {"picture": {"format": "R8G8B8A8_UNORM", "width": 4, "height": 4, "clear": [0, 0, 1, 1]}},
    "pass": [{
        "vertex": "color.vs.asm", "pixel": "color.ps.asm", "targets": ["picture"], "rasterizer": {"CullMode": "NONE"},
        "mesh": {"vertices": [{"POSITION": place, "COLOR": [1, 0.5, 0]} for place in ([-1, -1, 0], [-1, 3, 0], [3, -1, 0])]},
    }],
}


class Draws(unittest.TestCase):
    def test_pixels(self):
        drawing = unshade.Scene(TRIANGLE, SCENES).draw()
        self.assertEqual(drawing.targets, [unshade.Target("picture", "R8G8B8A8_UNORM", 4, 4, 1, 1, False, True)])
        self.assertEqual(drawing.pixels(), bytes([255, 128, 0, 255]) * 16)
        self.assertEqual(drawing.pixels("picture", "stored"), drawing.pixels())
        self.assertEqual(len(array.array("f", drawing.pixels(form="float"))), 64)
        with self.assertRaises(KeyError):
            drawing.pixels("other")
        with self.assertRaises(ValueError):
            drawing.pixels(form="png")

    def test_files(self):
        scene = unshade.Scene(TRIANGLE)
        self.assertEqual(scene.missing_files, ("color.vs.asm", "color.ps.asm"))
        with self.assertRaises(unshade.Error) as caught:
            scene.draw()
        self.assertEqual((caught.exception.code, caught.exception.path), ("missing", "pass[0]/vertex"))
        for name in scene.missing_files:
            scene.set_file(name, (SCENES / name).read_bytes())
        self.assertEqual(scene.missing_files, ())
        self.assertEqual(scene.draw().pixels()[:4], bytes([255, 128, 0, 255]))

    def test_tells_what_the_command_tells(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("color.vs.asm", "color.ps.asm"):
                shutil.copy(SCENES / name, folder)
            self.assertEqual(unshade.draw(TRIANGLE, folder=folder).json, unshade.Scene(TRIANGLE, folder).draw().json())

    @unittest.skipIf(sys.version_info < (3, 11), "TOML is read from Python 3.11 on")
    def test_frames_of_a_file(self):
        scene = unshade.Scene(SCENES / "cube.toml")
        self.assertGreater(scene.frames, 1)
        self.assertFalse(scene.draw().pixels() == scene.draw(frame=1).pixels())
        with self.assertRaises(unshade.Error):
            scene.draw(frame=scene.frames)

    def test_from_a_pixel_to_its_shader(self):
        drawing = unshade.Scene(TRIANGLE, SCENES).draw()
        history = drawing.history(1, 2)
        self.assertEqual([event["fate"] for event in history], ["written"])
        trace = drawing.history(1, 2, event=1)[0]["trace"]
        session = drawing.session(1, 2, 1)
        self.assertIsNotNone(session.state["lane"])
        self.assertEqual(session.state["next"]["instruction"], trace[0]["instruction"])
        steps = 1
        while session.step():
            steps += 1
        self.assertEqual(steps, len(trace) + 1)
        self.assertIn(unshade.open(session.file).profile, "ps_5_0")
        with self.assertRaises(unshade.Error):
            print(session.result)
        with self.assertRaises(unshade.Error):
            drawing.session(1, 2, 2)

    def test_heat(self):
        heat = unshade.Scene(TRIANGLE, SCENES).draw().heat("overdraw")
        self.assertEqual(list(heat.numbers), [1] * 16)
        self.assertEqual(len(heat.colors), 64)
        self.assertEqual(heat.json["pixels"], 16)


class Steps(unittest.TestCase):
    def test_there_and_back(self):
        shader = unshade.open(DATA / "dxbc/control_ps_4_0.dxbc")
        session = shader.session()
        begin = session.state
        self.assertEqual((begin["schema"], begin["position"], begin["lane"]), ("unshade.session/1", 0, None))
        self.assertTrue(session.step(3))
        third = session.state
        self.assertTrue(any(register["changed"] for register in third["registers"]))
        self.assertTrue(session.over())
        self.assertTrue(session.run_to([third["next"]["line"]], backwards=True))
        self.assertEqual(session.state, third)
        self.assertEqual(session.stop_line(third["next"]["line"]), third["next"]["line"])
        self.assertIsNone(session.stop_line(1_000_000))
        self.assertFalse(session.step(-10))
        self.assertEqual(session.state, begin)
        self.assertFalse(session.follow(7))
        session.follow_lane(1)
        self.assertEqual(session.state["lane"], 1)
        with self.assertRaises(unshade.Error):
            session.follow_lane(128)
        self.assertFalse(session.run_to_odd())
        self.assertEqual(session.result["lanes"], shader.run()["lanes"])
        self.assertEqual(session.file, bytes(shader))
        self.assertEqual(repr(session), f"<unshade.Session: at {begin['waves'][0]['steps']} of {begin['waves'][0]['steps']} steps>")

    def test_a_case(self):
        shader = unshade.open(DATA / "dxil/bitonic_cs_6_0.dxil")
        waves = shader.session({"grid": [2]}, wave=64).state["waves"]
        self.assertEqual({tuple(wave["group"]) for wave in waves}, {(0, 0, 0), (1, 0, 0)})
        self.assertGreater(len(waves), 2)
        with self.assertRaises(unshade.Error):
            shader.session({"nothing": 1})


if __name__ == "__main__":
    unittest.main()

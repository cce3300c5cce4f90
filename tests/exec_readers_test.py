#!/usr/bin/env python3
"""Do the readers of public test suites give what their files say, and judge as they ask? exec_readers_test.py SOURCE

An engine that runs nothing keeps what it is asked for, and answers with what a case puts into its mouth.
"""
import json
import pathlib
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "scripts"))
from exec import amber, offload, set_aside, shader_test, values  # noqa: E402
from exec.engine import Unsupported  # noqa: E402


class Engine:
    def __init__(self, resources=(), pixels=None, parameters=()):
        self.resources, self.pixels, self.parameters = dict(resources), pixels or {}, list(parameters)
        self.case = self.scene = None

    def run(self, _shader, case):
        self.case = case
        return {"resources": {key: {"hex": data.hex(), "counter": 0} for key, data in self.resources.items()}}

    def draw(self, scene, pixels):
        self.scene = json.loads(json.dumps(scene))
        made = [{"target": name, "x": x, "y": y, "value": value, "hex": data.hex()} for (name, x, y), (value, data) in self.pixels.items()]
        return {"pixels": made, "resources": [], "passes": [{"statistics": {"samples_passed": 1}} for _ in pixels]}

    def root_parameters(self, _shader):
        return self.parameters


def resource(kind, **more):
    return {"class": kind, "register": 0, "dimension": "2d", "format": "r32g32-uint", "stride": 0, "levels": 1, "samples": 1, "words": [], "width": 4,
            "height": 4, **more}


def probe(kind, at, form, *wanted, ulps=0):
    return {"resource": kind, "register": 0, "at": at, "format": form, "values": list(wanted), "ulps": ulps}


def shader_case(verb, resources, expect, stages=("vertex", "pixel")):
    return {"kind": "shader_test", "source": "own", "model": "6.0", "verb": verb, "arguments": "quad" if verb == "draw" else "1 1 1", "constants": [],
            "resources": resources, "samplers": [], "layout": [], "options": [], "expect": expect,
            "binaries": [{"stage": stage, "profile": "", "entry": "main", "file": f"{stage}.dxil"} for stage in stages]}


def pixel(name, x, y, letters, *numbers):
    return {(name, x, y): (list(numbers), struct.pack("<" + letters, *numbers))}


def suite_case(buffers, resources, results=(), **more):
    return {"kind": "offload", "source": "own", "binaries": {"dxil": [{"profile": "cs_6_0", "entry": "main", "file": "a.dxil"}]},
            "pipeline": {"Shaders": [{"Stage": "Compute", "Entry": "main"}], "Buffers": buffers, "DescriptorSets": [{"Resources": resources}],
                         "Results": list(results), **more}}


class ShaderTest(unittest.TestCase):
    def check(self, document, engine):
        self.assertIsNone(shader_test.reason_to_skip(document))
        return shader_test.run(document, pathlib.Path("."), engine, "dxil")

    def test_probes_of_64_bits_take_two_components(self):
        case = shader_case("draw", [resource("rtv")], [probe("rtv", [1, 2], "rui64", "0x500000003")])
        self.assertIsNone(self.check(case, Engine(pixels=pixel("target 0", 1, 2, "II", 3, 5))))
        self.assertIn("expected 0x500000003", self.check(case, Engine(pixels=pixel("target 0", 1, 2, "II", 3, 6))))

    def test_signed_numbers_of_64_bits(self):
        case = shader_case("draw", [resource("rtv")], [probe("rtv", [0, 0], "ri64", "-2")])
        self.assertIsNone(self.check(case, Engine(pixels=pixel("target 0", 0, 0, "II", 0xfffffffe, 0xffffffff))))

    def test_doubles_have_their_own_ulps(self):
        case = shader_case("draw", [resource("rtv")], [probe("rtv", [0, 0], "rd", "1.0", ulps=2)])
        for step, same in ((2, True), (3, False)):
            low, high = struct.unpack("<II", struct.pack("<Q", 0x3ff0000000000000 + step))
            self.assertEqual(self.check(case, Engine(pixels=pixel("target 0", 0, 0, "II", low, high))) is None, same)

    def test_buffers_have_64_bits_too(self):
        case = shader_case("dispatch", [resource("uav", dimension="buffer", width=16)], [probe("uav", [1], "rd", "2.5")], ["compute"])
        self.assertIsNone(self.check(case, Engine({"u0": struct.pack("<dd", 0, 2.5)})))
        self.assertIn("expected 2.5", self.check(case, Engine({"u0": struct.pack("<dd", 0, 2.75)})))

    def test_depth_buffers_are_drawn_into(self):
        depth = resource("dsv", format="r32-float", clear=[0.25, 0, 0, 0])
        case = shader_case("draw", [resource("rtv"), depth], [probe("dsv", [0, 0], "r", "0.5"), probe("dsv", [3, 3], "r", "0.25")])
        engine = Engine(pixels=pixel("depth", 0, 0, "f", 0.5))
        self.assertIsNone(self.check(case, engine))
        self.assertEqual(engine.scene["targets"]["depth"], {"format": "D32_FLOAT", "width": 4, "height": 4, "samples": 1, "clear": 0.25})
        self.assertEqual((engine.scene["pass"][0]["targets"], engine.scene["pass"][0]["depth_target"]), (["target 0"], "depth"))
        self.assertIn("expected 0.5", self.check(case, Engine(pixels=pixel("depth", 0, 0, "f", 0.75))))

    def test_what_is_not_known_is_named(self):
        self.assertIn("dimension 3d", shader_test.reason_to_skip(shader_case("draw", [resource("srv", dimension="3d")], [])))
        self.assertIn("sample_mask", shader_test.reason_to_skip({**shader_case("draw", [], []), "sample_mask": 1}))

    def test_draws_without_a_pixel_shader_have_no_constant_to_blame(self):
        case = {**shader_case("draw", [resource("rtv")], [], ["vertex"]), "path": pathlib.Path("own.json")}
        fault = shader_test.Fault("wrong", 0, [0])
        self.assertIsNone(set_aside.reason(shader_test, case, pathlib.Path("."), Engine(), "dxil", fault))


class Offload(unittest.TestCase):
    def check(self, document, engine):
        return offload.run(document, pathlib.Path("."), engine, "dxil")

    def test_each_format_has_its_bytes(self):
        for form, channels, data, name in (("Hex8", 4, "0102ff80", "R8G8B8A8_UINT"), ("Hex64", 1, "efcdab8967452301", "R32G32_UINT")):
            numbers = ["0x1", "0x2", "0xff", "0x80"] if form == "Hex8" else ["0x0123456789abcdef"]
            buffer = {"Name": "A", "Format": form, "Channels": channels, "Data": numbers}
            engine = Engine()
            self.check(suite_case([buffer], [{"Name": "A", "Kind": "Buffer", "DirectXBinding": {"Register": 0, "Space": 0}}]), engine)
            self.assertEqual(engine.case["resources"]["t0"], {"hex": data, "format": name})

    def test_root_parameters_are_bound_where_the_signature_has_them(self):
        buffers = [{"Name": "C", "Format": "Int32", "ArraySize": 2, "Data": [[1, 2], [3, 4]]}, {"Name": "O", "Format": "Int32", "Stride": 4, "FillSize": 4},
                   {"Name": "E", "Format": "Int32", "Data": [7]}]
        roots = [{"Kind": "Constant", "Name": "C"}, {"Kind": "DescriptorTable"}, {"Kind": "RootDescriptor", "Resource": {"Name": "O", "Kind": "RWStructuredBuffer"}}]
        results = [{"Result": "R", "Rule": "BufferExact", "Actual": "O", "Expected": "E"}]
        case = suite_case(buffers, [], results, RuntimeSettings={"DirectX": {"RootParameters": roots}})
        places = [{"register": 3, "space": 0}, {"register": 0, "space": 0}, {"register": 1, "space": 4}]
        engine = Engine({"u1,space4": struct.pack("<i", 7)}, parameters=places)
        self.assertIsNone(self.check(case, engine))
        self.assertEqual(engine.case["resources"]["b3"], {"hex": struct.pack("<4i", 1, 2, 3, 4).hex()})
        self.assertIn("is 8, expected 7", self.check(case, Engine({"u1,space4": struct.pack("<i", 8)}, parameters=places)))

    def test_samplers_mirror_once(self):
        self.assertEqual(offload.sampler_of({"Name": "S", "Address": "MirrorOnce"})["address"], "mirror_once")

    def test_borders_are_transparent_black(self):
        self.assertEqual(offload.sampler_of({"Name": "S", "Address": "Border"})["border"], [0, 0, 0, 0])

    def test_sampled_textures_are_refused_by_name(self):
        case = suite_case([], [{"Name": "T", "Kind": "SampledTexture2D", "DirectXBinding": {"Register": 0, "Space": 0}}])
        with self.assertRaisesRegex(Unsupported, "textures with samplers of their own"):
            self.check(case, Engine())

    def test_near_zero_a_distance_counts_instead_of_ulps(self):
        self.assertFalse(values.same_ulps("Float32", 1e-9, -1e-9, 1))
        self.assertTrue(values.same_ulps("Float32", 1e-9, -1e-9, 1, near_zero=1e-8))
        self.assertFalse(values.same_ulps("Float32", 1e-9, 1e-7, 1, near_zero=1e-8))
        self.assertTrue(values.same_ulps("Float32", 1.0, 1.0 + 2.0 ** -23, 1, near_zero=1e-8))

    def test_draws_may_have_no_vertex_buffer(self):
        pipeline = {"Bindings": {"RenderTarget": "T", "Topology": "PointList"}, "DispatchParameters": {"VertexCount": 5},
                    "Shaders": [{"Stage": "Vertex"}, {"Stage": "Pixel"}]}
        buffers = {"T": {"Name": "T", "Format": "Float32", "Channels": 4, "FillSize": 16, "OutputProps": {"Width": 1, "Height": 1, "Depth": 1}}}
        engine = Engine(pixels=pixel("T", 0, 0, "4f", 1.0, 0.0, 0.0, 1.0))
        binaries = [{"entry": "v", "file": "v"}, {"entry": "p", "file": "p"}]
        result = offload.drawn(pipeline, buffers, pathlib.Path("."), binaries, engine, {"resources": {}, "samplers": {}}, [1, 1, 1])
        self.assertEqual(engine.scene["pass"][0]["draw"], {"count": 5})
        self.assertEqual(engine.scene["pass"][0]["mesh"], {"topology": "POINTLIST"})
        self.assertEqual(result["resources"]["T"]["hex"], struct.pack("<4f", 1, 0, 0, 1).hex())

    def test_groups_of_mesh_shaders_are_drawn(self):
        pipeline = {"Bindings": {"RenderTarget": "T"}, "Shaders": [{"Stage": "Amplification"}, {"Stage": "Mesh"}, {"Stage": "Pixel"}]}
        buffers = {"T": {"Name": "T", "Format": "Float32", "Channels": 4, "FillSize": 16, "OutputProps": {"Width": 1, "Height": 1, "Depth": 1}}}
        self.assertIsNone(offload.reason_to_skip(pipeline))
        engine = Engine(pixels=pixel("T", 0, 0, "4f", 1.0, 0.0, 0.0, 1.0))
        binaries = [{"entry": stage, "file": stage} for stage in ("a", "m", "p")]
        offload.drawn(pipeline, buffers, pathlib.Path("."), binaries, engine, {"resources": {}, "samplers": {}}, [3, 2, 1])
        made = engine.scene["pass"][0]
        self.assertEqual((made["grid"], made["mesh_shader"]["entry"], made["amplification"]["entry"]), ([3, 2, 1], "m", "a"))
        self.assertTrue("mesh" not in made and "draw" not in made and "rasterizer" not in made)

    def test_rays_are_skipped(self):
        self.assertEqual(offload.reason_to_skip({"Shaders": [{"Stage": "RayGeneration"}]}), "needs ray tracing")

    def test_reserved_resources_without_tiles_are_whole(self):
        buffer = {"Name": "A", "Format": "Int32", "Stride": 4, "Data": [1]}
        for tiles, mapped in (({"TilesMapped": 2}, 131072), ({}, None)):
            engine = Engine()
            place = {"Name": "A", "Kind": "StructuredBuffer", "IsReserved": True, "DirectXBinding": {"Register": 0, "Space": 0}, **tiles}
            self.check(suite_case([buffer], [place]), engine)
            self.assertEqual(engine.case["resources"]["t0"].get("mapped"), mapped)


class Amber(unittest.TestCase):
    def test_files_are_made_up_where_any_will_do(self):
        text = ("#!amber\nBUFFER in DATA_TYPE uint32 SIZE 20 FILE TEXT in.txt\nBUFFER at DATA_TYPE vec2<float> SIZE 24 FILE TEXT at.txt\n"
                "EXPECT a EQ_BUFFER b\n")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            path = folder / "own.amber"
            path.write_text(text)
            made = amber.with_files(path, folder)
            self.assertEqual(made.read_text(), text)
            self.assertEqual(len((made.parent / "in.txt").read_text().split()), 20)
            corners = [float(word) for word in (made.parent / "at.txt").read_text().split()]
            self.assertEqual((len(corners), min(corners), max(corners)), (48, -1.0, 1.0))
            path.write_text(text + "EXPECT a IDX 0 EQ 1\n")
            self.assertEqual(amber.with_files(path, folder), path)
            path.write_text(text)
            for there in ("in.txt", "at.txt"):
                (folder / there).write_text("0")
            self.assertEqual(amber.with_files(path, folder), path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

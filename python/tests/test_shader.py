import copy
import gc
import json
import pathlib
import pickle
import tempfile
import threading
import unittest

import unshade
from unshade import _c, _call
from support import DATA, EACH, TEXTURED


class Opening(unittest.TestCase):
    def test_takes_paths_and_bytes(self):
        data = TEXTURED.read_bytes()
        for source in (TEXTURED, str(TEXTURED), data, bytearray(data), memoryview(data)):
            shader = unshade.open(source)
            self.assertEqual((shader.family, shader.profile, shader.stage), ("dxbc", "ps_5_0", "pixel"))
            self.assertEqual(bytes(shader), data)
        self.assertEqual(unshade.open(TEXTURED).name, str(TEXTURED))
        self.assertEqual(unshade.open(data).name, "")

    def test_tells_what_each_family_is(self):
        for path, family in zip(EACH, unshade.FAMILIES):
            shader = unshade.open(path)
            self.assertEqual(shader.family, family)
            self.assertEqual(unshade.identify(path.read_bytes()), family)
            self.assertEqual(shader.size, path.stat().st_size)
            self.assertEqual(shader.json("info")["files"][0]["family"], family)
            self.assertEqual(shader.trailing, 0)
        self.assertEqual(unshade.identify(b"text"), "unknown")

    def test_refuses_what_is_no_shader(self):
        with self.assertRaises(unshade.Error) as caught:
            unshade.open(b"no shader at all", name="notes.txt")
        self.assertEqual((caught.exception.code, caught.exception.offset), ("bad-magic", 0))
        self.assertTrue(str(caught.exception).startswith("notes.txt:0x0: error[bad-magic]: "), str(caught.exception))
        with self.assertRaises(FileNotFoundError):
            unshade.open(DATA / "no_such_file")
        for cut in range(0, 400, 7):
            with self.assertRaises(unshade.Error):
                unshade.open(TEXTURED.read_bytes()[:cut])

    def test_errors_are_pickled(self):
        with self.assertRaises(unshade.Error) as caught:
            unshade.open(TEXTURED.read_bytes()[:100])
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(str(again), str(caught.exception))
        self.assertEqual(again.code, caught.exception.code)

    def test_is_pickled_by_its_bytes(self):
        for path in EACH:
            shader = unshade.open(path)
            again = pickle.loads(pickle.dumps(shader))
            self.assertEqual(again, shader)
            self.assertEqual(again.name, shader.name)
            self.assertEqual(copy.copy(shader), shader)

    def test_is_equal_by_its_bytes(self):
        self.assertEqual(unshade.open(TEXTURED), unshade.open(TEXTURED.read_bytes()))
        self.assertNotEqual(unshade.open(TEXTURED), unshade.open(EACH[1]))
        self.assertNotEqual(unshade.open(TEXTURED), TEXTURED.read_bytes())
        with self.assertRaises(TypeError):
            hash(unshade.open(TEXTURED))

    def test_saves(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "saved.cso"
            unshade.open(TEXTURED).save(path)
            self.assertEqual(path.read_bytes(), TEXTURED.read_bytes())

    def test_opens_arrays_in_source_text(self):
        shader = unshade.open(TEXTURED)
        for language in ("c", "cpp", "rust"):
            text = shader.embed(language, "g_textured", listing=True)
            self.assertIn("g_textured", text)
            self.assertEqual(unshade.open_source(text, "g_textured"), shader)
        with self.assertRaises(unshade.Error):
            unshade.open_source("int main;")
        with self.assertRaises(ValueError):
            shader.embed("cobol")

    def test_is_translated(self):
        made = unshade.open(TEXTURED).translate(shifts="t=10,s=20", target_env="vulkan1.1")
        self.assertEqual((made.module.family, made.module.stage), ("spirv", "pixel"))
        self.assertTrue(made.module.is_valid)
        self.assertEqual({one["name"]: (one["set"], one["binding"]) for one in made.bindings},
                         {"Material": (0, 257), "albedo": (0, 10), "detail": (0, 13), "linearWrap": (0, 20), "pointClamp": (0, 22)})
        numbered = unshade.open(TEXTURED).translate(binding_model="vkd3d", debug_info="lines", flip_y=True)
        self.assertEqual([one["binding"] for one in sorted(numbered.bindings, key=lambda one: one["binding"])], [0, 1, 2, 3, 4])
        self.assertIn("OpLine", str(numbered.module.listing()))
        later = unshade.open(TEXTURED).translate(first_set=3)
        self.assertEqual({one["set"] for one in later.bindings}, {3})
        heaps = unshade.open(DATA / "dxil/bindless_ps_6_6.dxil").translate(heap_set=6)
        self.assertEqual({(one["set"], one["binding"]) for one in heaps.bindings if "Heap" in one["name"]}, {(6, 0), (6, 1)})
        for arguments in ({"shifts": "t"}, {"target_env": "vulkan7"}, {"binding_model": "metal"}, {"debug_info": "all"}, {"binding_model": "dxc", "shifts": "t=1"}):
            with self.assertRaises(unshade.Error):
                unshade.open(TEXTURED).translate(**arguments)
        pair = unshade.open(DATA / "pica/skin_quad.shbin")
        self.assertEqual(pair.translate("1", native=True).module.stage, "geometry")
        with self.assertRaises(unshade.Error):
            pair.translate("2")

    def test_is_decompiled(self):
        made = unshade.open(TEXTURED).decompile()
        self.assertEqual(made.language, "hlsl")
        self.assertTrue(made.text.startswith("// ps_5_0\n"))
        self.assertEqual(str(made), made.text)
        lines = made.text.splitlines()
        sampled = next(one for one in made.lines if "albedo.Sample(" in lines[one["line"] - 1])
        self.assertEqual((sampled["function"], sampled["instruction"] > 0), ("main", True))
        self.assertIn("mul", str(unshade.open(TEXTURED).listing()).splitlines()[sampled["listing_line"] - 1])
        self.assertGreater(made.score["statements"], made.score["temporaries"])
        glsl = unshade.open(TEXTURED).decompile("glsl", environment="opengl", version=330, setting="exact")
        self.assertTrue(glsl.text.startswith("#version 330 core\n"))
        module = unshade.open(TEXTURED).translate(debug_info="hlsl").module
        self.assertIn("albedo.Sample(", str(module.listing()))
        self.assertEqual(module.decompile().language, "glsl")
        for arguments in ({"language": "msl"}, {"setting": "pretty"}, {"language": "glsl", "environment": "metal"}, {"language": "glsl", "version": 123},
                          {"version": 330}, {"entry": "2"}):
            with self.assertRaises(unshade.Error):
                unshade.open(TEXTURED).decompile(**arguments)

    def test_threads_may_share_one(self):
        shader = unshade.open(TEXTURED)
        expected = str(shader.listing())
        seen = []
        threads = [threading.Thread(target=lambda: seen.append(str(shader.listing()))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(seen, [expected] * 8)


class Documents(unittest.TestCase):
    def test_are_those_of_the_bytes(self):
        for path in EACH:
            shader = unshade.open(path)
            data = shader.data
            name = _call.name_bytes(shader.name)
            for word, what in (("info", _c.UNSHADE_JSON_INFO), ("reflect", _c.UNSHADE_JSON_REFLECTION), ("dump", _c.UNSHADE_JSON_TREE),
                               ("validate", _c.UNSHADE_JSON_FINDINGS), ("hash", _c.UNSHADE_JSON_IDENTITIES)):
                self.assertEqual(shader.json(word), json.loads(_call.text(_c.unshade_json, data, len(data), name, what)), (path, word))
            self.assertEqual(shader.yaml(), _call.text(_c.unshade_json, data, len(data), None, _c.UNSHADE_YAML_DOCUMENT))
            self.assertEqual(shader.text("hex"), _call.text(_c.unshade_text, data, len(data), name, _c.UNSHADE_TEXT_HEX))
            self.assertEqual(shader.findings, unshade.validate(data))
            tree = unshade.tree(data)
            self.assertEqual([field.path for field in shader.tree], [field.path for field in tree])

    def test_follow_an_edit(self):
        shader = unshade.open(TEXTURED)
        reflection = shader.reflection
        before = reflection.json
        tree = shader.tree
        field = tree["ISGN/elements[0]/register"]
        shader.set(field.path, 7)
        self.assertEqual(field.value, 7)
        self.assertEqual(reflection.json, before)  # of the shader as it was
        del reflection
        gc.collect()
        self.assertEqual(shader.json("reflect")["files"][0]["entry_points"][0]["inputs"][0]["register"], 7)
        self.assertNotEqual(shader.reflection.json, before)

    def test_trees_outlive_their_shader(self):
        tree = unshade.open(TEXTURED).tree
        tree._shader = None
        gc.collect()
        self.assertEqual(tree["ISGN/elements[0]/register"].text, "0")

    def test_refuse_what_is_not_there(self):
        shader = unshade.open(TEXTURED)
        with self.assertRaises(unshade.Error) as caught:
            shader.root_signature
        self.assertEqual(caught.exception.code, "missing")
        with self.assertRaises(unshade.Error) as caught:
            shader.json("sources")
        self.assertEqual(caught.exception.code, "missing")


class PartsOfFiles(unittest.TestCase):
    def test_have_names_and_bytes(self):
        shader = unshade.open(TEXTURED)
        part = shader.parts["ISGN"]
        self.assertEqual(bytes(part), shader.data[part.offset + 8 : part.offset + 8 + part.size])
        self.assertEqual(shader.data[part.offset : part.offset + 4], b"ISGN")
        self.assertIs(part.data.obj, shader.data)  # not a copy
        self.assertEqual([one.name for one in shader.parts], shader.parts.names())
        self.assertEqual(shader.parts[-1].name, shader.parts.names()[-1])
        self.assertIn("OSGN", shader.parts)
        self.assertNotIn("ABCD", shader.parts)
        with self.assertRaises(KeyError):
            shader.parts["ABCD"]
        with self.assertRaises(IndexError):
            shader.parts[99]

    def test_data_outlives_the_shader(self):
        data = unshade.open(TEXTURED).parts["ISGN"].data
        self.assertEqual(data[:4].tobytes(), b"\x04\0\0\0")

    def test_of_each_family_lie_in_the_file(self):
        for path in EACH:
            shader = unshade.open(path)
            for part in shader.parts:
                self.assertEqual(len(bytes(part)), part.size)
                self.assertGreater(part.size, 0)
        pica = unshade.open(EACH[2])
        self.assertEqual(bytes(pica.parts["DVLP"])[:4], b"DVLP")
        self.assertEqual(unshade.open(bytes(unshade.open(EACH[4]).parts["vertex"])).family, "spirv")

    def test_are_what_the_library_copies(self):
        for path in [*EACH[:2], *sorted((DATA / "dxil").glob("*.pdb"))]:
            shader = unshade.open(path)
            for number, part in enumerate(shader.parts):
                self.assertEqual(bytes(part), _call.blob(_c.unshade_part_data, shader._handle.value, number), (path, part))

    def test_of_a_debug_file_are_those_of_its_container(self):
        for path in sorted((DATA / "dxil").glob("*.pdb")):
            shader = unshade.open(path)
            for part in shader.parts:
                self.assertEqual(len(bytes(part)), part.size)
            self.assertTrue(bytes(shader.parts["ILDB"])[16:20], b"DXIL")


class Identities(unittest.TestCase):
    def test_are_what_the_command_prints(self):
        shader = unshade.open(TEXTURED)
        self.assertEqual(shader.identity("crc32"), shader.identities["crc32"])
        kinds = {kind.id: kind for kind in unshade.identity_kinds()}
        self.assertLessEqual(set(shader.identities), set(kinds))
        self.assertIn("ReShade", kinds["crc32"].tools)
        with self.assertRaises(unshade.Error) as caught:
            unshade.open(EACH[3]).identity("digest")
        self.assertEqual(caught.exception.code, "missing")


class Inside(unittest.TestCase):
    def test_shaders_in_other_bytes_are_found(self):
        first, second = TEXTURED.read_bytes(), EACH[3].read_bytes()
        data = b"junk" * 5 + first + bytes(7) + second + b"DXBC"
        hits = unshade.find(data)
        self.assertEqual([(hit.offset, hit.size, hit.family, hit.certainty) for hit in hits],
                         [(20, len(first), "dxbc", "certain"), (27 + len(first), len(second), "spirv", "certain")])
        for hit in hits:
            self.assertEqual(unshade.open(data[hit.offset : hit.offset + hit.size]).family, hit.family)
        self.assertEqual(unshade.find(b""), [])

    def test_shaders_in_shaders_have_parents(self):
        hits = unshade.find(bytes(3) + EACH[4].read_bytes())
        self.assertEqual(hits[0].family, "vbc")
        self.assertEqual({hit.parent for hit in hits[1:]}, {3})

    def test_sources(self):
        with self.assertRaises(unshade.Error) as caught:
            unshade.open(TEXTURED).sources
        self.assertEqual(caught.exception.code, "missing")
        self.assertIn("OpSource", str(unshade.open(EACH[3]).listing()))
        debug = unshade.open(DATA / "dxil/control_ps_6_0_zi.dxil").sources
        self.assertTrue(any("main" in (text or "") for text in debug.values()), list(debug))


class Html(unittest.TestCase):
    def test_is_escaped(self):
        shader = unshade.Shader(TEXTURED.read_bytes(), name="<b>&")
        self.assertIn("&lt;b&gt;&amp;", shader._repr_html_())
        self.assertNotIn("<b>&", shader._repr_html_().replace("<b>&lt;", ""))

    def test_of_everything_is_balanced(self):
        shader = unshade.open(TEXTURED)
        for shown in (shader, shader.listing(), shader.reflection, shader.tree, shader.tree["ISGN"], unshade.diff(shader, unshade.open(EACH[1]))):
            text = shown._repr_html_()
            for tag in ("table", "tr", "td", "pre", "details", "span", "div"):
                self.assertEqual(text.count(f"<{tag}>") + text.count(f"<{tag} "), text.count(f"</{tag}>"), (type(shown), tag))

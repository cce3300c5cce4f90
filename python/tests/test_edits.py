import unittest

import unshade
from support import DATA, EACH, LIT, TEXTURED


class Edits(unittest.TestCase):
    def test_strip(self):
        shader = unshade.open(TEXTURED)
        stripped = shader.strip("reflection")
        self.assertNotIn("RDEF", stripped.parts)
        self.assertEqual(stripped.digest, "valid")
        self.assertEqual(stripped.name, shader.name)
        self.assertIn("RDEF", shader.parts)
        self.assertEqual(stripped.strip("reflection"), stripped)
        with self.assertRaises(ValueError):
            shader.strip("everything at all")

    def test_rename(self):
        shader = unshade.open(TEXTURED).rename("resource", {"albedo": "base"})
        self.assertEqual(shader.reflection.resource("base").kind, "texture")
        with self.assertRaises(KeyError):
            shader.reflection.resource("albedo")
        with self.assertRaises(unshade.Error) as caught:
            shader.rename("resource", {"nothing": "x"})
        self.assertEqual(caught.exception.code, "missing")
        for names in ({"a\0b": "c"}, {"a": "c\0"}):
            with self.assertRaises(ValueError):
                shader.rename("resource", names)
        with self.assertRaises(ValueError):
            shader.rename("colour", {"a": "b"})

    def test_rebind_changes_places(self):
        shader = unshade.open(TEXTURED).rebind({"t0": "t3", "t3": "t0"})
        self.assertEqual({name: shader.reflection.resource(name).bind_point for name in ("albedo", "detail")}, {"albedo": 3, "detail": 0})
        moved = unshade.open(DATA / "dxil/textured_ps_6_6.dxil")
        first = next(resource for resource in moved.reflection.resources if resource.kind == "texture")
        moved = moved.rebind({f"t{first.bind_point}": f"t{first.bind_point},space7"})
        self.assertEqual(moved.reflection.resource(first.name).space, 7)
        for bindings in ({"t0": "s0"}, {"t": "t1"}, {"t0,room1": "t1"}):
            with self.assertRaises(ValueError):
                moved.rebind(bindings)

    def test_parts(self):
        shader = unshade.open(TEXTURED).add_part("PRIV", b"four")
        self.assertEqual(bytes(shader.parts["PRIV"]), b"four")
        self.assertEqual(bytes(shader.replace_part("PRIV", b"others!!").parts["PRIV"]), b"others!!")
        self.assertEqual(shader.remove_part("PRIV"), unshade.open(TEXTURED))
        with self.assertRaises(unshade.Error):
            shader.remove_part("ABCD")
        with self.assertRaises(unshade.Error):
            unshade.open(EACH[3]).add_part("PRIV", b"four")


class Signing(unittest.TestCase):
    def test_makes_digests_right(self):
        shader = unshade.open(TEXTURED)
        damaged = bytearray(shader.data)
        damaged[5] ^= 1
        self.assertEqual(unshade.open(damaged).digest, "wrong")
        self.assertEqual(unshade.open(damaged).sign(), shader)
        self.assertEqual(shader.sign("zero").digest, "unsigned")
        self.assertEqual(shader.sign("bypass").digest, "bypass")
        with self.assertRaises(unshade.Error):
            unshade.open(EACH[3]).sign()
        with self.assertRaises(ValueError):
            shader.sign("gold")


class MoreEdits(unittest.TestCase):
    def test_root_signatures(self):
        shader = unshade.open(DATA / "dxil/rootsig_cs_6_0.dxil")
        self.assertIn("CBV", shader.root_signature + "CBV")
        text = shader.root_signature
        bare = shader.detach_root_signature()
        self.assertNotIn("RTS0", bare.parts)
        again = bare.attach_root_signature(unshade.make_root_signature(text))
        self.assertEqual(again.root_signature, text)
        with self.assertRaises(unshade.AssemblyError) as caught:
            unshade.make_root_signature("CBV(b0), SRV(q1)")
        self.assertTrue(caught.exception.findings)
        with self.assertRaises(unshade.Error) as caught:
            bare.root_signature
        self.assertEqual(caught.exception.code, "missing")

    def test_sources(self):
        shader = unshade.open(DATA / "dxil/textured_ps_6_6.dxil").embed_sources({"a.hlsl": "float4 main() : SV_Target { return 1; }", "b.hlsli": "// b"})
        self.assertEqual(shader.sources["b.hlsli"], "// b")
        with self.assertRaises(unshade.Error):
            unshade.open(TEXTURED).embed_sources({"a": "b"})

    def test_pack_and_link(self):
        vbc = unshade.open(DATA / "vbc/minimal.vbc")
        stages = [unshade.open(bytes(part)) for part in vbc.parts]
        self.assertEqual(unshade.pack(stages, like=vbc).parts.names(), vbc.parts.names())
        linked = unshade.link([unshade.open(DATA / f"pica/{name}.shbin") for name in ("skin.v", "quad.g")])
        self.assertEqual(linked.family, "pica")
        with self.assertRaises(unshade.Error):
            unshade.link([vbc])


class Graphs(unittest.TestCase):
    def test_of_each_family_are_drawn(self):
        for path in EACH:
            graph = unshade.open(path).graph()
            self.assertEqual(graph.json["schema"], "unshade.graph/1")
            self.assertIn("<svg", graph._repr_svg_())
            self.assertIn("digraph", graph.dot)
            self.assertTrue(str(graph))
        self.assertGreater(len(unshade.open(DATA / "dxbc/control_ps_5_0.dxbc").graph().json["files"][0]["functions"][0]["blocks"]), 3)
        with self.assertRaises(unshade.Error) as caught:
            unshade.open(TEXTURED).graph("no such function")
        self.assertEqual(caught.exception.code, "missing")


class Checks(unittest.TestCase):
    def test_findings_have_rules_and_places(self):
        shader = unshade.open(TEXTURED)
        self.assertTrue(shader.is_valid)
        shader.tree["ISGN/elements[3]/register"].value = 2
        self.assertFalse(shader.is_valid)
        found = {finding.rule: finding for finding in shader.findings}
        self.assertEqual(found["signature.mask-overlap"].path, "ISGN/elements[3]")
        self.assertEqual(shader.tree["ISGN/elements[3]"].offset, found["signature.mask-overlap"].offset)

    def test_findings_of_what_does_not_open(self):
        self.assertEqual([finding.severity for finding in unshade.validate(b"text")], ["error"])


class Differences(unittest.TestCase):
    def test_are_of_meaning(self):
        shader = unshade.open(TEXTURED)
        self.assertFalse(unshade.diff(shader, shader))
        self.assertTrue(unshade.diff(shader, shader).same_bytes)
        debugged = unshade.open(DATA / "dxil/control_ps_6_0_zi.dxil")
        self.assertFalse(unshade.diff(debugged, debugged.strip("debug")).same_bytes)
        self.assertTrue(unshade.diff(debugged, debugged.strip("debug")).same_meaning)
        renamed = unshade.diff(shader, shader.rename("resource", {"albedo": "base"}))
        self.assertTrue(renamed)
        self.assertIn("albedo", str(renamed))
        self.assertTrue(any(change["name"] == "albedo" for change in renamed.changes))

    def test_of_code_has_both_sides(self):
        before = unshade.open(LIT)
        after = unshade.assemble(str(before.listing(exact=True)).replace("mul ", "add ", 1))
        difference = unshade.diff(before, after)
        self.assertTrue(difference)
        self.assertIn("add", str(difference))
        self.assertIn("\n+add", difference.text())
        text = difference.text()
        after.set("ISGN/elements[0]/register", 7)
        self.assertEqual(difference.text(), text)
        self.assertLess(len(difference.text(context=0)), len(difference.text(context=5)))

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

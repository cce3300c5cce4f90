import unittest

import unshade
from support import EACH, TEXTURED

REGISTER = "ISGN/elements[3]/register"


class Trees(unittest.TestCase):
    def test_name_every_byte(self):
        for path in EACH:
            shader = unshade.open(path)
            for offset in range(0, shader.size, 13):
                field = shader.tree.at(offset)
                self.assertLessEqual(field.offset, offset)
                self.assertLess(offset - field.offset, field.size)
            with self.assertRaises(IndexError):
                shader.tree.at(shader.size)
            with self.assertRaises(IndexError):
                shader.tree.at(-1)

    def test_paths_find_their_fields(self):
        tree = unshade.open(TEXTURED).tree
        for field in list(tree)[::7]:
            self.assertEqual(tree[field.path].path, field.path)
        self.assertEqual(tree["ISGN"]["elements[3]/register"], tree[REGISTER])
        self.assertIn(REGISTER, tree)
        self.assertNotIn("ISGN/nothing", tree)
        for path in ("ISGN/elements[99]", "", "a\0b"):
            with self.assertRaises(KeyError):
                tree[path]

    def test_groups_have_fields(self):
        tree = unshade.open(TEXTURED).tree
        group = tree["ISGN/elements[3]"]
        self.assertEqual(group.kind, "group")
        self.assertIsNone(group.value)
        self.assertEqual(len(group), len(list(group)))
        self.assertIn("register", [field.name for field in group])
        for field in group:
            self.assertEqual(field.parent, group)
        self.assertEqual(sum(1 for _ in tree), len(tree))
        self.assertIn("ISGN", [field.name for field in tree.root])

    def test_values_have_types(self):
        kinds = {}
        for path in EACH:
            for field in unshade.open(path).tree:
                kinds.setdefault(field.kind, field)
        expected = {"unsigned": int, "hexadecimal": int, "offset": int, "enumeration": str, "flags": str, "bits": dict, "component_mask": str, "fourcc": str,
                    "text": str, "bytes": bytes, "padding": bytes, "real": float}
        for kind, type_of_value in expected.items():
            if kind in kinds:
                self.assertIsInstance(kinds[kind].value, type_of_value, kind)
        self.assertLessEqual({"unsigned", "enumeration", "flags", "bits", "text", "fourcc"}, set(kinds))
        self.assertEqual(kinds["unsigned"].value, int(kinds["unsigned"].text))

    def test_bits_have_details(self):
        tree = unshade.open(TEXTURED).tree
        bits = next(field for field in tree if field.kind == "bits")
        self.assertEqual(sum(detail.bit_count for detail in bits.details) > 0, True)
        self.assertEqual(list(bits.value), [detail.name for detail in bits.details])
        enumeration = next(field for field in tree if field.kind == "enumeration")
        self.assertEqual([detail.name for detail in enumeration.details if detail.is_set], [enumeration.value])

    def test_of_a_damaged_file_tells_the_faults(self):
        tree = unshade.tree(TEXTURED.read_bytes()[:1000])
        self.assertTrue(tree.errors)
        self.assertTrue(tree.errors[0].code)
        self.assertEqual(unshade.open(TEXTURED).tree.errors, [])
        with self.assertRaises(TypeError):
            tree.root.value = 2


class Setting(unittest.TestCase):
    def test_edits_the_shader_and_its_digest(self):
        shader = unshade.open(TEXTURED)
        before = shader.data
        field = shader.tree[REGISTER]
        field.value = 2
        self.assertEqual(field.value, 2)
        self.assertEqual(shader.tree[REGISTER].value, 2)
        self.assertEqual(shader.digest, "valid")
        self.assertNotEqual(shader.data, before)
        self.assertEqual(shader.reflection.inputs[3].register, 2)
        field.value = 3
        self.assertEqual(shader.data, before)

    def test_takes_each_type(self):
        shader = unshade.open(TEXTURED)
        tree = shader.tree
        tree["ISGN/elements[3]/mask"].value = "x"
        self.assertEqual(tree["ISGN/elements[3]/mask"].value, "x")
        enumeration = tree["ISGN/elements[3]/component_type"]
        enumeration.value = "uint32" if "uint32" in [detail.name for detail in enumeration.details] else enumeration.details[1].name
        self.assertEqual(tree["ISGN/elements[3]/component_type"].value, enumeration.value)
        self.assertEqual(sum(detail.is_set for detail in enumeration.details), 1)
        bits = next(field for field in tree if field.kind == "bits" and len(field.details) > 1)
        detail = bits.details[-1]
        try:
            bits.value = {detail.name: detail.value}
        except unshade.Error as error:
            self.fail(str(error))

    def test_refuses_what_is_no_value(self):
        shader = unshade.open(TEXTURED)
        before = shader.data
        for path, value, code in ((REGISTER, "blue", "bad-value"), (REGISTER, 1 << 40, "bad-value"), ("ISGN", 1, "unsupported")):
            with self.assertRaises(unshade.Error) as caught:
                shader.tree[path].value = value
            self.assertEqual(caught.exception.code, code)
        with self.assertRaises(unshade.Error) as caught:
            shader.set("ISGN/nothing", 1)
        self.assertEqual(caught.exception.code, "missing")
        with self.assertRaises(TypeError):
            shader.set(REGISTER, None)
        self.assertEqual(shader.data, before)

    def test_fields_of_another_structure_say_so(self):
        shader = unshade.open(TEXTURED)
        field = shader.tree[REGISTER]
        # As an edit would that changes sizes.
        shader._open(shader.strip().data)
        self.assertEqual(shader.tree[REGISTER].value, 3)
        with self.assertRaises(unshade.Error) as caught:
            field.value
        self.assertEqual(caught.exception.code, "missing")

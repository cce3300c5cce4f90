import unittest

import unshade
from support import DATA, EACH, TEXTURED


class Listings(unittest.TestCase):
    def test_lines_make_the_text(self):
        for path in EACH:
            listing = unshade.open(path).listing()
            self.assertEqual("\n".join(line.text for line in listing).rstrip("\n"), str(listing).rstrip("\n"))
            self.assertEqual(len(listing), len(listing.lines))
            for line in listing.lines[:200]:
                for token in line.tokens:
                    self.assertEqual(line.text[token.start : token.end], token.text)
                    self.assertIn(token.kind, unshade.TOKEN_CLASSES)

    def test_is_that_of_the_vendor(self):
        listing = unshade.open(DATA / "spirv/odd.spv").listing(raw_ids=True)
        self.assertIn("OpMemoryModel", str(listing))
        self.assertNotEqual(str(listing), str(unshade.open(DATA / "spirv/odd.spv").listing()))

    def test_lines_have_the_places_of_instructions(self):
        shader = unshade.open(TEXTURED)
        listing = shader.listing()
        placed = [line for line in listing if line.offset is not None]
        self.assertGreater(len(placed), 50)
        for line in placed[::5]:
            self.assertEqual(listing.at(line.offset).number, line.number)
            self.assertEqual(listing.at(line.offset + line.size - 1).number, line.number)
        self.assertIsNone(listing.at(0))
        self.assertEqual([token.kind for token in placed[-1].tokens], ["opcode"])

    def test_flags_say_what_is_in_it(self):
        shader = unshade.open(TEXTURED)
        self.assertLess(len(shader.listing(header=False)), len(shader.listing()))
        with_offsets = str(shader.listing(offsets=True, header=False))
        self.assertNotEqual(with_offsets, str(shader.listing(header=False)))

    def test_exact_text_assembles_to_the_same_bytes(self):
        shader = unshade.open(TEXTURED)
        again = unshade.assemble(str(shader.listing(exact=True)))
        self.assertEqual(again.parts["SHDR"].data, shader.parts["SHDR"].data)

    def test_lines_are_a_sequence(self):
        lines = unshade.open(TEXTURED).listing().lines
        self.assertEqual(lines[-1].number, len(lines) - 1)
        self.assertEqual([line.number for line in lines[2:5]], [2, 3, 4])
        with self.assertRaises(IndexError):
            lines[len(lines)]

    def test_outlives_the_shader(self):
        lines = unshade.open(TEXTURED).listing().lines
        self.assertTrue(lines[-1].text or lines[-2].text)


class Assembling(unittest.TestCase):
    def test_tells_every_fault_with_its_line(self):
        with self.assertRaises(unshade.AssemblyError) as caught:
            unshade.assemble("ps_5_0\ndcl_output o0.xyzw\nmoov o0.xyzw, l(1, 2, 3, 4)\nret\n")
        finding = caught.exception.findings[0]
        self.assertEqual((finding.severity, finding.rule, finding.line), ("error", "as.unknown-instruction", 3))
        self.assertIn("line 3", str(caught.exception))
        self.assertEqual(caught.exception.code, "bad-value")

    def test_puts_dxil_into_containers(self):
        shader = unshade.open(DATA / "dxil/textured_ps_6_6.dxil")
        text = str(shader.listing(exact=True))
        self.assertEqual(unshade.assemble(text, into=shader), shader)
        self.assertEqual(unshade.assemble(text, container=True).profile, "ps_6_6")
        with self.assertRaises(unshade.Error) as caught:
            unshade.assemble(text, container=True, into=shader)
        self.assertEqual(caught.exception.code, "invalid-argument")
        with self.assertRaises(ValueError):
            unshade.assemble(text, family="msl")


class Texts(unittest.TestCase):
    def test_are_those_of_the_command(self):
        shader = unshade.Shader(TEXTURED.read_bytes(), name="a.dxbc")
        self.assertTrue(shader.text("info").startswith("a.dxbc  dxbc  ps_5_0  3524 bytes"))
        self.assertIn("magic", shader.text("hex"))
        self.assertIn("register", shader.text("dump"))
        self.assertIn("signature.declaration-missing", shader.text("validate"))
        with self.assertRaises(ValueError):
            shader.text("poem")


class Documents(unittest.TestCase):
    def test_build_the_same_file(self):
        for path in EACH:
            shader = unshade.open(path)
            self.assertEqual(unshade.build(shader.document()), shader)
            self.assertTrue(shader.yaml())

    def test_tell_the_place_of_a_fault(self):
        with self.assertRaises(unshade.Error) as caught:
            unshade.build('{"a" 1}')
        self.assertEqual((caught.exception.code, caught.exception.offset), ("bad-value", 5))

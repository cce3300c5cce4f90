import importlib.util
import unittest

import unshade
from support import DATA, EACH, TEXTURED
from unshade import frames

WITHOUT_PANDAS = None if importlib.util.find_spec("pandas") else "python3-pandas is not installed"
WITHOUT_MATPLOTLIB = None if importlib.util.find_spec("matplotlib") else "python3-matplotlib is not installed"


class Counting(unittest.TestCase):
    def test_opcodes_of_a_listing(self):
        counts = frames.opcodes(unshade.open(TEXTURED))
        self.assertEqual(counts["ret"], 1)
        self.assertGreater(counts["mov"], 10)

    def test_a_file_without_a_program_has_none(self):
        only_signatures = unshade.open(TEXTURED).remove_part("SHDR")
        self.assertEqual(frames.opcodes(only_signatures), {})

    def test_folders_give_their_shaders(self):
        found = [shader.family for shader in frames.each_shader([DATA / "pica", TEXTURED, unshade.open(EACH[3])])]
        self.assertEqual(found[-2:], ["dxbc", "spirv"])
        self.assertEqual(set(found[:-2]), {"pica"})


@unittest.skipIf(WITHOUT_PANDAS, WITHOUT_PANDAS)
class Frames(unittest.TestCase):
    def test_has_a_row_for_each(self):
        table = unshade.frame(EACH)
        self.assertEqual(list(table["family"]), list(unshade.FAMILIES))
        self.assertEqual(table["size"].sum(), sum(path.stat().st_size for path in EACH))
        self.assertEqual(len(unshade.frame([])), 0)

    def test_opcodes_are_columns(self):
        table = frames.opcode_frame([TEXTURED, DATA / "dxbc/lit_vs_5_0.dxbc"])
        self.assertEqual(list(table["ret"]), [1, 1])

    @unittest.skipIf(WITHOUT_MATPLOTLIB, WITHOUT_MATPLOTLIB)
    def test_plots(self):
        import matplotlib

        matplotlib.use("agg")
        axes = frames.plot_sizes(unshade.frame(EACH))
        self.assertEqual(len(axes.collections), len(EACH))
        self.assertEqual(len(frames.plot_opcodes(frames.opcode_frame(EACH), most=5).patches), 5)
        self.assertEqual(frames.plot_heat(frames.opcode_frame(EACH), most=7).images[0].get_array().shape, (len(EACH), 7))
        self.assertEqual([bar.get_height() for bar in frames.plot_duplicates(unshade.frame([TEXTURED, TEXTURED, *EACH[1:]])).patches], [len(EACH) - 1, 1])

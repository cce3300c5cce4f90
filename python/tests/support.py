"""The samples of the checkout."""
import os
import pathlib

SOURCE = pathlib.Path(os.environ.get("UNSHADE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
DATA = SOURCE / "tests/data"
TEXTURED = DATA / "dxbc/textured_ps_5_0.dxbc"
LIT = DATA / "dxbc/lit_vs_5_0.dxbc"
# One of each family.
EACH = [TEXTURED, DATA / "dxil/textured_ps_6_6.dxil", DATA / "pica/skin.v.shbin", DATA / "spirv/odd.spv", DATA / "vbc/textured.vbc"]

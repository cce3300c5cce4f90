"""Sets the version, which CMake writes beside this file, and the tag of the wheel: for any Python 3, with a library inside."""
import pathlib
import sys

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from wheel_platform import platform_of  # noqa: E402


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True  # of a kind: libunshade.so, unshade.dll


class TaggedWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", platform_of(pathlib.Path("unshade"))


setup(version=pathlib.Path("version.txt").read_text().strip(), distclass=WithLibrary, cmdclass={"bdist_wheel": TaggedWheel})

"""Sets the version, which CMake writes beside this file, and the tag of the wheel: for any Python 3, with a library inside."""
import pathlib

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True  # of a kind: libunshade.so


class TaggedWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(version=pathlib.Path("version.txt").read_text().strip(), distclass=WithLibrary, cmdclass={"bdist_wheel": TaggedWheel})

"""Conan 2: conan create packaging/conan. Builds the checkout that it lies in."""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.scm import Version


class UnshadeRecipe(ConanFile):
    name = "unshade"
    license = "MIT"
    description = "Takes compiled shaders apart: DXBC, DXIL, SPIR-V, SHBIN, VBC"
    topics = ("shader", "dxbc", "dxil", "spirv", "disassembler")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}

    @property
    def _checkout(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        # The project's, so that there is one place for it.
        text = load(self, os.path.join(self._checkout, "CMakeLists.txt"))
        self.version = text.split("project(unshade VERSION ", 1)[1].split()[0]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "cmake/*", "include/*", "src/*", "docs/*", "packaging/*", "python/*"):
            copy(self, pattern, self._checkout, self.export_sources_folder)

    def requirements(self):
        self.requires("xxhash/[>=0.8 <1]")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.compiler == "gcc" and Version(self.settings.compiler.version) < "12":
            from conan.errors import ConanInvalidConfiguration

            raise ConanInvalidConfiguration("unshade needs gcc 12 or clang 16")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for option in ("BUILD_CLI", "BUILD_TESTS", "BUILD_SHARED"):
            toolchain.cache_variables[f"UNSHADE_{option}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        # The project's own targets, which name the rooms and their order.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "unshade")]

#!/usr/bin/env python3
"""Whether examples/vulkan draws by Vulkan what `unshade draw` draws: vulkan_test.py COMMAND SOURCE LIBRARIES

LIBRARIES is the folder of libunshade.so. Exit status 77 (skipped) without a C compiler, Vulkan's headers and loader, or a device of Vulkan 1.3.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Numbers of a picture that may be rounded in another way to 8 bits of sRGB, and by how much. src: Vulkan's and Direct3D's rules for sRGB
MOST_DIFFERENCE = 1
HEADER_OF_DDS = 148


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        skip(done.stderr.strip().removeprefix("skipped: "))
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")


def main():
    command, source, libraries = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    compiler = shutil.which("cc")
    if compiler is None:
        skip("no C compiler")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "empty.c").write_text("#include <vulkan/vulkan.h>\nint main(void) { return vkEnumerateInstanceVersion == 0; }\n")
        if subprocess.run([compiler, work / "empty.c", "-lvulkan", "-o", work / "empty"], capture_output=True, check=False).returncode != 0:
            skip("no headers and loader of Vulkan: apt-get install libvulkan-dev mesa-vulkan-drivers")
        run(compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{source / 'include'}", source / "examples/vulkan/cube.c",
            f"-L{libraries}", "-lunshade", "-lvulkan", "-lm", f"-Wl,-rpath,{libraries}", "-o", work / "cube")
        for stage in ("vs", "ps"):
            run(command, "as", source / f"examples/scenes/lit.{stage}.asm", "-o", work / f"lit.{stage}.dxbc")
        run(work / "cube", work / "lit.vs.dxbc", work / "lit.ps.dxbc", work / "cube.ppm")
        run(command, "draw", source / "examples/scenes/cube.toml", "-o", work / "cube.dds")
        drawn = (work / "cube.dds").read_bytes()[HEADER_OF_DDS:]
        expected = [value for at, value in enumerate(drawn) if at % 4 != 3]
        found = (work / "cube.ppm").read_bytes()[-len(expected):]
        largest = max(abs(a - b) for a, b in zip(expected, found, strict=True))
        if largest > MOST_DIFFERENCE or len(set(expected)) < 8:
            sys.exit(f"the pictures differ by {largest} of 255")
        print(f"ok: {len(expected)} numbers, none differs by more than {largest} of 255")


if __name__ == "__main__":
    main()

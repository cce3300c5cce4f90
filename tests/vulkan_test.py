#!/usr/bin/env python3
"""Whether examples/vulkan draws by Vulkan what `unshade draw` draws: vulkan_test.py COMMAND SOURCE EXAMPLE

Exit status 77 (skipped) without a device that the example can use: Debian's mesa-vulkan-drivers has one that needs no GPU.
"""
import pathlib
import subprocess
import sys
import tempfile

# How far a number may be off, of 255: Direct3D rounds coordinates of texels to 8 bits of fraction (FS 7.18.8), lavapipe does not; and sRGB may be rounded in
# another way. Beyond that may be the numbers of pixels at edges, since devices round vertices to other fractions of a pixel. observed: none on lavapipe
MOST_DIFFERENCE = 2
MOST_BEYOND = 0.002
HEADER_OF_DDS = 148


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        print(done.stderr.strip())
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    command, source, example = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        run(command, "as", source / "examples/scenes/letter.ps.asm", "-o", work / "letter.ps.dxbc")
        printed = run(example, source / "tests/data/dxbc/lit_vs_5_0.dxbc", work / "letter.ps.dxbc", work / "letter.ppm")
        run(command, "draw", source / "examples/scenes/letter.toml", "-o", work / "letter.dds")
        drawn = (work / "letter.dds").read_bytes()[HEADER_OF_DDS:]
        expected = [value for at, value in enumerate(drawn) if at % 4 != 3]
        found = (work / "letter.ppm").read_bytes()[-len(expected):]
    differences = [abs(a - b) for a, b in zip(expected, found, strict=True)]
    beyond = sum(difference > MOST_DIFFERENCE for difference in differences)
    print(f"{printed}{len(expected)} numbers, {sum(map(bool, differences))} differ, by {max(differences)} of 255 at most")
    if beyond > MOST_BEYOND * len(expected):
        sys.exit(f"{beyond} differ by more than {MOST_DIFFERENCE}")


if __name__ == "__main__":
    main()

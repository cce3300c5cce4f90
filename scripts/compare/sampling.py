#!/usr/bin/env python3
"""Compares sampling with Mesa's lavapipe: sampling.py --build FOLDER [--runner PROGRAM]

Needs what lavapipe.py needs. A compute shader samples a texture at 1,024 random coordinates with explicit levels, for each dimension, filter, address
mode and two formats; unshade and lavapipe run the same module. Prints for each row how many results agree, and the largest difference; exits 0
if all are within the bound, 1 if not, 77 (skipped) without lavapipe.

Samples are the same within 2^-20, where lavapipe's conversion of 8 bits to f32 is not rounded correctly. The bound is 1/255 of point samples and of
32-bit floats, and 2/255 of filtered 8 bits: lavapipe rounds to 8 bits after each axis and level.
"""
import argparse
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
import lavapipe
from lavapipe import bits, number

SAMPLES = 1024
MODES = ("wrap", "mirror", "clamp", "border", "mirror_once")
# dimension, SPIR-V's Dim and Arrayed, components of coordinates, those of them that have an address mode, sizes, layers
DIMENSIONS = [("1d", "1D", 0, 1, 1, (16, 1, 1), 1), ("2d", "2D", 0, 2, 2, (16, 8, 1), 1), ("3d", "3D", 0, 3, 3, (8, 8, 4), 1),
              ("cube", "Cube", 0, 3, 0, (8, 8, 1), 6), ("1d_array", "1D", 1, 2, 1, (16, 1, 1), 4), ("2d_array", "2D", 1, 3, 2, (8, 16, 1), 4),
              ("cube_array", "Cube", 1, 4, 0, (8, 8, 1), 12)]
FILTERS = [("point", 0, 0, 0), ("bilinear", 1, 1, 0), ("trilinear", 1, 1, 1), ("point, levels linear", 0, 0, 1), ("magnified by point", 1, 0, 0)]
FORMATS = [("R8G8B8A8_UNORM", 4), ("R32G32B32A32_FLOAT", 16)]


def shader(dim, arrayed, components):
    capabilities = {"1D": "OpCapability Sampled1D\n", "Cube": "OpCapability SampledCubeArray\n" if arrayed else ""}.get(dim, "")
    swizzle = " ".join(str(at) for at in range(components))
    coordinate = "%c" if components == 4 else "%p"
    narrow = {1: "%p = OpCompositeExtract %float %c 0", 4: ""}.get(components, "%%p = OpVectorShuffle %%v%d %%c %%c %s" % (components, swizzle))
    return """OpCapability Shader
%s%%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main" %%id
OpExecutionMode %%main LocalSize 64 1 1
OpDecorate %%id BuiltIn GlobalInvocationId
OpDecorate %%array ArrayStride 16
OpDecorate %%block Block
OpMemberDecorate %%block 0 Offset 0
OpDecorate %%in DescriptorSet 0
OpDecorate %%in Binding 0
OpDecorate %%in NonWritable
OpDecorate %%out DescriptorSet 0
OpDecorate %%out Binding 1
OpDecorate %%texture DescriptorSet 0
OpDecorate %%texture Binding 2
OpDecorate %%sampler DescriptorSet 0
OpDecorate %%sampler Binding 3
%%void = OpTypeVoid
%%function = OpTypeFunction %%void
%%float = OpTypeFloat 32
%%uint = OpTypeInt 32 0
%%v2 = OpTypeVector %%float 2
%%v3 = OpTypeVector %%float 3
%%v4 = OpTypeVector %%float 4
%%u3 = OpTypeVector %%uint 3
%%array = OpTypeRuntimeArray %%v4
%%block = OpTypeStruct %%array
%%to_block = OpTypePointer StorageBuffer %%block
%%to_v4 = OpTypePointer StorageBuffer %%v4
%%to_u3 = OpTypePointer Input %%u3
%%in = OpVariable %%to_block StorageBuffer
%%out = OpVariable %%to_block StorageBuffer
%%id = OpVariable %%to_u3 Input
%%image = OpTypeImage %%float %s 0 %d 0 1 Unknown
%%to_image = OpTypePointer UniformConstant %%image
%%texture = OpVariable %%to_image UniformConstant
%%state = OpTypeSampler
%%to_state = OpTypePointer UniformConstant %%state
%%sampler = OpVariable %%to_state UniformConstant
%%sampled = OpTypeSampledImage %%image
%%zero = OpConstant %%uint 0
%%one = OpConstant %%uint 1
%%main = OpFunction %%void None %%function
%%label = OpLabel
%%ids = OpLoad %%u3 %%id
%%i = OpCompositeExtract %%uint %%ids 0
%%twice = OpIAdd %%uint %%i %%i
%%next = OpIAdd %%uint %%twice %%one
%%at_c = OpAccessChain %%to_v4 %%in %%zero %%twice
%%c = OpLoad %%v4 %%at_c
%%at_l = OpAccessChain %%to_v4 %%in %%zero %%next
%%l4 = OpLoad %%v4 %%at_l
%%level = OpCompositeExtract %%float %%l4 0
%s
%%t = OpLoad %%image %%texture
%%s = OpLoad %%state %%sampler
%%ts = OpSampledImage %%sampled %%t %%s
%%value = OpImageSampleExplicitLod %%v4 %%ts %s Lod %%level
%%at_o = OpAccessChain %%to_v4 %%out %%zero %%i
OpStore %%at_o %%value
OpReturn
OpFunctionEnd
""" % (capabilities, dim, arrayed, narrow, coordinate)


def texture(draw, size, layers, levels, texel):
    made = bytearray()
    for _, level in itertools.product(range(layers), range(levels)):
        count = 1
        for length in size:
            count *= max(length >> level, 1)
        if texel == 4:
            made += bytes(draw.randrange(256) for _ in range(4 * count))
        else:
            made += struct.pack("<%df" % (4 * count), *(draw.randrange(257) / 256 for _ in range(4 * count)))
    return bytes(made)


def direction(draw, size, nearest):
    """Into a cube; where the nearest texel is taken, 1/64 of a texel from edges of texels of three levels, and so of faces."""
    while True:
        one = [draw.uniform(-1, 1) for _ in range(3)]
        largest = max(abs(value) for value in one)
        places = [(value / largest + 1) / 2 * (size >> level) for value in one if abs(value) != largest for level in range(3)]
        if not nearest or all(1 / 64 < place % 1 < 63 / 64 for place in places):
            return one


def coordinates(draw, dimension, filtered, levels):
    """Each of 8 words: the coordinates, the level. Far from edges between texels of any level where the nearest is taken."""
    _, _, arrayed, components, addressed, size, layers = dimension
    nearest = 0 in filtered[1:3]
    words = []
    for _ in range(SAMPLES):
        level = draw.randrange(-16, 16 * levels) / 16 + 1 / 64 if filtered[3] else draw.randrange(levels) + draw.choice([-0.25, 0, 0.25])
        one = []
        for axis in range(components):
            if arrayed and axis == components - 1:
                one.append(draw.randrange(-64, 64 * layers) / 64 + 1 / 256)
            elif addressed:
                # the nearest texel is certain 1/256 of a texel from its edges in the third level
                fine = (64 if nearest else 65536) * size[axis]
                one.append((draw.randrange(-2 * fine, 3 * fine) | 1) / fine)
            elif axis == 0:
                one += direction(draw, size[0], nearest)
        words += [bits(value) for value in (one + [0, 0, 0])[:4]] + [bits(level), 0, 0, 0]
    return words


def row(runner, folder, dimension, filtered, mode, pixel, seed):
    name, dim, arrayed, components, _, size, layers = dimension
    draw = random.Random(seed)
    blob = lavapipe.Blob()
    levels = 3
    module = os.path.join(folder, name + ".spv")
    if not os.path.exists(module):
        subprocess.run(["spirv-as", "--target-env", "vulkan1.1", "-", "-o", module], input=shader(dim, arrayed, components).encode(), check=True)
    words = coordinates(draw, dimension, filtered, levels)
    at_in = blob.words(words)
    at_out = blob.add(bytes(16 * SAMPLES))
    texels = texture(draw, size, layers, levels, pixel[1])
    lines = ["stage compute", "file " + module, "module " + module, "vulkan " + module, "entry main", "blob " + os.path.join(folder, "blob"), "groups %d 1 1" % (SAMPLES // 64),
             "buffer 0 0 storage - %d %d t 0 0 0" % (at_in, 32 * SAMPLES), "buffer 0 1 storage - %d %d u 1 0 1" % (at_out, 16 * SAMPLES),
             "image 0 2 sampled %s %s %d %d %d %d %d 1 %d %d t 2 0 0" % (name, pixel[0], *size, layers, levels, blob.add(texels), len(texels)),
             "sampler 0 3 %d %d %d %d %d %d -1 0 -1000 1000 1 3 0" % (filtered[1], filtered[2], filtered[3], mode, mode, mode)]
    with open(os.path.join(folder, "blob"), "wb") as file:
        file.write(blob.data)
    job = os.path.join(folder, "job")
    with open(job, "w") as file:
        file.write("\n".join(lines) + "\n")
    ran, failures = lavapipe.results_of(corpus.run(runner, job))
    if failures or "vulkan" not in ran:
        return None, str(failures)
    results = {who: [number(word) for word in words["u1,0"]] for who, words in ran.items()}
    differences = [max(abs(a - b) for a, b in zip(results["file"][4 * at:4 * at + 4], results["vulkan"][4 * at:4 * at + 4])) for at in range(SAMPLES)]
    return differences, [(words[8 * at:8 * at + 5], results["file"][4 * at:4 * at + 4], results["vulkan"][4 * at:4 * at + 4]) for at in range(SAMPLES)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(corpus.ROOT / "build/dev"))
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--runner", help="lavapipe.cpp, built before")
    parser.add_argument("--show", action="store_true", help="print the worst sample of each row")
    arguments = parser.parse_args()
    if corpus.tool("spirv-as") is None or not lavapipe.is_installed():
        return corpus.skip("no lavapipe or no spirv-as")
    agree = True
    with tempfile.TemporaryDirectory() as folder:
        runner = arguments.runner or lavapipe.build(arguments, folder, {})[""]
        for seed, (dimension, filtered, pixel) in enumerate(itertools.product(DIMENSIONS, FILTERS, FORMATS)):
            for mode in range(len(MODES)) if dimension[4] else [2]:
                differences, samples = row(runner, folder, dimension, filtered, mode, pixel, seed)
                title = "%-10s %-20s %-18s %-11s" % (dimension[0], filtered[0], pixel[0], MODES[mode])
                if differences is None:
                    print(title, "not run:", samples)
                    agree = False
                    continue
                bound = (2 if pixel[1] == 4 and filtered[1] == 1 else 1) / 255
                within = sum(difference <= bound for difference in differences)
                print("%s %4d same, %4d within the bound, %4d beyond; at most %.2f / 255" % (
                    title, sum(difference <= 2.0 ** -20 for difference in differences), within, SAMPLES - within, 255 * max(differences)), flush=True)
                if arguments.show and within != SAMPLES:
                    at = differences.index(max(differences))
                    print("   ", [number(word) for word in samples[at][0]], samples[at][1], samples[at][2])
                agree = agree and within == SAMPLES
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())

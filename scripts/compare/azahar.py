#!/usr/bin/env python3
"""Compares programs of the PICA200 with Azahar's interpreter: azahar.py --azahar FOLDER --nihstro FOLDER --build FOLDER [FOLDER...]

    git clone --depth 1 https://github.com/azahar-emu/azahar
    git clone --depth 1 https://github.com/neobrain/nihstro
    sudo apt install clang-19 lld-19 libboost-dev
    cmake --preset release && ninja -C build/release libunshade_vm.a libunshade_pica.a
    scripts/compare/azahar.py --azahar azahar --nihstro nihstro --build build/release

Compiles Azahar's interpreter with azahar.cpp and the libraries of the build folder, three times: as it is; with EX2, LG2 and RSQ computed in f64
and rounded once; and so, but with numbers cut to 24 bits (pica_types.hpp). The first two are compared with unshade's lowering to f32, the
third with the default one. Then runs every *.shbin below the folders (the corpus by default) on 1,024 random vertices in both, with 16 sets of
uniforms. Exits 0 if all agree, 1 if not, 77 (skipped) without Azahar, nihstro or files.

Components of outputs are counted as: the same bits (a NaN is a NaN); zeros of different signs (a dot product of Azahar begins with +0); of
vertices that ran an instruction that Azahar does not have (DST, LITP); of those that ran EX2, LG2 or RSQ; others, which are faults.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus

HERE = os.path.dirname(os.path.abspath(__file__))
INTERPRETER = "src/video_core/shader/shader_interpreter.cpp"
STUBS = {
    "common/assert.h": "#pragma once\n#include <cstdlib>\n#define ASSERT(x) ((x) ? (void)0 : std::abort())\n"
                       "#define ASSERT_MSG(x, ...) ASSERT(x)\n#define DEBUG_ASSERT(x) ((void)0)\n#define UNREACHABLE() std::abort()\n",
    "common/logging/log.h": "#define LOG_ERROR(...) ((void)0)\n",
    "common/microprofile.h": "#define MICROPROFILE_DEFINE(...)\n#define MICROPROFILE_SCOPE(...)\n",
    # f32 arguments, f64 results: what is computed of them is rounded when it is stored
    "f64.h": "#include <boost/circular_buffer.hpp>\n#include <boost/container/static_vector.hpp>\n#include <cmath>\n"
             + "".join("namespace std {\ninline double %s_f64(float x) { return ::%s(double{x}); }\n}\n" % (name, name) for name in ("sqrt", "exp2", "log2"))
             + "".join("#define %s %s_f64\n" % (name, name) for name in ("sqrt", "exp2", "log2")),
}
IN_F64 = ["-include", "f64.h"]
PEERS = [("as it is", [], []), ("functions in f64", [], IN_F64), ("functions in f64, numbers of 24 bits", ["-DUNSHADE_PEER_F24", "-frounding-math"], IN_F64)]


def build(arguments, folder, both, interpreter_alone, number):
    for name, text in STUBS.items():
        path = os.path.join(folder, "stubs", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    cut = os.path.join(folder, "cut", "video_core")
    os.makedirs(cut, exist_ok=True)
    with open(os.path.join(HERE, "pica_types.hpp")) as source, open(os.path.join(cut, "pica_types.h"), "w") as file:
        file.write(source.read())
    includes = ["-I" + os.path.join(folder, "stubs"), "-I" + os.path.join(arguments.azahar, "src"), "-I" + os.path.join(arguments.nihstro, "include"),
                "-I" + str(corpus.ROOT / "include")]
    if both:
        includes.insert(0, "-I" + os.path.dirname(cut))
    compiler = [arguments.compiler, "-std=c++20", "-O2", "-w", "-ffp-contract=off", *includes, *both]
    objects = []
    for name, source, more in (("machine", os.path.join(HERE, "azahar.cpp"), []),
                               ("interpreter", os.path.join(arguments.azahar, INTERPRETER), interpreter_alone)):
        objects.append(os.path.join(folder, "%s%d.o" % (name, number)))
        subprocess.run([*compiler, *more, "-c", source, "-o", objects[-1]], check=True)
    program = os.path.join(folder, "compare%d" % number)
    # all that ir reads: of a build that compiles many files as one, the linker cannot leave out those of other families
    rooms = ("vm", "texel", "ir", "spirv", "dxil", "dxbc", "pica", "dxcontainer", "core")
    libraries = [os.path.join(arguments.build, "libunshade_%s.a" % room) for room in rooms]
    subprocess.run([arguments.compiler, *objects, "-Wl,--start-group", *libraries, "-Wl,--end-group", "-lpthread", "-o", program], check=True)
    return program


def report(title, lines):
    columns = ["compared", "same bits", "signs of zeros", "DST, LITP", "EX2, LG2, RSQ", "other"]
    programs = [line for line in lines if line[0] == "program"]
    refused = [line for line in lines if line[0] == "refused"]
    sums = [sum(int(line[4 + at]) for line in programs) for at in range(6)]
    print("%s: %d programs, %d refused" % (title, len(programs), len(refused)))
    for name, value in zip(columns, sums):
        print("  %-16s %10d" % (name, value))
    stopped = sum(int(line[10]) for line in programs)
    print("  sets of uniforms whose run was stopped (loops that do not end): %d of %d" % (stopped, 16 * len(programs)))
    for line in refused:
        print("  refused: %s %s: %s" % tuple(line[1:4]))
    for line in programs:
        if int(line[9]) != 0:
            print("  differs: %s executable %s: %s components" % (line[1], line[2], line[9]))
    timed = [[float(value) for value in line[11:16]] for line in programs if int(line[11]) != 0]
    if timed:
        print("  nanoseconds an instruction and vertex, of %d vertex programs" % len(timed))
        print("    %-34s %8s %8s %8s" % ("", "all", "median", "worst"))
        for at, name in enumerate(("Azahar, 1 vertex", "unshade, 1 lane", "unshade, 32 lanes", "unshade, 2,048 lanes in waves of 32"), 1):
            each = sorted(row[at] / row[0] for row in timed)
            print("    %-34s %8.2f %8.2f %8.2f" % (name, sum(row[at] for row in timed) / sum(row[0] for row in timed), each[len(each) // 2], each[-1]))
        faster = sum(row[2] < row[1] for row in timed)
        print("    1 lane is faster than Azahar in %d of %d programs" % (faster, len(timed)))
    return sums[5] == 0 and not refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--azahar")
    parser.add_argument("--nihstro")
    parser.add_argument("--build", default=corpus.ROOT / "build/release")
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args()
    for name, folder, inside in (("Azahar", arguments.azahar, INTERPRETER), ("nihstro", arguments.nihstro, "include/nihstro/shader_bytecode.h")):
        if folder is None or not os.path.exists(os.path.join(folder, inside)):
            return corpus.skip("no %s (--%s FOLDER)" % (name, name.lower()))
    files = corpus.files(".shbin", arguments.folders or [corpus.folder(), corpus.ROOT / "tests/data/pica"])
    if not files:
        return corpus.skip("no files with .shbin")
    agree = True
    with tempfile.TemporaryDirectory() as folder:
        for number, (title, both, alone) in enumerate(PEERS):
            program = build(arguments, folder, both, alone, number)
            lines = subprocess.run([program, *files], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
            agree = report("Azahar, " + title, [line.split("\t") for line in lines]) and agree
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Do the checks of the source tree find what they look for? checks_test.py SOURCE

Each case is a tree of files in which one thing is wrong, and the faults that the check has to print. A tree without a fault has to pass.
"""
import pathlib
import subprocess
import sys
import tempfile

ROW = "#include {}\n"
ANONYMOUS = "namespace {} {{\nnamespace {{\n{}\n}}  // namespace\n}}  // namespace\n"
MATH = "tests/unit/core/math_test.cpp"
UNKNOWN = "{}: {}() of <cmath> may give other bits elsewhere: " + MATH + " does not know it"
PAGE, PICTURE = "docs/internals/architecture.md", "docs/internals/architecture.svg"
DOCS = {path: (pathlib.Path(sys.argv[1]) / path).read_text(encoding="utf-8") for path in (PAGE, PICTURE)}
CASES = [
    ("check_includes.py", {"src/dxbc/listing/a.cpp": ROW.format("<unshade/core/b.hpp>") + ROW.format("<unshade/core/text/b.hpp>")}, []),
    ("check_includes.py", {"src/dxbc/listing/a.cpp": ROW.format('"dxbc/program/b.hpp"')}, []),
    ("check_includes.py", {"src/dxbc/listing/a.cpp": ROW.format("<span>") + ROW.format('"core/b.hpp"')},
     ["src/dxbc/listing/a.cpp:2: core/b.hpp is private to core: only headers in include/unshade/core are for other rooms"]),
    ("check_includes.py", {"src/ir/dxbc/a.cpp": ROW.format('"dxbc/program/b.def"')},
     ["src/ir/dxbc/a.cpp:1: dxbc/program/b.def is private to dxbc: only headers in include/unshade/dxbc are for other rooms"]),
    ("check_includes.py", {"src/core/a.cpp": "\n" + ROW.format('"dxbc/b.hpp"')}, ["src/core/a.cpp:2: core may not include dxbc (dxbc/b.hpp)"]),
    ("check_includes.py", {"include/unshade/dxil/a.hpp": ROW.format("<unshade/dxbc/b.hpp>")},
     ["include/unshade/dxil/a.hpp:1: dxil may not include dxbc (unshade/dxbc/b.hpp)"]),
    ("check_includes.py", {"include/unshade/core/a.hpp": ROW.format('"core/b.hpp"')},
     ["include/unshade/core/a.hpp:1: a public header includes the internal core/b.hpp"]),
    ("check_includes.py", {"src/core/a.cpp": "namespace unshade {\n" + ROW.format('"core/b.def"') + ROW.format('"core/b.hpp"') + "}\n"},
     ["src/core/a.cpp:3: core/b.hpp is included within a namespace"]),
    ("check_includes.py", {"src/core/a.cpp": ROW.format("<iostream>")}, ["src/core/a.cpp:1: <iostream> is not for core"]),
    ("check_includes.py", {"src/system/posix/a.cpp": ROW.format("<unistd.h>") + ROW.format('"system/a.hpp"'),
                           "src/system/windows/a.hpp": ROW.format("<windows.h>")}, []),
    ("check_includes.py", {f"{folder}/a.cpp": ROW.format("<unistd.h>") + ROW.format("<windows.h>")
                           for folder in ("src/cli/io", "src/system", "src/unpack")},
     [f"{folder}/a.cpp:{line}: <{name}> is not for {room}" for folder, room in (("src/cli/io", "cli"), ("src/system", "system"), ("src/unpack", "unpack"))
      for line, name in ((1, "unistd.h"), (2, "windows.h"))]),
    ("check_includes.py", {"src/nowhere/a.cpp": ""}, ["src/nowhere/a.cpp:1: no known room"]),
    ("check_includes.py", {"src/dxcontainer/a.cpp": ROW.format('"dxcontainer/pdb/b.hpp"')}, []),
    ("check_includes.py", {"src/dxcontainer/pdb/a.cpp": ROW.format('"dxcontainer/b.hpp"')},
     ["src/dxcontainer/pdb/a.cpp:1: pdb may not include . (dxcontainer/b.hpp)"]),
    ("check_includes.py", {"src/dxcontainer/new/a.cpp": ROW.format('"dxcontainer/b.hpp"')},
     ["src/dxcontainer/new/a.cpp:1: inner room new is not in INNER"]),
    ("check_includes.py", DOCS, []),
    ("check_includes.py", {PAGE: DOCS[PAGE].replace("| core, dxcontainer, ir |", "| core, ir |")}, [f"{PAGE}:1: the table of rooms is not ALLOWED"]),
    ("check_includes.py", {PAGE: DOCS[PAGE].replace("`.`, `archive`", "`archive`, `.`")}, [f"{PAGE}:1: the table of inner rooms is not INNER"]),
    ("check_includes.py", {PICTURE: DOCS[PICTURE].replace(">find<", ">finds<")},
     [f"{PICTURE}:1: find is missing", f"{PICTURE}:1: finds is no room"]),
    ("check_includes.py", {PICTURE: DOCS[PICTURE].replace('"cli-khronos"', '"khronos-cli"')},
     [f"{PICTURE}:1: khronos may not include cli", f"{PICTURE}:1: no way from cli to khronos"]),
    ("check_sizes.py", {f"src/core/{i}.cpp": "" for i in range(24)}, []),
    ("check_sizes.py", {f"src/core/{i}.cpp": "" for i in range(25)}, ["src/core: 25 files of source, at most 24 are allowed"]),
    ("check_sizes.py", {f"tests/unit/{i}.cpp": "" for i in range(30)}, []),
    ("check_sizes.py", {f"tests/unit/{i}.cpp": "" for i in range(31)}, ["tests/unit: 31 files of source, at most 30 are allowed"]),
    ("check_sizes.py", {f"src/core/{i}.txt": "" for i in range(31)}, []),
    ("check_sizes.py", {"tests/unit/a.cpp": "\n" * 700, "include/unshade/core/a.def": "\n" * 701}, []),
    ("check_sizes.py", {"tests/unit/a.cpp": "\n" * 701}, ["tests/unit/a.cpp:701: 701 lines, at most 700 are allowed"]),
    ("check_sizes.py", {"src/core/a.cpp": "\n" * 600}, []),
    ("check_sizes.py", {"src/core/a.cpp": "\n" * 601}, ["src/core/a.cpp:601: 601 lines, at most 600 are allowed"]),
    ("check_names.py", {"src/core/a.cpp": ANONYMOUS.format("unshade::core", "constexpr int kMost = 1;"),
                        "src/core/b/c.cpp": ANONYMOUS.format("unshade::core::b", "constexpr const char* kMost[2] = {};")},
     ["src/core/b/c.cpp:3: kMost is also in the anonymous namespace of unshade::core (src/core/a.cpp:3)"]),
    ("check_names.py", {"src/core/a.cpp": ANONYMOUS.format("unshade::core::a", "struct Row {"),
                        "src/core/b/c.cpp": ANONYMOUS.format("unshade::core::b", "struct Row {")}, []),
    ("check_names.py", {"src/core/a.cpp": ANONYMOUS.format("unshade::a", "constexpr int kMost = 1;"),
                        "src/vm/b/c.cpp": ANONYMOUS.format("unshade::a::b", "constexpr int kMost = 1;")}, []),
    ("check_names.py", {"src/core/a.cpp": "thread_local std::uint64_t last = 0;\nvoid print_thread_local();\nprint(\"thread_local x\");  // thread_local x\n"}, []),
    ("check_names.py", {"include/unshade/core/a.hpp": "\nstatic thread_local std::string text;\n"},
     ["include/unshade/core/a.hpp:2: a thread_local object, whose destructor corrupts the heap on Windows"]),
    ("check_names.py", {"src/core/a.cpp": "x = std::floor(x);  // not std::pow(x)\ny = made.sin(x) + ours::pow(x) + of_sin(x);\n", MATH: "std::floor(0.5)\n"}, []),
    ("check_names.py", {"src/core/a.cpp": "x = std::sqrt(x);\n", MATH: "std::floor(0.5)\n"}, [UNKNOWN.format("src/core/a.cpp:1", "sqrt")]),
    ("check_names.py", {"include/unshade/core/a.hpp": "\nx = std::powf(x, ::sin(y)) + cosf(z);\n"},
     [UNKNOWN.format("include/unshade/core/a.hpp:2", name) for name in ("cos", "pow", "sin")]),
    ("check_names.py", {"src/vm/a.inl": "x = __builtin_fma(x, y, z);\n"}, [UNKNOWN.format("src/vm/a.inl:1", "fma")]),
]


def main():
    scripts = pathlib.Path(sys.argv[1]) / "scripts"
    wrong = 0
    for script, files, expected in CASES:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = pathlib.Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, scripts / script, root], capture_output=True, text=True, check=False)
        if run.stdout.splitlines() != expected or run.returncode != (1 if expected else 0):
            wrong += 1
            print(f"{script} of {sorted(files)[0]}: status {run.returncode}\n  expected {expected}\n  printed  {run.stdout.splitlines()}{run.stderr}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

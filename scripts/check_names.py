#!/usr/bin/env python3
"""Checks names of anonymous namespaces, and of the functions of <cmath>: check_names.py [ROOT].

Several files of a room are compiled as one (CMake's unity builds). A constant or type in the anonymous namespace of unshade::a hides nothing
there, but one of the same name in unshade::a::b is found before it, silently and in the wrong file. So no room may have both.

Nor may an object be thread_local: gcc for Windows destroys such objects when their memory is freed already, which corrupts the heap
(observed: mingw-w64's gcc 12). Numbers, which nobody destroys, may; other objects belong to the worker (in_order_with) or to the run.

C libraries differ in what sin() or pow() give, and IEEE 754 does not say which zero fmin() gives. So the product calls only the functions of
<cmath> of which tests/unit/core/math_test.cpp knows the bits.
Prints one line per fault and exits 1, or nothing and 0.
"""
import collections
import re
import sys

from check_includes import run

OPEN = re.compile(r"(?:inline )?namespace ?([\w:]*) ?\{$")
CLOSE = re.compile(r"\}  // namespace")
THREAD_LOCAL = re.compile(r"\bthread_local\b(?! (?:constinit )?(?:bool|int|unsigned|std::size_t|std::u?int\d+_t) \w+ = \w+;)")
TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//.*')
NAME = re.compile(r"(?:(?:static |inline )*(?:constexpr|const|constinit|thread_local) [^=({]*?\b(k\w+)(?:\[\w*\])* ?[={]|(?:struct|class|enum class) (\w+)\b)")

MATH_TEST = "tests/unit/core/math_test.cpp"
MATH = set("""abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod
    fpclassify frexp hypot ilogb isfinite isinf isnan isnormal ldexp lerp lgamma llrint llround log log10 log1p log2 logb lrint lround modf
    nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn signbit sin sincos sinh sqrt tan tanh tgamma trunc""".split())
# Names of C are looked for without std:: where no function of ours has them.
CALL = re.compile(r"(?:\bstd::|\b__builtin_|(?<![\w:.>])::)(\w+)\(|(?<![\w:.>])((?:a?(?:cos|sin|tan)h?|atan2|cbrt|fma|hypot|log10|log1p|pow|rint)f?)\(")
# Where the processor has the instruction, which files must be compiled for.
INSTRUCTIONS = {("include/unshade/ir/numeric/fused.hpp", "fma")}


def names(file):
    """The namespace, line and name of each constant and type in an anonymous namespace."""
    spaces = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        opened = OPEN.match(line)
        if opened:
            spaces.append(opened[1])
        elif CLOSE.match(line) and spaces:
            spaces.pop()
        elif "" in spaces:
            name = NAME.match(line)
            if name:
                yield "::".join(filter(None, spaces)), number, name[1] or name[2]


def thread_locals(root):
    for folder in ("include", "src"):
        for file in sorted((root / folder).rglob("*.[hc]pp")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if THREAD_LOCAL.search(TEXT_OR_COMMENT.sub("", line)):
                    yield f"{file.relative_to(root)}:{number}: a thread_local object, whose destructor corrupts the heap on Windows"


def calls(file):
    """The line and name of each function of <cmath> that a file calls, by std::, by a builtin, or by the name of C; of sinf() it is sin."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        found = (match[1] or match[2] for match in CALL.finditer(line.split("//")[0]))
        names_of_double = {name if name in MATH else name[:-1] for name in found if name in MATH or (name[-1] in "fl" and name[:-1] in MATH)}
        for name in sorted(names_of_double):
            yield number, name


def calls_not_tested(root):
    tests = root / MATH_TEST
    tested = {name for _, name in calls(tests)} if tests.is_file() else set()
    for base in ("src", "include"):
        for file in sorted((root / base).rglob("*")):
            if file.suffix not in (".cpp", ".hpp", ".inl"):
                continue
            path = file.relative_to(root)
            for number, name in calls(file):
                if name not in tested and (path.as_posix(), name) not in INSTRUCTIONS:
                    yield f"{path}:{number}: {name}() of <cmath> may give other bits elsewhere: {MATH_TEST} does not know it"


def faults(root):
    yield from hidden(root)
    yield from thread_locals(root)
    yield from calls_not_tested(root)


def hidden(root):
    rooms = collections.defaultdict(list)
    for file in sorted((root / "src").rglob("*.cpp")):
        path = file.relative_to(root)
        for space, number, name in names(file):
            rooms[path.parts[1], name].append((space, f"{path}:{number}"))
    for (_, name), places in rooms.items():
        for outer, there in places:
            for inner, here in places:
                if inner.startswith(outer + "::"):
                    yield f"{here}: {name} is also in the anonymous namespace of {outer} ({there})"


if __name__ == "__main__":
    sys.exit(run(faults))

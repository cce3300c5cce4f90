#!/usr/bin/env python3
"""Checks names of anonymous namespaces: check_names.py [ROOT].

Several files of a room are compiled as one (CMake's unity builds). A constant or type in the anonymous namespace of unshade::a hides nothing
there, but one of the same name in unshade::a::b is found before it, silently and in the wrong file. So no room may have both.

Nor may an object be thread_local: gcc for Windows destroys such objects when their memory is freed already, which corrupts the heap
(observed: mingw-w64's gcc 12). Numbers, which nobody destroys, may; other objects belong to the worker (in_order_with) or to the run.
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


def faults(root):
    yield from thread_locals(root)
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

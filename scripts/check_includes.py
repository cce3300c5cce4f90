#!/usr/bin/env python3
"""Checks the directions of includes between rooms: check_includes.py [ROOT].

A room is src/NAME and include/unshade/NAME together. ALLOWED gives, for each, what it may include besides itself and the standard library.
Of other rooms only public headers may be included: those in include/unshade.
Headers are included before namespaces begin: what compilers read together (UNSHADE_UNITY) hides that one is read in the middle of a file.
INNER gives the inner rooms (folders) of a room from left to right: each may include what stands left of it.
Also checks that the page and the picture of the rooms in docs/internals show the same.
Prints one line per fault and exits 1, or nothing and 0.
"""
import pathlib
import re
import sys

# Rooms from left to right; siblings (dxbc and dxil, pica and spirv) never include each other. Rooms to come are listed with their place.
ALLOWED = {
    "core": set(),
    "dxcontainer": {"core"},
    "dxbc": {"core", "dxcontainer"},
    "dxil": {"core", "dxcontainer"},
    "pica": {"core"},
    "spirv": {"core"},
    "vbc": {"core", "spirv"},
}
FORMATS = set(ALLOWED)
ALLOWED["khronos"] = {"core", "spirv"}
ALLOWED["ir"] = FORMATS
ALLOWED["texel"] = {"core", "dxcontainer", "ir"}
ALLOWED["vm"] = {"core", "dxcontainer", "ir", "texel"}
ALLOWED["draw"] = {"core", "dxcontainer", "ir", "texel", "vm"}
ALLOWED["shader"] = FORMATS | {"ir"}
ALLOWED["write"] = FORMATS | {"shader", "ir", "texel"}
ALLOWED["picture"] = {"core", "dxcontainer", "ir", "texel"}
ALLOWED["png"] = ALLOWED["picture"] | {"picture"}
ALLOWED["run"] = FORMATS | {"picture", "shader", "ir", "texel", "vm"}
ALLOWED["scene"] = FORMATS | {"run", "picture", "shader", "ir", "texel", "vm", "draw"}
ALLOWED["suite"] = FORMATS | {"scene", "run", "picture", "shader", "ir", "texel", "vm", "draw"}
ALLOWED["amber"] = FORMATS | {"suite", "scene", "run", "picture", "shader", "ir", "texel", "vm", "draw"}
ALLOWED["find"] = FORMATS | {"shader"}
ALLOWED["present"] = FORMATS | {"write", "find", "run", "picture", "shader", "scene", "suite", "ir", "texel", "vm", "draw"}
# What the operating system is asked: for optional rooms and the command.
ALLOWED["system"] = {"core"}
# Optional rooms: present cannot include these, so their documents are theirs.
ALLOWED["document_text"] = {"core", "present"}
ALLOWED["unpack"] = FORMATS | {"system", "shader", "find", "present"}
ALLOWED["index"] = {"core", "system", "shader", "find", "unpack", "present"}
ALLOWED["testing.hpp"] = {"core", "run", "shader"}
ALLOWED["capi"] = FORMATS | {"write", "present", "unpack", "index", "find", "suite", "scene", "run", "picture", "shader", "ir", "texel", "vm", "draw", "testing.hpp"}
ALLOWED["cli"] = FORMATS | {"write", "system", "khronos", "present", "run", "picture", "png", "document_text", "shader", "find", "unpack", "index", "scene", "suite", "amber", "ir", "texel", "vm", "draw"}

# "." stands for the files directly in src/NAME. Public headers belong to no inner room.
INNER = {
    "capi": [".", "run"],
    "cli": ["line", "io", "process", "manual", "print", "stepping", "picture", "write", "testing", "verbs", "."],
    "core": [".", "archive"],
    "dxbc": ["program", "parts", "listing", "level9", "effect", "debug", "assemble", "container", "edit", "validate"],
    "dxcontainer": ["pdb", "root_signature", "."],
    "dxil": ["bitcode", "module", "program", "parts", "listing", "assemble", "edit", "derive", "validate"],
    "ir": [".", "text", "recorded", "passes", "structure", "analysis", "dxbc", "dxil", "pica", "spirv"],
    "pica": [".", "memory", "assemble"],
    "spirv": ["grammar", ".", "interface", "text", "edit", "validate"],
    "present": ["graph", ".", "run", "drawn", "tests"],
    "vm": ["messages", ".", "memory", "sampling", "portable", "recorded", "prepare", "run"],
    "draw": ["tessellator", "wide", "raster", "merger", "."],
    "shader": ["family", "kind", "flow", "reflect", "hlsl", "document", "diff", "edit", "embed", "sources", "capability", "."],
    "write": [".", "spirv", "source", "hlsl", "glsl"],
    "amber": [".", "read", "run", "write"],
    "suite": ["cases", "equivalence", "."],
    "system": [".", "wasi", "posix", "windows"],
    "unpack": ["streams", "archives", "engines", "."],
}

# The one header of C, outside of rooms so that it is <unshade/unshade.h>.
C_HEADER = "include/unshade/unshade.h"
# For tests of those who use the library; the C interface runs shaders by it.
TESTING_HEADER = "include/unshade/testing.hpp"
C_STANDARD = {"stddef.h", "stdint.h"}

PAGE = "docs/internals/architecture.md"
PICTURE = "docs/internals/architecture.svg"
PAGE_ROW = re.compile(r"^\| `(\w+)` \|(?: .* \|)? ([^|]*) \|$", re.MULTILINE)
PICTURE_NAME = re.compile(r'<text class="name"[^>]*>(\w+)<')
PICTURE_ARROW = re.compile(r'<path class="uses" id="(\w+)-(\w+)"')

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# The library stands on the standard library alone; these rooms, which it builds without, may use others.
LIBRARIES = {"cli": ("CLI/",), "document_text": ("yaml.h", "toml++/"), "find": ("xxhash.h",), "png": ("png.h", "zlib.h"), "index": ("pcre2.h", "sqlite3.h", "zstd.h"), "unpack": ("sqlite3.h", "zlib.h", "archive.h", "archive_entry.h", "lz4.h", "lz4frame.h", "lzma.h", "zstd.h"), "khronos": ("spirv-tools/", "spirv_cross/")}
NAMESPACE = re.compile(r"namespace [\w:]* *\{")
SYSTEM = re.compile(r"[a-z0-9_]+")
# Instructions of the processor, and which of them it has, behind an #ifdef and beside portable code.
INTRINSICS = {"arm_acle.h", "arm_neon.h", "cpuid.h", "emmintrin.h", "immintrin.h", "sys/auxv.h"}
# The operating system's: for the halves of the room system alone.
POSIX = {"fcntl.h", "locale.h", "poll.h", "signal.h", "spawn.h", "unistd.h", "sys/inotify.h", "sys/ioctl.h", "sys/prctl.h", "sys/resource.h", "sys/stat.h", "sys/wait.h", "termios.h"}
WINDOWS = {"windows.h", "shellapi.h"}
SYSTEMS = {"src/system/posix": POSIX, "src/system/windows": WINDOWS}
UNWANTED = {"iostream", "locale", "regex"}


def room_of(path):
    """The room of a source path relative to the root, or None outside of rooms."""
    parts = path.parts
    if path.as_posix() == C_HEADER:
        return "capi"
    if path.as_posix() == TESTING_HEADER:
        return "testing.hpp"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "unshade") and len(parts) > 3:
        return parts[2]
    return None


def inner_room_of(path):
    """The inner room of a source path relative to src: "." for files directly in their room. Rooms inside inner rooms belong to these."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else "."


def inner_fault(source, target):
    """What is wrong with an include inside one room, or None. Both are paths relative to src."""
    order = INNER.get(source.split("/")[0])
    if order is None:
        return None
    here, there = inner_room_of(source), inner_room_of(target)
    for name in (here, there):
        if name not in order:
            return f"inner room {name} is not in INNER"
    return None if order.index(there) <= order.index(here) else f"{here} may not include {there} ({target})"


def faults(root):
    for base in ("src", "include"):
        for file in sorted((root / base).rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".def", ".h"):
                continue
            path = file.relative_to(root)
            room = room_of(path)
            if room not in ALLOWED:
                yield f"{path}:1: no known room"
                continue
            in_namespace = False
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                in_namespace = in_namespace or NAMESPACE.match(line) is not None
                match = INCLUDE.match(line)
                if not match:
                    continue
                kind, target = match.groups()
                where = f"{path}:{number}"
                if in_namespace and target.endswith(".hpp"):
                    yield f"{where}: {target} is included within a namespace"
                if target == C_HEADER.removeprefix("include/"):
                    other = "capi"
                elif target in C_STANDARD and path.as_posix() == C_HEADER:
                    continue
                elif target.startswith("unshade/"):
                    other = target.split("/")[1]
                elif kind == '"':
                    other = target.split("/")[0]
                    if base == "include":
                        yield f"{where}: a public header includes the internal {target}"
                elif target.startswith(LIBRARIES.get(room, ("\0",))) or target in SYSTEMS.get(path.parent.as_posix(), ()):
                    continue
                elif (SYSTEM.fullmatch(target) and target not in UNWANTED) or target in INTRINSICS:
                    continue
                else:
                    yield f"{where}: <{target}> is not for {room}"
                    continue
                if other not in ALLOWED:
                    yield f"{where}: {target} belongs to no known room"
                elif other != room and other not in ALLOWED[room]:
                    yield f"{where}: {room} may not include {other} ({target})"
                elif other != room and base == "src" and kind == '"':
                    yield f"{where}: {target} is private to {other}: only headers in include/unshade/{other} are for other rooms"
                elif other == room and base == "src" and kind == '"':
                    fault = inner_fault(path.relative_to("src").as_posix(), target)
                    if fault:
                        yield f"{where}: {fault}"


def page_faults(text):
    """What the tables of the page say otherwise: of rooms, then of inner rooms."""
    rooms, _, inner = text.partition("\n## ")
    used = {}
    for room, uses in PAGE_ROW.findall(rooms):
        names = set() if uses == "nothing" else set(uses.split(", "))
        if "all formats" in names:
            names |= FORMATS
        used[room] = set(ALLOWED) - {"capi", "testing.hpp", room} if uses == "all" else names - {"all formats"}
    if used != {room: uses - {"testing.hpp"} for room, uses in ALLOWED.items() if room != "testing.hpp"}:
        yield f"{PAGE}:1: the table of rooms is not ALLOWED"
    if {room: re.findall(r"`([^`]+)`", order) for room, order in PAGE_ROW.findall(inner)} != INNER:
        yield f"{PAGE}:1: the table of inner rooms is not INNER"


def picture_faults(text):
    """Which rooms and uses are missing in the picture, and which arrows are wrong."""
    names = set(PICTURE_NAME.findall(text))
    for room in sorted(names ^ (set(ALLOWED) - {"testing.hpp"})):
        yield f"{PICTURE}:1: {room} is {'no room' if room in names else 'missing'}"
    reached = {room: set() for room in ALLOWED}
    for room, other in PICTURE_ARROW.findall(text):
        others = FORMATS if other == "formats" else {other}
        if not others <= ALLOWED.get(room, set()):
            yield f"{PICTURE}:1: {room} may not include {other}"
        reached.setdefault(room, set()).update(others)
    for _ in ALLOWED:
        for uses in reached.values():
            uses.update(*(reached.get(other, ()) for other in tuple(uses)))
    for room, uses in ALLOWED.items():
        for other in sorted(uses - reached[room] - {"testing.hpp"}):
            if room != "testing.hpp":
                yield f"{PICTURE}:1: no way from {room} to {other}"


def documented_faults(root):
    for path, check in ((PAGE, page_faults), (PICTURE, picture_faults)):
        if (root / path).is_file():
            yield from check((root / path).read_text(encoding="utf-8"))


def all_faults(root):
    yield from faults(root)
    yield from documented_faults(root)


def run(check):
    """Prints what a check of the tree finds; the status to exit with."""
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(check(root))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(run(all_faults))

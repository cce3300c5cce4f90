#!/usr/bin/env python3
"""Makes unshade/_c.py, the C interface as ctypes has it, of the header: interface.py include/unshade/unshade.h OUTPUT

The header is regular: enumerations of numbers, structs of plain members that begin with struct_size or are items of a list, functions that begin with
UNSHADE_API. What this script does not understand ends it with the declaration, so that nothing of the interface is left out silently.
"""
import keyword
import pathlib
import re
import sys

# C type: (ctypes, what Python sees of a struct's member or a result).
NUMBERS = {
    "int": ("ctypes.c_int", "int"),
    "int32_t": ("ctypes.c_int32", "int"),
    "int64_t": ("ctypes.c_int64", "int"),
    "uint8_t": ("ctypes.c_uint8", "int"),
    "uint32_t": ("ctypes.c_uint32", "int"),
    "uint64_t": ("ctypes.c_uint64", "int"),
    "size_t": ("ctypes.c_size_t", "int"),
    "float": ("ctypes.c_float", "float"),
    "double": ("ctypes.c_double", "float"),
}
HEAD = '''"""The functions, structs and numbers of include/unshade/unshade.h, whose comments document them. Made by python/tools/interface.py."""
# fmt: off
from __future__ import annotations

import ctypes
from typing import Any, Callable, Final, Optional

from ._library import library

# What `const void *` takes; pointers to anything else are made by ctypes.byref() or are arrays.
Bytes = Any
Handle = Optional[int]
'''


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    # Nor what is for the preprocessor alone, and the end of extern "C".
    return "\n".join(line for line in text.split("\n") if not line.startswith("#") and line != "}")


def python_name(name):
    """unshade_rename_item: RenameItem."""
    return "".join(word.capitalize() for word in name.removeprefix("unshade_").split("_"))


class Header:
    def __init__(self, text):
        # Macros that are numbers.
        self.constants = [(name, value) for name, value in re.findall(r"^#define (UNSHADE_[A-Z_]+) (0x[0-9a-f]+)u?(?:ll)?$", text, flags=re.M)]
        self.numbers = dict(NUMBERS)
        self.structs = {}
        self.functions = []
        text = without_comments(text).replace('extern "C" {', "")
        declarations = [" ".join(declaration.split()) for declaration in re.split(r";(?![^{]*\})", text)]
        # Functions last: they may take structs that are declared below them.
        for declaration in sorted(declarations, key=lambda one: one.startswith("UNSHADE_API")):
            self.read(declaration)

    def read(self, text):
        if not text:
            return
        enumeration = re.fullmatch(r"enum \{(.*)\}", text)
        number = re.fullmatch(r"typedef (\w+) (unshade_\w+)", text)
        opaque = re.fullmatch(r"(?:typedef )?struct (\w+)(?: \1)?", text)
        struct = re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", text)
        function = re.fullmatch(r"UNSHADE_API (.*?)(\w+)\((.*)\)", text)
        if enumeration:
            for item in enumeration[1].split(","):
                if item.strip():
                    name, value = (word.strip() for word in item.split("="))
                    self.constants.append((name, str(int(value, 0))))
        elif number:
            self.numbers[number[2]] = self.numbers[number[1]]
        elif struct:
            self.structs[struct[1]] = [self.member(member.strip()) for member in struct[2].split(";") if member.strip()]
        elif opaque:
            pass
        elif function:
            arguments = [] if function[3] in ("", "void") else [self.argument(word.strip()) for word in function[3].split(",")]
            self.functions.append((function[2], self.result(function[1].strip()), arguments))
        else:
            sys.exit(f"interface.py does not understand: {text}")

    def member(self, text):
        """(name, ctypes, what Python sees)."""
        array = re.fullmatch(r"(\w+) (\w+)\[(\d+)\]", text)
        if array:
            kind = self.numbers[array[1]][0]
            return array[2], f"{kind} * {array[3]}", "Any"
        pointer = re.fullmatch(r"const (\w+) \*(\w+)", text)
        if pointer:
            return pointer[2], *{"char": ("ctypes.c_char_p", "Optional[bytes]"), "void": ("ctypes.c_void_p", "Handle")}.get(
                pointer[1], ("ctypes.c_void_p", "Handle"))
        kind, name = text.split()
        if kind not in self.numbers:
            sys.exit(f"interface.py does not understand the member: {text}")
        return name, *self.numbers[kind]

    def argument(self, text):
        """(ctypes, what Python passes)."""
        parsed = re.fullmatch(r"(?:const )?(?:struct )?(\w+) ((?:\*(?:const )?)*)(\w+)", text.replace("* *", "**").replace("*const *", "**"))
        if not parsed:
            sys.exit(f"interface.py does not understand the argument: {text}")
        kind, stars = parsed[1], parsed[2].count("*")
        if stars == 0:
            return self.numbers[kind] if kind in self.numbers else sys.exit(f"interface.py does not know the type: {text}")
        if stars == 2:
            return "ctypes.POINTER(ctypes.c_void_p)", "Any"
        if kind == "char":
            return "ctypes.c_char_p", "Optional[bytes]"
        if kind == "void":
            return "ctypes.c_void_p", "Bytes"
        if kind in self.structs:
            return f"ctypes.POINTER({python_name(kind)})", "Any"
        if kind in self.numbers:
            return f"ctypes.POINTER({self.numbers[kind][0]})", "Any"
        return "ctypes.c_void_p", "Handle"

    def result(self, text):
        """(ctypes or None, what Python gets)."""
        if text == "void":
            return "None", "None"
        if text in self.numbers:
            return self.numbers[text]
        if text == "const char *":
            return "ctypes.c_char_p", "Optional[bytes]"
        if text.endswith("*"):
            return "ctypes.c_void_p", "Handle"
        sys.exit(f"interface.py does not know the result: {text}")

    def print(self):
        lines = [HEAD]
        lines += [f"{name}: Final = {value}" for name, value in self.constants]
        for name, members in self.structs.items():
            lines += ["", "", f"class {python_name(name)}(ctypes.Structure):"]
            lines += [f"    {member}: {seen}" for member, _, seen in members if not keyword.iskeyword(member)]
            lines += ["    _fields_ = ["] + [f'        ("{member}", {kind}),' for member, kind, _ in members] + ["    ]"]
        lines += ["", "", "def _function(name: str, result: Any, *arguments: Any) -> Any:", "    function = getattr(library, name)",
                  "    function.restype = result", "    function.argtypes = arguments", "    return function", "", ""]
        for name, (kind, seen), arguments in self.functions:
            words = ", ".join([f'"{name}"', kind, *(argument[0] for argument in arguments)])
            passed = ", ".join(argument[1] for argument in arguments)
            lines.append(f"{name}: Callable[[{passed}], {seen}] = _function({words})")
        return "\n".join(lines) + "\n"


def main():
    header, output = (pathlib.Path(word) for word in sys.argv[1:])
    text = Header(header.read_text()).print()
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()

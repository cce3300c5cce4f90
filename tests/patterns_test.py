#!/usr/bin/env python3
"""Whether packaging/patterns describes files as the command does: patterns_test.py UNSHADE SOURCE.

Small interpreters of the subsets of Kaitai Struct's language and of ImHex's that the patterns use read every sample; each number that they read must be
one of `unshade dump --json`, at its place, of its size and with its value. With kaitai-struct-compiler and kaitai-struct for Node (UNSHADE_KAITAI, or
web/page/node_modules) the .ksy are compiled and read the samples too.
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("python3-yaml is not there: skipped")
    sys.exit(77)

SAMPLES = {"dxcontainer": ["tests/data/dxbc/*.dxbc", "tests/data/dxil/*.dxil", "tests/data/effects/*"], "shbin": ["tests/data/pica/*.shbin"],
           "vbc": ["tests/data/vbc/[!s]*.vbc"]}  # subpass.vbc has records of its writer's memory


class Record(dict):
    """Fields by name."""

    def __getattr__(self, name):
        return self[name]


class Reader:
    """Reads numbers and texts, and keeps them: (offset, size) -> value."""

    def __init__(self, data):
        self.data, self.leaves = data, {}

    def number(self, offset, size, kind="u"):
        if offset < 0 or offset + size > len(self.data):
            raise ValueError(f"{size} bytes at {offset} are beyond the file")
        value = struct.unpack_from("<f", self.data, offset)[0] if kind == "f" else int.from_bytes(self.data[offset:offset + size], "little", signed=kind == "s")
        self.leaves[offset, size] = value
        return value

    def text(self, offset):
        end = self.data.index(b"\0", offset)
        self.leaves[offset, end + 1 - offset] = self.data[offset:end].decode()
        return end + 1 - offset


class Kaitai:
    """seq, instances, switch-on, repeat-expr, size, contents, strz: what the .ksy use."""

    def __init__(self, text):
        self.root = yaml.safe_load(text)
        self.types = self.root["types"]

    def read(self, data):
        reader = Reader(data)
        self.reader = reader
        self.record(self.root, 0, len(data), 0)
        return reader.leaves

    def value(self, expression, scope, base, end):
        if isinstance(expression, int):
            return expression
        words = expression.replace("_io.size", str(end - base)).replace(".to_i", "")
        if " ? " in words:
            condition, yes, no = re.fullmatch(r"(.+) \? (.+) : (.+)", words).groups()
            return self.value(yes if self.value(condition, scope, base, end) else no, scope, base, end)
        return eval(words, {"__builtins__": {}}, scope)

    def record(self, described, base, end, at):
        """The fields, and the offset behind the record. base, end: of the stream that it is in."""
        scope = Record()
        for field in described.get("seq", []):
            if "if" in field and not self.value(field["if"], scope, base, end):
                continue
            at = self.field(field, scope, base, end, at, field["id"])
        for name, field in described.get("instances", {}).items():
            if "if" in field and not self.value(field["if"], scope, base, end):
                continue
            outer = "io" in field
            start, stop = (0, len(self.reader.data)) if outer else (base, end)
            self.field(field, scope, start, stop, start + self.value(field["pos"], scope, base, end), name)
        return scope, at

    def field(self, field, scope, base, end, at, name):
        if "contents" in field:
            if list(self.reader.data[at:at + len(field["contents"])]) != field["contents"]:
                raise ValueError(f"{name} at {at} is another")
            self.reader.leaves[at, len(field["contents"])] = None
            return at + len(field["contents"])
        kind = field.get("type")
        if "size" in field or "size-eos" in field:
            size = end - at if "size-eos" in field else self.value(field["size"], scope, base, end)
            if size > end - at:
                raise ValueError(f"{name} at {at} is cut off")
            if kind is not None:
                self.one(kind, field, scope, at, at + size, at, name, (base, end))
            return at + size
        if field.get("repeat") == "expr":
            listed = []
            for _ in range(self.value(field["repeat-expr"], scope, base, end)):
                at = self.one(kind, field, scope, base, end, at, name, (base, end))
                listed.append(scope.get(name))
            scope[name] = listed
            return at
        return self.one(kind, field, scope, base, end, at, name, (base, end))

    def one(self, kind, field, scope, base, end, at, name, outer):
        if isinstance(kind, dict):
            cases = kind["cases"]
            kind = cases.get(self.value(kind["switch-on"], scope, *outer), cases.get("_"))
            if kind is None:
                return at
        if kind == "strz":
            return at + self.reader.text(at)
        if re.fullmatch(r"[usf][1248]", kind):
            scope[name] = self.reader.number(at, int(kind[1]), kind[0])
            return at + int(kind[1])
        scope[name], at = self.record(self.types[kind], base, end, at)
        return at


class ImHex:
    """enum, struct with parameters, if and else, arrays, placement: what the .hexpat use."""

    TOKEN = re.compile(r"\s+|//[^\n]*|#[^\n]*|(0x[0-9A-Fa-f]+|\d+|[A-Za-z_]\w*|::|[<>=!]=|[^\s\w])")
    BUILT_IN = {"u8": (1, "u"), "u16": (2, "u"), "u32": (4, "u"), "u64": (8, "u"), "s8": (1, "s"), "s16": (2, "s"), "s32": (4, "s"), "float": (4, "f")}

    def __init__(self, text):
        self.tokens = [token for token in self.TOKEN.findall(text) if token]
        self.at = 0
        self.enums, self.structs, self.declared, self.placed = {}, {}, set(), []
        while self.at < len(self.tokens):
            self.statement()

    def take(self, *expected):
        for word in expected:
            if self.tokens[self.at] != word:
                raise SyntaxError(f"expected {word}, found {self.tokens[self.at - 3:self.at + 3]}")
            self.at += 1

    def name(self):
        self.at += 1
        if not re.fullmatch(r"[A-Za-z_]\w*", self.tokens[self.at - 1]):
            raise SyntaxError(f"{self.tokens[self.at - 1]} is no name")
        return self.tokens[self.at - 1]

    def new_name(self):
        name = self.name()
        if name in self.enums or name in self.structs or name in self.BUILT_IN:
            raise SyntaxError(f"{name} is defined twice")
        return name

    def until(self, *ends):
        """The tokens up to one of these, outside of parentheses."""
        depth, taken = 0, []
        while depth or self.tokens[self.at] not in ends:
            depth += (self.tokens[self.at] in "([") - (self.tokens[self.at] in ")]")
            taken.append(self.tokens[self.at])
            self.at += 1
        return taken

    def parameters(self):
        names = []
        if self.tokens[self.at] == "<":
            self.take("<")
            while self.tokens[self.at] != ">":
                if self.tokens[self.at] == ",":
                    self.take(",")
                self.take("auto")
                names.append(self.name())
            self.take(">")
        return names

    def statement(self):
        word = self.name()
        if word == "import":
            self.until(";")
        elif word == "using":
            self.declared.add(self.name())
            self.parameters()
        elif word == "enum":
            name = self.new_name()
            self.take(":")
            self.enums[name] = self.BUILT_IN[self.name()]
            self.take("{")
            values = set()
            while self.tokens[self.at] != "}":
                value = self.name()
                if value in values:
                    raise SyntaxError(f"{value} is twice in {name}")
                values.add(value)
                self.take("=")
                self.until(",")
                self.take(",")
            self.take("}")
        elif word == "struct":
            name = self.new_name()
            parameters = self.parameters()
            self.take("{")
            body = []
            while self.tokens[self.at] != "}":
                body.append(self.member())
            self.take("}")
            self.structs[name] = parameters, body
        else:
            self.at -= 1
            self.placed.append(self.member())
            return
        self.take(";")

    def member(self):
        if self.tokens[self.at] == "if":
            self.take("if", "(")
            condition = self.until(")")
            self.take(")")
            yes, no = self.member(), None
            if self.tokens[self.at] == "else":
                self.take("else")
                no = self.member()
            return "if", condition, yes, no
        kind = self.name()
        if kind not in self.structs and kind not in self.declared and kind not in self.enums and kind not in self.BUILT_IN and kind != "char":
            raise SyntaxError(f"nothing says what {kind} is")
        arguments = []
        if self.tokens[self.at] == "<":
            self.take("<")
            while self.tokens[self.at] != ">":
                arguments.append(self.until(",", ">"))
                if self.tokens[self.at] == ",":
                    self.take(",")
            self.take(">")
        name, count, place, value = self.name(), None, None, None
        if self.tokens[self.at] == "[":
            self.take("[")
            count = self.until("]")
            self.take("]")
        if self.tokens[self.at] == "=":
            self.take("=")
            value = self.until(";")
        if self.tokens[self.at] == "@":
            self.take("@")
            place = self.until(";")
        self.take(";")
        return "member", kind, arguments, name, count, place, value

    def read(self, data):
        self.reader = Reader(data)
        for member in self.placed:
            self.run(member, Record(), 0)
        return self.reader.leaves

    def value(self, tokens, scope, at):
        words = " ".join(tokens).replace("$", str(at)).replace(" . ", ".").replace("std :: mem :: ", "")
        words = re.sub(r"(.+) \? (.+) : (.+)", r"(\2) if (\1) else (\3)", words)
        words = re.sub(r"read_unsigned \((.*?) , 4 \)", r"read(\1)", words)
        words = re.sub(r"u32 \( (\w+) \)", r"\1", words)
        return eval(words, {"__builtins__": {}, "read": lambda offset: int.from_bytes(self.reader.data[offset:offset + 4], "little")}, scope)

    def run(self, member, scope, at):
        if member[0] == "if":
            _, condition, yes, no = member
            chosen = yes if self.value(condition, scope, at) else no
            return at if chosen is None else self.run(chosen, scope, at)
        _, kind, arguments, name, count, place, value = member
        if value is not None:
            scope[name] = self.value(value, scope, at)
            return at
        start = at if place is None else self.value(place, scope, at)
        behind = start
        if kind == "char" and count == []:
            behind += self.reader.text(start)
        elif kind == "u8" and count is not None:
            behind += self.value(count, scope, at)
            if behind > len(self.reader.data):
                raise ValueError(f"{name} at {start} is cut off")
        else:
            listed = []
            for _ in range(1 if count is None else self.value(count, scope, at)):
                made, behind = self.one(kind, [self.value(argument, scope, at) for argument in arguments], behind)
                listed.append(made)
            scope[name] = listed[0] if count is None else listed
        return at if place is not None else behind

    def one(self, kind, arguments, at):
        if kind in self.BUILT_IN or kind in self.enums:
            size, form = self.BUILT_IN.get(kind) or self.enums[kind]
            return self.reader.number(at, size, form), at + size
        parameters, body = self.structs[kind]
        if len(parameters) != len(arguments):
            raise SyntaxError(f"{kind} has {len(parameters)} parameters, not {len(arguments)}")
        scope = Record(zip(parameters, arguments))
        for member in body:
            at = self.run(member, scope, at)
        return scope, at


COMPILED = r"""
const path = require('path'), fs = require('fs'), folder = process.argv[1];
const compiler = require(path.join(folder, 'kaitai-struct-compiler')), runtime = require(path.join(folder, 'kaitai-struct'));
const source = JSON.parse(fs.readFileSync(0, 'utf8'));
const made = (compiler.compile ? compiler : new compiler()).compile('javascript', source, null, true);
const leaves = [], seen = new Set();
const walk = (object) => {
  if (typeof object !== 'object' || object === null || object instanceof Uint8Array || seen.has(object)) return;
  seen.add(object);
  if (Array.isArray(object)) return object.forEach(walk);
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => !/^_|^constructor$/.test(name));
  for (const name of names) try { object[name]; } catch (error) { leaves.push({fault: `${name}: ${error.message}`}); }
  for (const [name, place] of Object.entries(object._debug || {})) {
    if (typeof object[name] === 'number' && place.start !== undefined)
      leaves.push({at: place.start + (place.ioOffset || 0), size: place.end - place.start, value: object[name]});
  }
  for (const [name, value] of Object.entries(object)) if (!['_io', '_parent', '_root', '_debug'].includes(name.replace(/^_m_/, ''))) walk(value);
};
Promise.resolve(made).then((files) => {
  const module = {exports: {}};
  const code = Object.values(files)[0];
  const wanted = (name) => name.includes('KaitaiStream') ? runtime.KaitaiStream || runtime : require(name);
  new Function('module', 'exports', 'require', code)(module, module.exports, wanted);
  const Root = typeof module.exports === 'function' ? module.exports : Object.values(module.exports)[0];
  const Stream = runtime.KaitaiStream || runtime;
  const found = process.argv.slice(2).map((file) => {
    leaves.length = 0;
    const bytes = fs.readFileSync(file);
    const root = new Root(new Stream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
    if (root._read) root._read();
    walk(root);
    return leaves.slice();
  });
  console.log(JSON.stringify(found));
}).catch((error) => { console.error(error); process.exit(1); });
"""


def tree_leaves(unshade, path):
    """(offset, size) -> value of all leaves."""
    leaves = {}

    def walk(fields):
        for field in fields:
            if "fields" in field:
                walk(field["fields"])
            else:
                leaves[field["offset"], field["size"]] = field.get("value")

    dumped = subprocess.run([unshade, "dump", "--json", path], stdout=subprocess.PIPE, check=True).stdout
    walk(json.loads(dumped)["files"][0]["fields"])
    return leaves


def faults_of(what, found, leaves):
    """What a pattern read that the command reads in another way."""
    faults = []
    for (offset, size), value in found.items():
        if (offset, size) not in leaves:
            faults.append(f"{what}: {size} bytes at 0x{offset:x} are no field")
            continue
        told = leaves[offset, size]
        if isinstance(value, int) and isinstance(told, int) and value % 2**(8 * size) != told % 2**(8 * size):
            faults.append(f"{what}: 0x{offset:x} is {value}, not {told}")
        if isinstance(value, str) and isinstance(told, str) and value != told:
            faults.append(f"{what}: 0x{offset:x} is {value!r}, not {told!r}")
    return faults


def node_modules(source):
    """Where Kaitai Struct's compiler and runtime are, or None."""
    for folder in (os.environ.get("UNSHADE_KAITAI"), source / "web/page/node_modules"):
        if folder and (pathlib.Path(folder) / "kaitai-struct-compiler").is_dir() and (pathlib.Path(folder) / "kaitai-struct").is_dir() and shutil.which("node"):
            return str(pathlib.Path(folder).resolve())
    return None


def main():
    unshade, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    faults, numbers = [], 0
    for name, globs in SAMPLES.items():
        files = [str(path) for glob in globs for path in sorted(source.glob(glob)) if path.read_bytes()[:4] in (b"DXBC", b"DVLB", b"VBC\1")]
        trees = {path: tree_leaves(unshade, path) for path in files}
        for kind, interpreter in ((".ksy", Kaitai), (".hexpat", ImHex)):
            text = (source / "packaging/patterns" / (name + kind)).read_text()
            pattern = interpreter(text)
            for path in files:
                found = pattern.read(pathlib.Path(path).read_bytes())
                numbers += len(found)
                faults += faults_of(f"{name}{kind}, {path}", found, trees[path])
                if len(found) < 12:
                    faults.append(f"{name}{kind}, {path}: only {len(found)} fields were read")
        modules = node_modules(source)
        if modules is None:
            print(f"{name}.ksy: no kaitai-struct-compiler for Node (UNSHADE_KAITAI), so that it was not compiled")
            continue
        ksy = yaml.safe_load((source / "packaging/patterns" / (name + ".ksy")).read_text())
        done = subprocess.run(["node", "-e", COMPILED, modules, *files], input=json.dumps(ksy).encode(), stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            faults.append(f"{name}.ksy: cannot be compiled, or its parser fails")
            continue
        for path, leaves in zip(files, json.loads(done.stdout)):
            faults += [f"{name}.ksy compiled, {path}: {leaf['fault']}" for leaf in leaves if "fault" in leaf]
            found = {(leaf["at"], leaf["size"]): leaf["value"] for leaf in leaves if "at" in leaf}
            numbers += len(found)
            faults += faults_of(f"{name}.ksy compiled, {path}", found, trees[path])
    for fault in faults[:40]:
        print(fault, file=sys.stderr)
    print(f"{numbers} fields, {len(faults)} faults")
    sys.exit(1 if faults or numbers < 1000 else 0)


if __name__ == "__main__":
    main()

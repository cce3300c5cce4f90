#!/usr/bin/env python3
"""Whether `unshade run --against` finds no difference where there is none, and one where there is: against_self.py UNSHADE [--count N] [FOLDER...]

    ninja -C build/dev unshade_cli
    scripts/compare/against_self.py build/dev/unshade --count 400

Takes the files of the folders (the corpus) that run: N of them, those whose path has the least SHA-256, or all with `--count 0`. Each is run against

itself, the same bytes
stripped    by each option of `unshade strip` that changes it
renamed     all that `unshade edit --rename` can rename and is no part of the interface: resources and variables, in SPIR-V inputs and outputs, too
again       what `unshade as` makes of its listing
changed     the same listing with one instruction changed, `--changes` (3) times, by a seed that is the file's SHA-256: another opcode, swizzle, component,
            constant, register or binding. A change that does not assemble, that the machine does not run, or that leaves the same optimized code
            of the IR (the letter of a sampler, a component that an instruction ignores: "no effect"), is drawn again

The first four must not differ, and none may be refused. A change that 96 generated sets of inputs do not find is looked for with 512 others: "late" if these
find it, "never" if they do not. What is never found need not reach an output, which this script cannot decide without asking the tool itself: `--report
FILE` gets the line before and after for each, to be looked at: dead code, a factor of zero, a branch that is never taken, a result that is clamped.

Prints a line for what is wrong and a table; exits 0 if nothing differs that must not, 1 if something does, 77 (skipped) without files.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus

SUFFIXES = (".dxbc", ".dxil", ".bc", ".spv", ".shbin", ".vbc", ".dxcontainer", ".cso")
STRIPS = ("--debug", "--reflection", "--private", "--statistics", "--everything")
TRIES = 24

# --- one instruction changed ----------------------------------------------------------------------------------------------------------------


def swapped(pairs):
    made = {}
    for pair in pairs.split():
        a, b = pair.split(":")
        made[a] = b
        made.setdefault(b, a)
    return made


DXBC = swapped("add:mul max:min lt:ge eq:ne iadd:isub ilt:ige ult:uge ieq:ine and:or umax:umin imax:imin dp3:dp2 dp4:dp3 sqrt:rsq ftou:ftoi itof:utof "
               "round_ne:round_ni round_pi:round_z ishl:ushr exp:log movc:swapc")
LLVM = swapped("fadd:fsub fmul:fadd fdiv:fmul add:sub mul:add and:or shl:lshr uitofp:sitofp fptoui:fptosi")
COMPARED = swapped("olt:oge ogt:ole oeq:une ult:uge ugt:ule slt:sge sgt:sle eq:ne")
CALLED = {"6": "7", "7": "6", "12": "13", "13": "12", "22": "24", "24": "22", "25": "24", "35": "36", "36": "35", "37": "38", "38": "37", "39": "40",
          "40": "39"}
SPIRV = swapped("OpFAdd:OpFSub OpFMul:OpFAdd OpFDiv:OpFMul OpIAdd:OpISub OpIMul:OpIAdd OpFOrdLessThan:OpFOrdGreaterThanEqual "
                "OpFOrdGreaterThan:OpFOrdLessThanEqual OpFOrdEqual:OpFOrdNotEqual OpSLessThan:OpSGreaterThanEqual OpULessThan:OpUGreaterThanEqual "
                "OpIEqual:OpINotEqual OpLogicalAnd:OpLogicalOr OpBitwiseAnd:OpBitwiseOr OpShiftLeftLogical:OpShiftRightLogical OpUDiv:OpUMod "
                "OpSDiv:OpSRem OpConvertSToF:OpConvertUToF OpVectorTimesMatrix:OpMatrixTimesVector")
GLSL = swapped("FMax:FMin SMax:SMin UMax:UMin Sin:Cos Sqrt:InverseSqrt Exp2:Log2 Floor:Ceil Fract:Trunc FAbs:FSign Exp:Log")
PICA = swapped("add:mul max:min dp3:dp4 sge:slt ex2:lg2 rcp:rsq flr:mov")


def another_number(text, is_whole=True):
    if is_whole and re.fullmatch(r"-?\d+", text):
        return str(int(text) + 1)
    return "%.6f" % (float(text) * 1.5 + 0.25)


def spans(pattern, line, choose):
    """Ways to change what a pattern finds: texts of the whole line."""
    for found in re.finditer(pattern, line):
        for other in choose(found):
            if other is not None and other != found.group(0):
                yield line[:found.start()] + other + line[found.end():]


def rotated(swizzle):
    return "".join("xyzw"[("xyzw".index(c) + 1) % 4] for c in swizzle)


def of_dxbc(line, text):
    code = re.match(r"\s*(?:\d+:\s+)?([a-z]\w*)", line)
    if not code or line.lstrip().startswith(("dcl_", "//", "#", "ret", "else", "end", "break", "loop", "default")):
        return
    word = code.group(1)
    base = word.removesuffix("_sat")
    if base in DXBC:
        yield line[:code.start(1)] + DXBC[base] + word[len(base):] + line[code.end(1):]
    comma = line.find(",")
    if comma < 0:
        return
    head, rest = line[:comma], line[comma:]
    for changed in spans(r"(?<=[\w\]|])\.([xyzw]{1,4})\b", rest, lambda m: ["." + rotated(m.group(1))]):
        yield head + changed
    for changed in spans(r"cb\d+\[(\d+)\]", rest, lambda m: [m.group(0)[:m.start(1) - m.start()] + str(int(m.group(1)) - 1) + "]"]
                         if m.group(1) != "0" else []):
        yield head + changed
    mask = re.search(r"\.([xyzw]+)$", head)
    for found in re.finditer(r"l\(([^)]*)\)", rest):
        numbers = [one.strip() for one in found.group(1).split(",")]
        for at, number in enumerate(numbers):
            is_used = len(numbers) == 1 or mask is None or "xyzw"[at] in mask.group(1) or base.startswith(("dp", "sample", "ld", "gather"))
            if is_used and re.fullmatch(r"-?\d+(?:\.\d*)?", number):
                changed = ", ".join(numbers[:at] + [another_number(number, base not in ("mov", "movc"))] + numbers[at + 1:])
                yield head + rest[:found.start()] + "l(" + changed + ")" + rest[found.end():]
    textures = re.findall(r"^dcl_resource_(\w+) .*\b(t\d+)$", text, re.M)
    kinds = {name: kind for kind, name in textures}
    for changed in spans(r"\bt(\d+)(?=\.)", rest, lambda m: [name for name, kind in kinds.items() if kind == kinds.get(m.group(0))]):
        yield head + changed


def of_dxil(line, text):
    body = line.split(";")[0].rstrip()
    op = re.match(r"\s+(?:%\S+ = )(?:(fast) )?(\w+) ", body)
    if op and op.group(2) in LLVM:
        yield body[:op.start(2)] + LLVM[op.group(2)] + body[op.end(2):].replace(" fast", "" if LLVM[op.group(2)] in ("sub", "add") else " fast", 1)
    yield from spans(r"(?<=cmp )(fast )?(\w+)(?= )", body, lambda m: [(m.group(1) or "") + COMPARED[m.group(2)]] if m.group(2) in COMPARED else [])
    yield from spans(r"(@dx\.op\.(?:unary|binary)\.\w+\(i32 )(\d+)(?=,)", body, lambda m: [m.group(1) + CALLED[m.group(2)]] if m.group(2) in CALLED else [])
    yield from spans(r"(?<=extractvalue )(%dx\.types\.(?:CBufRet|ResRet)\.\w+ %\S+, )([0-3])$", body,
                     lambda m: [m.group(1) + str((int(m.group(2)) + 1) % 4)])
    yield from spans(r"(?<=float )-?\d\.\d+e[+-]\d+", body, lambda m: ["%.6e" % (float(m.group(0)) * 1.5 + 0.25)])
    yield from spans(r"(@dx\.op\.cbufferLoadLegacy\.\w+\(i32 59, %dx\.types\.Handle %\S+, i32 )(\d+)", body,
                     lambda m: [m.group(1) + str(int(m.group(2)) - 1)] if m.group(2) != "0" else [])
    yield from spans(r"(@dx\.op\.loadInput\.\w+\(i32 4, i32 \d+, i32 \d+, i8 )([0-3])", body, lambda m: [m.group(1) + str((int(m.group(2)) + 1) % 4)])


def of_spirv(line, text):
    code = re.search(r"\bOp\w+", line)
    if not code:
        return
    word = code.group(0)
    if word in SPIRV:
        yield line[:code.start()] + SPIRV[word] + line[code.end():]
    if word == "OpExtInst":
        for rest in spans(r"(?<= )[A-Z]\w+(?= %)", line[code.end():], lambda m: [GLSL.get(m.group(0))]):
            yield line[:code.end()] + rest
    if word == "OpCompositeExtract":
        yield from spans(r"(?<= )(\d)$", line, lambda m: [str((int(m.group(1)) + 1) % 4), "0"])
    if word == "OpVectorShuffle":
        yield from spans(r"(?<= )(\d)(?= |$)", line, lambda m: [str((int(m.group(1)) + 1) % 4)])
    if word == "OpConstant":
        yield from spans(r"(?<= )-?\d+\.\d+(?:e[+-]?\d+)?$|(?<= )-?0\.\d+$", line, lambda m: [repr(float(m.group(0)) * 1.5 + 0.25)])
    if word in ("OpFSub", "OpFDiv", "OpSelect", "OpISub"):
        yield from spans(r"(%\S+) (%\S+)$", line, lambda m: [m.group(2) + " " + m.group(1)])
    if word == "OpLoad":
        # another variable of the same type
        name = line.rsplit(" ", 1)[-1]
        kinds = dict(re.findall(r"^\s*(%\S+) = OpVariable (%\S+) (?:UniformConstant|Input)", text, re.M))
        if name in kinds:
            for other, kind in kinds.items():
                if kind == kinds[name] and other != name:
                    yield line[:len(line) - len(name)] + other


def of_pica(line, text):
    code = re.match(r"\s+([a-z]\w*) ", line)
    if not code or code.group(1) in ("call", "callu", "callc", "jmpc", "jmpu", "ifu", "ifc", "for", "breakc", "nop", "end", "emit", "setemit", "cmp"):
        return
    if code.group(1) in PICA:
        yield line[:code.start(1)] + PICA[code.group(1)] + line[code.end(1):]
    comma = line.find(",")
    if comma < 0:
        return
    head, rest = line[:comma], line[comma:]
    for changed in spans(r"\.([xyzw]{1,4})\b", rest, lambda m: ["." + rotated(m.group(1))]):
        yield head + changed
    for changed in spans(r"\[(\d)\]", rest, lambda m: ["[" + ("1" if m.group(1) == "0" else str(int(m.group(1)) - 1)) + "]"]):
        yield head + changed


def language_of(path, text):
    if path.suffix == ".shbin":
        return of_pica
    if path.suffix == ".spv":
        return of_spirv
    return of_dxil if re.search(r"^define ", text, re.M) else of_dxbc


def places_of(change, lines):
    """Numbers of the lines of instructions: of DXBC those of the last program, whose level 9 comes before it."""
    if change is of_dxbc:
        first = max((n for n, line in enumerate(lines) if re.match(r"[pvghdc]s_[45]_\d", line)), default=len(lines))
        return range(first + 1, len(lines))
    if change is of_dxil:
        made, inside = [], False
        for n, line in enumerate(lines):
            inside = (inside or line.startswith("define ")) and not line.startswith("}")
            if inside:
                made.append(n)
        return made
    return range(len(lines))


# --- runs -----------------------------------------------------------------------------------------------------------------------------------


class Work:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)

    def run(self, *words, text=None):
        try:
            return subprocess.run([self.options.unshade, *map(str, words)], input=text, capture_output=True, text=True, timeout=self.options.timeout,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return None

    def against(self, first, second, *more):
        """`same`, `differs`, `refused`, `unsupported`, `timeout` or `error`, and what was said."""
        sets = more or (["--random", self.options.random] if self.options.random else [])
        ran = self.run("run", "--budget", self.options.budget, "--against", first, second, *sets)
        if ran is None:
            return "timeout", ""
        said = (ran.stdout + ran.stderr).strip()
        if ran.returncode == 0:
            return "same", said
        if "error[interface]" in said:
            return "refused", said
        if "unsupported" in said:
            return "unsupported", said
        if "error[" in said:
            return "error", said
        return ("differs" if "differ" in said or "against" in said or ran.stdout else "error"), said

    def renames(self, path, is_vulkan):
        ran = self.run("reflect", "--json", path)
        if ran is None or ran.returncode != 0:
            return []
        reflection = json.loads(ran.stdout)["files"][0]
        made, known = [], set()

        def add(kind, name):
            if name and re.fullmatch(r"[A-Za-z_][\w.]*", name) and (kind, name) not in known and not name.startswith(("gl_", "$")):
                known.add((kind, name))
                made.append(f"{kind}:{name}=renamed_{len(made)}")

        for one in reflection.get("resources", []):
            add("resource", one.get("name", ""))
        for buffer in reflection.get("buffers", []):
            for one in buffer.get("variables", []):
                add("variable", one.get("name", ""))
        if is_vulkan:
            for entry in reflection.get("entry_points", []):
                for side, kind in (("inputs", "input"), ("outputs", "output")):
                    for one in entry.get(side, []):
                        if not one.get("built_in"):
                            add(kind, one.get("semantic", ""))
        return made

    def renamed(self, path, to, is_vulkan):
        """All at once, or else one after the other as far as they go."""
        all_of_them = self.renames(path, is_vulkan)
        if not all_of_them:
            return False
        ran = self.run("edit", *[word for one in all_of_them for word in ("--rename", one)], path, "-o", to)
        if ran is not None and ran.returncode == 0:
            return True
        done = False
        at = path
        for number, one in enumerate(all_of_them[:40]):
            next_one = to.with_name(f"{to.name}.{number}")
            ran = self.run("edit", "--rename", one, at, "-o", next_one)
            if ran is not None and ran.returncode == 0:
                at, done = next_one, True
        if done:
            to.write_bytes(at.read_bytes())
        return done

    def look(self, path):
        """What is found for a file: (kind, verdict, said)."""
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        here = self.folder / digest[:16]
        here.mkdir(exist_ok=True)
        is_vulkan = path.suffix in (".spv", ".vbc")
        verdict, said = self.against(path, path)
        if verdict in ("unsupported", "timeout") or (verdict == "error" and "error[interface]" not in said):
            yield "file", "not run", said
            return
        yield "itself", verdict, said
        for option in STRIPS:
            to = here / ("stripped" + path.suffix)
            ran = self.run("strip", option, path, "-o", to)
            if ran is not None and ran.returncode == 0 and to.exists() and to.read_bytes() != data:
                yield "stripped", *self.against(to, path)
        to = here / ("renamed" + path.suffix)
        if self.renamed(path, to, is_vulkan):
            yield "renamed", *self.against(to, path)
        yield from self.changed(path, here, random.Random(digest + str(self.options.seed)))

    def changed(self, path, here, draw):
        ran = self.run("dis", *([] if path.suffix == ".shbin" else ["--exact"]), path)
        if ran is None or ran.returncode != 0:
            return
        text = ran.stdout
        if path.suffix == ".shbin":
            text = "\n".join(re.sub(r" \{\d+\}$", "", line) for line in text.split("\n") if not line.startswith((".exact", ".desc")))
        change = language_of(path, text)
        how = ["--preserve-numeric-ids"] if change is of_spirv else ["--container"] if change is of_dxil and path.suffix != ".bc" else []
        suffix = path.suffix if path.suffix != ".cso" else ".dxbc"
        source, again = here / ("again" + (".pica" if change is of_pica else ".txt")), here / ("again" + suffix)
        source.write_text(text)
        ran = self.run("as", "--no-validate", *how, source, "-o", again)
        if ran is None or ran.returncode != 0:
            yield "again", "not assembled", "" if ran is None else ran.stderr
            return
        verdict, said = self.against(again, path)
        yield "again", verdict, said
        if verdict != "same":
            return
        # only the first entry point is run
        if len(re.findall(r"^; \d+: (?:vertex|geometry)|^\s*OpEntryPoint ", text, re.M)) > 1:
            return
        lines = text.split("\n")
        places = list(places_of(change, lines))
        made = 0
        for number in range(TRIES * self.options.changes):
            if made == self.options.changes or not places:
                break
            at = draw.choice(places)
            ways = sorted(set(change(lines[at], text)))
            if not ways:
                places.remove(at)
                continue
            line = draw.choice(ways)
            source.write_text("\n".join(lines[:at] + [line] + lines[at + 1:]))
            to = here / ("changed" + suffix)
            ran = self.run("as", *how, source, "-o", to)
            if ran is None or ran.returncode != 0 or to.read_bytes() == again.read_bytes():
                continue
            verdict, said = self.against(to, again)
            if verdict in ("unsupported", "timeout", "error"):
                continue
            made += 1
            if verdict == "same" and self.run("ir", to).stdout == self.run("ir", again).stdout:
                yield "changed", "no effect", ""
                made -= 1
                continue
            if verdict == "same":
                late, _ = self.against(to, again, "--random", 512, "--seed", 7)
                verdict = "never" if late == "same" else "late"
                said = f"line {at + 1}: {lines[at].strip()}  ->  {line.strip()}"
            yield "changed", "found" if verdict in ("differs", "refused") else verdict, said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unshade")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--changes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, help="sets of inputs, instead of those of the command")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=int, default=1 << 22, help="operations of a run, so that long ones are left out")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--seconds", type=float, help="begin no file after this time; the table says how many were looked at")
    parser.add_argument("--report", help="a file for all that was not found at once, and all that is wrong")
    options = parser.parse_intermixed_args()
    files = []
    for top in options.folders or [corpus.folder()]:
        top = pathlib.Path(top)
        files += [top] if top.is_file() else [path for path in top.rglob("*") if path.suffix in SUFFIXES and path.is_file()]
    files.sort(key=lambda path: hashlib.sha256("/".join(path.parts[-3:]).encode()).hexdigest())
    if options.count:
        files = files[:options.count]
    if not files:
        print("skipped: no files")
        return corpus.SKIPPED
    counts, wrong = {}, 0
    report = open(options.report, "w") if options.report else None
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = Work(options, folder)
        end = time.monotonic() + options.seconds if options.seconds else None

        def look(path):
            return None if end and time.monotonic() > end else list(work.look(path))

        looked = 0
        for path, found in zip(files, pool.map(look, files)):
            if found is None:
                continue
            looked += 1
            for kind, verdict, said in found:
                counts[kind, verdict] = counts.get((kind, verdict), 0) + 1
                is_wrong = kind not in ("file", "changed") and verdict not in ("same", "not assembled", "unsupported")
                wrong += is_wrong
                line = f"{path}: {kind}: {verdict}: " + " | ".join(said.split("\n"))[:400]
                if is_wrong:
                    print(line, flush=True)
                if report and (is_wrong or verdict in ("late", "never", "not assembled")):
                    print(line, file=report, flush=True)
    print(f"\n{looked} files")
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind:10} {verdict:14} {count:6}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

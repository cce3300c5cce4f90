#!/usr/bin/env python3
"""Runs pairs of SPIR-V modules that must compute the same, and compares: pairs.py [--unshade FILE] KIND FOLDER...

    sudo apt install spirv-tools glslang-tools spirv-cross
    scripts/compare/pairs.py --unshade build/dev/unshade twins --of glsl,hlsl,slang Vulkan/shaders
    scripts/compare/pairs.py --unshade build/dev/unshade passes ../shared/corpus/spirv
    scripts/compare/pairs.py --unshade build/dev/unshade sources SPIRV-Cross/shaders

twins    files at the same place below folders of these names: one source in several languages, or by several compilers
passes   a module, and what spirv-opt makes of it by -O, by -Os, and by lists of passes that change much
sources  a module, and what glslang makes of the GLSL and of the HLSL that SPIRV-Cross makes of the module

Files are modules (.spv), their listings (.spvasm, .asm.STAGE) and shaders in GLSL that glslang compiles (.vert, .frag, .comp, ...), in HLSL
below a folder whose name has `hlsl` in it, if there is no .spv beside them. Each entry point is a pair of its own. Both modules run on generated
inputs (`unshade run --against`): its default number of sets of any numbers, which must give the same bits; then 16 sets of numbers below 64, and the
first again, within bounds. Names are dropped from twins and sources: compilers change them, and Vulkan goes by location, set and binding. Prints a line for each
pair that is not the same, and a table; exits with 0 if no pair differs, 1 if one does, 2 if --minutes were not enough, 77 (skipped) without the
tools or files.

same        all bits
close       within 4,096 ulps or 2^-12 of the number, or 2^-12: another order of operations
large       the same or close on numbers below 64; others, among them infinities and NaN, differ
undefined   one of both indexes out of bounds, decides or writes by a value that was never set, reads an output before it wrote it
            (`outColor.rgb = c` of GLSL loads a vector and leaves its alpha open), or writes fewer components than the image has, and
            one of the others differs
different   else: the first place, both values, and how many
interface   not compared: what one uses and the other has not, or has otherwise
budget      not compared: loops that do not end on these inputs, or take more than a minute
stage       not compared: stages that are not run, such as those of ray tracing
not read    a tool does not take the module, or the source, or makes a module that is not valid
refused     unshade runs one of both, or none: the reason
fault       unshade crashes
"""
import argparse
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
import journal

STAGES = {0: "vert", 1: "tesc", 2: "tese", 3: "geom", 4: "frag", 5: "comp", 5267: "task", 5268: "mesh", 5313: "rgen", 5314: "rint", 5315: "rahit",
          5316: "rchit", 5317: "rmiss", 5318: "rcall", 5364: "task", 5365: "mesh"}
RAYS = {"rgen", "rint", "rahit", "rchit", "rmiss", "rcall"}
WORDS = {"Vertex": "vert", "Fragment": "frag", "Compute": "comp"}  # in the names of naga's files
# Without those that are wrong in 2023.1: --loop-invariant-code-motion moves a load before a loop that stores to its address, --loop-fission takes
# what a loop carries apart, --loop-peeling crashes.
PASSES = {
    "O": ["-O"],
    "Os": ["-Os"],
    "inline": ["--inline-entry-points-exhaustive", "--eliminate-dead-functions", "--ssa-rewrite", "--ccp", "--simplify-instructions"],
    "loops": ["--inline-entry-points-exhaustive", "--ssa-rewrite", "--loop-unroll", "--if-conversion", "--ccp"],
    "structure": ["--merge-return", "--inline-entry-points-exhaustive", "--convert-local-access-chains", "--scalar-replacement=100", "--if-conversion",
                  "--redundancy-elimination", "--code-sink", "--wrap-opkill"],
    "memory": ["--local-redundancy-elimination", "--reduce-load-size", "--combine-access-chains", "--private-to-local", "--copy-propagate-arrays",
               "--vector-dce", "--flatten-decorations"],
}
BOUNDS = ["--ulp", "4096", "--rel", "0.000244140625", "--abs", "0.000244140625"]
BUDGET = ["--budget", "524288"]
KINDS = ("twins", "passes", "sources")
MAGIC = 0x07230203
OP_NAME, OP_MEMBER_NAME = 5, 6
BUILTIN, BASE_VERTEX, BASE_INSTANCE = 11, 4424, 4425


class NotRead(Exception):
    """A tool does not take a file; says why."""


def last_line(made):
    said = (made.stdout + made.stderr).decode("utf-8", "replace").strip().split("\n")
    return next((line for line in said if "rror" in line), said[-1])[:200]


def tool(*command):
    made = corpus.run("timeout", "60", *command)
    if made.returncode != 0:
        raise NotRead("%s: %s" % (command[0], last_line(made)))
    return made.stdout


# --- modules ---


def stage_of_source(path):
    """The stage that the name of a source says, or None."""
    for part in reversed(path.name.split(".")[1:]):
        if part in STAGES.values():
            return part
        if part in WORDS:
            return WORDS[part]
    return None


def is_module(path):
    return path.suffix in (".spv", ".spvasm") or ".asm." in path.name


def is_source(path):
    return (stage_of_source(path) is not None or path.suffix == ".hlsl") and path.suffix not in (".spv", ".spvasm", ".h", ".md", ".ron", ".txt", ".json")


def compiled(path, folder, language=None, stage=None):
    """The module's words: of the file as it is, assembled, or compiled."""
    if path.suffix == ".spv":
        return words_of(path)
    out = os.path.join(folder, "compiled.spv")
    if is_module(path):
        version = re.search(r"^; Version: (1\.[0-6])", path.read_text(errors="replace"), re.M)
        tool("spirv-as", "--target-env", "spv" + (version[1] if version else "1.3"), path, "-o", out)
        return words_of(out)
    stage = stage or stage_of_source(path)
    if stage is None:
        raise NotRead("no stage in the name")
    language = language or ("hlsl" if any("hlsl" in part for part in path.parts[:-1]) else "glsl")
    # glslang decorates storage buffers of HLSL as SPIR-V 1.3 has them, at most
    first = ["-D", "-e", "main", "--target-env", "vulkan1.1"] if language == "hlsl" else ["--amb", "--target-env", "vulkan1.3"]
    tool("glslangValidator", *first, "-S", stage, "-V", path, "-o", out)
    tool("spirv-val", "--target-env", "vulkan1.3", "--scalar-block-layout", out)
    return words_of(out)


def words_of(path):
    data = pathlib.Path(path).read_bytes()
    words = struct.unpack("<%dI" % (len(data) // 4), data[:len(data) // 4 * 4])
    if not words or words[0] != MAGIC:
        raise NotRead("no SPIR-V")
    return words


def instructions(words):
    at = 5
    while at < len(words):
        size = words[at] >> 16
        if size == 0 or at + size > len(words):
            raise NotRead("an instruction of %d words at word %d of %d" % (size, at, len(words)))
        yield words[at] & 0xffff, words[at:at + size]
        at += size


def text_at(operands):
    """(text, words that it takes)"""
    data = struct.pack("<%dI" % len(operands), *operands)
    end = data.index(0)
    return data[:end].decode("utf-8", "replace"), end // 4 + 1


def entries(words):
    """[(stage, name)] of the entry points."""
    return [(STAGES.get(one[1], str(one[1])), text_at(one[3:])[0]) for op, one in instructions(words) if op == 15]


def with_entry(words, name, stage, path, dropped_names=()):
    """Writes the module with this entry point alone, called main; the first vertex and instance of a draw, which Slang subtracts since SV_VertexID
    and SV_InstanceID begin at 0, are 0."""
    made, dropped = list(words[:5]), set()
    for op, one in instructions(words):
        if op == 15:
            own, size = text_at(one[3:])
            if own != name or STAGES.get(one[1]) != stage:
                dropped.add(one[2])
                continue
            one = [one[0], *one[1:3], 0x6e69616d, 0, *one[3 + size:]]
            one[0] = len(one) << 16 | 15
            dropped.discard(one[2])
        made += one
    kept = list(made[:5])
    bases = {one[1] for op, one in instructions(made) if op == 71 and one[2] == BUILTIN and one[3] in (BASE_VERTEX, BASE_INSTANCE)}
    for op, one in instructions(made):
        if op == 61 and one[3] in bases:
            bases.add(one[2])
        if op == 130 and one[4] in bases:  # ISub
            one = [4 << 16 | 83, *one[1:4]]
        if op in (16, 331) and one[1] in dropped:
            continue
        if op == 3 or op in dropped_names:  # OpSource, of which old tools do not know new languages
            continue
        kept += one
    with open(path, "wb") as file:
        file.write(struct.pack("<%dI" % len(kept), *kept))


# --- comparing ---


def against(unshade, first, second, *options):
    """(verdict, detail) of one call."""
    made = corpus.run("timeout", "60", unshade, "run", "--json", *BUDGET, "--against", second, *options, first)
    said = made.stderr.decode("utf-8", "replace").strip()
    if made.returncode == 124:
        return "budget", "more than a minute"
    if made.returncode not in (0, 1, 2):
        return "fault", "exit status %d: %s" % (made.returncode, said[:200])
    try:
        result = json.loads(made.stdout)
    except ValueError:
        return "refused", said.split("\n")[0].replace(str(first), "first").replace(str(second), "second")[:300]
    if "mismatches" not in result:
        return "refused", json.dumps(result)[:300]
    if result["mismatches"]:
        return "interface", "; ".join(result["mismatches"]).replace(str(first), "first").replace(str(second), "second")[:400]
    if result["equal"]:
        return "same", "%d sets, %d values" % (result["sets"], result["values"])
    difference = result.get("difference")
    if difference is None:
        return "budget", "%d sets not finished, %d values" % (result["unfinished"], result["values"])
    values = difference.get("values", [])
    with open(str(first) + ".json", "w") as file:
        json.dump(difference["inputs"], file)
    return "different", "set %s, %s: %s; %d differ in the set" % (difference.get("random"), json.dumps(difference["place"]), " and ".join(map(str, values)),
                                                            result["differing"])


def compare(unshade, first, second):
    exact = against(unshade, first, second)
    if exact[0] != "different":
        return exact
    for seed in range(2, 10):
        small = against(unshade, first, second, *BOUNDS, "--random", 2, "--seed", seed)
        if small[0] == "different":
            why = undefined(unshade, first, second, *BOUNDS, "--random", 2, "--seed", seed)
            return ("undefined", why) if why else ("different", "seed %d, %s" % (seed, small[1]))
        if small[0] not in ("same", "budget"):
            return small
    bounded = against(unshade, first, second, *BOUNDS)
    if bounded[0] != "different":
        return "close", exact[1]
    why = undefined(unshade, first, second, *BOUNDS)
    return ("undefined", why) if why else ("large", bounded[1])


def undefined(unshade, first, second, *options):
    """What is undefined in one of both on the inputs on which they differ, or None."""
    for one, other, name in ((first, second, "first"), (second, first, "second")):
        words = words_of(one)
        output = read_output(words)
        if output:
            return "%s reads output %d before it writes it" % (name, output)
        verdict, detail = against(unshade, one, other, *options)
        if verdict != "different":
            continue
        written = narrow_writes(words)
        component = re.search(r'"resource": "u.*"component": ([0-3])', detail)
        if component and written and int(component[1]) >= written:
            return "%s writes %d components" % (name, written)
        made = corpus.run("timeout", "60", unshade, "run", "--json", "--check", one, str(one) + ".json")
        try:
            findings = json.loads(made.stdout).get("findings")
        except ValueError:
            continue
        # what is beyond an image is defined: reads give 0, writes do nothing
        findings = [one for one in findings or [] if "OpImage" not in one.get("text", "")]
        if findings:
            return "%s: %s" % (name, json.dumps(findings[0])[:200])
    return None


def narrow_writes(words):
    """The least components that a module writes to an image; 0: all have four."""
    types, vectors, least = {}, {}, 4
    for op, one in instructions(words):
        if op == 23:
            vectors[one[1]] = one[3]
        elif op == 99:
            least = min(least, vectors.get(types.get(one[3]), 1))
        elif len(one) > 2:
            types[one[2]] = one[1]
    return least % 4


def read_output(words):
    """An output whose first use is a load, or None."""
    outputs = {one[2] for op, one in instructions(words) if op == 59 and one[3] == 3}
    for op, one in instructions(words):
        if op in (61, 62, 65, 66):
            used = one[1] if op == 62 else one[3]
            if used in outputs:
                if op == 61:
                    return used
                outputs.discard(used)
    return None


def checked(unshade, job, named):
    """(verdict, detail) of a pair: two functions that give the words of a module, and the entry points to compare."""
    first, second, entry = job
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("first.spv", "second.spv")]
        try:
            for make, name in zip((first, second), names):
                words = make(folder)
                stage, own = pick(entries(words), entry)
                if stage in RAYS:
                    return "stage", stage
                # constants that both name alike would be set by name
                with_entry(words, own, stage, name, () if named else (OP_NAME,) if name == names[1] else (OP_NAME, OP_MEMBER_NAME))
        except NotRead as why:
            return "not read", str(why)
        return compare(unshade, *names)


def pick(found, entry):
    """Of the entry points of a module the one of this stage and name, or of this stage."""
    stage, name = entry
    of_stage = [one for one in found if one[0] == stage]
    for one in of_stage:
        if one[1] == name or len(of_stage) == 1:
            return one
    raise NotRead("no entry point `%s` of stage %s" % (name, stage) if found else "no entry points")


# --- pairs ---


def files_below(folders, wanted):
    return [path for top in folders for path in ([pathlib.Path(top)] if os.path.isfile(top) else sorted(pathlib.Path(top).rglob("*")))
            if path.is_file() and wanted(path)]


def once(paths):
    """Without sources and listings that have a module beside them."""
    paths = set(paths)
    return sorted(path for path in paths if path.suffix == ".spv" or not any(
        beside in paths for beside in (path.with_name(path.name + ".spv"), path.with_suffix(".spv"))))


def entries_of(path):
    """The entry points of a module, or what its name says of a source, or if it cannot be read."""
    if not is_module(path):
        return [(stage_of_source(path), "main")]
    try:
        with tempfile.TemporaryDirectory() as folder:
            return entries(compiled(path, folder)) or [(None, None)]
    except NotRead:
        return [(stage_of_source(path), "main")]


def twins(folders, names):
    """Pairs of files at the same place below folders of two of these names."""
    found = {}
    for path in once(files_below(folders, lambda path: is_module(path) or is_source(path))):
        for at, part in enumerate(path.parts[:-1]):
            if part in names:
                found.setdefault((*path.parts[:at], "*", *path.parts[at + 1:-1], plain(path)), {})[part] = path
                break
    for place, of in sorted(found.items()):
        for at, first in enumerate(names):
            for second in names[at + 1:]:
                if first in of and second in of:
                    for stage, name in entries_of(of[first]):
                        yield ("%s %s and %s%s" % ("/".join(place), first, second, "" if name == "main" else " " + str(name)),
                               (lambda folder, path=of[first]: compiled(path, folder), lambda folder, path=of[second]: compiled(path, folder), (stage, name)))


def plain(path):
    """The name without what says how it is written: `boids.main.Compute` of `boids.main.Compute.glsl`."""
    name = path.name
    for ending in (".spv", ".spvasm", ".glsl", ".hlsl"):
        name = name.removesuffix(ending)
    return name


def made_of(folders):
    """(name, path, stage, entry) of each entry point of each file."""
    for path in once(files_below(folders, lambda path: is_module(path) or is_source(path))):
        for stage, name in entries_of(path):
            yield "%s%s" % (path, "" if name == "main" else " " + str(name)), path, stage, name


def passes(folders, _):
    def optimized(folder, path, options):
        words = compiled(path, folder)
        module, out = os.path.join(folder, "before.spv"), os.path.join(folder, "after.spv")
        stage, name = pick(entries(words), options[1])
        with_entry(words, name, stage, module)
        tool("spirv-opt", "--target-env=vulkan1.3", "--scalar-block-layout", *options[0], module, "-o", out)
        return words_of(out)

    for name, path, stage, entry in made_of(folders):
        for which, options in PASSES.items():
            yield "%s %s" % (name, which), (lambda folder, path=path: compiled(path, folder),
                                            lambda folder, path=path, options=(options, (stage, entry)): optimized(folder, path, options), (stage, entry))


def sources(folders, _):
    def translated(folder, path, language, entry):
        words = compiled(path, folder)
        module = os.path.join(folder, "before.spv")
        stage, name = pick(entries(words), entry)
        with_entry(words, name, stage, module)
        text = pathlib.Path(folder) / ("after." + language)
        how = ["--hlsl", "--shader-model", "60"] if language == "hlsl" else ["--vulkan-semantics", "--version", "460", "--no-es"]
        tool("spirv-cross", *how, "--output", text, module)
        return compiled(text, folder, language, stage)

    for name, path, stage, entry in made_of(folders):
        for language in ("glsl", "hlsl"):
            yield "%s by %s" % (name, language), (lambda folder, path=path: compiled(path, folder),
                                                  lambda folder, path=path, language=language, of=(stage, entry): translated(folder, path, language, of),
                                                  (stage, entry))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unshade", default=str(corpus.ROOT / "build/dev/unshade"))
    parser.add_argument("--of", default="glsl,hlsl", metavar="NAME,NAME", help="of twins, the names of the folders (default: glsl,hlsl)")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("folders", nargs="+")
    journal.add_arguments(parser)
    arguments = parser.parse_args()
    needed = ["spirv-as", "glslangValidator", *{"passes": ["spirv-opt"], "sources": ["spirv-cross"], "twins": []}[arguments.kind]]
    missing = [name for name in needed if corpus.tool(name) is None]
    if missing:
        return corpus.skip("no " + " and no ".join(missing))
    pairs = {"twins": twins, "passes": passes, "sources": sources}[arguments.kind](arguments.folders, arguments.of.split(","))
    book = journal.Journal(arguments)
    whole = book.run(pairs, lambda job: checked(arguments.unshade, job, arguments.kind == "passes"))
    counts = book.counts()
    if not counts:
        return corpus.skip("no pairs")
    return 1 if counts["different"] or counts["fault"] else 0 if whole else 2


if __name__ == "__main__":
    sys.exit(main())

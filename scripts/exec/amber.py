"""Scripts of Amber, which `unshade test` runs itself."""
import json
import pathlib
import random
import re
import shutil
import subprocess
import tempfile

# Of a process; scripts that come after one that hangs must not suffer.
AT_ONCE = 16


# What a script reads from a text beside it.
READ = re.compile(r"^BUFFER \S+ DATA_TYPE (\S+) SIZE (\d+) FILE TEXT (\S+)", re.MULTILINE)


def bits_of_floats(count):
    """Zeros, infinities, NaN, denormals, and any others."""
    special = [0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3f800000, 0xbf000000]
    numbers = random.Random(1)
    return [*special, *(numbers.getrandbits(32) for _ in range(count))][:count]


def corners_of_cells(count):
    """Of a square of cells, two triangles each, that is the picture."""
    cells = round((count / 6) ** 0.5)
    made = []
    for cell in range(cells * cells):
        for right, down in ((0, 0), (0, 1), (1, 0), (1, 0), (0, 1), (1, 1)):
            made += [(cell % cells + right) * 2 / cells - 1, (cell // cells + down) * 2 / cells - 1]
    return made


MADE_UP = {"uint32": bits_of_floats, "vec2<float>": corners_of_cells}


def with_files(path, folder):
    """The script itself, or where files that it reads are missing a copy of it below the folder, beside files that are made up: if all that it
    expects is that two ways to compute give the same, whatever comes in."""
    text = path.read_text(errors="replace")
    missing = [(kind, int(count), name) for kind, count, name in READ.findall(text) if not (path.parent / name).is_file()]
    expected = re.findall(r"^EXPECT .*", text, re.MULTILINE)
    if not missing or any(kind not in MADE_UP for kind, _, _ in missing) or not all(" EQ_BUFFER " in line for line in expected):
        return path
    own = pathlib.Path(tempfile.mkdtemp(dir=folder))
    for kind, count, name in missing:
        (own / pathlib.Path(name).name).write_text("\n".join(map(str, MADE_UP[kind](count))))
    return pathlib.Path(shutil.copy(path, own))


def run(program, options, paths):
    """(path, status, reason) of each of a few scripts."""
    with tempfile.TemporaryDirectory() as folder:
        return run_files(program, options, paths, [with_files(path, folder) for path in paths])


def run_files(program, options, paths, files):
    names = [str(path) for path in files]
    try:
        done = subprocess.run([str(program), "test", "--json", "-j", "1", *options, *names], capture_output=True, text=True, timeout=120 * len(names),
                              check=False)
        tests = {one["name"]: one for one in json.loads(done.stdout)["tests"]}
    except subprocess.TimeoutExpired:
        return [(path, "failed", "no result in time") for path in paths]
    except (json.JSONDecodeError, KeyError):
        return [(path, "failed", done.stderr.strip() or f"exit status {done.returncode}") for path in paths]
    made = []
    for path, name in zip(paths, names):
        if name not in tests:
            made.append((path, "failed", done.stderr.strip() or "no result"))
            continue
        test = tests[name]
        reason = test.get("reason", "")
        if test["status"] == "failed":
            first = test["failures"][0]
            reason = f"line {first.get('line', 0)}: {first['what']}"
            if "expected" in first:
                reason += f": expected {first['expected']}, found {first.get('actual', '')}"
        made.append((path, test["status"], reason))
    return made

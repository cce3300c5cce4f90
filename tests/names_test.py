#!/usr/bin/env python3
"""Files by any name, absolute paths inside documents, long paths, and streams of bytes: names_test.py UNSHADE SOURCE [UNSHADE_EXE RUNNER... HELPER]

UNSHADE is the command, or a script that runs it. For Windows follow the program itself, and what runs tests/windows/helper.cpp there: with it, also names of
devices, files that another process has locked, and a console that is not UTF-8 are tested. Of a runner (wine), the drive Z: is this machine's root.
"""
import contextlib
import json
import os
import pathlib
import pty
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import urllib.parse
import zipfile

SECONDS = 300
NAMES = ["häßlich", "Ωμέγα", "中文名字", "😀", "a b  c", "e\u0301", "%41#&'()+,;=@[]{}~`!$^", ".hidden", "-dash"]


class Test:
    def __init__(self, command, source, folder, helper):
        self.command = [command]
        self.source = source
        self.folder = folder
        self.helper = helper
        self.is_windows = bool(helper)
        self.shader = (source / "tests/data/dxbc/lit_vs_5_0.dxbc").read_bytes()
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        self.count = 0

    def name(self, path, slash="/"):
        """A path as the command takes it."""
        text = str(path)
        if self.is_windows and os.name != "nt" and text.startswith("/"):
            text = "Z:" + text
        return text.replace("/", slash)

    def run(self, *words, status=0, given=b"", inside=None):
        done = subprocess.run(self.command + list(words), input=given, cwd=inside or self.folder, env=self.environment, capture_output=True, timeout=SECONDS)
        assert status is None or done.returncode == status, f"{words}: status {done.returncode}, expected {status}: {done.stdout[-500:]!r} {done.stderr[-1000:]!r}"
        return done

    def fresh(self, name=None):
        """A new folder."""
        self.count += 1
        made = self.folder / (name or f"work{self.count}")
        made.mkdir()
        return made

    def files_in(self, folder):
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def names_of_any_script(test):
    at = test.fresh()
    (at / "in").mkdir()
    for name in NAMES:
        (at / "in" / name).mkdir()
        (at / "in" / name / (name + ".dxbc")).write_bytes(test.shader)
    whole = test.run("info", "--json", "in", inside=at)
    found = sorted(file["file"] for file in json.loads(whole.stdout)["files"])
    assert found == sorted(f"in/{name}/{name}.dxbc" for name in NAMES), found
    test.run("strip", "--everything", "in", "-d", "out", inside=at)
    assert test.files_in(at / "out") == sorted(f"{name}/{name}.dxbc" for name in NAMES), test.files_in(at / "out")
    # one by one, where each is an operand and an output
    for name in NAMES[:6]:
        test.run("dis", f"in/{name}/{name}.dxbc", "-o", f"{name}.asm", inside=at)
        assert (at / f"{name}.asm").read_bytes().startswith(b"//"), name
    test.run("dis", "./in/-dash/-dash.dxbc", "-o", "./-dash.asm", inside=at)
    assert (at / "-dash.asm").exists()
    done = test.run("info", "no 中文 😀", status=2, inside=at)
    assert "no 中文 😀: error[io]: No such file or directory" in done.stderr.decode(), done.stderr
    with zipfile.ZipFile(at / "名.zip", "w") as made:
        made.writestr("ä/😀.dxbc", test.shader)
    done = test.run("scan", "名.zip", "-d", "found", inside=at)
    assert "名.zip!ä/😀.dxbc:" in done.stdout.decode() and len(test.files_in(at / "found")) == 1, done
    indexed = test.run("index", "in", "-o", "база.udb", status=None, inside=at)
    if b"without" not in indexed.stderr:
        assert indexed.returncode == 0, indexed
        hits = test.run("search", "--places", "база.udb", inside=at).stdout.decode()
        assert all(f"in/{name}/{name}.dxbc" in hits for name in NAMES), hits


def absolute_paths_in_documents(test):
    """Of a scene, a mesh in it, a suite and a script: each names what is in another folder, and what is beside."""
    scenes = test.source / "tests/data/scenes"
    slashes = ["/", "\\"] if test.is_windows else ["/"]
    for slash in slashes:
        at = test.fresh()
        (at / "shaders ä").mkdir()
        (at / "documents").mkdir()
        for name in ("gathered.v.pica", "gathered.g.pica", "gathered.ps.asm"):
            shutil.copy(scenes / name, at / "shaders ä")
        text = (scenes / "gathered.toml").read_text()
        for name in ("gathered.v.pica", "gathered.g.pica"):
            text = text.replace(f'"{name}"', "'" + test.name(at / "shaders ä" / name, slash) + "'")
        text = text.replace('"gathered.ps.asm"', "'" + slash.join(("..", "shaders ä", "gathered.ps.asm")) + "'")
        (at / "documents/scene.toml").write_text(text, encoding="utf-8")
        test.run("draw", test.name(at / "documents/scene.toml", slash), "-o", "picture.exr", inside=at)
        (at / "picture.exr").unlink()
        test.run("draw", slash.join(("documents", "scene.toml")), "-o", "picture.exr", inside=at)
        shutil.copy(at / "shaders ä/gathered.ps.asm", at / "documents")
        (at / "suites").mkdir()
        (at / "suites/any.test.toml").write_text(f"""
[[case]]
name = "absolute"
scene = '{test.name(at / "documents/scene.toml", slash)}'
expect.targets.picture = {{format = "R32G32B32A32_FLOAT", values = 1}}
[[case]]
name = "beside"
scene = '{slash.join(("..", "documents", "scene.toml"))}'
expect.targets.picture = {{format = "R32G32B32A32_FLOAT", values = 1}}
""", encoding="utf-8")
        done = test.run("test", "suites", inside=at)
        assert b"2 passed" in done.stdout, done.stdout

        script = (test.source / "tests/data/amber/add.amber").read_text()
        words, text = script.split("TARGET_ENV spv1.3\n", 1)
        module, rest = text.split("END\n", 1)
        (at / "shaders ä/add.spvasm").write_text(module)
        (at / "suites/add.amber").write_text(f"{words}FILE {test.name(at / 'add.spvasm', slash)}\n{rest}")
        shutil.copy(at / "shaders ä/add.spvasm", at)
        test.run("test", "suites/add.amber", inside=at)

        (at / "documents/triangle.bin").write_bytes(struct.pack("<9f", -1, -1, 0, 3, -1, 0, -1, 3, 0))
        for uri in ("triangle.bin", test.name(at / "documents/triangle.bin", slash)):
            (at / "documents/triangle.gltf").write_text(json.dumps({
                "asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": urllib.parse.quote(uri, safe="/:\\")}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 0}}]}]}))
            (at / "documents/mesh.toml").write_text(f"""
[targets.picture]
format = "R8G8B8A8_UNORM"
width = 2
height = 2
[[pass]]
vertex = "flat.vs.asm"
pixel = "flat.ps.asm"
targets = ["picture"]
mesh = '{test.name(at / "documents/triangle.gltf", slash)}'
""")
            shutil.copy(test.source / "examples/scenes/color.vs.asm", at / "documents/flat.vs.asm")
            shutil.copy(test.source / "examples/scenes/color.ps.asm", at / "documents/flat.ps.asm")
            test.run("draw", "documents/mesh.toml", "--json", "-o", "mesh.png", inside=at)


def uris(test):
    at = test.fresh("ä b")
    (at / "x%.dxbc").write_bytes(test.shader)
    for slash in ("/", "\\") if test.is_windows else ("/",):
        text = test.run("validate", "--sarif", test.name(at / "x%.dxbc", slash), status=None, inside=at).stdout.decode()
        assert json.loads(text)["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file://" + ("/" if test.is_windows else "") + urllib.parse.quote(test.name(at), safe="/:") + "/", text[:3000]
    missing = test.name(at / "é.dxbc")
    text = test.run("validate", "--sarif", missing, status=2, inside=at).stdout.decode()
    expected = "file://" + ("/" if test.is_windows else "") + urllib.parse.quote(missing, safe="/:")
    assert expected in text, (expected, text[-2000:])
    if test.is_windows:
        for far in ("\\\\no.invalid\\share\\é.dxbc", "//no.invalid/share/é.dxbc"):
            text = test.run("validate", "--sarif", far, status=2).stdout.decode()
            assert "file://no.invalid/share/%C3%A9.dxbc" in text, text[-2000:]


def long_paths(test):
    """Beyond what Windows gives programs that do not ask for more."""
    at = test.fresh()
    deep = at
    for _ in range(5):
        deep = deep / ("ordner " + "x" * 60)
    deep.mkdir(parents=True)
    assert len(str(deep)) > 300
    (deep / "a.dxbc").write_bytes(test.shader)
    below = deep.relative_to(at).as_posix()
    for operand in (test.name(deep / "a.dxbc"), f"{below}/a.dxbc"):
        assert b"vs_5_0" in test.run("info", operand, inside=at).stdout
    found = json.loads(test.run("info", "--json", below.split("/")[0], inside=at).stdout)["files"]
    assert [file["file"] for file in found] == [f"{below}/a.dxbc"], found
    test.run("dis", f"{below}/a.dxbc", "-o", f"{below}/a.asm", inside=at)
    test.run("dis", f"{below}/a.dxbc", "-o", f"{below}/a.asm", inside=at)  # replaces it
    assert test.files_in(deep) == ["a.asm", "a.dxbc"], test.files_in(deep)
    test.run("strip", below.split("/")[0], "-d", "out", inside=at)
    assert test.files_in(at / "out") == ["/".join(below.split("/")[1:]) + "/a.dxbc"], test.files_in(at / "out")
    test.run("strip", "--everything", "-i", f"{below}/a.dxbc", inside=at)
    assert (deep / "a.dxbc").stat().st_size < len(test.shader)
    shutil.copy(test.source / "tests/data/scenes/dot.toml", deep)
    test.run("draw", f"{below}/dot.toml", "-o", f"{below}/dot.png", inside=at)
    (deep / "dot.test.toml").write_text('[[case]]\nname = "drawn"\nscene = "dot.toml"\nexpect.targets.picture = {format = "R8G8B8A8_UNORM", file = "dot.png"}\n')
    done = test.run("test", below.split("/")[0], status=None, inside=at)
    assert b"dot.test.toml" in done.stdout + done.stderr and b"No such file" not in done.stdout + done.stderr, done
    indexed = test.run("index", below.split("/")[0], "-o", f"{below}/a.udb", status=None, inside=at)
    assert indexed.returncode == 0 and (deep / "a.udb").exists() or b"without" in indexed.stderr, indexed
    if test.is_windows:
        verbatim = "\\\\?\\" + test.name(deep, "\\")
        test.run("dis", verbatim + "\\a.dxbc", "-o", verbatim + "\\b.asm", inside=at)
        assert (deep / "b.asm").exists()
        found = json.loads(test.run("info", "--json", verbatim, inside=at).stdout)["files"]
        assert [file["file"] for file in found] == [verbatim + "\\a.dxbc"], found


def names_that_windows_refuses(test):
    at = test.fresh()
    (at / "a.dxbc").write_bytes(test.shader)
    if not test.is_windows:
        for name in ("CON", "nul.dxbc", "COM1", "a.dxbc.", "a.dxbc ", "a.dxbc:stream", "C:\\a", "a\\b"):
            (at / name).write_bytes(test.shader)
            test.run("info", name, inside=at)
            test.run("dis", name, "-o", "./" + name + ".asm", inside=at)
            assert (at / (name + ".asm")).exists(), name
        return
    assert b"vs_5_0" in test.run("info", "A.DXBC", inside=at).stdout
    for name in ("a.dxbc.", "a.dxbc "):  # Windows drops dots and spaces at the end
        assert b"vs_5_0" in test.run("info", name, inside=at).stdout, name
        test.run("dis", "a.dxbc", "-o", name.replace("dxbc", "asm"), inside=at)
        assert test.files_in(at) == ["a.asm", "a.dxbc"], test.files_in(at)
        (at / "a.asm").unlink()
    test.run("dis", "a.dxbc", "-o", "NUL", inside=at)
    test.run("info", "NUL", status=None, inside=at)
    for name in ("COM1", "a.dxbc:stream", "b|c", "b?c", "b*", "b<", 'b"c', "b\x01"):
        done = test.run("dis", "a.dxbc", "-o", name, status=None, inside=at)
        kept = [one for one in test.files_in(at) if one != "a.dxbc"]
        assert (done.returncode == 2 and b"error[io]" in done.stderr and not kept) or done.returncode == 0, (name, done, kept)
        for one in kept:
            (at / one).unlink()
    assert (at / "a.dxbc").read_bytes() == test.shader
    # names out of files become names that Windows takes
    with zipfile.ZipFile(at / "pack.zip", "w") as made:
        for name in ("CON.dxbc", "a/NUL", "..\\..\\up.dxbc", "C:\\up.dxbc", "b:c.dxbc", "d. "):
            made.writestr(name, test.shader[:-1] + b"x")
    (at / "folder").mkdir()
    test.run("scan", "../pack.zip", "-d", "out", "--name", "{member}-{number}.bin", status=None, inside=at / "folder")
    assert not (at / "up.dxbc").exists() and all(name.startswith("out/") for name in test.files_in(at / "folder")), test.files_in(at)


def files_that_may_not_be_touched(test):
    at = test.fresh()
    (at / "a.dxbc").write_bytes(test.shader)
    (at / "kept.asm").write_bytes(b"kept")
    (at / "kept.asm").chmod(stat.S_IRUSR)
    if test.is_windows or os.geteuid() != 0:
        done = test.run("dis", "a.dxbc", "-o", "kept.asm", status=2, inside=at)
        assert b"kept.asm: error[io]: Permission denied" in done.stderr, done.stderr
        assert (at / "kept.asm").read_bytes() == b"kept" and test.files_in(at) == ["a.dxbc", "kept.asm"]
    (at / "a.dxbc").chmod(stat.S_IRUSR)
    assert b"vs_5_0" in test.run("info", "a.dxbc", inside=at).stdout, "what may only be read is read"
    if not test.is_windows:
        return
    (at / "b.dxbc").write_bytes(test.shader)
    (at / "b.asm").write_bytes(b"held")
    for held in ("b.dxbc", "b.asm"):
        with subprocess.Popen(test.helper + ["hold", test.name(at / held)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as holder:
            assert holder.stdout.readline().strip() == b"held"
            if held == "b.dxbc":
                done = test.run("info", "b.dxbc", status=2, inside=at)
                assert b"b.dxbc: error[io]: Permission denied" in done.stderr, done.stderr
                done = test.run("info", ".", status=2, inside=at)
                assert b"vs_5_0" in done.stdout and b"b.dxbc: error[io]: Permission denied" in done.stderr, done
            else:
                done = test.run("dis", "a.dxbc", "-o", "b.asm", status=2, inside=at)
                assert b"b.asm: error[io]: Permission denied" in done.stderr, done.stderr
            holder.stdin.close()
        assert test.files_in(at) == ["a.dxbc", "b.asm", "b.dxbc", "kept.asm"], "nothing unfinished is left"
    assert (at / "b.asm").read_bytes() == b"held"
    test.run("dis", "a.dxbc", "-o", "b.asm", inside=at)


def streams(test):
    """Bytes are bytes: neither \\x1a nor line feeds mean anything."""
    at = test.fresh()
    odd = b"\x1a\r\n\n\r\x00\xff\x1a" * 4096
    mixed = odd + test.shader + odd + test.shader[:-1] + b"\r" + odd
    (at / "mixed").write_bytes(mixed)
    said = [test.run("scan", "--json", "mixed", inside=at).stdout, test.run("scan", "--json", "-", given=mixed, inside=at).stdout]
    places = [[json.loads(line)["offset"] for line in one.splitlines()] for one in said]
    assert places[0] == places[1] and places[0][0] == len(odd), places
    stripped = test.run("strip", "--everything", "-", given=test.shader).stdout
    (at / "a.dxbc").write_bytes(test.shader)
    test.run("strip", "--everything", "a.dxbc", "-o", "b.dxbc", inside=at)
    assert stripped == (at / "b.dxbc").read_bytes() and stripped[:4] == b"DXBC"
    # bytes of a part that a text mode would change
    container = test.run("part", "add", "-", "PRIV=mixed", given=test.shader, inside=at).stdout
    assert test.run("part", "extract", "-", "PRIV", given=container).stdout == mixed
    listing = test.run("dis", "a.dxbc", inside=at).stdout
    assert b"\r" not in listing and b"\n" in listing
    made = test.run("as", "--no-validate", "-", given=listing.replace(b"\n", b"\r\n")).stdout
    assert made[:4] == b"DXBC"


def console(test):
    """A console takes UTF-16 whatever its code page is."""
    at = test.fresh()
    name = "é中ж.dxbc"
    (at / name).write_bytes(test.shader)
    words = [test.command_exe, "info", "--color", "never", test.name(at / name), test.name(at / "кein.dxbc")]
    shown = at / "shown"
    # a console of wine is that of a terminal
    status, _ = in_terminal(test, test.helper + ["console", "437", test.name(shown)] + words)
    if not shown.exists():
        print("skipped in part: no console", file=sys.stderr)
        return
    text = "".join(shown.read_text(encoding="utf-8").split())  # lines end where the console does
    assert name in text and "кein.dxbc:error[io]:Nosuchfileordirectory" in text, (status, text)


def in_terminal(test, words):
    terminal, ours = pty.openpty()
    with subprocess.Popen(words, stdin=ours, stdout=ours, stderr=ours, env=test.environment, start_new_session=True) as process:
        os.close(ours)
        said = b""
        with contextlib.suppress(OSError):
            while part := os.read(terminal, 65536):
                said += part
        os.close(terminal)
    return process.returncode, said


def main():
    command, source, *windows = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        test = Test(command, pathlib.Path(source), pathlib.Path(folder).resolve(), windows[1:])
        parts = [names_of_any_script, absolute_paths_in_documents, uris, long_paths, names_that_windows_refuses, files_that_may_not_be_touched, streams]
        if windows:
            test.command_exe = test.name(pathlib.Path(windows[0]).resolve())
            parts.append(console)
        failed = 0
        for part in parts:
            try:
                part(test)
                print(f"{part.__name__}: ok", flush=True)
            except (AssertionError, subprocess.TimeoutExpired, OSError, ValueError, KeyError) as fault:
                failed += 1
                print(f"{part.__name__}: {fault}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

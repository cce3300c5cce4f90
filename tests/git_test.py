#!/usr/bin/env python3
"""What git shows after `unshade git-setup`: git_test.py UNSHADE SOURCE [windows]. Exit 77: git is not installed, or is not that of the command's system."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


class Repository:
    """A repository with a home of its own, and the command first on the PATH."""

    def __init__(self, folder, unshade):
        self.folder = pathlib.Path(folder) / "work"
        self.home = pathlib.Path(folder) / "home"
        self.folder.mkdir()
        self.home.mkdir()
        bin_folder = pathlib.Path(folder) / "bin"
        bin_folder.mkdir()
        os.symlink(unshade, bin_folder / "unshade")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "XDG_"))}
        self.environment = {**kept, "HOME": str(self.home), "PATH": f"{bin_folder}:{os.environ['PATH']}", "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat"}

    def run(self, *words, status=0, inside=None):
        done = subprocess.run(words, cwd=inside or self.folder, env=self.environment, capture_output=True, check=False)
        text = (done.stdout + done.stderr).decode(errors="replace")
        assert done.returncode == status, f"{words}: status {done.returncode}: {text}"
        return text

    def commit(self, **files):
        for name, data in files.items():
            (self.folder / name.replace("_", ".")).write_bytes(data)
        self.run("git", "add", "-A")
        self.run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "change")


def changed_lines(text):
    return [line for line in text.split("\n") if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def check(unshade, source, folder):
    data = source / "tests/data"
    at = Repository(folder, unshade)
    at.run("unshade", "git-setup", status=2)
    at.run("git", "init", "-q")
    (at.folder / ".gitattributes").write_text("*.spv -diff")
    first = at.run("unshade", "git-setup")
    assert "*.cso diff=unshade" in first and "*.spv has a diff already" in first, first
    attributes = (at.folder / ".gitattributes").read_text()
    assert attributes.startswith("*.spv -diff\n*.cso diff=unshade\n"), attributes
    config = (at.folder / ".git/config").read_text()
    at.run("unshade", "git-setup")
    assert (at.folder / ".gitattributes").read_text() == attributes, "done twice, it changes .gitattributes"
    assert (at.folder / ".git/config").read_text() == config, "done twice, it changes the configuration"

    shader = (data / "dxbc/lit_vs_5_0.dxbc").read_bytes()
    exact = at.run("unshade", "dis", "--exact", str(data / "dxbc/lit_vs_5_0.dxbc"))
    (at.folder / "edited.asm").write_text(exact.replace("mul ", "add ", 1))
    edited = subprocess.run([unshade, "as", str(at.folder / "edited.asm")], capture_output=True, check=True).stdout
    (at.folder / "edited.asm").unlink()
    at.commit(a_cso=shader, b_dxil=(data / "dxil/textured_ps_6_6.dxil").read_bytes())
    at.commit(a_cso=edited)
    text = at.run("git", "diff", "HEAD~")
    assert "Binary files" not in text, text
    assert any(line.startswith("-mul ") for line in changed_lines(text)) and any(line.startswith("+add ") for line in changed_lines(text)), text
    assert "+add " in at.run("git", "log", "-p", "-1"), "git log -p shows no listing"

    # A part that the listing does not show.
    stripped = subprocess.run([unshade, "strip", "--private", str(data / "dxil/textured_ps_6_6.dxil")], capture_output=True, check=True).stdout
    grown = subprocess.run([unshade, "part", "add", "-", f"PRIV={data / 'README.md'}"], input=stripped, capture_output=True, check=True).stdout
    at.commit(b_dxil=grown)
    lines = changed_lines(at.run("git", "diff", "HEAD~"))
    assert any("PRIV:" in line and line.startswith("+# dxil") for line in lines), lines

    # Changes of the least bit of a literal, and of bytes of a part, sizes alike.
    least = subprocess.run([unshade, "as", "-"], input=exact.replace("l(0.125)", "l(0.12500001)", 1).encode(), capture_output=True, check=True).stdout
    assert least != shader and len(least) == len(shader)
    at.commit(e_cso=shader)
    at.commit(e_cso=least)
    lines = changed_lines(at.run("git", "diff", "HEAD~", "--", "e.cso"))
    assert any(line.startswith("+mul ") and "l(0.12500001" in line for line in lines), lines
    for private in (b"one", b"two"):
        (at.home / "private").write_bytes(private)
        made = subprocess.run([unshade, "part", "add", "-", f"PRIV={at.home / 'private'}"], input=stripped, capture_output=True, check=True).stdout
        at.commit(b_dxil=made)
    lines = changed_lines(at.run("git", "diff", "HEAD~"))
    assert any("PRIV:3:" in line and line.startswith("+# dxil") for line in lines), lines

    # What cannot be listed: damaged, no shader, empty, a pointer to what is elsewhere, a container without a program.
    unlisted = (data / "dxil/rootsig_only.dxil").read_bytes()
    damaged = bytearray(shader)
    damaged[24:28] = b"\xff" * 4
    for before, after, expected in ((shader, bytes(damaged), "error["), (b"\0\1\2", b"\0\1\3", "# 3 bytes, CRC-32 "), (shader, b"", "# 0 bytes"),
                                    (b"version 1\noid 5\n", b"version 1\noid 6\n", "+oid 6"), (shader, unlisted, "error[missing]")):
        at.commit(c_cso=before)
        at.commit(c_cso=after)
        text = at.run("git", "diff", "HEAD~", "--", "c.cso")
        assert expected in "\n".join(changed_lines(text)), f"{expected}: {text}"
    # Control characters of a file do not reach the terminal.
    hostile = shader.replace(b"POSITION", b"\x1b]0;hi\x07")
    (at.folder / "d.cso").write_bytes(hostile)
    assert "\x1b" not in at.run("unshade", "dis", "--textconv", "d.cso")
    at.run("unshade", "dis", "--textconv", "no_such_file", status=2)
    at.run("unshade", "dis", "--textconv", "--json", "d.cso", status=2)

    at.run("unshade", "git-setup", "--global", inside=folder)
    assert "*.cso diff=unshade" in (at.home / ".config/git/attributes").read_text()
    assert "textconv = unshade dis --textconv" in (at.home / ".gitconfig").read_text()
    at.run("git", "config", "--global", "core.attributesFile", "~/own/attributes")
    at.run("unshade", "git-setup", "--global", inside=folder)
    assert "*.cso diff=unshade" in (at.home / "own/attributes").read_text()


def check_hooks(unshade, source, folder):
    """Each hook of .pre-commit-hooks.yaml, as pre-commit runs it: the entry, then the files whose names fit."""
    hooks = re.findall(r"- id: (\S+)\n(?:  .*\n)*?  entry: unshade (.*)\n(?:  .*\n)*?  files: (\S+)\n", (source / ".pre-commit-hooks.yaml").read_text())
    names = {"unshade-validate": "dxil/textured_ps_6_6.dxil", "unshade-strip": "dxbc/lit_vs_5_0.dxbc", "unshade-test": "suites/gain.test.toml"}
    assert [hook[0] for hook in hooks] == list(names), hooks
    shutil.copytree(source / "tests/data", f"{folder}/data")
    for hook, entry, files in hooks:
        path = f"{folder}/data/{names[hook]}"
        assert re.search(files, path), f"{hook} is not for {path}"
        done = subprocess.run([unshade, *entry.split(), path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{hook}: {done.stderr}"
    damaged = pathlib.Path(folder, "damaged.cso")
    damaged.write_bytes((source / "tests/data/dxbc/lit_vs_5_0.dxbc").read_bytes()[:900])
    assert subprocess.run([unshade, *hooks[0][1].split(), damaged], capture_output=True, check=False).returncode == 1


def main():
    unshade, source = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    if "windows" in sys.argv[3:] and os.name != "nt":
        print("the command for Windows starts git.exe, which is not here: skipped")
        return 77
    if shutil.which("git") is None:
        print("git is not installed: skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        check(unshade, source, folder)
    with tempfile.TemporaryDirectory() as folder:
        check_hooks(unshade, source, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Does the command what README.md and docs/**/*.md say? docs_test.py UNSHADE SOURCE

- A line `$ unshade ...` in a block of a page is run where all files that it names are bundled or made by the commands above it, and glslang is installed if it needs that, in a folder of
  its own, and has to print the lines below it. `...` alone on a line stands for any lines, inside a line for any text.
- In README.md and docs/start.md every line that begins with `$` is run.
- Every other `unshade VERB --option ...`, in blocks and between backquotes, has to name a verb and options that exist.
- Links to files of the checkout have to lead to a file, and to a heading if they name one; paths between backquotes have to exist. docs/README.md has to link every page.

Prints what differs and what was run. Exits 0 when all is true, 1 when not, 77 (skipped) without a shell.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ANYTHING = "..."
# Pages of which every command is run. README.md and these are what a stranger types.
ALL_RUN = ("README.md", "docs/start.md")
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A path of the checkout between backquotes, but for those with a placeholder in capitals, `<` or `…`.
PATH = re.compile(r"`((?:src|include|tests|scripts|docs/(?:howto|internals|reference|schema)|cmake|fuzz|bench|examples)/[\w./*-]+)`")
# A word that can only be a file: `shader.cso`, `a/b`, `*.spv`.
FILE = re.compile(r"^[^-=][^=]*(\.[a-z]\w*|/[^=]*)$")


def blocks(text):
    """(number of the first line, lines) of what is fenced or indented."""
    found, lines, fence = [], None, False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fence = not fence
            lines = None
            if fence:
                lines = []
                found.append((number + 1, lines))
        elif fence:
            lines.append(line)
        elif line.startswith("    "):
            if lines is None:
                lines = []
                found.append((number, lines))
            lines.append(line[4:])
        elif line == "" and lines is not None:
            lines.append(line)
        else:
            lines = None
    return found


def headings(text):
    """The names by which links find the headings of a page."""
    return {re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-") for line in text.split("\n") if line.startswith("#")}


def sessions(lines):
    """(index, command, lines shown below it) of a block."""
    found = []
    for index, line in enumerate(lines):
        if line.startswith("$ "):
            found.append((index, line[2:], []))
        elif found:
            found[-1][2].append(line)
    return found


def pattern(shown):
    """The lines shown as a regular expression for the whole output, blanks and blank lines at ends aside."""
    while shown and not shown[-1].strip():
        shown = shown[:-1]
    return "".join("(?:.*\n)*?" if line.strip() == ANYTHING else re.escape(line.rstrip()).replace(re.escape(ANYTHING), ".*") + "\n"
                   for line in shown)


def first_that_differs(shown, printed):
    """The first line shown that makes it not match, for the message."""
    for count in range(1, len(shown) + 1):
        if not re.match(pattern(shown[:count]) if shown[:count][-1].strip() else "", printed):
            return shown[count - 1]
    return "(more is printed than shown)"


def words_of(command):
    try:
        return shlex.split(command, comments=True)
    except ValueError:
        return []


class Pages:
    def __init__(self, unshade, source):
        self.unshade = unshade
        self.source = source
        self.faults = []
        self.run_count = self.left_out = self.named = 0
        self.help = {}

    def fault(self, page, number, text):
        self.faults.append(f"{page.relative_to(self.source)}:{number}: {text}")

    def help_of(self, verb):
        if verb not in self.help:
            done = subprocess.run([self.unshade, *verb.split(), "--help"], capture_output=True, text=True, check=False)
            self.help[verb] = done.stdout if done.returncode == 0 else None
        return self.help[verb]

    def check_names(self, page, number, command):
        """Verb and options of each `unshade` in a command that is not run."""
        for part in re.split(r"&&|\|\||[|;](?![^']*'(?:[^']*'[^']*')*[^']*$)", command):
            words = words_of(part)
            if len(words) < 2 or words[0] != "unshade" or not re.fullmatch(r"[a-z]+", words[1]):
                continue
            self.named += 1
            text = self.help_of(words[1])
            if text is None:
                self.fault(page, number, f"no verb {words[1]}: {command}")
                continue
            if len(words) > 2 and re.fullmatch(r"[a-z]+", words[2]) and "Operations" in text:
                text += self.help_of(f"{words[1]} {words[2]}") or ""
            for word in words[2:]:
                option = re.match(r"--[a-z][a-z0-9-]*", word)
                if option and not re.search(re.escape(option[0]) + r"(?![a-z0-9-])", text):
                    self.fault(page, number, f"{words[1]} has no {option[0]}: {command}")

    def can_run(self, command, folder):
        """Whether all files in it are there, or made by it, and the compiler that it needs is installed."""
        if "--verify" in words_of(command) and not (shutil.which("glslangValidator") or shutil.which("glslang")):
            return False
        made = set()
        for part in re.split(r"&&|\|\||[|;]", command):
            words = words_of(part)
            for before, word in zip([""] + words, words):
                if before in ("-o", "--output", "--names-out"):
                    made.add(word)
                elif word != "unshade" and FILE.match(word) and word not in made and not (folder / word).exists():
                    return False
        return True

    def check_block(self, page, first, lines, folder, shell, all_run):
        shown_commands = sessions(lines)
        for index, command, shown in shown_commands:
            number = first + index
            if not all_run and ("unshade" not in words_of(command) or not self.can_run(command, folder)):
                self.left_out += 1
                self.check_names(page, number, command)
                continue
            environment = dict(os.environ, PATH=str(folder / "bin") + os.pathsep + os.environ.get("PATH", ""), NO_COLOR="1", LC_ALL="C.UTF-8")
            done = subprocess.run([shell, "-c", command], cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                                  timeout=120, check=False)
            self.run_count += 1
            printed = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).split("\n")).strip("\n")
            printed += "\n" if printed else ""
            if not re.fullmatch(pattern(shown), printed):
                self.fault(page, number, f"$ {command}\n  shown:   {first_that_differs(shown, printed)}\n  printed:\n" +
                           "".join(f"    {line}\n" for line in printed.split("\n")[:40]))
        if not shown_commands:
            for index, line in enumerate(lines):
                if line.startswith("unshade "):
                    self.check_names(page, first + index, line)

    def check_links(self, page, text):
        """Links to files of the checkout lead somewhere. Returns the files."""
        files = set()
        for number, line in enumerate(text.split("\n"), 1):
            for link in LINK.findall(line):
                if re.match(r"[a-z]+:", link):
                    continue
                path, _, heading = link.partition("#")
                target = (page.parent / path).resolve() if path else page
                files.add(target)
                if not target.exists():
                    self.fault(page, number, f"no file {link}")
                elif heading and heading not in headings(target.read_text(encoding="utf-8")):
                    self.fault(page, number, f"no heading {link}")
            for path in PATH.findall(line):
                if not re.search(r"NAME", path) and not any(True for _ in self.source.glob(path)):
                    self.fault(page, number, f"no file {path}")
        return files

    def check_index(self, index):
        """Every page below the index's folder is linked from it."""
        linked = self.check_links(index, index.read_text(encoding="utf-8"))
        for page in sorted(index.parent.rglob("*.md")):
            if page != index and page.resolve() not in linked:
                self.fault(index, 1, f"no link to {page.relative_to(index.parent)}")

    def check(self, page, shell):
        text = page.read_text(encoding="utf-8")
        before = self.run_count
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "bin").mkdir()
            (folder / "bin/unshade").symlink_to(self.unshade)
            shutil.copytree(self.source / "tests/data", folder / "tests/data")  # a copy, for commands that change files where they are
            for first, lines in blocks(text):
                self.check_block(page, first, lines, folder, shell, page.relative_to(self.source).as_posix() in ALL_RUN)
        self.check_links(page, text)
        for number, line in enumerate(text.split("\n"), 1):
            for command in re.findall(r"`(unshade [^`]*)`", line):
                self.check_names(page, number, command.replace("\\|", "|"))
        return self.run_count - before


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    shell = shutil.which("sh")
    if not shell:
        print("skipped: no shell")
        return 77
    source = pathlib.Path(sys.argv[2]).resolve()
    pages = Pages(os.path.abspath(sys.argv[1]), source)
    for page in [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").rglob("*.md"))]:
        if pages.check(page, shell) == 0 and page.relative_to(source).as_posix() in ALL_RUN:
            pages.fault(page, 1, "no command that could be run")
    pages.check_index(source / "docs/README.md")
    for fault in pages.faults:
        print(fault)
    print(f"{pages.run_count} commands run, {pages.left_out} of files that are not bundled, {pages.named} looked at for verbs and options; "
          f"{len(pages.faults)} untrue")
    return 1 if pages.faults else 0


if __name__ == "__main__":
    sys.exit(main())

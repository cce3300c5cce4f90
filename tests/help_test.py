#!/usr/bin/env python3
"""Do the worked examples of `unshade help VERB` print what they show? help_test.py UNSHADE SOURCE

Each verb has one. Its files are made in a folder of its own, its commands are run there one after the other, and have to print the lines
below them, blanks at ends aside. With UNSHADE_BLESS=1 what they print is written into src/cli/verbs: read the difference.
Prints what differs. Exits 0 when all is true, 1 when not, 77 (skipped) without a shell.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MOST_LINES = 60
MOST_COLUMNS = 110
# Other programs that examples call, which a machine may lack.
PROGRAMS = ("git", "sed")


def lines_of(verb):
    """The example as help prints it."""
    lines = []
    for file in verb["session"]["files"]:
        lines += [f"$ cat {file['name']}", *file["text"].splitlines()]
    for command in verb["session"]["commands"]:
        lines += [f"$ {command['command']}", *command["prints"].splitlines()]
    return lines


def shape_faults(verb, help_text):
    """What is wrong with an example that no run would show."""
    lines = lines_of(verb)
    commands = [command["command"] for command in verb["session"]["commands"]]
    if not any(re.search(rf"\bunshade {verb['name']}\b", command) for command in commands):
        yield f"no command is `unshade {verb['name']}`"
    if len(lines) > MOST_LINES:
        yield f"{len(lines)} lines, at most {MOST_LINES} are allowed"
    for line in lines:
        if len(line) > MOST_COLUMNS:
            yield f"{len(line)} columns, at most {MOST_COLUMNS} are allowed: {line}"
    for file in verb["session"]["files"]:
        others = [other["text"] for other in verb["session"]["files"] if other is not file]
        if not any(file["name"] in text for text in commands + others):
            yield f"nothing uses {file['name']}"
    shown = "\n".join(f"  {line}" if line else "" for line in lines) + "\n"
    if not help_text.endswith(f"\nWorked example\n{shown}"):
        yield "help does not end with it"


def run(verb, unshade, shell):
    """What each command prints, or None if it needs a program that is not installed."""
    commands = [command["command"] for command in verb["session"]["commands"]]
    if any(re.search(rf"\b{program}\b", command) and not shutil.which(program) for command in commands for program in PROGRAMS):
        return None
    printed = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/unshade").symlink_to(unshade)
        work = folder / "work"
        work.mkdir()
        for file in verb["session"]["files"]:
            (work / file["name"]).write_text(file["text"], encoding="utf-8")
        environment = dict(os.environ, PATH=str(folder / "bin") + os.pathsep + os.environ.get("PATH", ""), NO_COLOR="1", LC_ALL="C.UTF-8",
                           HOME=name, GIT_CONFIG_NOSYSTEM="1")
        for command in commands:
            done = subprocess.run([shell, "-c", command], cwd=work, env=environment, capture_output=True, text=True, errors="replace",
                                  timeout=120, check=False)
            printed.append([line.rstrip() for line in (done.stdout + done.stderr).rstrip().splitlines()])
    return printed


def bless(verb, printed, sources):
    """Writes what the commands print into the file of the verb."""
    def text(prints):
        return "\n".join(line for command, lines in zip(verb["session"]["commands"], prints) for line in [f"$ {command['command']}", *lines])
    before = text([command["prints"].splitlines() for command in verb["session"]["commands"]])
    for source in sources:
        code = source.read_text(encoding="utf-8")
        if f'R"({before})"' in code:
            source.write_text(code.replace(f'R"({before})"', f'R"({text(printed)})"'), encoding="utf-8")
            return True
    return False


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    shell = shutil.which("sh")
    if not shell:
        print("skipped: no shell")
        return 77
    unshade = os.path.abspath(sys.argv[1])
    sources = sorted((pathlib.Path(sys.argv[2]) / "src/cli/verbs").rglob("*.cpp"))
    verbs = json.loads(subprocess.run([unshade, "help", "--json"], capture_output=True, check=True).stdout)["verbs"]
    faults, left_out = [], []
    for verb in verbs:
        help_text = subprocess.run([unshade, "help", verb["name"]], capture_output=True, text=True, check=True).stdout
        faults += [f"{verb['name']}: {fault}" for fault in shape_faults(verb, help_text)]
        printed = run(verb, unshade, shell)
        if printed is None:
            left_out.append(verb["name"])
            continue
        differs = False
        for command, lines in zip(verb["session"]["commands"], printed):
            if command["prints"].splitlines() != lines:
                differs = True
                faults.append(f"{verb['name']}: $ {command['command']}\n  shown:\n" + "".join(f"    {line}\n" for line in command["prints"].splitlines()) +
                              "  printed:\n" + "".join(f"    {line}\n" for line in lines))
        if differs and os.environ.get("UNSHADE_BLESS") == "1":
            faults.append(f"{verb['name']}: " + ("written" if bless(verb, printed, sources) else "its text is not found in src/cli/verbs"))
    for fault in faults:
        print(fault)
    print(f"{len(verbs)} worked examples, {len(left_out)} not run ({', '.join(left_out) or 'none'}); {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""The command `unshade`, for what the C interface does not have, or the library was built without: suites, archives, databases."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any, Iterator, List, NoReturn, Optional, Sequence

from .errors import CommandError

# Beside this file in a wheel; in a Debian package it is on the PATH.
_ON_WINDOWS = os.name == "nt"
_BESIDE = pathlib.Path(__file__).with_name("bin") / ("unshade.exe" if _ON_WINDOWS else "unshade")


def command_path() -> str:
    """Where the command is: what UNSHADE_COMMAND names, the wheel's own, or that on the PATH."""
    asked = os.environ.get("UNSHADE_COMMAND")
    if asked:
        return asked
    if _BESIDE.exists():
        return str(_BESIDE)
    found = shutil.which("unshade")
    if found is None:
        raise CommandError(-1, "the command unshade is not installed: install the wheel, which has it inside, or the package unshade, or name it by UNSHADE_COMMAND")
    return found


def run_command(arguments: Sequence[str], given: Optional[bytes] = None, accepted: Sequence[int] = (0, 1)) -> bytes:
    """What it writes to standard output. Raises CommandError if its exit status is not one of those accepted: 1 is a finding."""
    done = subprocess.run([command_path(), *arguments], input=given, stdin=None if given is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode not in accepted:
        raise CommandError(done.returncode, done.stderr.decode("utf-8", "replace").strip() or f"unshade ended with status {done.returncode}")
    return done.stdout


def json_rows(printed: bytes, but: Sequence[str] = ()) -> Iterator[Any]:
    """The objects of verbs that print one for each thing that they find; at their end may be one of errors, which is raised, but for those with an id
    of `but`."""
    text = printed.decode()
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        row, end = decoder.raw_decode(text, at)
        at = end + len(text[end:]) - len(text[end:].lstrip())
        if "errors" not in row:
            yield row
            continue
        faults = [error for error in row["errors"] if error["id"] not in but]
        if faults:
            raise CommandError(1, "\n".join(f"{error['file']}: {error['message']}" for error in faults))


def become_command(path: str, words: Sequence[str]) -> NoReturn:
    """Ends this program with the command's exit status. Raises OSError if it cannot be started."""
    # On Windows execv() starts another process and ends this one at once, so that a shell would not wait.
    if _ON_WINDOWS:
        sys.exit(subprocess.call([path, *words]))
    os.execv(path, ["unshade", *words])


def main(arguments: Optional[List[str]] = None) -> NoReturn:
    """The entry point `unshade`: becomes the command."""
    words = sys.argv[1:] if arguments is None else arguments
    # Not that on the PATH, which may be this entry point.
    path = os.environ.get("UNSHADE_COMMAND") or str(_BESIDE)
    try:
        become_command(path, words)
    except OSError as error:
        sys.exit(f"unshade: {path}: {error.strerror}")

"""Shaders of many files indexed on many machines, by Dask distributed.

    import unshade.dask
    unshade.dask.index(["/games"], "games.udb")

Paths are sent to the workers, which have to see the same files, and databases come back: some hundred bytes for each shader. A batch whose reader or
worker dies is halved until the file that kills it is named and set aside.
"""
from __future__ import annotations

import argparse
import importlib
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._command import command_path, run_command

Path = Union[str, "os.PathLike[str]"]

BATCH_BYTES = 128 << 20  # of the files of a batch
BATCH_FILES = 1000
_BATCH_CHARACTERS = 1 << 19  # of their names: a command line has a limit
_MERGED_AT_ONCE = 16
_TRIES_ALONE = 3  # of a file whose worker died: it may have died of something else


class Report(NamedTuple):
    """What a run did. `set_aside`: files that killed their reader, and folders that cannot be read, each with how. `messages`: what the readers reported."""

    files: int
    unchanged: int
    batches: int
    set_aside: Dict[str, str]
    messages: List[str]


class _Batch(NamedTuple):
    files: Tuple[str, ...]
    tries: int = 0


class _Done(NamedTuple):
    database: bytes
    death: str  # how the reader died; empty if it lived
    messages: List[str]


def _index_batch(files: Sequence[str], options: Sequence[str], threads: int) -> _Done:
    """On a worker: a database of the files. The reader is a process of its own, so that the worker survives it."""
    with tempfile.TemporaryDirectory(prefix="unshade-") as folder:
        database = pathlib.Path(folder) / "batch.udb"
        words = [command_path(), "index", "-o", str(database), "-j", str(threads), *options, "--", *files]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        messages = done.stderr.decode("utf-8", "replace").splitlines()
        if done.returncode < 0:
            return _Done(b"", f"the reader was ended by {signal.Signals(-done.returncode).name}", messages)
        if not database.exists():
            raise RuntimeError("\n".join(messages) or f"unshade ended with status {done.returncode}")
        return _Done(database.read_bytes(), "", messages)


def _distributed() -> Any:
    """Debian: python3-distributed."""
    return importlib.import_module("distributed")


def _state(path: str) -> Optional[Tuple[int, int]]:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _files_below(paths: Iterable[Path], unread: Dict[str, str]) -> List[str]:
    found: List[str] = []

    def note(error: OSError) -> None:
        unread[str(error.filename)] = f"the folder cannot be read: {error.strerror}"

    for path in (os.fspath(one) for one in paths):
        if not os.path.isdir(path):
            found.append(path)
            continue
        for folder, folders, names in os.walk(path, onerror=note):
            folders.sort()
            found.extend(os.path.join(folder, name) for name in sorted(names))
    return list(dict.fromkeys(found))


def _known(database: str, search: str) -> Dict[str, Tuple[int, int]]:
    """The files that a database has without a fault, searched in this way, each with its size and time."""
    if not os.path.exists(database) or os.path.getsize(database) == 0:
        return {}
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return {path: (size, mtime) for path, size, mtime in connection.execute("select path, size, mtime from file where fault is null and search = ?", (search,))}
    finally:
        connection.close()


def _add_kept(database: str, options: List[str]) -> None:
    """What a database that is there keeps, its batches have to keep, too. Raises ValueError if it keeps less than is asked for."""
    if not os.path.exists(database) or os.path.getsize(database) == 0:
        return
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        kept = {name for name, in connection.execute("select name from sqlite_master")}
    finally:
        connection.close()
    for option, table in (("--keep", "content"), ("--text", "listing")):
        if option in options and table not in kept:
            raise ValueError(f"{database} was made without {option}: make another one")
        if option not in options and table in kept:
            options.append(option)


def _batches(files: Dict[str, int], most_bytes: int, most_files: int) -> List[_Batch]:
    """Largest first, so that the last ones are short."""
    batches: List[_Batch] = []
    batch: List[str] = []
    size = characters = 0
    for path in sorted(files, key=lambda one: (-files[one], one)):
        if batch and (size + files[path] > most_bytes or len(batch) == most_files or characters + len(path) > _BATCH_CHARACTERS):
            batches.append(_Batch(tuple(batch)))
            batch, size, characters = [], 0, 0
        batch.append(path)
        size += files[path]
        characters += len(path)
    if batch:
        batches.append(_Batch(tuple(batch)))
    return batches


class _Merger:
    """Joins databases of batches into one, some at a time."""

    def __init__(self, out: str, folder: str) -> None:
        self._out = out
        self._folder = pathlib.Path(folder)
        self._waiting: List[str] = []

    def add(self, database: bytes) -> None:
        path = self._folder / f"{len(self._waiting)}.udb"
        path.write_bytes(database)
        self._waiting.append(str(path))
        if len(self._waiting) == _MERGED_AT_ONCE:
            self.finish()

    def finish(self) -> None:
        if self._waiting:
            run_command(["index", "--merge", "-o", self._out, "--", *self._waiting], accepted=(0,))
        self._waiting = []


def index(paths: Iterable[Path], out: Path, client: Any = None, *, keep: bool = False, text: bool = False, decompress: bool = False,
          batch_bytes: int = BATCH_BYTES, batch_files: int = BATCH_FILES, progress: Optional[Callable[[int, int], None]] = None) -> Report:
    """Indexes all files below `paths` into the database `out`, which may be there already: files of the same size and time are left alone, so that
    a run that was interrupted continues. `client`: a dask.distributed.Client; without one, a cluster of this machine. `keep`, `text`,
    `decompress`: as `unshade index` has them. `progress`: called with the files that are done, and all."""
    options = [word for word, asked in (("--keep", keep), ("--text", text), ("--decompress", decompress)) if asked]
    if client is not None:
        return _index(paths, os.fspath(out), client, options, batch_bytes, batch_files, progress)
    distributed = _distributed()
    with distributed.LocalCluster(threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as own:
        return _index(paths, os.fspath(out), own, options, batch_bytes, batch_files, progress)


def _index(paths: Iterable[Path], out: str, client: Any, options: List[str], batch_bytes: int, batch_files: int,
           progress: Optional[Callable[[int, int], None]]) -> Report:
    killed_worker = importlib.import_module("distributed.scheduler").KilledWorker
    set_aside: Dict[str, str] = {}
    _add_kept(out, options)
    states = {path: _state(path) for path in _files_below(paths, set_aside)}
    known = _known(out, "unpack streams" if "--decompress" in options else "unpack")
    files = {path: state[0] if state else 0 for path, state in states.items() if state is None or known.get(path) != state}
    waiting = _batches(files, batch_bytes, batch_files)[::-1]
    workers = client.scheduler_info()["workers"].values()
    threads = max([worker["nthreads"] for worker in workers] or [1])
    at_once = 4 * max(1, sum(worker["nthreads"] for worker in workers))
    messages: List[str] = []
    done = batches = 0
    running: Dict[Any, _Batch] = {}
    queue = _distributed().as_completed()

    def submit() -> None:
        while waiting and len(running) < at_once:
            batch = waiting.pop()
            # a batch of one file takes all of a worker
            future = client.submit(_index_batch, batch.files, options, threads if len(batch.files) == 1 else 1, pure=False, retries=1)
            running[future] = batch
            queue.add(future)

    def divide(batch: _Batch, death: str) -> int:
        """Tries again with less. How many files are done with."""
        if len(batch.files) > 1:
            middle = len(batch.files) // 2
            waiting.extend((_Batch(batch.files[middle:]), _Batch(batch.files[:middle])))
            return 0
        if batch.tries + 1 < _TRIES_ALONE:
            waiting.append(batch._replace(tries=batch.tries + 1))
            return 0
        set_aside[batch.files[0]] = death
        return 1

    with tempfile.TemporaryDirectory(prefix="unshade-") as folder:
        merger = _Merger(out, folder)
        submit()
        while running:
            future = next(queue)
            batch = running.pop(future)
            batches += 1
            try:
                result = future.result()
            except killed_worker:
                done += divide(batch, "the worker died")
            else:
                if result.death:
                    done += divide(batch, result.death)
                else:
                    merger.add(result.database)
                    messages += result.messages
                    done += len(batch.files)
            future.release()
            if progress is not None:
                progress(done, len(files))
            submit()
        merger.finish()
    return Report(len(files), len(states) - len(files), batches, set_aside, messages)


def main(words: Optional[Sequence[str]] = None) -> int:
    """python3 -m unshade.dask: exit status 0, or 1 if files were set aside."""
    parser = argparse.ArgumentParser(prog="python3 -m unshade.dask", description="Indexes the shaders of many files on the workers of Dask.")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("-o", "--output", required=True, metavar="DB")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a cluster that runs, tcp://host:8786 (default: one of this machine)")
    for name in ("keep", "text", "decompress"):
        parser.add_argument(f"--{name}", action="store_true", help="as unshade index has it")
    args = parser.parse_args(words)
    client = None
    if args.scheduler:
        client = _distributed().Client(args.scheduler)

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done}/{total} files", end="", file=sys.stderr)

    report = index(args.paths, args.output, client, keep=args.keep, text=args.text, decompress=args.decompress, progress=show)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    for message in report.messages:
        print(message, file=sys.stderr)
    for path, death in report.set_aside.items():
        print(f"{path}: error[set-aside]: {death}", file=sys.stderr)
    print(f"{args.output}: {report.files} files searched, {report.unchanged} unchanged, {len(report.set_aside)} set aside")
    return 1 if report.set_aside else 0


if __name__ == "__main__":
    # of the module that workers import, not of __main__
    sys.exit(importlib.import_module("unshade.dask").main())

"""A database of the shaders in any number of files: what the verbs `index` and `search` do."""
from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pathlib
import re
import sqlite3
import urllib.parse
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _c
from ._call import Handle, blob, failure, made, name_bytes
from ._command import json_rows, run_command
from .errors import CommandError, Error
from .finding_shaders import files_of
from .findings import Finding, taken_messages
from .making import open

if TYPE_CHECKING:
    import pandas

    from . import json_types

Path = Union[str, "os.PathLike[str]"]
Names = Union[str, Iterable[str]]

_MOST_THREADS = 256


class Added(NamedTuple):
    """What a search of files did: how many were searched and left out, how many are gone, how much they had. `added`: shaders that the database did not
    have; `faults`: what cannot be read ("io") or unpacked, with the file as their path."""

    files: int
    unchanged: int
    removed: int
    bytes: int
    shaders: int
    added: int
    faults: List[Finding]


class Merged(NamedTuple):
    """What other databases had: files; of them, those that the index had with shaders that they do not have any more; and shaders that the index did not
    have."""

    files: int
    replaced: int
    added: int


def _list(names: Names) -> List[str]:
    return [names] if isinstance(names, str) else list(names)


def _each(option: str, names: Names) -> List[str]:
    return [word for name in _list(names) for word in (option, name)]


def _has_databases() -> bool:
    """Whether the library was built with them."""
    try:
        made(_c.unshade_index_open, b"", 0)
    except Error as error:
        return error.code != "unsupported"
    return True


def _opened(path: str, flags: int) -> Handle:
    return Handle(made(_c.unshade_index_open, os.fsencode(path), flags), _c.unshade_index_free)


@contextlib.contextmanager
def _errors_of(path: str, others: Sequence[str] = ()) -> Iterator[None]:
    """The library's errors as the command has them: status 1 for a database that is damaged or none, 2 for what it is asked. The library calls the second
    of `others` "others[1]"."""
    try:
        yield
    except Error as error:
        names = {f"others[{i}]": other for i, other in enumerate(others)}
        is_database = not error.path or error.path in names
        status = 1 if is_database and error.code in ("bad-value", "bad-magic") else 2
        message = re.sub(r"others\[\d+\]", lambda found: names.get(found[0], found[0]), error.message)
        raise CommandError(status, f"{names.get(error.path, path)}: {'' if is_database else error.path + ': '}{message}") from None


def _threads(jobs: int) -> int:
    return min(jobs or os.cpu_count() or 1, _MOST_THREADS)


def _names(paths: Sequence[str]) -> Any:
    """Paths as an array of C."""
    return ctypes.cast((ctypes.c_char_p * len(paths))(*(os.fsencode(path) for path in paths)), ctypes.POINTER(ctypes.c_void_p))


def _add(index: Handle, sources: Sequence[Path], update: bool, decompress: bool, jobs: int) -> Added:
    """Raises CommandError if a file cannot be read."""
    roots = [os.fspath(source) for source in sources]
    files = [file for root in roots for file in files_of(root)]
    flags = (_c.UNSHADE_INDEX_UPDATE if update else 0) | (_c.UNSHADE_INDEX_STREAMS if decompress else 0)
    how = _c.IndexOptions(struct_size=ctypes.sizeof(_c.IndexOptions), flags=flags, threads=_threads(jobs))
    totals = _c.IndexTotals(struct_size=ctypes.sizeof(_c.IndexTotals))
    faults = taken_messages(made(_c.unshade_index_add, index.value, _names(files), len(files), _names(roots), len(roots), ctypes.byref(how),
                                 ctypes.byref(totals)))
    unread = [fault for fault in faults if fault.rule == "io"]
    if unread:
        raise CommandError(2, "\n".join(f"{fault.path}: {fault.message}" for fault in unread))
    return Added(totals.files, totals.unchanged, totals.removed, totals.bytes, totals.shaders, totals.added, faults)


def _options(**wanted: bool) -> List[str]:
    return [f"--{name.replace('_', '-')}" for name, is_wanted in wanted.items() if is_wanted]


class Index:
    """A database that `unshade index` or Index.build() made: docs/howto/search.md. In this process; if the library was built without
    databases, build() and search() run the command, and the others raise CommandError."""

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        if not pathlib.Path(self.path).is_file():
            raise FileNotFoundError(self.path)

    @classmethod
    def build(cls, path: Path, *sources: Path, update: bool = False, keep: bool = False, text: bool = False, decompress: bool = False, jobs: int = 0) -> Index:
        """Finds the shaders in files and folders and indexes them. `update`: only what has changed; `keep`: the bytes of shaders too; `text`: the words of
        listings too; `decompress`: also in compressed streams at any place; `jobs`: threads, 0 for all processors. Raises CommandError if a file cannot be
        read."""
        name = os.fspath(path)
        if not _has_databases():
            options = _options(update=update, keep=keep, text=text, decompress=decompress)
            if jobs:
                options += ["--jobs", str(jobs)]
            run_command(["index", *options, "-o", name, "--", *(os.fspath(source) for source in sources)])
            return cls(path)
        if not update and os.path.exists(name) and os.path.getsize(name) != 0:
            raise CommandError(2, f"{name}: the database is there already: update adds to it, and continues a run that was interrupted")
        flags = _c.UNSHADE_INDEX_MAKE | (_c.UNSHADE_INDEX_KEEP if keep else 0) | (_c.UNSHADE_INDEX_TEXT if text else 0)
        with _errors_of(name):
            _add(_opened(name, flags), sources, update, decompress, jobs)
        return cls(path)

    def add(self, *sources: Path, update: bool = True, decompress: bool = False, jobs: int = 0) -> Added:
        """Finds the shaders in more files and folders, or again in the same, and indexes them. `update`: only in files that are new or have changed, and those
        below `sources` that are gone are forgotten. What cannot be read or unpacked is in `faults`."""
        with _errors_of(self.path):
            return _add(_opened(self.path, _c.UNSHADE_INDEX_MAKE), sources, update, decompress, jobs)

    def remove(self, file: Path) -> None:
        """Takes a file out, by the path under which it was added."""
        with _errors_of(self.path):
            index, fault = _opened(self.path, _c.UNSHADE_INDEX_MAKE), ctypes.c_void_p()
            code = _c.unshade_index_remove(index.value, os.fsencode(file), ctypes.byref(fault))
            if code:
                raise failure(code, fault.value)

    def merge(self, *others: Union[Path, Index]) -> Merged:
        """Adds all that other databases have. Of a file that this one has already, the new shaders replace the old ones. All are checked first: two of them must
        not have different files under one path, and they must keep what this one keeps."""
        paths = [other.path if isinstance(other, Index) else os.fspath(other) for other in others]
        merged, fault = _c.IndexMerged(struct_size=ctypes.sizeof(_c.IndexMerged)), ctypes.c_void_p()
        with _errors_of(self.path, paths):
            index = _opened(self.path, _c.UNSHADE_INDEX_MAKE)
            code = _c.unshade_index_merge(index.value, _names(paths), len(paths), ctypes.byref(merged), ctypes.byref(fault))
            if code:
                raise failure(code, fault.value)
        return Merged(merged.files, merged.replaced, merged.added)

    def check(self) -> None:
        """Reads all of it, and raises CommandError if something in it is wrong."""
        with _errors_of(self.path):
            index, fault = _opened(self.path, 0), ctypes.c_void_p()
            code = _c.unshade_index_check(index.value, ctypes.byref(fault))
            if code:
                raise failure(code, fault.value)

    def stats(self) -> Dict[str, Any]:
        """What is in it, counted."""
        with _errors_of(self.path):
            index = _opened(self.path, 0)
            document = json.loads(blob(_c.unshade_index_stats, index.value, os.fsencode(self.path)))
        found: Dict[str, Any] = document["files"][0]
        return found

    def _words(self, text: Optional[str], binds: Names, uses: Names, hash: Optional[str], like: Optional[Path], threshold: Optional[int], where: Optional[str],
               words: Optional[str], regex: Optional[str], ignore_case: bool, context: int, limit: int, places: bool) -> List[str]:
        given = [*_each("--binds", binds), *_each("--uses", uses)]
        for option, value in (("--hash", hash), ("--like", like), ("--threshold", threshold), ("--where", where), ("--words", words), ("--regex", regex),
                              ("--context", context or None), ("--limit", limit or None)):
            if value is not None:
                given += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        given += _options(ignore_case=ignore_case, places=places)
        return ["search", "--json", *given, "--", self.path, *([] if text is None else [text])]

    def search(self, text: Optional[str] = None, *, binds: Names = (), uses: Names = (), hash: Optional[str] = None, like: Optional[Path] = None,
               threshold: Optional[int] = None, where: Optional[str] = None, words: Optional[str] = None, regex: Optional[str] = None,
               ignore_case: bool = False, context: int = 0, limit: int = 0, places: bool = True) -> List[json_types.Search]:
        """The shaders that fulfil all conditions. `text`: a part of a name in the interface; `binds`: "cbuffer:Camera", "t3"; `uses`: opcodes, "sample*";
        `hash`: what any tool calls it; `like`: a file, the most similar shaders first, at least `threshold` percent; `where`: SQL over the columns;
        `words`: of listings, if the database has them; `regex`: lines of listings, which are listed again, with `context` lines around them. Raises
        CommandError if the database is damaged, or shaders that are to be listed are no longer there."""
        if not _has_databases():
            given = self._words(text, binds, uses, hash, like, threshold, where, words, regex, ignore_case, context, limit, places)
            return list(json_rows(run_command(given)))
        conditions = [(_c.UNSHADE_HAS_BINDING, name) for name in _list(binds)] + [(_c.UNSHADE_HAS_OPCODE, name) for name in _list(uses)]
        conditions += [(what, value) for what, value in ((_c.UNSHADE_HAS_NAME, text), (_c.UNSHADE_HAS_HASH, hash), (_c.UNSHADE_HAS_COLUMNS, where),
                                                         (_c.UNSHADE_HAS_WORDS, words)) if value is not None]
        if threshold is None:
            threshold = 50 if like is not None else 0
        items = (_c.Condition * len(conditions))(*[_c.Condition(what, name_bytes(value)) for what, value in conditions])
        faults = ctypes.c_void_p()
        with _errors_of(self.path):
            shader = None if like is None else open(like)
            how = _c.SearchOptions(struct_size=ctypes.sizeof(_c.SearchOptions), like=None if shader is None else shader._handle.value,
                                   threshold=threshold / 100, regex=None if regex is None else name_bytes(regex), ignore_case=ignore_case, context=context,
                                   threads=_threads(0), limit=limit)
            index = _opened(self.path, 0)
            rows = blob(_c.unshade_index_search, index.value, items, len(items), ctypes.sizeof(_c.Condition), ctypes.byref(how), ctypes.byref(faults))
        gone = taken_messages(faults.value)
        if gone:
            raise CommandError(1, "\n".join(f"{fault.path}: {fault.message}" for fault in gone))
        return [json.loads(line) for line in rows.splitlines()]

    def frame(self, *arguments: Any, **options: Any) -> pandas.DataFrame:
        """What search() gives as a table of pandas, with the file and offset of each shader's first place; without arguments, all shaders."""
        import pandas

        rows = []
        for row in self.search(*arguments, **options):
            first = row["places"][0]
            rows.append((row["xxh3"], row["family"], row["stage"], row["profile"], row["creator"], row["size"], row["instructions"], first["file"],
                         first["offset"], len(row["places"])))
        return pandas.DataFrame(rows, columns=["xxh3", "family", "stage", "profile", "creator", "size", "instructions", "file", "offset", "places"])

    def sql(self, query: str, parameters: Sequence[Any] = ()) -> List[Tuple[Any, ...]]:
        """The rows of a query over the views `shaders`, `places`, `bindings`, `opcodes`: docs/reference/database.md. It can only read."""
        connection = sqlite3.connect(f"file:{urllib.parse.quote(os.path.abspath(self.path))}?mode=ro", uri=True)
        try:
            return connection.execute(query, parameters).fetchall()
        finally:
            connection.close()

    def __len__(self) -> int:
        """The number of shaders of different bytes."""
        count: int = self.sql("select count(*) from shaders")[0][0]
        return count

    def __repr__(self) -> str:
        return f"<unshade.Index {self.path}>"

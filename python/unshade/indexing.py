"""A database of the shaders in any number of files: the verbs `index` and `search`."""
from __future__ import annotations

import os
import pathlib
import sqlite3
import urllib.parse
from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Sequence, Tuple, Union

from ._command import json_rows, run_command

if TYPE_CHECKING:
    import pandas

    from . import json_types

Path = Union[str, "os.PathLike[str]"]
Names = Union[str, Iterable[str]]


def _each(option: str, names: Names) -> List[str]:
    return [word for name in ([names] if isinstance(names, str) else names) for word in (option, name)]


class Index:
    """A database that `unshade index` made: docs/howto/search.md."""

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        if not pathlib.Path(self.path).is_file():
            raise FileNotFoundError(self.path)

    @classmethod
    def build(cls, path: Path, *sources: Path, update: bool = False, keep: bool = False, text: bool = False, decompress: bool = False, jobs: int = 0) -> Index:
        """Finds the shaders in files and folders and indexes them. `update`: only what has changed; `keep`: the bytes of shaders too; `text`: the words of
        listings too; `decompress`: also in compressed streams at any place; `jobs`: threads, 0 for all processors."""
        options = [option for option, wanted in (("--update", update), ("--keep", keep), ("--text", text), ("--decompress", decompress)) if wanted]
        if jobs:
            options += ["--jobs", str(jobs)]
        run_command(["index", *options, "-o", os.fspath(path), "--", *(os.fspath(source) for source in sources)])
        return cls(path)

    def _words(self, text: Optional[str], binds: Names, uses: Names, hash: Optional[str], like: Optional[Path], threshold: Optional[int], where: Optional[str],
               words: Optional[str], regex: Optional[str], ignore_case: bool, context: int, limit: int, places: bool) -> List[str]:
        given = [*_each("--binds", binds), *_each("--uses", uses)]
        for option, value in (("--hash", hash), ("--like", like), ("--threshold", threshold), ("--where", where), ("--words", words), ("--regex", regex),
                              ("--context", context or None), ("--limit", limit or None)):
            if value is not None:
                given += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        given += [option for option, wanted in (("--ignore-case", ignore_case), ("--places", places)) if wanted]
        return ["search", "--json", *given, "--", self.path, *([] if text is None else [text])]

    def search(self, text: Optional[str] = None, *, binds: Names = (), uses: Names = (), hash: Optional[str] = None, like: Optional[Path] = None,
               threshold: Optional[int] = None, where: Optional[str] = None, words: Optional[str] = None, regex: Optional[str] = None,
               ignore_case: bool = False, context: int = 0, limit: int = 0, places: bool = True) -> List[json_types.Search]:
        """The shaders that fulfil all conditions. `text`: a part of a name in the interface; `binds`: "cbuffer:Camera", "t3"; `uses`: opcodes, "sample*";
        `hash`: what any tool calls it; `like`: a file, the most similar shaders first, at least `threshold` percent; `where`: SQL over the columns;
        `words`: of listings, if the database has them; `regex`: lines of listings, which are listed again, with `context` lines around them. Raises
        CommandError if the database is damaged, or shaders that are to be listed are not there any more."""
        given = self._words(text, binds, uses, hash, like, threshold, where, words, regex, ignore_case, context, limit, places)
        return list(json_rows(run_command(given)))

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

"""What the command does: searching archives, drawing scenes, running suites."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._command import json_rows, run_command
from .errors import CommandError, Error
from .finding_shaders import files_of, has_unpack, packed_faults, packed_shaders, unpack_file

if TYPE_CHECKING:
    from . import json_types

Path = Union[str, "os.PathLike[str]"]


class Found(NamedTuple):
    """A shader in a file. `layers`: the archives and streams that it lies in, outermost first, none if it is in the file as it is; `offset`: in the innermost. `certainty`: "certain",
    "likely", "possible". `parent`: the offset of the shader that it lies in, or None."""

    file: str
    offset: int
    size: int
    family: str
    form: str
    stage: Optional[str]
    profile: Optional[str]
    certainty: str
    parent: Optional[int]
    layers: List[Dict[str, Any]]


def _scan_here(paths: Tuple[Path, ...], decompress: bool, certain: bool, top: bool) -> Iterator[Found]:
    faults = []
    for path in paths:
        for file in files_of(path):
            try:
                packed = unpack_file(file, decompress)
            except Error as error:
                raise CommandError(2, f"{file}: {error.message}") from None
            for shader in packed_shaders(packed, False):
                if (top and shader.parent is not None) or (certain and shader.certainty != "certain"):
                    continue
                yield Found(file, *(getattr(shader, name) for name in Found._fields[1:]))
            faults += [f"{file}{fault.layers}: {fault.message}" for fault in packed_faults(packed)]
    if faults:
        raise CommandError(1, "\n".join(faults))


def scan(*paths: Path, decompress: bool = False, certain: bool = False, top: bool = False) -> Iterator[Found]:
    """Every shader in files and folders of any kind, also inside archives, as `unshade scan` finds them. `decompress`: in compressed streams at any place
    too; `certain`: without what is merely likely; `top`: without those that lie in others. Raises CommandError after the last one if something could not
    be unpacked. In this process, or by the command if the library was built without the component unpack."""
    if has_unpack():
        yield from _scan_here(paths, decompress, certain, top)
        return
    options = [option for option, wanted in (("--decompress", decompress), ("--certain", certain), ("--top", top)) if wanted]
    for row in json_rows(run_command(["scan", "--json", *options, "--", *(os.fspath(path) for path in paths)]), but=("missing",)):
        row.setdefault("layers", [])  # absent of what lies in a file as it is
        yield Found(*(row[name] for name in Found._fields))


class Picture:
    """A picture that was drawn. `png` are the bytes of the file; a notebook shows it. `json`: what each pass drew and rejected."""

    def __init__(self, png: bytes, answer: json_types.Draw) -> None:
        self.png = png
        self.json = answer

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height in pixels."""
        return int.from_bytes(self.png[16:20], "big"), int.from_bytes(self.png[20:24], "big")

    def save(self, path: Path) -> None:
        pathlib.Path(path).write_bytes(self.png)

    def __repr__(self) -> str:
        return f"<unshade.Picture: {self.size[0]} x {self.size[1]}>"

    def _repr_png_(self) -> bytes:
        return self.png


def draw(scene: Union[Path, json_types.Scene, Dict[str, Any]], *, target: Optional[str] = None, folder: Path = ".") -> Picture:
    """Draws a scene (docs/reference/scenes.md), a file or a dict, without a GPU. `target`: the one that is shown, instead of the first of the last pass.
    `folder`: what the files that a dict names are relative to."""
    with tempfile.TemporaryDirectory() as made:
        picture = pathlib.Path(made) / "picture.png"
        options = ["--target", target] if target is not None else []
        if isinstance(scene, (str, os.PathLike)):
            words = ["draw", "--json", "-o", str(picture), *options, "--", os.fspath(scene)]
            answer = run_command(words, accepted=(0,))
        else:
            with tempfile.NamedTemporaryFile("w", suffix=".json", dir=folder) as file:
                json.dump(scene, file)
                file.flush()
                answer = run_command(["draw", "--json", "-o", str(picture), *options, "--", file.name], accepted=(0,))
        if not picture.exists():
            raise CommandError(0, "the scene has no picture")
        return Picture(picture.read_bytes(), json.loads(answer))


def test(*paths: Path, only: Optional[str] = None) -> json_types.Test:
    """Runs suites and Amber scripts, or those in folders: `unshade test --json`. `only`: those whose names contain it, `*` stands for anything."""
    options = ["--filter", only] if only is not None else []
    answer: json_types.Test = json.loads(run_command(["test", "--json", *options, "--", *(os.fspath(path) for path in paths)]))
    return answer

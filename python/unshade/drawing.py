"""Scenes drawn in this process: pixels, histories, heat maps, and stepping from a pixel."""
from __future__ import annotations

import array
import ctypes
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

from . import _c
from ._call import Data, Handle, as_bytes, blob, failure, made, name_bytes, text, text_of
from .errors import Error
from .stepping import Session

if TYPE_CHECKING:
    from . import json_types

Path = Union[str, "os.PathLike[str]"]
_FORMS = {"rgba8": _c.UNSHADE_PIXELS_RGBA8, "float": _c.UNSHADE_PIXELS_FLOAT, "stored": _c.UNSHADE_PIXELS_STORED}


class Target(NamedTuple):
    """A target of a scene. `is_shown`: the one to look at, the first target of the last pass that draws."""

    name: str
    format: str
    width: int
    height: int
    layers: int
    samples: int
    is_depth: bool
    is_shown: bool


class Heat(NamedTuple):
    """What each pixel cost. `colors`: four bytes a pixel; `numbers`: one for each pixel, -1 where there is nothing."""

    json: Dict[str, Any]
    colors: bytes
    numbers: array.array[float]


class Drawing:
    """A scene that was drawn: `scene.draw()`. It is drawn again for each history, heat map and session."""

    def __init__(self, value: int) -> None:
        self._handle = Handle(value, _c.unshade_drawing_free)
        self.targets: List[Target] = []
        row = _c.Target(struct_size=ctypes.sizeof(_c.Target))
        while _c.unshade_target_at(self._handle.value, len(self.targets), ctypes.byref(row)) == _c.UNSHADE_OK:
            self.targets.append(Target(text_of(row.name), text_of(row.format), row.width, row.height, row.layers, row.samples, bool(row.is_depth),
                                       bool(row.is_shown)))

    def _target(self, name: Optional[str]) -> int:
        for number, target in enumerate(self.targets):
            if target.is_shown if name is None else target.name == name:
                return number
        raise KeyError(name)

    def json(self, *, resources: bool = False) -> json_types.Draw:
        """Targets, and what each pass ran, drew and rejected. `resources`: also what the scene's resources hold."""
        answer: json_types.Draw = json.loads(text(_c.unshade_drawing_json, self._handle.value, int(resources)))
        return answer

    def pixels(self, target: Optional[str] = None, form: str = "rgba8") -> bytes:
        """Row by row from the top. `form`: "rgba8", four bytes a pixel; "float", four floats; "stored", in the target's format. Raises KeyError for targets
        that there are not, and unshade.Error for whole numbers as "rgba8"."""
        if form not in _FORMS:
            raise ValueError(f"the form must be one of {', '.join(_FORMS)}, not {form}")
        return blob(_c.unshade_target_pixels, self._handle.value, self._target(target), _FORMS[form])

    def _pixel(self, x: int, y: int, sample: Optional[int], target: Optional[str], event: int) -> Any:
        place = -1 if sample is None else sample
        return _c.Pixel(struct_size=ctypes.sizeof(_c.Pixel), target=self._target(target), x=x, y=y, sample=place, event=event)

    def history(self, x: int, y: int, *, sample: Optional[int] = None, target: Optional[str] = None, event: int = 0) -> List[Dict[str, Any]]:
        """What became of each primitive at a pixel. With the number of an event, that alone, with a trace of its pixel shader."""
        pixel = self._pixel(x, y, sample, target, event)
        answer: List[Dict[str, Any]] = json.loads(text(_c.unshade_pixel_history, self._handle.value, ctypes.byref(pixel)))["history"]
        return answer

    def session(self, x: int, y: int, event: int, *, sample: Optional[int] = None, target: Optional[str] = None, record: int = 0) -> Session:
        """Steps through the pixel shader of an event of the pixel's history: its wave, following the lane of the pixel."""
        options = _c.SessionOptions(struct_size=ctypes.sizeof(_c.SessionOptions), record=record)
        pixel = self._pixel(x, y, sample, target, event)
        return Session(made(_c.unshade_pixel_session, self._handle.value, ctypes.byref(pixel), ctypes.byref(options)))

    def heat(self, kind: str, target: Optional[str] = None) -> Heat:
        """What each pixel of a target cost: "overdraw", "runs", "instructions", "level", "divergence", "nan"."""
        heat = Handle(made(_c.unshade_heat_new, self._handle.value, self._target(target), name_bytes(kind)), _c.unshade_heat_free)
        size, count = ctypes.c_size_t(), ctypes.c_uint32()
        colors = ctypes.string_at(_c.unshade_heat_colors(heat.value, ctypes.byref(size)) or 0, size.value)
        first = _c.unshade_heat_numbers(heat.value, ctypes.byref(count))
        numbers = array.array("f", ctypes.string_at(first or 0, 4 * count.value))
        return Heat(json.loads(text(_c.unshade_heat_json, heat.value))["heat"], colors, numbers)

    def __repr__(self) -> str:
        return f"<unshade.Drawing: {', '.join(f'{target.name} {target.width} x {target.height}' for target in self.targets)}>"


def _read(scene: pathlib.Path) -> str:
    if scene.suffix != ".toml":
        return scene.read_text()
    try:
        import tomllib
    except ImportError:
        raise ValueError("scenes in TOML can be read from Python 3.11 on") from None
    return json.dumps(tomllib.loads(scene.read_text()))


class Scene:
    """A scene (docs/reference/scenes.md): a dict, or the path of one in JSON or TOML. Files that it names are those of set_file(), and those in `folder`,
    which is that of the path."""

    def __init__(self, scene: Union[json_types.Scene, Dict[str, Any], Path], folder: Optional[Path] = None) -> None:
        if isinstance(scene, (str, os.PathLike)):
            raw = _read(pathlib.Path(scene)).encode()
            folder = pathlib.Path(scene).parent if folder is None else folder
        else:
            raw = json.dumps(scene).encode()
        self._folder = None if folder is None else pathlib.Path(folder)
        self._handle = Handle(made(_c.unshade_scene_new, raw, len(raw)), _c.unshade_scene_free)

    @property
    def frames(self) -> int:
        """Of its animation; 1 without one."""
        return _c.unshade_scene_frame_count(self._handle.value)

    @property
    def missing_files(self) -> Tuple[str, ...]:
        """Names of files that the scene names and was not given. Files that a glTF file names are among them after a drawing that failed for want of them."""
        names: List[str] = []
        while (name := _c.unshade_scene_missing_file(self._handle.value, len(names))) is not None:
            names.append(text_of(name))
        return tuple(names)

    def set_file(self, name: str, data: Data) -> Scene:
        """Gives it a file: a shader, a listing, a mesh, the data of a resource, a picture in DDS."""
        raw = as_bytes(data)
        code = _c.unshade_scene_set_file(self._handle.value, name_bytes(name), raw, len(raw))
        if code != _c.UNSHADE_OK:
            raise failure(code, None)
        return self

    def _read_files(self) -> bool:
        """Whether there was one to read."""
        found = False
        if self._folder is not None:
            for name in self.missing_files:
                path = self._folder / name
                if path.is_file():
                    self.set_file(name, path.read_bytes())
                    found = True
        return found

    def draw(self, *, frame: int = 0, wave: int = 0, operations: int = 0, memory: int = 0, threads: int = 0) -> Drawing:
        """Draws it on the CPU. Zeros stand for the defaults: waves of 32 lanes, 2^32 operations for each draw, 1 GiB, one thread."""
        options = _c.DrawOptions(struct_size=ctypes.sizeof(_c.DrawOptions), frame=frame, wave=wave, operations=operations, memory=memory, threads=threads)
        self._read_files()
        while True:
            try:
                return Drawing(made(_c.unshade_draw, self._handle.value, ctypes.byref(options)))
            except Error as error:
                # of a file that names others
                if error.code != "missing" or not self._read_files():
                    raise

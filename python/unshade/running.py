"""Shaders run on the CPU."""
from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _c
from ._call import Data, Handle, as_bytes, blob, failure, made, name_bytes, text

if TYPE_CHECKING:
    from . import json_types
    from .shader import Shader

Numbers = Union[float, Sequence[float]]


def _doubles(values: Numbers) -> Any:
    listed = [float(values)] if isinstance(values, (int, float)) else [float(value) for value in values]
    return (ctypes.c_double * len(listed))(*listed)


def _check(code: int) -> None:
    if code != _c.UNSHADE_OK:
        raise failure(code, None)


class Result:
    """What a run gave."""

    def __init__(self, value: int) -> None:
        self._handle = Handle(value, _c.unshade_result_free)

    @property
    def stop(self) -> str:
        """ "finished", or why it stopped: "budget", "fault"."""
        return (_c.unshade_result_stop(self._handle.value) or b"").decode()

    def __len__(self) -> int:
        """Lanes, or vertices that a geometry shader emitted."""
        return _c.unshade_result_lane_count(self._handle.value)

    def output(self, semantic: str, lane: int = 0) -> List[float]:
        """The components of an output. Raises KeyError if the lane has no such output."""
        values, count = (ctypes.c_double * 16)(), ctypes.c_size_t()
        code = _c.unshade_result_output(self._handle.value, lane, name_bytes(semantic), values, len(values), ctypes.byref(count))
        if code == _c.UNSHADE_MISSING:
            raise KeyError(semantic)
        _check(code)
        if count.value > len(values):
            values = (ctypes.c_double * count.value)()
            _check(_c.unshade_result_output(self._handle.value, lane, name_bytes(semantic), values, len(values), ctypes.byref(count)))
        return list(values)[: count.value]

    def discarded(self, lane: int = 0) -> bool:
        """Whether a pixel was discarded."""
        return bool(_c.unshade_result_discarded(self._handle.value, lane))

    def resource(self, name: str) -> bytes:
        """The bytes of a resource that the shader may write, named as in Program."""
        return blob(_c.unshade_result_resource, self._handle.value, name_bytes(name))

    def __repr__(self) -> str:
        return f"<unshade.Result: {self.stop}, {len(self)} lanes>"


class Program:
    """A shader made ready to run, and its inputs, which stay from run to run until they are set again. Used by one thread at a time.

    Resources and samplers have the names of docs/reference/cases.md, "Names of resources": "lights", "maps[3]", "u0". What is wrong with names and numbers is told by the runs.
    """

    def __init__(self, shader: Shader, entry: Optional[str] = None) -> None:
        name = None if entry is None else name_bytes(entry)
        self._handle = Handle(made(_c.unshade_program_new, shader._handle.value, name), _c.unshade_program_free)

    @classmethod
    def of_case(cls, shader: Shader, case: Union[json_types.Case, Dict[str, Any]]) -> Program:
        """Of the entry point that a case names; of the first if it names none."""
        self = cls.__new__(cls)
        raw = json.dumps(case).encode()
        self._handle = Handle(made(_c.unshade_program_of_case, shader._handle.value, raw, len(raw)), _c.unshade_program_free)
        return self

    def constant(self, variable: str, values: Numbers) -> Program:
        """A variable of a constant buffer: numbers, of a matrix row by row."""
        numbers = _doubles(values)
        _check(_c.unshade_set_constant(self._handle.value, name_bytes(variable), numbers, len(numbers)))
        return self

    def buffer(self, resource: str, data: Union[Data, int], format: Optional[str] = None) -> Program:
        """A buffer: its bytes, or a number of zeros. `format`: of a typed buffer ("R32_FLOAT")."""
        raw = None if isinstance(data, int) else as_bytes(data)
        size = data if isinstance(data, int) else len(data)
        _check(_c.unshade_set_buffer(self._handle.value, name_bytes(resource), raw, size, None if format is None else name_bytes(format)))
        return self

    def texture(self, resource: str, width: int, height: int, format: str, data: Optional[Data] = None) -> Program:
        """A texture of one level: its texels row by row as the format has them, or zeros."""
        raw = None if data is None else as_bytes(data)
        _check(_c.unshade_set_texture(self._handle.value, name_bytes(resource), width, height, name_bytes(format), raw, 0 if raw is None else len(raw)))
        return self

    def sampler(self, sampler: str, filter: str = "linear", address: str = "wrap") -> Program:
        """`filter`: "point", "linear", "anisotropic"; `address`: "wrap", "mirror", "clamp", "border", "mirror_once"."""
        _check(_c.unshade_set_sampler(self._handle.value, name_bytes(sampler), name_bytes(filter), name_bytes(address)))
        return self

    def lanes(self, lanes: Sequence[Mapping[str, Numbers]]) -> Program:
        """The inputs of all lanes (vertices, pixels of quads) by semantic, or what a lane knows of itself ("vertex_id"); takes away those of before."""
        _c.unshade_clear_lanes(self._handle.value)
        for number, lane in enumerate(lanes):
            for semantic, values in lane.items():
                self.input(semantic, values, number)
        return self

    def input(self, semantic: str, values: Numbers, lane: int = 0) -> Program:
        """An input of one lane."""
        numbers = _doubles(values)
        _check(_c.unshade_set_input(self._handle.value, lane, name_bytes(semantic), numbers, len(numbers)))
        return self

    @staticmethod
    def _options(groups: Tuple[int, ...], wave: int, operations: int, memory: int, threads: int) -> Any:
        if len(groups) > 3:
            raise ValueError("a grid has at most three numbers of groups")
        options = _c.RunOptions(struct_size=ctypes.sizeof(_c.RunOptions), wave=wave, operations=operations, memory=memory, threads=threads)
        for axis, count in enumerate(groups):
            options.groups[axis] = count
        return options

    def run(self, groups: Union[int, Tuple[int, ...]] = (), *, wave: int = 0, operations: int = 0, memory: int = 0, threads: int = 0) -> Result:
        """Runs a compute shader over its grid, any other stage over its lanes. Zeros stand for the defaults: a wave as the shader asks for, 2^32
        operations, 1 GiB, one thread."""
        options = self._options((groups,) if isinstance(groups, int) else groups, wave, operations, memory, threads)
        return Result(made(_c.unshade_run, self._handle.value, ctypes.byref(options)))

    def run_case(self, case: Union[json_types.Case, Dict[str, Any], None] = None, *, wave: int = 0, operations: int = 0, memory: int = 0,
                 threads: int = 0) -> json_types.Run:
        """Runs it on a case, whose inputs take the place of those that were set; without one the inputs are generated, and the run ends after 2^24
        operations, if `operations` does not say otherwise."""
        raw = json.dumps(case or {}).encode()
        options = self._options((), wave, operations, memory, threads)
        result: json_types.Run = json.loads(text(_c.unshade_run_case, self._handle.value, raw, len(raw), ctypes.byref(options)))
        return result

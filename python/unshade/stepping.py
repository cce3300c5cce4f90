"""Runs that are stepped through."""
from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Union

from . import _c
from ._call import Handle, blob, failure, made, name_bytes, text

if TYPE_CHECKING:
    from . import json_types
    from .shader import Shader


class Session:
    """A run that was recorded: `shader.session()`, `drawing.session()`. Moves return False where they did not come where they were to, and are at the end
    (backwards: the beginning)."""

    def __init__(self, value: int) -> None:
        self._handle = Handle(value, _c.unshade_session_free)

    @classmethod
    def of(cls, shader: Shader, case: Union[json_types.Case, Dict[str, Any], None], entry: Optional[str], wave: int, operations: int, memory: int,
           record: int) -> Session:
        options = _c.SessionOptions(struct_size=ctypes.sizeof(_c.SessionOptions), operations=operations, memory=memory, record=record, wave=wave)
        options.entry = None if entry is None else name_bytes(entry)
        raw = json.dumps(case or {}).encode()
        return cls(made(_c.unshade_session_new, shader._handle.value, ctypes.byref(options), raw, len(raw)))

    @property
    def state(self) -> json_types.Session:
        """The instruction that comes next, with its line of the listing and its active lanes, and registers with those marked that the last step changed."""
        answer: json_types.Session = json.loads(text(_c.unshade_session_state, self._handle.value))
        return answer

    @property
    def result(self) -> json_types.Run:
        """What the run gave. A session of a drawing has none: unshade.Error."""
        answer: json_types.Run = json.loads(text(_c.unshade_session_result, self._handle.value))
        return answer

    @property
    def file(self) -> bytes:
        """The file of the shader, whose listing has the lines."""
        return blob(_c.unshade_session_file, self._handle.value)

    @staticmethod
    def _moved(code: int) -> bool:
        if code not in (_c.UNSHADE_OK, _c.UNSHADE_MISSING):
            raise failure(code, None)
        return code == _c.UNSHADE_OK

    def step(self, steps: int = 1) -> bool:
        """So many steps, below 0 back."""
        return self._moved(_c.unshade_session_step(self._handle.value, steps))

    def over(self) -> bool:
        """Past rounds of loops and calls: to the next instruction of the same function that is behind this one in the listing, or out of it."""
        return self._moved(_c.unshade_session_over(self._handle.value))

    def stop_line(self, line: int) -> Optional[int]:
        """The line of the listing at which a breakpoint at this line stops: the line itself, or, if it is not executable (a declaration, an `endif`), that of
        the next instruction of the same function that is one. None: there is none."""
        stop: int = _c.unshade_session_stop_line(self._handle.value, line)
        return stop or None

    def run_to(self, lines: Sequence[int], *, backwards: bool = False) -> bool:
        """To the next step at which a breakpoint at one of these lines of the listing stops, or to the one before."""
        wanted = (ctypes.c_uint32 * len(lines))(*lines)
        return self._moved(_c.unshade_session_run_to(self._handle.value, wanted, len(lines), int(backwards)))

    def run_to_odd(self) -> bool:
        """Behind the next step that writes NaN or an infinity, in the lane that is followed, or in any."""
        return self._moved(_c.unshade_session_run_to_odd(self._handle.value))

    def follow(self, wave: int) -> bool:
        """Follows another wave, by its place in the state's list, from its beginning. False: there is none; nothing changes."""
        return self._moved(_c.unshade_session_follow(self._handle.value, wave))

    def follow_lane(self, lane: Optional[int]) -> None:
        """From now on moves stop only at instructions that this lane of the wave runs; None: at all. Does not move."""
        self._moved(_c.unshade_session_follow_lane(self._handle.value, -1 if lane is None else lane))

    def __repr__(self) -> str:
        state = self.state
        steps = state["waves"][state["followed"]]["steps"] if state["waves"] else 0
        return f"<unshade.Session: at {state['position']} of {steps} steps>"

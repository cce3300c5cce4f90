"""Findings against the rules of a file's format."""
from __future__ import annotations

import ctypes
from typing import Any, Iterable, List, NamedTuple, Optional, Tuple

from . import _c
from ._call import Data, Handle, as_bytes, made, text_of
from .errors import Error


class Finding(NamedTuple):
    """`rule` is stable ("isgn.mask-overlap"), `severity` "note", "warning" or "error". `offset`: of the field, bytes from the start of the file. `line`
    and `column`: of an assembler's source, from 1; 0 where there is none."""

    severity: str
    rule: str
    message: str
    offset: int
    path: str
    line: int = 0
    column: int = 0


class AssemblyError(Error):
    """A text that does not assemble; `findings` has all that is wrong with it."""

    def __init__(self, code: str, message: str, offset: int = 0, path: str = "", file: Optional[str] = None, findings: Iterable[Finding] = ()) -> None:
        super().__init__(code, message, offset, path, file)
        self.findings = list(findings)

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.code, self.message, self.offset, self.path, self.file, self.findings)


def taken_messages(messages: Optional[int]) -> List[Finding]:
    """The findings of an object, which is freed."""
    handle = Handle(messages or 0, _c.unshade_messages_free)
    found = []
    message = _c.Message(struct_size=ctypes.sizeof(_c.Message))
    for number in range(_c.unshade_message_count(handle.value)):
        _c.unshade_message_at(handle.value, number, ctypes.byref(message))
        found.append(Finding(text_of(message.severity), text_of(message.rule), text_of(message.text), message.offset, text_of(message.path),
                             message.line, message.column))
    return found


def validate(data: Data) -> List[Finding]:
    """All findings of a file, which need not be one that opens, by their offsets."""
    raw = as_bytes(data)
    return taken_messages(made(_c.unshade_validate, raw, len(raw)))

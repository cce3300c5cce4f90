"""What went wrong, and where in the file."""
from __future__ import annotations

from typing import Any, Optional, Tuple


class Error(Exception):
    """A file, a text or a request that the library refuses.

    `code` is stable: "truncated", "out-of-range", "bad-magic", "bad-value", "overlap", "cycle", "limit", "unsupported", "missing",
    "invalid-argument". `offset`: bytes from the start of the file or text. `path`: the field, outermost first, "ISGN/elements[3]/register", or "".
    `message`: a sentence without the place, not stable. `file`: its name, where it is known.
    """

    def __init__(self, code: str, message: str, offset: int = 0, path: str = "", file: Optional[str] = None) -> None:
        super().__init__(code, message, offset, path, file)
        self.code = code
        self.message = message
        self.offset = offset
        self.path = path
        self.file = file

    def __str__(self) -> str:
        place = f"{self.file}:" if self.file else ""
        field = f"{self.path}: " if self.path else ""
        return f"{place}{self.offset:#x}: error[{self.code}]: {field}{self.message}"

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.code, self.message, self.offset, self.path, self.file)


class CommandError(Exception):
    """The command `unshade` ended with usage or I/O errors, or is not installed. `status` is its exit status, -1 where it did not run."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message

    def __str__(self) -> str:
        return self.message

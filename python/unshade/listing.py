"""Listings: text, with the places of instructions and the classes of words."""
from __future__ import annotations

import ctypes
import html
from typing import TYPE_CHECKING, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

from . import _c
from ._call import Handle, made

if TYPE_CHECKING:
    from .shader import Shader

TOKEN_CLASSES = ("opcode", "value", "number", "text", "comment", "directive")
# Readable on white and on dark ground.
_COLOURS = ("#1f6fbf", "#2a8a4a", "#b5541c", "#8a5a00", "#808080", "#8e44ad")


class Token(NamedTuple):
    """A word of a listing. `start` and `end`: characters of the line, so `line.text[token.start:token.end]`."""

    kind: str
    text: str
    start: int
    end: int


class Line:
    """A line without its end. `offset` and `size` are those of its instruction in the file, in bytes; None and 0 for lines without one. Those of
    DXIL have the bytes up to the next record, since theirs are no whole ones."""

    __slots__ = ("_listing", "number", "text", "offset", "size")

    def __init__(self, listing: Listing, number: int, text: str, offset: Optional[int], size: int) -> None:
        self._listing = listing
        self.number = number
        self.text = text
        self.offset = offset
        self.size = size

    @property
    def tokens(self) -> List[Token]:
        """Its words; what is between them are punctuation and other words."""
        return self._listing._tokens_of(self.number)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        place = "" if self.offset is None else f"{self.offset:#x}+{self.size}: "
        return f"<unshade.Line {self.number}: {place}{self.text!r}>"


class Lines(Sequence[Line]):
    """The lines of a listing, made when they are asked for."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing

    def __len__(self) -> int:
        return self._listing._count

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> List[Line]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Line, List[Line]]:
        if isinstance(index, slice):
            return [self._listing._line(number) for number in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError("the listing has no such line")
        return self._listing._line(number)


class Listing:
    """`str(listing)` is the text, as the vendor's tool prints it; `lines` have the places of their instructions."""

    def __init__(self, shader: Shader, flags: int) -> None:
        self._family = shader.family
        self._handle = Handle(made(_c.unshade_list, shader._handle.value, flags), _c.unshade_listing_free)
        self._bytes = _c.unshade_listing_text(self._handle.value) or b""
        count = ctypes.c_uint32()
        address = _c.unshade_listing_lines(self._handle.value, ctypes.byref(count))
        self._count: int = count.value
        # The library's own arrays, which live as long as the handle.
        self._words = _words(address, count.value * _c.UNSHADE_LINE_WORDS)
        self._tokens: Optional[Tuple[Sequence[int], List[int]]] = None

    @property
    def lines(self) -> Lines:
        return Lines(self)

    def __str__(self) -> str:
        return self._bytes.decode("utf-8", "replace")

    def __len__(self) -> int:
        """The number of lines."""
        return self._count

    def __iter__(self) -> Iterator[Line]:
        return (self._line(number) for number in range(self._count))

    def at(self, offset: int) -> Optional[Line]:
        """The line of the instruction that has a byte of the file; None if no line has it."""
        for number in range(self._count):
            at = number * _c.UNSHADE_LINE_WORDS
            start, size = self._words[at + _c.UNSHADE_LINE_OFFSET], self._words[at + _c.UNSHADE_LINE_SIZE]
            if start != _c.UNSHADE_NO_OFFSET and start <= offset < start + size:
                return self._line(number)
        return None

    def _line(self, number: int) -> Line:
        at = number * _c.UNSHADE_LINE_WORDS
        start, size = self._words[at + _c.UNSHADE_LINE_TEXT], self._words[at + _c.UNSHADE_LINE_TEXT_SIZE]
        offset = self._words[at + _c.UNSHADE_LINE_OFFSET]
        text = self._bytes[start : start + size].decode("utf-8", "replace")
        return Line(self, number, text, None if offset == _c.UNSHADE_NO_OFFSET else offset, self._words[at + _c.UNSHADE_LINE_SIZE])

    def _token_words(self) -> Tuple[Sequence[int], List[int]]:
        """The words of the tokens, and of each line the first token in it or after it."""
        if self._tokens is None:
            count = ctypes.c_uint32()
            address = _c.unshade_listing_tokens(self._handle.value, ctypes.byref(count))
            words = _words(address, count.value * 3)
            firsts, token = [], 0
            for line in range(self._count):
                start = self._words[line * _c.UNSHADE_LINE_WORDS + _c.UNSHADE_LINE_TEXT]
                while token < count.value and words[3 * token] < start:
                    token += 1
                firsts.append(token)
            firsts.append(count.value)
            self._tokens = words, firsts
        return self._tokens

    def _tokens_of(self, line: int) -> List[Token]:
        words, firsts = self._token_words()
        start = self._words[line * _c.UNSHADE_LINE_WORDS + _c.UNSHADE_LINE_TEXT]
        size = self._words[line * _c.UNSHADE_LINE_WORDS + _c.UNSHADE_LINE_TEXT_SIZE]
        raw = self._bytes[start : start + size]
        # Places in bytes are those in characters but where the text is not ASCII.
        plain = raw.isascii()
        found = []
        for token in range(firsts[line], firsts[line + 1]):
            first = words[3 * token] - start
            last = first + words[3 * token + 1]
            text = raw[first:last].decode("utf-8", "replace")
            if not plain:
                first = len(raw[:first].decode("utf-8", "replace"))
                last = first + len(text)
            found.append(Token(TOKEN_CLASSES[words[3 * token + 2]], text, first, last))
        return found

    def __repr__(self) -> str:
        return f"<unshade.Listing: {self._family}, {self._count} lines>"

    def _repr_html_(self) -> str:
        """The words in the colours of their classes; the place of each instruction as the title of its line."""
        rows = []
        for line in self.lines[:5000]:
            at, parts = 0, []
            for token in line.tokens:
                colour = _COLOURS[TOKEN_CLASSES.index(token.kind)]
                parts += [html.escape(line.text[at : token.start]), f"<span style='color:{colour}'>{html.escape(token.text)}</span>"]
                at = token.end
            parts.append(html.escape(line.text[at:]))
            title = "" if line.offset is None else f" title='{line.offset:#x}, {line.size} bytes'"
            rows.append(f"<span{title}>{''.join(parts)}</span>")
        if self._count > 5000:
            rows.append(f"… {self._count - 5000} more lines")
        return "<pre style='line-height:1.25'>" + "\n".join(rows) + "</pre>"


def _words(address: Optional[int], count: int) -> Sequence[int]:
    if not address or not count:
        return ()
    words: Sequence[int] = (ctypes.c_uint32 * count).from_address(address)  # type: ignore[assignment]  # arrays are sequences to anyone
    return words

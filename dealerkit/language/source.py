"""A script on its way to nodes: its text, its tokens, and the places that messages point at."""

from __future__ import annotations

import bisect
import re

from dealerkit.errors import ScriptError
from dealerkit.language.dialects import Rules
from dealerkit.language.nodes import Origin, Place


class Token:
    """A word or sign of the script; `start` and `end` are offsets into the script's text."""

    __slots__ = ("type", "text", "start", "end", "scan")
    # The parser generator reads these of the last token when the text ends too early.
    line = column = end_line = end_column = start_pos = end_pos = 0

    def __init__(self, type: str, text: str, start: int, end: int, scan: Scan) -> None:
        self.type, self.text, self.start, self.end, self.scan = type, text, start, end, scan

    def __repr__(self) -> str:
        return f"Token({self.type}, {self.text!r}, {self.start})"


class Scan:
    """One script on its way to nodes: its text, its rules, and what is to be said about it."""

    def __init__(self, text: str, rules: Rules, file: str | None = None, max_nesting: int = 200) -> None:
        self.text, self.rules, self.file, self.max_nesting = text, rules, file, max_nesting
        self.origin = Origin(file, text)
        self.warnings: list[str] = []
        self.open: list[int] = []  # offsets of the parentheses that are open
        self.pieces: dict[int, list[tuple[int, int | None]]] = {}  # braces: where their text came from
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> Place:
        """Line and column of an offset, from 1."""
        line = bisect.bisect_right(self._starts, offset)
        return Place(line, offset - self._starts[line - 1] + 1, self.origin)

    def _of(self, place: Place) -> Scan:
        """The text that a place lies in: this one, or another that it was added to."""
        origin = place.origin
        if origin is None or origin == self.origin:
            return self
        return Scan(origin.text, self.rules, origin.file)

    def text_at(self, place: Place | None) -> str:
        """The text from a place on, a few hundred characters of it; nothing for no place."""
        if place is None:
            return ""
        scan = self._of(place)
        if place.line > len(scan._starts):
            return ""
        start = scan._starts[place.line - 1] + place.column - 1
        return scan.text[start : start + 400]

    def brace_offset(self, brace: Token, offset: int) -> int:
        """Where in the script a character of a brace's text stood."""
        begin, source = max(
            (piece for piece in self.pieces.get(brace.start, ()) if piece[0] <= offset), default=(0, None)
        )
        return brace.start if source is None else source + offset - begin

    def error(self, message: str, offset: int) -> ScriptError:
        """The error to raise about something at an offset."""
        return self.error_at(message, self.place(min(max(offset, 0), len(self.text))))

    def error_at(self, message: str, place: Place | None) -> ScriptError:
        """The error to raise about something at a place."""
        place = place or Place(1, 1)
        scan = self._of(place)
        start = scan._starts[place.line - 1] if place.line <= len(scan._starts) else 0
        end = scan.text.find("\n", start)
        source = scan.text[start : end if end >= 0 else len(scan.text)].rstrip("\r")
        return ScriptError(message, scan.file, place.line, place.column, source)

    def warn(self, message: str, offset: int) -> None:
        """Note something that the reader of the script should know."""
        place = self.place(offset)
        self.warnings.append(f"line {place.line}, column {place.column}: {message}")


def where(place: Place, beside: Place | None) -> str:
    """A place in words, as seen from another one.

    >>> where(Place(2, 5), Place(9, 1))
    'line 2, column 5'
    >>> where(Place(2, 5, Origin("bids.dealer", "")), Place(9, 1, Origin("study.dealer", "")))
    'bids.dealer, line 2, column 5'
    """
    words = f"line {place.line}, column {place.column}"
    if beside is None or place.origin is None or place.origin == beside.origin:
        return words
    return f"{place.origin.file}, {words}" if place.origin.file else f"{words} of the other script"


def not_text(text: str) -> tuple[str, int] | None:
    """What makes a str no text that a file could hold, and where; None if nothing does."""
    position = text.find("\0")
    if position >= 0:
        return "it holds a NUL byte; it is not a text", position
    try:
        text.encode()
    except UnicodeEncodeError as reason:
        return f"it holds half of a character, U+{ord(text[reason.start]):04X}", reason.start
    return None

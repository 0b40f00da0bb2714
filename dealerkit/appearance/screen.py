"""The screen that text is written for: width of lines, colours, and characters that an encoding lacks.

If the screen has colours, a renderer puts marks around the parts of a text that have a role, and `paint`
replaces these marks by the codes of a terminal. The marks are characters that Unicode reserves for internal
use, so that control characters in a text can be escaped between the two steps.
"""

from __future__ import annotations

import codecs
import re
import textwrap
from dataclasses import dataclass
from typing import Literal

Role = Literal["title", "quiet", "bar"]
MIN_WIDTH = 40  # least width in characters; narrower terminals wrap lines themselves
MIN_TEXT_WIDTH = 12  # least width of a line without its indent, and of names in a table that is too wide

_MARKS: dict[Role, str] = {"title": "\ufdd1", "quiet": "\ufdd2", "bar": "\ufdd3"}
_END = "\ufdd0"
_CODES = {"\ufdd0": "\x1b[0m", "\ufdd1": "\x1b[1m", "\ufdd2": "\x1b[2m", "\ufdd3": "\x1b[36m"}
_SUITS = {"♠": "94", "♥": "91", "♦": "33", "♣": "32"}  # blue, red, yellow, green
_TO_CODES = str.maketrans(_CODES | {suit: f"\x1b[{code}m{suit}\x1b[39m" for suit, code in _SUITS.items()})
_TO_NOTHING = str.maketrans(dict.fromkeys(_CODES, ""))
_ASCII = {
    "▇": "#", "♠": "S", "♥": "H", "♦": "D", "♣": "C", "±": "+-", "≥": ">=", "≤": "<=", "≈": "~", "≠": "!=",
    "–": "-", "—": "-", "−": "-", "…": "...", "×": "x", "²": "2", "√": "sqrt", "µ": "u", "→": "->",
    "’": "'", "‘": "'", "“": '"', "”": '"', "\xa0": " ", "\u202f": " ", "\ufe0e": "", "│": "|", "█": "#",
}  # fmt: skip
_SEQUENCES = re.compile("\x1b\\[[0-9;]*m")
VALUE_BLANKS = re.compile(r"(?<=[\d)]) (?=[%±])|(?<=±) ")  # within 76.3 ± 0.2 %


@dataclass(frozen=True)
class Screen:
    """The screen that a text is written for.

    Attributes
    ----------
    width : int or None
        The longest line in characters. Sentences are wrapped, less important columns are left out of wide
        tables, and tables that are still too wide are divided into several parts. If None, lines have any
        length.
    has_color : bool
        Whether titles, bars and less important parts are marked for `paint`.
    is_verbose : bool
        Whether the text says in full how a result was computed, and not in one line.
    """

    width: int | None = None
    has_color: bool = False
    is_verbose: bool = True

    @classmethod
    def of(cls, width: int | Screen | None) -> Screen:
        """Return a screen with this width; return a screen unchanged."""
        return width if isinstance(width, Screen) else cls(width)

    def mark(self, text: str, role: Role) -> str:
        """Return a text with the marks of a role, without marking spaces and line feeds at its ends."""
        if not self.has_color or not text.strip():
            return text
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        return f"{text[:start]}{_MARKS[role]}{text[start:end]}{_END}{text[end:]}"

    def paint(self, text: str) -> str:
        r"""Replace the marks of a text by the codes of a terminal, and colour suit symbols.

        >>> Screen(has_color=True).paint(Screen(has_color=True).mark("Tricks\n", "title"))
        '\x1b[1mTricks\x1b[0m\n'
        """
        return text.translate(_TO_CODES) if self.has_color else text


def remove_marks(text: str) -> str:
    """Return a text without marks.

    >>> remove_marks(Screen(has_color=True).mark("Tricks", "title"))
    'Tricks'
    """
    return text.translate(_TO_NOTHING)


def measure_line(line: str) -> int:
    r"""Return the number of characters that a line occupies on a terminal.

    >>> measure_line("\x1b[1mTricks\x1b[0m\n")
    6
    """
    return len(_SEQUENCES.sub("", line).rstrip("\n"))


def wrap_words(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    r"""Wrap a text to lines of a width, at least 12 without the indent; words and values stay whole.

    >>> wrap_words("six spades or more points", 14, "  ")
    ['  six spades', '  or more', '  points']
    >>> wrap_words("a fit in 76.3 ± 0.2 %", 20)
    ['a fit in', '76.3 ± 0.2 %']

    A null character stands for a space at which no line ends.

    >>> wrap_words("any 5332 + any\0any", 15)
    ['any 5332 +', 'any any']
    """
    lines = textwrap.wrap(
        VALUE_BLANKS.sub("\0", text),
        max(width, len(first) + MIN_TEXT_WIDTH),
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [line.replace("\0", " ") for line in lines]


def _replace_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by ASCII characters; see `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_ASCII.get(character, "?") for character in lacking), error.end


REPLACEMENT = "dealerkit-replace"  # for the argument errors= of streams
codecs.register_error(REPLACEMENT, _replace_characters)

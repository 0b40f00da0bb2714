"""What text is written for: the width of its lines, colour, and the characters that an encoding lacks.

Where the screen has colour, a renderer puts marks around the parts of a text that have a role, and `paint`
replaces them with the codes of a terminal. Marks are characters that Unicode reserves for a program's own
use, so that a text can be searched for control characters between the two steps.
"""

from __future__ import annotations

import codecs
import re
import textwrap
from dataclasses import dataclass
from typing import Literal

Role = Literal["title", "quiet", "bar"]
MIN_WIDTH = 40  # characters; a narrower terminal cuts lines anyway
MIN_TEXT_WIDTH = 12  # characters of a line without its indent, and of a name in a table that is too wide

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


@dataclass(frozen=True)
class Screen:
    """What a text is written for.

    Attributes
    ----------
    width : int or None
        Most characters of a line: sentences are wrapped, columns that say least leave wide tables, and what
        is still too wide has several parts. None: lines have any length.
    has_color : bool
        Titles, bars and what is said in passing have marks, for `paint`.
    is_verbose : bool
        The text says in full how a result was computed, in place of one line.
    """

    width: int | None = None
    has_color: bool = False
    is_verbose: bool = True

    @classmethod
    def of(cls, width: int | Screen | None) -> Screen:
        """Return the screen with a width; a screen as it is."""
        return width if isinstance(width, Screen) else cls(width)

    def mark(self, text: str, role: Role) -> str:
        """Return a text with the marks of a role; spaces and line feeds at its ends stay outside."""
        if not self.has_color or not text.strip():
            return text
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        return f"{text[:start]}{_MARKS[role]}{text[start:end]}{_END}{text[end:]}"

    def paint(self, text: str) -> str:
        r"""Return a text with the codes of a terminal in place of marks; suit symbols have their colours.

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
    r"""Return the number of characters that a line takes on a terminal.

    >>> measure_line("\x1b[1mTricks\x1b[0m\n")
    6
    """
    return len(_SEQUENCES.sub("", line).rstrip("\n"))


def wrap_words(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Return a text as lines of a width, at least 12 without the indents; no word is broken.

    >>> wrap_words("six spades or more points", 14, "  ")
    ['  six spades', '  or more', '  points']
    """
    return textwrap.wrap(
        text,
        max(width, len(first) + MIN_TEXT_WIDTH),
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _replace_characters(error: UnicodeError) -> tuple[str, int]:
    """Return characters that every encoding has for those that one lacks, for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_ASCII.get(character, "?") for character in lacking), error.end


REPLACEMENT = "dealerkit-replace"  # the errors= of streams
codecs.register_error(REPLACEMENT, _replace_characters)

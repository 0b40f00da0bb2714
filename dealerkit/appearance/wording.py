"""Durations and lists in words, texts of limited length, and texts that are safe for terminals and CSV."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, TypeVar

from dealerkit.appearance.numbers import format_significant

REPR_LENGTH = 200  # longest repr of a public object, in characters
T = TypeVar("T", bound=type)

_UNITS = (
    ("ns", 1, 1000), ("µs", 1e3, 1000), ("ms", 1e6, 1000), ("seconds", 1e9, 90), ("minutes", 6e10, 90),
    ("hours", 3.6e12, 48), ("days", 8.64e13, 700), ("years", 3.156e16, math.inf),
)  # fmt: skip


_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def escape_controls(text: str) -> str:
    r"""Escape characters that control a terminal, except new lines and tabs.

    >>> escape_controls("\x1b[31mred\n")
    '\\x1b[31mred\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


def join_words(words: Iterable[str], conjunction: str = "and") -> str:
    """Join words to a list, with a conjunction before the last one.

    >>> join_words(["north", "east", "south"]), join_words(["4333"], "or")
    ('north, east and south', '4333')
    """
    *first, last = words
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def number_names(names: Iterable[str]) -> list[str]:
    """Return distinct names: a repeated name gets a number that makes it different from all others.

    >>> number_names(["points", "fit", "points", "points"])
    ['points', 'fit', 'points 2', 'points 3']
    """
    given = list(names)
    used = set(given)
    numbered: list[str] = []
    for name in given:
        distinct, number = name, 2
        # A name is kept if no earlier one is the same; with a number, it must differ from all names.
        while distinct in (numbered if distinct == name else used):
            distinct, number = f"{name} {number}", number + 1
        used.add(distinct)
        numbered.append(distinct)
    return numbered


def shorten(text: str, length: int = 120) -> str:
    """Cut a text to at most `length` characters, with dots for the rest.

    It is cut between two words, unless a word of more than a third of the length would be left out.

    >>> shorten("hcp(north) + hcp(south) >= 25", 20), shorten("N" * 30, 12)
    ('hcp(north) + ...', 'NNNNNNNN ...')
    """
    if len(text) <= length:
        return text
    cut = text[: length - 3].rpartition(" ")[0].rstrip()
    return f"{cut if 3 * len(cut) >= 2 * length - 12 else text[: length - 4].rstrip()} ..."


# The places where a spreadsheet may find a formula: at the beginning of a cell, and after characters that it
# may take for separators of cells, as in countries that do not separate by commas, or if it ignores quotes.
# East Asian programs also read wide signs.
_FORMULA = "(?:^|(?<=[;\t\r\n])){0}(?='*[=+@\uff1d\uff0b\uff0d\uff20-])|^{0}(?='*[\t\r\n])"
_BEGIN, _QUOTED_BEGIN = re.compile(_FORMULA.format("")), re.compile(_FORMULA.format("'"))


def quote_formula(cell: str) -> str:
    """Put an apostrophe before everything in a cell that a spreadsheet would execute.

    >>> quote_formula("=1+1"), quote_formula("-3.5"), quote_formula("AKQ"), quote_formula("Bo;=1+1")
    ("'=1+1", '-3.5', 'AKQ', "Bo;'=1+1")
    """
    return cell if _is_number(cell) else _BEGIN.sub("'", cell)


def format_csv(frame: Any, index: bool = False) -> str:
    r"""Return a DataFrame as CSV, with `quote_formula` applied to all its texts.

    >>> import pandas as pd
    >>> format_csv(pd.DataFrame({"=a": ["=1+1", "Bo"], "n": [-1, 2]}))
    "'=a,n\n'=1+1,-1\nBo,2\n"
    """

    def quote(value: Any) -> Any:
        return quote_formula(value) if isinstance(value, str) else value

    columns = {
        number: column if column.dtype.kind in "biufcM" else column.astype(object).map(quote)
        for number, (_, column) in enumerate(frame.items())
    }
    quoted = frame.__class__(columns, index=frame.index).rename(index=quote)
    quoted.columns = frame.rename(columns=quote).columns
    return str(quoted.to_csv(index=index, lineterminator="\n"))


def unquote_formula(cell: str) -> str:
    """Remove the apostrophes of `quote_formula` from a cell.

    >>> unquote_formula("'=1+1"), unquote_formula("'twas")
    ('=1+1', "'twas")
    """
    return cell if "'" not in cell or _is_number(cell) else _QUOTED_BEGIN.sub("", cell)


def _is_number(cell: str) -> bool:
    try:
        float(cell.lstrip("'"))
    except ValueError:
        return False
    return True


def describe_object(value: object) -> str:
    """Return the repr of an argument for a message, or its class if the repr has several lines.

    >>> import pandas as pd
    >>> describe_object(3), describe_object(pd.DataFrame({"a": [1, 2]}))
    ('3', 'a DataFrame')
    """
    text = repr(value)
    return f"a {type(value).__name__}" if "\n" in text else text[:60]


def limit_repr(cls: T) -> T:
    """Limit the repr of a class to `REPR_LENGTH` characters; a decorator for classes with long fields."""
    kind: Any = cls
    full = kind.__repr__
    kind.__repr__ = lambda self: shorten(full(self), REPR_LENGTH)
    return cls


def format_duration(nanoseconds: float) -> str:
    """Return a duration in words, with two significant digits.

    >>> format_duration(130.0), format_duration(2.4e6), format_duration(9e10), format_duration(1e15)
    ('130 ns', '2.4 ms', '1.5 minutes', '12 days')
    """
    unit, size = next((unit, size) for unit, size, most in _UNITS if nanoseconds < most * size)
    return f"{format_significant(nanoseconds / size)} {unit}"

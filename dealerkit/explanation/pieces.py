"""The words and signs of a script of any dialect, also of one with errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_PIECE = re.compile(
    r"""(?P<skip>[ \t\r\n\f\v]+|//[^\n]*|/\*(?s:.*?)\*/|^\#[^\n]*)
    | (?P<string>"[^"]*") | (?P<brace>\{[^}]*\}) | (?P<word>[A-Za-z][A-Za-z0-9_]*)
    | (?P<number>[0-9]+\.[0-9]*|\.[0-9]+|[0-9x]+) | (?P<sign>&&|\|\||[=!<>]=|.)
    """,
    re.VERBOSE | re.MULTILINE,
)


class Piece(NamedTuple):
    """A word or sign of a script."""

    kind: str
    text: str
    start: int
    end: int


def split_text(text: str) -> Iterator[Piece]:
    """Yield the words and signs of a script of any dialect, without comments."""
    for match in _PIECE.finditer(text):
        if match.lastgroup and match.lastgroup != "skip":
            yield Piece(match.lastgroup, match[0], *match.span())


def match_parentheses(pieces: list[Piece]) -> dict[int, int]:
    """Return the index of the closing parenthesis by that of the opening one."""
    pairs: dict[int, int] = {}
    pending: list[int] = []
    for index, piece in enumerate(pieces):
        if piece.text == "(":
            pending.append(index)
        elif piece.text == ")" and pending:
            pairs[pending.pop()] = index
    return pairs

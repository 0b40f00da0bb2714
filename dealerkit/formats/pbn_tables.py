"""The tables in PBN's sections: their columns and rows, also as frames.

References
----------
Portable Bridge Notation, version 2.1, section 5: ScoreTable, TotalScoreTable, InstantScoreTable ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dealerkit.formats.pbn_values import UNKNOWN

if TYPE_CHECKING:
    import pandas as pd

_VALUES = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_COLUMN = re.compile(r"\s*[+-]?([^\\\s]+)\s*(?:\\(\d+)([LR]?))?\s*", re.IGNORECASE)

_INTEGER, _NUMBER = r"[+-]?[0-9]{1,18}", r"[+-]?[0-9]{1,18}(?:\.[0-9]*)?"


class TableColumn(NamedTuple):
    """A column of a PBN table: its name and its width, which is 0 if none is given."""

    name: str
    width: int


def split_header(header: str) -> list[TableColumn]:
    r"""Return the columns that the header of a table names.

    >>> [tuple(column) for column in split_header("Rank\\3R;+PairId_NS;Contract\\5L")]
    [('Rank', 3), ('PairId_NS', 0), ('Contract', 5)]
    """
    found = [_COLUMN.fullmatch(part) for part in header.split(";") if part.strip()]
    return [TableColumn(match[1], int(match[2] or 0)) for match in found if match]


def split_values(row: str, columns: list[TableColumn]) -> list[str] | None:
    r"""Return the values of a row, separated by blanks; None if their number is not that of the columns.

    Names may contain blanks without being in quotes. Then the widths of the columns decide, from the first
    column of names on, or in the whole row if values are missing.

    >>> split_values('1 "Ann B;Cy D" - "420"', split_header("Rank;Names_NS;Lead;Score_NS"))
    ['1', 'Ann B;Cy D', '-', '420']
    """
    matches = list(_VALUES.finditer(row))
    if len(matches) == len(columns):
        return [match[2] if match[1] is None else match[1] for match in matches]
    first = next(
        (n for n, column in enumerate(columns) if column.name.lower().startswith("names")), len(columns)
    )
    if first < len(matches) and len(matches) > len(columns):
        before = [match[2] if match[1] is None else match[1] for match in matches[:first]]
        after = _split_by_widths(row[matches[first].start() :], columns[first:])
        return None if after is None or len(before + after) != len(columns) else before + after
    return _split_by_widths(row, columns)


def _split_by_widths(row: str, columns: list[TableColumn]) -> list[str] | None:
    """Return the values of a row by the widths of its columns; None if they do not fit."""
    values, place = [], 0
    if not columns:
        return None
    for column in columns[:-1]:
        end = place + column.width
        if not column.width or row[end : end + 1] not in (" ", "\t") or '"' in row[place:end]:
            return None
        values.append(row[place:end].strip())
        place = end + 1
    return [*values, row[place:].strip().strip('"')] if row[place:].strip() else None


def count_values(row: str) -> int:
    """Return the number of values in a row, which blanks separate.

    >>> count_values('1 "Ann B" -')
    3
    """
    return len(_VALUES.findall(row))


def make_frame(name: str, tags: Iterable[tuple[int, int, Sequence[Any]]]) -> tuple[pd.DataFrame, int]:
    """Return the rows of tables with this name as a frame, and how many rows do not fit their columns.

    Parameters
    ----------
    name : str
        Name of the tables, such as ``ScoreTable``, in upper or lower case.
    tags : iterable of (int, int, sequence)
        Number of the deal, number of its board or -1, and its tags, which are name, value and perhaps rows.

    Returns
    -------
    frame : DataFrame
        `board` and the columns of the headers; the index is `number`. Columns of numbers are Int64 or
        Float64, others are texts; ``-``, ``?`` and empty values are missing.
    n_unread : int
        Number of rows that are left out.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    numbers: list[int] = []
    names: dict[str, None] = {"board": None}
    n_unread = 0
    for number, board, board_tags in tags:
        for tag in board_tags:
            if len(tag) < 3 or tag[0].lower() != name.lower():
                continue
            columns = split_header(tag[1])
            names |= dict.fromkeys(column.name for column in columns)
            for row in filter(str.strip, tag[2].split("\n")):
                if (values := split_values(row, columns)) is None:
                    n_unread += 1
                    continue
                known = (None if value.strip() in UNKNOWN else value.strip() for value in values)
                titles = (column.name for column in columns)
                rows.append({**dict(zip(titles, known, strict=True)), "board": board if board > 0 else None})
                numbers.append(number)
    # Convert columns that contain only numbers.
    index = pd.Index(numbers, name="number", dtype="int64")
    frame = pd.DataFrame(rows, index=index, columns=list(names), dtype=object)
    for column in frame:
        frame[column] = _convert(frame[column])
    return frame, n_unread


def _convert(values: pd.Series) -> pd.Series:
    """Return a column as integers if possible, or as numbers, or as texts."""
    texts = values.dropna().astype("string")
    if len(texts) and texts.str.fullmatch(_INTEGER).all():
        return values.astype("Int64")
    if len(texts) and texts.str.fullmatch(_NUMBER).all():
        return values.astype("Float64")
    return values.astype("string")

"""Frames with a row for each deal and seat, from frames with a row for each deal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd

LAYOUTS = ("wide", "long")
# The name of a function, "_" or "(", the seat, and the further arguments.
_SEAT = re.compile(rf"(\w+?)([_(])({'|'.join(SEATS)})((?:_\w+)?|(?:, [^()]*)?\))")
ATTACHED = ("board", "weight", "cluster")  # of the attached columns, those that statistics of rows need


def is_long(layout: object) -> bool:
    """Return whether `layout` is long; raise ArgumentError if it is neither wide nor long."""
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise ArgumentError(
            f"layout is {layout!r:.60}; it is 'wide' (a row for each deal) or 'long' (for each deal and seat)"
        )
    return layout == "long"


def check_columns(names: Iterable[str], deals: Deals) -> None:
    """Raise ArgumentError if a name is that of a column which the long layout of the deals has already."""
    taken = {"number", "seat", "deal", *(name for name in ATTACHED if name in deals.attached)}
    if repeated := sorted(taken & set(names)):
        raise ArgumentError(
            f"the long layout has a column {repeated[0]!r} already; give this one another name"
        )


def group_columns(columns: Iterable[str]) -> dict[str, list[str]]:
    """Return the columns of each column of the long layout, by the names of a frame's columns.

    Four columns whose names differ in the seat only, ``hcp(north)`` or ``hcp_north``, become one, whose name
    is that of the function, with further arguments: ``dds(spades)``.

    >>> group_columns(["hcp(north)", "x", "hcp(east)", "hcp(south)", "hcp(west)"])
    {'hcp': ['hcp(north)', 'hcp(east)', 'hcp(south)', 'hcp(west)'], 'x': ['x']}
    """
    columns = list(columns)
    groups: dict[str, list[str]] = {}
    for column in columns:
        name, four = _vary_seat(column)
        is_free = name not in columns and groups.get(name, four) == four
        if is_free and all(other in columns for other in four):
            groups[name] = four
        else:
            groups[column] = [column]
    return groups


def _vary_seat(column: str) -> tuple[str, list[str]]:
    """Return the name of a column without its seat, and its names with each seat."""
    match = _SEAT.fullmatch(column)
    if match is None:
        return column, [column]
    head, mark, rest = match[1], match[2], match[4]
    if mark == "_":  # hcp_north, dds_north_spades
        name = head + rest
    elif rest == ")":  # hcp(north)
        name = head
    else:  # dds(north, spades)
        name = head + rest.replace(", ", "(", 1)
    return name, [f"{head}{mark}{seat}{rest}" for seat in SEATS]


def stack_seats(wide: pd.DataFrame, groups: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Return a frame with a row for each deal and seat.

    Parameters
    ----------
    wide : DataFrame
        A row for each deal, with a column `deal`.
    groups : mapping of str to sequence of str
        For each column of the result its columns in `wide`: four, by seat, or one, which is repeated.

    Returns
    -------
    DataFrame
        4n rows, the seats of a deal in the order N E S W. Columns: `number` of the deal, from 0; `seat`, a
        category; `deal`; `board`, `weight` and `cluster` if the deals have them; one for each of `groups`.

    Raises
    ------
    ArgumentError
        As `check_columns`.
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    deals, n = wide["deal"].array.deals, len(wide)
    check_columns(groups, deals)
    number = np.repeat(np.arange(n), 4)
    data: dict[str, Any] = {
        "number": number,
        "seat": pd.Categorical.from_codes(np.tile(np.arange(4, dtype=np.int8), n), list(SEATS)),
        "deal": DealArray(deals[number], copy=False),
    }
    data |= {name: values[number] for name in ATTACHED if (values := getattr(deals, name)) is not None}
    order = np.arange(4 * n).reshape(4, n).T.ravel()  # from seat by seat to deal by deal
    for name, columns in groups.items():
        if len(columns) == 1:
            data[name] = wide[columns[0]].array[number]
        else:
            data[name] = pd.concat([wide[column] for column in columns], ignore_index=True).array[order]
    return pd.DataFrame(data, copy=False)

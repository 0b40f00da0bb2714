"""Arguments that callers give, checked: whole numbers."""

from __future__ import annotations

import operator
from typing import Any

from dealerkit.errors import ArgumentError


def whole_number(name: str, value: Any, least: int | None = 0) -> int:
    """An argument as an int.

    Raises
    ------
    ArgumentError
        It is no whole number, or below `least`.

    Examples
    --------
    >>> whole_number("threads", 2, 1)
    2
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name} is {value!r:.60}; it takes a whole number") from None
    if least is not None and number < least:
        raise ArgumentError(f"{name} is {number}; it takes {least} or more")
    return number


def optional_number(name: str, value: Any, least: int | None = 0) -> int | None:
    """The same, None allowed."""
    return None if value is None else whole_number(name, value, least)

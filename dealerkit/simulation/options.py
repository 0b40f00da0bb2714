"""Arguments of a run, checked: whole numbers, seeds, how many deals to keep."""

from __future__ import annotations

import operator
import os
import sys
from typing import Any

from dealerkit.errors import ArgumentError, MemoryLimitError
from dealerkit.language.dialects import Rules
from dealerkit.planning import Limits

KEPT = 100_000  # produced deals kept by keep="auto"


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
        raise ArgumentError(f"{name} is {value!r}; it takes a whole number") from None
    if least is not None and number < least:
        raise ArgumentError(f"{name} is {number}; it takes {least} or more")
    return number


def optional_number(name: str, value: Any, least: int | None = 0) -> int | None:
    """The same, None allowed."""
    return None if value is None else whole_number(name, value, least)


def choose_seed(seed: int | None, rules: Rules) -> int:
    """The seed of a run; a new one where none is given, and in v2 for 0."""
    if seed is None or (seed == 0 and rules.random_zero == "produced"):
        return int.from_bytes(os.urandom(4), "little")
    return seed


def kept(keep: str | int, limits: Limits) -> int:
    """How many produced deals to keep.

    Raises
    ------
    ArgumentError
        Neither "auto", "all" nor a number.
    MemoryLimitError
        "all" of so many that they may fill a quarter of the memory.
    """
    if keep == "auto":
        return KEPT
    if keep != "all":
        return whole_number("keep ('auto', 'all' or a number of deals)", keep)
    most = min(limit for limit in (limits.produce, limits.generate) if limit is not None)
    size, memory = 32 * most, _memory()
    if size > memory // 4:
        raise MemoryLimitError(
            f"keeping {most:,} deals may take {size:,} bytes, more than a quarter of the memory ({memory:,})"
        )
    return most


def _memory() -> int:
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return sys.maxsize if sys.maxsize < 1 << 33 else 8 << 30  # unknown: assume eight gigabytes

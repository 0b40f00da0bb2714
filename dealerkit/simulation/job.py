"""Arguments of a run, checked: seeds, how many deals to keep, what runs the blocks and takes the text."""

from __future__ import annotations

import os
import sys
from typing import Any

from dealerkit.arguments import check_integer
from dealerkit.errors import ArgumentError, MemoryLimitError
from dealerkit.language.dialects import Rules
from dealerkit.planning import Limits

KEPT = 100_000  # produced deals kept by keep="auto"


def choose_seed(seed: int | None, rules: Rules) -> int:
    """The seed of a run; a new one where none is given, and in v2 for 0."""
    if seed is None or (seed == 0 and rules.random_zero == "produced"):
        return int.from_bytes(os.urandom(4), "little")
    return seed


def check_helpers(executor: Any, write: Any, title: Any) -> None:
    """Refuse what cannot run blocks, take the text or stand above it; None is always good.

    Raises
    ------
    ArgumentError
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise ArgumentError(
            f"executor is {executor!r:.60}; give a concurrent.futures.Executor, or threads= for a number"
        )
    if write is not None and not callable(write):
        raise ArgumentError(f"write is {write!r:.60}; give what takes each text, such as sys.stdout.write")
    if title is not None and not isinstance(title, str):
        raise ArgumentError(f"title is {title!r:.60}; give a text")


def kept(keep: str | int, limits: Limits) -> int:
    """How many produced deals to keep.

    Raises
    ------
    ArgumentError
        Neither "auto", "all" nor a number.
    MemoryLimitError
        "all" of so many that they may fill a quarter of the memory.
    """
    if not isinstance(keep, str) or keep not in ("auto", "all"):
        return check_integer("keep ('auto', 'all' or a number of deals)", keep)
    if keep == "auto":
        return KEPT
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

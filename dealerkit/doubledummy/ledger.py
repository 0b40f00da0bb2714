"""Counts of double-dummy results by their origin.

Functions of the language receive deals and return values. `dealerkit.doubledummy.lookup` counts its results
in the ledger that the current thread (or task) has opened, so functions need not pass a ledger on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from typing import Any

import numpy as np


@dataclass
class Ledger:
    """Numbers of requested double-dummy results by their origin.

    Parameters
    ----------
    requested : int
        Number of results, each about one deal.
    attached, stored : int
        Results from the tables attached to the deals, and exact results from the store.
    bounded : int
        Results that follow from known bounds, although the number of tricks is not known.
    solved : int
        Distinct results that the solver computed.
    seconds : float
        Seconds spent solving.

    Examples
    --------
    >>> ledger = Ledger(requested=3, stored=2, solved=1)
    >>> ledger += Ledger(requested=1, attached=1)
    >>> ledger
    Ledger(requested=4, attached=1, stored=2, bounded=0, solved=1, seconds=0.0)
    """

    requested: int = 0
    attached: int = 0
    stored: int = 0
    bounded: int = 0
    solved: int = 0
    seconds: float = 0.0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Ledger:
        """Return the counts in a file; raise ValueError for values that are not counts."""
        if any(type(number) not in (int, float) or not 0 <= number < 1 << 63 for number in values.values()):
            raise ValueError("some of its counts are not counts")
        return cls(**values)

    def __iadd__(self, other: Ledger) -> Ledger:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    @property
    def repeated(self) -> int:
        """Number of results that were requested again for an equal deal, without cost."""
        return self.requested - self.attached - self.stored - self.bounded - self.solved


_current: ContextVar[Ledger | None] = ContextVar("ledger", default=None)


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    """Open a ledger that counts the results requested inside the ``with`` statement.

    Examples
    --------
    >>> with open_ledger() as ledger:
    ...     pass
    >>> ledger.requested
    0
    """
    ledger = Ledger()
    token = _current.set(ledger)
    try:
        yield ledger
    finally:
        _current.reset(token)


class FoundBounds:
    """Bounds that the solver found inside the ``with`` statement of `collect_bounds`, for another store."""

    def __init__(self) -> None:
        self.parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def add(self, hands: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
        """Add bounds in the form for `Store.update`."""
        self.parts.append((hands, low, high))


_found: ContextVar[FoundBounds | None] = ContextVar("found", default=None)


@contextmanager
def collect_bounds() -> Iterator[FoundBounds]:
    """Collect the bounds that the solver finds inside the ``with`` statement."""
    found = FoundBounds()
    token = _found.set(found)
    try:
        yield found
    finally:
        _found.reset(token)


def current_bounds() -> FoundBounds | None:
    """Return the innermost open collection of bounds that were found, or None."""
    return _found.get()


def current_ledger() -> Ledger | None:
    """Return the innermost open ledger, or None."""
    return _current.get()

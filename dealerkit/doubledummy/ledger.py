"""How many double-dummy answers came from where, counted for whoever asks: a run, a call.

Functions of the language get deals and return values; what they cost is noted here
on the side, in a ledger of the thread (or task) that asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields


@dataclass
class Ledger:
    """How many answers came from where.

    Parameters
    ----------
    asked : int
        Questions, each about one deal.
    companions, store : int
        Answers that stood beside the deals, and exact results out of the store.
    bounded : int
        Answers that followed from what is known, though the number of tricks is not.
    solved : int
        Different questions that were put to the solver.
    seconds : float
        Time spent there.

    Examples
    --------
    >>> Ledger(asked=3, store=2, solved=1) + Ledger(asked=1, companions=1)
    Ledger(asked=4, companions=1, store=2, bounded=0, solved=1, seconds=0.0)
    """

    asked: int = 0
    companions: int = 0
    store: int = 0
    bounded: int = 0
    solved: int = 0
    seconds: float = 0.0

    def __iadd__(self, other: Ledger) -> Ledger:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    def __add__(self, other: Ledger) -> Ledger:
        total = Ledger()
        total += self
        total += other
        return total

    @property
    def repeated(self) -> int:
        """Questions that were asked again of an equal deal and cost nothing."""
        return self.asked - self.companions - self.store - self.bounded - self.solved


_current: ContextVar[Ledger | None] = ContextVar("ledger", default=None)


@contextmanager
def counting() -> Iterator[Ledger]:
    """A ledger in which everything asked inside the block is counted.

    Examples
    --------
    >>> with counting() as ledger:
    ...     pass
    >>> ledger.asked
    0
    """
    ledger = Ledger()
    token = _current.set(ledger)
    try:
        yield ledger
    finally:
        _current.reset(token)


def current_ledger() -> Ledger | None:
    """The ledger of the innermost `counting` around the caller, or None."""
    return _current.get()

"""Where deals come from: a sampler, a classic stream, or deals that exist already.

A `Source` is asked for stretches of numbered deals, in order. `stretch` returns a
callable, so that a source whose deals do not depend on each other deals inside
the worker thread. A source that `replies` deals ahead in chunks and wants to be
told which deal of the chunk was accepted, because that moves its stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.classic import ClassicV1, ClassicV2
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform import cluster_of, deal_block, deal_rows
from dealerkit.errors import ArgumentError

ALL_SEATS = 0b1111


class Source:
    """A supply of numbered deals.

    Attributes
    ----------
    length : int or None
        How many deals there are; None: no end.
    replies : bool
        The deals after an accepted deal depend on its having been accepted.
    text : str
        For the last line of a report: ``seed 7, ``.
    """

    length: int | None = None
    replies = False
    text = ""

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals]:
        """A callable that gives the deals first .. first + count - 1; only `seats` must be dealt."""
        raise NotImplementedError

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        """The same deals with the hands of `seats`, where `stretch` left some out."""
        return deals

    def accepted(self, row: int | None) -> None:
        """The reply: the first accepted deal of the last stretch, or None."""

    def draw(self, limit: int) -> int:
        """The next number of `rnd` where it shares the random numbers of the deals."""
        raise NotImplementedError


class UniformSource(Source):
    """dealerkit's own sampler: every deal that fits the predeal is equally likely."""

    def __init__(self, seed: int, predeal: Predeal | None = None, swap: int = 0) -> None:
        self.seed, self.predeal, self.swap = seed, predeal, swap
        self.text = f"seed {seed}, "

    def _deals(self, hands: np.ndarray, numbers: np.ndarray | None) -> Deals:
        cluster = cluster_of(numbers, self.swap) if self.swap and numbers is not None else None
        return Deals(hands, cluster=cluster, check=False)

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals]:
        def deal() -> Deals:
            hands = deal_block(self.seed, first, count, seats, self.predeal, self.swap)
            return self._deals(hands, np.arange(first, first + count) if self.swap else None)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        return self._deals(deal_rows(self.seed, numbers, seats, self.predeal, self.swap), numbers)


class ClassicSource(Source):
    """The stream of Debian's dealer or of DealerV2, deal for deal.

    Kept for comparison with those programs; v1's shuffle is not exactly uniform.
    """

    def __init__(self, dealer: ClassicV1 | ClassicV2, seed: int, swap: int, every: bool) -> None:
        self.dealer, self.seed, self.swap = dealer, seed, swap
        self.replies = getattr(dealer, "needs_reply", False) and not every
        self._every = every and getattr(dealer, "needs_reply", False)
        self.text = f"seed {seed}, classic stream, "

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals]:
        hands = self.dealer.deal(count, True) if self._every else self.dealer.deal(count)  # type: ignore[call-arg]
        cluster = cluster_of(np.arange(first, first + count), self.swap) if self.swap else None
        return lambda: Deals(hands, cluster=cluster, check=False)

    def accepted(self, row: int | None) -> None:
        assert isinstance(self.dealer, ClassicV2)
        self.dealer.accept(row)

    def draw(self, limit: int) -> int:
        return self.dealer.rnd(limit)


class DealsSource(Source):
    """Deals that exist already, in their order, with their companions."""

    def __init__(self, deals: Deals) -> None:
        self.deals = deals
        self.length = len(deals)
        self.text = f"{len(deals):,} given deals, "

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals]:
        return lambda: self.deals[first : first + count]


def as_deals(source: Any) -> Deals:
    """The deals of a Deals, of a DataFrame or Series with a deal column, or of anything with `.deals`.

    Raises
    ------
    ArgumentError
        For anything else.
    """
    if isinstance(source, Deals):
        return source
    accessor = getattr(source, "dealer", None)  # of a DataFrame or Series
    found = getattr(accessor, "deals", None) if accessor is not None else getattr(source, "deals", None)
    if not isinstance(found, Deals):
        raise ArgumentError(
            f"no deals in a {type(source).__name__}; give Deals, a DataFrame with a deal column, or a library"
        )
    return found

"""Where deals come from: a sampler, a classic stream, or deals that exist already.

A `Source` is asked for stretches of numbered deals, in order. `stretch` returns a
callable, so that a source whose deals do not depend on each other deals inside
the worker thread. A source that `replies` deals ahead in chunks and wants to be
told which deal of the chunk was accepted, because that moves its stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.classic.streams import ClassicV1, ClassicV2
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.stream import cluster_of, deal_block, deal_rows

if TYPE_CHECKING:
    from dealerkit.dealing.conditional.candidates import Candidates

ALL_SEATS = 0b1111


class Survivors(NamedTuple):
    """Some of the deals of a stretch, with their numbers, int64 [n]."""

    deals: Deals
    numbers: np.ndarray


class Source:
    """A supply of numbered deals.

    Attributes
    ----------
    length : int or None
        How many deals there are; None: no end.
    replies : bool
        The deals after an accepted deal depend on its having been accepted.
    sparse : bool
        `stretch` gives those of its deals only that survive tests of the source's own, and their numbers.
    solved : bool
        Every deal comes with a complete table of double-dummy tricks.
    text : str
        For the last line of a report: ``seed 7, ``.
    """

    length: int | None = None
    replies = False
    sparse = False
    solved = False
    text = ""

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals | Survivors]:
        """A callable that gives the deals first .. first + count - 1; only `seats` must be dealt."""
        raise NotImplementedError

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        """The same deals with the hands of `seats`, where `stretch` left some out."""
        return deals

    def clusters(self, first: int, count: int) -> np.ndarray | None:
        """Numbers of the shuffles that these deals came from; None where each has its own."""
        swap = getattr(self, "swap", 0)
        return cluster_of(np.arange(first, first + count), swap) if swap else None

    def weights(self, first: int, count: int) -> np.ndarray | None:
        """Weights of these deals; None where all are 1."""
        return None

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

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals | Survivors]:
        def deal() -> Deals:
            hands = deal_block(self.seed, first, count, seats, self.predeal, self.swap)
            return Deals(hands, cluster=self.clusters(first, count), check=False)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        hands = deal_rows(self.seed, numbers, seats, self.predeal, self.swap)
        return Deals(hands, cluster=deals.cluster, check=False)


class ConditionalSource(Source):
    """Candidates of a conditional plan, or of a mixture of them, of which the survivors are given."""

    sparse = True

    def __init__(self, seed: int, plan: Candidates) -> None:
        self.seed, self.plan = seed, plan
        self.text = f"seed {seed}, "

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals | Survivors]:
        def deal() -> Survivors:
            from dealerkit.dealing.conditional.sampler import conditional_block

            hands, numbers = conditional_block(self.plan, self.seed, first, count, seats)
            return Survivors(Deals(hands, check=False), numbers)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        from dealerkit.dealing.conditional.sampler import conditional_rows

        return Deals(conditional_rows(self.plan, self.seed, numbers, seats), check=False)


class ClassicSource(Source):
    """The stream of Debian's dealer or of DealerV2, deal for deal.

    Kept for comparison with those programs; v1's shuffle is not exactly uniform.
    """

    def __init__(self, dealer: ClassicV1 | ClassicV2, seed: int, swap: int, every: bool) -> None:
        self.dealer, self.seed, self.swap = dealer, seed, swap
        self.replies = getattr(dealer, "needs_reply", False) and not every
        self._every = every and getattr(dealer, "needs_reply", False)
        self.text = f"seed {seed}, classic stream, "

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals | Survivors]:
        hands = self.dealer.deal(count, True) if self._every else self.dealer.deal(count)  # type: ignore[call-arg]
        return lambda: Deals(hands, cluster=self.clusters(first, count), check=False)

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
        self.solved = deals.tables is not None and bool((deals.tables >= 0).all())
        self.text = f"{len(deals):,} given deals, "

    def stretch(self, first: int, count: int, seats: int) -> Callable[[], Deals | Survivors]:
        return lambda: self.deals[first : first + count]

    def clusters(self, first: int, count: int) -> np.ndarray | None:
        return None if self.deals.cluster is None else self.deals.cluster[first : first + count]

    def weights(self, first: int, count: int) -> np.ndarray | None:
        return None if self.deals.weight is None else self.deals.weight[first : first + count]

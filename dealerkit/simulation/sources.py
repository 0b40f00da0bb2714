"""Where deals come from: a sampler, a classic stream, or deals that exist already.

A `Source` is asked for stretches of numbered deals, in order. `stretch` returns a
callable, so that a source whose deals do not depend on each other deals inside
the worker thread. A source that `replies` deals ahead in chunks and wants to be
told which deal of the chunk was accepted, because that moves its stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.classic import ClassicV1, ClassicV2
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform import cluster_of, deal_block, deal_rows
from dealerkit.errors import ArgumentError
from dealerkit.planning import Plan

if TYPE_CHECKING:
    from dealerkit.dealing.candidates import Candidates

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
            from dealerkit.dealing.conditional import conditional_block

            hands, numbers = conditional_block(self.plan, self.seed, first, count, seats)
            return Survivors(Deals(hands, check=False), numbers)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        from dealerkit.dealing.conditional import conditional_rows

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


def make_source(
    plan: Plan, seed: int, stream: str, source: Any, predeal: Mapping[str, Any] | None, swap: int
) -> tuple[Source, list[str]]:
    """The source of a run, and remarks on where it differs from the old program.

    Raises
    ------
    ArgumentError, PredealError
    """
    if not isinstance(stream, str) or stream not in ("uniform", "classic"):
        raise ArgumentError(f"unknown stream {stream!r}; the streams are 'uniform' and 'classic'")
    if not isinstance(swap, Integral) or swap not in (0, 2, 3):
        raise ArgumentError(f"swap is {swap}; it takes 0, 2 or 3")
    program, rules = plan.program, plan.program.script.rules
    fixed = program.predeal
    if predeal is not None:
        fixed += Predeal.from_mapping(predeal)
        fixed.check()
    if source is not None:
        if swap or fixed:
            raise ArgumentError("deals that exist already cannot be predealt or swapped")
        if stream == "classic":
            raise ArgumentError(
                "source= and stream='classic' both say where deals come from; leave out stream= to ask the "
                "deals of source=, or source= to deal"
            )
        return DealsSource(as_deals(source)), []
    known = fixed or None
    if stream == "uniform":
        if seed < 0:
            raise ArgumentError(f"seed is {seed}; on the uniform stream it is 0 or more")
        return UniformSource(seed, known, swap), []
    every = not plan.clauses
    if rules.name != "v2":
        return ClassicSource(ClassicV1(seed, known, swap), seed, swap, every), []
    if fixed.lengths:
        remark = "DealerV2's way of dealing given suit lengths is not reproduced; these are drawn uniformly"
        return UniformSource(abs(seed), known, 0), [remark]
    remarks = []
    if swap and fixed.cards:
        swap, remarks = 0, ["as in DealerV2, predealt cards turn swapping off"]
    return ClassicSource(ClassicV2(seed, known, swap), seed, swap, every), remarks

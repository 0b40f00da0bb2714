"""The source of a levelled run: deals of each hand type from a run of its own, in random order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.random_words import LEVELS, block_key, fill_random_words
from dealerkit.dealing.source import NumberedDeals, Source
from dealerkit.errors import IncompleteWarning, warn_caller
from dealerkit.simulation.loops import ProducedBatch
from dealerkit.statistics import Estimate

PART = 1 << 20  # deals ordered between two looks for an interrupt


def assign_types(shares: Sequence[Fraction], n_deals: int, seed: int) -> np.ndarray:
    """Return the hand type of each deal: as many of each as its share demands, in random order.

    Where the share of a type among the deals is no whole number, the number of its deals is the next lower
    or higher one, at random with the share as its mean.

    Parameters
    ----------
    shares : sequence of Fraction
        They add up to 1.
    n_deals : int >= 0
    seed : int >= 0

    Returns
    -------
    ndarray of int8 [n_deals]

    Examples
    --------
    >>> types = assign_types([Fraction(1, 4), Fraction(3, 4)], 12, seed=1)
    >>> np.bincount(types).tolist(), bool((types[:-1] <= types[1:]).all())
    ([3, 9], False)
    """
    words = np.empty(n_deals + 1, np.uint64)
    key = block_key(seed, 0, LEVELS)
    for first in range(0, n_deals + 1, PART):
        numbers = np.arange(first, min(first + PART, n_deals + 1), dtype=np.uint64)
        fill_random_words(words[first : first + PART], numbers << np.uint64(20), np.uint64(0), key)
    start = Fraction(int(words[-1]), 1 << 64)
    ends = [int(total * n_deals + start) for total in accumulate(shares)]
    counts = np.diff([0, *ends])
    types = np.repeat(np.arange(len(shares), dtype=np.int8), counts)
    assigned, end = np.empty_like(types), 0
    for order in sort_in_parts(words[:n_deals]):
        assigned[end : end + len(order)] = types[order]
        end += len(order)
    return assigned


def sort_in_parts(words: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the parts of the stable order of random words, the smallest first.

    An interrupt waits for the end of a call: to sort 10^8 numbers by one takes ten seconds.
    """
    n_groups = max(len(words) // PART, 1)  # of words between the same two bounds
    groups = []
    for first in range(0, len(words), PART):
        # the upper halves, times the number of groups: the product's upper half is the group
        group = (words[first : first + PART] >> np.uint64(32)) * np.uint64(n_groups) >> np.uint64(32)
        order = np.argsort(group.astype(np.uint16), kind="stable") + first
        groups.append(
            np.split(order, np.cumsum(np.bincount(group.astype(np.int64), minlength=n_groups))[:-1])
        )
    for parts in zip(*groups, strict=True):
        rows = np.concatenate(parts)
        yield rows[np.argsort(words[rows], kind="stable")]


@dataclass(frozen=True, eq=False)
class Levelling:
    """The hand types of a levelled run.

    Attributes
    ----------
    names : tuple of str
    shares : tuple of Fraction
        Of each type among the produced deals; they add up to 1.
    rates : tuple of Estimate
        The natural rate of each type: the share, among all deals, of those that meet the condition and
        belong to it. Exact where it is counted.
    outside : Estimate
        The same of the deals that meet the condition and belong to no type.
    """

    names: tuple[str, ...]
    shares: tuple[Fraction, ...]
    rates: tuple[Estimate, ...]
    outside: Estimate

    @property
    def kept_share(self) -> Estimate:
        """The share of all deals that are kept where deals are dealt plainly and types thinned out."""
        ratios = [rate.value / float(share) for rate, share in zip(self.rates, self.shares, strict=True)]
        rarest = int(np.argmin(ratios))
        return _scale(self.rates[rarest], 1 / self.shares[rarest])


def _scale(rate: Estimate, factor: Fraction) -> Estimate:
    """Return a rate times a number."""
    if rate.fraction is not None:
        return Estimate.exactly(rate.fraction * factor, confidence=rate.confidence)
    scaled = {name: getattr(rate, name) * float(factor) for name in ("value", "se", "lo", "hi")}
    return replace(rate, **scaled)


class LevelledSource(Source):
    """A source whose deal number i is the next deal of the run of type ``types[i]``.

    It is read in order. If the run of a type ends early, because it reaches its generate limit, the source
    ends before the first deal of that type that is missing.

    Parameters
    ----------
    levelling : Levelling
    types : ndarray of int8 [n_deals]
    runs : sequence of generator of ProducedBatch
        One for each type; they begin to deal when their first deal is needed.
    seed : int
    """

    def __init__(
        self, levelling: Levelling, types: np.ndarray, runs: Sequence[Generator[ProducedBatch]], seed: int
    ) -> None:
        self.levelling, self.types, self.names = levelling, types, levelling.names
        self.n_deals = len(types)
        self.description = f"{len(self.names)} hand types, seed {seed}, "
        self._runs = tuple(runs)
        self._waiting = [Deals(np.empty((0, 4), np.uint64)) for _ in self.names]
        self._is_complete = True

    def __getstate__(self) -> dict[str, Any]:
        # Another process evaluates batches, which contain their deals.
        return {**self.__dict__, "_runs": (), "_waiting": []}

    def batch(self, first: int, count: int, seats: int) -> Callable[[], NumberedDeals]:
        types = self.types[first : first + count] if self._is_complete else self.types[:0]
        parts = [self._take(number, int((types == number).sum())) for number in range(len(self.names))]
        places = [np.flatnonzero(types == number)[: len(part)] for number, part in enumerate(parts)]
        n_taken = len(types)
        for number, (part, name) in enumerate(zip(parts, self.names, strict=True)):
            rows = np.flatnonzero(types == number)
            if len(part) < len(rows):
                n_taken = min(n_taken, int(rows[len(part)]))
                self._is_complete = False
                message = f'the generate limit was reached for the hand type "{name}", so the run ends early'
                warn_caller(IncompleteWarning(message))
        order = np.argsort(np.concatenate(places), kind="stable")[:n_taken]
        deals = Deals.concatenate(parts)[order]
        return partial(NumberedDeals, deals, first + np.arange(n_taken))

    def _take(self, number: int, count: int) -> Deals:
        """Return the next deals of a type, fewer where its run ends."""
        parts = [self._waiting[number]]
        while sum(map(len, parts)) < count:
            batch = next(self._runs[number], None)
            if batch is None:
                break
            parts.append(Deals(batch.produced.deals.hands, check=False))
        deals = Deals.concatenate(parts)
        self._waiting[number] = deals[count:]
        return deals[:count]

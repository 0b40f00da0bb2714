"""Sources of deals: their interface, swapping, and the sources of existing deals and of several sources.

A run takes batches of numbered deals from a `Source`, in order. The sources that deal at random are in the
packages `uniform`, `conditional` and `classic`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError
from dealerkit.statistics import Coverage

ALL_SEATS = 0b1111
MANY = 1000  # deals that the checksum of a sample contains
TABLES = 0b10000  # in a set of seats: also the tables, from a source that decodes them on request
# For each swapping mode and each deal made from a shuffle: the seats whose hands N, E, S and W get.
OWNERS = {
    0: ((0, 1, 2, 3),),
    2: ((0, 1, 2, 3), (0, 3, 2, 1)),
    3: ((0, 1, 2, 3), (0, 3, 2, 1), (0, 3, 1, 2), (0, 1, 3, 2), (0, 2, 3, 1), (0, 2, 1, 3)),
}


def n_deals_per_shuffle(swap: int) -> int:
    """Return how many deals are made from a shuffle: 1 without swapping, 2 in mode 2 and 6 in mode 3.

    Raises
    ------
    ArgumentError
        The mode is not 0, 2 or 3.

    Examples
    --------
    >>> [n_deals_per_shuffle(swap) for swap in (0, 2, 3)]
    [1, 2, 6]
    """
    if swap not in OWNERS:
        raise ArgumentError(f"swapping must be 0 (none), 2 or 3, not {swap!r}")
    return len(OWNERS[swap])


class NumberedDeals(NamedTuple):
    """The accepted candidates of a batch."""

    deals: Deals
    numbers: np.ndarray  # int64 [n], rising: their numbers in the run


class Source:
    """A supply of numbered deals.

    Attributes
    ----------
    n_deals : int or None
        Number of deals; None if there is no end.
    deals_anywhere : bool
        A copy in another process can deal any batch. Otherwise, batches are dealt in this process, in order.
    needs_feedback : bool
        The deals after an accepted deal depend on its acceptance, so the caller of `batch` must call
        `mark_accepted` before it takes the next batch.
    is_solved : bool
        Every deal comes with a complete table of double-dummy tricks.
    description : str
        Part of the last line of a report, such as ``seed 7, ``.
    swap : {0, 2, 3}
        Swapping mode.
    coverage : {"sample", "all", "part"}
        "sample": the deals are a random sample (given deals count as one). "all": they are all possible
        deals, so a run on all of them is exact. "part": they are some of these, in order, from which nothing
        follows for the others.
    has_blocks : bool
        The source is a library that DealerV2 reads from a block on, whose number is the seed.
    everything : int
        The bit set of all that can be requested: all seats, and `TABLES` if the source attaches tables
        only on request.
    """

    n_deals: int | None = None
    deals_anywhere = False
    needs_feedback = False
    is_solved = False
    description = ""
    swap = 0
    coverage: Coverage = "sample"
    has_blocks = False
    everything = ALL_SEATS

    @property
    def samples(self) -> frozenset[str]:
        """Names of the samples that the deals are from; estimates with a common one are not independent."""
        return frozenset(filter(None, [self.description.removesuffix(", ")]))

    def count_read(self, n_dealt: int) -> tuple[int, int, int] | None:
        """Return what a run read from a library: deals, passes over its end, and first block; otherwise None.

        Parameters
        ----------
        n_dealt : int >= 0
            Number of deals that the run has dealt.
        """
        return None

    def from_block(self, seed: int) -> tuple[Source, bool]:
        """Return the source from block `seed` of a library on, and whether the library has this block."""
        return self, False

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        """Return a callable that deals the deals first .. first + count - 1.

        Parameters
        ----------
        first, count : int >= 0
        seats : int, 0..15
            Seats whose hands are needed, bit 0 north ... bit 3 west; other hands may be 0. The bit `TABLES`
            is set only for sources that have it in `everything`.

        Returns
        -------
        callable
            It returns Deals [count], or NumberedDeals if the source deals candidates. Worker threads may
            call it, so batches that do not depend on each other are dealt in parallel.
        """
        raise NotImplementedError

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        """Return the same deals with the hands (and tables) of `seats`, even if `batch` did not deal them.

        Parameters
        ----------
        deals : Deals [n]
            As `batch` dealt them.
        numbers : ndarray of int64 [n]
            Their positions in the source, from 0.
        seats : int
            The same as for `batch`.

        Returns
        -------
        Deals [n]
        """
        return deals

    def clusters(self, first: int, count: int) -> np.ndarray | None:
        """Return the numbers of the shuffles that these deals were made from; None if each has its own.

        Parameters
        ----------
        first, count : int >= 0
            The deals first .. first + count - 1.
        """
        return np.arange(first, first + count) // n_deals_per_shuffle(self.swap) if self.swap else None

    def weights(self, first: int, count: int) -> np.ndarray | None:
        """Return the weights of these deals; None if all are 1.

        Parameters
        ----------
        first, count : int >= 0
            The deals first .. first + count - 1.
        """
        return None

    def mark_accepted(self, row: int | None) -> None:
        """Continue after this row of the last batch, its first accepted deal, or None if it has none."""


class DealsSource(Source):
    """Deals that exist already, in their order, with their attached columns."""

    deals_anywhere = True

    def __init__(self, deals: Deals) -> None:
        self.deals = deals
        self.n_deals = len(deals)
        self.is_solved = deals.tables is not None and bool((deals.tables >= 0).all())
        self.description = f"{format_count(len(deals), 'given deal')}, "

    @property
    def samples(self) -> frozenset[str]:
        checksum = crc32(self.deals.hands[:MANY].tobytes())
        return frozenset({f"{self.description}checksum {checksum:08x}"})

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        return lambda: self.deals[first : first + count]

    def clusters(self, first: int, count: int) -> np.ndarray | None:
        return None if self.deals.cluster is None else self.deals.cluster[first : first + count]

    def weights(self, first: int, count: int) -> np.ndarray | None:
        return None if self.deals.weight is None else self.deals.weight[first : first + count]


class ChainedSource(Source):
    """The deals of several sources of plain random deals, one source after another.

    Parameters
    ----------
    sources : sequence of Source
        A deal has a table if its source has tables. Only the last source may have no end.
    """

    deals_anywhere = True

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        sizes = [source.n_deals for source in sources]
        self._ends = np.cumsum([size or 0 for size in sizes])  # the end of an endless source is not used
        self.n_deals = None if sizes[-1] is None else int(self._ends[-1])
        self.is_solved = all(source.is_solved for source in sources)
        self.description = "".join(source.description for source in sources)
        self.everything = np.bitwise_or.reduce([source.everything for source in sources])

    @property
    def samples(self) -> frozenset[str]:
        return frozenset().union(*(source.samples for source in self.sources))

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        def deal() -> Deals:
            numbers = np.arange(first, first + count)
            parts: list[Any] = [
                source.batch(own[0], len(own), seats & source.everything)()
                for source, own in self._split(numbers)
            ]
            return Deals.concatenate(parts)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        parts, begin = [], 0
        for source, own in self._split(numbers):
            part = deals[begin : begin + len(own)]
            parts.append(source.complete(part, own, seats & source.everything))
            begin += len(own)
        return Deals.concatenate(parts)

    def _split(self, numbers: np.ndarray) -> Iterator[tuple[Source, np.ndarray]]:
        """Yield each source of these deals, whose numbers are rising, with the numbers of its deals there."""
        owners = np.searchsorted(self._ends[:-1], numbers, side="right")
        for owner in np.unique(owners).tolist():
            yield self.sources[owner], numbers[owners == owner] - (self._ends[owner - 1] if owner else 0)

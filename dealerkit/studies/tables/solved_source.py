"""Solved deals in batches, from deals in memory or from a library of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dealerkit.appearance.content import Code
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import describe_object
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError
from dealerkit.formats.content import BATCH
from dealerkit.formats.library import Library
from dealerkit.formats.sample import solved_sample
from dealerkit.runtime.progress import track
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.sides import require_tables


class SolvedBatch(NamedTuple):
    """Solved deals with their clusters and weights.

    Attributes
    ----------
    deals : Deals
        The deals, with complete tables.
    clusters : ndarray of int64 [n]
        Ascending; the number of the deal if the deals have no clusters.
    weights : ndarray of float64 [n] or None
    """

    deals: Deals
    clusters: np.ndarray
    weights: np.ndarray | None

    def select_sides(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return clusters and weights of chosen sides, bool [n, 2], in the order of ``values[chosen]``."""
        clusters, weights = (
            None if each is None else np.broadcast_to(each[:, None], chosen.shape)[chosen]
            for each in (self.clusters, self.weights)
        )
        assert clusters is not None
        return clusters, weights


@dataclass(frozen=True, eq=False)
class SolvedSource:
    """Solved deals that meet a condition, in batches.

    Parameters
    ----------
    deals : Deals or Library
    where : str or None
        A condition of the dealer language; None: all deals.

    Examples
    --------
    >>> source = SolvedSource.open(solved_sample()[:100_000], where="hcp(north) >= 20")
    >>> "".join(source.describe(sum(len(batch.deals) for batch in source.batches())))
    '1,440 of 100,000 deals, with hcp(north) >= 20'
    """

    deals: Deals | Library
    where: str | None = None

    @classmethod
    def open(cls, deals: Deals | Library | None, where: str | None = None) -> SolvedSource:
        """Return the source of deals with tables; None: the shipped sample.

        Raises
        ------
        ArgumentError
            `deals` is neither Deals nor a Library, or is not solved.
        """
        if deals is None:
            deals = solved_sample()
        if isinstance(deals, Library) and hasattr(deals.content, "deals"):
            deals = deals.deals  # the file is in memory anyway
        if isinstance(deals, Library):
            if not deals.is_solved:
                raise ArgumentError(
                    f"{deals.content.name or 'the library'} has no double-dummy tables; give a file of "
                    "solved deals, or Deals with their tables"
                )
        elif isinstance(deals, Deals):
            require_tables(deals)
            if deals.cluster is not None:  # deals of a cluster next to each other
                deals = deals[np.argsort(deals.cluster, kind="stable")]
        else:
            raise ArgumentError(
                f"deals is {describe_object(deals)}; give Deals with their tables, a library as dk.read "
                "returns it, or None for dk.solved_sample()"
            )
        return cls(deals, where)

    def describe(self, n_deals: int) -> Sequence[str | Code]:
        """Return, in one line, how many deals meet the condition, their origin, and the condition."""
        origin = ""
        if isinstance(self.deals, Library) and self.deals.content.name:
            credit = self.deals.content.credit
            origin = f" of {self.deals.content.name}" + (f" ({credit})" if credit else "")
        if self.where is None:
            return (f"{format_count(n_deals, 'deal')}{origin}",)
        where = Code(" ".join(self.where.split()))
        return f"{format_count(n_deals)} of {format_count(len(self.deals), 'deal')}{origin}, with ", where

    def batches(self, size: int = BATCH) -> Iterator[SolvedBatch]:
        """Yield the deals that meet the condition.

        Parameters
        ----------
        size : int >= 1
            Number of deals from which those of a batch are selected; more if a cluster is incomplete.
        """
        first = 0
        for deals in track(self._split(size), len(self.deals)):
            numbers = np.arange(first, first + len(deals))
            first += len(deals)
            clusters = numbers if deals.cluster is None else deals.cluster.astype(np.int64)
            if self.where is not None:
                chosen = deals.eval(self.where) != 0
                deals, clusters = deals[chosen], clusters[chosen]
            if len(deals):
                weights = None if deals.weight is None else deals.weight.astype(float)
                yield SolvedBatch(deals, clusters, weights)

    def _split(self, size: int) -> Iterator[Deals]:
        if isinstance(self.deals, Library):
            yield from self.deals.batches(size)
            return
        first, clusters = 0, self.deals.cluster
        while first < len(self.deals):
            last = min(first + size, len(self.deals))
            if clusters is not None:  # a cluster never spans two batches
                last = int(np.searchsorted(clusters, clusters[last - 1], side="right"))
            yield self.deals[first:last]
            first = last

    def check_count(self, n_deals: int) -> None:
        """Raise ArgumentError for fewer than 30 deals."""
        if n_deals < MIN_DEALS:
            where = f" with {self.where}" if self.where else ""
            raise ArgumentError(f"{n_deals} deals{where}: a table needs at least {MIN_DEALS}")

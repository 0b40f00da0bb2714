"""The deals of several files as one supply of deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from dealerkit.cards.deals import Deals
from dealerkit.cards.sequence import default_column, next_cluster
from dealerkit.formats.content import BATCH
from dealerkit.formats.library import Library


class JoinedDeals:
    """The deals of several libraries one after another, with all columns and texts that any of them has.

    Missing values are unknown, empty or of weight 1. Deals are decoded in batches, when they are needed.

    Parameters
    ----------
    libraries : sequence of Library
    """

    def __init__(self, libraries: Sequence[Library]) -> None:
        self._libraries = tuple(libraries)
        self._samples = [library[:1].deals.attached for library in self._libraries]

    def __len__(self) -> int:
        return sum(map(len, self._libraries))

    @cached_property
    def texts(self) -> dict[str, list]:
        """The text columns: for each name a text for each deal, empty where a file has none."""
        parts = [(library.texts, len(library)) for library in self._libraries]
        joined: dict[str, list] = {name: [] for texts, _ in parts for name in texts}
        for name, values in joined.items():
            empty: Any = [] if name == "tags" else ""
            for texts, n_deals in parts:
                values += texts.get(name, [empty] * n_deals)
        return joined

    def batches(self, size: int = BATCH) -> Iterator[Deals]:
        """Yield the deals in order, `size` at a time at most, all with the same attached columns."""
        names = {name for attached in self._samples for name in attached}
        cluster = 0
        for library in self._libraries:
            start = cluster
            for deals in library.batches(size):
                columns = {
                    name: default_column(name, len(deals), cluster) for name in names - deals.attached.keys()
                }
                if deals.cluster is not None:  # equal numbers in two files are different shuffles
                    columns["cluster"] = deals.cluster + start
                deals = deals.replace(**columns)
                cluster = max(cluster, next_cluster([deals.cluster]))
                yield deals

"""How many deals were dealt, how many met the condition, and what share that is."""

from __future__ import annotations

import numpy as np

from dealerkit.simulation.sources import Source
from dealerkit.statistics import Counts, Estimate, proportion


class Acceptance:
    """Counts accepted deals, by cluster and weight where the source has them.

    Attributes
    ----------
    produced, generated : int
        Deals accepted; deals dealt.
    """

    def __init__(self, source: Source) -> None:
        self.produced = self.generated = 0
        self._source = source
        plain = source.clusters(0, 0) is None and source.weights(0, 0) is None
        self._tally = None if plain else Counts((0, 1))

    def update(self, numbers: np.ndarray, generated: int) -> None:
        """Take in the next deals.

        Parameters
        ----------
        numbers : ndarray of int64 [shape=(n,)]
            Of the accepted deals.
        generated : int
            Deals dealt so far, these included.
        """
        if self._tally is not None:
            first, count = self.generated, generated - self.generated
            met = np.zeros(count, np.int8)
            met[numbers - first] = 1
            self._tally.update(met, self._source.weights(first, count), self._source.clusters(first, count))
        self.produced += len(numbers)
        self.generated = generated

    def share(self, level: float) -> Estimate:
        """The probability of acceptance, with Wilson's interval; weighted, clustered by shuffle."""
        if self._tally is None or not self.generated:
            return proportion(self.produced, self.generated, level)
        return self._tally.share(1, level=level)

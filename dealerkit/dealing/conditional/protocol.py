"""What a conditional run draws by number: the common face of one plan and of several."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np

MAX_BRANCHES = 8  # plans of a mixture


class Sampler(Protocol):
    """What is drawn by number: a `conditional.HandSetSampler`, or several of them (`mixture.Mixture`)."""

    @property
    def share(self) -> Fraction:
        """Among all deals, a deal that survives has this part of the probability that it has here."""

    @property
    def certain(self) -> bool:
        """Does every candidate survive?"""

    def deal(self, seed: int, numbers: np.ndarray, seats: int, tested: bool) -> tuple[np.ndarray, np.ndarray]:
        """Candidates of a run; use `sample_range` or `sample_numbered`.

        Parameters
        ----------
        seed : int >= 0
        numbers : ndarray of int64 [n], >= 0
            Their blocks in rising order; rising where `tested`.
        seats : int, 0..15
        tested : bool
            Without those that do not survive.

        Returns
        -------
        hands : ndarray of uint64 [m, 4]
        numbers : ndarray of int64 [m]
        """

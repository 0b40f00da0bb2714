"""The interface of samplers: of hand sets, and of mixtures."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np

MAX_BRANCHES = 8  # samplers of a mixture


class Sampler(Protocol):
    """A source of numbered candidates: a `HandSetSampler`, or several of them in a `Mixture`."""

    @property
    def share(self) -> Fraction:
        """Number of candidates for each deal that plain dealing deals.

        Among the candidates a deal that is accepted is 1 / `share` times as probable as among all deals.
        """

    @property
    def accepts_all(self) -> bool:
        """Whether every candidate is accepted by the sampler's own tests."""

    def sample(
        self, seed: int, numbers: np.ndarray, seats: int, accepted_only: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return candidates of a run; callers use `sample_range` or `sample_numbered`.

        Parameters
        ----------
        seed : int >= 0
        numbers : ndarray of int64 [n], >= 0
            Their blocks in rising order; rising if `accepted_only`.
        seats : int, 0..15
            Seats whose hands are needed.
        accepted_only : bool
            Leave out the candidates that the sampler's tests reject.

        Returns
        -------
        hands : ndarray of uint64 [m, 4]
        numbers : ndarray of int64 [m]
        """

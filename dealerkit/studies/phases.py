"""The deals of a study in two phases: all of them with predictions and strata, some of them solved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.statistics.allocation import MIN_OF_STRATUM, allocate, fill, find_boundaries
from dealerkit.statistics.two_phase import EXACT
from dealerkit.studies.population import Population

MAX_PREDICTED = 4_000_000
_BATCH = 65_536


@dataclass(frozen=True, eq=False)
class PredictedValues:
    """What a study predicts of the values of n deals, m each, from the chances of the trick model.

    Attributes
    ----------
    expected : ndarray of float64 [n, m]
    spread : ndarray of float64 [n, m]
        Standard deviation of the value, given what the model sees.
    exact : ndarray of bool [n], optional
        Deals whose values are the expected ones: they are never solved.
    """

    expected: np.ndarray
    spread: np.ndarray
    exact: Any = None


class PhaseSample:
    """Predicted deals of a population by stratum, and those of them that are solved.

    Parameters
    ----------
    population : Population
    predict : callable or None
        ``predict(deals)`` returns a `PredictedValues`; None: each deal is predicted as 0.
    scales : ndarray of float64 [m]
        By which the spreads of the measures are divided before they are added.
    by_chance : bool
        Deals are divided by the expected value, a chance, not by the spread.
    seed : int
        Of the order in which deals are solved.
    """

    def __init__(
        self,
        population: Population,
        predict: Callable[[Deals], PredictedValues] | None,
        scales: np.ndarray,
        by_chance: bool,
        seed: int,
    ) -> None:
        self._population, self._predict, self._scales, self._by_chance = (
            population,
            predict,
            scales,
            by_chance,
        )
        self._random = np.random.default_rng([seed & (1 << 64) - 1, 15])
        self._boundaries = np.empty(0)
        self._deals: list[Deals] = []
        self._predicted: list[PredictedValues] = []
        self._rows: list[np.ndarray] = []
        self._values: list[np.ndarray] = []
        self.is_exhausted = False

    @property
    def most(self) -> int:
        """Number of deals that can be dealt."""
        if self.is_exhausted:
            return self.n_predicted
        size = self._population.size
        return MAX_PREDICTED if size is None else min(size, MAX_PREDICTED)

    @property
    def n_predicted(self) -> int:
        """Number of deals."""
        return sum(map(len, self._deals))

    @property
    def n_evaluated(self) -> int:
        """Number of deals whose values were computed."""
        return sum(map(len, self._rows))

    @property
    def n_known(self) -> int:
        """Number of deals whose values are known, exact predictions included."""
        return self.n_evaluated + (int(np.count_nonzero(self.prediction.exact)) if self._predicted else 0)

    @property
    def n_strata(self) -> int:
        """Number of strata without the exact one."""
        return len(self._boundaries) + 1

    # ------------------------------------------------------------ deals and predictions
    def draw(self, n: int, is_over: Callable[[], bool]) -> None:
        """Deal and predict until there are `n` deals, no more are there, or `is_over`."""
        n, width = min(n, MAX_PREDICTED), len(self._scales)
        while (missing := n - self.n_predicted) > 0 and not self.is_exhausted and not is_over():
            size = min(missing, _BATCH)
            deals = self._population.draw(size)
            self.is_exhausted = len(deals) < size
            if not len(deals):
                break
            prediction = (
                PredictedValues(*np.zeros((2, len(deals), width)))
                if self._predict is None
                else self._predict(deals)
            )
            exact = np.zeros(len(deals), bool) if prediction.exact is None else prediction.exact
            self._deals.append(deals)
            expected, spread = (
                np.asarray(array, np.float64) for array in (prediction.expected, prediction.spread)
            )
            self._predicted.append(PredictedValues(expected, spread, exact))

    @property
    def prediction(self) -> PredictedValues:
        """The predictions for all deals."""
        if len(self._predicted) > 1:
            self._predicted = [
                PredictedValues(
                    np.concatenate([part.expected for part in self._predicted]),
                    np.concatenate([part.spread for part in self._predicted]),
                    np.concatenate([part.exact for part in self._predicted]),
                )
            ]
        return self._predicted[0]

    def take(self, rows: np.ndarray) -> Deals:
        """Return the deals of some rows."""
        if len(self._deals) > 1:
            self._deals = [_join(self._deals)]
        return self._deals[0][rows]

    # ------------------------------------------------------------ strata
    def divide(self, n_strata: int) -> None:
        """Set the boundaries of strata from the deals dealt so far."""
        is_open = ~self.prediction.exact
        if is_open.any():
            weights = self._combine_spreads()[is_open]
            self._boundaries = find_boundaries(self._scores()[is_open], weights, n_strata)

    def _scores(self) -> np.ndarray:
        """Return by what deals are divided."""
        if self._by_chance:
            return self.prediction.expected[:, 0]
        result: np.ndarray = (self.prediction.spread / self._scales).sum(axis=1)
        return result

    def _combine_spreads(self) -> np.ndarray:
        """Return the predicted standard deviation of each deal, of all measures together."""
        result: np.ndarray = np.sqrt(((self.prediction.spread / self._scales) ** 2).sum(axis=1))
        return result

    def strata(self) -> np.ndarray:
        """Return the stratum of each deal, `EXACT` for those that need no solving."""
        strata = np.searchsorted(self._boundaries, self._scores(), side="right")
        return np.where(self.prediction.exact, EXACT, strata)

    def predicted_deviations(self) -> np.ndarray:
        """Return the standard deviation of each stratum as predicted, half of it equal for all strata."""
        if self._predict is None:
            return np.ones(self.n_strata)
        strata, combined = self.strata(), self._combine_spreads()
        used = strata >= 0
        sums = np.bincount(strata[used], combined[used], self.n_strata)
        deviations = sums / np.maximum(np.bincount(strata[used], minlength=self.n_strata), 1)
        result: np.ndarray = deviations + deviations.mean() + 1e-12
        return result

    # ------------------------------------------------------------ values
    def choose_rows(self, n: int, deviations: np.ndarray) -> np.ndarray:
        """Return rows to solve, in random order, so that `n` values are known in all."""
        strata = self.strata()
        solved = np.zeros(self.n_predicted, bool)
        for rows in self._rows:
            solved[rows] = True
        counts = np.bincount(strata[strata >= 0], minlength=self.n_strata)
        if not counts.sum():
            return np.empty(0, np.int64)
        present = np.bincount(strata[solved], minlength=self.n_strata)
        parts = allocate(counts / counts.sum(), deviations)
        sizes = np.maximum(fill(parts, counts, n - int((strata == EXACT).sum())), MIN_OF_STRATUM)
        missing = np.maximum(sizes - present, 0)
        chosen = [np.flatnonzero((strata == k) & ~solved)[: missing[k]] for k in range(self.n_strata)]
        return self._random.permutation(np.concatenate(chosen))

    def add(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Add the values of some rows, [len(rows), m]."""
        self._rows.append(rows)
        self._values.append(np.asarray(values, np.float64).reshape(len(rows), len(self._scales)))

    def solved(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows with values and their values [n, m], in the order in which they were computed."""
        if not self._rows:
            return np.empty(0, np.int64), np.empty((0, len(self._scales)))
        return np.concatenate(self._rows), np.concatenate(self._values)


def _join(parts: Sequence[Deals]) -> Deals:
    """Return deals of a population one after another, with their tables where all have them."""
    hands = np.concatenate([deals.hands for deals in parts])
    tables = [deals.tables for deals in parts if deals.tables is not None]
    return Deals(hands, tables=np.concatenate(tables) if len(tables) == len(parts) else None, check=False)

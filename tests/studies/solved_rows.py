"""Populations of solved deals that the trick model was not trained on, to draw from again and again.

The deals of the sample that are held out are turned (four declarers) and their suits exchanged, which makes more
populations without solving. A draw is with replacement, so the mean of the population is known exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

import dealerkit as dk
from dealerkit import Deals
from dealerkit.doubledummy.trick_model.predictions import is_training_deal, predict
from dealerkit.studies.estimate.two_phase import Measures, PredictedValues, SampledMeans, sample_means

POINTS = "hcp(north) + hcp(south)"
FIT = f"fit(NS, spades) == 8 and {POINTS} >= 21 and {POINTS} <= 26"
NOTRUMP = f"{POINTS} >= 23 and {POINTS} <= 27"
TRICKS = np.arange(14)


class Rows:
    """A population of numbers: each deal drawn has its row in the place of north's hand."""

    def __init__(self, n: int, random: np.random.Generator) -> None:
        self.n, self.random, self.size = n, random, None

    def draw(self, n: int) -> Deals:
        rows = self.random.integers(0, self.n, n).astype(np.uint64)
        return Deals(np.repeat(rows[:, None], 4, axis=1), check=False)


def find_rows(deals: Deals) -> np.ndarray:
    return deals.hands[:, 0].astype(np.int64)


@dataclass(frozen=True, eq=False)
class SolvedPopulation:
    """Values of deals, with their predicted means and standard deviations."""

    values: np.ndarray
    expected: np.ndarray
    spread: np.ndarray
    is_share: bool
    value_ns: float

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    def estimate(
        self,
        precision: float,
        random: np.random.Generator,
        plain: bool = False,
        confidence: float = 0.95,
        stratum: object = None,
    ) -> SampledMeans:
        def predict_rows(deals: Deals) -> PredictedValues:
            rows = find_rows(deals)
            return PredictedValues(self.expected[rows, None], self.spread[rows, None])

        return sample_means(
            Rows(len(self.values), random),
            lambda deals: self.values[find_rows(deals), None],
            Measures((precision,), (self.is_share,), None, self.value_ns, confidence),
            None if plain else predict_rows,
            stratum=stratum,
            seed=int(random.integers(1 << 40)),
        )

    def with_noise(self, random: np.random.Generator) -> SolvedPopulation:
        """Return the values with predictions that have nothing to do with them."""
        order = random.permutation(len(self.values))
        return SolvedPopulation(
            self.values, self.expected[order], self.spread[order], self.is_share, self.value_ns
        )


@cache
def find_tricks(given: str, strain: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the tricks of the deals that meet a condition, and the model's chances of k tricks [n, 14]."""
    deals = dk.solved_sample()
    deals = deals[~is_training_deal(deals)]
    parts = []
    for turn in range(4):
        hands, tables = np.roll(deals.hands, -turn, axis=1), np.roll(deals.tables, -turn, axis=2)
        for suit in range(4 if strain == 0 else 1):
            parts.append((exchange_suits(hands, suit), tables.copy()))
            parts[-1][1][:, [0, suit]] = tables[:, [suit, 0]]
    chosen = Deals(
        np.concatenate([part[0] for part in parts]), tables=np.concatenate([part[1] for part in parts])
    ).where(given)
    chances = predict(chosen, strain, seat).at_least.astype(float)
    return chosen.tables[:, strain, seat].astype(int), -np.diff(chances, axis=1, append=0)


def exchange_suits(hands: np.ndarray, suit: int) -> np.ndarray:
    """Return hands in which spades and another suit, S H D C = 0..3, are exchanged."""
    ranks, high, low = np.uint64(0x1FFF), np.uint64(48), np.uint64(16 * (3 - suit))
    spades, other = (hands >> high) & ranks, (hands >> low) & ranks
    return (hands & ~((ranks << high) | (ranks << low))) | (other << high) | (spades << low)


def make_population(
    given: str, strain: int, seat: int, values: np.ndarray, value_ns: float
) -> SolvedPopulation:
    """Return the population of a value of the number of tricks, given for 0 to 13."""
    tricks, chances = find_tricks(given, strain, seat)
    values = np.asarray(values, float)
    expected = chances @ values
    spread = np.sqrt(np.maximum(chances @ values**2 - expected**2, 0))
    is_share = set(np.unique(values)) <= {0.0, 1.0}
    return SolvedPopulation(values[tricks], expected, spread, is_share, value_ns)


def spade_game() -> SolvedPopulation:
    """Return whether 4S makes with eight spades and 21 to 26 points."""
    return make_population(FIT, 0, 2, TRICKS >= 10, 2.5e6)


def notrump_game() -> SolvedPopulation:
    """Return whether 3NT makes with 23 to 27 points."""
    return make_population(NOTRUMP, 4, 2, TRICKS >= 9, 2.5e6)


def spade_tricks() -> SolvedPopulation:
    """Return the tricks in spades with eight spades and 21 to 26 points."""
    return make_population(FIT, 0, 2, TRICKS, 1.5e7)


def notrump_tricks() -> SolvedPopulation:
    """Return the tricks in notrump with 23 to 27 points."""
    return make_population(NOTRUMP, 4, 2, TRICKS, 1.5e7)

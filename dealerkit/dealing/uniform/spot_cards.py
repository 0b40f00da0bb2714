"""Small cards (x) of the uniform stream: stage 3 of a shuffle.

Any exchange of the spots of a suit (the cards below the ten that nobody is given by
name) turns deals that comply with a predeal into deals that comply. So a shuffle is
dealt to the predeal's stand-in, in which the small cards are certain spots, and then
the spots change places; every choice of small cards is equally likely and every deal
that complies comes in equally many ways.

One rank, below the product of all numbers of places, is drawn from the words of the
stage (`random.random_word`) as in `stages`. Suit by suit, spades first, with n spots of which
the stand-in uses the lowest m, the spot number i = m - 1, ..., 0 changes places with
spot i + r, where r is the rank's remainder by n - i, and the quotient goes on. A suit's
m small cards so fall on each of the n! / (n - m)! ordered choices of spots once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiled import kernel
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.dealing.random_words import random_word
from dealerkit.dealing.unranking import generate_rank

_0, _1, _2, _20 = (np.uint64(i) for i in (0, 1, 2, 20))
_STAGE3 = np.uint64(3 << 18)


class SpotsPlan(NamedTuple):
    """What stage 3 needs to know of a predeal."""

    stand_in: Predeal  # the predeal of stages 0 to 2
    total: np.uint64
    threshold: np.uint64  # 2^64 mod total
    steps: np.ndarray  # uint64 [n, 10]: number of places, the spot's own place, then all it may go to


@kernel
def _swap(hand: np.uint64, a: np.uint64, b: np.uint64) -> np.uint64:
    differ = ((hand >> a) ^ (hand >> b)) & _1
    return hand ^ (differ << a) ^ (differ << b)


@kernel
def scatter(north, east, south, west, first, rows, key, total, threshold, steps):
    """Stage 3 of the shuffles of a block from `first` on, or of those in `rows`."""
    for i in range(north.size):
        counter = ((np.uint64(rows[i]) if rows.size else first + np.uint64(i)) << _20) | _STAGE3
        rank, _ = generate_rank(random_word(counter, key), counter, key, total, threshold)
        for step in range(steps.shape[0]):
            places = steps[step, 0]
            rest = rank // places
            a, b = steps[step, 1], steps[step, _2 + (rank - rest * places)]
            rank = rest
            north[i], east[i] = _swap(north[i], a, b), _swap(east[i], a, b)
            south[i], west[i] = _swap(south[i], a, b), _swap(west[i], a, b)


@lru_cache(maxsize=64)
def spots_plan(predeal: Predeal) -> SpotsPlan:
    """The plan of a predeal with small cards, made once."""
    predeal.check()
    stand_in = predeal.stand_in
    needs = stand_in.needs
    # The lengths of a full hand are settled by its cards; without any, dealing is faster.
    lengths = tuple(demand for demand in stand_in.lengths if needs[demand[0]])
    total, steps = 1, []
    for suit, ranks in enumerate(predeal.spots):
        bits = [LANE_SHIFTS[suit] + rank for rank in ranks]
        used = sum(count for _, own, count in predeal.small if own == suit)
        for i in reversed(range(used)):
            total *= len(bits) - i
            steps.append([len(bits) - i, bits[i], *bits[i:], *[0] * (TEN - len(bits) + i)])
    return SpotsPlan(
        Predeal(stand_in.cards, lengths), np.uint64(total), np.uint64((1 << 64) % total),
        np.array(steps, dtype=np.uint64).reshape(-1, 2 + TEN),
    )  # fmt: skip

"""Small cards (x) of the uniform stream: stage 3 of a shuffle.

Any exchange of the spot cards of a suit (the cards below the ten that no seat has by name)
turns deals that comply with a predeal into deals that comply. So a shuffle is dealt to the
predeal's representative, in which the small cards are certain spot cards, and then the spot cards
are exchanged. Every choice of small cards is equally likely, and every deal that complies
comes in equally many ways.

One rank, below the product of the numbers of places of all exchanges, is generated from the
words of the stage (`unranking`). Suit by suit, spades first, with n spot cards of which the
representative uses the lowest m, spot card i = m - 1, ..., 0 is exchanged with spot card i + r,
where r is the rank's remainder by n - i; the next exchange takes the quotient. So a suit's m
small cards fall on each of the n! / (n - m)! ordered choices of spot cards once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.dealing.random_words import random_word
from dealerkit.dealing.unranking import generate_rank
from dealerkit.system.compiled import kernel

_1, _2, _20 = (np.uint64(i) for i in (1, 2, 20))
_STAGE3 = np.uint64(3 << 18)


class SpotTables(NamedTuple):
    """What stage 3 needs of a predeal with small cards."""

    representative: Predeal  # the predeal of stages 0 to 2
    total: np.uint64  # ranks lie below it
    threshold: np.uint64  # 2^64 mod total
    exchanges: np.ndarray  # uint64 [n, 10]: number of places, the spot card's own bit, the bits of all places


@kernel
def _exchange_bits(hand: np.uint64, a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the hand with bits a and b exchanged."""
    differ = ((hand >> a) ^ (hand >> b)) & _1
    return hand ^ (differ << a) ^ (differ << b)


@kernel
def exchange_spot_cards(
    north: np.ndarray, east: np.ndarray, south: np.ndarray, west: np.ndarray, first: np.uint64,
    rows: np.ndarray, key: np.ndarray, total: np.uint64, threshold: np.uint64, exchanges: np.ndarray,
) -> None:  # fmt: skip
    """Run stage 3 of the shuffles of a block from `first` on, or of those in `rows`."""
    for i in range(north.size):
        counter = ((np.uint64(rows[i]) if rows.size else first + np.uint64(i)) << _20) | _STAGE3
        rank, _ = generate_rank(random_word(counter, key), counter, key, total, threshold)
        for exchange in range(exchanges.shape[0]):
            n_places = exchanges[exchange, 0]
            quotient = rank // n_places
            a, b = exchanges[exchange, 1], exchanges[exchange, _2 + (rank - quotient * n_places)]
            rank = quotient
            north[i], east[i] = _exchange_bits(north[i], a, b), _exchange_bits(east[i], a, b)
            south[i], west[i] = _exchange_bits(south[i], a, b), _exchange_bits(west[i], a, b)


@lru_cache(maxsize=64)
def build_spot_tables(predeal: Predeal) -> SpotTables:
    """Return the tables for a predeal with small cards."""
    predeal.check()
    representative = predeal.representative
    needs = representative.needs
    # The cards of a full hand determine its lengths; without lengths dealing is faster.
    lengths = tuple(length for length in representative.lengths if needs[length[0]])
    total, exchanges = 1, []
    for suit, ranks in enumerate(predeal.spot_ranks):
        bits = [LANE_SHIFTS[suit] + rank for rank in ranks]
        n_small = sum(count for _, own, count in predeal.small if own == suit)
        for i in reversed(range(n_small)):
            total *= len(bits) - i
            exchanges.append([len(bits) - i, bits[i], *bits[i:], *[0] * (TEN - len(bits) + i)])
    return SpotTables(
        Predeal(representative.cards, lengths), np.uint64(total), np.uint64((1 << 64) % total),
        np.array(exchanges, dtype=np.uint64).reshape(-1, 2 + TEN),
    )  # fmt: skip

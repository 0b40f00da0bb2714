"""Predealt suit lengths: counted and sampled against enumeration of the matrices of lengths."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from math import factorial, prod

import numpy as np
import pytest
from scipy.stats import chi2, chisquare

from dealerkit.dealing import Predeal
from dealerkit.dealing.uniform import deal_range

CASES = {
    "one length": {"west": {"spades": 7}},
    "three seats": {"west": {"spades": 7}, "north": {"hearts": 5, "spades": 2}, "east": {"clubs": 0}},
    "with cards": {"north": ["SAKQ,H5", {"spades": 4}], "west": [{"spades": 5}, "HAK"], "south": "C2345"},
    "both seats of a side": {"north": {"hearts": 4}, "south": {"hearts": 4, "diamonds": 1}},
    "a whole shape": {"south": {"spades": 4, "hearts": 4, "diamonds": 4, "clubs": 1}},
}


def matrices(predeal):
    """Number of deals with each split of each suit: {(suit, split N E S W): deals}, and of all deals.

    Suit by suit over the cards that the seats still lack; no use of sides, as the sampler makes.
    """
    free, fixed = predeal.free, predeal.fixed

    @cache
    def splits(suit):
        return [
            (split, factorial(free[suit]) // prod(map(factorial, split)))
            for split in product(*(range(free[suit] + 1) for _ in range(4)))
            if sum(split) == free[suit] and all(fixed[seat][suit] in (None, split[seat]) for seat in range(4))
        ]

    def forward(suits, need):
        """{cards still lacked: ways} after these suits."""
        states = {need: 1}
        for suit in suits:
            after: Counter = Counter()
            for state, ways in states.items():
                for split, weight in splits(suit):
                    remaining = tuple(a - b for a, b in zip(state, split, strict=True))
                    if min(remaining) >= 0:
                        after[remaining] += ways * weight
            states = after
        return states

    ways_by_split = {}
    # two pairs of suits meet in the middle: what the first pair leaves the second must take
    for pair, rest in (((0, 1), (2, 3)), ((2, 3), (0, 1))):
        others: Counter = Counter()
        for remaining, ways in forward(rest, predeal.needs).items():
            others[tuple(a - b for a, b in zip(predeal.needs, remaining, strict=True))] += ways
        for suit, partner in (pair, pair[::-1]):
            for split, weight in splits(suit):
                remaining = tuple(a - b for a, b in zip(predeal.needs, split, strict=True))
                if min(remaining) >= 0:
                    ways = sum(
                        more * others.get(state, 0) for state, more in forward((partner,), remaining).items()
                    )
                    if ways:
                        ways_by_split[suit, split] = weight * ways
    total = sum(ways for (suit, _), ways in ways_by_split.items() if suit == 0)
    assert all(sum(ways for (s, _), ways in ways_by_split.items() if s == suit) == total for suit in range(4))
    return ways_by_split, total


@pytest.mark.parametrize("case", CASES)
def test_lengths_come_with_their_exact_frequencies(case):
    predeal = Predeal.from_mapping(CASES[case])
    exact, total = matrices(predeal)
    assert predeal.n_deals == total
    count = 400_000
    hands = deal_range(5, 0, count, predeal=predeal) & ~np.array(predeal.masks, dtype=np.uint64)
    for suit in range(4):
        lengths = np.bitwise_count(hands >> np.uint64(48 - 16 * suit) & np.uint64(0x1FFF)).astype(int)
        codes, counts = np.unique(lengths @ (14 ** np.arange(4)), return_counts=True)
        seen = Counter({tuple(codes[k] // 14 ** np.arange(4) % 14): int(n) for k, n in enumerate(counts)})
        expected = {split: ways / total * count for (s, split), ways in exact.items() if s == suit}
        assert seen.keys() <= expected.keys()
        cells = [(seen[split], e) for split, e in expected.items() if e >= 5]
        cells.append((count - sum(o for o, _ in cells), max(count - sum(e for _, e in cells), 1e-9)))
        if cells[-1][1] < 5:
            cells.pop()
        if len(cells) > 1:
            assert chi2.sf(sum((o - e) ** 2 / e for o, e in cells), len(cells) - 1) > 1e-4


@pytest.mark.parametrize("case", CASES)
def test_cards_of_a_suit_are_equally_likely(case):
    """Given the lengths, every free card of a suit is with a seat equally often."""
    predeal = Predeal.from_mapping(CASES[case])
    hands = deal_range(6, 0, 400_000, predeal=predeal)
    for suit in range(4):
        free = [48 - 16 * suit + r for r in range(13) if not sum(predeal.masks) >> (48 - 16 * suit + r) & 1]
        for seat in range(4):
            counts = np.array([int((hands[:, seat] >> np.uint64(bit) & np.uint64(1)).sum()) for bit in free])
            mean = counts.mean()
            if mean in (0, len(hands)):
                assert (counts == mean).all()
            else:  # variance of one card's count: at most the binomial, and the sum varies less
                assert (np.abs(counts - mean) < 5 * (mean * (1 - mean / len(hands))) ** 0.5).all()


@pytest.mark.parametrize("seed", range(4))
def test_all_deals_that_comply_are_equally_likely(seed):
    """Nine cards remain and lengths are predealt: every deal that complies is enumerated and counted."""
    rng = np.random.default_rng(seed)
    cards = rng.permutation(52)
    sizes = [11, 11, 11, 10]  # predealt to N E S W: 2, 2, 2 and 3 more are dealt
    named, at = [], 0
    for seat, size in enumerate(sizes):
        named += [(seat, int(card) // 13, int(card) % 13) for card in cards[at : at + size]]
        at += size
    free = [(int(card) // 13, int(card) % 13) for card in cards[at:]]
    # lengths that the real deal `cards` would have, so that at least one deal complies
    owners = [0, 0, 1, 1, 2, 2, 3, 3, 3]
    demands = []
    for seat, suit in [(0, free[0][0]), (3, free[6][0]), (2, (free[4][0] + seed) % 4)][: 2 + seed % 2]:
        held = sum(card[:2] == (seat, suit) for card in named)
        demands.append(
            (seat, suit, held + sum(o == seat and f[0] == suit for o, f in zip(owners, free, strict=True)))
        )
    predeal = Predeal(tuple(named), tuple(demands))
    expected = set()
    everything = set(free)
    for north in combinations(free, 2):
        for east in combinations(sorted(everything - {*north}), 2):
            for south in combinations(sorted(everything - {*north, *east}), 2):
                hands = (north, east, south, tuple(everything - {*north, *east, *south}))
                if all(
                    length
                    == sum(c[:2] == (seat, suit) for c in named) + sum(c[0] == suit for c in hands[seat])
                    for seat, suit, length in demands
                ):
                    expected.add(tuple(sum(1 << (48 - 16 * s + r) for s, r in hand) for hand in hands[:3]))
    assert predeal.n_deals == len(expected) > 1
    dealt = deal_range(9, 0, 300_000, predeal=predeal) & ~np.array(predeal.masks, dtype=np.uint64)
    kinds, counts = np.unique(np.ascontiguousarray(dealt[:, :3]), axis=0, return_counts=True)
    assert {tuple(kind) for kind in kinds.tolist()} == expected
    assert chisquare(counts).pvalue > 1e-3

"""The uniform stream against a twin in plain Python, written from the description of the stream."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.cards import FULL_DECK
from dealerkit.dealing import Predeal
from dealerkit.dealing.uniform import UniformSource, deal_numbered, deal_range

CASES = {
    "plain": {},
    "one card": {"east": "HQ"},
    "cards": {"north": "SAKQ,H5", "south": "DAKQJT98,C2", "west": "CA"},
    "a whole hand": {"north": "AKQ72.543.JT9.32"},
    "three whole hands": {"north": "SAKQJT98765432", "east": "HAKQJT98765432", "west": "CAKQJT98765432"},
    "length": {"west": {"spades": 7}},
    "lengths of one side": {"north": {"hearts": 5, "clubs": 0}, "south": {"hearts": 3, "spades": 4}},
    "lengths and cards": {
        "north": ["SAKQ,H5", {"hearts": 3, "spades": 4}], "east": {"clubs": 0},
        "south": {"clubs": 6}, "west": {"spades": 7},
    },
    "whole shapes": {
        "north": {"spades": 5, "hearts": 3, "diamonds": 3, "clubs": 2}, "east": {"spades": 2, "hearts": 5},
    },
}  # fmt: skip
# SHA-256 (its beginning) of what the twin below deals in each case: 20 deals from deal 0 with seed 1,
# 20 from deal 65,534 with seed 2^70 + 5, as little-endian words N E S W
PINNED = {
    "plain": "ad8898fdcf5367bb", "one card": "9cdbee19d0c30204", "cards": "1d418b8bc5b266ac",
    "a whole hand": "32e0d0a969145db2", "three whole hands": "763e500e961f15b0",
    "length": "e1070c476552ec18", "lengths of one side": "08660730ff046831",
    "lengths and cards": "c708cd4f39a0a94d", "whole shapes": "c42e8b52e1ccc87b",
}  # fmt: skip
# with small cards: the predeal; its representative; the spot cards of each suit S H D C, how many of them are used
ALL_SPOTS = "23456789"
SMALL = {
    "the design's hand": (
        {"west": "QTxx.J8x.9x.Q9xx"}, {"west": "QT23.J82.92.Q923"},
        [(ALL_SPOTS, 2), ("2345679", 1), ("2345678", 1), ("2345678", 2)],
    ),
    "three seats and lengths": (
        {"west": ["S9xx", {"clubs": 5}], "north": "SAxx,D5,DK", "east": "Cx", "south": [{"hearts": 2}, "Sx"]},
        {
            "west": ["S965", {"spades": 3, "clubs": 5}], "north": ["SA23", {"spades": 3}, "D5K"],
            "east": ["C2", {"clubs": 1}], "south": [{"hearts": 2, "spades": 1}, "S4"],
        },
        [("2345678", 5), (ALL_SPOTS, 0), ("2346789", 0), (ALL_SPOTS, 1)],
    ),
    "every spot": (
        {"north": "Sxxx,Hxx", "south": "SAKxxxxx,Hxxxxxx"},
        {
            "north": ["S234", "H23", {"spades": 3, "hearts": 2}],
            "south": ["S56789", "SAK", "H456789", {"spades": 7, "hearts": 6}],
        },
        [(ALL_SPOTS, 8), (ALL_SPOTS, 8), (ALL_SPOTS, 0), (ALL_SPOTS, 0)],
    ),
}  # fmt: skip
LANES = (0, 16, 32, 48)  # clubs, diamonds, hearts, spades


class Twin:
    """One shuffle, step by step, with exact integers and lists of cards."""

    def __init__(self, seed: int, shuffle: int, predeal: Predeal) -> None:
        block, self.row = divmod(shuffle, 65536)
        self.key = [
            int(k) for k in np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(4, np.uint64)
        ]
        self.predeal = predeal
        self.stage = self.j = 0

    def random_word(self) -> int:
        def scramble(x: int) -> int:
            x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
            return x ^ x >> 31

        counter = self.row << 20 | self.stage << 18 | self.j
        self.j += 1
        first = scramble((counter + self.key[0]) % 2**64)
        return scramble((first + self.key[1]) % 2**64) ^ self.key[2]

    def below(self, n: int) -> int:
        while True:
            product_ = self.random_word() * n
            if product_ % 2**64 >= 2**64 % n:
                return product_ >> 64

    @staticmethod
    def subset(cards: list[int], size: int, index: int) -> list[int]:
        """The subset with this index among those of this size, in the order of their binary numbers."""
        chosen = []
        for size_left in range(
            size, 0, -1
        ):  # combinatorial number system: greatest comb(c, k) not above index
            c = max(c for c in range(len(cards)) if comb(c, size_left) <= index)
            chosen.append(cards[c])
            index -= comb(c, size_left)
        return chosen

    def split_open_cards(self, cards: list[int], size: int, rank: int) -> list[int]:
        """The subset with this rank, classed by how many come from the first 13 cards."""
        low, high = cards[:13], cards[13:]
        classes = [
            (-comb(len(low), k) * comb(len(high), size - k), k)
            for k in range(size + 1)
            if k <= len(low) and size - k <= len(high)
        ]
        for weight, k in sorted(classes):
            if rank < -weight:
                rest, first = divmod(rank, comb(len(low), k))
                return self.subset(low, k, first) + self.subset(high, size - k, rest)
            rank += weight
        raise AssertionError("rank out of range")

    def half(self, stage: int, cards: list[int], first: int, need: int) -> list[int]:
        """The cards of the side that its first seat gets."""
        self.stage, self.j = stage, 0
        fixed = self.predeal.fixed
        fixed_lengths = {}
        for suit in range(4):
            held = sum(card // 16 == 3 - suit for card in cards)
            if fixed[first][suit] is not None:
                fixed_lengths[suit] = fixed[first][suit]
            elif fixed[first + 2][suit] is not None:
                fixed_lengths[suit] = held - fixed[first + 2][suit]
        open_cards = [card for card in cards if 3 - card // 16 not in fixed_lengths]
        rest = need - sum(fixed_lengths.values())
        suits = {suit: [card for card in cards if card // 16 == 3 - suit] for suit in fixed_lengths}
        ways = prod(comb(len(suits[suit]), taken) for suit, taken in fixed_lengths.items())
        rank = self.below(ways * comb(len(open_cards), rest))
        chosen = []
        for suit in sorted(fixed_lengths, reverse=True):
            rank, index = divmod(rank, comb(len(suits[suit]), fixed_lengths[suit]))
            chosen += self.subset(suits[suit], fixed_lengths[suit], index)
        return chosen + self.split_open_cards(open_cards, rest, rank)

    def deal(self) -> list[int]:
        masks = self.predeal.masks
        free = [[lane + rank for rank in range(13) if not sum(masks) >> lane + rank & 1] for lane in LANES]
        need = [13 - mask.bit_count() for mask in masks]
        classes = self.classes(tuple(map(len, free)), tuple(need), self.predeal.fixed)
        total = -sum(weight for weight, _, _ in classes)
        if self.predeal.lengths:
            shift = 128 - total.bit_length()
            while (rank := self.random_word() << 64 | self.random_word()) >= total << shift:
                pass
            rank >>= shift
        else:
            rank = self.below(total)
        for weight, lengths, ways in classes:  # noqa: B007
            if rank < -weight:
                break
            rank += weight
        if self.predeal.lengths:
            rank = self.below(ways)
        ns = []
        for cards, k in zip(free, lengths, strict=True):
            rank, index = divmod(rank, comb(len(cards), k))
            ns += self.subset(cards, k, index)
        ns.sort()
        ew = sorted({card for cards in free for card in cards} - set(ns))
        north, east = self.half(1, ns, 0, need[0]), self.half(2, ew, 1, need[1])
        hands = [north, east, set(ns) - set(north), set(ew) - set(east)]
        return [mask | sum(1 << card for card in hand) for mask, hand in zip(masks, hands, strict=True)]

    @staticmethod
    @cache
    def classes(free, need, fixed):
        """(minus weight, lengths from clubs to spades, holdings) in the order of the stream."""
        classes = []
        demands = any(length is not None for row in fixed for length in row)
        for lengths in product(*(range(cards + 1) for cards in free)):
            if sum(lengths) == need[0] + need[2]:
                others = [cards - k for cards, k in zip(free, lengths, strict=True)]
                holdings = prod(comb(cards, k) for cards, k in zip(free, lengths, strict=True))
                weight = holdings
                if demands:
                    weight *= ways(lengths, need[0], fixed[0], fixed[2]) * ways(
                        others, need[1], fixed[1], fixed[3]
                    )
                if weight:
                    classes.append((-weight, lengths, holdings))
        return sorted(classes)


def exchange_spot_cards(twin, hands, spot_cards):
    """The deal after its spot cards are exchanged: stage 3."""
    owner = {card: hand for hand, mask in enumerate(hands) for card in range(64) if mask >> card & 1}
    twin.stage, twin.j = 3, 0
    rank = twin.below(prod(prod(len(ranks) - i for i in range(used)) for ranks, used in spot_cards))
    for lane, (ranks, used) in zip((48, 32, 16, 0), spot_cards, strict=True):
        cards = [lane + "23456789".index(rank) for rank in ranks]
        for i in range(used - 1, -1, -1):
            rank, r = divmod(rank, len(cards) - i)
            owner[cards[i]], owner[cards[i + r]] = owner[cards[i + r]], owner[cards[i]]
    return [sum(1 << card for card, hand in owner.items() if hand == seat) for seat in range(4)]


def ways(lengths, need, first, second):
    """Number of ways to split a side's cards, by trying all lengths of its first seat."""
    possible = [
        [
            own
            for own in range(length + 1)
            if first[3 - i] in (None, own) and second[3 - i] in (None, length - own)
        ]
        for i, length in enumerate(lengths)
    ]
    return sum(
        prod(comb(a, b) for a, b in zip(lengths, own, strict=True))
        for own in product(*possible)
        if sum(own) == need
    )


@pytest.mark.parametrize("case", CASES)
def test_the_twin_deals_the_same(case):
    predeal = Predeal.from_mapping(CASES[case])
    count = 40
    for seed, first in ((1, 0), (2**70 + 5, 65_534)):
        hands = deal_range(seed, first, count, predeal=predeal)
        for row in range(count):
            assert hands[row].tolist() == Twin(seed, first + row, predeal).deal()


@pytest.mark.parametrize("case", CASES)
def test_the_deals_of_stream_version_1_do_not_change(case):
    predeal = Predeal.from_mapping(CASES[case])
    parts = [
        deal_range(seed, first, 20, predeal=predeal).astype("<u8").tobytes("C")
        for seed, first in ((1, 0), (2**70 + 5, 65_534))
    ]
    assert hashlib.sha256(b"".join(parts)).hexdigest()[:16] == PINNED[case]


@pytest.mark.parametrize("case", SMALL)
def test_the_twin_exchanges_small_cards_equally(case):
    given, stand_in, spot_cards = SMALL[case]
    predeal, plain = Predeal.from_mapping(given), Predeal.from_mapping(stand_in)
    if not plain.needs[3]:  # the lengths of a full hand are not sampled
        plain = Predeal(plain.cards)
    for seed, first in ((1, 0), (2**70 + 5, 65_534)):
        hands = deal_range(seed, first, 30, predeal=predeal)
        for row in range(30):
            twin = Twin(seed, first + row, plain)
            assert hands[row].tolist() == exchange_spot_cards(twin, twin.deal(), spot_cards)


WITH_SMALL = {**CASES, **{name: given for name, (given, *_) in SMALL.items()}}


@pytest.mark.parametrize("case", WITH_SMALL)
@pytest.mark.parametrize("swap", [0, 2, 3])
def test_any_partition_gives_the_same_deals(case, swap):
    predeal = Predeal.from_mapping(WITH_SMALL[case])
    rng = np.random.default_rng(7)
    start = 65_536 * cluster_size(swap) - 700
    whole = deal_range(3, start, 2000, predeal=predeal, swap=swap)
    assert whole.flags.f_contiguous and whole.dtype == np.uint64 and whole.shape == (2000, 4)
    cuts = [0, *sorted(rng.integers(0, 2000, 6).tolist()), 2000]
    for low, high in zip(cuts, cuts[1:], strict=False):
        part = deal_range(3, start + low, high - low, predeal=predeal, swap=swap)
        assert (part == whole[low:high]).all()
    rows = rng.integers(0, 2000, 999)
    assert (deal_numbered(3, start + rows, predeal=predeal, swap=swap) == whole[rows]).all()
    for seats in range(1, 16):
        needed = [seat for seat in range(4) if seats >> seat & 1]
        other = [seat for seat in range(4) if not seats >> seat & 1]
        for part, all_ in (
            (deal_range(3, start, 2000, seats, predeal, swap), whole),
            (deal_numbered(3, start + rows, seats, predeal, swap), whole[rows]),
        ):
            assert (part[:, needed] == all_[:, needed]).all()
            assert ((part[:, other] == all_[:, other]) | (part[:, other] == 0)).all()


def cluster_size(swap):
    return {0: 1, 2: 2, 3: 6}[swap]


@pytest.mark.parametrize("case", WITH_SMALL)
def test_every_deal_is_a_deal_and_keeps_the_predeal(case):
    predeal = Predeal.from_mapping(WITH_SMALL[case])
    hands = deal_range(11, 0, 20_000, predeal=predeal)
    assert (np.bitwise_count(hands) == 13).all()
    assert (np.bitwise_or.reduce(hands, axis=1) == np.uint64(FULL_DECK)).all()
    for seat in range(4):
        mask = np.uint64(predeal.masks[seat])
        assert (hands[:, seat] & mask == mask).all()
    for seat, suit, length in predeal.lengths:
        held = np.bitwise_count(hands[:, seat] >> np.uint64(48 - 16 * suit) & np.uint64(0x1FFF))
        assert (held == length).all()


def test_swapping_deals_the_variants_of_the_classic_programs():
    plain = deal_range(5, 0, 10)
    two = deal_range(5, 0, 20, swap=2)
    three = deal_range(5, 0, 60, swap=3)
    for row, (n, e, s, w) in enumerate(plain.tolist()):
        assert two[2 * row : 2 * row + 2].tolist() == [[n, e, s, w], [n, w, s, e]]
        turns = [(e, s, w), (w, s, e), (w, e, s), (e, w, s), (s, w, e), (s, e, w)]
        assert three[6 * row : 6 * row + 6].tolist() == [[n, *turn] for turn in turns]
    clusters = UniformSource(5, swap=2).clusters(0, 5)
    assert clusters is not None and clusters.tolist() == [0, 0, 1, 1, 2]
    assert UniformSource(5).clusters(0, 5) is None  # each deal has a shuffle of its own


def test_seeds_and_blocks_give_other_deals():
    hands = np.concatenate(
        [deal_range(seed, first, 1000) for seed in (0, 1, 2**64) for first in (0, 65_536, 2**40)]
    )
    assert len(np.unique(hands, axis=0)) == 9000


def test_invalid_arguments_raise_errors():
    for arguments in ((-1, 0, 1), (1, -1, 1), (1, 0, -1)):
        with pytest.raises(ArgumentError):
            deal_range(*arguments)
    with pytest.raises(ArgumentError, match="swapping"):
        deal_range(1, 0, 1, swap=1)
    with pytest.raises(ArgumentError):
        deal_numbered(1, np.array([-1]))
    assert deal_range(1, 5, 0).shape == deal_numbered(1, np.array([], dtype=int)).shape == (0, 4)


@pytest.mark.slow  # all kernels of dealing are compiled for that processor
def test_a_plain_processor_deals_the_same(tmp_path):
    program = (
        "from dealerkit.dealing.classic.streams import ClassicV1, ClassicV2\n"
        "from dealerkit.dealing.predeal import Predeal\n"
        "from dealerkit.dealing.uniform.stream import deal_range\n"
        "p = Predeal.from_mapping({'west': {'spades': 7}, 'north': 'HAK'})\n"
        "c = Predeal.from_mapping({'west': 'SAKQ'})\n"
        "x = Predeal.from_mapping({'west': 'SAKxx', 'east': 'Sxxx'})\n"
        "parts = [deal_range(1, 65000, 5000), deal_range(1, 0, 999, predeal=p),\n"
        "         deal_range(1, 0, 999, predeal=x),\n"
        "         deal_range(1, 0, 999, predeal=c), ClassicV1(3).deal(500), ClassicV2(3).deal(500)]\n"
    )
    here: dict[str, Any] = {}
    exec(program, here)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_CPU_NAME": "generic"}
    environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
    program += "import sys\nsys.stdout.buffer.write(b''.join(part.tobytes() for part in parts))\n"
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    expected = b"".join(part.tobytes() for part in here["parts"])
    assert len(expected) == 32 * (5000 + 3 * 999 + 2 * 500) and run.stdout == expected


def test_all_deals_of_a_few_cards_are_equally_likely(few_cards):
    """Each seat gets two more cards: 2520 deals, each counted."""
    predeal, free = few_cards
    expected = {
        (sum(n), sum(e), sum(s))
        for n in combinations(free, 2)
        for e in combinations(sorted(set(free) - set(n)), 2)
        for s in combinations(sorted(set(free) - set(n) - set(e)), 2)
    }
    assert len(expected) == predeal.n_deals == 2520
    hands = deal_range(21, 0, 2_000_000, predeal=predeal)
    kinds = np.zeros(len(hands), dtype=np.uint16)  # two bits for each free card: its seat
    for place, card in enumerate(free):
        for seat in (1, 2, 3):
            kinds |= ((hands[:, seat] & np.uint64(card)) != 0).astype(np.uint16) * np.uint16(
                seat << 2 * place
            )
    counts = np.bincount(kinds)
    seats = [[kind >> 2 * place & 3 for place in range(8)] for kind in np.flatnonzero(counts).tolist()]
    found = {
        tuple(sum(card for card, own in zip(free, kind, strict=True) if own == seat) for seat in range(3))
        for kind in seats
    }
    assert found == expected
    counts = counts[counts > 0]
    from scipy.stats import chisquare

    assert chisquare(counts).pvalue > 1e-3


@pytest.fixture(params=[0, 3, 11])
def few_cards(request):
    """A predeal of 44 cards, spread over the suits in a way that depends on the parameter."""
    cards = np.random.default_rng(request.param).permutation(52)
    named = [(i // 11, int(card) // 13, int(card) % 13) for i, card in enumerate(cards[:44])]
    predeal = Predeal(tuple(named))
    return predeal, [1 << (48 - 16 * (int(card) // 13) + int(card) % 13) for card in cards[44:]]

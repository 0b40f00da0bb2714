"""The classic streams: check values, the installed program, and a second implementation of v2 from its description."""

from __future__ import annotations

import copy
import math
import subprocess

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.dealing import Predeal
from dealerkit.dealing.classic import ClassicV1, ClassicV2

RANKS = "AKQJT98765432"
PREDEAL = Predeal.from_mapping({"north": "SAQ542,HKJ", "west": "CA,D2"})


def line(hands):
    """One deal as `printoneline` prints it."""
    text = ""
    for letter, hand in zip("nesw", map(int, hands), strict=True):
        suits = (hand >> shift & 0x1FFF for shift in (48, 32, 16, 0))
        text += (
            f"{letter} {'.'.join(''.join(r for i, r in enumerate(RANKS) if s >> 12 - i & 1) for s in suits)} "
        )
    return text


def test_check_values_of_v1():
    assert [line(hands) for hands in ClassicV1(1).deal(2)] == [
        "n 2.T98.K752.KJT84 e 5.J7642.986.9763 s AQ8.AQ5.QJT.AQ52 w KJT97643.K3.A43. ",
        "n Q7432.Q63.983.J4 e .J92.QT6.A986532 s KJT95.K854.K5.KT w A86.AT7.AJ742.Q7 ",
    ]
    assert line(ClassicV1(9, PREDEAL).deal(1)[0]) == (
        "n AKQ542.KQJ9.AQ.3 e 86.63.K9854.KJT9 s 973.AT854.6.Q752 w JT.72.JT732.A864 "
    )


def test_check_values_of_v2():
    expected = [
        "n J42.A932.QT632.8 e K3.T75.J985.KJT4 s T875.86.A4.A7652 w AQ96.KQJ4.K7.Q93 ",
        "n J43.K6.T765.T752 e KQ9752.9852.A4.6 s AT.AJT743.93.Q43 w 86.Q.KQJ82.AKJ98 ",
        "n Q9654.852.T943.A e AKJT2.7.KQ7.9742 s 83.QT94.AJ8.T653 w 7.AKJ63.652.KQJ8 ",
    ]
    assert [line(hands) for hands in ClassicV2(1).deal(3, all_accepted=True)] == expected
    assert line(ClassicV2(9, PREDEAL).deal(1)[0]) == (
        "n AQ542.KQJ83.K.65 e J63.54.985.Q8743 s 8.AT76.QJT4.KJ92 w KT97.92.A7632.AT "
    )


# ---------------------------------------------------------------- v1 against the program
def run_dealer(program, script, seed, *switches):
    run = subprocess.run(
        [program, "-v", "-s", str(seed), *switches],
        input=script,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    return run.stdout.splitlines()


@pytest.mark.parametrize("swap", [0, 2, 3])
@pytest.mark.parametrize("seed", [1, 0, 5, 2**31 - 1, 2**31 + 7, 2**32 + 9, -3, 123_456_789_012])
def test_v1_deals_what_dealer_deals(dealer_program, swap, seed):
    switches = [f"-{swap}"] if swap else []
    for text, predeal in (
        ("", None),
        ("predeal north SAQ542, HKJ west CA, D2", PREDEAL),
        ("predeal south CT32, SA east H2 south HA", Predeal.from_mapping({"south": "CT32,SA", "east": "H2"})),
    ):
        if predeal and predeal is not PREDEAL:
            predeal = Predeal((*predeal.cards, (2, 1, 12)))
        expected = run_dealer(
            dealer_program, f"{text}\ncondition 1\nproduce 400\naction printoneline\n", seed, *switches
        )
        stream = ClassicV1(seed, predeal, swap)
        dealt = np.concatenate([stream.deal(count) for count in (1, 0, 92, 7, 300)])
        assert [line(hands) for hands in dealt] == expected


def test_v1_deals_a_deal_that_is_predealt_throughout(dealer_program):
    mapping = {
        "north": "SAKQJT98765432",
        "east": "HAKQJT98765432",
        "west": "CAKQJT98765432",
        "south": "DAKQJT98765432",
    }
    text = "predeal " + " ".join(f"{seat} {holding}" for seat, holding in mapping.items())
    expected = run_dealer(dealer_program, f"{text}\ncondition 1\nproduce 3\naction printoneline\n", 1)
    assert [line(hands) for hands in ClassicV1(1, Predeal.from_mapping(mapping)).deal(3)] == expected


def test_v1_takes_rnd_from_the_same_generator(dealer_program):
    script = "condition rnd(4) == 0\nproduce 100\naction printoneline, printes(rnd(1000000), \\n)\n"
    expected = run_dealer(dealer_program, script, 17)
    stream, dealt = ClassicV1(17), []
    while sum(text.startswith("n ") for text in dealt) < 100:
        hands = stream.deal(1)[0]
        if stream.rnd(4) == 0:
            dealt += [line(hands), str(stream.rnd(1_000_000))]
    assert " ".join(dealt).split() == " ".join(expected).split()


def test_v1_ignores_predealt_lengths():
    with_lengths = Predeal(PREDEAL.cards, ((1, 2, 4),))
    assert (ClassicV1(4, with_lengths).deal(50) == ClassicV1(4, PREDEAL).deal(50)).all()


@pytest.mark.parametrize("swap", [0, 3])
def test_a_deep_copy_deals_the_same(swap):
    for stream in (ClassicV1(8, swap=swap), ClassicV2(8, swap=swap)):
        stream.deal(45)
        mark = copy.deepcopy(stream)
        first = stream.deal(2000)
        assert (mark.deal(2000) == first).all()
        assert stream.rnd(1000) == mark.rnd(1000)


# ---------------------------------------------------------------- v2, deal by deal
class SlowV2:
    """DealerV2's stream as reference pages describe it, on a list of cards."""

    def __init__(self, seed, predeal=None, swap=0):
        self.x = (seed % 2**32) * 2**16 + 0x330E
        fresh = [(suit, rank) for suit in range(4) for rank in range(12, -1, -1)]
        self.pack = [None] * 52
        for seat, suit, rank in predeal.cards if predeal else ():
            at = next(i for i in range(13 * seat, 13 * seat + 13) if self.pack[i] is None)
            self.pack[at] = (suit, rank)
        self.free = [i for i in range(52) if self.pack[i] is None]
        self.small = [card for card in fresh if card not in self.pack]
        self.predealt = bool(predeal)
        if not predeal:
            self.pack = self.small
        self.turns = {0: [], 2: ["ew"], 3: ["ew", "sw", "es", "ew", "sw"]}[0 if predeal else swap]
        self.turn = 0

    def drand48(self):
        self.x = (0x5DEECE66D * self.x + 0xB) % 2**48
        return self.x / 2**48

    def rnd(self, n):
        return math.floor(self.drand48() * n)

    def deal(self):
        if self.turn:
            a, b = (13 * "nesw".index(seat) for seat in self.turns[self.turn - 1])
            self.pack[a : a + 13], self.pack[b : b + 13] = self.pack[b : b + 13], self.pack[a : a + 13]
        else:
            cards = self.small if self.predealt else self.pack
            for i in range(len(cards) - 1, 0, -1):
                j = math.floor(self.drand48() * (i + 1))
                cards[i], cards[j] = cards[j], cards[i]
            if self.predealt:
                for at, card in zip(self.free, cards, strict=True):
                    self.pack[at] = card
        self.turn = (self.turn + 1) % (len(self.turns) + 1)
        return [sum(1 << (48 - 16 * s + r) for s, r in self.pack[k : k + 13]) for k in range(0, 52, 13)]

    def accept(self):
        if not self.predealt:
            for k in range(0, 52, 13):
                self.pack[k : k + 13] = sorted(self.pack[k : k + 13], key=lambda card: (card[0], -card[1]))


def accepts(hands):
    return sum(map(int, hands[:1])) % 7 < 2


@pytest.mark.parametrize("predeal", [None, PREDEAL])
@pytest.mark.parametrize("swap", [0, 2, 3])
@pytest.mark.parametrize("seed", [1, 2**31 + 5, 2**40 + 1, -7])
def test_v2_continues_after_the_accepted_deal(seed, swap, predeal):
    slow = SlowV2(seed, predeal, swap)
    expected = []
    for _ in range(600):
        hands = slow.deal()
        expected.append(hands)
        if accepts(hands):
            slow.accept()
    stream, dealt, sizes = ClassicV2(seed, predeal, swap), [], np.random.default_rng(1)
    while len(dealt) < 600:
        chunk = stream.deal(int(sizes.integers(1, 12)))
        row = next((i for i, hands in enumerate(chunk) if accepts(hands)), None)
        stream.accept(row)
        kept = len(chunk) if row is None or not stream.needs_feedback else row + 1
        dealt += chunk[:kept].tolist()
    assert dealt[:600] == expected
    assert stream.needs_feedback == (predeal is None)


@pytest.mark.parametrize("swap", [0, 3])
def test_v2_with_every_deal_accepted(swap):
    slow, expected = SlowV2(3, None, swap), []
    for _ in range(100):
        expected.append(slow.deal())
        slow.accept()
    stream = ClassicV2(3, swap=swap)
    assert (
        stream.deal(40, all_accepted=True).tolist() + stream.deal(60, all_accepted=True).tolist() == expected
    )


@pytest.mark.parametrize("swap", [0, 3])
def test_v2_deal_by_deal_with_rnd(swap):
    slow, stream = SlowV2(3, None, swap), ClassicV2(3, swap=swap)
    for _ in range(200):
        hands = slow.deal()
        assert stream.deal(1)[0].tolist() == hands
        value = slow.rnd(10)
        assert stream.rnd(10) == value
        if value < 4:
            slow.accept()
            stream.accept(0)
            assert stream.rnd(1000) == slow.rnd(1000)  # in an action
        else:
            stream.accept(None)


def test_v2_rnd_in_an_action_after_a_chunk():
    slow, stream = SlowV2(6), ClassicV2(6)
    for _ in range(5):
        chunk = stream.deal(10)
        stream.accept(4)
        for row in range(5):
            assert slow.deal() == chunk[row].tolist()
        slow.accept()
        assert stream.rnd(99) == slow.rnd(99)


def test_v2_seeds_and_invalid_arguments():
    assert (ClassicV2(2**32 + 1).deal(3) == ClassicV2(1).deal(3)).all()
    first, second = ClassicV2(0), ClassicV2(0)
    assert first.seed != second.seed and (ClassicV2(first.seed).deal(9) == first.deal(9)).all()
    with pytest.raises(ArgumentError, match="lengths"):
        ClassicV2(1, Predeal((), ((0, 0, 5),)))
    assert ClassicV2(1, PREDEAL, swap=3).swap == 0
    stream = ClassicV2(1)
    with pytest.raises(ArgumentError, match="row"):
        stream.accept(0)
    stream.deal(5)
    with pytest.raises(ArgumentError, match="row"):
        stream.accept(5)
    stream.deal(5)
    stream.rnd(3)
    with pytest.raises(ArgumentError, match="rnd"):
        stream.accept(2)
    with pytest.raises(ArgumentError, match="swapping"):
        ClassicV1(1, swap=4)


@pytest.mark.parametrize(
    "predeal",
    [
        "predeal west SKT432,HA632,DJ,CJ85 south SAQJ,HKQJ,DA",  # 32 free places, the last one taken
        "predeal west SAKQJT98765432 south HAKQJT98765432 east DAKQJT98765",  # 15
        "predeal west SAKQJT98765432 south HAKQJT98765432 east DAKQJT9876",  # 16
        "predeal north SAKQJT98765432 south HAKQJT98765432 east DAKQJT9876",  # 16, the last one free
        "predeal west SAKQJT98765432 south HAKQJT98765432 east DAKQJT98765432 north CAKQJT98",  # 5 and so on
    ],
)
def test_v1_with_the_last_place_predealt(predeal, dealer_program, tmp_path):
    import dealerkit as dk

    path = tmp_path / "script"
    path.write_text(f"{predeal} produce 20000 action printoneline")
    theirs = subprocess.run(
        [dealer_program, "-v", "-s", "5", path], capture_output=True, encoding="utf-8", check=True
    )
    assert (
        dk.run(path, seed=5, dialect="v1", stream="classic", statistics=False, keep=0).text == theirs.stdout
    )

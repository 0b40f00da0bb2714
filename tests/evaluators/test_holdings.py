"""Tables of holdings against the printed lists, and exact distributions over all hands."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.evaluators import four_cs, holdings

RANKS = "23456789TJQKA"
DEALS = comb(52, 13)


def index(text: str) -> int:
    return sum(1 << RANKS.index(rank) for rank in text)


def distribution(table: np.ndarray) -> dict[int, float]:
    """Exact probability of each value of a table summed over the suits of a random hand."""
    lengths = np.array([bin(holding).count("1") for holding in range(8192)])
    step = int(np.gcd.reduce(table))
    values = table // step
    suit = np.zeros((14, int(values.max()) + 1), dtype=object)
    np.add.at(suit, (lengths, values), 1)
    total = suit
    for _ in range(3):
        sums = np.zeros((14, total.shape[1] + suit.shape[1] - 1), dtype=object)
        for cards in range(14):
            for more in range(14 - cards):
                sums[cards + more] += np.convolve(total[cards], suit[more])
        total = sums
    assert sum(total[13]) == DEALS
    return {value * step: count / DEALS for value, count in enumerate(total[13]) if count}


def mean_and_sd(chances: dict[int, float]) -> tuple[float, float]:
    mean = sum(value * chance for value, chance in chances.items())
    return mean, sqrt(sum((value - mean) ** 2 * chance for value, chance in chances.items()))


# Section 3.2 of the language reference, measured with DealerV2; x is a card below the jack.
LTC = {
    0: "- A AK AKQ AKQ2",
    50: "K AQ AKJ AQJ AKJ2 AQJT9",
    100: "Q J T 2 AJ AT A2 KQ KJ KT K2 AKT AK2 AQT AQ2 KQJ KQT KQ2",
    150: "AJT KJT AJT5 KJT98",
    200: "QJ QT Q2 JT J2 T2 32 AJ2 AT2 A32 KJ2 KT2 K32 QJT QJ2",
    250: "QT2 Q32 QT98",
    300: "JT2 J32 T32 432 JT98",
}
LOSERS = {
    0: "- A AK AKQ AKQJ",
    1: "K Q 2 AQ A2 KQ K2 AKJ AQJ KQJ KQ2 AQ32",
    2: "QJ Q2 32 A32 KJT Q32 QJT AJT",
    3: "J32 432 JT98",
}


@pytest.mark.parametrize(("table", "printed"), [("ltc", LTC), ("losers", LOSERS)])
def test_losing_tricks_of_listed_holdings(table, printed):
    values = getattr(holdings, table)()
    for value, texts in printed.items():
        for text in texts.split():
            assert values[index(text.strip("-"))] == value, text


def test_losers_depend_on_the_top_three_cards_only():
    for name in ("losers", "ltc"):
        values = getattr(holdings, name)()
        for holding in range(8192):
            cards = [rank for rank in range(12, -1, -1) if holding >> rank & 1]
            top = sum(1 << rank for rank in cards[:3])
            assert values[holding] == values[top]


def test_length():
    assert [int(holdings.length()[index(text)]) for text in ("", "2", "AK", RANKS)] == [0, 1, 2, 13]


def test_points_of_high_cards():
    chances = distribution(holdings.points(holdings.default_weights("hcp")))
    mean, sd = mean_and_sd(chances)
    assert mean == pytest.approx(10, abs=1e-12)
    assert sd == pytest.approx(4.13023, abs=5e-6)
    percent = {0: 0.3639, 4: 3.8454, 8: 8.8922, 9: 9.3562, 10: 9.4051, 11: 8.9447, 12: 8.0269}
    percent |= {15: 4.4237, 20: 0.6435, 25: 0.0264, 26: 0.0117}
    for value, expected in percent.items():
        assert 100 * chances[value] == pytest.approx(expected, abs=5e-5)
    assert 100 * sum(chances[value] for value in (12, 13, 14)) == pytest.approx(20.6345, abs=5e-5)
    assert 100 * sum(chances[value] for value in (15, 16, 17)) == pytest.approx(10.0963, abs=5e-5)
    assert (min(chances), max(chances)) == (0, 37)


def test_controls():
    chances = distribution(holdings.points(holdings.default_weights("controls")))
    mean, sd = mean_and_sd(chances)
    assert (mean, sd) == (pytest.approx(3, abs=1e-12), pytest.approx(1.81497, abs=5e-6))
    assert 100 * chances[0] == pytest.approx(8.1755, abs=5e-5)
    assert 100 * chances[3] == pytest.approx(20.8869, abs=5e-5)


def test_losers():
    chances = distribution(holdings.losers())
    mean, sd = mean_and_sd(chances)
    assert (mean, sd) == (pytest.approx(7.55848, abs=5e-6), pytest.approx(1.57095, abs=5e-6))
    assert 100 * chances[7] == pytest.approx(22.993, abs=5e-4)
    assert 100 * chances[8] == pytest.approx(24.496, abs=5e-4)


def test_yarborough_and_aces():
    assert 1 / distribution(holdings.points(holdings.default_weights("top5")))[0] == pytest.approx(
        1828.04, abs=5e-3
    )
    aces = distribution(holdings.points(holdings.default_weights("aces")))
    for count in range(5):
        assert aces[count] == pytest.approx(comb(4, count) * comb(48, 13 - count) / DEALS, rel=1e-12)


# Worked examples of the definition: AKJT32.Q98.J98.9 and 98.AKT65.QT7.AT8, suit by suit.
QUALITY = {"AKJT32": 540, "Q98": 75, "J98": 45, "9": 0, "98": 10, "AKT65": 400, "QT7": 75, "AT8": 135}
HONOURS = {"AKJT32": 550, "Q98": 75, "J98": 0, "9": 0, "98": 0, "AKT65": 525, "QT7": 75, "AT8": 300}


@pytest.mark.parametrize("variant", four_cs.VARIANTS)
def test_four_cs_of_worked_examples(variant):
    for text, value in QUALITY.items():
        assert four_cs.quality(variant)[index(text)] == value, text
    for text, value in HONOURS.items():
        assert four_cs.honour_strength(variant)[index(text)] == value, text


def test_four_cs_where_the_programs_differ():
    solid = index("AKQJT98765")
    assert (four_cs.quality("v1")[solid], four_cs.quality("intended")[solid]) == (1000, 1050)
    doubletons = {"Q2": (50, 25), "KQ": (275, 250), "QJ": (75, 50)}
    for text, (old, new) in doubletons.items():
        values = four_cs.honour_strength("v1")[index(text)], four_cs.honour_strength("coded")[index(text)]
        assert values == (old, new), text


def test_four_cs_of_pavliceks_page():
    # R. Pavlicek's calculator gives AQT432 8.45 before shape.
    holding = index("AQT432")
    assert four_cs.honour_strength()[holding] + four_cs.quality()[holding] == 845


def test_spot_cards_below_the_eight_are_equal_in_the_four_cs():
    small = np.arange(8192) & 0b111111  # 7 to 2
    lowest = (1 << np.bitwise_count(small).astype(np.int64)) - 1
    twin = (np.arange(8192) & ~0b111111) | lowest
    for table in (four_cs.quality, four_cs.honour_strength, four_cs.packed_four_cs):
        for variant in four_cs.VARIANTS:
            np.testing.assert_array_equal(table(variant), table(variant)[twin])


def test_spot_cards_below_the_ten_are_equal_elsewhere():
    small = np.arange(8192) & 0b11111111  # 9 to 2
    lowest = (1 << np.bitwise_count(small).astype(np.int64)) - 1
    twin = (np.arange(8192) & ~0b11111111) | lowest
    for table in (holdings.length(), holdings.losers(), holdings.ltc(), holdings.points((4, 3, 2, 1, 1))):
        np.testing.assert_array_equal(table, table[twin])


def test_tables_cannot_be_changed():
    for table in (
        holdings.length(),
        holdings.points((1,)),
        four_cs.quality(),
        holdings.coupled_losers((1,), (1,)),
    ):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        ((8191,), np.int16),
        ((8192,), np.int32),
        ((-8191,), np.int16),
        ((-8192,), np.int32),
        ((2**30,), np.int64),
    ],
)
def test_points_choose_a_type_that_holds_the_sum_of_four_suits(weights, dtype):
    table = holdings.points(weights)
    assert table.dtype == dtype
    assert int(table[4096]) == weights[0]


def test_points_reject_wrong_weights():
    with pytest.raises(ArgumentError, match="14 weights for 13 ranks"):
        holdings.points((1,) * 14)
    with pytest.raises(ArgumentError, match="integers"):
        holdings.points((4.5, 3))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="64 bits"):
        holdings.points((2**62,))
    with pytest.raises(ArgumentError, match="known: hcp"):
        holdings.default_weights("hpc")


def test_coupled_losers_follow_both_tables():
    table = holdings.coupled_losers((1, 1, 1, 1, 1), (1, 1, 1))
    printed = {"T": 1, "9": 1, "A": 1, "JT": 1, "AK": 1, "92": 2, "A2": 1, "JT9": 3, "AKQ": 0, "": 0}
    for text, value in printed.items():
        assert table[index(text)] == value, text
    table = holdings.coupled_losers((2, 1), (0, 0, 0, 1, 1, 1))
    assert [int(table[index(text)]) for text in ("AKQ", "JT2", "JT9", "A", "AK")] == [3, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("controls", "top3", "message"),
    [
        ((3, 1), (1, 1, 1), "A counts 3 in the redefined table of controls, where only 0 to 2 is possible"),
        ((2, 2), (1, 1, 1), "AK counts 4 in the redefined table of controls, where only 0 to 3 is possible"),
        ((2, 1, -1), (1, 1, 1), "Q counts -1"),
        ((2, 1), (1, 1, 1, 1), "AKQJ counts 4 in the redefined table of top3"),
    ],
)
def test_coupled_losers_reject_points_outside_their_tables(controls, top3, message):
    with pytest.raises(ArgumentError, match=message):
        holdings.coupled_losers(controls, top3)

"""Values of the same deals in Debian's dealer and in the variant `v1` of the package."""

from __future__ import annotations

import re
import subprocess
from math import comb

import numpy as np
import pytest

from dealerkit.evaluators import holdings
from dealerkit.registry import get_function

SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
COUNTS = ["hcp", "controls", "losers", "tens", "jacks", "queens", "kings", "aces"]
COUNTS += ["top2", "top3", "top4", "top5", "c13"]


def run_dealer(program, expressions, hand_of, produce=3000, setup=""):
    """Return deals, uint64 [n, 4], and the values of the expressions in the program, int [n, k]."""
    items = '," ",'.join(expressions)
    script = f"{setup}\nproduce {produce}\naction printoneline, printes({items},\\n)\n"
    process = subprocess.run(
        [program, "-s", "7"], input=script, capture_output=True, encoding="utf-8", check=True
    )
    rows = re.findall(r"^n (\S+) e (\S+) s (\S+) w (\S+)\s*\n([-\d ]+)$", process.stdout, flags=re.MULTILINE)
    assert len(rows) == produce
    deals = np.stack([hand_of(*(row[seat] for row in rows)) for seat in range(4)], axis=1)
    return deals, np.array([row[4].split() for row in rows]).astype(int)


def compare_with_dealer(program, names, hand_of, setup="", options=None):
    """Compare each function of each seat, of the hand and by suit, with the program."""
    calls = [(name, seat, suit) for name in names for seat in range(4) for suit in (None, 0, 1, 2, 3)]
    calls = [call for call in calls if not (call[0] == "cccc" and call[2] is not None)]
    calls = [call for call in calls if not (call[0] == "quality" and call[2] is None)]
    texts = [
        f"{name}({SEATS[seat]}{'' if suit is None else ',' + SUITS[suit]})" for name, seat, suit in calls
    ]
    deals, values = run_dealer(program, texts, hand_of, setup=setup)
    for column, (name, seat, suit) in enumerate(calls):
        keywords = (options or {}).get(name, {})
        suits = () if suit is None else (suit,)
        result = get_function(name).body(np.ascontiguousarray(deals[:, seat]), *suits, **keywords)
        np.testing.assert_array_equal(result, values[:, column], err_msg=texts[column])


def test_counts(dealer_program, hand_of):
    compare_with_dealer(dealer_program, COUNTS, hand_of)


def test_four_cs(dealer_program, hand_of):
    compare_with_dealer(
        dealer_program,
        ["cccc", "quality"],
        hand_of,
        options=dict.fromkeys(("cccc", "quality"), {"variant": "v1"}),
    )


def test_four_cs_of_long_suits(dealer_program, hand_of):
    setup = "condition " + " or ".join(f"{suit}({seat}) >= 8" for suit in SUITS for seat in SEATS)
    compare_with_dealer(
        dealer_program,
        ["cccc", "quality"],
        hand_of,
        setup,
        dict.fromkeys(("cccc", "quality"), {"variant": "v1"}),
    )


def test_shapes_and_cards(dealer_program, hand_of):
    expressions = ["spades(west)", "hearts(west)", "diamonds(west)", "clubs(west)", "hascard(west,TD)"]
    deals, values = run_dealer(dealer_program, expressions, hand_of)
    west = np.ascontiguousarray(deals[:, 3])
    for column, name in enumerate(SUITS):
        np.testing.assert_array_equal(get_function(name).body(west), values[:, column])
    np.testing.assert_array_equal(get_function("hascard").body(west, (2, 8)), values[:, 4])


# Numbers of dealer v1's altcount are two higher than those of its pt functions: 1 is the table of
# controls and 8 that of top3.
@pytest.mark.parametrize(
    ("controls", "top3"),
    [
        ((1, 1, 1, 1, 1), (1, 1, 1)),
        ((0, 0, 0, 1, 1), (1, 1, 1)),
        ((2, 1), (1, 1, 0, 1)),
        ((1, 0, 2), (0, 0, 0, 1, 1, 1)),
    ],
)
def test_redefined_tables_change_losers(dealer_program, hand_of, controls, top3):
    setup = f"altcount 1 {' '.join(map(str, controls))}\naltcount 8 {' '.join(map(str, top3))}\n"
    options = {
        "losers": {"table": holdings.coupled_losers(controls, top3)},
        "controls": {"weights": controls},
        "top3": {"weights": top3},
    }
    compare_with_dealer(
        dealer_program, ["losers", "controls", "top3", "top2", "hcp"], hand_of, setup, options
    )


def test_redefined_pointcount(dealer_program, hand_of):
    compare_with_dealer(
        dealer_program,
        ["hcp"],
        hand_of,
        "pointcount 6 4 3 -1 1 0 2\n",
        {"hcp": {"weights": (6, 4, 3, -1, 1, 0, 2)}},
    )


def test_mean_losers_under_a_redefined_table(dealer_program):
    """With each of A, K, Q and J one control: 7.3931 over all hands by the rule, and the program's mean."""
    table = holdings.coupled_losers((1, 1, 1, 1), (1, 1, 1))
    lengths = holdings.length()
    total = sum(comb(39, 13 - cards) * int(table[lengths == cards].sum()) for cards in range(14))
    mean = 4 * total / comb(52, 13)
    assert mean == pytest.approx(7.3931, abs=5e-5)
    script = 'altcount 1 1 1 1 1\nproduce 100000\naction average "losers" losers(north)\n'
    process = subprocess.run(
        [dealer_program, "-s", "3"], input=script, capture_output=True, encoding="utf-8", check=True
    )
    dealer_mean = float(process.stdout.split("losers:")[1].split()[0])
    assert abs(dealer_mean - mean) < 4.5 * 1.6 / 100_000**0.5  # standard deviation about 1.6

"""Layouts of the other hands: kept cards, means of a loop, the pairs that were solved once and for all."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, DealError
from tests.studies.same_numbers import check_same_numbers

HAND = "AQ974.KJ3.86.Q72"
STRAINS = ("spades", "hearts", "diamonds", "clubs", "notrump")


@pytest.fixture(scope="module")
def found() -> dk.Layouts:
    return dk.layouts(HAND, "south", n=2, seed=1, given="hcp(north) >= 12")


def test_the_hand_stays_and_tricks_are_those_of_the_solver(found: dk.Layouts) -> None:
    assert len(found.deals) == 2 and {str(deal).split()[2] for deal in found.deals} == {HAND}
    assert (found.deals.eval("hcp(north)") >= 12).all()
    assert len({str(deal) for deal in found.deals}) == 2
    tables = found.deals.tables
    solved = dk.dd_table(dk.Deals(found.deals.hands), "CN", "NS")
    assert (tables[:, 3:, ::2] == solved[:, 3:, ::2]).all()
    better = [[max(table[k][0], table[k][2]) for k in range(5)] for table in tables.tolist()]
    for k, strain in enumerate(STRAINS):
        taken = [row[k] for row in better]
        assert found.frame.value[strain] == pytest.approx(sum(taken) / 2)
        assert found.by_hand[strain][0] == pytest.approx(sum(taken) / 2)
        assert found.frame.sd[strain] == pytest.approx(np.std(taken, ddof=1))
    assert found.frame.value["best suit"] == pytest.approx(np.mean([max(row[:4]) for row in better]))
    mean = dk.Layouts.from_deals(found.deals, (2,), 2, declarer="mean").frame.value["notrump"]
    assert mean == pytest.approx((tables[:, 4, 0] + tables[:, 4, 2]).mean() / 2)


def test_many_pairs_with_seeds_of_their_own() -> None:
    pairs = dk.deal(2, seed=3)
    both = dk.layouts(pairs, "EW", n=2, strain="notrump", seed=5)
    second = dk.layouts(pairs[1], "EW", n=2, strain="notrump", seed=6)
    assert (both.deals.hands[2:] == second.deals.hands).all() and both.deals.cluster.tolist() == [0, 0, 1, 1]
    assert (both.deals.hands[:, [1, 3]] == np.repeat(pairs.hands[:, [1, 3]], 2, axis=0)).all()
    assert both.by_hand.notrump[1] == second.frame.value["notrump"] and list(both.frame.index) == ["notrump"]
    assert both.frame.hands["notrump"] == 2 and both.frame.n["notrump"] == 4
    assert (both.deals.tables[:, :4] == -1).all() and (both.deals.tables[:, 4, [0, 2]] == -1).all()


def test_one_layout_has_no_interval_and_equal_ones_a_wide_one() -> None:
    suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    one = dk.layouts(suits, n=1, strain="spades").frame.loc["spades"]
    assert one.value == 13 and one[["se", "lo", "hi", "sd"]].isna().all()
    same = dk.layouts(suits, n=3, strain="spades")
    assert same.frame.lo["spades"] < 5 and same.frame.hi["spades"] == 13 and "nan" not in same.text


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((HAND, "NS"), {}, ArgumentError, "a text is one hand"),
        ((HAND, "all"), {}, ArgumentError, "a side, 'NS' or 'EW'"),
        ((HAND,), {"n": 0}, ArgumentError, "n is 0"),
        (("AQ974.KJ3.86",), {}, DealError, "cards|holdings|suits"),
        ((3,), {}, ArgumentError, "13 cards as text"),
        ((HAND,), {"strain": "majors"}, ArgumentError, "majors"),
        ((HAND,), {"declarer": "west"}, ArgumentError, "declarer"),
        ((HAND,), {"given": "spades(south) == 9"}, ArgumentError, "weaker condition"),
    ],
)
@pytest.mark.filterwarnings("ignore::dealerkit.DealerkitWarning")
def test_bad_input_has_a_message(arguments, options, error, message) -> None:
    with pytest.raises(error, match=message):
        dk.layouts(*arguments, **options)


def test_text_html_latex_and_plot(found: dk.Layouts) -> None:
    check_same_numbers(found)
    for text in (str(found), found.to_html(), found.to_latex()):
        assert HAND in text and "seed 1" in text and "nan" not in text
    assert found.plot() is not None and found.to_frame().strain.tolist()[-1] == "best suit"


@pytest.mark.slow
def test_stored_sums_are_those_of_the_function() -> None:
    """Pairs that were solved for the published figures, by their recipe."""
    path = Path(__file__).parents[3] / "tools" / "published" / "layouts.json"
    sums = json.loads(path.read_text(encoding="utf-8"))["sums"]
    pairs = dk.deal(400, seed=20261124)
    found = dk.layouts(pairs[7], "NS", n=20, seed=20261125 + 7).by_hand
    assert [20 * found["best suit"][0], 20 * found["notrump"][0]] == sums[7]

"""Comparisons of tricks reduced to thresholds: the same truth, whatever surrounds the number of tricks."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import score
from dealerkit.compiler.compilation import compile_expression
from dealerkit.doubledummy import batches

N = 500


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    """Deals with tables of random numbers, which serve as well as solved ones here."""
    tables = np.random.default_rng(3).integers(0, 14, (N, 5, 4))
    return dk.deal(N, seed=3).replace(tables=tables)


def spades(deals: dk.Deals) -> np.ndarray:
    return deals.tables[:, 0, 2].astype(int)


def kinds(text: str) -> set[str]:
    compiled = compile_expression(text)
    graph = compiled.graph
    return {graph.operations[part].kind for part in graph.find_required(compiled.expression)}


CASES = {
    "dds(south, spades) >= 10": lambda t: t >= 10,
    "10 > dds(south, spades)": lambda t: t < 10,
    "dds(south, spades) == 9": lambda t: t == 9,
    "dds(south, spades) != 9": lambda t: t != 9,
    "dds(south, spades) - 6 > 3": lambda t: t > 9,
    "2 * dds(south, spades) + 1 <= 15": lambda t: t <= 7,
    "13 - dds(south, spades) == 0": lambda t: t == 13,
    "dds(south, spades) >= 0": lambda t: t >= 0,
    "dds(south, spades) > 13": lambda t: t > 13,
    "score(vul, x4Sx, dds(south, spades)) > 0": lambda t: score("4Sx", t, vulnerable=True) > 0,
    "score(nv, x3N, dds(south, spades)) == 400": lambda t: t == 9,
    "imps(score(nv, x4S, dds(south, spades)) - 140) >= 7": lambda t: score("4S", t) - 140 >= 270,
    "min(dds(south, spades), 9) == 9": lambda t: t >= 9,
}


@pytest.mark.parametrize("text", CASES)
def test_comparison_of_one_number_of_tricks(deals, text):
    np.testing.assert_array_equal(deals.eval(text), CASES[text](spades(deals)))
    assert "reaches" in kinds(text)
    assert "tricks" not in kinds(text)  # no number of tricks is computed


@pytest.mark.parametrize(
    "text",
    ["dds(south, spades) % 2 == 0", "dds(south, spades) >= dds(north, spades)",
     "dds(south, spades) >= hearts(south)", "100 / dds(south, spades) > 12"],
)  # fmt: skip
def test_comparisons_without_thresholds_are_computed_from_the_tricks(deals, text):
    some = deals[spades(deals) > 0]
    t, other = spades(some), some.tables[:, 0, 0].astype(int)
    hearts = some.eval("hearts(south)")
    expected = {"%": t % 2 == 0, "d": t >= other, "h": t >= hearts, "/": 100 // np.maximum(t, 1) > 12}
    key = "%" if "%" in text else "/" if "/" in text else "h" if "hearts" in text else "d"
    np.testing.assert_array_equal(some.eval(text), expected[key])


def test_division_by_no_tricks_is_still_an_error(deals):
    assert (spades(deals) == 0).any()
    with pytest.raises(dk.DivisionByZeroError):
        deals.eval("100 / dds(south, spades) > 12")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max(dds(south, spades), dds(south, hearts)) > 6", lambda a, b: np.maximum(a, b) > 6),
        ("min(dds(south, spades), dds(south, hearts)) >= 6", lambda a, b: np.minimum(a, b) >= 6),
        ("6 >= max(dds(south, spades), dds(south, hearts))", lambda a, b: np.maximum(a, b) <= 6),
        ("a = dds(south, spades) b = dds(south, hearts) m = a > b ? a : b\nm > 6",
         lambda a, b: np.maximum(a, b) > 6),
        ("a = dds(south, spades) b = dds(south, hearts) m = a <= b ? a : b\nm < 8",
         lambda a, b: np.minimum(a, b) < 8),
    ],
)  # fmt: skip
def test_comparisons_of_extremes_are_split(deals, text, expected):
    np.testing.assert_array_equal(
        deals.eval(text), expected(spades(deals), deals.tables[:, 1, 2].astype(int))
    )
    assert "tricks" not in kinds(text)


@pytest.mark.parametrize("text", ["dds(south, spades) == 9", "dds(south, spades) != 9"])
def test_the_second_threshold_is_tested_only_where_the_first_does_not_decide(deals, text, monkeypatch):
    tables = {tuple(hand): table for hand, table in zip(deals.hands.tolist(), deals.tables, strict=True)}
    tests = []

    def solve_boards(hands, strain, declarer, target, *, threads, progress, out):
        tricks = np.array([tables[tuple(hand)][0, 2] for hand in hands.tolist()])
        tests.extend(zip(tricks.tolist(), target.tolist(), strict=True))
        out[:] = tricks >= target

    monkeypatch.setattr(batches, "solve_boards", solve_boards)
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    unsolved = dk.Deals(deals.hands)
    np.testing.assert_array_equal(unsolved.eval(text), (spades(deals) == 9) == ("==" in text))
    # A declarer who takes 10 tricks takes 9, so only one of the two tests is made for all deals.
    assert sum(target == 10 for _, target in tests) == N
    assert sum(target == 9 for _, target in tests) == int((spades(deals) < 10).sum())


def test_declarers_of_one_strain_are_solved_together():
    script = "action average dds(south, spades), average dds(north, spades), average dds(south, hearts)"
    result = dk.run(script, produce=3, seed=1)
    assert result.solver.requested == 3 * (4 + 1)
    assert (result.deals.tables[:, 0] >= 0).all()  # attached to the deals, so to_frame solves nothing again
    assert (result.deals.tables[:, 1, 2] >= 0).all()
    assert (result.deals.tables[:, 1, 0] == -1).all()


def test_columns_of_tricks_and_of_suits():
    deals = dk.solved_sample()[:200]
    frame = deals.to_frame(
        "tricks_south_spades", "dds_west_notrump", "hcp_north_hearts", "fit_ew_clubs", "shape_east"
    )
    assert list(frame.columns[1:]) == [
        "tricks_south_spades", "dds_west_notrump", "hcp_north_hearts", "fit_ew_clubs", "shape_east",
    ]  # fmt: skip
    np.testing.assert_array_equal(frame["tricks_south_spades"], deals.tables[:, 0, 2])
    np.testing.assert_array_equal(frame["dds_west_notrump"], deals.tables[:, 4, 3])
    np.testing.assert_array_equal(frame["hcp_north_hearts"], deals.eval("hcp(north, hearts)"))
    np.testing.assert_array_equal(frame["fit_ew_clubs"], deals.eval("clubs(east) + clubs(west)"))


@pytest.mark.parametrize("name", ["tricks", "tricks_south", "hcp_north_notrump", "fit_north", "score", "min"])
def test_names_that_are_no_column(name):
    with pytest.raises(dk.ArgumentError, match=f"'{name}' is not the name of a column"):
        dk.solved_sample()[:2].to_frame(name)

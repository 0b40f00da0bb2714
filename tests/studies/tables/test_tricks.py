"""Tricks by points and fit against loops, least squares of statsmodels, and known figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, ScriptError
from dealerkit.studies.tables.tricks import LineSums
from dealerkit.studies.tables.tricks_result import number_cells, split_cell
from tests.studies.same_numbers import check_same_numbers

POINTS = dict(zip("AKQJ", (4, 3, 2, 1), strict=True))
GAME = (10, 10, 11, 11, 9)


def list_sides(deals: dk.Deals, strain: str, declarer: str) -> list[tuple[int, int, float, float]]:
    """Return points, fit, tricks and how often game makes for each side, from the texts of the deals."""
    rows = []
    for deal, table in zip(deals, deals.tables.tolist(), strict=True):
        hands = [hand.split(".") for hand in str(deal)[2:].split()]
        for side in (0, 1):
            both = hands[side], hands[side + 2]
            points = sum(POINTS.get(card, 0) for hand in both for suit in hand for card in suit)
            fits = [len(both[0][suit]) + len(both[1][suit]) for suit in range(4)]
            played = 4 if strain == "notrump" else fits.index(max(fits))
            taken = table[played][side], table[played][side + 2]
            made = [tricks >= GAME[played] for tricks in taken]
            if declarer == "better":
                rows.append((points, max(fits), max(taken), float(any(made))))
            else:
                rows.append((points, max(fits), sum(taken) / 2, sum(made) / 2))
    return rows


@pytest.mark.parametrize("strain", ["longest fit", "notrump"])
@pytest.mark.parametrize("declarer", ["better", "mean"])
def test_cells_are_those_of_a_loop(strain: str, declarer: str) -> None:
    deals = dk.solved_sample()[:300]
    table = dk.tricks_by(deals, strain=strain, declarer=declarer)
    rows = list_sides(deals, strain, declarer)
    assert table.frame.n.sum() == table.sides == len(rows) == 600 and table.deals == 300
    for (points, fit), row in table.frame.iterrows():
        part = [each for each in rows if each[:2] == (points, fit)]
        assert row.n == len(part)
        assert row.tricks == pytest.approx(sum(each[2] for each in part) / len(part))
        assert row.makes == pytest.approx(sum(each[3] for each in part) / len(part))
    for points, row in table.by_points.iterrows():
        assert row.tricks == pytest.approx(np.mean([each[2] for each in rows if each[0] == points]))
    assert table.by_fit.n.sum() == 600 and table.shown.n.sum() == 600


def test_the_line_is_that_of_statsmodels() -> None:
    api = pytest.importorskip("statsmodels.api")
    deals = dk.solved_sample()[:1500]
    table = dk.tricks_by(deals, strain="notrump")
    rows = np.array(list_sides(deals, "notrump", "better"))
    x = api.add_constant(rows[:, :2])
    found = api.OLS(rows[:, 2], x).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(1500), 2)}, use_t=True
    )
    line = table.coefficients
    assert line.value.to_numpy() == pytest.approx(found.params, rel=1e-9)
    assert line.se.to_numpy() == pytest.approx(found.bse, rel=1e-8)
    assert line[["lo", "hi"]].to_numpy() == pytest.approx(found.conf_int(), rel=1e-8)
    assert table.r**2 == pytest.approx(found.rsquared)


def test_a_weighted_line_in_batches(rng) -> None:
    api = pytest.importorskip("statsmodels.api")
    x, w, clusters = rng.normal(size=(90, 2)), rng.uniform(0.5, 2, 90), np.arange(90) // 3
    y = x @ [1, -2] + rng.normal(size=90)
    sums = LineSums(2)
    for rows in (slice(0, 30), slice(30, 90)):
        sums.update(x[rows], y[rows], w[rows], clusters[rows])
    line, _ = sums.fit(0.95)
    found = api.WLS(y, api.add_constant(x), weights=w).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    assert line[:, 0] == pytest.approx(found.params) and line[:, 1] == pytest.approx(found.bse)
    with pytest.raises(ArgumentError, match="one follows from the other"):
        sums = LineSums(2)
        sums.update(np.column_stack([x[:, 0], 2 * x[:, 0]]), y, None, clusters)
        sums.fit(0.95)


def test_intervals_by_group_are_those_of_the_frame_of_sides() -> None:
    deals = dk.solved_sample()[:2000]
    table = dk.tricks_by(deals, fit=None, strain="best major").by_points
    sides = deals.sides("hcp", strain="best major", tricks=True, declarer="better")
    expected = sides.dealer.estimate("tricks", by="hcp").query("deals > 30")
    found = table.loc[expected.index]
    for name, other in (("tricks", "value"), ("tricks_se", "se"), ("deals", "deals")):
        assert found[name].to_numpy() == pytest.approx(expected[other].to_numpy())


@pytest.mark.slow
def test_known_figures() -> None:
    """Of 5,120 other deals: notrump tricks by points, and the line for the best suit."""
    deals = dk.solved_sample()[5120:]  # the first 5,120 are these
    notrump = dk.tricks_by(deals, fit=None, strain="notrump", declarer="mean").by_points
    known = {18: 4.94, 20: 6.00, 22: 7.06, 23: 7.46, 24: 8.00, 25: 8.63, 26: 9.15, 27: 9.67, 28: 10.17}
    for points, tricks in known.items():
        error = np.sqrt(21) * notrump.tricks_se[points]  # of 5,120 deals
        assert abs(notrump.tricks[points] - tricks) < 3.5 * error + 0.005, points
    best = dk.tricks_by(deals, strain="best suit", fit="fit(NS)")
    assert best.coefficients.value.to_numpy() == pytest.approx([-4.91, 0.359, 0.736], abs=0.1)
    assert best.coefficients.value["points"] == pytest.approx(0.359, abs=0.005)
    assert best.r == pytest.approx(0.872, abs=0.004)


def test_levels_conditions_and_rounding() -> None:
    deals = dk.solved_sample()[:400]
    table = dk.tricks_by(deals, points="zar * 0.2", strain="spades", level=4, where="fit >= 8")
    sides = deals.sides("zar", strain="spades", tricks=True, declarer="better")
    sides = sides[sides.fit >= 8]
    fives = np.floor(sides.zar * 0.2 + 0.5)
    assert table.sides == len(sides) and table.rounded and "rounded" in table.text
    for points, row in table.by_points.iterrows():
        assert row.makes == pytest.approx((sides.tricks[fives == points] >= 10).mean())


def test_no_nan_where_there_is_an_estimate() -> None:
    frame = dk.tricks_by(dk.solved_sample()[:60]).frame
    single = frame.deals == 1
    assert single.any() and frame[single][["tricks_lo", "makes_lo"]].isna().all(axis=None)
    assert frame[~single].drop(columns="sd").notna().all(axis=None)
    assert (frame.tricks_lo[~single] < frame.tricks_hi[~single]).all()


def test_tables_without_a_class_of_thirty_deals_say_so() -> None:
    table = dk.tricks_by(dk.solved_sample()[:30])
    assert "By points" not in table.text and "No class has 30 deals" in table.text
    with pytest.raises(ArgumentError, match="no class has 30 deals"):
        table.plot()
    narrow = dk.tricks_by(dk.solved_sample()[:200], fit=None)
    assert (
        narrow.by_points.deals < 30
    ).any() and "Classes of fewer than 30 deals are left out" in narrow.text


@pytest.mark.parametrize(
    ("deals", "options", "error", "message"),
    [
        (lambda: dk.deal(40, seed=1), {}, ArgumentError, "no double-dummy tables"),
        (lambda: dk.solved_sample()[:29], {}, ArgumentError, "29 deals"),
        (lambda: dk.solved_sample()[:99], {"where": "hcp > 40"}, ArgumentError, "0 deals have a side"),
        (lambda: dk.solved_sample()[:99], {"points": "hpc"}, ScriptError, "hcp"),
        (lambda: dk.solved_sample()[:99], {"points": 3}, ArgumentError, "points is 3"),
        (lambda: dk.solved_sample()[:99], {"points": "7"}, ArgumentError, "one value for all"),
        (lambda: dk.solved_sample()[:99], {"fit": "hcp"}, ArgumentError, "one follows from the other"),
        (lambda: dk.solved_sample(), {"points": "100 * hcp + zar"}, ArgumentError, "divide"),
        (lambda: dk.solved_sample()[:99], {"strain": "majors"}, ArgumentError, "best major"),
        (lambda: dk.solved_sample()[:99], {"level": 8}, ArgumentError, "1 to 7"),
        (lambda: dk.solved_sample()[:99], {"declarer": "west"}, ArgumentError, "declarer"),
    ],
)
def test_bad_input_has_a_message(deals, options, error, message) -> None:
    with pytest.raises(error, match=message):
        dk.tricks_by(deals(), **options)


def test_text_html_latex_and_plots() -> None:
    deals = dk.solved_sample()[:6000]
    table = dk.tricks_by(deals)
    check_same_numbers(table)
    for text in (str(table), table.to_html(), table.to_latex()):
        assert "clustered by deal" in text and "the higher-ranking if equal" in text and "nan" not in text
    assert isinstance(table.to_frame(), pd.DataFrame) and "≤" in table.text and "≥" in table.text
    left = table.plot()
    shown = {text.get_text() for text in left.texts}
    assert f"{table.pivot('tricks').loc[20, 8]:.1f}" in shown
    assert dk.tricks_by(deals[:500], fit=None).plot() is not None


def test_numbers_of_cells() -> None:
    pairs = [(0, 0), (37, 13), (-12, 7), (400, -400)]
    numbers = number_cells(*np.array(pairs).T)
    assert [split_cell(int(number)) for number in numbers] == pairs

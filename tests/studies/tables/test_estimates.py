"""Grouped estimates of frames against loops in plain Python and cluster covariances of statsmodels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, DealArray, ScriptError, SmallSample
from dealerkit.studies.tables.grouped_estimates import GroupedEstimates


@pytest.fixture(scope="module")
def sides() -> pd.DataFrame:
    deals = dk.solved_sample()[:2000]
    return deals.sides("hcp", strain="notrump", tricks=True).assign(part=lambda f: f.hcp // 10)


def find_robust(y: np.ndarray, clusters: np.ndarray, weights: np.ndarray | None = None) -> tuple:
    """Return mean, its cluster-robust standard error and Student's interval by statsmodels."""
    api = pytest.importorskip("statsmodels.api")
    weights = np.ones(len(y)) if weights is None else weights
    fit = api.WLS(y, np.ones((len(y), 1)), weights=weights).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "df_correction": True}, use_t=True
    )
    # statsmodels has the factor G / (G - 1) (n - 1) / (n - p), and p is 1 here.
    return fit.params[0], fit.bse[0], *fit.conf_int()[0]


@pytest.mark.parametrize("weighted", [False, True])
def test_means_are_those_of_statsmodels(sides: pd.DataFrame, weighted: bool, rng) -> None:
    frame = sides.assign(weight=rng.uniform(0.2, 3, len(sides))) if weighted else sides
    table = frame.dealer.estimate("tricks", by="part")
    assert list(table.index) == sorted(set(frame.part)) and table.index.name == "part"
    for part in (1, 2):
        chosen = frame[frame.part == part]
        value, se, lo, hi = find_robust(
            chosen.tricks.to_numpy(float),
            chosen.index.to_numpy(),
            chosen.weight.to_numpy() if weighted else None,
        )
        row = table.loc[part]
        assert (row.value, row.se) == pytest.approx((value, se), rel=1e-9)
        assert (row.lo, row.hi) == pytest.approx((lo, hi), rel=1e-3)  # the degrees of freedom may differ
        assert row.n == len(chosen) and row.deals == chosen.index.nunique()


def test_shares_by_two_columns_are_those_of_a_loop(sides: pd.DataFrame) -> None:
    table = sides.dealer.estimate("tricks >= 9", by=["part", "side"])
    assert table.index.names == ["part", "side"]
    for (part, side), row in table.iterrows():
        made = [r.tricks >= 9 for r in sides.itertuples() if r.part == part and r.side == side]
        assert row.value == pytest.approx(sum(made) / len(made)) and row.n == row.deals == len(made)
        wilson = dk.proportion(sum(made), len(made))
        if 0 < sum(made) < len(made) and len(made) > 100:  # here each row is a deal
            assert (row.lo, row.hi) == pytest.approx((wilson.lo, wilson.hi), abs=2e-3)


def test_expressions_are_about_the_side_of_the_row(sides: pd.DataFrame) -> None:
    assert sides.dealer.estimate("hcp(north) + hcp(south)").value["all"] == pytest.approx(sides.hcp.mean())
    few = sides.head(300)
    table = few.dealer.estimate("hcp", by="hcp(north) + hcp(south) >= 20")
    assert table.loc[True].value == pytest.approx(few.hcp[few.hcp >= 20].mean())


def test_functions_that_take_a_strain_are_of_the_strain_played() -> None:
    deals = dk.solved_sample()[:200]
    sides = deals.sides("zar")
    assert sides.dealer.estimate("zar").value["all"] == pytest.approx(sides.zar.mean())


def test_groups_by_conditions_may_overlap(sides: pd.DataFrame) -> None:
    with pytest.warns(SmallSample, match="group none"):
        table = sides.dealer.estimate(
            "tricks", by={"all": "hcp >= 0", "strong": sides.hcp >= 25, "none": "hcp > 40"}
        )
    assert list(table.index) == ["all", "strong"] and table.n["all"] == len(sides)
    assert table.value["strong"] == pytest.approx(sides.tricks[sides.hcp >= 25].mean())


def test_quantiles_are_those_of_numpy_and_never_rounded(sides: pd.DataFrame) -> None:
    frame = sides.assign(third=sides.hcp / 3)
    table = frame.dealer.estimate("third", by="side", quantile=0.5)
    for side, row in table.iterrows():
        expected = np.quantile(frame.third[frame.side == side], 0.5, method="inverted_cdf")
        assert row.value == expected and row.lo < row.value < row.hi
    one = sides.assign(tricks=7).dealer.estimate("tricks", quantile=0.5).loc["all"]
    assert one.value == 7 and one[["se", "lo", "hi"]].isna().all()


def test_small_samples_have_no_end_of_an_extreme_quantile(sides: pd.DataFrame) -> None:
    with pytest.warns(SmallSample):
        row = sides.head(20).dealer.estimate("tricks", quantile=0.9).loc["all"]
    # 10 deals: the largest is below the quantile with a probability of 0.35, above the 3.5 % of an end.
    assert row.hi == np.inf and np.isfinite(row.lo) and np.isnan(row.se)
    with pytest.warns(SmallSample):
        row = sides.head(4).dealer.estimate("tricks", quantile=0.5).loc["all"]
    assert (row.lo, row.hi) == (-np.inf, np.inf)


def test_a_group_of_one_deal_has_no_interval(sides: pd.DataFrame) -> None:
    frame = sides.head(200).assign(first=lambda f: f.index == 0)
    for value in ("tricks", "tricks >= 7"):
        row = frame.dealer.estimate(value, by="first").loc[True]
        assert row.n == 2 and row.deals == 1 and row[["se", "lo", "hi"]].isna().all()
    constant = frame.assign(tricks=7).dealer.estimate("tricks").loc["all"]
    assert constant.value == 7 and constant[["se", "lo", "hi"]].isna().all()
    share = frame.assign(tricks=7).dealer.estimate("tricks >= 7").loc["all"]
    assert share.value == 1 and share.lo < 1 == share.hi


def test_the_deals_of_any_frame_are_found(sides: pd.DataFrame) -> None:
    expected = sides.dealer.estimate("tricks").loc["all"]
    by_cards = sides.reset_index(drop=True).dealer.estimate("tricks").loc["all"]
    by_column = sides.reset_index().dealer.estimate("tricks").loc["all"]
    with pytest.warns(SmallSample):
        in_one = sides.assign(cluster=1).dealer.estimate("tricks").loc["all"]
    assert by_cards.equals(expected) and by_column.equals(expected) and in_one.deals == 1
    deals = dk.solved_sample()[:50]
    plain = pd.DataFrame({"deal": DealArray(deals)}).dealer.estimate("hcp(north)").loc["all"]
    assert plain.value == pytest.approx(deals.eval("hcp(north)").mean()) and plain.deals == 50


@pytest.mark.parametrize(
    ("value", "options", "message"),
    [
        ("tricks", {"by": []}, "empty list"),
        ("tricks", {"by": {}}, "no group"),
        ("tricks", {"quantile": 1.5}, "between 0 and 1"),
        ("tricks >= 9", {"quantile": 0.5}, "a condition has a share"),
        ("tricks", {"confidence": 2}, "confidence"),
        ("strain", {}, "not a number"),
        ("missing", {}, "missing in 1 of"),
        (np.arange(3), {}, "each of the"),
        ("tricks / @x", {}, "cannot|tricks"),
    ],
)
def test_bad_input_has_a_message(sides: pd.DataFrame, value, options, message) -> None:
    frame = sides.head(100).copy()
    frame["missing"] = [np.nan] + [1.0] * 99
    with pytest.raises(dk.DealerkitError, match=message):
        frame.dealer.estimate(value, **options)


def test_other_bad_frames(sides: pd.DataFrame) -> None:
    with pytest.raises(ArgumentError, match="no row"):
        sides.head(0).dealer.estimate("tricks")
    with pytest.raises(ScriptError, match="hpc"):
        sides.dealer.estimate("hpc(north)")
    with pytest.raises(ArgumentError, match="which rows belong to one deal"):
        pd.DataFrame({"tricks": range(50)}).dealer.estimate("tricks")
    with pytest.raises(ArgumentError, match="weights are all 0"):
        sides.assign(weight=0).dealer.estimate("tricks")
    with pytest.raises(ArgumentError, match="'cluster' is missing in 2 of"):
        sides.head(60).assign(cluster=[None, None, *range(58)]).dealer.estimate("tricks")
    with pytest.warns(SmallSample, match="from 3 deals"):
        sides.head(6).dealer.estimate("tricks")


def test_batches_add_up(rng) -> None:
    groups, values, clusters = rng.integers(0, 6, 400), rng.integers(0, 14, 400), np.arange(400) // 2
    whole, parts = GroupedEstimates((0, 13)), GroupedEstimates((0, 13))
    whole.update(groups, values, None, clusters)
    for rows in np.split(np.arange(400), 4):
        parts.update(groups[rows], values[rows], None, clusters[rows])
    pd.testing.assert_frame_equal(parts.frame(0.9), whole.frame(0.9))


def test_weights_and_clusters_of_the_deals_count_without_columns() -> None:
    weights = np.random.default_rng(1).uniform(0.5, 2, 60)
    deals = dk.solved_sample()[:60].replace(weight=weights, cluster=np.arange(60) // 3)
    frame = deals.to_frame("hcp_north")
    assert {"weight", "cluster"}.isdisjoint(frame.columns)
    found = frame.dealer.estimate("hcp_north")
    assert found.value["all"] == pytest.approx(np.average(frame["hcp_north"], weights=weights))
    assert found.deals["all"] == 20
    pd.testing.assert_frame_equal(
        found, frame.assign(weight=weights, cluster=deals.cluster).dealer.estimate("hcp_north")
    )
    alike = frame.assign(weight=1.0).dealer.estimate("hcp_north")  # a column counts before the deals
    assert alike.value["all"] == pytest.approx(frame["hcp_north"].mean())

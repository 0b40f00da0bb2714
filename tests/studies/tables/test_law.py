"""The law of total tricks: loops in plain Python, published figures, libraries of any size."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, ScriptError
from dealerkit.formats.format import write
from dealerkit.studies.tables.solved_source import SolvedSource
from tests.studies.same_numbers import check_same_numbers

SUITS = "SHDC"


def find_totals(deal: dk.Deal, table: list, ties: str, declarer: str) -> tuple[float, int]:
    """Return total tricks and trumps of a deal from its text."""
    hands = [hand.split(".") for hand in str(deal)[2:].split()]
    tricks, trumps = 0.0, 0
    for side in (0, 1):
        fits = [len(hands[side][suit]) + len(hands[side + 2][suit]) for suit in range(4)]
        longest = [suit for suit in range(4) if fits[suit] == max(fits)]
        taken = []
        for suit in longest:
            both = table[suit][side], table[suit][side + 2]
            taken.append(max(both) if declarer == "better" else sum(both) / 2)
        chosen = {"higher": taken[0], "lower": taken[-1], "better": max(taken)}
        tricks += chosen.get(ties, sum(taken) / len(taken))
        trumps += max(fits)
    return tricks, trumps


@pytest.mark.parametrize("ties", ["higher", "lower", "better", "mean"])
@pytest.mark.parametrize("declarer", ["better", "mean"])
def test_the_rules_are_those_of_a_loop(ties: str, declarer: str) -> None:
    deals = dk.solved_sample()[:250]
    law = dk.law_of_total_tricks(deals, ties=ties, declarer=declarer)
    totals = [
        find_totals(deal, table, ties, declarer)
        for deal, table in zip(deals, deals.tables.tolist(), strict=True)
    ]
    errors = [tricks - trumps for tricks, trumps in totals]
    n = len(errors)
    mean = sum(errors) / n
    assert law.mean.value == pytest.approx(mean)
    assert law.mean.se == pytest.approx(math.sqrt(sum((e - mean) ** 2 for e in errors) / (n - 1) / n))
    value = law.summary.value
    assert value["absolute error"] == pytest.approx(sum(map(abs, errors)) / n)
    assert value["exact"] == pytest.approx(sum(abs(e) < 0.5 for e in errors) / n)
    assert value["off by two or more"] == pytest.approx(sum(abs(e) >= 1.5 for e in errors) / n)
    assert value["exact":].sum() == pytest.approx(1)
    for trumps, row in law.frame.iterrows():
        taken = [tricks for tricks, each in totals if each == trumps]
        assert row.tricks == pytest.approx(sum(taken) / len(taken)) and row.deals == len(taken)
    assert law.frame.share.sum() == pytest.approx(1)


@pytest.fixture(scope="module")
def law() -> dk.LawOfTotalTricks:
    return dk.law_of_total_tricks()


def test_the_figures_of_ginsberg(law: dk.LawOfTotalTricks) -> None:
    """About 450,000 deals, Bridge World, May 1996; printed with two figures or three."""
    rows = law.summary
    published = {
        "tricks minus trumps": (-0.05, 0.005), "absolute error": (0.75, 0.005), "exact": (0.40, 0.005),
        "off by one": (0.469, 0.0005), "off by two or more": (0.131, 0.0005),
    }  # fmt: skip
    for name, (value, rounding) in published.items():
        margin = math.hypot(4 * rows.se[name], 2 * rows.se[name]) + rounding  # both samples have errors
        assert abs(rows.value[name] - value) < margin, name


def test_shares_of_total_trumps_are_those_counted(law: dk.LawOfTotalTricks) -> None:
    counted = {14: 0.104908, 15: 0.104908, 16: 0.269237, 17: 0.229487, 18: 0.156335, 19: 0.084642}
    for trumps, share in counted.items():
        assert law.frame.share[trumps] == pytest.approx(share, abs=4 * math.sqrt(share / law.deals))


def test_a_library_is_read_in_batches(tmp_path: Path) -> None:
    deals = dk.solved_sample()[:5000]
    law = dk.law_of_total_tricks(deals)
    write(deals, tmp_path / "all.zrd")
    read = dk.law_of_total_tricks(dk.read(tmp_path / "all.zrd"))
    assert read.summary.equals(law.summary) and read.frame.equals(law.frame)
    assert "all.zrd" in read.text
    source = SolvedSource.open(dk.read(tmp_path / "all.zrd")[:1000], "hcp(north) > 12")
    batches = list(source.batches(100))
    assert len(batches) == 10
    assert sum(len(batch.deals) for batch in batches) == (deals[:1000].eval("hcp(north)") > 12).sum()
    assert all((np.diff(batch.clusters) > 0).all() for batch in batches)


def test_conditions_weights_and_clusters() -> None:
    deals = dk.solved_sample()[:300]
    strong = dk.law_of_total_tricks(deals, where="hcp(north) >= 13")
    same = dk.law_of_total_tricks(deals.where("hcp(north) >= 13"))
    assert strong.frame.equals(same.frame) and "hcp(north) >= 13" in strong.text
    twice = deals[np.repeat(np.arange(300), 2)].replace(cluster=np.repeat(np.arange(300), 2))
    plain, clustered = dk.law_of_total_tricks(deals), dk.law_of_total_tricks(twice)
    assert clustered.mean.se == pytest.approx(plain.mean.se)
    weighted = dk.law_of_total_tricks(deals.replace(weight=np.arange(300) % 2))
    assert weighted.mean.value == pytest.approx(dk.law_of_total_tricks(deals[1::2]).mean.value)


def test_a_cluster_is_in_one_batch() -> None:
    source = SolvedSource.open(dk.solved_sample()[:7].replace(cluster=np.array([1, 2, 2, 2, 5, 5, 9])))
    assert [batch.clusters.tolist() for batch in source.batches(2)] == [[1, 2, 2, 2], [5, 5], [9]]


def test_no_interval_has_width_zero() -> None:
    frame = dk.law_of_total_tricks(dk.solved_sample()[:60]).frame
    assert not (frame.lo == frame.hi).any()
    assert frame.lo[frame.deals == 1].isna().all() and (frame.deals == 1).any()


@pytest.mark.parametrize(
    ("deals", "options", "error", "message"),
    [
        (lambda: dk.deal(40, seed=1), {}, ArgumentError, "no double-dummy tables"),
        (lambda: dk.solved_sample()[:29], {}, ArgumentError, "29 deals: a table needs at least 30"),
        (lambda: "deals.pbn", {}, ArgumentError, "give Deals"),
        (lambda: None, {"where": "hcp(north) > 40"}, ArgumentError, "0 deals with hcp"),
        (lambda: None, {"where": "hpc(north) > 4"}, ScriptError, "hcp"),
        (lambda: None, {"ties": "beter"}, ArgumentError, "better"),
        (lambda: None, {"declarer": "north"}, ArgumentError, "declarer"),
        (lambda: None, {"confidence": 95}, ArgumentError, "between 0 and 1"),
    ],
)
def test_bad_input_has_a_message(deals, options, error, message) -> None:
    with pytest.raises(error, match=message):
        dk.law_of_total_tricks(deals(), **options)


def test_text_html_latex_and_plot(law: dk.LawOfTotalTricks) -> None:
    check_same_numbers(law)
    n_deals = f"{len(dk.solved_sample()):,}"
    for text in (str(law), law.to_html(), law.to_latex()):
        assert "higher suit" in text and "tricks of the better declarer" in text and n_deals in text
    assert "nan" not in law.text and law.to_frame().trumps.is_monotonic_increasing
    ax = law.plot()
    texts = " ".join(text.get_text() for text in ax.texts)
    assert "the higher" in texts.replace("\n", " ") and "95 %" in texts


def test_a_condition_is_whole_and_as_it_was_given() -> None:
    where = "hcp(north)-hcp(south) > -5 and " + " and ".join(f"hcp(east) != {n}" for n in range(30, 36))
    law = dk.law_of_total_tricks(dk.solved_sample()[:500], where=where)
    assert where in law.text and where.replace(">", "&gt;") in law.to_html()
    assert law.to_dict()["notes"][0].count(where) == 1


def test_a_share_of_few_deals_is_not_shown_as_none() -> None:
    law = dk.law_of_total_tricks(dk.solved_sample()[:107_230])
    rows = [line.split() for line in law.text.splitlines()]
    (row,) = (row for row in rows if row[:1] == ["25"])  # 2 of 107,230 deals have 25 trumps
    assert row[-4:] == ["2", "<", "0.01", "%"]

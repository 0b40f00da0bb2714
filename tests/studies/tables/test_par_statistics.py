"""Statistics of par against loops over the contracts of each deal."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError
from tests.plots.figure_texts import check_themes
from tests.studies.same_numbers import check_same_numbers

RANKS = "CDHSN"


def find_kind(text: str) -> tuple[str, int, str, bool]:
    """Return kind, level, strain and whether it is a sacrifice, of the lowest of contracts like ``4S by NS``."""
    if text == "pass":
        return "passed out", 0, "", False
    bids = [contract.split()[0] for contract in text.split(", ")]
    lowest = min(bids, key=lambda bid: (int(bid[0]), RANKS.index(bid[1])))
    level, strain, doubled = int(lowest[0]), lowest[1], lowest.endswith("x")
    points = {"C": 20, "D": 20, "H": 30, "S": 30, "N": 30}[strain] * level + 10 * (strain == "N")
    kind = {6: "small slam", 7: "grand slam"}.get(level, "game" if points >= 100 else "part score")
    return "sacrifice" if doubled else kind, level, strain, doubled


@pytest.mark.parametrize("vulnerable", ["none", "ns", "both"])
def test_shares_are_those_of_a_loop(vulnerable: str) -> None:
    from dealerkit import tabulate_par

    deals = dk.solved_sample()[:400]
    found = dk.par_statistics(deals, vulnerable=vulnerable)
    state = {"ns": "NS"}.get(vulnerable, vulnerable)
    boards = tabulate_par(deals, vulnerable, "north").frame
    kinds = [find_kind(text) for text in boards.contracts]
    results = Counter(kind for kind, *_ in kinds)
    assert {name: row.deals for name, row in found.frame.loc[state].iterrows() if row.deals} == results
    levels = Counter((level, doubled) for _, level, _, doubled in kinds if level)
    assert {key: row.deals for key, row in found.levels.loc[state].iterrows() if row.deals} == levels
    strains = Counter(strain for *_, strain, _ in kinds if strain)
    assert {name[0].upper(): row.deals for name, row in found.strains.loc[state].iterrows()} == strains
    scores = Counter(boards.score)
    assert {name: row.deals for name, row in found.scores.loc[state].iterrows()} == scores
    assert found.means.score[state] == pytest.approx(boards.score.mean())
    assert found.means["size"][state] == pytest.approx(boards.score.abs().mean())
    share = dk.proportion(results["sacrifice"], 400)
    row = found.frame.loc[state, "sacrifice"]
    assert (row.value, row.lo, row.hi) == pytest.approx((share.value, share.lo, share.hi), abs=3e-4)


@pytest.fixture(scope="module")
def statistics() -> dk.ParStatistics:
    return dk.par_statistics(dk.solved_sample()[:20_000])


def test_laws_of_par(statistics: dk.ParStatistics) -> None:
    """Shares add up to 1; the sides are symmetrical; who is vulnerable sacrifices less."""
    assert np.allclose(statistics.frame.groupby("vulnerable").value.sum(), 1)
    assert np.allclose(statistics.scores.groupby("vulnerable").value.sum(), 1)
    means = statistics.means
    assert means.score_lo["none"] < 0 < means.score_hi["none"] and means.score_lo["NS"] > 0
    assert -means.score["EW"] == pytest.approx(means.score["NS"], abs=30)
    sacrifices = statistics.frame.xs("sacrifice", level="result").value
    assert sacrifices["none"] > sacrifices["NS"] > sacrifices["both"]
    both = statistics.levels.xs("both").xs(True, level="sacrifice")
    assert both.deals[1:3].sum() == 0 and (both.hi > 0).all()  # down one costs 200: more than 2S
    assert not (statistics.frame.lo == statistics.frame.hi).any()


def test_one_vulnerability_a_dealer_and_a_condition() -> None:
    deals = dk.solved_sample()[:500]
    one = dk.par_statistics(deals, vulnerable=2, dealer="E", where="hcp(north) >= 12")
    assert one.states == ["EW"] and one.dealer == "east" and "hcp(north) >= 12" in one.text
    assert one.deals == (deals.eval("hcp(north)") >= 12).sum()
    assert one.to_frame().columns[:2].tolist() == ["vulnerable", "result"]


@pytest.mark.parametrize(
    ("deals", "options", "message"),
    [
        (lambda: dk.deal(40, seed=1), {}, "no double-dummy tables"),
        (lambda: dk.solved_sample()[:29], {}, "29 deals"),
        (lambda: None, {"vulnerable": "north"}, "north"),
        (lambda: None, {"vulnerable": []}, "empty list"),
        (lambda: None, {"dealer": "NS"}, "NS"),
    ],
)
def test_bad_input_has_a_message(deals, options, message) -> None:
    with pytest.raises(ArgumentError, match=message):
        dk.par_statistics(deals(), **options)


def test_text_html_latex_and_plot(statistics: dk.ParStatistics) -> None:
    check_same_numbers(statistics)
    for text in (str(statistics), statistics.to_html(), statistics.to_latex()):
        assert "North may open first" in text and "20,000 deals" in text and "nan" not in text
    check_themes(statistics.plot)
    assert len(statistics.plot().child_axes) == 3
    panel = dk.par_statistics(dk.solved_sample()[:40], vulnerable="both").plot()
    assert len(panel.collections) == 2  # whiskers


def test_plots_of_par() -> None:
    few, many = (dk.tabulate_par(dk.solved_sample()[:n]) for n in (3, 60))
    check_same_numbers(few)
    assert {"Par of each board", "3 boards, double dummy."} <= set(check_themes(few.plot))
    panel = few.plot()
    dots = [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "o"]
    assert dots == few.frame.score.tolist()
    assert "Par" in check_themes(many.plot)

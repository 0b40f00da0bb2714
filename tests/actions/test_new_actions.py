"""A new action needs a report only: text, HTML, LaTeX, frame and plot follow; mistakes are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.actions import Action, PlainReport, ProducedDeals
from dealerkit.actions.average import Average
from dealerkit.actions.saved_state import encode_action
from dealerkit.language.signatures import ActionSignature
from dealerkit.statistics import Quantiles


@pytest.fixture
def median_action(monkeypatch):
    """An action in the place of `average`, which the language knows."""
    monkeypatch.setitem(Action.classes, "average", Average)  # put back at the end

    class Median(Average):
        """The median."""

        name, accumulated = "average", ("quantiles",)

        def reset(self) -> None:
            self.quantiles = Quantiles(0.01)

        def update(self, produced: ProducedDeals) -> None:
            self.quantiles.update(produced.check_numbers(self.slots[0], self.expressions[0]))

        merge = Action.merge

        def report(self, confidence: float, coverage: str = "sample") -> PlainReport:
            median = self.quantiles.quantile(0.5, confidence)
            return PlainReport(self, self.quantiles.n, {"median": [median]})


@pytest.mark.parametrize(
    ("arguments", "label", "parenthesised"),
    [
        (("seat",), False, "no"),
        (("expression", "integer"), False, "optional"),
        (("expression",), True, "optional"),
    ],
)
def test_a_syntax_that_the_grammar_lacks(arguments, label, parenthesised):
    with pytest.raises(ValueError, match="median: give it parenthesised"):
        ActionSignature("median", arguments, label=label, parenthesised=parenthesised)


def test_a_value_without_parentheses_is_shown_so():
    assert ActionSignature("median", ("expression",)).list_examples() == ("median hcp(north)",)


def test_a_report_has_text_html_latex_and_frame(median_action):
    deals = dk.deal(999, seed=2)
    report = dk.run("action average cccc(north)", source=deals).reports[0]
    median = float(np.median(deals.eval("cccc(north)")))
    assert report.frame["median"].tolist() == [pytest.approx(median)]
    assert report.text.startswith("Average of cccc(north) (999 deals)\n  median")
    shown = f"{median:.1f}"  # the interval is about half a point wide
    assert all(shown in form for form in (report.text, report._repr_html_(), report.to_latex()))
    assert report.to_dict()["tables"][0]["rows"][0]["median"]["value"] == pytest.approx(median)
    with pytest.raises(dk.ArgumentError, match="a PlainReport has no plot"):
        report.plot()


def test_quantiles_keep_their_unit_when_a_result_is_saved(median_action, tmp_path: Path):
    result = dk.run("action average cccc(north)", produce=200, seed=1)
    result.save(tmp_path / "saved.zip")
    again = dk.load(tmp_path / "saved.zip")
    assert again.reports[0].frame.equals(result.reports[0].frame)
    both = again + dk.run("action average cccc(north)", produce=200, seed=2)
    assert both.reports[0].n == 400 and both.reports[0].frame["median"][0] < 40  # not in hundredths


def test_an_interval_of_one_value_does_not_make_an_estimate_exact(median_action):
    report = dk.run("action average hcp(north)", produce=20_000, seed=1).reports[0]
    ((found,),) = report.table.rows
    assert (found.value, found.lo, found.hi, found.exact) == (10, 10, 10, False)
    html = report._repr_html_().rpartition("</style>")[2]
    assert "10 to 10" in report.text and "10 – 10" in html
    assert not [text for text in (report.text, html, report.to_latex()) if "exact" in text]


def test_an_accumulator_that_cannot_be_saved():
    class Unsaved:
        accumulated, values = ("values",), object()

    with pytest.raises(TypeError, match=r"object cannot be saved; .* Quantiles, arrays"):
        encode_action(Unsaved(), str)

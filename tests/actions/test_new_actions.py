"""Mistakes in a new action are refused with what to do."""

from __future__ import annotations

import pytest

import dealerkit as dk
from dealerkit.actions.base import Report
from dealerkit.actions.html import render_report
from dealerkit.actions.saved_state import encode_action
from dealerkit.language.signatures import ActionSignature
from dealerkit.statistics import Quantiles


class BareReport(Report):
    label, expression, n = None, "hcp(north)", 0


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


def test_a_report_without_html():
    with pytest.raises(TypeError, match=r"BareReport has no HTML: actions/html\.py"):
        render_report(BareReport())


def test_a_report_without_text(monkeypatch):
    from dealerkit.actions.tables import Average

    monkeypatch.setattr(Average, "report", lambda *arguments: BareReport())
    with pytest.raises(TypeError, match=r"BareReport has no text: .*@renders\(BareReport\)"):
        dk.run("action average hcp(north)", produce=10, seed=1)


def test_an_accumulator_that_cannot_be_saved():
    class Unsaved:
        accumulated, values = ("values",), Quantiles()

    with pytest.raises(TypeError, match=r"Quantiles cannot be saved; .* Quantiles\.counts"):
        encode_action(Unsaved(), str)

"""Explanations of one deal, compared with the column evaluator."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit import DealError, DivisionByZeroError, ScriptError, why
from tests.support.strategies import single_deals

DEAL = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"

CONDITIONS = [
    "hcp(north) >= 9 and hcp(north) <= 12 and shape(north, any 4333 + any 4432 + any 5332)",
    "weak = hcp(west) < 9 long = spades(west) > 3 weak and not (long or hearts(west) > 4) or hcp(east) > 13",
    "(spades(north) == 4 ? hearts(north) == 4 : clubs(north) < 4 ? hcp(north) > 9 : not hascard(north, AS))",
    "spades(south) > 2 and 10 / spades(south) >= 2 and (hearts(south) == 0 or 8 / hearts(south) < 4)",
    "d = diamonds(east) + diamonds(west) f = d > 5 (f or clubs(east) > 3) and (not f or hcp(east) > 9)",
    "hcp(north) - 10 and cccc(south) >= 8.35 and fit(NS) >= 8 and 3 <= losers(east) and losers(east) <= 9",
]


@pytest.mark.parametrize("text", CONDITIONS)
def test_results_agree_with_eval(text, rng):
    """On hundreds of random deals the same ones pass."""
    deals = dk.deal(300, seed=int(rng.integers(1 << 30)))
    script = dk.parse(text)
    expected = deals.eval(text) != 0
    assert 0.01 < expected.mean() < 0.99
    results = [why(script, deal).passed for deal in deals]
    assert results == expected.tolist()


@pytest.mark.parametrize("text", CONDITIONS[:3])
def test_clauses_agree_with_eval(text):
    deals = dk.deal(100, seed=7)
    for deal in deals:
        explanation = why(dk.parse(text), deal)
        single = dk.Deals([deal.hands])
        definitions = text[: text.index(explanation.clauses[0].text)] if " = " in text else ""
        for clause in explanation.clauses:
            assert clause.passed == bool(
                single.eval(f"{definitions if '=' in definitions else ''} ({clause.text})")[0]
            )
        assert explanation.failed == [clause.number for clause in explanation.clauses if not clause.passed]


COMPARED = st.tuples(
    st.sampled_from(
        ["hcp(north)", "spades(east)", "losers(south)", "hcp(west) - hcp(east)", "2 * clubs(north)"]
    ),
    st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
    st.integers(-3, 20),
).map(lambda parts: "{} {} {}".format(*parts))
TRUTHS = (
    st.sampled_from(["hascard(north, AS)", "shape(west, any 4333 + any 4432)", "4 <= hearts(north)"])
    | COMPARED
)
EXPRESSIONS = st.recursive(
    TRUTHS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(lambda parts: f"({' and '.join(parts)})"),
        st.lists(inner, min_size=2, max_size=4).map(lambda parts: f"({' or '.join(parts)})"),
        inner.map(lambda part: f"not ({part})"),
        st.tuples(inner, inner, inner).map(lambda parts: "({} ? {} : {})".format(*parts)),
    ),
    max_leaves=12,
)


@settings(max_examples=200)
@given(EXPRESSIONS, single_deals())
def test_any_expression_on_any_deal_agrees_with_eval(text, deal):
    deals = dk.Deals([deal.hands])
    assert why(text, deal).passed == bool(deals.eval(text)[0])


def test_the_values_of_the_deal_are_shown():
    script = """
    length = spades(north) + spades(south)
    condition length >= 8 and hcp(north) >= 12 and hcp(north) <= 14 and shape(south, any 4432)
      and hascard(west, AS) and spades(north) > hearts(north)
    """
    rows = [[str(cell) for cell in row[1:]] for row in why(script, DEAL).to_frame().itertuples(index=False)]
    assert why(script, DEAL).headline == "The deal fails clauses 1, 2, 4 and 5 of 6"
    assert rows == [
        ["", "all of these:", ""],
        [
            "1",
            "north and south together hold at least 8 spades (length)",
            "length = 7, required at least 8",
        ],
        ["2, 3", "north holds 12 to 14 points", "hcp(north) = 10, required 12 to 14"],
        ["4", "south's shape is 4432 in any order", "the shape is 3433"],
        ["5", "west holds the ace of spades", ""],
        ["6", "north holds more spades than hearts", "spades(north) = 4, hearts(north) = 3"],
    ]


def test_guarded_parts_that_are_not_reached_are_not_evaluated():
    explanation = why("condition spades(west) == 5 and 10 / spades(west) == 3", DEAL)
    assert [clause.passed for clause in explanation.clauses] == [False, None]
    assert "not evaluated" in explanation.text
    assert "3 =" not in explanation.text
    either = why("condition spades(west) == 3 or 10 / (spades(west) - 3) == 3", DEAL)
    assert either.passed
    assert "not evaluated" in either.text
    reached = why("condition spades(west) == 3 and 10 / spades(west) == 3", DEAL)
    assert reached.passed
    assert "10 / spades(west) = 3" in reached.text


def test_only_the_chosen_branch_is_evaluated():
    text = "condition hcp(west) == 0 ? hearts(west) == 3 : 10 / hcp(west) > 3"
    explanation = why(text, DEAL)
    assert explanation.passed
    assert [result.passed for result in explanation.condition.parts] == [True, True, None]


def test_a_condition_without_value():
    text = "condition 10 / hcp(west) > 3"
    explanation = why(text, DEAL)
    assert explanation.passed is None
    assert "no value: division by zero" in explanation.text
    with pytest.raises(DivisionByZeroError):
        dk.Deals.from_pbn([DEAL]).where("10 / hcp(west) > 3")


def test_a_function_that_is_not_computed_yet(unfinished):
    explanation = why("condition unfinished(NS) > 3 and hcp(north) == 10", DEAL)
    assert explanation.passed is None
    assert "not known" in explanation.headline
    assert why("condition unfinished(NS) > 3 and hcp(north) == 11", DEAL).passed is False


def test_notes_and_no_condition():
    assert "no condition" in why("action", DEAL).text
    assert "the predeal gives other cards to south" in why("predeal south SAK condition 1", DEAL).text
    assert "west in spades" in why("predeal spades(west) == 4 condition 1", DEAL).text
    assert why("predeal spades(west) == 3 condition 1", DEAL).notes == ()
    assert "may give another result" in why("condition rnd(2) == 0", DEAL).text


def test_invalid_arguments_raise():
    with pytest.raises(ScriptError):
        why("condition hcp(north) = 3", DEAL)
    with pytest.raises(DealError):
        why("condition 1", "N:AKQJ.T98")


def test_units_are_those_of_the_dialect():
    hundredths = why("condition ltc(north) <= 500", DEAL, dialect="v2")
    natural = why("condition ltc(north) <= 5", DEAL)
    assert hundredths.passed == natural.passed
    assert "ltc(north) = 800" in hundredths.text
    assert "ltc(north) = 8" in natural.text


def test_html_shows_the_deal_and_the_values():
    html = why("condition hcp(north) < 5 and spades(north) > 3", DEAL)._repr_html_()
    assert 'class="dk-deal"' in html
    assert "hcp(north) = 10, required at most 4" in html
    assert '<b class="dk-alarm">no</b>' in html

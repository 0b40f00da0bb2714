"""Which clauses a deal passes or fails, against the evaluator over columns."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit.errors import DealError, DivisionByZeroError, ScriptError
from dealerkit.explanation.why import why
from dealerkit.testing.strategies import single_deals

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
def test_agrees_with_where(text, rng):
    """Thousands of random deals: the same ones pass."""
    deals = dk.deal(1500, seed=int(rng.integers(1 << 30)))
    script = dk.parse(text)
    expected = deals.eval(text) != 0
    assert 0.01 < expected.mean() < 0.99
    found = [why(script, deal).passed for deal in deals]
    assert found == expected.tolist()


@pytest.mark.parametrize("text", CONDITIONS[:3])
def test_clauses_are_the_evaluators(text):
    deals = dk.deal(100, seed=7)
    for deal in deals:
        reasons = why(dk.parse(text), deal)
        one = dk.Deals([deal.hands])
        definitions = text[: text.index(reasons.clauses[0].text)] if " = " in text else ""
        for clause in reasons.clauses:
            assert clause.passed == bool(
                one.eval(f"{definitions if '=' in definitions else ''} ({clause.text})")[0]
            )
        assert reasons.failed == [clause.number for clause in reasons.clauses if not clause.passed]


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
        st.lists(inner, min_size=2, max_size=4).map(lambda all_of: f"({' and '.join(all_of)})"),
        st.lists(inner, min_size=2, max_size=4).map(lambda any_of: f"({' or '.join(any_of)})"),
        inner.map(lambda one: f"not ({one})"),
        st.tuples(inner, inner, inner).map(lambda three: "({} ? {} : {})".format(*three)),
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS, single_deals())
def test_any_expression_on_any_deal(text, deal):
    deals = dk.Deals([deal.hands])
    assert why(text, deal).passed == bool(deals.eval(text)[0])


def test_values_are_shown():
    script = """
    length = spades(north) + spades(south)
    condition length >= 8 and hcp(north) >= 12 and hcp(north) <= 14 and shape(south, any 4432)
      and hascard(west, AS) and spades(north) > hearts(north)
    """
    lines = [line.split("  ", 2)[-1].strip() for line in why(script, DEAL).text.splitlines()]
    assert lines == [
        "The deal fails clauses 1, 2, 4 and 5 of 6",
        "all of these:",
        "1    north and south together hold at least 8 spades (length): length = 7, wanted at least 8",
        "2, 3    north holds 12 to 14 points: hcp(north) = 10, wanted 12 to 14",
        "4    south's shape is 4432 in any order: found 3433",
        "5    west holds the ace of spades",
        "6    north holds more spades than hearts: spades(north) = 4, hearts(north) = 3",
    ]


def test_guarded_parts_that_are_not_reached_are_not_asked():
    reasons = why("condition spades(west) == 5 and 10 / spades(west) == 3", DEAL)
    assert [clause.passed for clause in reasons.clauses] == [False, None]
    assert "not asked" in reasons.text
    assert "3 =" not in reasons.text
    either = why("condition spades(west) == 3 or 10 / (spades(west) - 3) == 3", DEAL)
    assert either.passed
    assert "not asked" in either.text
    reached = why("condition spades(west) == 3 and 10 / spades(west) == 3", DEAL)
    assert reached.passed
    assert "10 / spades(west) = 3" in reached.text


def test_a_choice_asks_what_it_reaches():
    text = "condition hcp(west) == 0 ? hearts(west) == 3 : 10 / hcp(west) > 3"
    reasons = why(text, DEAL)
    assert reasons.passed
    assert [answer.passed for answer in reasons.condition.parts] == [True, True, None]


def test_what_has_no_value():
    text = "condition 10 / hcp(west) > 3"
    reasons = why(text, DEAL)
    assert reasons.passed is None
    assert "no value: division by zero" in reasons.text
    with pytest.raises(DivisionByZeroError):
        dk.Deals.from_pbn([DEAL]).where("10 / hcp(west) > 3")


def test_what_is_not_computed_yet(unfinished):
    reasons = why("condition unfinished(NS) > 3 and hcp(north) == 10", DEAL)
    assert reasons.passed is None
    assert "cannot be told" in reasons.headline
    assert why("condition unfinished(NS) > 3 and hcp(north) == 11", DEAL).passed is False


def test_notes_and_no_condition():
    assert "no condition" in why("action", DEAL).text
    assert "the predeal asks for other cards of south" in why("predeal south SAK condition 1", DEAL).text
    assert "west in spades" in why("predeal spades(west) == 4 condition 1", DEAL).text
    assert why("predeal spades(west) == 3 condition 1", DEAL).notes == ()
    assert "may answer otherwise" in why("condition rnd(2) == 0", DEAL).text


def test_errors():
    with pytest.raises(ScriptError):
        why("condition hcp(north) = 3", DEAL)
    with pytest.raises(DealError):
        why("condition 1", "N:AKQJ.T98")


def test_dialects_count_as_they_do():
    hundredths = why("condition ltc(north) <= 500", DEAL, "v2")
    natural = why("condition ltc(north) <= 5", DEAL)
    assert hundredths.passed == natural.passed
    assert "ltc(north) = 800" in hundredths.text
    assert "ltc(north) = 8" in natural.text


def test_html():
    html = why("condition hcp(north) < 5 and spades(north) > 3", DEAL)._repr_html_()
    assert 'class="dk-deal"' in html
    assert "hcp(north) = 10, wanted at most 4" in html
    assert '<b class="dk-alarm">no</b>' in html

"""Columns compared with an evaluator of single deals and with plain Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit import registry
from dealerkit.compiler.evaluation import BatchColumns, evaluate_until_error
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import find_rules
from dealerkit.language.parser import parse_script

DEALS = dk.deal(24, seed=20261120)

OPERANDS = [
        "0", "1", "2", "7", "100", "hcp(north)", "hcp(south, hearts)", "spades(west)", "clubs(east)", "losers(north)",
        "controls(south)", "tens(east)", "top3(west, spades)", "c13(north)", "hascard(east, AS)", "cccc(south)",
        "quality(north, hearts)", "shape(west, any 4333 + any 4432 - 4432)", "score(vul, x3N, spades(north))",
        "imps(hcp(north) * 100 - 900)", "v", "w",
]  # fmt: skip
LEAVES = st.sampled_from(OPERANDS)


def combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.sampled_from(
        ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "&&", "||"]
    )
    return st.one_of(
        st.builds(lambda a, op, b: f"({a}) {op} ({b})", inner, binary, inner),
        st.builds(lambda a: f"not ({a})", inner),
        st.builds(lambda a, b, c: f"(({a}) ? ({b}) : ({c}))", inner, inner, inner),
    )


EXPRESSIONS = st.recursive(LEAVES, combine, max_leaves=12)


def evaluate_deal_by_deal(evaluate: Callable[[dk.Deals], float]) -> list[float] | int:
    """Return the values of an expression, or the number of the first deal without a value."""
    values = []
    for row in range(len(DEALS)):
        try:
            values.append(evaluate(DEALS[row : row + 1]))
        except dk.EvaluationError:
            return row
    return values


def evaluate_in_two_ways(text: str, dialect: str, interpreter: type) -> tuple[object, object]:
    """Return the values by columns and by the interpreter; or the deal of the error."""
    program = check_script(
        parse_script(f"v = hcp(east) - 9 w = v / 2\ncondition {text}", find_rules(dialect))
    )
    graph = OperationGraph(program.script.rules, program)
    try:
        slot = graph.add_expression(program.condition)
        values, error = evaluate_until_error(
            lambda count: BatchColumns(graph, DEALS[:count]).array(slot).tolist(), len(DEALS)
        )
        columns: object = values if error is None else error.row
    except dk.ScriptError as error:  # an integer that may leave 64 bits is refused before anything is dealt
        assert dialect == "modern" and "64 bits" in str(error)
        return None, None
    reference = interpreter(program.script.rules, program.definitions, program.points, lambda limit: 0)
    return columns, evaluate_deal_by_deal(lambda deal: reference.value(program.condition, deal))


@settings(max_examples=300)
@given(EXPRESSIONS, st.sampled_from(["v1", "v2", "modern"]))
def test_columns_and_interpreter_agree(interpreter: type, text: str, dialect: str) -> None:
    try:
        columns, values = evaluate_in_two_ways(text, dialect, interpreter)
    except dk.ScriptError as error:  # 100 or more beside losers or points: refused before anything is dealt
        assert dialect == "modern" and "not in hundredths" in str(error)
        return
    if isinstance(values, list):
        assert columns == pytest.approx(values, rel=1e-12)
    else:
        assert columns == values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hcp(north) + hcp(east) + hcp(south) + hcp(west)", 40),
        ("controls(north) + controls(east) + controls(south) + controls(west)", 12),
        ("spades(north) + spades(east) + spades(south) + spades(west)", 13),
        ("fit(NS, hearts) + fit(EW, hearts)", 13),
        ("hascard(north, AS) + hascard(east, AS) + hascard(south, AS) + hascard(west, AS)", 1),
        ("min(hcp(north), 5, hcp(east)) <= 5 and max(hcp(north), 5, hcp(east)) >= 5", 1),
        ("shape(north, xxxx)", 1),
        ("shape(north, any 4333) + shape(north, xxxx - any 4333)", 1),
    ],
)
def test_identities_hold_for_all_deals(text: str, expected: int) -> None:
    assert (DEALS.eval(text) == expected).all()


def test_units_are_natural_in_modern_and_hundredths_in_the_old_dialects() -> None:
    assert (DEALS.eval("ltc(north)", dialect="v2") == np.round(DEALS.eval("ltc(north)") * 100)).all()
    for name, suit in (("cccc", None), ("quality", "spades")):  # modern's own reading is another
        coded = dk.evaluate(DEALS, name, seat="north", suit=suit, variant="coded")
        text = f"{name}(north, {suit})" if suit else f"{name}(north)"
        assert (DEALS.eval(text, dialect="v2") == np.round(coded * 100)).all()
    with pytest.raises(dk.ScriptError, match="hundredths"):
        DEALS.eval("cccc(north) >= 1245")


def test_guarded_operands_are_evaluated_only_where_needed() -> None:
    voids = (DEALS.eval("spades(north)") == 0).sum()
    assert voids < len(DEALS)
    deals = dk.deal(200, seed=1)
    assert (deals.eval("spades(north) == 0") & ~deals.eval("spades(north) > 0")).any()
    for text in (
        "spades(north) > 0 and 13 / spades(north) > 0",
        "spades(north) == 0 or 13 / spades(north) > 0",
        "spades(north) ? 13 / spades(north) : 99",
        "not (spades(north) == 0) and (hcp(north) > 0 and 13 % spades(north) >= 0)",
    ):
        deals.eval(text)
    with pytest.raises(dk.DivisionByZeroError):
        deals.eval("13 / spades(north)")


def test_a_thousand_alternatives_and_a_long_chain_of_variables() -> None:
    wide = " or ".join(f"hcp(north) == {value}" for value in range(1000))
    assert DEALS.eval(wide).all()
    chain = "a0 = hcp(north)\n" + "\n".join(f"a{k} = a{k - 1} + 1" for k in range(1, 900)) + "\na899"
    assert (DEALS.eval(chain) == DEALS.eval("hcp(north)") + 899).all()


def test_64_bits_or_an_error() -> None:
    assert DEALS.eval("1000000000 * 1000000000 + 0 * hcp(north)").tolist() == [10**18] * len(DEALS)
    with pytest.raises(dk.ScriptError, match="64 bits"):
        DEALS.eval("hcp(north) * 1000000000 * 1000000000 * 1000000000")


def test_common_parts_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from dealerkit.evaluators import kernels

    calls = []
    real = kernels.sum_suits
    monkeypatch.setattr(
        kernels, "sum_suits", lambda hand, table: calls.append(len(hand)) or real(hand, table)
    )
    script = "a = hcp(north) b = a + hcp(north) condition a > 11 and hcp(north) + b > 3 action average a, average b"
    dk.run(script, generate=1000, seed=1, threads=1)
    assert calls == [1000]
    calls.clear()
    dk.run(
        "condition hcp(north) > 11 and controls(north) > 1 action average 1", generate=1000, seed=1, threads=1
    )
    assert calls[0] == 1000 and len(calls) == 2 and calls[1] < 400  # for the deals that met the first clause


@pytest.mark.parametrize(
    "text",
    [
        "9223372036854775807 + 1",
        "imps(9223372036854775807 * 4)",
        "min(9223372036854775807 * 4, hcp(north))",
        "hcp(north) ? 9223372036854775807 * 4 : 1",
    ],
)
def test_constants_are_64_bits_or_an_error(text: str) -> None:
    with pytest.raises(dk.ScriptError, match="64 bits"):
        DEALS.eval(text)


def test_scores_wrap_in_the_old_dialects_as_measured() -> None:
    assert set(DEALS.eval("score(nv, x2D, 2147483647)", dialect="v1").tolist()) == {-90}


def test_doubling_names_and_long_choices_end_soon() -> None:
    double = "z0 = hcp(north) > 3\n" + "\n".join(f"z{k} = z{k - 1} and z{k - 1}" for k in range(1, 200))
    script = double + "\ncondition z199 action average 1"
    assert dk.run(script, source=DEALS).produced == (DEALS.eval("hcp(north)") > 3).sum()
    arms = " ".join(f"hcp(north) == {k} ? {k} :" for k in range(150))
    assert (DEALS.eval(arms + " 0") == DEALS.eval("hcp(north)")).all()
    clauses = " and ".join(f"hcp(north) + {k} > {k} + spades(west) % 3" for k in range(1000))
    assert (dk.run(f"condition {clauses} action average 1", source=DEALS).produced > 0) == DEALS.eval(
        clauses
    ).any()
    cheap = "y0 = hcp(north)\n" + "\n".join(f"y{k} = y{k - 1} or not y{k - 1}" for k in range(1, 100))
    assert DEALS.eval(cheap + "\ny99").all()
    with pytest.raises(dk.ScriptError, match="pr"):
        dk.run("condition pr < 200")


@pytest.mark.parametrize("dialect", ["v1", "v2", "modern"])
@pytest.mark.parametrize("stream", ["uniform", "classic"])
def test_functions_of_numbers_take_truth_values_as_0_and_1(dialect: str, stream: str) -> None:
    script = (
        "strong = hcp(north) > 10 truth = 2 > 1 action average imps(strong), average imps(0 - (strong)), "
        "average score(nv, x1C, strong), average imps(truth), average strong, average imps(rnd(2) > 5)"
    )
    result = dk.run(script, generate=200, seed=1, dialect=dialect, stream=stream)
    means = [report.mean.value for report in result.reports]
    assert means[:2] == [0, 0] and means[3] == means[5] == 0  # a point is no IMP
    assert means[2] == pytest.approx(-350 + 50 * means[4]) and 0 < means[4] < 1  # seven down, or six


def test_functions_of_the_user_take_truth_values_as_numbers() -> None:
    @dk.function("negated", args=("expression",))
    def negated(deals: dk.Deals, values: np.ndarray) -> np.ndarray:
        return -values

    try:
        assert (DEALS.eval("negated(hcp(north) > 9)") == -DEALS.eval("hcp(north) > 9").astype(int)).all()
        assert (
            DEALS.eval("min(hcp(north) > 9, 2) - 1") == DEALS.eval("hcp(north) > 9").astype(int) - 1
        ).all()
    finally:
        registry.unregister("negated")


def test_the_values_of_functions_of_truth_values() -> None:
    deals = dk.deal(500, seed=4)
    strong = deals.eval("hcp(north) > 10").astype(int)
    other = deals.eval("hcp(south) > 10").astype(int)
    for dialect, contract in (("modern", "3NT"), ("v1", "x3N"), ("v2", "x3N")):
        assert deals.eval("imps(hcp(north) > 10)", dialect).tolist() == [0] * 500  # 0 or 1 point
        assert deals.eval("imps((hcp(north) > 10) * 430)", dialect).tolist() == (10 * strong).tolist()
        scores = deals.eval(f"score(vul, {contract}, hcp(north) > 10)", dialect)
        assert scores.tolist() == [-800 if row else -900 for row in strong]  # eight or nine undertricks
    for name, pick in (("min", np.minimum), ("max", np.maximum)):
        values = deals.eval(f"{name}(hcp(north) > 10, hcp(south) > 10, 5 * (1 > 0))")
        assert values.tolist() == pick(pick(strong, other), 5).tolist()
        assert (
            deals.eval(f"{name}(hcp(north) > 10, hcp(south) > 10) + 1").tolist()
            == (pick(strong, other) + 1).tolist()
        )


@pytest.mark.parametrize("dialect", ["modern", "v1", "v2"])
def test_averages_of_functions_of_truth_values_are_those_of_dealer(dialect: str) -> None:
    contract = "3NT" if dialect == "modern" else "x3N"
    script = (
        f'action average "a" imps((hcp(north)>10)*500), average "b" score(vul,{contract},hcp(north)>10), '
        'average "c" rnd(1+(hcp(north)>10)), average "d" imps(hcp(north)>10)'
    )
    result = dk.run(script, dialect=dialect, stream="uniform", produce=200, seed=3)
    assert [report.mean.value for report in result.reports][3] == 0
    if dialect == "v1":  # the program with -s 3 on these deals
        result = dk.run(script, dialect=dialect, stream="classic", produce=200, seed=3)
        assert [report.mean.value for report in result.reports] == [4.675, -857.5, 0.215, 0]


@pytest.mark.parametrize("value", [40_000, 2**31 + 5, 10**15])
def test_min_and_max_with_constants_beyond_the_values_of_the_others(value: int) -> None:
    assert (DEALS.eval(f"min(hcp(north), {value})") == DEALS.eval("hcp(north)")).all()
    assert (DEALS.eval(f"max({value}, hcp(north), hcp(east))") == value).all()
    assert (
        dk.run(f"action average max(hcp(north), {value})", generate=10, seed=1).reports[0].mean.value == value
    )

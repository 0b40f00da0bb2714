"""Arguments of a wrong type, length or range raise errors of dealerkit that name the argument."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.registry import find_function

PBN = "N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"
DEALS = dk.Deals.from_pbn([PBN, PBN])


needs_dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="dask is missing")


def refused(call, message: str) -> None:
    with pytest.raises(dk.ArgumentError, match=message):
        call()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"executor": 3}, "executor is 3; .*threads="),
        ({"executor": []}, r"executor is \[\]"),
        pytest.param(
            {"executor": "x"}, "no dask scheduler|not an address of a dask scheduler", marks=needs_dask
        ),
        ({"progress": 1}, "progress is 1; give True, False or None"),
        ({"progress": np.zeros(2)}, r"progress is array"),
        ({"include": np.zeros((2, 2))}, "include is array|there is no folder"),
        ({"include": 0}, "include is 0; it must be a list of folders"),
        ({"quote_formulas": np.zeros(2)}, "quote_formulas is array"),
        ({"write": 3}, "write is 3"),
        ({"write": ""}, "write is ''"),
        ({"title": 3}, "title is 3"),
        ({"params": 3}, "params is 3"),
        ({"params": None}, "params is None"),
        ({"params": b"x"}, "not one text"),
        ({"dialect": ["v1"]}, r"unknown dialect \['v1'\]"),
        ({"files": ""}, "files is ''"),
        ({"confidence": "x"}, "confidence is 'x'"),
        ({"give_up": "x"}, "give_up is 'x'"),
        ({"give_up": float("nan")}, "give_up is nan"),
        ({"give_up": -1}, "give_up is -1"),
        ({"frame": 5}, "frame is 5"),
        ({"files": "x"}, "files is 'x'"),
        ({"plan": np.zeros(2)}, "unknown plan array"),
        ({"stream": np.zeros(2)}, "unknown stream array"),
        ({"keep": np.zeros(2)}, "keep .* is array"),
        ({"swap": np.zeros(2)}, "swap is"),
        ({"opener": np.zeros(2)}, "unknown seat array"),
        ({"vulnerable": np.zeros(2)}, "unknown vulnerability array"),
    ],
)
def test_a_run_refuses_wrong_arguments(arguments, message):
    options = dk.RunOptions(**{"produce": 1, "seed": 1, **arguments})
    refused(lambda: dk.run_script("hcp(north) > 9", options), message)


def test_a_run_uses_executor_write_and_title():
    texts: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        dk.run_script(
            "hcp(north) > 9 action printoneline",
            dk.RunOptions(
                produce=3,
                seed=1,
                executor=pool,
                write=texts.append,
                title="T",
            ),
        )
    assert "".join(texts).count("n ") == 3


NO_LIST = np.array(object())  # an Iterable that cannot be iterated over


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dk.compare(NO_LIST), "evaluators are"),
        (lambda: dk.compare(["hcp"], events=np.zeros((2, 2))), "not an event"),
        (lambda: dk.compare(["hcp"], sample=dk.solved_sample()[:50], events=5), "events are 5; give a list"),
        (lambda: dk.strategy(NO_LIST), "rules are"),
        (lambda: dk.best_contracts(candidates=NO_LIST), "candidates"),
        (lambda: dk.Result.concat(NO_LIST), "not a list of results"),
        (lambda: dk.par_statistics(vulnerable=1.5), "1.5"),
        (lambda: dk.break_even("4S", "3S", against=[]), r"against is \[\]"),
        (lambda: dk.line(PBN, "3NT by south", cards=NO_LIST), "cards are"),
        (lambda: dk.solve_board(DEALS, "S", "N", trick=NO_LIST), "trick is"),
        (lambda: dk.opc_breakdown(DEALS, variant=np.zeros(2)), "unknown variant"),
        (lambda: dk.level("1", {"a": "1"}, shares=np.zeros(2)), "shares is"),
        (
            lambda: DEALS.page(first_board=2**63),
            "first_board is 9223372036854775808; it must be 1,000,000,000",
        ),
        (lambda: dk.difference([1, 2], [0, 0], weights=object()), "weights are"),
    ],
)
def test_arguments_without_elements_or_truth(call, message):
    refused(call, message)


@pytest.mark.parametrize("wrong", ["", [], np.zeros((2, 2))])
def test_a_predeal_is_a_mapping(wrong):
    with pytest.raises(dk.PredealError, match="predeal is"):
        dk.run_script("hcp(north) > 9", dk.RunOptions(produce=1, predeal=wrong))
    with pytest.raises(dk.PredealError, match="predeal is"):
        dk.explain("hcp(north) > 9", predeal=wrong)


@pytest.mark.parametrize(
    ("predeal", "message"),
    [
        ("x", "predeal is 'x'"),
        ({"north": 5}, "predeal of north: 5"),
        ({"north": [5]}, "predeal of north: 5"),
        ({"north": {"spades": 5.0}}, "whole number, not 5.0"),
        (dk.deal(1, seed=1)[0], "it must be a mapping"),
    ],
)
def test_the_error_of_a_wrong_predeal_names_the_seat(predeal, message):
    with pytest.raises(dk.DealerkitError, match=message):
        dk.run_script("condition hcp(north) > 9", dk.RunOptions(generate=10, predeal=predeal))


@pytest.mark.parametrize(
    "call",
    [
        lambda: dk.probability(5),
        lambda: dk.distribution("hcp(north)", given=5),
        lambda: dk.deal(2, seed=1).eval(5),
        lambda: dk.deal(2, given=5),
        lambda: dk.parse(5),
    ],
)
def test_a_number_is_not_text_of_the_language(call):
    with pytest.raises(dk.ArgumentError, match="5"):
        call()


def test_the_error_for_an_argument_without_deals_has_its_type():
    with pytest.raises(dk.ArgumentError, match="str"):
        dk.evaluate("N:", "hcp", "north")
    with pytest.raises(dk.ArgumentError, match="str"):
        dk.compare(["hcp"], sample="N:")


def test_a_source_and_a_stream_exclude_each_other():
    refused(lambda: dk.run("1", source=DEALS, stream="classic"), "leave out stream= .* or source=")


def test_a_number_of_deals_is_needed():
    refused(lambda: dk.deal(None), "n is None")
    refused(lambda: dk.deal(np.zeros((2, 2))), "n is array")


@pytest.mark.parametrize("wrong", ["x", None, 1.5, float("nan"), [], [None], np.zeros((2, 2))])
def test_whole_numbers_are_needed(wrong):
    refused(lambda: dk.explain("1", deals=wrong), "deals is")
    refused(lambda: dk.distribution("hcp(north)", deals=wrong), "deals is")
    for name in ("seed", "replicates"):
        refused(lambda name=name: dk.compare(["hcp"], **{name: wrong}), f"{name} is")
    if wrong is not None:
        refused(lambda: dk.explain("1", produce=wrong), "produce is")
        refused(lambda: dk.explain("1", generate=wrong), "generate is")


def test_numbers_below_their_minimum():
    refused(lambda: dk.explain("1", deals=0), "deals is 0; it must be 1 or more")
    refused(lambda: dk.explain("1", produce=-1), "produce is -1")
    refused(lambda: dk.distribution("hcp(north)", deals=0), "deals is 0")
    refused(lambda: dk.compare(["hcp"], seed=-1), "seed is -1")


def test_the_level_is_checked_if_the_result_is_exact():
    refused(lambda: dk.distribution("hcp(north)", confidence=7), "confidence is 7")


@pytest.mark.parametrize("wrong", [5, None, 1.5, [], ["hcp"], np.zeros((2, 2))])
def test_names_are_texts(wrong):
    refused(lambda: DEALS.sides(wrong), "not a name of a function")
    refused(lambda: dk.evaluate(DEALS, wrong, "north"), "not a name of a function")
    refused(lambda: DEALS.to_frame(wrong), "is not the name of a column")
    refused(lambda: DEALS.to_frame(["hcp", "spades"]), "give names one by one: 'hcp', 'spades'")
    refused(lambda: DEALS.sides(mine=wrong), "an expression is a text")
    if wrong is not None:
        refused(lambda: dk.compare(["hcp"], where=wrong), "an expression is a text")
        refused(lambda: dk.function(wrong, args=["seat"])(len), "not a name of a function")


@pytest.mark.parametrize("wrong", [5, "seat", [5], np.zeros((2, 2))])
def test_kinds_of_arguments_are_texts(wrong):
    refused(lambda: dk.function("nonsense", args=wrong)(len), "args of nonsense is")
    assert find_function("nonsense") is None


def test_an_array_is_not_one_of_a_few_words():
    wrong = np.zeros((2, 2))
    refused(lambda: dk.imps(10, wrong), "unknown table")
    refused(lambda: dk.imps(10, ["v1"]), "unknown table")
    refused(lambda: dk.difference([1], [2], wrong), "unknown measure")
    refused(lambda: dk.leads(DEALS, "3NT", "south", measure=wrong), "unknown measure")
    refused(lambda: dk.compare(["hcp"], strain=wrong), "unknown strain")
    refused(lambda: dk.compare(["hcp"], declarer=wrong), "unknown declarer")
    refused(lambda: DEALS.sides("hcp", strain=wrong), "unknown strain")
    refused(lambda: DEALS.sides("hcp", declarer=wrong), "unknown declarer")
    refused(lambda: dk.evaluate(DEALS, "cccc", "north", variant=wrong), "unknown variant")


# ------------------------------------------------------------ scores
@pytest.mark.parametrize("wrong", [1.5, [420, 0.5], None, "420", [[20.0], [9.9]]])
def test_imps_are_for_whole_differences(wrong):
    refused(lambda: dk.imps(wrong), "difference has the value .*whole numbers are needed")


def test_the_language_compares_reals_with_the_bounds_of_imps():
    # Law 78B: up to 10 points are 0 IMPs.
    assert DEALS.eval("imps(10.0)").tolist() == [0, 0]
    assert DEALS.eval("imps(10.5)").tolist() == [1, 1]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [([1, 2], [1]), ([1], [1, 2]), ([1, 2], [1, 2, 3]), ([[1], [2]], [1, 2]), (3, [[1], [2]]), ([], [1])],
)
def test_scores_of_the_same_deals_have_the_same_length(ours, theirs):
    refused(lambda: dk.difference(ours, theirs), "same deals")


def test_one_score_is_used_for_all_deals():
    assert dk.difference([50, 100], 0, "points").value == dk.difference([50, 100], [0, 0], "points").value
    assert dk.difference(100, [50, 0], "points").value == 75
    assert dk.difference(100, 50, "points").n == 1


def test_weights_and_clusters_are_numbers():
    refused(lambda: dk.difference([1, 2], [1, 3], weights=["x", "y"]), "weights are")
    refused(lambda: dk.difference([1, 2], [1, 3], clusters=[None, None]), "clusters have the type object")
    refused(lambda: dk.difference([1, 2], [1, 3], clusters=[0.2, 0.7]), "clusters have the type float64")


def test_shapes_that_do_not_broadcast():
    refused(lambda: dk.matchpoints([1, 2], [1, 2, 3]), r"ours \(2,\), theirs \(3,\)")
    message = r"vulnerable \(3,\), declarer \(2,\)"
    refused(lambda: dk.score("3NT", [9, 9], vulnerable=[0, 1, 2], declarer=[0, 1]), message)
    refused(lambda: dk.leads(DEALS, "3NT", "south", vulnerable=[]), r"vulnerable \(0,\), declarer \(2,\)")


def test_none_is_neither_a_seat_nor_a_vulnerability():
    refused(
        lambda: dk.score("3NT", 9, vulnerable=[None, None], declarer="south"), "unknown vulnerability None"
    )
    refused(lambda: dk.score("3NT", 9, vulnerable="none", declarer=[None, "S"]), "unknown seat None")


def test_proportions_need_numbers_of_successes_and_values():
    for wrong in ("x", None, [], np.zeros(2)):
        refused(lambda wrong=wrong: dk.proportion(wrong, 10), "successes in 10")
        refused(lambda wrong=wrong: dk.proportion(1, wrong), "1 successes in")
    refused(lambda: dk.proportion(1, float("inf")), "in inf")


# ------------------------------------------------------------ cards
@pytest.mark.parametrize("wrong", ["x", None, [None], -1, 10**30, float("nan"), object()])
def test_hands_are_numbers(wrong):
    refused(lambda: dk.Deals(wrong), "hands takes numbers|hands has")


def test_attached_columns_do_not_change_numbers():
    refused(lambda: DEALS.replace(dealer=["north", "east"]), "dealer takes numbers")
    refused(lambda: DEALS.replace(tables=np.full((2, 5, 4), 6.5)), "tables has the value 6.5")
    refused(lambda: DEALS.replace(board=[1.0, np.nan]), "board takes numbers")
    refused(lambda: DEALS.replace(board=np.array([1.0, np.nan])), "board has the value nan")
    assert DEALS.replace(board=[1.0, 2.0]).board.tolist() == [1, 2]


@pytest.mark.parametrize("wrong", [None, 5, float("nan"), object()])
def test_arguments_without_deals(wrong):
    refused(lambda: dk.Deal(wrong), "no deal in")
    refused(lambda: dk.why("hcp(north) > 9", wrong), "no deal in")
    refused(lambda: dk.Deals.from_pbn(wrong), "holds no texts")
    refused(lambda: dk.Deals.from_lines(wrong), "holds no texts")
    refused(lambda: dk.opc_breakdown(wrong), "contains no deals")


@pytest.mark.parametrize("wrong", [None, 5, [None, None]])
def test_cards_of_a_trick_are_texts(wrong):
    refused(lambda: dk.solve_board(DEALS, "S", "N", trick=wrong), "trick (0 )?is")


# ------------------------------------------------------------ arrays and objects that are no numbers
MASKED = np.ma.array([100, 420], mask=[False, True])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dk.imps(MASKED), "masked elements"),
        (lambda: dk.difference(MASKED, [0, 0]), "masked elements"),
        (lambda: dk.difference([1, 2], [0, 0], weights=MASKED), "masked elements"),
        (lambda: DEALS.replace(board=MASKED), "masked elements"),
        (lambda: dk.Deals(np.ma.array(DEALS.hands, mask=True)), "masked elements"),
        (lambda: DEALS.replace(board=np.array([1j, 2])), "complex"),
        (lambda: dk.difference([1, 2], [0, 0], weights=np.array([1j, 2])), "complex"),
        (lambda: dk.run("1", generate=1, params=np.array(object())), "params is"),
        (lambda: dk.parse("1", include="a" * 10_000), None),
        (lambda: dk.run("1", generate=1, statistics=np.zeros(0)), "statistics is array"),
        (lambda: dk.proportion(3, 10, confidence=Fraction(1, 3)), "confidence is Fraction"),
        (lambda: dk.Estimate.exactly("x"), "'x' is not a number"),
        (lambda: dk.Deal(PBN, vulnerable=np.zeros(0)), "vulnerable is 0 to 3"),
        (lambda: dk.Deal(PBN, board=float("inf")), "board is a whole number"),
        (lambda: dk.Deal(np.ma.masked_all(4)), "no deal in"),
        (lambda: dk.Deals(DEALS.hands, check=np.zeros(0)), "check is"),
        (lambda: dk.Deals.concatenate(None), "parts is None"),
        (lambda: dk.Deals.from_deals("x"), "deals is 'x'"),
    ],
)
def test_what_is_no_number(call, message):
    with pytest.raises(dk.DealerkitError, match=message):
        call()


def test_fractions_are_numbers():
    assert dk.proportion(Fraction(3), 10) == dk.proportion(3, 10) and "0.3" in repr(
        dk.proportion(Fraction(3), 10)
    )

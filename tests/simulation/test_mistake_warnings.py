"""Warnings about certain mistakes before a run."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

import dealerkit as dk


def find_warnings(text: str, **options) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dk.run(text, generate=1, produce=1, seed=1, **options)
    return [str(warning.message) for warning in caught if warning.category is dk.MistakeWarning]


MISTAKES = [
    ("12 <= hcp(north) <= 14", "12 <= hcp(north) and hcp(north) <= 14"),
    ("hcp(north) == 10 or 11", "hcp(north) == 10 or hcp(north) == 11"),
    ("not hcp(north) > 10", "not (hcp(north) > 10)"),
    ("hcp(north) > 37", "never true"),
    ("hcp(north) < 38", "always true"),
    (
        "hcp(north) > 9 and hcp(south) > 9 or hcp(east) > 9",
        "hcp(north) > 9 and (hcp(south) > 9 or hcp(east) > 9)",
    ),
    ("spades(north)==0 + hearts(north)==0", "(spades(north) == 0) + (hearts(north) == 0)"),
    ("hcp(north) == 12-14", "hcp(north) >= 12 and hcp(north) <= 14"),
]


@pytest.mark.parametrize(("text", "remedy"), MISTAKES)
def test_each_is_named_once_with_its_place(text: str, remedy: str) -> None:
    (message,) = find_warnings(f"produce 1\ncondition {text}")
    assert message.startswith("line 2, column ") and remedy in message
    (message,) = find_warnings(f"weak = {text}\ncondition weak") or ("weak",)
    assert remedy in message or "true" in remedy


@pytest.mark.parametrize("dialect", ["v1", "v2"])
@pytest.mark.parametrize(("text", "remedy"), MISTAKES)
def test_the_other_dialects_have_none(dialect: str, text: str, remedy: str) -> None:
    assert find_warnings(text, dialect=dialect) == []


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "noLeveling = 1 hcp(north) > 3 and noLeveling",
        "0 or hcp(north) > 3",
        "(hcp(north) > 9 and hcp(south) > 9) or hcp(east) > 9",
        "hcp(north) > 9 and hcp(south) > 9 or hcp(east) > 9 and hcp(west) > 9",
        "hcp(north) >= 12 and hcp(north) <= 14",
        "(spades(north) == 0) + (hearts(north) == 0) == 1",
        "not (hcp(north) > 10)",
        "not hascard(north, AS)",
        "hcp(north) == 14 - 2",
        "least = 0 hcp(north) >= least",
    ],
)
def test_these_are_no_mistakes(text: str) -> None:
    assert find_warnings(text) == []


def test_a_bound_may_come_from_a_script_variable() -> None:
    assert find_warnings("hcp(north) >= $low", params={"low": 0}) == []


def test_the_place_is_that_in_the_added_script() -> None:
    bids = dk.parse("x = 1\nstrong = hcp(north) > 9 and spades(north) > 4 or hcp(south) > 15")
    (message,) = find_warnings(bids + dk.parse("condition strong and x"))
    assert message.startswith("line 2, column 10: ")


@pytest.mark.parametrize("generate", [1, 100, 100_000])
@pytest.mark.parametrize(
    "text",
    ["hcp(north) > 40", "hcp(north) > 20 and hcp(south) > 20", "aces(north) == 4 and controls(north) < 8"],
)
def test_a_generate_limit_does_not_prevent_the_proof(text: str, generate: int) -> None:
    with pytest.warns(dk.UnsatisfiableWarning):
        assert dk.run(text, generate=generate, seed=1).unsatisfiable


CHAIN = "12 <= hcp(north) <= 14"
SAMPLE = dk.solved_sample()[:50]


@pytest.mark.parametrize(
    "evaluate",
    [
        lambda: dk.probability(CHAIN),
        lambda: dk.probability("spades(north) > 4", given=CHAIN),
        lambda: dk.distribution("spades(north)", given=CHAIN),
        lambda: dk.estimate("spades(north)", given=CHAIN),
        lambda: dk.estimate(CHAIN, against="spades(north) > 4"),
        lambda: dk.estimate("spades(north)", given=CHAIN, deals=SAMPLE),
        lambda: SAMPLE.eval(CHAIN),
        lambda: SAMPLE.where(CHAIN),
        lambda: SAMPLE.to_frame(chosen=CHAIN),
        lambda: SAMPLE.to_frame().dealer.estimate(CHAIN),
        lambda: dk.contracts(CHAIN, ["3NT", "1NT"], declarer="north", precision=1),
        lambda: dk.contracts(SAMPLE, {"ours": [(CHAIN, "3NT by north"), (True, "1NT by north")]}),
    ],
)
def test_expressions_outside_of_a_run_have_them_once(evaluate: Callable[[], object]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")  # as in a program: once for each line
        evaluate()
    meant = "probably meant: 12 <= hcp(north) and hcp(north) <= 14"
    (warning,) = [each for each in caught if meant in str(each.message)]
    assert warning.category is dk.MistakeWarning
    assert warning.filename == __file__


def test_expressions_of_other_dialects_have_none() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert SAMPLE.eval(CHAIN, dialect="v1").all()
        SAMPLE.eval("12 <= hcp(north) and hcp(north) <= 14")

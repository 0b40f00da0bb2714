"""The better of several contracts, compared on the same deals."""

from __future__ import annotations

import re

from dealerkit.errors import ArgumentError
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import SCORING, Answers, Field, Question

CONTRACTS = Field(
    "contracts", "Contracts", "3NT by north, 2NT by north", hint="such as 4S by south, 3NT by north"
)
SCORE = Field("scoring", "Scoring", "imps", "choice", SCORING)
DEALS = Field("deals", "Deals to solve", "200", "integer", low=10, high=100_000)


def _make_call(answers: Answers) -> Call:
    contracts = [name.strip() for name in re.split("[,;\n]", answers["contracts"]) if name.strip()]
    if not contracts:
        raise ArgumentError("Contracts: the field is empty; give at least one, such as 3NT by north")
    arguments = {
        "deals_or_given": answers.condition or "1", "contracts": contracts,
        "scoring": answers.read_choice(SCORE), "produce": answers.read_integer(DEALS), "seed": answers.seed,
    }  # fmt: skip
    return Call("contracts", arguments, "produce")


QUESTION = Question(
    "contract", "Game or not?", "Is 3NT better than 2NT with 24 points in two balanced hands?", _make_call,
    (CONTRACTS, SCORE, DEALS),
    {
        "ns.points.from": "24", "ns.points.to": "24", "north.shape": "balanced", "south.shape": "balanced",
        "north.points.from": "15", "north.points.to": "17",
    },
)  # fmt: skip

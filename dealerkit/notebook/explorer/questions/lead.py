"""The best opening lead from a hand, given the auction or the contract."""

from __future__ import annotations

from typing import Any

from dealerkit.errors import ArgumentError
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.conditions import SYSTEMS
from dealerkit.notebook.explorer.questions.base import SCORING, SEAT_CHOICES, Answers, Field, Question

HAND = Field(
    "hand", "Your hand", "T942.982.KT4.QT3", hint="spades, hearts, diamonds, clubs, separated by dots"
)
AUCTION = Field(
    "auction", "Auction", "1NT-2C-2H-3NT", hint="the declaring side's calls, separated by hyphens"
)
DEALER = Field("dealer", "Who made the first call", "south", "choice", SEAT_CHOICES)
SYSTEM = Field("system", "System", "sayc", "choice", SYSTEMS)
CONTRACT = Field("contract", "Or only the contract", "", hint="such as 3NT by south")
SCORE = Field(
    "scoring", "Leads are compared by", "beats", "choice",
    {"beats": "how often the contract fails", "tricks": "tricks", **SCORING},
)  # fmt: skip
DEALS = Field("deals", "Deals to solve", "100", "integer", low=10, high=20_000)


def _make_call(answers: Answers) -> Call:
    arguments: dict[str, Any] = {"hand": answers["hand"]}
    if calls := answers["auction"]:
        arguments["given"] = Call(
            "auction",
            {
                "calls": calls, "system": answers.read_choice(SYSTEM),
                "dealer": answers.read_choice(DEALER),
            },
        )  # fmt: skip
    elif not answers["contract"]:
        raise ArgumentError("Auction: the field is empty; give the auction, or the contract below it")
    if answers["contract"]:
        arguments["contract"] = answers["contract"]
    arguments |= {"scoring": answers.read_choice(SCORE), "produce": answers.read_integer(DEALS)}
    return Call("lead", {**arguments, "seed": answers.seed}, "produce")


QUESTION = Question(
    "lead", "Which lead?", "What do you lead from ♠T942 ♥982 ♦KT4 ♣QT3 against 1NT-2♣-2♥-3NT?", _make_call,
    (HAND, AUCTION, DEALER, SYSTEM, CONTRACT, SCORE, DEALS),
)  # fmt: skip

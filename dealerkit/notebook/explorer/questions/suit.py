"""How to play a suit?"""

from __future__ import annotations

from typing import Any

from dealerkit.appearance.numbers import format_count
from dealerkit.errors import ArgumentError
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question
from dealerkit.singledummy.combination import read_holding

NORTH = Field("north", "Cards of north", "AQT98")
SOUTH = Field("south", "Cards of south", "5432")
TRICKS = Field(
    "tricks", "Tricks that are needed", "4", "integer", hint="empty: as many as possible", low=1, high=13
)


def _make_call(answers: Answers) -> Call:
    arguments: dict[str, Any] = {"north": answers["north"], "south": answers["south"]}
    if answers["tricks"]:
        arguments["tricks"] = tricks = answers.read_integer(TRICKS)
        longest = max(_count_cards(name, answers[name]) for name in ("north", "south"))
        if tricks > longest:
            raise ArgumentError(
                f"Tricks that are needed: {tricks}; the longer hand has {format_count(longest, 'card')}:"
                f" give at most {longest}, or nothing for as many as possible"
            )
    return Call("suit", arguments)


def _count_cards(hand: str, text: str) -> int:
    ranks, n_low = read_holding(hand, text)
    return len(ranks) + n_low


QUESTION = Question(
    "suit",
    "This suit",
    "How to take four tricks with AQT98 opposite 5432?",
    _make_call,
    (NORTH, SOUTH, TRICKS),
)

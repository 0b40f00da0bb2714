"""The best line of play for the cards of one suit."""

from __future__ import annotations

from typing import Any

from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question
from dealerkit.singledummy.combination import Combination

NORTH = Field("north", "North's cards", "AQT98")
SOUTH = Field("south", "South's cards", "5432")
TRICKS = Field("tricks", "Tricks needed", "4", "integer", hint="empty: as many as possible", low=1, high=13)


def _make_call(answers: Answers) -> Call:
    arguments: dict[str, Any] = {"north": answers["north"], "south": answers["south"]}
    if answers["tricks"]:
        arguments["tricks"] = tricks = answers.read_integer(TRICKS)
        Combination(answers["north"], answers["south"]).check_tricks(tricks)  # before anything is computed
    return Call("suit", arguments)


QUESTION = Question(
    "suit",
    "This suit",
    "How do you take four tricks with AQT98 opposite 5432?",
    _make_call,
    (NORTH, SOUTH, TRICKS),
)

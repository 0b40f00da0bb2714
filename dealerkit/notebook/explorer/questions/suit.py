"""How to play a suit?"""

from __future__ import annotations

from typing import Any

from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question

NORTH = Field("north", "Cards of north", "AQT98")
SOUTH = Field("south", "Cards of south", "5432")
TRICKS = Field(
    "tricks", "Tricks that are needed", "4", "integer", hint="empty: as many as possible", low=1, high=13
)


def _make_call(answers: Answers) -> Call:
    arguments: dict[str, Any] = {"north": answers["north"], "south": answers["south"]}
    return Call("suit", arguments | ({"tricks": answers.read_integer(TRICKS)} if answers["tricks"] else {}))


QUESTION = Question(
    "suit",
    "This suit",
    "How to take four tricks with AQT98 opposite 5432?",
    _make_call,
    (NORTH, SOUTH, TRICKS),
)

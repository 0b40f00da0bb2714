"""Boards for practice, to print or to load in another program."""

from __future__ import annotations

from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question

BOARDS = Field("boards", "Boards", "16", "integer", high=10_000)


def _make_call(answers: Answers) -> Call:
    arguments = {"n": answers.read_integer(BOARDS), "seed": answers.seed}
    return Call("deal", arguments | ({"given": answers.condition} if answers.condition else {}))


QUESTION = Question(
    "practice", "Practice boards", "Sixteen boards on which north opens 1NT and south has five spades",
    _make_call, (BOARDS,),
    {"north.opens": "1NT", "system": "sayc", "south.spades.from": "5", "south.points.from": "5"},
)  # fmt: skip

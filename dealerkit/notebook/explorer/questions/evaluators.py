"""The way of counting a hand that predicts tricks best."""

from __future__ import annotations

from dealerkit.errors import ArgumentError
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question

MEASURES = Field(
    "measures", "Ways of counting", "hcp losers", "checks",
    {
        "hcp": "high-card points", "losers": "losing tricks", "controls": "controls", "cccc": "Kaplan-Rubens",
        "zar": "Zar points", "quicktricks": "quick tricks",
    },
)  # fmt: skip
STRAIN = Field(
    "strain", "Contracts in", "best major", "choice",
    {"best major": "the better major", "notrump": "notrump", "spades": "spades", "hearts": "hearts"},
)  # fmt: skip


def _make_call(answers: Answers) -> Call:
    chosen = [name for name in MEASURES.choices if name in answers["measures"].split()]
    if len(chosen) < 2:
        raise ArgumentError("Ways of counting: a comparison needs two; choose at least two")
    return Call("compare", {"measures": chosen, "strain": answers.read_choice(STRAIN)})


QUESTION = Question(
    "evaluators", "Which way of counting?", "Do high-card points or losing tricks predict tricks better?",
    _make_call, (MEASURES, STRAIN),
)  # fmt: skip

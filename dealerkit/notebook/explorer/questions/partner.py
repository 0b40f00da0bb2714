"""The points and suit lengths of a hand, given what the other hands have shown."""

from __future__ import annotations

from dealerkit.cards.names import SUITS
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import SEAT_CHOICES, Answers, Field, Question

SEAT = Field("seat", "Whose hand", "south", "choice", SEAT_CHOICES)
DEALS = Field("deals", "Deals", "10000", "integer")


def _make_call(answers: Answers) -> Call:
    seat = answers.read_choice(SEAT)
    condition = f"condition\n{answers.condition}\n" if answers.condition else ""
    lengths = ",\n  ".join(f'frequency "{suit} of {seat}" ({suit}({seat}), 0, 13)' for suit in SUITS)
    script = (
        f'{condition}action average "points of {seat}" hcp({seat}),\n'
        f'  average "{seat} is balanced" balanced({seat}),\n'
        f'  frequency "points of {seat}" (hcp({seat}), 0, 37),\n  {lengths}'
    )
    return Call(
        "run", {"script": script, "produce": answers.read_integer(DEALS), "seed": answers.seed}, "produce"
    )


QUESTION = Question(
    "partner", "What does partner have?", "What does south have when north opens 1NT?", _make_call,
    (SEAT, DEALS), {"north.opens": "1NT", "system": "sayc"},
)  # fmt: skip

"""The frequency of a notrump opening and the strength of both hands, for several ranges of points."""

from __future__ import annotations

from dealerkit.errors import ArgumentError
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import SEAT_CHOICES, Answers, Field, Question

SEAT = Field("seat", "Who opens", "north", "choice", SEAT_CHOICES)
FIRST = Field("first", "Lowest points: from", "10", "integer", low=0, high=37)
LAST = Field("last", "Lowest points: to", "17", "integer", low=0, high=37)
WIDTH = Field("width", "Points in the range", "3", "integer", low=1, high=20)
DEALS = Field("deals", "Deals for each range", "10000", "integer", high=1_000_000)


def _make_call(answers: Answers) -> Call:
    seat, width = answers.read_choice(SEAT), answers.read_integer(WIDTH)
    first, last = answers.read_integer(FIRST), answers.read_integer(LAST)
    if first > last:
        raise ArgumentError(f"Lowest points: {first} to {last}; the first number is larger, so exchange them")
    partner = dict(north="south", south="north", east="west", west="east")[seat]
    script = (
        f"condition balanced({seat}) and hcp({seat}) >= $points_from"
        f" and hcp({seat}) <= $points_from + {width - 1}"
        + (f"\nand {answers.condition}" if answers.condition else "")
        + f'\naction average "points of both" hcp({seat}) + hcp({partner}),\n'
        f'  average "25 points or more" hcp({seat}) + hcp({partner}) >= 25'
    )
    arguments = {
        "script": script, "variables": {"points_from": list(range(first, last + 1))},
        "produce": answers.read_integer(DEALS), "seed": answers.seed,
    }  # fmt: skip
    return Call("sweep", arguments, "produce")


QUESTION = Question(
    "sweep", "Another notrump range", "How often does 1NT come up with 10 to 12, 11 to 13 … 17 to 19 points?",
    _make_call, (SEAT, FIRST, LAST, WIDTH, DEALS), {},
)  # fmt: skip

"""The probability that a random deal meets a condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.table import Column, Interval, Table
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question
from dealerkit.statistics import Estimate

DEALS = Field(
    "deals", "Deals, if the probability cannot be counted", "1000000", "integer", low=100, high=100_000_000
)


@dataclass(frozen=True)
class Frequency(Shown):
    """A probability that can be shown as a card."""

    estimate: Estimate
    call: Call

    def card(self) -> Card:
        """Return the card: one sentence, and the share with its interval."""
        found = self.estimate
        value = Interval(found.value, found.lo, found.hi, exact=found.exact)
        columns = [Column("share of all deals", kind="share", strong=True)]
        return Card(
            "How often",
            f"{found.describe()}.",  # type: ignore[attr-defined]
            tables=[Table(columns, [[value]])],
            notes=[
                "Counted exactly." if found.exact else "Estimated from random deals, with a 95 % interval."
            ],
            provenance=[("condition", str(self.call.arguments["condition"])), ("call", self.call.text)],
        )


def _make_call(answers: Answers) -> Call:
    arguments: dict[str, Any] = {"condition": answers.condition or "1"}
    return Call(
        "probability", {**arguments, "deals": answers.read_integer(DEALS), "seed": answers.seed}, "deals"
    )


QUESTION = Question(
    "frequency", "How often?", "How often does south have a weak two in spades?", _make_call, (DEALS,),
    {"south.points.from": "5", "south.points.to": "10", "south.spades.from": "6", "south.spades.to": "6"},
    Frequency,
)  # fmt: skip

"""What a question of the explorer is: fields that have an example, and the call that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dealerkit.cards.names import SEATS
from dealerkit.errors import ArgumentError
from dealerkit.notebook.explorer.calls import Call

SEAT_CHOICES = {seat: seat.capitalize() for seat in SEATS}
SCORING = {"imps": "IMPs", "matchpoints": "matchpoints", "points": "total points"}
VULNERABLE = {"none": "nobody", "NS": "north-south", "EW": "east-west", "both": "both"}


@dataclass(frozen=True)
class Field:
    """An entry of a form.

    Attributes
    ----------
    name, label : str
    value : str
        Of the example.
    kind : {"text", "integer", "choice", "checks", "file"}
        The value of checks has the chosen names with blanks between them.
    choices : mapping
        Of a choice and of checks: values with their labels.
    hint : str
        Below the entry.
    low, high : int
        Ends of an integer.
    """

    name: str
    label: str
    value: str = ""
    kind: str = "text"
    choices: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    low: int = 1
    high: int = 1_000_000


@dataclass(frozen=True)
class Question:
    """A question that is answered by one public call.

    Attributes
    ----------
    key, title : str
    example : str
        The example that is filled in, as a question.
    make_call : callable
        ``make_call(answers)`` returns the `Call`.
    fields : sequence of Field
    condition : mapping or None
        The example in the fields of `DealCondition`; None: the question has no condition.
    wrap : callable
        ``wrap(result, call)`` returns the result as something that has a card.
    reads_files : bool
        The answer is from a file of the user's.
    """

    key: str
    title: str
    example: str
    make_call: Callable[[Answers], Call]
    fields: tuple[Field, ...] = ()
    condition: Mapping[str, str] | None = None
    wrap: Callable[[Any, Call], Any] = lambda result, call: result
    reads_files: bool = False


@dataclass(frozen=True)
class Answers:
    """What is filled in: the values of the fields, the text of the condition, the seed."""

    values: Mapping[str, str]
    condition: str = ""
    seed: int = 1

    def __getitem__(self, name: str) -> str:
        return self.values.get(name, "").strip()

    def read_integer(self, field: Field, most: int | None = None) -> int:
        """Return the number in a field.

        Raises
        ------
        ArgumentError
            It is none, or out of range; the message names the field.
        """
        text = self[field.name].replace(",", "")
        high = field.high if most is None else min(field.high, most)
        if not text.isdecimal() or not field.low <= int(text) <= high:
            raise ArgumentError(f"{field.label}: {text!r:.20}; give a number from {field.low:d} to {high:d}")
        return int(text)

    def read_choice(self, field: Field) -> str:
        """Return the value of a choice."""
        if self[field.name] not in field.choices:
            raise ArgumentError(f"{field.label}: choose one of {', '.join(field.choices.values())}")
        return self[field.name]

"""The parts of a question: fields with an example, what the user fills in, and the call that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dealerkit.cards.names import SEATS
from dealerkit.errors import ArgumentError, quote
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.numbers import read_count

SEAT_CHOICES = {seat: seat.capitalize() for seat in SEATS}
SCORING = {"imps": "IMPs", "matchpoints": "matchpoints", "points": "total points"}
VULNERABLE = {"none": "nobody", "NS": "north-south", "EW": "east-west", "both": "both"}


@dataclass(frozen=True)
class Field:
    """A field of a form.

    Attributes
    ----------
    name, label : str
        The name in the program, and the label that the user sees.
    value : str
        The value in the example.
    kind : {"text", "integer", "choice", "checks", "file"}
        For "checks", the value is a list of the chosen names with blanks between them.
    choices : mapping of str to str
        For "choice" and "checks": the possible values and their labels.
    hint : str
        A text below the field.
    low, high : int
        For "integer": the smallest and the largest value.
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
        The name in the program, and the title on the start page.
    example : str
        The example that is filled in first, as a question.
    make_call : callable
        ``make_call(answers)`` returns the `Call`, or raises ArgumentError if something is missing or wrong.
    fields : sequence of Field
        The fields, besides those of the condition.
    condition : mapping or None
        The example in the fields of `DealCondition`; None if the question has no condition.
    wrap : callable
        ``wrap(result, call)`` returns the result as an object that has a card.
    reads_files : bool
        Whether the user gives a file.
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
    """What the user has filled in.

    Attributes
    ----------
    values : mapping of str to str
        The values of the fields, by name.
    condition : str
        The condition in the dealer language; empty if all deals meet it.
    seed : int
        The random seed.
    """

    values: Mapping[str, str]
    condition: str = ""
    seed: int = 1

    def __getitem__(self, name: str) -> str:
        return self.values.get(name, "").strip()

    def read_integer(self, field: Field, most: int | None = None) -> int:
        """Return the whole number in a field, which may have commas.

        Raises
        ------
        ArgumentError
            It is not a whole number, or is out of range; the message names the field.
        """
        text = self[field.name]
        high = field.high if most is None else min(field.high, most)
        number = read_count(text)
        if number is None or not field.low <= number <= high:
            raise ArgumentError(
                f"{field.label}: {quote(text, 20)}; give a number from {field.low:,} to {high:,}"
            )
        return number

    def read_choice(self, field: Field) -> str:
        """Return the value of a choice.

        Raises
        ------
        ArgumentError
            It is not one of the choices; the message names the field.
        """
        if (value := self[field.name]) not in field.choices:
            known = ", ".join(field.choices.values())
            raise ArgumentError(f"{field.label}: {quote(value, 20)} is not possible; choose one of {known}")
        return self[field.name]

"""Phrases that words for scripts are made of: lists, amounts, relations, shapes."""

from __future__ import annotations

import math
from collections.abc import Iterable

from dealerkit.cards.names import SEATS, SUITS
from dealerkit.language import nodes

LONGEST = 120  # characters of a formula that are shown
RANK_NAMES = {12: "ace", 11: "king", 10: "queen", 9: "jack", 8: "ten"}
ALIKE = {
    "==": "as many {} as {}", "!=": "not as many {} as {}", ">": "more {} than {}",
    ">=": "at least as many {} as {}", "<": "fewer {} than {}", "<=": "at most as many {} as {}",
}  # fmt: skip
RELATIONS = {
    "==": "equal to", "!=": "different from", ">": "more than", ">=": "at least",
    "<": "less than", "<=": "at most",
}  # fmt: skip

_UNITS = (
    ("ns", 1, 1000), ("µs", 1e3, 1000), ("ms", 1e6, 1000), ("seconds", 1e9, 90), ("minutes", 6e10, 90),
    ("hours", 3.6e12, 48), ("days", 8.64e13, 700), ("years", 3.156e16, math.inf),
)  # fmt: skip


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as a list with `last` before the last of them.

    >>> listed(["north", "east", "south"]), listed(["4333"], "or")
    ('north, east and south', '4333')
    """
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final


def shortened(text: str, length: int = LONGEST) -> str:
    """A text that is cut where it is too long for a line."""
    return text if len(text) <= length else text[: length - 4].rstrip() + " ..."


def about(number: float, digits: int = 2) -> str:
    """A number to so many significant digits, as one says it.

    >>> about(4123.0), about(2.347), about(2.347, 3), about(17.2), about(float("inf"))
    ('4,100', '2.3', '2.35', '17', 'any number')
    """
    if math.isinf(number):
        return "any number"
    if not number:
        return "0"
    places = digits - 1 - math.floor(math.log10(number))
    return f"{round(number, places):,.{max(places, 0)}f}"


def duration(nanoseconds: float) -> str:
    """A time to two significant digits.

    >>> duration(130.0), duration(2.4e6), duration(9e10), duration(1e15)
    ('130 ns', '2.4 ms', '1.5 minutes', '12 days')
    """
    unit, size = next((unit, size) for unit, size, most in _UNITS if nanoseconds < most * size)
    return f"{about(nanoseconds / size)} {unit}"


def amount(operator: str, noun: str, *numbers: str) -> str:
    """How many of something: ``15 to 17 points``, ``at least 5 spades``, ``no aces``."""
    first = numbers[0]
    if first in ("1", "-1") and operator != "range":
        head, blank, tail = noun.partition(" ")
        noun = f"{head.removesuffix('s')}{blank}{tail}"
    if operator == "range":
        return f"{first} to {numbers[1]} {noun}" if first != numbers[1] else f"exactly {first} {noun}"
    if noun and first == "0" and operator in ("==", "<="):
        return f"no {noun}"
    before = {"==": "exactly", "!=": "anything but"}.get(operator, RELATIONS[operator])
    return f"{before} {first} {noun}".rstrip()


def shape_words(seat: int, shapes: nodes.Argument, negation: str) -> str:
    name = SEATS[seat]
    if isinstance(shapes, nodes.BraceShapes):
        return f"{name}'s shape is{negation} one of {shapes.patterns.bit_count()}: {shapes.text.strip()}"
    assert isinstance(shapes, nodes.ShapeList)
    if len(shapes.terms) == 1 and not shapes.terms[0].any and "x" in shapes.terms[0].pattern:
        lengths = [
            f"{length} {suit}"
            for length, suit in zip(shapes.terms[0].pattern, SUITS, strict=True)
            if length != "x"
        ]
        if lengths:
            return f"{name} {'does not hold' if negation else 'holds'} exactly {listed(lengths)}"
    groups: list[tuple[str, bool, list[str]]] = []
    for term in shapes.terms:
        if not groups or groups[-1][:2] != (term.sign, term.any):
            groups.append((term.sign, term.any, []))
        groups[-1][2].append(term.pattern)
    texts: list[str] = []
    for sign, any_order, patterns in groups:
        joiner = "" if not texts else ", or " if sign == "+" else ", but not "
        texts.append(joiner + listed(patterns, "or") + (" in any order" if any_order else ""))
    exact = any(not term.any and set(term.pattern) != {"x"} for term in shapes.terms)
    order = " (spades, hearts, diamonds, clubs)" if exact else ""
    said = (
        "".join(texts).replace("xxxx", "anything", 1) if shapes.terms[0].pattern == "xxxx" else "".join(texts)
    )
    return f"{name}'s shape is{negation} {said}{order}"

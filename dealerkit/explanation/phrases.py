"""Phrases that sentences about scripts are made of: amounts, relations, shapes."""

from __future__ import annotations

from dealerkit.cards.names import SEATS, SUITS
from dealerkit.language import nodes
from dealerkit.wording import join_words

RANK_NAMES = {12: "ace", 11: "king", 10: "queen", 9: "jack", 8: "ten"}
ALIKE = {
    "==": "as many {} as {}", "!=": "not as many {} as {}", ">": "more {} than {}",
    ">=": "at least as many {} as {}", "<": "fewer {} than {}", "<=": "at most as many {} as {}",
}  # fmt: skip
RELATIONS = {
    "==": "equal to", "!=": "different from", ">": "more than", ">=": "at least",
    "<": "less than", "<=": "at most",
}  # fmt: skip


def describe_amount(operator: str, noun: str, *numbers: str) -> str:
    """Return a number of things in words: ``15 to 17 points``, ``at least 5 spades``, ``no aces``."""
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


def describe_shapes(seat: int, shapes: nodes.Argument, negation: str) -> str:
    """Return a sentence about the shape of a hand; `negation` is empty or `` not``."""
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
            return f"{name} {'does not hold' if negation else 'holds'} exactly {join_words(lengths)}"
    groups: list[tuple[str, bool, list[str]]] = []
    for term in shapes.terms:
        if not groups or groups[-1][:2] != (term.sign, term.any):
            groups.append((term.sign, term.any, []))
        groups[-1][2].append(term.pattern)
    texts: list[str] = []
    for sign, any_order, patterns in groups:
        joiner = "" if not texts else ", or " if sign == "+" else ", but not "
        texts.append(joiner + join_words(patterns, "or") + (" in any order" if any_order else ""))
    is_ordered = any(not term.any and set(term.pattern) != {"x"} for term in shapes.terms)
    order = " (spades, hearts, diamonds, clubs)" if is_ordered else ""
    text = "".join(texts)
    if shapes.terms[0].pattern == "xxxx":
        text = text.replace("xxxx", "anything", 1)
    return f"{name}'s shape is{negation} {text}{order}"

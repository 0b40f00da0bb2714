"""Parts of sentences about expressions: amounts, relations, shapes, quantities of hands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import groupby
from typing import NamedTuple

from dealerkit import registry
from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import RANKS, SEATS, SUITS
from dealerkit.language import nodes
from dealerkit.language.trees import resolve_variable

Definitions = Mapping[str, nodes.Expression]

COMPARED_NOUNS = {
    "==": "as many {} as {}", "!=": "not as many {} as {}", ">": "more {} than {}",
    ">=": "at least as many {} as {}", "<": "fewer {} than {}", "<=": "at most as many {} as {}",
}  # fmt: skip
RELATIONS = {
    "==": "equal to", "!=": "different from", ">": "more than", ">=": "at least",
    "<": "less than", "<=": "at most",
}  # fmt: skip


_RANK_NAMES = {12: "ace", 11: "king", 10: "queen", 9: "jack", 8: "ten"}


def join_numbered(noun: str, numbers: list[str]) -> str:
    """Return a noun with numbers: ``clause 3``, ``clauses 1, 2 and 3``."""
    return f"{noun}{'s' * (len(numbers) > 1)} {join_words(numbers)}"


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


def describe_card(seat: int, card: nodes.CardLiteral, negation: str) -> str:
    """Return a sentence about a card of a hand; `negation` is empty or `` not``."""
    rank = _RANK_NAMES.get(card.rank) or RANKS[card.rank]
    verb = "does not hold" if negation else "holds"
    return f"{SEATS[seat]} {verb} the {rank} of {SUITS[card.suit]}"


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
    text = ""
    for (sign, any_order), terms in groupby(shapes.terms, lambda term: (term.sign, term.any)):
        joiner = "" if not text else ", or " if sign == "+" else ", but not "
        patterns = join_words([term.pattern for term in terms], "or")
        text += f"{joiner}{patterns}{' in any order' if any_order else ''}"
    is_ordered = any(not term.any and set(term.pattern) != {"x"} for term in shapes.terms)
    order = " (spades, hearts, diamonds, clubs)" if is_ordered else ""
    if shapes.terms[0].pattern == "xxxx":
        text = text.replace("xxxx", "anything", 1)
    return f"{name}'s shape is{negation} {text}{order}"


class Quantity(NamedTuple):
    """A count of the cards of one hand or of several together, as the parts of a sentence."""

    owner: str  # "north"; "north and south together"
    noun: str  # "points in spades"
    verb: str  # "holds"
    negated_verb: str  # "does not hold"


def find_quantity(
    node: nodes.Expression, definitions: Definitions, redefined_tables: Collection[str | None]
) -> Quantity | None:
    """Return the quantity that an expression is: a function of a hand, or a sum of one function over hands.

    None for other expressions. `redefined_tables` are the tables of points that the script defines.
    """
    if not isinstance(node, nodes.Chain):
        return _find_hand_quantity(node, redefined_tables)
    quantities: list[Quantity] = []
    for operand in node.operands:
        quantity = _find_hand_quantity(resolve_variable(operand, definitions), redefined_tables)
        if quantity is None or quantity.noun != (quantities or [quantity])[0].noun:
            return None
        quantities.append(quantity)
    seats = [quantity.owner for quantity in quantities]
    if set(node.operators) != {"+"} or len(set(seats)) < len(seats):
        return None
    verb = "have" if quantities[0].verb == "has" else "hold"
    return Quantity(f"{join_words(seats)} together", quantities[0].noun, verb, f"do not {verb}")


def _find_hand_quantity(node: nodes.Expression, redefined_tables: Collection[str | None]) -> Quantity | None:
    """Return the quantity that a call of a function of one hand is, or None."""
    if not (isinstance(node, nodes.Call) and node.arguments and isinstance(node.arguments[0], nodes.Seat)):
        return None
    function = registry.get_function(node.function)
    if function.noun:
        noun = function.noun
    elif function.summary.startswith("number of "):
        noun = function.summary.removeprefix("number of ")
    elif function.unit in ("points", "losers") and len(node.arguments) == 1:
        noun = f"{function.unit} ({function.name})"
    else:
        return None
    if function.table in redefined_tables:
        noun += " as the script counts them"
    if len(node.arguments) == 2:
        suit = node.arguments[1]
        if not isinstance(suit, nodes.Suit):
            return None
        noun += f" in {SUITS[suit.index]}"
    verbs = ("has", "does not have") if function.unit in ("losers", "tricks") else ("holds", "does not hold")
    return Quantity(SEATS[node.arguments[0].index], noun, *verbs)

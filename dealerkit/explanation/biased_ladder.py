"""Keep rates made of where small cards lie: variables such as ``keep25 = hascard(west, 2C)``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import SUITS
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.trees import walk
from dealerkit.planning.certain_mistakes import Mistake
from dealerkit.registry import get_function

_NAME = re.compile(r"keep(\d{2,3})")
_HIGHEST_SPOT = 7  # rank of the nine, deuce 0


def find_biased_ladder(program: Program) -> list[Mistake]:
    """Return the mistake that a condition keeps a share of deals by where small cards lie; at most one.

    A variable named ``keep`` and two or three digits is meant to be true for that percentage, or thousandth,
    of the deals. Made of ``hascard`` of small cards it favours the suit of these cards, and under a condition
    about the suit its share is another one.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> from dealerkit.language.checks import check_script
    >>> script = "keep25 = hascard(west, 2C) condition clubs(north) > 5 and keep25"
    >>> find_biased_ladder(check_script(parse(script)))[0].instead
    'keep25 = rnd(100) < 25'
    """
    definitions = program.definitions
    ladder = {name: suits for name in definitions if (suits := _find_ladder_suits(name, definitions))}
    reached = _reach(program.condition, definitions, ladder)
    used = [name for name in ladder if name in reached.names]
    if not used:
        return []
    ladder_suits = sorted({suit for name in used for suit in ladder[name]})
    cards = join_words(f"small {SUITS[suit]}" for suit in ladder_suits)
    digits = _NAME.fullmatch(used[0])[1]  # type: ignore[index]
    names = join_words(f"`{name}`" for name in used)
    effect = f"the deals that it keeps favour one hand in {join_words(SUITS[suit] for suit in ladder_suits)}"
    affected = [suit for suit in ladder_suits if suit in reached.suits]
    if affected:
        about = join_words(SUITS[suit] for suit in affected)
        percent = int(digits) / (1 if len(digits) == 2 else 10)
        effect += f", and since the condition is about {about}, the share kept is not {percent:g} %"
    message = f"{names} keeps deals by where {cards} lie: {effect}; use `level`, or rnd"
    sides = 10 ** len(digits)
    place = next(
        statement.place
        for statement in program.script.statements
        if isinstance(statement, nodes.Definition) and statement.name == used[0]
    )
    return [Mistake("ladder", message, place, f"{used[0]} = rnd({sides}) < {int(digits)}")]


def _find_ladder_suits(name: str, definitions: Mapping[str, nodes.Expression]) -> set[int]:
    """Return the suits of the small cards that a variable of a ladder is made of; empty for another one."""
    if not _NAME.fullmatch(name):
        return set()
    suits: set[int] = set()
    for node in walk(definitions[name]):
        if isinstance(node, nodes.Name):
            if not (own := _find_ladder_suits(node.name, definitions)):
                return set()
            suits |= own
        elif isinstance(node, nodes.CardLiteral):
            if node.rank > _HIGHEST_SPOT:
                return set()
            suits.add(node.suit)
        elif not isinstance(node, nodes.And | nodes.Or | nodes.Not | nodes.Seat) and not _is_card_test(node):
            return set()
    return suits


def _is_card_test(node: nodes.Argument) -> bool:
    """Return whether a node is a call about one card of one hand, as ``hascard(west, 2C)``."""
    return isinstance(node, nodes.Call) and [*map(type, node.arguments)] == [nodes.Seat, nodes.CardLiteral]


class _Reached:
    """The variables of a ladder that a condition uses, and the suits that the rest of it depends on."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.suits: set[int] = set()


def _reach(
    condition: nodes.Expression | None,
    definitions: Mapping[str, nodes.Expression],
    ladder: Mapping[str, set[int]],
) -> _Reached:
    """Return what a condition depends on, also through its variables."""
    reached, seen = _Reached(), set()
    pending = [] if condition is None else [condition]
    while pending:
        for node in walk(pending.pop()):
            if not isinstance(node, nodes.Name):
                reached.suits.update(_list_suits(node))
            elif node.name in ladder:
                reached.names.add(node.name)
            elif node.name not in seen:
                seen.add(node.name)
                pending.append(definitions[node.name])
    return reached


def _list_suits(node: nodes.Argument) -> Iterator[int]:
    """Yield the suits that a node itself names: all of them for a shape."""
    if isinstance(node, nodes.Suit):
        yield node.index
    elif isinstance(node, nodes.CardLiteral):
        yield node.suit
    elif isinstance(node, nodes.Call):
        if node.function in SUITS:
            yield SUITS.index(node.function)
        elif get_function(node.function).operation == "member":
            yield from range(4)

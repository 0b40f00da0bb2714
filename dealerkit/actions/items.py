"""The items of a report line: texts, hands, values, tables of tricks, par contracts."""

from __future__ import annotations

from collections.abc import Iterator

from dealerkit.actions.base import Action, ProducedDeals
from dealerkit.cards.text import format_hands
from dealerkit.compiler.function_bodies import format_item
from dealerkit.language import nodes
from dealerkit.registry import get_function


def find_seats(part: object) -> tuple[int, ...]:
    """Return the seats of a seat or a side, and all four for `deal`, in the order N E S W."""
    if isinstance(part, nodes.Seat):
        return (part.index,)
    return (part.index, part.index + 2) if isinstance(part, nodes.Side) else (0, 1, 2, 3)


def format_items(action: Action, produced: ProducedDeals) -> Iterator[tuple[str, list[str]]]:
    """Yield the kind of each item of a report line (string, hands, value), and its text for each deal."""
    slots = iter(action.slots)
    for part in action.node.arguments:
        if isinstance(part, nodes.String):
            yield "string", [part.text] * len(produced)
        elif isinstance(part, nodes.Seat | nodes.Side | nodes.WholeDeal):
            texts = [
                [f"{'nesw'[seat]} {hand} " for hand in format_hands(produced.deals.hands[:, seat])]
                for seat in find_seats(part)
            ]
            yield "hands", ["".join(hands) for hands in zip(*texts, strict=True)]
        elif isinstance(part, nodes.Call) and (entry := get_function(part.function)).kind == "item":
            items = format_item(entry, part, produced.deals, action.graph.program)
            yield "value" if entry.unit else "string", items
        else:
            yield "value", produced.format_values(next(slots))

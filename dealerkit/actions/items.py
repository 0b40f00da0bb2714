"""The items of a report line: texts, hands, values, tables of tricks, par contracts."""

from __future__ import annotations

from collections.abc import Iterator

from dealerkit.actions.base import Action, ProducedDeals
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import VULNERABILITIES
from dealerkit.cards.text import format_hands
from dealerkit.language import nodes


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
        elif isinstance(part, nodes.Call) and part.function == "trix":
            yield "value", _format_trix(produced.deals, part.arguments[0])
        elif isinstance(part, nodes.Call) and part.function == "parcontract":
            yield "string", _format_par_contracts(produced.deals, part, action.graph.program.par_vulnerable)
        else:
            yield "value", produced.format_values(next(slots))


def _format_trix(deals: Deals, part: object) -> list[str]:
    """Return the double-dummy tricks of each seat, in clubs to notrump: ``8,9,9,10,10``."""
    from dealerkit.doubledummy.lookup import share_tables

    tables = share_tables(deals)[:, [3, 2, 1, 0, 4]][:, :, list(find_seats(part))]
    return [",".join(map(str, row)) for row in tables.transpose(0, 2, 1).reshape(len(deals), -1).tolist()]


def _format_par_contracts(deals: Deals, part: nodes.Call, vulnerable: int) -> list[str]:
    """Return par contracts as DealerV2 writes them; `vulnerable` is the default of the item."""
    from dealerkit.doubledummy.lookup import share_tables
    from dealerkit.doubledummy.par import par_contract_text

    if part.arguments:
        vulnerable = VULNERABILITIES.index(part.arguments[0].word)  # type: ignore[union-attr]
    return par_contract_text(share_tables(deals), vulnerable)

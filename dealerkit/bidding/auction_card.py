"""The card of an auction: what each call shows, and the points and lengths of each hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dealerkit.appearance.card import Card
from dealerkit.appearance.table import Column, Table
from dealerkit.bidding.calls import PASS
from dealerkit.bidding.factors import HandFigures
from dealerkit.cards.names import SUITS


@dataclass(frozen=True)
class CallMeaning:
    """What is understood about one call.

    Attributes
    ----------
    number : int
        Number of the call, from 1.
    seat : str
    call : str
    status : {"understood", "no context", "not in context", "silent", "forced"}
        No context: the system says nothing after these calls. Not in context: it does, but not about this
        call. Silent: a pass by the opponents, from which nothing is inferred. Forced: a pass although
        partner's call is forcing.
    position : str
        The calls so far, as the player sees them.
    text : str
        What the call means in words.
    forcing, alert : bool
    calls : tuple of str
        The calls that the context has.
    """

    number: int
    seat: str
    call: str
    status: str
    position: str
    text: str = ""
    forcing: bool = False
    alert: bool = False
    calls: tuple[str, ...] = ()

    def describe(self, title: str) -> str:
        """Return a sentence about a call that is not understood."""
        who = f"{self.seat}'s {'pass' if self.call == PASS else self.call}"
        if self.status == "not in context":
            header = self.position if self.position.startswith("after") else "opening"
            return (
                f"{who} is not in {title!r} {self.position} (it has {' '.join(self.calls)}); nothing is "
                f'assumed about it; line to add: {header} / {self.call} condition "text"'
            )
        if self.status == "forced":
            return f"{who} {self.position}, which is forcing; nothing is assumed about it"
        return f"{who} {self.position}"


def describe_auction(
    title: str,
    about: str,
    understood: Sequence[CallMeaning],
    figures: Mapping[str, HandFigures],
    gaps: Sequence[str],
) -> Card:
    """Return the card of an auction: its calls, its hands, and sentences about what is not understood."""
    calls: list[list[Any]] = []
    for each in understood:
        marks = [word for word, is_set in (("forcing", each.forcing), ("alert", each.alert)) if is_set]
        text = {
            "no context": "not covered by the system: nothing is inferred",
            "not in context": "not in the system after these calls: nothing is inferred",
            "silent": "nothing is inferred",
            "forced": "partner's call is forcing: nothing is inferred",
        }.get(each.status, each.text)
        calls.append(
            [each.number, each.seat, "pass" if each.call == PASS else each.call, text, ", ".join(marks)]
        )
    columns = [
        Column("number", "", kind="count", quiet=True), Column("seat", kind="name"),
        Column("call", kind="name"), Column("meaning", kind="text"),
        Column("marks", "", kind="text", optional=1),
    ]  # fmt: skip
    tables = [Table(columns, calls, "Calls")]
    if figures:
        tables.append(_tabulate_hands(figures))
    is_exact = all(each.is_exact for each in figures.values())
    notes = [
        "Share of all hands that make these calls, mean points and lengths, with the smallest and largest"
        f"{'; exact' if is_exact else ''}.",
    ] if figures else []  # fmt: skip
    notes += [f"{sentence[0].upper()}{sentence[1:]}." for sentence in gaps]
    return Card(title, about=[about], tables=tables, notes=notes)


def _tabulate_hands(hands: Mapping[str, HandFigures]) -> Table:
    """Return a table with a row for each hand that the calls say something about."""
    columns = [
        Column("seat", kind="name"), Column("share", kind="share", digits=4),
        Column("meant", "by meaning alone", kind="share", digits=4, optional=1),
        Column("points", kind="label"), *(Column(suit, kind="label") for suit in SUITS),
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for seat, figures in hands.items():
        values = [figures.points, *figures.lengths]
        shown = [f"{mean:.2f} ({low}-{high})" for mean, low, high in values]
        rows.append([seat, figures.share, figures.share_without_negations, *shown])
    return Table(columns, rows, "Hands")

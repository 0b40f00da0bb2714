"""Auctions of real boards compared with bidding systems, call by call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.bidding.calls import describe_position, read_calls
from dealerkit.bidding.choices import Choices, HasChoices, choose_first
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS
from dealerkit.cards.text import format_hands
from dealerkit.errors import ArgumentError, quote

if TYPE_CHECKING:
    import pandas as pd

STATUSES = ("same call", "meaning met", "meaning not met", "not in context", "no context")
_MEANINGS = {
    "same call": "the system makes this call",
    "meaning met": "the hand meets a line of the call, but takes an earlier line",
    "meaning not met": "the hand meets no line of the call",
    "not in context": "the system has calls here, but not this one",
}
MAX_CONTEXTS, MAX_DEPARTURES = 15, 15


@dataclass(frozen=True)
class ExplainedCall:
    """A call of a board, with the call of the system.

    Attributes
    ----------
    row : int
        Row of the deal, from 0.
    board : int or None
    number : int
        Number of the call in its auction, from 1.
    seat, call, after : str
        The seat, its call, and the calls so far as the player sees them.
    status : {"same call", "meaning met", "meaning not met", "not in context", "no context"}
        Meaning met: the hand meets a line of this call, but an earlier line of another call takes precedence.
    context : str
        The header of the context; "" if there is none.
    system_call : str
        The call that the system makes with this hand; "" if it has none.
    text : str
        The meaning of the call in the system.
    hand : str
        In PBN notation.
    """

    row: int
    board: int | None
    number: int
    seat: str
    call: str
    after: str
    status: str
    context: str = ""
    system_call: str = ""
    text: str = ""
    hand: str = ""


@limit_repr
@dataclass(frozen=True)
class ExplainedAuctions(Shown):
    """The calls of boards, with those of bidding systems; `to_frame` has a row for each call.

    Attributes
    ----------
    title : str
    calls : tuple of ExplainedCall
    n_boards : int
        Number of boards whose auctions were read.
    skipped : tuple of (int, str)
        The row of each other board, and why its auction was not used.

    Examples
    --------
    >>> import dealerkit as dk
    >>> deals = dk.Deals.from_pbn("N:AQ5.K84.KQ93.J72 JT84.QJ9.T72.K94 K63.A752.J5.AT83 972.T63.A864.Q65")
    >>> explained = dk.system("sayc").explains(deals, ["1NT P 3NT P P P"], dealer="north")
    >>> explained.count("same call"), [each.system_call for each in explained.departures]
    (2, ['2C'])
    """

    title: str
    calls: tuple[ExplainedCall, ...] = field(repr=False)
    n_boards: int
    skipped: tuple[tuple[int, str], ...] = ()

    def count(self, status: str) -> int:
        """Return the number of calls with a status."""
        if status not in STATUSES:
            raise ArgumentError(f"unknown status {quote(status, 40)}; known: {', '.join(STATUSES)}")
        return sum(each.status == status for each in self.calls)

    @property
    def departures(self) -> tuple[ExplainedCall, ...]:
        """The calls in a context that differ from those of the system."""
        return tuple(each for each in self.calls if each.status not in ("same call", "no context"))

    def __repr__(self) -> str:
        return f"<ExplainedAuctions {self.title!r}: {format_count(len(self.calls), 'call')}>"

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each call: the attributes of `ExplainedCall`."""
        import pandas as pd

        names = list(ExplainedCall.__dataclass_fields__)
        frame = pd.DataFrame([[getattr(each, name) for name in names] for each in self.calls], columns=names)
        return frame.astype({"board": "Int64", "row": "int64", "number": "int64"})

    def card(self) -> Card:
        """The card: shares of all calls, then by context, then calls that differ from the system's."""
        known = [each for each in self.calls if each.status != "no context"]
        n_without = len(self.calls) - len(known)
        n_same = self.count("same call")
        verdict: Note = "The system says nothing about these calls."
        if known:
            same = Quantity(n_same / len(known), "share", decimals=1)
            verdict = [same, f" of {format_count(len(known), 'call')} are those of the system."]
        population = [f"{format_count(self.n_boards, 'board')}"]
        if n_without:
            population.append(f"{format_count(n_without, 'call')} without a context left out")
        notes = ["Calls after which the system says nothing are not counted."] if n_without else []
        if self.skipped:
            row, reason = self.skipped[0]
            n_skipped = format_count(len(self.skipped), "board")
            notes.append(f"{n_skipped} left out, the first of which is number {row + 1}: {reason}.")
        tables = [self._tabulate_statuses(known), self._tabulate_contexts(known)] if known else []
        if self.departures:
            tables.append(self._tabulate_departures())
        return Card(f"Auctions against {self.title}", verdict, population, tables=tables, notes=notes)

    def _tabulate_statuses(self, known: Sequence[ExplainedCall]) -> Table:
        columns = [
            Column("status", kind="name"), Column("calls", kind="count"),
            Column("share", kind="percent", head="%", decimals=1), Column("meaning", "", kind="text"),
        ]  # fmt: skip
        rows: list[list[Any]] = []
        for status, text in _MEANINGS.items():
            n = self.count(status)
            rows.append([status, n, n / len(known), text])
        return Table(columns, rows)

    def _tabulate_contexts(self, known: Sequence[ExplainedCall]) -> Table:
        counts: dict[str, Counter[str]] = {}
        for each in known:
            counts.setdefault(each.context, Counter())[each.status] += 1
        ordered = sorted(counts.items(), key=lambda item: -item[1].total())[:MAX_CONTEXTS]
        columns = [
            Column("context", kind="name"), Column("calls", kind="count"),
            *(Column(status, f"{status}, %", kind="percent", decimals=0) for status in _MEANINGS),
        ]  # fmt: skip
        rows = [
            [name, own.total(), *(own[status] / own.total() for status in _MEANINGS)] for name, own in ordered
        ]
        heading = "Contexts" if len(ordered) == len(counts) else f"The {MAX_CONTEXTS} most frequent contexts"
        return Table(columns, rows, heading)

    def _tabulate_departures(self) -> Table:
        columns = [
            Column("board", kind="label"), Column("seat", kind="name"), Column("hand", kind="cards"),
            Column("after", kind="name"), Column("call", kind="name"),
            Column("system_call", "system", kind="name"), Column("status", kind="text", optional=1),
        ]  # fmt: skip
        shown = self.departures[:MAX_DEPARTURES]
        rows = [
            [
                str(each.row + 1 if each.board is None else each.board), each.seat, each.hand,
                each.after.removeprefix("after ").removeprefix("as "), each.call,
                each.system_call or "none", each.status,
            ]
            for each in shown
        ]  # fmt: skip
        more = len(self.departures) - len(shown)
        return Table(columns, rows, f"Other calls ({more:,} more in the frame)" if more else "Other calls")


@dataclass
class _Question:
    """A call of a board with the choices of its player."""

    row: int
    number: int
    seat: int
    call: str
    after: str


def explain_auctions(
    deals: Deals, auctions: Sequence[str], systems: tuple[HasChoices, HasChoices], dealers: np.ndarray,
) -> ExplainedAuctions:  # fmt: skip
    """Return the calls of boards, with those of the systems of north-south and east-west.

    Parameters
    ----------
    deals : Deals
    auctions : sequence of str
        As in the text columns of files.
    systems : tuple of HasChoices
        Systems of north-south and of east-west.
    dealers : ndarray of int [n]
        0 to 3; -1 if unknown.
    """
    # Questions with the same choices are answered together.
    questions: dict[int, list[_Question]] = {}
    choices_by_id: dict[int, Choices | None] = {0: None}
    skipped: list[tuple[int, str]] = []
    known: dict[tuple[Any, ...], Choices | None] = {}
    sides = np.full(len(deals), -1) if deals.vulnerable is None else deals.vulnerable.astype(np.int64)
    for row, text in enumerate(auctions):
        dealer = int(dealers[row])
        if not text or not text.strip():
            skipped.append((row, "it has no auction"))
            continue
        if dealer < 0:
            skipped.append((row, "its dealer is not known"))
            continue
        try:
            calls = read_calls(text)
        except ArgumentError as error:
            skipped.append((row, str(error)))
            continue
        for number, call in enumerate(calls):
            seat = (dealer + number) % 4
            own = None if sides[row] < 0 else bool(sides[row] >> seat % 2 & 1)
            key = seat % 2, calls[:number], own
            if key not in known:
                known[key] = systems[seat % 2].find_choices(calls[:number], own)
            choices = known[key]
            identity = 0 if choices is None else id(choices)
            choices_by_id[identity] = choices
            position = describe_position(calls, number)
            questions.setdefault(identity, []).append(_Question(row, number, seat, call, position))
    explained = [
        each
        for identity, calls in questions.items()
        for each in _answer(deals, calls, choices_by_id[identity])
    ]
    explained.sort(key=lambda each: (each.row, each.number))
    titles = dict.fromkeys(each.title for each in systems)
    n_boards = len(auctions) - len(skipped)
    return ExplainedAuctions(" and ".join(titles), tuple(explained), n_boards, tuple(skipped))


def _answer(deals: Deals, calls: Sequence[_Question], choices: Choices | None) -> Iterator[ExplainedCall]:
    """Yield the calls that were made with the same choices."""
    rows = np.array([each.row for each in calls])
    seats = np.array([each.seat for each in calls])
    boards = None if deals.board is None else deals.board[rows]
    hands = np.ascontiguousarray(deals.hands[rows, seats])
    words = format_hands(hands)
    truth: list[np.ndarray] = []
    if choices is not None:
        truth = choices.find_truth(hands)
        chosen = choose_first(truth, len(hands))
    for place, each in enumerate(calls):
        fields: dict[str, Any] = {
            "row": each.row, "board": None if boards is None else int(boards[place]),
            "number": each.number + 1, "seat": SEATS[each.seat], "call": each.call, "after": each.after,
            "hand": words[place],
        }  # fmt: skip
        if choices is None:
            yield ExplainedCall(status="no context", **fields)
            continue
        made = [k for k, meaning in enumerate(choices.meanings) if meaning.call == each.call]
        fields["context"] = str(choices.context.pattern)
        fields["system_call"] = str(choices.names[chosen[place]])
        fields["text"] = "; ".join(
            dict.fromkeys(choices.meanings[k].text for k in made if choices.meanings[k].text)
        )
        if not made:
            status = "not in context"
        elif fields["system_call"] == each.call:
            status = "same call"
        else:
            status = "meaning met" if any(truth[k][place] for k in made) else "meaning not met"
        yield ExplainedCall(status=status, **fields)


def read_boards(
    boards: Any, auctions: Sequence[str] | None, dealer: int | None
) -> tuple[Deals, Sequence[str], np.ndarray]:
    """Return deals, auctions and dealers of boards, from a library with auctions or from deals and auctions.

    Raises
    ------
    ArgumentError
        There are no auctions, or their number is not that of the deals.
    """
    deals = boards if isinstance(boards, Deals) else getattr(boards, "deals", None)
    if not isinstance(deals, Deals):
        raise ArgumentError(
            f"boards are deals or what `read` returns of a file with auctions, not {quote(boards)}"
        )
    if auctions is None:
        auctions = getattr(boards, "texts", {}).get("auction")
        if auctions is None:
            raise ArgumentError(
                "these boards have no auctions; read a file that has some, or give the auctions, a text for "
                "each deal"
            )
    if isinstance(auctions, str) or len(auctions) != len(deals):
        raise ArgumentError(f"auctions are a text for each of {format_count(len(deals), 'deal')}")
    dealers = np.full(len(deals), -1) if deals.dealer is None else deals.dealer.astype(np.int64)
    if dealer is not None:
        dealers = np.where(dealers < 0, dealer, dealers)
    return deals, [text if isinstance(text, str) else "" for text in auctions], dealers

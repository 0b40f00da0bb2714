"""Auctions that systems produce: all four players bid their hands with the systems of their sides."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import check_name
from dealerkit.bidding.calls import PASS, State, format_calls, list_seen
from dealerkit.bidding.choices import Choices
from dealerkit.bidding.contexts import Item, Pattern
from dealerkit.bidding.systems import System, system
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import seat_number
from dealerkit.errors import ArgumentError, quote
from dealerkit.formats.auctions import find_contract
from dealerkit.runtime.progress import long_work
from dealerkit.statistics import Estimate, proportion

if TYPE_CHECKING:
    import pandas as pd

ENDS = ("", "gap", "no context", "forced")
MAX_AUCTIONS = 20
_GAME = {"C": 5, "D": 5, "H": 4, "S": 4, "NT": 3}


class Failure(NamedTuple):
    """A point where a system says nothing: the kind, the context's header, and the seat of the player."""

    end: str = ""
    context: str = ""
    seat: int = -1


_NONE = Failure()


@limit_repr
@dataclass(frozen=True, eq=False)
class BiddenDeals(Shown):
    """Deals with the auctions that systems produce; `to_frame` has a row for each deal.

    Attributes
    ----------
    title : str
        The systems.
    deals : Deals
    auctions : ndarray of object [n]
        All calls, such as ``1NT P 3NT AP``.
    contracts, declarers : ndarray of object [n]
        As in the text columns of files: ``3NT`` and ``N``; ``Pass`` and "".
    ends : ndarray of str [n]
        How a system first failed. "gap": it has calls, but none for this hand. "forced": partner's call is
        forcing, and the system has no answer. "no context": the system says nothing after a contract below
        game, and the player passed. "" if no system failed.
    contexts : ndarray of object [n]
        The header of the context that the system lacks or in which it has a gap, such as ``after 1S 2D``.
    seats : ndarray of int8 [n]
        The player for whom it says nothing, N E S W = 0..3; -1 if it did not fail.
    opened : ndarray of int8 [n]
        The seat that made the first bid; -1 if all passed.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.bid_out(dk.deal(3, seed=1), dealer="south").auctions.tolist()
    ['P P 1H 1S 2H AP', '1NT P 2C P 2H P 3NT AP', 'P P 1D 1NT 2S AP']
    """

    title: str
    deals: Deals = field(repr=False)
    auctions: np.ndarray = field(repr=False)
    contracts: np.ndarray = field(repr=False)
    declarers: np.ndarray = field(repr=False)
    ends: np.ndarray = field(repr=False)
    contexts: np.ndarray = field(repr=False)
    seats: np.ndarray = field(repr=False)
    opened: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        return len(self.deals)

    def __repr__(self) -> str:
        return f"<BiddenDeals {self.title}: {format_count(len(self), 'deal')}>"

    def share_of(self, end: str) -> Estimate:
        """Return the share of the deals with a bid on which a system failed in a given way.

        Parameters
        ----------
        end : {"gap", "no context", "forced"}
        """
        is_open = self.opened >= 0
        return proportion(int((self.ends[is_open] == end).sum()), int(is_open.sum()))

    def missing_contexts(self, side: str | None = None) -> pd.DataFrame:
        """Return the contexts that a system lacks: a row for each, the most frequent first.

        Parameters
        ----------
        side : {"NS", "EW"}, optional
            Only those of the system of this side.

        Returns
        -------
        DataFrame
            `context` (a header as in system files), `end`, `deals`, `share` (among the deals with a bid).
        """
        import pandas as pd

        chosen = self.ends != ""
        if side is not None:
            chosen &= self.seats % 2 == ("NS", "EW").index(check_name("side", side, ("NS", "EW")))
        pairs = zip(self.contexts[chosen].tolist(), self.ends[chosen].tolist(), strict=True)
        counts = Counter(pairs).most_common()
        n_open = max(int((self.opened >= 0).sum()), 1)
        rows = [(context, end, n, n / n_open) for (context, end), n in counts]
        return pd.DataFrame(rows, columns=["context", "end", "deals", "share"])

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each deal: deal, auction, contract, declarer, end, context."""
        import pandas as pd

        from dealerkit.cards.array import DealArray

        columns: dict[str, Any] = {"deal": DealArray(self.deals)}
        columns |= {
            "auction": self.auctions, "contract": self.contracts, "declarer": self.declarers,
            "end": self.ends, "context": self.contexts,
        }  # fmt: skip
        return pd.DataFrame(columns)

    def card(self) -> Card:
        """The card: the most frequent auctions, and how often a system says nothing."""
        counts = Counter(self.auctions.tolist()).most_common(MAX_AUCTIONS)
        columns = [
            Column("auction", kind="text"), Column("deals", kind="count"),
            Column("share", kind="share", interval="beside"),
        ]  # fmt: skip
        rows: list[list[Any]] = [[text, n, proportion(n, len(self))] for text, n in counts]
        names = {
            "gap": "a system has calls, but none for the hand",
            "forced": "a system says nothing after partner's forcing call",
            "no context": "the auction ends below game where a system says nothing",
        }
        ends = [
            Column("end", kind="name"), Column("share", kind="share", interval="beside"),
            Column("meaning", "", kind="text"),
        ]  # fmt: skip
        tables = [Table(columns, rows, "The most frequent auctions")]
        if (self.opened >= 0).any():
            tables.append(
                Table(
                    ends,
                    [[end, self.share_of(end), text] for end, text in names.items()],
                    "Of the deals with a bid",
                )
            )
        return Card(f"Auctions of {self.title}", population=[format_count(len(self), "deal")], tables=tables)


@long_work
def bid_out(
    deals: Deals, ns: str | os.PathLike[str] | System = "sayc", ew: str | os.PathLike[str] | System = "sayc",
    *, dealer: int | str | None = None, silent: str | None = None,
) -> BiddenDeals:  # fmt: skip
    """Return deals with the auctions that the systems of both sides produce.

    If a system says nothing, the player passes, and `ends` records it.

    Parameters
    ----------
    deals : Deals
        With their vulnerability, on which some contexts depend.
    ns, ew : str, os.PathLike or System
    dealer : int or str, optional
        Dealer of all deals; by default that of the boards, north if unknown.
    silent : {"NS", "EW"}, optional
        The side that always passes.

    Returns
    -------
    BiddenDeals

    Examples
    --------
    >>> import dealerkit as dk
    >>> bidden = dk.bid_out(dk.deal(1000, seed=1), silent="EW")
    >>> bidden.to_frame()["contract"].value_counts().index[0]
    'Pass'
    """
    if not isinstance(deals, Deals):
        raise ArgumentError(f"bid_out takes deals, not {quote(deals)}")
    side = None if silent is None else ("NS", "EW").index(check_name("silent", silent, ("NS", "EW")))
    first = None if dealer is None else seat_number(dealer)
    return bid_deals(deals, (system(ns), system(ew)), first, side)


def bid_deals(
    deals: Deals, systems: tuple[System, System], dealer: int | None, silent: int | None
) -> BiddenDeals:
    """Return deals with the auctions that two systems produce.

    Parameters
    ----------
    deals : Deals
        Vulnerability is that of the boards; without it, contexts that require one do not apply.
    systems : tuple of System
        Systems of north-south and of east-west.
    dealer : int or None
        Dealer of all deals; None: that of the boards, north if unknown.
    silent : {0, 1} or None
        The side that always passes, north-south or east-west.
    """
    n = len(deals)
    dealers = np.zeros(n, np.int64) if deals.dealer is None else np.maximum(deals.dealer.astype(np.int64), 0)
    if dealer is not None:
        dealers = np.full(n, dealer, np.int64)
    sides = np.full(n, -1) if deals.vulnerable is None else deals.vulnerable.astype(np.int64)
    names = ("auctions", "contracts", "declarers", "ends", "contexts")
    found = {name: np.full(n, "", object) for name in names}
    found |= {name: np.full(n, -1, np.int8) for name in ("seats", "opened")}
    # Deals with the same calls so far are bid together, and so are all deals whose players choose from the
    # same lines. The rounds are numbered from the first bid on, whoever made it.
    rounds: dict[int, list[_Group]] = {}
    for first in range(4):
        for side in np.unique(sides):
            rows = np.flatnonzero((dealers == first) & (sides == side))
            if len(rows):
                rounds.setdefault(-4, []).append(_Group((), first, int(side), rows))
    while rounds:
        number = min(rounds)
        asking: dict[int, tuple[Choices, list[_Group]]] = {}
        for group in rounds.pop(number):
            if group.state.is_over:
                _record_end(found, group)
                continue
            seat = group.seat
            choices = None
            if silent != seat % 2:
                choices = systems[seat % 2].find_choices(group.calls, group.is_vulnerable)
            if choices is not None:
                asking.setdefault(id(choices), (choices, []))[1].append(group)
                continue
            end = "" if silent == seat % 2 else _name_end(systems[seat % 2], group.calls, group.is_vulnerable)
            failed = (
                group.failure
                if group.failure.end or not end
                else Failure(end, name_context(group.calls), seat)
            )
            _add_group(rounds, group.follow(PASS, group.rows, failed))
        for choices, groups in asking.values():
            for follower in _choose_calls(choices, deals, groups):
                _add_group(rounds, follower)
    titles = " and ".join(dict.fromkeys(system.title for system in systems))
    return BiddenDeals(titles, deals, **found)


@dataclass
class _Group:
    """Deals with the same calls so far."""

    calls: tuple[str, ...]
    first: int  # the dealer
    side: int  # whether each side is vulnerable, by boards; -1: unknown
    rows: np.ndarray
    failure: Failure = _NONE
    state: State = State()

    @property
    def seat(self) -> int:
        """The player whose turn it is."""
        return (self.first + len(self.calls)) % 4

    @property
    def is_vulnerable(self) -> bool | None:
        """Whether the side of this player is vulnerable."""
        return None if self.side < 0 else bool(self.side >> self.seat % 2 & 1)

    @property
    def n_calls_after_bid(self) -> int:
        """The number of calls since the first bid, including it; below 0 before it."""
        start = next((k for k, call in enumerate(self.calls) if call != PASS), None)
        return len(self.calls) - 4 if start is None else len(self.calls) - start

    def follow(self, call: str, rows: np.ndarray, failure: Failure) -> _Group:
        """Return the group of the deals in which the player makes a call."""
        return _Group((*self.calls, call), self.first, self.side, rows, failure, self.state.follow(call))


def _add_group(rounds: dict[int, list[_Group]], group: _Group) -> None:
    rounds.setdefault(group.n_calls_after_bid, []).append(group)


def _record_end(found: dict[str, np.ndarray], group: _Group) -> None:
    """Record how a finished auction ended on its deals."""
    calls, rows = group.calls, group.rows
    named = ["Pass" if call == PASS else call for call in calls]
    found["auctions"][rows] = format_calls(calls)
    found["contracts"][rows], found["declarers"][rows] = find_contract(named, group.first)
    found["ends"][rows], found["contexts"][rows], found["seats"][rows] = group.failure
    start = next((k for k, call in enumerate(calls) if call != PASS), None)
    found["opened"][rows] = -1 if start is None else (group.first + start) % 4


def _choose_calls(choices: Choices, deals: Deals, groups: Sequence[_Group]) -> Iterator[_Group]:
    """Yield the next groups after players of several groups choose from the same lines."""
    hands = np.concatenate([deals.hands[group.rows, group.seat] for group in groups])
    chosen = choices.choose(hands)
    start = 0
    for group in groups:
        positions = chosen[start : start + len(group.rows)]
        start += len(group.rows)
        calls = choices.names[positions]
        for call in dict.fromkeys(choices.names[np.unique(positions)].tolist()):
            is_gap = not call and not group.failure.end
            failed = Failure("gap", name_context(group.calls), group.seat) if is_gap else group.failure
            yield group.follow(call or PASS, group.rows[calls == call], failed)


def name_context(calls: Sequence[str]) -> str:
    """Return the header of the context for the next call, as system files have it.

    >>> name_context(("P", "1S", "P", "2D", "X"))
    'after 1S 2D (X)'
    """
    return str(Pattern(tuple(Item(call, theirs=theirs) for theirs, call in list_seen(calls))))


def _name_end(system: System, calls: tuple[str, ...], vulnerable: bool | None) -> str:
    """Return what a pass without a context means for an auction; "" if it is an ordinary end."""
    if len(calls) < 2 or calls[-1] != PASS:
        return ""  # an opponent called last: passing is natural
    if system.is_forcing(calls, vulnerable):
        return "forced"
    partner = calls[-2]
    if not partner[0].isdigit() or int(partner[0]) >= _GAME[partner[1:]]:
        return ""
    return "no context"

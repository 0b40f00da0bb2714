"""Two systems on the same hands: how often their calls differ, and which calls correspond."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.bidding.calls import CALLS
from dealerkit.bidding.choices import Choices, choose_first
from dealerkit.bidding.frequencies import N_SAMPLED
from dealerkit.bidding.hand_kinds import N_HANDS, HandKinds
from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.features import NotAdditive
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.language.dialects import MODERN
from dealerkit.statistics import Estimate, proportion

_SEED = int.from_bytes(b"differ", "big")
MAX_PAIRS = 25


@dataclass(frozen=True)
class CallPair:
    """Hands with which two systems make these two calls.

    Attributes
    ----------
    call, other : str
        Calls of the first and of the second system; "" for a gap.
    share : Estimate
        Share of the hands.
    share_of_call : Estimate
        Share among the hands with which the first system makes its call.
    """

    call: str
    other: str
    share: Estimate
    share_of_call: Estimate


@limit_repr
@dataclass(frozen=True)
class SystemDifference(Shown):
    """The calls of two systems with the same hands; `to_frame` has a row for each pair of calls.

    Attributes
    ----------
    titles : tuple of (str, str)
    after : str
        The calls so far, as the player sees them.
    population : str
        The hands to which the shares refer.
    differing : Estimate
        The share of hands with which the calls differ.
    pairs : tuple of CallPair
        The most frequent pairs first, including equal calls.

    Examples
    --------
    >>> import dealerkit as dk
    >>> difference = dk.system("sayc").difference("acol")
    >>> print(f"{difference.differing:.3%}")
    17.981%
    """

    titles: tuple[str, str]
    after: str
    population: str
    differing: Estimate
    pairs: tuple[CallPair, ...]

    def share(self, call: str, other: str) -> Estimate:
        """Return the share of hands with which the systems make these two calls.

        Parameters
        ----------
        call, other : str
            Calls of the first and of the second system; "" for a gap.

        Returns
        -------
        Estimate
        """
        for pair in self.pairs:
            if (pair.call, pair.other) == (call, other):
                return pair.share
        return Estimate.exactly(Fraction(0)) if self.differing.exact else proportion(0, self.differing.n)

    def __repr__(self) -> str:
        first, second = self.titles
        return f"<SystemDifference {first!r}, {second!r}: {format_count(len(self.pairs), 'pair')} of calls>"

    def card(self) -> Card:
        """The card: the pairs of calls that differ, the most frequent first."""
        first, second = self.titles
        position = f"after {self.after}" if self.after else "openings"
        is_exact = self.differing.exact
        interval: Any = "none" if is_exact else "beside"
        columns = [
            Column("call", first, kind="name"), Column("other", second, kind="name"),
            Column("share", kind="share", decimals=4 if is_exact else None, interval=interval, strong=True),
            Column("of_call", "of the first call", kind="share", decimals=1, interval="none"),
        ]  # fmt: skip
        unequal = [pair for pair in self.pairs if pair.call != pair.other]
        rows: list[list[Any]] = [
            [pair.call or "no call", pair.other or "no call", pair.share, pair.share_of_call]
            for pair in unequal[:MAX_PAIRS]
        ]
        more = len(unequal) - len(rows)
        notes = [f"{format_count(more, 'rarer pair')} of calls in the frame."] if more else []
        how = "exact" if is_exact else f"from {format_count(self.differing.n)} hands"
        differing = Quantity(self.differing, "share", decimals=1 if is_exact else None)
        return Card(
            f"{first} and {second}: {position}",
            ["The calls differ with ", differing, " of the hands."],
            [f"{self.population}, {how}"],
            tables=[Table(columns, rows)] if rows else [],
            notes=notes,
        )

    def to_frame(self) -> Any:
        """Return a row for each pair of calls, including equal ones, with shares and their limits."""
        columns = [
            Column("call", kind="name"), Column("other", kind="name"), Column("share", kind="share"),
            Column("of_call", kind="share"),
        ]  # fmt: skip
        rows: list[list[Any]] = [
            [pair.call, pair.other, pair.share, pair.share_of_call] for pair in self.pairs
        ]
        return Table(columns, rows).to_frame()


def compare_choices(
    titles: tuple[str, str], choices: tuple[Choices, Choices], after: str, hands: np.ndarray | None,
    population: str,
) -> SystemDifference:  # fmt: skip
    """Return how the calls of two systems differ after the same calls.

    Parameters
    ----------
    titles : tuple of str
    choices : tuple of Choices
    after : str
    hands : ndarray of uint64 [n] or None
        None: all hands are counted by kind if the conditions of both systems are sums over suits; otherwise a
        million hands are dealt.
    population : str
        The hands to which the shares refer.
    """
    counts: np.ndarray | None = None
    chosen: list[np.ndarray] = []
    if hands is None:
        counted = _count_kinds(choices)
        if counted is None:
            hands = np.ascontiguousarray(deal_range(_SEED, 0, N_SAMPLED, 1)[:, 0])
        else:
            counts, chosen = counted
    if hands is not None:
        chosen = [each.choose(hands) for each in choices]
    n = len(chosen[0])
    calls = [("", *CALLS)] * 2
    codes = [
        np.array([calls[0].index(name) for name in each.names])[own]
        for each, own in zip(choices, chosen, strict=True)
    ]

    def measure(count: int, total: int) -> Estimate:
        return Estimate.exactly(Fraction(count, total)) if counts is not None else proportion(count, total)

    weights = np.ones(n, np.int64) if counts is None else counts
    total = n if counts is None else N_HANDS
    size = len(calls[0])
    table = np.zeros((size, size), np.int64)
    np.add.at(table, (codes[0], codes[1]), weights)
    pairs = [
        CallPair(
            calls[0][i], calls[1][j], measure(int(table[i, j]), total),
            measure(int(table[i, j]), int(table[i].sum())),
        )
        for i, j in zip(*np.nonzero(table), strict=True)
    ]  # fmt: skip
    pairs.sort(key=lambda pair: -pair.share.value)
    differing = measure(total - int(np.trace(table)), total)
    return SystemDifference(titles, after.strip(), population, differing, tuple(pairs))


def _count_kinds(choices: tuple[Choices, Choices]) -> tuple[np.ndarray, list[np.ndarray]] | None:
    """Return the number of hands of each kind that both systems tell apart, and which line each chooses."""
    graph = OperationGraph(MODERN)
    slots = [
        [None if m.condition is None else graph.add_expression(m.condition) for m in each.meanings]
        for each in choices
    ]
    try:
        kinds = HandKinds.count(graph, [slot for own in slots for slot in own if slot is not None])
    except (NotAdditive, TooManyStates):
        return None
    n = len(kinds.counts)
    chosen = []
    for own in slots:
        found = iter(kinds.find_truth([slot for slot in own if slot is not None]))
        chosen.append(choose_first([np.ones(n, bool) if slot is None else next(found) for slot in own], n))
    return kinds.counts, chosen

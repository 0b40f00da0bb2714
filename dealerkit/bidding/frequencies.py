"""How often each call is chosen after given calls: shares, overlaps of lines, gaps, lines never reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.drawings import ShareBar
from dealerkit.appearance.numbers import format_count, format_share
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.bidding.calls import CALLS, PASS
from dealerkit.bidding.choices import Choices, Meaning, choose_first
from dealerkit.bidding.hand_kinds import N_HANDS
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.statistics import Estimate, proportion

N_SAMPLED = 1_000_000  # number of hands, if kinds of hands cannot be counted
_SEED = int.from_bytes(b"bids", "big")
MAX_SHOWN_OVERLAPS = 10


@dataclass(frozen=True)
class Overlap:
    """Hands that meet a line but choose an earlier one with another call.

    Attributes
    ----------
    call, other : str
        The call that these hands make, and the call of the later line.
    share : Estimate
        Share of all hands.
    """

    call: str
    other: str
    share: Estimate


@limit_repr
@dataclass(frozen=True)
class CallFrequencies(Shown):
    """How often each call is chosen; `shares[call]` and `frequencies[call]` are `Estimate`.

    Attributes
    ----------
    title, after : str
        Title of the system, and the calls so far as the player sees them.
    shares : dict of str to Estimate
        Shares of all hands, by call in the order of choice.
    gap : Estimate
        The share of hands that no line takes.
    overlaps : tuple of Overlap
        The largest first.
    unreached : tuple of (Meaning, str)
        Lines that no hand chooses, and the reason.
    texts : dict of str to str
        What each call means.
    population : str
        The hands to which the shares refer.

    Examples
    --------
    >>> import dealerkit as dk
    >>> frequencies = dk.system("sayc").frequencies("1NT")
    >>> frequencies.gap.fraction, list(frequencies.shares)[:3]
    (Fraction(0, 1), ['4NT', '2H', '2D'])
    """

    title: str
    after: str
    shares: dict[str, Estimate]
    gap: Estimate
    overlaps: tuple[Overlap, ...] = ()
    unreached: tuple[tuple[Meaning, str], ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    population: str = "of all hands"

    def __getitem__(self, call: str) -> Estimate:
        if call not in self.shares:
            known = ", ".join(self.shares)
            raise KeyError(f"{call!r} is not a call of this context; it has {known}")
        return self.shares[call]

    def __repr__(self) -> str:
        return f"<CallFrequencies {self.title}, {self._position}: {format_count(len(self.shares), 'call')}>"

    @property
    def _position(self) -> str:
        return f"after {self.after}" if self.after else "openings"

    def card(self) -> Card:
        """The card: a row for each call, and sentences about gaps, overlaps and lines never reached."""
        is_exact = self.gap.exact
        shown: Literal["none", "beside"] = "none" if is_exact else "beside"
        columns = [
            Column("call", kind="name"),
            Column("share", kind="share", decimals=4 if is_exact else None, interval=shown, strong=True),
            Column("bar", "", kind="drawing"),
            Column("meaning", kind="name", longest=60, optional=1),
        ]
        rows: list[list[Any]] = [
            [call, share, ShareBar(share), self.texts.get(call, "")] for call, share in self.shares.items()
        ]
        if self.gap.value:
            rows.append(["no call", self.gap, ShareBar(self.gap), "a gap: no line takes these hands"])
        how = "exact" if is_exact else f"from {format_count(self.gap.n)} hands"
        return Card(
            f"{self.title}: {self._position}",
            population=[f"{self.population}, {how}"],
            about=[] if self.population == "of all hands" else [f"Shares {self.population}."],
            tables=[Table(columns, rows)],
            notes=list(self._list_notes()),
            charts=[Chart("frequencies", lambda place: plot_frequencies(self, place))],
        )

    def _list_notes(self) -> list[Note]:
        notes: list[Note] = []
        for meaning, reason in self.unreached:
            notes.append(f"Never chosen: {meaning.call} in line {meaning.line.token.place.line}; {reason}.")
        if self.overlaps:
            parts: list[str | Quantity] = ["Hands that meet two lines take the earlier one: "]
            for number, part in enumerate(self.overlaps[:MAX_SHOWN_OVERLAPS]):
                share = Quantity(part.share.value, "share", decimals=2)
                parts += [f"{', ' * (number > 0)}{part.call} before {part.other} ", share]
            more = len(self.overlaps) - MAX_SHOWN_OVERLAPS
            notes.append([*parts, f", and {more} smaller overlaps." if more > 0 else "."])
        return notes


def plot_frequencies(frequencies: CallFrequencies, ax: Any = None) -> Any:
    """Plot the share of hands that make each call, in the order of calls, with its value beside the bar.

    Parameters
    ----------
    frequencies : CallFrequencies
    ax : matplotlib Axes, optional
        By default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    from dealerkit.charts.panels import open_frame
    from dealerkit.charts.style import get_color, get_share

    # Calls from the lowest to the highest, pass first, so that the order does not depend on the file
    calls = sorted(frequencies.shares, key=CALLS.index)
    shares = [frequencies.shares[call] for call in calls]
    names = ["pass" if call == PASS else call for call in calls]
    if frequencies.gap.value:
        names.append("no call")
        shares.append(frequencies.gap)
    with open_frame(ax, height=0.8 + 0.27 * len(names)) as frame:
        is_exact = frequencies.gap.exact
        how = "Exact shares" if is_exact else "Whiskers: 95 % intervals"
        frame.write(
            f"{frequencies.title}: {frequencies._position}",
            f"share {frequencies.population}",
            f"{how}; hands that meet two lines make the call of the earlier one.",
        )
        (panel,) = frame.add_panels()
        values = [100 * share.value for share in shares]
        panel.barh(range(len(names)), values, 0.7, color=get_color("data"), alpha=get_share("bar"))
        highest = max(100 * share.hi for share in shares) or 1.0
        for row, share in enumerate(shares):
            end = 100 * share.hi
            if not is_exact:
                panel.hlines(row, 100 * share.lo, end, color=get_color("text"), linewidth=1.1, zorder=3)
            shown = format_share(share.value, share.lo, share.hi, decimals=2 if is_exact else None)
            panel.text(end + highest / 60, row, shown.value, va="center", size=9)
        frame.name_rows(panel, names)
        frame.scale(panel.xaxis, 0, 1.12 * highest, unit=" %")
        return frame.ax


def count_frequencies(
    title: str,
    choices: Choices,
    after: str,
    hands: np.ndarray | None = None,
    population: str = "of all hands",
) -> CallFrequencies:
    """Return the frequencies of the calls between which a player of a system chooses.

    Parameters
    ----------
    title, after : str
    choices : Choices
    hands : ndarray of uint64 [n], optional
        Hands on which to measure them; by default all hands are counted, or hands are sampled.
    population : str
        The hands to which the shares refer.
    """
    counted = CountedChoices.count(choices, hands)
    chosen, meanings = counted.chosen, choices.meanings
    shares: dict[str, Estimate] = {}
    texts: dict[str, str] = {}
    for call in choices.list_calls():
        positions = [k for k, meaning in enumerate(meanings) if meaning.call == call]
        shares[call] = counted.measure(np.isin(chosen, positions))
        texts[call] = "; ".join(dict.fromkeys(meanings[k].text for k in positions if meanings[k].text))
    return CallFrequencies(
        title, after.strip(), shares, counted.measure(chosen == -1),
        tuple(counted.list_overlaps()), tuple(counted.list_unreached()), texts,
        population,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class CountedChoices:
    """Choices with the hands, by kind or sampled, that meet each line, and the line that they choose.

    Attributes
    ----------
    choices : Choices
    truth : sequence of ndarray of bool [n]
        Truth values for each line.
    chosen : ndarray of int16 [n]
        Index of the line; -1 for a gap.
    counts : ndarray of int64 [n] or None
        Number of hands of each kind; None: sampled hands, each counted once.
    """

    choices: Choices
    truth: Sequence[np.ndarray]
    chosen: np.ndarray
    counts: np.ndarray | None

    @classmethod
    def count(cls, choices: Choices, hands: np.ndarray | None = None) -> CountedChoices:
        """Return choices counted exactly if their conditions are sums over suits, otherwise on sampled hands.

        `hands`, uint64 [n], are measured instead of all hands.
        """
        if hands is None:
            kinds = choices.kinds
            if kinds is not None:
                truth = choices.find_truth(None)
                return cls(choices, truth, choose_first(truth, len(kinds.counts)), kinds.counts)
            hands = np.ascontiguousarray(deal_range(_SEED, 0, N_SAMPLED, 1)[:, 0])
        truth = choices.find_truth(hands)
        return cls(choices, truth, choose_first(truth, len(hands)), None)

    @property
    def is_exact(self) -> bool:
        """Whether the shares are exact."""
        return self.counts is not None

    def measure(self, mask: np.ndarray) -> Estimate:
        """Return the share of hands for which a mask is true."""
        if self.counts is None:
            return proportion(int(mask.sum()), len(mask))
        return Estimate.exactly(Fraction(int(self.counts[mask].sum()), N_HANDS))

    def list_overlaps(self) -> list[Overlap]:
        """Return the overlaps of lines with different calls, the largest first."""
        found: dict[tuple[str, str], np.ndarray] = {}
        meanings = self.choices.meanings
        for later, second in enumerate(meanings):
            if second.condition is None:
                continue
            hidden = self.truth[later] & (self.chosen != later) & (self.chosen >= 0)
            for earlier in np.unique(self.chosen[hidden]):
                first = meanings[earlier]
                if earlier < later and first.call != second.call:
                    mask = hidden & (self.chosen == earlier)
                    key = first.call, second.call
                    found[key] = found[key] | mask if key in found else mask
        overlaps = [Overlap(*calls, self.measure(mask)) for calls, mask in found.items()]
        return sorted(overlaps, key=lambda overlap: -overlap.share.value)

    def list_unreached(self) -> list[tuple[Meaning, str]]:
        """Return the lines that no hand chooses, and the reason."""
        found = []
        meanings = self.choices.meanings
        for position, meaning in enumerate(meanings):
            if (self.chosen == position).any():
                continue
            if not self.truth[position].any():
                reason = "no hand meets its condition"
            else:
                earlier = np.unique(self.chosen[self.truth[position]])
                calls = dict.fromkeys(meanings[k].call for k in earlier if k >= 0)
                reason = f"all hands that meet it take an earlier line: {', '.join(calls)}"
            if not self.is_exact:
                reason += f" (of {format_count(len(self.chosen))} hands)"
            found.append((meaning, reason))
        return found

"""The result of a match between two bidding systems: the origin of the gain, as tables and a plot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note, Picture
from dealerkit.appearance.numbers import format_count, format_level, format_number
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import check_integer
from dealerkit.bidding.bidding_out import BiddenDeals, name_context
from dealerkit.bidding.calls import PASS
from dealerkit.charts.panels import draw_whisker, open_frame
from dealerkit.charts.style import get_color
from dealerkit.runtime.process import cached_property
from dealerkit.scoring.scorings import describe_leader
from dealerkit.statistics import Estimate
from dealerkit.statistics.intervals import student_quantile
from dealerkit.studies.estimate.real_play import BIAS, SOURCE
from dealerkit.studies.provenance import RepeatableResult

if TYPE_CHECKING:
    import pandas as pd

MIN_GROUP = 10  # least number of deals of a group with an interval
MAX_ROWS = 12  # largest number of rows of a table in the text, and of the plot
N_BOARDS = 10
ROW = 0.24  # height of a row of the plot in inches


class Room(NamedTuple):
    """One of the two tables of a match.

    Attributes
    ----------
    bidden : BiddenDeals
    tricks : ndarray of int8 [n]
        Declarer's tricks, double dummy; -1 if all passed.
    points : ndarray of int64 [m, n]
        North-south's double-dummy score; if results are corrected, also that for one trick more or fewer.
    weights : ndarray of float64 [m, n]
        The probability of each of these scores.
    """

    bidden: BiddenDeals
    tricks: np.ndarray
    points: np.ndarray
    weights: np.ndarray


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class SystemComparison(RepeatableResult):
    """Two systems on the same deals, as `compare_systems` returns it.

    Attributes
    ----------
    names : tuple of (str, str)
        Names of the systems.
    imps, matchpoints : Estimate
        What the first system gains per board: IMPs, and its share of the matchpoints of a board (0 to 1, 0.5
        for equal systems).
    differing : Estimate
        Share of the deals whose contracts differ.
    unfinished : tuple of (Estimate, Estimate)
        For each system, the share of its auctions in which it said nothing where it had to bid.
    rooms : tuple of (Room, Room)
        In the first room, north-south bid the first system.
    gains : ndarray of float64 [n]
        IMPs of the first system on each deal.
    frame : DataFrame
        As `by_opening`.
    confidence : float
    is_silent : bool
        Whether east-west pass in both rooms.
    population : sequence
        The origin of the deals, as parts of a sentence.
    provenance : Provenance or None
        The call that repeats the comparison, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> result = dk.compare_systems("sayc", "two-over-one", 1000, max_unfinished=1)
    >>> len(result.gains), result.names
    (1000, ('SAYC', 'Two over one'))
    """

    names: tuple[str, str]
    imps: Estimate
    matchpoints: Estimate
    differing: Estimate
    unfinished: tuple[Estimate, Estimate]
    rooms: tuple[Room, Room]
    gains: np.ndarray
    confidence: float
    is_silent: bool
    population: Note

    def __len__(self) -> int:
        return len(self.gains)

    def __repr__(self) -> str:
        first, second = self.names
        return (
            f"<SystemComparison: {first} and {second}, {format_count(len(self), 'deal')}, {self.imps} IMPs>"
        )

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The contribution of each opening, as from `by_opening`."""
        return self.by_opening()

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    # ------------------------------------------------------------ the origin of the difference
    def by_opening(self) -> pd.DataFrame:
        """Return the contribution of each opening: one that both systems make, or one of each.

        Returns
        -------
        DataFrame
            For each opening, or pair of openings such as ``1NT / 1C``: `deals`, `share`, `imps` on such a
            deal with `lo` and `hi`, and `total`, its part of the gain per board. The intervals are
            simultaneous; there is none for fewer than ten deals.
        """
        return self._group([_name_opening(*parting) for parting in self._partings], "opening")

    def by_auction(self) -> pd.DataFrame:
        """Return what each point contributes where auctions part: the calls before, and a call of each.

        ``1NT 2C / 3NT``: after partner's 1NT, the first system bids 2C and the second 3NT. As in system
        files, calls of the opponents are in brackets; their passes, and passes before the first bid, are left
        out. Columns are those of `by_opening`. Deals with equal auctions are not included.
        """
        return self._group([_name_parting(*parting) for parting in self._partings], "auction")

    def boards(self, count: int = N_BOARDS) -> pd.DataFrame:
        """Return the deals with the largest gains and losses of the first system.

        Parameters
        ----------
        count : int >= 1

        Returns
        -------
        DataFrame
            `deal`; auction, contract, declarer and tricks in each room; and `imps` of the first system.
        """
        import pandas as pd

        from dealerkit.cards.array import DealArray

        chosen = self._choose_boards(check_integer("count", count, 1))
        columns: dict[str, Any] = {"deal": DealArray(self.rooms[0].bidden.deals[chosen])}
        for number, room in enumerate(self.rooms, 1):
            bidden = room.bidden
            tricks = pd.array(room.tricks[chosen], dtype="Int8")
            tricks[room.tricks[chosen] < 0] = pd.NA
            columns |= {
                f"auction_{number}": bidden.auctions[chosen], f"contract_{number}": bidden.contracts[chosen],
                f"declarer_{number}": bidden.declarers[chosen], f"tricks_{number}": tricks,
            }  # fmt: skip
        columns["imps"] = self.gains[chosen]
        return pd.DataFrame(columns, index=pd.Index(chosen, name="number"))

    def _choose_boards(self, count: int) -> np.ndarray:
        order = np.argsort(-np.abs(self.gains), kind="stable")[:count]
        return order[self.gains[order] != 0]

    def _group(self, labels: list[str], name: str) -> pd.DataFrame:
        """Return a row for each label except "", the label of deals that are equal in both rooms."""
        import pandas as pd

        found, codes = np.unique(np.array(labels, object), return_inverse=True)
        counts = np.bincount(codes)
        sums = np.bincount(codes, self.gains)
        squares = np.bincount(codes, self.gains**2)
        shown = np.flatnonzero((found != "") & (counts > 0))
        n_intervals = max(int((counts[shown] >= MIN_GROUP).sum()), 1)
        rows = []
        for code in shown.tolist():
            n, mean = int(counts[code]), sums[code] / counts[code]
            # Bonferroni's intervals are simultaneous; equal gains do not show how much others may differ
            half, variance = np.nan, max(squares[code] / n - mean**2, 0.0)
            if n >= MIN_GROUP and variance > 0:
                critical = student_quantile(1 - (1 - self.confidence) / n_intervals, n - 1)
                half = critical * np.sqrt(variance / (n - 1))
            ends = mean, mean - half, mean + half
            rows.append((found[code], n, n / len(self), *ends, sums[code] / len(self)))
        columns = [name, "deals", "share", "imps", "lo", "hi", "total"]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.sort_values("total", key=np.abs, ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def _partings(self) -> list[tuple[list[str], str, str]]:
        """For each deal the calls that are equal in both rooms, then those that differ; "" if none does."""
        dealers = self.rooms[0].bidden.deals.dealer
        assert dealers is not None
        auctions = zip(*(room.bidden.auctions.tolist() for room in self.rooms), dealers.tolist(), strict=True)
        return [self._find_parting(*row) for row in auctions]

    def _find_parting(self, one: str, other: str, dealer: int) -> tuple[list[str], str, str]:
        first, second = (auction.replace("AP", "P P P").split() for auction in (one, other))
        k = next((k for k, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
        if k is None:
            return first, "", ""
        ours, theirs = first[k], second[k]
        if (dealer + k) % 2 and not self.is_silent:
            ours, theirs = theirs, ours  # for east-west, who bid the second system in the first room
        return first[:k], ours, theirs

    # ------------------------------------------------------------ the card
    def card(self) -> Card:
        """The card: who gains how much, by opening and by where auctions diverge, and the decisive boards."""
        first, second = self.names
        rows = [["IMPs per board", self.imps], ["matchpoints of a board", self.matchpoints]]
        measures = Table(
            [
                Column("measure", f"{first} against {second}", "name"),
                Column("gain", interval="beside", by_row=True, strong=True),
            ],
            rows,
        )
        shares = [
            Column("what", "", "name"), Column("share", kind="share", interval="beside"),
        ]  # fmt: skip
        listed: list[list[Any]] = [["contracts differ", self.differing]]
        listed += [
            [f"{name} says nothing where it has to bid", share]
            for name, share in zip(self.names, self.unfinished, strict=True)
        ]
        tables = [measures, Table(shares, listed, "Shares")]
        for frame, name, heading in (
            (self.frame, "opening", "By opening"),
            (self.by_auction(), "auction", "Where the auctions diverge"),
        ):
            gaining = frame[frame.total != 0]
            tables += [self._tabulate_groups(gaining, name, heading)] if len(gaining) else []
        tables += self._tabulate_boards()
        leader = describe_leader(first, second, self.imps, len(self))
        return Card(
            f"{first} against {second}", f"{leader[0].upper()}{leader[1:]}.", [], about=[self.population],
            tables=tables, notes=self._list_notes(), provenance=self._list_facts(),
            charts=[Chart("openings", partial(plot_openings, self))], pictures=self._draw_boards(),
        )  # fmt: skip

    def _text_card(self) -> Card:
        """Return the card without diagrams, which would fill ten screens of text."""
        return replace(self.card(), pictures=())

    def _draw_boards(self) -> list[Picture]:
        """Return diagrams of the most decisive boards, with both auctions, collapsed."""
        from dealerkit.appearance.html import escape
        from dealerkit.cards.html import render_deal

        chosen = self._choose_boards(N_BOARDS)
        if not len(chosen):
            return []
        texts, parts = [], []
        for row, deal in zip(chosen.tolist(), self.rooms[0].bidden.deals[chosen], strict=True):
            _, first, second, gain = self._describe_board(row)
            lines = [
                f"{name} north-south: {text}" for name, text in zip(self.names, (first, second), strict=True)
            ]
            head = f"Deal {row + 1}, {format_number(gain, 0, sign=True)} IMPs"
            texts.append("\n".join([head, *lines, deal.diagram(symbols=False)]))
            body = "<br>".join(map(escape, lines))
            board = (
                deal.board if deal.board is not None and deal.board < 1000 else None
            )  # larger ones do not fit
            diagram = render_deal(deal.hands, deal.vulnerable, deal.dealer, board)
            parts.append(f"<p><b>{escape(head)}</b><br>{body}</p>{diagram}")
        summary = "The boards that decide most, with diagrams"
        html = f"<details><summary>{summary}</summary><div>{''.join(parts)}</div></details>"
        return [Picture("\n\n".join(texts) + "\n", html)]

    def _tabulate_groups(self, frame: pd.DataFrame, name: str, heading: str) -> Table:
        columns = [
            Column(name, kind="name"), Column("deals", kind="count"),
            Column("imps", "IMPs on such a deal", interval="beside", sign=True, strong=True, decimals=1),
            Column("total", "of the gain of a board", sign=True, decimals=3),
        ]  # fmt: skip
        rows = [
            [row[1], row.deals, Estimate(row.imps, np.nan, row.lo, row.hi, row.deals, self.confidence)
             if row.hi == row.hi else row.imps, row.total]
            for row in frame.head(MAX_ROWS).itertuples()
        ]  # fmt: skip
        if (more := len(frame) - len(rows)) > 0:
            heading += f"; {format_count(more)} more in the frame"
        return Table(columns, rows, heading)

    def _tabulate_boards(self) -> list[Table]:
        chosen = self._choose_boards(N_BOARDS)
        if not len(chosen):
            return []
        columns = [
            Column("deal", kind="cards"), Column("first", self.names[0], "text"),
            Column("second", self.names[1], "text"), Column("imps", "IMPs", sign=True, decimals=0),
        ]  # fmt: skip
        return [
            Table(columns, [self._describe_board(int(row)) for row in chosen], "The boards that decide most")
        ]

    def _describe_board(self, row: int) -> list[Any]:
        """Return a deal, the auction of each room with the score of north-south, and the IMPs."""
        texts = [
            f"{room.bidden.auctions[row].replace('P P P P', 'passed out')}, {int(room.points[0, row]):+d}"
            for room in self.rooms
        ]
        (deal,) = self.rooms[0].bidden.deals[row : row + 1].to_pbn()
        return [deal, *texts, float(self.gains[row])]

    def _list_notes(self) -> list[Note]:
        is_corrected = len(self.rooms[0].points) > 1
        tricks = (
            f"Tricks are double dummy, corrected by the mean difference at the table ({SOURCE})."
            if is_corrected
            else f"{BIAS[0].upper()}{BIAS[1:]}; real_play=True corrects this."
        )
        return [
            "Each deal is bid twice: north-south have the first system in one room, the second in the other.",
            f"In brackets: {format_level(self.confidence)} intervals; those of a table are simultaneous.",
            tricks,
        ]


def _name_parting(before: list[str], ours: str, theirs: str) -> str:
    """Return where auctions diverge: a context as in system files, and the calls; "" if they are equal."""
    if not ours:
        return ""
    context = name_context(before).removeprefix("opening").removeprefix("after ")
    return f"{context} {ours} / {theirs}".strip()


def _name_opening(before: list[str], ours: str, theirs: str) -> str:
    """Return the opening, or both openings if they differ; "" if all pass in both rooms."""
    opening = next((call for call in before if call != PASS), "")
    return opening or (f"{ours} / {theirs}" if ours else "")


def plot_openings(comparison: SystemComparison, place: Any) -> Any:
    """Draw what the first system gains on the deals of each opening, with simultaneous intervals."""
    first, second = comparison.names
    shown = comparison.frame.head(MAX_ROWS)
    with open_frame(place, height=1.7 + ROW * len(shown)) as frame:
        gain = Quantity(comparison.imps, sign=True).format()
        lines = f"Lines: {format_level(comparison.confidence)} intervals, simultaneous"
        frame.write(
            f"{first} against {second}: {gain.value} IMPs per board ({gain.interval})",
            "IMPs of the first system on a deal of an opening; 1NT / P: it opens 1NT, the second passes",
            f"{format_count(len(comparison), 'deal')}, double dummy. {lines}; openings of fewer than "
            f"{MIN_GROUP} deals have none.",
        )
        (panel,) = frame.add_panels()
        frame.name_rows(panel, [f"{row.opening}, {format_count(row.deals)}" for row in shown.itertuples()])
        ends = shown[["lo", "hi", "imps"]].to_numpy()
        low, high = (np.nanmin(ends), np.nanmax(ends)) if len(shown) else (-1.0, 1.0)
        frame.scale(panel.xaxis, min(0.0, low), max(0.0, high), sign=True)
        panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        for y, row in enumerate(shown.itertuples()):
            is_bounded = row.lo == row.lo
            lo, hi = (row.lo, row.hi) if is_bounded else (row.imps, row.imps)
            draw_whisker(panel, row.imps, lo, hi, y, get_color("data"))
        return frame.ax

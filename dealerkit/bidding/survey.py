"""Auctions of an archive compared with several systems: calls explained, likely systems, competition."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.bidding.calls import PASS, read_calls
from dealerkit.bidding.explanations import ExplainedAuctions, ExplainedCall, explain_auctions, read_boards
from dealerkit.bidding.systems import System, list_systems, system
from dealerkit.cards.names import SEATS, seat_number
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import long_work
from dealerkit.statistics import Estimate, proportion

if TYPE_CHECKING:
    import pandas as pd

POSITIONS = (
    "opening", "response", "opener's rebid", "later calls", "over their opening", "partner of an overcaller",
    "opening side over a call of theirs", "later calls, both sides bid",
)  # fmt: skip
MAX_ROWS = 15
MIN_PAIR_CALLS = 30  # calls that a pair needs before a likely system is named
_LEAST = 0.5  # share among calls that only one of two systems makes, if neither is likelier


@limit_repr
@dataclass(frozen=True, eq=False)
class AuctionSurvey(Shown):
    """Auctions of boards compared with several systems, as `survey_auctions` returns it.

    A system explains a call if it has a context there and the hand meets a line of the call, even if an
    earlier line takes precedence. Calls that no system says anything about, most of them passes, are left
    out.

    Attributes
    ----------
    explained : dict of str to ExplainedAuctions
        By the title of the system: all calls, with the system's own.
    n_boards : int
        Number of boards whose auctions were read.
    pairs : tuple of (str, str)
        For each board, the names of north-south and of east-west; "" if unknown.
    competition : DataFrame
        Rows for passed out, one side bids, both sides bid: `boards`, `share` with `lo` and `hi`, the mean
        `level` of the last bid, and the share of doubled contracts, `doubled`.

    Examples
    --------
    >>> import dealerkit as dk
    >>> bidden = dk.bid_out(dk.deal(200, seed=1), "precision", dealer="north")
    >>> survey = dk.survey_auctions(bidden.deals, auctions=bidden.auctions, dealer="north")
    >>> survey.n_boards, list(survey.explained)
    (200, ['Acol', 'Precision', 'SAYC', 'Two over one'])
    """

    explained: dict[str, ExplainedAuctions] = field(repr=False)
    n_boards: int
    pairs: tuple[tuple[str, str], ...] = field(repr=False)
    competition: pd.DataFrame = field(repr=False)

    def __repr__(self) -> str:
        return f"<AuctionSurvey: {format_count(self.n_boards, 'board')}, {join_words(self.explained)}>"

    @property
    def best(self) -> str:
        """The system that explains the largest share of all calls."""
        return max(self.explained, key=lambda name: int(self._is_explained[name].sum()))

    @cached_property
    def _positions(self) -> np.ndarray:
        """The position of each call, as an index into `POSITIONS`."""
        return np.array([_find_position(each.after) for each in self._calls])

    @cached_property
    def _chosen(self) -> np.ndarray:
        """The numbers of the calls that some system says something about."""
        known = [[each.status != "no context" for each in result.calls] for result in self.explained.values()]
        return np.flatnonzero(np.any(known, axis=0))

    @cached_property
    def _calls(self) -> list[ExplainedCall]:
        """These calls, whose boards, seats and calls so far are the same for each system."""
        calls = next(iter(self.explained.values())).calls
        return [calls[number] for number in self._chosen]

    @cached_property
    def _is_explained(self) -> dict[str, np.ndarray]:
        """Whether a system explains each of these calls."""
        return {
            name: np.array(
                [result.calls[number].status in ("same call", "meaning met") for number in self._chosen], bool
            )
            for name, result in self.explained.items()
        }

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The share that each system explains, as from `by_position`."""
        return self.by_position()

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def by_position(self) -> pd.DataFrame:
        """Return the share of the calls that each system explains, by position in the auction.

        Returns
        -------
        DataFrame
            `position`, `system`, `calls`, `explained`, and `share`, the explained share, with the 95 %
            interval `lo` to `hi`, in which calls of the same board count as independent.
        """
        import pandas as pd

        rows = []
        for number, position in enumerate(POSITIONS):
            chosen = np.flatnonzero(self._positions == number)
            if not len(chosen):
                continue
            for name, truth in self._is_explained.items():
                n_explained = int(truth[chosen].sum())
                share = proportion(n_explained, len(chosen))
                rows.append((position, name, len(chosen), n_explained, share.value, share.lo, share.hi))
        columns = ["position", "system", "calls", "explained", "share", "lo", "hi"]
        return pd.DataFrame(rows, columns=columns)

    def by_pair(self) -> pd.DataFrame:
        """Return the likely system of each pair named in the boards, the pair with most calls first.

        Returns
        -------
        DataFrame
            `pair`, `calls`, `system` (the one that explains most), its `share`, the `next` system with its
            `next_share`; `decided`, the number of calls that exactly one of these two explains, and `lo`, the
            lower end of the 95 % interval of the share of them that the first explains. `likely` is the first
            system if `lo` exceeds one half and there are at least 30 calls, otherwise "".
        """
        import pandas as pd

        by_pair: dict[str, list[int]] = {}
        for number, each in enumerate(self._calls):
            name = self.pairs[each.row][SEATS.index(each.seat) % 2]
            if name:
                by_pair.setdefault(name, []).append(number)
        rows = []
        for pair, numbers in sorted(by_pair.items(), key=lambda item: -len(item[1])):
            counts = {name: int(truth[numbers].sum()) for name, truth in self._is_explained.items()}
            order = sorted(counts, key=lambda name: -counts[name])
            first, other = order[0], order[1] if len(order) > 1 else ""
            row: list[Any] = [pair, len(numbers), first, counts[first] / len(numbers), other]
            n_decided, low = 0, np.nan
            if other:
                ours, theirs = (self._is_explained[name][numbers] for name in (first, other))
                n_decided = int((ours != theirs).sum())
                low = proportion(int((ours & ~theirs).sum()), n_decided).lo if n_decided else np.nan
                row.append(counts[other] / len(numbers))
            else:
                row.append(np.nan)
            is_likely = len(numbers) >= MIN_PAIR_CALLS and (not other or low > _LEAST)
            rows.append((*row, n_decided, low, first if is_likely else ""))
        columns = ["pair", "calls", "system", "share", "next", "next_share", "decided", "lo", "likely"]
        return pd.DataFrame(rows, columns=columns)

    def unexplained(self) -> pd.DataFrame:
        """Return the calls that no line of any system explains, the most frequent first.

        Returns
        -------
        DataFrame
            `position`, `after` (the calls so far, as the player sees them), `call`, `count`, and `row`, the
            row of the first such board.
        """
        import pandas as pd

        chosen = np.flatnonzero(~np.any(list(self._is_explained.values()), axis=0))
        counts: Counter[tuple[str, str, str]] = Counter()
        first: dict[tuple[str, str, str], int] = {}
        for number in chosen.tolist():
            each = self._calls[number]
            after = each.after.removeprefix("after ").removeprefix("as opening")
            key = POSITIONS[self._positions[number]], after, each.call
            counts[key] += 1
            first.setdefault(key, each.row)
        rows = [(*key, count, first[key]) for key, count in counts.most_common()]
        return pd.DataFrame(rows, columns=["position", "after", "call", "count", "row"])

    # ------------------------------------------------------------ the card
    def card(self) -> Card:
        """The card: shares by position and by pair, competition, and calls that no system explains."""
        n_calls = len(self._calls)
        verdict: Note = "No system says anything about these auctions."
        if n_calls:
            share = Quantity(float(self._is_explained[self.best].mean()), "share", decimals=1)
            verdict = [f"{self.best} explains most: ", share, f" of {format_count(n_calls, 'call')}."]
        tables = [self._tabulate_positions(), self._tabulate_competition()]
        pairs = self.by_pair()
        if len(pairs):
            tables.append(self._tabulate_pairs(pairs))
        missing = self.unexplained()
        if len(missing):
            tables.append(self._tabulate_unexplained(missing))
        n_left_out = len(next(iter(self.explained.values())).calls) - n_calls
        notes = [
            "A call is explained if the hand meets a line of the system for it. Left out: "
            f"{format_count(n_left_out, 'call')} about which no system says anything.",
            "A system is likely if it explains more than half of the calls that only one of the two "
            "explains, at 95 %.",
        ]
        skipped = next(iter(self.explained.values())).skipped
        if skipped:
            notes.append(
                f"{format_count(len(skipped), 'board')} left out, the first of which is number "
                f"{skipped[0][0] + 1}: {skipped[0][1]}."
            )
        charts = [Chart("positions", lambda place: plot_positions(self, place))] if n_calls else []
        population = [format_count(self.n_boards, "board")]
        return Card(
            "Auctions against systems", verdict, population, tables=tables, notes=notes, charts=charts
        )

    def _tabulate_positions(self) -> Table:
        columns = [Column("position", kind="name"), Column("calls", kind="count")]
        columns += [
            Column(f"system_{k}", f"{name}, %", kind="percent", decimals=1)
            for k, name in enumerate(self.explained)
        ]
        rows: list[list[Any]] = [["all calls", len(self._calls)]]
        rows[0] += [float(truth.mean()) if len(truth) else 0.0 for truth in self._is_explained.values()]
        for position, part in self.frame.groupby("position", sort=False):
            rows.append([position, int(part.calls.iloc[0]), *part.share.tolist()])
        return Table(columns, rows, "Calls that each system explains")

    def _tabulate_competition(self) -> Table:
        columns = [
            Column("boards_with", "", kind="name"), Column("boards", kind="count"),
            Column("share", kind="share", interval="beside"), Column("level", "mean level", decimals=2),
            Column("doubled", "doubled, %", kind="percent", decimals=1),
        ]  # fmt: skip
        rows = []
        for row in self.competition.itertuples():
            share = Estimate(row.share, np.nan, row.lo, row.hi, self.n_boards, 0.95)
            is_bid = row.level == row.level
            rows.append(
                [
                    row.kind, row.boards, share, row.level if is_bid else "", row.doubled if is_bid else "",
                ]
            )  # fmt: skip
        return Table(columns, rows, "Competition")

    def _tabulate_pairs(self, pairs: pd.DataFrame) -> Table:
        columns = [
            Column("pair", kind="name"), Column("calls", kind="count"), Column("system", kind="name"),
            Column("share", "explained, %", kind="percent", decimals=1), Column("next", kind="name"),
            Column("next_share", "explained, %", kind="percent", decimals=1),
            Column("decided", "calls that decide", kind="count", optional=1), Column("likely", kind="name"),
        ]  # fmt: skip
        rows = [
            [row.pair, row.calls, row.system, row.share, row.next, row.next_share if row.next else "",
             row.decided, row.likely or "not clear"]
            for row in pairs.head(MAX_ROWS).itertuples()
        ]  # fmt: skip
        heading = "Likely systems of pairs"
        if (more := len(pairs) - len(rows)) > 0:
            heading += f"; {format_count(more)} more in by_pair()"
        return Table(columns, rows, heading)

    def _tabulate_unexplained(self, missing: pd.DataFrame) -> Table:
        columns = [
            Column("after", kind="name"), Column("call", kind="name"), Column("count", kind="count"),
            Column("board", "first board", kind="label"),
        ]  # fmt: skip
        shown = missing.head(MAX_ROWS)
        listed = zip(*(shown[name] for name in ("after", "call", "count", "row")), strict=True)
        rows = [[after or "opening", call, count, str(row + 1)] for after, call, count, row in listed]
        return Table(columns, rows, "Calls that no line of any system explains")


def _find_position(after: str) -> int:
    """Return the position of a call, from the calls so far as its player sees them.

    >>> POSITIONS[_find_position("after (1H)")], POSITIONS[_find_position("as opening")]
    ('over their opening', 'opening')
    """
    words = after.removeprefix("after ").split()
    if after == "as opening" or not words:
        return 0
    ours = [word for word in words if not word.startswith("(")]
    n_theirs = len(words) - len(ours)
    opened = not words[0].startswith("(")
    if opened and not n_theirs:
        return min(len(ours), 3)
    if opened:
        return 6 if len(ours) == 1 else 7
    n_bids = sum(word != PASS for word in ours)
    if not n_bids:
        return 4
    return 5 if n_bids == 1 and n_theirs == 1 and ours[-1] != PASS else 7


@long_work
def survey_auctions(
    boards: Any, systems: Sequence[str | os.PathLike[str] | System] | None = None, *,
    auctions: Sequence[str] | None = None, dealer: int | str | None = None,
) -> AuctionSurvey:  # fmt: skip
    """Compare the auctions of an archive with several systems: by position, by pair, and its competition.

    Parameters
    ----------
    boards : Library or Deals
        Result of `read` for a file with auctions, or deals. Names of players identify pairs.
    systems : sequence of str, os.PathLike or System, optional
        By default all included systems. Each is tried for both sides.
    auctions : sequence of str, optional
        The auction of each deal: all calls in turn from the dealer on, as in PBN.
    dealer : int or str, optional
        Dealer, if the boards do not give one.

    Returns
    -------
    AuctionSurvey

    Raises
    ------
    ArgumentError
        Boards have no auctions, there is no system, or two systems have the same title.

    See Also
    --------
    dealerkit.System.explains : All calls beside those of one system.

    Examples
    --------
    >>> import dealerkit as dk
    >>> deals = dk.deal(100, seed=1).number_boards()
    >>> survey = dk.survey_auctions(deals, auctions=dk.bid_out(deals, "acol", "acol").auctions)
    >>> survey.best
    'Acol'
    """
    names = list_systems() if systems is None else systems
    if isinstance(names, str | System) or not isinstance(names, Sequence) or not names:
        raise ArgumentError(f"systems is {quote(names)}; give a list of names, files or systems")
    found = [system(name) for name in names]
    titles = [each.title for each in found]
    if len(set(titles)) < len(titles):
        raise ArgumentError(
            f"two of these systems have the same title: {', '.join(titles)}; give each its own"
        )
    first = None if dealer is None else seat_number(dealer)
    deals, texts, dealers = read_boards(boards, auctions, first)
    explained = {each.title: explain_auctions(deals, texts, (each, each), dealers) for each in found}
    own = next(iter(explained.values()))
    left_out = {row for row, _ in own.skipped}
    auctions_read = [read_calls(text) for row, text in enumerate(texts) if row not in left_out]
    return AuctionSurvey(
        explained, own.n_boards, _name_pairs(boards, len(deals)), _measure_competition(auctions_read)
    )


def _name_pairs(boards: Any, n: int) -> tuple[tuple[str, str], ...]:
    """Return the names of both pairs of each board, in alphabetical order; "" if a name is missing."""
    texts = getattr(boards, "texts", {})
    columns = [texts.get(seat) for seat in SEATS]
    if any(column is None for column in columns):
        return (("", ""),) * n
    pairs = []
    for row in range(n):
        names = [str(column[row] or "").strip() for column in columns if column is not None]
        pairs.append((_join_names(names[0], names[2]), _join_names(names[1], names[3])))
    return tuple(pairs)


def _join_names(first: str, second: str) -> str:
    return " and ".join(sorted((first, second))) if first and second else ""


def _measure_competition(auctions: Sequence[tuple[str, ...]]) -> pd.DataFrame:
    """Return how often nobody, one side or both sides bid or double, and the level of the last bid."""
    import pandas as pd

    kinds = ("passed out", "one side bids", "both sides bid")
    of_kind: dict[str, list[tuple[int, bool]]] = {kind: [] for kind in kinds}
    for calls in auctions:
        sides = {number % 2 for number, call in enumerate(calls) if call != PASS}
        bids = [call for call in calls if call[0].isdigit()]
        last = next((call for call in reversed(calls) if call != PASS), PASS)
        of_kind[kinds[len(sides)]].append((int(bids[-1][0]) if bids else 0, last in ("X", "XX")))
    rows = []
    for kind, own in of_kind.items():
        share = proportion(len(own), max(len(auctions), 1))
        level, doubled = np.nan, np.nan
        if own and kind != "passed out":
            level = float(np.mean([level for level, _ in own]))
            doubled = float(np.mean([is_doubled for _, is_doubled in own]))
        rows.append((kind, len(own), share.value, share.lo, share.hi, level, doubled))
    return pd.DataFrame(rows, columns=["kind", "boards", "share", "lo", "hi", "level", "doubled"])


def plot_positions(survey: AuctionSurvey, place: Any) -> Any:
    """Draw the share of the calls in each position that the systems explain, with 95 % intervals."""
    from dealerkit.charts.panels import draw_whisker, label_series, mark_series, open_frame
    from dealerkit.charts.style import N_SERIES

    names = list(survey.explained)
    counts = survey.frame.groupby("position", sort=False).calls.first()
    positions = list(counts.index)
    with open_frame(place, height=1.7 + 0.14 * len(positions) * (len(names) + 1)) as frame:
        frame.write(
            "Calls that systems explain",
            "share of the calls in each position",
            f"{format_count(survey.n_boards, 'board')}. Lines: 95 % intervals.",
        )
        (panel,) = frame.add_panels()
        frame.name_rows(panel, [f"{each}, {format_count(int(counts[each]))}" for each in positions])
        for number, name in enumerate(names):
            own = survey.frame[survey.frame.system == name].set_index("position")
            mark = mark_series(number % N_SERIES)
            for row, position in enumerate(positions):
                y = row + (number - (len(names) - 1) / 2) * 0.8 / len(names)
                value, lo, hi = (100 * float(own.loc[position, column]) for column in ("share", "lo", "hi"))
                draw_whisker(panel, value, lo, hi, y, mark["color"], **mark)
        frame.scale(panel.xaxis, max(0.0, 100 * float(survey.frame.lo.min()) - 5), 100, unit=" %")
        if len(names) <= N_SERIES:
            label_series(panel, names)
        return frame.ax

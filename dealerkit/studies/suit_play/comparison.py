"""Two named lines of a suit compared: the layouts in which one makes more tricks than the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note, format_note
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.charts.panels import draw_whisker, label_end, open_frame
from dealerkit.charts.style import get_color

ROW = 0.3  # inches for a row of the plot
MOST_ROWS = 12  # layouts in a plot

if TYPE_CHECKING:
    import pandas as pd


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class LineComparison(Shown):
    """Two lines of play of a suit, as `SuitPlay.compare` returns them.

    Attributes
    ----------
    title : str
        The cards.
    names : tuple of two str
    outcomes : ndarray of int [2, worlds]
        Tricks of each line in each layout, against the best defence.
    shares : ndarray of float [worlds]
        Probabilities of the layouts.
    holdings : sequence of (str, str)
        The cards of west and of east in each layout.
    level : int or None
        The number of tricks that is needed, for which the play continues after the words end; None: the mean.

    Examples
    --------
    >>> import dealerkit as dk
    >>> play = dk.suit("AQT96", "8754", tricks=4)
    >>> lines = play.compare("cash the ace; low to the queen", "low to the queen")
    >>> [round(share, 4) for share in (lines.wins, lines.losses)]
    [0.0622, 0.2657]
    """

    title: str
    names: tuple[str, str]
    outcomes: np.ndarray
    shares: np.ndarray
    holdings: Sequence[tuple[str, str]]
    level: int | None = None

    @property
    def wins(self) -> float:
        """The share of layouts in which the first line makes more tricks, 0 to 1."""
        return float((self.outcomes[0] > self.outcomes[1]) @ self.shares)

    @property
    def losses(self) -> float:
        """The share of layouts in which the second line makes more tricks, 0 to 1."""
        return float((self.outcomes[0] < self.outcomes[1]) @ self.shares)

    @property
    def chances(self) -> tuple[dict[int, float], dict[int, float]]:
        """The probability of at least each number of tricks, for both lines."""
        first, second = (
            {
                level: float((outcomes >= level) @ self.shares)
                for level in range(1, int(self.outcomes.max(initial=0)) + 1)
            }
            for outcomes in self.outcomes
        )
        return first, second

    @property
    def means(self) -> tuple[float, float]:
        """The mean numbers of tricks."""
        return float(self.outcomes[0] @ self.shares), float(self.outcomes[1] @ self.shares)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each layout in which the lines make different numbers of tricks.

        - west, east: their cards; x is a small card
        - probability: 0 to 1
        - first, second: tricks of the two lines
        """
        import pandas as pd

        rows = self._list_differences()
        return pd.DataFrame(rows, columns=["west", "east", "probability", "first", "second"])

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def _list_differences(self) -> list[list[Any]]:
        """Return a row for each layout in which the lines differ: gains of the first, then of the second."""
        differ = np.flatnonzero((self.outcomes[0] != self.outcomes[1]) & (self.shares > 0))
        gain = self.outcomes[0] - self.outcomes[1]
        order = sorted(differ.tolist(), key=lambda world: (-int(np.sign(gain[world])), -self.shares[world]))
        return [
            [*self.holdings[world], float(self.shares[world]), *self.outcomes[:, world].tolist()]
            for world in order
        ]

    def card(self) -> Card:
        """The card: both lines, then the layouts in which they differ."""
        levels = list(self.chances[0])[-4:]
        columns = [
            Column("line", kind="sentence"),
            *(Column(f"at_least_{level}", f"≥ {level}", "share", decimals=1) for level in levels),
            Column("mean", kind="value", decimals=3),
            Column("wins", "more tricks than the other", "share", decimals=1),
        ]
        rows = [
            [name, *(chances[level] for level in levels), mean, share]
            for name, chances, mean, share in zip(
                self.names, self.chances, self.means, (self.wins, self.losses), strict=True
            )
        ]
        layouts = [
            Column("west", kind="cards"),
            Column("east", kind="cards"),
            Column("probability", kind="share", decimals=2),
            Column("first", "first line", "count"),
            Column("second", "second line", "count"),
        ]
        goal = "most tricks on average" if self.level is None else f"{self.level} tricks"
        tables = [
            Table(columns, rows),
            Table(layouts, self._list_differences(), "Layouts in which they differ"),
        ]
        note = f"What the lines leave open is played for {goal}, against the best defence in each layout."
        charts = [Chart("layouts", partial(_draw_layouts, self))] if tables[1].rows else []
        return Card(self.title, self._summarize(), tables=tables, charts=charts, notes=[note])

    def _summarize(self) -> Note:
        """Return how often each line makes more tricks."""
        first, second = Quantity(self.wins, "share", decimals=1), Quantity(self.losses, "share", decimals=1)
        return (f"{self.names[0]}: more tricks in ", first, f"; {self.names[1]}: more in ", second, ".")

    def __repr__(self) -> str:
        return f"<LineComparison of {self.title}: {format_note(self._summarize())}>"


def _draw_layouts(lines: LineComparison, ax: Any) -> Any:
    """Draw the probabilities of the layouts in which the lines differ: gains of the first to the right."""
    rows = lines._list_differences()
    shown = sorted(rows, key=lambda row: -row[2])[:MOST_ROWS]
    shown = [row for row in rows if row in shown]  # in the order of the table
    with open_frame(ax, height=2.0 + ROW * len(shown)) as frame:
        first, second = (
            f"{name}: more tricks in {format_share(share)}"
            for name, share in zip(lines.names, (lines.wins, lines.losses), strict=True)
        )
        rest = sum(row[2] for row in rows) - sum(row[2] for row in shown)
        rare = f" Other layouts: {format_share(rest)}." if len(rows) > len(shown) else ""
        frame.write(
            lines.title, f"To the right, {first}. To the left, {second}.",
            f"Probabilities of the layouts of west and east in which the lines differ.{rare}",
        )  # fmt: skip
        (panel,) = frame.add_panels()
        frame.name_rows(panel, [f"{west} | {east}" for west, east, *_ in shown])
        # Each dot has its number, so the axis, with probabilities on both sides of 0, has none
        largest = 100 * max(row[2] for row in shown)
        has_gains, has_losses = (any(side * (row[3] - row[4]) > 0 for row in shown) for side in (1, -1))
        panel.set_xlim(-1.4 * largest * has_losses, 1.25 * largest * has_gains)
        panel.set_xticks([])
        panel.spines["bottom"].set_visible(False)
        panel.axvline(0, color=get_color("rule"), linewidth=1, zorder=1)
        for y, (_, _, probability, tricks, other_tricks) in enumerate(shown):
            draw_share(panel, probability, y, side=1 if tricks > other_tricks else -1)
        return frame.ax


def draw_share(panel: Any, share: float, y: float, side: int = 1) -> None:
    """Draw a share as a dot with its number, on a line from 0; to the left if `side` is -1."""
    percent = 100 * side * share
    panel.plot([0, percent], [y, y], color=get_color("rule"), linewidth=1, zorder=2)
    draw_whisker(panel, percent, percent, percent, y, get_color("data"))
    label_end(panel, format_share(share), percent, y, side)


def format_share(share: float) -> str:
    r"""Return a share in per cent, with a blank at which no line ends.

    >>> format_share(0.6875)
    '68.8\xa0%'
    """
    return Quantity(float(share), "share", decimals=1).format().value

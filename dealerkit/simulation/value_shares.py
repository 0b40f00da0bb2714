"""The values of an expression over deals and the share of each, shown as a card with a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Code, Note, show_condition
from dealerkit.appearance.drawings import ShareBar
from dealerkit.appearance.numbers import format_count, format_level, format_significant
from dealerkit.appearance.table import Column, Interval, Table

if TYPE_CHECKING:
    import pandas as pd

EXACT_DECIMALS = 4  # decimals of shares in per cent
LEAST_SHARE = 0.0005  # values with smaller shares are left out at the ends of a plot
MOST_ROWS = 40  # largest number of rows of the table in a notebook
HEIGHT = 4.0


@dataclass(frozen=True, eq=False, repr=False)
class ValueShares(Shown):
    """The values of an expression and the probability of each.

    Attributes
    ----------
    values : ndarray [k]
        Integers, truth values or reals, rising.
    counts : list of int [k]
        Number of deals with each value.
    share, cumulative, lo, hi : ndarray of float64 [k]
        Its share of all deals, that of all values up to it, and the ends of the interval of the share.
    exact : bool
        Whether all deals were counted.
    n : int
        Number of all deals, or of those dealt.
    mean, sd : float
        Mean and standard deviation of the values.
    expression : str
    given : str or None
    confidence : float
        Confidence level of the intervals.
    call : str
        The call of `dealerkit.distribution` that computes the table again.
    """

    values: np.ndarray
    counts: Sequence[int]
    share: np.ndarray
    cumulative: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    exact: bool
    n: int
    mean: float
    sd: float
    expression: str
    given: str | None
    confidence: float
    call: str

    def card(self) -> Card:
        """The contents of the card, as data."""
        mean, sd = (format_significant(value, 5 if self.exact else 3) for value in (self.mean, self.sd))
        deals = format_count(self.n, "deal")
        level = f"; {format_level(self.confidence)} intervals"
        population = f"Exact, of {deals}" if self.exact else f"{deals} dealt{level}"
        about: list[Note] = [f"{population}. Mean {mean}, standard deviation {sd}."]
        if self.given:
            about.append(("Given: ", show_condition(self.given), "."))
        columns = [
            Column("value", kind="label"),
            Column("bar", "share of deals", "drawing"),
            Column("share", kind="share", decimals=EXACT_DECIMALS if self.exact else None, strong=True),
            Column("cumulative", "up to here", "share", like="share", interval="none", optional=1),
        ]
        rows: list[list[Any]] = []
        for value, share, up_to, low, high in zip(
            self.values.tolist(), self.share.tolist(), self.cumulative.tolist(), self.lo, self.hi, strict=True
        ):
            ends = (-np.inf, np.inf) if self.exact else (low, high)
            interval = Interval(share, ends[0], ends[1], False, self.confidence)
            label = f"{value}" if isinstance(value, bool) else value
            rows.append([label, ShareBar(interval), share if self.exact else interval, up_to])
        order = ("value", "share", "cumulative", "bar")
        return Card(
            Code(self.expression),
            about=about,
            tables=[Table(columns, rows, text_order=order, most_rows=MOST_ROWS)],
            charts=[Chart("shares", self._draw, HEIGHT)],
            provenance=[("call", self.call)],
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the table with the values as a column."""
        import pandas as pd

        total = sum(self.counts)
        fractions = [Fraction(count, total) if self.exact else None for count in self.counts]
        return pd.DataFrame({
            "value": self.values, "count": np.array(self.counts, dtype=object), "share": self.share,
            "cumulative": self.cumulative, "fraction": np.array(fractions, dtype=object),
            "lo": self.lo, "hi": self.hi,
        })  # fmt: skip

    def _draw(self, place: Any) -> Any:
        from dealerkit.charts.panels import open_frame
        from dealerkit.charts.style import get_color, get_share

        share = self.share
        large = np.flatnonzero(share >= LEAST_SHARE)
        kept = slice(large[0], large[-1] + 1) if len(large) else slice(None)
        labels = [f"{value}" for value in self.values[kept]]
        with open_frame(place, height=HEIGHT) as frame:
            level, name = format_level(self.confidence), self.expression
            notes = ["Exact" if self.exact else f"{format_count(self.n, 'deal')}; {level} intervals"]
            if len(labels) < len(share):
                notes.append("values with a share below 0.05 % at the ends are left out")
            frame.write(name, "share of deals", f"{'; '.join(notes)}.")
            (panel,) = frame.add_panels(lines=True)
            x = np.arange(len(labels))
            panel.bar(x, 100 * share[kept], 0.86, color=get_color("data"), alpha=get_share("bar"))
            if not self.exact:
                ends = (100 * end[kept] for end in (self.lo, self.hi))
                panel.vlines(x, *ends, color=get_color("text"), linewidth=1.1, zorder=3)
            values = np.asarray(self.values[kept], float)
            step = np.diff(values).min() if len(values) > 1 else 1.0
            frame.name(panel.xaxis, labels, values=np.rint(values / step).astype(int).tolist())
            panel.set_xlim(-0.7, len(labels) - 0.3)
            panel.set_xlabel(name if len(name) < 60 else "value")
            frame.number(panel.yaxis, unit=" %")
            panel.set_ylim(bottom=0)
            return frame.ax

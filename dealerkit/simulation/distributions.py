"""The distribution of an expression over deals: a table of its values, shown as a card with a chart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Code, Note, Place
from dealerkit.appearance.drawings import ShareBar
from dealerkit.appearance.numbers import format_count, format_level, format_significant
from dealerkit.appearance.table import Column, Interval, Table

EXACT_DECIMALS = 4  # of shares in per cent
LEAST_SHARE = 0.0005  # of values at the ends of a plot
MOST_ROWS = 40  # of the table in a notebook
HEIGHT = 4.0


class Distribution(pd.DataFrame):
    """The values of an expression and the probability of each, as `dealerkit.distribution` returns them.

    It is a DataFrame that is shown as a card, with a chart. What is computed from it is a plain DataFrame.
    """

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def card(self) -> Card:
        """Return what is shown of the distribution, as data."""
        exact, n = self.attrs["exact"], self.attrs["n"]
        mean, sd = (format_significant(self.attrs[name], 5 if exact else 3) for name in ("mean", "sd"))
        population = f"exact, of {format_count(n, 'deal')}" if exact else f"{format_count(n, 'deal')} dealt"
        level = "" if exact else f"; {format_level(self.attrs['confidence'])} intervals"
        about: list[Note] = [f"{population.capitalize()}{level}. Mean {mean}, standard deviation {sd}."]
        if self.attrs["given"]:
            about.append(("Given: ", Code(" ".join(self.attrs["given"].split())), "."))
        columns = [
            Column("value", kind="label"),
            Column("bar", "share of deals", "drawing"),
            Column("share", kind="share", decimals=EXACT_DECIMALS if exact else None, strong=True),
            Column("cumulative", "up to here", "share", like="share", interval="none", optional=1),
        ]
        rows: list[list[Any]] = []
        for row in self.itertuples():
            ends = (-np.inf, np.inf) if exact else (row.lo, row.hi)
            interval = Interval(row.share, ends[0], ends[1], False, self.attrs["confidence"])
            share = row.share if exact else interval
            rows.append([f"{row.Index}", ShareBar(interval), share, row.cumulative])
        order = ("value", "share", "cumulative", "bar")
        return Card(
            Code(self.attrs["expression"]),
            about=about,
            tables=[Table(columns, rows, text_order=order, most_rows=MOST_ROWS)],
            charts=[Chart("shares", self._draw, HEIGHT)],
            provenance=[("call", self.attrs["call"])],
        )

    @property
    def text(self) -> str:
        """The distribution as text."""
        return self.card().to_text()

    def to_text(self, width: Any = None) -> str:
        """Return the distribution as text; see `Card.to_text`."""
        return self.card().to_text(width)

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment

        drawn = f'<div class="dk-report">{self.card().to_html(complete=False)}</div>'
        return render_fragment(drawn, self.text)

    def plot(
        self, ax: Any = None, *, figsize: tuple[float, float] | None = None, title: str | None = None
    ) -> Any:
        """Plot the share of each value.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            In place of the title that the plot has by itself.

        Returns
        -------
        matplotlib Axes
        """
        return self._draw(Place(ax, figsize, title))

    def _draw(self, place: Any) -> Any:
        from dealerkit.charts.panels import open_frame
        from dealerkit.charts.style import get_color, get_share

        share = self["share"].to_numpy(float)
        large = np.flatnonzero(share >= LEAST_SHARE)
        kept = slice(large[0], large[-1] + 1) if len(large) else slice(None)
        labels = [f"{value}" for value in self.index[kept]]
        with open_frame(place, height=HEIGHT) as frame:
            n, exact, name = self.attrs["n"], self.attrs["exact"], self.attrs["expression"]
            level = format_level(self.attrs["confidence"])
            notes = ["Exact" if exact else f"{format_count(n, 'deal')}; {level} intervals"]
            if len(labels) < len(share):
                notes.append("values with a share below 0.05 % at the ends are left out")
            frame.write(name, "share of deals", f"{'; '.join(notes)}.")
            (panel,) = frame.add_panels(lines=True)
            x = np.arange(len(labels))
            panel.bar(x, 100 * share[kept], 0.86, color=get_color("data"), alpha=get_share("bar"))
            if not exact:
                ends = (100 * self[end].to_numpy(float)[kept] for end in ("lo", "hi"))
                panel.vlines(x, *ends, color=get_color("text"), linewidth=1.1, zorder=3)
            frame.name(panel.xaxis, labels)
            panel.set_xlim(-0.7, len(labels) - 0.3)
            panel.set_xlabel(name if len(name) < 60 else "value")
            frame.number(panel.yaxis, unit=" %")
            panel.set_ylim(bottom=0)
            return frame.ax

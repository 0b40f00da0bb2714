"""Plots of results: ranks, tricks against double dummy, the spread of a board, contracts, a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_count, format_level, format_number
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import draw_whisker, open_frame
from dealerkit.charts.style import get_color, get_share
from dealerkit.tournaments.clustered import LEAST_DEALS

if TYPE_CHECKING:
    import pandas as pd

ROW = 0.22  # inches
MOST_ROWS, MOST_CONTRACTS = 60, 20


def _name_shown(shown: Any, known: Any, which: str) -> str:
    """Return how many rows are shown, if not all are.

    >>> _name_shown(range(20), range(31), "best"), _name_shown([1], [1], "best")
    (', of which the 20 best are shown', '')
    """
    return f", of which the {len(shown)} {which} are shown" if len(shown) < len(known) else ""


def draw_ranks(frame: pd.DataFrame, names: Sequence[str], confidence: float, place: Any) -> Any:
    """Draw the rank of each pair with its interval."""
    import pandas as pd

    shown = frame.head(MOST_ROWS)
    with open_frame(place, height=1.6 + ROW * len(shown)) as plot:
        caption = f"{format_count(len(frame), 'pair')}{_name_shown(shown, frame, 'best')}."
        if frame.rank_lo.notna().any():
            caption += f" Lines: {format_level(confidence)} of the ranks in resampled boards."
        plot.write("Ranks", "1 is the best", caption)
        (panel,) = plot.add_panels()
        plot.name_rows(panel, [shorten(name, 44) for name in names[:MOST_ROWS]])
        panel.set_xlim(0.5, float(frame["rank"].max()) + 0.5)
        plot.number(panel.xaxis, integer=True)
        # A dot is the rank, and a line its interval.
        for y, row in enumerate(shown.itertuples()):
            has_interval = pd.notna(row.rank_lo)
            lo, hi = (float(row.rank_lo), float(row.rank_hi)) if has_interval else (row.rank, row.rank)
            draw_whisker(panel, float(row.rank), lo, hi, y, get_color("data"))
        return plot.ax


def draw_tricks(frame: pd.DataFrame, confidence: float, place: Any) -> Any:
    """Draw the mean of actual minus double-dummy tricks of each group with its interval."""
    shown = frame[frame.by.isin(["all", "level", "strain", "side"])]
    with open_frame(place, height=1.6 + ROW * len(shown)) as plot:
        caption = (
            f"Lines: {format_level(confidence)} intervals with deals as clusters; groups of fewer than "
            f"{LEAST_DEALS} deals have none."
        )
        plot.write("Actual minus double-dummy tricks", "Declarer's tricks, mean", caption)
        (panel,) = plot.add_panels()
        plot.name_rows(panel, shown.group.tolist())
        finite = shown[["lo", "hi", "mean"]].replace([np.inf, -np.inf], np.nan)
        plot.scale(panel.xaxis, min(0.0, finite.min().min()), max(0.0, finite.max().max()), sign=True)
        panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        # A dot is the mean, and a line its interval.
        for y, row in enumerate(shown.itertuples()):
            is_bounded = np.isfinite(row.lo) and np.isfinite(row.hi)
            ends = (row.lo, row.hi) if is_bounded else (row.mean, row.mean)
            draw_whisker(panel, row.mean, *ends, y, get_color("data"))
        return plot.ax


def draw_spread(title: str, rows: pd.DataFrame, solved: np.ndarray | None, place: Any) -> Any:
    """Draw how often each score of a board occurs, with par and double dummy if they are known.

    `solved` contains the scores that the same contracts have with double-dummy tricks; nan if unknown.
    """
    scores = rows.score_ns.dropna().to_numpy(float)
    expected = np.empty(0) if solved is None else solved[~np.isnan(solved)]
    values = np.unique(np.concatenate([scores, expected]))
    counts, marks = ((values[:, None] == numbers).sum(axis=1) for numbers in (scores, expected))
    with open_frame(place, height=1.8 + ROW * len(values)) as plot:
        par = rows.par_ns.dropna().tolist() if "par_ns" in rows else []
        notes = [f"{format_count(len(scores), 'result')}."]
        if len(expected):
            notes.append("Rings: the same contracts with double-dummy tricks.")
        if len(par):
            notes.append(f"Line: par, {format_number(float(par[0]), 0, sign=True)}.")
        plot.write(title, "Results for each score of north-south", " ".join(notes))
        (panel,) = plot.add_panels()
        plot.name_rows(panel, [format_number(value, 0, sign=True) for value in values[::-1]])
        # Bars are results, rings double dummy, and a line between the scores is par.
        panel.barh(
            range(len(values)), counts[::-1], height=0.7, color=get_color("data"), alpha=get_share("bar")
        )
        if len(expected):
            shown = np.flatnonzero(marks[::-1])
            panel.plot(
                marks[::-1][shown], shown, "o", color=get_color("exact"), markersize=6, fillstyle="none",
                clip_on=False,
            )  # fmt: skip
        panel.set_xlim(0, float(max(counts.max(), marks.max())) + 0.5)
        plot.number(panel.xaxis, integer=True)
        panel.set_xlabel("number of results")
        if len(par):
            above = int((values > float(par[0])).sum())
            is_equal = float(par[0]) in values
            panel.axhline(above - (0 if is_equal else 0.5), color=get_color("exact"), linewidth=1.4)
        return plot.ax


def draw_contracts(counts: pd.Series, place: Any) -> Any:
    """Draw how often each contract was played."""
    shown = counts.head(MOST_CONTRACTS)
    with open_frame(place, height=1.6 + ROW * len(shown)) as plot:
        caption = f"{format_count(int(counts.sum()), 'result')}, {format_count(len(counts), 'contract')}"
        caption += f"{_name_shown(shown, counts, 'most frequent')}."
        plot.write("Contracts", "Share of all results", caption)
        (panel,) = plot.add_panels()
        plot.name_rows(panel, [str(name) for name in shown.index])
        share = 100 * shown.to_numpy(float) / counts.sum()
        panel.barh(range(len(shown)), share, height=0.7, color=get_color("data"), alpha=get_share("bar"))
        plot.scale(panel.xaxis, 0, float(share.max()), unit=" %")
        return plot.ax


def draw_session(title: str, values: Sequence[float], is_percent: bool, place: Any) -> Any:
    """Draw the results of a pair board by board, with the mean so far."""
    numbers = np.asarray(values, float)
    means = np.cumsum(numbers) / np.arange(1, len(numbers) + 1)
    with open_frame(place, height=3.6) as plot:
        unit = "Share of the top" if is_percent else "IMPs"
        plot.write(title, unit, "Dots: boards. Line: the mean up to each.")
        (panel,) = plot.add_panels(lines=True)
        places = np.arange(1, len(numbers) + 1)
        # Draw the average, the boards, and the mean so far.
        average = 50.0 if is_percent else 0.0
        panel.axhline(average, color=get_color("rule"), linewidth=0.8)
        panel.plot(places, numbers, "o", color=get_color("quiet"), markersize=4, clip_on=False)
        panel.plot(places, means, color=get_color("data"), linewidth=1.6)
        plot.number(panel.xaxis, integer=True)
        panel.set_xlim(0.5, len(numbers) + 0.5)
        low, high = (
            (0.0, 100.0) if is_percent else (float(min(0, numbers.min())), float(max(0, numbers.max())))
        )
        plot.scale(panel.yaxis, low, high, sign=not is_percent, unit=" %" if is_percent else "")
        panel.set_xlabel("place of the board in the order of play")
        return plot.ax

"""Plots of studies of contracts: gains, make rates, and both by the values of an expression."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.plots.style import N_SERIES, get_color, in_style, list_series
from dealerkit.plots.svg import add_title, create_axes
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.wording import shorten

if TYPE_CHECKING:
    from dealerkit.studies.contracts.result import ContractStudy

LINES = ("-", "-", "--", "--")  # of the series
SHOWN = ("gain", "makes")
_GAINS = {
    "imps": "gain, IMPs a deal",
    "matchpoints": "gain, % of the matchpoints a deal",
    "total": "gain, points a deal",
}


@in_style
def plot_contracts(study: ContractStudy, ax: Any = None, show: str | None = None) -> Any:
    """Plot gains or make rates, with their intervals; with `by` against its values.

    Parameters
    ----------
    study : ContractStudy
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.
    show : {"gain", "makes"}, optional
        By default the gain, for a single contract how often it makes.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        An unknown `show`, or the gain of a single contract.
    """
    show = ("makes" if study.differences is None else "gain") if show is None else show
    if show not in SHOWN:
        raise ArgumentError(f"unknown show {show!r:.60}; give gain or makes")
    if show == "gain" and study.differences is None:
        raise ArgumentError("a single contract has no gain; give another contract, or show='makes'")
    if study.values is not None:
        return _plot_values(study, ax, show)
    rows = list(_gain_rows(study) if show == "gain" else _make_rows(study))
    ax = create_axes(ax, 6.4, 1.3 + 0.4 * len(rows))
    y = np.arange(len(rows))[::-1]
    for height, (_, value, lo, hi) in zip(y, rows, strict=True):
        decided = show == "makes" or lo > 0 or hi < 0
        ax.plot([lo, hi], [height, height], color=get_color("text"), linewidth=1.4, zorder=2)
        ax.plot(
            value,
            height,
            "o",
            color=get_color("data") if decided else get_color("rule"),
            markersize=6,
            zorder=3,
        )
    ax.set_yticks(y, [name for name, *_ in rows])
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.tick_params(axis="y", length=0)
    interval = f"{100 * study.confidence:g} % intervals"
    if show == "makes":
        ax.set_xlim(0, 100)
        ax.set_xlabel(f"makes, % of {study.differing:,} deals, double dummy; {interval}")
        title = f"How often {shorten(study.title, 40)} makes" if len(rows) == 1 else "How often they make"
        return add_title(ax, title)
    ax.axvline(0, color=get_color("rule"), linewidth=1, zorder=1)
    largest = max(max(abs(lo), abs(hi)) for _, _, lo, hi in rows)
    ax.set_xlim(-1.1 * largest, 1.1 * largest)
    has_grey = any(lo <= 0 <= hi for _, _, lo, hi in rows)
    note = "; grey: it holds 0" if has_grey else ""
    ax.set_xlabel(f"{_GAINS[study.scoring]}, {study.deals:,} deals, double dummy\n{interval}{note}")
    return add_title(ax, f"Gain over {shorten(str(study.against), 48)}")


def _gain_rows(study: ContractStudy) -> Iterator[tuple[str, float, float, float]]:
    """Yield name, gain and interval of each contract and vulnerability."""
    assert study.differences is not None
    scale = _scale(study)
    for (name, state), row in study.differences.iterrows():
        label = shorten(name, 28) if len(study.states) == 1 else f"{shorten(name, 28)}\n{state}"
        yield label, scale * row.gain, scale * row.lo, scale * row.hi


def _make_rows(study: ContractStudy) -> Iterator[tuple[str, float, float, float]]:
    """Yield name, make rate in per cent and interval of each contract that bids."""
    for name in study.names:
        row = study.frame.loc[name].iloc[0]
        if row.makes is not None and not math.isnan(row.makes):
            yield shorten(name, 28), 100 * row.makes, 100 * row.makes_lo, 100 * row.makes_hi


def _scale(study: ContractStudy) -> float:
    return 100.0 if study.scoring == "matchpoints" else 1.0


def _plot_values(study: ContractStudy, ax: Any, show: str) -> Any:
    """Plot a line with a ribbon for each contract and vulnerability, against the values of `by`."""
    from matplotlib.ticker import MaxNLocator
    from matplotlib.transforms import offset_copy

    assert study.values is not None
    table = study.values
    ax = create_axes(ax, 6.4, 4.2)
    keys = list(dict.fromkeys(key[:2] for key in table.index))
    if show == "makes":
        keys = [(name, study.states[0]) for name in dict.fromkeys(name for name, _ in keys)]
    if len(keys) > N_SERIES:
        raise ArgumentError(
            f"{len(keys)} lines are too many for one plot; give a vulnerability, or fewer contracts"
        )
    table = table.sort_index()
    scale = 100.0 if show == "makes" else _scale(study)
    names = {name for name, _ in keys}
    n_left_out = 0
    for key, (colour, marker), line in zip(keys, list_series(), LINES, strict=False):
        part = table.loc[key]
        columns = part[[show, f"{show}_lo", f"{show}_hi"]].to_numpy(float) * scale
        is_shown = (part.deals.to_numpy() >= MIN_DEALS) & ~np.isnan(columns).any(axis=1)
        n_left_out = max(n_left_out, int((~is_shown).sum()))
        x, (middle, lo, hi) = part.index.to_numpy()[is_shown], columns[is_shown].T
        if not len(x):
            raise ArgumentError(f"no value of {study.by} has {MIN_DEALS} deals; give more deals to plot")
        ax.fill_between(x, lo, hi, color=colour, alpha=0.22, linewidth=0)
        face = colour if marker == "o" else get_color("ground")
        ax.plot(x, middle, line, marker=marker, color=colour, markersize=4.5, markerfacecolor=face)
        is_plain = show == "makes" or len({state for _, state in keys}) == 1
        label = key[0] if is_plain else key[1] if len(names) == 1 else f"{key[0]}, {key[1]}"
        ax.annotate(
            shorten(label, 24), (x[-1], middle[-1]), textcoords="offset points", xytext=(7, 0), va="center",
            color=colour,
        )  # fmt: skip
        found = study.break_even.get(key)
        if show == "gain" and found is not None and found.value is not None:
            ends = max(found.lo, x[0]), min(found.hi, x[-1])
            # The bars of two lines may overlap, so each has a height of its own beside 0.
            shift = offset_copy(ax.transData, ax.figure, y=5 * keys.index(key) - 2.5, units="points")
            options: dict[str, Any] = {"transform": shift, "zorder": 5}
            ax.plot(ends, (0, 0), color=colour, linewidth=4, solid_capstyle="butt", **options)
            ax.plot(
                found.value, 0, "|", color=get_color("text"), markersize=8, markeredgewidth=1.6, **options
            )
    _separate_labels(ax)
    if show == "gain":
        ax.axhline(0, color=get_color("rule"), linewidth=1, zorder=0)
        ax.set_ylabel(_GAINS[study.scoring])
        title = f"Gain of {shorten(', '.join(sorted(names)), 30)} over {shorten(str(study.against), 20)}"
    else:
        ax.set_ylim(0, 102)
        ax.set_ylabel("makes, % of deals")
        title = f"How often {shorten(', '.join(sorted(names)), 40)} makes"
    ax.grid(axis="y", color=get_color("line"), linewidth=0.8)
    ax.set_axisbelow(True)
    ax.margins(x=0.02)
    if table.index.get_level_values("value").dtype.kind == "i":
        ax.xaxis.set_major_locator(MaxNLocator(11, integer=True, steps=[1, 2, 5, 10]))
    notes = [f"{study.deals:,} deals, double dummy; ribbon: {100 * study.confidence:g} % interval"]
    if show == "gain" and study.break_even:
        notes.append("ticks and bars at 0: break-even and its interval")
    if n_left_out:
        notes.append(f"values with fewer than {MIN_DEALS} deals are left out")
    ax.set_xlabel("\n".join([shorten(str(study.by), 60), *notes]), fontsize=9)
    return add_title(ax, title)


def _separate_labels(ax: Any) -> None:
    """Move the labels at the ends of lines apart by half their overlap."""
    figure = ax.figure
    figure.canvas.draw()
    labels = sorted(ax.texts, key=lambda label: label.get_window_extent().y0)
    points = 72 / figure.dpi
    for lower, upper in zip(labels, labels[1:], strict=False):
        overlap = lower.get_window_extent().y1 + 2 - upper.get_window_extent().y0
        if overlap > 0:
            for label, step in ((lower, -overlap / 2), (upper, overlap / 2)):
                x, y = label.xyann
                label.xyann = (x, y + step * points)

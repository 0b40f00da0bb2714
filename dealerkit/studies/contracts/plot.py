"""Plots of studies of contracts: gains and make rates, also by the values of an expression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_estimate, format_level, format_share
from dealerkit.appearance.wording import shorten
from dealerkit.arguments import check_name
from dealerkit.charts.panels import ROW, Frame, draw_whisker, label_end, label_lines, label_series, open_frame
from dealerkit.charts.style import N_SERIES, get_color, list_series
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.scoring import SCORINGS, TOO_CLOSE
from dealerkit.studies.limits import MIN_DEALS

if TYPE_CHECKING:
    from dealerkit.studies.contracts.tables import ContractTables

LINES = ("-", "-", "--", "--")  # line styles of the series
SHOWN = ("gain", "makes")


def plot_contracts(study: ContractTables, ax: Any = None, show: str | None = None) -> Any:
    """Plot gains or make rates with their intervals; with `by`, against its values.

    Parameters
    ----------
    study : ContractTables
    ax : matplotlib Axes, optional
        By default of a new figure.
    show : {"gain", "makes"}, optional
        By default the gain; for a single contract, how often it makes.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        `show` is unknown, or the gain of a single contract was requested.
    """
    show = ("makes" if study.differences is None else "gain") if show is None else show
    show = check_name("show", show, SHOWN)
    if show == "gain" and study.differences is None:
        raise ArgumentError(
            "a single contract has no gain; give another contract, or ", Parameter("show=", "makes")
        )
    if study.values is not None:
        return _plot_values(study, ax, show)
    return _plot_rows(study, ax, show)


def _plot_rows(study: ContractTables, ax: Any, show: str) -> Any:
    """Plot a row for each contract and vulnerability."""
    is_gain = show == "gain"
    rows = list(_gain_rows(study) if is_gain else _make_rows(study))
    height = ROW if len(study.states) == 1 or not is_gain else 0.46
    with open_frame(ax, height=height * len(rows) + 2.0) as frame:
        notes = f"{format_level(study.confidence)} intervals; no line: the interval is smaller than the dot"
        verdicts = [] if study.differences is None else study.differences.verdict.tolist()
        if is_gain and "not decided" in verdicts:
            notes += f"; grey: {TOO_CLOSE}"
        if is_gain:
            title, subtitle, deals = _name_gain(study), describe_unit(study), study.deals
        else:
            title = _name_rate([study.title] * len(rows))
            subtitle, deals = "Share of the deals", study.differing
        frame.write(title, subtitle, f"{study.describe_deals(deals)}. {notes}.")
        names = [name for name, *_ in rows]
        (panel,) = frame.add_panels()
        frame.name_rows(panel, names)
        if is_gain:
            largest = 1.2 * max(max(abs(lo), abs(hi)) for _, _, lo, hi in rows)  # with room for the numbers
            frame.scale(panel.xaxis, -largest, largest, sign=True)
            panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        else:
            frame.scale(panel.xaxis, 0, 100, unit=" %")
        for y, (_, value, lo, hi) in enumerate(rows):
            grey = is_gain and verdicts[y] == "not decided"
            colour = get_color("rule" if grey else "data" if is_gain else "text")
            draw_whisker(panel, value, lo, hi, y, colour)
            text = (
                format_estimate(value, lo, hi, sign=True).value if is_gain
                else format_share(value / 100, lo / 100, hi / 100).value
            )  # fmt: skip
            side = -1 if is_gain and value < 0 else 1
            label_end(panel, text, hi if side > 0 else lo, y, side)
        return frame.ax


def _name_gain(study: ContractTables, contracts: Sequence[str] = ()) -> str:
    """Return the title of a plot of gains: a single contract, the opponent, and a single vulnerability."""
    of = f"of {shorten(contracts[0], 18)} " if len(contracts) == 1 else ""
    title = f"Gain {of}over {shorten(study.opponent, 18 if of else 36)}"
    if len(study.states) > 1:
        return title
    (state,) = study.states
    return f"{title}, {state}" + ("" if "vulnerable" in state else " vulnerable")


def _name_rate(contracts: Sequence[str]) -> str:
    """Return the title of a plot of make rates."""
    return f"How often {shorten(contracts[0], 40)} makes" if len(contracts) == 1 else "How often they make"


def _gain_rows(study: ContractTables) -> Iterator[tuple[str, float, float, float]]:
    """Yield name, gain and interval of each contract and vulnerability."""
    assert study.differences is not None
    scale = _scale(study)
    for (name, state), row in study.differences.iterrows():
        label = name if len(study.states) == 1 else f"{name}\n{state}"
        yield label, scale * row.gain, scale * row.lo, scale * row.hi


def _make_rows(study: ContractTables) -> Iterator[tuple[str, float, float, float]]:
    """Yield name, rate in per cent and interval of each contract that can make or be beaten."""
    for name in study.names:
        found = study.outcomes[name, study.states[0]]
        for rate, end in ((found.makes, ""), (found.beaten, ", beaten")):
            if rate is not None:
                yield f"{name}{end}", 100 * rate.value, 100 * rate.lo, 100 * rate.hi


def _scale(study: ContractTables) -> float:
    return SCORINGS[study.scoring].scale


def describe_unit(study: ContractTables) -> str:
    """Return the unit of gains with a capital letter."""
    unit = SCORINGS[study.scoring].unit
    return f"{unit[0].upper()}{unit[1:]} a deal"


def _plot_values(study: ContractTables, ax: Any, show: str) -> Any:
    """Plot a line with a ribbon for each contract and vulnerability, against the values of `by`."""
    lines, n_left_out = _list_lines(study, show)
    contracts = list(dict.fromkeys(name for name, _ in lines))
    if show == "gain":
        title, measure = _name_gain(study, contracts), describe_unit(study)
    else:
        title, measure = _name_rate(contracts), "Share of the deals"
    has_ends = show == "gain" and any(
        key in lines and found.value is not None for key, found in study.break_even.items()
    )
    notes = [study.describe_deals(), f"ribbons: {format_level(study.confidence)} intervals"]
    notes += ["ticks and bars at 0: break-even and its interval"] * has_ends
    notes += [f"values with fewer than {MIN_DEALS} deals are left out"] * bool(n_left_out)
    with open_frame(ax, height=4.2) as frame:
        caption = "; ".join(notes)
        frame.write(title, f"{measure}, by {shorten(str(study.by), 60)}", f"{caption}.")
        labels = _name_lines(list(lines), show)
        (panel,) = frame.add_panels(lines=True)
        _draw_lines(panel, study, show, lines)
        _set_axes(frame, panel, study, show, np.concatenate([x for x, _ in lines.values()]))
        ends = [
            (columns[-1, 0], x[-1], label) for (x, columns), label in zip(lines.values(), labels, strict=True)
        ]
        if show == "makes" and len(lines) > 1:  # the rates end together, near 100 %
            label_series(panel, labels)
        else:
            label_lines(frame, panel, ends)
        return frame.ax


def _list_lines(study: ContractTables, show: str) -> tuple[dict[Any, tuple[np.ndarray, np.ndarray]], int]:
    """Return values, and middle and ends of intervals, of each line, and how many values lack deals."""
    assert study.values is not None
    table = study.values
    keys = list(dict.fromkeys(key[:2] for key in table.index[table[show].notna()]))
    if show == "makes":
        bids = [name for name in dict.fromkeys(name for name, _ in keys) if table.makes[name].notna().any()]
        keys = [(name, study.states[0]) for name in bids]
        if not keys:
            raise ArgumentError(f"{study.side} declare no contract; plot the gain with show='gain'")
    if len(keys) > N_SERIES:
        raise ArgumentError(
            f"{len(keys)} lines are too many for one plot; give a vulnerability, or fewer contracts"
        )
    table = table.sort_index()
    scale = 100.0 if show == "makes" else _scale(study)
    lines, n_left_out = {}, 0
    for key in keys:
        part = table.loc[key]
        columns = part[[show, f"{show}_lo", f"{show}_hi"]].to_numpy(float) * scale
        is_shown = (part.deals.to_numpy() >= MIN_DEALS) & ~np.isnan(columns).any(axis=1)
        n_left_out = max(n_left_out, int((~is_shown).sum()))
        lines[key] = part.index.to_numpy()[is_shown], columns[is_shown]
        if not is_shown.any():
            raise ArgumentError(
                f"no value of {study.by} has {MIN_DEALS} deals, as a plot needs; give more deals"
            )
    return lines, n_left_out


def _name_lines(keys: Sequence[tuple[str, str]], show: str) -> list[str]:
    """Return names of the lines from what distinguishes them: contract, vulnerability, or both."""
    is_plain = show == "makes" or len({state for _, state in keys}) == 1
    has_one_name = len({name for name, _ in keys}) == 1
    names = [name if is_plain else state if has_one_name else f"{name}, {state}" for name, state in keys]
    return [shorten(name, 24) for name in names]


def _draw_lines(panel: Any, study: ContractTables, show: str, lines: dict[Any, Any]) -> None:
    """Draw the lines with their ribbons, and break-even at 0."""
    from matplotlib.transforms import offset_copy

    for number, ((key, (x, columns)), (colour, marker), line) in enumerate(
        zip(lines.items(), list_series(), LINES, strict=False)
    ):
        middle, lo, hi = columns.T
        panel.fill_between(x, lo, hi, color=colour, alpha=0.22, linewidth=0)
        face = colour if marker == "o" else get_color("ground")
        panel.plot(
            x, middle, line, marker=marker, color=colour, markersize=4.5, markerfacecolor=face, linewidth=1.4
        )
        found = study.break_even.get(key)
        if show == "gain" and found is not None and found.value is not None:
            ends = max(found.lo, x[0]), min(found.hi, x[-1])
            # The bars of two lines may overlap, so each has its own height next to 0.
            shift = offset_copy(panel.transData, panel.figure, y=5 * number - 2.5, units="points")
            options: dict[str, Any] = {"transform": shift, "zorder": 5}
            panel.plot(ends, (0, 0), color=colour, linewidth=4, solid_capstyle="butt", **options)
            panel.plot(
                found.value, 0, "|", color=get_color("text"), markersize=8, markeredgewidth=1.6, **options
            )


def _set_axes(frame: Frame, panel: Any, study: ContractTables, show: str, x: np.ndarray) -> None:
    """Set ticks; the axis of the gain has a line at 0."""
    if show == "gain":
        panel.axhline(0, color=get_color("rule"), linewidth=1, zorder=0)
        frame.number(panel.yaxis, sign=True)
    else:
        panel.set_ylim(0, 102)
        frame.number(panel.yaxis, unit=" %")
    frame.number(panel.xaxis, integer=x.dtype.kind == "i")
    panel.margins(x=0.02)
    panel.set_xlabel(shorten(str(study.by), 50))

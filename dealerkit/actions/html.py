"""Reports as HTML: tables with drawings, intervals and exact values in their cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

import numpy as np

from dealerkit.actions.base import PlainReport, Report
from dealerkit.actions.contract_differences import ContractDifferenceReport
from dealerkit.actions.contract_html import render_contracts, render_difference
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.heat_map import describe_margin, render_counts, render_heat_map
from dealerkit.actions.levels import TypeReport
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.actions.text_modern import (
    EXACT_DECIMALS,
    NOTHING,
    build_type_rows,
    describe_count,
    describe_interval,
    describe_outside,
    format_mean,
)
from dealerkit.appearance.drawings import draw_rate, draw_share, draw_spread
from dealerkit.appearance.html import Markup, escape_text, render_caption
from dealerkit.appearance.numbers import (
    NumberText,
    choose_share_decimals,
    format_count,
    format_estimate,
    format_number,
    format_share,
    format_significant,
)
from dealerkit.appearance.tables import Column, render_rows, render_table
from dealerkit.statistics import Estimate

MAX_HANDS = 20  # rows of hands that a notebook shows


def render_reports(reports: Sequence[Report]) -> str:
    """Return reports as HTML without the style sheet: all averages in one table, then the others.

    The contracts of a side are in one table, where the first of them is, and their differences below it.
    """
    averages = [report for report in reports if isinstance(report, AverageReport)]
    parts = [render_averages(averages)] if averages else []
    contracts = [report for report in reports if isinstance(report, ContractReport)]
    differences = [report for report in reports if isinstance(report, ContractDifferenceReport)]
    for report in reports:
        if isinstance(report, ContractReport):
            same = [other for other in contracts if other.side == report.side]
            if same[0] is report:
                below = [render_difference(other) for other in differences if other.side == report.side]
                parts.append(render_contracts(same) + "".join(below))
        elif report in differences:
            continue
        elif not isinstance(report, AverageReport):
            parts.append(render_report(report))
    return "".join(f'<div class="dk-report">{part}</div>' for part in parts)


@singledispatch
def render_report(report: Report) -> str:
    """Return a report as HTML without the style sheet."""
    name = type(report).__name__
    raise TypeError(
        f"{name} has no HTML: actions/html.py needs a function of it with @render_report.register"
    )


def _head(title: str, about: str = "") -> str:
    return f"<h3>{escape_text(title)}</h3>" + (f"<p>{escape_text(about)}</p>" if about else "")


def _nothing(title: str) -> str:
    return _head(title) + render_caption(f"{NOTHING.capitalize()}.")


@render_report.register
def _render_average(report: AverageReport) -> str:
    return render_averages([report])


def render_averages(reports: Sequence[AverageReport]) -> str:
    """Return averages as one table: mean with interval, and where it lies among the values of the deals."""
    title = "Averages" if len(reports) > 1 else f"Average of {reports[0].title}"
    if not reports[0].n:
        return _nothing(title)
    means = [report.mean for report in reports]
    intervals = list(dict.fromkeys(describe_interval(mean) for mean in means))
    about = intervals[0] if len(intervals) == 1 else "interval"
    truths = {report.truth for report in reports}
    kind = "mean or share" if len(truths) > 1 else "share" if truths == {True} else "mean"
    has_natural = any(report.natural is not None for report in reports)
    columns = [
        Column("average", "l dk-name"),
        Column(f"{kind}, {about}"),
        Column("spread of the deals", "pic"),
        Column("sd", "w1"),
        *([Column("at natural frequencies", "u")] if has_natural else []),
    ]
    rows = []
    for report in reports:
        mean_text = _mark_mean(report) + ("" if len(intervals) == 1 else f" {describe_interval(report.mean)}")
        cells = [report.title, Markup(mean_text), _draw_average(report)]
        cells.append("" if report.truth else format_significant(report.sd, 3))
        if has_natural:
            cells.append("" if report.natural is None else format_mean(report, report.natural))
        rows.append(cells)
    return _head(title, _describe_deals(reports)) + render_table(columns, rows) + _explain_averages(reports)


def _explain_averages(reports: Sequence[AverageReport]) -> str:
    """Return the caption that says what the drawings of averages are."""
    parts = []
    if not all(report.truth for report in reports):
        parts.append(
            "Line: from the smallest to the largest value among the deals; band: mean ± one standard "
            "deviation (sd); dot with whisker: mean and interval, narrower than the dot where no whisker "
            "shows."
        )
    if any(report.truth for report in reports):
        parts.append("Bar: share of the deals, from 0 to 100\u00a0%, with its interval.")
    return render_caption(" ".join(parts))


def _describe_deals(reports: Sequence[AverageReport]) -> str:
    counts = sorted({report.n for report in reports})
    return format_count(counts[0], "deal") if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} deals"


def _mark_mean(report: AverageReport) -> str:
    """Return the mean strong, and its interval quiet."""
    mean = report.mean
    if report.truth:
        text = format_share(mean.value, mean.lo, mean.hi, exact=mean.exact)
    else:
        text = format_estimate(mean.value, mean.lo, mean.hi)
    rest = text.margin or ("" if mean.exact else text.interval)
    strong = f'<span class="n dk-first">{escape_text(text.value)}</span>'
    return f'{strong} <span class="u">{escape_text(rest)}</span>'


def _draw_average(report: AverageReport) -> Markup:
    """Return the drawing of an average: a share on 0 to 100 %, another mean among the values."""
    mean, ends = report.mean, (report.mean.lo, report.mean.hi)
    if report.truth:
        text = format_share(mean.value, *ends, exact=mean.exact)
        return draw_rate(mean.value, ends, f"{report.title}: {text.value}, {text.interval}")
    assert report.minimum is not None and report.maximum is not None  # there are deals
    low, high = float(report.minimum), float(report.maximum)
    text = format_estimate(mean.value, *ends)
    names = format_number(low), format_number(high)
    label = f"{report.title}: mean {text.value} {text.margin}; all values between {names[0]} and {names[1]}"
    return draw_spread(low, high, mean.value, report.sd, ends, names, label)


@render_report.register
def _render_frequency(report: FrequencyReport) -> str:
    """Return a table of shares: bar with whisker, share, interval, exact share, count, running share."""
    if not report.n:
        return _nothing(report.title)
    rows_shown, table, labels = list(report.shown_rows()), report.shares, report.axis.labels
    is_sample = report.coverage == "sample"
    exact = report.exact if is_sample else None
    lows, highs = table.lo[rows_shown], table.hi[rows_shown]
    decimals = choose_share_decimals(lows, highs) if is_sample else EXACT_DECIMALS - 1
    shown = [table.share[rows_shown], *([highs] if is_sample else [])]
    shown += [] if exact is None else [np.asarray(exact)[rows_shown]]
    top = 1.1 * max(float(np.nanmax(column)) for column in shown)
    columns = [Column("value"), Column("share of deals", "pic"), Column("share", "n")]
    columns += [Column(f"{100 * report.confidence:g} % interval", "u w2")] if is_sample else []
    columns += [] if exact is None else [Column("exact", "u")]
    columns += [Column("count", "w1"), Column("at most", "w2")]
    running, rows = table.share.cumsum(), []
    for row in rows_shown:
        share, ends = float(table.share[row]), (float(table.lo[row]), float(table.hi[row]))
        text = format_share(share, *ends, decimals) if is_sample else _format_plain(share, decimals)
        own = None if exact is None else float(exact[row])
        exact_text = "" if own is None else format_share(own, 0, 0, decimals, exact=True).value
        label = f"{labels[row]}: {text.value}" + (f", interval {text.interval}" if is_sample else "")
        label += f", exact {exact_text}" if exact_text else ""
        ends = ends if is_sample else (np.nan, np.nan)
        cells = [labels[row], draw_share(share, ends, top, label, own), text.value]
        cells += [text.interval] if is_sample else []
        cells += [] if own is None else [exact_text]
        so_far = _format_plain(float(running[row]), decimals).value
        cells += [format_number(float(report.counts[row]), 0), so_far]
        rows.append(cells)
    about = f"share of {describe_count(report)}"
    key = _render_key(is_sample, exact is not None)
    return _head(report.title, about[0].upper() + about[1:]) + render_table(columns, rows) + key


def _format_plain(share: float, decimals: int) -> NumberText:
    return format_share(share, np.nan, np.nan, decimals)


def _render_key(is_sample: bool, has_exact: bool) -> str:
    """Return the key of a frequency: what bar, whisker and triangle are."""
    whisker = (
        '<line class="whisk" x1="11" x2="23" y1="6" y2="6"/>'
        '<line class="whisk" x1="11" x2="11" y1="2" y2="10"/>'
        '<line class="whisk" x1="23" x2="23" y1="2" y2="10"/>'
    )
    bar = f'<svg width="26" height="12"><rect class="bar" width="17" height="12"/>{whisker}</svg>'
    triangle = '<svg width="12" height="10"><path class="exact" d="M6 1L10.5 8L1.5 8Z"/></svg>exact value'
    shown = [f"<span>{bar}share, interval</span>"] if is_sample else []
    shown += [f"<span>{triangle}</span>"] if has_exact else []
    return f'<div class="dk-key">{"".join(shown)}</div>' if shown else ""


@render_report.register
def _render_cross(report: CrossReport) -> str:
    """Return a two-way table in per cent of all deals, tinted, with sums; its counts are closed."""
    if not report.n:
        return _nothing(report.title)
    first, second = report.expressions
    about = f"{first} down, {second} across; % of {describe_count(report)}"
    caption = f"{describe_margin(report)} The stronger the tint, the more deals.".lstrip()
    return (
        _head(report.title, about) + render_heat_map(report) + render_caption(caption) + render_counts(report)
    )


@render_report.register
def _render_contract(report: ContractReport) -> str:
    return render_contracts([report])


@render_report.register
def _render_difference(report: ContractDifferenceReport) -> str:
    return render_difference(report)


@render_report.register
def _render_columns(report: PlainReport) -> str:
    if not report.n:
        return _nothing(report.heading)
    return _head(report.heading, format_count(report.n, "deal")) + render_rows(report.rows)


@render_report.register
def _render_types(report: TypeReport) -> str:
    title = f"Deals by {report.title}"
    if not report.n:
        return _nothing(title)
    text = _head(title, format_count(report.n, "deal")) + render_rows(build_type_rows(report))
    outside: Estimate | None = report.outside
    return text + (render_caption(f"{describe_outside(outside)}.") if outside and outside.value else "")


@render_report.register
def _render_hands(report: HandsReport) -> str:
    n_more = report.n - MAX_HANDS
    return _render_hand_rows(report, MAX_HANDS) + (
        render_caption(f"and {n_more:,} more") if n_more > 0 else ""
    )


def render_all_hands(report: HandsReport) -> str:
    """Return all hands of a report as a table."""
    return _render_hand_rows(report, report.n)


def _render_hand_rows(report: HandsReport, n_rows: int) -> str:
    from dealerkit.cards.html import render_holdings

    columns = [Column(""), *(Column(str(name), "l") for name in report.frame.columns)]
    rows = [
        [str(board), *(Markup(render_holdings(int(hands[seat]))) for seat in report.seats)]
        for board, hands in zip(report.boards[:n_rows].tolist(), report.hands[:n_rows], strict=True)
    ]
    return _head("Hands") + render_table(columns, rows)

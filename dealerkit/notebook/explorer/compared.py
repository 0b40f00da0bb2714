"""Reports of a double-dummy question: solved deals, and beside them the estimates of the trick model."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from dealerkit.actions import AverageReport, FrequencyReport, Report
from dealerkit.appearance.numbers import (
    NBSP,
    choose_decimals,
    choose_share_decimals,
    format_count,
    format_margin,
    format_number,
    format_share,
)

TAG = '<span class="dk-tag">model estimate</span>'


def render_compared(measured: Report | None, model: Report | None) -> str:
    """Return a report of solved deals, of the model, or of both, as HTML; one of them may be missing."""
    report = measured or model
    assert report is not None
    if measured is not None and not measured.n:
        measured = None
    if isinstance(report, AverageReport):
        body = _render_averages(measured, model)
    elif isinstance(report, FrequencyReport):
        body = _render_frequencies(measured, model)
    elif measured is not None:
        return f'<div class="dk-report">{measured.card().to_html()}</div>'
    else:
        return f'<div class="dk-report">{TAG}{report.card().to_html()}</div>'
    return f"<h3>{escape(report.title)}</h3>{body}"


def _render_averages(measured: Report | None, model: Report | None) -> str:
    parts, decimals = [], None
    if measured is not None:
        scale, unit = _find_unit(measured)
        value, lo, hi = (
            scale * number for number in (measured.mean.value, measured.mean.lo, measured.mean.hi)
        )
        if math.isfinite(hi - lo):
            decimals = choose_decimals(value, lo, hi) if lo < hi else 0
        number = format_number(value, decimals or 0)
        width = format_margin(lo, hi, decimals) if decimals is not None and lo < hi else ""
        parts.append(
            f'<div><span class="dk-first">{number}</span> '
            f'<span class="dk-quiet">{width}{unit}</span><br>'
            f'<span class="dk-quiet">double dummy, {format_count(measured.n, "deal")}</span></div>'
        )
    if model is not None and model.n:
        scale, unit = _find_unit(model)
        number = format_number(scale * model.mean.value, (0 if unit else 1) if decimals is None else decimals)
        parts.append(
            f'<div><span class="dk-first dk-estimated">≈{NBSP}{number}</span> '
            f'<span class="dk-quiet">{unit.strip()}</span><br>{TAG}</div>'
        )
    return f'<div class="dk-pair">{"".join(parts) or "No deal met the condition."}</div>'


def _find_unit(report: Report) -> tuple[float, str]:
    """Return what a mean is multiplied by, and its unit: a truth value is shown in per cent."""
    return (100.0, f"{NBSP}%") if report.truth else (1.0, "")


def _render_frequencies(measured: Report | None, model: Report | None) -> str:
    report = measured or model
    assert report is not None
    names = report.axis.labels
    solved = None if measured is None else measured.shares
    guess = None if model is None or not model.n else model.counts / model.counts.sum()
    columns = [column for column in (guess, None if solved is None else solved.share) if column is not None]
    if not columns:
        return "<p>No deal met the condition.</p>"
    shown = np.flatnonzero(np.any([column >= 0.0005 for column in columns], axis=0))
    upper = max(float(np.nanmax(c)) for c in [*columns, *([] if solved is None else [solved.hi])])
    axis = 1.1 * upper
    decimals = 0
    if solved is not None:
        decimals = min(choose_share_decimals(solved.lo.tolist(), solved.hi.tolist()), 2)
    rows = []
    for k in range(shown[0], shown[-1] + 1):
        cells, words = "", []
        drawing = '<line class="frame" x1="0" x2="0" y1="-3" y2="23"/>'
        if solved is not None:
            share, low, high = (float(part[k]) for part in (solved.share, solved.lo, solved.hi))
            drawing += _draw_bar(share / axis, low / axis, high / axis)
            cells += f'<td class="n">{escape(_format_share(share, decimals))}</td>'
            words.append(f"measured {_format_share(share, decimals)}")
        if guess is not None:
            x = 100 * float(guess[k]) / axis
            drawing += f'<circle class="model" cx="{x:.2f}%" cy="10" r="4"/>'
            shown_share = _format_share(float(guess[k]), decimals)
            about = "" if shown_share.startswith("<") else f"≈{NBSP}"
            cells += f'<td class="u">{about}{escape(shown_share)}</td>'
            words.append(f"model {shown_share}")
        label = escape(f"{names[k]}: {', '.join(words)}")
        rows.append(
            f'<tr><th scope="row">{escape(names[k])}</th><td class="pic"><svg width="100%" height="20" '
            f'role="img" aria-label="{label}">{drawing}</svg></td>{cells}</tr>'
        )
    heads = '<th scope="col">solved</th>' * (solved is not None) + '<th scope="col">model</th>' * (
        guess is not None
    )
    return (
        '<div class="dk-scroll"><table class="dk-compared"><thead><tr><th scope="col">value</th>'
        f'<th class="pic" scope="col">share of deals</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{_render_key(solved is not None, guess is not None)}"
    )


def _draw_bar(share: float, low: float, high: float) -> str:
    """Return a bar from 0 with a whisker, in parts of the cell's width."""
    a, b = (f"{100 * max(0.0, min(end, 1.0)):.2f}%" for end in (low, high))
    ends = "".join(f'<line class="whisk" x1="{x}" x2="{x}" y1="6" y2="14"/>' for x in (a, b))
    return (
        f'<rect class="bar" y="3" height="14" width="{100 * share:.2f}%"/>'
        f'<line class="whisk" x1="{a}" x2="{b}" y1="10" y2="10"/>{ends}'
    )


def _format_share(share: float, decimals: int) -> str:
    """Return a share in per cent, without its interval."""
    return format_share(share, math.nan, math.nan, decimals).value


def _render_key(has_solved: bool, has_model: bool) -> str:
    """Return what the marks of the drawing mean."""
    parts = []
    if has_solved:
        parts.append(
            '<span><svg width="26" height="12" aria-hidden="true"><rect class="bar" width="17" height="12"/>'
            '<line class="whisk" x1="11" x2="23" y1="6" y2="6"/><line class="whisk" x1="11" x2="11" y1="2" '
            'y2="10"/><line class="whisk" x1="23" x2="23" y1="2" y2="10"/></svg>solved, 95 % interval</span>'
        )
    if has_model:
        parts.append(
            '<span><svg width="12" height="12" aria-hidden="true"><circle class="model" cx="6" cy="6" r="4"/>'
            "</svg>model estimate: no deal was solved for it</span>"
        )
    return f'<div class="dk-key">{"".join(parts)}</div>'

"""The parts of a script's page as HTML, for the widget and for notebooks that are opened without a kernel.

If deals have to be solved, reports show the results of solved deals beside the estimates of the trick model.
"""

from __future__ import annotations

import functools
import math
import re
from html import escape
from importlib.resources import files
from itertools import zip_longest

import numpy as np

from dealerkit.actions import AverageReport, FrequencyReport, Report
from dealerkit.actions.frequency import LEAST_SHARE
from dealerkit.appearance.drawings import ShareBar
from dealerkit.appearance.html import minify, read_style
from dealerkit.appearance.html_card import render_table
from dealerkit.appearance.numbers import (
    NBSP,
    choose_decimals,
    format_count,
    format_margin,
    format_number,
    format_share,
    format_significant,
)
from dealerkit.appearance.table import Column, Interval, Table, choose_column_decimals
from dealerkit.cards.html import render_deal
from dealerkit.notebook.explorer.running import Progress
from dealerkit.notebook.explorer.state import PAGE, ExplorerState
from dealerkit.notebook.panels import build_finding_panel

_KEYWORDS = re.compile(r"\b(condition|action|and|or|not|produce|generate|any)\b")


@functools.cache
def read_sheets() -> str:
    """Return the style sheets of the package and of the explorer."""
    own = files("dealerkit.notebook.explorer").joinpath("explorer.css")
    return read_style() + minify(own.read_text(encoding="utf-8"))


def render_text(text: str) -> str:
    """Return a part of a script as HTML, with bold keywords."""
    return _KEYWORDS.sub(r'<span class="k">\1</span>', escape(text, quote=False))


def render_script(state: ExplorerState) -> str:
    """Return the script with its marked numbers, for a page without a kernel."""
    parts, end = [], 0
    for number in state.numbers:
        if number.start in state.marked or number.variable:
            parts.append(render_text(state.text[end : number.start]))
            parts.append(f'<span class="p">{escape(state.text[number.start : number.end])}</span>')
            end = number.end
    return f'<pre class="dk-edit">{"".join(parts)}{render_text(state.text[end:])}</pre>'


def render_panels(state: ExplorerState) -> str:
    """Return the mistakes in the script, or the error of its run, as panels."""
    parts = []
    for finding in state.panels:
        is_error = finding.kind == "refused"
        remark = "The results are from the previous script." if is_error else "The script can be run."
        parts.append(build_finding_panel(finding, remark).render_html())
    return "".join(parts)


def render_head(progress: Progress | None) -> str:
    """Return how far the run is: number of deals, bar, interval now and at the end, and time left."""
    # The title
    if progress is None:
        return '<div class="dk-head"><strong>No run yet</strong></div>'
    result = progress.result
    produced = 0 if result is None else result.produced
    verb = "solved" if progress.uses_solver else "produced"
    if progress.stage == "failed":
        title = "The run failed"
        if result is not None:
            title = f"The run failed; {format_count(produced, 'deal')} of the previous run"
    elif progress.is_running:
        title = f"{format_count(produced)} of {format_count(progress.produce)} deals {verb}"
        if result is None or progress.stage in ("dealing", "model"):
            title = "Estimating" if progress.stage == "model" else "Dealing"
    else:
        title = f"{format_count(produced, 'deal')} {verb}"
    # The rate of the condition, and the time
    facts = []
    if result is not None and result.probability.value:
        rate = result.probability
        share = format_share(rate.value, rate.lo, rate.hi, exact=rate.exact)
        facts.append(
            f"1 deal in {format_significant(1 / rate.value, 3)} ({share.value}{', exact' * rate.exact})"
        )
    if progress.stage == "stopped":
        facts.append('<b class="dk-warn">stopped</b>')
    if not progress.is_running and result is not None:
        facts.append(f"{format_number(progress.elapsed, 2)}{NBSP}s")
    # The bar, and what remains to be done
    spans = "".join(f"<span>{fact}</span>" for fact in facts)
    live = " live" if progress.is_running else ""
    bar = (
        f'<progress class="dk-done{live}" max="{progress.produce}" value="{min(produced, progress.produce)}" '
        f'aria-label="deals {verb}"></progress>'
    )
    text = _describe_end(progress) if progress.is_running else ""
    return (
        f'<div class="dk-head"><strong>{title}</strong>{spans}</div>{bar}'
        f'<p class="dk-caption dk-status" role="status">{escape(text)}{NBSP}</p>'
    )


def _describe_end(progress: Progress) -> str:
    """Describe the interval of the first average, now and expected at the end, and the time left."""
    result = progress.result
    if result is None or progress.stage != "running" or not result.produced:
        return "The numbers are estimates of a model until deals are solved." if progress.model else ""
    parts = []
    averages = [report for report in result.reports if isinstance(report, AverageReport) and report.n > 1]
    if averages:
        report = averages[0]
        half = (100 if report.truth else 1) * (report.mean.hi - report.mean.lo) / 2
        at_end = half * (report.n / progress.produce) ** 0.5
        now, then = (format_margin(-x, x, choose_decimals(0, -x, x)) for x in (half, at_end))
        unit = " points" if report.truth else ""
        parts.append(f"Interval now {now}{unit}; after {format_count(progress.produce, 'deal')} {then}.")
    left = progress.elapsed * (progress.produce - result.produced) / result.produced
    parts.append(f"About {_format_seconds(left)} left.")
    return " ".join(parts)


def _format_seconds(seconds: float) -> str:
    """Return the time left, rounded to seconds, minutes or hours.

    >>> [_format_seconds(seconds).split() for seconds in (8.6, 250, 7900)]
    [['9', 's'], ['4', 'min'], ['2', 'h']]
    """
    size, unit = (1, "s") if seconds < 90 else (60, "min") if seconds < 5400 else (3600, "h")
    return f"{max(1, math.floor(seconds / size + 0.5))}{NBSP}{unit}"


def render_reports(progress: Progress | None) -> str:
    """Return the reports on the deals so far, with estimates of the model while deals are being solved."""
    if progress is None or (progress.result is None and progress.model is None):
        return '<p class="dk-quiet">The reports appear here.</p>'
    result, model = progress.result, progress.model
    measured = () if result is None else result.reports
    if not measured and (model is None or not model.reports):
        return (
            '<p class="dk-quiet">The script reports nothing. Add an action, such as '
            "<code>action average hcp(south)</code>.</p>"
        )
    if progress.uses_solver:
        estimated = () if model is None else model.reports
        pairs = zip_longest(measured, estimated)
        return "".join(render_compared(*pair) for pair in pairs)
    parts = [f'<div class="dk-report">{report.card().to_html()}</div>' for report in measured]
    return "".join(parts) if result is None or result.produced else "<p>No deal met the condition.</p>"


def render_deals(state: ExplorerState) -> str:
    """Return the current page of deals."""
    result = state.result
    if result is None or not len(result.deals):
        return '<p class="dk-quiet">The deals appear here.</p>'
    first = min(state.page, state.n_pages() - 1) * PAGE
    shown = [
        render_deal(d.hands, d.vulnerable, d.dealer, d.board) for d in result.deals[first : first + PAGE]
    ]
    kept = len(result.deals)
    more = (
        f"; {format_count(result.produced - kept)} more were produced but not kept"
        if result.produced > kept
        else ""
    )
    caption = (
        f"Deals {format_count(first + 1)} to {format_count(first + len(shown))} of "
        f"{format_count(kept)}{more}."
    )
    return f'<div class="dk-grid">{"".join(shown)}</div><p class="dk-caption">{caption}</p>'


def render_plan(state: ExplorerState) -> str:
    """Return the explanation of the script: its clauses, their rates, and the plan of a run."""
    return state.explain()._repr_html_()


def render_static(state: ExplorerState, identifier: str) -> str:
    """Return the last state, for a notebook opened without a kernel; it is hidden beside a working widget."""
    values = "".join(
        f"<dt>{escape(control.label)}</dt><dd>{escape(control.text)}</dd>" for control in state.controls
    )
    values += (
        f"<dt>seed</dt><dd>{state.seed}</dd><dt>deals to produce</dt><dd>{format_count(state.produce)}</dd>"
    )
    deals = f"<details><summary>Deals</summary>{render_deals(state)}</details>" if state.result else ""
    rule = f"body:has(.dk-live-{identifier}) .dk-static-{identifier} {{ display: none; }}"
    return (
        f'<div class="dk-static-{identifier}"><style>{read_sheets()}\n{rule}</style>'
        '<div class="dk dk-wide dk-explorer"><div class="dk-explore"><div><h3>Script</h3>'
        f"{render_script(state)}{render_panels(state)}"
        f'<dl class="facts">{values}</dl>{render_exports(state.python, state.script)}</div>'
        f"<div>{render_head(state.progress)}{render_reports(state.progress)}{deals}"
        '<p class="dk-caption">The last state of the explorer. Its sliders need a running kernel.</p>'
        "</div></div></div></div>"
    )


def render_exports(python: str, script: str = "") -> str:
    """Return the Python code and the script that give the result, each folded."""
    texts = {"As Python": python, "As a script": script}
    return "".join(
        f"<details><summary>{name}</summary><pre>{escape(text)}</pre></details>"
        for name, text in texts.items()
        if text
    )


def render_saved(shown: str, python: str, identifier: str) -> str:
    """Return an answer, for a notebook opened without a kernel; it is hidden beside a working widget."""
    rule = f"body:has(.dk-live-{identifier}) .dk-static-{identifier} {{ display: none; }}"
    return (
        f'<div class="dk-static-{identifier}"><style>{read_sheets()}\n{rule}</style>'
        f'<div class="dk dk-wide dk-explorer">{shown}{render_exports(python)}'
        '<p class="dk-caption">The last state of the explorer. It needs a running kernel.</p></div></div>'
    )


TAG = '<span class="dk-tag">model estimate</span>'


def render_compared(measured: Report | None, model: Report | None) -> str:
    """Return a report on solved deals and the model's estimate of it as HTML; one of them may be None."""
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
        mean = measured.to_quantity(measured.mean)
        decimals = choose_column_decimals(Column("", kind=mean.kind), [measured.mean])
        text = mean.format()
        parts.append(
            f'<div><span class="dk-first">{text.digits}</span> '
            f'<span class="dk-quiet">{text.margin or text.unit}</span><br>'
            f'<span class="dk-quiet">double dummy, {format_count(measured.n, "deal")}</span></div>'
        )
    if model is not None and model.n:
        decimals = (0 if model.truth else 1) if decimals is None else decimals
        text = model.to_quantity(model.mean.value)._replace(decimals=decimals).format()
        parts.append(
            f'<div><span class="dk-first dk-estimated">≈{NBSP}{text.digits}</span> '
            f'<span class="dk-quiet">{text.unit}</span><br>{TAG}</div>'
        )
    return f'<div class="dk-pair">{"".join(parts) or "No deal met the condition."}</div>'


def _render_frequencies(measured: Report | None, model: Report | None) -> str:
    """Return the shares of solved deals and those of the model as a table with drawings."""
    # The shares, and the columns for them
    report = measured or model
    assert report is not None
    solved = None if measured is None else measured.shares
    guess = None if model is None or not model.n else model.counts / model.counts.sum()
    shares = [share for share in (guess, None if solved is None else solved.share) if share is not None]
    if not shares:
        return "<p>No deal met the condition.</p>"
    columns = [Column("value", kind="label"), Column("drawing", "share of deals", "drawing")]
    if solved is not None:
        columns.append(Column("solved", kind="share", interval="none", strong=True))
    if guess is not None:
        columns.append(
            Column(
                "model",
                kind="share",
                quiet=True,
                decimals=0 if solved is None else None,
                like="solved" if solved is not None else "",
            )
        )
    # The rows; values at both ends that hardly occur are left out.
    shown = np.flatnonzero(np.any([share >= LEAST_SHARE for share in shares], axis=0))
    rows = []
    for k in range(shown[0], shown[-1] + 1):
        interval = None
        if solved is not None:
            interval = Interval(float(solved.share[k]), float(solved.lo[k]), float(solved.hi[k]))
        estimate = None if guess is None else float(guess[k])
        numbers = [number for number in (interval, estimate) if number is not None]
        rows.append([report.axis.labels[k], ShareBar(interval, model=estimate), *numbers])
    return render_table(Table(columns, rows)) + _render_key(solved is not None, guess is not None)


def _render_key(has_solved: bool, has_model: bool) -> str:
    """Return the key of the drawings."""
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
            "</svg>model estimate, without solving deals</span>"
        )
    return f'<div class="dk-key">{"".join(parts)}</div>'

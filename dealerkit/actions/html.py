"""Reports as HTML tables, in the style of `cards/style.css`; one function for each class of report."""

from __future__ import annotations

from dealerkit.actions.base import render_report
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.levels import TypeReport
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.actions.text_modern import (
    NOTHING,
    build_contract_rows,
    build_frequency_rows,
    build_type_rows,
    describe_interval,
    describe_outside,
    format_mean,
)
from dealerkit.appearance.numbers import format_count, format_significant

MAX_HANDS = 20  # rows of hands that a notebook shows


def _escape(text: str) -> str:
    from html import escape  # takes a millisecond, and every run imports this module

    return escape(text)


def render_rows(rows: list[list[str]]) -> str:
    """Return a table whose first row is the heading; all cells are escaped."""
    head = "".join(f"<th>{_escape(cell)}</th>" for cell in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:]
    )
    return f'<table class="dk-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _render_table(heading: str, rows: list[list[str]], n: int) -> str:
    """Return a heading and a table, or a message in its place where there is no deal."""
    return f"<h4>{_escape(heading)}</h4>" + (render_rows(rows) if n else f"<p>{NOTHING}</p>")


@render_report.register
def _render_hands(report: HandsReport) -> str:
    n_more = report.n - MAX_HANDS
    return _render_hand_rows(report, MAX_HANDS) + (f"<p>and {n_more:,} more</p>" if n_more > 0 else "")


def render_all_hands(report: HandsReport) -> str:
    """Return all hands of a report as a table."""
    return _render_hand_rows(report, report.n)


def _render_hand_rows(report: HandsReport, n_rows: int) -> str:
    frame = report.frame
    names = [str(name).capitalize() for name in frame.columns]
    rows = [["", *names], *([str(row[0]), *row[1:]] for row in frame.head(n_rows).itertuples())]
    return f"<h4>Hands</h4>{render_rows(rows)}"


@render_report.register
def _render_average(report: AverageReport) -> str:
    rows: list[list[str]] = []
    if report.n:
        head = [
            f"{'share' if report.truth else 'mean'}, {describe_interval(report.mean)}",
            "deals",
        ]
        rows = [head, [format_mean(report), f"{report.n:,}"]]
        if not report.truth:
            rows[0].insert(1, "standard deviation")
            rows[1].insert(1, format_significant(report.sd, 3))
        if report.natural is not None:
            rows[0].append("at natural frequencies")
            rows[1].append(format_mean(report, report.natural))
    return _render_table(f"Average of {report.title}", rows, report.n)


@render_report.register
def _render_types(report: TypeReport) -> str:
    text = _render_table(f"Deals by {report.title}", build_type_rows(report), report.n)
    outside = report.outside
    return text + (f"<p>{_escape(describe_outside(outside))}</p>" if outside and outside.value else "")


@render_report.register
def _render_contract(report: ContractReport) -> str:
    heading = f"{report.title} (double dummy, {format_count(report.n, 'deal')})"
    return _render_table(heading, build_contract_rows(report) if report.n else [], report.n)


@render_report.register
def _render_frequency(report: FrequencyReport) -> str:
    rows = build_frequency_rows(report, report.exact) if report.n else []
    return _render_table(f"Frequency of {report.title}", rows, report.n)


@render_report.register
def _render_cross(report: CrossReport) -> str:
    (names, heads), (down, over) = (axis.labels for axis in report.axes), report.shown_cells()
    rows = [["", *(heads[k] for k in over)]]
    rows += [[names[k], *(f"{report.counts[k, m]:,.0f}" for m in over)] for k in down]
    return _render_table(f"Frequency of {report.title}", rows, report.n)

"""Reports as HTML tables, in the style of `cards/style.css`."""

from __future__ import annotations

from html import escape

from dealerkit.actions.base import Report
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.actions.text_modern import NOTHING, contract_rows, frequency_rows, mean_text
from dealerkit.cards.html import render_fragment


def rows_html(rows: list[list[str]]) -> str:
    """A table whose first row is the heading; everything is escaped."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:])
    return f'<table class="dk-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def report_html(report: Report) -> str:
    """A report as an HTML fragment with its own style."""
    return render_fragment(f'<div class="dk-report">{report_body(report)}</div>', repr(report))


def report_body(report: Report) -> str:
    """A report as HTML without the style sheet."""
    if isinstance(report, HandsReport):
        frame = report.frame
        names = [str(name).capitalize() for name in frame.columns]
        rows = [["", *names], *([str(row[0]), *row[1:]] for row in frame.head(20).itertuples())]
        more = f"<p>and {len(frame) - 20:,} more</p>" if len(frame) > 20 else ""
        return f"<h4>Hands</h4>{rows_html(rows)}{more}"
    if isinstance(report, AverageReport):
        title, mean = escape(report.title), report.mean
        if not report.n:
            return f"<h4>Average of {title}</h4><p>{NOTHING}</p>"
        rows = [
            [f"{'share' if report.truth else 'mean'}, {100 * mean.level:g} % interval", "deals"],
            [mean_text(report), f"{report.n:,}"],
        ]
        if not report.truth:
            rows = [
                [row[0], middle, row[1]]
                for row, middle in zip(rows, ("standard deviation", f"{report.sd:.4g}"), strict=True)
            ]
        return f"<h4>Average of {title}</h4>{rows_html(rows)}"
    if isinstance(report, ContractReport):
        head = f"<h4>{escape(report.title)} (double dummy, {report.n:,} deals)</h4>"
        return head + (rows_html(contract_rows(report)) if report.n else f"<p>{NOTHING}</p>")
    assert isinstance(report, FrequencyReport | CrossReport)
    head = f"<h4>Frequency of {escape(report.title)}</h4>"
    if not report.n:
        return f"{head}<p>{NOTHING}</p>"
    if isinstance(report, CrossReport):
        (names, heads), (down, over) = (axis.words for axis in report.axes), report.kept()
        rows = [["", *(heads[k] for k in over)]]
        rows += [[names[k], *(f"{report.counts[k, m]:,.0f}" for m in over)] for k in down]
        return head + rows_html(rows)
    return head + rows_html(frequency_rows(report, report.exact))

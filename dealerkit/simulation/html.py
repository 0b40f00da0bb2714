"""HTML of a `Result`: short in a notebook, complete in a file."""

from __future__ import annotations

from html import escape
from typing import Any

from dealerkit.actions.base import render_report
from dealerkit.actions.html import render_all_hands
from dealerkit.actions.printing import HandsReport
from dealerkit.appearance.html import render_fragment, render_page
from dealerkit.cards.html import render_deals


def render_result(result: Any, summary: str) -> str:
    """Return a result for a notebook: reports, or the first deals; it says what it leaves out."""
    parts = [f"<p>{escape(summary)}</p>"]
    parts += [f'<div class="dk-report">{render_report(report)}</div>' for report in result.reports]
    if not result.reports:
        parts.append(render_deals(result.deals, result.produced, "result.deals"))
    if not result.produced:
        parts.append("<p>No deal met the condition.</p>")
    if n_lines := result.text.count("\n") if _prints(result) else 0:
        lines = f"{n_lines:,} line{'' if n_lines == 1 else 's'}"
        parts.append(f'<p class="dk-caption">The printed text, {lines}, is in <code>.text</code></p>')
    return render_fragment("".join(parts), repr(result))


def render_result_file(result: Any, summary: str, text: str) -> str:
    """Return a result as a file with all reports, all hands and deals, and the text that was printed."""
    parts = [f"<p>{escape(summary)}</p>"]
    for report in result.reports:
        shown = render_all_hands(report) if isinstance(report, HandsReport) else render_report(report)
        parts.append(f'<div class="dk-report">{shown}</div>')
    if not result.reports:
        parts.append(render_deals(result.deals, result.produced, "result.deals"))
    if not result.produced:
        parts.append("<p>No deal met the condition.</p>")
    if text and _prints(result):
        parts.append(f"<h4>Printed text</h4><pre>{escape(text)}</pre>")
    return render_page(result.plan.program.title or "dealerkit", "".join(parts), repr(result))


def _prints(result: Any) -> bool:
    """Return whether an action of the script prints a text for each deal."""
    return any(action.prints for action in result.plan.actions)

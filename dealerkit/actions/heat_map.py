"""Two-way tables as heat maps in HTML: shares of all deals, tinted, with sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dealerkit.actions.tables import CrossReport
from dealerkit.appearance.html import escape_text
from dealerkit.appearance.numbers import format_number, format_significant
from dealerkit.appearance.tables import render_rows

MAX_ROWS = 12  # and columns; rows beyond them are joined where few deals have them
TAIL_SHARE = 0.01  # of all deals, at most, in joined rows


def join_table(report: CrossReport) -> tuple[np.ndarray, list[str], list[str]]:
    """Return the counts that are shown, float64 [rows, columns], with the names of rows and of columns."""
    (names, heads), (down, over) = (axis.labels for axis in report.axes), report.shown_cells()
    counts = np.asarray(report.counts, np.float64)[np.ix_(down, over)]
    counts, row_names = join_tails(counts, [names[k] for k in down])
    columns, column_names = join_tails(counts.T, [heads[k] for k in over])
    return columns.T, row_names, column_names


def join_tails(counts: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """Return a table of which the first and the last rows are joined, if it has more than twelve.

    Parameters
    ----------
    counts : ndarray of float64 [shape=(rows, columns)]
    names : sequence of str
        Of the rows.

    Returns
    -------
    ndarray, list of str
        Joined rows hold under 1 % of all deals together.

    Examples
    --------
    >>> counts = np.array([1.0, 2] + [900.0] * 12 + [3, 1])[:, None]
    >>> joined, names = join_tails(counts, [str(value) for value in range(16)])
    >>> names[0], names[-1], joined[[0, -1], 0].tolist()
    ('≤ 1', '≥ 14', [3.0, 4.0])
    """
    names, limit = list(names), TAIL_SHARE * counts.sum()
    if len(names) <= MAX_ROWS:
        return counts, names
    sums = counts.sum(axis=1)
    first = max(int(np.searchsorted(sums.cumsum(), limit)) - 1, 0)
    last = len(names) - 1 - max(int(np.searchsorted(sums[::-1].cumsum(), limit)) - 1, 0)
    if last - first < 2:
        return counts, names
    low, high = names[first].lstrip("<≥> "), names[last].lstrip("<≥> ")
    ends = f"≤ {low}" if first else names[0], f"≥ {high}" if last < len(names) - 1 else names[-1]
    joined = [counts[: first + 1].sum(axis=0), *counts[first + 1 : last], counts[last:].sum(axis=0)]
    return np.array(joined), [ends[0], *names[first + 1 : last], ends[1]]


def describe_margin(report: CrossReport) -> str:
    """Return a sentence about the widest interval of the shares; nothing if they have none."""
    if report.coverage != "sample":
        return ""
    shares = report.shares
    margin = 50 * float((shares.hi - shares.lo).max())
    return f"{100 * report.confidence:g}\u00a0% intervals are ± {format_significant(margin, 1)} or narrower."


def render_heat_map(report: CrossReport) -> str:
    """Return the shares of all deals in per cent; the tint of a cell is its part of the largest share."""
    counts, row_names, column_names = join_table(report)
    share = 100 * counts / counts.sum()
    top = share.max()
    head = "".join(f'<th scope="col">{escape_text(name)}</th>' for name in [*column_names, "all"])
    body = "".join(
        f'<tr><th scope="row">{escape_text(name)}</th>'
        + "".join(f'<td style="--v:{cell / top:.3f}">{_format_cell(float(cell))}</td>' for cell in row)
        + f'<td class="sum">{format_number(float(row.sum()), 1)}</td></tr>'
        for name, row in zip(row_names, share, strict=True)
    )
    sums = "".join(f"<td>{format_number(float(value), 1)}</td>" for value in share.sum(axis=0))
    return (
        '<div class="dk-scroll"><table class="heat"><thead><tr>'
        f'<th scope="col" class="l">{escape_text(report.expressions[0])}</th>{head}</tr></thead>'
        f'<tbody>{body}</tbody><tfoot><tr><th scope="row">all</th>{sums}<td>100&nbsp;%</td></tr></tfoot>'
        "</table></div>"
    )


def _format_cell(percent: float) -> str:
    """Return the share of a cell in per cent, escaped: 0 without a deal, with few deals an upper limit."""
    return "0" if not percent else "&lt; 0.1" if percent < 0.05 else format_number(percent, 1)


def render_counts(report: CrossReport) -> str:
    """Return the counts of all cells, closed."""
    (names, heads), (down, over) = (axis.labels for axis in report.axes), report.shown_cells()
    rows = [["", *(heads[k] for k in over)]]
    rows += [[names[k], *(f"{report.counts[k, m]:,.0f}" for m in over)] for k in down]
    return f"<details><summary>Counts</summary><div>{render_rows(rows)}</div></details>"

"""HTML of compared evaluators: what each predicts or gains, and differences on the same deals.

Results are a `Trial` or a `Decision`, whose modules import this one.
"""

from __future__ import annotations

from typing import Any

from dealerkit.appearance.html import Markup, mark_suits, render_head
from dealerkit.appearance.numbers import format_estimate, format_number, format_share
from dealerkit.appearance.svg import draw_rate
from dealerkit.appearance.tables import Column, render_table, render_two_lines
from dealerkit.scoring import TOO_CLOSE
from dealerkit.studies.html import render_differences, render_heading, render_notes, render_sections

MAX_NAMES = 8  # evaluators whose pairs are shown
MAX_PAIRS = 12


def render_trial(trial: Any) -> str:
    """Return a comparison as HTML without the style sheet."""
    first = str(trial.frame.index[0])
    basis = f"{trial.sides:,} sides of {trial.deals:,} deals"
    parts = [render_head(mark_suits(trial.title), basis, f"seed {trial.seed}"), _render_values(trial)]
    if len(trial.differences):
        parts.append(render_heading(f"R² less that of {first}"))
        parts.append(_render_less(trial))
    if 2 < len(trial.frame) <= MAX_NAMES:
        pairs = trial.pairs[trial.pairs["first"] != first]
        rows = [
            (f"{row.first} less {row.second}", row.difference, row.lo, row.hi) for row in pairs.itertuples()
        ]
        parts += [render_heading("R² of other pairs"), render_differences("who is ahead", "R²", rows)]
    parts.append(render_notes(_list_notes(trial)))
    parts.append(render_sections(trial._list_more()))
    if trial.decision is not None:
        parts += [render_heading(trial.decision.title), render_decision(trial.decision)]
        parts.append(render_notes(trial.decision._notes()))
    return "".join(parts)


def _list_notes(trial: Any) -> list[str]:
    notes = [str(trial._verdict)] if trial._verdict else []
    if len(trial.differences):
        notes.append("Intervals of differences are simultaneous.")
    return [*notes, f"{trial._basis}."]


def _render_values(trial: Any) -> str:
    """Return a row for each evaluator: R2 on an axis from 0 to 1, and the other statistics."""
    has_slope, has_all = "slope" in trial.frame, trial.unselected is not None
    columns = [
        Column("", "l dk-name"), Column("R², 0 to 1", "pic"), Column("R²"), Column("cv R²", "w1"),
        Column("sd"),
        Column("cv sd", "w1"), Column("R", "w2"), *([Column("slope", "w2")] if has_slope else []),
        *([Column("R² of all", "w1"), Column("sd of all", "w2")] if has_all else []),
    ]  # fmt: skip
    rows = []
    for name, row in trial.frame.iterrows():
        shown = format_estimate(row.R2, row.lo, row.hi)
        label = f"{name}: R² {shown.value}, {shown.interval}; R {row.R:.3f}"
        numbers = [row.cv_R2, row.sd, row.cv_sd, row.R]
        cells = [format_number(number, 3) for number in numbers]
        cells += [format_number(row.slope, 4)] if has_slope else []
        cells += [format_number(row.R2_all, 3), format_number(row.sd_all, 3)] if has_all else []
        drawing = draw_rate(row.R2, (row.lo, row.hi), label)
        rows.append([mark_suits(str(name)), drawing, render_two_lines(shown.value, shown.interval), *cells])
    return render_table(columns, rows, "dk-tall")


def _render_less(trial: Any) -> str:
    """Return the differences of R2 from the first evaluator, with those of sd beside them."""
    rows = [(str(name), row.R2, row.lo, row.hi) for name, row in trial.differences.iterrows()]
    spread = [_format_signed(row.sd, row.sd_lo, row.sd_hi) for _, row in trial.differences.iterrows()]
    more = [(Column("sd", "w1"), spread)]
    if trial.unselected is not None:
        others = [
            _format_signed(row.R2, row.lo, row.hi) for _, row in trial.unselected.differences.iterrows()
        ]
        more.append((Column("R² of all", "w2"), others))
    return render_differences("who is ahead", "R²", rows, more)


def _format_signed(value: float, lo: float, hi: float) -> str:
    """Return a difference with its interval in one cell, the interval quiet."""
    shown = format_estimate(value, lo, hi, sign=True)
    return Markup(f'{shown.value} <span class="u">{shown.margin or shown.interval}</span>')


def render_decision(decision: Any) -> str:
    """Return the tables of a decision as HTML: gains, differences from the first, and all pairs."""
    parts = [_render_gains(decision)]
    if len(decision.differences):
        rows = [_scale_row(decision, str(name), row) for name, row in decision.differences.iterrows()]
        title = f"Less {decision.frame.index[0]}"
        parts += [render_heading(title), render_differences("who is ahead", decision.unit, rows)]
    if len(decision.pairs) > 1:
        parts.append(_render_pairs(decision))
    return "".join(parts)


def _scale_row(decision: Any, name: str, row: Any) -> tuple[str, float, float, float]:
    """Return a row of differences in the unit that is shown."""
    return name, decision.scale * row.gain, decision.scale * row.lo, decision.scale * row.hi


def _render_gains(decision: Any) -> str:
    """Return a row for each evaluator, the last of perfect foresight, which is the end of the axis."""
    head, *texts = decision.rows()
    columns = [
        Column("", "l dk-name"), Column("of perfect foresight, 0 to 100\u00a0%", "pic"),
        Column(f"gain, {decision.unit}"), Column("bids", "w1"), Column(head[4], "w2"), Column(head[5], "w2"),
    ]  # fmt: skip
    rows = []
    gains = [(row.gain, row.lo, row.hi) for row in decision.frame.itertuples()]
    reached = [(row.reached, row.reached_lo, row.reached_hi, False) for row in decision.frame.itertuples()]
    perfect = tuple(decision.perfect.values())
    for text, (value, lo, hi), (share, low, high, is_exact) in zip(
        texts, [*gains, perfect], [*reached, (1.0, 1.0, 1.0, True)], strict=True
    ):
        gain = format_estimate(*(decision.scale * number for number in (value, lo, hi)), sign=True)
        part = format_share(share, low, high, exact=is_exact)
        label = (
            f"{text[0]}: {part.value} of perfect foresight, {part.interval}; bids {text[3] or 'as it gains'}"
        )
        rows.append([
            mark_suits(text[0]), draw_rate(share, (low, high), label),
            render_two_lines(gain.value, gain.margin or gain.interval), *text[3:],
        ])  # fmt: skip
    return render_table(columns, rows, "dk-tall")


def _render_pairs(decision: Any) -> str:
    """Return the differences of all pairs, the clearest first, each with the larger gain first."""
    table = decision.pairs.assign(
        clear=decision.pairs.gain.abs() - (decision.pairs.hi - decision.pairs.lo) / 2
    )
    rows, verdicts = [], []
    for (name, other), row in table.sort_values("clear", ascending=False, kind="stable").iterrows():
        _, gain, lo, hi = _scale_row(decision, "", row)
        if gain < 0:
            name, other, gain, lo, hi = other, name, -gain, -hi, -lo
        rows.append((f"{name} less {other}", gain, lo, hi))
        verdicts.append("ahead" if lo > 0 else "the same decisions" if lo == hi == 0 else TOO_CLOSE)
    more = f", {MAX_PAIRS} of {len(rows)}" if len(rows) > MAX_PAIRS else ""
    heading = f"All pairs{more} (all intervals together {100 * decision.confidence:g} %)"
    verdict = (Column("", "l w1"), verdicts[:MAX_PAIRS])
    return render_heading(heading) + render_differences(
        "who is ahead", decision.unit, rows[:MAX_PAIRS], [verdict]
    )

"""HTML of a study of opening leads: how often each beats the contract, and what it gains over the others."""

from __future__ import annotations

from dealerkit.appearance.drawings import choose_reach, draw_difference, draw_rate
from dealerkit.appearance.html import Markup, mark_suits, render_head
from dealerkit.appearance.numbers import (
    NumberText,
    choose_share_decimals,
    format_estimate,
    format_share,
)
from dealerkit.appearance.tables import Column, render_table, render_two_lines
from dealerkit.scoring import SCORINGS
from dealerkit.statistics import Estimate
from dealerkit.studies.html import list_origin, render_notes, render_origin
from dealerkit.studies.leads.fields import LeadData
from dealerkit.studies.leads.text import (
    describe_sample,
    describe_verdict,
    list_measures,
    note_gains,
)


def render_study(study: LeadData) -> str:
    """Return the study as HTML without the style sheet."""
    gains = _render_gains(study) if len(study.leads) > 1 else ""
    return (
        render_head(mark_suits(study.title), *list_origin(study.provenance))
        + _render_rates(study) + gains
        + render_notes([describe_verdict(study), note_gains(study), *describe_sample(study)])
        + render_origin(study.provenance)
    )  # fmt: skip


def _render_rates(study: LeadData) -> str:
    """Return a row for each lead, the best first: how often it beats the contract, and its tricks."""
    columns = [
        Column("lead", "l"), Column(mark_suits(f"beats {study.declared.contract}, 0 to 100\u00a0%"), "pic"),
        Column(""), Column("tricks"),
    ]  # fmt: skip
    rates = [study.gains.rate("beats", i) for i in study.order]
    decimals = choose_share_decimals([rate.lo for rate in rates], [rate.hi for rate in rates])
    rows = []
    for i, rate in zip(study.order, rates, strict=True):
        shown = format_share(rate.value, rate.lo, rate.hi, decimals)
        tricks = study.gains.rate("tricks", i)
        taken = format_estimate(tricks.value, tricks.lo, tricks.hi)
        name = study.leads[i].text
        label = f"{name} beats {study.declared.contract} on {shown.value} of the deals, {shown.interval}"
        rows.append([
            _render_lead(name), draw_rate(rate.value, (rate.lo, rate.hi), label),
            render_two_lines(shown.value, shown.interval),
            render_two_lines(taken.value, taken.margin or taken.interval),
        ])  # fmt: skip
    return render_table(columns, rows, "dk-tall")


def _render_gains(study: LeadData) -> str:
    """Return a row for each lead: what it gains over the best other lead, the first over the second."""
    first, *others = list_measures(study)
    columns = [
        Column("lead", "l"), Column("less the best other lead, deal by deal", "pic"),
        Column(SCORINGS[first].unit),
        *(Column(SCORINGS[measure].unit, "w2") for measure in others),
    ]  # fmt: skip
    best_others = study.gains.find_best_others(study.scoring)
    rows = []
    estimates = {
        i: [study.gains.compare(measure, i, int(best_others[i])) for measure in (first, *others)]
        for i in study.order
    }
    scale = SCORINGS[first].scale
    reach = choose_reach([scale * end for each, *_ in estimates.values() for end in (each.lo, each.hi)])
    for i, found in estimates.items():
        measures = zip((first, *others), found, strict=True)
        shown = [(SCORINGS[measure].unit, _format_gain(measure, gain)) for measure, gain in measures]
        name, gain = study.leads[i].text, found[0]
        label = "; ".join(f"{text.value} {unit}, {text.interval}" for unit, text in shown)
        drawing = draw_difference(
            scale * gain.value, (scale * gain.lo, scale * gain.hi), reach, f"{name}: {label}"
        )
        cells = [render_two_lines(text.value, text.interval) for _, text in shown]
        rows.append([_render_lead(name), drawing, *cells])
    return f'<div style="margin-top:12px">{render_table(columns, rows, "dk-tall")}</div>'


def _format_gain(measure: str, gain: Estimate) -> NumberText:
    scale = SCORINGS[measure].scale
    return format_estimate(scale * gain.value, scale * gain.lo, scale * gain.hi, sign=True)


def _render_lead(name: str) -> Markup:
    """Return a lead strong, its suit in its colour."""
    return Markup(f'<span class="n dk-first">{mark_suits(name)}</span>')

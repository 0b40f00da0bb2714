"""Text of a study of opening leads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import (
    choose_share_decimals,
    format_share_with_interval,
    format_with_interval,
)
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.cards.text import replace_symbols
from dealerkit.scoring import SCORINGS
from dealerkit.studies.results import format_table

if TYPE_CHECKING:
    from dealerkit.studies.leads.fields import LeadData


def read_card(card: Any) -> str:
    """Return a card such as ``♠10`` or ``st`` as ``ST``."""
    return replace_symbols(str(card).strip()).upper().replace("10", "T")


def describe_verdict(study: LeadData) -> str:
    """Return in one sentence which lead is the best, or which cannot be distinguished."""
    level = f"{100 * study.confidence:g} %"
    names = [lead.text for lead in study.possibly_best]
    if len(study.leads) == 1:
        return f"{study.best.text} is the only lead."
    if len(names) == 1:
        return f"{names[0]} is ahead of all other leads at {level}."
    if len(names) == len(study.leads):
        return f"No lead is distinguished from the best at {level} by {study.n:,} deals."
    rest = len(names) - 8
    shown = names if rest < 2 else [*names[:8], f"{rest} more"]
    return f"{join_words(shown)} cannot be distinguished from the best lead at {level} by {study.n:,} deals."


def describe_sample(study: LeadData) -> Iterator[str]:
    """Yield sentences about what the numbers are from."""
    yield f"{study.n:,} deals, double dummy; {100 * study.confidence:g} % intervals."
    if study.gains.n_tricks < study.n:
        yield f"Tricks, IMPs and matchpoints are from the first {study.gains.n_tricks:,} of them."
    if study.given:
        given = shorten(" ".join(str(study.given).split()), 160)
        yield f"Given: {given}" if given.endswith("...") else f"Given: {given}."
    if study.reason:
        yield f"The study ended early: {study.reason}."


def list_measures(study: LeadData) -> list[str]:
    """Return the measures whose gains the table has, that of the study first."""
    if len(study.leads) < 2:
        return []
    share = "board-a-match" if study.scoring == "board-a-match" else "matchpoints"  # the same numbers
    return list(dict.fromkeys([study.scoring, "imps", share]))


def lead_rows(study: LeadData) -> list[list[str]]:
    """Return the rows of the table, the head first; gains are over the best other lead."""
    measures = list_measures(study)
    heads = [f"gain, {SCORINGS[measure].unit}" for measure in measures]
    rows = [["lead", f"beats {study.declared.contract}", "tricks", *heads]]
    gains, others = study.gains, study.gains.find_best_others(study.scoring)
    rates = [gains.rate("beats", i) for i in study.order]
    decimals = choose_share_decimals([rate.lo for rate in rates], [rate.hi for rate in rates])
    for i, rate in zip(study.order, rates, strict=True):
        tricks = gains.rate("tricks", i)
        cells = [
            format_share_with_interval(rate.value, rate.lo, rate.hi, decimals, ascii=True),
            format_with_interval(tricks.value, tricks.lo, tricks.hi, ascii=True),
        ]
        for measure in measures:
            gain, scale = gains.compare(measure, i, int(others[i])), SCORINGS[measure].scale
            value, lo, hi = scale * gain.value, scale * gain.lo, scale * gain.hi
            cells.append(format_with_interval(value, lo, hi, sign=True, ascii=True))
        rows.append([study.leads[i].text, *cells])
    return rows


def note_gains(study: LeadData) -> str:
    """Return what the gains are."""
    if len(study.leads) < 2:
        return ""
    return "Gains are over the best other lead, on the same deals; those of the first are over the second."


def format_study(study: LeadData) -> str:
    """Return the study as text."""
    head, *rows = lead_rows(study)
    width = max(len(row[0]) for row in (head, *rows))
    aligned = [[row[0].ljust(width), *row[1:]] for row in (head, *rows)]
    lines = [
        study.title,
        *describe_sample(study),
        "",
        format_table(aligned).rstrip("\n"),
        "",
        describe_verdict(study),
    ]
    lines += [note for note in (note_gains(study),) if note]
    return "\n".join([*lines, "", str(study.provenance), ""])

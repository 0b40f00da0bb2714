"""HTML of a study of contracts: rates, tricks and scores of each, and differences with a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.drawings import TRICKS_KEY, choose_reach, draw_difference, draw_rate, draw_tricks
from dealerkit.appearance.html import Markup, escape_text, mark_suits, render_head
from dealerkit.appearance.numbers import (
    choose_share_decimals,
    format_estimate,
    format_number,
    format_share,
)
from dealerkit.appearance.tables import Column, render_rows, render_table, render_two_lines
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.scoring import SCORINGS, TOO_CLOSE
from dealerkit.studies.contracts import text
from dealerkit.studies.contracts.fields import ContractTables, TrickShares
from dealerkit.studies.contracts.text import NAME_LENGTH
from dealerkit.studies.html import list_origin, render_heading, render_notes, render_origin
from dealerkit.studies.standard_tables.break_even import break_even

if TYPE_CHECKING:
    import pandas as pd


def render_study(study: ContractTables) -> str:
    """Return the study as HTML without the style sheet."""
    parts = [render_head(mark_suits(study.title), *list_origin(study.provenance)), _render_rates(study)]
    if study.differences is not None:
        parts.append(_render_differences(study))
    verdicts = _describe_verdicts(study)
    parts.append(render_notes([*_describe_drawings(study), *verdicts, *text.describe_sample(study)]))
    parts.append(_render_scores(study))
    for heading, rows in list(text.list_sections(study))[1 + (study.differences is not None) :]:
        parts += [render_heading(heading), render_rows(rows)]
    parts += [render_notes(text.describe_break_even(study)), render_origin(study.provenance)]
    return "".join(parts)


def _render_rates(study: ContractTables) -> str:
    """Return a row for each contract: how often it makes, its tricks, its mean scores."""
    states = study.states
    heads = ["mean score"] if len(states) == 1 else [f"score, {state}" for state in states]
    columns = [
        Column("contract", "l"), Column("makes, 0 to 100\u00a0%", "pic"),
        Column(""),
        Column("tricks", "l w2"),
        *(Column(_break_head(head)) for head in heads),
    ]  # fmt: skip
    first = study.frame.xs(states[0], level="vulnerable").loc[study.names]
    known = first.makes.notna()
    decimals = choose_share_decimals(first.makes_lo[known], first.makes_hi[known]) if known.any() else 0
    rows = []
    for name, row in first.iterrows():
        cells: list[str] = [_render_name(str(name)), "", "–"]
        if known[name]:
            made = format_share(row.makes, row.makes_lo, row.makes_hi, decimals)
            marks = [mark for _, mark in find_marks(study, str(name))]
            label = f"makes {made.value}, interval {made.interval}"
            label += f"; tricks {_format_tricks(row)}" if row.tricks == row.tricks else ""
            label += "".join(f"; gains from {format_share(mark, mark, mark, 0).value}" for mark in marks)
            cells[1] = draw_rate(row.makes, (row.makes_lo, row.makes_hi), label, marks)
            cells[2] = render_two_lines(made.value, made.interval)
        cells.append(_draw_tricks(study.tricks.get(str(name)), row))
        for state in states:
            part = study.frame.loc[(name, state)]
            score = format_estimate(part.score, part.score_lo, part.score_hi, sign=True)
            cells.append(render_two_lines(score.value, score.margin or score.interval))
        rows.append(cells)
    return render_table(columns, rows, "dk-tall")


def _render_name(name: str) -> Markup:
    """Return a contract strong, its declarer quiet on a second line; a strategy by its name."""
    contract, by, seat = shorten(name, NAME_LENGTH).partition(" by ")
    strong = f'<span class="n dk-first">{mark_suits(contract)}</span>'
    return Markup(f'{strong}<br><span class="u">by {escape_text(seat)}</span>' if by else strong)


def _break_head(head: str) -> Markup:
    """Return the head of a column, whose part after the comma is on a second line."""
    return Markup(escape_text(head).replace(", ", ",<br>"))


def _format_tricks(row: Any) -> str:
    shown = format_estimate(row.tricks, row.tricks_lo, row.tricks_hi)
    return f"{shown.value} {shown.margin or shown.interval}"


def _draw_tricks(known: TrickShares | None, row: Any) -> str:
    """Return columns of tricks; of a strategy with several contracts the mean."""
    if known is None:
        if row.tricks != row.tricks:
            return "–"
        shown = format_estimate(row.tricks, row.tricks_lo, row.tricks_hi)
        return render_two_lines(shown.value, shown.margin or shown.interval)
    listed = [f"{k}: {format_share(s, 0, 0, 0).value}" for k, s in enumerate(known.shares) if s]
    return draw_tricks(
        known.shares.tolist(), known.needed, f"tricks, {known.needed} needed: {', '.join(listed)}"
    )


def find_marks(study: ContractTables, name: str) -> list[tuple[str, float]]:
    """Return by vulnerability the chance from which a contract gains over a lower one of its strain.

    The lower one is of the study if there is such, else one level lower.
    """
    shown = study.tricks.get(name)
    if shown is None or shown.contract.doubled:
        return []
    other = _find_lower(study, shown)
    scoring = study.scoring
    marks = []
    for state in study.states if other else ():
        declares_ns = name.endswith((" by north", " by south"))
        is_vulnerable = state in ("vulnerable", "both", "NS" if declares_ns else "EW")
        found = break_even(str(shown.contract), other, vulnerable=is_vulnerable, scoring=scoring)
        if found.fraction and found.fraction < 1:
            marks.append((state, float(found.fraction)))
    return marks if len({mark for _, mark in marks}) > 1 else marks[:1]


def _find_lower(study: ContractTables, shown: TrickShares) -> str:
    """Return the contract that a contract is compared with on the axis of its chance to make, "" if none."""
    level, strain = shown.contract.level, shown.contract.strain
    others = [
        each.contract.level
        for each in study.tricks.values()
        if each.contract.strain == strain and not each.contract.doubled and each.contract.level < level
    ]
    lower = max(others, default=level - 1)
    return f"{lower}{str(shown.contract)[1:]}" if lower else ""


def _list_gains(study: ContractTables) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield each scoring with its differences."""
    for scoring, table in (
        (study.scoring, study.differences), (study.second_scoring, study.second_differences),
    ):  # fmt: skip
        if table is not None:
            yield scoring, table


def _render_differences(study: ContractTables) -> str:
    """Return a row for each scoring, contract and vulnerability: the difference on the same deals."""
    others = [name for name in study.names if name != study.against]
    is_pair, several_states = len(others) == 1, len(study.states) > 1
    shown_names = _shorten_names(study)
    against = shown_names[str(study.against)]
    title = f"{shown_names[others[0]]} less {against}" if is_pair else f"less {against}"
    columns = [Column(mark_suits(f"{title}, deal by deal"), "l dk-name"), Column("who is ahead", "pic")]
    rows = []
    for scoring, table in _list_gains(study):
        scale, unit = SCORINGS[scoring].scale, SCORINGS[scoring].unit
        ends = [scale * end for end in (*table.lo, *table.hi)]
        reach = choose_reach(ends)
        for (name, state), row in table.iterrows():
            value, low, high = scale * row.gain, scale * row.lo, scale * row.hi
            shown = format_estimate(value, low, high, sign=True)
            about = [] if is_pair else [shorten(shown_names[str(name)], NAME_LENGTH)]
            about += [str(state)] if several_states else []
            label = f"{', '.join([*about, 'difference'])} {shown.value} {unit}, {shown.interval}"
            rows.append([
                _render_gain(about, shown.value, unit, shown.interval),
                draw_difference(value, (low, high), reach, label),
            ])  # fmt: skip
    return f'<div style="margin-top:12px">{render_table(columns, rows, "dk-tall")}</div>'


def _shorten_names(study: ContractTables) -> dict[str, str]:
    """Return what the contracts are called in sentences: without their declarer if it is that of all."""
    parts = {name: name.partition(" by ") for name in study.names}
    is_alike = len({by + seat for _, by, seat in parts.values()}) == 1
    return {name: first if is_alike else name for name, (first, *_) in parts.items()}


def _render_gain(about: list[str], value: str, unit: str, interval: str) -> Markup:
    """Return a difference strong with its unit, and quiet its interval, below what it is of."""
    above = f'<span class="u">{mark_suits(", ".join(about))}</span><br>' if about else ""
    return Markup(
        f'{above}<span class="dk-nowrap"><span class="n dk-first">{escape_text(value)}</span> '
        f'{escape_text(unit)}</span> <span class="u dk-nowrap">&ensp;{escape_text(interval)}</span>'
    )


def _describe_drawings(study: ContractTables) -> Iterator[str]:
    """Yield what the drawings show."""
    if study.tricks:
        yield TRICKS_KEY
    lines = []
    for name, shown in study.tricks.items():
        marks = find_marks(study, name)
        at = [f"{100 * mark:.1f} %" + (f" {state}" if len(marks) > 1 else "") for state, mark in marks]
        if at:
            lines.append(f"{shown.contract} gains over {_find_lower(study, shown)} from {join_words(at)}")
    if lines:
        yield f"Dashed: {SCORINGS[study.scoring].at} {join_words(list(dict.fromkeys(lines)))}."
    if study.differences is not None:
        yield "Differences are of scores on the same deals."


def _describe_verdicts(study: ContractTables) -> Iterator[str]:
    """Yield for each contract and scoring who is ahead, or that it is too close to call."""
    for name in study.names:
        for scoring, table in _list_gains(study) if name != study.against else ():
            at = SCORINGS[scoring].at
            yield f"{at[0].upper()}{at[1:]} {'; '.join(_list_verdicts(study, name, table.loc[name]))}."


def _list_verdicts(study: ContractTables, name: str, part: pd.DataFrame) -> Iterator[str]:
    """Yield for each verdict a clause, with the vulnerabilities unless it is the same for all."""
    names = _shorten_names(study)
    for verdict in ("ahead", "behind", "not decided"):
        states = list(part.index[part.verdict == verdict])
        if not states:
            continue
        where = f", {join_words(states)}" if len(states) < len(study.states) else ""
        if verdict == "not decided":
            pair = f"{names[name]} and {names[str(study.against)]}"
            n_deals = int(part.deals.iloc[0])
            yield f"{pair} are {TOO_CLOSE} with {n_deals:,} deals{where}"
        else:
            first, other = (name, str(study.against)) if verdict == "ahead" else (str(study.against), name)
            yield f"{names[first]} is ahead of {names[other]}{where}"


def _render_scores(study: ContractTables) -> str:
    """Return the shares and scores of numbers of tricks, closed."""
    tables = []
    for name, shown in study.tricks.items():
        heads = ["score"] if len(study.states) == 1 else [f"score, {state}" for state in study.states]
        columns = [Column("tricks"), Column("share", "n"), *(Column(_break_head(head)) for head in heads)]
        rows = [
            [str(k), format_share(share, share - 0.005, share + 0.005, 0).value,
             *(format_number(float(points[k]), 0, sign=True) for points in shown.scores)]
            for k, share in enumerate(shown.shares.tolist()) if share
        ][::-1]  # fmt: skip
        tables.append(f"<div><h4>{mark_suits(name)}</h4>{render_table(columns, rows)}</div>")
    if not tables:
        return ""
    count = int(study.frame.tricks_deals.iloc[0])
    return (
        f"<details><summary>Tricks and scores, {count:,} deals</summary>"
        f'<div class="dk-row">{"".join(tables)}</div></details>'
    )

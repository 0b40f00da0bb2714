"""Text of a study of contracts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dealerkit.appearance.numbers import format_with_interval
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.scoring import SCORINGS, TOO_CLOSE
from dealerkit.studies.contracts.fields import ContractTables
from dealerkit.studies.estimate.real_play import SOURCE
from dealerkit.studies.results import format_table
from dealerkit.studies.standard_tables.cell_texts import format_shares

if TYPE_CHECKING:
    import pandas as pd

NAME_LENGTH = 40


def format_gain(value: float, lo: float, hi: float, scoring: str, unit: str = "") -> str:
    """Return a gain with its interval."""
    scale = SCORINGS[scoring].scale
    return format_with_interval(scale * value, scale * lo, scale * hi, sign=True, unit=unit, ascii=True)


def _format_rates(frame: pd.DataFrame) -> list[str]:
    """Return the column `makes` in per cent with its intervals."""
    return format_shares(frame[["makes", "makes_lo", "makes_hi"]].set_axis(["value", "lo", "hi"], axis=1))


def rate_rows(study: ContractTables) -> list[list[str]]:
    """Return the rows of the table of rates, the head first."""
    states = study.states
    heads = ["mean score"] if len(states) == 1 else [f"score, {state}" for state in states]
    rows = [["", "makes", "tricks", *heads]]
    shares = _format_rates(study.frame.xs(states[0], level="vulnerable").loc[study.names])
    for name, made in zip(study.names, shares, strict=True):
        part = study.frame.loc[name]
        first = part.iloc[0]
        tricks = "–"
        if first.tricks is not None and not math.isnan(first.tricks):
            tricks = format_with_interval(first.tricks, first.tricks_lo, first.tricks_hi, ascii=True)
        scores = [
            format_with_interval(row.score, row.score_lo, row.score_hi, sign=True, ascii=True)
            for row in map(part.loc.__getitem__, states)
        ]
        rows.append([shorten(name, NAME_LENGTH), made, tricks, *scores])
    return rows


def gain_rows(study: ContractTables) -> list[list[str]]:
    """Return the rows of the table of gains, the head first."""
    differences, states = study.differences, study.states
    assert differences is not None
    rows = [["", *states]]
    for name in study.names:
        if name == study.against:
            continue
        cells = []
        for state in states:
            row = differences.loc[(name, state)]
            cells.append(format_gain(row.gain, row.lo, row.hi, study.scoring))
        rows.append([shorten(name, NAME_LENGTH), *cells])
    return rows


def rule_rows(study: ContractTables) -> list[list[str]]:
    """Return the rows of the table of rules, the head first."""
    assert study.rules is not None
    rows = [["strategy", "rule", "contract", "deals", "share"]]
    for (name, _), row in study.rules.iterrows():
        cells = [shorten(name, NAME_LENGTH), shorten(row.condition, 60), row.contract]
        rows.append([*cells, f"{row.deals:,}", f"{100 * row.share:.1f} %"])
    return rows


def value_rows(study: ContractTables, name: str) -> list[list[str]]:
    """Return the rows of the table of values of `by` for a contract, the head first."""
    assert study.values is not None
    part = study.values.loc[name]
    states = list(dict.fromkeys(part.index.get_level_values("vulnerable")))
    has_gains = study.differences is not None
    heads = [f"gain, {state}" for state in states] if has_gains else []
    rows = [[shorten(str(study.by), NAME_LENGTH), "deals", "makes", *heads]]
    table = part.loc[states[0]]
    for (value, first), made in zip(table.iterrows(), _format_rates(table), strict=True):
        cells = [f"{value:g}", f"{int(first.deals):,}", made]
        for state in states if has_gains else []:
            row = part.loc[(state, value)]
            cells.append(format_gain(row.gain, row.gain_lo, row.gain_hi, study.scoring))
        rows.append(cells)
    return rows


def describe_sample(study: ContractTables) -> Iterator[str]:
    """Yield sentences about what the numbers are from."""
    about = f"{study.deals:,} deals, double dummy; {100 * study.confidence:g} % intervals"
    given = shorten(" ".join(study.given.split()), 100) if study.given else ""
    yield about + (f"; {given}" if given else "") + ("" if given.endswith("...") else ".")
    n_pilot = int(study.frame.tricks_deals.iloc[0])
    if study.differing < study.deals:
        share = 100 * study.differing / study.deals
        yield (
            f"The strategies differ on {study.differing:,} of the deals ({share:.1f} %): rates, tricks and "
            "scores are of these, gains of all deals."
        )
    if n_pilot < study.cost.solved_deals:
        yield f"Tricks and scores are from {n_pilot:,} of the deals."
    if study.provenance.arguments.get("real_play"):
        yield f"Corrected for play at the table: {SOURCE}."
    if (rule := study.provenance.arguments.get("lead_rule")) is not None:
        name = rule if isinstance(rule, str) else getattr(rule, "__name__", "a function")
        yield f"The opening lead follows a rule: {name}."
    if study.reason:
        yield f"The study ended early: {study.reason}."


def describe_gains(study: ContractTables) -> Iterator[str]:
    """Yield a sentence for each contract: whether it gains over the other."""
    differences = study.differences
    if differences is None:
        return
    for name in study.names:
        if name == study.against:
            continue
        verdicts = differences.loc[name].verdict
        for verdict in ("ahead", "behind", "not decided"):
            states = list(verdicts.index[verdicts == verdict])
            if not states:
                continue
            where = f" {join_words(states)}" if len(study.states) > 1 else ""
            if verdict == "not decided":
                where = f" ({where.strip()})" if where else ""
                yield f"{name} and {study.against} are {TOO_CLOSE} with {study.deals:,} deals{where}."
            else:
                side = "ahead of" if verdict == "ahead" else "behind"
                where = f",{where}" if where else ""
                at = SCORINGS[study.scoring].at
                yield f"{at[0].upper()}{at[1:]} {name} is {side} {study.against}{where}."


def describe_break_even(study: ContractTables) -> Iterator[str]:
    """Yield a line for each contract and vulnerability: from which value on it gains."""
    for (name, state), found in study.break_even.items():
        yield f"Break-even of {name}, {state}: {found}."
    if study.break_even:
        yield (
            "Break-even is where the mean gain, made monotone by isotonic regression, crosses 0; its "
            f"interval is from {found.replicates:,} samples of the deals with replacement."
        )


def list_sections(study: ContractTables) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the heading and the rows of each table."""
    yield "", rate_rows(study)
    if study.differences is not None:
        yield f"Gain over {study.against}, {SCORINGS[study.scoring].unit} a deal", gain_rows(study)
    if study.rules is not None:
        yield "Rules", rule_rows(study)
    if study.values is not None:
        for name in dict.fromkeys(study.values.index.get_level_values("contract")):
            yield f"{name} at each value of {study.by}", value_rows(study, name)


def format_study(study: ContractTables) -> str:
    """Return the study as text."""
    parts = [f"{study.title}\n", *(f"{line}\n" for line in describe_sample(study))]
    for heading, rows in list_sections(study):
        parts += ["\n", f"{heading}\n" if heading else "", format_table(rows)]
    ending = [*describe_gains(study), *describe_break_even(study)]
    parts += ["\n" if ending else "", *(f"{line}\n" for line in ending), f"\n{study.provenance}\n"]
    return "".join(parts)

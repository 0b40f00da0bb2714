"""The explanation of a script, as text and as HTML."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from dealerkit.advice.certain_mistakes import Mistake
from dealerkit.advice.sentences import HEADINGS, ConditionPart
from dealerkit.appearance.content import Code
from dealerkit.appearance.html import render_fragment
from dealerkit.appearance.html_card import render_table
from dealerkit.appearance.numbers import format_share, format_significant
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import limit_repr, shorten
from dealerkit.errors import DealerkitError, ScriptError
from dealerkit.language.script_variables import format_value
from dealerkit.planning.plan import Plan
from dealerkit.planning.rates import N_PILOT_CANDIDATES
from dealerkit.statistics import Estimate

MAX_MISTAKES = 40  # in a text
MAX_CLAUSE_WIDTH = 72  # characters of a clause in the table


@limit_repr
class ClauseSummary(NamedTuple):
    """One clause of a condition; a list of them can be converted to a DataFrame.

    Parameters
    ----------
    number : int
        Position in the order of evaluation, from 1.
    text : str
    alone, given : Estimate or None
        Share of all pilot deals that pass, and of those that passed the clauses before; None if the
        clause cannot be evaluated, for the reason in `note`.
    line, column : int or None
    note : str
    """

    number: int
    text: str
    alone: Estimate | None
    given: Estimate | None
    line: int | None
    column: int | None
    note: str


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class ScriptExplanation:
    """The meaning of a script, its acceptance rates, the plan of a run, and likely mistakes.

    Attributes
    ----------
    condition : ConditionPart or None
        The condition as a tree of sentences; None without a condition.
    clauses : list of ClauseSummary
        In the order of evaluation; ``pandas.DataFrame(explanation.clauses)`` is a table.
    probability : Estimate or None
        The acceptance rate: exact if it can be counted within half a second, otherwise from the
        candidates of a conditional plan or from the pilot deals.
    pilot, candidates : Estimate or None
        Share of the pilot deals that are accepted; of the candidates of a conditional plan.
    deals_per_produced : Estimate or None
        The inverse of `probability`.
    pilot_deals : int
        Number of pilot deals.
    mistakes : list of Mistake
        Likely mistakes, each with its place.
    limits, notes, reports : tuple of str
        When a run ends; remarks; what the actions compute.
    plan : Plan or None
        The plan of a run.
    dealing : tuple of str
        The plan in sentences, a title first.
    seats : str
        The hands on which the condition depends.
    error : DealerkitError or None
        The reason why the script cannot be run; the other attributes are then incomplete.
    clause_numbers : mapping of int to int
        The numbers of the clauses by the id of their node.
    params : mapping of str to object
        The values of the script variables by name.
    """

    condition: ConditionPart | None = None
    clauses: list[ClauseSummary] = field(default_factory=list)
    probability: Estimate | None = None
    pilot: Estimate | None = None
    candidates: Estimate | None = None
    deals_per_produced: Estimate | None = None
    pilot_deals: int = 0
    mistakes: list[Mistake] = field(default_factory=list)
    limits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()
    plan: Plan | None = None
    dealing: tuple[str, ...] = ()
    seats: str = ""
    error: DealerkitError | None = None
    clause_numbers: Mapping[int, int] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The explanation as plain text."""
        lines: list[str] = []
        for _, title, body in self._sections():
            lines += [title, *(f"  {line}" for line in body), ""]
        return "\n".join(lines[:-1]) + "\n"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        state = f"error: {self.error}" if self.error else f"{len(self.clauses)} clauses, {self.acceptance}"
        return f"<ScriptExplanation: {state}; likely mistakes: {len(self.mistakes)}>"

    @property
    def acceptance(self) -> str:
        """The acceptance rate in a sentence."""
        # Without numbers there is a sentence about the reason.
        rate, per_produced = self.probability, self.deals_per_produced
        if self.condition is None:
            return "every deal is produced"
        if rate is None or per_produced is None or math.isnan(rate.value):
            return "the share of deals that are produced is not known"
        # A counted rate has no interval.
        if rate.exact:
            if not rate.value:
                return "no deal is produced: not one meets the condition, counted without dealing"
            if rate.fraction == 1:
                return "every deal is produced, counted without dealing"
            share = f"1 deal in {format_significant(per_produced.value, 5)} is"
            if per_produced.value < 2:
                text = format_share(rate.value, rate.lo, rate.hi, exact=True, ascii=True)
                share = f"{text.value} of all deals are"
            return f"exactly {share} produced, counted without dealing"
        # An estimated one has; a share of more than a half is easier to read than its reciprocal.
        sample = self._describe_sample(rate)
        if rate.value == 0:
            return f"fewer than 1 deal in {format_significant(per_produced.lo)} is produced: {sample}"
        if per_produced.value < 2:
            text = format_share(rate.value, rate.lo, rate.hi, ascii=True)
            return f"about {text.value} of all deals are produced ({text.interval}): {sample}"
        value, low, high = per_produced.value, per_produced.lo, per_produced.hi
        digits = next((k for k in (2, 3) if format_significant(low, k) != format_significant(high, k)), 4)
        numbers = [
            format_significant(number, digits) if math.isfinite(number) else "any number"
            for number in (value, low, high)
        ]
        return "about 1 deal in {} is produced ({} to {}): {}".format(*numbers, sample)

    def _describe_sample(self, rate: Estimate) -> str:
        """Return the counts from which a rate is estimated."""
        sample, size, unit = (
            (rate, self.pilot_deals, "pilot deals")
            if rate is self.pilot or self.candidates is None
            else (self.candidates, N_PILOT_CANDIDATES, "candidates")
        )
        if not rate.value:
            return f"none of {sample.n:,} {unit}"
        if sample.n != size:
            return "a product of shares, since expensive clauses were evaluated on few deals"
        return f"{round(sample.value * size):,} of {size:,} {unit}"

    def _sections(self) -> Iterator[tuple[str, str, list[str]]]:
        """Yield kind, title and lines of each section."""
        if self.error is not None:
            errors = self.error.errors if isinstance(self.error, ScriptError) else (self.error,)
            lines = "\n".join(map(str, errors)).splitlines()
            yield "error", "The script cannot be run", lines
        if self.params:
            values = [f"${name} = {format_value(name, value)}" for name, value in self.params.items()]
            yield "params", "Script variables", values
        if self.condition is not None:
            headings = {"all": " all of these hold", "any": " at least one of these holds"}
            heading = headings.get(self.condition.kind, "") if self._is_list else ""
            lines = [line for part in self._top_parts for line in self._list_tree(part)]
            yield "tree", f"A deal is produced if{heading}", lines
        if self.clauses:
            is_solver_last = self.plan is not None and self.plan.n_solver_clauses
            order = ", double dummy last" if is_solver_last else " in the order of the text"
            title = f"The clauses{order}, each evaluated on the pilot deals that passed those before"
            if len(self.clauses) == 1:
                title = "The only clause, evaluated on the pilot deals"
            yield "clauses", title, self._list_table()
            yield "run", f"{self.acceptance[0].upper()}{self.acceptance[1:]}", [self.seats, *self.limits]
            if self.dealing:
                yield "dealing", self.dealing[0], list(self.dealing[1:])
        elif self.error is None:
            yield "run", "There is no condition: every deal is produced", list(self.limits)
        if self.reports:
            yield "reports", "Reports on the produced deals", list(self.reports)
        if self.mistakes:
            yield "mistakes", "Likely mistakes", list(self._list_mistakes())
        if self.notes:
            yield "notes", "Notes", list(self.notes)

    @property
    def _is_list(self) -> bool:
        """Whether the condition is a list of parts without a name."""
        return self.condition is not None and self.condition.text in (HEADINGS["all"], HEADINGS["any"])

    @property
    def _top_parts(self) -> tuple[ConditionPart, ...]:
        if self.condition is None:
            return ()
        return self.condition.parts if self._is_list else (self.condition,)

    def _list_tree(self, part: ConditionPart, depth: int = 0) -> Iterator[str]:
        numbers = part.format_numbers(self.clause_numbers)
        yield f"{numbers:>5}  {'  ' * depth}{part.text}{':' if part.parts else ''}"
        for below in part.parts:
            yield from self._list_tree(below, depth + 1)

    def _rows(self) -> list[tuple[str, str, str, str]]:
        """Return the table of the clauses, the headings first."""
        rows = [("", "alone (95 % interval)", "given those before", "clause")]
        for clause in self.clauses:
            text = shorten(clause.text, MAX_CLAUSE_WIDTH)
            rows.append((str(clause.number), _format_share(clause.alone), _format_share(clause.given), text))
        return rows

    def _list_table(self) -> list[str]:
        rows = self._rows()
        widths = [max(len(row[k]) for row in rows) for k in range(3)]
        lines = []
        for row in rows:
            cells = [f"{cell:>{width}}" for cell, width in zip(row, widths, strict=False)]
            lines.append("  ".join([*cells, row[3]]).rstrip())
        return lines + self._list_notes()

    def _list_notes(self) -> list[str]:
        return [f"{clause.number}: {clause.note}" for clause in self.clauses if clause.note]

    def _list_mistakes(self) -> Iterator[str]:
        for mistake in self.mistakes[:MAX_MISTAKES]:
            yield f"{mistake.location}{mistake.message}"
            if mistake.instead:
                yield f"    probably meant: {mistake.instead}"
        if len(self.mistakes) > MAX_MISTAKES:
            yield f"and {len(self.mistakes) - MAX_MISTAKES:,} more"

    # ------------------------------------------------------------ HTML
    def _repr_html_(self) -> str:
        pieces = []
        for kind, title, lines in self._sections():
            if kind == "clauses":
                body = _render_table(self._rows()) + _render_lines(self._list_notes())
            elif kind == "mistakes":
                body = "<ul>" + "".join(map(_render_mistake, self.mistakes[:MAX_MISTAKES])) + "</ul>"
            elif kind == "tree":
                body = f"<ul>{''.join(map(self._render_tree, self._top_parts))}</ul>"
            elif kind == "error":
                body = f'<pre class="dk-alarm">{escape(chr(10).join(lines))}</pre>'
            else:
                body = _render_lines(lines)
            pieces.append(f'<div class="dk-report"><h4>{escape(title)}</h4>{body}</div>')
        return render_fragment("".join(pieces), self.text)

    def _render_tree(self, part: ConditionPart) -> str:
        numbers = part.format_numbers(self.clause_numbers)
        label = f"<small>{numbers}:</small> " if numbers else ""
        below = "".join(map(self._render_tree, part.parts))
        return f"<li>{label}{escape(part.text)}{f':<ul>{below}</ul>' if below else ''}</li>"


def _format_share(rate: Estimate | None) -> str:
    """Return a share with its interval in percent."""
    if rate is None:
        return "?"
    if math.isnan(rate.value):
        return "never reached"
    text = format_share(rate.value, rate.lo, rate.hi, exact=rate.exact, ascii=True)
    return f"{text.value} ({text.interval})"


def _render_table(rows: list[tuple[str, str, str, str]]) -> str:
    """Return the table of the clauses with their text as the second column."""
    number, alone, given, clause = rows[0]
    columns = [
        Column(number, kind="label"), Column(clause, kind="name"), Column(alone, kind="label"),
        Column(given, kind="label", quiet=True),
    ]  # fmt: skip
    return render_table(
        Table(columns, [[number, Code(clause), *rates] for number, *rates, clause in rows[1:]])
    )


def _render_mistake(mistake: Mistake) -> str:
    """Return a list item in which the text between backquotes is set as code."""
    texts = escape(mistake.message).split("`")
    message = "".join(f"<code>{text}</code>" if k % 2 else text for k, text in enumerate(texts))
    meant = f"<br>probably meant: <code>{escape(mistake.instead)}</code>" if mistake.instead else ""
    return f'<li><span class="dk-alarm">{mistake.location}</span>{message}{meant}</li>'


def _render_lines(lines: list[str]) -> str:
    return "".join(f"<div>{escape(line)}</div>" for line in lines if line)

"""The explanation of a script, shown as a card with its condition, clauses, run and mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from dealerkit.advice.findings import from_error, tabulate_findings
from dealerkit.advice.sentences import HEADINGS, ConditionPart
from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Code
from dealerkit.appearance.numbers import format_count, format_share, format_significant
from dealerkit.appearance.table import Column, Indented, Quantity, Table, list_sentences, to_plain
from dealerkit.appearance.wording import limit_repr
from dealerkit.compiler.text_mistakes import Mistake
from dealerkit.errors import DealerkitError, ScriptError
from dealerkit.language.script_variables import format_value
from dealerkit.planning.plan import Plan
from dealerkit.planning.rates import N_PILOT_CANDIDATES
from dealerkit.statistics import Estimate

if TYPE_CHECKING:
    import pandas as pd

MAX_MISTAKES = 40  # most mistakes that a text lists
MAX_CLAUSE_WIDTH = 72  # most characters of a clause in the table


@limit_repr
class ClauseSummary(NamedTuple):
    """One clause of a condition; a list of them can be converted to a DataFrame.

    Parameters
    ----------
    number : int
        Position in the order of evaluation, from 1.
    text : str
        The clause in the dealer language.
    alone, given : Estimate or None
        Share, in [0, 1], of all pilot deals that pass the clause, and of those that passed the clauses
        before it. None if the clause cannot be evaluated, for the reason in `note`.
    line, column : int or None
        Its place in the script, from 1.
    note : str
        Remarks; empty if there are none.
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
class ScriptExplanation(Shown):
    """The meaning of a script, its acceptance rates, the plan of a run, and likely mistakes.

    Attributes
    ----------
    condition : ConditionPart or None
        The condition as a tree of sentences; None without a condition.
    clauses : list of ClauseSummary
        The clauses in the order of evaluation; ``pandas.DataFrame(explanation.clauses)`` makes a table.
    probability : Estimate or None
        The acceptance rate in [0, 1]. It is exact if it can be counted within half a second; otherwise it
        is estimated from the candidates of a conditional plan or from the pilot deals.
    pilot, candidates : Estimate or None
        The shares of accepted deals among the pilot deals and among the candidates of a conditional plan.
    deals_per_produced : Estimate or None
        The number of deals dealt for each produced one, which is the inverse of `probability`.
    pilot_deals : int
        Number of pilot deals.
    mistakes : list of Mistake
        Likely mistakes, each with its place.
    limits, notes, reports : tuple of str
        Sentences about when a run ends, remarks, and sentences about what the actions compute.
    plan : Plan or None
        The plan of a run.
    dealing : tuple of str
        A title and sentences about the plan.
    seats : str
        A sentence about the hands on which the condition depends.
    error : DealerkitError or None
        The reason why the script cannot be run; the other attributes are then incomplete.
    clause_numbers : mapping of int to int
        The numbers of the clauses, by the ``id`` of their nodes.
    params : mapping of str to object
        The values of the script variables, by name.

    Examples
    --------
    >>> import dealerkit as dk
    >>> explanation = dk.explain("condition hcp(north) >= 20")
    >>> explanation.acceptance
    'exactly 1 deal in 69.200 is produced, counted without dealing'
    >>> explanation.to_frame()[["number", "clause"]]
      number           clause
    0      1  hcp(north) >= 20
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

    def card(self) -> Card:
        """Return the explanation as a card: the condition, its clauses, the run, and likely mistakes."""
        if self.error is not None:
            errors = self.error.errors if isinstance(self.error, ScriptError) else (self.error,)
            return Card("The script cannot be run", tables=[tabulate_findings(list(map(from_error, errors)))])
        acceptance = f"{self.acceptance[0].upper()}{self.acceptance[1:]}."
        population = (Quantity(self.pilot_deals, kind="count"), " pilot deals")
        return Card(
            "Explanation of the script",
            verdict=acceptance,
            population=[population] if self.clauses else [],
            tables=[table for table in self._list_tables() if table.rows],
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the clauses and their rates as a DataFrame, one row for each clause."""
        return self._tabulate_clauses().to_frame()

    def to_dict(self) -> dict[str, Any]:
        """Return `Card.to_dict` with the acceptance rate, in types that JSON has."""
        rates = {"probability": self.probability, "deals_per_produced": self.deals_per_produced}
        return {**super().to_dict(), **{name: to_plain(rate) for name, rate in rates.items()}}

    def __repr__(self) -> str:
        state = f"error: {self.error}" if self.error else f"{len(self.clauses)} clauses, {self.acceptance}"
        return f"<ScriptExplanation: {state}; likely mistakes: {len(self.mistakes)}>"

    @property
    def acceptance(self) -> str:
        """A sentence about the acceptance rate, without capital and full stop."""
        # No rate: say why
        rate, per_produced = self.probability, self.deals_per_produced
        if self.condition is None:
            return "there is no condition: every deal is produced"
        if rate is None or per_produced is None or math.isnan(rate.value):
            return "the share of deals that are produced is not known"
        # An exact rate, which has no interval
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
        # An estimate; a share of more than a half is easier to read than its reciprocal
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
        """Describe the counts from which a rate is estimated."""
        sample, size, unit = (
            (rate, self.pilot_deals, "pilot deals")
            if rate is self.pilot or self.candidates is None
            else (self.candidates, N_PILOT_CANDIDATES, "candidates")
        )
        if not rate.value:
            return f"none of {format_count(sample.n)} {unit}"
        if sample.n != size:
            return "a product of shares, since expensive clauses were evaluated on few deals"
        return f"{format_count(round(sample.value * size))} of {format_count(size)} {unit}"

    def _list_tables(self) -> Iterator[Table]:
        """Yield the parts of the explanation in the order in which they are shown."""
        if self.params:
            values = [f"${name} = {format_value(name, value)}" for name, value in self.params.items()]
            yield list_sentences("Script variables", values)
        if self.condition is not None:
            headings = {"all": " all of these hold", "any": " at least one of these holds"}
            heading = headings.get(self.condition.kind, "") if self._is_list else ""
            columns = [Column("clauses", "", kind="label"), Column("part", "", kind="sentence")]
            rows = [row for part in self._top_parts for row in self._list_tree(part)]
            yield Table(columns, rows, f"A deal is produced if{heading}", heads=False)
        if self.clauses:
            yield self._tabulate_clauses()
            remarks = [f"{clause.number}: {clause.note}" for clause in self.clauses if clause.note]
            yield list_sentences("Remarks on the clauses", remarks)
        yield list_sentences("The run", (self.seats, *self.limits))
        if self.dealing:
            yield list_sentences(self.dealing[0], self.dealing[1:])
        yield list_sentences("Reports on the produced deals", self.reports)
        if self.mistakes:
            yield self._tabulate_mistakes()
        yield list_sentences("Notes", self.notes)

    @property
    def _is_list(self) -> bool:
        """Whether the condition is a list of parts and not a named variable."""
        return self.condition is not None and self.condition.text in (HEADINGS["all"], HEADINGS["any"])

    @property
    def _top_parts(self) -> tuple[ConditionPart, ...]:
        if self.condition is None:
            return ()
        return self.condition.parts if self._is_list else (self.condition,)

    def _list_tree(self, part: ConditionPart, depth: int = 0) -> Iterator[tuple[str, Indented]]:
        """Yield a part and the parts below it, with the numbers of their clauses."""
        sentence = f"{part.text}{':' if part.parts else ''}"
        yield part.format_numbers(self.clause_numbers), Indented(sentence, depth)
        for below in part.parts:
            yield from self._list_tree(below, depth + 1)

    def _tabulate_clauses(self) -> Table:
        is_solver_last = self.plan is not None and self.plan.n_solver_clauses
        order = ", double dummy last" if is_solver_last else " in the order of the text"
        heading = f"The clauses{order}, each evaluated on the pilot deals that passed those before"
        if len(self.clauses) == 1:
            heading = "The only clause, evaluated on the pilot deals"
        columns = [
            Column("number", "", kind="label"),
            Column("clause", kind="sentence", longest=MAX_CLAUSE_WIDTH),
            Column("alone", "alone, 95 % interval", "share", "within", by_row=True, missing="?"),
            Column(
                "given",
                "given those before",
                "share",
                "within",
                by_row=True,
                quiet=True,
                missing="never reached",
            ),
        ]
        rows = [
            (
                str(clause.number),
                Code(clause.text),
                clause.alone,
                "?" if clause.given is None else clause.given,
            )
            for clause in self.clauses
        ]
        return Table(columns, rows, heading, text_order=("number", "alone", "given", "clause"))

    def _tabulate_mistakes(self) -> Table:
        columns = [
            Column("line", kind="count"),
            Column("column", kind="count"),
            Column("message", "what it means", kind="sentence"),
            Column("instead", "probably meant", kind="sentence"),
        ]
        rows = [
            (*(mistake.position if mistake.place else (None, None)), mistake.message, Code(mistake.instead))
            for mistake in self.mistakes
        ]
        lines = []
        for mistake in self.mistakes[:MAX_MISTAKES]:
            lines.append(f"  {mistake.location}{mistake.message}")
            if mistake.instead:
                lines.append(f"      probably meant: {mistake.instead}")
        if len(self.mistakes) > MAX_MISTAKES:
            lines.append(f"  and {format_count(len(self.mistakes) - MAX_MISTAKES)} more")
        return Table(columns, rows, "Likely mistakes", most_rows=MAX_MISTAKES, summary=lines)

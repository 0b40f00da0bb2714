"""An explanation, and how it is told: as text, and as HTML."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from dealerkit.cards.html import render_fragment
from dealerkit.errors import DealerkitError
from dealerkit.explanation.mistakes import Mistake
from dealerkit.explanation.sentences import HEADINGS, Part, numbers
from dealerkit.planning.plan import Plan
from dealerkit.planning.rates import N_PILOT_CANDIDATES
from dealerkit.statistics import Estimate
from dealerkit.wording import format_number, shorten

MOST_SHOWN = 40  # likely mistakes in a text
TEXT_WIDTH = 72  # of a clause in the table


class Clause(NamedTuple):
    """One clause of a condition; a list of them makes a DataFrame.

    Parameters
    ----------
    number : int
        Position in the order of asking, from 1.
    text : str
    alone, given : Estimate or None
        Share of all pilot deals that pass, and of those that the clauses before let through; None
        where it cannot be asked, as `note` says.
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


@dataclass(frozen=True, repr=False)
class Explanation:
    """What a script asks for, how often a deal passes, and what may be wrong with it.

    Attributes
    ----------
    condition : Part or None
        The condition as a tree of plain words; None without one.
    clauses : list of Clause
        In the order of asking; ``pandas.DataFrame(explanation.clauses)`` is a table.
    probability : Estimate or None
        Of acceptance: exact where it can be counted in a moment; else from the candidates of a
        conditional plan, or from the pilot deals.
    pilot, candidates : Estimate or None
        Share of the pilot deals that are accepted; of the candidates that a conditional plan draws.
    deals_per_produced : Estimate or None
        Its inverse.
    mistakes : list of Mistake
        Likely mistakes, each with its place.
    limits, notes, reports : tuple of str
        When a run ends; what else is worth knowing; what is told of produced deals.
    plan : Plan or None
        How a run would deal.
    dealing : tuple of str
        The same in words, a title first.
    seats : str
        Which hands the condition looks at.
    error : DealerkitError or None
        Why the script cannot be run; then the rest is what could still be told.
    """

    condition: Part | None = None
    clauses: list[Clause] = field(default_factory=list)
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
    labels: Mapping[int, int] = field(default_factory=dict)  # numbers of clauses by the id of their node

    @property
    def text(self) -> str:
        """The explanation for a terminal."""
        lines: list[str] = []
        for _, title, body in self._sections():
            lines += [title, *(f"  {line}" for line in body), ""]
        return "\n".join(lines[:-1]) + "\n"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        state = f"error: {self.error}" if self.error else f"{len(self.clauses)} clauses, {self.acceptance}"
        return f"<Explanation: {state}; likely mistakes: {len(self.mistakes)}>"

    @property
    def acceptance(self) -> str:
        """How often a deal passes, in a sentence."""
        rate, per = self.probability, self.deals_per_produced
        if self.condition is None:
            return "every deal is produced"
        if rate is None or per is None or math.isnan(rate.value):
            return "how often a deal is produced is not known"
        if rate.exact:
            if not rate.value:
                return "no deal is produced: not one meets the condition, counted without dealing"
            if rate.fraction == 1:
                return "every deal is produced, counted without dealing"
            if per.value < 2:
                return f"exactly {_part(rate, 4)[0]} % of all deals are produced, counted without dealing"
            return f"exactly 1 deal in {format_number(per.value, 5)} is produced, counted without dealing"
        passed = self._counted(rate)
        if rate.value == 0:
            return f"fewer than 1 deal in {format_number(per.lo)} is produced: {passed}"
        digits = next((k for k in (2, 3) if format_number(per.lo, k) != format_number(per.hi, k)), 4)
        if per.value < 2:
            return "about {} % of all deals are produced ({} to {}): {}".format(*_part(rate), passed)
        numbers = [format_number(one, digits) for one in (per.value, per.lo, per.hi)]
        return "about 1 deal in {} is produced ({} to {}): {}".format(*numbers, passed)

    def _counted(self, rate: Estimate) -> str:
        """What a rate rests on."""
        tried, whole, what = (
            (rate, self.pilot_deals, "pilot deals")
            if rate is self.pilot or self.candidates is None
            else (self.candidates, N_PILOT_CANDIDATES, "candidates")
        )
        if not rate.value:
            return f"none of {tried.n:,} {what}"
        if tried.n != whole:
            return "a product of shares, since what takes long was asked of few deals"
        return f"{round(tried.value * whole):,} of {whole:,} {what}"

    def _sections(self) -> Iterator[tuple[str, str, list[str]]]:
        """Kind, title and lines of each section."""
        if self.error is not None:
            yield "error", "The script cannot be run", str(self.error).splitlines()
        if self.condition is not None:
            how = {"all": " all of these hold", "any": " at least one of these holds"} if self._tops else {}
            lines = [line for part in self._tops or (self.condition,) for line in self._tree(part)]
            yield "tree", f"A deal is produced if{how.get(self.condition.kind, '')}", lines
        if self.clauses:
            title = f"The clauses{self._order}, each asked of the pilot deals that passed those before"
            if len(self.clauses) == 1:
                title = "The only clause, asked of the pilot deals"
            yield "clauses", title, self._table()
            yield "run", f"{self.acceptance[0].upper()}{self.acceptance[1:]}", [self.seats, *self.limits]
            if self.dealing:
                yield "dealing", self.dealing[0], list(self.dealing[1:])
        elif self.error is None:
            yield "run", "There is no condition: every deal is produced", list(self.limits)
        if self.reports:
            yield "reports", "What is told of the produced deals", list(self.reports)
        if self.mistakes:
            yield "mistakes", "Likely mistakes", list(self._doubts())
        if self.notes:
            yield "notes", "Notes", list(self.notes)

    @property
    def _order(self) -> str:
        dear = self.plan is not None and self.plan.n_solver_clauses
        return ", double dummy last" if dear else " in the order of the text"

    @property
    def _tops(self) -> tuple[Part, ...]:
        """The parts of a condition that is a list of parts and has no name."""
        part = self.condition
        return part.parts if part is not None and part.words in (HEADINGS["all"], HEADINGS["any"]) else ()

    def _tree(self, part: Part, depth: int = 0) -> Iterator[str]:
        label = numbers(part, self.labels)
        yield f"{label:>5}  {'  ' * depth}{part.words}{':' if part.parts else ''}"
        for below in part.parts:
            yield from self._tree(below, depth + 1)

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = [("", "alone, % (95 % interval)", "given those before", "clause")]
        for clause in self.clauses:
            text = shorten(clause.text, TEXT_WIDTH)
            rows.append((str(clause.number), _share(clause.alone), _share(clause.given), text))
        return rows

    def _table(self) -> list[str]:
        rows = self._rows()
        widths = [max(len(row[k]) for row in rows) for k in range(3)]
        lines = []
        for row in rows:
            cells = [f"{cell:>{width}}" for cell, width in zip(row, widths, strict=False)]
            lines.append("  ".join([*cells, row[3]]).rstrip())
        return lines + self._remarks()

    def _remarks(self) -> list[str]:
        return [f"{clause.number}: {clause.note}" for clause in self.clauses if clause.note]

    def _doubts(self) -> Iterator[str]:
        for mistake in self.mistakes[:MOST_SHOWN]:
            where = f"line {mistake.place.line}, column {mistake.place.column}: " if mistake.place else ""
            yield f"{where}{mistake.message}"
            if mistake.instead:
                yield f"    probably meant: {mistake.instead}"
        if len(self.mistakes) > MOST_SHOWN:
            yield f"and {len(self.mistakes) - MOST_SHOWN:,} more"

    # ------------------------------------------------------------ HTML
    def _repr_html_(self) -> str:
        pieces = []
        for kind, title, body in self._sections():
            if kind == "clauses":
                inner = _html_table(self._rows()) + _paragraphs(self._remarks())
            elif kind == "mistakes":
                inner = "<ul>" + "".join(map(_html_mistake, self.mistakes[:MOST_SHOWN])) + "</ul>"
            elif kind == "tree" and self.condition is not None:
                inner = f"<ul>{''.join(map(self._html_tree, self._tops or (self.condition,)))}</ul>"
            elif kind == "error":
                inner = f'<pre class="dk-alarm">{escape(chr(10).join(body))}</pre>'
            else:
                inner = _paragraphs(body)
            pieces.append(f'<div class="dk-report"><h4>{escape(title)}</h4>{inner}</div>')
        return render_fragment("".join(pieces), self.text)

    def _html_tree(self, part: Part) -> str:
        label = numbers(part, self.labels)
        number = f"<small>{label}:</small> " if label else ""
        below = "".join(self._html_tree(one) for one in part.parts)
        colon = f":<ul>{below}</ul>" if below else ""
        return f"<li>{number}{escape(part.words)}{colon}</li>"


def _part(rate: Estimate, digits: int = 2) -> list[str]:
    """A share above a half and the ends of its interval, in percent to so many digits of what is refused."""
    ends = (rate.value, rate.lo, rate.hi)
    refused = 100 * max(1 - rate.value, 1e-14)  # so that 99.99 % are not told as 100 %
    places = max(1, digits - 1 - math.floor(math.log10(refused)))
    return [f"{100 * end:.{places}f}" for end in ends]


def _share(rate: Estimate | None) -> str:
    """A share with its interval, in percent."""
    if rate is None:
        return "?"
    if math.isnan(rate.value):
        return "never reached"
    return "{} ({} to {})".format(*map(_percentage, (rate.value, rate.lo, rate.hi)))


def _percentage(share: float) -> str:
    return f"{100 * share:.2g}" if 0 < share < 0.001 else f"{100 * share:.2f}"


def _html_table(rows: list[tuple[str, str, str, str]]) -> str:
    """The clauses with their text first, as the heading of the row."""
    number, alone, given, clause = map(escape, rows[0])
    head = f'<th>{number}</th><th style="text-align: left">{clause}</th><th>{alone}</th><th>{given}</th>'
    body = "".join(
        f"<tr><td>{row[0]}</td><th><code>{escape(row[3])}</code></th><td>{escape(row[1])}</td><td>{escape(row[2])}</td></tr>"
        for row in rows[1:]
    )
    return f'<table class="dk-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _html_mistake(mistake: Mistake) -> str:
    where = f"line {mistake.place.line}, column {mistake.place.column}: " if mistake.place else ""
    meant = f"<br>probably meant: <code>{escape(mistake.instead)}</code>" if mistake.instead else ""
    return f'<li><span class="dk-alarm">{where}</span>{_coded(mistake.message)}{meant}</li>'


def _coded(text: str) -> str:
    """A text in which what stands between backquotes is set as code."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if k % 2 else piece for k, piece in enumerate(pieces))


def _paragraphs(lines: list[str]) -> str:
    return "".join(f"<div>{escape(line)}</div>" for line in lines if line)

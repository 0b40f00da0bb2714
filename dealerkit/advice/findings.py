"""The findings of `check`, each with its place, reason and remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Code
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import escape_controls, join_words, limit_repr
from dealerkit.errors import ScriptError, shorten_line
from dealerkit.language.nodes import Place
from dealerkit.language.source import ScriptSource

NOUNS = {
    "refused": "refused part",
    "stops": "possible stop",
    "differs": "difference",
    "mistake": "likely mistake",
    "limit": "unchecked part",
}


@limit_repr
@dataclass(frozen=True)
class Finding:
    """A part of a script that a program refuses or interprets differently, or that is probably a mistake.

    Parameters
    ----------
    kind : {"refused", "stops", "differs", "mistake", "limit"}
        ``refused``: the program does not run the script. ``stops``: it can stop during the run, at certain
        deals. ``differs``: it runs the script, but with another meaning or effect. ``mistake``: the author
        probably meant something else, whatever the program. ``limit``: dealerkit cannot read this part,
        so the rest of it is not checked.
    message : str
        The reason.
    remedy : str
        What to write instead; empty if it is not known.
    line, column : int
        The place, both from 1; zeros without a place.
    file : str or None
        The name of the file; None if the text is not from a file.
    source : str
        The line of the script.
    error : ScriptError or None
        The error that has this message and remedy, if there is one.

    Examples
    --------
    >>> print(Finding("refused", "v1 has no numbers with a decimal point", "hcp(north) >= 5", 1, 14,
    ...               None, "hcp(north) > 4.5"))
    script:1:14: refused: v1 has no numbers with a decimal point; write: hcp(north) >= 5
      hcp(north) > 4.5
                   ^
    """

    kind: str
    message: str
    remedy: str
    line: int
    column: int
    file: str | None
    source: str
    error: ScriptError | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        message = f"{self.kind}: {self.message}" + (f"; write: {self.remedy}" if self.remedy else "")
        if not self.line:
            return escape_controls(message)
        return str(ScriptError(message, self.file, self.line, self.column, self.source))


def build_finding(
    kind: str, message: str, source: ScriptSource, place: Place | int | None, remedy: str = ""
) -> Finding:
    """Return a finding at a place, or at an offset in characters, of a script."""
    if isinstance(place, int):
        return from_error(source.error(message, place), kind, remedy)
    if place is not None and place.origin is not None and place.origin.file == source.file:
        place = Place(place.line, place.column)  # the text of the origin may contain replacements
    return from_error(source.error_at(message, place), kind, remedy)


def from_error(error: Exception, kind: str = "refused", remedy: str = "") -> Finding:
    """Return an error as a finding; line and column are 0 if the error has no place in a script.

    If a remedy is given, it replaces that of the error.
    """
    if not isinstance(error, ScriptError):
        return Finding(kind, str(error), remedy, 0, 0, None, "")
    message = error.reason if remedy else error.message
    return Finding(kind, message, remedy, error.line, error.column, error.file, error.source, error)


def tabulate_findings(findings: Sequence[Finding]) -> Table:
    """Return findings as a table, whose text shows the lines with a caret below the place."""
    columns = [
        Column("file", kind="name"),
        Column("line", kind="count"),
        Column("column", kind="count"),
        Column("kind", kind="text"),
        Column("message", kind="sentence"),
        Column("remedy", "write instead", kind="sentence"),
        Column("source", "line of the script", kind="sentence"),
    ]
    rows = []
    for finding in findings:
        place = (finding.line, finding.column) if finding.line else (None, None)
        code = (Code(finding.remedy), Code(shorten_line(finding.source, finding.column).strip()))
        rows.append((finding.file, *place, finding.kind, finding.message, *code))
    # The columns for file and remedy are left out if they are empty.
    places = [
        place for place in range(len(columns)) if place not in (0, 5) or any(row[place] for row in rows)
    ]
    columns, shown = [columns[place] for place in places], [[row[place] for place in places] for row in rows]
    return Table(columns, shown, summary=[str(finding) for finding in findings])


@limit_repr
class Findings(Shown, list[Finding]):
    """The findings about a script, in the order of its text: a list that is shown as a table.

    Parameters
    ----------
    findings : iterable of Finding
        The findings.
    title : str
        What was checked, and for which program.

    Examples
    --------
    >>> import dealerkit as dk
    >>> len(dk.check("condition hcp(north) > 15")), len(dk.check("condition hpc(north) > 15"))
    (0, 1)
    """

    def __init__(self, findings: Iterable[Finding] = (), title: str = "") -> None:
        super().__init__(findings)
        self.title = title

    def card(self) -> Card:
        """Return the findings as data."""
        if not self:
            return Card(self.title, verdict="Nothing was found.")
        counts = Counter(finding.kind for finding in self)
        numbers = join_words(format_count(counts[kind], noun) for kind, noun in NOUNS.items() if counts[kind])
        return Card(self.title, verdict=f"{numbers}.", tables=[tabulate_findings(self)])

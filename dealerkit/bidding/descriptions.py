"""The choices after some calls, as a card for partner to read: meanings, conditions, shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import shorten
from dealerkit.bidding.choices import Choices
from dealerkit.bidding.frequencies import CountedChoices
from dealerkit.bidding.system_file import JUDGEMENT, Citation, Line
from dealerkit.language.source import Token
from dealerkit.statistics import Estimate


@dataclass(frozen=True)
class CallDescription:
    """A line of a context as written in its file.

    Attributes
    ----------
    call : str
    text : str
        The meaning in words.
    condition : str
        As in the file; ``otherwise`` for all hands that are left.
    marks : str
        ``forcing``, ``alert``, both or neither.
    share : Estimate
        Share of all hands.
    sources : tuple of Citation
        Where a published description says this; empty if the file cites none.
    """

    call: str
    text: str
    condition: str
    marks: str
    share: Estimate
    sources: tuple[Citation, ...] = ()


@dataclass(frozen=True)
class ContextDescription(Shown):
    """The calls after some calls, in the order of choice.

    Attributes
    ----------
    title, header : str
        Title of the system, and header of the context as in its file.
    calls : tuple of CallDescription
    is_forced : bool
        Whether partner's call is forcing, so that there is no pass.

    Examples
    --------
    >>> import dealerkit as dk
    >>> described = dk.system("sayc").describe("1NT 2D")
    >>> [(each.call, each.condition) for each in described.calls]
    [('3H', 'hcp == $notrump + 2, hearts 4+'), ('2H', 'otherwise')]
    """

    title: str
    header: str
    calls: tuple[CallDescription, ...]
    is_forced: bool = False

    def __repr__(self) -> str:
        title = shorten(self.title, 60)
        return f"<ContextDescription {title}, {self.header}: {format_count(len(self.calls), 'line')}>"

    def card(self) -> Card:
        """The card: a row for each line."""
        columns = [
            Column("call", kind="name"), Column("meaning", kind="name"), Column("hands", kind="sentence"),
            Column("marks", "", kind="text", optional=1), Column("sources", kind="text", optional=2),
            Column("share", kind="share", interval="none", optional=1),
        ]  # fmt: skip
        labels = label_sources(each.sources for each in self.calls)
        rows: list[list[Any]] = [
            [
                each.call, each.text, each.condition, each.marks, name_sources(each.sources, labels),
                each.share,
            ]
            for each in self.calls
        ]  # fmt: skip
        notes = ["A hand makes the first call whose condition it meets; shares are of all hands."]
        if self.is_forced:
            notes.append("Partner's call is forcing, so there is no pass.")
        tables = [Table(columns, rows), *tabulate_sources(labels)]
        return Card(f"{self.title}: {self.header}", tables=tables, notes=notes)


def describe_choices(title: str, choices: Choices) -> ContextDescription:
    """Return the description of the calls between which a player chooses."""
    counted = CountedChoices.count(choices)
    calls = tuple(
        CallDescription(
            meaning.call, meaning.text, read_condition(meaning.line),
            " ".join(word for word in ("forcing", "alert") if getattr(meaning, word)),
            counted.measure(counted.chosen == position), meaning.line.sources,
        )
        for position, meaning in enumerate(choices.meanings)
    )  # fmt: skip
    return ContextDescription(title, str(choices.context.pattern), calls, choices.is_forced)


def read_condition(line: Line) -> str:
    """Return the condition of a line as written in its file."""
    return join_tokens(line.tokens) if line.tokens else "otherwise"


def join_tokens(tokens: Sequence[Token]) -> str:
    """Return the text from the first to the last token as one line."""
    source = tokens[0].source
    return " ".join(source.text[tokens[0].start : tokens[-1].end].split())


def label_sources(cited: Iterable[Sequence[Citation]]) -> dict[Citation, str]:
    """Return a number for each source, in the order in which lines cite them; a judgement keeps its name."""
    labels: dict[Citation, str] = {}
    for sources in cited:
        for source in sources:
            if source not in labels:
                numbered = sum(label != JUDGEMENT for label in labels.values())
                labels[source] = JUDGEMENT if source.name == JUDGEMENT else str(numbered + 1)
    return labels


def name_sources(sources: Sequence[Citation], labels: Mapping[Citation, str]) -> str:
    """Return the labels of the sources of a line: ``1, judgement``."""
    return ", ".join(labels[source] for source in sources)


def tabulate_sources(labels: Mapping[Citation, str]) -> list[Table]:
    """Return a table of the sources behind the labels; None if nothing is cited."""
    columns = [Column("label", "", kind="name"), Column("source", "", kind="text")]
    rows: list[list[Any]] = [
        [label, str(source)] for source, label in labels.items() if source.name != JUDGEMENT
    ]
    if any(source.name == JUDGEMENT for source in labels):
        rows.append([JUDGEMENT, "a choice of the author of the file; no description says so"])
    return [Table(columns, rows, "Sources")] if rows else []

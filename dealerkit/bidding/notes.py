"""Notes on a bidding system: all its calls as one card, for partner to read on paper or a screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import limit_repr, shorten
from dealerkit.bidding.descriptions import label_sources, name_sources, read_condition, tabulate_sources
from dealerkit.bidding.system_file import Citation, Context


@limit_repr
@dataclass(frozen=True)
class SystemNotes(Shown):
    """All calls of a system, context by context; `to_html` is a page.

    Attributes
    ----------
    title : str
    contexts : tuple of Context
        In the order in which they are searched.
    words : dict of str to str
        The words of the file and their meanings.
    parameters : dict of str to str
        Its script variables and their values.
    comments : tuple of str
        The comments at the beginning of the file: what it is and where it comes from.

    Examples
    --------
    >>> import dealerkit as dk
    >>> notes = dk.system("precision").notes()
    >>> notes.to_frame().iloc[0]["call"], notes.comments[0]
    ('1C', 'Precision (C. C. Wei), in high-card points: a strong club, five-card majors.')
    """

    title: str
    contexts: tuple[Context, ...] = field(repr=False)
    words: dict[str, str] = field(default_factory=dict, repr=False)
    parameters: dict[str, str] = field(default_factory=dict)
    comments: tuple[str, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return f"<SystemNotes {shorten(self.title, 60)}: {format_count(len(self.contexts), 'context')}>"

    def card(self) -> Card:
        """The card: a table for each context, then the words that its conditions use, and the sources."""
        labels = label_sources(line.sources for context in self.contexts for line in context.lines)
        tables = [self._tabulate(context, labels) for context in self.contexts]
        if self.words:
            columns = [Column("word", kind="name"), Column("meaning", kind="text")]
            tables.append(Table(columns, [[word, text] for word, text in self.words.items()], "Words"))
        tables += tabulate_sources(labels)
        values = [f"${name} is {value}" for name, value in self.parameters.items()]
        notes = [f"{'; '.join(values)}."] if values else []
        return Card(
            self.title,
            population=["a hand makes the first call whose condition it meets"],
            tables=tables,
            notes=[*notes, *self.comments],
        )

    @staticmethod
    def _tabulate(context: Context, labels: Mapping[Citation, str]) -> Table:
        columns = [
            Column("call", kind="name"), Column("meaning", kind="text"), Column("hands", kind="text"),
            Column("marks", "", kind="text"), Column("sources", kind="text"),
        ]  # fmt: skip
        rows: list[list[Any]] = [
            [
                str(line.item), line.text, read_condition(line),
                " ".join(word for word in ("forcing", "alert") if getattr(line, word)),
                name_sources(line.sources, labels),
            ]
            for line in context.lines
        ]  # fmt: skip
        header = str(context.pattern)
        return Table(columns, rows, f"{header[0].upper()}{header[1:]}")

    def to_frame(self) -> Any:
        """Return a row for each line: context, call, meaning, hands, forcing, alert, sources."""
        import pandas as pd

        rows = [
            [
                str(context.pattern), str(line.item), line.text, read_condition(line), line.forcing,
                line.alert, "; ".join(map(str, line.sources)),
            ]
            for context in self.contexts
            for line in context.lines
        ]  # fmt: skip
        columns = ["context", "call", "meaning", "hands", "forcing", "alert", "sources"]
        return pd.DataFrame(rows, columns=columns)


def read_comments(text: str) -> tuple[str, ...]:
    r"""Return the comments before the first statement of a file.

    >>> read_comments("# Mine.\n# From a book.\nsystem \"Mine\"\n# not this")
    ('Mine.', 'From a book.')
    """
    comments: list[str] = []
    for line in text.split("\n"):
        stripped = line.strip()
        if not stripped.startswith("#"):
            if stripped:
                break
            continue
        comments.append(stripped.lstrip("#").strip())
    return tuple(comment for comment in comments if comment)

"""`ResultsReport`: what a question about results shows, as tables of a card and as a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note, Picture, list_parts
from dealerkit.appearance.table import Table
from dealerkit.appearance.wording import limit_repr

if TYPE_CHECKING:
    import pandas as pd


def join_facts(facts: Sequence[Note]) -> Note:
    """Return facts as one sentence.

    >>> join_facts(["12 results", "3 boards"])
    ['12 results', ', ', '3 boards', '.']
    """
    parts: list[Any] = []
    for fact in facts:
        parts += [", "] * bool(parts) + list(list_parts(fact))
    return [*parts, "."]


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class ResultsReport(Shown):
    """An answer about results of tournaments: a traveller, a recap, a ranking ...

    Attributes
    ----------
    title : str
    frame : DataFrame
        The numbers, a row for each thing that the report lists.
    tables : sequence of Table
        What is shown of them.
    facts : sequence of notes
        What the numbers are from, such as "12 results": one sentence below the title.
    about, notes : sequences of notes
        Sentences below the title, and below the tables.
    pictures : sequence of Picture
    charts : sequence of Chart

    Examples
    --------
    >>> import pandas as pd
    >>> ResultsReport("Board 7", pd.DataFrame({"ns": ["1", "3"]}))
    <ResultsReport: Board 7>
    """

    title: str
    frame: pd.DataFrame
    tables: Sequence[Table] = ()
    facts: Sequence[Note] = ()
    about: Sequence[Note] = ()
    notes: Sequence[Note] = ()
    pictures: Sequence[Picture] = ()
    charts: Sequence[Chart] = field(default=())

    def card(self) -> Card:
        """The card of the report."""
        return Card(
            self.title,
            about=[*([join_facts(self.facts)] if self.facts else []), *self.about],
            pictures=self.pictures,
            tables=self.tables,
            charts=self.charts,
            notes=self.notes,
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers."""
        return self.frame

    def __repr__(self) -> str:
        return f"<ResultsReport: {self.title}>"

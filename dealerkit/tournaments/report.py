"""`ResultsReport`: what a question about results shows, and how its results and pairs are named and found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note, Picture, list_parts
from dealerkit.appearance.numbers import format_number
from dealerkit.appearance.table import Table
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.tournaments.frames import TournamentFrames
from dealerkit.tournaments.notation import normalize_name

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


def name_result(row: Any) -> str:
    """Return contract, declarer and tricks of a row as text: 4SxN-1, Pass; "" if they are unknown."""
    level = row.level
    if level is None or level != level:
        return ""
    if level == 0:
        return "Pass"
    name = f"{level}{'NT' if row.strain == 'N' else row.strain}{'x' * int(row.doubled)}"
    name += row.declarer if isinstance(row.declarer, str) else ""
    if row.tricks is None or row.tricks != row.tricks:
        return name
    over = int(row.tricks) - int(level) - 6
    return name + ("=" if over == 0 else f"+{over}" if over > 0 else str(over))


def list_rows(frame: pd.DataFrame) -> list[Any]:
    """Return the rows of a frame as objects in which missing values are None."""
    plain = frame.astype(object).where(frame.notna(), None)
    return list(plain.itertuples(index=False))


def describe_kind(row: Any) -> str:
    """Return an artificial score, or that a board was not played, in words."""
    if row.kind == "artificial":
        awards = [row.award_ns, row.award_ew]
        texts = [format_number(100 * award, 0) for award in awards if award is not None]
        return "/".join(texts) + " %" if texts else "artificial"
    return "" if row.kind in ("played", "passed", "assigned") else str(row.kind)


def find_pair(read: TournamentFrames, pair: Any, session: int | None = None) -> tuple[int, str]:
    """Return session and id of a pair, given by its id or by the name of a player.

    Raises
    ------
    ArgumentError
        There is no such pair, or there are several.
    """
    pairs = read.pairs if session is None else read.pairs[read.pairs.session_id == session]
    text = str(pair)
    found = pairs[pairs.id == text]
    if not len(found):
        words = set(normalize_name(text).split())
        names = pairs[["name_1", "name_2"]].fillna("")
        matches = names.map(lambda name: bool(words) and words <= set(normalize_name(name).split()))
        found = pairs[matches.any(axis=1)]
    if not len(found) and text.isdigit():  # 11 for Para-11, or for 11NS
        found = pairs[pairs.id.str.replace(r"\D", "", regex=True) == text]
    if not len(found):
        listed = join_words(pairs.id.tolist()[:12]) + (" ..." if len(pairs) > 12 else "")
        raise ArgumentError(Parameter("pair"), f" is {text!r:.40}; the pairs are {listed}")
    if len(found) > 1:
        if found.session_id.nunique() < len(found):
            raise ArgumentError(
                Parameter("pair"), f" {text!r:.40} may be {join_words(found.id)[:200]}; give one"
            )
        listed = join_words(f"{row.id} (session {row.session_id})" for row in found.itertuples())
        raise ArgumentError(
            Parameter("pair"),
            f" {text!r:.40} may be {listed[:200]}; add the session: ",
            Parameter("session="),
        )
    return int(found.session_id.iloc[0]), str(found.id.iloc[0])


def name_pair(read: TournamentFrames, session: int, identity: str) -> str:
    """Return a pair's id with the names of its players."""
    row = read.pairs[(read.pairs.session_id == session) & (read.pairs.id == identity)].iloc[0]
    names = " - ".join(name for name in (row.name_1, row.name_2) if isinstance(name, str))
    return f"{identity}, {names}" if names else identity

"""`ResultsReport`, the answer to a question about results; naming results and pairs, and finding pairs."""

from __future__ import annotations

import zlib
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Link, Note, Picture, format_note, list_parts
from dealerkit.appearance.numbers import format_number
from dealerkit.appearance.table import Table
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.errors import ArgumentError, Parameter, quote
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
        The numbers, with a row for each item of the report.
    tables : sequence of Table
        The tables that show them.
    facts : sequence of notes
        What the numbers are from, such as "12 results", in one sentence below the title.
    about, notes : sequences of notes
        Sentences below the title (`about`) and below the tables (`notes`).
    pictures : sequence of Picture
    charts : sequence of Chart
    parts : sequence of (str, callable)
        Ids and cards of the parts that links in the tables open; in HTML they follow the report, collapsed.

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
    parts: Sequence[tuple[str, Callable[[], Card]]] = field(default=())

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

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment

        return render_fragment(self._render_body(complete=False), self.text)

    def _build_page(self) -> str:
        """Return the report as a complete HTML page, with the boards to which its tables link."""
        from dealerkit.appearance.page import render_page

        return render_page(format_note(self.title), self._render_body(complete=True))

    def _render_body(self, complete: bool) -> str:
        """Return the HTML of the card and of the parts to which it links."""
        card = self.card()
        body = f'<div class="dk-report">{card.to_page() if complete else card.to_html(complete)}</div>'
        return body + "".join(fold_part(target, build()) for target, build in self.parts)

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers."""
        return self.frame

    def __repr__(self) -> str:
        return f"<ResultsReport: {self.title}>"


# ---------------------------------------------------------------- parts of pages


class PageLinks:
    """Ids of the parts of a page about boards and pairs, and links to them.

    The ids begin with a text that differs between events, because a notebook can show several.

    Parameters
    ----------
    read : TournamentFrames
    has_pairs : bool
        Whether the page also has parts about pairs.
    """

    def __init__(self, read: TournamentFrames, has_pairs: bool = True) -> None:
        text = f"{read.sessions} {len(read.results)} {read.scoring}"
        self._begin = f"dk{zlib.crc32(text.encode()):08x}"
        keys = zip(read.pairs.session_id.tolist(), read.pairs.id.tolist(), strict=True)
        self._pairs = {key: place for place, key in enumerate(keys)} if has_pairs else {}

    def name_board(self, session: int, board: int) -> str:
        """Return the id of the part about a board."""
        return f"{self._begin}-board-{session}-{board}"

    def name_pair(self, session: int, pair: str) -> str:
        """Return the id of the part about a pair; "" if there is none."""
        place = self._pairs.get((session, pair))
        return "" if place is None else f"{self._begin}-pair-{place}"

    def link_board(self, session: int, board: int) -> Link:
        """Return the number of a board as a link."""
        return Link(str(board), self.name_board(session, board))

    def link_pair(self, session: int, pair: str | None) -> str | None:
        """Return the id of a pair, as a link if the page has a part about it."""
        target = self.name_pair(session, pair) if pair else ""
        return Link(pair, target) if pair and target else pair


def fold_part(target: str, card: Card, lead: str = "") -> str:
    """Return a card as a collapsed part of a page, which opens when a link to its content is followed.

    JupyterLab follows links itself, does not open collapsed parts, and prefers elements with
    `data-jupyter-id`; there, a link leads to the heading of the part.
    """
    title = format_note(card.title)
    heading = f"{lead}{title[0].lower() if lead else title[0]}{title[1:]}"
    heading = heading[0].upper() + heading[1:]
    body = f'<div id="{target}" class="dk-report">{card.to_html()}</div>'
    return f'<details data-jupyter-id="{target}"><summary>{escape(heading)}</summary>{body}</details>'


# ---------------------------------------------------------------- names


def name_result(row: Any) -> str:
    """Return contract, declarer and tricks of a row as text, such as 4SxN-1 or Pass; "" if unknown."""
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
    columns = []
    for name in frame.columns:
        values = frame[name].astype(object).to_numpy(copy=True)
        values[frame[name].isna().to_numpy()] = None
        columns.append(values.tolist())
    row: Any = namedtuple("Row", list(frame.columns), rename=True)  # type: ignore[misc]
    return [row._make(values) for values in zip(*columns, strict=True)]


def describe_kind(row: Any) -> str:
    """Return an artificial score, or the kind of a row that was not played, in words; otherwise ""."""
    if row.kind == "artificial":
        awards = [row.award_ns, row.award_ew]
        texts = [format_number(100 * award, 0) for award in awards if award is not None]
        return "/".join(texts) + " %" if texts else "artificial"
    return "" if row.kind in ("played", "passed", "assigned") else str(row.kind)


def find_pair(read: TournamentFrames, pair: Any, session: int | None = None) -> tuple[int, str]:
    """Return the session and the id of a pair, found by its id or the name of a player.

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
        raise ArgumentError(Parameter("pair"), f" is {quote(text, 40)}; the pairs are {listed}")
    if len(found) > 1:
        if found.session_id.nunique() < len(found):
            raise ArgumentError(
                Parameter("pair"), f" {quote(text, 40)} may be {join_words(found.id)[:200]}; give one"
            )
        listed = join_words(f"{row.id} (session {row.session_id})" for row in found.itertuples())
        raise ArgumentError(
            Parameter("pair"),
            f" {quote(text, 40)} may be {listed[:200]}; add the session: ",
            Parameter("session="),
        )
    return int(found.session_id.iloc[0]), str(found.id.iloc[0])


def name_pair(read: TournamentFrames, session: int, identity: str) -> str:
    """Return a pair's id with the names of its players."""
    row = read.pairs[(read.pairs.session_id == session) & (read.pairs.id == identity)].iloc[0]
    names = " - ".join(name for name in (row.name_1, row.name_2) if isinstance(name, str))
    return f"{identity}, {names}" if names else identity

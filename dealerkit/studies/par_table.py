"""Par of boards as a table, with text, HTML and a plot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, format_note
from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import shorten
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, STRAIN_LETTERS, board_dealer, board_vulnerability
from dealerkit.charts.panels import Frame, draw_whisker, label_end, open_frame
from dealerkit.charts.style import get_color, get_share
from dealerkit.doubledummy.par import Par, par
from dealerkit.errors import ArgumentError
from dealerkit.runtime.progress import long_work
from dealerkit.studies.provenance import RepeatableResult, repeatable

if TYPE_CHECKING:
    import pandas as pd

_SEATS = {1: "N", 4: "S", 5: "NS", 2: "E", 8: "W", 10: "EW"}
_VULNERABLE = ("none", "NS", "EW", "both")
_COLUMNS = (
    Column("board", kind="label"),
    Column("dealer", kind="text"),
    Column("vulnerable", kind="text"),
    Column("score", "par, NS", kind="count", sign=True),
    Column("contracts", kind="contract"),
)
MOST_ROWS = 40  # in a plot with a row for each board
ROW = 0.22  # height in inches
BIN = 100  # width in points


@dataclass(frozen=True, eq=False, repr=False)
class ParTable(RepeatableResult):
    """Par scores and contracts of boards, as `tabulate_par` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each board: `board`, `dealer`, `vulnerable`, `score` for north-south, `contracts`.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.tabulate_par(dk.solved_sample()[:2]).frame.contracts.tolist()
    ['7NT by NS', '4S by W, 5S by W']
    """

    frame: pd.DataFrame

    def to_frame(self) -> pd.DataFrame:
        """Return the table."""
        return self.frame

    @property
    def title(self) -> str:
        """Par, and the number of boards."""
        return f"Par of {format_count(len(self.frame), 'board')}"

    def card(self) -> Card:
        """The card: a row for each board, and the mean of all boards."""
        rows = list(self.frame[[column.name for column in _COLUMNS]].itertuples(index=False, name=None))
        return Card(
            self.title,
            tables=[Table(_COLUMNS, rows)],
            charts=[Chart("par", partial(_draw, self))],
            notes=[(*self._summarize(), ".")],
            provenance=self._list_facts(),
        )

    def _summarize(self) -> tuple[str | Quantity, ...]:
        """Return the number of boards and their mean par, in one line."""
        mean = Quantity(self.frame.score.mean(), sign=True, decimals=0)
        boards = format_count(len(self.frame), "board")
        return f"{boards}, double dummy: par for north-south is ", mean, " on average"

    def __repr__(self) -> str:
        return f"<ParTable: {format_note(self._summarize())}>"


def _draw(table: ParTable, ax: Any) -> Any:
    """Draw the par score of each board with its first contract; for more than 40 boards, a histogram."""
    scores = table.frame.score.to_numpy()
    n = len(scores)
    with open_frame(ax, height=4.0 if n > MOST_ROWS else 1.6 + ROW * n) as frame:
        caption = f"{format_count(n, 'board')}, double dummy." if n > 1 else "Double dummy."
        if n > MOST_ROWS:
            mean = format_number(scores.mean(), 0, sign=True)
            frame.write("Par", "Points for north-south", f"{caption} Line: the mean, {mean}.")
            (panel,) = frame.add_panels(lines=True)
            _draw_histogram(frame, panel, scores)
        else:
            frame.write("Par of each board", "Points for north-south", caption)
            _draw_boards(frame, table.frame)
        return frame.ax


def _draw_histogram(frame: Frame, panel: Any, scores: np.ndarray) -> None:
    """Draw the number of boards with each score, in steps of 100 points."""
    edges = np.arange(BIN * np.floor(scores.min() / BIN), scores.max() + BIN + 1, BIN)
    panel.hist(scores, edges, color=get_color("data"), alpha=get_share("bar"), rwidth=0.92)
    panel.axvline(scores.mean(), color=get_color("exact"), linewidth=1.4)
    frame.scale(panel.xaxis, float(edges[0]), float(edges[-1]), sign=True)
    frame.number(panel.yaxis, integer=True)
    panel.set_ylabel("boards")


def _draw_boards(frame: Frame, table: pd.DataFrame) -> None:
    """Draw a row for each board, with its first contract beside the end."""
    rows = list(table.itertuples())
    names = [str(row.board) for row in rows]
    (panel,) = frame.add_panels()
    frame.name_rows(panel, names)
    scores = [float(row.score) for row in rows]
    frame.scale(panel.xaxis, min(0.0, *scores), max(0.0, *scores), sign=True)
    panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
    for y, row in enumerate(rows):
        panel.plot([0, row.score], [y, y], color=get_color("rule"), linewidth=1, zorder=2)
        draw_whisker(panel, row.score, row.score, row.score, y, get_color("data"))
        first, *more = row.contracts.split(", ")
        label_end(panel, shorten(first + " ..." * bool(more), 18), row.score, y, 1 if row.score >= 0 else -1)


@long_work
@repeatable
def tabulate_par(deals: Deals, vulnerable: Any = None, dealer: Any = None) -> ParTable:
    """Return par of deals as a table.

    Parameters
    ----------
    deals : Deals
        They are solved unless their tables are known.
    vulnerable, dealer : optional
        For all boards. None: those attached to the deals, otherwise those that follow from the board numbers,
        otherwise none and north.

    Raises
    ------
    ArgumentError
        There is no deal, or the vulnerability or dealer is unknown.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    >>> tables = np.zeros((1, 5, 4), np.int8)
    >>> tables[0, 0] = 13, 0, 13, 0
    >>> tabulate_par(deals.replace(tables=tables)).frame.contracts.tolist()
    ['7S by NS']
    """
    import pandas as pd

    if not len(deals):
        raise ArgumentError("there is no deal; give a file with some")
    board = np.full(len(deals), -1) if deals.board is None else deals.board.astype(int)
    states = _complete(deals.vulnerable, board, board_vulnerability) if vulnerable is None else vulnerable
    dealers = _complete(deals.dealer, board, board_dealer) if dealer is None else dealer
    result = par(deals, states, dealers)
    frame = pd.DataFrame(
        {
            "board": np.where(board > 0, board, np.arange(1, len(deals) + 1)),
            "dealer": [SEATS[seat] for seat in result.dealer.tolist()],
            "vulnerable": [_VULNERABLE[state] for state in result.vulnerable.tolist()],
            "score": result.score,
            "contracts": _list_contracts(result),
        }
    )
    return ParTable(frame)


def _complete(attached: np.ndarray | None, board: np.ndarray, of_board: Any) -> np.ndarray:
    """Return attached numbers; if unknown, those that follow from the board number, otherwise 0."""
    known = np.full(len(board), -1) if attached is None else attached.astype(int)
    return np.where(known >= 0, known, np.where(board > 0, of_board(np.maximum(board, 1)), 0))


def _list_contracts(result: Par) -> list[str]:
    """Return the par contracts of each deal, such as ``4S by NS, 5Cx by EW``."""
    texts: list[list[str]] = [[] for _ in range(len(result))]
    for deal, level, strain, doubled, seats, *_ in result.contracts.tolist():
        name = "NT" if strain == 4 else STRAIN_LETTERS[strain]
        texts[deal].append(f"{level}{name}{'x' * doubled} by {_SEATS[seats]}")
    return [", ".join(each) or "pass" for each in texts]

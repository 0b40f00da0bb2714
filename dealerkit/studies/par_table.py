"""Par of boards as a table, with text, HTML and a plot."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.latex import Section
from dealerkit.appearance.tables import render_rows
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, STRAIN_LETTERS, board_dealer, board_vulnerability
from dealerkit.doubledummy.par import Par, par
from dealerkit.errors import ArgumentError
from dealerkit.studies.results import StudyResult, format_table

if TYPE_CHECKING:
    import pandas as pd

_SEATS = {1: "N", 4: "S", 5: "NS", 2: "E", 8: "W", 10: "EW"}
_VULNERABLE = ("none", "NS", "EW", "both")


@dataclass(frozen=True, eq=False, repr=False)
class ParTable(StudyResult):
    """Par scores and contracts of boards, as `tabulate_par` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each board: `board`, `dealer`, `vulnerable`, `score` for north-south, `contracts`.

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

    def _rows(self) -> list[list[str]]:
        """Return the rows as text, the head first."""
        rows = [["board", "dealer", "vulnerable", "par, NS", "contracts"]]
        for row in self.frame.itertuples():
            score = f"{row.score:+d}" if row.score else "0"
            rows.append([str(row.board), row.dealer, row.vulnerable, score, row.contracts])
        return rows

    @property
    def _count(self) -> str:
        return "1 board" if len(self.frame) == 1 else f"{len(self.frame):,} boards"

    @property
    def _summary(self) -> str:
        """The number of boards and their mean par, in one line."""
        return (
            f"{self._count}, double dummy: par for north-south is {self.frame.score.mean():+.0f} on average"
        )

    @property
    def title(self) -> str:
        """Par, and of how many boards."""
        return f"Par of {self._count}"

    @property
    def text(self) -> str:
        """The table as text."""
        return f"{format_table(self._rows())}{self._summary}\n"

    def __repr__(self) -> str:
        return f"<ParTable: {self._summary}>"

    def _sections(self) -> list[Section]:
        return [("", self._rows())]

    def _notes(self) -> list[str]:
        return [f"{self._summary}."]

    def _render(self) -> str:
        return f"{render_rows(self._rows())}<p>{escape(self._summary)}</p>"

    def plot(self, ax: Any = None) -> Any:
        """Plot par of each board, or of many boards how often each score occurs; returns matplotlib Axes.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.par import plot_par

        return plot_par(self, ax)


def tabulate_par(deals: Deals, vulnerable: Any = None, dealer: Any = None) -> ParTable:
    """Return par of deals as a table.

    Parameters
    ----------
    deals : Deals
        Solved unless their tables are known.
    vulnerable, dealer : optional
        Of all boards. None: those attached to the deals, else those of the number of the board, else none and
        north.

    Raises
    ------
    ArgumentError
        No deal, or an unknown vulnerability or dealer.

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
    """Return attached numbers; where they are unknown those of the board, else 0."""
    known = np.full(len(board), -1) if attached is None else attached.astype(int)
    return np.where(known >= 0, known, np.where(board > 0, of_board(np.maximum(board, 1)), 0))


def _list_contracts(result: Par) -> list[str]:
    """Return the par contracts of each deal, such as ``4S by NS, 5Cx by EW``."""
    texts: list[list[str]] = [[] for _ in range(len(result))]
    for deal, level, strain, doubled, seats, *_ in result.contracts.tolist():
        name = "NT" if strain == 4 else STRAIN_LETTERS[strain]
        texts[deal].append(f"{level}{name}{'x' * doubled} by {_SEATS[seats]}")
    return [", ".join(each) or "pass" for each in texts]

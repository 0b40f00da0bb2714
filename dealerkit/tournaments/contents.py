"""The content of a file of results, as its reader returns it: deals, results at tables, pairs, remarks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

KINDS = ("played", "passed", "artificial", "assigned", "not played", "bye", "unknown")
UNKNOWN_SEATS = ("", "", "", "")


class Remark(NamedTuple):
    """Something unusual in a file.

    Attributes
    ----------
    file : str
        Name without the folder.
    line : int
        Line from 1; 0 if the place is unknown.
    board : int
        Number of the board; 0 if the remark is not about a board.
    text : str
    """

    file: str
    line: int
    board: int
    text: str


class Session(NamedTuple):
    """A session of a file, identified by three texts, which are "" if unknown.

    Attributes
    ----------
    event, date, name : str
    """

    event: str = ""
    date: str = ""
    name: str = ""


@dataclass(slots=True)
class BoardRow:
    """A board: its number, and its cards if they are known; an unknown number is -1.

    Attributes
    ----------
    session : Session
    number : int
    dealer : int
        N E S W = 0..3.
    vulnerable : int
        Bit 0 for north-south, bit 1 for east-west.
    hands : tuple of four ints or None
    tricks : list of 20 ints or None
        Double-dummy tricks in the file, by strain S H D C N and declarer N E S W; -1 if unknown.
    line : int
        Line in the file, from 1; 0 if unknown.
    """

    session: Session
    number: int
    dealer: int = -1
    vulnerable: int = -1
    hands: tuple[int, ...] | None = None
    tricks: list[int] | None = None
    line: int = 0


@dataclass(slots=True)
class TableRow:
    """A result at a table. Unknown texts are "", unknown numbers -1 or nan.

    Attributes
    ----------
    board : int
        Index in the list of boards of the file.
    line : int
    section, round, table, room, ns, ew, team_ns, team_ew : str
        Room is "open", "closed" or "".
    names, members : tuple of four str
        Names and numbers of the players N E S W.
    level, strain, doubled : int
        Level 1 to 7, or 0 for a passed-out board; strain S H D C N = 0..4; doubled 0, 1, or 2 for redoubled.
    declarer, tricks : int
        Declarer N E S W = 0..3, and the tricks that declarer took.
    lead, play, auction : str
    score_ns, score_ew : float
        Score in points, seen from each side.
    kind : str
        One of `KINDS`.
    award_ns, award_ew : float
        Shares of an artificial score.
    assigned_ns, assigned_ew : str
        Weighted scores, such as ``0.6*420+0.4*-50``.
    official : dict of str to str
        The file's points of the board, by column name.
    """

    board: int
    line: int
    section: str = ""
    round: str = ""
    table: str = ""
    room: str = ""
    ns: str = ""
    ew: str = ""
    team_ns: str = ""
    team_ew: str = ""
    names: tuple[str, ...] = UNKNOWN_SEATS
    members: tuple[str, ...] = UNKNOWN_SEATS
    level: int = -1
    strain: int = -1
    doubled: int = -1
    declarer: int = -1
    tricks: int = -1
    lead: str = ""
    play: str = ""
    auction: str = ""
    score_ns: float = math.nan
    score_ew: float = math.nan
    kind: str = "unknown"
    award_ns: float = math.nan
    award_ew: float = math.nan
    assigned_ns: str = ""
    assigned_ew: str = ""
    official: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class PairRow:
    """A pair, or a team, of a file.

    Attributes
    ----------
    session : Session or None
        None for a pair of all sessions of the file.
    id, section, direction : str
        Direction is "NS", "EW" or "".
    names, members : tuple of two str
    official : dict of str to str
        Total, per cent, rank and other values in the file.
    line : int
    """

    session: Session | None
    id: str
    section: str = ""
    direction: str = ""
    names: tuple[str, ...] = ("", "")
    members: tuple[str, ...] = ("", "")
    official: dict[str, str] = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@dataclass
class FileContent:
    """The content of a file of results.

    Attributes
    ----------
    file : str
        Its name without the folder.
    boards : list of BoardRow
    tables : list of TableRow
    pairs : list of PairRow
    remarks : list of Remark
    scoring : dict of Session to str
        The method of scoring that the file names.
    winners : int
        Number of rankings, 1 or 2; 0 if unknown.
    carry : dict of str to float
        IMPs that teams carry over into a match.
    """

    file: str
    boards: list[BoardRow] = field(default_factory=list)
    tables: list[TableRow] = field(default_factory=list)
    pairs: list[PairRow] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    scoring: dict[Session, str] = field(default_factory=dict)
    winners: int = 0
    carry: dict[str, float] = field(default_factory=dict)

    def remark(self, line: int, board: int, text: str) -> None:
        """Add a remark."""
        self.remarks.append(Remark(self.file, line, max(board, 0), text))

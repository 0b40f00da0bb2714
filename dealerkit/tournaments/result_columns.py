"""Results in tables of separated values, such as CSV, as people and programs write them.

===================================  ======================================================================
column (any case)                    content
===================================  ======================================================================
board                                number; the only column that is required
ns ew                                numbers of the pairs
contract declarer result             4S, 4Sx, 4SN+1; seat; tricks, or =, +1, -2
score_ns score_ew                    points of each side; A+, A60/40, 60% 420 40% -50; score means score_ns
lead section round table room
north east south west                names of the players; names_ns and names_ew have those of both partners
mp_ns percent_ns imp_ns ...          points in the file, which are kept as official points
deal dealer vulnerable               the cards in PBN notation
event date session
===================================  ======================================================================

If a file has no names of columns, they are board, ns, ew, contract, declarer, tricks, score_ns, score_ew,
mp_ns and mp_ew, which Debian's `salliere` writes.
"""

from __future__ import annotations

import csv
import io
import os
import re
from pathlib import Path

from dealerkit.appearance.wording import join_words
from dealerkit.cards.text import describe_fault
from dealerkit.errors import DealError, FileError
from dealerkit.formats.pbn_values import find_dealer, find_vulnerability, parse_deal_value
from dealerkit.formats.text_files import read_text
from dealerkit.tournaments.contents import BoardRow, FileContent, PairRow, Session
from dealerkit.tournaments.notation import UNKNOWN, parse_number
from dealerkit.tournaments.row_values import read_row

_DELIMITERS = ",;\t"
_ALIASES = {
    "board_number": "board", "boardnumber": "board", "bd": "board", "brd": "board",
    "ns": "pairid_ns", "ns_pair": "pairid_ns", "pair_ns": "pairid_ns", "pairns": "pairid_ns",
    "ew": "pairid_ew", "ew_pair": "pairid_ew", "pair_ew": "pairid_ew", "pairew": "pairid_ew",
    "n/s": "pairid_ns", "n-s": "pairid_ns", "e/w": "pairid_ew", "e-w": "pairid_ew",
    "by": "declarer", "decl": "declarer", "tricks": "result", "opening_lead": "lead", "leadcard": "lead",
    "score": "score_ns", "ns_score": "score_ns", "ew_score": "score_ew",
    "vul": "vulnerable", "vulnerability": "vulnerable",
    "ns_mp": "mp_ns", "ew_mp": "mp_ew", "imps_ns": "imp_ns", "imps_ew": "imp_ew",
    "percentage_ns": "percent_ns", "percentage_ew": "percent_ew",
    "number": "pair", "name1": "name_1", "name2": "name_2", "player1": "name_1", "player2": "name_2",
}  # fmt: skip
_BRIDGEMATE = {"ns/ew", "pairns", "contract"}  # its table ReceivedData has a pair's number as declarer
_WITHOUT_NAMES = (
    "board", "pairid_ns", "pairid_ew", "contract", "declarer", "result", "score_ns", "score_ew",
    "mp_ns", "mp_ew",
)  # fmt: skip


def read_csv_results(path: str | os.PathLike) -> FileContent:
    """Return the results of a table of separated values.

    Parameters
    ----------
    path : str or os.PathLike

    Raises
    ------
    FileError
        The file cannot be read, or has neither results nor pairs.
    """
    text = read_text(path)
    first = text.lstrip().partition("\n")[0]
    # The delimiter is the one that is most frequent in the first line.
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [(reader.line_num, [value.strip() for value in values]) for values in reader]
    except csv.Error as reason:
        raise FileError(f"{path}:{reader.line_num}: {reason}") from reason
    rows = [row for row in rows if any(row[1])]
    if not rows:
        raise FileError(f"{path}: the file is empty")
    # Find the names of columns; a file without them begins with a number.
    header = rows[0][1]
    names = _find_names(header)
    if rows[0][1][0].isdigit():
        names = header = list(_WITHOUT_NAMES[: max(len(values) for _, values in rows)])
    else:
        del rows[0]
    columns = join_words(header[:20])
    if len(set(names)) < len(names):
        raise FileError(f"{path}: two columns have the same name; rename one of them")
    # Read a table of results, or of pairs.
    content = FileContent(Path(path).name)
    if "board" not in names and {"pair", "name_1"} <= set(names):
        _read_pairs(rows, names, content)
    elif "board" in names and {"contract", "level", "score_ns", "score_ew"} & set(names):
        _read_rows(rows, names, content)
        if not any(row.ns or row.ew or any((*row.names, *row.members)) for row in content.tables):
            content.remark(
                0,
                0,
                "no column has pairs or players, such as ns and ew, so there is no ranking; the columns are "
                f"{columns}",
            )
    else:
        raise FileError(
            f"{path}: there are no results; a table of results needs the columns board and contract, or "
            f"board and score_ns; this one has {columns}"
        )
    return content


def _find_names(cells: list[str]) -> list[str]:
    """Return the names of the columns that the readers use."""
    given = [cell.lower() for cell in cells]
    # In a table that `TournamentResults` wrote, read the points of the original file, not the computed ones.
    lower = [f"computed {name}" if f"official_{name}" in given else name for name in given]
    lower = [name.removeprefix("official_") for name in lower]
    if set(lower) >= _BRIDGEMATE:
        changed = {"declarer": "declaring pair", "ns/ew": "declarer"}
        lower = [changed.get(name, name) for name in lower]
    names = [_ALIASES.get(name, name) for name in lower]
    # Blanks and hyphens stand for underscores, as in `Pair NS`, unless another column has that name.
    joined = [re.sub(r"[\s-]+", "_", name) for name in names]
    joined = [_ALIASES.get(name, name) for name in joined]
    if "declarer" not in joined:
        joined = ["declarer" if name == "dir" else name for name in joined]
    return [name if other in names else other for name, other in zip(names, joined, strict=True)]


def _read_pairs(rows: list[tuple[int, list[str]]], names: list[str], content: FileContent) -> None:
    """Read a table of pairs with the names of their players."""
    for line, values in rows:
        row = dict(zip(names, values, strict=False))
        if row.get("pair"):
            pair = PairRow(
                None, row["pair"], row.get("section", ""), row.get("direction", "").upper(), line=line
            )
            pair.names = (row.get("name_1", ""), row.get("name_2", ""))
            content.pairs.append(pair)


def _read_rows(rows: list[tuple[int, list[str]]], names: list[str], content: FileContent) -> None:
    """Read the rows with results; rows with the same board of a session share its board."""
    places: dict[tuple[Session, str, str], int] = {}
    latest: dict[tuple[Session, str], str] = {}
    for line, values in rows:
        if not any(values):
            continue
        if len(values) > len(names) and any(values[len(names) :]):
            content.remark(
                line, 0, f"the row has {len(values)} values for {len(names)} columns; it is left out"
            )
            continue
        row = dict(zip(names, values, strict=False))
        _complete_row(row)
        number = row.get("board", "")
        if not (number.isascii() and number.isdigit() and 0 < len(number) < 9):
            content.remark(line, 0, f"{number[:20]!r} is not the number of a board; the row is left out")
            continue
        session = Session(row.get("event", ""), row.get("date", ""), row.get("session", ""))
        if row.get("scoring"):
            content.scoring.setdefault(session, row["scoring"])
        key = session, number, row.get("deal", "") or latest.get((session, number), "")
        latest[session, number] = key[2]  # only the first row of a board may have its cards
        if key not in places:
            places[key] = len(content.boards)
            content.boards.append(_read_board(row, int(number), session, line, content))
        content.tables.append(read_row(row, places[key], int(number), line, content))


def _complete_row(row: dict[str, str]) -> None:
    """Join the parts of contract and artificial score, which a table of `TournamentResults` separates."""
    if not row.get("contract") and row.get("level", "").isdigit():
        name = f"{row['level']}{row.get('strain', '')}"
        doubled = row.get("doubled", "")
        row["contract"] = "Pass" if row["level"] == "0" else name + {"1": "x", "2": "xx"}.get(doubled, "")
    if not row.get("score_ns") and row.get("award_ns"):
        shares = [round(100 * parse_number(row.get(f"award_{side}", "")), 2) for side in ("ns", "ew")]
        if all(share == share for share in shares):
            row["score_ns"] = f"A{round(shares[0])}/{round(shares[1])}"


def _read_board(
    row: dict[str, str], number: int, session: Session, line: int, content: FileContent
) -> BoardRow:
    """Return the board of a row."""
    vulnerable, is_known = find_vulnerability(row.get("vulnerable"), number)
    if not is_known and row.get("vulnerable", "") not in UNKNOWN:
        content.remark(line, number, f"unknown vulnerability {row['vulnerable'][:30]!r}")
    board = BoardRow(session, number, find_dealer(row.get("dealer", ""), number), vulnerable, line=line)
    if row.get("deal", "") not in UNKNOWN:
        try:
            hands = parse_deal_value(row["deal"])
            if fault := describe_fault(hands):
                raise DealError(fault)
            board.hands = tuple(hands)
        except DealError as reason:
            content.remark(line, number, f"the deal cannot be read: {reason}")
    return board

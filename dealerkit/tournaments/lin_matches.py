"""LIN files of matches: boards of both rooms, results in the heading, teams and the IMPs they carry over."""

from __future__ import annotations

import os
from pathlib import Path

from dealerkit.errors import FileError
from dealerkit.formats.lin import decode_address, parse_lin, split_tags
from dealerkit.formats.text_files import PLAYERS, Board, read_text
from dealerkit.tournaments.contents import BoardRow, FileContent, Session, TableRow
from dealerkit.tournaments.notation import parse_number
from dealerkit.tournaments.row_values import read_row, set_teams


def read_lin_results(path: str | os.PathLike) -> FileContent:
    """Return the results of a LIN file: of matches in two rooms, or of single tables.

    Parameters
    ----------
    path : str or os.PathLike

    Raises
    ------
    FileError
        The file cannot be read, or is not LIN.
    """
    text = decode_address(read_text(path))
    content = FileContent(Path(path).name)
    remarks: list[tuple[int, str]] = []
    boards, skipped = parse_lin(text, remarks)
    if not boards and not skipped:
        raise FileError(f"{path}: this is not LIN, because there is no tag 'md' with a deal")
    for line, reason in (*remarks, *skipped):
        content.remark(line, 0, reason)
    # A deal that both rooms have is one board; a heading begins another session.
    places: dict[tuple[Session, int, tuple[int, ...]], int] = {}
    closed = {board.board for board in boards if board.find_tag("Room") == "Closed"}
    for board in boards:
        session = Session(board.find_tag("Event"), "", board.find_tag("Stage"))
        if scoring := board.find_tag("Scoring"):
            content.scoring.setdefault(session, scoring)
        key = session, board.board, tuple(board.hands)
        if key not in places:
            places[key] = len(content.boards)
            content.boards.append(
                BoardRow(session, board.board, board.dealer, board.vulnerable, tuple(board.hands))
            )
        content.tables.append(_read_board(board, places[key], board.board in closed, content))
    _read_carry(text, content)
    return content


def _read_board(board: Board, place: int, has_closed: bool, content: FileContent) -> TableRow:
    """Return the result of a board."""
    texts = board.texts
    values = {name: texts.get(name, "") for name in ("contract", "declarer", "result", "lead", *PLAYERS)}
    values["room"] = "closed" if board.find_tag("Room") == "Closed" else "open" if has_closed else ""
    row = read_row(values, place, board.board, 0, content)
    set_teams(row, board.find_tag("HomeTeam"), board.find_tag("VisitTeam"))
    row.auction, row.play = texts.get("auction", ""), texts.get("play", "")
    return row


def _read_carry(text: str, content: FileContent) -> None:
    """Read the IMPs that teams carry over, which are the numbers after their names in the heading."""
    # vg: title, segment, scoring, boards, team, IMPs, team, IMPs
    for tag, value, _ in split_tags(text):
        if tag != "vg":
            continue
        fields = [field.strip() for field in value.split(",")] + [""] * 9
        for name, points in ((fields[5], fields[6]), (fields[7], fields[8])):
            number = parse_number(points)
            if name and number == number:
                content.carry.setdefault(name, number)

"""The lists of deals that come with the solver DDS, ``hands/list*.txt``: deals, tables, par, plays.

A list begins with ``NUMBER n``. A deal begins with a line ``PBN``, which has the numbers of dealer,
vulnerability (0 none, 1 both, 2 north-south, 3 east-west), trump and leader, and the cards. Lines TABLE, PAR,
PLAY and others follow.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np

from dealerkit.cards.names import SEAT_LETTERS, STRAIN_LETTERS
from dealerkit.cards.text import parse_deal
from dealerkit.errors import DealError, FileError
from dealerkit.formats.content import Records
from dealerkit.formats.format import Format
from dealerkit.formats.text_files import Board, check_deal, collect_boards, read_head, read_text
from dealerkit.runtime.progress import track_items

_DEAL = re.compile(r'PBN\s+([0-3])\s+([0-3])\s+([0-4])\s+([0-3])\s+"([^"]*)"\s*')
_SIDES = (0, 3, 1, 2)  # none, both, north-south, east-west
_CARDS = re.compile("[SHDC][2-9TJQKA]")


def read_dds_list(path: str | os.PathLike) -> Records:
    """Return the deals of a list with their tables.

    The line PAR, trump and leader are tags; the line PLAY is the play.

    Raises
    ------
    FileError
        The file cannot be read, or has no line that begins with PBN.
    """
    text = read_text(path)
    lines = text.split("\n")
    boards: list[Board] = []
    tables: list[np.ndarray] = []
    skipped: list[tuple[int, str]] = []
    remarks: list[tuple[int, str]] = []
    is_read = False
    for number, line in enumerate(track_items(iter(lines), len(lines), "lines"), 1):
        word, _, rest = line.strip().partition(" ")
        if word == "PBN":
            try:
                boards.append(_read_deal(line.strip()))
                tables.append(np.full((5, 4), -1, np.int8))
                is_read = True
            except DealError as reason:
                skipped.append((number, str(reason)))
                is_read = False
        elif word == "TABLE" and is_read:
            if (table := _read_table(rest)) is not None:
                tables[-1] = table
            else:
                remarks.append((number, "the line TABLE is not 20 numbers of tricks"))
        elif word == "PAR" and is_read:
            boards[-1].tags.append(["Par", "; ".join(re.findall(r'"([^"]*)"', rest))])
        elif word == "PLAY" and is_read and (cards := _CARDS.findall(rest)):
            boards[-1].texts |= {"play": " ".join(cards), "lead": cards[0]}
    if not boards and not skipped:
        raise FileError(f"{path}: this is not a list of deals of DDS, because no line begins with PBN")
    content = collect_boards(boards, skipped, path, remarks=remarks)
    if not any((table >= 0).any() for table in tables):
        return content
    deals = content.deals.replace(tables=np.array(tables))
    return Records(deals, content.texts, skipped, Path(path).name, remarks)


def _read_deal(line: str) -> Board:
    found = _DEAL.fullmatch(line)
    if not found:
        raise DealError(f'{line[:60]!r} is not PBN, four numbers and a deal such as "N:AK32.T98..."')
    hands = parse_deal(found[5])
    check_deal(hands)
    board = Board(hands, dealer=int(found[1]), vulnerable=_SIDES[int(found[2])])
    board.tags = [["Trump", STRAIN_LETTERS[int(found[3])]], ["Leader", SEAT_LETTERS[int(found[4])]]]
    return board


def _read_table(text: str) -> np.ndarray | None:
    """Return tricks, int8 [5, 4], of 20 numbers by strain S H D C NT and declarer N E S W, or None."""
    words = text.split()
    if len(words) != 20 or not all(re.fullmatch(r"\d|1[0-3]", word, re.ASCII) for word in words):
        return None
    return np.array([int(word) for word in words], np.int8).reshape(5, 4)


def recognise_dds_list(head: bytes) -> bool:
    r"""Return whether a file begins as a list of deals.

    >>> recognise_dds_list(b'NUMBER 1 \nPBN 0 0 0 1 "N:AKQJ.T98.765.432 T98.765.')
    True
    """
    return re.match(r"\s*NUMBER\s+\d+\s+PBN\s", read_head(head)) is not None


FORMAT = Format("dds", (".txt",), recognise_dds_list, read_dds_list)

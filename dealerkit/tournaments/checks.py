"""Checks of results against contract, vulnerability and hands, which also fill in missing scores."""

from __future__ import annotations

import functools
import math

import numpy as np

from dealerkit.appearance.numbers import format_number
from dealerkit.cards.names import RANKS, SEAT_LETTERS, STRAIN_LETTERS, SUIT_LETTERS, card_bit
from dealerkit.scoring import score_contracts
from dealerkit.tournaments.contents import Remark
from dealerkit.tournaments.row_values import complete_scores
from dealerkit.tournaments.sessions import Joined, JoinedTable


def check_tables(joined: Joined) -> None:
    """Fill in scores that follow from the contract, and add remarks on what cannot be right.

    A score in the file is kept even if it does not follow from the contract; if it has the sign of the other
    side, it is corrected. A lead that is not in the leader's hand is removed.
    """
    computed = _compute_scores(joined)
    for table, points in zip(joined.tables, computed.tolist(), strict=True):
        _check_score(joined, table, points)
        _check_lead(joined, table)


def _compute_scores(joined: Joined) -> np.ndarray:
    """Return north-south's scores from contract, tricks and vulnerability; nan if one of these is unknown."""
    names = ("level", "strain", "doubled", "declarer", "tricks")
    level, strain, doubled, declarer, tricks = (
        np.array([getattr(table.row, name) for table in joined.tables], np.int64) for name in names
    )
    vulnerable = np.array([table.board.vulnerable for table in joined.tables], np.int64)
    # Score all results at once; one by one, this would take most of the time of reading.
    is_known = (level > 0) & (declarer >= 0) & (tricks >= 0) & (vulnerable >= 0)
    points = np.full(len(level), math.nan)
    side = declarer[is_known] % 2
    of_declarer = score_contracts(
        level[is_known],
        strain[is_known],
        doubled[is_known],
        tricks[is_known],
        vulnerable[is_known] >> side & 1 > 0,
    )
    points[is_known] = np.where(side == 0, of_declarer, -of_declarer)
    points[level == 0] = 0
    return points


def _check_score(joined: Joined, table: JoinedTable, points: float) -> None:
    """Fill in or check the score of a table."""
    # Artificial and assigned scores do not follow from a contract.
    row = table.row
    if row.kind in ("artificial", "assigned", "not played", "bye"):
        return
    # A missing score follows from the contract if everything about it is known.
    if math.isnan(row.score_ns):
        if not math.isnan(points):
            row.score_ns, row.score_ew = points, -points if points else 0.0
        elif row.level > 0:
            missing = "the tricks" if row.tricks < 0 else "declarer" if row.declarer < 0 else "vulnerability"
            _remark(joined, table, f"{_name_contract(row)} without a score: {missing} unknown")
            row.kind = "unknown"
        return
    if row.kind == "unknown":
        row.kind = "played"
    # If the contract is unknown, the score must at least be that of some contract.
    if math.isnan(points):
        if row.score_ns not in _list_scores(table.board.vulnerable):
            _remark(joined, table, f"no contract has the score {_name_points(row.score_ns)}; it is kept")
    elif row.score_ns == -points and points:
        text = f"the score {_name_points(row.score_ns)} is that of the other side; "
        _remark(joined, table, text + f"{_name_contract(row)} is {_name_points(points)}")
        row.score_ns, row.score_ew = points, math.nan
        complete_scores(row)
    elif row.score_ns != points:
        text = f"the score {_name_points(row.score_ns)} is kept, although "
        _remark(joined, table, text + f"{_name_contract(row)} is {_name_points(points)}")


def _name_points(points: float) -> str:
    return format_number(points, 0, sign=True, ascii=True)


def _name_contract(row: object) -> str:
    """Return contract, declarer and tricks in words, such as "4Sx by N, 9 tricks,"."""
    level, strain, doubled, declarer, tricks = (
        getattr(row, name) for name in ("level", "strain", "doubled", "declarer", "tricks")
    )
    if level == 0:
        return "a passed-out board"
    name = f"{level}{'NT' if strain == 4 else STRAIN_LETTERS[strain]}{'x' * doubled}"
    name += f" by {SEAT_LETTERS[declarer]}" if declarer >= 0 else ""
    return f"{name}, {tricks} tricks," if tricks >= 0 else name


@functools.cache
def _list_scores(vulnerable: int) -> frozenset[float]:
    """Return all scores that contracts on a board can have, from north-south's view.

    `vulnerable` is the vulnerability of the board; -1 means that it is unknown, so that either is possible.
    """
    states = {-1: (False, True), 0: (False,), 3: (True,)}.get(vulnerable, (False, True))
    level, strain, doubled, tricks = np.meshgrid(np.arange(1, 8), np.arange(5), np.arange(3), np.arange(14))
    scores = {0.0}
    for side in (0, 1):
        own = states if vulnerable in (-1, 0, 3) else (bool(vulnerable >> side & 1),)
        for is_vulnerable in own:
            found = np.unique(score_contracts(level, strain, doubled, tricks, is_vulnerable)).astype(float)
            scores |= set((found if side == 0 else -found).tolist())
    return frozenset(scores)


def _check_lead(joined: Joined, table: JoinedTable) -> None:
    """Remove a lead that the leader does not hold."""
    row, hands = table.row, table.board.hands
    if not row.lead or row.level <= 0 or row.declarer < 0 or hands is None:
        return
    # If another hand has the card, either the lead or the declarer is wrong, and nothing shows which.
    leader = (row.declarer + 1) % 4
    bit = card_bit(SUIT_LETTERS.index(row.lead[0]), RANKS.index(row.lead[1]))
    if not hands[leader] & bit:
        holder = next((seat for seat in range(4) if hands[seat] & bit), -1)
        text = f"the lead {row.lead} is not in the hand of {SEAT_LETTERS[leader]}"
        text += f" but in that of {SEAT_LETTERS[holder]}; lead or declarer is wrong" if holder >= 0 else ""
        _remark(joined, table, text)
        row.lead = ""


def _remark(joined: Joined, table: JoinedTable, text: str) -> None:
    joined.remarks.append(Remark(table.file, table.row.line, max(table.board.number, 0), text))

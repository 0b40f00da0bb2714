"""Turning the named texts of a row into a result, which all readers of tables share."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dealerkit.tournaments.contents import UNKNOWN_SEATS, FileContent, TableRow
from dealerkit.tournaments.notation import (
    UNKNOWN,
    ReadScore,
    negate_weights,
    parse_contract,
    parse_lead,
    parse_score,
    parse_seat,
    parse_tricks,
    split_names,
)

# Official points in a file, by the names of columns in lower case.
_OFFICIAL = {
    **{f"{name}_{side}": f"{column}_{side}" for side in ("ns", "ew") for name, column in (
        ("mp", "mp"), ("matchpoints", "mp"), ("percentage", "percent"), ("percent", "percent"),
        ("imp", "imp"), ("imps", "imp"), ("vp", "vp"), ("crossimp", "imp"), ("points", "mp"),
    )},
    "datum": "datum", "datum_ns": "datum",
}  # fmt: skip
_PHANTOMS = frozenset(("0", "00", "phantom", "sitout", "sit out", "bye"))


def read_row(values: Mapping[str, str], board: int, number: int, line: int, content: FileContent) -> TableRow:
    """Return a result from texts by the names of their columns, in lower case.

    Parameters
    ----------
    values : mapping of str to str
        Texts by the column names of PBN's ScoreTable: ``pairid_ns``, ``contract``, ``score_ns`` ...
    board, number : int
        Index of the board in the list of boards, and its number, for remarks.
    line : int
        Line of the row in the file.
    content : FileContent
        The content that remarks are added to.
    """
    # Set who played, where and when.
    row = TableRow(board, line)
    for name in ("section", "round", "table"):
        if (text := values.get(name, "")) not in UNKNOWN:
            setattr(row, name, text)
    for side in ("ns", "ew"):
        if (text := values.get(f"pairid_{side}", "")) not in UNKNOWN:
            setattr(row, side, text)
    row.room = {"open": "open", "closed": "closed", "o": "open", "c": "closed"}.get(
        values.get("room", "").strip().lower(), ""
    )
    # Set what was played, and the score.
    _set_players(row, values)
    set_contract(
        row,
        (values.get("contract", ""), values.get("declarer", ""), values.get("result", "")),
        number,
        content,
    )
    set_scores(row, values.get("score_ns", ""), values.get("score_ew", ""), number, content)
    # Set the lead, and what the file says about the points.
    if (text := values.get("lead", "")) not in UNKNOWN:
        row.lead = parse_lead(text)
        if not row.lead:
            content.remark(line, number, f"the lead {text[:20]!r} is not a card")
    row.official = {
        column: text
        for name, column in _OFFICIAL.items()
        if (text := values.get(name, "").strip()) not in UNKNOWN
    }
    check_phantom(row)
    return row


def _set_players(row: TableRow, values: Mapping[str, str]) -> None:
    """Set the names and numbers of the players, from columns for seats or pairs."""
    names, members = list(UNKNOWN_SEATS), list(UNKNOWN_SEATS)
    for side, seats in (("ns", (0, 2)), ("ew", (1, 3))):
        text = values.get(f"names_{side}", "")
        if text not in UNKNOWN:
            for seat, name in zip(seats, split_names(text), strict=True):
                names[seat] = name
    for seat, word in enumerate(("north", "east", "south", "west")):
        for key in (word, f"name_{word}", f"names_{word}"):
            if (text := values.get(key, "").strip()) not in UNKNOWN:
                names[seat] = text
        for key in (f"playerid_{word}", f"memberid_{word}"):
            if (text := values.get(key, "").strip()) not in UNKNOWN:
                members[seat] = text
    row.names, row.members = tuple(names), tuple(members)


def set_contract(row: TableRow, texts: tuple[str, str, str], number: int, content: FileContent) -> None:
    """Set contract, declarer and tricks from three texts; add a remark about a text that cannot be read."""
    contract, declarer, result = (text.strip() for text in texts)
    # Some programs write an artificial score instead of the contract.
    called = parse_contract(contract)
    if called.kind == "":
        score = parse_score(contract)
        if score.kind in ("artificial", "assigned"):
            _apply(row, "ns", score)
        else:
            content.remark(row.line, number, f"the contract {contract[:30]!r} cannot be read")
        return
    row.level, row.strain, row.doubled, row.kind = called.level, called.strain, called.doubled, called.kind
    if called.level <= 0:  # if a board is passed out, some programs write 0 for declarer and tricks
        return
    row.declarer, row.tricks = called.declarer, called.tricks
    # Columns for declarer and tricks take precedence over the contract's text.
    if declarer not in UNKNOWN:
        seat = parse_seat(declarer)
        if seat < 0:
            content.remark(row.line, number, f"the declarer {declarer[:20]!r} is not a seat")
        row.declarer = seat
    if result not in UNKNOWN:
        row.tricks = parse_tricks(result, row.level)
        if row.tricks < 0 and parse_score(result).kind in ("points", ""):
            content.remark(row.line, number, f"the result {result[:20]!r} is not a number of tricks")


def set_scores(row: TableRow, score_ns: str, score_ew: str, number: int, content: FileContent) -> None:
    """Set the scores of both sides, also artificial ones, from the texts of two columns."""
    for side, text in (("ns", score_ns.strip()), ("ew", score_ew.strip())):
        score = parse_score(text)
        if score.kind == "":
            content.remark(row.line, number, f"the score {text[:30]!r} cannot be read")
        else:
            _apply(row, score.side.lower() or side, score)
    complete_scores(row)


def complete_scores(row: TableRow) -> None:
    """Set a missing score of a side to the negative of the other side's, and a missing award to the rest."""
    # If the scores of both sides do not add up to 0, the score is split.
    if math.isnan(row.score_ew):
        row.score_ew = -row.score_ns if row.score_ns else row.score_ns
        row.assigned_ew = row.assigned_ew or negate_weights(row.assigned_ns)
    elif math.isnan(row.score_ns):
        row.score_ns = -row.score_ew if row.score_ew else row.score_ew
        row.assigned_ns = row.assigned_ns or negate_weights(row.assigned_ew)
    if row.kind != "assigned" and not math.isnan(row.score_ns) and row.score_ns != -row.score_ew:
        row.kind = "assigned"
    # If an artificial score names only one side, the other side gets the rest.
    if row.kind == "artificial":
        if math.isnan(row.award_ew):
            row.award_ew = round(1 - row.award_ns, 4)
        elif math.isnan(row.award_ns):
            row.award_ns = round(1 - row.award_ew, 4)


def _apply(row: TableRow, side: str, score: ReadScore) -> None:
    """Set the score of a side, from the meaning of its text."""
    other = "ew" if side == "ns" else "ns"
    if score.kind == "points":
        setattr(row, f"score_{side}", score.points)
    elif score.kind == "assigned":
        setattr(row, f"score_{side}", score.points)
        setattr(row, f"assigned_{side}", score.weights)
        row.kind = "assigned"
    elif score.kind == "artificial":
        row.kind = "artificial"
        setattr(row, f"award_{side}", score.awards[0])
        if len(score.awards) == 2:
            setattr(row, f"award_{other}", score.awards[1])
    elif score.kind in ("not played", "bye"):
        row.kind = score.kind


def check_phantom(row: TableRow) -> None:
    """Make a row a bye if one side is missing or a phantom, and nothing was played."""
    sides = [getattr(row, side).strip().lower() for side in ("ns", "ew")]
    for side, text in zip(("ns", "ew"), sides, strict=True):
        if text in _PHANTOMS:
            setattr(row, side, "")
    if row.kind == "unknown" and math.isnan(row.score_ns) and sum(map(bool, (row.ns, row.ew))) == 1:
        row.kind = "bye"


def set_teams(row: TableRow, home: str, visitors: str) -> None:
    """Set the teams of a match by their names; the home team is north-south in the open room."""
    if home and visitors:
        is_closed = row.room == "closed"
        row.team_ns, row.team_ew = (visitors, home) if is_closed else (home, visitors)

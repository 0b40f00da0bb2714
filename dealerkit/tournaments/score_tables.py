"""Results in PBN: ScoreTable and TotalScoreTable, and files with a game for each table.

References
----------
Portable Bridge Notation, version 2.1, sections 4.2 (scores), 5.9 (ScoreTable) and 5.10 (TotalScoreTable).
"""

from __future__ import annotations

import codecs
import os
import re
from pathlib import Path

from dealerkit.cards.text import describe_fault
from dealerkit.errors import DealError, FileError
from dealerkit.formats.auctions import count_tricks
from dealerkit.formats.pbn import Board, BoardReader
from dealerkit.formats.pbn_lines import Entry, Game, split_games
from dealerkit.formats.pbn_tables import count_values, split_header, split_values
from dealerkit.formats.pbn_values import find_owners, normalize_contract, parse_deal_value, read_play
from dealerkit.formats.text_files import decode_text, read_bytes
from dealerkit.runtime.progress import ProgressBar, track_items
from dealerkit.tournaments.contents import BoardRow, FileContent, PairRow, Session, TableRow
from dealerkit.tournaments.notation import UNKNOWN, parse_score, split_names
from dealerkit.tournaments.row_values import complete_scores, read_row, set_scores, set_teams

_SCORE_TAGS = {"score", "scoreimp", "scoremp", "scorepercentage"}
_TAG_COLUMNS = {"scoreimp": "imp", "scoremp": "mp", "scorepercentage": "percent"}
# Columns with totals of pairs: those of the session come before those of the whole event.
_TOTALS = (
    "sessionscoremp", "sessionscoreimp", "sessionscorevp", "totalscoremp", "totalmp", "totalscoreimp",
    "totalimp", "totalscorevp", "totalvp", "totalscore",
)  # fmt: skip
_PERCENTS = ("sessionscorepercentage", "sessionpercentage", "totalscorepercentage", "totalpercentage")


def read_pbn_results(path: str | os.PathLike) -> FileContent:
    """Return the results of a PBN file, from its score tables or, without them, from its games.

    Parameters
    ----------
    path : str or os.PathLike

    Raises
    ------
    FileError
        The file cannot be read, or has no game.
    """
    text = _decode(read_bytes(path))
    content = FileContent(Path(path).name)
    with ProgressBar() as bar:
        games, remarks = split_games(text, bar, 0.5)
        if not games:
            raise FileError(f'{path}: this is not PBN, because there is no tag such as [Deal "N:..."]')
        reader = BoardReader(games, remarks, inherits='"#' in text)
        pairs = zip(reader.games, reader.read_boards(), strict=True)
        for game, board in track_items(pairs, len(reader.games), "boards", bar):
            _read_game(game, board, content)
    for line, reason in remarks:
        content.remark(line, 0, reason)
    return content


def _decode(data: bytes) -> str:
    """Return the text of a file, in the encoding that its first lines name, if any."""
    match = re.search(rb"^%.{0,80}charset=([\w-]{1,30})", data[:2000], re.MULTILINE)
    if match:
        try:
            return decode_text(data.decode(codecs.lookup(match[1].decode()).name).encode())
        except (LookupError, UnicodeDecodeError):  # the name is wrong
            pass
    return decode_text(data)


def _read_game(game: Game, board: Board, content: FileContent) -> None:
    """Add the board of a game, its score table or its own result, and the totals of pairs."""
    tags: dict[str, Entry] = {}
    for entry in game.entries:
        tags.setdefault(entry.name.lower(), entry)
    session = Session(
        _find(tags, "event"), _find(tags, "date"), _find(tags, "session") or _find(tags, "stage")
    )
    scoring = _find(tags, "scoring")
    if scoring:
        content.scoring.setdefault(session, scoring)
    totals = tags.get("totalscoretable")
    if totals is not None and totals.rows:
        content.pairs += _read_totals(totals, session, content)
    # Add the board, with its cards if they are complete.
    row = BoardRow(session, board.number, board.dealer, board.vulnerable, line=board.deal_line)
    row.tricks = list(board.tricks) if board.tricks else None
    if board.deal is not None and board.deal.strip() not in UNKNOWN:
        try:
            hands = parse_deal_value(board.deal)
            if fault := describe_fault(hands):
                raise DealError(fault)
            row.hands = tuple(hands)
        except DealError as reason:
            content.remark(board.deal_line, board.number, f"the deal cannot be read: {reason}")
    place = len(content.boards)
    content.boards.append(row)
    # Add the results. A ScoreTable has the results of all tables, including that of the game.
    table = tags.get("scoretable")
    if table is not None and table.rows:
        content.tables += _read_table(table, place, board.number, content)
    elif (result := _read_own_result(board, tags, place, row, content)) is not None:
        content.tables.append(result)


def _find(tags: dict[str, Entry], name: str) -> str:
    """Return the value of a tag, or ""."""
    entry = tags.get(name)
    value = "" if entry is None else entry.value.strip()
    return "" if value in UNKNOWN or value == "#" else value


# ---------------------------------------------------------------- tables
def _read_table(entry: Entry, place: int, number: int, content: FileContent) -> list[TableRow]:
    """Return the results of a ScoreTable."""
    columns = split_header(entry.value)
    tables = []
    for line, row in enumerate(entry.rows or [], entry.line + 1):
        values = split_values(row, columns)
        if values is None:
            count = count_values(row)
            reason = f"a row of the table has {count} values for {len(columns)} columns; it is left out"
            content.remark(line, number, reason)
            continue
        named = {column.name.lower(): value for column, value in zip(columns, values, strict=True)}
        # A row without pairs may be the result of several tables.
        copies = named.get("multiplicity", "")
        result = read_row(named, place, number, line, content)
        tables.append(result)
        if re.fullmatch(r"[0-9]{1,4}", copies) and 1 < int(copies) <= 1000 and not (result.ns or result.ew):
            tables += [read_row(named, place, number, line, content) for _ in range(int(copies) - 1)]
    return tables


def _read_totals(entry: Entry, session: Session, content: FileContent) -> list[PairRow]:
    """Return the pairs of a TotalScoreTable."""
    columns = split_header(entry.value)
    pairs = []
    for line, row in enumerate(entry.rows or [], entry.line + 1):
        values = split_values(row, columns)
        if values is None:
            count = count_values(row)
            reason = f"a row of the totals has {count} values for {len(columns)} columns; it is left out"
            content.remark(line, 0, reason)
            continue
        named = {
            column.name.lower(): value.strip()
            for column, value in zip(columns, values, strict=True)
            if value.strip() not in UNKNOWN
        }
        # A row is about a pair, a team or a single player.
        identity = named.get("pairid") or named.get("teamid") or named.get("playerid") or ""
        pair = PairRow(session, identity, named.get("section", ""), line=line)
        pair.direction = {"ns": "NS", "ew": "EW", "n-s": "NS", "e-w": "EW"}.get(
            named.get("direction", "").lower(), ""
        )
        pair.names = split_names(named.get("names", ""))
        pair.members = (named.get("memberid1", ""), named.get("memberid2", ""))
        for name, candidates in (("total", _TOTALS), ("percent", _PERCENTS), ("rank", ("rank",))):
            if found := next((named[column] for column in candidates if column in named), ""):
                pair.official[name] = found
        pairs.append(pair)
    return pairs


# ---------------------------------------------------------------- a game for each table


def _read_own_result(
    board: Board, tags: dict[str, Entry], place: int, row: BoardRow, content: FileContent
) -> TableRow | None:
    """Return the result in the tags of a game; None if it has none."""
    texts = board.texts
    contract = _find(tags, "contract")
    scores = {name: _find(tags, name) for name in _SCORE_TAGS if _find(tags, name)}
    if not contract and not scores:
        return None
    values = {name: _find(tags, name) for name in ("section", "round", "table", "room")}
    values |= {f"pairid_{side}": _find(tags, f"pairid_{side}") for side in ("ns", "ew")}
    values |= {seat: texts.get(seat, "") for seat in ("north", "east", "south", "west")}
    values["contract"] = contract
    values |= {name: _find(tags, name).lstrip("^") for name in ("declarer", "result")}
    # The result may be the tricks of a side, such as NS 10.
    tricks = count_tricks(values["result"], normalize_contract(contract), values["declarer"])
    if tricks is not None:
        values["result"] = str(tricks)
    result = read_row(values, place, board.number, row.line, content)
    _set_score_tags(result, scores, board.number, content)
    set_teams(result, _find(tags, "hometeam"), _find(tags, "visitteam"))
    result.auction = texts.get("auction", "")
    _set_play(result, board, row)
    return result


def _set_score_tags(row: TableRow, scores: dict[str, str], number: int, content: FileContent) -> None:
    """Set the scores and official points in the tags Score, ScoreMP, ScoreIMP and ScorePercentage."""
    for tag, text in scores.items():
        parts = re.findall(r"(NS|EW)\s+(\S+)", text, re.IGNORECASE)
        if tag == "score" and len(parts) == 2:
            sides = {side.lower(): value for side, value in parts}
            set_scores(row, sides.get("ns", ""), sides.get("ew", ""), number, content)
        elif tag == "score":
            read = parse_score(text)
            is_ew = not read.side and read.kind == "points" and row.declarer % 2 == 1 and row.level > 0
            set_scores(row, "" if is_ew else text, text if is_ew else "", number, content)
        else:
            sides = {side.lower(): value for side, value in parts} or {"ns": text}
            row.official |= {f"{_TAG_COLUMNS[tag]}_{side}": value for side, value in sides.items()}
    complete_scores(row)


def _set_play(row: TableRow, board: Board, deal: BoardRow) -> None:
    """Set the cards that were played, if they can be followed."""
    import numpy as np

    if deal.hands is None or board.play is None or not board.play.rows:
        return
    (holders,) = find_owners(np.array([deal.hands], np.uint64))
    played = read_play(board.play.rows, board.play.value, board.texts.get("contract", ""), holders)
    if played:
        row.play, row.lead = " ".join(played), played[0][:2]

"""USEBIO, the XML of results of the English Bridge Union, which other federations use, too.

References
----------
English Bridge Union, USEBIO version 1.2, https://www.usebio.org.
"""

from __future__ import annotations

import os
from pathlib import Path

from dealerkit.cards.names import RANKS, SUITS, card_bit
from dealerkit.errors import DealError, FileError
from dealerkit.formats.pbn_values import find_dealer, find_vulnerability
from dealerkit.formats.text_files import complete_deal, read_bytes
from dealerkit.tournaments.contents import BoardRow, FileContent, PairRow, Session
from dealerkit.tournaments.notation import parse_seat
from dealerkit.tournaments.row_values import read_row
from dealerkit.tournaments.xml_nodes import Node, parse_xml

_COLUMNS = {
    "pairid_ns": ("NS_PAIR_NUMBER", "NS_PAIR_ID", "NS_TEAM_NUMBER"),
    "pairid_ew": ("EW_PAIR_NUMBER", "EW_PAIR_ID", "EW_TEAM_NUMBER"),
    "contract": ("CONTRACT",),
    "declarer": ("PLAYED_BY", "DECLARER"),
    "result": ("TRICKS",),
    "lead": ("LEAD",),
    "score_ns": ("SCORE", "NS_SCORE"),
    "score_ew": ("EW_SCORE",),
    "mp_ns": ("NS_MATCH_POINTS",),
    "mp_ew": ("EW_MATCH_POINTS",),
    "imp_ns": ("NS_CROSS_IMP_POINTS", "NS_IMP_POINTS", "NS_IMPS"),
    "imp_ew": ("EW_CROSS_IMP_POINTS", "EW_IMP_POINTS", "EW_IMPS"),
    "table": ("TABLE_NUMBER",),
    "round": ("ROUND_NUMBER",),
    "section": ("SECTION_ID",),
}  # fmt: skip
_SCORINGS = {
    "MP_PAIRS": "MatchPoints", "MATCH_POINTS": "MatchPoints", "CROSS_IMPS": "Cross-IMP",
    "BUTLER_PAIRS": "Butler", "BUTLER": "Butler", "CROSS_IMP_PAIRS": "Cross-IMP", "TEAMS": "IMP",
    "SWISS_TEAMS": "IMP", "IMPS": "IMP", "POINT_A_BOARD": "BAM",
}  # fmt: skip


def read_usebio(path: str | os.PathLike) -> FileContent:
    """Return the results of a file of USEBIO.

    Parameters
    ----------
    path : str or os.PathLike

    Raises
    ------
    FileError
        The file cannot be read, or is other XML.
    """
    name = Path(path).name
    root, fault = parse_xml(read_bytes(path), name)
    events = list(root.find_all("EVENT"))
    if not events:
        raise FileError(
            f"{path}: this is XML without the element EVENT of USEBIO" + (f" ({fault})" if fault else "")
        )
    content = FileContent(name)
    for event in events:
        _read_event(event, content)
    if fault:
        content.remark(0, 0, f"the file is damaged or truncated ({fault}); what comes before is read")
    return content


def _read_event(event: Node, content: FileContent) -> None:
    """Read pairs, hands and travellers of an event."""
    session = Session(event.find("EVENT_DESCRIPTION", "TITLE"), event.find("DATE"), event.find("SESSION"))
    kind = event.find("BOARD_SCORING_METHOD") or event.attributes.get("EVENT_TYPE", "")
    content.scoring[session] = _SCORINGS.get(kind.upper(), kind)
    if event.find("WINNER_TYPE") in ("1", "2"):
        content.winners = int(event.find("WINNER_TYPE"))
    for pair in event.find_all("PAIR"):
        if pair.find("PAIR_NUMBER"):
            content.pairs.append(_read_pair(pair, session))
    # A board may be listed twice, once with its hands and once with its lines.
    places: dict[tuple[str, str], int] = {}
    for section, board in _list_boards(event, ""):
        number = board.find("BOARD_NUMBER")
        key = section, number
        if key not in places:
            places[key] = len(content.boards)
            digits = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else -1
            content.boards.append(
                BoardRow(
                    session,
                    digits,
                    find_dealer(board.find("DEALER"), digits),
                    find_vulnerability(board.find("VULNERABILITY"), digits)[0],
                    line=board.line,
                )
            )
        row = content.boards[places[key]]
        if hands := list(board.find_all("HAND")):
            _set_hands(row, hands, content)
        for line in board.find_all("TRAVELLER_LINE"):
            values = {column: line.find(*names) for column, names in _COLUMNS.items()}
            values["section"] = values["section"] or section
            content.tables.append(read_row(values, places[key], row.number, line.line, content))


def _list_boards(node: Node, section: str) -> list[tuple[str, Node]]:
    """Return all boards with the section that they are in."""
    boards = []
    for child in node.children:
        inner = child.attributes.get("SECTION_ID", section) if child.name == "SECTION" else section
        boards += [(inner, child)] if child.name == "BOARD" else _list_boards(child, inner)
    return boards


def _read_pair(node: Node, session: Session) -> PairRow:
    """Return a pair of the list of participants."""
    players = [*node.find_all("PLAYER"), Node("", 0), Node("", 0)][:2]
    direction = node.find("DIRECTION").upper().replace("/", "")
    pair = PairRow(session, node.find("PAIR_NUMBER"), node.find("SECTION_ID"), line=node.line)
    pair.direction = direction if direction in ("NS", "EW") else ""
    pair.names = tuple(player.find("PLAYER_NAME", "NAME") for player in players)
    pair.members = tuple(player.find("NATIONAL_ID_NUMBER", "CLUB_ID_NUMBER") for player in players)
    for name, tag in (("total", "TOTAL_SCORE"), ("percent", "PERCENTAGE"), ("rank", "PLACE")):
        if text := node.find(tag):
            pair.official[name] = text
    return pair


def _set_hands(row: BoardRow, nodes: list[Node], content: FileContent) -> None:
    """Set the hands of a board, each with a direction and the cards of its suits."""
    hands = [0, 0, 0, 0]
    for node in nodes:
        seat = parse_seat(node.find("DIRECTION") or node.attributes.get("DIRECTION", ""))
        if seat < 0:
            continue
        for suit, name in enumerate(SUITS):
            for rank in node.find(name.upper(), name[0].upper()).upper().replace("10", "T"):
                if rank in RANKS:
                    hands[seat] |= card_bit(suit, RANKS.index(rank))
    try:
        row.hands = tuple(complete_deal(hands))
    except DealError as reason:
        content.remark(nodes[0].line, row.number, f"the deal cannot be read: {reason}")

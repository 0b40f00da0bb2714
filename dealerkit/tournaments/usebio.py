"""USEBIO, the XML format of the English Bridge Union for results, which other federations use, too.

The file is read as a tree of elements with their lines, from which the events are then read.

References
----------
English Bridge Union, USEBIO version 1.2, https://www.usebio.org.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from dealerkit.cards.names import RANKS, SUITS, card_bit
from dealerkit.errors import DealError, FileError
from dealerkit.formats.pbn_values import find_dealer, find_vulnerability
from dealerkit.formats.text_files import complete_deal, decode_text, read_bytes
from dealerkit.tournaments.contents import BoardRow, FileContent, PairRow, Session
from dealerkit.tournaments.notation import parse_seat
from dealerkit.tournaments.row_values import read_row

MAX_DEPTH = 100  # of nested elements; USEBIO has less than 10


@dataclass(slots=True)
class Node:
    """An element of XML: its name in upper case, line, attributes, text and children."""

    name: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def find(self, *names: str) -> str:
        """Return the text of the first child with one of these names, or ""."""
        for name in names:
            for child in self.children:
                if child.name == name and child.text.strip():
                    return " ".join(child.text.split())
        return ""

    def find_all(self, name: str) -> Iterator[Node]:
        """Yield all elements with this name at any depth, in the order of the file."""
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.find_all(name)


def parse_xml(data: bytes, name: str) -> tuple[Node, str]:
    r"""Return the tree of a file, and the fault at which reading ended, or "" if the file is complete.

    An element without children is left out if it was not closed when reading ended.

    Raises
    ------
    FileError
        The file nests elements too deeply, or defines entities, which can expand to a text of any length.

    Examples
    --------
    >>> root, fault = parse_xml(b"<a><b>1</b><b>2", "x.xml")
    >>> [node.text for node in root.find_all("B")], fault
    (['1'], 'line 1: no element found')
    """
    root = Node("", 0)
    stack = [root]
    texts: list[list[str]] = [[]]  # the texts of the elements in `stack`, in pieces

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > MAX_DEPTH:
            place = f"line {parser.CurrentLineNumber}"
            raise FileError(f"{name}, {place}: more than {MAX_DEPTH} elements are nested; this is not USEBIO")
        stack.append(Node(tag.upper(), parser.CurrentLineNumber, attributes))
        texts.append([])

    def end(tag: str) -> None:
        node = stack.pop()
        node.text = "".join(texts.pop())
        stack[-1].children.append(node)

    def refuse(*_: object) -> None:
        raise FileError(
            f"{name}: the file defines XML entities, which are not read; remove the definitions from the file"
        )

    for source in (data, _recode(data)):
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = lambda text: texts[-1].append(text)
        parser.EntityDeclHandler = refuse
        root.children.clear()
        del stack[1:], texts[1:]
        fault = ""
        try:
            parser.Parse(source, True)
        except expat.ExpatError as reason:
            fault = f"line {reason.lineno}: {expat.ErrorString(reason.code)}"
            if reason.code != expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
                break
        else:
            break
    while len(stack) > 1:  # keep what elements contain that are not closed
        node = stack.pop()
        node.text = "".join(texts.pop())
        if node.children:
            stack[-1].children.append(node)
    return root, fault


def _recode(data: bytes) -> bytes:
    """Return the text of a file in UTF-8, whatever encoding its first line names."""
    text = decode_text(data)
    head, end, rest = text.partition("?>")
    return (rest if end and head.lstrip("\ufeff \n").startswith("<?xml") else text).encode()


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
    """Return the results of a USEBIO file.

    Parameters
    ----------
    path : str or os.PathLike

    Raises
    ------
    FileError
        The file cannot be read, or is not USEBIO.
    """
    name = Path(path).name
    root, fault = parse_xml(read_bytes(path), name)
    events = list(root.find_all("EVENT"))
    if not events:
        raise FileError(
            f"{path}: this is XML, but not USEBIO, because it has no element EVENT"
            + (f" ({fault})" if fault else "")
        )
    # Each event is a session. A truncated file is read as far as possible.
    content = FileContent(name)
    for event in events:
        _read_event(event, content)
    if fault:
        content.remark(0, 0, f"the file is damaged or truncated ({fault}); only the part before it is read")
    return content


def _read_event(event: Node, content: FileContent) -> None:
    """Read pairs, hands and travellers of an event."""
    # Read the names of the session, its scoring, the number of rankings, and the pairs.
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
        # Cards and results of a board may be in different places of the file.
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
    """Return a pair from the list of participants."""
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
    """Set the hands of a board from elements with a direction and the cards of the suits."""
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

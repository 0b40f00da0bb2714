"""Joining the contents of files: sessions, deals and fields, pairs and players, duplicates.

Numbers are not enough to identify something: board 1 of two sessions has two deals, and there is a pair 1 in
each section and, in a Mitchell movement, in each direction. So results are compared by the deal: hands,
dealer and vulnerability.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from dealerkit.cards.names import board_vulnerability
from dealerkit.tournaments.contents import BoardRow, FileContent, PairRow, Remark, Session, TableRow
from dealerkit.tournaments.notation import normalize_name

SIDES = (("ns", (0, 2)), ("ew", (1, 3)))


@dataclass
class JoinedTable:
    """A result with its file and the numbers of its session, deal and field; `players` are ids."""

    row: TableRow
    board: BoardRow
    file: str
    session: int
    deal: int
    field: int
    ns: str = ""
    ew: str = ""
    players: tuple[str, ...] = ("", "", "", "")


@dataclass
class JoinedPair:
    """A pair of a session with everything that is known about it."""

    session: int
    id: str
    section: str = ""
    direction: str = ""
    names: tuple[str, ...] = ("", "")
    players: tuple[str, ...] = ("", "")
    official: dict[str, str] = field(default_factory=dict)


@dataclass
class Joined:
    """Several contents joined: sessions and deals by number, results, pairs, remarks."""

    sessions: list[Session] = field(default_factory=list)
    deals: list[BoardRow] = field(default_factory=list)
    tables: list[JoinedTable] = field(default_factory=list)
    pairs: list[JoinedPair] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    scoring: dict[int, str] = field(default_factory=dict)
    winners: int = 0
    carry: dict[str, float] = field(default_factory=dict)


def join_contents(
    contents: Sequence[FileContent], by_section: bool = False, ids: dict[str, str] | None = None
) -> Joined:
    """Join the contents of files.

    Parameters
    ----------
    contents : sequence of FileContent
    by_section : bool
        Whether the results of each section are a separate field.
    ids : dict of str to str, optional
        Ids of players by name, from earlier files; the ids of new players are added.

    Returns
    -------
    Joined
    """
    joined = Joined()
    for content in contents:
        _read_pair_names(content)
    # Collect the results of all files, with the numbers of their deals and fields.
    numbers = _number_sessions(contents, joined)
    deals: dict[object, int] = {}
    fields: dict[object, int] = {}
    for place, content in enumerate(contents):
        for board, row in ((content.boards[row.board], row) for row in content.tables):
            session = numbers[place, board.session]
            key = _identify(board, session)
            if key not in deals:
                deals[key] = len(joined.deals)
                joined.deals.append(board)
            # Only one of several files may have tables of tricks.
            known = joined.deals[deals[key]]
            if known.tricks is None:
                known.tricks = board.tricks
            deal = deals[key]
            group = session, deal, row.section if by_section else ""
            number = fields.setdefault(group, len(fields))
            joined.tables.append(JoinedTable(row, board, content.file, session, deal, number))
        # Collect what else each file says.
        joined.remarks += content.remarks
        joined.winners = joined.winners or content.winners
        joined.carry |= content.carry
        for session_of, text in content.scoring.items():
            if (place, session_of) in numbers:
                joined.scoring.setdefault(numbers[place, session_of], text)
    # The order matters: with duplicates, players and pairs would seem to sit at a board twice.
    _drop_duplicates(joined)
    _check_rooms(joined)
    _identify_players(joined, {} if ids is None else ids)
    _identify_pairs(joined, contents, numbers)
    _check_boards(joined)
    return joined


# ---------------------------------------------------------------- sessions and deals


def _read_pair_names(content: FileContent) -> None:
    """If no pair has a number, take a name in both seats of a side, such as Para-11, as that of the pair.

    A pair plays a board once. So a name that sits at several tables of a board, as robots do, is not a pair.
    """
    if any(row.ns or row.ew for row in content.tables):
        return
    seats: dict[object, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in content.tables:
        board = content.boards[row.board]
        for name in row.names:
            seats[board.session, board.number, board.hands][name] += 1
    several = {name for counts in seats.values() for name, count in counts.items() if count > 2}
    for row in content.tables:
        names = list(row.names)
        for side, (first, second) in SIDES:
            if names[first] == names[second] != "" and names[first] not in several:
                setattr(row, side, names[first])
                names[first] = names[second] = ""
        row.names = tuple(names)


def _number_sessions(contents: Sequence[FileContent], joined: Joined) -> dict[tuple[int, Session], int]:
    """Return the number of each session of each file.

    Several files may be of one session, such as one for each section, or the same upload twice. They are
    joined if they have the same event, date and session, and at least one deal or result in common. If they
    name no event, they are joined only if all their results are equal.
    """
    numbers: dict[tuple[int, Session], int] = {}
    known: dict[Session, list[tuple[int, set[object]]]] = defaultdict(list)
    for place, content in enumerate(contents):
        # A session is identified by its deals or, without an event or hands, by its results.
        marks: dict[Session, set[object]] = {}
        for row in content.tables:
            board = content.boards[row.board]
            own = marks.setdefault(board.session, set())
            if board.hands is not None and board.session.event:
                own.add((board.hands, board.dealer, board.vulnerable))
            else:
                own.add((board.number, board.hands, row.ns, row.ew, row.table, row.level, row.strain,
                         row.doubled, row.declarer, row.tricks, str(row.score_ns), row.names))  # fmt: skip
        # Take the session of an earlier file, or a new one.
        for session, own in marks.items():
            same = [
                (number, earlier)
                for number, earlier in known[session]
                if (earlier & own if session.event else earlier == own)
            ]
            if not same:
                same = [(len(joined.sessions), set())]
                joined.sessions.append(session)
                known[session] += same
            numbers[place, session] = same[0][0]
            same[0][1].update(own)
    return numbers


def _identify(board: BoardRow, session: int) -> object:
    """Return what identifies a deal: its cards or, if they are unknown, its number in the session."""
    if board.hands is not None:
        return board.hands, board.dealer, board.vulnerable
    return session, board.number, board.dealer, board.vulnerable


def _drop_duplicates(joined: Joined) -> None:
    """Keep one of several rows about the same table: the first if they are equal, otherwise the last."""
    seen: dict[object, int] = {}
    dropped: set[int] = set()
    for place, table in enumerate(joined.tables):
        row = table.row
        names = row.names if not (row.ns and row.ew) else ()
        # Without numbers of pairs, only names and the table distinguish two tables.
        if not (row.ns and row.ew) and not (all(row.names) and row.table):
            continue
        key = (table.field, row.section, row.round, row.table, row.ns, row.ew, row.room, names)
        if key in seen:
            before = joined.tables[seen[key]]
            is_equal = _outcome(before.row) == _outcome(row)
            text = f"this is the same table as line {before.row.line} of {before.file}; "
            text += "it counts once" if is_equal else "the results differ, and the later one counts"
            joined.remarks.append(Remark(table.file, row.line, max(table.board.number, 0), text))
            dropped.add(place if is_equal else seen[key])
            if is_equal:
                continue
        seen[key] = place
    joined.tables = [table for place, table in enumerate(joined.tables) if place not in dropped]


def _outcome(row: TableRow) -> tuple[object, ...]:
    scores = str(row.score_ns), str(row.score_ew), str(row.award_ns), str(row.award_ew)
    return row.level, row.strain, row.doubled, row.declarer, row.tricks, row.kind, *scores


def _check_boards(joined: Joined) -> None:
    """Add remarks about boards: two deals with a number, hands in other seats, an unusual vulnerability."""
    numbers: dict[tuple[int, int], list[int]] = defaultdict(list)
    turned: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    first: dict[int, JoinedTable] = {}
    for table in joined.tables:
        key = table.session, table.board.number
        if table.deal not in numbers[key]:
            numbers[key].append(table.deal)
            first.setdefault(table.deal, table)
            if table.board.hands is not None:
                turned[table.session, frozenset(table.board.hands)].append(table.deal)
    # Two deals have the same number in a session.
    for (_, number), deals in numbers.items():
        if number > 0 and len(deals) > 1:
            table = first[deals[1]]
            text = (
                f"{len(deals)} deals have this number; each is compared separately (the board may be fouled, "
                "or from another set)"
            )
            joined.remarks.append(Remark(table.file, table.board.line, number, text))
    # Two boards have the same four hands in other seats.
    for deals in turned.values():
        hands = {joined.deals[deal].hands for deal in deals}
        if len(hands) > 1:
            table = first[deals[-1]]
            other = max(joined.deals[deals[0]].number, 0)
            text = f"this has the cards of board {other} in other seats; the results are not compared"
            joined.remarks.append(Remark(table.file, table.board.line, max(table.board.number, 0), text))
    # The vulnerability is not that of the number.
    for deal, table in first.items():
        board = joined.deals[deal]
        if board.number > 0 and 0 <= board.vulnerable != board_vulnerability(board.number):
            text = "the vulnerability is not that of the number"
            joined.remarks.append(Remark(table.file, board.line, board.number, text))


def _check_rooms(joined: Joined) -> None:
    """Name the team if players are north-south in both rooms of a board, so that it is not compared."""
    rooms: dict[tuple[int, str], list[JoinedTable]] = defaultdict(list)
    for table in joined.tables:
        rooms[table.field, table.row.room].append(table)
    for (number, room), opened in rooms.items():
        closed = rooms.get((number, "closed"), [])
        if room != "open" or len(opened) != 1 or len(closed) != 1:
            continue
        # Teammates sit in the other direction in the other room.
        here, there = opened[0].row, closed[0].row
        names = [set(filter(None, map(normalize_name, row.names[::2]))) for row in (here, there)]
        across = set(map(normalize_name, there.names[1::2]))
        if names[0] & names[1] and not names[0] & across:
            here.team_ns = there.team_ns = " - ".join(filter(None, here.names[::2]))
            here.team_ew = there.team_ew = "opponents"


# ---------------------------------------------------------------- players and pairs


def _identify_players(joined: Joined, ids: dict[str, str]) -> None:
    """Set the ids of players: their numbers in the file or, without them, P1, P2 ... by their names.

    `ids` has the ids of earlier files. A name that sits in several seats of one board, as robots and
    placeholders do, is not a player.
    """
    sitting: dict[tuple[int, str], int] = {}
    for table in joined.tables:
        for name in filter(None, map(normalize_name, table.row.names)):
            sitting[table.field, name] = sitting.get((table.field, name), 0) + 1
    # A person sits in one seat of a board.
    many = {name for (_, name), count in sitting.items() if count > 1}
    for name in sorted(many):
        text = f"{name!r} sits in several seats of the same board and is not counted as a player"
        joined.remarks.append(Remark(joined.tables[0].file, 0, 0, text))
    for table in joined.tables:
        players = []
        for name, member in zip(table.row.names, table.row.members, strict=True):
            key = normalize_name(name)
            # A member's number also applies to results that have only the name.
            if member:
                ids.setdefault(key, member)
                players.append(member)
            elif key and key not in many:
                players.append(ids.setdefault(key, f"P{len(ids) + 1}"))
            else:
                players.append("")
        table.players = tuple(players)


def _identify_pairs(
    joined: Joined, contents: Sequence[FileContent], numbers: dict[tuple[int, Session], int]
) -> None:
    """Set ids of pairs that are unique in their session, and join what is known about each pair."""
    by_session: dict[int, list[JoinedTable]] = defaultdict(list)
    for table in joined.tables:
        by_session[table.session].append(table)
    listed: dict[int, list[PairRow]] = defaultdict(list)
    # Collect the list of pairs of each session, from its own file.
    for place, content in enumerate(contents):
        for pair in content.pairs:
            for (other, name), number in numbers.items():
                is_own = other == place and pair.session in (None, name)
                if is_own and pair not in listed[number]:
                    listed[number].append(pair)
        if content.pairs and not content.tables:  # a file with only names applies to all others
            for number in range(len(joined.sessions)):
                listed[number] += content.pairs
    # Take the pairs from the tables, then add what the lists say.
    for session, tables in by_session.items():
        if not any(table.row.ns or table.row.ew for table in tables):
            _number_pairs(joined, tables)
        by_direction, by_section = _find_collisions(tables, listed[session])
        known: dict[str, JoinedPair] = {}
        for table in tables:
            for side, seats in SIDES:
                _add_table(joined, known, table, side, seats, (by_direction, by_section))
        for pair in listed[session]:
            _add_listed(joined, known, pair, session, by_direction, by_section)
        joined.pairs += known.values()


def _number_pairs(joined: Joined, tables: Sequence[JoinedTable]) -> None:
    """Number the pairs of a session without numbers by the names of their players."""
    known: dict[frozenset[str], str] = {}
    for table in tables:
        for side, seats in SIDES:
            players = frozenset(filter(None, (table.players[seat] for seat in seats)))
            if players:
                setattr(table.row, side, known.setdefault(players, str(len(known) + 1)))
    if known:
        text = "the file has no numbers of pairs; pairs are numbered by the names of their players"
        joined.remarks.append(Remark(tables[0].file, 0, 0, text))


def _find_collisions(tables: Sequence[JoinedTable], listed: Sequence[PairRow]) -> tuple[bool, bool]:
    """Return whether pairs of both directions, and pairs of several sections, have the same numbers.

    This is so if a number plays the same deal twice, or if the list of pairs contains it twice.
    """
    sides: dict[tuple[int, str, str], set[str]] = defaultdict(set)
    sections: dict[tuple[int, str, str], set[str]] = defaultdict(set)
    for table in tables:
        row = table.row
        for side in ("ns", "ew"):
            if identity := getattr(row, side):
                sides[table.deal, row.section, identity].add(side)
                sections[table.deal, side, identity].add(row.section)
    directions: dict[tuple[str, str], set[str]] = defaultdict(set)
    places: dict[tuple[str, str], set[str]] = defaultdict(set)
    # If each number plays a deal once, the list of pairs may still show it.
    for pair in listed:
        directions[pair.section, pair.id].add(pair.direction)
        places[pair.direction, pair.id].add(pair.section)
    rooms = {table.row.room for table in tables}
    # In matches, numbers are those of teams, which sit in both directions.
    by_direction = rooms == {""} and any(len(found) > 1 for found in sides.values())
    by_direction |= any({"NS", "EW"} <= found for found in directions.values())
    by_section = any(len(found) > 1 for found in (*sections.values(), *places.values()))
    return by_direction, by_section


def _name_pair(identity: str, section: str, direction: str, collisions: tuple[bool, bool]) -> str:
    """Return the id of a pair in its session, such as 7, 7NS, A7 or A7NS."""
    by_direction, by_section = collisions
    if by_section and section and not identity.startswith(section):
        identity = section + identity
    return identity + direction if by_direction and not identity.endswith(("NS", "EW")) else identity


def _add_table(
    joined: Joined,
    known: dict[str, JoinedPair],
    table: JoinedTable,
    side: str,
    seats: tuple[int, int],
    collisions: tuple[bool, bool],
) -> None:
    """Set the id of one side of a table, and add what the table says about the pair."""
    identity = getattr(table.row, side)
    if not identity:
        return
    name = _name_pair(identity, table.row.section, side.upper(), collisions)
    setattr(table, side, name)
    pair = known.setdefault(name, JoinedPair(table.session, name, table.row.section))
    if not pair.direction:
        pair.direction = side.upper()
    elif pair.direction != side.upper():
        pair.direction = "both"
    # The first players of a pair are its players. Others cause a remark, except in teams, whose players
    # change.
    players = tuple(table.players[seat] for seat in seats)
    if not any(pair.players):
        pair.players = players
        pair.names = tuple(table.row.names[seat] for seat in seats)
    elif any(players) and set(players) != set(pair.players) and table.row.room == "":
        text = f"pair {name} has another player than before; its results are still counted together"
        remark = Remark(table.file, table.row.line, max(table.board.number, 0), text)
        if not any(text == earlier.text for earlier in joined.remarks):
            joined.remarks.append(remark)


def _add_listed(
    joined: Joined,
    known: dict[str, JoinedPair],
    pair: PairRow,
    session: int,
    by_direction: bool,
    by_section: bool,
) -> None:
    """Add what a file's list of pairs says about a pair: names, numbers, totals."""
    name = _name_pair(pair.id, pair.section, pair.direction, (by_direction, by_section))
    # Without a number, find the pair by the names of its players.
    if not pair.id:
        key = frozenset(map(normalize_name, filter(None, pair.names)))
        name = next(
            (other for other, each in known.items() if frozenset(map(normalize_name, each.names)) == key), ""
        )
        if not name:
            return
    target = known.setdefault(name, JoinedPair(session, name, pair.section, pair.direction))
    if any(pair.names):
        target.names = pair.names
    if any(pair.members):
        target.players = pair.members
    target.section = target.section or pair.section
    target.official |= pair.official

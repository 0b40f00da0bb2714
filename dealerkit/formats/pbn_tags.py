"""The tags of PBN games: several deals in a game, inherited values, board number, dealer, vulnerability."""

from __future__ import annotations

from dealerkit.cards.names import board_dealer, board_vulnerability
from dealerkit.formats.pbn_lines import Entry, Game

_SEATS = {"N": 0, "E": 1, "S": 2, "W": 3, "NORTH": 0, "EAST": 1, "SOUTH": 2, "WEST": 3}
_VULNERABLE = {
    **dict.fromkeys(("NONE", "LOVE", "-", "O", "0", "NIL", "ZERO", "NEITHER"), 0),
    **dict.fromkeys(("NS", "N-S", "N/S"), 1),
    **dict.fromkeys(("EW", "E-W", "E/W"), 2),
    **dict.fromkeys(("ALL", "BOTH", "FULL"), 3),
}
UNKNOWN = frozenset(("", "?", "-", "????.??.??"))  # values that mean none
_NOT_INHERITED = {"dealer", "vulnerable", "deal", "declarer", "contract", "auction", "play", "note"}
_BEGINS_GAME = {"event", "board", "dealer", "vulnerable", "deal"}
_MAX_BOARD = 2**31 - 1


def find_dealer(text: str, board: int) -> int:
    """Return the seat of a dealer; by the number of the board if the text names none; -1 unknown.

    >>> find_dealer("S", 1), find_dealer("", 2), find_dealer("?", -1), find_dealer("Ann", 1)
    (2, 1, -1, -1)
    """
    if (value := text.strip().upper()) not in UNKNOWN:
        return _SEATS.get(value, -1)
    return board_dealer(board) if board > 0 else -1


def find_vulnerability(text: str | None, board: int) -> tuple[int, bool]:
    """Return the vulnerability, -1 unknown, and whether the text could be read.

    None, ``?`` and an empty text stand for that of the board's number.

    >>> find_vulnerability("Love", 2), find_vulnerability(None, 2), find_vulnerability("Red", 2)
    ((0, True), (1, True), (-1, False))
    """
    if text is not None and (value := text.strip().upper()) not in ("", "?"):
        known = _VULNERABLE.get(value, -1)
        return known, known >= 0
    return (board_vulnerability(board) if board > 0 else -1), True


def find_board(text: str) -> int:
    """Return the number of a board, -1 if the text is none.

    >>> find_board("017"), find_board("3-2")
    (17, -1)
    """
    text = text.strip().lstrip("0")
    return (
        int(text) if text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= _MAX_BOARD else -1
    )


def separate_deals(games: list[Game], remarks: list[tuple[int, str]]) -> list[Game]:
    """Return games with at most one Deal tag each.

    The second game begins at the first tag after the Deal tag that repeats one of Event, Board, Dealer,
    Vulnerable; at the second Deal tag if none does.
    """
    separated = []
    for game in games:
        starts = [0]
        seen: set[str] = set()
        repeated = -1
        for place, entry in enumerate(game.entries):
            name = entry.name.lower()
            if name not in _BEGINS_GAME:
                continue
            if name in seen and "deal" in seen and repeated < 0:
                repeated = place
            if name == "deal":
                if "deal" in seen:
                    starts.append(repeated)
                    seen = {later.name.lower() for later in game.entries[repeated:place]}
                    remarks.append((entry.line, "a second Deal in a game; it begins another board"))
                repeated = -1
            seen.add(name)
        if len(starts) == 1:
            separated.append(game)
            continue
        for start, stop in zip(starts, [*starts[1:], None], strict=True):
            separated.append(Game(game.entries[start:stop], game.comments if not start else []))
    return separated


def resolve_inherited(games: list[Game], remarks: list[tuple[int, str]]) -> None:
    """Replace values that stand for those of earlier games.

    ``#`` is the last known value of the tag; ``##text`` is the value of this game and of all later games that
    do not have the tag. Neither is allowed for tags of the deal, auction and play: those become empty.
    """
    known: dict[str, str] = {}
    carried: dict[str, Entry] = {}
    for game in games:
        names = set()
        for entry in game.entries:
            name = entry.name.lower()
            names.add(name)
            value = entry.value
            if value[:1] == "#" and (value == "#" or value[1] == "#"):
                if name in _NOT_INHERITED:
                    remarks.append((entry.line, f"{entry.name} {value[:20]!r}: this tag is not inherited"))
                    entry.value = value if name == "deal" else ""
                elif value == "#":
                    entry.value = known.get(name, "")
                else:
                    entry.value = value[2:]
                    carried[name] = entry
            if entry.value not in UNKNOWN:
                known[name] = entry.value
        missing = []
        for name, source in carried.items():
            if name not in names and source.value:
                copy = Entry(source.name, source.value, game.line)
                copy.rows = source.rows
                missing.append(copy)
        game.entries[:0] = missing

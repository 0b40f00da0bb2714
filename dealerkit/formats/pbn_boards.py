"""The games of a PBN file as boards: columns, texts, and the tags that are kept as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dealerkit.cards.names import SEAT_LETTERS
from dealerkit.formats.pbn_lines import Entry, Game
from dealerkit.formats.pbn_sections import (
    find_result_columns,
    normalize_contract,
    read_ability,
    read_auction,
    read_hex_tricks,
    read_result_table,
)
from dealerkit.formats.pbn_tags import (
    UNKNOWN,
    find_board,
    find_dealer,
    find_vulnerability,
    resolve_inherited,
    separate_deals,
)

_PLAYERS = frozenset(("north", "east", "south", "west"))
_NAMES = _PLAYERS | {"contract", "declarer", "result"}
_STANDARD = _NAMES | {"board", "dealer", "vulnerable", "deal"}
_INHERITED = {"board", "dealer", "vulnerable", "deal"}
_OPTIONAL = {"event", "site", "date", "scoring"}  # the writer adds them if they are missing


class Board:
    """What a game says about its board; -1, None and missing texts are unknown."""

    __slots__ = (
        "deal", "deal_line", "dealer", "number", "play", "tags", "texts", "tricks", "vulnerable",
    )  # fmt: skip

    def __init__(self) -> None:
        self.number = self.dealer = self.vulnerable = -1
        self.deal: str | None = None
        self.deal_line = 0
        self.play: Entry | None = None
        self.tricks: Any = None
        self.texts: dict[str, str] = {}
        self.tags: list[list[str]] = []


class BoardReader:
    """Reads games one after another.

    Parameters
    ----------
    games : list of Game
    remarks : list of (int, str)
        Lines and what is unusual there; more are appended.
    inherits : bool
        There may be values that stand for those of earlier games.
    """

    def __init__(self, games: list[Game], remarks: list[tuple[int, str]], inherits: bool) -> None:
        self.games, self.remarks = separate_deals(games, remarks), remarks
        if inherits:
            resolve_inherited(self.games, remarks)

    def read_boards(self) -> Iterator[Board]:
        """Yield the boards of all games.

        A game with an auction or a play, but without a deal, is another table of the board before it.
        """
        before: dict[str, Entry] = {}
        for game in self.games:
            names = {entry.name.lower() for entry in game.entries}
            if "deal" not in names and before and not names.isdisjoint(("auction", "play")):
                self._inherit_tags(game, before)
            yield self._read_board(game)
            known: dict[str, Entry] = {}
            for entry in game.entries:
                if (name := entry.name.lower()) in _INHERITED:
                    known.setdefault(name, entry)
            before = known if "deal" in known and known["deal"].value.strip() else {}

    def _inherit_tags(self, game: Game, before: dict[str, Entry]) -> None:
        """Add the tags that a second table of the same board lacks; another number is another board."""
        own: dict[str, Entry] = {}
        for entry in game.entries:
            own.setdefault(entry.name.lower(), entry)
        known = {name for name in own if own[name].value.strip() not in UNKNOWN}
        if "board" in known and "board" in before and own["board"].value != before["board"].value:
            return
        line = game.line
        game.entries = [entry for entry in game.entries if entry.name.lower() not in _INHERITED - known]
        added = [Entry(entry.name, entry.value, line) for name, entry in before.items() if name not in known]
        game.entries[:0] = added
        self.remarks.append((line, "the deal is that of the game before"))

    def _read_board(self, game: Game) -> Board:
        board = Board()
        standard: dict[str, Entry] = {}
        sections: dict[str, Entry] = {}
        notes: dict[str, list[str]] = {}
        section = ""
        for entry in game.entries:
            name = entry.name
            key = name.lower()
            if key in _STANDARD:
                if key in standard:
                    self._report_repeated(entry)
                else:
                    standard[key] = entry
            elif key == "note":
                if section:
                    notes.setdefault(section, []).append(entry.value)
                else:
                    board.tags.append([name, entry.value])
            elif key in ("auction", "play"):
                section = key
                if key in sections:
                    self._report_repeated(entry)
                else:
                    sections[key] = entry
            elif entry.rows is not None:
                self._add_section(board, sections, key, entry)
            elif key == "doubledummytricks" and (tricks := read_hex_tricks(entry.value)):
                board.tricks = tricks
            elif key not in _OPTIONAL or entry.value not in UNKNOWN:
                board.tags.append([name, entry.value])
                if key == "ability" and board.tricks is None and (ability := read_ability(entry.value)):
                    board.tricks = list(ability)
        if len(board.tags) > 1:
            self._drop_repeated(board, game)
        self._set_standard(board, standard, game)
        self._set_auction(board, sections.get("auction"), notes.get("auction"))
        board.play = sections.get("play")
        if board.play is not None and "play" in notes:
            board.texts["play_notes"] = "\n".join(notes["play"])
        if game.comments:
            board.texts["comment"] = "\n".join(game.comments)
        return board

    def _report_repeated(self, entry: Entry) -> None:
        self.remarks.append((entry.line, f"{entry.name} for the second time in a game; the first counts"))

    def _drop_repeated(self, board: Board, game: Game) -> None:
        """Keep the first of equal names among the other tags, except notes."""
        seen: set[str] = set()
        kept = []
        for tag in board.tags:
            key = tag[0].lower()
            if key in seen and key != "note":
                self.remarks.append((game.line, f"{tag[0]} for the second time in a game; the first counts"))
            else:
                kept.append(tag)
            seen.add(key)
        board.tags = kept

    def _add_section(self, board: Board, sections: dict[str, Entry], key: str, entry: Entry) -> None:
        """Keep a section: the tricks of a result table as numbers, others with their rows."""
        rows = entry.rows or []
        if key == "optimumresulttable" and key not in sections:
            sections[key] = entry
            columns = find_result_columns(entry.value)
            if columns and (tricks := read_result_table(rows, columns)):
                known = board.tricks or [-1] * 20
                if tricks != known and any(
                    a >= 0 and b >= 0 and a != b for a, b in zip(tricks, known, strict=True)
                ):
                    reason = "OptimumResultTable differs from DoubleDummyTricks, which count"
                    self.remarks.append((entry.line, reason))
                board.tricks = [b if b >= 0 else a for a, b in zip(tricks, known, strict=True)]
                return
            self.remarks.append((entry.line, "OptimumResultTable with rows that cannot be read"))
        board.tags.append([entry.name, entry.value, "\n".join(rows)])

    def _set_standard(self, board: Board, standard: dict[str, Entry], game: Game) -> None:
        """Set number, dealer, vulnerability, deal, players, contract."""
        texts = board.texts
        for key, entry in standard.items():
            value = entry.value
            if key in _NAMES:
                if value.strip() not in UNKNOWN:
                    texts[key] = normalize_contract(value) if key == "contract" else value
            elif key == "board":
                board.number = find_board(value)
                if str(board.number) != value and value not in UNKNOWN:
                    board.tags.insert(0, ["Board", value])
                    texts["number"] = value
        dealer, vulnerable = standard.get("dealer"), standard.get("vulnerable")
        board.dealer = find_dealer(dealer.value if dealer else "", board.number)
        if dealer is not None and board.dealer < 0 and dealer.value.strip() not in UNKNOWN:
            self.remarks.append((dealer.line, f"unknown dealer {dealer.value[:30]!r}"))
        board.vulnerable, is_known = find_vulnerability(
            None if vulnerable is None else vulnerable.value, board.number
        )
        if vulnerable is not None and not is_known:
            self.remarks.append((vulnerable.line, f"unknown vulnerability {vulnerable.value[:30]!r}"))
        deal = standard.get("deal")
        if deal is not None:
            board.deal, board.deal_line = deal.value, deal.line
        else:
            board.deal_line = game.line

    def _set_auction(self, board: Board, entry: Entry | None, notes: list[str] | None) -> None:
        """Set the calls from the dealer on; an auction that cannot be read is kept as a tag."""
        if entry is None:
            return
        calls = read_auction(entry.rows or [])
        seat = SEAT_LETTERS.find(entry.value.strip().upper()[:1] or "?")
        if calls is None or (calls and seat < 0 and board.dealer < 0):
            board.tags.append([entry.name, entry.value, "\n".join(entry.rows or [])])
            board.tags += [["Note", note] for note in notes or ()]
            return
        n_before = next((k for k, call in enumerate(calls) if call != "-"), len(calls))
        if calls and seat >= 0:
            first = (seat + n_before) % 4
            if board.dealer < 0:
                board.dealer = first
            calls[:n_before] = ["-"] * ((first - board.dealer) % 4)
        if calls:
            board.texts["auction"] = " ".join(calls)
        if notes:
            board.texts["auction_notes"] = "\n".join(notes)

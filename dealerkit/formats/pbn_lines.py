"""The lines of a PBN file as games: tags, the rows of sections, comments.

A blank line ends a game, except inside braces. Lines that begin with ``%`` are ignored. Text that belongs to
no section, such as statistics after the last game, is ignored and reported. Games with several deals are
separated, and values that refer to those of earlier games are replaced by them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from dealerkit.appearance.numbers import format_count
from dealerkit.formats.pbn_values import UNKNOWN
from dealerkit.runtime.progress import ProgressBar

LINES_BETWEEN = 512  # lines between two readings of the clock
MANDATORY = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal",
    "Scoring", "Declarer", "Contract", "Result",
)  # fmt: skip
_WITHOUT_ROWS = {name.lower() for name in MANDATORY}
_LINE_TAG = re.compile(r'\[[ \t]*(\w+)[ \t]*"([^"\\]*(?:\\[^"\\][^"\\]*)*)"[ \t]*\][ \t]*$')
_TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*(\w+)\s*"(.*)"\s*\]')  # with quotes inside the value
_SPECIAL = re.compile(r"[\[{;<]")
_WORDS = re.compile(r'(?:"[^"]*"|[^\[{;"]|"(?![^"]*"))+')
_ESCAPE = re.compile(r'\\(["\\])')
_N_JOINED = 6  # greatest number of lines that a tag may extend over
_NOT_INHERITED = {"dealer", "vulnerable", "deal", "declarer", "contract", "auction", "play", "note"}
_FIRST_TAG = re.compile(r'\[(?:Event|Site|Board|Dealer|Vulnerable|Deal) +"')  # programs begin games with it
_BEGINS_GAME = {"event", "board", "dealer", "vulnerable", "deal"}


class Entry:
    """A tag: name, value, number of its line, and the rows of the section that it begins."""

    __slots__ = ("line", "name", "rows", "value")

    def __init__(self, name: str, value: str, line: int) -> None:
        self.name, self.value, self.line = name, value, line
        self.rows: list[str] | None = None


class Game:
    """The tags of a game in their order, and its comments."""

    __slots__ = ("comments", "entries")

    def __init__(self, entries: list[Entry], comments: list[str]) -> None:
        self.entries, self.comments = entries, comments

    @property
    def line(self) -> int:
        """The number of the first line."""
        return self.entries[0].line


def split_games(
    text: str, bar: ProgressBar | None = None, share: float = 1.0
) -> tuple[list[Game], list[tuple[int, str]]]:
    r"""Return the games of a text, and remarks: the number of a line and what is unusual there.

    The bar advances by `share` of its length while the text is split.

    >>> games, remarks = split_games('[Board "1"]\n[Auction "N"]\n1NT Pass {a}\nPass Pass\n\n[Board "2"]')
    >>> [(entry.name, entry.value, entry.rows) for entry in games[0].entries], games[0].comments
    ([('Board', '1', None), ('Auction', 'N', ['1NT Pass', 'Pass Pass'])], ['a'])
    """
    splitter = _Splitter(text.split("\n"))
    splitter.split(bar, share)
    return splitter.games, splitter.remarks


class _Splitter:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.games: list[Game] = []
        self.remarks: list[tuple[int, str]] = []
        self.entries: list[Entry] = []
        self.comments: list[str] = []
        self.stray: list[int] = []
        self._braces: tuple[list[int], list[int], list[int]] | None = None

    def split(self, bar: ProgressBar | None, share: float) -> None:
        # Most lines are only a tag or a row of a section, which need not be split.
        lines, match, special = self.lines, _LINE_TAG.match, _SPECIAL.search
        number, n_lines = 0, len(lines)
        while number < n_lines:
            if bar is not None and not number % LINES_BETWEEN and bar.is_due:
                bar.update(
                    share * number / n_lines, f"{format_count(number)} of {format_count(n_lines, 'line')}"
                )
            line = lines[number]
            if not line or line.isspace():
                self._end_game()
            elif line[0] == "[" and (found := match(line)):
                self.entries.append(Entry(found[1], found[2], number + 1))
            elif line[0] == "%":
                pass
            elif special(line):
                number = self._split_line(number)
            elif self.entries and (rows := self.entries[-1].rows) is not None:
                rows.append(line)
            else:
                self._add_row(line, number)
            number += 1
        if bar is not None:
            bar.part = share
        self._end_game()
        # Comments after the last tag belong to the last game; rows before the first section belong to none.
        if self.comments and self.games:
            self.games[-1].comments += self.comments
        if self.stray:
            count = len(self.stray)
            lines_of = "a line of text that belongs" if count == 1 else f"{count} lines of text that belong"
            self.remarks.append((self.stray[0], f"{lines_of} to no board"))

    def _end_game(self) -> None:
        """Begin a new game; comments before the first tag of a game belong to it."""
        if self.entries:
            self.games.append(Game(self.entries, self.comments))
            self.entries, self.comments = [], []

    def _add_row(self, row: str, number: int) -> None:
        if not self.entries or self.entries[-1].name.lower() in _WITHOUT_ROWS:
            self.stray.append(number + 1)
        else:
            entry = self.entries[-1]
            if entry.rows is None:
                entry.rows = []
            entry.rows.append(row)

    def _split_line(self, number: int) -> int:
        """Read a line with brackets or comments; return the number of the last line that it extends to."""
        line, column = self.lines[number], 0
        # These marks enclose PBN in other text, and end a game.
        if line.strip().upper() in ("<PBN>", "</PBN>"):
            self._end_game()
            return number
        # Read a comment, a tag, or words of a row, and continue where it ends.
        while True:
            while column < len(line) and line[column].isspace():
                column += 1
            if column >= len(line):
                return number
            mark = line[column]
            if mark == ";":
                self._add_comment(line[column + 1 :])
                return number
            if mark == "{":
                number, column = self._read_comment(number, column)
                if column < 0:
                    return number
                line = self.lines[number]
                continue
            if mark == "[" and (place := self._read_tag(number, column)):
                number, column = place
                line = self.lines[number]
                continue
            found = _WORDS.match(line, column + 1)
            end = found.end() if found else column + 1
            self._add_row(line[column:end].rstrip(), number)
            column = end

    def _read_tag(self, number: int, column: int) -> tuple[int, int] | None:
        """Read a tag; return the line and the column of its end, or None if this is not a tag."""
        line = self.lines[number]
        # Try a tag of the standard, with a backslash before quotes inside the value, then one without it.
        if found := _TAG.match(line, column):
            self.entries.append(Entry(found[1], _ESCAPE.sub(r"\1", found[2]), number + 1))
            return number, found.end()
        if found := _LOOSE_TAG.match(line, column):
            self.entries.append(Entry(found[1], found[2], number + 1))
            self.remarks.append((number + 1, f"there is a quote inside the value of {found[1]}"))
            return number, found.end()
        # Try a tag that extends over several lines; line ends in its value become blanks.
        joined = line[column:]
        for last in range(number + 1, min(number + _N_JOINED, len(self.lines))):
            added = self.lines[last]
            if not added or added.isspace():
                break
            found = _TAG.match(joined + "\n" + added)
            if found:
                value = " ".join(_ESCAPE.sub(r"\1", found[2]).split("\n"))
                self.entries.append(Entry(found[1], value, number + 1))
                return last, found.end() - len(joined) - 1
            joined += "\n" + added
        return None

    # ------------------------------------------------------------ comments
    def _add_comment(self, text: str) -> None:
        text = text.strip()
        if text:
            self.comments.append(text)

    def _read_comment(self, number: int, column: int) -> tuple[int, int]:
        """Read a comment in braces; return the line and the column after it, -1 for the end of the line."""
        line = self.lines[number]
        if (end := line.find("}", column)) >= 0:
            self._add_comment(line[column + 1 : end])
            return number, end + 1
        # Find the next closing brace, the next line where a game may begin, and the next opening brace after
        # it.
        closing, opening, restarts = self._find_braces()
        place = bisect_right(closing, number)
        close = closing[place] if place < len(closing) else len(self.lines)
        place = bisect_right(restarts, number)
        restart = restarts[place] if place < len(restarts) else len(self.lines)
        place = bisect_left(opening, restart)
        reopened = opening[place] if place < len(opening) else len(self.lines)
        if reopened == close < len(self.lines) and self.lines[close].index("}") < self.lines[close].index(
            "{"
        ):
            reopened += 1
        # If the comment is not closed before the next game, it ends there, not at a later brace.
        if restart < close and (close == len(self.lines) or reopened <= close):
            close = restart - 1
            end = len(self.lines[close])
            reason = "a comment is not closed; it ends at the next board"
        elif close == len(self.lines):
            close, end = len(self.lines) - 1, len(self.lines[-1])
            reason = "a comment is not closed; it ends with the file"
        else:
            end, reason = self.lines[close].index("}"), ""
            n_deals = sum(line.startswith('[Deal "') for line in self.lines[number + 1 : close])
            if n_deals:
                deals = "a deal, which is" if n_deals == 1 else f"{n_deals} deals, which are"
                self.remarks.append((number + 1, f"a comment up to line {close + 1} has {deals} not read"))
        inner = [line[column + 1 :], *self.lines[number + 1 : close], self.lines[close][:end]]
        self._add_comment("\n".join(inner if close > number else inner[:1]))
        if not reason:
            return close, end + 1
        self.remarks.append((number + 1, reason))
        if restart == close + 1 and not self._find_line_before(restart).strip():
            self._end_game()
        return close, -1

    def _find_line_before(self, number: int) -> str:
        """Return the line before one, without those that begin with ``%``; empty at the beginning."""
        before = reversed(self.lines[max(0, number - _N_JOINED) : number])
        return next((line for line in before if line[:1] != "%"), "")

    def _find_braces(self) -> tuple[list[int], list[int], list[int]]:
        """Return the lines with closing braces, with opening braces, and those where a game may begin."""
        if self._braces is None:
            closing = [number for number, line in enumerate(self.lines) if "}" in line]
            opening = [number for number, line in enumerate(self.lines) if "{" in line]
            restarts = [
                number
                for number, line in enumerate(self.lines)
                if line.startswith(('[Event "', '[Board "'))
                or (_FIRST_TAG.match(line) and not self._find_line_before(number).strip())
            ]
            self._braces = closing, opening, restarts
        return self._braces


def separate_deals(games: list[Game], remarks: list[tuple[int, str]]) -> list[Game]:
    """Return games with at most one Deal tag each.

    A new game begins at the first tag after the Deal tag that repeats Event, Board, Dealer or Vulnerable; if
    none does, it begins at the second Deal tag.
    """
    separated = []
    for game in games:
        # The next game begins at the first repeated tag after a Deal, which is known at the second Deal.
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
                    remarks.append((entry.line, "there is a second Deal in a game; it begins another board"))
                repeated = -1
            seen.add(name)
        if len(starts) == 1:
            separated.append(game)
            continue
        # The comments belong to the first of the games.
        for start, stop in zip(starts, [*starts[1:], None], strict=True):
            separated.append(Game(game.entries[start:stop], game.comments if not start else []))
    return separated


def resolve_inherited(games: list[Game], remarks: list[tuple[int, str]]) -> None:
    """Replace values that refer to those of earlier games.

    ``#`` is the last known value of the tag; ``##text`` is the value in this game and in all later games
    without the tag. Neither is allowed for tags of the deal, auction and play, which become empty.
    """
    known: dict[str, str] = {}
    rows: dict[str, list[str]] = {}
    carried: dict[str, Entry] = {}
    for game in games:
        # Replace the values of this game, in the order of its tags.
        names = set()
        for entry in game.entries:
            name = entry.name.lower()
            names.add(name)
            value = entry.value
            if value[:1] == "#" and (value == "#" or value[1] == "#"):
                if name in _NOT_INHERITED:
                    remarks.append((entry.line, f"{entry.name} {value[:20]!r}: this tag cannot be inherited"))
                    entry.value = value if name == "deal" else ""
                elif value == "#":
                    entry.value = known.get(name, "")
                    if entry.rows is None and name in rows:
                        entry.rows = list(rows[name])  # a table without rows has those of the last one
                else:
                    entry.value = value[2:]
                    carried[name] = entry
            if entry.value not in UNKNOWN:
                known[name] = entry.value
                if entry.rows is not None:
                    rows[name] = entry.rows
        # Add the tags that this game lacks and an earlier game has with ##.
        missing = []
        for name, source in carried.items():
            if name not in names and source.value:
                copy = Entry(source.name, source.value, game.line)
                copy.rows = source.rows
                missing.append(copy)
        game.entries[:0] = missing

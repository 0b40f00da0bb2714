"""The diagrams of printall: four hands side by side, as dealer, DealerV2 and dealerkit print them.

Other lines of the output, such as statistics, are not boards.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import product

from dealerkit.cards.names import LANE_SHIFTS, RANKS
from dealerkit.cards.text import SUIT_SYMBOLS
from dealerkit.errors import DealError, FileError, quote
from dealerkit.formats.content import Records
from dealerkit.formats.format import Format
from dealerkit.formats.text_files import Board, check_deal, collect_boards, read_head, read_text

_WIDTH = 20  # characters in a column of dealer
_HEADING = re.compile(
    r"[ \t]*(?:Deal[ \t]+)?(\d{1,9})\.?[ \t]*(?:North[ \t]+East[ \t]+South[ \t]+West)?[ \t]*", re.IGNORECASE
)
_NAMES = re.compile(r"[ \t]*North[ \t]+East[ \t]+South[ \t]+West[ \t]*", re.IGNORECASE)
_CARDS = re.compile(r"(?:[2-9TJQKA] |- )(?:[2-9TJQKA -])*")
_SYMBOLS = re.compile(rf"[{SUIT_SYMBOLS}]\ufe0f?[ \t]*([2-9TJQKA]*)-?", re.IGNORECASE)
_Cells = tuple[str, ...]


def read_diagrams(path: str | os.PathLike) -> Records:
    """Return the deals of the diagrams in a file, with their numbers.

    Raises
    ------
    FileError
        The file cannot be read, or has no diagram.
    """
    boards, skipped = [], []
    for line, number, rows in find_diagrams(read_text(path)):
        try:
            boards.append(Board(parse_diagram(rows), number))
        except DealError as reason:
            skipped.append((line, str(reason)))
    if not boards and not skipped:
        raise FileError(f"{path}: there is no diagram of four hands side by side, such as printall prints")
    return collect_boards(boards, skipped, path)


def find_diagrams(text: str) -> Iterator[tuple[int, int, list[str]]]:
    r"""Yield line, number and the four rows of each diagram in a text.

    >>> list(find_diagrams("   7.\nA K \nQ J \n- \nT 9 \n\n"))
    [(1, 7, ['A K ', 'Q J ', '- ', 'T 9 '])]
    """
    lines = text.replace("\f", "\n").split("\n")
    position = 0
    while position < len(lines):
        heading = _HEADING.fullmatch(lines[position])
        begin, position = position, position + 1
        if heading is None:
            continue
        # The names of the seats may be on a separate line.
        first = position + bool(_NAMES.fullmatch(lines[position]) if position < len(lines) else False)
        rows: list[str] = []
        while len(rows) < 4 and first + len(rows) < len(lines) and _is_row(lines[first + len(rows)]):
            rows.append(lines[first + len(rows)])
        if rows:
            position = first + len(rows)
            yield begin + 1, int(heading[1]), rows


def _is_row(line: str) -> bool:
    """Return whether a line may be the holdings of a suit."""
    return _CARDS.fullmatch(line.strip() + " ") is not None or line.strip()[:1] in tuple(SUIT_SYMBOLS)


def parse_diagram(rows: list[str]) -> list[int]:
    """Return the four hands of the rows of a diagram.

    Raises
    ------
    DealError
        The hands are not a whole deal.
    """
    if len(rows) < 4:
        raise DealError(f"the diagram has {len(rows)} rows of cards, not 4")
    # Symbols of suits separate the hands; without them, columns do, after the indentation of the page.
    if rows[0].strip()[0] in SUIT_SYMBOLS:
        splits = [[tuple(_SYMBOLS.findall(row))] for row in rows]
    else:
        indent = min(len(row) - len(row.lstrip(" ")) for row in rows)
        splits = [_choose_splits(row[indent:].rstrip() + " ") for row in rows]
    for suit, cells in enumerate(splits):
        if not cells or any(len(row) != 4 for row in cells):
            raise DealError(
                f"row {suit + 1} of the diagram does not have the cards of four hands: "
                f"{quote(rows[suit].strip())}"
            )
    # Try all ways to divide the rows; usually there is only one.
    reason = None
    for chosen in product(*splits):
        try:
            return _build_hands(chosen)
        except DealError as fault:
            reason = reason or fault
    raise reason or DealError("no deal")


def _choose_splits(row: str) -> list[_Cells]:
    """Return the ways to divide a row into four holdings with 13 cards in all; if none, any first way."""
    splits = list(_split_row(row))
    return [cells for cells in splits if sum(map(len, cells)) == 13] or splits[:1]


def _split_row(row: str, start: int = 0, n_cells: int = 4) -> Iterator[_Cells]:
    """Yield the ways to divide a row into four holdings.

    A column has twenty characters. A holding of ten cards or more fills or exceeds its column; then the next
    holding begins where it ends.

    >>> list(_split_row("A K                 -                   2                   3 "))
    [('AK', '', '2', '3')]
    """
    if n_cells == 0:
        if not row[start:].strip():
            yield ()
        return
    # A void is a dash; other holdings are ranks, each with a blank.
    if row.startswith("- ", start):
        ends = [(start + 2, "")]
    else:
        end = start
        while row[end : end + 1].strip() and row[end + 1 : end + 2] == " " and end < start + 26:
            end += 2
        holding = row[start:end:2]
        ends = [(start + 2 * size, holding[:size]) for size in range(10, len(holding) + 1)]
        if 0 < len(holding) < 10:
            ends = [(end, holding)]
    # There are only blanks between a holding and the next column.
    for end, holding in ends:
        next_start = max(end, start + _WIDTH)
        if not row[end:next_start].strip():
            yield from ((holding, *rest) for rest in _split_row(row, next_start, n_cells - 1))


def _build_hands(cells: tuple[_Cells, ...]) -> list[int]:
    """Return hands from the holdings of four suits, or raise a DealError."""
    hands = [0, 0, 0, 0]
    for suit, holdings in enumerate(cells):
        for seat, holding in enumerate(holdings):
            for rank in holding.upper():
                if rank not in RANKS:
                    raise DealError(f"{rank!r} is not a card")
                hands[seat] |= 1 << LANE_SHIFTS[suit] + RANKS.index(rank)
    check_deal(hands)
    return hands


def recognise_diagrams(head: bytes) -> bool:
    r"""Return whether a file has a diagram near its beginning.

    >>> row = b"A                   K                   Q                   J\n"
    >>> recognise_diagrams(b"   1.\n" + row * 4)
    True
    """
    return any(len(rows) == 4 for _, _, rows in find_diagrams(read_head(head)))


FORMAT = Format("diagrams", (".txt",), recognise_diagrams, read_diagrams)

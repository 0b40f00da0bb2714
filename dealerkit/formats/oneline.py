"""The lines of dealer's printoneline and printcompact: ``n hand e hand s hand w hand``, and perhaps a value.

Other deals on a line are read as well: PBN notation, ``N:hand hand hand hand``; only four hands, of north,
east, south and west; the lines of redeal, ``♠AQ73♥4...``, and of Thomas Andrews's Deal (option -l), ``AQ73 4
...|...``. Other lines of the output, such as statistics, are not boards.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.text import find_fault, format_lines, parse_line, parse_lines, replace_symbols
from dealerkit.errors import ArgumentError, DealError, FileError
from dealerkit.formats.content import DealSupply, Records, split_deals
from dealerkit.formats.format import Format
from dealerkit.formats.text_files import check_deal, read_head, read_text
from dealerkit.runtime.files import write_atomically

_BOARD = re.compile(r"\s*[nesw]\s+[^\s.]*\.\S*", re.IGNORECASE)
_PBN_DEAL = re.compile(r"\s*([nesw]):\s*([^\s.]*\.\S*)\s+(\S+)\s+(\S+)\s+(\S+)\s*", re.IGNORECASE)
_HAND = r"(?:10|[2-9TJQKA]|-(?=[\s.]|$))*(?:\.(?:10|[2-9TJQKA]|-(?=[\s.]|$))*){3}"
_BARE_HANDS = re.compile(rf"\s*({_HAND})\s+({_HAND})\s+({_HAND})\s+({_HAND})\s*", re.IGNORECASE)
_LETTERS = re.compile(
    r"\s*" + r"\s+".join([r"S([2-9TJQKA]*)H([2-9TJQKA]*)D([2-9TJQKA]*)C([2-9TJQKA]*)"] * 4) + r"\s*"
)
_SUITS = " ".join([r"([2-9TJQKA]*|-+)"] * 4)
_TCL_LINE = re.compile(r"\|".join([_SUITS] * 4))
_TO_FILLED = str.maketrans("♤♡♢♧", "♠♥♦♣")
_ONE_HAND = re.compile(r"\s*[nesw]\s+[^\s.]*\.\S*\s*", re.IGNORECASE)


def read_oneline(path: str | os.PathLike) -> Records:
    """Return the deals of a file with a deal on each line, or with the four hands of a deal on four lines.

    The values that printoneline or printcompact print after a deal are the text column `value`.

    Raises
    ------
    FileError
        The file cannot be read, or has no such line.
    """
    rows = list(_find_rows(read_text(path)))
    if not rows:
        raise FileError(f"{path}: there is no line such as 'n AKQJ.T98.5432.32 e ...'")
    hands, kept, skipped = _parse_rows(rows)
    values = [rows[row][2] for row in kept]
    texts = {"value": values} if any(values) else {}
    return Records(Deals(np.asfortranarray(hands), check=False), texts, skipped, Path(path).name)


def _find_rows(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, text of the deal and value of each board."""
    lines = text.split("\n")
    position = 0
    while position < len(lines):
        begin, line = position, lines[position]
        position += 1
        # A deal in PBN notation may begin with any seat.
        if found := _PBN_DEAL.fullmatch(line):
            first, *hands = found.groups()
            seats = "nesw"["nesw".index(first.lower()) :] + "nesw"
            yield begin + 1, " ".join(f"{seat} {hand}" for seat, hand in zip(seats, hands, strict=False)), ""
            continue
        if not _BOARD.match(line):
            if hands := parse_bare_line(line):
                yield (
                    begin + 1,
                    " ".join(f"{seat} {hand}" for seat, hand in zip("nesw", hands, strict=True)),
                    "",
                )
            continue
        # printcompact prints the four hands on four lines, and a value on the next line.
        if _ONE_HAND.fullmatch(line):
            while position < begin + 4 and _ONE_HAND.fullmatch(lines[position]):
                if lines[position].split()[0].lower() in "".join(
                    row.split()[0].lower() for row in lines[begin:position]
                ):
                    break  # this hand belongs to the next deal
                position += 1
            deal, value = " ".join(row.strip() for row in lines[begin:position]), ""
            if re.fullmatch(r"-?\d+(\.\d+)?", lines[position].strip()):
                value, position = lines[position].strip(), position + 1
        else:
            words = line.split()
            deal, value = " ".join(words[:8]), " ".join(words[8:])
        yield begin + 1, deal, value


def parse_bare_line(line: str) -> list[str]:
    """Return the four hands of a line without seats, with dots between suits; [] for any other line.

    >>> parse_bare_line("AK.QJ.T9.87 -.2.3.4 .5.6.7 .8.9.T")
    ['AK.QJ.T9.87', '.2.3.4', '.5.6.7', '.8.9.T']
    >>> parse_bare_line("♠AK♡QJ♢T9♣87 ♠♡2♢3♣4 ♠♡5♢6♣7 ♠♡8♢9♣T")
    ['AK.QJ.T9.87', '.2.3.4', '.5.6.7', '.8.9.T']
    >>> parse_bare_line("AK QJ T9 87| 2 3 4| 5 6 7|- 8 9 T")
    ['AK.QJ.T9.87', '.2.3.4', '.5.6.7', '.8.9.T']
    """
    if found := _BARE_HANDS.fullmatch(line):
        return [hand.replace("-", "") for hand in found.groups()]
    text = replace_symbols(line.translate(_TO_FILLED))
    if found := _LETTERS.fullmatch(text) or _TCL_LINE.fullmatch(text):
        suits = [suit.replace("-", "") for suit in found.groups()]
        return [".".join(suits[start : start + 4]) for start in range(0, 16, 4)]
    return []


def _parse_rows(rows: list[tuple[int, str, str]]) -> tuple[np.ndarray, list[int], list[tuple[int, str]]]:
    """Return the hands, uint64 [n, 4], the rows that are deals, and the line and reason of the others."""
    # Usually all rows are deals, which are parsed together; if not, each is parsed alone to find the fault.
    try:
        hands = parse_lines([deal for _, deal, _ in rows])
        if find_fault(hands) is None:
            return hands, list(range(len(rows))), []
    except DealError:
        pass
    deals, kept, skipped = [], [], []
    for number, (line, deal, _) in enumerate(rows):
        try:
            four = parse_line(deal)
            check_deal(four)
        except DealError as reason:
            skipped.append((line, str(reason)))
        else:
            deals.append(four)
            kept.append(number)
    return np.array(deals, np.uint64).reshape(-1, 4), kept, skipped


def write_oneline(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals as dealer's printoneline does; columns and texts are not written.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    with write_atomically(path) as temporary, open(temporary, "w", encoding="ascii", newline="\n") as file:
        for rows, part in split_deals(deals):
            if fault := find_fault(part.hands):
                raise ArgumentError(
                    f"deal {rows.start + fault[0]}: {fault[1]}; a line must have a whole deal"
                )
            file.writelines(line + "\n" for line in format_lines(part.hands))


def recognise_oneline(head: bytes) -> bool:
    """Return whether a line of a file begins with a seat and hands.

    >>> recognise_oneline(b"n 2.T98.K752.KJT84 e 5.J7642.986.9763 s AQ8.AQ5.QJT.AQ52 w KJT97643.K3.A43. ")
    True
    >>> recognise_oneline(b"N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
    True
    """
    hand = r"[2-9TJQKA10]*(?:\.[2-9TJQKA10]*){3}"
    line = rf"^[ \t]*(?:n[ \t]+{hand}\s+e[ \t]+{hand}\s|[nesw]:[ \t]*{hand}(?:[ \t]+{hand}){{3}}\s*$)"
    text = read_head(head)
    if re.search(line, text, re.IGNORECASE | re.MULTILINE):
        return True
    return any(sum(map(len, parse_bare_line(row))) == 64 for row in text.split("\n"))


FORMAT = Format("oneline", (".txt", ".deals"), recognise_oneline, read_oneline, write_oneline)

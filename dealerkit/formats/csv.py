"""Tables of deals with separated values (CSV).

===========================  ================================================================================
column                       content
===========================  ================================================================================
deal                         the deal in PBN notation
north east south west        players' names; without a column `deal`, the hands, as ``AKQJ.T98.5432.32``
board dealer vulnerable      dealer is the name or letter of a seat; vulnerable is none, ns, ew or both
weight cluster               as in `Deals`
tricks_north_spades ...      double-dummy tricks of a declarer (20 columns); empty if not solved
tags                         JSON: a list of names and values
any other                    text; an apostrophe is put before one that a spreadsheet would execute
===========================  ================================================================================
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.appearance.wording import quote_formula, unquote_formula
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, VULNERABILITIES, seat_number, vulnerability_number
from dealerkit.cards.sequence import ATTACHED_COLUMNS
from dealerkit.cards.text import format_pbn, parse_deal, parse_hand
from dealerkit.errors import ArgumentError, DealError, FileError, quote
from dealerkit.formats.content import DealSupply, Records, split_deals
from dealerkit.formats.format import Format
from dealerkit.formats.parquet import HANDS, TRICKS
from dealerkit.formats.pbn_values import normalize_hands
from dealerkit.formats.text_files import (
    NUMBERS,
    TEXTS,
    Board,
    PartialBoard,
    check_deal,
    parse_deals,
    read_head,
    read_text,
)
from dealerkit.runtime.files import write_atomically
from dealerkit.runtime.progress import track_items

_DELIMITERS = ",;\t"
_TRICKS = re.compile(r"\d|1[0-3]")
_NUMBER_COLUMNS = {"weight": np.float64, "cluster": np.int64}  # attached columns beside NUMBERS


def read_csv(path: str | os.PathLike) -> Records:
    """Return the deals of a table; values are separated by commas, semicolons or tabs.

    Raises
    ------
    FileError
        The file cannot be read, or has no columns with deals.
    """
    text = read_text(path)
    rows = track_items(_split_rows(text), text.count("\n"), "lines")
    limit = csv.field_size_limit(len(text))  # a comment may be longer than the csv module allows by default
    try:
        return _read_rows(rows, path)
    finally:
        csv.field_size_limit(limit)


def _read_rows(rows: Iterator[tuple[int, list[str]]], path: str | os.PathLike) -> Records:
    """Return the deals of the rows of a table, the names of the columns first."""
    try:
        _, names = next(rows)
    except (StopIteration, csv.Error):
        names = []
    # Names with a meaning can be in any case; those of text columns are kept as they are.
    columns = [name.strip().lower() if _is_column(name) else name.strip() for name in names]
    if not _has_deals(columns):
        raise FileError(f"{path}: there is neither a column 'deal' nor the columns {', '.join(SEATS)}")
    if len(set(columns)) < len(columns):
        raise FileError(f"{path}: two columns have the same name")
    # Blank rows are skipped; short rows lack their last values.
    lines: list[int] = []
    cells: list[list[str]] = []
    skipped: list[tuple[int, str]] = []
    try:
        for line, values in rows:
            if len(values) > len(columns) and any(map(str.strip, values)):
                skipped.append((line, f"{len(values)} values for {len(columns)} columns"))
            elif any(map(str.strip, values)):
                lines.append(line)
                cells.append(values + [""] * (len(columns) - len(values)))
    except csv.Error as reason:
        raise FileError(f"{path}: {reason}") from reason
    values_by_column = zip(*cells, strict=True) if cells else [()] * len(columns)
    return _read_columns(dict(zip(columns, values_by_column, strict=True)), lines, skipped, Path(path).name)


def _read_columns(
    table: dict[str, Sequence[str]], lines: list[int], skipped: list[tuple[int, str]], name: str
) -> Records:
    """Return the deals of columns of equal length, whose rows are at some lines of the file."""
    # Skip and report rows without a whole deal, or with invalid tricks.
    hands, faults = _read_hands(table)
    tricks, bad_tricks = _read_tricks(table, len(lines))
    faults |= bad_tricks
    skipped = sorted([*skipped, *((lines[row], reason) for row, reason in faults.items())])
    kept = [row for row in range(len(lines)) if row not in faults]
    if faults:
        table = {key: [values[row] for row in kept] for key, values in table.items()}
    # Read numbers, dealers and vulnerabilities, if any row has them; each distinct text is read once.
    attached: dict[str, np.ndarray] = {}
    remarks: list[tuple[int, str]] = []
    for key, (noun, read) in _READERS.items():
        texts = [text.strip() for text in table.pop(key, ())]
        numbers = {text: read(text) if text else -1 for text in set(texts)}
        if any(number >= 0 for number in numbers.values()):
            attached[key] = np.array([numbers[text] for text in texts], ATTACHED_COLUMNS[key].dtype)
        unknown = {text for text, number in numbers.items() if text and number < 0 and noun}
        if unknown:
            remarks += [
                (lines[row], f"unknown {noun} {text[:30]!r}")
                for row, text in zip(kept, texts, strict=True)
                if text in unknown
            ]
    if tricks is not None and kept:
        attached["tables"] = tricks[kept]
    deals = Deals(np.asfortranarray(hands[kept]), check=False, **attached)
    # Read tags, and texts that any row has, the usual ones first. Weights and clusters become numbers.
    tags = [_read_tags(text) if text else [] for text in table.pop("tags", ())]
    names = [key for key in dict.fromkeys((*TEXTS, *table)) if key and any(table.get(key, ()))]
    texts_by_name: dict[str, list] = {key: list(table[key]) for key in names}
    if any(tags):
        texts_by_name["tags"] = tags
    for key, kind in _NUMBER_COLUMNS.items():
        # There may be no such column, or it may contain other text.
        with contextlib.suppress(KeyError, ValueError, OverflowError):
            deals = deals.replace(**{key: np.array(texts_by_name[key], kind)})
            del texts_by_name[key]
    return Records(deals, texts_by_name, skipped, name, sorted(remarks, key=itemgetter(0)))


def _split_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the values of each row and the line where it begins, the names of the columns first."""
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    line, has_quoted = 1, "'" in text
    for values in reader:
        yield line, [unquote_formula(value) for value in values] if has_quoted else values
        line = reader.line_num + 1


def _is_column(name: str) -> bool:
    """Return whether a name, in any case, is that of a column with a meaning."""
    return name.strip().lower() in {"deal", "tags", *SEATS, *NUMBERS, *HANDS, *TRICKS}


def _has_deals(columns: list[str]) -> bool:
    return "deal" in columns or set(SEATS) <= set(columns)


def _read_hands(table: dict[str, Sequence[str]]) -> tuple[np.ndarray, dict[int, str]]:
    """Remove the deals from a table; return hands, uint64 [n, 4], and why rows are not a whole deal."""
    # The deal has a column, or each hand has the column of its seat, which otherwise contains players' names.
    for key in HANDS:
        table.pop(key, None)
    if "deal" in table:
        values = map(str.strip, table.pop("deal"))
        texts = [text if ":" in text[:3] else f"N:{text}" for text in values]
        return parse_deals(texts, lambda row: _check_hands(parse_deal(texts[row])))
    # A text of four hands may be misread if one is empty or contains blanks.
    rows = list(zip(*(table.pop(seat) for seat in SEATS), strict=True))
    texts = [f"N:{n} {e} {s} {w}" if n and e and s and w else "" for n, e, s, w in rows]
    texts = [text if text.count(" ") == 3 and len(text.split()) == 4 else "" for text in texts]
    return parse_deals(texts, lambda row: _check_hands([parse_hand(hand) for hand in rows[row]]))


def _check_hands(hands: list[int]) -> list[int]:
    """Return hands if they are a whole deal, otherwise raise DealError."""
    check_deal(hands)
    return hands


def _read_tricks(table: dict[str, Sequence[str]], n_rows: int) -> tuple[np.ndarray | None, dict[int, str]]:
    """Remove the tricks from a table; return int8 [n, 5, 4], -1 if unknown, and what is wrong with rows."""
    names = [name for name in TRICKS if name in table]
    if not names:
        return None, {}
    tricks = np.full((n_rows, 5, 4), -1, np.int8)
    faults: dict[int, str] = {}
    for name in names:
        texts = [text.strip() for text in table.pop(name)]
        numbers = {text: int(text) if _TRICKS.fullmatch(text) else -1 for text in set(texts)}
        tricks[:, *TRICKS[name]] = [numbers[text] for text in texts]
        if bad := {text for text, number in numbers.items() if text and number < 0}:
            for row, text in enumerate(texts):
                if text in bad:
                    faults.setdefault(row, f"{name} is {quote(text, 20)}; it must be from 0 to 13")
    return tricks, faults


def _read_number(text: str) -> int:
    return int(text) if re.fullmatch(r"\d{1,9}", text) else -1


def _read_name(find: Callable[[str], int], text: str) -> int:
    """Return the number of a seat or a vulnerability; -1 for any other text."""
    try:
        return find(text)
    except ArgumentError:
        return -1


# For each attached column, the noun for a remark on a text that cannot be read, and the function that reads
# it.
_READERS: dict[str, tuple[str, Callable[[str], int]]] = {
    "board": ("", _read_number),
    "dealer": ("dealer", partial(_read_name, seat_number)),
    "vulnerable": ("vulnerability", partial(_read_name, vulnerability_number)),
}


def _read_tags(text: str) -> list[list[str]]:
    """Return names and values of tags from JSON; other text is the tag `tags`."""
    try:
        tags = json.loads(text)
    except (ValueError, RecursionError):
        tags = None
    if isinstance(tags, list) and all(isinstance(tag, list) and len(tag) > 1 for tag in tags):
        return [[str(value) for value in tag] for tag in tags]
    return [["tags", text]]


def read_partial_boards(text: str) -> Iterator[PartialBoard]:
    r"""Yield the boards of a table with their known cards; columns of seats may be missing.

    >>> (board,) = read_partial_boards("board,north,south,comment\n7,AKQJ.T98.5432.32,,Plan the auction.\n")
    >>> board.read_hands(), board.board.board, board.board.texts
    ('N:AKQJ.T98.5432.32 - - -', 7, {'comment': 'Plan the auction.'})

    Raises
    ------
    DealError
        There is neither a column of deals nor one of a seat, or the table is damaged.
    """
    limit = csv.field_size_limit(len(text))
    try:
        rows = list(_split_rows(text))
    except csv.Error as reason:
        raise DealError(str(reason)) from reason
    finally:
        csv.field_size_limit(limit)
    names = rows[0][1] if rows else []
    columns = [name.strip().lower() if _is_column(name) else name.strip() for name in names]
    if "deal" not in columns and set(SEATS).isdisjoint(columns):
        raise DealError(f"there is neither a column 'deal' nor one of {', '.join(SEATS)}")
    for line, values in rows[1:]:
        if not any(map(str.strip, values)):
            continue
        texts = dict(zip(columns, map(str.strip, values), strict=False))
        if "deal" in columns:
            deal = texts.pop("deal", "")
        else:  # a hand without a text is unknown
            deal = " ".join("".join(texts.pop(seat, "").split()) or "-" for seat in SEATS)
        board, dealer, vulnerable = (
            read(known) if (known := texts.pop(key, "")) else -1 for key, (_, read) in _READERS.items()
        )
        tags = _read_tags(tagged) if (tagged := texts.pop("tags", "")) else []
        kept = {key: value for key, value in texts.items() if key and value and key not in {*HANDS, *TRICKS}}
        found = Board((), board, dealer, vulnerable, kept, tags)
        yield PartialBoard(line, found, partial(normalize_hands, deal))


def format_table(columns: Mapping[str, Sequence[Any]]) -> str:
    r"""Return columns of texts as a table; other values are written as JSON.

    >>> format_table({"deal": ["N:AK... - - -"], "comment": ["Plan, then play."]})
    'deal,comment\nN:AK... - - -,"Plan, then play."\n'
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(quote_formula, columns))
    writer.writerows(zip(*(map(_quote, values) for values in columns.values()), strict=True))
    return file.getvalue()


def _quote(value: Any) -> str:
    """Return a value as text that no spreadsheet executes."""
    return quote_formula(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def write_csv(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals, their columns and texts as a table with a row for each deal.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A text column has the name of another column.
    """
    # A text column must not have the name of another column, or the file could not be read again.
    texts: dict[str, list] = dict(getattr(deals, "texts", {}))
    for name in texts:
        if name in ("deal", *NUMBERS, *HANDS, *TRICKS):
            raise ArgumentError(
                f"a text column has the name {name!r} of another column of the file; rename it"
            )
    # The heading has the columns of the first part, which all parts share.
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for rows, part in split_deals(deals):
            columns = {"deal": format_pbn(part.hands), **_list_columns(part.attached)}
            for name, values in texts.items():
                columns[quote_formula(name)] = list(map(_quote, values[rows]))
            if rows.start == 0:
                writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        if not len(deals):
            writer.writerow(["deal", *map(quote_formula, texts)])


def _list_columns(attached: dict[str, np.ndarray]) -> dict[str, list[str]]:
    """Return attached columns as texts; an unknown value is empty."""
    columns: dict[str, list[str]] = {}
    for name, values in attached.items():
        if name == "tables":
            for trick_name, place in TRICKS.items():
                tricks = values[:, *place].tolist()
                columns[trick_name] = [str(number) if number >= 0 else "" for number in tricks]
        elif name in ("dealer", "vulnerable"):
            known = [*(SEATS if name == "dealer" else VULNERABILITIES), ""]
            columns[name] = [known[number] for number in values.tolist()]
        else:
            unknown = -1 if ATTACHED_COLUMNS[name].default == -1 else None
            columns[name] = ["" if value == unknown else str(value) for value in values.tolist()]
    return columns


def recognise_csv(head: bytes) -> bool:
    r"""Return whether the first line of a file names columns with deals.

    >>> recognise_csv(b"number;Deal;hcp\n1;N:..."), recognise_csv(b"north,east,south,west\n")
    (True, True)
    """
    text = read_head(head)
    try:
        _, names = next(_split_rows(text))
    except (StopIteration, csv.Error):
        return False
    return _has_deals([name.strip().lower() for name in names])


FORMAT = Format("csv", (".csv", ".tsv"), recognise_csv, read_csv, write_csv)

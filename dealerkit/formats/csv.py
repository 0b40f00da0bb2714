"""Tables of deals with separated values: CSV.

===========================  ================================================================================
column                       content
===========================  ================================================================================
deal                         the deal in the notation of PBN
north east south west        without a column `deal`: the hands, as ``AKQJ.T98.5432.32``; else players' names
board dealer vulnerable      dealer as name or letter of a seat, vulnerable as none, ns, ew or both
weight cluster               as in `Deals`
tricks_north_spades ...      double-dummy tricks of a declarer (20 columns); empty: not solved
tags                         JSON: a list of names and values
any other                    text; an apostrophe is put before one that a spreadsheet would execute
===========================  ================================================================================
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator

import numpy as np

from dealerkit.appearance.wording import quote_formula, unquote_formula
from dealerkit.cards.names import SEATS, VULNERABILITIES, seat_number, vulnerability_number
from dealerkit.cards.sequence import ATTACHED_COLUMNS
from dealerkit.cards.text import format_pbn, parse_deal, parse_hand
from dealerkit.errors import ArgumentError, DealError, FileError
from dealerkit.formats.content import DealSupply, Records, split_deals
from dealerkit.formats.format import Format
from dealerkit.formats.parquet import HANDS, TRICKS
from dealerkit.formats.text_files import NUMBERS, Board, check_deal, collect_boards, read_head, read_text
from dealerkit.runtime.files import write_atomically
from dealerkit.runtime.progress import track_items

_DELIMITERS = ",;\t"
_NUMBER_COLUMNS = {"weight": np.float64, "cluster": np.int64}  # attached columns beside NUMBERS


def read_csv(path: str | os.PathLike) -> Records:
    """Return the deals of a table; the values are separated by comma, semicolon or tabulator.

    Raises
    ------
    FileError
        The file cannot be read, or has no columns with deals.
    """
    text = read_text(path)
    rows = track_items(_split_rows(text), text.count("\n"), "lines")
    limit = csv.field_size_limit(len(text))  # a comment may be longer than what the module allows by itself
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
    # Names with a meaning may be in any case; those of text columns are kept as they are.
    columns = [name.strip().lower() if _is_column(name) else name.strip() for name in names]
    if not _has_deals(columns):
        raise FileError(f"{path}: there is neither a column 'deal' nor the columns {', '.join(SEATS)}")
    if len(set(columns)) < len(columns):
        raise FileError(f"{path}: two columns have the same name")
    # Rows that hold no deal are skipped and reported; blank ones do not count.
    boards: list[Board] = []
    tables: list[np.ndarray] = []
    skipped: list[tuple[int, str]] = []
    remarks: list[tuple[int, str]] = []
    try:
        for line, values in rows:
            if not any(value.strip() for value in values):
                continue
            try:
                if len(values) > len(columns):
                    raise DealError(f"{len(values)} values for {len(columns)} columns")
                row = dict(zip(columns, values, strict=False))
                table = _read_table(row)
                unknown = _describe_unknown(row)
                boards.append(_read_board(row))
                tables.append(table)
                remarks += [(line, text) for text in unknown]
            except DealError as reason:
                skipped.append((line, str(reason)))
    except csv.Error as reason:
        raise FileError(f"{path}: {reason}") from reason
    # Tables of tricks; weights and clusters, whose texts become numbers.
    records = collect_boards(boards, skipped, path)
    deals, texts = records.deals, dict(records.texts)
    if set(TRICKS) & set(columns) and tables:
        deals = deals.replace(tables=np.array(tables))
    for name, kind in _NUMBER_COLUMNS.items():
        try:
            deals = deals.replace(**{name: np.array(texts[name], kind)})
            del texts[name]
        except (KeyError, ValueError, OverflowError):
            continue  # there is no such column, or it has something else
    return Records(deals, texts, skipped, records.name, remarks)


def _split_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the values of each row and the line where it begins, the names of the columns first."""
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    for values in reader:
        yield line, [unquote_formula(value) for value in values]
        line = reader.line_num + 1


def _is_column(name: str) -> bool:
    """Return whether a name, in any case, is that of a column with a meaning."""
    return name.strip().lower() in {"deal", "tags", *SEATS, *NUMBERS, *HANDS, *TRICKS}


def _has_deals(columns: list[str]) -> bool:
    return "deal" in columns or set(SEATS) <= set(columns)


def _read_board(row: dict[str, str]) -> Board:
    """Return the board of a row, or raise a DealError."""
    # The deal has a column, or each hand has that of its seat, which else names a player.
    if "deal" in row:
        text = row.pop("deal").strip()
        hands = parse_deal(text if ":" in text[:3] else f"N:{text}")
    else:
        hands = [parse_hand(row.pop(seat, "")) for seat in SEATS]
    check_deal(hands)
    number = row.pop("board", "").strip()
    board = Board(hands, int(number) if re.fullmatch(r"\d{1,9}", number) else -1)
    board.dealer = _read_name(seat_number, row.pop("dealer", "").strip())
    board.vulnerable = _read_name(vulnerability_number, row.pop("vulnerable", "").strip())
    if tags := row.pop("tags", ""):
        board.tags = _read_tags(tags)
    board.texts = {name: value for name, value in row.items() if name and name not in (*HANDS, *TRICKS)}
    return board


def _read_name(find: Callable[[str], int], text: str) -> int:
    """Return the number of a seat or a vulnerability, -1 if it is none."""
    try:
        return find(text)
    except ArgumentError:
        return -1


def _describe_unknown(row: dict[str, str]) -> list[str]:
    """Return remarks on names of a row that are no dealer or no vulnerability."""
    columns = (("dealer", "dealer", seat_number), ("vulnerable", "vulnerability", vulnerability_number))
    return [
        f"unknown {noun} {text[:30]!r}"
        for name, noun, find in columns
        if (text := row.get(name, "").strip()) and _read_name(find, text) < 0
    ]


def _read_tags(text: str) -> list[list[str]]:
    """Return names and values of tags from JSON; other text is the tag `tags`."""
    try:
        tags = json.loads(text)
    except (ValueError, RecursionError):
        tags = None
    if isinstance(tags, list) and all(isinstance(tag, list) and len(tag) > 1 for tag in tags):
        return [[str(value) for value in tag] for tag in tags]
    return [["tags", text]]


def _read_table(row: dict[str, str]) -> np.ndarray:
    """Return the tricks of a row, int8 [5, 4], with -1 where there are none."""
    table = np.full((5, 4), -1, np.int8)
    for name, place in TRICKS.items():
        text = row.get(name, "").strip()
        if re.fullmatch(r"\d|1[0-3]", text):
            table[place] = int(text)
        elif text:
            raise DealError(f"{name} is {text!r:.20}, not 0 to 13")
    return table


def write_csv(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals, their columns and texts as a table with a row for each deal.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A text column has the name of another column.
    """
    # A text column may not hide one with a meaning, or the file could not be read again.
    texts: dict[str, list] = dict(getattr(deals, "texts", {}))
    for name in texts:
        if name in ("deal", *NUMBERS, *HANDS, *TRICKS):
            raise ArgumentError(f"a text column has the name {name!r} of another column of the file")
    # The heading has the columns of the first part; all parts have the same.
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for rows, part in split_deals(deals):
            columns = {"deal": format_pbn(part.hands), **_list_columns(part.attached)}
            for name, values in texts.items():
                columns[quote_formula(name)] = [
                    quote_formula(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
                    for value in values[rows]
                ]
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

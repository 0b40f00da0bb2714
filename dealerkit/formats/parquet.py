"""Parquet files of deals, with columns that any program reads.

=======================================  ======  =============================================================
column                                   type    content
=======================================  ======  =============================================================
deal                                     string  the deal in PBN notation
hand_north hand_east hand_south          uint64  the hand as a number: bit 0 is the deuce of clubs, bit 12 the
hand_west                                        ace; diamonds begin at bit 16, hearts at 32, spades at 48
tricks_north_spades ... (20 columns)     int8    double-dummy tricks of a declarer; null: not solved
board                                    int32   number of the board
dealer                                   string  north, east, south or west
vulnerable                               string  none, ns, ew or both
weight                                   double  as in `Deals`
cluster                                  int64   as in `Deals`
any other                                string  text columns: players' names, auction, contract ...
=======================================  ======  =============================================================

Only the columns that the deals have are written.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import FULL_DECK, SEATS, STRAINS, VULNERABILITIES
from dealerkit.cards.sequence import ATTACHED_COLUMNS, DealSequence, check_attached_columns
from dealerkit.cards.text import describe_fault, format_pbn, parse_pbn
from dealerkit.errors import ArgumentError, DealerkitError, DealError, FileError, MemoryLimitError
from dealerkit.formats.content import DealSupply, Records, split_deals
from dealerkit.formats.format import Format
from dealerkit.runtime.files import CountedFile, write_atomically
from dealerkit.runtime.process import memory_bytes

if TYPE_CHECKING:
    import pyarrow as pa

HANDS = [f"hand_{seat}" for seat in SEATS]
TRICKS = {
    f"tricks_{seat}_{strain}": (k, n) for n, seat in enumerate(SEATS) for k, strain in enumerate(STRAINS)
}
_NAMES = {"dealer": SEATS, "vulnerable": VULNERABILITIES}
_NUMBERS = {"board": -1, "weight": 1.0, "cluster": -1}  # attached columns, and the values of nulls
_BATCH_ROWS = 8192  # rows that are read before their size is checked
_VALUE_BYTES = 8  # average memory of a value; a number of tricks needs 3 bytes, a text more


def read_parquet(path: str | os.PathLike) -> Records:
    """Read the deals of a Parquet file into memory.

    Deals are read from the four columns of numbers if the file has them, otherwise from the column `deal`,
    which is a text, or what pandas writes for a column of deals. Columns of other types than those above are
    not read.

    Raises
    ------
    FileError
        The file cannot be read, is damaged, or has no deals.
    MemoryLimitError
        The columns need more than a quarter of the memory.
    ArgumentError
        pyarrow is not installed.
    """
    pq = _import_parquet(path)
    try:
        with open(path, "rb") as file:
            schema = pq.ParquetFile(file).schema_arrow
            texts = [field.name for field in schema if _is_text(field.type)]
            source = pq.ParquetFile(file, read_dictionary=texts)
            names = _choose_columns(schema)
            n_rows = source.metadata.num_rows
            _check_memory(n_rows, n_rows * len(names) * _VALUE_BYTES, path)
            return _read_table(_read_batches(source, names, set(texts), path), Path(path))
    except DealerkitError:
        raise
    except Exception as reason:  # pyarrow raises errors of many kinds on a damaged file
        raise FileError(f"{path}: {(str(reason) or repr(reason)).splitlines()[0]}") from reason


def _choose_columns(schema: pa.Schema) -> list[str]:
    """Return the columns to read: all but the texts of deals if the hands are there as numbers."""
    if not _has_hands(schema):
        return schema.names
    return [name for name in schema.names if name != "deal"]


def _check_memory(n_rows: int, n_bytes: int, path: Any) -> None:
    """Raise MemoryLimitError if the columns of a file need more than a quarter of the memory.

    The sizes in the metadata are not read, because pyarrow ends the process if they are damaged.
    """
    if n_bytes > memory_bytes() // 4:
        raise MemoryLimitError(
            f"{path}: {n_rows:,} rows need about {n_bytes:,} bytes, more than a quarter of the memory "
            f"({memory_bytes():,}); split the file, or write the deals as .zrd, which is decoded in batches"
        )


def _read_batches(source: Any, names: list[str], texts: set[str], path: Any) -> pa.Table:
    """Return columns of a file, whose size is checked while they are read.

    A small file may contain a long text that many rows refer to. Columns of texts are therefore read as
    references, and become texts only after their sizes are checked.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    batches, n_rows, n_bytes = [], 0, 0
    for batch in source.iter_batches(_BATCH_ROWS, columns=names):
        arrays = list(batch.columns)
        for name, column in zip(batch.schema.names, arrays, strict=True):
            if name in texts:
                lengths = pc.binary_length(column.dictionary).take(column.indices)
                n_bytes += _VALUE_BYTES * len(column) + (pc.sum(lengths).as_py() or 0)
            else:
                n_bytes += column.nbytes
        n_rows += len(batch)
        _check_memory(n_rows, n_bytes, path)
        for place, name in enumerate(batch.schema.names):
            if name in texts:
                arrays[place] = arrays[place].cast(pa.large_string())
        batches.append(pa.RecordBatch.from_arrays(arrays, names=batch.schema.names))
    if batches:
        return pa.Table.from_batches(batches)
    return source.read(names)


def _read_table(table: pa.Table, path: Path) -> Records:
    """Return the deals of a table of Arrow."""
    if len(set(table.column_names)) < table.num_columns:
        raise FileError(f"{path}: two columns have the same name")
    hands, skipped = _read_hands(table, path)
    kept = np.setdiff1d(np.arange(len(hands)), [row for row, _ in skipped])
    columns, texts = _read_columns(table.take(kept) if skipped else table, path)
    deals = Deals(np.asfortranarray(hands[kept]), check=False, **columns)
    records = Records(deals, texts, [(row + 1, reason) for row, reason in skipped], path.name)
    records.place = "row"
    return records


def _import_parquet(path: Any) -> Any:
    """Return pyarrow's module for Parquet."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise ArgumentError(f"{path}: Parquet needs pyarrow; run pip install 'dealerkit[parquet]'") from None
    return pq


def _read_hands(table: pa.Table, path: Any) -> tuple[np.ndarray, list[tuple[int, str]]]:
    """Return the hands of all rows, uint64 [n, 4], and the rows without a whole deal, with the reason."""
    import pyarrow as pa

    from dealerkit.cards.arrow import from_arrow

    # Take the numbers of hands, or else texts, or else lists of four numbers, which pandas writes.
    kinds = dict(zip(table.column_names, table.schema.types, strict=True))
    if _has_hands(table.schema):
        columns = [table.column(name).fill_null(0).to_numpy() for name in HANDS]
        hands = np.stack(columns, axis=1).reshape(-1, 4)
    elif "deal" in kinds and _is_text(kinds["deal"]):
        return _parse_texts(table.column("deal").to_pylist())
    elif "deal" in kinds and getattr(kinds["deal"], "storage_type", kinds["deal"]) == pa.list_(
        pa.uint64(), 4
    ):
        hands = from_arrow(table.column("deal"))
    else:
        raise FileError(f"{path}: there is neither a column 'deal' nor the columns {', '.join(HANDS)}")
    # A whole deal has each of the 52 cards, 13 in each hand.
    union = np.bitwise_or.reduce(hands, axis=1, initial=0)
    is_wrong = (union != np.uint64(FULL_DECK)) | (np.bitwise_count(hands) != 13).any(axis=1)
    return hands, [(row, describe_fault(hands[row].tolist())) for row in np.flatnonzero(is_wrong).tolist()]


def _has_hands(schema: pa.Schema) -> bool:
    """Return whether the four hands are columns of numbers."""
    kinds = dict(zip(schema.names, schema.types, strict=True))
    return all(str(kinds.get(name)) == "uint64" for name in HANDS)


def _is_text(kind: pa.DataType) -> bool:
    """Return whether the values of a type are texts, for which programs use different types."""
    return str(kind) in ("string", "large_string", "string_view")


def _parse_texts(texts: list[str | None]) -> tuple[np.ndarray, list[tuple[int, str]]]:
    """Return the hands of texts, and the rows that are not whole deals."""
    try:
        return Deals.from_pbn([text or "" for text in texts]).hands, []
    except DealError:
        pass
    hands, skipped = np.zeros((len(texts), 4), np.uint64), []
    for row, text in enumerate(texts):
        try:
            hands[row] = Deals(parse_pbn([text or ""])).hands[0]
        except DealError as reason:
            skipped.append((row, str(reason).removeprefix("deal 0: ")))
    return hands, skipped


def _read_columns(table: pa.Table, path: Any) -> tuple[dict[str, np.ndarray], dict[str, list]]:
    """Return the attached columns and the text columns of a table."""
    import pyarrow as pa

    # Read columns by name and type, as in the table of the module; columns of other types are ignored.
    columns: dict[str, np.ndarray] = {}
    texts: dict[str, list] = {}
    tables = np.full((len(table), 5, 4), -1, np.int8)
    for name, kind in zip(table.column_names, table.schema.types, strict=True):
        values = table.column(name)
        try:
            if name in TRICKS and pa.types.is_integer(kind):
                tables[:, *TRICKS[name]] = values.cast(pa.int8()).fill_null(-1).to_numpy()
                columns["tables"] = tables
            elif name in _NUMBERS and (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
                columns[name] = values.fill_null(_NUMBERS[name]).to_numpy()
            elif name in _NAMES and _is_text(kind):
                numbers = {text: number for number, text in enumerate(_NAMES[name])}
                columns[name] = np.array([numbers.get(text, -1) for text in values.to_pylist()], np.int8)
            elif name not in ("deal", *HANDS) and _is_text(kind):
                texts[name] = ["" if text is None else text for text in values.to_pylist()]
        except (pa.ArrowException, ValueError) as reason:
            raise FileError(f"{path}: column {name!r}: {reason}") from reason
    # Tags are JSON.
    if "tags" in texts:
        try:
            texts["tags"] = [json.loads(text or "{}") for text in texts["tags"]]
        except ValueError as reason:
            raise FileError(f"{path}: column 'tags': {reason}") from reason
    # The checks of `Deals` refuse values out of range, such as a negative weight.
    try:
        any_hands = np.empty((len(table), 4), np.uint64)
        check_attached_columns(Deals(any_hands, check=False, **columns).attached)
    except ArgumentError as reason:
        raise FileError(f"{path}: {reason}") from reason
    return columns, texts


def write_parquet(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals, their attached columns and texts as a Parquet file.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        pyarrow is not installed, or a text column has the name of another column.
    """
    pq = _import_parquet(path)
    texts: dict[str, list] = dict(getattr(deals, "texts", {}))
    with write_atomically(path) as temporary, CountedFile(temporary) as file, contextlib.ExitStack() as stack:
        writer = None
        for rows, part in split_deals(deals):
            table = _build_table(part, {name: values[rows] for name, values in texts.items()})
            if writer is None:
                writer = stack.enter_context(pq.ParquetWriter(file, table.schema))
            writer.write_table(table)
        if writer is None:
            pq.write_table(_build_table(Deals([]), {name: [] for name in texts}), file)


def _build_table(deals: DealSequence, texts: dict[str, list]) -> pa.Table:
    """Return deals as a table of Arrow."""
    import pyarrow as pa

    # Write the deal twice: as text for people, and as four numbers for programs.
    data: dict[str, Any] = {"deal": pa.array(format_pbn(deals.hands), pa.string())}
    for seat, name in enumerate(HANDS):
        data[name] = pa.array(np.ascontiguousarray(deals.hands[:, seat]))
    # Add attached columns, in which unknown values are nulls.
    attached = deals.attached
    for name, (strain, seat) in TRICKS.items() if "tables" in attached else ():
        tricks = np.ascontiguousarray(attached["tables"][:, strain, seat])
        data[name] = pa.array(tricks, mask=tricks < 0)
    for name in [name for name in _NAMES if name in attached]:
        known = [*_NAMES[name], None]  # -1 is the last
        data[name] = pa.array([known[number] for number in attached[name].tolist()], pa.string())
    for name in [name for name in _NUMBERS if name in attached]:
        unknown = attached[name] < 0 if ATTACHED_COLUMNS[name].default == -1 else None
        data[name] = pa.array(attached[name], mask=unknown)
    # Add texts; tags are JSON.
    for name, rows in texts.items():
        if name in data:
            raise ArgumentError(
                f"a text column has the name {name!r} of another column of the file; rename it"
            )
        data[name] = pa.array([row if isinstance(row, str) else json.dumps(row) for row in rows], pa.string())
    return pa.table(data)


def recognise_parquet(head: bytes) -> bool:
    """Return whether a file begins as Parquet.

    >>> recognise_parquet(b"PAR1 and more")
    True
    """
    return head[:4] == b"PAR1"


FORMAT = Format("parquet", (".parquet", ".pq"), recognise_parquet, read_parquet, write_parquet, is_text=False)

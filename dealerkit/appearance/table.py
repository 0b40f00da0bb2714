"""Tables as data: columns of a kind, cells that hold objects, and the texts of their numbers.

A result describes each of its tables once, as a `Table`. What a number looks like is decided here, once for a
column: `format_table_cells` chooses its decimals from the intervals in it. The renderers (`text`, `html`,
`latex`) arrange these texts, and `Table.to_frame` and `Table.to_dict` give the objects themselves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeGuard

from dealerkit.appearance.numbers import (
    NBSP,
    NumberText,
    choose_decimals,
    choose_exponent,
    extend_decimals,
    format_estimate,
    format_number,
    format_share,
    format_significant,
    join_unit,
)

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal[
    "name", "text", "sentence", "contract", "cards", "label", "count", "value", "share", "percent", "drawing"
]
WORDS = ("name", "text", "sentence", "contract", "cards")  # kinds whose cells are words, at the left
NUMBERS = ("count", "value", "share", "percent")


class Measured(Protocol):
    """A number with its interval of a confidence level: an `Estimate`, or an `Interval`."""

    @property
    def value(self) -> float:
        """The number."""

    @property
    def lo(self) -> float:
        """The lower end of the interval; -inf if there is none."""

    @property
    def hi(self) -> float:
        """The upper end of the interval; inf if there is none."""

    @property
    def exact(self) -> bool:
        """Whether the number is counted, not estimated."""


def is_measured(cell: object) -> TypeGuard[Measured]:
    """Return whether a cell has an interval; `isinstance` of a protocol takes a hundred times as long."""
    return hasattr(cell, "lo") and hasattr(cell, "hi") and hasattr(cell, "exact") and hasattr(cell, "value")


class Interval(NamedTuple):
    """A number with its interval, for tables of thousands of rows, where an `Estimate` takes longer."""

    value: float
    lo: float
    hi: float
    exact: bool = False
    confidence: float = 0.95


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        Of the column in frames and JSON.
    head : str, optional
        What is shown above it; by default the name.
    kind : {"name", "text", "sentence", "contract", "cards", "label", "count", "value", "share", "percent",
            "drawing"}
        Words (name, text, sentence, contract, cards) are at the left, all else is at the right. Sentences
        are of any length and may have code between backquotes; `Indented` ones are the lines of a tree. A
        label is a value of an axis, such as "5" or "≥ 9". Counts are integers. Shares are from 0 to 1 and
        shown in per cent, with the kind percent without its sign. A drawing (`drawings.Drawing`) appears in
        HTML; of bars of shares there is one in text.
    interval : {"beside", "within", "below", "none"}
        Where the interval of a number is shown: in a column of its own, in the same cell, in HTML on a
        second line of the cell, or nowhere.
    unit : str
        Follows each number: "IMPs".
    sign : bool
        Positive numbers have a plus sign, as differences and scores.
    scale : float
        Numbers are multiplied by it to be shown.
    decimals : int, optional
        By default those of the widest interval in the column.
    digits : int, optional
        Significant digits of numbers without an interval, if they are no matter of decimals.
    like : str
        The name of the column whose decimals this one takes.
    by_row : bool
        The rows are different measures, each with decimals of its own.
    missing : str
        What a cell shows that has no number (None or nan).
    strong, quiet : bool
        How prominent the numbers are in HTML.
    optional : {0, 1, 2}
        Columns that leave a table that is too wide: first those with 2, then those with 1. One without any
        number or word is not shown.
    longest : int, optional
        Most characters of a cell in text; longer ones are cut.
    """

    name: str
    head: str | None = None
    kind: Kind = "value"
    interval: Literal["beside", "within", "below", "none"] = "beside"
    unit: str = ""
    sign: bool = False
    scale: float = 1.0
    decimals: int | None = None
    digits: int | None = None
    like: str = ""
    by_row: bool = False
    missing: str = ""
    strong: bool = False
    quiet: bool = False
    optional: int = 0
    longest: int | None = None

    @property
    def title(self) -> str:
        """What is shown above the column."""
        return self.name if self.head is None else self.head


class Indented(NamedTuple):
    """A sentence of a tree, at its depth from 0."""

    sentence: str
    depth: int

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence and its depth as types that JSON has."""
        return self._asdict()


class Quantity(NamedTuple):
    """A number in a cell or a sentence with a format of its own; the attributes are those of `Column`."""

    value: Any
    kind: Kind = "value"
    unit: str = ""
    sign: bool = False
    scale: float = 1.0
    decimals: int | None = None
    digits: int | None = None

    def format(self, ascii: bool = False) -> NumberText:
        """Return the texts of the number."""
        column = Column(
            "", None, self.kind, unit=self.unit, sign=self.sign, scale=self.scale, digits=self.digits
        )
        return format_cell(column, self.value, self.decimals, ascii)


class CellText(NamedTuple):
    """The texts of a cell.

    Attributes
    ----------
    text : NumberText
        Of a cell without a number only `digits` has text.
    is_number : bool
    unit : str
        Of the number; a share has "%".
    """

    text: NumberText
    is_number: bool
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    columns : sequence of Column
    rows : sequence of sequences
        One cell for each column: text, an integer, a float, a truth value, a measured number (`Estimate`), a
        `Quantity`, a `Drawing`, an object whose ``str`` is its text (Contract, Deal), or None.
    heading : note
    key : str
        What its drawings show, in HTML below the table.
    is_detail : bool
        HTML shows the table closed.
    in_text : bool
        Whether text has the table; all other forms have it.
    most_rows : int, optional
        Number of rows that a notebook shows.
    text_order : sequence of str
        The names of the columns in the order of the text, if it differs; those left out are not in the text.
    summary : sequence of notes
        Sentences that say all that the rows do: the text has them in place of the table.
    tinted : bool
        HTML tints each cell by its part of the largest share; the last row and column are sums.
    heads : bool
        Whether the names of the columns are shown.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    heading: Any = ""
    key: str = ""
    is_detail: bool = False
    in_text: bool = True
    most_rows: int | None = None
    text_order: Sequence[str] = ()
    summary: Sequence[Any] = ()
    tinted: bool = False
    heads: bool = True
    _formatted: dict[bool, list[list[CellText]]] = field(default_factory=dict, repr=False, compare=False)

    def format(self, ascii: bool = False) -> list[list[CellText]]:
        """Return the texts of all cells, by columns; computed once.

        Examples
        --------
        >>> table = Table([Column("value", kind="label"), Column("share", kind="share")],
        ...               [["5", Interval(0.1834, 0.1800, 0.1868)], ["6", Interval(0.02, 0.0145, 0.026)]])
        >>> [cell.text.value for cell in table.format(ascii=True)[1]]
        ['18.3 %', '2.0 %']
        """
        if ascii not in self._formatted:
            self._formatted[ascii] = _format_columns(self, ascii)
        return self._formatted[ascii]

    def list_cells(self, column: Column) -> list[Any]:
        """Return the cells of a column."""
        place = self.columns.index(column)
        return [row[place] for row in self.rows]

    def list_shown(self) -> list[Column]:
        """Return the columns that are shown: all but optional ones whose cells are all empty.

        >>> columns = [Column("mean"), Column("sd", optional=1)]
        >>> [[column.name for column in Table(columns, [[0.5, sd]]).list_shown()] for sd in (None, 0.1)]
        [['mean'], ['mean', 'sd']]
        """
        return [
            column
            for column in self.columns
            if not column.optional
            or not self.rows
            or not all(map(is_missing, self.list_cells(column)))
            or column.missing
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a DataFrame.

        Returns
        -------
        DataFrame
            A column for each that is not a drawing; for measured numbers, the value and its interval
            with ``_lo`` and ``_hi`` after the name.
        """
        import pandas as pd

        data: dict[str, list[Any]] = {}
        for column in self.columns:
            if column.kind == "drawing":
                continue
            cells = [_strip(cell) for cell in self.list_cells(column)]
            if not any(is_measured(cell) for cell in cells):
                data[column.name] = [str(cell) if column.kind == "contract" else cell for cell in cells]
                continue
            for ending, part in (("", "value"), ("_lo", "lo"), ("_hi", "hi")):
                data[column.name + ending] = [
                    getattr(cell, part) if is_measured(cell) else cell for cell in cells
                ]
        return pd.DataFrame(data)

    def to_dict(self) -> dict[str, Any]:
        """Return columns and rows as types that JSON has, each row as a dict."""
        columns = [column for column in self.columns if column.kind != "drawing"]
        about = [
            {"name": column.name, "head": column.title, "kind": column.kind}
            | ({"unit": column.unit} if column.unit else {})
            for column in columns
        ]
        places = [self.columns.index(column) for column in columns]
        rows = [{self.columns[place].name: to_plain(row[place]) for place in places} for row in self.rows]
        return {"columns": about, "rows": rows}


def list_sentences(heading: str, sentences: Iterable[str]) -> Table:
    """Return a table of sentences one below the other, without the empty ones.

    >>> list_sentences("Notes", ["`or` binds weakest.", ""]).rows
    [('`or` binds weakest.',)]
    """
    rows = [(sentence,) for sentence in sentences if sentence]
    return Table([Column("sentence", kind="sentence")], rows, heading, heads=False)


def _strip(cell: Any) -> Any:
    """Return the number of a quantity and the sentence of a line, other cells as they are."""
    return cell.value if isinstance(cell, Quantity) else cell.sentence if isinstance(cell, Indented) else cell


def to_plain(cell: Any) -> Any:
    """Return a cell as types that JSON has: an estimate as a dict, numbers that JSON has not as None.

    >>> to_plain(Interval(0.5, 0.4, 0.6)), to_plain(float("nan"))
    ({'value': 0.5, 'lo': 0.4, 'hi': 0.6, 'exact': False, 'confidence': 0.95}, None)
    """
    if isinstance(cell, Quantity):
        plain = to_plain(cell.value)
        return {"value": plain, "unit": cell.unit} if cell.unit else plain
    if isinstance(cell, Interval):
        return {name: to_plain(value) for name, value in cell._asdict().items()}
    if hasattr(cell, "to_dict"):
        return cell.to_dict()
    if hasattr(cell, "item"):  # a number of numpy
        cell = cell.item()
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    return cell if cell is None or isinstance(cell, bool | int) else str(cell)


def is_missing(cell: Any) -> bool:
    """Return whether a cell has no number or text: None, or a number that is nan."""
    value = cell.value if isinstance(cell, Quantity) or is_measured(cell) else cell
    if is_measured(value):
        value = value.value
    return value is None or isinstance(value, float) and math.isnan(value)


def format_cell(column: Column, cell: Any, decimals: int | None, ascii: bool) -> NumberText:
    """Return the texts of a cell with these decimals; None chooses them from the interval of the cell."""
    if isinstance(cell, Quantity):
        return cell.format(ascii)
    if is_missing(cell):
        return NumberText(column.missing)
    if isinstance(cell, bool):
        return NumberText("yes" if cell else "no")
    if isinstance(cell, Indented):
        return NumberText((" " if ascii else NBSP) * 2 * cell.depth + cell.sentence)
    if column.kind in WORDS or column.kind == "label" or isinstance(cell, str):
        return NumberText(str(cell))
    scale, unit, sign = column.scale, column.unit, column.sign
    if column.kind == "share":
        return _format_share(cell, decimals, ascii)
    if column.kind == "percent":
        return _format_share(cell, decimals, ascii)._replace(unit="")
    if not is_measured(cell):
        if column.digits is not None:
            number = format_significant(scale * float(cell), column.digits, ascii=ascii)
        else:
            decimals = 0 if column.kind == "count" and decimals is None else decimals
            number = format_number(scale * cell, decimals, sign=sign, ascii=ascii)
        return NumberText(number, unit=join_unit(unit, ascii))
    value, lo, hi = (scale * number for number in (cell.value, cell.lo, cell.hi))
    if sign and decimals is not None and not cell.exact:
        decimals = extend_decimals(value, lo, hi, 0.0, decimals)
    return format_estimate(
        value, lo, hi, exact=cell.exact, sign=sign, decimals=decimals, unit=unit, ascii=ascii
    )


def _format_share(cell: Any, decimals: int | None, ascii: bool) -> NumberText:
    """Return the texts of a share: with its interval, exact, or a plain number."""
    if is_measured(cell):
        return format_share(cell.value, cell.lo, cell.hi, decimals, exact=cell.exact, ascii=ascii)
    shown = format_share(cell, -math.inf, math.inf, 2 if decimals is None else decimals, ascii=ascii)
    return NumberText(shown.digits, unit=shown.unit)


def choose_column_decimals(column: Column, cells: Sequence[Any]) -> int | None:
    """Return the decimals of a column: those of its widest interval; None if no cell has an interval.

    A difference whose interval excludes 0 excludes it as it is printed too: the column has one decimal more
    if that is enough, and a cell that needs still more has them alone.

    Examples
    --------
    >>> column = Column("gain", sign=True)
    >>> choose_column_decimals(column, [Interval(0.69, 0.04, 1.34), Interval(0.2, -0.1, 0.5)])
    2
    """
    if column.decimals is not None or column.by_row or column.kind not in ("value", "share"):
        return column.decimals
    scale = 100.0 if column.kind == "share" else column.scale
    ends = [
        (scale * cell.value, scale * cell.lo, scale * cell.hi)
        for cell in cells
        if is_measured(cell) and not cell.exact and 0 < cell.hi - cell.lo < math.inf
    ]
    if not ends:
        return None
    widest = max(ends, key=lambda numbers: numbers[2] - numbers[1])
    if choose_exponent(*widest):  # powers of ten differ between the cells
        return None
    decimals = choose_decimals(*widest)
    if column.sign:
        decimals = min(max(extend_decimals(*numbers, 0.0, decimals) for numbers in ends), decimals + 1)
    return decimals


def _format_columns(table: Table, ascii: bool) -> list[list[CellText]]:
    """Return the texts of all cells, by columns; their decimals are chosen once for each column."""
    decimals: dict[str, int | None] = {}
    columns = []
    for column in sorted(table.columns, key=lambda column: bool(column.like)):
        cells = [] if column.kind == "drawing" else table.list_cells(column)
        decimals[column.name] = (
            decimals[column.like] if column.like else choose_column_decimals(column, cells)
        )
    for column in table.columns:
        cells = table.list_cells(column)
        if column.kind == "drawing":
            columns.append([CellText(NumberText(""), False) for _ in cells])
            continue
        chosen = {} if column.by_row else _choose_quantity_decimals(cells)
        texts = []
        for cell in cells:
            if isinstance(cell, Quantity) and cell.decimals is None:
                cell = cell._replace(decimals=chosen.get(_name_format(cell)))
            is_number = not is_missing(cell) and not isinstance(_strip(cell), str)
            is_number &= isinstance(cell, Quantity) or column.kind in NUMBERS
            kind, unit = (cell.kind, cell.unit) if isinstance(cell, Quantity) else (column.kind, column.unit)
            text = format_cell(column, cell, decimals[column.name], ascii)
            texts.append(CellText(text, is_number, "%" if kind == "share" else unit))
        columns.append(texts)
    return columns


def _name_format(cell: Quantity) -> tuple[Any, ...]:
    return cell.kind, cell.unit, cell.sign, cell.scale


def _choose_quantity_decimals(cells: Sequence[Any]) -> Mapping[tuple[Any, ...], int | None]:
    """Return the decimals of the quantities in a column, by their format."""
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for cell in cells:
        if isinstance(cell, Quantity):
            groups.setdefault(_name_format(cell), []).append(cell.value)
    return {
        key: choose_column_decimals(Column("", None, key[0], unit=key[1], sign=key[2], scale=key[3]), values)
        for key, values in groups.items()
    }


def has_interval(column: Column, cells: Sequence[CellText]) -> bool:
    """Return whether a column has a second one beside it, with its intervals."""
    return column.interval == "beside" and any(cell.text.interval for cell in cells)

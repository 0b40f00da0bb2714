"""Tables as data: columns of a certain kind, cells that contain objects, and the texts of their numbers.

A result describes each of its tables once, as a `Table`. How numbers are written is decided here, once for a
column: `Table.format` chooses the decimals by the intervals in it. The renderers (`text`, `html_card`,
`latex`) arrange these texts, and `Table.to_frame` and `Table.to_dict` return the objects themselves.
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
WORDS = ("name", "text", "sentence", "contract", "cards")  # kinds with words, aligned to the left
NUMBERS = ("count", "value", "share", "percent")  # kinds with numbers


class Measured(Protocol):
    """A number with its confidence interval: an `Estimate`, or an `Interval`."""

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
    """Return whether a cell has an interval; `isinstance` with a protocol would be a hundred times slower."""
    return hasattr(cell, "lo") and hasattr(cell, "hi") and hasattr(cell, "exact") and hasattr(cell, "value")


class Interval(NamedTuple):
    """A number with its interval; for tables with thousands of rows it is faster than an `Estimate`."""

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
        The name of the column in frames and JSON.
    head : str, optional
        The text above the column; by default the name.
    kind : {"name", "text", "sentence", "contract", "cards", "label", "count", "value", "share", "percent",
            "drawing"}
        Words (name, text, sentence, contract, cards) are aligned to the left, everything else to the right.
        Sentences can have any length and contain code between backquotes; `Indented` ones are the lines of a
        tree. A label is a value of an axis, such as "5" or "≥ 9". Counts are integers. Shares are from 0 to 1
        and shown in per cent; "percent" leaves out the per cent sign. Drawings (`drawings.Drawing`) are shown
        in HTML, and bars of shares also in text.
    interval : {"beside", "within", "below", "none"}
        Where the interval of a number is shown: in a column of its own, in the same cell, on a second line of
        the cell (in HTML), or nowhere.
    unit : str
        The unit of each number, such as "IMPs".
    sign : bool
        Whether positive numbers have a plus sign, as for differences and scores.
    scale : float
        The factor by which numbers are multiplied before they are shown.
    decimals : int, optional
        Number of decimals; by default chosen by the widest interval in the column.
    digits : int, optional
        Number of significant digits, instead of decimals, for numbers without an interval.
    like : str
        The name of another column that has the same decimals.
    by_row : bool
        Whether the rows are different measures, each with decimals of its own.
    missing : str
        The text of a cell without a number (None or nan).
    strong, quiet : bool
        Whether the numbers are more or less prominent in HTML.
    optional : {0, 1, 2}
        If the table is too wide, columns with 2 are left out first, then those with 1. An optional column
        without any content is not shown.
    longest : int, optional
        The longest cell in text, in characters; longer ones are cut.
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
        """The text above the column."""
        return self.name if self.head is None else self.head


class Indented(NamedTuple):
    """A sentence in a tree, with its depth, from 0."""

    sentence: str
    depth: int

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence and its depth as types that JSON has."""
        return self._asdict()


class Quantity(NamedTuple):
    """A number with a format of its own, in a cell or a sentence; the attributes are those of `Column`."""

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
        The texts; in a cell without a number, only `digits` is not empty.
    is_number : bool
        Whether the cell has a number.
    unit : str
        The unit of the number; "%" for a share.
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
        The columns.
    rows : sequence of sequences
        One cell for each column: a text, an integer, a float, a truth value, a measured number (`Estimate`),
        a `Quantity`, a `Drawing`, an object that is shown by its ``str`` (Contract, Deal), or None.
    heading : note
        The heading above the table.
    key : str
        An explanation of its drawings, which HTML shows below the table.
    is_detail : bool
        Whether HTML shows the table folded.
    in_text : bool
        Whether text shows the table; all other forms always do.
    most_rows : int, optional
        Number of rows that a notebook shows.
    text_order : sequence of str
        The names of the columns that text shows, in their order; by default all.
    summary : sequence of notes
        Sentences with the content of all rows, which text shows instead of the table.
    tinted : bool
        Whether HTML tints each cell by its part of the largest number; the last row and column are sums.
    heads : bool
        Whether the heads of the columns are shown.
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
        """Return the texts of all cells, column by column; they are computed once.

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
        """Return the columns that are shown: all except optional ones whose cells are all empty.

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
        """Return the table as a DataFrame.

        Returns
        -------
        DataFrame
            It has a column for each column that is not a drawing. For measured numbers there are three: the
            value, and the ends of its interval with ``_lo`` and ``_hi`` after the name. Shares are from 0 to
            1.
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
        """Return columns and rows in types that JSON has; each row is a dict."""
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
    """Return a table with a sentence in each row, without empty sentences.

    >>> list_sentences("Notes", ["`or` binds weakest.", ""]).rows
    [('`or` binds weakest.',)]
    """
    rows = [(sentence,) for sentence in sentences if sentence]
    return Table([Column("sentence", kind="sentence")], rows, heading, heads=False)


def _strip(cell: Any) -> Any:
    """Return the number of a `Quantity`, the sentence of an `Indented` line, or another cell unchanged."""
    return cell.value if isinstance(cell, Quantity) else cell.sentence if isinstance(cell, Indented) else cell


def to_plain(cell: Any) -> Any:
    """Return a cell in types that JSON has: an estimate is a dict, and nan and infinite numbers are None.

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
    """Return the texts of a cell with these decimals; if None, the interval of the cell decides."""
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
    """Return the texts of a share, which can be measured or a plain number."""
    if is_measured(cell):
        return format_share(cell.value, cell.lo, cell.hi, decimals, exact=cell.exact, ascii=ascii)
    shown = format_share(cell, -math.inf, math.inf, 2 if decimals is None else decimals, ascii=ascii)
    return NumberText(shown.digits, unit=shown.unit)


def choose_column_decimals(column: Column, cells: Sequence[Any]) -> int | None:
    """Return the decimals of a column, chosen by its widest interval; None if no cell has an interval.

    If the interval of a difference excludes 0, it must still do so when it is printed. For this, the column
    gets one more decimal; a cell that needs even more gets them alone.

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
    """Return the texts of all cells, column by column."""
    # The decimals of each column; columns with `like` come last
    decimals: dict[str, int | None] = {}
    columns = []
    for column in sorted(table.columns, key=lambda column: bool(column.like)):
        cells = [] if column.kind == "drawing" else table.list_cells(column)
        decimals[column.name] = (
            decimals[column.like] if column.like else choose_column_decimals(column, cells)
        )
    # The texts
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
    """Return whether the intervals of a column are shown in a second column beside it."""
    return column.interval == "beside" and any(cell.text.interval for cell in cells)

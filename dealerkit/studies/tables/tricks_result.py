"""The result of `tricks_by`: mean tricks and make rates as tables, text, HTML and a plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import (
    Chart,
    Code,
    Note,
    add_condition,
    format_note,
    list_parts,
    show_condition,
)
from dealerkit.appearance.numbers import format_count, format_estimate, format_level, format_number
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import shorten
from dealerkit.arguments import check_name
from dealerkit.charts.panels import Frame, open_frame
from dealerkit.charts.style import get_color
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property
from dealerkit.statistics import Estimate
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.provenance import RepeatableResult
from dealerkit.studies.sides import DECLARER_TEXTS, PLAYED_TEXTS
from dealerkit.studies.tables.grouped_estimates import GroupedEstimates, list_estimate

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["tricks", "tricks_se", "tricks_lo", "tricks_hi", "sd", "makes", "makes_se", "makes_lo", "makes_hi"]
SHIFT, BASE = 500, 1_000  # points and fit combined into one integer
TAIL = 0.01  # largest share of the sides in a joined row or column
CELL = 0.2  # height of a cell of a plot in inches
HEAT = 0.5  # tint of the largest value


class TricksRow(NamedTuple):
    """The estimates for the sides of a class.

    Attributes
    ----------
    tricks, makes : Estimate
        Mean tricks, and the make rate.
    sd : float
        Standard deviation of the tricks.
    deals : int
    """

    tricks: Estimate
    makes: Estimate
    sd: float
    deals: int


Rows = Mapping[Any, TricksRow]  # by points, by fit, or by pairs of both


@dataclass(frozen=True)
class Tails:
    """The lowest and the highest row and column of a table, which include all values beyond them.

    Attributes
    ----------
    points, fit : (int, int)
    """

    points: tuple[int, int]
    fit: tuple[int, int]

    @classmethod
    def choose(cls, points: np.ndarray, fit: np.ndarray) -> Tails:
        """Return tails such that each contains less than one per cent of the sides, or is a single value.

        >>> Tails.choose(np.repeat(np.arange(5), [1, 4, 500, 490, 5]), np.zeros(1000, int))
        Tails(points=(1, 4), fit=(0, 0))
        """
        return cls(_find_ends(points), _find_ends(fit))

    def join(self, points: np.ndarray, fit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return points and fit with values beyond the ends replaced by the ends."""
        return np.clip(points, *self.points), np.clip(fit, *self.fit)


def _find_ends(values: np.ndarray) -> tuple[int, int]:
    """Return the largest value with a share below `TAIL` up to it, and the smallest with less from it on."""
    distinct, counts = np.unique(values, return_counts=True)
    below = np.cumsum(counts) / len(values)
    above = np.cumsum(counts[::-1])[::-1] / len(values)
    first = int(np.flatnonzero(below < TAIL)[-1]) if below[0] < TAIL else 0
    last = int(np.flatnonzero(above < TAIL)[0]) if above[-1] < TAIL else len(distinct) - 1
    return int(distinct[first]), int(distinct[max(first, last)])


@dataclass(frozen=True, eq=False, repr=False)
class TricksTable(RepeatableResult):
    """Mean tricks and make rates by points and fit, as `tricks_by` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each `points` and `fit` that occur (by points only, without fit): mean `tricks` and the
        share `makes` with `_se`, `_lo` and `_hi`, the standard deviation `sd` of the tricks, `n` sides and
        `deals`. A row with a single deal has no interval.
    by_points, by_fit : DataFrame
        The same by one of them; `by_fit` is empty without fit.
    coefficients : DataFrame
        The least-squares line for the tricks of a side: rows ``constant``, ``points`` and ``fit``; columns
        `value`, `se`, `lo`, `hi`.
    line : dict
        The estimates of `coefficients` by name.
    r : float
        Correlation of the tricks with this line.
    shown : DataFrame
        As `frame`, with the tails joined so that each contains less than 1 % of the sides.
    cells, rows, columns, joined : dict
        The rows of `frame`, `by_points`, `by_fit` and `shown`, each a `TricksRow`.
    tails : Tails
        The first and the last row and column of `shown`.
    points, fit, strain, declarer, where : str or None
    level : int or None
    deals, sides : int
    rounded : bool
        Whether points or fit were not whole numbers.
    confidence : float
    origin : sequence of str
        The parts of `description`; the condition is one of them.
    description : str
        Description of the deals.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> table = dk.tricks_by(dk.solved_sample()[:10_000], fit=None, strain="notrump", declarer="mean")
    >>> table.describe_line()
    'tricks = -4.15 ± 0.09 + (0.508 ± 0.004) points, R = 0.879'
    """

    cells: Rows
    rows: Rows
    columns: Rows
    joined: Rows
    line: Mapping[str, Estimate]
    r: float
    tails: Tails
    points: str
    fit: str | None
    strain: str
    declarer: str
    level: int | None
    where: str | None
    deals: int
    sides: int
    rounded: bool
    confidence: float
    origin: Sequence[str | Code]

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The whole table as a DataFrame."""
        return _tabulate(self.cells, self._keys)

    @cached_property
    def by_points(self) -> pd.DataFrame:
        """The table by points alone as a DataFrame."""
        return _tabulate(self.rows, ["points"])

    @cached_property
    def by_fit(self) -> pd.DataFrame:
        """The table by fit alone as a DataFrame."""
        return _tabulate(self.columns, ["fit"])

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The table with joined tails as a DataFrame."""
        return _tabulate(self.joined, self._keys)

    @property
    def _keys(self) -> list[str]:
        return ["points"] if self.fit is None else ["points", "fit"]

    @cached_property
    def coefficients(self) -> pd.DataFrame:
        """The least-squares line as a DataFrame."""
        import pandas as pd

        rows = [[each.value, each.se, each.lo, each.hi] for each in self.line.values()]
        return pd.DataFrame(rows, pd.Index(list(self.line)), ["value", "se", "lo", "hi"])

    @property
    def description(self) -> str:
        """The number of deals, and their origin."""
        return "".join(self.origin)

    @property
    def title(self) -> str:
        """What the table has."""
        return format_note(self._title)

    @property
    def _title(self) -> Note:
        points = self.name_points if self.points == "hcp" else show_condition(self.points)
        fit = () if self.fit is None else (" and ", show_condition(self.fit))
        return "Tricks by ", points, *fit, *list_parts(add_condition("", ", ", self.where))

    @property
    def name_points(self) -> str:
        """The points in words."""
        return "points" if self.points == "hcp" else Code(shorten(" ".join(self.points.split()), 30))

    @property
    def name_fit(self) -> str:
        """The fit in words."""
        return "fit" if self.fit is None else Code(shorten(" ".join(self.fit.split()), 30))

    @property
    def contract(self) -> str:
        """The contract whose make rate is shown, in words."""
        return "game" if self.level is None else f"{self.level + 6} tricks"

    def __repr__(self) -> str:
        title = shorten(self.title, 100)
        return (
            f"<TricksTable: {title}, {format_count(self.sides, 'side')} of "
            f"{format_count(self.deals, 'deal')}, R {format_number(self.r, 3, ascii=True)}>"
        )

    def label(self, value: int, name: str) -> str:
        """Return the title of a row or column of `shown`: ``≤ 8`` for a joined tail.

        Parameters
        ----------
        value : int
            Points or fit, as in the index of `shown`.
        name : {"points", "fit"}

        Returns
        -------
        str
        """
        first, last = getattr(self.tails, name)
        table = self.by_points if name == "points" else self.by_fit
        if value == first and table.index.min() < first:
            return f"≤ {value}"
        return f"≥ {value}" if value == last and table.index.max() > last else str(value)

    def pivot(self, column: str) -> pd.DataFrame:
        """Return a column of `shown` by points and fit; missing in cells of fewer than 30 deals.

        Parameters
        ----------
        column : str
            A column of `shown`, such as ``tricks``.

        Returns
        -------
        DataFrame, a row for each number of points, a column for each fit
        """
        name = check_name("column", column, tuple(self.shown.columns))
        chosen = self.shown[name].where(self.shown.deals >= MIN_DEALS)
        return chosen.unstack("fit").dropna(how="all").dropna(axis=1, how="all")

    def card(self) -> Card:
        """Return the two-way tables, and the table by points with intervals."""
        tables = []
        if self.fit is not None:
            heading = f"{self.name_points} (rows) and {self.name_fit}"
            tricks = Column("tricks", decimals=1, interval="none")
            tables.append(self._tabulate_cells(tricks, f"Mean tricks: {heading}"))
            makes = Column("makes", kind="percent", decimals=0, interval="none")
            tables.append(self._tabulate_cells(makes, f"{self.contract.capitalize()} makes, %: {heading}"))
        tables.append(self._tabulate_points())
        return Card(
            self._title,
            tables=[table for table in tables if table.rows],
            notes=list(self._list_notes()),
            charts=self._list_charts() if self._has_class else [],
            provenance=self._list_facts(),
        )

    @property
    def _has_class(self) -> bool:
        """Whether a class that is shown has enough deals."""
        return max(row.deals for row in self.joined.values()) >= MIN_DEALS

    def _tabulate_cells(self, kind: Column, heading: str) -> Table:
        """Return a row for each number of points and a column for each fit; cells of few deals are empty."""
        large = {key: row for key, row in self.joined.items() if row.deals >= MIN_DEALS}
        fits = sorted({fit for _, fit in large})
        columns = [Column("points", "", "label")]
        columns += [replace(kind, name=f"fit {fit}", head=self.label(fit, "fit")) for fit in fits]
        rows = []
        for points in sorted({points for points, _ in large}):
            found = [large.get((points, fit)) for fit in fits]
            cells = [None if row is None else getattr(row, kind.name) for row in found]
            rows.append([self.label(points, "points"), *cells])
        return Table(columns, rows, heading)

    def _tabulate_points(self) -> Table:
        # Intervals are several times wider at the ends than in the middle, so each row has its own decimals.
        columns = [
            Column("points", self.name_points, "label"),
            Column("tricks", interval="within", by_row=True),
            Column("sd", decimals=2),
            Column("makes", f"{self.contract} makes", "share", interval="within", decimals=1),
            Column("sides", kind="count"),
        ]
        rows = [
            [str(points), row.tricks, row.sd, row.makes, row.tricks.n]
            for points, row in self.rows.items()
            if row.deals >= MIN_DEALS
        ]
        return Table(columns, rows, ("By ", self.name_points))

    def describe_line(self) -> str:
        """Return the least-squares line as an equation, with the correlation."""
        return format_note(list(self._list_line()))

    def _list_line(self) -> Iterator[str | Quantity]:
        """Yield the parts of the equation of the least-squares line."""
        names = {"points": self.name_points, "fit": self.name_fit}
        yield "tricks = "
        for name, estimate in self.line.items():
            if name in names:
                yield " + ("
                yield Quantity(estimate)
                yield f") {names[name]}"
            else:
                yield Quantity(estimate)
        yield ", R = "
        yield Quantity(self.r, decimals=3)

    def describe_rules(self) -> str:
        """Return what sides play, whose tricks count, and what makes, in one sentence."""
        strain = PLAYED_TEXTS.get(self.strain, self.strain)
        game = " (nine tricks in notrump, ten in a major, eleven in a minor)" if self.level is None else ""
        mean = ", the mean of their rates" if self.declarer == "mean" else ""
        return (
            f"Each side plays {strain}; tricks of {DECLARER_TEXTS[self.declarer]}. "
            f"{self.contract.capitalize()}{game} makes double dummy{mean}."
        )

    def _list_notes(self) -> Iterator[Note]:
        yield (
            *self.origin, ", ", Quantity(self.sides, "count"),
            f" sides; {format_level(self.confidence)} intervals, clustered by deal.",
        )  # fmt: skip
        yield self.describe_rules()
        if self.fit is not None and self._has_class:
            tricks, makes = self._find_widest()
            yield (
                "Cells have at most ± ", Quantity(tricks, digits=2), " tricks and ± ",
                Quantity(makes, unit="%", scale=100, digits=2),
                f"; those of fewer than {MIN_DEALS} deals are empty.",
            )  # fmt: skip
        deals = [row.deals for row in self.rows.values()]
        if max(deals) < MIN_DEALS:
            yield f"No class has {MIN_DEALS} deals, so none is shown; to_frame() has all classes."
        elif self.fit is None and min(deals) < MIN_DEALS:
            yield f"Classes of fewer than {MIN_DEALS} deals are left out; to_frame() has all classes."
        if self.rounded:
            yield "Points or fits are rounded to whole numbers in the tables, but not for the line."
        yield "Least squares: ", *self._list_line(), "."

    def _find_widest(self) -> tuple[float, float]:
        """Return the half-widths of the widest displayed intervals of tricks and of make rates."""
        large = [row for row in self.joined.values() if row.deals >= MIN_DEALS]
        tricks = max(row.tricks.hi - row.tricks.lo for row in large) / 2
        return tricks, max(row.makes.hi - row.makes.lo for row in large) / 2

    def _list_charts(self) -> list[Chart]:
        if not self._has_class:
            raise ArgumentError(
                f"no class has {MIN_DEALS} deals, so there is nothing to plot; give more deals"
            )
        return [Chart("tricks", partial(_draw_means if self.fit is None else _draw_heat, self))]


def number_cells(points: np.ndarray, fit: np.ndarray) -> np.ndarray:
    """Return one number for each pair of points and fit.

    >>> [split_cell(int(each)) for each in number_cells(np.array([25, -3]), np.array([8, 0]))]
    [(25, 8), (-3, 0)]
    """
    return (points + SHIFT) * BASE + fit + SHIFT


def split_cell(number: int) -> tuple[int, int]:
    """Return points and fit from the number of a cell."""
    points, fit = divmod(number, BASE)
    return points - SHIFT, fit - SHIFT


def combine_sums(
    tricks: GroupedEstimates, makes: GroupedEstimates, confidence: float
) -> dict[int, TricksRow]:
    """Return mean tricks and make rates from accumulated sums, by the number of the group."""
    rates = makes.rows(confidence)
    return {
        number: TricksRow(row.estimate, rates[number].estimate, row.sd, row.deals)
        for number, row in tricks.rows(confidence).items()
    }


def _tabulate(rows: Rows, names: Sequence[str]) -> pd.DataFrame:
    """Return classes as a DataFrame; `names` are those of the levels of its index."""
    import pandas as pd

    data = []
    for row in rows.values():
        tricks, makes = list_estimate(row.tricks)[:4], list_estimate(row.makes)[:4]
        data.append([*tricks, row.sd, *makes, row.tricks.n, row.deals])
    is_joint = len(names) > 1
    index = pd.MultiIndex.from_tuples(rows, names=names) if is_joint else pd.Index(list(rows), name=names[0])
    return pd.DataFrame(data, index, [*COLUMNS, "n", "deals"])


def _describe(table: TricksTable) -> str:
    """Return deals and rules; without make rates, the definition of making is left out."""
    rules = table.describe_rules()
    rules = rules if table.fit is not None else rules.split(". ")[0] + "."
    return f"{table.description}, {format_count(table.sides, 'side')}, double dummy. {rules}"


def _draw_heat(table: TricksTable, ax: Any) -> Any:
    """Draw a heat map of mean tricks, and one of make rates beside it."""
    tricks, makes = table.pivot("tricks"), table.pivot("makes")
    with open_frame(ax, height=CELL * len(tricks) + 2.1) as frame:
        widest = table._find_widest()
        frame.write(
            shorten(table.title, 110),
            f"Rows: {table.name_points} of the side; columns: {table.name_fit}",
            f"{_describe(table)} {format_level(table.confidence)} intervals are at most "
            f"± {format_number(widest[0], 1)} tricks and ± {format_number(100 * widest[1], 0)} %; cells of "
            f"fewer than {MIN_DEALS} deals are empty.",
        )
        left, right = frame.add_panels([1, 1])
        _draw_cells(frame, left, table, tricks, float(tricks.min(axis=None)), 1, "mean tricks")
        _draw_cells(frame, right, table, 100 * makes, 0.0, 0, "make rates in %")
        frame.head(left, "mean tricks")
        frame.head(right, f"{table.contract} makes, %")
        return frame.ax


def _draw_cells(
    frame: Frame,
    panel: Any,
    table: TricksTable,
    values: pd.DataFrame,
    low: float,
    decimals: int,
    measure: str,
) -> None:
    """Draw cells, tinted by their values, with numbers."""
    # Cells.
    numbers = values.to_numpy()
    span = max(float(np.nanmax(numbers)) - low, 1e-9)
    texts = []
    for y, row in enumerate(numbers):
        for x, value in enumerate(row):
            if np.isnan(value):
                continue
            tint = HEAT * (value - low) / span
            panel.fill_between(
                [x - 0.5, x + 0.5], y - 0.5, y + 0.5, color=get_color("data"), alpha=tint, linewidth=0
            )
            text = format_number(value, decimals)
            texts.append(panel.text(x, y, text, ha="center", va="center", clip_on=True))
    ends = [format_number(end, decimals) for end in (low, low + span)]
    frame.fill(panel, texts, note=f"Tints of {measure}: {' to '.join(ends)}.")

    # Axes: points at the left, fits above.
    panel.set_xlim(-0.5, numbers.shape[1] - 0.5)
    panel.set_ylim(-0.5, numbers.shape[0] - 0.5)
    points, fits = values.index.astype(int).tolist(), values.columns.astype(int).tolist()
    panel.xaxis.tick_top()
    panel.tick_params(axis="both", length=0, labelcolor=get_color("text"))
    frame.name(panel.yaxis, [table.label(value, "points") for value in points], values=points)
    frame.name(panel.xaxis, [table.label(value, "fit") for value in fits], values=fits)
    panel.spines[["left", "bottom"]].set_visible(False)


def _draw_means(table: TricksTable, ax: Any) -> Any:
    """Draw mean tricks by points, with intervals and a band of the standard deviation."""
    # Title and caption.
    rows = table.by_points[table.by_points.deals >= MIN_DEALS]
    with open_frame(ax, height=4.2) as frame:
        point = table.line["points"]
        gain = format_estimate(point.value, point.lo, point.hi, sign=True).value
        frame.write(
            f"{shorten(table.title, 90)}: {gain} per point",
            "Mean tricks of a side",
            f"{_describe(table)} Dots: means with {format_level(table.confidence)} intervals, clustered by "
            "deal; no line: the interval is smaller than the dot. Band: mean ± standard deviation. Line: "
            f"least squares. Left out: points of fewer than {MIN_DEALS} deals.",
        )

        # Band, line, intervals and means.
        (panel,) = frame.add_panels(lines=True)
        x = rows.index.to_numpy(float)
        low, high = rows.tricks - rows.sd, rows.tricks + rows.sd
        panel.fill_between(x, low, high, color=get_color("data"), alpha=0.14, linewidth=0)
        line = table.line["constant"].value + point.value * x
        panel.plot(x, line, color=get_color("rule"), linewidth=0.9, zorder=2)
        panel.vlines(x, rows.tricks_lo, rows.tricks_hi, color=get_color("text"), linewidth=1.4, zorder=3)
        panel.plot(x, rows.tricks, "o", color=get_color("text"), markersize=4, zorder=4)

        # Axes.
        frame.number(panel.xaxis, integer=True)
        panel.set_xlabel(f"{table.name_points} of the side", color=get_color("quiet"))
        frame.number(panel.yaxis, integer=True)
        panel.set_ylim(0, 13.4)
        panel.spines["bottom"].set_bounds(x[0], x[-1])
        panel.set_xlim(x[0] - 0.7, x[-1] + 0.7)
        return frame.ax

"""The result of `tricks_by`: mean tricks and make rates in tables, text, HTML, and as a plot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.latex import Section
from dealerkit.appearance.numbers import format_with_interval
from dealerkit.appearance.wording import shorten
from dealerkit.arguments import check_name
from dealerkit.errors import ArgumentError
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.results import StudyResult
from dealerkit.studies.sides import DECLARER_TEXTS
from dealerkit.studies.standard_tables.cell_texts import (
    format_cell,
    format_shares,
)
from dealerkit.studies.standard_tables.grouped_estimates import GroupedEstimates
from dealerkit.studies.standard_tables.two_way_cells import Tails, split_cell

if TYPE_CHECKING:
    import pandas as pd

Pair = tuple[GroupedEstimates, GroupedEstimates]
PLAYED_TEXTS = {
    "longest fit": "its longest suit (of equal lengths the higher)",
    "best major": "its longer major (of equal lengths spades)",
    "best suit": "the suit with most tricks (of equal ones the longest)",
}
COLUMNS = ["tricks", "tricks_se", "tricks_lo", "tricks_hi", "sd", "makes", "makes_se", "makes_lo", "makes_hi"]


@dataclass(frozen=True, eq=False, repr=False)
class TricksTable(StudyResult):
    """Mean tricks and make rates by points and fit, as `tricks_by` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each `points` and `fit` that occur (by points alone without fit): mean `tricks` and the
        share `makes` with `_se`, `_lo` and `_hi`, the standard deviation `sd` of the tricks, `n` sides and
        `deals`. A row of a single deal has no interval.
    by_points, by_fit : DataFrame
        The same by one of them; `by_fit` is empty without fit.
    coefficients : DataFrame
        Of the line of least squares for the tricks of a side: rows ``constant``, ``points`` and ``fit``;
        `value`, `se`, `lo`, `hi`.
    r : float
        Correlation of the tricks with this line.
    shown : DataFrame
        As `frame`, with the tails joined so that each holds less than 1 % of the sides.
    tails : Tails
        The first and the last row and column of `shown`.
    points, fit, strain, declarer, where : str or None
    level : int or None
    deals, sides : int
    rounded : bool
        Points or fit were not whole numbers.
    confidence : float
    description : str
        Of the deals.

    Examples
    --------
    >>> import dealerkit as dk
    >>> table = dk.tricks_by(dk.solved_sample()[:10_000], fit=None, strain="notrump", declarer="mean")
    >>> table.describe_line()
    'tricks = -4.15 ± 0.09 + (0.508 ± 0.004) points, R = 0.879'
    """

    frame: pd.DataFrame
    by_points: pd.DataFrame
    by_fit: pd.DataFrame
    coefficients: pd.DataFrame
    r: float
    shown: pd.DataFrame
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
    description: str

    @classmethod
    def build(
        cls, cells: Pair, by_points: Pair, by_fit: Pair, joined: Pair, tails: Tails,
        coefficients: np.ndarray, r: float, **settings: Any,
    ) -> TricksTable:  # fmt: skip
        """Return the tables of accumulated sums.

        Parameters
        ----------
        cells, by_points, by_fit, joined : Pair
            Sums of tricks and makes by cell, by points, by fit, and by cell with joined tails.
        tails : Tails
        coefficients : ndarray of float64 [2 or 3, 4]
            Of the line of least squares: value, standard error, and the ends of the interval.
        r : float
            Correlation of the tricks with the line.
        **settings
            The other attributes.
        """
        import pandas as pd

        confidence, has_fit = settings["confidence"], settings["fit"] is not None
        one_way = _tabulate(by_points, confidence).rename_axis("points")
        names = ["constant", "points", "fit"][: len(coefficients)]
        line = pd.DataFrame(coefficients, pd.Index(names), ["value", "se", "lo", "hi"])
        tables = []
        for pair in (cells, joined) if has_fit else ():
            table = _tabulate(pair, confidence)
            keys = [split_cell(number) for number in table.index]
            tables.append(table.set_axis(pd.MultiIndex.from_tuples(keys, names=["points", "fit"])))
        frame, shown = tables if has_fit else (one_way, one_way)
        fits = _tabulate(by_fit, confidence).rename_axis("fit")
        return cls(frame, one_way, fits, line, r, shown, tails, **settings)

    def to_frame(self) -> pd.DataFrame:
        """Return the whole table, with points and fit as columns."""
        return self.frame.reset_index()

    @property
    def title(self) -> str:
        """What the table has."""
        fit = f" and {self.name_fit}" if self.fit is not None else ""
        where = f", {shorten(self.where, 60)}" if self.where else ""
        return f"Tricks by {self.name_points}{fit}{where}"

    @property
    def name_points(self) -> str:
        """The points in words."""
        return "points" if self.points == "hcp" else shorten(" ".join(self.points.split()), 30)

    @property
    def name_fit(self) -> str:
        """The fit in words."""
        return "fit" if self.fit is None else shorten(" ".join(self.fit.split()), 30)

    @property
    def contract(self) -> str:
        """The contract whose make rate is shown, in words."""
        return "game" if self.level is None else f"{self.level + 6} tricks"

    def __repr__(self) -> str:
        return f"<TricksTable: {self.title}, {self.sides:,} sides of {self.deals:,} deals, R {self.r:.3f}>"

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

    def _sections(self) -> Iterator[Section]:
        """Yield the two-way tables, and the table by points with intervals."""
        if self.fit is not None:
            for column, heading, scale, decimals in (
                ("tricks", "Mean tricks", 1, 1), ("makes", f"{self.contract.capitalize()} makes, %", 100, 0)
            ):  # fmt: skip
                table = self.pivot(column)
                rows = [["", *(self.label(fit, "fit") for fit in table.columns)]]
                for points, row in table.iterrows():
                    cells = ["" if np.isnan(v) else f"{scale * v:.{decimals}f}" for v in row]
                    rows.append([self.label(int(points), "points"), *cells])
                if len(table):
                    yield f"{heading}: {self.name_points} (rows) and {self.name_fit}", rows
        table = self.by_points[self.by_points.deals >= MIN_DEALS]
        makes = table[["makes", "makes_lo", "makes_hi"]].set_axis(["value", "lo", "hi"], axis=1)
        tricks = table[["tricks", "tricks_lo", "tricks_hi"]].set_axis(["value", "lo", "hi"], axis=1)
        columns = (
            map(str, table.index), map(format_cell, tricks.itertuples()), map("{:.2f}".format, table.sd),
            format_shares(makes, 1), map("{:,}".format, table.n),
        )  # fmt: skip
        heads = [self.name_points, "tricks", "sd", f"{self.contract} makes", "sides"]
        if len(table):
            yield f"By {self.name_points}", [heads, *map(list, zip(*columns, strict=True))]

    def describe_line(self) -> str:
        """Return the line of least squares as an equation, with the correlation."""
        names = {"points": self.name_points, "fit": self.name_fit}
        terms = []
        for name, row in self.coefficients.iterrows():
            number = format_with_interval(row.value, row.lo, row.hi, ascii=True)
            terms.append(f"({number}) {names[str(name)]}" if name in names else number)
        return f"tricks = {' + '.join(terms)}, R = {self.r:.3f}"

    def describe_rules(self) -> str:
        """Return what sides play, whose tricks count, and what makes, in a sentence."""
        strain = PLAYED_TEXTS.get(self.strain, self.strain)
        game = " (nine tricks in notrump, ten in a major, eleven in a minor)" if self.level is None else ""
        mean = ", the mean of their rates" if self.declarer == "mean" else ""
        return (
            f"Each side plays {strain}; tricks of {DECLARER_TEXTS[self.declarer]}. "
            f"{self.contract.capitalize()}{game} makes double dummy{mean}."
        )

    def _notes(self) -> Iterator[str]:
        yield (
            f"{self.description}, {self.sides:,} sides; {100 * self.confidence:g} % intervals, clustered by "
            "deal."
        )
        yield self.describe_rules()
        if self.fit is not None:
            large = self.shown[self.shown.deals >= MIN_DEALS]
            if len(large):
                tricks = (large.tricks_hi - large.tricks_lo).max() / 2
                makes = (large.makes_hi - large.makes_lo).max() / 2
                yield (
                    f"Cells have at most ± {tricks:.2g} tricks and ± {100 * makes:.2g} %; those of fewer "
                    f"than {MIN_DEALS} deals are empty."
                )
        if self.by_points.deals.max() < MIN_DEALS:
            yield f"No class has {MIN_DEALS} deals, so that none is shown; to_frame() has them all."
        elif self.fit is None and self.by_points.deals.min() < MIN_DEALS:
            yield f"Classes of fewer than {MIN_DEALS} deals are left out; to_frame() has them."
        if self.rounded:
            yield "Points or fits are rounded to whole numbers in the tables, not in the line."
        yield f"Least squares: {self.describe_line()}."

    def plot(self, ax: Any = None) -> Any:
        """Plot mean tricks and make rates as heat maps, or by points alone with intervals.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes in which the panels lie; by default of a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ArgumentError
            No class, or cell, of 30 deals.
        """
        if self.shown.deals.max() < MIN_DEALS:
            raise ArgumentError(
                f"no class has {MIN_DEALS} deals, so there is nothing to plot; give more deals"
            )
        from dealerkit.plots.tricks import plot_tricks

        return plot_tricks(self, ax)


def _tabulate(pair: Pair, confidence: float) -> pd.DataFrame:
    """Return the columns of both parts of a pair."""
    tricks, makes = (part.frame(confidence) for part in pair)
    table = tricks.drop(columns="value").set_axis(
        ["tricks_se", "tricks_lo", "tricks_hi", "n", "deals"], axis=1
    )
    table["tricks"] = tricks.value
    table["sd"] = [getattr(pair[0].groups[number], "sd", np.nan) for number in table.index]
    for name in ("se", "lo", "hi"):
        table[f"makes_{name}"] = makes[name]
    table["makes"] = makes.value
    return table[[*COLUMNS, "n", "deals"]]

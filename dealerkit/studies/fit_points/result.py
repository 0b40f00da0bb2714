"""Fitted points of cards and shape: the result of `dk.fit_points`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note, add_condition, format_note
from dealerkit.appearance.numbers import choose_decimals, format_count, format_level, format_number
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.charts.panels import ROW, draw_whisker, label_end, open_frame
from dealerkit.charts.style import get_color
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property
from dealerkit.statistics import Estimate
from dealerkit.statistics.estimates import list_columns
from dealerkit.studies.frames import tabulate
from dealerkit.studies.provenance import RepeatableResult

if TYPE_CHECKING:
    import pandas as pd

NAME_LENGTH = 28  # characters of a predictor's name in the plot


class FittedValue(NamedTuple):
    """The value of a predictor.

    Attributes
    ----------
    points : Estimate
        Exact for a value that defines the scale.
    effect : Estimate
        Effect of one more of it on the target.
    mean : float
        How many of it a side has on average.
    """

    points: Estimate
    effect: Estimate
    mean: float


@dataclass(frozen=True, eq=False, repr=False)
class FittedPoints(RepeatableResult):
    """Points for cards and shape that predict best, as `fit_points` returns them.

    Parameters
    ----------
    values : mapping of str to FittedValue
        For each predictor: its `points`, its `effect`, and its `mean` among the sides.
    per_point : Estimate
        Effect of a point on the target: tricks per point.
    base : float
        The target at zero points: the prediction is ``base + per_point * points``.
    R2, R2_cv : float
        Share of the variance of the target that the points explain; `R2_cv` is the same for deals that were
        left out of the fit (cross-validation).
    sd : float
        Standard deviation of the residuals.
    deals, sides : int
        Number of deals, and of rows: one or both sides of each.
    expressions : mapping of str to str or None
        Expressions of the predictors; None for a predictor that was given as an array.
    target : str
    where : str or None
    subject : str
        The target and the strain, in words.
    scale : str
        How the points are scaled.
    declarer : str
        Whose tricks are counted, in words.
    restrictions : tuple of str
        Signs and order that the values were required to have.
    method : {"cluster", "bootstrap"}
        Origin of the intervals: the covariance between deals, or resamples of deals if a restriction may
        change a value.
    confidence : float
    replicates, seed : int
        Number and seed of the resamples.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.fit_points({"A": "aces", "K": "kings"}, sample=dk.solved_sample()[:10_000], total=20)
    <FittedPoints A 3.11, K 1.89: 20,000 sides, R2 0.700>
    """

    values: Mapping[str, FittedValue]
    per_point: Estimate
    base: float
    R2: float
    R2_cv: float
    sd: float
    deals: int
    sides: int
    expressions: Mapping[str, str | None]
    target: str
    where: str | None
    subject: str
    scale: str
    declarer: str
    restrictions: tuple[str, ...]
    method: str
    confidence: float
    replicates: int
    seed: int

    @property
    def title(self) -> str:
        """The target and the selection, in one line."""
        return format_note(self._title)

    @property
    def _title(self) -> Note:
        return add_condition(f"Points for {self.subject}", ", where ", self.where)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each predictor.

        - points; their standard error se, 0 for a value that defines the scale; the interval lo to hi
        - effect: effect of one more of it on the target, with effect_lo and effect_hi
        - mean: how many of it a side has on average
        """
        rows = {
            name: {"points": points.value, "se": points.se, "lo": points.lo, "hi": points.hi}
            | list_columns("effect", effect)
            | {"mean": mean}
            for name, (points, effect, mean) in self.values.items()
        }
        return tabulate(rows, "predictor")

    @property
    def points(self) -> dict[str, float]:
        """The value of each predictor."""
        return {name: value.points.value for name, value in self.values.items()}

    @property
    def expression(self) -> str:
        """The points of a side as an expression, in which evaluators have no arguments.

        `compare` accepts it, as in ``dk.compare({"hcp": "hcp", "fitted": fitted.expression})``.

        Raises
        ------
        ArgumentError
            A predictor was given as an array.
        """
        text = ""
        for name, value in self.points.items():
            expression = self.expressions[name]
            if expression is None:
                raise ArgumentError(f"{name} was given as an array, which has no expression; give a text")
            number = f"{abs(value):.4f}".rstrip("0").rstrip(".")
            term = f"{number} * {expression if expression.isidentifier() else f'({expression})'}"
            sign = "-" if value < 0 else "+"
            text += f" {sign} {term}" if text else f"-{term}" if value < 0 else term
        return text

    def card(self) -> Card:
        """The card: the points, what a point is worth, and where the numbers come from."""
        unit = "tricks" if self.target == "tricks" else "effect"
        # A rare predictor is known less precisely than others, so each has its own decimals.
        columns = [
            Column("predictor", "", "name"),
            Column("points", interval="within", by_row=True, strong=True),
            Column("effect", unit, interval="within", by_row=True),
            Column("mean", "average number", decimals=2, quiet=True),
        ]
        return Card(
            self._title,
            tables=[Table(columns, [[name, *value] for name, value in self.values.items()])],
            charts=[Chart("points", self._draw)],
            notes=self._list_notes(),
            provenance=self._list_facts(),
        )

    def _list_notes(self) -> list[Note]:
        """Return sentences about the scale, the prediction, its accuracy and the origin of the numbers."""
        worth: list[str | Quantity] = []
        if not self.per_point.exact:
            unit = "tricks" if self.target == "tricks" else "of the target"
            worth = ["; a point is worth ", Quantity(self.per_point), f" {unit}"]
        given = [f"Given: {join_words(self.restrictions)}."] if self.restrictions else []
        by = "by the covariance between deals"
        if self.method == "bootstrap":
            by = f"from {format_count(self.replicates, 'sample')} of deals, seed {self.seed}"
        return [
            (f"Scale: {self.scale}", *worth, "."),
            (
                "Prediction: ", Quantity(self.base, decimals=3), " + ",
                Quantity(self.per_point.value, decimals=4), " × points; R2 ", Quantity(self.R2, decimals=3),
                ", of deals left out of the fit ", Quantity(self.R2_cv, decimals=3),
                "; standard deviation of the residuals ", Quantity(self.sd, decimals=3), ".",
            ),
            *given,
            f"{format_count(self.sides, 'side')} of {format_count(self.deals, 'deal')}, {self.declarer}; "
            f"{format_level(self.confidence)} intervals {by}.",
        ]  # fmt: skip

    def __repr__(self) -> str:
        points = ", ".join(
            f"{name} {format_number(value, 2, ascii=True)}" for name, value in self.points.items()
        )
        return (
            f"<FittedPoints {shorten(points, 120)}: {format_count(self.sides, 'side')}, R2 "
            f"{format_number(self.R2, 3, ascii=True)}>"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the frame; `attrs` has the scale, the accuracy and the origin of the intervals."""
        frame = self.frame.copy()
        names = ("target", "where", "scale", "declarer", "R2", "R2_cv", "sd", "base", "deals", "sides")
        frame.attrs = {name: getattr(self, name) for name in (*names, "method", "confidence", "seed")}
        frame.attrs["per_point"] = self.per_point.to_dict()
        return frame

    def _draw(self, ax: Any) -> Any:
        """Draw the points with their intervals; a grey dot is a value that defines the scale."""
        names = list(self.values)
        rows = [value.points for value in self.values.values()]
        with open_frame(ax, height=ROW * len(names) + 1.95) as frame:
            scale = self.scale[0].upper() + self.scale[1:]
            frame.write(self.title, f"{scale}; R² {format_number(self.R2, 3)}", self._write_caption(rows))
            (panel,) = frame.add_panels()
            # All values have the decimals of the one that is known best.
            estimated = [row for row in rows if not row.exact]
            decimals = max((choose_decimals(row.value, row.lo, row.hi) for row in estimated), default=2)
            for y, row in enumerate(rows):
                panel.plot([0, row.value], [y, y], color=get_color("line"), linewidth=1, zorder=1)
                color = get_color("rule") if row.exact else get_color("text")
                draw_whisker(panel, row.value, row.lo, row.hi, y, color, clip_on=False)
                number = format_number(row.value, None if row.exact else decimals)
                label_end(panel, number, max(row.hi, 0), y, 1)  # names are on the left
            panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
            frame.name_rows(panel, names)
            frame.scale(panel.xaxis, min(0.0, *(row.lo for row in rows)), max(0.0, *(row.hi for row in rows)))
            return frame.ax

    def _write_caption(self, rows: Sequence[Estimate]) -> str:
        """Return sentences about the origin of the plot and the meaning of its marks."""
        caption = [
            f"{format_count(self.sides, 'side')} of {format_count(self.deals, 'deal')}, double dummy; "
            f"{format_level(self.confidence)} intervals; no line: the interval is smaller than the dot."
        ]
        if any(row.exact for row in rows):
            caption.append("Grey: the value that defines the scale.")
        point = self.per_point
        if not point.exact:
            decimals = choose_decimals(point.value, point.lo, point.hi)
            unit = "tricks" if self.target == "tricks" else "of the target"
            caption.append(f"A point is worth {format_number(point.value, decimals)} {unit}.")
        return " ".join(caption)

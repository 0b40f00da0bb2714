"""Fitted points of cards and shape: the result of `dk.fit_points`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.latex import Section
from dealerkit.appearance.numbers import format_with_interval
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.errors import ArgumentError
from dealerkit.statistics import Estimate
from dealerkit.studies.results import StudyResult

if TYPE_CHECKING:
    import pandas as pd

METHODS = {"cluster": "by the covariance between deals", "bootstrap": "from {:,} samples of deals, seed {}"}


@dataclass(frozen=True, eq=False, repr=False)
class FittedPoints(StudyResult):
    """Points for cards and shape that predict best, as `fit_points` returns them.

    Parameters
    ----------
    frame : DataFrame
        A row for each predictor: `points`, its standard error `se` and interval, `lo` and `hi`; `effect`,
        that of one more of it on the target, with `effect_lo` and `effect_hi`; `mean`, how many of it a
        side has on average. `se` is 0 for a value that defines the scale.
    per_point : Estimate
        Effect of a point on the target: tricks per point.
    base : float
        The target at no points: the prediction is ``base + per_point * points``.
    R2, R2_cv : float
        Share of the variance of the target that the points explain; the same for deals that were left
        out of the fit (cross-validation).
    sd : float
        Standard deviation of the residuals.
    deals, sides : int
        Number of deals, and of rows: one or both sides of each.
    expressions : mapping of str to str or None
        Of the predictors; None for one that was given as an array.
    target : str
    where : str or None
    subject : str
        The target and the strain, in words.
    scale : str
        How the points are scaled.
    declarer : str
        Whose tricks are counted, in words.
    restrictions : tuple of str
        Signs and order that the values were given.
    method : {"cluster", "bootstrap"}
        Origin of the intervals: the covariance between deals, or samples of deals where a restriction may
        change a value.
    confidence : float
    replicates, seed : int
        Of the samples of deals.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.fit_points({"A": "aces", "K": "kings"}, sample=dk.solved_sample()[:10_000], total=20)
    <FittedPoints A 3.11, K 1.89: 20,000 sides, R2 0.700>
    """

    frame: pd.DataFrame
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
        where = f", where {self.where}" if self.where else ""
        return f"Points for {self.subject}{where}"

    @property
    def points(self) -> dict[str, float]:
        """The value of each predictor."""
        return {str(name): float(value) for name, value in self.frame["points"].items()}

    @property
    def expression(self) -> str:
        """The points of a side as an expression, in which evaluators are without arguments.

        It is understood by `compare`, as in ``dk.compare({"hcp": "hcp", "fitted": fitted.expression})``.

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

    def _basis(self) -> str:
        """Number of sides and deals, and the origin of the intervals, in one line."""
        method = METHODS[self.method].format(self.replicates, self.seed)
        return (
            f"{self.sides:,} sides of {self.deals:,} deals, {self.declarer}; "
            f"{100 * self.confidence:g} % intervals {method}"
        )

    def _sections(self) -> list[Section]:
        unit = "tricks" if self.target == "tricks" else "effect"
        rows = [["", "points", unit, "of a side"]]
        for name, row in self.frame.iterrows():
            points = format_with_interval(row.points, row.lo, row.hi, ascii=True)
            effect = format_with_interval(row.effect, row.effect_lo, row.effect_hi, ascii=True)
            rows.append([str(name), points, effect, f"{row['mean']:.2f}"])
        return [("", rows)]

    def _notes(self) -> list[str]:
        """Return the scale, the prediction and its accuracy, and the origin of all, in sentences."""
        unit, point = "tricks" if self.target == "tricks" else "of the target", self.per_point
        notes = [f"Scale: {self.scale}."]
        if not point.exact:
            each = format_with_interval(point.value, point.lo, point.hi, ascii=True)
            notes = [f"Scale: {self.scale}; a point is worth {each} {unit}."]
        notes += [
            f"Prediction: {self.base:.3f} + {point.value:.4f} × points; R2 {self.R2:.3f}, of deals left "
            f"out of the fit {self.R2_cv:.3f}; standard deviation of the residuals {self.sd:.3f}."
        ]
        if self.restrictions:
            notes.append(f"Given: {join_words(self.restrictions)}.")
        return [*notes, f"{self._basis()}."]

    def __repr__(self) -> str:
        points = ", ".join(f"{name} {value:.2f}" for name, value in self.points.items())
        return f"<FittedPoints {shorten(points, 120)}: {self.sides:,} sides, R2 {self.R2:.3f}>"

    def to_frame(self) -> pd.DataFrame:
        """Return the frame; `attrs` has the scale, the accuracy and the origin of the intervals."""
        frame = self.frame.copy()
        names = ("target", "where", "scale", "declarer", "R2", "R2_cv", "sd", "base", "deals", "sides")
        frame.attrs = {name: getattr(self, name) for name in (*names, "method", "confidence", "seed")}
        frame.attrs["per_point"] = self.per_point.to_dict()
        return frame

    def plot(self, ax: Any = None) -> Any:
        """Plot the points with their intervals.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.studies.fit_points.plot import plot_fitted_points

        return plot_fitted_points(self, ax)

"""The result of `dk.estimate`: the value with its interval, what it cost, text, HTML, frame, plot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Code, Note, show_condition
from dealerkit.appearance.drawings import Rate
from dealerkit.appearance.numbers import (
    format_count,
    format_estimate,
    format_level,
    format_number,
    format_share,
)
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame, draw_whisker, label_end, open_frame
from dealerkit.charts.style import get_color, get_share
from dealerkit.statistics import Estimate
from dealerkit.studies.provenance import Cost, Provenance

if TYPE_CHECKING:
    import pandas as pd


MAX_BARS = 60


@dataclass(frozen=True, eq=False, repr=False)
class EstimateResult(Shown):
    """An estimated mean, share, quantile or ratio over a population of deals, as `estimate` returns it.

    Parameters
    ----------
    question : str
        The expression, and which quantity of it is estimated.
    given : str
        The condition of the population; "" for all deals.
    estimate : Estimate
        Value, standard error and interval; `exact` if the value was counted.
    precision : float
        The half-width of the interval that was requested; 0 if a number of deals was.
    method : {"exact", "solved", "model", "plain"}
        Counted; from solved deals only; from predictions for many deals and the true values of some; from the
        true values of all deals.
    provenance : Provenance
        Script, seed, arguments, cost and versions.
    plain_solves : int
        Number of solves that plain sampling would have needed for the precision, or for the interval if that
        is wider.
    notes : tuple of str
        Remarks: why the study ended early, corrections, double dummy.
    reason : str
        Why the study ended before it reached its precision; "" if it did not.
    values, weights : ndarray of float64 [n]
        Values and weights of the deals whose true values are known; the weights add up to 1.

    Examples
    --------
    >>> import dealerkit as dk
    >>> result = dk.estimate("hcp(north) >= 12 and spades(north) >= 5")
    >>> result.estimate, result.method
    (0.061201 (exact), 'exact')
    """

    question: str
    given: str
    estimate: Estimate
    precision: float
    method: str
    provenance: Provenance
    plain_solves: int = 0
    notes: tuple[str, ...] = ()
    reason: str = ""
    values: np.ndarray = field(default_factory=lambda: np.empty(0))
    weights: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def value(self) -> float:
        """The estimate."""
        return self.estimate.value

    @property
    def lo(self) -> float:
        """The lower end of the interval."""
        return self.estimate.lo

    @property
    def hi(self) -> float:
        """The upper end of the interval."""
        return self.estimate.hi

    @property
    def standard_error(self) -> float:
        """The standard error; 0 if the value is exact."""
        return self.estimate.se

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the interval."""
        return self.lo, self.hi

    @property
    def cost(self) -> Cost:
        """Numbers of deals and solves, and seconds."""
        return self.provenance.cost

    @property
    def n(self) -> int:
        """Number of deals whose true values are known."""
        return self.cost.solved_deals

    @property
    def deals(self) -> int:
        """Number of deals, including those that were only predicted."""
        return self.cost.deals

    @property
    def solves(self) -> int:
        """Number of results that the double-dummy solver computed."""
        return self.cost.solves

    @property
    def from_solved(self) -> int:
        """Number of deals that were already solved, in the sample and in libraries."""
        return self.cost.from_solved

    @property
    def seconds(self) -> float:
        """Wall time."""
        return self.cost.seconds

    @property
    def is_precise(self) -> bool:
        """Whether the interval is as narrow as the precision, if one was requested."""
        half = (self.hi - self.lo) / 2 * (1 - 1e-9)  # half of a sum of decimals is not above the decimal
        return self.estimate.exact or not self.precision or half <= self.precision

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.estimate, spec) if spec else str(self)

    def __repr__(self) -> str:
        return (
            f"<EstimateResult {shorten(self.question, 80)}: {self.estimate!r}, "
            f"{format_count(self.solves, 'solve')}>"
        )

    @property
    def title(self) -> str:
        """The question."""
        return self.question

    def card(self) -> Card:
        """The card: the value with its interval, how it was computed, and remarks."""
        estimate, is_share = self.estimate, self.shows_share
        columns = [Column("value", kind="share" if is_share else "value", strong=True)]
        row: list[Any] = [estimate]
        if not estimate.exact:
            scale, unit = (100.0, "%") if is_share else (1.0, "")
            columns.append(Column("se", "standard error", scale=scale, unit=unit, digits=2, quiet=True))
            row.append(estimate.se)
        elif estimate.fraction is not None:
            columns.append(Column("fraction", "as a fraction", kind="label"))
            row.append(str(estimate.fraction))
        if is_share:
            columns.append(Column("bar", "", kind="drawing"))
            row.append(Rate(estimate))
        given = ("Given ", show_condition(self.given), ".") if self.given else "Of all deals."
        return Card(
            Code(self.question),
            population=self.provenance.describe(),
            about=[given],
            tables=[Table(columns, [row])],
            charts=[Chart("values", self._draw)],
            notes=[*self._list_method(), *(f"{note[0].upper()}{note[1:]}." for note in self.notes)],
            provenance=self.provenance.list_facts(),
            origin=self.provenance.origin,
            short_origin=self.provenance.short_origin,
        )

    def _list_method(self) -> Iterator[Note]:
        """Yield how the value was found, and how many solves the predictions saved."""
        if self.method == "solved":
            yield f"From {format_count(self.n, 'solved deal')}: {self.provenance.solved}."
        elif self.method == "model" and self.n < self.deals:
            yield f"{self.cost.describe_solved(is_predicted=True)}."
        else:
            yield "Counted exactly." if self.estimate.exact else "From the true values of all deals."
        if self.method != "solved" and self.provenance.solved:
            yield f"Solved deals: {self.provenance.solved}."
        if self.method in ("solved", "model") and self.plain_solves > 0:
            part = (self.solves + self.cost.looked_up) / self.plain_solves
            solves, used = Quantity(self.plain_solves, "count"), Quantity(part, "share", decimals=0)
            ending: tuple[str | Quantity, ...] = (" solves (", used, " used).") if part else (" solves.",)
            yield ("Plain sampling would have needed ", solves, *ending)

    @property
    def shows_share(self) -> bool:
        """Whether all known values are 0 or 1, so that the mean is a share of the deals."""
        return bool(len(self.values) and np.isin(self.values, (0, 1)).all() and 0 <= self.value <= 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate, its cost, provenance and card as a dict of types that JSON has."""
        return self.card().to_dict() | {
            "question": self.question,
            "given": self.given,
            **self.estimate.to_dict(),
            "precision": self.precision,
            "method": self.method,
            "plain_solves": self.plain_solves,
            "notes": list(self.notes),
            "provenance": self.provenance.to_dict(),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return a frame with one row: value, interval and cost; ``attrs`` has the provenance."""
        import pandas as pd

        estimate, cost = self.estimate, self.cost
        row = {
            "question": self.question, "given": self.given, "value": estimate.value, "se": estimate.se,
            "lo": estimate.lo, "hi": estimate.hi, "confidence": estimate.confidence, "exact": estimate.exact,
            "precision": self.precision, "method": self.method, "deals": cost.deals, "n": cost.solved_deals,
            "from_solved": cost.from_solved,
            "solves": cost.solves, "plain_solves": self.plain_solves, "seconds": cost.seconds,
        }  # fmt: skip
        frame = pd.DataFrame([row])
        frame.attrs = {"provenance": self.provenance.to_dict()}
        return frame

    def _draw(self, place: Any) -> Any:
        return plot_estimate(self.question, self.given, self.estimate, self.values, self.weights, place)


def plot_estimate(
    question: str, given: str, estimate: Estimate, values: np.ndarray, weights: np.ndarray, ax: Any = None
) -> Any:
    """Plot the distribution of the values, weighted as in the estimate, and the estimate with its interval.

    Parameters
    ----------
    question, given : str
    estimate : Estimate
    values, weights : ndarray of float64 [n]
    ax : matplotlib Axes, optional
        By default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    # Bars of the values, unless these are shares
    distinct, index = np.unique(values, return_inverse=True)
    has_bars = len(distinct) > 0 and not (distinct.min() >= 0 and distinct.max() <= 1)
    is_share = len(distinct) > 0 and bool(np.isin(distinct, (0, 1)).all())
    with open_frame(ax, height=4.0 if has_bars else 2.1) as frame:
        # The words
        notes = [format_count(len(values), "deal")] if len(distinct) else []
        if estimate.exact:
            notes.append("open diamond: the exact value")
        else:
            notes.append(f"whisker: {format_level(estimate.confidence)} interval")
        notes += ["bars: share of the deals, weighted as in the estimate"] * has_bars
        caption = "; ".join(notes)
        frame.write(
            shorten(question, 110),
            f"given {shorten(' '.join(given.split()), 130)}" if given else "all deals",
            f"{caption[0].upper()}{caption[1:]}.",
        )
        (panel,) = frame.add_panels(lines=has_bars)
        # The axis, with room above the bars
        scale = 100 if is_share else 1
        low, high = (scale * end for end in (estimate.lo, estimate.hi))
        if has_bars:
            ends = _draw_bars(frame, panel, distinct, index, weights)
            height = 1.1 * panel.get_ylim()[1]
            panel.set_ylim(0, 1.08 * height)
        else:
            ends, height = _set_axis(frame, panel, low, high, is_share), 0.0
        # The estimate above them
        value, text = scale * estimate.value, _format_value(estimate, is_share)
        if estimate.exact:
            mark = {"marker": "D", "markerfacecolor": get_color("ground")}
            draw_whisker(panel, value, value, value, height, get_color("exact"), **mark)
        else:
            draw_whisker(panel, value, low, high, height)
        side = 1 if value < sum(ends) / 2 else -1
        label_end(panel, text, high if side > 0 else low, height, side)
        return frame.ax


def _format_value(estimate: Estimate, is_share: bool) -> str:
    """Return the estimate with its margin or interval."""
    value, (low, high), exact = estimate.value, (estimate.lo, estimate.hi), estimate.exact
    if exact:
        return f"{format_number(value)}, exact"
    text = format_share(value, low, high) if is_share else format_estimate(value, low, high)
    return f"{text.value} {text.margin}" if text.margin else f"{text.value}, {text.interval}"


def _set_axis(frame: Frame, panel: Any, low: float, high: float, is_share: bool) -> tuple[float, float]:
    """Set the axis of a value without bars: 0 to 100 %, 0 to 1, or around the interval; return its ends."""
    ends = (0, 100) if is_share else (min(low, 0), max(high, 1))
    frame.scale(panel.xaxis, ends[0], ends[1], unit=" %" if is_share else "")
    panel.set_ylim(-1, 1)
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)
    return ends


def _draw_bars(
    frame: Frame, panel: Any, distinct: np.ndarray, index: np.ndarray, weights: np.ndarray
) -> tuple[float, float]:
    """Draw the share of each value, or of ranges of many values; return the ends of the axis."""
    shares = 100 * np.bincount(index, weights)
    style: dict[str, Any] = {"color": get_color("data"), "alpha": get_share("bar"), "linewidth": 0}
    if len(distinct) > MAX_BARS:
        shares, edges = np.histogram(distinct, 30, weights=shares)
        places, width = (edges[:-1] + edges[1:]) / 2, 0.94 * float(edges[1] - edges[0])
    else:
        gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
        places, width = distinct, max(0.8 * gap, float(np.ptp(distinct)) / 120)
    panel.bar(places, shares, width, **style)
    frame.scale(panel.xaxis, float(places[0]), float(places[-1]))
    low, high = panel.get_xlim()
    panel.set_xlim(min(low, places[0] - width / 2), max(high, places[-1] + width / 2))
    panel.set_xlabel("value")
    frame.number(panel.yaxis, unit=" %")
    return panel.get_xlim()

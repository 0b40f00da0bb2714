"""The action `average`: the mean of an expression over the produced deals."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dealerkit.actions.base import AVERAGES, Action, ProducedDeals, Report, describe_interval
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note, format_quantity
from dealerkit.appearance.drawings import Drawing, Rate, Spread
from dealerkit.appearance.numbers import format_count, format_number, format_significant
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.compiler.value_range import find_value_range
from dealerkit.language.printer import to_text
from dealerkit.statistics import Counts, Coverage, Estimate, Moments
from dealerkit.statistics.coverage import estimate_mean, estimate_sd, estimate_share
from dealerkit.statistics.rare_values import ANY_VALUE, ValueRange

if TYPE_CHECKING:
    import pandas as pd

ROW = 0.5  # height of a row of means in inches


class AverageReport(Report):
    """The mean of an expression over the produced deals.

    Attributes
    ----------
    mean : Estimate
        The mean. Its interval is that of `Moments.mean`, or of `proportion` for a truth value, whose mean is
        a share. With swapping, deals from one shuffle form a cluster. The mean is exact after a run on all
        possible deals.
    sd : float
        The sample standard deviation (divisor n - 1), or that of all possible deals (divisor n).
    truth : bool
        Whether the expression is a truth value, or another integer that is 0 or 1.
    values : ValueRange
        The possible values of the expression.
    minimum, maximum : float or None
        The smallest and the largest value among the deals; None without deals.
    natural : Estimate or None
        In a script with `level`, the mean at the natural frequencies of the hand types; `mean` is that of the
        levelled deals.
    """

    def __init__(
        self,
        label: str | None,
        expression: str,
        moments: Moments,
        confidence: float,
        truths: Counts | None = None,
        coverage: Coverage = "sample",
        values: ValueRange = ANY_VALUE,
        slot: int = -1,
    ) -> None:
        self.slot = slot
        self.label, self.expression, self.truth = label, expression, truths is not None
        self.n, self._moments, self.coverage, self._values = moments.n, moments, coverage, values
        self.minimum, self.maximum = moments.minimum, moments.maximum
        self.natural: Estimate | None = None
        self._truths, self._confidence = truths, confidence
        self._find_range: Callable[[int], tuple[float, float] | None] | None = None

    def narrow_range(self, find_range: Callable[[int], tuple[float, float] | None]) -> None:
        """Limit the possible values to those that the condition allows, if most deals have the same value.

        ``find_range(slot)`` returns the smallest and the largest such value, or None. It may have to count
        deals, so it is called only when the mean is first read.
        """
        self._find_range = find_range

    @functools.cached_property
    def values(self) -> ValueRange:
        """The possible values of the expression."""
        if self._find_range is None or self.truth:
            return self._values
        if self.coverage != "sample" or not self._moments.is_mostly_equal:
            return self._values
        if (self.minimum, self.maximum) == self._values[:2]:  # both ends occur, so no range is narrower
            return self._values
        limits = self._find_range(self.slot)
        return self._values if limits is None else self._values.intersect(limits)

    @functools.cached_property
    def mean(self) -> Estimate:
        """The mean with its interval."""
        if self._truths is not None and self._truths.n:
            mean = estimate_share(self._truths, 1, self._confidence, self.coverage)
        else:
            mean = estimate_mean(self._moments, self._confidence, self.coverage, self.values)
        return replace(mean, samples=self.samples)

    @property
    def shown_mean(self) -> Estimate:
        """The mean that cards and plots show; without an interval if there is a single deal.

        This saves a run that produces one deal, to look at it, from counting which values are possible.
        """
        if self.n > 1 or self.truth or self.coverage != "sample" or self.natural is not None:
            return self.mean
        return estimate_mean(self._moments, self._confidence, self.coverage, ANY_VALUE)

    @property
    def sd(self) -> float:
        """The standard deviation of the values."""
        return estimate_sd(self._moments, self.coverage)

    @property
    def frame(self) -> pd.DataFrame:
        """One row with label, n, mean, sd, se, lo, hi; with `level` also natural, natural_lo, natural_hi."""
        import pandas as pd

        mean, natural = self.mean, self.natural
        row = (self.title, self.n, mean.value, self.sd, mean.se, mean.lo, mean.hi)
        frame = pd.DataFrame([row], columns=["label", "n", "mean", "sd", "se", "lo", "hi"])
        if natural is not None:
            frame = frame.assign(natural=natural.value, natural_lo=natural.lo, natural_hi=natural.hi)
        return frame

    @property
    def group(self) -> str:
        """The group of averages, which share one card, the first of a result."""
        return AVERAGES

    def to_quantity(self, mean: Estimate) -> Quantity:
        """Return a mean as it is shown, that of a truth value in per cent."""
        return Quantity(mean, "share" if self.truth else "value")

    @property
    def charts(self) -> list[Chart]:
        """The plot of the mean between the smallest and the largest value."""
        return [Chart("means", lambda ax: plot_averages([self], ax), find_height(1))]

    def card(self) -> Card:
        return self.join_cards([self])

    @classmethod
    def join_cards(cls, reports: Sequence[Report]) -> Card:
        """Return one card for all averages, with their intervals and the spread of their values."""
        averages = [report for report in reports if isinstance(report, cls)]
        title = "Averages" if len(averages) > 1 else ("Average of ", averages[0].title)
        if not averages[0].n:
            return Card.empty(title)
        return Card(
            title,
            population=[_describe_deals(averages)],
            tables=[_build_table(averages)],
            charts=[Chart("means", lambda ax: plot_averages(averages, ax), find_height(len(averages)))],
            is_part=True,
        )


def _build_table(reports: Sequence[AverageReport]) -> Table:
    """Return the table of means, and the sentences that replace it in texts."""
    intervals = list(dict.fromkeys(describe_interval(report.shown_mean) for report in reports))
    truths = {report.truth for report in reports}
    kind = "mean or share" if len(truths) > 1 else "share" if truths == {True} else "mean"
    columns = [
        Column("label", "average", "name"),
        Column(
            "mean", f"{kind}, {intervals[0] if len(intervals) == 1 else 'interval'}", interval="within",
            by_row=True, strong=True,
        ),
        Column("spread", "spread of the deals", "drawing"),
        Column("sd", digits=3, optional=1),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            report.title, report.to_quantity(report.shown_mean), _draw_mean_of(report),
            None if report.truth else report.sd,
        ]
        for report in reports
    ]  # fmt: skip
    if any(report.natural is not None for report in reports):
        columns.append(
            Column(
                "natural", "at natural frequencies", interval="within", by_row=True, quiet=True,
                missing="unknown",
            )
        )  # fmt: skip
        for row, report in zip(rows, reports, strict=True):
            row.append(None if report.natural is None else report.to_quantity(report.natural))
    summary = [note for report in reports for note in _summarise(report)]
    return Table(columns, rows, key=_explain_drawings(reports), summary=summary)


def _summarise(report: AverageReport) -> list[Note]:
    """Return sentences with the mean, and with the number of deals and the kind of interval."""
    mean = report.shown_mean
    if report.n == 1 and not mean.exact:
        value = Quantity(mean.value)
        return [("Average of ", report.title, ": ", value), "  a single deal, no interval"]
    about = f"  {describe_interval(mean)}, {format_count(report.n, 'deal')}"
    about += "" if report.truth else f", standard deviation {format_significant(report.sd, 3)}"
    sentences: list[Note] = [("Average of ", report.title, ": ", report.to_quantity(mean)), about]
    if report.natural is not None:
        is_known = not math.isnan(report.natural.value)
        natural = report.to_quantity(report.natural) if is_known else "unknown, a type has no deal"
        sentences.append(("  at natural frequencies: ", natural))
    return sentences


def _describe_deals(reports: Sequence[AverageReport]) -> str:
    counts = sorted({report.n for report in reports})
    return (
        format_count(counts[0], "deal")
        if len(counts) == 1
        else f"{format_count(counts[0])} to {format_count(counts[-1], 'deal')}"
    )


def _draw_mean_of(report: AverageReport) -> Drawing:
    """Return the drawing of a mean, of a share from 0 to 100 %, otherwise among the values."""
    if report.truth:
        return Rate(report.shown_mean)
    assert report.minimum is not None and report.maximum is not None  # there are deals
    return Spread(float(report.minimum), float(report.maximum), report.shown_mean, report.sd)


def _explain_drawings(reports: Sequence[AverageReport]) -> str:
    """Return sentences that explain the drawings."""
    parts = []
    if not all(report.truth for report in reports):
        parts.append(
            "Line: from the smallest to the largest value among the deals; band: mean ± one standard "
            "deviation (sd); dot with whisker: mean and interval; without whisker, the interval is narrower "
            "than the dot."
        )
    if any(report.truth for report in reports):
        parts.append("Bar: share of the deals, from 0 to 100 %, with its interval.")
    return " ".join(parts)


class Average(Action):
    """The action ``average "label" expression``."""

    name, accumulated = "average", ("moments", "truths")

    def reset(self) -> None:
        bounds = self.graph.operations[self.slots[0]].range
        truth = not bounds.real and (bounds.low, bounds.high) == (0, 1)
        self.moments = Moments()
        self.truths = Counts((0, 1)) if truth else None

    def update(self, produced: ProducedDeals) -> None:
        deals, values = produced.deals, produced.check_numbers(self.slots[0], self.expressions[0])
        self.moments.update(values, deals.weight, deals.cluster)
        if self.truths is not None:
            self.truths.update(values, deals.weight, deals.cluster)

    def report(self, confidence: float, coverage: Coverage = "sample") -> AverageReport:
        expression = to_text(self.expressions[0])
        values = find_value_range(self.graph, self.slots[0])
        return AverageReport(
            self.label, expression, self.moments, confidence, self.truths, coverage, values, self.slots[0]
        )


def find_height(n_rows: int) -> float:
    """Return the height of a plot of means in inches."""
    return 1.5 + ROW * n_rows


def plot_averages(reports: Sequence[AverageReport], ax: Any = None) -> Any:
    """Plot means with their intervals, between the smallest and the largest value; shares from 0 to 100 %.

    Parameters
    ----------
    reports : sequence of AverageReport
        The averages, one in each row.
    ax : matplotlib Axes, optional
        Axes to plot into; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        The axes of the plot.
    """
    from dealerkit.charts.panels import open_frame

    with open_frame(ax, height=find_height(len(reports))) as frame:
        intervals = list(dict.fromkeys(describe_interval(report.shown_mean) for report in reports))
        title = "Averages" if len(reports) > 1 else f"Average of {reports[0].title}"
        frame.write(
            title,
            "Each on its own axis, from the smallest to the largest value; shares from 0 to 100 %",
            f"{_describe_deals(reports)}; line: {' or '.join(intervals)}, not visible if "
            "narrower than the dot. Band: mean ± one standard deviation.",
        )
        names = [report.title for report in reports]
        texts = [format_quantity(report.to_quantity(report.shown_mean)) for report in reports]
        (panel,) = frame.add_panels()
        frame.name_rows(panel, names)
        panel.set_xlim(0, 1)
        panel.set_xticks([])
        panel.spines["bottom"].set_visible(False)
        for row, (report, text) in enumerate(zip(reports, texts, strict=True)):
            _plot_mean(panel, report, row, text)
        return frame.ax


def _plot_mean(panel: Any, report: AverageReport, y: int, text: str) -> None:
    """Plot a mean at the height `y`: the line of its values, the band of the sd, dot, whisker and text."""
    from dealerkit.charts.panels import draw_whisker
    from dealerkit.charts.style import get_color, get_share

    mean, quiet = report.shown_mean, get_color("quiet")
    low, high = (0.0, 1.0) if report.truth else (float(report.minimum or 0), float(report.maximum or 0))
    reach = high - low or 1.0

    def place(value: float) -> float:
        return min(max((value - low) / reach, 0.0), 1.0)

    # Draw the line of the values, and the band of their standard deviation.
    panel.plot([0, 1], [y, y], color=get_color("rule"), linewidth=0.8, zorder=1)
    if not report.truth and math.isfinite(report.sd):
        left, right = place(mean.value - report.sd), place(mean.value + report.sd)
        panel.barh(y, right - left, 0.36, left, color=get_color("data"), alpha=get_share("bar"), zorder=0)

    # Draw the mean with its interval, and write the smallest and the largest value below the ends.
    ends = (mean.lo, mean.hi) if math.isfinite(mean.hi - mean.lo) else (mean.value, mean.value)
    draw_whisker(panel, place(mean.value), place(ends[0]), place(ends[1]), y)
    names = ("0", "100 %") if report.truth else (format_number(low), format_number(high))
    for x, name, side in ((0, names[0], "left"), (1, names[1], "right")):
        panel.annotate(
            name, (x, y), (0, -9), textcoords="offset points", ha=side, va="top", color=quiet,
            annotation_clip=False,
        )  # fmt: skip
    panel.annotate(
        text, (1, y), (8, 0), textcoords="offset points", va="center_baseline", annotation_clip=False,
        color=get_color("text"),
    )  # fmt: skip

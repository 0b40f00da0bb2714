"""How well compared measures predict the target and events for deals left out of the fit, with plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.content import Place, format_quantity
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import shorten
from dealerkit.arguments import check_name
from dealerkit.charts.panels import label_lines, open_frame
from dealerkit.charts.style import N_SERIES, get_color, list_series
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.process import cached_property
from dealerkit.statistics.accumulation import add_influences, find_covariance
from dealerkit.statistics.estimates import list_columns
from dealerkit.statistics.intervals import student_quantile
from dealerkit.studies.comparison.measures import check_cases
from dealerkit.studies.comparison.prediction_statistics import (
    FIGURES,
    EventScores,
    Prediction,
    Scores,
    round_predictions,
    score_event,
    score_rows,
    tabulate_observed,
    tabulate_residuals,
)
from dealerkit.studies.comparison.side_data import SideData
from dealerkit.studies.frames import tabulate

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("line", "isotonic")
SHOWN = ("calibration", "residuals")
DIFFERENCES = [f"{figure}{end}" for figure in FIGURES for end in ("", "_lo", "_hi")]
CURVE, STRIP = 6, 1  # heights of a calibration curve and of the bars below it


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """Predictions of compared measures; each table is computed when it is first used.

    All predictions are for deals that did not train them: the deals are divided into folds, and each fold is
    predicted from the others. The probability of an event is its isotonic regression on the measure.

    Parameters
    ----------
    data : SideData
    events : mapping of str to ndarray of bool [shape=(rows,)]
        The rows in which each event occurs.
    confidence : float in (0, 1)
    target : str
        Name of what is predicted.

    Raises
    ------
    ArgumentError
        An event occurs, or does not occur, in fewer than 10 deals.

    Warns
    -----
    SmallSample
        An event occurs, or does not occur, in fewer than 30 deals.
    """

    data: SideData
    events: Mapping[str, np.ndarray]
    confidence: float = 0.95
    target: str = "tricks"
    _cases: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        cases = {name: check_cases(name, rows, self.data.deal) for name, rows in self.events.items()}
        object.__setattr__(self, "_cases", cases)

    @property
    def names(self) -> list[str]:
        """Names of the measures."""
        return list(self.data.measures)

    @cached_property
    def _scores(self) -> dict[str, Scores]:
        data = self.data
        return {
            name: score_rows(measure, data.target, data.fold, data.weight)
            for name, measure in data.measures.items()
        }

    @cached_property
    def _probabilities(self) -> dict[str, dict[str, Prediction]]:
        """Probability of each event by each measure."""
        return {
            event: {name: scores.predict(rows.astype(float)) for name, scores in self._scores.items()}
            for event, rows in self.events.items()
        }

    @cached_property
    def _scores_of_events(self) -> dict[str, EventScores]:
        if not self.events:
            raise ArgumentError("no event was given; give events=['game', 'slam']")
        scores = list(self._scores.values())
        return {
            event: score_event(
                rows, self._cases[event], scores, list(self._probabilities[event].values()), self.data
            )
            for event, rows in self.events.items()
        }

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each event and measure.

        `sides` with the event and their `share`; `AUC`, the probability that the measure orders a side with
        the event above one without it, with `AUC_lo` and `AUC_hi`; `brier`, the mean squared error of the
        probability, with `brier_lo` and `brier_hi`, which equals `reliability` minus `resolution` plus
        `uncertainty`.
        """
        parts = ("reliability", "resolution", "uncertainty")
        rows = {}
        for event, scores in self._scores_of_events.items():
            figures = zip(*(scores.estimate(figure, self.confidence) for figure in FIGURES), strict=True)
            for name, (area, brier), found in zip(self.names, figures, scores.parts.tolist(), strict=True):
                row: dict[str, Any] = {"sides": scores.sides, "share": scores.share}
                row |= list_columns("AUC", area) | list_columns("brier", brier)
                rows[event, name] = row | dict(zip(parts, found, strict=True))
        return tabulate(rows, ["event", "evaluator"])

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Each measure minus the first, on the same sides: `AUC` and `brier` with their intervals."""
        rows = {(event, name): row for (event, name, _), row in self._list_differences(False).items()}
        return tabulate(rows, ["event", "evaluator"], DIFFERENCES)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Each measure minus each before it, with simultaneous intervals for all pairs of an event."""
        return tabulate(self._list_differences(True), ["event", "evaluator", "less"], DIFFERENCES)

    def _list_differences(self, all_pairs: bool) -> dict[tuple[str, str, str], dict[str, Any]]:
        """The columns of each difference, by event and the names of both measures."""
        rows, names = {}, self.names
        for event, scores in self._scores_of_events.items():
            areas, briers = (scores.compare(figure, self.confidence, all_pairs) for figure in FIGURES)
            for (measure, other), area in areas.items():
                columns = list_columns("AUC", area) | list_columns("brier", briers[measure, other])
                rows[event, names[measure], names[other]] = columns
        return rows

    @cached_property
    def residuals(self) -> pd.DataFrame:
        """Spread of the target around its straight-line prediction, by the prediction in whole tricks.

        A row for each measure and bin: `from` and `to`, the ends of the bin; `predicted`, the mean
        prediction; `bias`, prediction minus target; `sd` of the residuals with its interval, `lo` and
        `hi`; `sides` and `deals`.
        """
        import pandas as pd

        data = self.data
        parts = {
            name: tabulate_residuals(
                scores.linear, data.target, round_predictions(scores.linear), data.deal, data.weight,
                self.confidence,
            )
            for name, scores in self._scores.items()
        }  # fmt: skip
        return pd.concat(parts, names=["evaluator", "bin"])

    @cached_property
    def accuracy(self) -> pd.DataFrame:
        """R2 of the straight line and of isotonic regression for deals left out of the fit.

        `R2_line`, `R2_isotonic`; `gain`, the latter minus the former, with its interval `lo` to `hi`;
        `sd_line` and `sd_isotonic`, the root mean squared errors. A positive gain shows that the relation is
        not a straight line.
        """
        data = self.data
        weight = np.ones(len(data)) if data.weight is None else data.weight
        critical = student_quantile(self.confidence, data.deals - 1)
        squares = (data.target - np.average(data.target, weights=weight)) ** 2
        total, mass = weight @ squares, weight.sum()
        rows = {}
        for name, scores in self._scores.items():
            values, place = scores.predict(data.target)
            # Squared errors of both, and the influence of each row on the difference of R2
            line, curve = (data.target - scores.linear) ** 2, (data.target - values[place]) ** 2
            gain = float(weight @ (line - curve) / total)
            influence = weight * (line - curve - gain * squares) / total
            half = critical * float(np.sqrt(find_covariance(add_influences([influence], data.deal))[0, 0]))
            errors = [float(weight @ error) for error in (line, curve)]
            rows[name] = {
                "R2_line": 1 - errors[0] / total, "R2_isotonic": 1 - errors[1] / total,
                "gain": gain, "lo": gain - half, "hi": gain + half,
                "sd_line": np.sqrt(errors[0] / mass), "sd_isotonic": np.sqrt(errors[1] / mass),
            }  # fmt: skip
        return tabulate(rows, "evaluator")

    def list_tables(self) -> list[Table]:
        """Return the tables of each event: AUC and Brier scores, and their differences from the first."""
        tables = []
        for event in self.events:
            tables.append(self._build_scores(event))
            if len(self.names) > 1:
                tables.append(self._build_differences(event))
        return tables

    def _build_scores(self, event: str) -> Table:
        """Return a row for each measure with its figures for an event."""
        scores = self._scores_of_events[event]
        columns = [
            Column("evaluator", "", "name"),
            Column("AUC", interval="within", strong=True),
            Column("brier", "Brier", interval="within"),
            Column("reliability", decimals=4, optional=2),
            Column("resolution", decimals=4, optional=2),
        ]
        figures = (scores.estimate(figure, self.confidence) for figure in FIGURES)
        rows = [
            [name, area, brier, *parts[:2]]
            for name, area, brier, parts in zip(self.names, *figures, scores.parts.tolist(), strict=True)
        ]
        share = format_quantity(Quantity(scores.share, "share", decimals=1), ascii=True)
        return Table(columns, rows, f"{event}: {format_count(scores.sides, 'side')}, {share}")

    def _build_differences(self, event: str) -> Table:
        """Return a row for each measure except the first: how much better it predicts than the first."""
        columns = [
            Column("evaluator", "", "name"),
            Column("AUC", interval="within", sign=True, strong=True),
            Column("brier", "Brier", interval="within", sign=True),
        ]
        scores = self._scores_of_events[event]
        areas, briers = (scores.compare(figure, self.confidence, all_pairs=False) for figure in FIGURES)
        rows = [
            [
                self.names[k],
                area if scores.kinds["AUC"][k] else "the same order",
                briers[k, 0] if scores.kinds["brier"][k] else "the same chances",
            ]
            for (k, _), area in areas.items()
        ]
        return Table(columns, rows, f"{event}, minus {self.names[0]}")

    def calibrate(
        self, name: str | None = None, event: str | None = None, kind: str = "line"
    ) -> pd.DataFrame:
        """Tabulate what was predicted from a measure, and what was observed.

        Parameters
        ----------
        name : str, optional
            A measure; by default the first.
        event : str, optional
            An event, whose predictions are probabilities; by default the target.
        kind : {"line", "isotonic"}
            How the target is predicted. Probabilities are always isotonic.

        Returns
        -------
        DataFrame
            A row for each bin of predictions, whole tricks or tenths of probability: `from` and `to`;
            `predicted`, the mean prediction; `observed`, the mean of the target or the share of the event,
            with its interval `lo` to `hi`; `sides` and `deals`. Bins with fewer than 20 deals are joined.

        Raises
        ------
        ArgumentError
            The measure, event or kind is unknown.
        """
        name = self.names[0] if name is None else check_name("evaluator", name, self.names)
        kind = check_name("kind", kind, KINDS)
        data = self.data
        if event is None:
            scores = self._scores[name]
            prediction = scores.linear
            if kind == "isotonic":
                values, place = scores.predict(data.target)
                prediction = values[place]
            observed, edges = data.target, round_predictions(prediction)
        else:
            if not self.events:
                raise ArgumentError(f"no event was given; give events=[{quote(event)}]")
            event = check_name("event", event, self.events)
            values, place = self._probabilities[event][name]
            prediction, observed, edges = values[place], self.events[event], np.arange(11) / 10
        return tabulate_observed(prediction, observed, edges, data.deal, data.weight, self.confidence)

    def plot(
        self,
        ax: Any = None,
        show: str = "calibration",
        names: str | Sequence[str] | None = None,
        event: str | None = None,
        kind: str = "line",
        *,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> Any:
        """Plot what was observed against what was predicted, or the spread of the residuals.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        show : {"calibration", "residuals"}
        names : str or list of str, optional
            A measure, by default the first; for residuals up to four, by default the first two.
        event, kind
            For the calibration, as for `calibrate`.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            Title instead of the default one.

        Returns
        -------
        matplotlib Axes
        """
        show = check_name("show", show, SHOWN)
        place = Place.of(ax, figsize, title)
        listed = [names] if isinstance(names, str) else names
        if show == "residuals":
            return _plot_residuals(self, listed, place)
        if listed is not None and len(listed) != 1:
            raise ArgumentError(f"{len(listed)} evaluators; a plot of the calibration takes one, in names=")
        return _plot_calibration(self, listed[0] if listed else None, event, kind, place)


def _plot_calibration(
    predictions: Predictions,
    name: str | None = None,
    event: str | None = None,
    kind: str = "line",
    ax: Any = None,
) -> Any:
    """Plot what was observed against what was predicted, with bars of the number of sides."""
    # What was observed in bins of predictions
    table = predictions.calibrate(name, event, kind)
    name = predictions.names[0] if name is None else name
    scale = 1 if event is None else 100
    x, y, lo, hi = (scale * table[column].to_numpy() for column in ("predicted", "observed", "lo", "hi"))
    subject = f"{event}" if event else predictions.target
    with open_frame(ax, width=4.8, height=5.6) as frame:
        # The words
        how = "isotonic" if event or kind == "isotonic" else "straight line"
        caption = (
            f"{format_count(int(table.sides.sum()), 'side')} that did not train the prediction ({how}), "
            f"double dummy. Whiskers: {format_level(predictions.confidence)} intervals; no line: the "
            "interval is smaller than the dot. Bars: number of sides."
        )
        title = (
            f"{shorten(name, 24)}: {'chances of ' + shorten(event, 24) if event else shorten(subject, 24)}"
        )
        frame.write(
            title,
            f"Share of sides with {shorten(event, 40)}, by predicted chance" if event
            else f"Mean {shorten(subject, 30)} by prediction",
            caption,
        )  # fmt: skip
        # The curve, and the diagonal of perfect calibration
        panel, strip = frame.add_panels((CURVE, STRIP), is_column=True)
        ends = (0, 100) if event else _round_ends(np.concatenate([x, lo, hi]))
        panel.plot(ends, ends, color=get_color("rule"), linewidth=0.9, linestyle=(0, (4, 3)), zorder=2)
        panel.vlines(x, lo, hi, color=get_color("text"), linewidth=1.4, zorder=3)
        panel.plot(x, y, "o", color=get_color("text"), markersize=5, zorder=4)
        margin = 0.02 * (ends[1] - ends[0])
        panel.set(xlim=(ends[0] - margin, ends[1] + margin), ylim=(ends[0] - margin, ends[1] + margin))
        panel.grid(axis="y")
        panel.spines[["left", "bottom"]].set_visible(False)
        panel.tick_params(axis="x", length=0, labelbottom=False)
        at = ends[0] + 0.80 * (ends[1] - ends[0])
        panel.annotate(
            "as predicted",
            (at, at),
            (8, -6),
            textcoords="offset points",
            color=get_color("quiet"),
            ha="left",
            va="top",
        )
        # The numbers of sides below, on the same axis
        _draw_bars(strip, table, scale, ends)
        for axis in (panel.xaxis, panel.yaxis, strip.xaxis):
            frame.number(axis, unit=" %" if event else "")
        strip.set_xlim(panel.get_xlim())
        strip.set_xlabel("predicted chance" if event else f"predicted {shorten(subject, 40)}")
        return frame.ax


def _draw_bars(strip: Any, table: Any, scale: float, ends: tuple[float, float]) -> None:
    """Draw the number of sides of each bin, the largest with its number."""
    from matplotlib.colors import to_rgba

    left = np.clip(scale * table["from"].to_numpy(), *ends)
    width = np.clip(scale * table["to"].to_numpy(), *ends) - left
    sides = table.sides.to_numpy()
    # The height is sides per unit of the axis, so that a joined bin is not higher than its parts.
    height = sides / width
    strip.bar(left + width / 2, height, width=0.96 * width, color=to_rgba(get_color("data"), 0.32))
    most = int(height.argmax())
    at = left[most] + width[most] / 2
    strip.annotate(
        format_count(sides[most]), (at, height[most]), (0, 2), textcoords="offset points", ha="center",
        va="bottom", color=get_color("quiet"),
    )  # fmt: skip
    strip.set_ylim(0, 1.45 * height[most])
    strip.spines["left"].set_visible(False)
    strip.spines["bottom"].set_bounds(*ends)
    strip.set_yticks([])


def _round_ends(values: np.ndarray) -> tuple[float, float]:
    """Return whole numbers below and above all values."""
    return float(np.floor(values.min())), float(np.ceil(values.max()))


def _plot_residuals(predictions: Predictions, names: Sequence[str] | None = None, ax: Any = None) -> Any:
    """Plot the standard deviation of the residuals by prediction, a line for each measure."""
    # The measures that are shown
    names = predictions.names[:2] if names is None else names
    chosen = [check_name("evaluator", name, predictions.names) for name in names]
    if not 0 < len(chosen) <= N_SERIES:
        raise ArgumentError(f"{len(chosen)} evaluators; a plot takes 1 to {N_SERIES}, in names=")
    subject = predictions.target
    with open_frame(ax, height=4.0) as frame:
        unit = "tricks" if subject == "tricks" else "its unit"
        frame.write(
            f"How far {shorten(subject, 24)} differ from the prediction" if subject == "tricks"
            else f"How far {shorten(subject, 40)} is from the prediction",
            f"Standard deviation of the residuals in {unit}, by predicted {shorten(subject, 30)}",
            f"{format_count(len(predictions.data), 'side')} that did not train the line, double "
            f"dummy. Ribbons: {format_level(predictions.confidence)} intervals.",
        )  # fmt: skip
        labels = [shorten(name, 20) for name in chosen]
        (panel,) = frame.add_panels(lines=True)
        # A line with its ribbon for each measure, named at its end
        ends, largest = [], 0.0
        for name, label, (colour, marker) in zip(chosen, labels, list_series(), strict=False):
            table = predictions.residuals.loc[name]
            x, sd = table.predicted.to_numpy(), table.sd.to_numpy()
            panel.fill_between(x, table.lo, table.hi, color=colour, alpha=0.18, linewidth=0)
            face = colour if marker == "o" else get_color("ground")
            panel.plot(
                x, sd, marker=marker, color=colour, markersize=4.5, markerfacecolor=face, linewidth=1.4
            )
            ends.append((sd[-1], x[-1], label))
            largest = max(largest, float(table.hi.max()))
        # The axes; a wide ribbon at one end must not determine the scale
        panel.set_ylim(0, 1.04 * min(largest, 2 * max(end for end in predictions.residuals.loc[chosen].sd)))
        label_lines(frame, panel, ends)
        panel.set_xlabel(f"predicted {shorten(subject, 40)}")
        frame.number(panel.xaxis)
        frame.number(panel.yaxis)
        return frame.ax

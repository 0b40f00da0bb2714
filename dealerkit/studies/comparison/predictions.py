"""How well compared measures predict the target and events, for deals left out of the fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.latex import Section
from dealerkit.arguments import check_name
from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.statistics.influence import add_influences, find_covariance
from dealerkit.statistics.intervals import student_quantile
from dealerkit.studies.comparison.cross_validation import Prediction, Scores, score_rows
from dealerkit.studies.comparison.event_scores import EventScores, score_event
from dealerkit.studies.comparison.events import check_cases
from dealerkit.studies.comparison.prediction_bins import (
    round_predictions,
    tabulate_observed,
    tabulate_residuals,
)
from dealerkit.studies.comparison.side_data import SideData
from dealerkit.studies.results import list_texts

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("line", "isotonic")
SHOWN = ("calibration", "residuals")


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """Predictions of compared measures; what they are is computed when it is first used.

    All predictions are for deals that did not train them: the deals are in folds, and each fold is predicted
    from the others. The probability of an event is its isotonic regression on the measure.

    Parameters
    ----------
    data : SideData
    events : mapping of str to ndarray of bool [shape=(rows,)]
        In which rows each event occurs.
    confidence : float in (0, 1)
    target : str
        Name of what is predicted.

    Raises
    ------
    ArgumentError
        An event that occurs, or does not occur, in fewer than 10 deals.

    Warns
    -----
    SmallSample
        An event that occurs, or does not occur, in fewer than 30 deals.
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
    def _event_scores(self) -> dict[str, EventScores]:
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

        `sides` with the event and their `share`; `AUC`, the chance that the measure orders a side with the
        event above one without it, with `AUC_lo` and `AUC_hi`; `brier`, the mean squared error of the
        probability, with `brier_lo` and `brier_hi`, which is `reliability` less `resolution` plus
        `uncertainty`.
        """
        return self._join(lambda scores: scores.tabulate(self.names, self.confidence))

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Each measure less the first, on the same sides: `AUC` and `brier` with their intervals."""
        return self._join(lambda scores: scores.compare(self.names, self.confidence, all_pairs=False))

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Each measure less each before it, with simultaneous intervals for all pairs of an event."""
        return self._join(lambda scores: scores.compare(self.names, self.confidence, all_pairs=True))

    def _join(self, tabulate: Callable[[EventScores], pd.DataFrame]) -> pd.DataFrame:
        """Return the tables of all events as one."""
        import pandas as pd

        if not self.events:
            raise ArgumentError("no event was given; give events=['game', 'slam']")
        tables = {event: tabulate(scores) for event, scores in self._event_scores.items()}
        return pd.concat(tables, names=["event"])

    @cached_property
    def residuals(self) -> pd.DataFrame:
        """Spread of the target about its straight-line prediction, by the prediction in whole tricks.

        A row for each measure and bin: `from` and `to`, the ends of the bin; `predicted`, the mean
        prediction; `bias`, prediction less target; `sd` of the residuals with its interval, `lo` and
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

        `R2_line`, `R2_isotonic`; `gain`, the latter less the former, with its interval `lo` and `hi`;
        `sd_line` and `sd_isotonic`, the root mean square of the errors. A gain says that a straight line is
        not the form of the relation.
        """
        import pandas as pd

        data = self.data
        weight = np.ones(len(data)) if data.weight is None else data.weight
        critical = student_quantile(self.confidence, data.deals - 1)
        squares = (data.target - np.average(data.target, weights=weight)) ** 2
        total, mass = weight @ squares, weight.sum()
        rows = []
        for name, scores in self._scores.items():
            values, place = scores.predict(data.target)
            line, curve = (data.target - scores.linear) ** 2, (data.target - values[place]) ** 2
            gain = float(weight @ (line - curve) / total)
            influence = weight * (line - curve - gain * squares) / total
            half = critical * float(np.sqrt(find_covariance(add_influences([influence], data.deal))[0, 0]))
            errors = [float(weight @ error) for error in (line, curve)]
            rows.append({
                "evaluator": name, "R2_line": 1 - errors[0] / total, "R2_isotonic": 1 - errors[1] / total,
                "gain": gain, "lo": gain - half, "hi": gain + half,
                "sd_line": np.sqrt(errors[0] / mass), "sd_isotonic": np.sqrt(errors[1] / mass),
            })  # fmt: skip
        return pd.DataFrame(rows).set_index("evaluator")

    def sections(self) -> Iterator[Section]:
        """Yield heading and rows, as text, of the tables of each event."""
        for event in self.events:
            table = self.frame.loc[event]
            sides, share = int(table.sides.iloc[0]), table.share.iloc[0]
            rows = [["", "AUC", "interval", "Brier", "interval", "reliability", "resolution"]]
            for name, row in table.iterrows():
                area = list_texts(row.AUC, row.AUC_lo, row.AUC_hi)
                score = list_texts(row.brier, row.brier_lo, row.brier_hi)
                rows.append([str(name), *area, *score, f"{row.reliability:.4f}", f"{row.resolution:.4f}"])
            yield f"{event}: {sides:,} sides, {100 * share:.1f} %", rows
            if len(self.names) > 1:
                rows = [["", "AUC", "interval", "Brier", "interval"]]
                for name, row in self.differences.loc[event].iterrows():
                    area = list_texts(row.AUC, row.AUC_lo, row.AUC_hi, sign=True)
                    score = list_texts(row.brier, row.brier_lo, row.brier_hi, sign=True)
                    if row.AUC_lo == row.AUC_hi:  # they rank all sides alike: no interval is of width zero
                        area = ["0", "the same order"]
                    if row.brier_lo == row.brier_hi:
                        score = ["0", "the same chances"]
                    rows.append([str(name), *area, *score])
                yield f"{event}, less {self.names[0]}", rows

    def calibrate(
        self, name: str | None = None, event: str | None = None, kind: str = "line"
    ) -> pd.DataFrame:
        """Return what was predicted from a measure, and what was observed.

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
            with its interval `lo` and `hi`; `sides` and `deals`. Bins with fewer than 20 deals are joined.

        Raises
        ------
        ArgumentError
            An unknown measure, event or kind.
        """
        name = self.names[0] if name is None else _check_listed("evaluator", name, self.names)
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
                raise ArgumentError(f"no event was given; give events=[{event!r:.60}]")
            _check_listed("event", event, list(self.events))
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
    ) -> Any:
        """Plot what was observed against what was predicted, or the spread of the residuals.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        show : {"calibration", "residuals"}
        names : str or list of str, optional
            A measure, by default the first; for residuals at most four, by default the first two.
        event, kind
            For the calibration, as for `calibrate`.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.predictions import plot_calibration, plot_residuals

        show = check_name("show", show, SHOWN)
        listed = [names] if isinstance(names, str) else names
        if show == "residuals":
            return plot_residuals(self, listed, ax)
        if listed is not None and len(listed) != 1:
            raise ArgumentError(f"{len(listed)} evaluators; a plot of the calibration takes one, in names=")
        return plot_calibration(self, listed[0] if listed else None, event, kind, ax)


def _check_listed(kind: str, name: str, names: Sequence[str]) -> str:
    """Return a name that is one of a list; raise ArgumentError with the nearest otherwise."""
    if not isinstance(name, str) or name not in names:
        close = suggest_name(str(name), names)
        raise ArgumentError(f"unknown {kind} {name!r:.60}{close}; known: {', '.join(names)}")
    return name

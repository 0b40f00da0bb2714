"""How well compared measures predict the target and events, for deals left out of the fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.statistics.forecasts import Area, BrierScore, find_area, score_probabilities
from dealerkit.statistics.influence import find_covariance, logit_interval, make_replicates
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.simultaneous import simultaneous_intervals
from dealerkit.studies.comparison.bins import round_predictions, tabulate_observed, tabulate_residuals
from dealerkit.studies.comparison.calibration import Prediction, Scores, score_rows
from dealerkit.studies.comparison.data import SideData
from dealerkit.studies.comparison.events import check_cases

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("line", "isotonic")


@dataclass(frozen=True, eq=False)
class _EventScores:
    """Figures of all measures for an event, in their order."""

    cases: int
    areas: list[Area]
    scores: list[BrierScore]
    area_covariance: np.ndarray
    score_covariance: np.ndarray


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

    def __post_init__(self) -> None:
        for name, rows in self.events.items():
            check_cases(name, rows, self.data.deal)

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
    def _event_scores(self) -> dict[str, _EventScores]:
        data, ranks = self.data, [scores.rank() for scores in self._scores.values()]
        result = {}
        for event, rows in self.events.items():
            cases = min(len(np.unique(data.deal[chosen])) for chosen in (rows, ~rows))
            areas = [find_area(rank, rows, data.weight) for rank in ranks]
            scores = [
                score_probabilities(*probability, rows, data.weight)
                for probability in self._probabilities[event].values()
            ]
            covariances = (
                find_covariance([figure.influence for figure in figures], data.deal)
                for figures in (areas, scores)
            )
            result[event] = _EventScores(cases, areas, scores, *covariances)
        return result

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each event and measure.

        `sides` with the event and their `share`; `AUC`, the chance that the measure orders a side with the
        event above one without it, with `AUC_lo` and `AUC_hi`; `brier`, the mean squared error of the
        probability, with `brier_lo` and `brier_hi`, which is `reliability` less `resolution` plus
        `uncertainty`.
        """
        import pandas as pd

        rows = []
        for event, figures in self._event_scores.items():
            occurs, critical = self.events[event], student_quantile(self.confidence, figures.cases - 1)
            share = float(np.average(occurs, weights=self.data.weight))
            for k, name in enumerate(self.names):
                area, score = figures.areas[k], figures.scores[k]
                errors = np.sqrt([figures.area_covariance[k, k], figures.score_covariance[k, k]])
                low, high = logit_interval(area.value, errors[0], critical, figures.cases)
                brier_low, brier_high = logit_interval(score.value, errors[1], critical, figures.cases)
                rows.append({
                    "event": event, "evaluator": name, "sides": int(occurs.sum()), "share": share,
                    "AUC": area.value, "AUC_lo": low, "AUC_hi": high, "brier": score.value,
                    "brier_lo": brier_low, "brier_hi": brier_high, "reliability": score.reliability,
                    "resolution": score.resolution, "uncertainty": score.uncertainty,
                })  # fmt: skip
        return pd.DataFrame(rows).set_index(["event", "evaluator"])

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Each measure less the first, on the same sides: `AUC` and `brier` with their intervals."""
        return self._compare("first")

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Each measure less each before it, with simultaneous intervals for all pairs of an event."""
        return self._compare("all")

    def _compare(self, which: str) -> pd.DataFrame:
        """Return differences of areas and of Brier scores; those of all pairs have simultaneous intervals."""
        import pandas as pd

        parts = []
        for event, figures in self._event_scores.items():
            columns: dict[str, object] = {}
            count = len(self.names)
            pairs = [(j, i) for i in range(count) for j in range(i + 1, count) if which == "all" or not i]
            if not pairs:
                continue
            for label, values, covariance in (
                ("AUC", [area.value for area in figures.areas], figures.area_covariance),
                ("brier", [score.value for score in figures.scores], figures.score_covariance),
            ):
                difference, half = self._find_difference(
                    np.array(values), covariance, pairs, figures.cases, which == "all"
                )
                columns |= {
                    label: difference, f"{label}_lo": difference - half, f"{label}_hi": difference + half
                }  # fmt: skip
            keys: dict[str, object] = {"event": event, "evaluator": [self.names[j] for j, _ in pairs]}
            if which == "all":
                keys["less"] = [self.names[i] for _, i in pairs]
            parts.append(pd.DataFrame(keys | columns))
        levels = ["event", "evaluator", "less"][: 3 if which == "all" else 2]
        if not parts:
            ends = [f"{label}{end}" for label in ("AUC", "brier") for end in ("", "_lo", "_hi")]
            return pd.DataFrame(columns=[*levels, *ends]).set_index(levels)
        return pd.concat(parts, ignore_index=True).set_index(levels)

    def _find_difference(
        self,
        values: np.ndarray,
        covariance: np.ndarray,
        pairs: list[tuple[int, int]],
        cases: int,
        joint: bool,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the differences of pairs of values and half the widths of their intervals."""
        if joint:
            replicates = make_replicates(values, covariance, cases)
            found = simultaneous_intervals(values, replicates, pairs, deals=cases, confidence=self.confidence)
            return found.difference, (found.hi - found.lo) / 2
        second, first = np.array(pairs).T
        spread = np.diag(covariance)
        variance = spread[second] + spread[first] - 2 * covariance[second, first]
        half = student_quantile(self.confidence, cases - 1) * np.sqrt(np.maximum(variance, 0))
        return values[second] - values[first], half

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
            half = critical * float(np.sqrt(find_covariance([influence], data.deal)[0, 0]))
            errors = [float(weight @ error) for error in (line, curve)]
            rows.append({
                "evaluator": name, "R2_line": 1 - errors[0] / total, "R2_isotonic": 1 - errors[1] / total,
                "gain": gain, "lo": gain - half, "hi": gain + half,
                "sd_line": np.sqrt(errors[0] / mass), "sd_isotonic": np.sqrt(errors[1] / mass),
            })  # fmt: skip
        return pd.DataFrame(rows).set_index("evaluator")

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
        _check_listed("kind", kind, KINDS)
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


def _check_listed(kind: str, name: str, names: Sequence[str]) -> str:
    """Return a name that is one of a list; raise ArgumentError with the nearest otherwise."""
    if name not in names:
        close = suggest_name(str(name), names)
        raise ArgumentError(f"unknown {kind} {name!r:.60}{close}; known: {', '.join(names)}")
    return name

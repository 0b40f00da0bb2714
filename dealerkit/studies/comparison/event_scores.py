"""Figures of compared measures for one event: areas under ROC curves and Brier scores, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.statistics.forecasts import find_area, score_probabilities
from dealerkit.statistics.influence import add_influences, find_covariance, logit_interval
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.simultaneous import simultaneous_intervals
from dealerkit.studies.comparison.cross_validation import Prediction, Scores

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.studies.comparison.side_data import SideData

FIGURES = ("AUC", "brier")


@dataclass(frozen=True, eq=False)
class EventScores:
    """Figures of k measures for an event.

    Parameters
    ----------
    sides : int
        Rows with the event.
    share : float
        Their share, weighted.
    cases : int
        Deals with the event, or without it if these are fewer; the degrees of freedom are one less.
    values : dict of str to ndarray of float64 [shape=(k,)]
        `AUC` and `brier`.
    sums : dict of str to ndarray of float64 [shape=(k, deals)]
        Influence of each deal on them.
    parts : ndarray of float64 [shape=(k, 3)]
        Reliability, resolution and uncertainty of the Brier scores.
    """

    sides: int
    share: float
    cases: int
    values: dict[str, np.ndarray]
    sums: dict[str, np.ndarray]
    parts: np.ndarray

    def tabulate(self, names: Sequence[str], confidence: float) -> pd.DataFrame:
        """Return a row for each measure: see `Predictions.frame`."""
        import pandas as pd

        frame = pd.DataFrame({"evaluator": names, "sides": self.sides, "share": self.share})
        critical = student_quantile(confidence, self.cases - 1)
        for figure in FIGURES:
            errors = np.sqrt(np.diag(find_covariance(self.sums[figure])))
            ends = [
                logit_interval(float(value), float(error), critical, self.cases)
                for value, error in zip(self.values[figure], errors, strict=True)
            ]
            frame[figure] = self.values[figure]
            frame[[f"{figure}_lo", f"{figure}_hi"]] = ends
        frame[["reliability", "resolution", "uncertainty"]] = self.parts
        return frame.set_index("evaluator")

    def compare(self, names: Sequence[str], confidence: float, all_pairs: bool) -> pd.DataFrame:
        """Return the differences from the first measure, or of all pairs with simultaneous intervals."""
        import pandas as pd

        k = len(names)
        pairs = [(j, i) for i in range(k if all_pairs else 1) for j in range(i + 1, k)]
        second, first = np.array(pairs, int).reshape(-1, 2).T
        columns: dict[str, object] = {"evaluator": [names[j] for j in second]}
        if all_pairs:
            columns["less"] = [names[i] for i in first]
        for figure in FIGURES:
            values, sums = self.values[figure], self.sums[figure]
            difference = values[second] - values[first]
            if all_pairs and pairs:
                found = simultaneous_intervals(
                    values, influence=sums.shape[1] * sums.T, pairs=pairs, confidence=confidence
                )
                half = (found.hi - found.lo) / 2
            else:
                covariance = find_covariance(sums)
                spread = np.diag(covariance)
                variance = spread[second] + spread[first] - 2 * covariance[second, first]
                half = student_quantile(confidence, self.cases - 1) * np.sqrt(np.maximum(variance, 0))
            columns |= {
                figure: difference,
                f"{figure}_lo": difference - half,
                f"{figure}_hi": difference + half,
            }
        return pd.DataFrame(columns).set_index(["evaluator", "less"] if all_pairs else "evaluator")


def score_event(
    event: np.ndarray,
    cases: int,
    scores: Sequence[Scores],
    probabilities: Sequence[Prediction],
    data: SideData,
) -> EventScores:
    """Return the figures of an event, bool [rows], from scores and probabilities of each measure."""
    areas = [find_area(score.rank(), event, data.weight) for score in scores]
    briers = [score_probabilities(*probability, event, data.weight) for probability in probabilities]
    return EventScores(
        int(event.sum()),
        float(np.average(event, weights=data.weight)),
        cases,
        {
            "AUC": np.array([area.value for area in areas]),
            "brier": np.array([score.value for score in briers]),
        },
        {
            "AUC": add_influences([area.influence for area in areas], data.deal),
            "brier": add_influences([score.influence for score in briers], data.deal),
        },
        np.array([[score.reliability, score.resolution, score.uncertainty] for score in briers]),
    )

"""Decisions between two contracts by the value of an evaluator, and what each evaluator gains.

An evaluator bids the first contract if its value passes a threshold, otherwise the second. The threshold is
chosen on nine tenths of the deals, and the gain is counted on the remaining tenth, in turn for all tenths
(cross-validation); so an evaluator gets no credit for a threshold that fits these deals by chance. Gains are
relative to always bidding the better contract, which is chosen on the same nine tenths.

Intervals are Student's t, with standard errors from resamples of whole deals; the thresholds are chosen again
in each resample (`thresholds.py`).

References
----------
T. Hastie, R. Tibshirani, J. Friedman, *The Elements of Statistical Learning*, 2nd ed. (Springer 2009), 7.10.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from dealerkit.arguments import is_listing
from dealerkit.cards.names import STRAINS
from dealerkit.errors import ArgumentError, Parameter, SmallSample, quote, warn_caller
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import track_items
from dealerkit.scoring import SCORINGS, check_scoring
from dealerkit.statistics import Estimate
from dealerkit.statistics.estimates import build_estimates
from dealerkit.statistics.intervals import check_confidence, student_quantile
from dealerkit.statistics.simultaneous import simultaneous_intervals
from dealerkit.studies.comparison.decision_result import Decision, Guide
from dealerkit.studies.comparison.side_data import SideData, count_resamples
from dealerkit.studies.comparison.thresholds import Threshold, choose_thresholds, find_errors, round_values
from dealerkit.studies.contract_patterns import GROUP_TEXTS, ContractPattern, check_vulnerable
from dealerkit.studies.limits import MIN_DEALS

REPLICATES = 200  # thresholds are chosen again in each resample, so more would take long
SAME = 1e-9  # difference of two gains that is due to rounding only
TOGETHER = 200  # number of resamples whose counts are in memory together


@dataclass(frozen=True, eq=False)
class DecisionQuestion:
    """A choice between two contracts of a side.

    Attributes
    ----------
    contracts : tuple of ContractPattern
        The contract that is bid if the evaluator passes its threshold, and the other one.
    vulnerable : bool
        Whether the side is vulnerable.
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
        Gains are, respectively, the IMPs for the difference of the two scores; the share of a board's
        matchpoints above one half, against a table in the other contract (0.5, 0 or -0.5); the same; or the
        difference itself.
    """

    contracts: tuple[ContractPattern, ContractPattern]
    vulnerable: bool = False
    scoring: str = "imps"

    @classmethod
    def parse(cls, decision: Any, vulnerable: Any = False, scoring: Any = "imps") -> DecisionQuestion:
        """Return the question for two contracts such as ``("4M", "3M")`` or ``("3NT", "1NT")``.

        Raises
        ------
        ArgumentError
            The contracts are not two, or are equal, or the scoring is unknown.
        """
        if isinstance(decision, str) or not is_listing(decision) or len(list(decision)) != 2:
            raise ArgumentError(f"decision is {quote(decision)}; give two contracts, such as ('4M', '3M')")
        first, second = (ContractPattern.parse(text) for text in decision)
        if first == second:
            raise ArgumentError(f"decision has {first} twice; give two contracts, such as ('4M', '3M')")
        return cls((first, second), check_vulnerable(vulnerable), check_scoring(scoring))

    @cached_property
    def _gain_table(self) -> np.ndarray:
        """Return the gain of the first contract by strain and tricks of both: float64 [5, 14, 5, 14]."""
        ours, theirs = (contract.score_tricks(self.vulnerable) for contract in self.contracts)
        return SCORINGS[self.scoring].compare(ours[:, :, None, None], theirs).astype(float)

    def find_rows(self, data: SideData) -> np.ndarray:
        """Return the sides for which both contracts have a strain, bool [rows].

        Raises
        ------
        ArgumentError
            There are no such sides, or they come from fewer than 30 deals.
        """
        fits = np.ones(len(data), bool)
        for contract in self.contracts:
            if not contract.is_fixed:
                fits &= np.isin(data.strain, contract.strains)
            if not fits.any():
                played = ", ".join(STRAINS[k] for k in np.unique(data.strain).tolist())
                raise ArgumentError(
                    f"no side plays {' and '.join(map(str, self.contracts))}: {contract} needs "
                    f"{GROUP_TEXTS[contract.strain]}, the sides play {played}; change ",
                    Parameter("strain="),
                    " or write the strain of the contract, as in '4S'",
                )
        deals = len(np.unique(data.deal[fits]))
        if deals < MIN_DEALS:
            raise ArgumentError(
                f"{deals} deals have sides that play {self.contracts[0]} or {self.contracts[1]}; a decision "
                f"needs {MIN_DEALS} at least"
            )
        return fits

    def find_gains(self, data: SideData) -> np.ndarray:
        """Return the gain of the first contract over the second for each side, float64 [rows]."""
        if (data.tables != np.floor(data.tables)).any():
            raise ArgumentError(
                "a decision scores the tricks of one declarer, not the mean of both; give ",
                Parameter("declarer=", "better"),
            )
        rows, tricks = np.arange(len(data)), data.tables.astype(np.int64)
        cells: list[np.ndarray] = []
        for contract in self.contracts:
            strain = np.full(len(data), contract.strains[0]) if contract.is_fixed else data.strain
            cells += [strain, tricks[rows, strain]]
        return self._gain_table[tuple(cells)]


def decide(
    data: SideData,
    question: DecisionQuestion,
    *,
    confidence: float = 0.95,
    seed: int = 1,
    replicates: int = REPLICATES,
) -> Decision:
    """Estimate the gain of each measure as the guide to a decision between two contracts.

    Parameters
    ----------
    data : SideData
    question : DecisionQuestion
    confidence : float in (0, 1)
        Confidence level of all intervals.
    seed, replicates : int
        Seed and number of the resamples of whole deals, with replacement.

    Raises
    ------
    ArgumentError
        No side plays one of the contracts, there are fewer than 30 deals, a measure has the same value for
        all sides, or one contract is better for all sides.

    Warns
    -----
    SmallSample
        One of the contracts is better in fewer than 30 deals.
    """
    check_confidence(confidence)
    # The gain of the first contract on each side, and the contract that is better to bid always
    fits = question.find_rows(data)
    data = data if fits.all() else data.select(fits)
    gains = question.find_gains(data)
    _check_gains(question, gains, data.deal)
    weight = np.ones(len(data)) if data.weight is None else data.weight
    folds = np.flatnonzero(np.bincount(data.fold))
    fold = np.searchsorted(folds, data.fold)
    weighted = gains * weight
    total = weighted.sum()
    always = (total - np.bincount(fold, weighted) > 0)[fold]  # chosen without the fold
    # The gains of the evaluators, with thresholds chosen without the fold of a side; the last is perfect
    # foresight
    names = list(data.measures)
    columns = np.empty((len(data), len(names) + 1))
    columns[:, -1] = np.maximum(gains, 0) - always * gains
    thresholds, fitted, bids = [], {}, []
    for k, name in enumerate(names):
        values = fit_values(name, data.measures[name], data.target, fold, weight)
        thresholds.append(_choose_by_column(values, weighted, fold))
        bids.append(_apply_thresholds(thresholds[-1], values, fold))
        columns[:, k] = (bids[-1] * 1.0 - always) * gains
        fitted[name] = values[:, -1]
    means = np.average(columns, axis=0, weights=weight)
    # Their errors, from resamples of whole deals in which the thresholds are chosen again
    found = []
    starts = range(0, replicates, TOGETHER)
    for start in track_items(starts, len(starts), "parts of the samples"):
        counts = count_resamples(data.deals, range(start, min(start + TOGETHER, replicates)), seed)
        found.append(find_errors(fitted.values(), gains, weight, fold, data.deal, counts))
    errors = np.concatenate(found)
    shares = [float(np.average(bid, weights=weight)) for bid in bids]
    guides, pair_gains, foresight = _estimate_gains(
        names, thresholds, shares, means, errors, data.deals, confidence
    )
    alike = frozenset(
        (names[i], names[j])
        for i, j in combinations(range(len(names)), 2)
        if np.array_equal(bids[i], bids[j]) and np.allclose(errors[:, i], errors[:, j], rtol=0, atol=SAME)
    )
    first, second = map(str, question.contracts)
    return Decision(
        guides, pair_gains, alike, foresight, contract=first, other=second,
        vulnerable=question.vulnerable, scoring=question.scoring, always=first if total > 0 else second,
        sides=len(data), deals=data.deals, folds=len(folds), confidence=confidence, replicates=len(errors),
        seed=seed, values=fitted, gains=gains, deal=data.deal, weight=data.weight,
    )  # fmt: skip


def _estimate_gains(
    names: list[str],
    thresholds: list[list[Threshold]],
    bids: list[float],
    means: np.ndarray,
    errors: np.ndarray,
    deals: int,
    confidence: float,
) -> tuple[dict[str, Guide], dict[tuple[str, str], Estimate], Estimate]:
    """Return the evaluators as guides, the differences of all pairs, and perfect foresight.

    Parameters
    ----------
    names : list of str
    thresholds : list of list of Threshold
        Thresholds of each evaluator: without each fold, and last on all data.
    bids : list of float
        Share of the sides that bid the first contract.
    means : ndarray of float64 [k + 1]
        Mean gain of each evaluator, and of perfect foresight.
    errors : ndarray of float64 [samples, k + 1]
        Errors of the means in resamples of the deals.
    """
    samples = means + errors
    pairs = simultaneous_intervals(means[:-1], samples[:, :-1], deals=deals, confidence=confidence)
    # Resamples have a variance with the divisor n, not n - 1.
    errors = (samples - samples.mean(axis=0)) * np.sqrt(deals / (deals - 1))
    quantile = student_quantile(confidence, deals - 1)

    def estimate(values: np.ndarray, deviations: np.ndarray) -> list[Estimate]:
        se = deviations.std(axis=0, ddof=1)
        return build_estimates(values, se, values - quantile * se, values + quantile * se, deals, confidence)

    *gains, foresight = estimate(means, errors)
    # The error of a quotient of two means, to first order
    shares = means[:-1] / means[-1]
    reached = estimate(shares, (errors[:, :-1] - shares * errors[:, -1:]) / means[-1])
    best = pairs.compare_with_best().possible.tolist() if len(names) > 1 else [True]
    guides = {
        name: Guide(gains[k], reached[k], bids[k], tuple(thresholds[k]), best[k])
        for k, name in enumerate(names)
    }
    every = zip(combinations(names, 2), pairs.list_estimates(deals, confidence), strict=True)
    return guides, dict(every), foresight


def _check_gains(question: DecisionQuestion, gains: np.ndarray, deal: np.ndarray) -> None:
    """Raise ArgumentError if one contract is never the better one; warn if it rarely is."""
    for contract, better in zip(question.contracts, (gains > 0, gains < 0), strict=True):
        count = len(np.unique(deal[better]))
        if not count:
            raise ArgumentError(
                f"{contract} is not the better contract for any of {len(gains):,} sides, so there is nothing "
                "to decide; give more deals, or other contracts"
            )
        if count < MIN_DEALS:
            warn_caller(
                f"{contract} is the better contract in only {count} deals; gains and their intervals are "
                "rough. Give more deals.",
                SmallSample,
            )


def fit_values(
    name: str, values: np.ndarray, target: np.ndarray, fold: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """Return the value by which a measure decides without each fold, and last on all data: [rows, folds + 1].

    A measure with several predictors decides by the prediction of a regression (least squares) on the data
    without the fold. A single predictor decides by its value, one column for all folds.
    """
    if values.ndim == 1 or values.shape[1] == 1:
        single = round_values(values.reshape(len(values)))
        if single.min() == single.max():
            raise ArgumentError(f"{name} is {single[0]:g} for every side; a constant cannot decide")
        return single[:, None]
    design = np.column_stack([np.ones(len(values)), values])
    fitted = np.empty((len(values), int(fold.max()) + 2))
    for k in range(fitted.shape[1]):
        scale = np.sqrt(np.where(fold == k, 0, weight))  # the last column leaves nothing out
        slopes = np.linalg.lstsq(design * scale[:, None], target * scale, rcond=None)[0]
        fitted[:, k] = round_values(design @ slopes)
    return fitted


def _choose_by_column(values: np.ndarray, gains: np.ndarray, fold: np.ndarray) -> list[Threshold]:
    """Return the thresholds without each fold and on all data, for values as `fit_values` returns them."""
    if values.shape[1] == 1:
        return choose_thresholds(values[:, 0], gains, fold)
    last = values.shape[1] - 1
    chosen = [
        choose_thresholds(values[fold != k, k], gains[fold != k], np.zeros((fold != k).sum(), int))[-1]
        for k in range(last)
    ]
    return [*chosen, choose_thresholds(values[:, last], gains, np.zeros(len(fold), int))[-1]]


def _apply_thresholds(thresholds: list[Threshold], values: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Return the rows in which the rule chosen without the row's fold bids: bool [rows]."""
    bids = np.empty(len(fold), bool)
    for k, threshold in enumerate(thresholds[:-1]):
        rows = fold == k
        bids[rows] = threshold.find_bids(values[rows, min(k, values.shape[1] - 1)])
    return bids

"""Estimates of means over a population: deal, predict and solve until the intervals are narrow enough.

A study provides a population (`population.py`), a function that computes the true values of deals, with the
solver if necessary, and a function that predicts them. Many deals are predicted and few of them are solved.
`statistics/two_phase.py` contains the estimator, `statistics/allocation.py` the stopping rule. Solved deals
may be used first (`studies/solved_stratum.py`): if they answer the question, nothing is dealt.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import format_duration
from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import interrupt_at_termination
from dealerkit.statistics import Estimate
from dealerkit.statistics.allocation import (
    MIN_OF_STRATUM,
    allocate,
    choose_next_size,
    fill,
    find_boundaries,
    find_sizes,
)
from dealerkit.statistics.derived import Means, Quantile, Statistic, Summary, TwoPhaseSample
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.known_sample import KnownSample, predict_size
from dealerkit.statistics.rare_values import ValueRange
from dealerkit.statistics.two_phase import EXACT, TwoPhaseMeans, build_share
from dealerkit.studies.estimate.population import Population
from dealerkit.studies.limits import (
    INTERRUPT,
    MIN_DEALS,
    NO_LIMITS,
    StudyLimits,
    state_cost,
    warn_of_early_end,
    warn_of_few_deals,
    warn_of_missing_deals,
)
from dealerkit.studies.provenance import Cost
from dealerkit.studies.solved_stratum import SolvedStratum

MIN_FIRST = 90  # values of the first batch; with fewer, variances are too uncertain for the stopping rule
MAX_FIRST = 1000  # values of the first batch if they need the solver
FIRST_PREDICTED = 4096
MAX_STRATA, DEALS_PER_STRATUM = 12, 25
PREDICTION_NS = 2.5e3  # cost of dealing and predicting one deal
FIRST_CHUNK, MIN_CHUNK = 16, 4  # values before the first check of the time limit, and between later ones
CHUNK_NS = 5e8  # time of the values computed between two checks of the limits
MAX_PREDICTED = 4_000_000  # number of predicted deals in a study
MOST_LEFT = 20.0  # largest ratio of the variance of new deals to that of all, if solved deals nearly suffice
_BATCH = 65_536  # deals predicted at once

Value = Callable[[Deals], np.ndarray]


@dataclass(frozen=True, eq=False)
class PredictedValues:
    """Predictions of the m values of each of n deals, from the probabilities of the trick model.

    Attributes
    ----------
    expected : ndarray of float64 [n, m]
    spread : ndarray of float64 [n, m]
        Standard deviation of the value, given the cards that the model sees.
    exact : ndarray of bool [n], optional
        Deals whose values are certainly the expected ones; they are never solved.
    """

    expected: np.ndarray
    spread: np.ndarray
    exact: Any = None


class PhaseSample:
    """Predicted deals of a population by stratum, of which some are solved.

    Parameters
    ----------
    population : Population
    predict : callable or None
        ``predict(deals)`` returns a `PredictedValues`; None: the prediction for each deal is 0.
    scales : ndarray of float64 [m]
        Divisors of the spreads of the measures before they are added.
    by_chance : bool
        Whether strata are formed by the expected value, a probability, instead of the spread.
    seed : int
        Seed of the order in which deals are solved.
    """

    def __init__(
        self,
        population: Population,
        predict: Callable[[Deals], PredictedValues] | None,
        scales: np.ndarray,
        by_chance: bool,
        seed: int,
    ) -> None:
        self._population, self._predict, self._scales, self._by_chance = (
            population,
            predict,
            scales,
            by_chance,
        )
        self._random = np.random.default_rng([seed & (1 << 64) - 1, 15])
        self._boundaries = np.empty(0)
        self._deals: list[Deals] = []
        self._predicted: list[PredictedValues] = []
        self._rows: list[np.ndarray] = []
        self._values: list[np.ndarray] = []
        self.is_exhausted = False

    @property
    def most(self) -> int:
        """Largest number of deals that can be dealt."""
        if self.is_exhausted:
            return self.n_predicted
        size = self._population.size
        return MAX_PREDICTED if size is None else min(size, MAX_PREDICTED)

    @property
    def n_predicted(self) -> int:
        """Number of deals."""
        return sum(map(len, self._deals))

    @property
    def n_evaluated(self) -> int:
        """Number of deals whose values were computed."""
        return sum(map(len, self._rows))

    @property
    def n_known(self) -> int:
        """Number of deals whose values are known, including exact predictions."""
        return self.n_evaluated + (int(np.count_nonzero(self.prediction.exact)) if self._predicted else 0)

    @property
    def n_strata(self) -> int:
        """Number of strata without the exact one."""
        return len(self._boundaries) + 1

    # ------------------------------------------------------------ deals and predictions
    def draw(self, n: int, is_over: Callable[[], bool]) -> None:
        """Deal and predict until there are `n` deals, there are no more, or `is_over` is true."""
        n, width = min(n, MAX_PREDICTED), len(self._scales)
        while (missing := n - self.n_predicted) > 0 and not self.is_exhausted and not is_over():
            size = min(missing, _BATCH)
            deals = self._population.draw(size)
            self.is_exhausted = len(deals) < size
            if not len(deals):
                break
            prediction = (
                PredictedValues(*np.zeros((2, len(deals), width)))
                if self._predict is None
                else self._predict(deals)
            )
            # Without a model nothing is expected and nothing is known
            exact = np.zeros(len(deals), bool) if prediction.exact is None else prediction.exact
            self._deals.append(deals)
            expected, spread = (
                np.asarray(array, np.float64) for array in (prediction.expected, prediction.spread)
            )
            self._predicted.append(PredictedValues(expected, spread, exact))

    @property
    def prediction(self) -> PredictedValues:
        """The predictions for all deals."""
        if len(self._predicted) > 1:
            self._predicted = [
                PredictedValues(
                    np.concatenate([part.expected for part in self._predicted]),
                    np.concatenate([part.spread for part in self._predicted]),
                    np.concatenate([part.exact for part in self._predicted]),
                )
            ]
        return self._predicted[0]

    def take(self, rows: np.ndarray) -> Deals:
        """Return the deals of some rows."""
        if len(self._deals) > 1:
            self._deals = [_join(self._deals)]
        return self._deals[0][rows]

    # ------------------------------------------------------------ strata
    def divide(self, n_strata: int) -> None:
        """Set the boundaries of the strata from the deals dealt so far."""
        is_open = ~self.prediction.exact
        if is_open.any():
            weights = self._combine_spreads()[is_open]
            self._boundaries = find_boundaries(self._scores()[is_open], weights, n_strata)

    def _scores(self) -> np.ndarray:
        """Return the numbers by which deals are divided into strata."""
        if self._by_chance:
            return self.prediction.expected[:, 0]
        return (self.prediction.spread / self._scales).sum(axis=1)

    def _combine_spreads(self) -> np.ndarray:
        """Return the predicted standard deviation of each deal, for all measures together."""
        return np.sqrt(((self.prediction.spread / self._scales) ** 2).sum(axis=1))

    def strata(self) -> np.ndarray:
        """Return the stratum of each deal, `EXACT` for those that need no solving."""
        strata = np.searchsorted(self._boundaries, self._scores(), side="right")
        return np.where(self.prediction.exact, EXACT, strata)

    def predicted_deviations(self) -> np.ndarray:
        """Return the predicted standard deviation of each stratum; half of it is the same for all strata."""
        if self._predict is None:
            return np.ones(self.n_strata)
        strata, combined = self.strata(), self._combine_spreads()
        used = strata >= 0
        sums = np.bincount(strata[used], combined[used], self.n_strata)
        deviations = sums / np.maximum(np.bincount(strata[used], minlength=self.n_strata), 1)
        return deviations + deviations.mean() + 1e-12

    def predict_size(self) -> float:
        """Return the size of the plain sample with the same precision, according to the predictions."""
        rows, _ = self.solved()
        if self._predict is None:
            return float(len(rows))
        prediction = self.prediction
        expected, spread = prediction.expected / self._scales, prediction.spread / self._scales
        return predict_size(self.strata(), expected, spread, rows)

    # ------------------------------------------------------------ values
    def choose_rows(self, n: int, deviations: np.ndarray) -> np.ndarray:
        """Return rows to solve, in random order, such that `n` values are known in total."""
        strata = self.strata()
        solved = np.zeros(self.n_predicted, bool)
        for rows in self._rows:
            solved[rows] = True
        counts = np.bincount(strata[strata >= 0], minlength=self.n_strata)
        if not counts.sum():
            return np.empty(0, np.int64)
        present = np.bincount(strata[solved], minlength=self.n_strata)
        parts = allocate(counts / counts.sum(), deviations)
        sizes = np.maximum(fill(parts, counts, n - int((strata == EXACT).sum())), MIN_OF_STRATUM)
        missing = np.maximum(sizes - present, 0)
        chosen = [np.flatnonzero((strata == k) & ~solved)[: missing[k]] for k in range(self.n_strata)]
        return self._random.permutation(np.concatenate(chosen))

    def add(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Add the values of some rows, [len(rows), m]."""
        self._rows.append(rows)
        self._values.append(np.asarray(values, np.float64).reshape(len(rows), len(self._scales)))

    def solved(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows with values and their values [n, m], in the order in which they were computed."""
        if not self._rows:
            return np.empty(0, np.int64), np.empty((0, len(self._scales)))
        return np.concatenate(self._rows), np.concatenate(self._values)


def _join(parts: Sequence[Deals]) -> Deals:
    """Return deals of a population one after another, with their tables if all have them."""
    hands = np.concatenate([deals.hands for deals in parts])
    tables = [deals.tables for deals in parts if deals.tables is not None]
    return Deals(hands, tables=np.concatenate(tables) if len(tables) == len(parts) else None, check=False)


@dataclass(frozen=True)
class Measures:
    """What is estimated, and with what precision.

    Attributes
    ----------
    precision : tuple of float
        Half-width of the interval of each mean; inf: no requirement. 0: all deals are solved.
    is_share : tuple of bool
        The values are 0 and 1.
    ranges : tuple of ValueRange or None
        The possible values of each measure; None: nothing is known.
    value_ns : float
        Cost of the values of a deal, in nanoseconds.
    confidence : float
    statistic : Statistic, optional
        A number computed from all columns of values instead of the mean of each; `precision` then has one
        number, and `is_share` one element for each column.
    """

    precision: tuple[float, ...]
    is_share: tuple[bool, ...]
    ranges: tuple[ValueRange, ...] | None = None
    value_ns: float = 2e6
    confidence: float = 0.95
    statistic: Statistic | None = None


@dataclass(frozen=True, eq=False)
class SampledMeans:
    """Estimated means of a population, and the sample that they come from.

    Attributes
    ----------
    estimates : tuple of Estimate
        One for each measure.
    means : TwoPhaseMeans
        With the covariance of the estimates, and the weights of the solved deals.
    deals : Deals
        Solved deals that were dealt.
    values : ndarray of float64 [n, m]
        Values of the solved deals; those of the first stratum come before those that were dealt.
    cost : Cost
    plain_solved : int
        Number of deals that plain sampling would have to solve for the precision, or for the interval if that
        is wider.
    reason : str
        Why the study ended before it reached its precision; "" if it did not.
    """

    estimates: tuple[Estimate, ...]
    means: TwoPhaseMeans
    deals: Deals
    values: np.ndarray
    cost: Cost
    plain_solved: int
    reason: str = ""


def sample_means(
    population: Population,
    value: Value,
    measures: Measures,
    predict: Callable[[Deals], PredictedValues] | None = None,
    *,
    stratum: SolvedStratum | None = None,
    limits: StudyLimits = NO_LIMITS,
    seed: int = 0,
    progress: Callable[[int, int], Any] | None = None,
    journal: Journal | None = None,
) -> SampledMeans:
    """Return estimates of the means of m measures over a population.

    Parameters
    ----------
    population : Population
    value : callable
        ``value(deals)`` returns the true values, float64 [n, m].
    measures : Measures
    predict : callable, optional
        ``predict(deals)`` returns a `PredictedValues`. None: plain sampling.
    stratum : SolvedStratum, optional
        Deals whose values are known. If they do not reach the precision, deals of the population are added.
    limits : StudyLimits
    seed : int
        Seed of the choice of deals to solve.
    progress : callable, optional
        ``progress(done, total)``, numbers of solved deals.
    journal : Journal, optional
        Journal of the checkpoint, in which `value` keeps what it computes; an interrupt closes it.

    Warns
    -----
    CostWarning
        The study will take more than a minute.
    SmallSample, TruncatedRun

    Raises
    ------
    ArgumentError
        The population has fewer than two deals, or the precision would take more than a day and no limit is
        set.
    """
    journal = journal or Journal()
    study = _Study(population, value, measures, predict, stratum, limits, seed, progress, journal)
    with open_ledger() as ledger, interrupt_at_termination():
        study.ledger = ledger
        try:
            study.run()
        except KeyboardInterrupt:
            journal.close()
            if study.n_known < 2:
                raise
            study.reason = INTERRUPT
    return study.finish()


@dataclass(eq=False)
class _Study:
    """A study in progress: its sample, its limits and its cost."""

    population: Population
    value: Value
    measures: Measures
    predict: Callable[[Deals], PredictedValues] | None
    stratum: SolvedStratum | None
    limits: StudyLimits
    seed: int
    progress: Callable[[int, int], Any] | None
    journal: Journal
    ledger: Ledger = field(default_factory=Ledger)
    reason: str = ""

    def __post_init__(self) -> None:
        self._solving_seconds = 0.0
        self._precision = np.asarray(self.measures.precision, np.float64)
        width = len(self.measures.is_share)
        scales = np.where(self._precision > 0, self._precision, 1.0) * np.ones(width)
        by_chance = self.measures.is_share == (True,)
        self.sample = PhaseSample(self.population, self.predict, scales, by_chance, self.seed)
        self._known: KnownSample | None = None
        self._known_variance: np.ndarray | None = None

    @property
    def n_known(self) -> int:
        """Number of deals whose values are known, solved earlier or in this study."""
        return self.sample.n_known + (0 if self._known is None else self._known.n_clusters)

    def run(self) -> None:
        """Predict and solve until the intervals are narrow enough, or a limit is reached."""
        # Deals that are already solved may be enough
        if self._use_stratum():
            return
        # A first sample
        sample = self.sample
        sample.draw(FIRST_PREDICTED if self.predict is not None else MIN_DEALS, self._is_late)
        self._solve(self._choose_first(), sample.predicted_deviations())
        is_stated = False
        while not self.reason:
            summary = self._summarize()
            if self._is_precise(summary):
                return
            if summary.limit:
                self.reason = summary.limit
                return
            # What the precision requires; a study that takes long says so once
            n_predicted, n_solved, deviations = self._plan(summary.means)
            if not is_stated and self._precision.all():
                seconds = self._solving_seconds / max(sample.n_evaluated, 1)
                self._state_cost(n_solved - sample.n_evaluated, seconds)
                is_stated = True
            # Approach it in steps, since the first plan is based on few deals
            exact_share = 1 - float(summary.means.shares.sum())
            n_known = n_solved + round(exact_share * max(n_predicted, sample.n_predicted))
            before = sample.n_evaluated, sample.n_predicted
            size = choose_next_size(sample.n_known, n_known)
            sample.draw(max(math.ceil(n_predicted * min(size / n_known, 1.0)), size), self._is_late)
            self._solve(size, deviations)
            if before == (sample.n_evaluated, sample.n_predicted) and not self.reason:
                self.reason = f"all {format_count(sample.n_predicted, 'deal')} have been used"

    def _use_stratum(self) -> bool:
        """Read solved deals until the intervals are narrow enough; return whether the study ends there."""
        while self.stratum is not None and not self._is_late() and self.stratum.read():
            known = KnownSample(self.stratum.values, self.stratum.clusters, self.stratum.counts)
            if known.n_clusters < 2:
                continue
            self._known = known
            summary = self._summarize()
            self._known_variance = np.diag(summary.means.covariance)
            if known.n_clusters >= MIN_FIRST and (self._is_precise(summary) or summary.limit):
                self.reason = "" if self._is_precise(summary) else summary.limit
                return True
        return bool(self.reason)

    def _solve(self, n: int, deviations: np.ndarray) -> None:
        """Solve until the values of `n` deals are known, allocated by the deviations in the strata."""
        rows = self.sample.choose_rows(n, deviations)
        done, per_chunk = 0, max(int(CHUNK_NS / self.measures.value_ns), 16)
        while done < len(rows) and not self._is_late():
            part = rows[done : done + self._limit_chunk(per_chunk)]
            if not len(part):
                assert self.limits.max_solves is not None  # without a limit there is always a part
                self.reason = f"the limit of {format_count(self.limits.max_solves, 'solve')} was reached"
                return
            begin, before = time.perf_counter(), self.journal.step_seconds
            values = self.value(self.sample.take(part))
            # The time is that of the first computation, so that a repeated run has the same parts.
            self._solving_seconds += self.journal.step_seconds - before or time.perf_counter() - begin
            self.sample.add(part, values)
            done += len(part)
            if self.progress is not None:
                self.progress(self.sample.n_evaluated, self.sample.n_evaluated - done + len(rows))

    def _choose_first(self) -> int:
        """Return the size of the first batch, and set the boundaries of the strata."""
        sample = self.sample
        if not sample.n_predicted:
            raise ArgumentError("there is no deal to estimate from; give a weaker condition, or more deals")
        largest = MAX_FIRST if self.measures.value_ns >= 1e5 else 20_000
        needed = self._forecast()
        if needed is not None:
            self._state_cost(int(needed / 10), self.measures.value_ns / 1e9, only_refuse=True)
        first = largest // 4 if needed is None else int(min(max(0.3 * needed, MIN_FIRST), largest))
        if self.predict is None:
            sample.draw(first, self._is_late)
        else:
            sample.divide(min(max(int((needed or first) / DEALS_PER_STRATUM), 1), MAX_STRATA))
        return first

    def _forecast(self) -> float | None:
        """Return the predicted number of deals to solve; None without predictions."""
        targets = self._targets(1e6)
        if not (targets > 0).all():
            return None
        if self._known_variance is not None:
            targets = find_remainder(targets, self._known_variance)
        if self.predict is None:
            return float(np.max(0.25 / targets)) if all(self.measures.is_share) else None
        prediction = self.sample.prediction
        residual = np.maximum(prediction.spread.mean(axis=0) ** 2, 1e-12)
        first = prediction.expected.var(axis=0) * PREDICTION_NS / self.measures.value_ns
        return float(np.max((residual + first) / targets))

    def _summarize(self) -> Summary:
        ranges, spans = self.measures.ranges, None
        if ranges is not None and all(math.isfinite(part.high - part.low) for part in ranges):
            spans = np.array([max(part.high - part.low, 1.0) for part in ranges])
        parts = self._take_parts()
        known = self._known
        if known is not None and len(parts[0]):
            size = known.n_clusters
            known = known._replace(weight=size / (size + self.sample.predict_size()))
        sample = TwoPhaseSample(*parts, spans, ranges, known)
        statistic = self.measures.statistic or Means(self.measures.is_share)
        return statistic.summarize(sample, self.measures.confidence)

    def _take_parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return strata, predictions, rows and values of the deals dealt; none if few are needed."""
        rows, values = self.sample.solved()
        if self._known is not None and (not self.sample.n_predicted or self.sample.n_known < 2):
            return np.empty(0, np.int64), values[:0], rows[:0], values[:0]
        return self.sample.strata(), self.sample.prediction.expected, rows, values

    def _targets(self, freedom: float | np.ndarray) -> np.ndarray:
        """Return the variances for which intervals have the precision."""
        freedoms = np.clip(np.broadcast_to(freedom, self._precision.shape), 1, 1e6).astype(int)
        t = np.array([student_quantile(self.measures.confidence, int(f)) for f in freedoms])
        return (self._precision / t) ** 2

    def _is_precise(self, summary: Summary) -> bool:
        """Return whether all intervals are narrow enough."""
        return bool((np.array(summary.half_widths) <= self._precision).all())

    def _plan(self, means: TwoPhaseMeans) -> tuple[int, int, np.ndarray]:
        """Return how many deals to predict and to solve, and the deviations for the allocation of solves."""
        targets, n_strata = leave_to_new(self._targets(means.freedom), means), self.sample.n_strata
        if not (targets > 0).all():
            return MAX_PREDICTED, MAX_PREDICTED, np.ones(n_strata)
        if self.predict is None:
            n = int(np.ceil(np.max(means.variance / targets)))
            return n, n, np.ones(n_strata)
        combined = np.sqrt((means.residuals / targets).sum(axis=1))
        parts = allocate(means.shares, combined) if len(combined) else np.empty(0)
        ratio = self.measures.value_ns / PREDICTION_NS
        most = self.sample.most
        n_predicted, n_solved = find_sizes(
            means.variance, means.shares, means.residuals, parts, targets, ratio, most
        )
        deviations = combined if len(combined) == n_strata else np.ones(n_strata)
        return n_predicted, n_solved, deviations

    # ------------------------------------------------------------ limits and costs
    def _is_late(self) -> bool:
        """Return whether the study has ended, or its time is over after the first 30 values."""
        seconds = self.limits.max_seconds
        if seconds is not None and self.n_known >= MIN_DEALS and self.journal.is_over(seconds):
            self.reason = self.reason or f"the limit of {format_duration(1e9 * seconds)} was reached"
        return bool(self.reason)

    def _limit_chunk(self, size: int) -> int:
        """Return the number of deals to solve before the limits are checked again."""
        n_deals = self.sample.n_evaluated
        if self.limits.max_seconds is not None:  # as measured, since a value may cost more than declared
            known = int(CHUNK_NS / 1e9 * n_deals / self._solving_seconds) if n_deals else FIRST_CHUNK
            size = min(size, max(known, MIN_CHUNK))
        if self.limits.max_solves is None:
            return size
        per_deal = max(self.ledger.solved / n_deals, 1e-3) if n_deals else 1.0
        return min(size, int((self.limits.max_solves - self.ledger.solved) / per_deal))

    def _state_cost(self, n_deals: int, seconds_per_deal: float, only_refuse: bool = False) -> None:
        """Warn if a study will take more than a minute; refuse it if more than a day."""
        if self.limits == NO_LIMITS:
            size = self.population.size
            n_deals = n_deals if size is None else min(n_deals, size)
            is_endless = n_deals + self.sample.n_known >= MAX_PREDICTED == self.sample.most
            limits = ("max_seconds", "max_solves")
            state_cost(n_deals, seconds_per_deal, limits, only_refuse, is_endless)

    def finish(self) -> SampledMeans:
        """Return the estimates, with warnings about them."""
        # Enough deals for an interval
        n = self.n_known
        if n < 2:
            ended = f"the study ended early: {self.reason}; " if self.sample.n_predicted > n else ""
            advice = "a larger limit" if ended else "more deals"
            text = f"{n} deal{'s' * (n != 1)} cannot give an interval, which needs at least two"
            raise ArgumentError(f"{ended}{text}; give {advice}")
        # The estimates, with warnings about them
        summary = self._summarize()
        if summary.fault:
            raise ArgumentError(*summary.fault)
        warn_of_few_deals(n)
        if self.reason and self._precision.all() and not self._is_precise(summary):
            warn_of_early_end(self.reason, n)
        elif self.reason and not self._precision.all() and n < (self.population.size or 0):
            warn_of_missing_deals(self.reason, n, self.population.size or 0)
        elif not self._precision.all():  # all deals were to be used
            self.reason = ""
        # Their origin, and the number of deals that would have been needed without predictions
        _, _, rows, values = self._take_parts()
        looked_up = self.ledger.attached + self.ledger.stored + self.ledger.bounded
        n_first = 0 if self._known is None else self._known.n_clusters
        n_deals = n_first + self.sample.n_predicted
        cost = Cost(n_deals, n, self.ledger.solved, looked_up, self.journal.elapsed, n_first)
        deals = self.sample.take(rows) if len(rows) else Deals(np.empty((0, 4), np.uint64))
        if self._known is not None:
            values = np.concatenate((self._known.values, values))
        plain = self._count_plain(summary)
        return SampledMeans(summary.estimates, summary.means, deals, values, cost, plain, self.reason)

    def _count_plain(self, summary: Summary) -> int:
        """Return how many deals plain sampling must solve for the precision, or for the interval if wider.

        It is that of the first measure, with the variance that the study found.
        """
        variance = float(summary.means.variance[0])
        estimate, is_share = summary.estimates[0], self.measures.is_share == (True,)
        same = math.ceil(variance / float(summary.means.covariance[0, 0]))  # for the same variance
        target = max(float(self._precision[0]), summary.half_widths[0])
        if isinstance(self.measures.statistic, Quantile) or not math.isfinite(target):
            return same

        def find_half(n: int) -> float:
            if not is_share:
                return student_quantile(estimate.confidence, n - 1) * math.sqrt(variance / n)
            plain = build_share(estimate.value, variance / n, n - 1, n, estimate.confidence)
            return (plain.hi - plain.lo) / 2

        few, many = 2, 4
        while find_half(many) > target and many < MAX_PREDICTED:
            few, many = many, 2 * many
        while many - few > 1:
            middle = (few + many) // 2
            few, many = (few, middle) if find_half(middle) <= target else (middle, many)
        return many


def find_remainder(targets: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the variances that new deals must have so that, combined with known ones, they are as requested.

    Both are weighted by their precision: the reciprocals of the variances add up.

    >>> find_remainder(np.array([1.0, 1.0]), np.array([2.0, 0.9])).tolist()
    [2.0, 20.0]
    """
    left = np.maximum(1 / targets - 1 / np.maximum(known, 1e-300), 0)
    with np.errstate(divide="ignore"):  # for measures without a required precision
        return 1 / np.maximum(left, 1 / (MOST_LEFT * targets))


def leave_to_new(targets: np.ndarray, means: TwoPhaseMeans) -> np.ndarray:
    """Return the variances that the sample of new deals must have, from those of the combined means."""
    weight = means.new_weight
    if weight == 1 or not (targets > 0).all():
        return targets
    # The current variances of both samples, and that of the new one if the weights were optimal
    variance = np.diag(means.covariance)
    known = means.known_part * variance / (1 - weight) ** 2
    new = (1 - means.known_part) * variance / weight**2
    best = find_remainder(targets, known)
    # Weights from predictions are not quite optimal: once the size should suffice, use that with these
    # weights
    with_weights = (targets - means.known_part * variance) / weight**2
    is_near = (new <= best) & (with_weights > 0)
    return np.where(is_near, np.minimum(best, with_weights), best)

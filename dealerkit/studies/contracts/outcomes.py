"""What a study of contracts needs for each deal: contracts chosen, tricks, scores, differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SIDES, VULNERABILITIES, vulnerability_number
from dealerkit.doubledummy.leads import LeadRule, look_up_after_lead
from dealerkit.doubledummy.lookup import Query
from dealerkit.doubledummy.trick_model.predictions import predict
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property
from dealerkit.scoring import SCORINGS, DeclaredContract, score_contracts
from dealerkit.statistics import Estimate
from dealerkit.statistics.derived import Summary, TwoPhaseSample, estimate_mean, estimate_share
from dealerkit.statistics.simultaneous import bound_with_best
from dealerkit.studies.contracts.decision_lists import Strategy
from dealerkit.studies.estimate.real_play import find_correction

MAX_THRESHOLDS = 3  # a number of tricks costs about as much as six threshold queries
TRICKS = np.arange(14)


class Comparison(NamedTuple):
    """A strategy and what it is compared with: other strategies by index, with shares that add up to 1."""

    strategy: int
    field: tuple[tuple[int, float], ...]


@dataclass(frozen=True, eq=False)
class ContractQuestion:
    """Strategies to compare, seen from one side.

    Attributes
    ----------
    strategies : tuple of Strategy
    comparisons : tuple of Comparison
        All pairs of three or more strategies, or each strategy with the same field; empty for one strategy.
    states : tuple of (str, int)
        Name and number of each vulnerability.
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
    real_play : bool
        Correct for play at the table: in a share of the deals equal to the mean difference, by level,
        declarer takes one trick more or fewer than double dummy (see `dealerkit.studies.estimate.real_play`).
    lead_rule : str, callable or None
        Rule of the opening lead; None: the best lead, double dummy.
    """

    strategies: tuple[Strategy, ...]
    comparisons: tuple[Comparison, ...]
    states: tuple[tuple[str, int], ...]
    scoring: str
    real_play: bool = False
    lead_rule: LeadRule | None = None

    @property
    def field(self) -> dict[str, float]:
        """Shares of the strategies that all are compared with; empty if all pairs are compared."""
        fields = {comparison.field for comparison in self.comparisons}
        if self.compares_pairs or not fields:
            return {}
        (field,) = fields
        return {self.strategies[k].name: share for k, share in field}

    @property
    def compares_pairs(self) -> bool:
        """Whether all pairs of three or more strategies are compared."""
        return len({comparison.field for comparison in self.comparisons}) > 1

    @cached_property
    def contracts(self) -> tuple[DeclaredContract, ...]:
        """The distinct contracts, in the order of strategies and rules."""
        return tuple(dict.fromkeys(c for strategy in self.strategies for c in strategy.choices))

    @cached_property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """The distinct strains and declarers of the contracts."""
        return tuple(dict.fromkeys(c.cell for c in self.contracts if c.cell is not None))

    @cached_property
    def cell_of(self) -> np.ndarray:
        """Index of the cell of each contract; also 0 for a pass, whose score needs no tricks."""
        return np.array([0 if c.cell is None else self.cells.index(c.cell) for c in self.contracts])

    @cached_property
    def side(self) -> int:
        """The side of the first declarer, for which scores are counted: NS, EW = 0, 1."""
        return self.cells[0][1] & 1 if self.cells else 0

    @cached_property
    def points(self) -> np.ndarray:
        """Scores of our side, int64 [contracts, states, 14 numbers of tricks]."""
        table = np.zeros((len(self.contracts), len(self.states), 14), np.int64)
        for row, declared in zip(table, self.contracts, strict=True):
            if declared.contract is None or declared.declarer is None:
                continue
            bid, seat = declared.contract, declared.declarer & 1
            for cells, (_, vulnerable) in zip(row, self.states, strict=True):
                points = score_contracts(
                    bid.level, bid.strain, bid.doubled, TRICKS, bool(vulnerable >> seat & 1)
                )
                cells[:] = points if seat == self.side else -points
        return table

    @cached_property
    def needed(self) -> np.ndarray:
        """Number of tricks that makes each contract, int64 [contracts]; 0 for a pass."""
        return np.array([0 if c.contract is None else c.contract.level + 6 for c in self.contracts])

    @cached_property
    def corrections(self) -> np.ndarray:
        """Mean number of tricks by which declarer exceeds double dummy, float64 [contracts]."""
        return np.array(
            [
                0.0 if c.contract is None or not self.real_play else find_correction(c.contract)
                for c in self.contracts
            ]
        )

    def mix_plays(self, *contracts: int) -> list[tuple[float, list[np.ndarray]]]:
        """Return shares of deals, with the tricks of each contract in them, int64 [14] by double dummy.

        The share of deals in which one contract gets an extra trick overlaps as far as possible with that of
        another.

        >>> from dealerkit.studies.contracts.decision_lists import collect_strategies
        >>> question = ContractQuestion(tuple(collect_strategies(["1NT"], "north")), (), (), "imps", True)
        >>> [(share, tricks[0][:3].tolist()) for share, tricks in question.mix_plays(0)]
        [(0.41, [1, 2, 3]), (0.59, [0, 1, 2])]
        """
        corrections = self.corrections[list(contracts)]
        parts, reached = [], 0.0
        for end in (*sorted(set(np.abs(corrections).tolist()) - {0.0}), 1.0):
            moved = np.where(np.abs(corrections) >= end, np.sign(corrections), 0).astype(int)
            parts.append((round(end - reached, 9), [np.clip(TRICKS + step, 0, 13) for step in moved]))
            reached = end
        return parts

    @cached_property
    def is_defended(self) -> np.ndarray:
        """Whether the other side declares each contract, bool [contracts]."""
        return np.array([c.declarer is not None and c.declarer & 1 != self.side for c in self.contracts])

    @cached_property
    def success_chances(self) -> np.ndarray:
        """Whether our side makes its contract, or beats theirs, float64 [contracts, 14]; 0 for a pass.

        By declarer's double-dummy tricks.
        """
        chances = np.zeros((len(self.contracts), 14))
        for k in np.flatnonzero(self.needed).tolist():
            for share, (tricks,) in self.mix_plays(k):
                chances[k] += share * ((tricks >= self.needed[k]) != self.is_defended[k])
        return chances

    @cached_property
    def mean_points(self) -> np.ndarray:
        """Our mean scores by double-dummy tricks, float64 [contracts, states, 14]."""
        points = np.zeros(self.points.shape)
        for k in range(len(self.contracts)):
            for share, (tricks,) in self.mix_plays(k):
                points[k] += share * self.points[k][:, tricks]
        return points

    @cached_property
    def _gain_tables(self) -> dict[tuple[int, int], np.ndarray]:
        return {}

    def find_gain_table(self, ours: int, theirs: int) -> np.ndarray:
        """Return the gain of one contract over another by double-dummy tricks: float64 [states, 14].

        If the contracts differ in strain or declarer: [states, 14, 14], by our tricks first.
        """
        if (ours, theirs) not in self._gain_tables:
            cells = {self.contracts[k].cell for k in (ours, theirs)} - {None}
            gains: Any = 0.0
            for share, (our_tricks, their_tricks) in self.mix_plays(ours, theirs):
                us, them = self.points[ours][:, our_tricks], self.points[theirs][:, their_tricks]
                pair = (us[:, :, None], them[:, None, :]) if len(cells) > 1 else (us, them)
                gains = gains + share * SCORINGS[self.scoring].compare(*pair)
            self._gain_tables[ours, theirs] = gains
        return self._gain_tables[ours, theirs]

    def choose(self, deals: Deals) -> tuple[np.ndarray, np.ndarray]:
        """Return the indices of rules and contracts, each an int64 [strategies, n]."""
        index = {contract: k for k, contract in enumerate(self.contracts)}
        rules = np.stack([strategy.find_rules(deals) for strategy in self.strategies])
        choices = [
            np.array([index[choice] for choice in strategy.choices])[rows]
            for strategy, rows in zip(self.strategies, rules, strict=True)
        ]
        return rules, np.stack(choices)

    def find_differing(self, choices: np.ndarray) -> np.ndarray:
        """Return the deals that need tricks, bool [n]: the strategies choose different contracts.

        For a single strategy these are all deals.
        """
        if len(choices) == 1:
            return np.ones(choices.shape[1], bool)
        return (choices != choices[0]).any(axis=0)

    def find_thresholds(self, choice: Sequence[int]) -> tuple[int, ...] | None:
        """Return the numbers of tricks at which a result changes, for one contract of each strategy.

        None: there are many, or the contracts differ in strain or declarer, so the number of tricks itself is
        needed.
        """
        bids = [k for k in dict.fromkeys(choice) if self.contracts[k].cell is not None]
        if len({self.contracts[k].cell for k in bids}) != 1:
            return None
        tables = [self.success_chances[bids]]
        for k, field in self.comparisons:
            tables += [self.find_gain_table(choice[k], choice[other]) for other, _ in field]
        differs = [(np.abs(np.diff(table, axis=1)) > 1e-9).any(axis=0) for table in tables]
        changes = (np.flatnonzero(np.logical_or.reduce(differs)) + 1).tolist()
        return tuple(changes) if len(changes) <= MAX_THRESHOLDS else None

    def solve(self, deals: Deals, choices: np.ndarray, exactly: bool = True, **options: Any) -> np.ndarray:
        """Return tricks by cell, int8 [cells, n], for the contracts chosen; -1 in other cells.

        Parameters
        ----------
        deals : Deals
        choices : ndarray of int [strategies, n]
        exactly : bool
            If False, any numbers that give the same comparisons and successes as the true ones, if threshold
            queries find these more cheaply.
        **options
            `threads` and `progress` of `dealerkit.doubledummy.lookup.look_up`.
        """
        tricks = np.full((len(self.cells), len(deals)), -1, np.int8)
        # Deals on which all strategies choose the same contracts are solved together
        groups, group_of = np.unique(choices, axis=1, return_inverse=True)
        group_of = np.ravel(group_of)
        for number, choice in enumerate(groups.T.tolist()):
            rows = np.flatnonzero(group_of == number)
            part = deals[rows]
            cells = dict.fromkeys(self.cell_of[k] for k in choice if self.contracts[k].cell is not None)
            thresholds = None if exactly else self.find_thresholds(choice)
            # Yes-or-no queries, if gains depend on few numbers of tricks of one declarer
            if thresholds is not None:
                (cell,) = cells
                tricks[cell, rows] = solve_thresholds(
                    part, self.cells[cell], thresholds, self.lead_rule, **options
                )
                continue
            queries = [Query(*self.cells[cell]) for cell in cells]
            found = look_up_after_lead(part, queries, self.lead_rule, **options)
            for cell, numbers in zip(cells, found, strict=True):
                tricks[cell, rows] = numbers
        return tricks

    def take_tricks(self, choice: np.ndarray, tricks: np.ndarray) -> np.ndarray:
        """Return declarer's tricks in the contract chosen on each deal, int64 [n]; 0 for a pass."""
        taken = tricks[self.cell_of[choice], np.arange(len(choice))] if self.cells else np.zeros(len(choice))
        return np.where(self.needed[choice] > 0, taken, 0).astype(np.int64)

    def find_points(self, choice: np.ndarray, tricks: np.ndarray) -> np.ndarray:
        """Return our scores, float64 [states, n]."""
        return self.mean_points[choice, :, self.take_tricks(choice, tricks)].T

    def find_successes(self, choice: np.ndarray, tricks: np.ndarray) -> np.ndarray:
        """Return whether our side makes or beats the contract on each deal, float64 [n]; 0 for a pass.

        With the correction for play at the table, it is the probability of that.
        """
        return self.success_chances[choice, self.take_tricks(choice, tricks)]

    def find_our_tricks(self, choice: np.ndarray, tricks: np.ndarray) -> np.ndarray:
        """Return the mean number of our side's tricks on each deal, float64 [n]; nan for a pass."""
        taken = self.take_tricks(choice, tricks) + self.corrections[choice]
        return np.where(self.is_defended[choice], 13 - taken, taken)

    def find_gains(self, choices: np.ndarray, tricks: np.ndarray) -> np.ndarray:
        """Return the gains of each comparison, float64 [comparisons, states, n]."""
        gains = np.zeros((len(self.comparisons), len(self.states), choices.shape[1]))
        for each, (k, field) in zip(gains, self.comparisons, strict=True):
            for other, share in field:
                each += share * self._find_pair_gains(choices[[k, other]], tricks)
        return gains

    def _find_pair_gains(self, choices: np.ndarray, tricks: np.ndarray) -> np.ndarray:
        """Return the gains of the first of two strategies over the second, float64 [states, n]."""
        gains = np.zeros((len(self.states), choices.shape[1]))
        pairs, pair_of = np.unique(choices, axis=1, return_inverse=True)
        for number, (k, other) in enumerate(pairs.T.tolist()):
            if k == other:
                continue
            rows = np.flatnonzero(np.ravel(pair_of) == number)
            table = self.find_gain_table(k, other)
            bids = [c for c in (k, other) if self.needed[c]]
            taken = [self.take_tricks(np.full(len(rows), c), tricks[:, rows]) for c in bids]
            gains[:, rows] = table[:, taken[0]] if table.ndim == 2 else table[:, taken[0], taken[1]]
        return gains

    def bound_gains(self, comparison: Comparison) -> tuple[float, float]:
        """Return the smallest and largest gain of a comparison that any deal can have."""
        ends = np.zeros(2)
        for other, share in comparison.field:
            low, high = 0.0, 0.0
            for ours in self.strategies[comparison.strategy].choices:
                for theirs in self.strategies[other].choices:
                    if ours == theirs:
                        continue
                    gains = self.find_gain_table(self.contracts.index(ours), self.contracts.index(theirs))
                    low, high = min(low, float(gains.min())), max(high, float(gains.max()))
            ends += share * np.array([low, high])
        return float(ends[0]), float(ends[1])


def solve_thresholds(
    deals: Deals, cell: tuple[int, int], thresholds: Sequence[int], rule: LeadRule | None, **options: Any
) -> np.ndarray:
    """Return numbers of tricks on the same sides of the thresholds as the true ones, int8 [n].

    Each query divides the numbers that are still possible at the threshold that splits their probabilities
    most evenly, according to the trick model; the model does not influence the result.
    """
    bounds = np.array([0, *thresholds, 14])
    chances = predict(deals, *cell).at_least
    at_least = np.concatenate((chances, np.zeros((len(deals), 1))), axis=1)[:, bounds]
    low, high = np.zeros(len(deals), np.int64), np.full(len(deals), len(thresholds))
    while len(rows := np.flatnonzero(low < high)):
        middle = (at_least[rows, low[rows]] + at_least[rows, high[rows] + 1]) / 2
        distance = np.abs(at_least[rows, 1:-1] - middle[:, None])
        places = np.arange(len(thresholds))
        distance[(places < low[rows, None]) | (places >= high[rows, None])] = np.inf
        queried = distance.argmin(axis=1)
        queries = [Query(*cell, bounds[queried + 1])]
        (is_reached,) = look_up_after_lead(deals[rows], queries, rule, **options)
        low[rows] = np.where(is_reached, queried + 1, low[rows])
        high[rows] = np.where(is_reached, high[rows], queried)
    return np.where(low > 0, bounds[low], thresholds[0] - 1).astype(np.int8)


def list_states(vulnerable: Any, contracts: Sequence[DeclaredContract]) -> tuple[tuple[str, int], ...]:
    """Return the name and number of each vulnerability.

    None: every vulnerability that changes a score: two if only one side declares, otherwise four.

    >>> from dealerkit.scoring import parse_declared
    >>> list_states(None, [parse_declared("3NT by north")])
    (('not vulnerable', 0), ('vulnerable', 3))
    >>> list_states("NS", [])
    (('NS', 1),)
    """
    if vulnerable is None:
        if len({c.declarer & 1 for c in contracts if c.declarer is not None}) <= 1:
            return ("not vulnerable", 0), ("vulnerable", 3)
        return tuple(_name_state(number) for number in range(4))
    if isinstance(vulnerable, list | tuple):
        if not vulnerable:
            raise ArgumentError("vulnerable is an empty list; give none, NS, EW or both, or leave it out")
        return tuple(dict.fromkeys(_name_state(vulnerability_number(item)) for item in vulnerable))
    return (_name_state(vulnerability_number(vulnerable)),)


def _name_state(number: int) -> tuple[str, int]:
    name = VULNERABILITIES[number]
    return (name.upper() if name.upper() in SIDES else name), number


LEAST_SCALE = 1e-6  # share of the variance of a gain on which no displayed interval depends


def share_error(question: ContractQuestion, confidence: float) -> float:
    """Return the confidence of each comparison such that all together have the given one (Bonferroni)."""
    return 1 - (1 - confidence) / max(len(question.comparisons), 1)


def list_gains(
    question: ContractQuestion, found: Sequence[Estimate], confidence: float
) -> dict[int, Estimate]:
    """Return the gain of each strategy, from those of all comparisons at one vulnerability.

    If all pairs are compared, it is the gain over the best of the others (Edwards and Hsu, see
    `dealerkit.statistics.simultaneous.compare_with_best`).
    """
    together = [replace(estimate, confidence=confidence) for estimate in found]
    if not question.compares_pairs:
        return {each.strategy: gain for each, gain in zip(question.comparisons, together, strict=True)}
    # Both directions of each pair
    gains, low, high, errors = np.zeros((4, len(question.strategies), len(question.strategies)))
    for (k, ((other, _), *_)), gain in zip(question.comparisons, together, strict=True):
        gains[k, other], low[k, other], high[k, other] = gain.value, gain.lo, gain.hi
        gains[other, k], low[other, k], high[other, k] = -gain.value, -gain.hi, -gain.lo
        errors[k, other] = errors[other, k] = gain.se
    best = bound_with_best(gains, errors, low, high)
    return dict(enumerate(best.list_estimates(together[0].n, confidence)))


@dataclass(frozen=True)
class GainMeans:
    """The gains of all comparisons, and the shares of contracts made or beaten, from the columns of a sample.

    The widths that end a study are those of the displayed intervals, from `list_gains`.

    Parameters
    ----------
    question : ContractQuestion
    confidence : float
        Confidence level of the shares, and of the gains together.
    """

    question: ContractQuestion
    confidence: float

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimates; each gain has the level `confidence`."""
        question, means = self.question, sample.estimate()
        n_states = len(question.states)
        n_gains = len(question.comparisons) * n_states
        gains = [estimate_mean(sample, means, column, confidence) for column in range(n_gains)]
        shares = [
            estimate_share(sample, means, column, self.confidence)
            for column in range(n_gains, len(means.means))
        ]
        estimates = (*gains, *shares)
        widths = np.array([(each.hi - each.lo) / 2 for each in estimates])
        if not question.compares_pairs:
            return Summary(means, estimates, tuple(widths.tolist()))
        # A pair counts with the wider of its two displayed intervals, if one of the two may be the best.
        shown = widths.copy()
        for state in range(n_states):
            found = list_gains(question, gains[state::n_states], self.confidence)
            for number, (k, ((other, _), *_)) in enumerate(question.comparisons):
                pair = found[k], found[other]
                is_shown = any(gain.hi >= 0 for gain in pair)
                wider = max((gain.hi - gain.lo) / 2 for gain in pair)
                shown[number * n_states + state] = wider if is_shown else 0.0
        # Variances in the same proportion, which determine the size of the sample
        scale = np.maximum((shown / np.maximum(widths, 1e-300)) ** 2, LEAST_SCALE)
        scaled = replace(
            means,
            covariance=means.covariance * np.sqrt(np.outer(scale, scale)),
            variance=means.variance * scale,
            residuals=means.residuals * scale,
        )
        return Summary(scaled, estimates, tuple(shown.tolist()))

"""Values of solved deals and predictions for others, from which gains of strategies are estimated."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.frames import evaluate_text
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.trick_model.predictions import predict
from dealerkit.errors import ArgumentError
from dealerkit.scoring import SCORINGS
from dealerkit.statistics.rare_values import SHARE_RANGE, ValueRange
from dealerkit.studies.contracts.estimates import DealCounts, StudyData
from dealerkit.studies.contracts.outcomes import ContractQuestion, GainMeans, share_error
from dealerkit.studies.estimate.two_phase import Measures, PredictedValues, SampledMeans
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.solved_stratum import SolvedStratum

SEARCHED = 4_000  # deals dealt without finding a difference between strategies, after which the study stops
THRESHOLD_NS, TRICKS_NS = 2e6, 1.5e7  # cost of comparing the tricks with a number, and of finding the number
LEAST_SPREAD = 1e-3  # least standard deviation of predictions, so that no deal counts as certain
PILOT_DEALS = 200  # deals solved for mean tricks and scores, if gains need threshold queries only


@dataclass(eq=False)
class GainSampler:
    """The values and predictions of deals for `sample_means`, and what must be kept of the deals."""

    question: ContractQuestion
    uses_model: bool
    by: str | None
    exactly: bool
    is_dealt: bool
    journal: Journal = field(default_factory=Journal)

    def __post_init__(self) -> None:
        self.n_differing = self.n_deals = 0
        self.rule_counts = [np.zeros(len(each.rules), np.int64) for each in self.question.strategies]
        self.solved_rules: list[np.ndarray] = []  # of the deals of the first stratum, by strategy
        self.agreeing: list[np.ndarray] = []  # values of `by` on the deals without a difference
        self.first: list[Deals] = []  # deals with a difference, for mean tricks
        self.tricks: list[np.ndarray] = []
        self.solved: list[np.ndarray] = []  # tricks of the deals of the first stratum, with their differences
        self.solved_differ: list[np.ndarray] = []

    def measures(self, width: float, confidence: float) -> Measures:
        """Return gains by comparison and vulnerability, then whether each makes or beats its contract."""
        question = self.question
        n_shares = len(question.strategies)
        bounds = [question.bound_gains(each) for each in question.comparisons for _ in question.states]
        n_gains = len(bounds)
        precision = [width] * n_gains + [np.inf if n_gains and width else width] * n_shares
        similar = SCORINGS[question.scoring].limits.similar
        ranges = [ValueRange(low, high, similar) for low, high in bounds] + [SHARE_RANGE] * n_shares
        is_share = [False] * n_gains + [True] * n_shares
        cost = TRICKS_NS * len(question.cells) if self.exactly else 2 * THRESHOLD_NS
        level, means = share_error(question, confidence), GainMeans(question, confidence)
        return Measures(tuple(precision), tuple(is_share), tuple(ranges), cost, level, means)

    def predict(self, deals: Deals) -> PredictedValues:
        """Return the model's predictions of the measures; deals without a difference are exact."""
        question = self.question
        _, choices, differs = self._count(deals)
        if self.is_dealt and self.n_deals >= SEARCHED and not self.n_differing:
            raise_no_difference(question, self.n_deals)
        # What is needed of the other deals later
        if self.by is not None:
            self.agreeing.append(evaluate_text(deals[~differs], self.by, warns=False).astype(float))
        if sum(map(len, self.first)) < PILOT_DEALS:
            self.first.append(deals[differs][:PILOT_DEALS])
        # What the model expects on deals with a difference; on the others all gains are 0
        n_gains = len(question.comparisons) * len(question.states)
        expected = np.zeros((len(deals), n_gains + len(question.strategies)))
        spread = np.zeros_like(expected)
        rows = np.flatnonzero(differs)
        if self.uses_model and len(rows):
            part, chosen = deals[rows], choices[:, rows]
            successes = predict_successes(question, part, chosen).T
            columns, deviations = [successes], [np.sqrt(successes * (1 - successes))]
            if n_gains:
                means, sds = predict_gains(question, part, chosen)
                columns.insert(0, _flatten(means))
                deviations.insert(0, _flatten(sds))
            expected[rows] = np.concatenate(columns, axis=1)
            spread[rows] = np.concatenate(deviations, axis=1)
        return PredictedValues(expected, spread, ~differs)

    def _count(self, deals: Deals) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Count which rules apply; return rules, contracts, and the deals on which the strategies differ."""
        question = self.question
        rules, choices = question.choose(deals)
        for counts, rows in zip(self.rule_counts, rules, strict=True):
            counts += np.bincount(rows, minlength=len(counts))
        differs = question.find_differing(choices)
        self.n_deals += len(deals)
        self.n_differing += int(differs.sum())
        return rules, choices, differs

    def value(self, deals: Deals) -> np.ndarray:
        """Solve deals and return their measures."""
        _, choices = self.question.choose(deals)
        tricks = self._solve(deals, choices, self.exactly)
        self.tricks.append(tricks)
        return self._measure(choices, tricks)

    def value_of_solved(self, deals: Deals) -> np.ndarray:
        """Return the measures of deals with tables; all are 0 if the strategies agree."""
        rules, choices, differs = self._count(deals)
        tricks = self.question.solve(deals, choices)
        self.solved_rules.append(rules)
        self.solved.append(tricks)
        self.solved_differ.append(differs)
        return np.where(differs[:, None], self._measure(choices, tricks), 0.0)

    def _measure(self, choices: np.ndarray, tricks: np.ndarray) -> np.ndarray:
        """Return the gains and the successes of deals by their tricks, float64 [n, m]."""
        question = self.question
        successes = np.stack([question.find_successes(choice, tricks) for choice in choices], axis=1)
        if not question.comparisons:
            return successes.astype(float)
        gains = question.find_gains(choices, tricks)
        return np.concatenate((_flatten(gains), successes), axis=1)

    def _solve(self, deals: Deals, choices: np.ndarray, exactly: bool = True) -> np.ndarray:
        """Return the tricks of deals; those in the checkpoint are not solved again."""
        return self.journal.step(lambda: self.question.solve(deals, choices, exactly), deals.hands, choices)

    def collect(self, sampled: SampledMeans, stratum: SolvedStratum | None) -> tuple[StudyData, SampledMeans]:
        """Return the data for the tables of the study, and the sample with all solved deals."""
        question = self.question
        if not self.n_differing:
            raise_no_difference(question, self.n_deals)
        n_new = len(sampled.deals)
        empty = np.empty((len(question.cells), 0), np.int8)
        tricks = np.concatenate([empty, *self.tricks], axis=1)[:, :n_new]  # after an interrupt, fewer
        solved_counts = np.empty(0)
        if sampled.cost.from_solved and stratum is not None:  # those with a difference come first
            differs, weights = np.concatenate(self.solved_differ), sampled.means.weights
            kept = np.concatenate((differs, np.ones(n_new, bool)))
            solved_counts = _scale_counts(stratum)[differs]
            tricks = np.concatenate((np.concatenate(self.solved, axis=1)[:, differs], tricks), axis=1)
            hands = np.concatenate((stratum.deals.hands[differs], sampled.deals.hands))
            sampled = replace(
                sampled, deals=Deals(hands, check=False), means=replace(sampled.means, weights=weights[kept])
            )
        values = None
        if self.by is not None:
            values = (
                evaluate_text(sampled.deals, self.by, warns=False).astype(float),
                np.concatenate(self.agreeing),
            )
        data = StudyData(
            question, self._count_deals(stratum), tricks, self._find_pilot(sampled, tricks, solved_counts),
            values, self.uses_model and n_new > 0,
        )  # fmt: skip
        return data, sampled

    def _count_deals(self, stratum: SolvedStratum | None) -> DealCounts:
        """Return the numbers of deals of each kind, and their shares with the weights of solved deals."""
        n_deals, sums = self.n_deals, [counts.astype(float) for counts in self.rule_counts]
        n_differing, squares = float(self.n_differing), float(n_deals)
        if stratum is not None and self.solved_differ:
            counts = _scale_counts(stratum)
            n_differing += float((counts - 1) @ np.concatenate(self.solved_differ))
            squares += float(counts @ counts) - len(counts)
            for each, rules in zip(sums, np.concatenate(self.solved_rules, axis=1), strict=True):
                each += np.bincount(rules, counts - 1, len(each))
        shares = tuple(each / n_deals for each in sums)
        return DealCounts(
            n_deals,
            self.n_differing,
            tuple(self.rule_counts),
            shares,
            min(n_differing / n_deals, 1.0),  # weights are rounded
            n_deals**2 / squares,
        )

    def _find_pilot(
        self, sampled: SampledMeans, tricks: np.ndarray, solved_counts: np.ndarray
    ) -> tuple[Deals, np.ndarray, np.ndarray]:
        """Return deals with numbers of tricks and weights: solved deals, then deals solved now."""
        if self.exactly:
            return sampled.deals, tricks, sampled.means.weights
        # Few if a limit has ended the study; a study that has used all deals has a reason, too
        is_cut_short = sampled.reason and len(sampled.deals) < self.n_differing
        n_pilot = MIN_DEALS if is_cut_short else PILOT_DEALS
        n_solved = len(solved_counts)
        solved, known = sampled.deals[:n_solved], tricks[:, :n_solved]
        n_missing = max(n_pilot - n_solved, 0)
        if n_missing and self.first:
            first = Deals(np.concatenate([deals.hands for deals in self.first])[:n_missing], check=False)
            _, choices = self.question.choose(first)
            known = np.concatenate((known, self._solve(first, choices)), axis=1)
            solved = Deals(np.concatenate((solved.hands, first.hands)), check=False)
        return solved, known, np.append(solved_counts, np.ones(len(solved) - n_solved))


def _scale_counts(stratum: SolvedStratum) -> np.ndarray:
    """Return the number of deals that each deal of the first stratum stands for, 1 on average."""
    return stratum.counts / stratum.counts.mean()


def _flatten(values: np.ndarray) -> np.ndarray:
    """Return [comparisons, states, n] as [n, comparisons * states]."""
    return values.reshape(-1, values.shape[-1]).T


def check_difference(question: ContractQuestion, deals: Deals) -> None:
    """Raise ArgumentError if there is no deal on which the strategies choose different contracts."""
    if not question.find_differing(question.choose(deals)[1]).any():
        raise_no_difference(question, len(deals))


def raise_no_difference(question: ContractQuestion, n_deals: int) -> None:
    """Raise ArgumentError: the strategies choose the same contract on all deals."""
    names = " and ".join(each.name for each in question.strategies)
    raise ArgumentError(
        f"{names} choose the same contract on all {n_deals:,} deals, so there is nothing to compare; give "
        "other rules, or a condition under which they differ"
    )


def predict_gains(
    question: ContractQuestion, deals: Deals, choices: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return expected gains and their standard deviations, each a float64 [comparisons, states, n].

    Tricks in different strains, or of different declarers, are treated as independent given the predictions.
    The deviation of a gain over a field is the largest that the deviations over its members allow.
    """
    shape = len(question.comparisons), len(question.states), len(deals)
    expected, spread = np.zeros(shape), np.zeros(shape)
    chances = _predict_cells(question, deals, choices)
    for number, (k, others) in enumerate(question.comparisons):
        for other, share in others:
            # Deals with the same pair of contracts together
            kinds, kind_of = np.unique(choices[[k, other]], axis=1, return_inverse=True)
            for kind, (ours, theirs) in enumerate(kinds.T.tolist()):
                rows = np.flatnonzero(np.ravel(kind_of) == kind)
                if ours == theirs:
                    continue
                parts = [chances[cell][rows] for cell in _cells(question, ours, theirs)]
                mean, square = _expect(question, ours, theirs, parts)
                deviation = np.sqrt(np.maximum(square - mean**2, LEAST_SPREAD**2))
                expected[number][:, rows] += share * mean
                spread[number][:, rows] += share * deviation
    return expected, spread


def predict_successes(question: ContractQuestion, deals: Deals, choices: np.ndarray) -> np.ndarray:
    """Return the chance that our side makes or beats the contract, float64 [strategies, n]; 0 for a pass."""
    chances = _predict_cells(question, deals, choices)
    successes = np.zeros(choices.shape)
    for row, choice in zip(successes, choices, strict=True):
        for contract in np.unique(choice).tolist():
            if question.needed[contract]:
                rows = np.flatnonzero(choice == contract)
                chance = chances[int(question.cell_of[contract])][rows]
                row[rows] = chance @ question.success_chances[contract]
    return successes


def _cells(question: ContractQuestion, *contracts: int) -> list[int]:
    """Return the distinct cells of contracts, without passes."""
    return list(dict.fromkeys(int(question.cell_of[k]) for k in contracts if question.needed[k]))


def _predict_cells(question: ContractQuestion, deals: Deals, choices: np.ndarray) -> dict[int, np.ndarray]:
    """Return the probability of each number of tricks by cell, float64 [n, 14]."""
    cells = dict.fromkeys(cell for k in np.unique(choices).tolist() for cell in _cells(question, k))
    chances = {}
    for cell in cells:
        at_least = predict(deals, *question.cells[cell]).at_least.astype(float)
        chances[cell] = at_least - np.append(at_least[:, 1:], np.zeros((len(deals), 1)), axis=1)
    return chances


def _expect(
    question: ContractQuestion, ours: int, theirs: int, chances: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the expected gain of one contract over another, and its expected square, [states, n]."""
    gains = question.find_gain_table(ours, theirs)
    if len(chances) == 1:
        return gains @ chances[0].T, gains**2 @ chances[0].T
    mean, square = (np.einsum("sjk,nj,nk->sn", table, *chances, optimize=True) for table in (gains, gains**2))
    return mean, square

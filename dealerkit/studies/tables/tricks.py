"""Mean tricks and make rates of sides by their points and their fit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dealerkit.appearance.wording import describe_object
from dealerkit.arguments import check_integer, check_name
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import STRAINS
from dealerkit.errors import ArgumentError
from dealerkit.formats.library import Library
from dealerkit.runtime.progress import long_work
from dealerkit.statistics import Estimate
from dealerkit.statistics.accumulation import add_by_cluster
from dealerkit.statistics.intervals import check_confidence, student_quantile
from dealerkit.studies.contract_patterns import LEVELS
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.provenance import repeatable
from dealerkit.studies.sides import (
    TRICKS_DECLARERS,
    SideEvaluator,
    choose_strains,
    count_fits,
    find_side_tricks,
    parse_strain_rule,
)
from dealerkit.studies.tables.grouped_estimates import GroupedEstimates
from dealerkit.studies.tables.solved_source import SolvedBatch, SolvedSource
from dealerkit.studies.tables.tricks_result import (
    SHIFT,
    Tails,
    TricksTable,
    combine_sums,
    number_cells,
    split_cell,
)

GAME = np.array(LEVELS["game"]) + 6  # tricks that make game, by strain
MOST_VALUES = 200  # largest number of values of the points


@long_work
@repeatable
def tricks_by(
    deals: Deals | Library | None = None,
    *,
    points: str = "hcp",
    fit: str | None = "fit",
    strain: str = "longest fit",
    declarer: str = "better",
    level: int | None = None,
    where: str | None = None,
    confidence: float = 0.95,
) -> TricksTable:
    """Return mean tricks and make rates of sides by points and fit.

    Both sides of every deal are rows. They depend on each other, so intervals are clustered by deal.

    Parameters
    ----------
    deals : Deals or Library, optional
        Solved deals; a library of any size is read in batches. By default `dealerkit.solved_sample`.
    points : str
        An evaluator such as ``hcp``, whose values for both hands are combined by its rule, or an expression
        about north and south. Values that are not whole numbers are rounded, halves up.
    fit : str or None
        The same; ``fit`` by itself is the number of trumps, in notrump the length of the longest suit. None:
        a table by points only.
    strain : str
        ``longest fit`` (the higher-ranking suit if equal), ``best major``, ``best suit`` (the one with most
        tricks, the longest if equal), ``notrump`` or a suit: see `dealerkit.compare`.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more (better), or the mean of both hands.
    level : int 1 to 7, optional
        Level of the contract whose make rate is shown. None: game, that is nine tricks in notrump, ten in a
        major, eleven in a minor. For the mean of both declarers, it is the mean of their rates.
    where : str, optional
        Use only sides for which this expression for north-south is true, such as ``"fit >= 8"``, with the fit
        in the strain played.
    confidence : float in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    TricksTable

    Raises
    ------
    ArgumentError
        Deals are not solved, there are fewer than 30 deals, a rule is unknown, or points or fit are all
        equal.
    ScriptError, UnknownNameError
        An expression is invalid.

    Examples
    --------
    >>> from dealerkit.formats.sample import solved_sample
    >>> table = tricks_by(solved_sample()[:20_000], fit=None, strain="notrump", declarer="mean")
    >>> table.by_points.tricks[[20, 25]].round(1).to_dict()
    {20: 6.0, 25: 8.6}
    """
    # The arguments
    check_confidence(confidence)
    rule = parse_strain_rule(strain)
    declarer = check_name("declarer", declarer, TRICKS_DECLARERS)
    if level is not None and not 1 <= check_integer("level", level, 1) <= 7:
        raise ArgumentError(f"level is {level}; it must be 1 to 7, or None for game")
    for name, text in (("points", points), ("fit", fit), ("where", where)):
        if not isinstance(text, str) and (name == "points" or text is not None):
            raise ArgumentError(f"{name} is {describe_object(text)}; give an evaluator or an expression")
    # Sums over all batches
    source = SolvedSource.open(deals)
    sums = _TricksSums(rule, declarer, level, points, fit, where)
    for batch in source.batches():
        sums.update(batch)
    whole = sums.everything.groups.get(0)
    n_deals = whole.n_clusters if whole else 0
    if n_deals < MIN_DEALS and where is not None:
        raise ArgumentError(f"{n_deals} deals have a side with {where}: a table needs at least {MIN_DEALS}")
    source.check_count(n_deals)
    assert sums.tails is not None
    # The line through all sides, and the table
    coefficients, r = sums.line.fit(confidence)
    names = ("constant", "points", "fit")[: len(coefficients)]
    n_sides = whole.n if whole else 0
    return TricksTable(
        **sums.tabulate(confidence),
        line={
            name: Estimate(value, se, lo, hi, n_sides, confidence)
            for name, (value, se, lo, hi) in zip(names, coefficients.tolist(), strict=True)
        },
        r=r, tails=sums.tails, points=points, fit=fit, strain=rule, declarer=declarer, level=level,
        where=where, deals=n_deals,
        sides=n_sides, rounded=sums.rounded, confidence=confidence,
        origin=source.describe(len(source.deals)),
    )  # fmt: skip


@dataclass(eq=False)
class _TricksSums:
    """Sums by points, by fit, and by both: pairs of mean tricks and make rates."""

    rule: str
    declarer: str
    level: int | None
    points: str
    fit: str | None
    where: str | None
    rounded: bool = False
    tails: Tails | None = None
    everything: GroupedEstimates = field(default_factory=lambda: GroupedEstimates((0.0, 13.0)))

    def __post_init__(self) -> None:
        def create_pair() -> tuple[GroupedEstimates, GroupedEstimates]:
            return GroupedEstimates((0.0, 13.0)), GroupedEstimates((0.0, 1.0))

        self.cells, self.joined = create_pair(), create_pair()
        self.by_points, self.by_fit = create_pair(), create_pair()
        self.line = LineSums(1 if self.fit is None else 2)

    def update(self, batch: SolvedBatch) -> None:
        """Add the sides of a batch."""
        # Tricks, points and fit of each side
        strains = choose_strains(batch.deals, self.rule)
        tricks = find_side_tricks(batch.deals, strains, self.declarer)
        made = self._find_made(batch.deals, strains)
        evaluator = SideEvaluator(batch.deals, strains)
        raw = evaluator.evaluate_text(self.points)
        fits = self._find_fit(evaluator, batch.deals, strains)
        # The chosen sides, rounded to the groups of the tables
        chosen = np.ones(strains.shape, bool)
        if self.where is not None:
            chosen = evaluator.evaluate_text(self.where) != 0
        raw, fits, tricks, made = raw[chosen], fits[chosen], tricks[chosen], made[chosen]
        clusters, weights = batch.select_sides(chosen)
        points, fit = self._round(raw, "points"), self._round(fits, "fit")
        self._check_values(points)
        # The line uses the values as they are
        predictors = raw[:, None] if self.fit is None else np.column_stack([raw, fits])
        self.line.update(predictors.astype(float), tricks, weights, clusters)
        # Rare values are joined at both ends, according to the first batch
        if self.tails is None and len(points):
            self.tails = Tails.choose(points, fit)
        self.everything.update(np.zeros(len(points), int), tricks, weights, clusters)
        keys = [(self.by_points, points)]
        if self.fit is not None and self.tails is not None:
            joined = self.tails.join(points, fit)
            keys += [(self.by_fit, fit), (self.cells, number_cells(points, fit))]
            keys += [(self.joined, number_cells(*joined))]
        # Mean tricks and the make rate of each group
        for pair, groups in keys:
            pair[0].update(groups, tricks, weights, clusters)
            pair[1].update(groups, made, weights, clusters)

    def tabulate(self, confidence: float) -> dict[str, Any]:
        """Return the rows of all tables by name; without fit, the whole table is the one by points."""
        by_points = combine_sums(*self.by_points, confidence)
        if self.fit is None:
            return {"cells": by_points, "rows": by_points, "columns": {}, "joined": by_points}
        cells, joined = (
            {split_cell(number): row for number, row in combine_sums(*pair, confidence).items()}
            for pair in (self.cells, self.joined)
        )
        by_fit = combine_sums(*self.by_fit, confidence)
        return {"cells": cells, "rows": by_points, "columns": by_fit, "joined": joined}

    def _check_values(self, points: np.ndarray) -> None:
        """Raise ArgumentError if the points have too many values for a table."""
        if len(np.unique(points)) > MOST_VALUES:
            raise ArgumentError(
                f"{self.points} has more than {MOST_VALUES} values; divide it, as in 'zar / 5', so that a "
                "row of the table holds several"
            )

    def _find_made(self, deals: Deals, strains: np.ndarray) -> np.ndarray:
        """Return whether each side makes the contract; for the mean of both declarers, the mean of both."""
        needed = GAME[strains] if self.level is None else np.full(strains.shape, self.level + 6)
        if self.declarer == "better":
            return find_side_tricks(deals, strains, "better") >= needed
        assert deals.tables is not None
        row = np.arange(len(deals))[:, None]
        sides = np.array([0, 1])
        each = [deals.tables[row, strains, sides + 2 * hand] >= needed for hand in (0, 1)]
        return (each[0] + each[1].astype(float)) / 2

    def _find_fit(self, evaluator: SideEvaluator, deals: Deals, strains: np.ndarray) -> np.ndarray:
        """Return the fit of both sides; zeros for a table without fit."""
        if self.fit is None:
            return np.zeros(strains.shape)
        if self.fit != "fit":
            return evaluator.evaluate_text(self.fit)
        length = count_fits(deals)
        suit = np.where(strains == STRAINS.index("notrump"), length.argmax(axis=2), strains)
        return np.take_along_axis(length, suit[..., None].astype(np.intp), axis=2)[..., 0]

    def _round(self, values: np.ndarray, name: str) -> np.ndarray:
        """Return values as whole numbers, halves rounded up."""
        numbers = np.floor(values + 0.5).astype(np.int64) if values.dtype.kind == "f" else values.astype(int)
        self.rounded |= bool((numbers != values).any())
        if len(numbers) and not -SHIFT < numbers.min() <= numbers.max() < SHIFT:
            raise ArgumentError(f"{name} has values above {SHIFT - 1:,}; divide the expression")
        return numbers


class LineSums:
    """Sums over clusters from which least squares and their cluster-robust covariance follow.

    Batches end with the last row of a cluster, so a cluster never spans two of them.

    Parameters
    ----------
    n_predictors : int
        Number of predictors without the constant.

    Examples
    --------
    >>> sums = LineSums(1)
    >>> sums.update(np.arange(4.0)[:, None], np.array([1.0, 3.0, 5.0, 7.0]), None, np.arange(4))
    >>> sums.fit(0.95)[0].round(6).tolist()
    [[1.0, 0.0, 1.0, 1.0], [2.0, 0.0, 2.0, 2.0]]
    """

    def __init__(self, n_predictors: int) -> None:
        p = self._p = n_predictors + 1
        self._xx, self._xy, self._yy = np.zeros((p, p)), np.zeros(p), np.zeros(3)
        # Sums over clusters of the products of all entries of a cluster's X'y and X'X.
        self._products = np.zeros((p + p * p, p + p * p))
        self._n = self._n_clusters = 0

    def update(
        self, predictors: np.ndarray, values: np.ndarray, weights: np.ndarray | None, clusters: np.ndarray
    ) -> None:
        """Add a batch: predictors [n, p], values, weights and ascending clusters [n]."""
        if not len(values):
            return
        x = np.column_stack([np.ones(len(values)), predictors])
        w = np.ones(len(values)) if weights is None else weights
        wx = x * w[:, None]
        entries = np.hstack([wx * values[:, None], (wx[:, :, None] * x[:, None, :]).reshape(len(x), -1)])
        sums = add_by_cluster(entries, clusters)
        self._products += sums.T @ sums
        total = entries.sum(axis=0)
        self._xy += total[: self._p]
        self._xx += total[self._p :].reshape(self._p, self._p)
        self._yy += w.sum(), w @ values, w @ values**2
        self._n += int((w > 0).sum())
        self._n_clusters += len(sums)

    def fit(self, confidence: float) -> tuple[np.ndarray, float]:
        """Return a row for the constant and each predictor (value, error, both ends), and the correlation.

        The covariance is the sandwich estimate over clusters with the factor G / (G - 1) (n - 1) / (n - p);
        the intervals are Student's t with G - 1 degrees of freedom, as in the references of
        `dealerkit.compare`.

        Raises
        ------
        ArgumentError
            Predictors have a single value, or are linear functions of each other.
        """
        p = self._p
        if float(np.linalg.cond(self._xx)) > 1e14:
            raise ArgumentError(
                "the points and the fit have one value for all sides, or one follows from the other; give "
                "other expressions, or fit=None"
            )
        beta = np.linalg.solve(self._xx, self._xy)
        score = np.hstack([np.eye(p), -np.kron(np.eye(p), beta[None, :])])  # of a cluster: X'y - X'X beta
        inverse = np.linalg.inv(self._xx)
        covariance = inverse @ (score @ self._products @ score.T) @ inverse
        n, groups = self._n, self._n_clusters
        covariance *= groups / (groups - 1) * (n - 1) / (n - p)
        se = np.sqrt(np.maximum(np.diag(covariance), 0))
        se[se < 1e-9 * (np.abs(beta) + 1)] = 0.0  # rounding
        half = student_quantile(confidence, groups - 1) * se
        weight, total, squares = self._yy.tolist()
        spread = float(squares - total**2 / weight)
        residual = max(float(squares - beta @ self._xy), 0.0)
        r = math.sqrt(max(0.0, 1 - residual / spread)) if spread > 0 else 0.0
        return np.column_stack([beta, se, beta - half, beta + half]), r

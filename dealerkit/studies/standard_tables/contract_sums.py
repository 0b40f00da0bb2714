"""Sums over the sides of a class: the scores of candidate contracts, and what each gains over each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.scoring import SCORINGS
from dealerkit.studies.contract_patterns import GROUP_TEXTS, LEVELS, ContractPattern

CANDIDATES = tuple(LEVELS)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A contract that a side may bid: of a certain level, or the game or slam of the strain that it plays.

    Examples
    --------
    >>> game = Candidate.parse("game")
    >>> str(game), game.levels
    ('game', (4, 4, 5, 5, 3))
    >>> Candidate.parse("3nt").strain
    4
    """

    name: str
    levels: tuple[int, ...]
    pattern: ContractPattern | None = None

    @classmethod
    def parse(cls, text: object) -> Candidate:
        """Return the candidate of ``partscore``, ``game``, ``small slam``, ``grand slam`` or a contract."""
        if isinstance(text, str) and (name := " ".join(text.lower().split())) in LEVELS:
            return cls(name, LEVELS[name])
        pattern = ContractPattern.parse(text)
        return cls(str(pattern), (pattern.level,) * 5, pattern)

    def __str__(self) -> str:
        return self.name

    @property
    def strain(self) -> int | None:
        """Its strain, S H D C N = 0..4; None if it is the one that the side plays."""
        return self.pattern.strains[0] if self.pattern is not None and self.pattern.is_fixed else None

    def check_strains(self, played: np.ndarray) -> None:
        """Raise ArgumentError if a side plays a strain that the contract cannot have."""
        if self.pattern is None or self.pattern.is_fixed:
            return
        if not np.isin(played, self.pattern.strains).all():
            raise ArgumentError(
                f"{self} needs {GROUP_TEXTS[self.pattern.strain]}, which some sides do not play; give "
                "another strain=, or a candidate such as 'game': 3NT, four of a major or five of a minor"
            )

    def score_table(self, vulnerable: bool) -> np.ndarray:
        """Return scores by strain and tricks, int64 [5, 14]."""
        doubled = 0 if self.pattern is None else self.pattern.doubled
        rows = [
            ContractPattern(level, "SHDCN"[strain], doubled).score_tricks(vulnerable)[strain]
            for strain, level in enumerate(self.levels)
        ]
        return np.stack(rows)


@dataclass(frozen=True, eq=False)
class ClassSums:
    """Sums over the sides of one class.

    The columns are 1, the gains of all pairs of candidates, the scores, and whether each makes.

    Attributes
    ----------
    sides, deals : int
        Numbers of sides, and of deals or clusters.
    sums : ndarray of float64 [m]
        Weighted sums of the columns.
    products : ndarray of float64 [m, m]
        Sums over deals of products of the deals' sums.
    """

    sides: int
    deals: int
    sums: np.ndarray
    products: np.ndarray

    def __add__(self, other: ClassSums) -> ClassSums:
        return ClassSums(
            self.sides + other.sides, self.deals + other.deals, self.sums + other.sums,
            self.products + other.products,
        )  # fmt: skip

    @property
    def means(self) -> np.ndarray:
        """Weighted means of the columns but the first, float64 [m - 1]."""
        result: np.ndarray = self.sums[1:] / self.sums[0]
        return result

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of `means`, clustered by deal: float64 [m - 1, m - 1].

        Of ratio estimates, with the factor G / (G - 1) for G deals (Cochran, *Sampling Techniques*, 1977,
        6.2 and 9A).
        """
        means, products = self.means, self.products
        cross = np.outer(means, products[0, 1:])
        residual = products[1:, 1:] - cross - cross.T + np.outer(means, means) * products[0, 0]
        result: np.ndarray = residual * self.deals / (self.deals - 1) / self.sums[0] ** 2
        return result


def list_pairs(count: int) -> list[tuple[int, int]]:
    """Return all pairs of candidates, the earlier one first."""
    return list(combinations(range(count), 2))


def score_candidates(
    candidates: tuple[Candidate, ...], strain: np.ndarray, tricks: np.ndarray, vulnerable: bool, scoring: str
) -> np.ndarray:
    """Return a row for each side: gains of all pairs, scores, and whether each contract makes.

    Parameters
    ----------
    candidates : tuple of Candidate
    strain : ndarray of int [n]
        The strain that each side plays.
    tricks : ndarray of int [n, 5]
        Of each side in each strain; only those of `strain` and of the candidates' strains are read.
    vulnerable : bool
    scoring : {"imps", "matchpoints", "board-a-match", "points"}

    Returns
    -------
    ndarray of float64 [n, pairs + 2 candidates]
    """
    rows = np.arange(len(strain))
    scores, makes = [], []
    for candidate in candidates:
        own = strain if candidate.strain is None else np.full(len(strain), candidate.strain)
        taken = tricks[rows, own]
        scores.append(candidate.score_table(vulnerable)[own, taken])
        makes.append(taken >= np.array(candidate.levels)[own] + 6)
    gains = [SCORINGS[scoring].compare(scores[i], scores[j]) for i, j in list_pairs(len(candidates))]
    return np.stack([*gains, *scores, *makes], axis=1).astype(float)


def add_by_class(
    columns: np.ndarray, values: np.ndarray, clusters: np.ndarray, weights: np.ndarray | None
) -> dict[float, ClassSums]:
    """Return the sums of rows by class.

    Parameters
    ----------
    columns : ndarray of float64 [n, m - 1]
    values : ndarray of float64 [n]
        The class of each row.
    clusters : ndarray of int [n]
        Deals; rows with the same number depend on each other.
    weights : ndarray of float64 [n] or None

    Examples
    --------
    >>> rows = np.array([[1.0], [2.0], [9.0]])
    >>> sums = add_by_class(rows, np.array([20, 20, 25]), np.array([0, 0, 1]), None)
    >>> [(value, part.deals, part.means.tolist()) for value, part in sums.items()]
    [(20.0, 1, [1.5]), (25.0, 1, [9.0])]
    """
    if not len(values):
        return {}
    weight = np.ones(len(values)) if weights is None else weights
    order = np.lexsort((clusters, values))
    value, cluster = values[order], clusters[order]
    rows = np.concatenate([weight[:, None], columns * weight[:, None]], axis=1)[order]
    changes = np.diff(value, prepend=np.nan) != 0
    starts = np.flatnonzero(changes | (np.diff(cluster, prepend=-1) != 0))
    deals = np.add.reduceat(rows, starts)
    firsts = np.flatnonzero(changes[starts])
    counts = np.diff([*np.flatnonzero(changes), len(value)])
    return {
        float(value[starts[first]]): ClassSums(
            int(count), last - first, deals[first:last].sum(axis=0), deals[first:last].T @ deals[first:last]
        )
        for first, last, count in zip(
            firsts.tolist(), [*firsts[1:].tolist(), len(deals)], counts, strict=True
        )
    }

"""The sides of deals that a comparison uses, as arrays with a row for each side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.dealing.random_words import block_key, fill_random_words
from dealerkit.errors import ArgumentError
from dealerkit.studies.limits import MIN_DEALS

FOLD_KEY = 0x666F6C64  # this use of a seed has its own keys


@dataclass(frozen=True, eq=False)
class SideData:
    """The sides of deals that a comparison uses; a row for each, rows of a deal beside each other.

    Parameters
    ----------
    measures : mapping of str to ndarray of float64
        Values of each compared measure, [rows] or, with several predictors, [rows, p].
    target : ndarray of float64 [shape=(rows,)]
        What is predicted.
    tricks : ndarray of float64 [shape=(rows,)]
        Tricks of the side in the strain played.
    strain : ndarray of int8 [shape=(rows,)]
        The strain played: S H D C N = 0..4.
    tables : ndarray of float64 [shape=(rows, 5)]
        Tricks of the side in each strain.
    deal : ndarray of int64 [shape=(rows,)]
        Number of the deal or cluster, 0..G-1 ascending. Rows with the same number depend on each other.
    fold : ndarray of int8 [shape=(rows,)]
        Part of the data for cross-validation; equal for the rows of a deal.
    weight : ndarray of float64 [shape=(rows,)] or None
        Weights of the rows; None if all are equal.
    """

    measures: Mapping[str, np.ndarray]
    target: np.ndarray
    tricks: np.ndarray
    strain: np.ndarray
    tables: np.ndarray
    deal: np.ndarray
    fold: np.ndarray
    weight: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def deals(self) -> int:
        """Number of deals, or of clusters of deals."""
        return int(self.deal[-1]) + 1 if len(self.deal) else 0

    def select(self, rows: np.ndarray) -> SideData:
        """Return the chosen rows, bool [rows]; the deals are numbered anew, the folds stay."""
        number = np.unique(self.deal[rows], return_inverse=True)[1].astype(np.int64)
        return replace(
            self,
            measures={name: values[rows] for name, values in self.measures.items()},
            target=self.target[rows],
            tricks=self.tricks[rows],
            strain=self.strain[rows],
            tables=self.tables[rows],
            deal=number,
            fold=self.fold[rows],
            weight=None if self.weight is None else self.weight[rows],
        )


def check_folds(folds: Any) -> int:
    """Return the number of folds; raise ArgumentError if the smallest sample cannot have as many.

    >>> check_folds(10)
    10
    """
    number = check_integer("folds", folds)
    if not 2 <= number <= MIN_DEALS:
        raise ArgumentError(f"folds is {number}; give 2 to {MIN_DEALS}")
    return number


def assign_folds(deals: int, folds: int, seed: int) -> np.ndarray:
    """Return a fold for each deal at random, int8 [deals]; no two folds differ by more than one deal.

    >>> np.bincount(assign_folds(32, 10, seed=1)).tolist()
    [4, 4, 3, 3, 3, 3, 3, 3, 3, 3]
    """
    words = np.empty(deals, np.uint64)
    fill_random_words(words, np.arange(deals, dtype=np.uint64), np.uint64(0), block_key(seed, 0, FOLD_KEY))
    fold = np.empty(deals, np.int8)
    fold[np.argsort(words)] = np.arange(deals) % folds
    return fold

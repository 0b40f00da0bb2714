"""Clauses about one hand, or about the 26 cards of a side, combined into a `HandSet`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dealerkit.counting.features import Feature, FeatureMap, map_features
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.dealing.conditional.hand_sets import MAX_CODES, HandSet, list_shapes

MAX_POINTS = 1 << 19  # combinations of shape and sums for which one clause is evaluated: about 10 ms
BranchSlots = tuple[tuple[int, ...], ...]  # slots of the branches of an ``or``: all of one branch are true


class HandSetBuilder:
    """Constraints on the 13 cards of one seat, or on the 26 of one side."""

    def __init__(self, sums: SuitSums, cards: int) -> None:
        self.sums = sums
        self.shapes = list_shapes(cards)
        self.digits: list[_Digit] = []  # of the code of a hand in mixed radix, the lowest first
        self.constraints: list[_Constraint] = []

    def add(self, branches: BranchSlots) -> str:
        """Add a constraint and return an empty string, or return the reason why a set cannot express it."""
        mapping = map_features(self.sums, {slot for slots in branches for slot in slots})
        constraint = _Constraint(branches, mapping, tuple(map(_Digit, mapping.features)))
        if constraint.suit is None:
            summed = [digit for digit in constraint.digits if not digit.feature.by_length]
            digits = self.digits + [digit for digit in summed if digit not in self.digits]
            n_codes, n_points = (math.prod(digit.radix for digit in part) for part in (digits, summed))
            if len(summed) < len(constraint.digits):
                n_points *= len(self.shapes)
            if n_codes > MAX_CODES:
                return f"the sums in the clauses have {n_codes:,} values together, more than {MAX_CODES:,}"
            if n_points > MAX_POINTS:
                return f"it depends on {n_points:,} combinations of shape and sums, more than {MAX_POINTS:,}"
            self.digits = digits
        self.constraints.append(constraint)
        return ""

    def build(self, holdings: np.ndarray) -> HandSet:
        """Return the set of all hands with these holdings (bool [4, 8192]) that meet the constraints."""
        holdings = holdings.copy()
        allowed = np.ones((len(self.shapes), *(digit.radix for digit in self.digits[::-1])), bool)
        for constraint in self.constraints:
            if constraint.suit is None:
                allowed &= self._evaluate_grid(constraint)
            else:
                steps = [digit.steps[constraint.suit] for digit in constraint.digits]
                holdings[constraint.suit] &= constraint.evaluate(steps, 8192)
        codes, weight = np.zeros((4, 8192), np.int32), 1
        for digit in self.digits:
            codes += (digit.steps * weight).astype(np.int32)
            weight *= digit.radix
        allowed = allowed.reshape(len(self.shapes), -1)
        highest_code = np.flatnonzero(allowed.any(axis=0)).max(initial=0)
        return HandSet(holdings, codes, allowed[:, : highest_code + 1])

    def _evaluate_grid(self, constraint: _Constraint) -> np.ndarray:
        """Return a constraint's truth by shape and digits; axes on which it does not depend have length 1."""
        n_axes = 1 + len(self.digits)
        steps = []
        for digit in constraint.digits:
            axis = 0
            if digit.feature.by_length:
                lowest_cards = (1 << self.shapes.astype(np.int64)) - 1
                numbers = sum(digit.steps[suit][lowest_cards[:, suit]] for suit in range(4))
            else:
                axis, numbers = n_axes - 1 - self.digits.index(digit), np.arange(digit.radix)
            steps.append(np.expand_dims(numbers, [other for other in range(n_axes) if other != axis]))
        grid = np.broadcast_arrays(*steps)
        return constraint.evaluate([part.ravel() for part in grid], grid[0].size).reshape(grid[0].shape)


@dataclass(frozen=True, eq=False)
class _Digit:
    """A feature of one hand as a digit of its code; digits are equal if all holdings add equal steps."""

    feature: Feature

    @cached_property
    def steps(self) -> np.ndarray:
        """The steps of each holding, int64 [4, 8192]; the seats of a side have equal tables."""
        steps = np.zeros((4, 8192), np.int64)
        for (_, suit), table in self.feature.tables.items():
            steps[suit] = table
        return steps

    @cached_property
    def radix(self) -> int:
        """One more than the most steps of a hand."""
        return 1 + int(self.steps.max(axis=1).sum())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Digit) and np.array_equal(self.steps, other.steps)


@dataclass(frozen=True, eq=False)
class _Constraint:
    """A constraint, and the features of one hand on which it depends."""

    branches: BranchSlots
    mapping: FeatureMap
    digits: tuple[_Digit, ...]

    @property
    def suit(self) -> int | None:
        """The suit, if it depends on one suit only."""
        suits = {suit for _, suit in self.mapping.seat_suits}
        return suits.pop() if len(suits) == 1 else None

    def evaluate(self, steps: Sequence[np.ndarray], count: int) -> np.ndarray:
        """Return where all slots of a branch are true, bool [count]."""
        branches = [
            np.logical_and.reduce([self.mapping.evaluate(steps, count, slot) != 0 for slot in branch])
            for branch in self.branches
        ]
        return np.logical_or.reduce(branches)

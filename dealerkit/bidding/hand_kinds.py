"""All hands, counted by what conditions depend on.

Conditions about one hand that are functions of sums over suits (`counting.features`) cannot distinguish hands
with equal suit lengths and equal sums. For points, lengths and the quality of three suits there are about
50,000 kinds of hands, so each condition is evaluated once per kind, and shares of hands are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import to_truth
from dealerkit.counting.features import Feature, FeatureMap, map_features
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.dealing.conditional.hand_sets import HOLDING_LENGTHS

N_HANDS = comb(52, 13)
MAX_JOINED = 20_000_000  # pairs of partial hands joined at once, which takes half a second
_LENGTH_BITS = 16


@dataclass(frozen=True, eq=False)
class HandKinds:
    """The kinds of hands that some slots of a graph distinguish.

    Attributes
    ----------
    mapping : FeatureMap
    counts : ndarray of int64 [n]
        Number of hands of each kind; they add up to `N_HANDS`.
    lengths : ndarray of int64 [n, 4]
        Suit lengths S H D C.
    steps : tuple of ndarray of int64 [n]
        Values for each feature of the map.
    """

    mapping: FeatureMap
    counts: np.ndarray
    lengths: np.ndarray
    steps: tuple[np.ndarray, ...]

    @classmethod
    def count(cls, graph: OperationGraph, slots: Sequence[int]) -> HandKinds:
        """Return the kinds of hands for slots that depend only on north's hand.

        Raises
        ------
        NotAdditive
            A slot is not a function of sums over suits.
        TooManyStates
            There are too many kinds.

        Examples
        --------
        >>> from dealerkit.compiler.compilation import compile_condition
        >>> compiled = compile_condition("hcp(north) >= 15 and spades(north) == 5")
        >>> kinds = HandKinds.count(compiled.graph, compiled.clauses)
        >>> int(kinds.counts.sum()) == N_HANDS
        True
        """
        mapping = map_features(SuitSums(graph), slots)
        digits: list[np.ndarray] = []
        places: list[int] = []  # place of each feature among the digits; -1 for a feature of lengths
        for feature in mapping.features:
            steps = _list_steps(feature)
            if feature.by_length:
                places.append(-1)
                continue
            equal = next((k for k, other in enumerate(digits) if np.array_equal(other, steps)), len(digits))
            if equal == len(digits):
                digits.append(steps)
            places.append(equal)
        radices = [1 + int(steps.max(axis=1).sum()) for steps in digits]
        codes, counts = _join_suits(digits, radices)
        lengths = codes[:, None] >> np.array([12, 8, 4, 0]) & 15
        rest = codes >> _LENGTH_BITS
        values = []
        for radix in radices:
            values.append(rest % radix)
            rest = rest // radix
        lowest = (1 << np.arange(14)) - 1  # one holding of each length
        steps_by_feature = []
        for feature, place in zip(mapping.features, places, strict=True):
            if place >= 0:
                steps_by_feature.append(values[place])
            else:
                table = _list_steps(feature)[:, lowest]
                steps_by_feature.append(sum(table[suit][lengths[:, suit]] for suit in range(4)))
        return cls(mapping, counts, lengths, tuple(steps_by_feature))

    def evaluate(self, slots: Sequence[int]) -> list[np.ndarray]:
        """Return the values of slots for each kind."""
        return self.mapping.evaluate_slots(self.steps, len(self.counts), slots)

    def find_truth(self, slots: Sequence[int]) -> list[np.ndarray]:
        """Return the kinds for which slots are true, bool [n] each."""
        return [to_truth(values) for values in self.evaluate(slots)]


def _list_steps(feature: Feature) -> np.ndarray:
    """Return what each holding adds to a feature of north's hand, int64 [4, 8192]."""
    steps = np.zeros((4, 8192), np.int64)
    for (_, suit), table in feature.tables.items():
        steps[suit] = table
    return steps


def _join_suits(digits: Sequence[np.ndarray], radices: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct codes of hands, lengths below sums in mixed radix, and their numbers of hands."""
    codes, counts = np.zeros(1, np.int64), np.ones(1, np.int64)
    lengths = np.zeros(1, np.int64)
    for suit in range(4):
        own = HOLDING_LENGTHS.astype(np.int64) << (12 - 4 * suit)
        weight = 1 << _LENGTH_BITS
        for steps, radix in zip(digits, radices, strict=True):
            own = own + steps[suit] * weight
            weight *= radix
            if weight >= 1 << 62:
                raise TooManyStates("the conditions depend on too many sums together")
        own, first, ways = np.unique(own, return_index=True, return_counts=True)
        own_lengths = HOLDING_LENGTHS[first].astype(np.int64)
        # Of the last suit, only the length that completes thirteen cards is joined.
        parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        size = 0
        for length in range(14):
            chosen = lengths == length
            fitting = own_lengths == 13 - length if suit == 3 else own_lengths <= 13 - length
            size += int(chosen.sum()) * int(fitting.sum())
            if size > MAX_JOINED:
                raise TooManyStates("the conditions tell too many kinds of hands apart")
            parts.append(
                (
                    np.add.outer(codes[chosen], own[fitting]).ravel(),
                    np.multiply.outer(counts[chosen], ways[fitting]).ravel(),
                    np.add.outer(lengths[chosen], own_lengths[fitting]).ravel(),
                )
            )
        codes, counts, lengths = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.argsort(codes)
        codes = codes[order]
        starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
        counts = np.add.reduceat(counts[order], starts)
        lengths, codes = lengths[order][starts], codes[starts]
    return codes, counts

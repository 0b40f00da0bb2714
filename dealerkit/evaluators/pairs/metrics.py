"""How a count of a partnership is described, and how it becomes columns.

The rules are functions of a `Pair`; here is what carries them: `Values`, what a rule gives; `Metric`,
a rule with its name, source and the places of its components in DealerV2's list of 128 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.pairs.pair import Pair

BLOCK = 4096  # deals whose columns stay in the cache
VARIANTS = ("intended", "coded")
NOTRUMP = 4


@dataclass(frozen=True, slots=True)
class Values:
    """What a count gives for both hands of a side.

    Parameters
    ----------
    notrump, suit : ndarray of int16 [shape=(2, n)]
        The value in notrump and in the trump suit. The side's value is their sum. A hand or side is
        never worth less than 0: see `of_hand` and `of_side`.
    parts : mapping of str to ndarray of int16 [shape=(2, n)]
        The components by name.
    """

    notrump: np.ndarray
    suit: np.ndarray
    parts: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Metric:
    """A count of a partnership.

    Parameters
    ----------
    name : str
        Its word in the language.
    tag : int
        Its number in DealerV2.
    rule : callable
        From `Pair` to `Values`.
    triples, groups : tuple of str, tuple of tuples of str
        Components from slot 6 of DealerV2's list on: of each triple the side's, the first and the
        second hand's; of each group all of the first, then all of the second hand. "" is a slot that is 0.
    unit : str
        Of the value.
    hundredths : bool
        The value is in hundredths of the unit; DealerV2 shows it rounded, see `rounded`.
    low, high : int
        Bounds of a side's value; the most that a search has found is a tenth below.
    summary, source : str
    aliases : tuple of str
    """

    name: str
    tag: int
    rule: Callable[[Pair], Values]
    triples: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    unit: str = "points"
    hundredths: bool = False
    low: int = 0
    high: int = 150
    summary: str = ""
    source: str = ""
    aliases: tuple[str, ...] = ()
    has_trump: bool = True  # slots 126 and 127 say which trumps (DealerV2 forgets it once)

    def __call__(
        self,
        first: np.ndarray,
        second: np.ndarray,
        strain: int | None = None,
        *,
        part: int | None = None,
        variant: str = "intended",
    ) -> np.ndarray:
        """The value of a side, or of one of its hands.

        Parameters
        ----------
        first, second : ndarray of uint64 [shape=(n,)]
            North and south, or east and west.
        strain : {0, 1, 2, 3, 4}, optional
            S H D C or notrump; by default the best fit of the side, see `pairs.best_fit`.
        part : {0, 1}, optional
            The share of the first or second hand, not the sum.
        variant : {"intended", "coded"}

        Returns
        -------
        ndarray of int16 [shape=(n,)]
            Hundredths where the metric says so.

        Raises
        ------
        ArgumentError
            An unknown strain, part or variant.
        """
        _check(self, strain, part, variant)
        out = np.empty(len(first), np.int16)
        for rows, pair in pairs_of(first, second, None if strain == NOTRUMP else strain, variant):
            values = self.values(pair)[strain != NOTRUMP]
            if part is not None:
                out[rows] = values[part]
            elif variant == "coded":
                out[rows] = values.sum(axis=0)
            else:
                out[rows] = np.maximum(values, 0).sum(axis=0)
        return np.maximum(out, 0, out=out)

    def values(self, pair: Pair) -> tuple[np.ndarray, np.ndarray]:
        """The values in notrump and in the suit of a pair, in hundredths where the metric says so."""
        found = self.rule(pair)
        if self.hundredths:
            return found.parts["raw_notrump"], found.parts["raw_suit"]
        return found.notrump, found.suit

    def components(
        self, first: np.ndarray, second: np.ndarray, strain: int | None = None, *, variant: str = "intended"
    ) -> dict[str, np.ndarray]:
        """The values and all components of both hands by name.

        Parameters
        ----------
        first, second, strain, variant
            As for a call of the metric.

        Returns
        -------
        dict of str to ndarray of int16 [shape=(2, n)]
            ``notrump`` and ``suit``, then the components; names that begin with raw are in hundredths.
        """
        _check(self, strain, None, variant)
        blocks = [
            self.rule(pair)
            for _, pair in pairs_of(first, second, None if strain == NOTRUMP else strain, variant, least=1)
        ]
        joined = {
            "notrump": np.concatenate([block.notrump for block in blocks], axis=1),
            "suit": np.concatenate([block.suit for block in blocks], axis=1),
        }
        for name in blocks[0].parts:
            joined[name] = np.concatenate([block.parts[name] for block in blocks], axis=1)
        return {name: values.astype(np.int16) for name, values in joined.items()}


def pairs_of(
    first: np.ndarray, second: np.ndarray, suit: int | None, variant: str, least: int = 0
) -> Iterator[tuple[slice, Pair]]:
    """The hands in blocks, at least so many of them: rows and their `Pair`."""
    for start in range(0, max(len(first), least), BLOCK):
        rows = slice(start, start + BLOCK)
        yield rows, Pair(first[rows], second[rows], suit, variant)


def _check(metric: Metric, strain: int | None, part: int | None, variant: str) -> None:
    if variant not in VARIANTS:
        raise ArgumentError(f"unknown variant {variant!r} of {metric.name}; known: {', '.join(VARIANTS)}")
    if strain not in (None, 0, 1, 2, 3, NOTRUMP):
        raise ArgumentError(f"{metric.name} takes a strain 0 to 4 (S H D C and notrump), not {strain!r}")
    if part not in (None, 0, 1):
        raise ArgumentError(f"{metric.name} has the parts 0 and 1, its first and second hand, not {part!r}")

"""Point counts of a side. A `Metric` has a rule, which returns `Values` for a `TrumpPair`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.pairs.pair import NOTRUMP, TrumpPair, check_variant


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a point count for both hands of a side.

    Parameters
    ----------
    notrump, suit : ndarray of int16 [shape=(2, n)]
        The values of the hands in notrump and with the trump suit, which may be negative.
    parts : mapping of str to ndarray of int16 [shape=(2, n)]
        The components by name, such as ``df``, dummy's points for a fit, ``fn``, those of declarer, and
        ``hf``, points for honours in a fit.
    """

    notrump: np.ndarray
    suit: np.ndarray
    parts: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Metric:
    """A point count of a side.

    Parameters
    ----------
    name : str
        Its name in the language.
    tag : int
        Its number in DealerV2.
    rule : callable
        A function of a `TrumpPair` that returns `Values`.
    triples, groups : tuple of str, tuple of tuples of str
        Names of the components in DealerV2's list of 128 numbers, from slot 6 on. A triple has three slots,
        for the side, the first and the second hand. A group has a slot for each of its names, for the first
        and then for the second hand; the name "" means a slot of 0.
    unit : str
        Unit of the value.
    hundredths : bool
        Whether the value is in hundredths of the unit; DealerV2 rounds it.
    low, high : int
        Bounds of the value of a side. The largest value that a search found was a tenth below `high`.
    summary, source : str
        A line for the documentation, and the book, article or program that defines the count.
    has_trump : bool
        Whether DealerV2 writes the trump suit and its length to slots 126 and 127.
    alone_by_default : bool
        Whether, in the language, the share of one hand without a strain is its value in notrump instead of in
        the best fit.
    """

    name: str
    tag: int
    rule: Callable[[TrumpPair], Values]
    triples: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    unit: str = "points"
    hundredths: bool = False
    low: int = 0
    high: int = 150
    summary: str = ""
    source: str = ""
    has_trump: bool = True
    alone_by_default: bool = False

    def __call__(
        self,
        first: np.ndarray,
        second: np.ndarray,
        strain: int | None = None,
        *,
        part: int | None = None,
        variant: str = "intended",
    ) -> np.ndarray:
        """Return the value of a side, or the share of one of its hands, at least 0.

        Parameters
        ----------
        first, second : ndarray of uint64 [shape=(n,)]
            Hands of north and south, or of east and west.
        strain : {0, 1, 2, 3, 4}, optional
            S H D C or notrump; by default the best fit of the side, see `TrumpPair`.
        part : {0, 1}, optional
            Return the share of the first or of the second hand instead of the value of the side.
        variant : {"intended", "coded"}
            As the author of the count means it, or as DealerV2 computes it.

        Returns
        -------
        ndarray of int16 [shape=(n,)]
            In hundredths if `hundredths` is true.

        Raises
        ------
        ArgumentError
            The strain, part or variant is unknown.
        """
        check_variant(variant, self.name)
        if strain not in (None, 0, 1, 2, 3, NOTRUMP):
            raise ArgumentError(f"{self.name} takes a strain 0 to 4 (S H D C and notrump), not {strain!r}")
        if part not in (None, 0, 1):
            raise ArgumentError(f"{self.name} has the parts 0 and 1, its first and second hand, not {part!r}")

        # DealerV2 raises a negative sum of both hands to zero, the intended variant each negative hand.
        suit = None if strain == NOTRUMP else strain
        out = np.empty(len(first), np.int16)
        for rows, pair in TrumpPair(first, second, suit, variant=variant).batches():
            values = self.values(pair)[strain != NOTRUMP]
            if part is not None:
                out[rows] = values[part]
            elif variant == "coded":
                out[rows] = values.sum(axis=0)
            else:
                out[rows] = np.maximum(values, 0).sum(axis=0)
        return np.maximum(out, 0, out=out)

    def values(self, pair: TrumpPair) -> tuple[np.ndarray, np.ndarray]:
        """Return the values of both hands in notrump and with the trump suit, int16 [2, n] each.

        They are in hundredths if `hundredths` is true.
        """
        values = self.rule(pair)
        if self.hundredths:
            return values.parts["raw_notrump"], values.parts["raw_suit"]
        return values.notrump, values.suit

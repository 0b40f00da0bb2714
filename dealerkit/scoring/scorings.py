"""The ways of scoring: what a gain over another result of the same deal is, and who is ahead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Measured, Quantity
from dealerkit.arguments import check_name
from dealerkit.errors import ArgumentError
from dealerkit.scoring.scores import convert_to_imps
from dealerkit.statistics.rare_values import IMPS_RANGE, POINTS_RANGE, ValueRange

Verdict = Literal["ahead", "behind", "not decided"]

TOO_CLOSE = "too close to call"


@dataclass(frozen=True, slots=True)
class Scoring:
    """A way of scoring, by which results of the same deal are compared.

    Attributes
    ----------
    name : str
        As users give it: "imps".
    text : str
        In a title or a sentence: "IMPs".
    at : str
        At the beginning of a clause: "at IMPs".
    unit : str
        Of gains as they are shown: "IMPs", "% of matchpoints".
    limits : ValueRange
        The gains that are possible, and which of them are alike.
    precision : float
        The half-width of intervals of mean gains that a study aims at by default.
    scale : float
        Gains are multiplied by it to be shown: 100 for shares, which are shown in per cent.
    even : float
        The score of two equal results, from which gains count: 0.5 of the matchpoints.
    words : tuple of str
        Other names that users may give.
    convert : callable or None
        Returns gains from differences of scores; None if they do not follow from scores, as tricks.

    Examples
    --------
    >>> scoring = SCORINGS["matchpoints"]
    >>> scoring.compare(np.array([420, 170, 140]), np.array([170, 170, 170])).tolist()
    [0.5, 0.0, -0.5]
    >>> scoring.unit, scoring.scale
    ('% of matchpoints', 100.0)
    """

    name: str
    text: str
    at: str
    unit: str
    limits: ValueRange
    precision: float
    scale: float = 1.0
    even: float = 0.0
    words: tuple[str, ...] = ()
    convert: Callable[[np.ndarray], np.ndarray] | None = None

    def compare(self, ours: Any, theirs: Any) -> np.ndarray:
        """Return the gains of our scores over theirs; of matchpoints the shares of a board above one half.

        Parameters
        ----------
        ours, theirs : ndarray of int
            Scores of the same side, broadcast.

        Raises
        ------
        ArgumentError
            The scoring does not follow from scores, as tricks do not.
        """
        if self.convert is None:
            raise ArgumentError(f"{self.text} do not follow from scores; known: {', '.join(GAIN_SCORINGS)}")
        return self.convert(np.asarray(ours - theirs))

    def measure(self, gain: Any) -> Quantity:
        """Return a gain, a number or an `Estimate`, as it is shown in cards: with unit, sign and scale."""
        return Quantity(gain, unit=self.unit, sign=True, scale=self.scale)

    def describe(self, first: str, second: str, gain: Measured, n: int) -> str:
        """Return the verdict as a sentence: which of two results is ahead, from the gain of the first.

        >>> from dealerkit.statistics import Estimate
        >>> SCORINGS["imps"].describe("4S", "3NT", Estimate(1.5, 0.5, 0.5, 2.5, 40), 40)
        'At IMPs 4S is ahead of 3NT.'
        >>> SCORINGS["points"].describe("4S", "3NT", Estimate(15, 10, -5, 35, 40), 40)
        'In total points 4S and 3NT are too close to call with 40 deals.'
        """
        at = f"{self.at[0].upper()}{self.at[1:]}"
        verdict = judge(gain)
        if verdict == "not decided":
            return f"{at} {first} and {second} are {TOO_CLOSE} with {format_count(n, 'deal')}."
        ahead, other = (first, second) if verdict == "ahead" else (second, first)
        return f"{at} {ahead} is ahead of {other}."


def _share_board(difference: np.ndarray) -> np.ndarray:
    """Return the part of a board that is won, above one half: it has 1, 1/2 for a tie, or 0 (Law 78A)."""
    return np.asarray(np.sign(difference) / 2)


_SHARE = ValueRange(-0.5, 0.5)
_CHANCE = ValueRange(-1.0, 1.0)
SCORINGS: Mapping[str, Scoring] = MappingProxyType(
    {
        scoring.name: scoring
        for scoring in (
            Scoring("beats", "beats", "by beaten contracts", "%", _CHANCE, 0.02, 100.0),
            Scoring("makes", "makes", "by made contracts", "%", _CHANCE, 0.02, 100.0),
            Scoring("tricks", "tricks", "in tricks", "tricks", ValueRange(-13.0, 13.0), 0.1),
            Scoring("imps", "IMPs", "at IMPs", "IMPs", IMPS_RANGE, 0.25, convert=convert_to_imps),
            Scoring(
                "matchpoints", "matchpoints", "at matchpoints", "% of matchpoints", _SHARE, 0.02, 100.0, 0.5,
                ("mp", "mps"), _share_board,
            ),
            Scoring(
                "board-a-match", "board-a-match", "at board-a-match", "% of boards", _SHARE, 0.02, 100.0, 0.5,
                ("bam", "board a match"), _share_board,
            ),
            Scoring(
                "points", "points", "in total points", "points", POINTS_RANGE, 10.0, words=("total points",),
                convert=np.asarray,
            ),
        )
    }
)  # fmt: skip
# Those by which two scores are compared, and those by which two leads are.
GAIN_SCORINGS = ("imps", "matchpoints", "board-a-match", "points")
LEAD_SCORINGS = ("beats", "tricks", *GAIN_SCORINGS)


def check_scoring(value: Any, known: Collection[str] = GAIN_SCORINGS, kind: str = "scoring") -> str:
    """Return the name of the scoring that an argument names, in any case; raise ArgumentError otherwise.

    >>> check_scoring("IMPs"), check_scoring("BAM")
    ('imps', 'board-a-match')
    """
    if isinstance(value, str):
        word = value.strip().lower()
        value = next((name for name in known if word in SCORINGS[name].words), value)
    return check_name(kind, value, tuple(known))


def is_too_close(lo: float, hi: float) -> bool:
    """Return whether a gain is too close to call: its interval holds 0.

    >>> is_too_close(-0.1, 0.4), is_too_close(0.1, 0.4)
    (True, False)
    """
    return not (lo > 0 or hi < 0)


def judge(gain: Measured) -> Verdict:
    """Return whether a gain is above zero, below, or too close to call, as frames have it.

    >>> from dealerkit.statistics import Estimate
    >>> judge(Estimate(1.5, 0.5, 0.5, 2.5, 40)), judge(Estimate(1.5, 1, -0.5, 3.5, 40))
    ('ahead', 'not decided')
    """
    if is_too_close(gain.lo, gain.hi):
        return "not decided"
    return "ahead" if gain.lo > 0 else "behind"

"""The forms of scoring: the gain over another result of the same deal, and who is ahead."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Measured, Quantity, choose_column_decimals
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import check_name
from dealerkit.errors import ArgumentError
from dealerkit.scoring.scores import convert_to_imps
from dealerkit.statistics.rare_values import IMPS_RANGE, POINTS_RANGE, ValueRange

Verdict = Literal["ahead", "behind", "not decided"]

TOO_CLOSE = "too close to call"
MAX_LEADERS = 8  # names in a sentence; of more names, the number of the rest is given


@dataclass(frozen=True, slots=True)
class Scoring:
    """A form of scoring, in which results of the same deal are compared.

    Attributes
    ----------
    name : str
        Name as users give it: "imps".
    text : str
        Text in a title or a sentence: "IMPs".
    at : str
        Text at the beginning of a clause: "at IMPs".
    unit : str
        Unit of gains as they are shown: "IMPs", "% of matchpoints".
    limits : ValueRange
        The possible gains, and which of them are alike.
    precision : float
        The default half-width of intervals of mean gains in a study.
    scale : float
        Factor for gains that are shown: 100 for shares, which are shown in per cent.
    even : float
        The score of two equal results, from which gains are counted: 0.5 of the matchpoints.
    words : tuple of str
        Other names that users may give.
    convert : callable or None
        Returns gains from score differences; None if gains do not follow from scores, as for tricks.

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
        """Return the gains of our scores over theirs; for matchpoints, the share of a board above one half.

        Parameters
        ----------
        ours, theirs : ndarray of int
            Scores of the same side, broadcast.

        Raises
        ------
        ArgumentError
            The scoring does not follow from scores, as for tricks.
        """
        if self.convert is None:
            raise ArgumentError(f"{self.text} do not follow from scores; known: {', '.join(GAIN_SCORINGS)}")
        return self.convert(np.asarray(ours - theirs))

    def measure(self, gain: Any) -> Quantity:
        """Return a gain, a number or an `Estimate`, in the form for cards: with unit, sign and scale."""
        return Quantity(gain, unit=self.unit, sign=True, scale=self.scale)

    def describe(
        self, first: str, second: str, gains: Mapping[str, Measured], n: int, *, is_further: bool = False
    ) -> list[str | Quantity]:
        """Return the verdict as a sentence: the gains of one result over another, and which one is ahead.

        Parameters
        ----------
        first, second : str
        gains : mapping of str to Measured
            Gains of the first, by vulnerability, or by "".
        n : int
            Number of deals.
        is_further : bool
            Whether the sentence follows one about the same two in another scoring, so that it names the
            scoring instead.

        Examples
        --------
        >>> from dealerkit.appearance.content import format_note
        >>> from dealerkit.statistics import Estimate
        >>> ahead, close = Estimate(1.5, 0.5, 0.5, 2.5, 40), Estimate(15, 8, -1, 31, 500)
        >>> format_note(SCORINGS["imps"].describe("4S", "3NT", {"": ahead}, 40))
        '4S against 3NT: +1.5 ± 1.0 IMPs, 4S is ahead.'
        >>> format_note(SCORINGS["points"].describe("3NT", "2NT", {"": close}, 500))
        '3NT against 2NT: +15 ± 16 points, too close to call with 500 deals; about 2,300 would tell.'
        >>> format_note(SCORINGS["points"].describe("4S", "3NT", {"": ahead}, 40, is_further=True))
        'In total points: +1.5 ± 1.0 points, 4S is ahead.'
        """
        several = len(gains) > 1
        column = Column("", unit=self.unit, sign=True, scale=self.scale)
        decimals = choose_column_decimals(column, list(gains.values()))  # as in a table of these gains
        deals = f" with {format_count(n, 'deal')}" if several else ""
        about = f"{self.at[0].upper()}{self.at[1:]}" if is_further else f"{first} against {second}"
        sentence: list[str | Quantity] = [f"{about}{deals}: "]
        for number, (state, gain) in enumerate(gains.items()):
            shown = self.measure(gain)._replace(decimals=decimals)
            sentence += ["; " if number else "", f"{state} " if several else "", shown]
            sentence.append(f", {describe_leader(first, second, gain, n, with_deals=not several)}")
        return [*sentence, "."]


def describe_leader(first: str, second: str, gain: Measured, n: int, with_deals: bool = True) -> str:
    """Return which of two is ahead, from the gain of the first over the second, or that neither clearly is.

    >>> from dealerkit.statistics import Estimate
    >>> describe_leader("hcp", "controls", Estimate(-0.2, 0.05, -0.3, -0.1, 500), 500)
    'controls is ahead'
    """
    verdict = judge(gain)
    if verdict == "not decided":
        return describe_tie(gain, n, with_deals)
    return f"{first if verdict == 'ahead' else second} is ahead"


def describe_leaders(leaders: Sequence[str], others: Sequence[str], gain: Measured, n: int) -> str:
    """Return which of several may be the best, as a clause.

    Parameters
    ----------
    leaders : sequence of str
        Names of those that may be the best; the one that ranks first comes first.
    others : sequence of str
        Names of those that are behind.
    gain : Measured
        Gain of the first over the best of the others.
    n : int
        Number of deals.

    Examples
    --------
    >>> from dealerkit.statistics import Estimate
    >>> gain = Estimate(15, 8, -1, 31, 500)
    >>> describe_leaders(["3NT"], ["2NT", "4S"], gain, 500)
    '3NT is ahead of all others'
    >>> describe_leaders(["3NT", "2NT"], ["4S"], gain, 500)
    '3NT and 2NT are too close to call with 500 deals; about 2,300 would tell; 4S is behind'
    """
    if len(leaders) == 1:
        return f"{leaders[0]} is ahead of all others"
    n_more = len(leaders) - MAX_LEADERS
    shown = leaders if n_more < 2 else [*leaders[:MAX_LEADERS], f"{n_more} more"]
    rest = f"{others[0]} is behind" if len(others) == 1 else "the others are behind"
    return f"{join_words(shown)} are {describe_tie(gain, n)}{f'; {rest}' if others else ''}"


def describe_tie(gain: Measured, n: int, with_deals: bool = True) -> str:
    """Return that a gain is too close to call, from how many deals, and about how many would decide.

    >>> from dealerkit.statistics import Estimate
    >>> describe_tie(Estimate(15, 8, -1, 31, 500), 500), describe_tie(Estimate(1, 8, -15, 17, 500), 500)
    ('too close to call with 500 deals; about 2,300 would tell', 'too close to call with 500 deals')
    >>> describe_tie(Estimate(15, 8, -1, 31, 500), 500, with_deals=False)
    'too close to call (about 2,300 deals would tell)'
    """
    needed = count_telling_deals(gain, n)
    if not with_deals:
        return f"{TOO_CLOSE} (about {format_count(needed, 'deal')} would tell)" if needed else TOO_CLOSE
    tie = f"{TOO_CLOSE} with {format_count(n, 'deal')}"
    return f"{tie}; about {format_count(needed)} would tell" if needed else tie


def count_telling_deals(gain: Measured, n: int) -> int | None:
    """Return the number of deals at which a difference like the observed one would be clear, to two digits.

    At this number, the half-width of the interval would be half of the difference, since half-widths decrease
    with the square root of the number of deals. If the difference is less than a quarter of its half-width,
    it is too uncertain, and the result is None.

    Examples
    --------
    >>> from dealerkit.statistics import Estimate
    >>> count_telling_deals(Estimate(15, 8, -1, 31, 500), 500)
    2300
    """
    half = (gain.hi - gain.lo) / 2
    if not math.isfinite(half) or abs(gain.value) < half / 4 or not gain.value:
        return None
    needed = n * (2 * half / abs(gain.value)) ** 2
    unit = 10 ** max(math.floor(math.log10(needed)) - 1, 0)
    return math.ceil(needed / unit) * unit


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
# Scorings by which two scores are compared, and those by which two leads are compared.
GAIN_SCORINGS = ("imps", "matchpoints", "board-a-match", "points")
LEAD_SCORINGS = ("beats", "tricks", *GAIN_SCORINGS)


def check_scoring(value: Any, known: Collection[str] = GAIN_SCORINGS, kind: str = "scoring") -> str:
    """Return the name of the scoring that an argument gives in any case; otherwise raise ArgumentError.

    >>> check_scoring("IMPs"), check_scoring("BAM")
    ('imps', 'board-a-match')
    """
    if isinstance(value, str):
        word = value.strip().lower()
        value = next((name for name in known if word in SCORINGS[name].words), value)
    return check_name(kind, value, tuple(known))


def is_too_close(lo: float, hi: float) -> bool:
    """Return whether a gain is too close to call: its interval contains 0.

    >>> is_too_close(-0.1, 0.4), is_too_close(0.1, 0.4)
    (True, False)
    """
    return not (lo > 0 or hi < 0)


def judge(gain: Measured) -> Verdict:
    """Return whether a gain is above zero, below zero, or too close to call, as in frames.

    >>> from dealerkit.statistics import Estimate
    >>> judge(Estimate(1.5, 0.5, 0.5, 2.5, 40)), judge(Estimate(1.5, 1, -0.5, 3.5, 40))
    ('ahead', 'not decided')
    """
    if is_too_close(gain.lo, gain.hi):
        return "not decided"
    return "ahead" if gain.lo > 0 else "behind"

"""Functions of one hand from books and articles: other scales of points, tricks, losers, shape.

Bodies are as in `dealerkit.evaluators.hands`: the cards of a seat, uint64 [n], and where the measure
has a part for each suit a suit; they return int16 [n], hundredths where the function says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from dealerkit.evaluators import counts, factors, hands, holdings
from dealerkit.registry import Function, register

Table = Callable[..., np.ndarray]


def of_suits(hand: np.ndarray, suit: int | None = None, *, table: Table, **options: Any) -> np.ndarray:
    """A table of holdings summed over the hand, or for one suit."""
    return hands.sum_over(hand, table(**options), suit)


def of_shape(hand: np.ndarray, *, rule: Callable[[tuple[int, ...]], int]) -> np.ndarray:
    """A rule of the four lengths, longest first."""
    from dealerkit.evaluators.kernels import pattern_code  # loads numba

    return factors.of_lengths(rule).take(pattern_code(hand))


def freakness(lengths: tuple[int, ...]) -> int:
    """Cards over four and under three, and 2 for a void or else 1 for a singleton.

    >>> freakness((4, 3, 3, 3)), freakness((5, 4, 3, 1)), freakness((7, 6, 0, 0))
    (0, 4, 13)
    """
    extra = 2 if lengths[3] == 0 else 1 * (lengths[3] == 1)
    return sum(max(0, cards - 4) + max(0, 3 - cards) for cards in lengths) + extra


def two_longest(lengths: tuple[int, ...]) -> int:
    """Cards in the two longest suits."""
    return lengths[0] + lengths[1]


def _spread(lengths: tuple[int, ...]) -> int:
    return 2 * lengths[0] + lengths[1] - lengths[3]


def _hcp(hand: np.ndarray) -> np.ndarray:
    return hands.sum_over(hand, holdings.points((4, 3, 2, 1)), None)


def zar_opening(hand: np.ndarray) -> np.ndarray:
    """Points, controls, the two longest suits, and the longest less the shortest."""
    return hands.sum_over(hand, holdings.points((6, 4, 2, 1)), None) + of_shape(hand, rule=_spread)


def rule_of_20(hand: np.ndarray) -> np.ndarray:
    """Points and the cards of the two longest suits."""
    return _hcp(hand) + of_shape(hand, rule=two_longest)


def rule_of_22(hand: np.ndarray) -> np.ndarray:
    """`rule_of_20` and quick tricks, in hundredths."""
    return hands.sum_over(hand, _points_and_quick_tricks(), None) + 100 * of_shape(hand, rule=two_longest)


@cache
def _points_and_quick_tricks() -> np.ndarray:
    return holdings.frozen(holdings.points((400, 300, 200, 100)) + factors.quick_tricks())


def rule_of_15(hand: np.ndarray) -> np.ndarray:
    """Points and spades."""
    return _hcp(hand) + hands.suit_length(hand, suit=0)


@cache
def _bumrap_and(void: int, singleton: int, doubleton: int) -> np.ndarray:
    return holdings.frozen(counts.plain("bumrap") + 100 * factors.shortness(void, singleton, doubleton))


def _register(name: str, body: Callable, summary: str, source: str, **fields: Any) -> None:
    known: dict[str, Any] = {"arguments": ("seat",), "unit": "points", "low": 0, "cost": 3.0}
    register(Function(name, body=body, summary=summary, source=source, **known | {"combine": "sum"} | fields))


_SUITS: dict[str, Any] = {"arguments": ("seat", "suit?"), "cost": 1.1}
_HUNDREDTHS: dict[str, Any] = {"hundredths": True, **_SUITS}
_JGM = "JGM, DealerV2 4.3"
_ANDREWS = "T. Andrews, Double Dummy Bridge Analysis"
_BANZAI = "D. Jackson and R. Klinger, Better Balanced Bidding: The Banzai Method"
_ENCYCLOPEDIA = "H. Francis, A. Truscott and D. Francis, The Official Encyclopedia of Bridge"

# DealerV2's eight scales: word, name of the scale, most points of a hand, what it is.
for _tag, (_word, _name, _high, _summary) in enumerate(
    (
        ("altt050", "t050", 37, "4 3 2 1 and a half for the ten"),
        ("alta425", "a425", 38, "4.25 3 2 1"),
        ("altat475", "at475", 38, "4.25 3 2 1 and a half for the ten"),
        ("bumwrap", "bumwrap", 36.75, "4.5 3 1.5 .75 .25"),
        ("woolsey", "woolsey", 37.75, "4.5 3 1.75 .75"),
        ("andrews", "andrews", 35.4, "4 2.8 1.8 1 .4"),
        ("bwjgm", "bwjgm", 36.75, "4.25 3 1.75 .75 .25"),
        ("opcjgm", "opcjgm", 37.75, "4.25 3 1.5 .5 and honours together"),
    ),
    20,
):
    _register(
        _word,
        partial(of_suits, table=partial(counts.scale, _name)),
        f"honours {_summary}, less where they are short",
        f"{_JGM}, tag {_tag}",
        high=_high,
        variants=("intended", "coded"),
        tags=(_tag,),
        **_HUNDREDTHS,
    )

for _word, _high, _summary, _source in (
    ("milton", 37, "points 4 3 2 1, which no script redefines", "B. McCampbell, Auction Tactics, 1915"),
    ("bumrap", 36.75, "BUM-RAP: 4.5 3 1.5 .75 .25", _ANDREWS),
    ("fifths", 35.4, "Fifths: 4 2.8 1.8 1 .4, for three notrump", _ANDREWS),
    ("banzai", 50, "Banzai: 5 4 3 2 1, if balanced", _BANZAI),
    ("fouraces", 24.5, "Four Aces: 3 2 1 and a half", "D. Burnstine and others, The Four Aces System, 1935"),
    ("bamberger", 61, "Bamberger points: 7 5 3 1", _ENCYCLOPEDIA),
    ("robertson", 62, "Robertson points: 7 5 3 2 1", _ENCYCLOPEDIA),
    ("kisst050", 37, "4 3 2 1 and a half for the ten, short or not", _JGM),
    ("kissa425", 38, "4.25 3 2 1, short or not", _JGM),
    ("kissat475", 38, "4.25 3 2 1 and a half for the ten, short or not", _JGM),
    ("kisswoolsey", 37.75, "4.5 3 1.75 .75, short or not", _JGM),
    ("kissbwjgm", 36.75, "4.25 3 1.75 .75 .25, short or not", _JGM),
    ("c13bw", 36.75, "4.5 3 1.5 .75, short or not", _JGM),
    ("c13jgm", 37.6, "4.6 3 1.6 .8 .4, short or not", _JGM),
):  # fmt: skip
    _body = partial(of_suits, table=partial(counts.plain, _word))
    _aliases = ("work",) if _word == "milton" else ()
    _register(_word, _body, _summary, _source, high=_high, aliases=_aliases, **_HUNDREDTHS)
_register(
    "littlejack",
    partial(of_suits, table=partial(holdings.points, (13, 9, 5, 2, 1))),
    "Little Jack points: 13 9 5 2 1 thirds of a point, short or not",
    "D. Kleinman, The Notrump Zone",
    unit="thirds",
    high=110,
    **_SUITS,
)

for _word, _values in (("321", (3, 2, 1)), ("531", (5, 3, 1))):
    _text = "{} {} {} for a void, singleton, doubleton".format(*_values)
    _register(
        f"bumrap{_word}",
        partial(of_suits, table=partial(_bumrap_and, *_values)),
        f"BUM-RAP and {_text}",
        _ANDREWS,
        high=37,
        hundredths=True,
        cost=1.1,
    )
    _register(
        f"short{_word}",
        partial(of_suits, table=partial(factors.shortness, *_values)),
        _text,
        "C. H. Goren, Point Count Bidding in Contract Bridge, 1949",
        high=3 * _values[0],
        cost=1.1,
        combine="",
    )

_register(
    "newltc",
    partial(of_suits, table=counts.new_losers),
    "New Losing Trick Count: a missing ace 1.5, king 1, queen 0.5, as far as there is room",
    "J. Koelman, A New Losing Trick Count, The Bridge World, May 2003",
    unit="losers",
    high=12,
    combine="25 - sum",
    direction=-1,
    **_HUNDREDTHS,
)
_register(
    "quicktricks",
    partial(of_suits, table=factors.quick_tricks),
    "quick tricks: AK 2, AQ 1.5, A 1, KQ 1, guarded K 0.5",
    "E. Culbertson, Contract Bridge Blue Book, 1930",
    unit="tricks",
    high=8,
    **_HUNDREDTHS,
)
_register(
    "playingtricks",
    partial(of_suits, table=factors.playing_tricks),
    "playing tricks: those of the three highest cards of each suit, and one for each card over three",
    f"R. Pavlicek; as tabulated in {_JGM}",
    unit="tricks",
    low=1,
    high=13,
    combine="",
    **_HUNDREDTHS,
)
_register(
    "bodypoints",
    partial(of_suits, table=factors.body),
    "body: tens 3, nines 2, eights 1",
    "R. Pavlicek, Pavlicek Point Count",
    high=24,
    **_SUITS,
)
_register(
    "freakness",
    partial(of_shape, rule=freakness),
    "cards over four and under three in each suit, and 2 for a void or else 1 for a singleton",
    "R. Pavlicek, High Cards versus Freakness",
    unit="freakness",
    high=20,
    combine="",
)
_register(
    "longpoints",
    partial(of_shape, rule=factors.long_cards),
    "a point for each card over four in a suit",
    "F. L. Karpin, the Karpin point count",
    high=9,
)
_register(
    "zaropening",
    zar_opening,
    "Zar points of an opening: points, controls, the two longest suits, longest less shortest",
    "Z. Petkov, Zar Points: Aggressive Bidding Hand Evaluation, 2003",
    unit="Zar points",
    low=8,
    high=58,
    cost=4.0,
)
_register(
    "rule20",
    rule_of_20,
    "points and the cards of the two longest suits, as in the Rule of 20",
    "M. Bergen, Points Schmoints!",
    low=7,
    high=44,
    cost=4.0,
    combine="",
)
_register(
    "rule22",
    rule_of_22,
    "points, the cards of the two longest suits and quick tricks, as in the Rule of 22",
    "R. Klinger, the Rule of 22",
    low=7,
    high=52,
    hundredths=True,
    cost=4.0,
    combine="",
)
_register(
    "rule15",
    rule_of_15,
    "points and the number of spades, as in the Rule of 15 for the fourth seat",
    "D. Pearson, the Pearson point count",
    high=41,
    cost=2.0,
    combine="",
)

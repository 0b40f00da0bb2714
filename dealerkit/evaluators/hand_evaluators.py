"""Evaluators of one hand from books and articles: scales of points, tricks, losers and shape.

As in `dealerkit.evaluators.hands`, the bodies of the functions take the hands of a seat, uint64 [n], and some
also a suit. They return int16 [n], in hundredths for functions that are registered with `hundredths`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from dealerkit.cards.names import SEATS, SUITS
from dealerkit.evaluators import hands, holdings, honour_tables, patterns, point_scales
from dealerkit.registry import Function, register


def apply_rule(hand: np.ndarray, *, rule: patterns.Rule) -> np.ndarray:
    """Return the value of a rule about the four suit lengths for each hand."""
    from dealerkit.evaluators.kernels import pattern_code

    return patterns.tabulate(rule).take(pattern_code(hand))


def zar_opening(hand: np.ndarray) -> np.ndarray:
    """Return points, controls, cards of the two longest suits, and the longest minus the shortest suit."""
    return hands.sum_table(hand, holdings.points((6, 4, 2, 1))) + apply_rule(hand, rule=patterns.spread)


def rule_of_20(hand: np.ndarray) -> np.ndarray:
    """Return points plus the cards of the two longest suits."""
    return hands.points(hand, name="hcp") + apply_rule(hand, rule=patterns.two_longest)


def rule_of_22(hand: np.ndarray) -> np.ndarray:
    """Return `rule_of_20` plus quick tricks, in hundredths."""
    points = hands.sum_table(hand, _add_quick_tricks())
    return points + 100 * apply_rule(hand, rule=patterns.two_longest)


@cache
def _add_quick_tricks() -> np.ndarray:
    """Return points 4 3 2 1 plus quick tricks, in hundredths: int16 [8192]."""
    return holdings.freeze(holdings.points((400, 300, 200, 100)) + honour_tables.quick_tricks())


def rule_of_15(hand: np.ndarray) -> np.ndarray:
    """Return points plus the number of spades."""
    return hands.points(hand, name="hcp") + hands.suit_length(hand, suit=0)


@cache
def _tabulate_hundredths() -> np.ndarray:
    """Return 100 for each card of the two longest suits: int16 [4096]."""
    return holdings.freeze(100 * patterns.tabulate(patterns.two_longest))


@cache
def _bumrap_with_shortness(void: int, singleton: int, doubleton: int) -> np.ndarray:
    """Return BUM-RAP points plus points for a short suit, in hundredths: int16 [8192]."""
    shortness = honour_tables.shortness(void, singleton, doubleton)
    return holdings.freeze(point_scales.plain_scale("bumrap") + 100 * shortness)


def _tabulate_rule_of_15() -> np.ndarray:
    """Return points 4 3 2 1, plus the number of cards in spades: int16 [4, 8192]."""
    return holdings.points((4, 3, 2, 1)) + hands.tabulate_length(suit=0)


def has_long_suit(hand: np.ndarray, n_cards: int) -> np.ndarray:
    """Return 1 for hands with a suit of at least `n_cards` cards, otherwise 0."""
    return apply_rule(hand, rule=_bind_length(n_cards))


def _tabulate_long_suit(n_cards: int) -> np.ndarray:
    return patterns.tabulate(_bind_length(n_cards))


@cache
def _bind_length(n_cards: int) -> patterns.Rule:
    """Return the rule for a length, the same object each time, because tables are cached by their rules."""
    return partial(patterns.has_length, n_cards=n_cards)


def _define_shapes(shapes: str) -> Callable[[int], str]:
    """Return a function that writes shapes of a seat as a condition, for programs without a word for it."""
    return partial(_write_shapes, shapes)


def _write_shapes(shapes: str, seat: int) -> str:
    return f"shape({SEATS[seat]}, {shapes})"


def _define_long_suit(seat: int, n_cards: int) -> str:
    return " or ".join(f"{suit}({SEATS[seat]}) >= {n_cards}" for suit in SUITS)


def _register(name: str, summary: str, source: str, **fields: Any) -> None:
    """Register a function of a seat, with defaults for all fields that are not passed."""
    defaults: dict[str, Any] = {"unit": "points", "low": 0, "cost": 3.0, "combine": "sum"}
    arguments = fields.pop("arguments", ("seat",))
    register(Function(name, arguments, summary=summary, source=source, **defaults | fields))


def _register_table(
    name: str, table: Callable[..., np.ndarray], summary: str, source: str, **fields: Any
) -> None:
    """Register a function that is the sum of a table over holdings."""
    _register(name, summary, source, **hands.define_by_table(table), **fields)


_Row = tuple[str, Callable[..., np.ndarray], str, str, dict[str, Any]]  # arguments of `_register`
_OPTIONAL_SUIT: dict[str, Any] = {"arguments": ("seat", "suit?"), "cost": 1.1}
_HUNDREDTHS: dict[str, Any] = {"hundredths": True, **_OPTIONAL_SUIT}
_JGM = "JGM, DealerV2 4.3"
_ANDREWS = "T. Andrews, Double Dummy Bridge Analysis"
_BANZAI = "D. Jackson and R. Klinger, Better Balanced Bidding: The Banzai Method"
_ENCYCLOPEDIA = "H. Francis, A. Truscott and D. Francis, The Official Encyclopedia of Bridge"
_GOREN = "C. H. Goren, Point Count Bidding in Contract Bridge, 1949"

# DealerV2's eight scales: name of the function, name of the scale, largest value of a hand, summary.
for _tag, (_name, _scale, _high, _summary) in enumerate(
    (
        ("altt050", "t050", 37, "4 3 2 1 and a half for the ten"),
        ("alta425", "a425", 38, "4.25 3 2 1"),
        ("altat475", "at475", 38, "4.25 3 2 1 and a half for the ten"),
        ("bumwrap", "bumwrap", 36.75, "4.5 3 1.5 .75 .25"),
        ("woolsey", "woolsey", 37.75, "4.5 3 1.75 .75"),
        ("andrews", "andrews", 35.4, "4 2.8 1.8 1 .4"),
        ("bwjgm", "bwjgm", 36.75, "4.25 3 1.75 .75 .25"),
        ("opcjgm", "opcjgm", 37.75, "4.25 3 1.5 .5 and honours in combination"),
    ),
    20,
):
    _register_table(
        _name,
        partial(point_scales.adjusted_scale, _scale),
        f"honours {_summary}, less for short honours",
        f"{_JGM}, tag {_tag}",
        high=_high,
        variants=("intended", "coded"),
        tags=(_tag,),
        **_HUNDREDTHS,
    )

for _name, _high, _summary, _source in (
    ("milton", 37, "points 4 3 2 1, which scripts cannot redefine", "B. McCampbell, Auction Tactics, 1915"),
    ("bumrap", 36.75, "BUM-RAP: 4.5 3 1.5 .75 .25", _ANDREWS),
    ("fifths", 35.4, "Fifths: 4 2.8 1.8 1 .4, for three notrump", _ANDREWS),
    ("banzai", 50, "Banzai: 5 4 3 2 1, for balanced hands", _BANZAI),
    ("fouraces", 24.5, "Four Aces: 3 2 1 and a half", "D. Burnstine and others, The Four Aces System, 1935"),
    ("bamberger", 61, "Bamberger points: 7 5 3 1", _ENCYCLOPEDIA),
    ("robertson", 62, "Robertson points: 7 5 3 2 1", _ENCYCLOPEDIA),
    ("kisst050", 37, "4 3 2 1 and a half for the ten, in suits of any length", _JGM),
    ("kissa425", 38, "4.25 3 2 1, in suits of any length", _JGM),
    ("kissat475", 38, "4.25 3 2 1 and a half for the ten, in suits of any length", _JGM),
    ("kisswoolsey", 37.75, "4.5 3 1.75 .75, in suits of any length", _JGM),
    ("kissbwjgm", 36.75, "4.25 3 1.75 .75 .25, in suits of any length", _JGM),
    ("c13bw", 36.75, "4.5 3 1.5 .75, in suits of any length", _JGM),
    ("c13jgm", 37.6, "4.6 3 1.6 .8 .4, in suits of any length", _JGM),
):  # fmt: skip
    _scale_table = partial(point_scales.plain_scale, _name)
    _aliases = ("work",) if _name == "milton" else ()
    _register_table(_name, _scale_table, _summary, _source, high=_high, aliases=_aliases, **_HUNDREDTHS)
for _digits, _values in (("321", (3, 2, 1)), ("531", (5, 3, 1))):
    _text = "{} {} {} for a void, singleton, doubleton".format(*_values)
    _sums = partial(_bumrap_with_shortness, *_values)
    _fields: dict[str, Any] = {"high": 37, "hundredths": True, "cost": 1.1}
    _register_table(f"bumrap{_digits}", _sums, f"BUM-RAP and {_text}", _ANDREWS, **_fields)
    _sums = partial(honour_tables.shortness, *_values)
    _register_table(f"short{_digits}", _sums, _text, _GOREN, high=3 * _values[0], cost=1.1)

_TABLES: tuple[_Row, ...] = (
    ("littlejack", partial(holdings.points, (13, 9, 5, 2, 1)),
     "Little Jack points: 13 9 5 2 1 thirds of a point, in suits of any length",
     "D. Kleinman, The Notrump Zone", {"unit": "thirds", "high": 110}),
    ("newltc", holdings.new_losers,
     "New Losing Trick Count: a missing A 1.5, K of two or more cards 1, Q of three or more 0.5",
     "J. Koelman, A New Losing Trick Count, The Bridge World, May 2003",
     {"unit": "losers", "high": 12, "combine": "25 - sum", "direction": -1, "hundredths": True}),
    ("quicktricks", honour_tables.quick_tricks,
     "quick tricks: AK 2, AQ 1.5, A 1, KQ 1, guarded K 0.5",
     "E. Culbertson, Contract Bridge Blue Book, 1930", {"unit": "tricks", "high": 8, "hundredths": True}),
    ("playingtricks", honour_tables.playing_tricks,
     "playing tricks: those of the three highest cards of each suit, plus one for each further card",
     f"R. Pavlicek; as tabulated in {_JGM}",
     {"unit": "tricks", "low": 1, "high": 13, "combine": "", "hundredths": True}),
    ("bodypoints", honour_tables.body_points,
     "body: tens 3, nines 2, eights 1", "R. Pavlicek, Pavlicek Point Count", {"high": 24}),
)  # fmt: skip
for _name, _table, _summary, _source, _fields in _TABLES:
    _register_table(_name, _table, _summary, _source, **_OPTIONAL_SUIT | _fields)

_RULES: tuple[_Row, ...] = (
    ("freakness", partial(apply_rule, rule=patterns.freakness),
     "cards over four and under three in each suit, and 2 for a void or else 1 for a singleton",
     "R. Pavlicek, High Cards versus Freakness", {"unit": "freakness", "high": 20, "combine": "",
      "length_table": partial(patterns.tabulate, patterns.freakness)}),
    ("longpoints", partial(apply_rule, rule=patterns.long_cards),
     "a point for each card over four in a suit", "F. L. Karpin, the Karpin point count",
     {"high": 9, "length_table": partial(patterns.tabulate, patterns.long_cards)}),
    ("zaropening", zar_opening,
     "Zar points of an opening: points, controls, the two longest suits, longest minus shortest",
     "Z. Petkov, Zar Points: Aggressive Bidding Hand Evaluation, 2003",
     {"unit": "Zar points", "low": 8, "high": 58, "cost": 4.0,
      "holding_table": partial(holdings.points, (6, 4, 2, 1)),
      "length_table": partial(patterns.tabulate, patterns.spread)}),
    ("rule20", rule_of_20,
     "points and the cards of the two longest suits, as in the Rule of 20",
     "M. Bergen, Points Schmoints!", {"low": 7, "high": 44, "cost": 4.0, "combine": "",
      "holding_table": partial(holdings.points, (4, 3, 2, 1)),
      "length_table": partial(patterns.tabulate, patterns.two_longest)}),
    ("rule22", rule_of_22,
     "points, the cards of the two longest suits and quick tricks, as in the Rule of 22",
     "R. Klinger, the Rule of 22", {"low": 7, "high": 52, "hundredths": True, "cost": 4.0, "combine": "",
      "holding_table": _add_quick_tricks,
      "length_table": _tabulate_hundredths}),
    ("rule15", rule_of_15,
     "points and the number of spades, as in the Rule of 15 for the fourth seat",
     "D. Pearson, the Pearson point count",
     {"high": 41, "cost": 2.0, "combine": "", "holding_table": _tabulate_rule_of_15}),
)  # fmt: skip
for _name, _rule, _summary, _source, _fields in _RULES:
    _register(_name, _summary, _source, body=_rule, **_fields)

# Truth values of the shape.
_OFFICIAL = f"{_ENCYCLOPEDIA}, 7th edition, 2011"
_REDEAL = "A. Lee, redeal"
BALANCED = "any 4333 + any 4432 + any 5332"
for _name, _pattern, _shapes, _summary, _source in (
    ("balanced", patterns.is_balanced, BALANCED,
     "1 if the hand is 4-3-3-3, 4-4-3-2 or 5-3-3-2, else 0", _OFFICIAL),
    ("semibalanced", patterns.is_semibalanced, f"{BALANCED} + any 5422 + any 6322",
     "1 if the hand is balanced, 5-4-2-2 or 6-3-2-2, else 0", _REDEAL),
):  # fmt: skip
    _register(
        _name, _summary, _source, body=partial(apply_rule, rule=_pattern), unit="truth", high=1, cost=1.0,
        combine="", noun=_name, length_table=partial(patterns.tabulate, _pattern),
        definition=_define_shapes(_shapes),
    )  # fmt: skip
_register(
    "long", "1 if the hand has a suit of at least this many cards, else 0", "dealerkit", body=has_long_suit,
    arguments=("seat", "integer"), unit="truth", high=1, cost=1.0, combine="",
    length_table=_tabulate_long_suit, definition=_define_long_suit, noun="suit of {} or more cards",
    examples=("long(north, 6)", "long(south, 5)"),
)  # fmt: skip

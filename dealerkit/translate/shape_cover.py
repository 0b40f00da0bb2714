"""Write sets of shapes as short lists of terms, in the notation that all dealer programs read."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
from collections.abc import Iterable

from dealerkit.cards.names import SUITS
from dealerkit.language import nodes
from dealerkit.language.nodes import ShapeTerm
from dealerkit.language.shapes import EVERY_SHAPE, list_patterns, parse_pattern

MAX_TRIED = 40  # number of terms with shapes outside the set that are tried as the first term
MAX_SETS = 30  # with more sets of shapes in a script, fewer terms are tried; a set takes up to 50 ms

_Term = tuple[bool, str]  # whether the lengths may be in any order, and the pattern
_EVERY: _Term = (False, "xxxx")


def limit_search(sets: Iterable[int]) -> int:
    """Return how many terms to try for each of a script's sets of shapes, so that all take about a second.

    >>> limit_search([7, 8, 7]), limit_search(range(60)), limit_search(range(10_000))
    (40, 20, 0)
    """
    return MAX_TRIED * MAX_SETS // max(len(set(sets)), MAX_SETS)


@functools.lru_cache(maxsize=4096)
def find_covering_terms(shapes: int, n_tried: int = MAX_TRIED) -> tuple[ShapeTerm, ...]:
    """Return a short list of terms of ``shape(seat, list)`` that describes a set of shapes.

    Terms that remove shapes are used if they make the list shorter. The search is greedy: it repeatedly takes
    the term that covers most, and removes redundant terms, so the list is not always the shortest.

    Parameters
    ----------
    shapes : int
        Bit set over `dealerkit.language.shapes.PATTERNS`, including suits of ten and more cards.
    n_tried : int
        Number of terms with shapes outside the set that are tried as the first term; with 0, the list has no
        minus.

    Returns
    -------
    tuple of ShapeTerm
        The terms; if they are applied in this order to the empty set, the result is exactly this set.

    Examples
    --------
    >>> from dealerkit.language.brace_shapes import parse_brace_shapes
    >>> for term in find_covering_terms(parse_brace_shapes("5m(332)")):
    ...     print(term.sign, term.any, term.pattern)
    + True 5332
    - False 5xxx
    - False x5xx
    """
    complement = EVERY_SHAPE & ~shapes
    if not shapes:
        terms = [("+", _EVERY), ("-", _EVERY)]
    else:
        terms = _find_signed_terms(shapes, n_tried)
        if len(terms) > 2 and complement and n_tried:
            signed = _find_signed_terms(complement, n_tried)
            opposite = [("-" if sign == "+" else "+", term) for sign, term in signed]
            terms = min(terms, [("+", _EVERY), *opposite], key=_cost)
    return tuple(ShapeTerm(sign, any_order, pattern) for sign, (any_order, pattern) in terms)


def _find_signed_terms(shapes: int, n_tried: int) -> list[tuple[str, _Term]]:
    """Return terms that only add; or, if shorter, one that adds too much, removals, and the rest."""
    best = [("+", term) for term in _cover(shapes, shapes)]
    if not n_tried or len(best) <= 2:
        return best
    overlapping = [(bits, term) for bits, term in _candidates() if bits & shapes and bits & ~shapes]
    overlapping.sort(key=lambda entry: 2 * (entry[0] & ~shapes).bit_count() - entry[0].bit_count())
    for bits, term in overlapping[:n_tried]:
        if len(best) <= 2:
            break
        surplus = _cover(bits & ~shapes, ~shapes, len(best) - 2)
        rest = _cover(shapes & ~bits, shapes, len(best) - 2 - len(surplus))
        terms = [("+", term), *(("-", removed) for removed in surplus), *(("+", added) for added in rest)]
        if len(terms) < len(best):  # otherwise a cover may be incomplete
            best = min(best, terms, key=_cost)
    return best


def _cost(terms: list[tuple[str, _Term]]) -> int:
    """Return the cost of a list; a minus is harder to read than a plus and costs more."""
    return sum(2 if sign == "+" else 3 for sign, _ in terms)


def _cover(required: int, allowed: int, max_terms: int = 560) -> list[_Term]:
    """Return terms that cover all required and only allowed shapes, or an incomplete list of too many.

    A list of more than `max_terms` terms may be incomplete.
    """
    useful = [entry for entry in _candidates() if entry[0] & required and entry[0] & ~allowed == 0]
    gains = [(-(bits & required).bit_count(), k) for k, (bits, _) in enumerate(useful)]
    heapq.heapify(gains)
    cover: list[tuple[int, _Term]] = []
    missing = required
    while missing and len(cover) <= max_terms:
        # Gains only become smaller, so if the largest earlier gain has not changed, it is the largest.
        previous, k = gains[0]
        gain = -(useful[k][0] & missing).bit_count()
        if gain != previous:
            heapq.heapreplace(gains, (gain, k))
        else:
            cover.append(useful[k])
            missing &= ~useful[k][0]
    return [term for _, term in cover] if missing else _drop_redundant(cover, required)


def _drop_redundant(cover: list[tuple[int, _Term]], required: int) -> list[_Term]:
    """Return the terms of a cover without those whose required shapes the others cover, first to last."""
    later = [*itertools.accumulate((bits for bits, _ in reversed(cover)), int.__or__, initial=0)][-2::-1]
    terms: list[_Term] = []
    kept = 0
    for (bits, term), after in zip(cover, later, strict=True):
        if bits & required & ~(kept | after):
            terms.append(term)
            kept |= bits
    return terms


@functools.cache
def _candidates() -> list[tuple[int, _Term]]:
    """Return all sets of shapes that single terms describe, largest first, each with its simplest term."""
    simplest: dict[int, _Term] = {}
    for characters in itertools.product("0123456789x", repeat=4):
        digits = [int(character) for character in characters if character != "x"]
        if sum(digits) > 13 or (len(digits) == 4 and sum(digits) < 13):
            continue
        pattern = "".join(characters)
        is_sorted = pattern.startswith("".join(sorted(pattern.replace("x", ""), reverse=True)))
        for any_order in (False, True)[: 1 + is_sorted]:
            bits = parse_pattern(pattern, any_order)
            other = simplest.get(bits)
            if other is None or (pattern.count("x"), any_order) < (other[1].count("x"), other[0]):
                simplest[bits] = (any_order, pattern)
    return sorted(simplest.items(), key=lambda entry: (-entry[0].bit_count(), entry[1]))


def count_hands(shapes: int) -> int:
    """Return how many of the 635,013,559,600 possible hands have one of these shapes.

    >>> from dealerkit.language.shapes import EVERY_SHAPE, parse_pattern
    >>> count_hands(EVERY_SHAPE), count_hands(parse_pattern("4333", any_order=True))
    (635013559600, 66905856160)
    """
    return sum(math.prod(math.comb(13, length) for length in pattern) for pattern in list_patterns(shapes))


def build_length_condition(seat: nodes.Seat, shapes: int, n_tried: int = MAX_TRIED) -> nodes.Expression:
    """Return a condition on suit lengths that a hand meets if and only if it has one of the shapes.

    `n_tried` is as for `find_covering_terms`.

    >>> from dealerkit.language.printer import to_text
    >>> to_text(build_length_condition(nodes.Seat(0), parse_pattern("5xxx") | parse_pattern("x5x0")))
    'spades(north) == 5 or hearts(north) == 5 and clubs(north) == 0'
    """
    condition: nodes.Expression | None = None
    for sign, terms in itertools.groupby(find_covering_terms(shapes, n_tried), lambda term: term.sign):
        alternatives = [conjunction for term in terms for conjunction in _list_orders(seat, term)]
        part = alternatives[0] if len(alternatives) == 1 else nodes.Or(tuple(alternatives))
        if condition is None:
            condition = part
        elif sign == "+":
            condition = nodes.Or((condition, part))
        else:
            operands = condition.operands if isinstance(condition, nodes.And) else (condition,)
            condition = nodes.And((*operands, nodes.Not(part)))
    assert condition is not None
    return condition


def _list_orders(seat: nodes.Seat, term: ShapeTerm) -> list[nodes.Expression]:
    """Return a condition on suit lengths for each order of the lengths of a term."""
    orders = set(itertools.permutations(term.pattern)) if term.any else {tuple(term.pattern)}
    conjunctions: list[nodes.Expression] = []
    for order in sorted(orders, reverse=True):
        lengths = [
            nodes.Chain((nodes.Call(suit, (seat,)), nodes.Number(int(length))), ("==",))
            for suit, length in zip(SUITS, order, strict=True)
            if length != "x"
        ]
        if len(lengths) > 1:
            conjunctions.append(nodes.And(tuple(lengths[:3])))  # three lengths determine the fourth
        else:
            conjunctions.append(lengths[0] if lengths else nodes.Number(1))
    return conjunctions

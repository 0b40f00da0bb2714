"""Sets of shapes as short lists of terms, which every program of the family reads."""

from __future__ import annotations

import functools
import itertools
import math

from dealerkit.cards.names import SUITS
from dealerkit.language import nodes
from dealerkit.language.nodes import ShapeTerm
from dealerkit.language.shapes import EVERY_SHAPE, list_patterns, parse_pattern

_DIGITS = "0123456789x"
MOST = 560
MOST_TRIED = 40  # terms that add too much, each of which is tried as a beginning


def find_covering_terms(shapes: int) -> tuple[ShapeTerm, ...]:
    """A short list of terms of ``shape(seat, list)`` that stands for a set of shapes.

    Terms that only add, or also some that take away where that is shorter. They are found by taking
    the largest term again and again and dropping what turns out to be superfluous, so the list is
    short, but it need not be the shortest.

    Parameters
    ----------
    shapes : int
        Bit set over `dealerkit.language.shapes.PATTERNS`; suits of ten and more cards included.

    Returns
    -------
    tuple of ShapeTerm
        In this order, from nothing, they make just this set.

    Examples
    --------
    >>> from dealerkit.language.brace_shapes import parse_brace_shapes
    >>> for term in find_covering_terms(parse_brace_shapes("5m(332)")):
    ...     print(term.sign, term.any, term.pattern)
    + True 5332
    - False 5xxx
    - False x5xx
    """
    return _covering(shapes)


_Term = tuple[bool, str]  # in any order of suits?, pattern
_EVERY: _Term = (False, "xxxx")


@functools.lru_cache(maxsize=1024)
def _covering(shapes: int) -> tuple[ShapeTerm, ...]:
    rest = EVERY_SHAPE & ~shapes
    if not shapes:
        solution = [("+", _EVERY), ("-", _EVERY)]
    else:
        solution = _signed(shapes)
        if len(solution) > 2 and rest:
            opposite = [("-" if sign == "+" else "+", term) for sign, term in _signed(rest)]
            solution = min(solution, [("+", _EVERY), *opposite], key=_cost)
    return tuple(ShapeTerm(sign, any_order, pattern) for sign, (any_order, pattern) in solution)


def _signed(shapes: int) -> list[tuple[str, _Term]]:
    """Terms that add; or if that is shorter one that adds too much, what it adds too much, and the rest."""
    best = [("+", term) for term in _cover(shapes, shapes)]
    promising = [(bits, term) for bits, term in _candidates() if bits & shapes and bits & ~shapes]
    promising.sort(key=lambda one: 2 * (one[0] & ~shapes).bit_count() - one[0].bit_count())
    for bits, term in promising[:MOST_TRIED]:
        if len(best) <= 2:
            break
        surplus = _cover(bits & ~shapes, ~shapes, len(best) - 2)
        rest = _cover(shapes & ~bits, shapes, len(best) - 2 - len(surplus))
        found = [("+", term), *(("-", one) for one in surplus), *(("+", one) for one in rest)]
        if len(found) < len(best):  # else a part may be incomplete
            best = min(best, found, key=_cost)
    return best


def _cost(terms: list[tuple[str, _Term]]) -> int:
    """A minus is harder to read than a plus, so it must save something."""
    return sum(2 if sign == "+" else 3 for sign, _ in terms)


def _cover(wanted: int, allowed: int, most: int = MOST) -> list[_Term]:
    """Terms whose union holds all that is wanted and only what is allowed; or more than `most` of them."""
    useful = [one for one in _candidates() if one[0] & wanted and one[0] & ~allowed == 0]
    taken: list[tuple[int, _Term]] = []
    missing = wanted
    while missing and len(taken) <= most:
        taken.append(max(useful, key=lambda one: (one[0] & missing).bit_count()))
        missing &= ~taken[-1][0]
    for one in taken[:] if not missing else ():
        others = functools.reduce(int.__or__, (bits for bits, _ in taken if bits != one[0]), 0)
        if one[0] & wanted & ~others == 0:
            taken.remove(one)
    return [term for _, term in taken]


@functools.cache
def _candidates() -> list[tuple[int, _Term]]:
    """Every set that one term can stand for, largest first, with the plainest of its terms."""
    found: dict[int, _Term] = {}
    for characters in itertools.product(_DIGITS, repeat=4):
        digits = [int(character) for character in characters if character != "x"]
        if sum(digits) > 13 or (len(digits) == 4 and sum(digits) < 13):
            continue
        pattern = "".join(characters)
        terms = [(False, pattern)]
        known_lengths = pattern.replace("x", "")
        if pattern.startswith("".join(sorted(known_lengths, reverse=True))):
            terms.append((True, pattern))
        for any_order, _ in terms:
            bits = parse_pattern(pattern, any_order)
            known = found.get(bits)
            if known is None or (pattern.count("x"), any_order) < (known[1].count("x"), known[0]):
                found[bits] = (any_order, pattern)
    return sorted(
        ((bits, term) for bits, term in found.items()), key=lambda one: (-one[0].bit_count(), one[1])
    )


def count_hands(shapes: int) -> int:
    """How many of the 635,013,559,600 hands have one of these shapes.

    >>> from dealerkit.language.shapes import EVERY_SHAPE, parse_pattern
    >>> count_hands(EVERY_SHAPE), count_hands(parse_pattern("4333", any_order=True))
    (635013559600, 66905856160)
    """
    return sum(math.prod(math.comb(13, length) for length in pattern) for pattern in list_patterns(shapes))


def build_length_condition(seat: nodes.Seat, shapes: int) -> nodes.Expression:
    """A set of shapes said without `shape`, by comparisons of lengths.

    >>> from dealerkit.language.printer import to_text
    >>> to_text(build_length_condition(nodes.Seat(0), parse_pattern("5xxx") | parse_pattern("x5x0")))
    'spades(north) == 5 or hearts(north) == 5 and clubs(north) == 0'
    """
    found: nodes.Expression | None = None
    for sign, terms in itertools.groupby(find_covering_terms(shapes), lambda term: term.sign):
        alternatives = [one for term in terms for one in _alternatives(seat, term)]
        part = alternatives[0] if len(alternatives) == 1 else nodes.Or(tuple(alternatives))
        if found is None:
            found = part
        elif sign == "+":
            found = nodes.Or((found, part))
        else:
            kept = found.operands if isinstance(found, nodes.And) else (found,)
            found = nodes.And((*kept, nodes.Not(part)))
    assert found is not None
    return found


def _alternatives(seat: nodes.Seat, term: ShapeTerm) -> list[nodes.Expression]:
    """One conjunction for each order of the lengths of a term."""
    orders = (
        sorted(set(itertools.permutations(term.pattern)), reverse=True) if term.any else [tuple(term.pattern)]
    )
    found: list[nodes.Expression] = []
    for order in orders:
        lengths = [
            nodes.Chain((nodes.Call(suit, (seat,)), nodes.Number(int(length))), ("==",))
            for suit, length in zip(SUITS, order, strict=True)
            if length != "x"
        ]
        if len(lengths) > 1:
            found.append(nodes.And(tuple(lengths[:3])))  # the fourth follows
        else:
            found.append(lengths[0] if lengths else nodes.Number(1))
    return found

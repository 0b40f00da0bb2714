"""Short lists of terms for sets of shapes."""

from __future__ import annotations

import itertools
import random
import re
import time
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerkit import parse
from dealerkit.language import nodes
from dealerkit.language.brace_shapes import parse_brace_shapes
from dealerkit.language.dialects import V1
from dealerkit.language.printer import to_text
from dealerkit.language.shapes import EVERY_SHAPE, PATTERNS
from dealerkit.translate.scripts import translate
from dealerkit.translate.shape_cover import (
    build_length_condition,
    count_hands,
    find_covering_terms,
    limit_search,
)

SHORT = [pattern for pattern in PATTERNS if max(pattern) < 10]

# Terms of Francois Dellacherie's expander for the rows of the reference's table that do not reach
# suits of ten cards, by their number there.
PLAIN = {
    "4432": 1, "4xx5": 1, "5+xx5+": 10, "2-xxx": 3, "[013-68]xxx": 7, "x[3-5]x[13]": 6, "(4432)": 1,
    "(54xx)": 1, "5s(431)": 6, "53(14)": 2, "4M(3+3+2+)": 12, "(3+3+3+2+)": 3, "4+c3+d(2+2+)": 10,
    "5M(xxx)": 2,
    "5+M3+c(31)": 8, "5M5m(xx)": 4, "5+s5+m(xx)": 20, "5m(332)": 6, "5m2s(42)": 4, "4M6mxx": 4,
    "[67]d[0-3]c[0-3]h[0-3]s": 16, "[67]d[0-4]c[0-4]h[0-4]s": 37, "[13]c[2-5]d[34]hx": 16,
    "4+s4+h(xx):d>c,h+s==10": 6, "x5+xx:h>s,h>=d,h>=c": 118, "x5+xx:h>s,h>=m": 132, "(54xx):h>s,d>c": 10,
    "(5xxx):c>6,d<3 or h+s==10": 10, "5s(xxx):s>h,s>m": 35, "5+s4+h(xx):d==c": 9, "(4432):s==4,h==4": 2,
    "(7321):c==7 or d==7": 12, "(5431) + (5422) + (5044)": 3, "(4432) + (4333) + 5332 - 4333": 4,
    "(xxxx) - 4432 - (4333)": 3, "xxxx - (5xxx) - x6xx + 5332": 4, "(4441) - 1444": 2, "4-s4-h5-cx": 150,
    "(0+xxx)": 10, "(2-2-xx)": 6, "(5+5+xx)": 6, "2+2+2+2+": 56, "[2-5][2-5][2-5][2-5]": 40, "5-5-5-x": 212,
}  # fmt: skip


def patterns_of(terms: tuple[nodes.ShapeTerm, ...]) -> set[tuple[int, ...]]:
    """Return the shapes of the terms, by regular expressions over the patterns."""
    shapes: set[tuple[int, ...]] = set()
    for term in terms:
        orders = set(itertools.permutations(term.pattern)) if term.any else {tuple(term.pattern)}
        expression = re.compile("|".join(" ".join(order).replace("x", r"\d+") for order in orders))
        matching = {pattern for pattern in PATTERNS if expression.fullmatch(" ".join(map(str, pattern)))}
        shapes = shapes | matching if term.sign == "+" else shapes - matching
    return shapes


def as_set(shapes: int) -> set[tuple[int, ...]]:
    return {pattern for number, pattern in enumerate(PATTERNS) if shapes >> number & 1}


@pytest.mark.parametrize("text", PLAIN)
def test_covers_are_never_longer_than_the_plain_expansion(text: str) -> None:
    shapes = parse_brace_shapes(text)
    terms = find_covering_terms(shapes)
    assert patterns_of(terms) == as_set(shapes)
    assert len(terms) <= PLAIN[text]


@settings(max_examples=30)
@given(st.one_of(st.integers(0, EVERY_SHAPE), st.sets(st.integers(0, 559), max_size=12)))
def test_every_set_has_a_cover(chosen: int | set[int]) -> None:
    shapes = chosen if isinstance(chosen, int) else sum(1 << number for number in chosen)
    assert patterns_of(find_covering_terms(shapes)) == as_set(shapes)


@settings(max_examples=30)
@given(st.integers(1, EVERY_SHAPE), st.integers(0, 3))
def test_a_short_search_makes_a_list_of_the_same_set(shapes: int, n_tried: int) -> None:
    terms = find_covering_terms(shapes, n_tried)
    assert patterns_of(terms) == as_set(shapes)
    assert n_tried or {term.sign for term in terms} == {"+"}


@pytest.mark.no_cover
def test_the_search_is_short_for_many_sets() -> None:
    assert [limit_search(range(n)) for n in (0, 30, 31, 400, 1201)] == [40, 40, 38, 3, 0]
    source = random.Random(5)
    lists = [" + ".join("".join(map(str, p)) for p in source.sample(SHORT, 20)) for _ in range(150)]
    text = " or ".join(f"shape(north, {patterns})" for patterns in lists)
    started = time.process_time()
    translated, warnings = translate(parse(f"condition {text}"), V1)
    assert time.process_time() - started < 5  # seconds of the processor
    assert "v1 allows 31 shapes, not 150" in warnings[0] and translated.count("shape(north") == 31


@pytest.mark.parametrize("pattern", [(10, 1, 1, 1), (0, 11, 2, 0), (1, 0, 12, 0), (0, 0, 0, 13)])
def test_long_suits_are_implied_by_the_others(pattern: tuple[int, ...]) -> None:
    terms = find_covering_terms(1 << PATTERNS.index(pattern))
    assert len(terms) == 1 and terms[0].pattern.count("x") == 1


def test_length_conditions_are_equivalent() -> None:
    lengths = np.array(PATTERNS)
    for text in ("5m(332)", "(54xx)", "5xxx - 5332", "(xxxx)", "9+xxx", "4432"):
        shapes = parse_brace_shapes(text)
        condition = to_text(build_length_condition(nodes.Seat(2), shapes))
        for number, suit in enumerate(("spades", "hearts", "diamonds", "clubs")):
            condition = condition.replace(f"{suit}(south)", f"lengths[{number}]")
        satisfying = {tuple(map(int, row)) for row in lengths if eval(condition, {"lengths": row})}  # noqa: S307
        assert satisfying == as_set(shapes), text


def test_hands_of_a_shape() -> None:
    assert count_hands(EVERY_SHAPE) == comb(52, 13)
    # Five spades exactly: C(13, 5) ways, the other eight cards from 39.
    assert count_hands(parse_brace_shapes("5xxx")) == comb(13, 5) * comb(39, 8)


def test_terms_are_parsed_as_they_are_printed() -> None:
    terms = find_covering_terms(parse_brace_shapes("5+M(xxx):s>h"))
    shapes = nodes.ShapeList(terms, parse_brace_shapes("5+M(xxx):s>h"))
    call = nodes.Call("shape", (nodes.Seat(0), shapes))
    assert parse(to_text(call), "v1").statements[0].value == call  # type: ignore[union-attr]

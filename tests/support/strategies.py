"""Strategies for hypothesis: hands, deals, scripts, files and arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from dealerkit import Deal, Deals
from tests.support.files import build_file, damage_bytes
from tests.support.ranks import DEALS, unrank_deal
from tests.support.scripts import DIALECTS, ScriptWriter, damage_text


def _all_hands() -> st.SearchStrategy[tuple[int, int, int, int]]:
    return st.integers(0, DEALS - 1).map(unrank_deal)


def hands() -> st.SearchStrategy[int]:
    """Return a strategy for hands of 13 cards, ints of 64 bits; it shrinks to thirteen spades."""
    return _all_hands().map(lambda four: four[0])


def single_deals() -> st.SearchStrategy[Deal]:
    """Return a strategy for a `Deal`, with or without vulnerability, dealer and board."""
    return st.builds(
        Deal,
        _all_hands(),
        vulnerable=st.none() | st.integers(0, 3),
        dealer=st.none() | st.integers(0, 3),
        board=st.none() | st.integers(1, 9999),
    )


@st.composite
def deals(draw: st.DrawFn, min_size: int = 0, max_size: int = 8, attached: bool = False) -> Deals:
    """Return a strategy for `Deals` with `min_size` to `max_size` deals.

    With `attached` they have any of the columns tables, vulnerable, dealer, board, weight and cluster.
    """
    rows = draw(st.lists(_all_hands(), min_size=min_size, max_size=max_size))
    n = len(rows)
    columns: dict[str, Any] = {}
    if attached:
        ranges = {
            "tables": (np.int8, -1, 13, (n, 5, 4)),
            "vulnerable": (np.int8, -1, 3, (n,)),
            "dealer": (np.int8, -1, 3, (n,)),
            "board": (np.int32, 1, 9999, (n,)),
            "weight": (np.float64, 0, 100, (n,)),
            "cluster": (np.int64, 0, 99, (n,)),
        }
        for name in draw(st.sets(st.sampled_from(sorted(ranges)))):
            dtype, low, high, shape = ranges[name]
            generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
            columns[name] = generator.integers(low, high, shape, endpoint=True).astype(dtype)
    return Deals(np.array(rows, dtype=np.uint64).reshape(-1, 4), **columns)


def _writer(draw: st.DrawFn, dialect: str | None, **options: Any) -> ScriptWriter:
    dialect = draw(st.sampled_from(DIALECTS)) if dialect is None else dialect
    return ScriptWriter(lambda n: draw(st.integers(0, n - 1)), dialect, **options)


@st.composite
def expressions(draw: st.DrawFn, dialect: str = "modern", depth: int = 3, **options: bool) -> str:
    """Return a strategy for expressions of a dialect; `solve` and `rnd` as for `ScriptWriter`."""
    return _writer(draw, dialect, depth=depth, **options).write_expression()


@st.composite
def conditions(draw: st.DrawFn, dialect: str = "modern", depth: int = 3, **options: bool) -> str:
    """Return a strategy for conditions of a dialect, which most deals or few may meet."""
    return _writer(draw, dialect, depth=depth, **options).write_condition()


@st.composite
def scripts(draw: st.DrawFn, dialect: str = "modern", **options: bool) -> str:
    """Return a strategy for scripts in the grammar of a dialect.

    Most are valid. Some are refused, such as those that count a real number in a frequency.
    """
    return _writer(draw, dialect, **options).write_script()


@st.composite
def damaged_scripts(draw: st.DrawFn, dialect: str | None = None) -> str:
    """Return a strategy for scripts with characters removed, repeated, exchanged or inserted."""
    text = _writer(draw, dialect).write_script()
    return damage_text(lambda n: draw(st.integers(0, n - 1)), text)


@st.composite
def files(draw: st.DrawFn, format: str = "pbn") -> bytes:
    """Return a strategy for the content of files of a format, such as ``pbn``, ``lin``, ``csv``, ``zrd``."""
    return build_file(lambda n: draw(st.integers(0, n - 1)), format)


@st.composite
def damaged_files(draw: st.DrawFn, format: str = "pbn") -> bytes:
    """Return a strategy for the content of damaged files of a format."""

    def choose(n: int) -> int:
        return draw(st.integers(0, n - 1))

    return damage_bytes(choose, build_file(choose, format))


@st.composite
def calls(draw: st.DrawFn, dialect: str = "modern") -> str:
    """Return a strategy for calls of a function of the language with arguments of the right kinds."""
    return _writer(draw, dialect).write_call(1)

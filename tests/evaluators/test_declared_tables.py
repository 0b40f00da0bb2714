"""The tables that entries of the registry declare, against the functions' bodies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import registry
from dealerkit.cards import LANE_SHIFTS
from dealerkit.evaluators import holdings
from dealerkit.language import nodes

ALL = np.arange(8192)
LENGTHS = np.array([bin(holding).count("1") for holding in ALL])
REWEIGHTED = ((5, 4, 3, 2, 1), (-3, 0, 0, 40_000), (1,))
CARDS = [nodes.CardLiteral(suit, rank) for suit, rank in product(range(4), range(13))]


def deals_with_all_holdings() -> np.ndarray:
    """Return deals in which north has every holding of every suit, uint64 [n, 4]: random but for it."""
    random = np.random.default_rng(1)
    rows = []
    for suit in range(4):
        for holding in range(8192):
            held = [13 * suit + rank for rank in range(13) if holding >> rank & 1]
            others = random.permutation([card for card in range(52) if card // 13 != suit])
            rest = [13 * suit + rank for rank in range(13) if not holding >> rank & 1]
            n_others = 13 - len(held)
            rows.append([*held, *others[:n_others], *random.permutation([*others[n_others:], *rest])])
    cards = np.array(rows)
    bits = np.uint64(1) << np.array(
        [LANE_SHIFTS[card // 13] + card % 13 for card in range(52)], dtype=np.uint64
    )
    return np.bitwise_or.reduce(bits[cards].reshape(-1, 4, 13), axis=2)


@cache
def all_hands() -> np.ndarray:
    """Return the hands of all deals of these tests."""
    return np.concatenate([deals_with_all_holdings(), dk.deal(20_000, seed=3).hands])


def split(hands: np.ndarray) -> np.ndarray:
    """Return the holdings of hands, int64 [n, 4] by suit."""
    return np.stack([(hands >> np.uint64(shift)).astype(np.int64) & 8191 for shift in LANE_SHIFTS], axis=1)


def list_calls(function: registry.Function) -> list[tuple[tuple, dict]]:
    """Return arguments after the seat or side, and keywords, with which the function can be called."""
    rest = [()]
    for kind in function.arguments[1:]:
        values = CARDS if kind == "card" else range(4)
        rest = [(*before, value) for before in rest for value in values]
        if kind.endswith("?"):
            rest.append(())
    options: list[dict] = [{}]
    if function.variants:
        options = [{"variant": variant} for variant in function.variants]
    if function.table is not None:
        options += [{"weights": weights} for weights in REWEIGHTED]
    if function.name == "losers":
        options.append({"table": holdings.coupled_losers((2, 1), (1, 1))})
    return list(product(rest, options))


def declared(field: str) -> list:
    """Return the functions that declare a table."""
    functions = [function for function in registry.functions() if getattr(function, field) is not None]
    return [pytest.param(function, id=function.name) for function in functions]


def hands_of(function: registry.Function) -> list[np.ndarray]:
    """Return the hands with which a body is called: north's, or north's and south's."""
    assert function.kind in ("hand", "side")
    return [all_hands()[:, 0]] if function.kind == "hand" else [all_hands()[:, 0], all_hands()[:, 2]]


@pytest.mark.parametrize("function", declared("holding_table"))
def test_a_declared_sum_equals_the_body_for_every_holding_of_every_suit(function):
    hands = hands_of(function)
    parts = [split(hand) for hand in hands]
    for suit in range(4):
        assert len(np.unique(parts[0][:, suit])) == 8192
    n_tables = 0
    for rest, options in list_calls(function):
        table = function.holding_table(*rest, **options)
        if table is None:
            continue
        n_tables += 1
        assert table.dtype.kind == "i"
        tables = np.broadcast_to(table, (4, 8192)).astype(np.int64)
        total = sum(tables[suit][part[:, suit]] for part in parts for suit in range(4))
        values = function.length_table(*rest, **options) if function.length_table else None
        if values is not None:  # the value is the sum of both
            codes = [LENGTHS[part].astype(np.int64) for part in parts]
            spades, hearts, diamonds, _ = sum(codes).T
            total = total + values[spades << 8 | hearts << 4 | diamonds]
        assert np.array_equal(total, function.body(*hands, *rest, **options)), (rest, options)
    assert n_tables


@pytest.mark.parametrize("function", declared("length_table"))
def test_a_declared_table_of_lengths_equals_the_body(function):
    hands = hands_of(function)
    spades, hearts, diamonds, _ = sum(LENGTHS[split(hand)] for hand in hands).T
    for rest, options in list_calls(function):
        values = function.length_table(*rest, **options)
        tables = function.holding_table(*rest, **options) if function.holding_table else None
        if values is not None and tables is None:
            assert values.shape == (4096,)
            expected = function.body(*hands, *rest, **options)
            assert np.array_equal(values[spades << 8 | hearts << 4 | diamonds], expected), (rest, options)


@pytest.fixture
def temporary():
    """Yield a function that registers an entry until the end of the test."""
    names = []

    def add(entry: registry.Function) -> None:
        registry.register(entry)
        names.append(entry.name)

    yield add
    for name in names:
        registry.unregister(name)


def count_aces_and_kings(hand: np.ndarray) -> np.ndarray:
    """Return the number of aces and kings, but 0 for all eight: no sum over suits, on one deal in 20,000,000."""
    mask = sum(0b11 << 11 + shift for shift in LANE_SHIFTS)
    return (np.bitwise_count(hand & np.uint64(mask)) % 8).astype(np.int16)


def test_only_declared_tables_make_a_probability_exact(temporary):
    temporary(registry.Function("nearly", ("seat",), count_aces_and_kings, low=0, high=7))
    assert dk.probability("top2(north) >= 7").fraction is not None
    assert dk.probability("nearly(north) >= 7", deals=10_000).fraction is None
    assert dk.probability("cccc(north) >= 20", deals=10_000).fraction is None


def points_of_aces(deals: dk.Deals, seat: int, suit: int | None = None) -> np.ndarray:
    """Return five points for each ace, or for that of a suit."""
    lanes = range(4) if suit is None else [suit]
    return sum((deals.hand(seat) >> np.uint64(LANE_SHIFTS[lane] + 12) & np.uint64(1)) * 5 for lane in lanes)


def test_a_function_of_the_user_may_declare_its_table(temporary):
    table = np.where(ALL >> 12, 5, 0)
    add = dk.function("acepoints", ["seat", "suit?"], low=0, high=20, holding_table=table)
    add(points_of_aces)
    dk.function("acepoints2", ["seat", "suit?"], low=0, high=20)(points_of_aces)
    try:
        for condition in ("acepoints(north) >= 15", "acepoints(west, hearts) == 5"):
            aces = condition.replace("acepoints", "aces").replace("15", "3").replace("5", "1")
            assert dk.probability(condition).fraction == dk.probability(aces).fraction
            undeclared = condition.replace("acepoints", "acepoints2")
            assert dk.probability(undeclared, deals=5000).fraction is None
        condition = "acepoints(north) == 20 and acepoints(east, spades) == 0"
        result = dk.run(f"condition {condition}", produce=200, seed=1, plan="conditional")
        assert result.deals.eval("acepoints(north)").tolist() == [20] * 200
    finally:
        registry.unregister("acepoints")
        registry.unregister("acepoints2")


def test_a_wrong_table_of_a_user_is_an_error(temporary):
    wrong = np.where(ALL >> 12, 5, 0)
    wrong[0] = 1  # for a void
    dk.function("acepoints", ["seat"], holding_table=wrong)(points_of_aces)
    try:
        with pytest.raises(dk.ArgumentError, match="acepoints is not the sum of its holding_table"):
            dk.probability("acepoints(north) >= 15")
    finally:
        registry.unregister("acepoints")
    right = np.where(ALL >> 12, 5, 0)
    dk.function("acepoints", ["seat"], holding_table=right)(lambda deals, seat: points_of_aces(deals, 0))
    try:
        with pytest.raises(dk.ArgumentError, match="acepoints is not the sum of its holding_table"):
            dk.probability("acepoints(north) >= 15")  # right for north, wrong for the other seats
    finally:
        registry.unregister("acepoints")
    for table in (np.zeros(8192), np.zeros(13, int), [0] * 8192):
        with pytest.raises(dk.ArgumentError, match="8192 or 4 x 8192 integers"):
            dk.function("acepoints", ["seat"], holding_table=table)(points_of_aces)
    with pytest.raises(dk.ArgumentError, match="cannot have a holding_table"):
        dk.function("acepoints", ["seat", "card"], holding_table=wrong)(points_of_aces)


def test_the_probability_of_a_declared_function_is_that_of_combinatorics():
    @dk.function(args=["seat"], low=0, high=3, holding_table=(ALL == 0).astype(int))
    def voids(deals, seat):
        return sum(
            (deals.hand(seat) >> np.uint64(shift) & np.uint64(8191) == 0).astype(int) for shift in LANE_SHIFTS
        )

    try:
        hands = comb(52, 13)
        expected = Fraction(4 * comb(39, 13) - 6 * comb(26, 13) + 4, hands)  # inclusion and exclusion
        assert dk.probability("voids(north) >= 1").fraction == expected
    finally:
        registry.unregister("voids")

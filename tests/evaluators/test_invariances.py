"""Values of evaluators do not depend on names of suits, cards below the eight, or seats."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
import dealerkit.language.functions  # noqa: F401  (it fills the registry)
from dealerkit import registry

SUIT_FUNCTIONS = {
    "spades",
    "hearts",
    "diamonds",
    "clubs",
    "quality",
    "hascard",
    "rule15",
}  # about certain suits
WITH_NUMBERS = {"long"}  # not of a hand alone; tests/evaluators/test_shape_words.py has them
EXEMPT = "add it to SUIT_FUNCTIONS in tests/evaluators/test_invariances.py"
HANDS = [
    function.name
    for function in registry.functions()
    if function.kind == "hand" and function.name not in SUIT_FUNCTIONS | WITH_NUMBERS
]
SIDES = [
    function.name
    for function in registry.functions()
    if function.kind in ("side", "pair") and function.name not in ("usereval",)
]
PAIRS = {
    function.name for function in registry.functions() if function.kind == "pair"
}  # the first hand declares if both are equal


@pytest.fixture(scope="module")
def deals():
    return dk.deal(4_000, seed=21)


def suits_of(deals):
    return [deals.hands >> np.uint64(shift) & np.uint64(0x1FFF) for shift in (48, 32, 16, 0)]


def deals_of(suits):
    return dk.Deals(sum(suit << np.uint64(shift) for suit, shift in zip(suits, (48, 32, 16, 0), strict=True)))


def with_low_cards_changed(deals):
    """Return the deals with the six cards below the eight of each suit in reverse order."""
    low = np.uint64(0b111111)
    reverse = np.array([int(f"{k:06b}"[::-1], 2) for k in range(64)], np.uint64)
    return deals_of([part & ~low | reverse[(part & low).astype(int)] for part in suits_of(deals)])


@pytest.mark.parametrize("name", HANDS)
def test_suits_have_equal_values(deals, name):
    values = dk.evaluate(deals, name, seat="north")
    for order in ((3, 2, 1, 0), (1, 0, 2, 3), (2, 3, 1, 0)):
        turned = deals_of([suits_of(deals)[k] for k in order])
        np.testing.assert_array_equal(
            dk.evaluate(turned, name, seat="north"),
            values,
            err_msg=f"if {name} is about certain suits: {EXEMPT}",
        )


@pytest.mark.parametrize("name", HANDS + SIDES)
def test_low_cards_do_not_matter(deals, name):
    changed = with_low_cards_changed(deals)
    assert not np.array_equal(changed.hands, deals.hands)
    argument = {"side": "NS"} if name in SIDES else {"seat": "east"}
    np.testing.assert_array_equal(
        dk.evaluate(changed, name, **argument), dk.evaluate(deals, name, **argument), err_msg=name
    )


@pytest.mark.parametrize("name", HANDS)
def test_values_of_a_hand_do_not_depend_on_the_seat(deals, name):
    values = dk.evaluate(deals, name, seat="north")
    for seat in ("east", "south", "west"):
        turned = deals.rotate(opener=seat, hand="north")
        np.testing.assert_array_equal(dk.evaluate(turned, name, seat=seat), values)


@pytest.mark.parametrize("name", SIDES)
def test_values_of_a_side_do_not_depend_on_the_seats(deals, name):
    values = dk.evaluate(deals, name, side="NS")
    turned = deals.rotate(opener="east", hand="north")
    np.testing.assert_array_equal(dk.evaluate(turned, name, side="EW"), values)
    exchanged = dk.evaluate(deals.rotate(opener="south", hand="north"), name, side="NS")
    if name in PAIRS:
        assert (exchanged != values).mean() < 0.05
    elif name != "opc":  # depends on the opener
        np.testing.assert_array_equal(exchanged, values)

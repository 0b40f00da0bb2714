"""What no evaluator may look at: names of suits, cards below the eight, where the hands sit."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
import dealerkit.language.functions  # noqa: F401  (it fills the registry)
from dealerkit import registry

SUIT_WORDS = {"spades", "hearts", "diamonds", "clubs", "quality", "hascard", "rule15"}  # about one suit
HANDS = [one.name for one in registry.functions() if one.kind == "hand" and one.name not in SUIT_WORDS]
SIDES = [
    one.name for one in registry.functions() if one.kind in ("side", "pair") and one.name not in ("usereval",)
]
PAIRS = {
    one.name for one in registry.functions() if one.kind == "pair"
}  # the first hand declares if both are equal


@pytest.fixture(scope="module")
def deals():
    return dk.deal(4_000, seed=21)


def lanes(deals):
    return [deals.hands >> np.uint64(shift) & np.uint64(0x1FFF) for shift in (48, 32, 16, 0)]


def from_lanes(parts):
    return dk.Deals(sum(part << np.uint64(shift) for part, shift in zip(parts, (48, 32, 16, 0), strict=True)))


def with_low_cards_changed(deals):
    """Deals in which the six cards below the eight of each suit have changed places, by length alone."""
    low = np.uint64(0b111111)
    reverse = np.array([int(f"{k:06b}"[::-1], 2) for k in range(64)], np.uint64)
    return from_lanes([part & ~low | reverse[(part & low).astype(int)] for part in lanes(deals)])


@pytest.mark.parametrize("name", HANDS)
def test_suits_are_alike(deals, name):
    values = dk.evaluate(deals, name, seat="north")
    for order in ((3, 2, 1, 0), (1, 0, 2, 3), (2, 3, 1, 0)):
        turned = from_lanes([lanes(deals)[k] for k in order])
        np.testing.assert_array_equal(dk.evaluate(turned, name, seat="north"), values)


@pytest.mark.parametrize("name", HANDS + SIDES)
def test_low_cards_do_not_matter(deals, name):
    changed = with_low_cards_changed(deals)
    assert not np.array_equal(changed.hands, deals.hands)
    place = {"side": "NS"} if name in SIDES else {"seat": "east"}
    np.testing.assert_array_equal(
        dk.evaluate(changed, name, **place), dk.evaluate(deals, name, **place), err_msg=name
    )


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_is_worth_the_same_at_every_seat(deals, name):
    values = dk.evaluate(deals, name, seat="north")
    for seat in ("east", "south", "west"):
        turned = deals.rotate(opener=seat, hand="north")
        np.testing.assert_array_equal(dk.evaluate(turned, name, seat=seat), values)


@pytest.mark.parametrize("name", SIDES)
def test_a_side_is_worth_the_same_at_every_table(deals, name):
    values = dk.evaluate(deals, name, side="NS")
    turned = deals.rotate(opener="east", hand="north")
    np.testing.assert_array_equal(dk.evaluate(turned, name, side="EW"), values)
    exchanged = dk.evaluate(deals.rotate(opener="south", hand="north"), name, side="NS")
    if name in PAIRS:
        assert (exchanged != values).mean() < 0.05
    elif name != "opc":  # which asks who opened
        np.testing.assert_array_equal(exchanged, values)

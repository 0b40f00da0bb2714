"""Deals as arrays of single cards."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk

CARDS = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]  # as the documentation has it


def test_cards_are_those_of_the_texts(rng: np.random.Generator):
    deals = dk.deal(200, seed=int(rng.integers(1 << 30)))
    cards = deals.to_cards()
    assert cards.dtype == bool and cards.shape == (200, 4, 52)
    for text, seats in zip(deals.to_pbn(), cards, strict=True):
        for hand, held in zip(text.removeprefix("N:").split(), seats, strict=True):
            named = [s + rank for s, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks]
            assert named == [CARDS[place] for place in np.flatnonzero(held)]
    points = cards.reshape(200, 4, 4, 13)[..., :4].sum(axis=2) @ [4, 3, 2, 1]
    assert (points[:, 2] == deals.eval("hcp(south)")).all()


@pytest.mark.parametrize("order", ["C", "F"])
def test_deals_are_read_back(order):
    deals = dk.deal(100, seed=1)
    deals = dk.Deals(np.array(deals.hands, order=order))
    for kind in (bool, np.uint8, np.int64, np.float32):
        assert dk.Deals.from_cards(deals.to_cards().astype(kind)).equals(deals)
    assert dk.Deals.from_cards(deals[::3].to_cards()[::-1]).equals(deals[::3][::-1])
    none = deals[:0].to_cards()
    assert none.shape == (0, 4, 52) and len(dk.Deals.from_cards(none)) == 0


def test_other_arrays_are_refused():
    cards = dk.deal(3, seed=1).to_cards()
    for wrong in (cards[0], cards[:, :3], cards[..., :51], []):
        with pytest.raises(dk.ArgumentError, match=r"not \(n, 4, 52\)"):
            dk.Deals.from_cards(wrong)
    for wrong in (cards * 2, cards * 0.5, np.full(cards.shape, np.nan), cards.astype(str)):
        with pytest.raises(dk.ArgumentError, match="other values than true and false"):
            dk.Deals.from_cards(wrong)
    cards[1, 0] = ~cards[1, 0]
    with pytest.raises(dk.DealError, match="deal 1"):
        dk.Deals.from_cards(cards)

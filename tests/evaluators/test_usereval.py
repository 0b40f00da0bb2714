"""DealerV2's numbered slots: the forms of the call, the intended variant, and what is refused."""

from __future__ import annotations

import pytest

from dealerkit import ArgumentError
from dealerkit.evaluators import usereval


def test_forms_of_usereval(random_hands):
    """The values of tag 99 encode their slots: reference 3.13 of the language."""
    for seat in range(4):
        assert set(usereval.usereval(random_hands, 99, 15, seat=seat)) == {1015 if seat < 2 else 2015}
        for suit, letter in enumerate("SHDC"):
            expected = 1000 * (1 + (seat >= 2)) + 100 * ("CDHS".index(letter) + 1) + 3
            assert set(usereval.usereval(random_hands, 99, 3, seat=seat, suit=suit)) == {expected}
    for side in (0, 1):
        assert set(usereval.usereval(random_hands, 99, 31, side=side)) == {-32}
        assert set(usereval.usereval(random_hands, 99, 7, side=side, suit=0)) == {407}
        assert set(usereval.usereval(random_hands, 99, 127, side=side)) == {2403}


def test_intended_slots_of_the_composite_tags(hand_of):
    hands = hand_of("AKJT32.Q98.J98.9", "Q54.2.K6543.J432")[:, None]
    half_zar = [24, 14, 10]  # side, first, second hand
    intended = usereval.tag_values(*hands, 40, variant="intended")
    assert [int(intended[slot][0]) for slot in range(72, 75)] == half_zar
    assert [int(intended[slot][0]) for slot in range(75, 78)] == half_zar
    coded = usereval.tag_values(*hands, 40)
    assert [int(coded[slot][0]) for slot in range(72, 78)] == [38, 24, 14, 34, 10, 24]
    larsson = usereval.tag_values(*hands, 51, variant="intended")
    assert (int(larsson[12][0]), int(larsson[13][0])) == (3, 9)


def test_errors_of_usereval(random_hands):
    with pytest.raises(ArgumentError, match="no tag 60"):
        usereval.usereval(random_hands, 60, 0, side=0)
    with pytest.raises(ArgumentError, match="slots 0 to 15, not 16"):
        usereval.usereval(random_hands, 0, 16, seat=0)
    with pytest.raises(ArgumentError, match="a side or a seat"):
        usereval.usereval(random_hands, 0, 0)
    with pytest.raises(ArgumentError, match="unknown variant 'v1'"):
        usereval.usereval(random_hands, 0, 0, side=0, variant="v1")
    assert (usereval.slot_number(7, suit=3), usereval.slot_number(15, seat=1), usereval.tag_number(122)) == (
        39,
        79,
        12,
    )

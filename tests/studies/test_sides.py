"""Strains that sides play, and their tricks, against loops over deals."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit import Deals, solved_sample
from dealerkit.studies.sides import choose_strains, count_fits, find_side_tricks


@pytest.fixture(scope="module")
def sample():
    return solved_sample()[:1500]


def test_fits_by_counting_letters(sample):
    for row, text in enumerate(sample[:200].to_pbn()):
        hands = [hand.split(".") for hand in text[2:].split()]
        for side in (0, 1):
            counted = [len(hands[side][suit]) + len(hands[side + 2][suit]) for suit in range(4)]
            assert count_fits(sample)[row, side].tolist() == counted


@pytest.mark.parametrize("rule", ["best major", "longest fit", "best suit"])
def test_rules(sample, rule):
    strains, length = choose_strains(sample, rule), count_fits(sample)
    for row in range(len(sample)):
        for side in (0, 1):
            tricks = sample.tables[row, :4, side::2].max(axis=1)
            keys = {
                "best major": lambda suit, row=row, side=side: (suit < 2, length[row, side, suit], -suit),
                "longest fit": lambda suit, row=row, side=side: (length[row, side, suit], -suit),
                "best suit": lambda suit, row=row, side=side, t=tricks: (
                    t[suit],
                    length[row, side, suit],
                    -suit,
                ),
            }
            assert strains[row, side] == max(range(4), key=keys[rule])


@pytest.mark.parametrize(
    ("word", "strain"), [("H", 1), ("clubs", 3), ("NT", 4), ("notrump", 4), ("Spade", 0)]
)
def test_one_strain_for_all(sample, word, strain):
    strains = choose_strains(sample, word)
    assert (strains == strain).all()
    best, mean = (find_side_tricks(sample, strains, declarer) for declarer in ("better", "mean"))
    for side in (0, 1):
        np.testing.assert_array_equal(best[:, side], sample.tables[:, strain, side::2].max(axis=1))
        np.testing.assert_array_equal(mean[:, side], sample.tables[:, strain, side::2].mean(axis=1))


def test_published_tricks_of_the_best_suit():
    """T. Andrews: a pair takes 8.42 tricks in its best suit (sd 2.11) and 6.06 in notrump (sd 2.78)."""
    sample = solved_sample()
    for rule, mean, sd in (("best suit", 8.42, 2.11), ("notrump", 6.06, 2.78)):
        tricks = find_side_tricks(sample, choose_strains(sample, rule))
        # Twice four binomial-like standard errors of each source: 4 x 2.78 / sqrt(104,960) = 0.034.
        assert tricks.mean() == pytest.approx(mean, abs=0.04)
        assert tricks.std() == pytest.approx(sd, abs=0.04)


def test_sample_is_valid():
    sample = solved_sample()
    assert len(sample) >= 100_000 and sample is solved_sample()
    sample.check()
    assert sample.tables.min() == 0 and sample.tables.max() == 13
    # The correlation of points and notrump tricks is .87 in the publication of the deals.
    hcp = sample.eval("hcp(north) + hcp(south)")
    assert np.corrcoef(hcp, sample.tables[:, 4, 0])[0, 1] == pytest.approx(0.87, abs=0.01)
    with pytest.raises(ValueError, match="read-only"):
        sample.tables[0] = 0
    assert isinstance(sample, Deals)

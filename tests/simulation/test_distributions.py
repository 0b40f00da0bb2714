"""What is shown of probabilities, distributions and the table of functions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import matplotlib
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.statistics import Probability, proportion

matplotlib.use("Agg")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (Fraction(1, comb(52, 13)), "1 deal in 635 billion (exact)"),
        (Fraction(1, 5_100_000_000), "1 deal in 5.1 billion (exact)"),
        (Fraction(1, 4), "25.000 %, 1 deal in 4 (exact)"),
        (Fraction(99, 100), "99.0000 %, all but 1 deal in 100 (exact)"),
        (Fraction(0), "no deal (exact)"),
        (Fraction(1), "every deal (exact)"),
    ],
)
def test_a_probability_is_a_share_and_odds(share, text):
    probability = Probability.of(dk.Estimate.exactly(share))
    assert probability.describe() == text and text.split(" ")[0] in probability._repr_html_()
    assert "e-" not in probability.describe() and "10^" not in probability.describe()


def test_an_estimated_probability_has_its_interval():
    probability = Probability.of(proportion(209, 1000))
    assert probability.describe() == "20.9 ± 2.5 %, 1 deal in 4.78 (n = 1,000)"
    assert repr(probability) == repr(proportion(209, 1000))


def test_a_distribution_is_a_frame_and_a_card():
    found = dk.distribution("spades(north)")
    assert isinstance(found, pd.DataFrame) and type(found[["share"]]) is pd.DataFrame
    share = comb(13, 5) * comb(39, 8) / comb(52, 13)
    assert found.share[5] == pytest.approx(share, rel=1e-12)
    assert f"{100 * share:.4f} %" in found.text and "▇" in found.text and "Exact, of " in found.text
    assert found._repr_html_().count('role="img"') == len(found)
    assert found.plot(title="lengths").get_title() == "lengths"
    assert eval(found.attrs["call"], {"dk": dk}).equals(found)


def test_the_table_of_functions_is_searched_and_read():
    found = dk.functions.search("losing tricks")
    assert found.index[0] == "losers" and "stopper" not in found.index
    assert "losers(seat, suit?)" in found._repr_html_() and "Losing tricks" in found._repr_html_()
    assert dk.functions.loc["hcp"].unit == "points" or dk.functions.loc["hcp"].signature.startswith("hcp")
    assert dk.functions.search("no such thing at all").empty

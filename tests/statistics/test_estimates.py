"""Text of estimates, and Wilson's interval compared with statsmodels."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction

import pytest
from scipy.stats import beta

from dealerkit import ArgumentError, Estimate, proportion


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.5812, 0.00633, 0.5688, 0.5936, 6123), "0.581 ± 0.012 (n = 6,123)"),
        (Estimate(25.31234, 1, 23.3, 27.3, 12, 0.9), "25.3 ± 2.0 (n = 12, 90 %)"),
        (Estimate(430.0, 70.0, 290.0, 570.0, 50), "430 ± 140 (n = 50)"),
        (Estimate(0.0, 0.0, 0.0, 0.036995, 100), "0.000 [0.000, 0.037] (n = 100)"),
        (Estimate(7.0, 0.0, 7.0, 7.0, 5), "7 ± 0 (n = 5)"),
        (Estimate(7.0, math.nan, -math.inf, math.inf, 1), "7 (n = 1, no interval)"),
        (Estimate(5.9825e-7, 7e-10, 5.9690e-7, 5.9960e-7, 9), "5.983e-7 ± 0.014e-7 (n = 9)"),
        (Estimate(0.001, 0.001, 0.00004, 0.00567, 1000), "0.00100 [0.00004, 0.00567] (n = 1,000)"),
        (Estimate(-0.4, 2.5, -5.4, 4.6, 50), "0 ± 5 (n = 50)"),
        (Estimate(0.5812, 0.00633, 0.5688, math.inf, 7), "0.5812 [0.5688, no limit] (n = 7)"),
        (Estimate.exactly(Fraction(1, 3)), "0.333333 (exact)"),
    ],
)
def test_text_of_estimates(estimate, text):
    assert repr(estimate) == text


def test_html_has_the_interval():
    html = Estimate(0.5812, 0.00633, 0.5688, 0.5936, 6123)._repr_html_()
    assert "0.581 ± 0.012" in html
    assert "95 % interval 0.5688 to 0.5936" in html
    assert "interval" not in Estimate.exactly(0.5)._repr_html_()


def test_exact_estimates():
    quarter = Estimate.exactly(Fraction(1, 4), n=8)
    assert (quarter.value, quarter.se, quarter.lo, quarter.hi, quarter.n) == (0.25, 0, 0.25, 0.25, 8)
    assert quarter.exact
    assert quarter.fraction == Fraction(1, 4)
    assert Estimate.exactly(0.5).fraction is None
    assert float(quarter) == 0.25
    with pytest.raises(AttributeError):
        quarter.value = 1


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "n"), [(0, 1), (0, 50), (3, 50), (25, 50), (50, 50), (1, 10**9)])
def test_wilson_against_statsmodels(successes, n, level):
    proportion_confint = pytest.importorskip("statsmodels.stats.proportion").proportion_confint
    result = proportion(successes, n, level)
    lo, hi = proportion_confint(successes, n, 1 - level, method="wilson")
    if 0 < successes <= 15:
        lo = min(lo, beta.ppf(0.7 * (1 - level), successes, n - successes + 1))
    if 0 < n - successes <= 15:
        hi = max(hi, beta.isf(0.7 * (1 - level), successes + 1, n - successes))
    if n > 15 or successes > 15 or 0 < successes < n:
        assert (result.lo, result.hi) == pytest.approx((lo, hi), rel=1e-7, abs=1e-15)
    assert result.lo <= lo + 1e-15 and result.hi >= hi - 1e-15
    assert result.value == successes / n


def test_wrong_proportions_are_refused():
    assert math.isnan(proportion(0, 0).value)
    for arguments in ((3, 2), (-1, 2), (1, 2, 1.0), (math.nan, 2)):
        with pytest.raises(ArgumentError):
            proportion(*arguments)


def test_importing_estimates_does_not_import_scipy():
    """scipy costs half a second; it is not imported before an interval needs it."""
    names = "('scipy', 'pandas', 'matplotlib')"
    code = f"import sys, dealerkit.statistics; print([m for m in {names} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.999, 0.9999])
def test_quantiles_agree_with_scipy(level):
    from scipy.special import ndtri, stdtrit

    from dealerkit.statistics import normal_quantile, student_quantile

    assert normal_quantile(level) == pytest.approx(ndtri((1 + level) / 2), rel=1e-12)
    for freedom in (1, 2, 30, 99, 100, 101, 500, 10**6):
        assert student_quantile(level, freedom) == pytest.approx(stdtrit(freedom, (1 + level) / 2), rel=1e-8)

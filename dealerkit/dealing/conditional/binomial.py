"""Random binomial numbers, computed with integers only: how many of n deals are candidates.

In a run that may generate n deals, each of which is a candidate with probability p, the number of candidates
is binomial. It is sampled by inversion: from a random number of 128 bits, the probabilities of the mode, the
next number above it, the next below it, and so on are subtracted until the result is negative. This takes
about as many steps as the standard deviation.

Probabilities are integers in units of 2^-192. That of the mode is computed by Stirling's series in decimal
arithmetic with 90 digits, the others by the ratios of neighbours. So each has an error below 2^-120, and is
the same on every machine and in every release.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from math import comb

from dealerkit.dealing.random_words import COUNTS, block_key
from dealerkit.errors import ArgumentError

MAX_NUMBER = 10**13
_UNITS = 192
_SMALL = 1000  # with fewer successes or failures, binomial coefficients are computed exactly
_TWO_PI = Decimal("6.28318530717958647692528676655900576839433879875021164194988918461563281257242")
# B(2k) / (2k (2k - 1)) of Stirling's series (Abramowitz and Stegun 6.1.40), k = 1 to 12
_SERIES = (
    (1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156),
    (-3617, 122400), (43867, 244188), (-174611, 125400), (77683, 5796), (-236364091, 1506960),
)  # fmt: skip


def log_factorial(n: int) -> Decimal:
    """Return the natural logarithm of n! for n >= `_SMALL`, with a relative error below 10^-68."""
    x = Decimal(n + 1)
    total = (x - Decimal("0.5")) * x.ln() - x + _TWO_PI.ln() / 2
    return total + sum(
        (Decimal(a) / (Decimal(b) * x ** (2 * k + 1)) for k, (a, b) in enumerate(_SERIES)), Decimal(0)
    )


def binomial_probability(n: int, k: int, p: Fraction) -> int:
    """Return the probability of k successes in n trials, in units of 2^-192."""
    with localcontext(Context(prec=90, rounding=ROUND_HALF_EVEN, Emax=10**15, Emin=-(10**15))):
        if min(k, n - k) < _SMALL:
            ways = Decimal(comb(n, k)).ln()
        else:
            ways = log_factorial(n) - log_factorial(k) - log_factorial(n - k)
        yes, no, all_ = Decimal(p.numerator), Decimal(p.denominator - p.numerator), Decimal(p.denominator)
        log = ways + k * (yes / all_).ln() + (n - k) * (no / all_).ln()
        return int(log.exp() * Decimal(1 << _UNITS))


def sample_binomial(n: int, p: Fraction, words: Iterator[int]) -> int:
    """Return a random number of successes in n independent trials of probability p.

    Parameters
    ----------
    n : int, 0 to 10^13
    p : Fraction, 0 to 1
    words : iterator of int, 0 to 2^64 - 1
        Random words, of which two are used.

    Returns
    -------
    int, 0 to n

    Raises
    ------
    ArgumentError
        For n or p out of range.

    Examples
    --------
    >>> sample_binomial(1_000_000, Fraction(1, 4), iter([0, 0]))  # the mode comes first
    250000
    >>> sample_binomial(10, Fraction(1), iter([5, 5]))
    10
    """
    if not 0 <= n <= MAX_NUMBER:
        raise ArgumentError(f"the number of trials must be from 0 to {MAX_NUMBER:,}, not {n:,}")
    if not 0 <= p <= 1:
        raise ArgumentError(f"a probability must be from 0 to 1, not {float(p)}")
    # Invert the distribution in an order that starts at the mode: return the first value at which the sum of
    # the probabilities exceeds the random number.
    remainder = (next(words) << 64 | next(words)) << (_UNITS - 128)
    if p in (0, 1) or n == 0:
        return n if p == 1 else 0
    yes, no = p.numerator, p.denominator - p.numerator
    low = mode = min(n, (n + 1) * yes // (yes + no))
    high = mode
    below = above = binomial_probability(n, mode, p)
    remainder -= above
    # Ratio of adjacent probabilities: P(k + 1) / P(k) = (n - k) p / ((k + 1) (1 - p)).
    while remainder >= 0 and (above or below):
        above = above * ((n - high) * yes) // ((high + 1) * no)
        high += 1
        remainder -= above
        if remainder < 0:
            return high
        below = below * (low * no) // ((n - low + 1) * yes)
        low -= 1
        remainder -= below
        if remainder < 0:
            return low
    return mode


def sample_candidate_count(limit: int, share: Fraction, seed: int) -> int:
    """Return a random number of candidates among the first `limit` deals of a run; the seed determines it.

    Parameters
    ----------
    limit : int, 0 to 10^13
        Deals that the run may generate.
    share : Fraction
        Probability that a random deal is a candidate (`Sampler.share`).
    seed : int >= 0

    Returns
    -------
    int, 0 to `limit`

    Examples
    --------
    >>> abs(sample_candidate_count(1_000_000, Fraction(1, 10), seed=1) - 100_000) < 5 * 300
    True
    """
    return sample_binomial(limit, share, iter(block_key(seed, 0, COUNTS).tolist()))

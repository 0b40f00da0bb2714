"""Estimates with confidence intervals."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import (
    NO_INTERVAL,
    RARE,
    choose_decimals,
    format_below_one,
    format_count,
    format_estimate,
    format_level,
    format_number,
    format_odds_in_words,
    format_share,
    format_significant,
)
from dealerkit.errors import ArgumentError, DependentEstimates, Parameter, quote, warn_caller
from dealerkit.statistics.intervals import check_confidence, normal_quantile, share_interval

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Estimate:
    """An estimate from a sample, or an exact number, with its confidence interval.

    Parameters
    ----------
    value, se : float
        The estimate and its standard error; `se` is 0 if the value is exact and nan if it is unknown.
    lo, hi : float
        Ends of the interval; infinite if there is none.
    n : int
        Number of values in the sample.
    confidence : float in (0, 1)
        Confidence level of the interval.
    exact : bool
        Whether the value is counted exactly, not estimated.
    fraction : Fraction or None
        The exact value as a quotient of integers, if it is known.
    biased : bool
        Whether the value is wrong on average, like the share of a sample that ended with its first success.
    constant : bool
        Whether all values of the sample are equal. Such a sample cannot say how different other values are,
        so the interval depends on the values that are possible; there is none if these are not known.
    samples : frozenset of str
        The samples that the value comes from, such as ``seed 7``; empty if they are not known.

    Warns
    -----
    DependentEstimates
        Estimates of the same sample are added or subtracted.

    Notes
    -----
    Estimates are compared with each other and with numbers by their values, or by the fractions if these are
    known; ``hash`` is consistent with ``==``. The order says nothing about significance: a difference is
    significant if 0 is outside the interval of ``a - b``. To compare estimates in all respects, compare their
    `to_dict`.

    ``a - b`` is the difference of independent estimates, such as those of runs with different seeds. Its
    interval has the ends d - sqrt((a - a.lo)² + (b.hi - b)²) and d + sqrt((a.hi - a)² + (b - b.lo)²), where
    d = a - b. For shares with Wilson's intervals, this is Newcombe's hybrid score interval; for means with
    Student's intervals, it is close to Welch's interval, slightly wider for few values. Exact estimates and
    numbers have no width. The difference of two of them is exact, and a fraction if both are fractions or
    integers. ``a + b`` is ``a - -b``.

    Two estimates with a common sample are not independent: those of one run, of runs with the same seed, or
    on the same given deals. How much their errors depend on each other is not known. Their widths are then
    added, which is the most that any dependence can make of them, `se` is the sum of both, and a warning says
    so. A measure of its own, such as ``average hcp(north) - hcp(south)``, has an interval that is not too
    wide. ``a - a`` is 0. Deals that are only in a part of two given samples are not noticed.

    ``100 * a``, ``a / 2`` and ``-a`` change the unit of the value, its error and its interval. Estimates are
    not multiplied by each other, nor divided; an exact one is a number.

    ``format(e, spec)`` and f-strings apply a format for floats to the value and to the half-width of the
    interval, or to both ends if the interval is asymmetric; exact estimates are shown as a number alone. A
    sign in the format applies to the value, and a width to each number. Without a format, the text is the
    repr.

    References
    ----------
    R. G. Newcombe, Interval estimation for the difference between independent proportions: comparison of
    eleven methods, Statistics in Medicine 17 (1998), 873-890, method 10.
    G. Y. Zou, A. Donner, Construction of confidence limits about effect measures: a general approach,
    Statistics in Medicine 27 (2008), 1693-1702.

    Examples
    --------
    >>> proportion(3559, 6123)
    0.581 ± 0.012 (n = 6,123)
    >>> Estimate.exactly(Fraction(1, 4))
    0.25 (exact)
    >>> games, other = proportion(3559, 6123), proportion(560, 1000)
    >>> games > other, games - other
    (True, 0.02 ± 0.03 (n = 7,123))
    >>> f"{games:.1%}", round(games, 2), float(games) < 0.6
    ('58.1% ± 1.2%', 0.58 ± 0.01 (n = 6,123), True)
    >>> 100 * games, -games
    (58.1 ± 1.2 (n = 6,123), -0.581 ± 0.012 (n = 6,123))
    """

    value: float
    se: float
    lo: float
    hi: float
    n: int
    confidence: float = 0.95
    exact: bool = False
    fraction: Fraction | None = None
    biased: bool = False
    constant: bool = False
    samples: frozenset[str] = frozenset()

    @classmethod
    def exactly(cls, value: float | Fraction, n: int = 0, confidence: float = 0.95) -> Estimate:
        """Return an exact value as an estimate without error.

        Parameters
        ----------
        value : float or Fraction
            The value.
        n : int
            Number of values from which it was counted.
        confidence : float in (0, 1)
            Confidence level of other estimates that it is compared with.

        Raises
        ------
        ArgumentError
            The value is not a real number.
        """
        if not isinstance(value, Real):
            raise ArgumentError(f"{quote(value)} is not a number; give a float, an int or a Fraction")
        number = float(value)
        fraction = value if isinstance(value, Fraction) else None
        return cls(number, 0.0, number, number, n, confidence, True, fraction)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Estimate:
        """Return the estimate whose `to_dict` has these values.

        Raises
        ------
        ArgumentError
            A name is unknown, `value` or `n` is missing, or a value is not possible in an estimate.
        """
        names = [field.name for field in fields(cls)]
        if not isinstance(values, Mapping) or not {"value", "n"} <= values.keys() <= set(names):
            raise ArgumentError(f"{quote(values)} is not an estimate; give a dict with {', '.join(names)}")
        limits = {"value": math.nan, "se": math.nan, "lo": -math.inf, "hi": math.inf}
        if values.get("exact"):  # exact numbers are known, so None must be an infinite one
            limits = dict.fromkeys(limits, math.inf)
        numbers = {name: values.get(name) for name in limits}
        fraction, confidence = values.get("fraction"), values.get("confidence", 0.95)
        normal_quantile(confidence)  # or an error
        try:
            given: dict[str, Any] = {
                **values,
                **{name: limits[name] if v is None else float(v) for name, v in numbers.items()},
                "n": operator.index(values["n"]),
                "fraction": None if fraction is None else Fraction(fraction),
                "samples": frozenset(map(str, values.get("samples", ()))),
            }
        except (TypeError, ValueError, ArithmeticError) as error:
            raise ArgumentError(f"{quote(values)} is not an estimate: {error}") from None
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes by name, in types that JSON has; `from_dict` reads them.

        Numbers that JSON does not have are None: an unknown `value` or `se` (nan), the ends of an interval
        that does not exist, and infinite exact values. `fraction` is a text such as "1/4", or None.

        >>> Estimate.exactly(Fraction(1, 4)).to_dict()["fraction"]
        '1/4'
        """
        numbers = {name: float(getattr(self, name)) for name in ("value", "se", "lo", "hi")}
        return {
            **{name: number if math.isfinite(number) else None for name, number in numbers.items()},
            "n": int(self.n),
            "confidence": float(self.confidence),
            "exact": bool(self.exact),
            "fraction": None if self.fraction is None else str(self.fraction),
            "biased": bool(self.biased),
            "constant": bool(self.constant),
            "samples": sorted(self.samples),
        }

    @property
    def _number(self) -> float | Fraction:
        """The fraction if known, otherwise the value."""
        return self.value if self.fraction is None else self.fraction

    def __float__(self) -> float:
        return float(self.value)

    def __hash__(self) -> int:
        return hash(self._number)

    def _compare(self, other: object, compare: Callable[[Any, Any], bool]) -> Any:
        number = _to_number(other)
        return NotImplemented if number is None else compare(self._number, number)

    def __eq__(self, other: object) -> Any:
        return self._compare(other, operator.eq)

    def __lt__(self, other: object) -> Any:
        return self._compare(other, operator.lt)

    def __le__(self, other: object) -> Any:
        return self._compare(other, operator.le)

    def __gt__(self, other: object) -> Any:
        return self._compare(other, operator.gt)

    def __ge__(self, other: object) -> Any:
        return self._compare(other, operator.ge)

    def __sub__(self, other: object) -> Estimate:
        number = _to_number(other)
        if number is None:
            return NotImplemented
        if other is self:
            return self * 0
        if not isinstance(other, Estimate):
            other = Estimate.exactly(number, confidence=self.confidence)
        n, difference = self.n + other.n, self._number - number
        if self.exact and other.exact:
            return Estimate.exactly(difference, n, self.confidence)
        if self.confidence != other.confidence and not (self.exact or other.exact):
            raise ArgumentError(
                f"the estimates have intervals of {format_level(self.confidence)} and "
                f"{format_level(other.confidence)}; estimate both with the same ",
                Parameter("confidence="),
            )
        # The distance to each end combines the errors of both estimates on its side (MOVER, Zou and Donner).
        # If they can depend on each other, it is at most the sum.
        common = frozenset() if self.exact or other.exact else self.samples & other.samples
        if common:
            _warn_of_dependence(common)
            n = max(self.n, other.n)
        join: Callable[[float, float], float] = operator.add if common else math.hypot
        value, se = float(difference), join(self.se, other.se)
        lo, hi = -math.inf, math.inf
        if not math.isnan(value):
            lo = value - join(self.value - self.lo, other.hi - other.value)
            hi = value + join(self.hi - self.value, other.value - other.lo)
        confidence = other.confidence if self.exact else self.confidence
        return Estimate(value, se, lo, hi, n, confidence, samples=self.samples | other.samples)

    def __rsub__(self, other: object) -> Estimate:
        number = _to_number(other)
        return NotImplemented if number is None else Estimate.exactly(number, 0, self.confidence) - self

    def __add__(self, other: object) -> Estimate:
        number = _to_number(other)
        if number is None:
            return NotImplemented
        if other is self:
            return self * 2
        return self - (-other if isinstance(other, Estimate) else -number)

    __radd__ = __add__

    def __mul__(self, other: object) -> Estimate:
        factor = _to_number(other)
        if factor is None:
            return NotImplemented
        if isinstance(other, Estimate) and not other.exact:
            if not self.exact:
                raise ArgumentError(
                    "both estimates have an interval, and their product or quotient has none; estimate "
                    "it as a measure of its own: dk.estimate(..., per=...) is a quotient of two means"
                )
            return other * self
        if self.exact:
            return Estimate.exactly(self._number * factor, self.n, self.confidence)
        factor = float(factor)
        if not math.isfinite(factor):
            raise ArgumentError(f"an estimate is multiplied by {factor}; give a finite number")
        if factor == 0:
            return Estimate.exactly(0, self.n, self.confidence)
        lo, hi = sorted((self.lo * factor, self.hi * factor))
        return Estimate(
            self.value * factor, self.se * abs(factor), lo, hi, self.n, self.confidence,
            biased=self.biased, constant=self.constant, samples=self.samples,
        )  # fmt: skip

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Estimate:
        divisor = _to_number(other)
        if divisor is None:
            return NotImplemented
        is_number = not isinstance(other, Estimate) or other.exact
        return self * (1 / divisor if is_number else other)

    def __neg__(self) -> Estimate:
        return self * -1

    def __round__(self, ndigits: int | None = None) -> Any:
        """Return the value as an int, or the estimate with value, interval and fraction rounded."""
        if ndigits is None:
            return round(self._number)
        value, lo, hi = (round(float(number), ndigits) for number in (self.value, self.lo, self.hi))
        fraction = None if self.fraction is None else round(self.fraction, ndigits)
        return replace(self, value=value, lo=lo, hi=hi, fraction=fraction)

    def __format__(self, spec: str) -> str:
        if not spec:
            return repr(self)
        if self.exact or not math.isfinite(self._half_width):
            return format(self.value, spec)
        unsigned = re.sub(r"^((?:.?[<>=^])?)[+ ]", r"\1", spec)
        return self._join_interval(format(self.value, spec), lambda x: format(x, spec if x < 0 else unsigned))

    def rounded(self) -> str:
        """Return the value and the half-width of its interval, with the digits that are significant.

        >>> proportion(3559, 6123).rounded()
        '0.581 ± 0.012'
        """
        return self._text()[0]

    def _text(self, ascii: bool = True) -> tuple[str, str]:
        """Return the number with its interval, and the remark that follows it."""
        number = format_number(self.value, ascii=ascii)
        if self.exact:
            exact = self.value if self.fraction is None else self.fraction
            return (format_below_one(exact, ascii=ascii) if 0 < exact < 1 else number), "exact"
        remark = f"n = {format_count(self.n)}" + (
            "" if self.confidence == 0.95 else f", {format_level(self.confidence)}"
        )
        remark += (", biased" if self.biased else "") + (", all equal" if self.constant else "")
        if math.isinf(self.lo) and math.isinf(self.hi):
            return number, f"{remark}, {NO_INTERVAL}"
        if not math.isfinite(self._half_width):
            low, high = (
                "no limit" if math.isinf(end) else format_number(end, ascii=ascii) for end in self._ends
            )
            return f"{number} [{low}, {high}]", remark
        if self.lo == self.hi:
            return f"{number} ± 0", remark
        # A rounded estimate has no more decimals than it was rounded to.
        known = max(_count_decimals(number) for number in (self.value, *self._ends))
        decimals = known if known < choose_decimals(self.value, *self._ends, no_effect=0) else None
        text = format_estimate(
            self.value, *self._ends, no_effect=0, decimals=decimals, joint=", ", ascii=ascii
        )
        return f"{text.value} {text.margin or f'[{text.interval}]'}", remark

    @property
    def _ends(self) -> tuple[float, float]:
        return self.lo, self.hi

    @property
    def _half_width(self) -> float:
        return (self.hi - self.lo) / 2

    def _join_interval(self, number: str, to_text: Callable[[float], str]) -> str:
        """Return the text of the value followed by that of the interval."""
        # Near 0 and 1 the interval of a share is asymmetric, and ± would suggest shares below 0 or above 1.
        # Without a value, the interval has no middle.
        is_asymmetric = abs(self.hi + self.lo - 2 * self.value) > 0.2 * self._half_width
        if is_asymmetric or math.isnan(self.value):
            return f"{number} [{to_text(self.lo)}, {to_text(self.hi)}]"
        return f"{number} ± {to_text(self._half_width)}"

    def __repr__(self) -> str:
        number, remark = self._text()
        return f"{number} ({remark})"

    def _repr_html_(self) -> str:
        number, remark = self._text(ascii=False)
        ends = " to ".join(map(format_number, self._ends))
        about = (
            f"{format_level(self.confidence)} interval {ends}, standard error "
            f"{format_significant(self.se, 4, trim=True)}"
        )
        title = "" if self.exact else f' title="{about}"'
        return f'<span class="dk-estimate"{title}>{number} <small>({remark})</small></span>'


@dataclass(frozen=True, eq=False, repr=False)
class Probability(Estimate):
    """A probability of deals: an `Estimate` that is shown as a share and as odds.

    Arithmetic with it returns plain estimates.

    Examples
    --------
    >>> print(Probability.exactly(Fraction(1, 158_753_389_900)))
    1 deal in 158.8 billion (exact)
    """

    __hash__ = Estimate.__hash__

    @classmethod
    def of(cls, estimate: Estimate) -> Probability:
        """Return an estimate as a probability, with the same attributes."""
        return cls(**{field.name: getattr(estimate, field.name) for field in fields(estimate)})

    def describe(self, ascii: bool = True) -> str:
        """Return the probability in per cent with its interval, and as odds.

        >>> Probability.exactly(Fraction(286, 805)).describe()
        '35.528 %, 1 deal in 2.8147 (exact)'
        >>> Probability.exactly(Fraction(49, 50)).describe()
        '98.0000 %, all but 1 deal in 50 (exact)'
        """
        remark = "exact" if self.exact else f"n = {format_count(self.n)}"
        if not self.exact and self.confidence != 0.95:
            remark += f", {format_level(self.confidence)}"
        if not 0 < self.value < 1:
            words = {0.0: "no deal", 1.0: "every deal"}.get(self.value, "unknown")
            share = format_share(self.value, self.lo, self.hi, ascii=ascii)
            limit = "" if self.exact or not share.remark else f", {share.remark}"
            return f"{words}{limit} ({remark})"
        digits = 5 if self.exact else 3
        is_likely = self.value > 0.5
        odds = format_odds_in_words(1 - self.value if is_likely else self.value, digits)
        odds = f"all but {odds}" if is_likely else odds
        if self.exact and self.value < RARE:
            return f"{format_odds_in_words(self.value)} ({remark})"
        share = format_share(self.value, self.lo, self.hi, exact=self.exact, digits=5, ascii=ascii)
        text = share.value if self.exact else share.join()
        return f"{text}, {odds} ({remark})"

    def __repr__(self) -> str:
        return self.describe() if self.exact and 0 < self.value < RARE else super().__repr__()

    def _repr_html_(self) -> str:
        return f'<span class="dk-estimate">{self.describe(ascii=False)}</span>'


def _to_number(value: object) -> Any:
    """Return an estimate or a real number as a number, integers as fractions; None for other types."""
    if isinstance(value, Estimate):
        return value._number
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return float(value) if isinstance(value, Real) else None


def _warn_of_dependence(samples: frozenset[str]) -> None:
    warn_caller(
        f"both estimates are from the same deals ({', '.join(sorted(samples))}), so their errors can depend "
        "on each other; the interval allows for any dependence and may be much too wide. Write both into one "
        "expression, such as average hcp(north) - hcp(south), or estimate them from different deals",
        DependentEstimates,
    )


def _count_decimals(number: float) -> int:
    """Return the number of decimals in the repr of a float: 2 for 0.25, 0 for 3.0."""
    exponent = Decimal(repr(float(number))).normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def proportion(successes: float, n: float, confidence: float = 0.95) -> Estimate:
    """Return a share with Wilson's interval, which is widened for up to 15 successes or failures.

    Parameters
    ----------
    successes : float >= 0
        Number of values that meet the condition.
    n : float >= successes
        Number of values; if it is 0, the share is nan and the interval is 0 to 1.
    confidence : float in (0, 1)
        Confidence level of the interval.

    Returns
    -------
    Estimate
        The share p in [0, 1]; its `se` is sqrt(p (1 - p) / n). See `share_interval` for the interval.

    Raises
    ------
    ArgumentError
        `successes` is not between 0 and `n`, or `confidence` is not between 0 and 1.

    References
    ----------
    E. B. Wilson, Probable inference, the law of succession, and statistical
    inference, J. Am. Stat. Assoc. 22 (1927), 209-212.
    L. D. Brown, T. T. Cai, A. DasGupta, Interval estimation for a binomial proportion, Statistical
    Science 16 (2001), 101-133, 4.1.1.

    Examples
    --------
    >>> proportion(8, 10)
    0.80 [0.47, 0.97] (n = 10)
    """
    if not (isinstance(successes, Real) and isinstance(n, Real)) or not 0 <= successes <= n < math.inf:
        raise ArgumentError(
            f"{quote(successes)} successes in {quote(n)} values are not possible; "
            "give finite numbers, 0 <= successes <= n"
        )
    check_confidence(confidence)
    successes, n = float(successes), float(n)
    if n == 0:
        return Estimate(math.nan, math.nan, 0.0, 1.0, 0, confidence)
    share = successes / n
    lo, hi = share_interval(share, n, confidence)
    return Estimate(share, math.sqrt(share * (1 - share) / n), float(lo), float(hi), round(n), confidence)


def build_estimates(
    values: np.ndarray, se: np.ndarray, lo: np.ndarray, hi: np.ndarray, n: int, confidence: float
) -> list[Estimate]:
    """Return the estimates of k statistics of one sample, given arrays [k] of values, errors and ends."""
    rows = zip(*(each.tolist() for each in (values, se, lo, hi)), strict=True)
    return [Estimate(value, error, low, high, n, confidence) for value, error, low, high in rows]


def list_columns(name: str, estimate: Estimate | None, shift: float = 0.0) -> dict[str, float | None]:
    """Return an estimate plus `shift` as columns of a frame: the value, and the ends `_lo` and `_hi`.

    All are None if there is no estimate.

    >>> list_columns("gain", Estimate(1.0, 0.5, 0.0, 2.0, 40))
    {'gain': 1.0, 'gain_lo': 0.0, 'gain_hi': 2.0}
    """
    if estimate is None:
        return dict.fromkeys((name, f"{name}_lo", f"{name}_hi"))
    value, lo, hi = (number + shift for number in (estimate.value, estimate.lo, estimate.hi))
    return {name: value, f"{name}_lo": lo, f"{name}_hi": hi}


def scale_estimate(estimate: Estimate, factor: Fraction) -> Estimate:
    """Multiply an estimate and its interval by an exact number >= 0; an exact estimate stays exact.

    >>> scale_estimate(Estimate.exactly(Fraction(1, 4)), Fraction(2, 3)).fraction
    Fraction(1, 6)
    """
    if estimate.fraction is not None:
        return Estimate.exactly(estimate.fraction * factor, estimate.n, estimate.confidence)
    scaled = {name: getattr(estimate, name) * float(factor) for name in ("value", "se", "lo", "hi")}
    return replace(estimate, **scaled)

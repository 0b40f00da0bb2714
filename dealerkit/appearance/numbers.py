"""Numbers as text, with as many digits as their interval justifies, the same in text, HTML and charts.

The half-width of an interval has one significant digit, or two if the first is 1 or 2, and the value has as
many decimals. Nothing is rounded left of the decimal point, and half is rounded away from 0. With
``ascii=True``, a text can be parsed: the minus sign is ``-``, spaces are ordinary ones, and "to" joins the
ends.

The code that counts a number declares whether it is exact. An interval of width zero does not make a number
exact: it is shown with both ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

MINUS = "\u2212"
NBSP = "\u00a0"
TINY = 1e-4  # smaller numbers are written with a power of ten, like Python's floats
HUGE = 1e16  # numbers of this size and larger ones, too
NO_INTERVAL = "no interval"
EXACT = "exact"

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)  # precise enough for every float
_ASYMMETRIC = 0.2  # largest difference between the two sides of an interval, as part of its half-width


# ------------------------------------------------------------ single numbers


def round_half_up(value: float, decimals: int) -> Decimal:
    """Round a number; half is rounded away from 0, even if the binary fraction is slightly below half."""
    number = Decimal(f"{value:.15g}")
    return number.quantize(Decimal(1).scaleb(-decimals), context=_ROUNDING) if number.is_finite() else number


def limit_decimals(value: float, decimals: int) -> int:
    """Limit a number of decimals to those that a float of this size has."""
    exponent = math.floor(math.log10(abs(value))) if value and math.isfinite(value) else 0
    return max(min(decimals, 14 - exponent), 0)


def count_digits(value: float, decimals: int) -> int:
    """Return the number of significant digits of a number that is written with some decimals.

    >>> count_digits(12.345, 1), count_digits(0.00264, 4), count_digits(0.0, 2)
    (3, 2, 1)
    """
    return max(decimals + 1 + math.floor(math.log10(abs(value))), 1) if value else 1


def format_power(number: str, ascii: bool) -> str:
    """Return a number such as 1.5e-07, or only e-07, with a power of ten."""
    mantissa, _, exponent = number.partition("e")
    if ascii:
        return f"{mantissa}e{int(exponent)}"
    return f"{mantissa}{NBSP}×{NBSP}10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def join_unit(unit: str, ascii: bool) -> str:
    """Return the unit after a space on which lines do not break; an empty text without a unit."""
    return f"{' ' if ascii else NBSP}{unit}" if unit else ""


def format_number(
    value: float, decimals: int | None = None, *, sign: bool = False, ascii: bool = False
) -> str:
    """Return a number with thousands separated by commas; zero has no sign.

    Parameters
    ----------
    value : float
        The number; nan is a dash, or "nan" in ASCII.
    decimals : int, optional
        Number of decimals. By default, there are up to six significant digits, but never fewer than those
        before the decimal point.
    sign : bool
        Whether positive numbers have a plus sign.
    ascii : bool
        Whether the minus sign is ``-``.

    Examples
    --------
    >>> format_number(6.55, 1), format_number(-1234.5678, 1), format_number(-0.04, 1, sign=True)
    ('6.6', '−1,234.6', '0.0')
    >>> format_number(0.25, sign=True), format_number(-1e-9, ascii=True)
    ('+0.25', '-1e-9')
    """
    value = float(value)
    if math.isnan(value):
        return "nan" if ascii else "–"
    size = abs(value)
    if math.isinf(value):
        digits = "inf" if ascii else "∞"
    elif decimals is None and size and not TINY <= float(f"{size:.6g}") < HUGE:
        digits = format_power(f"{size:.6g}", ascii)
    elif decimals is None:
        places = 5 - math.floor(math.log10(size)) if size else 0
        digits = f"{round_half_up(size, max(places, 0)):,f}"
        digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    else:
        digits = f"{round_half_up(size, decimals):,f}"
    if not digits.strip("0.,"):
        return digits
    return (("-" if ascii else MINUS) if value < 0 else "+" if sign else "") + digits


def format_significant(value: float, digits: int = 2, *, trim: bool = False, ascii: bool = False) -> str:
    """Round a number to significant digits, even left of the decimal point.

    With `trim`, zeros at the end of the decimals are left out.

    >>> format_significant(4123.0), format_significant(2.347), format_significant(2.347, 3)
    ('4,100', '2.3', '2.35')
    >>> format_significant(24.5, 4), format_significant(24.5, 4, trim=True)
    ('24.50', '24.5')
    """
    if not value or not math.isfinite(value):
        return format_number(value, ascii=ascii)
    places = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = float(round_half_up(value, places))
    if math.floor(math.log10(abs(rounded))) > math.floor(math.log10(abs(value))):
        places -= 1  # 9.96 is 10
    return format_number(rounded, None if trim else max(places, 0), ascii=ascii)


def format_below_one(share: Fraction | float, *, ascii: bool = False) -> str:
    """Return an exact number between 0 and 1 with six decimals, or more if it would be rounded to 1.

    >>> format_below_one(0.543727), format_below_one(1 - 2.5e-8), format_below_one(1 - Fraction(1, 10**20))
    ('0.543727', '0.999999975', '1 − 1e-20')
    """
    rest = float(1 - share)
    if not 0 < rest < 5e-7:
        return format_number(float(share), ascii=ascii)
    if rest < 1e-12:
        return f"1 {'-' if ascii else MINUS} {format_power(f'{rest:.3g}', True)}"
    return format_number(float(share), 1 - math.floor(math.log10(rest)), ascii=ascii)


def format_count(number: int, noun: str = "", plural: str = "") -> str:
    """Return a number with a noun in the singular or plural, or without a noun.

    >>> format_count(1, "deal"), format_count(6123, "deal"), format_count(0, "class", "classes")
    ('1 deal', '6,123 deals', '0 classes')
    >>> format_count(6123)
    '6,123'
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}" if noun else f"{number:,}"


def format_level(confidence: float) -> str:
    """Return a confidence level as text, such as ``95 %`` for 0.95.

    >>> format_level(0.95), format_level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{format_number(100 * confidence, ascii=True)} %"


def format_odds(share: float, digits: int = 4) -> str:
    """Return a probability above 0 as odds, which are not rounded left of the decimal point.

    >>> format_odds(0.25), format_odds(0.0026476), format_odds(1 / 39411.4)
    ('1 in 4', '1 in 377.7', '1 in 39,411')
    """
    odds = 1 / share
    text = format_number(odds, max(digits - 1 - math.floor(math.log10(odds)), 0))
    return f"1 in {text.rstrip('0').rstrip('.') if '.' in text else text}"


_LARGE = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
RARE = 1e-6  # smaller shares are easier to read as odds than in per cent


def format_odds_in_words(share: float, digits: int = 4) -> str:
    """Return a probability above 0 as odds in words, for a sentence.

    >>> format_odds_in_words(0.0026476), format_odds_in_words(6.299e-12), format_odds_in_words(1.1e-7, 2)
    ('1 deal in 377.7', '1 deal in 158.8 billion', '1 deal in 9.1 million')
    """
    odds = 1 / share
    size, word = next(((size, f" {word}") for size, word in _LARGE if odds >= size), (1.0, ""))
    if odds / size >= 1e6:  # more than trillions
        return f"1 deal in {format_power(f'{odds:.{digits - 1}e}', False)}"
    return f"1 deal{format_odds(share * size, digits)[1:]}{word}"


# ------------------------------------------------------------ numbers with intervals


class NumberText(NamedTuple):
    """The texts of a number and its interval.

    Attributes
    ----------
    digits : str
        The number with its sign, without its unit.
    half : str
        ``± `` and the half-width; empty if there is no interval, or if the value is not in its middle, as for
        shares near 0.
    ends : str
        Both ends; empty if there is a remark.
    unit : str
        A space and the unit, which follow the number, the half-width and the ends.
    remark : str
        A remark that replaces the ends, such as "exact", "no interval" or "below 0.92 %".
    """

    digits: str
    half: str = ""
    ends: str = ""
    unit: str = ""
    remark: str = ""

    @property
    def value(self) -> str:
        """The number with its unit."""
        return self.digits + self.unit

    @property
    def margin(self) -> str:
        """The half-width with the unit; empty if there is no half-width."""
        return self.half + self.unit if self.half else ""

    @property
    def interval(self) -> str:
        """Both ends and, once, the unit; or the remark."""
        return self.remark or (self.ends + self.unit if self.ends else "")

    def join(self) -> str:
        """Return the number with its half-width, or with its ends in parentheses; the unit is written once.

        >>> format_estimate(9.9566, 9.8799, 10.0333).join()
        '9.96 ± 0.08'
        >>> format_estimate(0.02, 0.001, 0.1, unit="%", ascii=True).join()
        '0.02 (0.00 to 0.10) %'
        >>> format_share(0.5813, 0.5689, 0.5937, ascii=True).join()
        '58.1 ± 1.2 %'
        >>> format_share(0.0, 0.0, 0.0092, 1, ascii=True).join()
        '0 (below 0.92 %)'
        """
        return " ".join(filter(None, self.split()))

    def split(self) -> tuple[str, str]:
        """Return the two parts of `join`: the number, and its interval or remark.

        If both have the unit, it is at the end of the second part. A remark contains a unit of its own.

        >>> format_estimate(0.02, 0.001, 0.1, unit="%", ascii=True).split()
        ('0.02', '(0.00 to 0.10) %')
        >>> format_estimate(2, 2, 2, exact=True, unit="IMPs", ascii=True).split()
        ('2 IMPs', '')
        """
        if self.half:
            return self.digits, self.margin
        if self.remark == NO_INTERVAL:
            return f"{self.value},", NO_INTERVAL
        if self.remark and self.remark != EXACT:
            return self.value, f"({self.remark})"
        return (self.digits, f"({self.ends}){self.unit}") if self.ends else (self.value, "")


def is_asymmetric(value: float, lo: float, hi: float) -> bool:
    """Return whether an interval cannot be written with ±, because it is asymmetric or infinite.

    It counts as asymmetric if ± would make it contain 0 although it does not.

    >>> is_asymmetric(-5.4, -10.9, 0.1), is_asymmetric(-5.4, -11.4, -0.3)
    (False, True)
    """
    half = (hi - lo) / 2
    is_close = abs(hi + lo - 2 * value) <= _ASYMMETRIC * half < math.inf
    return not is_close or lo > 0 >= value - half or hi < 0 <= value + half


def choose_exponent(value: float, lo: float, hi: float) -> int:
    """Return the common power of ten of a very small or large value and its interval; 0 for others."""
    sizes = [abs(number) for number in (value, lo, hi) if math.isfinite(number) and number]
    if not sizes or TINY <= max(sizes) < HUGE:
        return 0
    return math.floor(math.log10(abs(value) if value and math.isfinite(value) else max(sizes)))


def choose_decimals(value: float, lo: float, hi: float, *, no_effect: float | None = None) -> int:
    """Return the number of decimals for a value and its interval.

    Parameters
    ----------
    value, lo, hi : float
        The value and the ends of its interval, not rounded.
    no_effect : float, optional
        A number that the interval must also exclude after rounding, if it excludes it before. Decimals are
        added if an end would be rounded to this number, or if the margin would reach it.

    Returns
    -------
    int
        0 or more; 2 if there is no interval or its width is zero.

    Examples
    --------
    >>> choose_decimals(23.8032, 23.7922, 23.8142), choose_decimals(354, 318, 390)
    (3, 0)
    >>> choose_decimals(0.69, 0.04, 1.34), choose_decimals(0.69, 0.04, 1.34, no_effect=0)
    (1, 2)
    """
    half = (hi - lo) / 2
    if not 0 < half < math.inf:
        return 2
    exponent = math.floor(math.log10(half))
    digits = 2 if half / 10.0**exponent < 3 - 1e-9 else 1
    decimals = max(digits - 1 - exponent, 0)
    return decimals if no_effect is None else extend_decimals(value, lo, hi, no_effect, decimals)


def extend_decimals(value: float, lo: float, hi: float, no_effect: float, decimals: int) -> int:
    """Return the decimals with which an interval that excludes a number also excludes it after rounding.

    If the interval is written with ±, the margin must not reach the number.

    >>> extend_decimals(0.69, 0.04, 1.34, 0, 1), extend_decimals(0.69, 0.2, 1.2, 0, 1)
    (2, 1)
    >>> extend_decimals(-7.0, -13.741, -0.003, 0, 0)
    1
    """
    if lo <= no_effect <= hi:
        return decimals

    def reaches(more: int) -> bool:
        low, high, middle, limit, margin = (
            round_half_up(number, more) for number in (lo, hi, value, no_effect, (hi - lo) / 2)
        )
        if is_asymmetric(value, lo, hi):
            return limit in (low, high)
        return abs(middle - limit) <= margin or (more == decimals and limit in (low, high))

    return next((more for more in range(decimals, decimals + 3) if not reaches(more)), decimals + 3)


def choose_share_decimals(lo: Iterable[float], hi: Iterable[float]) -> int:
    """Return the decimals in per cent for all shares of a column, chosen by the widest interval.

    Parameters
    ----------
    lo, hi : iterable of float
        Ends of the intervals of shares (0 to 1); nan or infinite if there is none.

    Examples
    --------
    >>> choose_share_decimals([0.1834, 0.0021], [0.1942, 0.0034]), choose_share_decimals([], [])
    (1, 2)
    """
    widths = (100 * (float(high) - float(low)) for low, high in zip(lo, hi, strict=True))
    return choose_decimals(0.0, 0.0, max(filter(math.isfinite, widths), default=0.0))


def format_margin(lo: float, hi: float, decimals: int, *, unit: str = "", ascii: bool = False) -> str:
    """Return the half-width of an interval, such as ``± 0.011``.

    >>> format_margin(23.7922, 23.8142, 3)
    '± 0.011'
    """
    return f"± {format_number((hi - lo) / 2, decimals, ascii=ascii)}{join_unit(unit, ascii)}"


def format_interval(
    lo: float,
    hi: float,
    decimals: int | None,
    *,
    sign: bool = False,
    unit: str = "",
    power: str = "",
    joint: str = "",
    ascii: bool = False,
) -> str:
    """Return both ends of an interval; the unit is written once.

    Parameters
    ----------
    lo, hi : float
        The ends; an infinite end is not a limit.
    decimals : int or None
        See `format_number`.
    sign : bool
        Whether positive numbers have a plus sign.
    unit : str
        The unit, which follows the last number.
    power : str
        The power of ten that follows each number (`format_power`).
    joint : str
        The text between the ends; by default a dash if neither end has a sign, otherwise "to".
    ascii : bool
        See `format_number`.

    Examples
    --------
    >>> [text.replace(NBSP, " ") for text in (
    ...     format_interval(18.31, 19.38, 1, unit="%"), format_interval(-9.2, 68.1, 0, sign=True),
    ...     format_interval(18.31, 19.38, 1, unit="%", ascii=True), format_interval(3.0, float("inf"), 1))]
    ['18.3 – 19.4 %', '−9 to +68', '18.3 to 19.4 %', 'at least 3.0']
    """
    low, high = (
        "0" if power and not end else format_number(end, decimals, sign=sign, ascii=ascii) + power
        for end in (lo, hi)
    )
    tail = join_unit(unit, ascii)
    if math.isfinite(lo) and math.isfinite(hi):
        return f"{low}{joint or (' to ' if ascii or sign or lo < 0 else ' – ')}{high}{tail}"
    if math.isfinite(lo):
        return f"at least {low}{tail}"
    return f"at most {high}{tail}" if math.isfinite(hi) else NO_INTERVAL


def format_estimate(
    value: float,
    lo: float,
    hi: float,
    *,
    exact: bool = False,
    sign: bool = False,
    no_effect: float | None = None,
    decimals: int | None = None,
    unit: str = "",
    joint: str = "",
    ascii: bool = False,
) -> NumberText:
    """Return the texts of a value and its interval.

    Parameters
    ----------
    value, lo, hi : float
        The value and the ends of its interval, not rounded. If both ends are infinite, there is no interval.
        Equal ends are both shown, because they do not make a value exact.
    exact : bool
        Whether the value is counted exactly. It then has one decimal more than `decimals`, and no interval.
    sign : bool
        Whether the value is a difference. Positive numbers then have a plus sign, and `no_effect` is 0 by
        default.
    no_effect : float, optional
        See `choose_decimals`.
    decimals : int, optional
        Number of decimals. By default it is that of `choose_decimals`, and very small numbers have a common
        power of ten.
    unit : str
        The unit, such as "%" or "IMPs".
    joint : str
        See `format_interval`.
    ascii : bool
        See `format_number`.

    Examples
    --------
    >>> format_estimate(23.8032, 23.7922, 23.8142)
    NumberText(digits='23.803', half='± 0.011', ends='23.792 – 23.814', unit='', remark='')
    >>> format_estimate(0.69, 0.04, 1.34, sign=True, unit="IMPs", ascii=True).interval
    '+0.04 to +1.34 IMPs'
    >>> format_estimate(5.9825e-7, 5.9690e-7, 5.9960e-7, ascii=True).join()
    '5.983e-7 ± 0.014e-7'
    >>> format_estimate(7, 7, 7, decimals=1).interval, format_estimate(7, 7, 7, exact=True).interval
    ('7.0 – 7.0', 'exact')
    """
    tail = join_unit(unit, ascii)
    if exact:
        more = None if decimals is None else decimals + 1  # one more than the estimates beside it
        return NumberText(format_number(value, more, sign=sign, ascii=ascii), unit=tail, remark=EXACT)

    # Without a width, it is not known how many digits are significant.
    is_unknown = math.isinf(lo) and math.isinf(hi) or math.isnan(hi - lo)
    if is_unknown or lo == hi:
        number = format_number(value, decimals, sign=sign, ascii=ascii)
        if is_unknown:
            return NumberText(number, unit=tail, remark=NO_INTERVAL)
        ends = format_interval(lo, hi, decimals, sign=sign, joint=joint, ascii=ascii)
        return NumberText(number, ends=ends, unit=tail)

    # The interval decides the decimals; very small and very large numbers have a common power of ten.
    power = ""
    if decimals is None:
        exponent = choose_exponent(value, lo, hi)
        value, lo, hi = (number / 10.0**exponent for number in (value, lo, hi))
        no_effect = 0.0 if sign and no_effect is None else no_effect
        if no_effect is not None:
            no_effect /= 10.0**exponent
        decimals = limit_decimals(value, choose_decimals(value, lo, hi, no_effect=no_effect))
        power = format_power(f"e{exponent}", ascii) if exponent else ""

    number = "0" if power and not value else format_number(value, decimals, sign=sign, ascii=ascii) + power
    half = "" if is_asymmetric(value, lo, hi) else format_margin(lo, hi, decimals, ascii=ascii) + power
    ends = format_interval(lo, hi, decimals, sign=sign, power=power, joint=joint, ascii=ascii)
    return NumberText(number, half, ends, tail)


def format_share(
    value: float,
    lo: float,
    hi: float,
    decimals: int | None = None,
    *,
    exact: bool = False,
    digits: int = 4,
    ascii: bool = False,
) -> NumberText:
    """Return the texts of a share in per cent.

    Parameters
    ----------
    value, lo, hi : float
        The share (0 to 1) and the ends of its interval, not rounded.
    decimals : int, optional
        Number of decimals in per cent, such as that of a column (`choose_share_decimals`); by default that of
        the interval.
    exact : bool
        Whether the share is counted exactly. It then has one decimal more than `decimals`.
    digits : int
        Significant digits of an exact share without `decimals`, or above 50 % of its difference from 100 %. A
        share below a millionth is written as odds.
    ascii : bool
        See `format_number`.

    Returns
    -------
    NumberText
        A share of 0 is written ``0``, with an interval ``below`` its upper end. The interval of 100 % is
        ``above`` its lower end. Both ends are shown if they are 0 and 100 %. A share that is above 0 but
        would be rounded to 0 is written like ``< 0.1 %``.

    Examples
    --------
    >>> share = format_share(0.18845, 0.1831, 0.1938, ascii=True)
    >>> share.value, share.margin, share.interval
    ('18.8 %', '± 0.5 %', '18.3 to 19.4 %')
    >>> format_share(0.0, 0.0, 0.000192, 1, ascii=True).join()
    '0 (below 0.019 %)'
    >>> format_share(0.0002, 0.0001, 0.0004, 1, ascii=True).join()
    '< 0.1 % (below 0.040 %)'
    >>> format_share(1.0, 0.0001, 1.0, ascii=True).join()
    '100 (0 to 100) %'
    """
    tail = join_unit("%", ascii)
    percent = 100 * value
    if exact:
        if decimals is None and 0 < value < RARE:
            return NumberText(format_odds_in_words(value, digits).replace(" deal", ""), remark=EXACT)
        number = _format_exact_share(percent, decimals, digits, ascii)
        return NumberText(number, unit=tail if percent else "", remark=EXACT)
    text = format_estimate(percent, 100 * lo, 100 * hi, no_effect=0, decimals=decimals, unit="%", ascii=ascii)
    if math.isnan(value):
        return NumberText(format_number(value, ascii=ascii), remark=text.interval)
    if value in (0, 1) and lo < hi and round_half_up(100 * lo, 0) == 0 and round_half_up(100 * hi, 0) == 100:
        ends = format_interval(0, 100, 0, ascii=ascii)  # too few deals to exclude any share
        return NumberText(format_number(percent, 0, ascii=ascii), ends=ends, unit=tail)
    limit = NO_INTERVAL
    if math.isfinite(hi):
        limit = f"below {format_significant(100 * hi, 2, ascii=ascii)}{tail}"
    if value == 0:
        return NumberText("0", remark=text.interval if lo == hi else limit)
    if value == 1 and 0 < lo < 1:
        places = max(1 - math.floor(math.log10(100 - 100 * lo)), 0)
        least = f"above {format_number(100 * lo, places, ascii=ascii)}{tail}"
        return NumberText("100", unit=tail, remark=least)
    if decimals is not None and not round_half_up(percent, decimals):
        remark = text.interval if round_half_up(100 * hi, decimals) else limit
        return NumberText(_format_limit(decimals, ascii), unit=tail, remark=remark)
    return text


def _format_limit(decimals: int, ascii: bool) -> str:
    """Return the limit for a share that is rounded to 0, such as ``< 0.1``, without the per cent sign."""
    return f"<{' ' if ascii else NBSP}{10.0**-decimals:.{decimals}f}"


def _format_exact_share(percent: float, decimals: int | None, digits: int, ascii: bool) -> str:
    """Return an exact share, given in per cent, without the per cent sign."""
    if not percent:
        return "0"
    if decimals is None:
        rest = 100 - percent if 50 < percent < 100 else percent
        return format_number(percent, max(digits - 1 - math.floor(math.log10(rest)), 0), ascii=ascii)
    if not round_half_up(percent, decimals + 1):
        return _format_limit(decimals + 1, ascii)
    return format_number(percent, decimals + 1, ascii=ascii)

"""Single numbers as text: rounding, signs, powers of ten and units."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

MINUS = "\u2212"
NBSP = "\u00a0"
TINY = 1e-4  # numbers below are written with a power of ten, as Python's floats are
HUGE = 1e16  # and from here on

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)  # any float
_ASYMMETRIC = 0.2  # share of the half-width by which the middle of an interval may be off its value


def round_half_up(value: float, decimals: int) -> Decimal:
    """Return a number rounded; half is rounded away from 0, also where binary fractions are below half."""
    number = Decimal(f"{value:.15g}")
    return number.quantize(Decimal(1).scaleb(-decimals), context=_ROUNDING) if number.is_finite() else number


def is_asymmetric(value: float, lo: float, hi: float) -> bool:
    """Return whether ± would show an interval that is far from the real one, or there is none to show."""
    return not abs(hi + lo - 2 * value) <= _ASYMMETRIC * (hi - lo) / 2 < math.inf


def limit_decimals(value: float, decimals: int) -> int:
    """Return decimals that a float of this size has."""
    exponent = math.floor(math.log10(abs(value))) if value and math.isfinite(value) else 0
    return max(min(decimals, 14 - exponent), 0)


def choose_exponent(value: float, lo: float, hi: float) -> int:
    """Return the power of ten that a very small or large value and its interval share; 0 for others."""
    sizes = [abs(number) for number in (value, lo, hi) if math.isfinite(number) and number]
    if not sizes or TINY <= max(sizes) < HUGE:
        return 0
    return math.floor(math.log10(abs(value) if value and math.isfinite(value) else max(sizes)))


def format_power(number: str, ascii: bool) -> str:
    """Return a number like 1.5e-07, or its power alone, with the power of ten written out."""
    mantissa, _, exponent = number.partition("e")
    if ascii:
        return f"{mantissa}e{int(exponent)}"
    return f"{mantissa}{NBSP}×{NBSP}10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def join_unit(unit: str, ascii: bool) -> str:
    """Return the unit after the space that keeps it with its number; nothing for an empty one."""
    return f"{' ' if ascii else NBSP}{unit}" if unit else ""


def format_number(
    value: float, decimals: int | None = None, *, sign: bool = False, ascii: bool = False
) -> str:
    """Return a number with thousands separated by commas; zero has no sign.

    Parameters
    ----------
    value : float
        If it is nan, the text is a dash, or "nan" in ASCII.
    decimals : int, optional
        Without it the number has up to six significant digits, all of those before the decimal point.
    sign : bool
        Positive numbers have a plus sign.
    ascii : bool
        The minus is ``-``.

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


def format_significant(value: float, digits: int = 2, *, ascii: bool = False) -> str:
    """Return a number rounded to significant digits, also left of the decimal point: for round numbers.

    >>> format_significant(4123.0), format_significant(2.347), format_significant(2.347, 3)
    ('4,100', '2.3', '2.35')
    """
    if not value or not math.isfinite(value):
        return format_number(value, ascii=ascii)
    places = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = float(round_half_up(value, places))
    if math.floor(math.log10(abs(rounded))) > math.floor(math.log10(abs(value))):
        places -= 1  # 9.96 is 10
    return format_number(rounded, max(places, 0), ascii=ascii)


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Return a number of things.

    >>> format_count(1, "deal"), format_count(6123, "deal"), format_count(0, "class", "classes")
    ('1 deal', '6,123 deals', '0 classes')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def count_digits(value: float, decimals: int) -> int:
    """Return the number of significant digits of a number with some decimals.

    >>> count_digits(12.345, 1), count_digits(0.00264, 4), count_digits(0.0, 2)
    (3, 2, 1)
    """
    return max(decimals + 1 + math.floor(math.log10(abs(value))), 1) if value else 1


def format_odds(share: float, digits: int = 4) -> str:
    """Return a probability above 0 as odds; nothing is rounded left of the decimal point.

    >>> format_odds(0.25), format_odds(0.0026476), format_odds(1 / 39411.4)
    ('1 in 4', '1 in 377.7', '1 in 39,411')
    """
    odds = 1 / share
    text = format_number(odds, max(digits - 1 - math.floor(math.log10(odds)), 0))
    return f"1 in {text.rstrip('0').rstrip('.') if '.' in text else text}"

"""Values of number tokens under the rules of the script."""

from __future__ import annotations

from dealerkit.language.source import Token

_LARGEST = 2**63 - 1


def read_numeral(token: Token, negative: bool = False) -> tuple[int | float, bool]:
    """Return the value of a number token, negated if `negative`, and whether it is written with a point.

    Raises
    ------
    ScriptError
        A number too large for the integers or reals of these rules.
    """
    rules = token.source.rules
    whole, point, fraction = token.text.partition(".")
    sign = -1 if negative else 1
    if rules.hundredths:
        value = _read_hundredths(token, whole, fraction) if point else _clamp(whole)
        return _wrap(sign * _wrap(value, rules.bits), rules.bits), bool(point)
    if point:
        real = sign * float(token.text)
        if real in (float("inf"), float("-inf")):
            raise token.error("this number is too large")
        return real, True
    value = _clamp(whole, _LARGEST + 2)
    if value > _LARGEST + negative:
        raise token.error(f"this number does not fit {rules.bits} bits")
    return sign * value, False


def _clamp(digits: str, largest: int = _LARGEST) -> int:
    """Return the integer, or `largest` where it is larger (as C's strtol does)."""
    digits = digits.lstrip("0")
    return min(int(digits or "0"), largest) if len(digits) <= 20 else largest


def _wrap(value: int, bits: int) -> int:
    """Return a value reduced to a signed integer of `bits` bits, as C does."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def _read_hundredths(token: Token, whole: str, fraction: str) -> int:
    """Return 100 times a decimal, rounded half up."""
    value = _clamp(whole) * 100 + int(fraction[:2].ljust(2, "0"))
    if len(fraction) > 2:
        value += fraction[2] >= "5"
        token.source.warn(f"{token.text[:40]} is rounded to hundredths", token.start)
    elif len(whole) > 2:
        token.source.warn(f"DealerV2 itself reads {token.text[:40]} as two numbers", token.start)
    return value

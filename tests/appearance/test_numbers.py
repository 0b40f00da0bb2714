"""Numbers as text: the examples of the rules of appearance, and what holds for every number."""

from __future__ import annotations

import math

import pytest

from dealerkit.appearance.numbers import (
    MINUS,
    NBSP,
    NumberText,
    choose_decimals,
    choose_share_decimals,
    format_count,
    format_estimate,
    format_interval,
    format_number,
    format_share,
    format_significant,
)


def list_texts(text: NumberText) -> tuple[str, str, str]:
    return text.value, text.margin, text.interval


def format_with_interval(*numbers: float, ascii: bool = False, **options) -> str:
    return format_estimate(*numbers, ascii=ascii, **options).join()


def format_share_with_interval(*numbers: float, ascii: bool, exact: bool = False) -> str:
    return format_share(*numbers, exact=exact, ascii=ascii).join()


@pytest.mark.parametrize(
    ("value", "half", "text"),
    [
        (23.8032, 0.0110, "23.803 ± 0.011"),
        (9.9566, 0.0767, "9.96 ± 0.08"),
        (354.2, 36.0, "354 ± 36"),
        (1234.4, 250.3, "1,234 ± 250"),  # nothing is rounded left of the decimal point
        (0.5, 0.0296, "0.500 ± 0.030"),
        (0.5, 0.0967, "0.50 ± 0.10"),
        (-0.4, 5.0, "0 ± 5"),
        (0.0, 0.3, "0.0 ± 0.3"),
    ],
)
def test_digits_follow_the_interval(value: float, half: float, text: str) -> None:
    assert format_with_interval(value, value - half, value + half) == text


@pytest.mark.parametrize(
    ("half", "decimals"),
    [(0.0110, 3), (0.0767, 2), (0.25, 2), (3.1, 0), (36, 0), (0.3, 1), (0.03, 2), (0.0, 2), (math.inf, 2)],
)
def test_the_half_width_has_one_or_two_digits(half: float, decimals: int) -> None:
    assert choose_decimals(1.0, 1.0 - half, 1.0 + half) == decimals


def test_an_interval_without_the_value_of_no_effect_is_shown_without_it() -> None:
    text = format_estimate(0.69, 0.04, 1.34, sign=True)
    assert list_texts(text) == ("+0.69", "± 0.65", "+0.04 to +1.34")
    assert format_estimate(0.69, -0.01, 1.39, sign=True).interval == "0.0 to +1.4"
    assert format_estimate(0.5, 0.504, 0.51, no_effect=0.5).interval == "0.504 – 0.510"
    assert format_estimate(50.9, 50.4, 51.4, no_effect=50, decimals=None).interval == "50.4 – 51.4"
    assert format_estimate(-7.0, -13.741, -0.003, sign=True).margin == "± 6.9"  # not 6.869
    assert format_with_interval(0.0403, 0.0003, 0.0803, sign=True).startswith("+0.0403 ± 0.0400")


def test_signs_thousands_and_zero() -> None:
    assert format_number(-1234567.0, 0) == f"{MINUS}1,234,567"
    assert format_number(-1234567.0, 0, ascii=True) == "-1,234,567"
    assert [format_number(x, 0, sign=True) for x in (-0.4, 0.0, 0.4, 0.5)] == ["0", "0", "0", "+1"]
    assert [format_number(x, 1) for x in (6.55, 0.25, -0.04, 12345.64)] == ["6.6", "0.3", "0.0", "12,345.6"]
    assert format_number(1e30, 1) == "1" + 10 * ",000" + ".0"
    assert [format_number(x, 2) for x in (1.005, 2.675, 28.999999999999996)] == ["1.01", "2.68", "29.00"]
    assert [format_number(x) for x in (0, 3.0, 0.1 + 0.2, 1e6, 2 / 3)] == [
        "0",
        "3",
        "0.3",
        "1,000,000",
        "0.666667",
    ]
    assert [format_number(x, ascii=True) for x in (math.nan, math.inf, -math.inf, 1e20)] == [
        "nan", "inf", "-inf", "1e20",
    ]  # fmt: skip
    assert [format_number(x) for x in (9.9999999e-5, -9.9999996e-5)] == ["0.0001", f"{MINUS}0.0001"]


def test_shares_of_a_column_have_the_decimals_of_the_widest_interval() -> None:
    lo, hi = [0.1831, 0.0, 0.00001, math.nan], [0.1938, 0.000192, 0.0003, math.nan]
    assert choose_share_decimals(lo, hi) == 1
    assert list_texts(format_share(0.18845, lo[0], hi[0], 1)) == (
        f"18.8{NBSP}%", f"± 0.5{NBSP}%", f"18.3 – 19.4{NBSP}%",
    )  # fmt: skip
    assert list_texts(format_share(0.0, lo[1], hi[1], 1)) == ("0", "", f"below 0.019{NBSP}%")
    assert format_share(0.0001, lo[2], hi[2], 1).value == f"<{NBSP}0.1{NBSP}%"
    assert list_texts(format_share(1.0, 0.999941, 1.0, 1, ascii=True)) == ("100 %", "", "above 99.9941 %")
    assert format_share_with_interval(1.0, 0.92, 1.0, ascii=True) == "100 % (above 92.0 %)"
    assert format_share_with_interval(0.0001, 0.00001, 0.0003, 1, ascii=True) == "< 0.1 % (below 0.030 %)"
    assert format_share(math.nan, 0.0, 1.0, ascii=True).value == "nan"


def test_exact_shares_have_one_decimal_more() -> None:
    assert list_texts(format_share(0.188451, 0, 0, 1, exact=True, ascii=True)) == ("18.85 %", "", "exact")
    assert list_texts(format_share(0.0, 0, 0, 1, exact=True)) == ("0", "", "exact")
    assert format_share(0.002648, 0, 0, exact=True, ascii=True).value == "0.2648 %"
    assert format_share(1e-7, 0, 0, 1, exact=True, ascii=True).value == "< 0.01 %"
    assert format_share(6.3e-12, 0, 0, exact=True, ascii=True).value == "1 in 158.7 billion"


def test_very_small_numbers_have_a_common_power_of_ten() -> None:
    value, half = 0.00000059825, 0.00000000135
    assert format_with_interval(value, value - half, value + half, ascii=True) == "5.983e-7 ± 0.014e-7"
    text = format_estimate(value, value - half, value + half)
    assert text.value.replace(NBSP, " ") == "5.983 × 10⁻⁷"
    text = format_estimate(0.0, -2e-6, 2e-6, ascii=True)
    assert list_texts(text) == ("0", "± 2.0e-6", "-2.0e-6 to 2.0e-6")
    assert format_with_interval(3e20, 2.9e20, 3.1e20, ascii=True) == "3.00e20 ± 0.10e20"


def test_ascii_text_is_ascii_but_for_the_margin() -> None:
    for text in (
        *format_share(0.2, 0.1, 0.4, ascii=True),
        *format_estimate(-5, -8, -1, unit="IMPs", ascii=True),
    ):
        assert text.replace("±", "").isascii()


def test_intervals_without_ends() -> None:
    assert format_interval(-math.inf, math.inf, 1) == "no interval"
    assert format_interval(-math.inf, 2.0, 1) == "at most 2.0"
    assert list_texts(format_estimate(3.0, 1.0, math.inf)) == ("3.00", "", "at least 1.00")


def test_exact_is_what_is_declared_so_and_not_an_interval_without_a_width() -> None:
    assert list_texts(format_estimate(3.0, 3.0, 3.0, exact=True)) == ("3", "", "exact")
    assert list_texts(format_estimate(3.0, 3.0, 3.0)) == ("3", "", "3 – 3")
    assert list_texts(format_estimate(-7.5, -7.5, -7.5, decimals=1, unit="IMPs", ascii=True)) == (
        "-7.5 IMPs", "", "-7.5 to -7.5 IMPs",
    )  # fmt: skip
    assert format_with_interval(7.0, 7.0, 7.0, decimals=1, ascii=True) == "7.0 (7.0 to 7.0)"
    assert format_with_interval(7.0, 7.0, 7.0, exact=True, ascii=True) == "7"
    assert list_texts(format_share(0.5, 0.5, 0.5, 1, ascii=True)) == ("50.0 %", "", "50.0 to 50.0 %")
    assert list_texts(format_share(0.0, 0.0, 0.0, 1, ascii=True)) == ("0", "", "0.0 to 0.0 %")
    assert format_share_with_interval(0.5, 0.5, 0.5, 1, exact=True, ascii=True) == "50.00 %"
    assert format_estimate(7.0, 7.0, 7.0, exact=True, decimals=1).value == "7.00"
    assert format_estimate(7.0, math.nan, math.nan).interval == "no interval"


def test_round_numbers_and_counts() -> None:
    assert [format_significant(x) for x in (4123.0, 2.347, 9.96, 0.00996)] == ["4,100", "2.3", "10", "0.010"]
    assert [format_count(n, "deal") for n in (0, 1, 2000)] == ["0 deals", "1 deal", "2,000 deals"]

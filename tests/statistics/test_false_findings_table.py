"""Equally good alternatives seldom seem to differ, for every study that names a best, and the page says how often."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).parent))
from false_findings_table import PAGE, SIZES, STUDIES, measure_study


def most_of(repeats: int) -> float:
    """Return the share of false findings that is exceeded once in a thousand repeats of a test."""
    return binom.ppf(0.999, repeats, 0.05) / repeats


def least_of(repeats: int) -> float:
    return binom.ppf(0.001, repeats, 0.95) / repeats


def check_shares(shares: list[tuple[float, float | None]], repeats: int) -> None:
    for false, held in shares:
        assert false <= most_of(repeats) and (held is None or held >= least_of(repeats)), shares


def test_the_table_of_the_page_is_as_often_right_as_it_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (repeats,) = (int(number.replace(",", "")) for number in re.findall(r"is from ([\d,]+) samples", text))
    table = re.search(r"\| compared \|.*\n\|---.*\n((?:\|.*\n)+)", text)
    assert table is not None
    rows = [line.strip("| ").split(" | ") for line in table[1].splitlines()]
    assert [row[0] for row in rows] == [name for study in STUDIES for name in study.names]
    for name, false, held in rows:
        shares = [float(cell) / 100 for cell in false.split(", ")]
        assert len(shares) == len(SIZES) and max(shares) <= most_of(repeats) + 0.0005, name
        if held != "–":
            assert min(float(cell) / 100 for cell in held.split(", ")) >= least_of(repeats) - 0.0005, name


@pytest.mark.parametrize("number", range(len(STUDIES)), ids=[study.names[0] for study in STUDIES])
def test_a_few_samples(number: int) -> None:
    check_shares(measure_study(number, 60, 10), 10)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", range(len(STUDIES)), ids=[study.names[0] for study in STUDIES])
def test_many_samples(number: int, size: int) -> None:
    check_shares(measure_study(number, size, 300), 300)

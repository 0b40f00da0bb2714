"""Equally good alternatives seldom seem to differ, for every study that names a best, and the page says how often."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).parent))
from false_findings_table import PAGE, SIZES, STUDIES, measure_study


def most_of(repeats: int) -> int:
    """Return the number of false findings that is exceeded once in a thousand repeats of a test."""
    return int(binom.ppf(0.999, repeats, 0.05))


def check_counts(counts: list[tuple[int | None, int | None]], repeats: int) -> None:
    for false, held in counts:
        assert false is None or false <= most_of(repeats), counts
        assert held is None or repeats - held <= most_of(repeats), counts


def test_the_table_of_the_page_is_as_often_right_as_it_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (repeats,) = (int(number.replace(",", "")) for number in re.findall(r"comes from ([\d,]+) samples", text))
    table = re.search(r"\| compared \|.*\n\|---.*\n((?:\|.*\n)+)", text)
    assert table is not None
    rows = [line.strip("| ").split(" | ") for line in table[1].splitlines()]
    assert [row[0] for row in rows] == [name for study in STUDIES for name in study.names]
    for name, *cells in rows:
        false, held = (
            None if cell == "–" else [round(repeats * float(share) / 100) for share in cell.split(", ")]
            for cell in cells
        )
        assert {len(each) for each in (false, held) if each is not None} == {len(SIZES)}, name
        check_counts([(each, None) for each in false or ()] + [(None, each) for each in held or ()], repeats)


@pytest.mark.parametrize("number", range(len(STUDIES)), ids=[study.names[0] for study in STUDIES])
def test_a_few_samples(number: int) -> None:
    check_counts(measure_study(number, 60, range(10)), 10)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", range(len(STUDIES)), ids=[study.names[0] for study in STUDIES])
def test_many_samples(number: int, size: int) -> None:
    check_counts(measure_study(number, size, range(300)), 300)

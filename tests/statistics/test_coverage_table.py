"""Every kind of estimate contains the true value in at least 93 of 100 samples, and the page says how often."""

from __future__ import annotations

import doctest
import math
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from coverage_table import LEAST, PAGE, SIZES, list_rows, measure_row


def read_table() -> list[list[str]]:
    lines = re.findall(r"^\| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)[1:]
    return [line.split(" | ") for line in lines]


def test_the_page_runs():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried >= 4 and not failed


def test_the_table_of_the_page_is_at_least_93():
    rows = read_table()
    assert len(rows) > 50
    shares = [float(cell) for row in rows for cell in row[2:] if cell != "–"]
    assert len(shares) > 4 * len(rows) - 12 and min(shares) >= 100 * LEAST


@pytest.mark.slow
def test_every_kind_of_estimate_covers():
    rows, low = list_rows(), []
    assert [(row.kind, row.population) for row in rows] == [tuple(row[:2]) for row in read_table()]
    for row in rows:
        for n in SIZES:
            share, made = measure_row(row, n, 600)
            if made >= 50 and share < LEAST - 3 * math.sqrt(LEAST * (1 - LEAST) / made):
                low.append((row.kind, row.population, n, share, made))
    assert not low, low

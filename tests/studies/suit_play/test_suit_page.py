"""The pages about suits run as they are printed, and rows of docs/reference/suit-gaps.md are computed again."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import dealerkit as dk

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "suit.md"


@pytest.mark.parametrize("name", ["suit.md", "plan.md", "which-line.md"])
def test_the_page_runs(name):
    failed, tried = doctest.testfile(str(PAGE.with_name(name)), module_relative=False, encoding="utf-8")
    assert tried > 4 and failed == 0


@pytest.mark.parametrize("row", [0, 10, 25, 39])
def test_rows_of_the_page_about_double_dummy(row):
    page = PAGE.parents[1] / "reference" / "suit-gaps.md"
    rows = re.findall(
        r"^\| (\w+) opposite (\w+) \| (\d) \| ([\d.]+) \| ([\d.]+) \|", page.read_text("utf-8"), re.MULTILINE
    )
    north, south, level, double, single = rows[row]
    play = dk.suit(north, south)
    layouts = play.layouts
    makes = layouts.probability[layouts.double_dummy >= int(level)].sum()
    assert (100 * makes, 100 * play.chances[int(level)]) == (
        pytest.approx(float(double), abs=0.0501), pytest.approx(float(single), abs=0.0501)
    )  # fmt: skip

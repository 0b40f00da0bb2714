"""The reports of actions have the same numbers as text, HTML, LaTeX, JSON and frames."""

from __future__ import annotations

import pytest

import dealerkit as dk
from dealerkit.actions import Report
from tests.studies.same_numbers import check_frame, check_same_numbers

SCRIPT = """
average "points of north" hcp(north),
average "strong" hcp(north) >= 15,
frequency "spades" (spades(north), 2, 6),
evalcontract (NS, 4S, nv)
"""


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    sample = dk.solved_sample()[:2000]
    return list(dk.run(f"condition hcp(north) >= 11 action {SCRIPT}", source=sample, keep=0).reports)


@pytest.mark.parametrize("number", range(4))
def test_a_report_has_the_same_numbers_everywhere(reports: list[Report], number: int) -> None:
    check_same_numbers(reports[number])
    check_frame(reports[number])

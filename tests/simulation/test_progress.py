"""The words beside the bar."""

from __future__ import annotations

import pytest

from dealerkit.planning import Limits
from dealerkit.simulation.progress import Progress
from dealerkit.statistics import Estimate, proportion


def shown(capsys, limits: Limits, *steps: tuple[int, int], **arguments) -> list[str]:
    """What has been written to the terminal."""
    with Progress(limits, True, **arguments) as bar:
        bar._bar.mininterval = 0
        for step in steps:
            bar.update(*step)
            bar._bar.refresh()
    return capsys.readouterr().err.split("\r")


def test_plain_dealing(capsys):
    lines = shown(capsys, Limits(1000, None), (250, 10), (500, 21))
    assert any(line.startswith(" 25%") and "10 of 250 dealt" in line for line in lines)
    assert any(line.startswith(" 50%") and "21 of 500 dealt" in line for line in lines)


def test_candidates_are_called_so(capsys):
    lines = shown(capsys, Limits(None, 100), (4000, 50), share=0.01)
    assert any(line.startswith(" 50%") and "50 of 4,000 candidates" in line for line in lines)
    assert not any("dealt" in line for line in lines)


def test_a_rare_condition_is_called_so_before_the_wait(capsys):
    asked = []

    def rate() -> Estimate:
        asked.append(1)
        return Estimate.exactly(1e-6)

    lines = shown(capsys, Limits(None, 20), (5_000_000, 0), (10_000_000, 12), rate=rate)
    assert any("1 deal in 1,000,000; 0 of 0 dealt" in line for line in lines[:3])
    assert any(line.startswith(" 25%") and "0 of 5,000,000 dealt" in line for line in lines)
    assert any(line.startswith(" 60%") and "1 deal" not in line for line in lines)
    assert len(asked) == 1


def test_candidates_expected(capsys):
    lines = shown(capsys, Limits(None, 10), (500, 0), rate=lambda: Estimate.exactly(1e-5), share=0.01)
    assert any(line.startswith("  5%") for line in lines)  # a candidate in a thousand is accepted


@pytest.mark.parametrize(
    ("known", "says"), [(proportion(0, 100_000), "fewer than 1 deal in 26,000"), (None, "0 of")]
)
def test_what_nobody_knows(capsys, known, says):
    lines = shown(capsys, Limits(None, 10), (500, 0), rate=lambda: known)
    assert any(says in line for line in lines)
    assert any(line.startswith("  0%") for line in lines)


def test_a_bar_does_not_run_backwards_and_waits_for_the_end(capsys):
    lines = shown(capsys, Limits(None, 10), (10_000, 0), (20_000, 3), rate=lambda: Estimate.exactly(1.0))
    assert any(line.startswith(" 99%") for line in lines)
    assert not any(line.startswith("100%") for line in lines)

"""The text beside the progress bar."""

from __future__ import annotations

import pytest

import dealerkit.runtime.progress
from dealerkit import Estimate, proportion
from dealerkit.planning import Limits
from dealerkit.simulation.execute import Progress


class Forecast:
    """A forecast with a given acceptance rate, which counts how often it was computed."""

    def __init__(self, rate: Estimate | None) -> None:
        self.known, self.n_computed = rate, 0

    @property
    def rate(self) -> Estimate | None:
        self.n_computed += 1
        return self.known


@pytest.fixture(autouse=True)
def at_every_step(monkeypatch):
    """Show every change of the bar."""
    monkeypatch.setattr(dealerkit.runtime.progress, "REFRESH_SECONDS", 0)


def shown(capsys, limits: Limits, *steps: tuple[int, int], **arguments) -> list[str]:
    """Return the lines written to the terminal."""
    with Progress(limits, True, **arguments) as progress:
        for step in steps:
            progress.update(*step)
    return capsys.readouterr().err.split("\r")


def test_plain_dealing(capsys):
    lines = shown(capsys, Limits(1000, None), (250, 10), (500, 21))
    assert any(line.startswith(" 25%") and "10 of 250 dealt" in line for line in lines)
    assert any(line.startswith(" 50%") and "21 of 500 dealt" in line for line in lines)


def test_candidates_are_named(capsys):
    lines = shown(capsys, Limits(None, 100), (4000, 50), share=0.01)
    assert any(line.startswith(" 50%") and "50 of 4,000 candidates" in line for line in lines)
    assert not any("dealt" in line for line in lines)


def test_the_rate_of_a_rare_condition_is_shown_before_deals_are_produced(capsys):
    forecast = Forecast(Estimate.exactly(1e-6))
    lines = shown(capsys, Limits(None, 20), (5_000_000, 0), (10_000_000, 12), forecast=forecast)
    assert any("1 deal in 1,000,000; 0 of 0 dealt" in line for line in lines[:3])
    assert any(line.startswith(" 25%") and "0 of 5,000,000 dealt" in line for line in lines)
    assert any(line.startswith(" 60%") and "1 deal" not in line for line in lines)
    assert forecast.n_computed == 1


def test_the_expected_number_of_candidates_moves_the_bar(capsys):
    lines = shown(capsys, Limits(None, 10), (500, 0), forecast=Forecast(Estimate.exactly(1e-5)), share=0.01)
    assert any(line.startswith("  5%") for line in lines)  # a candidate in a thousand is accepted


@pytest.mark.parametrize(
    ("rate", "text"), [(proportion(0, 100_000), "fewer than 1 deal in 26,000"), (None, "0 of")]
)
def test_an_unknown_rate(capsys, rate, text):
    lines = shown(capsys, Limits(None, 10), (500, 0), forecast=Forecast(rate))
    assert any(text in line for line in lines)
    assert any(line.startswith("  0%") for line in lines)


def test_a_bar_does_not_run_backwards_and_waits_for_the_end(capsys):
    lines = shown(
        capsys, Limits(None, 10), (10_000, 0), (20_000, 3), forecast=Forecast(Estimate.exactly(1.0))
    )
    assert any(line.startswith(" 99%") for line in lines)
    assert not any(line.startswith("100%") for line in lines)

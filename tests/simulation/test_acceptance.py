"""The share of accepted deals under swapping and weights."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk


@pytest.mark.parametrize("swap", [0, 2, 3])
def test_the_interval_is_clustered_by_shuffle(swap: int) -> None:
    """The spread of repeated runs equals the standard error, also where deals share a hand."""
    script = "condition hcp(west) >= 10 action"
    probabilities = [
        dk.run_script(
            script, dk.RunOptions(generate=1200, seed=seed, swap=swap, keep=0, threads=1)
        ).probability
        for seed in range(400)
    ]
    spread = np.std([probability.value for probability in probabilities], ddof=1)
    standard_error = np.sqrt(np.mean([probability.se**2 for probability in probabilities]))
    assert spread / standard_error == pytest.approx(1, abs=4 / np.sqrt(2 * 400))


def test_weights_count() -> None:
    deals = dk.deal(5000, seed=1)
    weight = np.where(deals.eval("hcp(north) > 12"), 3.0, 0.5)
    weighted = dk.Deals(deals.hands, weight=weight)
    result = dk.run(
        "condition hcp(north) > 9 action average hcp(south), frequency (hcp(north), 10, 12)", source=weighted
    )
    accepted = deals.eval("hcp(north) > 9")
    assert result.probability.value == pytest.approx(weight[accepted].sum() / weight.sum())
    south = deals.eval("hcp(south)")
    assert result.reports[0].mean.value == pytest.approx(
        np.average(south[accepted], weights=weight[accepted])
    )
    north = deals.eval("hcp(north)")
    table = result.reports[1].frame["count"]
    assert table[10] == pytest.approx(weight[north == 10].sum())
    assert "of weight" in result.text

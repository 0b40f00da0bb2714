"""Probabilities of rare conditions: estimated from candidates, against exact counts."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, Estimate, proportion
from dealerkit.counting import TooManyStates
from dealerkit.simulation import probability as module
from dealerkit.simulation.probability import ConditionDeals, divide

RARE = [
    ("hcp(north) >= 24 and controls(north) > 5 + spades(south)", None),
    pytest.param("hcp(north) >= 20 and hcp(south) >= 10", "spades(north) >= 4", marks=pytest.mark.slow),
    ("hearts(south) > hearts(west)", "hcp(north) >= 22 and spades(south) >= 6"),
]


@pytest.mark.parametrize("n_seeds", [24, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("condition", "given"), RARE)
def test_intervals_cover_the_exact_probability(
    condition: str, given: str | None, n_seeds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = dk.probability(condition, given).fraction
    assert exact is not None

    def refuse(*_: object) -> None:
        raise TooManyStates("not counted in this test")

    monkeypatch.setattr(module, "count_deals", refuse)
    estimates = [dk.probability(condition, given, deals=1000, seed=seed) for seed in range(n_seeds)]
    assert not any(estimate.exact for estimate in estimates)
    covered = sum(estimate.lo <= exact <= estimate.hi for estimate in estimates)
    assert abs(covered - 0.95 * n_seeds) < 4 * (n_seeds * 0.05 * 0.95) ** 0.5
    values = np.array([estimate.value for estimate in estimates])
    assert abs(values.mean() - float(exact)) < 4 * values.std() / n_seeds**0.5
    assert values.std() == pytest.approx(
        np.mean([estimate.se for estimate in estimates]), rel=max(0.2, 1.8 / n_seeds**0.5)
    )


def test_a_condition_that_plain_dealing_hardly_ever_meets() -> None:
    condition = "hcp(north) >= 24 and spades(south) >= 6 and cccc(south) >= 12"
    first = dk.probability(condition, seed=1)
    again, other = dk.probability(condition, seed=1), dk.probability(condition, seed=2)
    assert first.to_dict() == again.to_dict() != other.to_dict()
    assert first.se / first.value < 0.01  # plain dealing meets it five times in a million deals
    known = 4.64e-6  # 200,000 conditional deals know it to 0.7 %
    assert abs(first.value - known) < 0.05 * known and abs(first.value - other.value) < 4 * first.se * 2**0.5


def test_seeds_of_plain_estimates() -> None:
    first, other = (dk.probability("cccc(north) >= 12", seed=seed, deals=20_000) for seed in (1, 2))
    assert first.value != other.value and abs(first.value - other.value) < 6 * first.se
    assert dk.probability("hcp(north) >= 12", seed=1) == dk.probability("hcp(north) >= 12", seed=2)
    with pytest.raises(ArgumentError, match="seed"):
        dk.probability("cccc(north) >= 12", seed=-1)


def test_values_given_a_rare_condition() -> None:
    """The deals of the given condition are sampled, so as many as are needed are found."""
    given = "hcp(north) >= 26 and spades(south) >= 6"
    frame = dk.distribution("cccc(south)", given=given, seed=3, deals=50_000)
    assert frame.attrs["n"] == 50_000 and not frame.attrs["exact"]
    assert frame.equals(dk.distribution("cccc(south)", given=given, seed=3, deals=50_000))
    points = dk.distribution("hcp(south)", given=given).attrs["mean"]
    sampled = dk.distribution("hcp(south) + 0 * cccc(south)", given=given, seed=3, deals=50_000)
    assert sampled.attrs["mean"] == pytest.approx(points, abs=4 * sampled.attrs["sd"] / 50_000**0.5)


def test_what_no_deal_meets() -> None:
    assert dk.probability("hcp(north) > 38 and cccc(south) > 3").fraction == 0
    with pytest.raises(ArgumentError, match="no deal satisfies the given condition"):
        dk.distribution("cccc(south)", given="hcp(north) > 38 and cccc(north) > 3")


def test_common_conditions_are_dealt_plainly() -> None:
    compiled = module.compile_condition("cccc(north) >= 12", given="hcp(south) > 10")
    both = (*compiled.given, *compiled.clauses)
    assert ConditionDeals.choose(compiled, both, (), 1, 1000).sampling is None


def test_quotients() -> None:
    part, whole = proportion(50, 1000), proportion(400, 1000)
    quotient = divide(part, whole)
    assert quotient.value == pytest.approx(0.125) and quotient.lo < 0.125 < quotient.hi
    assert divide(part, Estimate.exactly(1.0)).value == 0.05
    none = divide(proportion(0, 1000), whole)
    assert none.value == 0 == none.lo < none.hi < 1

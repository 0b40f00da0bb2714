"""The tests of uniformity: their probabilities from elsewhere, deals that are not uniform, and the command."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.simulation import uniformity

DEALS = dk.deal(40_000, seed=8)


def smallest_p(hands: np.ndarray, accepts=None) -> dict[str, float]:
    tally = uniformity.Tally(accepts)
    tally.update(np.ascontiguousarray(hands))
    return {test.name: test.p for test in tally.run_tests("")}


def test_shares_are_those_of_published_tables():
    shares = uniformity.shares_of_points_and_lengths()
    assert shares.sum() == pytest.approx(1)
    # Encyclopedia of Bridge: 10 points 9.41 %, 37 points 1.5e-10; 4-3-3-3 with four spades a quarter of 10.5361 %.
    points = shares.sum(axis=(0, 1, 2))
    assert points[10] == pytest.approx(0.0941, abs=1e-4)
    assert points[37] * 635_013_559_600 == pytest.approx(4)
    assert shares[4, 3, 3].sum() == pytest.approx(0.105361 / 4, abs=1e-6)


def test_uniform_deals_pass():
    assert min(smallest_p(DEALS.hands).values()) > 1e-4


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda h: h[:, [1, 0, 2, 3]], None),
        (lambda h: np.where((DEALS.eval("hcp(north)") > 12)[:, None], h[:, [1, 0, 2, 3]], h), "points of north"),
        (lambda h: np.repeat(h[:20_000], 2, axis=0), "points of north in consecutive deals"),
        (lambda h: h[np.argsort(h[:, 3] & np.uint64(1 << 27), kind="stable")], "a card in deals 1 apart"),
        (lambda h: np.where((DEALS.eval("spades(south)") == 3)[:, None], h[:, [0, 1, 3, 2]], h),
         "spades of north and south"),
    ],
)  # fmt: skip
def test_other_deals_fail(change, name):
    values = smallest_p(change(DEALS.hands))
    assert min(values.values()) > 1e-5 if name is None else values[name] < 1e-9


def test_conditions_are_the_same_in_both_forms():
    sizes = [DEALS.where(condition) for condition in uniformity.CONDITIONS]
    for accepted, accepts in zip(sizes, uniformity.CONDITIONS.values(), strict=True):
        n = [DEALS.eval(f"{name}(north)").astype(int) for name in ("spades", "hearts", "diamonds", "hcp")]
        assert len(accepted) == accepts(*n).sum()


def test_the_command(capsys):
    assert main(["bench", "--selftest", "--deals", "20000", "--seed", "3"]) == 0
    output = capsys.readouterr().out
    assert "seat of each card" in output and "of all such tables" in output
    assert main(["bench", "--deals", "10000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split("  ")[-1] == "deals a second" and len(lines) == 5


def test_the_command_reports_deals_that_are_not_uniform(capsys, monkeypatch):
    wrong = uniformity.UniformityTest("plain", "points of north", 10, 1e9, 5, 1e-30)
    monkeypatch.setattr(uniformity, "compare_plain", lambda n, seed: iter([wrong]))
    assert main(["bench", "--selftest", "--deals", "10000"]) == 2
    assert "not uniform" in capsys.readouterr().err

"""Luck and skill: parts of scores worked out by hand, reliability and ranks on events with known skill."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.tournaments.skill import estimate_reliability, resample_ranks
from tests.support.simulated_events import simulate_event


def write(folder: Path, text: str) -> Path:
    path = folder / "event.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_parts_worked_out_by_hand(tmp_path: Path) -> None:
    # 4H makes 11, 10 and 10, 3NT makes 9, pass. Matchpoints of 8: 8 5 5 2 0, shares 1, .625, .625, .25, 0.
    text = (
        "board,ns,ew,contract,declarer,tricks\n1,1,2,4H,N,11\n1,3,4,4H,N,10\n1,5,6,4H,S,10\n1,7,8,3NT,N,9\n"
        "1,9,10,PASS,,\n"
    )
    event = dk.results(write(tmp_path, text), "matchpoints")
    assert event.results.share_ns.tolist() == [1, 0.625, 0.625, 0.25, 0]
    own = event.parts("1").frame.iloc[0]
    assert (own.tables, own.contract_part, own.play_part) == (3, pytest.approx(25), pytest.approx(25))
    own = event.parts("4").frame.iloc[0]  # east-west: 37.5 %, as the mean of their three tables is 25 %
    assert (own.value, own.contract_part, own.play_part) == (37.5, -25, 12.5)
    alone = event.parts("7").frame.iloc[0]
    assert alone.tables == 1 and np.isnan(alone.play_part) and alone.contract_part == -25
    passed = event.parts("9").frame.iloc[0]
    assert (passed.contract_part, passed.play_part) == (-50, 0)
    assert "no other table had this contract" in event.parts("7").text
    assert "There is no interval for fewer than 10 boards" in event.parts("7").text


def test_parts_add_up_and_are_uncorrelated(tmp_path: Path) -> None:
    text, _ = simulate_event(dk.solved_sample()[:60], 20, np.zeros(20), seed=1)
    event = dk.results(write(tmp_path, text), "matchpoints")
    frame = event.skill().frame
    assert (frame["mean"] - 50).tolist() == pytest.approx((frame.contract_part + frame.play_part).tolist())
    from dealerkit.tournaments.skill import split_parts

    parts = split_parts(event).dropna(subset=["play_part"])
    assert (parts.contract_part * parts.play_part).sum() == pytest.approx(0, abs=1e-6)


def test_reliability_of_known_skill() -> None:
    """Values with a known variance between pairs: the estimate is right on average."""
    rng = np.random.default_rng(2)
    pairs = np.repeat(np.arange(40), 27)
    found = []
    for _ in range(300):
        skill = rng.normal(0, 4, 40)
        found.append(estimate_reliability(50 + skill[pairs] + rng.normal(0, 28, len(pairs)), pairs))
    truth = 4**2 / (4**2 + 28**2 / 27)
    assert np.mean([each.sd_boards for each in found]) == pytest.approx(28, rel=0.01)
    assert np.mean([each.sd_skill**2 for each in found]) == pytest.approx(16, rel=0.12)
    assert np.mean([each.value for each in found]) == pytest.approx(truth, abs=0.05)
    assert 0.91 <= np.mean([each.lo <= truth <= each.hi for each in found]) <= 0.98


def test_shrunken_means_are_closer_to_the_truth(tmp_path: Path) -> None:
    # The truth of each pair is its mean over 2,000 boards; each event has 26 of them.
    sample = dk.solved_sample()
    skill = np.random.default_rng(4).normal(0, 0.35, 16)
    text, _ = simulate_event(sample[:2000], 16, skill, seed=7)
    truth = dk.results(write(tmp_path, text), "matchpoints").pairs.set_index("id").percent
    raw, shrunken = [], []
    for k in range(6):
        text, _ = simulate_event(sample[3000 + 26 * k : 3026 + 26 * k], 16, skill, seed=20 + k)
        frame = dk.results(write(tmp_path, text), "matchpoints").skill(seed=1).frame.set_index("pair")
        raw.append(((frame["mean"] - truth) ** 2).mean())
        shrunken.append(((frame.shrunken - truth) ** 2).mean())
        assert frame.reliability.between(0, 1).all()
    assert np.mean(shrunken) < 0.8 * np.mean(raw)


def test_ranks_against_a_second_method() -> None:
    """The bootstrap of ranks, resample by resample with pandas-free loops."""
    rng = np.random.default_rng(9)
    pairs, deals = np.tile(np.arange(6), 20), np.repeat(np.arange(20), 6)
    values = rng.normal(50, 20, 120) + 3 * pairs
    found = resample_ranks(values, pairs, deals, seed=5)
    draws = np.random.default_rng(6)
    ranks = []
    for _ in range(2000):
        chosen = draws.integers(0, 20, 20)
        means = np.array(
            [np.mean([values[(deals == d) & (pairs == p)][0] for d in chosen]) for p in range(6)]
        )
        ranks.append([1 + (means > own).sum() for own in means])
    by_hand = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
    assert np.abs(found.low - by_hand[0]).max() <= 1 and np.abs(found.high - by_hand[1]).max() <= 1
    assert found.first == pytest.approx((np.array(ranks) == 1).mean(axis=0), abs=0.05)


def test_simultaneous_intervals_of_means() -> None:
    """All means of eight equal pairs are in their intervals together in about 95 % of the events."""
    rng = np.random.default_rng(12)
    pairs, deals = np.tile(np.arange(8), 30), np.repeat(np.arange(30), 8)
    together = 0
    for k in range(200):
        found = resample_ranks(rng.normal(50, 28, 240), pairs, deals, seed=k)
        together += bool(((found.mean_low <= 50) & (found.mean_high >= 50)).all())
    assert 0.88 <= together / 200 <= 0.99


def test_what_is_said(tmp_path: Path) -> None:
    text, _ = simulate_event(dk.solved_sample()[:24], 12, np.zeros(12), seed=3)
    event = dk.results(write(tmp_path, text), "matchpoints")
    shown = event.skill()
    assert "more chance than skill" in shown.text and "to " in shown.text
    few = event.skill()
    assert few.frame.rank_lo.notna().all()
    text, _ = simulate_event(dk.solved_sample()[:9], 12, np.zeros(12), seed=3)
    few = dk.results(write(tmp_path, text), "matchpoints").skill()
    assert few.frame.rank_lo.isna().all() and "to 12" not in few.text
    imps = event.score("butler").skill()
    assert abs(imps.frame["mean"].mean()) < 2
    with pytest.raises(dk.ArgumentError, match="field of pairs"):
        event.score("team imps").skill()

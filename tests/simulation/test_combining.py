"""Combined results: as of one run over the deals of all, which a run on these deals as given ones computes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import proportion
from dealerkit.simulation.combining import merge_levellings
from dealerkit.simulation.levelling import Levelling

STUDY = """\
condition hcp(north) >= 15
action average hcp(south), average "minor" clubs(south) > 4, average tricky, frequency (hcp(south), 0, 20),
       bktfreq (100 * cccc(south), 0, 3000, 500), frequency (hcp(east), 0, 9, spades(east), 0, 5)
"""
TRICKY = "tricky = hcp(north) / (1 + spades(south)) "
FRAMED = ["average", "minor", "tricky"]
CONTRACTS = "action average hcp(north), frequency (dds(north, notrumps), 0, 13), evalcontract (NS, x3N, vul)"


def _assert_same_reports(combined: dk.Result, reference: dk.Result) -> None:
    assert len(combined.reports) == len(reference.reports) > 0
    for report, other in zip(combined.reports, reference.reports, strict=True):
        assert report.n == other.n
        pd.testing.assert_frame_equal(report.frame, other.frame, rtol=1e-12)


def test_reports_are_those_of_one_run_over_the_deals_of_both() -> None:
    first, second = (dk.run(TRICKY + STUDY, produce=300, seed=seed) for seed in (1, 2))
    combined = first + second
    deals = dk.Deals.concatenate([first.deals, second.deals])
    _assert_same_reports(combined, dk.run(TRICKY + STUDY, source=deals))
    assert combined.deals.equals(deals) and combined.produced == 600 and combined.seeds == (1, 2)
    assert combined.proposed == first.proposed + second.proposed
    both = pd.concat([first.to_frame(), second.to_frame()], ignore_index=True)
    pd.testing.assert_frame_equal(combined.to_frame(), both)
    assert combined.text.endswith(f"{combined.elapsed:.2f} s\n") and "seeds 1 and 2" in combined.text
    assert "seeds 1 and 2" in repr(combined)
    assert first["hcp(south)"].n == second["hcp(south)"].n == 300  # unchanged


def test_acceptance_is_that_of_all_deals() -> None:
    script = "condition hcp(north) >= 15 action average hcp(south)"
    limited = [dk.run(script, generate=2000, seed=seed, plan="plain") for seed in (1, 2)]
    share = dk.Result.concat(limited).probability
    expected = proportion(sum(result.produced for result in limited), 4000)
    assert (share.value, share.lo, share.hi) == (expected.value, expected.lo, expected.hi)
    stopped = dk.Result.concat(dk.run(script, produce=5, seed=seed, plan="plain") for seed in range(10))
    assert stopped.probability.value == pytest.approx(49 / (stopped.proposed - 1))  # Haldane 1945
    conditional = [dk.run("hcp(north) >= 20", produce=50, seed=seed, plan="conditional") for seed in (1, 2)]
    assert (conditional[0] + conditional[1]).probability.exact


def test_shuffles_of_two_runs_are_different_clusters() -> None:
    script = "condition hcp(north) >= 12 action average hcp(south), average spades(east) == 3, frequency (hcp(east), 0, 9)"
    first, second = (dk.run_script(script, dk.RunOptions(generate=600, seed=seed, swap=3)) for seed in (1, 2))
    combined = first + second
    shifted = second.deals.replace(cluster=second.deals.cluster + 1_000_000)
    reference = dk.run(script, source=dk.Deals.concatenate([first.deals, shifted]))
    _assert_same_reports(combined, reference)
    codes = [pd.factorize(np.asarray(deals.cluster))[0] for deals in (combined.deals, reference.deals)]
    assert (codes[0] == codes[1]).all()
    plain = proportion(combined.produced, 1200)
    assert combined.probability.value == pytest.approx(plain.value)
    assert combined.probability.se != plain.se


def test_weights_and_double_dummy_results_of_given_deals() -> None:
    deals = dk.solved_sample()[:400]
    weighted = deals.replace(weight=np.linspace(0.5, 2, len(deals)))
    for given in (deals, weighted):
        combined = dk.run(CONTRACTS, source=given[:150]) + dk.run(CONTRACTS, source=given[150:])
        reference = dk.run(CONTRACTS, source=given)
        _assert_same_reports(combined, reference)
        assert combined.deals.equals(reference.deals)
        assert combined.probability.value == reference.probability.value == 1


def test_levelled_runs() -> None:
    types = {"weak": "hcp(south) < 8", "strong": "hcp(south) >= 8"}
    script = "action average spades(south)"
    first, second = (dk.level(script, types, {"weak": 3}, produce=n, seed=n) for n in (40, 90))
    combined = first + second
    assert combined.types.deals.tolist() == (first.types.deals + second.types.deals).tolist()
    assert combined.types.natural.tolist() == first.types.natural.tolist()  # exact
    spades, strong = combined.deals.eval("spades(south)"), combined.deals.eval("hcp(south) >= 8")
    means = [spades[strong == kind].mean() for kind in (0, 1)]
    report = combined["spades(south)"]
    assert report.natural.value == pytest.approx(combined.types.natural.to_numpy() @ means)
    assert report.natural.value == pytest.approx(np.average(spades, weights=combined.deals.weight))


def test_numbers_of_boards_and_random_values_are_those_of_each_run() -> None:
    script = "lucky = rnd(1000) action average board(), average rnd(100), print(north)"
    parts = [dk.run(script, produce=30, seed=seed) for seed in (1, 2)]
    combined = dk.Result.concat(parts)
    both = pd.concat([part.to_frame() for part in parts], ignore_index=True)
    pd.testing.assert_frame_equal(combined.to_frame(), both)
    assert combined["rnd(100)"].mean.value == pytest.approx(both["rnd(100)"].mean())
    assert len(combined.reports[-1].frame) == 60


def test_old_texts_name_all_seeds() -> None:
    parts = [dk.run("action printoneline", produce=2, seed=seed, dialect="v1") for seed in (1, 2)]
    combined = parts[0] + parts[1]
    lines = [line for part in parts for line in part.text.splitlines()[:2]]
    assert combined.text.splitlines()[:4] == lines
    assert "Produced 4 hands\nInitial random seed 1, 2\n" in combined.text


def _run(script: str = STUDY.replace("average tricky, ", ""), **options: object) -> dk.Result:
    return dk.run_script(script, dk.RunOptions(**{"produce": 20, "seed": 1, **options}))


@pytest.mark.parametrize(
    ("others", "message"),
    [
        (
            [{}],
            r"contain the same deals: both were dealt from seed 1 of the uniform stream; .* another seed=",
        ),
        ([{"seed": 2}, {}], "results 1 and 3 contain the same deals"),
        ([{"script": "action average 1", "seed": 2}], "their scripts differ"),
        ([{"seed": 2, "predeal": {"south": "SA"}}], "different `predeal`"),
        ([{"seed": 2, "swap": 2}], "different `swap`"),
        ([{"seed": 2, "confidence": 0.9}], "different `confidence`"),
        ([{"seed": 2, "vulnerable": "both"}], "different `vulnerable`"),
        ([{"seed": 2, "plan": "conditional"}], r"their plans .* plan="),
        ([{"seed": 2, "dialect": "v2", "script": "action printoneline"}], "dialects are modern and v2"),
    ],
)
def test_results_that_do_not_go_together(others: list[dict], message: str) -> None:
    with pytest.raises(dk.ArgumentError, match=message):
        dk.Result.concat(
            [_run(plan="plain"), *({"plan": "plain"} | other and _run(**other) for other in others)]
        )


def test_more_results_that_do_not_go_together() -> None:
    valued = [
        dk.run("condition hcp(north) > $low", produce=5, seed=low, params={"low": low}) for low in (5, 6)
    ]
    with pytest.raises(dk.ArgumentError, match="the script variable low is 5 and 6; combine runs with equal"):
        valued[0] + valued[1]
    given = valued[0].deals
    with pytest.raises(dk.ArgumentError, match="result 2 contains 2 deals that an earlier one also contains"):
        dk.run("action", source=given[:3]) + dk.run("action", source=given[1:])
    with pytest.raises(dk.ArgumentError, match=r"keeps 1 of 3 given deals.*keep=\"all\""):
        dk.run("action", source=given[:3], keep=1) + dk.run("action", source=given[3:])
    old = [dk.run("action", produce=2, seed=seed, stream="classic", dialect="v1") for seed in (7, 7 + 2**32)]
    with pytest.raises(dk.ArgumentError, match="contain the same deals"):
        old[0] + old[1]
    for wrong in ([], valued[0], [1], "text", 3):
        with pytest.raises(dk.ArgumentError, match="give"):
            dk.Result.concat(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        valued[0] + 1  # type: ignore[operator]
    assert dk.Result.concat([valued[0]]) is valued[0]


def test_results_of_all_layouts() -> None:
    predeal = {"north": "AKQJ.AKQJ.AKQ.AK", "south": "T98.T98.JT98.QJT", "east": "765432.765432.7."}
    exact = [
        dk.run_script("action average hcp(west)", dk.RunOptions(source="all", predeal=predeal, seed=seed))
        for seed in (1, 2)
    ]
    with pytest.raises(dk.ArgumentError, match="result 1 comes from a run on all layouts.* exact already"):
        exact[0] + exact[1]


def test_measured_rates_of_hand_types_are_averaged() -> None:
    rates = [[proportion(30, 100), proportion(50, 100)], [proportion(130, 300), proportion(140, 300)]]
    outside = proportion(1, 10)
    merged = merge_levellings([Levelling(("a", "b"), (), tuple(pair), outside) for pair in rates])
    assert merged is not None
    for rate, counted in zip(merged.rates, (160, 190), strict=True):
        expected = proportion(counted, 400)
        assert (rate.value, rate.n) == (pytest.approx(expected.value), 400)
        assert rate.lo == pytest.approx(expected.lo, abs=0.004)
        assert rate.hi == pytest.approx(expected.hi, abs=0.004)

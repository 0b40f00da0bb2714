"""Runs: three sources, threads, limits, errors, interrupts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.language.dialects import find_rules
from dealerkit.language.parser import read_script
from dealerkit.simulation import batches

SCRIPT = """
strong = hcp(north) >= 15
fit8 = spades(north) + spades(south) >= 8
condition strong and fit8
action average "south" hcp(south), frequency "controls" (controls(north), 0, 8), printoneline(hcp(south))
"""


@pytest.fixture(params=["uniform", "classic", "deals", "frame"])
def supply(request: pytest.FixtureRequest) -> dict:
    """One of the sources; the last two are the first two million-deal sources' siblings in memory."""
    if request.param in ("uniform", "classic"):
        return {"stream": request.param}
    deals = dk.deal(30_000, seed=3)
    return {"source": deals if request.param == "deals" else deals.to_frame()}


def test_counts_and_means_are_those_of_the_deals_of_each_source(supply: dict) -> None:
    result = dk.run(SCRIPT, produce=500, seed=5, **supply)
    deals = result.deals
    assert result.produced == len(deals) == 500
    points = deals.eval("hcp(south)")
    assert result["south"].mean.value == pytest.approx(points.mean())
    assert result["south"].sd == pytest.approx(points.std(ddof=1))
    table = result["controls"].frame["count"]
    counted = np.bincount(deals.eval("controls(north)"), minlength=9)
    assert [table.get(value, 0) for value in range(9)] == counted[:9].tolist()
    assert len(deals.where("hcp(north) >= 15 and fit(NS, spades) >= 8")) == 500
    lines = [line for line in result.text.splitlines() if line.startswith("n ")]
    assert [int(line.rsplit(" ", 1)[1]) for line in lines] == points.tolist()


def test_nothing_is_skipped(supply: dict) -> None:
    """The produced deals are the first that comply, each of them."""
    all_deals = dk.run("action", generate=20_000, seed=5, keep="all", **supply).deals
    some = dk.run(SCRIPT + " ", generate=20_000, produce=10**9, seed=5, keep="all", **supply)
    assert some.generated == 20_000
    assert some.deals.equals(all_deals.where("hcp(north) >= 15 and spades(north) + spades(south) >= 8"))


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("batch_deals", [65_536, 1_000])
def test_threads_and_batch_sizes_change_nothing(
    threads: int, batch_deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = dk.run(SCRIPT, produce=3_000, seed=11, threads=1)
    monkeypatch.setattr(batches, "BATCH_DEALS", batch_deals)
    other = dk.run(SCRIPT, produce=3_000, seed=11, threads=threads)
    assert (one.generated, one.text.rsplit(";", 1)[0]) == (other.generated, other.text.rsplit(";", 1)[0])
    assert one.deals.equals(other.deals)
    assert one.numbers.tolist() == other.numbers.tolist()


def test_the_script_does_not_change_the_deals() -> None:
    """Seats that the condition leaves out are dealt later, and are the same cards."""
    all_deals = dk.deal(5_000, seed=2)
    for clause in ("hcp(north) > 12", "hcp(east) > 12", "hcp(south) + hcp(west) > 22", "hascard(west, AS)"):
        assert dk.run(f"condition {clause} action", generate=5_000, produce=10**9, seed=2).deals.equals(
            all_deals.where(clause)
        )


def test_limits() -> None:
    assert dk.run("action printoneline", seed=1).produced == 40
    assert dk.run("produce 7 action average 1", seed=1).produced == 7
    assert dk.run("produce 7 action average 1", produce=9, seed=1).produced == 9
    result = dk.run("condition hcp(north) > 9 action average 1", produce=100, generate=50, seed=1)
    assert result.generated == 50 and result.produced < 50
    assert dk.run("action average 1", produce=0, seed=1).produced == 0
    with pytest.raises(dk.ArgumentError, match="produce is -1"):
        dk.run("action average 1", produce=-1)


def test_keep() -> None:
    result = dk.run("condition hcp(north) > 9 action average hcp(east)", produce=1_000, seed=1, keep=10)
    assert len(result.deals) == 10
    result.deals.check()
    assert result.deals.equals(dk.run("condition hcp(north) > 9 action", produce=10, seed=1).deals)
    with pytest.raises(dk.MemoryLimitError, match="bytes"):
        dk.run("action average 1", produce=10**12, keep="all")


def test_to_frame_has_the_variables_and_the_expressions() -> None:
    result = dk.run(SCRIPT, produce=100, seed=1)
    frame = result.to_frame()
    assert list(frame.columns) == ["deal", "strong", "fit8", "south", "controls", "hcp(south)"]
    assert frame["strong"].all() and frame["south"].tolist() == result.deals.eval("hcp(south)").tolist()
    assert frame["south"].dtype == np.int8


@pytest.mark.parametrize("threads", [1, 2])
def test_division_by_zero_names_the_expression_and_the_deal(threads: int) -> None:
    deals = dk.deal(50_000, seed=1)
    first = int(np.flatnonzero(deals.eval("spades(north)") == 0)[0]) + 1
    with pytest.raises(
        dk.DivisionByZeroError, match=rf"hcp\(north\) / spades\(north\).*deal {first:,} of the run"
    ):
        dk.run(
            "condition hcp(north) / spades(north) > 90 action average 1",
            generate=50_000,
            seed=1,
            threads=threads,
        )
    assert dk.run(
        "condition spades(north) > 0 and hcp(north) / spades(north) >= 0 action average 1",
        generate=50_000,
        seed=1,
    ).produced
    guarded = "action average spades(north) == 0 ? 99 : 13 / spades(north)"
    assert dk.run(guarded, generate=50_000, seed=1).produced == 50_000


@pytest.mark.parametrize("action", ["printes({})", "printoneline({})", "csvrpt(1, {})", "average {}"])
def test_division_by_zero_in_an_action_names_the_deal(action: str) -> None:
    deals = dk.deal(1_000, seed=1)
    first = int(np.flatnonzero(deals.eval("spades(north)") == 0)[0]) + 1
    script = f"action {action.format('hcp(north) / spades(north)')}"
    with pytest.raises(dk.DivisionByZeroError, match=rf"deal {first:,} of the run"):
        dk.run(script, generate=1_000, produce=1_000, seed=1)
    assert dk.run(script, generate=1_000, produce=first - 1, seed=1).produced == first - 1


def test_an_error_after_the_last_produced_deal_does_not_count() -> None:
    deals = dk.deal(50_000, seed=1)
    first = int(np.flatnonzero(deals.eval("spades(north)") == 0)[0])
    script = "condition hcp(north) / spades(north) >= 0 action average 10 / spades(north)"
    assert dk.run(script, produce=first, seed=1).produced == first
    with pytest.raises(dk.DivisionByZeroError):
        dk.run(script, produce=first + 1, seed=1)


def test_a_run_without_an_accepted_deal_has_a_warning_and_a_text() -> None:
    script = "condition hcp(north) > 36 action average 1, frequency (hcp(north), 0, 3)"
    with pytest.warns(dk.NothingProducedWarning, match="no deal of 1,000"):
        result = dk.run(script, generate=1_000, seed=1, plan="plain")
    assert "no deal was produced" in result.text and "nan" not in result.text
    assert np.isnan(result.reports[0].mean.value)
    with pytest.warns(dk.NothingProducedWarning):
        assert "-nan" in dk.run(script, generate=1_000, seed=1, dialect="v1").text


def test_interrupt_keeps_what_was_done() -> None:
    def stop() -> None:
        time.sleep(1.0)
        signal.raise_signal(signal.SIGINT)

    dk.run("action average hcp(north)", generate=1_000, seed=1)
    threading.Thread(target=stop).start()
    result = dk.run("action average hcp(north)", generate=10**12, seed=1)
    assert result.interrupted and 0 < result.produced == result.generated < 10**12
    again = dk.run("action average hcp(north)", generate=result.generated, seed=1)
    assert again.reports[0].mean == result.reports[0].mean


def test_swapping_clusters_by_shuffle() -> None:
    """North keeps his hand in the six deals of a shuffle: the interval is clustered by shuffle."""
    script = "action average hcp(north)"
    plain, swapped = (
        dk.run_script(script, dk.RunOptions(generate=60_000, seed=1, swap=swap)).reports[0].mean
        for swap in (0, 3)
    )
    assert swapped.se / plain.se == pytest.approx(6**0.5, rel=0.05)


def test_rnd_is_keyed_by_the_deal() -> None:
    script = "a = rnd(10) condition rnd(4) == 0 action average a, average a, frequency (a, 0, 9)"
    one, two = (
        dk.run(script, generate=200_000, produce=10**9, seed=3, threads=threads) for threads in (1, 2)
    )
    assert [r.mean.value for r in one.reports[:2]] == [r.mean.value for r in two.reports[:2]]
    assert one.reports[0].mean.value != one.reports[1].mean.value  # each call has its own random numbers
    assert one.produced == pytest.approx(50_000, abs=4 * (200_000 * 0.25 * 0.75) ** 0.5)
    shares = one.reports[2].frame
    assert ((shares["share"] - 0.1).abs() < 5 * (0.09 / one.produced) ** 0.5).all()


@pytest.mark.slow
def test_same_deals_without_special_instructions() -> None:
    code = "import dealerkit as dk; print(dk.deal(70_000, seed=4).hands.sum(), dk.run('action average cccc(north)', generate=5000, seed=4).text[:40])"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            encoding="utf-8",
            check=True,
            env={**os.environ, **extra},
        ).stdout
        for extra in ({}, {"NUMBA_CPU_NAME": "generic"})
    }
    assert len(outputs) == 1


def test_script_files(tmp_path) -> None:
    path = tmp_path / "one.dealer"
    path.write_text("condition hcp(nrth) > 3")
    with pytest.raises(dk.ScriptError, match="north") as caught:
        dk.run(path)
    assert (caught.value.line, caught.value.column, caught.value.file) == (1, 15, str(path))
    with pytest.raises(dk.FileError, match="No such file"):
        dk.run(tmp_path / "two.dealer")
    path.write_text("#" * 300_000)
    with pytest.raises(dk.FileError, match="larger than 262,144"):
        read_script(path, find_rules("modern"))


def test_the_number_of_threads_is_limited_by_the_processors() -> None:
    n_active: list[int] = []

    def write(_: str) -> None:
        n_active.append(threading.active_count())

    before = threading.active_count()
    few_threads = dk.run(
        "condition hcp(north) > 20 action printoneline", generate=600_000, produce=900, seed=1
    )
    many_threads = dk.run_script(
        "condition hcp(north) > 20 action printoneline",
        dk.RunOptions(generate=600_000, produce=900, seed=1, threads=1_000_000, plan="plain", write=write),
    )
    assert max(n_active) <= before + max(16, 2 * (os.cpu_count() or 1))
    assert many_threads.produced == few_threads.produced == 900


@pytest.mark.parametrize(
    ("given", "place"),
    [("hcp(north", "script:1:4"), ("", "given is ''"), ("x = hcp(north)", "condition, such as")],
)
def test_the_error_of_a_condition_given_has_the_position(given: str, place: str) -> None:
    with pytest.raises(dk.DealerkitError) as raised:
        dk.deal(1, given=given)
    assert place in str(raised.value) and "action" not in str(raised.value)


def test_a_condition_given_may_have_variables_and_a_comment() -> None:
    deals = dk.deal(20, seed=1, given="points = hcp(north) points >= 17 # strong")
    assert (deals.eval("hcp(north)") >= 17).all() and len(deals) == 20


@pytest.mark.parametrize(
    ("dialect", "settings", "argument"),
    [
        ("modern", "dealer south vulnerable ew", None),
        ("modern", "dealer west", "both"),
        ("modern", "vulnerable ew", "ns"),
        ("v1", "dealer south vulnerable NS", None),
        ("v2", "dealer east vulnerable both", "ew"),  # "both" is none in DealerV2
        ("v2", "dealer north ", "ns"),
    ],
)
def test_dealer_and_vulnerability_of_a_run_are_attached_to_its_deals(dialect, settings, argument):
    """They agree with the tags of printpbn; those that change from board to board are not attached."""
    result = dk.run_script(
        f"{settings} action printpbn", dk.RunOptions(produce=5, seed=1, dialect=dialect, vulnerable=argument)
    )
    for tag, names, column in (
        ("Dealer", "NESW", result.deals.dealer),
        ("Vulnerable", ("None", "NS", "EW", "All"), result.deals.vulnerable),
    ):
        printed = [names.index(name) for name in re.findall(rf'\[{tag} "(\w+)"\]', result.text)]
        assert len(printed) == 5
        if column is None:
            assert len(set(printed)) > 1
        else:
            assert column.tolist() == printed
    assert result.deals[0].vulnerable == (None if result.deals.vulnerable is None else printed[0])
    assert (result.deals.dealer is None) == ("dealer" not in settings)


def test_a_result_without_dealer_has_deals_without():
    deals = dk.run("action average 1", produce=2, seed=1).deals
    assert deals.dealer is None and deals.vulnerable is None


def test_a_result_has_the_versions_that_its_seed_depends_on():
    plain, conditional = (
        dk.run("condition hcp(north) >= 20", produce=2, seed=1, plan=plan)
        for plan in ("plain", "conditional")
    )
    assert plain.stream_version == conditional.stream_version == 1
    assert plain.plan_version == conditional.plan_version >= 5
    assert plain.conditional_version is None and conditional.conditional_version >= 2


@pytest.mark.parametrize(
    "source, remedy", [("club.pbn", r"give dk.read\('club.pbn'\)"), (7, "give Deals, a DataFrame")]
)
def test_a_source_without_deals_is_refused(source: object, remedy: str) -> None:
    with pytest.raises(dk.ArgumentError, match=remedy):
        dk.run("action average hcp(north)", source=source)

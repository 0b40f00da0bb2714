"""Scripts of other people are bounded in time, memory, deals and text, and the run keeps what it has."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import Future

import pytest

import dealerkit as dk
from dealerkit import TruncatedRun
from dealerkit.actions import printing, text_modern, text_v1, writer
from dealerkit.cli import main
from dealerkit.dealing.uniform import UniformSource
from dealerkit.simulation.tasks import RunContext, Task, run_task

ENDLESS = "generate 1000000000000 condition hcp(north) >= 12 action average hcp(south)"


def test_time():
    begin = time.perf_counter()
    with pytest.warns(TruncatedRun, match="200 ms of time"):
        result = dk.run(ENDLESS, seed=1, limits=dk.RunLimits(seconds=0.2))
    assert time.perf_counter() - begin < 5
    assert result.interrupted and result.limit == "200 ms of time" and result.produced == result.reports[0].n


def test_time_in_another_thread():
    results = []

    def work():
        with pytest.warns(TruncatedRun):
            results.append(dk.run(ENDLESS, seed=1, limits=dk.RunLimits(seconds=0.1)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert results and results[0].limit


def test_memory():
    with pytest.warns(TruncatedRun, match="1 MB of memory"):
        result = dk.run(ENDLESS, seed=1, keep=10**7, limits=dk.RunLimits(memory=1e6))
    assert result.produced < 10**8


def test_deals():
    with pytest.warns(TruncatedRun, match="2,000 deals"):
        result = dk.run(ENDLESS, seed=1, limits=dk.RunLimits(deals=2000))
    same = dk.run("condition hcp(north) >= 12 action average hcp(south)", generate=2000, seed=1)
    assert result.generated == 2000 and result.produced == same.produced
    assert dk.run(ENDLESS, seed=1, produce=10, limits=dk.RunLimits(deals=2000)).limit == ""


@pytest.mark.parametrize("dialect", ["modern", "v1", "v2"])
def test_pages_of_hands_are_made_as_far_as_the_limits_of_text_and_time_allow(dialect, monkeypatch):
    made = []
    for module in (text_modern, text_v1, printing):
        for name in ("format_named_hands", "format_side_by_side"):
            if hasattr(module, name):
                original = getattr(module, name)
                monkeypatch.setattr(
                    module, name, lambda *rest, original=original: made.append(1) or original(*rest)
                )
    script = "action print(north, east)"
    whole = dk.run(script, produce=1000, seed=1, dialect=dialect).text
    assert len(made) == 500  # four hands at once
    made.clear()
    with pytest.warns(TruncatedRun, match="500 characters"):
        result = dk.run(script, produce=1000, seed=1, dialect=dialect, limits=dk.RunLimits(output=500))
    assert result.text == whole[:500] and len(made) < 5
    with pytest.warns(TruncatedRun, match="ms of time"):
        result = dk.run(script, produce=10**7, seed=1, dialect=dialect, limits=dk.RunLimits(seconds=0.5))
    assert 4 * len(made) < result.produced  # north's hands are not complete when the time is over


def test_no_more_hands_are_collected_than_the_text_may_have():
    """The page of a result shows all of them, too."""
    script = "action print(north, east), average hcp(west)"
    whole = dk.run(script, produce=3000, seed=1).text
    with pytest.warns(TruncatedRun, match="5,000 characters"):
        result = dk.run(script, produce=10**7, seed=1, limits=dk.RunLimits(output=5000))
    assert result.text == whole[:5000] and result.produced < 10_000
    assert len(result.to_html()) < 10**7
    assert dk.run(script, produce=20, seed=1, limits=dk.RunLimits(output=5000)).limit == ""


def test_no_more_text_of_a_deal_is_made_than_the_limit_needs(monkeypatch):
    made = []
    original = writer.Writer._format_values
    monkeypatch.setattr(
        writer.Writer, "_format_values",
        lambda self, action, produced: made.append(len(produced)) or original(self, action, produced),
    )  # fmt: skip
    script = f'produce 5000 action printes("{"x" * 100_000}", hcp(north))'
    with pytest.warns(TruncatedRun):
        result = dk.run(script, dialect="v2", seed=1, limits=dk.RunLimits(output=200_000))
    assert len(result.text) == 200_000 and sum(made) < 1000


def test_values_are_printed_alike_with_limits():
    script = "produce 3000 action printrpt(rnd(1000), deal, hcp(north)), printes(rnd(10), spades(east))"
    for dialect in ("modern", "v2"):
        texts = [
            dk.run(script, seed=1, statistics=False, dialect=dialect, limits=limits).text
            for limits in (None, dk.RunLimits(output=10**9))
        ]
        assert texts[0] == texts[1] and texts[0].count("\n") > 2999


def test_output(tmp_path):
    script = "action printoneline, csvrpt(hcp(north)), average hcp(north)"
    whole = dk.run(script, produce=10, seed=1)
    with pytest.warns(TruncatedRun, match="500 characters of text"):
        result = dk.run(script, produce=10**6, seed=1, limits=dk.RunLimits(output=500))
    assert len(result.text) == 500 and whole.text.startswith(result.text[:400])
    with pytest.warns(TruncatedRun):
        assert (
            dk.run("action average hcp(north)", generate=9, limits=dk.RunLimits(output=9)).text == "Average o"
        )
    with pytest.warns(TruncatedRun):
        file = tmp_path / "a.csv"
        limited = dk.run_script(
            script,
            dk.RunOptions(produce=10**6, seed=1, files={"csvrpt": file}, limits=dk.RunLimits(output=500)),
        )
    assert len(limited.text) + len(file.read_text("utf-8")) == 500


class InlineExecutor:
    """An executor that runs each task at once, here."""

    _max_workers = 1

    def submit(self, work, *arguments):
        future: Future = Future()
        future.set_result(work(*arguments))
        return future


@pytest.mark.parametrize(
    ("limit", "message"),
    [({"seconds": 0.2}, "200 ms"), ({"deals": 2000}, "2,000 deals"), ({"output": 50}, "50 characters")],
)
def test_limits_hold_on_an_executor(limit, message):
    limits = dk.RunLimits(**limit)
    with pytest.warns(TruncatedRun, match=message):
        script = ENDLESS + (", printoneline" if limits.output else "")
        result = dk.run(script, seed=1, limits=limits, executor=InlineExecutor())
    assert result.limit and result.produced == result.reports[0].n
    assert limits.output is None or len(result.text) == limits.output


@pytest.mark.parametrize("limits", [dk.RunLimits(seconds=0.1), dk.RunLimits(memory=1.0)])
def test_a_task_ends_at_the_limits(limits):
    """Also if the process that sent it has gone."""
    plan = dk.run(ENDLESS, produce=1, seed=1).plan
    context = RunContext(plan, UniformSource(1), 1, is_solving=False, limits=limits)
    result = run_task(context, Task(0, 10**12, n_returned=10**12))
    assert result.limit and 0 < result.stop < 10**12
    assert result.accumulated[0].restore(plan.actions)[0].report(0.95).n == result.n_produced


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"memory": float("nan")}, {"deals": 0}, {"output": 1.5}])
def test_mistakes(wrong):
    with pytest.raises(dk.ArgumentError, match=next(iter(wrong))):
        dk.RunLimits(**wrong)
    with pytest.raises(dk.ArgumentError, match="RunLimits"):
        dk.run("action average hcp(north)", produce=1, limits=5)


@pytest.mark.parametrize(
    ("switch", "value", "message"),
    [
        ("deals", 1000, "1,000 deals"),
        ("seconds", 0.1, "100 ms"),
    ],
)
def test_switches(tmp_path, capsys, switch, value, message):
    file = tmp_path / "a.dealer"
    file.write_text(ENDLESS)
    assert main(["run", "-s", "1", f"--max-{switch}", str(value), str(file)]) == 1
    done = capsys.readouterr()
    assert message in done.err and done.out.startswith("Average of")


def test_memory_on_the_command_line(tmp_path):
    """In a process of its own: in one with freed memory a run grows late."""
    file = tmp_path / "a.dealer"
    file.write_text(ENDLESS)
    command = [sys.executable, "-m", "dealerkit", "run", "-s", "1", "--max-memory", "1", str(file)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 1 and "1 MB" in done.stderr and done.stdout.startswith("Average of")

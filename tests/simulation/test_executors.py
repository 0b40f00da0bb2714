"""Runs, solving and scans on executors: the same results, whatever the workers are and whatever they do."""

from __future__ import annotations

import doctest
import multiprocessing
import os
import re
import signal
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import registry
from dealerkit.dealing.uniform import UniformSource
from dealerkit.doubledummy.ledger import open_ledger
from dealerkit.runtime.executors import open_workers
from dealerkit.runtime.executors.workers import VERSION, run_task
from dealerkit.simulation.batches import BATCH_DEALS, FIRST_BATCH_DEALS
from dealerkit.simulation.tasks import RunContext, Task, TaskSizes, cut_task_result
from dealerkit.simulation.tasks import run_task as run_task_here

distributed = pytest.importorskip("distributed")

POINTS = 'average "e" hcp(east) * 0.1, frequency "f" (hcp(west), 3, 12)'
RUNS = {
    "generate": (f"condition hcp(north) > 14 and rnd(3) > 0 action {POINTS}", {"generate": 300_000}),
    "produce": (f"condition hcp(north) > 17 and hcp(south) < 9 action {POINTS}", {"produce": 7_777}),
    "conditional": (f"condition hcp(north) > 21 action {POINTS}", {"generate": 2_000_000}),
    "swap": (f"condition hcp(north) > 12 action {POINTS}", {"produce": 23_456, "swap": 3}),
    "print": ("condition hcp(north) > 17 action printoneline(board()), average board()", {"produce": 60}),
    "classic": (f"condition hcp(north) > 14 action {POINTS}", {"produce": 900, "stream": "classic"}),
    "kept": (f"condition hcp(north) > 11 action {POINTS}", {"generate": 400_000, "keep": 5_000}),
    "none": (f"condition hcp(north) > 37 and rnd(2) action {POINTS}", {"generate": 150_000}),
}
SOLVED = {
    "solved clause": (
        'condition hcp(north) > 19 and dds(north, notrumps) > 8 action average "t" dds(south, spades) / 3.0, '
        "printoneline(dds(east, clubs))",
        {"produce": 6},
    ),
    "solved action": ("condition hcp(north) > 19 action average dds(south, spades) / 3.0", {"produce": 20}),
}


class InlineExecutor:
    """An executor that runs each task at once, here."""

    _max_workers = 1

    def __init__(self) -> None:
        self.calls: list[tuple] = []

    def submit(self, work, *arguments):
        self.calls.append(arguments)
        future: Future = Future()
        try:
            future.set_result(work(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture(scope="module")
def client():
    """Return a client of a cluster in this process."""
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def run(text: str, settings: dict, **options) -> dk.Result:
    return dk.run_script(text, dk.RunOptions(seed=7, statistics=False, **settings, **options))


def assert_equal(here: dk.Result, there: dk.Result) -> None:
    """Assert that two results are the same to the last bit."""
    assert there.text == here.text
    assert (there.produced, there.generated, there.proposed) == (here.produced, here.generated, here.proposed)
    assert there.deals.equals(here.deals) and np.array_equal(there.numbers, here.numbers)
    assert repr(there.probability) == repr(here.probability)
    assert there.to_frame().equals(here.to_frame())
    for ours, theirs in zip(here.reports, there.reports, strict=True):
        assert ours.frame.equals(theirs.frame)


@pytest.mark.parametrize("case", [name for name in RUNS if name != "conditional"])
@pytest.mark.filterwarnings("ignore::dealerkit.errors.DealerkitWarning")
def test_tasks_give_what_threads_give(case: str) -> None:
    text, settings = RUNS[case]
    assert_equal(run(text, settings, threads=2), run(text, settings, executor=InlineExecutor()))


@pytest.mark.parametrize("case", ["produce", "conditional"])
def test_a_dask_client_gives_what_threads_give(case: str, client) -> None:
    text, settings = RUNS[case]
    here = run(text, settings, threads=3)
    assert_equal(here, run(text, settings, executor=client))


def test_weighted_deals_give_the_same_to_the_last_bit() -> None:
    deals = dk.deal(150_000, seed=3)
    deals = deals.replace(weight=np.random.default_rng(1).random(len(deals)))
    text, settings = f"condition hcp(north) > 11 action {POINTS}", {"source": deals}
    assert_equal(run(text, settings, threads=1), run(text, settings, executor=InlineExecutor()))


def test_a_task_sends_neither_plan_nor_other_deals() -> None:
    executor = InlineExecutor()
    run(*RUNS["kept"], executor=executor)
    shared = [arguments[2] for arguments in executor.calls if arguments[2] is not None]
    assert len(set(shared)) == 1 and len(shared) == 1
    results = [run_task(*arguments) for arguments in executor.calls]
    assert max(len(arguments[3]) for arguments in executor.calls) < 1_000
    # Three tasks under way may return all kept deals, 32 bytes of hands and 8 of the number; 145,000 are produced.
    assert sum(map(len, results)) < 3 * 5_000 * 50


def test_a_process_without_the_shared_value_gets_it() -> None:
    from dealerkit.runtime.executors import workers

    class Forgetful(InlineExecutor):
        def submit(self, work, *arguments):
            if arguments[2] is None:
                workers.shared_values.clear()
            return super().submit(work, *arguments)

    assert_equal(run(*RUNS["produce"]), run(*RUNS["produce"], executor=Forgetful()))


def test_another_version_is_refused() -> None:
    with pytest.raises(dk.ExecutorError, match=f"dealerkit {VERSION[0]} .*this program 0.0.7"):
        run_task(("0.0.7", "3.11"), "digest", b"", b"")


def test_errors_tell_what_to_do(client) -> None:
    with pytest.raises(dk.ExecutorError, match="no dask scheduler answers at tcp://127.0.0.1:1"):
        import dealerkit.runtime.executors.dask_workers as dask_workers

        seconds, dask_workers.CONNECT_SECONDS = dask_workers.CONNECT_SECONDS, 0.1
        try:
            run(*RUNS["print"], executor="tcp://127.0.0.1:1")
        finally:
            dask_workers.CONNECT_SECONDS = seconds
    lock = threading.Lock()

    @dk.function("locked", args=["seat"], low=0, high=4, replace=True)
    def locked(deals, seat):
        with lock:
            return np.zeros(len(deals), np.int8)

    try:
        with pytest.raises(dk.ExecutorError, match="cannot be sent to other processes"):
            dk.run("condition locked(north) == 0 action average 1", generate=10, executor=client)
    finally:
        registry.unregister("locked")


def test_the_size_of_tasks_follows_their_cost() -> None:
    sizes = TaskSizes(1e-7)
    assert sizes.choose() == 1
    for _ in range(20):
        n = max(int(sizes.choose()), FIRST_BATCH_DEALS)
        sizes.add(n, n * 4e-7)
    assert 1.8 < sizes.choose() * 4e-7 < 2.2 and sizes.choose() > BATCH_DEALS


@pytest.mark.slow
def test_a_scan_of_a_library_is_divided(client, tmp_path, monkeypatch) -> None:
    deals = dk.deal(70_000, seed=1)
    deals.write(tmp_path / "a.dl52")
    library = dk.read(tmp_path / "a.dl52")
    here = library.to_frame("hcp_north", "shape_south")
    monkeypatch.setattr("dealerkit.compiler.frames.MIN_NS", 0)
    with dk.use_executor(client):
        assert library.to_frame("hcp_north", "shape_south").equals(here)
        assert np.array_equal(deals.eval("hcp(north)"), here.hcp_north)
        assert len(library.where("hcp(north) > 20")) == (here.hcp_north > 20).sum()


def test_solving_is_divided(client) -> None:
    deals = dk.deal(20, seed=1)
    with open_ledger() as ledger:
        there = dk.dd_makes(deals, "2S", "north", executor=client)
    assert np.array_equal(there, dk.dd_makes(deals, "2S", "north")) and ledger.solved == 20


# ------------------------------------------------------------ other processes
def start_cluster(n_workers: int):
    return distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0")


@pytest.mark.slow
@pytest.mark.parametrize("n_workers", [1, 2])
@pytest.mark.filterwarnings("ignore::dealerkit.errors.DealerkitWarning")
def test_a_cluster_gives_what_threads_give(n_workers: int) -> None:
    with start_cluster(n_workers) as cluster, distributed.Client(cluster) as client:
        for text, settings in (RUNS | SOLVED).values():
            here = run(text, settings, threads=1)
            for threads in (2, 3):
                assert_equal(here, run(text, settings, threads=threads))
            assert_equal(here, run(text, settings, executor=client))
        deals = dk.deal(40, seed=2)
        assert np.array_equal(dk.dd_table(deals, "SN"), dk.dd_table(deals, "SN", executor=client))


def read_frame(path: Path) -> pd.DataFrame:
    """Return the frame of a folder, checked to have nothing but numbered parts."""
    names = sorted(os.listdir(path))
    assert names == [f"part-{i:08}.parquet" for i in range(len(names))]
    return pd.read_parquet(path)


@pytest.mark.parametrize(
    "case", ["generate", "produce", "print", pytest.param("solved clause", marks=pytest.mark.slow)]
)
def test_workers_write_the_parts_of_a_frame(case: str, tmp_path, monkeypatch) -> None:
    from dealerkit.simulation import frames

    monkeypatch.setattr(frames, "SENT_ROWS", 3_000)
    monkeypatch.setattr(frames, "PART_ROWS", 8_000)
    text, settings = (RUNS | SOLVED)[case]
    run(text, settings, frame=tmp_path / "here.parquet")
    executor = InlineExecutor()
    there = run(text, settings | {"keep": 10}, frame=tmp_path / "there", executor=executor)
    assert_equal(run(text, settings | {"keep": 10}), there)
    frame, expected = read_frame(tmp_path / "there"), pd.read_parquet(tmp_path / "here.parquet")
    assert frame.equals(expected) and frame.dtypes.equals(expected.dtypes)
    assert sorted(os.listdir(tmp_path)) == ["here.parquet", "there"]
    if case == "generate":  # results have no deals but those of the first tasks, which are few
        assert len(os.listdir(tmp_path / "there")) > 1
        assert max(len(run_task(*arguments)) for arguments in executor.calls) < 3_000 * 50


@pytest.mark.parametrize("case", ["generate", "swap"])
def test_a_result_is_cut_as_its_task_is_repeated(case: str) -> None:
    text, settings = RUNS[case]
    plan = run(text, settings | {"produce": 1, "plan": "plain"}).plan
    source = UniformSource(7, swap=settings.get("swap", 0))
    context = RunContext(plan, source, 7, is_solving=False)
    task = Task(0, 30_720, n_needed=20_000, n_returned=20_000)
    result = run_task_here(context, task)
    assert result.n_produced > 2_500 and cut_task_result(context, replace(result, deals=[]), 2_001) is None
    for n_needed in (2_001, result.n_produced):
        cut = cut_task_result(context, result, n_needed)
        repeated = run_task_here(context, replace(task, n_needed=n_needed))
        assert cut is not None
        for name in ("first", "stop", "n_produced", "last", "is_full", "error"):
            assert getattr(cut, name) == getattr(repeated, name)
        ours, theirs = (one.accumulated[0].restore(plan.actions) for one in (cut, repeated))
        for a, b in zip(ours, theirs, strict=True):
            assert a.report(0.95).frame.equals(b.report(0.95).frame)
        if case == "swap":
            shares = {repr(one.accumulated[0].counts.share(1, confidence=0.95)) for one in (cut, repeated)}
            assert len(shares) == 1
        assert np.array_equal(np.concatenate(cut.numbers), np.concatenate(repeated.numbers))


def test_parts_that_workers_cannot_write_are_errors(tmp_path, monkeypatch) -> None:
    from dealerkit.simulation import frames

    class Elsewhere(InlineExecutor):
        def submit(self, work, *arguments):
            for folder in tmp_path.glob(".deals.*/tasks"):
                folder.rmdir()
            return super().submit(work, *arguments)

    monkeypatch.setattr(frames, "SENT_ROWS", 1)
    with pytest.raises(dk.FileError, match="deals: a worker on .* cannot write there .*No such file"):
        run(*RUNS["produce"], frame=tmp_path / "deals", executor=Elsewhere())
    assert not os.listdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("n_workers", [1, 2])
def test_a_cluster_writes_the_frame_that_threads_write(n_workers: int, tmp_path) -> None:
    with start_cluster(n_workers) as cluster, distributed.Client(cluster) as client:
        for number, limits in enumerate(({"generate": 6_000_000}, {"produce": 1_234_567})):
            text = f"x = hcp(south) condition hcp(north) > 10 and rnd(3) > 0 action {POINTS}"
            frames = []
            for name, options in (("1", {"threads": 1}), ("2", {"threads": 2}), ("c", {"executor": client})):
                run(text, limits, frame=tmp_path / f"{number}{name}", **options)
                frames.append(read_frame(tmp_path / f"{number}{name}"))
            assert all(frame.equals(frames[0]) for frame in frames)
    assert len(os.listdir(tmp_path)) == 6


@pytest.mark.slow
def test_a_pool_of_processes_gives_what_threads_give() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for text, settings in (RUNS["generate"], SOLVED["solved action"]):
            assert_equal(run(text, settings, threads=1), run(text, settings, executor=pool))


@pytest.mark.slow
@pytest.mark.parametrize("has_frame", [False, True])
def test_a_worker_that_is_killed_twice_changes_nothing(has_frame: bool, tmp_path) -> None:
    text = f"condition hcp(north) > 17 and rnd(7) > 0 action {POINTS}"
    settings = {"generate": 300_000_000}
    here = run(text, settings, frame=tmp_path / "here.parquet" if has_frame else None)
    killed = []
    with start_cluster(2) as cluster, distributed.Client(cluster) as client:

        def kill() -> None:
            for _ in range(2):
                time.sleep(1)
                address, pid = next(iter(client.run(os.getpid).items()))
                killed.append(address)
                os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        there = run(text, settings, executor=client, frame=tmp_path / "there" if has_frame else None)
        is_running = killer.is_alive()
        killer.join()
    assert len(killed) == 2 and not is_running  # both while it ran
    assert_equal(here, there)
    if has_frame:
        assert read_frame(tmp_path / "there").equals(pd.read_parquet(tmp_path / "here.parquet"))
        assert sorted(os.listdir(tmp_path)) == ["here.parquet", "there"]


@pytest.mark.slow
def test_a_broken_pool_is_reported() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        pid = pool.submit(os.getpid).result()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(dk.ExecutorError, match="a process of the executor ended"):
            run(*RUNS["generate"], executor=pool)


@pytest.mark.slow
def test_solved_deals_go_to_the_store(tmp_path, monkeypatch) -> None:
    """Workers with a store of their own send what they solve."""
    with start_cluster(1) as cluster, distributed.Client(cluster) as client:
        monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "solved.sqlite"))
        there = run(*SOLVED["solved action"], executor=client)
        here = run(*SOLVED["solved action"])
    assert there.solver.solved > 0 and here.solver.solved == 0 and here.solver.stored == here.solver.requested


@pytest.mark.slow
def test_the_page_on_clusters() -> None:
    page = Path(__file__).parents[2] / "docs" / "howto" / "clusters.md"
    outcome = doctest.testfile(str(page), module_relative=False)
    assert outcome.attempted >= 9 and not outcome.failed


@pytest.mark.slow
def test_the_command_starts_workers(tmp_path, capsys) -> None:
    from dealerkit.cli import main

    script = tmp_path / "a.dealer"
    script.write_text(f"condition hcp(north) > 14 action {POINTS}")
    texts = []
    for extra in ([], ["--scheduler", "local"]):
        assert main(["run", "-v", "-s", "1", "-g", "100000", *extra, str(script)]) == 0
        texts.append(re.sub(r"[\d.]+ s\n", "", capsys.readouterr().out))
    assert texts[0] == texts[1]


def test_the_interface_is_one_for_all(client) -> None:
    for executor in (InlineExecutor(), client, client.get_executor()):
        with open_workers(executor) as workers:
            shared = workers.share({"a": 3})
            assert workers.n_tasks >= 1
            assert list(workers.map(shared, multiply, ((i,) for i in range(5)))) == [
                ((i,), 3 * i) for i in range(5)
            ]


def multiply(value: dict, factor: int) -> int:
    return value["a"] * factor

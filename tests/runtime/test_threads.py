"""Pools of threads: kept, never waited for from inside, and new in a child process."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

import dealerkit as dk
from dealerkit.runtime.threads import cancel, limit_threads, open_pool

SCRIPT = "condition hcp(north) + hcp(south) >= 28 action average hcp(east)"


def test_short_runs_start_no_thread_and_long_ones_share_a_pool() -> None:
    names = set()

    def count() -> int:
        return sum(thread.name.startswith("dealerkit") for thread in threading.enumerate())

    before = count()
    few = dk.run("condition hcp(north) >= 15 action average hcp(south)", produce=20, seed=1, threads=2)
    assert few.produced == 20 and count() == before
    for _ in range(3):
        dk.run_script(SCRIPT, dk.RunOptions(produce=40_000, seed=1, threads=3, plan="plain"))
        names |= {thread.name for thread in threading.enumerate() if thread.name.startswith("dealerkit")}
    assert 1 <= len(names) <= before + 3


def test_the_number_of_threads_changes_nothing() -> None:
    results = [
        dk.run_script(SCRIPT, dk.RunOptions(produce=20_000, seed=5, threads=threads, plan="plain"))
        for threads in (1, 2, 5)
    ]
    assert len({(str(result.text).rpartition(",")[0], result.generated) for result in results}) == 1
    assert results[0].deals.equals(results[2].deals)


def test_the_threads_of_a_caller_do_the_work() -> None:
    class Pool(ThreadPoolExecutor):
        n_calls = 0

        def submit(self, *arguments: Any, **options: Any) -> Future:
            self.n_calls += 1
            return super().submit(*arguments, **options)

    script = "condition hcp(north) > 14 action average hcp(south)"
    with Pool(2) as pool:
        result = dk.run(script, generate=50_000, seed=1, threads=2, executor=pool)
    assert pool.n_calls > 1
    assert result.reports[0].mean == dk.run(script, generate=50_000, seed=1, threads=1).reports[0].mean


def test_work_in_a_pool_uses_no_pool() -> None:
    """Else all threads might wait for each other."""
    pool = open_pool(2)
    runs = [
        pool.submit(dk.run_script, SCRIPT, dk.RunOptions(produce=5_000, seed=seed, threads=2, plan="plain"))
        for seed in range(4)
    ]
    assert [run.result(timeout=120).produced for run in runs] == [5_000] * 4
    assert pool.submit(limit_threads, 8).result() == 1 and limit_threads(2) == 2


def test_work_is_cancelled_or_waited_for() -> None:
    pool, begun, ended = open_pool(1), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        ended.wait(10)

    futures = [pool.submit(work), pool.submit(work)]
    begun.wait(10)
    threading.Timer(0.05, ended.set).start()
    cancel(futures)
    assert futures[0].done() and futures[1].cancelled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_a_child_has_a_pool_of_its_own() -> None:
    assert open_pool(2).submit(int).result() == 0
    if not (child := os.fork()):
        os._exit(0 if open_pool(2).submit(int).result(timeout=20) == 0 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

"""The choice between DDS and the own solver, and that everything that solves gives the same with both."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, FileError
from dealerkit.doubledummy import library
from dealerkit.doubledummy.batches import solve_boards, solve_rows
from dealerkit.doubledummy.leads import tricks_after_lead
from dealerkit.doubledummy.solvers import choose_solver, use_solver
from dealerkit.doubledummy.store.database import Store
from tests.support.endings import draw_ending

ENDING = "N:32... QJ... AT... K4..."


@pytest.fixture(autouse=True)
def no_choice(monkeypatch):
    monkeypatch.delenv("DEALERKIT_SOLVER", raising=False)


@pytest.fixture
def no_library(monkeypatch, tmp_path):
    """No library of endplay, or installed before."""
    monkeypatch.delenv("DEALERKIT_DDS", raising=False)
    monkeypatch.setattr(library.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(library, "installation_folder", lambda: tmp_path)
    library.load_library.cache_clear()
    yield
    library.load_library.cache_clear()


needs_dds = pytest.mark.skipif(os.environ.get("DEALERKIT_WITHOUT_DDS") == "1", reason="DDS is hidden")


@needs_dds
def test_dds_is_taken_where_it_is_installed(monkeypatch):
    assert choose_solver() == "dds"
    monkeypatch.setenv("DEALERKIT_SOLVER", "own")
    assert choose_solver() == "own"
    with use_solver("auto"):
        assert choose_solver() == "dds"
        with use_solver(None):
            assert choose_solver() == "dds"
    assert choose_solver() == "own"


@needs_dds
def test_results_of_positions_are_the_same_in_the_same_order():
    rng = np.random.default_rng(40)
    for options in (
        {"solutions": 2},
        {"solutions": 3},
        {"solutions": 2, "target": 1},
        {"solutions": 3, "mode": 0},
    ):
        endings = [draw_ending(rng, int(rng.integers(1, 11)), int(rng.integers(4))) for _ in range(50)]
        positions = np.array([ending.hands for ending in endings], np.uint64)
        tricks = [[name_bit(card) for card in ending.table] for ending in endings]
        strains, leaders = [e.strain for e in endings], [e.leader for e in endings]
        found, expected = (
            dk.solve_board(positions, strains, leaders, tricks, solver=solver, **options)
            for solver in ("own", "dds")
        )
        pd.testing.assert_frame_equal(found, expected)
        # Best cards first, then by suit and rank.
        if options["solutions"] == 3 and "mode" not in options:
            order = found.assign(
                first=-found.tricks,
                suit=found.suit.map("SHDC".index),
                rank=found["rank"].map("AKQJT98765432".index),
            ).sort_values(["position", "first", "suit", "rank"])
            assert order.index.equals(found.index)


def name_bit(card):
    lane, rank = divmod(card.bit_length() - 1, 16)
    return "CDHS"[lane] + "23456789TJQKA"[rank]


def test_without_a_library_the_own_solver_solves(no_library):
    assert choose_solver() == "own"
    deals = dk.deal(2, seed=3)
    assert dk.dd_table(deals, "S", "NS").max() <= 13
    assert len(dk.solve_board(ENDING, "N", "N", solutions=3)) == 1
    with pytest.raises(FileError, match="endplay is not installed"):
        dk.dd_table(deals, solver="dds")


def test_other_names_are_refused(monkeypatch):
    with pytest.raises(ArgumentError, match="solver"):
        dk.dd_table(dk.deal(1, seed=1), solver="fast")
    monkeypatch.setenv("DEALERKIT_SOLVER", "fast")
    with pytest.raises(ArgumentError, match="DEALERKIT_SOLVER"):
        choose_solver()


def test_the_choice_holds_in_one_thread_only():
    found = []
    with use_solver("own"):
        thread = threading.Thread(target=lambda: found.append(choose_solver()))
        thread.start()
        thread.join()
        assert choose_solver() == "own"
    assert found == [choose_solver()]


@needs_dds
def test_both_solvers_give_the_same_results():
    deals = dk.deal(4, seed=39)
    for call in (
        lambda solver: dk.dd_table(deals[:2], "HN", solver=solver),
        lambda solver: dk.dd_tricks(deals, "notrump", ["north", "east", "south", "west"], solver=solver),
        lambda solver: dk.dd_makes(deals, "2H", "west", solver=solver),
    ):
        assert np.array_equal(call("own"), call("dds"))
    for measure in ("tricks", "beats"):
        frames = [dk.leads(deals[:2], "2S", "south", measure=measure, solver=s) for s in ("own", "dds")]
        pd.testing.assert_frame_equal(*frames)
    after = []
    for solver in ("own", "dds"):
        with use_solver(solver):
            after.append(tricks_after_lead(deals, "notrump", "east", "fourth best"))
            after.append(tricks_after_lead(deals, "spades", "north", "attitude", target=7))
    assert np.array_equal(after[0], after[2]) and np.array_equal(after[1], after[3])


@needs_dds
@pytest.mark.parametrize("options", [{}, {"solutions": 2}, {"mode": 0, "solutions": 3}, {"target": 1}])
def test_both_solvers_describe_positions_in_the_same_way(options):
    positions = [ENDING, "N:4... .9.. ..T. ...5", "N:AK.2.. .A3.2. Q.K.3. .Q.4.5"]
    found, expected = (
        dk.solve_board(positions, list("NSD"), list("NES"), **options, solver=solver).sort_values(
            ["position", "tricks", "card"], ignore_index=True
        )
        for solver in ("own", "dds")
    )
    if options.get("solutions", 1) == 1:  # each names one of the best cards
        columns = ["position", "tricks", "reached", "forced"]
        found, expected = found[columns], expected[columns]
    pd.testing.assert_frame_equal(found, expected)


@needs_dds
def test_a_store_of_one_solver_serves_the_other(tmp_path, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "solved.sqlite"))
    deals = dk.deal(3, seed=5)
    expected = dk.dd_tricks(deals, "hearts", "south", solver="dds")
    low, high = Store(tmp_path / "solved.sqlite").look_up(deals.hands)
    assert np.array_equal(low[:, 1, 2], expected) and np.array_equal(high[:, 1, 2], expected)
    monkeypatch.setattr(
        "dealerkit.doubledummy.solver.boards.solve_boards", lambda *_, **__: pytest.fail("solved again")
    )
    assert np.array_equal(dk.dd_tricks(deals, "hearts", "south", solver="own"), expected)


def test_threads_give_the_results_of_one_thread():
    hands = dk.deal(6, seed=11).hands
    with use_solver("own"):
        one, two = (solve_boards(hands, 4, 2, threads=n) for n in (1, 2))
        assert np.array_equal(one, two)
        rows = [solve_rows(hands[:3], 0, threads=n) for n in (1, 2)]
        assert np.array_equal(*rows)


@pytest.mark.skipif(os.name == "nt", reason="sends a signal to the process")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_calculation_and_keeps_results(threads):
    hands = dk.deal(400, seed=12).hands
    out = np.full((400, 4), -1, np.int8)
    calls = []

    def interrupt(done, total):
        calls.append(done)
        if len(calls) == 1:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

    with use_solver("own"), pytest.raises(KeyboardInterrupt):
        solve_rows(hands, 4, threads=threads, progress=interrupt, out=out)
    solved = (out >= 0).all(axis=1)
    assert 0 < solved.sum() < 400
    first = np.flatnonzero(solved)[:1]
    with use_solver("own"):
        assert np.array_equal(solve_rows(hands[first], 4), out[first])


def test_a_study_needs_no_library(tmp_path):
    code = (
        "import sys\n"
        "sys.modules['endplay'] = None\n"
        "import dealerkit as dk\n"
        "from dealerkit.doubledummy.solvers import choose_solver\n"
        "assert choose_solver() == 'own'\n"
        "study = dk.estimate('dds(south, spades) >= 10', 'spades(south) >= 5 and spades(north) >= 3 and '\n"
        "    'hcp(north) + hcp(south) >= 25', precision=0.2, seed=1, solved=None, progress=False)\n"
        "assert 0 < study.value < 1 and study.provenance.versions['solver'] == 'dealerkit', study\n"
    )
    environment = os.environ | {"DEALERKIT_STORE": "off", "DEALERKIT_CONFIG": "off", "HOME": str(tmp_path)}
    environment.pop("DEALERKIT_DDS", None)
    environment.pop("XDG_DATA_HOME", None)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr

"""The batch solver against published and recorded results."""

from __future__ import annotations

import csv
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

from dealerkit import ArgumentError, DealError, Deals, solved_sample
from dealerkit.doubledummy import batches, library, library_calls
from dealerkit.doubledummy.batches import solve_boards, solve_rows
from dealerkit.doubledummy.library_calls import count_earlier_equals, split_calls

DATA = Path(__file__).parent.parent / "data"
SUITS = np.array([[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]], dtype=np.uint64)
FOUR_VOIDS = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962"
# North has 13 tricks on top in spades and notrump, east and west have none.
GRAND = "N:AKQ2.AKQ.AKQ.AKQ T98.JT9.JT98.J98 J76.876.765.T765 543.5432.432.432"


def solve_tables(hands):
    return np.stack([solve_rows(hands, strain) for strain in range(5)], axis=1)


@pytest.fixture(scope="module")
def recorded():
    with np.load(DATA / "solved-40.npz") as file:
        return file["hands"], file["tables"]


def pavlicek():
    with open(DATA / "pavlicek-20.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    order = [[f"{seat}_{strain}" for seat in "NESW"] for strain in ("S", "H", "D", "C", "NT")]
    tables = [[[int(row[name]) for name in names] for names in order] for row in rows]
    return Deals.from_pbn([row["pbn"] for row in rows]).hands, np.array(tables)


@pytest.mark.slow
def test_the_400_published_results():
    hands, tables = pavlicek()
    assert tables.shape == (20, 5, 4)
    assert np.array_equal(solve_tables(hands), tables)


def test_rows_and_boards_of_recorded_tables(recorded):
    hands, tables = recorded
    random = np.random.default_rng(7)
    strain, declarer = random.integers(0, 5, 40), random.integers(0, 4, 40)
    some = np.arange(40)
    assert np.array_equal(solve_boards(hands, strain, declarer), tables[some, strain, declarer])
    assert np.array_equal(solve_rows(hands[:10], strain[:10]), tables[some, strain][:10])
    for common in (1, 4):
        assert np.array_equal(solve_rows(hands[20:25], common), tables[20:25, common])


@pytest.mark.slow
def test_all_recorded_tables(recorded):
    hands, tables = recorded
    assert np.array_equal(solve_tables(hands), tables)


def check_all_targets(hands, tables):
    deal, strain, declarer, target = (
        axis.ravel() for axis in np.meshgrid(*map(range, (len(hands), 5, 4, 14)), indexing="ij")
    )
    reached = solve_boards(hands[deal], strain, declarer, target)
    assert np.array_equal(reached, tables[deal, strain, declarer] >= target)


def test_every_target_agrees_with_the_maximum(recorded):
    hands, tables = recorded
    freaks = np.concatenate([Deals.from_pbn(GRAND).hands, SUITS])
    freak_tables = solve_tables(freaks)
    assert freak_tables[0, [0, 4]].tolist() == [[13, 0, 13, 0]] * 2
    assert freak_tables[1].tolist() == [
        [13, 0, 13, 0],
        [0, 13, 0, 13],
        [13, 0, 13, 0],
        [0, 13, 0, 13],
        [0] * 4,
    ]
    check_all_targets(np.concatenate([freaks, hands[:3]]), np.concatenate([freak_tables, tables[:3]]))


@pytest.mark.slow
def test_two_hundred_deals_of_the_sample_solved_again_and_every_target_of_them(rng):
    sample = solved_sample()
    some = sample[np.sort(rng.choice(len(sample), 200, replace=False))]
    freaks = np.concatenate([Deals.from_pbn(GRAND).hands, SUITS])
    assert np.array_equal(solve_tables(some.hands), some.tables)
    check_all_targets(
        np.concatenate([freaks, some.hands]), np.concatenate([solve_tables(freaks), some.tables])
    )


def test_a_board_with_several_targets_in_any_order(recorded):
    # Within one call the library would give all of them the result of the first.
    hands, tables = recorded
    target = np.random.default_rng(1).permutation(np.repeat(np.arange(14), 2))
    reached = solve_boards(np.repeat(hands[:1], 28, axis=0), 4, 2, target)
    assert np.array_equal(reached, tables[0, 4, 2] >= target)


def test_earlier_equal_rows_are_counted():
    keys = np.random.default_rng(2).integers(0, 3, (200, 3)).astype(np.uint64)
    counts: dict[tuple, int] = {}
    for row, count in zip(keys.tolist(), count_earlier_equals(keys).tolist(), strict=True):
        assert count == counts.get(tuple(row), 0)
        counts[tuple(row)] = count + 1
    assert len(count_earlier_equals(np.empty((0, 6), np.uint64))) == 0


def test_each_position_is_in_one_call_and_each_call_has_one_group():
    group = np.random.default_rng(3).integers(0, 3, 1000)
    reports = []
    parts = list(split_calls(group, 16, 2, lambda done, total: reports.append((done, total))))
    assert sorted(np.concatenate(parts).tolist()) == list(range(1000))
    assert all(len(part) <= 32 and len(set(group[part])) == 1 for part in parts)
    assert reports[-1] == (1000, 1000) and len(reports) == len(parts)
    assert max(len(part) for part in split_calls(group, 100, 64, None)) == 200


def test_no_deals():
    none = np.empty((0, 4), np.uint64)
    assert solve_boards(none, 0, 0).shape == (0,)
    assert solve_boards(none, [], [], []).shape == (0,)
    assert solve_rows(none, 4).shape == (0, 4)


def test_two_python_threads_at_once(recorded):
    hands, tables = recorded
    results = {}

    def solve(strain):
        results[strain] = solve_rows(hands[:12], strain), solve_boards(hands[:12], strain, 1, 7)

    threads = [threading.Thread(target=solve, args=(strain,)) for strain in (0, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for strain, (rows, reached) in results.items():
        assert np.array_equal(rows, tables[:12, strain])
        assert np.array_equal(reached, tables[:12, strain, 1] >= 7)
    assert set(results) == {0, 4}


def test_the_number_of_threads_changes_nothing(recorded):
    hands, tables = recorded
    for threads in (1, 2):
        assert np.array_equal(solve_boards(hands[:10], 2, 3, threads=threads), tables[:10, 2, 3])


def test_an_interrupt_keeps_the_results_for_the_next_call(recorded, monkeypatch):
    hands, tables = recorded
    out, counts, call = np.full(40, -1, np.int8), [], library_calls.call_boards

    def counted(hands, *rest):
        solved = call(hands, *rest)
        counts.append(len(hands))
        if len(counts) == 3:  # an interrupt during the call is raised when it returns
            signal.raise_signal(signal.SIGINT)
        return solved

    monkeypatch.setattr(batches, "MAXIMA_PER_THREAD", 4)
    monkeypatch.setattr(library_calls, "CALL_SECONDS", 60)
    monkeypatch.setattr(library_calls, "call_boards", counted)
    with pytest.raises(KeyboardInterrupt):
        solve_boards(hands, 4, 0, threads=1, out=out)
    done = out >= 0
    assert done.sum() == 8 and np.array_equal(out[done], tables[done, 4, 0])
    assert solve_boards(hands, 4, 0, threads=1, out=out) is out
    assert sum(counts[3:]) == 32
    assert np.array_equal(out, tables[:, 4, 0])


def test_progress_may_interrupt(recorded, monkeypatch):
    hands, tables = recorded
    reports = []

    def progress(done, total):
        reports.append((done, total))
        if len(reports) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(batches, "ROWS_PER_THREAD", 3)
    monkeypatch.setattr(library_calls, "CALL_SECONDS", 60)
    out = np.full((12, 4), -1, np.int8)
    with pytest.raises(KeyboardInterrupt):
        solve_rows(hands[:12], 4, threads=1, progress=progress, out=out)
    assert reports == [(3, 12), (6, 12)]
    done = out[:, 0] >= 0
    assert done.sum() == 6 and np.array_equal(out[done], tables[:12, 4][done])


def test_known_results_are_not_solved(recorded, monkeypatch):
    def never(*arguments, **more):
        raise AssertionError("the library was called")

    hands, tables = recorded
    monkeypatch.setattr(library, "call", never)
    assert (solve_boards(hands, 4, 0, 0) == 1).all()
    assert solve_rows(hands, 0, out=tables[:, 0].copy()).tolist() == tables[:, 0].tolist()
    known = np.full(40, 5, np.int8)
    assert (solve_boards(hands, 4, 0, out=known) == 5).all()


def test_invalid_arguments_never_reach_the_library(recorded, monkeypatch):
    def never(*arguments, **more):
        raise AssertionError("the library was called")

    monkeypatch.setattr(library, "call", never)
    hands = recorded[0].copy()
    for name, wrong in {
        "strain": ((5, 0), (-1, 0), ([0] * 39, 0), (0.5, 0), ("S", 0), (True, 0)),
        "declarer": ((0, 4), (0, -1), (0, [[0]] * 40)),
        "target": ((0, 0, 14), (0, 0, [-1] * 40)),
    }.items():
        for arguments in wrong:
            with pytest.raises(ArgumentError, match=name):
                solve_boards(hands, *arguments)
    for out in (np.zeros(40), np.zeros(39, np.int8)):
        with pytest.raises(ArgumentError, match="out"):
            solve_boards(hands, 0, 0, out=out)
    for shape in (hands[0], hands[:, :3], hands.astype(np.int64)):
        with pytest.raises(ArgumentError, match="hands"):
            solve_rows(shape, 0)
    hands[17, 2] ^= np.uint64(1)
    for solve in (lambda: solve_boards(hands, 0, 0), lambda: solve_rows(hands, 0)):
        with pytest.raises(DealError, match="deal 17"):
            solve()


def rotate_cells(strains, declarers):
    """Return the cells to which quarter turns of the symmetric deal map these cells."""
    return (np.add(strains, np.arange(4)[:, None]) % 4), (np.subtract(declarers, np.arange(4)[:, None]) % 4)


def test_the_symmetric_deal_with_four_voids():
    # East's spades are north's hearts, and so on round the table, so a quarter turn maps it onto itself.
    hands = np.repeat(Deals.from_pbn(FOUR_VOIDS).hands, 4, axis=0)
    strains, declarers = rotate_cells([0], [0])
    assert len(set(solve_boards(hands, strains[:, 0], declarers[:, 0]).tolist())) == 1


@pytest.mark.slow
def test_all_suits_of_the_symmetric_deal():
    hands = Deals.from_pbn(FOUR_VOIDS).hands
    table = np.concatenate([solve_rows(hands, strain) for strain in range(4)])
    strains, declarers = rotate_cells(np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4))
    values = table[strains, declarers]
    assert (values == values[0]).all() and len(set(values[0].tolist())) > 1

"""Results are right whatever their source, are counted, and each deal is solved once and in the cheapest way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dealerkit import ArgumentError, DealError, Deals
from dealerkit.doubledummy import batches
from dealerkit.doubledummy.ledger import open_ledger
from dealerkit.doubledummy.lookup import look_up, look_up_tables, look_up_tricks, share_tables
from dealerkit.doubledummy.store.database import StoreWarning, current_store

S, H, D, C, N = range(5)
NORTH, EAST, SOUTH, WEST = range(4)


@pytest.fixture(scope="module")
def solved():
    """Forty random deals with their tables, solved in advance."""
    with np.load(Path(__file__).parent.parent / "data" / "solved-40.npz") as file:
        return file["hands"], file["tables"]


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "solved.sqlite"))


class Calls(list):
    """Calls of the solver: (kind, number of boards)."""

    def boards(self, kind):
        return sum(n for called, n in self if called == kind)


def counted(find, *arguments, **options):
    """The result of a function, and the ledger of its results."""
    with open_ledger() as ledger:
        return find(*arguments, **options), ledger


@pytest.fixture
def calls(solved, monkeypatch):
    """A substitute for the solver that has the forty tables, finishes ten boards at a time and counts."""
    recorded = {tuple(hand): table for hand, table in zip(solved[0].tolist(), solved[1], strict=True)}
    calls = Calls()

    def solve_boards(hands, strain, declarer, target=None, *, threads=None, progress=None, out=None):
        values = np.array([recorded[tuple(h)] for h in hands.tolist()])[
            np.arange(len(hands)), strain, declarer
        ]
        calls.append(("maximum" if target is None else "threshold", len(hands)))
        for start in range(0, len(hands), 10):
            part = slice(start, start + 10)
            out[part] = values[part] if target is None else values[part] >= target[part]
            progress(min(start + 10, len(hands)), len(hands))

    def solve_rows(hands, strain, *, threads=None, progress=None, out=None):
        calls.append(("row", len(hands)))
        for i, hand in enumerate(hands.tolist()):
            out[i] = recorded[tuple(hand)][strain[i]]
            progress(i + 1, len(hands))

    monkeypatch.setattr(batches, "solve_boards", solve_boards)
    monkeypatch.setattr(batches, "solve_rows", solve_rows)
    return calls


def test_results_of_the_real_solver(solved):
    hands, tables = solved[0][:6], solved[1][:6]
    deals = Deals(hands)
    with open_ledger() as ledger:
        assert (look_up_tricks(deals, H, SOUTH, 8) == (tables[:, H, SOUTH] >= 8)).all()
        assert (look_up_tricks(deals, H, SOUTH) == tables[:, H, SOUTH]).all()
        assert (look_up_tables(deals, "N")[:, N] == tables[:, N]).all()
        assert (look_up_tables(deals[:2]) == tables[:2]).all()
    assert ledger.requested == 6 + 6 + 24 + 40 and ledger.seconds > 0
    assert ledger.stored == 10  # both deals: notrump, hearts by south
    assert ledger.solved == ledger.requested - 10


def test_queries_as_arrays(solved, calls, rng):
    hands, tables = solved
    deals = np.arange(40)
    strain, declarer, threshold = rng.integers(0, 5, 40), rng.integers(0, 4, 40), rng.integers(-2, 16, 40)
    truth = tables[deals, strain, declarer]
    assert (look_up_tricks(Deals(hands), strain, declarer, threshold) == (truth >= threshold)).all()
    assert (look_up_tricks(Deals(hands), strain, declarer) == truth).all()
    assert (look_up_tricks(Deals(hands), N, declarer) == tables[deals, N, declarer]).all()


def test_the_order_attached_store_bounds_solver(solved, calls):
    hands, tables = solved
    attached = tables.copy()
    attached[10:] = -1
    deals = Deals(hands, tables=attached)

    def counts(threshold):
        result, ledger = counted(look_up_tricks, deals, S, NORTH, threshold)
        truth = tables[:, S, NORTH]
        assert (result == (truth if threshold is None else truth >= threshold)).all()
        assert bool(ledger.seconds) == bool(ledger.solved)
        return ledger.requested, ledger.attached, ledger.stored, ledger.bounded, ledger.solved

    assert counts(8) == (40, 10, 0, 0, 30)
    assert counts(8) == (40, 10, 0, 30, 0)
    # Eight tricks imply seven; deals without eight must be solved.
    n_eight = (tables[10:, S, NORTH] >= 8).sum()
    assert counts(7) == (40, 10, 0, n_eight, 30 - n_eight)
    counts(None)
    assert counts(None) == (40, 10, 30, 0, 0)


def test_thresholds_that_need_no_solver(solved, calls):
    deals = Deals(solved[0])
    (always, never), ledger = counted(look_up, deals, [(S, EAST, 0), (S, EAST, 14)])
    assert always.all() and not never.any()
    assert ledger.bounded == 80 and not calls


def test_two_declarers_of_a_strain_are_a_row(solved, calls):
    hands, tables = solved
    queries = [
        (N, NORTH, None),
        (N, SOUTH, None),
        (S, EAST, None),
        (N, SOUTH, 9),
        (D, WEST, 5),
        (D, WEST, 9),
    ]
    results, ledger = counted(look_up, Deals(hands), queries)
    for (strain, declarer, k), result in zip(queries, results, strict=True):
        truth = tables[:, strain, declarer]
        assert (result == (truth if k is None else truth >= k)).all()
    assert calls.boards("row") == 40 and calls.boards("maximum") == 40
    assert 40 < calls.boards("threshold") < 80  # one of two thresholds often decides the other
    assert ledger.solved == ledger.requested == 240
    calls.clear()
    assert (look_up_tables(Deals(hands), "N")[:, N] == tables[:, N]).all() and not calls


def test_a_number_known_to_within_one_trick_is_a_threshold_test(solved, calls):
    hands, tables = solved
    low, high = np.zeros((40, 5, 4), np.int8), np.full((40, 5, 4), 13, np.int8)
    truth = tables[:, C, WEST]
    low[:, C, WEST], high[:, C, WEST] = np.maximum(truth - 1, 0), np.maximum(truth, 1)
    current_store().update(hands, low, high)
    assert (look_up_tricks(Deals(hands), C, WEST) == truth).all()
    assert calls == [("threshold", 40)]


def test_equal_deals_are_solved_once(solved, calls):
    hands, tables = solved
    deals = Deals(np.concatenate([hands, hands[::-1], hands]))
    tricks, ledger = counted(look_up_tricks, deals, H, WEST)
    assert (tricks[40:80] == tables[::-1, H, WEST]).all()
    assert calls == [("maximum", 40)]
    assert (ledger.requested, ledger.solved, ledger.repeated) == (120, 40, 80)


def test_equal_queries_are_solved_once(solved, calls):
    (first, second), ledger = counted(look_up, Deals(solved[0]), [(H, EAST, 9), (H, EAST, 9)])
    assert (first == second).all() and calls == [("threshold", 40)]
    assert ledger.solved == ledger.repeated == 40


def test_attached_tables_are_not_written_to_the_store(solved, calls):
    hands, tables = solved
    wrong = np.full_like(tables, -1)
    wrong[:, S] = 13
    assert (look_up_tables(Deals(hands, tables=wrong))[:, S] == 13).all()
    low, high = current_store().look_up(hands)
    assert (low[:, S] == 0).all() and (high[:, S] == 13).all() and (low[:, N] == tables[:, N]).all()


def test_shared_tables_depend_on_the_attached_ones(solved, calls):
    deals, tables = Deals(solved[0]), solved[1]
    wrong = np.full_like(tables, -1)
    wrong[:, S] = 13
    shared, ledger = counted(share_tables, deals)
    assert (shared == tables).all() and ledger.requested == 800
    partly = deals.replace(tables=np.where(wrong < 0, wrong, tables))
    assert share_tables(deals) is shared and share_tables(partly) is shared
    assert (share_tables(deals.replace(tables=wrong))[:, S] == 13).all()
    assert (share_tables(deals) == tables).all()


def test_an_interrupt_keeps_what_is_done(solved, calls):
    hands, tables = solved

    def interrupt(done, total):
        if done >= 20:
            raise KeyboardInterrupt

    kept = "interrupted after 20 of 40 calculations; the store keeps their results"
    with open_ledger() as ledger, pytest.raises(KeyboardInterrupt, match=kept):
        look_up(Deals(hands), [(D, SOUTH)], progress=interrupt)
    low, high = current_store().look_up(hands)
    done = (low == high)[:, D, SOUTH]
    assert done.sum() == 20 and (low[done, D, SOUTH] == tables[done, D, SOUTH]).all()
    assert (ledger.requested, ledger.solved) == (40, 20)
    tricks, again = counted(look_up_tricks, Deals(hands), D, SOUTH)
    assert (tricks == tables[:, D, SOUTH]).all()
    assert (again.stored, again.solved) == (20, 20)


def test_progress_counts_calculations_by_their_time(solved, calls):
    seen = []
    queries = [*((S, declarer) for declarer in range(4)), (N, SOUTH, 9)]
    look_up(Deals(solved[0]), queries, progress=lambda done, total: seen.append((done, total)))
    # 40 rows and 40 threshold tests: of a table a row takes 1/4.4 of the time, a test 1/52.
    rows_done = 80 * (40 / 4.4) / (40 / 4.4 + 40 / 52)
    assert min(abs(done - rows_done) for done, _ in seen[:-1]) < 1
    assert {total for _, total in seen} == {80} and seen[-1] == (80, 80) and seen == sorted(seen)


def test_the_store_is_written_while_solving(solved, calls, monkeypatch):
    monkeypatch.setattr("dealerkit.doubledummy.bounds.WRITE_SECONDS", 0.0)
    stored = []

    def progress(done, total):
        low, high = current_store().look_up(solved[0])
        stored.append(int((low == high)[:, S, SOUTH].sum()))

    look_up(Deals(solved[0]), [(S, SOUTH)], progress=progress)
    assert stored[:4] == [0, 10, 20, 30]  # a batch is written before its progress is reported


def test_without_a_store(solved, calls, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    hands, tables = solved
    for _ in range(2):
        tricks, ledger = counted(look_up_tricks, Deals(hands), N, SOUTH)
        assert (tricks == tables[:, N, SOUTH]).all() and ledger.solved == 40


def test_no_room_for_the_store(solved, calls, tmp_path, monkeypatch):
    hands, tables = solved
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "file" / "solved.sqlite"))
    with pytest.warns(StoreWarning) as warned:
        assert (look_up_tricks(Deals(hands), N, SOUTH) == tables[:, N, SOUTH]).all()
        assert (look_up_tables(Deals(hands), "S")[:, S] == tables[:, S]).all()
    assert len(warned) == 1


def test_progress_ends_at_its_total(solved, calls):
    reported = []
    look_up(Deals(solved[0]), [(N, 0), (N, 1), (S, 2, 8)], progress=lambda *state: reported.append(state))
    done, totals = zip(*reported, strict=True)
    assert list(done) == sorted(done) and set(totals) == {80} and done[-1] == 80


def test_the_innermost_ledger_counts(solved, calls):
    with open_ledger() as outer:
        look_up_tricks(Deals(solved[0]), N, NORTH)
        _, inner = counted(look_up_tricks, Deals(solved[0]), N, NORTH)
    assert (outer.requested, outer.solved, inner.stored) == (40, 40, 40)


def test_parts_of_a_table(solved, calls):
    hands, tables = solved
    table = look_up_tables(Deals(hands), "nS", "we")
    requested = np.zeros((5, 4), bool)
    requested[np.ix_([S, N], [EAST, WEST])] = True
    assert (table[:, requested] == tables[:, requested]).all() and (table[:, ~requested] == -1).all()


def test_bad_arguments(solved):
    deals = Deals(solved[0])
    for wrong in (
        (5, 0, None),
        (0, 4, 1),
        (-1, 0, 1),
        (0.0, 0, 1),
        (0, [1, 2], 3),
        (0, 0, 7.5),
        (0, 0, [1, 2]),
    ):
        with pytest.raises(ArgumentError):
            look_up(deals, [wrong])
    broken = deals.hands.copy()
    broken[7, 0] ^= np.uint64(3)
    with pytest.raises(DealError, match="deal 7"):
        look_up_tricks(Deals(broken, check=False), 0, 0)
    assert (look_up_tricks(Deals(broken, tables=solved[1], check=False), 0, 0) == solved[1][:, 0, 0]).all()


def test_no_deals_and_no_queries(solved, calls):
    none = Deals(solved[0][:0])
    assert look_up_tricks(none, 0, 0).shape == (0,) and look_up_tables(none).shape == (0, 5, 4)
    assert look_up_tricks(none, 0, 0, 9).dtype == bool and look_up(Deals(solved[0]), []) == []

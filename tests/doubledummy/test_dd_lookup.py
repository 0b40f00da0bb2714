"""Where answers come from: the right ones, counted, each deal solved once and in the cheapest way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dealerkit.cards.deals import Deals
from dealerkit.doubledummy import batches as solver
from dealerkit.doubledummy.ledger import Ledger, counting
from dealerkit.doubledummy.lookup import at_least, full_tables, many, rows, tricks
from dealerkit.doubledummy.store.database import StoreWarning, current_store
from dealerkit.errors import ArgumentError, DealError

S, H, D, C, N = range(5)
NORTH, EAST, SOUTH, WEST = range(4)


@pytest.fixture(scope="module")
def solved():
    """Forty random deals with their tables, solved long ago."""
    with np.load(Path(__file__).parent.parent / "data" / "solved-40.npz") as file:
        return file["hands"], file["tables"]


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "solved.sqlite"))


class Calls(list):
    """What was put to the solver: (kind, number of boards)."""

    def boards(self, kind):
        return sum(n for what, n in self if what == kind)


@pytest.fixture
def calls(solved, monkeypatch):
    """A solver that knows the forty deals by heart, answers ten at a time and counts."""
    known = {tuple(hand): table for hand, table in zip(solved[0].tolist(), solved[1], strict=True)}
    noted = Calls()

    def solve_boards(hands, strain, declarer, target=None, *, threads=None, progress=None, out=None):
        found = np.array([known[tuple(h)] for h in hands.tolist()])[np.arange(len(hands)), strain, declarer]
        noted.append(("maximum" if target is None else "query", len(hands)))
        for start in range(0, len(hands), 10):
            part = slice(start, start + 10)
            out[part] = found[part] if target is None else found[part] >= target[part]
            progress(min(start + 10, len(hands)), len(hands))

    def solve_rows(hands, strain, *, threads=None, progress=None, out=None):
        noted.append(("row", len(hands)))
        for i, hand in enumerate(hands.tolist()):
            out[i] = known[tuple(hand)][strain[i]]
            progress(i + 1, len(hands))

    monkeypatch.setattr(solver, "solve_boards", solve_boards)
    monkeypatch.setattr(solver, "solve_rows", solve_rows)
    return noted


def test_the_solver_itself_is_asked(solved):
    hands, tables = solved[0][:6], solved[1][:6]
    deals, ledger = Deals(hands), Ledger()
    assert (at_least(deals, H, SOUTH, 8, ledger) == (tables[:, H, SOUTH] >= 8)).all()
    assert (tricks(deals, H, SOUTH, ledger) == tables[:, H, SOUTH]).all()
    assert (rows(deals, N, ledger) == tables[:, N]).all()
    assert (full_tables(deals[:2], ledger=ledger) == tables[:2]).all()
    assert ledger.asked == 6 + 6 + 24 + 40 and ledger.seconds > 0
    assert ledger.store == 10 and ledger.solved == ledger.asked - 10  # both deals: notrump, hearts by south


def test_arrays_of_questions(solved, calls, rng):
    hands, tables = solved
    rows_of = np.arange(40)
    strain, declarer, k = rng.integers(0, 5, 40), rng.integers(0, 4, 40), rng.integers(-2, 16, 40)
    truth = tables[rows_of, strain, declarer]
    assert (at_least(Deals(hands), strain, declarer, k) == (truth >= k)).all()
    assert (tricks(Deals(hands), strain, declarer) == truth).all()
    assert (tricks(Deals(hands), N, declarer) == tables[rows_of, N, declarer]).all()


def test_the_order_companions_store_bounds_solver(solved, calls):
    hands, tables = solved
    known = tables.copy()
    known[10:] = -1
    deals = Deals(hands, tables=known)
    first = Ledger()
    assert (at_least(deals, S, NORTH, 8, first) == (tables[:, S, NORTH] >= 8)).all()
    assert (first.asked, first.companions, first.store, first.bounded, first.solved) == (40, 10, 0, 0, 30)
    again = Ledger()
    assert (at_least(deals, S, NORTH, 8, again) == (tables[:, S, NORTH] >= 8)).all()
    assert (again.asked, again.companions, again.store, again.bounded, again.solved) == (40, 10, 0, 30, 0)
    # Who takes eight takes seven; who does not, must be asked.
    fewer = Ledger()
    assert (at_least(deals, S, NORTH, 7, fewer) == (tables[:, S, NORTH] >= 7)).all()
    assert fewer.bounded == (tables[10:, S, NORTH] >= 8).sum() and fewer.solved == 30 - fewer.bounded
    tricks(deals, S, NORTH)
    exact = Ledger()
    assert (tricks(deals, S, NORTH, exact) == tables[:, S, NORTH]).all()
    assert (exact.companions, exact.store, exact.solved) == (10, 30, 0)
    assert not exact.seconds


def test_numbers_that_need_no_solver(solved, calls):
    deals, ledger = Deals(solved[0]), Ledger()
    assert at_least(deals, S, EAST, 0, ledger).all() and not at_least(deals, S, EAST, 14, ledger).any()
    assert ledger.bounded == 80 and not calls


def test_two_declarers_of_a_strain_are_a_row(solved, calls):
    hands, tables = solved
    questions = [
        (N, NORTH, None),
        (N, SOUTH, None),
        (S, EAST, None),
        (N, SOUTH, 9),
        (D, WEST, 5),
        (D, WEST, 9),
    ]
    ledger = Ledger()
    found = many(Deals(hands), questions, ledger)
    for (strain, declarer, k), answer in zip(questions, found, strict=True):
        truth = tables[:, strain, declarer]
        assert (answer == (truth if k is None else truth >= k)).all()
    assert calls.boards("row") == 40 and calls.boards("maximum") == 40
    assert 40 < calls.boards("query") < 80  # one of two numbers often answers the other
    assert ledger.solved == ledger.asked == 240
    calls.clear()
    assert (rows(Deals(hands), N) == tables[:, N]).all() and not calls


def test_a_number_known_to_within_one_trick_is_a_query(solved, calls):
    hands, tables = solved
    low, high = np.zeros((40, 5, 4), np.int8), np.full((40, 5, 4), 13, np.int8)
    truth = tables[:, C, WEST]
    low[:, C, WEST], high[:, C, WEST] = np.maximum(truth - 1, 0), np.maximum(truth, 1)
    current_store().update(hands, low, high)
    assert (tricks(Deals(hands), C, WEST) == truth).all()
    assert calls == [("query", 40)]


def test_equal_deals_are_solved_once(solved, calls):
    hands, tables = solved
    deals, ledger = Deals(np.concatenate([hands, hands[::-1], hands])), Ledger()
    assert (tricks(deals, H, WEST, ledger)[40:80] == tables[::-1, H, WEST]).all()
    assert calls == [("maximum", 40)]
    assert (ledger.asked, ledger.solved, ledger.repeated) == (120, 40, 80)


def test_a_question_asked_twice_together(solved, calls):
    ledger = Ledger()
    first, second = many(Deals(solved[0]), [(H, EAST, 9), (H, EAST, 9)], ledger)
    assert (first == second).all() and calls == [("query", 40)] and ledger.solved == ledger.repeated == 40


def test_what_stands_beside_the_deals_is_not_kept(solved, calls):
    hands, tables = solved
    wrong = np.full_like(tables, -1)
    wrong[:, S] = 13
    assert (full_tables(Deals(hands, tables=wrong))[:, S] == 13).all()
    low, high = current_store().look_up(hands)
    assert (low[:, S] == 0).all() and (high[:, S] == 13).all() and (low[:, N] == tables[:, N]).all()


def test_an_interrupt_keeps_what_is_done(solved, calls):
    hands, tables = solved

    def interrupt(done, total):
        if done >= 20:
            raise KeyboardInterrupt

    ledger = Ledger()
    with pytest.raises(KeyboardInterrupt):
        tricks(Deals(hands), D, SOUTH, ledger, progress=interrupt)
    low, high = current_store().look_up(hands)
    known = (low == high)[:, D, SOUTH]
    assert known.sum() == 20 and (low[known, D, SOUTH] == tables[known, D, SOUTH]).all()
    assert ledger.asked == 40
    again = Ledger()
    assert (tricks(Deals(hands), D, SOUTH, again) == tables[:, D, SOUTH]).all()
    assert (again.store, again.solved) == (20, 20)


def test_the_store_is_written_while_solving(solved, calls, monkeypatch):
    monkeypatch.setattr("dealerkit.doubledummy.bounds.EVERY", 0.0)
    kept = []

    def progress(done, total):
        low, high = current_store().look_up(solved[0])
        kept.append(int((low == high)[:, S, SOUTH].sum()))

    tricks(Deals(solved[0]), S, SOUTH, progress=progress)
    assert kept[:4] == [0, 10, 20, 30]  # a batch is kept when the next one is told


def test_without_a_store(solved, calls, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    hands, tables = solved
    for _ in range(2):
        ledger = Ledger()
        assert (tricks(Deals(hands), N, SOUTH, ledger) == tables[:, N, SOUTH]).all()
        assert ledger.solved == 40


def test_no_room_for_the_store(solved, calls, tmp_path, monkeypatch):
    hands, tables = solved
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "file" / "solved.sqlite"))
    with pytest.warns(StoreWarning) as said:
        assert (tricks(Deals(hands), N, SOUTH) == tables[:, N, SOUTH]).all()
        assert (rows(Deals(hands), S) == tables[:, S]).all()
    assert len(said) == 1


def test_progress_ends_where_it_should(solved, calls):
    seen = []
    many(Deals(solved[0]), [(N, 0, None), (N, 1, None), (S, 2, 8)], progress=lambda *at: seen.append(at))
    done, totals = zip(*seen, strict=True)
    assert list(done) == sorted(done) and set(totals) == {80} and done[-1] == 80


def test_a_ledger_around_the_call(solved, calls):
    with counting() as ledger:
        tricks(Deals(solved[0]), N, NORTH)
        own = Ledger()
        tricks(Deals(solved[0]), N, NORTH, own)
    assert (ledger.asked, ledger.solved, own.store) == (40, 40, 40)


def test_parts_of_a_table(solved, calls):
    hands, tables = solved
    found = full_tables(Deals(hands), "nS", "we")
    asked = np.zeros((5, 4), bool)
    asked[np.ix_([S, N], [EAST, WEST])] = True
    assert (found[:, asked] == tables[:, asked]).all() and (found[:, ~asked] == -1).all()


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
            many(deals, [wrong])
    broken = deals.hands.copy()
    broken[7, 0] ^= np.uint64(3)
    with pytest.raises(DealError, match="deal 7"):
        tricks(Deals(broken, check=False), 0, 0)
    assert (tricks(Deals(broken, tables=solved[1], check=False), 0, 0) == solved[1][:, 0, 0]).all()


def test_no_deals_and_no_questions(solved, calls):
    none = Deals(solved[0][:0])
    assert tricks(none, 0, 0).shape == (0,) and full_tables(none).shape == (0, 5, 4)
    assert at_least(none, 0, 0, 9).dtype == bool and many(Deals(solved[0]), []) == []

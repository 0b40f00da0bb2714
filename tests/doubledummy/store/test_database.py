"""The store returns the bounds that it was given, whatever happens to the process or to the file."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.dealing.uniform import deal_range
from dealerkit.doubledummy.store import database
from dealerkit.doubledummy.store.database import Store, StoreWarning, current_store
from dealerkit.doubledummy.store.records import encode_deals, hash_deals
from tests.support.platforms import needs_fork


def tricks_of(hands):
    """Invented results that depend on the deal alone, so that another process can compute them too."""
    key = hash_deals(*encode_deals(hands))
    shifts = np.arange(20, dtype=np.uint64) * np.uint64(3)
    return (key[:, None] >> shifts & np.uint64(7)).astype(np.int8).reshape(-1, 5, 4)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "solved.sqlite"


def has_tricks(found, values):
    return (found[0] == values).all(axis=(1, 2)) & (found[1] == values).all(axis=(1, 2))


def is_unknown(found):
    return (found[0] == 0).all(axis=(1, 2)) & (found[1] == 13).all(axis=(1, 2))


def test_updates_are_found_again(path):
    hands = deal_range(1, 0, 3000)
    store = Store(path)
    assert is_unknown(store.look_up(hands)).all() and len(store) == 0
    store.update(hands[:2000], tricks_of(hands[:2000]), tricks_of(hands[:2000]))
    store.close()
    twice = np.concatenate([hands, hands[::-1]])
    again = Store(path)
    found = again.look_up(twice)
    assert (
        has_tricks(found, tricks_of(twice))[:2000].all() and has_tricks(found, tricks_of(twice))[4000:].all()
    )
    assert is_unknown(found)[2000:4000].all()
    assert len(again) == 2000
    assert "2,000 deals" in repr(again) and again.size >= 2000 * 36


def test_bounds_are_intersected(path, rng):
    hands = deal_range(2, 0, 40)
    store = Store(path)
    low, high = np.zeros((40, 5, 4), np.int8), np.full((40, 5, 4), 13, np.int8)
    truth = rng.integers(0, 14, (40, 5, 4))
    for _ in range(30):
        rows = rng.integers(0, 40, 25)  # some of them several times
        some_low = (truth[rows] * rng.random((25, 5, 4))).astype(np.int8)
        some_high = (truth[rows] + (13 - truth[rows]) * rng.random((25, 5, 4))).astype(np.int8)
        store.update(hands[rows], some_low, some_high)
        np.maximum.at(low, rows, some_low)
        np.minimum.at(high, rows, some_high)
    found = store.look_up(hands)
    assert (found[0] == low).all() and (found[1] == high).all()


def test_where_old_and_new_contradict_the_new_stays(path):
    hands = deal_range(3, 0, 1)
    store = Store(path)
    seven, nine = np.full((1, 5, 4), 7, np.int8), np.full((1, 5, 4), 9, np.int8)
    store.update(hands, seven, seven)
    store.update(hands, nine, nine)
    assert has_tricks(store.look_up(hands), nine).all()


def test_the_whole_deal_is_verified(path, monkeypatch):
    monkeypatch.setattr("dealerkit.doubledummy.store.records.mix_bits", lambda word: np.zeros_like(word))
    hands = deal_range(4, 0, 2)  # both have the hash 0
    store = Store(path)
    values = np.full((1, 5, 4), 5, np.int8)
    store.update(hands[:1], values, values)
    found = store.look_up(hands)
    assert has_tricks(found, values).tolist() == [True, False] and is_unknown(found).tolist() == [False, True]


def test_rows_that_are_not_deals(path):
    hands = deal_range(5, 0, 3)
    store = Store(path)
    store.update(hands, tricks_of(hands), tricks_of(hands))
    broken = hands.copy()
    broken[0, 0] &= broken[0, 0] - np.uint64(1)  # north lost a card
    broken[1, 0] |= broken[1, 2]  # two seats hold the same cards
    assert is_unknown(store.look_up(broken)).tolist() == [True, True, False]
    with pytest.raises(ArgumentError, match="deal 0"):
        store.update(broken, tricks_of(hands), tricks_of(hands))
    with pytest.raises(ArgumentError, match="deal 2"):
        store.update(hands, np.where(np.arange(3)[:, None, None] == 2, 9, tricks_of(hands)), tricks_of(hands))
    with pytest.raises(ArgumentError, match="shape"):
        store.update(hands, tricks_of(hands)[:2], tricks_of(hands))


@pytest.mark.parametrize("step", ["merge_records", "find_records", "hash_deals"])
def test_an_interrupt_waits_until_all_is_written(path, monkeypatch, step):
    hands = deal_range(7, 0, 30)
    store = Store(path)
    work = getattr(database, step)

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        return work(*arguments)

    monkeypatch.setattr(database, step, interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.update(hands, tricks_of(hands), tricks_of(hands))
    monkeypatch.undo()
    assert has_tricks(store.look_up(hands), tricks_of(hands)).all()
    store.update(hands, tricks_of(hands), tricks_of(hands))  # no transaction is open
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_threads_share_one_store(path):
    hands = deal_range(6, 0, 4000)
    store, failed = Store(path), []

    def work(part):
        for start in range(part, 4000, 400):
            some = hands[start : start + 100]
            store.update(some, tricks_of(some), tricks_of(some))
            if not has_tricks(store.look_up(some), tricks_of(some)).all():
                failed.append(start)

    threads = [threading.Thread(target=work, args=(100 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and has_tricks(store.look_up(hands), tricks_of(hands)).all()


# ------------------------------------------------------------------ processes
KILLED = """
import os, random, signal, sys, time
import numpy as np
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.doubledummy.store.database import Store
sys.path.insert(0, sys.argv[2])
from test_database import tricks_of, has_tricks, is_unknown

random.seed(1)
path, done, unfinished, size = sys.argv[1], 0, 0, 40
hands = deal_range(7, 0, 60_000)
values = tricks_of(hands)
batch = lambda i: slice(size * i, size * (i + 1))
start = time.perf_counter()
for i in range(3):
    Store(path + " of another test").update(hands[batch(i)], values[batch(i)], values[batch(i)])
    duration, start = time.perf_counter() - start, time.perf_counter()  # the first loads kernels
for kill in range(50):
    get, put = os.pipe()
    child = os.fork()
    if not child:
        store = Store(path)
        for i in range(done, 1500):
            os.write(put, b"<")
            store.update(hands[batch(i)], values[batch(i)], values[batch(i)])
            os.write(put, b">")
        os._exit(0)
    os.close(put)
    seen, n_finished = os.read(get, 1), random.randrange(5)  # the first write has begun
    while seen.count(b">") < n_finished:  # however slow the machine is
        more = os.read(get, 1)
        assert more, "the writer has ended"
        seen += more
    time.sleep(random.uniform(0, duration))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(get, 100_000):
        seen += more
    os.close(get)
    unfinished += seen.endswith(b"<")
    done += seen.count(b">")
    store = Store(path)
    assert has_tricks(store.look_up(hands[: size * done]), values[: size * done]).all(), "a finished batch is lost"
    found = store.look_up(hands[batch(done)])
    whole = has_tricks(found, values[batch(done)])
    assert whole.all() or is_unknown(found).all(), "half a batch was kept"
    store.close()
print(done, unfinished, len(store))
"""

TOGETHER = """
import os, sys
import numpy as np
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.doubledummy.store.database import Store
sys.path.insert(0, sys.argv[2])
from test_database import tricks_of, has_tricks

hands = deal_range(8, 0, 3000)
values = tricks_of(hands)
lowest, highest = np.zeros_like(values), np.full_like(values, 13)
children = []
for writer in range(2):  # one writes lower bounds, the other upper bounds
    child = os.fork()
    if not child:
        store = Store(sys.argv[1])
        for start in range(0, 3000, 100):
            part = slice(start, start + 100)
            low, high = (values, highest) if writer else (lowest, values)
            store.update(hands[part], low[part], high[part])
        os._exit(0)
    children.append(child)
assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
store = Store(sys.argv[1])
assert has_tricks(store.look_up(hands), values).all()
print(len(store))
"""


def run(script, path):
    here = os.path.dirname(__file__)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(path), here], capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


@needs_fork
def test_killed_fifty_times_while_writing(path):
    done, unfinished, stored = run(KILLED, path)
    assert done > 50 and unfinished > 5  # it wrote, and was killed while writing
    assert stored >= 40 * done
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert not list(path.parent.glob("*damaged*"))


@needs_fork
def test_two_processes_write_at_once(path):
    assert run(TOGETHER, path) == [3000]


# ------------------------------------------------------------------ the file
def test_a_full_disk_gives_one_warning(path):
    hands = deal_range(10, 0, 3000)
    store = Store(path)
    store.update(hands[:100], tricks_of(hands[:100]), tricks_of(hands[:100]))
    store.file.connection().execute("PRAGMA max_page_count = 1")  # SQLite: "database or disk is full"
    with pytest.warns(StoreWarning, match="full"):
        store.update(hands, tricks_of(hands), tricks_of(hands))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.update(hands, tricks_of(hands), tricks_of(hands))
        found = store.look_up(hands)
    assert has_tricks(found, tricks_of(hands))[:100].all() and is_unknown(found)[100:].all()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "solved.sqlite")
    hands = deal_range(11, 0, 1)
    with pytest.warns(StoreWarning, match="DEALERKIT_STORE"):
        assert is_unknown(store.look_up(hands)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.update(hands, tricks_of(hands), tricks_of(hands))
        assert len(store) == 0


def filled(path, size, seed):
    """A store that was given 262,144 deals and then 1000 more: the store, the first and the last 1000."""
    store = Store(path, size)
    for block in range(4):
        hands = deal_range(seed, block * 65_536, 65_536)
        store.update(hands, tricks_of(hands), tricks_of(hands))
    last = deal_range(seed, 4 * 65_536, 1000)
    store.update(last, tricks_of(last), tricks_of(last))
    return store, deal_range(seed, 0, 1000), last


def share_stored(store, hands):
    return has_tricks(store.look_up(hands), tricks_of(hands)).mean()


def test_the_size_is_bounded_and_the_oldest_go(path):
    store, first, last = filled(path, database.SMALLEST_SIZE, 12)
    assert store.size <= database.SMALLEST_SIZE * 1e6
    assert share_stored(store, first) < 0.1
    assert share_stored(store, last) > 0.95


def test_a_smaller_limit_shrinks_the_file(path):
    store, first, last = filled(path, 100, 13)
    assert store.size > 12e6 and share_stored(store, first) == share_stored(store, last) == 1
    store.close()
    store = Store(path, size=10)
    assert share_stored(store, last) > 0.95
    assert store.size <= 10e6


# ------------------------------------------------------------------ current_store
def test_off_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store, hands = current_store(), deal_range(14, 0, 5)
    store.update(hands, tricks_of(hands), tricks_of(hands))
    assert is_unknown(store.look_up(hands)).all()
    assert repr(store) == "<Store: off>" and store.size == len(store) == 0
    assert not list(tmp_path.iterdir())


def test_the_environment_names_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "mine.sqlite"))
    monkeypatch.setenv("DEALERKIT_STORE_SIZE", "50")
    store, hands = current_store(), deal_range(15, 0, 5)
    assert store.limit == 50 and current_store() is store
    store.update(hands, tricks_of(hands), tricks_of(hands))
    store.close()
    assert has_tricks(Store(tmp_path / "mine.sqlite").look_up(hands), tricks_of(hands)).all()
    for large in ("inf", "1e30"):
        monkeypatch.setenv("DEALERKIT_STORE_SIZE", large)
        monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / f"{large}.sqlite"))
        store = current_store()
        store.update(hands, tricks_of(hands), tricks_of(hands))
        assert has_tricks(store.look_up(hands), tricks_of(hands)).all()
    for wrong in ("many", "3", "nan", "-inf"):
        monkeypatch.setenv("DEALERKIT_STORE_SIZE", wrong)
        with pytest.raises(ArgumentError):
            current_store()


@pytest.mark.skipif(sys.platform != "linux", reason="the variable of Linux for the folder of caches")
def test_by_default_it_is_in_the_cache_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("DEALERKIT_STORE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    database.open_store.cache_clear()
    try:
        assert current_store().path == tmp_path / "dealerkit" / "solved-1.sqlite"
    finally:
        database.open_store.cache_clear()

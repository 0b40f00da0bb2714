"""A damaged file loses what is damaged only; the files of others are not touched; read-only ones are read."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest

from dealerkit import FileError
from dealerkit.dealing.uniform import deal_range
from dealerkit.doubledummy.store.database import Store, StoreWarning
from dealerkit.doubledummy.store.records import encode_deals, hash_deals
from tests.support.platforms import needs_permissions

OTHER_USER = 65534  # nobody


def tricks_of(hands):
    """Invented results that depend on the deal alone."""
    key = hash_deals(*encode_deals(hands))
    shifts = np.arange(20, dtype=np.uint64) * np.uint64(3)
    return (key[:, None] >> shifts & np.uint64(7)).astype(np.int8).reshape(-1, 5, 4)


def list_stored(store, hands):
    """Which deals have their results; the others must have none."""
    low, high = store.look_up(hands)
    values = tricks_of(hands)
    is_stored = ((low == values) & (high == values)).all(axis=(1, 2))
    is_unknown = ((low == 0) & (high == 13)).all(axis=(1, 2))
    assert (is_stored | is_unknown).all(), "a wrong number"
    return is_stored


def fill(path, n_deals, seed=1):
    hands = deal_range(seed, 0, n_deals)
    store = Store(path)
    store.update(hands, tricks_of(hands), tricks_of(hands))
    store.close()
    return hands


@pytest.fixture
def path(tmp_path):
    return tmp_path / "solved.sqlite"


# ------------------------------------------------------------------ one changed byte
def change_bytes(folder, n_deals, n_changes):
    """Change single bytes, a third of them in the first page; return how many changes cost one block."""
    path = folder / "solved.sqlite"
    hands = fill(path, n_deals)
    content = path.read_bytes()
    block = hash_deals(*encode_deals(hands)) >> np.uint64(48)
    chance = random.Random(1)
    n_lost = 0
    for i in range(n_changes):
        for file in folder.iterdir():
            file.unlink()
        changed = bytearray(content)
        place = chance.randrange(len(content) if i % 3 else 4096)
        changed[place] ^= chance.randrange(1, 256)
        path.write_bytes(changed)
        store = Store(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StoreWarning)
            list_stored(store, hands)  # the first reader replaces a damaged file
            store.update(hands[:9], tricks_of(hands[:9]), tricks_of(hands[:9]))
            lost = np.unique(block[~list_stored(store, hands)])
        refused = not store.file.is_writable  # an application or a version that is not ours
        store.close()
        assert len(lost) <= 1 or refused, (place, content[place], changed[place], len(lost))
        assert not refused or path.read_bytes() == bytes(changed)
        n_lost += len(lost)
    return n_lost


def test_a_changed_byte_costs_at_most_one_block(tmp_path):
    assert change_bytes(tmp_path, 100, 50) < 25


@pytest.mark.slow
@pytest.mark.parametrize("n_deals", [100, 1500, 300_000])
def test_four_hundred_changed_bytes(tmp_path, n_deals):
    change_bytes(tmp_path, n_deals, 400 if n_deals < 2000 else 20)


@pytest.mark.parametrize("place", [60, 63, 70])
def test_a_changed_version_or_application_is_not_overwritten(path, place):
    hands = fill(path, 200)
    content = bytearray(path.read_bytes())
    content[place] ^= 6
    path.write_bytes(content)
    store = Store(path)
    with pytest.warns(StoreWarning) as caught:
        stored = list_stored(store, hands)
    if stored.any():  # the table shows that it is ours
        assert stored.all() and "was damaged" in str(caught[0].message)
    else:
        assert "newer version" in str(caught[0].message) and path.read_bytes() == bytes(content)


def test_the_rest_of_a_cut_file_is_saved(path):
    hands = fill(path, 2000)
    cut = path.read_bytes()[: path.stat().st_size // 8192 * 4096]  # whole pages
    path.write_bytes(cut)
    words = zip(*(word.tolist() for word in encode_deals(hands)), strict=True)
    expected = [cut.find(a.to_bytes(8, "little") + b.to_bytes(8, "little")) >= 0 for a, b in words]
    store = Store(path)
    with pytest.warns(StoreWarning, match=r"was damaged.*solved\.damaged-"):
        stored = list_stored(store, hands)
    assert stored.tolist() == expected and len(store) == stored.sum() > 500
    assert [file.read_bytes() for file in path.parent.glob("*damaged*.sqlite")] == [cut]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.update(hands, tricks_of(hands), tricks_of(hands))
        assert list_stored(store, hands).all()


def test_a_file_without_a_list_of_blocks_is_read_and_completed(path):
    hands = fill(path, 50)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE present")  # as versions before wrote it
        connection.commit()
    store = Store(path)
    assert list_stored(store, hands).all()
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM present").fetchone() == (1,)


# ------------------------------------------------------------------ files of others
def write_text(path):
    path.write_bytes(b"something else" * 1000)


def write_database(path):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE blocks (mine INTEGER)")


def write_package(path):
    write_database(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 0x47504B47")  # GeoPackage


def write_newer(path):
    fill(path, 5)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")


@pytest.mark.parametrize("write", [write_text, write_database, write_package, write_newer])
def test_a_file_of_another_program_or_version_is_refused(path, write):
    write(path)
    before = path.read_bytes()
    hands = deal_range(1, 0, 5)
    store = Store(path)
    expected = "newer version" if write is write_newer else "not a store of dealerkit"
    with pytest.warns(StoreWarning, match=f"{expected}.*Set DEALERKIT_STORE"):
        assert not list_stored(store, hands).any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.update(hands, tricks_of(hands), tricks_of(hands))
    store.close()
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]
    other = Store(path.with_name("other.sqlite"))
    with pytest.raises(FileError, match=expected):
        other.merge(path)
    with pytest.raises(FileError, match=expected):
        store.verify()


# ------------------------------------------------------------------ read-only media
@contextlib.contextmanager
def no_permission():
    """As a user who may not write, also if the tests are run by root."""
    if os.geteuid():
        yield
        return
    os.seteuid(OTHER_USER)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def read_only_folder():
    folder = Path(tempfile.mkdtemp())  # whose parents others may read
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@needs_permissions
@pytest.mark.parametrize("has_log", [False, True])
def test_read_only_files_are_read(read_only_folder, has_log):
    path = read_only_folder / "solved.sqlite"
    hands = fill(path, 60)
    writer = Store(path)
    if has_log:
        writer.update(hands[:1], tricks_of(hands[:1]), tricks_of(hands[:1]))
    path.chmod(0o444)
    read_only_folder.chmod(0o555)
    content = path.read_bytes()
    with no_permission():
        store = Store(path)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert list_stored(store, hands).all() and len(store) == 60
            assert store.verify().faults == ()
        new = deal_range(2, 0, 3)
        with pytest.warns(StoreWarning, match="read, but not kept"):
            store.update(new, tricks_of(new), tricks_of(new))
        assert list_stored(store, hands).all()
    writer.close()
    assert path.read_bytes() == content


@needs_permissions
def test_a_damaged_read_only_file_loses_one_block(read_only_folder):
    path = read_only_folder / "solved.sqlite"
    hands = fill(path, 60)
    words = encode_deals(hands[:1])
    content = bytearray(path.read_bytes())
    content[content.index(words[0].tobytes() + words[1].tobytes()) + 20] ^= 1
    path.write_bytes(content)
    path.chmod(0o444)
    read_only_folder.chmod(0o555)
    with no_permission(), pytest.warns(StoreWarning, match="has changed on disk; its results are not read"):
        assert list_stored(Store(path), hands).sum() == 59


# ------------------------------------------------------------------ merge, verify, export
def test_merge_verify_and_export(tmp_path):
    first, second = fill(tmp_path / "a.sqlite", 300), fill(tmp_path / "b.sqlite", 200, seed=2)
    store = Store(tmp_path / "a.sqlite")
    assert store.merge(tmp_path / "b.sqlite") == 200
    assert list_stored(store, np.concatenate([first, second])).all()
    verification = store.verify()
    assert (verification.n_deals, verification.n_results, verification.faults) == (500, 10_000, ())
    assert store.export(tmp_path / "copy.sqlite") == 500
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert list_stored(Store(tmp_path / "copy.sqlite"), np.concatenate([first, second])).all()
    deals = store.deals()
    assert len(deals) == 500 and (deals.tables == tricks_of(deals.hands)).all()
    with pytest.raises(FileError, match="the store itself"):
        store.merge(tmp_path / "a.sqlite")
    with pytest.raises(FileError, match="no such file"):
        store.merge(tmp_path / "c.sqlite")
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix == ".sqlite") == [
        "a.sqlite",
        "b.sqlite",
        "copy.sqlite",
    ]


def test_a_damaged_file_is_reported_and_merged_as_far_as_intact(tmp_path):
    hands = fill(tmp_path / "a.sqlite", 300)
    words = encode_deals(hands[:1])
    content = bytearray((tmp_path / "a.sqlite").read_bytes())
    content[content.index(words[0].tobytes() + words[1].tobytes()) + 20] ^= 1
    (tmp_path / "a.sqlite").write_bytes(content)
    verification = Store(tmp_path / "a.sqlite").verify()
    assert verification.n_deals == 299 and "has changed on disk" in verification.faults[0]
    store = Store(tmp_path / "b.sqlite")
    assert store.merge(tmp_path / "a.sqlite") == 299 and list_stored(store, hands).sum() == 299
    assert (tmp_path / "a.sqlite").read_bytes() == content

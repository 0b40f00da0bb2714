"""The sample of solved deals: dealt again from its seeds, solved again; and the program that makes it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.doubledummy.trick_model.predictions import SAMPLE_SEEDS

DATA = Path(__file__).parents[2] / "data"
FILE = Path(dk.__file__).parent / "data" / "solved.npz"
N_FIRST = 52_480  # deals without a recipe in this package


@pytest.fixture(scope="module")
def origin():
    with np.load(FILE) as stored:
        return stored["origin"]


@pytest.fixture
def program(monkeypatch):
    """The program, without its change of priority."""
    spec = importlib.util.spec_from_file_location("solve_sample", DATA / "solve_sample.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.os, "nice", lambda more: 0, raising=False)
    return module


# ------------------------------------------------------------ the file
def test_size(origin):
    deals = dk.solved_sample()
    assert FILE.stat().st_size <= 6_000_000
    assert len(deals) == len(origin) >= 100_000
    assert len(np.unique(deals.hands, axis=0)) == len(deals)


def test_deals_are_those_of_the_recorded_seeds(origin):
    assert (origin[:N_FIRST] == 0).all() and (origin[N_FIRST:] > 0).all()
    hands = dk.solved_sample().hands
    for seed in np.unique(origin[N_FIRST:]).tolist():
        assert seed in SAMPLE_SEEDS  # of which studies deal others
        rows = np.flatnonzero(origin == seed)
        assert np.array_equal(rows, np.arange(rows[0], rows[-1] + 1))
        assert np.array_equal(dk.deal(60_000, seed=seed).hands[: len(rows)], hands[rows])


def test_documented_numbers(origin):
    text = (DATA / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| (\w+) \| ([\d,]+) \|", text)
    counts = {name: int(count.replace(",", "")) for name, count in rows}
    assert counts.pop("all") == len(origin)
    assert counts == {str(seed): int((origin == seed).sum()) for seed in np.unique(origin)}


def test_tables_belong_to_their_deals_in_each_run(origin):
    deals = dk.solved_sample()
    points = deals.eval("hcp(north) + hcp(south)")
    clubs = deals.eval("clubs(north) + clubs(south)")
    north = deals.tables[:, :, 0].astype(int)
    for part in (origin == seed for seed in np.unique(origin)):
        # Four standard errors of the smallest run with 5,000 deals: 4 x (1 - .87^2) / sqrt(5,000) = .014.
        assert np.corrcoef(points[part], north[part, 4])[0, 1] == pytest.approx(0.87, abs=0.015)
        assert np.corrcoef(clubs[part], (north[:, 3] - north[:, 4])[part])[0, 1] == pytest.approx(
            0.73, abs=0.03
        )


@pytest.mark.parametrize("count", [10, pytest.param(40, marks=pytest.mark.slow)])
def test_solved_again(count):
    deals = dk.solved_sample()
    rows = np.random.default_rng(count).choice(len(deals), count, replace=False)
    assert np.array_equal(dk.dd_table(dk.Deals(deals.hands[rows])), deals.tables[rows])


# ------------------------------------------------------------ the program
@pytest.fixture
def small(program, tmp_path, monkeypatch):
    """A sample of ten deals, and how to write files of solved deals that follow it."""
    monkeypatch.setattr(program, "N_DEALS", 1000)
    monkeypatch.setattr(program, "SEEDS", (20261122, 5))
    deals = dk.solved_sample()
    path, folder = tmp_path / "sample.npz", tmp_path / "parts"
    folder.mkdir()
    np.savez(path, hands=deals.hands[:10, :3], tables=deals.tables[:10], origin=np.zeros(10, np.int32))
    readme = tmp_path / "README.md"
    readme.write_text(
        "Before.\n\n| `origin` | deals |\n|---|---|\n| all | 0 | |\n\nAfter.\n", encoding="utf-8"
    )

    def write(first, count, shift=0):
        rows = N_FIRST + first + np.arange(count)
        arrays = {"hands": deals.hands[rows + shift], "tables": deals.tables[rows]}
        np.savez(folder / f"20261122-{first:06d}.npz", **arrays)

    return lambda: program.pack(folder, path, readme), write, path, readme


def test_deals_are_appended_up_to_the_first_gap(small):
    pack, write, path, readme = small
    assert pack() == 10
    for first in (0, 250, 750):
        write(first, 250)
    assert pack() == pack() == 510
    write(500, 250)
    assert pack() == 1010
    with np.load(path) as stored:
        expected = dk.solved_sample()[[*range(10), *range(N_FIRST, N_FIRST + 1000)]]
        assert np.array_equal(stored["hands"], expected.hands[:, :3])
        assert np.array_equal(stored["tables"], expected.tables)
        assert stored["origin"].tolist() == [0] * 10 + [20261122] * 1000
    text = readme.read_text(encoding="utf-8")
    assert "| 20261122 | 1,000 | 10 to 1,009 |\n| all | 1,010 | |\n\nAfter." in text and text.startswith(
        "Before."
    )


def test_other_deals_are_refused(small):
    pack, write, path, _ = small
    before = path.read_bytes()
    write(0, 250, shift=1)
    with pytest.raises(SystemExit, match="not those of this seed"):
        pack()
    assert path.read_bytes() == before


def test_no_deal_is_packed_twice(small):
    pack, write, path, _ = small
    deals = dk.solved_sample()[[*range(10), N_FIRST + 3]]
    np.savez(path, hands=deals.hands[:, :3], tables=deals.tables, origin=np.zeros(11, np.int32))
    write(0, 250)
    with pytest.raises(SystemExit, match="twice"):
        pack()


def test_solving_goes_on_where_it_was_interrupted(program, tmp_path, monkeypatch):
    solved = []

    def stop(deals):
        solved.append(deals.hands)
        if len(solved) == 3:
            raise KeyboardInterrupt
        return np.full((len(deals), 5, 4), 7, np.int8)

    monkeypatch.setattr(program, "SEEDS", (3, 4))
    monkeypatch.setattr(program, "N_DEALS", 6)
    monkeypatch.setattr(program, "N_IN_FILE", 2)
    monkeypatch.setattr(program.dk, "dd_table", stop)
    with pytest.raises(KeyboardInterrupt):
        program.solve(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["3-000000.npz", "3-000002.npz"]
    program.solve(tmp_path)
    names = [f"{seed}-{first:06d}.npz" for seed in (3, 4) for first in (0, 2, 4)]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert len(solved) == 7  # the interrupted one twice
    expected = np.concatenate([dk.deal(6, seed=seed).hands for seed in (3, 4)])
    assert np.array_equal(np.concatenate([np.load(tmp_path / name)["hands"] for name in names]), expected)

"""Tables of a library compared with the solver."""

from __future__ import annotations

from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.formats.checking import check_tables


@pytest.fixture
def path(tmp_path: Path) -> Path:
    dk.solved_sample()[:300].write(tmp_path / "deals.zrd")
    return tmp_path / "deals.zrd"


def test_true_tables(path: Path):
    checked = check_tables(dk.read(path), 3, seed=1)
    assert checked.n_results == 60 and len(checked.numbers) == 3
    assert {0, 299} < set(checked.numbers.tolist())
    assert check_tables(dk.read(path)[:2], 20).numbers.tolist() == [0, 1]


def test_a_wrong_table_is_found(path: Path):
    deals = dk.solved_sample()[:300]
    tables = deals.tables.copy()
    tables[299, 2, 1] = (tables[299, 2, 1] + 1) % 14
    deals.replace(tables=tables).write(path)
    wrong, right = tables[299, 2, 1], deals.tables[299, 2, 1]
    message = (
        f"1 of 40 results differ.* Deal 299 has {wrong} tricks for east in diamonds, and the solver {right}"
    )
    with pytest.raises(dk.FileError, match=message):
        check_tables(dk.read(path), 2)


def test_deals_without_tables(tmp_path: Path):
    dk.deal(5, seed=1).write(tmp_path / "unsolved.zrd")
    with pytest.raises(dk.ArgumentError, match="no tables"):
        check_tables(dk.read(tmp_path / "unsolved.zrd"))

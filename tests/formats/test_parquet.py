"""Parquet files of deals; pandas, polars and DuckDB read them without dealerkit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.formats.content import Records

pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
DEAL = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    """Solved deals with all attached columns; some values are unknown."""
    sample = dk.solved_sample()[:300]
    tables = sample.tables.copy()
    tables[7], tables[9, 4, 2] = -1, -1
    numbers = np.arange(300)
    return sample.replace(
        tables=tables, board=np.where(numbers == 5, -1, numbers), dealer=numbers % 5 - 1, vulnerable=numbers % 5 - 1,
        weight=1 + numbers / 7, cluster=numbers // 2,
    )  # fmt: skip


def test_deals_are_read_back(deals: dk.Deals, tmp_path: Path):
    deals.write(tmp_path / "deals.parquet")
    library = dk.read(tmp_path / "deals.parquet")
    assert library.deals.equals(deals)
    assert library.skipped.empty
    result = dk.run("condition dds(south, notrump) >= 7 action average hcp(north)", source=library[10:])
    expected = dk.run("condition dds(south, notrump) >= 7 action average hcp(north)", source=deals[10:])
    assert result.reports[0].mean == expected.reports[0].mean
    dk.solved_sample()[:100].write(tmp_path / "few.bin", format="parquet")
    assert dk.read(tmp_path / "few.bin").deals.equals(dk.solved_sample()[:100])
    dk.Deals([]).write(tmp_path / "none.parquet")
    assert len(dk.read(tmp_path / "none.parquet")) == 0


def test_a_library_of_several_batches(tmp_path: Path):
    deals = dk.deal(70_000, seed=1)
    deals.write(tmp_path / "deals.zrd")
    dk.read(tmp_path / "deals.zrd").write(tmp_path / "deals.parquet")
    library = dk.read(tmp_path / "deals.parquet")
    assert (library.deals.hands == deals.hands).all() and (library.tables == -1).all()


def test_texts_are_kept(deals: dk.Deals, tmp_path: Path):
    texts = {"north": ["Ann", 'Bo "Q"', ""], "contract": ["3NT", "4♠X", "pass"]}
    tags = [{"Event": "Club"}, {}, {"Room": "1"}]
    library = dk.Library(Records(deals[:3], {**texts, "tags": tags}, name="club.pbn"))
    library[[2, 0]].write(tmp_path / "club.parquet")
    back = dk.read(tmp_path / "club.parquet")
    assert back.texts == {
        "north": ["", "Ann"],
        "contract": ["pass", "3NT"],
        "tags": [{"Room": "1"}, {"Event": "Club"}],
    }
    assert back.deals.equals(deals[[2, 0]])
    assert back.frame.contract.tolist() == ["pass", "3NT"]


def test_pandas_reads_it_without_dealerkit(deals: dk.Deals, tmp_path: Path):
    deals.write(tmp_path / "deals.parquet")
    frame = pd.read_parquet(tmp_path / "deals.parquet")
    assert frame.deal.tolist() == deals.to_pbn()
    assert frame.hand_south.dtype == np.uint64 and (frame.hand_south == deals.hands[:, 2]).all()
    assert frame.tricks_south_notrump.isna().sum() == 2
    assert frame.tricks_west_clubs[0] == deals.tables[0, 3, 3]
    assert (
        frame["dealer"][:5].tolist()[1:] == ["north", "east", "south", "west"]
        and frame["dealer"].isna().sum() == 60
    )
    assert frame.weight.tolist() == deals.weight.tolist() and frame.board.isna().sum() == 1
    assert frame.vulnerable[:5].tolist()[1:] == ["none", "ns", "ew", "both"]


def test_polars_reads_it(deals: dk.Deals, tmp_path: Path):
    polars = pytest.importorskip("polars", reason="polars is not installed (extra test)")
    deals.write(tmp_path / "deals.parquet")
    table = polars.read_parquet(tmp_path / "deals.parquet")
    assert table.schema["hand_north"] == polars.UInt64 and table.schema["deal"] == polars.String
    chosen = table.filter(polars.col("tricks_south_notrump") >= 9)
    assert chosen["deal"].to_list() == deals[deals.tables[:, 4, 2] >= 9].to_pbn()
    spades = table.select((polars.col("hand_north") // 2**48).cast(polars.UInt16).bitwise_count_ones())
    assert spades.to_series().to_list() == deals.eval("spades(north)").tolist()
    chosen.write_parquet(tmp_path / "chosen.parquet")
    assert dk.read(tmp_path / "chosen.parquet").deals.equals(deals[deals.tables[:, 4, 2] >= 9])


def test_duckdb_reads_it(deals: dk.Deals, tmp_path: Path):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed (extra test)")
    deals.write(tmp_path / "deals.parquet")
    file = f"'{tmp_path / 'deals.parquet'}'"
    query = f"SELECT deal, hand_east FROM {file} WHERE tricks_north_spades >= 10 ORDER BY board"
    strong = deals[deals.tables[:, 0, 0] >= 10]
    assert duckdb.sql(query).fetchall() == list(
        zip(strong.to_pbn(), strong.hands[:, 1].tolist(), strict=True)
    )
    query = f"SELECT avg(bit_count((hand_west >> 48)::BIGINT)) FROM {file}"
    assert duckdb.sql(query).fetchall()[0][0] == pytest.approx(deals.eval("spades(west)").mean())


def test_frames_of_pandas_are_read(deals: dk.Deals, tmp_path: Path):
    deals.to_frame("hcp").to_parquet(tmp_path / "frame.parquet")
    assert (dk.read(tmp_path / "frame.parquet").deals.hands == deals.hands).all()
    pd.DataFrame({"deal": [DEAL, None, "N:AK", DEAL]}).to_parquet(tmp_path / "texts.parquet")
    library = dk.read(tmp_path / "texts.parquet")
    assert library.deals.to_pbn() == [DEAL, DEAL]
    assert library.skipped.line.tolist() == [2, 3] and library.skipped.file.tolist() == ["texts.parquet"] * 2
    hands = {
        f"hand_{seat}": column
        for seat, column in zip(("north", "east", "south", "west"), deals.hands.T, strict=True)
    }
    hands["hand_north"] = hands["hand_north"].copy()
    hands["hand_north"][1] = 3
    pd.DataFrame(hands).to_parquet(tmp_path / "numbers.parquet")
    library = dk.read(tmp_path / "numbers.parquet")
    assert (library.deals.hands == np.delete(deals.hands, 1, axis=0)).all()
    assert library.skipped.line.tolist() == [2] and "missing" in library.skipped.reason[0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"hcp": [3]}, "neither a column 'deal' nor"),
        ({"deal": [DEAL], "tricks_north_spades": [14]}, "tables is 14"),
        ({"deal": [DEAL], "tricks_north_spades": [1000]}, "tricks_north_spades"),
        ({"deal": [DEAL], "weight": [-1.0]}, "weight is -1.0"),
        ({"deal": [DEAL], "board": [0.5]}, "board has the value 0.5"),
        ({"deal": [DEAL], "tags": ["{"]}, "column 'tags'"),
    ],
)
def test_foreign_columns_are_refused(columns: dict, message: str, tmp_path: Path):
    pd.DataFrame(columns).to_parquet(tmp_path / "wrong.parquet")
    with pytest.raises(dk.FileError, match=message):
        dk.read(tmp_path / "wrong.parquet")


def test_damaged_files_are_refused(deals: dk.Deals, tmp_path: Path):
    deals.write(tmp_path / "deals.parquet")
    content = (tmp_path / "deals.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(content[:-100])
    with pytest.raises(dk.FileError, match=r"cut\.parquet"):
        dk.read(tmp_path / "cut.parquet")
    random = np.random.default_rng(1)
    for _ in range(300):
        changed = bytearray(content)
        for place in random.integers(4, len(content), 3):
            changed[place] = random.integers(256)
        (tmp_path / "changed.parquet").write_bytes(changed)
        try:
            dk.read(tmp_path / "changed.parquet").deals.check()
        except dk.FileError:
            continue


def test_a_file_larger_than_a_quarter_of_the_memory(deals: dk.Deals, tmp_path: Path, monkeypatch):
    path = tmp_path / "deals.parquet"
    deals.write(path)
    n_bytes = len(deals) * 4 * 8  # of the hands alone
    monkeypatch.setattr("dealerkit.formats.parquet.memory_bytes", lambda: n_bytes)
    with pytest.raises(dk.MemoryLimitError, match=f"{len(deals)} rows need about .* as .zrd"):
        dk.read(path)


def test_the_text_of_deals_is_not_read_beside_their_numbers(deals: dk.Deals, tmp_path: Path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "deals.parquet"
    deals.write(path)
    table = pq.read_table(path)
    wrong = table.set_column(0, "deal", pa.array(["no deal"] * len(deals)))
    pq.write_table(wrong, path)
    assert dk.read(path).deals.equals(deals)


def test_a_small_file_with_much_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows refer to one text, so the file has a hundredth of the size that its texts have in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = 2000
    dk.deal(n, seed=1).write(tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet").append_column("comment", pa.array(["x" * 10_000] * n))
    pq.write_table(table, tmp_path / "b.parquet", dictionary_pagesize_limit=10**7)
    assert (tmp_path / "b.parquet").stat().st_size < 200_000
    assert len(dk.read(tmp_path / "b.parquet")) == n
    monkeypatch.setattr("dealerkit.formats.parquet.memory_bytes", lambda: 60_000_000)
    with pytest.raises(dk.MemoryLimitError, match="2,000 rows need about 20,"):
        dk.read(tmp_path / "b.parquet")
    assert len(dk.read(tmp_path / "a.parquet")) == n

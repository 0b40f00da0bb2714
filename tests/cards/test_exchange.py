"""The column of deals in CSV, JSON, SQLite, DuckDB and polars, and back."""

from __future__ import annotations

import io
import json
import sqlite3

import numpy as np
import pandas as pd
import pytest

from dealerkit import ArgumentError, Deal, DealArray, DealError, Deals

# The deal of section 3.4.11 of the PBN standard 2.1, with a void; the same from north, as the deals are written.
STANDARD = "W:KQT2.AT.J6542.85 - A8654.KQ5.T.QJT6 -"
VOID = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
OTHER = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
TEXTS = [VOID, None, OTHER]


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"deal": DealArray(TEXTS), "hcp": [13, None, 10], "name": ["a", "b", None]})


def check(back: pd.DataFrame, frame: pd.DataFrame) -> None:
    """Check that text from elsewhere becomes the same column of deals."""
    assert [None if pd.isna(text) else text for text in back["deal"]] == TEXTS
    pd.testing.assert_series_equal(back["deal"].astype("deal"), frame["deal"])
    assert back["hcp"].tolist()[::2] == [13, 10] and pd.isna(back["hcp"][1])


def test_text_of_a_deal_is_pbn_and_its_diagram_a_method():
    deal = Deal(OTHER, vulnerable=3, board=4)
    assert str(deal) == f"{deal}" == f"{deal:>80}".strip() == OTHER and len(f"{deal:80}") == 80
    assert deal.diagram().splitlines()[0] == "Board 4     ♠ AKQJ"
    assert eval(repr(deal), {"Deal": Deal}) == deal
    assert Deal(str(deal)).hands == deal.hands
    assert f'<pre class="dk-plain">{deal.diagram()}</pre>' in deal._repr_html_()  # where styles are removed


def test_csv(frame, tmp_path):
    path = tmp_path / "deals.csv"
    frame.to_csv(path, index=False)
    assert path.read_text(encoding="utf-8").splitlines()[1:3] == [f"{VOID},13.0,a", ",,b"]
    check(pd.read_csv(path), frame)
    pd.testing.assert_series_equal(pd.read_csv(path, dtype={"deal": "deal"})["deal"], frame["deal"])
    texts = pd.read_csv(path, keep_default_na=False)["deal"]
    assert texts[1] == ""
    pd.testing.assert_series_equal(texts.astype("deal"), frame["deal"])


def test_csv_with_deals_in_the_index(frame):
    text = frame.set_index("deal").to_csv()
    assert text.splitlines()[1].startswith(VOID)


def test_json(frame):
    text = frame.to_json(orient="records")
    assert [row["deal"] for row in json.loads(text)] == TEXTS
    check(pd.read_json(io.StringIO(text)), frame)


@pytest.mark.parametrize("as_text", [False, True])
def test_sqlite(frame, as_text):
    connection = sqlite3.connect(":memory:")
    written = frame.dealer.to_text() if as_text else frame
    written.to_sql("deals", connection, index=False)
    assert [text for (text,) in connection.execute("SELECT deal FROM deals")] == TEXTS
    check(pd.read_sql("SELECT * FROM deals", connection), frame)
    found = connection.execute("SELECT hcp FROM deals WHERE deal = ?", (Deal(VOID),)).fetchall()
    assert found == [(13.0,)]
    connection.close()


def test_duckdb(frame):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed (extra test)")
    table = frame.dealer.to_text()
    with duckdb.connect() as connection:
        connection.register("deals", table)
        assert connection.sql("SELECT typeof(deal) FROM deals").fetchall() == [("VARCHAR",)] * 3
        check(connection.sql("SELECT * FROM deals").df(), frame)
        connection.register("none", table[:0])
        assert [str(kind) for kind in connection.sql("SELECT deal FROM none").types] == ["VARCHAR"]
        measured = Deals.from_pbn([VOID, OTHER]).to_frame("hcp", "shape").dealer.to_text()
        connection.register("measured", measured)
        rows = connection.sql(
            "SELECT deal, hcp_north, shape_north FROM measured ORDER BY hcp_north"
        ).fetchall()
    assert rows == [(OTHER, 10, "4342"), (VOID, 13, "0265")]


def test_polars_by_text(frame):
    polars = pytest.importorskip("polars", reason="polars is not installed (extra test)")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    table = polars.from_pandas(frame.dealer.to_text())
    assert table.schema["deal"] == polars.String
    assert table["deal"].to_list() == TEXTS
    check(table.to_pandas(), frame)
    assert DealArray(table["deal"]).equals(frame["deal"].array)


def test_polars_by_arrow(frame):
    polars = pytest.importorskip("polars", reason="polars is not installed (extra test)")
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    table = polars.from_arrow(pa.Table.from_pandas(frame))
    back = table.filter(polars.col("hcp").is_null() | (polars.col("hcp") > 11)).to_arrow()["deal"]
    assert frame["deal"].dtype.__from_arrow__(back).equals(frame["deal"].array[:2])


def test_frames_as_text_keep_all_else(frame):
    both = pd.concat([frame, frame["deal"][::-1].reset_index(drop=True)], axis=1)
    both.index = ["x", "y", "z"]
    table = both.dealer.to_text()
    assert table.columns.tolist() == ["deal", "hcp", "name", "deal"] and table.index.tolist() == [
        "x",
        "y",
        "z",
    ]
    assert table.dtypes.iloc[[0, 3]].tolist() == ["string", "string"]
    assert table.iloc[:, 3].tolist() == [OTHER, pd.NA, VOID]
    pd.testing.assert_series_equal(table["hcp"], both["hcp"])
    assert both.dtypes.iloc[0] == "deal"  # the frame itself is unchanged
    pd.testing.assert_series_equal(frame["deal"].dealer.to_text(), frame.dealer.to_text()["deal"])
    with pytest.raises(ArgumentError, match="no column of deals"):
        frame[["hcp"]].dealer.to_text()
    with pytest.raises(ArgumentError, match="not deal"):
        frame["name"].dealer.to_text()


def test_arrays_of_objects_and_of_text(frame):
    objects = frame["deal"].to_numpy()
    assert objects.dtype == object and objects[0] == Deal(VOID) and objects[1] is pd.NA
    assert np.asarray(frame["deal"][::2], dtype=str).tolist() == [VOID, OTHER]
    assert frame["deal"].astype(object)[2] == Deal(OTHER)


def test_text_that_is_no_deal_is_refused():
    with pytest.raises(DealError, match="deal 1: .* is unknown"):
        pd.Series([OTHER, STANDARD]).astype("deal")
    assert pd.Series(["", "  ", OTHER]).astype("deal").isna().tolist() == [True, True, False]

"""The pandas column of deals: the acceptance tests of pandas, then tests of attached columns, text and Arrow."""

from __future__ import annotations

import operator
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from pandas.tests.extension import base
from pandas.tests.extension.conftest import (  # noqa: F401
    all_data,
    as_array,
    as_frame,
    as_series,
    box_in_series,
    data_repeated,
    fillna_method,
    groupby_apply_op,
    na_cmp,
    use_numpy,
)

from dealerkit import ArgumentError, Deal, DealArray, DealDtype, DealError, Deals
from dealerkit.cards.frames import render_frame
from tests.support.ranks import unrank_deal

STEP = 10**26
NUMERIC = ["count", "sum", "max", "min", "mean", "prod", "std", "var", "median", "kurt", "skew", "sem"]
ARITHMETIC = ["add", "sub", "mul", "floordiv", "truediv", "pow", "mod"]
PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2])


# North holds all diamonds, all hearts, all spades: as numbers A < B < C.
A, B, C = (f"{seat}:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432" for seat in "SWN")


def column(*numbers: int) -> DealArray:
    return DealArray([Deal(unrank_deal(number * STEP)) for number in numbers])


@pytest.fixture
def dtype():
    return DealDtype()


@pytest.fixture
def data():
    return column(*range(1, 11 if PANDAS >= (3,) else 101))  # older tests want a hundred


@pytest.fixture
def data_missing():
    return DealArray([None, C])


@pytest.fixture
def data_for_sorting():
    return DealArray([B, C, A])


@pytest.fixture
def data_missing_for_sorting():
    return DealArray([B, None, A])


@pytest.fixture
def data_for_grouping():
    return DealArray([B, B, None, None, A, A, B, C])


@pytest.fixture
def na_value():
    return pd.NA


@pytest.fixture(params=[*NUMERIC, "all", "any"])
def all_reductions(request):
    return request.param


@pytest.fixture(params=NUMERIC)
def all_numeric_reductions(request):
    return request.param


@pytest.fixture(params=["all", "any"])
def all_boolean_reductions(request):
    return request.param


@pytest.fixture(params=[operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
def comparison_op(request):
    return request.param


@pytest.fixture(params=[f"__{side}{name}__" for side in ("", "r") for name in ARITHMETIC])
def all_arithmetic_operators(request):
    return request.param


@pytest.fixture(params=["cumsum", "cumprod", "cummin", "cummax"])
def all_numeric_accumulations(request):
    return request.param


@pytest.fixture
def data_for_twos():
    pytest.skip("deals are not numbers")


@pytest.fixture(params=[None, lambda column: column])
def sort_by_key(request):
    return request.param


@pytest.fixture
def using_nan_is_na():
    return True


@pytest.fixture
def using_infer_string():
    return PANDAS >= (3,)


@pytest.fixture
def invalid_scalar():
    return 3.5


class TestPandas(base.ExtensionTests):
    """`pandas.tests.extension.base`; omitted tests have a reason."""

    @pytest.mark.skip("a deal is not more or less than another; the order of a column serves grouping only")
    def test_combine_le(self): ...

    @pytest.mark.skip("objects are made anew each time; that pandas marks them read-only does no harm")
    def test_readonly_propagates_to_numpy_array_method(self): ...

    @pytest.mark.skip("deals are not plotted against an axis")
    def test_plot_on_x_axis(self): ...

    @pytest.mark.skip("deals are not plotted against an axis")
    def test_plot_on_y_axis(self): ...


def with_attached_columns(n: int = 4) -> Deals:
    deals = Deals([unrank_deal(i * STEP) for i in range(n)])
    return deals.replace(
        tables=np.arange(n * 20).reshape(n, 5, 4) % 14,
        vulnerable=np.arange(n) % 4,
        board=np.arange(n) + 1,
        weight=np.arange(n) / 2,
        cluster=np.arange(n) // 2,
    )


def test_attached_columns_are_selected_with_the_rows():
    deals = with_attached_columns()
    series = pd.Series(DealArray(deals))
    assert series[[3, 1]].array.deals.equals(deals[[3, 1]])
    assert pd.concat([series[:1], series[1:]]).array.deals.equals(deals)
    frame = pd.DataFrame({"deal": series, "key": [1, 0, 1, 0]}).sort_values("key", kind="stable")
    assert frame["deal"].array.deals.equals(deals[[1, 3, 0, 2]])
    taken = series.reindex([2, 9])
    assert taken.isna().tolist() == [False, True]
    assert taken.array.deals.weight.tolist() == [1, 1] and taken.array.deals.board.tolist() == [3, -1]
    assert (taken.array.deals.tables[1] == -1).all()


def test_assignments_to_a_column_do_not_change_its_deals():
    deals = with_attached_columns()
    before = deals.hands.copy()
    array = DealArray(deals)
    array[0] = Deal(deals[1].hands, vulnerable=3)
    assert (deals.hands == before).all() and deals.vulnerable[0] == 0
    assert array[0].hands == deals[1].hands and array[0].vulnerable == 3 and array[0].board is None
    assert array.deals.weight[0] == 1 and array.deals.cluster[0] == 2
    array[1:3] = None
    assert array.isna().tolist() == [False, True, True, False]
    array[[1, 2]] = deals[2:].to_pbn()
    assert array[1].hands == deals[2].hands


def test_deals_with_equal_hands_are_equal_in_a_column():
    deals = with_attached_columns(3)
    array = DealArray(Deals.concatenate([deals, deals.replace(vulnerable=[1, 1, 1])]))
    assert array.factorize()[0].tolist() == [0, 1, 2, 0, 1, 2]
    assert array.unique().deals.equals(deals)
    assert array.duplicated().tolist() == [False] * 3 + [True] * 3
    assert (array == deals[0]).tolist() == [True, False, False, True, False, False]
    assert array.isin(array[1:2]).tolist() == [False, True, False] * 2
    assert pd.Series(array).value_counts().tolist() == [2, 2, 2]


def test_columns_are_sorted_by_hands_as_numbers(rng):
    deals = Deals([unrank_deal(int(i) * STEP // 1000) for i in rng.integers(0, 536_000, 200)])
    array = DealArray(deals)
    assert [deal.hands for deal in array[array.argsort()]] == sorted(deal.hands for deal in deals)
    assert array.argsort(ascending=False)[0] == max(range(200), key=lambda i: deals[i].hands)


def test_text_of_a_column_is_pbn():
    deals = with_attached_columns(2)
    series = pd.Series(DealArray([*deals.to_pbn(), None]))
    assert series.astype(str)[:2].tolist() == deals.to_pbn()
    assert series.astype("string")[:2].tolist() == deals.to_pbn() and series.astype("string").isna()[2]
    with pd.option_context("display.max_colwidth", None):
        assert deals.to_pbn()[1] in series.to_string() and "\u2660" not in series.to_string()
        assert deals.to_pbn()[0] in pd.DataFrame({"deal": series}).to_html()
    assert series.astype(str).astype("deal")[:2].tolist() == list(series[:2])


def test_columns_are_read_from_csv_text(tmp_path):
    deals = Deals(with_attached_columns(3).hands)
    frame = pd.DataFrame({"deal": DealArray(deals), "x": [1, 2, 3]})
    frame.to_csv(tmp_path / "deals.csv", index=False)
    back = pd.read_csv(tmp_path / "deals.csv", dtype={"deal": "deal"})
    pd.testing.assert_frame_equal(back, frame)


def test_row_numbers_in_errors_include_missing_deals():
    good = with_attached_columns(1).to_pbn()[0]
    with pytest.raises(DealError, match="deal 2: "):
        pd.Series([good, None, "N:"], dtype="deal")
    with pytest.raises(TypeError, match="texts in PBN, not 3"):
        pd.Series([good, 3], dtype="deal")


def test_arrow_type_is_fixed_size_list_of_uint64():
    pa = pytest.importorskip("pyarrow")
    deals = Deals(with_attached_columns(5).hands)
    array = pa.array(DealArray([*deals, None]))
    assert array.type.extension_name == "dealerkit.deal"
    assert array.type.storage_type == pa.list_(pa.uint64(), 4)
    assert array.storage.to_pylist() == [*deals.hands.tolist(), [None] * 4]
    part = DealDtype().__from_arrow__(array[2:])
    assert part.isna().tolist() == [False] * 3 + [True]
    assert part[:3].deals.equals(deals[2:])
    chunks = pa.chunked_array([array[:1], array[4:]])
    assert DealDtype().__from_arrow__(chunks)[:2].deals.equals(deals[[0, 4]])
    plain = pa.array(DealArray(deals), type=pa.list_(pa.uint64(), 4))
    assert DealDtype().__from_arrow__(plain).deals.equals(deals)
    with_null = pa.array([deals.hands[0].tolist(), None], type=pa.list_(pa.uint64(), 4))
    assert DealDtype().__from_arrow__(with_null).isna().tolist() == [False, True]
    empty = pa.array(DealArray(deals[:0]))
    assert len(DealDtype().__from_arrow__(empty)) == 0


def test_parquet_round_trip(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"deal": DealArray([*Deals(with_attached_columns(5).hands), None]), "x": range(6)})
    frame.to_parquet(tmp_path / "deals.parquet")
    back = pd.read_parquet(tmp_path / "deals.parquet")
    pd.testing.assert_frame_equal(back, frame)
    back.loc[0, "deal"] = back.loc[1, "deal"]  # the array that was read is writable
    assert back["deal"][0] == frame["deal"][1]


@pytest.mark.parametrize("missing", [[], [0], [5], [0, 1, 3], [2, 3, 4], range(6)])
def test_parquet_and_feather_keep_missing_deals(missing, tmp_path):
    pytest.importorskip("pyarrow")
    deals = list(Deals(with_attached_columns(6).hands))
    column = pd.Series(
        DealArray([None if i in missing else deal for i, deal in enumerate(deals)]), name="deal"
    )
    for first in (0, 1):
        frame = column[first:].reset_index(drop=True).to_frame()
        frame.to_parquet(tmp_path / "deals.parquet", row_group_size=2)
        pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "deals.parquet"), frame)
        frame.to_feather(tmp_path / "deals.feather")
        pd.testing.assert_frame_equal(pd.read_feather(tmp_path / "deals.feather"), frame)


def test_parquet_is_read_by_programs_without_the_type(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    deals = Deals(with_attached_columns(3).hands)
    pd.DataFrame({"deal": DealArray(deals)}).to_parquet(tmp_path / "deals.parquet")
    column = pq.read_table(tmp_path / "deals.parquet").column("deal").combine_chunks()
    assert column.storage.to_pylist() == deals.hands.tolist()


def test_accessor_finds_the_single_column():
    deals = with_attached_columns()
    frame = pd.DataFrame({"x": range(4), "deal": DealArray(deals)})
    assert frame.dealer.deals.equals(deals)
    assert frame["deal"].dealer.deals.equals(deals)
    with pytest.raises(ArgumentError, match="no column of deals"):
        _ = frame[["x"]].dealer.deals
    with pytest.raises(ArgumentError, match=r"several columns of deals, \['deal', 'other'\]"):
        _ = frame.assign(other=frame["deal"]).dealer.deals
    with pytest.raises(ArgumentError, match="dtype int64, not deal"):
        _ = frame["x"].dealer.deals
    with pytest.raises(ArgumentError, match=r"'deal' has texts.*frame\.astype\(\{'deal': 'deal'\}\)"):
        _ = frame.assign(deal=frame["deal"].astype("string")).dealer.deals


@pytest.mark.parametrize(
    "imports",
    ["import pandas as pd, dealerkit", "import dealerkit, pandas as pd", "import dealerkit; pd = load()"],
)
def test_pandas_knows_the_dtype_and_the_accessor_from_the_start(imports: str) -> None:
    code = f"""
import importlib, io, sys
def load():
    return importlib.import_module("pandas")
{imports}
text = "deal\\n" + "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
frame = pd.read_csv(io.StringIO(text), dtype={{"deal": "deal"}})
print(frame.dealer.eval("spades(north)").tolist(), pd.Series([None], dtype="deal").dtype)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.stderr) == ("[13] deal\n", "")


def test_dealerkit_does_not_import_pandas() -> None:
    code = "import sys, dealerkit; print('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


def test_accessor_refuses_missing_deals():
    series = pd.Series(DealArray([None, *with_attached_columns(1), None]), index=["a", "b", "c"])
    with pytest.raises(DealError, match=r"row 'a' is missing \(2 of 3 are\); remove them with dropna"):
        _ = series.dealer.deals
    assert len(series.dropna().dealer.deals) == 1


def test_a_frame_has_a_line_for_each_deal_and_a_diagram_on_hover():
    deals = with_attached_columns(3)
    frame = pd.DataFrame({"<script>": [1, 2, 3], "deal": pd.Series(DealArray(deals))})
    frame.loc[1, "deal"] = pd.NA
    hands = [pbn[2:].split() for pbn in deals[[0, 2]].to_pbn()]
    lines = [f"N {north}  S {south} …".replace(" ", "\xa0") for north, _, south, _ in hands]
    assert all(len(line) <= 50 and line in repr(frame) for line in lines)
    page = render_frame(frame)
    table = page.partition("</style>")[2]
    cells = re.compile(r'<div class="dk-cell">(.*?)<div class="dk-hover" hidden>.*?</div></td>')
    assert cells.sub(r"\1</td>", table) == frame._repr_html_()  # all else is that of pandas
    assert re.findall(r"<b>([NESW])</b>&ensp;", page) == list("NESW") * 2 and "href" not in page
    assert render_frame(frame[["<script>"]]) == frame[["<script>"]]._repr_html_()
    with pd.option_context("display.notebook_repr_html", False):
        assert render_frame(frame) is None

"""The pandas column: pandas' own acceptance tests, then what is ours."""

from __future__ import annotations

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

from dealerkit.cards.array import DealArray, DealDtype
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, DealError
from dealerkit.testing.strategies import numbered_deal

STEP = 10**26


# North holds all diamonds, all hearts, all spades: as numbers A < B < C.
A, B, C = (
    f"{seat}:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432" for seat in "SWN"
)


def column(*numbers: int) -> DealArray:
    return DealArray([Deal(numbered_deal(number * STEP)) for number in numbers])


@pytest.fixture
def dtype():
    return DealDtype()


@pytest.fixture
def data():
    return column(*range(1, 11))


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


@pytest.fixture
def invalid_scalar():
    return 3.5


@pytest.fixture(params=[None, lambda x: x])
def sort_by_key(request):
    return request.param


@pytest.fixture(params=[True, False])
def using_copy_on_write(request):
    return True


class TestPandas(base.ExtensionTests):
    """`pandas.tests.extension.base`; what is left out has its reason beside it."""

"""Tables, tricks and contracts in terms of deals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dealerkit import ArgumentError, DealError, Deals, dd_makes, dd_table, dd_tricks
from dealerkit.doubledummy import library
from dealerkit.doubledummy.arguments import (
    strain_number,
    to_numbers,
    to_seat_mask,
    to_seat_numbers,
    to_strain_mask,
)
from dealerkit.scoring import Contract

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")


@pytest.fixture(scope="module")
def solved():
    with np.load(DATA / "solved-40.npz") as file:
        return Deals(file["hands"][:12]), file["tables"][:12]


def test_tables_of_some_strains_and_declarers(solved):
    deals, tables = solved
    table = dd_table(deals[:5], "NT", "ew")
    assert np.array_equal(table[:, 4, [1, 3]], tables[:5, 4][:, [1, 3]])
    assert (table[:, :4] == -1).all() and (table[:, 4, [0, 2]] == -1).all()
    masked = dd_table(deals[:2], to_strain_mask("S"), to_seat_mask("S"))
    assert masked.dtype == np.int8 and np.array_equal(masked[:, 0, 2], tables[:2, 0, 2])
    assert (masked >= 0).sum() == 2
    assert np.array_equal(dd_table(deals.to_pbn()[:3]), tables[:3])


def test_tricks_and_makes(solved):
    deals, tables = solved
    strain, seat = np.arange(12) % 5, list("NESW") * 3
    tricks = tables[np.arange(12), strain, np.arange(12) % 4]
    assert np.array_equal(dd_tricks(deals, strain, seat), tricks)
    assert np.array_equal(dd_tricks(deals, "hearts", "west"), tables[:, 1, 3])
    contracts = [f"{level}{'SHDCN'[s]}" for level, s in zip(np.arange(12) % 7 + 1, strain, strict=True)]
    assert np.array_equal(dd_makes(deals, contracts, seat), tricks >= np.arange(12) % 7 + 7)
    for contract in ("2NTx", Contract.parse("2N")):
        assert np.array_equal(dd_makes(deals, contract, "N"), tables[:, 4, 0] >= 8)


def test_attached_tables_are_used_and_nothing_is_solved(solved, monkeypatch):
    def never(*arguments, **more):
        raise AssertionError("the library was called")

    monkeypatch.setattr(library, "call", never)
    invented = solved[0].replace(tables=np.full((12, 5, 4), 9, np.int8))
    assert (dd_table(invented) == 9).all()
    assert (dd_tricks(invented, 0, 0) == 9).all()
    assert dd_makes(invented, "3NT", "S").all() and not dd_makes(invented, "4S", "S").any()


def test_invalid_arguments(solved):
    deals, _ = solved
    for wrong in (
        lambda: dd_table(deals, "Q"),
        lambda: dd_table(deals, "S", "X"),
        lambda: dd_table(deals, "", "N"),
        lambda: dd_table([1, 2]),
        lambda: dd_table(deals.hands[:, :2]),
        lambda: dd_tricks(deals, "spaces", "N"),
        lambda: dd_tricks(deals, 5, "N"),
        lambda: dd_tricks(deals, [0, 1], "N"),
        lambda: dd_tricks(deals, 0, "Z"),
        lambda: dd_makes(deals, "8S", "N"),
        lambda: dd_makes(deals, ["1S"], "N"),
    ):
        with pytest.raises(ArgumentError):
            wrong()
    for strains in ("", "X", [True], np.zeros(5, bool), [1, 0, 0, 0, 0]):
        with pytest.raises(ArgumentError, match="strains"):
            dd_table(deals, strains)
    with pytest.raises(DealError, match="deal 0"):
        dd_table("N:AK... 32... 54... 76...")


@pytest.mark.parametrize(
    ("text", "number"),
    [("s", 0), ("Spades", 0), ("spade", 0), ("C", 3), ("nt", 4), ("NoTrump", 4), ("n", 4), (3, 3)],
)
def test_names_of_strains(text, number):
    assert strain_number(text) == number


def test_numbers_for_each_deal():
    assert to_numbers("k", 3, 2, 13).tolist() == [3, 3]
    assert to_seat_numbers(np.array(["north", "W"])).tolist() == [0, 3]
    assert to_seat_numbers(np.int64(2)) == 2
    with pytest.raises(ArgumentError, match=r"k is 14 \(deal 1\)"):
        to_numbers("k", [0, 14], 2, 13)

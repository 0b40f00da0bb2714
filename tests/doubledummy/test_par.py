"""Par against the solver library's own par functions, and by hand."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

import dealerkit
from dealerkit import ArgumentError, Deals, par, score
from dealerkit.doubledummy import library
from dealerkit.doubledummy.par import par_contract_text, par_score

LIBRARY_VULNERABILITY = (0, 2, 3, 1)  # of none, north-south, east-west, both


@pytest.fixture(scope="module")
def tables():
    """300 tables of random deals, and some of the few on which the seat that may open first matters."""
    with np.load(Path(dealerkit.__file__).parent / "data" / "solved.npz") as solved:
        all_tables = solved["tables"][:52_480]
    views = zip(par(all_tables).texts("NS"), par(all_tables).texts("EW"), strict=True)
    rare = all_tables[[ns[1][3:] != ew[1][3:] for ns, ew in views]]
    assert len(rare) > 3
    nothing, notrump = np.full((2, 1, 5, 4), 6, np.int8)
    notrump[0, 4] = 7
    return np.concatenate([all_tables[:300], rare, nothing, notrump])


def library_par(table, vulnerable):
    """Return score and contracts from the views of both sides."""
    results = table.astype(np.int32)
    text = ctypes.create_string_buffer(2 * 16 + 2 * 128)
    library.call("Par", results, np.frombuffer(text, np.uint8), LIBRARY_VULNERABILITY[vulnerable])
    raw = text.raw
    words = [raw[a:b].split(b"\0")[0].decode() for a, b in ((0, 16), (16, 32), (32, 160), (160, 288))]
    return (words[0], words[2]), (words[1], words[3])


def library_dealer_par(table, dealer, vulnerable):
    """Return score and number of contracts for a dealer."""
    results, out = table.astype(np.int32), np.zeros(27, np.int32)
    library.call("DealerPar", results, out, dealer, LIBRARY_VULNERABILITY[vulnerable])
    return int(out[1]), int(out[0])


@pytest.mark.parametrize("vulnerable", range(4))
def test_texts_are_those_of_the_library(tables, vulnerable):
    result = par(tables, vulnerable)
    found = list(zip(result.texts("NS"), result.texts("EW"), strict=True))
    assert found == [library_par(table, vulnerable) for table in tables]


@pytest.mark.parametrize("vulnerable", range(4))
@pytest.mark.parametrize("dealer", range(4))
def test_a_dealer_gets_the_library_s_score(tables, vulnerable, dealer):
    result = par(tables, vulnerable, dealer)
    assert result.score.tolist() == [library_dealer_par(table, dealer, vulnerable)[0] for table in tables]


def test_all_seats_make_one_notrump():
    table = np.full((1, 5, 4), 6)
    table[0, 4] = 7
    assert par(table).texts("NS") == [("NS 90", "NS:NS 1N")]
    assert par(table).texts("EW") == [("EW 90", "EW:EW 1N")]
    assert [int(par(table, "none", dealer).score[0]) for dealer in "NESW"] == [90, -90, 90, -90]
    assert par_score(table, "none", 0) == 90 and par_score(table, "none", 1) == -90


def test_no_contract_makes():
    result = par(np.full((1, 5, 4), 6))
    assert result.score.tolist() == [0] and len(result.contracts) == 0
    assert result.texts("NS") == [("NS 0", "NS:")]


def test_rows_of_contracts(tables):
    vulnerable = np.arange(len(tables)) % 4
    result = par(tables, vulnerable, "west")
    rows = result.contracts
    assert set(rows["deal"]) == set(np.flatnonzero(result.score))  # each deal, unless it is passed out
    seat_bits = rows["seats"][:, None] >> np.arange(4) & 1
    for row, bits in zip(rows, seat_bits, strict=True):
        side = int(bits[1] or bits[3])
        sign, vul = 1 - 2 * side, vulnerable[row["deal"]] >> side & 1
        made = tables[row["deal"], row["strain"]][bits.astype(bool)]
        assert (made == row["tricks"]).all() and len(made)
        contract = f"{row['level']}{'SHDCN'[row['strain']]}{'x' * row['doubled']}"
        assert (
            sign * score(contract, int(made[0]), vulnerable=bool(vul))
            == row["score"]
            == result.score[row["deal"]]
        )
        assert row["doubled"] == (made[0] < row["level"] + 6)


def test_vulnerability_in_all_forms(tables):
    some = tables[:50]
    for number, words in enumerate((("none", "None"), ("ns", "NS"), ("ew", "EW"), ("both", "All"))):
        for form in (*words, np.full(50, number), np.int8(number)):
            assert (par(some, form).score == par(some, number).score).all()
    mixed = np.arange(50) % 4
    each = np.stack([par(some, v).score for v in range(4)])
    assert (par(some, mixed).score == each[mixed, np.arange(50)]).all()


def test_deals_with_tables_are_not_solved(tables, monkeypatch):
    monkeypatch.setattr(library, "call", None)
    hands = np.tile(np.array([0x1FFF << s for s in (48, 32, 16, 0)], np.uint64), (5, 1))
    deals = Deals(hands, tables=tables[:5])
    assert (par(deals, "both").score == par(tables[:5], "both").score).all()


# The texts were printed by DealerV2 for these deals; trix gives the tricks, strains C D H S N by declarer N E S W.
DEALERV2 = [
    ("9,2,2,11,6,3,10,11,2,4,9,2,2,11,6,3,10,11,2,4", "100,100,200,200", " 6H* by EW none", " 6H* by EW both"),
    ("3,9,7,4,6,10,4,5,8,7,3,9,7,4,6,10,4,5,9,7", "-100,-140,-100,-140", " 4D* by NS none", " 3S  by W both"),
    ("2,3,7,9,8,10,10,4,3,4,2,3,7,9,8,11,10,6,3,4", "-300,-400,-300,-500", " 5S* by NS none", " 5S* by NS both"),
    ("6,5,6,6,4,7,7,7,5,9,6,5,6,6,4,7,7,7,6,9", "-400,-400,-600,-600", " 3N  by EW none", " 3N  by EW both"),
    ("0,13,0,13,0,13,0,13,0,0,0,13,0,13,0,13,0,13,0,0", "1510,2210,1510,2210", " 7S  by NS none", " 7S  by NS both"),
]  # fmt: skip


@pytest.mark.parametrize(("trix", "scores", "none", "both"), DEALERV2)
def test_texts_of_dealerv2(trix, scores, none, both):
    by_declarer = np.array(trix.split(","), int).reshape(4, 5)
    table = by_declarer[:, [3, 2, 1, 0, 4]].T[None]
    sides = ("none", "ns", "ew", "both")
    assert [int(par_score(table, side, 0)[0]) for side in sides] == [int(s) for s in scores.split(",")]
    assert par_score(table, "ew", 1) == -par_score(table, "ew", 0)
    assert par_contract_text(table, "none") == [none] and par_contract_text(table, "both") == [both]


def test_invalid_tables():
    good = np.full((2, 5, 4), 6)
    for wrong, match in (
        (good[0], r"\[n, 5, 4\]"),
        (good * 1.0, "whole numbers"),
        (np.where(np.arange(2)[:, None, None] == 1, -1, good), "table 1"),
    ):
        with pytest.raises(ArgumentError, match=match):
            par(wrong)
    with pytest.raises(ArgumentError, match="did you mean 'both'"):
        par(good, vulnerable="bth")
    for vulnerable in (4, [0, 1, 2], [0, -1]):
        with pytest.raises(ArgumentError, match="vulnerab"):
            par(good, vulnerable=vulnerable)
    with pytest.raises(ArgumentError, match="view"):
        par(good).texts("N")

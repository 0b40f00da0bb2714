"""Opening leads: both measures agree, with each other, with tables, and with the rules for classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dealerkit import ArgumentError, DealError, Deals, leads, score, solve_board
from dealerkit.cards import RANKS
from dealerkit.doubledummy import library_calls
from dealerkit.doubledummy.store.database import current_store

STRAINS = "SHDCN"


@pytest.fixture(scope="module")
def solved():
    with np.load(Path(__file__).parent.parent / "data" / "solved-40.npz") as file:
        return file["hands"][:20], file["tables"][:20]


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")


@pytest.mark.parametrize(("contract", "declarer"), [("3NT", 2), ("4Sx", 3)])
def test_beats_agrees_with_tricks_and_tricks_with_tables(solved, contract, declarer):
    hands, tables = solved[0][:10], solved[1][:10]
    strain, needed = STRAINS.index(contract[1]), int(contract[0]) + 6
    by_tricks = leads(Deals(hands), contract, declarer, vulnerable=np.arange(10) % 2 == 0)
    beating = leads(Deals(hands), contract, declarer, measure="beats")
    assert (by_tricks.drop(columns=["tricks", "score"]) == beating).all(axis=None)
    best = by_tricks.groupby("deal").tricks.max()
    assert (13 - best == tables[:, strain, declarer]).all()
    assert (by_tricks.beats == (13 - by_tricks.tricks < needed)).all()
    assert 0 < by_tricks.beats.sum() < len(by_tricks)
    for row in by_tricks.itertuples():
        assert row.score == score(contract, 13 - row.tricks, vulnerable=row.deal % 2 == 0)


def test_each_card_belongs_to_one_lead(solved):
    hands, _ = solved
    declarer = np.arange(20) % 4
    frame = leads(Deals(hands), "2H", declarer, measure="beats")
    for deal, part in frame.groupby("deal"):
        held = Deals(hands).to_pbn()[deal][2:].split()[(declarer[deal] + 1) % 4].split(".")
        cards = ["", "", "", ""]
        for row in part.itertuples():
            cards["SHDC".index(row.suit)] += row.card[1] + row.equals
        assert cards == held


def test_cards_and_scores_are_those_of_solve_board(solved):
    hands, _ = solved
    frame = leads(Deals(hands[:3]), "3NT", "east")
    board = solve_board(Deals(hands[:3]), "N", "south", solutions=3)
    from_leads = {(row.deal, row.card): (row.equals, row.tricks) for row in frame.itertuples()}
    from_board = {(row.position, row.card): (row.equals, row.tricks) for row in board.itertuples()}
    assert from_leads == from_board


def kinds_of(holding):
    """Card and kind of the leads from a spade holding; east-west have the other spades, south the hearts."""
    others = "".join(rank for rank in RANKS[::-1] if rank not in holding)
    hearts, diamonds = RANKS[::-1], RANKS[::-1]
    cut = 13 - len(holding)
    north = f"{holding}..{diamonds[:cut]}."
    east = f"{others}...{RANKS[::-1][: 13 - len(others)]}"
    south = f".{hearts}.."
    west = f"..{diamonds[cut:]}.{RANKS[::-1][13 - len(others) :]}"
    frame = leads(f"N:{north} {east} {south} {west}", "1C", "west", measure="beats")
    spades = frame[frame.suit == "S"]
    return dict(zip(spades.card.str[1] + spades["equals"], spades.kind, strict=True))


@pytest.mark.parametrize(
    ("holding", "kinds"),
    [
        ("KQT52", {"KQ": "top of sequence", "T": "honour", "5": "fourth best", "2": "other"}),
        ("JT98", {"JT98": "top of sequence"}),
        ("A9876", {"A": "honour", "9876": "fourth best"}),
        ("9842", {"98": "other", "4": "other", "2": "fourth best"}),
        ("T92", {"T9": "top of sequence", "2": "other"}),
        ("Q73", {"Q": "honour", "7": "other", "3": "other"}),
        ("KJ653", {"K": "honour", "J": "honour", "65": "fourth best", "3": "other"}),
        ("AKQJT98765432", {"AKQJT98765432": "top of sequence"}),
    ],
)
def test_kinds_of_leads(holding, kinds):
    assert kinds_of(holding) == kinds


def test_a_contract_known_to_make_is_not_solved(solved, monkeypatch):
    hands, tables = solved
    goes_down = tables[:, 4, 2] < 9
    counts = []
    call = library_calls.call_boards
    monkeypatch.setattr(
        library_calls, "call_boards", lambda hands, *rest: counts.append(len(hands)) or call(hands, *rest)
    )
    plain = leads(Deals(hands), "3NT", "south", measure="beats")
    assert sum(counts) == 20
    counts.clear()
    frame = leads(Deals(hands, tables=tables), "3NT", "south", measure="beats")
    assert sum(counts) == goes_down.sum() < 20
    assert frame.equals(plain)


@pytest.mark.parametrize("measure", ["tricks", "beats"])
def test_results_of_leads_are_stored(solved, monkeypatch, tmp_path, measure):
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "solved.sqlite"))
    hands, tables = solved
    leads(Deals(hands), "3NT", "south", measure=measure)
    low, high = (bound[:, 4, 2] for bound in current_store().look_up(hands))
    truth = tables[:, 4, 2]
    if measure == "tricks":
        assert (low == truth).all() and (high == truth).all()
    else:
        assert (low == np.where(truth >= 9, 9, 0)).all() and (high == np.where(truth >= 9, 13, 8)).all()


def test_bad_arguments(solved):
    deals = Deals(solved[0][:2])
    with pytest.raises(ArgumentError, match="did you mean 'beats'"):
        leads(deals, "3NT", "south", measure="beat")
    with pytest.raises(ArgumentError, match="not a contract"):
        leads(deals, "8S", "south")
    with pytest.raises(ArgumentError):
        leads(deals, "3NT", "souht")
    with pytest.raises(DealError, match="deal 0"):
        leads("N:32... QJ... AT... K4...", "3NT", "south")
    assert len(leads(deals[:0], "3NT", "south")) == 0


def test_vulnerability_by_names_and_numbers(solved):
    deals = Deals(solved[0][:2])
    both = [
        leads(deals, "3NT", ["south", "west"], vulnerable=v).score.tolist()
        for v in ([False, True], "EW", [0, 3])
    ]
    assert both[0] == both[1] == both[2]
    with pytest.raises(ArgumentError, match=r"\(3,\)"):
        leads(deals, "3NT", "south", vulnerable=[True, False, True])

"""Double-dummy columns against brute force, and the coverage of intervals with deals as clusters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cards.names import card_bit
from dealerkit.tournaments.clustered import estimate_mean
from tests.support import events

STRAINS = "SHDCN"


def write(folder: Path, text: str, name: str = "event.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def list_cards(hand: int) -> list[str]:
    return [
        "SHDC"[suit] + "23456789TJQKA"[rank]
        for suit in range(4)
        for rank in range(13)
        if hand & card_bit(suit, rank)
    ]


def brute_tricks(hands: np.ndarray, strain: int, leader: int, lead: str) -> int:
    """Return the defence's tricks after a lead, from the position after it."""
    suit, rank = "SHDC".index(lead[0]), "23456789TJQKA".index(lead[1])
    solved = dk.solve_board(np.array([hands], np.uint64), strain, leader, solutions=3)
    for row in solved.itertuples():
        cards = [row.card, *(row.card[0] + equal for equal in row.equals)]
        if lead in cards:
            return int(row.tricks)
    raise AssertionError((suit, rank))


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> dk.TournamentResults:
    rng = np.random.default_rng(5)
    deals = dk.deal(60, seed=11).number_boards(1)
    lines = ["board,ns,ew,contract,declarer,tricks,lead,deal"]
    for board, (hands, text) in enumerate(zip(deals.hands.tolist(), deals.to_pbn(), strict=True), 1):
        strain, declarer, level = int(rng.integers(5)), int(rng.integers(4)), int(rng.integers(1, 6))
        for table in range(2):
            lead = rng.choice(list_cards(hands[(declarer + 1) % 4]))
            name = f"{level}{STRAINS[strain]}".replace("N", "NT")
            tricks = int(rng.integers(4, 12))
            lines.append(f"{board},{table + 1},{table + 5},{name},{'NESW'[declarer]},{tricks},{lead},{text}")
    path = write(tmp_path_factory.mktemp("event"), "\n".join(lines) + "\n")
    return dk.results(path, "matchpoints").solve(leads=True)


def test_tricks_and_lead_costs_against_brute_force(event: dk.TournamentResults) -> None:
    deals = event.boards["deal"].array.deals
    results = event.results
    assert len(results) == 120 and results.dd.notna().all() and results.lead_cost.notna().all()
    for row in results.itertuples():
        strain, declarer = STRAINS.index(row.strain), "NESW".index(row.declarer)
        hands = deals.hands[row.deal_id]
        assert row.dd == dk.dd_tricks(deals[[row.deal_id]], strain, declarer)[0]
        leader = (declarer + 1) % 4
        tricks = {
            card: brute_tricks(hands, strain, leader, card) for card in list_cards(int(hands[leader]))
        } if row.Index % 20 == 0 else {row.lead: brute_tricks(hands, strain, leader, row.lead)}  # fmt: skip
        assert 13 - row.dd - tricks[row.lead] == row.lead_cost
        if len(tricks) > 1:
            assert max(tricks.values()) == 13 - row.dd


def test_reports(event: dk.TournamentResults) -> None:
    difference = (event.results.tricks.astype(int) - event.results.dd.astype(int)).to_numpy()
    frame = event.compare_tricks().frame.set_index("group")
    assert frame.loc["all contracts", "mean"] == pytest.approx(difference.mean())
    assert frame.loc["all contracts", ["n", "deals"]].tolist() == [120, 60]
    level = event.results.level.to_numpy(int)
    assert frame.loc["level 3", "mean"] == pytest.approx(difference[level == 3].mean())
    leads = event.compare_leads().frame.set_index("group")
    assert leads.loc["all leads", "mean"] == pytest.approx(event.results.lead_cost.mean())
    assert leads.loc["all leads", "costly"] == pytest.approx((event.results.lead_cost > 0).mean())
    # Leads were chosen at random, so a random card costs about as much.
    assert leads.loc["all leads", "lo"] < leads.loc["all leads", "random"] < leads.loc["all leads", "hi"]
    with pytest.raises(dk.ArgumentError, match="par=True"):
        event.compare_par()
    with pytest.raises(dk.ArgumentError, match="plays=True"):
        event.compare_plays()


def test_a_recorded_play(tmp_path: Path) -> None:
    # The cards of board 1, declarer north in 4H: a whole line of play, then a claim of all the rest.
    deal = dk.Deals.from_pbn([events.DEAL_1])
    line = dk.line(deal[0], "4H by north", "C6")
    cards = [card.card for card in line.cards]
    for shown, tricks in ((52, line.cards[-1].tricks), (9, 13)):
        rows, leader = [], 1
        for start in range(0, shown, 4):
            trick = {card.seat: card.card for card in line.cards[start : start + 4] if card.number <= shown}
            rows.append(" ".join(trick.get((leader + k) % 4, "-") for k in range(4)))
        text = (
            f'[Event "Online"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{events.DEAL_1}"]\n'
            f'[Declarer "N"]\n[Contract "4H"]\n[Result "{tricks}"]\n[Play "E"]\n' + "\n".join(rows) + "\n*\n"
        )
        read = dk.results(write(tmp_path, text, "play.pbn"), "matchpoints")
        assert read.results["play"][0].split() == cards[:shown]
        solved = read.solve(plays=True, par=True).results.iloc[0]
        parts = solved[["lead_cost", "defence_cost", "declarer_cost", "claim"]].tolist()
        assert tricks - solved.dd == parts[0] + parts[1] - parts[2] + parts[3]
        costs = [card.cost for card in line.cards[:shown]]
        assert sum(parts[:3]) == sum(costs)
        assert parts[0] == costs[0]
        assert solved.par_ns == dk.par(deal, "none", "north").score[0]


def test_a_play_that_cannot_be_followed(tmp_path: Path) -> None:
    text = (
        "board,ns,ew,contract,declarer,tricks,deal\n"
        f"1,1,2,4H,N,10,{events.DEAL_1}\n1,3,4,4H,N,9,{events.DEAL_1}\n"
    )
    read = dk.results(write(tmp_path, text), "matchpoints")
    read.results.loc[0, "play"] = "C6 CK C8 HA"
    solved = read.solve(plays=True)
    assert "cannot be followed" in " ".join(solved.remarks.text)
    assert solved.results.defence_cost.isna().all() and solved.results.dd.notna().all()


def test_without_cards(tmp_path: Path) -> None:
    read = dk.results(write(tmp_path, "board,ns,ew,contract,declarer,tricks\n1,1,2,4H,N,10\n"), "matchpoints")
    with pytest.raises(dk.ArgumentError, match="deals="):
        read.solve()


def test_intervals_have_deals_as_clusters() -> None:
    """Tables of a deal share a part of their value; 1,000 samples of 30 deals of 20 tables."""
    rng = np.random.default_rng(3)
    deals = np.repeat(np.arange(30), 20)
    covered = naive = 0
    n = 1000
    for _ in range(n):
        values = np.round(0.1 + rng.normal(0, 0.5, 30)[deals] + rng.normal(0, 0.8, 600), 1)
        found = estimate_mean(values, deals)
        covered += found.lo <= 0.1 <= found.hi
        half = 1.96 * values.std(ddof=1) / np.sqrt(600)
        naive += abs(values.mean() - 0.1) <= half
    assert 0.93 <= covered / n <= 0.97
    assert naive / n < 0.7  # as if all were independent


def test_no_interval_below_ten_deals() -> None:
    deals = np.repeat(np.arange(9), 5)
    assert np.isinf(estimate_mean(np.arange(45.0), deals).lo)
    assert np.isfinite(estimate_mean(np.arange(50.0), np.repeat(np.arange(10), 5)).lo)

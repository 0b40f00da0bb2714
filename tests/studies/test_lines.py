"""Lines of play: each position and each cost as endplay solves it; given plays; mistakes."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, DealError, Deals, line
from tests.studies.same_numbers import check_same_numbers


@pytest.fixture(scope="module")
def solved():
    with np.load(Path(__file__).parent.parent / "data" / "solved-40.npz") as file:
        return Deals(file["hands"]), file["tables"]


def replay_with_endplay(played, strain):
    """Solve each position of a line with endplay; yield the card and the costs of all legal cards."""
    pytest.importorskip("endplay")
    from endplay.dds import solve_board
    from endplay.types import Card, Deal, Denom, Player

    deal = Deal(played.deal.pbn)
    deal.trump = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)[strain]
    deal.first = (Player.north, Player.east, Player.south, Player.west)[(played.declarer + 1) % 4]
    for card in played.cards:
        assert deal.curplayer == (Player.north, Player.east, Player.south, Player.west)[card.seat]
        scores = {}
        for found, tricks in solve_board(deal):
            scores[found.suit.name[0].upper() + found.rank.abbr] = tricks
        best = max(scores.values())
        yield card, {name: best - tricks for name, tricks in scores.items()}
        deal.play(Card(card.card))


@pytest.mark.parametrize(("row", "contract", "declarer"), [(0, "3NT", "south"), (7, "4S", "east")])
def test_the_costs_of_every_position_are_those_of_endplay(solved, row, contract, declarer):
    deals, tables = solved
    played = line(deals[row], contract, declarer)
    strain = "SHDCN".index(contract[1])
    assert played.tricks == played.double_dummy == tables[row, strain, "NESW".index(declarer[0].upper())]
    for card, costs in replay_with_endplay(played, strain):
        assert card.costs == costs
        assert card.cost == 0
    assert {card.tricks for card in played.cards} == {played.tricks}


def play_at_random(deal, strain, declarer, seed):
    """52 legal cards, chosen at random."""
    chance = random.Random(seed)
    hands = [set() for _ in range(4)]
    for seat, text in enumerate(deal.pbn[2:].split()):
        for suit, holding in zip("SHDC", text.split("."), strict=True):
            hands[seat] |= {suit + rank for rank in holding}
    leader, cards = (declarer + 1) % 4, []
    for _ in range(13):
        trick = []
        for k in range(4):
            hand = hands[(leader + k) % 4]
            follows = [card for card in hand if trick and card[0] == trick[0][0]]
            card = chance.choice(sorted(follows or hand))
            hand.remove(card)
            trick.append(card)
        cards += trick
        value = [(c[0] == "SHDCN"[strain], c[0] == trick[0][0], "23456789TJQKA".index(c[1])) for c in trick]
        leader = (leader + value.index(max(value))) % 4
        yield trick, leader


@pytest.mark.parametrize("row", [1, 2, 3])
def test_the_costs_of_a_given_play_add_up_to_the_difference(solved, row):
    deals, tables = solved
    tricks = list(play_at_random(deals[row], 1, 3, row))
    cards = [card for trick, _ in tricks for card in trick]
    played = line(deals[row], "4H by west", cards=" ".join(cards))
    assert [card.card for card in played.cards] == cards
    assert all(card.given for card in played.cards)
    assert played.tricks == sum(winner % 2 == 1 for _, winner in tricks)
    assert played.double_dummy == tables[row, 1, 3]
    declaring, defending = played.costs_by_side
    assert declaring + defending > 0
    assert played.tricks == played.double_dummy - declaring + defending
    frame = played.frame
    assert frame.cost.sum() == declaring + defending
    assert (frame.tricks.diff().abs().fillna(0).iloc[1:] == frame.cost.iloc[1:]).all()


def test_a_lead_is_kept_and_the_rest_is_played_double_dummy(solved):
    deals, _ = solved
    frame = dk.leads(deals[:1], "3NT", "south")
    for row in frame.itertuples():
        played = line(deals[0], "3NT by south", lead=row.card)
        assert [card.given for card in played.cards] == [True] + [False] * 51
        assert played.tricks == 13 - row.tricks
        assert played.cards[0].cost == frame.tricks.max() - row.tricks


def test_forms_of_a_play(solved):
    deals, _ = solved
    whole = line(deals[0], "3NT by south")
    cards = [card.card for card in whole.cards][:10]
    expected = [(card.card, card.costs) for card in whole.cards]
    in_table = []
    for first in (0, 4):  # PBN: the columns begin with the seat that leads first
        trick = sorted(whole.cards[first : first + 4], key=lambda card: (card.seat - 3) % 4)
        in_table.append(" ".join(card.card for card in trick))
    for given in (
        cards, " ".join(cards), "pc|" + "|pc|".join(card.lower() for card in cards) + "|",
        "\n".join(in_table), [*cards, "-", "S2"], "♦5 ♦3", tuple(cards),
    ):  # fmt: skip
        played = line(deals[0], "3NT", "S", cards=given)
        assert [(card.card, card.costs) for card in played.cards] == expected


def test_text_and_html(solved):
    deals, _ = solved
    played = line(deals[0], "3NT by south", cards="DJ D3 DK DQ HK")
    assert played.cards[4].cost > 0
    text = str(played)
    assert text.startswith("3NT by south: 9 tricks; 5 double dummy\n\n")
    assert deals[0].diagram(symbols=False) in text and "\n  trick  led by  North" in text
    assert f"HK ({played.cards[4].cost})" in text
    assert "in all 0 of declarer's side and 4 of the defence." in text
    page = played._repr_html_()
    assert '<span class="dk-d">♦\ufe0e</span>J' in page
    assert page.count("<tr>") == 14 + len(played.card().tables[1].rows) + 1
    assert "dk-north" in page  # the diagram of the deal
    check_same_numbers(played)
    assert repr(played) == "<LineOfPlay of 3NT by south: 9 tricks; 5 double dummy, lead DJ>"
    with pytest.raises(AttributeError):
        played.contract = None


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"cards": "D5 D3 D4 D2"}, DealError, "card 4: D2 is held by east, and it is south's turn"),
        ({"cards": "D5 D5"}, DealError, "card 2: D5 was played before"),
        ({"cards": "D5 D3 XX"}, DealError, "card 3 of the play is 'XX'; write a card as SA or H10"),
        ({"lead": "D5", "cards": "D5"}, ArgumentError, "give the lead as the first of the cards"),
        ({"contract": "3NT"}, ArgumentError, "3NT has no declarer; write '3NT by south'"),
        ({"contract": "pass"}, ArgumentError, "a deal that is passed out has no play"),
        ({"lead": "D55"}, DealError, "card 1 of the play is 'D55'"),
    ],
)
def test_mistakes(solved, arguments, error, message):
    with pytest.raises(error, match=message):
        line(solved[0][0], **{"contract": "3NT by south"} | arguments)


def test_a_card_that_does_not_follow_suit(solved):
    north = solved[0][0].hand("north").split(".")
    assert north[2], "north has a diamond"
    card = next(
        suit + holding[0] for suit, holding in zip("SHC", [north[0], north[1], north[3]], strict=True)
    )
    with pytest.raises(DealError, match=f"card 2: north plays {card} and still has a card of the suit led"):
        line(solved[0][0], "3NT by south", cards=["D5", card])


def test_several_deals(solved):
    with pytest.raises(ArgumentError, match=r"needs one deal, not 2; give deals\[0\]"):
        line(solved[0][:2], "3NT by south")
    with pytest.raises(DealError, match="the deal is not whole"):
        line("N:AKQJT9876543... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432", "3NT by south")


def test_a_play_that_ends_with_a_claim_or_is_absent():
    deal = "N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"
    first = ["HA", "H9", "H3", "H2"]
    for cards in ("pc|HA|pc|H9|pc|H3|pc|H2|mc|10|", "HA H9 H3 H2 claim", ["HA", "H9", "H3", "H2", "*"]):
        played = dk.line(deal, "4S by south", cards=cards)
        assert [card.card for card in played.cards if card.given] == first
    assert not any(card.given for card in dk.line(deal, "4S by south", cards=None).cards)
    with pytest.raises(dk.ArgumentError, match="cards are 5; give the play as text"):
        dk.line(deal, "4S by south", cards=5)

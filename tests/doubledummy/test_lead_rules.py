"""Opening leads by rules: the cards of the convention card, and tricks as endplay solves them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dealerkit import ArgumentError, DealError, Deals
from dealerkit.cards import RANKS
from dealerkit.cards.names import SUIT_LETTERS
from dealerkit.cards.text import parse_hand
from dealerkit.doubledummy.leads import choose_leads, tricks_after_lead


def card_led(hand, strain, rule):
    row, suit, rank = choose_leads(np.array([parse_hand(hand)], np.uint64), "SHDCN".index(strain), rule)
    assert row.tolist() == [0]
    return SUIT_LETTERS[suit[0]] + RANKS[rank[0]]


# The bold cards of the "Leads" section of the ACBL convention card; spades are the longest suit.
NOTRUMP_BOLD = {
    "AKJ2": "A", "AQJ2": "Q", "AJT9": "J", "AT92": "T", "KQJ2": "K", "KQT9": "K", "QJT2": "Q", "QT92": "T",
    "JT92": "J", "T982": "T",
}  # fmt: skip
SUIT_BOLD = {"AK32": "A", "KQ32": "K", "QJ32": "Q", "JT92": "J", "KQT9": "K", "T932": "T", "KJT2": "J",
             "KT92": "T", "QT92": "T"}  # fmt: skip


@pytest.mark.parametrize("rule", ["fourth best", "third and fifth", "attitude", "top of sequence"])
def test_honour_leads_are_those_of_the_convention_card(rule):
    for holding, card in NOTRUMP_BOLD.items():
        assert card_led(f"{holding}.643.653.542", "N", rule) == "S" + card
    for holding, card in SUIT_BOLD.items():
        assert card_led(f"{holding}.643.653.542", "H", rule) == "S" + card


@pytest.mark.parametrize(
    ("hand", "strain", "rule", "card"),
    [
        ("KJ742.Q93.T5.J62", "N", "fourth best", "S4"),
        ("KJ742.Q93.T5.J62", "N", "third and fifth", "S2"),
        ("KJ742.Q93.T5.J62", "N", "attitude", "S2"),
        ("97542.A93.KT5.62", "N", "attitude", "S9"),  # no honour: the highest
        ("K854.Q932.T75.62", "N", "fourth best", "S4"),  # equal lengths: more points
        ("8542.9732.T75.62", "N", "fourth best", "S2"),  # equal points: the higher-ranking
        ("KJ742.Q93.T5.J62", "S", "fourth best", "H3"),  # not trumps; the queen beats the jack
        ("KJ742.Q932.T54.6", "S", "third and fifth", "H3"),
        ("AJ742.Q93.T54.J6", "H", "fourth best", "DT"),  # not from the ace; three small: the highest
        ("A9742.A93.A54.A6", "H", "fourth best", "SA"),  # all aces: the ace of the longest suit
        ("K8742.QJT.654.J6", "N", "top of sequence", "HQ"),
        ("K8742.QJT.654.J6", "N", "fourth best", "S4"),
        ("K8742.Q93.654.J6", "N", "top of sequence", "S4"),
        ("K8742.Q93.KQ4.J6", "N", "top of sequence", "S4"),  # at notrump a sequence has three cards
        ("K8742.Q93.KQ4.J6", "H", "top of sequence", "DK"),
        ("...AKQJT98765432", "C", "fourth best", "CA"),  # only trumps
        ("5.Q93.AKQ654.J62", "N", "attitude", "DA"),
        ("5432.Q9.A7654.62", "S", "attitude", "HQ"),
    ],
)
def test_the_card_of_each_rule(hand, strain, rule, card):
    assert card_led(hand, strain, rule) == card


@pytest.fixture(scope="module")
def hands():
    with np.load(Path(__file__).parent.parent / "data" / "solved-40.npz") as file:
        return file["hands"]


def endplay_tricks(hands, strain, declarer, chosen):
    """Declarer's tricks after each card, from endplay, which plays the card and solves for dummy."""
    pytest.importorskip("endplay")
    from endplay.dds import solve_board
    from endplay.types import Card, Deal, Denom, Player

    denoms = Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt
    players = Player.north, Player.east, Player.south, Player.west
    expected = []
    for row, suit, rank in zip(*(column.tolist() for column in chosen), strict=True):
        deal = Deal(Deals(hands[row : row + 1]).to_pbn()[0])
        deal.trump, deal.first = denoms[strain], players[(declarer + 1) % 4]
        deal.play(Card(SUIT_LETTERS[suit] + RANKS[rank]))
        expected.append(max(tricks for _, tricks in solve_board(deal)))
    return expected


@pytest.mark.parametrize(("strain", "declarer", "rule"), [(4, 2, "fourth best"), (1, 3, "top of sequence")])
def test_tricks_are_those_of_endplay_after_the_card(hands, strain, declarer, rule):
    part = hands[:10]
    chosen = choose_leads(part[:, (declarer + 1) % 4], strain, rule)
    tricks = tricks_after_lead(Deals(part), strain, declarer, rule)
    assert tricks.tolist() == endplay_tricks(part, strain, declarer, chosen)
    makes = tricks_after_lead(part, strain, declarer, rule, target=np.arange(10) + 3)
    assert (makes == (tricks >= np.arange(10) + 3)).all()


def test_a_function_may_allow_several_cards_of_which_the_best_is_led(hands):
    part = hands[:6]

    def longest_or_shortest(hand, strain):
        assert strain == "notrump"
        suits = [suit + holding for suit, holding in zip("SHDC", hand.split("."), strict=True) if holding]
        return [max(suits, key=len)[:2], (low := min(suits, key=len))[0] + low[-1]]

    both = tricks_after_lead(part, "notrump", "west", longest_or_shortest)
    single = [
        tricks_after_lead(part, 4, 3, lambda hand, strain, k=k: longest_or_shortest(hand, strain)[k])
        for k in (0, 1)
    ]
    assert (both == np.minimum(*single)).all()


def test_strains_and_declarers_may_differ_from_deal_to_deal(hands):
    part, strains, declarers = hands[:8], np.array([0, 4, 1, 4, 2, 3, 0, 1]), np.arange(8) % 4
    together = tricks_after_lead(part, strains, declarers, "attitude")
    alone = [
        int(tricks_after_lead(part[i : i + 1], int(strains[i]), int(declarers[i]), "attitude")[0])
        for i in range(8)
    ]
    assert together.tolist() == alone
    assert tricks_after_lead(hands[:0], 4, 2, "attitude").shape == (0,)


def test_mistakes(hands):
    with pytest.raises(ArgumentError, match="did you mean 'fourth best'"):
        tricks_after_lead(hands[:1], 4, 2, "forth best")
    with pytest.raises(ArgumentError, match="unknown rule of leads 4; known: fourth best"):
        tricks_after_lead(hands[:1], 4, 2, 4)
    with pytest.raises(ArgumentError, match="chose 'ZZ', which is not a card of"):
        tricks_after_lead(hands[:1], 4, 2, lambda hand, strain: "ZZ")
    with pytest.raises(ArgumentError, match="chose no card from"):
        tricks_after_lead(hands[:1], 4, 2, lambda hand, strain: [])
    with pytest.raises(DealError, match="leads need whole deals"):
        tricks_after_lead(np.zeros((1, 4), np.uint64), 4, 2, "attitude")

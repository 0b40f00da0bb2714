"""Auctions: notations, messages, and their conditions against bidding every hand."""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import dealerkit as dk
from dealerkit.bidding import parse_auction
from tests.bidding.plain_system import Hand, PlainSystem

FOLDER = Path(__file__).parent / "systems"
DRAFT = FOLDER / "sayc_draft.system"


@pytest.fixture(scope="module")
def draft() -> dk.System:
    return dk.system(DRAFT)


def make(calls: str, system: dk.System, dealer: str = "north", **options) -> dk.Auction:
    return dk.auction(calls, system, dealer, defence=system, **options)


# ------------------------------------------------------------ notations
@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("1NT-3NT", "1NT P 3NT"), ("1H (1S) 2H", "1H 1S 2H"), ("1NT P 3NT AP", "1NT P 3NT AP"),
        ("1NT 3NT", "1NT 3NT"), ("1H-(1S)-2H-(P)-4H", "1H 1S 2H P 4H"), ("(1S) X", "1S X"), ("P-1H", "P P 1H"),
        ("Pass 1NT Pass 3NT All Pass", "P 1NT P 3NT AP"), ("1n p 3n p p p", "1NT P 3NT AP"),
        ("1NT=1= X =2= XX $1 AP", "1NT X XX AP"), ("mb|1N|mb|p|mb|3N!|mb|p|mb|p|mb|p|", "1NT P 3NT AP"),
        ("1nt – 2♣ – 2♥ – 3nt", "1NT P 2C P 2H P 3NT"), ("1♠\ufe0e P 2♦\ufe0e", "1S P 2D"),
        ('[Auction "S"]\n1NT Pass 3NT Pass', "1NT P 3NT P"), ("1S-2S-4S-AP", "1S P 2S P 4S AP"), ("P P P P", "P P P P"),
    ],
)  # fmt: skip
def test_notations(text, calls):
    parsed, dealer, _ = parse_auction(text, 0)
    assert parsed == parse_auction(calls, 0)[0]
    assert dealer == (2 if "[Auction" in text else 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1NT-1H", "1H after 1NT is too low .call 3 of 1NT P 1H."), ("1NT-10H", "the levels are 1 to 7"),
        ("2S P 2H", "2H after 2S is too low"), ("1NT (X", "a bracket is not closed"), ("hello", "'hello' in the auction"),
        ("1H (1S) (2S)", "a call of our side is missing before .2S."), ("1C-X", "no bid of the opponents to double"),
        ("", "an auction is a text such as"), ("1NT P P P P", "after the auction has ended"), ("XX", "no double"),
        ("1NT-P-2C-P-2H", "for those of all players write '1NT P 2C P 2H'"), ("1H-X-1H", "^there is no bid of the opponents[^;]*$"),
        ("P P P P P", "after the auction has ended"), ("1NT ? 3NT", "is not a call"),
    ],
)  # fmt: skip
def test_auctions_that_cannot_be_read(text, message):
    with pytest.raises(dk.ArgumentError, match=message):
        dk.auction(text)


# ------------------------------------------------------------ what is understood
def test_the_report_of_an_auction(draft):
    auction = make("1NT-3NT", draft, "south")
    assert auction.contract == "3NT by south" and auction.side == "NS" and not auction.not_covered
    assert [each.text for each in auction.understood] == [
        "balanced, a five-card major is possible",
        "",
        "to play",
    ]
    assert "11.76 (10-14)" in auction.text and "1NT P 3NT, south deals" in auction.text
    # The pass of the opponent behind opener takes out his overcalls: 8.60 points, alone.
    assert round(auction.figures["west"].points[0], 2) == 8.60
    assert auction.figures["north"].share_without_negations == pytest.approx(
        dk.probability("hcp(north) >= 10 and hcp(north) <= 15").value
    )


def test_figures_are_exact(draft):
    auction = make("1NT-3NT", draft, "south")
    for seat, figures in auction.figures.items():
        alone = [clause for clause in auction.find_condition()[0].split(" and not ") if seat not in clause]
        assert alone  # other hands have clauses, too
        single = dk.auction("1NT-3NT", draft, "south", defence=draft)
        text = single.condition_of(seat)
        assert figures.share == pytest.approx(dk.probability(text).value, abs=1e-15)
        mean = dk.distribution(f"hcp({seat})", given=text).attrs["mean"]
        assert figures.points[0] == pytest.approx(mean, abs=1e-12)


def test_unknown_calls_are_named(draft):
    auction = make("1NT-4C", draft, "south")
    assert auction.not_covered[0].status == "not in context"
    assert (
        "North's 4C is not in 'SAYC core' after 1NT (it has 4NT 2H 2D 2C 3NT 3C 3D 2NT 2S P 6NT); nothing is "
        'assumed about it; line to add: after 1NT / 4C condition "text".'
    ) in auction.text
    with pytest.raises(dk.ArgumentError, match="4C is not in"):
        make("1NT-4C", draft, "south", strict=True)
    closed = make("1NT P 3NT AP", draft, "south")
    assert "Nothing is inferred from east's pass after (1NT) P (3NT) and 2 later calls: " in closed.text


def test_calls_that_no_hand_makes():
    system = dk.parse_system("opening\n1C hcp 12+\nP otherwise\nafter (1C)\n2NT hcp 13+\nP otherwise\n")
    with pytest.raises(dk.ArgumentError, match=r"no hand of north makes these calls: P, then 2NT"):
        dk.auction("P P P 1C 2NT", system, "north", defence=system)
    with pytest.raises(dk.ArgumentError, match="unknown inference 'non'"):
        dk.auction("1C", system, inference="non")


def test_switches(draft):
    full, silent = make("1NT-3NT", draft), make("1NT-3NT", draft, opponents="silent")
    assert "east" in full.figures and "east" not in silent.figures
    assert silent.understood[1].status == "silent"
    plain = make("1NT-3NT", draft, inference="calls")
    assert plain.find_condition()[0] == (
        "hcp(north) >= 15 and hcp(north) <= 17 and shape(north, any 4333 + any 4432 + any 5332) and "
        "hcp(south) >= 10 and hcp(south) <= 15"
    )


def test_exact_shares_of_two_hands(draft):
    """The figures that were counted by hand-written conditions before there were auctions."""
    for calls, percent in (("1NT-3NT", "0.496258"), ("2S-P", "0.311103")):
        estimate = dk.probability(make(calls, draft, opponents="silent"))
        assert estimate.exact and f"{100 * estimate.value:.6f}" == percent
    double = dk.probability(make("1NT X P", draft))
    assert double.exact and f"{100 * double.value:.6f}" == "0.105902"


# ------------------------------------------------------------ the population
AUCTIONS = [
    "1NT-3NT", "1NT-2C-2H", "1NT-2C-2S-3NT", "1NT-2H-2S", "1NT-2D-2H", "1NT-P", "1NT-2NT", "1S-2S-4S", "1S-2S-P", "1H-2H-3H",
    "1H-2NT", "1H-1S", "1S-2C", "1H-1NT", "2S-4S", "2H-2NT", "2S P P", "3D", "2C", "P P 1H", "P P P 1NT", "P P P P",
    "1NT (X)", "(1H) 1S", "(1D) X", "1H (1S) 2H", "1H (1S) X", "(1NT) 2H", "(2S) 2NT", "P P 1H 1S 2H", "P 1C 1H", "1S X",
]  # fmt: skip


def bid_by_hand(plain: PlainSystem, calls: tuple[str, ...], hands: np.ndarray) -> np.ndarray:
    """Return which deals produce the calls: each player asks the plain interpreter; undefined calls fit all."""
    headers = {
        "": "opening", "1NT": "after 1NT", "1NT 2C": "after 1NT 2C", "1NT 2H": "after 1NT 2H", "1NT 2D": "after 1NT 2D",
        "1H": "after 1H", "1S": "after 1S", "1H (1S)": "after 1H (1S)", "(1NT)": "after (1NT)",
    }  # fmt: skip
    fits = np.ones(len(hands), bool)
    for number, call in enumerate(calls):
        first = next((k for k, each in enumerate(calls[:number]) if each != "P"), number)
        seen = [
            f"({each})" if (number - k) % 2 else each
            for k, each in list(enumerate(calls[:number]))[first:]
            if each != "P" or (number - k) % 2 == 0
        ]
        key, suits = " ".join(seen), {}
        names = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
        header = headers.get(key)
        if key in ("1S 2S", "1H 2H"):
            header, suits = "after 1M 2M", {"M": names[key[1]]}
        elif key in ("2S", "2H"):
            header, suits = "after 2M", {"M": names[key[1]]}
        elif len(seen) == 1 and key[0] == "(" and key[1] in "12" and key[2] in names:
            header, suits = f"after ({key[1]}x)", {"x": names[key[2]]}
        if header is None:
            continue
        order = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]
        bids = [each for each in calls[:number] if each in order]
        legal = set(order[order.index(bids[-1]) + 1 :] if bids else order) | {"P"}
        if seen and seen[-1].startswith("("):
            legal.add("X")
        for row in np.flatnonzero(fits):
            hand = Hand.from_word(int(hands[row, number % 4]))
            fits[row] = plain.choose(header, hand, suits, legal) == call
    return fits


QUICK = ("1NT-3NT", "1S-2S-4S", "2S P P", "P P P P", "1H (1S) X", "(1D) X")


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[] if text in QUICK else pytest.mark.slow) for text in AUCTIONS]
)
def test_the_condition_is_bidding_each_hand(draft, text):
    """The same deals meet the condition as produce the calls, each hand bid by the plain interpreter."""
    plain = PlainSystem.read(DRAFT.read_text(encoding="utf-8"))
    auction = make(text, draft)
    deals = dk.deal(800, seed=11)
    # Deals that the condition selects, among many others: rare auctions must be among them.
    some = dk.deal(40, seed=12, given=auction)
    hands = np.concatenate([deals.hands, some.hands])
    expected = bid_by_hand(plain, auction.calls, hands)
    met = dk.Deals(hands).eval(f"({auction.condition}) ? 1 : 0" if auction.condition != "1" else "1") != 0
    assert np.array_equal(met, expected)
    assert expected[-40:].all()


@functools.cache
def deal_plainly() -> np.ndarray:
    return dk.deal(1_200_000, seed=21).hands


@pytest.mark.slow
@pytest.mark.parametrize("text", AUCTIONS)
def test_the_population_is_that_of_dealt_and_bid_hands(draft, text):
    """Chi-square of points and lengths of all hands, dealt with the condition and by bidding plain deals."""
    auction = make(text, draft)
    hands = deal_plainly()
    for number, call in enumerate(auction.calls):
        choices = draft.find_choices(auction.calls[:number])
        if choices is not None:
            own = np.ascontiguousarray(hands[:, number % 4])
            hands = hands[choices.names[choices.choose(own)] == call]
    bid = dk.Deals(hands)
    dealt = dk.deal(20_000, seed=22, given=auction)
    assert len(bid) > 60
    for expression in (
        "hcp(north)",
        "hcp(south)",
        "hcp(west)",
        "spades(north)",
        "hearts(south)",
        "clubs(east)",
    ):
        counts = [np.bincount(np.clip(deals.eval(expression), 0, 40), minlength=41) for deals in (bid, dealt)]
        table = np.array(counts)
        rare = table.sum(axis=0) < 60
        table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
        table = table[:, table.sum(axis=0) > 0]
        if table.shape[1] > 1:
            assert stats.chi2_contingency(table).pvalue > 1e-5, expression


# ------------------------------------------------------------ as given
def test_all_that_take_a_condition_take_an_auction(draft):
    auction = make("1NT-3NT", draft, "south")
    text = auction.condition
    assert (dk.deal(20, seed=3, given=auction).hands == dk.deal(20, seed=3, given=text).hands).all()
    script = 'action average "w" hcp(west)'
    results = [dk.run(script, given=given, produce=300, seed=4)["w"].mean for given in (auction, text)]
    assert results[0] == results[1]
    # About one hand, so that shares are counted
    opening = make("1NT", draft, "south")
    for measure in (dk.probability, dk.distribution):
        shares = [measure("hcp(west) >= 10", given=given) for given in (opening, opening.condition)]
        assert shares[0].equals(shares[1]) if measure is dk.distribution else shares[0] == shares[1]
    means = [dk.estimate("hcp(west)", given=given, precision=0.5).value for given in (auction, text)]
    assert means[0] == means[1]
    with pytest.warns(dk.AuctionWarning, match="south's hand would not make its calls"):
        light = "predeal south SAKJT75,H4,DQJ5,C762 action average hcp(west)"
        dk.run(light, given=make("1S-2S-4S", draft, "south"), produce=5, seed=1)
    hands = ("AQT98.AK2.A32.32", "5432.QJ4.QJ4.AKQ")
    play = dk.suit(*hands, suit="spades", given=make("P 1NT", draft, "west", opponents="silent"))
    assert "Given P 1NT by SAYC core, west deals." in play.text
    deals = dk.deal(20_000, seed=5)
    assert deals.where(auction).to_pbn() == deals.where(text).to_pbn()
    layouts = dk.layouts("AK2.A87.KQ4.J843", "south", n=2, seed=1, strain="notrump", given=auction)
    assert layouts.deals.where(auction).to_pbn() == layouts.deals.to_pbn()


def test_a_further_condition(draft):
    auction = make("1NT", draft, "south", opponents="silent").where("hcp(north) >= 8 or spades(north) >= 5")
    further = auction.where("hearts(north) == 2")
    assert repr(further).endswith("where (hcp(north) >= 8 or spades(north) >= 5) and (hearts(north) == 2)>")
    deals = dk.deal(500, given=further, seed=1)
    texts = ("hcp(north)", "spades(north)", "hearts(north)", "hcp(south)")
    points, spades, hearts, opener = (deals.eval(text) for text in texts)
    assert ((points >= 8) | (spades >= 5)).all() and (hearts == 2).all()
    assert opener.min() == 15 and opener.max() == 17 and points.min() < 8 and spades.min() < 5
    # P(A | B) = P(A and B) / P(B), with the auction alone as condition
    both, extra = "hcp(north) == 9 and hearts(north) == 2", "hearts(north) == 2"
    alone = make("1NT", draft, "south", opponents="silent")
    shares = [dk.probability(text, given=alone).value for text in (both, extra)]
    found = dk.probability("hcp(north) == 9", given=alone.where(extra)).value
    assert found == pytest.approx(shares[0] / shares[1], rel=1e-12)
    assert "Further condition, not part of the figures: hearts(north) == 2." in alone.where(extra).text
    assert "and (hearts(north) == 2)" in alone.where(extra).condition
    assert alone.where(extra).close().further == extra
    practice = dk.practice(alone.where("hcp(north) == 7"), 30, {"other": 1}, seed=2)
    assert (practice.deals.eval("hcp(north)") == 7).all()
    for text, message in (("hcp(north) >", "expression"), ("action average hcp(north)", "single condition")):
        with pytest.raises(dk.DealerkitError, match=message):
            alone.where(text)


def test_studies_take_an_auction(draft, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    auction = make("1NT-3NT", draft, "south")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.DealerkitWarning)
        study = dk.lead("QJ752.K83.94.T62", given=auction, produce=3, seed=1)
        contracts = dk.contracts(auction, ["3NT by south", "2NT by south"], produce=3, seed=1)
    assert "Given: 1NT P 3NT AP by SAYC core, south deals." in study.text and "3NT by south" in study.text
    assert "Given: 1NT P 3NT by SAYC core, south deals." in contracts.text
    assert study.deals.where(auction).to_pbn() == study.deals.to_pbn()
    with pytest.raises(dk.ArgumentError, match="the contract is missing"):
        dk.lead("QJ752.K83.94.T62", given="hcp(south) > 15")


def test_known_hands_win(draft):
    auction = make("1S-2S-4S", draft, "south")
    light = {"south": "AKJT75.4.QJ5.762"}  # 11 points with six spades open; this hand passes 2S
    with pytest.warns(dk.AuctionWarning, match="south's hand would not make its calls by 'SAYC core'"):
        deals = dk.deal(5, seed=1, given=auction, predeal=light)
    assert len(deals) == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error", dk.AuctionWarning)
        dk.deal(5, seed=1, given=auction, predeal={"south": "AKJT75.4.AKQ5.76"})
        dk.deal(5, seed=1, given=auction, predeal={"south": "SAKJ"})


def test_run_refuses_a_condition_beside_another_dialect(draft):
    for options in ({"dialect": "v1"}, {"untrusted": True}):
        with pytest.raises(dk.ArgumentError, match="given cannot be combined with"):
            dk.run("action printcompact", given=make("1NT", draft), produce=1, **options)
    result = dk.run("condition hcp(west) >= 10", given="hcp(east) >= 10", produce=50, seed=1)
    assert (result.deals.eval("hcp(west) >= 10 and hcp(east) >= 10") == 1).all()

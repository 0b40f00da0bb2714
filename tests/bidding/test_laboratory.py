"""Systems on the same hands: differences, auctions of boards, auctions that systems produce, notes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.bidding import parse_auction
from dealerkit.bidding.calls import RANKS
from tests.bidding.plain_system import Hand, PlainSystem

TOYS = (
    'system "Five"\nopening\n1S hcp 12+, spades 5+\n1H hcp 12+, hearts 5+\n1NT hcp 12+\nP otherwise\nafter 1S\n2S spades 3+\n4S hcp 13+\n1NT hcp 6+\nP otherwise',
    'system "Four"\nopening\n1S hcp 12+, spades 4+\n1H hcp 12+, hearts 4+\n1NT hcp 13+\nP otherwise\nafter 1S\n2S spades 4+\n1NT hcp 6+ forcing\nP otherwise',
)  # fmt: skip


@pytest.fixture(scope="module")
def toys():
    return tuple(dk.parse_system(text) for text in TOYS)


# ------------------------------------------------------------ difference
def test_a_difference_is_a_count_of_hands(toys):
    difference = toys[0].difference(toys[1])
    exact = dk.probability(
        "hcp(north) >= 12 and spades(north) < 5 and hearts(north) < 5 and spades(north) == 4"
    )
    pairs = {(pair.call, pair.other): pair for pair in difference.pairs}
    assert pairs["1NT", "1S"].share.fraction == exact.fraction
    passed = dk.probability("hcp(north) == 12 and spades(north) < 4 and hearts(north) < 4")
    assert pairs["1NT", "P"].share.fraction == passed.fraction
    opened = dk.probability("hcp(north) >= 12 and spades(north) < 5 and hearts(north) < 5")
    assert pairs["1NT", "1S"].share_of_call.fraction == exact.fraction / opened.fraction
    assert sum(pair.share.fraction for pair in difference.pairs) == 1
    unequal = sum(pair.share.fraction for key, pair in pairs.items() if key[0] != key[1])
    assert difference.differing.fraction == unequal
    assert difference.share("4S", "7NT").fraction == Fraction(0)


def test_a_difference_of_shipped_systems_is_that_of_dealt_hands():
    sayc, acol = dk.system("sayc"), dk.system("acol")
    difference = sayc.difference("acol")
    deals = dk.deal(200_000, seed=5)
    differ = (sayc.bid(deals) != acol.bid(deals)).mean()
    assert abs(differ - difference.differing.value) < 5 * (0.25 / 200_000) ** 0.5
    assert sayc.difference(sayc).differing.fraction == 0
    dealt = sayc.difference("acol", given=deals)
    assert not dealt.differing.exact and dealt.differing.value == differ
    assert f"The calls differ with {100 * difference.differing.value:.2f} % of the hands." in difference.text
    weak = sayc.difference(dk.system("sayc", {"notrump": 12})).card()
    assert weak.title == "SAYC and SAYC, notrump 12: openings"


# ------------------------------------------------------------ conditional frequencies
def test_frequencies_of_deals_are_those_of_their_hands(toys):
    opener = dk.auction("1S", toys[0], "south", defence=toys[0])
    found = toys[0].frequencies("1S", given=opener, produce=20_000, seed=3)
    deals = dk.deal(20_000, given=opener, seed=3)
    calls = toys[0].bid(deals, "north", "1S")  # the partner of the dealer, without saying so
    assert found["2S"].value == (calls == "2S").mean() and found["2S"].n == 20_000
    # The exact share, of all pairs of hands
    exact = dk.probability("spades(north) >= 3", given="hcp(south) >= 12 and spades(south) >= 5").value
    assert abs(found["2S"].value - exact) < 4 * (exact * (1 - exact) / 20_000) ** 0.5
    same = toys[0].frequencies("1S", given=deals, seat="north")
    assert same["1NT"].value == (calls == "1NT").mean()
    with pytest.raises(dk.ArgumentError, match="no deal meets given"):
        toys[0].frequencies("1S", given=deals[:0])


# ------------------------------------------------------------ auctions of boards
def test_each_call_has_its_class(toys):
    deals = dk.Deals.from_pbn(
        "N:AQ543.K84.KQ9.72 JT8.QJ9.T72.K943 K62.A752.J54.AT8 97.T63.A863.QJ65",
    ).replace(dealer=[0], vulnerable=[0], board=[7])  # fmt: skip
    explained = toys[0].explains(deals, ["1S P 4S P P X"])
    rows = [(each.number, each.call, each.status, each.system_call) for each in explained.calls]
    assert rows[0] == (1, "1S", "same call", "1S")
    assert rows[1][2] == "no context" and rows[1][3] == ""
    assert rows[2] == (3, "4S", "meaning not met", "2S")
    frame = explained.to_frame()
    assert frame.loc[0, "board"] == 7 and frame.loc[0, "hand"] == "AQ543.K84.KQ9.72" and len(frame) == 6
    assert explained.count("no context") == 4 and "50.0 % of 2 calls" in explained.text
    others = toys[0].explains(deals, ["1NT P P P"]).calls[0]
    assert (others.status, others.system_call) == ("meaning met", "1S")
    assert toys[0].explains(deals, ["2C"]).calls[0].status == "not in context"
    assert toys[1].explains(deals, ["1S P 1NT P P"]).calls[2].status == "same call"


def test_calls_of_boards_are_judged_as_by_the_plain_interpreter():
    """The call of the system on many boards is that of the plain interpreter of its file."""
    draft = Path(__file__).parent / "systems" / "sayc_draft.system"
    plain, system = PlainSystem.read(draft.read_text(encoding="utf-8")), dk.system(draft)
    deals = dk.deal(150, seed=4)
    explained = system.explains(deals, ["1NT P 3NT AP"] * 150, dealer="north")
    legal = {*RANKS, "P"}
    for each in explained.calls:
        header = {1: "opening", 3: "after 1NT"}.get(each.number)
        if header:
            hand = Hand.from_word(int(deals.hands[each.row, each.number - 1]))
            allowed = legal if each.number == 1 else {c for c in legal if c == "P" or RANKS[c] > RANKS["1NT"]}
            assert each.system_call == plain.choose(header, hand, {}, allowed)
            assert (each.status == "same call") == (each.call == each.system_call)


def test_boards_without_usable_auctions(tmp_path):
    sayc = dk.system("sayc")
    deals = dk.deal(4, seed=1)
    with pytest.raises(dk.ArgumentError, match="have no auctions"):
        sayc.explains(deals)
    with pytest.raises(dk.ArgumentError, match="a text for each of 4 deals"):
        sayc.explains(deals, ["1NT"])
    explained = sayc.explains(deals, ["", "1NT 1C", "- - 1NT", "1NT P P P"])
    assert [row for row, _ in explained.skipped] == [0, 1, 2, 3]
    assert explained.skipped[3][1] == "its dealer is not known"
    assert "says nothing about these calls" in explained.text
    file = tmp_path / "boards.pbn"
    file.write_text(
        f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{deals[0].pbn}"]\n[Auction "N"]\n1D =1= Pass 1H Pass\n2H AP\n[Note "1:natural"]\n',
        encoding="utf-8",
    )
    read = sayc.explains(dk.read(file))
    assert [each.call for each in read.calls] == ["1D", "P", "1H", "P", "2H", "P", "P", "P"]


# ------------------------------------------------------------ auctions that systems produce
def test_deals_are_bid_hand_by_hand():
    """Each auction is legal and ended, and each call is that of the system after the calls before."""
    sayc, acol = dk.system("sayc"), dk.system("acol")
    deals = dk.deal(60, seed=8)
    bidden = dk.bid_out(deals, sayc, acol, dealer="east")
    for row, text in enumerate(bidden.auctions):
        calls = parse_auction(text, 1)[0]
        for number, call in enumerate(calls):
            seat = (1 + number) % 4
            choices = (sayc, acol)[seat % 2].find_choices(calls[:number])
            if choices is None:
                assert call == "P"
                continue
            expected = str(choices.names[choices.choose(deals.hands[row : row + 1, seat])[0]])
            assert call == (expected or "P")
        assert calls[-3:] == ("P", "P", "P")
    assert set(bidden.to_frame()["end"]) <= {"", "gap", "no context", "forced"}


def test_ends_of_auctions(toys):
    deals = dk.deal(5000, seed=2)
    bidden = dk.bid_out(deals, toys[1], toys[1], dealer="north", silent="EW")
    texts = bidden.auctions.tolist()
    assert all(call == "P" for text in texts for call in text.replace("AP", "P P P").split()[1::2])
    ends = {text: set(bidden.ends[np.array(texts) == text]) for text in set(texts)}
    assert ends["1S P 1NT AP"] == {"forced"}  # one notrump forces, and nothing follows
    assert ends["1H AP"] == {"no context"} and ends["P P P P"] == {""}
    assert bidden.share_of("forced").n == sum(text != "P P P P" for text in texts)
    assert bidden.contracts[texts.index("1S P 2S AP")] == "2S"
    with pytest.raises(dk.ArgumentError, match="takes deals"):
        dk.bid_out("1NT")


@pytest.mark.parametrize(("name", "silent"), [("sayc", "EW"), ("sayc", None), ("two-over-one", "EW")])
def test_auctions_end_where_the_system_ends_them(name, silent):
    """Nearly all; no bid but the last is passed because the system says nothing."""
    bidden = dk.bid_out(dk.deal(3000, seed=9), name, dealer="north", silent=silent)
    failed = sum(bidden.share_of(end).value for end in ("gap", "forced", "no context"))
    assert failed < 0.003
    games = np.isin([text[:1] for text in bidden.contracts], ["3", "4", "5", "6"])
    assert 0.2 < games.mean() < 0.5


def test_everybody_passes_as_often_as_the_condition_says():
    """Bidding out and the condition of the auction give the same deals."""
    deals = dk.deal(20_000, seed=6)
    bidden = dk.bid_out(deals, dealer="south")
    for text in ("P P P P", "1NT P P P", "1S P 2S AP", "1D P 1H P 1NT AP"):
        auction = dk.auction(text, dealer="south")
        produced = np.flatnonzero(bidden.auctions == auction.text_of_calls)
        met = np.flatnonzero(deals.eval(f"({auction.condition}) ? 1 : 0"))
        assert set(produced) <= set(met)
        if not auction.not_covered:
            assert np.array_equal(produced, met)


# Auctions of which an earlier version of these files made others that a player would call silly
SENSIBLE = [
    (
        "two-over-one",
        "AK954.KQ96.Q7.Q8",
        "J7.JT852.A832.T9",
        "1S P 1NT P 2H AP",
    ),  # nine hearts, not seven spades
    ("sayc", "AJT87.J93.K.AQ97", "96.Q85.AT75.JT42", "1S P 1NT P 2C AP"),
    (
        "sayc",
        "3.AK8542.AJT9.K2",
        "K9654.T76.KQ2.93",
        "1H P 2H P 4H AP",
    ),  # 15 points, but six trumps and a singleton
    ("sayc", "KQ3.KQJ9752.872.", "A986.T84.AJ53.JT", "1H P 2H P 4H AP"),
    ("sayc", "Q6.AKQ98542.5.84", "T954.J.KT76.QJ53", "1H P 1S P 4H AP"),
    ("acol", "AQJ6.AJ.AQ943.Q8", "KT9753.75.J762.9", "1D P 1S P 4S AP"),  # four points, six spades
    ("sayc", "AKQ9.T654.K.KQ85", "JT7542.92.AT8.T4", "1C P 1S P 4S AP"),
]


@pytest.mark.parametrize(("name", "north", "south", "expected"), SENSIBLE)
def test_hands_are_bid_as_players_would(name, north, south, expected):
    deals = dk.deal(1, predeal={"north": north, "south": south}, seed=1)
    assert dk.bid_out(deals, name, dealer="north", silent="EW").auctions[0] == expected


# ------------------------------------------------------------ notes
def test_notes_have_every_line():
    system = dk.system("two-over-one")
    frame = system.notes().to_frame()
    assert len(frame) == sum(len(context.lines) for context in system.list_contexts())
    page = system.notes().to_html()
    assert page.lower().startswith("<!doctype html>") and "game force, five hearts or more" in page
    text = system.notes().text
    assert "After 1S seat 1-2" in text and "$notrump is 15" in text and "good(x)" in text

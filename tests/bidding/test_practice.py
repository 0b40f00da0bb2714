"""Practice of a call: which boards are dealt, their auctions in files, and the answers of sheets."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from scipy import stats

import dealerkit as dk
from dealerkit.simulation.practice import deal_practice
from tests.bidding.plain_system import Hand, PlainSystem

DRAFT = Path(__file__).parent / "systems" / "sayc_draft.system"
CALLS = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]


@pytest.fixture(scope="module")
def draft() -> dk.System:
    return dk.system(DRAFT)


@pytest.fixture(scope="module")
def plain() -> PlainSystem:
    return PlainSystem.read(DRAFT.read_text(encoding="utf-8"))


def respond(plain: PlainSystem, hand: int) -> str:
    return plain.choose("after 1NT", Hand.from_word(hand), {}, {"P", *CALLS[CALLS.index("1NT") + 1 :]})


def test_boards_have_the_calls_in_their_shares(draft, plain):
    """The call of each board is that of the plain interpreter of the file."""
    made = dk.auction("1NT-2C", draft, "south", defence=draft)
    boards = dk.practice(made, 60, {"2D": 0.5, "other": 1.5}, seed=1)
    expected = []
    for row, hands in enumerate(boards.deals.hands.tolist()):
        assert plain.choose("opening", Hand.from_word(hands[2]), {}, {"P", *CALLS}) == "1NT"
        expected.append(respond(plain, hands[0]))
        shown = re.sub(r"=\d=", "", boards.texts["auction"][row]).split()
        assert shown == ["1NT", "Pass", "Pass" if expected[-1] == "P" else expected[-1]]
    counts = Counter("other" if call not in ("2C", "2D") else call for call in expected)
    assert counts == {"2C": 20, "2D": 10, "other": 30}
    assert len({call for call in expected if call not in ("2C", "2D")}) > 2
    assert boards.deals.dealer.tolist() == [2] * 60 and boards.deals.board.tolist() == list(range(1, 61))
    # Without shares: the deals of the auction
    alone = dk.practice(made, 5, seed=1)
    assert (alone.deals.hands == dk.deal(5, given=made, seed=1).hands).all()
    assert len(set(alone.texts["auction"])) == 1


def test_the_other_calls_are_as_frequent_as_in_deals_of_the_calls_before(draft, plain):
    made = dk.auction("1NT-2C", draft, "south", defence=draft)
    deals = deal_practice(made, 1500, {"2C": 1, "other": 2}, seed=2)
    dealt = Counter(respond(plain, hand) for hand in deals.hands[:, 0].tolist())
    assert dealt.pop("2C") == 500
    opened = dk.deal(4000, given=dk.auction("1NT", draft, "south", defence=draft), seed=3)
    # West passes in the auction, over the opening of the deals too.
    opened = opened.where(dk.auction("1NT (P)", draft, "south", defence=draft))
    plainly = Counter(respond(plain, hand) for hand in opened.hands[:, 0].tolist())
    calls = [call for call in plainly if call != "2C" and plainly[call] > 20]
    table = [[dealt[call] for call in calls], [plainly[call] for call in calls]]
    assert stats.chi2_contingency(table).pvalue > 1e-4


@pytest.mark.parametrize("ending", ["pbn", "lin"])
def test_files_have_the_calls_with_their_meanings(tmp_path, ending):
    boards = dk.practice(dk.auction("1NT-2C", dealer="south"), 6, {"other": 1}, seed=1)
    file = tmp_path / f"stayman.{ending}"
    boards.write(file)
    read = dk.read(file)
    assert read.deals.to_pbn() == boards.deals.to_pbn()
    for name in ("auction", "auction_notes"):
        assert [text.split() for text in read.texts[name]] == [text.split() for text in boards.texts[name]]
    if ending == "lin":
        # Calls that the system marks are alerted, all calls with a meaning are explained
        assert "|mb|2C!|an|Stayman, 8 points or more|" in file.read_text()
        assert "|mb|1N|an|balanced, a five-card major is possible, 15 to 17 points|" in file.read_text()


def test_meanings_have_the_points_of_all_hands_that_make_the_call():
    toy = dk.parse_system(
        'opening\n2C hcp 22+ "strong"\n1NT hcp 15-17 "balanced"\n1S hcp 12+, spades 5+ "spades"\n'
        '1C hcp 21 "odd"\nP hcp 11- "weak"\n2D spades 0, hearts 0 "any"\nP otherwise\n'
    )
    expected = {
        "2C": "strong, 22 points or more", "1NT": "balanced, 15 to 17 points", "1S": "spades, 12 to 21 points",
        "1C": "odd, 21 points", "P": "weak, at most 20 points", "2D": "any, 12 to 20 points",
    }  # fmt: skip
    for call, text in expected.items():
        boards = dk.practice(dk.auction(call, toy), 1, seed=1)
        assert boards.texts["auction_notes"] == [f"1:{text}"]


def test_rotated_boards_keep_their_auctions():
    """The dealer of each number has the hand that opens; the system explains all calls."""
    sayc = dk.system("sayc")
    boards = dk.practice(dk.auction("1H-2H", dealer="west"), 8, {"other": 1}, seed=4, first=3, rotate=True)
    assert boards.deals.dealer.tolist() == [2, 3, 0, 1, 2, 3, 0, 1]
    calls = sayc.explains(boards).calls
    assert len(calls) == 24 and {each.status for each in calls} == {"same call"}


def test_openings_and_calls_of_opponents_are_practised():
    sayc = dk.system("sayc")
    boards = dk.practice("P P 2S", 8, {"other": 1}, seed=1)  # south's opening
    assert boards.content.name == "P P ?"
    assert sayc.bid(boards.deals, "south", "P P").tolist().count("2S") == 4
    overcalls = dk.practice("1H (1S)", 8, {"other": 1}, seed=1)
    calls = sayc.bid(overcalls.deals, "east", "(1H)").tolist()
    assert calls.count("1S") == 4
    assert [
        text.split()[-1].split("=")[0].replace("Pass", "P") for text in overcalls.texts["auction"]
    ] == calls
    assert dk.practice("1NT", 2, {"other": 1}, seed=1).content.name == "Openings"


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({}, "give a mapping of calls to numbers"), ({"7NT": 1}, "SAYC has no call 7NT there; its calls: 4NT, 2H"),
        ({"2D": 0}, "the share of '2D' is 0"), ({"2D": "many"}, "give a number above 0"),
        ({3: 1}, "SAYC has no call"), ([1], "give a mapping of calls to numbers"),
    ],
)  # fmt: skip
def test_wrong_shares(shares, message):
    with pytest.raises(dk.ArgumentError, match=message):
        dk.practice("1NT-2C", 4, shares)


def test_calls_that_the_system_does_not_have():
    with pytest.raises(dk.ArgumentError, match="SAYC has no call 7C there"):
        dk.practice("1NT-7C", 4, {"other": 1})
    with pytest.raises(dk.ArgumentError, match="says nothing after .*, so there is no call to choose"):
        dk.practice("1NT-7C-P", 4, {"other": 1})


def test_a_sheet_has_the_meanings_with_the_answers():
    toy = dk.parse_system(
        'opening\n1S spades 5+ "five <or> more"\nP otherwise\nafter 1S\n2S spades 3+\nP otherwise\n'
    )
    boards = dk.practice(dk.auction("1S-2S", toy, "south", defence=toy), 5, {"other": 1}, seed=1)
    html = boards.page().html
    questions, _, answers = html.partition("<b>Answers</b>")
    assert "five" not in questions and answers.count("five &lt;or&gt; more") >= 5
    assert "<title>Practice</title>" in html and "tricks double dummy" not in html
    # The calls, west first: south's 1S is the fourth cell
    tables = re.findall(r'<table aria-label="Auction">.*?<tbody>(.*?)</tbody>', answers)
    cells = re.findall(r"<td>(.*?)</td>", tables[0])
    assert [re.sub("<.*?>", "", cell)[:1] for cell in cells[:4]] == ["", "", "", "1"]
    assert re.sub("<.*?>", "", cells[5])[:2] == ("2♠" if boards.texts["auction"][0].endswith("2S") else "Pa")
    assert len(tables) == 10  # on paper and on telephones
    # Diagrams of all hands have the auctions below them, unless an auction is to be written
    assert boards.page(hands="NESW").html.count('aria-label="Auction"') == 10
    assert "<b>Answers</b>" in boards.page(hands="NESW", auction=2).html
    assert 'aria-label="Auction"><thead' not in boards.page(hands="S", auction=0, answers=False).html

"""`Deal` and its HTML."""

from __future__ import annotations

import pickle
import re
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given

from dealerkit import ArgumentError, Deal, DealError, read
from dealerkit import deal as deal_many
from dealerkit.appearance.html import read_style, render_fragment
from dealerkit.cards import card_bit, html
from dealerkit.cards.html import count_points
from tests.support.ranks import DEALS, unrank_deal
from tests.support.strategies import single_deals

PBN = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"


@given(single_deals())
def test_repr_is_a_constructor(deal):
    assert eval(repr(deal)) == deal
    assert hash(eval(repr(deal))) == hash(deal)
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert Deal(deal.pbn).hands == deal.hands


def test_deals_differ_by_vulnerability_dealer_and_board():
    assert Deal(PBN) != Deal(PBN, vulnerable=0)
    assert len({Deal(PBN), Deal(PBN), Deal(PBN, board=3)}) == 2


def test_deals_are_frozen():
    with pytest.raises(AttributeError):
        Deal(PBN).board = 3


@pytest.mark.parametrize("seat", [2, "south", "S", "s"])
def test_hand_of_a_seat_by_number_word_and_letter(seat):
    assert Deal(PBN).hand(seat) == "765.J765.AKQ.AKQ"


@pytest.mark.parametrize(
    ("seat", "remedy"), [("suoth", "did you mean 'south'"), (4, "0 to 3"), (-1, "0 to 3")]
)
def test_unknown_seats_are_refused(seat, remedy):
    with pytest.raises(ArgumentError, match=remedy):
        Deal(PBN).hand(seat)


def test_errors_of_faulty_deals_name_the_cards():
    hands = list(Deal(PBN).hands)
    hands[0] ^= card_bit(0, 12) | card_bit(0, 8)  # the ace of spades becomes the ten, which east has
    with pytest.raises(DealError, match="SA is missing; ST is held by north and east$"):
        Deal(hands)
    with pytest.raises(DealError, match="C3 is missing; north has 12 cards"):
        Deal(PBN.replace(".32 ", ".2 "))
    with pytest.raises(DealError, match="four hands"):
        Deal(hands[:3])


@pytest.mark.parametrize("known", [{"vulnerable": 4}, {"dealer": -1}, {"dealer": "north"}])
def test_values_out_of_range_are_refused(known):
    with pytest.raises(ArgumentError, match="0 to 3"):
        Deal(PBN, **known)


class Reader(HTMLParser):
    """Collects text and checks that tags are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.classes = [], [], set()

    def handle_starttag(self, tag, attributes):
        if tag not in ("br", "input"):  # they have no end
            self.open.append(tag)
        self.classes.update((dict(attributes).get("class") or "").split())

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@given(single_deals())
def test_html_is_well_formed_and_contains_the_cards(deal):
    reader = Reader()
    reader.feed(html.render_deal(deal.hands, deal.vulnerable, deal.dealer, deal.board))
    assert not reader.open
    holdings = [holding or "–" for seat in range(4) for holding in deal.hand(seat).split(".")]
    assert [piece for piece in reader.text if piece in holdings][:16] == holdings
    assert ("vul" in reader.classes) == (deal.vulnerable not in (None, 0))
    assert ("dealer" in reader.classes) == (deal.dealer is not None)


@pytest.mark.parametrize(
    ("board", "css", "middle"), [(7, "bm", "7"), (4204, "bm small", "4204"), (10_000, "bm", "")]
)
def test_the_number_of_a_board_fits_into_its_square(board, css, middle):
    assert f'<span class="{css}">{middle}</span>' in html.render_deal([0] * 4, board=board)
    assert f"Board {board}" in html.render_deal([0] * 4, board=board)


def test_points_are_those_of_the_evaluator():
    deals = deal_many(40, seed=5)
    expected = deals.eval("hcp(west)")
    assert [count_points(int(hand)) for hand in deals.hands[:, 3]] == expected.tolist()


def test_the_viewer_and_what_is_copied_have_the_deal():
    deal = Deal(PBN, vulnerable=1, dealer=2, board=7)
    shown = deal._repr_html_()
    (address,) = re.findall(r'href="([^"]+)"', shown)
    query = parse_qs(urlsplit(unescape(address)).query)
    assert {query[name][0] for name in "dvb"} == {"s", "n", "7"}
    for seat, name in enumerate("nesw"):
        suits = re.findall("[shdc][2-9tjqka]*", query[name][0])
        assert ".".join(suit[:0:-1].upper() for suit in suits) == deal.hand(seat)
    assert escape(f'[Deal "{PBN}"]') in shown
    (line,) = re.findall(r"qx\|o7\|.*?pg\|\|", shown)
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.lin")
        path.write_text(line, encoding="utf-8")
        (again,) = read(path)
    assert (again.pbn, again.vulnerable, again.dealer) == (PBN, 1, 2)


def test_html_escapes_text_of_users():
    assert "<script" not in render_fragment("", "<script>")
    assert '"x"' not in html.render_hand(0, '"x"').replace("&quot;x&quot;", "")
    assert "<b" not in html.render_deal([0] * 4, name="<b>").replace("<b>N", "").replace("<br", "").replace(
        "<b>E", ""
    ).replace("<b>S", "").replace("<b>W", "")


def test_every_class_that_html_uses_has_a_style():
    reader = Reader()
    for board in (1, 4204):
        reader.feed(Deal(PBN, vulnerable=1, dealer=0, board=board)._repr_html_())
    assert {name for name in reader.classes if f".{name}" not in read_style()} == set()


def test_unranking_of_the_first_and_last_deal():
    # 52! / 13!^4, e.g. the ACBL Encyclopedia of Bridge, "Mathematics of bridge"
    assert DEALS == 53_644_737_765_488_792_839_237_440_000
    assert Deal(unrank_deal(0)).hand("west") == "...AKQJT98765432"
    assert Deal(unrank_deal(DEALS - 1)).hand("west") == "AKQJT98765432..."

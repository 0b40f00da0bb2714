"""Practice sheets of partial deals: bidding sheets, problems of bidding and of play."""

from __future__ import annotations

import re

import pytest

import dealerkit as dk

PLAY = dk.PartialDeal("N:AKQJ.T98.5432.32 - 7654.Axx.KQ.xxxx -", dealer=2, vulnerable=3, board=7)
BIDDING = dk.PartialDeal("N:KQ5.AJ6.KT87.Q92 - - -")
PAIR = dk.PartialDeal("N:AK... - QJ5.AJ6.KT87. -")
TEXTS = {
    "contract": ["4S", ""],
    "declarer": ["N", ""],
    "lead": ["HK", ""],
    "auction": ["Pass Pass 1S=1= Pass 4S Pass Pass Pass", "1H Pass"],
    "auction_notes": ["1:11 to 15, five spades", ""],
    "comment": ["Plan the <play>.\nWhere are the ♥?", ""],
}
PROBLEMS = dk.PartialDeals([PLAY, BIDDING], TEXTS)


def read_part(html: str, name: str) -> str:
    return html.partition(f'<main class="{name}">')[2].partition("</main>")[0]


def strip_tags(html: str) -> str:
    """Return the words of HTML, without the mark after symbols of suits."""
    return " ".join(re.sub("<[^>]*>", " ", html).replace("\ufe0e", "").split())


def test_diagrams_have_what_is_known_and_what_the_file_says():
    page = PROBLEMS.page(title="Play")
    for part in ("paper", "phone"):
        html = read_part(page.html, part)
        first, second = html.split("<article")[1:]
        # An unknown hand has its seat only, x is a card, and points are those of 13 known cards.
        assert len(re.findall("</i><span>", first)) == 8 and "Axx" in first and "xxxx" in first
        assert 'aria-label="North, 10 points"' in first and 'aria-label="South, 9 points"' in first
        assert 'aria-label="East"' in first and "East, " not in first
        words = strip_tags(first)
        assert "Board 7 Dealer S All vul." in words and "1 ♠ 11 to 15, five spades" in words
        assert "Contract 4 ♠ by North, lead ♥ K. Plan the &lt;play&gt;. Where are the ♥ ?" in words
        # Board 2 has the dealer and sides of its number; its auction ends with the call that is to be found.
        words = strip_tags(second)
        assert (
            "Board 2 Dealer E N-S vul." in words and "W N E S 1 ♥ Pass ?" in words and "Contract" not in words
        )
    assert "Answers" not in page.html and "bid" not in read_part(page.html, "paper").split("class=")


def test_one_hand_is_a_problem_with_its_auction():
    page = dk.PartialDeals(
        [BIDDING, BIDDING], {"auction": ["1H Pass", ""], "comment": ["", "What now?"]}
    ).page()
    first, second = read_part(page.html, "paper").split('<section class="card">')[1:]
    assert "1 North · dealer N · None vul." in strip_tags(first.replace("&middot;", "·"))
    assert "Pass" in first and 'class="bid"' not in first
    # Without an auction there is room for one.
    assert 'class="bid"' in second and "What now?" in second


def test_two_partners_have_one_half_each_and_the_text_is_at_the_end():
    texts = {name: values[:1] for name, values in TEXTS.items()}
    page = dk.PartialDeals([PLAY], texts).page()
    paper = read_part(page.html, "paper")
    sheets = paper.split('<section class="sheet">')[1:]
    assert len(sheets) == 2 and sheets[0].count('<section class="card">') == 2
    assert "Contract" not in sheets[0] and "Fold along the dashed line." in sheets[0]
    assert "pass." not in sheets[0]  # there is an auction, in which the others may have bid
    assert "The hands together" in sheets[1] and "Contract 4" in strip_tags(sheets[1])
    assert "East and West pass." in dk.PartialDeals([PLAY]).page().html
    # A hand without 13 known cards has question marks and no points.
    page = dk.PartialDeals([PAIR]).page(points=True)
    assert (
        "<span>KT87?</span>" in page.html
        and "<span>AK?</span>" in page.html
        and 'aria-label="North"' in page.html
    )


def test_long_remarks_take_more_pages():
    short = dk.PartialDeals([PLAY] * 12).page(hands="NESW").html
    long = dk.PartialDeals([PLAY] * 12, {"comment": ["Plan the play. " * 20] * 12}).page(hands="NESW").html
    count = [read_part(html, "paper").count('<section class="sheet">') for html in (short, long)]
    assert count == [2, 3]  # six diagrams to a page; with seven lines below each, four
    assert read_part(long, "paper").count("<article") == 12


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(dk.ArgumentError, match="solve: the cards of these boards are not all known"):
        PROBLEMS.page(solve=True)
    with pytest.raises(dk.ArgumentError, match="hands is 'NX'"):
        PROBLEMS.page(hands="NX")
    for number in ("a", 1.5, 0, -3, 10**12):
        with pytest.raises(dk.ArgumentError, match="first_board"):
            PROBLEMS.page(first_board=number)
    assert "Board 7" in dk.PartialDeals([PLAY]).page(first_board=7).html
    assert "No deals." in dk.PartialDeals([]).page().html


def test_a_notebook_shows_the_boards():
    html = PROBLEMS._repr_html_()
    assert html.count("<article") == 2 and "2 boards" in html and "Plan the &lt;play&gt;." in html
    # A board with x has no address for the viewer; the other has, without hands that are unknown.
    (link,) = re.findall(r"handviewer.html\?([^\"]*)", html)
    assert link.startswith("n=s5qkh6jad78tkc29q") and "&amp;e=" not in link

"""Practice sheets: every board with its hands, facts and answers; the file as text."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

import dealerkit as dk

# Law 2 of duplicate bridge and its table: dealer and vulnerability of boards 1 to 16.
BOARDS = "N- EN SE WA NN EE SA W- NE EA S- WN NA E- SN WE".split()
SIDES = {"-": "None", "N": "N-S", "E": "E-W", "A": "All"}
DEALS = dk.deal(32, seed=5)
SOLVED = dk.solved_sample()[:9]
WHOLE_SUITS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def paper(html: str) -> str:
    return html.partition('<main class="paper">')[2].partition("</main>")[0]


def phone(html: str) -> str:
    return html.partition('<main class="phone">')[2].partition("</main>")[0]


def read_hand(html: str) -> str:
    """Return the hand of HTML that has one, as text; a void is a dash there."""
    holdings = re.findall(r"</i><span>(.*?)</span>", html)
    assert len(holdings) == 4
    return ".".join("" if holding == "–" else holding for holding in holdings)


def read_cards(html: str) -> list[tuple[str, str, str]]:
    """Return number, heading and hand of each card of the paper."""
    cards = re.findall(
        r'<section class="card"><div class="top"><b>(\d+)</b><span>(.*?)</span></div>(.*?)</section>',
        paper(html),
    )
    return [(number, heading, read_hand(hand)) for number, heading, hand in cards]


def read_diagrams(html: str) -> list[tuple[list[str], str]]:
    """Return the hands N E S W and the HTML of each diagram."""
    found = []
    for article in re.findall(r"<article.*?</article>", html):
        hands = dict(
            re.findall(r'<div class="hand (\w+)"[^>]*>(.*?)(?=<div class="hand|</article>)', article)
        )
        found.append(([read_hand(hands[seat]) for seat in ("north", "east", "south", "west")], article))
    return found


def test_each_hand_stands_once_in_its_place_with_dealer_and_vulnerability():
    cards = read_cards(DEALS.page().html)
    assert len(cards) == 64
    for place, deal in enumerate(DEALS):
        dealer, side = BOARDS[place % 16]
        for (number, heading, hand), seat in zip(
            cards[2 * place : 2 * place + 2], ("north", "south"), strict=True
        ):
            assert number == str(place + 1)
            assert heading == f"{seat.capitalize()} &middot; dealer {dealer} &middot; {SIDES[side]} vul."
            assert hand == deal.hand(seat)


def test_south_stands_to_the_right_of_the_fold_for_four_columns_too():
    cards = read_cards(DEALS[:5].page(columns=4).html)
    seats = ["north", "north", "south", "south"] * 2 + ["north", "south"]
    rows = [0, 1, 0, 1, 2, 3, 2, 3, 4, 4]
    assert [hand for _, _, hand in cards] == [
        DEALS[row].hand(seat) for row, seat in zip(rows, seats, strict=True)
    ]
    assert (
        'class="card"></section>' in DEALS[:5].page(columns=4).html
    )  # the last row has a gap before the fold


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_one_seat(columns):
    html = DEALS[:7].page(hands="w", columns=columns).html
    assert [hand for _, _, hand in read_cards(html)] == [deal.hand("west") for deal in DEALS[:7]]
    assert "West’s hands" in html and "Fold" not in html and "Show partner" not in html


def test_all_hands_are_diagrams_with_their_answers_in_the_corner():
    html = SOLVED.page(hands="NESW").html
    shown = read_diagrams(paper(html))
    assert [hands for hands, _ in shown] == [[deal.hand(seat) for seat in range(4)] for deal in SOLVED]
    assert all('class="ddt"' in article for _, article in shown)
    assert "<b>Answers</b>" not in html
    with_room = SOLVED.page(hands="NESW", auction=2).html
    assert with_room.count("<b>Answers</b>") == 2  # 9 boards
    first_half = [article for _, article in read_diagrams(paper(with_room))[:9]]
    assert all("bid" in article and "ddt" not in article for article in first_half)


def test_answers_have_the_tricks_of_the_tables_and_par():
    html = SOLVED.page().html
    articles = [(hands, article) for hands, article in read_diagrams(paper(html)) if "ddt" in article]
    assert len(articles) == 9
    dealers = [board % 4 for board in range(9)]
    sides = ["-NEA".index(BOARDS[board][1]) for board in range(9)]
    par = dk.par(SOLVED.tables, vulnerable=sides, dealer=dealers)
    for row, (hands, article) in enumerate(articles):
        assert hands == [SOLVED[row].hand(seat) for seat in range(4)]
        tricks = [
            [int(n) for n in re.findall(r"<td>(\d+)</td>", line)]
            for line in re.findall(r"<tr><th scope=\"row\">.*?</tr>", article)
        ]
        assert tricks == SOLVED.tables[row][[3, 2, 1, 0, 4]][:, [0, 2]].T.tolist()
        score = int(par.score[row])
        sign = "+" if score > 0 else "−" if score else ""
        assert f"N-S {sign}{abs(score):,}" in article
        contracts = par.contracts[par.contracts["deal"] == row]
        text = re.sub(
            r"<i class=\"(.)\">.*?</i>",
            lambda suit: suit[1].upper(),
            article.partition("Par ")[2].partition("<br>")[0],
        )
        for level, strain in zip(contracts["level"].tolist(), contracts["strain"].tolist(), strict=True):
            name = "SHDC"[strain] if strain < 4 else "NT"
            top = max(contracts["level"][contracts["strain"] == strain].tolist())
            assert f"{top}{name}" in text and level <= top


def test_par_of_a_deal_that_is_passed_out_and_of_a_sacrifice():
    table = np.full((1, 5, 4), 6)
    assert "Par: passed out<br>N-S 0" in DEALS[:1].replace(tables=table).page().html
    table[0, 0], table[0, 1] = (
        (10, 3, 10, 3),
        (4, 9, 4, 9),
    )  # 5 hearts doubled costs 300, and 4 spades score 620
    html = DEALS[:1].replace(tables=table, vulnerable=[1], dealer=[0]).page().html
    assert re.search(r'Par 5<i class="h">.{2}</i>x E-W<br>N-S \+300', html)


def test_only_boards_with_a_complete_table_have_an_answer():
    tables = SOLVED.tables.copy()
    tables[1, 2, 3] = -1
    html = SOLVED.replace(tables=tables).page().html
    assert sum("ddt" in article for _, article in read_diagrams(paper(html))) == 8
    assert html.count("Show the answer") == 8 and html.count("Show all four hands") == 1
    assert "Answers" not in DEALS.page().html.partition("</style>")[2]
    hidden = SOLVED.page(answers=False).html
    assert "ddt" not in hidden.partition("</style>")[2] and "<article" not in hidden


def test_solve_solves():
    solved = SOLVED[:1]
    assert solved.replace(tables=None).page(solve=True).html == solved.page().html


def test_the_telephone_shows_each_board_with_links_to_its_neighbours():
    html = phone(SOLVED.page(title="Slams").html)
    boards = html.split('<section class="one"')[1:]
    for place, board in enumerate(boards, 1):
        deal = SOLVED[place - 1]
        own, partner = re.findall(r'<div class="hand \w+".*?</div></div>', board)[:2]
        assert (read_hand(own), read_hand(partner)) == (deal.hand("south"), deal.hand("north"))
        assert f"{place} of 9" in board and f'id="board-{place}"' in board
        assert board.count("<details>") == 2 and "<details open" not in board
        links = re.findall(r'href="#board-(\d+)"', board)
        assert links == [str(other) for other in (place - 1, place + 1) if 1 <= other <= 9]


def test_points_are_shown_where_they_are_wanted():
    hcp = int(DEALS[:1].eval("hcp(south)")[0])
    for points, on_paper, on_phone in ((None, False, True), (True, True, True), (False, False, False)):
        html = DEALS[:1].page(points=points).html.partition("</style>")[2]
        assert (f"South &middot; {hcp} points &middot; dealer" in paper(html)) is on_paper
        assert ("points" in paper(html)) is on_paper
        assert (f"You are South, {hcp} points." in phone(html)) is on_phone


def test_numbers_dealers_and_vulnerabilities_of_the_deals_come_first():
    plain = DEALS[:3]
    assert [number for number, *_ in read_cards(plain.page(hands="S", first_board=17).html)] == [
        "17",
        "18",
        "19",
    ]
    deals = plain.replace(board=[7, -1, 40], dealer=[1, -1, 2], vulnerable=[0, 3, -1])
    headings = [(number, heading) for number, heading, _ in read_cards(deals.page(hands="S").html)]
    assert headings == [
        ("7", "South &middot; dealer E &middot; None vul."),
        ("2", "South &middot; dealer E &middot; All vul."),
        ("40", "South &middot; dealer S &middot; None vul."),
    ]


def test_titles_and_notes_are_escaped():
    attack = "</title><script>alert('x')</script><img src=x onerror=y>&amp;"
    page = SOLVED.page(title=attack, note=attack)
    for html in (page.html, page._repr_html_()):
        assert (
            "<script" not in html and "<img" not in html and "&lt;script&gt;" in html and "&amp;amp;" in html
        )


@pytest.mark.parametrize("hands", ["N", "NS", "NESW"])
def test_the_file_needs_no_other_file_and_no_script(hands):
    html = SOLVED.page(hands=hands).html
    assert not re.search(r"https?:|src=|@import|url\(|<script|<link", html)
    assert html.startswith("<!DOCTYPE html>") and 'charset="utf-8"' in html


def test_no_deal_one_deal_and_a_thousand():
    empty = DEALS[:0].page(solve=True)
    assert repr(empty) == "<Page: 0 boards>" and empty.html.count("No deals.") == 2
    assert repr(DEALS[:1].page()) == "<Page: 1 board>"
    many = dk.deal(1000, seed=1)
    started = time.perf_counter()
    html = many.page().html
    assert time.perf_counter() - started < 5
    cards = read_cards(html)
    assert [hand for _, _, hand in cards[1::2]] == [deal.hand("south") for deal in many]
    assert phone(html).count('<section class="one"') == 1000 and len(html) < 6_000_000


def test_voids_are_dashes():
    cards = read_cards(dk.Deals.from_pbn(WHOLE_SUITS).page().html)
    assert [hand for *_, hand in cards] == ["AKQJT98765432...", "..AKQJT98765432."]


def test_a_notebook_shows_the_first_sheet_and_says_how_many_boards_are_missing():
    page = DEALS.page()
    assert len(read_cards('<main class="paper">' + page._repr_html_())) == 12
    assert "and 26 more boards" in page._repr_html_() and "@page" not in page._repr_html_()
    assert "more board" not in DEALS[:6].page()._repr_html_().partition("</style>")[2]


def test_a_library_has_sheets_and_they_are_written(tmp_path):
    DEALS.write(tmp_path / "a.lin")
    library = dk.read(tmp_path / "a.lin")
    library[4:6].page(title="Two").write(tmp_path / "two.html")
    cards = read_cards((tmp_path / "two.html").read_text(encoding="utf-8"))
    assert [(number, hand) for number, _, hand in cards[::2]] == [
        ("5", DEALS[4].hand("north")), ("6", DEALS[5].hand("north")),
    ]  # fmt: skip
    with pytest.raises(dk.FileError):
        DEALS.page().write(tmp_path / "none" / "a.html")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": "NES"}, "letters of one seat"), ({"hands": "NN"}, "letters of one seat"),
        ({"hands": "NX"}, "letters of one seat"), ({"hands": ""}, "letters of one seat"),
        ({"hands": 3}, "letters of one seat"), ({"columns": 3}, "columns is 3"),
        ({"columns": 0}, "columns"), ({"hands": "NESW", "columns": 4}, "columns is 4"),
        ({"auction": 13}, "0 to 12"), ({"auction": -1}, "auction"), ({"title": 3}, "texts"),
        ({"first_board": 0}, "first_board"),
    ],
)  # fmt: skip
def test_impossible_options(options, message):
    with pytest.raises(dk.ArgumentError, match=message):
        DEALS.page(**options)


def test_a_missing_deal_is_an_error():
    hands = np.array(DEALS[:2].hands)
    hands[1] = np.iinfo(np.uint64).max
    with pytest.raises(dk.DealError, match="deal 1"):
        dk.Deals(hands, check=False).page()

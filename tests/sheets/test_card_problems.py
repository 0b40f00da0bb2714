"""Practice sheets of problems of play and of opening leads."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import dealerkit as dk

# North and south have the majors, west has the diamonds, east the clubs.
SUITS = "N:AKQJT98765432... ...AKQJT98765432 .AKQJT98765432.. ..AKQJT98765432."
PBN = """
[Board "3"]
[Dealer "S"]
[Deal "N:KQ4.J83.AQ62.K85 T873.K64.975.Q42 A65.AQ5.KT83.T97 J92.T972.J4.AJ63"]
[Declarer "S"]
[Contract "3NT"]
[Auction "S"]
1NT Pass 3NT Pass
[Play "W"]
H2
"""


def read_part(page: dk.Page, name: str) -> str:
    return page.html.partition(f'<main class="{name}">')[2].partition("</main>")[0]


def list_sheets(page: dk.Page) -> list[str]:
    return read_part(page, "paper").split('<section class="sheet">')[1:]


def strip_tags(html: str) -> str:
    return " ".join(
        re.sub("<[^>]*>", "", html.replace("</i>", "").replace("</", " </")).replace("\ufe0e", "").split()
    )


def list_shown(html: str) -> list[str]:
    """Return the seats whose hands have cards, in the order of the diagram."""
    hands = re.findall(r'<div class="hand (\w+)"[^>]*>(.*?)</div></div>', html)
    return [seat for seat, suits in hands if "<span>" in suits]


@pytest.mark.parametrize(
    ("problem", "shown"), [("play", ["north", "south"]), ("lead", ["west"])], ids=["play", "lead"]
)
def test_each_page_of_problems_is_followed_by_its_solutions(problem: str, shown: list[str]):
    deals = dk.solved_sample()[:5]
    page = deals.page(problem=problem, contract="3NT by south", title="Mine")
    sheets = list_sheets(page)
    assert [len(re.findall("<article", sheet)) for sheet in sheets] == [4, 4, 1, 1]
    assert ["Solutions" in sheet for sheet in sheets] == [False, True, False, True]
    for problems, solutions in zip(sheets[::2], sheets[1::2], strict=True):
        for article in problems.split("<article")[1:]:
            assert list_shown(article) == shown
        for article in solutions.split("<article")[1:]:
            assert list_shown(article) == ["north", "east", "south", "west"]
        assert 'class="ddt"' in solutions and 'class="ddt"' not in problems and "Par " not in problems
    # A telephone and a notebook show the solution only at a touch, or not at all.
    for board in read_part(page, "phone").split('<section class="one"')[1:]:
        before, _, after = board.partition("Show the solution")
        assert list_shown(before) == shown and len(list_shown(after)) == 4
    assert "Solutions" not in page._repr_html_() and "and 1 more board" in page._repr_html_()
    assert "olution" not in deals.page(problem=problem, contract="3NT by south", answers=False).html


def read_tricks(page: dk.Page, pattern: str, pick: Callable) -> list:
    return [
        pick(re.findall(pattern, line))
        for line in re.findall(r"Double dummy, South takes (.*?)\.</p>", read_part(page, "paper"))
    ]


def test_solutions_agree_with_the_tables_of_a_published_library():
    deals = dk.solved_sample()[:12]
    n_better = 0
    for contract, strain in (("3NT by south", 4), ("2H by south", 1)):
        best = deals.tables[:, strain, 2].tolist()
        page = deals.page(problem="lead", contract=contract, solve=True)
        assert read_tricks(page, r"(\d+) trick", lambda found: min(map(int, found))) == best
        # A lead by a rule gives declarer as many tricks or more, and sometimes more.
        page = deals.page(problem="play", contract=contract, solve=True)
        ruled = read_tricks(page, r"^(\d+) tricks?$", lambda found: int(found[0]))
        assert all(a >= b for a, b in zip(ruled, best, strict=True))
        n_better += sum(a > b for a, b in zip(ruled, best, strict=True))
    assert n_better


def test_every_card_of_the_leader_is_in_the_solution():
    words = strip_tags(dk.Deals.from_pbn([SUITS]).page(problem="lead", contract="7S by n", solve=True).html)
    # East has clubs only, which north ruffs.
    assert "Contract 7♠ by North." in words
    assert "Double dummy, North takes 13 tricks after any lead." in words
    # Against 1NT west takes all tricks, because a diamond is all that west can lead.
    words = strip_tags(dk.Deals.from_pbn([SUITS]).page(problem="lead", contract="1NTx by S", solve=True).html)
    assert "Contract 1NTx by South. Double dummy, South takes 0 tricks after any lead." in words


def test_the_contract_and_the_lead_of_a_file_are_used(tmp_path):
    (tmp_path / "a.pbn").write_text(PBN)
    library = dk.read(tmp_path / "a.pbn")
    problem, solution = map(strip_tags, list_sheets(library.page(problem="play")))
    assert "1NT Pass 3NT Pass Pass Pass Contract 3NT by South, lead ♥2." in problem
    assert "Contract 3NT by South, lead ♥2." in solution and "Pass" not in solution
    # For another contract, the auction is not shown, and a rule chooses the lead: west's is now a club.
    other = strip_tags(library.page(problem="play", contract="2D by S", lead_rule="attitude").html)
    assert "Contract 2♦ by South, lead ♥T." in other and "Pass" not in other
    # Boards for practising a call have the contract of their auction.
    boards = dk.practice(dk.auction("1NT-3NT", dealer="south"), 2, seed=1)
    words = strip_tags(boards.page(problem="lead").html)
    assert "1NT Pass 3NT Pass Pass Pass 1NT balanced" in words and "Contract 3NT by South." in words


def test_what_cannot_be_a_problem_is_refused():
    deals = dk.deal(2, seed=1)
    for options, message in (
        ({"problem": "play"}, "board 1 has no contract to play; .* contract='4S by south'"),
        ({"problem": "play", "contract": "pass"}, "no contract to play"),
        ({"problem": "lead", "contract": "4S"}, "4S has no declarer; write '4S by south'$"),
        ({"problem": "defence", "contract": "4S by S"}, "unknown problem 'defence'; known: play, lead"),
        ({"contract": "4S by S"}, "are for problems; give problem='play'"),
        ({"problem": "play", "contract": "4S by S", "hands": "N"}, "leave out the choice of hands"),
        ({"problem": "play", "contract": "4S by S", "lead_rule": "forth best"}, "did you mean 'fourth best'"),
    ):
        with pytest.raises(dk.ArgumentError, match=message):
            deals.page(**options)
    with pytest.raises(dk.ArgumentError, match="are problems already; leave problem out"):
        dk.PartialDeals([dk.PartialDeal("N:AK... - - -")]).page(problem="play")
    assert "No deals." in deals[:0].page(problem="play").html

"""Texts of hands and deals, compared with recorded output of Debian's dealer and with a simple parser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerkit import DealError
from dealerkit.cards import RANKS, card_bit, text
from tests.support.ranks import unrank_deal
from tests.support.strategies import deals, hands

# reference/dealer-language.md 5.1: the deal of the samples, and the lines of printoneline and printpbn
LINE = "n AKQJ.T98.5432.32 e T98.AKQ.JT98.JT9 s 765.J765.AKQ.AKQ w 432.432.76.87654 "
PBN = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
# printed by Debian's dealer -s 1 for shape(north, any 0xxx): voids are empty
VOID_LINE = "n KT5.QJT32.KJT62. e A974.AK98.A7.K98 s J862.7.Q953.AQT7 w Q3.654.84.J65432 "
VOID_PBN = "N:KT5.QJT32.KJT62. A974.AK98.A7.K98 J862.7.Q953.AQT7 Q3.654.84.J65432"
VALUE_LINE = "n 2.T98.K752.KJT84 e 5.J7642.986.9763 s AQ8.AQ5.QJT.AQ52 w KJT97643.K3.A43. 7"


def slow_hand(hand: int) -> str:
    """Return the text of a hand, card by card."""
    return ".".join(
        "".join(RANKS[rank] for rank in range(12, -1, -1) if hand & card_bit(suit, rank)) for suit in range(4)
    )


def test_lines_and_pbn_of_the_program_are_the_same_deals():
    parsed = text.parse_lines([LINE, VOID_LINE])
    assert (parsed == text.parse_pbn([PBN, VOID_PBN])).all()
    assert text.format_lines(parsed) == [LINE, VOID_LINE]
    assert text.format_pbn(parsed) == [PBN, VOID_PBN]


def test_bits_of_a_parsed_hand_are_those_of_names():
    parsed = text.parse_pbn([PBN])[0]
    spades = [card_bit(0, RANKS.index(rank)) for rank in "AKQJ"]
    assert all(int(parsed[0]) & bit for bit in spades)
    assert int(parsed[3]) & card_bit(3, 0) == 0 and int(parsed[0]) & card_bit(3, 0)


def test_the_value_after_a_line_is_ignored():
    assert text.format_hands(text.parse_lines([VALUE_LINE])[:, 3]) == ["KJT97643.K3.A43."]


@pytest.mark.parametrize("first", range(4))
def test_pbn_with_any_first_seat(first):
    cards = PBN[2:].split()
    turned = "NESW"[first] + ":" + " ".join(cards[first:] + cards[:first])
    assert text.format_pbn(text.parse_pbn([turned, PBN])) == [PBN, PBN]


@pytest.mark.parametrize(
    "odd",
    [
        PBN.lower(),
        PBN.replace("T", "10"),
        "  " + PBN.replace(" ", "\t ") + "\n",
        PBN.replace(":", ": "),
        "n:" + PBN[2:].replace("AKQJ", "JQAK"),
    ],
)
def test_unusual_spelling_is_read(odd):
    assert text.format_pbn(text.parse_pbn([odd])) == [PBN]


def test_seats_of_a_line_in_any_order():
    tokens = LINE.split()
    turned = " ".join(tokens[4:] + tokens[:4])
    assert text.format_lines(text.parse_lines([turned, LINE.strip()])) == [LINE, LINE]


@given(deals(min_size=1))
def test_round_trips(some):
    assert (text.parse_pbn(text.format_pbn(some.hands)) == some.hands).all()
    assert (text.parse_lines(text.format_lines(some.hands)) == some.hands).all()
    assert text.format_hands(some.hands[:, 2]) == [slow_hand(int(hand)) for hand in some.hands[:, 2]]


@given(hands())
def test_a_single_hand(hand):
    assert text.format_hand(hand) == slow_hand(hand)
    assert text.parse_hand(slow_hand(hand)) == hand


@given(st.data())
def test_damaged_text_is_read_or_refused_like_by_the_simple_parser(data):
    characters = list(PBN)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(characters) - 1))
        characters[place] = data.draw(st.sampled_from("AKQ2T10. :nNx-\n\té"))
    damaged = "".join(characters)
    try:
        expected = text.parse_deal(damaged)
    except DealError:
        with pytest.raises(DealError, match="deal 1: "):
            text.parse_pbn([PBN, damaged])
    else:
        assert text.parse_pbn([PBN, damaged])[1].tolist() == expected


@given(st.data())
def test_damaged_lines_are_read_or_refused_like_by_the_simple_parser(data):
    characters = list(VALUE_LINE)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(characters) - 1))
        characters[place] = data.draw(st.sampled_from("AKQ2T10. :nesw-\né"))
    damaged = "".join(characters)
    try:
        expected = text.parse_line(damaged)
    except DealError:
        with pytest.raises(DealError, match="deal 1: "):
            text.parse_lines([LINE, damaged])
    else:
        assert text.parse_lines([LINE, damaged])[1].tolist() == expected


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (PBN[2:], "does not begin with a seat and a colon"),
        (PBN.rpartition(" ")[0], "3 hands"),
        (PBN.replace("5432", "543X"), "'X' in .* is not a card"),
        (PBN.replace("AKQJ", "AKKJ"), "has SK twice"),
        (PBN.replace("T98.5432", "T985432"), "3 suits"),
        (PBN.rpartition(" ")[0] + " -", "unknown"),
        ("", "does not begin"),
        (None, "expected a text, got None"),
        (PBN.replace("K", "\u212a", 1), "is not a card"),
    ],
)
def test_errors_of_malformed_pbn_have_index_and_reason(damaged, reason):
    with pytest.raises(DealError, match=f"deal 2: .*{reason}"):
        text.parse_pbn([PBN, PBN, damaged, PBN])


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (LINE.replace("e ", "n ", 1), "the seats are"),
        (LINE.replace(" w 432.432.76.87654", ""), "is not 'n hand e hand s hand w hand'"),
        (LINE + "12 13", "is not 'n hand"),
        (LINE + "AKQ", "is not a number"),
        (LINE.replace("AKQJ", "AAQJ"), "SA twice"),
    ],
)
def test_errors_of_malformed_lines_have_index_and_reason(damaged, reason):
    with pytest.raises(DealError, match=f"deal 1: .*{reason}"):
        text.parse_lines([LINE, damaged, LINE])


def test_the_index_counts_across_batches():
    many = [PBN] * (text.BATCH + 5) + ["N:"]
    with pytest.raises(DealError, match=f"deal {text.BATCH + 5}: "):
        text.parse_pbn(many)


def test_texts_of_holdings_are_distinct_with_a_letter_for_each_bit():
    table = text.holding_texts()
    assert len(set(table)) == 8192
    assert [len(holding) for holding in table] == np.bitwise_count(np.arange(8192)).tolist()


def test_diagrams_have_space_for_long_suits():
    lines = text.format_diagram(unrank_deal(0), symbols=False).splitlines()
    assert len(lines) == 12
    assert lines[0].split() == ["S", "AKQJT98765432"] and lines[1].split() == ["H", "-"]
    assert lines[4].split() == ["S", "-", "S", "-"]
    assert lines[7].split() == ["C", "AKQJT98765432", "C", "-"]


def test_diagrams_show_board_dealer_and_vulnerability():
    corner = text.format_diagram(unrank_deal(0), vulnerable=1, dealer=2, board=7).splitlines()
    assert [line.partition("  ")[0] for line in corner[:3]] == ["Board 7", "Dealer south", "Vul NS"]

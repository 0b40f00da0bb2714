"""Holdings of the explorer, such as AKxx and KQxxx+: what they mean by enumeration, written and read again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit import ArgumentError
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.notebook.explorer.conditions import DealCondition, read_condition
from dealerkit.notebook.explorer.holdings import Holding, find_holding, parse_holding

ORDER = "AKQJT98765432"
ALL = ["".join(card for bit, card in enumerate(ORDER) if mask >> bit & 1) for mask in range(1 << 13)]


def is_exactly(cards: str, pattern: str) -> bool:
    """Return whether a holding is a pattern without plus: x is a card below the ten."""
    named = pattern.replace("x", "")
    rest = [card for card in cards if card not in named]
    return (
        set(named) <= set(cards)
        and len(rest) == pattern.count("x")
        and all(card not in "AKQJT" for card in rest)
    )


def is_as_good(cards: str, pattern: str) -> bool:
    """Return whether each card, from the highest, is at least that of the pattern; x is any card."""
    return len(cards) >= len(pattern) and all(
        required == "x" or ORDER.index(card) <= ORDER.index(required)
        for card, required in zip(cards, pattern, strict=False)
    )


@pytest.fixture(scope="module")
def holdings() -> dk.Deals:
    """Deals in which south has each holding of hearts of 0 to 13 cards once."""
    cards = {
        f"{suit}{card}": bit
        for suit, shift in zip("SHDC", (48, 32, 16, 0), strict=True)
        for card, bit in ((card, 1 << (shift + 12 - place)) for place, card in enumerate(ORDER))
    }
    others = [bit for card, bit in cards.items() if card[0] != "H"]
    rows = []
    for holding in ALL:
        south = [cards[f"H{card}"] for card in holding]
        south += others[: 13 - len(south)]
        rest = [bit for bit in cards.values() if bit not in set(south)]
        rows.append([sum(rest[:13]), sum(rest[13:26]), sum(south), sum(rest[26:])])
    import numpy as np

    return dk.Deals(np.array(rows, np.uint64))


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """Return a holding with ranks, x and perhaps a plus."""
    plus = draw(st.booleans())
    cards = draw(st.sets(st.sampled_from("AKQJT" if plus else ORDER), min_size=plus, max_size=6))
    named = "".join(sorted(cards, key=ORDER.index))
    low = sum(card not in "AKQJT" for card in named)
    n_low = draw(st.integers(not named, min(6, 13 - len(named) if plus else 8 - low)))
    return named + "x" * n_low + "+" * plus


@given(pattern=patterns())
@settings(max_examples=60)
def test_a_holding_is_met_by_the_cards_that_it_means(pattern: str, holdings: dk.Deals) -> None:
    clauses = parse_holding(pattern).list_clauses("south", "hearts")
    found = holdings.eval(" and ".join(clauses)).astype(bool)
    meets = is_as_good if pattern.endswith("+") else is_exactly
    expected = [meets(cards, pattern.rstrip("+")) for cards in ALL]
    assert found.tolist() == expected
    assert any(expected)


@given(st.dictionaries(st.tuples(st.sampled_from(SEATS[:3]), st.sampled_from(SUITS)), patterns(), max_size=4))
@settings(max_examples=100)
def test_holdings_are_read_again(chosen: dict[tuple[str, str], str]) -> None:
    values = {f"{seat}.{suit}.holding": pattern for (seat, suit), pattern in chosen.items()}
    condition = DealCondition({"north.points.from": "3", "west.cards": "DA", **values}, ["fit(NS) >= 8"])
    read = read_condition(condition.text)
    assert read.text == condition.text or set(read.text.split("\nand ")) == set(
        condition.text.split("\nand ")
    )
    assert read.others == ["fit(NS) >= 8"]
    for name, pattern in values.items():
        exact = not pattern.endswith("+")
        owner = name.removesuffix("holding")
        assert read.values[name] == (pattern if exact else pattern.replace("x", ""))
        if not exact and "x" in pattern:  # its least length has a field
            assert read.values[f"{owner}from"] == str(len(pattern) - 1)


@pytest.mark.parametrize(
    "clause, holding",
    [
        ("top3(south, hearts) >= 2", "KQ+"),  # two of the top three
        ("top4(south, hearts) >= 3", "KQJ+"),
        ("aces(south, hearts) >= 1", "A+"),
        ("hearts(south) == 2 and hascard(south, KH) and top5(south, hearts) == 1", "Kx"),
        ("top5(south, hearts) == 0 and hearts(south) == 5", "xxxxx"),
    ],
)
def test_clauses_that_were_typed_are_holdings(clause: str, holding: str) -> None:
    found = read_condition(clause)
    assert found.values == {"south.hearts.holding": holding} and not found.others


@pytest.mark.parametrize(
    "clause",
    [
        "top3(south, hearts) >= 4", "top3(south, hearts) == 2", "top3(south) >= 2", "top2(south, hearts) >= 0",
        "top5(south, hearts) == 1", "top3(south, hearts) <= 2", "not top3(south, hearts) >= 2",
    ],
)  # fmt: skip
def test_clauses_that_are_no_holding_stay(clause: str) -> None:
    found = read_condition(f"{clause} and hearts(south) >= 4")
    assert found.values == {"south.hearts.from": "4"} and len(found.others) == 1


def test_some_cards_of_an_exact_holding_are_cards() -> None:
    clauses = ["hascard(south, KH)", "top5(south, hearts) == 2", "hearts(south) == 4"]
    assert find_holding(clauses, "south", "hearts") is None
    found = read_condition(" and ".join(clauses))
    assert found.values == {"south.cards": "KH", "south.hearts.from": "4", "south.hearts.to": "4"}
    assert found.others == ["top5(south, hearts) == 2"]


def test_spellings() -> None:
    for text in ("AQxxx+", "aqXXX or better", " xAxQx  OR BETTER ", "♠AQxxx +"):
        assert parse_holding(text) == Holding("AQ", 3, True)
    assert str(parse_holding("10 9 x")) == "T9x"


@pytest.mark.parametrize(
    "text, message",
    [
        ("AKZ", "'Z' in"), ("AA", "twice"), ("-", "a void"), ("+", "has no card"), ("xxxx+", "the length instead"),
        ("K9x+", "write x for the 9"), ("xxxxxxxxx", "8 cards below the ten"), ("98xxxxxxx", "8 cards below the ten"),
        ("AKxxxxxxxxxxxx+", "a suit has only 13"), ("A or worse", "is not a card"), ("<script>", "is not a card"),
    ],
)  # fmt: skip
def test_what_is_no_holding_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(ArgumentError) as found:
        _ = DealCondition({"north.clubs.holding": text}).text
    assert message in str(found.value) and "north's clubs" in str(found.value)

"""Names of seats, suits, strains, sides and vulnerabilities as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit.cards import names
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ArgumentError, PredealError

SEATS = {0: "north N", 1: "east E", 2: "south S", 3: "west W"}
SUITS = {0: "spades spade S", 1: "hearts heart H", 2: "diamonds diamond D", 3: "clubs club C"}
READERS = [
    (names.seat_number, SEATS),
    (names.suit_number, SUITS),
    (names.strain_number, SUITS | {4: "notrump notrumps NT N"}),
    (names.side_number, {0: "NS", 1: "EW"}),
    (names.vulnerability_number, {0: "none", 1: "NS", 2: "EW", 3: "both all"}),
]


@pytest.mark.parametrize(("read", "words"), READERS)
def test_numbers_and_all_spellings(read, words):
    for number, spellings in words.items():
        assert read(number) == read(np.int8(number)) == number
        for word in spellings.split():
            for spelling in (word, word.lower(), word.upper(), word.title(), f" {word} "):
                assert read(spelling) == number and type(read(spelling)) is int


@pytest.mark.parametrize(("read", "words"), READERS)
def test_whatever_else_is_refused_with_what_there_is(read, words):
    for wrong in (-1, len(words), 0.5, None, "", "x", "no such thing"):
        with pytest.raises(ArgumentError, match=f"unknown .*{wrong!r}.* is 0 to {len(words) - 1} "):
            read(wrong)


@pytest.mark.parametrize(
    ("read", "word", "meant"),
    [
        (names.seat_number, "Nrth", "north"),
        (names.suit_number, "spadse", "spades"),
        (names.strain_number, "no-trump", "notrump"),
        (names.vulnerability_number, "bth", "both"),
    ],
)
def test_the_nearest_word_is_offered(read, word, meant):
    with pytest.raises(ArgumentError, match=f"unknown .* {word!r}; did you mean {meant!r}"):
        read(word)


def test_words_that_belong_elsewhere():
    for read, word in (
        (names.side_number, "N"),
        (names.suit_number, "N"),
        (names.suit_number, "notrump"),
        (names.strain_number, "notrum"),
        (names.seat_number, "NS"),
    ):
        with pytest.raises(ArgumentError):
            read(word)


def test_a_predeal_reads_the_same_words():
    assert Predeal.from_mapping({"W": {"Heart": 5}}).lengths == ((3, 1, 5),)
    with pytest.raises(PredealError, match="predeal: unknown seat 'wets'; did you mean 'west'"):
        Predeal.from_mapping({"wets": "SA"})

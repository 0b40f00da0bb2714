"""Names of seats, suits, strains, sides and vulnerabilities as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit import ArgumentError, PredealError
from dealerkit.cards import names
from dealerkit.dealing import Predeal

SEATS = {0: "north N", 1: "east E", 2: "south S", 3: "west W"}
SUITS = {0: "spades spade S", 1: "hearts heart H", 2: "diamonds diamond D", 3: "clubs club C"}
READERS = [
    (names.seat_number, SEATS),
    (names.suit_number, SUITS),
    (names.strain_number, SUITS | {4: "notrump notrumps NT N"}),
    (names.side_number, {0: "NS", 1: "EW"}),
    (names.vulnerability_number, {0: "none", 1: "NS", 2: "EW", 3: "both all"}),
]


@pytest.mark.parametrize(("read", "names_of_numbers"), READERS)
def test_numbers_and_all_spellings(read, names_of_numbers):
    for number, spellings in names_of_numbers.items():
        assert read(number) == read(np.int8(number)) == number
        for name in spellings.split():
            for spelling in (name, name.lower(), name.upper(), name.title(), f" {name} "):
                assert read(spelling) == number and type(read(spelling)) is int


def test_truth_values_of_numpy_are_vulnerabilities():
    for value, number in ((np.True_, 3), (np.False_, 0), (np.array(True), 3)):
        assert names.vulnerability_number(value) == number


@pytest.mark.parametrize(("read", "names_of_numbers"), READERS)
def test_errors_of_other_values_list_the_names(read, names_of_numbers):
    for wrong in (-1, len(names_of_numbers), 0.5, None, "", "x", "no such thing"):
        with pytest.raises(
            ArgumentError, match=f"unknown .*{wrong!r}.*, or 0 to {len(names_of_numbers) - 1}$"
        ):
            read(wrong)


@pytest.mark.parametrize(
    ("read", "spelling", "name"),
    [
        (names.seat_number, "Nrth", "north"),
        (names.suit_number, "spadse", "spades"),
        (names.strain_number, "no-trump", "notrump"),
        (names.vulnerability_number, "bth", "both"),
    ],
)
def test_errors_suggest_the_most_similar_name(read, spelling, name):
    with pytest.raises(ArgumentError, match=f"unknown .* {spelling!r}; did you mean {name!r}"):
        read(spelling)


def test_names_of_another_kind_are_refused():
    for read, spelling in (
        (names.side_number, "N"),
        (names.suit_number, "N"),
        (names.suit_number, "notrump"),
        (names.strain_number, "notrum"),
        (names.seat_number, "NS"),
    ):
        with pytest.raises(ArgumentError):
            read(spelling)


def test_a_predeal_reads_the_same_names():
    assert Predeal.from_mapping({"W": {"Heart": 5}}).lengths == ((3, 1, 5),)
    with pytest.raises(PredealError, match="predeal: unknown seat 'wets'; did you mean 'west'"):
        Predeal.from_mapping({"wets": "SA"})


@pytest.mark.parametrize("truth", [bool, np.bool_])
def test_a_truth_value_is_the_vulnerability_of_all(truth):
    assert names.vulnerability_number(truth(True)) == 3
    assert names.vulnerability_number(truth(False)) == 0

"""Part-played positions against plain minimax, and malformed ones that must not reach the library."""

from __future__ import annotations

import functools
import pickle

import numpy as np
import pandas as pd
import pytest

from dealerkit import ArgumentError, DealError, Deals, SolverError, solve_board
from dealerkit.cards import MISSING, RANKS
from dealerkit.cards.names import SUIT_LETTERS
from dealerkit.doubledummy import library
from dealerkit.doubledummy.library import TEXTS

ENDING = "N:32... QJ... AT... K4..."
SUITS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


# ------------------------------------------------------------------ minimax, card by card
def winner(trick, strain):
    """Return the index in the trick of its winning card; a card is (suit, rank)."""
    best = 0
    for place, (suit, rank) in enumerate(trick):
        if (suit == trick[best][0] and rank > trick[best][1]) or (suit == strain != trick[best][0]):
            best = place
    return best


def legal(hand, trick):
    following = [card for card in hand if trick and card[0] == trick[0][0]]
    return following or list(hand)


@functools.cache
def tricks(hands, trick, leader, strain):
    """Return the most tricks that north-south can take."""
    if len(trick) == 4:
        taker = (leader + winner(trick, strain)) % 4
        return (taker % 2 == 0) + tricks(hands, (), taker, strain)
    if not any(hands):
        return 0
    player = (leader + len(trick)) % 4
    best = max if player % 2 == 0 else min
    return best(play(hands, trick, leader, strain, card) for card in legal(hands[player], trick))


def play(hands, trick, leader, strain, card):
    player = (leader + len(trick)) % 4
    rest = tuple(
        hand if seat != player else tuple(c for c in hand if c != card) for seat, hand in enumerate(hands)
    )
    return tricks(rest, (*trick, card), leader, strain)


def ending(rng, size, on_table):
    """Return a random ending: hands, trick, leader, strain."""
    deck = [(suit, rank) for suit in range(4) for rank in range(2, 15)]
    chosen = [deck[i] for i in rng.permutation(52)[: 4 * size]]
    hands = [tuple(sorted(chosen[seat * size : (seat + 1) * size])) for seat in range(4)]
    leader, strain, trick = int(rng.integers(4)), int(rng.integers(5)), ()
    for place in range(on_table):
        seat = (leader + place) % 4
        options = legal(hands[seat], trick)
        card = options[rng.integers(len(options))]
        trick = (*trick, card)
        hands[seat] = tuple(c for c in hands[seat] if c != card)
    return tuple(hands), trick, leader, strain


def word(hand):
    return sum(1 << (48 - 16 * suit + rank - 2) for suit, rank in hand)


def name(card):
    return SUIT_LETTERS[card[0]] + RANKS[card[1] - 2]


def cards_of(row):
    return [row.card, *(row.suit + rank for rank in row.equals)]


@pytest.fixture(scope="module")
def endings():
    rng = np.random.default_rng(20)
    return [ending(rng, size, on_table) for size in (1, 2, 3, 4) for on_table in range(4) for _ in range(6)]


def arguments(endings):
    words = np.array([[word(hand) for hand in hands] for hands, *_ in endings], dtype=np.uint64)
    return (
        words,
        np.array([strain for *_, strain in endings]),
        np.array([leader for _, _, leader, _ in endings]),
        [[name(card) for card in trick] for _, trick, *_ in endings],
    )


def expected(ending):
    """Return the tricks of the player's side with each legal card."""
    hands, trick, leader, strain = ending
    player = (leader + len(trick)) % 4
    remaining = len(hands[player])
    return {
        name(card): north if player % 2 == 0 else remaining - north
        for card in legal(hands[player], trick)
        for north in [play(hands, trick, leader, strain, card)]
    }


def test_every_card_of_endings_is_that_of_minimax(endings):
    frame = solve_board(*arguments(endings), solutions=3)
    for position, rows in frame.groupby("position"):
        found = {card: row.tricks for row in rows.itertuples() for card in cards_of(row)}
        assert found == expected(endings[position]), endings[position]
    assert frame.position.nunique() == len(endings) and frame.reached.all() and not frame.forced.any()


def test_the_best_cards_are_those_of_minimax(endings):
    every, one = (solve_board(*arguments(endings), solutions=n) for n in (2, 1))
    assert one.position.tolist() == list(range(len(endings)))
    for position, rows in every.groupby("position"):
        values = expected(endings[position])
        best = {card for card, value in values.items() if value == max(values.values())}
        assert {card for row in rows.itertuples() for card in cards_of(row)} == best
        assert set(rows.tricks) == {max(values.values())}
        assert one.card[position] in best and one.tricks[position] == max(values.values())


@pytest.mark.parametrize("solutions", [1, 2])
def test_targets_of_endings_are_those_of_minimax(endings, solutions):
    words, strain, leader, trick = arguments(endings)
    for target in (1, 2, 3, 4):
        some = [i for i, e in enumerate(endings) if len(e[0][(e[2] + len(e[1])) % 4]) >= target]
        frame = solve_board(
            words[some], strain[some], leader[some], [trick[i] for i in some], target, solutions
        )
        for position, rows in frame.groupby("position"):
            values = expected(endings[some[position]])
            good = {card for card, value in values.items() if value >= target}
            if not good:
                assert len(rows) == 1 and rows[["card", "suit", "rank", "equals", "tricks"]].isna().all(
                    axis=None
                )
                assert rows.reached.tolist() == [False]
                continue
            found = {card for row in rows.itertuples() for card in cards_of(row)}
            assert found == good if solutions == 2 else rows.card.iloc[0] in good
            assert rows.reached.all() and set(rows.tricks) == {target}


def test_one_card_to_play_is_forced_under_mode_0(endings):
    words, strain, leader, trick = arguments(endings)
    frame = solve_board(words, strain, leader, trick, mode=0)
    for row in frame.itertuples():
        values = expected(endings[row.position])
        if row.forced:
            assert {row.card, *cards_of(row)} == set(values)
            assert row.tricks is pd.NA and row.reached is pd.NA
        else:
            assert row.tricks == max(values.values()) and row.reached
    assert frame.forced.sum() > 5 and (~frame.forced).sum() > 5


def test_mode_2_gives_the_results_of_mode_1():
    deals = [SUITS, "N:AKQ2.AKQ.AKQ.AKQ T98.JT9.JT98.J98 J76.876.765.T765 543.5432.432.432", ENDING]
    for deal in deals:
        arguments = [deal] * 6, "S", list("NESWNE")
        targets = [-1, -1, -1, -1, 1, 2]
        pd.testing.assert_frame_equal(
            solve_board(*arguments, target=targets, mode=2), solve_board(*arguments, target=targets, mode=1)
        )
    with pytest.raises(SolverError, match="mode 2") as caught:
        solve_board([SUITS] * 2, ["S", "H"], "N", mode=2)
    assert caught.value.index == 1
    with pytest.raises(SolverError, match="mode 2"):
        solve_board([SUITS, ENDING], "S", "N", mode=2)


def test_one_position_with_several_targets_and_solutions_of_a_batch():
    # Within one call the library would give all of them the result of the first.
    frame = solve_board([ENDING] * 4, "N", "N", target=[-1, 0, 2, 1], solutions=1)
    assert frame.tricks.tolist() == [1, 0, pd.NA, 1]
    assert frame.reached.tolist() == [True, True, False, True]


def test_forms_of_positions_and_trick():
    deals = Deals.from_pbn([SUITS])
    one = solve_board(SUITS, "hearts", "north", solutions=3)
    assert len(one) == 1 and one["equals"][0] == "KQJT98765432" and one.card[0] == "SA" and one.tricks[0] == 0
    for form in (deals, deals[0], deals.hands, [SUITS]):
        pd.testing.assert_frame_equal(solve_board(form, 1, 0, solutions=3), one)
    after = "N:3... QJ... AT... K4..."
    table = solve_board(after, "N", "N", trick="S2", solutions=3)
    for trick in (("S2",), [("s2",)], ["S2"], ("S2",)):
        pd.testing.assert_frame_equal(solve_board(after, "N", "N", trick=trick, solutions=3), table)
    assert len(solve_board([], "N", "N")) == 0
    ten = solve_board("N:.3.. Q... A... K...", "N", "N", trick=(), solutions=3)
    assert ten.card.tolist() == ["H3"]
    assert len(solve_board("N:... Q... A... K...", "N", "N", trick="S10")) == 1


# ------------------------------------------------------------------ malformed
@pytest.fixture
def calls(monkeypatch):
    made = []
    monkeypatch.setattr(library, "call", lambda *arguments, **more: made.append(arguments))
    return made


FAULTS = [
    (-1, dict(positions=np.full((1, 4), MISSING, np.uint64)), "missing"),
    (-1, dict(positions=np.array([[1 << 13, 1, 2, 4]], np.uint64)), "do not belong to a card"),
    (-2, dict(positions="N:... ... ... ..."), "no hand has a card"),
    (-3, dict(target=3), "2 tricks remain"),
    (-4, dict(positions="N:32... Q3... AT... K4..."), "S3 is in two hands"),
    (-4, dict(positions="N:3... Q... AT... K4...", trick="S2 S2"), "same card"),
    (-5, dict(target=-2), "target is -2"),
    (-7, dict(target=14), "target is 14"),
    (-8, dict(solutions=0), "solutions is 0"),
    (-8, dict(solutions="all"), "solutions is 'all'"),
    (-9, dict(solutions=4), "solutions is 4"),
    (-10, dict(positions=np.array([[0x1FFF1FFF] * 3 + [1]], np.uint64)), "79 cards"),
    (-12, dict(trick="X2"), "'X2' is not a card"),
    (-12, dict(trick="S1"), "'S1' is not a card"),
    (-12, dict(positions="N:3... Q... A... K...", trick="S2 SJ ST S4"), "at most three"),
    (-12, dict(positions="N:3... Q... AT... K4...", trick="S2 HJ"), "east played HJ and still has"),
    (-13, dict(positions="N:3... QJ... AT... K4...", trick="S3"), "S3 is on the table and also in a hand"),
    (-14, dict(positions="N:3... QJ... AT... K4..."), "north 1, east 2"),
    (-14, dict(trick="S5"), "unequal"),
    (-14, dict(positions="N:3... QJ... AT... K4...", trick="S2", leader="W"), "led by west"),
    (-16, dict(mode=-1), "mode is -1"),
    (-17, dict(mode=3), "mode is 3"),
    (-18, dict(strain=5), "strain"),
    (-18, dict(strain="X"), "'X'"),
    (-18, dict(strain=[0, 1.5]), "strain"),
    (-19, dict(leader=4), "seat"),
    (-19, dict(leader=np.array([7])), "leader is 7"),
    (-19, dict(leader="Q"), "'Q'"),
]


@pytest.mark.parametrize(("code", "changes", "reason"), FAULTS)
def test_invalid_positions_are_refused_before_any_call(calls, code, changes, reason):
    arguments = dict(positions=ENDING, strain="N", leader="N", trick=()) | changes
    with pytest.raises(SolverError) as caught:
        solve_board(**arguments)
    assert caught.value.code == code
    assert caught.value.text == TEXTS[code] and TEXTS[code] in str(caught.value)
    assert reason in str(caught.value)
    assert not calls


def test_errors_have_the_index_of_the_position(calls):
    with pytest.raises(SolverError, match="deal 2: hands of unequal size") as caught:
        solve_board([ENDING, SUITS, "N:3... QJ... AT... K4...", ENDING], "N", "N")
    assert caught.value.index == 2
    with pytest.raises(SolverError, match="deal 1: .*HX") as caught:
        solve_board([ENDING] * 2, "N", "N", trick=[(), ("HX",)])
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.index, str(again)) == (-12, 1, str(caught.value))
    with pytest.raises(ArgumentError, match="3 entries for 2"):
        solve_board([ENDING] * 2, "N", "N", trick=[(), (), ()])
    with pytest.raises(ArgumentError, match="shape"):
        solve_board([ENDING] * 2, "N", "N", target=[1, 1, 1])
    with pytest.raises(DealError, match="deal 1"):
        solve_board([ENDING, "N:32... QJ... AT..."], "N", "N")
    assert not calls


def test_each_status_code_of_the_reference_is_tested():
    listed = {-2, -3, -4, -5, -7, -8, -9, -10, -12, -13, -14}
    assert listed <= {code for code, *_ in FAULTS}


def spoiled(rng):
    """Return a valid ending made invalid in one way."""
    size = int(rng.integers(1, 14))
    hands, trick, leader, strain = ending(rng, size, int(rng.integers(0, 4)))
    words = [word(hand) for hand in hands]
    arguments = dict(
        strain=strain, leader=leader, trick=[[name(card) for card in trick]], target=-1, solutions=1, mode=1
    )
    held = [(seat, card) for seat in range(4) for card in hands[seat]]
    way = int(rng.integers(9))
    seat, card = held[rng.integers(len(held))]
    if way == 0:  # a card less
        words[seat] ^= word([card])
        if not any(words) and trick:
            words[0] = 1 << 13
    elif way == 1:  # a card in two hands, the sizes kept if possible
        other = (seat + 1 + int(rng.integers(3))) % 4
        words[other] = words[other] & (words[other] - 1) | word([card])
    elif way == 2:  # a bit that is no card
        words[seat] |= 1 << int(rng.choice([13, 14, 15, 29, 30, 47, 63]))
    elif way == 3:  # on the table and in a hand, or too many on the table
        arguments["trick"] = [[name(card), *arguments["trick"][0]][:3]]
    elif way == 4:
        arguments["target"] = int(rng.choice([-9, -2, size + 1, 14, 99]))
    elif way == 5:
        arguments["solutions"] = int(rng.choice([-1, 0, 4, 100]))
    elif way == 6:
        arguments["mode"] = int(rng.choice([-1, 3, 1000]))
    elif way == 7:
        arguments["strain" if rng.integers(2) else "leader"] = int(rng.choice([-1, 5, 6, 255]))
    else:  # noise
        words = [int(value) for value in rng.integers(1, 1 << 62, 4)]
    return dict(positions=np.array([words], dtype=np.uint64), **arguments)


@pytest.mark.parametrize("n_positions", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_malformed_positions_never_reach_the_library(calls, n_positions):
    rng = np.random.default_rng(10_000)
    codes = set()
    for _ in range(n_positions):
        arguments = spoiled(rng)
        try:
            solve_board(**arguments)
        except SolverError as error:
            codes.add(error.code)
        else:
            pytest.fail(f"not refused: {arguments}")
    assert not calls
    assert codes >= {-1, -3, -4, -5, -7, -8, -9, -10, -13, -14, -16, -17, -18, -19}


def test_noise_in_one_batch_is_refused_with_its_first_index(calls):
    rng = np.random.default_rng(5)
    good = np.array([[word(hand) for hand in ending(rng, 5, 0)[0]] for _ in range(50)], np.uint64)
    for index in (0, 17, 49):
        words = good.copy()
        words[index:] = rng.integers(1, 1 << 63, (50 - index, 4), dtype=np.uint64)
        with pytest.raises(SolverError) as caught:
            solve_board(words, 4, 0)
        assert caught.value.index == index
    assert not calls

"""The own solver against plain minimax, DDS and itself: endings, mid-trick positions, whole deals, patterns."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit.doubledummy.solver.memory import HOLDINGS, LEFT, NEED, REST, SEAT, list_tops
from dealerkit.doubledummy.solver.workspace import Workspace
from tests.doubledummy.solver.comparison import (
    compare_deals,
    compare_endings,
    compare_positions,
    compare_solved,
    draw_freak,
)
from tests.support.endings import count_by_minimax, draw_ending

SUITS = [0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]


def check(differences):
    assert list(differences) == []


def test_endings_have_the_tricks_of_minimax():
    check(compare_endings(1, 1500, (1, 2, 3, 4, 5)))


def test_every_card_of_positions_has_the_tricks_of_dds():
    pytest.importorskip("endplay")
    # Last cards of different positions are often equal, and in one call DDS takes such positions for one.
    check(compare_positions(2, 800, (2, 3, 5, 7, 9)))


def test_whole_deals_and_freaks_have_the_tables_of_dds():
    pytest.importorskip("endplay")
    check(compare_deals(3, 12))


def test_deals_of_the_solved_sample_have_the_tables_of_dds():
    check(compare_solved(7, 6))


@pytest.mark.slow
def test_many_endings_have_the_tricks_of_minimax():
    check(compare_endings(4, 100_000, (4, 5, 6, 7)))


@pytest.mark.slow
def test_every_card_of_many_positions_has_the_tricks_of_dds():
    pytest.importorskip("endplay")
    check(compare_positions(5, 20_000, (2, 3, 4, 5, 6, 7, 8, 9, 10)))


@pytest.mark.slow
def test_many_whole_deals_have_the_tables_of_dds():
    pytest.importorskip("endplay")
    check(compare_deals(6, 1200))


@pytest.mark.slow
def test_many_deals_of_the_solved_sample_have_the_tables_of_dds():
    check(compare_solved(8, 3000))


def test_suits_of_one_hand_each():
    workspace = Workspace()
    for strain in range(4):
        workspace.set_deal(SUITS, strain)  # north has the spades, east the hearts ...
        assert [workspace.count_tricks([], leader) for leader in range(4)] == [13 * (strain % 2 == 0)] * 4
    workspace.set_deal(SUITS, 4)
    assert [workspace.count_tricks([], leader) for leader in range(4)] == [13, 0, 13, 0]


def test_thresholds_agree_with_the_tricks_whatever_was_asked_before():
    rng, kept = np.random.default_rng(8), Workspace()
    for size in (5, 8, 8, 13):
        ending = draw_ending(rng, size)
        kept.set_deal(ending.dealt, ending.strain)
        for leader in range(4):
            tricks = kept.count_tricks([], leader)
            fresh = Workspace()
            fresh.set_deal(ending.dealt, ending.strain)
            for need in rng.permutation(size + 2).tolist():
                assert kept.reaches([], leader, need) == (need <= tricks)
            assert fresh.reaches([], leader, tricks)
            assert not fresh.reaches([], leader, tricks + 1)


def test_other_names_of_seats_and_suits_change_nothing():
    rng, workspace = np.random.default_rng(9), Workspace()
    for _ in range(150):
        ending = draw_ending(rng, 6)
        workspace.set_deal(ending.dealt, ending.strain)
        tricks = workspace.count_tricks([], ending.leader)
        # Everybody one seat further: the tricks are those of the other side.
        turned = [ending.dealt[(seat - 1) % 4] for seat in range(4)]
        workspace.set_deal(turned, ending.strain)
        assert workspace.count_tricks([], (ending.leader + 1) % 4) == 6 - tricks
        # The suits in another order, trumps with them.
        order = rng.permutation(4)
        exchanged = [
            sum((hand >> 16 * lane & 0x1FFF) << 16 * int(order[lane]) for lane in range(4))
            for hand in ending.dealt
        ]
        strain = 4 if ending.strain == 4 else 3 - int(order[3 - ending.strain])
        workspace.set_deal(exchanged, strain)
        assert workspace.count_tricks([], ending.leader) == tricks


def test_a_card_more_in_a_trick_leaves_the_best_tricks_of_the_player():
    rng, workspace = np.random.default_rng(10), Workspace()
    for n_played in (0, 1, 2):
        ending = draw_ending(rng, 9, n_played)
        workspace.set_deal(ending.dealt, ending.strain)
        tricks = workspace.count_tricks(ending.table, ending.leader)
        player = (ending.leader + n_played) % 4
        legal = ending.hands[player]
        if ending.table:
            suit = 0x1FFF << (ending.table[0].bit_length() - 1 & ~15)
            legal = legal & suit or legal
        after = [
            workspace.count_tricks([*ending.table, 1 << bit], ending.leader)
            for bit in range(61)
            if legal >> bit & 1
        ]
        assert tricks == (min if player % 2 else max)(after)


def test_a_small_memory_gives_the_same_tricks():
    rng = np.random.default_rng(11)
    large, small = Workspace(), Workspace(megabytes=1)
    forgotten = 0
    for i in range(6):
        hands = draw_freak(rng) if i % 3 == 0 else draw_ending(rng, 13).dealt
        for workspace in (large, small):
            workspace.set_deal(hands, i % 5)
        for leader in range(4):
            assert small.count_tricks([], leader) == large.count_tricks([], leader)
        forgotten += small.n_forgotten
    assert forgotten > 0


def test_an_interrupt_leaves_a_workspace_that_can_be_used():
    rng = np.random.default_rng(12)
    ending = next(e for e in (draw_ending(rng, 13) for _ in range(100)) if e.strain == 0)
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) % 2 == 0

    whole, interrupted = Workspace(), Workspace(should_stop=should_stop)
    for workspace in (whole, interrupted):
        workspace.set_deal(ending.dealt, 0)
    expected, found = whole.count_tricks([], 1), None
    while found is None:
        try:
            found = interrupted.count_tricks([], 1)
        except KeyboardInterrupt:
            continue
    assert found == expected


def test_highest_cards_of_all_sets():
    tops = list_tops().reshape(HOLDINGS, 16)
    rng = np.random.default_rng(13)
    for cards in [0, 1, 8191, *rng.integers(0, 8192, 200).tolist()]:
        ranks = [rank for rank in range(12, -1, -1) if cards >> rank & 1]
        assert tops[cards].tolist() == [sum(1 << rank for rank in ranks[:k]) for k in range(16)]


def list_patterns(workspace):
    """Yield the stored patterns: lengths by lane and seat, tricks, leader, owners of top cards, bounds."""
    memory = workspace.memory
    for key, item in zip(memory.keys.tolist(), memory.lists.tolist(), strict=True):
        if not key:
            continue
        place, size, n = item >> 32, 1 << (item >> 24 & 255), item & 0xFFFFFF
        n_tricks, leader = key >> 48 & 15, key >> 52
        lengths = [[key >> 16 * lane + 4 * seat & 15 for seat in range(4)] for lane in range(3)]
        lengths.append([n_tricks - sum(lengths[lane][seat] for lane in range(3)) for seat in range(4)])
        for k in range(n):
            words = memory.patterns[[place + 2 * k, place + 2 * size + 2 * k]].tolist()
            bounds = int(memory.patterns[place + 4 * size + k])
            named = [bounds >> 8 + 4 * lane & 15 for lane in range(4)]
            owners = [
                [words[lane // 2] >> 26 * (lane % 2) + 24 - 2 * i & 3 for i in range(named[lane])]
                for lane in range(4)
            ]
            yield lengths, n_tricks, leader, owners, bounds & 15, bounds >> 4 & 15


def deal_pattern(rng, lengths, owners):
    """Return hands with these lengths in which the highest cards have these owners, the others dealt anew."""
    hands = [0, 0, 0, 0]
    for lane in range(4):
        rest = list(lengths[lane])
        for owner in owners[lane]:
            rest[owner] -= 1
        others = rng.permutation(np.repeat(np.arange(4), rest)).tolist()
        ranks = sorted(rng.permutation(13)[: sum(lengths[lane])].tolist(), reverse=True)
        for rank, seat in zip(ranks, [*owners[lane], *others], strict=True):
            hands[seat] |= 1 << 16 * lane + rank
    return hands


@pytest.mark.parametrize("n_endings", [12, pytest.param(400, marks=pytest.mark.slow)])
def test_the_bounds_of_patterns_hold_for_all_deals_of_their_low_cards(n_endings):
    rng, workspace = np.random.default_rng(n_endings), Workspace()
    n_checked = 0
    for i in range(n_endings):
        ending = draw_ending(rng, 7 if i % 2 else 6)
        workspace.set_deal(ending.dealt, ending.strain)
        workspace.count_tricks([], ending.leader)
        patterns = list(list_patterns(workspace))
        for number in rng.permutation(len(patterns))[:40].tolist():
            lengths, n_tricks, leader, owners, low, high = patterns[number]
            if n_tricks > 5:  # too many cards for minimax
                continue
            hands = deal_pattern(rng, lengths, owners)
            tricks = count_by_minimax(ending._replace(hands=tuple(hands), leader=leader))
            assert low <= tricks <= high, (ending, lengths, owners, low, high, hands)
            n_checked += 1
    assert n_checked > 10 * n_endings


def test_a_position_of_the_stack_is_that_of_the_question():
    workspace = Workspace()
    workspace.set_deal(SUITS, 4)
    workspace.reaches([], 2, 5)
    stack = workspace.memory.stack
    assert stack[[REST, SEAT, NEED, LEFT]].tolist() == [sum(SUITS), 2, 5, 13]

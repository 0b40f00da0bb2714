"""The search: can north and south take a number of tricks?

References
----------
B. Haglund, Search algorithms for a bridge double dummy solver, 2010: zero-window search with a transposition
table, quick tricks. M. Ginsberg, Partition search, AAAI 1996.
"""

from __future__ import annotations

from dealerkit.doubledummy.solver.memory import (
    BEST,
    BEST_SEAT,
    CARD,
    DEPTH,
    HINT,
    IS_FULL,
    LED,
    LEFT,
    MOVES,
    NEED,
    NODES,
    PHASE,
    PLACE,
    PROOF,
    REST,
    RESULT_PROOF,
    SEAT,
    START,
    TRUMP,
    VALUE,
    WIDTH,
    WON,
)
from dealerkit.doubledummy.solver.moves import choose_first, choose_move, note_lead
from dealerkit.doubledummy.solver.patterns import find_pattern, store_pattern
from dealerkit.doubledummy.solver.sure_tricks import (
    count_cashing,
    count_crossing,
    count_entries,
    count_trumps,
)
from dealerkit.runtime.compiled import highest_bit, kernel

ENTER, LEAVE = 0, 1  # phases
DONE, PAUSED, FULL = 0, 1, 2  # results of `search`


@kernel
def search(memory, limit):
    """Continue the search in `memory` until it is done, has visited `limit` nodes, or needs memory."""
    hands, tops, keys, patterns = memory.hands, memory.tops, memory.keys, memory.patterns
    lengths, owners, lists = memory.lengths, memory.owners, memory.lists
    hints, leads, stack, state = memory.hints, memory.leads, memory.stack, memory.state
    depth, phase = state[DEPTH], state[PHASE]
    value, proof, trump = state[VALUE], state[RESULT_PROOF], state[TRUMP]
    n_nodes, status = 0, DONE
    while depth >= 0:
        row = depth * WIDTH
        if phase == ENTER:
            place, need = stack[row + PLACE], stack[row + NEED]
            if place == 0:
                if n_nodes >= limit:
                    status = PAUSED
                    break
                if state[IS_FULL]:
                    status = FULL
                    break
            n_nodes += 1
            is_decided = False
            if place == 0:
                is_decided, value, proof = decide_trick(hands, stack, row, trump, tops)
                if not is_decided:
                    is_decided, value, proof = find_pattern(
                        lengths, owners, keys, lists, patterns, tops, row, need, stack
                    )
            elif place == 1:
                is_decided, value, proof = decide_second(hands, stack, row, trump, tops)
            if is_decided:
                depth -= 1
                phase = LEAVE
                continue
            stack[row + PROOF] = 0
            card = choose_first(hands, hints, leads, stack, row, trump)
        else:
            # A card was searched: it is enough, or it fails with all that the proof does not distinguish.
            if stack[row + PLACE] == 3:
                proof |= stack[row + WON]
            card = stack[row + CARD]
            success = 1 - (stack[row + SEAT] & 1)
            if value == success:
                hints[stack[row + HINT]] = highest_bit(card)
                if stack[row + PLACE] == 0:
                    note_lead(leads, stack[row + SEAT], card)
                is_done = True
            else:
                moves = drop_moves(stack[row + MOVES], card, proof)
                stack[row + MOVES] = moves
                proof |= stack[row + PROOF]
                stack[row + PROOF] = proof
                is_done = moves == 0
            if is_done:
                if stack[row + PLACE] == 0:
                    proof = store_pattern(
                        lengths,
                        owners,
                        keys,
                        lists,
                        patterns,
                        tops,
                        row,
                        stack[row + NEED],
                        stack,
                        state,
                        value,
                        proof,
                    )
                depth -= 1
                continue
            card = choose_move(hands, leads, stack, row, trump)
        play_card(stack, row, card, trump)
        depth += 1
        phase = ENTER
    state[DEPTH], state[PHASE], state[VALUE], state[RESULT_PROOF] = depth, phase, value, proof
    state[NODES] += n_nodes
    return status


@kernel
def drop_moves(moves, card, proof):
    """Return the moves that remain after a card has failed, with what proves it.

    Every card of its suit below all that the proof names fails in the same way.
    """
    shift = 16 * (highest_bit(card) >> 4)
    named = proof >> shift & 8191
    if named == 0:
        return moves & ~(8191 << shift)
    lowest = (named & -named) << shift
    if card < lowest:
        return moves & ~((8191 << shift) & (lowest - 1))
    return moves & ~card


@kernel
def play_card(stack, row, card, trump):
    """Write the position after a card to the next row of the stack."""
    seat, place, rest = stack[row + SEAT], stack[row + PLACE], stack[row + REST] ^ card
    best, best_seat, led = stack[row + BEST], stack[row + BEST_SEAT], stack[row + LED]
    stack[row + CARD] = card
    lane = highest_bit(card) >> 4
    if place == 0:
        best, best_seat, led = card, seat, lane
    else:
        best_lane = highest_bit(best) >> 4
        if (card > best) if lane == best_lane else lane == trump:
            best, best_seat = card, seat
    child = row + WIDTH
    stack[child + REST] = rest
    if place < 3:
        stack[child + SEAT], stack[child + PLACE] = (seat + 1) & 3, place + 1
        stack[child + NEED], stack[child + LEFT] = stack[row + NEED], stack[row + LEFT]
        stack[child + START], stack[child + LED] = stack[row + START], led
        stack[child + BEST], stack[child + BEST_SEAT] = best, best_seat
    else:
        # The winner's rank matters if it beat another card of its suit.
        suit = (stack[row + START] ^ rest) & (8191 << (16 * (highest_bit(best) >> 4)))
        stack[row + WON] = best if suit != best else 0
        stack[child + SEAT], stack[child + PLACE] = best_seat, 0
        stack[child + NEED], stack[child + LEFT] = (
            stack[row + NEED] - 1 + (best_seat & 1),
            stack[row + LEFT] - 1,
        )
        stack[child + START] = rest


@kernel
def decide_trick(hands, stack, row, trump, tops):
    """Return whether a position at the start of a trick is decided without a search, the value, the proof."""
    need, n, rest, seat = stack[row + NEED], stack[row + LEFT], stack[row + REST], stack[row + SEAT]
    if need <= 0:
        return True, 1, 0
    if need > n:
        return True, 0, 0
    if n == 1:
        return play_last(hands, rest, seat, trump)
    own, left = hands[seat] & rest, hands[(seat + 1) & 3] & rest
    partner, right = hands[(seat + 2) & 3] & rest, hands[(seat + 3) & 3] & rest
    ours, theirs = need, n - need + 1
    if seat & 1:
        ours, theirs = theirs, ours
    count, proof = count_cashing(own, partner, left, right, trump, n, ours, tops)
    if count >= ours:
        return True, 1 - (seat & 1), proof
    is_trump = trump < 4 and rest >> (16 * trump) & 8191 != 0
    if is_trump:
        count, proof = count_trumps(own, partner, left, right, trump, theirs, tops)
    else:
        count, proof = count_crossing(own, partner, left, right, n, ours, tops)
        if count >= ours:
            return True, 1 - (seat & 1), proof
        count, proof = count_entries(own, partner, left, right, n, theirs, tops)
    if count >= theirs:
        return True, seat & 1, proof
    return False, 0, 0


@kernel
def play_last(hands, rest, seat, trump):
    """Return the value of the last trick, in which each hand plays its only card, and the proof."""
    best = hands[seat] & rest
    winner, lane = seat, highest_bit(best) >> 4
    for k in range(1, 4):
        card = hands[(seat + k) & 3] & rest
        other = highest_bit(card) >> 4
        if (card > best) if other == lane else other == trump:
            best, winner, lane = card, (seat + k) & 3, other
    suit = rest & (8191 << (16 * lane))
    return True, 1 - (winner & 1), best if suit != best else 0


@kernel
def decide_second(hands, stack, row, trump, tops):
    """Return whether the hand that wins the present trick with the highest card of the suit cashes enough."""
    led, start, seat = stack[row + LED], stack[row + START], stack[row + SEAT]
    need, n = stack[row + NEED], stack[row + LEFT]
    shift = 16 * led
    suit = start >> shift & 8191
    top = (1 << highest_bit(suit)) << shift
    third = hands[(seat + 1) & 3] & start
    if trump < 4 and led != trump and third >> shift & 8191 == 0 and third >> (16 * trump) & 8191:
        return False, 0, 0
    winner = seat
    if hands[(seat + 2) & 3] & top:
        winner = (seat + 2) & 3
    elif not hands[seat] & top:
        return False, 0, 0
    partner = hands[(winner + 2) & 3] & start
    if trump < 4 and partner & ~(8191 << (16 * trump)) == 0 and led != trump:
        return False, 0, 0  # it must ruff
    needed = n - need + 1 if seat & 1 else need
    own, left, right = hands[winner] & start, hands[(winner + 1) & 3] & start, hands[(winner + 3) & 3] & start
    count, proof = count_cashing(own, partner, left, right, trump, n, needed, tops)
    if count < needed:
        return False, 0, 0
    return True, 1 - (seat & 1), proof | top

"""The cards that a player may play, one of each group of equal cards, and which of them is tried first."""

from __future__ import annotations

import numpy as np

from dealerkit.doubledummy.solver.memory import (
    BEST,
    BEST_SEAT,
    DECK,
    HINT,
    LED,
    MOVES,
    NO_TRUMPS,
    PLACE,
    REST,
    SEAT,
    START,
)
from dealerkit.runtime.compiled import count_bits, highest_bit, kernel

_MULTIPLIER = 0x1E3779B97F4A7C15

# Leads of a suit: what is in it, or who has its highest card. The leader's second highest card counts, too.
(
    _TRUMP, _HIGHEST_TRUMP, _PARTNER_RUFFS, _OPPONENT_RUFFS, _HIGHEST, _TO_PARTNER, _FINESSE, _TO_RIGHT,
    _SECOND_TO_RIGHT, _THROUGH_LEFT, _SECOND_THROUGH_LEFT,
) = range(11)  # fmt: skip
# For each of these a score, and what each card of the leader, of partner and of both opponents adds to it; in
# trumps and at notrump. These numbers were measured to make searches short.
_SCORES = np.array(
    [
        [
            [64, 0, 0, 0], [96, 0, 0, 0], [440, 0, 0, 0], [-240, 0, 0, 0], [240, 8, 0, 0], [320, 0, 0, 0],
            [400, 0, 0, 0], [80, 0, 0, 0], [176, 8, 0, 0], [160, -8, 0, 0], [192, 8, 0, 0],
        ],
        [
            [64, 0, 0, 0], [96, 0, 0, 0], [440, 0, 0, 0], [-240, 0, 0, 0], [300, -10, -6, 0], [332, 3, 3, -6],
            [448, -2, 0, -3], [40, 17, 20, 9], [134, 8, 4, 3], [231, -15, 43, 10], [174, 13, 18, -6],
        ],
    ]
)  # fmt: skip


@kernel
def list_moves(hands, stack, row):
    """Set the cards that may be played: the highest of each group that touches.

    Cards of one hand are equal if no card of another hand is between them at the start of the trick.
    """
    start = stack[row + START]
    own = hands[stack[row + SEAT]] & stack[row + REST]
    # The places below a card of the hand, with nothing but missing cards between.
    gaps = DECK & ~start
    below = own >> 1
    reached = below & gaps
    reached |= gaps & (reached >> 1)
    gaps &= gaps >> 1
    reached |= gaps & (reached >> 2)
    gaps &= gaps >> 2
    reached |= gaps & (reached >> 4)
    gaps &= gaps >> 4
    reached |= gaps & (reached >> 8)
    below |= reached >> 1
    moves = own & ~below
    if stack[row + PLACE] > 0:
        following = moves & (8191 << (16 * stack[row + LED]))
        if following != 0:
            moves = following
    stack[row + MOVES] = moves


@kernel
def hash_position(hands, stack, row, trump):
    """Return the place of the hint for a position."""
    seat, place = stack[row + SEAT], stack[row + PLACE]
    own = hands[seat] & stack[row + REST]
    if place == 0:
        code = own
    else:
        shift = 16 * stack[row + LED]
        if own >> shift & 8191:
            code = (stack[row + START] >> shift & 8191) | highest_bit(stack[row + BEST]) << 13
        else:
            code = own if trump == NO_TRUMPS else own ^ stack[row + BEST] << 3
    code = code << 4 ^ (seat | place << 2)
    code = code * _MULTIPLIER
    return (code ^ code >> 29) * _MULTIPLIER >> 40 & 65535


@kernel
def choose_first(hands, hints, leads, stack, row, trump):
    """Set the moves, and return the one that ended the search of a similar position, else the best."""
    list_moves(hands, stack, row)
    moves = stack[row + MOVES]
    stack[row + HINT] = 0
    if moves & (moves - 1) == 0:
        return moves
    place = hash_position(hands, stack, row, trump)
    stack[row + HINT] = place
    card = moves & (1 << hints[place])
    if hints[place] == 0 or card == 0:
        return choose_move(hands, leads, stack, row, trump)
    return card


@kernel
def note_lead(leads, seat, card):
    """Note the suit of a lead that was enough: its share, of 256, of the last such leads of the seat."""
    for lane in range(4):
        place = seat << 2 | lane
        if lane == highest_bit(card) >> 4:
            leads[place] += (256 - leads[place]) >> 4
        else:
            leads[place] -= leads[place] >> 4


@kernel
def choose_move(hands, leads, stack, row, trump):
    """Return the card to try next, of those that remain."""
    moves = stack[row + MOVES]
    if moves & (moves - 1) == 0:
        return moves
    place = stack[row + PLACE]
    if place == 0:
        return choose_lead(hands, leads, stack, row, trump)
    led = stack[row + LED]
    following = moves & (8191 << (16 * led))
    if following == 0:
        return choose_discard(hands, stack, row, trump)
    if place == 1:
        return choose_second(hands, stack, row, trump)
    if place == 2:
        return choose_third(hands, stack, row, trump)
    # Fourth hand wins as cheaply as it can if partner does not.
    lowest = moves & -moves
    if (stack[row + BEST_SEAT] ^ stack[row + SEAT]) & 1 == 0:
        return lowest
    best = stack[row + BEST]
    if best >> (16 * led) & 8191 == 0:
        return lowest
    winning = moves & -(best << 1)
    return winning & -winning if winning else lowest


@kernel
def choose_second(hands, stack, row, trump):
    """Return the card that second hand tries next in the suit that was led."""
    moves, best, rest = stack[row + MOVES], stack[row + BEST], stack[row + REST]
    seat, led = stack[row + SEAT], stack[row + LED]
    suit = 8191 << (16 * led)
    lowest = moves & -moves
    third, fourth = hands[(seat + 1) & 3] & rest, hands[(seat + 2) & 3] & rest
    if third & suit == 0 and trump < 4 and led != trump and third >> (16 * trump) & 8191:
        return lowest
    top = third & suit if third & suit > best else best
    if fourth & suit > top | (third & suit):
        return lowest
    # The cheapest card that third hand cannot beat, else the lowest.
    limit = 1 << highest_bit(top)
    winning = moves & -(limit << 1)
    if winning:
        return winning & -winning
    return lowest


@kernel
def choose_third(hands, stack, row, trump):
    """Return the card that third hand tries next in the suit that was led."""
    moves, best, rest = stack[row + MOVES], stack[row + BEST], stack[row + REST]
    seat, led = stack[row + SEAT], stack[row + LED]
    suit = 8191 << (16 * led)
    lowest = moves & -moves
    fourth = hands[(seat + 1) & 3] & rest
    if best & suit == 0:  # ruffed
        return lowest
    fourth_ruffs = fourth & suit == 0 and trump < 4 and led != trump and fourth >> (16 * trump) & 8191 != 0
    is_ours = (stack[row + BEST_SEAT] ^ seat) & 1 == 0
    if fourth_ruffs:
        return lowest
    if is_ours and fourth & suit < best:
        return lowest
    top = fourth & suit if fourth & suit > best else best
    winning = moves & -((1 << highest_bit(top)) << 1)
    if winning:
        return winning & -winning
    highest = 1 << highest_bit(moves)
    return highest if highest > best else lowest


@kernel
def choose_discard(hands, stack, row, trump):
    """Return the card that a hand without the suit that was led tries next: a ruff, or a discard."""
    moves, best, rest = stack[row + MOVES], stack[row + BEST], stack[row + REST]
    seat, place, led = stack[row + SEAT], stack[row + PLACE], stack[row + LED]
    own = hands[seat] & rest
    if trump < 4 and moves >> (16 * trump) & 8191:
        is_ours = place > 1 and (stack[row + BEST_SEAT] ^ seat) & 1 == 0
        if place == 2 and is_ours:
            fourth = hands[(seat + 1) & 3] & rest
            suit = fourth >> (16 * led) & 8191
            if suit:
                is_ours = suit << (16 * led) < best or best >> (16 * led) & 8191 == 0
            else:
                is_ours = fourth >> (16 * trump) & 8191 == 0
        if not is_ours:
            ruffs = moves & (8191 << (16 * trump))
            if best & (8191 << (16 * trump)):
                ruffs &= -(best << 1)
            if ruffs:
                return ruffs & -ruffs
    chosen, most = 0, -1
    for lane in range(4):
        cards = moves >> (16 * lane) & 8191
        if cards:
            n = 2 * count_bits(own >> (16 * lane) & 8191) + 1
            if lane == trump:
                n = 0
            if n > most:
                most = n
                chosen = (cards & -cards) << (16 * lane)
    return chosen


@kernel
def choose_lead(hands, leads, stack, row, trump):
    """Return the card that the leader tries next; suits whose leads were enough lately come sooner."""
    moves, rest, seat = stack[row + MOVES], stack[row + REST], stack[row + SEAT]
    own, x = hands[seat] & rest, hands[(seat + 1) & 3] & rest
    partner, y = hands[(seat + 2) & 3] & rest, hands[(seat + 3) & 3] & rest
    x_trumps = trump < 4 and x >> (16 * trump) & 8191 != 0
    y_trumps = trump < 4 and y >> (16 * trump) & 8191 != 0
    p_trumps = trump < 4 and partner >> (16 * trump) & 8191 != 0
    is_notrump = trump == NO_TRUMPS
    scores = _SCORES[1 if is_notrump else 0]
    chosen, most = 0, -10000
    for lane in range(4):
        shift = 16 * lane
        cards = moves >> shift & 8191
        if cards == 0:
            continue
        o, p, l, r = own >> shift & 8191, partner >> shift & 8191, x >> shift & 8191, y >> shift & 8191
        highest, lowest = 1 << highest_bit(cards), cards & -cards
        is_top = highest > p | l | r
        card = lowest
        if lane == trump:
            kind = _TRUMP
            if is_top:
                card, kind = highest, _HIGHEST_TRUMP
        elif p == 0 and p_trumps and not (l == 0 and x_trumps) and not (r == 0 and y_trumps):
            kind = _PARTNER_RUFFS
        elif (l == 0 and x_trumps) or (r == 0 and y_trumps):
            kind = _OPPONENT_RUFFS
        elif is_top:
            card, kind = highest, _HIGHEST
        elif p > l | r | o:
            # Partner has the highest card: through a king on the left it finesses.
            kind = _TO_PARTNER
            if l:
                second = p & ~(1 << highest_bit(p))
                if second and l > second and second > r:
                    kind = _FINESSE
        elif r > l | p | o:
            kind = _TO_RIGHT
            if highest > (r ^ 1 << highest_bit(r)) | l | p:
                card, kind = highest, _SECOND_TO_RIGHT
        else:
            kind = _THROUGH_LEFT
            if highest > (l ^ (1 << highest_bit(l) if l else 0)) | r | p:
                card, kind = highest, _SECOND_THROUGH_LEFT
        score = scores[kind, 0] + scores[kind, 1] * count_bits(o) + scores[kind, 2] * count_bits(p)
        score += scores[kind, 3] * count_bits(l | r) + (leads[seat << 2 | lane] << is_notrump)
        if score > most:
            chosen, most = card << shift, score
    return chosen

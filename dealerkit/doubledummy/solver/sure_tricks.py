"""Tricks that a side certainly takes, found without a search, and the cards that prove it.

Each rule returns a number of tricks and a set of cards: in every position with the same lengths, and the same
owners of all cards of a suit from the top down to the lowest of these, the side has that many tricks. No rule
looks for more tricks than are needed, so that the sets are small and the patterns broad.
"""

from __future__ import annotations

from dealerkit.runtime.compiled import count_bits, highest_bit, kernel


@kernel
def count_high(cards, others):
    """Return how many cards of one holding are above all of another."""
    if others == 0:
        return count_bits(cards)
    return count_bits(cards >> highest_bit(others))


@kernel
def count_longest(first, second, third):
    """Return the number of cards of the longest of three holdings."""
    longest = count_bits(first)
    n = count_bits(second)
    if n > longest:
        longest = n
    n = count_bits(third)
    return n if n > longest else longest


@kernel
def count_cashing(own, partner, left, right, trump, n, needed, tops):
    """Return the tricks that the hand on lead takes with its own highest cards, up to `needed`.

    It leads its highest trumps, then its other suits as long as both opponents who still have trumps follow.
    A hand whose cards in a suit are above those of all others when these are exhausted takes a trick with
    each. A partner who has trumps must not be forced to ruff: the side suits are led at most as often as he
    has other cards.
    """
    count, proof = 0, 0
    left_trumps, right_trumps, side_rounds = 0, 0, n
    if trump < 4:
        shift = 16 * trump
        cards = own >> shift & 8191
        p, x, y = partner >> shift & 8191, left >> shift & 8191, right >> shift & 8191
        high = 0
        if cards != 0:
            high = count_high(cards, p | x | y)
            if high > 0:
                longest = count_longest(p, x, y)
                if high >= longest:
                    high = count_bits(cards)
                count = high if high < needed else needed
                k = count if count < longest else longest
                proof = tops[(cards | p | x | y) << 4 | k] << shift
                if count >= needed:
                    return count, proof
        left_trumps, right_trumps = count_bits(x) - high, count_bits(y) - high
        if count_bits(p) > high:
            side_rounds = n - count_bits(p)
    for lane in range(4):
        shift = 16 * lane
        cards = own >> shift & 8191
        if lane == trump or cards == 0:
            continue
        p, x, y = partner >> shift & 8191, left >> shift & 8191, right >> shift & 8191
        high = count_high(cards, p | x | y)
        if high == 0:
            continue
        longest = count_longest(p, x, y)
        if high >= longest:
            high = count_bits(cards)
        if left_trumps > 0 and high > count_bits(x):
            high = count_bits(x)
        if right_trumps > 0 and high > count_bits(y):
            high = count_bits(y)
        if high > side_rounds:
            high = side_rounds
        side_rounds -= high
        if high > needed - count:
            high = needed - count
        count += high
        k = high if high < longest else longest
        proof |= tops[(cards | p | x | y) << 4 | k] << shift
        if count >= needed:
            break
    return count, proof


@kernel
def count_trumps(own, partner, left, right, trump, needed, tops):
    """Return the trump tricks of the side that is not on lead, up to `needed`.

    Of the highest trumps that its two hands have together, each takes a trick as long as the longer of the
    hands has trumps: whoever must play a trump plays one of the highest, and the other hand its lowest.
    """
    shift = 16 * trump
    cards = (left | right) >> shift & 8191
    if cards == 0:
        return 0, 0
    others = (own | partner) >> shift & 8191
    high = count_high(cards, others)
    longest = count_bits(left >> shift & 8191)
    n = count_bits(right >> shift & 8191)
    longest = n if n > longest else longest
    if high == 0 and longest > 1:
        # The king behind the ace, or king and queen.
        top = 1 << highest_bit(others)
        rest = cards | (others ^ top)
        second = 1 << highest_bit(rest)
        if cards & second:
            holder = left if own >> shift & top else right
            if holder >> shift & second and count_bits(holder >> shift & 8191) > 1:
                return 1, tops[(cards | others) << 4 | 2] << shift
            if cards & (1 << highest_bit(rest ^ second)):
                return 1, tops[(cards | others) << 4 | 3] << shift
        return 0, 0
    count = high if high < longest else longest
    count = count if count < needed else needed
    if others == 0:
        return count, 0
    return count, tops[(cards | others) << 4 | count] << shift


@kernel
def count_entries(own, partner, left, right, n, needed, tops):
    """Return the tricks of the side that is not on lead when there are no trumps, up to `needed`.

    In suits whose highest card the leading side has it leads at most as often as the longer of its hands has
    cards. With another suit the opponents come in: the hand with the highest card takes it at once, and then
    its other highest cards, which it could keep. If both opponents have such suits, the leading side chooses.
    """
    rounds, x_tricks, y_tricks, proof = 0, 0, 0, 0
    for lane in range(4):
        shift = 16 * lane
        a, b = own >> shift & 8191, partner >> shift & 8191
        x, y = left >> shift & 8191, right >> shift & 8191
        cards = a | b | x | y
        if cards == 0:
            continue
        if a | b > x | y:
            k, m = count_bits(a), count_bits(b)
            rounds += k if k > m else m
            if rounds >= n:
                return 0, 0
            proof |= tops[cards << 4 | 1] << shift
        elif x > y:
            high = count_high(x, a | b | y)
            x_tricks += high
            proof |= tops[cards << 4 | (high if high < needed else needed)] << shift
        else:
            high = count_high(y, a | b | x)
            y_tricks += high
            proof |= tops[cards << 4 | (high if high < needed else needed)] << shift
    count = x_tricks if y_tricks == 0 or 0 < x_tricks < y_tricks else y_tricks
    count = count if count < n - rounds else n - rounds
    return (count, proof) if count < needed else (needed, proof)


@kernel
def count_in_suit(own, partner, left, right, shift):
    """Return for `count_crossing` the tricks of both hands in a suit, if it has an entry, and the proof."""
    a, b = own >> shift & 8191, partner >> shift & 8191
    x, y = left >> shift & 8191, right >> shift & 8191
    others = x | y
    high = a | b
    if others:
        limit = 1 << highest_bit(others)
        if high < limit:
            return 0, 0, False, 0
        high &= -limit
    mine, his = a & high, b & high
    n_mine, n_his = count_bits(mine), count_bits(his)
    n_a, n_b, k = count_bits(a), count_bits(b), count_bits(high)
    low_b = n_b - n_his
    if n_mine and n_his and low_b < n_mine:
        if mine & -mine > his:
            rest = n_b - n_mine
            n_his = n_his if n_his < rest else (rest if rest > 0 else 0)
        elif n_a - n_mine >= n_his or his & -his > mine:
            n_mine = 0
        else:
            n_his, n_mine = 0, low_b if low_b < n_mine else n_mine
    else:
        longest = count_bits(x)
        n = count_bits(y)
        longest = n if n > longest else longest
        if n_mine + n_his >= longest:
            # The opponents have no more cards of the suit; neither has the hand that would have to follow.
            if n_a <= n_mine + n_his:
                n_his = n_b - n_mine if n_his and n_b - n_mine > n_his else n_his
            elif n_his == 0 and n_b <= n_mine:
                n_mine = n_a
    return n_mine, n_his, n_his > 0 and n_a > n_mine, k


@kernel
def count_crossing(own, partner, left, right, n, needed, tops):
    """Return the tricks of both hands of the side on lead when there are no trumps, up to `needed`.

    The hand on lead takes its highest cards, crosses once to a highest card of its partner, who takes his.
    In a suit of which both have highest cards the leader's come first. Partner must have low cards to follow,
    or highest cards below all of the leader's, which these cost him; else only partner's are counted, if the
    leader can follow below them; else as many of the leader's as partner has low cards.
    """
    # Partner's entry: a suit with a low card of the leader and a highest card of partner.
    count, proof, entry = 0, 0, -1
    total = 0
    for lane in range(4):
        n_mine, n_his, is_entry, k = count_in_suit(own, partner, left, right, 16 * lane)
        total += n_mine + n_his
        if is_entry and n_mine + n_his > count:
            count, entry = n_mine + n_his, lane
            shift = 16 * lane
            proof = tops[((own | partner | left | right) >> shift & 8191) << 4 | k] << shift
    if entry < 0 or total < needed:
        return 0, 0
    for lane in range(4):
        if count >= needed:
            break
        if lane != entry:
            shift = 16 * lane
            n_mine, n_his, is_entry, k = count_in_suit(own, partner, left, right, shift)
            if n_mine + n_his:
                count += n_mine + n_his
                proof |= tops[((own | partner | left | right) >> shift & 8191) << 4 | k] << shift
    return (count, proof) if count < needed else (needed, proof)

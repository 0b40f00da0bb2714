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
def count_established(cards, first, second, third):
    """Return the tricks of a holding that leads its highest cards, and the number of these that prove it.

    A holding whose highest cards exhaust all others takes a trick with each of its cards.
    """
    high = count_high(cards, first | second | third)
    longest = count_longest(first, second, third)
    if high >= longest:
        return count_bits(cards), longest
    return high, high


@kernel
def count_own_trumps(own, partner, left, right, trump, needed, tops):
    """Return the trump tricks of the side on lead, up to `needed`, the rounds led first, and the proof.

    The leader draws his highest trumps, to which partner plays his lowest. Of the highest trumps that are
    left each takes a trick later, as long as the longer of the two hands has trumps.
    """
    shift = 16 * trump
    cards, p = own >> shift & 8191, partner >> shift & 8191
    x, y = left >> shift & 8191, right >> shift & 8191
    suit = (cards | p | x | y) << 4
    high, k = count_established(cards, p, x, y) if cards else (0, 0)
    if high >= needed or p == 0:
        count = high if high < needed else needed
        return count, high, tops[suit | (k if k < count else count)] << shift
    both = cards | p
    if x | y:
        both &= -(1 << highest_bit(x | y))
    n_both, n_partner = count_bits(both), count_bits(p)
    fallen = high - (n_partner - count_bits(p & both))
    later = n_both - high - (fallen if fallen > 0 else 0)
    longer = count_bits(cards) - high
    longer = longer if longer > n_partner - high else n_partner - high
    later = later if later < longer else longer
    if later <= 0:
        return high, high, tops[suit | (k if k < high else high)] << shift
    count = high + later
    return count if count < needed else needed, high, tops[suit | n_both] << shift


@kernel
def count_side_suits(first, hand, other, left, right, trump, left_trumps, right_trumps, rounds, needed, tops):
    """Return the tricks, up to `needed`, of a hand that leads its highest side cards, from suit `first` on.

    Opponents who have trumps must follow, and the suits are led at most `rounds` times.
    """
    count, proof = 0, 0
    for i in range(4):
        lane = (first + i) & 3
        shift = 16 * lane
        cards = hand >> shift & 8191
        if lane == trump or cards == 0:
            continue
        p, x, y = other >> shift & 8191, left >> shift & 8191, right >> shift & 8191
        high, k = count_established(cards, p, x, y)
        if high == 0:
            continue
        if left_trumps > 0 and high > count_bits(x):
            high = count_bits(x)
        if right_trumps > 0 and high > count_bits(y):
            high = count_bits(y)
        if high > rounds:
            high = rounds
        rounds -= high
        if high > needed - count:
            high = needed - count
        count += high
        proof |= tops[(cards | p | x | y) << 4 | (k if k < high else high)] << shift
        if count >= needed:
            break
    return count, proof


@kernel
def find_link(own, partner, left, right, trump, left_trumps, right_trumps):
    """Return a side suit that the leader can lead to partner's highest card without a ruff, or -1."""
    for lane in range(4):
        shift = 16 * lane
        cards, p = own >> shift & 8191, partner >> shift & 8191
        x, y = left >> shift & 8191, right >> shift & 8191
        if lane == trump or cards == 0 or p <= cards | x | y:
            continue
        if (x or left_trumps <= 0) and (y or right_trumps <= 0):
            return lane
    return -1


@kernel
def count_cashing(own, partner, left, right, trump, n, needed, tops):
    """Return the tricks that the side on lead takes with its highest cards, up to `needed`.

    The leader draws his highest trumps and leads his other suits, as long as both opponents who still have
    trumps follow. Then he leads a low card to the highest one of partner, who leads his suits in the same
    way. A hand that has trumps must not be forced to ruff: side suits are led at most as often as it has
    other cards.
    """
    count, proof, left_trumps, right_trumps = 0, 0, 0, 0
    rounds, own_rounds = n, n
    if trump < 4:
        shift = 16 * trump
        count, high, proof = count_own_trumps(own, partner, left, right, trump, needed, tops)
        if count >= needed:
            return count, proof
        left_trumps = count_bits(left >> shift & 8191) - high
        right_trumps = count_bits(right >> shift & 8191) - high
        own_rounds = n - count_bits(own >> shift & 8191)
        if count_bits(partner >> shift & 8191) > high:
            rounds = n - count_bits(partner >> shift & 8191)
    side, side_proof = count_side_suits(
        0, own, partner, left, right, trump, left_trumps, right_trumps, rounds, needed - count, tops
    )
    count += side
    proof |= side_proof
    rounds = (rounds if rounds < own_rounds else own_rounds) - side
    if count >= needed or rounds <= 0:
        return count, proof
    lane = find_link(own, partner, left, right, trump, left_trumps, right_trumps)
    if lane < 0:
        return count, proof
    side, side_proof = count_side_suits(
        lane, partner, own, left, right, trump, left_trumps, right_trumps, rounds, needed - count, tops
    )
    if count + side < needed:
        return count, proof
    return needed, proof | side_proof


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

    In suits whose highest card the leading side has it leads at most as often as the longer of its hands
    has cards; or only as often as it has highest cards, if one opponent has more cards than these that beat
    all the others, since one of them is left then: a stopper. With another suit the opponents come in at
    once. The hand that comes in takes its highest cards, which it could keep. If it could also keep a card
    of a suit in which its partner has the highest card, it leads this last, and partner takes his. The
    leading side chooses who comes in.
    """
    rounds, saved, x_tricks, y_tricks, x_stoppers, y_stoppers, proof = 0, 0, 0, 0, 0, 0, 0
    x_leads, y_leads = False, False
    for lane in range(4):
        shift = 16 * lane
        a, b = own >> shift & 8191, partner >> shift & 8191
        x, y = left >> shift & 8191, right >> shift & 8191
        suit = (a | b | x | y) << 4
        if suit == 0:
            continue
        if a | b > x | y:
            k, m = count_bits(a), count_bits(b)
            k = k if k > m else m
            rounds += k
            low = (a | b) & ((1 << highest_bit(x | y)) - 1) if x | y else 0
            high = count_bits(a | b) - count_bits(low)
            stopper = 0
            if high < k and count_high(x, low | y) > high:
                stopper = x
                x_stoppers += 1
            elif high < k and count_high(y, low | x) > high:
                stopper = y
                y_stoppers += 1
            if stopper:
                saved += k - high
                proof |= tops[stopper << 4 | high + 1] << shift
            else:
                proof |= tops[suit | 1] << shift
            if rounds - saved >= n:
                return 0, 0
        elif x > y:
            high, k = count_established(x, a, b, y)
            x_tricks += high
            y_leads |= y != 0
            proof |= tops[suit | (k if k < needed else needed)] << shift
        else:
            high, k = count_established(y, a, b, x)
            y_tricks += high
            x_leads |= x != 0
            proof |= tops[suit | (k if k < needed else needed)] << shift
    # Beside its stoppers a hand must be able to keep all its highest cards: else no stopper counts.
    rest = n - rounds + saved
    if x_tricks + x_stoppers > rest or y_tricks + y_stoppers > rest:
        x_stoppers, y_stoppers, rest = 0, 0, n - rounds
        if rest <= 0:
            return 0, 0
    x_room, y_room = rest - x_stoppers, rest - y_stoppers
    x_tricks = x_tricks if x_tricks < x_room else x_room
    y_tricks = y_tricks if y_tricks < y_room else y_room
    x_first = x_tricks + y_tricks if x_leads and x_tricks < x_room else x_tricks
    y_first = y_tricks + x_tricks if y_leads and y_tricks < y_room else y_tricks
    if x_tricks == 0:
        x_first = x_first + 1 if x_stoppers else n
    if y_tricks == 0:
        y_first = y_first + 1 if y_stoppers else n
    count = x_first if x_first < y_first else y_first
    count = count if count < rest else rest
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

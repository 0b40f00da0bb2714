"""Opening leads, double dummy: the tricks after each lead, and after a lead that players' rules choose.

At the first trick, cards that touch in the leader's hand are the same lead, which is named after the highest
of them. Solving whether a lead beats the contract is cheaper than solving its tricks.

The double-dummy opening lead knows all four hands, which no leader does. A rule sees only the leader's hand
and the strain. It chooses a suit, then a card by its place in the suit, so each rule is a table over the
8,192 holdings.

References
----------
American Contract Bridge League, convention card, "Leads": the cards in bold are led from sequences.
K. Walker, Lead conventions, https://www.kwbridge.com/bb/leads-conv.htm: fourth best, third and fifth,
attitude.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.arguments import check_name
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, STRAINS, SUIT_LETTERS, card_bit
from dealerkit.cards.text import find_fault, format_hands, holding_texts, split_lanes
from dealerkit.doubledummy.arguments import to_hands, to_numbers, to_seat_numbers, to_strain_numbers
from dealerkit.doubledummy.batches import MAXIMA_PER_THREAD, TESTS_PER_THREAD
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.ledger import Ledger, current_ledger
from dealerkit.doubledummy.library_calls import CARDS_PER_THREAD, TARGETS_PER_THREAD, solve_in_calls
from dealerkit.doubledummy.lookup import Query, look_up
from dealerkit.doubledummy.solvers import use_solver
from dealerkit.doubledummy.store.database import current_store
from dealerkit.errors import ArgumentError, DealError, quote, suggest_name
from dealerkit.runtime.progress import Progress, long_work, show_progress
from dealerkit.scoring import Contract, is_declarer_vulnerable, score

if TYPE_CHECKING:
    import pandas as pd


LeadRule = str | Callable[[str, str], str | Iterable[str]]

# The top cards of a suit, or those from the second card on, and the card led from them, the best sequences
# first
_AT_NOTRUMP = (
    ("AKQ", "A"), ("AKJ", "A"), ("KQJ", "K"), ("KQT", "K"), ("AQJ", "Q"), ("QJT", "Q"), ("QJ9", "Q"),
    ("AJT", "J"), ("KJT", "J"), ("JT9", "J"), ("JT8", "J"), ("AT9", "T"), ("KT9", "T"), ("QT9", "T"),
    ("T98", "T"),
)  # fmt: skip
_IN_SUITS = (
    ("AK", "A"), ("KQ", "K"), ("QJ", "Q"), ("KJT", "J"), ("JT", "J"), ("KT9", "T"), ("QT9", "T"), ("T9", "T"),
)  # fmt: skip
_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def _lead_fourth(cards: str) -> int:
    """Return the place of the fourth best card; of three the lowest, without an honour the highest."""
    if len(cards) >= 4:
        return 3
    return len(cards) - 1 if len(cards) == 3 and cards[0] in "AKQJ" else 0


def _lead_third_or_fifth(cards: str) -> int:
    """Return the place of the third of three or four cards, the fifth of more, the higher of two."""
    return 4 if len(cards) >= 5 else 2 if len(cards) >= 3 else 0


def _lead_attitude(cards: str) -> int:
    """Return the place of the lowest card below an honour, or of the highest card without an honour."""
    return len(cards) - 1 if len(cards) >= 3 and cards[0] in "AKQJ" else 0


_PLACES: dict[str, Callable[[str], int]] = {
    "fourth best": _lead_fourth,
    "third and fifth": _lead_third_or_fifth,
    "attitude": _lead_attitude,
    "top of sequence": _lead_fourth,
}
LEAD_RULES = tuple(_PLACES)


class _Tables(NamedTuple):
    """Of a rule, for each holding: the rank that is led, and how far the suit is preferred (higher: more)."""

    rank: np.ndarray
    preference: np.ndarray


@functools.cache
def _build_tables(rule: str, is_notrump: bool) -> _Tables:
    """Return the tables of a rule over the 8,192 holdings."""
    sequences = _AT_NOTRUMP if is_notrump else _IN_SUITS
    rank, preference = np.zeros((2, 8192), np.int16)
    for holding, cards in enumerate(holding_texts().tolist()):
        if not cards:
            preference[holding] = -1
            continue
        # The card that is led from the holding: by its sequence, a lone ace, or by its place
        found = next((n for n, (top, _) in enumerate(sequences) if cards.startswith(top)), None)
        has_lone_ace = not is_notrump and cards[0] == "A" and found is None
        if found is not None:
            card = sequences[found][1]
        elif has_lone_ace:
            card = "A"
        else:
            card = cards[_PLACES[rule](cards)]
        rank[holding] = RANKS.index(card)
        # The preference of the suit: by length, then by points; sequences come first
        points = sum(_POINTS.get(card, 0) for card in cards)
        preference[holding] = 16 * len(cards) + points
        if has_lone_ace:
            preference[holding] -= 250  # a suit with ace but no king is the last choice
        if rule == "top of sequence" and found is not None and len(cards) > (2 if is_notrump else 1):
            preference[holding] = 1000 + 250 * (len(sequences) - found) + 16 * len(cards)
    return _Tables(rank, preference)


def choose_leads(hands: np.ndarray, strain: int, rule: LeadRule) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Choose the opening leads that a rule allows.

    Parameters
    ----------
    hands : ndarray of uint64 [n]
        The leaders' hands, of 13 cards.
    strain : int
        S H D C N = 0..4.
    rule : str or callable
        One of `LEAD_RULES`. *top of sequence* leads from the suit with the best sequence, if there is one.
        Otherwise, and with all other rules, the lead is from the longest suit, among equals the one with more
        points, then the higher-ranking; never a trump if there is another card. Within the suit, it is the
        top of a sequence; against a suit contract, the ace of a suit without the king, which is chosen last;
        otherwise the card after which the rule is named. *fourth best*: the fourth highest of four or more,
        the lowest of three with an honour, the highest of three small cards or of two. *third and fifth*: the
        third highest of three or four, the fifth of more. *attitude*: the lowest of three or more with an
        honour, otherwise the highest.

        Or a function ``rule(hand, strain)``, called with texts such as ``"KJ74.Q93.T85.J62"`` and
        ``"notrump"``, which returns a card, ``"S4"``, or several cards, of which the defence leads the best.

    Returns
    -------
    row, suit, rank : ndarray of int64 [m]
        Index of the hand, ascending; suit S H D C = 0..3; rank 0 (deuce) to 12.

    Raises
    ------
    ArgumentError
        The rule is unknown, or the function chose a card that is not in the hand.

    Examples
    --------
    >>> from dealerkit.cards.text import parse_hand
    >>> hand = np.array([parse_hand("KJ742.Q93.T5.J62")], np.uint64)
    >>> choose_leads(hand, 4, "fourth best"), choose_leads(hand, 0, "third and fifth")
    ((array([0]), array([0]), array([2])), (array([0]), array([1]), array([1])))
    """
    if callable(rule):
        return _call_function(hands, strain, rule)
    tables = _build_tables(check_lead_rule(rule), strain == 4)
    lanes = split_lanes(hands)
    preference = tables.preference[lanes].astype(np.int64)
    if strain < 4:
        preference[:, strain] -= np.where(lanes[:, strain] > 0, 100_000, 0)
    preference[lanes == 0] = -1_000_000
    suit = preference.argmax(axis=1)  # of equal suits, the first, which is the higher-ranking
    row = np.arange(len(hands))
    return row, suit, tables.rank[lanes[row, suit]].astype(np.int64)


def choose_cards(hand: int, strain: int, rule: LeadRule) -> list[str]:
    """Return the cards of a hand that a rule leads: its card of each suit, if the rule has a name.

    >>> from dealerkit.cards.text import parse_hand
    >>> choose_cards(parse_hand("KJ742.Q93.T5.J62"), 4, "fourth best")
    ['S4', 'H3', 'DT', 'C2']
    """
    if callable(rule):
        _, suits, ranks = _call_function(np.array([hand], np.uint64), strain, rule)
    else:
        lanes = split_lanes(np.array([hand], np.uint64))[0]
        suits = np.flatnonzero(lanes)
        ranks = _build_tables(check_lead_rule(rule), strain == 4).rank[lanes[suits]]
    return [SUIT_LETTERS[suit] + RANKS[rank] for suit, rank in zip(suits, ranks, strict=True)]


def check_lead_rule(rule: Any) -> LeadRule:
    """Return a rule, or raise ArgumentError if it is neither a name in `LEAD_RULES` nor a function."""
    if callable(rule) or (isinstance(rule, str) and rule in _PLACES):
        return rule
    raise ArgumentError(
        f"unknown rule of leads {quote(rule)}{suggest_name(str(rule), LEAD_RULES)}; known: "
        f"{', '.join(LEAD_RULES)}; or a function of the hand and the strain that returns a card"
    )


def _call_function(hands: np.ndarray, strain: int, rule: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the leads that a user's function chooses; arguments and result are those of `choose_leads`."""
    chosen: list[tuple[int, int, int]] = []
    for row, (word, text) in enumerate(zip(hands.tolist(), format_hands(hands), strict=True)):
        cards = rule(text, STRAINS[strain])
        cards = [cards] if isinstance(cards, str) else list(cards)
        for card in cards:
            name = str(card).strip().upper().replace("10", "T")
            suit, rank = SUIT_LETTERS.find(name[:1]), RANKS.find(name[1:])
            if len(name) != 2 or suit < 0 or rank < 0 or not word & card_bit(suit, rank):
                raise ArgumentError(f"the rule of leads chose {card!r}, which is not a card of {text}")
            chosen.append((row, suit, rank))
        if not cards:
            raise ArgumentError(f"the rule of leads chose no card from {text}")
    columns = np.array(chosen, np.int64).reshape(-1, 3).T
    return columns[0], columns[1], columns[2]


def tricks_after_lead(
    deals: Any,
    strain: Any,
    declarer: Any,
    rule: LeadRule,
    *,
    target: Any = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> np.ndarray:
    """Solve declarer's double-dummy tricks after an opening lead by a rule.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or names and letters.
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters. The seat to declarer's left leads.
    rule : str or callable
        As for `choose_leads`.
    target : int or sequence of n, optional
        Number of tricks, 1 to 13, that declarer must reach; solving this is cheaper than solving the number
        of tricks.
    threads : int, optional
        Number of threads of the solver.
    progress : bool, callable or None
        Whether to show a progress bar; None: on a terminal or in a notebook, after a second. Or
        ``progress(done, total)``, called with numbers of leads.

    Returns
    -------
    ndarray of int8 [n]
        Tricks 0..13, at least those against double-dummy defence; with `target`, 1 if declarer takes at least
        that many, otherwise 0. The store and attached tables are not used, since they are about the best
        lead.

    Raises
    ------
    DealError
        A deal does not have 52 cards, 13 in each hand; the message gives the index of the first.
    ArgumentError
        A strain, seat or rule is unknown.
    FileError
        The solver library is missing.

    Examples
    --------
    East has the hearts, but the rule does not lead a heart:

    >>> suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> tricks_after_lead(suits, "spades", "south", "fourth best")
    array([13], dtype=int8)
    """
    # Check the arguments, one for each deal
    hands = np.ascontiguousarray(to_hands(deals))
    n = len(hands)
    if fault := find_fault(hands):
        raise DealError(f"deal {fault[0]}: {fault[1]}; leads need whole deals")
    strains = to_numbers("strain", to_strain_numbers(strain), n, 4).astype(np.int64)
    leaders = (to_numbers("declarer", to_seat_numbers(declarer), n, 3).astype(np.int64) + 1) % 4
    targets = None if target is None else to_numbers("target", target, n, 13).astype(np.int64)
    check_lead_rule(rule)
    # The cards that the rule leads, by strain.
    leading = hands[np.arange(n), leaders]
    parts = []
    for number in np.unique(strains):
        members = np.flatnonzero(strains == number)
        row, suit, rank = choose_leads(leading[members], int(number), rule)
        parts.append((members[row], suit, rank))
    rows, suits, ranks = (np.concatenate(column) for column in zip(*parts, strict=True)) if parts else _NONE
    # Solve the deals after each of these leads.
    goals = None if targets is None else targets[rows]
    solved = solve_after_cards(
        hands[rows], strains[rows], leaders[rows], suits, ranks, goals, threads, progress
    )
    if (ledger := current_ledger()) is not None:
        ledger += Ledger(requested=len(rows), solved=len(rows))
    result = np.full(n, 13 if targets is None else 1, np.int8)
    np.minimum.at(result, rows, solved)  # of several cards, the defence leads the best
    return result


def look_up_after_lead(
    deals: Deals, queries: Sequence[Query], rule: LeadRule | None, **options: Any
) -> list[np.ndarray]:
    """Return the results of queries of `lookup.look_up`, after the opening lead of a rule.

    Without a rule, these are the results of `look_up`. With a rule, each query is solved, since tables and
    the store are about the best lead. `options` are those of `tricks_after_lead`.
    """
    if rule is None:
        return look_up(deals, queries, **options)
    results = []
    for strain, declarer, threshold in queries:
        solved = tricks_after_lead(deals, strain, declarer, rule, target=threshold, **options)
        results.append(solved if threshold is None else solved > 0)
    return results


_NONE = tuple(np.empty(0, np.int64) for _ in range(3))


def solve_after_cards(
    hands: np.ndarray,
    strain: np.ndarray,
    leader: np.ndarray,
    suit: np.ndarray,
    rank: np.ndarray,
    target: np.ndarray | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> np.ndarray:
    """Return declarer's tricks after each opening lead, int8 [m], or whether they reach `target`.

    Parameters
    ----------
    hands : ndarray of uint64 [m, 4]
        Whole deals, before the lead.
    strain, leader, suit, rank : ndarray of int64 [m]
    target : ndarray of int64 [m] or None
        Tricks 0..13; 0 is always reached.
    """
    position = hands.copy()
    shifts = np.array(LANE_SHIFTS)[suit] + rank
    position[np.arange(len(hands)), leader] &= ~(np.uint64(1) << shifts.astype(np.uint64))
    trick = np.zeros((2, len(hands), 3), np.int64)
    trick[0, :, 0], trick[1, :, 0] = suit, rank + 2
    result = np.ones(len(hands), np.int8)
    open_rows = np.arange(len(hands)) if target is None else np.flatnonzero(target > 0)
    goal = np.full(len(open_rows), -1) if target is None else target[open_rows]
    per_thread = MAXIMA_PER_THREAD if target is None else TESTS_PER_THREAD
    boards = position[open_rows], strain[open_rows], leader[open_rows], goal
    cards = trick[0, open_rows], trick[1, open_rows]
    with show_progress(progress, "leads") as show:
        for part, solved in solve_in_calls(*boards, per_thread, 1, 1, cards, threads=threads, progress=show):
            score = solved["score"][:, 0]  # dummy is to play, so these are declarer's tricks
            result[open_rows[part]] = score if target is None else score >= goal[part]
    return result


MEASURES = ("tricks", "beats")
KINDS = ("top of sequence", "fourth best", "honour", "other")
JOURNAL_DEALS = 240  # deals solved between two entries of a checkpoint
_TEN = RANKS.index("T")


@long_work
def leads(
    deals: Any,
    contract: Any,
    declarer: Any,
    *,
    vulnerable: Any = False,
    measure: str = "tricks",
    threads: int | None = None,
    progress: Any = None,
    checkpoint: str | os.PathLike | None = None,
    solver: str | None = None,
) -> pd.DataFrame:
    """Solve every opening lead against a contract, double dummy.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
    contract : str or Contract
        ``3NT``, ``4S``, ``4Sx`` ...
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters. The seat to declarer's left leads.
    vulnerable : bool, int or str, or a sequence of n
        For the score: the vulnerable sides, or whether declarer is vulnerable; as for `dealerkit.score`.
    measure : {"tricks", "beats"}
        "beats" solves only whether the contract goes down, which is about four times as fast. Deals on which
        it makes according to their attached table or the store are not solved.
    threads : int, optional
        Number of threads of the solver.
    progress : bool, callable or None
        Whether to show a progress bar; by default it appears after a second on a terminal or in a notebook.
        Or a function, called as ``progress(done, total)`` with numbers of deals.
    checkpoint : str or os.PathLike, optional
    solver : {"auto", "dds", "own"}, optional
        As for `dealerkit.dd_table`.

    Returns
    -------
    DataFrame
        One row per deal and distinct lead, ordered by deal, suit (S H D C) and rank.

        - deal: index in `deals`
        - card: ``"SQ"``, the highest of touching cards; equals: the others, ``"JT"``
        - suit: ``"S"``
        - kind: the first that applies. *top of sequence*: two or more touching cards, the highest a ten
          or higher. *fourth best*: the fourth highest card of its suit is this card or touches it.
          *honour*: ten or higher. *other*.
        - tricks (int8): tricks of the defence with best play afterwards; only for ``tricks``
        - beats (bool): the contract fails
        - score (int64): declarer's score; only for ``tricks``

    Raises
    ------
    DealError
        A deal does not have 52 cards, 13 in each hand; the message gives the index of the first.
    ArgumentError
        A contract, seat or vulnerability is invalid, or the measure is unknown.
    FileError
        The solver library is missing.

    Examples
    --------
    >>> frame = leads("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432", "7S", "south")
    >>> frame.to_dict("records")[0]["card"], int(frame.tricks[0]), int(frame.score[0])
    ('CA', 0, 1510)
    """
    import pandas as pd

    # Check and broadcast the arguments.
    measure = check_name("measure", measure, MEASURES)
    contract = Contract.of(contract)
    hands = np.ascontiguousarray(to_hands(deals))
    if fault := find_fault(hands):
        raise DealError(f"deal {fault[0]}: {fault[1]}; leads need whole deals")
    seats = to_numbers("declarer", to_seat_numbers(declarer), len(hands), 3)
    vul = is_declarer_vulnerable(vulnerable, seats)
    if vul.shape not in ((), (len(hands),)):
        raise ArgumentError(f"vulnerable has shape {vul.shape}, not ({len(hands)},) for {len(hands)} deals")
    vul = np.broadcast_to(vul, (len(hands),))
    # Solve all leads; with a checkpoint, in parts that are saved.
    tables = deals.tables if isinstance(deals, Deals) else None
    beats = measure == "beats"
    arguments = {"deals": hands, "tables": tables, "contract": contract, "declarer": seats, "beats": beats}
    size = max(len(hands), 1) if checkpoint is None else JOURNAL_DEALS
    values = np.empty((len(hands), 4, 13), np.int8)
    with (
        use_solver(solver),
        show_progress(progress) as show,
        Journal(checkpoint, "leads", arguments) as journal,
    ):

        def solve(part: slice) -> np.ndarray:
            def report(done: int, total: int) -> None:
                show(part.start + done * len(hands[part]) // total, len(hands))

            known = None if tables is None else tables[part]
            return solve_leads(hands[part], contract, seats[part], beats, known, threads, report)

        for first in range(0, len(hands), size):
            part = slice(first, first + size)
            values[part] = journal.step(partial(solve, part))
    # One row for the highest of touching cards
    deal, suit, rank, length, kind = find_distinct_leads(hands[np.arange(len(hands)), (seats + 1) % 4])
    value = values[deal, suit, rank]
    columns: dict[str, Any] = {
        "deal": deal,
        "card": _build_texts(lambda s, r: SUIT_LETTERS[s] + RANKS[r], suit, rank),
        "equals": _build_texts(lambda r, n: RANKS[r - n + 1 : r][::-1], rank, length),
        "suit": _build_texts(lambda s: SUIT_LETTERS[s], suit),
        "kind": _build_texts(lambda k: KINDS[k], kind),
    }
    if beats:
        return pd.DataFrame(columns | {"beats": value > 0})
    made = 13 - value.astype(np.int64)
    columns |= {"tricks": value, "beats": made < contract.level + 6}
    return pd.DataFrame(columns | {"score": score(contract, made, vulnerable=vul[deal])})


def _build_texts(build: Callable[..., str], *columns: np.ndarray) -> np.ndarray:
    """Return the text of each row of numbers 0..15; each distinct text is built once."""
    code = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        code = code * 16 + column
    codes, inverse = np.unique(code, return_inverse=True)
    texts = [build(*(int(k) >> 4 * i & 15 for i in range(len(columns))[::-1])) for k in codes]
    return np.array(texts, dtype=object)[inverse]


def find_distinct_leads(hand: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the distinct leads of hands [n]: row, suit, rank of the highest card, length, kind."""
    lanes = hand[:, None] >> np.array(LANE_SHIFTS, np.uint64) & np.uint64(LANE_MASK)
    held = (lanes[..., None] >> np.arange(13, dtype=np.uint64) & np.uint64(1)).astype(np.int8)
    run = held.copy()  # number of touching cards down to this one
    for i in range(1, 13):
        run[..., i] += held[..., i] * run[..., i - 1]
    highest = held.astype(bool)
    highest[..., :-1] &= held[..., 1:] == 0
    row, suit, below_ace = np.nonzero(highest[..., ::-1])
    rank = np.subtract(12, below_ace)
    length = run[row, suit, rank]
    above = (held[row, suit] * (np.arange(13) > rank[:, None])).sum(axis=1)
    fourth = (above < 4) & (above + length >= 4)
    honour = rank >= _TEN
    kind = np.select([honour & (length > 1), fourth, honour], [0, 1, 2], 3)
    return row, suit, rank, length, kind


def solve_leads(
    hands: np.ndarray,
    contract: Contract,
    declarer: np.ndarray,
    beats: bool = False,
    tables: np.ndarray | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> np.ndarray:
    """Solve each card of the opening leaders.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Whole deals.
    contract : Contract
    declarer : ndarray of int [n]
        N E S W = 0..3.
    beats : bool
        Solve only which cards beat the contract.
    tables : ndarray of int8 [n, 5, 4], optional
        Known tricks; with `beats`, deals on which the contract makes are not solved.
    threads, progress
        As for `leads`.

    Returns
    -------
    ndarray of int8 [n, 4, 13]
        For each card, by suit and rank, the tricks of the defence or, with `beats`, 1 if it beats the
        contract; 0 for cards that the leader does not hold.
    """
    # Deals on which the contract is known to make are not solved.
    n, needed = len(hands), contract.level + 6
    values = np.zeros((n, 4, 13), np.int8)
    is_open = np.ones(n, bool)
    store = current_store()
    if beats:
        cells = np.arange(n), contract.strain, declarer
        is_open = store.look_up(hands)[0][cells] < needed
        if tables is not None:
            is_open &= tables[cells] < needed
    # Solve the position before the lead, for each card of the leader.
    rows = np.flatnonzero(is_open)
    target = 14 - needed if beats else -1
    strains, targets = np.full((2, len(rows)), [[contract.strain], [target]])
    per_thread, solutions = (TARGETS_PER_THREAD, 2) if beats else (CARDS_PER_THREAD, 3)
    boards = hands[rows], strains, (declarer[rows] + 1) % 4, targets
    for part, solved in solve_in_calls(*boards, per_thread, solutions, threads=threads, progress=progress):
        # The library has one entry for equal cards, so its value is written for each of them.
        batch = rows[part]
        is_card = np.arange(13) < solved["cards"][:, None]  # the other entries are not filled
        tricks = np.where(is_card, solved["score"], 0).astype(np.int8)
        tricks = (tricks >= target).astype(np.int8) if beats else tricks
        bits = np.where(is_card, solved["equals"] | np.left_shift(1, np.where(is_card, solved["rank"], 0)), 0)
        board, entry, rank = np.nonzero(bits[..., None] >> np.arange(2, 15) & 1)
        np.maximum.at(values, (batch[board], solved["suit"][board, entry], rank), tricks[board, entry])
        # The best lead gives a bound of declarer's tricks, which the store keeps.
        best = values[batch].max(axis=(1, 2))
        low, high = np.zeros((len(batch), 5, 4), np.int8), np.full((len(batch), 5, 4), 13, np.int8)
        cells = np.arange(len(batch)), contract.strain, declarer[batch]
        low[cells] = np.where(best == 0, needed, 0) if beats else 13 - best
        high[cells] = np.where(best == 0, 13, needed - 1) if beats else 13 - best
        store.update(hands[batch], low, high)
    return values

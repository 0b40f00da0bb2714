"""Full and part-played positions: the best cards, the tricks of each card, and whether a target is reached.

With a malformed position, the library may end the process. So `check_positions` checks all input first and
raises the library's own status as an error with the index of the position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import FULL_DECK, LANE_MASK, RANKS, SEATS, SUIT_LETTERS
from dealerkit.doubledummy import library
from dealerkit.doubledummy.arguments import to_hands, to_seat_numbers, to_strain_numbers
from dealerkit.doubledummy.library import SolverError
from dealerkit.doubledummy.library_calls import CARDS_PER_THREAD, TARGETS_PER_THREAD, solve_in_calls
from dealerkit.doubledummy.solvers import use_solver
from dealerkit.errors import ArgumentError, UnknownNameError, quote
from dealerkit.runtime.progress import long_work

if TYPE_CHECKING:
    import pandas as pd


_CARD_NAMES = np.array([*(suit + rank for suit in SUIT_LETTERS for rank in RANKS), None], dtype=object)


@long_work
def solve_board(
    positions: Any,
    strain: Any,
    leader: Any,
    trick: Any = (),
    target: Any = -1,
    solutions: int = 1,
    mode: int = 1,
    solver: str | None = None,
) -> pd.DataFrame:
    """Solve full or part-played positions: the cards to play, and the tricks they take.

    Parameters
    ----------
    positions : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
        The cards still held, without those on the table: the same number in each hand that has not played to
        the current trick, and one fewer in the others. Hands may have fewer than 13 cards, as in
        ``N:AK... Q2... 54... J3...``.
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or names and letters.
    leader : int or str, or a sequence of n
        The seat that leads, or led, to the current trick; N E S W = 0..3, or names and letters.
    trick : str or sequence of str, or a sequence of n of these
        Cards on the table in the order in which they were played, at most three: ``"SA S3"`` or
        ``("SA", "S3")`` for all positions, ``[("SA",), ()]`` for one each.
    target : int or sequence of n, -1 to 13
        -1: find the maximum. 1 to 13: can this number of tricks be reached? 0: any legal card.
    solutions : {1, 2, 3}
        1: one best card, or one that reaches the target. 2: all such cards. 3: every legal card.
    mode : {0, 1, 2}
        0: do not search if the player has no choice. 1: always search. 2: as 1, but reuse the search of the
        previous position; all positions must have the same cards and strain (they may differ in leader and
        target). The results are those of mode 1.
    solver : {"auto", "dds", "own"}, optional
        The solver to use: the library DDS ("dds") or the solver of this package ("own"). By default that of
        the variable ``DEALERKIT_SOLVER``, otherwise ``auto``: DDS if it is installed. Both give the same
        results, except that with ``solutions=1`` each names one of several best cards.

    Returns
    -------
    DataFrame
        One row per position and card, the best cards first and cards of equal tricks from spades to clubs,
        ace to deuce; touching cards share a row. If the target is out of reach and solutions is below 3,
        there is one row without a card.

        - position: index in `positions`
        - card: ``"SA"``; suit: ``"S"``; rank: ``"A"``
        - equals: ranks of lower cards that are equally good, ``"QJ"``
        - tricks (Int8): tricks of the player's side (the leader's if no card is on the table), including the
          current trick. With a target and solutions 1 or 2, it is the target: at least that many. Missing
          if the target is out of reach or nothing was searched.
        - reached (boolean): whether this card reaches the target; missing if nothing was searched
        - forced (bool): whether the player had no choice, and mode 0 did not search

    Raises
    ------
    SolverError
        The error has the library's status code and the index of the position: unequal hands, cards held
        twice, no cards, wrong cards in the trick, arguments out of range.
    DealError
        A text is not a position.
    FileError
        The solver library is missing.

    References
    ----------
    B. Haglund, S. Hein, DDS 2.9, file doc/DLL-dds.md, function SolveBoard.

    Examples
    --------
    North's two spades are equal, and east keeps one of the two tricks with the queen and jack:

    >>> solve_board("N:32... QJ... AT... K4...", "notrump", "north", solutions=3)
       position card suit rank equals  tricks  reached  forced
    0         0   S3    S    3      2       1     True   False
    """
    hands = to_hands(positions)
    n = len(hands)
    played = parse_tricks(trick, n)
    strains = _to_integers(to_strain_numbers, strain, n, -18)
    leaders = _to_integers(to_seat_numbers, leader, n, -19)
    targets = _to_integers(np.asarray, target, n, -1)
    check_positions(hands, strains, leaders, played, targets, solutions, mode)
    with use_solver(solver):
        solved = _solve_positions(hands, strains, leaders, played, targets, solutions, mode)
    return _build_frame(solved, targets, solutions)


def _solve_positions(
    hands: np.ndarray,
    strains: np.ndarray,
    leaders: np.ndarray,
    played: tuple[np.ndarray, np.ndarray],
    targets: np.ndarray,
    solutions: int,
    mode: int,
) -> np.ndarray:
    """Return the solver's results for checked positions."""
    n = len(hands)
    solved = np.zeros(n, library.CARDS)
    per_thread = TARGETS_PER_THREAD if solutions < 3 and (targets >= 0).all() else CARDS_PER_THREAD

    def solve(rows: slice, mode: int, threads: int | None = None) -> None:
        boards = hands[rows], strains[rows], leaders[rows], targets[rows]
        trick = played[0][rows], played[1][rows]
        for batch, cards in solve_in_calls(*boards, per_thread, solutions, mode, trick, threads):
            solved[rows][batch] = cards

    if mode < 2:
        solve(slice(None), mode)
    elif n:
        # A search can only be reused by the thread that made it: one thread, and no other call between.
        _check_same_cards(hands, strains, played)
        with library.lock:
            solve(slice(1), 1, threads=1)
            solve(slice(1, None), mode, threads=1)
    return solved


def _to_integers(convert: Callable[[Any], Any], values: Any, n: int, code: int) -> np.ndarray:
    """Return an argument as int64 [n]; raise SolverError with `code` if it is not an integer."""
    try:
        array = np.asarray(convert(values))
    except (ArgumentError, UnknownNameError) as reason:
        raise SolverError(code, str(reason)) from None
    if array.size and array.dtype.kind not in "iu":
        raise SolverError(code, f"{values!r} is not a whole number")
    if array.ndim and array.shape != (n,):
        raise ArgumentError(f"{quote(values)} has shape {array.shape}, not ({n},) for {n} positions")
    return np.broadcast_to(array.astype(np.int64), (n,))


def _check_same_cards(hands: np.ndarray, strain: np.ndarray, trick: tuple[np.ndarray, np.ndarray]) -> None:
    """Raise an error unless all cards and strains are equal; otherwise mode 2 would give wrong results."""
    arrays = hands, strain[:, None], *trick
    differs = np.logical_or.reduce([(array != array[0]).any(axis=1) for array in arrays])
    if differs.any():
        row = int(differs.argmax())
        raise SolverError(
            -17, "mode 2 needs the same cards and strain in all positions; use mode 1 for different ones", row
        )


def _build_frame(solved: np.ndarray, target: np.ndarray, solutions: int) -> pd.DataFrame:
    """Return the results of the library, one row per position and card."""
    import pandas as pd

    # If only one card remains, the library returns it even if it does not reach the target
    first = solved["score"][:, 0]
    missed = (solutions < 3) & (target > 0) & (first != -2) & (first < target)
    # A row for each card of a solution, and one without a card if the target is missed
    rows = np.where(missed, 1, np.maximum(solved["cards"], 1))
    position = np.repeat(np.arange(len(solved)), rows)
    number = np.arange(rows.sum()) - np.repeat(rows.cumsum() - rows, rows)
    suit, rank, equals, score = (
        solved[name][position, number] for name in ("suit", "rank", "equals", "score")
    )
    # Best cards first, then spades to clubs, ace to deuce: the solvers have orders of their own.
    order = np.lexsort((-rank.astype(np.int64), suit, -score.astype(np.int64), position))
    suit, rank, equals, score = suit[order], rank[order], equals[order], score[order]
    none, forced = missed[position], score == -2
    reached = score >= target[position]
    card = _CARD_NAMES[np.where(none, 52, suit * 13 + rank - 2)]
    # Few sets of equal cards are distinct; each is written once
    sets, inverse = np.unique(equals, return_inverse=True)
    lower = ["".join(RANKS[bit - 2] for bit in range(14, 1, -1) if held >> bit & 1) for held in sets.tolist()]
    return pd.DataFrame(
        {
            "position": position,
            "card": card,
            "suit": [None if name is None else name[0] for name in card],
            "rank": [None if name is None else name[1] for name in card],
            "equals": np.array([*lower, None], dtype=object)[np.where(none, -1, inverse)],
            "tricks": pd.arrays.IntegerArray(score.astype(np.int8), none | forced),
            "reached": pd.arrays.BooleanArray(reached, forced),
            "forced": forced,
        }
    )


Fault = tuple[int, np.ndarray, Callable[[int], str]]  # status code, mask of positions, message for a row
_TRICK_FORM = "give the cards on the table as 'SA H3', or '' for none"


def check_positions(
    hands: np.ndarray,
    strain: np.ndarray,
    leader: np.ndarray,
    trick: tuple[np.ndarray, np.ndarray],
    target: np.ndarray,
    solutions: int = 1,
    mode: int = 1,
) -> None:
    """Raise an error unless all positions and arguments are valid.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
    strain, leader, target : ndarray of int [n]
    trick : pair of ndarray of int [n, 3]
        Suits 0..3 and ranks 2..14 of the cards on the table; rank 0 for no card.
    solutions, mode : int

    Raises
    ------
    SolverError
        It is raised for the first invalid position, with the status code, what is wrong, and the index.
    """
    for name, value, low, high, least, most in (
        ("solutions", solutions, -8, -9, 1, 3),
        ("mode", mode, -16, -17, 0, 2),
    ):
        if not isinstance(value, int | np.integer) or value < least or value > most:
            code = high if isinstance(value, int | float | np.number) and value > most else low
            raise SolverError(code, f"{name} is {value!r}; it must be from {least} to {most}")
    n_played = (trick[1] != 0).sum(axis=1)
    # In this order, because the message of a fault may assume that earlier faults are absent
    faults = [
        *_argument_faults(strain, leader, target),
        *_hand_faults(hands, n_played),
        *_trick_faults(hands, leader, trick, n_played, target),
    ]
    wrong = np.logical_or.reduce([mask for _, mask, _ in faults])
    if wrong.any():
        row = int(wrong.argmax())
        code, describe = next((code, describe) for code, mask, describe in faults if mask[row])
        raise SolverError(code, describe(row), row)


def _argument_faults(strain: np.ndarray, leader: np.ndarray, target: np.ndarray) -> list[Fault]:
    """Return the possible faults of strain, leader and target."""
    return [
        (
            -18,
            (strain < 0) | (strain > 4),
            lambda i: f"strain is {strain[i]}; it must be from 0 to 4 (SHDCN)",
        ),
        (
            -19,
            (leader < 0) | (leader > 3),
            lambda i: f"leader is {leader[i]}; it must be from 0 to 3 (N E S W)",
        ),
        (-5, target < -1, lambda i: f"target is {target[i]}; it must be from -1 (the maximum) to 13"),
        (-7, target > 13, lambda i: f"target is {target[i]}; it must be from -1 (the maximum) to 13"),
    ]


def _hand_faults(hands: np.ndarray, n_played: np.ndarray) -> list[Fault]:
    """Return the possible faults of the cards in the hands."""
    union, twice = np.zeros(len(hands), np.uint64), np.zeros(len(hands), np.uint64)
    for column in hands.T:
        twice |= union & column
        union |= column
    n_cards = np.bitwise_count(hands).sum(axis=1, dtype=np.int64) + n_played
    no_card = ((hands & ~np.uint64(FULL_DECK)) != 0).any(axis=1)
    return [
        (-1, no_card, lambda i: "the deal is missing, or some bits that are set do not belong to a card"),
        (-2, union == 0, lambda i: "no hand has a card"),
        (-10, n_cards > 52, lambda i: f"there are {n_cards[i]} cards ({_sizes_text(hands[i])})"),
        (-4, twice != 0, lambda i: f"{_highest_card(int(twice[i]))} is in two hands"),
    ]


def _trick_faults(
    hands: np.ndarray,
    leader: np.ndarray,
    trick: tuple[np.ndarray, np.ndarray],
    n_played: np.ndarray,
    target: np.ndarray,
) -> list[Fault]:
    """Return the possible faults of the cards on the table, the sizes of the hands and the target."""
    # Cards on the table: their form, and whether they are also elsewhere
    suits, ranks = trick
    played = ranks != 0
    malformed = (ranks < 0) | (ranks == 1) | (ranks > 14) | (suits < 0) | (suits > 3)
    malformed |= np.diff(played.astype(np.int8), axis=1, prepend=1) > 0  # a card after a gap
    shifts = np.uint64(48) - np.uint64(16) * np.clip(suits, 0, 3).astype(np.uint64)
    bits = np.uint64(1) << (shifts + np.clip(ranks - 2, 0, 12).astype(np.uint64))
    bits[~played | malformed] = 0
    in_hand = bits & np.bitwise_or.reduce(hands, axis=1)[:, None]
    repeated = (bits & np.roll(bits, 1, axis=1) != 0).any(axis=1)
    # Players who have played to the trick have one card less in hand
    n_tricks = np.bitwise_count(hands) + ((np.arange(4) - leader[:, None]) % 4 < n_played[:, None])
    # Law 44 C: a player must follow suit if possible
    seats = (leader[:, None] + np.arange(3)) % 4  # of the cards of the trick
    holds_led = (np.take_along_axis(hands, seats, axis=1) & np.uint64(LANE_MASK) << shifts[:, :1]) != 0
    revoke = played & (suits != suits[:, :1]) & holds_led

    def describe_revoke(row: int) -> str:
        column = int(revoke[row].argmax())
        card = f"{SUIT_LETTERS[suits[row, column]]}{RANKS[ranks[row, column] - 2]}"
        led = SUIT_LETTERS[suits[row, 0]]
        return f"{SEATS[seats[row, column]]} played {card} and still has a card of the suit led, {led}"

    def describe_malformed(row: int) -> str:
        return f"the trick has suits {suits[row].tolist()} and ranks {ranks[row].tolist()}, not all cards"

    def describe_in_hand(row: int) -> str:
        card = _highest_card(int(in_hand[row].max()))
        return f"{card} is on the table and also in a hand; remove it from the hand"

    def describe_sizes(row: int) -> str:
        table = f"{n_played[row]} cards on the table led by {SEATS[leader[row]]}"
        return f"hands of unequal size: {_sizes_text(hands[row])}, {table}"

    return [
        (-12, malformed.any(axis=1), describe_malformed),
        (-13, (in_hand != 0).any(axis=1), describe_in_hand),
        (-4, repeated, lambda i: "the same card was played twice in the trick"),
        (-14, (n_tricks != n_tricks[:, :1]).any(axis=1), describe_sizes),
        (-12, revoke.any(axis=1), describe_revoke),
        (-3, target > n_tricks[:, 0], lambda i: f"target is {target[i]}, but {n_tricks[i, 0]} tricks remain"),
    ]


def parse_tricks(trick: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the cards on the table in the library's encoding.

    Parameters
    ----------
    trick : str or sequence of str, or a sequence of n of these
        As for `solve_board`.
    n : int
        Number of positions.

    Returns
    -------
    suits, ranks : ndarray of int64 [n, 3]
        Suits 0..3, ranks 2..14; both 0 for no card.

    Raises
    ------
    SolverError
        A text that is not a card, or more than three cards.

    Examples
    --------
    >>> suits, ranks = parse_tricks("HA H3", 1)
    >>> suits, ranks
    (array([[1, 1, 0]]), array([[14,  3,  0]]))
    """
    # One trick for all positions, or one for each.
    if not hasattr(trick, "__len__") or getattr(trick, "ndim", 1) == 0:
        raise ArgumentError(f"trick is {trick!r}; {_TRICK_FORM}")
    is_separate = not isinstance(trick, str) and any(not isinstance(card, str) for card in trick)
    if is_separate and len(trick) != n:
        raise ArgumentError(f"trick has {len(trick)} entries for {n} positions")
    suits, ranks = np.zeros((2, n, 3), dtype=np.int64)
    for row, cards in enumerate(trick) if is_separate else ((None, trick),):
        if not hasattr(cards, "__len__"):
            raise ArgumentError(f"trick {row} is {cards!r}; {_TRICK_FORM}")
        texts = cards.split() if isinstance(cards, str) else list(cards)
        if len(texts) > 3:
            raise SolverError(-12, f"{len(texts)} cards on the table; there are at most three", row)
        rows = slice(None) if row is None else row
        for column, text in enumerate(texts):
            card = str(text).strip().upper().replace("10", "T")
            if len(card) != 2 or card[0] not in SUIT_LETTERS or card[1] not in RANKS:
                raise SolverError(-12, f"{text!r} is not a card; write it like SA or H10", row)
            suits[rows, column], ranks[rows, column] = SUIT_LETTERS.index(card[0]), RANKS.index(card[1]) + 2
    return suits, ranks


def _highest_card(cards: int) -> str:
    """Return the name of the highest of some cards."""
    bit = cards.bit_length() - 1
    return f"{SUIT_LETTERS[3 - bit // 16]}{RANKS[bit % 16]}"


def _sizes_text(hands: np.ndarray) -> str:
    """Return the number of cards of each seat as text."""
    sizes = np.bitwise_count(hands).tolist()
    return ", ".join(f"{seat} {size}" for seat, size in zip(SEATS, sizes, strict=True))

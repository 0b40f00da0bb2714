"""Arrays of boards for the solver: results in the form of the library DDS, threads, interrupts.

The functions take and return what those of `doubledummy.library_calls` do, so that all other code is the
same for both solvers. Of equal cards a result has the highest, with the others beside it; cards of equal
tricks are in the order spades to clubs, ace to deuce. Nothing here calls the library.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

import numpy as np

from dealerkit.cards.names import FULL_DECK
from dealerkit.doubledummy.library import CARDS, n_threads
from dealerkit.doubledummy.solver.workspace import Workspace
from dealerkit.runtime.progress import describe_waiting
from dealerkit.runtime.threads import limit_threads, open_pool

_WAIT = 0.1  # seconds; some systems notice interrupts between two waits only
_FORCED, _MISSED = -2, -1  # DDS's scores of a card that was not searched, and of a target out of reach
_free: list[Workspace] = []  # memory that no thread uses


def solve_boards(
    hands: np.ndarray,
    strain: Any,
    leader: Any,
    target: Any = -1,
    solutions: int = 1,
    mode: int = 1,
    trick: tuple[Any, Any] = (0, 0),
    threads: int | None = None,
) -> np.ndarray:
    """Solve checked boards; arguments and result as of `library_calls.call_boards`."""
    n = len(hands)
    strains, leaders, targets = (np.broadcast_to(value, n).tolist() for value in (strain, leader, target))
    suits, ranks = (np.broadcast_to(value, (n, 3)).tolist() for value in trick)
    result = np.zeros(n, CARDS)
    groups: dict[tuple, list[int]] = {}  # boards of one deal and strain: they share what is known
    tables: list[list[int]] = []
    for i, held in enumerate(hands.tolist()):
        table = [1 << 16 * (3 - s) + r - 2 for s, r in zip(suits[i], ranks[i], strict=True) if r]
        for place, card in enumerate(table):
            held[(leaders[i] + place) & 3] |= card
        tables.append(table)
        groups.setdefault((*held, strains[i]), []).append(i)

    def solve(key: tuple, workspace: Workspace) -> None:
        workspace.set_deal(key[:4], key[4])
        for i in groups[key]:
            cards = _solve_board(workspace, tables[i], leaders[i], targets[i], solutions, mode)
            _write_cards(result[i], cards)

    _solve_all(solve, list(groups), threads)
    return result


def solve_rows(hands: np.ndarray, strain: int, threads: int | None) -> np.ndarray:
    """Return the tricks of four declarers of checked deals, int32 [n, 4], as `library_calls.call_rows`."""
    result = np.zeros((len(hands), 4), np.int32)
    rows = hands.tolist()

    def solve(i: int, workspace: Workspace) -> None:
        workspace.set_deal(rows[i], strain)
        guess = 7
        for declarer in (0, 2, 1, 3):
            guess = workspace.count_tricks([], (declarer + 1) & 3, guess)
            result[i, declarer] = 13 - guess if declarer & 1 else guess

    _solve_all(solve, range(len(rows)), threads)
    return result


def measure_searches() -> tuple[int, int]:
    """Return how many positions were visited in this process, and the bytes of memory that searches keep."""
    nodes = sum(workspace.nodes for workspace in _free)
    return nodes, sum(array.nbytes for workspace in _free for array in workspace.memory)


def _solve_board(
    workspace: Workspace, table: list[int], leader: int, target: int, solutions: int, mode: int
) -> list[tuple[int, int, int]]:
    """Return the cards of a result: the card and those equal to it, as bits, and its score."""
    player = (leader + len(table)) & 3
    moves = list_moves(workspace.hands, table, leader)
    n_tricks = (sum(workspace.hands).bit_count()) // 4
    if mode == 0 and len(moves) == 1 and n_tricks > 1:
        return [(*moves[0], _FORCED)]
    if target == 0 and solutions < 3:
        return [(*move, 0) for move in moves[: 1 if solutions == 1 else None]]

    def reaches(cards: list[int], tricks: int) -> bool:
        """Whether the player's side takes some tricks, after these cards were played to the trick."""
        if player & 1:
            return not workspace.reaches(cards, leader, n_tricks - tricks + 1)
        return workspace.reaches(cards, leader, tricks)

    def count(cards: list[int], guess: int) -> int:
        if player & 1:
            return n_tricks - workspace.count_tricks(cards, leader, n_tricks - guess)
        return workspace.count_tricks(cards, leader, guess)

    if solutions == 3:
        guess = (n_tricks + 1) // 2
        scored = []
        for card, equals in moves:
            guess = count([*table, card], guess)
            scored.append((card, equals, guess))
        return sorted(scored, key=lambda move: -move[2])
    goal = target if target > 0 else count(table, (n_tricks + 1) // 2)
    # The library names the last card even if it does not reach the target.
    missed = [(*moves[0], 0)] if n_tricks == 1 else []
    if solutions == 1 and goal > 0:
        # One search of all cards knows which to try first; it names none where no search was needed.
        if not reaches(table, goal):
            return missed
        if workspace.best_card:
            return [(*move, goal) for move in moves if move[0] == workspace.best_card]
    good = []
    failed = 0  # cards that need no search, since a higher one of the suit failed for the same reason
    for card, equals in moves:
        if card & failed:
            continue
        if goal == 0 or reaches([*table, card], goal):
            good.append((card, equals, goal))
            if solutions == 1:
                break
        elif len(table) < 3:
            failed |= list_lower(card, workspace.proof)
    return good or missed


def list_moves(hands: list[int], table: list[int], leader: int) -> list[tuple[int, int]]:
    """Return the legal cards, the highest of each group of equal cards with the others of the group.

    Cards are equal if no card of another hand, or of the table, is between them.

    >>> list_moves([0b1011, 0, 0b0100, 0], [], 0)
    [(8, 0), (2, 1)]
    """
    own = hands[(leader + len(table)) & 3]
    if table:
        lane = (table[0].bit_length() - 1) >> 4
        own &= 0x1FFF << 16 * lane if own >> 16 * lane & 0x1FFF else FULL_DECK
    others = sum(hands) & ~hands[(leader + len(table)) & 3]
    moves = []
    top, equals = 0, 0
    for bit in range(60, -1, -1):
        card = 1 << bit
        if own & card:
            if top:
                equals |= card
            else:
                top = card
        if top and (others & card or bit % 16 == 0):
            moves.append((top, equals))
            top, equals = 0, 0
    return moves


def list_lower(card: int, proof: int) -> int:
    """Return the cards of a suit, as bits, that fail with a card: those below all that the proof names.

    >>> list_lower(0b100, 0b1000), list_lower(0b100, 0b10)
    (7, 0)
    """
    shift = (card.bit_length() - 1) >> 4 << 4
    named = proof >> shift & 0x1FFF
    lower = (named & -named) - 1 if named else 0x1FFF
    return lower << shift if card >> shift & lower else 0


def _write_cards(row: Any, cards: list[tuple[int, int, int]]) -> None:
    """Write a result as the library does: ranks 2 to 14, and sets of equal ranks as bits 2 to 14."""
    row["cards"] = len(cards)
    if not cards:
        row["score"][0] = _MISSED
    for k, (card, equals, score) in enumerate(cards):
        lane, rank = divmod(card.bit_length() - 1, 16)
        row["suit"][k], row["rank"][k], row["score"][k] = 3 - lane, rank + 2, score
        row["equals"][k] = (equals >> 16 * lane) << 2


@functools.cache
def load_kernels() -> None:
    """Load the machine code of the search, or compile it, in this thread, whose line of progress says so."""
    with describe_waiting("compiling the double-dummy solver, once"):
        workspace = Workspace()
        workspace.set_deal([0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF], 4)
        workspace.reaches([], 0, 7)
        _free.append(workspace)


def _solve_all(solve: Callable[[Any, Workspace], None], tasks: Any, threads: int | None) -> None:
    """Call `solve` for each task with a workspace, in one thread or several."""
    load_kernels()
    number = min(limit_threads(n_threads(threads)), len(tasks))
    stop = threading.Event()

    def work(todo: Any) -> None:
        workspace = _free.pop() if _free else Workspace()
        workspace.should_stop = stop.is_set
        try:
            for task in todo:
                solve(task, workspace)
        finally:
            _free.append(workspace)

    if number <= 1:
        work(tasks)
        return
    # The threads take task after task from one iterator; its lock is the interpreter's.
    todo = iter(tasks)
    pool = open_pool(number)
    futures: list[Future] = [pool.submit(work, todo) for _ in range(number)]
    try:
        running = set(futures)
        while running:
            done, running = wait(running, _WAIT)
            for future in done:
                future.result()
    finally:
        stop.set()
        wait(futures)

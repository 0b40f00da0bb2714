"""Questions about one deal after another: the memory of a search, and the searches that answer a question.

What is known of the positions of a deal in a strain is kept as long as questions are about this deal: other
declarers, other numbers of tricks, other cards on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dealerkit.doubledummy.solver.memory import (
    BEST,
    BEST_SEAT,
    CARD,
    DEPTH,
    HINTS,
    HOLDINGS,
    IS_FULL,
    LED,
    LEFT,
    N_KEYS,
    NEED,
    NO_TRUMPS,
    NODES,
    PHASE,
    PLACE,
    REST,
    RESULT_PROOF,
    ROWS,
    SEAT,
    START,
    TRUMP,
    USED,
    VALUE,
    WIDTH,
    Memory,
    list_tops,
    prepare_deal,
)
from dealerkit.doubledummy.solver.search import DONE, ENTER, FULL, search

MEGABYTES = 256  # of patterns; the hardest deals seen need 30
_SLICE = 1 << 17  # nodes between two looks at interrupts: about 10 ms
_FIRST_PATTERNS = 1 << 18  # numbers for which there is room at first
_MOST_KEYS = 1 << 17
_tops: list[np.ndarray] = []  # one array for all threads


class Workspace:
    """The memory of one thread for searches, and what it knows of the present deal.

    Parameters
    ----------
    megabytes : int >= 1
        Memory for patterns. When it is full the patterns are forgotten, and the search goes on.
    should_stop : callable, optional
        Asked every 10 ms; where it returns True, KeyboardInterrupt is raised.

    Attributes
    ----------
    memory : Memory
    hands : list of int
        The cards of the present deal.
    n_forgotten : int
        How often all patterns were forgotten because the memory was full.
    best_card : int
        After `reaches`: a card that is enough for the side of the next player, as a bit; 0 if no card is,
        or if the position was decided without a search.
    proof : int
        After `reaches`: cards, as bits. The answer is the same in every position with the same lengths and,
        in each suit, the same owners from the top card down to the lowest of these.

    Examples
    --------
    >>> suits = [0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]  # north has the spades
    >>> workspace = Workspace()
    >>> workspace.set_deal(suits, 0)
    >>> workspace.count_tricks([], leader=1), workspace.reaches([], leader=1, need=13)
    (13, True)
    """

    def __init__(self, megabytes: int = MEGABYTES, should_stop: Callable[[], bool] | None = None) -> None:
        if not _tops:
            _tops.append(list_tops())
        self.should_stop = should_stop
        self._most_patterns = megabytes << 17
        n_keys = min(_MOST_KEYS, 1 << (max(self._most_patterns >> 2, 256).bit_length() - 1))
        self.memory = Memory(
            hands=np.zeros(4, np.int64),
            owners=np.zeros(4 * HOLDINGS, np.int32),
            lengths=np.zeros(4 * HOLDINGS, np.int32),
            tops=_tops[0],
            keys=np.zeros(n_keys, np.int64),
            lists=np.zeros(n_keys, np.int64),
            patterns=np.zeros(min(_FIRST_PATTERNS, self._most_patterns), np.int64),
            hints=np.zeros(HINTS, np.int8),
            leads=np.zeros(16, np.int64),
            stack=np.zeros(ROWS * WIDTH, np.int64),
            state=np.zeros(16, np.int64),
        )
        self._deal: tuple[int, ...] = ()
        self._leader = -1
        self.n_forgotten = self.best_card = self.proof = 0
        self.hands: list[int] = [0, 0, 0, 0]

    @property
    def nodes(self) -> int:
        """Number of positions visited since the workspace was made."""
        return int(self.memory.state[NODES])

    def set_deal(self, hands: Sequence[int], strain: int) -> None:
        """Take the cards of the four hands, with those on the table, and the strain S H D C N = 0..4."""
        deal = (*map(int, hands), int(strain))
        if deal == self._deal:
            return
        memory = self.memory
        self._deal, self.hands = (), list(deal[:4])  # an interrupt leaves no deal
        memory.hands[:] = self.hands
        prepare_deal(memory.hands, memory.owners, memory.lengths)
        memory.state[TRUMP] = NO_TRUMPS if strain == 4 else 3 - strain
        self._forget()
        self._deal, self._leader = deal, -1

    def reaches(self, table: Sequence[int], leader: int, need: int, played: int = 0) -> bool:
        """Return whether north and south take a number of the remaining tricks.

        Parameters
        ----------
        table : sequence of int
            The cards on the table as bits, in the order in which they were played; at most four.
        leader : int
            Who led to the present trick: N E S W = 0..3.
        need : int
            Tricks of north and south, the present one included.
        played : int
            Cards of the deal that are gone, as bits, without those on the table.
        """
        rest = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]
        rest &= ~(played | sum(table))
        if len(table) == 4:
            winner, _ = self._find_winner(table, leader)
            need, leader, table = need - 1 + (winner & 1), winner, ()
        n_tricks = (self.hands[(leader + 3) & 3] & rest).bit_count()
        self.best_card, self.proof = 0, 0
        if need <= 0 or need > n_tricks:
            return need <= 0
        # Hints are about what a side needs, and this differs between the leaders.
        memory = self.memory
        if leader != self._leader:
            memory.hints[:] = memory.leads[:] = 0
            self._leader = leader
        # The first row of the stack is the position.
        stack, state = memory.stack, memory.state
        stack[REST], stack[START], stack[NEED], stack[LEFT] = rest, rest | sum(table), need, n_tricks
        stack[SEAT], stack[PLACE] = (leader + len(table)) & 3, len(table)
        stack[CARD] = 0
        if table:
            stack[BEST_SEAT], stack[BEST] = self._find_winner(table, leader)
            stack[LED] = _lane(table[0])
        state[DEPTH], state[PHASE] = 0, ENTER
        while (status := search(self.memory, _SLICE)) != DONE:
            if status == FULL:
                self._make_room()
            if self.should_stop is not None and self.should_stop():
                raise KeyboardInterrupt
        is_reached = bool(state[VALUE])
        if is_reached != bool(stack[SEAT] & 1):
            self.best_card = int(stack[CARD])
        self.proof = int(state[RESULT_PROOF])
        return is_reached

    def count_tricks(self, table: Sequence[int], leader: int, guess: int = 7, played: int = 0) -> int:
        """Return the tricks of north and south; arguments as of `reaches`, with a first guess."""
        rest = sum(self.hands) & ~(played | sum(table))
        low, high = 0, (rest.bit_count() + len(table)) // 4
        need = guess
        while low < high:
            need = min(max(need, low + 1), high)
            if self.reaches(table, leader, need, played):
                low, need = need, need + 1
            else:
                high, need = need - 1, need - 1
        return low

    def _find_winner(self, table: Sequence[int], leader: int) -> tuple[int, int]:
        """Return the seat that wins the trick so far, and its card."""
        trump = int(self.memory.state[TRUMP])
        best, winner = table[0], leader
        for k, card in enumerate(table[1:], 1):
            if card > best if _lane(card) == _lane(best) else _lane(card) == trump:
                best, winner = card, (leader + k) & 3
        return winner, best

    def _make_room(self) -> None:
        """Double the memory of patterns; forget them if that is not allowed, or the table of keys is full."""
        memory = self.memory
        n = len(memory.patterns)
        memory.state[IS_FULL] = 0
        if 2 * n > self._most_patterns or 4 * memory.state[N_KEYS] > 3 * len(memory.keys):
            self._forget()
            self.n_forgotten += 1
            return
        patterns = np.empty(2 * n, np.int64)
        patterns[:n] = memory.patterns
        self.memory = memory._replace(patterns=patterns)

    def _forget(self) -> None:
        """Forget all patterns."""
        memory = self.memory
        memory.keys[:] = 0
        memory.state[USED] = memory.state[N_KEYS] = memory.state[IS_FULL] = 0


def _lane(card: int) -> int:
    return (card.bit_length() - 1) >> 4

"""The solved deals that meet the condition of a study: its first stratum, which needs no solving.

The shipped sample, and libraries such as Pavlicek's, contain random deals. Therefore the deals in them that
meet a condition are a random sample of all deals that do, and its size depends only on the condition. Seats
are interchangeable, so a deal rotated by one, two or three seats, with its table, is a random deal too. Each
rotation that meets the condition counts, and the rotations of a deal form one cluster, since they depend on
each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiler.compilation import CompiledScript
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses
from dealerkit.compiler.trick_thresholds import SOLVER_COST_NS
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.dealing.source import ALL_SEATS, TABLES
from dealerkit.doubledummy.ledger import open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.formats.library import Library
from dealerkit.formats.sample import find_training_deals
from dealerkit.formats.solved_libraries import NamedDeals, check_solved, list_solved
from dealerkit.planning.plan import needs_solver, order_clauses

BATCH = 65_536  # deals that are tested together
FIRST_STEP = 262_144  # deals of a library that are read before the study checks whether they are enough
STEP_GROWTH = 2


class SolvedPart(NamedTuple):
    """Numbers of deals of a source that were read, and that meet the condition."""

    name: str
    n_read: int
    n_used: int


@dataclass(eq=False)
class SolvedStratum:
    """Solved deals that meet a condition, and their values, read step by step.

    Parameters
    ----------
    sources : sequence of NamedDeals
    compiled : CompiledScript
        Its `given` and its predeal form the condition.
    value : callable
        ``value(deals)`` returns the values of deals with tables, float64 [n, m].
    all_rotations : bool
        Whether each rotation that meets the condition is a row. Otherwise a deal is one row: one of these
        rotations, chosen by a hash of its cards, which counts as many times as there are such rotations.
    without_training : bool
        Leave out the deals that trained the trick model, because the question or the condition uses the
        model.
    keeps_deals : bool
        Whether to keep `deals`.

    Attributes
    ----------
    values : ndarray of float64 [n, m]
    clusters : ndarray of int64 [n]
        Number of the deal whose rotation each row is.
    counts : ndarray of float64 [n]
        Number of rows that each row stands for.
    deals : Deals
    parts : list of SolvedPart
    """

    sources: Sequence[NamedDeals]
    compiled: CompiledScript
    value: Callable[[Deals], np.ndarray]
    all_rotations: bool = True
    without_training: bool = False
    keeps_deals: bool = False
    parts: list[SolvedPart] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._values: list[np.ndarray] = []
        self._clusters: list[np.ndarray] = []
        self._counts: list[np.ndarray] = []
        self._deals: list[Deals] = []
        self._seen = np.empty(0, np.uint64)
        self.n_clusters = 0
        graph = self.compiled.graph
        self._clauses = order_clauses(graph, self.compiled.given)
        self._needs_tables = any(needs_solver(graph, slot) for slot in self._clauses)
        self._steps = self._read_steps()

    @property
    def values(self) -> np.ndarray:
        """The values of the deals read so far."""
        return np.concatenate(self._values)

    @property
    def clusters(self) -> np.ndarray:
        """The deal of each row."""
        return np.concatenate(self._clusters)

    @property
    def counts(self) -> np.ndarray:
        """Number of rows that each row stands for."""
        return np.concatenate(self._counts)

    @property
    def deals(self) -> Deals:
        """The deals of the rows, rotated, with their tables."""
        hands = np.concatenate([deals.hands for deals in self._deals])
        return Deals(
            hands, tables=np.concatenate([np.asarray(deals.tables) for deals in self._deals]), check=False
        )

    def list_sources(self) -> list[tuple[str, int]]:
        """Return the name and the number of deals of each source, by which a checkpoint identifies them."""
        return [(source.name, len(source.deals)) for source in self.sources]

    def list_names(self) -> list[str]:
        """Return the names of the sources from which deals were used."""
        return [part.name for part in self.parts if part.n_used]

    def read(self) -> bool:
        """Read the next deals; return False if there are no more."""
        return next(self._steps, False)

    def describe(self) -> str:
        """Return the origin of the deals: how many of each source meet the condition.

        >>> from dealerkit.compiler.compilation import compile_condition
        >>> compiled = compile_condition("1", "hcp(north) >= 20")
        >>> stratum = SolvedStratum(list_solved("auto"), compiled, lambda deals: np.ones((len(deals), 1)))
        >>> stratum.read(), stratum.describe().split(" of ")[-1]
        (True, 'the shipped sample')
        """
        return join_words(
            f"{format_count(part.n_used)} of the {format_count(part.n_read, 'deal')} of {part.name}"
            for part in self.parts
        )

    def _read_steps(self) -> Iterator[bool]:
        """Read all deals of a source in memory at once, those of a library step by step."""
        for name, deals in self.sources:
            first, step = 0, len(deals) if isinstance(deals, Deals) else FIRST_STEP
            self.parts.append(SolvedPart(name, 0, 0))
            while first < len(deals):
                last, before = min(first + step, len(deals)), self.n_clusters
                for begin in range(first, last, BATCH):
                    self._read_batch(deals, begin, min(BATCH, last - begin))
                _, n_read, n_used = self.parts[-1]
                n_added = self.n_clusters - before
                self.parts[-1] = SolvedPart(name, n_read + last - first, n_used + n_added)
                first, step = last, STEP_GROWTH * step
                if self._values:
                    yield True

    def _read_batch(self, source: Deals | Library, first: int, count: int) -> None:
        """Add those of the deals that meet the condition."""
        # Only hands, unless the condition is about tricks; then the tables of the deals that are needed
        numbers = np.arange(first, first + count)
        if isinstance(source, Deals):
            deals = source[first : first + count]
        else:
            deals = source.batch(first, count, ALL_SEATS | (TABLES if self._needs_tables else 0))()
        accepted = [self._find_accepted(turn_deals(deals, turn)) for turn in range(4)]
        rows = np.flatnonzero(np.logical_or.reduce(accepted))
        rows = rows[self._find_new(deals[rows])]
        if not len(rows):
            return
        deals = deals[rows]
        if isinstance(source, Library) and deals.tables is None:
            deals = source.complete(deals, numbers[rows], TABLES)
        # The rotations of a deal one after another, with the number of the deal as their cluster
        turned = [turn_deals(deals, turn) for turn in range(4)]
        order, turns = np.nonzero(np.stack([each[rows] for each in accepted], axis=1))
        counts = np.ones(len(order))
        if not self.all_rotations:
            # Not the bits of the hash that decide which deals trained the model
            sizes = np.bincount(order)
            places = (hash_cards(deals) >> np.uint64(32)).astype(np.int64) % sizes
            chosen_rows = np.cumsum(sizes) - sizes + places
            order, turns, counts = order[chosen_rows], turns[chosen_rows], sizes.astype(np.float64)
        self._counts.append(counts)
        hands = np.stack([each.hands for each in turned], axis=1)[order, turns]
        tables = np.stack([np.asarray(each.tables) for each in turned], axis=1)[order, turns]
        chosen = Deals(hands, tables=tables, check=False)
        self._clusters.append(self.n_clusters + order)
        self.n_clusters += len(rows)
        with open_ledger():  # these results do not count as solves of the study
            self._values.append(np.asarray(self.value(chosen), np.float64))
        if self.keeps_deals:
            self._deals.append(chosen)

    def _find_accepted(self, deals: Deals) -> np.ndarray:
        """Return the deals that meet the condition, bool [n]."""
        accepted = comply(self.compiled.program.predeal, deals.hands)
        rows = np.flatnonzero(accepted)
        part = deals[rows]
        try:
            columns = apply_clauses(BatchColumns(self.compiled.graph, part), self._clauses)
        except EvaluationError as error:
            raise locate_error(error, part) from None
        if columns.rows is not None:
            accepted[:] = False
            accepted[rows[columns.rows]] = True
        return accepted

    def _find_new(self, deals: Deals) -> np.ndarray:
        """Return the deals that were not read before and did not train a model that is used, bool [n]."""
        hashes = hash_cards(deals)
        is_new = np.zeros(len(hashes), bool)
        is_new[np.unique(hashes, return_index=True)[1]] = True
        is_new &= ~np.isin(hashes, self._seen)
        self._seen = np.concatenate((self._seen, hashes[is_new]))
        if self.without_training:
            is_new &= ~find_training_deals(deals)
        return is_new


def hash_cards(deals: Deals) -> np.ndarray:
    """Return a hash of each deal that depends only on its cards, uint64 [n]."""
    from dealerkit.doubledummy.store.records import encode_deals, hash_deals

    return hash_deals(*encode_deals(deals.hands))


def turn_deals(deals: Deals, turn: int) -> Deals:
    """Return deals in which each seat has the hand and the tricks of the seat `turn` places to its left.

    >>> from dealerkit import solved_sample
    >>> deal = solved_sample()[:1]
    >>> turned = turn_deals(deal, 1)
    >>> bool(turned.hands[0, 0] == deal.hands[0, 1]), bool(turned.tables[0, 0, 3] == deal.tables[0, 0, 0])
    (True, True)
    """
    if not turn:
        return deals
    hands = np.roll(deals.hands, -turn, axis=1)
    tables = None if deals.tables is None else np.roll(deals.tables, -turn, axis=2)
    return Deals(hands, tables=tables, check=False)


def comply(predeal: Predeal, hands: np.ndarray) -> np.ndarray:
    """Return the deals that contain the cards, suit lengths and small cards of a predeal, bool [n].

    >>> hands = Deals.from_pbn("N:AK32.K54.A32.432 QJT9.A32.K54.A65 8765.QJT.QJT.KQJ 4.9876.9876.T987").hands
    >>> texts = {"north": "SAK"}, {"north": "SAKxx"}, {"north": "SAKx"}, {"west": {"spades": 1}}
    >>> [comply(Predeal.from_mapping(text), hands).tolist()[0] for text in texts]
    [True, True, False, True]
    """
    complies = np.ones(len(hands), bool)
    for seat, mask in enumerate(predeal.masks):
        complies &= hands[:, seat] & np.uint64(mask) == np.uint64(mask)
    for seat, suit, length in predeal.lengths:
        complies &= np.bitwise_count(_find_holding(hands, seat, suit)) == length
    for seat, suit, count in predeal.small:
        named = np.uint64(predeal.masks[seat] >> LANE_SHIFTS[suit] & 0x1FFF)
        others = _find_holding(hands, seat, suit) & ~named
        complies &= (np.bitwise_count(others) == count) & (others < 1 << TEN)
    return complies


def _find_holding(hands: np.ndarray, seat: int, suit: int) -> np.ndarray:
    """Return the cards of a seat in a suit as 13 bits, uint64 [n]."""
    return hands[:, seat] >> np.uint64(LANE_SHIFTS[suit]) & np.uint64(0x1FFF)


def open_stratum(
    solved: object,
    compiled: CompiledScript,
    slots: Sequence[int] | None,
    value: Callable[[Deals], np.ndarray],
) -> SolvedStratum | None:
    """Return the solved deals that meet a study's condition; None if they cannot answer its question.

    Parameters
    ----------
    solved : "auto", Library, Deals or None
        The study's argument.
    compiled : CompiledScript
    slots : sequence of int or None
        The expressions of the question; None: it is about numbers of tricks.
    value : callable
        As for `SolvedStratum`.

    Raises
    ------
    ArgumentError, FileError
        As for `list_solved`.
    """
    check_solved(solved)
    graph, operations = compiled.graph, compiled.graph.operations
    is_about_tricks = slots is None or any(needs_solver(graph, slot) for slot in slots)
    reachable = graph.find_reachable([*(slots or ()), *compiled.given])
    called = [operations[slot].detail[0] for slot in reachable if operations[slot].kind == "call"]
    is_slow = any(function.cost >= SOLVER_COST_NS and not function.from_tables for function in called)
    if not is_about_tricks or is_slow or not (sources := list_solved(solved)):
        return None
    trained = depends_on_model(compiled, slots or ())
    return SolvedStratum(sources, compiled, value, without_training=trained)


def depends_on_model(compiled: CompiledScript, slots: Sequence[int]) -> bool:
    """Return whether expressions, or the given condition, have values that the trick model can predict."""
    operations = compiled.graph.operations
    reachable = compiled.graph.find_reachable([*slots, *compiled.given])
    return any(operations[slot].detail[0].from_model for slot in reachable if operations[slot].kind == "call")


def name_argument(solved: Any) -> dict[str, Any]:
    """Return ``solved=`` as an argument of the call that repeats a study, unless it is the default.

    >>> name_argument("auto"), name_argument(None)
    ({}, {'solved': None})
    """
    return {} if isinstance(solved, str) else {"solved": solved}


def locate_error(error: EvaluationError, deals: Deals) -> EvaluationError:
    """Return an error of an expression with the deal added to its message."""
    (deal,) = deals[error.row : error.row + 1].to_pbn()
    return type(error)(f"{error.message}, as in the deal {deal}", error.row)

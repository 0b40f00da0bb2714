"""Two bidding systems on the same deals: a match between them, scored double dummy.

Each deal is played in two rooms. In the first, north-south bid the first system and east-west the second; in
the other room it is the other way round. So each system bids all hands of each deal, and a comparison with
the systems exchanged gives the same numbers with opposite signs. Tricks are double dummy; no cards are
played.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.appearance.content import Code, Note
from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.table import Quantity
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.arguments import Given, check_integer, check_truth, read_given
from dealerkit.bidding.bidding_out import BiddenDeals, bid_deals
from dealerkit.bidding.systems import System, system
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, SEAT_LETTERS, SUITS
from dealerkit.doubledummy.lookup import look_up_tricks
from dealerkit.errors import ArgumentError, Parameter, quote
from dealerkit.evaluators.hands import points as points_of_hands
from dealerkit.formats.library import Library
from dealerkit.formats.solved_libraries import list_solved
from dealerkit.runtime.progress import long_work
from dealerkit.scoring import Contract, imps, matchpoints, score_contracts
from dealerkit.statistics import IMPS_RANGE, SHARE_RANGE, Estimate, Moments, ValueRange, proportion
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.estimate.real_play import find_correction
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.provenance import repeatable
from dealerkit.studies.system_comparison.result import Room, SystemComparison

N_DEALS = 20_000
MOST_UNFINISHED = 0.1  # share of the auctions in which a system says nothing where it has to bid
MAX_CONTEXTS = 12  # contexts of a system in the message of a refusal
MAX_DRAFTS = 4
PASSED = "Pass"


@long_work
@repeatable
def compare_systems(
    first: str | os.PathLike[str] | System,
    second: str | os.PathLike[str] | System | None = None,
    n: int = N_DEALS,
    *,
    with_changes: Mapping[str, str] | None = None,
    deals: Deals | Library | None = None,
    given: Given | None = None,
    dealer: int | str | None = None,
    vulnerable: int | str | bool | None = None,
    silent: bool = False,
    real_play: bool = False,
    max_unfinished: float = MOST_UNFINISHED,
    confidence: float = 0.95,
) -> SystemComparison:
    """Compare two bidding systems on the same deals, as teams of a match.

    Parameters
    ----------
    first, second : str, os.PathLike or System
        Systems by name, file, or result of `system`. The second can be left out with `with_changes`.
    n : int >= 30
        Number of deals: the first ones of the solved sample, then of the libraries of `use_solved`.
    with_changes : mapping of str to str, optional
        Contexts of the second system that differ, as for `System.with_changes`: a convention on trial.
    deals : Deals or library, optional
        Other deals, as a random sample, solved or not; contracts that are not in tables are solved.
    given : str, os.PathLike or Auction, optional
        A condition that the deals meet.
    dealer, vulnerable : optional
        For all deals; by default those of boards 1, 2, 3 ..., or of `deals`.
    silent : bool
        Whether east-west pass in both rooms, and north-south bid one system in each. By default the systems
        are opponents of each other.
    real_play : bool
        Correct scores by the mean difference between double-dummy tricks and tricks at the table.
    max_unfinished : float in [0, 1]
        Refuse the comparison if either system says nothing, where it has to bid, in a larger share of its
        auctions.
    confidence : float in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    SystemComparison

    Raises
    ------
    ArgumentError
        There are fewer than 30 deals; or a system says nothing in too many auctions: the message lists the
        contexts that it lacks, the most frequent first, with a draft of their lines.
    FileError, ScriptError
        A system or a library cannot be read.

    Examples
    --------
    >>> import dealerkit as dk
    >>> sayc, acol = dk.system("sayc"), dk.system("acol")
    >>> match = dk.compare_systems(sayc, acol, 500, max_unfinished=1)
    >>> swapped = dk.compare_systems(acol, sayc, 500, max_unfinished=1)
    >>> match.imps.value == -swapped.imps.value
    True
    """
    # The arguments
    if second is None and with_changes is None:
        raise ArgumentError("give a second system, or what it changes with ", Parameter("with_changes="))
    systems = system(first), system(first if second is None else second)
    if with_changes is not None:
        systems = systems[0], systems[1].with_changes(with_changes)
    check_confidence(confidence)
    check_truth("real_play", real_play)
    check_truth("silent", silent)
    if not isinstance(max_unfinished, int | float) or not 0 <= max_unfinished <= 1:
        raise ArgumentError(
            Parameter("max_unfinished"), f" is {quote(max_unfinished)}; it must be a share from 0 to 1"
        )
    chosen, population = choose_deals(deals, given, check_integer("n", n, 30))
    boards = number_deals(chosen, dealer, vulnerable)
    # Bid and score both rooms
    rooms = [
        bid_deals(boards, pair, None, 1 if silent else None) for pair in (systems, (systems[1], systems[0]))
    ]
    unfinished = _measure_unfinished(rooms, silent, confidence)
    names = _name_systems(systems)
    if max(share.value for share in unfinished) > max_unfinished:
        raise ArgumentError(*_describe_missing(names, rooms, unfinished, silent, max_unfinished))
    scored = [_score_room(bidden, real_play) for bidden in rooms]
    return _compare_rooms(names, (scored[0], scored[1]), unfinished, silent, population, confidence)


def _name_systems(systems: tuple[System, System]) -> tuple[str, str]:
    """Return the titles of two systems; of the same file, with the script variables in which they differ."""
    first, second = systems
    if first.format_title([]) != second.format_title([]):
        return first.title, second.title
    ours, theirs = first.parameters, second.parameters
    differing = [name for name in ours if ours[name] != theirs.get(name, ours[name])]
    if not differing:
        return f"{first.title} (1)", f"{second.title} (2)"
    return first.format_title(differing), second.format_title(differing)


def choose_deals(deals: Deals | Library | None, given: Given | None, n: int) -> tuple[Deals, Note]:
    """Return the first n deals that meet a condition, and their origin.

    Raises
    ------
    ArgumentError
        There are fewer than 30.
    """
    sources: list[tuple[str, Any]] = [(" that were given", deals)]
    if deals is None:
        sources = [(f" of {name}", found) for name, found in list_solved("auto")]
    condition = None if given is None else read_given(given)
    chosen, names, n_missing = [], [], n
    for name, source in sources:
        if not isinstance(source, Deals | Library):
            raise ArgumentError(f"deals is {quote(source)}; give Deals or a library as dk.read returns it")
        if not n_missing:
            break
        if condition is None:
            found = source[:n_missing]
        else:
            found = source.where(condition)[:n_missing]
        found = found.deals if isinstance(found, Library) else found
        chosen.append(found)
        names.append(f"{format_count(len(found))} of {format_count(len(source), 'deal')}{name}")
        n_missing -= len(found)
    n_found = sum(map(len, chosen))
    if n_found < MIN_DEALS:
        met = " met the condition" if condition is not None else ""
        raise ArgumentError(
            f"{format_count(n_found, 'deal')}{met}: a comparison needs at least {MIN_DEALS}; give more deals "
            "or a wider condition"
        )
    joined = Deals.concatenate(chosen)
    if deals is None:  # boards are numbered, even if a library has its own numbers
        joined = Deals(joined.hands, tables=joined.tables, check=False)
    origin: list[str | Code | Quantity] = [join_words(names)]
    if condition is not None:
        text = condition if isinstance(condition, str) else os.fspath(condition)
        origin += [", given ", Code(shorten(" ".join(text.split()), 100))]
    return joined, [*origin, "."]


def number_deals(deals: Deals, dealer: int | str | None, vulnerable: int | str | bool | None) -> Deals:
    """Return deals with dealer and vulnerability: the arguments, their own, or those of boards 1, 2, 3 ..."""
    boards = deals.number_boards(dealer=dealer, vulnerable=vulnerable)
    kept = {}
    for name, given in (("dealer", dealer), ("vulnerable", vulnerable)):
        own, numbered = getattr(deals, name), getattr(boards, name)
        if given is None and own is not None:
            kept[name] = np.where(own < 0, numbered, own)
    return boards.replace(**kept)


def _list_failures(
    rooms: Sequence[BiddenDeals], number: int, silent: bool
) -> Iterator[tuple[BiddenDeals, np.ndarray]]:
    """Yield each room in which a system is bid, and the deals on which it says nothing."""
    for k, room in enumerate(rooms):
        side = (number + k) % 2  # of the system in this room
        if not silent or side == 0:
            yield room, (room.seats >= 0) & (room.seats % 2 == side)


def _measure_unfinished(
    rooms: Sequence[BiddenDeals], silent: bool, confidence: float
) -> tuple[Estimate, Estimate]:
    """Return, for each system, the share of its auctions in which it said nothing where it had to bid.

    If a deal has two auctions, their mean counts as one value, so the intervals are slightly too wide.
    """
    shares = []
    for number in range(2):
        counts = [
            (int(failed.sum()), int((room.opened >= 0).sum()))
            for room, failed in _list_failures(rooms, number, silent)
        ]
        n_failed, n_open = (sum(column) / len(counts) for column in zip(*counts, strict=True))
        shares.append(proportion(n_failed, n_open, confidence))
    return shares[0], shares[1]


def _describe_missing(
    names: tuple[str, str], rooms: Sequence[BiddenDeals], unfinished: tuple[Estimate, Estimate], silent: bool,
    most: float,
) -> list[Any]:  # fmt: skip
    """Return the message of a refusal: the contexts that are missing, and a draft of their lines."""
    lines, draft = [], []
    for number, (name, share) in enumerate(zip(names, unfinished, strict=True)):
        if share.value <= most:
            continue
        counts: Counter[tuple[str, str]] = Counter()
        for room, failures in _list_failures(rooms, number, silent):
            counts.update(zip(room.contexts[failures].tolist(), room.ends[failures].tolist(), strict=True))
        listed = counts.most_common(MAX_CONTEXTS)
        more = len(counts) - len(listed)
        lines.append(f"{name} says nothing in {_format_percent(share.value)} of its auctions, after:")
        for (context, end), count in listed:
            lines.append(f"  {context.removeprefix('after ')}  ({end}, {format_count(count, 'deal')})")
        lines += [f"  and {format_count(more, 'rarer context')}"] if more else []
        for (context, _), _ in listed[:MAX_DRAFTS]:
            hands = _describe_hands(_list_failures(rooms, number, silent), context)
            draft += [f"  {context}", f'  P  otherwise  "{hands}"']
    return [
        "the comparison would show what the systems lack: they say nothing, where they have to bid, in "
        f"more than {_format_percent(most)} of the auctions.\n" + "\n".join(lines)
        + "\nA draft of what to add, with the hands that must bid there:\n" + "\n".join(draft) + "\n",
        Parameter("max_unfinished=", 1), " compares the systems nevertheless",
    ]  # fmt: skip


def _format_percent(share: float) -> str:
    return f"{format_number(100 * share, 0)} %"


def _describe_hands(failures: Iterable[tuple[BiddenDeals, np.ndarray]], context: str) -> str:
    """Return the points of the players for whom a system says nothing, and their longest suits."""
    hands = []
    for room, failed in failures:
        rows = np.flatnonzero(failed & (room.contexts == context))
        hands.append(room.deals.hands[rows, room.seats[rows]])
    own = np.concatenate(hands)
    points = points_of_hands(own, name="hcp")
    lengths = {
        suit: np.bitwise_count(own >> np.uint64(shift) & np.uint64(LANE_MASK)).mean()
        for suit, shift in zip(SUITS, LANE_SHIFTS, strict=True)
    }
    longest = max(lengths, key=lambda suit: lengths[suit])
    low, high = (format_number(value, 0) for value in np.quantile(points, [0.1, 0.9]))
    return f"mostly {low} to {high} points; {format_number(lengths[longest], 1)} {longest} on average"


# ------------------------------------------------------------------------ scores
def _score_room(bidden: BiddenDeals, real_play: bool) -> Room:
    """Return tricks and scores of the contracts that were bid."""
    deals = bidden.deals
    n = len(deals)
    # The contracts as numbers; those of deals that were passed out are never used
    texts, codes = np.unique(bidden.contracts.astype(str), return_inverse=True)
    parsed = [None if text == PASSED else Contract.parse(text) for text in texts]
    is_played = np.array([contract is not None for contract in parsed])[codes]
    level, strain, doubled = (
        np.array([getattr(contract, name) if contract else 0 for contract in parsed])[codes]
        for name in ("level", "strain", "doubled")
    )
    corrections = np.array([find_correction(contract) if contract else 0.0 for contract in parsed])[codes]
    declarer = np.array([SEAT_LETTERS.index(letter) if letter else 0 for letter in bidden.declarers.tolist()])
    # Double-dummy tricks, from the tables or the solver
    tricks = np.full(n, -1, np.int8)
    played = np.flatnonzero(is_played)
    if len(played):
        tricks[played] = look_up_tricks(deals[played], strain[played], declarer[played])
    assert deals.vulnerable is not None
    is_vulnerable = (deals.vulnerable.astype(int) >> declarer % 2 & 1).astype(bool)
    sign = np.where(declarer % 2, -1, 1) * is_played

    def score(shift: np.ndarray | int) -> np.ndarray:
        shifted = np.clip(tricks.astype(int) + shift, 0, 13)
        return sign * score_contracts(np.maximum(level, 1), strain, doubled, shifted, is_vulnerable)

    if not real_play:
        return Room(bidden, tricks, score(0)[None], np.ones((1, n)))
    shift = np.sign(corrections).astype(int)
    likely = np.abs(corrections)
    return Room(bidden, tricks, np.stack([score(0), score(shift)]), np.stack([1 - likely, likely]))


def _compare_rooms(
    names: tuple[str, str], rooms: tuple[Room, Room], unfinished: tuple[Estimate, Estimate], silent: bool,
    population: Note, confidence: float,
) -> SystemComparison:  # fmt: skip
    """Return the comparison of two scored rooms."""
    gains, shares = np.zeros((2, len(rooms[0].bidden)))
    for ours, own in zip(rooms[0].points, rooms[0].weights, strict=True):
        for theirs, other in zip(rooms[1].points, rooms[1].weights, strict=True):
            gains += own * other * imps(ours - theirs)
            shares += own * other * matchpoints(ours, theirs)
    first, second = (room.bidden for room in rooms)
    differs = (first.contracts != second.contracts) | (first.declarers != second.declarers)
    gains[~differs], shares[~differs] = 0.0, 0.5  # equal contracts with the same play
    means = [
        _estimate_mean(values, possible, confidence)
        for values, possible in ((gains, IMPS_RANGE), (shares, SHARE_RANGE))
    ]
    differing = proportion(int(differs.sum()), len(differs), confidence)
    return SystemComparison(
        names, means[0], means[1], differing, unfinished, rooms, gains, confidence, silent, population
    )


def _estimate_mean(values: np.ndarray, possible: ValueRange, confidence: float) -> Estimate:
    """Return the mean of a value of each deal."""
    moments = Moments()
    moments.update(values)
    return moments.mean(confidence, possible)

"""Two bidding systems on the same deals: a match between them, scored double dummy.

Each deal is played in two rooms. In the first, north-south bid the first system and east-west the second; in
the other it is the other way round. So each system has all hands of each deal, and a comparison with the
systems exchanged has the same numbers with the other sign. Tricks are double dummy: nobody plays the deals.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Code, Note
from dealerkit.appearance.numbers import format_count, format_level, format_number
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words, limit_repr, shorten
from dealerkit.arguments import Given, check_integer, check_truth, read_given
from dealerkit.bidding.bidding_out import BiddenDeals, bid_deals
from dealerkit.bidding.calls import PASS
from dealerkit.bidding.systems import System, system
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, SEAT_LETTERS, SUITS
from dealerkit.doubledummy.lookup import look_up_tricks
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.evaluators.hands import points as points_of_hands
from dealerkit.formats.library import Library
from dealerkit.formats.solved_libraries import list_solved
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import long_work
from dealerkit.scoring import Contract, imps, matchpoints, score_contracts
from dealerkit.scoring.scorings import describe_leader
from dealerkit.statistics import IMPS_RANGE, SHARE_RANGE, Estimate, Moments, ValueRange, proportion
from dealerkit.statistics.intervals import check_confidence, student_quantile
from dealerkit.studies.estimate.real_play import BIAS, SOURCE, find_correction
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.provenance import RepeatableResult, repeatable

if TYPE_CHECKING:
    import pandas as pd

N_DEALS = 20_000
MOST_UNFINISHED = 0.1  # share of the deals that end where a system says nothing
MIN_GROUP = 10  # deals of a group that has an interval
MAX_ROWS = 12  # of a table in the text
MAX_CONTEXTS = 12  # of a system in the message of a refusal
MAX_DRAFTS = 4
PASSED = "Pass"
N_BOARDS = 10


class Room(NamedTuple):
    """One of the two tables of a match.

    Attributes
    ----------
    bidden : BiddenDeals
    tricks : ndarray of int8 [n]
        Of declarer, double dummy; -1 where all passed.
    points : ndarray of int64 [m, n]
        Score of north-south double dummy, then with one trick more or less if results are corrected.
    weights : ndarray of float64 [m, n]
        How likely each of them is.
    """

    bidden: BiddenDeals
    tricks: np.ndarray
    points: np.ndarray
    weights: np.ndarray


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class SystemComparison(RepeatableResult):
    """Two systems on the same deals, as `compare_systems` returns it.

    Attributes
    ----------
    names : tuple of (str, str)
        Of the systems.
    imps, matchpoints : Estimate
        What the first system gains on a board: IMPs, and the share of the matchpoints of a board (0 to 1,
        0.5 for equal systems).
    differing : Estimate
        The share of the deals whose contracts differ.
    unfinished : tuple of (Estimate, Estimate)
        For each system the share of its auctions in which it said nothing where it had to bid.
    rooms : tuple of (Room, Room)
        In the first, north-south bid the first system.
    gains : ndarray of float64 [n]
        IMPs of the first system on each deal.
    frame : DataFrame
        As `by_opening`.
    confidence : float
    is_silent : bool
        East-west pass in both rooms.
    population : sequence
        Where the deals are from, in the parts of a sentence.
    provenance : Provenance or None
        The call that repeats the comparison, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> result = dk.compare_systems("sayc", "two-over-one", 1000, max_unfinished=1)
    >>> len(result.gains), result.names
    (1000, ('SAYC', 'Two over one'))
    """

    names: tuple[str, str]
    imps: Estimate
    matchpoints: Estimate
    differing: Estimate
    unfinished: tuple[Estimate, Estimate]
    rooms: tuple[Room, Room]
    gains: np.ndarray
    confidence: float
    is_silent: bool
    population: Note

    def __len__(self) -> int:
        return len(self.gains)

    def __repr__(self) -> str:
        first, second = self.names
        return (
            f"<SystemComparison: {first} and {second}, {format_count(len(self), 'deal')}, {self.imps} IMPs>"
        )

    @cached_property
    def frame(self) -> pd.DataFrame:
        """What each opening contributes, as `by_opening`."""
        return self.by_opening()

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    # ------------------------------------------------------------ where the difference comes from
    def by_opening(self) -> pd.DataFrame:
        """Return what each opening contributes: the same of both systems, or one of each.

        Returns
        -------
        DataFrame
            For each opening, or pair of them as ``1NT / 1C``: `deals`, `share`, `imps` on such a deal with
            `lo` and `hi`, and `total`, its part of the gain of a board. The intervals hold together; there is
            none for fewer than ten deals.
        """
        return self._group([self._name_opening(row) for row in range(len(self))], "opening")

    def by_auction(self) -> pd.DataFrame:
        """Return what each point contributes where auctions part: the calls before, and a call of each.

        Columns are those of `by_opening`. Deals with equal auctions are not among them.
        """
        return self._group([self._name_parting(row) for row in range(len(self))], "auction")

    def boards(self, count: int = N_BOARDS) -> pd.DataFrame:
        """Return the deals with the largest gains and losses of the first system.

        Parameters
        ----------
        count : int >= 1

        Returns
        -------
        DataFrame
            `deal`, the auction, contract, declarer and tricks in each room, and `imps` of the first system.
        """
        import pandas as pd

        from dealerkit.cards.array import DealArray

        chosen = self._choose_boards(check_integer("count", count, 1))
        columns: dict[str, Any] = {"deal": DealArray(self.rooms[0].bidden.deals[chosen])}
        for number, room in enumerate(self.rooms, 1):
            bidden = room.bidden
            tricks = pd.array(room.tricks[chosen], dtype="Int8")
            tricks[room.tricks[chosen] < 0] = pd.NA
            columns |= {
                f"auction_{number}": bidden.auctions[chosen], f"contract_{number}": bidden.contracts[chosen],
                f"declarer_{number}": bidden.declarers[chosen], f"tricks_{number}": tricks,
            }  # fmt: skip
        columns["imps"] = self.gains[chosen]
        return pd.DataFrame(columns, index=pd.Index(chosen, name="number"))

    def _choose_boards(self, count: int) -> np.ndarray:
        order = np.argsort(-np.abs(self.gains), kind="stable")[:count]
        return order[self.gains[order] != 0]

    def _group(self, labels: list[str], name: str) -> pd.DataFrame:
        """Return a row for each label but "", that of deals which are equal in both rooms."""
        import pandas as pd

        found, codes = np.unique(np.array(labels, object), return_inverse=True)
        counts = np.bincount(codes)
        sums = np.bincount(codes, self.gains)
        squares = np.bincount(codes, self.gains**2)
        shown = np.flatnonzero((found != "") & (counts > 0))
        n_intervals = max(int((counts[shown] >= MIN_GROUP).sum()), 1)
        rows = []
        for code in shown.tolist():
            n, mean = int(counts[code]), sums[code] / counts[code]
            half = np.nan
            if n >= MIN_GROUP:  # Bonferroni's intervals hold together
                error = np.sqrt(max(squares[code] / n - mean**2, 0) / (n - 1))
                half = error * student_quantile(1 - (1 - self.confidence) / n_intervals, n - 1)
            rows.append(
                (found[code], n, n / len(self), mean, mean - half, mean + half, sums[code] / len(self))
            )
        columns = [name, "deals", "share", "imps", "lo", "hi", "total"]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.sort_values("total", key=np.abs, ascending=False, kind="stable", ignore_index=True)

    def _find_parting(self, row: int) -> tuple[list[str], str, str]:
        """Return the calls that are equal in both rooms, then that of each system; "" if all are equal."""
        first, second = (room.bidden.auctions[row].replace("AP", "P P P").split() for room in self.rooms)
        k = next((k for k, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
        if k is None:
            return first, "", ""
        ours, theirs = first[k], second[k]
        if (self._find_dealer(row) + k) % 2 and not self.is_silent:
            ours, theirs = theirs, ours  # of east-west, who bid the second system in the first room
        return first[:k], ours, theirs

    def _name_parting(self, row: int) -> str:
        """Return where the auctions of a deal part, as text; "" if they are equal."""
        before, ours, theirs = self._find_parting(row)
        return " ".join([*before, f"{ours} / {theirs}"]) if ours else ""

    def _name_opening(self, row: int) -> str:
        """Return the opening, those of both systems if they differ; "" where all pass in both rooms."""
        before, ours, theirs = self._find_parting(row)
        opening = next((call for call in before if call != PASS), "")
        return opening or (f"{ours} / {theirs}" if ours else "")

    def _find_dealer(self, row: int) -> int:
        dealers = self.rooms[0].bidden.deals.dealer
        assert dealers is not None
        return int(dealers[row])

    # ------------------------------------------------------------ the card
    def card(self) -> Card:
        """The card: who gains how much, by opening and where auctions part, and the boards that decide."""
        first, second = self.names
        rows = [["IMPs a board", self.imps], ["matchpoints of a board", self.matchpoints]]
        measures = Table(
            [
                Column("measure", f"{first} against {second}", "name"),
                Column("gain", interval="beside", by_row=True, strong=True),
            ],
            rows,
        )
        shares = [
            Column("what", "", "name"), Column("share", kind="share", interval="beside"),
        ]  # fmt: skip
        listed: list[list[Any]] = [["contracts differ", self.differing]]
        listed += [
            [f"{name} says nothing where it has to bid", share]
            for name, share in zip(self.names, self.unfinished, strict=True)
        ]
        tables = [measures, Table(shares, listed, "Shares")]
        tables += [self._tabulate_groups(self.by_opening(), "opening", "By opening")]
        tables += [self._tabulate_groups(self.by_auction(), "auction", "Where the auctions part")]
        tables += self._tabulate_boards()
        leader = describe_leader(first, second, self.imps, len(self))
        return Card(
            f"{first} against {second}", f"{leader[0].upper()}{leader[1:]}.", [], about=[self.population],
            tables=tables, notes=self._list_notes(), provenance=self._list_facts(),
        )  # fmt: skip

    def _tabulate_groups(self, frame: pd.DataFrame, name: str, heading: str) -> Table:
        columns = [
            Column(name, kind="name"), Column("deals", kind="count"),
            Column("imps", "IMPs on such a deal", interval="beside", sign=True, strong=True),
            Column("total", "of the gain of a board", sign=True, decimals=3),
        ]  # fmt: skip
        rows = [
            [row[1], row.deals, Estimate(row.imps, np.nan, row.lo, row.hi, row.deals, self.confidence)
             if row.hi == row.hi else row.imps, row.total]
            for row in frame.head(MAX_ROWS).itertuples()
        ]  # fmt: skip
        if (more := len(frame) - len(rows)) > 0:
            heading += f"; {format_count(more)} more in the frame"
        return Table(columns, rows, heading)

    def _tabulate_boards(self) -> list[Table]:
        chosen = self._choose_boards(N_BOARDS)
        if not len(chosen):
            return []
        columns = [
            Column("deal", kind="cards"), Column("first", self.names[0], "text"),
            Column("second", self.names[1], "text"), Column("imps", "IMPs", sign=True, decimals=0),
        ]  # fmt: skip
        return [
            Table(columns, [self._describe_board(int(row)) for row in chosen], "The boards that decide most")
        ]

    def _describe_board(self, row: int) -> list[Any]:
        """Return a deal, the auction of each room with the score of north-south, and the IMPs."""
        texts = [
            f"{room.bidden.auctions[row].replace('P P P P', 'passed out')}, {int(room.points[0, row]):+d}"
            for room in self.rooms
        ]
        (deal,) = self.rooms[0].bidden.deals[row : row + 1].to_pbn()
        return [deal, *texts, float(self.gains[row])]

    def _list_notes(self) -> list[Note]:
        is_corrected = len(self.rooms[0].points) > 1
        tricks = (
            f"Tricks are double dummy, corrected by the mean difference at the table ({SOURCE})."
            if is_corrected
            else f"{BIAS[0].upper()}{BIAS[1:]}; real_play=True corrects this."
        )
        return [
            "Each deal is bid twice: north-south have the first system in one room, the second in the other.",
            f"In brackets: {format_level(self.confidence)} intervals; those of a table hold together.",
            tricks,
        ]


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
        Systems by name, file or as `system` returns them. The second may be left out with `with_changes`.
    n : int >= 30
        Deals: the first ones of the solved sample, and of the libraries of `use_solved`.
    with_changes : mapping of str to str, optional
        Contexts of the second system that are changed, as for `System.with_changes`: a convention on trial.
    deals : Deals or library, optional
        Other deals, a random sample, solved or not; contracts that are not in tables are solved.
    given : str, os.PathLike or Auction, optional
        A condition that the deals meet.
    dealer, vulnerable : optional
        Of all deals; by default those of boards 1, 2, 3 ..., or of `deals`.
    silent : bool
        East-west pass in both rooms, and north-south bid one system in each. By default the systems are
        opponents of each other.
    real_play : bool
        Correct scores by the mean difference of double-dummy tricks and tricks at the table.
    max_unfinished : float in [0, 1]
        The comparison is refused if either system says nothing, where it has to, in more of its auctions.
    confidence : float in (0, 1)
        Of the intervals.

    Returns
    -------
    SystemComparison

    Raises
    ------
    ArgumentError
        Fewer than 30 deals; or a system says nothing in too many auctions: the message has the contexts that
        it lacks, the most frequent first, and a draft of their lines.
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
            Parameter("max_unfinished"), f" is {max_unfinished!r:.60}; it is a share from 0 to 1"
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
    """Return the titles of two systems, numbered where they are equal."""
    first, second = (each.title for each in systems)
    return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def choose_deals(deals: Deals | Library | None, given: Given | None, n: int) -> tuple[Deals, Note]:
    """Return the first n deals that meet a condition, with where they are from.

    Raises
    ------
    ArgumentError
        Fewer than 30.
    """
    sources: list[tuple[str, Any]] = (
        [("given deals", deals)] if deals is not None else list(list_solved("auto"))
    )
    condition = None if given is None else read_given(given)
    chosen, names, n_missing = [], [], n
    for name, source in sources:
        if not isinstance(source, Deals | Library):
            raise ArgumentError(f"deals is {source!r:.60}; give Deals or a library as dk.read returns it")
        if not n_missing:
            break
        if condition is None:
            found = source[:n_missing]
        else:
            found = source.where(condition)[:n_missing]
        found = found.deals if isinstance(found, Library) else found
        chosen.append(found)
        names.append(f"{format_count(len(found))} of the {format_count(len(source), 'deal')} of {name}")
        n_missing -= len(found)
    n_found = sum(map(len, chosen))
    if n_found < MIN_DEALS:
        raise ArgumentError(
            f"{n_found} deals meet the condition; a comparison needs {MIN_DEALS} at least, so give more "
            "deals or a wider condition"
        )
    hands = np.concatenate([part.hands for part in chosen])
    unknown = [np.full((len(part), 5, 4), -1, np.int8) for part in chosen]
    tables = [
        empty if part.tables is None else part.tables for part, empty in zip(chosen, unknown, strict=True)
    ]
    joined = Deals(hands, tables=np.concatenate(tables), check=False)
    origin: list[str | Code | Quantity] = [join_words(names)]
    if condition is not None:
        text = condition if isinstance(condition, str) else os.fspath(condition)
        origin += [", given ", Code(shorten(" ".join(text.split()), 100))]
    if len(chosen) == 1 and deals is not None:
        part = chosen[0]
        joined = joined.replace(
            **{
                name: getattr(part, name)
                for name in ("dealer", "vulnerable")
                if getattr(part, name) is not None
            }
        )
    return joined, [*origin, "."]


def number_deals(deals: Deals, dealer: int | str | None, vulnerable: int | str | bool | None) -> Deals:
    """Return deals with dealer and vulnerability: those given, their own, or those of boards 1, 2, 3 ..."""
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
    """Yield each room in which a system is bid, and on which deals it said nothing where it had to."""
    for k, room in enumerate(rooms):
        side = (number + k) % 2  # of the system in this room
        if not silent or side == 0:
            yield room, (room.seats >= 0) & (room.seats % 2 == side)


def _measure_unfinished(
    rooms: Sequence[BiddenDeals], silent: bool, confidence: float
) -> tuple[Estimate, Estimate]:
    """Return for each system in which share of its auctions it said nothing where it had to.

    With two auctions of a deal, their mean counts as one value, so that the intervals are rather too wide.
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
        "the comparison would be about what the systems lack: where they have to bid, they say nothing in "
        f"more than {_format_percent(most)} of the auctions.\n" + "\n".join(lines)
        + "\nA draft of what to add, with the hands that are to bid there:\n" + "\n".join(draft) + "\n",
        Parameter("max_unfinished=", 1), " compares the systems all the same",
    ]  # fmt: skip


def _format_percent(share: float) -> str:
    return f"{format_number(100 * share, 0)} %"


def _describe_hands(failures: Iterable[tuple[BiddenDeals, np.ndarray]], context: str) -> str:
    """Return which points the players have to whom a system says nothing, and their longest suits."""
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
    # The contracts as numbers; those of passed deals are never used
    texts, codes = np.unique(bidden.contracts.astype(str), return_inverse=True)
    parsed = [None if text == PASSED else Contract.parse(text) for text in texts]
    is_played = np.array([contract is not None for contract in parsed])[codes]
    level, strain, doubled = (
        np.array([getattr(contract, name) if contract else 0 for contract in parsed])[codes]
        for name in ("level", "strain", "doubled")
    )
    corrections = np.array([find_correction(contract) if contract else 0.0 for contract in parsed])[codes]
    declarer = np.array([SEAT_LETTERS.index(letter) if letter else 0 for letter in bidden.declarers.tolist()])
    # Double-dummy tricks: from the tables, else solved
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
    gains[~differs], shares[~differs] = 0.0, 0.5  # equal contracts, by the same play
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

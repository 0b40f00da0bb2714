"""Layouts of the unseen hands: mean tricks of a hand or a pair over random deals that contain it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note, format_note, format_quantity, show_condition
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import describe_object, join_words, shorten
from dealerkit.arguments import Given, check_integer, check_name, read_given
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, SIDES, STRAIN_LETTERS, STRAINS, seat_number, strain_number
from dealerkit.cards.text import format_hand, read_hand
from dealerkit.charts.panels import ROW, draw_whisker, open_frame
from dealerkit.charts.style import get_color
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import Progress, long_work, show_progress
from dealerkit.simulation.calls import read_text
from dealerkit.simulation.run import deal
from dealerkit.statistics import Moments
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.provenance import RepeatableResult, repeatable
from dealerkit.studies.sides import DECLARER_TEXTS, TRICKS_DECLARERS, find_tricks_of_sides
from dealerkit.studies.tables.grouped_estimates import GroupRow, estimate_mean, tabulate_rows

if TYPE_CHECKING:
    import pandas as pd

SEED = int.from_bytes(b"layouts", "big")  # so that equal calls return equal results
GENERATE = 20_000_000  # deals for a hand, from which `given` selects
BEST = "best suit"


@dataclass(frozen=True, eq=False, repr=False)
class Layouts(RepeatableResult):
    """Tricks of kept hands over random layouts of the other hands, as `layouts` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each strain, and ``best suit``, the one with most tricks in each layout: the side's mean
        tricks `value`, `se`, `lo`, `hi`, `n` layouts, `hands`, the number of kept hands, by which intervals
        are clustered if there are several, and the standard deviation `sd` over the layouts of a hand.
    by_hand : DataFrame
        A row for each kept hand or pair: `hand`, and its mean tricks over the layouts in each strain.
    by_strain : dict
        The rows of `frame`: the `estimate`, the number of kept hands (`deals`), and the `sd` of each strain.
    deals : Deals
        All layouts, solved for the side in the strains of `frame`; `cluster` is the number of the hand.
    keep : tuple of int
        Seats whose hands are kept: N E S W = 0..3.
    n : int
        Number of layouts of each hand.
    given, declarer : str or None
    confidence : float
    seed : int
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> layouts = dk.layouts("AKQJ32.AK.AKQ.AK", "south", n=3, seed=1, strain="spades")
    >>> layouts.frame.loc["spades", ["n", "hands"]].tolist()
    [3, 1]
    """

    by_strain: Mapping[str, GroupRow]
    by_hand: pd.DataFrame
    deals: Deals
    keep: tuple[int, ...]
    n: int
    given: str | None
    declarer: str
    confidence: float
    seed: int

    @classmethod
    def from_deals(
        cls, deals: Deals, keep: tuple[int, ...], n: int, given: str | None = None, declarer: str = "better",
        confidence: float = 0.95, seed: int = SEED,
    ) -> Layouts:  # fmt: skip
        """Return the result for solved layouts, `n` for each hand, next to each other.

        Parameters
        ----------
        deals : Deals
            Solved for the strains and the side in question; those of a hand are next to each other.
        keep : tuple of int
            Seats whose hands are kept: N E S W = 0..3.
        n : int
            Number of layouts of each hand.
        given, declarer, confidence, seed
            As for `layouts`.

        Returns
        -------
        Layouts
        """
        import pandas as pd

        assert deals.tables is not None
        side = keep[0] % 2
        tricks = find_tricks_of_sides(deals.tables, declarer)[:, side].astype(float)
        names = [name for k, name in enumerate(STRAINS) if (tricks[:, k] >= 0).all()]
        columns = {name: tricks[:, STRAINS.index(name)].reshape(-1, n) for name in names}
        if len(names) == 5:
            columns[BEST] = tricks[:, :4].max(axis=1).reshape(-1, n)
        by_strain = {name: _estimate(values, confidence) for name, values in columns.items()}
        kept = deals.hands[::n][:, keep]
        texts = [" opposite ".join(format_hand(int(hand)) for hand in row) for row in kept]
        means = {name: values.mean(axis=1) for name, values in columns.items()}
        by_hand = pd.DataFrame({"hand": texts, **means}, index=pd.RangeIndex(len(texts), name="number"))
        return cls(by_strain, by_hand, deals, keep, n, given, declarer, confidence, seed)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The tricks by strain as a DataFrame."""
        frame = tabulate_rows(self.by_strain, "strain").rename(columns={"deals": "hands"})
        return frame.assign(sd=[row.sd for row in self.by_strain.values()])

    @property
    def title(self) -> str:
        """Whose tricks, and over how many layouts."""
        hands = self.by_hand.hand
        seats = join_words(SEATS[seat] for seat in self.keep)
        what = (
            f"{seats}: {hands.iloc[0]}"
            if len(hands) == 1
            else f"{format_count(len(hands), 'hand')} of {seats}"
        )
        return f"Tricks over {format_count(self.n, 'layout')}, {what}"

    def __repr__(self) -> str:
        name, row = list(self.by_strain.items())[-1]
        hands = f"{format_count(len(self.by_hand), 'hand')}, {self.n} layouts of each"
        return f"<Layouts: {hands}, {name} {format_quantity(Quantity(row.estimate), ascii=True)} tricks>"

    def card(self) -> Card:
        """Return the tricks by strain."""
        head = f"tricks of {SIDES[self.keep[0] % 2]}"
        columns = [
            Column("strain", "", "name"),
            Column("tricks", head, interval="within", by_row=True),
            Column("sd", decimals=2, missing="–"),
        ]
        rows = [[strain, row.estimate, row.sd] for strain, row in self.by_strain.items()]
        return Card(
            self.title,
            tables=[Table(columns, rows)],
            notes=list(self._list_notes()),
            charts=[Chart("tricks", partial(_draw, self))],
            provenance=self._list_facts(),
        )

    def _list_notes(self) -> Iterator[Note]:
        others = join_words(SEATS[seat] for seat in range(4) if seat not in self.keep)
        clusters = ", clustered by hand" if len(self.by_hand) > 1 else ""
        yield (
            f"{format_count(len(self.deals), 'random deal')} of the cards of {others}, double dummy, "
            f"seed {self.seed}; {format_level(self.confidence)} intervals{clusters}."
        )
        if self.given:
            yield "Given ", show_condition(self.given), "."
        best = " Best suit: that with the most tricks on each layout." if BEST in self.by_strain else ""
        yield f"Tricks of {DECLARER_TEXTS[self.declarer]}; sd: over the layouts of a hand.{best}"


def _estimate(values: np.ndarray, confidence: float) -> GroupRow:
    """Return the mean over hands and layouts [hands, n]; if there are several hands, they are clusters."""
    moments = Moments()
    clusters = np.repeat(np.arange(len(values)), values.shape[1]) if len(values) > 1 else None
    moments.update(values.ravel(), clusters=clusters)
    estimate = estimate_mean(moments, confidence, (0.0, 13.0))
    return GroupRow(estimate, len(values), _pool_deviations(values))


def _pool_deviations(values: np.ndarray) -> float:
    """Return the standard deviation within rows [hands, n]; nan for a single layout."""
    if values.shape[1] < 2:
        return float("nan")
    return float(np.sqrt(values.var(axis=1, ddof=1).mean()))


@long_work
@repeatable
def layouts(
    hands: str | Deal | Deals,
    keep: str = "north",
    n: int = 20,
    *,
    given: Given | None = None,
    strain: str | None = None,
    declarer: str = "better",
    confidence: float = 0.95,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Layouts:
    """Return the tricks of a hand, or of a pair, over random layouts of the other hands.

    The hands of `keep` stay. All other cards are dealt anew `n` times, and the deals are solved. So the luck
    of the layout is averaged out of the tricks with which an evaluator is compared.

    Parameters
    ----------
    hands : str, Deal or Deals
        The 13 cards of a hand, ``"KJ74.Q93.T85.J62"``, or deals, of which `keep` says what stays. If there
        are many deals, each gets its own `n` layouts.
    keep : seat, or {"NS", "EW"}
        The hand, or both hands of a side, that stay.
    n : int
        Number of layouts of each hand.
    given : str, os.PathLike or Auction, optional
        A condition of the dealer language, or its file, that all layouts meet.
    strain : str, optional
        Solve only this strain, which takes a fifth of the time. None: all five, and the best suit.
    declarer : {"better", "mean"}
        The tricks of the side's hand that takes more (better), or the mean of both hands.
    confidence : float in (0, 1)
        Confidence level of the intervals.
    seed : int, optional
        The layouts of hand number i have the seed seed + i. None: the same for each call.
    threads : int, optional
        Number of threads of the solver.
    progress : bool, callable or None
        Whether to show a progress bar; by default it appears after a second on a terminal or in a notebook.
        Or a function, called as ``progress(done, total)`` with numbers of deals.

    Returns
    -------
    Layouts

    Raises
    ------
    ArgumentError
        A hand has no seat, a text has several hands, there is less than one layout, or no layout meets the
        condition.
    DealError, FileError, PredealError, ScriptError

    Notes
    -----
    A deal takes about a fifth of a second of processor time.

    Examples
    --------
    >>> found = layouts("AKQJ32.AK.AKQ.AK", "south", n=3, seed=1, strain="spades")
    >>> bool(found.frame.value["spades"] > 10), len(found.deals)
    (True, 3)
    """
    # The arguments, and the hands that are kept
    check_confidence(confidence)
    n = check_integer("n", n, 1)
    seed = SEED if seed is None else check_integer("seed", seed)
    declarer = check_name("declarer", declarer, TRICKS_DECLARERS)
    seats = parse_kept_seats(keep)
    letters = STRAIN_LETTERS if strain is None else STRAIN_LETTERS[strain_number(strain)]
    text = None if given is None else read_text(read_given(given))
    if not isinstance(text, str | None):
        raise ArgumentError(f"given is {quote(given)}; it must be a condition, as text or in a file")
    kept = find_kept_hands(hands, seats)
    # Other cards for each kept hand, a cluster of layouts
    parts, tables = [], []
    with show_progress(progress) as show:
        for number, row in enumerate(kept):
            part = _deal_layouts(row, seats, n, given, seed + number)
            side = "NS" if seats[0] % 2 == 0 else "EW"
            tables.append(look_up_tables(part, letters, side, threads=threads))
            parts.append(part.hands)
            if show is not None:
                show(n * (number + 1), n * len(kept))
    # The layouts of a hand depend on each other
    solved = Deals(
        np.concatenate(parts), tables=np.concatenate(tables), cluster=np.repeat(np.arange(len(kept)), n)
    )
    return Layouts.from_deals(solved, seats, n, text, declarer, confidence, seed)


def _deal_layouts(hands: np.ndarray, seats: tuple[int, ...], n: int, given: Given | None, seed: int) -> Deals:
    """Return random deals with these hands, or raise ArgumentError."""
    predeal = {SEATS[seat]: format_hand(int(hand)) for seat, hand in zip(seats, hands, strict=True)}
    dealt = deal(n, seed=seed, predeal=predeal, given=given, generate=GENERATE if given else None)
    if len(dealt) < n:
        shown = join_words(f"{seat} {cards}" for seat, cards in predeal.items())
        condition = shorten(str(given and read_given(given)), 80)
        raise ArgumentError(
            f"only {len(dealt)} of {GENERATE:,} layouts with {shown} meet {condition!r}; "
            "give a weaker condition"
        )
    return dealt


def parse_kept_seats(keep: Any) -> tuple[int, ...]:
    """Return the seats of a seat or a side.

    >>> parse_kept_seats("south"), parse_kept_seats("EW")
    ((2,), (1, 3))
    """
    if isinstance(keep, str) and keep.strip().upper() in SIDES:
        first = SIDES.index(keep.strip().upper())
        return first, first + 2
    try:
        return (seat_number(keep),)
    except ArgumentError:
        raise ArgumentError(
            f"keep is {describe_object(keep)}; give the seat of the hand that stays, such as 'north', or a "
            "side, 'NS' or 'EW'"
        ) from None


def find_kept_hands(hands: Any, seats: tuple[int, ...]) -> np.ndarray:
    """Return the hands that stay, uint64 [hands, seats], or raise ArgumentError."""
    if isinstance(hands, str) and hands[1:2] != ":":
        if len(seats) > 1:
            raise ArgumentError(
                "a text is one hand, but keep= is a side; give a Deal with both hands of the side"
            )
        return np.array([[read_hand(hands)]], np.uint64)
    if isinstance(hands, str):
        hands = Deal(hands)
    if isinstance(hands, Deal):
        hands = Deals.from_deals([hands])
    if not isinstance(hands, Deals):
        raise ArgumentError(f"hands is {describe_object(hands)}; give 13 cards as text, a Deal or Deals")
    if not len(hands):
        raise ArgumentError("there is no deal; give at least one")
    return hands.hands[:, list(seats)]


def _draw(found: Layouts, ax: Any) -> Any:
    """Draw mean tricks by strain with intervals, and a band of the standard deviation over layouts."""
    names = list(found.by_strain)
    with open_frame(ax, height=ROW * len(names) + 1.9) as frame:
        notes = " ".join(map(format_note, found._list_notes()))
        frame.write(
            shorten(found.title, 60),
            "Mean tricks of the side, by strain",
            f"{notes} Dots with whiskers: means with intervals; bands: mean ± standard deviation.",
        )
        (panel,) = frame.add_panels()
        for y, row in enumerate(found.by_strain.values()):
            estimate = row.estimate
            panel.plot([0, 13], [y, y], color=get_color("line"), linewidth=0.8, zorder=1)
            if row.sd > 0:
                ends = max(estimate.value - row.sd, 0), min(estimate.value + row.sd, 13)
                panel.fill_between(
                    ends, y - 0.25, y + 0.25, color=get_color("data"), alpha=0.2, linewidth=0, zorder=2
                )
            has_interval = np.isfinite(estimate.hi - estimate.lo)
            lo, hi = (estimate.lo, estimate.hi) if has_interval else (estimate.value, estimate.value)
            draw_whisker(panel, estimate.value, lo, hi, y)
        frame.name_rows(panel, names)
        frame.number(panel.xaxis, integer=True)
        panel.set_xlim(-0.2, 13.2)
        panel.spines["bottom"].set_bounds(0, 13)
        return frame.ax

"""Statistics of par: scores, levels and strains of par contracts, and sacrifices, by vulnerability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Code, Note
from dealerkit.appearance.numbers import format_count, format_level, format_number, format_significant
from dealerkit.appearance.table import Column, Kind, Quantity, Table
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import is_listing
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, STRAINS, VULNERABILITIES, seat_number, vulnerability_number
from dealerkit.charts.panels import open_frame
from dealerkit.charts.style import get_color
from dealerkit.doubledummy.par import par
from dealerkit.errors import ArgumentError
from dealerkit.formats.library import Library
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import long_work
from dealerkit.statistics import Counts, Estimate, Moments
from dealerkit.statistics.estimates import list_columns
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.frames import tabulate
from dealerkit.studies.provenance import RepeatableResult, repeatable
from dealerkit.studies.tables.grouped_estimates import GroupRow, estimate_mean, tabulate_rows
from dealerkit.studies.tables.solved_source import SolvedBatch, SolvedSource

if TYPE_CHECKING:
    import pandas as pd

RESULTS = ("passed out", "part score", "game", "small slam", "grand slam", "sacrifice")
STATES = {"none": "none", "ns": "NS", "ew": "EW", "both": "both"}
STATE_TEXTS = {
    "none": "none vulnerable", "NS": "NS vulnerable", "EW": "EW vulnerable", "both": "both vulnerable",
}  # fmt: skip
N_SCORES = 10  # number of scores in the text
MOST = 7600.0  # down thirteen, doubled and vulnerable


class ParEstimates(NamedTuple):
    """Means and shares of par at one vulnerability.

    Attributes
    ----------
    score, size : Estimate
        Mean par of north-south, and the mean of its absolute value.
    results, levels, strains, scores : dict
        Shares of the deals, by the result of the par contract, by its level and whether it is a sacrifice,
        by its strain, and by the par score of north-south.
    """

    score: Estimate
    size: Estimate
    results: Mapping[str, GroupRow]
    levels: Mapping[tuple[int, bool], GroupRow]
    strains: Mapping[str, GroupRow]
    scores: Mapping[int, GroupRow]


@dataclass(frozen=True, eq=False, repr=False)
class ParStatistics(RepeatableResult):
    """Statistics of par, as `par_statistics` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each vulnerability and `result` of the par contract: its share `value` of the deals, `se`,
        `lo`, `hi`, `deals`.
    means : DataFrame
        A row for each vulnerability: `score`, the mean par of north-south, and `size`, the mean of its
        absolute value, each with `_lo` and `_hi`.
    levels : DataFrame
        A row for each vulnerability, level and whether the contract is a `sacrifice`: shares as in `frame`.
    strains, scores : DataFrame
        The same for the strain of the par contract, and for each par score of north-south.
    estimates : dict
        The numbers of all these tables: a `ParEstimates` for each vulnerability.
    deals : int
    dealer : str
    confidence : float
    origin : sequence of str
        The parts of `description`; the condition is one of them.
    description : str
        Description of the deals.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.par_statistics(dk.solved_sample()[:10_000], vulnerable="none")
    <ParStatistics: 10,000 deals, sacrifices: none 23.2 %>
    """

    estimates: Mapping[str, ParEstimates]
    deals: int
    dealer: str
    confidence: float
    origin: Sequence[str | Code]

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Shares of the results by vulnerability as a DataFrame."""
        return self._tabulate("results", ["result"])

    @cached_property
    def levels(self) -> pd.DataFrame:
        """Shares of the levels, of contracts that make and of sacrifices, as a DataFrame."""
        return self._tabulate("levels", ["level", "sacrifice"])

    @cached_property
    def strains(self) -> pd.DataFrame:
        """Shares of the strains as a DataFrame."""
        return self._tabulate("strains", ["strain"])

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Shares of the par scores as a DataFrame."""
        return self._tabulate("scores", ["score"])

    def _tabulate(self, name: str, keys: Sequence[str]) -> pd.DataFrame:
        """Return the shares of all vulnerabilities, one below the other."""
        import pandas as pd

        parts = {}
        for state, each in self.estimates.items():
            part = tabulate_rows(getattr(each, name)).drop(columns="n")
            part.index.names = keys
            parts[state] = part
        return pd.concat(parts, names=["vulnerable"])

    @cached_property
    def means(self) -> pd.DataFrame:
        """Mean par, and the mean of its absolute value, by vulnerability as a DataFrame."""
        rows = {
            state: list_columns("score", each.score) | list_columns("size", each.size)
            for state, each in self.estimates.items()
        }
        return tabulate(rows, "vulnerable")

    @property
    def title(self) -> str:
        """What the tables have."""
        return "Statistics of par"

    @property
    def states(self) -> list[str]:
        """The vulnerabilities."""
        return list(self.estimates)

    def __repr__(self) -> str:
        sacrifices = self.frame.xs("sacrifice", level="result").value
        shares = ", ".join(
            f"{state} {format_number(100 * share, 1)} %" for state, share in sacrifices.items()
        )
        return f"<ParStatistics: {format_count(self.deals, 'deal')}, sacrifices: {shares}>"

    @property
    def description(self) -> str:
        """The number of deals, their origin and the condition that they meet."""
        return "".join(self.origin)

    def card(self) -> Card:
        """Return means with results, levels, strains, and the most frequent scores."""
        means = [
            ["par for NS, mean", *(Quantity(each.score, sign=True) for each in self.estimates.values())],
            ["without its sign", *(Quantity(each.size) for each in self.estimates.values())],
        ]
        tables = [
            Table(self._list_columns(Column("mean", "vulnerable", "name"), "value"), means),
            self._list_shares("results", RESULTS, "Par contract, share of deals"),
        ]
        for sacrifice, heading in ((False, "Level, contracts that make"), (True, "Level, sacrifices")):
            levels = [(level, sacrifice) for level in range(1 + sacrifice, 8)]
            tables.append(self._list_shares("levels", levels, heading))
        tables.append(self._list_shares("strains", STRAINS, "Strain"))
        scores = self._find_common_scores()
        heading = f"The {len(scores)} most frequent scores for NS"
        tables.append(self._list_shares("scores", scores, heading))
        return Card(
            self.title,
            tables=tables,
            notes=list(self._list_notes()),
            charts=[Chart("levels", partial(_draw, self))],
            provenance=self._list_facts(),
        )

    def _list_columns(self, first: Column, kind: Kind) -> list[Column]:
        return [first, *(Column(state, kind=kind, interval="within", missing="–") for state in self.states)]

    def _list_shares(self, name: str, keys: Sequence[Any], heading: str) -> Table:
        """Return a row for each key and a column for each vulnerability."""
        rows = []
        for key in keys:
            found = [getattr(each, name).get(key) for each in self.estimates.values()]
            title = key[0] if isinstance(key, tuple) else key
            rows.append([title, *(None if row is None else row.estimate for row in found)])
        is_number = name in ("levels", "scores")
        column = name.removesuffix("s")
        first = Column(column, "vulnerable", "value" if is_number else "name", sign=name == "scores")
        return Table(self._list_columns(first, "share"), rows, heading)

    def _find_common_scores(self) -> list[int]:
        """Return the most frequent scores at all vulnerabilities together, in descending order."""
        deals: dict[int, float] = {}
        for each in self.estimates.values():
            for score, row in each.scores.items():
                deals[score] = deals.get(score, 0) + row.deals
        return sorted(sorted(sorted(deals), key=lambda score: -deals[score])[:N_SCORES], reverse=True)

    def _list_notes(self) -> Iterator[Note]:
        yield (*self.origin, f", double dummy; {format_level(self.confidence)} intervals.")
        yield (
            f"At par, neither side gains by another bid. {self.dealer.capitalize()} may open first; "
            "contracts "
            "that fail are doubled; of several contracts that score par, the lowest counts. A dash: no deal "
            "has this score."
        )


@long_work
@repeatable
def par_statistics(
    deals: Deals | Library | None = None,
    *,
    vulnerable: str | int | Sequence[str | int] = VULNERABILITIES,
    dealer: str | int = "north",
    where: str | None = None,
    confidence: float = 0.95,
) -> ParStatistics:
    """Return how often par is a part score, a game, a slam or a sacrifice, with its mean and its scores.

    Par is defined as for `dealerkit.par`. Every deal is counted at each vulnerability.

    Parameters
    ----------
    deals : Deals or Library, optional
        Solved deals; a library of any size is read in batches. By default `dealerkit.solved_sample`.
    vulnerable : {"none", "ns", "ew", "both"}, or a list of these
        By default all four.
    dealer : seat
        The seat that may open first. It matters on few deals, such as those on which both sides make 1NT.
    where : str, optional
        A condition of the dealer language for the deals.
    confidence : float in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    ParStatistics

    Raises
    ------
    ArgumentError
        Deals are not solved, there are fewer than 30 deals, or a vulnerability or dealer is unknown.
    ScriptError
        The condition is invalid.

    Examples
    --------
    >>> from dealerkit.formats.sample import solved_sample
    >>> statistics = par_statistics(solved_sample()[:10_000], vulnerable="none")
    >>> statistics.frame.value["none"].round(2).tolist()
    [0.0, 0.26, 0.39, 0.09, 0.03, 0.23]
    """
    # The arguments
    check_confidence(confidence)
    given: list[Any] = (
        list(vulnerable) if is_listing(vulnerable) and not isinstance(vulnerable, str) else [vulnerable]
    )
    numbers = list(dict.fromkeys(vulnerability_number(each) for each in given))
    if not numbers:
        raise ArgumentError("vulnerable is an empty list; give one of none, ns, ew and both, or several")
    seat = seat_number(dealer)
    source = SolvedSource.open(deals, where)
    # Par at each vulnerability
    parts = {number: _ParCounts() for number in numbers}
    for batch in source.batches():
        for number, part in parts.items():
            part.update(batch, number, seat)
    n_deals = parts[numbers[0]].score.n
    source.check_count(n_deals)
    estimates = {STATES[VULNERABILITIES[number]]: part.estimate(confidence) for number, part in parts.items()}
    return ParStatistics(
        estimates, parts[numbers[0]].score.n_clusters, SEATS[seat], confidence, source.describe(n_deals)
    )


@dataclass(eq=False)
class _ParCounts:
    """Counts of par at one vulnerability."""

    score: Moments = field(default_factory=Moments)
    size: Moments = field(default_factory=Moments)
    scores: Counts = field(default_factory=Counts)  # in tens of points
    results: Counts = field(default_factory=lambda: Counts((0, len(RESULTS) - 1)))
    levels: Counts = field(default_factory=lambda: Counts((0, 15)))  # twice the level, plus 1 for a sacrifice
    strains: Counts = field(default_factory=lambda: Counts((-1, 4)))

    def update(self, batch: SolvedBatch, vulnerable: int, dealer: int) -> None:
        """Add a batch."""
        found = par(batch.deals, vulnerable, dealer)
        contract = find_lowest_contracts(found.contracts, len(found))
        level, doubled = contract["level"].astype(int), contract["doubled"] == 1
        points = np.array([30, 30, 20, 20, 30])[contract["strain"]] * level + 10 * (contract["strain"] == 4)
        kind = np.select(
            [level == 0, doubled, level == 7, level == 6, points >= 100], [0, 5, 4, 3, 2], default=1
        )
        options = batch.weights, batch.clusters
        for counts, values in (
            (self.score, found.score), (self.size, np.abs(found.score)), (self.scores, found.score // 10),
            (self.results, kind), (self.levels, 2 * level + doubled),
            (self.strains, np.where(level > 0, contract["strain"], -1).astype(int)),
        ):  # fmt: skip
            counts.update(values, *options)

    def estimate(self, confidence: float) -> ParEstimates:
        """Return means and shares."""
        levels = _list_shares(self.levels, confidence)
        strains = _list_shares(self.strains, confidence)
        scores = _list_shares(self.scores, confidence)
        return ParEstimates(
            estimate_mean(self.score, confidence, (-MOST, MOST)),
            estimate_mean(self.size, confidence, (0.0, MOST)),
            {RESULTS[kind]: row for kind, row in _list_shares(self.results, confidence).items()},
            {(number // 2, number % 2 == 1): row for number, row in levels.items() if number >= 2},
            {STRAINS[strain]: row for strain, row in strains.items() if strain >= 0},
            {10 * tens: row for tens, row in scores.items() if row.deals},
        )


def _list_shares(counts: Counts, confidence: float) -> dict[int, GroupRow]:
    """Return the share of each integer that has a cell, with its number of deals."""
    columns = [column[1:-1].tolist() for column in (*counts.shares(confidence), counts.table)]
    return {
        int(number): GroupRow(Estimate(share, se, lo, hi, counts.n, confidence), deals)
        for number, share, se, lo, hi, deals in zip(counts.values(), *columns, strict=True)
    }


def find_lowest_contracts(contracts: np.ndarray, n_deals: int) -> np.ndarray:
    """Return the lowest par contract of each deal, as rows of `Par.contracts`; level 0 if there is none.

    >>> table = np.tile(np.array([9, 4, 9, 4], np.int8), (1, 5, 1))
    >>> find_lowest_contracts(par(table).contracts, 1)[["level", "strain"]].tolist()
    [(3, 4)]
    """
    rank = np.array([3, 2, 1, 0, 4])[contracts["strain"]]  # clubs are the lowest
    order = np.lexsort((rank, contracts["level"], contracts["deal"]))
    deal, first = np.unique(contracts["deal"][order], return_index=True)
    lowest = np.zeros(n_deals, contracts.dtype)
    lowest[deal] = contracts[order[first]]
    return lowest


def _draw(statistics: ParStatistics, ax: Any) -> Any:
    """Draw the share of each level of the par contract, a panel for each vulnerability."""
    # Title and caption.
    shares = 100 * statistics.levels.value
    ends = 100 * statistics.levels.hi
    tops = shares.xs(False, level="sacrifice") + ends.xs(True, level="sacrifice")
    highest = max(ends.xs(False, level="sacrifice").max(), tops.max())
    sacrifices = 100 * statistics.frame.xs("sacrifice", level="result").value
    widest = format_significant(50 * (statistics.levels.hi - statistics.levels.lo).max(), 1)
    with open_frame(ax, height=3.4) as frame:
        found = join_words(f"{format_number(share, 0)} %" for share in sacrifices)
        frame.write(
            f"At par {found} of the contracts are sacrifices",
            "Level of the par contract, share of all deals"
            + ", by vulnerability" * (len(statistics.states) > 1),
            f"{statistics.description}, double dummy; {statistics.dealer} may open first. Blue: contracts "
            "that make; orange: doubled contracts that fail. Whiskers: "
            f"{format_level(statistics.confidence)} intervals of each part of a bar, at most ± {widest} %.",
        )

        # A bar for each level: contracts that make, and sacrifices on top of them.
        states = statistics.states
        panels = frame.add_panels([1] * len(states), lines=True)
        for number, (panel, state) in enumerate(zip(panels, states, strict=True)):
            part = shares[state]
            made, failed = (part.xs(kind, level="sacrifice") for kind in (False, True))
            panel.bar(made.index, made, 0.8, color=get_color("data"), alpha=0.45, linewidth=0)
            panel.bar(
                failed.index, failed, 0.8, bottom=made, color=get_color("exact"), alpha=0.6, linewidth=0
            )
            for kind, shift in ((False, -0.14), (True, 0.14)):
                ends = 100 * statistics.levels.loc[state].xs(kind, level="sacrifice")[["lo", "hi"]]
                shown = ends[ends.hi > ends.lo]
                starts = made[shown.index] if kind else 0.0
                panel.vlines(
                    shown.index + shift, starts + shown.lo, starts + shown.hi, color=get_color("text"),
                    linewidth=1.1, zorder=3,
                )  # fmt: skip

            # Axes: the first panel has the labels of all.
            frame.head(panel, state if len(states) > 1 else STATE_TEXTS[state])
            frame.number(panel.xaxis, integer=True)
            panel.set_ylim(0, 1.02 * highest)
            frame.number(panel.yaxis, unit=" %")
            panel.tick_params(axis="y", labelleft=not number)
            panel.tick_params(axis="x", length=0, labelcolor=get_color("text"))
        panels[0].set_xlabel("level")
        return frame.ax

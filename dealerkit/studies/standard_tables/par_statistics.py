"""Statistics of par: scores, levels and strains of par contracts, sacrifices, by vulnerability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.latex import Section
from dealerkit.arguments import is_listing
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, STRAINS, VULNERABILITIES, seat_number, vulnerability_number
from dealerkit.doubledummy.par import par
from dealerkit.errors import ArgumentError
from dealerkit.formats.library import Library
from dealerkit.statistics import Counts, Moments
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.results import StudyResult
from dealerkit.studies.standard_tables.cell_texts import format_cell, format_shares
from dealerkit.studies.standard_tables.grouped_estimates import estimate_mean, list_estimate
from dealerkit.studies.standard_tables.solved_source import SolvedBatch, SolvedSource

if TYPE_CHECKING:
    import pandas as pd

RESULTS = ("passed out", "part score", "game", "small slam", "grand slam", "sacrifice")
STATES = {"none": "none", "ns": "NS", "ew": "EW", "both": "both"}
N_SCORES = 10  # scores in the text
MOST = 7600.0  # down thirteen, doubled and vulnerable


@dataclass(frozen=True, eq=False, repr=False)
class ParStatistics(StudyResult):
    """Statistics of par, as `par_statistics` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each vulnerability and `result` of the par contract: the share `value` of the deals, `se`,
        `lo`, `hi`, `deals`.
    means : DataFrame
        A row for each vulnerability: `score`, par for north-south on average, and `size`, its mean without
        sign, each with `_lo` and `_hi`.
    levels : DataFrame
        A row for each vulnerability, level and whether the contract is a `sacrifice`: shares as in `frame`.
    strains, scores : DataFrame
        The same for the strain of the par contract, and for each par score of north-south.
    deals : int
    dealer : str
    confidence : float
    description : str
        Of the deals.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.par_statistics(dk.solved_sample()[:10_000], vulnerable="none")
    <ParStatistics: 10,000 deals, sacrifices: none 23.2 %>
    """

    frame: pd.DataFrame
    means: pd.DataFrame
    levels: pd.DataFrame
    strains: pd.DataFrame
    scores: pd.DataFrame
    deals: int
    dealer: str
    confidence: float
    description: str

    def to_frame(self) -> pd.DataFrame:
        """Return the shares of the results, with vulnerability and result as columns."""
        return self.frame.reset_index()

    @property
    def title(self) -> str:
        """What the tables have."""
        return "Statistics of par"

    @property
    def states(self) -> list[str]:
        """The vulnerabilities."""
        return list(self.means.index)

    def __repr__(self) -> str:
        sacrifices = self.frame.xs("sacrifice", level="result").value
        shares = ", ".join(f"{state} {100 * share:.1f} %" for state, share in sacrifices.items())
        return f"<ParStatistics: {self.deals:,} deals, sacrifices: {shares}>"

    def _sections(self) -> Iterator[Section]:
        """Yield means with results, levels, strains, and the most frequent scores."""
        states = self.states
        rows = [["vulnerable", *states]]
        for name, title, sign in (("score", "par for NS, mean", True), ("size", "without its sign", False)):
            part = self.means[[name, f"{name}_lo", f"{name}_hi"]].set_axis(["value", "lo", "hi"], axis=1)
            rows.append([title, *(format_cell(row, sign) for row in part.itertuples())])
        yield "", rows
        yield "Par contract, share of deals", self._list_shares(self.frame, "result", RESULTS)
        for sacrifice, heading in ((False, "Level, contracts that make"), (True, "Level, sacrifices")):
            part = self.levels.xs(sacrifice, level="sacrifice")
            yield heading, self._list_shares(part, "level", range(1 + sacrifice, 8))
        yield "Strain", self._list_shares(self.strains, "strain", STRAINS)
        common = self.scores.groupby("score").deals.sum().sort_values(ascending=False)
        names = sorted(common.index[:N_SCORES], reverse=True)
        yield f"The {len(names)} most frequent scores for NS", self._list_shares(self.scores, "score", names)

    def _list_shares(self, table: pd.DataFrame, level: str, names: Sequence[Any]) -> list[list[str]]:
        """Return a row for each name and a column for each vulnerability."""
        columns = []
        for state in self.states:
            part = table.xs(state, level="vulnerable").reindex(names)
            cells = iter(format_shares(part.dropna(subset=["value"])))
            columns.append(["–" if np.isnan(value) else next(cells) for value in part.value])
        titles = [f"{name:+d}" if level == "score" and name else str(name) for name in names]
        rows = [list(row) for row in zip(titles, *columns, strict=True)]
        return [["vulnerable", *self.states], *rows]

    def _notes(self) -> Iterator[str]:
        yield f"{self.description}, double dummy; {100 * self.confidence:g} % intervals."
        yield (
            f"At par neither side gains by another bid. {self.dealer.capitalize()} may open first; contracts "
            "that fail are doubled; of several contracts that score par the lowest counts. A dash: no deal "
            "has this score."
        )

    def plot(self, ax: Any = None) -> Any:
        """Plot the levels of par contracts by vulnerability, sacrifices on top.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.par_statistics import plot_par_statistics

        return plot_par_statistics(self, ax)


def par_statistics(
    deals: Deals | Library | None = None,
    *,
    vulnerable: str | int | Sequence[str | int] = VULNERABILITIES,
    dealer: str | int = "north",
    where: str | None = None,
    confidence: float = 0.95,
) -> ParStatistics:
    """Return how often par is a part score, a game, a slam or a sacrifice, its mean and its scores.

    Par is that of `dealerkit.par`. Every deal is counted at each vulnerability.

    Parameters
    ----------
    deals : Deals or Library, optional
        Solved deals; a library of any size is read in batches. By default `dealerkit.solved_sample`.
    vulnerable : {"none", "ns", "ew", "both"}, or a list of these
        By default all four.
    dealer : seat
        Who may open first. It matters on few deals, such as those on which both sides make 1NT.
    where : str, optional
        A condition of the dealer language for the deals.
    confidence : float in (0, 1)
        Of the intervals.

    Returns
    -------
    ParStatistics

    Raises
    ------
    ArgumentError
        Deals that are not solved, fewer than 30 deals, an unknown vulnerability or dealer.
    ScriptError
        An invalid condition.

    Examples
    --------
    >>> from dealerkit.formats.sample import solved_sample
    >>> statistics = par_statistics(solved_sample()[:10_000], vulnerable="none")
    >>> statistics.frame.value["none"].round(2).tolist()
    [0.0, 0.26, 0.39, 0.09, 0.03, 0.23]
    """
    check_confidence(confidence)
    given: list[Any] = (
        list(vulnerable) if is_listing(vulnerable) and not isinstance(vulnerable, str) else [vulnerable]
    )
    numbers = list(dict.fromkeys(vulnerability_number(each) for each in given))
    if not numbers:
        raise ArgumentError("vulnerable is an empty list; give one of none, ns, ew and both, or several")
    seat = seat_number(dealer)
    source = SolvedSource.open(deals, where)
    parts = {number: _ParCounts() for number in numbers}
    for batch in source.batches():
        for number, part in parts.items():
            part.update(batch, number, seat)
    n_deals = parts[numbers[0]].score.n
    source.check_count(n_deals)
    tables = {STATES[VULNERABILITIES[number]]: part.tabulate(confidence) for number, part in parts.items()}
    joined = {name: _join_tables(tables, name) for name in ("result", "means", "level", "strain", "score")}
    return ParStatistics(
        joined["result"], joined["means"], joined["level"], joined["strain"], joined["score"],
        deals=parts[numbers[0]].score.n_clusters, dealer=SEATS[seat], confidence=confidence,
        description=source.describe(n_deals),
    )  # fmt: skip


def _join_tables(tables: dict[str, dict[str, pd.DataFrame]], name: str) -> pd.DataFrame:
    """Return one of the tables of all vulnerabilities, one below the other."""
    import pandas as pd

    joined = pd.concat({state: each[name] for state, each in tables.items()}, names=["vulnerable"])
    return joined.droplevel(1) if name == "means" else joined


@dataclass(eq=False)
class _ParCounts:
    """Par of deals at one vulnerability, counted."""

    score: Moments = field(default_factory=Moments)
    size: Moments = field(default_factory=Moments)
    scores: Counts = field(default_factory=Counts)  # tens of points
    results: Counts = field(default_factory=lambda: Counts((0, len(RESULTS) - 1)))
    levels: Counts = field(default_factory=lambda: Counts((0, 15)))  # twice the level, 1 more: sacrifice
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

    def tabulate(self, confidence: float) -> dict[str, pd.DataFrame]:
        """Return the tables by name."""
        import pandas as pd

        means: dict[str, float] = {}
        for name, part, bounds in (("score", self.score, (-MOST, MOST)), ("size", self.size, (0.0, MOST))):
            value, _, lo, hi, _ = list_estimate(estimate_mean(part, confidence, bounds))
            means |= {name: value, f"{name}_lo": lo, f"{name}_hi": hi}
        levels = _tabulate(self.levels, confidence)
        levels = levels.loc[2:]
        levels.index = pd.MultiIndex.from_arrays(
            [levels.index // 2, levels.index % 2 == 1], names=["level", "sacrifice"]
        )
        strains = _tabulate(self.strains, confidence).loc[0:]
        scores = _tabulate(self.scores, confidence)
        return {
            "means": pd.DataFrame([means]),
            "result": _tabulate(self.results, confidence).set_axis(pd.Index(RESULTS, name="result")),
            "level": levels,
            "strain": strains.set_axis(pd.Index(STRAINS, name="strain")),
            "score": scores[scores.deals > 0].set_axis(
                pd.Index(10 * scores.index[scores.deals > 0], name="score")
            ),
        }


def _tabulate(counts: Counts, confidence: float) -> pd.DataFrame:
    """Return a row for each integer with a cell: its share, interval and deals."""
    import pandas as pd

    share, se, lo, hi = (column[1:-1] for column in counts.shares(confidence))
    columns = {"value": share, "se": se, "lo": lo, "hi": hi, "deals": counts.table[1:-1]}
    return pd.DataFrame(columns, counts.values())


def find_lowest_contracts(contracts: np.ndarray, n_deals: int) -> np.ndarray:
    """Return the lowest par contract of each deal, as rows of `Par.contracts`; level 0 where there is none.

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

"""The choice of the best contract of each class, and the result with frames, text, HTML and plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note, add_condition, format_note, list_parts, show_condition
from dealerkit.appearance.numbers import format_count, format_estimate, format_level, format_number
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import open_frame
from dealerkit.charts.style import get_color
from dealerkit.runtime.process import cached_property
from dealerkit.scoring import SCORINGS
from dealerkit.statistics import Estimate
from dealerkit.statistics.estimates import list_columns
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.simultaneous import simultaneous_mean_intervals
from dealerkit.studies.contract_patterns import Candidate, GainResult
from dealerkit.studies.provenance import RepeatableResult
from dealerkit.studies.sides import DECLARER_TEXTS, STRAIN_TEXTS

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class ClassSums:
    """Sums over the sides of one class.

    The columns are 1, the gains of all pairs of candidates, the scores, and whether each makes.

    Attributes
    ----------
    sides, deals : int
        Numbers of sides, and of deals or clusters.
    sums : ndarray of float64 [m]
        Weighted sums of the columns.
    products : ndarray of float64 [m, m]
        Sums over deals of products of each deal's sums.
    """

    sides: int
    deals: int
    sums: np.ndarray
    products: np.ndarray

    def __add__(self, other: ClassSums) -> ClassSums:
        return ClassSums(
            self.sides + other.sides, self.deals + other.deals, self.sums + other.sums,
            self.products + other.products,
        )  # fmt: skip

    @property
    def means(self) -> np.ndarray:
        """Weighted means of all columns except the first, float64 [m - 1]."""
        return self.sums[1:] / self.sums[0]

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of `means`, clustered by deal: float64 [m - 1, m - 1].

        It is that of ratio estimates, with the factor G / (G - 1) for G deals (Cochran, *Sampling
        Techniques*, 1977, 6.2 and 9A).
        """
        means, products = self.means, self.products
        cross = np.outer(means, products[0, 1:])
        residual = products[1:, 1:] - cross - cross.T + np.outer(means, means) * products[0, 0]
        return residual * self.deals / (self.deals - 1) / self.sums[0] ** 2


def list_pairs(count: int) -> list[tuple[int, int]]:
    """Return all pairs of candidates, the earlier one first."""
    return list(combinations(range(count), 2))


def score_candidates(
    candidates: tuple[Candidate, ...], strain: np.ndarray, tricks: np.ndarray, vulnerable: bool, scoring: str
) -> np.ndarray:
    """Return a row for each side: gains of all pairs, scores, and whether each contract makes.

    Parameters
    ----------
    candidates : tuple of Candidate
    strain : ndarray of int [n]
        The strain that each side plays.
    tricks : ndarray of int [n, 5]
        Tricks of each side in each strain; only those of `strain` and of the candidates' strains are used.
    vulnerable : bool
    scoring : {"imps", "matchpoints", "board-a-match", "points"}

    Returns
    -------
    ndarray of float64 [n, pairs + 2 candidates]
    """
    rows = np.arange(len(strain))
    scores, makes = [], []
    for candidate in candidates:
        own = strain if candidate.strain is None else np.full(len(strain), candidate.strain)
        taken = tricks[rows, own]
        scores.append(candidate.score_table(vulnerable)[own, taken])
        makes.append(taken >= np.array(candidate.levels)[own] + 6)
    gains = [SCORINGS[scoring].compare(scores[i], scores[j]) for i, j in list_pairs(len(candidates))]
    return np.stack([*gains, *scores, *makes], axis=1).astype(float)


def add_by_class(
    columns: np.ndarray, values: np.ndarray, clusters: np.ndarray, weights: np.ndarray | None
) -> dict[float, ClassSums]:
    """Return the sums of rows by class.

    Parameters
    ----------
    columns : ndarray of float64 [n, m - 1]
    values : ndarray of float64 [n]
        The class of each row.
    clusters : ndarray of int [n]
        Numbers of the deals; rows with the same number depend on each other.
    weights : ndarray of float64 [n] or None

    Examples
    --------
    >>> rows = np.array([[1.0], [2.0], [9.0]])
    >>> sums = add_by_class(rows, np.array([20, 20, 25]), np.array([0, 0, 1]), None)
    >>> [(value, part.deals, part.means.tolist()) for value, part in sums.items()]
    [(20.0, 1, [1.5]), (25.0, 1, [9.0])]
    """
    if not len(values):
        return {}
    weight = np.ones(len(values)) if weights is None else weights
    # Sort rows by class, and within a class by deal
    order = np.lexsort((clusters, values))
    value, cluster = values[order], clusters[order]
    rows = np.concatenate([weight[:, None], columns * weight[:, None]], axis=1)[order]
    # Sums of each deal, and the deal at which each class begins
    changes = np.diff(value, prepend=np.nan) != 0
    starts = np.flatnonzero(changes | (np.diff(cluster, prepend=-1) != 0))
    deals = np.add.reduceat(rows, starts)
    firsts = np.flatnonzero(changes[starts])
    counts = np.diff([*np.flatnonzero(changes), len(value)])
    return {
        float(value[starts[first]]): ClassSums(
            int(count), last - first, deals[first:last].sum(axis=0), deals[first:last].T @ deals[first:last]
        )
        for first, last, count in zip(
            firsts.tolist(), [*firsts[1:].tolist(), len(deals)], counts, strict=True
        )
    }


COLOURS = ("data", "exact", "cat3", "cat4", "warn", "rest", "hearts")  # tokens of colours
TINT, WEAK_TINT = 0.45, 0.12
CELL = 0.24  # height of a row of a plot in inches


class CandidateRow(NamedTuple):
    """A candidate in a class.

    Attributes
    ----------
    score : Estimate
        Mean score.
    makes : float
        Share of the sides on which it makes.
    gain : Estimate
        Gain over the best contract, 0 for itself; the intervals of all gains of the class are simultaneous.
    """

    score: Estimate
    makes: float
    gain: Estimate


class ClassChoice(NamedTuple):
    """The best contract of a class.

    Attributes
    ----------
    sides, deals : int
    contract, runner_up : str
        The best candidate, and the one over which it gains least.
    gain : Estimate
        Gain over the best of the others, which in the sample is the runner-up; the interval is valid
        whichever it is.
    decided : bool
        Whether the interval of this gain is above 0, and therefore those of all its gains.
    candidates : dict of str to CandidateRow
    """

    sides: int
    deals: int
    contract: str
    runner_up: str
    gain: Estimate
    decided: bool
    candidates: Mapping[str, CandidateRow]

    @property
    def best(self) -> CandidateRow:
        """The row of the best contract."""
        return self.candidates[self.contract]


@dataclass(frozen=True, eq=False, repr=False)
class BestContracts(GainResult, RepeatableResult):
    """The best contract by class, as `best_contracts` returns it.

    Attributes
    ----------
    frame : DataFrame
        A row for each class, by the value of `by`, and by the name of the class if there are `classes`:

        - sides, deals: their numbers
        - contract: the best candidate; makes: how often it makes; score: its mean score, with `score_lo` and
          `score_hi`
        - runner_up: the candidate over which it gains least; gain: the gain per side, with `gain_lo` and
          `gain_hi`, which are valid whichever of the others is the best one
        - decided: whether `gain_lo` is above 0, and therefore the intervals of all its gains
    gains : DataFrame
        A row for each class and candidate: `score` and `makes`, and `gain`, `gain_lo`, `gain_hi` relative to
        the best contract, 0 for itself.
    choices : dict
        The rows of both frames: a `ClassChoice` for each name of a class and value.
    by : str
    where : str or None
    strain : str
    candidates : tuple of str
    classes : dict of str to (strain, condition), or None
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
    vulnerable : bool
    declarer : {"better", "longer"}
    min_deals, left_out, n_deals : int
        Number of deals that a class needs, number of classes with fewer, and number of all deals.
    confidence : float
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.best_contracts(dk.solved_sample()[:10_000], strain="notrump", where="hcp >= 20")
    <BestContracts: 12 classes, Best contract by hcp, not vulnerable, IMPs, notrump, hcp >= 20>
    """

    choices: Mapping[tuple[str, float], ClassChoice]
    by: str
    where: str | None
    strain: str
    candidates: tuple[str, ...]
    classes: dict[str, tuple[str, str | None]] | None
    scoring: str
    vulnerable: bool
    declarer: str
    min_deals: int
    n_deals: int
    left_out: int
    confidence: float

    @property
    def _keys(self) -> list[str]:
        return ["class", self.by] if self.classes is not None else [self.by]

    def _name_class(self, key: tuple[str, float]) -> dict[str, Any]:
        """Return the name of a class, if there are names, and its value, by the names of the index."""
        value = int(key[1]) if key[1] == int(key[1]) else key[1]
        return dict(zip(self._keys, (key[0], value) if self.classes is not None else (value,), strict=True))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The best contract of each class as a DataFrame."""
        import pandas as pd

        rows = []
        for key, row in self.choices.items():
            best = {
                "contract": row.contract,
                "makes": row.best.makes,
                **list_columns("score", row.best.score),
            }
            gain = {"runner_up": row.runner_up, **list_columns("gain", row.gain), "decided": row.decided}
            rows.append(self._name_class(key) | {"sides": row.sides, "deals": row.deals} | best | gain)
        return pd.DataFrame(rows).set_index(self._keys)

    @cached_property
    def gains(self) -> pd.DataFrame:
        """The gain of each candidate over the best contract of each class as a DataFrame."""
        import pandas as pd

        rows = [
            self._name_class(key)
            | {"contract": name, "score": row.score.value, "makes": row.makes}
            | list_columns("gain", row.gain)
            for key, choice in self.choices.items()
            for name, row in choice.candidates.items()
        ]
        return pd.DataFrame(rows).set_index([*self._keys, "contract"])

    @property
    def title(self) -> str:
        """Vulnerability, scoring, strain and condition, in one line."""
        return format_note(self._title)

    @property
    def _title(self) -> Note:
        state = "vulnerable" if self.vulnerable else "not vulnerable"
        strain = "" if self.classes else f", {STRAIN_TEXTS.get(self.strain, self.strain)}"
        rest = add_condition(f", {state}, {SCORINGS[self.scoring].text}{strain}", ", ", self.where)
        return "Best contract by ", show_condition(self.by), *list_parts(rest)

    def _list_notes(self) -> Iterator[Note]:
        yield (
            f"Candidates: {', '.join(self.candidates)}. The best contract gains over every other on the "
            "same sides; "
            f"tricks of {DECLARER_TEXTS[self.declarer]}, double dummy; nobody doubles."
        )
        levels = {"partscore": "1NT or two of a suit", "game": "3NT, four of a major or five of a minor"}
        if named := [f"a {name} is {text}" for name, text in levels.items() if name in self.candidates]:
            yield f"Here {', '.join(named)}."
        yield (
            f"From {format_count(self.n_deals, 'deal')}. {format_level(self.confidence)} intervals, those of "
            "the gains together for all candidates of a class; decided: they exclude 0."
        )
        if self.left_out:
            verb = "is" if self.left_out == 1 else "are"
            classes = format_count(self.left_out, "class", "classes")
            yield f"{classes} with fewer than {self.min_deals} deals {verb} left out."

    def card(self) -> Card:
        """Return the best contract of each class."""
        # Classes differ in size, so each row has its own decimals.
        columns = [
            Column("class", kind="name"),
            Column("value", shorten(self.by, 24), kind="label"),
            Column("deals", kind="count"),
            Column("best", kind="contract"),
            Column("makes", kind="share", decimals=0),
            Column("score", sign=True, interval="within", decimals=0),
            Column("runner_up", "runner-up", kind="contract"),
            Column("gain", f"gain, {self.unit}", sign=True, scale=self.scale, interval="within", by_row=True),
            Column("decided", kind="name"),
        ]
        rows = [
            [
                name, format_number(value, ascii=True), row.deals, row.contract, row.best.makes,
                row.best.score, row.runner_up, row.gain, "yes" if row.decided else "no",
            ]
            for (name, value), row in self.choices.items()
        ]  # fmt: skip
        if self.classes is None:
            columns, rows = columns[1:], [row[1:] for row in rows]
        return Card(
            self._title,
            tables=[Table(columns, rows)],
            notes=list(self._list_notes()),
            charts=[Chart("best contracts", partial(_draw, self))],
            provenance=self._list_facts(),
        )

    def __repr__(self) -> str:
        return f"<BestContracts: {len(self.frame)} classes, {shorten(self.title, 120)}>"


def find_bounds(bids: tuple[Candidate, ...], vulnerable: bool, scoring: str) -> list[tuple[float, float]]:
    """Return the smallest and largest gain of each pair of candidates over all strains and tricks."""
    tables = [bid.score_table(vulnerable) for bid in bids]
    bounds = []
    for i, j in list_pairs(len(bids)):
        if bids[i].strain == bids[j].strain:  # both take the same tricks
            gains = SCORINGS[scoring].compare(tables[i], tables[j])
        else:
            gains = SCORINGS[scoring].compare(tables[i].ravel()[:, None], tables[j].ravel())
        bounds.append((float(gains.min()), float(gains.max())))
    return bounds


def choose_contract(
    sums: ClassSums, bids: tuple[Candidate, ...], bounds: list[tuple[float, float]], confidence: float
) -> ClassChoice:
    """Return the best contract of a class, with its gains over the other candidates."""
    count = len(bids)
    pairs = list_pairs(count)
    means, covariance = sums.means, sums.covariance
    pair_means, pair_covariance = means[: len(pairs)], covariance[: len(pairs), : len(pairs)].copy()
    # Add two deals, with the smallest and the largest gain, as A. Agresti and B. A. Coull do for shares (Am.
    # Stat. 52, 1998, 119-126): otherwise intervals are too narrow for a contract that makes rarely or never.
    ends, more = np.array(bounds).T, sums.deals + 2
    centre = (sums.deals * pair_means + ends.sum(axis=0)) / more
    pair_covariance *= (sums.deals / more) ** 2
    pair_covariance += np.diag(((ends - centre) ** 2).sum(axis=0) / more**2)
    lo, hi = simultaneous_mean_intervals(centre, pair_covariance, deals=sums.deals, confidence=confidence)
    lo = np.minimum(np.maximum(lo, ends[0]), pair_means)
    hi = np.maximum(np.minimum(hi, ends[1]), pair_means)
    # The best candidate is the one whose smallest gain over another is the largest
    table = np.zeros((3, count, count))  # gain, lo, hi of the row's candidate over the column's candidate
    for k, (i, j) in enumerate(pairs):
        table[:, i, j] = pair_means[k], lo[k], hi[k]
        table[:, j, i] = -pair_means[k], -hi[k], -lo[k]
    gain = table[0] + np.diag(np.full(count, np.inf))
    best = int(gain.min(axis=1).argmax())
    second = int(gain[best].argmin())
    # Estimates of the gains and the scores with separate errors
    scores, makes = means[len(pairs) : len(pairs) + count], means[len(pairs) + count :]
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))  # errors of the pairs, the scores, and the shares
    gain_errors = np.zeros((count, count))
    for k, (i, j) in enumerate(pairs):
        gain_errors[i, j] = gain_errors[j, i] = errors[k]

    def estimate_gain(k: int, other: int) -> Estimate:
        if k == other:
            return Estimate.exactly(0.0, sums.sides, confidence)
        value, low, high = (float(number) for number in table[:, k, other])
        return Estimate(value + 0.0, float(gain_errors[k, other]), low, high, sums.sides, confidence)

    def estimate_score(k: int) -> Estimate:
        score, se = float(scores[k]), float(errors[len(pairs) + k])
        half = student_quantile(confidence, sums.deals - 1) * se
        return Estimate(score, se, score - half, score + half, sums.sides, confidence)

    # The gain over the best of the others, whichever that is, is the smallest gain.
    others = [k for k in range(count) if k != best]
    least, most = table[1:, best, others].min(axis=1).tolist()
    over_all = replace(estimate_gain(best, second), lo=least, hi=most)
    return ClassChoice(
        sums.sides,
        sums.deals,
        str(bids[best]),
        str(bids[second]),
        over_all,
        over_all.lo > 0,
        {
            str(bids[k]): CandidateRow(estimate_score(k), float(makes[k]), estimate_gain(k, best))
            for k in range(count)
        },
    )


def _draw(table: BestContracts, ax: Any) -> Any:
    """Draw a grid: a row for each value of `by`.

    Without further classes, a column for each candidate shows its gain relative to the best one, which is
    tinted; candidates that are too close to call are tinted weakly. With further classes, a column for each
    shows the best contract, tinted weakly if it is too close to call.
    """
    if table.classes is None:
        columns, cells = list(table.candidates), _list_candidates(table)
        about = f"Gain of each contract relative to the best one, {table.unit} per side"
        tints = "Weakly tinted: too close to call."
    else:
        columns, cells = list(table.classes), _list_best(table)
        about = f"The contract with the most {table.unit} per side"
        tints = "Weakly tinted: too close to call."
    values = sorted({value for value, _ in cells})
    with open_frame(ax, width=max(4.8, 1.4 + 1.3 * len(columns)), height=CELL * len(values) + 1.75) as frame:
        state = "vulnerable" if table.vulnerable else "not vulnerable"
        frame.write(
            f"Best contract by {shorten(table.by, 24)}, {state}",
            about if table.where is None else f"{about}; {' '.join(table.where.split())}",
            f"{format_count(table.n_deals, 'deal')}, double dummy. {format_level(table.confidence)} "
            f"intervals, simultaneous for all contracts of a class. {tints}",
        )
        names = [format_number(value, ascii=True) for value in values]
        (panel,) = frame.add_panels()
        texts = []
        for (value, column), (text, colour, tint, weight) in cells.items():
            x, y = columns.index(column), values.index(value)
            if tint:
                panel.fill_between(
                    [x - 0.5, x + 0.5], y - 0.5, y + 0.5, color=get_color(colour), alpha=tint, linewidth=0
                )
            options = {"weight": weight, "color": get_color("text" if tint else "quiet"), "clip_on": True}
            texts.append(panel.text(x, y, text, ha="center", va="center", **options))
        frame.fill(panel, texts)
        panel.set_xlim(-0.5, len(columns) - 0.5)
        panel.set_ylim(len(values) - 0.5, -0.5)
        panel.xaxis.tick_top()
        frame.name(panel.xaxis, columns)
        frame.name(panel.yaxis, names)
        panel.tick_params(length=0)
        panel.spines[:].set_visible(False)
        return frame.ax


_Cells = dict[tuple[float, str], tuple[str, str, float, str]]


def _list_candidates(table: BestContracts) -> _Cells:
    """Return text, token of the colour, tint and weight of each value and candidate."""
    cells: _Cells = {}
    for (_, value), choice in table.choices.items():
        for contract, row in choice.candidates.items():
            if contract == choice.contract:
                cells[value, contract] = "best", "data", TINT, "bold"
                continue
            numbers = (table.scale * number for number in (row.gain.value, row.gain.lo, row.gain.hi))
            text = format_estimate(*numbers, sign=True).value
            cells[value, contract] = text, "data", WEAK_TINT if row.gain.hi >= 0 else 0, "normal"
    return cells


def _list_best(table: BestContracts) -> _Cells:
    """Return text, token of the colour, tint and weight of each value and class."""
    cells: _Cells = {}
    for (name, value), row in table.choices.items():
        colour = COLOURS[table.candidates.index(row.contract) % len(COLOURS)]
        tint, weight = (TINT, "bold") if row.decided else (WEAK_TINT, "normal")
        cells[value, name] = row.contract, colour, tint, weight
    return cells

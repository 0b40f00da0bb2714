"""Which contract is the best of each class, and the result with frames, text, HTML and plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.latex import Section
from dealerkit.appearance.numbers import format_with_interval
from dealerkit.appearance.wording import shorten
from dealerkit.scoring import SCORINGS
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.simultaneous import simultaneous_mean_intervals
from dealerkit.studies.contract_patterns import GainResult
from dealerkit.studies.results import StudyResult
from dealerkit.studies.sides import STRAIN_TEXTS
from dealerkit.studies.standard_tables.contract_sums import Candidate, ClassSums, list_pairs

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class BestContracts(GainResult, StudyResult):
    """The best contract by class, as `best_contracts` returns it.

    Attributes
    ----------
    frame : DataFrame
        A row for each class, by the value of `by`, below the name of the class if there are `classes`:

        - sides, deals: their numbers
        - contract: the best candidate; makes: how often it makes; score: its mean score, with `score_lo` and
          `score_hi`
        - runner_up: the candidate over which it gains least; gain: by how much a side, with `gain_lo` and
          `gain_hi`, which hold for all gains of the class together
        - decided: whether the intervals of all its gains lie above 0
    gains : DataFrame
        A row for each class and candidate: `score` and `makes`, and `gain`, `gain_lo`, `gain_hi` over the
        best contract, 0 for itself.
    by : str
    where : str or None
    strain : str
    candidates : tuple of str
    classes : dict of str to (strain, condition), or None
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
    vulnerable : bool
    declarer : {"better", "longer"}
    min_deals, left_out, n_deals : int
        Number of deals that a class needs, of classes with fewer, and of all deals.
    confidence : float

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.best_contracts(dk.solved_sample()[:10_000], strain="notrump", where="hcp >= 20")
    <BestContracts: 12 classes, Best contract by hcp, not vulnerable, IMPs, notrump, hcp >= 20>
    """

    frame: pd.DataFrame
    gains: pd.DataFrame
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

    def to_frame(self) -> pd.DataFrame:
        """Return `frame` with the classes as columns."""
        return self.frame.reset_index()

    @property
    def title(self) -> str:
        """Vulnerability, scoring, strain and condition, in one line."""
        state = "vulnerable" if self.vulnerable else "not vulnerable"
        strain = "" if self.classes else f", {STRAIN_TEXTS.get(self.strain, self.strain)}"
        where = f", {shorten(self.where, 60)}" if self.where else ""
        scoring = SCORINGS[self.scoring].text
        return f"Best contract by {shorten(self.by, 40)}, {state}, {scoring}{strain}{where}"

    def _notes(self) -> Iterator[str]:
        longer = "the hand with more trumps, then points,"
        hand = "the hand with more tricks" if self.declarer == "better" else longer
        yield (
            f"Candidates: {', '.join(self.candidates)}. The best gains over each other on the same sides; "
            f"{hand} declares, double dummy, and nobody doubles."
        )
        levels = {"partscore": "1NT or two of a suit", "game": "3NT, four of a major or five of a minor"}
        if named := [f"a {name} is {text}" for name, text in levels.items() if name in self.candidates]:
            yield f"Here {', '.join(named)}."
        yield (
            f"From {self.n_deals:,} deals. {100 * self.confidence:g} % intervals, those of the gains "
            "together for all candidates of a class; decided: they exclude 0."
        )
        if self.left_out:
            yield f"{self.left_out} classes with fewer than {self.min_deals} deals are left out."

    def _sections(self) -> Iterator[Section]:
        keys = ["class", self.by] if self.classes else [self.by]
        head = [shorten(key, 24) for key in keys]
        rows = [[*head, "deals", "best", "makes", "score", "runner-up", f"gain, {self.unit}", "decided"]]
        for key, row in self.frame.iterrows():
            names = [shorten(key[0], 24), f"{key[1]:g}"] if self.classes else [f"{key:g}"]
            gain = format_with_interval(
                self.scale * row.gain,
                self.scale * row.gain_lo,
                self.scale * row.gain_hi,
                sign=True,
                ascii=True,
            )
            score = format_with_interval(
                row.score, row.score_lo, row.score_hi, sign=True, decimals=0, ascii=True
            )
            numbers = [f"{row.deals:,}", row.contract, f"{100 * row.makes:.0f} %", score, row.runner_up]
            rows.append([*names, *numbers, gain, "yes" if row.decided else "no"])
        yield "", rows

    def __repr__(self) -> str:
        return f"<BestContracts: {len(self.frame)} classes, {shorten(self.title, 120)}>"

    def plot(self, ax: Any = None) -> Any:
        """Plot what each candidate loses against the best one; with `classes` the best contract of each.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.best_contracts import plot_best_contracts

        return plot_best_contracts(self, ax)


def tabulate_choices(
    sums: Mapping[tuple[str, float], ClassSums],
    bids: tuple[Candidate, ...],
    vulnerable: bool,
    scoring: str,
    confidence: float,
    by: str,
    is_named: bool,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the frames `BestContracts.frame` and `BestContracts.gains`.

    Parameters
    ----------
    sums : mapping of (name of the class, value) to ClassSums
    bids : tuple of Candidate
    vulnerable, scoring, confidence, by
        As for `best_contracts`.
    is_named : bool
        Whether the index has the names of classes.
    """
    import pandas as pd

    bounds = find_bounds(bids, vulnerable, scoring)
    rows, gains = [], []
    for key, part in sums.items():
        index = {"class": key[0], by: _shorten_value(key[1])} if is_named else {by: _shorten_value(key[1])}
        row, losses = choose_contract(part, bids, bounds, confidence)
        rows.append(index | row)
        gains += [index | loss for loss in losses]
    keys = ["class", by] if is_named else [by]
    return pd.DataFrame(rows).set_index(keys), pd.DataFrame(gains).set_index([*keys, "contract"])


def _shorten_value(value: float) -> float | int:
    return int(value) if value == int(value) else value


def find_bounds(bids: tuple[Candidate, ...], vulnerable: bool, scoring: str) -> list[tuple[float, float]]:
    """Return the smallest and largest gain of each pair of candidates over all strains and tricks."""
    tables = [bid.score_table(vulnerable) for bid in bids]
    bounds = []
    for i, j in list_pairs(len(bids)):
        if bids[i].strain == bids[j].strain:  # the same tricks
            gains = SCORINGS[scoring].compare(tables[i], tables[j])
        else:
            gains = SCORINGS[scoring].compare(tables[i].ravel()[:, None], tables[j].ravel())
        bounds.append((float(gains.min()), float(gains.max())))
    return bounds


def choose_contract(
    sums: ClassSums, bids: tuple[Candidate, ...], bounds: list[tuple[float, float]], confidence: float
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the row of the best contract of a class, and a row for each candidate."""
    count = len(bids)
    pairs = list_pairs(count)
    means, covariance = sums.means, sums.covariance
    pair_means, pair_covariance = means[: len(pairs)], covariance[: len(pairs), : len(pairs)].copy()
    # Two more deals, with the smallest and the largest gain, as A. Agresti and B. A. Coull add to shares (Am.
    # Stat. 52, 1998, 119-126): otherwise intervals are too narrow where a contract rarely makes, or never.
    ends, more = np.array(bounds).T, sums.deals + 2
    centre = (sums.deals * pair_means + ends.sum(axis=0)) / more
    pair_covariance *= (sums.deals / more) ** 2
    pair_covariance += np.diag(((ends - centre) ** 2).sum(axis=0) / more**2)
    lo, hi = simultaneous_mean_intervals(centre, pair_covariance, deals=sums.deals, confidence=confidence)
    lo = np.minimum(np.maximum(lo, ends[0]), pair_means)
    hi = np.maximum(np.minimum(hi, ends[1]), pair_means)
    table = np.zeros((3, count, count))  # gain, lo, hi of the row's candidate over the column's
    for k, (i, j) in enumerate(pairs):
        table[:, i, j] = pair_means[k], lo[k], hi[k]
        table[:, j, i] = -pair_means[k], -hi[k], -lo[k]
    gain = table[0] + np.diag(np.full(count, np.inf))
    best = int(gain.min(axis=1).argmax())
    second = int(gain[best].argmin())
    scores, makes = means[len(pairs) : len(pairs) + count], means[len(pairs) + count :]
    se = np.sqrt(max(covariance[len(pairs) + best, len(pairs) + best], 0))
    half = student_quantile(confidence, sums.deals - 1) * se
    others = [k for k in range(count) if k != best]
    row = {
        "sides": sums.sides, "deals": sums.deals, "contract": str(bids[best]), "makes": makes[best],
        "score": scores[best], "score_lo": scores[best] - half, "score_hi": scores[best] + half,
        "runner_up": str(bids[second]), "gain": table[0, best, second], "gain_lo": table[1, best, second],
        "gain_hi": table[2, best, second], "decided": bool((table[1, best, others] > 0).all()),
    }  # fmt: skip
    losses = [
        {
            "contract": str(bids[k]), "score": scores[k], "makes": makes[k],
            "gain": table[0, k, best] + 0.0, "gain_lo": table[1, k, best], "gain_hi": table[2, k, best],
        }
        for k in range(count)
    ]  # fmt: skip
    return row, losses

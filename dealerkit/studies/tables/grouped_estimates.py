"""Means, shares and quantiles of values by group, from batches of deals or a frame, clustered by deal."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.wording import describe_object, join_words
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SIDES, STRAINS
from dealerkit.errors import ArgumentError, DealerkitError, SmallSample, UnknownNameError, quote, warn_caller
from dealerkit.statistics import Counts, Estimate, Moments, Quantiles
from dealerkit.statistics.accumulation import cluster_starts
from dealerkit.statistics.intervals import check_confidence, normal_quantile
from dealerkit.statistics.rare_values import ANY_VALUE, ValueRange
from dealerkit.studies.limits import warn_of_few_deals
from dealerkit.studies.sides import expand_names

if TYPE_CHECKING:
    import pandas as pd

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
COLUMNS = ["value", "se", "lo", "hi", "n", "deals"]


class GroupRow(NamedTuple):
    """The estimate of a group.

    Attributes
    ----------
    estimate : Estimate
        A mean or a share.
    deals : int
    sd : float
        Standard deviation of the values; nan for shares, and for a single value.
    weight : float
        Sum of the weights of the values.
    """

    estimate: Estimate
    deals: int
    sd: float = math.nan
    weight: float = math.nan


def estimate_mean(moments: Moments, confidence: float, bounds: tuple[float, float] | None = None) -> Estimate:
    """Return a mean with its interval over clusters, within the bounds of the values.

    A single cluster has no interval. Neither have equal values, unless their bounds are known: see
    `dealerkit.statistics.Moments.mean`.

    >>> same = Moments()
    >>> same.update(np.array([9, 9, 9, 9]))
    >>> estimate_mean(same, 0.95).lo, estimate_mean(same, 0.95, (0, 13)).lo < 7
    (-inf, True)
    """
    mean = moments.mean(confidence, ANY_VALUE if bounds is None else ValueRange(*bounds))
    if moments.n_clusters < 2 or not mean.se > 0 and bounds is None:
        return replace(mean, se=math.nan, lo=-math.inf, hi=math.inf)
    return mean


def estimate_share(counts: Counts, confidence: float) -> Estimate:
    """Return the share of the value 1 with Wilson's interval over clusters; one cluster has no interval."""
    share = counts.share(1, confidence=confidence)
    if counts.n_clusters < 2:
        return replace(share, se=math.nan, lo=-math.inf, hi=math.inf)
    return share


class GroupedEstimates:
    """Means or shares of values by group; batches are added one by one.

    Parameters
    ----------
    bounds : (float, float), optional
        Bounds of all values. Shares need none.

    Examples
    --------
    >>> tricks = GroupedEstimates((0, 13))
    >>> tricks.update(np.array([20, 20, 25]), np.array([6, 7, 9]), clusters=np.array([0, 1, 1]))
    >>> tricks.frame(0.95)[["value", "n", "deals"]].to_dict("index")[20]
    {'value': 6.5, 'n': 2, 'deals': 2}
    """

    def __init__(self, bounds: tuple[float, float] | None = None) -> None:
        self.bounds = bounds
        self.groups: dict[int, Moments | Counts] = {}

    def update(
        self,
        groups: np.ndarray,
        values: np.ndarray,
        weights: np.ndarray | None = None,
        clusters: np.ndarray | None = None,
    ) -> None:
        """Add a batch.

        Parameters
        ----------
        groups : ndarray of int [n]
            Number of the group of each value.
        values : ndarray of bool, int or float [n]
            Truth values have a share, numbers have a mean.
        weights, clusters
            As for `dealerkit.statistics.Moments.update`.
        """
        if not len(groups):
            return
        keys = groups - groups.min()
        if keys.max() < 1 << 16:
            keys = keys.astype(np.uint16)  # numpy sorts these several times faster
        order = np.argsort(keys, kind="stable")
        starts = cluster_starts(groups[order])
        for rows in np.split(order, starts[1:]):
            self._find(int(groups[rows[0]]), values.dtype.kind == "b").update(
                values[rows].view(np.uint8) if values.dtype.kind == "b" else values[rows],
                None if weights is None else weights[rows],
                None if clusters is None else clusters[rows],
            )

    def _find(self, group: int, is_share: bool) -> Moments | Counts:
        """Return the accumulator of a group, which is created for a new group."""
        if group not in self.groups:
            self.groups[group] = Counts((0, 1)) if is_share else Moments()
        return self.groups[group]

    def estimate(self, group: int, confidence: float) -> Estimate:
        """Return the estimate of a group, without an interval if it has a single deal."""
        part = self.groups[group]
        if isinstance(part, Counts):
            return estimate_share(part, confidence)
        return estimate_mean(part, confidence, self.bounds)

    def count_deals(self, group: int) -> int:
        """Return the number of clusters of a group."""
        return self.groups[group].n_clusters

    def rows(self, confidence: float) -> dict[int, GroupRow]:
        """Return the estimate of each group that has values, in ascending order."""
        numbers = sorted(number for number, part in self.groups.items() if part.n)
        return {number: self._find_row(number, confidence) for number in numbers}

    def _find_row(self, group: int, confidence: float) -> GroupRow:
        part, estimate = self.groups[group], self.estimate(group, confidence)
        if isinstance(part, Counts):
            return GroupRow(estimate, part.n_clusters)
        return GroupRow(estimate, part.n_clusters, part.sd, part.total_weight)

    def frame(self, confidence: float) -> pd.DataFrame:
        """Return `rows` as a DataFrame: value, se, lo, hi, n and deals of each group.

        The error and the ends of the interval are missing if there is no interval.
        """
        return tabulate_rows(self.rows(confidence)).astype({"n": int, "deals": int})


def tabulate_rows(rows: Mapping[Any, GroupRow], name: Hashable = None) -> pd.DataFrame:
    """Return value, se, lo, hi, n and deals of groups, by their keys; `name` is the name of the index."""
    import pandas as pd

    data = [[*list_estimate(row.estimate), row.deals] for row in rows.values()]
    return pd.DataFrame(data, pd.Index(list(rows), name=name), COLUMNS)


def list_estimate(estimate: Estimate) -> list[float]:
    """Return value, error, both ends of the interval, and n; unknown numbers are nan."""
    lo, hi = (end if math.isfinite(end) else math.nan for end in (estimate.lo, estimate.hi))
    return [estimate.value, estimate.se, lo, hi, estimate.n]


def estimate_groups(
    frame: pd.DataFrame,
    value: Any,
    by: Any = None,
    *,
    quantile: float | None = None,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return estimates of the rows of a frame by group; see `FrameAccessor.estimate`.

    Examples
    --------
    >>> from dealerkit.formats.sample import solved_sample
    >>> sides = solved_sample()[:20_000].sides("hcp", strain="notrump", tricks=True)
    >>> table = estimate_groups(sides, "tricks", by="hcp")
    >>> table.loc[[18, 20], ["value", "n", "deals"]].round(1).values.tolist()
    [[4.9, 2991.0, 2991.0], [6.0, 3360.0, 1680.0]]
    """
    check_confidence(confidence)
    # Values with their weights and clusters
    rows = FrameRows(frame)
    values = rows.find_values(value, "the value")
    if quantile is not None:
        _check_quantile(quantile, values)
    weights, clusters = rows.find_weights(), rows.find_clusters()
    warn_of_few_deals(len(np.unique(clusters)))
    # Rows that have a group; a row may be in several
    groups, index, chosen = _find_groups(rows, by)
    kept = groups >= 0
    chosen = chosen[kept]
    weights = None if weights is None else weights[chosen]
    data = values[chosen], weights, clusters[chosen]
    # An estimate of each
    if quantile is None:
        grouped = GroupedEstimates()
        grouped.update(groups[kept], *data)
        table = grouped.frame(confidence)
    else:
        table = _tabulate_quantiles(groups[kept], *data, quantile, confidence)
    # Groups without rows
    empty = index[~np.isin(np.arange(len(index)), table.index)]
    if len(empty):
        names = join_words(map(str, empty[:5]))
        warn_caller(f"no row of the frame is in the group {names}; it is left out", SmallSample)
    table.index = index[table.index]
    return table


def _check_quantile(quantile: Any, values: np.ndarray) -> None:
    """Raise ArgumentError for an invalid quantile, or a quantile of truth values."""
    is_number = isinstance(quantile, Real) and not isinstance(quantile, bool)
    if not (is_number and 0 < quantile < 1):
        raise ArgumentError(f"quantile is {quote(quantile)}; it must be between 0 and 1, 0.5 for the median")
    if values.dtype.kind == "b":
        raise ArgumentError("a condition has a share but no quantile; leave out quantile=")


def _tabulate_quantiles(
    groups: np.ndarray,
    values: np.ndarray,
    weights: np.ndarray | None,
    clusters: np.ndarray,
    quantile: float,
    confidence: float,
) -> pd.DataFrame:
    """Return the quantile of each group; values are counted by their ranks, so that none is rounded.

    Woodruff's interval ends halfway to the next value outside, as in `dealerkit.estimate`.
    """
    import pandas as pd

    distinct, rank = np.unique(values, return_inverse=True)
    # Halfway to the next value, where an interval ends; there is none beyond the first and the last value.
    ends = np.concatenate([[distinct[0]], (distinct[1:] + distinct[:-1]) / 2, [distinct[-1]]])
    rows, numbers = [], np.unique(groups)
    for number in numbers:
        chosen = groups == number
        ranks = Quantiles()
        ranks.update(rank[chosen], None if weights is None else weights[chosen], clusters[chosen])
        found = ranks.quantile(quantile, confidence)
        lo = float(ends[int(found.lo)]) if np.isfinite(found.lo) else found.lo
        hi = float(ends[int(found.hi) + 1]) if np.isfinite(found.hi) else found.hi
        if ranks.counts.n_clusters < 2 or np.ptp(rank[chosen]) == 0:
            lo = hi = np.nan  # nothing shows how far other deals may differ from the value
        se = (hi - lo) / 2 / normal_quantile(confidence) if np.isfinite(hi - lo) else np.nan
        rows.append([float(distinct[int(found.value)]), se, lo, hi, found.n, ranks.counts.n_clusters])
    return pd.DataFrame(rows, pd.Index(numbers), COLUMNS)


def _find_groups(rows: FrameRows, by: Any) -> tuple[np.ndarray, pd.Index, np.ndarray]:
    """Return the group of each row (-1: none), the names of the groups, and the numbers of the rows.

    Groups given by conditions may have rows in common, so a row may occur several times.
    """
    import pandas as pd

    everything = np.arange(rows.n)
    if by is None:
        return np.zeros(rows.n, np.int64), pd.Index(["all"]), everything
    # Conditions by name, which may overlap
    if isinstance(by, Mapping):
        if not by:
            raise ArgumentError("by= has no group; give names with conditions, as in {'fit': 'fit >= 8'}")
        groups, numbers = [], []
        for number, (name, condition) in enumerate(by.items()):
            chosen = rows.find_values(condition, f"the group {name}")
            if chosen.dtype.kind not in "bi":
                raise ArgumentError(f"the group {name} is not a condition; give one such as 'fit >= 8'")
            numbers.append(np.flatnonzero(chosen))
            groups.append(np.full(len(numbers[-1]), number))
        return np.concatenate(groups), pd.Index(list(by), name="group"), np.concatenate(numbers)
    # Each combination of values
    names = [by] if isinstance(by, str) or not isinstance(by, Sequence) else list(by)
    keys = [rows.find_keys(name) for name in names]
    if not keys:
        raise ArgumentError("by= is an empty list; give columns, an expression, or leave it out")
    found = pd.DataFrame(dict(enumerate(keys))).groupby(list(range(len(keys))), observed=True, sort=True)
    index = found.size().index
    titles = [" ".join(name.split()) if isinstance(name, str) else None for name in names]
    return found.ngroup().to_numpy(), index.set_names(titles), everything


class FrameRows:
    """The rows of a frame, and the meaning of their values, deals and weights.

    Parameters
    ----------
    frame : DataFrame
        A frame from `Deals.sides`, or any frame with a column of deals or the number of the deal as index.

    Raises
    ------
    ArgumentError
        The frame has no rows.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame, self.n = frame, len(frame)
        if not self.n:
            raise ArgumentError("the frame has no row; give one with some")

    def find_values(self, value: Any, what: str) -> np.ndarray:
        """Return numbers or truth values of the rows, from a column, an expression or an array."""
        import pandas as pd

        if isinstance(value, str):
            column = self._evaluate(value)
            what = f"{quote(value)}"
        else:
            column = value.reindex(self.frame.index) if self._must_align(value) else value
        # No value may be missing, and all must be finite numbers
        values = column if isinstance(column, pd.Series) else pd.Series(np.ravel(column))
        if values.isna().any():
            raise ArgumentError(
                f"{what} is missing in {int(values.isna().sum()):,} of {self.n:,} rows; remove these rows"
            )
        array = values.to_numpy()
        if array.dtype == object and all(isinstance(each, Real) for each in array):
            array = array.astype(float)
        if array.shape != (self.n,) or array.dtype.kind not in "biuf":
            raise ArgumentError(
                f"{what} is not a number or a truth value in each of the {self.n:,} rows; give a column, an "
                "expression or an array"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ArgumentError(f"{what} is not finite in all rows; remove the other rows")
        return array

    def _must_align(self, value: Any) -> bool:
        """Return whether a series of another frame can be brought into the order of the rows."""
        import pandas as pd

        if not isinstance(value, pd.Series) or value.index.equals(self.frame.index):
            return False
        return value.index.is_unique

    def find_keys(self, key: Any) -> pd.Series:
        """Return a column, or the values of an expression or an array, for grouping rows."""
        import pandas as pd

        if isinstance(key, str) and key in self.frame.columns:
            return self.frame[key].reset_index(drop=True)
        return pd.Series(self.find_values(key, "by"))

    def _evaluate(self, text: str) -> Any:
        """Return a column, an expression of columns, or one of the dealer language, for each row."""
        frame = self.frame
        if text in frame.columns:
            return frame[text]
        names = {name for name in _NAME.findall(text) if not keyword.iskeyword(name)}
        columns = names & set(map(str, frame.columns))
        if names and columns == names:
            try:
                return frame.eval(text, engine="python").to_numpy()
            except Exception as reason:  # pandas raises errors of many kinds
                raise ArgumentError(
                    f"{quote(text, 80)} cannot be computed from the columns: {reason}"
                ) from None
        try:
            return self._evaluate_on_deals(text)
        except DealerkitError as reason:
            if columns and not isinstance(reason, UnknownNameError):
                raise ArgumentError(
                    f"{quote(text, 80)} uses columns of the frame ({', '.join(sorted(columns))}) and other "
                    "names; "
                    "an expression can use columns or deals, not both: make the rest a column first"
                ) from reason
            raise

    def _evaluate_on_deals(self, text: str) -> np.ndarray:
        """Return an expression about north and south; of rows of east-west their cards are north's."""
        deals = self.frame.dealer.deals
        if not {"side", "strain"} <= set(self.frame.columns):
            return deals.eval(expand_names(text))
        values: np.ndarray | None = None
        side, strain = (self.frame[name].astype(str).to_numpy() for name in ("side", "strain"))
        texts = {name: expand_names(text, name) for name in STRAINS}
        for number, name in enumerate(SIDES):
            in_side = np.flatnonzero(side == name)
            turned: Deals = deals[in_side]
            turned = turned.rotate(opener="north", hand="east") if number else turned
            for expanded in dict.fromkeys(texts.values()):
                rows = np.flatnonzero([texts[each] == expanded for each in strain[in_side]])
                part = turned[rows].eval(expanded)
                values = np.empty(self.n, part.dtype) if values is None else values
                values = values.astype(np.result_type(values, part))
                values[in_side[rows]] = part
        assert values is not None
        return values

    def _find_attached(self, name: str) -> np.ndarray | None:
        """Return an attached column of the deals, if there is one column of deals without gaps."""
        columns = [k for k, dtype in enumerate(self.frame.dtypes) if dtype == "deal"]
        if len(columns) != 1 or self.frame.iloc[:, columns[0]].isna().any():
            return None
        return getattr(self.frame.dealer.deals, name)

    def find_weights(self) -> np.ndarray | None:
        """Return the column `weight`, otherwise the weights of the deals, if there are any."""
        if "weight" not in self.frame.columns:
            return self._find_attached("weight")
        weights = self.find_values("weight", "weight").astype(float)
        if not weights.any():
            raise ArgumentError("the weights are all 0, so no row counts; remove the column 'weight'")
        return weights

    def find_clusters(self) -> np.ndarray:
        """Return a number for each row, equal for rows that depend on each other.

        It is that of the column `cluster`; otherwise that of the deals; otherwise that of the index or column
        `number`; otherwise equal deals have equal numbers.
        """
        frame = self.frame
        if "cluster" not in frame.columns and (attached := self._find_attached("cluster")) is not None:
            return np.unique(attached, return_inverse=True)[1]
        for name in ("cluster", "number"):
            if name in frame.columns or name in frame.index.names:
                level = frame[name] if name in frame.columns else frame.index.get_level_values(name)
                missing = int(level.isna().sum())
                if missing:
                    raise ArgumentError(
                        f"{name!r} is missing in {missing:,} of {self.n:,} rows; remove these rows"
                    )
                return np.unique(np.asarray(level), return_inverse=True)[1]
        if not (frame.dtypes == "deal").any():
            raise ArgumentError(
                "the frame does not show which rows belong to one deal; give it a column of deals, or the "
                "number "
                f"of the deal as its index 'number' (it has {describe_object(list(map(str, frame.columns)))})"
            )
        hands = np.ascontiguousarray(frame.dealer.deals.hands)
        return np.unique(hands.view([("", hands.dtype)] * 4).ravel(), return_inverse=True)[1]

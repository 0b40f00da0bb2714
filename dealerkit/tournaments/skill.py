"""What results say about players: contract and play parts of scores, reliability, shrunken means, ranks.

A mean over n boards has a standard error of s / sqrt(n), where s is the standard deviation between the boards
of a pair, about 28 % of a top at matchpoints. The variance of the pairs' means beyond this noise is that of
skill. Its share of the whole variance is the reliability, by which means are shrunk towards the average.

References
----------
B. Efron, C. Morris, Stein's paradox in statistics, Scientific American 236 (1977), 119-127: shrunken means.
H. Goldstein, D. J. Spiegelhalter, League tables and their limitations, J. R. Statist. Soc. A 159 (1996),
385-443: intervals of ranks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Interval, Quantity, Table
from dealerkit.errors import ArgumentError
from dealerkit.statistics import check_confidence
from dealerkit.tournaments.clustered import LEAST_DEALS, estimate_mean
from dealerkit.tournaments.frames import TournamentFrames
from dealerkit.tournaments.pictures import draw_ranks
from dealerkit.tournaments.report import ResultsReport, find_pair, list_rows, name_pair, name_result
from dealerkit.tournaments.standings import split_sides

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 2000
ENOUGH = 0.5  # from this reliability on, the order of pairs is more skill than chance


def find_unit(read: TournamentFrames) -> tuple[str, float, float]:
    """Return the column that is analysed, the factor that converts it to the unit, and the average."""
    rules = read.scoring
    if rules is None or rules.method == "team imps":
        raise ArgumentError(
            "luck and skill can only be analysed in a field of pairs; score the results by 'matchpoints', "
            "'butler' or 'cross-imps'"
        )
    return ("share", 100.0, 50.0) if rules.unit == "mp" else ("imp", 1.0, 0.0)


def split_parts(read: TournamentFrames) -> pd.DataFrame:
    """Return the contract part and the play part of each score, a row for each side of each result.

    Returns
    -------
    DataFrame
        The columns of `split_sides`; `value` (per cent or IMPs); `contract_part`, the mean over all tables of
        the field with the same contract and declaring side, minus the average; `play_part`, the rest, which
        is nan if no other table has this contract; and `tables`, the number of tables that have it.
    """
    column, scale, average = find_unit(read)
    results = read.results
    # Tables of a field with the same contract and declaring side form a group.
    contract = results[["field", "level", "strain", "doubled"]].copy()
    contract["side"] = results.declarer.isin(["N", "S"])
    keys = [contract[name].astype(object).fillna(-1) for name in contract.columns]
    group = results.groupby(keys, sort=False).ngroup().to_numpy()
    is_known = results.level.notna().to_numpy()
    # Compare each side's score with the mean of the same side in the group.
    sides = split_sides(results)
    sides["value"] = scale * sides[column]
    sides = sides[sides.value.notna() & sides.kind.isin(["played", "passed", "assigned"])].reset_index(
        drop=True
    )
    rows = sides.row.to_numpy()
    sides["group"] = np.where(is_known[rows], group[rows], -1 - np.arange(len(sides)))
    same = sides.groupby(["group", "side"]).value
    mean, sides["tables"] = same.transform("mean"), same.transform("size")
    sides["contract_part"] = mean - average
    # A passed-out board has no play, so its play part is 0, not unknown.
    passed = (results.level == 0).fillna(False).to_numpy(bool)[rows]
    sides["play_part"] = (sides.value - mean).where((sides.tables > 1) | passed)
    return sides.drop(columns="group")


# ---------------------------------------------------------------- reliability


class Reliability(NamedTuple):
    """How much of the differences between the means of pairs is skill.

    Attributes
    ----------
    sd_boards : float
        Standard deviation between the boards of a pair.
    sd_means : float
        Standard deviation between the means of pairs.
    noise : float
        Standard deviation between the means that comes from chance.
    sd_skill : float
        Standard deviation between the means that comes from skill; 0 if chance explains all of it.
    value : float, 0 to 1
        The reliability: the share of skill in the variance of means.
    lo, hi : float
        Interval of the reliability, from the quantiles of F, for pairs that all play about the same number of
        boards.
    """

    sd_boards: float
    sd_means: float
    noise: float
    sd_skill: float
    value: float
    lo: float
    hi: float


def estimate_reliability(values: np.ndarray, pairs: np.ndarray, confidence: float = 0.95) -> Reliability:
    """Return the reliability of the means of pairs.

    Parameters
    ----------
    values : ndarray of float [n]
        The result of a pair on a board.
    pairs : ndarray of int [n]
        The pair of each value.
    confidence : float in (0, 1)

    Returns
    -------
    Reliability
        All numbers are nan with fewer than two pairs, or with one board for each.

    References
    ----------
    P. E. Shrout, J. L. Fleiss, Intraclass correlations, Psychological Bulletin 86 (1979), 420-428: ICC(1, k).

    Examples
    --------
    >>> estimate_reliability(np.array([40.0, 60, 60, 40, 50, 50]), np.array([0, 0, 1, 1, 2, 2])).value
    0.0
    """
    _, place, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    means = np.bincount(place, values) / counts
    return combine_reliability(counts, means, float(((values - means[place]) ** 2).sum()), confidence)


def combine_reliability(
    counts: np.ndarray, means: np.ndarray, squares: float, confidence: float = 0.95
) -> Reliability:
    """Return the reliability of means from sums.

    Parameters
    ----------
    counts, means : ndarray [pairs]
        Number of results and mean of each pair.
    squares : float
        Sum of the squared differences of all results from the mean of their pair.
    confidence : float in (0, 1)

    Returns
    -------
    Reliability

    Examples
    --------
    >>> round(combine_reliability(np.array([2, 2]), np.array([40.0, 60.0]), 100.0).value, 3)
    0.875
    """
    from scipy.special import fdtri

    freedom = int(counts.sum()) - len(counts)
    if len(counts) < 2 or freedom < 1:
        return Reliability(*[math.nan] * 7)
    within = squares / freedom
    noise = within * float((1 / counts).mean())
    between = float(means.var(ddof=1))
    skill = max(between - noise, 0.0)
    value = skill / (skill + noise) if skill + noise else 0.0
    # Without skill, between / noise has the F distribution; with skill, it is a multiple of such a variable.
    ratio = between / noise if noise else math.inf
    ends = [(1 + confidence) / 2, (1 - confidence) / 2]
    quantiles = [float(fdtri(len(counts) - 1, freedom, end)) for end in ends]
    lo, hi = (min(max(1 - quantile / ratio, 0.0), 1.0) if ratio else 0.0 for quantile in quantiles)
    within, between, noise, skill = (math.sqrt(number) for number in (within, between, noise, skill))
    return Reliability(within, between, noise, skill, value, lo, hi)


# ---------------------------------------------------------------- ranks


@dataclass
class Ranks:
    """Ranks of pairs with intervals from a bootstrap of the boards.

    Attributes
    ----------
    low, high : ndarray of int [pairs]
        Ends of the interval of each rank; each interval by itself has the confidence.
    first : ndarray of float [pairs]
        Share of the resamples in which the pair is first, alone or with others.
    mean_low, mean_high : ndarray of float [pairs]
        Simultaneous interval of each mean: all of them contain the true means with the given confidence.
    """

    low: np.ndarray
    high: np.ndarray
    first: np.ndarray
    mean_low: np.ndarray
    mean_high: np.ndarray


def resample_ranks(
    values: np.ndarray, pairs: np.ndarray, deals: np.ndarray, confidence: float = 0.95, seed: int = 0
) -> Ranks:
    """Return ranks with intervals, found by resampling deals with all their results.

    Parameters
    ----------
    values : ndarray of float [n]
        The result of a pair on a deal.
    pairs, deals : ndarray of int [n]
        The pair and the deal of each value, numbered from 0.
    confidence : float in (0, 1)
    seed : int
        Seed of the resamples.

    Returns
    -------
    Ranks
    """
    # With the sums for each deal and pair, a resample is a product of matrices.
    n_pairs, n_deals = int(pairs.max()) + 1, int(deals.max()) + 1
    sums, counts = np.zeros((n_deals, n_pairs)), np.zeros((n_deals, n_pairs))
    np.add.at(sums, (deals, pairs), values)
    np.add.at(counts, (deals, pairs), 1)
    weights = np.random.default_rng(seed).multinomial(n_deals, np.full(n_deals, 1 / n_deals), RESAMPLES)
    played = weights @ counts
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(played > 0, (weights @ sums) / played, np.nan)
    # Rank the pairs in each resample; a pair without boards in it is last.
    ordered = np.where(np.isnan(means), -np.inf, means)
    ranks = 1 + (ordered[:, :, None] < ordered[:, None, :]).sum(axis=2) if n_pairs <= 60 else _rank(ordered)
    ends = np.quantile(ranks, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0, method="inverted_cdf")
    # The largest deviation of all pairs in each resample leads to simultaneous intervals.
    total = sums.sum(axis=0) / counts.sum(axis=0)
    error = np.nanstd(means, axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        largest = np.nanmax(np.abs(means - total) / np.where(error > 0, error, np.nan), axis=1)
    critical = float(np.nanquantile(largest, confidence))
    first = (ranks == 1).mean(axis=0)
    return Ranks(ends[0], ends[1], first, total - critical * error, total + critical * error)


def _rank(ordered: np.ndarray) -> np.ndarray:
    """Return the rank of each value in its row, which is 1 plus the number of larger values."""
    ranks = np.empty(ordered.shape, np.int64)
    for row, values in enumerate(ordered):
        ranks[row] = 1 + len(values) - np.searchsorted(np.sort(values), values, "right")
    return ranks


# ---------------------------------------------------------------- reports


def _split_groups(read: TournamentFrames, sides: pd.DataFrame) -> Iterator[tuple[int, str, pd.DataFrame]]:
    """Yield session, direction ("" for both) and the sides of each ranking."""
    for session, part in sides.groupby("session_id", sort=True):
        if read.winners == 2:
            for side in ("NS", "EW"):
                if (part.side == side).any():
                    yield int(session), side, part[part.side == side]
        else:
            yield int(session), "", part


def analyse_skill(read: TournamentFrames, confidence: float = 0.95, seed: int = 0) -> ResultsReport:
    """Return means, shrunken means, parts and ranks of all pairs; see `TournamentResults.skill`."""
    import pandas as pd

    check_confidence(confidence)
    _, _, average = find_unit(read)
    # Each ranking is analysed separately.
    is_percent = average == 50
    sides = split_parts(read)
    tables, rows = [], []
    notes: list[Note] = []
    charts: list[Chart] = []  # of the first ranking
    for session, side, part in _split_groups(read, sides):
        frame, found = _analyse_group(part, average, confidence, seed)
        names = [name_pair(read, session, pair) for pair in frame.pair]
        heading = {"NS": "North-south", "EW": "East-west", "": ""}[side]
        if len(read.sessions) > 1:
            heading = ", ".join(filter(None, [f"session {session}", heading]))
        tables.append(_tabulate_skill(frame, names, is_percent, heading))
        notes.append(_describe_reliability(found, frame, is_percent, heading))
        charts = charts or [Chart("ranks", partial(draw_ranks, frame, names, confidence))]
        frame.insert(0, "session_id", session)
        frame.insert(1, "direction", side)
        facts = {"reliability": found.value, "reliability_lo": found.lo, "reliability_hi": found.hi}
        rows.append(frame.assign(**facts, sd_skill=found.sd_skill, sd_boards=found.sd_boards))
    joined = pd.concat(rows, ignore_index=True)
    notes.append(
        "Shrunken: the mean, moved towards the average according to the reliability; it is the best guess of "
        "the pair's mean over many boards in this field. Contract: how all tables with the same contract "
        "did; play: the rest."
    )
    return ResultsReport("Luck and skill", joined, tables, notes=notes, charts=charts)


def _analyse_group(
    part: pd.DataFrame, average: float, confidence: float, seed: int
) -> tuple[pd.DataFrame, Reliability]:
    """Return a row for each pair of a ranking, the best first, and the reliability."""
    import pandas as pd

    names, pairs = np.unique(part.pair.to_numpy(object).astype(str), return_inverse=True)
    values = part.value.to_numpy(np.float64)
    _, deals = np.unique(part.deal_id.to_numpy(), return_inverse=True)
    # Shrink each mean by the reliability for the number of boards that this pair played.
    found = estimate_reliability(values, pairs, confidence)
    counts = np.bincount(pairs)
    means = np.bincount(pairs, values) / counts
    noise = found.sd_boards**2 / counts
    own = found.sd_skill**2 / np.where(noise + found.sd_skill**2 > 0, noise + found.sd_skill**2, 1)
    # Scores that cannot be split belong to the contract part.
    play = np.bincount(pairs, part.play_part.fillna(0).to_numpy()) / counts
    frame = pd.DataFrame(
        {
            "pair": names,
            "boards": counts,
            "mean": means,
            "shrunken": average + own * (means - average),
            "contract_part": means - average - play,
            "play_part": play,
            "rank": 1 + (means[:, None] < means[None, :] - 1e-9).sum(axis=1),
        }
    )
    # Intervals need enough deals.
    has_intervals = deals.max() + 1 >= LEAST_DEALS
    for name in ("rank_lo", "rank_hi"):
        frame[name] = pd.array([pd.NA] * len(frame), dtype="Int32")
    frame[["mean_lo", "mean_hi", "first"]] = math.nan
    if has_intervals:
        ranks = resample_ranks(values, pairs, deals, confidence, seed)
        frame["rank_lo"] = pd.array(ranks.low.astype(int), dtype="Int32")
        frame["rank_hi"] = pd.array(ranks.high.astype(int), dtype="Int32")
        frame["mean_lo"], frame["mean_hi"], frame["first"] = ranks.mean_low, ranks.mean_high, ranks.first
    return frame.sort_values(["rank", "pair"], kind="stable", ignore_index=True), found


def _tabulate_skill(frame: pd.DataFrame, names: list[str], is_percent: bool, heading: str) -> Table:
    """Return the pairs of a ranking as a table."""
    unit = "%" if is_percent else "IMPs"
    sign = not is_percent
    columns = [
        Column("rank", kind="label"),
        Column("ranks", "ranks by chance", kind="label", optional=1),
        Column("pair", kind="name", longest=44),
        Column("boards", kind="count"),
        Column("mean", f"mean, {unit}", decimals=1, sign=sign),
        Column("shrunken", decimals=1, sign=sign),
        Column("contract_part", "contract", decimals=1, sign=True),
        Column("play_part", "play", decimals=1, sign=True),
    ]
    rows = []
    for row, name in zip(list_rows(frame), names, strict=True):
        ranks = None if row.rank_lo is None else f"{row.rank_lo} to {row.rank_hi}"
        mean: Any = row.mean
        if row.mean_lo is not None:
            mean = Interval(row.mean, row.mean_lo, row.mean_hi)
        rows.append((row.rank, ranks, name, row.boards, mean, row.shrunken, row.contract_part, row.play_part))
    return Table(columns, rows, heading)


def _describe_reliability(found: Reliability, frame: pd.DataFrame, is_percent: bool, heading: str) -> Note:
    """Return the reliability in words, and how many boards a reliability of one half would need."""
    unit = " %" if is_percent else " IMPs"
    start = f"{heading}: reliability " if heading else "Reliability "
    parts: list[Any] = [start, Quantity(found.value, decimals=2)]
    if frame.rank_lo.notna().all():
        parts += [" (", Quantity(found.lo, decimals=2), " to ", Quantity(found.hi, decimals=2), ")"]
    parts += ["; the means of pairs differ by ", Quantity(found.sd_means, decimals=1), unit]
    parts += [" (standard deviation); chance alone makes them differ by "]
    parts += [Quantity(found.noise, decimals=1), unit, ". "]
    boards = format_count(int(round(float(frame.boards.mean()))), "board")
    if found.value < ENOUGH:
        parts.append(f"With {boards} per pair, the order of the pairs is more chance than skill. ")
    if found.sd_skill > 0:
        needed = math.ceil((found.sd_boards / found.sd_skill) ** 2)
        parts.append(f"A reliability of one half needs {format_count(needed, 'board')} per pair.")
    else:
        parts.append("Chance alone explains differences of this size.")
    return parts


def analyse_pair(read: TournamentFrames, pair: Any, session: int | None = None) -> ResultsReport:
    """Return the boards of a pair with the parts of its scores; see `TournamentResults.parts`."""
    number, identity = find_pair(read, pair, session)
    _, _, average = find_unit(read)
    sides = split_parts(read)
    own = sides[(sides.pair == identity) & (sides.session_id == number)].reset_index(drop=True)
    if not len(own):
        raise ArgumentError(f"pair {identity} has no result that is compared with others")
    results = read.results.iloc[own.row.to_numpy()]
    own["result"] = [name_result(row) for row in list_rows(results)]
    sign, unit = average == 0, "%" if average else "IMPs"
    columns = [
        Column("board", kind="label"),
        Column("result", kind="contract"),
        Column("tables", "same contract", kind="count"),
        Column("value", unit, decimals=1, sign=sign),
        Column("contract_part", "contract", decimals=1, sign=True),
        Column("play_part", "play", decimals=1, sign=True, missing="-"),
    ]
    cells = [tuple(getattr(row, column.name) for column in columns) for row in list_rows(own)]
    mean = estimate_mean(own.value.to_numpy(), own.deal_id.to_numpy())
    words: list[Any] = ["Mean ", Quantity(mean, unit=unit, sign=sign), " over "]
    notes: list[Note] = [[*words, format_count(len(own), "board"), "."]]
    alone = int(own.play_part.isna().sum())
    if alone:
        notes.append(
            f"On {format_count(alone, 'board')}, no other table had this contract, so the score cannot be "
            "split."
        )
    if len(own) < LEAST_DEALS:
        notes.append(f"There is no interval for fewer than {LEAST_DEALS} boards.")
    title = f"Contract and play, pair {name_pair(read, number, identity)}"
    return ResultsReport(title, own.drop(columns=["row"]), [Table(columns, cells)], notes=notes)

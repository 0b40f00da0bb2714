"""Finding where the points that the files print differ from those computed from the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Table
from dealerkit.errors import ArgumentError
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.scoring_boards import score_boards

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.tournaments.frames import TournamentFrames

TOLERANCE = 1e-6
MOST_ROWS = 30
_COLUMNS = (
    Column("file", kind="text", optional=2, longest=24),
    Column("line", kind="count", optional=1),
    Column("board", kind="label"),
    Column("pair", kind="label"),
    Column("column", kind="text"),
    Column("official", decimals=2),
    Column("computed", decimals=2),
    Column("difference", sign=True, decimals=2),
)


def compare_official(read: TournamentFrames) -> ResultsReport:
    """Return every result, total and rank that differs from the one computed.

    Points agree if they differ by at most half a unit of the last decimal that the file prints, because
    programs round halves in different ways. A total agrees if it is the sum of rounded or of exact points, or
    this sum scaled to the number of boards that most pairs have, as some programs do for pairs with fewer
    boards. A rank agrees if it is one of those that the pairs with this total share, because programs break
    ties.
    """
    import pandas as pd

    if read.scoring is None:
        raise ArgumentError(
            "the results are not scored, so there is nothing to compare; call results.score('matchpoints') "
            "first"
        )
    differences = [*_compare_boards(read), *_compare_totals(read), *_compare_ranks(read)]
    n_compared = sum(n for n, _ in differences)
    frames = [frame for _, frame in differences]
    names = ["file", "line", "session_id", "board", "pair", "column", "official", "computed", "difference"]
    joined = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=names)
    joined = joined.reindex(columns=names).astype({"line": "Int32", "board": "Int32"})
    # Show the first differences as a table.
    shown = joined.head(MOST_ROWS).astype(object)
    rows = [
        tuple(shown.where(shown.notna(), None)[column.name].iloc[row] for column in _COLUMNS)
        for row in range(len(shown))
    ]
    n = len(joined)
    if not n_compared:
        note = "The files print no points."
    elif n:
        note = f"{format_count(n)} of {format_count(n_compared, 'official number')} differ."
    else:
        note = f"All {format_count(n_compared, 'official number')} agree."
    heading = f"The first {MOST_ROWS}; the frame has all" if n > MOST_ROWS else ""
    tables = [Table(_COLUMNS, rows, heading)] if rows else []
    return ResultsReport("Official points and those computed", joined, tables, about=[note])


def _compare_boards(read: TournamentFrames) -> list[tuple[int, pd.DataFrame]]:
    """Return the count of numbers in each official column of results, and the rows that differ."""
    results, rules = read.results, read.scoring
    assert rules is not None
    scored = score_boards(results, rules, read.of_file.get("decimals", {}).get(rules.unit))
    printed = read.of_file.get("printed", {})
    found = []
    for side in ("ns", "ew"):
        computed = {rules.unit: scored.exact[side], "percent": 100 * scored.share[side]}
        for name, values in computed.items():
            column = f"official_{name}_{side}"
            if column not in results:
                continue
            # Numbers agree if rounding explains the difference.
            official = results[column].to_numpy(np.float64)
            known = ~np.isnan(official)
            if known.any():
                step = 0.5 * 10.0 ** -printed.get(f"{name}_{side}", 0)
                differs = known & ~(np.abs(values - official) <= step + TOLERANCE)
                frame = results.loc[differs, ["file", "line", "session_id", "board"]].copy()
                frame["file"] = frame.file.astype(object)
                frame["pair"] = results.loc[differs, side]
                frame["column"] = column
                frame["official"], frame["computed"] = official[differs], values[differs]
                frame["difference"] = frame.computed - frame.official
                found.append((int(known.sum()), frame))
    return found


def _compare_totals(read: TournamentFrames) -> list[tuple[int, pd.DataFrame]]:
    """Return how many official totals and percentages there are, and those that differ."""
    import pandas as pd

    rules, pairs = read.scoring, read.pairs
    assert rules is not None
    printed = read.of_file.get("printed", {})
    most = pairs.groupby("session_id").boards.transform(lambda boards: boards.mode().max())
    found = []
    for name in ("total", "percent"):
        official = pairs[f"official_{name}"].to_numpy(np.float64)
        known = ~np.isnan(official) & (pairs.boards.to_numpy() > 0)
        if name == "total" and rules.unit == "mp":
            known &= ~_has_other_boards(read)
        if not known.any() or name == "percent" and rules.unit != "mp":
            continue
        values = pairs[name].to_numpy(np.float64)
        # A total may be the sum of rounded points, this sum scaled to all boards, or the sum of exact points.
        candidates = [values]
        if name == "total":
            candidates += [values * most.to_numpy() / np.maximum(pairs.boards.to_numpy(), 1)]
            candidates += [_sum_exact(read)]
        step = 0.5 * 10.0 ** -printed.get(f"pair_{name}", 0)
        agrees = np.any([np.abs(value - official) <= step + TOLERANCE for value in candidates], axis=0)
        differs = known & ~agrees
        frame = pd.DataFrame({"session_id": pairs.session_id[differs], "pair": pairs.id[differs]})
        frame["column"] = f"official_{name}"
        frame["official"], frame["computed"] = official[differs], values[differs]
        frame["difference"] = frame.computed - frame.official
        found.append((int(known.sum()), frame))
    return found


def _compare_ranks(read: TournamentFrames) -> list[tuple[int, pd.DataFrame]]:
    """Return how many official ranks there are, and those that differ."""
    import pandas as pd

    pairs, rules = read.pairs, read.scoring
    assert rules is not None
    known = pairs.official_rank.notna().to_numpy() & pairs["rank"].notna().to_numpy()
    if rules.unit == "mp":
        known &= ~_has_other_boards(read)
    own = pairs[known]
    if not len(own):
        return []
    # Pairs that share a rank may have it or one of those that follow.
    groups = ["session_id", "rank", *(["direction"] if read.winners == 2 else [])]
    ties = pairs.groupby(groups, observed=True)["id"].transform("size")[known]
    last = own["rank"].astype(float) + ties - 1
    differs = (own.official_rank < own["rank"].astype(float)) | (own.official_rank > last)
    frame = own.loc[differs, ["session_id"]].copy()
    frame["pair"], frame["column"] = own.id[differs], "official_rank"
    frame["official"], frame["computed"] = own.official_rank[differs], own["rank"][differs].astype(float)
    frame["difference"] = frame.computed - frame.official
    return [(len(own), pd.DataFrame(frame))]


def _sum_exact(read: TournamentFrames) -> np.ndarray:
    """Return the totals of pairs as sums of unrounded points."""
    rules, results = read.scoring, read.results
    assert rules is not None
    scored = score_boards(results, rules)
    sums: dict[Any, float] = {}
    for side in ("ns", "ew"):
        keys = zip(results.session_id.tolist(), results[side].tolist(), strict=True)
        for key, value in zip(keys, scored.exact[side].tolist(), strict=True):
            if value == value:
                sums[key] = sums.get(key, 0.0) + value
    keys = zip(read.pairs.session_id.tolist(), read.pairs.id.tolist(), strict=True)
    return np.array([sums.get(key, np.nan) for key in keys])


def _has_other_boards(read: TournamentFrames) -> np.ndarray:
    """Return which official totals include other boards: they exceed the tops of the boards in the file."""
    pairs = read.pairs
    tops = read.results.groupby("session_id").top.max()
    # A total that exceeds the tops of the boards is that of several sessions.
    most = pairs.session_id.map(tops).to_numpy(np.float64) * pairs.boards.to_numpy()
    too_large = pairs.official_total.to_numpy(np.float64) > most + TOLERANCE
    by_session = too_large.copy()
    for session in np.unique(pairs.session_id):
        chosen = (pairs.session_id == session).to_numpy()
        by_session[chosen] = too_large[chosen].any()  # the totals of all pairs include the same boards
    return by_session

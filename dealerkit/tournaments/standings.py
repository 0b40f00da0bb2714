"""Totals of pairs and teams from the points of boards: percentages, ranks, matches and victory points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dealerkit.appearance.table import Column, Table
from dealerkit.errors import ArgumentError
from dealerkit.scoring.victory_points import victory_points
from dealerkit.tournaments.contents import Remark
from dealerkit.tournaments.frames import TournamentFrames, add_remarks
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.rules import EventScoring
from dealerkit.tournaments.scoring_boards import name_teams, score_boards

if TYPE_CHECKING:
    import pandas as pd

Frames = TypeVar("Frames", bound=TournamentFrames)


def split_sides(results: pd.DataFrame) -> pd.DataFrame:
    """Return two rows for each result, one per side, with columns seen from that side.

    Parameters
    ----------
    results : DataFrame
        With the columns of `TournamentResults.results`.

    Returns
    -------
    DataFrame
        `row` (index in `results`), `session_id`, `deal_id`, `field`, `board`, `round`, `kind`, `room`,
        `line`, `side`, `pair`, `opponents`, `team`, `score`, `mp`, `imp`, `share`, `top`; rows without a pair
        are left out.
    """
    import pandas as pd

    parts = []
    for side, other in (("ns", "ew"), ("ew", "ns")):
        part = results[["session_id", "deal_id", "field", "board", "round", "kind", "room", "line"]].copy()
        part.insert(0, "row", np.arange(len(results)))
        part["side"], part["pair"], part["opponents"] = side.upper(), results[side], results[other]
        part["team"] = results[f"team_{side}"]
        for name in ("score", "mp", "imp", "share"):
            part[name] = results[f"{name}_{side}"]
        part["top"] = results.top
        parts.append(part)
    joined = pd.concat(parts, ignore_index=True)
    return joined[joined.pair.notna()].sort_values(["row", "side"], kind="stable", ignore_index=True)


def score_results(read: Frames, rules: EventScoring) -> Frames:
    """Return results with the points of boards, and the totals of pairs, by these rules."""
    # Compute the points of boards.
    decimals = read.of_file.get("decimals", {}).get(rules.unit)
    scored = score_boards(read.results, rules, decimals)
    results = read.results.copy()
    for name in ("mp", "imp"):
        for side in ("ns", "ew"):
            values = scored.points[side] if name == rules.unit else np.full(len(results), np.nan)
            results[f"{name}_{side}"] = values
    for side in ("ns", "ew"):
        results[f"share_{side}"] = scored.share[side]
    results["top"], results["datum"] = scored.top, scored.datum
    # Compute totals and ranks of pairs.
    winners = count_winners(read.pairs, rules, read.of_file.get("winners", 0))
    pairs = rank_pairs(results, read.pairs, rules, winners)
    # Replace the remarks of an earlier scoring.
    lines = results.line.fillna(0).astype(int)
    added = [
        Remark(str(results.file.iloc[row]), int(lines.iloc[row]), int(results.board.iloc[row]), text)
        for row, text in scored.remarks
    ]
    remarks = add_remarks(read.of_file.get("remarks", read.remarks), added)
    return replace(
        read,
        results=results,
        pairs=pairs,
        remarks=remarks,
        scoring=rules,
        expected=scored.expected,
        winners=winners,
    )


def rank_pairs(results: pd.DataFrame, pairs: pd.DataFrame, rules: EventScoring, winners: int) -> pd.DataFrame:
    """Return the pairs with the columns `boards`, `total`, `percent`, `mean` and `rank`.

    Parameters
    ----------
    results, pairs : DataFrame
        Scored results, and the pairs of `TournamentResults.pairs`.
    rules : EventScoring
    winners : int
        With 2, the pairs of each direction are ranked separately.

    Returns
    -------
    DataFrame
        `boards` is the number of boards with points; `total` is in matchpoints or IMPs; `percent` is relative
        to the tops of these boards, nan at IMPs; `mean` is the points per board; `rank` is 1 for the best,
        and equal results share a rank.
    """
    ranked = pairs.copy()
    sides = split_sides(results)
    unit = rules.unit
    sides = sides[sides[unit].notna()]
    # Add up the boards that have points.
    grouped = sides.groupby(["session_id", "pair"], observed=True)
    sums = grouped.agg(boards=(unit, "size"), total=(unit, "sum"), tops=("top", "sum"))
    keys = list(zip(ranked.session_id.tolist(), ranked.id.tolist(), strict=True))
    sums = sums.reindex(keys) if len(sums) else sums.reindex(columns=["boards", "total", "tops"])
    if not len(sums):
        sums = sums.reindex(range(len(keys)))
    ranked["boards"] = sums.boards.fillna(0).to_numpy(np.int64)
    ranked["total"] = sums.total.to_numpy(np.float64)
    percent = 100 * sums.total / sums.tops if unit == "mp" else sums.total * math.nan
    ranked["percent"] = percent.to_numpy(np.float64)
    ranked["mean"] = (sums.total / sums.boards).to_numpy(np.float64)
    # Rank by per cent at matchpoints, because tops may differ between boards, and by total at IMPs.
    order = ranked.percent if unit == "mp" else ranked.total
    groups = [ranked.session_id]
    if winners == 2:
        groups.append(ranked.direction.astype(object).fillna(""))
    ranks = order.round(6).groupby(groups).rank(method="min", ascending=False)
    ranked["rank"] = ranks.astype("Int32")
    return ranked


def split_rankings(read: TournamentFrames) -> list[tuple[str, pd.DataFrame]]:
    """Return the pairs of each ranking in the order of their ranks, with a heading."""
    rankings = []
    for number, frame in read.pairs.groupby("session_id", sort=True):
        session = read.sessions[int(number)]
        words = [session.name or session.date] if len(read.sessions) > 1 else []
        if len(read.sessions) > 1 and not words[0]:
            words = [session.event or f"session {int(number) + 1}"]
        parts = [("", frame)]
        if read.winners == 2:
            parts = [(side, frame[frame.direction == side]) for side in ("NS", "EW")]
        for side, part in parts:
            name = {"NS": "North-south", "EW": "East-west", "": ""}[side]
            heading = ", ".join(filter(None, [*words, name])) or "Ranking"
            part = part[part["rank"].notna()].sort_values(["rank", "id"], kind="stable")
            if len(part):
                rankings.append((heading, part))
    return rankings


def tabulate_ranking(
    frame: pd.DataFrame, rules: EventScoring, heading: str, links: Sequence[str | None] | None = None
) -> Table:
    """Return a ranking as a table, with `links`, if given, instead of the pairs' ids."""
    is_matchpoints = rules.unit == "mp"
    columns = [
        Column("rank", kind="label"),
        Column("pair", kind="label"),
        Column("names", kind="name", optional=int(frame.name_1.isna().all())),
        Column("boards", kind="count", optional=2),
        Column("total", "matchpoints" if is_matchpoints else "IMPs", decimals=2, sign=not is_matchpoints),
        Column("percent", "%", decimals=2)
        if is_matchpoints
        else Column("mean", "a board", decimals=2, sign=True),
    ]
    shared = frame["rank"].duplicated(keep=False)
    rows = []
    shown = frame.id.tolist() if links is None else links
    for row, is_shared, pair in zip(frame.itertuples(), shared.tolist(), shown, strict=True):
        names = " - ".join(name for name in (row.name_1, row.name_2) if isinstance(name, str))
        score = row.percent if is_matchpoints else row.mean
        rows.append((f"{row.rank}{'=' * is_shared}", pair, names or None, row.boards, row.total, score))
    return Table(columns, rows, heading)


def count_winners(pairs: pd.DataFrame, rules: EventScoring, of_file: int) -> int:
    """Return 2 if each direction has its own ranking by the rules or the file, or no pair changes sides."""
    if rules.winners or of_file:
        return rules.winners or of_file
    if rules.method in ("team imps", "board-a-match"):
        return 1
    directions = set(pairs.direction.dropna().astype(str))
    return 2 if directions == {"NS", "EW"} else 1


def sum_matches(read: TournamentFrames, table: Sequence[float] | None = None) -> pd.DataFrame:
    """Return a row for each match: teams, boards, points of both teams, carry-over, victory points."""
    import pandas as pd

    rules, results = read.scoring, read.results
    if rules is None or rules.method not in ("team imps", "board-a-match"):
        raise ArgumentError(
            "the results are not scored as matches; score them with 'team imps' or 'board-a-match'"
        )
    unit = rules.unit
    sides = name_teams(results)
    carry = read.of_file.get("carry", {})
    matches: dict[tuple[int, frozenset[str]], dict[str, Any]] = {}
    seen: set[tuple[Any, ...]] = set()
    rows = zip(
        results.session_id.tolist(), results.field.tolist(), sides["ns"], sides["ew"],
        results[f"{unit}_ns"].tolist(), results[f"{unit}_ew"].tolist(), strict=True,
    )  # fmt: skip
    for session, number, own, other, points, opposing in rows:
        teams = frozenset((own, other))
        if len(teams) < 2 or points != points or (session, number, teams) in seen:
            continue
        seen.add((session, number, teams))  # the other table has the same points
        first = {"session_id": session, "team": own, "opponents": other, "boards": 0, "won": 0.0, "lost": 0.0}
        match = matches.setdefault((session, teams), first)
        if match["team"] != own:
            points, opposing = opposing, points
        match["boards"] += 1
        match["won"] += max(points, 0.0)
        match["lost"] += max(opposing, 0.0)
    names = [
        "session_id",
        "team",
        "opponents",
        "boards",
        "won",
        "lost",
        "carry",
        "margin",
        "vp",
        "vp_opponents",
    ]
    # Victory points are computed from the IMPs of these boards, without the carry-over.
    for match in matches.values():
        match["carry"] = carry.get(match["team"], 0.0) - carry.get(match["opponents"], 0.0)
        match["margin"] = match["won"] - match["lost"]
        points = math.nan
        if rules.method == "team imps":
            points = victory_points(round(match["margin"]), match["boards"], table=table)
        match["vp"], match["vp_opponents"] = points, 20 - points
    return pd.DataFrame(list(matches.values()), columns=names)


def build_matches(read: TournamentFrames, table: Sequence[float] | None = None) -> ResultsReport:
    """Return the matches as a report."""
    frame = sum_matches(read, table)
    return ResultsReport("Matches", frame, [tabulate_matches(frame)])


def tabulate_matches(frame: pd.DataFrame) -> Table:
    """Return matches as a table."""
    columns = [
        Column("team", kind="text"),
        Column("opponents", kind="name"),
        Column("boards", kind="count"),
        Column("won", decimals=0),
        Column("lost", decimals=0),
        Column("carry", "carry-over", decimals=0, sign=True, optional=1),
        Column("vp", "VPs", decimals=2, optional=1),
        Column("vp_opponents", "VPs of opponents", decimals=2, optional=1),
    ]
    rows = [
        (row.team, row.opponents, row.boards, row.won, row.lost, row.carry or None, row.vp, row.vp_opponents)
        for row in frame.itertuples()
    ]
    return Table(columns, rows, "Matches")

"""Matches of teams: IMPs of each side with what they brought along, and victory points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.table import Column, Table
from dealerkit.errors import ArgumentError
from dealerkit.scoring.victory_points import victory_points
from dealerkit.tournaments.data import TournamentFrames
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.scoring_boards import name_teams

if TYPE_CHECKING:
    import pandas as pd


def sum_matches(read: TournamentFrames, table: Sequence[float] | None = None) -> pd.DataFrame:
    """Return a row for each match: teams, boards, points of both, carry-over, victory points."""
    import pandas as pd

    rules, results = read.scoring, read.results
    if rules is None or rules.method not in ("team imps", "board-a-match"):
        raise ArgumentError("there are no matches; score the results by 'team imps' or 'board-a-match'")
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
        Column("opponents", kind="text"),
        Column("boards", kind="count"),
        Column("won", decimals=0),
        Column("lost", decimals=0),
        Column("carry", "brought along", decimals=0, sign=True, optional=1),
        Column("vp", "VPs", decimals=2, optional=1),
        Column("vp_opponents", "VPs of opponents", decimals=2, optional=1),
    ]
    rows = [
        (row.team, row.opponents, row.boards, row.won, row.lost, row.carry or None, row.vp, row.vp_opponents)
        for row in frame.itertuples()
    ]
    return Table(columns, rows, "Matches")

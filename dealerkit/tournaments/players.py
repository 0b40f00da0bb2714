"""Players over several sessions: boards and means, shrunk by their reliability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.appearance.content import Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.cards.names import SEATS
from dealerkit.errors import ArgumentError
from dealerkit.tournaments.clustered import estimate_mean
from dealerkit.tournaments.data import TournamentFrames
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.skill import estimate_reliability, find_unit

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 40


def list_players(read: TournamentFrames) -> pd.DataFrame:
    """Return a row for each seat of each result: player, session, deal and the value of the player's side."""
    import pandas as pd

    column, scale, _ = find_unit(read)
    results = read.results
    parts = []
    for seat, name in enumerate(SEATS):
        part = results[["session_id", "deal_id"]].copy()
        part["player"] = results[name]
        part["value"] = scale * results[f"{column}_{'ns' if seat % 2 == 0 else 'ew'}"]
        parts.append(part[part.player.notna() & part.value.notna() & results.kind.isin(["played", "passed"])])
    return pd.concat(parts, ignore_index=True)


def summarize_players(read: TournamentFrames, confidence: float = 0.95) -> ResultsReport:
    """Return boards and means of all players; see `TournamentResults.players`."""
    import pandas as pd

    seats = list_players(read)
    if not len(seats):
        raise ArgumentError("the files name no players")
    _, _, average = find_unit(read)
    found = estimate_reliability(seats.value.to_numpy(np.float64), seats.player.factorize()[0])
    pairs = read.pairs
    names: dict[object, object] = {}  # as the first pair of a player has it
    for player, name in zip((*pairs.player_1, *pairs.player_2), (*pairs.name_1, *pairs.name_2), strict=True):
        names.setdefault(player, name)
    rows = []
    for player, own in seats.groupby("player"):
        mean = estimate_mean(own.value.to_numpy(), own.deal_id.to_numpy(), confidence)
        noise = found.sd_boards**2 / len(own)
        share = found.sd_skill**2 / (found.sd_skill**2 + noise) if found.sd_skill else 0.0
        name = names.get(player)
        rows.append(
            {
                "player": player,
                "name": name if isinstance(name, str) else None,
                "sessions": own.session_id.nunique(),
                "boards": len(own),
                "mean": mean,
                "shrunken": average + share * (mean.value - average),
            }
        )
    rows.sort(key=lambda row: -row["shrunken"])
    unit = "%" if average else "IMPs"
    columns = [
        Column("player", kind="text"),
        Column("name", kind="text", optional=1),
        Column("sessions", kind="count"),
        Column("boards", kind="count"),
        Column("mean", f"mean, {unit}", sign=not average, decimals=1),
        Column("shrunken", sign=not average, decimals=1),
    ]
    cells = [tuple(row[column.name] for column in columns) for row in rows[:MOST_ROWS]]
    frame = pd.DataFrame([row | {"mean": row["mean"].value, "lo": row["mean"].lo, "hi": row["mean"].hi}
                          for row in rows])  # fmt: skip
    notes: list[Note] = [
        ["Skill differs between players by ", Quantity(found.sd_skill, decimals=1), f" {unit} (standard ",
         "deviation), the boards of a player by ", Quantity(found.sd_boards, decimals=0), f" {unit}."],
        "Partners share their results, so that each mean is one of the partnerships, too. The order is that "
        "of the shrunken means: few boards say little.",
    ]  # fmt: skip
    heading = f"The first {MOST_ROWS} of {format_count(len(rows), 'player')}" if len(rows) > MOST_ROWS else ""
    return ResultsReport("Players", frame, [Table(columns, cells, heading)], notes=notes)

"""Boards and means of players over all sessions of one population."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.appearance.content import Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.cards.names import SEATS
from dealerkit.errors import ArgumentError
from dealerkit.tournaments.clustered import ClusterMeans
from dealerkit.tournaments.frames import TournamentFrames
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.skill import combine_reliability, find_unit

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


class PlayerMeans:
    """Means of players, from results of one or more calls, all scored in the same unit.

    Only a few sums are kept for each player, whatever the number of results.
    """

    def __init__(self) -> None:
        self._means = ClusterMeans()
        self._names: dict[str, str] = {}
        self._n_sessions: dict[str, int] = {}
        self._squares: dict[str, float] = {}
        self._average: float | None = None

    def update(self, read: TournamentFrames) -> None:
        """Add the results of a call; deals and sessions belong to this call only.

        Raises
        ------
        ArgumentError
            The results are not scored in a field, or are in another unit than those before.
        """
        _, _, average = find_unit(read)
        if self._average not in (None, average):
            raise ArgumentError(
                "some files are scored by matchpoints and others by IMPs; give one scoring for all"
            )
        self._average = average
        seats = list_players(read)
        self._means.update(
            seats.value.to_numpy(), seats.deal_id.to_numpy(), {"player": seats.player.to_numpy(object)}
        )
        # Add up sessions, and squares for the spread between the boards of a player.
        grouped = seats.assign(square=seats.value**2).groupby("player")
        found = grouped.agg(sessions=("session_id", "nunique"), squares=("square", "sum"))
        for player, sessions, squares in found.itertuples():
            self._n_sessions[player] = self._n_sessions.get(player, 0) + sessions
            self._squares[player] = self._squares.get(player, 0.0) + squares
        # A player has the name in the first pair.
        pairs = read.pairs
        players, names = (*pairs.player_1, *pairs.player_2), (*pairs.name_1, *pairs.name_2)
        for player, name in zip(players, names, strict=True):
            if isinstance(player, str) and isinstance(name, str):
                self._names.setdefault(player, name)

    def report(self, confidence: float = 0.95) -> ResultsReport:
        """Return the players by their shrunken means."""
        import pandas as pd

        estimates = {player: mean for (_, player), (mean, _) in self._means.estimate(confidence).items()}
        if not estimates:
            raise ArgumentError("the files name no players, so there are no means of players")
        average = self._average or 0.0
        counts = np.array([mean.n for mean in estimates.values()])
        means = np.array([mean.value for mean in estimates.values()])
        squares = sum(self._squares.values()) - float((counts * means**2).sum())
        found = combine_reliability(counts, means, max(squares, 0.0))
        noise = found.sd_boards**2 / counts
        shares = found.sd_skill**2 / np.maximum(found.sd_skill**2 + noise, 1e-300)
        frame = pd.DataFrame(
            {
                "player": list(estimates),
                "name": [self._names.get(player) for player in estimates],
                "sessions": [self._n_sessions[player] for player in estimates],
                "boards": counts,
                "mean": means,
                "shrunken": average + shares * (means - average),
                "lo": [mean.lo for mean in estimates.values()],
                "hi": [mean.hi for mean in estimates.values()],
            }
        )
        # Round for sorting, so that equal means are always in the same order.
        order = frame.assign(shrunken=-frame.shrunken.round(9)).sort_values(["shrunken", "player"])
        frame = frame.loc[order.index].reset_index(drop=True)
        unit = "%" if average else "IMPs"
        columns = [
            Column("player", kind="text"),
            Column("name", kind="text", optional=1),
            Column("sessions", kind="count"),
            Column("boards", kind="count"),
            Column("mean", f"mean, {unit}", sign=not average, decimals=1),
            Column("shrunken", sign=not average, decimals=1),
        ]
        cells = [
            (row.player, row.name, row.sessions, row.boards, estimates[row.player], row.shrunken)
            for row in frame.head(MOST_ROWS).itertuples(index=False)
        ]
        notes: list[Note] = [
            ["Skill differs between players by ", Quantity(found.sd_skill, decimals=1), f" {unit} (standard ",
             "deviation), the boards of a player by ", Quantity(found.sd_boards, decimals=0), f" {unit}."],
            "Partners share their results, so each mean also belongs to the player's partnerships. Players "
            "are sorted by their shrunken means, because a mean over few boards says little.",
        ]  # fmt: skip
        heading = ""
        if len(frame) > MOST_ROWS:
            heading = f"The first {MOST_ROWS} of {format_count(len(frame), 'player')}"
        return ResultsReport("Players", frame, [Table(columns, cells, heading)], notes=notes)

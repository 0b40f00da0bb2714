"""The frames of a tournament with its rules, which all questions about results use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dealerkit.tournaments.contents import Session
from dealerkit.tournaments.rules import EventScoring

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class TournamentFrames:
    """Results, boards, pairs and remarks with the rules of scoring; see `TournamentResults`."""

    results: pd.DataFrame
    boards: pd.DataFrame
    pairs: pd.DataFrame
    remarks: pd.DataFrame
    scoring: EventScoring | None = None
    sessions: tuple[Session, ...] = ()
    expected: Mapping[int, int] = field(default_factory=dict)
    winners: int = 1
    of_file: Mapping[str, Any] = field(default_factory=dict)

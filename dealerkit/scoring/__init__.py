"""Contracts, duplicate scores, IMPs and matchpoints of arrays, and the forms of scoring."""

from __future__ import annotations

from dealerkit.scoring.declared import DeclaredContract, parse_declared
from dealerkit.scoring.scores import (
    CONTRACT,
    IMP_TABLES,
    MAX_TRICKS,
    Contract,
    convert_to_imps,
    imps,
    is_declarer_vulnerable,
    matchpoints,
    parse_contracts,
    score,
    score_contracts,
)
from dealerkit.scoring.scorings import (
    GAIN_SCORINGS,
    LEAD_SCORINGS,
    SCORINGS,
    TOO_CLOSE,
    Scoring,
    Verdict,
    check_scoring,
    count_telling_deals,
    describe_leader,
    describe_leaders,
    describe_tie,
    is_too_close,
    judge,
)

__all__ = [
    "CONTRACT", "Contract", "DeclaredContract", "GAIN_SCORINGS", "IMP_TABLES", "LEAD_SCORINGS", "MAX_TRICKS",
    "SCORINGS", "Scoring", "TOO_CLOSE", "Verdict", "check_scoring", "convert_to_imps",
    "count_telling_deals", "describe_leader", "describe_leaders", "describe_tie", "imps",
    "is_declarer_vulnerable", "is_too_close", "judge", "matchpoints", "parse_contracts", "parse_declared",
    "score", "score_contracts",
]  # fmt: skip

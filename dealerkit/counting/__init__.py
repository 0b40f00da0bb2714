"""Exact counts of deals for conditions on sums over suits, with bounded cost."""

from __future__ import annotations

from dealerkit.counting.exact import BUDGET_NS, count_cell_shares, count_deals, count_share, find_countable
from dealerkit.counting.features import NotAdditive, classify_clauses, map_features
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.counting.suit_sums import SuitSums

__all__ = [
    "BUDGET_NS", "NotAdditive", "SuitSums", "TooManyStates", "classify_clauses", "count_cell_shares",
    "count_deals", "count_share", "find_countable", "map_features",
]  # fmt: skip

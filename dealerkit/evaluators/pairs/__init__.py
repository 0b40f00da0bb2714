"""Evaluators of the two hands of a side: their fit, and the point counts that DealerV2 numbers."""

from __future__ import annotations

from dealerkit.evaluators.pairs.functions import METRICS
from dealerkit.evaluators.pairs.pair import NOTRUMP, VARIANTS, Pair, TrumpPair

__all__ = ["METRICS", "NOTRUMP", "VARIANTS", "Pair", "TrumpPair"]

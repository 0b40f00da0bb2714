"""The Optimal Point Count of P. Darricades, as computed by JGM's program DOP 21.3.

The module `optimal_points` has its components, which few scripts need.
"""

from __future__ import annotations

from dealerkit.evaluators.opc.evaluator import opc, opc_best
from dealerkit.evaluators.opc.losers import promised_tricks, quick_losers, round_losers, suit_quick_losers

__all__ = ["opc", "opc_best", "promised_tricks", "quick_losers", "round_losers", "suit_quick_losers"]

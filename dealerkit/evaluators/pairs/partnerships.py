"""Functions of a side: the fit, and names of what is computed elsewhere or later."""

from __future__ import annotations

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.evaluators.dealerv2.tag_slots import COMPOSITE_TAGS
from dealerkit.evaluators.dealerv2.usereval import tag_values
from dealerkit.evaluators.opc.evaluator import VARIANTS as OPC_VARIANTS
from dealerkit.evaluators.opc.evaluator import opc
from dealerkit.evaluators.pairs.metrics import VARIANTS
from dealerkit.registry import Function, register


def fit(first: np.ndarray, second: np.ndarray, suit: int | None = None) -> np.ndarray:
    """Combined length of a suit, or of the longest."""
    both = first | second
    if suit is not None:
        return np.bitwise_count(both & np.uint64(LANE_MASK << LANE_SHIFTS[suit])).astype(np.int16)
    spades, hearts, diamonds, clubs = (
        np.bitwise_count(both & np.uint64(LANE_MASK << shift)) for shift in LANE_SHIFTS
    )
    return np.maximum(np.maximum(spades, hearts), np.maximum(diamonds, clubs)).astype(np.int16)


register(
    Function(
        "fit",
        ("side", "suit?"),
        fit,
        kind="side",
        unit="cards",
        low=0,
        high=13,
        cost=2.7,
        summary="combined length of a suit in both hands of a side, or of its longest suit",
        source="J.-R. Vernes, The Law of Total Tricks, The Bridge World, June 1969",
    )
)
register(
    Function(
        "opc",
        ("side", "strain?"),
        opc,
        kind="side",
        unit="points",
        hundredths=True,
        variants=OPC_VARIANTS,
        low=0,
        high=150,
        cost=1000.0,
        summary="Optimal Point Count of a side in a strain, or in its longest suit",
        source="P. Darricades, Optimal Point Count; as computed by JGM's DOP 21.3",
    )
)
register(
    Function(
        "usereval",
        ("integer", "side|seat", "suit?", "integer"),
        tag_values,
        kind="pair",
        cost=500.0,
        variants=VARIANTS,
        summary="a slot of one of DealerV2's numbered metrics",
        source="JGM, DealerV2 4.3",
        tags=COMPOSITE_TAGS,
    )
)

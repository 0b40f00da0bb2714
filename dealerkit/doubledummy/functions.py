"""Double-dummy functions of the language: dds, par, trix, parcontract. Importing this registers them.

The solver and its store are imported when a function is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import VULNERABILITIES
from dealerkit.registry import Function, register

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

SOURCE = "B. Haglund and S. Hein, DDS 2.9"
TRICKS_NS, TABLE_NS = 2.4e7, 2e8  # for each deal: one number of tricks, a full table


def tricks(deals: Deals, declarer: int, strain: int) -> np.ndarray:
    """Return the tricks that a seat takes as declarer, int8 [n]."""
    from dealerkit.doubledummy.lookup import look_up_tricks

    return look_up_tricks(deals, strain, declarer)


def par_of_side(deals: Deals, side: int, vulnerable: Any = None) -> np.ndarray:
    """Return the par score from the view of a side, int32 [n]; by default with no side vulnerable."""
    from dealerkit.doubledummy.lookup import share_tables
    from dealerkit.doubledummy.par import par_score

    name = "none" if vulnerable is None else vulnerable.word
    return par_score(share_tables(deals), VULNERABILITIES.index(name), side)


for _function in (
    Function(
        "dds", ("seat", "strain"), tricks, kind="deal", unit="tricks", low=0, high=13, cost=TRICKS_NS,
        summary="tricks that the seat takes as declarer, double dummy",
        source=SOURCE, aliases=("tricks", "trick"),
    ),
    Function(
        "par", ("side", "vulnerability?"), par_of_side, kind="deal", unit="score", low=-7600, high=7600,
        cost=TABLE_NS,
        summary="par score from the view of the side, double dummy; either side may open first",
        source=f"{SOURCE}, for the tricks",
    ),
    Function(
        "trix", ("seat|deal",), kind="item", unit="tricks", cost=TABLE_NS,
        summary="double-dummy tricks of a declarer in C D H S NT, or of all four, as an item of a report",
        source=SOURCE,
    ),
    Function(
        "parcontract", ("vulnerability?",), kind="item", cost=TABLE_NS,
        summary="a contract that gives the par score, as an item of a report",
        source=f"{SOURCE}, for the tricks",
    ),
):  # fmt: skip
    register(_function)

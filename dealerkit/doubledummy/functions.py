"""Double dummy in the language: dds, par, trix, parcontract. Importing this registers them.

What solves is imported when something is solved.
"""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import VULNERABILITIES
from dealerkit.doubledummy.ledger import current_ledger
from dealerkit.registry import Function, register

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

_last = threading.local()  # `solved`: the hands asked about last, and their tables

SOURCE = "B. Haglund and S. Hein, DDS 2.9"
TRICKS, TABLE = 2.4e7, 2e8  # nanoseconds a deal: one number of tricks, a full table


def tricks(deals: Deals, declarer: int, strain: int) -> np.ndarray:
    """Tricks that the seat takes as declarer, int8 [n]."""
    from dealerkit.doubledummy import lookup as answers

    return answers.tricks(deals, strain, declarer, current_ledger())


def full_tables(deals: Deals) -> np.ndarray:
    """Complete tables, int8 [n, 5, 4]; those of the last deals are kept for the next word about them."""
    from dealerkit.doubledummy import lookup as answers

    last = getattr(_last, "solved", None)
    if last is None or last[0]() is not deals.hands:
        tables = answers.full_tables(deals, ledger=current_ledger())
        tables.flags.writeable = False
        last = _last.solved = (weakref.ref(deals.hands), tables)
    return last[1]


def par_of_side(deals: Deals, side: int, vulnerable: Any = None) -> np.ndarray:
    """Par score as the side sees it, int32 [n]; not vulnerable unless a word says otherwise."""
    from dealerkit.doubledummy.par import par_score

    word = "none" if vulnerable is None else vulnerable.word
    return par_score(full_tables(deals), VULNERABILITIES.index(word), side)


register(
    Function(
        "dds",
        ("seat", "strain"),
        tricks,
        kind="deal",
        unit="tricks",
        low=0,
        high=13,
        cost=TRICKS,
        summary="tricks that the seat takes as declarer, double dummy",
        source=SOURCE,
        aliases=("tricks", "trick"),
    )
)
register(
    Function(
        "par",
        ("side", "vulnerability?"),
        par_of_side,
        kind="deal",
        unit="score",
        low=-7600,
        high=7600,
        cost=TABLE,
        summary="par score as the side sees it, double dummy, whoever opens the bidding",
        source=f"{SOURCE}, for the tricks",
    )
)
register(
    Function(
        "trix",
        ("seat|deal",),
        kind="item",
        unit="tricks",
        cost=TABLE,
        summary="double-dummy tricks of a declarer in C D H S NT, or of all four, as an item of a report",
        source=SOURCE,
    )
)
register(
    Function(
        "parcontract",
        ("vulnerability?",),
        kind="item",
        cost=TABLE,
        summary="a contract that gives the par score, as an item of a report",
        source=f"{SOURCE}, for the tricks",
    )
)

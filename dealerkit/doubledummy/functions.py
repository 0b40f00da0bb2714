"""Double-dummy functions of the language: dds, xtricks, par, trix, parcontract.

Importing this module registers them. The solver, its store and the trick model are imported when a function
is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import VULNERABILITIES
from dealerkit.registry import Function, Settings, register

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

SOURCE = "B. Haglund and S. Hein, DDS 2.9"
TRICKS_NS, TABLE_NS = 2.4e7, 2e8  # cost per deal: one number of tricks, a full table
ESTIMATE_NS = 2.5e4  # cost of an estimate of tricks, in double precision


def tricks(deals: Deals, declarer: int, strain: int) -> np.ndarray:
    """Return the tricks that a seat takes as declarer, int8 [n]."""
    from dealerkit.doubledummy.lookup import look_up_tricks

    return look_up_tricks(deals, strain, declarer)


def estimate_tricks(deals: Deals, declarer: int, strain: int) -> np.ndarray:
    """Return the expected tricks of a seat as declarer by the trick model, in hundredths, int16 [n].

    It is computed in double precision, whose rounding errors do not change the hundredths, so every processor
    and every batch size gives the same values.
    """
    from dealerkit.doubledummy.trick_model.network import load_weights
    from dealerkit.doubledummy.trick_model.predictions import predict

    expected = predict(deals.hands, strain, declarer, load_weights(np.float64)).expected
    return np.round(expected * 100).astype(np.int16)


def par_of_side(deals: Deals, side: int, vulnerable: Any = None, *, default: int = 0) -> np.ndarray:
    """Return the par score of a side, int32 [n]; `default` is the vulnerability if none is given."""
    from dealerkit.doubledummy.lookup import share_tables
    from dealerkit.doubledummy.par import par_score

    return par_score(share_tables(deals), _vulnerability_number(vulnerable, default), side)


def _vulnerability_number(vulnerable: Any, default: int) -> int:
    """Return the number of the vulnerability that an argument names, or the default for None."""
    return default if vulnerable is None else VULNERABILITIES.index(vulnerable.word)


def _choose_vulnerability(settings: Settings) -> dict[str, int]:
    """Return the vulnerability of a call that has no argument for it."""
    return {"default": settings.vulnerable}


def format_tricks(deals: Deals, declarer: Any) -> list[str]:
    """Return the tricks of a declarer, or of all four, in clubs to notrump: ``8,9,9,10,10``."""
    from dealerkit.doubledummy.lookup import share_tables

    declarers = [declarer] if isinstance(declarer, int) else [0, 1, 2, 3]
    tables = share_tables(deals)[:, [3, 2, 1, 0, 4]][:, :, declarers]
    return [",".join(map(str, row)) for row in tables.transpose(0, 2, 1).reshape(len(deals), -1).tolist()]


def format_par_contracts(deals: Deals, vulnerable: Any = None, *, default: int = 0) -> list[str]:
    """Return par contracts as DealerV2 writes them; arguments are those of `par_of_side`."""
    from dealerkit.doubledummy.lookup import share_tables
    from dealerkit.doubledummy.par import par_contract_text

    return par_contract_text(share_tables(deals), _vulnerability_number(vulnerable, default))


for _function in (
    Function(
        "dds", ("seat", "strain"), tricks, kind="deal", unit="tricks", low=0, high=13, cost=TRICKS_NS,
        summary="tricks that the seat takes as declarer, double dummy",
        source=SOURCE, aliases=("tricks", "trick"), operation="tricks",
        dealer=("tricks", "trick"), dealerv2=("dds",),
    ),
    Function(
        "xtricks", ("seat", "strain"), estimate_tricks, kind="deal", unit="tricks", low=0, high=13,
        hundredths=True, cost=ESTIMATE_NS, from_model=True,
        summary="estimate, without solving, of the tricks that the seat takes as declarer, double dummy; "
        "standard deviation of its error 0.44 tricks in a suit, 0.51 in notrump",
        source="a model trained for dealerkit",
    ),
    Function(
        "par", ("side", "vulnerability?"), par_of_side, kind="deal", unit="score", low=-7600, high=7600,
        cost=TABLE_NS, options=_choose_vulnerability, from_tables=True, dealerv2=("par",),
        summary="par score from the view of the side, double dummy; either side may open first",
        examples=("par(NS)", "par(NS, ns)", "par(EW)"),
        source=f"{SOURCE}, for the tricks",
    ),
    Function(
        "trix", ("seat|deal",), format_tricks, kind="item", unit="tricks", cost=TABLE_NS, dealerv2=("trix",),
        summary="double-dummy tricks of a declarer in C D H S NT, or of all four, as an item of a report",
        source=SOURCE,
    ),
    Function(
        "parcontract", ("vulnerability?",), format_par_contracts, kind="item", cost=TABLE_NS,
        options=_choose_vulnerability, dealerv2=("parcontract",),
        summary="a contract that gives the par score, as an item of a report",
        source=f"{SOURCE}, for the tricks",
    ),
):  # fmt: skip
    register(_function)

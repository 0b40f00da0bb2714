"""Functions of the language that depend on no hand: scores, IMPs, min and max, rnd, the board."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

import dealerkit.doubledummy.functions
import dealerkit.evaluators  # noqa: F401  (after this import the registry is complete)
from dealerkit import scoring
from dealerkit.errors import ArgumentError
from dealerkit.registry import Function, function, register

__all__ = ["duplicate_score", "function", "greatest", "imp_points", "least"]


def duplicate_score(vulnerability: Any, contract: Any, tricks: np.ndarray) -> np.ndarray:
    """Return the score of a contract for its declarer; `vulnerability` is the node of ``nv`` or ``vul``."""
    if vulnerability.word not in ("nv", "vul"):
        raise ArgumentError(
            "score takes nv or vul, declarer's own vulnerability, as in score(vul, 4S, 10); "
            f"not {vulnerability.word!r}"
        )
    # Tricks may be an expression such as `tricks - 8`; a negative value counts as that many undertricks.
    return scoring.score_contracts(*scoring.parse_contracts(contract), tricks, vulnerability.word == "vul")


def imp_points(difference: np.ndarray, *, table: str = "official") -> np.ndarray:
    """Return the IMPs of a difference of scores, by the official table or that of an old program."""
    return scoring.convert_to_imps(difference, table)


def least(*values: np.ndarray) -> np.ndarray:
    """Return the smallest of two or more values for each deal."""
    return reduce(np.minimum, values)


def greatest(*values: np.ndarray) -> np.ndarray:
    """Return the largest of two or more values for each deal."""
    return reduce(np.maximum, values)


for _function in (
    Function(
        "score",
        ("vulnerability", "contract", "expression"),
        duplicate_score,
        kind="value",
        unit="score",
        low=-7600,  # for 0 to 13 tricks
        high=2980,
        cost=35.0,
        summary="duplicate score of a contract, nv or vul, for a number of tricks: score(vul, 4S, 10)",
        source="Laws of Duplicate Bridge 2017, Law 77",
    ),
    Function(
        "imps",
        ("expression",),
        imp_points,
        kind="value",
        unit="IMPs",
        low=-24,
        high=24,
        cost=32.0,
        summary="International Match Points of a difference of scores",
        source="Laws of Duplicate Bridge 2017, Law 78B",
        aliases=("imp",),
    ),
    *(
        Function(
            name,
            ("expression", "expression..."),
            body,
            kind="value",
            cost=0.5,
            summary=f"the {adjective} of two or more values",
            source="dealerkit",
        )
        for name, body, adjective in (("min", least, "smallest"), ("max", greatest, "largest"))
    ),
    Function(
        "shape",
        ("seat", "shapes"),
        kind="special",
        unit="truth",
        low=0,
        high=1,
        cost=1.0,
        summary="1 if the lengths of the hand's suits are in the list, else 0",
        source="H. van Staveren, dealer",
    ),
    Function(
        "rnd",
        ("expression",),
        kind="special",
        pure=False,
        cost=5.0,
        summary="a random integer from 0 to one less than the value",
        source="H. van Staveren, dealer",
    ),
    Function(
        "board",
        (),
        kind="special",
        pure=False,
        low=1,
        cost=0.5,
        summary="number of the produced deal, from 1; has a value in actions only",
        source="dealerkit",
    ),
):
    register(_function)

"""Functions of the language that are not about one hand: scores, IMPs, min and max, shape, rnd, board."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

import dealerkit.doubledummy.functions  # noqa: F401  (after this import and the next the registry is complete)
import dealerkit.evaluators  # noqa: F401
from dealerkit import scoring
from dealerkit.errors import ArgumentError
from dealerkit.registry import Function, Settings, function, register
from dealerkit.statistics.rare_values import SIMILAR_IMPS, SIMILAR_POINTS

__all__ = ["duplicate_score", "function", "greatest", "imp_points", "least"]


def duplicate_score(vulnerability: Any, contract: Any, tricks: np.ndarray) -> np.ndarray:
    """Return the score of a contract for its declarer; `vulnerability` is the node of ``nv`` or ``vul``."""
    if vulnerability.word not in ("nv", "vul"):
        raise ArgumentError(
            "score takes nv or vul, declarer's own vulnerability, as in score(vul, 4S, 10); "
            f"not {vulnerability.word!r}"
        )
    # The tricks may be an expression such as `tricks - 8`, so they can be negative; the score then counts the
    # missing tricks as further undertricks.
    contracts = scoring.parse_contracts(contract)
    scores: np.ndarray = scoring.score_contracts(*contracts, tricks, vulnerability.word == "vul")
    return scores


def _bound_score(tricks: tuple[int, int]) -> tuple[int, int]:
    """Return bounds of the score for numbers of tricks between two bounds, which need not be 0 to 13."""
    limit = 600 * max(map(abs, tricks)) + 10_000  # at most 600 points a trick, redoubled and vulnerable
    return -limit, limit


def imp_points(difference: np.ndarray, *, table: str = "official") -> np.ndarray:
    """Return the IMPs for a difference of scores, by the official table or that of an old program."""
    return scoring.convert_to_imps(difference, table)


def _bound_random(limit: tuple[int, int]) -> tuple[int, int]:
    """Return bounds of ``rnd(limit)`` for limits between two bounds, which may be negative."""
    return min(limit[0] + 1, 0), max(limit[1] - 1, 0)


def _choose_imps(settings: Settings) -> dict[str, str]:
    """Return the option that names the IMP table of the script's dialect."""
    return {"table": settings.rules.imps}


def least(*values: np.ndarray) -> np.ndarray:
    """Return the smallest of two or more values for each deal."""
    return reduce(np.minimum, values)


def greatest(*values: np.ndarray) -> np.ndarray:
    """Return the largest of two or more values for each deal."""
    return reduce(np.maximum, values)


for _function in (
    Function(
        "score",
        ("vulnerable", "contract", "expression"),
        duplicate_score,
        kind="value",
        unit="score",
        low=-7600,  # for 0 to 13 tricks
        high=2980,
        bounds=_bound_score,
        similar=SIMILAR_POINTS,
        dealer=("score",),
        cost=35.0,
        summary="duplicate score of a contract, nv or vul, for a number of tricks: score(vul, 4S, 10)",
        examples=("score(nv, 4S, 11)", "score(vul, 4Sx, 9)"),
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
        similar=SIMILAR_IMPS,
        cost=32.0,
        summary="International Match Points of a difference of scores",
        examples=("imps(620 - 170)", "imps(-50)"),
        source="Laws of Duplicate Bridge 2017, Law 78B",
        aliases=("imp",),
        options=_choose_imps,
        dealer=("imps", "imp"),
    ),
    *(
        Function(
            name,
            ("expression", "expression..."),
            body,
            kind="value",
            operation=operation,
            cost=0.5,
            summary=f"the {adjective} of two or more values",
            source="dealerkit",
            examples=(f"{name}(spades(north), spades(south))", f"{name}(spades(south), hearts(south), 3)"),
        )
        for name, body, operation, adjective in (
            ("min", least, "least", "smallest"),
            ("max", greatest, "greatest", "largest"),
        )
    ),
    Function(
        "shape",
        ("seat", "shapes"),
        kind="special",
        operation="member",
        dealer=("shape",),
        unit="truth",
        low=0,
        high=1,
        cost=1.0,
        summary="1 if the hand's shape is in the list, else 0",
        examples=("shape(north, any 5422)", "shape(north, 5xxx - any 5332)"),
        source="H. van Staveren, dealer",
    ),
    Function(
        "rnd",
        ("expression",),
        kind="special",
        operation="random",
        bounds=_bound_random,
        dealer=("rnd",),
        pure=False,
        cost=5.0,
        summary="a random integer from 0 to one less than the value",
        examples=("rnd(6)", "rnd(1)"),
        source="H. van Staveren, dealer",
    ),
    Function(
        "board",
        (),
        kind="special",
        operation="board",
        pure=False,
        low=1,
        cost=0.5,
        summary="number of the produced deal, from 1; for use in actions only",
        source="dealerkit",
    ),
):
    register(_function)

"""The source of a run: which one the arguments of `run` ask for."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

from dealerkit.cards.deals import Deals
from dealerkit.dealing.classic.source import ClassicSource
from dealerkit.dealing.classic.streams import ClassicV1, ClassicV2
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import DealsSource, Source
from dealerkit.dealing.uniform.source import UniformSource
from dealerkit.errors import ArgumentError
from dealerkit.planning import Plan


def as_deals(source: Any) -> Deals:
    """The deals of a Deals, of a DataFrame or Series with a deal column, or of anything with `.deals`.

    Raises
    ------
    ArgumentError
        For anything else.
    """
    if isinstance(source, Deals):
        return source
    accessor = getattr(source, "dealer", None)  # of a DataFrame or Series
    found = getattr(accessor, "deals", None) if accessor is not None else getattr(source, "deals", None)
    if not isinstance(found, Deals):
        raise ArgumentError(
            f"no deals in a {type(source).__name__}; give Deals, a DataFrame with a deal column, or a library"
        )
    return found


def make_source(
    plan: Plan, seed: int, stream: str, source: Any, predeal: Mapping[str, Any] | None, swap: int
) -> tuple[Source, list[str]]:
    """The source of a run, and remarks on where it differs from the old program.

    Raises
    ------
    ArgumentError, PredealError
    """
    if not isinstance(stream, str) or stream not in ("uniform", "classic"):
        raise ArgumentError(f"unknown stream {stream!r}; the streams are 'uniform' and 'classic'")
    if not isinstance(swap, Integral) or swap not in (0, 2, 3):
        raise ArgumentError(f"swap is {swap}; it takes 0, 2 or 3")
    program, rules = plan.program, plan.program.script.rules
    fixed = program.predeal
    if predeal is not None:
        fixed += Predeal.from_mapping(predeal)
        fixed.check()
    if source is not None:
        if swap or fixed:
            raise ArgumentError("deals that exist already cannot be predealt or swapped")
        if stream == "classic":
            raise ArgumentError(
                "source= and stream='classic' both say where deals come from; leave out stream= to ask the "
                "deals of source=, or source= to deal"
            )
        return DealsSource(as_deals(source)), []
    known = fixed or None
    if stream == "uniform":
        if seed < 0:
            raise ArgumentError(f"seed is {seed}; on the uniform stream it is 0 or more")
        return UniformSource(seed, known, swap), []
    every = not plan.clauses
    if rules.name != "v2":
        return ClassicSource(ClassicV1(seed, known, swap), seed, swap, every), []
    if fixed.lengths:
        remark = "DealerV2's way of dealing given suit lengths is not reproduced; these are drawn uniformly"
        return UniformSource(abs(seed), known, 0), [remark]
    remarks = []
    if swap and fixed.cards:
        swap, remarks = 0, ["as in DealerV2, predealt cards turn swapping off"]
    return ClassicSource(ClassicV2(seed, known, swap), seed, swap, every), remarks

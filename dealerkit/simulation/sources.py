"""Sources of a run that do not depend on its plan: given deals and the classic streams."""

from __future__ import annotations

import os
from typing import Any

from dealerkit.cards.deals import Deals
from dealerkit.dealing.classic.streams import ClassicSource, ClassicV1, ClassicV2
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import DealsSource, Source
from dealerkit.dealing.uniform.stream import UniformSource
from dealerkit.errors import ArgumentError
from dealerkit.planning import Plan
from dealerkit.simulation.job import RunOptions


def as_deals(source: Any) -> Deals:
    """Return the deals of a Deals, of a DataFrame or Series with a deal column, or of a library.

    Raises
    ------
    ArgumentError
        The object holds no deals.
    """
    if isinstance(source, Deals):
        return source
    accessor = getattr(source, "dealer", None)  # of a DataFrame or Series
    deals = getattr(source if accessor is None else accessor, "deals", None)
    if not isinstance(deals, Deals):
        remedy = "give Deals, a DataFrame with a deal column, or a library"
        if isinstance(source, str | os.PathLike):
            remedy = f"if it is a file, give dk.read({os.fspath(source)!r:.100})"
        raise ArgumentError(f"no deals in a {type(source).__name__}; {remedy}")
    return deals


def make_given_source(
    options: RunOptions, predeal: Predeal, plan: Plan, seed: int
) -> tuple[Source, list[str]]:
    """Return the source of the deals that the caller gives, and remarks on what is ignored.

    The source "all" has all deals that comply with the predeal. Under the rules of v2 a library begins with
    the block that the seed numbers, and wraps around.

    Raises
    ------
    ArgumentError
        Given deals are combined with a predeal, swapping or a classic stream.
    """
    source, remarks = options.source, []
    if isinstance(source, str) and source == "all":
        from dealerkit.dealing.enumeration import EnumerationSource, enumerate_deals  # with a kernel

        source, predeal = EnumerationSource(enumerate_deals(predeal)), Predeal()
    is_source = isinstance(source, Source)
    if is_source and source.has_blocks and plan.program.script.rules.name == "v2":
        if options.swap or predeal:
            remarks.append("as in DealerV2, deals of a library are neither predealt nor swapped")
        if options.seed or plan.program.seed:  # 0 and none are random: almost never the number of a block
            source, exists = source.from_block(seed)
            if not exists:
                remarks.append(
                    f"seed {seed} is beyond the blocks of the library; it begins with its first deal"
                )
        return source, remarks
    if options.swap or predeal:
        is_enumerated = is_source and source.coverage != "sample"
        hint = "; source='all' takes the predeal of the script" if is_enumerated and predeal else ""
        raise ArgumentError(f"deals that exist already cannot be predealt or swapped{hint}")
    if options.stream == "classic":
        raise ArgumentError(
            "source= and stream='classic' are both sources of deals; leave out stream= to use the "
            "deals of source=, or source= to deal"
        )
    return source if is_source else DealsSource(as_deals(source)), remarks


def make_classic_source(plan: Plan, seed: int, predeal: Predeal, swap: int) -> tuple[Source, list[str]]:
    """Return the stream of an old program, and remarks on where it differs from that program."""
    accepts_all = not plan.clauses
    if plan.program.script.rules.name != "v2":
        return ClassicSource(ClassicV1(seed, predeal, swap), seed, swap, accepts_all), []
    if predeal.lengths:
        remark = "DealerV2's way of dealing given suit lengths is not reproduced; these are dealt uniformly"
        return UniformSource(abs(seed), predeal, 0), [remark]
    remarks = []
    if swap and predeal.cards:
        swap, remarks = 0, ["as in DealerV2, predealt cards turn swapping off"]
    return ClassicSource(ClassicV2(seed, predeal, swap), seed, swap, accepts_all), remarks

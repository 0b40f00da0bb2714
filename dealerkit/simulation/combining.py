"""The combination of results: accumulated values are merged, and the reports are made from them again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from dealerkit.actions import RunTotals
from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import is_listing
from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.errors import ArgumentError, quote
from dealerkit.simulation.levelling import Levelling, attach_weights
from dealerkit.simulation.record import Part, RunRecord, describe_seeds
from dealerkit.statistics import Counts, Estimate


def combine_results(results: Iterable[Any], kind: type) -> Any:
    """Return the combined result; `kind` is the class of results.

    Raises
    ------
    ArgumentError
        There are no results, something is not a result, or results cannot be combined.
    """
    if isinstance(results, str | kind) or not is_listing(results):
        raise ArgumentError(f"{quote(results)} is not a list of results; give several, as in [first, second]")
    parts = list(results)
    for part in parts:
        if not isinstance(part, kind):
            raise ArgumentError(f"{quote(part)} is not a result of dk.run; give a list of such results")
    if not parts:
        raise ArgumentError("there are no results to combine; give at least one")
    if len(parts) == 1:
        return parts[0]
    for number, part in enumerate(parts[1:], 2):
        _check_alike(parts[0], part, number)
    _check_seeds(parts)
    if parts[0].stream == "given":
        _check_given(parts)
    return _merge(parts)


def _refuse(number: int, reason: str, remedy: str) -> NoReturn:
    raise ArgumentError(f"results 1 and {number} cannot be combined: {reason}; {remedy}")


def _check_alike(first: Any, other: Any, number: int) -> None:
    """Raise ArgumentError unless two results are from the same script, dealt in the same way."""
    # What makes a result something other than a random sample of the same population
    for result, place in ((first, 1), (other, number)):
        if result.record.coverage != "sample":
            reason = f"result {place} comes from a run on all layouts, not from a random sample"
            _refuse(number, reason, "such a result is exact already")
    ours, theirs = first.plan.program, other.plan.program
    if ours.script.rules != theirs.script.rules:
        names = f"{ours.script.rules.name} and {theirs.script.rules.name}"
        _refuse(number, f"their dialects are {names}", "run both in one dialect")
    if ours.script.params != theirs.script.params:
        params = sorted({*ours.script.params, *theirs.script.params})
        differ = [name for name in params if ours.script.params.get(name) != theirs.script.params.get(name)]
        given = [repr(program.script.params.get(differ[0], "not given")) for program in (ours, theirs)]
        _refuse(
            number,
            f"the script variable {differ[0]} is {' and '.join(given)}",
            "combine runs with equal values",
        )
    if ours.script.statements != theirs.script.statements:
        _refuse(number, "their scripts differ", "combine runs of one script")
    # The same settings of the run
    settings = {
        "stream": (first.stream, other.stream),
        "predeal": (first.record.predeal, other.record.predeal),
        "swap": (first.record.swap, other.record.swap),
        "confidence": (first.record.confidence, other.record.confidence),
        "opener": (ours.opener, theirs.opener),
        "vulnerable": ((ours.vulnerable, ours.par_vulnerable), (theirs.vulnerable, theirs.par_vulnerable)),
    }
    for name, values in settings.items():
        if values[0] != values[1]:
            _refuse(number, f"they were run with a different `{name}`", f"run both with the same {name}=")
    # Acceptance rates of candidates that are the same part of all deals
    shares = [plan.sampling and plan.sampling.share for plan in (first.plan, other.plan)]
    if shares[0] != shares[1]:
        names = f"{first.plan.name} and {other.plan.name}"
        reason = f"their plans ({names}) deal in different ways, so their acceptance rates cannot be combined"
        _refuse(number, reason, 'run both with the same plan=, such as plan="plain"')


def _check_seeds(results: Sequence[Any]) -> None:
    """Raise ArgumentError if two runs dealt from the same seed of a stream."""
    seen: dict[tuple, int] = {}
    for number, result in enumerate(results, 1):
        if result.stream == "given":
            continue
        for part in result.record.parts:
            # the classic generators have states of 32 bits
            seed = part.seed if result.stream == "uniform" else part.seed % 2**32 or 1
            before = seen.setdefault((result.stream_version, seed), number)
            if before != number and part.proposed:
                raise ArgumentError(
                    f"results {before} and {number} contain the same deals: both were dealt from seed "
                    f"{part.seed} of the {result.stream} stream; run the script with another seed="
                )


def _check_given(results: Sequence[Any]) -> None:
    """Raise ArgumentError if results of given deals have, or may have, a deal in common."""
    seen = np.empty((0, 3), np.uint64)
    for number, result in enumerate(results, 1):
        if len(result.deals) < result.produced:
            raise ArgumentError(
                f"result {number} keeps {len(result.deals):,} of {result.produced:,} given deals, so it "
                'is unknown whether others contain the same ones; run the script with keep="all"'
            )
        hands = np.unique(np.asarray(result.deals.hands)[:, :3], axis=0)
        both = np.concatenate([seen, hands])
        values, counts = np.unique(both, axis=0, return_counts=True)
        if len(values) < len(both):
            n_common = int((counts > 1).sum())
            raise ArgumentError(
                f"result {number} contains {n_common:,} deals that an earlier one also contains, so they "
                "would "
                "count twice; give each deal to one run only"
            )
        seen = both


def _merge(results: Sequence[Any]) -> Any:
    """Return results that can be combined as one."""
    # Reports from what all runs have accumulated
    first, records = results[0], [result.record for result in results]
    record = _merge_records(records, first.stream)
    reports, plan = record.make_reports(), first.plan
    deals = _join_deals([result.deals for result in results])
    if record.types is not None:
        deals = attach_weights(deals, record.types, reports)
    # Counts, and the acceptance rate over all deals dealt
    produced = sum(result.produced for result in results)
    elapsed = math.fsum(result.elapsed for result in results)
    dealt = [result.generated for result in results]
    generated = None if None in dealt else sum(dealt)
    probability = record.estimate_probability(plan, produced)
    equivalent = record.estimate_equivalent(plan, produced, probability) if produced else math.nan
    totals = RunTotals(
        generated, produced, record.seeds[0], elapsed, probability, record.source, equivalent=equivalent,
        further_seeds=record.seeds[1:],
    )  # fmt: skip
    # The rest: double-dummy counts, random numbers that all runs have, the text
    solver = Ledger()
    for result in results:
        solver += result.solver
    slots = set.intersection(*(set(result.random_values) for result in results))
    text = "" if record.printed is None else record.printed + record.format_reports(reports, totals)
    return replace(
        first,
        produced=produced,
        generated=generated,
        elapsed=elapsed,
        deals=deals,
        numbers=np.concatenate([result.numbers for result in results]),
        reports=reports,
        text=text,
        probability=probability,
        interrupted=any(result.interrupted for result in results),
        warnings=tuple(dict.fromkeys(text for result in results for text in result.warnings)),
        solver=solver,
        proposed=record.proposed,
        random_values={
            slot: np.concatenate([result.random_values[slot] for result in results]) for slot in slots
        },
        unsatisfiable=() if produced else first.unsatisfiable,
        record=record,
    )


def _merge_records(records: Sequence[RunRecord], stream: str) -> RunRecord:
    """Return the record of all runs."""
    merged = [[action.copy() for action in record.actions] for record in records]
    acceptance: Counts | None = None
    # Merge what the actions have accumulated
    for actions in merged:
        for action in actions:
            action.complete_clusters()  # equal numbers in two runs mean different shuffles
    for actions in merged[1:]:
        for action, other in zip(merged[0], actions, strict=True):
            action.merge(other)
    # Merge the counts of accepted deals; those without clusters and weights are counted again
    if any(record.acceptance is not None for record in records):
        acceptance = Counts((0, 1))
        for record in records:
            counts = Counts((0, 1))
            counts.merge(record.acceptance or _count_plain(record))
            counts.complete_clusters()
            acceptance.merge(counts)
    parts: tuple[Part, ...] = sum((record.parts for record in records), ())
    printed = [record.printed for record in records]
    types = [record.types for record in records]
    source = describe_seeds([part.seed for part in parts]) + ", "
    if stream == "given":
        source = f"{format_count(sum(part.proposed for part in parts))} given deals, "
    elif stream == "classic":
        source += "classic stream, "
    return replace(
        records[0],
        parts=parts,
        actions=tuple(merged[0]),
        acceptance=acceptance,
        levelling=merge_levellings([record.levelling for record in records]),
        types=None if any(part is None for part in types) else np.concatenate(types),  # type: ignore[arg-type]
        printed=None if None in printed else "".join(map(str, printed)),
        source=source,
    )


def _count_plain(record: RunRecord) -> Counts:
    """Return the counts of rejected and accepted deals of a run without clusters and weights."""
    n_accepted = sum(part.n_kept for part in record.parts)  # all of them: the deals are given, and kept
    counts = Counts((0, 1))
    counts.update(np.repeat(np.array([0, 1], np.int8), [record.proposed - n_accepted, n_accepted]))
    return counts


def _join_deals(parts: Sequence[Deals]) -> Deals:
    """Concatenate kept deals; clusters get new numbers."""
    if all(part.cluster is None for part in parts):
        return Deals.concatenate(parts)
    columns, start = [], 0
    for part in parts:
        own = np.arange(len(part)) if part.cluster is None else np.asarray(part.cluster)
        low = int(own.min()) if len(own) else 0
        columns.append(own - low + start)
        start = int(columns[-1].max()) + 1 if len(own) else start
    return Deals.concatenate([part.replace(cluster=None) for part in parts]).replace(
        cluster=np.concatenate(columns).astype(np.int64)
    )


def merge_levellings(levellings: Sequence[Levelling | None]) -> Levelling | None:
    """Return the hand types of levelled runs with mean rates over all runs."""
    known = [levelling for levelling in levellings if levelling is not None]
    if not known:
        return None
    rates = tuple(_average_rates(rates) for rates in zip(*(item.rates for item in known), strict=True))
    return replace(known[0], rates=rates, outside=_average_rates([item.outside for item in known]))


def _average_rates(rates: Sequence[Estimate]) -> Estimate:
    """Return the mean of independent rates, weighted by the sizes of their samples; an exact rate as it is.

    The interval is that of a weighted sum of independent estimates: G. Y. Zou, A. Donner, Statistics in
    Medicine 27 (2008), 1693-1702.
    """
    exact = [rate for rate in rates if rate.exact]
    if exact:
        return exact[0]
    rates = [rate for rate in rates if rate.n] or rates[:1]  # without those that were not measured
    if not rates[0].n:
        return rates[0]
    n = sum(rate.n for rate in rates)
    weights = [rate.n / n for rate in rates]
    value = sum(weight * rate.value for weight, rate in zip(weights, rates, strict=True))

    def width(distances: Iterable[float]) -> float:
        return math.hypot(*(weight * d for weight, d in zip(weights, distances, strict=True)))

    lo, hi = (width(rate.value - rate.lo for rate in rates), width(rate.hi - rate.value for rate in rates))
    se = width(rate.se for rate in rates)
    return Estimate(value, se, value - lo, value + hi, n, rates[0].confidence)

"""Likely mistakes that pilot deals show: clauses that never or always pass, alone or after others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.certain_mistakes import Mistake, ScriptClause
from dealerkit.planning.rates import EARLIER_CLAUSE, Rates, Tally, estimate_rates

MIN_EXPECTED = 20.0  # deals that must be expected before their absence is reported


def find_pilot_mistakes(
    clauses: Sequence[ScriptClause],
    rates: Rates,
    graph: OperationGraph,
    predeal: Predeal | None,
    explained: Collection[int] = (),
) -> Iterator[Mistake]:
    """Yield the likely mistakes that the rates of clauses on pilot deals show.

    `explained` are positions of clauses with a certain mistake: of these only a missing value is reported.
    """
    rates_without_predeal: Rates | None = None
    for position, clause in enumerate(clauses):
        alone, given = rates.alone[position], rates.given[position]
        if given.error and not given.error.startswith(EARLIER_CLAUSE):
            message = f"{clause.quoted} has no value: {given.error}; a run would stop there"
            yield Mistake("empty", message, clause.node.place)
        if position in explained:
            continue
        if alone.n_deals and alone.n_passed in (0, alone.n_deals):
            if predeal and rates_without_predeal is None:
                slots = [clause.slot for clause in clauses]
                rates_without_predeal = estimate_rates(graph, slots, rates.n_deals)
            unrestricted = None if rates_without_predeal is None else rates_without_predeal.alone[position]
            yield _report_constant(clause, alone, unrestricted)
        else:
            yield from _compare_with_earlier(clause, alone, given)


def _report_constant(clause: ScriptClause, alone: Tally, unrestricted: Tally | None) -> Mistake:
    """Return the mistake of a clause with one value on all pilot deals; `unrestricted`: without predeal."""
    is_always = alone.n_passed > 0
    deals = f"{'all' if is_always else 'none'} of {alone.n_deals:,} pilot deals"
    if unrestricted is not None and unrestricted.rate is not None:
        n_passed = unrestricted.n_passed
        n_different = unrestricted.n_deals - n_passed if is_always else n_passed
        if n_different >= MIN_EXPECTED:
            message = (
                f"the predeal seems to determine {clause.quoted}: true in {deals}, "
                f"without the predeal in {100 * unrestricted.share:.3g} %"
            )
            return Mistake("predeal", message, clause.node.place)
    kind = "always" if is_always else "never"
    return Mistake(kind, f"{clause.quoted} is true in {deals}", clause.node.place)


def _compare_with_earlier(clause: ScriptClause, alone: Tally, given: Tally) -> Iterator[Mistake]:
    """Yield the mistake of a clause that varies, but never or always passes after those before it."""
    if given.error or alone.error or not given.n_deals:
        return
    deals = f"{given.n_deals:,} pilot deals that passed those"
    if given.n_passed == 0 and given.n_deals * alone.share >= MIN_EXPECTED:
        message = f"{clause.quoted} contradicts the clauses before it: true in none of the {deals}"
        yield Mistake("contradiction", message, clause.node.place)
    elif given.n_passed == given.n_deals and given.n_deals * (1 - alone.share) >= MIN_EXPECTED:
        message = f"{clause.quoted} adds nothing to the clauses before it: true in all {deals}"
        yield Mistake("repeat", message, clause.node.place)

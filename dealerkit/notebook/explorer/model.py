"""Estimates of a double-dummy question without solving: the reports on tricks drawn from the trick model.

The network gives the chances of 0 to 13 tricks for each deal, strain and declarer. From them tricks are
drawn, `DRAWS` times for each deal at evenly spaced quantiles, and the actions of the script are evaluated on
these tricks as if they were solved. So every expression has its estimate: tricks, chances, scores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.trick_thresholds import SOLVER_COST_NS
from dealerkit.dealing.source import DealsSource
from dealerkit.doubledummy.trick_model.predictions import predict
from dealerkit.planning import Limits, Plan
from dealerkit.simulation.assemble import assemble
from dealerkit.simulation.execute import execute
from dealerkit.simulation.job import Job
from dealerkit.simulation.loops import run_batches
from dealerkit.simulation.result import Result

MODEL_DEALS = 1_000  # 30 ms for each strain and declarer
ALL_TABLES_DEALS = 200  # where all 20 are needed, as for par
DRAWS = 4


def estimate_with_model(job: Job, is_stopped: Callable[[], bool] = lambda: False) -> Result | None:
    """Return the result that a run would have with tricks of the model; None where no deal is dealt."""
    plan = job.plan
    cells = list_cells(plan)
    n_deals = ALL_TABLES_DEALS if len(cells) == 20 else MODEL_DEALS
    deals = _deal_candidates(job, n_deals, is_stopped)
    if not len(deals):
        return None
    solved = draw_tricks(deals, cells, job.seed)
    clauses = plan.solver_clauses
    plan = replace(
        plan, clauses=clauses, n_solver_clauses=len(clauses), n_staged=0, sampling=None, name="plain"
    )
    limits = Limits(len(solved), None)
    options = replace(job.options, progress=False, frame=None, files=None, write=None)
    drawn = replace(
        job, options=options, plan=plan, source=DealsSource(solved), limits=limits, requested=limits,
        predeal=None,
    )  # fmt: skip
    return assemble(execute(drawn, watch=lambda _: is_stopped()))


def list_cells(plan: Plan) -> list[tuple[int, int]]:
    """Return the strains and declarers whose tricks a plan needs: all 20 for par and the like."""
    graph = plan.graph
    slots = graph.find_reachable([*plan.clauses, *plan.action_slots])
    operations = [graph.operations[slot] for slot in slots]
    needs_all = any(
        operation.cost_ns >= SOLVER_COST_NS and not (operation.inputs + operation.guarded)
        for operation in operations
        if operation.kind != "tricks"
    )
    if needs_all or any(action.cost_ns for action in plan.actions):
        return [(strain, seat) for strain in range(5) for seat in range(4)]
    cells = set()
    for operation in operations:
        if operation.kind == "tricks":
            seat, strain = operation.detail
            is_grouped = len(graph.grouped_tricks.get(strain, ())) > 1
            cells |= {(strain, declarer) for declarer in (range(4) if is_grouped else [seat])}
    return sorted(cells)


def draw_tricks(deals: Deals, cells: list[tuple[int, int]], seed: int) -> Deals:
    """Return each deal `DRAWS` times, with tables of tricks drawn from the model; other cells are -1.

    A deal has one quantile for all strains of north and south, and its mirror for east and west, who do well
    where they do badly.
    """
    n = len(deals)
    generator = np.random.default_rng(abs(seed))
    quantiles = (np.arange(DRAWS) + generator.random((n, DRAWS))) / DRAWS
    tables = np.full((n, DRAWS, 5, 4), -1, np.int8)
    for strain, seat in cells:
        at_least = predict(deals, strain, seat).at_least[:, 1:]
        where = quantiles if seat % 2 == 0 else 1 - quantiles
        tables[:, :, strain, seat] = (at_least[:, None, :] > where[:, :, None]).sum(axis=2)
    rows = np.repeat(np.arange(n), DRAWS)
    return deals[rows].replace(tables=tables.reshape(-1, 5, 4))


def _deal_candidates(job: Job, n_deals: int, is_stopped: Callable[[], bool]) -> Deals:
    """Return deals that meet the clauses that need no solver."""
    clauses = job.plan.cheap_clauses
    plan = replace(job.plan, clauses=clauses, n_solver_clauses=0, actions=())
    options = replace(job.options, frame=None, files=None)
    job = replace(job, options=options, plan=plan, limits=Limits(job.limits.generate, n_deals))
    parts = []
    for batch in run_batches(job):
        parts.append(batch.produced.deals)
        if is_stopped():
            break
    return Deals.concatenate(parts)

"""What a `Result` keeps of its run besides reports and deals, so that results can be combined and saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.actions import (
    Action,
    AverageReport,
    FrequencyReport,
    Report,
    RunTotals,
    TextSettings,
    Writer,
    create_writer,
)
from dealerkit.actions.axes import Axis
from dealerkit.appearance.wording import join_words
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.acceptance import scale_to_deals
from dealerkit.planning.plan import DEAL_NS, Plan
from dealerkit.simulation.acceptance import estimate_acceptance
from dealerkit.simulation.calls import describe_options
from dealerkit.simulation.execute import Execution
from dealerkit.statistics import Counts, Coverage, Estimate

if TYPE_CHECKING:
    from dealerkit.simulation.levelling import Levelling

MAX_SEEDS = 4  # seeds that a text lists
MIN_BUDGET_NS = 2e7  # processor time that all counts for a text may take together,
RUN_SHARE = 0.05  # or this share of the cost of the run
MAX_CURVES_NS = 2e9  # processor time that all counts for a plot or HTML may take together
RANGE_BUDGET_NS = 1e8  # cost of finding the values that a condition allows: below that of a short run


class SavedSampler(NamedTuple):
    """What a loaded result knows of the sampler of its conditional plan; `version` is that of the dealing."""

    share: Fraction
    accepts_all: bool
    version: int


@dataclass(frozen=True)
class Part:
    """A run whose deals are part of a result.

    Attributes
    ----------
    seed : int
    proposed : int
        Number of deals dealt; under a conditional plan, of candidates.
    n_kept : int
        Number of its produced deals that the result keeps.
    is_stopped : bool
        Whether it ended with the last deal to produce.
    options : mapping
        Options of the run that change its result; see `describe_options`.
    samples : sequence of str
        The samples that its deals are from; see `Source.samples`.
    """

    seed: int
    proposed: int
    n_kept: int
    is_stopped: bool
    options: Mapping[str, Any] = field(default_factory=dict)
    samples: Sequence[str] = ()


@dataclass(frozen=True, eq=False, repr=False)
class RunRecord:
    """The accumulated state of a run, or of several whose results are combined.

    Attributes
    ----------
    parts : tuple of Part
    plain : Plan
        The plan that evaluates all clauses on plainly dealt deals; exact counts are based on it.
    actions : tuple of Action
        The plan's actions with everything they have accumulated.
    predeal : Predeal
        All predealt cards and lengths.
    has_curves : bool
        Whether frequencies have exact shares: the plan was chosen for plain uniform deals.
    swap : int
    confidence : float
    coverage : Coverage
        What the deals dealt represent, for the estimates.
    acceptance : Counts or None
        Numbers of deals rejected and accepted, if the source has clusters or weights.
    levelling : Levelling or None
        The hand types of a levelled run.
    types : ndarray of int8 [n] or None
        The hand type of each kept deal of a levelled run.
    statistics : bool
        Whether the text ends with the numbers of deals.
    printed : str or None
        The text of the produced deals; None if the caller's `write` took it.
    source : str
        How the text describes the source of the deals.
    """

    parts: tuple[Part, ...]
    plain: Plan
    actions: tuple[Action, ...]
    predeal: Predeal
    has_curves: bool
    swap: int
    confidence: float
    coverage: Coverage
    acceptance: Counts | None
    levelling: Levelling | None
    types: np.ndarray | None
    statistics: bool
    printed: str | None
    source: str

    @property
    def proposed(self) -> int:
        """Number of deals dealt, or of candidates, in all runs."""
        return sum(part.proposed for part in self.parts)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each run."""
        return tuple(part.seed for part in self.parts)

    @property
    def samples(self) -> frozenset[str]:
        """The samples that the deals are from."""
        return frozenset(name for part in self.parts for name in part.samples)

    def make_writer(self) -> Writer:
        """Return a writer for the texts of these runs."""
        program = self.plain.program
        settings = TextSettings(
            program.script.file, self.seeds[0], program.dealer, program.vulnerable, program.title,
            program.start_board,
        )  # fmt: skip
        return create_writer(program.script.rules, settings)

    def make_reports(self) -> tuple[Report, ...]:
        """Return the reports of the actions that have one.

        Warns
        -----
        IncompleteWarning
            A hand type of a levelled run has no deal.
        """
        made = (action.report(self.confidence, self.coverage) for action in self.actions)
        reports = tuple(report for report in made if report is not None)
        if self.plain.clauses or self.predeal:
            for report in reports:
                if isinstance(report, AverageReport):
                    report.narrow_range(self._find_range)
        if self.has_curves:
            add_exact_curves(reports, self.plain, self.predeal, self.proposed)
        if self.levelling is not None:
            from dealerkit.simulation.levelling import complete_reports  # few runs have hand types

            complete_reports(self.levelling, reports, self.actions, self.confidence, self._find_type_range)
        for report in reports:
            report.set_samples(self.samples)
        return reports

    def _find_type_range(self, slot: int, number: int) -> tuple[float, float] | None:
        """Return the smallest and largest value of an expression on the deals of a hand type."""
        level = self.plain.program.level
        assert level is not None
        return self._find_range(slot, self.plain.graph.split_clauses(level.types[number].value))

    def _find_range(self, slot: int, others: Sequence[int] = ()) -> tuple[float, float] | None:
        """Return the least and the greatest value that condition, predeal and others allow an expression."""
        from dealerkit.counting.exact import find_exact_range  # few runs need it

        clauses = (*self.plain.clauses, *others)
        return find_exact_range(self.plain.graph, slot, clauses, self.predeal, RANGE_BUDGET_NS)

    def estimate_probability(self, plan: Plan, produced: int) -> Estimate:
        """Return the acceptance rate of deals under a plan."""
        if self.levelling is not None:
            return replace(self.levelling.kept_share, samples=self.samples)
        is_stopped = all(part.is_stopped for part in self.parts if part.proposed)
        probability = estimate_acceptance(
            self.acceptance, produced, self.proposed, self.confidence, self.coverage, is_stopped
        )
        scaled = probability if plan.sampling is None else scale_to_deals(probability, plan)
        return replace(scaled, samples=self.samples)

    def estimate_equivalent(self, plan: Plan, produced: int, probability: Estimate) -> float:
        """Return the approximate number of deals that a plain run would have dealt."""
        if self.levelling is not None:
            return produced / probability.value
        return self.proposed / (1.0 if plan.sampling is None else float(plan.sampling.share) or 1.0)

    def format_reports(self, reports: Sequence[Report], totals: RunTotals) -> str:
        """Return the text after the produced deals: the reports and the totals."""
        writer = self.make_writer()
        texts = [piece for report in reports for piece in writer.stream_report(report)]
        return "".join([*texts, writer.format_ending(totals) if self.statistics else ""])


def record_run(execution: Execution, has_statistics: bool) -> RunRecord:
    """Return the record of an executed job, which later changes of the job do not affect."""
    job, collector = execution.job, execution.collector
    options, acceptance = job.options, collector.acceptance
    predeal = job.program.predeal
    if options.predeal is not None:
        predeal += Predeal.from_mapping(options.predeal)
    levelled: Any = job.source if job.plan.name == "levelled" else None
    is_stopped = acceptance.produced == job.limits.produce
    part = Part(
        job.seed, acceptance.generated, len(collector.numbers), is_stopped, describe_options(options),
        sorted(job.source.samples),
    )  # fmt: skip
    counts = None
    if acceptance.counts is not None:
        counts = Counts((0, 1))
        counts.merge(acceptance.counts)
    return RunRecord(
        parts=(part,),
        plain=job.plain,
        actions=tuple(action.copy() for action in collector.actions),
        predeal=predeal,
        has_curves=job.predeal is not None,
        swap=options.swap,
        confidence=options.confidence,
        coverage=collector.coverage,
        acceptance=counts,
        levelling=None if levelled is None else levelled.levelling,
        types=None if levelled is None else levelled.types[collector.numbers],
        statistics=has_statistics,
        printed=None if options.write is not None else "".join(collector.pieces),
        source=job.source.description,
    )


def describe_seeds(seeds: Sequence[int]) -> str:
    """Return the seeds of runs as text.

    >>> describe_seeds([7]), describe_seeds([1, 2, 3]), describe_seeds(range(1, 101))
    ('seed 7', 'seeds 1, 2 and 3', '100 seeds')
    """
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    return f"seeds {join_words(map(str, seeds))}" if len(seeds) <= MAX_SEEDS else f"{len(seeds)} seeds"


def add_exact_curves(reports: Iterable[Report], plan: Plan, predeal: Predeal, proposed: int) -> None:
    """Set the function of each frequency report of a run that counts its exact shares.

    Nothing is counted yet. A text shows exact shares if the counts of all its frequencies take at most about
    20 ms, or a twentieth of the cost of the run; plots and HTML show them if one count takes at most half a
    second and all counts at most two seconds. Costs are computed from the size of a count, not measured, so
    equal runs give equal texts.

    Parameters
    ----------
    reports : iterable of Report
    plan : Plan
        The plain plan with all clauses, for a run that deals uniformly and without weights.
    predeal : Predeal
        All predealt cards and lengths.
    proposed : int
        Number of deals that were dealt.
    """
    frequencies = [report for report in reports if isinstance(report, FrequencyReport)]
    limit = MAX_CURVES_NS / max(len(frequencies), 1)
    for report in frequencies:
        report.text_budget_ns = max(MIN_BUDGET_NS, RUN_SHARE * DEAL_NS * proposed) / len(frequencies)
        report.exact_counter = partial(_count_shares, plan, predeal, report.slot, report.axis, limit)


def _count_shares(
    plan: Plan, predeal: Predeal, slot: int, axis: Axis, limit_ns: float, budget_ns: float | None
) -> np.ndarray | None:
    """Return the exact shares of the rows, float64 [buckets + 2]; None if counting them takes longer."""
    from dealerkit.counting.exact import BUDGET_NS, MIN_COUNT_NS, count_cell_shares
    from dealerkit.counting.features import NotAdditive  # a run without a curve does not import these
    from dealerkit.counting.suit_splits import TooManyStates

    limit = min(BUDGET_NS, limit_ns if budget_ns is None else budget_ns)
    if limit < MIN_COUNT_NS:  # for many tables; their sums need not be computed either
        return None
    n_rows = axis.n_buckets + 2
    try:
        shares = count_cell_shares(plan.graph, slot, axis.find_rows, n_rows, plan.clauses, predeal, limit)
    except (NotAdditive, TooManyStates):
        return None
    return shares if shares.any() else None

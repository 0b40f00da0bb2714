"""The execution of a job: batches of deals in order, until a limit or an interrupt, with a progress bar."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from dealerkit.appearance.numbers import format_count, format_number, format_significant
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.planning import Limits
from dealerkit.planning.acceptance import AcceptanceForecast
from dealerkit.runtime.process import interrupt_at_termination
from dealerkit.runtime.progress import DELAY, ProgressBar
from dealerkit.simulation.collector import Collector
from dealerkit.simulation.job import Job
from dealerkit.simulation.loops import ProducedBatch, run_batches
from dealerkit.statistics import Estimate

MIN_PRODUCED = 10  # produced deals from which the run's own acceptance rate is shown
MAX_EXPECTED = 0.99  # largest part of the bar that the forecast alone can fill


@dataclass(frozen=True, eq=False)
class Execution:
    """An executed job.

    Attributes
    ----------
    job : Job
    collector : Collector
    interrupted : bool
        Whether Ctrl-C ended the run; the collector has all deals before it.
    unsatisfiable : tuple of str
        The clauses, as text, that provably no deal satisfies together, if nothing was produced.
    limit : str
        The `RunLimits` limit that ended the run.
    """

    job: Job
    collector: Collector
    interrupted: bool
    unsatisfiable: tuple[str, ...]
    limit: str = ""


def execute(job: Job, watch: Callable[[Execution], bool] | None = None) -> Execution:
    """Deal, evaluate and accumulate until the limits of the job are reached.

    `watch` is called with the execution after each batch; True ends the run as an interrupt does.

    Raises
    ------
    EvaluationError
        An expression has no value for a deal that the run needs.
    ArgumentError, FileError
        A file of the run cannot be written.
    """
    options = job.options
    collector = Collector(job)
    acceptance = collector.acceptance
    interrupted = is_checked = False
    unsatisfiable: tuple[str, ...] = ()
    forecast = job.forecast
    with contextlib.ExitStack() as stack:
        # Open the bar, the files, and the checkpoint from which the run continues
        stack.enter_context(interrupt_at_termination())
        bar = stack.enter_context(Progress(job.limits, options.progress, forecast, job.candidate_share))
        collector.open(stack)
        checkpoint = None
        if options.checkpoint is not None:
            from dealerkit.simulation.checkpoint import Checkpoint  # few runs have one

            checkpoint = Checkpoint(options.checkpoint, job)
            checkpoint.restore(collector)
        # Add batches until a limit, an interrupt, or a proof that no deal meets the condition
        batches = _choose_loop(job, collector)
        measuring = stack.enter_context(contextlib.ExitStack())
        measuring.enter_context(collector.watch.measure(job.started))
        try:
            for batch in batches:
                collector.add(batch)
                if collector.watch.reason:
                    break
                if checkpoint is not None:
                    checkpoint.save_sometimes(collector)
                bar.update(acceptance.generated, acceptance.produced)
                if watch is not None and watch(Execution(job, collector, False, ())):
                    interrupted = True
                    break
                if acceptance.produced:
                    continue
                elapsed = time.perf_counter() - job.started
                if forecast is not None and not is_checked and elapsed > DELAY:
                    is_checked, unsatisfiable = True, forecast.unsatisfiable_clauses
                    if unsatisfiable:
                        break
                if options.give_up is not None and elapsed >= options.give_up:
                    break
        except KeyboardInterrupt:
            interrupted = True
        finally:
            measuring.close()
            batches.close()  # ends its threads
        if checkpoint is not None:
            checkpoint.save(collector)
    # Find what ended the run
    limit = collector.watch.reason or _find_deal_limit(job, collector)
    interrupted = interrupted or bool(collector.watch.reason)
    if forecast is not None and not (is_checked or interrupted or acceptance.produced):
        unsatisfiable = forecast.unsatisfiable_clauses if acceptance.generated else ()
    return Execution(job, collector, interrupted, unsatisfiable, limit)


def _find_deal_limit(job: Job, collector: Collector) -> str:
    """Return the limit of deals dealt if it ended the run, otherwise an empty text."""
    limits = job.options.limits
    if limits is None or limits.deals is None or job.requested.generate != limits.deals:
        return ""
    acceptance = collector.acceptance
    is_end = acceptance.generated == job.limits.generate and acceptance.produced != job.limits.produce
    return f"{format_count(limits.deals)} deals" if is_end else ""


def _choose_loop(job: Job, collector: Collector) -> Generator[ProducedBatch]:
    """Return the loop that a job needs, which continues after what was collected."""
    acceptance = collector.acceptance
    if job.options.stream == "classic" or job.plan.has_board:
        from dealerkit.simulation.deal_by_deal import find_program, run_deal_by_deal  # few runs need it

        program = find_program(job.plan, job.source)
        if program is not None:
            if job.options.checkpoint is not None:
                raise ArgumentError(
                    Parameter("checkpoint="),
                    " is not possible if each deal is evaluated before the next one is dealt, as with rnd "
                    "on a classic stream; leave out ",
                    Parameter("stream="),
                )
            return run_deal_by_deal(job, program)
    return run_batches(
        job, collector.n_used, acceptance.generated, acceptance.produced, collector.part_folder
    )


class Progress:
    """A progress bar on the terminal or in the notebook; nothing if the output is redirected.

    Parameters
    ----------
    limits : Limits
        The bar shows the part of the nearer of the two limits; under a conditional plan, the generate limit
        counts candidates.
    shown : bool or None
        None: only on a terminal or in a notebook, after a second.
    forecast : AcceptanceForecast, optional
        Its rate is computed once, when the bar appears. It determines the remaining time until deals have
        been produced.
    share : float
        Share of all deals that are candidates; below 1 under a conditional plan.
    """

    def __init__(
        self,
        limits: Limits,
        shown: bool | None = None,
        forecast: AcceptanceForecast | None = None,
        share: float = 1.0,
    ) -> None:
        self._bar = ProgressBar(shown)
        self._limits, self._shown, self._forecast, self._share = limits, shown, forecast, share
        self._rate: Estimate | None = None
        self._part = 0.0

    def __enter__(self) -> Progress:
        self._bar.__enter__()
        if self._shown:
            self.update(0, 0)
        return self

    def update(self, generated: int, produced: int) -> None:
        """Show how many deals have been dealt (candidates under a conditional plan) and produced."""
        if not self._bar.is_due:
            return
        if self._forecast is not None:
            rate, self._forecast = self._forecast.rate, None
            self._rate = rate if rate is not None and rate.hi > 0 else None
        self._part = max(self._part, self._compute_part(generated, produced))
        self._bar.update(self._part, self._describe(generated, produced, self._bar.elapsed))

    def _compute_part(self, generated: int, produced: int) -> float:
        """Return the part of the run that is done, in [0, 1]."""
        parts = [
            done / limit
            for done, limit in ((generated, self._limits.generate), (produced, self._limits.produce))
            if limit
        ]
        if self._rate is not None and self._rate.value and self._limits.produce and produced < MIN_PRODUCED:
            n_expected = self._limits.produce * self._share / self._rate.value
            parts.append(min(generated / n_expected, MAX_EXPECTED))
        return max(parts, default=0.0)

    def _describe(self, generated: int, produced: int, elapsed: float) -> str:
        """Return the text beside the bar."""
        unit = "candidates" if self._share < 1 else "dealt"
        counts = f"{format_count(produced)} of {format_count(generated)} {unit}"
        if self._rate is None or produced >= MIN_PRODUCED:
            return f"{counts}, {format_number(generated / elapsed, 0)} a second"
        if self._rate.value:
            return f"1 deal in {format_significant(1 / self._rate.value)}; {counts}"
        return f"fewer than 1 deal in {format_significant(1 / self._rate.hi)}; {counts}"

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)

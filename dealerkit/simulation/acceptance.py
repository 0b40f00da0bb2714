"""Counts of dealt and accepted deals, and the acceptance rate of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import Source
from dealerkit.errors import NothingProducedWarning, UnsatisfiableWarning
from dealerkit.language.printer import to_text
from dealerkit.planning import Plan
from dealerkit.planning.proofs import prove_value
from dealerkit.statistics import Counts, Coverage, Estimate
from dealerkit.statistics.coverage import estimate_proportion


class AcceptanceCounter:
    """A counter of accepted deals, by cluster and weight where the source has them.

    Attributes
    ----------
    produced, generated : int
        Deals accepted; deals dealt.
    counts : Counts or None
        Numbers of deals rejected (0) and accepted (1), if the source has clusters or weights.
    """

    def __init__(self, source: Source) -> None:
        self.produced = self.generated = 0
        self._source = source
        plain = source.clusters(0, 0) is None and source.weights(0, 0) is None
        self.counts = None if plain else Counts((0, 1))

    def update(self, numbers: np.ndarray, generated: int) -> None:
        """Add the next deals.

        Parameters
        ----------
        numbers : ndarray of int64 [shape=(n,)]
            Numbers of the accepted deals.
        generated : int
            Number of deals dealt so far, including these.
        """
        if self.counts is not None:
            first, count = self.generated, generated - self.generated
            accepted = np.zeros(count, np.int8)
            accepted[numbers - first] = 1
            self.counts.update(
                accepted, self._source.weights(first, count), self._source.clusters(first, count)
            )
        self.produced += len(numbers)
        self.generated = generated

    def merge(self, n_produced: int, generated: int, counts: Sequence[Counts | None]) -> None:
        """Add the next deals from other counters; `generated` is as for `update`."""
        for part in counts:
            if self.counts is not None and part is not None:
                self.counts.merge(part)
        self.produced += n_produced
        self.generated = generated

    @property
    def coverage(self) -> Coverage:
        """What the deals dealt represent; those of a source of all deals are a part of them until its end."""
        is_part = self._source.coverage == "all" and self.generated != self._source.n_deals
        return "part" if is_part else self._source.coverage


def estimate_acceptance(
    counts: Counts | None,
    produced: int,
    generated: int,
    confidence: float,
    coverage: Coverage = "sample",
    is_stopped: bool = False,
) -> Estimate:
    """Return the acceptance rate with its interval, from weighted or clustered counts if there are any.

    `is_stopped` says that the run ended because the last deal to produce was found; the estimate from plain
    numbers takes this into account.
    plain numbers takes it into account.
    """
    if counts is None or not generated:
        return estimate_proportion(produced, generated, confidence, coverage, is_stopped)
    return counts.share(1, confidence=confidence)


def list_impossible_clauses(plan: Plan) -> tuple[str, ...]:
    """Return the clauses, as text, that leave a conditional plan no deals; none for another plan."""
    if not plan.is_impossible or plan.sampling is None:
        return ()
    return tuple(to_text(plan.graph.operations[slot].node) for slot in plan.sampling.sampled_clauses)


def list_unmet_clauses(plan: Plan, acceptance: AcceptanceCounter) -> tuple[str, ...]:
    """Return the clauses, as text, of a run on all layouts of which none met the condition; else none."""
    is_complete = acceptance.generated and not acceptance.produced and acceptance.coverage == "all"
    if not is_complete or plan.graph.has_kind(plan.clauses, "random"):
        return ()
    return tuple(to_text(plan.graph.operations[slot].node) for slot in plan.clauses)


def find_determined_clause(plan: Plan, predeal: Predeal | None) -> str:
    """Return why the predeal makes a clause false, after a semicolon; otherwise an empty text."""
    clauses = (*plan.clauses, *(plan.sampling.sampled_clauses if plan.sampling else ()))
    for slot in clauses if predeal else ():
        proof = prove_value(plan.graph, slot, predeal)
        if proof is not None and not proof[0]:
            return f"; {proof[1]}"
    return ""


def find_warning(
    generated: int | None,
    unsatisfiable: Sequence[str],
    coverage: Coverage = "sample",
    is_read: bool = False,
    reason: str = "",
) -> NothingProducedWarning | None:
    """Return the warning for a run that produced nothing; None if nothing was dealt either.

    `unsatisfiable` contains the clauses, as text, that provably no deal satisfies together; or that none of
    all layouts of the cards satisfies, if `coverage` is that of a run on all of them. `is_read` says that all
    deals of a source were dealt. `reason` is that of `find_determined_clause`.
    """
    # The condition is proved impossible
    if unsatisfiable and generated and coverage == "all":
        return UnsatisfiableWarning(
            f"none of all {format_count(generated)} layouts meets the condition: "
            f"{' and '.join(unsatisfiable)}"
        )
    if unsatisfiable:
        end = "" if generated else "; nothing was dealt"
        return UnsatisfiableWarning(
            f"no deal can meet the condition: {' and '.join(unsatisfiable)}{reason}{end}"
        )
    # Nothing was found; the remedy depends on what the deals represent
    if not generated:
        return None
    none = f"no deal of {format_count(generated)} met the condition"
    if coverage == "all":
        return NothingProducedWarning(
            f"none of all {format_count(generated)} layouts met the condition with the random "
            "numbers of this seed; "
            "another seed has others"
        )
    if coverage == "part":
        return NothingProducedWarning(
            f"{none}; they are the first layouts in their order, not a random sample. Run on all layouts, "
            "without a generate limit, or on a random sample: all_deals(...).sample(n)"
        )
    if is_read:
        return NothingProducedWarning(
            f"{none}, and the source has no more deals. Try each clause of the condition alone"
        )
    return NothingProducedWarning(
        f"{none}; it may be impossible or very rare. "
        "Try each clause of the condition alone, or raise the generate limit"
    )

"""Comparison of evaluators: how well each predicts double-dummy tricks, with intervals."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dealerkit.arguments import HasCondition, check_integer, check_name, is_empty, is_listing, read_given
from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.journal import Journal
from dealerkit.errors import ArgumentError, DealerkitWarning, Parameter, SmallSample, warn_caller
from dealerkit.runtime.executors import use_executor
from dealerkit.runtime.progress import ProgressBar, long_work, track_items
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.comparison.decide import REPLICATES, DecisionQuestion, decide
from dealerkit.studies.comparison.measure_statistics import analyze
from dealerkit.studies.comparison.measures import Measure, PlayedSides, Sides, collect_measures
from dealerkit.studies.comparison.predictions import Predictions
from dealerkit.studies.comparison.side_data import SideData, SideRows, check_folds, take_sample
from dealerkit.studies.comparison.trial import Trial, TrialWarning
from dealerkit.studies.provenance import repeatable
from dealerkit.studies.sides import (
    TRICKS_DECLARERS,
    Played,
    PlayedContracts,
    find_evaluators,
    parse_strain_rule,
)

ROWS_SHARE = 0.05  # share of the comparison's time that computing the evaluators takes
ACTUAL = "actual tricks"  # the target for results of tournaments


@long_work
@repeatable
def compare(
    measures: Iterable[str] | Mapping[str, Any],
    *,
    sample: Deals | Played | None = None,
    strain: str = "best major",
    target: str | np.ndarray = "tricks",
    where: str | HasCondition | None = None,
    by: str | Mapping[str, str] | np.ndarray | None = None,
    events: str | Iterable[str] | Mapping[str, str] = (),
    decision: tuple[str, str] | None = None,
    vulnerable: bool = False,
    scoring: str = "imps",
    confidence: float = 0.95,
    folds: int = 10,
    seed: int = 1,
    replicates: int = REPLICATES,
    declarer: str = "better",
    executor: Any = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Trial:
    """Compare how well evaluators predict double-dummy tricks.

    Each side of every deal is a row. A straight line (least squares) predicts the target from each measure,
    so units do not matter. The two sides of a deal depend on each other; therefore intervals come from
    leaving out whole deals (jackknife), and cross-validation predicts whole deals from the others.

    Parameters
    ----------
    measures : list of str, or mapping of str to str, list or ndarray
        Names of evaluators such as ``hcp``, ``ltc``, ``fit``, whose values for two hands are combined by the
        rule of the evaluator. Or new names with expressions of the language for north-south, in which
        evaluators may be written without arguments; with a list of expressions, whose best linear combination
        predicts; or with values, an ndarray [n, 2] for NS and EW, or [n, 2, p]. An evaluator without
        arguments that takes a strain, such as ``zar`` or ``fit``, is evaluated in the strain that the side
        plays. For another strain, write it, as in ``{"zar": "zar(NS, spades)"}``; ``zar(NS)`` chooses a
        strain itself. All others are compared with the first measure.
    sample : Deals or TournamentResults, optional
        Deals with `tables`; by default `dealerkit.solved_sample`. Sides of deals with the same `cluster` stay
        together, and `weight` weights them. Or results of tournaments with known cards: each contract is a
        row for the declaring side, and all tables of a deal form one cluster.
    strain : str
        ``best major`` (the longer major, spades if equal), ``longest fit`` (the highest if several are
        equal), ``best suit`` (the suit with most tricks, the longest if several are equal), ``notrump`` or a
        suit. Results have the strain of their contracts; a strain then selects the contracts in it.
    target : str or ndarray
        What is predicted: an expression for north-south, in which `tricks` is the number of tricks in the
        strain played, such as ``"tricks"`` or ``"tricks >= 10"``; or values, an ndarray [n, 2]. For results:
        ``"actual tricks"``, those that declarer took at the table, or an expression with these as `tricks`.
    where : str or Auction, optional
        Use only sides for which this expression for north-south is true, such as ``"fit >= 8"``, with the fit
        in the strain played; or sides that could be north-south in an auction, also after rotating the deal.
    by : str, mapping of str to str, or ndarray, optional
        Classes of sides; each class also gets its own trial. An expression such as ``"fit"``, whose values
        are the classes; conditions by name; or values [n, 2] or [n].
    events : iterable of str, or mapping of str to str
        Events whose probability is predicted: ``game``, ``slam``, ``grand slam``, or conditions such as
        ``tricks >= 9``. See `Trial.predictions`.
    decision : tuple of two str, optional
        Two contracts such as ``("4M", "3M")``. The trial then shows what each evaluator gains as a guide for
        choosing between them: a side bids the first if the evaluator passes its threshold, otherwise the
        second.
    vulnerable : bool
        Whether the side that decides is vulnerable.
    scoring : {"imps", "points", "matchpoints"}
        Scoring for the decision.
    confidence : float in (0, 1)
        Confidence level of the intervals.
    folds : int, 2 to 30
        Number of folds, groups of deals, for cross-validation.
    seed : int >= 0
        Seed of the folds and of the resamples.
    replicates : int >= 100
        Number of resamples, with replacement, for the intervals of the decision.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more tricks, or the mean of both hands.
    executor : distributed.Client, concurrent.futures.Executor or str, optional
        Evaluate costly measures in other processes, as for `dealerkit.run`.
    checkpoint : str or os.PathLike, optional
        A file that receives the values of each measure when they are complete. If it exists, the same call
        does not evaluate them again; a file of another call is refused.

    Returns
    -------
    Trial

    Raises
    ------
    ArgumentError
        The sample is not solved; it has fewer than 30 deals; an evaluator has one value for all or nearly all
        sides, or is a linear function of another; values have the wrong shape or are not finite.
    UnknownNameError, ScriptError
        A name is unknown or an expression is invalid.

    Warns
    -----
    TrialWarning
        `where` or `by` uses one of the compared evaluators. Selecting by an evaluator lowers its own
        correlation and biases the others; for `where`, the result therefore also has the statistics without
        selection.
    SmallSample
        A class has fewer than 30 deals and is left out; or weights are so unequal that they count as fewer.

    Examples
    --------
    >>> import dealerkit as dk
    >>> deals = dk.solved_sample()[:50_000]
    >>> trial = compare(["hcp", "controls"], sample=deals, strain="notrump")
    >>> trial.frame.R.round(2).tolist(), trial.sides
    ([0.88, 0.83], 100000)
    """
    # The arguments, and what a checkpoint must match
    check_confidence(confidence)
    seed, replicates = check_integer("seed", seed), check_integer("replicates", replicates, 100)
    folds, declarer = check_folds(folds), check_name("declarer", declarer, TRICKS_DECLARERS)
    question = None if decision is None else DecisionQuestion.parse(decision, vulnerable, scoring)
    selecting: Any = None if where is None else read_given(where)  # a text
    rule, compared = parse_strain_rule(strain), collect_measures(measures)
    contracts = sample.list_contracts() if isinstance(sample, Played) else None
    is_actual = _check_target(contracts, target, question)
    if not isinstance(events, str | Mapping) and is_listing(events):  # else it is refused below
        events = tuple(events)
    arguments = {
        "measures": {each.name: each.predictors for each in compared}, "strain": strain,
        "sample": sample if contracts is None else contracts,
        "target": target, "where": selecting, "by": by, "events": events, "decision": decision,
        "vulnerable": vulnerable, "scoring": scoring, "confidence": confidence, "folds": folds, "seed": seed,
        "replicates": replicates, "declarer": declarer,
    }  # fmt: skip
    with use_executor(executor), ProgressBar(has_steps=True) as bar:
        # The values of all measures as rows
        sides: Sides
        if contracts is None:
            sides = Sides(take_sample(sample), rule, declarer)
        else:
            sides = PlayedSides(contracts, rule)
        bar.span = 0.0, ROWS_SHARE
        with Journal(checkpoint, "compare", arguments) as journal:
            rows = SideRows(sides, compared, "tricks" if is_actual else target, seed, folds, journal)
        fields = {
            "strain": rule, "declarer": sides.declarer, "where": selecting,
            "target": target if isinstance(target, str) else "values",
            "confidence": confidence, "folds": folds, "replicates": replicates, "seed": seed,
        }  # fmt: skip
        happened = {} if is_empty(events) else rows.find_events(sides, events)
        labels = {each.name: each.labels for each in compared}
        build = _TrialBuilder(rows.data, labels, happened, question, fields)
        # The selected sides; all sides too, if a compared evaluator selects them
        chosen = every = rows.order(sides.is_compared)
        unselected = None
        if selecting is not None:
            chosen = every & rows.order(sides.select(selecting))
            if circular := _find_circular(compared, [selecting]):
                unselected = build(every, where=None)
                warn_caller(
                    TrialWarning(
                        Parameter("where=", getattr(selecting, "shown", selecting)),
                        f" selects by compared evaluators ({circular}): the statistics of the selected "
                        "sides are "
                        "biased; those of all sides are also shown",
                    )
                )
        bar.span = ROWS_SHARE, 1.0 if by is None else (1 + ROWS_SHARE) / 2
        trial = build(
            chosen,
            f" with {getattr(selecting, 'shown', selecting)}" if selecting else "",
            unselected=unselected,
        )
        if by is None:
            return trial
        # The same for each class
        texts = list(by.values()) if isinstance(by, Mapping) else [by] if isinstance(by, str) else []
        if circular := _find_circular(compared, texts):
            warn_caller(
                TrialWarning(
                    Parameter("by=", by) if isinstance(by, str) else Parameter("by"),
                    f" selects by compared evaluators ({circular}): their statistics in classes are biased; "
                    "compare the classes with the statistics of all sides",
                )
            )
        classes = {name: rows.order(members) & chosen for name, members in sides.classify(by).items()}
        if not isinstance(by, Mapping):  # values that no selected side has are not classes
            classes = {name: members for name, members in classes.items() if members.any()}
        bar.span = (1 + ROWS_SHARE) / 2, 1.0
        return replace(trial, classes=build.split(classes))


def _check_target(
    contracts: PlayedContracts | None, target: object, question: DecisionQuestion | None
) -> bool:
    """Return whether the target is the tricks taken at the table; raise ArgumentError for misuse."""
    is_actual = isinstance(target, str) and " ".join(target.split()) == ACTUAL
    if contracts is None:
        if is_actual:
            raise ArgumentError(
                Parameter("target=", ACTUAL), " needs results of tables; give them as ", Parameter("sample="),
                ", as in sample=dk.results('evening.pbn')",
            )  # fmt: skip
        return False
    if isinstance(target, str) and target == "tricks":
        raise ArgumentError(
            "for results, give ", Parameter("target=", ACTUAL), ", the tricks taken at the table; a sample "
            "of "
            "solved deals has double-dummy tricks",
        )  # fmt: skip
    if question is not None:
        raise ArgumentError(
            "results do not show what another contract would have made; leave out ", Parameter("decision=")
        )
    return is_actual


def _find_circular(compared: list[Measure], texts: list[str]) -> str:
    """Return the names of the measures that share an evaluator with the conditions."""
    used: set[str] = set().union(*(find_evaluators(text) for text in texts if isinstance(text, str)))
    return ", ".join(measure.name for measure in compared if used & measure.evaluators)


class _TrialBuilder:
    """Builds trials from selected rows."""

    def __init__(
        self,
        data: SideData,
        labels: dict[str, list[str]],
        events: dict[str, np.ndarray],
        question: DecisionQuestion | None,
        fields: dict[str, Any],
    ) -> None:
        self._data, self._labels, self._events = data, labels, events
        self._question, self._fields = question, fields

    def __call__(self, chosen: np.ndarray, group: str = "", is_class: bool = False, **changed: Any) -> Trial:
        """Return the trial of the selected rows, bool [rows]; `changed` replaces other fields.

        If a class has too few deals for its events or decision, these are left out with a warning.
        """
        # The statistics of the selected rows
        fields = self._fields | changed
        data = self._data if chosen.all() else self._data.select(chosen)
        analysis = analyze(data, self._labels, fields["confidence"], group)
        # Predictions and decision, which a small class may lack
        events = {name: occurs[chosen] for name, occurs in self._events.items()}
        settings = {name: fields[name] for name in ("confidence", "seed", "replicates")}
        makers: dict[str, Callable[[], Any]] = {
            "predictions": lambda: Predictions(data, events, fields["confidence"], fields["target"])
        }
        if self._question is not None:
            question = self._question
            makers["decision"] = lambda: decide(data, question, **settings)
        parts = {}
        for name, make in makers.items():
            try:
                parts[name] = make()
            except ArgumentError as error:
                if not is_class:
                    raise
                warn_caller(f"{group.strip()} no {name}: {error}", SmallSample)
        return Trial(
            **(vars(analysis) | fields), deals=data.deals, sides=len(data), weighted=data.weight is not None,
            **parts,
        )  # fmt: skip

    def split(self, classes: dict[str, np.ndarray]) -> dict[str, Trial]:
        """Return the trial of each class; classes without enough deals are left out with a warning."""
        trials = {}
        for name, rows in track_items(classes.items(), len(classes), "classes"):
            if not rows.any():
                raise ArgumentError(f"no side is in the class {name!r}; remove it, or give more deals")
            group = f"in the class {name!r}"
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    trials[name] = self(rows, f" {group}", is_class=True)
                except ArgumentError as error:
                    warn_caller(f"the class {name!r} is left out: {error}", SmallSample)
            for warning in caught:  # each warning says to which class it belongs
                text = str(warning.message)
                if issubclass(warning.category, DealerkitWarning):
                    warn_caller(text if repr(name) in text else f"{group}: {text}", warning.category)
                else:
                    warn_caller(warning.message)
        if not trials:
            raise ArgumentError(f"none of {len(classes)} classes can be compared; give fewer, or more deals")
        return trials

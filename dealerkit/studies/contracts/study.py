"""`contracts`: contracts and strategies compared on the same deals, double dummy."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from dealerkit.appearance.wording import describe_object
from dealerkit.arguments import check_integer, check_name, check_truth, is_empty, read_given
from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import compile_condition
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.leads import LeadRule, check_lead_rule
from dealerkit.doubledummy.ledger import open_ledger
from dealerkit.errors import ArgumentError, Parameter, quote
from dealerkit.formats.library import Library
from dealerkit.formats.solved_libraries import check_plain
from dealerkit.language.script_variables import Params
from dealerkit.runtime.progress import Progress, long_work, show_progress
from dealerkit.scoring import SCORINGS, check_scoring
from dealerkit.simulation.calls import drop_empty, read_text
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.contracts.decision_lists import Strategy, collect_strategies
from dealerkit.studies.contracts.estimates import build_study
from dealerkit.studies.contracts.outcomes import Comparison, ContractQuestion, list_states
from dealerkit.studies.contracts.result import ContractStudy
from dealerkit.studies.contracts.sampler import GainSampler, check_difference
from dealerkit.studies.estimate.population import ConditionPopulation, GivenDeals, Population
from dealerkit.studies.estimate.real_play import warn_of_bias
from dealerkit.studies.estimate.two_phase import sample_means
from dealerkit.studies.limits import StudyLimits, check_end
from dealerkit.studies.provenance import DEFAULT_SEEDS, list_samples
from dealerkit.studies.solved_stratum import name_argument, open_stratum

MADE_PRECISION = 0.02
BY_DEALS = 2000
METHODS = ("model", "plain")
SEED = DEFAULT_SEEDS["contracts"]  # so that equal calls return equal results


@long_work
def contracts(
    deals_or_given: Any,
    contracts: Any,
    *,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    include: Sequence[str | os.PathLike[str]] = (),
    solved: Library | Deals | Literal["auto"] | None = "auto",
    declarer: Any = None,
    vulnerable: Any = None,
    scoring: str = "imps",
    against: Any = None,
    by: str | None = None,
    real_play: bool = False,
    lead_rule: LeadRule | None = None,
    precision: float | None = None,
    produce: int | None = None,
    confidence: float = 0.95,
    method: str = "model",
    seed: int | None = None,
    max_seconds: float | None = None,
    max_solves: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> ContractStudy:
    """Compare contracts, or strategies that choose them, on the same deals, double dummy.

    Parameters
    ----------
    deals_or_given : Deals, Library, str, os.PathLike or Auction
        Deals, solved or not, as a random sample; or a condition of the dealer language (or its file), for
        which the study deals hands itself.
    contracts : list, dict, str
        Contracts such as ``["2NT", "3NT by north", "pass"]``; strategies, which are decision lists such as
        ``[("hcp(north) + hcp(south) >= 25", "3NT by north"), (True, "pass")]``; or a dict that names them.
    predeal, params
        As for `dealerkit.probability`.
    include : sequence of str or os.PathLike
        Folders to search for included files, as for `dealerkit.parse`.
    solved : "auto", Library, Deals or None
        Solved deals that a study of a condition uses first: those of the shipped sample and of
        `dealerkit.use_solved`, those of a library, or none. Cannot be combined with `produce`, `by` or
        `lead_rule`. All studies use the same solved deals, so such studies are not independent.
    declarer : seat, optional
        Declarer of contracts written without one.
    vulnerable : {"none", "NS", "EW", "both"}, int, bool, or a list of these, optional
        None: every vulnerability that changes a score, two if one side declares, otherwise four.
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
        Scoring of the gains: IMPs, the share of matchpoints or of a board above one half, or points.
    against : optional
        The contract or strategy that the others are compared with, by its name or as a new one; or a field,
        which is several with their shares, as ``{"4S": 0.7, "6S": 0.3}``. By default each is compared with
        the best of the others; if there are two, the second with the first.
    by : str, optional
        An expression such as ``"hcp(north) + hcp(south)"``: also return results for each of its values, and
        the value from which the first other contract gains. All deals are solved; `produce` defaults to
        2,000.
    real_play : bool
        Correct for the difference between tricks at the table and double dummy, by the level of the contract:
        in a share of the deals equal to the mean difference, declarer takes one trick more, or one fewer.
    lead_rule : str or callable, optional
        Rule of the opening lead, such as "fourth best" or "top of sequence", which sees only the leader's
        hand; or a function ``rule(hand, strain)``, called with texts, which returns one card or several. By
        default the lead is the best one, double dummy.
    precision : float, optional
        Largest half-width of the intervals of the gains, in their unit; the study ends when it is reached. By
        default 0.25 IMPs, 2 % of the matchpoints or 10 points; for a single contract, 2 % of its make
        probability.
    produce : int, optional
        Number of deals, all of them solved; cannot be combined with `precision`.
    confidence : float in (0, 1)
    method : {"model", "plain"}
        "plain" does without the trick model, which chooses the deals to solve.
    seed : int >= 0, optional
        Seed of the deals and of the choice of deals to solve; None: the same for each call.
    max_seconds, max_solves : float, int, optional
        End the study at this limit, with the intervals reached by then. An interrupt does the same.
    progress : bool, callable or None
        Whether to show a progress bar; by default it appears after a second on a terminal or in a notebook.
        Or a function, called as ``progress(done, total)`` with numbers of deals.
    checkpoint : str or os.PathLike, optional
        A file that receives what is solved, every 10 seconds, at an interrupt and at the end. If it exists,
        the same call continues from it, and the time spent before counts for `max_seconds`; a file of another
        call is refused.

    Returns
    -------
    ContractStudy

    Raises
    ------
    ArgumentError
        A contract, seat, vulnerability or scoring cannot be read; the strategies choose the same contract on
        all deals; there is no deal; arguments exclude each other.
    ScriptError
        A condition has a mistake.

    Warns
    -----
    DoubleDummyBias
        Double-dummy tricks assume that all cards are known.
    SmallSample
        There are fewer than 30 deals, or fewer on which the strategies differ.
    TruncatedRun
        The intervals are wider than the precision.
    CostWarning
        The study will take more than a minute.
    MistakeWarning
        A rule applies to no deal.

    Notes
    -----
    Deals on which all strategies choose the same contract count as differences of exactly zero and are not
    solved. If gains depend on only one or two numbers of tricks, as for 3NT over 2NT, the solver tests
    whether declarer takes that many, at a sixth of the cost of finding the number.

    Examples
    --------
    >>> from dealerkit import solved_sample
    >>> deals = solved_sample()[:20_000].where("hcp(north) + hcp(south) == 25")
    >>> study = contracts(deals, ["2NT", "3NT"], declarer="north", vulnerable="none")
    >>> study.makes("3NT")
    0.52 ± 0.03 (n = 980)
    >>> study.difference().lo > 0
    True
    """
    # The question and the limits
    check_confidence(confidence)
    question = build_question(
        contracts, declarer, vulnerable, scoring, against, check_truth("real_play", real_play)
    )
    if lead_rule is not None:
        question = replace(question, lead_rule=check_lead_rule(lead_rule))
    method = check_name("method", method, METHODS)
    limits = StudyLimits(max_seconds, max_solves)
    produce = check_end(precision, produce)
    if by is not None and precision is not None:
        raise ArgumentError(
            Parameter("by="), " needs all deals to be solved; give ", Parameter("produce="), " instead of ",
            Parameter("precision="),
        )  # fmt: skip
    seed = SEED if seed is None else check_integer("seed", seed)
    # The deals: given ones, or those that meet a condition
    deals_or_given = read_given(deals_or_given, predeal)
    if isinstance(deals_or_given, Library):
        deals_or_given = deals_or_given.deals
    elif isinstance(deals_or_given, os.PathLike):
        deals_or_given = read_text(deals_or_given)
    arguments = {
        "deals_or_given": deals_or_given,
        "contracts": {each.name: each.describe() for each in question.strategies},
        "predeal": predeal, "params": params, "include": include, "vulnerable": vulnerable,
        "scoring": question.scoring, "against": question.field if against else None, "by": by,
        "real_play": question.real_play, "lead_rule": lead_rule, "precision": precision, "produce": produce,
        "confidence": confidence, "method": method, "seed": seed, "max_seconds": max_seconds,
        "max_solves": max_solves,
    }  # fmt: skip
    is_open = produce is None and by is None and lead_rule is None and isinstance(deals_or_given, str)
    stratum = None
    if is_open:
        compiled = compile_condition("1", deals_or_given, predeal, params, include)
        stratum = open_stratum(solved, compiled, None, lambda part: sampler.value_of_solved(part))
    if stratum is not None:
        rules = [str(rule.condition) for each in question.strategies for rule in each.rules]
        stratum.all_rotations, stratum.keeps_deals = False, True
        stratum.without_training |= any("xtricks" in rule.lower() for rule in rules)
    journal = Journal(checkpoint, "contracts", arguments | {"solved": stratum and stratum.list_sources()})
    if is_given := isinstance(deals_or_given, Deals):
        population: Population = GivenDeals(_check_deals(deals_or_given, produce, predeal, params, include))
    else:
        if not isinstance(deals_or_given, str):
            raise ArgumentError(
                f"{describe_object(deals_or_given)} is not a condition; give a text, or Deals"
            )
        population = ConditionPopulation.from_text(deals_or_given, seed, predeal, params, include)
    if by is not None and not is_given and produce is None:
        produce = BY_DEALS
    if produce is not None:
        population = GivenDeals(population.draw(produce))
    # They are solved with a model until the result is precise, or all; exactly, or only at thresholds
    is_sampled = precision is not None or (not is_given and produce is None)
    width = _choose_precision(question, precision) if is_sampled else 0.0
    uses_model = method == "model" and is_sampled and not is_given
    has_tables = is_given and deals_or_given.tables is not None and lead_rule is None
    exactly = has_tables or (not is_sampled and by is None)
    if isinstance(population, GivenDeals):
        check_difference(question, population.deals)
    sampler = GainSampler(question, uses_model, by, exactly, not isinstance(population, GivenDeals), journal)
    if not real_play:
        warn_of_bias(Parameter("real_play=", True), " corrects results")
    # Solved, and estimated
    with show_progress(progress) as report, journal:
        sampled = sample_means(
            population, sampler.value, sampler.measures(width, confidence), sampler.predict,
            stratum=stratum, limits=limits, seed=seed, progress=report, journal=journal,
        )  # fmt: skip
        with open_ledger() as ledger:  # not for deals that are solved only for mean tricks
            data, sampled = sampler.collect(sampled, stratum)
        sampled = replace(sampled, cost=sampled.cost.with_results(ledger))
    settings = {
        "given": None if is_given else deals_or_given, "seed": None if is_given else seed,
        "by": by, "reason": sampled.reason if is_sampled or len(sampled.deals) < sampler.n_differing else "",
        "arguments": drop_empty(arguments) | name_argument(solved),
        "solved": stratum.describe() if stratum and sampled.cost.from_solved else "",
        "samples": list_samples(seed, deals_or_given, stratum.list_names() if stratum else ()),
    }  # fmt: skip
    return build_study(data, sampled, confidence, settings, journal.elapsed)


def build_question(
    contracts: Any, declarer: Any, vulnerable: Any, scoring: Any, against: Any, real_play: bool = False
) -> ContractQuestion:
    """Return the question about contracts, with the field that `against` names or adds."""
    # All pairs, the second of two with the first, or each with the field
    strategies = collect_strategies(contracts, declarer)
    options = range(len(strategies))
    if against is not None:
        field = _add_field(strategies, against, declarer)
        comparisons = [Comparison(k, field) for k in options if {k} != dict(field).keys()]
    elif len(options) == 2:
        comparisons = [Comparison(1, ((0, 1.0),))]
    else:
        comparisons = [Comparison(k, ((other, 1.0),)) for k, other in combinations(options, 2)]
    # No two strategies may be the same, and one of them must bid
    for k, each in enumerate(strategies):
        for other in strategies[:k]:
            if each.rules == other.rules:
                raise ArgumentError(
                    f"{other.name} and {each.name} choose the same contract on all deals; compare others"
                )
    choices = [choice for each in strategies for choice in each.choices]
    if all(choice.contract is None for choice in choices):
        raise ArgumentError("all deals are passed out; give a contract, such as '3NT by north'")
    states = list_states(vulnerable, choices)
    return ContractQuestion(tuple(strategies), tuple(comparisons), states, check_scoring(scoring), real_play)


def _add_field(strategies: list[Strategy], against: Any, declarer: Any) -> tuple[tuple[int, float], ...]:
    """Return the strategies of the field with their shares; those that are not yet compared are added."""
    shares: dict[int, float] = {}
    for given, share in (against if isinstance(against, Mapping) else {"": 1}).items():
        if isinstance(share, bool) or not isinstance(share, int | float | Fraction) or not 0 < share < 1e300:
            raise ArgumentError(f"the share of {given} is {quote(share, 40)}; give a number above 0")
        given = given if isinstance(against, Mapping) else against
        name = str(given).strip().lower() if isinstance(given, str) else ""
        found = [k for k, each in enumerate(strategies) if each.name.lower() == name]
        if not found:
            (other,) = collect_strategies([given], declarer)
            found = [k for k, each in enumerate(strategies) if each.rules == other.rules]
            if not found:
                strategies.append(other if other.name != "strategy" else Strategy("other", other.rules))
                found = [len(strategies) - 1]
        shares[found[0]] = shares.get(found[0], 0.0) + float(share)
    if not shares:
        raise ArgumentError(Parameter("against="), " has no contract; give one such as '4S', or leave it out")
    return tuple((k, share / sum(shares.values())) for k, share in shares.items())


def _check_deals(deals: Deals, produce: int | None, predeal: Any, params: Any, include: Any) -> Deals:
    """Return given deals, or raise ArgumentError."""
    if not (is_empty(predeal) and is_empty(params) and is_empty(include)):
        raise ArgumentError(
            Parameter("predeal="), ", ", Parameter("params="), " and ", Parameter("include="),
            " only apply to a condition, and deals are given",
        )  # fmt: skip
    check_plain(deals)
    if not len(deals):
        raise ArgumentError("there is no deal; give some, or a condition")
    if produce is not None and produce > len(deals):
        raise ArgumentError(
            Parameter("produce"), f" is {produce:,}, and there are {len(deals):,} deals; leave it out"
        )
    return deals


def _choose_precision(question: ContractQuestion, precision: Any) -> float:
    """Return the half-width of the intervals."""
    if precision is None:
        return MADE_PRECISION if not question.comparisons else SCORINGS[question.scoring].precision
    return float(precision)

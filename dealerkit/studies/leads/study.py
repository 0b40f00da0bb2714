"""`lead`: which card to lead from a hand against a contract."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.arguments import Given, check_integer, read_given
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, SUIT_LETTERS, seat_number, vulnerability_number
from dealerkit.cards.text import format_hand
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.leads import LeadRule, check_lead_rule
from dealerkit.errors import ArgumentError, DoubleDummyBias, Parameter, PredealError, quote, warn_caller
from dealerkit.language.script_variables import Params
from dealerkit.runtime.progress import Progress, long_work, show_progress
from dealerkit.scoring import LEAD_SCORINGS, SCORINGS, check_scoring, parse_declared
from dealerkit.simulation.calls import drop_empty, read_text
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.estimate.population import ConditionPopulation
from dealerkit.studies.leads.gains import GainTables, LeadGains
from dealerkit.studies.leads.result import LeadStudy
from dealerkit.studies.leads.sampling import LeadLimits, LeadSampler, list_leads, read_leader
from dealerkit.studies.limits import StudyLimits, check_end, warn_of_early_end, warn_of_few_deals
from dealerkit.studies.provenance import DEFAULT_SEEDS, Cost, Provenance

SEED = DEFAULT_SEEDS["leads"]  # so that equal calls return equal results
WIDTH = 1.5  # default precision, as a multiple of that of a single comparison


@long_work
def lead(
    hand: str,
    contract: Any = None,
    *,
    given: Given | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    include: Sequence[str | os.PathLike[str]] = (),
    declarer: Any = None,
    vulnerable: Any = False,
    scoring: str = "beats",
    lead_rule: LeadRule | None = None,
    precision: float | None = None,
    produce: int | None = None,
    confidence: float = 0.95,
    seed: int | None = None,
    max_seconds: float | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> LeadStudy:
    """Compare the opening leads from a hand against a contract, double dummy.

    Deals are dealt in which the seat to declarer's left holds the hand and which meet the condition about the
    auction. On each deal, every lead is solved.

    Parameters
    ----------
    hand : str
        The leader's 13 cards, ``"KJ74.Q93.T85.J62"`` or ``"S KJ74 H Q93 D T85 C J62"``.
    contract : str or Contract
        ``"3NT by south"``, or ``"3NT"`` with `declarer`.
    given : str, os.PathLike or Auction, optional
        What the auction has shown about the other hands: a condition of the dealer language, its file, or the
        auction.
    predeal, params
        As for `dealerkit.probability`, but without the leader's cards.
    include : sequence of str or os.PathLike
        Folders to search for included files, as for `dealerkit.parse`.
    declarer : seat, optional
        Declarer of a contract written without one.
    vulnerable : {"none", "NS", "EW", "both"}, int or bool
        For scores: the vulnerable sides, or whether declarer is vulnerable.
    scoring : {"beats", "tricks", "imps", "matchpoints", "board-a-match", "points"}
        How leads are compared: the probability of beating the contract, the tricks of the defence, IMPs,
        matchpoints, boards won, or points.
    lead_rule : str or callable, optional
        Compare only the card of each suit that the partnership would lead, such as "fourth best" or "third
        and fifth"; or a function ``rule(hand, strain)``, called with texts, which returns one card or
        several. By default all cards are compared.
    precision : float, optional
        Largest half-width of the intervals of the gains over the best of the other leads, in the unit of the
        scoring; the study ends when it is reached. Only leads that may be the best count, since more deals
        would not change that the others are behind. By default 3 % for beats and matchpoints, 0.15 tricks,
        0.375 IMPs, 15 points.
    produce : int, optional
        Number of deals; cannot be combined with `precision`.
    confidence : float in (0, 1)
    seed : int >= 0, optional
        Seed of the deals. By default every call uses the same seed.
    max_seconds : float, optional
        End the study at this limit, with the intervals reached by then. An interrupt does the same.
    threads : int, optional
        Number of threads of the solver.
    progress : bool, callable or None
        Whether to show a progress bar; by default it appears after a second on a terminal or in a notebook.
        Or a function, called as ``progress(done, total)`` with numbers of deals.
    checkpoint : str or os.PathLike, optional
        A file that receives what is solved, every 10 seconds, at an interrupt and at the end. If it exists,
        the same call continues from it, and the time spent before counts for `max_seconds`; a file of another
        call is refused.

    Returns
    -------
    LeadStudy
        After an interrupt, for the deals solved so far.

    Raises
    ------
    DealError
        The hand does not have 13 different cards.
    ArgumentError
        The contract or seat cannot be read; no deal meets the condition; the precision would take days.
    PredealError, ScriptError, FileError

    Warns
    -----
    DoubleDummyBias
        Always: after the lead all players see all cards. A single honour, such as the king from K83, looks
        better than it is.
    SmallSample, TruncatedRun, CostWarning

    Notes
    -----
    The gain of each lead over the best of the others is a difference on the same deals. The intervals of all
    leads are simultaneous (multiple comparisons with the best), so a lead *may be the best* exactly if its
    interval is not below 0. They are about 1.6 times as wide as those of a single comparison; for IMPs and
    matchpoints 1.8 times.

    With the scoring "beats", tricks are solved only on the first 120 to 150 deals. On the others, only which
    leads beat the contract is solved, at a small part of the cost.

    Examples
    --------
    >>> study = lead("KJ742.Q93.T85.J6", "3NT by south", given="hcp(south) >= 15 and hcp(south) <= 17",
    ...              produce=40, seed=1)
    >>> study.n, study.best.suit
    (40, 0)
    """
    # The hand, the contract and the limits
    check_confidence(confidence)
    word = read_leader(hand)
    if contract is None:
        contract = getattr(given, "contract", None)  # from an auction
        if contract is None:
            raise ArgumentError("the contract is missing; give one such as '3NT by south', or an auction")
    given = getattr(given, "close", lambda: given)()  # for an auction, with the passes that end it
    if hasattr(contract, "find_condition"):
        raise ArgumentError("an auction is given in place of a contract; pass it as ", Parameter("given="))
    declared = parse_declared(contract, declarer)
    if declared.contract is None or declared.declarer is None:
        raise ArgumentError("a deal that is passed out has no lead; give a contract such as '3NT by south'")
    seed = SEED if seed is None else check_integer("seed", seed)
    scoring = check_scoring(scoring, LEAD_SCORINGS)
    produce = check_end(precision, produce, 2)
    if produce is None and precision is None:
        precision = WIDTH * SCORINGS[scoring].precision
    limits = LeadLimits(precision, produce, StudyLimits(max_seconds).max_seconds)
    if lead_rule is not None:
        check_lead_rule(lead_rule)
    # The leads, and deals with the leader's hand
    leader = (declared.declarer + 1) % 4
    leads = list_leads(word, declared.contract.strain, lead_rule)
    is_vulnerable = bool(vulnerability_number(vulnerable) >> (declared.declarer & 1) & 1)
    population = LeadPopulation(word, leader, given, seed, predeal, params, include)
    gains = LeadGains(GainTables(declared.contract, is_vulnerable), len(leads), confidence)
    arguments = {
        "hand": format_hand(word), "contract": str(declared), "given": population.given, "predeal": predeal,
        "params": params, "include": include, "vulnerable": vulnerable, "scoring": scoring,
        "lead_rule": lead_rule, "precision": limits.precision, "produce": produce, "confidence": confidence,
        "seed": seed, "max_seconds": max_seconds,
    }  # fmt: skip
    with show_progress(progress) as show, Journal(checkpoint, "lead", arguments) as journal:
        sampler = LeadSampler(
            population, declared.contract, declared.declarer, leads, gains, scoring, limits, threads, show,
            journal,
        )  # fmt: skip
        sampler.run()
    # The result
    n = gains.n
    provenance = Provenance(
        population.script, seed, drop_empty(arguments), Cost(n, n, n, 0, journal.elapsed), function="lead"
    )
    study = LeadStudy(
        format_hand(word), leader, declared, is_vulnerable, scoring, leads, gains,
        Deals(np.concatenate(sampler.hands), check=False), np.concatenate(sampler.tricks),
        np.concatenate(sampler.beaten), population.given, provenance, sampler.reason,
    )  # fmt: skip
    _warn(study)
    return study


class LeadPopulation:
    """All deals with the leader's hand that meet a condition; arguments are those of `lead`."""

    def __init__(
        self, hand: int, leader: int, given: Any, seed: int, predeal: Any, params: Params, include: Any
    ) -> None:
        self.size: int | None = None
        # The leader's hand is predealt, and only this hand
        cards = format_hand(hand)
        if isinstance(predeal, Mapping) and any(_is_seat(name, leader) for name in predeal):
            raise ArgumentError(
                f"predeal names {SEATS[leader]}, who leads and has the hand {cards}; leave it out"
            )
        self._place = f"where {SEATS[leader]}, who leads, has {cards}"
        if not (predeal is None or isinstance(predeal, Mapping)):
            raise PredealError(f"predeal is {quote(predeal)}; give cards by seat: {{'north': 'SAK'}}")
        given = read_given(given, {**(predeal or {}), SEATS[leader]: cards})
        try:
            self._population = ConditionPopulation.from_text(
                given, seed, {**(predeal or {}), SEATS[leader]: cards}, params, include
            )
        except ArgumentError as error:
            raise self._restate(error) from None
        # The same as a script, for the provenance
        holdings = ",".join(
            suit + holding for suit, holding in zip(SUIT_LETTERS, cards.split("."), strict=True) if holding
        )
        self.given: str | None = None if given is None else read_text(given)
        condition = f"\ncondition {self.given}" if self.given else ""
        self.script = f"predeal {SEATS[leader]} {holdings}{condition}"

    def draw(self, n: int) -> Deals:
        """Return the next `n` deals, or fewer if there are no more."""
        try:
            return self._population.draw(n)
        except ArgumentError as error:
            raise self._restate(error) from None

    def _restate(self, error: ArgumentError) -> ArgumentError:
        return ArgumentError(f"{self._place}: {error}")


def _is_seat(name: Any, seat: int) -> bool:
    """Return whether a name in a predeal is that of a seat."""
    try:
        return seat_number(name) == seat
    except ArgumentError:
        return False  # the predeal itself is checked later


def _warn(study: LeadStudy) -> None:
    """Warn of the limits of a result."""
    bias = "tricks are double dummy: after the lead all players see all cards"
    if study.best.is_single_honour:
        bias += f"; {study.best.text}, a single honour, looks better than it is"
    warn_caller(bias, DoubleDummyBias)
    warn_of_few_deals(study.n)
    if study.reason:
        warn_of_early_end(study.reason, study.n)

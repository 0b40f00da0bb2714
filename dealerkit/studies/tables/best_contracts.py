"""The contract with the best result for sides of each class, for example each number of points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import check_integer, check_name, is_listing
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.progress import long_work
from dealerkit.scoring import check_scoring
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.contract_patterns import CANDIDATES, Candidate, check_vulnerable
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.provenance import repeatable
from dealerkit.studies.sides import (
    HAND_DECLARERS,
    SideEvaluator,
    choose_declarers,
    choose_strains,
    parse_strain_rule,
    require_tables,
)
from dealerkit.studies.tables.contract_choice import (
    BestContracts,
    ClassSums,
    add_by_class,
    choose_contract,
    find_bounds,
    score_candidates,
)
from dealerkit.studies.tables.solved_source import SolvedBatch, SolvedSource

if TYPE_CHECKING:
    from dealerkit.formats.library import Library

MAX_VALUES = 200


@dataclass(frozen=True, eq=False)
class SideClass:
    """Sides that meet a condition and play a given strain.

    Attributes
    ----------
    name : str
    strain : str
        The rule that chooses the strain, as in `choose_strains`.
    condition : str or None
        An expression for north and south; None: all sides.
    """

    name: str
    strain: str
    condition: str | None


@long_work
@repeatable
def best_contracts(
    deals: Deals | Library | None = None,
    *,
    by: str = "hcp",
    where: str | None = None,
    strain: str = "best major",
    classes: Mapping[str, str | tuple[str, str]] | None = None,
    candidates: Iterable[str] = CANDIDATES,
    scoring: str = "imps",
    vulnerable: bool = False,
    declarer: str = "better",
    min_deals: int = 100,
    confidence: float = 0.95,
) -> BestContracts:
    """Return the best contract for sides of each class, and whether the deals show that it is the best.

    In each class, all sides bid the same contract. Every two candidates are compared on the same sides. The
    best contract is the one that gains over every other candidate on average. If there is none (at IMPs,
    three contracts may beat each other in a circle), it is the one whose smallest gain is the largest; if
    several are equal, the first candidate.

    Parameters
    ----------
    deals : Deals or Library, optional
        Solved; by default `dealerkit.solved_sample`.
    by : str
        An expression for north and south, in which evaluators may have no arguments; each of its values is a
        class.
    where : str, optional
        Use only sides for which this expression is true, such as ``"fit >= 8"``; ``fit`` is the fit in the
        strain played.
    strain : str
        The strain that each side plays: ``best major``, ``longest fit``, ``best suit``, ``notrump``
        or a suit, as for `dealerkit.compare`.
    classes : mapping of str to str, or to (strain, str), optional
        Further classes by name: conditions like `where`, or a strain and a condition. A side may belong to
        several classes.
    candidates : iterable of str
        ``partscore`` (1NT, or two of a suit), ``game`` (3NT, four of a major, five of a minor),
        ``small slam`` and ``grand slam`` in the strain played, or contracts such as ``4M``, ``3NT``, ``2S``,
        ``5X`` (X is the strain played). At least two. The other side neither bids nor doubles.
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
        How two contracts are compared: by the IMPs for the difference of their scores, by this difference, or
        by the share of a board's matchpoints above one half.
    vulnerable : bool
        Whether the side is vulnerable.
    declarer : {"better", "longer"}
        The hand that takes more tricks (better); or the hand with more trumps, then (and in notrump) with
        more points, then north or east (longer).
    min_deals : int >= 30
        Classes with fewer deals are left out.
    confidence : float in (0, 1)
        Confidence level of the intervals; those of all gains within a class are simultaneous.

    Returns
    -------
    BestContracts

    Raises
    ------
    ArgumentError
        Deals are not solved, there are fewer than two candidates or equal ones, a candidate has no strain, no
        class has enough deals, or an expression has more than 200 values.
    UnknownNameError, ScriptError
        An expression is invalid.

    Examples
    --------
    >>> from dealerkit.formats.sample import solved_sample
    >>> table = best_contracts(solved_sample()[:20_000], strain="notrump", where="hcp >= 20")
    >>> table.frame.loc[[20, 23, 27], ["contract", "runner_up", "decided"]]
         contract  runner_up  decided
    hcp
    20  partscore       game     True
    23  partscore       game     True
    27       game  partscore     True
    """
    # The arguments
    check_confidence(confidence)
    scoring = check_scoring(scoring)
    vulnerable, declarer = check_vulnerable(vulnerable), check_name("declarer", declarer, HAND_DECLARERS)
    min_deals = check_integer("min_deals", min_deals, MIN_DEALS)
    bids = _read_candidates(candidates)
    groups = _read_classes(classes, strain)
    # Sums over the sides of each class
    source = SolvedSource.open(deals)
    totals: dict[tuple[str, float], ClassSums] = {}
    for batch in source.batches():
        for group in groups:
            parts = _add_batch(batch, group, by, where, bids, vulnerable, scoring, declarer)
            for value, sums in parts.items():
                key = group.name, value
                totals[key] = totals[key] + sums if key in totals else sums
            if len({value for _, value in totals}) > MAX_VALUES:
                raise ArgumentError(
                    f"by={quote(by)} has more than {MAX_VALUES} values; give an expression with fewer, such "
                    "as a number of points without fractions"
                )
    # Classes with enough deals, in the order in which they were given
    used = {key: sums for key, sums in totals.items() if sums.deals >= min_deals}
    if not used:
        largest = max((sums.deals for sums in totals.values()), default=0)
        raise ArgumentError(
            f"no class has {min_deals} deals; the largest has {largest}. Give more deals, a wider condition, "
            "or min_deals="
        )
    order = {group.name: number for number, group in enumerate(groups)}
    keys = sorted(used, key=lambda key: (order[key[0]], key[1]))
    # The best contract of each
    bounds = find_bounds(bids, vulnerable, scoring)
    choices = {key: choose_contract(used[key], bids, bounds, confidence) for key in keys}
    named = {group.name: (group.strain, group.condition) for group in groups}
    return BestContracts(
        choices, by, where, strain=parse_strain_rule(strain), candidates=tuple(map(str, bids)),
        classes=None if classes is None else named, scoring=scoring, vulnerable=vulnerable, declarer=declarer,
        min_deals=min_deals, n_deals=len(source.deals), left_out=len(totals) - len(used),
        confidence=confidence,
    )  # fmt: skip


def _read_candidates(candidates: Any) -> tuple[Candidate, ...]:
    """Return the candidates; raise ArgumentError for fewer than two, or for equal ones."""
    if isinstance(candidates, str) or not is_listing(candidates):
        raise ArgumentError(f"candidates is {quote(candidates)}; give a list, such as ['2M', '4M', '6M']")
    bids = tuple(Candidate.parse(text) for text in candidates)
    names = [bid.name for bid in bids]
    if len(bids) < 2:
        raise ArgumentError(f"{len(bids)} candidates; give at least two contracts to compare")
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ArgumentError(f"{repeated[0]} is listed twice among the candidates; remove one of them")
    return bids


def _read_classes(classes: Any, strain: str) -> list[SideClass]:
    """Return the classes of sides; without `classes`, all sides form one."""
    if classes is None:
        return [SideClass("", parse_strain_rule(strain), None)]
    if not isinstance(classes, Mapping) or not classes:
        raise ArgumentError("classes takes names with conditions, such as {'eight trumps': 'fit == 8'}")
    groups = []
    for name, given in classes.items():
        rule, condition = (strain, given) if isinstance(given, str) else (None, None)
        if isinstance(given, tuple | list) and len(given) == 2:
            rule, condition = given
        if not isinstance(rule, str) or not isinstance(condition, str):
            raise ArgumentError(
                f"class {quote(name, 40)} is {quote(given)}; give a condition, or a strain and a "
                "condition, such "
                "as ('notrump', 'hcp >= 20')"
            )
        groups.append(SideClass(str(name), parse_strain_rule(rule), condition))
    return groups


def _add_batch(
    batch: SolvedBatch,
    group: SideClass,
    by: str,
    where: str | None,
    bids: tuple[Candidate, ...],
    vulnerable: bool,
    scoring: str,
    declarer: str,
) -> dict[float, ClassSums]:
    """Return the sums of the sides of a batch that belong to a class, by value."""
    deals = batch.deals
    strains = choose_strains(deals, group.strain)
    evaluate = SideEvaluator(deals, strains).evaluate_text
    chosen = np.ones((len(deals), 2), bool)
    for condition in (where, group.condition):
        if condition is not None:
            chosen &= evaluate(condition) != 0
    values = evaluate(by).astype(float)[chosen]
    if not np.isfinite(values).all():
        raise ArgumentError(f"by={quote(by)} has values that are not finite; give an expression that has")
    for bid in bids:
        bid.check_strains(strains[chosen])
    others = {bid.strain for bid in bids if bid.strain is not None}
    tricks = _find_tricks(deals, strains, others, declarer)
    columns = score_candidates(bids, strains[chosen], tricks[chosen], vulnerable, scoring)
    return add_by_class(columns, values, *batch.select_sides(chosen))


def _find_tricks(deals: Deals, strains: np.ndarray, others: set[int], declarer: str) -> np.ndarray:
    """Return the tricks of both sides: int64 [n, 2, 5], in the strains played and some others."""
    tables = require_tables(deals)
    sides = tables[..., :2], tables[..., 2:]
    if declarer == "better":
        return np.maximum(*sides).transpose(0, 2, 1).astype(np.int64)
    tricks = np.zeros((len(deals), 2, 5), np.int64)
    for played in [*(np.full_like(strains, strain) for strain in others), strains]:
        seats = choose_declarers(deals, played).astype(np.intp)
        index = played.astype(np.intp)
        taken = tables[np.arange(len(deals))[:, None], index, seats]
        np.put_along_axis(tricks, index[..., None], taken[..., None].astype(np.int64), axis=2)
    return tricks

"""Sides of deals as a table: a row for each deal and side, with evaluators of its two hands together."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.arguments import check_truth
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, SIDES, STRAINS
from dealerkit.doubledummy.lookup import Query, look_up, look_up_tables
from dealerkit.errors import ArgumentError
from dealerkit.evaluators.pairs.pair import NOTRUMP
from dealerkit.registry import get_function
from dealerkit.studies.expressions import build_expression, expand_names
from dealerkit.studies.side_values import SideEvaluator
from dealerkit.studies.sides import choose_declarers, choose_strains, count_fits, parse_strain_rule

if TYPE_CHECKING:
    import pandas as pd

DECLARERS = ("longer", "better")
COLUMNS = ("deal", "side", "strain", "fit", "declarer", "tricks", "weight", "cluster")


def tabulate_sides(
    deals: Deals,
    names: Iterable[str] = (),
    expressions: Mapping[str, str] | None = None,
    *,
    strain: str = "best major",
    declarer: str = "longer",
    tricks: bool = False,
) -> pd.DataFrame:
    """Return a table with a row for each deal and side; see `Deals.sides`.

    Parameters
    ----------
    deals : Deals
    names : iterable of str
        Evaluators. Two hands are combined by the evaluator's field `combine` (``losers`` gives 24 minus
        the losers of both); those that take a strain are evaluated in the strain of the side.
    expressions : mapping of str to str
        Column name to an expression of the language for north and south, in which evaluators may be
        written without arguments. For east-west the deal is rotated.
    strain : str
        ``best major`` (the longer, spades if equal), ``longest fit``, ``notrump``, a suit, or ``best suit``
        (with the most tricks of its better hand, for which every deal is solved).
    declarer : {"longer", "better"}
        The hand with more trumps, then with more points; or with `tricks` the hand that takes more
        tricks, then the former hand.
    tricks : bool
        Add the double-dummy tricks of the declarer, from `tables`, the store or the solver.

    Returns
    -------
    DataFrame
        2n rows, north-south first; the index `number` is the number of the deal, so that
        ``frame.groupby("number")`` groups the two sides of a deal, which are correlated.
        Columns: `deal`; `side`, `strain` and `declarer`, categories; `fit`, cards of the side in its
        strain, in notrump in its longest suit; `tricks`; one for each name and expression; `weight` and
        `cluster` if the deals have them.

    Raises
    ------
    UnknownNameError, ScriptError
        An unknown name or invalid expression.
    ArgumentError
        An evaluator that is not one of a side, an unknown strain or declarer, a repeated column.
    DealError, FileError
        A deal that cannot be solved; the solver's library is missing.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8")
    >>> tabulate_sides(deals, ["hcp", "zar", "losers"]).drop(columns="deal").reset_index(drop=True)
      side  strain  fit declarer  hcp  zar  losers
    0   NS  spades    9    north   17   53       9
    1   EW  hearts    9     west   23   59      10
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    if not isinstance(declarer, str) or declarer not in DECLARERS:
        raise ArgumentError(f"declarer is {declarer!r}; it is one of {', '.join(DECLARERS)}")
    if not check_truth("tricks", tricks) and declarer == "better":
        raise ArgumentError("the better declarer depends on the tricks; give tricks=True")
    rule = parse_strain_rule(strain)
    measures = _parse_measures(names, expressions or {})
    if rule == "best suit":
        deals = deals.replace(tables=look_up_tables(deals))
    strains = choose_strains(deals, rule)
    seats = choose_declarers(deals, strains)
    taken = _look_up_tricks(deals, strains, seats) if tricks else None
    if taken is not None and declarer == "better":
        others = _look_up_tricks(deals, strains, (seats + 2) % 4)
        seats, taken = np.where(others > taken, (seats + 2) % 4, seats), np.maximum(taken, others)
    length = count_fits(deals)
    suit = np.where(strains == NOTRUMP, length.argmax(axis=2), strains)
    number = np.repeat(np.arange(len(deals)), 2)
    data = {
        "deal": DealArray(deals[number]),
        "side": pd.Categorical.from_codes(np.tile([0, 1], len(deals)), list(SIDES)),
        "strain": pd.Categorical.from_codes(strains.ravel(), list(STRAINS)),
        "fit": np.take_along_axis(length, suit[..., None].astype(np.intp), axis=2).ravel(),
        "declarer": pd.Categorical.from_codes(seats.ravel(), list(SEATS)),
    }
    if taken is not None:
        data["tricks"] = taken.ravel()
    evaluator = SideEvaluator(deals, strains)
    for name, (build, hundredths) in measures.items():
        data[name] = evaluator.evaluate(build, hundredths).ravel()
    for name in ("weight", "cluster"):
        if (values := getattr(deals, name)) is not None:
            data[name] = values[number]
    return pd.DataFrame(data, index=pd.Index(number, name="number"), copy=False)


def _look_up_tricks(deals: Deals, strains: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return the double-dummy tricks of the declarers of both sides, looked up or solved: int8 [n, 2]."""
    return np.stack(look_up(deals, [Query(strains[:, side], seats[:, side]) for side in (0, 1)]), axis=1)


def _parse_measures(
    names: Iterable[str], expressions: Mapping[str, str]
) -> dict[str, tuple[Callable[[str], str], bool]]:
    """Return by column a function that builds the expression for a strain, and `Function.hundredths`."""
    columns: list[tuple[str, Callable[..., str], str, bool]]
    columns = [(name, build_expression, name, get_function(name).hundredths) for name in names]
    columns += [(name, expand_names, text, False) for name, text in expressions.items()]
    measures: dict[str, tuple[Callable[[str], str], bool]] = {}
    for name, build, source, hundredths in columns:
        if name in COLUMNS or name in measures:
            raise ArgumentError(f"the table of sides has a column {name!r} already; remove it")
        build(source, STRAINS[0])  # raises the error for an invalid name before solving
        measures[name] = functools.partial(build, source), hundredths
    return measures

"""Sides of deals as a table: a row for each deal and side, with what the two hands measure together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, SIDES, STRAINS
from dealerkit.compiler.compilation import compile_expression
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.errors import ArgumentError
from dealerkit.registry import get_function
from dealerkit.studies.expressions import expression_of, written_out
from dealerkit.studies.sides import NOTRUMP, declarers, declarers_tricks, fits, known_rule, played_strains

if TYPE_CHECKING:
    import pandas as pd

DECLARERS = ("longer", "better")
COLUMNS = ("deal", "side", "strain", "fit", "declarer", "tricks", "weight", "cluster")


def sides_of(
    deals: Deals,
    names: Iterable[str] = (),
    expressions: Mapping[str, str] | None = None,
    *,
    strain: str = "best major",
    declarer: str = "longer",
    tricks: bool = False,
) -> pd.DataFrame:
    """A row for each deal and side, as `Deals.sides` gives it.

    Parameters
    ----------
    deals : Deals
    names : iterable of str
        Evaluators. Two hands are combined as the evaluator says (its field `combine`: ``losers`` gives
        24 less the losers of both); those that take a strain are asked in the strain of the side.
    expressions : mapping of str to str
        Column name to an expression of the language for north and south, in which evaluators may stand
        without arguments. For east-west the deal is turned.
    strain : str
        ``best major`` (the longer, spades if equal), ``longest fit``, ``notrump``, a suit, or ``best suit``
        (with the most tricks of its better hand, for which every deal is solved).
    declarer : {"longer", "better"}
        The hand with more trumps, then with more points; or with `tricks` the hand that takes more
        tricks, then the former.
    tricks : bool
        With the double-dummy tricks of the declarer, from `tables`, else from the store or the solver.

    Returns
    -------
    DataFrame
        2n rows, north-south first; the index `number` is the number of the deal, so that
        ``frame.groupby("number")`` groups what belongs together: the sides of a deal are correlated.
        Columns: `deal`; `side`, `strain` and `declarer`, categories; `fit`, cards of the side in its
        strain, in notrump in its longest suit; `tricks`; one for each name and expression; `weight` and
        `cluster` where the deals have them.

    Raises
    ------
    UnknownNameError, ScriptError
        A name or expression that is not understood.
    ArgumentError
        An evaluator that is none of a side, an unknown strain or declarer, a column that is there already.
    DealError, FileError
        A deal that cannot be solved; the solver's library is missing.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8")
    >>> sides_of(deals, ["hcp", "zar", "losers"]).drop(columns="deal").reset_index(drop=True)
      side  strain  fit declarer  hcp  zar  losers
    0   NS  spades    9    north   17   53       9
    1   EW  hearts    9     west   23   59      10
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    if not isinstance(declarer, str) or declarer not in DECLARERS:
        raise ArgumentError(f"declarer is {declarer!r}; it is one of {', '.join(DECLARERS)}")
    if declarer == "better" and not tricks:
        raise ArgumentError("the better declarer is known by the tricks only; say tricks=True")
    rule = known_rule(strain)
    measures = _measures(names, expressions or {})
    if rule == "best suit":
        deals = deals.replace(tables=look_up_tables(deals))
    strains = played_strains(deals, rule)
    seats = declarers(deals, strains)
    taken = declarers_tricks(deals, strains, seats) if tricks else None
    if taken is not None and declarer == "better":
        others = declarers_tricks(deals, strains, (seats + 2) % 4)
        seats, taken = np.where(others > taken, (seats + 2) % 4, seats), np.maximum(taken, others)
    length = fits(deals)
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
    for name, (text, coarse) in measures.items():
        data[name] = _of_both(deals, strains, text, coarse).ravel()
    for name in ("weight", "cluster"):
        if (companion := getattr(deals, name)) is not None:
            data[name] = companion[number]
    return pd.DataFrame(data, index=pd.Index(number, name="number"), copy=False)


def _measures(
    names: Iterable[str], expressions: Mapping[str, str]
) -> dict[str, tuple[Callable[[str], str], bool]]:
    """By column: the expression for north-south in a strain, and whether it is of coarse hundredths."""

    def by_name(name: str) -> Callable[[str], str]:
        return lambda strain: expression_of(name, strain, played=True)

    def by_text(text: str) -> Callable[[str], str]:
        return lambda strain: written_out(text, strain, played=True)

    found = [(name, by_name(name), get_function(name).hundredths) for name in names]
    found += [(name, by_text(text), False) for name, text in expressions.items()]
    measures: dict[str, tuple[Callable[[str], str], bool]] = {}
    for name, text, coarse in found:
        if name in COLUMNS or name in measures:
            raise ArgumentError(f"the table of sides has a column {name!r} already; leave it out")
        text(STRAINS[0])  # so that a name that is no evaluator is refused before anything is solved
        measures[name] = text, coarse
    return measures


def _of_both(deals: Deals, strains: np.ndarray, text: Callable[[str], str], coarse: bool) -> np.ndarray:
    """Values for both sides, each in its strain: [n, 2]."""
    texts = [text(strain) for strain in STRAINS]
    compiled = map(compile_expression, dict.fromkeys(texts))
    ranges = [one.graph.operations[one.expression].range for one in compiled]
    kind = np.result_type(*(bounds.smallest_dtype(coarse) for bounds in ranges))
    values = np.empty(strains.shape, kind)
    for side, turned in enumerate((deals, deals.rotate(opener="north", hand="east"))):
        if len(set(texts)) == 1:
            values[:, side] = turned.eval(texts[0])
            continue
        for strain in np.unique(strains[:, side]):
            rows = np.flatnonzero(strains[:, side] == strain)
            values[rows, side] = turned[rows].eval(texts[strain])
    return values

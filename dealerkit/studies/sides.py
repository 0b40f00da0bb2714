"""Sides of deals: the strain and declarer of each side, its double-dummy tricks, and values of evaluators.

Arrays [n, 2] hold both sides of each deal, north-south first. Evaluators are expressions of the language for
north and south, and are evaluated for east and west too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

import dealerkit.language.functions  # noqa: F401  (so that the registry has the whole list)
from dealerkit.arguments import check_name, check_truth
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, SEATS, SIDES, STRAINS, strain_number
from dealerkit.compiler.compilation import compile_expression
from dealerkit.doubledummy.lookup import Query, look_up, look_up_tables
from dealerkit.errors import ArgumentError, ScriptError, quote, suggest_name
from dealerkit.evaluators.pairs.pair import NOTRUMP, TrumpPair
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script
from dealerkit.language.source import ScriptSource
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.trees import walk
from dealerkit.registry import Function, find_function, get_function

if TYPE_CHECKING:
    import pandas as pd

_MEASURE_KINDS = ("hand", "side", "pair", "deal")
RULES = ("best major", "longest fit", "best suit", *STRAINS)
STRAIN_TEXTS = {  # for rules whose names are not those of strains
    "best major": "the longer major",
    "longest fit": "the longest suit",
    "best suit": "the best suit",
}
PLAYED_TEXTS = {  # the same after "each side plays", with the tie-break for equal suits
    "best major": "its longer major (spades if equal)",
    "longest fit": "its longest suit (the higher-ranking if equal)",
    "best suit": "the suit with most tricks (the longest if equal)",
}
DECLARER_TEXTS = {
    "better": "the better declarer",  # the hand that takes more tricks
    "longer": "the hand with more trumps, then points",  # `choose_declarers`
    "mean": "the mean of both declarers",
    "table": "tricks taken at the table",  # of results of tournaments
}
TRICKS_DECLARERS = ("better", "mean")  # whose tricks count, without choosing a hand
HAND_DECLARERS = ("longer", "better")  # the hand that declares
COLUMNS = ("deal", "side", "strain", "fit", "declarer", "tricks", "weight", "cluster")


class PlayedContracts(NamedTuple):
    """Contracts that were played at tables: the cards of each, and the tricks that declarer took.

    Attributes
    ----------
    deals : Deals
        One for each contract; deals that were played at several tables have the same `cluster`.
    strain, side : ndarray of int8 [n]
        S H D C N = 0..4; of declarer, NS and EW = 0, 1.
    tricks : ndarray of int8 [n]
        Declarer's tricks, 0 to 13.
    """

    deals: Deals
    strain: np.ndarray
    side: np.ndarray
    tricks: np.ndarray


@runtime_checkable
class Played(Protocol):
    """Results of tournaments, from which the contracts played can be listed."""

    def list_contracts(self) -> PlayedContracts:
        """Return the contracts whose cards and tricks are known."""


def parse_strain_rule(strain: str) -> str:
    """Return the name of a rule; a strain may be given by its letter, in the singular, or as ``NT``.

    Raises
    ------
    ArgumentError
        The rule is unknown.

    Examples
    --------
    >>> [parse_strain_rule(text) for text in ("S", "heart", "NT", "Best Major")]
    ['spades', 'hearts', 'notrump', 'best major']
    """
    name = str(strain).strip().lower()
    if name in RULES:
        return name
    try:
        return STRAINS[strain_number(strain)]
    except ArgumentError:
        close = suggest_name(name, RULES)
        raise ArgumentError(f"unknown strain {strain!r}{close}; known: {', '.join(RULES)}") from None


def count_fits(deals: Deals) -> np.ndarray:
    """Return the combined length of each suit for both sides, int8 [n, 2, 4]."""
    both = deals.hands[:, :2] | deals.hands[:, 2:]
    shifts = np.array(LANE_SHIFTS, np.uint64)
    return np.bitwise_count(both[..., None] >> shifts & np.uint64(LANE_MASK)).astype(np.int8)


def require_tables(deals: Deals) -> np.ndarray:
    """Return the attached tables, or raise ArgumentError if some tricks are unknown."""
    if deals.tables is None:
        raise ArgumentError(
            "the sample has no double-dummy tables; add them with deals.replace(tables=dk.dd_table(deals)), "
            "or use dk.solved_sample()"
        )
    unknown = np.flatnonzero((deals.tables < 0).any(axis=(1, 2)))
    if unknown.size:
        raise ArgumentError(
            f"tricks are unknown for {unknown.size:,} deals of the sample, first for deal "
            f"{unknown[0]:,}; remove these"
        )
    return deals.tables


def choose_strains(deals: Deals, strain: str = "best major") -> np.ndarray:
    """Return the strain that each side plays.

    Parameters
    ----------
    deals : Deals
    strain : str
        ``best major``: the major in which the side has more cards, spades if equal. ``longest fit``: the suit
        with most cards, the highest-ranking if equal. ``best suit``: the suit with most tricks (the longest,
        then the highest-ranking, if equal), which players cannot know, but which published correlations use.
        Or one strain for all.

    Returns
    -------
    ndarray of int8 [shape=(n, 2)]
        S H D C N = 0..4 for north-south and east-west.

    Raises
    ------
    ArgumentError
        The rule is unknown, or it is ``best suit`` and deals are not solved.
    """
    rule = parse_strain_rule(strain)
    if rule in STRAINS:
        return np.full((len(deals), 2), STRAINS.index(rule), np.int8)
    length = count_fits(deals)
    if rule == "best major":
        length = length[..., :2]
    elif rule == "best suit":
        length = length + 16 * find_tricks_of_sides(require_tables(deals), "better")[..., :4].astype(np.int16)
    return length.argmax(axis=2).astype(np.int8)


def find_tricks_of_sides(tables: np.ndarray, declarer: str) -> np.ndarray:
    """Return the tricks of both sides in all strains [n, 2, 5]."""
    first, second = tables[..., :2], tables[..., 2:]
    tricks = np.maximum(first, second) if declarer == "better" else (first + second) / 2
    return tricks.transpose(0, 2, 1)


def find_side_tricks(deals: Deals, strains: np.ndarray, declarer: str = "better") -> np.ndarray:
    """Return the double-dummy tricks of each side in its strain, from attached tables.

    Parameters
    ----------
    deals : Deals
        They must have tables.
    strains : ndarray of int [shape=(n, 2)]
        As returned by `choose_strains`.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more tricks, as in published figures, or the mean of both hands. In
        notrump, the better hand takes 0.05 tricks more than the mean.

    Returns
    -------
    ndarray of float64 [shape=(n, 2)]

    Raises
    ------
    ArgumentError
        Deals are not solved, or the declarer is unknown.
    """
    declarer = check_name("declarer", declarer, TRICKS_DECLARERS)
    tricks = find_tricks_of_sides(require_tables(deals), declarer)
    return np.take_along_axis(tricks, strains[..., None].astype(np.intp), axis=2)[..., 0].astype(float)


def choose_declarers(deals: Deals, strains: np.ndarray) -> np.ndarray:
    """Return the declarer of each side, chosen by its cards: the hand with more trumps.

    With equal trumps, and in notrump, it is the hand with more points (4-3-2-1), then north or east.

    Parameters
    ----------
    deals : Deals
    strains : ndarray of int [shape=(n, 2)]
        As returned by `choose_strains`.

    Returns
    -------
    ndarray of int8 [shape=(n, 2)]
        N E S W = 0..3.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8")
    >>> [choose_declarers(deals, np.array([strains])).tolist() for strains in ([0, 1], [2, 3])]
    [[[0, 3]], [[2, 1]]]
    """
    seats = np.empty(strains.shape, np.int8)
    for side in (0, 1):
        for strain in np.unique(strains[:, side]):
            rows = np.flatnonzero(strains[:, side] == strain)
            pair = TrumpPair(deals.hands[rows, side], deals.hands[rows, side + 2], int(strain))
            seats[rows, side] = side + 2 * pair.declares[1]
    return seats


class SideEvaluator:
    """Evaluates expressions about north and south for both sides of deals.

    For east-west the deals are rotated, so that east's hand is in the place of north's.

    Parameters
    ----------
    deals : Deals
    strains : ndarray of int [shape=(n, 2)]
        The strain that each side plays, S H D C N = 0..4.
    """

    def __init__(self, deals: Deals, strains: np.ndarray) -> None:
        self._strains = strains
        self._sides = deals, deals.rotate(opener="north", hand="east")
        self._groups: list[tuple[np.ndarray, int, int, Deals]] = []

    def evaluate_text(self, text: str) -> np.ndarray:
        """Return the values of an expression in which evaluators may have no arguments: [n, 2]."""
        return self.evaluate(lambda strain: expand_names(text, strain))

    def evaluate(self, build: Callable[[str], str], hundredths: bool = False) -> np.ndarray:
        """Return the values of an expression for both sides: [n, 2].

        Parameters
        ----------
        build : function
            Returns the expression for one of the five strains.
        hundredths : bool
            Whether integers are hundredths: see `Function.hundredths`.
        """
        texts = [build(strain) for strain in STRAINS]
        compiled = map(compile_expression, dict.fromkeys(texts))
        ranges = [script.graph.operations[script.expression].range for script in compiled]
        dtype = np.result_type(*(bounds.smallest_dtype(hundredths) for bounds in ranges))
        values = np.empty(self._strains.shape, dtype)
        if len(set(texts)) == 1:
            for side, deals in enumerate(self._sides):
                values[:, side] = deals.eval(texts[0])
            return values
        for rows, side, strain, deals in self._group():
            values[rows, side] = deals.eval(texts[strain])
        return values

    def _group(self) -> list[tuple[np.ndarray, int, int, Deals]]:
        """Return the deals that play each strain on each side: their numbers, side, strain, and cards."""
        if not self._groups:
            for side, rotated in enumerate(self._sides):
                for strain in np.unique(self._strains[:, side]).tolist():
                    rows = np.flatnonzero(self._strains[:, side] == strain)
                    self._groups.append((rows, side, strain, rotated[rows]))
        return self._groups


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
        Evaluators. Two hands are combined as the field `combine` of the evaluator says (``losers`` gives 24
        minus the losers of both). Those that take a strain are evaluated in the strain of the side.
    expressions : mapping of str to str
        Column names with expressions of the language for north and south, in which evaluators may have no
        arguments. For east-west the deal is rotated.
    strain : str
        ``best major`` (the longer one, spades if equal), ``longest fit``, ``notrump``, a suit, or
        ``best suit`` (the one in which the better hand takes most tricks, for which every deal is solved).
    declarer : {"longer", "better"}
        The hand with more trumps, then with more points (longer); or, with `tricks`, the hand that takes more
        tricks, then the former (better).
    tricks : bool
        Add the double-dummy tricks of the declarer, from `tables`, the store or the solver.

    Returns
    -------
    DataFrame
        2n rows, north-south first. The index `number` is the number of the deal, so that
        ``frame.groupby("number")`` groups the two sides of a deal, which are correlated. Columns: `deal`; the
        categories `side`, `strain` and `declarer`; `fit`, the number of the side's cards in its strain (in
        notrump, in its longest suit); `tricks`; one for each name and expression; and `weight` and `cluster`
        if the deals have them.

    Raises
    ------
    UnknownNameError, ScriptError
        A name is unknown, or an expression is invalid.
    ArgumentError
        An evaluator does not apply to a side, a strain or declarer is unknown, or a column is repeated.
    DealError, FileError
        A deal cannot be solved, or the solver's library is missing.

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

    # The arguments
    declarer = check_name("declarer", declarer, HAND_DECLARERS)
    if not check_truth("tricks", tricks) and declarer == "better":
        raise ArgumentError("the better declarer depends on the tricks; give tricks=True")
    rule = parse_strain_rule(strain)
    measures = _parse_measures(names, expressions or {})
    # The strain, and the declarer; the better declarer follows after both hands have been looked up
    if rule == "best suit":
        deals = deals.replace(tables=look_up_tables(deals))
    strains = choose_strains(deals, rule)
    seats = choose_declarers(deals, strains)
    taken = _look_up_tricks(deals, strains, seats) if tricks else None
    if taken is not None and declarer == "better":
        others = _look_up_tricks(deals, strains, (seats + 2) % 4)
        seats, taken = np.where(others > taken, (seats + 2) % 4, seats), np.maximum(taken, others)
    # The combined length of trumps; in notrump, that of the longest suit
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
    # Tricks and evaluators
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
    """Return, by column, a function that builds the expression for a strain, and `Function.hundredths`."""
    columns: list[tuple[str, Callable[..., str], str, bool]]
    columns = [(name, build_expression, name, get_function(name).hundredths) for name in names]
    columns += [(name, expand_names, text, False) for name, text in expressions.items()]
    measures: dict[str, tuple[Callable[[str], str], bool]] = {}
    for name, build, source, hundredths in columns:
        if name in COLUMNS or name in measures:
            raise ArgumentError(f"the table of sides already has a column {name!r}; remove it")
        build(source, STRAINS[0])  # raises the error for an invalid name before solving
        measures[name] = functools.partial(build, source), hundredths
    return measures


def build_expression(name: str, strain: str | None = None) -> str:
    """Return the expression for the value of an evaluator for north and south together.

    Two hands are combined as the field `combine` of the evaluator says: added, or subtracted from a number,
    as for losing tricks.

    Parameters
    ----------
    name : str
        A registered function that needs only a seat or a side.
    strain : str, optional
        One of the five strains. Evaluators that take a strain are evaluated in it; a function of a side and a
        suit, such as ``fit``, in that suit (in notrump, in the longest suit). By default they choose the
        strain themselves.

    Raises
    ------
    UnknownNameError
        The function is unknown.
    ArgumentError
        The function needs more arguments, or does not define how two hands are combined.

    Examples
    --------
    >>> build_expression("hcp"), build_expression("fit", "hearts")
    ('(hcp(north) + hcp(south))', 'fit(NS, hearts)')
    >>> build_expression("zar"), build_expression("zar", "hearts")
    ('zar(NS)', 'zar(NS, hearts)')
    """
    function = get_function(name)
    if function.kind == "side" and "suit?" in function.arguments:
        return f"{function.name}(NS)" if strain in (None, "notrump") else f"{function.name}(NS, {strain})"
    kinds, *rest = ([part for part in argument.split("|")] for argument in function.arguments or ("",))
    takes_strain = any({"strain", "strain?"} & set(alternatives) for alternatives in rest)
    if strain is not None and "side" in kinds and takes_strain:
        return f"{function.name}(NS, {strain})"
    needed = [kind for kind in rest if not kind[-1].endswith(("?", "..."))]
    if function.kind not in _MEASURE_KINDS or needed or not {"seat", "side"} & set(kinds):
        raise ArgumentError(
            f"{function.signature} does not evaluate a hand or a side without further arguments; "
            f"give an expression, as in {{'mine': '{function.name}(...)'}}"
        )
    if "side" in kinds:
        return f"{function.name}(NS)"
    return f"({_build_sum(function)})"


def _build_sum(function: Function) -> str:
    """Return the value of a side from those of its two hands, as an expression."""
    if not function.combine:
        raise ArgumentError(
            f"{function.name} does not define how two hands are combined; give an expression, as in "
            f"{{'mine': '{function.name}(north) + {function.name}(south)'}}"
        )
    total = f"{function.name}(north) + {function.name}(south)"
    return total if function.combine == "sum" else function.combine.replace("sum", f"({total})")


def expand_names(text: str, strain: str | None = None) -> str:
    """Add the arguments of evaluators that are without arguments in an expression.

    `strain` is as for `build_expression`.

    Examples
    --------
    >>> expand_names("hcp >= 20 and fit(NS) >= 8")
    '(hcp(north) + hcp(south)) >= 20 and fit(NS) >= 8'
    """
    if not isinstance(text, str):
        raise ArgumentError(f"an expression is a text such as 'hcp >= 20', not {quote(text)}")
    return _replace_words(
        text, lambda word: build_expression(word, strain) if _is_bare_measure(word) else word
    )


def expand_tricks(text: str, declarer: str, strain: str) -> str:
    """Replace `tricks` without arguments with the tricks of north and south in a strain.

    `declarer` is as for `dealerkit.studies.sides.find_side_tricks`.

    Examples
    --------
    >>> expand_tricks("tricks >= 10", "better", "hearts")
    'max(tricks(north, hearts), tricks(south, hearts)) >= 10'
    """
    first, second = (f"tricks({seat}, {strain})" for seat in ("north", "south"))
    taken = f"max({first}, {second})" if declarer == "better" else f"(({first} + {second}) / 2.0)"
    return set_tricks(text, taken)


def set_tricks(text: str, taken: str) -> str:
    """Replace `tricks` without arguments with a text.

    Examples
    --------
    >>> set_tricks("tricks >= 10 and tricks(north, hearts) < 10", "11")
    '11 >= 10 and tricks(north, hearts) < 10'
    """
    return _replace_words(text, lambda word: taken if word == "tricks" else word)


def _replace_words(text: str, replace: Callable[[str], str]) -> str:
    """Replace names that are neither called nor defined, except in comments and texts.

    This works on tokens, since the parser does not accept an evaluator without arguments.
    """
    source = ScriptSource(text, MODERN)
    tokens, _ = tokenize(source, ())  # evaluating the expression raises the error
    for token, after in reversed([*zip(tokens, [*tokens[1:], None], strict=True)]):
        is_used = after is None or after.type not in ("LPAR", "ASSIGN")
        if token.source is source and token.type in ("FUNCTION", "NAME") and is_used:
            text = text[: token.start] + replace(token.text) + text[token.end :]
    return text


def _is_bare_measure(name: str) -> bool:
    """Return whether a name without arguments is that of an evaluator."""
    # A suit without arguments is the suit itself, as in hcp(north, spades).
    function = find_function(name)
    return name not in STRAINS and function is not None and function.kind in _MEASURE_KINDS


def find_evaluators(text: str) -> set[str]:
    """Return the names of the evaluators that an expression calls; none if the text cannot be parsed.

    >>> sorted(find_evaluators("hcp >= 20 and fit(NS, spades) >= 8"))
    ['fit', 'hcp']
    """
    try:
        script = parse_script(expand_names(text), MODERN, finds_all=False)
    except ScriptError:  # evaluating the text raises the error
        return set()
    calls = (
        node for statement in script.statements for node in walk(statement) if isinstance(node, nodes.Call)
    )
    functions = (get_function(call.function) for call in calls)
    return {function.name for function in functions if function.kind in _MEASURE_KINDS}

"""The registry of the functions of the dealer language, both built-in and user-defined.

A `Function` is one entry. The parser checks calls against the entries, the evaluator calls their bodies, and
`explain` and the documentation describe them.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from dealerkit.appearance.wording import limit_repr
from dealerkit.errors import ArgumentError, UnknownNameError, quote, suggest_name

if TYPE_CHECKING:
    import numpy as np

F = TypeVar("F", bound=Callable)


# ------------------------------------------------------------ one entry
# Kinds of the arguments of a call, each with an example for the help.
ARGUMENT_KINDS = (
    "seat", "suit", "strain", "side", "vulnerability", "vulnerable", "card", "contract", "shapes",
    "expression", "integer", "number", "string", "deal",
)  # fmt: skip
EXAMPLES = {
    "seat": "north", "suit": "spades", "strain": "notrump", "side": "NS", "vulnerability": "ns",
    "vulnerable": "nv", "card": "AS", "contract": "4S", "shapes": "any 5332", "expression": "hcp(north)",
    "integer": "1", "number": "1.5", "string": '"text"', "deal": "deal",
}  # fmt: skip
_COMBINE = re.compile(r"(\d+ - )?sum")  # how the values of two hands are combined for their side


class Settings(NamedTuple):
    """What the script and its dialect determine for all calls of a function.

    Parameters
    ----------
    rules : Rules
        The rules of the script's dialect.
    points : mapping of str to tuple
        The tables of points that the script redefines.
    opener : int or None
        The seat that opens.
    vulnerable : {0, 1, 2, 3}
        The vulnerability for par scores: none, ns, ew, both.
    """

    rules: Any
    points: Mapping[str, tuple] = {}
    opener: int | None = None
    vulnerable: int = 0


@limit_repr
@dataclass(frozen=True, slots=True, repr=False)
class Function:
    """A function of the dealer language: an entry of the registry.

    A *hand* below is the cards of one seat in n deals, uint64 [n], as in `dealerkit.cards.names`. A *column*
    is an array [n] with a value for each deal.

    Parameters
    ----------
    name : str
        Name of the function in scripts, and the first part of column names such as ``hcp_north``.
    arguments : tuple of str
        Kind of each argument, from `ARGUMENT_KINDS`. ``a|b`` allows either kind; ``?`` at the end makes the
        argument optional; ``...`` at the end allows any number of them.
    body : callable or None
        Computes the values; its arguments depend on `kind`. None: calls can be parsed, not evaluated.
    kind : {"hand", "side", "pair", "value", "deal", "item", "special"}
        How `body` is called. `rest` are the further arguments of the call, as numbers, columns or nodes.

        ``hand``: ``body(hand, *rest)``; the first argument of the call is a seat, and `hand` is its hand.
        ``side``: ``body(first, second, *rest)`` with the two hands of the side in the first argument.
        ``pair``: as ``side``; for a seat as first argument, with the hands of its side and the keyword
        ``part``: 0 for north and east, 1 for south and west.
        ``value``: ``body(*rest)``, for functions of numbers such as ``imps``.
        ``deal``: ``body(deals, *rest)`` with a `Deals`.
        ``item``: ``body(deals, *rest)`` returns a text for each deal; used only as an item of csvrpt and
        printrpt.
        ``special``: no body; see `operation`.
    operation : str
        Kind of operation to which a call is compiled. ``call`` calls `body`. ``least`` and ``greatest`` also
        call `body`, which returns the smallest or largest of its arguments. The compiler has code for the
        others: ``member`` (shape), ``random`` (rnd), ``board``, ``tricks`` (dds), ``tag`` (usereval).
    unit : str
        Unit of the value, such as ``points``, ``losers`` or ``cards``.
    hundredths : bool
        `body` returns integers in hundredths of the unit. The dialect modern divides them by 100; v1 and v2
        use them as they are.
    similar : float
        Values that differ by no more than this are of one kind, such as the scores of a contract that makes.
        A sample in which all values are of one kind says little about other values, so intervals of means are
        widened.
    pure, total : bool
        Pure: equal deals have equal values. Total: every deal has a value. Only calls that are both may be
        evaluated in another order, once for several uses, or not at all.
    cost : float
        Approximate cost in nanoseconds per deal. Cheap clauses are evaluated first.
    real : bool
        The values are floats. Otherwise they are integers or truth values from `low` to `high`, or 32-bit
        integers if these are None. Ignored if `hundredths` is true.
    outputs : tuple of str
        Names of the values if `body` returns several, as a mapping or in this order.
    table : str or None
        Name of the point table that `body` takes as its keyword ``weights``. Scripts change point tables with
        ``pointcount`` and ``altcount``.
    shared_tables : tuple of str
        Names of point tables from which dealer also derives the values (`Rules.shared_tables`).
    variants : tuple of str
        Values of the keyword ``variant`` of `body`; the first is the default.
    low, high : float or None
        Smallest and largest value for a hand of 13 cards, in `unit`; None: unknown.
    bounds : callable or None
        For integers whose bounds depend on the arguments: ``bounds(*ranges)`` takes the smallest and largest
        value of each argument that is an expression, as a pair, and returns the pair of the function.
    options : callable or None
        For keywords of `body` that the script or its dialect determines, such as the table of IMPs:
        ``options(settings)`` takes a `Settings` and returns them as a dict.
    holding_table : callable or None
        Declares that the value is a sum over the suits of the hand, or of both hands of the side:
        ``holding_table(*rest, **keywords)`` takes the arguments and keywords of `body` except the hands, and
        returns what each holding adds: integers [8192] for all suits or [4, 8192] for S H D C, in hundredths
        if `body` returns hundredths. It returns None for arguments for which the value is not such a sum. It
        is called when a table is needed; exact counts and conditional sampling rely on it.
        `dealerkit.compiler.suit_tables` gives the tables of a compiled call.
    length_table : callable or None
        Declares that the value depends only on the lengths of the suits, for a side on those of both hands
        together: ``length_table(*rest, **keywords)`` returns the values [4096] by ``spades << 8
        hearts << 4
        diamonds``, or None. If both tables are given, the value is their sum.
    combine : str
        How the values of two hands are combined for their side: ``sum``, a number minus the sum such as
        ``25 - sum`` (tricks from losers), or "" if they cannot be combined.
    direction : {1, -1}
        1: a larger value is better; -1: a smaller value is better, as for losers.
    summary, source : str
        One line of help; the book, article or program that defines the function.
    noun : str
        What the value counts, for explanations: ``points``, ``honours (AKQ)``; ``card`` if the argument is
        the card. By default the summary without its first words "number of".
    aliases : tuple of str
        Other names.
    dealer, dealerv2 : tuple of str
        Which of all names dealer has, and which DealerV2 adds. In modern scripts, the other names are
        functions only before a parenthesis.
    sorts_hands : bool
        DealerV2 sorts the cards of all hands before it evaluates the function, as it does when it accepts a
        deal; its next shuffle starts from the sorted cards.
    from_tables, from_model : bool
        Double-dummy tables of the deals give the value without the solver; the trick model can predict it.
    definition : callable or None
        For translation to programs that lack the function: ``definition(*arguments)``, with seats, sides and
        suits as numbers, returns the value as an expression of other functions.
    tags : tuple of int
        First arguments of ``usereval`` that select this function.
    examples : tuple of str
        Calls for help and documentation, if those of `list_examples` say too little.

    Raises
    ------
    ArgumentError
        `combine`, or a kind in `arguments`, is not one of the values above.

    Examples
    --------
    >>> Function("longest", ("seat",), unit="cards", low=4, high=13).signature
    'longest(seat)'
    """

    name: str
    arguments: tuple[str, ...]
    body: Callable | None = None
    kind: str = "hand"
    unit: str = ""
    operation: str = "call"
    hundredths: bool = False
    similar: float = 0.0
    pure: bool = True
    total: bool = True
    cost: float = 5.0
    real: bool = False
    outputs: tuple[str, ...] = ()
    table: str | None = None
    shared_tables: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    bounds: Callable[..., tuple[int, int]] | None = None
    options: Callable[[Settings], dict[str, Any]] | None = None
    holding_table: Callable[..., np.ndarray | None] | None = None
    length_table: Callable[..., np.ndarray | None] | None = None
    combine: str = ""
    direction: int = 1
    summary: str = ""
    source: str = ""
    noun: str = ""
    aliases: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    dealerv2: tuple[str, ...] = ()
    sorts_hands: bool = False
    from_tables: bool = False
    from_model: bool = False
    definition: Callable[..., str] | None = None
    tags: tuple[int, ...] = ()
    examples: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.combine and not _COMBINE.fullmatch(self.combine):
            raise ArgumentError(
                f"{self.name}: combine is {self.combine!r}; it must be 'sum', a number minus the sum such as "
                "'24 - sum', or '' if the values of two hands cannot be combined"
            )
        for argument in self.arguments:
            for kind in argument.rstrip("?.").split("|"):
                if kind not in ARGUMENT_KINDS:
                    close, kinds = suggest_name(kind, ARGUMENT_KINDS), ", ".join(ARGUMENT_KINDS)
                    raise ArgumentError(
                        f"{self.name}: unknown kind of argument {kind!r}{close}; it must be one of {kinds}"
                    )

    def __repr__(self) -> str:
        return f"<Function {self.signature}: {self.summary}>"

    @property
    def signature(self) -> str:
        """A call with the kinds of its arguments, such as ``hcp(seat, suit?)``, for help and messages."""
        return f"{self.name}({', '.join(self.arguments)})"

    def list_examples(self) -> tuple[str, ...]:
        """Return calls for the help: one for each kind of the first argument, and one with all arguments.

        >>> Function("bergen", ("side|seat", "strain?")).list_examples()
        ('bergen(NS)', 'bergen(north)', 'bergen(NS, notrump)')
        """
        if self.examples:
            return self.examples
        calls = [[EXAMPLES[kind.rstrip("?.").split("|")[0]] for kind in self.arguments]]
        needed = sum(not kind.endswith("?") for kind in self.arguments)
        if needed:
            firsts = self.arguments[0].rstrip("?.").split("|")
            calls = [[EXAMPLES[first], *calls[0][1:needed]] for first in firsts] + calls
        elif self.arguments:
            calls.insert(0, [])
        return tuple(dict.fromkeys(f"{self.name}({', '.join(call)})" for call in calls))


# ------------------------------------------------------------ the registry
_functions: dict[str, Function] = {}  # by name, in the order of registration
_spellings: dict[str, str] = {}  # name of the function by each of its names and aliases
_tags: dict[int, str] = {}  # name of the function by each of its tags
_word_readers: list[Callable[[str], str | None]] = []  # readers of the meaning of other words in scripts


def register(function: Function, replace: bool = False) -> Function:
    """Add a function to the registry and return it.

    Parameters
    ----------
    function : Function
    replace : bool
        Replace the function of the same name. A function that is defined again at the same place in a module,
        or anywhere in a notebook or in the program that runs, is always replaced.

    Raises
    ------
    ArgumentError
        If a name, alias or tag belongs to another function; the registry is then unchanged.
    """
    # An older definition of the same function may be replaced, which frees its names and tags.
    names = (function.name, *function.aliases)
    present = _functions.get(function.name)
    is_replaced = present is not None and (replace or _is_same_place(present.body, function.body))
    old = function.name if is_replaced else None

    # Reject names and tags of other functions before anything is changed.
    for name in names:
        if _spellings.get(name, old) != old:
            raise ArgumentError(_describe_taken(name, get_function(name)))
    for tag in function.tags:
        if _tags.get(tag, old) != old:
            raise ArgumentError(
                f"tag {tag} of usereval is taken by {_tags[tag]}; choose another for {function.name}"
            )

    if old is not None:
        unregister(old)
    _functions[function.name] = function
    _spellings.update(dict.fromkeys(names, function.name))
    _tags.update(dict.fromkeys(function.tags, function.name))
    return function


def reserve_words(find_meaning: Callable[[str], str | None]) -> None:
    """Add a reader of other words: names that have a meaning in scripts are refused for users' functions."""
    _word_readers.append(find_meaning)


def _is_same_place(old: Callable | None, new: Callable | None) -> bool:
    """Return whether both functions are defined in the same place, as when a notebook cell is run again."""
    module = getattr(old, "__module__", None)
    if module is None or getattr(new, "__module__", None) != module:
        return False
    name = getattr(old, "__qualname__", "<lambda>")
    is_named = name == getattr(new, "__qualname__", None) and not name.endswith("<lambda>")
    return module == "__main__" or is_named


def _describe_taken(name: str, owner: Function) -> str:
    """Return the error about a name that belongs to another function."""
    module = getattr(owner.body, "__module__", None) or "dealerkit"
    if owner.kind != "deal" or module.partition(".")[0] == "dealerkit":
        whose = f"a function of the language, {owner.signature}"
    else:
        whose = f"a function of {module}, {owner.signature}; replace=True replaces it"
    if name != owner.name:
        whose = f"another name of {whose}"
    return f"the name {name!r} is taken by {whose}; choose another, as @dk.function({'my_' + name!r})"


def unregister(name: str) -> None:
    """Remove a function from the registry (for users' functions and tests).

    Raises
    ------
    UnknownNameError
        If there is no function of this name.
    """
    function = get_function(name)
    del _functions[function.name]
    for spelling in (function.name, *function.aliases):
        del _spellings[spelling]
    for tag in function.tags:
        del _tags[tag]


def find_function(name: str) -> Function | None:
    """Return the function with this name or alias, or None if there is none."""
    return _functions[_spellings[name]] if name in _spellings else None


def get_function(name: str) -> Function:
    """Return the function with this name or alias.

    Raises
    ------
    UnknownNameError
        If there is none; the message suggests the most similar name.
    ArgumentError
        If `name` is not a str.
    """
    if not isinstance(name, str):
        raise ArgumentError(f"{quote(name)} is not a name of a function; give a text such as 'hcp'")
    function = find_function(name)
    if function is None:
        raise UnknownNameError(f"unknown function {name!r}{suggest_name(name, _spellings)}")
    return function


def find_tagged_function(tag: int) -> Function | None:
    """Return the function that ``usereval(tag, ...)`` evaluates, or None if the tag is free."""
    return _functions[_tags[tag]] if tag in _tags else None


def functions() -> Iterator[Function]:
    """Yield all functions in the order of their registration."""
    yield from list(_functions.values())


def spellings() -> tuple[str, ...]:
    """Return all names and aliases."""
    return tuple(_spellings)


# ------------------------------------------------------------ functions of users
@overload
def function(name: F) -> F: ...
@overload
def function(
    name: str | None = None,
    args: Sequence[str] | None = None,
    *,
    unit: str = "",
    source: str = "",
    summary: str | None = None,
    outputs: Sequence[str] = (),
    real: bool = False,
    pure: bool = True,
    total: bool = True,
    cost: float = 100.0,
    low: float | None = None,
    high: float | None = None,
    combine: str = "",
    direction: int = 1,
    holding_table: np.ndarray | None = None,
    tag: int | None = None,
    replace: bool = False,
) -> Callable[[F], F]: ...
def function(
    name: str | Callable | None = None,
    args: Sequence[str] | None = None,
    *,
    unit: str = "",
    source: str = "",
    summary: str | None = None,
    outputs: Sequence[str] = (),
    real: bool = False,
    pure: bool = True,
    total: bool = True,
    cost: float = 100.0,
    low: float | None = None,
    high: float | None = None,
    combine: str = "",
    direction: int = 1,
    holding_table: np.ndarray | None = None,
    tag: int | None = None,
    replace: bool = False,
) -> Callable:
    """Return a decorator that adds a vectorised Python function to the dealer language.

    Parameters
    ----------
    name : str or None
        Name in scripts: letters, digits and underscores. None: the name of the Python function. Without
        parentheses, ``@function`` decorates the function directly.
    args : sequence of str or None
        Kinds of the arguments, as in `Function.arguments`: ``seat suit strain side expression integer
        number string`` ... None: the names of the Python function's parameters after the first, if they are
        kinds (optional those with a default); a single parameter with another name is a seat.
    unit, source, summary : str
        Shown in help and reports. If `summary` is None, it is the first line of the docstring.
    outputs : sequence of str
        Names of several values that are computed together: ``name(north).output`` is one of them, and
        ``name(north)`` is the first.
    real : bool
        The values are floats, not integers or truth values.
    pure, total, combine, direction
        As in `Function`; ``combine="sum"``: `compare` adds the values of two hands.
    cost : float
        Approximate cost in nanoseconds per deal.
    low, high : float or None
        Smallest and largest value, in `unit`. If either is missing, integers have at most 32 bits.
    holding_table : ndarray of int [shape=(8192,) or (4, 8192)], optional
        Declares that the value is the sum over the suits (S H D C) of what this table has for the holding of
        the seat, or of both seats of the side, and for a suit that of the suit alone. A holding is a number
        of 13 bits, bit 12 the ace and bit 0 the deuce. Then `probability` counts exactly, and runs may deal
        conditionally. A table that differs from the function on random deals is an error when it is used.
    tag : int >= 0, optional
        A free tag: ``usereval(60, NS, 1)`` evaluates the function with ``tag=60`` and gives the second of its
        `outputs`; slot 0 is the only value of a function without `outputs`.
    replace : bool
        Replace a function of the same name that is defined elsewhere. A cell of a notebook that is run again
        replaces its functions by itself.

    Returns
    -------
    callable
        The decorator, which returns the Python function unchanged. The function is called with a `Deals` and
        one value for each argument: seats, suits, strains and sides as numbers (N E S W, S H D C N, NS EW
        from 0), expressions as arrays [n], others as nodes of the language. It returns an array of numbers
        or bool [n], or with `outputs` a mapping or sequence of arrays. It is called with any number of
        deals, also 0, and from several threads at once.

    Raises
    ------
    ArgumentError
        The name is taken, a word of the language or not a name; a kind of argument is missing or unknown; a
        bound is not a number; the tag is taken, or `usereval` cannot pass these arguments; `combine` is not a
        rule; `holding_table` is no such table.

    Examples
    --------
    >>> @function
    ... def void(deals, seat):
    ...     "1 if the hand has a void"
    ...     hand = deals.hand(seat)
    ...     return sum((hand >> 16 * lane & 0x1FFF == 0) for lane in range(4)) > 0
    >>> import dealerkit as dk
    >>> 0.04 < float(dk.deal(10_000, seed=1).eval("void(north)").mean()) < 0.06
    True
    >>> unregister("void")
    """

    def add(body: Callable) -> Callable:
        # The name: of its own or of the Python function, and no other word of scripts.
        spelling = getattr(body, "__name__", None) if name is None or callable(name) else name
        if not isinstance(spelling, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", spelling):
            raise ArgumentError(
                f"{spelling!r} is not a name of a function; use letters, digits and underscores"
            )
        for meaning in filter(None, (find_meaning(spelling) for find_meaning in _word_readers)):
            raise ArgumentError(f"{spelling!r} is {meaning} in scripts; choose another name of the function")

        # The arguments, and what the function declares of its values.
        _check_bounds(spelling, low, high)
        kinds = _infer_kinds(spelling, body) if args is None else args
        if not isinstance(kinds, list | tuple) or not all(isinstance(kind, str) for kind in kinds):
            raise ArgumentError(
                f"args of {spelling} is {quote(args)}; it must be a list of texts such as ['seat']"
            )
        if tag is not None:
            _check_tag(spelling, tag, kinds)
        if holding_table is not None and outputs:
            raise ArgumentError(f"{spelling} has several outputs; a holding_table declares a single value")

        entry = Function(
            spelling, tuple(kinds), body, "deal", unit,
            pure=pure, total=total, cost=cost, real=real, outputs=tuple(outputs),
            low=low, high=high, combine=combine, direction=direction,
            summary=(body.__doc__ or "").strip().partition("\n")[0] if summary is None else summary,
            source=source, tags=() if tag is None else (tag,),
            holding_table=None if holding_table is None else _declare_table(spelling, kinds, holding_table),
        )  # fmt: skip
        register(entry, replace)
        return body

    return add(name) if callable(name) else add


def _check_bounds(name: str, low: float | None, high: float | None) -> None:
    """Raise an error unless the bounds of a function's values are numbers, the lower one first."""
    for bound in (low, high):
        if not isinstance(bound, Real | None) or (bound is not None and not math.isfinite(bound)):
            raise ArgumentError(f"low and high of {name} are numbers or None; not {quote(bound)}")
    if low is not None and high is not None and low > high:
        raise ArgumentError(f"low of {name} is {low}, more than high, {high}")


def _infer_kinds(name: str, body: Callable) -> tuple[str, ...]:
    """Return the kinds of the arguments of a Python function from the names of its parameters."""
    try:
        every = list(inspect.signature(body).parameters.values())
    except (TypeError, ValueError):  # a function without a signature
        every = []
    if every and (every[0].name in ARGUMENT_KINDS or every[0].name == "hand"):
        raise ArgumentError(
            f"the first parameter of {name} is called {every[0].name!r}, but it gets all deals; a function "
            f"of one hand gets the seat as its second; write def {name}(deals, seat)"
        )
    parameters = every[1:]
    if every and all(parameter.name in ARGUMENT_KINDS for parameter in parameters):
        return tuple(
            parameter.name + "?" * (parameter.default is not parameter.empty) for parameter in parameters
        )
    if len(parameters) == 1:
        return ("seat",)
    raise ArgumentError(
        f'the kinds of the arguments of {name} are missing; write @dk.function(args=["seat", ...]) above '
        f"def {name}(deals, seat, ...); they are {', '.join(ARGUMENT_KINDS)}"
    )


def _declare_table(name: str, kinds: Sequence[str], table: np.ndarray) -> Callable[..., np.ndarray]:
    """Return a user's table as `Function.holding_table`, or raise an error if it cannot be one."""
    if getattr(table, "shape", None) not in ((8192,), (4, 8192)) or table.dtype.kind not in "iu":
        raise ArgumentError(f"the holding_table of {name} is an array of 8192 or 4 x 8192 integers")
    owner, *rest = kinds or ("",)
    if owner not in ("seat", "side") or rest not in ([], ["suit"], ["suit?"]):
        raise ArgumentError(
            f"{name}({', '.join(kinds)}) cannot have a holding_table: it takes a seat or a side, and then a "
            "suit or nothing"
        )
    tables = table.astype("int64")  # a copy
    tables = tables if tables.ndim == 2 else tables[None].repeat(4, axis=0)
    tables.flags.writeable = False

    def restrict(suit: int | None = None) -> np.ndarray:
        if suit is None:
            return tables
        restricted = 0 * tables
        restricted[suit] = tables[suit]
        return restricted

    return restrict


def _check_tag(name: str, tag: int, args: Sequence[str]) -> None:
    """Raise an error unless ``usereval(tag, side or seat, suit, slot)`` can pass these arguments."""
    if not isinstance(tag, int) or isinstance(tag, bool) or tag < 0:
        raise ArgumentError(f"the tag of {name} is {tag!r}; it must be a whole number, 0 or more")
    first, *more = args or ("",)
    if (
        first not in ("seat", "side")
        or len(more) > 1
        or not set(more) <= {"suit", "suit?", "strain", "strain?"}
    ):
        raise ArgumentError(
            f"{name}({', '.join(args)}) cannot have a tag: usereval passes a seat or a side, and then "
            "a suit or nothing"
        )

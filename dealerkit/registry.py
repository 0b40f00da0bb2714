"""The one list of what the language and Python can ask of a deal.

A `Function` is one entry: its name and other spellings, the kinds of its
arguments, its unit, whether it is pure and total, what it costs, and its body.
The parser checks calls against it, the evaluator calls its body, `explain`
and the documentation print it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dealerkit.errors import ArgumentError, UnknownNameError, suggest_name

ARGUMENT_KINDS = (
    "seat", "suit", "strain", "side", "vulnerability", "card", "contract", "shapes",
    "expression", "integer", "number", "string", "deal",
)  # fmt: skip
_COMBINE = re.compile(r"(\d+ - )?sum")


@dataclass(frozen=True, slots=True)
class Function:
    """One thing that can be asked of a deal.

    Parameters
    ----------
    name : str
        The word of the language, also the stem of column names.
    arguments : tuple of str
        A kind for each argument, from `ARGUMENT_KINDS`. ``a|b`` allows either, a
        trailing ``?`` makes it optional, a trailing ``...`` lets it repeat.
    body : callable or None
        None: the word parses, but nothing computes it yet. What it is called
        with depends on `kind`.
    kind : {"hand", "side", "pair", "value", "deal", "item", "special"}
        ``hand``: ``body(hand, *rest)`` with the seat's cards, uint64 [n].
        ``side``: ``body(first, second, *rest)`` with the hands of the side's two seats.
        ``pair``: ``body(first, second, *rest)`` likewise where a side stands; where a seat does,
        with the hands of its side and the keyword ``part``, 0 for north and east, 1 for south and west.
        ``value``: ``body(*rest)``, expressions as arrays [n], other arguments as they are.
        ``deal``: ``body(deals, *rest)`` with the Deals themselves, all four hands dealt.
        ``item``: only an item of csvrpt and printrpt.
        ``special``: the evaluator itself knows what to do (rnd, shape, board).
    unit : str
        Of the value in natural units: ``points``, ``losers``, ``cards`` ...
    hundredths : bool
        The body returns integers of a hundredth of the unit: natural units divide
        them by 100, the old programs show them as they are.
    pure, total : bool
        Pure: equal deals give equal values. Total: every deal has a value. Only
        what is both may be moved, shared and asked in any order.
    cost : float
        Nanoseconds a deal, roughly; dear operands are asked only where they are needed.
    real : bool
        The values are real numbers; else they are integers (or truth values), in the range of
        `low` and `high` or, without them, of 32 bits. `hundredths` says more and goes first.
    outputs : tuple of str
        Names of several values that the body gives at once, as a mapping or in this order.
    table : str or None
        Name of the table of points (``pointcount`` and ``altcount`` redefine it)
        that the body takes as its keyword ``weights``.
    variants : tuple of str
        Names accepted by the body's keyword ``variant``; the first is the default.
    low, high : float or None
        Range of the value for a whole hand, in natural units.
    combine : str
        How the values of two hands make one of their side: ``sum``, ``25 - sum`` (tricks from losers), or
        nothing where they do not add up.
    direction : {1, -1}
        1: more is better; -1: fewer is better, as of losers.
    summary, source : str
        One line of help; the book, article or program of the definition.
    aliases : tuple of str
        Other spellings.
    tags : tuple of int
        Numbers by which ``usereval`` asks for it.
    """

    name: str
    arguments: tuple[str, ...]
    body: Callable | None = None
    kind: str = "hand"
    unit: str = ""
    hundredths: bool = False
    pure: bool = True
    total: bool = True
    cost: float = 5.0
    real: bool = False
    outputs: tuple[str, ...] = ()
    table: str | None = None
    variants: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    combine: str = ""
    direction: int = 1
    summary: str = ""
    source: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.combine and not _COMBINE.fullmatch(self.combine):
            raise ArgumentError(
                f"{self.name}: combine is {self.combine!r}; it is 'sum', a number less the sum such as "
                "'24 - sum', or '' where two hands do not add up"
            )
        for argument in self.arguments:
            for kind in argument.rstrip("?.").split("|"):
                if kind not in ARGUMENT_KINDS:
                    close, kinds = suggest_name(kind, ARGUMENT_KINDS), ", ".join(ARGUMENT_KINDS)
                    raise ArgumentError(
                        f"{self.name}: unknown kind of argument {kind!r}{close}; it is one of {kinds}"
                    )

    @property
    def signature(self) -> str:
        """How the call is written, for help and messages: ``hcp(seat, suit?)``."""
        return f"{self.name}({', '.join(self.arguments)})"


_functions: dict[str, Function] = {}
_spellings: dict[str, str] = {}
_tags: dict[int, str] = {}


def register(function: Function, replace: bool = False) -> Function:
    """Add a function to the list.

    Parameters
    ----------
    function : Function
    replace : bool
        Take the place of a function of this name.

    Raises
    ------
    ArgumentError
        A name, spelling or tag that another function has; the list is as it was.
    """
    old = function.name if replace and function.name in _functions else None
    for word in (function.name, *function.aliases):
        if _spellings.get(word, old) != old:
            raise ArgumentError(f"the name {word!r} is taken by {_spellings[word]}")
    for tag in function.tags:
        if _tags.get(tag, old) != old:
            raise ArgumentError(
                f"tag {tag} of usereval is taken by {_tags[tag]}; choose another for {function.name}"
            )
    if old is not None:
        unregister(old)
    _functions[function.name] = function
    _spellings.update(dict.fromkeys((function.name, *function.aliases), function.name))
    _tags.update(dict.fromkeys(function.tags, function.name))
    return function


def unregister(name: str) -> None:
    """Take a function off the list (for the user's own functions and for tests)."""
    function = get_function(name)
    del _functions[function.name]
    for word in (function.name, *function.aliases):
        del _spellings[word]
    for tag in function.tags:
        del _tags[tag]


def find_tagged_function(tag: int) -> Function | None:
    """The function that ``usereval`` asks for by this tag, or None where the tag is free."""
    return _functions[_tags[tag]] if tag in _tags else None


def get_function(name: str) -> Function:
    """The function with this name or spelling.

    Raises
    ------
    UnknownNameError
        With the nearest known name.
    ArgumentError
        It is no text.
    """
    if not isinstance(name, str):
        raise ArgumentError(f"{name!r:.60} is no name of a function; give a text such as 'hcp'")
    function = find_function(name)
    if function is None:
        raise UnknownNameError(f"unknown function {name!r}{suggest_name(name, _spellings)}")
    return function


def find_function(name: str) -> Function | None:
    """Return the function with this name or alias, or None if there is none."""
    return _functions[_spellings[name]] if name in _spellings else None


def functions() -> Iterator[Function]:
    """All functions, in the order in which they were registered."""
    yield from list(_functions.values())


def spellings() -> tuple[str, ...]:
    """All names and other spellings."""
    return tuple(_spellings)


def function(
    name: str | None = None,
    args: Sequence[str] = ("seat",),
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
    tag: int | None = None,
    replace: bool = False,
) -> Callable[[Callable], Callable]:
    """Make a vectorised Python function a word of the language (a decorator).

    Parameters
    ----------
    name : str or None
        The word; None takes the function's own name.
    args : sequence of str
        Kinds of its arguments, as in `Function.arguments`.
    unit, source, summary : str
        For help; the summary is the first line of the docstring unless given.
    outputs : sequence of str
        Names of several values computed at once; ``word(north).name`` asks for one of them,
        ``word(north)`` for the first.
    real : bool
        It gives real numbers, not integers or truth values.
    pure, total, cost, low, high, combine, direction
        As in `Function`.
    tag : int, optional
        A free tag, 0 or more: ``usereval(60, NS, 1)`` asks the function with ``tag=60`` for the second of
        its `outputs`, or with slot 0 for the value of a function that has one.
    replace : bool
        Take the place of a function of this name, as when a notebook's cell is run again.

    Returns
    -------
    decorator
        The decorated function is called with the Deals and then one value for each argument:
        seats, suits, strains and sides as numbers (N E S W, S H D C N, NS EW from 0),
        expressions as arrays [n], others as nodes. It returns an array [n], or with `outputs`
        a mapping or sequence of them. It may be asked for any number of deals, none included,
        and from several threads at once.

    Raises
    ------
    ArgumentError
        A name that is taken, or is no word; an unknown kind of argument; a tag that is taken or cannot be
        asked for; a rule of `combine` that is none.

    Examples
    --------
    >>> @function("void", args=["seat"], unit="truth", source="an example")
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
        word = body.__name__ if name is None else name
        if not isinstance(word, str) or not word.isidentifier() or not word.isascii() or word.startswith("_"):
            raise ArgumentError(f"{word!r} is no word of the language; use letters, digits and underscores")
        if not isinstance(args, list | tuple) or not all(isinstance(kind, str) for kind in args):
            raise ArgumentError(f"args of {word} is {args!r:.60}; it is a list of texts such as ['seat']")
        if tag is not None:
            _check_tag(word, tag, args)
        help_text = summary if summary is not None else (body.__doc__ or "").strip().partition("\n")[0]
        register(
            Function(
                word,
                tuple(args),
                body,
                kind="deal",
                unit=unit,
                source=source,
                summary=help_text,
                outputs=tuple(outputs),
                real=real,
                pure=pure,
                total=total,
                cost=cost,
                low=low,
                high=high,
                combine=combine,
                direction=direction,
                tags=() if tag is None else (tag,),
            ),
            replace,
        )
        return body

    return add


def _check_tag(word: str, tag: int, args: Sequence[str]) -> None:
    """Can ``usereval(tag, side or seat, suit, slot)`` ask for a function with these arguments?"""
    if not isinstance(tag, int) or isinstance(tag, bool) or tag < 0:
        raise ArgumentError(f"the tag of {word} is {tag!r}; it is a whole number, 0 or more")
    first, *more = args or ("",)
    if (
        first not in ("seat", "side")
        or len(more) > 1
        or not set(more) <= {"suit", "suit?", "strain", "strain?"}
    ):
        raise ArgumentError(
            f"{word}({', '.join(args)}) cannot have a tag: usereval gives its function a seat or a side, and "
            "then a suit or nothing"
        )

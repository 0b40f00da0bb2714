"""The nodes of a script, which cannot be changed, can be compared, and have no behaviour of their own.

The compiler, the printer, the checks and `explain` are functions that take nodes. `place` is the node's place
in the text; comparisons ignore it. Operators of one precedence level are one node (`And`, `Or`, `Chain`,
`Choice`), so a long list of alternatives makes a wide tree, not a deep one. Every class has a docstring,
because dataclasses would otherwise generate one, which takes long.

`NodeBase` defines the methods of all classes once: ``dataclass(frozen=True)`` would generate and compile six
methods for each of the 33 classes, which adds 15 ms to each start. `node` only adds the fields.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, Self, TypeVar, Union, dataclass_transform

from dealerkit.appearance.wording import REPR_LENGTH, shorten


@dataclass(frozen=True, slots=True)
class Origin:
    """The text that a node was parsed from, and its file; a sum of scripts has several.

    `is_included` is true for a file that the script includes with `#include`.
    """

    file: str | None
    text: str = field(repr=False)
    is_included: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """The line and column, both from 1, at which a node begins in its text."""

    line: int
    column: int
    origin: Origin | None = field(default=None, compare=False, repr=False)


class NodeBase:
    """The methods of a frozen dataclass with slots; the decorator `node` finds its fields."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]  # the fields that can be passed by position
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _defaults: ClassVar[dict[str, Any]]
    _shown: ClassVar[tuple[str, ...]]  # the fields that the repr shows
    _compared: ClassVar[attrgetter[Any]]  # gets the class and the fields that are compared

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self.__match_args__, values, strict=False)) | named
        complete = self._defaults | given
        if len(given) != len(values) + len(named) or complete.keys() != self.__dataclass_fields__.keys():
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.__dataclass_fields__)}")
        self.__setstate__(complete)

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # immutable, and a copy of a deep tree would end in a RecursionError

    def __eq__(self, other: object) -> bool:
        return self._compared(self) == self._compared(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared(self))

    def __repr__(self) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in self._shown)
        return shorten(f"{type(self).__qualname__}({', '.join(values)})", REPR_LENGTH)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


T = TypeVar("T", bound=NodeBase)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[T]) -> type[T]:
    """Add the fields in a class's annotations to it: a decorator like ``dataclass(frozen=True)``."""
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    every = fields(made)
    made._defaults = {item.name: item.default for item in every if item.default is not MISSING}
    made._shown = tuple(item.name for item in every if item.repr)
    made._compared = attrgetter("__class__", *(item.name for item in every if item.compare))
    return made


@node
class Node(NodeBase):
    """A node with the place at which it begins, None if it was not parsed from a text."""

    place: Place | None = field(default=None, compare=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- literal arguments
@node
class Seat(Node):
    """A seat as an argument."""

    index: int  # N E S W = 0..3


@node
class Suit(Node):
    """A suit as an argument."""

    index: int  # S H D C = 0..3


@node
class Strain(Node):
    """A strain as an argument; the parser makes a `Suit` of a suit."""

    index: int  # S H D C N = 0..4; from the parser always 4, notrump


@node
class Side(Node):
    """A side as an argument."""

    index: int  # NS, EW = 0, 1


@node
class Vulnerability(Node):
    """A word for a vulnerability."""

    word: str  # "nv", "vul", "none", "ns", "ew", "both"


@node
class CardLiteral(Node):
    """A card."""

    suit: int
    rank: int  # bit of the lane: deuce 0 ... ace 12


@node
class ContractLiteral(Node):
    """A contract."""

    level: int
    strain: int
    doubled: int = 0  # 0, 1, 2


@dataclass(frozen=True, slots=True)
class ShapeTerm:
    """A term of a list of shapes."""

    sign: str  # "+" or "-"
    any: bool  # whether the lengths may be in any order
    pattern: str  # four characters, digits or x, spades first


@node
class ShapeList(Node):
    """The list of ``shape(seat, list)``; `patterns` is a bit set over `shapes.PATTERNS`."""

    terms: tuple[ShapeTerm, ...]
    patterns: int


@node
class BraceShapes(Node):
    """The list of ``shape{seat, list}`` as written; `patterns` is a bit set as in `ShapeList`."""

    text: str
    patterns: int


@node
class String(Node):
    """A text in quotes."""

    text: str


@node
class WholeDeal(Node):
    """The keyword ``deal`` as an item of csvrpt, printrpt and trix."""


# ---------------------------------------------------------------- expressions
@node
class Number(Node):
    """A number."""

    value: int | float
    decimal: bool = (
        False  # written with a point; with `Rules.hundredths`, `value` is then 100 times the number
    )


@node
class Name(Node):
    """A reference to a variable."""

    name: str


@node
class Call(Node):
    """A call of a function."""

    function: str  # name in the registry
    arguments: tuple[Argument, ...]
    output: str | None = None  # the name of one value of a function that has several


@node
class Not(Node):
    """``not operand``."""

    operand: Expression


@node
class Negate(Node):
    """``-operand``."""

    operand: Expression


@node
class Chain(Node):
    """``operands[0] operators[0] operands[1] operators[1] ...``, left to right."""

    operands: tuple[Expression, ...]
    operators: tuple[str, ...]  # + - * / %  or  == != < <= > >=


@node
class And(Node):
    """``operands[0] and operands[1] ...``."""

    operands: tuple[Expression, ...]


@node
class Or(Node):
    """``operands[0] or operands[1] ...``."""

    operands: tuple[Expression, ...]


@node
class Choice(Node):
    """``conditions[0] ? values[0] : conditions[1] ? values[1] : ... : otherwise``."""

    conditions: tuple[Expression, ...]
    values: tuple[Expression, ...]
    otherwise: Expression


Expression = Union[Number, Name, Call, Not, Negate, Chain, And, Or, Choice]
Argument = Union[
    Seat, Suit, Strain, Side, Vulnerability, CardLiteral, ContractLiteral, ShapeList, BraceShapes,
    String, WholeDeal, Expression,
]  # fmt: skip


# ---------------------------------------------------------------- statements
@node
class Setting(Node):
    """A setting, such as ``produce 100``.

    The value is an int for generate, produce, seed and startboard, a seat 0..3 for dealer and opener, the
    bits 0..3 for vulnerable, and a str for title.
    """

    name: str
    value: int | str


@node
class PredealCards(Node):
    """Cards predealt to a seat."""

    seat: int
    cards: tuple[tuple[int, int], ...]  # (suit, rank) in the order of the script


@node
class PredealHand(Node):
    """Predealt holdings with small cards or +: ``QTxx.J8x.9x.Q9xx`` or ``SAKxx, HA+``.

    An x is any card below the ten; + allows further cards of the suit.
    """

    seat: int
    text: str


@node
class PredealLength(Node):
    """A suit length predealt to a seat."""

    seat: int
    suit: int
    length: int


@node
class PointTable(Node):
    """``pointcount`` (with `number` None) or ``altcount number``; `values` are those from the ace down."""

    number: int | None
    values: tuple[int | float, ...]


@node
class Definition(Node):
    """``name = value``."""

    name: str
    value: Expression


@node
class Condition(Node):
    """A condition."""

    value: Expression
    bare: bool = False  # written without the keyword `condition`


@node
class LevelType(Node):
    """A hand type of `level`, whose number of produced deals is in proportion to `share`."""

    label: str
    value: Expression
    share: Number | None = None  # None means 1


@node
class Level(Node):
    """``level "weak" expression, "game" expression share 2``."""

    types: tuple[LevelType, ...]


@node
class Action(Node):
    """An action with its arguments."""

    name: str  # name in `signatures.ACTIONS`
    arguments: tuple[Argument, ...]
    label: str | None = None


@node
class ActionList(Node):
    """The actions of a statement ``action``."""

    actions: tuple[Action, ...]


Statement = Union[
    Setting, PredealCards, PredealHand, PredealLength, PointTable, Definition, Condition, Level,
    ActionList,
]  # fmt: skip

"""The nodes of a script: frozen, comparable, without behaviour.

The compiler, the printer, the checks and `explain` are functions over them.
`place` is the node's place in the text and is not compared. Operators of one
precedence level are one node (`And`, `Or`, `Chain`, `Choice`), so a long list
of alternatives is wide, not deep.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union


@dataclass(frozen=True, slots=True)
class Origin:
    """A text that nodes were parsed from, and its file; scripts that were added up have several."""

    file: str | None
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """The line and column, both from 1, at which a node begins in its text."""

    line: int
    column: int
    origin: Origin | None = field(default=None, compare=False, repr=False)


def _place() -> Place | None:
    return field(default=None, compare=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- literal arguments
@dataclass(frozen=True, slots=True)
class Seat:
    index: int  # N E S W = 0..3
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Suit:
    index: int  # S H D C = 0..3
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Strain:
    index: int  # S H D C N = 0..4; the parser makes only notrump a Strain, and a suit a Suit
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Side:
    index: int  # NS, EW = 0, 1
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Vulnerability:
    word: str  # "nv", "vul", "none", "ns", "ew", "both"
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class CardLiteral:
    suit: int
    rank: int  # bit of the lane: deuce 0 ... ace 12
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class ContractLiteral:
    level: int
    strain: int
    doubled: int = 0  # 0, 1, 2
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class ShapeTerm:
    sign: str  # "+" or "-"
    any: bool  # all 24 orders of the pattern
    pattern: str  # four characters, digits or x, spades first


@dataclass(frozen=True, slots=True)
class ShapeList:
    """The list of ``shape(seat, list)``; `patterns` is a bit set over `shapes.PATTERNS`."""

    terms: tuple[ShapeTerm, ...]
    patterns: int
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class BraceShapes:
    """The list of ``shape{seat, list}`` as written; `patterns` as in `ShapeList`."""

    text: str
    patterns: int
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class String:
    text: str
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class WholeDeal:
    """The keyword ``deal`` as an item of csvrpt, printrpt and trix."""

    place: Place | None = _place()


# ---------------------------------------------------------------- expressions
@dataclass(frozen=True, slots=True)
class Number:
    value: int | float
    decimal: bool = False  # written with a point: under `Rules.hundredths` value is 100 times it
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Call:
    function: str  # name in the registry
    arguments: tuple[Argument, ...]
    output: str | None = None  # the named value, of a function with several
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expression
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Negate:
    operand: Expression
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Chain:
    """``operands[0] operators[0] operands[1] operators[1] ...``, left to right."""

    operands: tuple[Expression, ...]
    operators: tuple[str, ...]  # + - * / %  or  == != < <= > >=
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Expression, ...]
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[Expression, ...]
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Choice:
    """``conditions[0] ? values[0] : conditions[1] ? values[1] : ... : otherwise``."""

    conditions: tuple[Expression, ...]
    values: tuple[Expression, ...]
    otherwise: Expression
    place: Place | None = _place()


Expression = Union[Number, Name, Call, Not, Negate, Chain, And, Or, Choice]
Argument = Union[
    Seat, Suit, Strain, Side, Vulnerability, CardLiteral, ContractLiteral, ShapeList, BraceShapes,
    String, WholeDeal, Expression,
]  # fmt: skip


# ---------------------------------------------------------------- statements
@dataclass(frozen=True, slots=True)
class Setting:
    """``generate produce seed startboard`` int, ``dealer opener`` seat, ``vulnerable`` 0-3, ``title`` str."""

    name: str
    value: int | str
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class PredealCards:
    seat: int
    cards: tuple[tuple[int, int], ...]  # (suit, rank) in the order of the script
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class PredealHand:
    """Holdings with small cards: ``QTxx.J8x.9x.Q9xx`` or ``SAKxx, H5``; x is any card below the ten."""

    seat: int
    text: str
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class PredealLength:
    seat: int
    suit: int
    length: int
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class PointTable:
    """``pointcount`` (`number` None) or ``altcount number``: values from the ace down."""

    number: int | None
    values: tuple[int | float, ...]
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Definition:
    name: str
    value: Expression
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Condition:
    value: Expression
    bare: bool = False  # written without the keyword `condition`
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class Action:
    name: str  # name in `signatures.ACTIONS`
    arguments: tuple[Argument, ...]
    label: str | None = None
    place: Place | None = _place()


@dataclass(frozen=True, slots=True)
class ActionList:
    actions: tuple[Action, ...]
    place: Place | None = _place()


Statement = Union[
    Setting, PredealCards, PredealHand, PredealLength, PointTable, Definition, Condition, ActionList
]  # fmt: skip

"""Random scripts of each dialect, from the grammar and the registry, and damage to them.

A `ScriptWriter` gets its choices from a function, ``choose(n)``, which returns an integer from 0 to n - 1:
``random.Random(number).randrange`` for a script by its number, or one that draws from hypothesis
(`tests.support.strategies`), which then makes failing scripts shorter. The first choice is the simplest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

import dealerkit.language.functions  # noqa: F401  (after this import the registry is complete)
from dealerkit.registry import Function, functions

T = TypeVar("T")
Choose = Callable[[int], int]

DIALECTS = ("modern", "v1", "v2")
SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
SIDES = ("NS", "EW")
RANKS = "AKQJT98765432"
PATTERNS = ("4333", "4432", "5332", "5431", "6322", "5xxx", "x5xx", "xx55", "4441", "7xxx", "xxxx")
BRACES = (
    "5332",
    "(4432)",
    "5+xxx",
    "[5-6]xxx",
    "5+M(xxx)",
    "5xxx:s>h",
    "(4432) + 5M(332) - 4432",
    "any 5431",
)
CONSTANTS = (1, 0, 2, 3, 4, 5, 7, 10, 13, 20, 37, 40, 100, 1000, -1, -4, 65537)
LARGE = ("2147483647", "-2147483648", "2147483648", "9223372036854775807", "99999999999999999999")
MAX_COST = 100_000.0  # nanoseconds a deal, above which a function is a solver's
_WORD = re.compile(r"\w+|[-+*/%<>=!&|]+")
TOKENS = """
    north east south west NS EW nv vul none both all spades hearts diamonds clubs NT hcp hcps tens losers
    controls quality cccc score imps hascard shape any rnd dds par trix tricks usereval min max fit board
    and or not && || ! == != < <= > >= + - * / % ? : = ( ) , { } generate produce seed dealer
    vulnerable predeal pointcount altcount condition action print printall printpbn printoneline printes
    average frequency bktfreq evalcontract csvrpt export level share a b SAKQ HK D C2 AS TC 5xxx 4432
    x3N z4Sxx 3NT 0 1 7 13 -1 12.5 2147483648 99999999999999999999 $0 $low # // /* */ " \\n ; & | => <> @
    [ ] \x00 \ufeff é ≥
""".split()


@cache
def list_functions(dialect: str, solve: bool = False, rnd: bool = False) -> tuple[tuple[str, Function], ...]:
    """Return the functions of a dialect by name, in the order of the registry.

    Without `solve` those are missing that need a double-dummy solver, without `rnd` those that give equal
    deals different values.

    >>> [name for name, _ in list_functions("v1")][:3]
    ['hcp', 'spades', 'hearts']
    """
    listed = []
    for function in functions():
        names = (*function.dealer, *(function.dealerv2 if dialect == "v2" else ()))
        if function.body is None and function.operation == "call" or function.kind == "item":
            continue
        if (function.cost > MAX_COST and not solve) or (not function.pure and not rnd):
            continue
        if "shapes" in function.arguments or any("deal" in kind.split("|") for kind in function.arguments):
            continue
        if dialect == "modern":
            names = (function.name,)
        if names and function.tags == () or dialect != "modern":
            listed += [(name, function) for name in names[:1]]
    if dialect != "modern":  # the words of suits are functions too
        listed += [(function.name, function) for function in functions() if function.name in SUITS]
    return tuple(sorted(listed, key=lambda item: _ORDER.get(item[0], len(_ORDER))))


_ORDER = {name: place for place, name in enumerate(("hcp", *SUITS, "controls", "losers"))}


class ScriptWriter:
    """The writer of random scripts and expressions of a dialect.

    Parameters
    ----------
    choose : callable
        ``choose(n)`` returns an integer from 0 to n - 1.
    dialect : {"modern", "v1", "v2"}
    depth : int >= 0
        Of nested expressions.
    solve, rnd : bool
        Functions that need a solver, and random numbers, may occur.

    Examples
    --------
    >>> import random
    >>> ScriptWriter(lambda n: 0).write_expression()
    'hcp(north)'
    >>> len(ScriptWriter(random.Random(1).randrange, "v1").write_script()) > 10
    True
    """

    def __init__(
        self, choose: Choose, dialect: str = "modern", depth: int = 3, solve: bool = False, rnd: bool = False
    ) -> None:
        self.choose, self.dialect, self.depth = choose, dialect, depth
        self.functions = list_functions(dialect, solve, rnd)
        self.variables: list[str] = []

    def pick(self, values: Sequence[T]) -> T:
        """Return one of several values; the first is the simplest."""
        return values[self.choose(len(values))]

    def happens(self, n: int) -> bool:
        """Return True for one of n choices, the last."""
        return self.choose(n) == n - 1

    # ------------------------------------------------------------ expressions
    def write_expression(self, depth: int | None = None) -> str:
        """Return an expression of numbers or truth values."""
        depth = self.depth if depth is None else depth
        kind = self.choose(12 if depth else 5)
        if kind < 5:
            return self._write_operand(kind, depth)
        if kind < 8:
            return (
                f"({self.write_expression(depth - 1)} {self.pick('+-*')} {self.write_expression(depth - 1)})"
            )
        if kind == 8:
            divisor = (
                self.write_expression(depth - 1) if self.happens(4) else self.pick(("2", "3", "7", "(0-2)"))
            )
            return f"({self.write_expression(depth - 1)} {self.pick('/%')} {divisor})"
        if kind == 9:
            parts = [self.write_condition(depth - 1), *(self.write_expression(depth - 1) for _ in "12")]
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        return f"({self.write_condition(depth - 1)})"

    def _write_operand(self, kind: int, depth: int) -> str:
        if kind == 3:
            return self.write_number()
        if kind == 4 and self.variables:
            return self.pick(self.variables)
        return self.write_call(depth)

    def write_condition(self, depth: int | None = None) -> str:
        """Return an expression that is mostly a truth value."""
        depth = self.depth if depth is None else depth
        kind = self.choose(8 if depth else 4)
        if kind < 3:
            left, right = (self.write_expression(max(depth - 2, 0)) for _ in "12")
            operator = self.pick((">=", "<=", "==", "!=", "<", ">"))
            return f"{left} {operator} {self.pick((self.write_number(), right))}"
        if kind == 3:
            return self._write_shape()
        if kind < 6:
            word = self.pick(("and", "or", "&&", "||"))
            return f"({self.write_condition(depth - 1)}) {word} ({self.write_condition(depth - 1)})"
        return f"not ({self.write_condition(depth - 1)})" if kind == 6 else self.write_expression(depth - 1)

    def _write_shape(self) -> str:
        seat = self.pick(SEATS)
        if self.dialect == "v2" and self.happens(3):
            return f"shape{{{seat}, {self.pick(BRACES[:-1])}}}"
        if self.dialect == "modern" and self.happens(3):
            return f"shape{{{seat}, {self.pick(BRACES)}}}"
        text = self.pick(("", "any ")) + self.pick(PATTERNS)
        for _ in range(self.choose(3)):
            text += self.pick((" + ", " - ")) + self.pick(("", "any ")) + self.pick(PATTERNS)
        return f"shape({seat}, {text})"

    def write_number(self) -> str:
        """Return a constant of the dialect, sometimes a very large one."""
        if self.happens(60):
            return self.pick(LARGE[:2] if self.dialect == "v1" else LARGE)
        if self.dialect != "v1" and self.happens(10):
            return f"{self.choose(40)}.{self.choose(100):02}"
        return str(self.pick(CONSTANTS))

    def write_call(self, depth: int = 0) -> str:
        """Return a call of a function of the dialect."""
        name, function = self.pick(self.functions[:7]) if self.choose(2) == 0 else self.pick(self.functions)
        arguments: list[str] = []
        for argument in function.arguments:
            kinds = argument.rstrip("?.").split("|")
            if argument.endswith("?") and self.choose(2) == 0:
                break
            repeats = self.choose(2) if argument.endswith("...") else 1
            arguments += [
                self.write_argument(self.pick(kinds), depth) for _ in range(max(repeats, len(arguments) == 0))
            ]
        return f"{name}({', '.join(arguments)})"

    def write_argument(self, kind: str, depth: int = 0) -> str:
        """Return an argument of a kind in `function_entry.ARGUMENT_KINDS`."""
        match kind:
            case "seat":
                return self.pick(SEATS)
            case "side":
                return self.pick(SIDES)
            case "suit":
                return self.pick(SUITS)
            case "strain":
                return self.pick((*SUITS, "notrump"))
            case "vulnerability" | "vulnerable":
                return self.pick(("nv", "vul"))
            case "card":
                return self.pick(RANKS) + self.pick("SHDC")
            case "contract":
                return "x" + str(1 + self.choose(7)) + self.pick("NSHDC")
            case "integer":
                return str(self.choose(15))
            case "number":
                return self.write_number()
            case "string":
                return f'"{self.pick(("text", "", "a b", "%s", "<b>", "é", "=1+1"))}"'
        return self.write_expression(max(depth - 1, 0))

    # ------------------------------------------------------------ statements
    def write_script(self) -> str:
        """Return a script: settings, predealt cards, variables, a condition, actions."""
        self.variables = []
        lines = [*self._write_settings()]
        for name in ("a", "b", "game", "s1")[: self.choose(4)]:
            lines.append(f"{name} = {self.write_condition() if self.choose(2) else self.write_expression()}")
            self.variables.append(name)
        lines.append(f"condition {self.write_condition()}")
        actions = [self._write_action() for _ in range(1 + self.choose(3))]
        if self.choose(4):
            lines.append("action " + ", ".join(actions))
        if self.choose(4) == 3:
            lines = [line for line in lines if not line.startswith("condition")]
        return "\n".join(lines) + "\n"

    def _write_settings(self) -> list[str]:
        lines = []
        if self.happens(6):
            lines.append(f"predeal {self._write_predeal()}")
        if self.happens(12):
            values = " ".join(str(self.choose(9)) for _ in range(1 + self.choose(6)))
            lines.append(self.pick((f"pointcount {values}", f"altcount {self.choose(10)} {values}")))
        if self.happens(8):
            settings = (
                f"dealer {self.pick(SEATS)}",
                f"vulnerable {self.pick(('none', 'NS', 'EW'))}",
                "seed 7",
            )
            lines.append(self.pick(settings[:2] if self.dialect == "v1" else settings))
        return lines

    def _write_predeal(self) -> str:
        if self.dialect != "v1" and self.choose(2):
            return f"{self.pick(SUITS)}({self.pick(SEATS)}) == {self.choose(9)}"
        seat, parts = self.pick(SEATS), []
        for suit in "SHDC"[: 1 + self.choose(3)]:
            cards = [rank for rank in RANKS if self.happens(5)]
            parts.append(suit + ("".join(cards) or "A"))
        return f"{seat} {','.join(parts)}"

    def _write_action(self) -> str:
        label = f'"{self.pick(("points", "", "a <b> & c"))}" ' if self.choose(2) else ""
        kind, value = self.choose(12), self.write_expression(2)
        if kind < 3:
            return f"average {label}{value}"
        if kind < 6:
            low = self.choose(12)
            more = (
                f", {self.write_expression(1)}, {low - 3}, {low + self.choose(9)}" if self.happens(4) else ""
            )
            return f"frequency {label}({value}, {low}, {low + self.choose(30)}{more})"
        if kind == 6 and self.dialect != "v1":
            return (
                f"bktfreq {label}({value}, {self.choose(9)}, {10 + self.choose(30)}, {self.pick((1, 2, 5))})"
            )
        if kind == 7:
            return f'printes("{self.pick(("x ", "%d", ""))}", {value}, \\n)'
        if kind == 8:
            return self.pick(
                (f"print({self.pick(SEATS)})", "printew", "printall", "printcompact", "printpbn")
            )
        if kind == 9 and self.dialect != "v1":
            return self.pick(("printns", f"printside({self.pick(SIDES)})", f"printrpt({value}, north)"))
        return self.pick(("printoneline", f"printoneline({value})", f"printcompact({value})"))


def damage_text(choose: Choose, text: str) -> str:
    """Return a text with one or two places removed, repeated, exchanged or replaced by tokens.

    >>> damage_text(lambda n: 0, "hcp(north) > 9")
    'northhcp(north) > 9'
    """
    for _ in range(1 + choose(2)):
        place, length, kind = choose(len(text) + 1), choose(20), choose(9)
        if kind > 4 and (words := list(_WORD.finditer(text))):  # a word or number in place of another one
            old, new = words[choose(len(words))], words[choose(len(words))][0]
            if kind > 6:
                new = (*map(str, CONSTANTS), *LARGE, *TOKENS)[
                    choose(len(CONSTANTS) + len(LARGE) + len(TOKENS))
                ]
            text = text[: old.start()] + new + text[old.end() :]
            continue
        piece = text[place : place + length]
        if kind == 0:
            piece = TOKENS[choose(len(TOKENS))] + piece
        elif kind == 1:
            piece = TOKENS[choose(len(TOKENS))]
        elif kind == 2:
            piece = ""
        elif kind == 3:
            piece *= 2 + choose(3)
        elif kind == 4:
            other = choose(len(text) + 1)
            piece = text[other : other + length]
        text = text[:place] + piece + text[place + length :]
    return text

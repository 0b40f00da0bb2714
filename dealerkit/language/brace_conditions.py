"""Conditions on suit lengths inside ``shape{}``, as in ``5+s4+h(xx):d>c or h+s==10``.

A condition is parsed into postfix order by operator precedence and evaluated for all 560 shapes at
once, without Python's eval.
"""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass
from typing import Any

from dealerkit.language.shapes import EVERY_SHAPE, PATTERNS


@dataclass(frozen=True, slots=True)
class ShapeCondition:
    """A condition in postfix order: numbers, letters of suits (and M, m), operators."""

    postfix: tuple[int | str, ...]
    letters: str  # suits, M and m, each as often as it was written


_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<word>[A-Za-z]+)|(?P<sign>==|!=|>=|<=|[-+*/%<>!,()]))")
_PARENTHESIS_NEXT, _NUMBER_NEXT = re.compile(r"\s*\("), re.compile(r"\s*0*[1-9]")
_PRECEDENCE = {
    "or": 1, "and": 2, "==": 3, "!=": 3, "<": 3, ">": 3, "<=": 3, ">=": 3,
    "+": 4, "-": 4, "*": 5, "/": 5, "%": 5, "not": 6,
}  # fmt: skip

_OPERATIONS = {  # functions of numpy, which is imported only if a script has a condition on shapes
    "+": "add", "-": "subtract", "*": "multiply", "/": "true_divide", "%": "remainder",
    "==": "equal", "!=": "not_equal", "<": "less", ">": "greater", "<=": "less_equal", ">=": "greater_equal",
    "and": "logical_and", "or": "logical_or",
}  # fmt: skip


def parse_shape_condition(text: str, letters: str, extended: bool) -> ShapeCondition:
    """Return the parsed condition.

    Raises
    ------
    ValueError
        A mistake: the message and its offset in `text`.
    """
    output: list[int | str] = []
    pending: list[tuple[str, int]] = []  # operators and open parentheses, with their offsets
    letters_used, operand_next, position, end = "", True, 0, len(text.rstrip())

    def reduce(level: int) -> None:
        while pending and pending[-1][0] != "(" and _PRECEDENCE[pending[-1][0]] >= level:
            output.append(pending.pop()[0])

    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            message = "this sign has no meaning in a condition of shapes"
            raise ValueError(message, len(text) - len(text[position:].lstrip()))
        here, position = match.start(match.lastgroup or 0), match.end()
        word = match[match.lastgroup or 0]
        if match["word"]:
            word = _normalise_word(word, letters, extended, here)
        word = {",": "and", "!": "not"}.get(word, word)
        if operand_next:
            if match["number"]:
                output.append(int(word[:6]) if len(word) < 6 else 10**6)
                operand_next = False
            elif word == "(" or word == "not":
                if match["word"] and not _PARENTHESIS_NEXT.match(text, position):
                    raise ValueError("write parentheses after not: not (s==4)", here)
                pending.append((word, here))
            elif word in _PRECEDENCE or word == ")":
                raise ValueError(f"a suit or a number is missing before '{match[0].strip()}'", here)
            else:
                output.append(word)
                letters_used += word
                operand_next = False
        elif word == ")":
            reduce(0)
            if not pending:
                raise ValueError("this ')' closes nothing", here)
            pending.pop()
        elif word in _PRECEDENCE and word != "not":
            level = _PRECEDENCE[word]
            if level == 3 and any(_PRECEDENCE.get(sign) == 3 for sign, _ in _pending_operators(pending)):
                raise ValueError("comparisons cannot be strung together; write 2<s,s<5", here)
            if word in "/%" and not _NUMBER_NEXT.match(text, position):
                raise ValueError(f"after '{word}' a number is needed, not 0", here)
            reduce(level)
            pending.append((word, here))
            operand_next = True
        else:
            raise ValueError(f"an operator is missing before '{match[0].strip()}'", here)
    if operand_next:
        raise ValueError("the condition ends too early", end)
    reduce(0)
    if pending:
        raise ValueError("this '(' is never closed", pending[-1][1])
    return ShapeCondition(tuple(output), letters_used)


def _pending_operators(pending: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the pending operators since the last parenthesis, `and` or `or`."""
    return list(itertools.takewhile(lambda entry: entry[0] not in ("(", "and", "or"), reversed(pending)))


def _normalise_word(word: str, letters: str, extended: bool, here: int) -> str:
    """Return an operator or the letter of a suit as the rules write it."""
    if word in ("or", "M", "m") or (extended and word in ("and", "not")):
        return word
    suit = word.lower() if extended else word
    if len(suit) == 1 and suit in letters:
        return suit
    suits = f"the suits are {' '.join(letters)}, M a major, m a minor"
    raise ValueError(f"'{word[:40]}' is no suit; {suits}", here)


@functools.cache
def _lengths() -> Any:
    """Return the lengths of the 560 shapes, float64 [4, 560]."""
    import numpy as np

    return np.array(PATTERNS, np.float64).T


@functools.lru_cache(maxsize=256)
def select_satisfying(condition: ShapeCondition, letters: str, major: int, minor: int) -> int:
    """Return the shapes for which a condition is true, as a bit set; M and m are the given suits."""
    import numpy as np

    lengths = _lengths()
    suits = {letter: lengths[suit] for suit, letter in enumerate(letters)}
    suits |= {"M": lengths[major], "m": lengths[minor]}
    stack: list[Any] = []
    with np.errstate(all="ignore"):  # huge products become infinite and compare as such
        for item in condition.postfix:
            if isinstance(item, int):
                stack.append(np.float64(item))
            elif item in _OPERATIONS:
                right = stack.pop()
                value = getattr(np, _OPERATIONS[item])(stack.pop(), right)
                stack.append(value.astype(np.float64))  # truth values count as 0 and 1
            elif item == "not":
                stack.append(np.equal(stack.pop(), 0).astype(np.float64))
            else:
                stack.append(suits[item])
    truth = np.not_equal(stack.pop(), 0)
    if not truth.ndim:  # the condition names no suit
        return EVERY_SHAPE if truth else 0
    return int.from_bytes(np.packbits(truth, bitorder="little").tobytes(), "little")

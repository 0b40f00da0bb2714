"""A plain interpreter of system files, written from the description of the format: one hand and one line at a time.

It shares no code with the package. It knows the part of the language that the shipped systems use.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from functools import cache

SUITS = ("spades", "hearts", "diamonds", "clubs")
POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
TOKEN = re.compile(
    r"\s*(shape\{[^}]*\}|shape\([^)]*\)|[A-Za-z_][A-Za-z_0-9]*|\d+\.\d+|\d+|>=|<=|==|!=|[-+<>(),*])"
)


@dataclass
class Hand:
    """The ranks of each suit, as strings."""

    ranks: dict[str, str]

    @classmethod
    def from_word(cls, word: int) -> Hand:
        lanes = [word >> shift & 0x1FFF for shift in (48, 32, 16, 0)]
        return cls(
            {
                suit: "".join(rank for bit, rank in enumerate("23456789TJQKA") if lane >> bit & 1)
                for suit, lane in zip(SUITS, lanes, strict=True)
            }
        )

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(len(self.ranks[suit]) for suit in SUITS)

    def value(self, name: str, suit: str | None) -> int:
        if name in SUITS:
            return len(self.ranks[name])
        cards = self.ranks[suit] if suit else "".join(self.ranks.values())
        if name == "hcp":
            return sum(POINTS.get(card, 0) for card in cards)
        if name == "controls":
            return sum({"A": 2, "K": 1}.get(card, 0) for card in cards)
        top = {"aces": "A", "top2": "AK", "top3": "AKQ", "top4": "AKQJ", "top5": "AKQJT"}[name]
        return sum(card in top for card in cards)


@cache
def fits_shape(text: str, lengths: tuple[int, ...]) -> bool:
    """Return whether lengths belong to a list of shapes in either notation."""
    inside = text[6:-1]
    result = False
    if text.startswith("shape("):
        for sign, any_order, pattern in re.findall(r"([-+]?)\s*(any\s+)?([0-9x]{4})", inside):
            orders = set(itertools.permutations(pattern)) if any_order else {tuple(pattern)}
            if any(
                all(p == "x" or int(p) == n for p, n in zip(order, lengths, strict=True)) for order in orders
            ):
                result = sign != "-"
        return result
    for term in re.findall(r"\(?(?:[0-9x][-+]?){4}\)?", inside.replace(" ", "")):
        parts = re.findall(r"([0-9x])([-+]?)", term)
        orders = set(itertools.permutations(parts)) if term.startswith("(") else {tuple(parts)}
        for order in orders:
            if all(
                p == "x" or (int(p) == n if not sign else n >= int(p) if sign == "+" else n <= int(p))
                for (p, sign), n in zip(order, lengths, strict=True)
            ):
                result = True
    return result


@dataclass
class Reader:
    """A recursive reader of one condition for one hand."""

    tokens: list[str]
    hand: Hand
    words: dict[str, tuple[str, str]]
    suits: dict[str, str]
    at: int = 0

    def peek(self, k: int = 0) -> str:
        return self.tokens[self.at + k] if self.at + k < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def commas(self) -> float:
        result = bool(self.either())
        while self.peek() == ",":
            self.take()
            result = bool(self.either()) and result
        return result

    def either(self) -> float:
        value = self.both()
        while self.peek() == "or":
            self.take()
            other = self.both()
            value = bool(value) or bool(other)
        return value

    def both(self) -> float:
        value = self.negation()
        while self.peek() == "and":
            self.take()
            other = self.negation()
            value = bool(value) and bool(other)
        return value

    def negation(self) -> float:
        if self.peek() == "not":
            self.take()
            return not self.negation()
        return self.comparison()

    def comparison(self) -> float:
        value = self.total()
        if self.peek().isdigit():
            low = int(self.take())
            if self.peek() == "+":
                self.take()
                return value >= low
            if self.peek() == "-":
                self.take()
                if not self.peek().isdigit():
                    return value <= low
                high = int(self.take())
                return low <= value <= high
            return value == low
        if self.peek() in (">=", "<=", "==", ">", "<", "!="):
            sign, other = self.take(), self.total()
            return {
                ">=": value >= other, "<=": value <= other, "==": value == other, ">": value > other,
                "<": value < other, "!=": value != other,
            }[sign]  # fmt: skip
        return value

    def total(self) -> float:
        value = self.product()
        while self.peek() in ("+", "-") and self.peek(1) not in (",", ")", "", "or", "and"):
            sign = self.take()
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self) -> float:
        value = self.single()
        while self.peek() == "*":
            self.take()
            value *= self.single()
        return value

    def single(self) -> float:
        token = self.take()
        if token == "(":
            value = self.commas() if self.has_commas() else self.either()
            assert self.take() == ")"
            return value
        if token.isdigit():
            return int(token)
        if token.startswith(("shape(", "shape{")):
            return fits_shape(token, self.hand.lengths)
        if token in self.suits:
            token = self.suits[token]
        if token in self.words:
            parameter, body = self.words[token]
            suits = {}
            if parameter:
                assert self.take() == "("
                name = self.take()
                suits[parameter] = self.suits.get(name, name)
                assert self.take() == ")"
            inner = Reader(split(body), self.hand, self.words, suits)
            value = inner.commas() if inner.has_commas() else inner.either()
            assert inner.at == len(inner.tokens), (body, inner.tokens[inner.at :])
            return value
        suit = None
        if self.peek() == "(":
            self.take()
            name = self.take()
            suit = self.suits.get(name, name)
            assert self.take() == ")"
        return self.hand.value(token, suit)

    def has_commas(self) -> bool:
        """Return whether the text up to the next parenthesis that closes has commas of its own."""
        depth, at = 1, self.at
        while depth and at < len(self.tokens):
            depth += (self.tokens[at] == "(") - (self.tokens[at] == ")")
            if depth == 1 and self.tokens[at] == ",":
                return True
            at += 1
        return False


def split(text: str) -> list[str]:
    tokens, position = [], 0
    text = text.strip()
    while position < len(text):
        match = TOKEN.match(text, position)
        assert match, text[position:]
        tokens.append(match[1])
        position = match.end()
    return tokens


@dataclass
class PlainSystem:
    """The words and the contexts of a file."""

    words: dict[str, tuple[str, str]] = field(default_factory=dict)
    contexts: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)

    @classmethod
    def read(cls, text: str, base: str = "") -> PlainSystem:
        """Return the system of a text and of that which it extends, whose parameters have the values of the first."""
        values = dict(re.findall(r"^# param (\w+) = ([^#\n]*)", base + text, re.MULTILINE))
        system = cls()
        own: list[tuple[str, list[tuple[str, str]]]] = []
        for part in (base, text) if base else (text,):
            system.contexts = []
            system._read_part(part, values)
            own = system.contexts + own
        system.contexts = own
        return system

    def _read_part(self, text: str, values: dict[str, str]) -> None:
        text = re.sub(r"\$(\w+)", lambda match: values[match[1]].strip(), text)
        for line in text.splitlines():
            line = re.sub(r"#.*", "", line).rstrip()
            if not line or line.startswith(("system", "extends", "source")):
                continue
            line = re.sub(r"\bfrom\b(?=[^\"]*(\"[^\"]*\"[^\"]*)*$).*", "", line).rstrip()
            if match := re.match(r"([a-z_]\w*)(?:\((\w+)\))?\s*=(?!=)\s*(.*)", line):
                self.words[match[1]] = (match[2] or "", match[3])
            elif line.startswith(("opening", "after")):
                self.contexts.append((line.strip(), []))
            else:
                call, rest = line.split(None, 1)
                rest = re.sub(r'"[^"]*"|\b(forcing|alert)\b', "", rest).strip()
                self.contexts[-1][1].append((call, rest))

    def choose(self, header: str, hand: Hand, suits: dict[str, str], legal: set[str] | None = None) -> str:
        """Return the call of a hand in a context; "" for a gap."""
        lines = dict(self.contexts[::-1])[header]
        names = {
            **suits,
            **{f"o{k}": {"spades": "hearts", "hearts": "spades", "diamonds": "clubs", "clubs": "diamonds"}[v]
               for k, v in suits.items() if k in "Mm"},
        }  # fmt: skip
        for call, condition in lines:
            options = [(call, names)]
            if (match := re.fullmatch(r"([1-7])(oM|om|M|m|x)", call)) and match[2] in names:
                options = [(match[1] + names[match[2]][0].upper(), names)]
            elif match:
                group = {"M": SUITS[:2], "m": SUITS[2:], "x": SUITS}[match[2]]
                options = [(match[1] + suit[0].upper(), {**names, match[2]: suit}) for suit in group]
            for named, bound in options:
                if legal is not None and named not in legal:
                    continue
                if condition == "otherwise":
                    return named
                reader = Reader(split(condition), hand, self.words, bound)
                value = reader.commas()
                assert reader.at == len(reader.tokens), (condition, reader.tokens[reader.at :])
                if value:
                    return named
        return ""

"""A plain interpreter of system files, written from the description of the format: one hand and one line at a time.

It shares no code with the package. It knows the part of the language that the shipped systems use.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import eq, ge, gt, le, lt, ne

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
        top = {
            "aces": "A",
            "kings": "K",
            "queens": "Q",
            "top2": "AK",
            "top3": "AKQ",
            "top4": "AKQJ",
            "top5": "AKQJT",
        }[name]
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


Rule = Callable[[Hand], float]  # a condition, or a part of it, as a function of a hand
Found = tuple[list[tuple[str, str, bool]], dict[str, str]] | None  # the lines of a context, suits of letters
COMPARISONS = {">=": ge, "<=": le, "==": eq, ">": gt, "<": lt, "!=": ne}


@dataclass
class Reader:
    """A recursive reader of one condition."""

    tokens: list[str]
    words: dict[str, tuple[str, str]]
    suits: dict[str, str]
    at: int = 0

    def peek(self, k: int = 0) -> str:
        return self.tokens[self.at + k] if self.at + k < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self) -> Rule:
        """Return the condition of all tokens."""
        rule = self.commas() if self.has_commas() else self.either()
        assert self.at == len(self.tokens), (self.tokens, self.at)
        return rule

    def commas(self) -> Rule:
        parts = [self.either()]
        while self.peek() == ",":
            self.take()
            parts.append(self.either())
        return lambda hand: all(part(hand) for part in parts)

    def either(self) -> Rule:
        parts = [self.both()]
        while self.peek() == "or":
            self.take()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda hand: any(part(hand) for part in parts)

    def both(self) -> Rule:
        parts = [self.negation()]
        while self.peek() == "and":
            self.take()
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else lambda hand: all(part(hand) for part in parts)

    def negation(self) -> Rule:
        if self.peek() == "not":
            self.take()
            inner = self.negation()
            return lambda hand: not inner(hand)
        return self.comparison()

    def comparison(self) -> Rule:
        value = self.total()
        if self.peek().isdigit():
            low = int(self.take())
            if self.peek() == "+":
                self.take()
                return lambda hand: value(hand) >= low
            if self.peek() == "-":
                self.take()
                if not self.peek().isdigit():
                    return lambda hand: value(hand) <= low
                high = int(self.take())
                return lambda hand: low <= value(hand) <= high
            return lambda hand: value(hand) == low
        if self.peek() in COMPARISONS:
            compare, other = COMPARISONS[self.take()], self.total()
            return lambda hand: compare(value(hand), other(hand))
        return value

    def total(self) -> Rule:
        parts = [(1, self.product())]
        while self.peek() in ("+", "-") and self.peek(1) not in (",", ")", "", "or", "and"):
            sign = 1 if self.take() == "+" else -1
            parts.append((sign, self.product()))
        return parts[0][1] if len(parts) == 1 else lambda hand: sum(sign * part(hand) for sign, part in parts)

    def product(self) -> Rule:
        parts = [self.single()]
        while self.peek() == "*":
            self.take()
            parts.append(self.single())
        return parts[0] if len(parts) == 1 else lambda hand: math.prod(part(hand) for part in parts)

    def single(self) -> Rule:
        token = self.take()
        if token == "(":
            value = self.commas() if self.has_commas() else self.either()
            assert self.take() == ")"
            return value
        if token.isdigit():
            number = int(token)
            return lambda hand: number
        if token.startswith(("shape(", "shape{")):
            return lambda hand: fits_shape(token, hand.lengths)
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
            return Reader(split(body), self.words, suits).whole()
        suit = None
        if self.peek() == "(":
            self.take()
            name = self.take()
            suit = self.suits.get(name, name)
            assert self.take() == ")"
        return lambda hand: hand.value(token, suit)

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
    contexts: list[tuple[str, list[tuple[str, str, bool]]]] = field(
        default_factory=list
    )  # call, condition, forcing
    rules: dict[tuple[object, ...], Rule] = field(default_factory=dict)
    found: dict[tuple[object, ...], Found] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str, base: str = "") -> PlainSystem:
        """Return the system of a text and of that which it extends, whose parameters have the values of the first."""
        values = dict(re.findall(r"^# param (\w+) = ([^#\n]*)", base + text, re.MULTILINE))
        system = cls()
        own: list[tuple[str, list[tuple[str, str, bool]]]] = []
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
                marks = re.sub(r'"[^"]*"', "", rest)
                condition = re.sub(r"\b(forcing|alert)\b", "", marks).strip()
                self.contexts[-1][1].append((call, condition, "forcing" in marks.split()))

    def choose(self, header: str, hand: Hand, suits: dict[str, str], legal: set[str] | None = None) -> str:
        """Return the call of a hand in a context; "" for a gap."""
        for call, condition, bound, _ in self.list_lines(dict(self.contexts[::-1])[header], suits):
            if (legal is None or call in legal) and self.meets(hand, condition, bound):
                return call
        return ""

    def list_lines(
        self, lines: list[tuple[str, str, bool]], suits: dict[str, str]
    ) -> Iterator[tuple[str, str, dict[str, str], bool]]:
        """Yield the call, the condition, the suits of letters and the mark of each line, one for each suit."""
        names = add_others(suits)
        for call, condition, forcing in lines:
            match = re.fullmatch(r"([1-7])(oM|om|M|m|x)", call)
            if match is None:
                yield call, condition, names, forcing
            elif match[2] in names:
                yield match[1] + names[match[2]][0].upper(), condition, names, forcing
            else:
                for suit in {"M": SUITS[:2], "m": SUITS[2:], "x": SUITS}[match[2]]:
                    yield (
                        match[1] + suit[0].upper(),
                        condition,
                        add_others({**suits, match[2]: suit}),
                        forcing,
                    )

    def meets(self, hand: Hand, condition: str, suits: dict[str, str]) -> bool:
        """Return whether a hand meets a condition."""
        if condition == "otherwise":
            return True
        key = condition, tuple(sorted(suits.items()))
        if key not in self.rules:
            self.rules[key] = Reader(split(condition), self.words, suits).whole()
        return bool(self.rules[key](hand))

    def find(self, seen: tuple[str, ...], seat: int) -> Found:
        """Return the lines of the first context that fits calls, with the suits of its letters; None without one.

        `seen` are the calls as the next player sees them: opponents' calls in brackets, their passes left out. `seat`
        is that of the opener, from 1.
        """
        if (seen, seat) not in self.found:
            fitting = (
                (lines, suits)
                for header, lines in self.contexts
                if (suits := match_header(header, seen, seat)) is not None
            )
            self.found[seen, seat] = next(fitting, None)
        return self.found[seen, seat]


OTHERS = {"spades": "hearts", "hearts": "spades", "diamonds": "clubs", "clubs": "diamonds"}


def add_others(suits: dict[str, str]) -> dict[str, str]:
    """Return the suits of letters with the other major and the other minor."""
    return {**suits, **{f"o{letter}": OTHERS[suit] for letter, suit in suits.items() if letter in "Mm"}}


def match_header(header: str, seen: tuple[str, ...], seat: int) -> dict[str, str] | None:
    """Return the suits of letters with which a header fits calls, or None."""
    words = header.split()
    if "seat" in words:
        place = words.index("seat")
        first, _, last = words[place + 1].partition("-")
        if not int(first) <= seat <= int(last or first):
            return None
        words = words[:place]
    return match_items(tuple(words[1:]), seen, {})


def match_items(
    items: tuple[str, ...], seen: tuple[str, ...], suits: dict[str, str]
) -> dict[str, str] | None:
    """Return the suits of letters with which the calls of a header are those seen, or None."""
    if not items:
        return None if seen else suits
    item, rest = items[0], items[1:]
    if item in ("*", "(*)"):
        for n in range(len(seen) + 1):
            if item == "(*)" and any(not call.startswith("(") for call in seen[:n]):
                return None
            if (found := match_items(rest, seen[n:], suits)) is not None:
                return found
        return None
    if not seen or item.startswith("(") != seen[0].startswith("("):
        return None
    item, call = item.strip("()"), seen[0].strip("()")
    bound = suits
    if match := re.fullmatch(r"([1-7])(oM|om|M|m|x)", item):
        suit = next((suit for suit in SUITS if call == match[1] + suit[0].upper()), None)
        if suit is None:
            return None
        letter, wanted = match[2], suit
        if letter.startswith("o"):
            letter, wanted = letter[1], OTHERS[suit]
        group = {"M": SUITS[:2], "m": SUITS[2:], "x": SUITS}[letter]
        if wanted not in group or suits.get(letter, wanted) != wanted:
            return None
        bound = {**suits, letter: wanted}
    elif item not in ("?", call):
        return None
    return match_items(rest, seen[1:], bound)


# ------------------------------------------------------------ whole auctions
ORDER = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]


def list_legal_calls(calls: Sequence[str]) -> set[str]:
    """Return the calls that the laws allow after calls in turn."""
    bids = [call for call in calls if call in ORDER]
    legal = {"P", *(ORDER[ORDER.index(bids[-1]) + 1 :] if bids else ORDER)}
    others = [(len(calls) - k, call) for k, call in enumerate(calls) if call != "P"]
    if others:
        distance, last = others[-1]
        if distance % 2 and last in ORDER:
            legal.add("X")
        if distance % 2 and last == "X":
            legal.add("XX")
    return legal


def see(calls: Sequence[str]) -> tuple[str, ...]:
    """Return calls as the next player sees them."""
    start = next((k for k, call in enumerate(calls) if call != "P"), len(calls))
    seen = []
    for k in range(start, len(calls)):
        theirs = (len(calls) - k) % 2 == 1
        if calls[k] != "P" or not theirs:
            seen.append(f"({calls[k]})" if theirs else calls[k])
    return tuple(seen)


def is_forced(system: PlainSystem, calls: Sequence[str], seat: int) -> bool:
    """Return whether partner's last call is forcing, and the opponent passed over it."""
    if len(calls) < 2 or calls[-1] != "P" or calls[-2] == "P":
        return False
    before = calls[:-2]
    if (found := system.find(see(before), seat)) is None:
        return False
    lines, suits = found
    legal = list_legal_calls(before)
    marks = [
        forcing
        for call, _, _, forcing in system.list_lines(lines, suits)
        if call == calls[-2] and call in legal
    ]
    return bool(marks) and all(marks)


def bid_plainly(
    words: Sequence[int], dealer: int, systems: tuple[PlainSystem, PlainSystem], silent: bool
) -> list[str]:
    """Return the calls of a deal; without a call of the system a player passes, and silent east-west always do."""
    hands = [Hand.from_word(int(word)) for word in words]
    calls: list[str] = []
    while not (len(calls) >= 4 and calls[-3:] == ["P"] * 3):
        seat = (dealer + len(calls)) % 4
        start = next((k for k, call in enumerate(calls) if call != "P"), len(calls))
        system = systems[seat % 2]
        found = None if silent and seat % 2 else system.find(see(calls), start % 4 + 1)
        call = ""
        if found is not None:
            legal = list_legal_calls(calls)
            if is_forced(system, calls, start % 4 + 1):
                legal -= {"P"}
            lines, suits = found
            call = next(
                (
                    call
                    for call, condition, bound, _ in system.list_lines(lines, suits)
                    if call in legal and system.meets(hands[seat], condition, bound)
                ),
                "",
            )
        calls.append(call or "P")
    return calls

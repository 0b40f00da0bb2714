"""A whole run on a classic stream in plain Python, which tests compare `run` with.

The streams follow their published descriptions on lists of cards. Each deal is dealt, its condition is
evaluated in the order of the text, and then the expressions of the actions, before the next deal is dealt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from interpreter import Interpreter

from dealerkit import Deals, EvaluationError, registry
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.checks import Program

RANKS = "23456789TJQKA"
Card = tuple[int, int]  # suit, spades 0 to clubs 3; rank, deuce 0 to ace 12
EXCHANGES = {0: "", 2: "ew", 3: "ew sw es ew sw"}


# ---------------------------------------------------------------- streams
class PlainStream:
    """The common part of both streams: places 0 to 12 are north's, 13 to 25 east's and so on."""

    def __init__(self, fresh: list[Card], predealt: tuple, swap: int) -> None:
        self.pack: list[Any] = [None] * 52
        for seat, suit, rank in predealt:
            place = next(k for k in range(13 * seat, 13 * seat + 13) if self.pack[k] is None)
            self.pack[place] = (suit, rank)
        self.free = [place for place in range(52) if self.pack[place] is None]
        self.rest = [card for card in fresh if card not in self.pack]
        for place, card in zip(self.free, self.rest, strict=True):
            self.pack[place] = card
        self.exchanges = EXCHANGES[swap].split()
        self.turn = 0

    def shuffle(self) -> None:
        raise NotImplementedError

    def rnd(self, limit: int) -> int:
        raise NotImplementedError

    def sort(self) -> None:
        """Do what the program does to a deal that is accepted."""

    def deal(self) -> list[list[Card]]:
        """Return the cards of each seat of the next deal."""
        if self.turn:
            first, second = (13 * "nesw".index(seat) for seat in self.exchanges[self.turn - 1])
            for k in range(13):
                a, b = first + k, second + k
                self.pack[a], self.pack[b] = self.pack[b], self.pack[a]
        else:
            self.shuffle()
        self.turn = (self.turn + 1) % (len(self.exchanges) + 1)
        return [self.pack[13 * seat : 13 * seat + 13] for seat in range(4)]


class PlainV1(PlainStream):
    """dealer: glibc's random(); each place that is not predealt is exchanged with any such place."""

    def __init__(self, seed: int, predealt: tuple, swap: int) -> None:
        super().__init__([(suit, rank) for suit in (3, 2, 1, 0) for rank in range(13)], predealt, swap)
        value = seed % 2**32 or 1
        self.state = [value - 2**32 if value >= 2**31 else value]
        for _ in range(30):
            value = int(math.fmod(16807 * self.state[-1], 2147483647))
            self.state.append(value + 2147483647 if value < 0 else value)
        self.state += self.state[:3]
        for _ in range(310):
            self.random()
        n_free = max(len(self.free), 1)
        self.limit = 65536 // n_free * n_free
        if self.limit == 65536 and 51 not in self.free:  # as measured
            self.limit -= n_free

    def random(self) -> int:
        state = self.state
        state.append((state[-3] + state[-31]) % 2**32)
        return state[-1] >> 1

    def shuffle(self) -> None:
        for place in self.free:
            entry = self.random() % 65536
            while entry >= self.limit:
                entry = self.random() % 65536
            other = self.free[entry % len(self.free)]
            self.pack[place], self.pack[other] = self.pack[other], self.pack[place]

    def rnd(self, limit: int) -> int:
        return int(float(limit) * self.random() / 2147483648.0)


class PlainV2(PlainStream):
    """DealerV2: drand48(), a shuffle by Fisher and Yates, hands sorted after a deal that is accepted."""

    def __init__(self, seed: int, predealt: tuple, swap: int) -> None:
        fresh = [(suit, rank) for suit in range(4) for rank in range(12, -1, -1)]
        super().__init__(fresh, predealt, 0 if predealt else swap)
        self.is_predealt = bool(predealt)
        self.x = (seed % 2**32) * 2**16 + 0x330E

    def drand48(self) -> float:
        self.x = (0x5DEECE66D * self.x + 0xB) % 2**48
        return self.x / 2**48

    def shuffle(self) -> None:
        cards = self.rest if self.is_predealt else self.pack
        for i in range(len(cards) - 1, 0, -1):
            j = int(self.drand48() * (i + 1))
            cards[i], cards[j] = cards[j], cards[i]
        if self.is_predealt:
            for place, card in zip(self.free, cards, strict=True):
                self.pack[place] = card

    def rnd(self, limit: int) -> int:
        return int(self.drand48() * limit)

    def sort(self) -> None:
        if not self.is_predealt:
            for k in range(0, 52, 13):
                self.pack[k : k + 13] = sorted(self.pack[k : k + 13], key=lambda card: (card[0], -card[1]))


class GivenDeals(PlainStream):
    """Deals that exist already, instead of a stream."""

    def __init__(self, hands: list[list[int]]) -> None:
        self.rows = iter(hands)

    def deal(self) -> list[list[Card]]:
        return [to_cards(hand) for hand in next(self.rows)]


# ---------------------------------------------------------------- functions
COUNTS = {  # points of ace, king, queen and so on
    "hcp": (4, 3, 2, 1), "controls": (2, 1), "tens": (0, 0, 0, 0, 1), "jacks": (0, 0, 0, 1),
    "queens": (0, 0, 1), "kings": (0, 1), "aces": (1,), "top2": (1,) * 2, "top3": (1,) * 3,
    "top4": (1,) * 4, "top5": (1,) * 5, "c13": (6, 4, 2, 1),
}  # fmt: skip
SUITS = ("spades", "hearts", "diamonds", "clubs")
# The largest differences for 0, 1, 2 ... IMPs: of the laws, and of the programs where theirs differ.
IMPS = [10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090, 1290, 1490, 1740, 1990, 2240,
        2490, 2990, 3490, 3990]  # fmt: skip
OLD_IMPS = {410 if bound == 420 else 1190 if bound == 1290 else bound for bound in IMPS}


def count_points(cards: list[Card], suit: int | None, points: tuple) -> int:
    """Return the points of the cards of a suit or, for None, of all cards."""
    return sum(
        points[12 - rank]
        for card_suit, rank in cards
        if suit in (None, card_suit) and 12 - rank < len(points)
    )


def count_losers(cards: list[Card], suit: int | None) -> int:
    """Return the losing tricks: the cards of the first three of a suit that are not its A, K, Q."""
    if suit is None:
        return sum(count_losers(cards, each) for each in range(4))
    ranks = [rank for card_suit, rank in cards if card_suit == suit]
    first = min(len(ranks), 3)
    return first - sum(rank > 12 - first for rank in ranks)


def find_imps(difference: float, table: str) -> int:
    bounds = IMPS if table == "official" else sorted(OLD_IMPS)
    size = abs(difference)
    number = next((k for k, bound in enumerate(bounds) if size <= bound), 24)
    if table == "v2" and number == 12:
        number = 13
    return number if difference > 0 else -number


class PlainInterpreter(Interpreter):
    """The interpreter with the usual functions of hands counted from lists of cards."""

    def __init__(self, program: Program, stream: PlainStream) -> None:
        rules = program.script.rules
        super().__init__(rules, program.definitions, program.points, stream.rnd, program.opener)
        self.stream, self.hands = stream, [[]] * 4
        self.is_condition = False

    def _call(self, node: nodes.Call) -> int | float:
        name = registry.get_function(node.function).name
        if name == "rnd":
            return self._call_rnd(node)
        if name == "board":
            return self.produced
        if name == "imps":
            return find_imps(self._value(node.arguments[0]), self.rules.imps)
        if name in ("min", "max"):
            values = [self._value(argument) for argument in node.arguments]
            chosen = min(values) if name == "min" else max(values)
            return float(chosen) if any(isinstance(value, float) for value in values) else chosen
        if name == "opc" and self.is_condition:  # DealerV2 sorts the hands to send them to its other program
            self.stream.sort()
        if node.arguments and isinstance(node.arguments[0], nodes.Seat) and name != "shape":
            cards = self.hands[node.arguments[0].index]
            rest = node.arguments[1:]
            if name == "hascard":
                assert isinstance(rest[0], nodes.CardLiteral)
                return int((rest[0].suit, rest[0].rank) in cards)
            if name in SUITS:
                return sum(suit == SUITS.index(name) for suit, _ in cards)
            suit = rest[0].index if rest and isinstance(rest[0], nodes.Suit) else None
            if name in COUNTS and not any(isinstance(p, float) for p in self.points.get(name, ())):
                return count_points(cards, suit, self.points.get(name, COUNTS[name]))
            if name == "losers" and not self.points:
                return count_losers(cards, suit)
        return super()._call(node)

    def _call_rnd(self, node: nodes.Call) -> int:
        limit = int(self._value(node.arguments[0]))
        if self.rules.random_zero == "produced":
            # DealerV2 evaluates the limit to compare it with 0, and again to use it.
            if limit == 0:
                return self.produced
            limit = int(self._value(node.arguments[0]))
        return self.generate(limit)


# ---------------------------------------------------------------- runs
@dataclass
class PlainRun:
    """What a run deals, produces and computes.

    `values` are the values of the expressions of each action for each produced deal, `texts` what its
    actions print; `error` is the class of an error and the number of its deal from 1.
    """

    generated: int = 0
    numbers: list[int] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    values: list[list[list[int | float]]] = field(default_factory=list)
    text: str = ""
    error: tuple[type[EvaluationError], int] | None = None


def find_expressions(action: nodes.Action) -> list[nodes.Expression]:
    """Return the expressions of an action in the order of their evaluation."""
    step = {"frequency": 3, "bktfreq": 4}.get(action.name, 1)
    return [part for part in action.arguments[::step] if isinstance(part, EXPRESSIONS)]


def to_bits(cards: list[Card]) -> int:
    return sum(1 << (48 - 16 * suit + rank) for suit, rank in cards)


def to_cards(hand: int) -> list[Card]:
    return [(suit, rank) for suit in range(4) for rank in range(13) if hand >> (48 - 16 * suit + rank) & 1]


def to_text(cards: list[Card]) -> str:
    ordered = sorted(cards, reverse=True)
    return ".".join("".join(RANKS[rank] for s, rank in ordered if s == suit) for suit in range(4))


def format_action(action: nodes.Action, hands: list[list[Card]], values: list[int | float]) -> str:
    """Return what an action prints for a deal."""
    if action.name not in ("printoneline", "printcompact", "printes", "printrpt", "csvrpt"):
        return ""
    seats = [f"{letter} {to_text(cards)}" for letter, cards in zip("nesw", hands, strict=True)]
    numbers = [f"{value:g}" if isinstance(value, float) else str(value) for value in values]
    if action.name == "printoneline":
        return " ".join([*seats, *(numbers or [""])]) + "\n"
    if action.name == "printcompact":
        return "\n".join([*seats, *numbers]) + "\n"
    rest = iter(numbers)
    items = []
    for part in action.arguments:
        if isinstance(part, nodes.String):
            items.append(part.text if action.name == "printes" else f"'{part.text}'")
        elif isinstance(part, nodes.Seat):
            items.append(f"{seats[part.index]} ")
        else:
            items.append(next(rest))
    return "".join(items) if action.name == "printes" else f" {','.join(items)}\n"


def create_stream(program: Program, seed: int, swap: int) -> PlainStream:
    """Return the classic stream of a script's dialect."""
    stream_class = PlainV2 if program.script.rules.name == "v2" else PlainV1
    return stream_class(seed, program.predeal.cards, swap)


def run_plainly(program: Program, stream: PlainStream) -> PlainRun:
    """Return what a script that sets `generate` gives on a stream."""
    produce, generate = program.produce, program.generate
    assert generate is not None
    if produce is None and program.prints:
        produce = 40
    interpreter = PlainInterpreter(program, stream)
    run = PlainRun()
    expressions = [find_expressions(action) for action in program.actions]
    while run.generated < generate and (produce is None or len(run.hands) < produce):
        hands = stream.deal()
        interpreter.hands = [list(cards) for cards in hands]
        bits = [to_bits(cards) for cards in hands]
        deal = Deals(np.array([bits], np.uint64), check=False)
        run.generated += 1
        try:
            interpreter.produced, interpreter.is_condition = len(run.hands), True
            if program.condition is not None and not interpreter.value(program.condition, deal):
                continue
            interpreter.is_condition = False
            stream.sort()
            interpreter.produced = len(run.hands) + 1
            rows = [[interpreter.value(part, deal) for part in parts] for parts in expressions]
        except EvaluationError as error:
            run.error = (type(error), run.generated)
            return run
        run.numbers.append(run.generated - 1)
        run.hands.append(bits)
        run.values.append(rows)
        for action, row in zip(program.actions, rows, strict=True):
            run.text += format_action(action, interpreter.hands, row)
    return run

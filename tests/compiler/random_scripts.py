"""Random scripts with `rnd` in every place a script can have it; a number gives the same script each time."""

from __future__ import annotations

import random
from dataclasses import dataclass

SEATS = ("north", "east", "south", "west")
SUITS = ("clubs", "diamonds", "hearts", "spades")
COUNTS = ("hcp", "controls", "losers", "tens", "queens", "aces", "top3", "c13")
SHAPES = (
    "any 4333 + any 4432",
    "any 5332 - 5332",
    "xxxx - any 5xxx - any 6xxx",
    "5xxx + x5xx",
    "any 4441",
    "44xx",
)
CONTRACTS = ("x3N", "x4S", "x2C", "x6H", "x7N", "x1D")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LIMITS = ("1", "2", "2", "3", "4", "5", "7", "10", "13", "100", "1000", "65537", "2147483647")
OWN_FUNCTION = "lowcards"  # a function of the user's
MAX_DEALS = 60
SEEDS = (0, 1, 2, 7, 2**31 - 1, 2**31 + 5, 2**32 + 9, -3)


@dataclass(frozen=True)
class RandomScript:
    """A script and the arguments to run it with."""

    text: str
    dialect: str
    seed: int
    swap: int
    threads: int
    plan: str = "plain"

    def __str__(self) -> str:
        return f"dialect={self.dialect!r}, seed={self.seed}, swap={self.swap}, threads={self.threads}\n{self.text}"


class ScriptWriter:
    """The writer of one random script.

    Parameters
    ----------
    number : int
        Determines the script.
    dialect : {"v1", "v2", "modern"}
    has_rnd : bool
        False: for scripts without `rnd`, whose values do not depend on the order of evaluation.
    """

    def __init__(self, number: int, dialect: str, has_rnd: bool = True) -> None:
        self.random = random.Random(f"{dialect} {number}")
        self.dialect, self.has_rnd = dialect, has_rnd
        self.numbers: list[str] = []  # variables with numbers, and with truth values
        self.truths: list[str] = []
        self.used: list[str] = []  # expressions of actions so far
        self.n_labels = 0
        self.has_tricks = self.chance(0.01)  # of few deals: the solver is slow

    # ------------------------------------------------------------ helpers
    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def choose(self, *alternatives):
        """Return the value of one of several functions, or one of several texts."""
        chosen = self.random.choice(alternatives)
        return chosen() if callable(chosen) else chosen

    def seat(self) -> str:
        return self.random.choice(SEATS)

    # ------------------------------------------------------------ numbers
    def count(self) -> str:
        """Return a function of a hand."""
        kind = self.random.random()
        if kind < (0.3 if self.has_tricks else 0.03):
            return self.other_count()
        if kind < 0.35:
            return f"hcp({self.seat()})"
        if kind < 0.65:
            return f"{self.random.choice(SUITS)}({self.seat()})"
        if kind < 0.85:
            return f"{self.random.choice(COUNTS)}({self.seat()})"
        return f"{self.random.choice(COUNTS)}({self.seat()}, {self.random.choice(SUITS)})"

    def other_count(self) -> str:
        """Return a function that is no sum over the cards of a hand, or one of the user's."""
        if self.has_tricks and self.chance(0.5):  # a double-dummy result, in every dialect
            return f"tricks({self.seat()}, {self.random.choice((*SUITS, 'notrump'))})"
        functions = [f"cccc({self.seat()})", f"quality({self.seat()}, {self.random.choice(SUITS)})"]
        if self.dialect == "v2":
            functions += [f"ltc({self.seat()})", "usereval(3, EW, 0)", "usereval(1, NS, 3)"]
            functions += ["opc(NS)", "opc(EW, hearts)"] if self.chance(0.2) else []
        if self.dialect == "modern":
            functions = [
                f"{OWN_FUNCTION}({self.seat()})",
                "bergen(NS)",
                f"karpin({self.seat()}, spades)",
                "fit(NS)",
            ]
        return self.random.choice(functions)

    def real(self) -> str:
        """Return an expression of dialect modern whose value is a real number."""
        value = self.choose(
            lambda: f"cccc({self.seat()})", lambda: f"ltc({self.seat()})", lambda: f"{self.number(1)} / 4.0",
            lambda: f"{self.leaf()} * 0.5", lambda: f"quality({self.seat()}, spades)",
        )  # fmt: skip
        if self.chance(0.3):
            return f"({self.truth(1)} ? {value} : {self.choose(self.leaf, lambda: f'cccc({self.seat()})')})"
        return f"({value} {self.random.choice('+-*')} {self.leaf()})" if self.chance(0.5) else f"({value})"

    def constant(self) -> str:
        if self.chance(0.01 if self.dialect == "modern" else 0.03):
            return self.random.choice(("1000003", "40000", "2147483647", "-2147483647"))
        return str(self.random.choice((0, 1, 1, 2, 2, 3, 4, 5, 7, 10, 13, 20, -1, -4)))

    def rnd(self, depth: int) -> str:
        """Return a call of rnd, with every kind of limit."""
        if not self.has_rnd:
            return self.count()
        kind = self.random.random()
        if kind < 0.55:
            limit = self.random.choice(
                LIMITS[: -1 if self.dialect == "modern" and self.chance(0.8) else None]
            )
        elif kind < 0.63:
            limit = self.random.choice(("-1", "-5", "-999", "0 - 7", "0 * hcp(north)"))
        elif kind < 0.66 and self.dialect != "modern":
            limit = "0"
        elif kind < 0.80:
            limit = self.choose(self.count, f"{self.count()} + 1", f"{self.count()} - {self.count()}")
        elif kind < 0.90:
            limit = self.choose(
                f"rnd({self.random.choice(LIMITS[:-1])}) + 1", f"rnd({self.count()})", "rnd(3)"
            )
        else:
            limit = self.number(depth - 1)
        return f"rnd({limit})"

    def number(self, depth: int) -> str:
        """Return an expression whose value is an integer."""
        kind = self.random.random()
        if depth <= 0 or kind < 0.18:
            return self.leaf()
        if kind < 0.34:
            return self.rnd(depth)
        if kind < 0.62:
            return self.sum(depth)
        if kind < 0.72:
            return self.quotient(depth)
        if kind < 0.82:
            first, second = self.number(depth - 1), self.number(depth - 1)
            more = f"{self.truth(depth - 1)} ? {self.number(depth - 1)} : " if self.chance(0.2) else ""
            return f"({self.truth(depth - 1)} ? {first} : {more}{second})"
        if kind < 0.90:
            return f"({self.truth(depth - 1)})"  # a truth value as a number
        return self.call(depth)

    def leaf(self) -> str:
        if self.numbers and self.chance(0.35):
            return self.random.choice(self.numbers)
        return self.choose(self.count, self.count, self.constant, lambda: self.rnd(0))

    def sum(self, depth: int) -> str:
        operator = self.random.choice(("+", "+", "-", "-", "*"))
        left, right = self.number(depth - 1), self.number(depth - 1)
        if self.chance(0.3):  # a sum of three, or one whose operators bind as the dialect says
            return f"({left} {self.random.choice('+-*')} {self.leaf()} {operator} {right})"
        return f"({left} {operator} {right})"

    def quotient(self, depth: int) -> str:
        operator, left = self.random.choice("/%"), self.number(depth - 1)
        kind = self.random.random()
        if kind < 0.55:
            return f"({left} {operator} {self.random.choice(('2', '3', '7', '-3', '13'))})"
        if kind < 0.75:
            divisor = self.count()
            return f"({divisor} == 0 ? {self.leaf()} : {left} {operator} {divisor})"
        if kind < 0.97:  # seldom a divisor that may be 0
            divisor = f"{self.rnd(depth - 1)} + {self.random.choice(('1', '2000', '-1'))}"
            if self.chance(0.85):
                divisor = "1 + rnd(5)" if self.has_rnd else "5"
            return f"({left} {operator} ({divisor}))"
        return f"({left} {operator} {self.leaf()})"

    def call(self, depth: int) -> str:
        """Return a function of values."""
        value = self.number(depth - 1)
        kind = self.random.random()
        if kind < 0.35:
            return f"imps({value}{self.random.choice(('', ' * 10', ' * 100', ' * 37'))})"
        if kind < 0.7 or self.dialect != "modern":
            vulnerable = self.random.choice(("nv", "vul"))
            return f"score({vulnerable}, {self.random.choice(CONTRACTS)}, {value})"
        more = f", {self.leaf()}" if self.chance(0.3) else ""
        return f"{self.random.choice(('min', 'max'))}({value}, {self.number(depth - 1)}{more})"

    # ------------------------------------------------------------ truth values
    def truth(self, depth: int) -> str:
        """Return an expression that is true or false."""
        kind = self.random.random()
        if depth <= 0 or kind < 0.15:
            return self.predicate()
        if kind < 0.5:
            return f"{self.number(depth - 1)} {self.random.choice(COMPARISONS)} {self.number(depth - 1)}"
        if kind < 0.62:
            left = self.real() if self.dialect == "modern" and self.chance(0.2) else self.count()
            return f"{left} {self.random.choice(COMPARISONS)} {self.rnd(depth)}"
        if kind < 0.74:
            return f"not ({self.truth(depth - 1)})"
        if kind < 0.94:
            operator = self.random.choice(("and", "or", "&&", "||"))
            parts = [f"({self.truth(depth - 1)})" for _ in range(self.random.choice((2, 2, 3)))]
            return f" {operator} ".join(parts)
        return f"({self.truth(depth - 1)} ? {self.truth(depth - 1)} : {self.truth(depth - 1)})"

    def predicate(self) -> str:
        if self.truths and self.chance(0.3):
            return self.random.choice(self.truths)
        return self.choose(
            lambda: f"hascard({self.seat()}, {self.random.choice('AKT2')}{self.random.choice('CDHS')})",
            lambda: f"shape({self.seat()}, {self.random.choice(SHAPES)})",
            lambda: f"{self.count()} {self.random.choice(COMPARISONS)} {self.random.randrange(12)}",
            lambda: f"{self.rnd(0)} {self.random.choice(COMPARISONS)} {self.random.choice('0112')}",
            lambda: self.rnd(0),
        )

    # ------------------------------------------------------------ statements
    def definitions(self) -> list[str]:
        lines = []
        for k in range(self.random.choice((0, 0, 1, 2, 3, 5))):
            if self.chance(0.65):
                name, value = (
                    f"v{k}",
                    self.choose(lambda: self.number(2), lambda: self.rnd(1), lambda: self.number(1)),
                )
                lines.append(f"{name} = {value}")
                self.numbers.append(name)
            else:
                lines.append(f"p{k} = {self.truth(2)}")
                self.truths.append(f"p{k}")
        return lines

    def condition(self) -> str:
        """Return a condition that accepts a fair share of the deals more often than not."""
        kind = self.random.random()
        if kind < 0.25:
            return self.truth(3)
        loose = self.choose(
            lambda: f"{self.rnd(1)} != {self.random.randrange(3)}",
            lambda: f"hcp({self.seat()}) > {self.choose('3', '8', lambda: self.rnd(0))}",
            lambda: f"{self.random.choice(SUITS)}({self.seat()}) + {self.rnd(0)} > 2",
        )
        if kind < 0.5:
            return f"{loose} and ({self.truth(2)})"
        if kind < 0.8:
            return f"({self.truth(2)}) or {loose}"
        return loose

    def value(self) -> str:
        """Return the expression of an action; now and then the one of an earlier action."""
        if self.used and self.chance(0.2):
            return self.random.choice(self.used)
        value = self.choose(
            lambda: self.number(3),
            lambda: self.number(2),
            lambda: self.rnd(1),
            lambda: self.truth(2),
            self.leaf,
        )
        self.used.append(value)
        return value

    def label(self) -> str:
        self.n_labels += 1
        return f'"r{self.n_labels}" '

    def range(self, more: int = 0) -> str:
        low = self.random.choice((-5, 0, 0, 1, 10))
        size = f", {self.random.choice((1, 2, 5))}" if more else ""
        return f"{low}, {low + self.random.choice((0, 3, 10))}{size}"

    def action(self) -> str:
        kinds = [
            "average",
            "average",
            "frequency",
            "frequency2",
            "printes",
            "printes",
            "printoneline",
            "printcompact",
        ]
        if self.dialect != "v1":
            kinds += ["bktfreq", "bktfreq2"]
        if self.dialect == "v2":
            kinds += ["printrpt", "csvrpt"]
        kind = self.random.choice(kinds)
        if kind == "average":
            is_real = self.dialect == "modern" and self.chance(0.15)
            return f"average {self.label()}{self.real() if is_real else self.value()}"
        if kind in ("frequency", "bktfreq"):
            return f"{kind} {self.label()}({self.value()}, {self.range(kind == 'bktfreq')})"
        if kind in ("frequency2", "bktfreq2"):
            name, more = kind[:-1], kind == "bktfreq2"
            first, second = (f"{self.value()}, {self.range(more)}" for _ in range(2))
            return f"{name} {self.label()}({first}, {second})"
        if kind in ("printoneline", "printcompact"):
            return kind if self.chance(0.2) else f"{kind}({self.value()})"
        seats = [lambda: self.seat()] if kind != "printes" else []
        items = [
            self.choose(self.value, self.value, '"a b"', *seats)
            for _ in range(self.random.choice((1, 2, 2, 3)))
        ]
        if kind == "printes":
            if self.dialect == "modern" and self.chance(0.1):
                items.append(self.real())
            items = [part for item in items for part in (item, '" "')][:-1] + ["\\n"]
        return f"{kind}({', '.join(items)})"

    def limits(self) -> list[str]:
        n_deals = self.random.choice((2, 3) if self.has_tricks else (3, 8, 15, 25, 25, 40, MAX_DEALS))
        if self.chance(0.4):
            return [f"generate {n_deals}", f"produce {self.random.choice((1, 2, 5, 10, n_deals))}"]
        return [f"generate {n_deals}"]

    def predeal(self) -> list[str]:
        if not self.has_rnd or not self.chance(0.12):
            return []
        cards = [suit + rank for suit in "CDHS" for rank in "23456789TJQKA"]
        self.random.shuffle(cards)
        parts = []
        for seat in self.random.sample(SEATS, self.random.choice((1, 2, 4))):
            chosen = [cards.pop() for _ in range(self.random.choice((1, 2, 5, 12, 13)))]
            parts.append(f"predeal {seat} {', '.join(chosen)}")
        return parts

    def write(self) -> RandomScript:
        """Return the script."""
        lines = [*self.limits(), *self.predeal()]
        if self.chance(0.05):
            lines.append("pointcount " + self.random.choice(("6 4 2 1", "1", "4 3 2 1 -1", "")))
        lines += self.definitions()
        if self.chance(0.85):
            lines.append(f"condition {self.condition()}")
        actions = [self.action() for _ in range(self.random.choice((1, 1, 2, 3, 4)))]
        lines.append("action " + ",\n  ".join(actions))
        text, threads = "\n".join(lines) + "\n", 2 if self.chance(0.1) else 1
        if not self.has_rnd:
            plan = self.random.choice(("plain", "staged")) if self.dialect == "modern" else "plain"
            return RandomScript(text, self.dialect, self.random.randrange(1, 9), 0, threads, plan)
        seed = self.random.choice((*SEEDS, *(self.random.randrange(1, 10**6) for _ in range(12))))
        seed = seed or (1 if self.dialect == "v2" else 0)  # in v2, 0 means any seed
        swap = self.random.choice((0, 0, 0, 0, 0, 2, 3))
        return RandomScript(text, self.dialect, seed, swap, threads)


def write_script(number: int, has_rnd: bool = True) -> RandomScript:
    """Return the random script of a number; every dialect has a third of them."""
    return ScriptWriter(number, ("v1", "v2", "modern")[number % 3], has_rnd).write()

"""An independent upper bound: declarer may mix lines, and a linear program finds the best mixture.

It shares no code with the package. Each position is its history, a sequence of cards; missing cards that are next
to each other at the beginning are one kind. Declarer's weights of histories are those of a sequence form; in each
layout the weighted result at a defender's turn is at most that after each of the cards he can play.
"""

from __future__ import annotations

from itertools import product
from math import comb, prod

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

RANKS = "AKQJT98765432"


class Program:
    """The linear program of two hands: variables, and the rows of its constraints."""

    def __init__(self, north: str, south: str, distinct: bool = False, largest: int | None = None) -> None:
        self.missing = [card for card in RANKS if card not in north + south]
        self.kinds: list[list[str]] = []
        for card in self.missing:
            above = RANKS[RANKS.index(card) - 1] if card != "A" else ""
            if self.kinds and self.kinds[-1][-1] == above and not distinct:
                self.kinds[-1].append(card)
            else:
                self.kinds.append([card])
        self.hands = north, south
        self.layouts = list(product(*(range(len(kind) + 1) for kind in self.kinds)))
        n = len(self.missing)
        self.shares = [
            prod(comb(len(kind), count) for kind, count in zip(self.kinds, layout, strict=True))
            * comb(26 - n, 13 - sum(layout)) / comb(26, 13)
            for layout in self.layouts
        ]  # fmt: skip
        self.n_variables, self.largest = 0, largest
        self.open: dict[object, int] = {}  # tricks with all cards visible
        self.equal: list[dict[int, float]] = []  # sums that are 0
        self.below: list[dict[int, float]] = []  # sums that are at most 0

    def solve(self, payoff) -> float:
        """The greatest mean of ``payoff(tricks)`` against best defence."""
        first = self.new_variable()
        everyone = {
            number: (layout, tuple(len(kind) - count for kind, count in zip(self.kinds, layout, strict=True)))
            for number, layout in enumerate(self.layouts)
        }
        values = self.lead(self.hands, everyone, first, 0, payoff)
        cost = np.zeros(self.n_variables)
        for number, value in values.items():
            cost[value] -= self.shares[number]
        bounds = np.zeros((self.n_variables, 2))
        bounds[:, 1] = np.inf
        bounds[first] = 1, 1
        result = linprog(
            cost, self.matrix(self.below), np.zeros(len(self.below)), self.matrix(self.equal),
            np.zeros(len(self.equal)), bounds, method="highs",
        )  # fmt: skip
        assert result.status == 0, result.message
        return -result.fun

    def matrix(self, rows):
        entries = [(row, column, value) for row, part in enumerate(rows) for column, value in part.items()]
        rows_, columns, values = zip(*entries, strict=True)
        return coo_matrix((values, (rows_, columns)), (len(rows), self.n_variables)).tocsr()

    def new_variable(self) -> int:
        self.n_variables += 1
        if self.largest is not None and self.n_variables > self.largest:
            raise OverflowError(f"more than {self.largest} variables")
        return self.n_variables - 1

    def choose(self, options, worlds, weight, follow):
        """Declarer's turn: weights of the options add up to that of the history, and so do the values."""
        parts, weights = [], []
        for option in options:
            weights.append(self.new_variable())
            parts.append(follow(option, weights[-1]))
        self.equal.append({weight: -1.0, **dict.fromkeys(weights, 1.0)})
        values = {}
        for world in worlds:
            values[world] = self.new_variable()
            self.equal.append({values[world]: -1.0, **{part[world]: 1.0 for part in parts}})
        return values

    def defend(self, seat, worlds, follow):
        """A defender's turn: in each layout the value is at most that after each card that he has."""
        values = {world: self.new_variable() for world in worlds}
        for kind in [*range(len(self.kinds)), None]:
            able = {
                world: hands for world, hands in worlds.items()
                if (not any(hands[seat]) if kind is None else hands[seat][kind])
            }  # fmt: skip
            if able:
                part = follow(kind, {world: self.take(hands, seat, kind) for world, hands in able.items()})
                for world in able:
                    self.below.append({values[world]: 1.0, part[world]: -1.0})
        return values

    @staticmethod
    def take(hands, seat, kind):
        if kind is None:
            return hands
        counts = list(hands[seat])
        counts[kind] -= 1
        return (tuple(counts), hands[1]) if seat == 0 else (hands[0], tuple(counts))

    def options(self, hands, hand):
        """The cards of a hand, of those with no card of another player between them one."""
        cards = sorted(hands[hand], key=RANKS.index)
        between = set(self.missing)
        return [
            card for place, card in enumerate(cards)
            if not place or between & set(RANKS[RANKS.index(cards[place - 1]) : RANKS.index(card)])
        ]  # fmt: skip

    def count_open(self, hands, west, east):
        """The tricks with all cards visible."""
        if not any(hands):
            return 0
        key = hands, west, east
        if key not in self.open:
            self.open[key] = max(
                self._count_lead(hands, west, east, hand, card)
                for hand in (0, 1)
                for card in self.options(hands, hand)
            )
        return self.open[key]

    def _count_lead(self, hands, west, east, hand, lead):
        sides, (second, fourth) = (west, east), (1, 0) if hand == 0 else (0, 1)
        least = 99
        for kind in self.able(sides[second]):
            most = -1
            for card in self.options(hands, 1 - hand) or [None]:
                fewest = 99
                for final in self.able(sides[fourth]):
                    rest, won = self.finish(hands, hand, lead, card, kind, final)
                    left = self.take(self.take(sides, second, kind), fourth, final)
                    fewest = min(fewest, won + self.count_open(rest, *left))
                most = max(most, fewest)
            least = min(least, most)
        return least

    @staticmethod
    def able(counts):
        """The kinds of the cards that a defender may play; None if he has none."""
        return [kind for kind, count in enumerate(counts) if count] or [None]

    def finish(self, hands, hand, lead, card, kind, final):
        """The declaring hands after a trick, and whether they have won it."""
        ours = min(RANKS.index(c) for c in (lead, card) if c is not None)
        theirs = [RANKS.index(self.kinds[k][0]) for k in (kind, final) if k is not None]
        played = (lead, card) if hand == 0 else (card, lead)
        rest = tuple(held.replace(c, "") if c else held for held, c in zip(hands, played, strict=True))
        return rest, all(ours < rank for rank in theirs)

    def lead(self, hands, worlds, weight, tricks, payoff):
        # In a layout that is known, or without cards, declarer makes what he makes with all cards visible
        if len(worlds) == 1 or not any(hands):
            values = {}
            for world, sides in worlds.items():
                values[world] = self.new_variable()
                made = tricks + self.count_open(hands, *sides)
                self.equal.append({values[world]: -1.0, weight: float(payoff(made))})
            return values
        leads = [(hand, card) for hand in (0, 1) for card in self.options(hands, hand)]

        def follow(option, weight):
            hand, card = option
            return self.second(hands, worlds, weight, tricks, payoff, hand, card)

        return self.choose(leads, worlds, weight, follow)

    def second(self, hands, worlds, weight, tricks, payoff, hand, lead):
        second, fourth = (1, 0) if hand == 0 else (0, 1)  # west 0, east 1

        def third(kind, able):
            cards = self.options(hands, 1 - hand) or [None]

            def play(card, weight):
                def last(final, left):
                    rest, won = self.finish(hands, hand, lead, card, kind, final)
                    return self.lead(rest, left, weight, tricks + won, payoff)

                return self.defend(fourth, able, last)

            return self.choose(cards, able, weight, play)

        return self.defend(second, worlds, third)

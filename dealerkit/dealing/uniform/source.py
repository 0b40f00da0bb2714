"""The source of uniform deals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import NumberedDeals, Source
from dealerkit.dealing.uniform.stream import deal_numbered, deal_range


class UniformSource(Source):
    """The uniform stream: every deal that complies with the predeal is equally likely."""

    def __init__(self, seed: int, predeal: Predeal | None = None, swap: int = 0) -> None:
        self.seed, self.predeal, self.swap = seed, predeal, swap
        self.description = f"seed {seed}, "

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        def deal() -> Deals:
            hands = deal_range(self.seed, first, count, seats, self.predeal, self.swap)
            return Deals(hands, cluster=self.clusters(first, count), check=False)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        hands = deal_numbered(self.seed, numbers, seats, self.predeal, self.swap)
        return Deals(hands, cluster=deals.cluster, check=False)

"""The source of conditional deals.

Its module imports the kernels of the conditional sampler, which takes about 0.1 s: a run imports
it only if its plan is conditional.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.conditional.protocol import Sampler
from dealerkit.dealing.conditional.sampler import sample_numbered, sample_range
from dealerkit.dealing.source import NumberedDeals, Source


class ConditionalSource(Source):
    """The candidates of a sampler that it accepts itself, with their numbers."""

    def __init__(self, seed: int, sampler: Sampler) -> None:
        self.seed, self.sampler = seed, sampler
        self.description = f"seed {seed}, "

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        def deal() -> NumberedDeals:
            hands, numbers = sample_range(self.sampler, self.seed, first, count, seats)
            return NumberedDeals(Deals(hands, check=False), numbers)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        return Deals(sample_numbered(self.sampler, self.seed, numbers, seats), check=False)

"""The source of classic deals."""

from __future__ import annotations

from collections.abc import Callable

from dealerkit.cards.deals import Deals
from dealerkit.dealing.classic.streams import ClassicV1, ClassicV2
from dealerkit.dealing.source import NumberedDeals, Source


class ClassicSource(Source):
    """The stream of Debian's dealer or of DealerV2, deal for deal.

    Kept for comparison with those programs; v1's shuffle is not exactly uniform.

    Parameters
    ----------
    stream : ClassicV1 or ClassicV2
    seed : int
    swap : {0, 2, 3}
    all_accepted : bool
        The run has no condition, so every deal will be accepted.
    """

    def __init__(self, stream: ClassicV1 | ClassicV2, seed: int, swap: int, all_accepted: bool) -> None:
        self.stream, self.seed, self.swap = stream, seed, swap
        self.needs_feedback = stream.needs_feedback and not all_accepted
        self._all_accepted = all_accepted
        self.description = f"seed {seed}, classic stream, "

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        hands = self.stream.deal(count, self._all_accepted)
        return lambda: Deals(hands, cluster=self.clusters(first, count), check=False)

    def mark_accepted(self, row: int | None) -> None:
        assert isinstance(self.stream, ClassicV2)
        self.stream.accept(row)

    def rnd(self, limit: int) -> int:
        return self.stream.rnd(limit)

"""Populations of studies: deals that meet a condition, dealt from a seed, or given deals."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import CompiledScript, compile_condition
from dealerkit.doubledummy.trick_model.predictions import SAMPLE_SEEDS
from dealerkit.errors import ArgumentError, EvaluationError
from dealerkit.formats.sample import find_training_deals
from dealerkit.language.script_variables import Params
from dealerkit.simulation.probability import ConditionDeals

MAX_CANDIDATES = 20_000_000  # candidates dealt without finding a deal that meets the condition
MAX_DEALT = 400_000_000  # candidates dealt for one study
MIN_BATCH, MAX_BATCH = 1024, 65_536  # candidates
OTHER_STREAM = 1 << 64  # added to a seed whose deals are those of the sample


class Population(Protocol):
    """Random deals of a population; each is returned once, and their order is random.

    Attributes
    ----------
    size : int or None
        Number of deals in the population; None: more than any study draws.
    """

    size: int | None

    def draw(self, n: int) -> Deals:
        """Return the next `n` deals, or fewer if there are no more."""


class GivenDeals:
    """Deals that exist already, as a random sample of their population; attached tables are used.

    Parameters
    ----------
    deals : Deals
    is_plain : bool
        Whether the values are known, so that none is predicted.

    Examples
    --------
    >>> hands = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> population = GivenDeals(Deals.from_pbn(hands))
    >>> len(population.draw(3)), len(population.draw(3))
    (1, 0)
    """

    def __init__(self, deals: Deals, is_plain: bool = False) -> None:
        self.deals, self.is_plain, self._next = deals, is_plain, 0
        self.size: int | None = len(deals)

    def draw(self, n: int) -> Deals:
        """Return the next `n` deals, or fewer if there are no more."""
        first, self._next = self._next, min(self._next + n, len(self.deals))
        return self.deals[first : self._next]


def drop_training_deals(deals: Deals) -> Deals:
    """Return the deals without those of the shipped sample that trained or calibrated the trick model.

    On these deals the model's errors are smaller than elsewhere, so they do not show its accuracy.
    """
    return deals[~find_training_deals(deals)]


class ConditionPopulation:
    """All deals that meet a condition, dealt at random: plainly, or conditionally if they are rare.

    Parameters
    ----------
    compiled : CompiledScript
        The script whose `given` is the condition.
    seed : int
        Seeds of the shipped sample give different deals here, because the sample's deals trained the trick
        model.

    Raises
    ------
    ArgumentError
        No deal can meet the condition.

    Examples
    --------
    >>> strong = ConditionPopulation.from_text("hcp(north) >= 20 and spades(south) == 6", seed=1)
    >>> deals = strong.draw(1000)
    >>> len(deals), bool((deals.eval("hcp(north)") >= 20).all())
    (1000, True)
    """

    def __init__(self, compiled: CompiledScript, seed: int) -> None:
        self.seed, self.n_candidates, self.n_drawn = seed, 0, 0
        self.size: int | None = None
        stream = seed + OTHER_STREAM if seed in SAMPLE_SEEDS else seed
        self._source = ConditionDeals.choose(compiled, compiled.given, (), stream, 100_000)
        if not self._source.share:
            raise ArgumentError(
                "no deal can meet the given condition; correct it; dk.explain shows what it means"
            )
        self._rest = Deals(np.empty((0, 4), np.uint64))

    @classmethod
    def from_text(
        cls,
        given: str | os.PathLike[str] | None = None,
        seed: int = 0,
        predeal: Mapping[str, Any] | None = None,
        params: Params = (),
        include: Sequence[str | os.PathLike[str]] = (),
    ) -> ConditionPopulation:
        """Return the population of a condition; arguments and errors are those of `dealerkit.probability`."""
        return cls(compile_condition("1", given, predeal, params, include), seed)

    @property
    def rate(self) -> float:
        """The share of candidates so far that met the condition; 1 before the first."""
        return (self.n_drawn + len(self._rest)) / self.n_candidates if self.n_candidates else 1.0

    def draw(self, n: int) -> Deals:
        """Return the next `n` deals; fewer only after 400,000,000 candidates have been dealt.

        Raises
        ------
        ArgumentError
            None of 20,000,000 deals meets the condition.
        EvaluationError
            The condition has no value for a deal; the message gives the deal.
        """
        # Deals left over from the last batch, then batches whose size follows from the acceptance rate
        parts, count = [self._rest], len(self._rest)
        size = MIN_BATCH
        while count < n and self.n_candidates < MAX_DEALT:
            if not self.n_drawn + count and self.n_candidates >= MAX_CANDIDATES:
                raise ArgumentError(
                    f"none of {self.n_candidates:,} deals meets the given condition; "
                    "give a weaker one, or predeal the cards"
                )
            first = self.n_candidates
            try:
                columns = self._source.columns(first, size, 0b1111)
            except EvaluationError as error:
                raise self._source.locate_error(error, first, size) from None
            parts.append(columns.deals)
            count += len(columns)
            self.n_candidates += size
            size = self._choose_size(n - count)
        # Deals that are too many are kept
        hands = np.concatenate([deals.hands for deals in parts])
        self._rest = Deals(hands[n:], check=False)
        self.n_drawn += min(n, count)
        return Deals(hands[:n], check=False)

    def _choose_size(self, n: int) -> int:
        """Return the number of candidates of the next batch, for `n` more deals."""
        rate = max(self.rate, 1e-9)
        return self._source.limit(int(min(max(1.1 * n / rate, MIN_BATCH), MAX_BATCH)))

"""The sample of a comparison, and its sides as rows of arrays."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.journal import Journal
from dealerkit.errors import ArgumentError, SmallSample, warn_caller
from dealerkit.formats.sample import solved_sample
from dealerkit.studies.comparison.events import collect_events
from dealerkit.studies.comparison.measures import Measure, Sides
from dealerkit.studies.comparison.side_data import SideData, assign_folds
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.system.progress import track_items

MIN_TARGET, MAX_TARGET = 1e-60, 1e60


def take_sample(sample: Any) -> Deals:
    """Return the deals of a sample that have weight; by default those that are shipped.

    Raises
    ------
    ArgumentError
        A sample that is no Deals, or weights of which none is positive.

    Warns
    -----
    SmallSample
        Weights so unequal that few deals count.
    """
    deals = solved_sample() if sample is None else sample
    if not isinstance(deals, Deals):
        raise ArgumentError(f"the sample is a {type(deals).__name__}; give Deals with their tables, or None")
    if deals.weight is None:
        return deals
    weight = np.asarray(deals.weight, float)
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ArgumentError(
            "the weights of the sample are all 0, or some are negative or not finite; give positive weights, "
            "or remove them with deals.replace(weight=None)"
        )
    effective = weight.sum() ** 2 / np.square(weight).sum()
    if len(deals) >= MIN_DEALS > effective:
        warn_caller(
            f"the weights are so unequal that {len(deals):,} deals count as {effective:.0f}; the intervals "
            "are approximate. Give more deals.",
            SmallSample,
        )
    return deals if weight.all() else deals[weight > 0]


class SideRows:
    """The sides as rows, those of a deal or cluster beside each other; `journal` gets values of measures."""

    def __init__(
        self,
        sides: Sides,
        compared: list[Measure],
        target: str | np.ndarray,
        seed: int,
        folds: int,
        journal: Journal | None = None,
    ) -> None:
        deals = sides.deals
        groups = np.arange(len(deals)) if deals.cluster is None else deals.cluster
        self._order, self._journal = np.argsort(groups, kind="stable"), journal or Journal()
        known, deal = np.unique(groups[self._order], return_inverse=True)
        fold = assign_folds(len(known), min(folds, max(len(known), 2)), seed)
        is_tricks = isinstance(target, str) and target.strip() == "tricks"
        values = sides.tricks if is_tricks else sides.find_values("the target", target, tricks=True)
        largest = float(np.abs(values).max(initial=0))
        if largest and not MIN_TARGET <= largest <= MAX_TARGET:  # their squares are no floating-point numbers
            raise ArgumentError(f"the largest value of the target is {largest:g}; give it in another unit")
        number = np.repeat(deal, 2).astype(np.int64)
        self.data = SideData(
            measures={
                each.name: self._find_measure(sides, each)
                for each in track_items(compared, len(compared), "evaluators")
            },
            target=self.order(values),
            tricks=self.order(sides.tricks),
            strain=self.order(sides.strains),
            tables=self.order(sides.tables),
            deal=number,
            fold=fold[number],
            weight=None if deals.weight is None else self.order(np.repeat(deals.weight[:, None], 2, axis=1)),
        )

    def order(self, values: np.ndarray) -> np.ndarray:
        """Return values [n, 2, ...] of the sides as rows [rows, ...]."""
        return values[self._order].reshape(-1, *values.shape[2:])

    def find_events(self, sides: Sides, events: Any) -> dict[str, np.ndarray]:
        """Return by name in which rows each event occurs: bool [rows]."""
        return collect_events(
            events, self.data.tricks, self.data.strain,
            lambda text: self.order(sides.find_values(text, text, tricks=True)),
        )  # fmt: skip

    def _find_measure(self, sides: Sides, measure: Measure) -> np.ndarray:
        """Return the values of a measure: [rows], or [rows, p] if it has several predictors."""
        columns = [
            self.order(self._journal.step(partial(sides.find_values, label, part)))
            for label, part in zip(measure.labels, measure.predictors, strict=True)
        ]
        return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)

"""The counts of partnerships as functions of the registry: ``bergen(NS)``, ``zar(NS, spades)``."""

from __future__ import annotations

from functools import partial
from itertools import chain

import numpy as np

from dealerkit.evaluators.pairs import bergen_dkp, goren_pavlicek, karpin_larsson, sheinwold_roth, zar_four_cs
from dealerkit.evaluators.pairs.metrics import NOTRUMP, VARIANTS, Metric
from dealerkit.registry import Function, register

_MODULES = (bergen_dkp, goren_pavlicek, karpin_larsson, sheinwold_roth, zar_four_cs)

# By their numbers in DealerV2, in that order.
METRICS: dict[int, Metric] = {
    metric.tag: metric
    for metric in sorted(chain(*(module.METRICS for module in _MODULES)), key=lambda metric: metric.tag)
}
LETTERS = "BbDGEKJkLMPSzZR"  # the codes of these stand for the tags 0 to 14


def count(
    first: np.ndarray,
    second: np.ndarray,
    strain: int | None = None,
    *,
    metric: Metric,
    part: int | None = None,
    variant: str = "intended",
) -> np.ndarray:
    """A count of a side, or one hand's share of it: see `Metric`.

    Zar points of one hand without a strain are those of the hand alone.
    """
    if metric.name == "zar" and part is not None and strain is None:
        strain = NOTRUMP
    return metric(first, second, strain, part=part, variant=variant)


for _metric in METRICS.values():
    register(
        Function(
            _metric.name,
            ("side|seat", "strain?"),
            partial(count, metric=_metric),
            kind="pair",
            unit=_metric.unit,
            hundredths=_metric.hundredths,
            cost=250.0,
            variants=VARIANTS,
            low=_metric.low,
            high=_metric.high,
            summary=_metric.summary + "; of a seat, its share",
            source=_metric.source,
            aliases=_metric.aliases,
            tags=(_metric.tag, ord(LETTERS[_metric.tag])),
        )
    )

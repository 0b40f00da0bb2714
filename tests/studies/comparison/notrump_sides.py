"""Sides of solved deals in notrump, with measures computed from the cards."""

from __future__ import annotations

import numpy as np

from dealerkit.studies.comparison.side_data import SideData, assign_folds


def count_points(deals, values=(4, 3, 2, 1, 0)):
    """Points of both sides of each deal, from the cards."""
    lanes = deals.hands[..., None] >> np.array([48, 32, 16, 0], np.uint64) & np.uint64(0x1FFF)
    cards = lanes[..., None] >> np.arange(12, 7, -1, dtype=np.uint64) & np.uint64(1)
    points = (cards.sum(axis=2) * np.array(values)).sum(axis=2)
    return (points[:, :2] + points[:, 2:]).astype(float).ravel()


def make_data(deals, **changes):
    """Sides in notrump with three measures: points, losing points (which fall), and two predictors."""
    sides = np.maximum(deals.tables[:, 4, :2], deals.tables[:, 4, 2:]).astype(float).ravel()
    points, fifths = count_points(deals), count_points(deals, (4, 2.8, 1.8, 1, 0.4))
    other = count_points(deals, (1, 0, 0, 0, 0))
    measures = {"points": points, "fewer": 40 - fifths, "two": np.stack([points, other], axis=1)}
    options = {
        "measures": measures, "target": sides, "tricks": sides, "strain": np.full(len(sides), 4, np.int8),
        "tables": np.zeros((len(sides), 5)), "deal": np.repeat(np.arange(len(deals)), 2),
        "fold": np.repeat(assign_folds(len(deals), 5, seed=1), 2),
    }  # fmt: skip
    return SideData(**(options | changes))

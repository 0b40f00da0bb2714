"""Evaluators that predict tricks equally well, to count how often they seem to differ."""

from __future__ import annotations

import numpy as np


def draw_evaluators(
    tricks: np.ndarray, random: np.random.Generator, count: int, better: float = 0.0
) -> dict[str, np.ndarray]:
    """Return tricks with errors of equal distribution, rounded as points are; the first has less by `better`.

    The errors of the evaluators are correlated, and so are those of the sides of a deal.
    """
    common = random.standard_normal((*tricks.shape, 1))
    deal = random.standard_normal((len(tricks), 1, count)) * np.array([1, -1])[:, None]
    own = random.standard_normal((*tricks.shape, count))
    values = np.round(2 * (tricks[..., None] + 1.2 * common + 0.6 * deal + 0.8 * own))
    values[..., 0] -= better * np.round(2 * 0.8 * own[..., 0])
    return {f"e{k}": values[..., k] for k in range(count)}

"""Mean differences of scores on the same deals, for example between two contracts or two leads."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.arguments import check_integers
from dealerkit.errors import ArgumentError
from dealerkit.scoring import SCORINGS, check_scoring
from dealerkit.statistics import Estimate, Moments
from dealerkit.statistics.rare_values import ValueRange


def difference(
    ours: Any,
    theirs: Any,
    measure: str = "imps",
    *,
    weights: Any = None,
    clusters: Any = None,
    confidence: float = 0.95,
) -> Estimate:
    """Return the mean difference between our score and theirs, deal by deal.

    Both scores belong to the same deals, so the interval of the difference is far narrower than those of the
    two means suggest.

    Parameters
    ----------
    ours, theirs : int or ndarray of int [n]
        Scores of the same side on the same deals; at least one of them must be an array.
    measure : {"points", "imps", "matchpoints", "board-a-match"}
        The mean of the score differences; of the IMPs for them; or our share of the matchpoints, or of the
        boards won, where 0.5 is even.
    weights : ndarray of float [n], optional
        For example `Deals.weight`.
    clusters : ndarray of int [n], optional
        Deals with the same number depend on each other; for example `Deals.cluster`.
    confidence : float in (0, 1)
        Confidence level of the interval. It is Student's t, widened if the scores are alike on most deals or
        the gains on all, and stays within the gains that are possible; see `docs/explanation/coverage.md`.

    Returns
    -------
    Estimate

    Raises
    ------
    ArgumentError
        The measure is unknown, the lengths differ, or scores are not whole numbers.

    Examples
    --------
    >>> from dealerkit.scoring import score
    >>> game, partscore = score("4S", np.array([9, 10, 10, 11])), score("3S", np.array([9, 10, 10, 11]))
    >>> difference(game, partscore)
    3 ± 13 (n = 4)
    >>> difference(game, partscore, "matchpoints").value
    0.75
    >>> difference([420] * 5, [170] * 5)  # on other deals the game may fail
    6 [-9, 16] (n = 5, all equal)
    """
    scoring = SCORINGS[check_scoring(measure, kind="measure")]
    us, them = check_integers("ours", ours), check_integers("theirs", theirs)
    lengths = {scores.shape for scores in (us, them) if scores.ndim}
    if len(lengths) > 1 or us.ndim > 1 or them.ndim > 1:  # an array of length 1 is not broadcast
        raise ArgumentError(
            f"ours has shape {us.shape}, theirs {them.shape}; scores of the same deals are needed: "
            "arrays of one length, or one number for all"
        )
    us, them = np.broadcast_arrays(np.atleast_1d(us), them)
    if not us.size:
        raise ArgumentError("no scores are given; give those of some deals")
    if np.asarray(weights).dtype.kind in "biuf" and not np.any(weights):
        raise ArgumentError("the weights are all 0, so no deal counts; leave out weights=")
    moments = Moments()
    gains = scoring.compare(us, them)
    moments.update(gains + scoring.even if scoring.even else gains, weights, clusters)
    low, high, similar = scoring.limits
    return moments.mean(confidence, ValueRange(low + scoring.even, high + scoring.even, similar))

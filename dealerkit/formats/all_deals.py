"""`all_deals`: every deal in which two hands are unknown, as a library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.enumeration import enumerate_deals
from dealerkit.dealing.predeal import Predeal
from dealerkit.formats.content import Content
from dealerkit.formats.library import Library
from dealerkit.runtime.progress import long_work


class EnumeratedDeals(Content):
    """The deals that agree with a predeal, computed from their numbers.

    Parameters
    ----------
    predeal : Predeal

    Raises
    ------
    PredealError
        No deal agrees with the predeal, or more than two hands are unknown.
    """

    deals_all_seats = is_enumeration = True

    def __init__(self, predeal: Predeal) -> None:
        self._enumeration = enumerate_deals(predeal)
        self.n_deals = self._enumeration.n_deals
        self.name = self._enumeration.name

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        return Deals(self._enumeration.compute_hands(rows), check=False)


@long_work
def all_deals(predeal: Mapping[str, Any] | Predeal) -> Library:
    """Return all deals in which two hands are unknown, as a source of exact results.

    A run on all of them has no sampling error: its averages, shares and probability are exact, with standard
    error 0. Deals are computed when they are needed, so 10 million deals take no memory.

    Parameters
    ----------
    predeal : mapping
        Seats with cards, suit lengths, or a list of both, as for `dealerkit.deal`. The 13 cards of two or
        three seats must be given by name; cards and lengths of the other hands reduce the number of deals,
        which is 10,400,600 without them.

    Returns
    -------
    Library
        The deals in a fixed order. The first unknown hand (of north, east, south, west) gets its cards in the
        order of ``itertools.combinations``, from the ace of spades to the deuce of clubs. Suits of a known
        length come first, and the last combination changes fastest.

    Raises
    ------
    PredealError
        No deal agrees with the predeal, or more than two hands are unknown; the message gives their number.

    Notes
    -----
    A run that ends before the last deal, or on a slice, has means and shares of these deals without an
    interval, because deals in order are not a random sample. `Library.sample` takes a random sample. A script
    that prints, or has no action, ends after 40 deals unless ``produce`` is given.

    Examples
    --------
    >>> from dealerkit.simulation.run import run
    >>> north_south = {"north": "AK32.K54.A32.432", "south": "QJT9.A32.K54.A65"}
    >>> layouts = all_deals(predeal=north_south)
    >>> layouts
    <Library: 10,400,600 deals of all layouts of east and west>
    >>> some = all_deals({**north_south, "east": ["SX", {"hearts": 6}], "west": {"diamonds": 6}})
    >>> run('condition hascard(east, QH) action average hcp(west)', source=some).probability.fraction
    Fraction(6, 7)
    """
    given = predeal if isinstance(predeal, Predeal) else Predeal.from_mapping(predeal)
    return Library(EnumeratedDeals(given))

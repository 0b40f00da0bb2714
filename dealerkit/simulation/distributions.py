"""The distribution of an expression over deals: a DataFrame that is shown as a card."""

from __future__ import annotations

import os
from typing import Any

import pandas as pd

from dealerkit.appearance.card import Card
from dealerkit.simulation.value_shares import ValueShares

ATTRIBUTES = ("exact", "n", "mean", "sd", "expression", "given", "confidence", "call")


class Distribution(pd.DataFrame):
    """The values of an expression and the probability of each, as `dealerkit.distribution` returns them.

    It is a DataFrame, shown as a card with a chart. Results of its methods are plain DataFrames.
    """

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    @classmethod
    def of(cls, found: ValueShares) -> Distribution:
        """Return values and their shares as a distribution."""
        frame = cls(found.to_frame().set_index("value"))
        frame.attrs = {name: getattr(found, name) for name in ATTRIBUTES}
        return frame

    def _list_shares(self) -> ValueShares:
        columns = {name: self[name].to_numpy(float) for name in ("share", "cumulative", "lo", "hi")}
        return ValueShares(self.index.to_numpy(), list(self["count"]), **columns, **self.attrs)

    def card(self) -> Card:
        """The contents of the card, as data."""
        return self._list_shares().card()

    @property
    def text(self) -> str:
        """The distribution as text."""
        return self.card().to_text()

    def to_text(self, width: Any = None) -> str:
        """Return the distribution as text; see `Card.to_text`."""
        return self.card().to_text(width)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Return the distribution as an HTML page, or write the page to a file.

        Parameters
        ----------
        path : str or os.PathLike, optional
            File to write, which appears under its name only when it is complete. None: return the page.

        Returns
        -------
        str or None
            The page; None if it was written.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        return self._list_shares().to_html(path)

    def _repr_html_(self) -> str:
        return self._list_shares()._repr_html_()

    def plot(
        self, ax: Any = None, *, figsize: tuple[float, float] | None = None, title: str | None = None
    ) -> Any:
        """Plot the share of each value.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            Title instead of the default one.

        Returns
        -------
        matplotlib Axes
        """
        return self._list_shares().plot(ax, figsize=figsize, title=title)

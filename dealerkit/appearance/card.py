"""The card of a result: everything that its text, HTML, LaTeX and JSON contain.

Each report of an action and each study describes itself once, by a method `card`. `Shown` makes the text,
HTML, LaTeX and JSON from this card, so that all of them have the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.appearance import text
from dealerkit.appearance.content import Chart, Content, Note, Place, format_note, list_parts
from dealerkit.appearance.screen import Screen
from dealerkit.appearance.sharing import Shareable
from dealerkit.appearance.table import to_plain
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd


class Card(Content):
    """The content of a result, with its renderers; the attributes are those of `Content`."""

    @classmethod
    def empty(cls, title: Note) -> Card:
        """Return the card of a report if no deal was produced."""
        return cls((*list_parts(title), ": no deal was produced"), is_part=True)

    def to_text(self, width: int | Screen | None = None) -> str:
        """Return the card as text, for a screen or with lines of at most `width` characters."""
        return text.render_card(self, Screen.of(width))

    def to_html(self, complete: bool = True) -> str:
        """Return the card as HTML without the style sheet; long tables are cut unless `complete`."""
        from dealerkit.appearance.html_card import render_card

        return render_card(self, complete)

    def to_page(self) -> str:
        """Return the complete card as HTML for a page, with its charts."""
        from dealerkit.appearance.html_card import render_card

        is_drawn = any(column.kind == "drawing" for table in self.tables for column in table.columns)
        charts = [] if is_drawn else self.charts  # drawings in the tables show the same numbers
        return render_card(self, True, "".join(chart.render() for chart in charts))

    def to_latex(self) -> str:
        """Return the tables as LaTeX, for a document that uses the package ``booktabs``."""
        from dealerkit.appearance.latex import render_card

        return render_card(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the card as a dict of types that JSON has.

        Returns
        -------
        dict
            With the keys title, verdict, population, tables, notes and provenance. An estimate is the dict of
            `Estimate.to_dict`.
        """
        return {
            "title": format_note(self.title),
            "verdict": format_note(self.verdict),
            "population": [format_note(note) for note in (*self.population, *self.about)],
            "tables": [{"heading": format_note(table.heading), **table.to_dict()} for table in self.tables],
            "notes": [format_note(note) for note in self.notes],
            "provenance": {name: to_plain(value) for name, value in self.provenance},
        }


class Shown(Shareable, ABC):
    """A result that is shown by its card, as text, as HTML in notebooks, as LaTeX and as JSON."""

    __slots__ = ()

    @abstractmethod
    def card(self) -> Card:
        """Return the card of the result, from which all other forms are made."""

    @property
    def text(self) -> str:
        """The result as text."""
        return self.to_text()

    def to_text(self, width: int | Screen | None = None) -> str:
        """Return the result as text.

        Parameters
        ----------
        width : int or Screen, optional
            The longest line in characters, or the screen to write for. Sentences are wrapped, and less
            important columns are left out of tables that are too wide. By default, lines have any length.
        """
        return self._text_card().to_text(width)

    def _text_card(self) -> Card:
        """Return the card that is written as text; subclasses can choose another one than `card`."""
        return self.card()

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment  # only notebooks and pages need HTML

        return render_fragment(
            f'<div class="dk-report">{self.card().to_html(complete=False)}</div>', self.text
        )

    def _build_page(self) -> str:
        from dealerkit.appearance.page import render_page

        card = self.card()
        return render_page(format_note(card.title), f'<div class="dk-report">{card.to_page()}</div>')

    def to_latex(self) -> str:
        """Return the tables as LaTeX, for a document that uses the package ``booktabs``."""
        return self.card().to_latex()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a dict of types that JSON has; see `Card.to_dict`."""
        return self.card().to_dict()

    def to_frame(self) -> pd.DataFrame:
        """Return the first table as a DataFrame; see `Table.to_frame`."""
        return self.card().tables[0].to_frame()

    def plot(
        self, ax: Any = None, *, figsize: tuple[float, float] | None = None, title: str | None = None
    ) -> Any:
        """Plot the result.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The Axes to draw into; by default those of a new figure.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            A title that replaces the plot's own.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ArgumentError
            The result has no plot, or contains nothing to plot; or both `ax` and `figsize` are given.
        """
        charts = self._list_charts()
        if not charts:
            raise ArgumentError(
                f"nothing to plot: a {type(self).__name__} has no plot; use text or to_frame()"
            )
        return charts[0].draw(Place(ax, figsize, title))

    def _list_charts(self) -> Sequence[Chart]:
        """Return the plots; `plot` draws the first."""
        return self.card().charts

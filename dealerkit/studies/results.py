"""What the results of studies have in common: text, HTML, LaTeX, and numbers with their intervals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dealerkit.appearance.html import mark_suits, render_fragment, render_head, render_page
from dealerkit.appearance.latex import Section, format_latex
from dealerkit.appearance.numbers import format_estimate
from dealerkit.statistics import Estimate
from dealerkit.studies.html import list_origin, render_notes, render_sections

if TYPE_CHECKING:
    import pandas as pd


class StudyResult(ABC):
    """A result that is printed as its text, and shown as HTML in notebooks.

    Text and HTML are the tables of `_sections` with the sentences of `_notes` below them, unless a result has
    others.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def title(self) -> str:
        """What the result is about, in one line."""

    @property
    def text(self) -> str:
        """The result as text."""
        notes = "".join(f"{note}\n" for note in self._notes())
        return "".join([f"{self.title}\n", format_sections(self._sections()), "\n" if notes else "", notes])

    def _render(self) -> str:
        """Return the result as HTML without the style sheet."""
        return self._render_head() + render_sections(self._sections()) + render_notes(self._notes())

    def _render_head(self) -> str:
        """Return the head line of the HTML: the title, number of deals, seed and time if known."""
        origin = getattr(self, "provenance", None)
        return render_head(mark_suits(self.title), *(list_origin(origin) if origin is not None else ()))

    @abstractmethod
    def _sections(self) -> Iterable[Section]:
        """Return the heading and the rows of each table as text; the first row is the head."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table."""

    def _notes(self) -> Iterable[str]:
        """Return sentences about what the numbers are from, as text."""
        return ()

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return render_fragment(f'<div class="dk-report">{self._render()}</div>', self.text)

    def to_html(self) -> str:
        """Return the result as a complete HTML page."""
        return render_page(self.title, f'<div class="dk-report">{self._render()}</div>', self.text)

    def to_latex(self) -> str:
        """Return the tables as LaTeX, for a document that uses the package ``booktabs``."""
        return format_latex(self.title, self._sections(), self._notes())


def format_table(rows: list[list[str]], indent: str = "  ") -> str:
    """Return rows of cells, all aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(indent + "  ".join(map(str.rjust, row, widths)).rstrip() + "\n" for row in rows)


def format_sections(sections: Iterable[Section]) -> str:
    """Return tables as text, each below an empty line and its heading."""
    parts = []
    for heading, rows in sections:
        parts += ["\n", f"{heading}\n" if heading else "", format_table(rows)]
    return "".join(parts)


def list_columns(name: str, estimate: Estimate | None, shift: float = 0.0) -> dict[str, float | None]:
    """Return the columns of a frame for an estimate plus `shift`: the value, and the ends `_lo` and `_hi`.

    None in each if there is no estimate.

    >>> list_columns("gain", Estimate(1.0, 0.5, 0.0, 2.0, 40))
    {'gain': 1.0, 'gain_lo': 0.0, 'gain_hi': 2.0}
    """
    if estimate is None:
        return dict.fromkeys((name, f"{name}_lo", f"{name}_hi"))
    value, lo, hi = (number + shift for number in (estimate.value, estimate.lo, estimate.hi))
    return {name: value, f"{name}_lo": lo, f"{name}_hi": hi}


def list_texts(value: float, lo: float, hi: float, sign: bool = False) -> list[str]:
    """Return the cells of a number and of its interval.

    >>> list_texts(0.0181, -0.0123, 0.0485, sign=True), list_texts(0.5231, 0.5182, 0.5280)
    (['+0.02', '-0.01 to +0.05'], ['0.523', '0.518 to 0.528'])
    """
    text = format_estimate(value, lo, hi, sign=sign, ascii=True)
    return [text.value, text.interval]

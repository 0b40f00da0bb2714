"""The content of a card: what is shown of a result, as data; sentences whose numbers each renderer writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dealerkit.appearance.table import Quantity, Table


class Code(str):
    """A text of the dealer language or Python in a sentence: shown as it is, so that it can be pasted."""


class Link(str):
    """The text of a cell that leads to another part of the same page in HTML; elsewhere it is the text.

    Parameters
    ----------
    text : str
    target : str
        The id of the part: letters, digits and hyphens.

    Examples
    --------
    >>> Link("7", "board-7"), Link("7", "board-7").target
    ('7', 'board-7')
    """

    target: str

    def __new__(cls, text: str, target: str) -> Link:
        link = super().__new__(cls, text)
        link.target = target
        return link


class NamedCondition(str):
    """The text of a condition that is shown by another name, such as that of an auction.

    >>> condition = NamedCondition("hcp(north) >= 15", "1NT by north")
    >>> condition, show_condition(condition)
    ('hcp(north) >= 15', '1NT by north')
    """

    shown: str

    def __new__(cls, text: str, shown: str) -> NamedCondition:
        named = super().__new__(cls, text)
        named.shown = shown
        return named

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.shown


def show_condition(text: str) -> Code:
    """Return a condition as one line of code; of a named one the name."""
    return Code(getattr(text, "shown", " ".join(text.split())))


# A sentence, or its parts: texts, code, and numbers (Quantity) that each renderer writes in its own signs.
Note = str | Sequence[str | Code | Quantity]


class Chart(NamedTuple):
    """A plot of a result.

    Attributes
    ----------
    name : str
        By which it is chosen, where a result has several.
    draw : callable
        ``draw(place)`` draws into a `Place`, or into matplotlib Axes, and returns the Axes.
    height : float
        In inches, of a new figure.
    """

    name: str
    draw: Callable[[Any], Any]
    height: float = 4.0

    def render(self) -> str:
        """Return the plot as SVG in HTML, for wide and for narrow pages, with the values of its marks."""
        import matplotlib.pyplot as plt

        with plt.style.context("default"):  # a style of the user's may be for dark ground
            figure = self.draw(None).figure
            try:
                return str(figure.render())
            finally:
                plt.close(figure)


class Place(NamedTuple):
    """Where a plot is drawn, and under which title.

    Attributes
    ----------
    ax : matplotlib Axes or None
        None: those of a new figure.
    figsize : (float, float) or None
        Width and height of a new figure in inches; None: as suits the plot.
    title : str or None
        None: that of the plot.
    """

    ax: Any
    figsize: tuple[float, float] | None = None
    title: str | None = None

    @classmethod
    def of(cls, ax: Any, figsize: tuple[float, float] | None = None, title: str | None = None) -> Place:
        """Return the place of Axes, or of None; a place as it is."""
        return ax if isinstance(ax, Place) else cls(ax, figsize, title)


class Picture(NamedTuple):
    """A diagram of text and HTML, such as that of a deal.

    Attributes
    ----------
    text : str
        Lines, the last with a line feed.
    html : str
    """

    text: str
    html: str


def add_condition(text: str, lead: str, condition: str | None) -> Note:
    """Return a sentence that ends with a condition as code, if there is one.

    >>> format_note(add_condition("Tricks in spades", ", where ", "hcp(north)  > 5"))
    'Tricks in spades, where hcp(north) > 5'
    """
    return text if condition is None else (text, lead, show_condition(condition))


def split_code(sentence: str) -> list[str | Code]:
    """Return a sentence with code between backquotes as its parts.

    >>> split_code("`or` binds weakest")
    ['', 'or', ' binds weakest']
    """
    return [Code(part) if number % 2 else part for number, part in enumerate(sentence.split("`"))]


def list_parts(note: Note) -> Iterator[str | Code | Quantity]:
    """Yield the parts of a note."""
    if isinstance(note, str):
        yield note
    else:
        yield from note


def join_sentences(notes: Iterable[Note]) -> Note:
    """Return sentences as one note, with a space between two of them.

    >>> format_note(join_sentences(["One deal.", ("Two with ", Code("fit >= 8"), ".")]))
    'One deal. Two with fit >= 8.'
    """
    parts: list[str | Code | Quantity] = []
    for note in filter(None, notes):
        parts += [" ", *list_parts(note)] if parts else list_parts(note)
    return parts


def format_note(note: Note) -> str:
    """Return a note as text of ASCII signs.

    >>> format_note(("Gain ", Quantity(-0.25, unit="IMPs"), " with ", Code("hcp(north)-1 > 5"), "."))
    'Gain -0.25 IMPs with hcp(north)-1 > 5.'
    """
    return "".join(
        format_quantity(part, ascii=True) if isinstance(part, Quantity) else part for part in list_parts(note)
    )


def format_quantity(quantity: Quantity, ascii: bool = False) -> str:
    """Return a number of a sentence with its interval, if it has one."""
    return quantity.format(ascii).join()


@dataclass(frozen=True)
class Content:
    """What is shown of a result: the fields of its card.

    Attributes
    ----------
    title : note
        What the result is about, in one line.
    verdict : note
        One sentence: what was found; "" if there is none.
    population : sequence of notes
        What the numbers are from, such as "500 deals"; short, beside the title.
    about : sequence of notes
        Sentences below the title, about the population.
    pictures : sequence of Picture
        Above the tables.
    tables : sequence of Table
    charts : sequence of Chart
        The first is that of `plot`.
    notes : sequence of notes
        Sentences below the tables.
    provenance : sequence of (str, str)
        How it was computed, as terms with their descriptions.
    origin : str
        The same in one line, at the end of the text.
    short_origin : str
        The most important of it, in place of `origin` where text has one line for it.
    is_part : bool
        The card is part of a run's: its text has no empty lines.
    """

    title: Note
    verdict: Note = ""
    population: Sequence[Note] = ()
    about: Sequence[Note] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    notes: Sequence[Note] = ()
    provenance: Sequence[tuple[str, str]] = ()
    origin: str = ""
    short_origin: str = ""
    is_part: bool = False

"""The content of a card as data, with sentences in which each renderer formats the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dealerkit.appearance.table import Quantity, Table


class Code(str):
    """Code in a sentence, in the dealer language or Python, shown unchanged so that it can be copied."""


class Link(str):
    """The text of a cell that is a link to another part of the page in HTML, and plain text elsewhere.

    Parameters
    ----------
    text : str
        The text to show.
    target : str
        The id of the other part, made of letters, digits and hyphens.

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
    """The text of a condition that is shown by a name, such as an auction.

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
    """Return a condition as one line of code, or its name if it has one."""
    return Code(getattr(text, "shown", " ".join(text.split())))


# A sentence, or its parts: texts, code, and numbers (Quantity), which each renderer formats itself
Note = str | Sequence[str | Code | Quantity]


class Chart(NamedTuple):
    """A plot of a result.

    Attributes
    ----------
    name : str
        The name by which it is chosen if a result has several plots.
    draw : callable
        ``draw(place)`` draws at a `Place`, or into matplotlib Axes, and returns the Axes.
    height : float
        The height of a new figure in inches.
    """

    name: str
    draw: Callable[[Any], Any]
    height: float = 4.0

    def render(self) -> str:
        """Return the plot as SVG in HTML, for wide and narrow pages, with the values of its marks."""
        import matplotlib.pyplot as plt

        with plt.style.context("default"):  # the user's own style may be for a dark background
            figure = self.draw(None).figure
            try:
                return str(figure.render())
            finally:
                plt.close(figure)


class Place(NamedTuple):
    """The place where a plot is drawn, and its title.

    Attributes
    ----------
    ax : matplotlib Axes or None
        The Axes to draw into; None for those of a new figure.
    figsize : (float, float) or None
        Width and height of a new figure in inches; None for the plot's own size.
    title : str or None
        The title; None for the plot's own title.
    """

    ax: Any
    figsize: tuple[float, float] | None = None
    title: str | None = None

    @classmethod
    def of(cls, ax: Any, figsize: tuple[float, float] | None = None, title: str | None = None) -> Place:
        """Return the place for Axes or None; return a place unchanged."""
        return ax if isinstance(ax, Place) else cls(ax, figsize, title)


class Picture(NamedTuple):
    """A diagram, such as that of a deal, as text and as HTML.

    Attributes
    ----------
    text : str
        Lines that all end with a line feed; empty if text does not show the diagram.
    html : str
        The diagram as HTML.
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
    """Split a sentence with code between backquotes into its parts.

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
    """Join sentences to one note, with spaces between them.

    >>> format_note(join_sentences(["One deal.", ("Two with ", Code("fit >= 8"), ".")]))
    'One deal. Two with fit >= 8.'
    """
    parts: list[str | Code | Quantity] = []
    for note in filter(None, notes):
        parts += [" ", *list_parts(note)] if parts else list_parts(note)
    return parts


def format_note(note: Note) -> str:
    """Return a note as text, with ASCII signs in its numbers.

    >>> format_note(("Gain ", Quantity(-0.25, unit="IMPs"), " with ", Code("hcp(north)-1 > 5"), "."))
    'Gain -0.25 IMPs with hcp(north)-1 > 5.'
    """
    return "".join(
        format_quantity(part, ascii=True) if isinstance(part, Quantity) else part for part in list_parts(note)
    )


def format_quantity(quantity: Quantity, ascii: bool = False) -> str:
    """Return a number for a sentence, with its interval if it has one."""
    return quantity.format(ascii).join()


@dataclass(frozen=True)
class Content:
    """The content of a result: the fields of its card.

    Attributes
    ----------
    title : note
        What the result is about, in one line.
    verdict : note
        One sentence that says what was found; empty if there is none.
    population : sequence of notes
        Where the numbers come from, such as "500 deals"; short, because it is shown beside the title.
    about : sequence of notes
        Sentences about the population, shown below the title.
    pictures : sequence of Picture
        Diagrams, shown above the tables.
    tables : sequence of Table
        The tables.
    charts : sequence of Chart
        The plots; `plot` draws the first.
    notes : sequence of notes
        Sentences, shown below the tables.
    provenance : sequence of (str, str)
        How the result was computed, as terms with their descriptions.
    origin : str
        The same in one line, for the end of the text.
    short_origin : str
        The most important part of `origin`, for a screen that has one line for it.
    is_part : bool
        Whether the card is part of the card of a run, so that its text has no empty lines.
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

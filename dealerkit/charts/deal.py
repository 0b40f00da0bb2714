"""The diagram of a deal as a figure, for print and for slides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dealerkit.cards.html import VULNERABLE
from dealerkit.cards.names import SEATS
from dealerkit.cards.text import SUIT_SYMBOLS
from dealerkit.charts.panels import open_frame
from dealerkit.charts.style import get_color

_SUITS = ("spades", "hearts", "diamonds", "clubs")
LINE = 0.21  # height of a line in inches
_PLACES = ((1, 0), (2, 1), (1, 2), (0, 1))  # column and row of N E S W
_TABS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # direction of each seat's tab from the middle of the board


def plot_deal(deal: Any, hands: Sequence[tuple[Sequence[str], int | None]], ax: Any = None) -> Any:
    """Draw the diagram of a deal: hands with their points, board, dealer and vulnerable sides.

    Parameters
    ----------
    deal : Deal or PartialDeal
        The deal, of which `board`, `dealer` and `vulnerable` are used.
    hands : sequence of (sequence of str, int or None)
        The texts of the four suits, and the points, of north, east, south and west; None for unknown points.
    ax : matplotlib Axes, optional
        The Axes to draw into; by default those of a new figure of 4 by 3.7 inches.

    Returns
    -------
    matplotlib Axes
    """
    with open_frame(ax, width=4.0, height=3.7) as frame:
        frame.write("")
        (panel,) = frame.add_panels()
        panel.set_xlim(0, 3.75)
        panel.set_ylim(3.45, 0)
        panel.set_axis_off()
        for seat, (holdings, points) in enumerate(hands):
            column, row = _PLACES[seat]
            letter = SEATS[seat][0].upper()
            _draw_hand(panel, letter, holdings, points, 1.25 * column, 1.15 * row + 0.12)
        _draw_board(panel, deal, 1.78, 1.72)
        notes = [
            "" if deal.board is None else f"Board {deal.board}",
            "" if deal.dealer is None else f"Dealer {SEATS[deal.dealer][0].upper()}",
            "" if deal.vulnerable is None else VULNERABLE[deal.vulnerable],
        ]
        for line, text in enumerate(filter(None, notes)):
            panel.text(0, 0.12 + line * LINE, text, va="center", color=get_color("quiet"))
        frame.fill(panel, [*panel.texts], 1.0, 1.0)
        return frame.ax


def _draw_hand(
    panel: Any, letter: str, holdings: Sequence[str], points: int | None, x: float, y: float
) -> None:
    """Draw a hand with its seat and its points; (x, y) is its upper left corner in inches."""
    text, quiet = get_color("text"), get_color("quiet")
    panel.text(x, y, letter, size=9, weight="bold", va="center", color=text)
    panel.text(x + 0.2, y, "" if points is None else str(points), va="center", color=quiet)
    for row, (symbol, suit, holding) in enumerate(zip(SUIT_SYMBOLS, _SUITS, holdings, strict=True), 1):
        panel.text(x, y + row * LINE, symbol, size=10, va="center", color=get_color(suit))
        panel.text(
            x + 0.17, y + row * LINE, holding.replace("-", "") or "–", size=10, va="center", color=text
        )


def _draw_board(panel: Any, deal: Any, x: float, y: float, half: float = 0.36, tab: float = 0.18) -> None:
    """Draw the board, on which the tabs of vulnerable seats are filled and the dealer is underlined."""
    from matplotlib.patches import Rectangle

    panel.add_patch(
        Rectangle(
            (x - half, y - half), 2 * half, 2 * half, fill=False, edgecolor=get_color("rule"), linewidth=0.9
        )
    )
    for seat, (right, up) in enumerate(_TABS):
        middle = x + right * (half - tab / 2), y - up * (half - tab / 2)
        is_vulnerable = deal.vulnerable is not None and deal.vulnerable >> (seat & 1) & 1
        if is_vulnerable:
            corner = middle[0] - tab / 2, middle[1] - tab / 2
            panel.add_patch(Rectangle(corner, tab, tab, color=get_color("vulnerable"), linewidth=0))
        color = get_color("on-vulnerable" if is_vulnerable else "text")
        letter = SEATS[seat][0].upper()
        panel.text(*middle, letter, size=8, weight="bold", ha="center", va="center", color=color)
        if seat == deal.dealer:
            panel.plot(
                [middle[0] - 0.06, middle[0] + 0.06], [middle[1] + 0.075] * 2, color=color, linewidth=1.2
            )
    if deal.board is not None:
        panel.text(x, y, str(deal.board), size=11, ha="center", va="center", color=get_color("text"))

"""The page of an event for a club's web site: ranking, travellers and recaps in one file."""

from __future__ import annotations

from html import escape

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import format_note
from dealerkit.appearance.html import render_page
from dealerkit.errors import ArgumentError
from dealerkit.runtime.progress import track_items
from dealerkit.tournaments.boards import build_recap, build_traveller
from dealerkit.tournaments.frames import TournamentFrames

MOST_BOARDS = 500  # of a page


def build_page(read: TournamentFrames, card: Card) -> str:
    """Return a complete HTML page: the card of the results, then each board and each pair, closed.

    Parameters
    ----------
    read : TournamentFrames
    card : Card
        Of the results, with the ranking.

    Raises
    ------
    ArgumentError
        There are more boards than a page can hold.
    """
    sides = read.results[["session_id", "board"]].drop_duplicates().sort_values(["session_id", "board"])
    if len(sides) > MOST_BOARDS:
        raise ArgumentError(
            f"a page with {len(sides):,} boards is too large for a browser; write one for each session"
        )
    has_sessions = len(read.sessions) > 1
    parts = [f'<div class="dk-report">{card.to_html()}</div>']
    rows = list(sides.itertuples(index=False))
    for row in track_items(rows, len(rows), "boards"):
        report = build_traveller(read, int(row.board), int(row.session_id))
        parts.append(_fold(report.card(), f"session {row.session_id}, " if has_sessions else ""))
    order = sorted(read.pairs.itertuples(), key=lambda pair: (pair.session_id, len(pair.id), pair.id))
    for pair in order:  # 2 before 10
        report = build_recap(read, pair.id, int(pair.session_id))
        parts.append(_fold(report.card(), f"session {pair.session_id}, " if has_sessions else ""))
    return render_page(format_note(card.title), "".join(parts), card.to_text())


def _fold(card: Card, lead: str) -> str:
    """Return a card as a closed part of a page."""
    title = format_note(card.title)
    heading = f"{lead}{title[0].lower() if lead else title[0]}{title[1:]}"
    heading = heading[0].upper() + heading[1:]
    body = f'<div class="dk-report">{card.to_html()}</div>'
    return f"<details><summary>{escape(heading)}</summary>{body}</details>"

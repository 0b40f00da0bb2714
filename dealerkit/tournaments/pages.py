"""The page of an event: ranking, boards with diagrams, and recaps of pairs, with links between them."""

from __future__ import annotations

from dealerkit.appearance.card import Card
from dealerkit.errors import ArgumentError
from dealerkit.runtime.progress import track_items
from dealerkit.tournaments.boards import build_recap, build_traveller
from dealerkit.tournaments.frames import TournamentFrames
from dealerkit.tournaments.report import PageLinks, fold_part

MOST_BOARDS = 500  # in a page
MOST_RESULTS = 1000  # up to this number, a notebook shows boards and pairs below the ranking


def is_small(read: TournamentFrames) -> bool:
    """Return whether a notebook shows boards and pairs below the ranking."""
    return 0 < len(read.results) <= MOST_RESULTS


def build_body(read: TournamentFrames, card: Card, links: PageLinks, complete: bool = True) -> str:
    """Return the card of the results as HTML, followed by each board and each pair, collapsed.

    Parameters
    ----------
    read : TournamentFrames
    card : Card
        The card of the results, with the ranking.
    links : PageLinks
        The links that the card contains.
    complete : bool
        Whether long tables of the card show all their rows.

    Raises
    ------
    ArgumentError
        There are more boards than a page can show.
    """
    sides = read.results[["session_id", "board"]].drop_duplicates().sort_values(["session_id", "board"])
    if len(sides) > MOST_BOARDS:
        raise ArgumentError(
            f"a page with {len(sides):,} boards is too large for a browser; write one for each session"
        )
    has_sessions = len(read.sessions) > 1
    parts = [f'<div class="dk-report">{card.to_html(complete)}</div>']
    rows = [(int(session), int(board)) for session, board in sides.itertuples(index=False)]
    for session, board in track_items(rows, len(rows), "boards"):
        report = build_traveller(read, board, session, links=links)
        lead = f"session {session}, " if has_sessions else ""
        parts.append(fold_part(links.name_board(session, board), report.card(), lead))
    order = sorted(read.pairs.itertuples(), key=lambda pair: (pair.session_id, len(pair.id), pair.id))
    for pair in order:  # 2 before 10
        session = int(pair.session_id)
        report = build_recap(read, pair.id, session, links=links)
        lead = f"session {session}, " if has_sessions else ""
        parts.append(fold_part(links.name_pair(session, pair.id), report.card(), lead))
    return "".join(parts)

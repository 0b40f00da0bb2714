"""The recap of a pair: its boards, opponents, results and points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.tournaments.boards import describe_kind, list_rows, name_result
from dealerkit.tournaments.notation import normalize_name
from dealerkit.tournaments.pictures import draw_session
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.standings import split_sides

if TYPE_CHECKING:
    from dealerkit.tournaments.data import TournamentFrames


def find_pair(read: TournamentFrames, pair: Any, session: int | None = None) -> tuple[int, str]:
    """Return session and id of a pair, given by its id or by the name of a player.

    Raises
    ------
    ArgumentError
        There is no such pair, or there are several.
    """
    pairs = read.pairs if session is None else read.pairs[read.pairs.session_id == session]
    wanted = str(pair)
    found = pairs[pairs.id == wanted]
    if not len(found):
        words = set(normalize_name(wanted).split())
        names = pairs[["name_1", "name_2"]].fillna("")
        matches = names.map(lambda name: bool(words) and words <= set(normalize_name(name).split()))
        found = pairs[matches.any(axis=1)]
    if not len(found):
        listed = join_words(pairs.id.tolist()[:12]) + (" ..." if len(pairs) > 12 else "")
        raise ArgumentError(Parameter("pair"), f" is {wanted!r:.40}; the pairs are {listed}")
    if len(found) > 1:
        listed = join_words(f"{row.id} (session {row.session_id})" for row in found.itertuples())
        raise ArgumentError(
            Parameter("pair"),
            f" {wanted!r:.40} may be {listed[:200]}; add the session: ",
            Parameter("session="),
        )
    return int(found.session_id.iloc[0]), str(found.id.iloc[0])


def name_pair(read: TournamentFrames, session: int, identity: str) -> str:
    """Return a pair's id with the names of its players."""
    row = read.pairs[(read.pairs.session_id == session) & (read.pairs.id == identity)].iloc[0]
    names = " - ".join(name for name in (row.name_1, row.name_2) if isinstance(name, str))
    return f"{identity}, {names}" if names else identity


def build_recap(read: TournamentFrames, pair: Any, session: int | None = None) -> ResultsReport:
    """Return the boards of a pair in the order of play."""
    number, identity = find_pair(read, pair, session)
    sides = split_sides(read.results)
    own = sides[(sides.pair == identity) & (sides.session_id == number)]
    own = own.sort_values(["round", "board", "line"], kind="stable", na_position="last")
    results = read.results.iloc[own.row.to_numpy()].reset_index(drop=True)
    own = own.reset_index(drop=True)
    own["result"] = [name_result(row) or describe_kind(row) for row in list_rows(results)]
    is_matchpoints = read.scoring is not None and read.scoring.unit == "mp"
    unit = "mp" if is_matchpoints else "imp"
    columns = [
        Column("board", kind="label"),
        Column("side", kind="text"),
        Column("opponents", kind="label"),
        Column("result", kind="contract"),
        Column("lead", kind="cards", optional=1),
        Column("score", "our score", decimals=0, sign=True),
        Column("points", "matchpoints" if is_matchpoints else "IMPs", decimals=1, sign=not is_matchpoints),
    ]
    if is_matchpoints:
        columns.append(Column("share", "%", kind="percent", decimals=1))
    own["lead"] = results.lead
    cells = [
        (row.board, row.side, row.opponents, row.result, row.lead, row.score, getattr(row, unit), row.share)[
            : len(columns)
        ]
        for row in list_rows(own)
    ]
    title = f"Pair {name_pair(read, number, identity)}"
    values = (100 * own.share if is_matchpoints else own.imp).dropna().tolist()
    charts = [Chart("session", partial(draw_session, title, values, is_matchpoints))] if values else []
    return ResultsReport(
        title,
        own.drop(columns=["row"]),
        [Table(columns, cells)],
        facts=_describe_total(read, number, identity),
        charts=charts,
    )


def _describe_total(read: TournamentFrames, session: int, identity: str) -> list[Note]:
    """Return boards, total and rank of a pair."""
    row = read.pairs[(read.pairs.session_id == session) & (read.pairs.id == identity)].iloc[0]
    facts: list[Note] = [format_count(int(row.boards), "board")]
    if row.percent == row.percent:
        facts.append((Quantity(float(row.percent), decimals=2), " %"))
    elif row.total == row.total:
        facts.append((Quantity(float(row.total), decimals=2, sign=True), " IMPs"))
    if read.pairs["rank"].notna()[row.name]:
        same = read.pairs[read.pairs.session_id == session]
        if read.winners == 2:
            same = same[same.direction == row.direction]
        facts.append(f"rank {int(row['rank'])} of {int(same['rank'].notna().sum())}")
    return facts

"""The recap of a pair: its boards, opponents, results and points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.tournaments.naming import describe_kind, find_pair, list_rows, name_pair, name_result
from dealerkit.tournaments.pictures import draw_session
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.standings import split_sides

if TYPE_CHECKING:
    from dealerkit.tournaments.data import TournamentFrames


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

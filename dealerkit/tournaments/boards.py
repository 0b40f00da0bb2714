"""Reports about boards: travellers, recaps, frequencies, the points of a hypothetical result, swings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note, Picture
from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import SEAT_LETTERS, STRAIN_LETTERS, VULNERABILITIES, seat_number
from dealerkit.errors import ArgumentError, DealError, Parameter, quote
from dealerkit.scoring import convert_to_imps, score_contracts
from dealerkit.tournaments.field_scores import (
    apply_neuberg,
    count_matchpoints,
    score_butler,
    sum_cross_imps,
)
from dealerkit.tournaments.notation import parse_contract, parse_score, parse_tricks
from dealerkit.tournaments.pictures import draw_session, draw_spread
from dealerkit.tournaments.report import (
    PageLinks,
    ResultsReport,
    describe_kind,
    find_pair,
    list_rows,
    name_pair,
    name_result,
)
from dealerkit.tournaments.scoring_boards import COMPARED
from dealerkit.tournaments.standings import split_sides

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.tournaments.frames import TournamentFrames

_VULNERABLE = ("none", "NS", "EW", "both")


def find_fields(read: TournamentFrames, board: Any, session: int | None = None) -> list[int]:
    """Return the numbers of the fields of a board: several if its number has several deals or sessions.

    Raises
    ------
    ArgumentError
        No result has this number.
    """
    results = read.results
    chosen = results.board == board
    if session is not None:
        chosen &= results.session_id == session
    fields = list(dict.fromkeys(results.field[chosen].tolist()))
    if not fields:
        known = sorted(set(results.board.tolist()))
        listed = join_words(map(str, known[:12])) + (" ..." if len(known) > 12 else "")
        raise ArgumentError(
            Parameter("board"), f" is {quote(board, 40)}; the results have the boards {listed}"
        )
    return fields


# ---------------------------------------------------------------- traveller


def build_traveller(
    read: TournamentFrames,
    board: int,
    session: int | None = None,
    pair: Any = None,
    links: PageLinks | None = None,
) -> ResultsReport:
    """Return the results of a board, the best for north-south first; see `TournamentResults.traveller`.

    In a page, the ids of pairs are `links` to the parts about them.
    """
    results = read.results
    own: tuple[int, str] | None = None
    if pair is not None:
        own = find_pair(read, pair, session)
        session = own[0]
    # Sort the results of each field with this number, the best first.
    fields = find_fields(read, board, session)
    title = f"Board {board}"
    tables, pictures, charts = [], [], []
    chosen = results[results.field.isin(fields)]
    order = chosen.score_ns.fillna(-math.inf)
    chosen = chosen.assign(_order=order).sort_values(["field", "_order"], ascending=[True, False])
    chosen = chosen.drop(columns="_order")
    # Each deal has a table and a diagram.
    for number in fields:
        rows = chosen[chosen.field == number]
        heading = ""
        if len(fields) > 1:
            session_of = read.sessions[int(rows.session_id.iloc[0])]
            words = [session_of.name or session_of.date or session_of.event]
            heading = ", ".join(filter(None, [*words, f"deal {int(rows.deal_id.iloc[0]) + 1}"]))
        tables.append(tabulate_traveller(read, rows, heading, own[1] if own else "", links))
        pictures += draw_deal(read, int(rows.deal_id.iloc[0]))
        if rows.score_ns.notna().any():
            name = ", ".join(filter(None, [title, heading]))
            charts.append(Chart("spread", partial(draw_spread, name, rows, _score_solved(read, rows))))
    # Add the pair's own cards, if its play is recorded.
    if own is not None:
        title += f", pair {name_pair(read, *own)}"
        tables += _list_own_cards(read, chosen, own[1], board)
    return ResultsReport(
        title,
        chosen.reset_index(drop=True),
        tables,
        facts=[format_count(len(chosen), "result"), *describe_board(read, chosen)],
        pictures=pictures,
        charts=charts,
    )


def _score_solved(read: TournamentFrames, rows: pd.DataFrame) -> np.ndarray | None:
    """Return the scores of the contracts with double-dummy tricks; None if the results are not solved."""
    from dealerkit.tournaments.solving import score_double_dummy

    return score_double_dummy(read, rows) if "dd" in rows and rows.dd.notna().any() else None


def _list_own_cards(read: TournamentFrames, rows: pd.DataFrame, pair: str, board: int) -> list[Table]:
    """Return the cards in a pair's recorded play that cost tricks, as a table; empty without a play."""
    from dealerkit.studies.lines import play_line

    own = rows[(rows.ns == pair) | (rows.ew == pair)]
    if not len(own):
        raise ArgumentError(Parameter("pair"), f" is {quote(pair, 40)}, which has no result on board {board}")
    (row, *_) = list_rows(own)
    deal = read.boards["deal"].iloc[row.deal_id]
    if row.play is None or row.declarer is None or not hasattr(deal, "diagram"):
        return []
    # Take the cards of the play, without the rest of each word, which names who played it.
    cards = [card.split("=")[0] for card in row.play.split()]
    declarer = SEAT_LETTERS.index(row.declarer)
    try:
        line = play_line(deal.hands, STRAIN_LETTERS.index(row.strain), declarer, cards)[: len(cards)]
    except DealError:
        return []
    columns = [
        Column("trick", kind="label"), Column("seat", kind="text"), Column("card", kind="cards"),
        Column("cost", "cost in tricks", kind="count"), Column("better", kind="text"),
    ]  # fmt: skip
    cells = [
        (
            str(card.trick), SEAT_LETTERS[card.seat], card.card, card.cost,
            " ".join(name for name, cost in card.costs.items() if not cost),
        )
        for card in line
        if card.cost
    ]  # fmt: skip
    heading = "Cards that cost tricks, double dummy" if cells else "No card cost a trick, double dummy"
    return [Table(columns, cells, heading)]


def describe_board(read: TournamentFrames, rows: pd.DataFrame) -> list[str]:
    """Return dealer, vulnerability and, if known, par of the first deal of rows, in words."""
    board = read.boards.iloc[int(rows.deal_id.iloc[0])]
    words = []
    if isinstance(dealer := board["dealer"], str):  # the attribute is the accessor of Series
        words.append(f"dealer {dealer}")
    if isinstance(board.vulnerable, str):
        state = _VULNERABLE[VULNERABILITIES.index(board.vulnerable)]
        words.append(f"vulnerable: {state}")
    if "par_ns" in rows and len(par := rows.par_ns.dropna()):
        words.append(f"par {format_number(float(par.iloc[0]), 0, sign=True)}")
    return words


def draw_deal(read: TournamentFrames, deal_id: int) -> list[Picture]:
    """Return the diagram of a deal, if its cards are known."""
    from dealerkit.cards.html import render_deal

    deal = read.boards.deal.iloc[deal_id]
    if not hasattr(deal, "diagram"):
        return []
    html = render_deal(deal.hands, deal.vulnerable, deal.dealer, deal.board)
    return [Picture(f"{deal.diagram(symbols=False)}\n", html)]


def tabulate_traveller(
    read: TournamentFrames,
    rows: pd.DataFrame,
    heading: str = "",
    pair: str = "",
    links: PageLinks | None = None,
) -> Table:
    """Return the results of a board as a table, with a pair's result marked; in a page, pairs are links."""
    # The columns depend on the unit of the scoring.
    is_matchpoints = read.scoring is not None and read.scoring.unit == "mp"
    unit = "mp" if is_matchpoints else "imp"
    columns = [Column("own", "", kind="text")] if pair else []
    columns += [
        Column("ns", "NS", kind="label"),
        Column("ew", "EW", kind="label"),
        Column("contract", kind="contract"),
        Column("lead", kind="cards", optional=1),
        Column("score", "score, NS", kind="value", decimals=0, sign=True),
        Column("points_ns", "points NS", decimals=1, sign=not is_matchpoints, optional=int(is_matchpoints)),
        Column("points_ew", "points EW", decimals=1, sign=not is_matchpoints, optional=1),
    ]
    if is_matchpoints:
        columns.append(Column("share", "%, NS", kind="percent", decimals=1))
    # Add the solver's numbers, if the results are solved.
    solved = {"dd": "double dummy", "lead_cost": "lead cost"}
    known = [name for name in solved if name in rows and rows[name].notna().any()]
    columns += [Column(name, solved[name], kind="count", optional=int(name != "dd")) for name in known]
    cells = []
    for row in list_rows(rows):
        contract = name_result(row) or describe_kind(row)
        values = getattr(row, f"{unit}_ns"), getattr(row, f"{unit}_ew")
        shares = [row.share_ns] * is_matchpoints
        mark = [">" if pair in (row.ns, row.ew) else ""] if pair else []
        pairs = [row.ns, row.ew]
        if links is not None:
            pairs = [links.link_pair(row.session_id, name) for name in pairs]
        tricks = [getattr(row, name) for name in known]
        cells.append((*mark, *pairs, contract, row.lead, row.score_ns, *values, *shares, *tricks))
    return Table(columns, cells, heading)


# ---------------------------------------------------------------- frequencies


def count_results(read: TournamentFrames, board: int, session: int | None = None) -> ResultsReport:
    """Return how often each score of a board occurs, with its points and contracts."""
    import pandas as pd

    fields = find_fields(read, board, session)
    results = read.results
    chosen = results[results.field.isin(fields) & results.kind.isin(COMPARED)]
    unit = read.scoring.unit if read.scoring is not None else "mp"
    rows = []
    # Each score has a row.
    for score, group in chosen.groupby("score_ns", sort=True):
        contracts = pd.Series([name_result(row) for row in list_rows(group)]).value_counts()
        named = [f"{name} ({count})" if count > 1 else name for name, count in contracts.items() if name]
        rows.append((float(score), len(group), float(group[f"{unit}_ns"].mean()), ", ".join(named)))
    rows.reverse()
    frame = pd.DataFrame(rows, columns=["score_ns", "n", f"{unit}_ns", "contracts"])
    columns = [
        Column("score", "score, NS", decimals=0, sign=True),
        Column("n", "results", kind="count"),
        Column("points", "matchpoints" if unit == "mp" else "IMPs", decimals=1, sign=unit == "imp"),
        Column("contracts", kind="text", longest=60),
    ]
    return ResultsReport(
        f"Results of board {board}",
        frame,
        [Table(columns, rows)],
        facts=[format_count(len(chosen), "result")],
    )


# ---------------------------------------------------------------- a hypothetical result


def score_in_field(
    read: TournamentFrames,
    board: int,
    result: str,
    declarer: Any = None,
    pair: str | None = None,
    session: int | None = None,
) -> ResultsReport:
    """Return the points that a result would have had on a board; see `TournamentResults.score_in_field`."""
    import pandas as pd

    rules = read.scoring
    if rules is None or rules.method in ("team imps", "board-a-match"):
        raise ArgumentError(
            "points in a field can only be computed for matchpoints, Butler or cross-IMPs; score the results "
            "with one of these"
        )
    fields = find_fields(read, board, session)
    if len(fields) > 1:
        raise ArgumentError(
            f"board {board} has {len(fields)} deals or is in several sessions; give the session: ",
            Parameter("session="),
        )
    results = read.results
    rows = results[(results.field == fields[0]) & results.kind.isin(COMPARED)]
    points = _find_score(read, rows, result, declarer)
    if pair is not None:
        own = (rows.ns == pair) | (rows.ew == pair)
        if not own.any():
            raise ArgumentError(
                Parameter("pair"), f" is {quote(pair, 40)}, which has no result on board {board}"
            )
        rows = rows[~own]
    scores = np.append(rows.score_ns.to_numpy(np.float64), points)
    expected = read.expected.get(int(rows.session_id.iloc[0]), 0) if len(rows) else 0
    found = {}
    for side, sign in (("ns", 1), ("ew", -1)):
        own_scores = sign * scores
        if rules.method == "matchpoints":
            counted = count_matchpoints(own_scores)
            top = 2 * (len(scores) - 1)
            if rules.neuberg and len(scores) < expected:
                counted, top = apply_neuberg(counted, expected).values, 2 * (expected - 1)
            found[f"mp_{side}"] = float(counted[-1]) * rules.per_win / 2
            found[f"share_{side}"] = float(counted[-1]) / top if top else math.nan
        elif rules.method == "butler":
            datum = float(rows.datum.iloc[0]) if len(rows) else math.nan
            found[f"imp_{side}"] = float(score_butler(own_scores[-1:], sign * datum)[0])
        else:
            divisor = {"none": 1, "n": len(scores), "n-1": max(len(scores) - 1, 1)}[rules.divisor]
            found[f"imp_{side}"] = float(sum_cross_imps(own_scores)[-1]) / divisor
    frame = pd.DataFrame([{"board": board, "result": result, "score_ns": points, **found}])
    words = "against the other results" if pair is not None else "beside the results of the field"
    unit = "matchpoints" if rules.unit == "mp" else "IMPs"
    side = "north-south" if points >= 0 else "east-west"
    value = found[f"{rules.unit}_{'ns' if points >= 0 else 'ew'}"]
    note: list[Any] = [Quantity(value, sign=rules.unit == "imp", decimals=1), f" {unit} for {side}"]
    if rules.unit == "mp":
        share = found[f"share_{'ns' if points >= 0 else 'ew'}"]
        note += [", ", Quantity(share, "share", decimals=1)]
    columns = [Column(name, decimals=2, kind="value") for name in frame.columns[2:]]
    return ResultsReport(
        f"{result} on board {board}",
        frame,
        [Table(columns, [tuple(frame.iloc[0, 2:])])],
        about=[[*note, f", {words}."]],
    )


def _find_score(read: TournamentFrames, rows: pd.DataFrame, result: str, declarer: Any) -> float:
    """Return north-south's score from a result such as ``4S+1``, or from points such as ``420``."""
    if not isinstance(result, str):
        raise ArgumentError(
            Parameter("result"), f" is {quote(result, 40)}; it must be a text such as '4S+1' or '-100'"
        )
    # The text is a contract, or points.
    called = parse_contract(result)
    if called.kind == "passed":
        return 0.0
    if called.kind != "played":
        score = parse_score(result)
        if score.kind != "points":
            raise ArgumentError(
                Parameter("result"), f" is {quote(result, 40)}; it must be like 4S+1, 3NTS= or -100"
            )
        return -score.points if score.side == "EW" else score.points
    seat = called.declarer
    if declarer is not None:
        seat = seat_number(declarer)
    tricks = called.tricks if called.tricks >= 0 else parse_tricks("=", called.level)
    # Without a declarer, it is the side that plays this strain at all tables.
    if seat < 0:
        known = rows[rows.strain == STRAIN_LETTERS[called.strain]].declarer.dropna().astype(str)
        sides = known.isin(("E", "W"))
        if not len(known) or sides.nunique() > 1:
            raise ArgumentError(
                f"{result}: the results do not show which side would be declarer; give declarer's seat"
            )
        seat = SEAT_LETTERS.index(known.iloc[0])
    board = read.boards.iloc[int(rows.deal_id.iloc[0])]
    if not isinstance(board.vulnerable, str):
        raise ArgumentError(
            f"the vulnerability of board {int(board.board)} is unknown; give points, such as '420', instead "
            "of a contract"
        )
    # Score by the vulnerability of declarer's side, and take north-south's view.
    vulnerable = VULNERABILITIES.index(board.vulnerable) >> (seat % 2) & 1
    points = float(score_contracts(called.level, called.strain, called.doubled, tricks, bool(vulnerable)))
    return points if seat % 2 == 0 else -points


# ---------------------------------------------------------------- swings


def list_swings(read: TournamentFrames, count: int = 10) -> ResultsReport:
    """Return the boards with the largest difference between the best and the worst result of the field."""
    import pandas as pd

    results = read.results[read.results.kind.isin(COMPARED)]
    rows = []
    # Find the best and the worst result of each field.
    for _, group in results.groupby("field", sort=True):
        if len(group) < 2:
            continue
        best, worst = group.score_ns.idxmax(), group.score_ns.idxmin()
        gap = float(group.score_ns[best] - group.score_ns[worst])
        first, second = list_rows(group.loc[[best, worst]])
        rows.append(
            {
                "session_id": int(first.session_id),
                "board": int(first.board),
                "best": name_result(first),
                "best_score": float(first.score_ns),
                "best_pair": first.ns,
                "worst": name_result(second),
                "worst_score": float(second.score_ns),
                "worst_pair": second.ns,
                "imps": int(convert_to_imps(np.array([gap]))[0]),
                "sd": float(group.score_ns.std(ddof=0)),
            }
        )
    if not rows:
        raise ArgumentError("no board has two results, which a swing needs")
    frame = pd.DataFrame(rows).sort_values(["imps", "sd"], ascending=False, kind="stable")
    frame = frame.head(count).reset_index(drop=True)
    columns = [
        Column("board", kind="label"),
        Column("best", "best for NS", kind="contract"),
        Column("best_score", "score", decimals=0, sign=True),
        Column("best_pair", "pair", kind="label"),
        Column("worst", "worst for NS", kind="contract"),
        Column("worst_score", "score", decimals=0, sign=True),
        Column("worst_pair", "pair", kind="label"),
        Column("imps", "IMPs", kind="count"),
    ]
    boards = [(int(row.session_id), int(row.board)) for row in frame.itertuples()]
    links = PageLinks(read, has_pairs=False)
    cells = [
        (links.link_board(*place), *(getattr(row, column.name) for column in columns[1:]))
        for row, place in zip(list_rows(frame), boards, strict=True)
    ]
    return ResultsReport(
        "Largest swings", frame, [Table(columns, cells)], parts=list_board_parts(read, boards)
    )


def _build_card(read: TournamentFrames, board: int, session: int) -> Card:
    return build_traveller(read, board, session).card()


def list_board_parts(
    read: TournamentFrames, boards: Iterable[tuple[int, int]]
) -> list[tuple[str, Callable[[], Card]]]:
    """Return the parts that links to boards open: ids, and functions that return the cards of travellers.

    `boards` contains sessions and board numbers.
    """
    links = PageLinks(read, has_pairs=False)
    return [
        (links.name_board(session, board), partial(_build_card, read, board, session))
        for session, board in dict.fromkeys(boards)
    ]


def build_recap(
    read: TournamentFrames, pair: Any, session: int | None = None, links: PageLinks | None = None
) -> ResultsReport:
    """Return the boards of a pair in the order of play; boards and, in a page, opponents are `links`."""
    links = links or PageLinks(read, has_pairs=False)
    # Find the pair's results, in the order of play.
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
    cells = []
    for row in list_rows(own):
        opponents = links.link_pair(number, row.opponents)
        values = row.lead, row.score, getattr(row, unit), row.share
        cells.append(
            (links.link_board(number, row.board), row.side, opponents, row.result, *values)[: len(columns)]
        )
    # Plot the session as a line.
    title = f"Pair {name_pair(read, number, identity)}"
    values = (100 * own.share if is_matchpoints else own.imp).dropna().tolist()
    charts = [Chart("session", partial(draw_session, title, values, is_matchpoints))] if values else []
    return ResultsReport(
        title,
        own.drop(columns=["row"]),
        [Table(columns, cells)],
        facts=_describe_total(read, number, identity),
        charts=charts,
        parts=list_board_parts(read, ((number, int(board)) for board in own.board)),
    )


def _describe_total(read: TournamentFrames, session: int, identity: str) -> list[Note]:
    """Return the number of boards, the total and the rank of a pair."""
    row = read.pairs[(read.pairs.session_id == session) & (read.pairs.id == identity)].iloc[0]
    facts: list[Note] = [format_count(int(row.boards), "board")]
    if row.percent == row.percent:
        facts.append((Quantity(float(row.percent) / 100, "share", decimals=2),))
    elif row.total == row.total:
        facts.append((Quantity(float(row.total), decimals=2, sign=True), " IMPs"))
    if read.pairs["rank"].notna()[row.name]:
        same = read.pairs[read.pairs.session_id == session]
        if read.winners == 2:
            same = same[same.direction == row.direction]
        facts.append(f"rank {int(row['rank'])} of {int(same['rank'].notna().sum())}")
    return facts

"""The four frames of a tournament: results, boards, pairs and remarks, with typed columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.array import DealArray
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import MISSING, SEAT_LETTERS, SEATS, STRAIN_LETTERS, VULNERABILITIES
from dealerkit.tournaments.contents import KINDS, Remark, Session
from dealerkit.tournaments.notation import count_decimals, parse_number
from dealerkit.tournaments.rules import EventScoring
from dealerkit.tournaments.sessions import Joined

if TYPE_CHECKING:
    import pandas as pd

OFFICIAL = ("mp_ns", "mp_ew", "percent_ns", "percent_ew", "imp_ns", "imp_ew", "vp_ns", "vp_ew", "datum")
PAIR_OFFICIAL = ("total", "percent", "rank")


@dataclass(frozen=True, eq=False, repr=False)
class TournamentFrames:
    """Results, boards, pairs and remarks with the rules of scoring; see `TournamentResults`."""

    results: pd.DataFrame
    boards: pd.DataFrame
    pairs: pd.DataFrame
    remarks: pd.DataFrame
    scoring: EventScoring | None = None
    sessions: tuple[Session, ...] = ()
    expected: Mapping[int, int] = field(default_factory=dict)
    winners: int = 1
    of_file: Mapping[str, Any] = field(default_factory=dict)


def build_frames(joined: Joined) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the frames of joined contents: results, boards, pairs, remarks."""
    return _build_results(joined), _build_boards(joined), _build_pairs(joined), _build_remarks(joined)


def _build_results(joined: Joined) -> pd.DataFrame:
    """Return a row for each result."""
    import pandas as pd

    tables = joined.tables
    rows = [table.row for table in tables]
    sessions = [joined.sessions[table.session] for table in tables]

    def list_values(name: str) -> list[Any]:
        return [getattr(row, name) for row in rows]

    # Where the result is from: file, session, board, room and pairs.
    data: dict[str, Any] = {
        "file": pd.Categorical([table.file for table in tables]),
        "line": to_integers((row.line or -1 for row in rows), "Int32"),
        "session_id": np.array([table.session for table in tables], np.int32),
        "event": to_category(session.event for session in sessions),
        "session": to_category(session.name or session.date for session in sessions),
        "section": to_category(list_values("section")),
        "round": to_integers(map(_parse_round, list_values("round")), "Int16"),
        "table": to_strings(list_values("table")),
        "board": np.array([max(table.board.number, 0) for table in tables], np.int32),
        "deal_id": np.array([table.deal for table in tables], np.int32),
        "field": np.array([table.field for table in tables], np.int32),
        "room": pd.Categorical([row.room or None for row in rows], ["open", "closed"]),
        "ns": to_strings(table.ns for table in tables),
        "ew": to_strings(table.ew for table in tables),
        "team_ns": to_strings(list_values("team_ns")),
        "team_ew": to_strings(list_values("team_ew")),
    }
    # Who played, the contract, and its result.
    for seat, name in enumerate(SEATS):
        data[name] = to_strings(table.players[seat] for table in tables)
    data |= {
        "level": to_integers(list_values("level"), "Int8"),
        "strain": pd.Categorical.from_codes(list_values("strain"), list(STRAIN_LETTERS)),
        "doubled": to_integers(list_values("doubled"), "Int8"),
        "declarer": pd.Categorical.from_codes(list_values("declarer"), list(SEAT_LETTERS)),
        "tricks": to_integers(list_values("tricks"), "Int8"),
        "lead": to_strings(list_values("lead")),
        "play": to_strings(list_values("play")),
        "auction": to_strings(list_values("auction")),
        "score_ns": np.array(list_values("score_ns"), np.float32),
        "score_ew": np.array(list_values("score_ew"), np.float32),
        "kind": pd.Categorical(list_values("kind"), KINDS),
        "award_ns": np.array(list_values("award_ns"), np.float32),
        "award_ew": np.array(list_values("award_ew"), np.float32),
        "assigned_ns": to_strings(list_values("assigned_ns")),
        "assigned_ew": to_strings(list_values("assigned_ew")),
    }
    # What the file says about the points.
    for name in OFFICIAL:
        data[f"official_{name}"] = [parse_number(row.official.get(name, "")) for row in rows]
    frame = pd.DataFrame(data)
    if len(frame) and (frame.score_ns == 0).any():  # turn negative zeros into zeros
        frame["score_ns"] = frame.score_ns + np.float32(0)
        frame["score_ew"] = frame.score_ew + np.float32(0)
    return frame


def count_official_decimals(joined: Joined) -> dict[str, int]:
    """Return the decimals that files print in each official column; those of pairs begin with ``pair_``."""
    decimals: dict[str, int] = {}
    texts = [(name, text) for table in joined.tables for name, text in table.row.official.items()]
    texts += [(f"pair_{name}", text) for pair in joined.pairs for name, text in pair.official.items()]
    for name, text in texts:
        decimals[name] = max(decimals.get(name, 0), count_decimals(text))
    return decimals


def _build_boards(joined: Joined) -> pd.DataFrame:
    """Return a row for each deal."""
    import pandas as pd

    # Collect cards and tables of tricks, if they are known.
    boards = joined.deals
    counts = np.bincount([table.deal for table in joined.tables], minlength=len(boards))
    hands = np.full((len(boards), 4), MISSING, np.uint64)
    tables = np.full((len(boards), 5, 4), -1, np.int8)
    for place, board in enumerate(boards):
        if board.hands is not None:
            hands[place] = board.hands
            if board.tricks is not None:
                tables[place] = np.array(board.tricks, np.int8).reshape(5, 4)
    columns = {
        "board": np.array([max(board.number, -1) for board in boards], np.int32),
        "dealer": np.array([board.dealer for board in boards], np.int8),
        "vulnerable": np.array([board.vulnerable for board in boards], np.int8),
    }
    # The readers have checked the hands; unknown ones are missing.
    deals = Deals(hands, check=False, tables=tables, **columns)
    return pd.DataFrame(
        {
            "deal_id": np.arange(len(boards), dtype=np.int32),
            "board": np.array([max(board.number, 0) for board in boards], np.int32),
            "dealer": pd.Categorical.from_codes(columns["dealer"], list(SEATS)),
            "vulnerable": pd.Categorical.from_codes(columns["vulnerable"], list(VULNERABILITIES)),
            "deal": DealArray(deals),
            "n_results": counts.astype(np.int32),
        }
    )


def _build_pairs(joined: Joined) -> pd.DataFrame:
    """Return a row for each pair of each session."""
    import pandas as pd

    pairs = joined.pairs
    data: dict[str, Any] = {
        "session_id": np.array([pair.session for pair in pairs], np.int32),
        "id": to_strings(pair.id for pair in pairs),
        "section": to_category(pair.section for pair in pairs),
        "direction": pd.Categorical([pair.direction or None for pair in pairs], ["NS", "EW", "both"]),
    }
    for place in (0, 1):
        data[f"name_{place + 1}"] = to_strings(pair.names[place] for pair in pairs)
    for place in (0, 1):
        data[f"player_{place + 1}"] = to_strings(pair.players[place] for pair in pairs)
    for name in PAIR_OFFICIAL:
        values = [parse_number(pair.official.get(name, "").rstrip("=")) for pair in pairs]
        data[f"official_{name}"] = np.array(values, np.float64)
    return pd.DataFrame(data)


def _build_remarks(joined: Joined) -> pd.DataFrame:
    """Return a row for each distinct remark, in the order of files and lines."""
    import pandas as pd

    order = {
        name: place for place, name in enumerate(dict.fromkeys(remark.file for remark in joined.remarks))
    }
    remarks = sorted(set(joined.remarks), key=lambda remark: (order[remark.file], remark[1:]))
    return pd.DataFrame(
        {
            "file": pd.Categorical([remark.file for remark in remarks]),
            "line": to_integers((remark.line or -1 for remark in remarks), "Int32"),
            "board": to_integers((remark.board or -1 for remark in remarks), "Int32"),
            "text": to_strings(remark.text for remark in remarks),
        }
    )


def add_remarks(remarks: pd.DataFrame, added: Sequence[Remark]) -> pd.DataFrame:
    """Return the frame of remarks with further ones added."""
    import pandas as pd

    if not added:
        return remarks
    more = pd.DataFrame([(file, line or None, board or None, text) for file, line, board, text in added])
    more.columns = list(remarks.columns)
    more = more.astype({"line": "Int32", "board": "Int32", "text": "string"})
    joined = pd.concat([remarks.astype({"file": object}), more], ignore_index=True).drop_duplicates()
    return joined.astype({"file": "category"}).reset_index(drop=True)


# ---------------------------------------------------------------- columns


def _parse_round(text: str) -> int:
    """Return the number of a round, or -1 if the text is not a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1


def to_integers(values: Iterable[int], dtype: str) -> Any:
    """Return integers as a column of pandas in which negative ones are missing."""
    import pandas as pd

    array = np.fromiter(values, np.int64)
    return pd.arrays.IntegerArray(array.astype(dtype.lower()), array < 0)


def to_strings(values: Iterable[str]) -> Any:
    """Return texts as a column of strings in which empty ones are missing."""
    import pandas as pd

    return pd.array([value or None for value in values], dtype="string")


def to_category(values: Iterable[str]) -> Any:
    """Return texts as categories in the order of appearance; empty ones are missing."""
    import pandas as pd

    listed: Sequence[str | None] = [value or None for value in values]
    return pd.Categorical(listed, [value for value in dict.fromkeys(listed) if value is not None])


def is_number(value: Any) -> bool:
    """Return whether a cell contains a number.

    >>> is_number(0.5), is_number(None), is_number(math.nan)
    (True, False, False)
    """
    return value is not None and value == value and not (isinstance(value, float) and math.isnan(value))

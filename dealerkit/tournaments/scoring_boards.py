"""Computing the points of each result by the rules of the event: fields, artificial scores, matches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.scoring.scores import convert_to_imps
from dealerkit.tournaments.field_scores import (
    Ratios,
    Weighted,
    apply_neuberg,
    count_matchpoints,
    find_datum,
    round_ratios,
    score_butler,
    score_small_field,
    sum_cross_imps,
)
from dealerkit.tournaments.notation import split_weights
from dealerkit.tournaments.rules import EventScoring

if TYPE_CHECKING:
    import pandas as pd

COMPARED = ("played", "passed", "assigned")  # kinds whose scores are compared
PLANNED = (*COMPARED, "artificial", "unknown")  # kinds that count for the expected number of results
IMPS_OF_AVERAGE = 3.0  # IMPs for average plus, by Law 86A


@dataclass
class BoardPoints:
    """Points of all results; nan for results without points.

    Attributes
    ----------
    points : dict of str to ndarray of float64 [n]
        Matchpoints or IMPs of "ns" and "ew", rounded by the rules of the event.
    exact : dict of str to ndarray of float64 [n]
        The same points, not rounded.
    share : dict of str to ndarray of float64 [n]
        Matchpoints as a share of the top, not rounded; nan at IMPs.
    top : ndarray of float64 [n]
        Matchpoints of the best possible result.
    datum : ndarray of float64 [n]
        Butler's datum for north-south.
    expected : dict of int to int
        Number of results that boards should have, by session.
    remarks : list of (int, str)
        Number of a row, and a remark about its board.
    """

    points: dict[str, np.ndarray]
    exact: dict[str, np.ndarray]
    share: dict[str, np.ndarray]
    top: np.ndarray
    datum: np.ndarray
    expected: dict[int, int] = field(default_factory=dict)
    remarks: list[tuple[int, str]] = field(default_factory=list)

    @classmethod
    def empty(cls, n: int) -> BoardPoints:
        """Return points of n results that are all missing."""
        points, exact, share = ({side: np.full(n, math.nan) for side in ("ns", "ew")} for _ in range(3))
        return cls(points, exact, share, np.full(n, math.nan), np.full(n, math.nan))


class Rows:
    """The columns of results that scoring needs, as arrays."""

    def __init__(self, results: pd.DataFrame) -> None:
        self.n = len(results)
        self.fields = results.field.to_numpy()
        self.sessions = results.session_id.to_numpy()
        self.kind = results.kind.astype(object).to_numpy()
        self.score = {side: results[f"score_{side}"].to_numpy(np.float64) for side in ("ns", "ew")}
        self.award = {side: results[f"award_{side}"].to_numpy(np.float64) for side in ("ns", "ew")}
        self.pair = {side: results[side].astype(object).to_numpy() for side in ("ns", "ew")}
        self.is_compared = np.isin(self.kind, COMPARED) & ~np.isnan(self.score["ns"])
        self.weights: dict[str, dict[int, Weighted]] = {}
        for side in ("ns", "ew"):
            texts = results[f"assigned_{side}"]
            known = np.flatnonzero(texts.notna().to_numpy())
            self.weights[side] = {row: split_weights(texts.iloc[row]) for row in known.tolist()}

    def group(self, rows: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """Yield the rows of each field, in order."""
        chosen = np.arange(self.n) if rows is None else rows
        order = chosen[np.argsort(self.fields[chosen], kind="stable")]
        if len(order):
            yield from np.split(order, np.flatnonzero(np.diff(self.fields[order])) + 1)

    def list_weights(self, side: str, rows: np.ndarray) -> list[Weighted]:
        """Return the parts of weighted scores of rows; an empty list if no score is weighted."""
        known = self.weights[side]
        return [known.get(row, ()) for row in rows.tolist()] if known else []

    def count_expected(self, given: int | None) -> dict[int, int]:
        """Return the number of results for a board of each session: `given`, or the most frequent number."""
        expected = {}
        # Among equally frequent numbers, take the largest.
        is_planned = np.isin(self.kind, PLANNED)
        for session in np.unique(self.sessions).tolist():
            chosen = is_planned & (self.sessions == session)
            counts = np.unique(self.fields[chosen], return_counts=True)[1]
            sizes, times = np.unique(counts, return_counts=True)
            expected[session] = given or (int(sizes[times == times.max()].max()) if len(sizes) else 0)
        return expected


def score_boards(results: pd.DataFrame, rules: EventScoring, decimals: int | None = None) -> BoardPoints:
    """Score all results.

    Parameters
    ----------
    results : DataFrame
        The frame `results` of `TournamentResults`.
    rules : EventScoring
    decimals : int, optional
        Decimals to which points are rounded if the rules do not say.

    Returns
    -------
    BoardPoints
    """
    rows = Rows(results)
    decimals = rules.decimals if rules.decimals is not None else decimals
    scored = BoardPoints.empty(rows.n)
    scored.expected = rows.count_expected(rules.expected)
    if rules.method == "matchpoints":
        _score_matchpoints(rows, rules, decimals, scored)
    elif rules.method in ("butler", "cross-imps"):
        _score_imps(rows, rules, decimals, scored, _read_datums(results))
    else:
        _score_rooms(results, rows, rules, scored)
    return scored


# ---------------------------------------------------------------- matchpoints


def _score_matchpoints(rows: Rows, rules: EventScoring, decimals: int | None, scored: BoardPoints) -> None:
    """Set matchpoints and shares of all fields, then those of artificial scores."""
    for group in rows.group(np.flatnonzero(rows.is_compared)):
        expected = scored.expected[int(rows.sessions[group[0]])]
        # A score that is compared with no other has no points.
        obtained = len(group)
        if obtained == 1:
            scored.remarks.append((int(group[0]), "one result only; it has no matchpoints"))
            continue
        # Score each side from its own scores, because scores may be split.
        top = 2 * (max(expected, obtained) if rules.neuberg else obtained) - 2
        is_small = rules.small_fields == "EBU" and obtained <= 3 and 3 * obtained <= expected
        for side in ("ns", "ew"):
            scores = rows.score[side][group]
            weights = rows.list_weights(side, group)
            if is_small:
                share = score_small_field(scores)
                ratios = Ratios(np.round(share * 10_000).astype(np.int64) * top, 10_000)
            else:
                counted = count_matchpoints(scores, weights)
                is_factored = rules.neuberg and obtained < expected
                ratios = apply_neuberg(counted, expected) if is_factored else Ratios(counted, 1)
            _set_ratios(scored, side, group, ratios, top, rules.per_win, decimals)
        scored.top[group] = top * rules.per_win / 2
    _award_matchpoints(rows, rules, decimals, scored)


def _set_ratios(
    scored: BoardPoints,
    side: str,
    group: np.ndarray,
    ratios: Ratios,
    top: int,
    per_win: int,
    decimals: int | None,
) -> None:
    """Set points, exact points and shares of the results of a field from its matchpoints."""
    ratios = Ratios(ratios.numerators, ratios.denominator * 2 // per_win)
    exact = ratios.values
    scored.exact[side][group] = exact
    scored.share[side][group] = exact / (top * per_win / 2)
    average = top * per_win / 4
    scored.points[side][group] = exact if decimals is None else round_ratios(ratios, decimals, average)


def _award_matchpoints(rows: Rows, rules: EventScoring, decimals: int | None, scored: BoardPoints) -> None:
    """Set the points of artificial scores and byes: shares of the full top, or the pair's session average."""
    is_awarded = (rows.kind == "artificial") | ((rows.kind == "bye") & (rules.bye == "average"))
    if not is_awarded.any():
        return
    # Award each side a share of the full top, which may depend on its average in the session (Law 12C2).
    means = _average_sessions(rows, scored)
    for row in np.flatnonzero(is_awarded).tolist():
        session = int(rows.sessions[row])
        top = (scored.expected[session] - 1) * rules.per_win
        if top <= 0:
            continue
        for side in ("ns", "ew"):
            award, pair = float(rows.award[side][row]), rows.pair[side][row]
            mean = means.get((session, pair), math.nan)
            share = _find_award(award, mean, rows.kind[row] == "bye")
            # Without a pair, a bye has no average.
            if not isinstance(pair, str):
                share = math.nan if rows.kind[row] == "bye" else share
            scored.share[side][row] = share
            scored.exact[side][row] = share * top
            value = share * top if decimals is None else round(share * top + 1e-9, decimals)
            scored.points[side][row] = value
        scored.top[row] = top
        if math.isnan(rows.award["ns"][row]) and rows.kind[row] == "artificial":
            scored.remarks.append((row, "an artificial score without a value"))


def _average_sessions(rows: Rows, scored: BoardPoints) -> dict[tuple[int, Any], float]:
    """Return the mean share of each pair of each session over the boards that it played."""
    sums: dict[tuple[int, Any], list[float]] = {}
    for side in ("ns", "ew"):
        for row in np.flatnonzero(~np.isnan(scored.share[side])).tolist():
            key = int(rows.sessions[row]), rows.pair[side][row]
            if isinstance(key[1], str):
                sums.setdefault(key, []).append(float(scored.share[side][row]))
    return {key: sum(values) / len(values) for key, values in sums.items()}


def _find_award(award: float, mean: float, is_bye: bool) -> float:
    """Return the share of an artificial score, by Laws of Duplicate Bridge 2017, 12C2(b) and (c).

    An award above average is raised to the pair's mean in the session if that is higher; an award below
    average is lowered to it if that is lower.
    """
    if is_bye:
        return mean
    if math.isnan(mean) or award == 0.5:
        return award
    return max(award, mean) if award > 0.5 else min(award, mean)


# ---------------------------------------------------------------- IMPs


def _read_datums(results: pd.DataFrame) -> np.ndarray:
    """Return the datum that the file prints for each result; nan if it prints none."""
    if "official_datum" not in results:
        return np.full(len(results), math.nan)
    return results.official_datum.to_numpy(np.float64)


def _score_imps(
    rows: Rows, rules: EventScoring, decimals: int | None, scored: BoardPoints, printed: np.ndarray
) -> None:
    """Set IMPs of all fields against a datum or the other results."""
    for group in rows.group(np.flatnonzero(rows.is_compared)):
        expected = scored.expected[int(rows.sessions[group[0]])]
        if len(group) == 1 and rules.method == "cross-imps":
            scored.remarks.append((int(group[0]), "one result only; it has no IMPs"))
            continue
        # Both sides are compared with the same datum, that of north-south.
        if rules.method == "butler":
            scored.datum[group] = _find_datum(rows.score["ns"][group], printed[group], rules)
        for side, sign in (("ns", 1), ("ew", -1)):
            scores, weights = rows.score[side][group], rows.list_weights(side, group)
            if rules.method == "butler":
                datum = scored.datum[group[0]]
                found = np.full(len(group), math.nan)
                if not math.isnan(datum):
                    found = score_butler(scores, sign * datum, weights)
            else:
                found = sum_cross_imps(scores, weights) * _find_factor(len(group), expected, rules)
            scored.exact[side][group] = found
            scored.points[side][group] = found if decimals is None else np.round(found, decimals)
    # Average plus and minus are three IMPs (Law 86A); a sum is over all other tables.
    for row in np.flatnonzero(rows.kind == "artificial").tolist():
        others = scored.expected[int(rows.sessions[row])] - 1
        is_sum = rules.method == "cross-imps" and rules.divisor == "none"
        for side in ("ns", "ew"):
            award = rows.award[side][row]
            value = IMPS_OF_AVERAGE * float(np.sign(round(award - 0.5, 6))) * (others if is_sum else 1)
            scored.exact[side][row] = scored.points[side][row] = value


def _find_datum(scores: np.ndarray, printed: np.ndarray, rules: EventScoring) -> float:
    """Return the datum of a field."""
    known = printed[~np.isnan(printed)]
    if rules.datum == "file" or rules.datum is None and len(known):
        return float(known[0]) if len(known) else math.nan
    return find_datum(scores, rules.datum or "mean")


def _find_factor(obtained: int, expected: int, rules: EventScoring) -> float:
    """Return the factor of sums of cross-IMPs.

    If there are A results, fewer than the E expected, the sum is scaled to a full field by E / A, and then
    divided by the number of other results in a full field (Law 87, as the English Bridge Union applies it).
    """
    scale = expected / obtained if rules.neuberg and obtained < expected and rules.divisor != "n" else 1.0
    full = expected if scale != 1.0 else obtained
    return scale / {"none": 1, "n": obtained, "n-1": full - 1}[rules.divisor]


# ---------------------------------------------------------------- matches


def _score_rooms(results: pd.DataFrame, rows: Rows, rules: EventScoring, scored: BoardPoints) -> None:
    """Set the IMPs or board-a-match points of matches, from the results at both tables."""
    sides = name_teams(results)
    rooms = results.room.astype(object).to_numpy()
    tables: dict[tuple[int, Any], list[int]] = {}
    # Find the two tables of each match on each board.
    for row in np.flatnonzero(rows.is_compared | (rows.kind == "artificial")).tolist():
        teams = frozenset((sides["ns"][row], sides["ew"][row]) if sides["ns"][row] else ())
        tables.setdefault((int(rows.fields[row]), teams), []).append(row)
    for (_, _), found in tables.items():
        if len(found) != 2 or (rooms[found[0]] == rooms[found[1]] and isinstance(rooms[found[0]], str)):
            text = f"the board needs one result from each room of this match, but has {len(found)}"
            scored.remarks.append((found[0], text))
            continue
        first, second = found
        # If a team is north-south twice, one table was entered in the wrong direction.
        own, other = sides["ns"][first], sides["ns"][second]
        if own and own == other:
            text = f"{own} is north-south at both tables; their results are not compared"
            scored.remarks.append((second, text))
            continue
        _compare_rooms(rows, rules, scored, first, second)


def _compare_rooms(rows: Rows, rules: EventScoring, scored: BoardPoints, first: int, second: int) -> None:
    """Set the points of the two results of a board."""
    # An adjusted board has the award of its artificial score.
    if "artificial" in (rows.kind[first], rows.kind[second]):
        row = first if rows.kind[first] == "artificial" else second
        gain = IMPS_OF_AVERAGE * float(np.sign(round(rows.award["ns"][row] - 0.5, 6)))
        gain = gain if row == first else -gain
        points = 0.5 + gain / (2 * IMPS_OF_AVERAGE) * 0.2
    else:
        difference = rows.score["ns"][first] - rows.score["ns"][second]
        gain = float(convert_to_imps(np.array([difference]))[0])
        points = 0.5 + 0.5 * float(np.sign(difference))
    # The other side, and the same side at the other table, have the opposite.
    if rules.method == "board-a-match":
        values = points * rules.per_win, (1 - points) * rules.per_win
        scored.top[[first, second]] = rules.per_win
        for row, (own, opposing) in ((first, (points, 1 - points)), (second, (1 - points, points))):
            scored.share["ns"][row], scored.share["ew"][row] = own, opposing
    else:
        values = gain, -gain
    for row, (own, opposing) in ((first, values), (second, values[::-1])):
        for side, value in (("ns", own), ("ew", opposing)):
            scored.exact[side][row] = scored.points[side][row] = value + 0.0


def name_teams(results: pd.DataFrame) -> dict[str, list[str]]:
    """Return the teams that sit north-south and east-west at each table.

    Teams are found by their names. Without names, they are found by the players, because those who sit
    north-south in one room are teammates of those who sit east-west in the other. Without players, the
    numbers of pairs are taken for those of teams.
    """
    named = [
        {side: results[f"team_{side}"].fillna("").tolist() for side in ("ns", "ew")},
        _find_teammates(results),
        {side: results[side].fillna("").tolist() for side in ("ns", "ew")},
    ]
    teams: dict[str, list[str]] = {"ns": [], "ew": []}
    for row in range(len(results)):
        known = next((names for names in named if names["ns"][row] and names["ew"][row]), named[-1])
        for side, column in teams.items():
            column.append(known[side][row])
    return teams


def _find_teammates(results: pd.DataFrame) -> dict[str, list[str]]:
    """Return the teams at each table, found by their players; each is named after its first player."""
    leader: dict[str, str] = {}

    def find(player: str) -> str:
        while leader.setdefault(player, player) != player:
            player = leader[player]
        return player

    seats = {name: results[name].fillna("").tolist() for name in ("north", "east", "south", "west")}
    rooms = results.room.astype(object).to_numpy()
    by_field: dict[tuple[int, str], list[int]] = {}
    for row, (number, room) in enumerate(zip(results.field.tolist(), rooms.tolist(), strict=True)):
        if isinstance(room, str):
            by_field.setdefault((number, room), []).append(row)
    # Join players in both rooms who must be teammates.
    for (number, room), open_rows in by_field.items():
        closed_rows = by_field.get((number, "closed"), [])
        if room != "open" or len(open_rows) != 1 or len(closed_rows) != 1:
            continue
        pair = open_rows[0], closed_rows[0]
        for here, there in ((("north", "south"), ("east", "west")), (("east", "west"), ("north", "south"))):
            players = [seats[name][pair[0]] for name in here] + [seats[name][pair[1]] for name in there]
            known = [player for player in players if player]
            for player in known[1:]:
                leader[find(player)] = find(known[0])
    # Name each team after its first player.
    named: dict[str, list[str]] = {"ns": [], "ew": []}
    for row in range(len(results)):
        for side, name in (("ns", "north"), ("ew", "east")):
            player = seats[name][row]
            named[side].append(find(player) if player in leader else "")
    return named

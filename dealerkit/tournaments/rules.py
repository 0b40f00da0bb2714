"""The scoring of an event: `EventScoring`, and reading the rules that files name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import check_integer, check_name
from dealerkit.errors import ArgumentError, Parameter, quote

if TYPE_CHECKING:
    import pandas as pd

Method = Literal["matchpoints", "butler", "cross-imps", "board-a-match", "team imps"]
METHODS = ("matchpoints", "butler", "cross-imps", "board-a-match", "team imps")
DATUMS = ("mean", "butler-2", "acblscore", "median", "file")
DIVISORS = ("none", "n", "n-1")
UNITS = {"matchpoints": "mp", "butler": "imp", "cross-imps": "imp", "board-a-match": "mp", "team imps": "imp"}


@limit_repr
@dataclass(frozen=True)
class EventScoring:
    """The rules by which an event is scored.

    Parameters
    ----------
    method : {"matchpoints", "butler", "cross-imps", "board-a-match", "team imps"}
    expected : int, optional
        Number of results that each board should have, for Neuberg's formula and the top. By default the
        number that most boards of the session have.
    neuberg : bool
        Whether matchpoints of a board with fewer results are converted to those of a full field by Neuberg's
        formula, and sums of cross-IMPs are scaled. With False, each board counts by its own results, as at
        Bridge Base Online.
    per_win : {2, 1}
        Matchpoints for each lower score; an equal score counts half as much.
    decimals : int, optional
        Decimals to which the points of a board are rounded before they are added; halves are rounded towards
        the average. By default as many as the file prints; if it prints no points, they are not rounded.
    datum : {"mean", "butler-2", "acblscore", "median", "file"}, optional
        The score that Butler scoring compares with: the mean of all scores; the mean without one top and one
        bottom; the mean without 5 % at each end; the median; or the datum printed in the file. All but the
        last are rounded to the nearest 10, and halves to the even ten. By default the datum of the file if it
        has one, otherwise the mean.
    divisor : {"n-1", "n", "none"}
        Whether the sum of IMPs against all other results is divided by the number of the other results, by
        the number of all results, or not at all; for cross-IMPs.
    small_fields : {"neuberg", "EBU"}
        Rule for two or three results that are at most a third of those expected, such as after a fouled
        board. With "EBU", they have 65 and 55 %, or 70, 60 and 50 %.
    bye : {"none", "average"}
        Whether a bye does not count, or has the pair's average in the session.
    winners : {1, 2}, optional
        Number of rankings of the session. By default as in the file; without it, two if no pair changes
        direction.
    by_section : bool
        Whether each section is compared separately.

    Raises
    ------
    ArgumentError
        A value is not one of these.

    References
    ----------
    World Bridge Federation, Laws of Duplicate Bridge 2017: Law 78 (matchpoints, IMPs), 86 and 12C2
    (artificial scores), 87 (fouled boards). English Bridge Union, White Book, 4.2.3 (Neuberg, small fields).
    American Contract Bridge League, ACBLscore manual (Butler). PBN 2.1, 3.4.12 (cross-IMPs).

    Examples
    --------
    >>> EventScoring("butler", datum="median").unit
    'imp'
    """

    method: str = "matchpoints"
    expected: int | None = None
    neuberg: bool = True
    per_win: int = 2
    decimals: int | None = None
    datum: str | None = None
    divisor: str = "n-1"
    small_fields: str = "neuberg"
    bye: str = "none"
    winners: int | None = None
    by_section: bool = False

    def __post_init__(self) -> None:
        values: dict[str, Any] = {"method": check_name("method of scoring", self.method, METHODS)}
        if self.datum is not None:
            values["datum"] = check_name("datum", self.datum, DATUMS)
        values["divisor"] = check_name("divisor", self.divisor, DIVISORS)
        values["small_fields"] = check_name("rule for small fields", self.small_fields, ("neuberg", "EBU"))
        values["bye"] = check_name("value of a bye", self.bye, ("none", "average"))
        if self.expected is not None:
            values["expected"] = check_integer("expected", self.expected, 2)
        if self.decimals is not None:
            values["decimals"] = check_integer("decimals", self.decimals, 0, 6)
        for name, allowed in (("per_win", (1, 2)), ("winners", (1, 2, None))):
            if getattr(self, name) not in allowed:
                raise ArgumentError(
                    Parameter(name), f" is {quote(getattr(self, name), 40)}; it must be 1 or 2"
                )
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def unit(self) -> str:
        """The unit of a board's result: "mp" or "imp", as in the names of columns."""
        return UNITS[self.method]


_WORDS: Sequence[tuple[str, str]] = (
    (r"bam|board.?a.?match|point.?a.?board", "board-a-match"),
    (r"cross|x.?imp|imp.?pairs", "cross-imps"),
    (r"butler", "butler"),
    (r"match.?points?|\bmp\d?\b|pairs.*mp|mp_pairs|percent", "matchpoints"),
    (r"\bimps?\b|team", "team imps"),
)  # fmt: skip


def parse_scoring(text: str) -> EventScoring | None:
    """Return the rules that a text of a file names, or None.

    The text is for example PBN's ``MatchPoints;MP1`` or ``Cross2``.

    >>> parse_scoring("MatchPoints;MP2").per_win, parse_scoring("IMP;Cross1").divisor, parse_scoring("Rubber")
    (1, 'n', None)
    >>> parse_scoring("Butler-2").datum, parse_scoring("Butler").datum
    ('butler-2', None)
    """
    lower = text.lower()
    method = next((method for pattern, method in _WORDS if re.search(pattern, lower)), "")
    if not method:
        return None
    options: dict[str, Any] = {}
    if method == "matchpoints" and re.search(r"\bmp2\b", lower):
        options["per_win"] = 1
    if method == "butler" and re.search(r"butler-?2", lower):
        options["datum"] = "butler-2"
    if method == "cross-imps":
        options["divisor"] = (
            "n" if "cross1" in lower else "none" if re.search(r"cross(?!.?imp|2)", lower) else "n-1"
        )
    return EventScoring(method, **options)


def make_rules(scoring: str | EventScoring, **options: Any) -> EventScoring:
    """Return rules from the name of a method and further rules; raise ArgumentError if one is unknown."""
    if isinstance(scoring, EventScoring):
        return replace(scoring, **options) if options else scoring
    if not isinstance(scoring, str):
        raise ArgumentError(
            Parameter("scoring"), f" is {quote(scoring)}; it must be the name of a method or an EventScoring"
        )
    known = EventScoring.__dataclass_fields__
    for name in options:
        check_name("rule of scoring", name, tuple(known))
    return EventScoring(check_name("method of scoring", scoring, METHODS), **options)


def describe_rules(rules: EventScoring, results: pd.DataFrame) -> str:
    """Return the rules of a scoring in one sentence."""
    text = {
        "matchpoints": "Matchpoints, {win} for a lower score",
        "butler": "Butler IMPs against {datum}",
        "cross-imps": "Cross-IMPs, {divisor}",
        "board-a-match": "Board-a-match, {win} for the better result",
        "team imps": "IMPs between the two rooms",
    }[rules.method]
    has_printed = "official_datum" in results and results.official_datum.notna().any()
    datum = rules.datum or ("file" if has_printed else "mean")
    datums = {
        "mean": "the mean of all results to the nearest 10",
        "butler-2": "the mean without the best and the worst result, to the nearest 10",
        "acblscore": "the mean without 5 % at each end, to the nearest 10",
        "median": "the median to the nearest 10",
        "file": "the datum that the file prints",
    }
    divisors = {
        "n-1": "the mean over the other results",
        "n": "the sum divided by all results",
        "none": "the sum",
    }
    text = text.format(win=rules.per_win, datum=datums[datum], divisor=divisors[rules.divisor])
    if rules.method == "matchpoints":
        text += (
            "; Neuberg's formula for fewer results" if rules.neuberg else "; each board by its own results"
        )
    return text + "."

"""Break-even chances of the usual games, slams and grand slams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dealerkit.appearance.latex import Section
from dealerkit.scoring import SCORINGS
from dealerkit.studies.results import StudyResult
from dealerkit.studies.standard_tables.break_even import break_even

if TYPE_CHECKING:
    import pandas as pd

SHOWN = ("imps", "points", "matchpoints")  # at board-a-match chances are those at matchpoints
DECISIONS = (
    ("3NT", "2NT"), ("4M", "3M"), ("5m", "4m"), ("6NT", "3NT"), ("6M", "4M"), ("6m", "5m"),
    ("7NT", "6NT"), ("7M", "6M"), ("7m", "6m"),
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class BreakEvenTable(StudyResult):
    """Break-even chances of games and slams, as `break_even_table` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each decision, index ``contract`` and ``other``; a column of chances for each scoring and
        vulnerability, such as ``imps_vulnerable`` and ``imps_not_vulnerable``.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.break_even_table().to_frame().iloc[:2, :4].round(3)
      contract other  imps_not_vulnerable  imps_vulnerable
    0      3NT   2NT                0.455            0.375
    1       4M    3M                0.455            0.375
    """

    frame: pd.DataFrame

    def to_frame(self) -> pd.DataFrame:
        """Return the chances with the contracts as columns."""
        return self.frame.reset_index()

    @property
    def title(self) -> str:
        """What the table has."""
        return "Chance of making from which a contract gains"

    def _sections(self) -> Iterator[Section]:
        head = [
            f"{SCORINGS[name.partition('_')[0]].text}, {'nv' if '_not_' in name else 'vul'}"
            for name in self.frame
        ]
        rows = [["", *head]]
        for (contract, other), row in self.frame.iterrows():
            rows.append([f"{contract} over {other}", *(f"{100 * chance:.1f} %" for chance in row)])
        yield "", rows

    def _notes(self) -> Iterator[str]:
        yield (
            "The contract makes exactly or is down one, the other contract takes the same tricks, and nobody "
            "doubles."
        )

    def __repr__(self) -> str:
        return f"<BreakEvenTable: {len(self.frame)} decisions>"


def break_even_table() -> BreakEvenTable:
    """Return the break-even chances of the usual games, slams and grand slams.

    Examples
    --------
    >>> break_even_table().frame.loc[("4M", "3M"), "imps_vulnerable"]
    np.float64(0.375)
    """
    import pandas as pd

    rows = {
        decision: {
            f"{scoring}_{'' if vulnerable else 'not_'}vulnerable": break_even(
                *decision, vulnerable=vulnerable, scoring=scoring
            ).probability
            for scoring in SHOWN
            for vulnerable in (False, True)
        }
        for decision in DECISIONS
    }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.index.names = ["contract", "other"]
    return BreakEvenTable(frame)

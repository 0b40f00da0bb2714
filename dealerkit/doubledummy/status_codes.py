"""Status codes of the solver library, and the error that carries them."""

from __future__ import annotations

from dealerkit.errors import DealerkitError

# The texts of ErrorMessage in DDS 2.9; a test compares them with the library's.
TEXTS = {
    -1: "General error",
    -2: "Zero cards",
    -3: "Target exceeds number of tricks",
    -4: "Cards duplicated",
    -5: "Target is less than -1",
    -7: "Target is higher than 13",
    -8: "Solutions parameter is less than 1",
    -9: "Solutions parameter is higher than 3",
    -10: "Too many cards",
    -12: "currentTrickSuit or currentTrickRank has wrong data",
    -13: "Played card also remains in a hand",
    -14: "Wrong number of remaining cards in a hand",
    -15: "Thread index is not 0 .. maximum",
    -16: "Mode parameter is less than 0",
    -17: "Mode parameter is higher than 2",
    -18: "Trump is not in 0 .. 4",
    -19: "First is not in 0 .. 2",
    -98: "AnalysePlay input error",
    -99: "PBN string error",
    -101: "Too many boards requested",
    -102: "Could not create threads",
    -103: "Something failed waiting for thread to end",
    -104: "Multi-threading system not present",
    -201: "Denomination filter vector has no entries",
    -202: "Too many DD tables requested",
    -301: "Chunk size is less than 1",
}


class SolverError(DealerkitError, ValueError):
    """Invalid input of the solver, or an error that its library reported.

    Parameters
    ----------
    code : int
        Status code of DDS, a key of `TEXTS`.
    reason : str
        What exactly is wrong, where, and what to do about it.
    index : int or None
        Position of the deal among those given.

    Attributes
    ----------
    text : str
        The text of DDS for the code.

    Examples
    --------
    >>> print(SolverError(-2, "no hand has a card", 7))
    deal 7: no hand has a card (DDS -2: Zero cards)
    """

    def __init__(self, code: int, reason: str = "", index: int | None = None) -> None:
        self.code, self.reason, self.index = int(code), reason, index
        self.text = TEXTS.get(self.code, "unknown status")
        place = "" if index is None else f"deal {index}: "
        status = f"DDS {self.code}: {self.text}"
        super().__init__(f"{place}{reason} ({status})" if reason else place + status)

    def __reduce__(self) -> tuple:
        return type(self), (self.code, self.reason, self.index)

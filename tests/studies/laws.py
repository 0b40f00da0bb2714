"""The score table and the IMP table of the Laws of Duplicate Bridge 2017 (77, 78B), written out.

It shares no code with dealerkit, whose scores and IMPs tests compare with it.
"""

from __future__ import annotations

from bisect import bisect_right

FIRST_TRICK = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 40}
OTHER_TRICKS = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
# Points for 1, 2, 3, 4 ... undertricks, by vulnerable and doubled; redoubled twice as many.
UNDERTRICKS = {
    (False, False): [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650],
    (True, False): [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300],
    (False, True): [100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500],
    (True, True): [200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800],
}
# The smallest difference for 1, 2, 3 ... IMPs.
IMPS_FROM = [
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250,
    2500, 3000, 3500, 4000,
]  # fmt: skip


def law_score(contract: str, tricks: int, vulnerable: bool) -> int:
    """Return declarer's score of a contract such as ``3NT``, ``4Sx`` or ``2Hxx``."""
    doubled = contract.count("x")
    level, strain = int(contract[0]), contract[1:].rstrip("x")
    missing = level + 6 - tricks
    if missing > 0:
        points = UNDERTRICKS[vulnerable, doubled > 0][missing - 1]
        return -points * (2 if doubled == 2 else 1)
    trick_points = (FIRST_TRICK[strain] + (level - 1) * OTHER_TRICKS[strain]) * 2**doubled
    if trick_points < 100:
        score = trick_points + 50
    else:
        score = trick_points + (500 if vulnerable else 300)
    if level == 6:
        score += 750 if vulnerable else 500
    if level == 7:
        score += 1500 if vulnerable else 1000
    overtrick = OTHER_TRICKS[strain]
    if doubled:
        overtrick = (200 if vulnerable else 100) * doubled
        score += 50 * doubled
    return score - missing * overtrick


def law_imps(difference: int) -> int:
    """Return the IMPs of a difference of scores."""
    imps = bisect_right(IMPS_FROM, abs(difference))
    return imps if difference >= 0 else -imps

"""Typical conditions of scripts, for `peers.py`."""

from __future__ import annotations

BALANCED = "any 4333 + any 4432 + any 5332"
KINDS = {
    "weak two": "hcp(north) >= 6 and hcp(north) <= 10 and spades(north) == 6 and hearts(north) <= 3 and top3(north, spades) >= 2",
    "weak2 either": "hcp(north) >= 6 and hcp(north) <= 10 and ((spades(north) == 6 and hearts(north) < 4) or (hearts(north) == 6 and spades(north) < 4))",
    "michaels": "hcp(west) >= 11 and hcp(west) <= 16 and diamonds(west) >= 4 and shape(north, 55xx) and hcp(north) >= 8 and hcp(north) <= 12",
    "twosuit or": "hcp(north) >= 8 and (shape(north, 55xx) or shape(north, 5x5x) or shape(north, x55x) or shape(north, xx55)) and hcp(east) >= 12 and spades(east) >= 4",
    "slam sum": "hcp(north) + hcp(south) >= 33",
    "slam sum+fit": "hcp(north) + hcp(south) >= 33 and spades(north) + spades(south) >= 8",
    "slam with NT": f"hcp(north) >= 15 and hcp(north) <= 17 and shape(north, {BALANCED}) and hcp(north) + hcp(south) >= 31",
    "2NT": f"hcp(north) >= 20 and hcp(north) <= 21 and shape(north, {BALANCED} - 5xxx - x5xx)",
    "strong 2c": "hcp(north) >= 22",
    "preempt": "hcp(south) <= 9 and (spades(south) >= 7 or hearts(south) >= 7 or diamonds(south) >= 7)",
    "1NT-jacoby": f"hcp(north) >= 15 and hcp(north) <= 17 and shape(north, {BALANCED}) and hearts(south) >= 5",
    "1NT only": f"hcp(north) >= 15 and hcp(north) <= 17 and shape(north, {BALANCED})",
    "overcall": "hcp(west) >= 12 and hcp(west) <= 14 and clubs(west) >= 4 and hcp(north) >= 8 and hcp(north) <= 15 and hearts(north) >= 5 and hearts(south) >= 3 and hcp(south) >= 6 and hcp(south) <= 9",
    "four seats": "hcp(west) >= 12 and hearts(west) >= 5 and hcp(north) <= 10 and spades(north) >= 6 and hcp(east) >= 6 and hearts(east) >= 3 and hcp(south) >= 8",
    "gerber ltc": "losers(north) <= 4 and losers(south) <= 7 and hearts(north) + hearts(south) >= 8",
    "cccc": "cccc(north) >= 20 and spades(north) >= 6",
    "fit only": "hearts(north) + hearts(south) >= 10",
    "splinter": "spades(north) >= 5 and hcp(north) >= 12 and hcp(north) <= 15 and spades(south) >= 4 and hcp(south) >= 11 and hcp(south) <= 14 and (hearts(south) <= 1 or diamonds(south) <= 1 or clubs(south) <= 1)",
    "aces": "hascard(north, AS) and hascard(north, AH) and hascard(south, AD) and hascard(south, AC) and hcp(north) >= 12",
    "or partners": "(hcp(north) >= 18 and hcp(south) >= 10) or (hcp(south) >= 18 and hcp(north) >= 10)",
    "or seats": "hcp(north) >= 22 or hcp(south) >= 22",
    "balance": f"shape(north, {BALANCED}) and hcp(north) + hcp(south) == 25 and hcp(north) >= 12",
    "gambling": "shape(north, xx7x + xxx7) and hascard(north, AD) and hascard(north, KD) and hascard(north, QD) and hcp(north) <= 11",
}

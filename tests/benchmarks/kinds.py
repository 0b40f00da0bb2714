"""Typical conditions, by plain dealing and by the chosen plan: CPU nanoseconds of one thread per produced deal.

    python tests/benchmarks/kinds.py [--quick]

The chosen plan produces twenty times as many deals as plain dealing; planning is included in both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import BALANCED, Row, least, main  # noqa: E402
from peers import run_dealerkit  # noqa: E402

import dealerkit as dk  # noqa: E402

TABLES = {"kinds": ("condition", "acceptance rate", "plain, ns", "chosen, ns", "times faster")}
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


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each condition."""
    for name, condition in KINDS.items():
        script = f"condition {condition}\naction average hcp(north)"
        pilot = dk.run(script, generate=200_000, seed=2, plan="conditional", keep=0, threads=1)
        n_plain = max(50, int(pilot.probability.value * (150_000 if quick else 1_500_000)))
        plain, chosen = (
            least(lambda: run_dealerkit(script, 1, plan, produce=count), 1 if quick else 3) / count * 1e9  # noqa: B023
            for plan, count in (("plain", n_plain), ("auto", 20 * n_plain))
        )
        yield "kinds", (name, f"{pilot.probability.value:.2e}", plain, chosen, plain / chosen)


if __name__ == "__main__":
    main(TABLES, measure, __doc__)

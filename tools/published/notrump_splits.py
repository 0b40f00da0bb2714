"""D15: 3NT with 25 points, by their split between the hands.

``python tools/published/notrump_splits.py`` estimates the chance of 3NT for every split and rewrites
notrump_splits.json; it needs about 80,000 solves, half an hour on one processor. The page reads the file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import dealerkit as dk
from dealerkit import Estimate

FILE = Path(__file__).with_suffix(".json")
SHAPES = "any 4333 + any 4432 + any 5332 + any 5422 + any 6322"
PRECISION, SEED = 0.007, 15


def write_condition(strong: int) -> str:
    """Return the condition for north with so many points and south with the others of 25."""
    hands = " and ".join(
        f"shape({seat}, {SHAPES}) and spades({seat}) <= 5 and hearts({seat}) <= 5"
        for seat in ("north", "south")
    )
    fits = "spades(north) + spades(south) < 8 and hearts(north) + hearts(south) < 8"
    return f"{hands} and {fits} and hcp(north) == {strong} and hcp(south) == {25 - strong}"


def solve(strong: int) -> dict[str, float]:
    """Return the estimated chance that north makes 3NT."""
    result = dk.estimate(
        "dds(north, notrump) >= 9", given=write_condition(strong), precision=PRECISION, seed=SEED, solved=None
    )
    low, high = result.interval
    return {
        "strong": strong, "value": result.value, "se": result.standard_error, "lo": low, "hi": high,
        "n": result.plain_solves,
    }  # fmt: skip


def read_splits() -> dict[str, Estimate]:
    """Return the stored estimates, named as in the source: "13 and 12"."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))["splits"]
    return {
        f"{row['strong']} and {25 - row['strong']}": Estimate(
            *(row[name] for name in ("value", "se", "lo", "hi", "n"))
        )
        for row in rows
    }


if __name__ == "__main__":
    splits = [solve(strong) for strong in range(13, 26)]
    recipe = f"dk.estimate to {PRECISION}, seed {SEED}, dealerkit {dk.__version__}"
    json.dump({"recipe": recipe, "splits": splits}, FILE.open("w", encoding="utf-8"), indent=1)
    sys.stdout.write(f"{len(splits)} splits, {recipe}\n")

"""D6: tricks of fixed hands of north and south, averaged over 20 deals of the other two hands.

``python tools/published/layouts.py 200`` solves the layouts of 200 pairs and rewrites layouts.json; a pair
takes about ten seconds on one processor. The page reads the file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import dealerkit as dk

FILE = Path(__file__).with_suffix(".json")
SEED, PAIRS, LAYOUTS = 20261124, 400, 20


def deal_pairs(count: int) -> dk.Deals:
    """Return deals whose north and south hands are the pairs."""
    return dk.deal(PAIRS, seed=SEED)[:count]


def solve(pairs: dk.Deals, number: int) -> list[int]:
    """Return the tricks in the best suit and in notrump, each the sum over the layouts of a pair."""
    north, _, south, _ = str(pairs[number])[2:].split()
    deals = dk.deal(LAYOUTS, seed=SEED + 1 + number, predeal={"north": north, "south": south})
    tables = dk.dd_table(deals, declarers="NS")[:, :, ::2].max(axis=2)
    return [int(tables[:, :4].max(axis=1).sum()), int(tables[:, 4].sum())]


def read_means() -> np.ndarray:
    """Return the mean tricks of the stored pairs in the best suit and in notrump, [n, 2]."""
    return np.array(json.loads(FILE.read_text(encoding="utf-8"))["sums"]) / LAYOUTS


if __name__ == "__main__":
    pairs = deal_pairs(int(sys.argv[1]))
    recipe = f"sums over {LAYOUTS} layouts of pairs from dk.deal({PAIRS}, seed={SEED}): best suit, notrump"
    sums = [solve(pairs, number) for number in range(len(pairs))]
    FILE.write_text(json.dumps({"recipe": recipe, "sums": sums}), encoding="utf-8")

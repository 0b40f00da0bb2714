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


def solve(count: int) -> list[list[int]]:
    """Return for each pair its tricks in the best suit and in notrump, sums over the layouts."""
    found = dk.layouts(deal_pairs(count), "NS", LAYOUTS, seed=SEED + 1)
    return (found.by_hand[["best suit", "notrump"]] * LAYOUTS).round().astype(int).to_numpy().tolist()


def read_means() -> np.ndarray:
    """Return the mean tricks of the stored pairs in the best suit and in notrump, [n, 2]."""
    return np.array(json.loads(FILE.read_text(encoding="utf-8"))["sums"]) / LAYOUTS


if __name__ == "__main__":
    recipe = f"sums over dk.layouts(pairs, 'NS', {LAYOUTS}, seed={SEED + 1}), best suit and notrump; "
    recipe += f"pairs of dk.deal({PAIRS}, seed={SEED})"
    FILE.write_text(json.dumps({"recipe": recipe, "sums": solve(int(sys.argv[1]))}), encoding="utf-8")

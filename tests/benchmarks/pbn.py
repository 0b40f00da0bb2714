"""Speed of PBN files: deals only, and the file of a tournament with auction, play and tables.

    python tests/benchmarks/pbn.py [boards]

The boards are random deals; auction and play are the same for all, the play only as far as the cards allow.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dealerkit as dk
from dealerkit.cards.names import RANKS
from dealerkit.formats.content import Records


def measure(name: str, n: int, call: Callable[[], object]) -> None:
    """Print boards per second of processor time, the best of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    print(f"{name:<40}{n / min(times):>12,.0f} boards/s")


def play_cards(text: str) -> str:
    """Return 52 cards in a legal order of play, as north leads and each hand follows suit if it can."""
    hands = [
        [f"{suit}{rank}" for suit, held in zip("SHDC", hand.split("."), strict=True) for rank in held]
        for hand in text[2:].split()
    ]
    seat, played = 0, []
    while hands[seat]:
        led, trick = hands[seat][0][0], []
        for k in range(4):
            hand = hands[(seat + k) % 4]
            card = next((card for card in hand if card[0] == led), hand[-1])
            hand.remove(card)
            trick.append(card)
        strengths = [RANKS.index(card[1]) if card[0] == led else -1 for card in trick]
        played += trick
        seat = (seat + strengths.index(max(strengths))) % 4
    return " ".join(played)


def make_tournament(n: int) -> dk.Library:
    """Return boards with all that a tournament's file has."""
    deals = dk.solved_sample()[:n]
    texts = {name: [f"Player {k % 40}" for k in range(n)] for name in ("north", "east", "south", "west")}
    texts |= {"contract": ["3NT"] * n, "declarer": ["W"] * n, "result": ["9"] * n}
    texts["auction"] = ["Pass Pass 1NT=1= Pass 2C=2= Pass 2H Pass 3NT Pass Pass Pass"] * n
    texts["auction_notes"] = ["1:15-17\n2:Stayman"] * n
    texts["play"] = [play_cards(text) for text in deals.to_pbn()]
    tags = [[["Event", "Club"], ["Date", "2026.11.22"], ["Room", "Open"], ["Table", "7"], ["ScoreMP", "3"]]]
    return dk.Library(Records(deals, {**texts, "tags": tags * n}, name="tournament.pbn"))


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "deals.pbn")
        deals = dk.deal(n, seed=1)
        deals[:100].write(path)
        measure("deals only, written", n, lambda: deals.write(path))
        measure("deals only, read", n, lambda: dk.read(path))
        n_full = min(n // 10, 50_000)
        full = make_tournament(n_full)
        measure("tournament, written", n_full, lambda: full.write(path))
        measure("tournament, read", n_full, lambda: dk.read(path))
        assert dk.read(path).texts["play"] == full.texts["play"]


if __name__ == "__main__":
    main()

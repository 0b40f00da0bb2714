"""PBN files: deals only, and the file of a tournament with auction, play and tables.

    python tests/benchmarks/pbn.py [--quick]

The boards are random deals; auction and play are the same for all, the play only as far as the cards allow.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.cards import RANKS
from dealerkit.formats.content import Records  # noqa: E402

TABLES = {"pbn": ("file", "boards", "read, boards a CPU second", "written, boards a CPU second")}


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


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each kind of file."""
    n = 20_000 if quick else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "deals.pbn")
        for name, boards in (("deals only", dk.deal(n, seed=1)), ("tournament", make_tournament(n // 10))):
            written = least(lambda: boards.write(path), 3)  # noqa: B023
            read = least(lambda: dk.read(path), 3)
            yield "pbn", (name, len(boards), len(boards) / read, len(boards) / written)
        assert dk.read(path).texts["play"] == boards.texts["play"]


if __name__ == "__main__":
    main(TABLES, measure, __doc__)

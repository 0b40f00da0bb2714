"""Laws that hold for any suit combination, on random ones: a check for tests, and a program for many.

``python tests/singledummy/random_combinations.py results.jsonl --cases 10000`` writes a line for each combination and
goes on where the file ends; ``--report`` prints times and stopped combinations of a file.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import dealerkit as dk
from dealerkit.singledummy import states

RANKS = "23456789TJQKA"
CLOSE = 1e-9
MOST_LINES = 50  # of which the laws are checked


def draw_cards(chance: random.Random, n_missing: int) -> tuple[str, str]:
    """Return a combination with this number of missing cards."""
    cards = chance.sample(RANKS, 13 - n_missing)
    north = chance.randint(0, len(cards))
    return "".join(cards[:north]), "".join(cards[north:])


def exchange_equal_cards(north: str, south: str) -> tuple[str, str] | None:
    """Return the combination with two touching cards of different hands exchanged; None if there are none."""
    for low, high in zip(RANKS, RANKS[1:], strict=False):
        for first, second in ((north, south), (south, north)):
            if low in first and high in second:
                return north.translate({ord(low): high, ord(high): low}), south.translate(
                    {ord(low): high, ord(high): low}
                )
    return None


def is_equal(first: dk.SuitPlay, second: dk.SuitPlay) -> bool:
    """Whether two results have the same chances and the same mean."""
    return abs(first.mean - second.mean) < CLOSE and all(
        abs(first.chances[level] - second.chances[level]) < CLOSE for level in first.chances
    )


def find_broken_laws(north: str, south: str, seconds: float | None) -> tuple[list[str], bool, float]:
    """Return the laws that a combination breaks, whether its value is exact, and the time of the first solution."""
    start = time.process_time()
    result = dk.suit(north, south, seconds=seconds)
    used = time.process_time() - start
    if not result.exact:
        ordered = all(low <= high + CLOSE for low, high in result.bounds.values())
        return [] if ordered else ["a lower bound is above its upper bound"], False, used
    broken = []
    chances = list(result.chances.values())
    if any(later > earlier + CLOSE for earlier, later in zip(chances, chances[1:], strict=False)):
        broken.append("more tricks are likelier than fewer")
    # No line is better than the game's value, which double dummy bounds
    double = result.layouts
    if result.mean > (double.probability * double.double_dummy).sum() + CLOSE:
        broken.append("the mean is above that of double dummy")
    for line in result.lines[:MOST_LINES]:
        if line.mean > result.mean + CLOSE or any(
            line.chances[level] > result.chances[level] + CLOSE for level in line.chances
        ):
            broken.append(f"line {line.name} is above the value")
    # The same with the hands and the defenders exchanged, and with equal cards exchanged
    if not is_equal(result, dk.suit(south, north, seconds=None)):
        broken.append("another value with the hands exchanged")
    places = dk.suit(north, south, vacant=(11, 9), seconds=seconds)
    mirrored = dk.suit(south, north, vacant=(9, 11), seconds=seconds)
    if places.exact and mirrored.exact and not is_equal(places, mirrored):
        broken.append("another value with hands and vacant places exchanged")
    if (equal := exchange_equal_cards(north, south)) and not is_equal(result, dk.suit(*equal, seconds=None)):
        broken.append(f"another value with equal cards exchanged: {' '.join(equal)}")
    return broken, True, used


def list_cases(seed: int, n_cases: int) -> list[tuple[str, str]]:
    """Return combinations with 0 to 9 missing cards in turn."""
    chance = random.Random(seed)
    return [draw_cards(chance, number % 10) for number in range(n_cases)]


def report(rows: list[dict[str, Any]]) -> str:
    """Return the times by missing cards, the stopped combinations and the broken laws of some rows."""
    lines = [f"{len(rows)} combinations, {sum(not row['exact'] for row in rows)} stopped at the limit"]
    for n_missing in range(10):
        times = sorted(row["seconds"] for row in rows if row["missing"] == n_missing)
        if times:
            median, most, last = (times[int(share * (len(times) - 1))] for share in (0.5, 0.9, 1))
            lines.append(
                f"{n_missing} missing: {len(times)}; s {median:.3f} median, {most:.3f} 90 %, {last:.2f} most"
            )
    lines += [f"stopped: {row['north'] or '-'} {row['south'] or '-'}" for row in rows if not row["exact"]]
    lines += [f"BROKEN {row['north']} {row['south']}: {row['broken']}" for row in rows if row["broken"]]
    return "\n".join(lines)


def main() -> None:
    """Check combinations and append a line for each to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0, help="limit of a combination, processor time")
    parser.add_argument("--report", action="store_true", help="only print what the file has")
    options = parser.parse_args()
    rows = (
        [json.loads(line) for line in options.file.read_text().splitlines()] if options.file.exists() else []
    )
    if not options.report:
        with options.file.open("a") as file:
            for number, (north, south) in enumerate(list_cases(options.seed, options.cases)):
                if number < len(rows):
                    continue
                broken, exact, seconds = find_broken_laws(north, south, options.seconds)
                row = {
                    "north": north, "south": south, "missing": 13 - len(north + south), "exact": exact,
                    "seconds": seconds, "broken": broken,
                }  # fmt: skip
                rows.append(row)
                file.write(json.dumps(row) + "\n")
                file.flush()
                if number % 100 == 0:
                    for cached in (states.play_trick, states.map_worlds, states.list_worlds):
                        cached.cache_clear()
    sys.stdout.write(report(rows) + "\n")


if __name__ == "__main__":
    main()

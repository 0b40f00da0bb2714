"""The published values of suits from two sides that share nothing with the search: a program, and its page.

From below: the line is played out, card by card, against every layout and every defence. From above: a linear program
that may mix lines (`mixing`), for up to four missing cards also with all of them distinct.

``python tests/singledummy/two_sides.py sides.jsonl`` computes both for each value of tests/data/suit-values.csv, goes on
where the file ends, and writes docs/reference/published-suits.md; ``--page`` only writes the page.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import sys
import time
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import dealerkit as dk

sys.path.insert(0, str(Path(__file__).parents[2]))  # started as a program
from tests.singledummy.mixing import Program
from tests.singledummy.played_out import count_tricks, list_hands

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "published-suits.md"
MOST_VARIABLES = 1_000_000  # of a linear program
INTRODUCTION = """# Published values of suits

Do our values of suits agree with those in articles and on web pages? This page computes {count} of them
again with [`dk.suit`](../howto/suit.md). {agree} agree as printed; the others are marked *, and the
reason follows below the table. With the goal "≥ 4", values are chances of at least four tricks, in per
cent; with the goal "mean", they are average numbers of tricks.

Each of our values is confirmed from two sides by programs that share no code with the search:

- **played out**: our line is played card by card against every layout and every defence. The true value
  cannot be lower.
- **mixed**: a linear program finds the best random mixture of lines. The true value of the best line cannot
  be higher.
- **distinct**: the same linear program, without treating neighbouring missing cards as equal; for at most
  four missing cards.

A dash means that the linear program was too large, or that more than four cards are missing. The three
columns agree with ours except for one value: with AK98xx opposite Jx, a mixture of lines gains 0.017 tricks
on average, and `dk.suit` gives the value of the best single line. The tests also compare four published
values at matchpoints, of AQT98 opposite 5432 and AJ98 opposite K32; they agree, too.

| suit | goal | published | dealerkit | played out | mixed | distinct | source |
|---|---|--:|--:|--:|--:|--:|--:|
"""


def read_values() -> list[dict[str, str]]:
    """Return the published values of a number of tricks or of the mean."""
    with (ROOT / "tests" / "data" / "suit-values.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["tricks"] != "mp"]


def play_out(play: dk.SuitPlay, payoff: Callable[[int], float], line: Any) -> float:
    """Return the mean payoff of a line against the best defence in each layout."""
    combination = play.problem.combination
    hands = tuple(frozenset(hand) for hand in combination.hands)
    n = len(combination.missing)
    return sum(
        comb(26 - n, 13 - len(west)) / comb(26, 13) * payoff(count_tricks(line.start, hands, west, east))
        for west, east in list_hands(combination.missing)
    )


def compute(north: str, south: str, goal: str) -> dict[str, Any]:
    """Return our value of a goal, and what bounds it from both sides; None where a program is too large."""
    play = dk.suit(north, south, seconds=None)
    level = None if goal == "mean" else int(goal)

    def payoff(tricks: int) -> float:
        return float(tricks if level is None else tricks >= level)

    combination = play.problem.combination
    cards = [combination.format_ranks(hand) for hand in combination.hands]
    start = time.process_time()
    found: dict[str, Any] = {
        "north": north, "south": south, "goal": goal,
        "ours": play.mean if level is None else play.chances[level],
        "below": play_out(play, payoff, play.best(level)),
    }  # fmt: skip
    for name, distinct in (("above", False), ("distinct", True)):
        found[name] = None
        if distinct and len(combination.missing) > 4:
            continue
        with contextlib.suppress(OverflowError):
            found[name] = Program(*cards, distinct=distinct, largest=MOST_VARIABLES).solve(payoff)
    return found | {"seconds": time.process_time() - start}


def write_page(rows: list[dict[str, Any]]) -> None:
    """Write the page from the computed values."""
    known = {(row["north"], row["south"], row["goal"]): row for row in rows}
    values = read_values()
    lines, reasons = [], []
    sources: dict[str, int] = {}
    for value in values:
        row = known[value["north"], value["south"], value["tricks"]]
        decimals, scale = (4, 1) if value["tricks"] == "mean" else (2, 100)
        numbers = [
            "–" if row[name] is None else f"{scale * row[name]:.{decimals}f}"
            for name in ("ours", "below", "above", "distinct")
        ]
        suit = f"{value['north']}–{value['south']}"
        goal = "mean" if value["tricks"] == "mean" else f"≥ {value['tricks']}"
        mark = "" if value["reproduced"] == "yes" else "*"
        source = value["source"].split(" (")[0]
        number = sources.setdefault(source, len(sources) + 1)
        cells = [suit, goal, value["percent"] + mark, *numbers, str(number)]
        lines.append(f"| {' | '.join(cells)} |")
        if mark:
            text = value["comment"].split(". ", 1)[1].replace("as above", "as for AJ9–xxx")
            text = text.replace("source ", "the source ", 1)
            reasons.append(f"- {suit}, {goal}: published {value['percent']}. {text[:1].upper()}{text[1:]}.")
    agree = sum(value["reproduced"] == "yes" for value in values)
    page = INTRODUCTION.format(count=len(values), agree=agree) + "\n".join(lines)
    page += "\n\n## Those that do not agree\n\n" + "\n".join(dict.fromkeys(reasons)) + "\n"
    page += "\n## Sources\n\n" + "\n".join(f"{number}. {source}" for source, number in sources.items()) + "\n"
    PAGE.write_text(page, encoding="utf-8")


def main() -> None:
    """Compute what the file does not have yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args()
    rows = (
        [json.loads(line) for line in options.file.read_text().splitlines()] if options.file.exists() else []
    )
    known = {(row["north"], row["south"], row["goal"]) for row in rows}
    goals = dict.fromkeys((value["north"], value["south"], value["tricks"]) for value in read_values())
    for case in () if options.page else sorted(goals, key=lambda case: abs(len(case[0] + case[1]) - 10)):
        if case not in known:
            rows.append(compute(*case))
            with options.file.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
            sys.stdout.write(f"{rows[-1]}\n")
            sys.stdout.flush()
    write_page(rows)


if __name__ == "__main__":
    main()

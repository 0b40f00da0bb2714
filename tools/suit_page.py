"""Write docs/reference/suit-gaps.md: suit combinations double dummy and single dummy, those that differ most.

``python tools/suit_page.py`` takes a few minutes.
"""

from __future__ import annotations

from pathlib import Path

import dealerkit as dk

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "suit-gaps.md"
SHAPES = ((4, 3), (5, 3), (4, 4), (5, 4))
NORTH = (
    "AKJ", "AKT", "AQJ", "AQT", "AQ9", "AJT", "AJ9", "AT9", "KQT", "KQ9", "KJT", "KJ9", "QJ9", "QT9",
    "AQ", "AJ", "KJ", "KT", "QT", "AT",
)  # fmt: skip
SOUTH = ("", "J", "T", "Q", "K")
ROWS = 40
INTRODUCTION = """# Double dummy and single dummy

How much does it matter that a solver sees all cards? This page shows how often a suit makes a number of
tricks *double dummy*, with all cards visible, and *single dummy*, with the best line of a declarer who
sees two hands, against the best defence ([How do I play this suit?](../howto/suit.md)). Both
numbers are exact, with 13 vacant places in each hidden hand; x is a small card.

{count} common combinations were compared: two or three high cards in one hand, at most one in the other,
and seven to nine cards in all. {large} of them differ by 10 percentage points or more for some number of
tricks, and {small} by less than 0.1 for every number. The table has the {rows} that differ most, each for
the number of tricks with the largest difference.

If a contract depends on one of these suits, a double-dummy count makes it look better than it is, by as
much as the column "difference" says. In a double-dummy count the defenders see all cards, too; these
numbers do not include what they gain from that.

| combination | tricks | double dummy, % | single dummy, % | difference | line, if the defenders play low |
|---|---|---|---|---|---|
"""


def list_combinations() -> list[tuple[str, str]]:
    """Return common combinations: honours in one hand, at most one in the other, small cards."""
    return [
        (high + "x" * (long - len(high)), low + "x" * (short - len(low)))
        for long, short in SHAPES
        for high in NORTH
        for low in SOUTH
        if low not in high or not low
    ]


def main() -> None:
    """Compute all combinations and write the page."""
    rows, gaps = [], []
    for north, south in list_combinations():
        play = dk.suit(north, south, seconds=30)
        if not play.exact:
            continue
        layouts = play.layouts
        found = []
        for level, chance in play.chances.items():
            double = float(layouts.probability[layouts.double_dummy >= level].sum())
            found.append((double - chance, level, double, chance))
        gap, level, double, chance = max(found)
        gaps.append(gap)
        rows.append((gap, north, south, level, double, chance, play.best(level).words))
    rows.sort(key=lambda row: (-row[0], row[1:]))
    large, small = sum(gap >= 0.1 for gap in gaps), sum(gap < 0.001 for gap in gaps)
    text = INTRODUCTION.format(count=len(gaps), large=large, small=small, rows=ROWS)
    for gap, north, south, level, double, chance, words in rows[:ROWS]:
        shares = " | ".join(f"{100 * share:.1f}" for share in (double, chance, gap))
        text += f"| {north} opposite {south} | {level} | {shares} | {words} |\n"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

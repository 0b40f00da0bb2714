"""How the time of a run grows with what a script has: actions, variables, alternatives, hand types ...

    python tests/benchmarks/scaling.py [--quick]

Each kind of part is there 10, 100 and 1,000 times. A growth is the time for ten times the parts, divided by the time
for the parts: 10 for a cost that is straight, 100 for one that is quadratic, and less where something else prevails.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main  # noqa: E402

import dealerkit as dk  # noqa: E402

TABLES = {"scaling": ("part", "10, ms", "100, ms", "1,000, ms", "growth to 100", "growth to 1,000")}
SIZES = (10, 100, 1000)


def list_types(n: int) -> list[str]:
    """Return conditions that exclude each other: points of north, south and east together."""
    return [
        f"hcp(north) == {5 + k % 10} and hcp(south) == {5 + k // 10 % 10} and spades(north) == {k // 100 % 10}"
        for k in range(n)
    ]


def run(script: str) -> None:
    """Run a script until its texts are made."""
    str(dk.run(script, seed=1, produce=50).text)


def run_actions(n: int) -> None:
    """Means of different expressions."""
    run("action " + ", ".join(f'average "a{k}" hcp(north) * {k + 1}' for k in range(n)))


def run_equal_actions(n: int) -> None:
    """Means of one expression under different labels."""
    run("action " + ", ".join(f'average "label {k}" hcp(north)' for k in range(n)))


def run_frequencies(n: int) -> None:
    """Frequencies of different expressions."""
    run("action " + ", ".join(f'frequency "f{k}" (hcp(north) + {k}, {k}, {k + 40})' for k in range(n)))


def run_ranges(n: int) -> None:
    """One frequency, of a range of many values."""
    run(f"action frequency (hcp(north) * 7, 0, {9 * n})")


def run_variables(n: int) -> None:
    """Variables, each of which uses the one before."""
    lines = ["v0 = hcp(north)", *(f"v{k} = v{k - 1} + {k % 3}" for k in range(1, n))]
    run("\n".join([*lines, f"condition v{n - 1} >= {n + 5}", f"action average v{n - 1}"]))


def run_clauses(n: int) -> None:
    """Clauses of a condition, connected by `and`."""
    clauses = (f"hcp(north) + {k + 1} * spades(south) <= {14 * k + 30}" for k in range(n))
    run(f"condition {' and '.join(clauses)}\naction average hcp(north)")


def run_alternatives(n: int) -> None:
    """Alternatives of a condition, connected by `or`."""
    run(f"condition {' or '.join(f'({part})' for part in list_types(n))}\naction average hcp(north)")


def run_shapes(n: int) -> None:
    """Terms of a shape, of which there are no more than 560."""
    lengths = [
        f"{s:x}{h:x}{d:x}{13 - s - h - d:x}"
        for s in range(10)
        for h in range(10 - s)
        for d in range(10)
        if 0 <= 13 - s - h - d < 10
    ]
    terms = [lengths[k % len(lengths)] for k in range(n)]
    run(f"condition shape(north, {' + '.join(terms)})\naction average hcp(north)")


def run_choices(n: int) -> None:
    """Values chosen by conditions, one inside the other."""
    text = "0"
    for k in range(n):
        text = f"hcp(north) == {k % 38} and spades(north) == {k % 10} ? {k} : ({text})" if k < 60 else text
    parts = " + ".join(f"(hcp(north) == {k % 38} ? {k} : 0)" for k in range(n))
    run(f"action average {parts}, average ({text})")


def run_types(n: int) -> None:
    """Hand types of a levelled run, at most 100."""
    types = {f"type {k}": part for k, part in enumerate(list_types(n))}
    dk.level("", types, produce=n, seed=1)


def run_columns(n: int) -> None:
    """Columns of a frame."""
    deals = dk.deal(50, seed=1)
    deals.to_frame(**{f"c{k}": f"hcp(north) + {k}" for k in range(n)})


def run_questions(n: int) -> None:
    """A probability that has many alternatives."""
    dk.probability(" or ".join(f"({part})" for part in list_types(n)))


KINDS: dict[str, Callable[[int], None]] = {
    "means of different expressions": run_actions,
    "means of one expression": run_equal_actions,
    "frequencies": run_frequencies,
    "values of a frequency": run_ranges,
    "variables in a row": run_variables,
    "clauses": run_clauses,
    "alternatives": run_alternatives,
    "alternatives of a probability": run_questions,
    "terms of a shape": run_shapes,
    "choices": run_choices,
    "hand types": run_types,
    "columns": run_columns,
}


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each kind of part."""
    for name, body in KINDS.items():
        sizes = SIZES[:2] if body is run_types else SIZES  # a run has at most 100 hand types
        times = [1000 * least(lambda: body(n), 1 if quick else 3) for n in sizes]  # noqa: B023
        growths = [more / less for less, more in pairwise(times)]
        yield "scaling", (name, *times, *[""] * (3 - len(times)), *growths, *[""] * (2 - len(growths)))


if __name__ == "__main__":
    main(TABLES, measure, __doc__)

"""Speed of all evaluators on one thread: the slowest, the median and the fastest of each kind.

    python tests/benchmarks/evaluators.py [--quick]

Evaluators of a hand, of a side, and optimal points (`opc`), in CPU nanoseconds of the thread for each hand or side.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main  # noqa: E402

import dealerkit as dk  # noqa: E402
import dealerkit.language.functions  # noqa: E402, F401  (it fills the registry)
from dealerkit import registry  # noqa: E402
from dealerkit.registry import Function  # noqa: E402

TABLES = {"evaluators": ("kind", "evaluators", "fastest", "ns", "median, ns", "slowest", "ns")}


def kind_of(function: Function) -> str | None:
    """Return the row of an evaluator, or None for functions that are not measured."""
    if function.body is None or "card" in function.arguments or "integer" in function.arguments:
        return None
    if function.name == "opc":
        return "opc"
    return {"hand": "hand", "side": "side", "pair": "side"}.get(function.kind)


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each kind of evaluator."""
    runs, n_deals = (1, 20_000) if quick else (5, 200_000)
    deals = dk.deal(n_deals, seed=1)
    north, south = deals.hand("north"), deals.hand("south")
    costs: dict[str, list[tuple[float, str]]] = {"hand": [], "side": [], "opc": []}
    for function in registry.functions():
        kind, body = kind_of(function), function.body
        if kind is None or body is None:
            continue
        arguments = [north] if kind == "hand" else [north, south]
        if "suit" in function.arguments:
            arguments.append(0)
        for variant in function.variants or (None,):
            keywords = {} if variant is None else {"variant": variant}
            seconds = least(lambda: body(*arguments, **keywords), runs, time.thread_time)  # noqa: B023
            name = function.name if variant is None else f"{function.name}, {variant}"
            costs[kind].append((1e9 * seconds / n_deals, name))
    for kind, rows in costs.items():
        rows.sort()
        (low, fastest), (middle, _), (high, slowest) = rows[0], rows[len(rows) // 2], rows[-1]
        yield "evaluators", (kind, len(rows), fastest, low, middle, slowest, high)


if __name__ == "__main__":
    main(TABLES, measure, __doc__)

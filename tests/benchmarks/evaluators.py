"""Speed of all evaluators on one thread, compared with the required speeds.

    python tests/benchmarks/evaluators.py [--runs 5] [--deals 200000] [--all]

Speeds are in million hands a second for evaluators of hands (required: 15), and in million sides a second for
those of sides (1) and for optimal points (0.3). They are computed from the least CPU time of the thread in
`runs` calls. Without `--all` only the slowest of each kind are printed. Composite tags of usereval compute
several point counts: the number in brackets is the speed times their number.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import dealerkit as dk
import dealerkit.language.functions  # noqa: F401  (it fills the registry)
from dealerkit import registry
from dealerkit.evaluators.dealerv2.usereval import tag_values
from dealerkit.registry import Function

REQUIRED = {"hand": 15.0, "side": 1.0, "opc": 0.3}
COUNTS = {40: 15, 42: 15, 88: 15}


def fastest(body: Callable[[], object], runs: int) -> float:
    """Return the least CPU seconds of this thread, after one call that computes tables and compiles kernels."""
    body()
    seconds = []
    for _ in range(runs):
        start = time.thread_time()
        body()
        seconds.append(time.thread_time() - start)
    return min(seconds)


def kind_of(function: Function) -> str | None:
    """Return the key of the required speed, or None for functions that are not measured."""
    if function.body is None or "card" in function.arguments or "integer" in function.arguments:
        return None
    if function.name == "opc":
        return "opc"
    return {"hand": "hand", "side": "side", "pair": "side"}.get(function.kind)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--deals", type=int, default=200_000)
    parser.add_argument("--all", action="store_true", help="every evaluator, not the slowest only")
    options = parser.parse_args()
    deals = dk.deal(options.deals, seed=1)
    north, south = deals.hand("north"), deals.hand("south")
    speeds: dict[str, list[tuple[float, str]]] = {kind: [] for kind in REQUIRED}
    for function in registry.functions():
        kind, body = kind_of(function), function.body
        if kind is None or body is None:
            continue
        arguments = [north] if kind == "hand" else [north, south]
        if "suit" in function.arguments:
            arguments.append(0)
        for variant in function.variants or (None,):
            keywords = {} if variant is None else {"variant": variant}
            seconds = fastest(lambda: body(*arguments, **keywords), options.runs)  # noqa: B023  (called here)
            name = function.name if variant is None else f"{function.name}, {variant}"
            speeds[kind].append((options.deals / seconds / 1e6, name))
    for kind, rows in speeds.items():
        rows.sort()
        print(f"{kind}: {len(rows)} measured, {REQUIRED[kind]:g} million a second required")
        for speed, name in rows if options.all else rows[:5]:
            print(f"  {speed:8.2f}  {name}{'' if speed >= REQUIRED[kind] else '  TOO SLOW'}")
    for tag, counts in COUNTS.items():
        speed = options.deals / fastest(lambda: tag_values(north, south, tag), options.runs) / 1e6  # noqa: B023
        print(f"usereval tag {tag}: {speed:.2f} ({speed * counts:.1f} counts)")


if __name__ == "__main__":
    main()

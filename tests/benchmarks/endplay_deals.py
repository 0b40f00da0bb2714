"""CPU time of endplay for a dealt deal, as a multiple of that of Debian's dealer.

    python tests/benchmarks/endplay_deals.py [--quick]

The conditions are those of scripts a, b and d of `peers.py`, as functions of Python. Both programs run in turn, since
the load of the machine changes; the row has the median of the ratios. endplay deals a part of what dealer does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, alternate, main  # noqa: E402
from endplay.dealer import generate_deals  # noqa: E402
from endplay.evaluate import hcp, shape  # noqa: E402
from peers import A, B, D, all_cpu, run_dealer  # noqa: E402

TABLES = {"endplay": ("script", "endplay / dealer", "lowest", "highest")}
PART = 4_000  # deals of endplay
BALANCED = ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])


def is_strong(deal: Any) -> bool:
    """Return whether north is balanced with 20 to 22 points: script b."""
    return sorted(shape(deal.north)) in BALANCED and 20 <= hcp(deal.north) <= 22


def is_three_hands(deal: Any) -> bool:
    """Return whether the deal meets the condition of script d."""
    if not (15 <= hcp(deal.north) <= 17 and sorted(shape(deal.north)) in BALANCED):
        return False
    south = shape(deal.south)
    if not (hcp(deal.south) >= 8 and south[1] == 5 and sorted(south) in ([2, 3, 3, 5], [1, 3, 4, 5])):
        return False
    return len(deal.east.spades) >= 5 and hcp(deal.east) >= 8


def evaluate_deals(function: Callable[[Any], Any]) -> None:
    """Call a function for each deal of a part."""
    for deal in generate_deals(produce=PART, seed=1):
        function(deal)


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    for name, script, function in (
        ("a", A, lambda deal: hcp(deal.north)),
        ("b", B, is_strong),
        ("d", D, is_three_hands),
    ):
        dealer, endplay = alternate(
            [lambda s=script: run_dealer(s, "-g", "1000000"), lambda f=function: evaluate_deals(f)],
            3 if quick else 9,
            all_cpu,
        )
        ratios = [new / PART / (old / 1_000_000) for old, new in zip(dealer, endplay, strict=True)]
        yield "endplay", (name, median(ratios), min(ratios), max(ratios))


if __name__ == "__main__":
    main(TABLES, measure, __doc__)

"""Speed of the trick model on one thread: evaluations of a deal, strain and declarer.

    python tests/benchmarks/trick_model.py [--quick]

Scripts use single precision. Times are the least CPU time of the thread in several calls.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = (
    "1"  # only the time of this thread is measured
)
sys.path.insert(0, str(Path(__file__).parent))
import numpy as np  # noqa: E402
from common import Row, least, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.doubledummy.trick_model.network import load_weights  # noqa: E402
from dealerkit.doubledummy.trick_model.predictions import predict  # noqa: E402

TABLES = {"trick model": ("precision", "strain", "microseconds", "evaluations a second")}


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each precision and kind of strain."""
    runs, n_deals = (1, 5_000) if quick else (10, 20_000)
    hands = dk.deal(n_deals, seed=1).hands
    for dtype in (np.float32, np.float64):
        weights = load_weights(dtype)
        for strain in ("spades", "notrump"):
            seconds = (
                least(partial(predict, hands, strain, "south", weights), runs, time.thread_time) / n_deals
            )
            yield "trick model", (dtype.__name__, strain, 1e6 * seconds, 1 / seconds)


if __name__ == "__main__":
    main(TABLES, measure, __doc__)

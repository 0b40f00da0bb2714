"""Speed of the accumulators of averages and frequencies, compared with plain numpy on the same values.

    python tests/benchmarks/accumulators.py [--runs 300]

The numbers are ratios of the least CPU times: `Moments.update` to the sum and the sum of squares as float64,
`Counts.update` to `numpy.bincount`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from dealerkit.statistics import Counts, Moments

N_DEALS = 65_536  # a batch


def measure_seconds(body: Callable[[], object], runs: int) -> float:
    """Return the least CPU seconds of this thread, after one call that compiles kernels."""
    body()
    seconds = []
    for _ in range(runs):
        start = time.thread_time()
        body()
        seconds.append(time.thread_time() - start)
    return min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=300)
    runs = parser.parse_args().runs
    values = np.random.default_rng(1).integers(0, 38, N_DEALS).astype(np.int8)
    moments, counts = Moments(), Counts((0, 37))

    def add_in_numpy() -> object:
        reals = values.astype(np.float64)
        return reals.sum(), (reals * reals).sum()

    for name, ours, plain in (
        ("Moments.update", lambda: moments.update(values), add_in_numpy),
        ("Counts.update", lambda: counts.update(values), lambda: np.bincount(values, minlength=38)),
    ):
        seconds = measure_seconds(ours, runs)
        ratio = seconds / measure_seconds(plain, runs)
        print(f"{name}: {1e6 * seconds:.0f} microseconds a batch, {ratio:.2f} times numpy")


if __name__ == "__main__":
    main()

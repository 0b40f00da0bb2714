"""Speed of the trick model on one thread: evaluations of a deal, strain and declarer in a second.

    OMP_NUM_THREADS=1 python tests/benchmarks/trick_model.py [--runs 10] [--deals 20000]

The required speed is 100,000 a second in single precision. Times are the least CPU time of the thread in `runs`
calls; without OMP_NUM_THREADS=1 matrix products use threads that are not counted.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np

import dealerkit as dk
from dealerkit.doubledummy.trick_model.network import load_weights
from dealerkit.doubledummy.trick_model.predictions import predict

REQUIRED = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--deals", type=int, default=20_000)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        raise SystemExit("set OMP_NUM_THREADS=1: only the time of this thread is measured")
    hands = dk.deal(options.deals, seed=1).hands
    print(f"{'':26} evaluations/s  microseconds")
    for dtype in (np.float32, np.float64):
        for strain in ("spades", "notrump"):
            seconds = []
            for _ in range(options.runs + 1):  # the first compiles
                start = time.thread_time()
                predict(hands, strain, "south", load_weights(dtype))
                seconds.append(time.thread_time() - start)
            least = min(seconds[1:]) / options.deals
            verdict = (
                "" if dtype is np.float64 else "ok" if 1 / least >= REQUIRED else f"required: {REQUIRED:,}"
            )
            print(f"{dtype.__name__:>12} {strain:>12} {1 / least:13,.0f} {least * 1e6:12.1f}  {verdict}")


if __name__ == "__main__":
    main()

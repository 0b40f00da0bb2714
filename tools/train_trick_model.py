"""Train the trick model again from its recorded recipe, and print its card.

    python tools/train_trick_model.py train FILE    # weights; half an hour or so of one processor
    python tools/train_trick_model.py card [FILE]   # tables of explanation/trick-model.md, from the weights
    python tools/train_trick_model.py solve PART    # data/unusual_deals_*.npz, "held out" or "training"

`train` is deterministic on one machine with one thread: OMP_NUM_THREADS=1. On another processor, sums are
rounded in another order; the weights then differ, and the errors of the card by about 2 % of their value.
`card` measures a file of weights, by default that of the package, on the held-out deals of the sample.
Nothing but the packages of dealerkit itself is needed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from trick_model import kernels as do
from trick_model.card import format_card
from trick_model.gradients import Network
from trick_model.populations import PARTS, POPULATIONS, load_population, solve_part

import dealerkit as dk
from dealerkit.doubledummy.trick_model import network
from dealerkit.doubledummy.trick_model.predictions import CALIBRATION, TRAINING, find_part

RECIPE: dict[str, Any] = {
    "deals": 200_000,  # the first of the sample, beside the unusual ones
    "passes": 28,  # each takes two neighbouring declarers of every deal, at random, in all five strains
    "batch": 256,  # deals
    "weights_seed": 1,
    "order_seed": 5,  # of deals and declarers
    "squared_error": 0.5,  # its weight in the loss, beside the cross-entropy
    "peak_rate": 4e-3,
    "warm_up": 0.15,  # share of the steps in which the rate rises
    "decay": 1e-2,
    "beta1": 0.9,
    "beta2": 0.99,
    "longest_gradient": 1.0,
}


def learning_rate(step: int, steps: int) -> float:
    """Return the rate of one cycle: up and down by half periods of the cosine (L. Smith, 2018)."""
    share, warm, peak = step / steps, RECIPE["warm_up"], RECIPE["peak_rate"]
    if share < warm:
        start, end, done = peak / 25, peak, share / warm
    else:
        start, end, done = peak, peak / 1e4, (share - warm) / (1 - warm)
    return end + (start - end) * (1 + np.cos(np.pi * done)) / 2


def train(hands: np.ndarray, tricks: np.ndarray, steps_at_most: int | None = None) -> Network:
    """Return the network trained on deals, uint64 [n, 4], and tricks [n, declarer, strain]."""
    model, size = Network(seed=RECIPE["weights_seed"]), RECIPE["batch"]
    n_batches = len(hands) // size
    steps, step = RECIPE["passes"] * n_batches, 0
    rng = np.random.default_rng(RECIPE["order_seed"])
    moments, squares = np.zeros((2, len(model.flat)), np.float32)
    features = np.empty((size, 2, 4, network.FEATURES), np.float32)
    start = time.process_time()
    for number in range(RECIPE["passes"]):
        order, losses = rng.permutation(len(hands)), np.zeros(2)
        for batch in range(n_batches):
            if step == steps_at_most:
                return model
            chosen = order[batch * size : (batch + 1) * size]
            first = rng.integers(0, 4, size)
            declarers = np.stack([first, (first + 1) % 4], axis=1)
            logits = model.compute(do.encode_deals(hands[chosen], first, features))
            truth, n = tricks[chosen[:, None], declarers].ravel(), len(logits)
            losses += np.divide(do.differentiate_loss(logits, truth, RECIPE["squared_error"], 1 / n), n)
            model.differentiate(logits)
            rate = learning_rate(step, steps)
            step += 1
            do.step_adamw(
                model.flat, model.flat_gradient, moments, squares, rate, RECIPE["decay"], RECIPE["beta1"],
                RECIPE["beta2"], float(step), RECIPE["longest_gradient"],
            )  # fmt: skip
        entropy, error = losses / n_batches
        seconds = time.process_time() - start
        print(
            f"pass {number + 1}: cross-entropy {entropy:.4f}, squared error {error:.4f}, {seconds:.0f} s",
            flush=True,
        )
    return model


def calibrate(weights: dict[str, np.ndarray], deals: dk.Deals) -> dict[str, np.ndarray]:
    """Return `scale` [2] and `shift` [2, 14], for suits and notrump, that make chances agree with deals.

    Chances are those of scale * logits + shift. Both maximise the likelihood of the tricks of these deals,
    less half the sum of the squared shifts.
    """
    scale, shift = np.ones(2), np.zeros((2, 14))
    for kind, strains in enumerate([range(4), [network.NOTRUMP]]):
        cells = [(strain, declarer) for strain in strains for declarer in range(4)]
        logits = np.concatenate([network.compute_logits(deals.hands, *cell, weights) for cell in cells])
        tricks = np.concatenate([deals.tables[:, strain, declarer] for strain, declarer in cells])
        is_taken = np.eye(14)[tricks]

        def cost(values: np.ndarray, logits: np.ndarray = logits, is_taken: np.ndarray = is_taken) -> tuple:
            scaled = values[0] * logits + values[1:]
            scaled -= scaled.max(axis=1, keepdims=True)
            total = np.log(np.exp(scaled).sum(axis=1, keepdims=True))
            excess = np.exp(scaled - total) - is_taken
            gradient = np.append((excess * logits).sum(), excess.sum(axis=0) + values[1:])
            return -((scaled - total) * is_taken).sum() + (values[1:] ** 2).sum() / 2, gradient

        found = minimize(cost, np.append(1.0, np.zeros(14)), jac=True, method="L-BFGS-B")
        scale[kind], shift[kind] = found.x[0], found.x[1:]
    return {"scale": scale.astype(np.float16), "shift": shift.astype(np.float16)}


def train_file(path: Path) -> None:
    """Train on sample and unusual deals, calibrate on the sample, and write the weights as float16."""
    deals = dk.solved_sample()[: RECIPE["deals"]]
    part = find_part(deals)
    training = [deals[part == TRAINING], *(load_population(name, "training") for name in POPULATIONS)]
    hands = np.concatenate([deals.hands for deals in training])
    tables = np.concatenate([deals.tables for deals in training])
    tricks = np.ascontiguousarray(tables.transpose(0, 2, 1)).astype(np.int64)
    stored = {name: array.astype(np.float16) for name, array in train(hands, tricks).p.items()}
    save_calibrated(path, stored, deals[part == CALIBRATION])


def save_calibrated(path: Path, stored: dict[str, np.ndarray], deals: dk.Deals) -> None:
    """Write weights with their calibration on these deals."""
    weights = network.prepare_weights(stored | {"scale": np.ones(2), "shift": np.zeros((2, 14))})
    np.savez_compressed(path, **stored, **calibrate(weights, deals))  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("train").add_argument("file", type=Path)
    commands.add_parser("card").add_argument("file", type=Path, nargs="?")
    commands.add_parser("solve").add_argument("part", choices=list(PARTS))
    arguments = parser.parse_args()
    if arguments.command == "solve":
        print(solve_part(arguments.part))
        return
    if arguments.command == "train":
        train_file(arguments.file)
    print(format_card(dk.solved_sample()[: RECIPE["deals"]], arguments.file))


if __name__ == "__main__":
    main()

"""Simulated tournaments with known skill: contracts and tricks of solved deals, with noise."""

from __future__ import annotations

import numpy as np

import dealerkit as dk


def simulate_event(
    deals: dk.Deals, n_pairs: int, skill: np.ndarray, seed: int, noise: float = 1.0
) -> tuple[str, np.ndarray]:
    """Return a Howell-like event as CSV text, and the mean score difference that skill makes, by pair.

    Each board is played by all pairs, at n_pairs / 2 tables. Declarer's tricks are double dummy plus noise plus
    the difference of the skills of the pairs, in tricks, rounded at random so that its mean is right.
    """
    rng = np.random.default_rng(seed)
    assert deals.tables is not None
    lines = ["board,ns,ew,contract,declarer,tricks"]
    for board, table in enumerate(deals.tables.tolist(), 1):
        order = rng.permutation(n_pairs)
        for k in range(n_pairs // 2):
            ns, ew = int(order[2 * k]), int(order[2 * k + 1])
            strain, declarer, level = _choose_contract(np.array(table), rng)
            own, other = (ns, ew) if declarer % 2 == 0 else (ew, ns)
            shift = skill[own] - skill[other] + noise * rng.normal()
            tricks = int(np.clip(np.floor(table[strain][declarer] + shift + rng.random()), 0, 13))
            name = f"{level}{'SHDCN'[strain]}".replace("N", "NT")
            lines.append(f"{board},{ns + 1},{ew + 1},{name},{'NESW'[declarer]},{tricks}")
    return "\n".join(lines) + "\n", skill


def _choose_contract(table: np.ndarray, rng: np.random.Generator) -> tuple[int, int, int]:
    """Return strain, declarer and level of a contract near what the side with more tricks makes."""
    best = table.max(axis=1)
    strain = int(rng.choice(5, p=(w := np.exp(best - best.max())) / w.sum()))
    declarer = int(table[strain].argmax())
    level = int(np.clip(best[strain] - 6 + rng.integers(-1, 2), 1, 7))
    return strain, declarer, level

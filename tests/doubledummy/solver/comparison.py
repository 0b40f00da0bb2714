"""Compare the own solver with minimax in endings, and with DDS in endings, positions and whole deals.

    python tests/doubledummy/solver/comparison.py --seed 7 --endings 100000 --positions 20000 --deals 300 --solved 3000

prints each disagreement with its position, and the counts. `--solved` compares with the tables of the solved deals of
the package, which DDS has solved, so that it takes no time of DDS. The slow tests do the same with seeds of their own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from dealerkit.doubledummy.library_calls import call_boards, call_rows  # noqa: E402
from dealerkit.doubledummy.solver.workspace import Workspace  # noqa: E402
from dealerkit.doubledummy.solvers import use_solver  # noqa: E402
from dealerkit.formats.sample import solved_sample  # noqa: E402
from tests.support.endings import DECK, Ending, count_by_minimax, draw_ending  # noqa: E402


def compare_endings(seed: int, n: int, sizes: tuple[int, ...]) -> Iterator[str]:
    """Yield the endings in which the tricks of north and south differ from those of minimax."""
    rng, workspace = np.random.default_rng(seed), Workspace()
    for i in range(n):
        ending = draw_ending(rng, int(rng.choice(sizes)), int(rng.integers(4)) if i % 4 == 0 else 0)
        workspace.set_deal(ending.dealt, ending.strain)
        found = workspace.count_tricks(ending.table, ending.leader, ending.n_tricks // 2)
        expected = count_by_minimax(ending)
        if found != expected:
            yield f"{ending}: {found} tricks of NS, minimax {expected}"


def compare_positions(seed: int, n: int, sizes: tuple[int, ...]) -> Iterator[str]:
    """Yield the positions in which the tricks of some card, or the cards that reach a target, differ from DDS."""
    rng = np.random.default_rng(seed)
    for _ in range(-(-n // 100)):
        n_played, size = int(rng.integers(4)), int(rng.choice(sizes))
        endings = [draw_ending(rng, size, n_played) for _ in range(100)]
        found, expected = (_score_cards(endings, solver, solutions=3) for solver in ("own", "dds"))
        target = int(rng.integers(1, size + 1))
        every, one = (_score_cards(endings, "own", solutions=k, target=target) for k in (2, 1))
        for ending, *own, library in zip(endings, found, every, one, expected, strict=True):
            good = {card for card, tricks in library.items() if tricks >= target}
            reached = [{card for card, tricks in cards.items() if tricks >= target} for cards in own[1:]]
            if (
                own[0] != library
                or reached[0] != good
                or not reached[1] <= good
                or bool(reached[1]) != bool(good)
            ):
                yield f"{ending}: {own[0]}, {target} tricks or more with {reached}, DDS {library}"


def _score_cards(endings: list[Ending], solver: str, **options: int) -> list[dict]:
    """Return for each ending the tricks of the player's side, by suit, rank and set of equal ranks."""
    trick = np.zeros((2, len(endings), 3), np.int64)
    for i, ending in enumerate(endings):
        for place, card in enumerate(ending.table):
            lane, rank = divmod(card.bit_length() - 1, 16)
            trick[:, i, place] = 3 - lane, rank + 2
    hands = np.array([ending.hands for ending in endings], np.uint64)
    strain, leader = (np.array([getattr(e, name) for e in endings]) for name in ("strain", "leader"))
    with use_solver(solver):
        solved = call_boards(hands, strain, leader, trick=(trick[0], trick[1]), **options)
    return [
        {
            (int(row["suit"][k]), int(row["rank"][k]), int(row["equals"][k])): int(row["score"][k])
            for k in range(row["cards"])
        }
        for row in solved
    ]


def draw_freak(rng: np.random.Generator) -> list[int]:
    """Return a deal with long suits: one hand of a single suit, two-suited hands, or suits dealt in turn."""
    kind = rng.integers(3)
    if kind == 0:  # one hand has a whole suit
        first = DECK[:13]
        rest = rng.permutation(DECK[13:])
        cards = np.concatenate([first, rest])
    elif kind == 1:  # two hands share two suits, the others the other two
        cards = np.concatenate([rng.permutation(DECK[:26]), rng.permutation(DECK[26:])])
    else:
        cards = DECK[np.argsort((DECK >> 4) * 4 + rng.integers(0, 9, 52), kind="stable")]
    suits, seats = rng.permutation(4), rng.permutation(4)
    cards = 16 * suits[cards >> 4] + (cards & 15)
    return [sum(1 << int(c) for c in cards[13 * k : 13 * k + 13]) for k in seats]


def compare_deals(seed: int, n: int) -> Iterator[str]:
    """Yield the deals, a quarter of them freaks, with a cell of the table that differs from DDS's."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        hands = draw_freak(rng) if i % 4 == 0 else list(draw_ending(rng, 13).hands)
        deal = np.array([hands], np.uint64)
        for strain in range(5):
            rows = []
            for solver in ("own", "dds"):
                with use_solver(solver):
                    rows.append(call_rows(deal, strain, 1)[0].tolist())
            if rows[0] != rows[1]:
                yield f"{Ending(tuple(hands), (), 0, strain)}: {rows[0]}, DDS {rows[1]}"


def compare_solved(seed: int, n: int) -> Iterator[str]:
    """Yield the deals of the solved sample in which a cell of the table differs from the stored one of DDS."""
    sample = solved_sample()
    rows = np.random.default_rng(seed).permutation(len(sample))[:n]
    with use_solver("own"):
        for row in rows.tolist():
            hands = sample.hands[row : row + 1]
            table = np.array([call_rows(hands, strain, 1)[0] for strain in range(5)])
            if not np.array_equal(table, sample.tables[row]):
                yield f"deal {row} of the sample: {table.tolist()}, DDS {sample.tables[row].tolist()}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    for name in ("endings", "positions", "deals", "solved"):
        parser.add_argument(f"--{name}", type=int, default=1000)
    options = parser.parse_args()
    n_wrong = 0
    for name, faults in (
        ("endings", compare_endings(options.seed, options.endings, (4, 5, 6, 7))),
        ("positions", compare_positions(options.seed, options.positions, (2, 3, 4, 5, 6, 7, 8, 9))),
        ("deals", compare_deals(options.seed, options.deals)),
        ("solved", compare_solved(options.seed, options.solved)),
    ):
        count = 0
        for fault in faults:
            print(fault, flush=True)
            count += 1
        n_wrong += count
        unit = "solved deals" if name == "solved" else name
        print(f"{getattr(options, name):,} {unit}: {count} differences", flush=True)
    return min(n_wrong, 1)


if __name__ == "__main__":
    sys.exit(main())

"""Wrong versions of the solver's rules, and endings that each of them gets wrong.

    python tests/doubledummy/solver/mutations.py --seed 1 --endings 20000

looks for an ending for each rule that none of `traps.json` shows to be wrong, and adds it. Whole deals seldom show
such faults: rules act near the end, where another rule or a better card often hides a wrong number.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).parents[3]
TRAPS = Path(__file__).with_name("traps.json")
sys.path.insert(0, str(ROOT))

from tests.support.endings import Ending, draw_ending  # noqa: E402


class Mutation(NamedTuple):
    """A rule made weaker or greedier: a piece of text of a module, and what takes its place."""

    module: str
    old: str
    new: str


MUTATIONS = {
    "cashing does not count the trumps of the opponents": Mutation(
        "sure_tricks", "if left_trumps > 0 and high > count_bits(x):", "if high > 13:"
    ),
    "cashing lets partner be forced to ruff": Mutation(
        "sure_tricks", "        if high > rounds:\n", "        if high > 13:\n"
    ),
    "trump tricks without the limit of the longer hand": Mutation(
        "sure_tricks", "count = high if high < longest else longest", "count = high"
    ),
    "the king wins on either side of the ace": Mutation(
        "sure_tricks",
        "holder = left if own >> shift & top else right",
        "holder = left if cards & second & (left >> shift) else right",
    ),
    "king and queen win although both are alone": Mutation(
        "sure_tricks", "if high == 0 and longest > 1:", "if high == 0:"
    ),
    "entries count the shorter of two hands": Mutation(
        "sure_tricks", "k = k if k > m else m", "k = k if k < m else m"
    ),
    "entries take the better of both opponents": Mutation(
        "sure_tricks", "x_first if x_first < y_first", "x_first if x_first > y_first"
    ),
    "entries do not name the cards of an opponent": Mutation(
        "sure_tricks",
        "y_leads |= y != 0\n            proof |= ",
        "y_leads |= y != 0\n            proof |= 0 * ",
    ),
    "entries pass the lead to a partner without a card of the suit": Mutation(
        "sure_tricks", "y_leads |= y != 0", "y_leads |= True"
    ),
    "entries keep a card to lead beside all others": Mutation(
        "sure_tricks", "if x_leads and x_tricks < x_room else", "if x_leads else"
    ),
    "a stopper needs no card for each highest one": Mutation(
        "sure_tricks", "count_high(x, low | y) > high", "count_high(x, low | y) >= high"
    ),
    "a stopper is not named": Mutation(
        "sure_tricks", "tops[stopper << 4 | high + 1] << shift", "tops[stopper << 4 | high] << shift"
    ),
    "a stopper may fall to partner's cards": Mutation(
        "sure_tricks", "count_high(x, low | y) > high", "count_high(x, low) > high"
    ),
    "a stopper counts although not all highest cards can be kept": Mutation(
        "sure_tricks", "if x_tricks + x_stoppers > rest or y_tricks + y_stoppers > rest:", "if rest < 0:"
    ),
    "long cards count while others follow": Mutation(
        "sure_tricks", "if high >= longest:", "if high + 1 >= longest:"
    ),
    "partner's trumps do not fall under the leader's": Mutation(
        "sure_tricks", "(fallen if fallen > 0 else 0)", "0"
    ),
    "more trump tricks than the longer hand has trumps": Mutation(
        "sure_tricks", "later = later if later < longer else longer", "later += 0 * longer"
    ),
    "partner's trumps are not named": Mutation("sure_tricks", "tops[suit | n_both]", "tops[suit | high]"),
    "partner's suits force the leader to ruff": Mutation(
        "sure_tricks", "own_rounds = n - count_bits(own >> shift & 8191)", "own_rounds = n"
    ),
    "partner leads his suits without having the lead": Mutation(
        "sure_tricks", "if lane == trump or cards == 0 or p <=", "if lane == trump or p <="
    ),
    "the lead to partner may be ruffed": Mutation(
        "sure_tricks", "if (x or left_trumps <= 0) and (y or right_trumps <= 0):", "if cards:"
    ),
    "crossing lets partner overtake": Mutation(
        "sure_tricks", "if n_mine and n_his and low_b < n_mine:", "if False:"
    ),
    "crossing without a low card": Mutation(
        "sure_tricks", "n_his > 0 and n_a > n_mine, k", "n_his > 0 and n_a > 0, k"
    ),
    "the second hand's rule does not name the highest card": Mutation("search", "proof | top", "proof"),
    "the second hand's rule forgets third hand's trumps": Mutation(
        "search", "if trump < 4 and led != trump and third", "if False and third"
    ),
    "the second hand's rule forgets that partner must ruff": Mutation(
        "search", "if trump < 4 and partner & ~(8191 << (16 * trump)) == 0 and led != trump:", "if False:"
    ),
    "patterns split groups of equal cards": Mutation(
        "patterns", "while k < n and owners >> (24 - 2 * k) & 3 == owner:", "while False:"
    ),
    "patterns do not name the last card of a group": Mutation(
        "patterns",
        "k = count_bits(cards & ~((proof & -proof) - 1))",
        "k = count_bits(cards & ~((proof & -proof) - 1)) - 1",
    ),
    "all lower cards fail with a card": Mutation(
        "search", "return moves & ~card", "return moves & ~((8191 << shift) & (2 * card - 1))"
    ),
    "cards are equal when a card on the table was between them": Mutation(
        "moves", "start = stack[row + START]", "start = stack[row + REST]"
    ),
    "the winner of a trick is not named": Mutation(
        "search", "best if suit != best else 0\n        stack[child", "0\n        stack[child"
    ),
    "a failure is proved by its last card": Mutation(
        "search", "proof |= stack[row + PROOF]\n", "proof |= 0\n"
    ),
}


def read_traps() -> dict[str, Ending]:
    """Return an ending for each mutation."""
    traps = json.loads(TRAPS.read_text(encoding="utf-8")) if TRAPS.exists() else {}
    return {
        name: Ending(tuple(h), tuple(t), leader, strain) for name, (h, t, leader, strain) in traps.items()
    }


def count_tricks(endings: list[Ending], mutation: Mutation | None = None) -> list[int]:
    """Return the tricks of north and south by the solver, or by a wrong version of it in another process."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "dealerkit")
        package.mkdir()
        for path in (ROOT / "dealerkit").iterdir():
            if path.name not in ("doubledummy", "__pycache__"):
                (package / path.name).symlink_to(path)
        shutil.copytree(
            ROOT / "dealerkit" / "doubledummy",
            package / "doubledummy",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        if mutation is not None:
            path = package / "doubledummy" / "solver" / f"{mutation.module}.py"
            text = path.read_text(encoding="utf-8")
            if text.count(mutation.old) != 1:
                raise ValueError(f"{mutation.module} has {text.count(mutation.old)} times {mutation.old!r}")
            path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        file = Path(folder, "endings.json")
        file.write_text(
            json.dumps([[e.dealt, e.table, e.leader, e.strain] for e in endings]), encoding="utf-8"
        )
        code = (
            "import json, sys\n"
            "from dealerkit.doubledummy.solver.workspace import Workspace\n"
            "workspace, found = Workspace(), []\n"
            "for hands, table, leader, strain in json.load(open(sys.argv[1], encoding='utf-8')):\n"
            "    workspace.set_deal(hands, strain)\n"
            "    found.append(workspace.count_tricks(table, leader, sum(hands).bit_count() // 8))\n"
            "print(json.dumps(found))\n"
        )
        environment = os.environ | {"PYTHONPATH": folder, "NUMBA_CACHE_DIR": folder, "DEALERKIT_STORE": "off"}
        done = subprocess.run(
            [sys.executable, "-c", code, str(file)],
            env=environment,
            capture_output=True,
            text=True,
            cwd=folder,
            check=True,
        )
        return json.loads(done.stdout)


def fill_with_trumps(ending: Ending) -> Ending:
    """Return the ending with spades as trumps, of which the leader's partner has nothing but some low ones."""
    hands, n = list(ending.hands), ending.n_tricks
    partner = (ending.leader + 2) & 3
    hands[partner] = 0
    free = [rank for rank in range(13) if not sum(hands) >> 48 + rank & 1]
    if len(free) < n:
        return ending
    hands[partner] = sum(1 << 48 + rank for rank in free[:n])
    return ending._replace(hands=tuple(hands), strain=0)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--endings", type=int, default=20_000)
    parser.add_argument("--sizes", type=int, nargs=2, default=(2, 7), help="cards of a hand, from and to")
    parser.add_argument("--trumps", action="store_true", help="the hand opposite the leader has only trumps")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    endings = []
    for i in range(options.endings):
        low, high = options.sizes
        ending = draw_ending(rng, int(rng.integers(low, high + 1)), int(rng.integers(4)) if i % 5 == 0 else 0)
        endings.append(fill_with_trumps(ending) if options.trumps and not ending.table else ending)
    traps = read_traps()
    right = count_tricks(endings)
    for name, mutation in MUTATIONS.items():
        if name in traps:
            continue
        wrong = [
            ending
            for ending, a, b in zip(endings, right, count_tricks(endings, mutation), strict=True)
            if a != b
        ]
        print(f"{name}: {len(wrong)} of {len(endings):,} endings are wrong", flush=True)
        if wrong:
            traps[name] = min(wrong, key=lambda ending: ending.n_tricks)
            text = json.dumps({key: list(value) for key, value in traps.items()}, indent=1)
            TRAPS.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

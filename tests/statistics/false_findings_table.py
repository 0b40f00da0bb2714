"""How often equally good alternatives seem to differ, and how often all intervals hold: ``docs/explanation/statistics.md``.

    python tests/statistics/false_findings_table.py [--repeats 1000] [--workers 2] [--write]

Every number is counted over complete public calls, on samples of deals that are solved already; nothing is solved.
Alternatives are made equally good by dealing out the results of each deal to them anew. The true gains and
quantiles are those of all deals from which the samples are drawn. With --write the table of the page is replaced,
after an interrupt by that of the samples until then.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice, permutations, product
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[2]))

import dealerkit as dk
from dealerkit.studies.leads import sampling
from dealerkit.studies.sides import choose_strains, find_side_tricks
from tests.support.equal_evaluators import draw_evaluators

ROOT = Path(__file__).parents[2]
SIZES = (60, 240, 1500)
PAGE = ROOT / "docs" / "explanation" / "statistics.md"
Random = np.random.Generator
Gains = dict[tuple[str, str], float]  # the true gain of one alternative over another

HAND = "QJ752.K83.94.T62"
FOUR_LEADS = [0, 3, 5, 9]  # the leads of the fourth-best rule stand for these of the solved ones
MAJORS = {"4S by north": (0, 0), "4S by south": (0, 2), "4H by north": (1, 0), "4H by south": (1, 2)}
PARTSCORES = {"2S": 0, "2H": 1, "3C": 3, "3D": 2}  # with strains: each just made scores 110
TWO_OR_THREE = np.array([8, 8, 9, 9])  # the tricks that they need
LEVELS = ["1S", "2S", "4S", "6S"]


@dataclass(frozen=True)
class Outcome:
    """What one sample shows: a false finding among equal alternatives, and whether all intervals hold."""

    is_false: bool | None = None  # None: not measured
    holds: bool | None = None


@dataclass(frozen=True)
class Study:
    """Comparisons that come from the same calls, and their outcomes in a sample of a size."""

    names: tuple[str, ...]
    try_sample: Callable[[Random, int, int], list[Outcome]]  # random numbers, deals, seed


def read_ends(rows: pd.DataFrame, prefix: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of intervals."""
    return rows[f"{prefix}lo"].to_numpy(), rows[f"{prefix}hi"].to_numpy()


def excludes_zero(rows: pd.DataFrame, prefix: str = "") -> bool:
    """Return whether one of the intervals does not contain 0."""
    low, high = read_ends(rows, prefix)
    return bool(((low > 0) | (high < 0)).any())


def contains(rows: pd.DataFrame, gains: np.ndarray, prefix: str = "") -> bool:
    """Return whether all intervals contain these gains."""
    low, high = read_ends(rows, prefix)
    return bool(((low <= gains + 1e-9) & (gains <= high + 1e-9)).all())


def contains_gains_over_best(rows: pd.DataFrame, truth: Gains) -> bool:
    """Return whether the interval of each row contains its true gain over the best of the others."""
    names = list(rows.index)
    gains = [min(truth[name, other] for other in names if other != name) for name in names]
    return contains(rows, np.array(gains))


def find_gains(scores: Mapping[str, np.ndarray]) -> Gains:
    """Return the mean IMPs of each alternative over each other, from their scores on all deals."""
    return {
        (ours, theirs): float(dk.imps(scores[ours] - scores[theirs]).mean())
        for ours, theirs in permutations(scores, 2)
    }


# ------------------------------------------------------------ leads


@cache
def load_leads(chosen: tuple[int, ...]) -> np.ndarray:
    """Return tricks of the defence after leads from HAND against 3NT, int8 [deals, leads]."""
    with np.load(ROOT / "tests" / "data" / "leads-against-3nt.npz") as file:
        return file["tricks"][:, list(chosen)]


@cache
def find_lead_gains(chosen: tuple[int, ...], cards: tuple[str, ...]) -> dict[str, Gains]:
    """Return the true gains of the leads by measure."""
    tricks = dict(zip(cards, load_leads(chosen).T.astype(int), strict=True))
    defence = {card: -dk.score("3NT", 13 - taken) for card, taken in tricks.items()}
    beats = {
        (ours, theirs): float((tricks[ours] >= 5).mean() - (tricks[theirs] >= 5).mean())
        for ours, theirs in permutations(cards, 2)
    }
    return {"beats": beats, "imps": find_gains(defence)}


def try_leads(random: Random, size: int, seed: int, chosen: tuple[int, ...]) -> list[Outcome]:
    """Lead from HAND against 3NT; the solver is replaced by draws from solved deals."""
    pool = load_leads(chosen)
    rule = None if len(chosen) == 12 else "fourth best"
    leads = sampling.list_leads(sampling.read_leader(HAND), 4, rule)
    suits, ranks = [each.suit for each in leads], [each.rank for each in leads]
    found = {}
    for is_equal in (True, False):
        rows = pool[random.integers(len(pool), size=size)]
        drawn = iter(random.permuted(rows, axis=1) if is_equal else rows)

        def solve(hands, *_, drawn=drawn, **options):
            cards = np.zeros((len(hands), 4, 13), np.int8)
            cards[:, suits, ranks] = np.array(list(islice(drawn, len(hands))))
            return cards

        with mock.patch.object(sampling, "solve_leads", solve):
            study = dk.lead(HAND, "3NT by south", lead_rule=rule, scoring="imps", produce=size, seed=seed)
        for scoring in ("beats", "imps"):
            gains = {each.card: study.gain(each.card, scoring=scoring) for each in study.leads}
            ends = {card: (gain.lo, gain.hi) for card, gain in gains.items()}
            found[scoring, is_equal] = pd.DataFrame.from_dict(ends, orient="index", columns=["lo", "hi"])
    outcomes = []
    for scoring in ("beats", "imps"):
        equal, real = found[scoring, True], found[scoring, False]
        truth = find_lead_gains(chosen, tuple(real.index))[scoring]
        outcomes.append(Outcome(excludes_zero(equal), contains_gains_over_best(real, truth)))
    return outcomes


# ------------------------------------------------------------ contracts


@cache
def load_majors() -> dk.Deals:
    return dk.solved_sample().where("fit(NS, spades) >= 8 or fit(NS, hearts) >= 8")[:20_000]


@cache
def find_major_gains() -> Gains:
    tables = load_majors().tables.astype(int)
    return find_gains({name: dk.score(name[:2], tables[:, k, seat]) for name, (k, seat) in MAJORS.items()})


def try_contracts(random: Random, size: int, seed: int) -> list[Outcome]:
    """Four contracts of a side on given deals."""
    deals = load_majors()
    names, (strains, seats) = list(MAJORS), np.array(list(MAJORS.values())).T
    real = deals[np.sort(random.integers(len(deals), size=size))]
    tables = real.tables.copy()
    tables[:, strains, seats] = random.permuted(tables[:, strains, seats], axis=1)
    equal, frame = (
        dk.contracts(part, names, vulnerable="none", seed=seed).differences.droplevel("vulnerable")
        for part in (real.replace(tables=tables), real)
    )
    is_false = bool((equal.verdict != "not decided").any())
    assert is_false == excludes_zero(equal)
    return [Outcome(is_false, contains_gains_over_best(frame, find_major_gains()))]


@cache
def load_class() -> dk.Deals:
    """Return the deals of one class of `best_contracts`."""
    deals = dk.solved_sample()
    return deals.where("hcp(north) + hcp(south) >= 22 and hcp(north) + hcp(south) <= 25")[:20_000]


@cache
def find_level_gains() -> Gains:
    tables = load_class().tables
    tricks = np.maximum(tables[:, 0, 0], tables[:, 0, 2]).astype(int)
    return find_gains({name: dk.score(name, tricks) for name in LEVELS})


def try_best_contracts(random: Random, size: int, seed: int) -> list[Outcome]:
    """Four contracts of one class of sides: equal ones that are made or beaten alike, and four levels."""
    deals = load_class()
    real = deals[np.sort(random.integers(len(deals), size=size))]
    tables = real.tables.copy()
    strains = list(PARTSCORES.values())
    # Made exactly or so much down in each strain, so that the scores of all four are the same when exchanged
    over = np.minimum(np.maximum(tables[:, strains, 0], tables[:, strains, 2]) - TWO_OR_THREE, 0)
    over = np.maximum(over, -TWO_OR_THREE.min())
    dealt = (random.permuted(over, axis=1) + TWO_OR_THREE).astype(tables.dtype)
    tables[:, strains, 0] = tables[:, strains, 2] = dealt
    options = {"by": "fit >= 0", "where": "hcp >= 20", "strain": "spades", "min_deals": 30}
    equal = dk.best_contracts(real.replace(tables=tables), candidates=list(PARTSCORES), **options)
    (verdict,) = equal.frame.decided
    others = equal.gains[equal.gains.index.get_level_values("contract") != equal.frame.contract.iloc[0]]
    # The verdict is of all others, a false finding of any.
    is_false = excludes_zero(others, "gain_")
    assert is_false or not verdict
    table = dk.best_contracts(real, candidates=LEVELS, **options)
    row, gains = table.frame.iloc[0], table.gains.droplevel(0)
    names = [name for name in LEVELS if name != row.contract]
    truth = np.array([find_level_gains()[name, row.contract] for name in names])
    holds = contains(gains.loc[names], truth, "gain_") and contains(table.frame, -truth.max(), "gain_")
    return [Outcome(is_false, holds)]


# ------------------------------------------------------------ evaluators


def try_evaluators(random: Random, size: int, seed: int) -> list[Outcome]:
    """Five evaluators with errors of equal distribution, as predictions and as guides to a game."""
    deals = dk.solved_sample()
    chosen = deals[np.sort(random.choice(len(deals), size, replace=False))]
    measures = draw_evaluators(find_side_tricks(chosen, choose_strains(chosen, "best major")), random, 5)
    trial = dk.compare(
        measures, sample=chosen, decision=("4M", "3M"), vulnerable=True, seed=seed, replicates=200
    )
    return [Outcome(excludes_zero(pairs)) for pairs in (trial.pairs, trial.decision.pairs)]


# ------------------------------------------------------------ quantiles


@cache
def load_quantile(question: str, quantile: float) -> tuple[dk.Deals, float]:
    """Return deals, and the quantile of the values of all of them."""
    deals = dk.solved_sample()[:40_000]
    return deals, float(np.quantile(deals.eval(question), quantile, method="inverted_cdf"))


def try_quantile(
    random: Random, size: int, seed: int, question: str, quantile: float, precision: float
) -> list[Outcome]:
    """Estimate the quantile of given deals; with few of them the study ends before the precision is reached."""
    deals, truth = load_quantile(question, quantile)
    chosen = deals[random.integers(len(deals), size=size)]
    study = dk.estimate(
        question, deals=chosen, quantile=quantile, method="plain", precision=precision, seed=seed
    )
    return [Outcome(None, study.estimate.lo <= truth <= study.estimate.hi)]


# ------------------------------------------------------------ the table

STUDIES = (
    Study(
        ("twelve leads, chance to beat the contract", "twelve leads, IMPs"),
        lambda *arguments: try_leads(*arguments, tuple(range(12))),
    ),
    Study(
        ("four leads, chance to beat the contract", "four leads, IMPs"),
        lambda *arguments: try_leads(*arguments, tuple(FOUR_LEADS)),
    ),
    Study(("four contracts, IMPs",), try_contracts),
    Study(("best of four contracts for a class of sides, IMPs",), try_best_contracts),
    Study(("five evaluators, R²", "five evaluators, gain of a decision"), try_evaluators),
    Study(
        ("median of tricks in notrump",),
        lambda *arguments: try_quantile(*arguments, "dds(south, notrump)", 0.5, 0.5),
    ),
    Study(
        ("tenth percentile of Four C's",),
        lambda *arguments: try_quantile(*arguments, "cccc(north)", 0.1, 0.06),
    ),
)
ROUND = 20  # samples of each study between two chances to interrupt
Count = int | None


def measure_study(number: int, size: int, seeds: range) -> list[tuple[Count, Count]]:
    """Return for each name of a study the number of false findings, and of samples whose intervals hold."""
    study = STUDIES[number]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        samples = [
            study.try_sample(np.random.default_rng([number, size, seed]), size, seed) for seed in seeds
        ]
    return [
        (count([each.is_false for each in outcomes]), count([each.holds for each in outcomes]))
        for outcomes in zip(*samples, strict=True)
    ]


def count(outcomes: list[bool | None]) -> Count:
    return None if None in outcomes else sum(map(bool, outcomes))


def add(old: Count, new: Count) -> Count:
    return None if old is None or new is None else old + new


def measure_all(repeats: int, workers: int) -> tuple[dict[tuple[int, int], list[tuple[Count, Count]]], int]:
    """Return the counts of each study and size, and the number of samples; fewer after an interrupt."""
    tasks = list(product(range(len(STUDIES)), SIZES))
    counts = {task: [(0, 0)] * len(STUDIES[task[0]].names) for task in tasks}
    done = 0
    with ProcessPoolExecutor(workers) as pool:
        try:
            while done < repeats:
                seeds = range(done, min(done + ROUND, repeats))
                found = list(pool.map(measure_study, *zip(*tasks, strict=True), [seeds] * len(tasks)))
                for task, new in zip(tasks, found, strict=True):
                    pairs = zip(counts[task], new, strict=True)
                    counts[task] = [(add(old[0], each[0]), add(old[1], each[1])) for old, each in pairs]
                done = seeds.stop
                print(f"{done:,} of {repeats:,} samples", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
    return counts, done


def format_shares(counts: tuple[Count, ...], samples: int) -> str:
    if None in counts:
        return "–"
    return ", ".join(f"{100 * each / samples:.1f}" for each in counts if each is not None)


def build_table(repeats: int, workers: int) -> tuple[str, int]:
    """Return the table of the page, and the number of samples it is from."""
    counts, samples = measure_all(repeats, workers)
    lines = ["| compared | false findings, % | all hold, % |", "|---|---|---|"]
    for number, study in enumerate(STUDIES):
        by_size = [counts[number, size] for size in SIZES]
        for name, cells in zip(study.names, zip(*by_size, strict=True), strict=True):
            columns = [format_shares(column, samples) for column in zip(*cells, strict=True)]
            lines.append(f"| {name} | {' | '.join(columns)} |")
    return "\n".join(lines) + "\n", samples


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    table, samples = build_table(options.repeats, options.workers)
    print(table, end="")
    if options.write and samples:
        page = PAGE.read_text(encoding="utf-8")
        page = re.sub(r"comes from [\d,]+ samples", f"comes from {samples:,} samples", page)
        PAGE.write_text(
            re.sub(r"\| compared \|.*?\n(?!\|)", lambda _: table, page, flags=re.DOTALL), encoding="utf-8"
        )


if __name__ == "__main__":
    main()

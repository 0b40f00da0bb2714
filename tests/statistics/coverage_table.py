"""The share of samples whose intervals contain the true value, for every kind of estimate: ``docs/explanation/coverage.md``.

    python tests/statistics/coverage_table.py [--repeats 2000] [--write]

Populations are values of solved deals of the sample that is shipped, and some distributions with names. With
--write the table of the page is replaced.
"""

from __future__ import annotations

import argparse
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

import dealerkit as dk
from dealerkit import Estimate, proportion, score
from dealerkit.scoring import Contract
from dealerkit.statistics import (
    IMPS_RANGE,
    SHARE_RANGE,
    Counts,
    Moments,
    Quantiles,
    ValueRange,
    estimate_stopped_rate,
    stratified_mean,
)
from dealerkit.statistics.derived import Means, Quantile, Ratio, Statistic, TwoPhaseSample
from dealerkit.studies.leads.gains import GainTables, LeadGains

SIZES = (5, 10, 30, 200)
LEAST = 0.93
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "coverage.md"
Random = np.random.Generator


@dataclass(frozen=True)
class Row:
    """A kind of estimate, a population, its true value, and an estimate from a sample of a size."""

    kind: str
    population: str
    truth: float
    estimate: Callable[[Random, int], Estimate | None]
    cost: int = 1  # one of so many repeats is made


@lru_cache(maxsize=1)
def load_values() -> dict[str, np.ndarray]:
    """Return values of the solved sample: of all its deals, or of those where south bids game."""
    deals = dk.solved_sample()[:40_000]
    games = deals.where("hcp(north) + hcp(south) >= 25")
    spades = games.eval("tricks(south, spades)").astype(int)
    notrump = games.eval("tricks(south, notrump)").astype(int)
    other = games.eval("tricks(north, notrump)").astype(int)
    low = deals.eval("tricks(south, spades)").astype(int)
    scores = {name: score(name, np.arange(14)) for name in ("4S", "3S", "3NT", "6NT", "6S")}
    return {
        "points": deals.eval("hcp(north)").astype(int),
        "both": deals.eval("hcp(north) + hcp(south)").astype(int),
        "tricks": low,
        "length": deals.eval("spades(north)").astype(int),
        "3NT": scores["3NT"][notrump],
        "6NT": scores["6NT"][games.where("hcp(north) + hcp(south) >= 32").eval("tricks(south, notrump)").astype(int)],
        "4S": scores["4S"][spades],
        "3S": scores["3S"][spades],
        "by north": scores["3NT"][other],
        "notrump": notrump,
        "other": other,
        "void": deals.eval("shape(north, any 0xxx)").astype(int),
    }  # fmt: skip


def draw(random: Random, values: np.ndarray, n: int) -> np.ndarray:
    """Return a sample with replacement."""
    return values[random.integers(0, len(values), n)]


def mean_of(values: np.ndarray, limits: ValueRange, weights=None, clusters=None) -> Estimate:
    moments = Moments()
    moments.update(values, weights, clusters)
    return moments.mean(0.95, limits)


def mean_row(kind: str, population: str, values: np.ndarray, limits: ValueRange) -> Row:
    return Row(
        kind, population, float(values.mean()), lambda random, n: mean_of(draw(random, values, n), limits)
    )


def mixture(**shares: float) -> np.ndarray:
    """Return 10,000 values with these shares, names like ``p6`` and ``m5`` for 6 and -5, the rest 0."""
    parts = [
        np.full(round(10_000 * share), float(name[1:]) * (1 if name[0] == "p" else -1))
        for name, share in shares.items()
    ]
    found = np.concatenate(parts)
    return np.concatenate((found, np.zeros(10_000 - len(found))))


def list_means(data: dict[str, np.ndarray]) -> list[Row]:
    points, tricks = ValueRange(0, 37), ValueRange(0, 13)
    rows = [
        mean_row("mean", "high-card points of a hand", data["points"], points),
        mean_row("mean", "tricks in spades", data["tricks"], tricks),
        mean_row("mean", "length of a suit", data["length"], tricks),
        mean_row("mean", "score of 3NT, 25 points", data["3NT"], ValueRange(-450, 520, 120)),
        mean_row("mean", "score of 6NT, 32 points", data["6NT"], ValueRange(-600, 1020, 120)),
        mean_row("mean", "IMPs, 1 % of +10", mixture(p10=0.01), IMPS_RANGE),
        mean_row("mean", "IMPs, 5 % of +6, 5 % of -5", mixture(p6=0.05, m5=0.05), IMPS_RANGE),
        mean_row("mean", "IMPs, 85 % of +6, 15 % of -5", mixture(p6=0.85, m5=0.15), IMPS_RANGE),
        mean_row("mean", "matchpoints, 3 % won", 0.5 + mixture(p1=0.03) / 2, SHARE_RANGE),
        mean_row("mean", "matchpoints, 15 % won, 10 % lost", 0.5 + mixture(p1=0.15, m1=0.1) / 2, SHARE_RANGE),
    ]
    for name, ours, theirs in (("4S against 3S", "4S", "3S"), ("3NT by south and by north", "3NT", "by north"),
                               ("4S against 3NT", "4S", "3NT")):  # fmt: skip
        for measure in ("imps", "matchpoints", "points"):
            us, them = data[ours], data[theirs]
            truth = dk.difference(us, them, measure).value

            def estimate(random, n, us=us, them=them, measure=measure):
                rows = random.integers(0, len(us), n)
                return dk.difference(us[rows], them[rows], measure)

            rows.append(Row("difference", f"{name}, {measure}", truth, estimate))
    return rows


def list_shares() -> list[Row]:
    rows = []
    for share in (0.002, 0.01, 0.05, 0.1, 0.3, 0.5, 0.9):
        name = "rare share" if share < 0.05 else "share"
        rows.append(
            Row(name, f"{share:g}", share, lambda random, n, p=share: proportion(random.binomial(n, p), n))
        )
    for p, q in ((0.1, 0.2), (0.5, 0.5), (0.02, 0.05)):
        rows.append(
            Row("difference of independent estimates", f"shares {p:g} and {q:g}", p - q,
                lambda random, n, p=p, q=q: proportion(random.binomial(n, p), n) - proportion(random.binomial(n, q), n))
        )  # fmt: skip
    for rate in (0.02, 0.1, 0.5):
        rows.append(
            Row("inverse sampling", f"rate {rate:g}, n successes", rate,
                lambda random, n, p=rate: estimate_stopped_rate(n, n + int(random.negative_binomial(n, p))))
        )  # fmt: skip
    return rows


def list_weighted(data: dict[str, np.ndarray]) -> list[Row]:
    points, values = ValueRange(0, 37), data["points"]
    gains = mixture(p6=0.1, m5=0.1)

    def in_clusters(random: Random, n: int, values=values, limits=points) -> Estimate:
        sizes = random.integers(1, 4, n)
        common = draw(random, values, n)
        ids = np.repeat(np.arange(n), sizes)
        own = np.where(random.random(ids.size) < 0.5, common[ids], draw(random, values, ids.size))
        return mean_of(own, limits, None, ids)

    def weighted(random: Random, n: int, values=values, limits=points) -> Estimate:
        return mean_of(draw(random, values, n), limits, np.exp(0.5 * random.normal(size=n)))

    def share(random: Random, n: int) -> Estimate:
        counts = Counts((0, 1))
        counts.update((random.random(n) < 0.2).astype(int), np.exp(0.5 * random.normal(size=n)))
        return counts.share(1)

    def strata(random: Random, n: int, limits=points) -> Estimate:
        parts = [Moments(), Moments()]
        for part, own, k in zip(parts, (weak, strong), ((n + 1) // 2, n // 2), strict=True):
            part.update(draw(random, own, k))
        return stratified_mean(parts, sizes, 0.95, limits)

    def share_of_strata(random: Random, n: int) -> Estimate:
        parts = [Moments(), Moments()]
        for part, p, k in zip(parts, (0.05, 0.4), ((n + 1) // 2, n // 2), strict=True):
            part.update((random.random(k) < p).astype(int))
        return stratified_mean(parts, sizes, 0.95, SHARE_RANGE, is_share=True)

    weak, strong = values[values < 12], values[values >= 12]
    sizes = [Estimate.exactly(0.7), Estimate.exactly(0.3)]
    mean = float(values.mean())
    return [
        Row("clustered mean", "points, n clusters of 1 to 3", mean, in_clusters),
        Row("clustered mean", "IMPs, 10 % of +6, 10 % of -5", float(gains.mean()),
            lambda random, n: in_clusters(random, n, gains, IMPS_RANGE)),
        Row("weighted mean", "points, lognormal weights", mean, weighted),
        Row("weighted mean", "IMPs, 10 % of +6, 10 % of -5", float(gains.mean()),
            lambda random, n: weighted(random, n, gains, IMPS_RANGE)),
        Row("weighted share", "0.2, lognormal weights", 0.2, share),
        Row("stratified mean", "points, weak and strong hands", float(0.7 * weak.mean() + 0.3 * strong.mean()), strata),
        Row("stratified share", "0.05 and 0.4", 0.7 * 0.05 + 0.3 * 0.4, share_of_strata),
        Row("difference of independent estimates", "points and 1.5 times points", -0.5 * mean,
            lambda random, n: mean_of(draw(random, values, n), points)
            - mean_of(1.5 * draw(random, values, n), ValueRange(0, 55.5))),
    ]  # fmt: skip


def two_phase(
    random: Random, values: np.ndarray, n: int, limits: ValueRange, statistic: Statistic
) -> Estimate | None:
    """Return an estimate from 20 n deals with predictions, of which n are solved."""
    everything = draw(random, values, 20 * n)
    spread = max(float(values.std()), 0.1)
    predictions = 0.5 * everything + 0.5 * values.mean() + random.normal(0, 0.5 * spread, 20 * n)
    bounds = np.quantile(predictions, np.linspace(0, 1, max(min(n // 25, 8), 1) + 1)[1:-1])
    rows = random.permutation(20 * n)[:n]
    sample = TwoPhaseSample(
        np.searchsorted(bounds, predictions), predictions[:, None], rows, everything[rows, None].astype(float),
        np.array([limits.high - limits.low]), (limits,),
    )  # fmt: skip
    summary = statistic.summarize(sample, 0.95)
    return None if summary.fault else summary.estimates[0]


def ratio(random: Random, above: np.ndarray, below: np.ndarray, n: int, ranges: tuple) -> Estimate | None:
    rows = random.integers(0, len(above), n)
    values = np.stack((above[rows], below[rows]), axis=1).astype(float)
    zeros = np.zeros((n, 2))
    summary = Ratio().summarize(
        TwoPhaseSample(zeros[:, 0].astype(int), zeros, np.arange(n), values, None, ranges), 0.95
    )
    return None if summary.fault else summary.estimates[0]


def lead_gain(random: Random, tricks: np.ndarray, n: int, measure: str) -> Estimate:
    gains = LeadGains(GainTables(Contract.parse("3NT"), False), 2)
    gains.add(draw(random, tricks, n))
    return gains.compare(measure, 0, 1)


def list_studies(data: dict[str, np.ndarray]) -> list[Row]:
    points, tricks = ValueRange(0, 37), ValueRange(0, 13)
    gains, score_range = mixture(p6=0.1, m5=0.1), ValueRange(-450, 520, 120)
    is_game = (data["notrump"] >= 9).astype(int)
    mean, share = Means((False,)), Means((True,))
    rows = [
        Row(kind, name, float(values.mean()),
            lambda random, n, v=values, r=limits, s=statistic: two_phase(random, v, n, r, s), 2)
        for kind, name, values, limits, statistic in (
            ("two-phase mean", "tricks in spades", data["tricks"], tricks, mean),
            ("two-phase mean", "score of 3NT, 25 points", data["3NT"], score_range, mean),
            ("two-phase mean", "contracts' gains: IMPs, 10 % of +6, 10 % of -5", gains, IMPS_RANGE, mean),
            ("two-phase share", "3NT makes with 25 points", is_game, SHARE_RANGE, share),
            ("two-phase share", "0.03", (np.arange(1000) < 30).astype(int), SHARE_RANGE, share),
        )
    ]  # fmt: skip
    for q, name in ((0.5, "median"), (0.9, "quantile")):
        for label, values, limits in (("points of a hand", data["points"], points),
                                      ("tricks in spades", data["tricks"], tricks)):  # fmt: skip
            truth = float(np.quantile(values, q, method="inverted_cdf"))

            def plain(random, n, values=values, q=q):
                quantiles = Quantiles()
                quantiles.update(draw(random, values, n))
                return quantiles.quantile(q)

            rows.append(Row(name, f"{q:g}, {label}", truth, plain))
            rows.append(
                Row(f"two-phase {name}", f"{q:g}, {label}", truth,
                    lambda random, n, v=values, r=limits, q=q: two_phase(random, v, n, r, Quantile(q)), 2)
            )  # fmt: skip
    both, notrump = data["both"], data["tricks"]
    condition = (data["points"] >= 8).astype(int)
    joint = condition * (data["tricks"] >= 8)
    rows += [
        Row("ratio", "tricks in spades to points of the side", notrump.mean() / both.mean(),
            lambda random, n: ratio(random, notrump, both, n, (tricks, ValueRange(0, 40))), 2),
        Row("ratio", "eight tricks among hands of 8 points", joint.mean() / condition.mean(),
            lambda random, n: ratio(random, joint, condition, n, (SHARE_RANGE, SHARE_RANGE)), 2),
    ]  # fmt: skip
    defence = 13 - np.stack((data["notrump"], data["other"]), axis=1)
    for measure in ("beats", "tricks", "imps", "matchpoints"):
        table = GainTables(Contract.parse("3NT"), False).table(measure)
        truth = float(table[defence[:, 0], defence[:, 1]].mean())
        rows.append(
            Row("leads' gains", measure, truth,
                lambda random, n, m=measure: lead_gain(random, defence, n, m))
        )  # fmt: skip
    return rows


def list_rows() -> list[Row]:
    """Return all rows of the table."""
    data = load_values()
    return [*list_means(data), *list_shares(), *list_weighted(data), *list_studies(data)]


def measure_row(row: Row, n: int, repeats: int) -> tuple[float, int]:
    """Return the share of samples whose interval contains the truth, and the number of samples."""
    random = np.random.default_rng([n, *row.population.encode(), *row.kind.encode()])
    covered = made = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(max(repeats // row.cost, 1)):
            estimate = row.estimate(random, n)
            if estimate is None:
                continue
            made += 1
            slack = 1e-9 * max(abs(row.truth), 1)
            covered += estimate.lo - slack <= row.truth <= estimate.hi + slack
    return covered / max(made, 1), made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = ["| estimate | population | n = 5 | 10 | 30 | 200 |", "|---|---|---|---|---|---|"]
    for row in list_rows():
        cells = [measure_row(row, n, options.repeats) for n in SIZES]
        texts = [f"{100 * share:.1f}" if made >= 50 else "–" for share, made in cells]
        lines.append(f"| {row.kind} | {row.population} | {' | '.join(texts)} |")
        print(lines[-1], flush=True)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        table = "\n".join(lines) + "\n"
        PAGE.write_text(
            re.sub(r"\| estimate \|.*?\n(?!\|)", lambda _: table, page, flags=re.DOTALL), encoding="utf-8"
        )


if __name__ == "__main__":
    main()

"""D1 to D20: figures of double-dummy play, which dealerkit estimates from its sample of solved deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

import numpy as np

import dealerkit as dk
from dealerkit import Estimate
from dealerkit.cards.names import STRAINS
from published.figures import Item, Z
from published.samples import deviation, fits, mean, sample, share, tricks, values

INTRODUCTION = """\
The sample is `dk.solved_sample()`, 107,230 random deals with their tables. Intervals are at 95 %, and the two
sides of a deal count as one observation. Unless stated, a side plays its longest suit, the higher of equal
ones, from the hand that takes more tricks."""


@cache
def trumps() -> np.ndarray:
    """Return the total trumps of each deal."""
    return fits().max(axis=2).sum(axis=1)


@cache
def law_errors() -> np.ndarray:
    """Return total tricks less total trumps of each deal."""
    return tricks("longest fit").sum(axis=1) - trumps()


def _law(item: Item) -> dict[str, Estimate]:
    errors, total = law_errors(), trumps()
    figures = {"all deals: mean": mean(errors), "all deals: mean error": mean(abs(errors))}
    for number in range(14, 24):
        figures[f"{number} trumps: mean"] = mean(errors, total == number)
        figures[f"{number} trumps: mean error"] = mean(abs(errors), total == number)
    return figures


def _law_shares(item: Item) -> dict[str, Estimate]:
    size = abs(law_errors())
    return {"exact": share(size == 0), "off by 1": share(size == 1), "off by 2 or more": share(size >= 2)}


def _law_by_trumps(item: Item) -> dict[str, Estimate]:
    points = values("hcp")[:, 0]
    single = ((fits() >= 8).sum(axis=2) == 1).all(axis=1) & (abs(points - 20) <= 4)
    total = tricks("longest fit").sum(axis=1)
    return {name: mean(total, single & (trumps() == int(name))) for name in item.published}


def _tricks_of_pairs(item: Item) -> dict[str, Estimate]:
    return {
        "suit: mean": mean(tricks("best suit")), "suit: sd": deviation(tricks("best suit")),
        "notrump: mean": mean(tricks("notrump")), "notrump: sd": deviation(tricks("notrump")),
    }  # fmt: skip


CORRELATIONS = {
    "points": "hcp",
    "points and long suits": "hcp + longpoints",
    "points, long and short suits": "hcp + longpoints + short321(north) + short321(south)",
    "controls": "controls",
    "losing tricks": "losers(north) + losers(south)",
    "6 4 1.8 .8": "6 * aces + 4 * kings + 1.8 * queens + .8 * jacks",
    "6 4 1.8 .8 and long suits": "6 * aces + 4 * kings + 1.8 * queens + .8 * jacks + 1.5 * longpoints",
}


def _correlations(item: Item) -> dict[str, Estimate]:
    trial = dk.compare(CORRELATIONS, sample=sample(), strain="best suit", replicates=200)
    figures = {}
    for name, row in trial.frame.iterrows():
        low, high = sorted(np.copysign(np.sqrt([row.lo, row.hi]), row.R))
        figures[str(name)] = Estimate(row.R, (high - low) / (2 * Z), low, high, len(sample()))
    return figures


def _chance_of_game(item: Item) -> dict[str, Estimate]:
    deals = sample()
    points = np.stack([deals.eval(f"hcp({seat})") for seat in ("north", "east", "south", "west")], axis=1)
    stronger = points[:, 2:] > points[:, :2]  # the hand of south or west declares in two thirds of the deals
    makes = deals.tables[:, 4] >= 9
    first, second = makes[:, :2], makes[:, 2:]
    makes = np.where(stronger, second * 2 + first, first * 2 + second) / 3
    total = points[:, :2] + points[:, 2:]
    return {name: mean(makes, total >= int(name.split()[0])) for name in item.published}


def _woolsey(item: Item) -> dict[str, Estimate]:
    flat = "shape({0}, any 4333 + any 4432 + any 5332)"
    chosen = values(f"{flat.format('north')} and {flat.format('south')}") != 0
    chosen = chosen & (fits()[..., :2] < 8).all(axis=2)
    points, taken = values("woolsey"), tricks("notrump")
    figures = {}
    for name in item.published:
        contract, number = name.split(",")[0].split(" at ")
        near = chosen & (points >= float(number) - 0.5) & (points < float(number) + 0.5)
        figures[name] = share(taken >= {"3NT": 9, "6NT": 12}[contract], near, drawn=points.size)
    return figures


def _simple_formula(item: Item) -> dict[str, Estimate]:
    points, longest = values("hcp"), fits().max(axis=2)
    every = np.stack([tricks(strain) for strain in STRAINS], axis=2)
    lines = np.stack(
        [np.poly1d(np.polyfit(points.ravel(), every[..., k].ravel(), 1))(points) for k in range(5)], axis=2
    )
    return {
        "trumps and points": deviation(tricks("longest fit") - longest - (points - 20) / 3),
        "points and strain": deviation(every - lines),
        "nothing": deviation(every),
    }


def _honour_weights(item: Item) -> dict[str, Estimate]:
    flat = values("shape(north, any 4333) and shape(south, any 4333)") != 0
    counts = np.stack([values(name)[flat] for name in ("aces", "kings", "queens", "jacks", "tens")], axis=1)
    design = np.column_stack([np.ones(len(counts)), counts]).astype(float)
    taken = tricks("notrump")[flat]
    deal = np.nonzero(flat)[0]
    weights, *_ = np.linalg.lstsq(design, taken, rcond=None)
    # The sandwich of C. E. McCulloch and S. R. Searle for regressions of clusters of rows.
    inverse = np.linalg.inv(design.T @ design)
    scores = np.zeros((deal[-1] + 1, design.shape[1]))
    np.add.at(scores, deal, design * (taken - design @ weights)[:, None])
    covariance = inverse @ scores.T @ scores @ inverse
    figures = {}
    for index, name in enumerate(("king", "queen", "jack", "ten"), 2):
        ratio = 5 * weights[index] / weights[1]
        slope = np.zeros(len(weights))
        slope[index], slope[1] = 5 / weights[1], -ratio / weights[1]
        se = float(np.sqrt(slope @ covariance @ slope))
        figures[name] = Estimate(float(ratio), se, ratio - Z * se, ratio + Z * se, int(flat.sum()))
    return figures


def _notrump(item: Item) -> dict[str, Estimate]:
    return {name: mean(tricks("notrump"), values("hcp") == int(name)) for name in item.published}


def _new_losers(item: Item) -> dict[str, Estimate]:
    deal = dk.Deals.from_pbn("W:KQJ2.KQ2.KQ2.KQ2 T9876.JT98.JT98. A543.A43.A43.A43 .765.765.JT98765")
    figures = {}
    for name, expression in (("classic count", "24 - losers(east) - losers(west)"),
                             ("new count", "25 - newltc(east) - newltc(west)")):  # fmt: skip
        figures[name] = Estimate.exactly(Fraction(float(deal.eval(expression)[0])))
    for name, spades in (("thirteen tricks", "KQJ2"), ("a small spade for the jack", "KQ72")):
        hands = {"west": f"S{spades},HKQ2,DKQ2,CKQ2", "east": "SA543,HA43,DA43,CA43"}
        figures[name] = dk.estimate(
            "dds(west, spades) == 13", predeal=hands, precision=0.01, seed=19
        ).estimate
    return figures


COMPUTE: Mapping[str, Callable[[Item], Mapping[str, Estimate]]] = {
    "D1": _law,
    "D2": _law_shares,
    "D3": _law_by_trumps,
    "D4": _tricks_of_pairs,
    "D9": _correlations,
    "D10": _chance_of_game,
    "D11": _woolsey,
    "D12": _simple_formula,
    "D13": _honour_weights,
    "D19": _new_losers,
    "D20": _notrump,
}

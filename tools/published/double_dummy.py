"""D1 to D20: figures of double-dummy play, which dealerkit estimates from its sample of solved deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

import numpy as np

import dealerkit as dk
from dealerkit import Estimate
from dealerkit.cards.names import STRAINS
from published import additive, layouts
from published.figures import Item, Z
from published.notrump_splits import read_splits
from published.samples import deviation, fits, mean, read_estimate, sample, sides, tricks, values

INTRODUCTION = """\
Our figures come from the first 107,230 deals of `dk.solved_sample()`, random deals with their double-dummy
tricks. Intervals are 95 % intervals, and the two sides of a deal count as one observation. Unless stated
otherwise, a side plays its longest suit (the higher one of two equally long suits), declared by the hand that
takes more tricks."""


LONG_SUITS = "(" + " + ".join(f"(fit({{side}}, {suit}) >= 8)" for suit in STRAINS[:4]) + ")"
ONE_LONG_SUIT = " and ".join(f"{LONG_SUITS.format(side=side)} == 1" for side in ("NS", "EW"))
EVEN = "hcp(north) + hcp(south) >= 16 and hcp(north) + hcp(south) <= 24"


@cache
def law() -> dk.LawOfTotalTricks:
    """Return the law of total tricks in the sample."""
    return dk.law_of_total_tricks(sample())


def _law(item: Item) -> dict[str, Estimate]:
    trumps = fits().max(axis=2).sum(axis=1)
    size = abs(tricks("longest fit").sum(axis=1) - trumps)
    figures = {
        "all deals: mean": read_estimate(law().summary.loc["tricks minus trumps"]),
        "all deals: mean error": read_estimate(law().summary.loc["absolute error"]),
    }
    for number in range(14, 24):
        row = law().frame.rename(columns={"tricks": "value"}).loc[number]
        figures[f"{number} trumps: mean"] = read_estimate(row) - number
        figures[f"{number} trumps: mean error"] = mean(size, trumps == number)
    return figures


def _law_shares(item: Item) -> dict[str, Estimate]:
    names = {"exact": "exact", "off by 1": "off by one", "off by 2 or more": "off by two or more"}
    return {name: read_estimate(law().summary.loc[row]) for name, row in names.items()}


def _law_by_trumps(item: Item) -> dict[str, Estimate]:
    frame = dk.law_of_total_tricks(sample(), where=f"{EVEN} and {ONE_LONG_SUIT}").frame
    frame = frame.rename(columns={"tricks": "value"})
    return {name: read_estimate(frame.loc[int(name)]) for name in item.published}


def _tricks_of_pairs(item: Item) -> dict[str, Estimate]:
    figures = {}
    for name, strain in (("suit", "best suit"), ("notrump", "notrump")):
        figures[f"{name}: mean"] = read_estimate(sides(strain).dealer.estimate("tricks").iloc[0])
        figures[f"{name}: sd"] = deviation(tricks(strain))
    return figures


def _additive(item: Item) -> dict[str, Estimate]:
    figures = {}
    for name, strain in (("suit", "best suit"), ("notrump", "notrump")):
        errors = additive.find_errors(strain)
        figures |= {f"{name}: bias": mean(errors), f"{name}: sd": deviation(errors)}
    return figures


def _additive_of_layouts(item: Item) -> dict[str, Estimate]:
    means = layouts.read_means()
    features = additive.build_features(layouts.deal_pairs(len(means)))[::2]
    figures = {}
    for column, (name, strain) in enumerate((("suit", "best suit"), ("notrump", "notrump"))):
        errors = means[:, column] - features @ additive.fit(strain)
        figures |= {f"{name}: bias": mean(errors), f"{name}: sd": deviation(errors)}
    return figures


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
    flat = " and ".join(f"shape({seat}, any 4333 + any 4432 + any 5332)" for seat in ("north", "south"))
    flat += " and fit(NS, spades) < 8 and fit(NS, hearts) < 8"
    frame = sides("notrump")
    frame = frame[values(flat).ravel() != 0]
    figures = {}
    for name in item.published:
        contract, number = name.split(",")[0].split(" at ")
        near = f"woolsey >= {number} - 0.5 and woolsey < {number} + 0.5"
        row = frame.dealer.estimate(f"tricks >= {6 + int(contract[0])}", by={name: near})
        figures[name] = read_estimate(row.iloc[0], 2 * len(sample()))
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
    fitted = dk.fit_points(
        {"ace": "aces", "king": "kings", "queen": "queens", "jack": "jacks", "ten": "tens"},
        sample=sample(),
        where="shape(north, any 4333) and shape(south, any 4333)",
        unit={"ace": 5},
    )
    rows = fitted.frame.rename(columns={"points": "value"}).assign(deals=fitted.deals)
    return {name: read_estimate(rows.loc[name]) for name in item.published}


def _notrump(item: Item) -> dict[str, Estimate]:
    table = sides("notrump").dealer.estimate("tricks", by="hcp")
    return {name: read_estimate(table.loc[int(name)]) for name in item.published}


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
    "D5": _additive,
    "D6": _additive_of_layouts,
    "D9": _correlations,
    "D10": _chance_of_game,
    "D11": _woolsey,
    "D12": _simple_formula,
    "D13": _honour_weights,
    "D15": lambda item: read_splits(),
    "D19": _new_losers,
    "D20": _notrump,
}

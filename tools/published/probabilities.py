"""E1 to E13: probabilities of cards and shapes, which dealerkit counts exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import dealerkit as dk
from dealerkit import Estimate

from published.figures import ENUMERATED, Item

KOKO33 = "[koko33](https://koko33.skr.jp/data/table2.html)"
ENCYCLOPEDIA = "the standard tables, as in *The Official Encyclopedia of Bridge*"


def _exact(value: Fraction | float) -> Estimate:
    return Estimate.exactly(value)


def _shares(expression: str, values: Mapping[str, int], *moments: str) -> Callable[[], dict[str, Estimate]]:
    """Return a function for the shares of values of an expression, and its moments."""

    def compute() -> dict[str, Estimate]:
        frame = dk.distribution(expression)
        figures = {name: _exact(frame.fraction[value]) for name, value in values.items()}
        return figures | {name: _exact(frame.attrs[name]) for name in moments}

    return compute


def _probabilities(conditions: Mapping[str, str]) -> Callable[[], dict[str, Estimate]]:
    """Return a function for the probabilities of conditions."""
    return lambda: {name: dk.probability(condition) for name, condition in conditions.items()}


def _breaks() -> dict[str, Estimate]:
    """Return the probability of each break of the cards of a suit that one side lacks."""
    figures = {}
    for missing in range(2, 9):
        frame = dk.distribution("spades(west)", given=f"spades(north) + spades(south) == {13 - missing}")
        for long in range(missing, (missing - 1) // 2, -1):
            share = sum(frame.fraction[part] for part in {long, missing - long})
            figures[f"{long}-{missing - long}"] = _exact(share)
    return figures


def _yarborough() -> dict[str, Estimate]:
    fraction = dk.probability("top5(north) == 0").fraction
    return {"1 in": _exact(1 / fraction), "odds against": _exact(1 / fraction - 1)}


def _number_of_deals() -> dict[str, Estimate]:
    return {"deals": _exact(Fraction(dk.distribution("spades(north)").attrs["n"]))}


HCP = {
    "0": ".3639 %", "4": "3.8454 %", "8": "8.8922 %", "9": "9.3562 %", "10": "9.4051 %", "11": "8.9447 %",
    "12": "8.0269 %", "15": "4.4237 %", "20": ".6435 %", "25": ".0264 %", "26": ".0117 %",
}  # fmt: skip
SHAPES = {
    "4432": "21.5512 %", "5332": "15.5168 %", "5431": "12.9307 %", "5422": "10.5797 %", "4333": "10.5361 %",
    "6322": "5.6425 %", "6421": "4.7021 %", "6331": "3.4482 %", "5521": "3.1739 %", "4441": "2.9932 %",
    "7321": "1.8808 %", "6430": "1.3262 %", "5440": "1.2433 %",
}  # fmt: skip
BREAKS = {
    "1-1": "52.00 %", "2-0": "48.00 %", "2-1": "78.00 %", "3-0": "22.00 %", "2-2": "40.70 %", "3-1": "49.74 %",
    "4-0": "9.57 %", "3-2": "67.83 %", "4-1": "28.26 %", "5-0": "3.91 %", "3-3": "35.53 %", "4-2": "48.45 %",
    "5-1": "14.53 %", "6-0": "1.49 %", "4-3": "62.17 %", "5-2": "30.52 %", "6-1": "6.78 %", "7-0": ".52 %",
    "4-4": "32.72 %", "5-3": "47.12 %", "6-2": "17.14 %", "7-1": "2.86 %", "8-0": ".16 %",
}  # fmt: skip
BOTH_HANDS = {"20": "8.2222 %", "25": "4.8919 %", "26": "3.8834 %"}
FITS = {"7": "15.74 %", "8": "45.74 %", "9": "28.10 %", "10": "8.68 %", "11": "1.57 %", "12": "0.16 %"}
EXACT_FITS = {
    "7": "15.7363 %", "8": "45.7447 %", "9": "28.0999 %", "10": "8.6729 %", "11": "1.5816 %", "12": ".1582 %",
    "13": ".0066 %",
}  # fmt: skip
TRUMPS = {
    "14": "10.4908 %", "15": "10.4908 %", "16": "26.9237 %", "17": "22.9487 %", "18": "15.6335 %",
    "19": "8.4642 %", "20": "3.5551 %", "21": "1.1452 %",
}  # fmt: skip
SIMULATED = "the simulation's figure is off by more than chance allows for 100 million hands"

ITEMS = (
    Item(
        "E1", "points of a hand", "Points 4 3 2 1 of 13 random cards.", ENUMERATED,
        {"mean": "10", "sd": "4.13023"}, _shares("hcp(north)", {}, "mean", "sd"),
    ),
    Item(
        "E2", "share of hands with each number of points", "As E1.", KOKO33, HCP,
        _shares("hcp(north)", {name: int(name) for name in HCP}),
    ),
    Item(
        "E3", "share of hands in the ranges of 1NT", "As E1.", KOKO33,
        {"12 to 14": "20.6345 %", "15 to 17": "10.0963 %"},
        _probabilities(
            {
                "12 to 14": "hcp(north) >= 12 and hcp(north) <= 14",
                "15 to 17": "hcp(north) >= 15 and hcp(north) <= 17",
            }
        ),
    ),
    Item(
        "E4", "points of two hands together", "Points 4 3 2 1 of 26 random cards.", ENUMERATED,
        {"mean": "20", "sd": "4.76918", **BOTH_HANDS},
        _shares("hcp(north) + hcp(south)", {name: int(name) for name in BOTH_HANDS}, "mean", "sd"),
    ),
    Item(
        "E5", "shapes", "Suits in any order.", ENCYCLOPEDIA, SHAPES,
        _probabilities({name: f"shape(north, any {name})" for name in SHAPES}),
    ),
    Item(
        "E6", "balanced hands", "4333, 4432 and 5332.", ENUMERATED, {"balanced": "47.6042 %"},
        _probabilities({"balanced": "shape(north, any 4333 + any 4432 + any 5332)"}),
    ),
    Item(
        "E7", "breaks of a suit", "The cards of a suit that one side lacks, between the other two hands.",
        ENCYCLOPEDIA, BREAKS, _breaks,
    ),
    Item(
        "E8", "controls of a hand", "Ace 2, king 1.", ENUMERATED,
        {"mean": "3", "sd": "1.81497", "0": "8.1755 %", "3": "20.8869 %"},
        _shares("controls(north)", {"0": 0, "3": 3}, "mean", "sd"),
    ),
    Item(
        "E9", "losing tricks of a hand",
        "The classic count: in each suit a missing ace, a missing king of two cards, a missing queen of three. "
        "A lone king is a loser, and so is a queen with one small card.",
        ENUMERATED, {"mean": "7.55848", "sd": "1.57095", "7": "22.993 %", "8": "24.496 %"},
        _shares("losers(north)", {"7": 7, "8": 8}, "mean", "sd"),
    ),
    Item(
        "E10", "the longest suit of a pair",
        "Cards that both hands have together in their longest suit.", ENUMERATED,
        {"mean": "8.35120", **EXACT_FITS},
        _shares("fit(NS)", {name: int(name) for name in EXACT_FITS}, "mean"),
    ),
    Item(
        "E10a", "the longest suit of a pair, simulated", "As E10.",
        "[crystalwebsite](http://crystalwebsite.tripod.com/aa_general2.htm), 100 million hands", FITS,
        _shares("fit(NS)", {name: int(name) for name in FITS}), 100_000_000, {"11": SIMULATED},
    ),
    Item(
        "E11", "total trumps", "The longest suit of each side, added.", ENUMERATED,
        {"mean": "16.70239", **TRUMPS},
        _shares("fit(NS) + fit(EW)", {name: int(name) for name in TRUMPS}, "mean"),
    ),
    Item(
        "E12", "a yarborough", "No card above a nine.",
        "enumerated by another program; [BridgeHands](https://bridgehands.com/P/Probabilities_Miscellaneous.htm) "
        "has the odds", {"1 in": "1828.04", "odds against": "1827"}, _yarborough,
    ),
    Item(
        "E13", "the number of deals", "52! / 13!⁴.", "[R. Pavlicek](http://www.rpbridge.net/7z68.htm)",
        {"deals": "53,644,737,765,488,792,839,237,440,000"}, _number_of_deals,
    ),
)  # fmt: skip

"""Draw the pictures of plots in the manual and the README: ``python tools/pictures.py [NAME...]``.

Each is made by the code beside it on its page. NAME.png has the colours of a light page, NAME-dark.png
those of a dark one, where ``docs/conf.py`` shows it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

import dealerkit as dk
from dealerkit.appearance.html import read_tokens

FOLDER = Path(__file__).parents[1] / "docs" / "images"
AUCTION = """
    hcp(south) >= 15 and hcp(south) <= 17 and balanced(south)
    and hcp(north) >= 9 and hcp(north) <= 15 and spades(north) < 4 and hearts(north) < 4
"""


def study_game(deals: dk.Deals) -> dk.ContractStudy:
    """Return the study of four spades and three with a fit of eight cards, by points."""
    fits = deals.where("fit(NS, spades) == 8")
    return dk.contracts(fits, ["3S", "4S"], declarer="south", by="hcp(north) + hcp(south)")


def draw_forty_runs() -> Callable[[], Any]:
    """Return what draws the intervals of forty runs."""
    runs = [dk.run("produce 100 action average hcp(north)", seed=seed) for seed in range(1, 41)]
    means = [run["hcp(north)"].mean for run in runs]
    frame = pd.DataFrame([(m.value, m.lo, m.hi) for m in means], range(1, 41), columns=["value", "lo", "hi"])
    return lambda: dk.plot_series({"mean": frame}, "Forty runs", x="seed", reference=10)


PICTURES: dict[str, tuple[int, Callable[[], Callable[[], Any]]]] = {  # dots an inch, and the work
    "forty-runs": (110, draw_forty_runs),
    "game-in-spades": (120, lambda: study_game(dk.solved_sample()).plot),
    "opening-lead": (110, lambda: dk.lead("QJ752.K83.94.T62", "3NT by south", given=AUCTION).plot),
    "points-for-game": (110, lambda: study_game(dk.solved_sample()[:20_000]).plot),
    "trial": (
        110,
        lambda: (
            dk.compare(
                ["hcp", "bumrap", "goren", "zar"], sample=dk.solved_sample()[:4_000], where="fit >= 8"
            ).plot
        ),
    ),
}


def main(names: list[str]) -> None:
    """Draw the named pictures, or all."""
    warnings.simplefilter("ignore", dk.DoubleDummyBias)
    for name in names or PICTURES:
        dots, prepare = PICTURES[name]
        draw = prepare()
        for theme, end in (("light", ""), ("dark", "-dark")):
            with plt.rc_context({"figure.facecolor": read_tokens(theme)["--dk-ground"]}):
                draw().figure.savefig(FOLDER / f"{name}{end}.png", dpi=dots)
            plt.close("all")


if __name__ == "__main__":
    main(sys.argv[1:])

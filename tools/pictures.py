"""Draw the pictures of the manual and the README: ``python tools/pictures.py [NAME...]``.

Each plot is made by the code beside it on its page; Chromium takes pictures of results. NAME.png has the
colours of a light page, NAME-dark.png those of a dark one, where ``docs/conf.py`` shows it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from PIL import Image, ImageChops

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


CONTRACTS = """condition hcp(north) + hcp(south) >= 24 && spades(north) + spades(south) == 8
action evalcontract (NS, z4S, nv), evalcontract (NS, z3N, nv)"""
RESULTS: dict[str, Callable[[], Any]] = {  # shown as in a notebook
    "deals": lambda: dk.deal(4, seed=3, given="hcp(north) >= 20").number_boards(1),
    "result": lambda: dk.run(CONTRACTS, produce=24, seed=5),
}
WIDTH, HEIGHT, SCALE, MARGIN = 780, 2000, 1.5, 8  # of a result in pixels of CSS


def photograph(html: str, theme: str, path: Path) -> None:
    """Write a picture of HTML on a light or a dark page, which is cut below its end."""
    ground = read_tokens(theme)["--dk-ground"]
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder, "page.html"), Path(folder, "page.png")
        body = f'<body style="background: {ground}; margin: {MARGIN}px">{html}</body>'
        page.write_text(f'<!doctype html><html data-theme="{theme}">{body}</html>', encoding="utf-8")
        command = [
            shutil.which("chromium") or "chromium", "--headless", "--no-sandbox", "--disable-gpu",
            "--hide-scrollbars", f"--screenshot={shot}", f"--window-size={WIDTH},{HEIGHT}",
            f"--force-device-scale-factor={SCALE}", page.as_uri(),
        ]  # fmt: skip
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        with Image.open(shot) as picture:
            whole = picture.convert("RGB")
    _, _, _, bottom = ImageChops.difference(whole, Image.new("RGB", whole.size, ground)).getbbox()
    whole.crop((0, 0, whole.width, bottom + int(MARGIN * SCALE))).save(path, optimize=True)


def main(names: list[str]) -> None:
    """Draw the named pictures, or all."""
    warnings.simplefilter("ignore", dk.DoubleDummyBias)
    for name in names or [*PICTURES, *RESULTS]:
        if name in RESULTS:
            html = RESULTS[name]()._repr_html_()
            for theme, end in (("light", ""), ("dark", "-dark")):
                photograph(html, theme, FOLDER / f"{name}{end}.png")
            continue
        dots, prepare = PICTURES[name]
        draw = prepare()
        for theme, end in (("light", ""), ("dark", "-dark")):
            with plt.rc_context({"figure.facecolor": read_tokens(theme)["--dk-ground"]}):
                draw().figure.savefig(FOLDER / f"{name}{end}.png", dpi=dots)
            plt.close("all")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Intervals of estimates cover on unusual deals too, where the trick model is less sure.

The populations are those of ``data/unusual_deals_held_out.npz``, from which deals are taken with replacement, so that
the true share is that of the 700 deals. The question is whether north takes as many tricks as the median in the longest
suit of north and south.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import dealerkit as dk

sys.path.insert(0, str(Path(__file__).parent))
from solved_rows import SolvedPopulation

ROOT = Path(__file__).parents[2]

N_STUDIES = 150


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from trick_model import card, populations

    yield card, populations
    for name in [name for name in sys.modules if name.partition(".")[0] == "trick_model"]:
        del sys.modules[name]


def test_the_deals_meet_their_conditions_and_have_their_tables(tools):
    _, populations = tools
    for name, condition in populations.POPULATIONS.items():
        deals = populations.load_population(name, "held out")
        assert len(deals) == 700 and deals.eval(condition).all()
        assert np.array_equal(deals.hands, populations.deal_population(name, "held out").hands)
        assert np.array_equal(dk.dd_table(dk.Deals(deals.hands[5:6])), deals.tables[5:6])


@pytest.mark.slow
def test_estimates_cover_on_unusual_deals(tools, capsys):
    card, populations = tools
    random, covered = np.random.default_rng(5), []
    for name in populations.POPULATIONS:
        cells = card.Cells(populations.load_population(name, "held out"))
        truth, _, at_least = card.take_longest_fit(cells)
        needed = int(np.median(truth))
        chance = at_least[:, needed].astype(float)
        values = (truth >= needed).astype(float)
        population = SolvedPopulation(values, chance, np.sqrt(chance * (1 - chance)), True, 2.5e6)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = [population.estimate(0.04, random) for _ in range(N_STUDIES)]
        estimates = [each.estimates[0] for each in found]
        covered.append(sum(each.lo <= population.mean <= each.hi for each in estimates))
        errors = np.array([each.value - population.mean for each in estimates])
        half = 1.96 * errors.std(ddof=1) / N_STUDIES**0.5
        saved = np.mean([each.cost.solved_deals / each.plain_solved for each in found])
        with capsys.disabled():
            bias = f"bias {errors.mean():+.4f} ± {half:.4f}"
            print(f"\n{name}: {covered[-1]} of {N_STUDIES}, {bias}, solved {saved:.2f} of plain", end="")
        assert abs(errors.mean()) < 3.3 / 1.96 * half
    assert binom.ppf(0.0005, N_STUDIES * len(covered), 0.95) <= sum(covered)

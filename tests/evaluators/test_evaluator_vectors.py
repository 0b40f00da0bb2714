"""Values of dealer 1.x and DealerV2 4.3 for 40 deals, all functions of one hand."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from dealerkit import evaluate

VECTORS = Path(__file__).parents[1] / "data" / "metric-vectors-hands.csv.gz"
NAMES = {"hcp_4321": "hcp", "losers_classic": "losers", "ltc_modern_x100": "ltc"}
LETTERS = {"cccc": [""], "quality": [*"SHDC"]}
VARIANTS = {"v1_x100": "v1", "v2_x100": "coded"}


@pytest.fixture(scope="module")
def rows():
    with gzip.open(VECTORS, "rt") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("suffix", ["v1", "v2", "v1_x100", "v2_x100"])
def test_values_of_the_old_programs(rows, hand_of, suffix):
    selected = [row for row in rows if row["variant_slot"] == suffix]
    names = sorted({row["metric"] for row in selected})
    assert len(names) >= 2
    for metric in names:
        name = NAMES.get(metric, metric.removeprefix("count_"))
        for letter in LETTERS.get(metric, ["", *"SHDC"]):
            column = [row for row in selected if row["metric"] == metric and row["suit"] == letter]
            texts = [row["deal"][2:].split()["NESW".index(row["seat_or_side"])] for row in column]
            deals = SimpleNamespace(hands=hand_of(*texts)[:, None])
            variant = VARIANTS.get(suffix) if metric in ("cccc", "quality") else None
            values = evaluate(deals, name, seat=0, suit=letter or None, variant=variant)
            scale = 100 if "x100" in metric + suffix else 1
            expected = np.array([int(row["value"]) for row in column]) / scale
            assert len(column) == 160
            np.testing.assert_array_equal(values, expected, err_msg=f"{metric} {suffix} {letter}")


def test_intended_equals_coded(random_hands):
    deals = SimpleNamespace(hands=random_hands)
    np.testing.assert_array_equal(
        evaluate(deals, "cccc", seat="north"), evaluate(deals, "cccc", seat="north", variant="coded")
    )

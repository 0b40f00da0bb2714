"""The page docs/explanation/trick-model.md runs as it is printed, and has the numbers of the recipe."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np

import dealerkit as dk
from dealerkit.doubledummy.trick_model.network import load_weights
from dealerkit.doubledummy.trick_model.predictions import CALIBRATION, HELD_OUT, TRAINING, find_part

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "trick-model.md"
FILE = Path(dk.__file__).parent / "data" / "trick_model.npz"


def test_the_page_runs():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried >= 6 and failed == 0


def test_numbers_of_deals_and_weights():
    text = PAGE.read_text(encoding="utf-8")
    part = find_part(dk.solved_sample()[:200_000])
    for kind, name in ((HELD_OUT, "held out"), (CALIBRATION, "calibration"), (TRAINING, "training")):
        line = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
        assert f"| {(part == kind).sum():,} |" in line
    with np.load(FILE) as stored:
        n_weights = sum(stored[name].size for name in stored.files if name not in ("scale", "shift"))
        assert all(stored[name].dtype == np.float16 for name in stored.files)
    assert f"{n_weights:,} weights" in text and FILE.stat().st_size < 1_000_000
    assert np.isfinite(load_weights()["notrump"]).all()

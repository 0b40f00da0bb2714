"""Training of the trick model: gradients, the rule of AdamW, the recipe's beginning, and the model card."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.doubledummy.trick_model.network import compute_logits, prepare_weights
from dealerkit.doubledummy.trick_model.predictions import HELD_OUT, TRAINING, find_part

ROOT = Path(__file__).parents[2]
CARD = ROOT / "docs" / "explanation" / "trick-model.md"


@pytest.fixture
def program(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location(
        "train_trick_model", ROOT / "tools" / "train_trick_model.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    for name in [name for name in sys.modules if name.partition(".")[0] == "trick_model"]:
        del sys.modules[name]


def read_tables(text):
    """Return the tables of a page: lists of rows, each a list of cells."""
    tables = re.findall(r"(?:^\|.*\|\n?)+", text, re.MULTILINE)
    return [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
        for table in tables
    ]


def read_number(cell):
    number = float(cell.split(" ")[0].rstrip("%").replace(",", ""))
    return number / 100 if cell.endswith("%") else number


@pytest.fixture(scope="module")
def card():
    """The tables of the page that begin with these words."""
    tables = read_tables(CARD.read_text(encoding="utf-8"))
    starts = ("held-out deals", "predicted chance", "question", "700 deals each")
    return [next(table for table in tables if table[0][0] == start) for start in starts]


@pytest.mark.slow  # most of the time is compilation
def test_gradients_agree_with_differences_of_the_loss(program):
    do, deals = program.do, dk.solved_sample()[:3]
    model = program.Network(encoder=10, width=9, context=8, head=7, last=6, dtype=np.float64)
    model.flat += np.random.default_rng(2).normal(0, 0.05, len(model.flat))
    features = do.encode_deals(deals.hands, np.array([0, 1, 3]), np.empty((3, 2, 4, 60)))
    rows, declarers = np.arange(3)[:, None], np.array([[0, 1], [1, 2], [3, 0]])
    tricks = deals.tables.transpose(0, 2, 1)[rows, declarers].astype(np.int64).ravel()

    def loss():
        parts = do.differentiate_loss(model.compute(features), tricks, 0.5, 1.0)
        return parts[0] + 0.5 * parts[1]

    logits = model.compute(features)
    do.differentiate_loss(logits, tricks, 0.5, 1.0)
    model.differentiate(logits)
    assert set(model.p) == set(model.g)
    for name, array in model.p.items():
        direction = np.random.default_rng(3).normal(0, 1, array.shape)
        slope = float((model.g[name] * direction).sum())
        start, step = array.copy(), 1e-6
        array[:] = start + step * direction
        above = loss()
        array[:] = start - step * direction
        below = loss()
        array[:] = start
        assert (above - below) / (2 * step) == pytest.approx(slope, rel=1e-4, abs=1e-4), name


@pytest.mark.slow  # most of the time is compilation
def test_the_network_of_the_package_is_the_one_that_is_trained(program):
    hands, model = dk.deal(20, seed=1).hands, program.Network(seed=4)
    features = program.do.encode_deals(hands, np.zeros(20, np.int64), np.empty((20, 4, 4, 60), np.float32))
    logits = model.compute(features).reshape(20, 4, 5, 14)
    weights = prepare_weights(model.p | {"scale": np.ones(2), "shift": np.zeros((2, 14))})
    for strain, declarer in [(0, 0), (1, 3), (2, 2), (3, 1), (4, 0), (4, 3)]:
        values = compute_logits(hands, strain, declarer, weights)
        assert np.allclose(values, logits[:, declarer, strain], atol=1e-3), (strain, declarer)


@pytest.mark.slow  # most of the time is compilation
def test_the_first_steps_of_the_recipe_are_the_same_each_time(program):
    deals = dk.solved_sample()[:1_500]
    deals = deals[find_part(deals) == TRAINING]
    tricks = np.ascontiguousarray(deals.tables.transpose(0, 2, 1)).astype(np.int64)
    first, second = (program.train(deals.hands, tricks, steps_at_most=6) for _ in range(2))
    assert np.array_equal(first.flat, second.flat)
    assert np.isfinite(first.flat).all()
    assert not np.array_equal(first.flat, program.Network(seed=program.RECIPE["weights_seed"]).flat)


def test_the_card_is_measured_on_all_held_out_deals(program, card):
    deals = dk.solved_sample()[: program.RECIPE["deals"]]
    n_held_out = int((find_part(deals) == HELD_OUT).sum())
    cells = {row[0]: row[1] for row in card[0]}
    assert cells["notrump"] == f"{4 * n_held_out:,}" and cells["suits"] == f"{16 * n_held_out:,}"


def test_some_held_out_deals_have_the_errors_of_the_card(program, card):
    deals = dk.solved_sample()[:12_000]
    deals = deals[find_part(deals) == HELD_OUT]
    errors = {row[0]: read_number(row[3]) for row in card[0][2:]}
    for name, strain in [("spades", 0), ("clubs", 3), ("notrump", 4)]:
        error = dk.expected_tricks(deals, strain, "north") - deals.tables[:, strain, 0]
        spread = np.sqrt((error**4).mean() / (error**2).mean() ** 2 - 1) / 2 / np.sqrt(len(deals))
        assert error.std() == pytest.approx(errors[name], rel=4 * spread), name


@pytest.mark.slow
def test_the_card_has_the_numbers_of_the_weights(program, card):
    measured = read_tables(program.format_card(dk.solved_sample()[: program.RECIPE["deals"]]))
    for stated, table in zip(card, measured, strict=True):
        assert [row[0] for row in stated] == [row[0] for row in table]
        for stated_row, row in zip(stated[2:], table[2:], strict=True):
            numbers = [[read_number(cell) for cell in cells[1:]] for cells in (stated_row, row)]
            assert numbers[0] == pytest.approx(numbers[1], rel=2e-3, abs=1.5e-3), row[0]

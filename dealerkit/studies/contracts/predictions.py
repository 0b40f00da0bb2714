"""What the trick model expects of the gains of strategies, and of contracts being made."""

from __future__ import annotations

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.trick_model.predictions import predict
from dealerkit.studies.contracts.outcomes import ContractQuestion

LEAST_SPREAD = 1e-3  # so that no deal counts as certain


def predict_gains(
    question: ContractQuestion, deals: Deals, choices: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return expected gains and their standard deviations, each a float64 [strategies, states, n].

    Tricks in different strains, or of different declarers, count as independent given the predictions.
    """
    shape = len(question.strategies), len(question.states), len(deals)
    expected, spread = np.zeros(shape), np.zeros(shape)
    chances = _predict_cells(question, deals, choices)
    assert question.reference is not None
    for strategy, choice in enumerate(choices):
        pairs = np.stack((choice, choices[question.reference]))
        kinds, kind_of = np.unique(pairs, axis=1, return_inverse=True)
        kind_of = np.ravel(kind_of)
        for number, (ours, theirs) in enumerate(kinds.T.tolist()):
            rows = np.flatnonzero(kind_of == number)
            if ours == theirs:
                continue
            parts = [chances[cell][rows] for cell in _cells(question, ours, theirs)]
            mean, square = _expect(question, ours, theirs, parts)
            expected[strategy][:, rows] = mean
            spread[strategy][:, rows] = np.sqrt(np.maximum(square - mean**2, LEAST_SPREAD**2))
    return expected, spread


def predict_made(question: ContractQuestion, deals: Deals, choices: np.ndarray) -> np.ndarray:
    """Return the chance that each strategy makes its contract, float64 [strategies, n]; 0 for a pass."""
    chances = _predict_cells(question, deals, choices)
    made = np.zeros(choices.shape)
    for row, choice in zip(made, choices, strict=True):
        for contract in np.unique(choice).tolist():
            if question.needed[contract]:
                rows = np.flatnonzero(choice == contract)
                chance = chances[int(question.cell_of[contract])][rows]
                row[rows] = chance @ question.made_chances[contract]
    return made


def _cells(question: ContractQuestion, *contracts: int) -> list[int]:
    """Return the different cells of contracts, without passes."""
    return list(dict.fromkeys(int(question.cell_of[k]) for k in contracts if question.needed[k]))


def _predict_cells(question: ContractQuestion, deals: Deals, choices: np.ndarray) -> dict[int, np.ndarray]:
    """Return the chance of each number of tricks by cell, float64 [n, 14]."""
    cells = dict.fromkeys(cell for k in np.unique(choices).tolist() for cell in _cells(question, k))
    chances = {}
    for cell in cells:
        at_least = predict(deals, *question.cells[cell]).at_least.astype(float)
        chances[cell] = at_least - np.append(at_least[:, 1:], np.zeros((len(deals), 1)), axis=1)
    return chances


def _expect(
    question: ContractQuestion, ours: int, theirs: int, chances: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the expected gain of one contract over another and its expected square, [states, n]."""
    gains = question.find_gain_table(ours, theirs)
    if len(chances) == 1:
        return gains @ chances[0].T, gains**2 @ chances[0].T
    mean, square = (np.einsum("sjk,nj,nk->sn", table, *chances, optimize=True) for table in (gains, gains**2))
    return mean, square

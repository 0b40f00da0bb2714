"""Values of expressions for both sides of deals, each side in the strain that it plays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import STRAINS
from dealerkit.compiler.compilation import compile_expression
from dealerkit.studies.expressions import expand_names


class SideEvaluator:
    """Evaluates expressions about north and south for both sides of deals.

    For east-west the deals are rotated, so that east's cards are north's.

    Parameters
    ----------
    deals : Deals
    strains : ndarray of int [shape=(n, 2)]
        The strain that each side plays, S H D C N = 0..4.
    """

    def __init__(self, deals: Deals, strains: np.ndarray) -> None:
        self._strains = strains
        self._sides = deals, deals.rotate(opener="north", hand="east")
        self._groups: list[tuple[np.ndarray, int, int, Deals]] = []

    def evaluate_text(self, text: str) -> np.ndarray:
        """Return the values of an expression in which evaluators may be without arguments: [n, 2]."""
        return self.evaluate(lambda strain: expand_names(text, strain))

    def evaluate(self, build: Callable[[str], str], hundredths: bool = False) -> np.ndarray:
        """Return the values of an expression for both sides: [n, 2].

        Parameters
        ----------
        build : function
            Returns the expression for one of the five strains.
        hundredths : bool
            Integers are hundredths: see `Function.hundredths`.
        """
        texts = [build(strain) for strain in STRAINS]
        compiled = map(compile_expression, dict.fromkeys(texts))
        ranges = [script.graph.operations[script.expression].range for script in compiled]
        dtype = np.result_type(*(bounds.smallest_dtype(hundredths) for bounds in ranges))
        values = np.empty(self._strains.shape, dtype)
        if len(set(texts)) == 1:
            for side, deals in enumerate(self._sides):
                values[:, side] = deals.eval(texts[0])
            return values
        for rows, side, strain, deals in self._group():
            values[rows, side] = deals.eval(texts[strain])
        return values

    def _group(self) -> list[tuple[np.ndarray, int, int, Deals]]:
        """Return for each side and strain the numbers of the deals, side, strain, and the deals."""
        if not self._groups:
            for side, rotated in enumerate(self._sides):
                for strain in np.unique(self._strains[:, side]).tolist():
                    rows = np.flatnonzero(self._strains[:, side] == strain)
                    self._groups.append((rows, side, strain, rotated[rows]))
        return self._groups

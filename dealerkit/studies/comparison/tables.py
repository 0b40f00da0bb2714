"""The numbers of a comparison of evaluators as frames: values, differences, pairs and classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dealerkit.appearance.content import Code, Note, add_condition, format_note, list_parts
from dealerkit.studies.comparison.decision_result import Decision
from dealerkit.studies.comparison.measure_statistics import Analysis
from dealerkit.studies.comparison.predictions import Predictions
from dealerkit.studies.sides import STRAIN_TEXTS


@dataclass(frozen=True, eq=False, kw_only=True)
class TrialTables(Analysis):
    """The numbers of a comparison of evaluators; `Trial` describes the attributes and shows them."""

    deals: int
    sides: int
    strain: str
    declarer: str
    target: str
    where: str | None
    confidence: float
    folds: int
    replicates: int
    seed: int
    weighted: bool = False
    unselected: TrialTables | None = None
    classes: Mapping[str, TrialTables] = field(default_factory=dict)
    predictions: Predictions | None = None
    decision: Decision | None = None

    @property
    def first(self) -> str:
        """The evaluator that the others are compared with."""
        return next(iter(self.fits))

    @property
    def title(self) -> str:
        """The target, the strain and the selection, in one line."""
        return format_note(self._title)

    @property
    def _title(self) -> Note:
        names = {"tricks": "Tricks", "actual tricks": "Tricks at the table"}
        target = (names[self.target],) if self.target in names else (Code(self.target), ",")
        strain = STRAIN_TEXTS.get(self.strain, self.strain)
        if self.declarer == "table" and self.strain == "best major":
            strain = "the strain of the contract"
        return *target, *list_parts(add_condition(f" in {strain}", ", where ", self.where))

    @property
    def possible_best(self) -> list[str]:
        """Names of the evaluators that may be the best, the largest R2 first."""
        return [str(name) for name in self.frame.R2[self.best.possible].sort_values(ascending=False).index]

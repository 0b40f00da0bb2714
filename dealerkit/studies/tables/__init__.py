"""Tables that studies of bridge begin with: tricks, fits, par and layouts of solved deals, with intervals."""

from __future__ import annotations

from dealerkit.studies.tables.best_contracts import best_contracts
from dealerkit.studies.tables.break_even import (
    BreakEvenProbability,
    BreakEvenTable,
    break_even,
    break_even_table,
)
from dealerkit.studies.tables.contract_choice import BestContracts
from dealerkit.studies.tables.law import LawOfTotalTricks, law_of_total_tricks
from dealerkit.studies.tables.layouts import Layouts, layouts
from dealerkit.studies.tables.par_statistics import ParStatistics, par_statistics
from dealerkit.studies.tables.tricks import tricks_by
from dealerkit.studies.tables.tricks_result import TricksTable

__all__ = [
    "BestContracts",
    "BreakEvenProbability",
    "BreakEvenTable",
    "LawOfTotalTricks",
    "Layouts",
    "ParStatistics",
    "TricksTable",
    "best_contracts",
    "break_even",
    "break_even_table",
    "law_of_total_tricks",
    "layouts",
    "par_statistics",
    "tricks_by",
]

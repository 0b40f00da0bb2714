"""dealerkit: bridge deals by the million, asked in the dealer language, told as tables and pictures.

>>> import dealerkit as dk
>>> result = dk.run('''
... condition shape(north, any 4333 + any 4432 + any 5332) and hcp(north) >= 15 and hcp(north) <= 17
... action average "points opposite" hcp(south)
... ''', produce=1000, seed=1)
>>> result["points opposite"].n
1000

Every public name is imported when it is first used, so ``import dealerkit`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "dealerkit.cards.array": ("DealArray", "DealDtype"),
    "dealerkit.cards.deal": ("Deal",),
    "dealerkit.cards.deals": ("Deals",),
    "dealerkit.errors": (
        "ArgumentError", "CompatibilityWarning", "DealError", "DealerkitError", "DealerkitWarning",
        "DivisionByZeroError", "EvaluationError", "FileError", "MemoryLimitError", "NotYetError",
        "NothingProducedWarning", "PredealError", "ScriptError", "UnknownNameError",
        "UnsatisfiableWarning",
    ),
    "dealerkit.doubledummy.status_codes": ("SolverError",),
    "dealerkit.doubledummy.leads": ("leads",),
    "dealerkit.doubledummy.par": ("par",),
    "dealerkit.doubledummy.positions": ("solve_board",),
    "dealerkit.doubledummy.tables": ("dd_makes", "dd_table", "dd_tricks"),
    "dealerkit.evaluators": ("evaluate",),
    "dealerkit.language": ("Script", "parse"),
    "dealerkit.language.functions": ("function",),
    "dealerkit.formats.sample": ("solved_sample",),
    "dealerkit.explanation.explain": ("explain",),
    "dealerkit.simulation.probability": ("probability",),
    "dealerkit.explanation.why": ("why",),
    "dealerkit.scoring": ("imps", "matchpoints", "score"),
    "dealerkit.simulation.distribution": ("distribution",),
    "dealerkit.simulation.result": ("Result",),
    "dealerkit.simulation.run": ("deal", "run"),
    "dealerkit.statistics": ("Estimate", "proportion"),
    "dealerkit.studies": ("Trial", "TrialWarning", "compare", "opc_breakdown"),
    "dealerkit.studies.differences": ("difference",),
    "dealerkit.notebook": ("load_ipython_extension",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", "functions", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name == "functions":  # anew each time: `function` adds to it
        return importlib.import_module("dealerkit.compiler.frames").functions_table()
    if name not in _HOME_OF:
        raise AttributeError(f"module 'dealerkit' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

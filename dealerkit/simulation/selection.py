"""The deals of a source that satisfy a condition, by their numbers."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from dealerkit.compiler.compilation import compile_expression
from dealerkit.dealing.source import Source
from dealerkit.language.dialects import find_rules
from dealerkit.language.parser import parse_script, read_text
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.simulation.job import RunOptions
from dealerkit.simulation.loops import run_batches
from dealerkit.simulation.prepare import prepare


def select_numbers(
    source: Source, text: str | os.PathLike, dialect: str = "modern", params: Params = (), **settings: Any
) -> np.ndarray:
    """Return the numbers of the deals for which an expression is true, int64 [n], rising.

    Parameters
    ----------
    source : Source
        With an end.
    text : str or os.PathLike
    dialect, params
        Of the expression.
    **settings
        opener and vulnerable.

    Raises
    ------
    ArgumentError, ScriptError, EvaluationError
    """
    rules, variables = find_rules(dialect), ScriptVariables.collect(params)
    compile_expression(text, rules, variables, **settings)  # refuses other statements
    variables.check_used()
    script = read_text(text, rules, variables) + parse_script("action", rules)
    options = RunOptions(source=source, generate=source.n_deals, keep=0, dialect=dialect, **settings)
    job = prepare(script, options)
    return np.concatenate([np.empty(0, np.int64), *(batch.numbers for batch in run_batches(job))])

"""A result as a file: a zip with `result.json`, the text, the script, and arrays and tables beside them."""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import asdict
from numbers import Integral, Real
from typing import Any

import numpy as np

from dealerkit.actions.saved_state import encode_action
from dealerkit.cards.sequence import ATTACHED_COLUMNS
from dealerkit.errors import ArgumentError, ScriptError
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.simulation.record import RunRecord
from dealerkit.statistics.saved_state import Store, encode_accumulator
from dealerkit.system.checkpoints import store_in, write_arrays
from dealerkit.system.files import write_atomically

FORMAT, FORMAT_VERSION = "dealerkit result", 1


def save_result(result: Any, path: str | os.PathLike) -> None:
    """Write a result to a file, which appears under its name when it is complete.

    Raises
    ------
    ArgumentError
        `path` is no path, or the result has a script that cannot be written as text.
    FileError
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {path!r:.60}; give the name of a file, such as 'study.zip'")
    if result.record is None:
        raise ArgumentError("the result has no record of its run; run its script again")
    arrays: dict[str, np.ndarray] = {}
    content = _describe(result, store_in(arrays))
    columns = {name: getattr(result.deals, name) for name in ("hands", *ATTACHED_COLUMNS)}
    arrays |= {f"deals/{name}.npy": array for name, array in columns.items() if array is not None}
    with write_atomically(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("result.json", json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1))
        file.writestr("script.dealer", result.plan.program.script.text)
        file.writestr("text.txt", result.text)
        for number, report in enumerate(result.reports, 1):
            file.writestr(f"reports/{number}.csv", report.frame.to_csv())
        write_arrays(file, arrays)


def _describe(result: Any, store: Store) -> dict[str, Any]:
    """Return everything but the deals and the texts as values that JSON has."""
    from dealerkit import __version__

    record, plan, program = result.record, result.plan, result.plan.program
    operations = plan.graph.operations
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "dealerkit": __version__,
        "script": _format_script(program.script),
        "dialect": program.script.rules.name,
        "file": program.script.file,
        "params": {name: _to_plain(value) for name, value in program.script.params.items()},
        "metadata": dict(program.script.metadata),
        "settings": {
            name: getattr(program, name) for name in ("title", "opener", "vulnerable", "par_vulnerable")
        },
        "plan": {
            "name": plan.name,
            "version": plan.version,
            "share": None if plan.sampling is None else str(plan.sampling.share),
            "accepts_all": plan.sampling is not None and plan.sampling.sampler.accepts_all,
            "has_clauses": bool(plan.clauses),
            "conditional_version": result.conditional_version,
        },
        "stream": result.stream,
        "stream_version": result.stream_version,
        "produced": result.produced,
        "generated": result.generated,
        "proposed": result.proposed,
        "elapsed": result.elapsed,
        "probability": result.probability.to_dict(),
        "interrupted": result.interrupted,
        "warnings": list(result.warnings),
        "unsatisfiable": list(result.unsatisfiable),
        "solver": asdict(result.solver),
        "numbers": store(result.numbers),
        "random_values": [
            [slot, to_text(operations[slot].node), store(values)]
            for slot, values in result.random_values.items()
        ],
        "reports": [report.title for report in result.reports],
        "record": _describe_record(record, store),
    }


def _describe_record(record: RunRecord, store: Store) -> dict[str, Any]:
    """Return the record of a run as values that JSON has."""
    levelling = record.levelling
    return {
        "parts": [asdict(part) for part in record.parts],
        "predeal": asdict(record.predeal),
        "has_curves": record.has_curves,
        "swap": int(record.swap),
        "confidence": float(record.confidence),
        "coverage": record.coverage,
        "statistics": bool(record.statistics),
        "source": record.source,
        "n_printed": None if record.printed is None else len(record.printed),
        "types": None if record.types is None else store(record.types),
        "acceptance": None if record.acceptance is None else encode_accumulator(record.acceptance, store),
        "levelling": None
        if levelling is None
        else {
            "names": list(levelling.names),
            "shares": [str(share) for share in levelling.shares],
            "rates": [rate.to_dict() for rate in levelling.rates],
            "outside": levelling.outside.to_dict(),
        },
        "actions": [{"name": action.name, **encode_action(action, store)} for action in record.actions],
    }


def _format_script(script: Script) -> str:
    """Return a script as text without script variables and included files, which reads as the same script."""
    remedy = "write it as one text in the dialect modern, v1 or v2 and run that"
    if DIALECTS.get(script.rules.name) != script.rules:
        raise ArgumentError(f"a script under rules of your own cannot be saved; {remedy}")
    text = to_text(script)
    try:
        reason = "its text means something else"
        same = parse_script(text, script.rules).statements == script.statements
    except ScriptError as error:
        same, reason = False, error.message
    if not same:
        raise ArgumentError(f"the script cannot be saved, as it has no text ({reason}); {remedy}")
    return text


def _to_plain(value: Any) -> Any:
    """Return the value of a script variable as one that JSON has."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else str(value)

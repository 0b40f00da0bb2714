"""A result as a file: a zip with `result.json`, the text and the script, and arrays and tables."""

from __future__ import annotations

import json
import math
import os
import warnings
import zipfile
from dataclasses import asdict, fields, replace
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np

from dealerkit.actions.saved_state import encode_action, restore_action
from dealerkit.appearance.wording import format_csv
from dealerkit.cards.deals import Deals
from dealerkit.cards.sequence import ATTACHED_COLUMNS
from dealerkit.compiler.compilation import compile_program
from dealerkit.dealing.predeal import Predeal
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.errors import ArgumentError, DealerkitError, FileError, IncompleteWarning, quote
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.planning import Plan, make_plan
from dealerkit.planning.plan import Sampling
from dealerkit.runtime.checkpoints import DAMAGE, Arrays, store_in, write_arrays
from dealerkit.runtime.files import name_in_errors, open_input, write_atomically
from dealerkit.runtime.process import memory_bytes
from dealerkit.simulation.calls import NOT_OF_OPTIONS, format_script
from dealerkit.simulation.job import RunOptions
from dealerkit.simulation.levelling import Levelling
from dealerkit.simulation.record import Part, RunRecord, SavedSampler
from dealerkit.simulation.run_limits import RunLimits
from dealerkit.statistics import Counts, Estimate
from dealerkit.statistics.saved_state import Store, encode_accumulator, restore_accumulator

FORMAT, FORMAT_VERSION = "dealerkit result", 1
MAX_COUNT = 1e30  # largest number of deals or seconds
STREAMS = ("uniform", "classic", "given")
_OPTIONS, _LIMITS = (
    {field.name for field in fields(kind)} - {*NOT_OF_OPTIONS} for kind in (RunOptions, RunLimits)
)


def save_result(result: Any, path: str | os.PathLike) -> None:
    """Write a result to a file, which appears under its name only when it is complete.

    Raises
    ------
    ArgumentError
        `path` is not a path, or the script of the result cannot be written as text.
    FileError
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {quote(path)}; give the name of a file, such as 'study.zip'")
    arrays: dict[str, np.ndarray] = {}
    content = _describe(result, store_in(arrays))
    columns = {name: getattr(result.deals, name) for name in ("hands", *ATTACHED_COLUMNS)}
    arrays |= {f"deals/{name}.npy": array for name, array in columns.items() if array is not None}
    with write_atomically(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("result.json", json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1))
        file.writestr("script.dealer", result.plan.program.script.text)
        file.writestr("text.txt", result.text)
        for number, report in enumerate(result.reports, 1):
            file.writestr(f"reports/{number}.csv", format_csv(report.frame, index=True))
        write_arrays(file, arrays)


def _describe(result: Any, store: Store) -> dict[str, Any]:
    """Return everything except the deals and the texts as values that JSON has."""
    from dealerkit import __version__

    record, plan, program = result.record, result.plan, result.plan.program
    operations = plan.graph.operations
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "dealerkit": __version__,
        "script": format_script(program.script),
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


def _to_plain(value: Any) -> Any:
    """Return the value of a script variable as a value that JSON has."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else str(value)


def read_result(path: str | os.PathLike) -> dict[str, Any]:
    """Return the arguments of the `Result` in a file; nothing in the file is executed.

    Raises
    ------
    FileError
        The file cannot be read, is damaged, was not written by `save_result`, or was written by a newer
        version.
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {quote(path)}; give the name of a file that Result.save wrote")
    with name_in_errors(path), open_input(path) as stream:
        try:
            with zipfile.ZipFile(stream) as file:
                return _read(file, path)
        except zipfile.BadZipFile as reason:
            raise FileError(
                f"{path}: not a saved result, or a damaged one ({reason}); give a file that Result.save "
                "wrote. "
                "dk.read reads files of deals"
            ) from reason
        except FileError:
            raise
        except (DealerkitError, *DAMAGE) as error:
            detail = str(error).partition("\n")[0] or type(error).__name__
            raise FileError(
                f"{path}: the saved result is damaged ({detail:.200}); save the result again, or use a copy"
            ) from error


def _read(file: zipfile.ZipFile, path: object) -> dict[str, Any]:
    """Return the arguments of the result in an open file."""
    # Reject a file that is too large, is not a saved result, or has another version
    sizes = {item.filename: item.file_size for item in file.infolist()}
    limit = memory_bytes() // 4
    if sum(sizes.values()) > limit:
        raise FileError(
            f"{path}: its content has {sum(sizes.values()):,} bytes, more than a quarter of the memory "
            f"({4 * limit:,}); load it on a larger machine"
        )
    if "result.json" not in sizes:
        raise FileError(f"{path}: this zip file is not a saved result; give a file that Result.save wrote")
    content = json.loads(file.read("result.json"))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileError(f"{path}: this zip file is not a saved result; give a file that Result.save wrote")
    version = content["version"]
    if version != FORMAT_VERSION:
        raise FileError(
            f"{path}: saved by dealerkit {content.get('dealerkit', '?')!s:.20} in version "
            f"{quote(version, 20)} of "
            f"the format, and this dealerkit reads version {FORMAT_VERSION}; install the newest dealerkit"
        )
    # Compile the script again, and restore what was accumulated
    plain = _read_plan(file, content, path)
    text = file.read("text.txt").decode()
    return _read_content(Arrays(file), content, plain, text)


def _read_plan(file: zipfile.ZipFile, content: dict, path: object) -> Plan:
    """Return the plain plan of the saved script, compiled again."""
    rules = DIALECTS[content["dialect"]]
    try:
        script = parse_script(content["script"], rules)
        script = replace(
            script,
            text=file.read("script.dealer").decode(),
            file=content["file"],
            params=dict(content["params"]),
            metadata=dict(content["metadata"]),
        )
        settings = content["settings"]
        names = ("title", "opener", "vulnerable", "par_vulnerable")
        program = replace(check_script(script), **{name: settings[name] for name in names})
        return make_plan(compile_program(program))
    except DealerkitError as error:
        reason = getattr(error, "message", None) or str(error).partition("\n")[0]
        raise FileError(
            f"{path}: its script cannot be read here ({reason}); if it uses functions of your own, register "
            "them with @dk.function first"
        ) from error


def _choose_plan(plain: Plan, saved: dict) -> Plan:
    """Return the plan of the saved run; for conditional dealing it has the share of the candidates."""
    name, share = saved["name"], saved["share"]
    if name not in ("plain", "staged", "conditional", "levelled"):
        raise ValueError(f"unknown plan {quote(name, 20)}")
    plan = replace(plain, name=name, version=int(saved["version"]))
    if not saved["has_clauses"]:
        plan = replace(plan, clauses=(), n_solver_clauses=0)
    if share is None:
        return plan
    sampler = SavedSampler(Fraction(share), bool(saved["accepts_all"]), int(saved["conditional_version"]))
    return replace(plan, sampling=Sampling(sampler, (), ()))  # type: ignore[arg-type]  # never samples


def _check_values(content: dict, n_characters: int) -> None:
    """Raise ValueError for numbers and names that no run has; actions check those of reports.

    Options become a part of `Result.call`, which people may execute, so it must not write a file.
    """
    record, solver = content["record"], content["solver"]
    # Counts and times
    counts = [content["produced"], content["proposed"], content["stream_version"], *solver.values()]
    counts += [number for part in record["parts"] for number in (part["proposed"], part["n_kept"])]
    counts += [number for number in (content["generated"], record["n_printed"]) if number is not None]
    if any(type(number) not in (int, float) or not 0 <= number < MAX_COUNT for number in counts):
        raise ValueError("some of its counts are not counts")
    if not 0 <= float(content["elapsed"]) < MAX_COUNT:
        raise ValueError("its time is not a time")
    if record["n_printed"] is not None and record["n_printed"] > n_characters:
        raise ValueError("a part of its text is missing")
    if content["generated"] is not None and content["produced"] > content["generated"]:
        raise ValueError("more deals were produced than dealt")
    value = Estimate.from_dict(content["probability"]).value
    if not (math.isnan(value) or 0 <= value <= 1):
        raise ValueError("its acceptance rate is not a share")
    # What the script and the run were
    settings, metadata = content["settings"], content["metadata"]
    file = [] if content["file"] is None else [content["file"]]
    if any(type(text) is not str for text in (settings["title"], *file, *metadata, *metadata.values())):
        raise ValueError("a text of its script is not a text")
    numbers = (settings["opener"], settings["vulnerable"], settings["par_vulnerable"])
    if any(number is not None and not (type(number) is int and number in range(4)) for number in numbers):
        raise ValueError("its opener or its vulnerability is unknown")
    if content["stream"] not in STREAMS or record["swap"] not in (0, 2, 3):
        raise ValueError("its stream is unknown")
    if any(type(part["seed"]) is not int for part in record["parts"]):
        raise ValueError("its seed is not a number")
    for seat, suit, number in (item for items in record["predeal"].values() for item in items):
        if not (seat in range(4) and suit in range(4) and number in range(14)):
            raise ValueError("its predealt cards are not cards")
    for part in record["parts"]:
        options, limits = part.get("options", {}), part.get("options", {}).get("limits", {})
        if not options.keys() <= _OPTIONS or not limits.keys() <= _LIMITS:
            raise ValueError("its options are not options of a run")


def _read_record(fetch: Arrays, saved: dict, plain: Plan, text: str) -> RunRecord:
    """Return the record of the saved run."""
    acceptance, levelling = None, saved["levelling"]
    if saved["acceptance"] is not None:
        acceptance = Counts((0, 1))
        restore_accumulator(acceptance, saved["acceptance"], fetch)
    if levelling is not None:
        levelling = Levelling(
            tuple(levelling["names"]),
            tuple(Fraction(share) for share in levelling["shares"]),
            tuple(Estimate.from_dict(rate) for rate in levelling["rates"]),
            Estimate.from_dict(levelling["outside"]),
        )
    states = saved["actions"]
    if [state["name"] for state in states] != [action.name for action in plain.actions]:
        raise ValueError("its actions are not those of its script")
    if saved["coverage"] not in ("sample", "all", "part"):
        raise ValueError("its coverage is unknown")
    n_printed = saved["n_printed"]
    return RunRecord(
        parts=tuple(Part(**part) for part in saved["parts"]),
        plain=plain,
        actions=tuple(
            restore_action(action, state, fetch) for action, state in zip(plain.actions, states, strict=True)
        ),
        predeal=Predeal(**{name: tuple(map(tuple, items)) for name, items in saved["predeal"].items()}),
        has_curves=bool(saved["has_curves"]),
        swap=int(saved["swap"]),
        confidence=float(saved["confidence"]),
        coverage=saved["coverage"],
        acceptance=acceptance,
        levelling=levelling,
        types=None if saved["types"] is None else fetch(saved["types"]),
        statistics=bool(saved["statistics"]),
        printed=None if n_printed is None else text[:n_printed],
        source=str(saved["source"]),
    )


def _read_deals(fetch: Arrays) -> Deals:
    """Return the kept deals with their attached columns, which are checked."""
    columns: dict[str, Any] = {
        name: fetch(f"deals/{name}.npy") for name in ATTACHED_COLUMNS if f"deals/{name}.npy" in fetch
    }
    return Deals(fetch("deals/hands.npy"), **columns)


def _read_content(fetch: Arrays, content: dict, plain: Plan, text: str) -> dict[str, Any]:
    """Return the arguments of the result; its reports are made from what was accumulated."""
    _check_values(content, len(text))
    plan = _choose_plan(plain, content["plan"])
    # The deals and their random numbers, checked against each other
    record = _read_record(fetch, content["record"], plain, text)
    deals, numbers = _read_deals(fetch), fetch(content["numbers"])
    random_values = {}
    for slot, expression, name in content["random_values"]:
        if to_text(plan.graph.operations[slot].node) != expression:
            raise ValueError(f"{quote(expression)} is not in its script")
        random_values[slot] = fetch(name)
    lengths = [numbers, *random_values.values()] + ([] if record.types is None else [record.types])
    n_kept = sum(part.n_kept for part in record.parts)
    if any(array.shape != (len(deals),) for array in lengths) or n_kept != len(deals):
        raise ValueError("some of its deals are missing")
    # The reports, which must be those of the script
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IncompleteWarning)  # the run warned already
        reports = record.make_reports()
    if [report.title for report in reports] != content["reports"]:
        raise ValueError("its reports are not those of its script")
    return dict(
        produced=int(content["produced"]),
        generated=None if content["generated"] is None else int(content["generated"]),
        seed=record.seeds[0],
        elapsed=float(content["elapsed"]),
        deals=deals,
        numbers=numbers,
        reports=reports,
        text=text,
        plan=plan,
        probability=Estimate.from_dict(content["probability"]),
        stream=str(content["stream"]),
        stream_version=int(content["stream_version"]),
        interrupted=bool(content["interrupted"]),
        warnings=tuple(map(str, content["warnings"])),
        solver=Ledger.from_dict(content["solver"]),
        proposed=int(content["proposed"]),
        params=plain.program.script.params,
        random_values=random_values,
        unsatisfiable=tuple(map(str, content["unsatisfiable"])),
        record=record,
    )

"""`load`: a result from the file that `Result.save` wrote. Nothing in the file is executed."""

from __future__ import annotations

import json
import os
import warnings
import zipfile
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dealerkit.actions.saved_state import restore_action
from dealerkit.cards.deals import Deals
from dealerkit.cards.sequence import ATTACHED_COLUMNS
from dealerkit.compiler.compilation import compile_program
from dealerkit.dealing.predeal import Predeal
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.errors import ArgumentError, DealerkitError, FileError, IncompleteWarning
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.planning import Plan, make_plan
from dealerkit.planning.plan import Sampling
from dealerkit.simulation.levelled_source import Levelling
from dealerkit.simulation.record import Part, RunRecord, SavedSampler
from dealerkit.simulation.result import Result
from dealerkit.simulation.saving import FORMAT, FORMAT_VERSION
from dealerkit.statistics import Counts, Estimate
from dealerkit.statistics.saved_state import restore_accumulator
from dealerkit.system.checkpoints import DAMAGE, Arrays
from dealerkit.system.files import name_in_errors
from dealerkit.system.process import memory_bytes


def load(path: str | os.PathLike) -> Result:
    """Return the result that `Result.save` wrote to a file.

    It has the deals, reports and text of the saved one and can be combined with others. Functions of your own
    that its script uses are registered before. Loading a file never executes code from it.

    Parameters
    ----------
    path : str or os.PathLike

    Returns
    -------
    Result

    Raises
    ------
    FileError
        The file cannot be read, is damaged, was not written by `Result.save`, or by a newer version.

    Examples
    --------
    >>> import tempfile
    >>> from dealerkit.simulation.run import run
    >>> result = run("condition hcp(north) >= 20 action average hcp(south)", produce=100, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(f"{folder}/study.zip")
    ...     again = load(f"{folder}/study.zip")
    >>> again.produced, again["hcp(south)"].mean == result["hcp(south)"].mean, again.text == result.text
    (100, True, True)
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {path!r:.60}; give the name of a file that Result.save wrote")
    with name_in_errors(path), open(path, "rb") as stream:
        try:
            with zipfile.ZipFile(stream) as file:
                return _read(file, path)
        except zipfile.BadZipFile as reason:
            raise FileError(
                f"{path}: no saved result, or a damaged one ({reason}); give a file that Result.save wrote. "
                "dk.read reads files of deals"
            ) from reason
        except DealerkitError as error:
            if isinstance(error, FileError):
                raise
            raise _name_damage(path, error) from error
        except DAMAGE as error:
            raise _name_damage(path, error) from error


def _name_damage(path: object, error: Exception) -> FileError:
    """Return the error about a file whose content contradicts itself."""
    reason = str(error).partition("\n")[0] or type(error).__name__
    return FileError(
        f"{path}: the saved result is damaged ({reason:.200}); save the result again, or use a copy"
    )


def _read(file: zipfile.ZipFile, path: object) -> Result:
    """Return the result in an open file."""
    sizes = {item.filename: item.file_size for item in file.infolist()}
    limit = memory_bytes() // 4
    if sum(sizes.values()) > limit:
        raise FileError(
            f"{path}: its content has {sum(sizes.values()):,} bytes, more than a quarter of the memory "
            f"({4 * limit:,}); load it on a larger machine"
        )
    if "result.json" not in sizes:
        raise FileError(f"{path}: this zip file is no saved result; give a file that Result.save wrote")
    content = json.loads(file.read("result.json"))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileError(f"{path}: this zip file is no saved result; give a file that Result.save wrote")
    version = content["version"]
    if version != FORMAT_VERSION:
        raise FileError(
            f"{path}: saved by dealerkit {content.get('dealerkit', '?')!s:.20} in version {version!r:.20} of "
            f"the format, and this dealerkit reads version {FORMAT_VERSION}; install the newest dealerkit"
        )
    plain = _read_plan(file, content, path)
    text = file.read("text.txt").decode()
    return _make_result(Arrays(file), content, plain, text)


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
            "them with @dk.function before"
        ) from error


def _choose_plan(plain: Plan, saved: dict) -> Plan:
    """Return the plan of the saved run: of conditional dealing it has the share of the candidates."""
    name, share = saved["name"], saved["share"]
    if name not in ("plain", "staged", "conditional", "levelled"):
        raise ValueError(f"unknown plan {name!r:.20}")
    plan = replace(plain, name=name, version=int(saved["version"]))
    if not saved["has_clauses"]:
        plan = replace(plan, clauses=(), n_solver_clauses=0)
    if share is None:
        return plan
    sampler = SavedSampler(Fraction(share), bool(saved["accepts_all"]), int(saved["conditional_version"]))
    return replace(plan, sampling=Sampling(sampler, (), ()))  # type: ignore[arg-type]  # never samples


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


def _make_result(fetch: Arrays, content: dict, plain: Plan, text: str) -> Result:
    """Return the result; its reports are made of what was accumulated."""
    plan = _choose_plan(plain, content["plan"])
    record = _read_record(fetch, content["record"], plain, text)
    deals, numbers = _read_deals(fetch), fetch(content["numbers"])
    random_values = {}
    for slot, expression, name in content["random_values"]:
        if to_text(plan.graph.operations[slot].node) != expression:
            raise ValueError(f"{expression!r:.60} is not in its script")
        random_values[slot] = fetch(name)
    lengths = [numbers, *random_values.values()] + ([] if record.types is None else [record.types])
    n_kept = sum(part.n_kept for part in record.parts)
    if any(array.shape != (len(deals),) for array in lengths) or n_kept != len(deals):
        raise ValueError("some of its deals are missing")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IncompleteWarning)  # the run warned
        reports = record.make_reports()
    if [report.title for report in reports] != content["reports"]:
        raise ValueError("its reports are not those of its script")
    return Result(
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
        solver=Ledger(**content["solver"]),
        proposed=int(content["proposed"]),
        params=plain.program.script.params,
        random_values=random_values,
        unsatisfiable=tuple(map(str, content["unsatisfiable"])),
        record=record,
    )

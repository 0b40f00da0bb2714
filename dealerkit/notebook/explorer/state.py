"""The model of a script with sliders: its text, values, settings and results, and its exports."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dealerkit.advice.check import check
from dealerkit.advice.explain import explain
from dealerkit.advice.findings import Finding, from_error
from dealerkit.advice.report import ScriptExplanation
from dealerkit.arguments import check_integer, is_listing
from dealerkit.errors import ArgumentError, DealerkitError, quote
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.language.includes import Includes
from dealerkit.language.parser import parse_script
from dealerkit.language.script import Script
from dealerkit.language.script_variables import ScriptVariables, format_value
from dealerkit.notebook.explorer.numbers import (
    PRODUCE,
    Control,
    ScriptNumber,
    find_default_produce,
    find_numbers,
    find_variables,
    is_number,
    list_controls,
    move_places,
    read_text,
)
from dealerkit.notebook.explorer.running import HeldDeals, Progress, Runner
from dealerkit.notebook.panels import MAX_PANELS
from dealerkit.simulation.job import RunOptions
from dealerkit.simulation.result import Result

PAGE = 12  # deals that are shown at a time


class ExplorerState:
    """A script with its values, its settings and its results.

    Parameters
    ----------
    script : str, os.PathLike or Script
        The text, the path of its file, or what `dealerkit.parse` returned.
    produce, seed, threads : int or None
        As for `dealerkit.run`. By default `produce` is that of the script, or else 10,000 deals, 1,000 if
        tricks have to be solved, 40 if the script only prints. The default seed is that of the script, or
        else a random one that all runs share.
    params : mapping or sequence
        Values of script variables.
    marked : sequence of int
        Positions of the numbers that have a slider, in characters from 0.
    include : sequence of str or os.PathLike
        Folders to search for included files, in addition to the folder of the script's file.

    Attributes
    ----------
    text : str
        The script.
    values : dict of str to str
        The values of script variables.
    numbers : list of ScriptNumber
        The numbers in the script that can have a slider, as of the last text without an error.
    findings : list of Finding
        The mistakes in the script.
    progress : Progress or None
        How far the last run is; None before the first run.

    Raises
    ------
    ArgumentError
        An argument has a wrong type or is out of range.
    FileError
        The file of the script cannot be read.
    """

    def __init__(
        self,
        script: str | os.PathLike | Script,
        *,
        produce: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        params: Any = (),
        marked: Sequence[int] = (),
        include: Sequence[str | os.PathLike] = (),
    ) -> None:
        variables = ScriptVariables(params)
        self.text = read_text(script)
        self.include = [str(folder) for folder in Includes(None, include).folders]
        if not is_listing(marked):
            raise ArgumentError(
                f"marked is {quote(marked)}; give a list of positions of numbers in the script, such as [24]"
            )
        places = {check_integer("marked", place) for place in marked}
        if isinstance(script, os.PathLike):
            self.include.insert(0, str(Path(script).resolve().parent))
        script_params = script.params if isinstance(script, Script) else {}
        given = {**script_params, **variables.values}
        self.values = {name: format_value(name, value) for name, value in given.items()}
        self.findings: list[Finding] = []
        self.numbers: list[ScriptNumber] = []
        self.marked: list[int] = []
        self.page = 0
        self.progress: Progress | None = None
        self._produce, self._seed = produce, seed
        self.threads = threads
        self._held, self._turn = HeldDeals(), threading.Lock()
        self._runner: Runner | None = None
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[str], None]] = []
        self._explained: tuple[Any, ScriptExplanation] | None = None
        self._ran: tuple[str, dict[str, str]] | None = None
        for name, value, least in (("produce", produce, 1), ("seed", seed, 0), ("threads", threads, 1)):
            if value is not None:
                self.set_setting(name, value, least)
        self.set_text(self.text)
        self.seed = self._choose_seed()
        self.marked = [number.start for number in self.numbers if number.start in places]

    # ------------------------------------------------------------ script
    def set_text(self, text: str) -> bool:
        """Take and check a new text; return whether it can be run. Sliders move with their numbers."""
        self.marked = move_places(self.text, text, self.marked)
        self.text = text
        self.findings = [finding for finding in self._check() if finding.kind in ("refused", "mistake")]
        if not self.has_error:
            self._read_numbers()
        self._notify("script")
        return not self.has_error

    def _check(self) -> list[Finding]:
        try:
            return check(self.text, params=self._used_values(), include=self.include)
        except DealerkitError as error:
            return [from_error(error)]

    def _read_numbers(self) -> None:
        """Find the numbers in the text, and remove marks from what is no longer a number."""
        self.numbers = find_numbers(self.text, self._used_values(), self.include)
        starts = {number.start for number in self.numbers if not number.variable}
        self.marked = [start for start in self.marked if start in starts]

    @property
    def has_error(self) -> bool:
        """Whether the script cannot be run."""
        return any(finding.kind == "refused" for finding in self.findings)

    @property
    def panels(self) -> list[Finding]:
        """The mistakes to show, at most `MAX_PANELS`, errors first."""
        return sorted(self.findings, key=lambda finding: finding.kind != "refused")[:MAX_PANELS]

    def _used_values(self) -> dict[str, str]:
        """Return the values of the variables that the script uses."""
        used = find_variables(self.text)
        return {name: value for name, value in self.values.items() if name in used and value.strip()}

    # ------------------------------------------------------------ controls
    def toggle_mark(self, start: int) -> None:
        """Give the number at a position a slider, or remove its slider.

        Raises
        ------
        ArgumentError
            No number starts at this position.
        """
        if start in self.marked:
            self.marked.remove(start)
        elif any(number.start == start and not number.variable for number in self.numbers):
            self.marked = sorted([*self.marked, start])
        else:
            raise ArgumentError(
                f"no number starts at character {start} of the script; choose one of the numbers listed"
            )
        self._notify("controls")

    @property
    def controls(self) -> list[Control]:
        """The sliders and fields: first those of script variables, then those of marked numbers."""
        return list_controls(self.text, self.values, self.numbers, self.marked)

    def set_value(self, key: str, value: Any) -> None:
        """Set the value of a control and run the script with it.

        Parameters
        ----------
        key : str
            `Control.key`.
        value : int, float or str
            The new value.

        Raises
        ------
        ArgumentError
            There is no such control, or the value is neither a number nor a text.
        """
        control = next((control for control in self.controls if control.key == key), None)
        if control is None:
            known = ", ".join(control.key for control in self.controls)
            raise ArgumentError(
                f"the explorer has no control {quote(key, 40)}; "
                f"{f'it has {known}' if known else 'it has none'}"
            )
        text = format_value(key[1:], value)
        if text == control.text:
            return
        if key.startswith("$"):
            self.values[key[1:]] = text
        else:
            assert control.number is not None
            self._replace_number(control.number, text)
        if control.number is None or not is_number(text) or not self.numbers:
            self.set_text(self.text)  # a text can be any expression, so the script is checked again
        else:
            self._read_numbers()
            if self.numbers:
                self._notify("text")
            else:
                self.set_text(self.text)
        if not self.has_error:
            self.run()

    def _replace_number(self, number: ScriptNumber, text: str) -> None:
        """Replace a marked number by another one, and move the marks after it."""
        change = len(text) - (number.end - number.start)
        self.marked = [start + change if start > number.start else start for start in self.marked]
        self.text = self.text[: number.start] + text + self.text[number.end :]

    # ------------------------------------------------------------ settings
    def set_setting(self, name: str, value: Any, least: int = 0) -> None:
        """Set a number that the run uses.

        Parameters
        ----------
        name : {"produce", "seed", "threads"}
        value : int
        least : int
            The smallest value that is possible.

        Raises
        ------
        ArgumentError
            The value is not an integer, or is below `least`.
        """
        number = check_integer(name, value, least)
        if name == "produce":
            self._produce = number
        else:
            setattr(self, name, number)
            if name == "seed":
                self._seed = number

    @property
    def produce(self) -> int:
        """Number of deals that a run produces."""
        if self._produce is not None:
            return self._produce
        return PRODUCE if self.has_error else find_default_produce(self._parse())

    def _parse(self) -> Script:
        return parse_script(self.text, MODERN, None, self._used_values(), self.include)

    def _choose_seed(self) -> int:
        """Return the caller's seed, the script's, or a new one."""
        if self._seed is not None:
            return self._seed
        for statement in self._parse().statements if not self.has_error else ():
            if isinstance(statement, nodes.Setting) and statement.name == "seed":
                return int(statement.value)
        return int.from_bytes(os.urandom(2), "little")

    # ------------------------------------------------------------ runs
    def run(self) -> bool:
        """Start a run and stop the one before; return False and keep the results if the script is wrong."""
        if self.has_error:
            self._notify("script")
            return False
        options = RunOptions(
            produce=self.produce, seed=self.seed, params=self._used_values(), threads=self.threads,
            progress=False,
        )  # fmt: skip
        with self._lock:
            if self._runner is not None:
                self._runner.stop()
            self._runner = Runner(
                self.text, self.include, options, self._held, self._turn, self._take_progress
            )
            before, self._ran = self.progress, (self.text, self._used_values())
            self.progress = Progress("dealing", self.produce, 0.0)
            if before is not None:  # show the old results until there are new ones
                self.progress = replace(before, stage="dealing", produce=self.produce, error=None)
            self._runner.start()
        self._notify("progress")
        return True

    def stop(self) -> None:
        """Stop the run, if there is one; the result is about the deals so far."""
        with self._lock:
            if self._runner is not None:
                self._runner.stop()

    def wait(self, seconds: float = 60.0) -> Progress | None:
        """Wait for the end of the run, or for some seconds, and return its progress."""
        if self._runner is not None and self._runner.thread is not threading.current_thread():
            self._runner.thread.join(seconds)
        return self.progress

    def _take_progress(self, runner: Runner, progress: Progress) -> None:
        """Take the progress of a run, unless another has started; old results stay until new ones come."""
        with self._lock:
            if runner is not self._runner:
                return
            shown = self.progress
            if progress.result is None and progress.model is None and shown is not None:
                progress = replace(progress, result=shown.result, model=shown.model)
            if progress.error is not None:
                self.findings = [from_error(progress.error)]
            if progress.result is not None and not progress.is_running:
                self.page = min(self.page, self.n_pages(progress.result) - 1)
            self.progress = progress
        self._notify("script" if progress.error is not None else "progress")

    @property
    def is_running(self) -> bool:
        """Whether a run is going on."""
        return self.progress is not None and self.progress.is_running

    @property
    def is_old(self) -> bool:
        """Whether the script or its values have changed since the results were computed."""
        is_waiting = self.progress is not None and self.progress.stage in ("dealing", "failed")
        return is_waiting or self._ran != (self.text, self._used_values())

    @property
    def result(self) -> Result | None:
        """The newest result, about all deals of the run or the deals so far; None before the first."""
        return None if self.progress is None else self.progress.result

    # ------------------------------------------------------------ pages and exports
    def n_pages(self, result: Result | None = None) -> int:
        """Return the number of pages for the deals that a result keeps, at least 1."""
        result = self.result if result is None else result
        return 1 if result is None else max(1, -(-len(result.deals) // PAGE))

    def turn_page(self, step: int) -> None:
        """Go `step` pages forward, or back if it is negative, but not beyond the first and last page."""
        self.page = min(max(self.page + step, 0), self.n_pages() - 1)
        self._notify("page")

    @property
    def script(self) -> str:
        """The script, to save as a file, with the values of its variables in ``# param`` lines."""
        return write_script(self.text, self._used_values())

    @property
    def python(self) -> str:
        """The code of a Python cell that runs the script with these values and settings."""
        result = self.result
        plan = result.plan.name if result is not None and self.progress is not None else "auto"
        is_plain = plan in ("plain", "staged") and bool(result and result.plan.clauses)
        include = self.include if "#include" in self.text else []
        return write_python(
            self.text, self._used_values(), self.produce, self.seed, is_plain, self.threads, include
        )

    def explain(self) -> ScriptExplanation:
        """Return the explanation of the script and its plan; an unchanged script is explained once."""
        key = (self.text, tuple(sorted(self._used_values().items())), self.produce)
        if self._explained is None or self._explained[0] != key:
            explanation = explain(
                self.text, params=self._used_values(), produce=self.produce, include=self.include
            )
            self._explained = (key, explanation)
        return self._explained[1]

    # ------------------------------------------------------------ views
    def observe(self, callback: Callable[[str], None]) -> None:
        """Register a function that is called after each change.

        Parameters
        ----------
        callback : callable
            ``callback(what)``; `what` is "script", "text", "controls", "progress" or "page". It is called
            in the thread of the run for "progress".
        """
        self._callbacks.append(callback)

    def _notify(self, what: str) -> None:
        for callback in self._callbacks:
            callback(what)


def write_script(text: str, values: Mapping[str, str]) -> str:
    r"""Return a script with these values in its ``# param`` lines; missing lines are added at the top.

    >>> text = "# param low = 12  # least\nhcp(north) >= $low and hcp(south) > $high"
    >>> write_script(text, {"low": "15", "high": "3"})
    '# param high = 3\n# param low = 15  # least\nhcp(north) >= $low and hcp(south) > $high'
    """
    new = []
    for name, value in values.items():
        pattern = re.compile(
            rf"^([ \t]*#[ \t]*param[ \t]+\$?{re.escape(name)}[ \t]*=[ \t]*)([^#\n]*?)([ \t]*(?:#[^\n]*)?)$",
            re.MULTILINE,
        )
        match = pattern.search(text)
        if match is None:
            new.append(f"# param {name} = {value}\n")
        else:
            text = f"{text[: match.start(2)]}{value}{text[match.end(2) :]}"
    return "".join(new) + text


def write_python(
    text: str,
    values: Mapping[str, str],
    produce: int,
    seed: int,
    is_plain: bool = False,
    threads: int | None = None,
    include: Sequence[str] = (),
) -> str:
    """Return the code of a cell that runs a script; `is_plain` requests the deals of plain dealing."""
    arguments = [f"produce={produce}", f"seed={seed}"]
    if values:
        given = ", ".join(f"{name!r}: {_write_value(value)}" for name, value in values.items())
        arguments.append(f"params={{{given}}}")
    if is_plain:
        arguments.append('plan="plain"')
    if threads is not None:
        arguments.append(f"threads={threads}")
    if include:
        arguments.append(f"include={list(include)!r}")
    return (
        "import dealerkit as dk\n\n"
        f"script = {_quote(text)}\n"
        f"result = dk.run(script, {', '.join(arguments)})\n"
        "result\n"
    )


def _write_value(value: str) -> str:
    """Return a value as a Python number if Python writes it the same way, otherwise as a string."""
    return value if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?", value) else repr(value)


def _quote(text: str) -> str:
    """Return a text as a Python literal, on several lines if the text has several."""
    if "\n" not in text or '"""' in text or "\\" in text or text.endswith('"') or "\r" in text:
        return repr(text)
    return f'"""{text}"""' if text.startswith("\n") else f'"""\\\n{text}"""'

"""The state of an explorer: script, values, settings, results; and as a script or a Python cell."""

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
from dealerkit.errors import ArgumentError, DealerkitError
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
    produce, seed, threads : int or None
        As for `dealerkit.run`. Without `produce`: the script's, else 10,000 deals, 1,000 of a double-dummy
        question, 40 of a script that prints. Without a seed the script's, else one that stays the same.
    params : mapping or sequence
        Values of script variables.
    marked : sequence of int
        Places, counted in characters from 0, of the numbers that have a slider.
    include : sequence of str or os.PathLike
        Folders of included files, besides that of the script's file.
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
            raise ArgumentError(f"marked is {marked!r:.60}; it is a list of places of numbers in the script")
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
        """Take a new text and check it; return whether it can be run. Marks move with their numbers."""
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
        """Find the numbers of the text; marks on what is no number now go."""
        self.numbers = find_numbers(self.text, self._used_values(), self.include)
        starts = {number.start for number in self.numbers if not number.variable}
        self.marked = [start for start in self.marked if start in starts]

    @property
    def has_error(self) -> bool:
        """Whether the script cannot be run."""
        return any(finding.kind == "refused" for finding in self.findings)

    @property
    def panels(self) -> list[Finding]:
        """The mistakes to show, errors first."""
        return sorted(self.findings, key=lambda finding: finding.kind != "refused")[:MAX_PANELS]

    def _used_values(self) -> dict[str, str]:
        """Return the values of the variables that the script uses."""
        used = find_variables(self.text)
        return {name: value for name, value in self.values.items() if name in used and value.strip()}

    # ------------------------------------------------------------ controls
    def toggle_mark(self, start: int) -> None:
        """Give the number at a place a slider, or take it away."""
        if start in self.marked:
            self.marked.remove(start)
        elif any(number.start == start and not number.variable for number in self.numbers):
            self.marked = sorted([*self.marked, start])
        else:
            raise ArgumentError(f"there is no number at character {start} of the script")
        self._notify("controls")

    @property
    def controls(self) -> list[Control]:
        """The sliders and fields: of the script variables first, then of the marked numbers."""
        return list_controls(self.text, self.values, self.numbers, self.marked)

    def set_value(self, key: str, value: Any) -> None:
        """Set the value of a control, and run with it.

        Raises
        ------
        ArgumentError
            There is no such control, or the value is neither a number nor a text.
        """
        control = next((control for control in self.controls if control.key == key), None)
        if control is None:
            raise ArgumentError(f"the explorer has no control {key!r}")
        text = format_value(key[1:], value)
        if text == control.text:
            return
        if key.startswith("$"):
            self.values[key[1:]] = text
        else:
            assert control.number is not None
            self._replace_number(control.number, text)
        if control.number is None or not is_number(text) or not self.numbers:
            self.set_text(self.text)  # a text may be anything, so it is checked like a script
        else:
            self._read_numbers()
            if self.numbers:
                self._notify("text")
            else:
                self.set_text(self.text)
        if not self.has_error:
            self.run()

    def _replace_number(self, number: ScriptNumber, text: str) -> None:
        """Write another number in the place of a marked one."""
        change = len(text) - (number.end - number.start)
        self.marked = [start + change if start > number.start else start for start in self.marked]
        self.text = self.text[: number.start] + text + self.text[number.end :]

    # ------------------------------------------------------------ settings
    def set_setting(self, name: str, value: Any, least: int = 0) -> None:
        """Set produce, seed or threads.

        Raises
        ------
        ArgumentError
            No integer, or one below the least.
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
        """Deals that a run produces."""
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
        """Begin a run in place of the present one; return False, and keep the results, for a wrong script."""
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
            if before is not None:  # its figures stay until there are new ones
                self.progress = replace(before, stage="dealing", produce=self.produce, error=None)
            self._runner.start()
        self._notify("progress")
        return True

    def stop(self) -> None:
        """End the run; it keeps its deals. Without a run nothing happens."""
        with self._lock:
            if self._runner is not None:
                self._runner.stop()

    def wait(self, seconds: float = 60.0) -> Progress | None:
        """Return the progress at the end of the run, or after this time."""
        if self._runner is not None and self._runner.thread is not threading.current_thread():
            self._runner.thread.join(seconds)
        return self.progress

    def _take_progress(self, runner: Runner, progress: Progress) -> None:
        """Take what a run publishes, unless another has begun; old results stay until new ones come."""
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
        """Whether a run has not ended."""
        return self.progress is not None and self.progress.is_running

    @property
    def is_old(self) -> bool:
        """Whether the results are those of another script or other values than the present ones."""
        is_waiting = self.progress is not None and self.progress.stage in ("dealing", "failed")
        return is_waiting or self._ran != (self.text, self._used_values())

    @property
    def result(self) -> Result | None:
        """The newest result: complete, or of the deals so far."""
        return None if self.progress is None else self.progress.result

    # ------------------------------------------------------------ pages and exports
    def n_pages(self, result: Result | None = None) -> int:
        """Return the number of pages of kept deals, at least 1."""
        result = self.result if result is None else result
        return 1 if result is None else max(1, -(-len(result.deals) // PAGE))

    def turn_page(self, step: int) -> None:
        """Show another page of deals; the first and the last stay where they are."""
        self.page = min(max(self.page + step, 0), self.n_pages() - 1)
        self._notify("page")

    @property
    def script(self) -> str:
        """The script with the values of its variables in ``# param`` lines, for a file."""
        return write_script(self.text, self._used_values())

    @property
    def python(self) -> str:
        """A cell that runs the script with these values and settings and gives the same result."""
        result = self.result
        plan = result.plan.name if result is not None and self.progress is not None else "auto"
        is_plain = plan in ("plain", "staged") and bool(result and result.plan.clauses)
        include = self.include if "#include" in self.text else []
        return write_python(
            self.text, self._used_values(), self.produce, self.seed, is_plain, self.threads, include
        )

    def explain(self) -> ScriptExplanation:
        """Return the explanation of the script with its plan; the last one is kept."""
        key = (self.text, tuple(sorted(self._used_values().items())), self.produce)
        if self._explained is None or self._explained[0] != key:
            explanation = explain(
                self.text, params=self._used_values(), produce=self.produce, include=self.include
            )
            self._explained = (key, explanation)
        return self._explained[1]

    # ------------------------------------------------------------ views
    def observe(self, callback: Callable[[str], None]) -> None:
        """Call a function with "script", "text", "controls", "progress" or "page" after each change."""
        self._callbacks.append(callback)

    def _notify(self, what: str) -> None:
        for callback in self._callbacks:
            callback(what)


def write_script(text: str, values: Mapping[str, str]) -> str:
    r"""Return a script whose ``# param`` lines have these values; lines that are missing come first.

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
    """Return a cell that runs a script; `is_plain` where its deals are those of plain dealing."""
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
    """Return a value as a Python number where that is the same text, else as a text."""
    return value if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?", value) else repr(value)


def _quote(text: str) -> str:
    """Return a Python literal of a text, on several lines if it has several."""
    if "\n" not in text or '"""' in text or "\\" in text or text.endswith('"') or "\r" in text:
        return repr(text)
    return f'"""{text}"""' if text.startswith("\n") else f'"""\\\n{text}"""'

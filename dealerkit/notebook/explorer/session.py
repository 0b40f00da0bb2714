"""The model of the explorer: the question that is open, what is filled in, and the run of its call.

It has no widgets: `view.py` shows it. A script with sliders is a model of its own (`state.py`).
"""

from __future__ import annotations

import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dealerkit.errors import ArgumentError, DealerkitError
from dealerkit.notebook.explorer import exports
from dealerkit.notebook.explorer.calls import Call, CallProgress, CallRunner
from dealerkit.notebook.explorer.conditions import DealCondition, read_condition
from dealerkit.notebook.explorer.questions import QUESTIONS, Answers, Question

VISITOR_DEALS = {"contracts": 200, "lead": 100}  # most deals of a visitor's call, where they are solved
MOST_VISITOR_DEALS = 100_000
MOST_BYTES = 30_000_000  # of a file of results
MOST_CHARACTERS = 20_000  # of a condition


class Session:
    """The questions with what is filled in, and the result of the question that is open.

    Parameters
    ----------
    untrusted : bool
        The user is a visitor of a server: no files, and calls in a process of their own with limits of time,
        memory and deals.
    seed : int, optional

    Attributes
    ----------
    question : Question or None
        The one that is open; None: the start page.
    error : DealerkitError or None
        Why there is no call for what is filled in.

    Examples
    --------
    >>> session = Session(seed=7)
    >>> session.open("frequency")
    >>> session.fill("south.points.from", "6")
    >>> session.run()
    True
    >>> print(session.wait().result.card().verdict)
    1.7864 %, 1 deal in 55.978 (exact).
    """

    def __init__(self, untrusted: bool = False, seed: int | None = None) -> None:
        self.untrusted = untrusted
        self.seed = secrets.randbelow(65_536) if seed is None else seed
        self.question: Question | None = None
        self.error: DealerkitError | None = None
        self.condition_error: DealerkitError | None = None
        self._values: dict[str, dict[str, str]] = {}
        self._conditions: dict[str, DealCondition] = {}
        self._texts: dict[str, str] = {}  # of conditions, as they were typed
        self._progress: dict[str, CallProgress] = {}
        self._calls: dict[str, Call] = {}  # of the results
        self._runner: CallRunner | None = None
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[str], None]] = []
        self._folder: tempfile.TemporaryDirectory | None = None

    # ------------------------------------------------------------ questions
    @property
    def questions(self) -> list[Question]:
        """Those that this user may ask."""
        return [question for question in QUESTIONS.values() if not (self.untrusted and question.reads_files)]

    def open(self, key: str | None) -> None:
        """Open a question with its example or what was filled in last; None is the start page.

        Raises
        ------
        ArgumentError
            There is no such question for this user.
        """
        self.stop()
        self.question = None
        if key is not None:
            self.question = next((each for each in self.questions if each.key == key), None)
            if self.question is None:
                raise ArgumentError(f"the explorer has no question {key!r:.40}")
            if key not in self._values:
                self._values[key] = {field.name: field.value for field in self.question.fields}
                self._conditions[key] = DealCondition(dict(self.question.condition or {}))
        self.error = self.condition_error = None
        self._check()
        self._notify("question")

    @property
    def key(self) -> str:
        """The key of the question that is open."""
        return self.question.key if self.question is not None else ""

    @property
    def values(self) -> Mapping[str, str]:
        """What is filled in, by the names of the fields."""
        return self._values.get(self.key, {})

    @property
    def condition(self) -> DealCondition:
        """The condition of the question that is open."""
        return self._conditions.get(self.key, DealCondition())

    @property
    def text(self) -> str:
        """The condition as a text: as it was typed, or as the fields say."""
        if self.key in self._texts:
            return self._texts[self.key]
        try:
            return self.condition.text
        except DealerkitError:
            return ""

    def fill(self, name: str, value: str) -> None:
        """Fill in a field of the question, or with a dotted name one of its condition.

        Raises
        ------
        ArgumentError
            The question has no such field, or it is a file.
        """
        if self.question is None:
            raise ArgumentError("open a question first")
        field = next((each for each in self.question.fields if each.name == name), None)
        if name == "seed":
            if not value.isdecimal() or len(value) > 18:
                raise ArgumentError(f"seed: {value!r:.20}; give a number from 0")
            self.seed = int(value)
        elif field is not None and field.kind != "file":
            self._values[self.key][name] = value
        elif self.question.condition is not None and (name in _BIDDING or name.count(".") in (1, 2)):
            self._texts.pop(self.key, None)
            self.condition.set(name, value)
        else:
            raise ArgumentError(f"the question has no field {name!r:.40}")
        self._check()
        self._notify("condition" if "." in name or name in _BIDDING else "field")

    def clear_condition(self) -> None:
        """Empty all fields of the condition and its text; all deals meet it then."""
        if self.question is not None and self.question.condition is not None:
            self._conditions[self.key] = DealCondition()
            self._texts.pop(self.key, None)
            self.condition_error = None
            self._check()
            self._notify("condition")

    def write_condition(self, text: str) -> None:
        """Take the condition as a text, and fill in its fields; a mistake becomes `condition_error`."""
        if self.question is None or self.question.condition is None:
            raise ArgumentError("this question has no condition")
        if len(text) > MOST_CHARACTERS:
            raise ArgumentError(
                f"the condition has {len(text):d} characters; {MOST_CHARACTERS:d} are possible"
            )
        self._texts[self.key] = text
        try:
            self._conditions[self.key] = read_condition(text)
            self.condition_error = None
        except DealerkitError as error:
            self.condition_error = error
        self._check()
        self._notify("text")

    def take_file(self, name: str, content: bytes) -> None:
        """Take a file of the user's, which the question reads.

        Raises
        ------
        ArgumentError
            The user may not give files, or it is too large.
        """
        field = next((f for f in (self.question.fields if self.question else ()) if f.kind == "file"), None)
        if field is None or self.untrusted:
            raise ArgumentError("files cannot be given here")
        if len(content) > MOST_BYTES:
            raise ArgumentError(f"the file is larger than {MOST_BYTES // 10**6} MB; read it with dk.results")
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="dealerkit-")
        path = Path(self._folder.name) / (os.path.basename(name.replace("\\", "/")) or "results.txt")
        path.write_bytes(content)
        self._values[self.key][field.name] = str(path)
        self._check()
        self._notify("file")

    # ------------------------------------------------------------ the call
    @property
    def call(self) -> Call | None:
        """The call that answers the question as it is filled in; None if something is missing."""
        if self.question is None or self.condition_error:
            return None
        try:
            return self._make_call()
        except DealerkitError:
            return None

    def _make_call(self) -> Call:
        assert self.question is not None
        condition = ""
        if self.question.condition is not None:
            condition = self._texts.get(self.key, "").strip() or self.condition.text
        call = self.question.make_call(Answers(self.values, condition, self.seed))
        if self.untrusted:
            _check_visitor(call)
        return call

    def _check(self) -> None:
        """Find out whether there is a call."""
        self.error = self.condition_error
        if self.question is not None and not self.error:
            try:
                self._make_call()
            except DealerkitError as error:
                self.error = error

    # ------------------------------------------------------------ runs
    def run(self) -> bool:
        """Begin the call in place of one that runs; return False if something is missing."""
        call = self.call
        if call is None:
            self._check()
            self._notify("error")
            return False
        with self._lock:
            self._stop_runner()
            key = self.key
            runner = CallRunner(
                call, lambda runner, progress: self._take(key, runner, progress), self.untrusted
            )
            self._runner, self._calls[key] = runner, call
            before = self._progress.get(key)
            self._progress[key] = CallProgress("running", result=before.result if before else None)
            runner.start()
        self._notify("progress")
        return True

    def stop(self) -> None:
        """End the call; it keeps the deals that it has. Without one nothing happens."""
        with self._lock:
            self._stop_runner()

    def _stop_runner(self) -> None:
        if self._runner is not None:
            self._runner.stop()

    def wait(self, seconds: float = 120.0) -> CallProgress | None:
        """Return the progress at the end of the call, or after this time."""
        if self._runner is not None and self._runner.thread is not threading.current_thread():
            self._runner.thread.join(seconds)
        return self.progress

    def _take(self, key: str, runner: CallRunner, progress: CallProgress) -> None:
        """Take what a call publishes, unless another has begun."""
        with self._lock:
            if runner is not self._runner:
                return
            if progress.result is None and (before := self._progress.get(key)) is not None:
                progress = replace(progress, result=before.result)
            elif progress.result is not None:
                wrapped = QUESTIONS[key].wrap(progress.result, runner.call)
                progress = replace(progress, result=wrapped)
            self._progress[key] = progress
        self._notify("progress")

    @property
    def progress(self) -> CallProgress | None:
        """Of the question that is open."""
        return self._progress.get(self.key)

    @property
    def result(self) -> Any:
        """The newest result of the question that is open."""
        return None if self.progress is None else self.progress.result

    @property
    def is_running(self) -> bool:
        """Whether a call has not ended."""
        return self.progress is not None and self.progress.is_running

    @property
    def is_old(self) -> bool:
        """Whether the result is that of something else than what is filled in now."""
        return self.result is not None and self._calls.get(self.key) != self.call

    # ------------------------------------------------------------ exports
    @property
    def script(self) -> str:
        """The script of the call, or its condition as one, in the dealer language; "" if it has neither."""
        call = self.call
        if call is None:
            return ""
        script = call.arguments.get("script", "")
        text = self.text.strip() if self.question is not None and self.question.condition is not None else ""
        return str(script) or (f"condition\n{text}\n" if text else "")

    @property
    def python(self) -> str:
        """A cell that gives the result; "" if something is missing."""
        call = self.call
        return "" if call is None else call.python

    def list_files(self) -> list[str]:
        """Return the names in `exports.FILES` of what can be saved now."""
        return exports.list_files(self.result, self.python)

    def make_file(self, kind: str) -> tuple[str, str, bytes]:
        """Return name, type and content of a file; see `exports.make_file`."""
        return exports.make_file(kind, self.result, self.python)

    # ------------------------------------------------------------ views
    def observe(self, callback: Callable[[str], None]) -> None:
        """Call a function with what changed: question, field, file, condition, text, error, progress."""
        self._callbacks.append(callback)

    def _notify(self, what: str) -> None:
        for callback in self._callbacks:
            callback(what)


_BIDDING = ("auction", "dealer", "system")


def _check_visitor(call: Call) -> None:
    """Raise an error for a call that is too large for a visitor of a server."""
    number = call.arguments.get(call.size) if call.size else call.arguments.get("n")
    most = VISITOR_DEALS.get(call.name, MOST_VISITOR_DEALS)
    if call.name == "probability":
        most = 1_000_000
    if number is not None and number > most:
        raise ArgumentError(f"{number:d} deals are too many on this server; give at most {most:d}")

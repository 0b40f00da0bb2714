"""The model of the explorer's questions: the open question, what the user has filled in, and its answer.

It has no widgets; `view.py` shows it. A script with sliders has a model of its own in `state.py`.
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

from dealerkit.errors import ArgumentError, DealerkitError, quote
from dealerkit.notebook.explorer import exports
from dealerkit.notebook.explorer.calls import Call, CallProgress, CallRunner
from dealerkit.notebook.explorer.conditions import DealCondition, read_condition
from dealerkit.notebook.explorer.numbers import MOST_DIGITS, read_count
from dealerkit.notebook.explorer.questions import QUESTIONS, Answers, Question

VISITOR_DEALS = {"contracts": 200, "lead": 100}  # most deals that a visitor's call solves
MOST_VISITOR_DEALS = 100_000  # most deals of other calls
MOST_BYTES = 30_000_000  # largest file of results
MOST_CHARACTERS = 20_000  # longest condition


class Session:
    """The questions with what the user has filled in, and the result of the open question.

    Parameters
    ----------
    untrusted : bool
        The user is a visitor of a server, who cannot read files; calls run in a process of their own with
        limits of time, memory and deals.
    seed : int, optional
        The random seed of all calls, 0 or more; by default a random one below 65,536.

    Attributes
    ----------
    question : Question or None
        The open question; None on the start page.
    error : DealerkitError or None
        Why the question cannot be answered as it is filled in.
    condition_error : DealerkitError or None
        The mistake in the condition that was typed.

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
        self._texts: dict[str, str] = {}  # conditions as they were typed
        self._progress: dict[str, CallProgress] = {}
        self._calls: dict[str, Call] = {}  # the calls that gave the results
        self._runner: CallRunner | None = None
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[str], None]] = []
        self._folder: tempfile.TemporaryDirectory | None = None

    # ------------------------------------------------------------ questions
    @property
    def questions(self) -> list[Question]:
        """The questions that are open to this user: visitors of a server cannot give files."""
        return [question for question in QUESTIONS.values() if not (self.untrusted and question.reads_files)]

    def open(self, key: str | None) -> None:
        """Open a question with its example or what was filled in last, or the start page.

        Parameters
        ----------
        key : str or None
            The key of the question; None for the start page.

        Raises
        ------
        ArgumentError
            This user has no such question.
        """
        self.stop()
        self.question = None
        if key is not None:
            self.question = next((each for each in self.questions if each.key == key), None)
            if self.question is None:
                raise ArgumentError(f"the explorer has no question {quote(key, 40)}")
            if key not in self._values:
                self._values[key] = {field.name: field.value for field in self.question.fields}
                self._conditions[key] = DealCondition(dict(self.question.condition or {}))
        self.error = self.condition_error = None
        self._check()
        self._notify("question")

    @property
    def key(self) -> str:
        """The key of the open question; empty on the start page."""
        return self.question.key if self.question is not None else ""

    @property
    def values(self) -> Mapping[str, str]:
        """What is filled in, by name of field."""
        return self._values.get(self.key, {})

    @property
    def condition(self) -> DealCondition:
        """The condition of the open question."""
        return self._conditions.get(self.key, DealCondition())

    @property
    def text(self) -> str:
        """The condition in the dealer language, as it was typed or as the fields give it."""
        if self.key in self._texts:
            return self._texts[self.key]
        try:
            return self.condition.text
        except DealerkitError:
            return ""

    def fill(self, name: str, value: str) -> None:
        """Fill in a field of the question or of its condition.

        Parameters
        ----------
        name : str
            The name of the field; names of the condition, such as ``north.points.from``, contain dots.
        value : str
            Its new value; a value that it cannot have becomes `error`.

        Raises
        ------
        ArgumentError
            No question is open, it has no such field, the field takes a file, or the seed is not a number.
        """
        if self.question is None:
            raise ArgumentError("no question is open; choose one on the start page")
        field = next((each for each in self.question.fields if each.name == name), None)
        if name == "seed":
            if (seed := read_count(value)) is None:
                raise ArgumentError(
                    f"seed: {quote(value, 20)}; give a whole number from 0, of at most {MOST_DIGITS} digits"
                )
            self.seed = seed
        elif field is not None and field.kind != "file":
            self._values[self.key][name] = value
        elif self.question.condition is not None and (name in _BIDDING or name.count(".") in (1, 2)):
            self._texts.pop(self.key, None)
            self.condition.set(name, value)
        else:
            raise ArgumentError(f"the question has no field {quote(name, 40)}")
        self._check()
        self._notify("condition" if "." in name or name in _BIDDING else "field")

    def clear_condition(self) -> None:
        """Empty all fields of the condition and its text, so that all deals meet it."""
        if self.question is not None and self.question.condition is not None:
            self._conditions[self.key] = DealCondition()
            self._texts.pop(self.key, None)
            self.condition_error = None
            self._check()
            self._notify("condition")

    def write_condition(self, text: str) -> None:
        """Take a condition in the dealer language and fill in its fields; a mistake is `condition_error`.

        Raises
        ------
        ArgumentError
            The question has no condition, or the text is longer than 20,000 characters.
        """
        if self.question is None or self.question.condition is None:
            raise ArgumentError("this question has no condition")
        if len(text) > MOST_CHARACTERS:
            raise ArgumentError(
                f"the condition has {len(text):,} characters; write one of at most {MOST_CHARACTERS:,}"
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
        """Take a file of results from the user, for the question that reads one.

        Parameters
        ----------
        name : str
            The name of the file, whose ending says its format.
        content : bytes
            Its content, at most 30 MB.

        Raises
        ------
        ArgumentError
            The question reads no file, the user is a visitor, or the file is too large.
        """
        field = next((f for f in (self.question.fields if self.question else ()) if f.kind == "file"), None)
        if field is None or self.untrusted:
            raise ArgumentError("this question reads no file; open 'My results' in an explorer of your own")
        if len(content) > MOST_BYTES:
            raise ArgumentError(
                f"{quote(name)} is larger than {MOST_BYTES // 10**6} MB; read it with dk.results instead"
            )
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
        """The call that answers the question as it is filled in; None if something is missing or wrong."""
        if self.question is None or self.condition_error:
            return None
        try:
            return self._make_call()
        except DealerkitError:
            return None

    def _make_call(self) -> Call:
        assert self.question is not None
        condition = self._read_condition() if self.question.condition is not None else ""
        call = self.question.make_call(Answers(self.values, condition, self.seed))
        if self.untrusted:
            _check_visitor(call)
        return call

    def _read_condition(self) -> str:
        """Return the condition as it was typed or filled in; empty if all deals meet it, as for a comment."""
        filled = self.condition.text
        return filled and (self._texts.get(self.key, "").strip() or filled)

    def _check(self) -> None:
        """Set `error` to the reason why the question cannot be answered, or to None."""
        self.error = self.condition_error
        if self.question is not None and not self.error:
            try:
                self._make_call()
            except DealerkitError as error:
                self.error = error

    # ------------------------------------------------------------ runs
    def run(self) -> bool:
        """Start the call and stop one that is running; return False if something is missing or wrong."""
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
        """Stop the call, if one is running; its result is about the deals so far."""
        with self._lock:
            self._stop_runner()

    def _stop_runner(self) -> None:
        if self._runner is not None:
            self._runner.stop()

    def wait(self, seconds: float = 120.0) -> CallProgress | None:
        """Wait for the end of the call, or for some seconds, and return its progress."""
        if self._runner is not None and self._runner.thread is not threading.current_thread():
            self._runner.thread.join(seconds)
        return self.progress

    def _take(self, key: str, runner: CallRunner, progress: CallProgress) -> None:
        """Take the progress of a call, unless another call has started since."""
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
        """The progress of the open question's call; None before its first call."""
        return self._progress.get(self.key)

    @property
    def result(self) -> Any:
        """The newest result of the open question; None if it has no result yet."""
        return None if self.progress is None else self.progress.result

    @property
    def is_running(self) -> bool:
        """Whether a call of the open question is running."""
        return self.progress is not None and self.progress.is_running

    @property
    def is_old(self) -> bool:
        """Whether something has been changed since the result was computed."""
        return self.result is not None and self._calls.get(self.key) != self.call

    # ------------------------------------------------------------ exports
    @property
    def script(self) -> str:
        """The call's script, or its condition as a script; empty if it has neither."""
        call = self.call
        if call is None:
            return ""
        script = call.arguments.get("script", "")
        has_condition = self.question is not None and self.question.condition is not None
        text = self._read_condition() if has_condition else ""
        return str(script) or (f"condition\n{text}\n" if text else "")

    @property
    def python(self) -> str:
        """The code of a Python cell that computes the result; empty if something is missing or wrong."""
        call = self.call
        return "" if call is None else call.python

    def list_files(self) -> list[str]:
        """Return the kinds of file, keys of `exports.FILES`, that can be saved now."""
        return exports.list_files(self.result, self.python)

    def make_file(self, kind: str) -> tuple[str, str, bytes]:
        """Return the name, media type and content of a file; see `exports.make_file`."""
        return exports.make_file(kind, self.result, self.python)

    # ------------------------------------------------------------ views
    def observe(self, callback: Callable[[str], None]) -> None:
        """Register a function that is called after each change.

        Parameters
        ----------
        callback : callable
            ``callback(what)``; `what` is "question", "field", "file", "condition", "text", "error" or
            "progress". It is called in the thread of the call for "progress".
        """
        self._callbacks.append(callback)

    def _notify(self, what: str) -> None:
        for callback in self._callbacks:
            callback(what)


_BIDDING = ("auction", "dealer", "system")


def _check_visitor(call: Call) -> None:
    """Raise ArgumentError for a call that needs more deals than a visitor of a server may have."""
    number = call.arguments.get(call.size) if call.size else call.arguments.get("n")
    most = VISITOR_DEALS.get(call.name, MOST_VISITOR_DEALS)
    if call.name == "probability":
        most = 1_000_000
    if number is not None and number > most:
        raise ArgumentError(f"{number:,} deals are too many on this server; give at most {most:,}")

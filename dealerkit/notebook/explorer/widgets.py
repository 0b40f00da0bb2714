"""The explorer in a notebook: `explore` shows questions to fill in, or a script with sliders.

A widget made with anywidget shows the pages of `view.py`, and passes what the user does to two models,
`Session` for questions and `ExplorerState` for a script.
"""

from __future__ import annotations

import base64
import functools
import importlib.util
import os
import re
import threading
import uuid
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from dealerkit.appearance.html import read_sheet
from dealerkit.arguments import check_truth
from dealerkit.errors import ArgumentError, DealerkitError, quote
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params
from dealerkit.notebook.completion import complete_script
from dealerkit.notebook.explorer import exports, html, view
from dealerkit.notebook.explorer.numbers import read_count
from dealerkit.notebook.explorer.session import MOST_BYTES, Session
from dealerkit.notebook.explorer.state import ExplorerState

MOST_TYPED = 1_000_000  # most characters in a message from the browser


def explore(
    script: str | os.PathLike | Script = "",
    *,
    produce: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    params: Params = (),
    marked: Sequence[int] = (),
    start: bool = True,
    include: Sequence[str | os.PathLike] = (),
    untrusted: bool = False,
) -> Explorer:
    """Show questions to fill in, or a script with sliders whose results follow them.

    Parameters
    ----------
    script : str, os.PathLike or Script
        The text in the dialect modern, the path of its file, or what `parse` returned. Without a script, the
        start page with the questions is shown.
    produce, seed, threads : int or None
        As for `run`. By default `produce` is that of the script, or else 10,000 deals, 1,000 if tricks have
        to be solved, 40 if the script only prints. The default seed is that of the script, or else a random
        one that all runs share.
    params : mapping or sequence
        Values of the script variables, each of which has a slider or a field.
    marked : sequence of int
        Positions of the numbers that have a slider, in characters from 0; the user can choose others.
    start : bool
        Whether to run the script at once.
    include : sequence of str or os.PathLike
        Folders to search for included files, in addition to the folder of the script's file.
    untrusted : bool
        Whether the explorer is for visitors of a server. They can only use questions that read no file.
        Functions defined by the user are not available, and each call runs in a process of its own with
        limits of deals, time and memory.

    Returns
    -------
    Explorer
        The notebook displays it. Its `result` is the newest result; `script` and `python` are its state as
        text.

    Raises
    ------
    ArgumentError
        The kernel has no anywidget, an argument has a wrong type or is out of range, or `untrusted` is given
        with a script or folders.
    FileError
        The file of the script cannot be read.

    Examples
    --------
    >>> explorer = explore("condition hcp(north) >= $low", params={"low": 15}, seed=1, start=False)
    >>> [(control.label, control.text) for control in explorer.state.controls]
    [('$low: north: points at least', '15')]
    """
    if importlib.util.find_spec("anywidget") is None:
        raise ArgumentError(
            "dk.explore needs anywidget, which this kernel does not have; install it with "
            "`pip install anywidget`, restart the kernel, and reload the page"
        )
    state = ExplorerState(
        script, produce=produce, seed=seed, threads=threads, params=params, marked=marked, include=include
    )
    has_script = bool(state.text.strip())
    if check_truth("untrusted", untrusted) and (has_script or include):
        raise ArgumentError(
            "visitors can only use questions; leave out script= and include=, or untrusted=True"
        )
    session = Session(untrusted, seed)
    explorer = Explorer(state, session, "script" if has_script else "start")
    if check_truth("start", start) and has_script:
        state.run()
    return explorer


class Explorer:
    """Questions to fill in and a script with sliders, displayed by a notebook.

    Attributes
    ----------
    state : ExplorerState
        The script with its values, settings and results.
    session : Session
        The questions, what the user has filled in, and their results.
    page : str
        The page that is shown: "start", "script" or the key of a question.
    widget : anywidget.AnyWidget
        The widget that shows the page.

    Examples
    --------
    >>> import dealerkit as dk
    >>> explorer = dk.explore("condition hcp(north) >= $low", params={"low": 15}, seed=1, start=False)
    >>> len(explorer.state.controls)
    1
    """

    def __init__(self, state: ExplorerState, session: Session | None = None, page: str = "script") -> None:
        self.state, self.session, self.page = state, session or Session(), page
        self._identifier = uuid.uuid4().hex[:8]
        self._lock = threading.RLock()
        self._is_displayed, self._shown = False, view.Shown()
        self.widget = self._make_widget()
        self.widget.on_msg(lambda _, message, buffers: self.take(message))
        state.observe(self._follow_state)
        self.session.observe(self._follow_session)

    # ------------------------------------------------------------ for programs
    @property
    def result(self) -> Any:
        """The newest result on the page that is shown; None if there is none yet."""
        return self.session.result if self.session.question is not None else self.state.result

    @property
    def script(self) -> str:
        """The script with the current values of its variables."""
        return self.state.script

    @property
    def python(self) -> str:
        """The code of a Python cell that gives the same result."""
        return self.session.python if self.session.question is not None else self.state.python

    def run(self) -> None:
        """Run the script, or answer the question."""
        self._model.run()

    def stop(self) -> None:
        """Stop the run, if there is one; the result is about the deals so far."""
        self._model.stop()

    @property
    def _model(self) -> ExplorerState | Session:
        return self.state if self.page == "script" else self.session

    def __repr__(self) -> str:
        return f"<Explorer: {self.result if self.result is not None else 'no run yet'}>"

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        bundle = dict(self.widget._repr_mimebundle_()[0])
        bundle |= {"text/plain": "", "text/html": "<div></div>"}  # without a kernel, the page below is shown
        display(bundle, raw=True)
        self._is_displayed = True
        display(HTML(self._render_static()), display_id=self._identifier)

    # ------------------------------------------------------------ pages
    def _make_widget(self) -> Any:
        widget = define_widget()()
        widget.classes = f"dk dk-wide dk-explorer dk-live-{self._identifier}"
        widget.words = list_words()
        widget.page = (
            f'<style>{html.read_sheets()}</style><p class="dk-hidden" role="status" data-region="say"></p>'
            f'<div data-region="main">{self.render()}</div>'
        )
        return widget

    def render(self) -> str:
        """Return the page that is shown as HTML."""
        if self.page == "script":
            page = view.render_script_page(self.state)
        elif self.page == "start":
            page = view.render_start(self.session, not self.session.untrusted)
        else:
            page = view.render_question(self.session, self._shown)
        return self._prefix(page)

    def _prefix(self, page: str) -> str:
        """Return HTML whose identifiers belong to this explorer, because a notebook can have several."""
        return _IDENTIFIER.sub(rf"\1e{self._identifier}-\2", page)

    def _render_static(self) -> str:
        if self.page == "script":
            return html.render_static(self.state, self._identifier)
        shown = view.render_result(self.session, self._shown) if self.session.question is not None else ""
        return html.render_saved(shown, self.session.python, self._identifier)

    def _send(self, **message: Any) -> None:
        if "show" in message:
            message["show"] = {name: self._prefix(part) for name, part in message["show"].items()}
        self.widget.send(message)

    def _turn_to(self, page: str) -> None:
        """Show another page."""
        if page not in ("start", "script"):
            self.session.open(page)
        elif page == "script" and self.session.untrusted:
            raise ArgumentError("this server does not run scripts; choose one of the questions")
        else:
            self.session.open(None)
        self.page = page
        self._send(page=self.render(), running=self._model.is_running, focus=True)

    # ------------------------------------------------------------ what the user does
    def take(self, message: Any) -> None:
        """Carry out a message from the browser; mistakes in it are shown, never raised."""
        if not isinstance(message, dict) or not message:
            return
        with self._lock:
            try:
                self._take(message)
            except DealerkitError as error:
                self._send(show={"message": view.render_error(error)})

    def _take(self, message: dict[str, Any]) -> None:
        text = str(message.get("value") or "")
        if len(text) > MOST_TYPED or len(str(message.get("content", ""))) > 2 * MOST_BYTES:
            raise ArgumentError(
                f"the text or file is too large; give at most {MOST_TYPED // 10**6} million characters, or a "
                f"file of {MOST_BYTES // 10**6} MB"
            )
        if command := message.get("do"):
            self._do(str(command), text)
        elif name := message.get("fill"):
            self.session.fill(str(name), text)
        elif message.get("code") == "condition":
            self.session.write_condition(text)
        elif message.get("code") == "script" and self.page == "script":
            self.state.set_text(text)
        elif name := message.get("set"):
            self._set(str(name), text)
        elif (key := message.get("slide")) and self.page == "script":
            self.state.set_value(str(key), _read_number(text))
        elif name := message.get("file"):
            try:
                content = base64.b64decode(str(message.get("content", "")), validate=False)
            except ValueError:  # the length is wrong
                raise ArgumentError(f"{quote(str(name))} arrived incomplete; choose it again") from None
            self.session.take_file(str(name), content)
        elif name := message.get("complete"):
            before, cell = str(message.get("before", "")), str(message.get("text", ""))
            word, items = complete_script(before[-MOST_TYPED:], cell)
            found = {"name": str(name), "before": before, "word": word, "items": items[:20]}
            self._send(completions=found)

    def _do(self, command: str, value: str) -> None:
        if command == "hello":
            self._send(page=self.render(), running=self._model.is_running)
        elif command == "start":
            self._turn_to("start")
        elif command == "open":
            self._turn_to(value)
        elif command == "run":
            self._model.run()
        elif command == "clear":
            self.session.clear_condition()
        elif command == "stop":
            self._model.stop()
        elif command == "save":
            self._save(value)
        elif command == "load" and value == "plan":
            if self.page == "script":
                self._send(show={"plan": "" if self.state.has_error else html.render_plan(self.state)})
            elif not self.session.untrusted:
                self._send(show={"plan": view.render_plan(self.session)})
        elif self.page == "script":
            if command == "load":
                self._send(show={"deals": view.render_script_deals(self.state)})
            elif command == "mark" and value.isdecimal():
                self.state.toggle_mark(int(value))
            elif command in ("back", "next"):
                self.state.turn_page(-1 if command == "back" else 1)

    def _set(self, name: str, text: str) -> None:
        """Set the number of deals, the seed or the number of threads, and run the script."""
        if self.page != "script" or name not in ("produce", "seed", "threads"):
            return
        if text.strip() or name != "threads":
            number = read_count(text)
            self.state.set_setting(name, text if number is None else number, 0 if name == "seed" else 1)
        else:
            self.state.threads = None
        self.state.run()

    def _save(self, kind: str) -> None:
        name, content_type, content = exports.make_file(kind, self.result, self.python)
        text = base64.b64encode(content).decode()
        self._send(save={"name": name, "type": content_type, "content": text})

    # ------------------------------------------------------------ what the models do
    def _follow_session(self, what: str) -> None:
        """Show what has changed in the question; also called in the thread of a call."""
        session = self.session
        if session.question is None or self.page != session.key:
            return
        show: dict[str, str] = {"message": view.render_message(session)}
        if what in ("field", "file", "text", "condition"):
            show |= {"files": view.render_files(session), "results": view.render_result(session, self._shown)}
        if what == "file":
            show["fields"] = view.render_fields(session)
        if what == "text":
            show["condition"] = view.render_condition(session)
            self._send(marks={"condition": view.list_marks([session.condition_error], session.text)})
        if what == "condition":
            self._send(code={"condition": session.text})
            show["condition"] = view.render_condition(session)
        if what == "progress":
            show |= {
                "head": view.render_head(session.progress),
                "results": view.render_result(session, self._shown),
                "files": view.render_files(session),
            }  # fmt: skip
        if what != "question":
            self._send(show=show, running=session.is_running, **_say(what, session))
            self._update_static(session.is_running)

    def _follow_state(self, what: str) -> None:
        """Show what has changed in the script; also called in the thread of a run."""
        if self.page != "script":
            return
        state, show = self.state, {}
        is_dealing = state.progress is not None and state.progress.stage == "dealing"
        if what in ("script", "text", "controls"):
            show = {"message": html.render_panels(state), "files": view.render_script_files(state)}
            if what != "text":  # a slider that the user is moving must not be replaced
                show["sliders"] = view.render_sliders(state)
            self._send(
                code={"script": state.text},
                marks={"script": view.list_marks([each.error for each in state.findings], state.text)},
            )
        if what in ("script", "progress") and not (is_dealing and state.result is not None):
            old = ' class="dk-old"' * state.is_old
            show["head"] = html.render_head(state.progress)
            show["results"] = f"<div{old}>{html.render_reports(state.progress)}</div>"
            if not state.is_running:
                show |= {"files": view.render_script_files(state), "deals": view.render_script_deals(state)}
        if what == "page":
            show["deals"] = view.render_script_deals(state)
        self._send(show=show, running=state.is_running)
        if what != "text":
            self._update_static(state.is_running)

    def _update_static(self, is_running: bool) -> None:
        if self._is_displayed and not is_running:
            from IPython.display import HTML, display

            display(HTML(self._render_static()), display_id=self._identifier, update=True)


_IDENTIFIER = re.compile(r'(\b(?:id|for|aria-controls|aria-describedby|data-copy)=")((?!dk)[^"]+)')


def _say(what: str, session: Session) -> dict[str, str]:
    """Return the text that a screen reader reads when a call has ended."""
    progress = session.progress
    if what != "progress" or progress is None or progress.is_running:
        return {}
    return {
        "say": {"done": "The answer is complete.", "stopped": "Stopped.", "failed": "No answer."}[
            progress.stage
        ]
    }


def _read_number(text: str) -> int | float | str:
    """Return the value of a control as a number if it is one, otherwise as the text."""
    try:
        return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
    except ValueError:
        return text


def list_words() -> dict[str, list[str]]:
    """Return the functions and keywords of the language, which the editor colours."""
    import dealerkit.language.functions  # noqa: F401  (it registers the functions)
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import is_function, list_keywords

    words = list_keywords(MODERN)
    functions = [word for word in words if is_function(word, MODERN)]
    return {"functions": functions, "keywords": sorted({*words} - {*functions})}


@functools.cache
def define_widget() -> Any:
    """Return the class of the widget; anywidget is imported here."""
    import anywidget
    import traitlets

    class ExplorerWidget(anywidget.AnyWidget):
        """The page of an explorer in the browser."""

        _esm = read_sheet("copying.js") + files("dealerkit.notebook.explorer").joinpath(
            "explorer.js"
        ).read_text(encoding="utf-8")
        classes = traitlets.Unicode().tag(sync=True)
        page = traitlets.Unicode().tag(sync=True)
        words = traitlets.Dict().tag(sync=True)

    return ExplorerWidget

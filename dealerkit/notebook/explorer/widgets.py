"""The explorer in a notebook: `explore` shows a script with sliders; ipywidgets are its controls."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import threading
import uuid
from collections.abc import Sequence
from html import escape
from typing import Any

from dealerkit.arguments import check_truth
from dealerkit.errors import ArgumentError
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params
from dealerkit.notebook.explorer import html
from dealerkit.notebook.explorer.html import render_text
from dealerkit.notebook.explorer.numbers import Control, ScriptNumber
from dealerkit.notebook.explorer.state import ExplorerState
from dealerkit.simulation.result import Result

CHECK_SECONDS = 0.3  # without a key, after which the script is checked


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
) -> Explorer:
    """Show a script with sliders; its results follow them.

    Parameters
    ----------
    script : str, os.PathLike or Script
        Text, file, or what `parse` returned, in the dialect modern.
    produce, seed, threads : int or None
        As for `run`. Without `produce`: the script's, else 10,000 deals, 1,000 of a double-dummy question, 40
        of a script that only prints. Without a seed the script's, else one that stays the same.
    params : mapping or sequence
        Values of the script variables, each of which has a slider or a field.
    marked : sequence of int
        Places of numbers that have a slider, in characters from 0; a click marks others.
    start : bool
        Run at once.
    include : sequence of str or os.PathLike
        Folders in which files that the script includes are looked for, besides that of its file.

    Returns
    -------
    Explorer
        It displays itself. `result` is the newest result, `script` and `python` are its state as text.

    Raises
    ------
    ArgumentError
        The kernel has no ipywidgets; an argument has a wrong type or range.

    Examples
    --------
    >>> explorer = explore("condition hcp(north) >= $low", params={"low": 15}, seed=1, start=False)
    >>> [(control.label, control.text) for control in explorer.state.controls]
    [('$low: north: points at least', '15')]
    """
    if importlib.util.find_spec("ipywidgets") is None:
        raise ArgumentError(
            "dk.explore needs ipywidgets, which this kernel does not have; install it with "
            "`pip install ipywidgets`, restart the kernel, and reload the page"
        )
    state = ExplorerState(
        script, produce=produce, seed=seed, threads=threads, params=params, marked=marked, include=include
    )
    explorer = Explorer(state)
    if check_truth("start", start) and state.text.strip():
        state.run()
    return explorer


class Explorer:
    """A script with sliders, displayed by a notebook.

    Attributes
    ----------
    state : ExplorerState
        Script, values, settings and results.
    widget : ipywidgets.VBox

    Examples
    --------
    >>> import dealerkit as dk
    >>> explorer = dk.explore("condition hcp(north) >= $low", params={"low": 15}, seed=1, start=False)
    >>> len(explorer.state.controls)
    1
    """

    def __init__(self, state: ExplorerState) -> None:
        self.state = state
        self._identifier = uuid.uuid4().hex[:8]
        self._lock = threading.RLock()
        self._timer: Any = None
        self._is_displayed = self._is_setting = False
        self._numbers, self._sliders = NumberView(state), SliderBox(state)
        self.widget = self._build()
        self._show_script()
        self._show_progress()
        state.observe(self._follow)

    # ------------------------------------------------------------ for programs
    @property
    def result(self) -> Result | None:
        """The newest result."""
        return self.state.result

    @property
    def script(self) -> str:
        """The script with the present values."""
        return self.state.script

    @property
    def python(self) -> str:
        """A cell that gives the same result."""
        return self.state.python

    def run(self) -> None:
        """Begin a run."""
        self.state.run()

    def stop(self) -> None:
        """End the run, whose deals stay; without a run nothing happens."""
        self.state.stop()

    def __repr__(self) -> str:
        return f"<Explorer: {self.result if self.result is not None else 'no run yet'}>"

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        bundle = dict(self.widget._repr_mimebundle_())
        bundle |= {"text/plain": "", "text/html": "<div></div>"}  # without a kernel the page below is enough
        display(bundle, raw=True)
        self._is_displayed = True
        display(HTML(html.render_static(self.state, self._identifier)), display_id=self._identifier)

    # ------------------------------------------------------------ widgets
    def _build(self) -> Any:
        import ipywidgets as w

        self._heading = w.HTML("<h3>Script</h3><p>Click a number to give it a slider</p>")
        self._edit = w.Button(description="Edit")
        self._edit.on_click(lambda _: self._toggle_editor())
        self._view = self._numbers.widget
        self._editor = style(w.Textarea(rows=8, continuous_update=True), "dk-editor")
        self._editor.layout.display = "none"
        self._editor.observe(lambda change: self._take_text(change["new"]), "value")
        self._panels = w.HTML()
        self._fields = [self._make_setting(*row) for row in (("produce", 1), ("seed", 0), ("threads", 1))]
        self._run, self._stop = w.Button(description="Run"), w.Button(description="Stop")
        self._is_stopping = False
        self._run.on_click(lambda _: self._commit_and_run())
        self._stop.on_click(lambda _: self._stop_run())
        self._exports = w.HTML()
        left = w.VBox(
            [
                style(w.HBox([self._heading, self._edit]), "dk-top"), self._view, self._editor, self._panels,
                self._sliders.widget, style(w.HBox(self._fields), "dk-settings"),
                style(w.HBox([self._run, self._stop]), "dk-buttons"), self._exports,
            ]
        )  # fmt: skip
        self._head, self._reports, self._deals, self._plan = w.HTML(), w.HTML(), w.HTML(), w.HTML()
        self._back, self._next = w.Button(description="Previous"), w.Button(description="Next")
        self._back.on_click(lambda _: self.state.turn_page(-1))
        self._next.on_click(lambda _: self.state.turn_page(1))
        pager = style(w.HBox([self._back, self._next]), "dk-buttons")
        self._tabs = w.Tab([self._reports, w.VBox([self._deals, pager]), self._plan])
        for position, title in enumerate(("Reports", "Deals", "Plan")):
            self._tabs.set_title(position, title)
        self._tabs.observe(lambda _: self._show_tab(), "selected_index")
        grid = style(w.Box([left, w.VBox([self._head, self._tabs])]), "dk-explore")
        root = w.VBox([w.HTML(f"<style>{html.read_sheets()}</style>"), grid])
        return style(root, "dk", "dk-wide", "dk-explorer", f"dk-live-{self._identifier}")

    def _make_setting(self, name: str, least: int) -> Any:
        """Return the field of a setting, which takes effect when it is left."""
        import ipywidgets as w

        value = getattr(self.state, name)
        label = {"produce": "deals", "seed": "seed", "threads": "threads"}[name]
        placeholder = "all" if name == "threads" else ""
        field = w.Text(
            "" if value is None else str(value), description=label, placeholder=placeholder,
            continuous_update=False,
        )  # fmt: skip

        def take(change: dict) -> None:
            text = change["new"].replace(",", "").strip()
            try:
                if text or name != "threads":
                    self.state.set_setting(name, int(text) if text.isdecimal() else text, least)
                else:
                    self.state.threads = None
            except ArgumentError as error:
                self._panels.value = _render_message(str(error))
                return
            self.state.run()

        field.observe(take, "value")
        return field

    # ------------------------------------------------------------ what the user does
    def _toggle_editor(self) -> None:
        """Show the text to edit it, or the script with its numbers."""
        if self._editor.layout.display == "none":
            with self._lock:
                self._is_setting = True
                self._editor.value = self.state.text
                self._editor.rows = min(max(8, self.state.text.count("\n") + 2), 30)
                self._is_setting = False
            self._editor.layout.display, self._view.layout.display = "", "none"
            self._edit.description = "Done"
        else:
            self._commit()
            if not self.state.has_error:
                self._close_editor()

    def _close_editor(self) -> None:
        self._editor.layout.display, self._view.layout.display = "none", ""
        self._edit.description = "Edit"

    def _take_text(self, text: str) -> None:
        """Check the text once no key has been pressed for a moment."""
        if self._is_setting:
            return
        if self._timer is not None:
            self._timer.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.state.set_text(text)
            return
        self._timer = loop.call_later(CHECK_SECONDS, self._commit)

    def _commit(self) -> None:
        """Take the text of the editor now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._editor.layout.display != "none" and self._editor.value != self.state.text:
            self.state.set_text(self._editor.value)

    def _commit_and_run(self) -> None:
        self._commit()
        self.state.run()

    # ------------------------------------------------------------ what the state does
    def _follow(self, what: str) -> None:
        """Show what has changed; called in the thread of a run, too."""
        with self._lock:
            if what in ("script", "text", "controls"):
                self._show_script()
            if what in ("script", "progress"):
                self._show_progress()
            if what == "page":
                self._show_deals()
            if self._is_displayed and what != "text" and not self.state.is_running:
                self._update_static()

    def _update_static(self) -> None:
        from IPython.display import HTML, display

        shown = HTML(html.render_static(self.state, self._identifier))
        display(shown, display_id=self._identifier, update=True)

    def _show_script(self) -> None:
        """Show the script, the mistakes, and a slider or field for each control."""
        state = self.state
        self._panels.value = html.render_panels(state)
        self._numbers.show()
        self._sliders.show()
        self._exports.value = html.render_python(state)

    def _stop_run(self) -> None:
        """End the run, and say so until it has ended."""
        self._is_stopping = self.state.is_running
        if self._is_stopping:
            self._stop.description, self._stop.disabled = "Stopping", True
        self.state.stop()

    def _show_progress(self) -> None:
        """Show how far the run is, and the tab that is open."""
        state = self.state
        is_running = state.is_running
        is_dealing = state.progress is not None and state.progress.stage == "dealing"
        if not is_dealing or state.result is None:  # the figures before stay for a moment
            self._head.value = html.render_head(state.progress)
        self._run.disabled, self._stop.disabled = is_running, not is_running or self._is_stopping
        self._is_stopping &= is_running
        self._stop.description = "Stopping" if self._is_stopping else "Stop"
        for button, is_main in ((self._run, not is_running), (self._stop, is_running)):
            (button.add_class if is_main else button.remove_class)("dk-main")
        for widget in (self._reports, self._deals):
            (widget.add_class if state.is_old else widget.remove_class)("dk-old")
        if is_dealing:
            return
        if not is_running:
            self._exports.value = html.render_python(state)
        self._reports.value = html.render_reports(state.progress)
        self._show_tab()

    def _show_tab(self) -> None:
        """Show deals or plan if their tab is open."""
        if self._tabs.selected_index == 1:
            self._show_deals()
        elif self._tabs.selected_index == 2 and not self.state.is_running:
            self._plan.value = html.render_plan(self.state)

    def _show_deals(self) -> None:
        state = self.state
        self._deals.value = html.render_deals(state)
        self._back.disabled = state.page == 0
        self._next.disabled = state.page >= state.n_pages() - 1


def _render_message(text: str) -> str:
    return f'<div class="dk-panel dk-error" role="alert"><h3>{escape(text)}</h3></div>'


MAX_BUTTONS = 120  # numbers of a script that can be clicked


def style(widget: Any, *classes: str) -> Any:
    """Return a widget with classes of the style sheet."""
    for name in classes:
        widget.add_class(name)
    return widget


class NumberView:
    """The script as text; its numbers are buttons, and a click on one gives it a slider or takes it away."""

    def __init__(self, state: ExplorerState) -> None:
        import ipywidgets as w

        self.state, self.widget = state, style(w.Box(), "dk-edit")
        self._parts: list[Any] = []  # texts and buttons in turn

    def _list_numbers(self) -> list[ScriptNumber]:
        """Return the numbers that have a button; none of a wrong script, as their places may be old."""
        numbers = [number for number in self.state.numbers if not number.variable]
        return [] if self.state.has_error else numbers[:MAX_BUTTONS]

    def show(self) -> None:
        """Show the present text; the buttons stay while only values change."""
        text, end = self.state.text, 0
        texts: list[str] = []
        numbers = self._list_numbers()
        for number in numbers:
            texts += [render_text(text[end : number.start]), text[number.start : number.end]]
            end = number.end
        texts.append(render_text(text[end:]))
        if len(texts) != len(self._parts):
            self._parts = [self._make_part(position) for position in range(len(texts))]
            self.widget.children = tuple(self._parts)
        for position, (part, shown) in enumerate(zip(self._parts, texts, strict=True)):
            if position % 2 == 0:
                part.value = shown
                continue
            number = numbers[position // 2]
            is_marked = number.start in self.state.marked
            part.description, part.tooltip = shown, f"Slider for {number.label}"
            (part.add_class if is_marked else part.remove_class)("dk-marked")

    def _make_part(self, position: int) -> Any:
        import ipywidgets as w

        if position % 2 == 0:
            return w.HTML()
        button = w.Button()
        button.on_click(lambda _: self._toggle(position // 2))
        return button

    def _toggle(self, position: int) -> None:
        numbers = self._list_numbers()
        if position < len(numbers):
            self.state.toggle_mark(numbers[position].start)


class SliderBox:
    """A slider for each number that has one, a field for each script variable that is no number."""

    def __init__(self, state: ExplorerState) -> None:
        import ipywidgets as w

        self.state, self.widget = state, style(w.VBox(), "dk-sliders")
        self._sliders: list[Any] = []
        self._kinds: list[tuple[str, bool]] = []
        self._is_setting = False

    def show(self) -> None:
        """Make the sliders anew if others are needed, else set their values."""
        controls = self.state.controls
        kinds = [(control.label, control.number is None) for control in controls]
        self._is_setting = True
        try:
            if kinds != self._kinds:
                self._kinds = kinds
                self._sliders = [self._make_slider(k, control) for k, control in enumerate(controls)]
                self.widget.children = tuple(self._sliders)
            for slider, control in zip(self._sliders, controls, strict=True):
                value = control.text if control.number is None else control.number.value
                if slider.value != value:
                    slider.value = value
        finally:
            self._is_setting = False

    def _make_slider(self, position: int, control: Control) -> Any:
        import ipywidgets as w

        number = control.number
        if number is None:
            slider = w.Text(control.text, description=control.label, continuous_update=False)
        else:
            kind = w.IntSlider if isinstance(number.step, int) else w.FloatSlider
            slider = kind(
                number.value, min=number.low, max=number.high, step=number.step, description=control.label
            )
        slider.observe(lambda change: self._take(position, change["new"]), "value")
        return style(slider, "dk-field" if number is None else "dk-slider")

    def _take(self, position: int, value: Any) -> None:
        """Pass a value on, unless it comes from the state."""
        controls = self.state.controls
        if not self._is_setting and position < len(controls):
            self.state.set_value(controls[position].key, value)

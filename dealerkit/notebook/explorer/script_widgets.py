"""The script with a button for each number, and the sliders and fields below it."""

from __future__ import annotations

from typing import Any

from dealerkit.notebook.explorer.controls import Control
from dealerkit.notebook.explorer.html import render_text
from dealerkit.notebook.explorer.numbers import ScriptNumber
from dealerkit.notebook.explorer.state import ExplorerState

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

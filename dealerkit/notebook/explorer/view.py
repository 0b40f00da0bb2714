"""The pages of the explorer as HTML: start page, a question with its answer, a script with sliders.

`explorer.js` reads what elements do from attributes: `data-do` is a command, `data-fill` a field, `data-code`
an editor, and `data-region` a part that is replaced when it changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from dealerkit.appearance.html import mark_suits
from dealerkit.appearance.html import render_head as render_line
from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.cards.deals import Deals
from dealerkit.cards.html import render_deals
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.errors import DealerkitError, ScriptError, find_word
from dealerkit.notebook.explorer import exports, html
from dealerkit.notebook.explorer.calls import CallProgress
from dealerkit.notebook.explorer.conditions import MOST_POINTS, SHAPES, SIDES, SYSTEMS, DealCondition
from dealerkit.notebook.explorer.questions.base import SEAT_CHOICES, Field
from dealerkit.notebook.explorer.session import Session
from dealerkit.notebook.explorer.state import ExplorerState
from dealerkit.notebook.panels import Panel, build_panel, split_message

_SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))
_HOLDINGS = "AKxx means exactly these cards, each x below the ten; KQxxx+ means KQxxx or better."
_SIDE_NAMES = {"ns": "North and south together", "ew": "East and west together"}


def tag(name: str, content: str = "", **attributes: Any) -> str:
    """Return an HTML element; its content is HTML, and the values of its attributes are plain texts.

    >>> tag("input", data_fill="deals", value='<"', disabled=True, title=None)
    '<input data-fill="deals" value="&lt;&quot;" disabled>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is True:
            parts.append(key.rstrip("_").replace("_", "-"))
        elif value is not None and value is not False:
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(str(value))}"')
    end = "" if name == "input" else f"{content}</{name}>"
    return f"<{' '.join(parts)}>{end}"


def _region(name: str, content: str = "") -> str:
    return tag("div", content, data_region=name)


def _button(words: str, do: str, value: str | None = None, **attributes: Any) -> str:
    return tag("button", words, type="button", data_do=do, data_value=value, **attributes)


# ---------------------------------------------------------------- pages
def render_start(session: Session, has_script: bool) -> str:
    """Return the start page: the questions with their examples."""
    cards = [(each.key, each.title, each.example) for each in session.questions]
    if has_script:
        cards.append(
            ("script", "Own script", "A script in the dealer language, with a slider for any number")
        )
    items = "".join(
        tag("li", _button(f"<strong>{escape(title)}</strong><span>{mark_suits(example)}</span>", "open", key))
        for key, title, example in cards
    )
    page = f'<h2>What do you want to know?</h2><ul class="dk-questions">{items}</ul>'
    return tag("section", page, aria_label="Questions")


def render_question(session: Session, shown: Shown) -> str:
    """Return the page of the open question; its regions are replaced when they change."""
    # The question: fields, condition, editor
    question = session.question
    assert question is not None
    parts = [_render_top(question.title), tag("p", mark_suits(question.example), class_="dk-quiet")]
    parts.append(_region("fields", render_fields(session)))
    if question.condition is not None:
        head = f"<h3>Which deals</h3>{_button('Clear', 'clear', aria_label='Clear all conditions')}"
        parts.append(f"{tag('div', head, class_='dk-top')}{_region('condition', render_condition(session))}")
        parts.append(render_editor("condition", "The same in the dealer language", session.text))
        if not session.untrusted:
            parts.append(_render_plan_fold())
    # The answer, with the seed beside the button
    seed = tag("input", data_fill="seed", inputmode="numeric", value=session.seed)
    right = (
        _render_run("Answer", tag("label", f"seed {seed}", class_="dk-inline"))
        + _region("message", render_message(session))
        + _region("head", render_head(session.progress))
        + _region("results", render_result(session, shown))
        + _region("files", render_files(session))
    )
    return _render_columns("Question", "".join(parts), "Answer", right)


def _render_top(title: str) -> str:
    return tag("div", f"{_button('All questions', 'start')}<h2>{escape(title)}</h2>", class_="dk-top")


def _render_run(words: str, more: str = "") -> str:
    """Return the buttons that start and stop a run."""
    buttons = _button(words, "run", class_="dk-main") + _button("Stop", "stop", disabled=True)
    return tag("div", buttons + more, class_="dk-buttons dk-run", role="group", aria_label="Run")


def _render_plan_fold() -> str:
    return tag(
        "details", f"<summary>How often, and how it is dealt</summary>{_region('plan')}", data_load="plan"
    )


def _render_columns(left_name: str, left: str, right_name: str, right: str) -> str:
    return tag(
        "div",
        tag("section", left, aria_label=left_name) + tag("section", right, aria_label=right_name),
        class_="dk-explore",
    )


# ---------------------------------------------------------------- fields
def render_fields(session: Session) -> str:
    """Return the fields of the question."""
    assert session.question is not None
    return "".join(
        _render_field(field, session.values.get(field.name, "")) for field in session.question.fields
    )


def _render_field(field: Field, value: str) -> str:
    name = f"field-{field.name}"
    if field.kind == "choice":
        return _render_entry(name, field.label, _render_choice(name, field.name, field.choices, value))
    if field.kind == "checks":
        boxes = "".join(
            tag(
                "label",
                tag("input", type="checkbox", data_check=field.name, value=key, checked=key in value.split())
                + f" {escape(words)}",
                class_="dk-check",
            )
            for key, words in field.choices.items()
        )
        return tag("fieldset", f"<legend>{escape(field.label)}</legend>{boxes}", class_="dk-entry")
    hint = f"{name}-hint" if field.hint else None
    if field.kind == "file":
        entry = tag("input", type="file", id=name, data_file=field.name, aria_describedby=hint)
        chosen = f"The file is {Path(value).name}." if value else ""
        return _render_entry(name, field.label, entry, chosen or field.hint)
    mode = "numeric" if field.kind == "integer" else None
    return _render_text(name, field.label, field.name, value, field.hint, inputmode=mode)


def _render_text(name: str, label: str, fill: str, value: str, hint: str = "", **attributes: Any) -> str:
    """Return a field for a text."""
    entry = tag(
        "input", type="text", id=name, data_fill=fill, value=value, autocomplete="off", spellcheck="false",
        aria_describedby=f"{name}-hint" if hint else None, **attributes,
    )  # fmt: skip
    return _render_entry(name, label, entry, hint)


def _render_entry(name: str, label: str, entry: str, hint: str = "") -> str:
    below = tag("span", escape(hint), class_="dk-hint", id=f"{name}-hint") if hint else ""
    return tag("div", f"{tag('label', escape(label), for_=name)}{entry}{below}", class_="dk-entry")


def _render_choice(name: str, fill: str, choices: Mapping[str, str], value: str) -> str:
    options = "".join(
        tag("option", escape(words), value=key, selected=key == value) for key, words in choices.items()
    )
    return tag("select", options, id=name, data_fill=fill)


# ---------------------------------------------------------------- the condition seat by seat
def render_condition(session: Session) -> str:
    """Return the fields of the condition: the four hands, the sides, the auction, and other clauses."""
    # Hands and sides
    condition = session.condition
    parts = [_render_hand(condition, seat) for seat in SEATS]
    together = "".join(_render_range(condition, side, "points", _SIDE_NAMES[side]) for side in SIDES)
    parts.append(
        _fold(
            "sides",
            f"Both hands of a side: {_describe_bounds(condition, SIDES)}",
            together,
            _has(condition, *SIDES),
        )
    )
    # The auction
    get = condition.values.get
    auction = _render_text(
        "auction", "Calls", "auction", get("auction", ""),
        "such as 1NT-3NT, or 1H (1S) 2H with the opponents' calls in brackets",
    )  # fmt: skip
    for name, label, choices, first in (
        ("dealer", "Who made the first call", SEAT_CHOICES, "north"),
        ("system", "System", SYSTEMS, "sayc"),
    ):
        choice = _render_choice(name, name, choices, get(name, first))
        auction += _render_entry(name, label, choice)
    parts.append(
        _fold("bidding", f"Auction: {get('auction') or 'any'}", auction, "auction" in condition.values)
    )
    # Clauses that no field can show
    if condition.others:
        clauses = "".join(f"<li><code>{escape(clause)}</code></li>" for clause in condition.others)
        parts.append(
            f'<p class="dk-quiet">Also, from the text below:</p><ul class="dk-others">{clauses}</ul>'
        )
    return "".join(parts)


def _has(condition: DealCondition, *owners: str) -> bool:
    return any(name.split(".")[0] in owners for name in condition.values)


def _fold(key: str, summary: str, body: str, is_open: bool) -> str:
    """Return a part of the form that can be folded; its heading says what is filled in."""
    content = f"<summary>{mark_suits(summary)}</summary><div>{body}</div>"
    return tag("details", content, class_="dk-part", data_key=key, open=is_open)


def _render_hand(condition: DealCondition, seat: str) -> str:
    get = condition.values.get
    rows = _render_range(condition, seat, "points", "points")
    for suit in SUITS:
        holding = _render_holding(condition, seat, suit)
        rows += _render_range(condition, seat, suit, f"{_SYMBOLS[suit]} {suit}", holding)
    rows += f'<p class="dk-hint">{_HOLDINGS}</p>'
    shape = _render_choice(f"{seat}-shape", f"{seat}.shape", SHAPES, get(f"{seat}.shape", ""))
    rows += _render_entry(f"{seat}-shape", "Shape", shape)
    for name, label, example in (
        ("opens", "Opens with the call", "1NT"),
        ("cards", "Has the cards", "SA HK"),
    ):
        key = f"{seat}.{name}"
        rows += _render_text(f"{seat}-{name}", label, key, get(key, ""), placeholder=example)
    return _fold(seat, f"{seat.capitalize()}: {describe_hand(condition, seat)}", rows, _has(condition, seat))


def _render_holding(condition: DealCondition, seat: str, suit: str) -> str:
    """Return the field for the holding in a suit."""
    key = f"{seat}.{suit}.holding"
    return tag(
        "input", type="text", data_fill=key, value=condition.values.get(key, ""), placeholder="AKxx",
        aria_label=f"{seat}: holding in {suit}", autocomplete="off", spellcheck="false",
    )  # fmt: skip


def _render_range(condition: DealCondition, owner: str, name: str, label: str, more: str = "") -> str:
    """Return the two fields of a range, and what follows them."""
    who = owner if owner in SEATS else _SIDE_NAMES[owner]
    most = MOST_POINTS[owner] if name == "points" else 13
    entries = []
    for end in ("from", "to"):
        key = f"{owner}.{name}.{end}"
        value, words = condition.values.get(key, ""), f"{who}: {name} {end}"
        entries.append(
            tag("input", type="number", min=0, max=most, data_fill=key, value=value, aria_label=words)
        )
    return tag(
        "div",
        f"<span>{mark_suits(label)}</span><span>{' to '.join(entries)} {more}</span>",
        class_="dk-range",
    )


def describe_hand(condition: DealCondition, seat: str) -> str:
    """Describe in words what is filled in about a hand; "any hand" if nothing is.

    >>> describe_hand(DealCondition({"north.points.from": "15", "north.shape": "balanced"}), "north")
    '15 or more points, balanced'
    """
    get = condition.values.get
    found = [f"opens {call}" for call in [get(f"{seat}.opens")] if call]
    found += filter(None, [_describe_range(condition, seat, "points", " points")])
    for suit in SUITS:
        found += filter(None, [_describe_range(condition, seat, suit, f" {_SYMBOLS[suit]}")])
        found += [f"{_SYMBOLS[suit]}{cards}" for cards in [get(f"{seat}.{suit}.holding")] if cards]
    found += [SHAPES[shape] for shape in [get(f"{seat}.shape", "")] if shape in SHAPES and shape]
    found += [f"with {cards.upper()}" for cards in [get(f"{seat}.cards")] if cards]
    return ", ".join(found) or "any hand"


def _describe_bounds(condition: DealCondition, sides: Iterable[str]) -> str:
    names = {"ns": "north-south", "ew": "east-west"}
    found = [(names[side], _describe_range(condition, side, "points", " points")) for side in sides]
    return ", ".join(f"{name} {words}" for name, words in found if words) or "any points"


def _describe_range(condition: DealCondition, owner: str, name: str, unit: str) -> str:
    low, high = (condition.values.get(f"{owner}.{name}.{end}", "") for end in ("from", "to"))
    if low and high:
        return f"{low if low == high else f'{low} to {high}'}{unit}"
    return f"{low} or more{unit}" if low else f"at most {high}{unit}" if high else ""


# ---------------------------------------------------------------- editor and messages
def render_editor(name: str, label: str, text: str) -> str:
    """Return an editor for the dealer language; `explorer.js` colours and completes its text."""
    name_of = f"code-{name}"
    area = tag(
        "textarea", escape(text), id=name_of, rows=min(max(3, text.count("\n") + 2), 20), spellcheck="false",
        autocomplete="off", autocapitalize="off", aria_autocomplete="list", aria_controls=f"{name_of}-list",
    )  # fmt: skip
    options = tag("ul", role="listbox", id=f"{name_of}-list", aria_label="Completions", hidden=True)
    box = tag("div", f'<pre aria-hidden="true"></pre>{area}{options}', class_="dk-code-box")
    return tag("div", tag("label", escape(label), for_=name_of) + box, class_="dk-code", data_code=name)


def render_message(session: Session) -> str:
    """Return the reason why the question cannot be answered as a panel, or an empty text."""
    return render_error(session.error) if session.error else ""


def render_error(error: Exception | str) -> str:
    """Return an error as a panel."""
    if isinstance(error, ScriptError):
        return build_panel(error).render_html()
    return Panel("error", split_message(str(error), "")).render_html()


def list_marks(errors: Iterable[Exception | None], text: str) -> list[tuple[int, int]]:
    r"""Return where mistakes are in a text: the first character of each, from 0, and the one after it.

    >>> from dealerkit.errors import ScriptError
    >>> list_marks([ScriptError("unknown word", None, 2, 4, "or hpc(north)")], "north\nor hpc(north)")
    [(9, 12)]
    """
    marks = []
    lines = text.split("\n")
    for error in errors:
        if isinstance(error, ScriptError) and error.file is None and 0 < error.line <= len(lines):
            line = lines[error.line - 1]
            start = sum(len(each) + 1 for each in lines[: error.line - 1]) + error.column - 1
            marks.append((start, start + max(len(find_word(line, error.column)), 1)))
    return sorted(marks)


# ---------------------------------------------------------------- answer
def render_head(progress: CallProgress | None) -> str:
    """Return how far the call is."""
    if progress is None:
        return render_line("No answer yet", "You can run the example as it is")
    if progress.stage == "failed":
        return render_line(
            "No answer" if progress.result is None else "An earlier answer, or one from fewer deals"
        )
    if progress.is_running:
        count = (
            f"{format_count(progress.done)} of {format_count(progress.total)} deals" if progress.total else ""
        )
        value = (
            f' max="{progress.total}" value="{min(progress.done, progress.total)}"' if progress.total else ""
        )
        note = (
            "An earlier answer is shown until the new one is complete." if progress.result is not None else ""
        )
        return (
            f'<div class="dk-head"><strong>Computing</strong><span>{count}</span></div>'
            f'<progress class="dk-done live"{value} aria-label="Deals done"></progress>'
            f'<p class="dk-caption">{note}</p>'
        )
    stopped = '<span><b class="dk-warn">stopped</b></span>' if progress.stage == "stopped" else ""
    title = "Answer" if progress.result is not None else "No answer"
    return (
        f'<div class="dk-head"><strong>{title}</strong>{stopped}'
        f"<span>{format_number(progress.elapsed, 2)} s</span></div>"
    )


class Shown:
    """The HTML of the newest result, which is rendered once because charts take long."""

    def __init__(self) -> None:
        self._last: tuple[Any, bool, str] = (None, False, "")

    def render(self, result: Any, is_complete: bool) -> str:
        """Return a result as HTML without the style sheet."""
        if self._last[0] is not result or self._last[1] != is_complete:
            self._last = result, is_complete, show_result(result, is_complete)
        return self._last[2]


def render_result(session: Session, shown: Shown) -> str:
    """Return the newest result as cards, with its charts when it is complete."""
    progress = session.progress
    if progress is None:
        return '<p class="dk-quiet">The answer appears here.</p>'
    error = "" if progress.error is None else render_error(progress.error)
    result = progress.result
    if result is None and error:
        return error
    if result is None:
        return (
            ""
            if progress.is_running
            else '<p class="dk-quiet">Stopped before there was a result. Press Answer to start again.</p>'
        )
    if isinstance(result, Deals):  # other results show their warnings themselves
        error += "".join(
            Panel("warning", split_message(text, "")).render_html() for text in progress.messages
        )
    old = " dk-old" * (session.is_old and not progress.is_running)
    return f'{error}<div class="dk-result{old}">{shown.render(result, not progress.is_running)}</div>'


def show_result(result: Any, is_complete: bool) -> str:
    """Return a result as HTML without the style sheet."""
    if isinstance(result, Deals):
        return render_deals(result)
    if hasattr(result, "reports"):
        return _FRAME.sub("", result._repr_html_())
    card = result.card()
    return f'<div class="dk-report">{card.to_page() if is_complete else card.to_html(False)}</div>'


_FRAME = re.compile(r'<style>.*?</style><pre class="dk-plain">.*?</pre>', re.DOTALL)


def render_files(session: Session) -> str:
    """Return the buttons that copy the call and save files of the result."""
    python = session.python
    names = [] if session.is_running else exports.list_files(session.result, python)
    texts = {"script": session.script, "Python": python}
    return render_exports({name: text for name, text in texts.items() if text}, names)


def render_exports(texts: Mapping[str, str], names: Sequence[str]) -> str:
    """Return buttons that copy texts and save files, and the texts, folded."""
    copies = [
        tag("button", f"Copy as {name}", type="button", data_copy=f"export-{name.lower()}") for name in texts
    ]
    saves = [_button(exports.FILES[name][0], "save", name) for name in names]
    folds = [
        tag(
            "details",
            f"<summary>As {name}</summary>"
            + tag("pre", escape(text), id=f"export-{name.lower()}", tabindex=0),
            class_="dk-export",
            data_key=name,
        )
        for name, text in texts.items()
    ]
    buttons = tag(
        "div", "".join([*copies, *saves]), class_="dk-buttons", role="group", aria_label="Copy and save"
    )
    return buttons + "".join(folds)


def render_plan(session: Session) -> str:
    """Return how often the condition is met, exactly or with an interval, and how such deals are found."""
    from dealerkit.advice.explain import explain

    text = session.text.strip()
    if not text:
        return "<p>The condition is empty, so every deal meets it.</p>"
    try:
        return f'<div class="dk-report">{explain(text).card().to_html()}</div>'
    except DealerkitError as error:
        return render_error(error)


# ---------------------------------------------------------------- a script with sliders
MOST_NUMBERS = 40  # most numbers of a script that are offered a slider


def render_script_page(state: ExplorerState) -> str:
    """Return the page of a script: editor, sliders, settings; reports, deals and plan."""
    settings = "".join(
        tag(
            "label",
            f"{label} " + tag("input", data_set=name, inputmode="numeric", value=getattr(state, name) or ""),
            class_="dk-inline",
        )
        for name, label in (("produce", "deals"), ("seed", "seed"), ("threads", "threads"))
    )
    left = (
        _render_top("Own script")
        + render_editor("script", "Script", state.text)
        + _region("message", html.render_panels(state))
        + _region("sliders", render_sliders(state))
        + tag("div", settings, class_="dk-settings")
        + _render_plan_fold()
    )
    deals = f"<summary>Deals</summary>{_region('deals')}"
    right = (
        _render_run("Run")
        + _region("head", html.render_head(state.progress))
        + _region("results", html.render_reports(state.progress))
        + tag("details", deals, data_load="deals", data_key="deals")
        + _region("files", render_script_files(state))
    )
    return _render_columns("Script", left, "Results", right)


def render_sliders(state: ExplorerState) -> str:
    """Return a slider or a field for each control, and buttons for the numbers that can have a slider."""
    # Controls
    rows = []
    for control in state.controls:
        name, number = f"slider-{control.key.strip('@$')}", control.number
        label = tag("label", escape(control.label), for_=name)
        if number is None:
            entry = tag("input", type="text", id=name, data_value_of=control.key, value=control.text)
            rows.append(tag("div", label + entry, class_="dk-entry"))
            continue
        entry = tag(
            "input", type="range", id=name, data_value_of=control.key, min=number.low, max=number.high,
            step=number.step, value=number.value,
        )  # fmt: skip
        value = tag("output", escape(control.text), for_=name)
        rows.append(tag("div", label + value + entry, class_="dk-slider"))
    # Numbers that can have a slider
    numbers = [number for number in state.numbers if not number.variable][:MOST_NUMBERS]
    if numbers and not state.has_error:
        buttons = "".join(
            _button(
                escape(f"{number.label} {state.text[number.start : number.end]}"), "mark", str(number.start),
                aria_pressed=str(number.start in state.marked).lower(),
            )
            for number in numbers
        )  # fmt: skip
        rows.append('<p class="dk-quiet">Numbers that can have a slider:</p>')
        rows.append(tag("div", buttons, class_="dk-marks", role="group", aria_label="Sliders"))
    return tag("div", "".join(rows), class_="dk-sliders")


def render_script_deals(state: ExplorerState) -> str:
    """Return the current page of deals, with buttons for the previous and the next page."""
    buttons = _button("Previous", "back", disabled=state.page == 0)
    buttons += _button("Next", "next", disabled=state.page >= state.n_pages() - 1)
    return html.render_deals(state) + tag(
        "div", buttons, class_="dk-buttons", role="group", aria_label="Pages of deals"
    )


def render_script_files(state: ExplorerState) -> str:
    """Return the buttons that copy a script and save files of its result."""
    names = [] if state.is_running or state.result is None else exports.list_files(state.result, state.python)
    return render_exports({"script": state.script, "Python": state.python}, names)

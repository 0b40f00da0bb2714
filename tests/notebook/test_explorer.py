"""The explorer's model and widgets, without a browser: script, marks, sliders, runs, exports, static page."""

from __future__ import annotations

import base64
import builtins
import importlib.util
import re
import time

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError
from dealerkit.notebook.explorer import html
from dealerkit.notebook.explorer.numbers import find_numbers, move_places
from dealerkit.notebook.explorer.running import DRAWS, HeldSource, draw_tricks
from dealerkit.notebook.explorer.state import ExplorerState

POINTS = 'condition hcp(north) >= 15 and hcp(north) <= 17 action average "points" hcp(south)'
TRICKS = (
    "condition hcp(north) >= 15 and hcp(south) >= 9 and spades(south) == 5 and spades(north) >= 3\n"
    'action average "makes" dds(north, spades) >= 10, frequency "tricks" (dds(north, spades), 5, 13)'
)


def make(script: str = POINTS, **options) -> ExplorerState:
    return ExplorerState(script, **{"seed": 7, "produce": 500, **options})


@pytest.fixture(scope="module")
def solved() -> tuple[ExplorerState, list]:
    """Return a state whose double-dummy question has run, and what it published."""
    state, published = make(TRICKS, produce=12), []
    state.observe(lambda what: published.append(state.progress))
    state.run()
    state.wait()
    return state, published


# ------------------------------------------------------------ numbers, marks, sliders
def test_numbers_have_their_place_meaning_and_range() -> None:
    text = (
        "x = 3\ncondition 12 <= hcp(north) and hcp(north) + hcp(south) > 24 and spades(south) == 5"
        " and hcp(east) - hcp(west) < -2 and shape(east, any 4333) // 99\naction frequency (hcp(west), 0, 37)"
    )
    found = {text[n.start : n.end]: (n.label, n.low, n.high) for n in find_numbers(text)}
    assert found == {
        "3": ("x", 0, 10),
        "12": ("north: points at least", 0, 37),
        "24": ("north and south together: points more than", 0, 74),
        "5": ("south: spades", 0, 13),
        "-2": ("hcp(east) - hcp(west) less than", -10, 10),
    }


def test_tricks_have_thirteen_at_most_and_decimals_a_small_step() -> None:
    tricks, points = find_numbers("condition dds(north, notrump) >= 9 and cccc(north) > 12.5")
    assert (tricks.label, tricks.low, tricks.high) == ("north: tricks in notrump at least", 0, 13)
    assert (points.value, points.step) == (12.5, 0.1)


@pytest.mark.parametrize("new, moved", [("xx a >= 15", [8]), ("a >= 16", [5]), ("a >= 1", [5]), ("b", [])])
def test_marks_move_with_the_text(new: str, moved: list[int]) -> None:
    assert move_places("a >= 15", new, [5]) == moved


def test_a_marked_number_has_a_slider_that_changes_the_script() -> None:
    state = make()
    start = POINTS.index("15")
    state.toggle_mark(start)
    assert [(c.key, c.label, c.text) for c in state.controls] == [("@24", "north: points at least", "15")]
    state.toggle_mark(POINTS.index("17"))
    state.set_value("@24", 9)  # one character shorter: the mark after it moves
    assert "hcp(north) >= 9 and hcp(north) <= 17" in state.text
    assert [c.text for c in state.controls] == ["9", "17"]
    state.wait()
    reference = dk.run(state.text, produce=500, seed=7, plan="plain")
    assert state.result["points"].mean.value == reference["points"].mean.value
    state.toggle_mark(24)
    assert len(state.controls) == 1


def test_places_without_a_number_and_unknown_controls_are_refused() -> None:
    state = make()
    with pytest.raises(ArgumentError, match="no number starts at character 0"):
        state.toggle_mark(0)
    with pytest.raises(ArgumentError, match="no control"):
        state.set_value("$low", 3)


def test_script_variables_have_sliders_and_texts_have_fields() -> None:
    script = "# param low = 12  # least points\nshape(north, $shapes) and hcp(north) >= $low and hcp(south) > $high"
    state = make(script, params={"shapes": "any 4333", "high": 3})
    shapes, low, high = state.controls
    assert (shapes.key, shapes.text, shapes.number) == ("$shapes", "any 4333", None)
    assert (low.label, low.text, low.number.high) == ("$low: least points", "12", 37)
    assert high.label == "$high: south: points more than"
    state.set_value("$low", 20)
    state.wait()
    assert state.text == script and (state.result.deals.eval("hcp(north)") >= 20).all()
    state.set_value("$shapes", "any 43")  # broken: the results stay
    assert state.has_error and state.result.produced == 500


def test_a_variable_without_a_value_has_an_empty_field() -> None:
    state = make("condition hcp(north) >= $low action average hcp(south)")
    assert state.has_error and state.controls[0].text == ""
    state.set_value("$low", "20")
    state.wait()
    assert not state.has_error and state.result.produced == 500


# ------------------------------------------------------------ runs
def test_held_deals_give_what_a_plain_run_gives() -> None:
    state = make()
    state.run()
    state.wait()
    reference = dk.run(POINTS, produce=500, seed=7, plan="plain")
    assert state.progress.stage == "done" and state.result.produced == 500
    assert np.array_equal(state.result.deals.hands, reference.deals.hands)
    assert state.result.generated == reference.generated
    held = state._held.source
    assert isinstance(held, HeldSource) and held.n_held > 0
    state.run()
    state.wait()
    assert state._held.source is held


def test_a_rare_question_goes_on_after_the_held_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealerkit.notebook.explorer.running.HELD_DEALS", 20_000)
    script = "condition hcp(north) >= 24 and shape(north, any 4333) action average hcp(south)"
    state = make(script, produce=100)
    seen = []
    state.observe(
        lambda what: seen.append((state.progress.stage, state.result.produced if state.result else None))
    )
    state.run()
    state.wait()
    reference = dk.run(script, produce=100, seed=7)
    assert state.progress.stage == "done"
    assert state.result["hcp(south)"].mean.value == reference["hcp(south)"].mean.value
    stages = [stage for stage, _ in seen]
    assert stages.index("running") < stages.index("done")


def test_a_run_stopped_twice_keeps_its_deals() -> None:
    state = make("condition hcp(north) >= 12 action average hcp(south)", produce=200_000_000)
    state.run()
    limit = time.time() + 20
    while (state.result is None or not state.result.produced) and time.time() < limit:
        time.sleep(0.01)
    state.stop()
    state.stop()
    progress = state.wait(20)
    assert progress.stage == "stopped" and progress.result.interrupted
    produced = progress.result.produced
    assert 0 < produced < 200_000_000 and progress.result.reports[0].n == produced
    state.stop()
    assert state.result.produced == produced


def test_a_new_run_replaces_the_old_one() -> None:
    state = make(produce=100_000_000)
    state.run()
    state.set_setting("produce", 50, 1)
    state.run()
    progress = state.wait(20)
    assert (progress.stage, state.result.produced) == ("done", 50)


def test_a_broken_script_keeps_the_old_results_and_has_a_panel() -> None:
    state = make()
    state.run()
    state.wait()
    before = state.result
    assert not state.is_old
    assert not state.set_text(POINTS.replace("hcp(north)", "hpc(north)", 1))
    assert not state.run()
    assert state.result is before and state.is_old
    panel = html.render_panels(state)
    line, carets = re.sub("<[^>]*>", "", panel.split("<pre>")[1]).split("\n")[:2]
    assert carets.index("^^^") == line.index("hpc") and "Unknown function <code>hpc</code>" in panel
    assert "<ins>hcp</ins>(north) &gt;= 15" in panel
    assert "The results are from the previous script." in panel


def test_an_error_of_the_run_is_a_panel() -> None:
    state = make("condition hcp(north) / (hcp(south) - hcp(south)) > 1")
    state.run()
    progress = state.wait()
    assert progress.stage == "failed" and "zero" in state.panels[0].message
    assert "The run failed" in html.render_head(progress)


# ------------------------------------------------------------ double dummy
def test_the_model_estimates_until_deals_are_solved(solved: tuple) -> None:
    state, published = solved
    first = next(progress for progress in published if progress.model is not None)
    assert first.result is None and first.stage == "running"
    shown = html.render_reports(first)
    assert "≈" in shown and "model estimate" in shown and 'class="n"' not in shown
    assert published[-1].model is None and published[-1].stage == "done"
    assert "≈" not in html.render_reports(published[-1])
    reference = dk.run(TRICKS, produce=12, seed=7)
    assert state.result["makes"].mean.value == reference["makes"].mean.value


def test_measured_and_model_are_in_columns_of_their_own(solved: tuple) -> None:
    state, published = solved
    model = next(progress.model for progress in published if progress.model is not None)
    from dataclasses import replace

    both = replace(state.progress, model=model, stage="running")
    shown = html.render_reports(both)
    assert '<th scope="col" class="n">solved</th><th scope="col" class="u">model</th>' in shown
    assert shown.count('class="bar"') > 1 and shown.count('class="model"') > 1
    head = html.render_head(both)
    assert "12 of 12 deals solved" in head and "Interval now ±" in head


def test_drawn_tricks_have_the_means_of_the_model() -> None:
    deals = dk.deal(300, seed=3)
    drawn = draw_tricks(deals, [(0, 0), (4, 1)], 1)
    assert len(drawn) == DRAWS * 300
    for strain, seat in ((0, 0), (4, 1)):
        tricks = drawn.tables[:, strain, seat].reshape(300, DRAWS).mean(axis=1)
        expected = dk.expected_tricks(deals, strain, seat)
        assert abs((tricks - expected).mean()) < 0.05  # 1,200 draws: a standard error of 0.01
    assert (drawn.tables[:, 1] == -1).all()


# ------------------------------------------------------------ settings, pages, exports
@pytest.mark.parametrize(
    "script, produce",
    [(POINTS, 10_000), (TRICKS, 1_000), ("hcp(north) > 20", 40), ("produce 7 action average hcp(north)", 7)],
)
def test_the_number_of_deals_follows_the_script(script: str, produce: int) -> None:
    assert ExplorerState(script, seed=1).produce == produce


@pytest.mark.parametrize("name, value", [("produce", 0), ("seed", -1), ("threads", "many"), ("produce", 1.5)])
def test_settings_are_checked(name: str, value) -> None:
    with pytest.raises(ArgumentError, match=name):
        ExplorerState(POINTS, **{name: value})


def test_pages_show_twelve_deals_of_many() -> None:
    state = make("condition hcp(north) >= 10 action average hcp(south)", produce=200_000)
    state.run()
    state.wait()
    shown = html.render_deals(state)
    assert shown.count('class="dk-deal"') == 12 and "Deals 1 to 12 of 100,000" in shown
    assert "100,000 more were produced but not kept" in shown
    state.turn_page(-1)
    assert state.page == 0
    state.turn_page(10**9)
    assert "Deals 99,997 to 100,000 of 100,000" in html.render_deals(state)


def test_exports_reproduce_the_result() -> None:
    script = "condition hcp(north) >= $low\nand hcp(south) >= 5\naction average hcp(south)"
    state = make(script, params={"low": 12})
    state.set_value("$low", 14)
    state.wait()
    scope: dict = {}
    exec(state.python, scope)
    assert scope["result"].reports[0].mean.value == state.result.reports[0].mean.value
    again = dk.run(state.script, produce=500, seed=7, plan="plain")
    assert again.reports[0].mean.value == state.result.reports[0].mean.value
    assert state.script.startswith("# param low = 14\n")


@pytest.mark.parametrize("text", ['a "b"', 'x\n"""', "back\\slash\nb", "\nfirst line empty", 'ends in "\n"'])
def test_python_quotes_any_text(text: str) -> None:
    from dealerkit.notebook.explorer.state import write_python

    scope: dict = {}
    exec(write_python(text, {"a": "007", "b": "1.5"}, 1, 1).partition("result =")[0], scope)
    assert scope["script"] == text


# ------------------------------------------------------------ pages and widgets
def test_everything_is_escaped() -> None:
    script = 'condition hcp(north) >= $low action average "<script>alert(1)</script>" hcp(south)'
    state = make(script + " // <img src=x>\n", params={"low": "10+(<b>1</b>)"})
    state.values["low"] = "10"
    state.set_text(state.text)
    state.run()
    state.wait()
    page = html.render_static(state, "abc")
    assert "<script" not in page and "<img" not in page and "&lt;script&gt;" in page


def test_the_static_page_shows_the_last_state(solved: tuple) -> None:
    page = html.render_static(solved[0], "abc")
    assert "12 deals solved" in page and "dds(north, spades)" in page and "body:has(.dk-live-abc)" in page
    assert "sliders need a running kernel" in page and "seed=7" in page


class Browser:
    """What an explorer sends, and what it is sent."""

    def __init__(self, explorer: dk.Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.explorer, self.messages = explorer, []
        monkeypatch.setattr(explorer, "_send", lambda **message: self.messages.append(message))

    def find(self, region: str) -> str:
        """Return the newest content of a region."""
        return next(m["show"][region] for m in reversed(self.messages) if region in m.get("show", {}))

    def send(self, **message: object) -> None:
        self.explorer.take(message)


def test_the_page_follows_the_state_and_the_state_follows_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = dk.explore(POINTS, seed=7, produce=100, marked=[24])
    explorer.state.wait()
    page = explorer.render()
    assert "100 deals produced" in page and 'aria-pressed="true">north: points at least 15<' in page
    assert re.search(
        r'<input type="range" id="[^"]+" data-value-of="@24" min="0" max="37" step="1" value="15">', page
    )
    browser = Browser(explorer, monkeypatch)
    browser.send(slide="@24", value="13")
    explorer.state.wait()
    assert "hcp(north) >= 13" in explorer.script and "100 deals produced" in browser.find("head")
    assert (explorer.result.deals.eval("hcp(north)") >= 13).all()
    assert browser.messages[0]["code"] == {"script": explorer.state.text}
    browser.send(do="mark", value=str(explorer.state.text.index("17")))
    assert browser.find("sliders").count('type="range"') == 2
    browser.send(code="script", value="condition hpc(north) > 3")
    assert "dk-error" in browser.find("message") and "dk-old" in browser.find("results")
    assert next(m["marks"] for m in reversed(browser.messages) if "marks" in m) == {"script": [(10, 13)]}
    browser.send(do="run")
    assert explorer.result.produced == 100
    browser.send(code="script", value="condition hcp(north) > 30")
    browser.send(set="produce", value="3")
    explorer.state.wait()
    assert explorer.result.produced == 3 and browser.find("deals").count('class="dk-deal"') == 3
    browser.send(set="produce", value="none")
    assert "produce" in browser.find("message")


def test_words_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser(dk.explore(POINTS, start=False), monkeypatch)
    browser.send(complete="script", before="condition hcp(no", text="")
    assert browser.messages[-1]["completions"]["items"][0] == "north"


@pytest.mark.parametrize("kind, start", [("page", "<!doctype html>"), ("notebook", "{"), ("table", "report"),
                                         ("picture", "<?xml"), ("pbn", "% PBN"), ("lin", "qx|"), ("sheet", "<!doctype html>")])  # fmt: skip
def test_files_are_saved(kind: str, start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = dk.explore(POINTS, seed=7, produce=20)
    explorer.state.wait()
    browser = Browser(explorer, monkeypatch)
    browser.send(do="save", value=kind)
    content = base64.b64decode(browser.messages[-1]["save"]["content"]).decode()
    assert content.lower().startswith(start.lower()) or kind == "table" and content.count("\n") >= 2


def test_a_kernel_without_anywidget_gets_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "anywidget" else find(name))
    with pytest.raises(ArgumentError, match="pip install anywidget"):
        dk.explore(POINTS)


def test_it_takes_files_and_parsed_scripts(tmp_path) -> None:
    file = tmp_path / "a.dealer"
    file.write_text(POINTS)
    assert ExplorerState(file).text == POINTS
    parsed = dk.parse("hcp(north) > $low", params={"low": 3})
    assert ExplorerState(parsed).controls[0].text == "3"
    with pytest.raises(ArgumentError, match="is not a script; give its text"):
        ExplorerState(builtins.object())


def test_included_files_are_found_beside_the_script(tmp_path) -> None:
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "Strong").write_text("strong = hcp(north) >= 20")
    file = tmp_path / "a.dealer"
    file.write_text('#include "script/Strong"\nstrong and hcp(south) >= 5\naction average hcp(south)')
    state = ExplorerState(file, seed=7, produce=50)
    assert not state.has_error and [state.text[n.start : n.end] for n in state.numbers] == ["5"]
    state.run()
    assert state.wait().stage == "done" and state.result.produced == 50
    scope: dict = {}
    exec(state.python, scope)
    assert scope["result"].reports[0].mean.value == state.result.reports[0].mean.value
    assert "20 points" in state.explain().text

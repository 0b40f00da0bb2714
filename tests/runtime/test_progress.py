"""The progress bar: when it appears, what it shows, and that there is one at a time."""

from __future__ import annotations

import io
import re
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.doubledummy import library_calls
from dealerkit.errors import Interrupted
from dealerkit.runtime import progress
from dealerkit.runtime.progress import describe_waiting, show_progress, track


class Terminal(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch):
    """Return the time of the progress bar, in a list."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr("tqdm.std.time", lambda: now[0])
    return now


@pytest.fixture
def terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=terminal, modules=sys.modules))
    return terminal


def test_a_bar_appears_after_half_a_second_with_rate_and_time_left(terminal, clock):
    with show_progress(unit="deals") as show:
        clock[0] += 0.4
        show(90, 1000)
        assert not terminal.getvalue()
        clock[0] += 1.6
        show(200, 1000)
        text = terminal.getvalue().split("\r")[-1]
        assert text.startswith(" 20%") and "200 of 1,000 deals, 100 a second" in text
        assert "00:02<00:08" in text  # 800 deals, 100 a second
        clock[0] += 2
        show(300, 1000)  # slower: 75 a second on average
        assert "300 of 1,000 deals, 75 a second 00:04<00:09" in terminal.getvalue()
    assert not terminal.getvalue().split("\r")[-1].strip()  # it is removed


@pytest.mark.parametrize("is_shown", [None, False])
def test_nothing_is_shown_into_a_file_or_when_not_wanted(monkeypatch, clock, is_shown):
    output = Terminal() if is_shown is False else io.StringIO()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=output, modules=sys.modules))
    with show_progress(is_shown) as show, show_progress() as inner:
        clock[0] += 10
        show(1, 2)
        inner(1, 2)
    assert not output.getvalue()


def test_work_inside_other_work_has_no_bar(terminal, clock):
    with show_progress(unit="deals") as show:
        with show_progress(unit="calculations") as inner:
            clock[0] += 10
            inner(1, 2)
        assert list(map(len, track([np.zeros(3)], 3))) == [3]
        assert not terminal.getvalue()
        show(1, 2)
    assert "calculations" not in terminal.getvalue() and "1 of 2 deals" in terminal.getvalue()
    with pytest.raises(ZeroDivisionError), show_progress():
        raise ZeroDivisionError
    with show_progress() as show:
        clock[0] += 10
        show(3, 4)
    assert "3 of 4 deals" in terminal.getvalue()


def test_a_function_of_the_user_is_called(terminal, clock):
    seen = []
    with show_progress(lambda done, total: seen.append((done, total))) as show:
        clock[0] += 10
        show(1, 2)
    assert seen == [(1, 2)] and not terminal.getvalue()
    with pytest.raises(dk.ArgumentError, match="progress is 'yes'"), show_progress("yes"):
        pass


class Shell:
    """A notebook's shell as IPython names it; `kernel._allow_stdin` says whether cells may ask for input."""

    def __init__(self, allows_input: bool) -> None:
        self.kernel = SimpleNamespace(_allow_stdin=allows_input)


Shell.__name__ = "ZMQInteractiveShell"


@pytest.fixture
def notebook(monkeypatch, clock):
    """Return the messages that a bar in a notebook sends: kind and content."""
    sent: list[tuple[str, dict[str, str]]] = []

    class Handle:
        def display(self, content, raw):
            sent.append(("display", content))

        def update(self, content, raw):
            sent.append(("update", content))

    monkeypatch.setitem(sys.modules, "ipywidgets", None)  # a kernel without it
    monkeypatch.setattr("IPython.display.DisplayHandle", Handle)
    monkeypatch.setattr("IPython.get_ipython", lambda: Shell(True))
    return sent


def test_a_notebook_has_one_line_that_is_replaced_by_nothing(notebook, clock):
    with show_progress(unit="deals") as show, show_progress() as inner:
        clock[0] += 2
        show(200, 1000)
        clock[0] += 0.4
        show(240, 1000)  # too soon
        inner(1, 2)
        clock[0] += 0.6
        show(300, 1000)
    kinds, contents = zip(*notebook, strict=True)
    assert kinds == ("display", "update", "update")
    assert 'role="status">200 of 1,000 deals, 100 a second, 0:02, 0:08 left<' in contents[0]["text/html"]
    assert 'value="0.3000"' in contents[1]["text/html"]
    assert "200 of 1,000" in contents[1]["text/html"]  # the text that is read out changes every two seconds
    assert contents[2] == {"text/html": "", "text/plain": ""}


def test_the_first_frame_has_something_to_show(notebook, terminal, clock, monkeypatch):
    with show_progress(True) as show:
        assert not notebook
        show(0, 1000)
    assert "left" not in notebook[0][1]["text/html"] and "?" not in notebook[0][1]["text/html"]
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    with show_progress(True) as show:
        show(0, 1000)
        assert "0 of 1,000 deals" in terminal.getvalue() and "?" not in terminal.getvalue()


def test_a_notebook_that_nobody_watches_has_no_bar(notebook, clock, monkeypatch):
    monkeypatch.setattr("IPython.get_ipython", lambda: Shell(False))
    with show_progress() as show:
        clock[0] += 10
        show(200, 1000)
    assert not notebook


def test_steps_of_steps_are_in_one_bar(terminal, clock):
    parts = []
    with progress.ProgressBar(has_steps=True) as bar:
        bar.span = 0.0, 0.2
        for _ in progress.track_items("ab", 2, "evaluators"):
            clock[0] += 2
        bar.span = 0.2, 1.0
        for _ in progress.track_items("ab", 2, "classes"):
            for _ in progress.track_items("abcd", 4, "samples"):
                clock[0] += 2
                parts.append(bar.part)
    assert parts == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    assert "1 of 2 classes; 3 of 4 samples" in terminal.getvalue() and "\n" not in terminal.getvalue()


@pytest.mark.parametrize("name", ["dd_table", "dd_tricks", "par", "leads"])
def test_double_dummy_functions_have_one_bar(terminal, monkeypatch, name):
    monkeypatch.setattr(progress, "DELAY", 0)
    monkeypatch.setattr(library_calls, "FIRST_PER_THREAD", 1)
    deals = dk.solved_sample()[1000:1001].replace(tables=None)
    arguments = {"dd_table": ("N",), "dd_tricks": ("N", "S"), "leads": ("3NT", "S")}.get(name, ())
    getattr(dk, name)(deals, *arguments)
    assert "% " in terminal.getvalue() and "a second" in terminal.getvalue()


@pytest.mark.parametrize("name", ["boards.pbn", "boards.lin", "boards.csv"])
def test_text_files_are_read_and_written_with_a_bar(terminal, monkeypatch, tmp_path, name):
    monkeypatch.setattr(progress, "DELAY", 0)
    monkeypatch.setattr(progress, "REFRESH_SECONDS", 0)
    monkeypatch.setattr("dealerkit.formats.content.BATCH", 100)
    path = tmp_path / name
    dk.deal(300, seed=1).write(path)
    assert "of 300 deals" in terminal.getvalue()
    if name == "boards.pbn":  # one tag more, and the file is not read as one with deals only
        path.write_text(path.read_text("utf-8").replace("[Deal ", '[Room "Open"]\n[Deal '))
    terminal.truncate(0)
    assert len(dk.read(path)) == 300
    parts = [int(text) for text in re.findall(r"(\d+)% ", terminal.getvalue())]
    assert "a second" in terminal.getvalue() and len(set(parts)) > 4 and parts == sorted(parts)


def test_work_without_a_bar_has_a_line_with_the_time(terminal, monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.05)
    shown = threading.Event()
    write = terminal.write
    monkeypatch.setattr(terminal, "write", lambda text: (write(text), "working" in text and shown.set())[0])

    @progress.long_work
    def work(progress=None):
        assert shown.wait(20)
        return 7

    assert work() == 7
    assert not terminal.getvalue().split("\r")[-1].strip()  # it is removed


def test_the_line_says_what_is_awaited(terminal, monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.05)
    shown = threading.Event()
    write = terminal.write
    monkeypatch.setattr(terminal, "write", lambda text: (write(text), "compiling" in text and shown.set())[0])

    @progress.long_work
    def work(progress=None):
        with describe_waiting("compiling"):
            return shown.wait(20)

    assert work() and "working" not in terminal.getvalue().split("\r")[-1]


def test_the_line_gives_way_to_a_bar(terminal, monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.05)

    @progress.long_work
    def work(progress=None):
        time.sleep(0.3)
        with show_progress() as show:
            time.sleep(0.1)
            show(1, 4)
            before = terminal.getvalue().count("working")
            time.sleep(0.3)
            assert terminal.getvalue().count("working") == before
        return before

    assert work() > 0 and "1 of 4 deals" in terminal.getvalue()


@pytest.mark.parametrize("shown", [False, lambda done, total: None])
def test_no_line_is_shown_if_progress_is_off_or_a_function(terminal, monkeypatch, shown):
    monkeypatch.setattr(progress, "DELAY", 0.02)

    @progress.long_work
    def work(progress=None):
        time.sleep(0.2)

    work(progress=shown)
    assert not terminal.getvalue()


@pytest.mark.parametrize("kept", ["", "interrupted after 3 of 9 calculations"])
def test_an_interrupt_without_a_result_is_one_sentence(kept):
    @progress.long_work
    def work():
        raise KeyboardInterrupt(*([kept] if kept else []))

    with pytest.raises(KeyboardInterrupt) as caught:
        work()
    assert str(caught.value) == (kept or "stopped before the first result")
    assert caught.value._render_traceback_() == [str(caught.value)]  # what IPython shows


def test_an_interrupt_in_an_import_waits_for_its_end(tmp_path, monkeypatch):
    """A module that is imported in part would make later calls fail."""
    lines = [
        "import signal",
        "signal.raise_signal(signal.SIGINT)",
        "import time",
        "time.sleep(0.1)",
        "whole = True",
    ]
    (tmp_path / "interrupted_module.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)

    @progress.long_work
    def work():
        import interrupted_module  # noqa: F401

        time.sleep(20)

    with pytest.raises(KeyboardInterrupt, match="stopped before the first result"):
        work()
    assert sys.modules.pop("interrupted_module").whole


def test_an_interrupt_while_the_watching_begins_is_one_sentence(monkeypatch):
    # An interrupt that waited for the end of an import comes while the thread of the bar starts.
    def interrupt(thread):
        raise KeyboardInterrupt

    monkeypatch.setattr(progress, "has_viewer", lambda: True)
    work = progress.long_work(lambda: 1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", interrupt)
        with pytest.raises(Interrupted, match="stopped before the first result"):
            work()
    assert work() == 1  # the next call is watched again

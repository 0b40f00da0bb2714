"""The explorer in JupyterLab and as a page of its own, in a browser; exported without a kernel.

Ten tasks of somebody who does not program are done by mouse, and by keyboard alone.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dealerkit as dk
from tests.notebook import jupyterlab
from tests.notebook.jupyterlab import choose_theme, find_port, needs_chromium, needs_lab, serve, take_picture

HEAD = "document.querySelector('[class*=dk-live-] .dk-head').innerText"
MILLION = """condition hcp(north) >= 12 and losers(south) <= 7
action average "south's points" hcp(south), frequency "controls" (controls(north) + controls(south), 0, 24)"""
TRICKS = """condition hcp(north) >= 15 and hcp(south) >= 9 and spades(south) == 5 and spades(north) >= 3
action average "4S makes" dds(north, spades) >= 10, frequency "tricks" (dds(north, spades), 5, 13)"""

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_chromium]
needs_voila = pytest.mark.skipif(importlib.util.find_spec("voila") is None, reason="needs voila")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with jupyterlab.open_browser() as opened:
        yield opened


def wait_for_head(page: Any, pattern: str) -> None:
    page.wait_for_function(f"/{pattern}/.test({HEAD})", timeout=90_000)


@contextlib.contextmanager
def open_explorer(browser: Any, folder: Path, cell: str) -> Iterator[Any]:
    """Open a notebook with one cell in JupyterLab and run it."""
    jupyterlab.write_notebook(folder / "a.ipynb", [cell])
    with jupyterlab.open_lab(browser, folder / "a.ipynb", 1300, 1100) as page:
        jupyterlab.run_all_cells(page)
        page.wait_for_selector("[class*=dk-live-] h2", timeout=90_000)
        yield page


@contextlib.contextmanager
def open_page(browser: Any, *arguments: str, **options: Any) -> Iterator[Any]:
    """Open the page of `dealerkit explore`."""
    port = find_port()
    command = [sys.executable, "-m", "dealerkit", "explore", *arguments, "--port", str(port), "--no-browser"]
    address = f"http://127.0.0.1:{port}/"
    with serve(command, f"{address}favicon.ico", dict(os.environ)) as server:
        page = browser.new_page(accept_downloads=True, **options)
        page.goto(address, timeout=90_000)
        page.wait_for_selector("[class*=dk-live-] h2", timeout=90_000)
        yield page
        page.close()
    assert server.returncode == 130


# ------------------------------------------------------------ ten tasks
Act = Callable[[Any, str], None]


def click(page: Any, selector: str) -> None:
    page.click(selector)


def press(page: Any, selector: str) -> None:
    """Reach an element with the Tab key, and press it."""
    target = page.locator(selector).first
    for _ in range(250):
        if target.evaluate("element => element === document.activeElement"):
            break
        page.keyboard.press("Tab")
    else:
        pytest.fail(f"the keyboard does not reach {selector}")
    if target.evaluate("element => element.matches('button, summary')"):
        page.keyboard.press("Enter")


def open_task(page: Any, act: Act, key: str) -> None:
    if page.locator('[data-do="start"]').count():
        act(page, '[data-do="start"]')
    page.wait_for_selector(f'[data-value="{key}"]')
    act(page, f'[data-value="{key}"]')
    page.wait_for_selector('[data-do="run"]')


def fill(page: Any, act: Act, name: str, value: str) -> None:
    act(page, f'[data-fill="{name}"]')
    page.keyboard.press("Control+a")
    page.keyboard.type(value)


def run(page: Any, act: Act) -> str:
    """Have the question answered; return the answer."""
    page.evaluate("document.querySelector('[data-region=head]').innerHTML = ''")
    act(page, '[data-do="run"]')
    page.wait_for_function(
        "document.querySelector('.dk-head strong')?.innerText === 'Answer'"
        " && document.querySelector('[data-do=stop]').disabled",
        timeout=120_000,
    )
    return page.inner_text('[data-region="results"]')


@needs_voila
@pytest.mark.parametrize("act", [click, press], ids=["mouse", "keyboard"])
def test_ten_tasks(browser: Any, act: Act, tmp_path: Path) -> None:
    with open_page(browser, "-s", "7", viewport={"width": 1280, "height": 1000}) as page:
        # How often a weak two: other points than those of the example
        open_task(page, act, "frequency")
        fill(page, act, "south.points.from", "6")
        page.wait_for_function("document.querySelector('textarea').value.includes('hcp(south) >= 6')")
        assert "1.7864" in run(page, act)
        # A page to share
        with page.expect_download() as download:
            act(page, '[data-do="save"][data-value="page"]')
        download.value.save_as(tmp_path / "study.html")
        assert "1.7864" in (tmp_path / "study.html").read_text("utf-8")
        # Partner of a 1NT opener
        open_task(page, act, "partner")
        fill(page, act, "deals", "2000")
        assert "points of south" in run(page, act)
        # Game with 24
        open_task(page, act, "contract")
        fill(page, act, "deals", "40")
        assert "with 40 deals" in run(page, act)
        # A lead from an auction
        open_task(page, act, "lead")
        fill(page, act, "deals", "20")
        assert "West leads from" in run(page, act)
        # A suit
        open_task(page, act, "suit")
        assert "82.8" in run(page, act)  # SuitPlay's page
        # My session: the example, or a file
        open_task(page, act, "results")
        if act is click:
            file = tmp_path / "club.csv"
            rows = ("1,1,2,3NT,N,9", "1,3,4,3NT,N,8", "2,1,4,4S,S,10", "2,3,2,4S,S,11")
            file.write_text("\n".join(["board,ns,ew,contract,declarer,tricks", *rows]), "utf-8")
            page.set_input_files('[data-file="file"]', file)
            page.wait_for_selector("text=The file is club.csv")
        assert "matchpoints" in run(page, act)
        # Practice boards, as PBN
        open_task(page, act, "practice")
        fill(page, act, "boards", "4")
        run(page, act)
        with page.expect_download() as download:
            act(page, '[data-do="save"][data-value="pbn"]')
        download.value.save_as(tmp_path / "deals.pbn")
        deals = dk.read(tmp_path / "deals.pbn").deals
        assert len(deals) == 4 and (deals.eval("spades(south)") >= 5).all()
        assert ((deals.eval("hcp(north)") >= 15) & (deals.eval("hcp(north)") <= 17)).all()
        # Two evaluators
        open_task(page, act, "evaluators")
        assert "losers" in run(page, act)
        # The notrump range
        open_task(page, act, "sweep")
        fill(page, act, "deals", "300")
        assert "25 points or more" in run(page, act)


# ------------------------------------------------------------ the page
@needs_voila
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1280])
def test_screens(browser: Any, theme: str, width: int) -> None:
    options = ["--dark"] if theme == "dark" else []
    size = {"width": width, "height": 1000}
    with open_page(browser, "-s", "7", *options, viewport=size, color_scheme=theme) as page:
        take_picture(page, f"explorer-start-{width}-{theme}")
        open_task(page, click, "contract")
        fill(page, click, "deals", "30")
        run(page, click)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        take_picture(page, f"explorer-question-{width}-{theme}")
        if width == 420:
            page.locator('[data-do="run"]').scroll_into_view_if_needed()
            take_picture(page, f"explorer-answer-{width}-{theme}")
        open_task(page, click, "partner")
        page.click('[data-code="condition"] textarea')
        page.keyboard.press("Control+End")
        page.keyboard.type(" and hpc(south) > 3 and hc")
        page.wait_for_selector('[role="option"]:has-text("hcp")')
        page.wait_for_selector(".dk-panel")
        take_picture(page, f"explorer-editor-{width}-{theme}", full_page=True)
        assert all(name.strip() for name in list_names(page))


def list_names(page: Any) -> list[str]:
    """Return the names that a screen reader says of all controls."""
    return page.evaluate(
        "[...document.querySelectorAll('[class*=dk-live-] :is(input, select, textarea, button)')].map(each =>"
        " each.getAttribute('aria-label') || (each.labels && [...each.labels].map(l => l.textContent).join(' '))"
        " || each.textContent || '')"
    )


@needs_voila
def test_an_editor_completes_and_both_ways_agree(browser: Any) -> None:
    with open_page(browser, "-s", "7", viewport={"width": 1280, "height": 1000}) as page:
        open_task(page, click, "frequency")
        page.click("textarea")
        page.keyboard.press("Control+a")
        page.keyboard.type("balanced(so")
        page.wait_for_selector('[role="option"]:has-text("south")')
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.keyboard.type(") and 12 <= hcp(south)")
        page.wait_for_selector("summary:has-text('South: 12 or more points, balanced')")
        assert page.evaluate("document.querySelector('[data-fill=\"south.points.from\"]').value") == "12"
        page.click("summary:has-text('East')")
        fill(page, click, "east.hearts.to", "4")
        page.wait_for_function("document.querySelector('textarea').value.includes('hearts(east) <= 4')")
        page.click("summary:has-text('How often')")
        page.wait_for_selector(".dk-report:has-text('A deal is')")


@needs_voila
def test_stop_is_answered_at_once(browser: Any) -> None:
    with open_page(browser, "-s", "7", viewport={"width": 1280, "height": 1000}) as page:
        open_task(page, click, "contract")
        fill(page, click, "deals", "50000")
        page.click('[data-do="run"]')
        page.wait_for_selector(".dk-head:has-text('Computing')")
        time.sleep(2)
        page.click('[data-do="stop"]')
        assert page.inner_text('[data-do="stop"]') == "Stopping"
        page.wait_for_selector(".dk-head:has-text('stopped')", timeout=30_000)
        assert page.inner_text('[data-do="stop"]') == "Stop"


# Sends a request for information, which is answered, and code, through the socket of the page.
SOCKET = """async code => {
  const config = JSON.parse(document.getElementById("jupyter-config-data").textContent);
  const address = `ws://${location.host}${config.baseUrl}api/kernels/${config.kernelId}/channels`;
  const socket = new WebSocket(address), answers = [];
  await new Promise((done, failed) => { socket.onopen = done; socket.onerror = failed; });
  socket.onmessage = event => {
    try { answers.push(JSON.parse(event.data).header.msg_type); } catch { answers.push("binary"); }
  };
  const ask = (type, content) => socket.send(JSON.stringify({
    header: { msg_id: type, msg_type: type, session: "a", username: "", date: "2026-01-01", version: "5.3" },
    parent_header: {}, metadata: {}, content, buffers: [], channel: "shell" }));
  ask("kernel_info_request", {});
  ask("execute_request", { code, silent: false, store_history: false, user_expressions: {}, allow_stdin: false });
  await new Promise(done => setTimeout(done, 4000));
  return answers;
}"""


@needs_voila
def test_a_visitor_cannot_execute_code_or_read_files(browser: Any, tmp_path: Path) -> None:
    requests: list[str] = []
    with open_page(browser, "--untrusted", viewport={"width": 420, "height": 1000}) as page:
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        page.wait_for_selector("[class*=dk-live-] h2", timeout=90_000)
        keys = page.eval_on_selector_all(".dk-questions button", "all => all.map(each => each.dataset.value)")
        assert "frequency" in keys and not {"results", "script"} & {*keys}
        open_task(page, click, "frequency")
        assert "1.9976" in run(page, click)
        # Code that is sent to the kernel is not executed; the other answer shows that messages arrive.
        answers = page.evaluate(SOCKET, f"open({str(tmp_path / 'executed')!r}, 'w').close()")
        assert "kernel_info_reply" in answers and "execute_reply" not in answers
        assert not (tmp_path / "executed").exists()
        # Files of the machine
        for path in (
            "/etc/passwd",
            "voila/files/../../../etc/passwd",
            "voila/files/explorer.ipynb",
            "api/contents",
        ):
            fetch = (
                "async path => { const found = await fetch(path); return [found.status, await found.text()] }"
            )
            status, text = page.evaluate(fetch, path)
            assert status >= 400 or ("root:" not in text and '"content"' not in text), path
        origin = page.evaluate("location.origin")
    assert len(requests) > 5
    elsewhere = [url for url in requests if not url.startswith((origin, "data:", "blob:"))]
    assert not elsewhere  # nothing from another server


@needs_voila
def test_a_script_has_sliders_on_the_page(browser: Any, tmp_path: Path) -> None:
    script = tmp_path / "study.dealer"
    script.write_text("# param low = 15  # least points\nhcp(north) >= $low\naction average hcp(south)\n")
    with open_page(browser, str(script), "-s", "7", viewport={"width": 420, "height": 1200}) as page:
        page.wait_for_selector(".dk-slider:has-text('least points')", timeout=90_000)
        wait_for_head(page, "10,000 deals produced")
        page.locator(".dk-slider input").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.querySelector('.dk-slider output').innerText === '16'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 420
        take_picture(page, "explorer-page-narrow")
        # A mistake beyond the end of the line that is seen is scrolled to.
        long = "condition hcp(north) >= 15 and hcp(north) <= 17 and balanced(north) and hpc(south) >= 8"
        page.locator("textarea").first.fill(long)
        page.wait_for_selector(".dk-panel pre mark:has-text('hpc')")
        frame = page.locator(".dk-panel pre").first.bounding_box()
        place = page.locator(".dk-panel pre mark").first.bounding_box()
        assert frame["x"] <= place["x"] and place["x"] + place["width"] <= frame["x"] + frame["width"]
        take_picture(page, "explorer-mistake-narrow")


# ------------------------------------------------------------ JupyterLab
@needs_lab
@needs_voila
def test_visitors_need_the_token_and_a_closed_page_ends_its_kernel(browser: Any, tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    port = find_port()
    command = [sys.executable, "-m", "dealerkit", "explore", "--untrusted", "--address", "0.0.0.0"]
    terminal = tmp_path / "terminal.txt"
    with terminal.open("w") as file:
        server = subprocess.Popen([*command, "--port", str(port)], stdout=file, stderr=file)
    try:
        page = browser.new_page()
        for _ in range(60):
            with contextlib.suppress(Exception):
                page.goto(f"http://127.0.0.1:{port}/")
                break
            time.sleep(1)
        assert "/login?" in page.url
        token = terminal.read_text("utf-8").partition("?token=")[2].partition(";")[0]
        page.goto(f"http://127.0.0.1:{port}/?token={token}", timeout=90_000)
        page.wait_for_selector("text=How often?", timeout=90_000)
        assert page.locator("text=My results").count() == 0  # visitors have no files

        def count_kernels() -> int:
            n_kernels = 0
            for child in psutil.Process(server.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):  # a process that has just ended
                    n_kernels += "ipykernel_launcher" in child.cmdline()
            return n_kernels

        def wait_for_kernels(count: int) -> None:
            end = time.monotonic() + 60
            while count_kernels() != count:
                assert time.monotonic() < end, f"{count_kernels()} kernels, not {count}"
                time.sleep(0.5)

        wait_for_kernels(2)  # that of the page, and one for the next
        page.goto("about:blank")
        wait_for_kernels(1)
        page.close()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
    # The terminal shows two lines about the page and nothing else.
    text = terminal.read_text("utf-8")
    assert [line.partition(" ")[0] for line in text.splitlines()] == ["dealerkit:", "dealerkit:"], text


def test_sliders_editor_and_pages_in_jupyterlab(browser: Any, tmp_path: Path) -> None:
    cell = f"import dealerkit as dk\ndk.explore({MILLION!r}, seed=7, produce=20_000)"
    with open_explorer(browser, tmp_path, cell) as page:
        wait_for_head(page, "20,000 deals produced")
        page.click(".dk-marks button:has-text('12')")
        page.wait_for_selector(".dk-slider:has-text('north: points at least')")
        figures = "document.querySelector('[class*=dk-live-] .dk-report').innerText"
        before = page.evaluate(figures)
        page.locator(".dk-slider input").focus()
        began = time.perf_counter()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"before => {figures} !== before", arg=before, timeout=30_000, polling=10)
        print(f"from slider to figures: {time.perf_counter() - began:.2f} s")
        page.wait_for_function("document.querySelector('textarea').value.includes('>= 13')")
        take_picture(page, "explorer-points-light")

        page.click("[class*=dk-live-] summary:text-is('Deals')")
        page.wait_for_function("document.querySelectorAll('[class*=dk-live-] .dk-deal').length == 12")
        page.click("button:has-text('Next')")
        page.wait_for_selector("text=Deals 13 to 24 of")
        page.click("[class*=dk-live-] summary:has-text('How often')")
        page.wait_for_selector(".dk-report:has-text('A deal is produced if')")

        page.fill("[class*=dk-live-] textarea", "condition hpc(north) > 15 action average hcp(south)")
        page.wait_for_selector(".dk-panel:has-text('Remedy')", timeout=30_000)
        assert "^^^" in page.inner_text(".dk-panel") and "hcp(north) > 15" in page.inner_text(".dk-panel")
        assert page.locator("[class*=dk-live-] .dk-old").count() >= 1  # the old figures, in grey
        assert page.locator("[class*=dk-live-] .dk-tm").first.inner_text() == "hpc"
        take_picture(page, "explorer-panel-light")
        page.fill(
            "[class*=dk-live-] textarea", 'condition hcp(north) > 30 action average "<script>" hcp(south)'
        )
        page.wait_for_selector("[class*=dk-live-] .dk-error", state="detached", timeout=30_000)
        page.click("[class*=dk-live-] [data-do='run']")
        page.wait_for_selector("[class*=dk-live-] .dk-report:has-text('<script>')", timeout=60_000)
        assert page.locator(".jp-OutputArea-output:has-text('Traceback')").count() == 0


@needs_lab
def test_tricks_stream_in_beside_the_model_and_the_export_keeps_them(browser: Any, tmp_path: Path) -> None:
    cell = f"import dealerkit as dk\ndk.explore({TRICKS!r}, seed=7, produce=100_000, marked=[24])"
    with open_explorer(browser, tmp_path, cell) as page:
        page.wait_for_selector("[class*=dk-live-] .dk-tag:has-text('model estimate')", timeout=60_000)
        count = f"() => parseInt({HEAD}.replace(',', ''))"
        wait_for_head(page, "[0-9]+ of 100,000 deals solved")
        first = page.evaluate(count)
        page.wait_for_function(f"first => ({count})() > first", arg=first, timeout=60_000)
        take_picture(page, "explorer-tricks-light")
        page.set_viewport_size({"width": 540, "height": 1500})
        page.keyboard.press("Control+b")
        time.sleep(1)
        take_picture(page, "explorer-tricks-narrow")
        page.set_viewport_size({"width": 1300, "height": 1100})
        choose_theme(page, "Dark")
        time.sleep(1)
        take_picture(page, "explorer-tricks-dark")
        ground = "e => { let n = e; while (n && getComputedStyle(n).backgroundColor.endsWith(', 0)')) n = n.parentElement; return n.className }"
        assert "dk" not in page.locator("[class*=dk-live-] .dk-head").evaluate(ground).split()
        page.click("[class*=dk-live-] [data-do='stop']")
        wait_for_head(page, "stopped")
        n_solved = page.evaluate(count)
        page.click(
            ".jp-Toolbar button[data-command='docmanager:save'], [data-jp-item-name='save'] button, [data-jp-item-name='save'] jp-button"
        )
        for _ in range(40):
            time.sleep(0.5)
            if f"{n_solved:,} deals solved" in (tmp_path / "a.ipynb").read_text("utf-8"):
                break
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "a.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    exported = browser.new_page(viewport={"width": 1000, "height": 900})
    exported.goto(f"file://{tmp_path / 'a.html'}")
    exported.wait_for_selector(f"text={n_solved:,} deals solved")
    assert exported.locator("text=sliders need a running kernel").is_visible()
    assert exported.locator("text=4S makes").last.is_visible()
    take_picture(exported, "explorer-exported")

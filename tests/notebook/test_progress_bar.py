"""The progress bar in notebooks: none where a program executes them, and none is left where somebody watches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebook.jupyterlab import (
    needs_chromium,
    needs_lab,
    open_browser,
    open_lab,
    run_all_cells,
    write_notebook,
)

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (extra test)")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (extra test)")

CELLS = [
    "import sys; sys.modules['ipywidgets'] = None  # a kernel without it\nimport dealerkit as dk\n"
    "from dealerkit.runtime import progress; progress.DELAY = 0",
    "result = dk.run('hcp(north) >= 20', generate=10**7, produce=10**7, seed=1, keep=0, plan='plain')\nprint('end')",
]


@pytest.mark.slow
def test_executed_notebooks_have_no_bar_in_their_outputs(tmp_path):
    write_notebook(tmp_path / "run.ipynb", CELLS)
    notebook = nbformat.read(tmp_path / "run.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    assert [item["text"] for item in notebook.cells[1].outputs] == ["end\n"]


@pytest.mark.slow
@pytest.mark.browser
@needs_chromium
@needs_lab
def test_a_bar_in_jupyterlab_moves_and_is_gone_at_the_end(tmp_path: Path) -> None:
    write_notebook(tmp_path / "run.ipynb", CELLS)
    with open_browser() as browser, open_lab(browser, tmp_path / "run.ipynb") as page:
        run_all_cells(page)
        page.wait_for_selector(".jp-OutputArea-output progress", timeout=90_000)
        assert page.locator(".jp-OutputArea-output progress").count() == 1
        assert " left" in page.locator(".jp-OutputArea-output [role=status]").inner_text()
        page.wait_for_selector(".jp-OutputArea-output pre:has-text('end')", timeout=90_000)
        assert (
            page.locator(".jp-OutputArea-output progress, .jp-OutputArea-output [role=status]").count() == 0
        )
        page.keyboard.press("Control+s")
        page.wait_for_timeout(3000)
    saved = nbformat.read(tmp_path / "run.ipynb", as_version=4).cells[1].outputs
    assert all(not text for item in saved for text in item.get("data", {}).values())

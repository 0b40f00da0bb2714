"""The notebooks have the outputs of a fresh run, in a form that web sites can show."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_BYTES = 800_000
DISPLAY = re.compile(
    r"\.plot\(|\.round\(|\.style|\.sort_values|\.head\(|print\(|plot_series|Markdown|matplotlib|\bax\b"
)


def read_cells(path: Path, kind: str) -> list[dict]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == kind]


def test_there_are_fourteen_in_order() -> None:
    assert [path.stem[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(1, 15)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stored_without_traces_of_a_machine(path: Path) -> None:
    text, cells = path.read_text(encoding="utf-8"), read_cells(path, "code")
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not any(cell["metadata"] for cell in cells) and not any(
        output.get("metadata") for output in outputs
    )
    assert any("text/html" in output.get("data", {}) for output in outputs)
    assert not any({"image/png", "text/html"} <= set(output.get("data", {})) for output in outputs)
    assert "ipykernel_" not in text and "/home/" not in text and "/root/" not in text
    assert len(text.encode()) < MOST_BYTES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_answer_comes_first_and_little_code_is_about_display(path: Path) -> None:
    head = "".join(read_cells(path, "markdown")[0]["source"])
    assert re.match(r"# .+\n\n\*\*Question\.\*\* .+\?\n\n\*\*Answer\.\*\* ", head, re.DOTALL)
    lines = [line for cell in read_cells(path, "code") for line in "".join(cell["source"]).splitlines()]
    assert not any(".index(" in line or "matplotlib" in line for line in lines)
    code = [line for line in lines if line.strip()]
    assert sum(bool(DISPLAY.search(line)) for line in code) <= 0.2 * len(code) + 1


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_fresh_run_has_the_stored_outputs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat

    if path.stem == "14-many-machines":
        pytest.importorskip("distributed")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import execute_notebooks

    stored = execute_notebooks.list_texts(nbformat.read(path, 4))
    fresh = execute_notebooks.list_texts(execute_notebooks.execute(path))
    sys.modules.pop("execute_notebooks")
    for number, (before, now) in enumerate(zip(stored, fresh, strict=True)):
        assert before == now, f"the output of cell {number + 1} has changed; run tools/execute_notebooks.py"

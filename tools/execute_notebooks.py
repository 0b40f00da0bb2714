"""Execute the notebooks and store their outputs, so that readers see the results without running anything.

    python tools/execute_notebooks.py                   # all of them; some minutes
    python tools/execute_notebooks.py notebooks/01-*    # some of them

A picture is stored as PNG, in the light theme, since web sites that show notebooks do not show SVG; metadata
of the execution is removed. Nothing is written if a cell raises an error.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from dealerkit.runtime.files import write_atomically

FOLDER = Path(__file__).parents[1] / "notebooks"
MOST_SECONDS = 300  # of a cell, on a busy machine
DURATION = re.compile(
    r"\b(about )?\d[\d.,]*\s(ms|s|milliseconds|microseconds|seconds?|minutes?|hours?)\b|\b\d+:\d\d\b"
)
VERSION = re.compile(r"\bdealerkit \d[\w.+]*")
STYLE = re.compile("<style>.*?</style>", re.DOTALL)  # changes of it are no change of a result
RANDOM_NAME = re.compile(r"\bdk-?[0-9a-f]{6,}\b")
CELL_FILE = re.compile(r"\S*[/\\]ipykernel_\d+[/\\]\d+\.py:\d+: ")


def execute(path: Path) -> nbformat.NotebookNode:
    """Return a notebook with the outputs of a fresh kernel, without what belongs to this execution only.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell raises an error.
    """
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        cell.metadata.clear()
    folder = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook, timeout=MOST_SECONDS, resources=folder, record_timing=False,
        coalesce_streams=True,  # a print may arrive in parts
    )  # fmt: skip
    client.execute(env=os.environ | {"DEALERKIT_STORE": "off"})
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number + 1}"
        for output in cell.get("outputs", ()):
            clean_output(output)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def clean_output(output: nbformat.NotebookNode) -> None:
    """Keep one form of a picture, and no name of a file of the kernel."""
    if "data" in output:
        output.metadata = {}
        if "image/png" in output.data:
            output.data.pop("text/html", None)
            output.data.pop("image/svg+xml", None)
    elif output.output_type == "stream":
        output.text = CELL_FILE.sub("", output.text)


def list_texts(notebook: nbformat.NotebookNode) -> list[list[str]]:
    """Return the texts of the outputs of each cell, without times, versions, styles and random names."""
    texts = []
    for cell in notebook.cells:
        found = []
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            text = (
                output.get("text")
                or data.get("text/html")
                or data.get("text/markdown")
                or data.get("text/plain", "")
            )
            for pattern in (STYLE, DURATION, VERSION, RANDOM_NAME):
                text = pattern.sub("...", text)
            found.append(text)
        texts.append(found)
    return texts


def main() -> None:
    """Execute notebooks and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("notebooks", type=Path, nargs="*", default=sorted(FOLDER.glob("*.ipynb")))
    for path in parser.parse_args().notebooks:
        start = time.perf_counter()
        notebook = execute(path)
        with write_atomically(path) as beside:
            nbformat.write(notebook, beside)
        print(
            f"{path.name}: {time.perf_counter() - start:.0f} s, {path.stat().st_size / 1000:,.0f} kB",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Files that the explorer saves: a page, a notebook, a table, a picture, or the deals of a result."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any

from dealerkit.appearance.wording import format_csv
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, quote

MOST_DEALS, MOST_BOARDS = 10_000, 500  # most deals in a file, most boards on a sheet
FILES = {  # what can be saved: label, name of the file, media type
    "page": ("Page to share", "study.html", "text/html"),
    "notebook": ("Notebook", "study.ipynb", "application/x-ipynb+json"),
    "table": ("Table (CSV)", "table.csv", "text/csv"),
    "picture": ("Picture (SVG)", "plot.svg", "image/svg+xml"),
    "pbn": ("Deals as PBN", "deals.pbn", "application/x-pbn"),
    "lin": ("Deals as LIN", "deals.lin", "text/plain"),
    "sheet": ("Practice sheet", "sheet.html", "text/html"),
}


def find_deals(result: Any) -> Deals | None:
    """Return the deals of a result, or None if it has none."""
    deals = result if isinstance(result, Deals) else getattr(result, "deals", None)
    return deals if isinstance(deals, Deals) and len(deals) else None


def list_files(result: Any, python: str) -> list[str]:
    """Return the kinds of file, keys of `FILES`, that can be made of a result and of its Python cell."""
    found = ["page"] if hasattr(result, "to_html") else []
    found += ["notebook"] if python else []
    found += ["table"] if hasattr(result, "to_frame") and not isinstance(result, Deals) else []
    found += ["picture"] if _list_charts(result) else []
    return found + (["pbn", "lin", "sheet"] if find_deals(result) is not None else [])


def _list_charts(result: Any) -> list[Any]:
    if hasattr(result, "drawable"):  # the reports of a run that have a plot
        return list(result.drawable)
    return list(result.card().charts) if hasattr(result, "card") else []


def make_file(kind: str, result: Any, python: str) -> tuple[str, str, bytes]:
    """Make a file of a result.

    Parameters
    ----------
    kind : str
        A key of `FILES`.
    result : object
        What the call or the run returned.
    python : str
        The cell that computes the result.

    Returns
    -------
    name, media_type : str
    content : bytes
        Deals are written up to `MOST_DEALS`, sheets up to `MOST_BOARDS`.

    Raises
    ------
    ArgumentError
        The result has nothing of this kind.
    """
    if kind not in list_files(result, python):
        what = FILES[kind][0] if kind in FILES else kind
        raise ArgumentError(
            f"{quote(what, 40)} cannot be saved now; get an answer first, or save something else"
        )
    _, name, content_type = FILES[kind]
    deals = find_deals(result)
    if kind == "page":
        text = result.to_html()
    elif kind == "notebook":
        text = write_notebook(python)
    elif kind == "table":
        text = format_csv(result.to_frame())
    elif kind == "picture":
        text = _draw(result)
    elif kind == "sheet":
        assert deals is not None
        text = deals[:MOST_BOARDS].page().html
    else:
        assert deals is not None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            deals[:MOST_DEALS].write(path)
            return name, content_type, path.read_bytes()
    return name, content_type, text.encode()


def write_notebook(python: str) -> str:
    """Return the JSON text of a notebook with one cell.

    >>> json.loads(write_notebook("1 + 1"))["cells"][0]["source"]
    '1 + 1'
    """
    cell: dict[str, Any] = {
        "cell_type": "code", "id": "call", "execution_count": None, "metadata": {}, "outputs": [],
        "source": python.rstrip(),
    }  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _draw(result: Any) -> str:
    """Return the plot of a result as SVG."""
    import matplotlib.pyplot as plt
    import numpy as np

    file = io.StringIO()
    with plt.style.context("default"):
        figure = np.ravel(result.plot())[0].figure
        try:
            figure.savefig(file, format="svg", metadata={"Date": None})
        finally:
            plt.close(figure)
    return file.getvalue()

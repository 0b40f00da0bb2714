"""The functions of the language as a table for reading in a notebook and for searching."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dealerkit import registry
from dealerkit.appearance.card import Card
from dealerkit.appearance.table import Column, Table
from dealerkit.language.function_search import search_functions
from dealerkit.registry import Function


class FunctionsTable(pd.DataFrame):  # type: ignore[misc]
    """The functions of the language, one per row; a notebook shows it as a table that is easy to read.

    `search` returns the functions about some words. Results computed from the table are plain DataFrames.

    >>> build_functions_table().search("losing tricks").index[0]
    'losers'
    """

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def search(self, words: str) -> FunctionsTable:
        """Return the functions about a name or words of a description, the best match first.

        Parameters
        ----------
        words : str
            For example "losing tricks" or "stopper".

        Returns
        -------
        FunctionsTable
            Without rows if nothing matches.
        """
        found = [each.name for each in search_functions(list(registry.functions()), words)]
        return FunctionsTable(self.loc[[name for name in found if name in self.index]])

    def card(self) -> Card:
        """Return what a notebook shows of the table, as data."""
        columns = [
            Column("function", kind="name"),
            Column("summary", "meaning", "sentence"),
            Column("unit", kind="text", optional=1),
            Column("source", kind="sentence", optional=2),
        ]
        rows = [
            [row.signature, f"{row.summary[:1].upper()}{row.summary[1:]}", row.unit, row.source]
            for row in self.itertuples()
        ]
        order = ("function", "unit", "summary")
        return Card("Functions of the language", tables=[Table(columns, rows, text_order=order)])

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment

        card = self.card()
        return render_fragment(f'<div class="dk-report">{card.to_html()}</div>', card.to_text())


def build_functions_table() -> FunctionsTable:
    """Return the functions of the language as a table.

    Returns
    -------
    FunctionsTable
        A DataFrame with the index `name` and the columns signature, unit, low, high, summary, source,
        aliases, outputs and computed (False if dealerkit knows the function but does not compute it).
    """
    import dealerkit.language.parser  # noqa: F401  (it registers the functions)

    rows = [_list_facts(function) for function in registry.functions()]
    return FunctionsTable(pd.DataFrame(rows).set_index("name"))


def _list_facts(function: Function) -> dict[str, Any]:
    """Return the row of a function, by the names of the columns."""
    attributes = ("name", "signature", "unit", "low", "high", "summary", "source")
    return {
        **{name: getattr(function, name) for name in attributes},
        "aliases": ", ".join(function.aliases),
        "outputs": ", ".join(function.outputs),
        "computed": function.body is not None or function.kind in ("special", "item"),
    }

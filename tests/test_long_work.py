"""Public functions that may take over a second are marked: they show that they work, and an interrupt is one sentence."""

from __future__ import annotations

import inspect

import pytest

import dealerkit as dk
from dealerkit.runtime.progress import is_long_work

# The functions that are not marked, all done in less than a second whatever they are given, and the two that answer
# interrupts themselves.
SHORT = {
    "break_even", "break_even_table", "breaks", "difference", "explore", "function", "imps", "load_ipython_extension", "matchpoints",
    "parse", "parse_system", "plot_series", "proportion", "score", "solved_sample", "strategy", "stream_results", "system", "use_executor", "use_solved",
    "victory_points",
}  # fmt: skip
SHORT_METHODS = {
    dk.Deals: {
        "check", "concatenate", "equals", "from_cards", "from_deals", "from_lines", "from_pbn", "hand", "number_boards",
        "replace", "rotate", "to_cards", "to_lines", "to_pbn",
    },
    dk.Library: {
        "batch", "batches", "clusters", "complete", "count_read", "from_block", "mark_accepted", "sample", "score_table",
        "weights",
    },
    dk.PartialDeals: {"concatenate", "count", "count_completions", "index", "write"},
    dk.System: {"describe", "find_choices", "format_call", "format_title", "is_forcing", "list_contexts", "notes"},
    dk.SuitPlay: {"best", "card", "plot", "to_dict", "to_frame", "to_html", "to_latex", "to_text"},
    dk.TournamentResults: {
        "card", "format_call", "frequencies", "list_contracts", "matches", "parts", "plot", "ranking", "recap", "swings", "to_dict", "to_frame", "to_html",
        "to_latex", "to_text", "traveller",
    },
}  # fmt: skip


def list_functions() -> list[str]:
    return [name for name in dk.__all__ if inspect.isfunction(inspect.unwrap(getattr(dk, name)))]


def test_each_public_function_is_marked_or_short():
    marked = {name for name in list_functions() if is_long_work(getattr(dk, name))}
    assert marked >= {"run", "estimate", "contracts", "lead", "compare", "probability", "dd_table"}
    assert set(list_functions()) - marked == SHORT


@pytest.mark.parametrize("owner", SHORT_METHODS)
def test_each_method_that_works_on_many_deals_is_marked_or_short(owner):
    methods = {name for name, method in inspect.getmembers(owner) if name[0] != "_" and callable(method)}
    marked = {name for name in methods if is_long_work(getattr(owner, name))}
    assert methods - marked == SHORT_METHODS[owner]

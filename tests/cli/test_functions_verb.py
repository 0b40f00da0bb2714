"""`dealerkit functions`: all functions, or those about a word."""

from __future__ import annotations

import pytest


def find_names(command, *words: str) -> list[str]:
    """Return the names of the functions and actions that the command lists."""
    done = command("functions", *words)
    assert done.returncode == 0
    lines = [line for line in done.stdout.splitlines() if line.startswith("  ") and line[2] != " "]
    return [line.strip().partition("(")[0].split()[0] for line in lines]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("hcp", "hcp"),
        ("losing tricks", "losers"),
        ("losers", "losers"),
        ("stopper", "hascard"),
        ("Kaplan", "kaplan"),
        ("four c", "cccc"),
        ("balanced", "balanced"),
        ("double dummy", "dds"),
        ("printpbn", "printpbn"),
        ("zar", "zar"),
        ("Rubens", "cccc"),
        ("random", "rnd"),
    ],
)
def test_the_best_match_comes_first(command, words: str, first: str) -> None:
    assert find_names(command, *words.split())[0] == first


def test_without_a_word_all_are_listed(command) -> None:
    names = find_names(command)
    assert {"hcp", "shape", "rnd", "printall", "average"} <= set(names)
    assert command("functions").stdout == command("explain", "--functions").stdout


def test_names_like_an_unknown_word(command) -> None:
    done = command("functions", "hpc")
    assert done.returncode == 1
    assert "No function or action is about 'hpc'." in done.stdout
    assert "hcp" in done.stdout
    assert "Similar names" not in command("functions", "qqqqq").stdout
    assert command("functions", "qqqqq").returncode == 1
    assert "1 if no function or action is about the word" in command("functions", "--help").stdout


def test_functions_of_a_dialect(command) -> None:
    assert "ltc" in find_names(command, "losing", "--dialect", "v2")
    assert "ltc" not in find_names(command, "losing", "--dialect", "v1")

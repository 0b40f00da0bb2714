"""The page of questions as auctions: its table of characters, and what the typed conditions leave out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import dealerkit as dk

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "auction-questions.md"
SECTIONS = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def read_question(section: str) -> tuple[str, dict[str, str], str]:
    """Return the words of the auction, their values, and the typed condition in one line."""
    command = re.search(r"^\$ ((?:.*\\\n)*.*)", section, re.MULTILINE)[1].replace("\\\n", "")
    words = re.search(r"--auction ('[^']+'|\S+) --dealer \w+", command)[0]
    parsed = shlex.split(words)
    typed = re.search(r"^```dealer\n(.*?)\n```", section, re.MULTILINE | re.DOTALL)[1]
    return words, {"calls": parsed[1], "dealer": parsed[3]}, " ".join(typed.split())


QUESTIONS = [read_question(section) for section in SECTIONS[:-1]]


def test_the_table_counts_the_characters():
    assert len(QUESTIONS) == 16
    rows = re.findall(r"^\| (\S+) \| (\d+) \| (\d+) \|$", SECTIONS[-1], re.MULTILINE)
    counts = [(len(words), len(typed)) for words, _, typed in QUESTIONS]
    counts.append((sum(a for a, _ in counts), sum(b for _, b in counts)))
    assert [(int(a), int(b)) for _, a, b in rows] == counts


@pytest.mark.parametrize(("auction", "typed"), [pytest.param(a, t, id=a["calls"]) for _, a, t in QUESTIONS])
def test_typed_conditions_say_no_more_than_the_auction(auction, typed):
    deals = dk.deal(400, given=dk.auction(**auction), seed=1)
    assert len(deals.where(typed)) == 400

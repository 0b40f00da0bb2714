"""Notations of other programs and of plain English: each message has the reason and a remedy that can be read.

newcomer-mistakes.csv has the dialect, the script, the place and reason of the message, and the text after "write".
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import ScriptError
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.parser import parse_script
from dealerkit.language.source import ScriptSource
from dealerkit.language.tokenizer import tokenize

TABLE = Path(__file__).parents[1] / "data" / "newcomer-mistakes.csv"
with TABLE.open(encoding="utf-8", newline="") as stream:
    MISTAKES = [tuple(row.values()) for row in csv.DictReader(stream)]
# Words and numbers that a remedy writes in another way or leaves out on purpose.
CHANGED = {
    "rnd(0, 100) < 50": "0", "random() < 0.5": "0.5", "hcp(1) >= 12": "1", "hcp(north) ** 2 > 12": "2",
    "hcp(north) ^ 2 > 12": "2", "tricks(north, 4S) >= 10": "4 4S", "dds(NS, 3NT) >= 9": "3",
    "hascard(north, spades, A)": "spades", "hascard(north, Ace of spades)": "spades",
    "hascard(north, ace, spades)": "ace spades", "action printoneline(north)": "north",
    "generate 1e6": "1 6", "generate 1 million hands": "1", "produce 10k": "10",
    "generate 1_000_000": "1 000 1_000_000", "hcp(north) in [12,13,14]": "", "score(vul, 4 spades, 10) > 400": "4 spades",
    "fit(north, south, spades) >= 8": "north south", "fit(north) >= 8": "north", "S > 12": "S", "S >= 5": "5",
    "predeal north spades AKQ": "spades", "predeal south A of spades": "spades", "score(vul, 4S, 10)": "4S", "hcp(dealer) >= 12": "dealer", "hcp(opener) > 11": "opener",
}  # fmt: skip
_COMPARISONS = re.compile(r"[<>]\s*[<>]|[<>=!]\s*={1,2}|[<>]")


def find_error(script: str, dialect: str) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        check_script(parse_script(script, DIALECTS[dialect]))
    return caught.value


def list_words(text: str, dialect: str) -> list[str]:
    """Return the seats, suits, functions, cards and definitions among the words of a text."""
    tokens, _ = tokenize(ScriptSource(re.sub("[^A-Za-z0-9_\n]", " ", text), DIALECTS[dialect]), ())
    return [token.text for token in tokens if token.type in ("SEAT", "SUIT", "FUNCTION", "CARD")]


def test_there_are_more_than_ninety_four() -> None:
    assert len({mistake[:2] for mistake in MISTAKES}) == len(MISTAKES) > 94


@pytest.mark.parametrize(("dialect", "script", "line", "column", "reason", "remedy"), MISTAKES)
def test_each_has_its_place_reason_and_remedy(
    dialect: str, script: str, line: str, column: str, reason: str, remedy: str
) -> None:
    error = find_error(script, dialect)
    assert (error.line, error.column) == (int(line), int(column))
    assert error.message == (f"{reason}; write `{remedy}`" if remedy else reason)
    assert (error.reason, "" if error.remedy is None else error.remedy.text) == (reason, remedy)


@pytest.mark.parametrize(
    ("dialect", "script", "remedy"),
    [(mistake[0], mistake[1], mistake[5]) for mistake in MISTAKES if mistake[5]],
)
def test_each_remedy_can_be_read_and_loses_nothing(dialect: str, script: str, remedy: str) -> None:
    # The names of the collection are not defined in it.
    known = re.sub(r"\b(?:a|x)\b(?=\s*[+?])", "1", remedy)
    check_script(parse_script(known, DIALECTS[dialect]))
    if remedy.startswith("//"):
        assert set(re.findall(r"\w+", script)) - {"REM"} <= set(re.findall(r"\w+", remedy))
        return
    changed = set(CHANGED.get(script, "").split())
    numbers = set(re.findall(r"(?<![\w.])\d+(?![\dxA-Z.])", re.sub(r"&#?\w+;", "", script)))
    if "shape" not in remedy:  # there 5-3-3-2 becomes 5332
        assert numbers - changed <= set(re.findall(r"\d+", remedy))
        compares_nothing = re.match(r"weak ==|dealer|predeal", script) or re.search("true|false", script)
        assert compares_nothing or len(_COMPARISONS.findall(script)) <= len(_COMPARISONS.findall(remedy))
    assert set(list_words(script, dialect)) - changed <= set(list_words(remedy, dialect))


@pytest.mark.parametrize(
    ("script", "remedy"),
    [
        ("(hcp(north) or hcp(south)) >= 20", "hcp(north) >= 20 or hcp(south) >= 20"),
        ("15 < (hcp(north) and hcp(south))", "15 < hcp(north) and 15 < hcp(south)"),
        ("not (hcp(north) and hcp(south)) > 10", "not (hcp(north) > 10 and hcp(south) > 10)"),
        ("hcp(north) >= 15 <= 17", "hcp(north) >= 15 and hcp(north) <= 17"),
        ("hascard(north, AS) == 2", ""),
    ],
)
def test_no_remedy_of_check_drops_a_comparison(script: str, remedy: str) -> None:
    remedies = [finding.remedy for finding in dk.check(script) if "0 or 1" in finding.message]
    assert remedies == [remedy]
    assert not remedy or dk.check(remedy) == []


@pytest.mark.parametrize("word", ["hands", "at", "least", "equals", "cards", "accept", "round", "import"])
def test_nothing_is_suggested_for_an_ordinary_word(word: str) -> None:
    assert find_error(f"hcp(north) > {word}", "modern").message == f"unknown variable '{word}'"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_a_file_may_be_saved_as_unicode(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "study.dealer"
    path.write_bytes("hcp(north) > 12 // caf\u00e9".encode(encoding))
    assert dk.parse(path) == dk.parse("hcp(north) > 12")

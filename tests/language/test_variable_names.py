"""Words of the language as variables in modern scripts."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import dealerkit as dk
from dealerkit import ScriptError
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import MODERN, V1, V2
from dealerkit.language.nodes import Call, Condition, Definition, Name, Setting
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text

WORDS = (
    "opener", "deal", "par", "title", "both", "seed", "startboard", "dds", "ltc", "zar", "opc", "trix", "parcontract",
    "printside", "export", "bktfreq", "csvrpt", "printrpt", "printns", "level",
)  # fmt: skip
OWN = (
    "hcp",
    "losers",
    "average",
    "frequency",
    "print",
    "printall",
    "all",
    "none",
    "ns",
    "nv",
    "vul",
    "S",
    "H",
)


@pytest.mark.parametrize("word", [*WORDS, *OWN])
def test_a_word_is_a_variable_where_it_is_defined(word: str) -> None:
    text = f"{word} = spades(north) > 3\ncondition {word} and not {word}\nproduce 5\naction average {word}"
    program = check_script(parse_script(text, MODERN))
    assert list(program.definitions) == [word]
    assert program.condition.operands[0] == Name(word)
    assert program.produce == 5
    assert program.actions[0].arguments == (Name(word),)
    assert parse_script(to_text(program.script), MODERN) == program.script
    with pytest.warns(dk.UnsatisfiableWarning):
        assert dk.run(text, generate=10, seed=1).produced == 0


@pytest.mark.skipif(shutil.which("dealer", path="/usr/games") is None, reason="dealer is not installed")
@pytest.mark.parametrize("word", WORDS)
def test_dealer_takes_these_words_too(word: str) -> None:
    text = f"{word} = spades(north) > 3\ncondition {word}\nproduce 1\naction printoneline"
    done = subprocess.run(["/usr/games/dealer", "-s", "1"], input=text, capture_output=True, encoding="utf-8")
    assert "syntax error" not in done.stdout + done.stderr


@pytest.mark.parametrize("text", ["north = 1", "spades = 1", "and = 1", "shape = 1", "produce = 1", "AS = 1"])
def test_other_words_keep_their_meaning(text: str) -> None:
    with pytest.raises(ScriptError):
        parse_script(text, MODERN)


@pytest.mark.parametrize("rules", [V1, V2])
@pytest.mark.parametrize("text", ["hcp = 1", "average = 1", "ns = 1"])
def test_the_other_dialects_keep_their_keywords(rules, text: str) -> None:
    with pytest.raises(ScriptError):
        parse_script(text, rules)


def test_functions_keep_their_meaning_before_a_parenthesis() -> None:
    script = parse_script("losers = losers(north)\ncondition losers < 7 and losers(south) < 8", MODERN)
    first, second = script.statements[1].value.operands
    assert first.operands[0] == Name("losers")
    assert isinstance(second.operands[0], Call)


def test_settings_keep_their_meaning_before_their_value() -> None:
    script = parse_script(
        'opener = 1\nopener west\nseed = 3\nseed 4\ntitle = 2\ntitle "x"\nopener + seed', MODERN
    )
    kinds = [type(statement) for statement in script.statements]
    assert kinds == [Definition, Setting, Definition, Setting, Definition, Setting, Condition]


def test_actions_keep_their_meaning_in_an_action_list() -> None:
    text = 'average = hcp(north)\naverage > 3\naction average average, average "b" 2 * average, printall'
    program = check_script(parse_script(text, MODERN))
    assert [action.name for action in program.actions] == ["average", "average", "printall"]
    assert program.condition.operands[0] == Name("average")


def test_a_word_has_its_own_meaning_before_its_definition() -> None:
    script = parse_script("vulnerable both\nopener south\nboth = 1\nopener = 2\nboth and opener", MODERN)
    assert [type(statement) for statement in script.statements[:2]] == [Setting, Setting]

"""Typical mistakes: each has a message with its place and its remedy, and the remedy is right.

typical_mistakes.jsonl has a mistake in each line: the script, line, column and message, the wrong text and what
to write instead. The last two are empty where the author has to decide what is meant.
"""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import ScriptError
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.parser import parse_script

TABLE = Path(__file__).with_name("typical_mistakes.jsonl")
MISTAKES = [tuple(json.loads(line).values()) for line in TABLE.read_text(encoding="utf-8").splitlines()]


def find_messages(script: str) -> list[tuple[int, int, str]]:
    """Return line, column and text of the errors of a script, or of the warnings of its run."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            dk.run(script, generate=1, produce=1, seed=1)
        except ScriptError as error:
            return [(part.line, part.column, part.message) for part in error.errors]
    messages = [str(warning.message) for warning in caught if warning.category is dk.MistakeWarning]
    matches = [re.fullmatch(r"line (\d+), column (\d+): (.*)", message) for message in messages]
    return [(int(match[1]), int(match[2]), match[3]) for match in matches if match]


def test_there_are_ninety() -> None:
    scripts = [mistake[0] for mistake in MISTAKES]
    assert len(set(scripts)) == len(scripts) >= 90


@pytest.mark.parametrize(
    ("script", "line", "column", "message", "wrong", "instead"),
    MISTAKES,
    ids=[mistake[0] for mistake in MISTAKES],
)
def test_typical_mistakes(
    script: str, line: int, column: int, message: str, wrong: str, instead: str
) -> None:
    assert find_messages(script) == [(line, column, message)]
    assert [(finding.line, finding.column) for finding in dk.check(script)] == [(line, column)]
    if wrong:
        assert wrong in script
        assert find_messages(script.replace(wrong, instead, 1)) == []
        before, remedy = (text.strip(" ),\"'\u201c\u201d") for text in (wrong, instead))
        assert remedy in message or remedy == before or "comment" in message


def test_an_include_without_its_sign(tmp_path) -> None:
    (tmp_path / "x").write_text("strong = hcp(north) > 20\n")
    path = tmp_path / "study.dealer"
    message = 'a file is included with #include at the beginning of a line; write `#include "x"`'
    for text in ('include "x"\ncondition strong', 'Include "x"\ncondition strong'):
        path.write_text(text)
        with pytest.raises(ScriptError) as caught:
            dk.run(path, produce=1, seed=1)
        assert [(error.line, error.message) for error in caught.value.errors][0] == (1, message)
    path.write_text(message.partition("`")[2].rstrip("`") + "\ncondition strong")
    assert min(dk.run(path, produce=5, seed=1).deals.eval("hcp(north)")) > 20


def find_errors(text: str, dialect: str = "modern") -> list[tuple[int, int, str]]:
    with pytest.raises(ScriptError) as caught:
        check_script(parse_script(text, DIALECTS[dialect]))
    return [(error.line, error.column, error.message) for error in caught.value.errors]


SEVERAL = """weak = hcp(nrth) > 5
strong = hpc(south) > 12
other = weak and strong
third = hcp(east) = 10
produce ten
fourth = hcp(north) & 3
fifth = spades(north) > hearts
condition other and fourth and third
action average (hcp(north), printall
"""


def test_several_mistakes_are_reported_at_once() -> None:
    errors = find_errors(SEVERAL)
    assert [error[0] for error in errors] == [1, 2, 4, 5, 6, 7, 9]
    assert "'north'" in errors[0][2] and "'hcp'" in errors[1][2] and "and" in errors[4][2]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_first_of_several_is_that_of_the_script_up_to_it(dialect: str) -> None:
    first = find_errors(SEVERAL, dialect)[0]
    assert first == find_errors(SEVERAL.split("\n")[0], dialect)[0]


def test_consequences_are_not_reported() -> None:
    text = "a = hcp(north) > b\nc = a and b\nd = c\ncondition d and e\naction average z, average c"
    assert [error[:2] for error in find_errors(text)] == [(1, 18), (5, 16)]
    assert len(find_errors("a = (1 + 2\nb = a\ncondition b and c")) == 1
    assert len(find_errors("a = 1\nproduce x\ncondition a == 2")) == 1


def test_at_most_ten_are_reported() -> None:
    for line in ("v{} = hcp(nrth)\n", "v{} = unknown{}\n", "v{} = 3 & 4\n", "v{} = )\n"):
        errors = find_errors("".join(line.format(k, k) for k in range(30)))
        assert [error[0] for error in errors] == list(range(1, 11))


def test_the_command_prints_each_with_its_caret(capsys, tmp_path) -> None:
    from dealerkit.cli import main

    path = tmp_path / "study.dealer"
    path.write_text(SEVERAL)
    assert main(["run", str(path)]) == 2
    output = capsys.readouterr().err.splitlines()
    assert len(output) == 3 * 7
    assert output[3].startswith(f"{path}:2:10: unknown function")
    assert output[4:6] == ["  strong = hpc(south) > 12", "           ^"]


def test_an_empty_digit_of_v2_is_named() -> None:
    (message,) = [error[2] for error in find_errors("hcp($0) > 5", "v2")]
    assert "$0 has no value" in message and "--param 0=" in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = hcp(north) > 12 +\nother = 3", (1, 21, "an expression is missing after '+'; the next line begins the "
         "definition of 'other'; complete this line or delete the '+'")),
        ("x = hcp(north) > 12 or\ncondition x", (1, 21, "an expression is missing after 'or'; the next line begins "
         "`condition`; complete this line or delete the 'or'")),
        ("x = (hcp(north) > 12\ny = 3", (1, 5, "this '(' is never closed; write ')' where it ends")),
        ("hcp(north) = 12+", (1, 16, "'12+' is not a number; 12 or more is written >=; write `hcp(north) >= 12`")),
    ],
)  # fmt: skip
def test_ends_of_lines(text: str, expected: tuple[int, int, str]) -> None:
    assert find_errors(text)[0] == expected


SHARE = "a share is a number above 0, not a percentage or calculation, as in share 2 or share 0.5"


@pytest.mark.parametrize(
    ("rest", "column", "message"),
    [
        ("share -1, 'b' z", 26, SHARE),
        ("share 1/2, 'b' z", 26, SHARE),
        ("share two, 'b' z", 26, SHARE),
        ("share 'two', 'b' z", 26, SHARE),
        ("'b' z", 26, "hand types are separated by commas; write `level 'a' hcp(north) > 12, 'b' z`"),
    ],
)
def test_hand_types(rest: str, column: int, message: str) -> None:
    text = 'z = hcp(south) > 3\nlevel "a" hcp(north) > 12 ' + rest.replace("'", '"')
    line, at, found = find_errors(text)[0]
    assert (line, at, found.replace('"', "'")) == (2, column + 1, message)


@pytest.mark.parametrize("sign", [":", " =", ","])
def test_signs_after_the_name_of_a_hand_type(sign: str) -> None:
    mark = sign.strip()
    remedy = 'level "a" hcp(north) > 12'
    message = f"the expression follows the name of the hand type without a sign; write `{remedy}`"
    assert find_errors(f'level "a"{sign} hcp(north) > 12')[0] == (1, 10 + sign.index(mark), message)


def test_share_may_be_a_variable_beside_level() -> None:
    text = 'share = hcp(north)\nlevel "a" share > 12 share 2, "b" share < 3'
    assert dk.run(text, produce=3, seed=1).types.deals.tolist() == [2, 1]


def test_a_range_after_at_least() -> None:
    message = "`12 - 14` is the number -2, not a range; probably meant: hcp(north) >= 12 and hcp(north) <= 14"
    assert (1, 1, message) in find_messages("hcp(north) >= 12-14")


def test_in_is_no_operator() -> None:
    assert "a range needs two comparisons" in find_messages("hcp(north) in 12..14")[0][2]


def test_shapes_are_joined_with_plus() -> None:
    expected = (
        1,
        19,
        "shapes are joined with +, each of four lengths without signs; write `shape(north, 4333 + 4432)`",
    )
    assert find_messages("shape(north, 4333 or 4432)") == [expected]
    assert find_messages("shape(north, 4333 + 4432)") == []

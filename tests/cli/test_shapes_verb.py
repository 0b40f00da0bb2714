"""`dealerkit shapes`: the hand shapes that a notation denotes."""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest

from dealerkit import ScriptError
from dealerkit.cli import FAILED, main
from dealerkit.cli.language import describe_shapes, read_shapes
from dealerkit.language.brace_shapes import parse_brace_shapes
from dealerkit.language.shapes import PATTERNS, parse_pattern
from tests.support.platforms import needs_terminal

COMMAND = (sys.executable, "-m", "dealerkit", "shapes")
ALL_HANDS = comb(52, 13)


def read_lines(text: str) -> list[str]:
    """Return the lines that the verb prints of a shape."""
    return describe_shapes([text]).to_text(80).splitlines()


def hands(text: str) -> int:
    """Return the number of hands that the command prints."""
    return int(next(line for line in read_lines(text) if " hands: " in line).split()[0].replace(",", ""))


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        # The Official Encyclopedia of Bridge, mathematical tables: probability of hand patterns.
        ("(4432)", "21.551"), ("any 4333", "10.536"), ("(5332)", "15.517"), ("(4441)", "2.9932"),
        ("(7321)", "1.8808"), ("any 5530", "0.89520"),
    ],
)  # fmt: skip
def test_known_probabilities(text: str, percent: str) -> None:
    assert f"{percent} %" in "\n".join(read_lines(text))


def test_hands_are_exact() -> None:
    assert hands("(xxxx)") == ALL_HANDS == 635_013_559_600
    assert hands("4432") == comb(13, 4) ** 2 * comb(13, 3) * comb(13, 2)
    (line,) = (line for line in read_lines("x000") if " hands: " in line)
    assert line == "1 of 635,013,559,600 hands: 1 in 635,013,559,600"
    assert Fraction(hands("5M(xxx)") + hands("xxxx - 5M(xxx)"), ALL_HANDS) == 1


def test_the_whole_text() -> None:
    assert read_lines("(4432) + 5332") == [
        "13 of 560 patterns",
        f"{hands('(4432)') + hands('5332'):,} of 635,013,559,600 hands: 22.844 %, 1 in 4.377",
        "shape(north, any 4432 + 5332)",
        "patterns: any 4432, 5332",
    ]


def test_each_pattern_is_listed_once() -> None:
    for text in ("5+M(xxx):s>h", "9+xxx", "(6+xxx) - 6xxx"):
        lines = read_lines(text)
        start = next(k for k, line in enumerate(lines) if line.startswith("patterns:"))
        words = " ".join(lines[start:]).removeprefix("patterns:").split(",")
        patterns = []
        for word in words:
            *any_order, name = word.split()
            lengths = tuple(map(int, name.split("-") if "-" in name else name))
            patterns += [p for p in PATTERNS if sorted(p) == sorted(lengths)] if any_order else [lengths]
        shapes = parse_brace_shapes(text)
        assert sorted(patterns) == [p for k, p in enumerate(PATTERNS) if shapes >> k & 1]
        assert max(map(len, lines)) <= 80


def test_both_notations() -> None:
    assert read_shapes("any 4333 + 5xxx") == parse_pattern("4333", True) | parse_pattern("5xxx")
    assert read_shapes("4432, any 4333 - 4333 3442").bit_count() == 5
    assert read_shapes("- 5xxx").bit_count() == 560 - 45
    assert read_shapes("5p(431)", "french") == read_shapes("5s(431)")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("any 4333 + any 5331", 16, "12 cards"),
        ("5Q(xxx)", 2, "not a suit letter"),
        ("5M(xxx):s>", 11, "condition"),
    ],
)
def test_errors_name_the_place_of_a_mistake(text: str, column: int, message: str) -> None:
    with pytest.raises(ScriptError, match=message) as caught:
        read_shapes(text)
    assert (caught.value.column, caught.value.source) == (column, text)


def test_shapes_as_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shapes", "5p(431)", "--language", "french"]) == 0
    assert "shape(north, " in capsys.readouterr().out
    assert main(["shapes", "5p(431)"]) == 2
    assert "'p' is not a suit letter" in capsys.readouterr().err
    assert main(["shapes", "--language", "klingon", "4432"]) == 2
    assert "english, french" in capsys.readouterr().err


def test_lines_of_standard_input(command: Callable) -> None:
    done = command("shapes", text="4432\n\n5331\n(4441)\nq\n4333\n")
    assert done.returncode == 0
    texts = done.stdout.strip().split("\n\n")
    assert [text.split("\n")[0] for text in texts] == [
        "1 of 560 patterns", "shape:1:1: shape 5331 has 12 cards, not 13", "4 of 560 patterns",
    ]  # fmt: skip
    assert texts[1].split("\n")[1:] == ["  5331", "  ^"]
    assert done.stderr == ""


@needs_terminal
def test_on_a_terminal_it_prompts_and_ends_with_the_input() -> None:
    process, terminal = os.forkpty()
    if process == 0:
        os.execv(COMMAND[0], COMMAND)
    shown = ""
    for typed in ("5M(xxx\n", "4432\n", "\x04"):
        shown += read_until(terminal, "shape> ")
        os.write(terminal, typed.encode())
    shown += read_until(terminal, "")
    assert os.waitpid(process, 0)[1] == 0
    assert shown.count("shape> ") == 3
    assert re.search(r"never closed\r\n  5M\(xxx\r\n    \^\r\n", shown)
    assert "1 of 560 patterns" in shown


def read_until(terminal: int, end: str) -> str:
    """Return the output of a program up to its prompt, or up to its end."""
    text = ""
    while not end or not text.endswith(end):
        if not select.select([terminal], [], [], 60)[0]:
            raise TimeoutError(f"only {text!r}")
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            chunk = b""
        if not chunk:
            return text
        text += chunk.decode()
    return text


def test_an_empty_shape_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shapes", ""]) == FAILED
    assert "a shape is missing" in capsys.readouterr().err

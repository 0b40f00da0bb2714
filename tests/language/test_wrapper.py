"""Files for BBOalert: the dealer text in them, mistakes with the places of the file, and what is no script."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import CompatibilityWarning, ScriptError

WRAPPER = "Script,Demo\nsetDealerCode(`\n{}\n`, {})\nScript\n"


def fail(text: str, dialect: str = "modern") -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        dk.parse(text, dialect)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "setDealerCode(`X`)",
        'setDealerCode ( `X` , "S" , true ) ;',
        "setDealerCode(`\n\nX\n\n`\n,'S'\n,false\n);\n",
        'setDealerCode("X", "S", true)',
        "setDealerCode('X', 'S', true)",
        '// setDealerCode(`no`)\n/* setDealerCode(`no`) */\nsetDealerCode(`X`, "S", true,)',
        'function setDealerCode(code, seats) {}\nsetDealerCode(`X`, "S", true)',
        'var a = "it\'s"; setDealerCode(`X`, "S", true)\nButton,Don\'t bid,\\n\\\n--- it\'s `this`\\n\\\n%Demo%',
        "const text = `\n// of another kind\n`;\nsetDealerCode(`X`)",
    ],
)
def test_spellings(text: str) -> None:
    assert dk.parse(text.replace("X", "hcp(south)>9")) == dk.parse("hcp(south)>9")


def test_a_comment_about_the_call_is_no_wrapper() -> None:
    text = "# setDealerCode(`x`)\n/*@chat\nsetDealerCode(`y`)\n@chat*/\nhcp(south)>9 // setDealerCode(`z`)"
    script = dk.parse(text)
    assert script == dk.parse("hcp(south)>9")
    assert script.metadata == {"chat": "setDealerCode(`y`)"}


def test_mistakes_have_the_places_of_the_file() -> None:
    error = fail(WRAPPER.format("dealer south\nhcp(nrth)>9", '"S", true'))
    assert (error.line, error.column, error.source) == (4, 5, "hcp(nrth)>9")
    error = fail('Script,X\nsetDealerCode(`hpc(south)>9`, "S", true)')
    assert (error.line, error.column) == (2, 16)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Script,X\nsetDealerCode(`\nhcp(south)>9\n", 2, "never closed; the file seems to be cut off"),
        ("Script,X\nsetDealerCode(`\nhcp(south)>9\n`", 4, "the file seems to be cut off"),
        ('Script,X\nsetDealerCode(`\nhcp(south)>9\n`, "S', 4, "the file seems to be cut off"),
        ("Script,X\nsetDeal", 1, "cut off before setDealerCode"),
        ("Script,X\n", 1, "cut off before setDealerCode"),
        ('Script,X\nsetDealerCode("")\nScript\n', 2, "only opens the dialog"),
        ('Script,X\nsetDealerCode(code, "S", true)\nScript\n', 2, "is not a text"),
        ('setDealerCode(`1`, "north", true)', 1, "letters of SWNE"),
        ("setDealerCode(`1`, 3)", 1, "the seats and the rotation are missing"),
        ("Import,https://x.org/PBS/A\nButton,A,%A%\n", 1, "an index of scenarios"),
        ("BBOalert,9.9\nOption,x\n", 1, "an index of scenarios"),
        ("[Openings] T\nWeak_Twos, Strong, (Demo:blue)\n---\n", 1, "a layout of buttons"),
        ("Weak_Twos, Strong, (Demo:blue)\n", 1, "a layout of buttons"),
        ("Weak_Twos, Strong\n[Slams]\nBlackwood\n", 1, "a layout of buttons"),
        ("# menu\n\n---\nWeak_Twos, Strong\n", 1, "a layout of buttons"),
        ('{"name": "menu", "items": [1, 2]}', 1, "this is JSON"),
        ('\n[\n{"a": 1}]\n', 1, "this is JSON"),
        ('% PBN 2.1\n[Event "x"]\n', 1, "this is a PBN file"),
        ("qx|o1|md|1SAK,,|", 1, "this is a LIN file"),
    ],
)
def test_what_is_no_script(text: str, line: int, message: str) -> None:
    error = fail(text)
    assert message in error.message
    assert error.line == line


@pytest.mark.parametrize(
    "text", ["[hcp(south)>9", "hcp(south)>9 {", '"Button,', "option, 3", "a - - -", "x = 1 ? (2:3) 4"]
)
def test_other_mistakes_keep_their_message(text: str) -> None:
    message = fail(text).message
    assert not any(word in message for word in ("BBOalert", "JSON", "layout", "PBN"))


def test_v1_has_no_such_files() -> None:
    assert "use the dialect modern" in fail(WRAPPER.format("1", '"S", true'), "v1").message


@pytest.mark.parametrize(
    ("text", "dialect", "dealer"),
    [
        (WRAPPER.format("1", '"N", true'), "modern", 0),
        (WRAPPER.format("1", '"w", true'), "modern", 3),
        (WRAPPER.format("1", '"N", true'), "v2", 0),
        (WRAPPER.format("1", '"NS", true'), "modern", None),
        (WRAPPER.format("dealer east 1", '"N", true'), "modern", 1),
        (WRAPPER.format("# dealer-position: E\n1", '"N", true'), "modern", 0),
        ("# dealer-position: E\n1", "modern", 1),
        ("# dealer-position: West\n1", "modern", 3),
        ("# dealer-position: E\ndealer north 1", "modern", 0),
        ("# dealer-position: E\n1", "v2", None),  # to DealerV2 it is a comment
        ("# dealer-position: E\n1", "v1", None),
    ],
)
def test_dealer(text: str, dialect: str, dealer: int | None) -> None:
    from dealerkit.language.checks import check_script

    assert check_script(dk.parse(text, dialect)).dealer == dealer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# dealer-position: Z\n1", "the line `# dealer-position: Z`"),
        ("# alias: Nothing\n", "no condition"),
        ("# alias: Nothing\nx = 1\naction printpbn", "no condition"),
    ],
)
def test_warnings(text: str, message: str) -> None:
    with pytest.warns(CompatibilityWarning, match=message):
        dk.run(text, produce=1)


def test_a_file_without_a_condition_gets_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "definitions.dealer"
    path.write_text("strong = hcp(north) > 15")
    with pytest.warns(CompatibilityWarning, match="no condition"):
        dk.run(path, produce=1)
    path.write_text("action average hcp(north)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dk.run(path, produce=1)
        dk.run("strong = hcp(north) > 15", produce=1)  # a text that is no file
        path.write_text("predeal north SAK")
        dk.run(path, produce=1)


def test_several_bare_conditions(dealer_program: str) -> None:
    text = "hcp(south)>20\nhcp(north)>9"
    with pytest.raises(ScriptError, match="a second condition; the first is in line 1; join them with `and`"):
        dk.run(text, produce=1)
    with pytest.warns(CompatibilityWarning, match="a second condition replaces the one in line 1"):
        result = dk.run(text, produce=3, seed=1, dialect="v1", stream="classic")
    import subprocess

    plain = f"produce 3\n{text}\naction printoneline\n"
    run = subprocess.run(
        [dealer_program, "-s", "1", "-v"], input=plain, capture_output=True, encoding="utf-8"
    )
    assert result.deals.to_lines() == run.stdout.splitlines()[:3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("altcount 10 1 1\n1", "for its table 10, top5, write altcount 8"),
        ("altcount 11 1 1\n1", "for its table 11, c13, write altcount 9"),
        ("altcount 12 1\n1", "tables 0 to 9, not 12$"),
        ("tricks(south, 4)>8", "write notrump instead of 4"),
        ("tricks(south, 3)>8", "write spades instead of 3"),
        ("tricks(south, 5)>8", "the second argument is a number$"),
    ],
)
def test_numbers_of_old_scripts(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        dk.run(text, produce=1)
    import re

    assert re.search(message, caught.value.message)


@pytest.mark.no_cover
@pytest.mark.parametrize("text", ["/* " * 80_000, "/* setDealerCode " * 10_000])
def test_comments_without_ends_take_no_time(text: str) -> None:
    import time

    start = time.process_time()
    assert "never closed" in fail(text).message
    assert time.process_time() - start < 2


def test_a_button_with_carriage_returns_keeps_its_text() -> None:
    text = (
        WRAPPER.format("hcp(north)>3", '"S", true')
        + "Button,Demo,\\n\\\nA strong hand %Demo%\\n\\\n,width=5\n"
    )
    chat = dk.parse(text).metadata["chat"]
    assert chat == "A strong hand"
    assert dk.parse(text.replace("\n", "\r\n")).metadata["chat"] == chat

"""What verbs print in terminals of several widths, with and without colour."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.appearance.screen import Screen, measure_line, remove_marks
from dealerkit.appearance.table import Column, Interval, Table
from dealerkit.appearance.text import render_table
from dealerkit.cli import VERBS, build_parser, find_verb, main

GIVEN = "hcp(north) >= 15 and hcp(north) <= 17 and balanced(north) and spades(south) >= 4"
SCRIPT = f"""strong = {GIVEN}
condition strong
produce 30
action average "points opposite the strong notrump opening" hcp(south), frequency "spades" (spades(south), 0, 13),
frequency (hcp(south), 0, 20, spades(south), 0, 13)
"""
DEAL = "N:AKQ.A9654.5.AKJ6 JT864.T82.KJT86. 92.Q.Q9743.T9754 753.KJ73.A2.Q832"
COMMANDS = {
    "run": ["run", "SCRIPT", "--seed", "1"],
    "sweep": ["run", "SWEPT", "--sweep", "low=14..16", "--sweep", "n=5..9", "--produce", "30"],
    "explain": ["explain", "SCRIPT"],
    "why": ["explain", "SCRIPT", "--why", DEAL],
    "functions": ["functions"],
    "shapes": ["shapes", "any 4333 + 5xxx - 5332"],
    "probability": ["probability", GIVEN],
    "values": ["probability", "losers(north)", "--values"],
    "estimate": ["estimate", "hcp(south)", "--given", GIVEN],
    "contracts": ["contracts", "2NT", "3NT", "4S", "--declarer", "north", "--given", GIVEN, "--produce", "8"],
    "lead": ["lead", "QJ752.K83.94.T62", "3NT by south", "--given", "hcp(south) >= 15", "--produce", "6"],
    "compare": ["compare", "hcp", "zar", "cccc", "--where", "fit >= 10"],
    "par": ["par", DEAL, "--vulnerable", "both"],
    "deal": ["deal", "2", "--seed", "1"],
    "check": ["check", "SCRIPT", "--for", "bbo"],
    "store": ["store"],
    "suit": ["suit", "AQT98", "5432", "-t", "4"],
    "plan": [
        "plan",
        "AKQ2 opposite 543, 4 tricks",
        "AQ2 opposite 543, 2 tricks: low to the queen",
        "--losers",
        "0",
    ],
    "breaks": ["breaks", "KJxx", "--vacant", "7,11", "--east-played", "x"],
}
# Of the other verbs; those that write files say so here, since what they write is not wrapped.
OTHER_COMMANDS = {
    "results": ["results", "results.csv"],
    "results solved": ["results", "results.pbn", "--double-dummy"],
    "auction": ["auction", "1NT-2C-2H-3NT", "--dealer", "south"],
    "system frequencies": ["system", "frequencies", "sayc", "--after", "1NT"],
    "system describe": ["system", "describe", "sayc", "--after", "1H"],
    "system check": ["system", "check", "toy.system", "--overlaps"],
    "system list": ["system", "list"],
    "card": ["card", "results.pbn", "--trick", "2", "--produce", "4", "--seed", "1"],
    "convert": ["convert", "boards.pbn", "boards.lin"],
    "filter": ["filter", "boards.pbn", "--given", "hcp(north) >= 5", "-o", "filtered.pbn"],
    "sheet": ["sheet", "boards.pbn", "-o", "sheet.html"],
    "solve": ["solve", "boards.pbn", "--strains", "N"],
    "translate": ["translate", "SCRIPT", "--to", "v1"],
    "bench": ["bench", "--deals", "10000"],
}
SERVERS = ("explore",)  # only their help is printed
SCRIPT_LINES = ("check", "translate")  # verbs that show lines of the user's script, which are not wrapped
RESULTS = f"""[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[Contract "3NT"]
[Declarer "N"]
[Result "9"]
[Play "E"]
SJ S2 S3 SA
*
"""
TOY = "opening\n1NT hcp 15-17\n1C hcp 12+\nafter 1NT\n3NT hcp 10+\nP otherwise\n"


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A function that runs a command in a terminal of a width and returns what it prints there."""
    (tmp_path / "strong.dealer").write_text(SCRIPT)
    (tmp_path / "swept.dealer").write_text(
        "condition hcp(north) >= $low\naction average spades(north) + spades(south) >= $n"
    )
    (tmp_path / "toy.system").write_text(TOY)
    (tmp_path / "results.pbn").write_text(RESULTS)
    (tmp_path / "results.csv").write_text(
        "board,ns,ew,contract,declarer,tricks\n1,1,2,3NT,N,9\n1,3,4,3NT,N,10\n2,1,4,4S,S,9\n2,3,2,4S,S,10\n"
    )
    dk.deal(3, seed=1).write(tmp_path / "boards.pbn")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("DEALERKIT_STORE", "off")

    def run(words: list[str], width: int) -> str:
        names = {"SCRIPT": "strong.dealer", "SWEPT": "swept.dealer"}
        terminal = Terminal()
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr(sys, "stdout", terminal)
        monkeypatch.setattr(sys, "stderr", Terminal())
        main([names.get(word, word) for word in words])
        return terminal.getvalue()

    return run


def find_words(text: str) -> set[str]:
    """The words of letters, without the codes of colours."""
    words = re.findall(r"[\w(),.$-]+", re.sub(r"\x1b\[[0-9;]*m", "", text))
    return {word for word in words if re.fullmatch(r"[A-Za-z(),-]{3,}", word)}


def test_each_verb_has_a_command_here():
    tested = {words[0] for words in [*COMMANDS.values(), *OTHER_COMMANDS.values()]}
    assert tested | set(SERVERS) == set(VERBS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*COMMANDS, *OTHER_COMMANDS])
def test_the_output_of_every_verb_fits_without_a_broken_word(show, name):
    """Lines of the user's script are exempt; columns that say least may leave, words may not change."""
    command = {**COMMANDS, **OTHER_COMMANDS}[name]
    whole = find_words(show([*command, "--color", "never"], 400)) | {
        "ms", "seconds", "minutes", "says", "more", "verbose", "--verbose",
    }  # fmt: skip
    for width in (60, 80, 120):
        for color in ("always", "never"):
            text = show([*command, "--color", color], width)
            lines = text.splitlines()
            assert name in SCRIPT_LINES or max(map(measure_line, lines), default=0) <= width, max(
                lines, key=measure_line
            )
            assert ("\x1b[" in text) <= (color == "always")
            assert find_words(text) <= whole, find_words(text) - whole


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_wider_than_the_terminal_and_no_word_is_broken(show, name):
    wide = set(
        re.findall(
            r"[\w(),.$]+", re.sub(r"\x1b\[[0-9;]*m", "", show([*COMMANDS[name], "--color", "never"], 300))
        )
    )
    for width in (60, 80, 120):
        for color in ("always", "never"):
            text = show([*COMMANDS[name], "--color", color], width)
            assert ("\x1b[" in text) == (color == "always") or name in (
                "check",
                "store",
                "probability",
                "shapes",
            )
            lines = text.splitlines()
            assert lines and (name in SCRIPT_LINES or max(map(measure_line, lines)) <= width), max(
                lines, key=len
            )
            if name in (
                "explain",
                "functions",
                "lead",
                "contracts",
                "compare",
            ):  # times differ, and columns leave
                plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
                words = {
                    word for word in re.findall(r"[\w(),.$]+", plain) if re.fullmatch(r"[a-z(),]{3,}", word)
                }
                assert words <= wide | {"ms", "seconds", "says", "more", "verbose"}, words - wide


@pytest.mark.parametrize("verb", VERBS)
def test_each_help_fits_and_ends_with_examples(monkeypatch, capsys, verb):
    for width in (60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= width
        examples = lines[lines.index("Examples:") + 1 :]
        assert examples and examples[0].startswith(f"  dealerkit {verb}")


def test_no_color_is_obeyed_and_overruled(show, monkeypatch):
    words = ["estimate", "hcp(south)", "--given", GIVEN]
    assert "\x1b[" in show(words, 80)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in show(words, 80)
    assert "\x1b[" in show([*words, "--color", "always"], 80)


def test_provenance_is_one_line_unless_it_is_wanted_whole(show):
    words = [
        "contracts",
        "2NT",
        "3NT",
        "--declarer",
        "north",
        "--given",
        GIVEN,
        "--produce",
        "8",
        "--color",
        "never",
    ]
    *_, last = show(words, 60).splitlines()
    assert last.endswith("; --verbose says more") and "8 deals" in last
    whole = show([*words, "--verbose"], 60)
    assert "call:" in whole and "versions: dealerkit" in whole and "script:" in whole


def test_tables_that_are_too_wide_have_parts():
    columns = [Column("name", kind="name"), *(Column(f"measure {k}") for k in range(9))]
    rows = [[f"row {k}", *(Interval(k, k - 1.0, k + 1.0) for _ in range(9))] for k in range(3)]
    for width in (40, 60):
        lines = render_table(Table(columns, rows), Screen(width)).splitlines()
        assert max(map(len, lines)) <= width
        assert all(sum(line.count(str(row)) for line in lines) for row in ("row 0", "row 1", "row 2"))


def test_marks_do_not_stay_in_files():
    screen = Screen(80, has_color=True)
    marked = screen.mark("  Tricks \n", "title")
    assert remove_marks(marked) == "  Tricks \n" and screen.paint(marked) == "  \x1b[1mTricks\x1b[0m \n"


@pytest.mark.parametrize("name", VERBS)
def test_the_arguments_of_examples_are_those_of_the_verb(name):
    verb = find_verb(name)
    assert verb.name == name and verb.examples
    for example in verb.examples:
        program, *words = shlex.split(example.partition(" > ")[0])
        options = build_parser(verb.name).parse_args(words)
        assert program == "dealerkit" and options.verb == verb.name

"""Random scripts in random layouts, some with mistakes: text, or line of the mistake, as of the program `dealer`."""

from __future__ import annotations

import random
import re
import subprocess
import warnings
from pathlib import Path

import pytest

import dealerkit as dk

SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "heart", "diamonds", "club")
COUNTS = "hcp hcps control losers tens jack queens king aces top2 top3 top4 top5 c13 pt0 pt5 pt9".split()
PATTERNS = "4333 5332 5431 xxxx 5xxx x5xx 4432 4441 6xxx 0xxx 54xx xx55 3343 1xx9 4444 99xx".split()
LABELS = ("", '"x"', '"a b: %d \\n"', '""', '"Größe"', '"it\'s"', '"two\nlines"')
SPACES = (
    " ",
    "",
    "\n",
    "  ",
    "\t",
    "\r\n",
    " // c\n",
    "/* x */",
    "/* y\n */",
    "\n# hash\n",
    "/**/",
    "/* * / ** */",
)
STRANGERS = (
    "( ) , + - * = == ? : north hcp condition action 5 -7 -1234 5xxx AS SAK x3N S any ; & title seed printall "
    'spades NS nv "q" $1 .5 ab produce predeal'
).split()
TOKEN = re.compile(r'"[^"]*"|\\n|[A-Za-z0-9_]+|&&|\|\||[=!<>]=|\S')
TIME = re.compile(r"^Time needed .*$", re.MULTILINE)
LIMIT = 120  # deals of a run
# Integers in a mean wrap in dealer, so the numbers of these scripts are small.
NUMBERS = ("0", "1", "2", "3", "5", "7", "13", "007", "12", "-1", "-5")


class Generator(random.Random):
    """A generator of the parts of a script."""

    def expression(self, names: list[str], depth: int = 0) -> str:
        def operand() -> str:
            return self.expression(names, depth + 1)

        if depth > 3 or self.random() < 0.35:
            return self.operand(names, depth)
        kind = self.randrange(10)
        if kind < 3:
            return f"{operand()} {self.choice('+-+-*')} {operand()}"
        if kind == 3:
            return f"{operand()} {self.choice('/%')} {self.choice(['2', '4', operand()])}"
        if kind in (4, 5):
            return f"{operand()} {self.choice('== != < <= > >='.split())} {operand()}"
        if kind in (6, 7):
            return f"{operand()} {self.choice('and or && ||'.split())} {operand()}"
        if kind == 8:
            return f"{self.choice(['not', '!'])} {operand()}"
        return self.choice([f"{operand()} ? {operand()} : {operand()}", f"({operand()})"])

    def operand(self, names: list[str], depth: int) -> str:
        seat, suit = self.choice(SEATS), self.choice(SUITS)
        card = self.choice("23456789TJQKA") + self.choice("CDHS")
        tricks = self.expression(names, depth + 2) if depth < 3 else self.choice(NUMBERS)
        return self.choice(
            [
                self.choice(NUMBERS),
                f"{suit}({seat})",
                f"{self.choice(COUNTS)}({seat}{self.choice(['', ', ' + suit])})",
                f"shape({seat}, {self.shapes()})",
                f"hascard({seat}, {card})",
                f"imps(score({self.choice(['nv', 'vul'])}, x{self.randint(1, 7)}{self.choice('CDHSN')}, "
                f"{tricks}))",
                self.choice([*names, f"quality({seat}, {suit}) % 100", f"cccc({seat}) / 100"]),
            ]
        )

    def shapes(self) -> str:
        terms = []
        for number in range(self.randint(1, 4)):
            sign = self.choice("+-, ") if number else self.choice("   -+")
            terms.append(f"{sign} {self.choice(['', 'any '])}{self.choice(PATTERNS)}")
        return " ".join(terms)

    def action(self, names: list[str]) -> str:
        value, low, other = self.expression(names), self.randint(-5, 20), self.randint(-2, 5)
        axis = f"{value}, {low}, {low + self.randint(0, 8)}"
        second = f"{self.expression(names)}, {other}, {other + self.randint(0, 4)}"
        items = ", ".join(self.choices([value, self.expression(names), '"s "', "\\n"], k=self.randint(1, 4)))
        return self.choice(
            [
                self.choice(["printall", "printew", "printpbn", "printcompact", "printoneline"]),
                f"print({', '.join(self.choices(SEATS, k=self.randint(1, 4)))})",
                f"average {self.choice(LABELS)} {value}",
                f"frequency {self.choice(LABELS)} ({axis})",
                f"frequency {self.choice(LABELS)} ({axis}, {second})",
                f"printes({items}, \\n)",
                f"{self.choice(['printoneline', 'printcompact'])}({value})",
            ]
        )

    def statement(self, names: list[str]) -> str:
        kind = self.randrange(12)
        points = " ".join(str(self.randint(-3, 9)) for _ in range(self.choice([0, 2, 5, 14])))
        if kind < 3:
            name = self.choice("a b v0 X_1 foo Spades NTx E".split())
            value = self.expression(names)
            names.append(name)
            return f"{name} = {value}"
        if kind < 5:
            return f"{self.choice(['condition', ''])} {self.expression(names)}"
        if kind < 8:
            actions = ", ".join(self.action(names) for _ in range(self.choice([0, 1, 1, 2, 3])))
            return f"action {actions}{self.choice(['', '', ','])}"
        if kind < 10:
            holdings = [self.choice("SHDC") + self.holding() for _ in range(self.randint(1, 3))]
            length = f"{self.choice(SUITS)}({self.choice(SEATS)}) == {self.randint(0, 14)}"
            return "predeal " + self.choice([f"{self.choice(SEATS)} {', '.join(holdings)}", length])
        if kind == 10:
            return f"{self.choice(['produce', 'generate'])} {self.choice([0, 1, 5, 41, 77, 1234, '0012'])}"
        tables = f"altcount {self.choice([0, 2, 3, 5, 9, 10, 11])} {points}"
        setting = f"vulnerable {self.choice('none ns NS ew EW all both'.split())}"
        return self.choice([f"pointcount {points}", tables, f"dealer {self.choice(SEATS)}", setting])

    def holding(self) -> str:
        ranks = "AKQJT98765432"
        return "".join(ranks[k] for k in sorted(self.sample(range(13), self.randint(0, 3))))

    def script(self) -> str:
        names: list[str] = []
        tokens = TOKEN.findall(" ".join(self.statement(names) for _ in range(self.randint(1, 6))))
        for _ in range(self.choice([0, 0, 0, 1, 2])):  # mistakes
            place = self.randrange(len(tokens))
            tokens[place : place + self.choice([0, 1])] = self.sample(
                [*STRANGERS, *tokens], self.choice([0, 1])
            )
            tokens = tokens or ["1"]
        text = ""
        for token in tokens:
            space = self.choice(SPACES) if self.random() < 0.35 else " "
            joined = text[-1:].isalnum() and token[0].isalnum()
            text += (space or " " * joined) + token
        return text + "\n"


def check(number: int, folder: Path, program: str) -> bool:
    """Compare one script; return whether both accept it."""
    generator = Generator(number)
    path = folder / "script"
    path.write_text(generator.script(), encoding="utf-8", newline="")
    switches, options = ["-g", str(LIMIT)], {"generate": LIMIT}
    for switch, option in (
        (["-p", "3"], {"produce": 3}), (["-p", "0"], {"produce": 0}), (["-v"], {"statistics": False}),
        (["-q"], {"quiet_pbn": True}), ([f"-{number % 2 + 2}"], {"swap": number % 2 + 2}),
    ):  # fmt: skip
        if generator.random() < 0.2:
            switches, options = [*switches, *switch], {**options, **option}
    command = [program, *switches, "-s", str(number), path]
    theirs = subprocess.run(command, capture_output=True, timeout=60, check=False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dk.DealerkitWarning)
            run_options = dk.RunOptions(seed=number, dialect="v1", stream="classic", **options)  # type: ignore[arg-type]
            text = dk.run_script(path, run_options).text
    except dk.DealerkitError as error:
        line = re.match(rb"line (\d+): syntax error", theirs.stderr)
        negative = "a whole number of 0 or more" in str(
            error
        )  # `produce -7`, with which dealer deals nothing
        assert theirs.returncode != 0 or negative, (number, str(error), path.read_text("utf-8"))
        if line and '"two\n' not in path.read_text("utf-8"):  # dealer counts no newlines in texts
            # It names the line it has read, that of the mistake or a later one. Arguments are matched at the
            # end of a call, so a mistake in the next line may come before one in an argument.
            assert error.line <= int(line[1]) + 1 or "closed" in str(error), (number, str(error), line[1])  # type: ignore[attr-defined]
        return False
    assert TIME.sub("", text) == TIME.sub("", theirs.stdout.decode()), (
        number,
        switches,
        path.read_text("utf-8"),
    )
    return True


@pytest.mark.parametrize(
    "numbers",
    [range(150), *(pytest.param(range(k, k + 1000), marks=pytest.mark.slow) for k in (1000, 2000, 3000))],
)
def test_scripts_in_any_layout(numbers: range, tmp_path: Path, dealer_program: str) -> None:
    accepted = sum(check(number, tmp_path, dealer_program) for number in numbers)
    assert 0.2 < accepted / len(numbers) < 0.9

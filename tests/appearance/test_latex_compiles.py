"""The LaTeX of reports and studies is compiled by pdflatex, without an error and without long lines."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dealerkit as dk
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Code
from dealerkit.appearance.table import Column, Indented, Interval, Table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed"),
]
MOST_POINTS = 10.0  # that a line may be too long
DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""
SPECIAL = r"a & b % c _ d # e { f } g ~ h ^ i \ j < k > l"
GIVEN = "hcp(north) >= 12 and (spades(north) > 4 || hearts(north) % 2 == 1) and not (hcp(east) < 3 && 1)"


def compile_latex(text: str, folder: Path) -> str:
    """Compile tables; return the log."""
    (folder / "tables.tex").write_text(DOCUMENT % text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
    log = (folder / "tables.log").read_text(encoding="latin-1")
    assert run.returncode == 0, log[-2000:]
    return log


def make_special_card() -> Card:
    """A card whose every text has the characters that LaTeX treats in a way of its own."""
    columns = [
        Column("name", SPECIAL[:20], kind="name"),
        Column("part", kind="sentence"),
        Column("share", kind="share"),
        Column("gain", unit="IMPs", sign=True, interval="within"),
    ]
    rows = [
        [SPECIAL[k : k + 12], cell, Interval(0.02, 0.001, 0.1), Interval(-0.5, -0.7, -0.3)]
        for k, cell in enumerate((Code(SPECIAL), Indented(f"`{SPECIAL}` and {SPECIAL}", 2), SPECIAL))
    ]
    return Card(
        SPECIAL,
        verdict=(SPECIAL, " given ", Code(SPECIAL)),
        tables=[Table(columns, rows, "♠♥♦♣ ± ≥ ≤ × − – … ½"[:-2])],
        notes=[Code("[x] ~ y|z \"t\" 'u' `v`")],
    )


def report(action: str) -> Any:
    return dk.run(f"condition {GIVEN} action {action}", source=dk.solved_sample()[:5000], keep=0).reports[0]


RESULTS: dict[str, Callable[[], Any]] = {
    "special characters": make_special_card,
    "average": lambda: report(f'average "{SPECIAL.replace(chr(92), "/")}" hcp(north)'),
    "frequency": lambda: report('frequency "points & more_" (hcp(north), 10, 20)'),
    "evalcontract": lambda: report("evalcontract (NS, 4S, nv)"),
    "contracts": lambda: dk.contracts(
        dk.solved_sample()[:400], {"50 % {game}": "4S by north", "part_score ^": "2S by north"}
    ),
    "estimate": lambda: dk.estimate(
        "dds(north, spades) >= 10", given=GIVEN, deals=dk.solved_sample()[:5000], method="plain"
    ),
    "tricks": lambda: dk.tricks_by(dk.solved_sample()[:2000], where="hcp(north) % 2 == 1 and hcp(north) > 5"),
    "explain": lambda: dk.explain(
        f"weak_two = hcp(west) < 9\ncondition not weak_two and {GIVEN}", deals=2000
    ),
    "check": lambda: dk.check(f"x_1 = 50 % hcp(north)\ncondition {GIVEN} and not hcp(north) == 3 # a ~ b"),
}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.filterwarnings("ignore::dealerkit.DealerkitWarning")
def test_the_tables_compile_and_fit_the_page(name: str, tmp_path: Path) -> None:
    latex = RESULTS[name]().to_latex()
    log = compile_latex(latex, tmp_path)
    excess = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)]
    assert max(excess, default=0.0) <= MOST_POINTS, log[log.index("Overfull") :][:1000]

"""Tables as LaTeX: their structure, and characters that LaTeX would take as commands."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.appearance.content import Content
from dealerkit.appearance.latex import escape_text, render_card, render_note
from dealerkit.appearance.table import Column, Table


def check_structure(text: str) -> None:
    """Braces and environments match, and each row has as many cells as its table has columns."""
    bare = re.sub(r"\\[{}$]", "", text)
    depth = np.cumsum([(c == "{") - (c == "}") for c in bare])
    assert depth.min() == 0 == depth[-1]
    open_environments: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            open_environments.append(name)
        else:
            assert open_environments.pop() == name
    assert not open_environments and bare.count("$") % 2 == 0
    tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, re.DOTALL)
    assert tables
    for columns, body in tables:
        rows = [line for line in body.splitlines() if line.endswith("\\\\")]
        assert rows and all(len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1 for row in rows)
        assert [body.count(rule) for rule in ("\\toprule", "\\bottomrule")] == [1, 1]
    assert not re.search(r"(?<!\\)[#_]|(?<!\\)%(?! Needs)|[\u2212±♠♥♦♣²]", text)


@pytest.fixture(scope="module")
def deals():
    return dk.solved_sample()[:60]


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")
def test_results_of_studies(deals) -> None:
    study = dk.contracts(deals, ["2NT", "3NT"], declarer="north", vulnerable="both")
    line = dk.line(deals[0], "3NT by south")
    given = dk.estimate("hcp(north) >= 13", given="spades(north) == 5", precision=0.05)
    for result in (study, line, given, dk.tabulate_par(deals[:3])):
        text = result.to_latex()
        check_structure(text)
        assert render_note(result.card().title) in text
    assert r"\texttt{hcp(\allowbreak{}north) >= 13}" in given.to_latex()
    gain = study.text.split("Gain over")[1].splitlines()[2].split("3NT by north")[1].split("  ")[1].strip()
    assert escape_text(gain.replace("-", "\u2212")) in study.to_latex()


def test_names_with_characters_of_latex() -> None:
    columns = [Column("name", "", "name"), Column(r"\R2", kind="label")]
    table = Table(columns, [["{x}^$", "\u22121"], ["[y]~#", "< 2"]], "a_b")
    text = render_card(Content("50 % & more", tables=[table], notes=["♠K"]))
    check_structure(text)
    for part in (r"50 \% \& more. a\_b", r"\{x\}\textasciicircum{}\$", "$-$1", r"\textbackslash{}R2"):
        assert part in text
    assert r"\begin{tabular}{lr}" in text and r"$\spadesuit$K" in text

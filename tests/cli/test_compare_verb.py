"""The verb `compare` of the command: the same numbers as `dk.compare`, files, and messages about mistakes."""

from __future__ import annotations

import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.cli import main


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    path = tmp_path_factory.mktemp("deals") / "solved.csv"
    dk.solved_sample()[:200].write(path)
    return path


def test_the_words_of_the_function(solved, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    files = {name: tmp_path / f"trial.{name}" for name in ("csv", "html", "svg", "tex")}
    status = main([
        "compare", "hcp", "zar", "--measure", "mine=hcp + 2 * fit", "--measure", "both=hcp; fit",
        "--sample", str(solved), "--strain", "longest fit", "--where", "fit >= 8",
        "--replicates", "100", "--seed", "3", "--confidence", "0.9", "--target", "tricks - 6",
        "--events", "game,tricks >= 9", "--decision", "4M,3M", "--vulnerable", "--folds", "5",
        "--csv", str(files["csv"]), "--html", str(files["html"]), "--plot", str(files["svg"]),
        "--latex", str(files["tex"]), "--show", "gains",
    ])  # fmt: skip
    assert status == 0
    trial = dk.compare(
        {"hcp": "hcp", "zar": "zar", "mine": "hcp + 2 * fit", "both": ["hcp", "fit"]},
        sample=dk.solved_sample()[:200], strain="longest fit", where="fit >= 8",
        replicates=100, seed=3, confidence=0.9, target="tricks - 6", events=("game", "tricks >= 9"),
        decision=("4M", "3M"), vulnerable=True, folds=5,
    )  # fmt: skip
    assert capsys.readouterr().out == trial.text
    columns = pd.read_csv(files["csv"]).columns
    assert {"R2", "R2_minus_lo", "game_AUC", "tricks >= 9_brier", "gain", "threshold"} <= set(columns)
    assert files["html"].read_text("utf-8").count("<table") == trial.to_html().count("<table")
    assert files["tex"].read_text("utf-8") == trial.to_latex()
    assert "<svg" in files["svg"].read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no evaluator is given; name some"),
        (["hpc"], "did you mean 'hcp'"),
        (["hcp", "hcp + fit"], "needs a name and an expression: --measure 'mine=hcp + fit'"),
        (["hcp", "--measure", "hcp + fit"], "--measure 'mine=hcp + fit'"),
        (["hcp", "--measure", "=fit"], "--measure 'mine=fit'"),
        (["hcp", "hcp"], "listed twice"),
        (["hcp", "--strain", "best mayor"], "did you mean 'best major'"),
        (["hcp", "--where", "fitt > 8"], "did you mean 'fit'"),
        (["hcp", "--decision", "4M"], "--decision takes two contracts"),
        (["hcp", "--decision", "4M,4M"], "--decision"),
        (["hcp", "--vulnerable"], "--vulnerable needs a decision; add one"),
        (["hcp", "--show", "gains", "--plot", "a.png"], "--show gains needs a decision"),
        (["hcp", "--show", "gians", "--plot", "a.png"], "did you mean 'gains'"),
        (["hcp", "--events", "gam"], "did you mean 'game'"),
        (["hcp", "--sample", "no such file.pbn"], "no such file.pbn"),
        (["hcp", "--plot", "trial.txt"], "--plot takes a file"),
        (["hcp", "--latex", "no/such/folder.tex"], "--latex no/such/folder.tex: there is no such folder"),
    ],
)
def test_mistakes(words, message, capsys):
    assert main(["compare", *words]) == 2
    assert message in capsys.readouterr().err

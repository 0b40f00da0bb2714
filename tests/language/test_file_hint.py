"""A text that is the name of a file: the error says how to pass the file."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import dealerkit as dk

DEAL = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
DEALS = dk.Deals.from_pbn(DEAL)
CALLS = {
    "run": lambda script: dk.run(script, produce=1),
    "parse": dk.parse,
    "why": lambda script: dk.why(script, DEAL),
    "probability": dk.probability,
    "given": lambda script: dk.probability("hcp(north) > 15", given=script),
    "distribution": dk.distribution,
    "deal": lambda script: dk.deal(1, given=script),
    "eval": DEALS.eval,
    "where": DEALS.where,
    "to_frame": lambda script: DEALS.to_frame(x=script),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my scripts").mkdir()
    for name in ("hands.dlr", "hands", "my scripts/hands.dealer", "hcp(north)"):
        (tmp_path / name).write_text("hcp(north) >= 5")
    return tmp_path


@pytest.mark.parametrize("name", ["hands.dlr", "hands", "my scripts/hands.dealer"])
@pytest.mark.parametrize("call", CALLS)
def test_the_name_of_a_file(folder: Path, call: str, name: str) -> None:
    if call == "parse" and name == "hands":  # a name; only a check finds that it is unknown
        return
    hint = f"; {name!r} is the name of a file; to read the script in it, pass Path({name!r})"
    with pytest.raises(dk.ScriptError, match=re.escape(hint)):
        CALLS[call](name)
    with pytest.raises(dk.ScriptError, match=re.escape(f"pass Path({str(folder / name)!r})")):
        CALLS[call](str(folder / name))
    CALLS[call](Path(name))


def test_an_explanation_has_the_hint(folder: Path) -> None:
    error = dk.explain("hands.dlr").error
    assert error is not None and "pass Path('hands.dlr')" in str(error)
    assert dk.explain(Path("hands.dlr"), deals=100).error is None


def test_files_are_looked_for_only_after_an_error_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []
    is_file = os.path.isfile
    monkeypatch.setattr(os.path, "isfile", lambda name: names.append(name) or is_file(name))
    assert dk.probability("hcp(north)", given="hcp(north) > 30").value == 1  # a file has this name, too
    for text in ("hcp(north) >\n", "produce 5\nhcp(north) > hpc", "a\nb"):
        with pytest.raises(dk.ScriptError):
            dk.run(text)
    assert [name for name in names if "hcp" in str(name)] == ["hcp(north) >"]


def test_other_texts_get_no_hint(folder: Path) -> None:
    for text in ("hands.dl", "my scripts", "\0", "x" * 5000, "", " "):
        with pytest.raises(dk.DealerkitError) as caught:
            DEALS.eval(text)
        assert "name of a file" not in str(caught.value)


def test_the_error_of_a_file_names_its_file(folder: Path) -> None:
    Path("wrong.dlr").write_text("wrong.dlr", encoding="utf-8")
    with pytest.raises(dk.ScriptError, match=r"^wrong.dlr:1:6:") as caught:
        dk.run(Path("wrong.dlr"))
    assert "pass Path" not in str(caught.value)

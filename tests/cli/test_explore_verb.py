"""`dealerkit explore`: the notebook that it serves, and its messages."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest

from dealerkit.cli import build_parser, main
from dealerkit.cli.explore import build_notebook
from dealerkit.errors import ArgumentError


def read_source(*words: str) -> str:
    notebook = build_notebook(build_parser("explore").parse_args(["explore", *words]))
    return notebook["cells"][0]["source"]


def test_the_notebook_has_one_cell_with_the_script_and_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "study.dealer"
    file.write_text('hcp(north) > $low\naction average "a \\ b" hcp(south)', encoding="utf-8", newline="")
    source = read_source(str(file), "-p", "300", "-s", "5", "--param", "low=15")
    called: dict = {}

    def explore(script: str, **options: object) -> None:
        called.update(options, script=script)

    exec(source.replace("import dealerkit as dk\ndk.", ""), {"explore": explore})
    assert called == {
        "script": file.read_text(encoding="utf-8"),
        "produce": 300,
        "seed": 5,
        "params": {"low": "15"},
        "include": [str(tmp_path)],
    }


def test_without_a_file_there_are_questions() -> None:
    assert read_source() == "import dealerkit as dk\ndk.explore('')"
    assert read_source("--untrusted") == "import dealerkit as dk\ndk.explore('', untrusted=True)"


def test_visitors_have_no_script(tmp_path: Path) -> None:
    file = tmp_path / "study.dealer"
    file.write_text("hcp(north) > 3", encoding="utf-8")
    with pytest.raises(ArgumentError, match="untrusted"):
        read_source(str(file), "--untrusted")


def test_files_that_are_missing_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        importlib.util.find_spec("voila") is None or main(["explore", "missing.dealer", "--no-browser"]) == 2
    )
    if importlib.util.find_spec("voila") is not None:
        assert "missing.dealer: No such file" in capsys.readouterr().err


def test_the_page_is_for_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    def start(command: list[str], env: dict[str, str]) -> subprocess.Popen:
        started.append(command)
        raise KeyboardInterrupt

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name == "voila" or find(name))
    monkeypatch.setattr(subprocess, "Popen", start)
    assert main(["explore", "--no-browser"]) == 130
    assert "--Voila.ip=127.0.0.1" in started[0]


def test_without_voila_the_message_names_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "voila" else find(name))
    assert main(["explore"]) == 2
    assert "pip install 'dealerkit[app]'" in capsys.readouterr().err

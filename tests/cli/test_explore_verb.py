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


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the list of the commands that start a server, which ends at once."""
    commands: list[list[str]] = []

    def start(command: list[str], env: dict[str, str]) -> subprocess.Popen:
        commands.append(command)
        raise KeyboardInterrupt

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name == "voila" or find(name))
    monkeypatch.setattr(subprocess, "Popen", start)
    return commands


@pytest.mark.parametrize("address", [None, "127.0.0.1", "127.0.0.2", "::1"])
def test_the_page_is_for_this_machine_only(
    started: list[list[str]], capsys: pytest.CaptureFixture[str], address: str | None
) -> None:
    assert main(["explore", "--no-browser", *([] if address is None else ["--address", address])]) == 130
    assert f"--Voila.ip={address or '127.0.0.1'}" in started[0]
    assert not any("token" in word for word in started[0])
    assert "token" not in capsys.readouterr().err


@pytest.mark.parametrize("address", ["0.0.0.0", "192.0.2.7", "::"])
def test_others_need_the_whole_address(
    started: list[list[str]], capsys: pytest.CaptureFixture[str], address: str
) -> None:
    assert main(["explore", "--address", address]) == 2
    assert "add --untrusted" in capsys.readouterr().err and not started
    tokens = set()
    for _ in range(3):
        assert main(["explore", "--address", address, "--untrusted", "--port", "8123"]) == 130
        command = started.pop()
        assert f"--Voila.ip={address}" in command and "--no-browser" in command
        (token,) = [word.partition("=")[2] for word in command if word.startswith("--Voila.token=")]
        said = capsys.readouterr().err
        assert f":8123/?token={token}; " in said and "not encrypted" in said
        assert (address in said) == (address == "192.0.2.7")
        tokens.add(token)
    assert len(tokens) == 3 and min(map(len, tokens)) >= 8


@pytest.mark.parametrize("address", ["school", "", "1.2.3", "0.0.0.0:80"])
def test_other_texts_are_no_address(
    started: list[list[str]], capsys: pytest.CaptureFixture[str], address: str
) -> None:
    assert main(["explore", "--untrusted", "--address", address]) == 2
    assert "is not an IP address" in capsys.readouterr().err and not started


def test_without_voila_the_message_names_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "voila" else find(name))
    assert main(["explore"]) == 2
    assert "pip install 'dealerkit[app]'" in capsys.readouterr().err

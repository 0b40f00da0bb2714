"""The command without a verb and with an unknown verb."""

from __future__ import annotations

import pytest

from dealerkit.cli import VERBS, main


def test_without_a_verb_the_verbs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    for module in VERBS:
        assert f"\n    {module.__name__.rpartition('.')[2]}" in shown.err


def test_an_unknown_verb(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["prob"])
    assert stopped.value.code == 2 and "'probability'" in capsys.readouterr().err

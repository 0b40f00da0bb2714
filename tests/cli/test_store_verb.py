"""`dealerkit store`: stores are merged, verified and exported; damage and mistakes have their exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.dealing.uniform import deal_range
from dealerkit.doubledummy.store.database import Store
from dealerkit.doubledummy.store.records import encode_deals


@pytest.fixture
def stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two stores of invented tricks; DEALERKIT_STORE names the first."""
    paths = [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    for seed, path in enumerate(paths):
        store = Store(path)
        store.update(deal_range(seed, 0, 30), tricks := np.full((30, 5, 4), 7, np.int8), tricks)
        store.close()
    monkeypatch.setenv("DEALERKIT_STORE", str(paths[0]))
    return paths


def test_merge_verify_and_export(command: Callable, stores: list[Path], tmp_path: Path) -> None:
    assert "30 deals" in command("store").stdout
    merged = command("store", "merge", stores[1])
    assert merged.returncode == 0 and "30 deals read" in merged.stdout and ": 60 deals" in merged.stdout
    verified = command("store", "verify")
    assert verified.returncode == 0
    assert "60 deals, 1,200 results known exactly\n  no fault was found" in verified.stdout
    assert "60 deals written" in command("store", "export", tmp_path / "copy.sqlite").stdout
    assert "60 deals" in repr(Store(tmp_path / "copy.sqlite"))
    command("store", "export", tmp_path / "solved.pbn")
    read = dk.read(tmp_path / "solved.pbn").deals
    assert len(read) == 60 and (read.tables == 7).all()


def test_verification_as_json(command: Callable, stores: list[Path]) -> None:
    printed = json.loads(command("store", "verify", "--json").stdout)
    assert printed["tables"][0]["rows"] == [{"file": str(stores[0]), "deals": 30, "results": 600}]
    assert (printed["verdict"], printed["notes"]) == ("no fault was found", [])
    shown = json.loads(command("store", "--json").stdout)["tables"][0]["rows"]
    assert [(row["file"], row["deals"]) for row in shown] == [(str(stores[0]), 30)]
    assert 0 < shown[0]["size"] < shown[0]["limit"] == 2000
    merged = json.loads(command("store", "merge", stores[1], "--json").stdout)
    assert merged["verdict"] == "30 deals read" and merged["tables"][0]["rows"][0]["deals"] == 60


def test_verify_reports_damage(command: Callable, stores: list[Path]) -> None:
    content = bytearray(stores[1].read_bytes())
    words = encode_deals(deal_range(1, 0, 1))
    content[content.index(words[0].tobytes() + words[1].tobytes()) + 20] ^= 1
    stores[1].write_bytes(content)
    done = command("store", "verify", stores[1])
    assert done.returncode == 1 and "has changed on disk" in done.stdout and "29 deals" in done.stdout
    printed = json.loads(command("store", "verify", stores[1], "--json").stdout)
    assert printed["tables"][0]["rows"][0]["deals"] == 29 and "has changed on disk" in printed["notes"][0]


def test_mistakes(
    command: Callable, stores: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text").write_text("no store")
    for words, message in [
        (("verify", tmp_path / "text"), "it is not a store of dealerkit"),
        (("verify", tmp_path / "absent"), "there is no such file"),
        (("merge", stores[0]), "this is the store itself"),
        (("export", tmp_path / "deals.unknown"), "unknown"),
    ]:
        done = command("store", *words)
        assert done.returncode == 2 and message in done.stderr, done.stderr
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    assert "the store is off" in command("store", "merge", stores[0]).stderr

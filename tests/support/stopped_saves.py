"""Stops of a call at a save of its checkpoint, as a kill there would stop it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dealerkit.runtime import checkpoints


def stop_after(monkeypatch: pytest.MonkeyPatch, n_saves: int, error: type[BaseException]) -> None:
    """Save after each batch or step, and raise an error after some of these saves."""
    monkeypatch.setattr(checkpoints, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(checkpoints, "SAVE_SHARE", float("inf"))
    save, saved = checkpoints.CheckpointFile.save, []

    def save_and_stop(self: checkpoints.CheckpointFile, describe: Callable) -> None:
        save(self, describe)
        saved.append(0)
        if len(saved) == n_saves:
            raise error

    monkeypatch.setattr(checkpoints.CheckpointFile, "save", save_and_stop)

"""Damaged files of results: only errors of dealerkit, in time, and tables that can be shown."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from tests.formats.test_mutations import limits, mutate  # noqa: F401 - a fixture
from tests.support import events

FILES: dict[str, Callable[[], str]] = {
    "event.pbn": events.make_pbn,
    "event.csv": events.make_csv,
    "event.xml": events.make_usebio,
    "match.lin": lambda: events.MATCH,
}


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("n_files", [20, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", list(FILES))
def test_changed_files(name: str, n_files: int, rng: np.random.Generator, tmp_path: Path) -> None:
    content, path, n_read = FILES[name]().encode(), tmp_path / name, 0
    for number in range(n_files):
        path.write_bytes(mutate(content, rng, 0))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dk.DealerkitWarning)
            try:
                read = dk.results(path)
                read.to_text()
                if number % 50 == 0:
                    read.to_html()
            except dk.DealerkitError as error:
                assert len(str(error)) < 2000
            else:
                n_read += len(read.results) > 0
    print(f"{name}: {n_files:,} changed files, {n_read:,} of them have results")
    assert n_read > n_files / 50

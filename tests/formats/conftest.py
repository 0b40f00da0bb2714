"""Fixtures of the tests of formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.formats import pavlicek_deals


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ignore the warning about skipped boards, which most tests of formats cause; others expect it."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore::dealerkit.SkippedWarning"))


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., dk.Library]:
    """A function that reads a text or bytes as a PBN file."""

    def read_text(text: str | bytes, **options) -> dk.Library:
        path = tmp_path / "some.pbn"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return dk.read(path, **options)

    return read_text


@pytest.fixture(scope="session")
def make_library_deals() -> Callable[[int, int], dk.Deals]:
    """A function that returns deals of Pavlicek's library with tables that are made up."""

    def make_deals(first: int, count: int) -> dk.Deals:
        deals = pavlicek_deals(first, count)
        return deals.replace(tables=make_tables(deals.hands))

    return make_deals


def make_tables(hands: np.ndarray) -> np.ndarray:
    """Return plausible tables: a trick for each 2.4 points above half of them, and for each trump above half."""
    ranks = [(np.uint64(0x1000_1000_1000_1000 >> k), 4 - k) for k in range(4)]
    points = sum(value * np.bitwise_count(hands & cards).astype(int) for cards, value in ranks)
    suits = [
        np.bitwise_count(hands >> np.uint64(shift) & np.uint64(0x1FFF)).astype(int)
        for shift in (48, 32, 16, 0)
    ]
    base = 6.5 + (points[:, 0] + points[:, 2] - 20) / 2.4
    tricks = np.stack([*(base + 0.8 * (suit[:, 0] + suit[:, 2] - 6.5) for suit in suits), base], axis=1)
    tricks = np.clip(np.rint(tricks), 0, 13).astype(np.int8)
    return np.stack([tricks, 13 - tricks, tricks, 13 - tricks], axis=2)

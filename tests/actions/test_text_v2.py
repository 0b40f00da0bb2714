"""Text of dialect v2 for scripts in data/scripts/v2.

The expected texts follow the reference of the language, sections 2.2, 3.14 and 5; they were not printed by dealerkit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import dealerkit as dk

ROOT = Path(__file__).parent
SCRIPTS = sorted((ROOT.parents[1] / "data" / "scripts" / "v2").glob("*.dealer"))
PARAMS = {"variables": ("north", "5xxx - (5332) + (4432)", "hcp(south) - 2*7%4", '"value: "')}


def test_each_script_has_an_expected_text() -> None:
    expected = {path.stem for path in (ROOT / "golden").glob("*.txt")}
    assert {path.stem for path in SCRIPTS} == expected and len(expected) >= 4


@pytest.mark.parametrize("stream", ["uniform", "classic"])
@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_the_text_is_as_expected(path: Path, stream: str) -> None:
    result = dk.run(
        path, dialect="v2", params=PARAMS.get(path.stem, ()), stream=stream, seed=1, statistics=False
    )
    expected = (ROOT / "golden" / f"{path.stem}.txt").read_text()
    assert result.text.rstrip("\n").splitlines() == expected.rstrip("\n").splitlines()

"""Compiled code on disk: it is loaded from there, and compiled again if it cannot be read."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dealerkit.compiled import kernel

SOURCE = """
def double(values):
    for i in range(values.size):
        values[i] *= 2
"""


def double(path: Path) -> Any:
    """Return the function of a module, compiled as in a new process."""
    spec = importlib.util.spec_from_file_location("doubling", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return kernel(module.double)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    module = tmp_path / "doubling.py"
    module.write_text(SOURCE)
    return module


def call_with_range(function: Any) -> list[int]:
    values = np.arange(4)
    function(values)
    return values.tolist()


def test_the_second_start_compiles_nothing(path: Path) -> None:
    first, second = double(path), double(path)
    assert call_with_range(first) == call_with_range(second) == [0, 2, 4, 6]
    assert sum(first.stats.cache_misses.values()) == 1
    assert sum(second.stats.cache_hits.values()) == 1 and not second.stats.cache_misses


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("text", [b"", b"nonsense", None])
def test_a_damaged_file_is_replaced(path: Path, suffix: str, text: bytes | None) -> None:
    call_with_range(double(path))
    (damaged,) = path.parent.rglob(f"*.{suffix}")
    content = damaged.read_bytes()
    damaged.write_bytes(content[: len(content) // 2] if text is None else text)
    assert call_with_range(double(path)) == [0, 2, 4, 6]
    again = double(path)
    assert call_with_range(again) == [0, 2, 4, 6] and sum(again.stats.cache_hits.values()) == 1


def test_a_start_that_compiles_nothing_loads_no_compiler_tables() -> None:
    """numba imports its modules for linear algebra and text only for compilation."""
    code = (
        "import sys, dealerkit as dk; dk.deal(10, seed=1);"
        "print('numba.np.linalg' in sys.modules, 'numba.typed.typeddict' in sys.modules)"
    )
    for _ in range(2):  # the first may have to compile
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False"]

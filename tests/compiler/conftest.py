"""Fixtures of the tests of the compiler."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
sys.path.insert(0, HERE)
try:
    from interpreter import Interpreter
finally:
    sys.path.remove(HERE)


@pytest.fixture(scope="session")
def interpreter() -> type[Interpreter]:
    """The class of the second evaluator."""
    return Interpreter

"""Fixtures that all tests share."""

from __future__ import annotations

import os
import shutil
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

collect_ignore = ["benchmarks", "fuzz/junk.py", "fuzz/run.py"]  # programs, run on demand

os.environ.pop("COLUMNS", None)  # of the program that runs the tests: texts are as wide as in a pipe

# The only profile; a test sets at most the number of its examples and their database. On a busy machine an example
# may take any time, the first one also loads the language and machine code, and whole scripts are large on purpose.
settings.register_profile(
    "dealerkit",
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("dealerkit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure no coverage in tests of random examples: it would be different in each run, and they take long."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.no_cover)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator seeded from the test's own name: stable, and different for each test."""
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures of a test; tests without figures do not import matplotlib."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True)
def reset_appearance():
    """Reset what a test has set of the appearance of all HTML."""
    yield
    if "dealerkit.appearance.html" in sys.modules:
        sys.modules["dealerkit.appearance.html"].set_appearance()


@pytest.fixture(scope="session")
def dealer_program() -> str:
    """Path of the program `dealer` as Debian ships it (package dealer); skips where it is missing."""
    path = shutil.which("dealer", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/games")))
    if path is None:
        pytest.skip("the program dealer is not installed (Debian package dealer)")
    return path


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference values, each file with its source in README.md there."""
    return Path(__file__).parent / "reference"

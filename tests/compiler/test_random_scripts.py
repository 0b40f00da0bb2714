"""Runs of random scripts on the classic streams, with `rnd` in every place, compared with plain Python and `dealer`."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import registry
from dealerkit.actions import AverageReport
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import find_rules
from dealerkit.language.parser import parse_script

pytestmark = pytest.mark.no_cover  # random scripts

HERE = str(Path(__file__).parent)
sys.path.insert(0, HERE)
try:
    import plain_run
    import random_scripts
finally:
    sys.path.remove(HERE)

CHUNK = 500  # scripts of one slow test
N_CHUNKS = 40
TEXT_ACTIONS = ("average", "frequency", "bktfreq")


@pytest.fixture(scope="module", autouse=True)
def own_function() -> Iterator[None]:
    """Register the user's function of the scripts."""

    @dk.function(random_scripts.OWN_FUNCTION, low=0, high=13)
    def count_low_cards(deals: dk.Deals, seat: int) -> np.ndarray:
        return np.bitwise_count(deals.hands[:, seat] & np.uint64(0x00FF00FF00FF00FF)).astype(int)

    yield
    registry.unregister(random_scripts.OWN_FUNCTION)


@pytest.fixture(scope="module")
def dealer() -> str | None:
    """Path of the program `dealer`, whose texts are compared too where it is installed."""
    return shutil.which("dealer", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/games")))


@functools.cache
def deal_uniformly(seed: int) -> list[list[int]]:
    """Return the hands of the first deals of the uniform stream."""
    return dk.deal(random_scripts.MAX_DEALS, seed=seed).hands.tolist()


def run_script(script: random_scripts.RandomScript, parsed: dk.Script, stream: str) -> dk.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dk.run_script(
            parsed, dk.RunOptions(seed=script.seed, dialect=script.dialect, stream=stream, swap=script.swap,
            threads=script.threads, statistics=False, keep="all", progress=False,
            plan=script.plan)
        )  # fmt: skip


def count_rows(values: list, low: float, high: float, size: float) -> list[int]:
    """Return the row of each value in a table: 0 below `low`, then the buckets, then above."""
    n_buckets = 1 + int((high - low) / size + 1e-9)
    last = n_buckets + 1
    return [min(max(int(np.floor((value - low) / size + 1e-9)), -1) + 1, last) for value in values]


def compare_report(report, action, columns: list[list]) -> str | None:
    """Return how a report differs from the values of its action's expressions; None if it does not."""
    if isinstance(report, AverageReport):
        mean = float(np.mean(np.array(columns[0], float))) if columns[0] else float("nan")
        if report.n == len(columns[0]) and report.mean.value == pytest.approx(
            mean, rel=1e-9, abs=1e-9, nan_ok=True
        ):
            return None
        return f"average of {report.title}: {report.n} {report.mean.value}, expected {len(columns[0])} {mean}"
    width = 3 if action.name == "frequency" else 4
    axes = []
    for first in range(0, len(action.arguments), width):
        numbers = [part.value for part in action.arguments[first + 1 : first + width]]
        axes.append((*numbers, 1) if width == 3 else tuple(numbers))
    rows = [count_rows(values, *axis) for values, axis in zip(columns, axes, strict=True)]
    expected = np.zeros([1 + int((high - low) / size + 1e-9) + 2 for low, high, size in axes], int)
    for place in zip(*rows, strict=True):
        expected[place] += 1
    if np.array_equal(report.counts, expected):
        return None
    return f"{action.name} {report.title}: {report.counts.tolist()}, expected {expected.tolist()}"


def compare(
    script: random_scripts.RandomScript, dealer: str | None = None, stream: str = "classic"
) -> str | None:
    """Return a script with how its run differs from the plain run and from `dealer`; None if it does not.

    The result is "refused" for a script of dialect modern with a mistake.
    """
    try:
        difference = find_difference(script, dealer, stream)
    except Exception as error:
        raise AssertionError(str(script)) from error
    return difference if difference in (None, "refused") else f"{script}{difference}"


def find_difference(
    script: random_scripts.RandomScript, dealer: str | None = None, stream: str = "classic"
) -> str | None:
    parsed = parse_script(script.text, find_rules(script.dialect))
    program = check_script(parsed)
    result = error = None
    if stream == "classic":
        source = plain_run.create_stream(program, script.seed, script.swap)
    else:
        source = plain_run.GivenDeals(deal_uniformly(script.seed))
    try:
        plain = plain_run.run_plainly(program, source)
    except dk.ArgumentError:  # a score of too many tricks
        with pytest.raises(dk.ArgumentError, match="scores are only computed"):
            run_script(script, parsed, stream)
        return "refused"
    try:
        result = run_script(script, parsed, stream)
    except dk.EvaluationError as failure:
        error = failure
    except dk.ScriptError as failure:
        assert script.dialect == "modern", failure
        return "refused"
    if result is None or plain.error is not None:
        kind, number = plain.error or (None, 0)
        if type(error) is not kind or f"(deal {number} of the run)" not in str(error):
            return f"error {error!r}, expected {plain.error}"
    else:
        difference = compare_deals(result, plain) or compare_actions(program, result, plain)
        if difference:
            return difference
    if (
        dealer is None or script.dialect != "v1" or "tricks" in script.text
    ):  # for them dealer needs another program
        return None
    return compare_with_dealer(script, None if result is None else result.text, plain, dealer)


def compare_deals(result: dk.Result, plain: plain_run.PlainRun) -> str | None:
    """Return how the deals of a run differ from those of the plain run, else None."""
    if (result.produced, result.generated) != (len(plain.hands), plain.generated):
        return f"produced {result.produced} of {result.generated}, expected {len(plain.hands)} of {plain.generated}"
    if result.numbers.tolist() != plain.numbers:
        return f"deals {result.numbers.tolist()}, expected {plain.numbers}"
    return None if result.deals.hands.tolist() == plain.hands else "other deals"


def compare_actions(program, result: dk.Result, plain: plain_run.PlainRun) -> str | None:
    """Return how the reports, the text or the frame differ from the plain run, else None."""
    reports = iter(result.reports)
    for k, action in enumerate(program.actions):
        if action.name in TEXT_ACTIONS:
            columns = [
                [row[k][j] for row in plain.values] for j in range(len(plain_run.find_expressions(action)))
            ]
            difference = compare_report(next(reports), action, columns)
            if difference:
                return difference
    if not result.text.startswith(plain.text):
        return f"text\n{result.text}expected\n{plain.text}"
    return compare_frame(program, result, plain)


def compare_frame(program, result: dk.Result, plain: plain_run.PlainRun) -> str | None:
    """Return how the columns of the frame with labels differ from the plain run, else None."""
    try:
        frame = result.to_frame()
    except dk.EvaluationError as error:  # a variable that no action uses
        assert "has no value" in str(error)
        return None
    for k, action in enumerate(program.actions):
        if action.label is None or len(plain_run.find_expressions(action)) > 1:
            continue
        values = [row[k][0] for row in plain.values]
        if frame[action.label].tolist() != pytest.approx(values, rel=1e-9, abs=1e-9):
            return f"column {action.label}: {frame[action.label].tolist()}, expected {values}"
    return None


def compare_with_dealer(script, text: str | None, plain: plain_run.PlainRun, dealer: str) -> str | None:
    """Return how the text of a run, or None where it fails, differs from that of `dealer`, else None."""
    switches = ["-v", "-s", str(script.seed), *([f"-{script.swap}"] if script.swap else [])]
    theirs = subprocess.run(
        [dealer, *switches], input=script.text, capture_output=True, encoding="utf-8", timeout=60
    )
    if text is None:
        return None if theirs.returncode == -signal.SIGFPE else f"an error, expected {theirs}"
    large = 2**31 / max(len(plain.hands), 1)
    if any(abs(value) > large for row in plain.values for part in row for value in part):
        return None  # dealer adds and subtracts values of averages and tables in 32 bits
    if theirs.returncode:
        return f"{text}, expected {theirs}"
    return None if text == theirs.stdout else f"text\n{text}expected\n{theirs.stdout}"


def check_scripts(numbers: range, dealer: str | None) -> None:
    """Check the scripts of some numbers with `rnd` on the classic streams."""
    _check(numbers, lambda number: compare(random_scripts.write_script(number), dealer))


def check_uniform_scripts(numbers: range) -> None:
    """Check the scripts of some numbers without `rnd` on the uniform stream."""
    _check(numbers, lambda number: compare(random_scripts.write_script(number, False), stream="uniform"))


def _check(numbers: range, compare_script: Callable[[int], str | None]) -> None:
    n_refused = 0
    for number in numbers:
        try:
            difference = compare_script(number)
        except Exception as error:
            raise AssertionError(f"random script {number}: {error!r}") from error
        n_refused += difference == "refused"
        assert difference in (None, "refused"), f"random script {number}: {difference}"
    assert n_refused <= len(numbers) / 20


@pytest.mark.parametrize("dialect", ["v1", "v2", "modern"])
@pytest.mark.parametrize(
    "expression",
    [
        "rnd(0 - 5)", "rnd(rnd(3) - 5)",  # towards 0
        "rnd(rnd(3))", "rnd(rnd(rnd(9)) + rnd(2))", "average rnd(rnd(3))",  # DealerV2 evaluates the limit twice
        "rnd(hcp(north) - hcp(north))", "rnd(imps(rnd(300)))", "rnd(hcp(north) > rnd(20) ? rnd(3) : clubs(east))",
    ],
)  # fmt: skip
def test_limits_of_rnd(expression: str, dialect: str, dealer: str | None) -> None:
    text = f"generate 60 condition {expression.removeprefix('average ')} < 100 action "
    text += expression if "average" in expression else f"printes({expression}, \\n)"
    assert not compare(random_scripts.RandomScript(text, dialect, seed=5, swap=0, threads=1), dealer)


@pytest.mark.parametrize("stream", ["classic", "uniform"])
def test_products_with_the_number_of_the_deal_wrap(stream: str) -> None:
    text = (
        'generate 9 action average "a" (2147483647 - hcp(north)) * rnd(0), printes(1000000007 * rnd(0), \\n)'
    )
    assert not compare(random_scripts.RandomScript(text, "v2", seed=5, swap=0, threads=1), stream=stream)


def test_runs_equal_plain_runs(dealer: str | None) -> None:
    check_scripts(range(200), dealer)


def test_runs_on_the_uniform_stream_equal_plain_runs() -> None:
    check_uniform_scripts(range(100))


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(N_CHUNKS))
def test_many_runs_equal_plain_runs(chunk: int, dealer: str | None) -> None:
    first = 1000 + chunk * CHUNK
    check_scripts(range(first, first + CHUNK), dealer)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(8))
def test_many_runs_on_the_uniform_stream_equal_plain_runs(chunk: int) -> None:
    first = 1000 + chunk * CHUNK
    check_uniform_scripts(range(first, first + CHUNK))

"""One check by its number, of each family: returns "ok", "refused" (an error of dealerkit) or what is wrong."""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import dealerkit as dk
from dealerkit.actions import AverageReport
from dealerkit.formats.format import find_formats
from dealerkit.language.checks import check_script

ROOT = Path(__file__).parents[2]
FOLDERS = [
    str(ROOT),
    str(ROOT / "tests" / "compiler"),
]  # run.py is a program: pytest has not prepared its path
FOLDERS.append(str(ROOT / "tests" / "fuzz"))
sys.path[:0] = FOLDERS
try:
    import hostile
    import plain_run
    from random_scripts import OWN_FUNCTION, RandomScript
    from random_scripts import write_script as write_random_script
    from test_random_scripts import (
        compare_deals,
        compare_report,
        compare_with_dealer,
        find_difference,
        run_script,
    )

    from tests.bidding import test_random_systems as random_systems
    from tests.support.files import FORMATS, build_file, damage_bytes
    from tests.support.scripts import DIALECTS, TOKENS, ScriptWriter, damage_text
finally:
    del sys.path[: len(FOLDERS)]

OK, REFUSED = "ok", "refused"
MAX_SECONDS = 20.0  # of processor time for one check
N_DEALS = 64
DEALER = shutil.which("dealer", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/games")))
VOLATILE = re.compile(r'^(\[(Event|Date) ".*"\]|Initial random seed.*|Time needed.*)$', re.MULTILINE)
OPTIONS = {"threads": 1, "progress": False}


class TooSlow(BaseException):
    """A check that takes longer than `MAX_SECONDS`."""


@contextlib.contextmanager
def time_limit() -> Iterator[None]:
    """Raise `TooSlow` after `MAX_SECONDS` of the processor; end the process if C code hangs."""

    def stop(*_: object) -> None:
        raise TooSlow

    has_timer = hasattr(signal, "setitimer")  # Windows has none
    if has_timer:
        before = signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    faulthandler.dump_traceback_later(600, exit=True)
    try:
        yield
    finally:
        if has_timer:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
        faulthandler.cancel_dump_traceback_later()


def check(family: str, number: int) -> str:
    """Return the result of a check; an exception or a warning that is not dealerkit's is a finding."""
    started = time.process_time()
    try:
        with time_limit(), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", dk.DealerkitWarning)
            return FAMILIES[family](random.Random(f"{family} {number}"))
    except dk.DealerkitError as error:
        return REFUSED if str(error).strip() else f"an error without a message: {error!r}"
    except TooSlow:
        return f"no end after {time.process_time() - started:.0f} s"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:300]} ({Path(place.filename).name}:{place.lineno})"


# ------------------------------------------------------------ scripts
def write_script(rng: random.Random) -> tuple[str, str]:
    dialect = rng.choice(DIALECTS)
    return ScriptWriter(rng.randrange, dialect, depth=rng.choice((1, 2, 2, 3))).write_script(), dialect


def run_twice(text: str, dialect: str, seed: int) -> str:
    """Return how the run of a stream differs from one on the same deals as a source, else "ok".

    The first deals only the seats that it needs, in stages; the second evaluates arrays of whole deals.
    """
    common = {"dialect": dialect, "statistics": False, "keep": "all", "plan": "plain", **OPTIONS}
    limits = {"generate": N_DEALS, "produce": N_DEALS}
    settings = [line for line in text.splitlines() if line.startswith(("predeal", "seed"))]
    every = dk.run("\n".join([*settings, "action average 1"]), seed=seed, **limits, **common)
    without = "\n".join(line for line in text.splitlines() if line not in settings)
    results, errors = [], []
    for script, source in ((text, {"seed": seed}), (without, {"source": every.deals})):
        try:
            results.append(dk.run(script, **source, **limits, **common))
        except dk.DealerkitError as error:
            errors.append(error)
    if errors:
        same = len(errors) == 2 and type(errors[0]) is type(errors[1])
        return REFUSED if same else f"one of two runs fails: {errors!r:.400}"
    return compare_results(*results, same_ends=not any(line.startswith("predeal") for line in settings))


def compare_results(first: dk.Result, second: dk.Result, same_ends: bool) -> str:
    """Return what differs between two runs, else "ok".

    Intervals end where predealt cards limit the values, and the standard error of rare values depends on these
    limits; a source of deals has no predealt cards.
    """
    if first.deals.to_pbn() != second.deals.to_pbn():
        return f"other deals: {len(first.deals)} and {len(second.deals)}"
    texts = [VOLATILE.sub("", result.text) for result in (first, second)]
    if texts[0] != texts[1] and same_ends and " exact " not in first.text:  # given deals have no exact shares
        return f"other texts: {texts[0]!r:.300} and {texts[1]!r:.300}"
    for mine, other in zip(first.reports, second.reports, strict=True):
        frames = [
            report.frame if same_ends else report.frame.drop(columns=["se", "lo", "hi"], errors="ignore")
            for report in (mine, other)
        ]
        if not frames[0].equals(frames[1]):
            return f"other reports: {mine.frame} and {other.frame}"
    return OK


def check_uniform(rng: random.Random) -> str:
    return run_twice(*write_script(rng), rng.randrange(1, 1000))


def write_classic_script(rng: random.Random) -> RandomScript | None:
    """Return a script for a classic stream, or None if it predeals lengths, which the plain stream has not."""
    dialect = rng.choice(DIALECTS)
    writer = ScriptWriter(rng.randrange, dialect, depth=rng.choice((1, 2, 2)), rnd=True)
    lines = [f"generate {N_DEALS}", f"produce {N_DEALS}", *writer.write_script().splitlines()]
    lines = [line for line in lines if not line.startswith("seed")]
    if any("==" in line for line in lines if line.startswith("predeal")):
        return None
    text = "\n".join(lines).replace("printpbn", "printew") + "\n"  # dealer adds the time to the former
    return RandomScript(text, dialect, rng.randrange(1, 1000), rng.choice((0, 0, 2, 3)), 1)


def check_classic(rng: random.Random) -> str:
    """Compare a run on a classic stream, a kernel's, with one in plain Python; in dialect v1 with dealer too."""
    if (script := write_classic_script(rng)) is None:
        return REFUSED
    parsed = dk.parse(script.text, dialect=script.dialect)
    program = check_script(parsed)
    plain = plain_run.run_plainly(program, plain_run.create_stream(program, script.seed, script.swap))
    try:
        result = run_script(script, parsed, "classic")
    except dk.EvaluationError as error:
        same = plain.error is not None and f"(deal {plain.error[1]} of the run)" in str(error)
        return OK if same else f"{error!r}, expected {plain.error}"
    if plain.error is not None:
        return f"no error, expected {plain.error}"
    if difference := compare_deals(result, plain):
        return difference
    for k, (action, report) in enumerate(zip(program.actions, result.reports, strict=False)):
        if len(result.reports) == len(program.actions) and isinstance(report, AverageReport):
            values = [[row[k][0] for row in plain.values]]
            if difference := compare_report(report, action, values):
                return difference
    difference = (
        compare_with_dealer(script, result.text, plain, DEALER) if DEALER and script.dialect == "v1" else None
    )
    return difference or OK


def check_random(rng: random.Random) -> str:
    """The same for scripts with `rnd` in every place, with their texts and tables."""
    script = write_random_script(rng.randrange(1 << 60), rng.random() < 0.7)
    if OWN_FUNCTION in script.text:
        return REFUSED
    return find_difference(script, DEALER if script.dialect == "v1" else None) or OK


def check_shares(rng: random.Random) -> str:
    """Compare deals that are dealt conditionally with accepted ones, by means of lengths and points."""
    condition = ScriptWriter(rng.randrange, "modern", depth=2).write_condition()
    means = []
    for plan in ("conditional", "plain"):
        try:
            result = dk.run(
                condition, produce=400, generate=100_000, seed=rng.randrange(1000), plan=plan, keep="all",
                statistics=False, **OPTIONS,
            )  # fmt: skip
        except dk.ArgumentError:
            return REFUSED  # nothing can be dealt conditionally
        if len(result.deals) < 100:
            return OK
        columns = [result.deals.eval(f"{name}({seat})").astype(float)
                   for name in ("hcp", "spades", "hearts", "diamonds") for seat in ("north", "east", "south")]  # fmt: skip
        means.append([(column.mean(), column.var(ddof=1) / len(column)) for column in columns])
    for (a, va), (b, vb) in zip(*means, strict=True):
        if abs(a - b) > 6.5 * max(va + vb, 1e-4) ** 0.5:  # less than once in 10^9 scripts
            return f"other means: {means} of {condition}"
    return OK


def check_damaged(rng: random.Random) -> str:
    text, dialect = write_script(rng)
    stream = rng.choice(("uniform", "classic"))
    dk.run(
        damage_text(rng.randrange, text),
        generate=30,
        seed=1,
        dialect=dialect,
        stream=stream,
        keep=0,
        **OPTIONS,
    )
    return OK


def check_jumble(rng: random.Random) -> str:
    text = " ".join(rng.choices(TOKENS, k=rng.randrange(30)))
    dk.run(text, generate=30, seed=1, dialect=rng.choice(DIALECTS), keep=0, **OPTIONS)
    return OK


def check_printing(rng: random.Random) -> str:
    """The text that a parsed expression is printed as has the same values."""
    text = ScriptWriter(rng.randrange, "modern").write_expression()
    values = sample_deals().eval(text)
    for k in rng.sample(range(len(sample_deals())), 2):
        alone = sample_deals()[k : k + 1].eval(text)
        if not np.array_equal(alone, values[k : k + 1], equal_nan=alone.dtype.kind == "f"):
            return f"{text}: {alone} of deal {k} alone, {values[k]} among others"
    dk.explain(f"condition {text}", deals=10) if rng.random() < 0.02 else None
    return OK


@functools.cache
def sample_deals() -> dk.Deals:
    return dk.deal(200, seed=11)


# ------------------------------------------------------------ files
def read_content(data: bytes, format: str) -> dk.Library:
    path = os.path.join(scratch(), "deals" + find_formats()[format].suffixes[0])
    with open(path, "wb") as file:
        file.write(data)
    return dk.read(path, **({"first": 0} if format == "zdd" else {}))


@functools.cache
def scratch() -> str:
    return tempfile.mkdtemp(prefix="dealerkit-fuzz-")


def check_files(rng: random.Random) -> str:
    """A file is read, written, and read again with the same deals."""
    format = rng.choice(FORMATS)
    deals = read_content(build_file(rng.randrange, format), format).deals
    if find_formats()[format].write is None:
        return OK
    path = os.path.join(scratch(), "again" + find_formats()[format].suffixes[0])
    deals.write(path)
    with open(path, "rb") as file:
        again = read_content(file.read(), format).deals
    os.unlink(path)
    same = again.to_pbn() == deals.to_pbn() and (
        format != "zdd" or np.array_equal(again.tables, deals.tables)
    )
    return OK if same else "other deals after writing"


def check_damaged_files(rng: random.Random) -> str:
    format = rng.choice(FORMATS)
    data = damage_bytes(rng.randrange, build_file(rng.randrange, format))
    library = read_content(data, format)
    deals = library.deals
    library.frame  # noqa: B018  (other columns of the file)
    cards = np.bitwise_or.reduce(deals.hands, axis=1) if len(deals) else np.array([], np.uint64)
    whole = (cards == np.uint64(0x1FFF1FFF1FFF1FFF)).all() and (np.bitwise_count(deals.hands) == 13).all()
    return OK if whole else f"deals of {format} that are none"


# ------------------------------------------------------------ bidding
@functools.cache
def find_sayc() -> dk.System:
    return dk.system("sayc")


def check_system(rng: random.Random) -> str:
    """A random or damaged system file: read, checked, its frequencies, and an auction by it."""
    return OK if random_systems.try_system(random_systems.write_system(rng), rng) else REFUSED


def check_auction(rng: random.Random) -> str:
    """Random words as an auction; its condition is a script of the language."""
    text, dealer = random_systems.write_auction(rng), rng.randrange(4)
    dk.parse(dk.auction(text, find_sayc(), dealer, defence=find_sayc()).condition)
    return OK


FAMILIES: dict[str, Callable[[random.Random], str]] = {
    "uniform": check_uniform, "classic": check_classic, "random": check_random, "shares": check_shares,
    "damaged": check_damaged, "jumble": check_jumble, "expressions": check_printing, "files": check_files,
    "damaged-files": check_damaged_files, "untrusted": hostile.check_untrusted,
    "results": functools.partial(hostile.check_saved, kind="results"),
    "checkpoints": functools.partial(hostile.check_saved, kind="checkpoints"),
    "systems": check_system, "auctions": check_auction,
}  # fmt: skip

"""Any text as a script ends soon, with a result or a DealerkitError, and in no other way."""

from __future__ import annotations

import contextlib
import signal
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from dealerkit import DealerkitError, run
from dealerkit.compiler.compilation import compile_script
from dealerkit.language.dialects import find_rules
from dealerkit.planning import make_plan

pytestmark = pytest.mark.no_cover  # random scripts

DIALECTS = ("modern", "v1", "v2")
MAX_SECONDS = 9.0  # of processor time; one is enough on an idle machine
TIMEOUT = 10.0  # seconds after which a script is taken to run forever
ROOT = Path(__file__).parents[2]


def _texts() -> list[str]:
    """Return scripts to change: those of the tests, and the old program's where it is installed."""
    files = [
        *(ROOT / "data" / "scripts").glob("*.dealer"),
        *Path("/usr/share/doc/dealer/examples").glob("Descr.*"),
    ]
    return [path.read_text(encoding="latin-1") for path in sorted(files)]


SCRIPTS = _texts()
TOKENS = """
    north east south west NS EW ns ew nv vul none both all spades hearts diamonds clubs club notrump NT
    hcp hcps pt0 pt9 tens losers ltc controls quality cccc score imps hascard shape any rnd dds par opc trix
    tricks usereval parcontract min max fit board deal and or not && || ! == != < <= > >= + - * / % ? : =
    ( ) , { } generate produce seed title opener startboard dealer vulnerable predeal pointcount altcount
    condition action print printall printpbn printew printns printside printcompact printoneline printes
    average frequency bktfreq evalcontract csvrpt printrpt export a b x v0 SAKQ HK D C2 AS TC 5xxx xx55
    4432 5431 5332 x3N z4Sxx 3NT
    0 1 2 7 13 20 -1 100 12.5 .5 0.29 2147483647 2147483648 9223372036854775807 99999999999999999999
    "text" "a
    b" \\n $0 $1 // # /* */ " ; & | => <> @ [ ] 5+ (5+xxx) M m :
""".replace("\n    b", "_b").split()
TOKENS = [token.replace("_b", "\nb") for token in TOKENS] + [
    "\n", "\r\n", "\r", "\f", "\0", "\ufeff", "\u00a0", "\u2265", "é", "\U0001f0a1", "\ud7ff", "/*", "*/",
    "hcp(north)", "spades(south)", "shape(west, any 4333 + 5xxx)", "shape{east, 5+M(xxx):s>h}", "rnd(6)",
    "action average hcp(north)", "condition hcp(north) > 9", "frequency (hcp(east), 0, 9)", "v = 1", "v",
    'frequency "f" (v, 0, 2147483647)', "bktfreq (v, 0, 1.0, 0.000001)", "predeal spades(west) == 7",
    "altcount 3 1 2 3", "pointcount 4 3 2 1 0.5", "hcp(north) / (hcp(south) - 9)", "board()",
]  # fmt: skip
UNITS = ("not ", "a = ", *"( ! - 1? 1?2: (( shape( hcp( imps( rnd( { 1+( [ /*".split())


def _mutated(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return a text in which some sequences of characters are replaced by tokens."""
    for place, length, token in edits:
        position = place % (len(text) + 1)
        text = text[:position] + token + text[position + length :]
    return text


def _deep(unit: str, times: int, inside: str, closing: str) -> str:
    return f"condition {unit * times}{inside}{closing * times}"


def _chain(operand: str, operator: str, times: int) -> str:
    return f"condition {f' {operator} '.join([operand] * times)}"


def _variables(count: int, operator: str, operand: str) -> str:
    lines = ["v0 = hcp(north)", *(f"v{k} = v{k - 1} {operator} {operand}" for k in range(1, count))]
    return "\n".join([*lines, f"condition v{count - 1} > 3"])


OPERATORS = st.sampled_from("+ - * / % == != < <= > >= and or ? : , !".split())
OPERANDS = st.sampled_from(["1", "0", "2.5", "hcp(north)", "rnd(3)", "(1)", "", "v0", "spades(east)"])
JUMBLES = st.lists(st.sampled_from(TOKENS), max_size=30).map(" ".join)
MUTATIONS = st.builds(
    _mutated,
    st.sampled_from(SCRIPTS),
    st.lists(
        st.tuples(st.integers(0, 1 << 20), st.integers(0, 20), st.sampled_from(TOKENS)),
        min_size=1,
        max_size=4,
    ),
)
DEPTHS = st.builds(
    _deep, st.sampled_from(UNITS), st.integers(1, 3000), OPERANDS, st.sampled_from([")", "", ":0", "}"])
)
CHAINS = st.builds(_chain, OPERANDS, OPERATORS, st.integers(1, 12_000))
VARIABLES = st.one_of(
    st.builds(
        _variables, st.integers(1, 2_000), OPERATORS, OPERANDS.filter(lambda operand: operand != "rnd(3)")
    ),
    st.builds(_variables, st.integers(1, 60), OPERATORS, OPERANDS),
)
SHORT = st.one_of(JUMBLES, JUMBLES, MUTATIONS, MUTATIONS, st.text(max_size=60))
LONG = st.one_of(DEPTHS, CHAINS, VARIABLES)
ENCODINGS = st.sampled_from(
    ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-be", "utf-32", "cp1252", "cp500"]
)
FILES = st.one_of(
    st.builds(lambda text, code: text.encode(code, "replace"), MUTATIONS, ENCODINGS),
    st.binary(max_size=200),
    st.builds(lambda text, tail: text.encode() + tail, st.sampled_from(SCRIPTS), st.binary(max_size=20)),
)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Compile the kernels and load the tables, which `within` does not measure."""
    for dialect in DIALECTS:
        for text in SCRIPTS[:8]:
            with contextlib.suppress(DealerkitError), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run(text, generate=50, seed=1, dialect=dialect, keep=0, threads=1, progress=False)
    run("predeal spades(west) == 7 action printoneline", generate=50, seed=1, threads=1, progress=False)


@contextlib.contextmanager
def within(text: object, seconds: float = MAX_SECONDS) -> Iterator[None]:
    """Fail unless the block ends in time, with or without a DealerkitError."""

    def fail(*_: object) -> None:
        raise AssertionError(f"no end after {TIMEOUT} seconds of the processor: {text!r:.500}")

    alarm = getattr(signal, "SIGPROF", None)  # after seconds of the processor: others may use it too
    if alarm is not None:
        before = signal.signal(alarm, fail)
        signal.setitimer(signal.ITIMER_PROF, TIMEOUT)
    started = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except DealerkitError as error:
        assert str(error).strip(), f"an error without a message: {text!r:.500}"
    finally:
        if alarm is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(alarm, before)
    took = time.process_time() - started
    assert took < seconds, f"{took:.2f} seconds: {text!r:.500}"


def plan(text: str, dialect: str) -> None:
    """Parse, check, compile and plan a script."""
    with within(text):
        make_plan(compile_script(text, find_rules(dialect), params=["north", "5xxx"]))


def play(script: str | Path, dialect: str, stream: str = "uniform") -> None:
    """Run a script with fifty deals."""
    with within(script):
        run(
            script, generate=50, seed=1, params=["north", "5xxx"], dialect=dialect, stream=stream,
            keep=0, threads=1, progress=False,
        )  # fmt: skip


def examples(count: int) -> settings:
    """Return settings for a number of examples; `within` measures their time."""
    return settings(
        max_examples=count,
        database=None,
        phases=[Phase.explicit, Phase.generate],  # making an example smaller takes minutes when it is slow
    )


def test_other_exceptions_and_slow_scripts_fail() -> None:
    """The property fails on an exception of another kind, and on a script that takes too long."""
    with pytest.raises(RecursionError), within("x"):
        raise RecursionError
    end = time.process_time() + 0.2
    with pytest.raises(AssertionError, match="seconds"), within("x", 0.1):
        while time.process_time() < end:
            pass


@given(SHORT, st.sampled_from(DIALECTS))
@examples(300)
def test_some_scripts_run(text: str, dialect: str) -> None:
    play(text, dialect)


@given(LONG, st.sampled_from(DIALECTS))
@example(_chain("0", "==", 4121), "modern")  # no deal can meet it, which is proved
@examples(40)
def test_some_deep_and_long_scripts_run(text: str, dialect: str) -> None:
    play(text, dialect)


@given(FILES)
@examples(60)
def test_some_files_run(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    _play_file(tmp_path_factory, data)


def _play_file(folder: pytest.TempPathFactory, data: bytes) -> None:
    path = folder.getbasetemp() / "fuzz.dealer"
    path.write_bytes(data)
    play(path, "modern")


@pytest.mark.slow
@given(SHORT, st.sampled_from(DIALECTS))
@examples(14_000)
def test_many_scripts_are_planned(text: str, dialect: str) -> None:
    plan(text, dialect)


@pytest.mark.slow
@given(SHORT, st.sampled_from(DIALECTS), st.sampled_from(["uniform", "classic"]))
@examples(5_000)
def test_many_scripts_run(text: str, dialect: str, stream: str) -> None:
    play(text, dialect, stream)


@pytest.mark.slow
@given(LONG, st.sampled_from(DIALECTS))
@examples(400)
def test_many_deep_and_long_scripts_run(text: str, dialect: str) -> None:
    play(text, dialect)


@pytest.mark.slow
@given(FILES)
@examples(1_000)
def test_many_files_run(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    _play_file(tmp_path_factory, data)

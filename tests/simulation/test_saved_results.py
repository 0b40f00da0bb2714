"""Results in files: what is loaded is what was saved; damaged, foreign and newer files are refused."""

from __future__ import annotations

import doctest
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "results.md"
LONG = """\
# title: strong hands
low = hcp(north) / (1 + spades(south)) lucky = rnd(10)
condition hcp(north) >= $points
action average "a, <b>" hcp(south), average spades(east) > 4, average low, frequency (hcp(south), 0, 20),
       bktfreq (100 * cccc(south), 0, 3000, 500), frequency (hcp(east), 0, 9, spades(east), 0, 5), average lucky,
       average rnd(6), print(south), printoneline
"""
TYPES = {"weak": "hcp(south) < 8", "strong": "hcp(south) >= 8 and hcp(north) < 30"}


def _runs() -> dict[str, list[dk.Result]]:
    """Return pairs of results of each kind, which can be combined."""
    sample = dk.solved_sample()[:60]
    weighted = sample.replace(weight=np.linspace(0.25, 1, 60))
    contracts = "action average tricks(north, spades), evalcontract (NS, 3N, vul)"
    options = {"params": {"points": 14}, "produce": 40}
    swapped = LONG.replace("$points", "12").replace("average lucky,", "").replace("average rnd(6), ", "")
    return {
        "plain": [dk.run(LONG, seed=seed, plan="plain", **options) for seed in (1, 2)],
        "conditional": [dk.run(LONG, seed=seed, plan="conditional", **options) for seed in (1, 2)],
        "swapped": [dk.run_script(swapped, dk.RunOptions(seed=seed, swap=2, generate=90)) for seed in (1, 2)],
        "levelled": [
            dk.level("action average spades(south)", TYPES, {"weak": 2}, produce=30, seed=seed)
            for seed in (1, 2)
        ],
        "given": [dk.run(contracts, source=deals) for deals in (weighted[:30], weighted[30:])],
        "old": [
            dk.run("action printpbn, print(north)", produce=2, seed=seed, dialect="v2") for seed in (1, 2)
        ],
    }


@pytest.fixture(scope="module")
def runs() -> dict[str, list[dk.Result]]:
    return _runs()


def _assert_same(result: dk.Result, other: dk.Result) -> None:
    assert (repr(result), result.text, result.seeds) == (repr(other), other.text, other.seeds)
    assert result.probability.to_dict() == other.probability.to_dict()
    assert result.deals.equals(other.deals) and (result.numbers == other.numbers).all()
    assert result.solver == other.solver and result.params == other.params
    assert result.plan.name == other.plan.name
    assert result.conditional_version == other.conditional_version
    for report, again in zip(result.reports, other.reports, strict=True):
        assert report.title == again.title
        pd.testing.assert_frame_equal(report.frame, again.frame)
    pd.testing.assert_frame_equal(result.to_frame(), other.to_frame())


@pytest.mark.parametrize("kind", ["plain", "conditional", "swapped", "levelled", "given", "old"])
def test_loaded_results_are_those_saved_and_can_be_combined(
    kind: str, runs: dict[str, list[dk.Result]], tmp_path: Path
) -> None:
    loaded = []
    for number, result in enumerate(runs[kind]):
        path = tmp_path / f"{number}.zip"
        result.save(path)
        loaded.append(dk.load(path))
        _assert_same(loaded[-1], result)
        if kind == "given":  # the others count exact shares for it, which takes seconds
            assert loaded[-1].to_html() == result.to_html()
    combined = runs[kind][0] + runs[kind][1]
    _assert_same(loaded[0] + loaded[1], combined)
    _assert_same(runs[kind][0] + loaded[1], combined)
    combined.save(tmp_path / "both.zip")
    both = dk.load(tmp_path / "both.zip")
    _assert_same(both, combined)
    with pytest.raises(dk.ArgumentError, match=r"same deals|an earlier one also contains"):
        both + loaded[1]


def test_a_file_is_readable_without_dealerkit(runs: dict[str, list[dk.Result]], tmp_path: Path) -> None:
    (result, _), path = runs["plain"], tmp_path / "study.zip"
    result.save(path)
    with zipfile.ZipFile(path) as file:
        assert file.read("script.dealer").decode() == LONG
        assert file.read("text.txt").decode() == result.text
        frame = pd.read_csv(file.open("reports/1.csv"), index_col=0)
        assert frame["mean"].tolist() == pytest.approx([result["a, <b>"].mean.value])
        assert (np.load(file.open("deals/hands.npy")) == result.deals.hands).all()


def test_exact_shares_are_counted_after_loading_too(tmp_path: Path) -> None:
    result = dk.run("action frequency (hcp(north), 0, 37)", generate=50, seed=1)
    result.save(tmp_path / "study.zip")
    exact = dk.load(tmp_path / "study.zip").reports[0].exact
    assert exact is not None and exact[1] == pytest.approx(0.0036390, abs=5e-7)  # without a point
    assert (exact == result.reports[0].exact).all()


def _change(path: Path, name: str, content: bytes | None) -> None:
    """Replace a member of a zip file, or remove it."""
    with zipfile.ZipFile(path) as file:
        members = {item: file.read(item) for item in file.namelist()}
    members[name] = content or b""
    with zipfile.ZipFile(path, "w") as file:
        for item, data in members.items():
            if item != name or content is not None:
                file.writestr(item, data)


def test_damaged_foreign_and_newer_files(runs: dict[str, list[dk.Result]], tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    runs["swapped"][0].save(path)
    data = path.read_bytes()
    with zipfile.ZipFile(path) as file:
        content = json.loads(file.read("result.json"))
    rng = np.random.default_rng(1)
    for place in rng.integers(0, len(data), 6):  # a byte is changed, or the end is missing
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        try:
            _assert_same(dk.load(path), runs["swapped"][0])  # a date, for example
        except dk.FileError as error:
            assert str(path) in str(error)
        path.write_bytes(data[:place])
        with pytest.raises(dk.FileError, match="not a saved result, or a damaged one .* Result.save wrote"):
            dk.load(path)
    for changes, message in (
        ({"format": "other"}, "this zip file is not a saved result; give a file that Result.save wrote"),
        ({"version": 2}, "saved by dealerkit .* in version 2 .* install the newest dealerkit"),
        ({"produced": "many"}, "the saved result is damaged .* use a copy"),
        ({"script": "action average triple(north)"}, r"cannot be read here \(.*triple.*@dk.function"),
        ({"script": "action"}, "its actions are not those of its script"),
        ({"record": {}}, "damaged"),
        ({"numbers": "text.txt"}, "damaged"),
        ({"dialect": "v7"}, "damaged"),
    ):
        path.write_bytes(data)
        _change(path, "result.json", json.dumps(content | changes).encode())
        with pytest.raises(dk.FileError, match=message):
            dk.load(path)
    for name in ("deals/hands.npy", "state/0.npy", "text.txt", "result.json"):
        path.write_bytes(data)
        _change(path, name, None)
        with pytest.raises(dk.FileError, match=r"damaged|not a saved result"):
            dk.load(path)
    path.write_text("[Event]")
    with pytest.raises(dk.FileError, match=r"not a saved result.*dk\.read reads files of deals"):
        dk.load(path)
    with pytest.raises(dk.FileError, match="No such file"):
        dk.load(tmp_path / "none.zip")
    with pytest.raises(dk.FileError, match="folder"):
        runs["old"][0].save(tmp_path)
    for wrong in (None, 3):
        with pytest.raises(dk.ArgumentError, match="give the name of a file"):
            dk.load(wrong)  # type: ignore[arg-type]
        with pytest.raises(dk.ArgumentError, match="give the name of a file"):
            runs["old"][0].save(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': (",
        "{'descr': '<i8', 'shape': (3",
        "'" * 3,
        "(" * 900,
        "{'descr': '<u8', 'fortran_order': False, 'shape': (5L, 4L), }",
    ],
    ids=len,
)
def test_heads_of_arrays_that_python_cannot_read_are_damage(
    header: str, runs: dict[str, list[dk.Result]], tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    next(iter(runs.values()))[0].save(path)
    head = header.encode().ljust(1015) + b"\n"
    _change(path, "deals/hands.npy", b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
    with pytest.raises(dk.FileError, match="the saved result is damaged"):
        dk.load(path)


@pytest.mark.parametrize(
    "change", [lambda hands: hands ^ np.uint64(1), lambda hands: hands[:, :3], lambda hands: hands[:2]]
)
def test_printed_hands_that_are_no_hands_are_damage(
    change: Callable[[np.ndarray], np.ndarray], tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    result = dk.run("produce 3 action print(north, south)", seed=1)
    result.save(path)
    with zipfile.ZipFile(path) as file:
        states = {name: file.read(name) for name in file.namelist() if name.startswith("state/")}
    name = next(name for name, data in states.items() if np.load(io.BytesIO(data)).shape == (3, 4))
    stream = io.BytesIO()
    np.save(stream, change(np.load(io.BytesIO(states[name]))))
    _change(path, name, stream.getvalue())
    with pytest.raises(dk.FileError, match="the saved result is damaged"):
        dk.load(path)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("record", "parts", 0, "options", "x=print(1), y"), 1),  # it would be a part of Result.call
        (("record", "parts", 0, "options", "frame"), "a.csv"),  # so the call would write a file
        (("record", "parts", 0, "options", "checkpoint"), "a.checkpoint"),
        (("record", "parts", 0, "options", "limits"), {"seconds=print(1), deals": 1}),
        (("record", "parts", 0, "seed"), "1); print(1"),
        (("record", "parts", 0, "proposed"), -1),
        (("record", "predeal", "cards"), [[0, 4, 12]]),
        (("record", "predeal", "lengths"), [[0, "<b>", 12]]),
        (("record", "n_printed"), 10**6),
        (("record", "swap"), 17),
        (("produced",), -5),
        (("generated",), 3),
        (("proposed",), True),
        (("elapsed",), 1e308),
        (("probability", "value"), 1.5),
        (("solver", "solved"), "<b>"),
        (("stream",), "<b>"),
        (("settings", "title"), []),
        (("settings", "opener"), "north"),
        (("settings", "vulnerable"), 4),
        (("file",), ["a.dealer"]),
        (("metadata", "auction"), 5),
    ],
    ids=str,
)
def test_values_that_no_run_has_are_damage(place: tuple, value: object, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    dk.run("condition hcp(north) > 14 action printoneline", produce=5, seed=1).save(path)
    with zipfile.ZipFile(path) as file:
        content = json.loads(file.read("result.json"))
    parent = content
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = value
    _change(path, "result.json", json.dumps(content).encode())
    with pytest.raises(dk.FileError, match="the saved result is damaged"):
        dk.load(path)


def test_arrays_of_objects_are_not_loaded(runs: dict[str, list[dk.Result]], tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    runs["plain"][0].save(path)
    np.save(tmp_path / "objects.npy", np.array([print], object), allow_pickle=True)
    _change(path, "deals/hands.npy", (tmp_path / "objects.npy").read_bytes())
    with pytest.raises(dk.FileError, match="deals/hands.npy has a wrong size"):
        dk.load(path)


def test_the_page_runs_as_it_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False)
    assert attempted > 5 and not failed

"""Many files one after another: the same numbers as all at once, in memory that does not grow with their number."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from tests.support import events

BOARDS, TABLES = 6, 4


def write_evenings(folder: Path, n_files: int, first: int = 0) -> Path:
    """Write files of an evening each, with solved deals, so that nothing needs the solver; 24 results a file."""
    folder.mkdir(exist_ok=True)
    sample = dk.solved_sample()
    assert sample.tables is not None
    random = np.random.default_rng(first)
    for number in range(n_files):
        rows = ["board,north,south,east,west,table,contract,declarer,tricks,deal,dealer,vulnerable"]
        for board in range(BOARDS):
            deal = (first + number) * BOARDS + board
            makes = sample.tables[deal, 4]  # in notrump
            players = random.permutation(40)
            for table in range(TABLES):
                names = ",".join(f"Player {player}" for player in players[4 * table : 4 * table + 4])
                tricks = int(np.clip(makes[table] + random.integers(-1, 2), 0, 13))
                contract = f"{max(1, tricks - 6)}NT,{'NESW'[table]},{tricks}"
                rows.append(f"{board + 1},{names},{table},{contract},{sample[deal].pbn},N,None")
        (folder / f"evening{number:03d}.csv").write_text("\n".join(rows), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_evenings(tmp_path_factory.mktemp("evenings") / "club", 4)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_table_of_all_results(suffix: str, evenings: Path, tmp_path: Path) -> None:
    path = tmp_path / f"all{suffix}"
    assert dk.stream_results(evenings, "matchpoints").write(path, "hcp", both="hcp(north) + hcp(south)") == 96
    read = pd.read_csv(path) if suffix == ".csv" else pd.read_parquet(path)
    at_once = dk.results(evenings, "matchpoints").evaluate("hcp").results
    assert list(read.columns) == [*at_once.columns, "both"] and len(read) == 96
    for name in ("file", "session_id", "deal_id", "field", "level", "tricks", "mp_ns", "north", "hcp_west"):
        assert read[name].tolist() == at_once[name].tolist(), name
    assert (read.both == read.hcp_north + read.hcp_south).all()
    assert read["lead"].isna().all()  # in every file


def test_reports_are_those_of_all_files_at_once(evenings: Path) -> None:
    stream, at_once = dk.stream_results(evenings, "matchpoints"), dk.results(evenings, "matchpoints")
    pd.testing.assert_frame_equal(stream.players().frame, at_once.players().frame)
    assert stream.players().frame.boards.sum() == 4 * 96
    tricks = stream.compare_tricks().frame
    pd.testing.assert_frame_equal(tricks, at_once.solve().compare_tricks().frame)
    assert tricks.n[0] == 96 and tricks.deals[0] == 24 and np.isfinite(tricks.lo[0])


def test_players_of_several_files_by_hand(tmp_path: Path) -> None:
    head = "board,north,east,south,west,contract,declarer,tricks,table\n"
    for name, tricks in (("a", 10), ("b", 9)):
        text = f"1,Ann,Cyd,Bob,Dan,4H,N,{tricks},1\n1,Eva,Gil,Fay,Hal,3H,N,10,2\n"
        (tmp_path / f"{name}.csv").write_text(head + text, encoding="utf-8")
    frame = dk.stream_results(tmp_path, "matchpoints").players().frame.set_index("name")
    # Ann has +420 against +170, then -50 against +170.
    assert frame["mean"][["Ann", "Cyd", "Eva"]].tolist() == [50, 50, 50]
    assert frame.sessions.tolist() == [2] * 8 and frame.boards.tolist() == [2] * 8


def test_a_file_that_was_uploaded_twice_counts_once(evenings: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_bytes((evenings / "evening000.csv").read_bytes())
    with pytest.warns(dk.SkippedWarning, match=r"b\.csv has the same content as .*a\.csv"):
        assert dk.stream_results(tmp_path, "matchpoints").write(tmp_path / "all.csv") == BOARDS * TABLES


def test_errors(evenings: Path, tmp_path: Path) -> None:
    stream = dk.stream_results(evenings, "matchpoints")
    with pytest.raises(dk.ArgumentError, match=r"must end with \.csv or \.parquet"):
        stream.write(tmp_path / "all.txt")
    with pytest.raises(dk.UnknownNameError):
        stream.write(tmp_path / "all.csv", "hpc")
    assert not list(tmp_path.iterdir())  # nothing half written
    (tmp_path / "deals.pbn").write_text(f'[Board "1"]\n[Deal "{events.DEAL_1}"]\n', encoding="utf-8")
    with pytest.raises(dk.FileError, match="there are no results of tables in 1 file"):
        list(dk.stream_results(tmp_path))
    with pytest.raises(dk.ArgumentError, match="rule of scoring"):
        dk.stream_results(evenings, datums="mean")
    # Files in different units have no common mean.
    (tmp_path / "mp.csv").write_text(
        "board,north,ns,ew,score,mp_ns\n1,Ann,1,2,420,2\n1,Bo,3,4,400,0\n", encoding="utf-8"
    )
    (tmp_path / "imp.pbn").write_text(events.make_pbn("Butler"), encoding="utf-8")
    with pytest.raises(dk.ArgumentError, match="give one scoring"):
        dk.stream_results(tmp_path).players()


def test_memory_does_not_grow_with_the_number_of_files(tmp_path: Path) -> None:
    few, many = write_evenings(tmp_path / "few", 6), write_evenings(tmp_path / "many", 18, first=6)
    dk.stream_results(few, "matchpoints").write(tmp_path / "warm.csv")  # modules and kernels are loaded
    peaks = []
    for folder in (few, many):
        tracemalloc.start()
        dk.stream_results(folder, "matchpoints").write(tmp_path / "all.csv")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.25 * peaks[0]  # all at once it would be three times as much

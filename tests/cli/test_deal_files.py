"""The command writes, converts and filters files of deals."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.formats.library import JoinedDeals
from tests.support.interrupts import Interruptible
from tests.support.platforms import needs_named_pipes, needs_signals

STRONG = "hcp(north) >= 20"
PBN = """[Board "7"]
[North "Ann"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "N:K4.KQ982.AQJ8.T3 AJ9875.4.T653.A9 63.AJT65.942.K65 QT2.73.K7.QJ8742"]
[Declarer "N"]
[Contract "4H"]
[Result "11"]
[Room "Open"]
{a fine game}
[Auction "S"]
Pass Pass 1H Pass
4H Pass Pass Pass

[Board "8"]
[Deal "N:K4.KQ982.AQJ8.T3 AJ9875.4.T653.A9 63.AJT65.942.K65 QT2.73.K7.QJ874"]

[Board "9"]
[Deal "N:63.AJT65.942.K65 K4.KQ982.AQJ8.T3 AJ9875.4.T653.A9 QT2.73.K7.QJ8742"]
"""


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with two good boards and one of 51 cards, in the working directory."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "club.pbn"
    path.write_text(PBN)
    return path


@pytest.mark.parametrize("name", ["a.pbn", "a.lin", "a.csv", "a.tsv", "a.parquet", "a.txt", "a.zrd"])
def test_deal_writes_every_format(command, name: str, tmp_path: Path):
    path = tmp_path / name
    done = command("deal", 6, "-s", 5, "--given", STRONG, "--first-board", 15, "-o", path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"6 boards written to {path}, seed 5\n"
    deals = dk.read(path).deals
    assert np.array_equal(deals.hands, dk.deal(6, seed=5, given=STRONG).hands)
    if name not in ("a.txt", "a.zrd"):  # no place for columns
        assert deals.board.tolist() == [15, 16, 17, 18, 19, 20]
        assert deals.dealer.tolist() == [2, 3, 0, 1, 2, 3]  # board 17 is like board 1
        assert deals.vulnerable.tolist() == [1, 2, 0, 1, 2, 3]


def test_deal_takes_dealer_and_vulnerability(command, tmp_path: Path):
    path = tmp_path / "a.pbn"
    words = ["--dealer", "W", "--vulnerable", "both", "--event", "Club", "--north", "SAKQ"]
    assert command("deal", 3, "-s", 1, "-o", path, *words).returncode == 0
    library = dk.read(path)
    assert library.deals.dealer.tolist() == [3] * 3 and library.deals.vulnerable.tolist() == [3] * 3
    assert (
        library.deals.board.tolist() == [1, 2, 3] and (library.deals.eval("top3(north, spades)") == 3).all()
    )
    assert dict(library.frame.tags[0])["Event"] == "Club"


def test_deal_solves(command, tmp_path: Path):
    path = tmp_path / "a.pbn"
    assert command("deal", 1, "-s", 1, "-o", path, "--solve").returncode == 0
    deals = dk.read(path).deals
    assert np.array_equal(deals.tables, dk.dd_table(dk.deal(1, seed=1)))


def test_deal_prints_a_file(command):
    done = command("deal", 3, "-s", 1, "--format", "pbn")
    assert done.returncode == 0 and done.stdout.count("[Deal ") == 3 and "\r\n" in done.stdout
    assert "3 boards written to standard output, seed 1" in done.stderr
    shown = command("deal", 1, "-s", 1, "--first-board", 4).stdout
    assert [text in shown for text in ("Board 4", "Dealer west", "Vul both")] == [True] * 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "a.pnb"], "did you mean '.pbn'"),
        (["-o", "a.pbn", "--format", "linn"], "did you mean 'lin'"),
        (["-o", "no/a.pbn"], f"{Path('no/a.pbn')}: there is no folder no; create it first"),
        (["-o", "."], "it may be .parquet"),
        (["-o", "a.lin", "--solve"], "--solve: lin cannot store tables; use pbn"),
        (["-o", "a.lin", "--event", "x"], "the format lin has no option 'event'"),
        (["-o", "a.pbn", "--first-board", "0"], "--first-board is 0; it must be 1 or more"),
        (["-o", "a.pbn", "--given", "hpc(north)"], "did you mean 'hcp'"),
        (["--solve"], "--solve needs a file"),
        (["--event", "x"], "--event needs a file"),
    ],
)
def test_deal_refuses(command, words: list[str], message: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = command("deal", 2, "-s", 1, *words)
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr
    assert "Traceback" not in done.stderr and not list(tmp_path.iterdir())


def test_an_impossible_condition_writes_no_file(command, tmp_path: Path):
    done = command("deal", 2, "--given", "hcp(north) > 37", "-o", tmp_path / "a.pbn")
    assert done.returncode == 3 and not list(tmp_path.iterdir())


def test_convert_keeps_texts_and_lists_skipped_boards(command, club: Path):
    done = command("convert", club, "club.lin")
    assert (done.returncode, done.stdout) == (0, "")
    lines = done.stderr.splitlines()
    assert lines[:2] == ["2 boards written to club.lin", "1 board skipped:"] and len(lines) == 3
    assert lines[2].startswith("  club.pbn, line 16: ") and "12 cards" in lines[2]
    (board, _) = dk.read("club.lin").frame.to_dict("records")
    assert (board["board"], board["dealer"], board["vulnerable"]) == (7, "south", "both")
    assert board["north"] == "Ann" and board["auction"] == "Pass Pass 1H Pass 4H Pass Pass Pass"
    again = command("convert", "club.lin", "-", "--format", "csv")
    assert again.stdout.splitlines()[0].startswith("deal,") and "4H" in again.stdout


def test_convert_reads_standard_input(command, club: Path):
    done = command("convert", "-", "-", text=PBN)
    assert done.returncode == 0 and done.stdout.count("[Deal ") == 2 and '[Room "Open"]' in done.stdout
    assert "standard input, line 16: " in done.stderr
    broken = command("convert", "-", "a.pbn", text="nothing of this kind")
    assert broken.returncode == 2 and broken.stderr.startswith("standard input: the format is not recog")
    assert "--from pbn\n" in broken.stderr and not Path("a.pbn").exists()
    assert command("convert", "-", "a.pbn", text="").returncode == 2
    assert command("convert", "-", "-", "a.pbn", text=PBN).returncode == 2


@needs_signals
def test_standard_input_that_is_closed() -> None:
    closed = subprocess.run(
        [sys.executable, "-m", "dealerkit", "convert", "-", "a.pbn"],
        capture_output=True,
        encoding="utf-8",
        preexec_fn=lambda: os.close(0),
    )
    assert (closed.returncode, closed.stderr) == (2, "standard input is closed; give the name of a file\n")


def test_convert_joins_files(command, club: Path):
    deals = dk.solved_sample()[:3]
    deals.write("solved.zrd")
    dk.deal(2, seed=1).replace(cluster=[0, 0]).write("pairs.parquet")
    done = command("convert", "solved.zrd", club, "pairs.parquet", "pairs.parquet", "all.parquet")
    assert done.returncode == 0 and "9 boards written to all.parquet" in done.stderr
    library = dk.read("all.parquet")
    assert np.array_equal(library.deals.hands[:3], deals.hands)
    assert np.array_equal(library.deals.tables[:3], deals.tables) and (library.deals.tables[3:] == -1).all()
    assert library.deals.board.tolist() == [-1, -1, -1, 7, 9, -1, -1, -1, -1]
    assert library.texts["north"] == ["", "", "", "Ann", *[""] * 5]
    cluster = library.deals.cluster.tolist()
    assert len({*cluster}) == 7 and cluster[5] == cluster[6] != cluster[7] == cluster[8]
    assert command("convert", "all.parquet", "all.pbn").returncode == 0
    assert np.array_equal(dk.read("all.pbn").deals.hands, library.deals.hands)


def test_convert_takes_parts_of_the_library_of_tables(command, tmp_path: Path, monkeypatch):
    from dealerkit.formats import pavlicek_deals

    monkeypatch.chdir(tmp_path)
    deals = pavlicek_deals(5, 2)
    deals.replace(tables=np.full((2, 5, 4), 6)).write("part.zrd")
    assert command("convert", "part.zrd", "part.zdd", "--first", 5).returncode == 0
    assert Path("part.zdd").stat().st_size == 20
    assert command("convert", "part.zdd", "again.zrd", "--first", 5, "--from", "zdd").returncode == 0
    assert Path("again.zrd").read_bytes() == Path("part.zrd").read_bytes()
    wrong = command("convert", "part.zdd", "b.zrd", "--from", "zdd")
    assert wrong.returncode == 2 and "give the number of the first as --first\n" in wrong.stderr
    other = command("convert", "part.zrd", "b.pbn", "--first", 5)
    assert other.returncode == 2 and "--first is for .zdd files, and this is zrd" in other.stderr
    assert not Path("b.pbn").exists()


def test_convert_leaves_out_other_tables(command, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = PBN.split("\n\n", 1)[0] + "\n\n"
    Path("all.pbn").write_text(game + game.replace("4H", "3H"), encoding="utf-8")
    assert "1 board written" in command("convert", "all.pbn", "--distinct", "one.pbn").stderr
    assert "2 boards written" in command("convert", "all.pbn", "two.pbn").stderr


def test_convert_replaces_a_file_and_never_writes_half(command, club: Path, monkeypatch):
    Path("out.lin").write_text("before", encoding="utf-8")
    assert command("convert", "missing.pbn", "out.lin").returncode == 2
    bad = PBN.replace("K4.KQ982", "KK.KQ982").split("\n\n")[0]
    Path("bad.pbn").write_text(bad, encoding="utf-8")
    done = command("convert", "bad.pbn", "out.lin")
    assert done.returncode == 2 and "bad.pbn: no board can be read; line 5: " in done.stderr

    def interrupt(*_: object) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(JoinedDeals, "batches", interrupt)
        assert command("convert", club, "out.lin").returncode == 130
    assert Path("out.lin").read_text(encoding="utf-8") == "before"
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["bad.pbn", "club.pbn", "out.lin"]
    assert command("convert", club, "out.lin").returncode == 0
    assert len(dk.read("out.lin")) == 2


@pytest.mark.slow
def test_an_interrupted_deal_writes_no_file(tmp_path: Path):
    words = ["deal", "100000", "--plan", "plain", "--given", "hcp(north) > 33", "-o", tmp_path / "a.pbn"]
    process = Interruptible([sys.executable, "-m", "dealerkit", *map(str, words)])
    time.sleep(6)
    process.interrupt()
    assert process.wait(60) == 130 and not list(tmp_path.iterdir())


def test_filter_keeps_what_the_file_says(command, club: Path):
    done = command("filter", club, "--given", "hearts(north) >= $n and spades(north) == 2", "--param", "n=5")
    assert done.returncode == 0 and done.stderr.startswith("2 of 2 deals written to standard output\n1 board")
    done = command("filter", club, "--given", "hcp(south) == 8", "-o", "some.pbn")
    assert (done.returncode, done.stdout) == (0, "") and done.stderr.startswith(
        "1 of 2 deals written to some"
    )
    assert "a fine game" in Path("some.pbn").read_text(encoding="utf-8") and '[Room "Open"]' in Path(
        "some.pbn"
    ).read_text(encoding="utf-8")
    assert dk.read("some.pbn").deals.board.tolist() == [7]


def test_filter_takes_tricks_from_the_tables(command, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    deals = dk.solved_sample()[:500]
    deals.replace(tables=13 - deals.tables).write("wrong.parquet")  # so a solver would say otherwise
    done = command("filter", "wrong.parquet", "--given", "dds(north, spades) >= 11", "-o", "some.csv")
    assert done.returncode == 0
    expected = deals[deals.tables[:, 0, 0] <= 2]
    assert 0 < len(expected) < 500 and np.array_equal(dk.read("some.csv").deals.hands, expected.hands)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["club.pbn", "--given", "hpc(north)"], "did you mean 'hcp'"),
        (["club.pbn", "--given", "hcp(north) >= $n"], "$n has no value"),
        (["club.pbn", "--given", "1", "--param", "n=5"], "params gives 'n' a value"),
        (["none.pbn", "--given", "1"], "none.pbn: No such file"),
        (["club.pbn", "--given", "1", "--format", "diagrams"], "can be read, not written"),
        (["club.pbn", "--given", "1", "--from", "pbnn"], "did you mean 'pbn'"),
        (["club.pbn", "--given", "1", "-o", "a.zdd"], "is not deal"),
    ],
)
def test_filter_refuses(command, club: Path, words: list[str], message: str):
    done = command("filter", *words)
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr
    assert "Traceback" not in done.stderr and [path.name for path in club.parent.iterdir()] == ["club.pbn"]


@needs_named_pipes
def test_pipes_are_read(command, club: Path):
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_bytes(club.read_bytes()), daemon=True)
    writer.start()
    done = command("convert", "pipe", "copy.pbn")
    writer.join(10)
    assert done.returncode == 0 and "pipe, line 16: " in done.stderr
    assert dk.read("copy.pbn").texts["north"] == ["Ann", ""]


def test_the_formats_in_the_help_are_those_that_can_be_written() -> None:
    from dealerkit.cli.deal_files import FORMATS
    from dealerkit.formats.format import find_formats

    names = FORMATS.split(", ")
    assert len(set(names)) == len(names)
    assert set(names) == {name for name, entry in find_formats().items() if entry.write is not None}


@pytest.mark.parametrize(
    ("verb", "statuses"),
    [
        ("run", [0, 1, 2, 3, 130]), ("deal", [0, 2, 3, 130]), ("filter", [0, 2, 130]),
        ("convert", [0, 2, 130]), ("functions", [0, 1, 2, 130]),
    ],
)  # fmt: skip
def test_the_help_lists_the_exit_statuses(command, verb: str, statuses: list[int]) -> None:
    text = " ".join(command(verb, "--help").stdout.split())
    ending = text[text.index("Exit status:") :].removeprefix("Exit status: ").rstrip(".")
    assert [int(part.split()[0]) for part in ending.split("; ")] == statuses


# ---------------------------------------------------------------- folders, sheets, dealing machines
@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two files of deals and another one; the working directory is above it."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "club"
    path.mkdir()
    dk.deal(3, seed=1).number_boards().write(path / "a.dup")
    dk.deal(2, seed=2).number_boards(4).write(path / "b.rbn")
    (path / "notes.md").write_text("no deals")
    (path / ".hidden").write_text("no deals")
    return path


def test_convert_reads_a_folder(command, folder: Path):
    done = command("convert", "club", "all.pbn")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "5 boards written to all.pbn", "1 file not read:",
        f"  {Path('club/notes.md')}: the format is not recognised",
    ]  # fmt: skip
    assert dk.read("all.pbn").deals.board.tolist() == [1, 2, 3, 4, 5]


def test_convert_writes_into_a_folder(command, folder: Path):
    done = command("convert", "club", "new/", "--format", "dlm")
    assert done.returncode == 0 and done.stderr.endswith("5 boards written to 2 files of new/\n")
    assert sorted(path.name for path in Path("new").iterdir()) == ["a.dlm", "b.dlm"]
    assert dk.read("new/b.dlm").deals.equals(dk.read("club/b.rbn").deals)
    for words, message in [
        (("club", "new/"), "give the format of its files"),
        (
            ("club/a.dup", "new/a.dlm", "other/", "--format", "pbn"),
            f"would both be written to {Path('other/a.pbn')}",
        ),
        (("club/a.dup", "club", "club/", "--format", "rbn"), "would both be written to|is an input"),
        (("club/b.rbn", "club", "--format", "rbn"), f"{Path('club/b.rbn')} is an input"),
        (("club/notes.md", "new/", "--format", "pbn"), "not recognised"),
    ]:
        done = command("convert", *words)
        assert done.returncode == 2 and any(part in done.stderr for part in message.split("|"))
    assert sorted(path.name for path in folder.iterdir()) == [".hidden", "a.dup", "b.rbn", "notes.md"]


def test_a_folder_without_deals(command, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    done = command("convert", tmp_path / "empty", tmp_path / "a.pbn")
    assert done.returncode == 2 and "there are no files in this folder" in done.stderr
    (tmp_path / "empty" / "a.md").write_text("no deals")
    done = command("convert", tmp_path / "empty", tmp_path / "a.pbn")
    assert done.returncode == 2 and "no file of the folder has deals" in done.stderr


def test_the_number_of_the_first_board(command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert command("deal", 3, "-s", 1, "-o", "a.ber").returncode == 0
    assert command("convert", "a.ber", "b.dup", "--first-board", 17).returncode == 0
    assert dk.read("b.dup").deals.board.tolist() == [17, 18, 19]
    done = command("convert", "b.dup", "c.pbn", "--first", 3)
    assert done.returncode == 2 and "--first is for .zdd files, and this is dup" in done.stderr
    done = command("convert", "c.pbn", "d.pbn", "--first-board", 3)
    assert done.returncode == 2


def test_a_warning_of_what_is_lost(command, tmp_path: Path):
    done = command("deal", 2, "-s", 1, "--dealer", "S", "-o", tmp_path / "a.dup")
    assert done.returncode == 0 and "no place for dealers, which follow from the numbers" in done.stderr
    done = command("deal", 100, "-s", 1, "-o", tmp_path / "b.dup")
    assert done.returncode == 2 and "boards 1 to 99" in done.stderr and not (tmp_path / "b.dup").exists()


def test_sheets_of_any_file(command, folder: Path):
    done = command(
        "sheet", "club", "-o", "sheet.html", "--hands", "S", "--title", "An evening", "--no-answers"
    )
    assert done.returncode == 0 and done.stderr.startswith("5 boards written to sheet.html\n")
    text = Path("sheet.html").read_text(encoding="utf-8")
    assert "An evening" in text and "Board 5" in text
    done = command("sheet", "club/a.dup", "-o", "sheet.pdf")
    assert done.returncode == 2 and "a sheet is an HTML page" in done.stderr
    done = command("sheet", "club/a.dup")
    assert done.returncode == 2


def test_distinct_of_par_and_solve(command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    deals = dk.solved_sample()[:2].number_boards()
    dk.Deals.concatenate([deals] * 3).write("tournament.pbn")
    assert command("par", "tournament.pbn").stdout.startswith("Par of 6 boards")
    assert command("par", "tournament.pbn", "--distinct").stdout.startswith("Par of 2 boards")
    words = ("solve", "tournament.pbn", "--strains", "N", "--declarers", "N")
    assert command(*words, "--distinct").stdout.startswith("2 deals, 2 results")
    with pytest.raises(dk.ArgumentError, match="distinct applies to boards, but a file of zrd"):
        deals.write("a.zrd")
        dk.read("a.zrd", distinct=True, check=False)


@pytest.mark.parametrize("name", ["a.pbn", "a.csv", "a.parquet"])
def test_natural_shares_are_measured_for_files_that_store_weights(command, name: str, tmp_path: Path) -> None:
    script, path = tmp_path / "level.dealer", tmp_path / name
    script.write_text(
        'level "made" tricks(south, spades) >= 10, "few" hcp(south) < 3 and tricks(south, spades) < 10'
    )
    done = command("deal", 4, "-s", 5, "--script", script, "-o", path)
    weights = dk.read(path).deals.weight
    assert (weights is not None) == ("natural shares" in done.stderr) == (name != "a.pbn")
    if weights is not None:
        assert weights.sum() == pytest.approx(4) and len(set(weights)) == 2

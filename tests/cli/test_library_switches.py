"""The command with files of solved deals: ``run --source`` and ``solve --check``."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import dealerkit as dk

SCRIPT = (
    "condition hcp(north) > 15 and dds(north, spades) > 9\naction average dds(north, spades), printoneline"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    dk.solved_sample()[:3000].write(tmp_path / "deals.zrd")
    return tmp_path / "deals.zrd"


@pytest.mark.parametrize("switch", ["--source", "--library", "-L"])
def test_run_takes_the_deals_of_a_file(command, switch: str, path: Path):
    done = command("run", "-v", "-p", 20, switch, path, text=SCRIPT)
    expected = dk.run(SCRIPT, source=dk.solved_sample()[:3000], produce=20, statistics=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, expected.text)
    assert done.stderr.startswith("Average of ")


def test_run_takes_a_block_in_v2(command, path: Path):
    done = command("run", "--dialect", "v2", "-v", "-L", path, "-s", 7, text="produce 3 action printoneline")
    lines = dk.solved_sample()[700:703].to_lines()
    assert done.returncode == 0 and [line.split() for line in done.stdout.splitlines()] == [
        x.split() for x in lines
    ]


def test_solve_checks_a_file(command, path: Path):
    done = command("solve", "--check", 3, path)
    assert done.returncode == 0
    assert (
        "3 deals solved again, 60 results: all equal" in done.stdout and "3,000 solved deals" in done.stdout
    )
    deals = dk.solved_sample()[:3000]
    tables = deals.tables.copy()
    tables[0, 4, 0] = 13 - tables[0, 4, 0]
    deals.replace(tables=tables).write(path)
    done = command("solve", "--check", 3, path)
    assert done.returncode == 2 and "1 of 60 results differ" in done.stderr and "Traceback" not in done.stderr
    assert command("solve", "--check", 3).returncode == 2


# ------------------------------------------------------------ parts of Pavlicek's tables
@pytest.fixture
def part(tmp_path: Path) -> Path:
    """The tables of the last ten deals of Pavlicek's library."""
    with open(Path(__file__).parents[1] / "data" / "pavlicek-20.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[10:]
    strains = ("S", "H", "D", "C", "NT")
    tables = [[[int(row[f"{seat}_{strain}"]) for seat in "NESW"] for strain in strains] for row in rows]
    deals = dk.Deals.from_pbn([row["pbn"] for row in rows]).replace(tables=tables)
    deals.write(tmp_path / "part.zdd", first=10_485_750)
    return tmp_path / "part.zdd"


def test_the_first_deal_of_a_part(command, part: Path):
    done = command("run", "-v", "--source", part, "--first", 10_485_750, text="action printoneline")
    with pytest.warns(dk.TermsWarning):
        library = dk.read(part, first=10_485_750)
    assert done.returncode == 0
    assert [line.split() for line in done.stdout.splitlines()] == [
        line.split() for line in library.deals.to_lines()
    ]
    done = command("solve", "--check", 2, part, "--first", 10_485_750)
    assert done.returncode == 0 and "2 deals solved again, 40 results: all equal" in done.stdout
    assert "give the number of the first" in command("run", "--source", part, text="action").stderr
    done = command("solve", "--check", 2, part, "--first", 10_485_751)
    assert done.returncode == 2 and "Pavlicek's library has only 10,485,760 deals" in done.stderr


# ------------------------------------------------------------ library.dat
def test_v1_reads_from_a_record_to_the_end(command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    deals = dk.solved_sample()[:300]
    deals.write(tmp_path / "library.dat")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    script = 'condition hcp(north) > 12 action printes(tricks(south, spades), " "), average hcp(north)'
    done = command("run", "--dialect", "v1", "-v", "-l", 250, text=script)
    expected = dk.run(script, dialect="v1", source=deals[250:], statistics=False)
    assert (done.returncode, done.stdout) == (0, expected.text) and expected.generated == 50
    done = command("run", "--dialect", "v1", "-l", 300, text=script)
    assert done.returncode == 2 and "has 300 deals" in done.stderr
    done = command("run", "--dialect", "v1", "-l", 0, "--source", "x.zrd", text=script)
    assert done.returncode == 2 and "both sources" in done.stderr


# ------------------------------------------------------------ deals written by a run
TITLE = "thirty test deals, a title longer than nineteen"  # three title records


def test_produced_deals_are_appended_in_v2(command, tmp_path: Path):
    path, script = tmp_path / "deals.zrd", "condition hcp(north) > 15 action printoneline"
    first = command("run", "--dialect", "v2", "-v", "-p", 2, "-s", 1, "-T", TITLE, "-Z", path, text=script)
    assert first.returncode == 0
    assert path.stat().st_size == (3 + 2) * 23
    assert [path.read_bytes()[23 * k : 23 * k + 4].hex() for k in range(3)] == [
        "00000010", "00000020", "00000030",
    ]  # fmt: skip
    second = command("run", "--dialect", "v2", "-v", "-p", 5, "-s", 2, "-Z", f"N:{path}", text=script)
    library = dk.read(path)
    assert library.content.title == TITLE and len(library) == 7
    lines = (first.stdout + second.stdout).splitlines()
    assert [line.split() for line in lines] == [line.split() for line in library.deals.to_lines()]
    assert (library.tables[2:] == -1).all() and path.read_bytes()[-5 * 23 :][13:23] == bytes(10)
    solved = library.deals[:2]
    assert (dk.dd_table(solved.replace(tables=None)) == solved.tables).all()
    command("run", "--dialect", "v2", "-p", 3, "-s", 2, "-Z", f"Nw:{path}", text=script)
    assert dk.read(path).deals.to_pbn() == library.deals[2:5].to_pbn()


def test_deals_of_52_bytes_are_appended_in_v2(command, tmp_path: Path):
    path, script = tmp_path / "deals.dl52", "action printoneline"
    done = [
        command("run", "--dialect", "v2", "-v", "-p", 3, "-s", seed, "-l", f"{letter}{path}", text=script)
        for seed, letter in ((1, ""), (2, "w:"), (3, ""))
    ]
    lines = (done[1].stdout + done[2].stdout).splitlines()
    assert path.stat().st_size == 6 * 52
    assert [line.split() for line in lines] == [line.split() for line in dk.read(path).deals.to_lines()]


def test_tables_of_a_library_are_written_without_solving(path: Path, tmp_path: Path):
    script, target = "condition hcp(north) > 18 action", tmp_path / "strong.zrd"
    result = dk.run_script(
        script, dk.RunOptions(source=dk.read(path), files={"zrd": target}, generate=3000, keep=0)
    )
    expected = dk.read(path).where("hcp(north) > 18")
    assert result.solver.solved == 0 and len(expected) > 40
    assert dk.read(target).deals.equals(expected.deals)


@pytest.mark.parametrize("plan", ["plain", "staged", "conditional"])
def test_all_four_hands_are_written_whatever_the_run_keeps(plan: str, tmp_path: Path):
    script = "condition hcp(north) >= 18 action average hcp(north)"
    files = {"zrd": f"Nw:{tmp_path / 'a.zrd'}", "dl52": f"w:{tmp_path / 'a.dl52'}"}
    dk.run_script(script, dk.RunOptions(produce=200, seed=4, plan=plan, keep=0, files=files))
    kept = dk.run(script, produce=200, seed=4, plan=plan, keep="all").deals
    for name in ("a.zrd", "a.dl52"):
        assert dk.read(tmp_path / name).deals.to_pbn() == kept.to_pbn()


def test_a_file_that_is_not_made_of_records_is_kept(tmp_path: Path):
    path = tmp_path / "deals.zrd"
    path.write_bytes(b"notes")
    with pytest.raises(dk.FileError, match="5 bytes are not whole records of 23"):
        dk.run_script("action", dk.RunOptions(produce=1, files={"zrd": f"N:{path}"}))
    assert path.read_bytes() == b"notes"
    with pytest.raises(dk.ArgumentError, match="at most 284"):
        dk.run_script("action", dk.RunOptions(produce=1, files={"zrd": f"Nw:{path}"}, title="x" * 285))
    with pytest.raises(dk.EvaluationError, match="division by zero"):
        dk.run_script(
            "action average 1 / (hcp(north) / 1000)", dk.RunOptions(produce=9, files={"zrd": f"Nw:{path}"})
        )
    assert path.read_bytes() == b"notes"
    with pytest.raises(dk.ArgumentError, match="'zdd' cannot have a file"):
        dk.run_script("action", dk.RunOptions(produce=1, files={"zdd": path}))


# ------------------------------------------------------------ export
def test_lines_of_export_are_switches(command):
    """A void has no letter in a line; seed 6 has some among its 40 hands."""
    exported = dk.run("produce 10 action export(NS), export(west)", dialect="v2", seed=6, statistics=False)
    lines = exported.text.splitlines()
    assert any(word.count(",") < 3 for line in lines for word in line.split()[1::2])
    for deal, pair, single in zip(exported.deals, lines[::2], lines[1::2], strict=True):
        words = f"{pair} {single}".split()
        assert words[::2] == ["-N", "-S", "-W"]
        predeal = dict(zip(("north", "south", "west"), words[1::2], strict=True))
        assert dk.deal(1, predeal=predeal)[0].pbn == deal.pbn
    done = command("run", "--dialect", "v2", "-v", "-p", 1, *words, text="action printoneline")
    assert done.returncode == 0 and done.stdout.split() == exported.deals.to_lines()[-1].split()

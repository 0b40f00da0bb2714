"""The verbs `auction` and `system`, and auctions in place of --given."""

from __future__ import annotations

import json
import re

import pytest

import dealerkit as dk

TOY = "opening\n1NT hcp 15-17\n1C hcp 12+\n2C hcp 12-14\nafter 1NT\n3NT hcp 10+\nP otherwise\n"


@pytest.fixture
def toy(tmp_path):
    file = tmp_path / "toy.system"
    file.write_text(TOY, encoding="utf-8")
    return str(file)


def test_the_report_and_the_condition(command):
    done = command("auction", "1NT-3NT", "--dealer", "south")
    assert done.returncode == 0 and done.stdout.startswith("1NT P 3NT, south deals\n")
    assert "15.80 (15-17)" in done.stdout
    condition = command("auction", "1NT-3NT", "--dealer", "south", "--condition").stdout
    assert condition.startswith("# south, 1NT")
    assert json.loads(command("auction", "1NT-3NT", "--json").stdout)["title"] == "1NT P 3NT, north deals"


@pytest.mark.parametrize(
    "words",
    [
        ("auction", "1NT-3NT"),
        ("explain", "-p", "10"),
        ("explain", "--why", "N:AKQJ.AKQ.AKQ.AKQ T987.J76.J76.J76 6543.T98.T98.T98 2.5432.5432.5432"),
        ("run", "-p", "10", "-s", "1"),
        ("run", "-p", "10", "-s", "1", "--sweep", "low=10,11"),
    ],
)
def test_a_page_that_is_written_is_named_on_standard_error(command, tmp_path, words):
    page = tmp_path / "page.html"
    script = "# param low = 10\ncondition hcp(north) >= $low action average hcp(south)"
    done = command(*words, "--html", page, text=script)
    assert done.returncode == 0, done.stderr
    assert f"page written to {page}\n" in done.stderr and page.read_text(encoding="utf-8").startswith("<!")


def test_an_auction_in_place_of_a_condition(command, toy):
    words = ("--auction", "1NT-3NT", "--dealer", "south", "--system", toy, "--defence", toy)
    done = command("probability", "hcp(south) <= 17", *words)
    assert done.returncode == 0 and "always" in done.stdout
    deals = command("deal", 3, *words, "-s", 1, "--format", "line")
    assert deals.returncode == 0 and deals.stdout.count("\n") == 3
    estimate = command("estimate", "hcp(south)", *words, "--precision", 0.2)
    assert "Given 1NT P 3NT by toy, south deals" in " ".join(estimate.stdout.split())


def test_boards_for_practising_a_call(command, toy, tmp_path):
    sheet, file = tmp_path / "sheet.html", tmp_path / "boards.lin"
    words = ("deal", "--auction", "1NT-3NT", "--dealer", "south", "--system", toy, "--defence", toy, "-s", 1)
    done = command(*words, 8, "--share", "other=1", "--sheet", sheet, "-o", file)
    assert done.stderr.endswith("seed 1\n") and done.returncode == 0
    boards = dk.read(file)
    calls = [text.split()[2].split("=")[0] for text in boards.texts["auction"]]
    assert calls.count("3NT") == 4 and set(boards.deals.dealer.tolist()) == {2}
    assert (
        sheet.read_text(encoding="utf-8").count('aria-label="Auction"><thead><tr><th scope="col">W')
        == 16 + 16
    )
    # A sheet of the file has the auctions too
    again = tmp_path / "again.html"
    assert command("sheet", file, "-o", again).returncode == 0
    assert "<b>Answers</b>" in again.read_text(encoding="utf-8")
    # Without --share all boards have the auction; a call without a meaning is written all the same
    command(*words, 2, "-o", file)
    assert {text.split()[2].split("=")[0] for text in dk.read(file).texts["auction"]} == {"3NT"}
    command("deal", 1, "--auction", "1NT-7C", "-o", file)
    assert dk.read(file).texts["auction"][0].split()[-1] == "7C"


BY_VULNERABILITY = (
    "opening vulnerable\n1NT hcp 15-17\nP otherwise\nopening not vulnerable\n1NT hcp 12-14\nP otherwise\n"
)


@pytest.mark.parametrize(("sides", "points"), [("none", (12, 14)), ("EW", (12, 14)), ("ns", (15, 17))])
def test_the_vulnerability_of_a_verb_is_that_of_its_auction(command, tmp_path, sides, points):
    file = tmp_path / "two.system"
    file.write_text(BY_VULNERABILITY, encoding="utf-8")
    script = tmp_path / "points.dealer"
    script.write_text("action printes(hcp(south), \\n)\n", encoding="utf-8")
    words = ("--auction", "1NT", "--dealer", "south", "--system", file, "--vulnerable", sides)
    condition = command("auction", *words[1:], "--condition").stdout.split("\n", 1)[1]
    assert condition.split() == f"hcp(south) >= {points[0]} and hcp(south) <= {points[1]}".split()
    printed = command("run", script, *words, "-p", 30, "-s", 1, "-v").stdout.split()
    assert len(printed) == 30 and {int(each) for each in printed} == set(range(points[0], points[1] + 1))
    share = command("probability", f"hcp(south) >= {points[0]} and hcp(south) <= {points[1]}", *words).stdout
    assert share.startswith("exactly 1")
    command("deal", 20, *words, "-s", 1, "-o", tmp_path / "boards.pbn")
    boards = dk.read(tmp_path / "boards.pbn").deals
    assert set(boards.eval("hcp(south)").tolist()) <= set(range(points[0], points[1] + 1))
    assert set(boards.vulnerable.tolist()) == {("none", "ns", "ew").index(sides.lower())}


def test_shares_by_vulnerability(command, tmp_path):
    file = tmp_path / "two.system"
    file.write_text(BY_VULNERABILITY, encoding="utf-8")
    # Published shares of points: 15 to 17 have 4.4237, 3.3109 and 2.3617 %, 12 to 14
    # 8.0268, 6.9143 and 5.6933.
    for answer, share in (("yes", "10.0963"), ("no", "20.6344")):
        printed = command("system", "frequencies", file, "--vulnerable", answer).stdout
        assert abs(float(re.search(r"1NT +([0-9.]+) %", printed)[1]) - float(share)) < 2e-4
    done = command("system", "frequencies", file)
    assert done.returncode == 2 and "says nothing for openings" in done.stderr


def test_run_takes_an_auction(command, toy, tmp_path):
    script = tmp_path / "points.dealer"
    script.write_text('action average "south" hcp(south), average "ok" hcp(south) >= 15\n', encoding="utf-8")
    words = ("--auction", "1NT-3NT", "--dealer", "south", "--system", toy, "--defence", toy)
    done = command("run", script, *words, "-p", 50, "-s", 1, "--json")
    assert done.returncode == 0, done.stderr
    assert '"ok"' in done.stdout or "ok" in done.stdout
    given = command("run", script, "--given", "hcp(south) == 15", "-p", 5, "-s", 1)
    assert given.returncode == 0 and "15" in given.stdout
    refused = command("run", script, *words, "--dialect", "v1", "-p", 5)
    assert refused.returncode == 2 and "cannot be combined with the dialect v1" in refused.stderr


def test_what_is_not_understood_is_said(command):
    done = command("deal", "--auction", "1NT-4C-P", "--dealer", "south", "-s", 1)
    assert done.returncode == 0
    assert "dealerkit: north's 4C is not in" in done.stderr


def test_tasks_about_a_system(command, toy):
    assert "sayc" in command("system", "list").stdout
    assert command("system", "text", toy).stdout == TOY
    frequencies = command("system", "frequencies", toy, "--after", "1NT")
    assert "after 1NT" in frequencies.stdout and "to play" not in frequencies.stdout
    hyphens, blanks = (
        command("system", "describe", "acol", "--after", after) for after in ("1S-2S", "1S 2S")
    )
    assert hyphens.stdout == blanks.stdout and "trial bid" in hyphens.stdout
    assert "'1S--2S' is not a call" in command("system", "describe", "acol", "--after", "1S--2S").stderr
    check = command("system", "check", toy)
    assert check.returncode == 1
    assert "never chosen" in check.stdout and "have no call" in check.stdout


def test_a_system_beside_another_and_beside_boards(command, toy, tmp_path):
    difference = command("system", "difference", toy, "acol", "--csv", tmp_path / "pairs.csv")
    assert "toy and Acol: openings" in difference.stdout
    match = command(
        "system", "compare", toy, "acol", "-p", "60", "--max-unfinished", "1", "--given", "hcp(north) == 16"
    )
    assert "toy against Acol" in match.stdout and "given hcp(north) == 16" in match.stdout
    assert "The boards that decide most" in match.stdout
    refused = command("system", "compare", toy, "acol", "-p", "60")
    assert refused.returncode == 2 and "says nothing in" in refused.stderr
    assert (tmp_path / "pairs.csv").read_text().startswith("call,other,share")
    notes = command("system", "notes", toy, "--html", tmp_path / "notes.html")
    assert "After 1NT" in notes.stdout and "hcp 15-17" in (tmp_path / "notes.html").read_text()
    boards = tmp_path / "boards.pbn"
    boards.write_text(
        '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "N:K4.KQ982.AQJ8.T3 AJ9875.4.T653.A9 '
        '63.AJT65.942.K65 QT2.73.K7.QJ8742"]\n[Auction "N"]\n1NT Pass 3NT AP\n',
        encoding="utf-8",
    )
    explained = command("system", "explain", toy, boards)
    assert "50.0 % of 2 calls" in explained.stdout or "100.0 % of 2 calls" in explained.stdout
    assert command("system", "frequencies", toy, "--plot", tmp_path / "a.png").returncode == 0
    assert (tmp_path / "a.png").stat().st_size > 3000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["auction", "1NT-1H"], "1H after 1NT is too low"),
        (["auction", "1NT", "--system", "sacy"], "did you mean 'sayc'"),
        (["deal", "--system", "sayc"], "--system needs an auction"),
        (["deal", "--share", "other=1"], "--share needs an auction"),
        (["deal", "--auction", "1NT", "--share", "other"], "--share takes a call, '=' and a number"),
        (["deal", "--auction", "1NT", "--given", __file__], "is a file; with --auction, write the condition"),
        (["deal", "--auction", "1NT", "--given", "hcp(south) > 8 and"], "an expression was expected"),
        (["system", "check"], "name a system"),
        (["system", "check", "nothing.system"], "nothing.system: No such file"),
        (["filter", "x.pbn"], "--given is missing"),
        (["system", "difference", "sayc"], "takes a second system after the system"),
        (["system", "check", "sayc", "acol"], "takes one system"),
    ],
)
def test_mistakes(command, words, message):
    done = command(*words)
    assert done.returncode == 2 and message in done.stderr and not done.stdout


def test_a_mistake_in_a_file_has_its_place(command, tmp_path):
    file = tmp_path / "wrong.system"
    file.write_text("opening\n1NT hcp 15-17, balnced\n", encoding="utf-8")
    done = command("system", "check", file)
    assert done.returncode == 2
    assert "wrong.system:2:16: unknown word 'balnced'; did you mean 'balanced'?" in done.stderr
    assert done.stderr.splitlines()[2].endswith("^")

"""Practice sheets and HTML files that the commands write."""

from __future__ import annotations

import html
import re
from pathlib import Path

import dealerkit as dk

SCRIPT = """title "North & <South>"
condition hcp(north) >= 15
action printall, printoneline, print(north, south), printes("<b>", hcp(north), "\\n"), average "x" hcp(south),
  frequency "f" (hcp(north), 15, 37)"""


def test_deal_writes_a_sheet_and_prints_nothing(command, tmp_path):
    done = command(
        "deal", 8, "-s", 3, "--sheet", tmp_path / "a.html", "--sheet-hands", "ew", "--first-board", 17
    )
    assert done.returncode == 0 and done.stdout == ""
    assert done.stderr == f"8 boards written to {tmp_path / 'a.html'}, seed 3\n"
    deals = dk.deal(8, seed=3).number_boards(17)
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == deals.page(hands="EW", note="seed 3").html


def test_deal_solves_for_the_sheet_and_writes_another_file(command, tmp_path):
    files = tmp_path / "a.html", tmp_path / "a.pbn"
    done = command(
        "deal", 2, "-s", 3, "--solve", "--event", "A & B", "--sheet", files[0], "-o", files[1]
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = files[0].read_text(encoding="utf-8")
    assert text.count("A &amp; B") >= 4 and text.count("Show the answer") == 2
    assert dk.read(files[1]).deals.page(title="A & B", note="seed 3").html == text


def test_a_sheet_that_cannot_be_written_is_reported_before_dealing(command, tmp_path):
    for verb in (["deal", 1], ["run", "-p", "1"]):
        done = command(*verb, "--sheet", tmp_path / "none" / "a.html", text="action average 1")
        assert done.returncode == 2 and "a.html" in done.stderr and done.stdout == ""
    done = command("deal", 1, "--sheet", tmp_path / "a.html", "--sheet-hands", "NX")
    assert done.returncode == 2 and "letters of one seat" in done.stderr


def test_a_sheet_is_an_html_page_and_its_hands_need_it(command, tmp_path):
    for verb in ("deal", "run"):
        done = command(verb, "--sheet", tmp_path / "a.pdf", text="action average 1")
        assert done.returncode == 2 and "name it a.html" in done.stderr and not (tmp_path / "a.pdf").exists()
        done = command(verb, "--sheet-hands", "NS", text="action average 1")
        assert done.returncode == 2 and "--sheet-hands needs a sheet" in done.stderr


def test_run_writes_all_produced_deals_as_a_sheet(command, tmp_path):
    done = command("run", "-s", "2", "-p", "30", "--sheet", tmp_path / "a.html", text=SCRIPT)
    assert done.returncode == 0, done.stderr
    result = dk.run(SCRIPT, produce=30, seed=2)
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert text == result.deals.page(title="North & <South>", note="seed 2").html
    assert text.count('<section class="card">') == 60 and "<title>North &amp; &lt;South&gt;</title>" in text


def test_html_of_a_run_has_all_hands_and_all_that_is_printed(command, tmp_path):
    done = command("run", "-s", "2", "-p", "30", "--html", tmp_path / "a.html", text=SCRIPT)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    deals = dk.run(SCRIPT, produce=30, seed=2).deals
    table = text.partition("<h3>Hands</h3>")[2].partition("</table>")[0]
    table = re.sub(r"</?span[^>]*>|\ufe0e", "", table)
    cells = r'<tr><th scope="row">(\d+)</th><td class="l">(.*?)</td><td class="l">(.*?)</td></tr>'
    rows = [
        (number, *(re.sub(" ?[♠♥♦♣]", ".", hand)[1:].replace("–", "") for hand in hands))
        for number, *hands in re.findall(cells, table)
    ]
    assert rows == [(str(n), deal.hand("north"), deal.hand("south")) for n, deal in enumerate(deals, 1)]
    printed = re.search(r"<h3>Printed text</h3><pre>(.*?)</pre>", text, re.S)
    *rest, last = done.stderr.splitlines()
    assert last == f"page written to {tmp_path / 'a.html'}"
    lines = [*done.stdout.splitlines(), *rest]  # boards, and the rest
    assert sorted(html.unescape(printed[1]).splitlines()) == sorted(lines) and len(lines) > 100
    assert (
        printed[1].count("&lt;b&gt;") == 30 and "Average of x" in text and "<h3>Frequency of f</h3>" in text
    )


def test_html_of_a_run_without_reports_has_all_deals(command, tmp_path):
    command("run", "-s", "2", "-p", "30", "--html", tmp_path / "a.html", text="hcp(north) >= 15")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert text.count('class="dk-deal"') == 30 and "more</div>" not in text
    again = dk.run("hcp(north) >= 15", produce=30, seed=2).to_html()
    varying = r"[\d.]+ s\b|\bdk[0-9a-f]{8}\b"  # times, and random names of the buttons
    assert re.sub(varying, "", again) == re.sub(varying, "", text)


def test_a_notebook_says_what_it_leaves_out():
    shown = dk.run(SCRIPT, produce=30, seed=2)._repr_html_()
    assert "and 10 more</p>" in shown
    assert re.search(r"Printed text, \d+ lines; the first 200, all of them are in result.text", shown)
    shown = dk.run("hcp(north) >= 15", produce=50, seed=2)._repr_html_()
    assert shown.count('class="dk-deal"') == 48 and "48 of 50 deals are shown" in shown
    quiet = dk.run("action average hcp(north)", produce=3, seed=2)._repr_html_()
    assert "Printed text" not in quiet.partition("</style>")[2]


def test_files_of_a_command_are_not_replaced_by_each_other(command, tmp_path: Path):
    script, source, board = tmp_path / "a.dealer", tmp_path / "a.csv", tmp_path / "a.pbn"
    script.write_text("action average hcp(north)")
    dk.deal(3, seed=1).write(source)
    for switch in ("--html", "--sheet", "--frame"):
        for name in (script, source):
            before = name.read_bytes()
            done = command("run", script, "-L", source, switch, name)
            assert (done.returncode, name.read_bytes()) == (2, before)
            assert f"{switch}: {name} is another file of this command" in done.stderr
    done = command("deal", 3, "-o", board, "--sheet", tmp_path / "." / "a.pbn")
    assert done.returncode == 2 and not board.exists() and "is another file of this command" in done.stderr


def test_the_first_board_is_one_or_more(command, tmp_path: Path):
    done = command("deal", 3, "-o", tmp_path / "a.pbn", "--first-board", -1)
    assert (done.returncode, done.stderr) == (2, "--first-board is -1; it must be 1 or more\n")


def test_deal_and_sheet_write_problems(command, tmp_path):
    sheet = tmp_path / "a.html"
    done = command(
        "deal", 2, "-s", 3, "--sheet", sheet, "--problem", "play", "--contract", "1NT by north", "--solve"
    )
    assert done.returncode == 0, done.stderr
    html = sheet.read_text("utf-8")
    assert html.count("Contract 1NT by North, lead ") == 8 and html.count("Double dummy, North takes ") == 4
    # A sheet of an auction has its calls and its dealer, north, also where no other option numbers the boards.
    done = command("deal", 2, "-s", 3, "--auction", "1NT-3NT", "--sheet", sheet, "--problem", "lead")
    html = sheet.read_text("utf-8")
    assert done.returncode == 0 and html.count("Contract 3NT by North") == 8
    assert html.count("Dealer N<br>") == 8 and html.count("<b>3NT</b>") == 4
    done = command("deal", 2, "-s", 3, "--auction", "1NT-3NT", "-o", tmp_path / "b.pbn")
    assert done.returncode == 0, done.stderr
    done = command("sheet", tmp_path / "b.pbn", "-o", sheet, "--problem", "lead")
    assert done.returncode == 0 and sheet.read_text("utf-8").count("Contract 3NT by ") == 8
    done = command("deal", 2, "--sheet", sheet, "--problem", "play", "--contract", "1NT by north", "--rotate")
    assert done.returncode == 2 and "--rotate moves the hands" in done.stderr
    done = command("deal", 2, "--problem", "play")
    assert done.returncode == 2 and "--problem needs a sheet" in done.stderr
    done = command("deal", 2, "--sheet", sheet, "--problem", "play")
    assert done.returncode == 2 and "give one for all boards, such as --contract '4S by south'" in done.stderr

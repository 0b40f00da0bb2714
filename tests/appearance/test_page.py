"""The page of a result: one file without other files, whose call gives the result again."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.errors import FileError

RUN = 'condition hcp(north) >= 20 action average "south\'s points" hcp(south), frequency "f" (spades(south), 0, 13)'
ADDRESS = re.compile(
    r'(?:src|href|xlink:href|srcset|data|action|poster)="([^"]*)"|url\(([^)]*)\)|@import', re.I
)


def list_results() -> dict[str, object]:
    return {
        "run": dk.run(RUN, produce=500, seed=3),
        "printed": dk.run("condition hcp(north) >= 20 action printoneline", produce=60, seed=3),
        "estimate": dk.estimate("hcp(south)", given="hcp(north) >= 15", seed=4),
        "suit": dk.suit("AQT98", "5432"),
        "distribution": dk.distribution("hcp(north)"),
        "sweep": dk.sweep("hcp(north) >= $low action average hcp(south)", low=[10, 12], produce=200, seed=1),
        "explanation": dk.explain("hcp(north) >= 15"),
        "auction": dk.auction("1NT-3NT"),
        "break-even": dk.break_even("4S", "3S"),
    }


RESULTS = list_results()


@pytest.mark.parametrize("name", RESULTS)
def test_a_page_is_one_file_that_loads_nothing(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]
    assert result.to_html(tmp_path / "a.html") is None
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    loaded = [first or second for first, second in ADDRESS.findall(page)]
    others = [address for address in loaded if not address.startswith("#")]
    assert all(address.startswith("https://www.bridgebase.com/tools/handviewer") for address in others)
    assert len(re.findall(r"<a [^>]*href=\"https", page)) == len(others)  # links that wait for a click
    assert "default-src 'none'" in page and "<link" not in page and "<iframe" not in page
    assert len(page) < 200_000


def test_the_policy_permits_the_script_of_the_page_only() -> None:
    page = RESULTS["run"].to_html()
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert "onclick" not in page and "javascript:" not in page


@pytest.mark.parametrize("name", ["run", "estimate", "suit", "sweep", "distribution"])
def test_the_call_of_a_page_gives_the_page_again(name: str) -> None:
    page = RESULTS[name].to_html()
    call = html.unescape(re.search(r'<dd class="dk-call">(.*?)</dd>', page, re.S)[1])
    assert call.startswith("dk.")
    again = eval(call, {"dk": dk}).to_html()
    varying = r"\d[\d.,]*(?:\u00a0| )m?s\b|\d[\d.]* (?:seconds?|ms|µs)|\bdk[0-9a-f]{8}\b"
    assert re.sub(varying, "", again) == re.sub(varying, "", page)


def test_what_users_write_is_text() -> None:
    script = 'action average "<script>alert(1)</script>" hcp(north)'
    page = dk.run(script, produce=20, seed=1).to_html()
    assert page.count("<script>") == 1 and "&lt;script&gt;alert(1)" in page


def test_marks_of_charts_have_their_values() -> None:
    swept = RESULTS["sweep"]
    page = swept.to_html()
    mean = float(swept.frame.value.iloc[0])
    titles = re.findall(r"<title>10: ([\d.]+), interval ([\d.]+) to ([\d.]+)</title>", page)
    assert titles and all(float(value) == pytest.approx(mean, abs=0.006) for value, _, _ in titles)
    assert all(float(lo) < mean < float(hi) for _, lo, hi in titles)
    drawn = re.findall(r"<title>2: share ([\d.]+)", RESULTS["run"].to_html())
    report = RESULTS["run"].reports[1]
    share = report.shares.share[report.axis.labels.index("2")]
    assert len(drawn) == 1 and float(drawn[0]) == pytest.approx(100 * share, abs=0.5)


def test_many_deals_are_pages_of_diagrams_and_lines() -> None:
    result = dk.run("hcp(north) >= 15 action average hcp(south)", produce=1500, seed=2, keep=1500)
    page = result.to_html()
    assert page.count('class="dk-deal"') == 48
    lines = re.findall(r"\[Deal &quot;(.*?)&quot;\]", page)
    assert sorted({*lines}) == sorted({deal.pbn for deal in result.deals[:500]})
    assert "500 of 1,500 deals" in page and len(page) < 200_000


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no/a.html"):
        RESULTS["run"].to_html(tmp_path / "no" / "a.html")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("call", [["auction", "1NT-3NT"], ["explain"], ["suit", "AQT98", "5432"]])
def test_the_command_writes_pages(call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    script = tmp_path / "a.dealer"
    script.write_text("hcp(north) >= 15", encoding="utf-8")
    file = [str(script)] * (call == ["explain"])
    assert main([*call, *file, "--html", str(tmp_path / "a.html")]) == 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8").endswith("</html>\n")
    assert capsys.readouterr().out

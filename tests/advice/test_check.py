"""`dk.check` and `dealerkit check`: places, reasons and remedies, and its verdict compared with that of `dealer`."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.advice.check import find_refusals
from dealerkit.cli import main

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("compiler", "language", "advice", "scenarios")]
try:
    import checked_scripts
    import random_scripts
    import test_live_scripts
    import test_scenarios
finally:
    del sys.path[:4]

TOKEN = re.compile(r'"[^"]*"|\\n|[A-Za-z0-9_]+|&&|\|\||[=!<>]=|\n|[ \t]+|\S')
STRANGERS = (
    "( ) , + - * / % = == ? : { } ' ; & # // /* */ é ≥ north hcp condition action any not nv frequency title "
    'seed printall printns spades NS notrump produce predeal altcount pointcount ab "q" $1 .5 4.5 0 5 -7 1234 '
    "99999999999 5xxx AS SAK x3N x3Nx opc(NS) dds(north,spades) shape{north,5xxx}"
).split()
CHUNK = 1000


def locate(script: str, target: str) -> list[tuple[str, int, int]]:
    return [(finding.kind, finding.line, finding.column) for finding in dk.check(script, target)]


def judge(program: str, script: str) -> str:
    """Return the verdict of dealer, which deals at most 40 deals: refused, stopped or run."""
    command = [program, "-g", "40", "-p", "1", "-v", "-s", "1"]
    with tempfile.TemporaryDirectory() as folder:  # tables out of range let it write files
        try:
            run = subprocess.run(
                command, input=script.encode(), capture_output=True, timeout=5, check=False, cwd=folder
            )
        except subprocess.TimeoutExpired:
            return "run"
    if run.returncode < 0 and "2147483647" in script:  # a sum beyond 32 bits may lie outside a table
        return "overflow"
    if run.stderr.startswith(b"line "):
        return "refused"
    return "stopped" if run.returncode != 0 or run.stderr.strip() else "run"


def compare(program: str, script: str) -> str:
    """Return the verdict on a script after comparing it with that of dealer."""
    findings = find_refusals(script, "v1")
    kinds = {finding.kind for finding in findings}
    if "limit" in kinds:
        return "limit"
    verdict = judge(program, script)
    if verdict == "overflow":
        return verdict
    if verdict == "run":
        first = [str(finding) for finding in findings if finding.kind == "refused"][:1]
        assert not first, f"false alarm\n{script}\n{first}"
    else:
        expected = {"refused"} if verdict == "refused" else {"refused", "stops"}
        assert kinds & expected, f"missed: dealer {verdict}\n{script}"
    return verdict


def mutate(number: int) -> str:
    """Return a random script in which a few words are deleted, inserted, exchanged or repeated."""
    source = random.Random(number)
    if number % 3 == 0:
        script = test_live_scripts.Generator(number).script()
    elif number % 3 == 1:
        script = source.choice(checked_scripts.SCRIPTS)
    else:
        script = random_scripts.ScriptWriter(number, "v1").write().text
    words = TOKEN.findall(script) or ["1"]
    for _ in range(source.choice([0, 1, 1, 1, 2])):
        place, other = source.randrange(len(words)), source.randrange(len(words))
        kind = source.randrange(5)
        if kind == 0 and len(words) > 1:
            del words[place]
        elif kind == 1:
            words.insert(place, source.choice(STRANGERS))
        elif kind == 2:
            words[place] = source.choice(STRANGERS)
        elif kind == 3:
            words[place], words[other] = words[other], words[place]
        else:
            words.insert(place, words[other])
    return "".join(words)


# ---------------------------------------------------------------- against the program dealer
@pytest.mark.parametrize("number", range(len(checked_scripts.SCRIPTS)))
def test_verdict_on_scripts_of_each_convention(number: int, dealer_program: str) -> None:
    script = checked_scripts.SCRIPTS[number]
    compare(dealer_program, script)


def test_both_verdicts_occur(dealer_program: str) -> None:
    verdicts = [judge(dealer_program, script) for script in checked_scripts.SCRIPTS]
    assert min(verdicts.count("refused"), verdicts.count("run")) >= 60 and "stopped" in verdicts


@pytest.mark.parametrize("file", test_scenarios.SCENARIOS, ids=lambda path: path.name)
def test_verdict_on_scenarios(file: Path, dealer_program: str) -> None:
    """As they are, which dealer often refuses, and with the texts of their includes in their places."""
    compare(dealer_program, test_scenarios.decode(file))
    compare(dealer_program, test_scenarios.make_plain(file))


def test_included_variables_are_known() -> None:
    file = TESTS / "scenarios" / "btn" / "Two_Fragments.btn"
    assert [(f.kind, f.line) for f in dk.check(file, "v1", include=[TESTS / "scenarios"])] == [
        ("differs", line)
        for line, text in enumerate(file.read_text("utf-8").split("\n"), 1)
        if "#include" in text
    ]
    assert dk.check(file, "modern", include=[TESTS / "scenarios"]) == []


def test_verdict_on_random_scripts(dealer_program: str) -> None:
    for number in range(25):
        for dialect in ("v1", "v2", "modern"):
            compare(dealer_program, random_scripts.ScriptWriter(number, dialect).write().text)


@pytest.mark.parametrize(
    "numbers",
    [
        range(40),
        *(pytest.param(range(k, k + CHUNK), marks=pytest.mark.slow) for k in range(10_000, 20_000, CHUNK)),
    ],
    ids=lambda numbers: str(numbers[0]),
)
def test_verdict_on_mutated_scripts(numbers: range, dealer_program: str) -> None:
    verdicts = [compare(dealer_program, mutate(number)) for number in numbers]
    assert min(verdicts.count("refused"), verdicts.count("run")) > len(numbers) / 10


@pytest.mark.parametrize("n_calls", [31, 32])
def test_shape_calls(n_calls: int, dealer_program: str) -> None:
    script = "".join(f"v{k} = shape(north, 4333)\n" for k in range(n_calls)) + "v0\n"
    assert compare(dealer_program, script) == ("run" if n_calls == 31 else "refused")


@pytest.mark.parametrize("text", ["1?1:" * 2400 + "1\n", "1?1:" * 2600 + "1\n"])
def test_long_choices(text: str, dealer_program: str) -> None:
    assert compare(dealer_program, text) == ("run" if len(text) < 10_000 else "refused")


# ---------------------------------------------------------------- places, reasons, remedies
def test_every_error_is_found_with_its_place() -> None:
    script = (
        'title "demo"\n'
        "strong = hcp(north) >= 15.5 and shape{north, 5M(332)} # nice\n"
        "D = 3\n"
        "condition strong and foo and -hcp(north) < 3 and par(NS) > 400\n"
        'action printns, average "a" ltc(north), bktfreq (hcp(north), 0, 10, 2)\n'
    )
    assert locate(script, "v1") == [
        ("refused", 1, 1), ("refused", 2, 24), ("refused", 2, 33), ("refused", 2, 55), ("refused", 3, 1),
        ("refused", 4, 22), ("refused", 4, 30), ("refused", 4, 50),
        ("refused", 5, 8), ("refused", 5, 29), ("refused", 5, 41),
    ]  # fmt: skip


def test_a_stray_character_after_another_mistake_is_found() -> None:
    for sign in "#;'":
        assert locate(f"hcp(north) > 3 and par(NS) > 400 {sign} strong\n", "v1")[:2] == [
            ("refused", 1, 20), ("refused", 1, 34),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "target", "kind", "place", "text"),
    [
        ("cccc(north) >= 12.5\n", "v1", "refused", (1, 16), "write: condition cccc(north) >= 1250"),
        ("cccc(north) >= 12\n", "v1", "mistake", (1, 16), "write: 1200"),
        (
            "quality(east, hearts) > cccc(north)\n",
            "v1",
            "differs",
            (1, 25),
            "dealer defines cccc differently",
        ),
        ("cccc(north) >= 1250\n", "v2", "differs", (1, 1), "DealerV2 defines cccc differently"),
        ("shape{north, 5M(332)}\n", "v1", "refused", (1, 1), "write: shape(north, any 5332 - xx5x - xxx5)"),
        ("hcp(north) > 3 // end", "v1", "refused", (1, 16), "add a newline"),
        ("hcp(north) > 99999999999\n", "v1", "differs", (1, 14), "reads this as 1215752191"),
        ("hcp(north) > 3 é (((\n", "v1", "differs", (1, 16), "ends the script at this character"),
        ("\ufeffhcp(north) > 3\n", "v1", "differs", (1, 1), "without a byte order mark"),
        ("predeal spades(north) == 5\n1\n", "v1", "differs", (1, 9), "ignores a predeal of lengths"),
        ("predeal spades(north) == 0005\n", "v1", "refused", (1, 9), "four digits"),
        ("action average tricks(north, spades)\n", "v1", "stops", (1, 16), "GIB"),
        ("action evalcontract(NS, x3N, nv)\n", "v1", "refused", (1, 8), "stops when it prints"),
        ("action average 5 / hcp(north)\n", "v1", "stops", (1, 16), "hcp(north) == 0"),
        ("altcount 8 9 9 9 9\nhcp(north) > 3\n", "v1", "stops", (1, 1), "more than 3 or less than 0"),
        ("action frequency (hcp(north), 0, 9999999)\n", "v1", "differs", (1, 8), "10,000,000"),
        ("altcount 2 1 1\naction average queens(north)\n", "v1", "differs", (1, 1), "write: altcount 4"),
        ("opener = hcp(north) > 12\nopener\n", "v2", "refused", (1, 10), "another name than `opener`"),
        ('#include "script/x"\n1\n', "v1", "differs", (1, 1), "includes no file"),
        ("dealer south\nhcp(north) > 3\n", "bbo", "differs", (1, 1), "choose south there"),
        (
            "15 <= hcp(north) <= 17\n",
            "modern",
            "mistake",
            (1, 1),
            "write: 15 <= hcp(north) and hcp(north) <= 17",
        ),
        ("a = 3\nb = 4\nhcp(north) > a\n", "v1", "mistake", (2, 1), "'b' is used by no condition"),
        ("hcp(north) > 3\nhcp(south) > 3\n", "modern", "refused", (2, 1), "a second condition"),
        ("not " * 300 + "1\n", "v1", "limit", (1, 801), "more than 200"),
    ],
)
def test_finding(script: str, target: str, kind: str, place: tuple[int, int], text: str) -> None:
    found = [f for f in dk.check(script, target) if f.kind == kind and (f.line, f.column) == place]
    assert found
    assert any(text in str(finding) for finding in found), [str(finding) for finding in found]


def test_sixteen_shapes_of_dealerv2() -> None:
    script = " or ".join(["shape(north, 4333)"] * 17) + "\n"
    assert ("differs", 1, 16 * 22 + 1) in locate(script, "v2")
    assert not [kind for kind, *_ in locate(script.replace(" or ", "\nor "), "v1") if kind == "refused"]


def test_wrapper_of_bbo_is_not_checked() -> None:
    script = 'Script,Demo\nsetDealerCode(`\nhcp(north) > 12.5\n`, "S", true)\nScript\n'
    assert locate(script, "bbo") == [("refused", 3, 14)]


def test_nothing_found() -> None:
    assert dk.check("condition hcp(north) >= 15 and shape(north, any 5332)\naction printall\n", "bbo") == []


def test_unknown_target() -> None:
    with pytest.raises(dk.ArgumentError, match="did you mean 'v1'"):
        dk.check("1", "V1")


# ---------------------------------------------------------------- the command
def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "script.dlr"
    file.write_text("hcp(north) > 15 # strong\n")
    assert main(["check", "--for", "v1", str(file)]) == 1
    assert capsys.readouterr().out == (
        f"{file}:1:17: refused: in v1 a # comment must begin in column 1; write // here\n"
        "  hcp(north) > 15 # strong\n                  ^\n"
    )
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["check", str(tmp_path / "absent")]) == 2


def test_folders_of_included_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "scenarios" / "calm.btn", tmp_path / "library"
    for path in (file.parent, folder / "script"):
        path.mkdir(parents=True)
    (folder / "script" / "Calm").write_text("calm = hcp(east) < 12\nspare = 3\n")
    file.write_text('#include "script/Calm"\ncalm and hcp(north) > 15\n')
    assert main(["check", str(file)]) == 1
    assert "script/Calm" in capsys.readouterr().out
    assert main(["check", "--include", str(folder), str(file)]) == 0
    assert main(["check", "--include", str(folder), "--for", "v1", str(file)]) == 1
    (finding,) = dk.check(file, "v1", include=[folder])
    assert (finding.kind, finding.line) == ("differs", 1)
    (folder / "script" / "Calm").write_text("calm = hpc(east) < 12\nspare = hcp(east < 3\n")
    found = dk.check(file, include=[folder])
    assert [(f.file, f.line, f.column) for f in found] == [
        (str(folder / "script" / "Calm"), line, column) for line, column in ((1, 8), (2, 18))
    ]


def test_what_another_program_takes_otherwise_in_an_included_file_is_found_there(tmp_path: Path) -> None:
    included, file = tmp_path / "both.dealer", tmp_path / "main.dealer"
    included.write_text("x = hcp(north)\nvulnerable both\n")
    file.write_text('#include "both.dealer"\nx > 15\n')
    (finding,) = dk.check(file, "v2")
    assert (finding.file, finding.line, finding.column) == (str(included), 2, 12)
    assert (finding.message, finding.remedy) == ("`vulnerable both` means none in v2", "vulnerable all")


LEVELLED = """x = hcp(south) > 3
level "a" hcp(north) > 12,
  "b" hcp(north) < 9 share 2
y = par(NS) > 400
condition x and y
"""


@pytest.mark.parametrize(("target", "dialect"), [("v1", "v1"), ("bbo", "v1"), ("v2", "v2")])
def test_level_is_named_with_its_remedy(target: str, dialect: str) -> None:
    first, *others = dk.check(LEVELLED, target)
    assert (first.line, first.column, first.kind) == (2, 1, "refused")
    assert "no statement `level`" in first.message
    assert f"`dealerkit translate --level --to {dialect} FILE`" in first.message
    assert [(finding.line, finding.column) for finding in others] == ([(4, 5)] if dialect == "v1" else [])
    with pytest.raises(dk.ScriptError, match="no statement `level`"):
        dk.run(LEVELLED, dialect=dialect, produce=1)


def test_the_remedy_of_level_runs(tmp_path, capsys) -> None:
    path = tmp_path / "levelled.dealer"
    path.write_text(LEVELLED.replace("par(NS) > 400", "hcp(east) > 9"))
    assert main(["translate", "--level", "--to", "v1", str(path)]) == 0
    assert dk.check(capsys.readouterr().out, "v1") == []


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("hcp(north) > 40 and hcp(north) > 41", 1),
        ("hcp(north) > 15 and hcp(north) < 10", 21),
        ("hcp(north) == 10 or 11", 21),
        ("spades(north) > 14 and spades(north) > 2", 1),
    ],
)
def test_a_clause_has_one_finding(text: str, column: int) -> None:
    findings = [finding.column for finding in dk.check(text)]
    assert findings[0] == column
    assert len(findings) == len(set(findings)) == (2 if "41" in text else 1)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("hcp(north) == 12 or 13 or 14", "hcp(north) == 12 or hcp(north) == 13 or hcp(north) == 14"),
        ("hcp(north) != 1 and 2 and 3", "hcp(north) != 1 and hcp(north) != 2 and hcp(north) != 3"),
        (
            "spades(north) == 0 or 1 or 2 or 3",  # 1 by itself may be meant
            "spades(north) == 0 or spades(north) == 1 or spades(north) == 2 or spades(north) == 3",
        ),
        (
            "hcp(north) == 12 or 13 and spades(north) > 4",
            "(hcp(north) == 12 or hcp(north) == 13) and spades(north) > 4",
        ),
    ],
)
def test_numbers_after_a_comparison_are_each_compared_in_the_remedy(text: str, remedy: str) -> None:
    first, *others = dk.check(text)
    assert first.remedy == remedy and not dk.check(remedy)
    assert not any("it is a number" in finding.message for finding in others)


def test_a_predeal_and_a_clause_have_one_finding() -> None:
    (finding,) = dk.check("predeal north SAKQ\nhcp(north) < 5")
    assert (finding.line, finding.column) == (2, 1)
    assert "never true: the predeal determines it" in finding.message


def test_findings_are_a_list_and_a_card():
    findings = dk.check("condition hcp(north) >= 15.5 and par(NS) > 400", "v1")
    data = findings.to_dict()
    assert (data["title"], data["verdict"]) == ("Check of the script for dealer", "2 refused parts.")
    (table,) = data["tables"]
    assert [(row["line"], row["column"]) for row in table["rows"]] == [(1, 25), (1, 34)]
    assert [row["message"] for row in table["rows"]] == [finding.message for finding in findings]
    assert all(str(finding) in findings.text for finding in findings)
    assert "has no numbers with a decimal point" in findings._repr_html_()
    assert dk.check("condition hcp(north) > 15") == [] and "Nothing was found" in dk.check("").text


def test_the_size_of_what_is_shown_grows_with_the_number_of_findings() -> None:
    """Not with its square, though each finding is about the same long line."""
    sizes = [len(dk.check("produce 1 " * number)._repr_html_()) / number for number in (200, 2000)]
    assert sizes[1] < 2 * sizes[0]
    findings = dk.check(
        "condition 15 <= hcp(north) <= 17 action " + "average hcp(north), " * 100 + "printall"
    )
    assert [finding.remedy for finding in findings] == ["15 <= hcp(north) and hcp(north) <= 17"]
    assert "15 &lt;= hcp(north) &lt;= 17" in findings._repr_html_()

"""Files that a script includes: where they are found, and what is refused, with place and remedy."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import ArgumentError, FileError, ScriptError
from dealerkit.language import nodes
from dealerkit.language.includes import MAX_DEPTH
from tests.support.platforms import needs_links

CALM = "calm = hcp(east) < 12"


def write(folder: Path, **texts: str | bytes) -> Path:
    """Write fragments into script/ and the scenario `main` beside it; return the scenario's path."""
    (folder / "script").mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = folder / "main.btn" if name == "main" else folder / "script" / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / "main.btn"


def fail(path: Path, call=dk.parse, **settings) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        call(path, **settings)
    return caught.value


@pytest.mark.parametrize("dialect", ["modern", "v2"])
@pytest.mark.parametrize(
    "line",
    [
        '#include "script/Calm"',
        '#include   "script/Calm"  // both opponents',
        '#include "./script/Calm"\r',
        '#include "script\\Calm"',
        "Import,https://github.com/someone/scenarios/blob/main/script/Calm",
        "Import,Calm,https://raw.githubusercontent.com/someone/scenarios/refs/heads/main/script/Calm",
        "Import, http://example.org/any/where/script/Calm?raw=true#top",
    ],
)
def test_an_included_file_is_read_in_its_place(tmp_path: Path, line: str, dialect: str) -> None:
    path = write(tmp_path, Calm=CALM, main=f"{line}\ncalm\n")
    assert dk.parse(path, dialect) == dk.parse(f"{CALM}\ncalm", dialect)


def test_places_are_those_of_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, Calm=f"// a fragment\n  {CALM}", main='\n#include "script/Calm"\n calm\n')
    script = dk.parse(Path("main.btn"))
    places = [(statement.place.origin.file, statement.place.line, statement.place.column)
              for statement in script.statements]  # fmt: skip
    assert places == [("script/Calm", 2, 3), ("main.btn", 3, 2)]


@pytest.mark.parametrize(
    ("fragment", "line", "column", "source", "message"),
    [
        ("\nx = hcp(nrth)", 2, 9, "x = hcp(nrth)", "did you mean 'north'"),  # of the parser
        ("dealer south\n\n x = y + 1", 3, 6, " x = y + 1", "unknown variable 'y'"),  # of the checks
        ('x = hcp(east)\n"', 2, 1, '"', "no closing quote"),  # of the tokenizer
        ("x = hcp(east)\n/* open", 2, 1, "/* open", "never closed"),
        ("x = shape(north, 5532)", 1, 18, "x = shape(north, 5532)", "has 15 cards"),
    ],
)
def test_mistakes_in_an_included_file(
    tmp_path: Path, fragment: str, line: int, column: int, source: str, message: str
) -> None:
    path = write(tmp_path, Wrong=fragment, main='#include "script/Wrong"\nx\n')
    with pytest.raises(ScriptError) as caught:
        dk.run(path, produce=1)
    error = caught.value
    assert Path(error.file).name == "Wrong"
    assert (error.line, error.column, error.source) == (line, column, source)
    assert message in error.message


def test_warnings_in_an_included_file_name_it(tmp_path: Path) -> None:
    path = write(tmp_path, Both="dealer north\nvulnerable both", main='#include "script/Both"\n1\n')
    (warning,) = dk.parse(path, "v2").warnings
    assert "Both, line 2, column 12: `vulnerable both`" in str(warning)
    assert Path(warning.place.origin.file).name == "Both"


def test_a_comment_without_newline_at_the_end_ends_with_its_file(tmp_path: Path) -> None:
    path = write(
        tmp_path, Calm=CALM + " // the end", main='#include "script/Calm"\ncalm and hcp(north) > 9\n'
    )
    assert len(dk.parse(path).statements) == 2


@pytest.mark.parametrize(
    "text",
    [
        '/*@chat\n#include "script/Nope"\n@chat*/ 1',
        '// #include "script/Nope"\n1',
        '1 #include "script/Nope"',
        "#include hands with five spades\n1",
        "#includes script\n1",
        '##include "script/Nope"\n1',
        '# include "script/Nope"\n1',
    ],
)
def test_comments_are_left_alone(text: str) -> None:
    assert dk.parse(text) == dk.parse("1")


def test_folders_are_searched_in_order(tmp_path: Path) -> None:
    path = write(tmp_path, Calm="calm = 1", main='#include "script/Calm"\ncalm\n')
    other = tmp_path / "other"
    write(other, Calm="calm = 3", More="more = 4")

    def value(**settings) -> int:
        return dk.parse(path, **settings).statements[0].value.value

    assert value(include=[other]) == 1
    (tmp_path / "script" / "Calm").unlink()
    assert value(include=[other]) == 3
    assert value(include=[other / "script"]) == 3  # the folder itself
    assert value(include=str(other)) == 3
    assert dk.run(path, produce=1, include=[other]).produced == 1


def test_a_fragment_includes_its_neighbour(tmp_path: Path) -> None:
    path = write(tmp_path, A='#include "B"\na = b', B="b = 1", main='#include "script/A"\na\n')
    assert [node.name for node in dk.parse(path).statements if isinstance(node, nodes.Definition)] == [
        "b",
        "a",
    ]


def test_a_text_without_a_file_includes_nothing_unless_a_folder_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, Calm=CALM)
    monkeypatch.chdir(tmp_path)
    assert dk.parse('#include "script/Calm"\ncalm', include=["."]) == dk.parse(f"{CALM} calm")
    for line in ('#include "script/Calm"', "Import,https://example.org/script/Calm"):
        with pytest.raises(ScriptError, match="--include DIR") as caught:
            dk.parse(f"{line}\ncalm")
        assert str(tmp_path) not in str(caught.value)


def test_nothing_above_the_folder_of_a_file_is_read_unless_it_is_given(tmp_path: Path) -> None:
    write(tmp_path, Calm=CALM)
    (tmp_path / "btn").mkdir()
    path = tmp_path / "btn" / "main.btn"
    path.write_text('#include "script/Calm"\ncalm')
    with pytest.raises(ScriptError, match="there is no file script/Calm"):
        dk.parse(path)
    assert len(dk.parse(path, include=[tmp_path]).statements) == 2


@pytest.mark.parametrize(
    "text",
    [
        "sword_fish:x:0:0:Dear sword:/sword:/bin/sword",
        "password = sword_fish",
        "name,password\nann,sword_fish",
        '{"password": "sword_fish"}',
        "Dear Ann,\nthe sword password is sword_fish.\naction is needed",
        "[mail]\npassword=sword_fish",
        "(sword_fish",
    ],
)
def test_messages_show_nothing_of_files_that_are_no_scripts(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, main='#include "notes"\ncondition hcp(north) > 15')
    (tmp_path / "notes").write_text(text)
    for call in (dk.run, dk.explain, dk.check):
        try:
            shown = str(call(path))
        except ScriptError as error:
            shown = f"{error!r} {error} {[vars(part) for part in error.errors]}"
        assert "notes" in shown and "does not look like a script" in shown
        assert not any(word in shown for word in ("sword", "Dear", "[mail"))


@pytest.mark.parametrize(
    ("text", "message", "shown"),
    [
        ("strong = hpc(north) > 15", "did you mean 'hcp'", "hpc(north)"),
        ("-- calm hands\ncalm = hcp(east) < 12", "a comment begins with //", "-- calm hands"),
        ("calm := hcp(east) < 12", "a variable is defined with the sign =", "calm :="),
        ("low = 12\ncalm = spades(east) + lwo", "unknown variable 'lwo'", "lwo"),
    ],
)
def test_messages_show_the_text_of_definitions(tmp_path: Path, text: str, message: str, shown: str) -> None:
    path = write(tmp_path, main='#include "script/Bids"\ncondition hcp(north) > 15', Bids=text)
    error = fail(path, dk.run)
    assert message in error.message and shown in str(error)
    assert Path(error.file).name == "Bids"


def test_a_message_without_the_text_says_how_to_see_it(tmp_path: Path) -> None:
    path = write(tmp_path, main='#include "script/Numbers"\n1', Numbers="low = 12\nhigh = lwo + 2")
    error = fail(path, dk.run)
    assert error.source == "" and "`dealerkit check " in error.message
    assert "lwo" not in str(error)
    (finding,) = dk.check(tmp_path / "script" / "Numbers")
    assert "'lwo'" in finding.message


def test_a_missing_file_is_the_error(tmp_path: Path) -> None:
    path = write(tmp_path, Calm=CALM, main='dealer south\n#include "script/Clam"\ncalm\n')
    error = fail(path)
    assert (error.file, error.line, error.column) == (str(path), 2, 1) or Path(error.file).name == "main.btn"
    assert "there is no file script/Clam" in error.message
    assert "did you mean 'Calm'" in error.message
    assert "--include DIR" in fail(write(tmp_path, main='#include "elsewhere/X"\n1')).message


def test_the_message_about_an_import_says_where_to_save_it(tmp_path: Path) -> None:
    url = "https://github.com/someone/scenarios/blob/main/script/Absent"
    error = fail(write(tmp_path, main=f"\nImport,{url}\n1\n"))
    assert error.line == 2
    assert f"nothing is downloaded: save {url} as {tmp_path / 'script' / 'Absent'}" in error.message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('#include "../../etc/passwd"', "leads out of the folders"),
        ('#include "script/../../secret"', "leads out of the folders"),
        ('#include "/etc/passwd"', "is not below the folders"),
        ('#include "C:/secret"', "is not below the folders"),
        ('#include "~/secret"', "is not below the folders"),
        ('#include ".ssh/id"', "hidden file"),
        ('#include ""', "is not a name"),
        ("Import,https://example.org/script/%2e%2e/%2e%2e/etc/passwd", "leads out of the folders"),
        ("Import,", "needs an address"),
        ("#include script/Calm", 'write #include "script/Calm"'),
        ("#include <script/Calm>", 'write #include "script/Calm"'),
        ("#include \u201cscript/Calm\u201d", 'write #include "script/Calm"'),
        ("#include 'script/Calm'", 'write #include "script/Calm"'),
        ('#include "script/Calm";', 'nothing but a comment may follow: #include "script/Calm"'),
        pytest.param('#include "script/Link"', "symbolic link out of the folders", marks=needs_links),
        ('#include "script/Binary"', "binary file"),
        ('#include "script/Control"', "binary file"),
        ('#include "script/Large"', "larger than 262,144 bytes"),
        ('#include "script/Wrapper"', "complete scenario"),
        ('#include "script"', "script is a folder; an include is a file such as script/NAME"),
        (f'#include "{"x" * 5000}"', "there is no file"),
    ],
)
def test_what_is_refused(tmp_path: Path, line: str, message: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x = 1")
    folder = tmp_path / "a" / "b" / "c" / "d"
    folder.mkdir(parents=True)
    path = write(
        folder, Calm=CALM, Binary=b"\0\1\2" * 50, Control=b"x = 1 \x1b[2J", Large=" " * 262_145,
        Wrapper='Script,X\nsetDealerCode(`1`, "S", true)\nScript', main=f"\n{line}\n1\n",
    )  # fmt: skip
    with contextlib.suppress(OSError):  # a user of Windows who may not make links
        (folder / "script" / "Link").symlink_to(secret)
    error = fail(path)
    assert message in error.message
    assert error.line == 2
    assert Path(error.file).name == "main.btn"


@needs_links
def test_a_link_inside_of_the_folders_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, Calm=CALM, main='#include "script/Link"\ncalm\n')
    (tmp_path / "script" / "Link").symlink_to(tmp_path / "script" / "Calm")
    assert len(dk.parse(path).statements) == 2


def test_files_that_include_themselves(tmp_path: Path) -> None:
    error = fail(
        write(tmp_path, A='#include "script/B"', B='\n#include "script/A"', main='#include "script/A"')
    )
    assert (Path(error.file).name, error.line) == ("B", 2)
    assert "A includes itself" in error.message
    error = fail(write(tmp_path, A='#include "main.btn"', main='#include "script/A"\n1\n'))
    assert "main.btn includes itself" in error.message


def test_nesting_has_a_limit(tmp_path: Path) -> None:
    texts = {f"F{k}": f'#include "script/F{k + 1}"' for k in range(MAX_DEPTH)}
    path = write(tmp_path, **texts, **{f"F{MAX_DEPTH}": "x = 1"}, main='#include "script/F1"\nx\n')
    assert len(dk.parse(path).statements) == 2  # the files 1 to MAX_DEPTH
    error = fail(write(tmp_path, main='#include "script/F0"\nx\n'))
    assert f"included files are nested more than {MAX_DEPTH} deep" in error.message


def test_the_size_of_all_files_has_a_limit(tmp_path: Path) -> None:
    texts = {f"F{k}": f'#include "script/F{k + 1}"\n' * 60 for k in range(4)}
    path = write(tmp_path, **texts, F4=" " * 1000, main='#include "script/F0"\n1\n')  # 60 ** 4 files
    assert "the included files are larger than" in fail(path).message


def test_equal_definitions_may_be_repeated(tmp_path: Path) -> None:
    again = "calm  =  (hcp(east)<12) // the same"
    path = write(tmp_path, A=CALM, B=again, main='#include "script/A"\n#include "script/B"\ncalm\n')
    first = dk.run(path, produce=3, seed=1)
    assert first.deals.to_pbn() == dk.run(f"{CALM} calm", produce=3, seed=1).deals.to_pbn()
    together = dk.parse(f"{CALM}") + dk.parse(f"{CALM} calm")
    assert dk.run(together, produce=1, seed=1).produced == 1


def test_different_definitions_are_named_with_both_places(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        A=f"\n{CALM}",
        B="calm = hcp(east) < 13",
        main='#include "script/A"\n#include "script/B"\ncalm\n',
    )
    with pytest.raises(ScriptError, match="'calm' is already defined in .*A, line 2, column 1") as caught:
        dk.run(path, produce=1)
    assert Path(caught.value.file).name == "B"


def test_v1_keeps_the_include_as_a_comment(tmp_path: Path) -> None:
    path = write(tmp_path, Calm=CALM, main='1\n#include "script/Calm"\n')
    script = dk.parse(path, "v1")
    assert script == dk.parse("1", "v1")
    (warning,) = script.warnings
    assert str(warning) == "line 2, column 1: in v1 #include is a comment; the file is not read"
    with pytest.raises(ScriptError, match="'x' is already defined"):
        dk.run("x = 1 x = 1 x", dialect="v1", produce=1)


def test_defaults_of_script_variables(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        Low="# param low = 20 # from the fragment\n# param 3 = 9\nlow = hcp(south) >= $low",
        main='# param low = 12   # points\n# param 3 = 4\n#include "script/Low"\nlow and spades(south) >= $3\n',
    )
    assert dk.parse(path) == dk.parse("low = hcp(south) >= 12 low and spades(south) >= 4")
    given = dk.parse(path, params={"low": 15})
    assert given == dk.parse("low = hcp(south) >= 15 low and spades(south) >= 4")
    with pytest.raises(ArgumentError, match="does not use"):
        dk.parse(path, params={"high": 1})


def test_folders_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no folder"):
        dk.parse("1", include=[tmp_path / "none"])
    with pytest.raises(ArgumentError, match="list of folders"):
        dk.parse("1", include=3)
    with pytest.raises(ArgumentError, match="pass include to parse"):
        dk.run(dk.parse("1"), produce=1, include=[tmp_path])


@pytest.mark.parametrize(
    "line", ['#include "script/missing"', "Import,https://e.org/script/missing", "#include <x>"]
)
def test_an_include_that_fails_causes_no_further_errors(tmp_path: Path, line: str) -> None:
    error = fail(write(tmp_path, main=f"x = hcp(south)\n{line}\ncalm and hcp(north) > x\nproduce ten\n"))
    assert [(part.line, part.column) for part in error.errors] == [(2, 1), (4, 9)]


def test_an_include_without_its_closing_quote_is_no_comment(tmp_path: Path) -> None:
    error = fail(write(tmp_path, Calm=CALM, main='#include "script/Calm\ncalm\n'))
    assert (error.line, error.message) == (1, 'write #include "script/Calm", in straight double quotes')


def test_every_function_that_reads_a_script_takes_folders(tmp_path: Path, monkeypatch, capsys) -> None:
    from dealerkit.cli import main

    folder, text = tmp_path / "shared", '#include "Calm"\ncalm and spades(north) > 4'
    folder.mkdir()
    (folder / "Calm").write_text(CALM)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    plain, include = f"{CALM}\ncalm and spades(north) > 4", [folder]
    assert dk.probability(text, include=include) == dk.probability(plain)
    assert dk.probability("1", text, include=include).value == 1
    value = '#include "Calm"\ncalm'
    assert dk.distribution(value, include=include).equals(dk.distribution(f"{CALM}\ncalm"))
    deals = dk.deal(20, seed=1, given=text, include=include)
    assert deals.equals(dk.deal(20, seed=1, given=plain))
    explained, same = dk.explain(text, include=include), dk.explain(plain)
    assert explained.error is None and explained.probability == same.probability
    assert len(dk.why(text, deals[0], include=include).text) > 40
    for call in (dk.probability, dk.distribution, lambda script: dk.deal(1, given=script)):
        with pytest.raises(ScriptError, match="Calm"):
            call(text)
    assert dk.explain(text).error is not None
    assert main(["probability", text, "--include", str(folder)]) == 0
    assert "exactly" in capsys.readouterr().out
    (folder / "main").write_text(text)
    assert main(["explain", str(tmp_path / "shared" / "main"), "--include", str(folder)]) == 0

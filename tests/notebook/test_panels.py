"""Errors and warnings as panels; completion, settings and one-line expressions of the magic; the lexer."""

from __future__ import annotations

import json
import pickle
import re
import sys
import tomllib
import traceback
import warnings
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

import dealerkit as dk
from dealerkit.notebook.completion import complete_line, complete_script, make_matcher
from dealerkit.notebook.panels import build_panels, build_warning

BROKEN = "condition hpc(north) >= 15 and\n  spades(north) == 4"


@pytest.fixture(scope="module")
def module_shell():
    from IPython.testing.globalipapp import get_ipython, start_ipython

    shell = start_ipython() or get_ipython()
    shell.run_line_magic("load_ext", "dealerkit")
    return shell


@pytest.fixture
def shell(module_shell, monkeypatch: pytest.MonkeyPatch):
    """Return a shell whose outputs are kept in its list `shown`."""
    shown: list[object] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    module_shell.run_line_magic("reload_ext", "dealerkit")
    return SimpleNamespace(run=module_shell.run_cell, ip=module_shell, shown=shown)


def fail(script: str, **options: object) -> dk.DealerkitError:
    with pytest.raises(dk.DealerkitError) as raised:
        dk.run(script, **options)
    return raised.value


class Tags(HTMLParser):
    """The names of all elements of a page, and what text it shows outside the style sheet."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.append(tag)


def test_a_script_error_has_the_attributes_of_a_syntax_error() -> None:
    error = fail(BROKEN)
    for each in (error, pickle.loads(pickle.dumps(error))):
        assert (each.lineno, each.offset, each.end_offset) == (1, 11, 14)
        assert each.text == "condition hpc(north) >= 15 and" and each.filename == "script"
    shown = "".join(traceback.format_exception_only(error))
    assert (
        "    condition hpc(north) >= 15 and\n              ^^^\n" in shown
    )  # as Python shows any SyntaxError


def test_a_panel_has_place_carets_the_next_line_and_the_corrected_line() -> None:
    assert str(build_panels(fail(BROKEN))).splitlines() == [
        "Unknown function 'hpc'",
        "script, line 1, column 11",
        "  1 │ condition hpc(north) >= 15 and",
        "    │           ^^^",
        "  2 │   spades(north) == 4",
        "Remedy: the nearest name is hcp, high-card points:",
        "  1 │ condition hcp(north) >= 15 and",
    ]
    page = build_panels(fail(BROKEN))._repr_html_()
    assert '<mark class="at">hpc</mark>(north) &gt;= 15' in page and "<ins>hcp</ins>" in page
    assert 'role="alert"' in page and page.count("dk-panel dk-error") == 1


@pytest.mark.parametrize(
    ("script", "corrected"),
    [
        ("hcp(north) = 15", "hcp(north) == 15"),
        ("hcp(north) => 12", "hcp(north) >= 12"),
        ("hcp(n) > 14", "hcp(north) > 14"),
        ("hcp(north) > 4 & hcp(south) > 4", "hcp(north) > 4 and hcp(south) > 4"),
        ("cccc(north) > 1500", "cccc(north) > 15"),
    ],
)
def test_the_corrected_line_can_be_read(script: str, corrected: str) -> None:
    assert str(build_panels(fail(script))).endswith(f"  1 │ {corrected}")
    dk.parse(corrected)


def test_three_mistakes_are_shown_and_the_others_counted() -> None:
    script = "\n".join(f"v{number} = hpc(north) > {number}" for number in range(5))
    panels = build_panels(fail(script + "\ncondition v1"))
    assert len(panels.panels) == 3 and panels.n_more == 2 and "2 more mistakes" in panels._repr_html_()


def test_text_of_scripts_is_escaped() -> None:
    label = "<script>alert(1)</script>"
    pages = [
        build_panels(fail(f'condition {label} action average "{label}" hpc(north)'))._repr_html_(),
        build_panels(dk.ArgumentError(f"'{label}' is not a hand; write `{label}`"), label)._repr_html_(),
        build_warning(dk.MistakeWarning(f"{label}; give {label}"))._repr_html_(),
        dk.run(f'action average "{label}" hcp(north)', produce=2, seed=1)._repr_html_(),
    ]
    for page in pages:
        assert "script" not in Tags(page).names and "&lt;script&gt;" in page


def test_a_warning_says_whether_the_deals_are_sound() -> None:
    with pytest.warns(dk.MistakeWarning) as caught:
        dk.run("15 <= hcp(north) <= 17", produce=1, seed=1)
    text = str(build_warning(caught[0].message))
    assert "script, line 1, column 1\nThe deals are valid" in text
    assert text.endswith("Remedy: probably meant: 15 <= hcp(north) and hcp(north) <= 17.")
    assert "Raise the generate limit." in str(
        build_warning(dk.NothingProducedWarning("no; raise the generate limit"))
    )


def test_errors_of_all_calls_in_a_cell_are_one_panel(shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.ip.user_ns["dk"] = dk
    assert not shell.run(f"%%dealer -p 5\n{BROKEN}").success
    assert not shell.run(f"dk.run({BROKEN!r})").success
    assert not shell.run("x = 1\ny = dk.run('hcp(north) > 3', produce=-1)").success
    assert not shell.run("%%dealer --prodcue 5\nhcp(north) > 3").success
    titles = [str(panels).splitlines()[0] for panels in shell.shown]
    assert titles == ["Unknown function 'hpc'"] * 2 + ["produce is -1", "Unknown option '--prodcue'"]
    place = str(shell.shown[2]).splitlines()[1:4]
    assert place[0].endswith(", line 2") and place[1] == "  2 │ y = dk.run('hcp(north) > 3', produce=-1)"
    assert place[2].index("^") == place[1].index("dk.run")
    assert isinstance(sys.last_value, dk.ArgumentError)  # for %debug
    assert "Traceback" not in "".join(capsys.readouterr())
    shell.run("1 / 0")
    assert "ZeroDivisionError" in "".join(capsys.readouterr()) and len(shell.shown) == 4


def test_a_handler_of_other_errors_stays(shell) -> None:
    handled = []
    before = shell.ip.custom_exceptions, shell.ip.CustomTB
    try:
        shell.ip.set_custom_exc(
            (KeyError,), lambda self, kind, error, trace, tb_offset=None: handled.append(kind)
        )
        shell.ip.run_line_magic("reload_ext", "dealerkit")
        shell.run("{}[1]")
        shell.run("%%dealer\nhpc(north)")
        assert handled == [KeyError] and len(shell.shown) == 1
    finally:
        shell.ip.custom_exceptions, shell.ip.CustomTB = before


def test_warnings_are_panels_each_time_a_cell_runs(shell, monkeypatch: pytest.MonkeyPatch) -> None:
    others: list[str] = []
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *rest: others.append(str(message))
        shell.ip.run_line_magic("reload_ext", "dealerkit")
        for _ in range(2):
            shell.run("%%dealer -p 1 -s 1\n15 <= hcp(north) <= 17")
        shell.run("import warnings; warnings.simplefilter('always'); warnings.warn('of Python')")
    panels = [str(each) for each in shell.shown if "compares" in str(each)]
    assert len(panels) == 2 and others == ["of Python"]


def test_a_kernel_without_ipywidgets(shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    shell.run("%%dealer -p 5 -s 1\nhcp(north) > 10").raise_error()
    assert shell.ip.user_ns["result"].produced == 5
    assert not shell.run("%%dealer\nhpc(north)").success and "hcp" in str(shell.shown[-1])


def test_a_line_is_the_probability_of_a_condition_or_a_mean(shell) -> None:
    shell.ip.user_ns |= {"low": 37, "some": dk.deal(400, seed=1)}
    at = shell.ip.run_line_magic
    assert at("dealer", "hcp(north) == 37").fraction == dk.probability("hcp(north) == 37").fraction
    assert (
        shell.run("%dealer hcp(north) == {low}").result.fraction == at("dealer", "hcp(north) == 37").fraction
    )
    assert float(at("dealer", "--param n=4 hcp(north) * $n").value) == 40
    assert at("dealer", "--given 'spades(north) == 5' spades(north) - 2 * hearts(north) > 4").exact
    mean = at("dealer", "--source some -hcp(north) + 40")
    assert mean.value == pytest.approx(40 - shell.ip.user_ns["some"].eval("hcp(north)").mean())
    with pytest.raises(dk.ArgumentError, match="no expression"):
        at("dealer", "--seed 1")
    with pytest.raises(dk.ScriptError):
        at("dealer", "hpc(north)")


def test_explain_and_help(shell, capsys: pytest.CaptureFixture[str]) -> None:
    explained = shell.run("%%dealer --explain --param low=15\ncondition hcp(north) >= $low").result
    assert "north holds at least 15 points" in str(explained)
    capsys.readouterr()
    shell.run("%%dealer --help").raise_error()
    shown = capsys.readouterr().out
    assert "--produce" in shown and "%config Dealer" in shown and "%dealer EXPRESSION" in shown


def test_settings(shell) -> None:
    from traitlets import TraitError

    magics = shell.ip.configurables[-1]

    def show() -> str:
        return dk.deal(1, seed=1)[0]._repr_html_()

    plain = show()
    try:
        for setting in ("produce = 3", "dialect = 'v1'", "suits = 'two'", "theme = 'dark'"):
            shell.run(f"%config Dealer.{setting}").raise_error()
        result = shell.run("%%dealer -s 1\nhcp(north) > 10").result
        assert result.produced == 3 and result.plan.program.script.rules.name == "v1"
        assert '<div class="dk" data-suits="two" style="--dk-text:' in show()
        with pytest.raises(TraitError, match="four"):
            magics.suits = "three"
    finally:
        for setting in ("produce = None", "dialect = 'modern'", "suits = 'four'", "theme = 'light'"):
            shell.run(f"%config Dealer.{setting}").raise_error()
        light = show()
        magics.theme = "page"
    assert show() == plain and '<div class="dk" style="--dk-text: #' in light


def test_completion_in_a_cell_and_on_its_line(shell) -> None:
    cell = "# param high = 20\nlong_suit = spades(north) > 5\ncondition hcp(north) >= $low and "
    assert complete_script(cell + "long_", cell)[1] == ["long_suit"]
    assert complete_script(cell + "$", cell) == ("$", ["$high", "$low"])
    assert {"spades"} <= set(complete_script(cell + "spa", cell)[1])
    assert complete_script(cell + "hcp(", cell)[1][:2] == ["north", "east"]
    options = {"--param": [], "--produce": [], "--plan": ["auto", "plain"], "--source": []}
    names = ["n_points", "other"]
    assert complete_line("%%dealer --pr", cell, options, names) == ("--pr", ["--produce"])
    assert complete_line("%%dealer --param ", cell, options, names)[1] == ["high=", "low="]
    assert complete_line("%%dealer --param low={n", cell, options, names)[1] == ["n_points"]
    assert complete_line("%%dealer --source o", cell, options, names)[1] == ["other"]
    assert complete_line("%%dealer --plan p", cell, options, names)[1] == ["plain"]
    match = make_matcher(options, dict.fromkeys(names))
    context = SimpleNamespace(full_text="x = n_p", text_until_cursor="x = n_p", cursor_line=0)
    assert match(context)["completions"] == []
    shown = shell.ip.Completer.completions("%dealer hc", 10)
    assert "hcp" in {completion.text for completion in shown}


def test_the_lexer_knows_the_words_of_the_language() -> None:
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    from dealerkit.notebook.lexer import DealerLexer

    text = (
        '%%dealer -p 5\ncondition hcp(north, spades) >= $low and 4 // why\naction average "a b" zar(north)\n'
    )
    tokens = list(DealerLexer().get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    kinds = {value: kind for kind, value in tokens}
    expected = {
        "condition": Keyword, "action": Keyword, "average": Name.Function, "hcp": Name.Builtin,
        "zar": Name.Builtin, "north": Name.Builtin.Pseudo, "spades": Name.Constant, "$low": Name.Variable,
        "4": Number, "// why": Comment, '"a b"': String, "and": Operator.Word, ">=": Operator,
        "%%dealer -p 5": Comment.Preproc,
    }  # fmt: skip
    assert {word: kinds[word] for word in expected} == expected
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pygments.lexers"] == {
        "dealer": "dealerkit.notebook.lexer:DealerLexer",
        "bidding": "dealerkit.notebook.lexer:SystemLexer",
    }


def test_texts_of_bidding_systems_have_colours_and_completion() -> None:
    from pygments.token import Comment, Error, Keyword, Name, Number, String

    import dealerkit as dk
    from dealerkit.notebook.lexer import SystemLexer

    for name in ("sayc", "acol"):  # each character has a kind, and the tokens are the text
        tokens = list(SystemLexer().get_tokens(str(dk.system(name))))
        assert "".join(value for _, value in tokens) == str(dk.system(name)) and Error not in dict(tokens)
    text = '# mine\nsource b "A book"\nafter 1M\n2NT hcp 13+, M 4+, shape(any 5332) "raise" forcing from b\nP otherwise\n'
    kinds = {value: kind for kind, value in SystemLexer().get_tokens(text)}
    expected = {
        "# mine": Comment, "source": Keyword, '"A book"': String, "after": Keyword, "1M": Name.Label, "2NT": Name.Label,
        "hcp": Name.Builtin, "13+": Number, "forcing": Keyword, "otherwise": Keyword, "P": Name.Label,
    }  # fmt: skip
    assert {word: kinds[word] for word in expected} == expected
    match = make_matcher({}, {})
    beginning = 'own = dk.parse_system("""\nstrong(x) = hcp 22+, x 5+\nopening\n2C st'
    line = beginning.rpartition("\n")[2]
    context = SimpleNamespace(full_text=beginning + '\n""")', text_until_cursor=line, cursor_line=3)
    found = match(context)
    assert [each.text for each in found["completions"]] == ["strong"] and found["matched_fragment"] == "st"
    closed = 'own = dk.parse_system("""opening""")\nst'
    context = SimpleNamespace(full_text=closed, text_until_cursor="st", cursor_line=1)
    assert match(context)["completions"] == []


def test_the_script_with_the_colours_is_sent_to_kernels_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from dealerkit.notebook.lexer import show_colors

    shown: list[dict] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    show_colors(SimpleNamespace())
    show_colors(SimpleNamespace(kernel=None))
    (data,) = shown
    words = json.loads(re.search(r"const words = (\{.*?\});", data["application/javascript"])[1])
    assert (words["condition"], words["north"], words["clubs"]) == ("keyword", "seat", "suit")
    assert data["text/plain"] == ""


def test_the_page_about_the_notebook_runs_as_it_is_printed(shell, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "notebook.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(ipython|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 9
    magics = shell.ip.configurables[-1]
    for (kind, block), (after, text) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind == "ipython":
            assert shell.run(block).success == (after != "text"), block
            if after == "text":
                assert str(shell.shown[-1]) + "\n" == text
    assert (magics.confidence, magics.suits) == (0.9, "two")
    listed = set(re.findall(r"^\| `Dealer\.(\w+)` ", page, re.MULTILINE))
    assert listed == set(magics.class_own_traits(config=True))
    magics.confidence, magics.suits = 0.95, "four"


@pytest.mark.slow
def test_programs_that_run_notebooks_get_the_error() -> None:
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    cells = [nbformat.v4.new_code_cell(cell) for cell in ("%load_ext dealerkit", f"%%dealer\n{BROKEN}", "1")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    with pytest.raises(CellExecutionError, match="Unknown function 'hpc'"):
        NotebookClient(notebook, timeout=60).execute()
    assert notebook.cells[2].execution_count is None
    (output,) = notebook.cells[1].outputs
    assert "dk-panel dk-error" in output.data["text/html"] and output.data["text/plain"].startswith("Unknown")

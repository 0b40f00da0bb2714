"""Messages about mistakes: the problem, its place, the correction."""

from __future__ import annotations

import pickle

import pytest

from dealerkit import ScriptError
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import MODERN, V1, V2, Rules
from dealerkit.language.parser import parse_script


def mistake(text: str, rules: Rules = MODERN, params: tuple[str, ...] = ()) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        check_script(parse_script(text, rules, params=params))
    return caught.value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        # misspelt words
        ("hpc(north) > 5", (1, 1), "unknown function 'hpc'; did you mean 'hcp'?"),
        (
            "condition 1 and\n  hcpp(north, spades) > 5",
            (2, 3),
            "unknown function 'hcpp'; did you mean 'hcp'?",
        ),
        ("hcp(nrth) > 5", (1, 5), "did you mean 'north'?"),
        ("hcp(North) > 5", (1, 5), "small letters; write `hcp(north) > 5`"),
        ("hcp(north, spads)", (1, 12), "did you mean 'spades'?"),
        ("hcp(north, spade s) > 3", (1, 12), "'spades' is one word; delete the blank"),
        ("dealer nrth", (1, 8), "did you mean 'north'?"),
        ("actoin printall", (1, 1), "did you mean 'action'?"),
        ("produc 10", (1, 1), "did you mean 'produce'?"),
        ("action prntall", (1, 8), "did you mean 'printall'?"),
        ("action prnt(north)", (1, 8), "did you mean 'print'?"),
        ("shape(nort, 5xxx)", (1, 7), "did you mean 'north'?"),
        # signs
        ("condition hcp(north) = 10", (1, 22), "a comparison is written =="),
        ("a = 1 condition a = 10", (1, 19), "a comparison is written =="),
        ("spades = 5", (1, 1), "write `spades(north) == 5`"),
        ("spades = hcp(north)", (1, 1), "'spades' is a keyword"),
        ("AS = 5", (1, 1), "'AS' is a card and cannot be a variable"),
        ("xx12 = 5", (1, 1), "'xx12' is a shape"),
        ("x3N = 5", (1, 1), "'x3N' is a contract"),
        ("shape = 5", (1, 1), "'shape' is a keyword"),
        # parentheses
        ("hcp(north", (1, 4), "'(' is never closed"),
        ("a = (1 + (2 * 3)\n", (1, 5), "'(' is never closed"),
        ("(1+2))", (1, 6), "')' closes nothing"),
        ("hcp north > 3", (1, 5), "write `hcp(north) > 3`"),
        ("spades > 3", (1, 8), "write `spades(north) > 3`"),
        ('action printes "x"', (1, 16), 'in parentheses; write `action printes("x")`'),
        # cards, contracts, shapes
        ("predeal north S10", (1, 15), "the ten is written T; write `predeal north ST`"),
        ("predeal north SA, H109", (1, 19), "the ten is written T; write `predeal north SA, HT9`"),
        (
            "predeal north SKA",
            (1, 15),
            "the ranks of a holding go from the ace down, each once; write `predeal north SAK`",
        ),
        ("predeal north sak", (1, 15), "capitals; write `predeal north SAK`"),
        ("predeal north AS", (1, 15), "the suit comes first; write `predeal north SA`"),
        ("predeal spades(north) == 14", (1, 26), "at most 13 cards"),
        ("hascard(north, SA)", (1, 16), "its rank first; write `hascard(north, AS)`"),
        ("hascard(north, 10S)", (1, 18), "write `hascard(north, TS)`"),
        (
            "score(NS, 3N, 9)",
            (1, 7),
            "write `score(nv, 3N, 9)`",
        ),
        ("shape(north, 5544)", (1, 14), "shape 5544 has 18 cards, not 13"),
        ("shape(north, 5xxx + 99xx)", (1, 21), "shape 99xx has 18 cards, more than 13"),
        ("shape(north, 543)", (1, 14), "write `shape(north, 5431)`"),
        ("shape(north, any4333)", (1, 14), "after `any` come a blank and a shape"),
        ("shape{north, (4432) + 5544}", (1, 23), "shape 5544 has 18 cards, not 13"),
        ("shape{north,\n  5xxx\n + 544}", (3, 4), "3 lengths, not 4"),
        ("shape{North, 5xxx}", (1, 6), "begins with a seat and a comma"),
        # arguments
        ("hcp(hearts)", (1, 5), "takes a seat first; write `hcp(north, hearts)`"),
        ("hcp()", (1, 1), "the first argument is missing"),
        ("hcp(north, hearts, clubs)", (1, 20), "write `hcp(north, hearts) + hcp(north, clubs)`"),
        ("action frequency (1, 0-3, 4)", (1, 22), "the second argument is an expression"),
        ("action frequency (1, 2)", (1, 8), "the third argument is missing"),
        ('action print "x" (north)', (1, 14), "takes no label"),
        # statements
        ("dealer = hcp(north) >= 12", (1, 10), "for a variable choose another name than `dealer`"),
        ("opener = north", (1, 8), "`opener` takes its value without '=': opener north"),
        ('title = "x"', (1, 7), "`title` takes its value without '=': title \"x\""),
        ("seed = 5", (1, 6), "`seed` takes its value without '=': seed 5"),
        ("produce five", (1, 9), "write `produce 5`"),
        ("produce some", (1, 9), "`produce` takes a whole number of 0 or more"),
        ("generate -5", (1, 10), "found '-'"),
        ("produce 5.5", (1, 9), "whole number"),
        ("title five", (1, 7), "a text in quotes"),
        ("vulnerable north", (1, 12), "none, NS, EW or all"),
        ("action printall printew", (1, 17), "separated by commas; write `, printew`"),
        ("printall", (1, 1), "after the word `action`"),
        ("action average", (1, 15), "the script ends too early; an expression"),
        ("a ? 1", (1, 6), "write `a ? 1 : 0`"),
        ("a ? 1 2", (1, 7), "':' was expected"),
        ("condition", (1, 10), "an expression was expected here"),
        ("condition condition 1", (1, 11), "an expression was expected here"),
        ("altcount", (1, 1), "the number of a table"),
        # the first of several, also before a character that begins no token
        ("a = 1 )\n; 'b'", (1, 7), "this ')' closes nothing"),
        ("spades shape 5 (\nwest # no", (1, 8), "`spades` takes the seat of a hand in parentheses"),
        ("shape(north, 4444)\n1 & 2", (1, 14), "shape 4444 has 16 cards"),
        ("hcp(north\n; 2 3", (2, 1), "statements need no ';'; delete it"),
    ],
)
def test_messages(text: str, place: tuple[int, int], message: str) -> None:
    error = mistake(text)
    assert message in error.message
    assert (error.line, error.column) == place
    assert error.source == text.split("\n")[place[0] - 1]


@pytest.mark.parametrize(
    ("n_before", "ordinal"),
    [(1, "second"), (9, "tenth"), (10, "11th"), (20, "21st"), (21, "22nd"), (110, "111th"), (1202, "1203rd")],
)
def test_number_of_a_wrong_argument(n_before: int, ordinal: str) -> None:
    error = mistake(f"action printes({'1, ' * n_before}AS)")
    assert error.message.endswith(f"the {ordinal} argument is a card")


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("dds(north, spades)", V1, "'dds' is not known in v1; it is in v2 and modern"),
        ("condition min(1, 2)", V2, "'min' is not known in v2; it is in modern"),
        ("score(vul, 3N, 9)", V2, "write `score(vul, x3N, 9)`"),
        ("score(vul, x4Sx, 9)", V1, "a contract is written x3N"),
        ("vulnerable both", V1, "write `vulnerable all`"),
        ("-hcp(north)", V1, "write `0 -`"),
        ("hcp(north) > $low", V1, "script variables ($low) are not known in v1, only in modern"),
        ("3.5", V1, "v1 has no numbers with a decimal point"),
        ("action printes(dds(north, spades))", V1, "'dds' is not known in v1; it is in v2 and modern"),
        ("action printside(NS)", V1, "'printside' is not known in v1"),
    ],
)
def test_functions_of_other_dialects(text: str, rules: Rules, message: str) -> None:
    assert message in mistake(text, rules).message


def test_errors_inside_a_value_point_at_its_variable() -> None:
    for text, values in (
        ("1 +\n $0", ("hcp(nrth)",)),
        ("1 +\n $0", ("(2",)),
        ("1 +\n $0", ("$1", "shape{north, 5544}")),
    ):
        error = mistake(text, params=values)
        assert (error.line, error.column) == (2, 2)
    error = mistake("shape{north,\n 5xxx + $0 + 4432}", params=("5544",))
    assert "5544" in error.message and (error.line, error.column) == (1, 6)
    error = mistake("shape{north,\n $0 + 5544}", params=("5xxx",))
    assert (error.line, error.column) == (2, 7)


def test_the_message_shows_the_line_and_a_caret() -> None:
    assert str(mistake("condition 1\n  and hcp(nrth)")).splitlines()[1:] == [
        "    and hcp(nrth)",
        "            ^",
    ]
    assert str(mistake("condition 1\r\n  and hcp(nrth)\r\n")).splitlines()[1] == "    and hcp(nrth)"


def test_the_name_of_the_file_is_shown() -> None:
    with pytest.raises(ScriptError, match=r"^my\.dl:1:1: "):
        parse_script(")", MODERN, "my.dl")


def test_messages_name_no_token_of_the_grammar() -> None:
    for text in (
        "1 2 )",
        "action ,",
        "hcp(",
        "hcp(north,",
        "shape(",
        "shape(north",
        "predeal",
        "predeal north",
        "a =",
        "x ?",
    ):
        message = mistake(text).message
        assert not any(word.isupper() and len(word) > 2 for word in message.replace("SAKQ", "").split()), (
            message
        )


def test_errors_can_be_sent_to_another_process() -> None:
    error = mistake("hpc(north)")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert error.__context__ is None  # dask pickles this, too, and errors of the parser have functions


def test_errors_are_syntax_errors_of_python_too() -> None:
    with pytest.raises(SyntaxError):
        parse_script("(", V2)


@pytest.mark.parametrize(
    ("text", "rules", "kind"),
    [
        ("condition hpx", MODERN, "unknown variable"),
        ("condition x x = 1", MODERN, "unknown word"),
        ("actoin printall", MODERN, "unknown word"),
        ("x = 1 x = 2", V1, "defined twice"),
        ("condition (hcp(north) > 5", V1, "unclosed"),
        ("condition hcp(north) > 5 /* strong", V1, "unclosed"),
        ("condition hcp(north) > 5)", V1, "unopened"),
        ("condition hcp(north) > 5 # strong", V1, "comment"),
        ('level "a" hcp(north) > 5', V1, "level"),
        ("dealer = 3", V2, "setting as variable"),
        ("altcount 99 1", V1, "unknown table"),
        ("action frequency (hcp(north), 5, 3)", V1, "empty range"),
        ("condition " + "(" * 300 + "1" + ")" * 300, MODERN, "limit"),
        ("condition 1 +", MODERN, ""),
    ],
)
def test_errors_that_programs_tell_apart_have_kinds(text: str, rules: Rules, kind: str) -> None:
    with pytest.raises(ScriptError) as caught:
        check_script(parse_script(text, rules, finds_all=False))
    assert caught.value.kind == kind
    assert pickle.loads(pickle.dumps(caught.value)).kind == kind

"""Tokens: longest match, words by version, comments, script variables."""

from __future__ import annotations

import pytest

import dealerkit.language.functions  # noqa: F401 - registers the functions that tokens are compared with
from dealerkit import ArgumentError, ScriptError
from dealerkit.language.dialects import MODERN, V1, V2, Rules
from dealerkit.language.script_variables import ScriptVariables
from dealerkit.language.source import ScriptSource
from dealerkit.language.tokenizer import tokenize


def tokens(text: str, rules: Rules = MODERN, **values: str) -> list[tuple[str, str]]:
    params = {name[1:]: value for name, value in values.items()}  # v3="..." is $3
    found, error = tokenize(ScriptSource(text, rules), params)
    if error is not None:
        raise error
    return [(token.type, token.text) for token in found]


def types(text: str, rules: Rules = MODERN, **values: str) -> list[str]:
    return [type for type, _ in tokens(text, rules, **values)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hcps hcpS HCP Spades spades", ["FUNCTION", "NAME", "NAME", "NAME", "SUIT"]),
        ("53321 x5xx 5xxx xxxxx xx12", ["NUMBER", "DISTRIBUTION", "DISTRIBUTION", "NAME", "DISTRIBUTION"]),
        ("C D H S SA HK DT9 SAKQ SKA", ["HOLDING"] * 8 + ["NAME"]),
        ("AS TC 9H 2D", ["CARD"] * 4),
        ("543x2", ["DISTRIBUTION", "NUMBER"]),
        ("and AND && not ! or ||", ["OPERATOR", "NAME", "OPERATOR", "NOT", "NOT", "OPERATOR", "OPERATOR"]),
        ("a_b1 _", None),
    ],
)
def test_tokens_of_section_1(text: str, expected: list[str] | None) -> None:
    if expected is None:
        with pytest.raises(ScriptError, match="'_' has no meaning"):
            tokens(text)
    else:
        assert types(text) == expected


def test_four_digits_are_a_shape_only_inside_shape() -> None:
    assert types("5332 shape(north, any 5332) 5332") == [
        "NUMBER", "SHAPE", "LPAR", "SEAT", "COMMA", "ANY", "DISTRIBUTION", "RPAR", "NUMBER",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "v1", "v2", "modern"),
    [
        ("x3N", "CONTRACT", "CONTRACT", "CONTRACT"),
        ("z3N", "NAME", "CONTRACT", "CONTRACT"),
        ("x3Nx", "NAME", "CONTRACT", "CONTRACT"),
        ("z4Hxx", "NAME", "CONTRACT", "CONTRACT"),
        ("both", "NAME", "VULWORD", "VULWORD"),
        ("ltc", "NAME", "FUNCTION", "FUNCTION"),
        ("deal", "NAME", "DEAL", "DEAL"),
        ("title", "NAME", "NAME", "TITLE"),  # v2: a word of the language only before a blank
        ("printside", "NAME", "ACTION_CALL", "ACTION_CALL"),
        ("par0", "NAME", "NAME", "NAME"),
    ],
)
def test_keywords_of_some_dialects(word: str, v1: str, v2: str, modern: str) -> None:
    assert [types(word, rules) for rules in (V1, V2, MODERN)] == [[v1], [v2], [modern]]


@pytest.mark.parametrize("word", ["min", "fit", "zar"])
def test_functions_that_dealer_v2_does_not_have_may_be_variables(word: str) -> None:
    assert types(f"{word}(", MODERN)[0] == types(f"{word} (", MODERN)[0] == "FUNCTION"
    assert types(f"{word} > 1", MODERN)[0] == types(f"{word}(", V2)[0] == "NAME"


@pytest.mark.parametrize("text", ["3N", "3NT", "1C", "7NTxx", "2Hx"])
def test_contracts_without_a_letter_before_them_are_modern(text: str) -> None:
    assert types(text) == ["CONTRACT"]
    assert types(text, V2) != ["CONTRACT"]


def test_a_low_suit_contract_looks_like_a_card() -> None:
    assert types("3C") == ["CARD"]  # the arguments of the function decide


def test_settings_of_v2_are_keywords_only_before_a_blank() -> None:
    assert types("seed=5", V2) == ["NAME", "ASSIGN", "NUMBER"]
    assert types("seed = 5", V2) == ["COUNT", "ASSIGN", "NUMBER"]
    assert types("seed=5", MODERN) == ["COUNT", "ASSIGN", "NUMBER"]
    assert types("produce", V2) == ["NAME"]
    assert types("produce\r\n4", V2) == ["COUNT", "NUMBER"]


@pytest.mark.parametrize("rules", [V1, V2, MODERN], ids=lambda rules: rules.name)
def test_comments_and_line_ends(rules: Rules) -> None:
    text = "# first\r\n1 // one\n/* two\n<GOOF> */ 2\n#define X\n3 // the last line has no newline"
    assert tokens(text, rules) == [("NUMBER", "1"), ("NUMBER", "2"), ("NUMBER", "3")]


def test_hash_off_column_1() -> None:
    assert types("1 # one") == ["NUMBER"]
    for rules in (V1, V2):
        with pytest.raises(ScriptError, match="column 1") as caught:
            tokens("1 # one", rules)
        assert caught.value.column == 3


def test_strings() -> None:
    assert tokens('"a\\n # // $1" \\n') == [("STRING", "a\\n # // $1"), ("STRING", "\n")]
    assert tokens('"a\nb"', V1) == [("STRING", "a\nb")]
    assert tokens("1 \"a' b\n2", V2) == [("NUMBER", "1"), ("STRING", "a' b\n"), ("NUMBER", "2")]
    for text in ('1 "a', '"a\n"b'):
        with pytest.raises(ScriptError, match="no closing quote on its line"):
            tokens(text, V2)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("1 /* 2", 3, "comment is never closed"),
        ('ab "cd', 4, "no closing quote"),
        ("shape{north", 6, "'{' is never closed"),
        ("1 & 2", 3, "write `and`"),
        ("1 | 2", 3, "write `or`"),
        ("1 => 2", 3, "has no meaning"),
        ("1 =< 2", 3, "has no meaning"),
        ("1 <> 2", 3, "has no meaning"),
        ("1;", 2, "statements need no ';'; delete it"),
        ("'a'", 1, "double quotes"),
        ("\u201ca\u201d", 1, "has no meaning"),
        ("1 \u2265 2", 3, "has no meaning"),
        ("1\f2", 2, "form feed"),
        ("1\r2", 2, "carriage return"),
        ("1\u00a02", 2, "has no meaning"),
        ("1 $ x", 3, r"as \$low or \$0"),
    ],
)
def test_characters_that_begin_no_token(text: str, column: int, message: str) -> None:
    with pytest.raises(ScriptError, match=message) as caught:
        tokens(text)
    assert caught.value.column == column


def test_decimals() -> None:
    assert tokens(".5 12. 123.456") == [("NUMBER", ".5"), ("NUMBER", "12."), ("NUMBER", "123.456")]
    with pytest.raises(ScriptError, match="decimal point"):
        tokens("3.5", V1)


# ---------------------------------------------------------------- script variables
def test_values_become_tokens() -> None:
    assert tokens("x$0", v0="3+4") == [("NAME", "x"), ("NUMBER", "3"), ("PLUS", "+"), ("NUMBER", "4")]
    assert tokens("hc$1", v1="p") == [("NAME", "hc"), ("NAME", "p")]  # a value ends a token
    assert tokens('$2 "$2"', v2='"label"') == [("STRING", "label"), ("STRING", "$2")]
    assert tokens("produce $1", V2, v1="7") == [("COUNT", "produce"), ("NUMBER", "7")]


def test_values_may_contain_variables() -> None:
    assert types("$1", v1="$2 + $2", v2="$3", v3="hcp") == ["FUNCTION", "PLUS", "FUNCTION"]


@pytest.mark.parametrize("text", ["$1", "shape{north, $1}"])
def test_a_variable_that_contains_itself(text: str) -> None:
    with pytest.raises(ScriptError, match=r"\$1 contains itself") as caught:
        tokens("1\n  " + text, v1="$2", v2="x $1")
    assert caught.value.line == 2


def test_values_that_exceed_the_limit_of_length() -> None:
    values = {f"v{n}": f"${n + 1}" * 10 for n in range(9)} | {"v9": "1 "}  # a thousand million tokens
    with pytest.raises(ScriptError, match="longer than 262,144 characters"):
        tokens("$0", **values)


def test_a_variable_without_a_value() -> None:
    assert tokens("1 $4", V2) == [("NUMBER", "1")]
    with pytest.raises(ScriptError, match=r"\$4 has no value"):
        tokens("1 $4")
    with pytest.raises(ScriptError, match="not known in v1"):
        tokens("1 $4", V1, v4="1")


def test_errors_inside_a_value_point_at_the_variable() -> None:
    with pytest.raises(ScriptError, match=r"in the value of \$3: .*no closing quote") as caught:
        tokens("1\n2 $3 4", v3='5 "abc')
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_variables_inside_shape() -> None:
    assert tokens("shape{$0, $1 + $2}", v0="north", v1="5xxx", v2="(4432)")[1] == (
        "BRACE",
        "north, 5xxx + (4432)",
    )


def test_script_variables_from_sequences_and_mappings() -> None:
    assert ScriptVariables(["a", None, "c"]).values == {"0": "a", "2": "c"}
    assert ScriptVariables({"$3": "x", 4: "y", "5": "z"}).values == {"3": "x", "4": "y", "5": "z"}
    with pytest.raises(ArgumentError, match=r"\$10"):
        ScriptVariables({10: "x"})
    with pytest.raises(ArgumentError, match="not one text"):
        ScriptVariables("north")

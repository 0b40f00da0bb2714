"""Printed scripts parse to equal nodes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerkit.language import nodes
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import MODERN, V1, V2, Rules
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import WIDTH, to_text

ALL = pytest.mark.parametrize("rules", [V1, V2, MODERN], ids=lambda rules: rules.name)
EXAMPLES = sorted(Path("/usr/share/doc/dealer/examples").glob("Descr.*"))


def reprinted(text: str, rules: Rules) -> str:
    """Return the printed script; it parses to an equal script, and printing that gives the same text."""
    script = parse_script(text, rules)
    printed = to_text(script)
    assert parse_script(printed, rules) == script, printed
    assert to_text(parse_script(printed, rules)) == printed
    return printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("((1+2))*3", "(1 + 2) * 3"),
        ("1+(2*3)", "1 + 2 * 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("(1-2)-3", "1 - 2 - 3"),
        ("(a or b) and not(c and d)", "(a or b) and not (c and d)"),
        ("(a and b) or c", "a and b or c"),
        ("! ! a", "not not a"),
        ("-(a+1)*-2", "-(a + 1) * -2"),
        ("a?b?1:2:c?3:4", "a ? (b ? 1 : 2) : c ? 3 : 4"),
        ("(a?1:2)+1", "(a ? 1 : 2) + 1"),
        ("(a?1:2)?3:4", "(a ? 1 : 2) ? 3 : 4"),
        ("hcp(north,spade)>=012", "hcp(north, spades) >= 12"),
        ("shape(north,any 4333,5xxx-5440)", "shape(north, any 4333 + 5xxx - 5440)"),
        ("shape{north,5M(xxx)  +  4432}", "shape{north, 5M(xxx) + 4432}"),
        ("score(vul,3NTx,9)", "score(vul, x3Nx, 9)"),
        ("par(ns,BOTH)", "par(NS, all)"),
        ("1.50 + 2. + .25 + 250000000000000000000000.25", "1.5 + 2.0 + 0.25 + 250000000000000000000000.0"),
    ],
)
def test_expressions(text: str, printed: str) -> None:
    assert reprinted(f"condition {text}", MODERN) == f"condition {printed}\n"


def test_numbers_of_four_digits_and_texts_without_closing_quote() -> None:
    for rules in (V1, V2):
        assert (
            reprinted("pointcount -01000 -09999 -999 1234", rules) == "pointcount -01000 -09999 -999 1234\n"
        )
    assert reprinted("pointcount -1000", MODERN) == "pointcount -1000\n"
    texts = 'action average "a\' b\n 1, printes("c\n, 2, \\n)\ntitle "d e\'\n'
    assert reprinted(texts, V2).endswith('title "d e\'"\n')


def test_v2_has_its_own_parentheses() -> None:
    assert reprinted("condition 2*3/2", V2) == "condition 2 * 3 / 2\n"
    assert reprinted("condition (2*3)/2", V2) == "condition (2 * 3) / 2\n"
    assert reprinted("condition (2*3)/2", V1) == "condition 2 * 3 / 2\n"
    grouped = parse_script("condition 2*3/2", V1).statements[0]
    assert to_text(grouped, V2) == "condition (2 * 3) / 2"  # the same tree, as v2 must write it


def test_decimals_of_v2() -> None:
    assert reprinted("condition 12.345 > .5", V2) == "condition 12.35 > 0.50\n"
    assert reprinted("pointcount 4.5 3", V2) == "pointcount 450 300\n".replace("300", "3")


@ALL
def test_statements(rules: Rules) -> None:
    text = """
    generate 5 produce 6 dealer east vulnerable NS predeal north SAQ, SK, H2 , D south C9
    predeal heart(west)==3 pointcount 4 -3 2 altcount 2 5 strong = hcp(north) > 15
    action print(north,east), printes("a",\\n,strong), average strong, average "m" 1, printcompact(1),
      frequency "f" (1,-2,3), frequency(1,2,3,4,5,6), printall
    condition strong"""
    assert reprinted(text, rules).splitlines() == [
        "generate 5",
        "produce 6",
        "dealer east",
        "vulnerable NS",
        "predeal north SAQ, SK, H2",
        "predeal south C9",
        "predeal hearts(west) == 3",
        "pointcount 4 -3 2",
        "altcount 2 5",
        "strong = hcp(north) > 15",
        "action",
        "    print(north, east),",
        '    printes("a", \\n, strong),',
        "    average strong,",
        '    average "m" 1,',
        "    printcompact(1),",
        '    frequency "f" (1, -2, 3),',
        "    frequency(1, 2, 3, 4, 5, 6),",
        "    printall",
        "condition strong",
    ]


def test_statements_of_v2() -> None:
    text = (
        'seed 3 title "t" opener west startboard 4 action printside(EW), printns, export(north),'
        " bktfreq(1,.5,2,.25),"
        ' evalcontract(NS,z3Nx,vul), csvrpt(north,NS,deal,trix(deal),parcontract,parcontract(ew),"x",1)'
    )
    for rules in (V2, MODERN):
        reprinted(text, rules)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1 (4294967295) > 3",  # a literal that wraps to -1 must not be subtracted from the line above
        "pointcount 4 3 (5) > 3",
        "predeal north SA (spades(north)) == 7",
        "action printcompact, (1) > 2",
        "action printoneline, x = 1",
        "action (1)",
        "seed=5 condition (seed) > 3 or (seed)",
        "x = 1 (x)",
        'action printes("a\nb")',
    ],
)
def test_statements_that_could_run_into_each_other(text: str) -> None:
    for rules in (V1, V2):
        if not ("seed" in text and rules is V1) and not ("\n" in text and rules is V2):
            reprinted(text, rules)


def test_long_conditions_are_broken_before_and() -> None:
    text = "condition " + " and ".join(f"(hcp(north) > {n} or spades(south) == {n})" for n in range(5))
    lines = reprinted(text, MODERN).splitlines()
    assert len(lines) == 5 and max(map(len, lines)) <= WIDTH
    assert all(line.startswith("    and (") for line in lines[1:])


def test_parts_of_a_script() -> None:
    script = parse_script("a = hcp(north) > 3 action average a", MODERN)
    definition, listed = script.statements
    assert to_text(definition) == "a = hcp(north) > 3"
    assert to_text(definition.value.operands[0]) == "hcp(north)"  # type: ignore[union-attr]
    assert to_text(listed.actions[0]) == "average a"  # type: ignore[union-attr]
    assert to_text(nodes.ShapeTerm("-", True, "4333")) == "- any 4333"


@pytest.mark.skipif(not EXAMPLES, reason="the examples of Debian's package dealer are not installed")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.suffix[1:])
def test_examples_of_dealer(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for rules in (V1, V2, MODERN):
        if path.suffix != ".test_operator_order" or rules is not V2:  # its texts hold newlines
            reprinted(text, rules)
            check_script(parse_script(text, rules))


def test_deep_trees_need_no_recursion() -> None:
    reprinted("condition " + "not (" * 98 + "a" + ")" * 98, MODERN)
    deep: nodes.Expression = nodes.Name("a")
    for _ in range(20_000):
        deep = nodes.Not(deep)
    assert to_text(deep) == "not " * 20_000 + "a"


# ---------------------------------------------------------------- anything that parses
SEAT, SUIT = (
    st.sampled_from(["north", "east", "south", "west"]),
    st.sampled_from(["spades", "heart", "clubs"]),
)
LEAVES = st.one_of(
    st.integers(0, 2_000_000_000).map(str),
    st.sampled_from(
        ["a", "b", "-3", "shape(north, any 4333 - 4432)", "shape{east, 5M(xxx):s>h}", "hascard(west, AS)"]
    ),
    st.builds("hcp({}, {})".format, SEAT, SUIT),
    st.builds("{}({})".format, SUIT, SEAT),
)
OPERATORS = st.sampled_from(
    ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "&&", "||"]
)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds("{} {} {}".format, inner, OPERATORS, inner),
        st.builds("({})".format, inner),
        st.builds("not {}".format, inner),
        st.builds("{} ? {} : {}".format, inner, inner, inner),
        st.builds("imps({})".format, inner),
    ),
    max_leaves=12,
)
ACTIONS = st.one_of(
    EXPRESSIONS.map("average {}".format),
    EXPRESSIONS.map('frequency "f" ({}, -5, 5)'.format),
    EXPRESSIONS.map('printes("text", {}, \\n)'.format),
    st.sampled_from(["printall", "printcompact", "printoneline", "print(north, south)", "printew"]),
)
STATEMENTS = st.one_of(
    EXPRESSIONS.map("condition {}".format),
    EXPRESSIONS,
    EXPRESSIONS.map("name = {}".format),
    st.lists(ACTIONS, max_size=3).map(lambda some: "action " + ", ".join(some)),
    st.sampled_from(["produce 5", "vulnerable all", "dealer south", "pointcount 4 3 2 1", "altcount 3 1 -1"]),
    st.sampled_from(
        [
            "predeal north SAKQ, HT",
            "predeal north SAKQ+, HT",
            "predeal spades(west) == 3",
            "seed = 4",
            "vulnerable both",
        ]
    ),
)


@settings(max_examples=300)
@given(st.lists(STATEMENTS, max_size=5).map("\n".join), st.sampled_from([V1, V2, MODERN]))
def test_printed_scripts_parse_to_the_same_nodes(text: str, rules: Rules) -> None:
    try:
        parse_script(text, rules)
    except SyntaxError:  # a bare expression may run into the statement before it
        return
    reprinted(text, rules)


@settings(max_examples=200)
@given(EXPRESSIONS, st.sampled_from([V1, V2, MODERN]), st.sampled_from([V1, V2, MODERN]))
def test_a_tree_can_be_written_by_the_rules_of_another_version(text: str, old: Rules, new: Rules) -> None:
    tree = parse_script(f"condition {text}", old).statements[0]
    moved = parse_script(to_text(tree, new), new).statements[0]
    assert to_text(moved, old) == to_text(tree, old)

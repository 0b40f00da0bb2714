"""Systems: exact figures, calls of hands against a plain interpreter, parameters, findings."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.bidding import list_systems
from dealerkit.cards.text import parse_hand
from tests.bidding.plain_system import Hand, PlainSystem

FOLDER = Path(__file__).parent / "systems"
SHIPPED_FOLDER = Path(dk.__file__).parent / "bidding" / "systems"
DRAFT, PRECISION = FOLDER / "sayc_draft.system", FOLDER / "precision_draft.system"


@pytest.fixture(scope="module")
def draft() -> dk.System:
    return dk.system(DRAFT)


# ------------------------------------------------------------ exact figures
OPENINGS = {  # percent of all hands: counted independently, with these digits
    "1C": "9.3054", "1D": "9.7379", "1H": "5.9639", "1S": "6.2645", "1NT": "4.8656", "2C": "0.42368",
    "2NT": "0.53435", "2S": "0.66413", "2H": "0.66413", "2D": "0.56311", "3S": "0.39674", "4S": "0.06408",
}  # fmt: skip
AFTER_1NT = {
    "2C": "22.5718", "2H": "17.5108", "2D": "16.8206", "P": "16.1628", "3NT": "13.1788", "2NT": "5.4506",
}  # fmt: skip
AFTER_1S = {"2S": "19.8055", "3S": "18.4325", "P": "12.7308", "2NT": "11.1137"}


def compare_shares(frequencies: dk.CallFrequencies, expected: dict[str, str]) -> None:
    for call, text in expected.items():
        assert frequencies[call].exact
        assert f"{100 * frequencies[call].value:.{len(text.partition('.')[2])}f}" == text, call


def test_openings_of_the_draft(draft):
    frequencies = draft.frequencies()
    compare_shares(frequencies, OPENINGS)
    assert frequencies["P"].fraction == Fraction(188501509643, 317506779800)
    assert sum(share.fraction for share in frequencies.shares.values()) == 1 and frequencies.gap.value == 0
    one_bids = sum(frequencies[call].value for call in ("1C", "1D", "1H", "1S", "1NT"))
    assert f"{100 * one_bids:.4f}" == "36.1374"
    assert len(frequencies.overlaps) == 18
    assert {(each.call, each.other): f"{100 * each.share.value:.2f}" for each in frequencies.overlaps}[
        "1NT", "1S"
    ] == "0.39"


def test_responses_of_the_draft(draft):
    compare_shares(draft.frequencies("1NT"), AFTER_1NT)
    compare_shares(draft.frequencies("1S"), AFTER_1S)


def test_openings_of_precision():
    frequencies = dk.system(PRECISION).frequencies()
    compare_shares(
        frequencies,
        {
            "1C": "9.7590",
            "1D": "12.1026",
            "1NT": "6.7297",
            "1S": "6.0068",
            "1H": "5.7672",
            "2C": "3.1060",
            "2D": "0.2905",
        },
    )
    assert frequencies.gap.value == 0


@pytest.mark.parametrize(
    ("condition", "percent"),
    [
        ("hcp 15-17, balanced, spades 4-, hearts 4-", "4.0764"), ("hcp 22+", "0.42368"),
        ("hcp 20-21, balanced", "0.53435"), ("hcp 6-10, spades 6", "1.7864"), ("hcp 6-10, spades 7", "0.3891"),
        ("hcp 11-21, shape(any 4441)", "1.2992"), ("hcp 11-21, shape(any 4441 + any 5440)", "1.8427"),
        ("hcp 12-14", "20.63452"), ("hcp 15-17", "10.09629"), ("hcp 10-11", "18.35"), ("hcp 6-9", "32.83"),
        ("hcp 12-21", "34.39"), ("hcp 18-19", "2.64"), ("hcp 20-21", "1.02"), ("balanced", "47.60415"),
        ("hcp 16", "3.3109"), ("hcp 20", "0.6435"), ("hcp 12-14, balanced", "9.6845"), ("hcp 23+", "0.2136"),
    ],
)  # fmt: skip
def test_published_shares_of_conditions(condition, percent):
    system = dk.parse_system(
        f"balanced = shape(any 4333 + any 4432 + any 5332)\nopening\n1C {condition}\nP otherwise"
    )
    compare_shares(system.frequencies(), {"1C": percent})


def test_published_ratios_of_notrumps():
    """15 to 17 points beside 16 to 18, balanced and of any shape."""
    for shape, expected in ((", balanced", "1.3705"), ("", "1.3873")):
        shares = [
            dk.parse_system(
                f'extends "sayc"\nopening\n1NT hcp {low}-{low + 2}{shape}\nP otherwise'
            ).frequencies()["1NT"]
            for low in (15, 16)
        ]
        assert f"{float(shares[0].fraction / shares[1].fraction):.4f}" == expected


# ------------------------------------------------------------ the call of each hand
SITUATIONS = [
    ("", "opening", {}), ("1NT", "after 1NT", {}), ("1NT 2C", "after 1NT 2C", {}), ("1H", "after 1H", {}),
    ("1S 2S", "after 1M 2M", {"M": "spades"}), ("(1D)", "after (1x)", {"x": "diamonds"}),
    ("(1S)", "after (1x)", {"x": "spades"}), ("(2H)", "after (2x)", {"x": "hearts"}), ("2S", "after 2M", {"M": "spades"}),
    ("1H (1S)", "after 1H (1S)", {}),
]  # fmt: skip


def list_legal_calls(after: str) -> set[str]:
    """Return the legal calls by a rule written for this test: higher than the last bid, X over theirs."""
    order = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]
    words = after.split()
    bids = [word.strip("()") for word in words if word.strip("()") in order]
    legal = set(order[order.index(bids[-1]) + 1 :] if bids else order) | {"P"}
    return legal | {"X"} if words and words[-1].startswith("(") else legal


@pytest.mark.parametrize(("after", "header", "suits"), SITUATIONS)
def test_calls_are_those_of_the_plain_interpreter(draft, after, header, suits):
    plain = PlainSystem.read(DRAFT.read_text(encoding="utf-8"))
    hands = dk.deal(1500, seed=5).hands[:, 2].copy()
    calls = draft.bid(hands, after=after)
    legal = list_legal_calls(after)
    expected = [plain.choose(header, Hand.from_word(int(word)), suits, legal) for word in hands]
    assert calls.tolist() == expected
    assert len(set(expected)) > 2 or after == "1NT 2C"


@pytest.mark.slow
def test_a_million_openings_are_those_of_the_plain_interpreter(draft):
    plain = PlainSystem.read(DRAFT.read_text(encoding="utf-8"))
    deals = dk.deal(1_000_000, seed=6)
    calls = draft.bid(deals, "east")
    expected = [plain.choose("opening", Hand.from_word(int(word)), {}) for word in deals.hands[:, 1]]
    assert calls.tolist() == expected


def test_shares_are_those_of_dealt_hands(draft):
    deals = dk.deal(200_000, seed=7)
    calls = draft.bid(deals, after="1NT")
    for call, share in draft.frequencies("1NT").shares.items():
        n = int((calls == call).sum())
        assert abs(n - 200_000 * share.value) < 4.5 * (200_000 * share.value) ** 0.5, call


def test_the_description_of_a_context(draft):
    described = draft.describe("1NT")
    assert [each.call for each in described.calls] == "4NT 2H 2D 2C 3NT 3C 3D 2NT 2S P 6NT".split()
    transfer = described.calls[1]
    assert (transfer.condition, transfer.marks) == ("spades 5+, spades >= hearts", "forcing alert")
    assert f"{100 * transfer.share.value:.4f}" == AFTER_1NT["2H"]
    assert "transfer to spades" in described.text and "after 1NT" in described.text
    forced = draft.describe("1NT 2H")
    assert forced.is_forced and "there is no pass" in forced.text


# ------------------------------------------------------------ notation
def test_the_text_is_given_back(draft):
    text = DRAFT.read_text(encoding="utf-8")
    assert str(draft) == text
    assert dk.parse_system(text) == draft and str(dk.parse_system(text)) == text
    assert dk.parse_system(text) != dk.parse_system(text + "# more")


def test_parameters():
    text = "# param notrump = 15-17\nopening\n1NT hcp $notrump, shape(any 4333)\nP otherwise"
    strong, weak = dk.parse_system(text), dk.parse_system(text, {"notrump": "12-14"})
    assert strong.parameters == {"notrump": "15-17"} and weak.parameters == {"notrump": "12-14"}
    points = "hcp(north) >= 12 and hcp(north) <= 14 and shape(north, any 4333)"
    assert weak.frequencies()["1NT"].fraction == dk.probability(points).fraction
    with pytest.raises(dk.ArgumentError, match="params gives 'strength' a value"):
        dk.parse_system(text, {"strength": 3})


def test_letters_stand_for_suits():
    system = dk.parse_system(
        "opening\n1M M 5+\nP otherwise\nafter 1M\n2oM oM 5+\n3m m 6+\n2M M 3+\nP otherwise\n"
    )
    hand = dk.Deals.from_pbn("N:AKQJT.98765.432. 98765.AKQJT.AKQ. 432.432.JT98765. ...AKQJT98765432")
    assert system.bid(hand, "north").tolist() == ["1S"]
    assert system.bid(hand, "north", after="1H").tolist() == ["2S"]
    assert system.bid(hand, "south", after="1S").tolist() == ["3D"]
    assert system.bid(hand, "west", after="1S").tolist() == ["3C"]


def test_seats_vulnerability_and_wildcards():
    text = """
opening seat 3-4
1C hcp 10+
P otherwise
opening vulnerable
1C hcp 13+
P otherwise
opening
1C hcp 12+
P otherwise
after 1C (*) ?
X hcp 20+
P otherwise
"""
    system = dk.parse_system(text)
    points = {10: "P P", 12: "P", 13: ""}
    for least, after in points.items():
        share = system.frequencies(after, vulnerable=least == 13)["1C"].fraction
        assert share == dk.probability(f"hcp(north) >= {least}").fraction, after
    assert system.find_choices(["1C", "1H", "P", "P"]) is not None
    assert system.find_choices(["1C", "P", "1S", "P"]) is not None
    assert system.find_choices(["1C", "P"]) is None


def test_no_pass_after_a_forcing_call():
    text = "opening\n2C hcp 22+ forcing\nP otherwise\nafter 2C\n2H hcp 8+\nP hcp 7-\n2D otherwise\n"
    system = dk.parse_system(text)
    assert list(system.frequencies("2C").shares) == ["2H", "2D"]
    auction = dk.auction("2C-P", system=system)
    assert auction.understood[2].status == "forced"
    assert "which is forcing; nothing is assumed about it" in auction.text


def test_an_extended_system_uses_its_base():
    system = dk.parse_system('system "mine"\nextends "sayc"\nopening\n1NT hcp 12-14, balanced\nP otherwise\n')
    assert list(system.frequencies().shares) == ["1NT", "P"]
    base = dk.system("sayc")
    assert system.frequencies("1H").shares == base.frequencies("1H").shares
    assert system.base == base and system.title == "mine"


def test_conditions_that_cannot_be_counted_are_sampled():
    system = dk.parse_system("opening\n1C cccc 12+\nP otherwise\n")
    frequencies = system.frequencies()
    assert not frequencies["1C"].exact
    exact = dk.probability("cccc(north) >= 12", deals=200_000)
    assert abs(frequencies["1C"].value - exact.value) < 0.005


# ------------------------------------------------------------ shipped systems
SHIPPED = ("acol", "precision", "sayc", "two-over-one")
CORE = {
    "sayc": ["", "1NT", "1NT 2C", "2NT", "2C", "1C", "1D", "1H", "1S", "2S", "(1D)", "(1S)", "(1NT)", "(2H)", "(1H) X", "1H (1S)"],
    "two-over-one": ["", "1H", "1S"],
    "acol": ["", "1NT", "2NT", "2C", "1C", "1D", "1H", "1S"],
    "precision": ["", "1C", "1D", "1H", "1S", "1NT"],
}  # fmt: skip


def test_shipped_systems_have_titles_and_sources():
    assert tuple(list_systems()) == SHIPPED
    for name in SHIPPED:
        system = dk.system(name)
        assert system.title and "ource" in str(system), name


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_contexts_have_no_gap(name):
    system = dk.system(name)
    for after in CORE[name]:
        assert system.frequencies(after).gap.fraction == 0, (name, after)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_is_wrong_with_shipped_systems(name):
    assert dk.system(name).check().findings == ()


def test_shares_of_shipped_openings():
    """Published or independently counted shares; SAYC differs from its draft by 3NT, which the booklet has."""
    compare_shares(dk.system("acol").frequencies(), {"1NT": "9.6845", "2NT": "0.6494", "2C": "0.2136"})
    compare_shares(
        dk.system("precision").frequencies(),
        {
            "1C": "9.7590",
            "1D": "12.1026",
            "1NT": "6.7297",
            "1S": "6.0068",
            "1H": "5.7672",
            "2C": "3.1060",
            "2D": "0.2905",
        },
    )
    sayc = dk.system("sayc").frequencies()
    compare_shares(sayc, {"1C": "9.3054", "1D": "9.7379", "1H": "5.9639", "1S": "6.2645", "1NT": "4.8656"})
    strong = dk.probability("hcp(north) >= 22").fraction
    assert sayc["2C"].fraction + sayc["3NT"].fraction == strong
    weak = dk.system("sayc", {"notrump": 12}).frequencies()
    compare_shares(weak, {"1NT": "9.6845"})


def test_a_title_names_the_variables_with_other_values():
    sayc, weak = dk.system("sayc"), dk.system("sayc", {"notrump": 12})
    assert dk.system("sayc", {"notrump": 15}).title == sayc.title == "SAYC"
    assert weak.frequencies().card().title == "SAYC, notrump 12: openings"
    changed = weak.with_changes({"after 1NT": "3NT  hcp 10+\nP  otherwise"})
    assert changed.title == "SAYC, notrump 12, changed after 1NT"
    # Of a variable that the extended system has too, the value of the file counts.
    assert (dk.system("acol").title, dk.system("acol", {"notrump": 15}).title) == ("Acol", "Acol, notrump 15")


def test_a_narrow_table_keeps_the_bars_and_leaves_out_the_meanings():
    page = dk.system("sayc").frequencies()._repr_html_()
    assert '<td class="l dk-name w1">balanced</td>' in page and '<td class="pic">' in page


def test_shipped_calls_are_those_of_the_plain_interpreter():
    folder = Path(dk.__file__).parent / "bidding" / "systems"
    hands = dk.deal(600, seed=9).hands[:, 0].copy()
    base = (folder / "sayc.system").read_text(encoding="utf-8")
    for name, after, header, suits in (
        ("sayc", "", "opening", {}), ("sayc", "1NT", "after 1NT", {}), ("sayc", "1D", "after 1D", {}),
        ("sayc", "1H 2NT", "after 1M 2NT", {"M": "hearts"}), ("two-over-one", "1S", "after 1S seat 1-2", {}),
        ("acol", "", "opening", {}), ("acol", "1S", "after 1S", {}), ("acol", "2H", "after 2M", {"M": "hearts"}),
        ("acol", "1C 1S", "after 1m 1M", {"m": "clubs", "M": "spades"}),
        ("acol", "1S 2S", "after 1S 2S", {}), ("sayc", "1H 2H", "after 1H 2H", {}),
        ("precision", "1C", "after 1C", {}), ("precision", "1NT 2C", "after 1NT 2C", {}),
    ):  # fmt: skip
        text = (folder / f"{name}.system").read_text(encoding="utf-8")
        plain = PlainSystem.read(text, "" if name == "sayc" else base)
        legal = list_legal_calls(after)
        if after in ("1H 2NT", "1C 1S", "1NT 2C"):
            legal -= {"P"}  # the last call forces
        expected = [plain.choose(header, Hand.from_word(int(word)), suits, legal) for word in hands]
        assert dk.system(name).bid(hands, after=after).tolist() == expected, (name, after)


@pytest.mark.parametrize("name", ["sayc", "two-over-one", "acol"])
def test_every_new_suit_tries_for_game_after_a_raise(name):
    """A published trial bid: 16 or 17 points, at least three cards in a new suit, which needs help.

    All Things Bridge, Long suit trial bids, https://allthingsbridge.co.uk/long-suit-trial-bids/.
    """
    system = dk.system(name)

    def bid(hand: str, after: str) -> str:
        return str(system.bid(np.array([parse_hand(hand)], np.uint64), after=after)[0])

    hands = {
        "1S 2S": {"AQ975.J742.AK.K4": "3H", "AQ975.K4.J742.AK": "3D", "AQ975.K4.AK.J742": "3C"},
        "1H 2H": {"J742.AQ975.AK.K4": "2S", "K4.AQ975.J742.AK": "3D", "K4.AQ975.AK.J742": "3C"},
        # Seven points without help in hearts, with an honour, and with a singleton
        "1S 2S 3H": {"K84.972.K653.J72": "3S", "K84.Q72.J653.J72": "4S", "K842.7.K65.J7632": "4S"},
    }
    for after, calls in hands.items():
        assert {hand: bid(hand, after) for hand in calls} == calls, after
    assert bid("AQ975.J742.AK.K4", "1S 2S 3H 3S") == "P"


# ------------------------------------------------------------ findings
def test_the_line_that_precision_never_reaches():
    check = dk.system(PRECISION).check()
    assert [(each.kind, each.line) for each in check.mistakes] == [("never chosen", 9)]
    assert "take an earlier line: 1C" in check.mistakes[0].message


def test_nothing_is_wrong_with_the_draft(draft):
    assert draft.check().findings == ()
    overlaps = [each for each in draft.check(overlaps=True).findings if each.context == "opening"]
    assert len(overlaps) == 18


def test_findings():
    system = dk.parse_system(
        "opening\n1C hcp 12+\n1D hcp 15+\n1H spades 9+, hearts 9+\nP hcp 10-\n"
        "after 1C\n1C hcp 5\n1D otherwise\nafter 1x\n1S hcp 5+\nP otherwise\nafter 1D\nP otherwise\n"
    )
    found = {(each.kind, each.line): each.message for each in system.check().findings}
    assert set(found) == {
        ("gap", 1),
        ("never chosen", 3),
        ("never chosen", 4),
        ("never legal", 7),
        ("hidden context", 12),
    }
    assert found["never chosen", 4].endswith("no hand meets its condition")
    exact = dk.probability("hcp(north) == 11").value
    assert found["gap", 1].startswith(f"{100 * exact:.3f} % of hands have no call")


def test_calls_after_wildcards_are_higher_than_the_bids_named():
    system = dk.parse_system(
        "opening\n1M hcp 12+, M 5+\nP otherwise\nafter 1M * 4NT 5H\n5D hcp 1\n5M hcp 20+\nP otherwise\n"
    )
    found = system.check().findings
    assert [(each.kind, each.line) for each in found] == [("never legal", 5)]


def test_the_first_draft_had_a_gap(draft):
    text = str(draft).replace(
        "4NT   hcp 15-16, not major5, shape(any 4333) or (spades 3-, hearts 3-)",
        "4NT   hcp 15-16, not major5, spades 3-, hearts 3-",
    )
    gap = dk.parse_system(text).frequencies("1NT").gap
    exact = dk.probability(
        "hcp(north) == 16 and shape(north, any 4333) and (spades(north) == 4 or hearts(north) == 4)"
    )
    assert gap.fraction == exact.fraction and f"{100 * gap.value:.2f}" == "0.18"


# ------------------------------------------------------------ mistakes
MISTAKES = [
    ("opening\n1NT hcp 15-17, balnced", 2, 16, "unknown word 'balnced'; did you mean 'balanced'"),
    ("opening\n1NT hcp 15-17 spades 5+", 2, 15, "a comma, `and` or `or` is missing"),
    ("openning\n1C hcp 12", 1, 1, "did you mean 'opening'"),
    ("opening\n1NT hcp(north) 15", 2, 9, "a meaning is about the bidder's hand; leave out 'north'"),
    ("after 2S 1H\nP otherwise", 1, 10, "1H after 2S is too low"),
    ("opening\nDbl hcp 12", 2, 1, "write `X`"),
    ("opening\n1c hcp 12+", 2, 1, "write `1C`"),
    ("opening\n1C hcp 12+ dds(north, spades)", 2, 12, "a comma"),
    ("opening\n1C dds(spades) 9+", 2, 4, "depends on other hands"),
    ("opening\n1C (hcp 12+", 2, 4, "never closed"),
    ("after (1H) (2H)\nP otherwise", 1, 12, "a call of our side is missing"),
    ("after P 1H\nP otherwise", 1, 7, "leave out passes before the first bid"),
    ("opening\n1C hcp + spades 12", 2, 8, "put the sum before it in parentheses"),
    ("opening\n1C hcp 17-15", 2, 8, "the range 17-15 is empty"),
    ("opening\n1C rnd(5)", 2, 4, "not about one hand"),
    ("1C hcp 12", 1, 1, "write `opening` or `after"),
    ("opening\n1C M 5+", 2, 4, "no suit is known for 'M'"),
    ("opening\n1C hcp 12,", 2, 10, "a condition is missing after this comma"),
    ("opening\n1C", 2, 1, "the condition of 1C is missing"),
    ("opening\n1C 12 / spades 3", 2, 7, "put the sum before it in parentheses"),
    ("opening\n1C 12 / spades == 3", 2, 4, "may have no value"),
    ("good(x) = top3(x) 2+\nopening\n1C good", 3, 4, "takes a suit in parentheses"),
    ("a = hcp 5\na = hcp 6", 2, 1, "is already defined"),
    ("opening\n1C hcp 12+ $low", 2, 12, "$low has no value"),
    ('extends "saycc"\nopening\nP otherwise', 1, 10, "there is no system 'saycc'"),
    ("opening\n1NT ltc 700", 2, 9, "ltc is in losers here"),
    ("opening\n1C hcp 12 and", 2, 14, "an expression was expected"),
    ("opening\n1C shape{north, 5xxx}", 2, 9, "leave out 'north'"),
    ("opening\n1C shape{5+M(332}", 2, 13, "this '(' is never closed"),
    ("opening from book\nP otherwise", 1, 14, "`from` takes the name of a source: judgement"),
    ('source book "A"\nopening\nP otherwise from bok', 3, 18, "book, judgement; did you mean 'book'?"),
    ('source book "A"\nopening\nP otherwise from', 3, 13, "`from` takes the name of a source: book, judgement"),
    ('source book "A"\nopening\nP otherwise from book book', 3, 18, "sources are separated by commas"),
    ("source book\nopening\nP otherwise", 1, 1, "`source` takes a name and a text in quotes"),
    ('source judgement "A"\nopening\nP otherwise', 1, 8, "cannot be the name of a source"),
    ('source book "A"\nopening\n1C from book', 3, 1, "the condition of 1C is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message"), MISTAKES)
def test_mistakes_have_their_place(text, line, column, message):
    with pytest.raises(dk.ScriptError) as caught:
        dk.parse_system(text)
    error = caught.value
    assert message in error.message
    assert (error.line, error.column) == (line, column)
    assert error.source == text.split("\n")[line - 1]


def test_several_mistakes_are_reported_together():
    with pytest.raises(dk.ScriptError) as caught:
        dk.parse_system("opening\n1C hpc 12\n1D hcp 12+ spades\n1H hcp 5-3\nP otherwise")
    assert [error.line for error in caught.value.errors] == [2, 3, 4]


def test_a_stranger_reads_no_file(tmp_path):
    secret = tmp_path / "secret.system"
    secret.write_text("hunter2", encoding="utf-8")
    for line in (f'extends "{secret}"', f'#include "{secret}"\n', 'extends "../sayc"'):
        try:
            dk.parse_system(f"{line}\nopening\nP otherwise\n")
        except dk.ScriptError as error:
            assert "hunter2" not in str(error)
        else:
            assert line.startswith("#include")  # a comment


@pytest.mark.parametrize("name", SHIPPED)
def test_each_line_of_a_shipped_system_has_its_source(name):
    """A description with its title, and every description is cited; or that the line is a judgement."""
    system = dk.system(name)
    text = (SHIPPED_FOLDER / f"{name}.system").read_text(encoding="utf-8")
    listed = set(re.findall(r"^source (\w+)", text, re.MULTILINE))
    cited = {source for context in system.own_contexts for line in context.lines for source in line.sources}
    assert all(line.sources for context in system.own_contexts for line in context.lines)
    assert listed <= {source.name for source in cited} and len(listed) >= 2
    for source in cited:
        assert source.title if source.name != "judgement" else str(source) == "judgement"


def test_sources_of_lines():
    system = dk.parse_system(
        'source book "A book"\nsource pages "Pages"\nopening from book "Part 1"  # a comment "from"\n'
        '1NT hcp 15-17 "from book" forcing from pages, judgement\n1C hcp 12+ from book,\n   pages "7"\nP otherwise\n'
        "after 1C\nP otherwise\n"
    )
    described = system.describe().calls
    assert [[str(source) for source in call.sources] for call in described] == [
        ["Pages", "judgement"], ["A book", "Pages, 7"], ["A book, Part 1"],
    ]  # fmt: skip
    assert described[0].text == "from book" and described[0].marks == "forcing"
    assert system.notes().to_frame()["sources"].tolist()[1:] == ["A book; Pages, 7", "A book, Part 1", ""]
    text = system.describe().text
    assert re.search(r"1C +hcp 12\+ +2, 3 ", text) and re.search(r"2 +A book\n +3 +Pages, 7\n", text)
    page = system.notes().to_html()
    assert "Pages, 7" in page and "no description says so" in page
    # A system that extends another one knows its sources.
    assert dk.parse_system('extends "sayc"\nopening from booklet\nP otherwise\n').describe().calls[0].sources


def test_unknown_systems():
    with pytest.raises(dk.ArgumentError, match="unknown system 'sacy'; did you mean 'sayc'"):
        dk.system("sacy")
    with pytest.raises(dk.FileError):
        dk.system(Path("nothing.system"))
    with pytest.raises(dk.ArgumentError, match="says nothing after 7NT"):
        dk.system("sayc").bid(np.zeros(1, np.uint64), after="7NT")


def test_a_range_where_a_system_takes_a_number_is_refused() -> None:
    """12-14 is -2, so that 1NT would be a hand of 0 points."""
    with pytest.raises(dk.ArgumentError, match="notrump is '12-14'; the system takes a number, such as 15"):
        dk.system("two-over-one", {"notrump": "12-14"})
    assert dk.system("sayc", {"notrump": "12"}).parameters["notrump"] == "12"

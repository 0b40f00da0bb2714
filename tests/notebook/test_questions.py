"""The questions of the explorer without a browser: conditions, calls, runs, exports, and visitors of a server."""

from __future__ import annotations

import base64
import json
import math
import threading
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit import ArgumentError
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.errors import DealerkitError
from dealerkit.notebook.explorer import conditions
from dealerkit.notebook.explorer.calls import Call, CallRunner
from dealerkit.notebook.explorer.conditions import SYSTEMS, DealCondition, read_condition
from dealerkit.notebook.explorer.questions import QUESTIONS
from dealerkit.notebook.explorer.session import Session
from dealerkit.notebook.explorer.view import Shown, render_head, render_question, render_start
from dealerkit.registry import unregister

SMALL = {
    "contract": {"deals": "20"},
    "lead": {"deals": "20"},
    "partner": {"deals": "400"},
    "sweep": {"deals": "200"},
}


def answer(key: str, session: Session | None = None, **values: str) -> Session:
    session = session or Session(seed=7)
    session.open(key)
    text = values.pop("write", "")
    for name, value in {**SMALL.get(key, {}), **values}.items():
        session.fill(name, value)
    if text:
        session.write_condition(text)
    assert session.run(), session.error
    session.wait()
    return session


# ------------------------------------------------------------ conditions
NUMBERS = st.integers(0, 13)
RANGES = st.tuples(NUMBERS, NUMBERS).map(sorted)


@st.composite
def filled(draw: st.DrawFn) -> dict[str, str]:
    """Return fields of hands, each range with both ends, one of them, or neither."""
    values: dict[str, str] = {}
    for seat, name in product(SEATS, ("points", *SUITS)):
        low, high = draw(RANGES)
        for end, number in (("from", low), ("to", high)):
            if draw(st.integers(0, 7)) == 0:
                values[f"{seat}.{name}.{end}"] = str(number)
    shape = draw(st.sampled_from(["", "balanced", "unbalanced"]))
    return values | ({"east.shape": shape} if shape else {})


@given(filled())
@settings(max_examples=60)
def test_what_is_filled_in_is_read_again(values: dict[str, str]) -> None:
    text = DealCondition(values).text
    assert read_condition(text).values == values
    assert read_condition(text).text == text


@pytest.mark.parametrize(
    "values, count",
    [
        (
            {
                "south.points.from": "5",
                "south.points.to": "10",
                "south.spades.from": "6",
                "south.spades.to": "6",
            },
            None,
        ),
        ({"north.shape": "balanced"}, 0.476042),  # Pavlicek's tables
        ({"north.points.from": "15", "north.points.to": "17"}, 0.100963),
        ({"west.cards": "SA, kd"}, 1 / 4 * 12 / 51),
        ({"ns.points.from": "25", "ns.points.to": "25"}, 0.048919),
    ],
)
def test_the_condition_means_what_the_fields_say(values: dict[str, str], count: float | None) -> None:
    text = DealCondition(values).text
    deals = dk.deal(300, seed=5, given=text)
    points, spades = deals.eval("hcp(south)"), deals.eval("spades(south)")
    if "south.points.from" in values:
        assert points.min() == 5 and points.max() == 10 and set(spades) == {6}
    if count is not None:
        assert dk.probability(text).value == pytest.approx(count, abs=6e-7)


def test_calls_and_auctions_are_clauses_that_are_read_again() -> None:
    condition = DealCondition({"north.opens": "1NT", "south.spades.from": "5", "system": "acol"})
    assert read_condition(condition.text) == condition
    strong = DealCondition({"north.opens": "1NT"}).text
    assert dk.probability(condition.text.split("\nand spades")[0]).value != dk.probability(strong).value
    auction = DealCondition({"auction": "1NT-2C-2H", "dealer": "south", "system": "sayc"})
    assert read_condition(auction.text) == auction
    changed = auction.text.replace(">= 15", ">= 14", 1)  # no longer what the auction shows
    read = read_condition(changed)
    assert "auction" not in read.values and "hcp(south) >= 14" in changed
    assert read.values["south.points.from"] == "14"


def test_clauses_without_a_field_stay() -> None:
    text = "hcp(north) >= 15 and (losers(south) <= 7 or fit(NS) >= 8) and hcp(north) >= 12 and hcp(east) != 3"
    found = read_condition(text)
    assert found.values == {"north.points.from": "15"}
    assert found.others == ["(losers(south) <= 7 or fit(NS) >= 8)", "hcp(north) >= 12", "hcp(east) != 3"]
    assert dk.deal(50, seed=1, given=found.text).equals(dk.deal(50, seed=1, given=text))


@pytest.mark.parametrize(
    "values, message",
    [
        ({"north.points.from": "40"}, "north: points from '40'"),
        ({"north.points.from": "9", "north.points.to": "5"}, "exchange"),
        ({"east.cards": "S1"}, "east's cards: 'S1' is not a card"),
        ({"south.opens": "9NT"}, ""),
        ({"auction": "1NT", "system": "/etc/passwd"}, "unknown"),
    ],
)
def test_wrong_fields_are_named(values: dict[str, str], message: str) -> None:
    with pytest.raises(DealerkitError) as found:
        _ = DealCondition(values).text
    assert message in str(found.value)


def test_actions_are_no_condition() -> None:
    for text in ("action average hcp(north)", "x = 3 condition hcp(north) > x", "produce 3"):
        with pytest.raises(ArgumentError, match="a condition only"):
            read_condition(text)


# ------------------------------------------------------------ questions
@pytest.mark.parametrize("key", QUESTIONS)
def test_each_example_is_answered_and_its_call_repeats_it(key: str) -> None:
    session = answer(key)
    progress = session.progress
    assert progress.stage == "done" and progress.error is None and not session.is_old
    page = render_question(session, Shown())
    assert "dk-report" in page or "dk-deal" in page
    scope: dict = {}
    exec(session.python, scope)
    again = QUESTIONS[key].wrap(scope["result"], session.call)
    if hasattr(again, "equals"):
        assert again.equals(session.result)
    elif hasattr(again, "reports"):
        assert [str(report) for report in again.reports] == [str(report) for report in session.result.reports]
    else:
        assert again.to_frame().equals(session.result.to_frame())
    cell = json.loads(session.make_file("notebook")[2])["cells"][0]["source"]
    assert cell == session.python.rstrip()


def test_the_number_of_deals_that_is_given_is_the_number_done() -> None:
    assert answer("partner", deals="1,234").result.produced == 1234
    assert answer("contract", deals="30").result.provenance.cost.deals == 30
    assert answer("lead", deals="30").result.provenance.cost.deals == 30
    assert len(answer("practice", boards="7").result) == 7
    assert set(answer("sweep", deals="150").result.frame.deals) == {150}


def test_a_weak_two_is_counted() -> None:
    session = answer("frequency")
    counted = session.result.estimate
    # All holdings of six spades by points, and the points of seven cards among the 39 others.
    honours = {12: 4, 11: 3, 10: 2, 9: 1}
    spades: dict[int, int] = {}
    for mask in range(1 << 13):
        if mask.bit_count() == 6:
            points = sum(value for bit, value in honours.items() if mask >> bit & 1)
            spades[points] = spades.get(points, 0) + 1
    others = {0: 1}
    ways = {(0, 0): 1}  # cards and points of the twelve honours of the other suits
    for value in [4, 3, 2, 1] * 3:
        for (cards, points), count in list(ways.items()):
            place = cards + 1, points + value
            ways[place] = ways.get(place, 0) + count
    others = {}
    for (cards, points), count in ways.items():
        if cards <= 7:
            others[points] = others.get(points, 0) + count * math.comb(27, 7 - cards)
    hands = sum(spades[a] * others[b] for a, b in product(spades, others) if 5 <= a + b <= 10)
    assert counted.exact and counted.value == pytest.approx(hands / math.comb(52, 13), rel=1e-12)


def test_intervals_narrow_while_a_call_runs() -> None:
    seen = []
    call = Call("run", {"script": "action average hcp(north)", "produce": 1600, "seed": 1}, "produce")
    runner = CallRunner(call, lambda _, progress: seen.append(progress))
    runner.start()
    runner.thread.join(60)
    means = [progress.result.reports[0].mean for progress in seen]
    widths = [mean.hi - mean.lo for mean in means]
    assert [mean.n for mean in means] == [25, 100, 400, 1600] and widths == sorted(widths, reverse=True)
    assert [progress.stage for progress in seen] == ["running", "running", "running", "done"]


@pytest.mark.parametrize(
    "key, deals", [("contract", "100000"), ("lead", "20000"), ("partner", "1000000"), ("sweep", "1000000")]
)
def test_a_call_that_is_stopped_keeps_what_there_is(key: str, deals: str) -> None:
    session = Session(seed=7)
    session.open(key)
    session.fill("deals", deals)
    if key == "partner":
        session.write_condition("hcp(north) + hcp(south) >= 30 and dds(north, spades) >= 12")
    first = threading.Event()
    session.observe(lambda what: first.set() if session.result is not None else None)
    assert session.run()
    assert first.wait(90)
    session.stop()
    session.stop()
    progress = session.wait(60)
    assert progress.stage == "stopped" and progress.error is None and not session.is_running
    assert progress.result is not None and "dk-warn" in render_head(progress)
    assert session.run()  # another call begins after it
    session.stop()
    assert session.wait(60).stage == "stopped"


def test_wrong_entries_are_messages_and_keep_the_answer() -> None:
    session = answer("partner")
    before = session.result
    session.fill("deals", "many")
    assert not session.run() and "Deals: 'many'" in str(session.error) and session.result is before
    assert session.python == "" and session.is_old
    session.fill("deals", "100")
    session.write_condition("hpc(north) >= 15")
    assert not session.run() and "hpc" in str(session.error)
    session.write_condition("hcp(north) >= 15")
    assert session.error is None and session.run() and session.wait().stage == "done"


def test_results_are_read_from_a_file_of_the_user() -> None:
    session = Session()
    session.open("results")
    content = b"board,ns,ew,contract,declarer,tricks\n1,1,2,3NT,N,9\n1,3,4,3NT,N,8\n"
    session.take_file("../../secret/club.csv", content)
    assert session.values["file"].endswith("club.csv") and "secret" not in session.values["file"]
    assert session.run()
    session.wait()
    assert len(session.result.results) == 2


def test_pages_escape_what_is_filled_in() -> None:
    session = Session()
    session.open("contract")
    session.fill("contracts", '"><script>alert(1)</script>')
    session.write_condition("hcp(north) > 5 // </textarea><img src=x>")
    page = render_question(session, Shown())
    assert "<script>" not in page and "<img" not in page


def test_practice_boards_that_no_deal_meets_have_the_reason() -> None:
    session = answer("practice", write="hcp(north) == 38")
    assert len(session.result) == 0
    assert "no deal can meet the condition" in " ".join(session.progress.messages)
    assert "Nothing was dealt" in render_question(session, Shown())


def test_an_auction_is_computed_once_for_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []
    whole = conditions.auction
    monkeypatch.setattr(conditions, "auction", lambda *calls: computed.append(calls) or whole(*calls))
    session = Session(seed=7)
    session.open("practice")
    for points in "6789":
        session.fill("south.points.from", points)
        render_question(session, Shown())
    assert len(computed) <= 1


def test_too_many_tricks_of_a_suit_have_the_most_that_are_possible() -> None:
    session = Session(seed=7)
    session.open("suit")
    session.fill("north", "AQ9")
    session.fill("south", "J10x")
    message = "4 tricks cannot be made, since the longer hand has 3 cards; give at most 3"
    assert str(session.error) == message
    with pytest.raises(dk.ArgumentError, match=message):
        dk.suit("AQ9", "J10x", tricks=4)
    session.fill("tricks", "3")
    assert session.error is None and session.call.arguments["tricks"] == 3


def test_numbers_of_very_many_digits_are_refused_by_name() -> None:
    digits = "9" * 5000  # Python does not convert more than 4,300
    session = Session(seed=7)
    session.open("suit")
    session.fill("tricks", digits)
    assert "Tricks needed" in str(session.error) and "from 1 to 13" in str(session.error)
    session.open("frequency")
    session.fill("south.points.from", digits)
    assert "south: points from" in str(session.error) and "from 0 to 37" in str(session.error)
    explorer = dk.explore("condition hcp(north) > 5", seed=1, start=False)
    message = attempt(explorer, set="produce", value=digits)[-1]["show"]["message"]
    assert "produce" in message and explorer.state.produce == 40


def test_a_file_that_arrives_incomplete_is_refused() -> None:
    explorer = dk.explore(seed=1)
    attempt(explorer, do="open", value="results")
    message = attempt(explorer, file="evening.csv", content="abc")[-1]["show"]["message"]
    assert "arrived incomplete" in message and not explorer.session.values["file"]


@pytest.mark.parametrize("text", ["# only a comment", "// a comment\n"])
def test_a_condition_of_comments_alone_is_met_by_all_deals(text: str) -> None:
    assert conditions.read_condition(text) == conditions.DealCondition()
    session = Session(seed=7)
    session.open("frequency")
    session.write_condition(text)
    assert session.condition_error is None and session.script == ""
    assert session.run() and session.wait().result.estimate.fraction == 1


@pytest.mark.parametrize("text", ["action average hcp(north)", "x = 5", "condition 1 condition 1"])
def test_scripts_are_not_conditions(text: str) -> None:
    with pytest.raises(dk.ArgumentError, match="give a condition only"):
        conditions.read_condition(text)


def test_all_conditions_are_cleared_at_once() -> None:
    explorer = dk.explore(seed=7)
    attempt(explorer, do="open", value="practice")
    attempt(explorer, code="condition", value="hcp(north) >= 15 and ")
    assert explorer.session.error is not None
    sent = attempt(explorer, do="clear")
    assert explorer.session.text == "" and explorer.session.error is None
    assert {"condition": ""} in [part.get("code") for part in sent]
    assert explorer.session.call.arguments == {"n": 16, "seed": 7}
    attempt(explorer, do="open", value="suit")  # which has no condition
    attempt(explorer, do="clear")
    assert explorer.session.error is None


def test_contracts_may_be_written_with_commas_semicolons_and_lines() -> None:
    session = Session(seed=7)
    session.open("contract")
    session.fill("contracts", "4H by south; 3NT by north,\n2NT by north")
    assert session.call.arguments["contracts"] == ["4H by south", "3NT by north", "2NT by north"]


# ------------------------------------------------------------ visitors of a server
@pytest.fixture(scope="module")
def visitor() -> dk.Explorer:
    return dk.explore(untrusted=True)


def attempt(explorer: dk.Explorer, **message: object) -> list[dict]:
    sent: list[dict] = []
    explorer._send = lambda **parts: sent.append(parts)  # type: ignore[method-assign]
    explorer.take(message)
    return sent


def test_visitors_have_no_files(visitor: dk.Explorer, tmp_path) -> None:
    secret = tmp_path / "secret.dealer"
    secret.write_text("strong = hcp(north) >= 20")
    assert "results" not in render_start(visitor.session, False)
    for key in ("results", "script"):
        assert "dk-error" in attempt(visitor, do="open", value=key)[-1]["show"]["message"]
    attempt(visitor, do="open", value="frequency")
    assert "dk-error" in attempt(visitor, file="a.csv", content="eA==")[-1]["show"]["message"]
    for text in (
        f'#include "{secret}"\nstrong',
        f"#include {secret}\nstrong",
        f'#include "../{secret.name}"\nstrong',
    ):
        attempt(visitor, code="condition", value=text)
        assert visitor.session.error is not None and not visitor.session.run()
    attempt(visitor, code="condition", value="hcp(north) >= 20")
    for system in (str(secret), "../../etc/passwd"):
        attempt(visitor, fill="north.opens", value="1NT")
        attempt(visitor, fill="system", value=system)
        assert "unknown" in str(visitor.session.error) and system not in SYSTEMS
    with pytest.raises(ArgumentError, match="visitors"):
        dk.explore("hcp(north) > 3", untrusted=True)
    with pytest.raises(ArgumentError, match="visitors"):
        dk.explore(untrusted=True, include=[tmp_path])


def test_visitors_have_no_functions_of_the_user(visitor: dk.Explorer) -> None:
    def visitor_secret(deals, seat):
        return deals.eval("hcp(north)")

    dk.function(visitor_secret)
    try:
        assert answer("frequency", write="visitor_secret(north) >= 5").progress.stage == "done"
        attempt(visitor, do="open", value="frequency")
        attempt(visitor, code="condition", value="visitor_secret(north) >= 5")
        assert not visitor.session.run() or visitor.session.wait(60).stage == "failed"
    finally:
        unregister("visitor_secret")


def test_visitors_have_limits_of_deals_and_time(visitor: dk.Explorer) -> None:
    attempt(visitor, do="open", value="contract")
    attempt(visitor, fill="deals", value="100000")
    assert "too many on this server" in str(visitor.session.error) and not visitor.session.run()
    attempt(visitor, do="open", value="partner")
    attempt(visitor, fill="deals", value="5000000")
    assert visitor.session.call is None
    attempt(visitor, fill="deals", value="1000")
    attempt(visitor, code="condition", value="hcp(north) >= 12")
    assert visitor.session.run() and visitor.session.wait(120).stage == "done"
    assert visitor.session.result.produced == 1000
    attempt(visitor, set="produce", value="100000000")
    attempt(visitor, slide="@24", value="3")
    attempt(visitor, do="load", value="plan")
    assert not visitor.state.is_running and visitor.state.result is None


@pytest.mark.slow
def test_a_visitors_call_ends_at_its_limit_of_time(visitor: dk.Explorer) -> None:
    attempt(visitor, do="open", value="partner")
    attempt(
        visitor, code="condition", value="hcp(north) == 37 and hcp(south) == 0 and dds(north, spades) == 0"
    )
    assert visitor.session.run()
    progress = visitor.session.wait(90)
    assert progress.stage in ("failed", "done")


@pytest.mark.parametrize(
    "message",
    [
        None, [], "x", {}, {"do": 5}, {"do": "open", "value": "../x"}, {"do": "save", "value": "page"}, {"fill": "a.b.c.d", "value": 3},
        {"fill": "__class__", "value": "x"}, {"slide": "@1", "value": "x"}, {"code": "other", "value": "x"}, {"file": "x"},
        {"complete": "x", "before": 7, "text": None}, {"do": "mark", "value": "99999"}, {"set": "text", "value": "x"},
        {"fill": "seed", "value": "-1"}, {"do": "load", "value": "deals"},
    ],
)  # fmt: skip
def test_any_message_of_a_browser_is_survived(message: object, visitor: dk.Explorer) -> None:
    visitor._send = lambda **parts: None  # type: ignore[method-assign]
    for page in ("start", "frequency"):
        visitor.take({"do": "open", "value": page})
        visitor.take(message)


def test_a_file_that_is_too_large_is_refused() -> None:
    explorer = dk.explore()
    sent = attempt(explorer, do="open", value="results")
    content = base64.b64encode(bytes(31_000_000)).decode()
    sent = attempt(explorer, file="a.csv", content=content)
    assert "too large" in sent[-1]["show"]["message"] or "larger than" in sent[-1]["show"]["message"]

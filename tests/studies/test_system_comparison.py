"""Two systems on the same deals: the numbers of a plain computation, symmetry, parts, refusal, coverage."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cards.names import LANE_SHIFTS

BALANCED = "shape(any 4333 + any 4432 + any 5332)"
TOY = f"""
system "Notrump $low to $high"
param low = 15
param high = 17
opening
1NT  hcp $low-$high, {BALANCED}
P    otherwise
after 1NT
3NT  hcp 10+
P    otherwise
"""
TABLE = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000,
         2250, 2500, 3000, 3500, 4000)  # fmt: skip


def make_toy(low: int, high: int) -> dk.System:
    text = TOY.replace("param low = 15\n", "").replace("param high = 17\n", "")
    return dk.parse_system(text.replace("$low", str(low)).replace("$high", str(high)))


@pytest.fixture(scope="module")
def strong() -> dk.System:
    return make_toy(15, 17)


@pytest.fixture(scope="module")
def weak() -> dk.System:
    return make_toy(12, 14)


# ------------------------------------------------------------ a plain computation
def describe_hand(hand: int) -> tuple[int, bool]:
    """Return the points of a hand and whether it is balanced."""
    holdings = [hand >> shift & 0x1FFF for shift in LANE_SHIFTS]
    points = sum(value * (holding >> (8 + value) & 1) for holding in holdings for value in (1, 2, 3, 4))
    lengths = sorted(holding.bit_count() for holding in holdings)
    return points, lengths in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])


def bid_plainly(hands: list[int], dealer: int, ranges: list[tuple[int, int]]) -> tuple[int, int]:
    """Return level (0, 1 or 3) and declarer of the notrump contract; `ranges` are those of each seat."""
    for turn in range(4):
        seat = (dealer + turn) % 4
        points, is_balanced = describe_hand(hands[seat])
        low, high = ranges[seat]
        if is_balanced and low <= points <= high:
            return (3 if describe_hand(hands[(seat + 2) % 4])[0] >= 10 else 1), seat
    return 0, 0


def score_plainly(level: int, tricks: int, vulnerable: bool) -> int:
    """Return the score of an undoubled notrump contract (Law 77)."""
    if not level:
        return 0
    over = tricks - 6 - level
    if over < 0:
        return over * (100 if vulnerable else 50)
    bonus = (500 if vulnerable else 300) if level == 3 else 50
    return 10 + 30 * (level + over) + bonus


def compare_plainly(
    deals: dk.Deals, first: tuple[int, int], second: tuple[int, int], silent: bool = False
) -> tuple[list[int], list[float]]:
    """Return IMPs and matchpoints of the first system on each deal."""
    gains, shares = [], []
    for row, hands in enumerate(deals.hands.tolist()):
        dealer, vulnerable = int(deals.dealer[row]), int(deals.vulnerable[row])
        scores = []
        for ours, theirs in ((first, second), (second, first)):
            ranges = [ours, (99, 0) if silent else theirs] * 2
            level, seat = bid_plainly(hands, dealer, ranges)
            tricks = int(deals.tables[row, 4, seat])
            points = score_plainly(level, tricks, bool(vulnerable >> seat % 2 & 1))
            scores.append(-points if seat % 2 else points)
        difference = scores[0] - scores[1]
        imps = sum(abs(difference) >= limit for limit in TABLE)
        gains.append(imps if difference > 0 else -imps)
        shares.append(0.5 + 0.5 * ((difference > 0) - (difference < 0)))
    return gains, shares


@pytest.mark.parametrize("silent", [False, True])
def test_the_gains_are_those_of_a_plain_computation(strong: dk.System, weak: dk.System, silent: bool) -> None:
    result = dk.compare_systems(strong, weak, 1500, silent=silent)
    boards = result.rooms[0].bidden.deals
    assert (boards.hands == dk.solved_sample()[:1500].hands).all()
    gains, shares = compare_plainly(boards, (15, 17), (12, 14), silent)
    assert result.gains.tolist() == gains
    assert result.imps.value == pytest.approx(np.mean(gains))
    assert result.imps.se == pytest.approx(np.std(gains, ddof=1) / np.sqrt(1500), rel=0.05)
    assert result.matchpoints.value == pytest.approx(np.mean(shares))


@pytest.mark.parametrize("options", [{}, {"real_play": True}])
def test_exchanged_systems_have_the_negative(strong: dk.System, weak: dk.System, options: dict) -> None:
    one = dk.compare_systems(strong, weak, 800, **options)
    other = dk.compare_systems(weak, strong, 800, **options)
    assert one.imps.value == pytest.approx(-other.imps.value, abs=1e-12) and one.imps.value != 0
    assert one.matchpoints.value == pytest.approx(1 - other.matchpoints.value)
    pairs = dict(zip(one.by_opening().opening, one.by_opening().total, strict=True))
    swapped = {
        " / ".join(reversed(name.split(" / "))): -total
        for name, total in zip(other.by_opening().opening, other.by_opening().total, strict=True)
    }
    assert pairs == pytest.approx(swapped) and set(pairs) == {"1NT / P", "P / 1NT"}


def test_the_parts_add_up_to_the_whole(strong: dk.System, weak: dk.System) -> None:
    result = dk.compare_systems(strong, weak, 2000)
    by_opening, by_auction = result.by_opening(), result.by_auction()
    assert by_opening.total.sum() == pytest.approx(result.imps.value)
    assert by_auction.total.sum() == pytest.approx(result.imps.value)
    assert set(by_opening.opening) == {"1NT / P", "P / 1NT"}  # no hand opens in both systems
    # Equal auctions gain nothing and are in neither room's parting
    same = result.rooms[0].bidden.auctions == result.rooms[1].bidden.auctions
    assert (result.gains[same] == 0).all() and by_auction.deals.sum() == (~same).sum()


def test_real_play_moves_scores_by_the_mean_difference(strong: dk.System) -> None:
    """One trick more with the chance that the source has, independently in both rooms."""
    none = dk.parse_system('system "Pass"\nopening\nP  otherwise\n')
    result = dk.compare_systems(strong, none, 600, silent=True, real_play=True)
    boards, room = result.rooms[0].bidden.deals, result.rooms[0]
    for row in np.flatnonzero(room.tricks >= 0)[:60].tolist():
        level = int(room.bidden.contracts[row][0])
        chance = {1: 0.41, 3: 0.14}[level]  # tricks above double dummy: 1NT, three of any strain
        is_vulnerable = bool(boards.vulnerable[row] & 1)
        scores = [
            score_plainly(level, min(int(room.tricks[row]) + extra, 13), is_vulnerable) for extra in (0, 1)
        ]
        imps = [np.sign(score) * sum(abs(score) >= limit for limit in TABLE) for score in scores]
        assert result.gains[row] == pytest.approx((1 - chance) * imps[0] + chance * imps[1])


# ------------------------------------------------------------ deals and arguments
def test_given_deals_keep_their_dealer_and_are_solved_where_needed(
    strong: dk.System, weak: dk.System
) -> None:
    deals = dk.deal(
        40, seed=5, given=f"hcp(south) >= 15 and hcp(south) <= 17 and {BALANCED.replace('(', '(south, ')}"
    )
    boards = deals.number_boards(dealer="south", vulnerable="both")
    result = dk.compare_systems(strong, weak, 40, deals=boards, silent=True)
    assert set(result.rooms[0].bidden.deals.dealer.tolist()) == {2}
    own = result.rooms[0]
    assert (own.bidden.declarers == "S").sum() > 20 and (own.tricks[own.bidden.declarers == "S"] >= 0).all()
    solved = dk.dd_tricks(boards, "N", "south")
    opened = own.bidden.declarers == "S"
    assert (own.tricks[opened] == solved[opened]).all()


def test_a_condition_chooses_deals(strong: dk.System, weak: dk.System) -> None:
    result = dk.compare_systems(strong, weak, 300, given="hcp(north) >= 15 and hcp(north) <= 17")
    points = result.rooms[0].bidden.deals.eval("hcp(north)")
    assert len(result) == 300 and points.min() >= 15 and points.max() <= 17
    with pytest.raises(dk.ArgumentError, match="deals? met the condition: a comparison needs at least 30"):
        dk.compare_systems(strong, weak, given="hcp(north) >= 30")


def test_systems_with_gaps_are_refused_with_what_they_lack() -> None:
    lacking = dk.parse_system(TOY.partition("after 1NT")[0].replace("param", "# param").replace("$low", "10")
                              .replace("$high", "17"))  # fmt: skip
    complete = make_toy(10, 17)
    with pytest.raises(dk.ArgumentError) as caught:
        dk.compare_systems(lacking, complete, 500)
    message = str(caught.value)
    assert "says nothing in 5" in message and "1NT  (no context" in message  # it opens half of the auctions
    assert 'P  otherwise  "mostly' in message and "max_unfinished=1 compares" in message
    # The share is that of the auctions with a bid which stop there: those in which it opens, in either room
    result = dk.compare_systems(lacking, complete, 500, max_unfinished=1)
    assert result.unfinished[1].value == 0
    opened = [room.bidden.opened for room in result.rooms]
    n_own = np.isin(opened[0], (0, 2)).sum() + np.isin(opened[1], (1, 3)).sum()
    n_open = sum((seats >= 0).sum() for seats in opened)
    assert result.unfinished[0].value == pytest.approx(n_own / n_open)
    room = result.rooms[0].bidden
    frame = room.missing_contexts("NS")
    assert frame.context.tolist() == ["after 1NT"] and frame.deals.sum() == (room.seats % 2 == 0).sum()


def test_the_card_names_the_winner_and_the_boards(strong: dk.System, weak: dk.System) -> None:
    result = dk.compare_systems(strong, weak, 1000)
    text = result.to_text(100)
    assert "IMPs per board" in text and "The boards that decide most" in text and "double dummy" in text
    assert f"1,000 of {len(dk.solved_sample()):,} deals of the shipped sample" in text
    # Diagrams are in the page only, with both auctions
    (number,) = result.boards(1).index
    for html in (result._repr_html_(), result.card().to_page()):
        assert html.count('class="dk-deal') >= 10 and f"<b>Deal {number + 1}, " in html
        assert result.rooms[0].bidden.auctions[number] in html
    assert f"Deal {number + 1}, " not in text
    frame = result.boards(5)
    assert len(frame) == 5 and (np.abs(frame.imps) == np.sort(np.abs(result.gains))[::-1][:5]).all()


def test_systems_of_the_same_file_are_named_by_their_variables() -> None:
    weak = dk.system("sayc", {"notrump": 12})
    assert dk.compare_systems("sayc", weak, 30, max_unfinished=1).names == (
        "SAYC, notrump 15",
        "SAYC, notrump 12",
    )
    assert dk.compare_systems("acol", weak, 30, max_unfinished=1).names == ("Acol", "SAYC, notrump 12")


def test_a_changed_context_is_the_smallest_comparison(strong: dk.System) -> None:
    """Partner of 1NT bids game with one point more: only deals with ten points opposite 1NT differ."""
    changes = {"after 1NT": "3NT  hcp 11+\nP    otherwise"}
    result = dk.compare_systems(strong, with_changes=changes, n=3000)
    same = dk.compare_systems(strong, make_toy(15, 17).with_changes(changes), 3000)
    assert (result.gains == same.gains).all() and result.names[1] == "Notrump 15 to 17, changed after 1NT"
    boards, rooms = result.rooms[0].bidden.deals, result.rooms
    differs = rooms[0].bidden.contracts != rooms[1].bidden.contracts
    points = np.stack([boards.eval(f"hcp({seat})") for seat in ("north", "east", "south", "west")], axis=1)
    opener = np.array(["NESW".index(letter) if letter else -1 for letter in rooms[0].bidden.declarers])
    partner = points[np.arange(len(points)), (opener + 2) % 4]
    assert (differs == ((opener >= 0) & (partner == 10))).all() and differs.sum() > 20
    assert all(name.endswith("3NT / P") for name in result.by_auction().auction)
    assert eval(result.provenance.call).imps == result.imps  # the call of a system that was changed
    with pytest.raises(dk.ArgumentError, match="give a second system"):
        dk.compare_systems(strong)
    with pytest.raises(dk.ScriptError, match="changes:4"):
        strong.with_changes({"after 1NT": "3NT  hcp 11+ and"})
    with pytest.raises(dk.ArgumentError, match="give the lines of contexts by their headers"):
        strong.with_changes("after 1NT")


@pytest.mark.slow
@pytest.mark.parametrize("names", [("strong", "weak"), ("sayc", "precision"), ("acol", "two-over-one")])
def test_intervals_hold_the_truth(names: tuple[str, str], strong: dk.System, weak: dk.System) -> None:
    """200 studies of 500 deals each; the truth is the mean over all of these 100,000 deals."""
    first, second = ({"strong": strong, "weak": weak}.get(name, name) for name in names)
    sample = dk.solved_sample()[:100_000]
    truth = dk.compare_systems(first, second, 100_000, deals=sample).imps.value
    n_held = sum(
        study.imps.lo <= truth <= study.imps.hi
        for study in (
            dk.compare_systems(first, second, 500, deals=sample[500 * k : 500 * k + 500]) for k in range(200)
        )
    )
    print(f"{n_held} of 200 intervals hold the mean of 100,000 deals, {truth:.3f} IMPs")
    assert 184 <= n_held <= 199

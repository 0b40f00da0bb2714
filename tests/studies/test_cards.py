"""`card` against complete enumeration of the hidden hands; plays that are refused; a board of a file, card by card."""

from __future__ import annotations

import json
import random
from itertools import combinations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias", "ignore::dealerkit.SmallSample")
SEATS = ("north", "east", "south", "west")
RANKS = "23456789TJQKA"
HAND, DUMMY = "K54.AQ3.K52.AQ63", "AQ2.K52.A873.T42"


def split_hand(text):
    return {suit + rank for suit, holding in zip("SHDC", text.split("."), strict=True) for rank in holding}


def join_hand(cards):
    return ".".join(
        "".join(sorted((card[1] for card in cards if card[0] == suit), key=RANKS.index, reverse=True))
        for suit in "SHDC"
    )


def play_at_random(deal, declarer, n_cards, seed, by_rules=False):
    """Legal cards of a notrump contract, chosen at random, and who played each.

    By the rules the opening lead is the lowest card of a longest suit, and discards are the lowest cards of a suit.
    """
    chance = random.Random(seed)
    hands = [split_hand(text) for text in deal.pbn[2:].split()]
    leader, cards, seats = (declarer + 1) % 4, [], []
    while len(cards) < n_cards:
        trick = []
        for turn in range(4):
            if len(cards) == n_cards:
                break
            seat = (leader + turn) % 4
            legal = sorted(card for card in hands[seat] if trick and card[0] == trick[0][0]) or sorted(
                hands[seat]
            )
            if by_rules and not cards:
                legal = lead_longest(join_hand(hands[seat]), "notrump")
            elif by_rules and trick and legal[0][0] != trick[0][0]:
                legal = [card for card in legal if is_lowest(card, hands[seat])]
            card = chance.choice(legal)
            hands[seat].remove(card)
            trick.append(card)
            cards.append(card)
            seats.append(seat)
        if len(trick) == 4:
            places = [RANKS.index(card[1]) if card[0] == trick[0][0] else -1 for card in trick]
            leader = (leader + places.index(max(places))) % 4
    return cards, seats, hands, leader


def lead_longest(hand, strain):
    """A rule of leads: the lowest card of each longest suit."""
    suits = hand.split(".")
    return [
        letter + suit[-1]
        for letter, suit in zip("SHDC", suits, strict=True)
        if len(suit) == max(map(len, suits))
    ]


def is_lowest(card, hand):
    return all(RANKS.index(other[1]) >= RANKS.index(card[1]) for other in hand if other[0] == card[0])


def follows_rules(text, cards, seats, hidden):
    """Whether the hidden hands of a deal have led and discarded by the rules of `play_at_random`."""
    hands = [split_hand(hand) for hand in text[2:].split()]
    for number, (card, seat) in enumerate(zip(cards, seats, strict=True)):
        if seat in hidden:
            if number == 0 and card not in lead_longest(join_hand(hands[seat]), "notrump"):
                return False
            if card[0] != cards[number // 4 * 4][0] and not is_lowest(card, hands[seat]):
                return False
        hands[seat].discard(card)
    return True


def enumerate_deals(cards, seats, viewer, dummy, deal):
    """All whole deals that agree with the play and the two hands that are seen."""
    whole = [split_hand(text) for text in deal.pbn[2:].split()]
    hidden = [seat for seat in range(4) if seat not in (viewer, dummy)]
    voids = {seat: set() for seat in hidden}
    for number, (card, seat) in enumerate(zip(cards, seats, strict=True)):
        led = cards[number // 4 * 4]
        if seat in voids and card[0] != led[0]:
            voids[seat].add(led[0])
    played = {
        seat: {card for card, owner in zip(cards, seats, strict=True) if owner == seat} for seat in hidden
    }
    unknown = sorted((whole[hidden[0]] | whole[hidden[1]]) - played[hidden[0]] - played[hidden[1]])
    for chosen in combinations(unknown, 13 - len(played[hidden[0]])):
        rest = set(unknown) - set(chosen)
        if {card[0] for card in chosen} & voids[hidden[0]] or {card[0] for card in rest} & voids[hidden[1]]:
            continue
        hands = list(whole)
        hands[hidden[0]], hands[hidden[1]] = played[hidden[0]] | set(chosen), played[hidden[1]] | rest
        yield "N:" + " ".join(map(join_hand, hands))


COVERED = [(12, 32, False), (20, 32, False), (47, 32, False), (21, 33, True)]  # where the cards differ


class Position:
    """A position of a random play, with all deals that agree with it and what is known of the player."""

    def __init__(self, number, n_cards, by_rules=False):
        self.declarer = number % 4
        deal = dk.deal(1, seed=number)[0]
        self.cards, self.seats, self.left, self.leader = play_at_random(
            deal, self.declarer, n_cards, number, by_rules
        )
        self.player, dummy = (self.leader + n_cards % 4) % 4, (self.declarer + 2) % 4
        viewer = self.declarer if self.player == dummy else self.player
        texts = deal.pbn[2:].split()
        self.seen = texts[viewer], texts[dummy]
        self.every = list(enumerate_deals(self.cards, self.seats, viewer, dummy, deal))
        hidden = [seat for seat in range(4) if seat not in (viewer, dummy)]
        self.rules = {"lead_rule": lead_longest, "discard_rule": "lowest"} if by_rules else {}
        self.agreeing = [
            text for text in self.every if not by_rules or follows_rules(text, self.cards, self.seats, hidden)
        ]

    def study(self, **options):
        contract = f"3NT by {SEATS[self.declarer]}"
        return dk.card(*self.seen, contract, " ".join(self.cards), scoring="tricks", **self.rules, **options)

    def solve(self, deals, choices):
        """The tricks of the player's side in the whole play, by deal and card that can be played."""
        gone = [
            sum(1 << (48 - 16 * "SHDC".index(card[0]) + RANKS.index(card[1])) for card, owner in
                zip(self.cards, self.seats, strict=True) if owner == seat)
            for seat in range(4)
        ]  # fmt: skip
        positions = deals.hands & ~np.array(gone, np.uint64)
        table = " ".join(self.cards[len(self.cards) // 4 * 4 :])
        solved = dk.solve_board(positions, "notrump", self.leader, table, solutions=3)
        columns = []
        for choice in choices:
            held = solved[(solved.suit == choice.card[0])]
            is_card = [
                choice.card[1] in rank + equals
                for rank, equals in zip(held["rank"], held["equals"], strict=True)
            ]
            columns.append(held[is_card].tricks.to_numpy())
        return np.stack(columns, axis=1)


def check_position(number, n_cards, produce, given=None, by_rules=False):
    """Compare a study with the exact means over all deals that agree with the play; return how many these are."""
    position = Position(number, n_cards, by_rules)
    study = position.study(given=given, produce=produce, seed=number, confidence=0.999)
    assert study.played.player == position.player
    deals = dk.Deals.from_pbn(position.agreeing)
    if given is not None:
        deals = deals.where(given)
    won = study.played.won[(position.player - position.declarer) % 2]
    for choice, exact in zip(study.cards, position.solve(deals, study.cards).mean(axis=0) + won, strict=True):
        estimate = study.mean_tricks(choice.card)
        assert estimate.lo - 1e-9 <= exact <= estimate.hi + 1e-9, (choice, exact, estimate)
    # Each deal of the study is one of these
    known = set(map(tuple, deals.hands.tolist()))
    assert all(tuple(hands) in known for hands in study.deals.hands.tolist())
    names = {
        card for choice in study.cards for card in (choice.card[0] + rank for rank in choice.ranks.split("-"))
    }
    on_table, left = position.cards[n_cards // 4 * 4 :], position.left[position.player]
    legal = {card for card in left if on_table and card[0] == on_table[0][0]} or left
    assert names == legal
    return len(position.every), len(position.agreeing)


@pytest.mark.parametrize(("number", "n_cards"), [(1, 36), (2, 37), (3, 38), (4, 33), (5, 42), (6, 45)])
def test_means_are_those_of_all_deals_that_agree_with_the_play(number, n_cards):
    check_position(number, n_cards, 150)


def test_a_condition_on_the_hidden_hands():
    check_position(7, 36, 100, given="hcp(north) + hcp(south) >= 15 or hcp(west) >= 6")


def test_rules_of_leads_and_discards():
    sizes = [
        check_position(number, n_cards, 100, by_rules=True)
        for number, n_cards in ((16, 33), (19, 36), (31, 33))
    ]
    assert all(agreeing < every for every, agreeing in sizes)


@pytest.mark.parametrize("rule", ["longest", lambda hand, strain: ["C3", "D10"]])
def test_other_rules_of_discards(rule):
    # East discards the three of clubs on the second spade
    study = dk.card(
        "K54.AQ3.K52.AQ63".replace("63", "84"), "AQ2.K52.A873.T62", "3NT by south", "HJ H2 H7 HA SK S3 S2 C3",
        produce=30, seed=2, discard_rule=rule,
    )  # fmt: skip
    assert "Rules: discards by" in study.text
    for hands in study.deals.to_pbn():
        east = hands[2:].split()[1].split(".")
        assert east[0] == "" and "3" in east[3]
        if rule == "longest":
            assert len(east[3]) == max(len(east[1]) - 1, len(east[2]), len(east[3]))  # a heart is gone


def test_an_interrupted_study_continues_from_its_checkpoint(tmp_path):
    call = {"played": "HJ H2 H7", "produce": 40, "lead_rule": "top of sequence", "seed": 5}
    unbroken = dk.card(HAND, DUMMY, "3NT by south", **call)

    def stop(done, total):
        if done >= 12:
            raise KeyboardInterrupt

    file = tmp_path / "card.checkpoint"
    with pytest.warns(dk.TruncatedRun):
        part = dk.card(HAND, DUMMY, "3NT by south", **call, checkpoint=file, progress=stop)
    assert 2 <= part.n < 40 and "interrupted" in part.reason
    again = dk.card(HAND, DUMMY, "3NT by south", **call, checkpoint=file)
    assert again.n == 40 and again.frame.equals(unbroken.frame)
    with pytest.raises(dk.FileError, match="another call"):
        dk.card(HAND, DUMMY, "3NT by south", "HJ H2 H8", produce=40, checkpoint=file)


def lead_no_heart(hand, strain):
    spades, _, diamonds, clubs = hand.split(".")
    return next(
        letter + suit[0] for letter, suit in zip("SDC", (spades, diamonds, clubs), strict=True) if suit
    )


def test_rules_that_contradict_the_play():
    with pytest.raises(dk.ArgumentError, match="none of .* agrees with the rules"):
        dk.card(HAND, DUMMY, "3NT by south", "HJ H2 H7", produce=2, lead_rule=lead_no_heart)
    with pytest.raises(dk.ArgumentError, match="unknown rule of discards 'high'"):
        dk.card(HAND, DUMMY, "3NT by south", "HJ H2 H7", produce=2, discard_rule="high")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20, 40))
def test_twenty_positions(number):
    check_position(number, 28 + number % 17, 400)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "n_cards", "by_rules"), COVERED)
def test_intervals_of_all_gains_hold_together(number, n_cards, by_rules):
    # 400 studies of 60 deals each, against the exact means over all deals that agree with the play
    position = Position(number, n_cards, by_rules)
    choices = position.study(produce=2, seed=1).cards
    means = position.solve(dk.Deals.from_pbn(position.agreeing), choices).mean(axis=0)
    gains = [mean - np.delete(means, place).max() for place, mean in enumerate(means)]
    repeats, together, single, n_intervals = 400, 0, 0, 0
    won = None
    for seed in range(repeats):
        study = position.study(produce=60, seed=seed)
        won = study.played.won[(position.player - position.declarer) % 2]
        held = [
            study.gain(choice.card).lo - 1e-9 <= gain <= study.gain(choice.card).hi + 1e-9
            for choice, gain in zip(choices, gains, strict=True)
        ]
        together += all(held)
        tricks = [study.mean_tricks(choice.card) for choice in choices]
        single += sum(
            each.lo - 1e-9 <= mean + won <= each.hi + 1e-9 for each, mean in zip(tricks, means, strict=True)
        )
        n_intervals += len(choices)
    print(f"{number}: {len(choices)} cards, {len(position.agreeing)} deals, gains {np.round(gains, 2)}: "
          f"all hold in {together / repeats:.1%}, means {single / n_intervals:.1%}")  # fmt: skip
    # 95 % and three standard errors below
    assert together / repeats >= 0.95 - 3 * (0.95 * 0.05 / repeats) ** 0.5
    assert single / n_intervals >= 0.95 - 3 * (0.95 * 0.05 / repeats) ** 0.5


def test_touching_cards_are_one_unless_a_card_between_them_is_left():
    study = dk.card(HAND, DUMMY, "3NT by south", "HJ H2 H7", produce=2, seed=1)
    assert [choice.ranks for choice in study.cards] == ["A", "Q", "3"]
    later = dk.card(HAND, DUMMY, "3NT by south", "HJ HK H7 H3 C2 C9 CQ C8", produce=2, seed=1)
    # The king of hearts is gone: ace and queen touch
    assert "A-Q" in [choice.ranks for choice in later.cards if choice.suit == 1]


def test_a_defender_sees_dummy_and_himself():
    west = "T763.JT964.QJ9.K"
    study = dk.card(west, DUMMY, "3NT by south", "HJ H2 H7 HA C3", produce=3, seed=1)
    assert SEATS[study.played.player] == "west" and not study.is_declaring
    assert [choice.card for choice in study.cards] == ["CK"]
    assert "only card" in study.text
    assert all(deal.pbn[2:].split()[3] == west for deal in study.deals)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((HAND, DUMMY, "3NT by south", ""), "no card has been played"),
        (
            (HAND, DUMMY, "3NT by south", "HJ HK H7 H4"),
            "card 4 of the play, H4, is played by south, who does not have it",
        ),
        ((HAND, DUMMY, "3NT by south", "HJ C2 H7"), "is a revoke: north has hearts"),
        ((HAND, DUMMY, "3NT by south", "HJ H2 C7 HA D2 D9 DA D4 H5 H8"), "has not followed to hearts"),
        ((HAND, DUMMY, "3NT by south", "HA H2"), "HA, is played by west, and east has it"),
        ((HAND, DUMMY, "3NT by south", "HJ HJ"), "HJ, was played before"),
        ((HAND, DUMMY, "3NT by south", "HJ XX"), "card 2 of the play is 'XX'"),
        ((HAND, HAND, "3NT by south", "HJ"), "both hands in view"),
        ((HAND, "AQ2.K52.A873.T4", "3NT by south", "HJ"), "has 12 cards"),
        ((HAND, DUMMY, "pass", "HJ"), "passed out"),
    ],
)
def test_mistakes_are_refused(arguments, message):
    with pytest.raises((dk.DealError, dk.ArgumentError), match=message):
        dk.card(*arguments, produce=2)


def test_a_play_that_contradicts_the_condition_is_refused():
    with pytest.raises(dk.ArgumentError, match="no deal"):
        dk.card(HAND, DUMMY, "3NT by south", "HJ", given="hcp(west) >= 30", produce=2)


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    """A file with a board and its play up to a claim: each card costs nothing double dummy."""
    return write_board(tmp_path_factory.mktemp("boards") / "board.lin", 44)


def write_board(path, n_cards):
    """Write a LIN file with a board and this number of its cards; return the file and the cards."""
    deal = dk.Deals.from_pbn(f"N:{DUMMY} J98.J9876.64.J87 {HAND} T763.T4.QJT9.K95")[0]
    played = dk.line(deal, "3NT by south", lead="DQ")
    cards = [card.card for card in played.cards][:n_cards]
    hands = deal.pbn[2:].split()
    suits = [
        "".join(letter + holding for letter, holding in zip("SHDC", hands[seat].split("."), strict=True))
        for seat in (2, 3, 0, 1)
    ]
    text = f"qx|o12|md|1{','.join(suits)}|sv|0|mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|"
    end = "mc|9|" if n_cards < 52 else ""
    path.write_text(text + "".join(f"pc|{card}|" for card in cards) + f"{end}\n", encoding="utf-8")
    return path, cards


def test_the_command_finds_the_point_of_the_play(board, capsys):
    path, cards = board
    assert main(["card", str(path), "--board", "12", "--trick", "9", "-p", "4", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert "trick 9" in result["title"]
    assert main(["card", str(path), "--board", "12", "--card", "38", "-p", "4"]) == 0
    output = capsys.readouterr().out
    assert f"plays to {cards[36]}" in output and "At the table" in output


def test_a_board_replayed_card_by_card(board, capsys):
    path, cards = board
    for number in range(30, len(cards) + 1):
        assert main(["card", str(path), "--card", str(number), "-p", "2"]) == 0
        assert f"trick {(number - 1) // 4 + 1}" in capsys.readouterr().out


@pytest.mark.slow
def test_a_full_hand_replayed_card_by_card(tmp_path, capsys):
    path, cards = write_board(tmp_path / "full.lin", 52)
    hands = [split_hand(text) for text in dk.read(path).deals[0].pbn[2:].split()]
    leader, won = 3, {0: 0, 1: 0}  # West leads; tricks of North and South, and of the others
    for number, card in enumerate(cards, 1):
        trick = cards[(number - 1) // 4 * 4 : number - 1]
        seat = (leader + len(trick)) % 4
        if number > 1:
            words = ["card", str(path), "--card", str(number), "-p", "4", "--scoring", "tricks", "--json"]
            assert main(words) == 0
            result = json.loads(capsys.readouterr().out)
            assert f"trick {(number - 1) // 4 + 1}, {SEATS[seat]} " in result["title"]
            # The rows are the legal cards of the hand whose turn it is
            rows = result["tables"][0]["rows"]
            shown = {
                "SHDC"["♠♥♦♣".index(row["card"][0])] + rank
                for row in rows
                for rank in row["card"][1:].replace("\N{VARIATION SELECTOR-15}", "").split("-")
            }
            legal = {other for other in hands[seat] if trick and other[0] == trick[0][0]} or hands[seat]
            assert shown == legal and card in shown
            assert any("At the table" in note and card[1] in note for note in result["notes"])
            # With the last card nothing is left to estimate: the tricks are those that were won
            if number == 52:
                places = [RANKS.index(each[1]) if each[0] == trick[0][0] else -1 for each in (*trick, card)]
                winner = (leader + places.index(max(places))) % 4
                total = won[seat % 2] + (winner % 2 == seat % 2)
                assert rows[0]["tricks"]["value"] == total
        hands[seat].remove(card)
        if len(trick) == 3:
            places = [RANKS.index(each[1]) if each[0] == trick[0][0] else -1 for each in (*trick, card)]
            leader = (leader + places.index(max(places))) % 4
            won[leader % 2] += 1
    assert sum(won.values()) == 13


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--trick", "1"], "dealerkit lead compares opening leads"),
        (["--board", "3", "--trick", "2"], "has no board 3"),
        (["--trick", "13"], "the play in the file has 44 cards"),
        ([], "--trick"),
        (["--trick", "2", "--card", "3"], "give either --trick"),
    ],
)
def test_mistakes_of_the_command(board, words, message, capsys):
    assert main(["card", str(board[0]), *words]) == 2
    assert message in capsys.readouterr().err

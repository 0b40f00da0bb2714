"""Bidding systems on solved deals: auctions that end where a system says nothing, silly contracts, IMPs below par.

    python tests/benchmarks/bidding.py [--quick]

Each system bids the deals of the shipped sample as north-south, with boards numbered from 1; east-west pass, or bid the same
system. A contract is silly if both hands of its side show it to be wrong, whatever the cards of the other side are. The
list `SILLY` has the reasons. A bid of one that a hand of seven points or fewer passes is not counted: such hands pass in one
system or all, and at the table the opponents do not. Its share is printed. With silent opponents par is the best score that one side can make with any contract, as nobody
saves; with four hands bidding it is par. The last table has the most frequent auctions that end in silly contracts.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.bidding import list_systems  # noqa: E402
from dealerkit.scoring import Contract, score_contracts  # noqa: E402

TABLES = {
    "bidding": (
        "system", "opponents", "deals with a bid", "says nothing", "silly", "together", "IMPs below par",
        "one of a suit in a bad fit, passed by a weak hand",
    ),
    "silly contracts": (
        "contract", *(f"{name}, {opponents}" for name in ("Acol", "Precision", "SAYC", "2/1") for opponents in ("silent", "bid")),
    ),
    "silly auctions": ("system", "auction", "contract", "deals"),
}  # fmt: skip
SILLY = {
    "no game with 27 points": "a contract below game with 27 points or more, doubled contracts apart",
    "no slam with 34 points": "a contract below the level of six with 34 points or more",
    "game with few points": "3NT with 21 points or fewer; four or five of a suit with 17 points or fewer and fewer than nine trumps",
    "slam with few points": "a contract at the level of six or seven with 26 points or fewer and fewer than ten trumps",
    "slam without aces": "a small slam without two aces, a grand slam without one",
    "wrong fit": "seven trumps or fewer beside nine cards of another suit, or six or fewer beside eight of another",
    "no fit": "five trumps or fewer",
    "notrump beside a fit": "notrump below slam beside nine cards of a major, with a singleton or void in one of the hands",
    "high without a fit": "the level of three in a suit with 20 points or fewer and seven trumps or fewer",
}
OPENED_HIGH = ("3", "4")  # preempts
N_WORST = 5  # auctions of a system
GAME = np.array([4, 4, 5, 5, 3])  # by strain S H D C N
MAJORS = (0, 1)
ACES = np.uint64(0x1000_1000_1000_1000)


def count_cards(hands: np.ndarray) -> np.ndarray:
    """Return the lengths of the suits, int [n, 4]."""
    lanes = hands[:, None] >> np.array([48, 32, 16, 0], np.uint64) & np.uint64(0x1FFF)
    return np.bitwise_count(lanes).astype(int)


def find_silly(bidden: dk.BiddenDeals) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return for each reason which contracts are silly, bool [n], and which bids of one are in a bad fit and passed.

    Passed deals and doubled contracts are not silly.
    """
    n = len(bidden)
    found = {name: np.zeros(n, bool) for name in SILLY}
    played = np.flatnonzero(bidden.contracts != "Pass")
    contracts = [Contract.parse(text) for text in bidden.contracts[played].tolist()]
    level = np.array([each.level for each in contracts])
    strain = np.array([each.strain for each in contracts])
    doubled = np.array([each.doubled for each in contracts])
    declarer = np.array(["NESW".index(seat) for seat in bidden.declarers[played].tolist()])
    deals = bidden.deals[played]
    own = deals.hands[np.arange(len(played)), declarer]
    partner = deals.hands[np.arange(len(played)), (declarer + 2) % 4]
    lengths = np.stack([count_cards(own), count_cards(partner)])
    fits = lengths.sum(axis=0)
    points = np.stack([deals.eval(f"hcp({seat})") for seat in ("north", "east", "south", "west")], axis=1)
    together = points[np.arange(len(played)), declarer] + points[np.arange(len(played)), (declarer + 2) % 4]
    aces = np.bitwise_count((own | partner) & ACES).astype(int)
    is_suit = strain < 4
    trumps = np.where(is_suit, fits[np.arange(len(played)), np.minimum(strain, 3)], 13)
    others = np.where(np.arange(4) == strain[:, None], 0, fits).max(axis=1)
    short = (lengths.min(axis=2) < 2).any(axis=0)
    first = [
        next((call for call in auction.split() if call != "P"), "") for auction in bidden.auctions[played]
    ]
    is_preempt = np.array([call.startswith(OPENED_HIGH) and call != "3NT" for call in first])
    reasons = {
        "no game with 27 points": (together >= 27) & (level < GAME[strain]),
        "no slam with 34 points": (together >= 34) & (level < 6),
        "game with few points": np.where(
            is_suit,
            (level >= GAME[strain]) & (together <= 17) & (trumps < 9) & ~is_preempt,
            (level >= 3) & (together <= 21),
        ),
        "slam with few points": (level >= 6) & (together <= 26) & (trumps < 10),
        "slam without aces": ((level == 6) & (aces < 3)) | ((level == 7) & (aces < 4)),
        "wrong fit": is_suit & (((trumps <= 7) & (others >= 9)) | ((trumps <= 6) & (others >= 8))),
        "no fit": is_suit & (trumps <= 5),
        "notrump beside a fit": ~is_suit & (level < 6) & (fits[:, MAJORS].max(axis=1) >= 9) & short,
        "high without a fit": is_suit & (level >= 3) & (together <= 20) & (trumps <= 7) & ~is_preempt,
    }  # fmt: skip
    # A bid of one that partner passed at once: there are no further calls than passes
    n_bids = np.array([sum(call[0].isdigit() for call in text.split()) for text in bidden.auctions[played]])
    weak = points[np.arange(len(played)), (declarer + 2) % 4] <= 7
    is_passed = (n_bids == 1) & (level == 1) & weak
    for name, truth in reasons.items():
        found[name][played] = truth & (doubled == 0) & ~is_passed
    passed = np.zeros(n, bool)
    passed[played] = is_passed & (reasons["wrong fit"] | reasons["no fit"])
    return found, passed


def score_bidden(bidden: dk.BiddenDeals) -> np.ndarray:
    """Return the scores of north-south, double dummy."""
    scores = np.zeros(len(bidden), int)
    played = np.flatnonzero(bidden.contracts != "Pass")
    contracts = [Contract.parse(text) for text in bidden.contracts[played].tolist()]
    level, strain, doubled = (
        np.array([getattr(each, name) for each in contracts]) for name in ("level", "strain", "doubled")
    )
    declarer = np.array(["NESW".index(seat) for seat in bidden.declarers[played].tolist()])
    deals = bidden.deals[played]
    tricks = deals.tables[np.arange(len(played)), strain, declarer].astype(int)
    vulnerable = (deals.vulnerable.astype(int) >> declarer % 2 & 1).astype(bool)
    points = score_contracts(level, strain, doubled, tricks, vulnerable)
    scores[played] = np.where(declarer % 2, -points, points)
    return scores


def find_best(deals: dk.Deals) -> np.ndarray:
    """Return the best score that north-south can make with any contract, doubled ones apart; 0 if all fail."""
    best = np.zeros(len(deals), int)
    vulnerable = (deals.vulnerable.astype(int) & 1).astype(bool)
    for strain in range(5):
        tricks = deals.tables[:, strain, [0, 2]].max(axis=1).astype(int)
        for level in range(1, 8):
            points = score_contracts(level, strain, 0, tricks, vulnerable)
            best = np.where(tricks >= level + 6, np.maximum(best, points), best)
    return best


def measure_system(name: str, deals: dk.Deals, silent: bool) -> tuple[Row, dict[str, float], list[Row]]:
    """Return the row of a system whose opponents pass or bid, the share of each reason, and the worst auctions."""
    bidden = dk.bid_out(deals, name, name, silent="EW" if silent else None)
    opened = bidden.opened >= 0
    n_open = int(opened.sum())
    failed = opened & (bidden.ends != "")
    reasons, passed = find_silly(bidden)
    silly = np.any(list(reasons.values()), axis=0)
    best = find_best(deals) if silent else np.asarray(dk.par(deals, deals.vulnerable, deals.dealer).score)
    lost = np.abs(dk.imps(score_bidden(bidden) - best))
    title = dk.system(name).title
    shares = [f"{which.sum() / n_open:.2%}" for which in (failed, silly, failed | silly)]
    row = (
        title, "silent" if silent else "bid", n_open, *shares, f"{lost[opened].mean():.2f}", f"{passed.sum() / n_open:.2%}",
    )  # fmt: skip
    counts = Counter(
        (auction.removeprefix("P P P ").removeprefix("P P ").removeprefix("P "), reason)
        for reason, which in reasons.items()
        for auction in bidden.auctions[which].tolist()
    )
    worst: list[Row] = [
        ("silly auctions", (title, f"`{auction}`", reason, count))
        for (auction, reason), count in counts.most_common(N_WORST)
    ]
    return ("bidding", row), {reason: which.sum() / n_open for reason, which in reasons.items()}, worst


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of all systems."""
    deals = dk.solved_sample()[: 5_000 if quick else 50_000].number_boards()
    columns, worst = [], []
    for name in list_systems():
        for silent in (True, False):
            row, shares, auctions = measure_system(name, deals, silent)
            yield row
            columns.append(shares)
            worst += auctions if silent else []
    for reason in SILLY:
        yield "silly contracts", (reason, *(f"{shares[reason]:.2%}" for shares in columns))
    yield from worst


if __name__ == "__main__":
    main(TABLES, measure, __doc__)

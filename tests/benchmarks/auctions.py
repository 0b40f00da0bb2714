"""Deals for auctions: produced deals a second of CPU time, and how often shipped systems say nothing.

    python tests/benchmarks/auctions.py [--quick]

Each auction is dealt by the chosen plan and plainly, planning included. Where `data/scripts/bids.dealer` has names
for the calls, its condition is dealt too, by the chosen plan; it infers nothing from passes over an opening. The
second table bids deals out, north dealing and east-west silent.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.bidding import list_systems  # noqa: E402
from dealerkit.planning import sampling  # noqa: E402

TABLES = {
    "auctions": (
        "auction", "share of deals", "exact share", "plan", "deals/s", "plain, deals/s", "times faster", "`bids.dealer`, deals/s",
    ),
    "gaps": ("system", "deals with a bid", "gap", "forced", "no context"),
}  # fmt: skip
BIDS = Path(__file__).parents[2] / "data" / "scripts" / "bids.dealer"
REPORT = "action average hcp(north)"
AUCTIONS = {  # the condition in names of bids.dealer; "" if it has none
    "1NT": "north_1nt", "1S": "north_1s", "2C": "north_2c", "2S": "north_2s", "3D": "north_3d",
    "1NT-3NT-AP": "", "1NT-2NT": "", "1NT-2D-2H": "", "1NT-2C-2S-3NT": "",
    "1S-2S": "north_1s and south_raises_spades", "1S-3S": "north_1s and south_invites_spades",
    "1S-2S-4S-AP": "", "1H-1S": "", "2S P P": "", "P P 1H": "north_passes and east_passes and south_1h",
    "P P 1H 1S 2H": "", "1H (1S) X": "", "(1D) X": "", "1NT (X) P": "",
    "P P P P": "north_passes and east_passes and south_passes and west_passes",
}  # fmt: skip


def run(given: object, plan: str, produce: int) -> dk.Result:
    """Run with a condition on one thread, building its tables again, and keep no deals."""
    sampling.cached_samplings.clear()
    return dk.run(REPORT, given=given, plan=plan, produce=produce, seed=1, keep=0, threads=1, progress=False)


def measure_auction(calls: str, names: str, quick: bool) -> Row:
    """Return the row of an auction."""
    auction = dk.auction(calls, "sayc")
    share = dk.probability(auction)
    produce, runs = (5_000, 1) if quick else (100_000, 3)
    n_plain = max(20, int(share.value * (200_000 if quick else 1_000_000)))
    rates = [
        count / least(lambda: run(auction, plan, count), runs)  # noqa: B023
        for plan, count in (("auto", produce), ("plain", n_plain))
    ]
    by_names: str | float = ""
    if names:
        script = dk.parse(BIDS) + dk.parse(f"condition {names}\n{REPORT}")
        options = dk.RunOptions(produce=produce, seed=1, keep=0, threads=1, progress=False)

        def run_names() -> None:
            sampling.cached_samplings.clear()
            dk.run_script(script, options)

        by_names = produce / least(run_names, runs)
    exact = "yes" if share.exact else "no"
    if not share.exact and dk.probability(dk.auction(calls, "sayc", opponents="silent")).exact:
        exact = "opponents silent"
    plan = run(auction, "auto", produce).plan.name
    row = (f"`{calls}`", f"{share.value:.3%}", exact, plan, *rates, rates[0] / rates[1], by_names)
    return "auctions", row


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of both tables."""
    for calls, names in AUCTIONS.items():
        yield measure_auction(calls, names, quick)
    deals = dk.deal(10_000 if quick else 200_000, seed=1, progress=False)
    for name in list_systems():
        bidden = dk.bid_out(deals, name, name, dealer="north", silent="EW")
        shares = [f"{bidden.share_of(end).value:.2%}" for end in ("gap", "forced", "no context")]
        yield "gaps", (dk.system(name).title, int((bidden.opened >= 0).sum()), *shares)


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
